/* Units are sorted, so two records of one unit stand side by side. */
#include "run/run_search.h"

#include "run/run_search_records.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

struct merge {
    struct run_search_records records;
    struct diag diag;
    enum run_status status;
};

bool run_search_is_record_file(const char *path)
{
    SCOPED(arena) arena = {0};
    const char *why;
    char start[256] = "";
    struct stat status;
    const bool again = strcmp(path, "/dev/stdin") != 0 && stat(path, &status) == 0 &&
                       S_ISREG(status.st_mode); /* what is read twice */
    FILE *file = again ? source_open(&arena, path, &why) : NULL;
    size_t length = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file)
        fclose(file);
    start[length] = '\0';
    start[strcspn(start, "\n")] = '\0';
    return strncmp(start, "{\"schema\":1,\"search\":", 21) == 0;
}

/* Where nothing is open two records of a unit agree on the programs and states. */
static bool contradict(const json_t *a, const json_t *b)
{
    static const char *const counts[] = {"programs", "states", "undefined", "tests"};
    if (run_search_record_is_open(a) || run_search_record_is_open(b))
        return false;
    return ANY(i, sizeof counts / sizeof *counts,
               !json_equal(json_object_get(a, counts[i]), json_object_get(b, counts[i])) &&
                   (json_object_get(a, counts[i]) || json_object_get(b, counts[i])));
}

/* What a run does not want of a unit it leaves out, so the one that has more goes before. */
static bool says_more(const json_t *json, const json_t *than)
{
    bool open = run_search_record_is_open(json);
    if (open != run_search_record_is_open(than))
        return !open;
    return json_array_size(json_object_get(json, "found")) >
           json_array_size(json_object_get(than, "found"));
}

static const struct run_search_record *
better(struct merge *merge, const struct run_search_record *a, const struct run_search_record *b)
{
    json_t *left = run_search_record_json(a), *right = run_search_record_json(b);
    bool more = says_more(right, left);
    if (contradict(left, right)) {
        diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s' and '%s': what they say of unit %" PRIu64 " contradicts each other",
                   a->source, b->source, a->unit);
        run_status_raise(&merge->status, RUN_EXIT_DISAGREE);
    }
    json_decref(left);
    json_decref(right);
    return more ? b : a;
}

static void print(const struct run_search_record *record, struct strbuf *out)
{
    strbuf_add(out, record->line);
    strbuf_add_char(out, '\n');
}

/* Of a part's units as many have to be there as its last line counts. */
static void count_units(struct merge *merge, size_t first, const struct run_search_record *end)
{
    const struct run_search_record *items = merge->records.items.items;
    uint64_t found = 0;
    for (size_t i = 0; i < first; i++)
        found += items[i].unit % end->shards == end->shard - 1 &&
                 (i == 0 || items[i].unit != items[i - 1].unit);
    if (found < end->count)
        diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s': found records of %" PRIu64 " units of part %" PRIu64 " of %" PRIu64
                   ", expected %" PRIu64 ", as the last line of the part counts them; take it up "
                   "again with --resume, and merge what that was taken up from as well",
                   end->source, found, end->shard, end->shards, end->count);
}

/* The last lines: each part has to be there, and at its end. */
static void judge_parts(struct merge *merge, size_t first, struct strbuf *out)
{
    const struct run_search_record *items = merge->records.items.items;
    size_t count = merge->records.items.count;
    uint64_t shards = first < count ? items[first].shards : 1;
    for (size_t i = first; i < count; i++) {
        if (items[i].ended && (i == first || strcmp(items[i].line, items[i - 1].line) != 0))
            print(&items[i], out);
        if (items[i].shards != shards)
            diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                       "'%s': found a part of %" PRIu64 " beside one of %" PRIu64
                       ", expected parts of one division",
                       items[i].source, items[i].shards, shards);
        else if (items[i].ended)
            count_units(merge, first, &items[i]);
    }
    for (uint64_t shard = 1; shard <= shards && merge->diag.errors == 0; shard++) {
        bool ended = false;
        for (size_t i = first; i < count; i++)
            ended |= items[i].shard == shard && items[i].ended;
        if (!ended)
            diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                       "part %" PRIu64 " of %" PRIu64
                       " did not come to its end; take it up again with --resume, and merge again",
                       shard, shards);
    }
}

static void put_together(struct merge *merge, struct strbuf *out)
{
    const struct run_search_record *items = merge->records.items.items;
    size_t count = merge->records.items.count, next = 0;
    if (count && strcmp(items[0].search, items[count - 1].search) != 0) {
        diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                   "found records of two searches, '%s' in '%s' and '%s' in '%s'; merge them apart",
                   items[0].search, items[0].source, items[count - 1].search,
                   items[count - 1].source);
        return;
    }
    for (size_t i = 0; i < count && items[i].unit != UINT64_MAX; i = next) {
        const struct run_search_record *best = &items[i];
        for (next = i + 1; next < count && items[next].unit == items[i].unit; next++)
            best = better(merge, best, &items[next]);
        print(best, out);
    }
    judge_parts(merge, next, out);
}

enum run_status run_search_merge(const struct run_arguments *files, struct strbuf *out,
                                 struct strbuf *err)
{
    struct merge merge = {.status = RUN_EXIT_OK};
    bool readable = true;
    run_search_records_init(&merge.records);
    for (uint32_t i = 0; i < files->count; i++)
        readable &= run_search_records_read(&merge.records, files->items[i], &merge.diag);
    run_search_records_sort(&merge.records);
    if (readable)
        put_together(&merge, out);
    if (merge.diag.errors)
        run_status_raise(&merge.status, RUN_EXIT_INPUT);
    diag_render(&merge.diag, err);
    diag_fini(&merge.diag);
    run_search_records_fini(&merge.records);
    return merge.status;
}
