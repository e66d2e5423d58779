/* run_search: a search that is made of numbered units, of which worker processes do several at the
 * same time, and several machines a part each (`--shard`); what each unit came to is a JSON line,
 * which `--resume` takes up and `merge` puts together, as records of tests are (run_record.h).
 *
 *     {"schema":1,"search":"0123456789abcdef","unit":12, ...}
 *
 * `search` is a digest of what is asked: records of another question are none of this search. What
 * follows is the command's. A last line of each part says that it came to its end:
 *
 *     {"schema":1,"search":"0123456789abcdef","shard":1,"shards":4,"records":97,"ended":true, ...}
 *
 * `records` counts the units of the part that have a record by then, in the file that the run was
 * taken up from too: `merge` wants to see as many. A unit without one is not wanted.
 *
 * Units are taken in their order, whoever did them, so what is made of them depends on no process.
 */
#ifndef CRASHLIT_RUN_SEARCH_H
#define CRASHLIT_RUN_SEARCH_H

#include "run/run_output.h"
#include "run/run_plan.h"
#include "session/session_case.h"

struct json_t; /* jansson's */

/* LATE: it was not looked at, or not as a whole. */
enum run_search_end { RUN_SEARCH_DONE, RUN_SEARCH_LATE, RUN_SEARCH_FAULT };

/* In a worker: appends what is said of the unit to its record, an object that is not ended yet, and
 * what is told to `err`. With a FAULT, such as a model that cannot be loaded, no unit has an
 * answer.
 */
typedef enum run_search_end run_search_work(void *context, uint64_t unit,
                                            struct session_parts parts, struct strbuf *record,
                                            struct strbuf *err);
/* In the caller: takes what is said of a unit, which may be an earlier run's, and takes out of it
 * what is not wanted. 1: it counts; 0: the whole of it is not wanted; -1: it is no such record. */
typedef int run_search_take(void *context, uint64_t unit, struct json_t *record);

struct run_search {
    const char *question;   /* its digest names the search */
    uint64_t units, from;   /* 0 up to `units`; which to begin with */
    uint32_t shard, shards; /* one unit in so many, from 1; 0: all */
    uint32_t jobs, memory_mib;
    double part_seconds;
    bool solver;
    const char *resume;         /* a file of records; NULL: none */
    struct run_output *records; /* where those go that the file lacks; NULL: nowhere */
    run_search_work *work;
    run_search_take *take;
    void *context;

    /* What came of it. */
    uint64_t
        record_count; /* of units of its part: those that were there, and those that were added */
    uint64_t missing; /* the first unit of its part without an answer; `units`: there is none */
    int interrupt;
    enum run_status status;
};

void run_search(struct run_search *search, struct diag *diag);
/* The members of a last line, search, shard, shards, records and ended, behind `{"schema":1,`. */
void run_search_add_end(const struct run_search *search, bool ended, struct strbuf *out);
bool run_search_is_ended(const struct run_search *search);

/* Are the lines of the file those of searches? False for one that cannot be read. */
bool run_search_is_record_file(const char *path);
/* Prints each unit once, and the last lines of all parts. INPUT when a part, or a unit of one, is
 * missing or not ended, or there are several searches, DISAGREE when two records contradict each
 * other. */
enum run_status run_search_merge(const struct run_arguments *files, struct strbuf *out,
                                 struct strbuf *err);

#endif
