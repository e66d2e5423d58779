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
/* 3.30. Columns count characters. An end that is no later than the begin, or at the begin of a
 * line, which may be past the last one, is left out. */
void report_sarif_region(struct strbuf *out, const char *name, const struct span *span);
void report_sarif_artifact(struct strbuf *out, const char *path);
/* 3.29, as the member of a location (3.28). */
void report_sarif_place(struct strbuf *out, const char *path, const struct span *span);

/* Up to the first result, each of which begins with this. */
void report_sarif_begin(const char *version, const struct report_sarif_rule *rules, uint32_t count,
                        struct strbuf *out);
void report_sarif_result(const struct report_sarif_rule *rules, uint32_t number, const char *kind,
                         const char *level, struct strbuf *out);
/* Behind the last one: what ran, and whether it came to its end. `interrupted`: why not, or NULL.
 */
void report_sarif_end(const char *command, int status, bool successful, const char *interrupted,
                      struct strbuf *out);

#endif
