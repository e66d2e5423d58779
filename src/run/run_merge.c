#include "run/run_merge.h"

#include "base/build.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "run/run_inputs.h"
#include "run/run_known.h"
#include "run/run_record.h"
#include "run/run_reports.h"
#include "run/run_retell.h"
#include "run/run_search.h"
#include "run/run_wanted.h"
#include "litmus/lit_program.h"
#include "document/report_json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A test of the manifest; or, without one, a file that has records. */
struct place {
    const char *path; /* that the manifest names it by */
    const char *file; /* utf8_name of that */
    size_t rank;
    bool answered;
    const char *digest; /* of its text as it is now; NULL: nobody asked, or no manifest */
    const struct run_record *first; /* that answers and is of the text */
    bool told;                      /* that there are answers to two texts */
    UT_hash_handle hh;
};

/* A model pair, or a machine and what it was asked: all answers are to be of the same texts. */
struct under {
    const char *name;
    const struct run_record *first;
    const char *digest; /* of those of the first; NULL: unknown */
    bool told;
    UT_hash_handle hh;
};

/* A file that has records and is not in the manifest. */
struct stranger {
    const struct run_record *first;
    size_t records;
    UT_hash_handle hh;
};

enum { MOST_TOLD = 20 }; /* of missing and of strange files each */

struct merge {
    struct run_records records;
    struct diag diag;
    struct place *places;       /* by file */
    struct stranger *strangers; /* by file */
    struct under *texts;        /* by their names */
    VEC(const struct run_record *) stale;
    bool has_manifest;
    enum run_status status;
    struct run_records known;
};

static struct place *place_of(const struct merge *merge, const char *file)
{
    struct place *place;
    HASH_FIND_STR(merge->places, file, place);
    return place;
}

static void add_place(struct merge *merge, const char *path, const char *file)
{
    if (place_of(merge, file))
        return;
    struct place *place = ARENA_NEW(&merge->records.arena, struct place);
    place->path = path;
    place->file = file;
    place->rank = HASH_COUNT(merge->places);
    HASH_ADD_KEYPTR(hh, merge->places, place->file, strlen(place->file), place);
}

static void place_by_name(struct merge *merge)
{
    size_t count = merge->records.items.count;
    const char **files = ARENA_ARRAY(&merge->records.arena, const char *, count);
    for (size_t i = 0; i < count; i++)
        files[i] = merge->records.items.items[i].file;
    if (count)
        qsort(files, count, sizeof *files, text_order);
    for (size_t i = 0; i < count; i++)
        add_place(merge, files[i], files[i]);
}

static void place_by_manifest(struct merge *merge, const char *manifest,
                              const struct run_choice *choice, const struct reach *reach)
{
    const struct run_arguments whole = {.items = &manifest, .count = 1, .choice = *choice};
    struct run_inputs inputs = run_inputs_find(&merge->records.arena, &whole, reach, &merge->diag);
    for (size_t i = 0; i < inputs.count; i++)
        add_place(merge, inputs.paths[i], utf8_name(&merge->records.arena, inputs.paths[i]));
}

/* ---- Which record of a key stands ---- */

static void contradict(struct merge *merge, const struct run_record *a, const struct run_record *b)
{
    diag_error(&merge->diag, DIAG_CLI_CONTRADICTION, NOWHERE,
               "'%s', line %u and '%s', line %u: found two answers for %s under %s + %s by %s, "
               "expected the same",
               a->source, a->number, b->source, b->number, a->file, a->model, a->persistency,
               a->engine);
    run_status_raise(&merge->status, RUN_EXIT_DISAGREE);
}

struct chosen {
    const struct run_record *record;
    size_t rank, first; /* of the test; of the first record of the key */
    const char *key;
    UT_hash_handle hh;
};

static bool same_text(const json_t *a, const json_t *b, const char *name)
{
    return strcmp(run_record_text(a, name), run_record_text(b, name)) == 0;
}

/* That a condition holds of nothing is an answer as well, whether its author means it or not; ""
 * when there is none. */
static const char *answer_of(const json_t *json)
{
    if (json_is_true(json_object_get(json, "of_nothing")))
        return "of nothing";
    return run_verdict_decides(run_record_text(json, "verdict")) ? run_record_text(json, "verdict")
                                                                 : "";
}

static bool decided_apart(const json_t *a, const json_t *b)
{
    const char *left = answer_of(a), *right = answer_of(b);
    return *left && *right && strcmp(left, right) != 0;
}

static const char *const lists[] = {"final_states", "crash_states", "recovered_states"};
enum { LISTS = sizeof lists / sizeof *lists };

/* All states are listed, and nothing was left out. */
static bool is_complete(const json_t *json)
{
    return run_verdict_decides(run_record_text(json, "verdict")) &&
           !json_object_get(json, "decided") && !json_object_get(json, "doubt");
}

static bool ask_the_same(const json_t *a, const json_t *b)
{
    const json_t *left = json_object_get(a, "conditions"),
                 *right = json_object_get(b, "conditions");
    return same_text(a, b, "crash") && json_array_size(left) == json_array_size(right) &&
           ALL(i, json_array_size(left),
               same_text(json_array_get(left, i), json_array_get(right, i), "kind") &&
                   same_text(json_array_get(left, i), json_array_get(right, i), "text"));
}

/* How many states there are: of a list, or in product form, which may be more than a number of JSON
 * can be. */
static size_t states_in(const json_t *states)
{
    const json_t *count = json_object_get(states, "count");
    return json_is_string(count) ? SIZE_MAX
           : count               ? (size_t)json_integer_value(count)
                                 : json_array_size(states);
}

/* Boxes may be others where the set is one, so the digest tells; a list has none, and its number
 * has to do beside a product. */
static bool are_other_states(const json_t *a, const json_t *b)
{
    bool is_product = json_is_object(a);
    if (is_product != json_is_object(b))
        return states_in(a) != states_in(b);
    return is_product ? states_in(a) != states_in(b) || !same_text(a, b, "digest")
                      : !json_equal(a, b);
}

static bool list_apart(const json_t *a, const json_t *b)
{
    return is_complete(a) && is_complete(b) && ask_the_same(a, b) &&
           ANY(i, LISTS,
               are_other_states(json_object_get(a, lists[i]), json_object_get(b, lists[i])));
}

/* Does some verdict of one, of the test or of a condition, deny the other's, or do they list
 * different states? What one of them does not know, or did not list, denies nothing. */
static bool contradicts(const json_t *a, const json_t *b)
{
    const json_t *left, *right;
    size_t i, k;
    bool found = decided_apart(a, b) || list_apart(a, b);
    json_array_foreach (json_object_get(a, "conditions"), i, left)
        json_array_foreach (json_object_get(b, "conditions"), k, right)
            found |= same_text(left, right, "kind") && same_text(left, right, "text") &&
                     decided_apart(left, right);
    return found;
}

/* How much a record says; what comes first weighs more. */
struct content {
    bool decides;
    size_t decided; /* conditions */
    bool is_listing;
    size_t states;
};

static void add_states(struct content *content, size_t count)
{
    content->states = count > SIZE_MAX - content->states ? SIZE_MAX : content->states + count;
}

static struct content content_of(const json_t *json)
{
    struct content content = {.decides = run_verdict_decides(run_record_text(json, "verdict")),
                              .is_listing = !json_object_get(json, "decided")};
    const json_t *condition;
    size_t i;
    json_array_foreach (json_object_get(json, "conditions"), i, condition)
        content.decided += run_verdict_decides(run_record_text(condition, "verdict"));
    for (i = 0; i < LISTS; i++)
        add_states(&content, states_in(json_object_get(json, lists[i])));
    return content;
}

static bool says_more(const json_t *json, const json_t *than)
{
    struct content a = content_of(json), b = content_of(than);
    if (a.decides != b.decides)
        return a.decides;
    if (a.decided != b.decided)
        return a.decided > b.decided;
    return a.is_listing != b.is_listing ? a.is_listing : a.states > b.states;
}

/* Of records that say as much the first stands. */
static void choose(struct merge *merge, struct chosen *chosen, const struct run_record *record)
{
    json_t *old = run_record_json(chosen->record), *new = run_record_json(record);
    if (contradicts(old, new))
        contradict(merge, chosen->record, record);
    else if (says_more(new, old))
        chosen->record = record;
    json_decref(old);
    json_decref(new);
}

/* ---- Whether it is of the text that is there ---- */

static const char *digest_of(struct merge *merge, struct place *place)
{
    const char *why;
    char digits[REPORT_DIGEST_SIZE] = "";
    SCOPED(arena) arena = {0};
    if (place->digest)
        return place->digest;
    const struct source *source = source_load(&arena, place->path, &why);
    if (source)
        report_digest(source_digest(0, source), digits);
    else
        diag_error(&merge->diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", place->path, why);
    place->digest = arena_strdup(&merge->records.arena, digits);
    return place->digest;
}

/* What a mapping made has another text than its file, and a failure answers nothing. */
static bool is_stale(struct merge *merge, struct place *place, const struct run_record *record)
{
    if (!merge->has_manifest || record->is_mapped || run_record_is_failure(record))
        return false;
    return !record->text_digest || strcmp(record->text_digest, digest_of(merge, place)) != 0;
}

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

/* Without a manifest nobody knows which of two texts is there. */
static bool is_of_one_text(struct merge *merge, struct place *place,
                           const struct run_record *record)
{
    if (run_record_is_failure(record))
        return true;
    if (!place->first)
        place->first = record;
    if (is_same_text(record->text_digest, place->first->text_digest))
        return true;
    if (!place->told)
        diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                   "'%s', line %u and '%s', line %u: found answers to two texts of %s, expected "
                   "one; with --manifest those to the text that is there stand",
                   place->first->source, place->first->number, record->source, record->number,
                   record->file);
    place->told = true;
    return false;
}

static bool has_one_text(struct merge *merge, const struct run_record *record, const char *name,
                         const char *digest, const char *what)
{
    struct under *under;
    HASH_FIND_STR(merge->texts, name, under);
    if (!under) {
        under = ARENA_MAKE(&merge->records.arena, struct under, name, record, digest, false, {0});
        HASH_ADD_KEYPTR(hh, merge->texts, under->name, strlen(under->name), under);
    }
    if (is_same_text(digest, under->digest))
        return true;
    if (!under->told)
        diag_error(&merge->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s', line %u and '%s', line %u: found answers under two texts of %s, or "
                   "with other variants, expected one; check again what is under the older, and "
                   "leave its records out",
                   under->first->source, under->first->number, record->source, record->number,
                   what);
    under->told = true;
    return false;
}

/* Its digest counts options, too, so answers that were asked the same are compared. */
static bool has_one_machine(struct merge *merge, const struct run_record *record)
{
    struct arena *arena = &merge->records.arena;
    json_t *json = run_record_json(record);
    const char *machine = json_string_value(json_object_get(json, "machine"));
    bool one = !machine || !record->asked;
    if (!one) {
        const char *digest = run_record_text(json, "question_digest");
        one =
            has_one_text(merge, record,
                         arena_printf(arena, "%s\n%s\n%s", record->engine, machine, record->asked),
                         *digest ? arena_strdup(arena, digest) : NULL,
                         arena_printf(arena, "the machine %s", machine));
    }
    json_decref(json);
    return one;
}

static bool is_under_one_text(struct merge *merge, const struct run_record *record)
{
    struct arena *arena = &merge->records.arena;
    return run_record_is_failure(record) ||
           (has_one_text(merge, record,
                         arena_printf(arena, "%s\n%s", record->model, record->persistency),
                         record->model_digest,
                         arena_printf(arena, "%s + %s", record->model, record->persistency)) &&
            has_one_machine(merge, record));
}

/* An answer to another text does no harm where one to this text is. */
static void refuse_stale(struct merge *merge, const struct chosen *all)
{
    size_t told = 0;
    for (size_t i = 0; i < merge->stale.count; i++) {
        const struct run_record *record = merge->stale.items[i];
        const struct chosen *chosen;
        HASH_FIND_STR(all, record->key, chosen);
        if (!chosen && ++told <= MOST_TOLD)
            diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                       "'%s', line %u: found an answer to %s text of %s, expected one to the text "
                       "that is there; check it again, and merge again",
                       record->source, record->number, record->text_digest ? "another" : "some",
                       record->file);
    }
    if (told > MOST_TOLD)
        diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                   "found %zu further answers to other texts", told - MOST_TOLD);
}

static int order_chosen(const struct chosen *a, const struct chosen *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static void note_stranger(struct merge *merge, const struct run_record *record)
{
    struct stranger *stranger;
    HASH_FIND_STR(merge->strangers, record->file, stranger);
    if (!stranger) {
        stranger = ARENA_NEW(&merge->records.arena, struct stranger);
        stranger->first = record;
        HASH_ADD_KEYPTR(hh, merge->strangers, record->file, strlen(record->file), stranger);
    }
    stranger->records++;
}

static struct chosen *choose_all(struct merge *merge)
{
    struct chosen *all = NULL, *chosen;
    for (size_t i = 0; i < merge->records.items.count; i++) {
        const struct run_record *record = &merge->records.items.items[i];
        struct place *place = place_of(merge, record->file);
        if (!place) {
            note_stranger(merge, record);
            continue;
        }
        place->answered = true;
        if (is_stale(merge, place, record)) {
            VEC_PUSH(&merge->stale, record);
            continue;
        }
        if (!is_of_one_text(merge, place, record) || !is_under_one_text(merge, record))
            continue;
        HASH_FIND_STR(all, record->key, chosen);
        if (chosen) {
            choose(merge, chosen, record);
            continue;
        }
        chosen = ARENA_MAKE(&merge->records.arena, struct chosen, record, place->rank, i,
                            record->key, {0});
        HASH_ADD_KEYPTR(hh, all, chosen->key, strlen(chosen->key), chosen);
    }
    HASH_SORT(all, order_chosen);
    return all;
}

static bool is_of_pair(const struct run_record *record, const struct run_record *pair)
{
    return strcmp(record->model, pair->model) == 0 &&
           strcmp(record->persistency, pair->persistency) == 0;
}

/* Does a record of the same test have the place of a failure? That of a file yields to any, that of
 * a model pair to an engine's of that pair. */
static bool replaces(const struct chosen *other, const struct chosen *failure)
{
    const struct run_record *record = failure->record;
    return record->model[0] == '\0' ||
           (!run_record_is_failure(other->record) && is_of_pair(other->record, record));
}

/* A failure counts only where nobody did better. Records of one test stand together. */
static bool is_superseded(const struct chosen *chosen)
{
    bool found = false;
    if (!run_record_is_failure(chosen->record))
        return false;
    for (const struct chosen *other = chosen->hh.prev;
         other && other->rank == chosen->rank && !found; other = other->hh.prev)
        found = replaces(other, chosen);
    for (const struct chosen *other = chosen->hh.next;
         other && other->rank == chosen->rank && !found; other = other->hh.next)
        found = replaces(other, chosen);
    return found;
}

static void refuse_stranger(struct merge *merge, const struct stranger *stranger)
{
    const struct run_record *first = stranger->first;
    const char *of =
        stranger->records == 1
            ? ""
            : arena_printf(&merge->records.arena, " (the first of %zu)", stranger->records);
    diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
               "'%s', line %u: found an answer for %s%s, which the manifest does not name",
               first->source, first->number, first->file, of);
}

static void refuse_strangers(struct merge *merge)
{
    size_t told = 0, count = HASH_COUNT(merge->strangers);
    for (const struct stranger *stranger = merge->strangers; stranger && told < MOST_TOLD;
         stranger = stranger->hh.next, told++)
        refuse_stranger(merge, stranger);
    if (count > told)
        diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                   "found answers for %zu further files, which the manifest does not name",
                   count - told);
}

struct demand {
    struct merge *merge;
    size_t missing;
};

static void miss_answer(void *context, const char *file, const char *model, const char *persistency,
                        const char *engine)
{
    struct demand *demand = context;
    if (++demand->missing <= MOST_TOLD)
        diag_error(&demand->merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                   "no answer for %s under %s + %s by %s, which the run asks for; check it, and "
                   "merge again",
                   file, model, persistency, engine);
}

static void miss_test(struct demand *demand, const char *file)
{
    if (++demand->missing <= MOST_TOLD)
        diag_error(&demand->merge->diag, DIAG_CLI_MANIFEST, NOWHERE,
                   "no answer for %s, which the manifest names; check it, and merge again", file);
}

static void ignore_answer(void *context, const char *file, const char *model,
                          const char *persistency, const char *engine)
{
    (void)context, (void)file, (void)model, (void)persistency, (void)engine;
}

/* Of a test without any record that is said; of others each answer that is lacking. One that was
 * asked nothing, such as by a machine that it expects nothing of, owes nothing. */
static void demand_all(struct merge *merge, const struct reach *reach, struct strbuf *err)
{
    struct demand demand = {merge, 0};
    SCOPED(run_wanted) wanted;
    run_wanted_init(&wanted, &merge->records, reach, &merge->diag);
    for (const struct place *place = merge->places; place; place = place->hh.next) {
        bool readable;
        size_t owed = run_wanted_each_missing(&wanted, place->path,
                                              place->answered ? miss_answer : ignore_answer,
                                              &demand, err, &readable);
        if (!place->answered && (owed || !readable || wanted.asked.count == 0))
            miss_test(&demand, place->file);
        if (!readable)
            run_status_raise(&merge->status, RUN_EXIT_INPUT);
    }
    if (demand.missing > MOST_TOLD)
        diag_error(&merge->diag, DIAG_CLI_MANIFEST, NOWHERE, "no answer for %zu further questions",
                   demand.missing - MOST_TOLD);
}

/* Without a manifest nobody knows what there should be, but not nothing. */
static void refuse_nothing(struct merge *merge, const struct run_arguments *files)
{
    if (merge->records.items.count || merge->diag.errors)
        return;
    for (uint32_t i = 0; i < files->count; i++)
        run_records_refuse_empty(files->items[i], &merge->diag);
}

/* A word of another writer could be more than a version. */
static bool is_version(const char *text)
{
    enum { LONGEST = 64 };
    const size_t length = strlen(text);
    return length && length < LONGEST &&
           strspn(text, "0123456789.+abcdefghijklmnopqrstuvwxyz-") == length;
}

/* The version that answered; of several all, as long as they are few. */
static const char *version_of(struct merge *merge, const struct chosen *all)
{
    enum { FEW = 4 };
    const char *seen[FEW + 1] = {base_version};
    size_t count = 0;
    for (const struct chosen *chosen = all; chosen && count <= FEW; chosen = chosen->hh.next) {
        json_t *json = run_record_json(chosen->record);
        const char *version = run_record_text(json, "version");
        if (is_version(version) && !ANY(i, count, strcmp(seen[i], version) == 0)) {
            seen[count] = count < FEW ? arena_strdup(&merge->records.arena, version) : "...";
            count++;
        }
        json_decref(json);
    }
    return arena_list(&merge->records.arena, seen, count ? count : 1);
}

static void retell(struct merge *merge, const struct run_plan *plan, const struct chosen *all,
                   struct run_output *out, struct strbuf *err)
{
    struct run_retell retell;
    struct run_report written[RUN_MAX_REPORTS];
    struct run_plan versioned;
    run_reports_of_many(plan, SIZE_MAX, written, &versioned); /* which has what records have */
    versioned.version = version_of(merge, all);
    if (!run_retell_begin(&retell, &versioned, out, &merge->diag)) {
        run_status_raise(&merge->status, RUN_EXIT_INPUT);
        return;
    }
    for (const struct chosen *chosen = all; chosen; chosen = chosen->hh.next) {
        if (is_superseded(chosen))
            continue;
        run_retell_record(&retell, chosen->record,
                          run_known_record(&merge->known, chosen->record, err));
    }
    merge->status = run_retell_end(&retell, merge->status, err);
}

/* Without a manifest nobody knows in which order tests come, but who takes them as they are. */
static void place_all(struct merge *merge, const char *manifest, const struct run_plan *plan)
{
    if (manifest)
        place_by_manifest(merge, manifest, &plan->inputs.choice, &plan->settings->reach);
    else if (!plan->in_order)
        place_by_name(merge);
    else
        EACH_IN (const struct run_record, record, merge->records.items)
            add_place(merge, record->file, record->file);
}

static void check(struct merge *merge, const struct run_plan *plan, const char *manifest,
                  const struct chosen *all, struct strbuf *err)
{
    refuse_stale(merge, all);
    refuse_strangers(merge);
    if (manifest)
        demand_all(merge, &plan->settings->reach, err);
    else
        refuse_nothing(merge, &plan->inputs);
}

static void merge_fini(struct merge *merge)
{
    HASH_CLEAR(hh, merge->places);
    HASH_CLEAR(hh, merge->strangers);
    HASH_CLEAR(hh, merge->texts);
    VEC_FREE(&merge->stale);
    diag_fini(&merge->diag);
    run_records_fini(&merge->records);
    run_records_fini(&merge->known);
}

/* What is read of records of a search are JSON lines alone. */
static enum run_status merge_search(const struct run_plan *plan, struct run_output *out,
                                    struct strbuf *err)
{
    SCOPED(strbuf) lines = {0};
    if (plan->format != RUN_JSON || plan->report_count) {
        diag_tell(err, DIAG_CLI_RECORD, NOWHERE,
                  "found records of a search, which are put together as JSON lines alone: leave "
                  "--format away");
        return RUN_EXIT_INPUT;
    }
    enum run_status status = run_search_merge(&plan->inputs, &lines, err);
    run_output_add_text(out, &lines);
    return status;
}

enum run_status run_merge(const struct run_plan *plan, const char *manifest, struct run_output *out,
                          struct strbuf *err)
{
    const struct run_arguments *files = &plan->inputs;
    struct merge merge = {.status = RUN_EXIT_OK, .has_manifest = manifest != NULL};
    for (uint32_t i = 0; i < files->count && !manifest; i++)
        if (run_search_is_record_file(files->items[i]))
            return merge_search(plan, out, err);
    run_records_init(&merge.records);
    merge.records.given.memory_mib = plan->settings->memory_mib;
    run_records_init(&merge.known);
    bool readable = run_known_read(&merge.known, plan, &merge.diag);
    for (uint32_t i = 0; i < files->count; i++)
        readable &= run_records_read(&merge.records, files->items[i], &merge.diag);
    place_all(&merge, manifest, plan);
    run_records_refuse_cuts(&merge.records, manifest != NULL, &merge.diag);
    struct chosen *all = choose_all(&merge);
    check(&merge, plan, manifest, all, err);
    retell(&merge, plan, all, out, err);
    if (merge.diag.errors || !readable)
        run_status_raise(&merge.status, RUN_EXIT_INPUT);
    diag_render(&merge.diag, err);
    HASH_CLEAR(hh, all);
    merge_fini(&merge);
    return merge.status;
}
