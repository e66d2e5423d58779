/* Certificates: those of a file's answers, one behind the other. */
#include "format/report_format.h"

static void cert_test(struct report_piece *piece, const struct report_test *test)
{
    if (test->certificate && test->certificate->text)
        strbuf_add(&piece->out.text, test->certificate->text);
}

const struct report_format report_format_cert = {
    .name = "cert", .traits = REPORT_PICTURES, .test = cert_test};
