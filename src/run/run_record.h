/* run_record: reads back the JSON lines of an earlier run.
 *
 * `merge`, `diff` and `--resume` share it. A record is one line of `check --format json`,
 * identified by file, model pair and engine. A killed run may leave a last line that is cut off: it
 * is kept apart, and the caller decides what it means. Any other line that is no record is an input
 * fault.
 *
 * Ownership: a set of records owns its texts. */
#ifndef CRASHLIT_RUN_RECORD_H
#define CRASHLIT_RUN_RECORD_H

#include "base/diag.h"
#include "base/vec.h"
#include "run/run_given.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_t; /* jansson's */

/* Fields that identify a record: X(name). */
#define RUN_RECORD_KEY(X) X(file) X(model) X(persistency) X(engine)
/* Further texts: X(name). */
#define RUN_RECORD_TEXTS(X) X(test) X(verdict) X(expected)

#define RUN_RECORD_NONE SIZE_MAX

struct run_record {
#define X(name) const char *name;
    RUN_RECORD_KEY(X)
    RUN_RECORD_TEXTS(X)
#undef X
    const char *key;   /* of the four, for comparing */
    const char *asked; /* what the command line asked of every test, as JSON; NULL: unknown */
    const char *text_digest, *model_digest; /* NULL: unknown */
    bool is_mapped;                         /* it is of the file's mapped text */
    const char *line;                       /* its text in the file, without its line end */
    const char *source;                     /* the file it was read from */
    uint32_t number;                        /* of the line there, from 1 */
    uint64_t offset;                        /* of the line there, in bytes */
    size_t before; /* the earlier record with this key, or RUN_RECORD_NONE */
};

/* The beginning of a record, cut off by the end of a file. */
struct run_cut {
    const char *text, *source;
    uint32_t number;
};

/* Gets a record that is not kept: what it points to dies with the call. `asked` is NULL. */
typedef void run_record_visit(void *context, const struct run_record *record,
                              const struct json_t *json);

struct run_records {
    struct arena arena, scratch;
    VEC(struct run_record) items; /* in the order read */
    VEC(struct run_cut) cuts;
    struct run_given given;
    struct run_record_slot *slots;
    uint64_t offset; /* of the present line */
    /* Is the line known, so that nobody need read it? Asked before `visit`; NULL: none is. */
    bool (*is_known)(void *context, const char *line, uint64_t offset, uint32_t number);
    run_record_visit *visit; /* gets the records, none of which is kept; NULL: all are */
    void *context;
};

void run_records_init(struct run_records *records);
void run_records_fini(struct run_records *records);

/* Adds the records of a file. All records with one key are kept, and the last one is found, as a
 * resumed run may have answered anew. Faults go to `diag`; what could be read is kept. Returns
 * whether there were none. */
bool run_records_read(struct run_records *records, const char *path, struct diag *diag)
    __attribute__((warn_unused_result));

enum { RUN_RECORD_BYTES = 64 << 20 };
/* Reads a line with its end, or the rest of the file. Reads RUN_RECORD_BYTES + 1 bytes of a longer
 * line. Returns the length; 0 at the end of the file. */
size_t run_record_line(FILE *file, struct strbuf *line);

/* Reports each cut-off line of which no record says what it began to say. The line must be long
 * enough to identify the answer, unless its `beginning` is enough. */
void run_records_refuse_cuts(const struct run_records *records, bool beginning, struct diag *diag);
/* Reports a file without any record: it is no run. */
void run_records_refuse_empty(const char *path, struct diag *diag);

/* The last record of a key; NULL: none. The pointer dies with the next reading. */
const struct run_record *run_records_find(const struct run_records *records, const char *key);
/* The record of the same key read before it; NULL: it is the first. */
const struct run_record *run_records_before(const struct run_records *records,
                                            const struct run_record *record);
/* Makes a key from names as records have them (utf8_name). */
const char *run_record_key(struct arena *arena, const char *file, const char *model,
                           const char *persistency, const char *engine);

/* The record as JSON; the caller releases it. Never NULL: it was parsed before. */
struct json_t *run_record_json(const struct run_record *record);
/* A text field of the object; "" when it has none of that name. */
const char *run_record_text(const struct json_t *json, const char *name);
/* A number of the object that is none below 0; false when it has none of that name. */
bool run_record_number(const struct json_t *json, const char *name, uint64_t *number);
/* Appends JSON of a record as it may be written: whoever wrote the record, no control character is as it
 * is. */
void run_record_escape(const char *line, struct strbuf *out);
/* Is a verdict an answer, neither `unknown` nor `error`? */
bool run_verdict_decides(const char *verdict);
bool run_record_decides(const struct run_record *record);
/* Was no engine asked: could the file not be read, did its worker not finish, or could the model
 * pair not be loaded? */
bool run_record_is_failure(const struct run_record *record);
/* Reads one line into `record`, its key and texts into the arena. Returns it as JSON, which the caller
 * releases; NULL when it is no record. */
struct json_t *run_record_read(struct arena *arena, const char *line, struct run_record *record);
/* A digest of what the next function compares, as it is written: of records with the same digest it
 * says yes. `line` is a JSON object. */
uint64_t run_record_digest(const char *line);
/* Do two records say the same, ignoring time, memory, what identifies them, and what reports have of
 * them? */
bool run_record_same(const struct run_record *a, const struct run_record *b);

#endif
