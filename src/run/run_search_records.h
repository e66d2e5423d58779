/* run_search_records: the lines that searches have written, read back. A part of run_search, for it
 * alone.
 */
#ifndef CRASHLIT_RUN_SEARCH_RECORDS_H
#define CRASHLIT_RUN_SEARCH_RECORDS_H

#include "base/diag.h"
#include "base/vec.h"
#include "run/run_given.h"

#include <jansson.h>

/* Of a unit, or the last line of a part. */
struct run_search_record {
    const char *search, *source; /* its digest; the file */
    uint64_t unit;               /* UINT64_MAX: a last line */
    uint64_t shard, shards;      /* of a last line */
    uint64_t count;              /* likewise: of the part's units those with a record */
    bool ended;
    const char *line;
};

struct run_search_records {
    struct arena arena;
    VEC(struct run_search_record) items; /* in the order read */
    struct run_given given;
};

void run_search_records_init(struct run_search_records *records);
void run_search_records_fini(struct run_search_records *records);
/* Adds those of a file; other lines of searches, such as tests that were found, are passed over,
 * and so is a last line that is cut off. False, told, for any other line. */
bool run_search_records_read(struct run_search_records *records, const char *path,
                             struct diag *diag) __attribute__((warn_unused_result));
/* By search, units by their numbers, last lines behind them; in any order of files the same. */
void run_search_records_sort(struct run_search_records *records);
/* Never NULL: it was read before. The caller releases it. */
json_t *run_search_record_json(const struct run_search_record *record);
/* Has the unit something that was not decided? It is asked again. */
bool run_search_record_is_open(const json_t *json);

#endif
