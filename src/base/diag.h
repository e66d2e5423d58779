/* diag: diagnostics, collected and printed in one shape.
 *
 *     FILE:LINE:COLUMN: error: message [id]
 *         source line
 *         ^~~~
 *
 * Ids are stable and come from one table (diag_ids.def). A diagnostic says what
 * was found, what was expected, and how to mend it.
 *
 * Ownership: a `struct diag` owns copies of all messages in its arena; spans
 * point at sources that must outlive it.
 */
#ifndef CRASHLIT_DIAG_H
#define CRASHLIT_DIAG_H

#include "base/source.h"
#include "base/strbuf.h"
#include "base/vec.h"

enum diag_id {
#define DIAG(name, text, about) DIAG_##name,
#include "base/diag_ids.def"
#undef DIAG
    DIAG_COUNT
};

enum diag_severity { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* In words: "error". */
const char *diag_severity_text(enum diag_severity severity);

/* What was perhaps meant by a word of a text. */
struct diag_fix {
    struct span within;       /* where the word stands, or less closely */
    const char *word, *meant; /* NULL: none is known */
};

struct diag_entry {
    enum diag_severity severity;
    enum diag_id id;
    struct span span;
    const char *message; /* one line: control characters in it are shown as escapes */
    struct diag_fix fix;
};

struct diag {
    struct arena arena;
    VEC(struct diag_entry) entries;
    uint32_t errors;
};

/* Past this many errors of one sink further ones are counted, not kept. */
enum { DIAG_MAX_KEPT = 50 };

void diag_init(struct diag *diag);
void diag_fini(struct diag *diag);

void diag_error(struct diag *diag, enum diag_id id, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diag *diag, enum diag_id id, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A note adds to the error or warning before it and shares its id. */
void diag_note(struct diag *diag, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What was perhaps meant by a word, for the diagnostic that was reported last, if that stands at
 * `span`; the word is in the text of `span`, or of `within`. Does nothing when `meant` is NULL. */
void diag_meant_by(struct diag *diag, struct span span, const char *word, const char *meant);
void diag_meant_within(struct diag *diag, struct span span, struct span within, const char *word,
                       const char *meant);
/* The word in the text: false when none is known, or unless it stands there once, as a word. */
bool diag_fix_place(const struct diag_fix *fix, struct span *place)
    __attribute__((warn_unused_result));

/* One error alone, appended as diag_render does. */
void diag_tell(struct strbuf *out, enum diag_id id, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The stable text of an id, for example "E-cat-unbound". */
const char *diag_id_text(enum diag_id id);
/* What messages of the id are about, and what to do. */
const char *diag_id_about(enum diag_id id);
/* The error that was reported first; there is one. */
const struct diag_entry *diag_first_error(const struct diag *diag);
/* Was an error kept whose place begins inside `span`? Tells a fault from what only
 * follows from it. */
bool diag_has_error_in(const struct diag *diag, struct span span);
/* Diagnostics are rendered as JSON from now on, an object a line (docs/using/reports.md, "Messages");
 * of the whole process, and of those that it forks. */
void diag_render_json(void);
bool diag_is_json(void);
/* Appends one diagnostic as such an object. */
void diag_json(const struct diag_entry *entry, struct strbuf *out);
/* Appends lines, such as a summary; as JSON a note for each, of no place and without an id. */
void diag_lines(struct strbuf *out, const char *text);
/* The same of one line about the run, "crashlit: ...". */
void diag_say(struct strbuf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends every diagnostic, ready to print. First those without a line, then source by
 * source (as each first appears) by line and column; equals in the order reported. A note
 * stays behind its error or warning. */
void diag_render(const struct diag *diag, struct strbuf *out);

/* Of `count` names the one nearest to `name` (edit distance at most 2, or a third of the name's
 * length; case counts for nothing, neighbours that changed places are one edit), NULL when none is
 * near. */
const char *diag_nearest(const char *name, const char *const *names, size_t count);
/* The same of texts, `stride` bytes apart, of which those that are NULL are left out. */
const char *diag_nearest_of(const char *name, const char *const *first, size_t stride,
                            size_t count);
/* The same of the member `text` of `count` structures in a row. */
#define DIAG_NEAREST(name, items, count, text) \
    diag_nearest_of((name), (count) ? &(items)->text : NULL, sizeof *(items), (count))
/* The same, or the only one that begins with `name`, when that has 4 letters or more. */
const char *diag_meant(const char *name, const char *const *names, size_t count);

#endif
