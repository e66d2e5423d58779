/* session_certify: a certificate of an answer (certify/certificate.h): the enumerator lists once
 * more, each choice of its own, and writes down why that is all. */
#ifndef CRASHLIT_SESSION_CERTIFY_H
#define CRASHLIT_SESSION_CERTIFY_H

#include "report/report.h"
#include "session/session_case.h"

/* The certificate of an engine's answer, in the arena, as a part of its own. `listed` becomes what it
 * is a certificate of, for the caller to free. */
struct report_certificate session_certify(struct arena *arena, const struct session_case *question,
                                          const struct outcome *answered, struct outcome *listed);
/* The same to be told (certificate_tell): for cases.h, not for the checker. */
struct report_certificate session_tell_cases(struct arena *arena,
                                             const struct session_case *question,
                                             const struct outcome *answered,
                                             struct outcome *listed);

#endif
