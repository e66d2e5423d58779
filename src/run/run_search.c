#include "run/run_search.h"

#include "base/pack.h"
#include "base/source.h"
#include "run/run_pool.h"
#include "run/run_progress.h"
#include "run/run_search_records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DIGEST_SIZE = 17 };

/* Units are asked where no record of an earlier run answers. */
struct run {
    struct run_search *search;
    struct diag *diag;
    char digest[DIGEST_SIZE];
    struct run_search_records earlier;
    VEC(uint64_t) there; /* units that have some record, in their order */
    size_t next_earlier; /* the first of these that was not taken */
    VEC(uint64_t) asked;
    size_t whole; /* so many of these, from the first on, have come back */
    struct run_progress progress;
    struct strbuf told; /* the last fault; every worker meets the same */
};

static void digest_of(const char *question, char digest[DIGEST_SIZE])
{
    SCOPED(arena) arena = {0};
    const struct source *source = source_from_text(&arena, "question", question, strlen(question));
    snprintf(digest, DIGEST_SIZE, "%016" PRIx64, source_digest(0, source));
}

/* ---- In a worker ---- */

/* How it ended, what is told, the record. */
static void work_on_unit(void *context, size_t task, struct strbuf *answer,
                         struct run_worker *worker)
{
    const struct run *run = context;
    const struct run_search *search = run->search;
    uint64_t unit = run->asked.items[task];
    SCOPED(strbuf) record = {0}, err = {0};
    strbuf_printf(&record, "{\"schema\":1,\"search\":\"%s\",\"unit\":%" PRIu64, run->digest, unit);
    enum run_search_end end =
        search->work(search->context, unit, run_worker_parts(worker), &record, &err);
    strbuf_add_char(&record, '}');
    pack_number(answer, (uint64_t)end);
    pack_bytes(answer, strbuf_text(&err), err.length);
    pack_bytes(answer, record.text, record.length);
}

/* ---- In the caller ---- */

static void miss(struct run *run, uint64_t unit)
{
    if (unit < run->search->missing)
        run->search->missing = unit;
}

static void print(const struct run *run, const json_t *json)
{
    char *line = json_dumps(json, JSON_COMPACT);
    BASE_CHECK(line);
    run_output_add(run->search->records, line, strlen(line));
    run_output_add(run->search->records, "\n", 1);
    base_free_foreign(line);
}

static void take_earlier(struct run *run, const struct run_search_record *record)
{
    json_t *json = run_search_record_json(record);
    if (run->search->take(run->search->context, record->unit, json) < 0)
        diag_error(run->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s': found a record of unit %" PRIu64 " that is none of this search",
                   record->source, record->unit);
    json_decref(json);
}

/* What earlier runs said of units before this one. */
static void take_all_before(struct run *run, uint64_t unit)
{
    const struct run_search_records *earlier = &run->earlier;
    for (; run->next_earlier < earlier->items.count; run->next_earlier++) {
        const struct run_search_record *record = &earlier->items.items[run->next_earlier];
        if (record->unit >= unit)
            break;
        take_earlier(run, record);
    }
}

static int compare_units(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static bool is_there(const struct run *run, uint64_t unit)
{
    return run->there.count &&
           bsearch(&unit, run->there.items, run->there.count, sizeof unit, compare_units);
}

static void take_record(struct run *run, uint64_t unit, const char *bytes, size_t length)
{
    json_t *json = json_loadb(bytes, length, 0, NULL);
    BASE_CHECK(json);
    int counts = run->search->take(run->search->context, unit, json);
    BASE_CHECK(counts >= 0);
    run->search->record_count += counts && !is_there(run, unit);
    if (counts && run->search->records)
        print(run, json);
    json_decref(json);
}

static void take_answer(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct run *run = context;
    uint64_t unit = run->asked.items[task];
    run->whole += task == run->whole;
    run_progress_wipe(&run->progress);
    run_output_say(answer->errors);
    take_all_before(run, unit);
    if (answer->end != RUN_POOL_ANSWERED) {
        run_output_remark("unit %" PRIu64 ": %s", unit, answer->reason);
        run_status_raise(&run->search->status,
                         answer->end == RUN_POOL_DIED ? RUN_EXIT_INTERNAL : RUN_EXIT_UNKNOWN);
        miss(run, unit);
        return;
    }
    SCOPED(strbuf) told = {0};
    size_t length;
    struct unpack from = unpack_start(answer->bytes, answer->length);
    enum run_search_end end = (enum run_search_end)unpack_number(&from);
    unpack_text(&from, &told);
    const char *bytes = unpack_bytes(&from, &length);
    BASE_CHECK(unpack_whole(&from));
    if (strcmp(strbuf_text(&told), strbuf_text(&run->told)) != 0) {
        run_output_say(strbuf_text(&told));
        strbuf_clear(&run->told);
        strbuf_add(&run->told, strbuf_text(&told));
    }
    if (end == RUN_SEARCH_FAULT)
        run_status_raise(&run->search->status, RUN_EXIT_INPUT);
    if (end == RUN_SEARCH_DONE)
        take_record(run, unit, bytes, length);
    else
        miss(run, unit);
}

static void watch(void *context, size_t done)
{
    struct run *run = context;
    run_progress_tell(&run->progress, done);
    if (run->search->records)
        run_output_flush(run->search->records);
}

/* ---- What is asked ---- */

static bool is_of_part(const struct run_search *search, uint64_t unit)
{
    return unit < search->units && (!search->shards || unit % search->shards == search->shard - 1);
}

/* Leaves those of this part of the search that answer, each once. */
static void choose_earlier(struct run *run)
{
    struct run_search_records *earlier = &run->earlier;
    size_t kept = 0, others = 0, count = earlier->items.count;
    run_search_records_sort(earlier);
    EACH_IN (const struct run_search_record, record, earlier->items) {
        bool ours = strcmp(record->search, run->digest) == 0;
        others += !ours;
        if (ours && is_of_part(run->search, record->unit) &&
            (!run->there.count || run->there.items[run->there.count - 1] != record->unit))
            VEC_PUSH(&run->there, record->unit);
        if (!ours || !is_of_part(run->search, record->unit) ||
            (kept && earlier->items.items[kept - 1].unit == record->unit))
            continue;
        json_t *json = run_search_record_json(record);
        if (!run_search_record_is_open(json))
            earlier->items.items[kept++] = *record;
        json_decref(json);
    }
    if (others && others == count)
        run_output_remark("what '%s' has is of another search, and this one begins anew: the "
                          "models, their files, the bound or the options are others",
                          run->search->resume);
    earlier->items.count = kept;
    run->search->record_count = run->there.count;
}

static void read_earlier(struct run *run)
{
    const char *path = run->search->resume;
    run_search_records_init(&run->earlier);
    run->earlier.given.memory_mib = run->search->memory_mib;
    if (!path || (access(path, F_OK) != 0 && errno == ENOENT))
        return;
    if (run_search_records_read(&run->earlier, path, run->diag))
        choose_earlier(run);
}

static void choose_units(struct run *run)
{
    size_t at = 0;
    for (uint64_t unit = 0; unit < run->search->units; unit++) {
        const struct run_search_records *earlier = &run->earlier;
        if (at < earlier->items.count && earlier->items.items[at].unit == unit)
            at++;
        else if (unit >= run->search->from && is_of_part(run->search, unit))
            VEC_PUSH(&run->asked, unit);
    }
}

static void ask_units(struct run *run)
{
    struct run_search *search = run->search;
    const struct run_pool pool = {.workers = search->jobs,
                                  .part_seconds = search->part_seconds,
                                  .memory_mib = search->memory_mib,
                                  .solver = search->solver,
                                  .work = work_on_unit,
                                  .take = take_answer,
                                  .watch = watch,
                                  .context = run};
    run_progress_init(&run->progress, run->asked.count, "units");
    search->interrupt = run_pool_run(&pool, run->asked.count);
    run_progress_wipe(&run->progress);
    if (run->whole < run->asked.count)
        miss(run, run->asked.items[run->whole]);
    take_all_before(run, UINT64_MAX);
}

void run_search(struct run_search *search, struct diag *diag)
{
    struct run run = {.search = search, .diag = diag};
    search->missing = search->units;
    digest_of(search->question, run.digest);
    read_earlier(&run);
    if (diag->errors == 0) {
        choose_units(&run);
        ask_units(&run);
    }
    VEC_FREE(&run.asked);
    VEC_FREE(&run.there);
    strbuf_fini(&run.told);
    run_search_records_fini(&run.earlier);
}

bool run_search_is_ended(const struct run_search *search)
{
    return search->missing == search->units;
}

void run_search_add_end(const struct run_search *search, bool ended, struct strbuf *out)
{
    char digest[DIGEST_SIZE];
    digest_of(search->question, digest);
    strbuf_printf(
        out, "\"search\":\"%s\",\"shard\":%u,\"shards\":%u,\"records\":%" PRIu64 ",\"ended\":%s",
        digest, search->shards ? search->shard : 1, search->shards ? search->shards : 1,
        search->record_count, ended ? "true" : "false");
}
