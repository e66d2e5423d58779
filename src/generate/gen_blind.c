#include "generate/gen_blind.h"

#include "base/bits.h"
#include "cat/cat_mentions.h"
#include "cat/cat_same.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"
#include "generate/gen_alike.h"
#include "generate/gen_print.h"

#include <string.h>

/* ---- Tags of instructions that programs can have ---- */

struct tags {
    struct arena *arena;
    VEC(const char *) items;
};

static bool has(const struct tags *tags, const char *tag)
{
    return ANY(i, tags->items.count, strcmp(tags->items.items[i], tag) == 0);
}

static void add_tag(struct tags *tags, const char *tag)
{
    if (has(tags, tag))
        return;
    const char *own = arena_strdup(tags->arena, tag);
    VEC_PUSH(&tags->items, own);
}

static struct gen_form form_of(const struct gen_vocabulary *vocabulary, uint32_t family)
{
    const struct gen_family *f = &vocabulary->families[family];
    return (struct gen_form){(uint8_t)family, (uint8_t)bits_lowest(f->orders),
                             (uint8_t)bits_lowest(f->scopes)};
}

static void add_op(struct gen_program *program, const struct gen_vocabulary *vocabulary,
                   struct gen_form form)
{
    const bool nowhere = vocabulary->families[form.family].class == GEN_POINT;
    const struct gen_op op = {.form = form, .location = nowhere ? GEN_NOWHERE : 0};
    (void)gen_add(program, 0, op);
}

/* The family itself if it is such a mark, else the first that is; none in a vocabulary without. */
static void add_mark(struct gen_program *program, const struct gen_vocabulary *vocabulary,
                     struct gen_form form, uint32_t trait)
{
    uint32_t f = form.family;
    if (!(vocabulary->families[f].traits & trait))
        for (f = 0; f < vocabulary->family_count; f++)
            if (vocabulary->families[f].traits & trait)
                break;
    if (f < vocabulary->family_count)
        add_op(program, vocabulary, form_of(vocabulary, f));
}

static bool is_mark(const struct gen_vocabulary *vocabulary, struct gen_form form)
{
    return vocabulary->families[form.family].traits & (GEN_OPENS | GEN_CLOSES);
}

/* The instruction, which with `marked` stands between marks that open and close. */
static struct gen_program program_of(const struct gen_vocabulary *vocabulary, struct gen_form form,
                                     bool marked)
{
    struct gen_program program;
    gen_program_init(&program, 1);
    program.location_count = 1;
    program.nvm = 1;
    if (marked)
        add_mark(&program, vocabulary, form, GEN_OPENS);
    if (!marked || !is_mark(vocabulary, form))
        add_op(&program, vocabulary, form);
    if (marked)
        add_mark(&program, vocabulary, form, GEN_CLOSES);
    return program;
}

/* Can a program of the bound have it? */
static bool is_there(const struct gen_bound *bound, uint32_t f)
{
    return bound->families >> f & 1 &&
           (bound->vocabulary->families[f].class <= GEN_RMW || bound->barriers) &&
           gen_can_print_form(bound->vocabulary, bound->dialect, form_of(bound->vocabulary, f));
}

static void add_tags_in(const struct session_test *test, struct tags *tags)
{
    for (uint32_t i = 0; test->program && i < test->program->tag_count; i++)
        add_tag(tags, test->program->tags[i]);
}

/* Of what the mapping makes of a program; none where it refuses it. */
static void add_mapped(struct gen_mapper *mapper, const char *text, struct tags *tags)
{
    struct session_test test;
    struct arena_mark mark = arena_mark(tags->arena);
    const char *mapped = gen_mapped_text(mapper, tags->arena, "program", text);
    if (!mapped)
        return;
    gen_mapped_test(mapper, &test, "program", mapped);
    arena_rewind(tags->arena, mark);
    add_tags_in(&test, tags);
    session_test_fini(&test);
}

/* With a mapper: of what it makes of the programs. */
static void add_tags_of(const struct session_settings *settings, const struct gen_bound *bound,
                        struct gen_mapper *mapper, struct tags *tags)
{
    const struct gen_vocabulary *vocabulary = bound->vocabulary;
    if (vocabulary->host_tag)
        add_tag(tags, vocabulary->host_tag);
    for (uint32_t f = 0; f < vocabulary->family_count; f++) {
        if (!is_there(bound, f))
            continue;
        const struct gen_program program = program_of(vocabulary, form_of(vocabulary, f), true);
        SCOPED(session_test) test;
        SCOPED(strbuf) text = {0};
        gen_observe_read(&test, settings, vocabulary, bound->dialect, &program,
                         gen_observe_kinds(&program), &text);
        if (mapper)
            add_mapped(mapper, strbuf_text(&text), tags);
        else
            add_tags_in(&test, tags);
    }
}

/* What a model that is built in looks at is there for its own vocabulary. */
static void add_builtin(struct session_models *models, const struct session_settings *settings,
                        const char *visibility, const char *persistency, struct tags *tags)
{
    const struct cat_asker user = session_models_user(settings);
    const struct session_model *pair = session_models_get(models, &user, visibility, persistency);
    for (uint32_t i = 0; pair->model && i < pair->model->tagged_count; i++)
        add_tag(tags, pair->model->tagged[i].tag);
}

static const char *bearer_text(enum cat_bearer bearer)
{
    static const char *const texts[] = {CAT_BEARERS(TABLE_SECOND)};
    return texts[bearer];
}

/* Why the model cannot be asked by these programs; NULL: it can. */
static const char *unseen_of(const struct session_settings *settings, struct session_models *models,
                             const struct session_model *model, const struct tags *seen)
{
    struct tags known = {.arena = seen->arena};
    const struct cat_mentions mentions = cat_mentions_of(seen->arena, model->model);
    const char *why = NULL;
    if (!cat_model_is_path(model->visibility))
        add_builtin(models, settings, model->visibility, "none", &known);
    if (!cat_model_is_path(model->persistency))
        add_builtin(models, settings, "sc", model->persistency, &known);
    for (uint32_t i = 0; i < model->model->tagged_count && !why; i++) {
        const struct cat_tagged *tagged = &model->model->tagged[i];
        if (mentions.tagged[i] && !has(seen, tagged->tag) && !has(&known, tagged->tag))
            why = arena_printf(seen->arena,
                               "%s + %s looks at the %s tag '%s, which no program of the "
                               "vocabulary has",
                               model->visibility, model->persistency, bearer_text(tagged->bearer),
                               tagged->tag);
    }
    VEC_FREE(&known.items);
    return why;
}

const char *gen_blind_of(struct arena *arena, const struct session_settings *settings,
                         struct session_models *models, const struct session_model *model,
                         const struct gen_bound *bound)
{
    struct tags seen = {.arena = arena};
    if (model->model->builtin)
        return NULL;
    add_tags_of(settings, bound, NULL, &seen);
    const char *why = unseen_of(settings, models, model, &seen);
    VEC_FREE(&seen.items);
    return why;
}

/* ---- What is seen in programs ---- */

static bool is_within(const struct gen_bound *bound, const struct gen_program *program)
{
    const uint32_t accesses =
        COUNT_IF(i, program->length[0], gen_accesses(bound->vocabulary, &program->ops[0][i]));
    return accesses <= bound->events && program->length[0] - accesses <= bound->barriers;
}

static bool sees_in(const struct session_settings *settings, const struct gen_bound *bound,
                    const struct gen_program *program, bool marked, gen_blind_look *looks_for,
                    const void *context)
{
    SCOPED(session_test) test;
    SCOPED(strbuf) text = {0};
    gen_observe_read(&test, settings, bound->vocabulary, bound->dialect, program,
                     gen_observe_kinds(program), &text);
    bool found = looks_for(context, test.program, marked);
    return found;
}

static bool has_marks(const struct gen_vocabulary *vocabulary)
{
    return ANY(f, vocabulary->family_count,
               vocabulary->families[f].traits & (GEN_OPENS | GEN_CLOSES));
}

/* By itself and between marks, of each kind of work-item. */
static bool sees_form(const struct session_settings *settings, const struct gen_bound *bound,
                      struct gen_form form, gen_blind_look *looks_for, const void *context)
{
    const uint32_t marks = has_marks(bound->vocabulary);
    bool found = false;
    for (uint32_t marked = is_mark(bound->vocabulary, form); marked <= marks; marked++)
        for (uint32_t host = 0; host <= bound->hosts && !found; host++) {
            struct gen_program program = program_of(bound->vocabulary, form, marked);
            program.host[0] = (uint8_t)host;
            found = is_within(bound, &program) &&
                    sees_in(settings, bound, &program, marked, looks_for, context);
        }
    return found;
}

bool gen_blind_sees(const struct session_settings *settings, const struct gen_bound *bounds,
                    uint32_t count, gen_blind_look *looks_for, const void *context)
{
    struct gen_form forms[GEN_MAX_FORMS];
    bool found = false;
    for (uint32_t b = 0; b < count && !found; b++) {
        const uint32_t form_count = gen_bound_forms(&bounds[b], forms);
        for (uint32_t f = 0; f < form_count && !found; f++)
            found = sees_form(settings, &bounds[b], forms[f], looks_for, context);
    }
    return found;
}

/* ---- Bases of which programs have nothing ---- */

struct presence {
    struct arena *arena;
    uint32_t unroll;
    bool *empty;
};

static void note_events(const struct presence *presence, const struct lit_program *program,
                        const struct exec_path *path)
{
    const struct exec_skeleton *skeleton = exec_skeleton_new(presence->arena, program, &path);
    for (uint32_t e = 0; skeleton && e < skeleton->dim.n; e++)
        for (uint32_t base = 0; base < EXEC_REL_ID; base++)
            presence->empty[base] &= !exec_event_in_base(skeleton, base, e);
}

/* Looks for nothing, and so at all of them. */
static bool note_program(const void *context, const struct lit_program *program, bool marked)
{
    const struct presence *presence = context;
    const struct arena_mark mark = arena_mark(presence->arena);
    uint32_t path_events = 0;
    const struct exec_run_options options = {.unroll = presence->unroll,
                                             .path_events = &path_events};
    struct exec_paths paths;
    (void)marked;
    exec_run_thread(presence->arena, program, 0, &options, &paths);
    for (uint32_t i = 0; i < paths.count; i++)
        note_events(presence, program, paths.items[i]);
    arena_rewind(presence->arena, mark);
    return false;
}

/* What a location is makes no form of an instruction. */
static bool is_of_location(uint32_t base)
{
    switch (base) {
    case EXEC_SET_NVM:
    case EXEC_SET_GLOBAL:
    case EXEC_SET_LOCAL:
    case EXEC_SET_NAL:
    case EXEC_SET_GEN:
    case EXEC_SET_TEX:
    case EXEC_SET_SUR:
    case EXEC_SET_CON:
    case EXEC_SET_ALIAS: return true;
    default: return base >= EXEC_REL_ID;
    }
}

/* Relations that are empty where a set is: X(relation, set). */
#define WITH_SET(X)     \
    X(SYNCBAR, BARRIER) \
    X(SYNCPB, PBARRIER) X(SYNC_FENCE, FENCE) X(RMW_PAIR, RMW) X(AMO, RMW) X(LXSX, RMW)

static void empty_relations(bool *empty)
{
#define X(relation, set) empty[EXEC_REL_##relation] = empty[EXEC_SET_##set];
    WITH_SET(X)
#undef X
}

void gen_blind_empty(const struct session_settings *settings, const struct gen_bound *bounds,
                     uint32_t count, bool *empty)
{
    SCOPED(arena) arena = {0};
    const struct presence presence = {&arena, settings->unroll, empty};
    for (uint32_t base = 0; base < EXEC_BASE_COUNT; base++)
        empty[base] = !is_of_location(base);
    (void)gen_blind_sees(settings, bounds, count, note_program, &presence);
    empty_relations(empty);
}

void gen_blind_fill(bool *empty, uint32_t base)
{
    empty[base] = false;
    empty_relations(empty);
}

static bool has_event(const struct session_settings *settings, const struct gen_bound *bound,
                      struct gen_form form, uint32_t base)
{
    SCOPED(arena) arena = {0};
    bool empty[EXEC_BASE_COUNT];
    const struct presence presence = {&arena, settings->unroll, empty};
    memset(empty, true, sizeof empty);
    (void)sees_form(settings, bound, form, note_program, &presence);
    return !empty[base];
}

static uint32_t is_beyond(uint32_t set, uint32_t bit)
{
    return ~set >> bit & 1;
}

static uint32_t steps_to(const struct gen_bound *bound, struct gen_form form)
{
    return is_beyond(bound->families, form.family) + is_beyond(bound->orders, form.order) +
           is_beyond(bound->scopes, form.scope);
}

bool gen_blind_widen(const struct session_settings *settings, struct gen_bound *bound,
                     uint32_t base)
{
    enum { FAR = 4 };
    struct gen_bound all = *bound, wider = *bound;
    struct gen_form forms[GEN_MAX_FORMS];
    uint32_t nearest = FAR;
    all.families = (uint32_t)((UINT64_C(1) << bound->vocabulary->family_count) - 1);
    all.orders = (UINT32_C(1) << (LIT_ORDER_SC + 1)) - 1;
    all.scopes = (UINT32_C(1) << (LIT_SCOPE_ALL + 1)) - 1;
    const uint32_t count = gen_bound_forms(&all, forms);
    for (uint32_t f = 0; f < count; f++) {
        const uint32_t steps = steps_to(bound, forms[f]);
        if (steps > nearest || !has_event(settings, &all, forms[f], base))
            continue;
        if (steps < nearest)
            wider = *bound;
        nearest = steps;
        wider.families |= UINT32_C(1) << forms[f].family;
        wider.orders |= UINT32_C(1) << forms[f].order;
        wider.scopes |= UINT32_C(1) << forms[f].scope;
    }
    *bound = wider;
    return nearest < FAR;
}

/* ---- Programs on which two rule otherwise ---- */

struct telling {
    struct gen_alike *sift;
    bool found;
};

static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    struct telling *telling = context;
    (void)number;
    telling->found = gen_alike_find(telling->sift, program)[1] != 0;
    return !telling->found;
}

static bool rule_alike(const struct gen_survey *survey, uint32_t a, uint32_t b)
{
    const struct session_model *both[] = {survey->models[a], survey->models[b]};
    struct telling telling = {.found = false};
    for (uint32_t i = 0; i < survey->bound_count && !telling.found; i++) {
        uint64_t units = gen_units(&survey->bounds[i]);
        telling.sift = gen_alike_new(survey->settings, both, 2, &survey->bounds[i]);
        for (uint64_t unit = 0; unit < units && !telling.found; unit++)
            (void)gen_enumerate(&survey->bounds[i], unit, visit, &telling);
        gen_alike_free(telling.sift);
    }
    return !telling.found;
}

/* ---- All pairs ---- */

static const char *why_of(struct gen_survey *survey, const char *const *unseen, uint32_t a,
                          uint32_t b)
{
    const struct cat_model *first = survey->models[a]->model, *second = survey->models[b]->model;
    if (survey->is_mapped)
        return unseen[b] ? unseen[b] : unseen[a];
    if ((first->builtin && second->builtin) || cat_same(survey->arena, first, second))
        return NULL;
    if (unseen[a] || unseen[b])
        return unseen[a] ? unseen[a] : unseen[b];
    return rule_alike(survey, a, b) ? "no program up to the bound has what their rules differ in"
                                    : NULL;
}

/* With a mapping the second model is asked about what that makes of the programs. */
static void find_unseen(struct gen_survey *survey, struct session_models *models,
                        const char **unseen)
{
    struct tags seen = {.arena = survey->arena}, mapped = {.arena = survey->arena};
    for (uint32_t i = 0; i < survey->bound_count; i++) {
        add_tags_of(survey->settings, &survey->bounds[i], NULL, &seen);
        if (survey->is_mapped)
            add_tags_of(survey->settings, &survey->bounds[i], survey->mapper, &mapped);
    }
    for (uint32_t m = 0; m < survey->model_count; m++)
        if (!survey->models[m]->model->builtin)
            unseen[m] = unseen_of(survey->settings, models, survey->models[m],
                                  survey->is_mapped && m ? &mapped : &seen);
    VEC_FREE(&seen.items);
    VEC_FREE(&mapped.items);
}

void gen_blind_find(struct gen_survey *survey, struct session_models *models)
{
    uint32_t count = survey->model_count;
    const char **unseen = ARENA_ARRAY(survey->arena, const char *, count);
    const char **blind = ARENA_ARRAY(survey->arena, const char *, count *count);
    bool own = false;
    for (uint32_t m = 0; m < count; m++)
        own |= !survey->models[m]->model->builtin;
    if (own)
        find_unseen(survey, models, unseen);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < a; b++)
            if (!survey->pairs[a * count + b].find_count ||
                !survey->pairs[b * count + a].find_count)
                blind[a * count + b] = blind[b * count + a] = why_of(survey, unseen, a, b);
    survey->blind = blind;
}

/* Not at sequentially consistent ones alone: no program up to a bound has any. */
static bool looks_at_orders(struct arena *scratch, const struct cat_model *model)
{
    static const uint32_t orders[] = {EXEC_SET_ATOMIC, EXEC_SET_ATOMIC_SHORT, EXEC_SET_RLX,
                                      EXEC_SET_ACQ,    EXEC_SET_REL,          EXEC_SET_ACQ_REL};
    struct arena_mark mark = arena_mark(scratch);
    const struct cat_mentions mentions = cat_mentions_of(scratch, model);
    bool found = ANY(i, sizeof orders / sizeof *orders, mentions.bases[orders[i]]);
    arena_rewind(scratch, mark);
    return found;
}

bool gen_blind_orders(struct arena *scratch, const struct session_settings *settings,
                      struct session_models *models, const struct session_model *const *pairs,
                      uint32_t count)
{
    const struct cat_asker user = session_models_user(settings);
    const struct session_model *visible =
        session_models_get(models, &user, pairs[0]->visibility, "none");
    return (visible->model && looks_at_orders(scratch, visible->model)) ||
           ANY(m, count, !pairs[m]->model->builtin && looks_at_orders(scratch, pairs[m]->model));
}
