/* report_sarif: what every SARIF 2.1.0 document has: its tool and rules, places, its end. Section
 * numbers are those of the OASIS standard. For src/document/ and src/format/ only.
 */
#ifndef CRASHLIT_REPORT_SARIF_H
#define CRASHLIT_REPORT_SARIF_H

#include "base/source.h"
#include "base/strbuf.h"

struct report_sarif_rule {
    const char *id, *name, *text, *help, *level;
};

/* A member that is an object with a text. */
void report_sarif_text(struct strbuf *out, const char *name, const char *text);
/* The message of a result: sentences, the last of which ends. */
void report_sarif_message(const char *text, struct strbuf *out);
/* By which a result is known again, whatever lines come before it. */
void report_sarif_fingerprint(const char *text, struct strbuf *out);
/* 3.30. Columns count characters. An end that is no later than the begin, or at the begin of a
 * line, which may be past the last one, is left out. */
void report_sarif_region(struct strbuf *out, const char *name, const struct span *span);
void report_sarif_artifact(struct strbuf *out, const char *path);
/* 3.29, as the member of a location (3.28). What has no line is told at the first. */
void report_sarif_place(struct strbuf *out, const char *path, const struct span *span);

/* Up to the first result, each of which begins with this. `id` tells reports of one tool apart that
 * are about one text (3.17). */
void report_sarif_begin(const char *id, const char *version, const struct report_sarif_rule *rules,
                        uint32_t count, struct strbuf *out);
void report_sarif_result(const struct report_sarif_rule *rules, uint32_t number, const char *kind,
                         const char *level, struct strbuf *out);

/* What ran, and how it ended. */
struct report_sarif_ending {
    const char *command;
    int status;
    bool successful;         /* all inputs could be read */
    const char *interrupted; /* why it did not come to its end; NULL: it did */
    size_t left_out;         /* results */
    bool absolute;           /* some place has an absolute path */
};

/* Is there such a place in the text of results? */
bool report_sarif_is_absolute(const char *text);
/* Behind the last result. */
void report_sarif_end(const struct report_sarif_ending *ending, struct strbuf *out);

#endif
