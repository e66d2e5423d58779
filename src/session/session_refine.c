#include "session/session_refine.h"

#include "cat/cat_model.h"
#include "engine/agree.h"
#include "engine/inclusion.h"
#include "engine/meaning.h"
#include "litmus/lit_parse.h"
#include "session/session_ask.h"
#include "session/session_common.h"
#include "session/session_engines.h"
#include "session/session_run.h"

#include <string.h>

/* One source under one model pair. `outcome` is gone when all are listed. */
struct source_test {
    const struct lit_refines *asked; /* by the first condition that names it */
    const struct lit_program *read;  /* from its file */
    const struct lit_program *program;
    const struct session_model *model;
    struct session_common common;
    const struct lit_atom *observed; /* of a test that is its own source: all that is compared */
    uint32_t observed_count;
    struct outcome outcome;
    enum session_loss lost;
    bool failed;     /* which was told */
    bool hosts_told; /* under this pair or one before */
};

struct refiner {
    struct session_test *test;
    const struct session_settings *settings;
    struct session_models *models;
    struct session_parts parts;
    VEC(struct source_test *) sources;
};

/* ---- Conditions of the command ---- */

const struct lit_program *session_refine_conditions(struct arena *arena,
                                                    const struct session_settings *settings,
                                                    const struct lit_program *program)
{
    const struct span head = {program->source, program->line, 1, program->line, 2};
    const struct lit_refines refines = {.source = settings->source,
                                        .visibility = settings->source_model,
                                        .persistency = settings->source_persistency,
                                        .span = head};
    struct lit_program *refining = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions = ARENA_ARRAY(arena, struct lit_condition, 3);
    refining->conditions = conditions;
    refining->condition_count = 0;
    conditions[refining->condition_count++] =
        lit_refine_condition(arena, &refines, LIT_CRASHED, head);
    if (program->recovery_count)
        conditions[refining->condition_count++] =
            lit_refine_condition(arena, &refines, LIT_RECOVERED, head);
    conditions[refining->condition_count++] =
        lit_refine_condition(arena, &refines, LIT_FINAL, head);
    return refining;
}

/* ---- Reading a source ---- */

/* The user may name any file, a test one that it may reach. */
static const struct source *load(const struct refiner *r, const struct lit_refines *asked,
                                 const char *path)
{
    struct session_test *test = r->test;
    const struct source *source = NULL;
    const char *why = NULL;
    enum reach_answer answer = REACH_UNREADABLE;
    if (r->settings->property == SESSION_REFINES)
        source = source_load(&test->arena, path, &why);
    else
        answer = reach_load(&test->arena, &r->settings->reach, test->folder, path, REACH_TESTS,
                            &source, &why);
    if (answer == REACH_REFUSED)
        diag_error(&test->diag, DIAG_FILE_REACH, asked->span,
                   "'%s' is out of reach: " REACH_ADVICE(REACH_TESTS), asked->source);
    else if (!source)
        diag_error(&test->diag, DIAG_CLI_REFINES, asked->span, "cannot read the source '%s': %s",
                   asked->source,
                   answer == REACH_MISSING ? "there is no such file; its path is relative to the "
                                             "folder of the test that names it"
                                           : why);
    return source;
}

static const struct lit_program *read_source(struct refiner *r, const struct lit_refines *asked)
{
    struct session_test *test = r->test;
    const struct session_settings *settings = r->settings;
    const char *path =
        settings->property == SESSION_REFINES
            ? asked->source
            : reach_find(&test->arena, &settings->reach, test->folder, asked->source);
    const struct source *source = load(r, asked, path);
    const struct lit_surroundings surroundings = {.reach = &settings->reach,
                                                  .folder = reach_folder(&test->arena, path),
                                                  .uses = settings->uses,
                                                  .uses_count = settings->uses_count,
                                                  .bare = true};
    return source ? lit_parse_in(&test->arena, test->names, source, &surroundings, &test->diag)
                  : NULL;
}

static const char *found_model(struct refiner *r, const char *name)
{
    bool of_test = r->settings->property != SESSION_REFINES && cat_model_is_path(name);
    return of_test ? reach_find(&r->test->arena, &r->settings->reach, r->test->folder, name) : name;
}

static void stand_in(const struct session_stand_in *stands, const char *names[2],
                     struct cat_asker *asker)
{
    const char **own = stands ? &names[stands->persists] : NULL;
    if (!own ||
        (!cat_model_same(*own, stands->names[0]) && !cat_model_same(*own, stands->names[1])))
        return;
    *own = stands->model;
    asker->named = stands->model;
}

static const struct session_model *load_model(struct refiner *r, const struct lit_refines *asked)
{
    struct session_test *test = r->test;
    struct cat_asker asker = session_models_user(r->settings);
    if (r->settings->property != SESSION_REFINES)
        asker = session_models_test(r->settings, test->folder);
    const char *names[] = {found_model(r, asked->visibility), found_model(r, asked->persistency)};
    stand_in(r->settings->stand_in, names, &asker);
    const struct session_model *model = session_models_get(r->models, &asker, names[0], names[1]);
    if (model->model)
        return model;
    test->model_faults = model->faults;
    diag_error(&test->diag, DIAG_CLI_EXPECT_MODEL, asked->span,
               "the model pair %s + %s of the source could not be loaded: %s", asked->visibility,
               asked->persistency, model->reason);
    return NULL;
}

/* What of its final states is compared, and no more of them, is to be seen. */
static const struct lit_program *observing(struct arena *arena, const struct lit_program *program,
                                           const struct session_common *common)
{
    struct lit_program *observing = arena_copy(arena, program, sizeof *program);
    struct lit_atom *observed = ARENA_ARRAY(arena, struct lit_atom, common->count);
    for (uint32_t i = 0; i < common->count; i++)
        observed[i] = (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = common->source[i]};
    observing->observed = observed;
    observing->observed_count = common->count;
    return observing;
}

/* ---- Listing it ---- */

static bool has_same_states(const struct outcome *a, const struct outcome *b,
                            const struct lit_program *program)
{
    return agree_compare(a, b, program, false).count == 0;
}

/* By the first of the engines; the others have to agree. */
static void list(struct source_test *source, const struct session_settings *settings,
                 struct session_parts parts, bool *disagree)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    uint32_t count = session_engines_of(settings->engine, engines);
    if (engines[count - 1]->trace)
        count--;
    const struct session_case question =
        session_case_begin(settings, source->model, source->program, parts);
    session_run_as(&question, count ? engines[0] : &session_engines[0], source->program, false,
                   &source->outcome);
    for (uint32_t i = 1; i < count; i++) {
        const struct session_case again = session_case_again(&question);
        SCOPED(outcome) other;
        session_run_as(&again, engines[i], source->program, false, &other);
        *disagree |= !has_same_states(&source->outcome, &other, source->program);
    }
}

static bool names_same(const struct lit_refines *a, const struct lit_refines *b)
{
    return strcmp(a->source, b->source) == 0 && strcmp(a->visibility, b->visibility) == 0 &&
           strcmp(a->persistency, b->persistency) == 0;
}

/* The one before of the same file, under another pair; NULL: none. */
static const struct source_test *source_before(const struct refiner *r, const struct source_test *s)
{
    for (size_t i = r->sources.count; i-- > 0;)
        if (r->sources.items[i] != s &&
            strcmp(r->sources.items[i]->asked->source, s->asked->source) == 0)
            return r->sources.items[i];
    return NULL;
}

/* NULL when it cannot be compared, which is told, once however many conditions name it. */
static struct source_test *source_of(struct refiner *r, const struct lit_refines *asked)
{
    struct arena *arena = &r->test->arena;
    for (size_t i = 0; i < r->sources.count; i++)
        if (names_same(r->sources.items[i]->asked, asked))
            return r->sources.items[i]->failed ? NULL : r->sources.items[i];
    struct source_test *source = ARENA_NEW(arena, struct source_test);
    VEC_PUSH(&r->sources, source);
    source->asked = asked;
    source->failed = true;
    const struct source_test *before = source_before(r, source);
    source->read = before ? before->read : read_source(r, asked);
    source->hosts_told = before && before->hosts_told;
    if (!source->read || !session_common_find(arena, r->test->program, source->read, asked->span,
                                              &source->common, &r->test->diag))
        return NULL;
    source->program = observing(arena, source->read, &source->common);
    source->model = load_model(r, asked);
    if (!source->model)
        return NULL;
    source->failed = false;
    source->hosts_told =
        source->hosts_told ||
        session_ask_hosts_under(source->program, source->model->model, &r->test->diag);
    list(source, r->settings, r->parts, &r->test->sources_disagree);
    return source;
}

/* ---- The proposition ---- */

/* The source's states that the test's of this kind are held against. */
static const struct outcome_states *states_of(const struct source_test *source, enum lit_when when)
{
    bool recovers = source->program->recovery_count > 0;
    return outcome_states_of(&source->outcome,
                             when == LIT_RECOVERED && !recovers ? LIT_CRASHED : when);
}

/* Of a test that is its own source. */
static const struct lit_prop *prop_of_observed(struct arena *arena,
                                               const struct source_test *source,
                                               const struct outcome_states *states,
                                               struct lit_refines *refines)
{
    uint32_t *columns = ARENA_ARRAY(arena, uint32_t, source->observed_count);
    for (uint32_t i = 0; i < source->observed_count; i++) {
        columns[i] = outcome_column(states, &source->observed[i]);
        BASE_CHECK(columns[i] != LIT_NONE);
    }
    return inclusion_prop(arena, states, columns, source->observed, source->observed_count,
                          &refines->states);
}

static const struct lit_prop *prop_of(struct arena *arena, const struct source_test *source,
                                      enum lit_when when, struct lit_refines *refines)
{
    const struct session_common *common = &source->common;
    const struct outcome_states *states = states_of(source, when);
    if (source->observed)
        return prop_of_observed(arena, source, states, refines);
    struct lit_atom *atoms = ARENA_ARRAY(arena, struct lit_atom, common->count);
    uint32_t *columns = ARENA_ARRAY(arena, uint32_t, common->count);
    for (uint32_t i = 0; i < common->count; i++) {
        atoms[i] = (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = common->target[i]};
        const struct lit_atom own = {.kind = LIT_ATOM_LOCATION, .location = common->source[i]};
        columns[i] = outcome_column(states, &own);
        BASE_CHECK(columns[i] != LIT_NONE);
    }
    return inclusion_prop(arena, states, columns, atoms, common->count, &refines->states);
}

static const char *doubt_of(struct arena *arena, const struct outcome *outcome, enum lit_when when)
{
    const char *doubt =
        when == LIT_RECOVERED ? outcome_recovery_doubt(outcome) : outcome_doubt(outcome);
    return doubt ? arena_printf(arena, "of the source: %s", doubt) : NULL;
}

/* What cannot be said of the source's states leaves them as if they were not listed. */
static void settle_prop(struct arena *arena, const struct source_test *source,
                        struct lit_condition *condition, struct lit_refines *refines)
{
    const struct lit_prop *prop = prop_of(arena, source, condition->when, refines);
    if (prop)
        condition->prop = prop;
    else
        refines->own = NULL;
}

static void settle(struct arena *arena, const struct source_test *source,
                   struct lit_condition *condition)
{
    struct lit_refines *refines = arena_copy(arena, condition->refines, sizeof *refines);
    const struct outcome *outcome = &source->outcome;
    refines->own = source;
    refines->found[0] = source->model->visibility;
    refines->found[1] = source->model->persistency;
    refines->model_digest = source->model->model->digest;
    refines->compared = source->common.target;
    refines->compared_count = source->common.count;
    refines->alone = source->common.alone;
    refines->alone_count = source->common.alone_count;
    const struct meaning_lacking lacking =
        meaning_lacking(arena, source->program, source->model->model);
    refines->without_meaning = lacking.names;
    refines->without_meaning_count = lacking.count;
    refines->livelock = condition->when == LIT_RECOVERED && outcome->livelocks.count > 0;
    refines->doubt = doubt_of(arena, outcome, condition->when);
    if (outcome->undefined.count)
        refines->undefined =
            arena_printf(arena, "the source is undefined (%s), and everything refines that",
                         outcome->undefined.items[0].name);
    else
        settle_prop(arena, source, condition, refines);
    condition->refines = refines;
}

/* What the answers are of, the test's digest is of as well: an edited source is asked again. */
static uint64_t digest_with(uint64_t digest, const struct source_test *source)
{
    const uint64_t prime = UINT64_C(0x100000001b3);
    return ((digest * prime ^ source->program->digest) * prime) ^ source->model->model->digest;
}

static bool names_source(const struct lit_condition *condition)
{
    return condition->refines && !condition->property;
}

static bool refine_all(struct refiner *r)
{
    struct session_test *test = r->test;
    struct lit_program *refining = arena_copy(&test->arena, test->program, sizeof *refining);
    struct lit_condition *conditions =
        ARENA_ARRAY(&test->arena, struct lit_condition, refining->condition_count);
    bool complete = true;
    refining->conditions = conditions;
    for (uint32_t i = 0; i < refining->condition_count; i++) {
        conditions[i] = test->program->conditions[i];
        const struct source_test *source =
            names_source(&conditions[i]) ? source_of(r, conditions[i].refines) : NULL;
        if (source) {
            settle(&test->arena, source, &conditions[i]);
            refining->digest = digest_with(refining->digest, source);
        }
        complete &= source || !names_source(&conditions[i]);
    }
    test->program = complete ? refining : NULL;
    return complete;
}

static bool refines_any(const struct lit_program *program)
{
    return ANY(i, program->condition_count, names_source(&program->conditions[i]));
}

bool session_refine(struct session_test *test, const struct session_settings *settings,
                    struct session_models *models, struct session_parts parts)
{
    struct refiner r = {.test = test, .settings = settings, .models = models, .parts = parts};
    if (!test->program || !refines_any(test->program))
        return test->program != NULL;
    bool complete = refine_all(&r);
    for (size_t i = 0; i < r.sources.count; i++)
        outcome_fini(&r.sources.items[i]->outcome);
    VEC_FREE(&r.sources);
    return complete;
}

/* ---- A test that is its own source, under strict persistency ---- */

/* What is observed by name, or where nothing is, with a recovery, all non-volatile memory. */
static void find_observed(struct arena *arena, const struct lit_program *program,
                          struct source_test *source)
{
    struct lit_atom *all = ARENA_ARRAY(arena, struct lit_atom, program->location_count);
    uint32_t *locations =
        ARENA_ARRAY(arena, uint32_t, (size_t)program->location_count + program->robust_in_count);
    source->observed = program->robust_in_count ? program->robust_in : all;
    source->observed_count = program->robust_in_count;
    if (!program->robust_in_count && program->recovery_count)
        for (uint32_t i = 0; i < program->location_count; i++)
            if (program->locations[i].nvm && !program->locations[i].hidden)
                all[source->observed_count++] =
                    (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = i};
    for (uint32_t i = 0; i < source->observed_count; i++)
        if (source->observed[i].kind == LIT_ATOM_LOCATION)
            locations[source->common.count++] = source->observed[i].location;
    source->common.source = source->common.target = locations;
}

/* A condition that holds of all states, and names what is observed: so their lists have it. */
static const struct lit_condition *
naming_observed(struct arena *arena, const struct source_test *source, enum lit_when when)
{
    const struct lit_prop **parts =
        ARENA_ARRAY(arena, const struct lit_prop *, source->observed_count + 1u);
    parts[0] = ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_TRUE);
    for (uint32_t i = 0; i < source->observed_count; i++)
        parts[i + 1] = lit_prop_equal(arena, &source->observed[i], 0);
    return ARENA_MAKE(arena, struct lit_condition, .when = when, .quantifier = LIT_FORALL,
                      .prop = lit_prop_join(arena, LIT_PROP_OR, parts, source->observed_count + 1u),
                      .text = "");
}

/* Why it cannot be told which states are meant; NULL: it can. */
static const char *observed_doubt(struct arena *arena, const struct source_test *source)
{
    const struct lit_program *program = source->program;
    const struct lit_location *opaque = program->robust_in_count ? NULL : lit_find_opaque(program);
    const char *says = program->source->option ? "a test says what is looked at: begin with what "
                                                 "--print-launch writes, and add 'observe x, y;'"
                                               : "the test says what is looked at, as in 'observe "
                                                 "x, y;'";
    if (opaque)
        return arena_printf(arena, "no model gives the value that is stored in '%s': %s",
                            opaque->name, says);
    if (source->observed_count)
        return NULL;
    return program->recovery_count ? "the test has no non-volatile memory"
                                   : arena_printf(arena, "without a recovery %s", says);
}

static void settle_robust(struct arena *arena, const struct session_case *question,
                          const struct session_model *strict, struct lit_condition *condition,
                          bool *disagree)
{
    struct source_test *source = ARENA_NEW(arena, struct source_test);
    struct lit_refines *refines = arena_copy(arena, condition->refines, sizeof *refines);
    struct lit_program *program = arena_copy(arena, question->program, sizeof *question->program);
    refines->visibility = question->model->visibility;
    condition->refines = refines;
    source->model = strict;
    find_observed(arena, program, source);
    program->expect_count = program->observed_count = 0;
    program->conditions = naming_observed(arena, source, condition->when);
    program->condition_count = 1;
    source->program = program;
    refines->doubt = !strict->model ? "the model under strict persistency could not be loaded"
                                    : observed_doubt(arena, source);
    if (refines->doubt)
        return;
    list(source, question->settings, question->parts, disagree);
    settle(arena, source, condition);
    outcome_fini(&source->outcome);
}

const struct lit_program *session_robust(struct arena *arena, const struct session_case *question,
                                         struct session_models *models,
                                         const struct cat_asker *asker, bool *disagree)
{
    const struct lit_program *program = question->program;
    struct lit_program *settled = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions =
        ARENA_ARRAY(arena, struct lit_condition, program->condition_count);
    const struct session_model *strict =
        session_models_get(models, asker, question->model->visibility, "strict");
    settled->conditions = conditions;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        conditions[i] = program->conditions[i];
        if (conditions[i].property == LIT_PROPERTY_ROBUST)
            settle_robust(arena, question, strict, &conditions[i], disagree);
    }
    return settled;
}

const struct lit_program *session_properties(struct arena *arena,
                                             const struct session_case *question,
                                             struct session_models *models,
                                             const struct cat_asker *asker, bool *disagree)
{
    if (lit_asks_property(question->program, LIT_PROPERTY_RACE))
        session_models_races(models, question->model);
    return lit_asks_property(question->program, LIT_PROPERTY_ROBUST)
               ? session_robust(arena, question, models, asker, disagree)
               : question->program;
}

const struct lit_program *session_robust_again(struct arena *arena,
                                               const struct session_case *question,
                                               const struct lit_program *settled)
{
    const struct lit_program *program = question->program;
    struct lit_program *again = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions =
        ARENA_ARRAY(arena, struct lit_condition, program->condition_count);
    bool disagree = false;
    again->conditions = conditions;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        conditions[i] = program->conditions[i];
        if (conditions[i].property != LIT_PROPERTY_ROBUST)
            continue;
        const struct source_test *own = settled->conditions[i].refines->own;
        if (own)
            settle_robust(arena, question, own->model, &conditions[i], &disagree);
        else
            conditions[i].refines = settled->conditions[i].refines;
    }
    BASE_CHECK(!disagree); /* place asks one engine for states */
    return again;
}

/* ---- Why the source has no such state ---- */

struct session_case session_refine_ask(struct arena *arena, const struct session_case *question,
                                       const struct lit_condition *condition,
                                       const struct lit_atom *items, uint32_t width,
                                       const int64_t *row)
{
    const struct source_test *source = condition->refines->own;
    struct lit_program *program = arena_copy(arena, source->program, sizeof *program);
    struct lit_condition *asked = ARENA_NEW(arena, struct lit_condition);
    bool recovers = program->recovery_count > 0;
    *asked = *condition;
    asked->refines = NULL;
    asked->quantifier = LIT_NOT_EXISTS;
    asked->when = condition->when == LIT_RECOVERED && !recovers ? LIT_CRASHED : condition->when;
    VEC(const struct lit_prop *) equal = {0};
    for (uint32_t i = 0; i < source->common.count; i++) {
        const struct lit_atom atom = {.kind = LIT_ATOM_LOCATION,
                                      .location = source->common.source[i]};
        for (uint32_t k = 0; k < width; k++)
            if (items[k].kind == LIT_ATOM_LOCATION && items[k].location == source->common.target[i])
                VEC_PUSH(&equal, lit_prop_equal(arena, &atom, row[k]));
    }
    asked->prop = lit_prop_join(arena, LIT_PROP_AND, equal.items, equal.count);
    VEC_FREE(&equal);
    lit_condition_set_text(arena, program, asked);
    program->conditions = asked;
    program->condition_count = 1;
    return session_case_begin(question->settings, source->model, program, question->parts);
}
