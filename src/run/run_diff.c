/* Pairs the records of two runs by their keys. Compares the verdict, each condition's, and the sets
 * that a record lists, but not time and memory. */
#include "run/run_merge.h"

#include "base/hash.h"
#include "base/table.h"
#include "base/utf8.h"
#include "run/run_record.h"
#include "litmus/lit_program.h"
#include "report/report.h"

#include <jansson.h>
#include <string.h>

/* How a test and model pair fared: X(identifier, word). */
#define DIFF_FATES(X)         \
    X(SAME, "same")           \
    X(CHANGED, "changed")     \
    X(MENDED, "mended")       \
    X(REGRESSED, "regressed") \
    X(GONE, "gone")           \
    X(NEW, "new")

enum diff_fate {
#define X(identifier, word) DIFF_##identifier,
    DIFF_FATES(X)
#undef X
        DIFF_FATE_COUNT
};

static const char *const words[] = {DIFF_FATES(TABLE_SECOND)};

struct diff {
    struct run_records old, new;
    struct strbuf *out;
    size_t counts[DIFF_FATE_COUNT];
    size_t failures; /* of the new run */
    const struct run_patterns *may_go;
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

static bool is_expected(const struct run_record *record)
{
    return strcmp(record->verdict, record->expected) == 0;
}

static enum diff_fate fate_of(const struct run_record *old, const struct run_record *new)
{
    if (is_expected(old) != is_expected(new))
        return is_expected(new) ? DIFF_MENDED : DIFF_REGRESSED;
    if (run_record_decides(old) && !run_record_decides(new))
        return DIFF_REGRESSED;
    return run_record_same(old, new) ? DIFF_SAME : DIFF_CHANGED;
}

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

enum { MOST_TOLD = 3 };

/* What one list has and the other lacks. */
static void tell_only(const struct diff *diff, char sign, const char *what,
                      const struct member *members, const struct member *others)
{
    size_t count = 0;
    for (const struct member *member = members; member; member = member->hh.next) {
        const struct member *found;
        HASH_FIND_STR(others, member->text, found);
        if (!found && ++count <= MOST_TOLD)
            strbuf_printf(diff->out, "  %c %s %s\n", sign, what, member->text);
    }
    if (count > MOST_TOLD)
        strbuf_printf(diff->out, "  %c %zu more\n", sign, count - MOST_TOLD);
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
static void tell_products(const struct diff *diff, const char *what, const json_t *before,
                          const json_t *after)
{
    SCOPED(strbuf) old = {0}, new = {0};
    const json_t *old_digest = json_object_get(before, "digest");
    const json_t *new_digest = json_object_get(after, "digest");
    add_count(before, &old);
    add_count(after, &new);
    if (strcmp(strbuf_text(&old), strbuf_text(&new)) != 0)
        strbuf_printf(diff->out, "  %ss: %s, were %s\n", what, strbuf_text(&new),
                      strbuf_text(&old));
    else if (!old_digest || !new_digest)
        strbuf_printf(diff->out, "  %ss: as many as before, %s, in another form\n", what,
                      strbuf_text(&new));
    else if (!json_equal(old_digest, new_digest))
        strbuf_printf(diff->out, "  %ss: as many as before, %s, but not the same\n", what,
                      strbuf_text(&new));
}

static void tell_lists(const struct diff *diff, const char *what, const json_t *before,
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

static void tell_conditions(const struct diff *diff, const json_t *old, const json_t *new)
{
    const json_t *before = json_object_get(old, "conditions");
    const json_t *after = json_object_get(new, "conditions");
    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *a = json_array_get(before, i), *b = json_array_get(after, i);
        if (strcmp(run_record_text(a, "text"), run_record_text(b, "text")) != 0)
            strbuf_printf(diff->out, "  condition %zu is now %s\n", i + 1,
                          run_record_text(b, "text"));
        else if (strcmp(run_record_text(a, "verdict"), run_record_text(b, "verdict")) != 0)
            strbuf_printf(diff->out, "  %s: %s, was %s\n", run_record_text(b, "text"),
                          run_record_text(b, "verdict"), run_record_text(a, "verdict"));
    }
}

static void tell_details(const struct diff *diff, const struct run_record *old,
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

static void tell_fate(struct diff *diff, enum diff_fate fate, const struct run_record *record,
                      const char *what)
{
    diff->counts[fate]++;
    if (fate == DIFF_SAME)
        return;
    strbuf_printf(diff->out, "%-9s ", words[fate]);
    utf8_add_name(diff->out, record->file);
    if (*record->model) {
        strbuf_add(diff->out, " under ");
        report_pair(record->model, record->persistency, diff->out);
    }
    if (*record->engine)
        strbuf_printf(diff->out, " by %s", record->engine);
    strbuf_printf(diff->out, ": %s\n", what);
}

static void compare(struct diff *diff, const struct run_record *old, const struct run_record *new)
{
    enum diff_fate fate = fate_of(old, new);
    SCOPED(strbuf) what = {0};
    strbuf_printf(&what, "%s, expected %s", new->verdict, new->expected);
    if (strcmp(old->verdict, new->verdict) != 0)
        strbuf_printf(&what, ", was %s", old->verdict);
    if (strcmp(old->expected, new->expected) != 0)
        strbuf_printf(&what, ", expected before %s", old->expected);
    tell_fate(diff, fate, new, strbuf_text(&what));
    if (fate != DIFF_SAME)
        tell_details(diff, old, new);
}

/* Of records with one key the last stands. */
static bool stands(const struct run_records *records, const struct run_record *record)
{
    return run_records_find(records, record->key) == record;
}

static void lose(struct diff *diff, const struct run_record *old)
{
    SCOPED(strbuf) what = {0};
    bool may_go = run_patterns_match(diff->may_go, old->file);
    diff->lost += !may_go;
    strbuf_printf(&what, "%s%s", old->verdict, may_go ? ", as it may be" : "");
    tell_fate(diff, DIFF_GONE, old, strbuf_text(&what));
}

static void compare_all(struct diff *diff)
{
    EACH_IN (const struct run_record, new, diff->new.items) {
        const struct run_record *old = run_records_find(&diff->old, new->key);
        if (!stands(&diff->new, new))
            continue;
        diff->failures += run_record_is_failure(new);
        if (old)
            compare(diff, old, new);
        else
            tell_fate(diff, DIFF_NEW, new, new->verdict);
    }
    EACH_IN (const struct run_record, old, diff->old.items)
        if (stands(&diff->old, old) && !run_records_find(&diff->new, old->key))
            lose(diff, old);
}

/* A run of which there is nothing, or not all, is not compared with another without a word. */
static bool read_run(struct run_records *records, const char *path, struct diag *diag)
{
    bool readable = run_records_read(records, path, diag);
    if (readable && records->items.count == 0 && records->cuts.count == 0)
        run_records_refuse_empty(path, diag);
    run_records_refuse_cuts(records, false, diag);
    return readable && diag->errors == 0;
}

enum run_status run_diff(const char *old, const char *new, const struct run_patterns *may_go,
                         struct strbuf *out, struct strbuf *err)
{
    struct diff diff = {.out = out, .may_go = may_go};
    SCOPED(diag) diag = {0};
    run_records_init(&diff.old);
    run_records_init(&diff.new);
    bool readable = read_run(&diff.old, old, &diag);
    readable &= read_run(&diff.new, new, &diag);
    compare_all(&diff);
    strbuf_add(out, "Summary:");
    for (size_t fate = 0; fate < DIFF_FATE_COUNT; fate++)
        strbuf_printf(out, "%s %zu %s", fate ? "," : "", diff.counts[fate], words[fate]);
    strbuf_add_char(out, '\n');
    diag_render(&diag, err);
    run_records_fini(&diff.old);
    run_records_fini(&diff.new);
    if (!readable || diff.failures)
        return RUN_EXIT_INPUT;
    return diff.counts[DIFF_REGRESSED] || diff.lost ? RUN_EXIT_DIFFERS : RUN_EXIT_OK;
}
