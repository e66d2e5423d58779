#include "cli/cli_place_draw.h"

#include "ask/ask_show.h"
#include "ask/ask_wide.h"
#include "session/session_engines.h"
#include "session/session_filling.h"

/* ---- One execution ---- */

/* The state that breaks the condition, once more, or the crash from which recovery comes to it. */
static void show_state(const struct session_case *question, const struct outcome *outcome,
                       uint32_t number, struct report_gallery *gallery)
{
    const struct lit_condition *condition = &question->program->conditions[number];
    const struct outcome_states *states = outcome_states_of(outcome, condition->when);
    const struct engine_entry *engine = session_engine_of(session_engine_choosing, outcome);
    const struct ask_reaching reaching = {condition, gallery};
    const struct session_view view = ask_show_reaching(&reaching);
    SCOPED(arena) arena = {0};
    int64_t *row = ARENA_ARRAY(&arena, int64_t, states->width);
    if (condition->when == LIT_RECOVERED)
        ask_show_chain(question, engine, outcome, number, gallery);
    else if (outcome_find_deciding(outcome, question->program, condition, row)) {
        const struct session_sought sought = {condition->when == LIT_CRASHED, row, states->width};
        session_run_for(question, engine, &sought, &view);
    }
}

static void show(const struct session_case *question, const struct placement_reason *reason,
                 struct report_gallery *gallery)
{
    SCOPED(outcome) outcome;
    const struct ask_reaching reaching = {NULL, gallery};
    const struct session_view view = ask_show_reaching(&reaching);
    bool undefined = reason->kind == PLACEMENT_UNDEFINED;
    session_run(question, session_engine_choosing, &outcome, undefined ? &view : NULL);
    const struct session_case again = session_case_again(question);
    if (!undefined && reason->condition < question->program->condition_count)
        show_state(&again, &outcome, reason->condition, gallery);
}

/* NULL where there is nothing to be drawn. */
static const struct report_gallery *draw(struct cli_place_drawing *d,
                                         const struct sketch_filling *filling,
                                         const struct placement_reason *reason,
                                         struct report_place *report)
{
    const struct place_question *question = d->question;
    bool shown = reason->kind == PLACEMENT_VIOLATED || reason->kind == PLACEMENT_UNDEFINED;
    if (!shown)
        return NULL;
    if (d->pictures.count == CLI_PLACE_MOST_PICTURES || clock_is_late(&d->clock)) {
        report->undrawn = d->pictures.count == CLI_PLACE_MOST_PICTURES
                              ? arena_printf(d->arena, "not all is drawn: %d pictures are the most",
                                             (int)CLI_PLACE_MOST_PICTURES)
                              : "not all is drawn: the time limit ran out";
        return NULL;
    }
    struct session_settings *settings = ARENA_NEW(d->arena, struct session_settings);
    *settings = *question->settings;
    settings->engine = session_engine_choosing->name;
    settings->decide = true;
    settings->states = settings->beside_first = false;
    struct cli_place_picture *picture = ARENA_NEW(d->arena, struct cli_place_picture);
    VEC_PUSH(&d->pictures, picture);
    if (session_filling_read(&picture->test, settings, question->sketch, filling, reason->file)) {
        const struct session_case asked = session_case_begin(
            settings, question->model,
            place_settled(d->arena, question, &d->clock, reason->file, picture->test.program),
            question->parts);
        show(&asked, reason, &picture->gallery);
    }
    return picture->gallery.items.count ? &picture->gallery : NULL;
}

/* ---- All of them ---- */

static const struct report_gallery *const *draw_steps(struct cli_place_drawing *d,
                                                      const struct placement_filling *filling,
                                                      struct report_place *report)
{
    const struct report_gallery **steps =
        ARENA_ARRAY(d->arena, const struct report_gallery *, filling->step_count);
    for (uint32_t i = 0; i < filling->step_count; i++) {
        struct sketch_filling smaller = filling->filling;
        smaller.value[filling->steps[i].choice] = filling->steps[i].value;
        steps[i] = draw(d, &smaller, &filling->steps[i].reason, report);
    }
    return steps;
}

void cli_place_draw(struct cli_place_drawing *d, struct report_place *report)
{
    const struct placement *placement = report->placement;
    const struct report_gallery *const **steps =
        ARENA_ARRAY(d->arena, const struct report_gallery *const *, placement->count);
    const struct report_gallery **clashes =
        ARENA_ARRAY(d->arena, const struct report_gallery *, placement->clash_count);
    if (report->as_it_is) {
        const struct sketch_filling present = sketch_as_it_is(placement->sketch);
        report->present_picture = draw(d, &present, report->as_it_is, report);
    }
    for (uint32_t i = 0; i < report->shown_count; i++)
        steps[report->shown[i]] = draw_steps(d, &placement->fillings[report->shown[i]], report);
    for (uint32_t i = 0; i < placement->clash_count; i++)
        clashes[i] =
            draw(d, &placement->clashes[i].broken_by, &placement->clashes[i].reason, report);
    report->step_pictures = steps;
    report->clash_pictures = clashes;
}

void cli_place_draw_end(struct cli_place_drawing *d)
{
    for (size_t i = 0; i < d->pictures.count; i++) {
        report_gallery_fini(&d->pictures.items[i]->gallery);
        session_test_fini(&d->pictures.items[i]->test);
    }
    VEC_FREE(&d->pictures);
}
