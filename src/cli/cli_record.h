/* cli_record: the JSON lines of an earlier run, read back.
 *
 * What `merge`, `diff` and `--resume` have in common. A record is one line of
 * `check --format json`; lines are told apart by file, model pair and engine. A last line that is cut
 * off is what a run that was killed leaves: it is kept apart, and whoever reads says what it means. Any
 * other line that is no record is an input fault.
 *
 * Ownership: a set of records owns its texts.
 */
#ifndef CRASHLIT_CLI_RECORD_H
#define CRASHLIT_CLI_RECORD_H

#include "base/diag.h"
#include "base/vec.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* Fields that tell records apart: X(name). */
#define CLI_RECORD_KEY(X) X(file) X(model) X(persistency) X(engine)
/* Further texts: X(name). */
#define CLI_RECORD_TEXTS(X) X(test) X(verdict) X(expected)

#define CLI_RECORD_NONE SIZE_MAX

struct cli_record {
#define X(name) const char *name;
    CLI_RECORD_KEY(X)
    CLI_RECORD_TEXTS(X)
#undef X
    const char *key;    /* of the four, for comparing */
    const char *asked;  /* what the command line asked of every test, as JSON; NULL: it does not say */
    const char *line;   /* as it stands in the file, without its line end */
    const char *source; /* the file it was read from */
    uint32_t number;    /* of the line there, from 1 */
    size_t before;      /* the one before it of the same key, or CLI_RECORD_NONE */
};

/* The beginning of a record, at the end of a file. */
struct cli_cut {
    const char *text, *source;
    uint32_t number;
};

struct cli_records {
    struct arena arena;
    VEC(struct cli_record) items; /* in the order read */
    VEC(struct cli_cut) cuts;
    struct cli_record_slot *slots;
};

void cli_records_init(struct cli_records *records);
void cli_records_fini(struct cli_records *records);

/* Adds the records of a file. Of several with one key all are kept, and the last one is found: a
 * run that was taken up again may have answered anew. Faults go to `diag`; what could be read is
 * kept all the same. Returns whether there were none. */
bool cli_records_read(struct cli_records *records, const char *path, struct diag *diag)
    __attribute__((warn_unused_result));

/* Is what a cut-off line began to say said by a record? It has to have come far enough to tell which
 * answer it was, unless the `beginning` is enough. */
bool cli_records_have(const struct cli_records *records, const struct cli_cut *cut, bool beginning);
/* The same as a fault, for each line of which it is not. */
void cli_records_refuse_cuts(const struct cli_records *records, bool beginning, struct diag *diag);
/* A file without any record is no run: a fault. */
void cli_records_refuse_empty(const char *path, struct diag *diag);

/* The last record of a key, NULL when there is none. The pointer dies with the next reading. */
const struct cli_record *cli_records_find(const struct cli_records *records, const char *key);
/* The one of the same key that was read before it, NULL for the first. */
const struct cli_record *cli_records_before(const struct cli_records *records,
                                            const struct cli_record *record);
/* Of names as records have them (utf8_name). */
const char *cli_record_key(struct arena *arena, const char *file, const char *model,
                           const char *persistency, const char *engine);

/* The whole record; the caller releases it. Never NULL: it was read before. */
json_t *cli_record_json(const struct cli_record *record);
/* Is a verdict an answer, neither `unknown` nor `error`? */
bool cli_verdict_decides(const char *verdict);
bool cli_record_decides(const struct cli_record *record);
/* Is it of a file that could not be read, or that its worker did not finish, or of a model pair that
 * could not be loaded? No engine was asked. */
bool cli_record_is_failure(const struct cli_record *record);
/* Do two records say the same, but for time and memory? */
bool cli_record_same(const struct cli_record *a, const struct cli_record *b);

#endif
