#include "ask/ask_wide.h"

#include "sketch/sites.h"
#include "place/place_weigh.h"
#include "session/session_test.h"

#include <string.h>

bool ask_wide_is_judged(const struct place_question *question)
{
    return ANY(f, question->sketch->given_count,
               question->settled[f] && question->settled[f]->condition_count);
}

struct place_tried ask_wide_try(struct arena *arena, const struct place_question *question,
                                const struct sketch_filling *filling)
{
    struct place_asker asker;
    place_asker_init(&asker, arena, question);
    struct place_tried tried = place_try(&asker, filling, NULL);
    place_asker_fini(&asker);
    if (tried.answer == PLACE_ACCEPTED && !ask_wide_is_judged(question)) {
        tried.answer = PLACE_OPEN;
        tried.reason = (struct placement_reason){
            .kind = PLACEMENT_UNKNOWN,
            .condition = LIT_NONE,
            .words = "there are no conditions, so nothing says what has to hold; write one, such "
                     "as 'crash ~exists (x = 1)'"};
    }
    return tried;
}

/* ---- Whether it is asked ---- */

static const char *unasked(const struct session_case *question,
                           const struct session_answers *answers)
{
    const struct lit_program *program = question->program;
    if (question->settings->property == SESSION_IDEMPOTENT_RECOVERY)
        return "recovery is judged by a property";
    if (program->condition_count == 0)
        return "there are no conditions";
    for (uint32_t i = 0; i < answers->count; i++)
        if (outcome_verdict(&answers->outcomes[i], program) != LIT_OK)
            return "the verdict is not ok";
    return NULL;
}

/* ---- The answer ---- */

/* The lightest first; as it is, no filling is shown, nor one that may not be minimal. */
static void choose_shown(struct ask_wide *wide)
{
    struct placement *placement = &wide->placement;
    struct place_weights weights;
    enum { MOST = 8 };
    uint32_t *shown = ARENA_ARRAY(&wide->arena, uint32_t, MOST);
    place_weights_init(&weights);
    place_order(&weights, &wide->arena, placement, false);
    for (uint32_t i = 0; i < placement->count && wide->place.shown_count < MOST; i++)
        if (!placement->fillings[i].disputed_by && !placement->fillings[i].unreduced &&
            place_changes(placement->sketch, &placement->fillings[i].filling))
            shown[wide->place.shown_count++] = i;
    wide->place.shown = shown;
}

static void find_changes(struct ask_wide *wide)
{
    const struct placement *placement = &wide->placement;
    uint32_t files = placement->sketch->file_count;
    struct changes *changes =
        ARENA_ARRAY(&wide->arena, struct changes, (size_t)placement->count * files);
    for (uint32_t i = 0; i < wide->place.shown_count; i++)
        for (uint32_t f = 0; f < files; f++) {
            uint32_t number = wide->place.shown[i];
            changes[(size_t)number * files + f] = changes_of(
                &wide->arena, placement->sketch, &placement->fillings[number].filling, f);
        }
    wide->place.changes = changes;
}

bool ask_wide_is_disputed(const struct ask_wide *wide)
{
    return placement_disputed_by(&wide->placement) != NULL;
}

/* What of the answer is open. */
static const char *doubt_of(struct ask_wide *wide)
{
    const struct placement *placement = &wide->placement;
    if (placement_disputed_by(placement))
        return arena_printf(&wide->arena, "%s disputes what place finds",
                            placement_disputed_by(placement));
    if (placement->limit)
        return placement->limit;
    if (placement->open_count)
        return arena_printf(&wide->arena, "%u of the narrower versions could not be decided: %s",
                            placement->open_count, placement->open_reasons[0].words);
    return placement->complete ? NULL : "not all was tried";
}

static const char *words_of(struct arena *arena, const struct place_tried *tried)
{
    const struct placement_reason *reason = &tried->reason;
    if (tried->answer == PLACE_STOP)
        return "the time limit ran out";
    return arena_printf(arena, "%s%s%s", placement_reason_word(reason->kind),
                        *reason->words ? ": " : "", reason->words);
}

static void answer(struct ask_wide *wide, const struct session_case *question,
                   const struct sketch *sketch)
{
    const struct clock_limit clock = session_settings_clock(question->settings);
    const struct place_question asked = {.sketch = sketch,
                                         .settings = question->settings,
                                         .model = question->model,
                                         .parts = question->parts,
                                         .settled = &question->program,
                                         .seconds = clock.seconds,
                                         .cpu_end = clock.cpu_end};
    const struct sketch_filling present = sketch_as_it_is(asked.sketch);
    const struct place_tried tried = ask_wide_try(&wide->arena, &asked, &present);
    if (tried.answer != PLACE_ACCEPTED) {
        wide->told.doubt = words_of(&wide->arena, &tried);
        return;
    }
    place_answer(&wide->arena, &asked, &wide->placement);
    const char **titles = ARENA_ARRAY(&wide->arena, const char *, 1);
    titles[0] = question->program->name;
    wide->place = (struct report_place){.titles = titles,
                                        .visibility = question->model->model->visibility,
                                        .persistency = question->model->model->persistency,
                                        .placement = &wide->placement};
    choose_shown(wide);
    find_changes(wide);
    wide->told.place = &wide->place;
    wide->told.doubt = doubt_of(wide);
}

void ask_wide_ask(struct ask_wide *wide, const struct session_case *question, const char *folder,
                  const struct session_answers *answers)
{
    const struct session_settings *settings = question->settings;
    const struct lit_surroundings surroundings = {.reach = &settings->reach,
                                                  .folder = folder,
                                                  .nowhere =
                                                      session_test_is_of_stream(settings, folder),
                                                  .uses = settings->uses,
                                                  .uses_count = settings->uses_count};
    const struct sites_wish wish = {.aim = SITES_NARROW, .surroundings = &surroundings};
    *wide = (struct ask_wide){.names = intern_new(), .source = question->program->source};
    wide->told.unasked = unasked(question, answers);
    if (wide->told.unasked)
        return;
    const struct sketch *sketch =
        sites_sketch(&wide->arena, wide->names, &wide->source, 1, &wish, &wide->diag);
    if (!sketch)
        wide->told.doubt = diag_first_error(&wide->diag)->message;
    else if (sketch->choice_count)
        answer(wide, question, sketch);
}

void ask_wide_fini(struct ask_wide *wide)
{
    diag_fini(&wide->diag);
    intern_free(wide->names);
    arena_fini(&wide->arena);
}
