#include "cli/cli_cross.h"

#include "session/session_machines.h"
#include "cli/cli_reports.h"
#include "cli/cli_trace.h"
#include "report/report.h"

#include <string.h>

/* One engine against the first. */
struct duel {
    const struct cli_case *question;
    const struct engine_entry *engines[2];
    const struct outcome *outcomes[2];
    struct strbuf *out;
};

static bool is_machine(const struct engine_entry *engine)
{
    return strcmp(engine->name, SESSION_MACHINE_ENGINE) == 0;
}

/* `crosscheck` with one engine holds that against the first. */
uint32_t cli_answers_engines(const struct cli_options *options, const char *visibility,
                             const char *persistency, const struct engine_entry **engines)
{
    bool one = options->command == CLI_CROSSCHECK &&
               strcmp(options->settings.engine, SESSION_ALL_ENGINES) != 0;
    if (one)
        engines[0] = &session_engines[0];
    uint32_t count = one + session_engines_of(options->settings.engine, engines + one);
    bool spared = count > 1 && is_machine(engines[count - 1]) &&
                  !session_machine_promises(&options->settings, visibility, persistency);
    return count - spared;
}

void cli_answers_get(const struct cli_case *question, struct cli_answers *answers,
                     struct strbuf *dumps)
{
    const struct cat_model *model = question->model->model;
    arena_init(&answers->arena);
    answers->count = cli_answers_engines(question->options, model->visibility, model->persistency,
                                         answers->engines);
    const uint32_t last = answers->count - 1;
    bool asked = is_machine(answers->engines[last]);
    answers->machine = asked ? session_machine_name(&answers->arena, &question->options->settings,
                                                    model->visibility, model->persistency)
                             : NULL;
    bool keep = cli_reports_show_executions(question->options);
    for (uint32_t i = 0; i < answers->count; i++) {
        answers->galleries[i] = (struct report_gallery){0};
        const struct cli_view view = {dumps, keep ? &answers->galleries[i] : NULL};
        const struct cli_case own = cli_case_again(question);
        cli_run_engine(&own, answers->engines[i], &answers->outcomes[i], &view);
        for (uint32_t c = 0; keep && c < question->program->condition_count; c++)
            cli_run_keep_chain(&own, answers->engines[i], &answers->outcomes[i], c,
                               &answers->galleries[i]);
    }
    answers->is_contained = last > 0 && asked;
    if (answers->is_contained)
        answers->containment = agree_contain(&answers->outcomes[0], &answers->outcomes[last],
                                             question->program, question->options->settings.decide);
}

void cli_answers_fini(struct cli_answers *answers)
{
    for (uint32_t i = 0; i < answers->count; i++) {
        outcome_fini(&answers->outcomes[i]);
        report_gallery_fini(&answers->galleries[i]);
    }
    arena_fini(&answers->arena);
}

static void add_state(const struct duel *duel, const struct agree_difference *difference)
{
    const struct outcome *outcome = duel->outcomes[difference->owner];
    const struct lit_program *program = duel->question->program;
    bool crash = difference->aspect == AGREE_CRASH;
    const struct outcome_states *states = agree_states(outcome, difference->aspect);
    const struct lit_program recovery = lit_recovery_program(duel->question->program);
    if (difference->aspect != AGREE_FINAL)
        program = &recovery; /* whose registers the rest may mention */
    for (uint32_t i = 0; i < states->width; i++) {
        strbuf_add_char(duel->out, ' ');
        report_item(program, &states->items[i], duel->out);
        strbuf_add_char(duel->out, '=');
        report_item_value(program, &states->items[i], difference->row[i], duel->out);
        strbuf_add_char(duel->out, ';');
    }
    if (difference->count > 1)
        strbuf_printf(duel->out, " (the smallest of %zu that differ)", difference->count);
    strbuf_add_char(duel->out, '\n');
    if (difference->aspect != AGREE_FINAL && !crash)
        return;
    if (is_machine(duel->engines[difference->owner]))
        cli_trace_show(duel->question, states, difference->row, crash, duel->out);
    else
        cli_run_show(duel->question, duel->engines[difference->owner], crash, difference->row,
                     duel->out);
}

static void add_undefined(const struct duel *duel, const struct outcome_undefined *undefined)
{
    strbuf_printf(duel->out, " %s", undefined->name);
    for (uint32_t i = 0; i < undefined->event_count; i++) {
        const struct outcome_event *event = &undefined->events[i];
        strbuf_printf(duel->out, "%s %s", i ? "," : ":", event->access);
        if (event->thread != LIT_NONE)
            strbuf_printf(duel->out, " of %s at line %u",
                          outcome_thread(duel->question->program, event->thread)->name,
                          event->line);
    }
    strbuf_add_char(duel->out, '\n');
}

static void add_verdicts(const struct duel *duel, const struct agree_difference *difference)
{
    const struct lit_program *program = duel->question->program;
    strbuf_printf(duel->out, "  verdict of %s: %s says %s, %s says %s\n",
                  program->conditions[difference->condition].text, duel->engines[0]->name,
                  lit_verdict_text(difference->verdicts[0]), duel->engines[1]->name,
                  lit_verdict_text(difference->verdicts[1]));
}

static void add_difference(const struct duel *duel, const struct agree_difference *difference)
{
    if (difference->aspect == AGREE_VERDICT) {
        add_verdicts(duel, difference);
        return;
    }
    strbuf_printf(duel->out, "  %s of %s only:", agree_aspect_text(difference->aspect),
                  duel->engines[difference->owner]->name);
    if (difference->aspect == AGREE_UNDEFINED)
        add_undefined(duel, difference->undefined);
    else if (difference->aspect == AGREE_FLAG)
        strbuf_printf(duel->out, " %s\n", difference->flag);
    else
        add_state(duel, difference);
}

static enum cli_accord compare(const struct duel *duel)
{
    const struct cli_case *question = duel->question;
    struct agreement agreement =
        agree_compare(duel->outcomes[0], duel->outcomes[1], question->program,
                      question->options->settings.decide);
    enum cli_accord accord = CLI_AGREE;
    for (int side = 0; side < 2; side++)
        if (agreement.reasons[side]) {
            strbuf_printf(duel->out, "  not compared: %s: %s\n", duel->engines[side]->name,
                          agreement.reasons[side]);
            accord = CLI_NOT_COMPARED;
        }
    for (uint32_t i = 0; i < agreement.count; i++)
        add_difference(duel, &agreement.differences[i]);
    return agreement.count ? CLI_DISAGREE : accord;
}

/* ---- Machines --------------------------------------------------------------------------- */

static void add_never_shown(const struct containment *c, const struct outcome *model,
                            struct strbuf *out)
{
    if (c->is_counted)
        strbuf_printf(out, "; never shown: %zu of %zu crash states, %zu of %zu final states",
                      c->never_crash, model->crash.count, c->never_final, model->final.count);
}

static enum cli_accord contain(const struct duel *duel, const char *name,
                               const struct containment *c)
{
    static const char *const texts[] = {"every state is allowed", "shows states not allowed",
                                        "not compared: undefined", "not compared: "};
    static const enum cli_accord accords[] = {CLI_AGREE, CLI_DISAGREE, CLI_AGREE, CLI_NOT_COMPARED};
    strbuf_printf(duel->out, "  machine %s: %s%s", name, texts[c->answer],
                  c->reason ? c->reason : "");
    add_never_shown(c, duel->outcomes[0], duel->out);
    strbuf_add_char(duel->out, '\n');
    for (uint32_t i = 0; i < c->count; i++)
        add_difference(duel, &c->differences[i]);
    return accords[c->answer];
}

enum cli_accord cli_answers_compare(const struct cli_case *question,
                                    const struct cli_answers *answers, struct strbuf *out)
{
    enum cli_accord worst = CLI_AGREE;
    for (uint32_t i = 1; i < answers->count; i++) {
        const struct duel duel = {question,
                                  {answers->engines[0], answers->engines[i]},
                                  {&answers->outcomes[0], &answers->outcomes[i]},
                                  out};
        enum cli_accord accord = is_machine(answers->engines[i])
                                     ? contain(&duel, answers->machine, &answers->containment)
                                     : compare(&duel);
        if (accord > worst)
            worst = accord;
    }
    return worst;
}

enum cli_status cli_accord_status(enum cli_command command, enum cli_accord accord)
{
    if (accord == CLI_DISAGREE)
        return CLI_EXIT_DISAGREE;
    return accord == CLI_NOT_COMPARED && command == CLI_CROSSCHECK ? CLI_EXIT_UNKNOWN : CLI_EXIT_OK;
}
