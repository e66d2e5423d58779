/* session_digest: what an answer depends on besides its test, its models and the program. */
#ifndef CRASHLIT_SESSION_DIGEST_H
#define CRASHLIT_SESSION_DIGEST_H

#include "session/session_engines.h"
#include "session/session_settings.h"

/* The digest of the options that an answer of the engine depends on, and of its machine's file.
 * Limits do not count, nor what chooses between methods. */
uint64_t session_digest_question(const struct session_settings *settings,
                                 const struct engine_entry *engine);

#endif
