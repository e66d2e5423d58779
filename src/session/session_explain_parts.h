/* session_explain_parts: what the explanation of a condition on recovery shares with that of
 * others. Private to session.
 */
#ifndef CRASHLIT_SESSION_EXPLAIN_PARTS_H
#define CRASHLIT_SESSION_EXPLAIN_PARTS_H

#include "session/session_explain.h"

/* Fills `explained`, whose question and condition are there, for a condition on recovery. */
void session_explain_recovery(struct session_explained *explained, uint32_t index);

/* The context is the request's recheck. A witness that does not stand ends the process. */
engine_witness_callback session_explain_recheck;

#endif
