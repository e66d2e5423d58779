/* report_wide: what a test that is ok has wider than it need be, or needlessly, for `check
 * --warn-wide`.
 *
 * It is told of the lightest minimal filling (report_place.h), as that was checked as a whole; the
 * others are counted, and are fixes like it.
 */
#ifndef CRASHLIT_REPORT_WIDE_H
#define CRASHLIT_REPORT_WIDE_H

#include "document/report_finding.h"
#include "document/report_place.h"

struct report_wide {
    const char *unasked; /* why it was not asked, as other answers come first; NULL: it was */
    const char *doubt;   /* why not all is known; NULL: it is */
    const struct report_place *place; /* the lightest filling first; NULL: none was found */
};

/* The number of choices that it warns of. */
uint32_t report_wide_count(const struct report_wide *wide);
/* The number of minimal fillings that need less. */
uint32_t report_wide_ways(const struct report_wide *wide);
/* Calls back for each of these choices, then for what is not known. Texts are valid during the
 * callback. */
void report_wide_each(const struct report_wide *wide, const struct lit_program *program,
                      report_finding_visit *visit, void *context);

/* Lines of text, of HTML, and fields of a record. */
void report_text_wide(const struct report_test *test, struct strbuf *out);
void report_json_wide_warnings(const struct report_test *test, struct strbuf *out);
void report_json_wide(const struct report_test *test, struct strbuf *out);

/* What a finding is called: "wider-than-needed" or "redundant"; NULL of others. */
const char *report_wide_name(enum report_finding_kind kind);

#endif
