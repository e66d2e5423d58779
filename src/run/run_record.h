/* run_record: the JSON lines of an earlier run, read back.
 *
 * What `merge`, `diff` and `--resume` have in common. A record is one line of
 * `check --format json`; lines are told apart by file, model pair and engine. A last line that is
 * cut off is what a run that was killed leaves: it is kept apart, and whoever reads says what it
 * means. Any other line that is no record is an input fault.
 *
 * Ownership: a set of records owns its texts.
 */
#ifndef CRASHLIT_RUN_RECORD_H
#define CRASHLIT_RUN_RECORD_H

#include "base/diag.h"
#include "base/vec.h"
#include "run/run_given.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_t; /* jansson's */

/* Fields that tell records apart: X(name). */
#define RUN_RECORD_KEY(X) X(file) X(model) X(persistency) X(engine)
/* Further texts: X(name). */
#define RUN_RECORD_TEXTS(X) X(test) X(verdict) X(expected)

#define RUN_RECORD_NONE SIZE_MAX

struct run_record {
#define X(name) const char *name;
    RUN_RECORD_KEY(X)
    RUN_RECORD_TEXTS(X)
#undef X
    const char *key; /* of the four, for comparing */
    const char
        *asked; /* what the command line asked of every test, as JSON; NULL: it does not say */
    const char *text_digest, *model_digest; /* NULL: it does not say */
    bool is_mapped;                         /* it is of what a mapping made of the file */
    const char *line;                       /* as it stands in the file, without its line end */
    const char *source;                     /* the file it was read from */
    uint32_t number;                        /* of the line there, from 1 */
    size_t before; /* the one before it of the same key, or RUN_RECORD_NONE */
};

/* The beginning of a record, at the end of a file. */
struct run_cut {
    const char *text, *source;
    uint32_t number;
};

struct run_records {
    struct arena arena;
    VEC(struct run_record) items; /* in the order read */
    VEC(struct run_cut) cuts;
    struct run_given given;
    struct run_record_slot *slots;
};

void run_records_init(struct run_records *records);
void run_records_fini(struct run_records *records);

/* Adds the records of a file. Of several with one key all are kept, and the last one is found: a
 * run that was taken up again may have answered anew. Faults go to `diag`; what could be read is
 * kept all the same. Returns whether there were none. */
bool run_records_read(struct run_records *records, const char *path, struct diag *diag)
    __attribute__((warn_unused_result));

enum { RUN_RECORD_BYTES = 64 << 20 };
/* Reads a line and its end, or what there is of it; one byte more than RUN_RECORD_BYTES of one that
 * is longer. Its length; 0 at the end of the file. */
size_t run_record_line(FILE *file, struct strbuf *line);

/* Is what a cut-off line began to say said by a record? It has to have come far enough to tell
 * which answer it was, unless the `beginning` is enough. */
bool run_records_have(const struct run_records *records, const struct run_cut *cut, bool beginning);
/* The same as a fault, for each line of which it is not. */
void run_records_refuse_cuts(const struct run_records *records, bool beginning, struct diag *diag);
/* A file without any record is no run: a fault. */
void run_records_refuse_empty(const char *path, struct diag *diag);

/* The last record of a key, NULL when there is none. The pointer dies with the next reading. */
const struct run_record *run_records_find(const struct run_records *records, const char *key);
/* The one of the same key that was read before it, NULL for the first. */
const struct run_record *run_records_before(const struct run_records *records,
                                            const struct run_record *record);
/* Of names as records have them (utf8_name). */
const char *run_record_key(struct arena *arena, const char *file, const char *model,
                           const char *persistency, const char *engine);

/* The whole record; the caller releases it. Never NULL: it was read before. */
struct json_t *run_record_json(const struct run_record *record);
/* A text of the object, "" when it has none of that name. */
const char *run_record_text(const struct json_t *json, const char *name);
/* Is a verdict an answer, neither `unknown` nor `error`? */
bool run_verdict_decides(const char *verdict);
bool run_record_decides(const struct run_record *record);
/* Is it of a file that could not be read, or that its worker did not finish, or of a model pair
 * that could not be loaded? No engine was asked. */
bool run_record_is_failure(const struct run_record *record);
/* Has it warnings? */
bool run_record_warns(const struct run_record *record);
/* Do two records say the same, but for time, memory and what they are of? */
bool run_record_same(const struct run_record *a, const struct run_record *b);

#endif
