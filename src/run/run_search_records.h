/* run_search_records: reads back the lines that searches have written. Private to run_search*.c. */
#ifndef CRASHLIT_RUN_SEARCH_RECORDS_H
#define CRASHLIT_RUN_SEARCH_RECORDS_H

#include "base/diag.h"
#include "base/vec.h"
#include "run/run_given.h"

#include <jansson.h>

/* The line of a unit, or the last line of a part. */
struct run_search_record {
    const char *search, *source; /* its digest; the file */
    uint64_t unit;               /* UINT64_MAX: a last line */
    uint64_t shard, shards;      /* of a last line */
    uint64_t count;              /* of a last line: how many of the part's units have a record */
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
/* Adds the lines of a file. Skips other lines of searches, such as tests found, and a last line
 * that is cut off. False, with a diagnostic, for any other line. */
bool run_search_records_read(struct run_search_records *records, const char *path,
                             struct diag *diag) __attribute__((warn_unused_result));
/* Sorts by search; units by number, then last lines. The result does not depend on the order of
 * files. */
void run_search_records_sort(struct run_search_records *records);
/* The record as JSON; never NULL, as it was parsed before. The caller releases it. */
json_t *run_search_record_json(const struct run_search_record *record);
/* Does the unit have something undecided? Then it is asked again. */
bool run_search_record_is_open(const json_t *json);

#endif
