/* ask_certify: the certificate of an answer, and what crashlit-check says of it. */
#ifndef CRASHLIT_ASK_CERTIFY_H
#define CRASHLIT_ASK_CERTIFY_H

#include "run/run_result.h"
#include "session/session_answers.h"

/* Of the first engine's answer, in the arena. Where the question asks for certified answers, one
 * without an accepted certificate becomes unknown. `checker`: a line to it, or -1. */
struct report_certificate ask_certify(int checker, struct arena *arena,
                                      const struct session_case *question,
                                      struct session_answers *answers, struct run_result *result);

#endif
