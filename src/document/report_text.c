/* herd prints, for a test, its states, Ok or No, witness counts, the condition and an
 * observation. A test here may have several conditions, so that block is printed once
 * for each, after a line naming the models; states of a kind are listed in the first block that is
 * about them. As litmus7 does, `*>` marks those that decide a condition. */
#include "document/report_text.h"

#include "document/report_finding.h"
#include "document/report_product.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"

#include <inttypes.h>
#include <string.h>

static void add_state(const struct report_test *test, enum lit_when when, size_t number,
                      struct strbuf *out)
{
    report_state(test, when, number, out);
    strbuf_add(out, outcome_states_of(test->outcome, when)->width ? ";\n" : "\n");
}

bool report_state_decides(const struct report_test *test, enum lit_when when, const int64_t *row)
{
    return ANY(
        i, test->program->condition_count,
        test->program->conditions[i].when == when &&
            outcome_decides(test->outcome, test->program, &test->program->conditions[i], row));
}

static void add_heading(const struct report_test *test, enum lit_when when, const char *rest,
                        struct strbuf *out)
{
    static const char *const headings[] = {"States", "Crash states", "Recovered states"};
    strbuf_printf(out, "%s ", headings[when]);
    outcome_state_count_text(outcome_states_of(test->outcome, when), out);
    strbuf_add(out, rest);
}

static void add_states(const struct report_test *test, enum lit_when when, struct strbuf *out)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    add_heading(test, when, "\n", out);
    if (states->product && states->root != MDD_EMPTY) {
        const struct lit_program program = report_program(test, when);
        report_text_product(&program, states, out);
    }
    for (size_t i = 0; i < states->count; i++) {
        strbuf_add(out, report_state_decides(test, when, outcome_row(states, i)) ? "*>" : "");
        add_state(test, when, i, out);
    }
}

/* How many of the first `most` conditions are about such states. */
static uint32_t count_about(const struct report_test *test, enum lit_when when, uint32_t most)
{
    return COUNT_IF(i, most, test->program->conditions[i].when == when);
}

static const char *quantifier_word(enum lit_quantifier quantifier)
{
    static const char *const words[] = {"Allowed", "Forbidden", "Required"};
    return words[quantifier];
}

const char *report_verdict_word(enum lit_verdict verdict)
{
    static const char *const words[] = {"Ok", "Unknown", "No", "Undefined", "Error"};
    return words[verdict];
}

/* With a doubt, what was seen always, or never, may be so of what was seen alone: unknown. */
static const char *observation(const struct report_test *test,
                               const struct lit_condition *condition,
                               const struct outcome_judgement *judgement)
{
    const char *doubt = outcome_doubt_of(test->outcome, test->program, condition);
    if (judgement->positive && judgement->negative)
        return "Sometimes";
    if (doubt || judgement->verdict == LIT_UNKNOWN)
        return "Unknown";
    if (judgement->positive == 0)
        return "Never";
    return "Always";
}

static void add_text(const struct lit_condition *condition, struct strbuf *out)
{
    strbuf_printf(out, "Condition %s%s\n", condition->property ? "property " : "", condition->text);
}

static void add_counts(const struct report_test *test, const struct lit_condition *condition,
                       const struct outcome_judgement *judgement, struct strbuf *out)
{
    SCOPED(strbuf) positive = {0}, negative = {0};
    report_count(test, condition, judgement->positive, true, &positive);
    report_count(test, condition, judgement->negative, false, &negative);
    const char *with = strbuf_text(&positive), *without = strbuf_text(&negative);
    strbuf_printf(out, "Witnesses\nPositive: %s Negative: %s\n", with, without);
    add_text(condition, out);
    strbuf_printf(out, "Observation %s %s %s %s\n", test->program->name,
                  observation(test, condition, judgement), with, without);
}

/* Adds the state that decides the condition, if there is one that no mark shows. */
static void add_decision(const struct report_test *test, const struct lit_condition *condition,
                         struct strbuf *out)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, condition->when);
    const struct lit_program program = report_program(test, condition->when);
    int64_t *row = base_realloc(NULL, ((size_t)states->width + 1) * sizeof *row);
    if (outcome_find_deciding(test->outcome, test->program, condition, row)) {
        strbuf_add(out, "Decided by ");
        report_text_row(&program, states->items, states->width, row, out);
    }
    base_free(row);
}

void report_count(const struct report_test *test, const struct lit_condition *condition,
                  uint64_t count, bool positive, struct strbuf *out)
{
    if (count < UINT64_MAX)
        strbuf_printf(out, "%" PRIu64, count);
    else
        outcome_count_text(test->outcome, test->program, condition, positive, out);
}

void report_text_source(const struct report_test *test, const struct lit_condition *condition,
                        struct strbuf *out)
{
    const struct lit_refines *refines = condition->refines;
    if (!refines || !refines->own || refines->undefined)
        return;
    strbuf_printf(out, "Source states %" PRIu64 ", of", refines->states);
    for (uint32_t i = 0; i < refines->compared_count; i++)
        strbuf_printf(out, "%s %s", i ? "," : "",
                      test->program->locations[refines->compared[i]].name);
    for (uint32_t i = 0; i < refines->alone_count; i++)
        strbuf_printf(out, "%s%s",
                      i ? ", " : "; not compared, as one of the two lacks it or its values: ",
                      refines->alone[i]);
    strbuf_add_char(out, '\n');
    for (uint32_t i = 0; i < refines->without_meaning_count; i++)
        strbuf_printf(out, "%s%s%s",
                      i ? ", " : "Source without meaning: ", refines->without_meaning[i],
                      i + 1 == refines->without_meaning_count ? "\n" : "");
}

void report_text_vacuous(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    report_vacuous_words(test, number, &words);
    strbuf_printf(out, words.length ? "Remark %s\n" : "%s", strbuf_text(&words));
}

void report_text_reason(enum lit_verdict verdict, const char *reason, bool vacuous,
                        struct strbuf *out)
{
    strbuf_add(out, "Reason ");
    report_reason(verdict, reason, vacuous, out);
    strbuf_add_char(out, '\n');
}

/* It is of no states, so it has none to show. */
static void add_property(const struct report_test *test, const struct lit_condition *condition,
                         const struct outcome_judgement *judgement, struct strbuf *out)
{
    const struct outcome_undefined *fault;
    size_t at = 0;
    strbuf_printf(out, "Test %s Required\n%s\n", test->program->name,
                  report_verdict_word(judgement->verdict));
    if (judgement->reason)
        report_text_reason(judgement->verdict, judgement->reason, judgement->vacuous, out);
    add_text(condition, out);
    while ((fault = outcome_next_fault(test->outcome, condition->property, &at))) {
        strbuf_add(out, "Decided by ");
        report_undefined(test, fault, out);
        strbuf_add_char(out, '\n');
    }
}

static void add_condition(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    const struct lit_condition *condition = &program->conditions[number];
    struct outcome_judgement judgement = outcome_judge(test->outcome, program, condition);
    if (lit_asks_fault(condition)) {
        add_property(test, condition, &judgement, out);
        return;
    }
    bool alone = count_about(test, condition->when, program->condition_count) == 1;
    strbuf_printf(out, "Test %s %s\n", program->name, quantifier_word(condition->quantifier));
    if (!test->decided && count_about(test, condition->when, number))
        add_heading(test, condition->when, ", as above\n", out);
    else if (!test->decided)
        add_states(test, condition->when, out);
    strbuf_printf(out, "%s\n", report_verdict_word(judgement.verdict));
    if (judgement.reason)
        report_text_reason(judgement.verdict, judgement.reason, judgement.vacuous, out);
    report_text_vacuous(test, number, out);
    report_text_source(test, condition, out);
    if (test->decided)
        add_text(condition, out);
    else
        add_counts(test, condition, &judgement, out);
    if (test->outcome->chains && test->outcome->chains[number].recovered)
        report_text_chain(test, number, out);
    else if (!alone || test->decided || outcome_states_of(test->outcome, condition->when)->product)
        add_decision(test, condition, out);
}

/* Adds which work-item waits where, and which one does not arrive. */
static void add_divergence(const struct report_test *test,
                           const struct outcome_undefined *undefined, struct strbuf *out)
{
    const struct outcome_event *stuck = &undefined->events[0], *missing = &undefined->events[1];
    strbuf_printf(out, "%s waits in %s", outcome_thread(test->program, stuck->thread)->name,
                  stuck->access);
    report_where(test->program, stuck->thread, stuck->line, out);
    if (undefined->event_count == 1) {
        strbuf_add(out, " and too few take part to open it");
        return;
    }
    const char *ends = outcome_missing(test->program, missing->thread, NULL).access;
    strbuf_printf(out, " and %s %s", outcome_thread(test->program, missing->thread)->name,
                  missing->access);
    if (!test->program->source->option)
        strbuf_printf(
            out, strcmp(missing->access, ends) == 0 ? ", at line %u" : " (it stops at line %u)",
            missing->line);
    else if (missing->origin && missing->origin->text)
        strbuf_printf(out, " (it stops at %s)", missing->origin->text);
}

void report_undefined(const struct report_test *test, const struct outcome_undefined *undefined,
                      struct strbuf *out)
{
    strbuf_printf(out, "%s%s", undefined->name, undefined->event_count ? ": " : "");
    if (undefined->kind == OUTCOME_DIVERGENCE) {
        add_divergence(test, undefined, out);
        return;
    }
    if (undefined->kind == OUTCOME_TRANSACTION || undefined->kind == OUTCOME_UNSET ||
        undefined->kind == OUTCOME_ASSERTION || undefined->kind == OUTCOME_ENDLESS) {
        const struct outcome_event *event = &undefined->events[0];
        strbuf_printf(out, "%s %s", outcome_thread(test->program, event->thread)->name,
                      event->access);
        report_where(test->program, event->thread, event->line, out);
        return;
    }
    for (uint32_t k = 0; k < undefined->event_count; k++) {
        strbuf_add(out, k ? " and " : "");
        report_event(test->program, &undefined->events[k], out);
    }
}

void report_text_undefined(const struct report_test *test, struct strbuf *out)
{
    for (size_t i = 0; i < test->outcome->undefined.count; i++) {
        strbuf_add(out, "Undefined ");
        report_undefined(test, &test->outcome->undefined.items[i], out);
        strbuf_add_char(out, '\n');
    }
}

void report_without_meaning(const struct report_test *test, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct meaning_lacking lacking = meaning_lacking(&arena, test->program, test->model);
    for (uint32_t i = 0; i < lacking.count; i++)
        strbuf_printf(out, "%s%s", i ? ", " : "", lacking.names[i]);
}

void report_lacking(const struct meaning_lacking *lacking, uint32_t number, struct strbuf *out)
{
    strbuf_add(out, lacking->names[number]);
    if (lacking->elsewhere[number])
        strbuf_printf(out, " (has one on %s)", lacking->elsewhere[number]);
}

void report_all_lacking(const struct report_test *test, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct meaning_lacking lacking = meaning_lacking(&arena, test->program, test->model);
    for (uint32_t i = 0; i < lacking.count; i++) {
        strbuf_add(out, i ? ", " : "");
        report_lacking(&lacking, i, out);
    }
}

/* The first with these models; else it is told with that one. */
static bool is_first_with(const struct meaning_lacking *lacking, uint32_t number)
{
    const char *models = lacking->models[number];
    return models && !ANY(i, number, lacking->models[i] && strcmp(lacking->models[i], models) == 0);
}

void report_lacking_models(const struct report_test *test, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    const struct meaning_lacking lacking = meaning_lacking(&arena, test->program, test->model);
    bool some = false;
    for (uint32_t i = 0; i < lacking.count; i++) {
        uint32_t alike = 0;
        if (!is_first_with(&lacking, i))
            continue;
        strbuf_add(out, some ? "; " : "");
        for (uint32_t k = i; k < lacking.count; k++)
            if (lacking.models[k] && strcmp(lacking.models[k], lacking.models[i]) == 0)
                strbuf_printf(out, "%s%s", alike++ ? ", " : "", lacking.names[k]);
        strbuf_printf(out, " ha%s one under -p %s", alike > 1 ? "ve" : "s", lacking.models[i]);
        some = true;
    }
}

void report_text_without_meaning(const struct report_test *test, struct strbuf *out)
{
    SCOPED(strbuf) names = {0};
    report_all_lacking(test, &names);
    if (names.length)
        strbuf_printf(out, "Without meaning: %s\n", strbuf_text(&names));
}

void report_text_flag(const struct report_test *test, size_t flag, struct strbuf *out)
{
    const struct cat_check *check = report_warning_of(test, flag);
    strbuf_add(out, check ? "Warning " : "Flag ");
    if (check)
        report_warning(check, out);
    else
        strbuf_add(out, test->outcome->flags.items[flag]);
}

void report_text(const struct report_test *test, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    strbuf_add(out, "Models ");
    report_pair(test->model->visibility, test->model->persistency, out);
    strbuf_add_char(out, '\n');
    if (test->machine)
        strbuf_printf(out, "Machine %s\n", test->machine);
    for (uint32_t i = 0; i < program->condition_count; i++)
        add_condition(test, i, out);
    if (program->condition_count == 0)
        strbuf_printf(out, "Test %s\n", program->name);
    if (program->condition_count == 0 && !test->decided) {
        add_states(test, LIT_FINAL, out);
        if (test->outcome->crash.width)
            add_states(test, LIT_CRASHED, out);
        if (program->recovery_count)
            add_states(test, LIT_RECOVERED, out);
    }
    if (test->idempotence)
        report_text_idempotence(test, out);
    report_text_undefined(test, out);
    report_text_livelocks(test, out);
    if (outcome_any_doubt(test->outcome))
        strbuf_printf(out, "Doubt %s\n", outcome_any_doubt(test->outcome));
    if (report_nothing_judged(test))
        strbuf_printf(out, "Remark %s\n", report_nothing_judged(test));
    report_text_without_meaning(test, out);
    for (size_t i = 0; i < test->outcome->flags.count; i++) {
        report_text_flag(test, i, out);
        strbuf_add_char(out, '\n');
    }
    report_text_wide(test, out);
    strbuf_printf(out, "Verdict %s %s, expected %s\n%s\n", program->name,
                  lit_verdict_text(test->verdict), lit_verdict_text(test->expected),
                  test->remarks ? test->remarks : "");
}
