/* Pairs the records of two runs by their keys. Compares the verdict, each condition's, and the sets
 * that a record lists, but not time and memory. */
#include "run/run_merge.h"

#include "base/hash.h"
#include "run/run_await.h"
#include "run/run_record.h"
#include "litmus/lit_program.h"

#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

/* A record, as far as it is kept: the rest is read again where it is told. */
struct entry {
    uint64_t key[2];  /* digests of it */
    uint64_t content; /* run_record_digest */
    uint64_t offset;
    const char *line; /* of what cannot be read twice; else NULL */
    uint32_t number;
    bool expected, decides, fails, stands; /* the last: no later one has its key */
};

struct run {
    const char *path;
    struct arena arena;
    VEC(struct entry) items;
    uint32_t *slots;    /* numbers of entries by key, from 1; 0: free */
    uint32_t *contents; /* the same by content */
    size_t slot_count;
    const struct run *earlier; /* that is read; NULL: none */
    FILE *file;                /* to read again; NULL: it cannot be */
};

struct diff {
    struct run old, new;
    struct run_diff_teller teller;
    struct arena arena; /* of what is told at present */
    VEC(const char *) details;
    struct diag *diag;
    size_t failures; /* of the new run */
    const struct run_patterns *may_go;
    bool *used;  /* which of its patterns a test that is gone has */
    size_t lost; /* tests and model pairs that are gone, and may not */
};

/* Lists of a record: X(name in JSON, what one of it is called, is it there in full whatever was
 * asked?). */
#define DIFF_LISTS(X)                             \
    X(final_states, "final state", false)         \
    X(crash_states, "crash state", false)         \
    X(recovered_states, "recovered state", false) \
    X(undefined, "undefined behaviour", true)     \
    X(flags, "flag", true)

/* The members of a list, as text. */
struct member {
    char *text;
    UT_hash_handle hh;
};

static char *dump(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY);
    BASE_CHECK(text);
    return text;
}

static struct member *members_of(struct arena *arena, const json_t *list)
{
    struct member *members = NULL, *found;
    for (size_t i = 0; i < json_array_size(list); i++) {
        char *text = dump(json_array_get(list, i));
        HASH_FIND_STR(members, text, found);
        if (!found) {
            struct member *member = ARENA_NEW(arena, struct member);
            member->text = arena_strdup(arena, text);
            HASH_ADD_KEYPTR(hh, members, member->text, strlen(member->text), member);
        }
        base_free_foreign(text);
    }
    return members;
}

static void __attribute__((format(printf, 2, 3)))
add_detail(struct diff *diff, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    VEC_PUSH(&diff->details, arena_vprintf(&diff->arena, format, arguments));
    va_end(arguments);
}

enum { MOST_TOLD = 3 };

/* What one list has and the other lacks. */
static void tell_only(struct diff *diff, char sign, const char *what, const struct member *members,
                      const struct member *others)
{
    size_t count = 0;
    for (const struct member *member = members; member; member = member->hh.next) {
        const struct member *found;
        HASH_FIND_STR(others, member->text, found);
        if (!found && ++count <= MOST_TOLD)
            add_detail(diff, "%c %s %s", sign, what, member->text);
    }
    if (count > MOST_TOLD)
        add_detail(diff, "%c %zu more", sign, count - MOST_TOLD);
}

/* How many states a list or a product is of. */
static void add_count(const json_t *states, struct strbuf *out)
{
    const json_t *count = json_object_get(states, "count");
    if (json_is_string(count))
        strbuf_add(out, json_string_value(count));
    else if (count)
        strbuf_printf(out, "%lld", (long long)json_integer_value(count));
    else
        strbuf_printf(out, "%zu", json_array_size(states));
}

/* Where one of the two is no list. */
static void tell_products(struct diff *diff, const char *what, const json_t *before,
                          const json_t *after)
{
    SCOPED(strbuf) old = {0}, new = {0};
    const json_t *old_digest = json_object_get(before, "digest");
    const json_t *new_digest = json_object_get(after, "digest");
    add_count(before, &old);
    add_count(after, &new);
    if (strcmp(strbuf_text(&old), strbuf_text(&new)) != 0)
        add_detail(diff, "%ss: %s, were %s", what, strbuf_text(&new), strbuf_text(&old));
    else if (!old_digest || !new_digest)
        add_detail(diff, "%ss: as many as before, %s, in another form", what, strbuf_text(&new));
    else if (!json_equal(old_digest, new_digest))
        add_detail(diff, "%ss: as many as before, %s, but not the same", what, strbuf_text(&new));
}

static void tell_lists(struct diff *diff, const char *what, const json_t *before,
                       const json_t *after)
{
    SCOPED(arena) arena = {0};
    if (json_is_object(before) || json_is_object(after)) {
        tell_products(diff, what, before, after);
        return;
    }
    struct member *old = members_of(&arena, before), *new = members_of(&arena, after);
    tell_only(diff, '-', what, old, new);
    tell_only(diff, '+', what, new, old);
    HASH_CLEAR(hh, old);
    HASH_CLEAR(hh, new);
}

static void tell_conditions(struct diff *diff, const json_t *old, const json_t *new)
{
    const json_t *before = json_object_get(old, "conditions");
    const json_t *after = json_object_get(new, "conditions");
    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *a = json_array_get(before, i), *b = json_array_get(after, i);
        if (strcmp(run_record_text(a, "text"), run_record_text(b, "text")) != 0)
            add_detail(diff, "condition %zu is now %s", i + 1, run_record_text(b, "text"));
        else if (strcmp(run_record_text(a, "verdict"), run_record_text(b, "verdict")) != 0)
            add_detail(diff, "%s: %s, was %s", run_record_text(b, "text"),
                       run_record_text(b, "verdict"), run_record_text(a, "verdict"));
    }
}

static void tell_details(struct diff *diff, const struct run_record *old,
                         const struct run_record *new)
{
    json_t *before = run_record_json(old), *after = run_record_json(new);
    bool listed = !json_is_true(json_object_get(before, "decided")) &&
                  !json_is_true(json_object_get(after, "decided"));
    tell_conditions(diff, before, after);
#define X(name, what, always) \
    if (always || listed)     \
        tell_lists(diff, what, json_object_get(before, #name), json_object_get(after, #name));
    DIFF_LISTS(X)
#undef X
    json_decref(before);
    json_decref(after);
}

/* ---- What became of one ---- */

/* How large its test is. */
static uint64_t size_of(const struct run_record *record)
{
    json_t *json = run_record_json(record);
    uint64_t events = 0;
    (void)run_record_number(json_object_get(json, "stats"), "events", &events);
    json_decref(json);
    return events;
}

static void tell_fate(struct diff *diff, enum run_diff_fate fate, const struct run_record *record,
                      const struct run_record *was, bool fails, const char *what)
{
    const struct run_diff_change change = {.fate = fate,
                                           .fails = fails,
                                           .record = record,
                                           .was = was,
                                           .what = what,
                                           .details = diff->details.items,
                                           .detail_count = diff->details.count,
                                           .size = size_of(record)};
    run_diff_tell(&diff->teller, &change);
    VEC_CLEAR(&diff->details);
    arena_fini(&diff->arena);
    diff->arena = (struct arena){0};
}

static void tell_change(struct diff *diff, enum run_diff_fate fate, const struct run_record *old,
                        const struct run_record *new)
{
    SCOPED(strbuf) what = {0};
    strbuf_printf(&what, "%s, expected %s", new->verdict, new->expected);
    if (strcmp(old->verdict, new->verdict) != 0)
        strbuf_printf(&what, ", was %s", old->verdict);
    if (strcmp(old->expected, new->expected) != 0)
        strbuf_printf(&what, ", expected before %s", old->expected);
    tell_details(diff, old, new);
    tell_fate(diff, fate, new, old, fate == RUN_DIFF_REGRESSED, strbuf_text(&what));
}

/* ---- Runs ---- */

static void note(void *context, const struct run_record *record, const json_t *json)
{
    struct run *run = context;
    const size_t length = strlen(record->key);
    const struct source key = {.text = record->key, .length = length};
    const uint64_t first = source_digest(0, &key);
    const struct entry entry = {.key = {first, source_digest(~first, &key)},
                                .content = run_record_digest(record->line),
                                .offset = record->offset,
                                .line = run->file ? NULL : arena_strdup(&run->arena, record->line),
                                .number = record->number,
                                .expected = strcmp(record->verdict, record->expected) == 0,
                                .decides = run_record_decides(record),
                                .fails = run_record_is_failure(record),
                                .stands = true};
    (void)json;
    VEC_PUSH(&run->items, entry);
}

/* The place of the key, or a free one. */
static uint32_t *slot_of(const struct run *run, const struct entry *entry)
{
    size_t at = (size_t)entry->key[0] & (run->slot_count - 1);
    for (; run->slots[at]; at = (at + 1) & (run->slot_count - 1)) {
        const struct entry *other = &run->items.items[run->slots[at] - 1];
        if (other->key[0] == entry->key[0] && other->key[1] == entry->key[1])
            break;
    }
    return &run->slots[at];
}

static const struct entry *find(const struct run *run, const struct entry *entry)
{
    const uint32_t number = run->slot_count ? *slot_of(run, entry) : 0;
    return number ? &run->items.items[number - 1] : NULL;
}

static uint32_t *slot_of_content(const struct run *run, uint64_t content)
{
    size_t at = (size_t)content & (run->slot_count - 1);
    while (run->contents[at] && run->items.items[run->contents[at] - 1].content != content)
        at = (at + 1) & (run->slot_count - 1);
    return &run->contents[at];
}

/* Most of a run is as it was, and was looked at there: key and verdicts are of the content. */
static bool is_known(void *context, const char *line, uint64_t offset, uint32_t number)
{
    struct run *run = context;
    const struct run *earlier = run->earlier;
    if (!earlier || !earlier->slot_count)
        return false;
    const uint32_t same = *slot_of_content(earlier, run_record_digest(line));
    if (!same)
        return false;
    struct entry entry = earlier->items.items[same - 1];
    entry.offset = offset;
    entry.number = number;
    entry.line = run->file ? NULL : arena_strdup(&run->arena, line);
    entry.stands = true;
    VEC_PUSH(&run->items, entry);
    return true;
}

/* Of records with one key the last stands. */
static void sort_out(struct run *run)
{
    const size_t count = run->items.count;
    if (count == 0)
        return;
    for (run->slot_count = 16; run->slot_count < 2 * count;)
        run->slot_count *= 2;
    run->slots = ARENA_ARRAY(&run->arena, uint32_t, run->slot_count);
    run->contents = ARENA_ARRAY(&run->arena, uint32_t, run->slot_count);
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = slot_of(run, &run->items.items[i]);
        if (*slot)
            run->items.items[*slot - 1].stands = false;
        *slot = (uint32_t)i + 1;
        *slot_of_content(run, run->items.items[i].content) = (uint32_t)i + 1;
    }
}

/* A pipe is read but once. */
static FILE *open_again(struct arena *arena, const char *path)
{
    struct stat status;
    const char *why;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? run_await_open(arena, path, &why)
                                                               : NULL;
}

/* Whether another record has the answer that a cut-off line began to give tell the whole records. */
static void refuse_cuts(const struct run *run, const struct run_records *read, struct diag *diag)
{
    SCOPED(diag) told = {0};
    struct run_records whole;
    if (read->cuts.count == 0)
        return;
    run_records_init(&whole);
    if (run->file)
        (void)!run_records_read(&whole, run->path, &told);
    run_records_refuse_cuts(run->file ? &whole : read, false, diag);
    run_records_fini(&whole);
}

/* A run of which there is nothing, or not all, is not compared with another without a word. */
static bool read_run(struct run *run, const char *path, struct diag *diag)
{
    struct run_records records;
    run_records_init(&records);
    run->path = path;
    run->file = open_again(&run->arena, path);
    records.is_known = is_known;
    records.visit = note;
    records.context = run;
    bool readable = run_records_read(&records, path, diag);
    if (readable && run->items.count == 0 && records.cuts.count == 0)
        run_records_refuse_empty(path, diag);
    refuse_cuts(run, &records, diag);
    run_records_fini(&records);
    sort_out(run);
    return readable && diag->errors == 0;
}

static void run_fini(struct run *run)
{
    if (run->file)
        fclose(run->file);
    VEC_FREE(&run->items);
    arena_fini(&run->arena);
}

/* ---- Comparing ---- */

/* The whole record, in the arena. False, with a fault, when the file has become another one. */
static bool load(struct diff *diff, const struct run *run, const struct entry *entry,
                 struct arena *arena, struct run_record *record)
{
    SCOPED(strbuf) line = {0};
    *record = (struct run_record){.source = run->path, .number = entry->number};
    if (entry->line)
        strbuf_add(&line, entry->line);
    else if (fseeko(run->file, (off_t)entry->offset, SEEK_SET) == 0)
        (void)run_record_line(run->file, &line);
    if (line.length && line.text[line.length - 1] == '\n')
        line.text[--line.length] = '\0';
    json_t *json = run_record_read(arena, strbuf_text(&line), record);
    bool same = json && run_record_digest(strbuf_text(&line)) == entry->content;
    json_decref(json);
    record->line = arena_strdup(arena, strbuf_text(&line));
    if (!same)
        diag_error(diff->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s', line %u: found another record than before; the file is being written",
                   run->path, entry->number);
    return same;
}

static enum run_diff_fate fate_of(const struct entry *old, const struct entry *new)
{
    if (old->expected != new->expected)
        return new->expected ? RUN_DIFF_MENDED : RUN_DIFF_REGRESSED;
    if (old->decides && !new->decides)
        return RUN_DIFF_REGRESSED;
    return old->content == new->content ? RUN_DIFF_SAME : RUN_DIFF_CHANGED;
}

static void compare(struct diff *diff, const struct entry *old, const struct entry *new)
{
    enum run_diff_fate fate = fate_of(old, new);
    struct run_record before, after;
    SCOPED(arena) arena = {0};
    if (fate != RUN_DIFF_SAME && (!load(diff, &diff->old, old, &arena, &before) ||
                                  !load(diff, &diff->new, new, &arena, &after)))
        return;
    if (fate == RUN_DIFF_CHANGED &&
        run_record_same(&before, &after)) /* but for how it is written */
        fate = RUN_DIFF_SAME;
    if (fate == RUN_DIFF_SAME)
        diff->teller.counts[fate]++;
    else
        tell_change(diff, fate, &before, &after);
}

static bool may_be_gone(struct diff *diff, const char *file)
{
    bool may_go = false;
    for (uint32_t i = 0; i < diff->may_go->count; i++) {
        const bool has =
            run_patterns_match(&(struct run_patterns){&diff->may_go->items[i], 1}, file);
        diff->used[i] |= has;
        may_go |= has;
    }
    return may_go;
}

static void tell_alone(struct diff *diff, enum run_diff_fate fate, const struct run *run,
                       const struct entry *entry)
{
    struct run_record record;
    SCOPED(arena) arena = {0};
    if (!load(diff, run, entry, &arena, &record))
        return;
    SCOPED(strbuf) what = {0};
    bool may_go = fate == RUN_DIFF_GONE && may_be_gone(diff, record.file);
    diff->lost += fate == RUN_DIFF_GONE && !may_go;
    strbuf_printf(&what, "%s%s", record.verdict, may_go ? ", as it may be" : "");
    tell_fate(diff, fate, &record, NULL, fate == RUN_DIFF_GONE && !may_go, strbuf_text(&what));
}

static void compare_all(struct diff *diff)
{
    EACH_IN (const struct entry, new, diff->new.items) {
        const struct entry *old = find(&diff->old, new);
        if (!new->stands)
            continue;
        diff->failures += new->fails;
        if (old)
            compare(diff, old, new);
        else
            tell_alone(diff, RUN_DIFF_NEW, &diff->new, new);
    }
    EACH_IN (const struct entry, old, diff->old.items)
        if (old->stands && !find(&diff->new, old))
            tell_alone(diff, RUN_DIFF_GONE, &diff->old, old);
}

static void warn_of_unused(const struct diff *diff, struct strbuf *err)
{
    SCOPED(diag) diag = {0};
    for (uint32_t i = 0; i < diff->may_go->count; i++)
        if (!diff->used[i])
            diag_warning(
                &diag, DIAG_CLI_NO_TESTS, NOWHERE,
                "--gone '%s': no test that is gone has this pattern, so it changes nothing",
                diff->may_go->items[i]);
    diag_render(&diag, err);
}

enum run_status run_diff(const char *old, const char *new, const struct run_patterns *may_go,
                         enum run_diff_format format, struct strbuf *out, struct strbuf *err)
{
    SCOPED(diag) diag = {0};
    SCOPED(strbuf) faults = {0};
    SCOPED(arena) arena = {0};
    struct diff diff = {.teller = {.format = format, .out = out}, .may_go = may_go, .diag = &diag};
    diff.new.earlier = &diff.old;
    diff.used = ARENA_ARRAY(&arena, bool, may_go->count);
    bool readable = read_run(&diff.old, old, &diag);
    readable &= read_run(&diff.new, new, &diag);
    compare_all(&diff);
    const bool regressed = diff.teller.counts[RUN_DIFF_REGRESSED] || diff.lost;
    diag_render(&diag, &faults);
    strbuf_add(err, strbuf_text(&faults));
    if (readable)
        warn_of_unused(&diff, err);
    if (diff.failures)
        strbuf_printf(&faults, "%zu records of the new run are of no answer\n", diff.failures);
    run_diff_tell_end(&diff.teller, strbuf_text(&faults));
    run_fini(&diff.old);
    run_fini(&diff.new);
    VEC_FREE(&diff.details);
    if (!readable || diff.failures || diag.errors)
        return RUN_EXIT_INPUT;
    return regressed ? RUN_EXIT_DIFFERS : RUN_EXIT_OK;
}
