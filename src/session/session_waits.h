/* session_waits: loops that a work-item never gets past, in no execution that the models allow.
 *
 * It is asked where no execution is known that runs to its end. The enumerator answers; where a
 * limit leaves something open, nothing is said. */
#ifndef CRASHLIT_SESSION_WAITS_H
#define CRASHLIT_SESSION_WAITS_H

#include "engine/waits.h"
#include "session/session_case.h"

/* In the arena; `outcome` is what an engine answers to the question. */
struct waits session_waits(struct arena *arena, const struct session_case *question,
                           const struct outcome *outcome);

#endif
