/* Recovery in reports: the chain from a crash state through runs of recovery to a recovered
 * state, states from which recovery never completes, and what leads to what. */
#include "base/json.h"
#include "document/report_json.h"
#include "document/report_text.h"
#include "report/report_vacuous.h"

/* ---- Chains ---- */

static void add_crash_row(const struct report_test *test, const int64_t *row, struct strbuf *out)
{
    const struct outcome_states *starts = &test->outcome->starts;
    report_text_row(test->program, starts->items, starts->width, row, out);
}

static void add_step(const struct report_test *test, const struct outcome_step *step,
                     struct strbuf *out)
{
    strbuf_printf(out, "  %s line %-3u %s", outcome_thread(test->program, step->event.thread)->name,
                  step->event.line, step->event.access);
    if (step->has_value) {
        strbuf_add(out, step->is_read ? " reads " : " = ");
        lit_value_print(step->type, step->value, out);
    }
    if (step->is_read && step->has_value && step->source.thread == LIT_NONE) {
        strbuf_add(out, ", as recovery found it");
    } else if (step->is_read && step->has_value) {
        strbuf_add(out, " from ");
        report_event(test->program, &step->source, out);
    }
    strbuf_add(out, step->lost ? ", lost\n" : "\n");
}

static void add_link(const struct report_test *test, const struct outcome_link *link, bool first,
                     struct strbuf *out)
{
    strbuf_add(out, first                ? "From crash state "
                    : link[-1].completes ? "Recovery again, from the recovered state "
                                         : "Crash in recovery, which leaves ");
    add_crash_row(test, link->start, out);
    for (uint32_t i = 0; i < link->step_count; i++)
        add_step(test, &link->steps[i], out);
}

static void add_chain(const struct report_test *test, const struct outcome_chain *chain,
                      struct strbuf *out)
{
    const struct outcome_states *recovered = &test->outcome->recovered;
    const struct lit_program recovery = lit_recovery_program(test->program);
    if (!chain->recovered)
        return;
    for (uint32_t i = 0; i < chain->link_count; i++)
        add_link(test, &chain->links[i], i == 0, out);
    strbuf_add(out, "Recovered state ");
    report_text_row(&recovery, recovered->items, recovered->width, chain->recovered, out);
}

void report_text_chain(const struct report_test *test, uint32_t condition, struct strbuf *out)
{
    if (test->outcome->chains)
        add_chain(test, &test->outcome->chains[condition], out);
}

static void add_json_step(const struct report_test *test, const struct outcome_step *step,
                          struct strbuf *out)
{
    emit_object(out, NULL);
    report_json_event("event", test->program, &step->event, out);
    if (step->has_value) {
        emit_name(out, "value");
        lit_value_print(step->type, step->value, out);
    }
    if (step->is_read && step->has_value)
        report_json_event("from", test->program, &step->source, out);
    if (step->lost)
        emit_bool(out, "lost", true);
    emit_end(out, '}');
}

static void add_json_link(const struct report_test *test, const struct outcome_link *link,
                          struct strbuf *out)
{
    emit_object(out, NULL);
    report_json_row("start", test->program, &test->outcome->starts, link->start, out);
    emit_array(out, "steps");
    for (uint32_t i = 0; i < link->step_count; i++)
        add_json_step(test, &link->steps[i], out);
    emit_end(out, ']');
    emit_end(out, '}');
}

static void add_json_chain(const struct report_test *test, const struct outcome_chain *chain,
                           struct strbuf *out)
{
    const struct lit_program recovery = lit_recovery_program(test->program);
    if (!chain->recovered)
        return;
    emit_object(out, "chain");
    emit_array(out, "recoveries");
    for (uint32_t i = 0; i < chain->link_count; i++)
        add_json_link(test, &chain->links[i], out);
    emit_end(out, ']');
    report_json_row("recovered", &recovery, &test->outcome->recovered, chain->recovered, out);
    emit_end(out, '}');
}

void report_json_chain(const struct report_test *test, uint32_t condition, struct strbuf *out)
{
    if (test->outcome->chains)
        add_json_chain(test, &test->outcome->chains[condition], out);
}

/* ---- Idempotence ---- */

void report_text_idempotence(const struct report_test *test, struct strbuf *out)
{
    const struct idempotence *answer = test->idempotence;
    strbuf_printf(out, "%s\n", report_verdict_word(answer->verdict));
    if (answer->reason)
        report_text_reason(answer->verdict, answer->reason, answer->vacuous, out);
    strbuf_add(out, "Property idempotent-recovery\n");
    add_chain(test, &answer->chain, out);
}

void report_json_idempotence(const struct report_test *test, struct strbuf *out)
{
    const struct idempotence *answer = test->idempotence;
    if (!answer)
        return;
    emit_object(out, "property");
    emit_string(out, "name", "idempotent-recovery");
    emit_string(out, "verdict", lit_verdict_text(answer->verdict));
    report_reason_json(answer->verdict, answer->reason, answer->vacuous, out);
    add_json_chain(test, &answer->chain, out);
    emit_end(out, '}');
}

/* ---- Livelocks ---- */

static void add_cycle(const struct report_test *test, const uint32_t *cycle, uint32_t length,
                      struct strbuf *out)
{
    const struct outcome_states *livelocks = &test->outcome->livelocks;
    for (uint32_t i = 1; i < length; i++) {
        strbuf_add(out, "  a crash in it leaves ");
        add_crash_row(test, outcome_row(livelocks, cycle[i]), out);
    }
    if (length)
        strbuf_add(out, "  and from there a crash leads back to the first\n");
}

void report_text_livelocks(const struct report_test *test, struct strbuf *out)
{
    const struct outcome_states *livelocks = &test->outcome->livelocks;
    SCOPED(arena) arena = {0};
    uint32_t *cycle = ARENA_ARRAY(&arena, uint32_t, livelocks->count);
    for (size_t i = 0; i < livelocks->count; i++) {
        strbuf_add(out, "Livelock recovery never completes from ");
        add_crash_row(test, outcome_row(livelocks, i), out);
        add_cycle(test, cycle, outcome_livelock_cycle(test->outcome, i, cycle), out);
    }
}

/* ---- JSON ---- */

/* Adds for each recovered state the places of its crash states in "crash_states". */
static void add_sources(const struct outcome *outcome, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct outcome_sources *sources = outcome_recovered_from(&arena, outcome);
    emit_array(out, "recovered_from");
    for (size_t i = 0; i < outcome->recovered.count; i++) {
        emit_array(out, NULL);
        for (uint32_t k = 0; k < sources[i].count; k++)
            emit_number(out, NULL, sources[i].crash[k]);
        emit_end(out, ']');
    }
    emit_end(out, ']');
}

/* Adds pairs of a state that recovery starts on, and one that a crash within it leaves. */
static void add_restarts(const struct report_test *test, struct strbuf *out)
{
    const struct outcome_states *starts = &test->outcome->starts;
    const struct outcome_states *pairs = &test->outcome->restarts;
    emit_array(out, "restarts");
    for (size_t i = 0; i < pairs->count; i++) {
        const int64_t *row = outcome_row(pairs, i);
        emit_object(out, NULL);
        report_json_row("from", test->program, starts, row, out);
        report_json_row("to", test->program, starts, row + starts->width, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

void report_json_recovery(const struct report_test *test, struct strbuf *out)
{
    const struct outcome *outcome = test->outcome;
    const struct lit_program recovery = lit_recovery_program(test->program);
    if (!test->decided)
        report_json_rows("recovered_states", &recovery, &outcome->recovered, out);
    if (test->program->recovery_count && !test->decided) {
        add_sources(outcome, out);
        add_restarts(test, out);
    }
    if (test->program->recovery_count)
        report_json_rows("livelocks", test->program, &outcome->livelocks, out);
}
