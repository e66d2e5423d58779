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

/* The severity as a word: "error". */
const char *diag_severity_text(enum diag_severity severity);

/* A word of a text, and the known name that was perhaps meant by it. */
struct diag_fix {
    struct span within;       /* holds the word, perhaps with other text */
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

/* A sink keeps this many messages and only counts further errors; the first error it keeps in any
 * case, behind as many warnings. */
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

/* Adds to the diagnostic that was reported last what was perhaps meant by a word, if that
 * diagnostic stands at `span`. The word is in the text of `span`, or of `within`. Does nothing when
 * `meant` is NULL. */
void diag_meant_by(struct diag *diag, struct span span, const char *word, const char *meant);
void diag_meant_within(struct diag *diag, struct span span, struct span within, const char *word,
                       const char *meant);
/* Finds the word in the text. False when no word is known, or when the word does not stand there
 * exactly once. */
bool diag_fix_place(const struct diag_fix *fix, struct span *place)
    __attribute__((warn_unused_result));

/* Appends a single error as diag_render does. */
void diag_tell(struct strbuf *out, enum diag_id id, struct span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The stable text of an id, for example "E-cat-unbound". */
const char *diag_id_text(enum diag_id id);
/* What messages of this id are about, and what a user can do. */
const char *diag_id_about(enum diag_id id);
/* Would a further error be kept? */
bool diag_takes_error(const struct diag *diag);
/* The error that was reported first; there is one. */
const struct diag_entry *diag_first_error(const struct diag *diag);
/* Was an error kept whose place begins inside `span`? If so, a further fault there may be a mere
 * consequence. */
bool diag_has_error_in(const struct diag *diag, struct span span);
/* From now on this process, and each that it forks, renders diagnostics as JSON, an object a line
 * (docs/using/reports.md, "Messages"). */
void diag_render_json(void);
bool diag_is_json(void);
/* Appends one diagnostic as such an object. */
void diag_json(const struct diag_entry *entry, struct strbuf *out);
/* Appends lines, such as a summary. As JSON each becomes a note without a place and an id. */
void diag_lines(struct strbuf *out, const char *text);
/* The same for one line about the run, "crashlit: ...". */
void diag_say(struct strbuf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends every diagnostic, ready to print. Those without a line come first, then source by source
 * (in the order of their first diagnostics), by line and column. Diagnostics of one place keep
 * their order. A note stays behind its error or warning. */
void diag_render(const struct diag *diag, struct strbuf *out);

/* The one of `count` names that is nearest to `name`, NULL when none is near. Near is an edit
 * distance of at most 2, or a third of the name's length. Case does not count; two neighbours that
 * changed places are one edit. */
const char *diag_nearest(const char *name, const char *const *names, size_t count);
/* The same for texts that are `stride` bytes apart; those that are NULL are left out. */
const char *diag_nearest_of(const char *name, const char *const *first, size_t stride,
                            size_t count);
/* The same for the member `text` of an array of `count` structures. */
#define DIAG_NEAREST(name, items, count, text) \
    diag_nearest_of((name), (count) ? &(items)->text : NULL, sizeof *(items), (count))
/* The same. Without a near one it is the only one that begins with `name`, if that has at least 4
 * letters. */
const char *diag_meant(const char *name, const char *const *names, size_t count);

#endif
