/* session_bare: do all conditions on crash and recovered states hold without the test's barriers,
 * fences and flushes as well? Then they test none of them.
 *
 * It is asked only where they have a meaning under the model pair: put between two stores of one
 * work-item, they keep the second from being durable without the first, and nothing else does.
 * Marks of transactions are no fences. The enumerator answers, as far as it can tell soon. */
#ifndef CRASHLIT_SESSION_BARE_H
#define CRASHLIT_SESSION_BARE_H

#include "session/session_case.h"

/* Which conditions of the question's program these are, in the arena; `outcome` is what its engine
 * answers. NULL: one of them tests something, or is not ok, or there is none. A condition that asks
 * for a state is none of them, nor is one that values alone decide. */
const bool *session_bare(struct arena *arena, const struct session_case *question,
                         const struct outcome *outcome);

#endif
