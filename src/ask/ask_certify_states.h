/* ask_certify_states: the states and flags of an answer, to those that crashlit-check has found. */
#ifndef CRASHLIT_ASK_CERTIFY_STATES_H
#define CRASHLIT_ASK_CERTIFY_STATES_H

#include "session/session_case.h"

/* `answer`: the checker's lines, of which the first accepts a certificate of what was listed. NULL: what
 * the outcome lists is what the others say, or it is no list; else where they differ, in the arena. */
const char *ask_certify_compare(struct arena *arena, const struct session_case *question,
                                const struct outcome *outcome, const char *answer);

#endif
