#include "cli/cli_contrast.h"

#include "ask/ask_show.h"
#include "document/report_json.h"
#include "document/report_text.h"
#include "session/session_refine.h"

/* Under strict persistency each pair leaves states of its own, which the lists that are compared do
 * not have as columns: so they are asked about apart. */
enum lit_verdict cli_contrast_verdict(const struct ask_options *options,
                                      const struct session_case *question,
                                      struct session_models *models, const struct cat_asker *asker,
                                      const struct outcome *outcome, enum run_status *status)
{
    const struct lit_program *program = question->program;
    bool disagree = false;
    if (!lit_asks_property(program, LIT_PROPERTY_ROBUST))
        return outcome_verdict(outcome, program);
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) dumps = {0};
    SCOPED(outcome) robust;
    const struct session_case again = session_case_begin(
        question->settings, question->model,
        session_properties(&arena, question, models, asker, &disagree), question->parts);
    ask_show_run(options, &again, &robust, &dumps);
    if (disagree)
        run_status_raise(status, RUN_EXIT_DISAGREE);
    return outcome_verdict(&robust, again.program);
}

/* The states of a contrast as texts, as outcomes go. */
static void keep_states(struct arena *arena, const struct lit_program *program,
                        const struct outcome *outcome, struct report_compare_held *held, int side)
{
    SCOPED(strbuf) text = {0};
    for (uint32_t i = 0; i < held->contrast.sides[side].count; i++) {
        const struct contrast_states *from = &held->contrast.sides[side].states[i];
        const struct outcome_states *states = agree_states(outcome, from->aspect);
        struct report_compare_states *to = &held->states[side][i];
        *to = (struct report_compare_states){.aspect = from->aspect, .count = from->count};
        const struct lit_program recovery = lit_recovery_program(program);
        const struct lit_program *own = from->aspect == AGREE_RECOVERED ? &recovery : program;
        strbuf_clear(&text);
        report_row(own, states->items, states->width, from->row, &text);
        to->text = arena_strdup(arena, strbuf_text(&text));
        strbuf_clear(&text);
        report_json_row(NULL, own, states, from->row, &text);
        to->json = arena_strdup(arena, strbuf_text(&text));
    }
}

void cli_contrast_hold(struct arena *arena, const struct lit_program *program,
                       const struct outcome *first, const struct outcome *other,
                       struct report_compare_held *held)
{
    held->held = true;
    held->contrast = contrast_of(first, other);
    keep_states(arena, program, first, held, 0);
    keep_states(arena, program, other, held, 1);
    for (int side = 0; side < 2; side++)
        if (held->contrast.sides[side].doubt)
            held->contrast.sides[side].doubt =
                arena_strdup(arena, held->contrast.sides[side].doubt);
}
