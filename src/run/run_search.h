/* run_search: runs a search that consists of numbered units. Worker processes do several units at a
 * time, and several machines a part each (`--shard`). Each unit's result is a JSON line. `--resume`
 * continues from these, and `merge` merges them, as with records of tests (run_record.h).
 *
 *   {"schema":1,"search":"0123456789abcdef","unit":12, ...}
 *
 * `search` is a digest of the question: records of another question do not belong to this search.
 * The command defines the rest. Each part has a last line that says that it came to its end:
 *
 *   {"schema":1,"search":"0123456789abcdef","shard":1,"shards":4,"records":97,"ended":true, ...}
 *
 * `records` counts the part's units with a record by then, in the resumed file too; `merge` expects
 * as many. A unit without a record is not wanted.
 *
 * Units are taken in their order, whichever process did them, so the result depends on no
 * process. */
#ifndef CRASHLIT_RUN_SEARCH_H
#define CRASHLIT_RUN_SEARCH_H

#include "run/run_output.h"
#include "run/run_plan.h"
#include "session/session_case.h"

struct json_t; /* jansson's */

/* LATE: the unit was not looked at, or not completely. */
enum run_search_end { RUN_SEARCH_DONE, RUN_SEARCH_LATE, RUN_SEARCH_FAULT };

/* In a worker: appends the unit's result to its record, an object that is still open, and messages
 * to `err`. After a FAULT, such as a model that cannot be loaded, no unit has an answer. */
typedef enum run_search_end run_search_work(void *context, uint64_t unit,
                                            struct session_parts parts, struct strbuf *record,
                                            struct strbuf *err);
/* In the caller: takes a unit's result, perhaps of an earlier run, and removes from it what is not
 * wanted. 1: it counts; 0: none of it is wanted; -1: it is no such record. */
typedef int run_search_take(void *context, uint64_t unit, struct json_t *record);

struct run_search {
    const char *question;   /* its digest names the search */
    uint64_t units, from;   /* numbers are below `units`; the first one to do */
    uint32_t shard, shards; /* the part, from 1, and how many: each has one unit in so many; shards
                               0: all */
    uint32_t jobs, memory_mib;
    double part_seconds;
    bool solver;
    const char *resume;         /* a file of records; NULL: none */
    struct run_output *records; /* receives records that the file lacks; NULL: none are written */
    run_search_work *work;
    run_search_take *take;
    void *context;

    /* The results. */
    uint64_t record_count; /* of units in its part: old ones and new ones */
    uint64_t missing;      /* the first unit of its part without an answer; `units`: none */
    int interrupt;         /* what was taken by then stands */
    enum run_status status;
};

void run_search(struct run_search *search, struct diag *diag);
/* The members of a last line: search, shard, shards, records and ended, behind `{"schema":1,`. */
void run_search_add_end(const struct run_search *search, bool ended, struct strbuf *out);
bool run_search_is_ended(const struct run_search *search);

/* Does the file have lines of searches? False for one that cannot be read. */
bool run_search_is_record_file(const char *path);
/* Prints each unit once, and the last lines of all parts. INPUT when a part, or a unit of one, is
 * missing or not ended, or when there are several searches; DISAGREE when two records contradict
 * each other. */
enum run_status run_search_merge(const struct run_arguments *files, struct strbuf *out,
                                 struct strbuf *err);

#endif
