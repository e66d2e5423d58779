#include "ask/ask_check.h"

#include "ask/ask_show.h"
#include "report/report.h"
#include "document/report_trace.h"
#include "session/session_run.h"

#include <inttypes.h>

/* One engine against the first. */
struct duel {
    const struct session_case *question;
    const struct engine_entry *engines[2];
    const struct outcome *outcomes[2];
    struct strbuf *out;
};

/* Nothing when the limits are met before the run is found. */
static void add_trace(const struct duel *duel, const struct outcome_states *states,
                      const int64_t *row, bool crash)
{
    SCOPED(trace) trace;
    trace_init(&trace);
    session_trace_state(duel->question, states, row, crash, &trace);
    const struct report_trace report = {
        .program = duel->question->program,
        .trace = &trace,
        .crash_mode = session_crash_mode(duel->question->settings, duel->question->program),
        .when = crash ? LIT_CRASHED : LIT_FINAL,
        .goal = ""};
    if (trace.answer == TRACE_FOUND)
        report_trace_table(&report, duel->out);
}

/* Of the engine that has the state. */
static void add_execution(const struct duel *duel, const struct agree_difference *difference,
                          const struct outcome_states *states)
{
    const struct engine_entry *owner = duel->engines[difference->owner];
    const struct ask_show show = {duel->out, NULL};
    const struct session_view view = ask_show_view(&show);
    bool crash = difference->aspect == AGREE_CRASH;
    if (owner->trace)
        add_trace(duel, states, difference->row, crash);
    else
        session_run_for(duel->question, owner,
                        &(struct session_sought){crash, difference->row, states->width}, &view);
}

static void add_state(const struct duel *duel, const struct agree_difference *difference)
{
    const struct outcome *outcome = duel->outcomes[difference->owner];
    const struct lit_program *program = duel->question->program;
    const struct outcome_states *states = agree_states(outcome, difference->aspect);
    const struct lit_program recovery = lit_recovery_program(duel->question->program);
    if (difference->aspect != AGREE_FINAL && difference->aspect != AGREE_CRASH)
        program = &recovery; /* whose registers the rest may mention */
    for (uint32_t i = 0; i < states->width; i++) {
        if (!report_is_shown(&states->items[i]))
            continue;
        strbuf_add_char(duel->out, ' ');
        report_item(program, &states->items[i], duel->out);
        strbuf_add_char(duel->out, '=');
        report_column(program, states->items, difference->row, i, duel->out);
        strbuf_add_char(duel->out, ';');
    }
    if (difference->count > 1)
        strbuf_printf(duel->out, " (the smallest of %zu that differ)", difference->count);
    strbuf_add_char(duel->out, '\n');
    if (difference->aspect == AGREE_FINAL || difference->aspect == AGREE_CRASH)
        add_execution(duel, difference, states);
}

static void add_undefined(const struct duel *duel, const struct outcome_undefined *undefined)
{
    strbuf_printf(duel->out, " %s", undefined->name);
    for (uint32_t i = 0; i < undefined->event_count; i++) {
        const struct outcome_event *event = &undefined->events[i];
        strbuf_printf(duel->out, "%s %s", i ? "," : ":", event->access);
        if (event->thread == LIT_NONE)
            continue;
        strbuf_printf(duel->out, " of %s",
                      outcome_thread(duel->question->program, event->thread)->name);
        report_where(duel->question->program, event->thread, event->line, duel->out);
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

static void tell_agreement(const struct duel *duel, const struct agreement *agreement)
{
    for (int side = 0; side < 2; side++)
        if (agreement->reasons[side])
            strbuf_printf(duel->out, "  not compared: %s: %s\n", duel->engines[side]->name,
                          agreement->reasons[side]);
    for (uint32_t i = 0; i < agreement->count; i++)
        add_difference(duel, &agreement->differences[i]);
}

static void tell_containment(const struct duel *duel, const char *name, const struct containment *c)
{
    static const char *const texts[] = {"every state is allowed", "shows states not allowed",
                                        "not compared: undefined", "not compared: "};
    strbuf_printf(duel->out, "  machine %s: %s%s", name, texts[c->answer],
                  c->reason ? c->reason : "");
    if (c->is_counted)
        strbuf_printf(duel->out,
                      "; never shown: %zu of %" PRIu64 " crash states, %zu of %" PRIu64
                      " final states",
                      c->never_crash, outcome_state_count(&duel->outcomes[0]->crash),
                      c->never_final, outcome_state_count(&duel->outcomes[0]->final));
    strbuf_add_char(duel->out, '\n');
    for (uint32_t i = 0; i < c->count; i++)
        add_difference(duel, &c->differences[i]);
}

void ask_cross_tell(const struct session_case *question, const struct session_answers *answers,
                    struct strbuf *out)
{
    for (uint32_t i = 1; i < answers->count; i++) {
        const struct session_standing *standing = &answers->standings[i];
        const struct duel duel = {question,
                                  {answers->engines[0], answers->engines[i]},
                                  {&answers->outcomes[0], &answers->outcomes[i]},
                                  out};
        if (standing->is_contained)
            tell_containment(&duel, answers->machine, &standing->containment);
        else
            tell_agreement(&duel, &standing->agreement);
    }
    /* what leaves an engine in doubt was told of it before */
    for (uint32_t i = 0; i < answers->count && answers->has_usual; i++) {
        const struct duel duel = {question,
                                  {answers->engines[i], session_engine_choosing},
                                  {&answers->outcomes[i], &answers->usual},
                                  out};
        if (answers->usual_to[i].count || (i == 0 && answers->usual_to[i].reasons[1]))
            tell_agreement(&duel, &answers->usual_to[i]);
    }
}

enum run_status ask_cross_status(enum ask_command command, enum session_accord accord)
{
    if (accord == SESSION_DISAGREE)
        return RUN_EXIT_DISAGREE;
    return accord == SESSION_NOT_COMPARED && command == ASK_CROSSCHECK ? RUN_EXIT_UNKNOWN
                                                                       : RUN_EXIT_OK;
}
