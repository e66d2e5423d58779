/* report_brief: a test in a line, for runs over many: what it came to under all of its model pairs,
 * and what is violated.
 *
 *     ! violated   PATH: crash ~exists (key=1 /\ val=0) is violated by ... (expected ok)
 *       mixed      PATH: 6 ok, 3 violated (9 model pairs, as expected)
 *
 * `!` marks what somebody should look at. Indented lines follow of what was not expected, where
 * there are several pairs, and of what must not be missed whatever the verdict.
 *
 * Ownership: it owns its texts; report_brief_fini releases them. A zeroed one is empty and valid.
 */
#ifndef CRASHLIT_REPORT_BRIEF_H
#define CRASHLIT_REPORT_BRIEF_H

#include "document/report_view.h"

struct report_brief {
    size_t pairs, verdicts[LIT_ERROR + 1], otherwise; /* the last: pairs to be looked at */
    size_t known;                                     /* pairs that are known to fail */
    enum lit_verdict expected;                        /* of the first */
    bool remarked;                                    /* one has remarks */
    struct strbuf finding;                            /* why the first one is not ok */
    struct strbuf odd;                                /* lines */
    VEC(const char *) asides;                         /* lines, each once */
    struct arena arena;                               /* of these */
};

/* Adds the answer under a pair. `test.remarks` are lines about other engines; if there are any, the
 * pair is one to be looked at. */
void report_brief_test(struct report_brief *brief, const struct report_test *test);
void report_brief_view(struct report_brief *brief, const struct report_view *view);
/* Adds a pair that could not be loaded, or a file that could not be read. */
void report_brief_failure(struct report_brief *brief, const struct report_failure *failure);
/* Appends the line and what follows it; nothing if nothing was added. `path` is the name of the
 * file. */
void report_brief_end(const struct report_brief *brief, const char *path, struct strbuf *out);
void report_brief_fini(struct report_brief *brief);
/* Appends the line of a file without answers; `word` is "not asked", or a verdict. */
void report_brief_line(bool odd, const char *word, const char *path, const char *reason,
                       struct strbuf *out);

#endif
