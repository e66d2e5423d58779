/* Explanations: an execution step by step, or reasons, with the lines of the test that they
 * are about. */
#include "document/report_explain.h"

#include "base/json.h"
#include "document/report_answer.h"
#include "document/report_finding.h"
#include "report/report_vacuous.h"
#include "document/report_json.h"
#include "document/report_text.h"

#include <string.h>

const char *report_explain_thread(const struct report_explanation *r,
                                  const struct outcome_event *event)
{
    return event->thread == LIT_NONE ? "the start"
                                     : outcome_thread(r->test.program, event->thread)->name;
}

/* Two statements of one line that make the same access. */
static bool are_alike(const struct outcome_event *a, const struct outcome_event *b)
{
    return a->access && b->access && outcome_same_event(a, b) && a->column != b->column;
}

/* Does the explanation speak of another event that has the same words? */
static bool is_ambiguous(const struct explanation *e, const struct outcome_event *event)
{
    for (size_t i = 0; i < e->steps.count; i++)
        if (are_alike(&e->steps.items[i].event, event))
            return true;
    for (size_t i = 0; i < e->reasons.count; i++)
        for (uint32_t k = 0; k < e->reasons.items[i].pair_count; k++)
            if (are_alike(&e->reasons.items[i].pairs[k].from, event) ||
                are_alike(&e->reasons.items[i].pairs[k].to, event))
                return true;
    for (size_t i = 0; i < e->line_sets.count; i++)
        for (uint32_t k = 0; k < e->line_sets.items[i].count; k++)
            if (are_alike(&e->line_sets.items[i].events[k], event))
                return true;
    return false;
}

void report_explain_event(const struct report_explanation *r, const struct outcome_event *event,
                          struct strbuf *out)
{
    report_event(r->test.program, event, out);
    if (event->thread != LIT_NONE && event->column && is_ambiguous(r->explanation, event))
        strbuf_printf(out, ", column %u",
                      report_character_column(r->test.program->source, event->line, event->column));
}

/* Narrows a line of a table to what stands in the cell with this column, from 1. */
static const char *find_cell(const char *text, size_t *length, uint32_t column)
{
    size_t begin = column && column <= *length ? column - 1 : 0, end = begin;
    while (begin > 0 && text[begin - 1] != '|')
        begin--;
    while (end < *length && !strchr("|;", text[end]))
        end++;
    *length = end - begin;
    return text + begin;
}

void report_source_text(const struct lit_program *program, uint32_t line, uint32_t column,
                        struct strbuf *out)
{
    size_t length;
    const char *text = source_line(program->source, line, &length);
    if (program->is_table && column)
        text = find_cell(text, &length, column);
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    while (length && strchr(" \t", *text))
        text++, length--;
    strbuf_add_bytes(out, text, length);
}

void report_explain_source(const struct report_explanation *r, const struct outcome_event *event,
                           struct strbuf *out)
{
    report_source_text(r->test.program, event->line, event->column, out);
}

/* ---- Steps ---- */

void report_explain_step(const struct report_explanation *r, const struct explanation_step *step,
                         struct strbuf *out)
{
    const bool crash = step->kind == EXPLANATION_CRASH;
    if (step->kind == EXPLANATION_CYCLE)
        strbuf_printf(out, "executes-before has a cycle: no one of the next %u comes first",
                      step->count);
    else
        strbuf_add(out, crash ? "crash: power fails here" : step->event.access);
    if (crash && step->event.line)
        strbuf_printf(out, ", at line %u", step->event.line);
    if (crash && step->event.line && *step->event.access)
        strbuf_printf(out, " (%s)", step->event.access);
    else if (step->kind == EXPLANATION_DURABLE)
        strbuf_add(out, " becomes durable");
    else if (step->has_value && step->is_read) {
        strbuf_add(out, " reads ");
        lit_value_print(step->type, step->value, out);
        strbuf_add(out, " from ");
        report_explain_event(r, &step->source, out);
    } else if (step->has_value) {
        strbuf_add(out, " = ");
        lit_value_print(step->type, step->value, out);
    }
}

/* What the crash loses stands below it. */
static void add_lost(const struct report_explanation *r, struct strbuf *out)
{
    for (size_t i = 0; i < r->explanation->steps.count; i++) {
        const struct explanation_step *at = &r->explanation->steps.items[i];
        if (at->lost || at->lands_last) {
            strbuf_add(out, at->lost ? "      lost: " : "      lands last: ");
            report_explain_event(r, &at->event, out);
            strbuf_add_char(out, '\n');
        }
    }
}

static void add_text_step(const struct report_explanation *r, const struct explanation_step *step,
                          uint32_t number, struct strbuf *out)
{
    const bool crash = step->kind == EXPLANATION_CRASH, cycle = step->kind == EXPLANATION_CYCLE;
    if (crash || cycle)
        strbuf_add(out, crash ? "  -- " : "      ");
    else if (step->together)
        strbuf_add(out, "    & ");
    else
        strbuf_printf(out, "%4u. ", number);
    if (!crash && !cycle)
        strbuf_printf(out, "%s line %-3u ", report_explain_thread(r, &step->event),
                      step->event.line);
    report_explain_step(r, step, out);
    if (step->kind == EXPLANATION_EXECUTES) {
        strbuf_add(out, "  | ");
        report_explain_source(r, &step->event, out);
    }
    strbuf_add(out, crash ? " --\n" : "\n");
    if (crash)
        add_lost(r, out);
}

void report_explain_why_not(const struct lit_program *program, const struct explanation_gap *gap,
                            const char *before, struct strbuf *out)
{
    static const char *const scopes[] = {LIT_SCOPES(TABLE_FOURTH)};
    if (gap->why_not == EXPLANATION_UNTOLD && !gap->has_beside)
        return;
    strbuf_add(out, before);
    if (gap->has_beside) {
        report_event(program, &gap->beside, out);
        strbuf_printf(out, " stands %s both", gap->beside_behind ? "behind" : "before");
    } else if (gap->why_not == EXPLANATION_NARROW && gap->wider) {
        strbuf_printf(out, "its scope is too narrow; %s in its place would", gap->wider);
    } else if (gap->why_not == EXPLANATION_NARROW) {
        strbuf_printf(out, "its scope is too narrow; %s %s%s it would", gap->word ? "with" : "of",
                      gap->word ? gap->word : scopes[gap->scope], gap->word ? "" : "_scope");
    } else if (gap->why_not == EXPLANATION_OF_OTHERS) {
        strbuf_printf(out, "it orders writes of %s before it, such as %s at line %u, and not ",
                      outcome_thread(program, gap->between.thread)->name, gap->own.access,
                      gap->own.line);
        report_event(program, &gap->earlier, out);
    } else {
        strbuf_printf(out, "%sa persist barrier%s%s%s in %s place would",
                      gap->only_visible
                          ? "it orders what work-items see, and not what becomes durable; "
                          : "",
                      gap->scope ? " of " : "", gap->scope ? scopes[gap->scope] : "",
                      gap->scope ? "_scope" : "", gap->is_part ? "the fence's" : "its");
    }
}

void report_explain_unstored(const struct lit_program *program, const struct outcome_event *event,
                             struct strbuf *out)
{
    strbuf_printf(out, "%s has not come to its %s at line %u",
                  outcome_thread(program, event->thread)->name, event->access, event->line);
}

static void add_others(const struct lit_program *program, const struct explanation_gap *gap,
                       struct strbuf *out)
{
    for (uint32_t i = 0; i < gap->other_count; i++) {
        strbuf_add(out, i ? ", " : gap->other_count > 1 ? "\n  nor do " : "\n  nor does ");
        report_event(program, &gap->others[i], out);
    }
}

static void add_gap(const struct lit_program *program, const struct explanation_gap *gap,
                    struct strbuf *out)
{
    strbuf_add(out, "Missing order: in this execution nothing makes ");
    report_event(program, &gap->earlier, out);
    strbuf_add(out, " durable before ");
    report_event(program, &gap->later, out);
    strbuf_add(out, gap->has_between ? "\n  between them stands " : "\n  " REPORT_NOTHING_BETWEEN);
    if (gap->has_between) {
        report_event(program, &gap->between, out);
        strbuf_add(out, ", which does not order them");
    }
    report_explain_why_not(program, gap, gap->has_between ? ":\n    " : "; ", out);
    add_others(program, gap, out);
    strbuf_add_char(out, '\n');
}

static void add_unchanged(const struct report_explanation *r, const struct explanation_step *step,
                          struct strbuf *out)
{
    report_explain_event(r, &step->event, out);
    strbuf_add(out, " stores ");
    lit_value_print(step->type, step->value, out);
    strbuf_add(out, ", which is there from the start:\n  whether it is lost cannot be seen; begin"
                    " with another value\n");
}

/* Of passes of a loop the first is told. */
static bool is_another_pass(const struct explanation *e, size_t at)
{
    return ANY(i, at,
               e->steps.items[i].unchanged &&
                   e->steps.items[i].event.instr == e->steps.items[at].event.instr);
}

static void add_text_orders(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    for (size_t i = 0; i < e->chosen.count; i++) {
        strbuf_printf(out, "Chosen order: %s has ", e->chosen.items[i].order);
        report_event(r->test.program, &e->chosen.items[i].earlier, out);
        strbuf_add(out, " before ");
        report_event(r->test.program, &e->chosen.items[i].later, out);
        strbuf_add_char(out, '\n');
    }
    for (size_t i = 0; i < e->gaps.count; i++)
        add_gap(r->test.program, &e->gaps.items[i], out);
    for (size_t i = 0; i < e->unstored.count; i++) {
        report_explain_unstored(r->test.program, &e->unstored.items[i], out);
        strbuf_add(out, " when power fails\n");
    }
    for (size_t i = 0; i < e->steps.count; i++)
        if (e->steps.items[i].unchanged && !is_another_pass(e, i))
            add_unchanged(r, &e->steps.items[i], out);
}

void report_text_execution(const struct report_explanation *r, struct strbuf *out)
{
    uint32_t number = 0;
    for (size_t i = 0; i < r->explanation->steps.count; i++) {
        const struct explanation_step *step = &r->explanation->steps.items[i];
        number += !step->together && step->kind < EXPLANATION_CYCLE;
        add_text_step(r, step, number, out);
    }
    strbuf_add(out, "State ");
    report_text_row(r->test.program, r->explanation->items, r->explanation->width,
                    r->explanation->row, out);
    if (r->explanation->doubt)
        strbuf_printf(out, "%s not looked for to the end: %s\n",
                      number ? "A crash that loses less, or has fewer steps, was"
                             : "The steps to it were",
                      r->explanation->doubt);
}

void report_text_steps(const struct report_explanation *r, struct strbuf *out)
{
    if (r->part != REPORT_EXPLAINED_REST && r->shown_for)
        strbuf_printf(out, "As for condition %u, by the same execution\n", r->shown_for);
    else if (r->part != REPORT_EXPLAINED_REST)
        report_text_execution(r, out);
    if (r->part != REPORT_EXPLAINED_STEPS)
        add_text_orders(r, out);
}

/* ---- What follows for the condition ---- */

/* What a state does that is asked for. */
static const char *verb_of(const struct report_explanation *r)
{
    return r->condition->quantifier == LIT_FORALL ? "breaks" : "satisfies";
}

static struct outcome_judgement judge(const struct report_explanation *r)
{
    return explanation_judge(r->explanation, r->test.outcome, r->condition);
}

/* Once a decided test is undefined nobody looks whether there is a state of the kind at all. */
static bool may_be_of_nothing(const struct report_explanation *r)
{
    const struct outcome *outcome = r->test.outcome;
    return outcome->undefined.count && outcome->decided && !outcome->met[r->condition->when] &&
           r->explanation->answer == EXPLANATION_UNREACHABLE;
}

/* "Holds: ", or "As if it were defined (holds): ", which is no verdict. */
static void add_verdict(const struct report_explanation *r, struct strbuf *out)
{
    const bool defined = r->test.outcome->undefined.count == 0;
    const enum lit_verdict verdict = judge(r).verdict;
    strbuf_printf(out, "%s%s%s%s: ", defined ? "" : "As if it were defined (",
                  report_answer_word(verdict, defined),
                  verdict == LIT_OK && may_be_of_nothing(r) ? ", if there is such a state at all"
                                                            : "",
                  defined ? "" : ")");
}

void report_explain_none(const struct report_explanation *r, struct strbuf *out)
{
    add_verdict(r, out);
    strbuf_printf(out, "no state %s it", verb_of(r));
}

/* Behind a state that is there: why the verdict is another all the same. */
static void add_text_but(const struct report_explanation *r, struct strbuf *out)
{
    const struct outcome_judgement judgement = judge(r);
    if (judgement.reason) {
        strbuf_add(out, "; ");
        report_reason(judgement.verdict, judgement.reason, judgement.vacuous, out);
    }
    strbuf_add_char(out, '\n');
}

/* ---- Recovery ---- */

static bool is_on_recovery(const struct report_explanation *r)
{
    return r->condition->when == LIT_RECOVERED;
}

/* A write, or a version that another one has replaced. */
static bool lost_something(const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->steps.count; i++)
        if (explanation->steps.items[i].lost || explanation->steps.items[i].lands_last)
            return true;
    return false;
}

/* Where a condition is broken though no crash on the chain lost anything. */
static void add_nothing_lost(const struct report_explanation *r, struct strbuf *out)
{
    bool told = r->crash_count > 0 && r->condition->quantifier != LIT_EXISTS &&
                r->test.outcome->livelocks.count == 0;
    for (uint32_t i = 0; i < r->crash_count; i++)
        told = told && r->crashes[i].explanation->answer == EXPLANATION_REACHABLE &&
               !lost_something(r->crashes[i].explanation);
    if (told)
        strbuf_add(out, "Nothing is lost: all that was executed before a crash is durable, so the"
                        " fault is in the order\n  of execution, or in what recovery does\n");
}

/* The chain first, then how each crash on it comes about. */
static void add_text_chain(const struct report_explanation *r, struct strbuf *out)
{
    report_text_chain(&r->test, r->number - 1, out);
    report_text_livelocks(&r->test, out);
    for (uint32_t i = 0; i < r->crash_count; i++) {
        struct report_explanation part = *r;
        part.test.program = r->crashes[i].program;
        part.explanation = r->crashes[i].explanation;
        strbuf_add(out, i ? "The next crash comes in recovery:\n"
                          : "How the crash state comes about:\n");
        if (part.explanation->answer == EXPLANATION_REACHABLE)
            report_text_steps(&part, out);
        else
            strbuf_add(out, "  the time ran out before that was found\n");
    }
    add_nothing_lost(r, out);
}

/* "2 crash states" */
static void add_state_count(const struct outcome_states *states, const char *what,
                            struct strbuf *out)
{
    const size_t before = out->length;
    outcome_state_count_text(states, out);
    bool one = strcmp(strbuf_text(out) + before, "1") == 0;
    strbuf_printf(out, " %sstate%s", what, one ? "" : "s");
}

static void add_unreachable_recovered(const struct report_explanation *r, struct strbuf *out)
{
    add_verdict(r, out);
    strbuf_add(out, "recovery of the ");
    add_state_count(&r->test.outcome->crash, "crash ", out);
    strbuf_add(out, " leaves ");
    add_state_count(&r->test.outcome->recovered, "", out);
    strbuf_printf(out, ", and none %s it\n", verb_of(r));
}

/* Behind why no state is there. */
static void add_text_reason(const struct report_explanation *r, struct strbuf *out)
{
    const struct outcome_judgement judgement = judge(r);
    if (!judgement.reason)
        return;
    const bool defined = r->test.outcome->undefined.count == 0;
    const char *is = defined ? "is" : "would be";
    if (judgement.verdict == LIT_ERROR)
        strbuf_printf(out, "So the answer %s an error: ", is);
    else if (judgement.verdict == LIT_OK)
        strbuf_printf(out, "So the condition %s of nothing, as the test expects: ",
                      defined ? "holds" : "would hold");
    else
        strbuf_printf(out, "So the condition %s %s: ", is,
                      report_answer_word(judgement.verdict, false));
    report_reason(judgement.verdict, judgement.reason, judgement.vacuous, out);
    strbuf_add_char(out, '\n');
}

static void add_reachable(const struct report_explanation *r, struct strbuf *out)
{
    if (is_on_recovery(r) && r->test.outcome->livelocks.count) {
        add_verdict(r, out);
        strbuf_add(out, "livelock: from some crash state recovery never completes\n");
    } else if (r->part != REPORT_EXPLAINED_REST) {
        add_verdict(r, out);
        strbuf_printf(out, "a %sstate %s it", is_on_recovery(r) ? "recovered " : "", verb_of(r));
        add_text_but(r, out);
    }
    if (is_on_recovery(r))
        add_text_chain(r, out);
    else
        report_text_steps(r, out);
}

static void add_question(const struct report_explanation *r, struct strbuf *out)
{
    SCOPED(strbuf) models = {0};
    strbuf_printf(out, "Test %s, models %s + %s", r->test.program->name, r->test.model->visibility,
                  r->test.model->persistency);
    if (r->test.models)
        strbuf_printf(out, ", named by %s", lit_models_file(r->test.models));
    strbuf_add(out, "\n");
    report_text_without_meaning(&r->test, out);
    report_lacking_models(&r->test, &models);
    if (models.length)
        strbuf_printf(out, "  %s\n", strbuf_text(&models));
    if (r->explanation)
        report_text_undefined(&r->test, out);
    if (r->explanation && r->test.outcome->undefined.count)
        strbuf_add(out, "So any result is allowed\n");
    strbuf_printf(out, "Condition %u %s%s\n", r->number, r->condition->property ? "property " : "",
                  r->condition->text);
}

static void add_unknown(const struct report_explanation *r, struct strbuf *out)
{
    const char *doubt = r->explanation->doubt;
    add_verdict(r, out);
    strbuf_add(out, doubt ? doubt : "the solver gave up");
    add_text_but(r, out);
}

/* Of a property that no states decide. */
static void add_fault(const struct report_explanation *r, struct strbuf *out)
{
    const enum lit_verdict verdict =
        outcome_judge(r->test.outcome, r->test.program, r->condition).verdict;
    strbuf_printf(out, "%s: ", report_answer_word(verdict, true));
    report_answer_condition(&r->test, r->number - 1, out);
    strbuf_add_char(out, '\n');
}

static void add_answer(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    if (!e) {
        add_fault(r, out);
        return;
    }
    if (e->answer == EXPLANATION_REACHABLE)
        add_reachable(r, out);
    else if (e->answer == EXPLANATION_UNKNOWN)
        add_unknown(r, out);
    else if (is_on_recovery(r))
        add_unreachable_recovered(r, out);
    else
        report_text_unreachable(r, out);
    if (e->answer == EXPLANATION_UNREACHABLE)
        add_text_reason(r, out);
    if (r->part != REPORT_EXPLAINED_STEPS)
        report_text_vacuous(&r->test, r->number - 1, out);
}

void report_explain_tree(const struct report_explanation *r, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_VERBATIM, "chain words");
    if (r->part != REPORT_EXPLAINED_REST)
        add_question(r, &tree->text);
    if (report_support_leads(r)) {
        report_tree_end(tree);
        report_explain_advice(r, tree);
        report_tree_begin(tree, REPORT_VERBATIM, "chain words");
    }
    add_answer(r, &tree->text);
    report_tree_end(tree);
    if (!report_support_leads(r) && r->part != REPORT_EXPLAINED_STEPS)
        report_explain_advice(r, tree);
}

void report_explain_text(const struct report_explanation *r, struct strbuf *out)
{
    struct report_tree tree = {.where = REPORT_EVERYWHERE};
    report_explain_tree(r, &tree);
    report_tree_words(&tree, REPORT_IN_TEXT, out);
    report_tree_fini(&tree);
    if (r->part != REPORT_EXPLAINED_STEPS)
        strbuf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void add_json_why_not(const struct lit_program *program, const struct explanation_gap *gap,
                             struct strbuf *out)
{
    static const char *const names[] = {[EXPLANATION_NARROW] = "narrow",
                                        [EXPLANATION_OF_OTHERS] = "of-others",
                                        [EXPLANATION_VISIBLE] = "visible"};
    struct strbuf words = {0};
    report_explain_why_not(program, gap, "", &words);
    emit_string(out, "why", names[gap->why_not]);
    emit_string(out, "words", strbuf_text(&words));
    strbuf_fini(&words);
}

static void add_json_orders(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    if (e->chosen.count)
        emit_array(out, "chosen");
    for (size_t i = 0; i < e->chosen.count; i++) {
        emit_object(out, NULL);
        emit_string(out, "order", e->chosen.items[i].order);
        report_json_event("earlier", r->test.program, &e->chosen.items[i].earlier, out);
        report_json_event("later", r->test.program, &e->chosen.items[i].later, out);
        emit_end(out, '}');
    }
    if (e->chosen.count)
        emit_end(out, ']');
    emit_array(out, "missing");
    for (size_t i = 0; i < e->gaps.count; i++) {
        const struct explanation_gap *gap = &e->gaps.items[i];
        emit_object(out, NULL);
        report_json_event("earlier", r->test.program, &gap->earlier, out);
        report_json_event("later", r->test.program, &gap->later, out);
        if (gap->has_between)
            report_json_event("barrier", r->test.program, &gap->between, out);
        if (gap->has_beside)
            report_json_event(gap->beside_behind ? "behind" : "before", r->test.program,
                              &gap->beside, out);
        if (gap->why_not)
            add_json_why_not(r->test.program, gap, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    if (e->unstored.count)
        emit_array(out, "unstored");
    for (size_t i = 0; i < e->unstored.count; i++)
        report_json_event(NULL, r->test.program, &e->unstored.items[i], out);
    if (e->unstored.count)
        emit_end(out, ']');
}

static void add_json_step(const struct report_explanation *r, const struct explanation_step *step,
                          struct strbuf *out)
{
    static const char *const names[] = {EXPLANATION_STEPS(TABLE_SECOND)};
    emit_object(out, NULL);
    emit_string(out, "kind", names[step->kind]);
    if (step->kind == EXPLANATION_CYCLE)
        emit_number(out, "count", step->count);
    if (step->event.access)
        report_json_event_fields(r->test.program, &step->event, out);
    if (step->kind == EXPLANATION_EXECUTES && step->has_value) {
        emit_name(out, "value");
        lit_value_print(step->type, step->value, out);
    }
    if (step->source.access)
        report_json_event("from", r->test.program, &step->source, out);
    if (step->together)
        emit_bool(out, "together", true);
    if (step->lands_last)
        emit_bool(out, "lands_last", true);
    if (step->lost)
        emit_bool(out, "lost", true);
    if (step->unchanged)
        emit_bool(out, "unchanged", true);
    emit_end(out, '}');
}

void report_json_steps(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    const struct outcome_states state = {.items = e->items, .width = e->width};
    emit_array(out, "steps");
    for (size_t i = 0; i < e->steps.count; i++)
        add_json_step(r, &e->steps.items[i], out);
    emit_end(out, ']');
    report_json_row("state", r->test.program, &state, e->row, out);
    add_json_orders(r, out);
}

static void add_json_lists(const struct report_explanation *r, struct strbuf *out)
{
    bool reachable = r->explanation->answer == EXPLANATION_REACHABLE;
    emit_bool(out, "reachable", reachable);
    if (reachable)
        report_json_steps(r, out);
    else
        report_json_reasons(r, out);
}

static void add_json_recovery(const struct report_explanation *r, struct strbuf *out)
{
    emit_bool(out, "reachable", r->explanation->answer == EXPLANATION_REACHABLE);
    report_json_chain(&r->test, r->number - 1, out);
    emit_array(out, "crashes");
    for (uint32_t i = 0; i < r->crash_count; i++) {
        struct report_explanation part = *r;
        part.test.program = r->crashes[i].program;
        part.explanation = r->crashes[i].explanation;
        emit_object(out, NULL);
        emit_string(out, "in", i ? "recovery" : "program");
        if (part.explanation->answer == EXPLANATION_REACHABLE)
            add_json_lists(&part, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

static void add_json_faults(const struct report_explanation *r, struct strbuf *out)
{
    const struct outcome_judgement judgement =
        outcome_judge(r->test.outcome, r->test.program, r->condition);
    if (judgement.verdict == LIT_UNKNOWN)
        emit_string(out, "reachable", NULL);
    else
        emit_bool(out, "reachable", judgement.verdict == LIT_VIOLATED);
    report_json_faults(&r->test, r->condition, out);
    report_reason_json(judgement.verdict, judgement.reason, judgement.vacuous, out);
}

void report_explain_json(const struct report_explanation *r, struct strbuf *out)
{
    report_json_begin(r->test.program->name, out);
    emit_string(out, "file", r->test.program->source->name);
    emit_string(out, "model", r->test.model->visibility);
    emit_string(out, "persistency", r->test.model->persistency);
    emit_string(out, "crash", report_crash_mode(r->test.crash_mode));
    emit_number(out, "number", r->number);
    emit_string(out, "condition", r->condition->text);
    report_json_undefined(&r->test, out);
    report_json_without_meaning(&r->test, out);
    if (!r->explanation) {
        add_json_faults(r, out);
        report_json_end(out);
        return;
    }
    if (r->explanation->answer == EXPLANATION_UNKNOWN) {
        emit_string(out, "reachable", NULL);
        emit_string(out, "doubt", r->explanation->doubt);
    } else if (is_on_recovery(r)) {
        add_json_recovery(r, out);
    } else {
        add_json_lists(r, out);
    }
    if (r->explanation->answer != EXPLANATION_UNKNOWN && r->explanation->doubt)
        emit_string(out, "doubt", r->explanation->doubt);
    report_reason_json(judge(r).verdict, judge(r).reason, judge(r).vacuous, out);
    report_vacuous_json(&r->test, r->number - 1, out);
    report_json_advice(r, out);
    report_json_executions(&r->test, r->number - 1, out);
    report_json_end(out);
}
