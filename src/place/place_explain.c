/* Both questions are place's own: to repair the test, and to narrow it for one condition. What is
 * needed is told first, choice by choice, from the greatest of the smaller values down. */
#include "place/place_explain.h"

#include "base/bits.h"
#include "engine/meaning.h"
#include "sketch/sites.h"
#include "place/place_try.h"
#include "session/session_test.h"

#include <string.h>

/* Of a question: fillings; minimal fillings that are shown of independent reasons. */
enum { MOST_TRIED = 1000, MOST_SETS = 6 };

/* Said where the time that nobody has set is over. */
static const char own_time[] =
    "the time for advice ran out (--timeout SECONDS gives it more; crashlit place "
    "--repair has time of its own)";

void place_explainer_init(struct place_explainer *x, const struct session_case *question,
                          const struct clock_limit *clock)
{
    *x = (struct place_explainer){.question = question, .clock = clock};
    arena_init(&x->arena);
}

void place_explainer_fini(struct place_explainer *x)
{
    if (x->names)
        intern_free(x->names);
    arena_fini(&x->arena);
}

/* ---- Questions ---- */

/* Does anybody wait at a persist barrier under the model? */
static bool waits(struct place_explainer *x)
{
    const struct engine_request request = session_case_request(x->question);
    struct ev_waits waits = {0};
    SCOPED(arena) scratch = {0};
    bool some = false;
    engine_find_waiting(&scratch, &request, &waits);
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        some |= waits.of[EV_PBARRIER][scope];
    return some;
}

/* Does the model give instructions with this tag a meaning? What it does not know is no fence and
 * no flush to it, whatever it may change as one more event. */
static bool knows(const void *context, const char *tag)
{
    const struct cat_model *model = context;
    const uint32_t others = 1U << CAT_DECLARED_LOC | 1U << CAT_DECLARED_THREAD;
    for (uint32_t i = 0; i < model->declaration_count; i++)
        if (strcmp(model->declarations[i].tag, tag) == 0)
            return model->declarations[i].kinds & ~others;
    return false;
}

/* The test's sketch; NULL: it has none. */
const struct sketch *place_explain_sketch(struct place_explainer *x, enum place_explain_kind kind)
{
    const struct session_settings *settings = x->question->settings;
    const struct source **file;
    struct lit_surroundings *surroundings;
    SCOPED(diag) diag = {0};
    if (x->is_read[kind])
        return x->sketches[kind];
    x->is_read[kind] = true;
    if (!x->names)
        x->names = intern_new();
    file = ARENA_MAKE(&x->arena, const struct source *, x->question->program->source);
    const char *folder = reach_folder(&x->arena, (*file)->path);
    surroundings =
        ARENA_MAKE(&x->arena, struct lit_surroundings, .reach = &settings->reach, .folder = folder,
                   .nowhere = session_test_is_of_stream(settings, folder), .uses = settings->uses,
                   .uses_count = settings->uses_count);
    const struct sites_wish wish = {
        .aim = kind == PLACE_EXPLAIN_NARROW ? SITES_NARROW : SITES_REPAIR,
        .surroundings = surroundings,
        .persists = meaning_of_persist_barriers(x->question->model->model),
        .knows = knows,
        .context = x->question->model->model,
        .apart = kind == PLACE_EXPLAIN_NARROW && !waits(x),
        .swaps = kind == PLACE_EXPLAIN_SWAPS,
        .several = kind == PLACE_EXPLAIN_SEVERAL};
    x->sketches[kind] = sites_sketch(&x->arena, x->names, file, 1, &wish, &diag);
    return x->sketches[kind];
}

struct place_question place_explain_question(const struct place_explainer *x,
                                             const struct sketch *sketch,
                                             const struct clock_limit *clock)
{
    static const double none = 1e-9; /* 0 would be no limit */
    const double half = clock_seconds_left(clock) / 2;
    return (struct place_question){
        .sketch = sketch,
        .settings = x->question->settings,
        .model = x->question->model,
        .parts = x->question->parts,
        .settled = &x->question->program,
        .seconds = half < 0 ? none : half,
        .cpu_end = clock_limit_part(clock, 0.5).cpu_end,
        .out_of_time = session_settings_limit(x->question->settings) ? NULL : own_time,
        .most_tried = MOST_TRIED};
}

const struct placement *place_explain_answer(struct place_explainer *x,
                                             const struct place_question *question)
{
    struct placement *placement = ARENA_NEW(&x->arena, struct placement);
    place_answer(&x->arena, question, placement);
    return placement;
}

/* ---- Support ---- */

/* Does the filling let the state in, or anything? */
static bool lets_in(const struct place_tried *tried)
{
    return tried->answer == PLACE_REFUSED &&
           (tried->reason.kind == PLACEMENT_VIOLATED || tried->reason.kind == PLACEMENT_UNDEFINED);
}

/* The greatest value of a choice that lets the state in, all else as it stands; else one under
 * which anything may be. False: none does. */
static bool find_step(struct place_asker *asker, const struct sketch *sketch, uint32_t choice,
                      struct placement_step *step, bool *all_tried)
{
    BASE_ASSERT(choice < sketch->choice_count);
    const struct sketch_choice *c = &sketch->choices[choice];
    struct sketch_filling filling = sketch_as_it_is(sketch);
    bool found = false;
    for (uint32_t v = (uint32_t)c->original; v-- > 0;) {
        if (!(c->below[c->original] >> v & 1))
            continue;
        filling.value[choice] = (uint8_t)v;
        const struct place_tried tried = place_try(asker, &filling, NULL);
        *all_tried &= tried.answer == PLACE_ACCEPTED || tried.answer == PLACE_REFUSED;
        if (!lets_in(&tried) || (found && tried.reason.kind == PLACEMENT_UNDEFINED))
            continue;
        *step = (struct placement_step){choice, (uint8_t)v, tried.reason};
        found = true;
        if (tried.reason.kind == PLACEMENT_VIOLATED)
            return true;
    }
    return found;
}

/* What is needed as it is there, all else as small as may be. */
static struct sketch_filling without_others(const struct explanation_support *support)
{
    struct sketch_filling filling = {{0}};
    for (uint32_t i = 0; i < support->needed_count; i++) {
        uint32_t choice = support->needed[i].choice;
        filling.value[choice] = (uint8_t)support->sketch->choices[choice].original;
    }
    return filling;
}

static void find_needed(struct place_explainer *x, struct place_asker *asker,
                        struct explanation_support *support)
{
    const struct sketch *sketch = support->sketch;
    VEC(struct placement_step) needed = {NULL, 0, 0};
    struct placement_step step;
    support->all_tried = true;
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        if (find_step(asker, sketch, c, &step, &support->all_tried))
            VEC_PUSH(&needed, step);
    support->needed_count = (uint32_t)needed.count;
    support->needed = VEC_KEEP(&x->arena, &needed);
    VEC_FREE(&needed);
}

static enum explanation_support_answer suffice(struct place_asker *asker,
                                               const struct explanation_support *support)
{
    const struct sketch_filling filling = without_others(support);
    switch (place_try(asker, &filling, NULL).answer) {
    case PLACE_ACCEPTED: return EXPLANATION_SUFFICES;
    case PLACE_REFUSED: return EXPLANATION_MORE;
    case PLACE_OPEN:
    case PLACE_STOP: break;
    }
    return EXPLANATION_NOT_KNOWN;
}

const struct explanation_support *place_support(struct place_explainer *x, uint32_t condition,
                                                uint32_t left)
{
    const struct sketch *sketch = place_explain_sketch(x, PLACE_EXPLAIN_NARROW);
    const struct clock_limit clock = clock_limit_part(x->clock, 1.0 / left);
    if (!sketch || !sketch->choice_count || condition >= PLACE_MOST_CONDITIONS)
        return NULL;
    struct place_question question = place_explain_question(x, sketch, &clock);
    struct explanation_support *support = ARENA_NEW(&x->arena, struct explanation_support);
    struct place_asker asker;
    const struct sketch_filling now = sketch_as_it_is(sketch);
    question.conditions = UINT64_C(1) << condition;
    question.forbidden = true;
    question.enough = MOST_SETS;
    *support = (struct explanation_support){.sketch = sketch};
    place_asker_init(&asker, &x->arena, &question);
    place_want(&asker, question.conditions);
    bool stands = place_try(&asker, &now, NULL).answer == PLACE_ACCEPTED;
    if (stands) {
        find_needed(x, &asker, support);
        support->suffices = suffice(&asker, support);
    }
    question.seconds = clock_seconds_left(&asker.clock);
    place_asker_fini(&asker);
    if (question.seconds < 0)
        question.seconds = 1e-9;
    if (stands && support->suffices == EXPLANATION_MORE)
        support->sets = place_explain_answer(x, &question);
    return stands ? support : NULL;
}
