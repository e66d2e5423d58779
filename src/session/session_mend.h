/* session_mend: what order is missing at a crash, tried out: with a persist barrier put there, does
 * the condition hold?
 */
#ifndef CRASHLIT_SESSION_MEND_H
#define CRASHLIT_SESSION_MEND_H

#include "engine/explanation.h"
#include "session/session_case.h"

/* Fills what becomes of the condition when a gap of its crash, in the test or in its recovery, is
 * closed, for those gaps that one barrier in one work-item closes. Kept are the gaps that mend it;
 * without any the next durable write behind each lost one. */
void session_mend(const struct session_case *question, uint32_t index, bool in_recovery,
                  struct explanation *explanation);

/* Does a barrier at some gap make the condition hold? */
bool session_is_mended(const struct explanation *explanation);

#endif
