/* Sentences about a condition, and about a test under one model pair. Each says what is the case,
 * and which line asked. */
#include "document/report_answer.h"

#include "answer/report_gallery.h"
#include "base/utf8.h"
#include "document/report_finding.h"
#include "document/report_text.h"
#include "report/report_string.h"
#include "report/report_vacuous.h"

/* ---- States ---- */

static bool is_recovered(const struct report_test *test, uint32_t number)
{
    return test->program->conditions[number].when == LIT_RECOVERED;
}

/* The recovered state at the end of the condition's chain; NULL: there is no chain. */
static const int64_t *chained(const struct report_test *test, uint32_t number)
{
    const struct outcome_chain *chains = test->outcome->chains;
    return is_recovered(test, number) && chains ? chains[number].recovered : NULL;
}

bool report_answer_state(const struct report_test *test, uint32_t number, struct arena *arena,
                         struct report_deciding *state)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    const struct outcome_states *states = outcome_states_of(test->outcome, condition->when);
    const struct report_execution *shown = report_gallery_deciding(test->gallery, number);
    if (shown && shown->row && !is_recovered(test, number)) {
        *state = (struct report_deciding){shown->columns.items, shown->columns.width, shown->row};
        return true;
    }
    *state = (struct report_deciding){states->items, states->width, chained(test, number)};
    if (state->row)
        return true;
    int64_t *row = ARENA_ARRAY(arena, int64_t, (size_t)states->width + 1);
    state->row = row;
    return outcome_find_deciding(test->outcome, test->program, condition, row);
}

/* The columns that a proposition speaks of. */
struct columns {
    const struct report_deciding *state;
    bool *spoken, any;
};

static void note_atom(void *context, const struct lit_atom *atom)
{
    struct columns *columns = context;
    const struct lit_atom *items = columns->state->items;
    if (atom->kind == LIT_ATOM_CONST)
        return;
    for (uint32_t i = 0; i < columns->state->width; i++)
        if (report_is_shown(&items[i]) && lit_atom_same(&items[i], atom))
            columns->spoken[i] = columns->any = true;
}

void report_answer_row(const struct report_test *test, uint32_t number,
                       const struct report_deciding *state, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    const struct lit_program program = report_program(test, condition->when);
    SCOPED(arena) arena = {0};
    struct columns columns = {state, ARENA_ARRAY(&arena, bool, state->width + 1u), false};
    if (!condition->refines || condition->property)
        lit_prop_each_atom(condition->prop, note_atom, &columns);
    report_row_parts(&program, state->items, state->width, state->row,
                     columns.any ? columns.spoken : NULL, ", ", out);
}

/* ---- Of a condition ---- */

static const char *const can[] = {"a run can end with", "a crash can leave", "recovery can leave"};
static const char *const never[] = {"no run ends with", "no crash leaves", "recovery never leaves"};
static const char *const always[] = {"every run ends with", "every crash leaves",
                                     "recovery always leaves"};

/* Appends ", which breaks forall (x=1)"; nothing for `~exists`, whose state says it already. */
static void add_broken(const struct lit_condition *condition, struct strbuf *out)
{
    if (condition->property)
        strbuf_add(out, ", which strict persistency does not leave");
    else if (condition->refines)
        strbuf_printf(out, ", which is no state of \"%s\" under %s + %s",
                      condition->refines->source, condition->refines->visibility,
                      condition->refines->persistency);
    else if (condition->quantifier == LIT_FORALL)
        strbuf_printf(out, ", which breaks %s", condition->text);
}

static bool add_found(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    struct report_deciding state;
    SCOPED(arena) arena = {0};
    bool found = report_answer_state(test, number, &arena, &state);
    if (found) {
        strbuf_printf(out, "%s ", can[condition->when]);
        report_answer_row(test, number, &state, out);
    }
    return found;
}

/* For a condition that holds or is violated. */
static void add_judged(const struct report_test *test, uint32_t number,
                       const struct outcome_judgement *judgement, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    bool exists = condition->quantifier == LIT_EXISTS, holds = judgement->verdict == LIT_OK;
    if (exists == holds && add_found(test, number, out)) {
        if (!holds)
            add_broken(condition, out);
        return;
    }
    if (condition->property) {
        strbuf_printf(out,
                      "robust: %s is left by strict persistency, too; a fault that strict "
                      "persistency has too is not looked for",
                      condition->when == LIT_RECOVERED ? "what recovery leaves"
                                                       : "what a crash leaves");
        return;
    }
    strbuf_printf(
        out, "%s ",
        (condition->quantifier == LIT_FORALL ? holds ? always : can : never)[condition->when]);
    if (condition->refines)
        strbuf_printf(out, "a state of \"%s\" under %s + %s", condition->refines->source,
                      condition->refines->visibility, condition->refines->persistency);
    else
        strbuf_add(out, condition->proposition);
    if (judgement->reason)
        strbuf_printf(out, ": %s", judgement->reason);
}

/* Of a property that no states decide: what is there, or is not. */
static void add_fault(const struct report_test *test, enum lit_property property, bool holds,
                      struct strbuf *out)
{
    size_t at = 0, more = 0;
    const struct outcome_undefined *fault = outcome_next_fault(test->outcome, property, &at);
    if (holds || !fault) {
        strbuf_printf(out, "no execution%s has %s",
                      test->program->filter ? " that the filter keeps" : "",
                      lit_property_meanings[property]);
        return;
    }
    report_undefined(test, fault, out);
    while (outcome_next_fault(test->outcome, property, &at))
        more++;
    if (more)
        strbuf_printf(out, ", and %zu more", more);
}

void report_answer_condition(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    const struct outcome_judgement judgement =
        outcome_judge(test->outcome, test->program, condition);
    const char *reason = judgement.reason;
    bool decided = judgement.verdict == LIT_OK || judgement.verdict == LIT_VIOLATED;
    if (lit_asks_fault(condition) && decided) {
        add_fault(test, condition->property, judgement.verdict == LIT_OK, out);
        return;
    }
    switch (judgement.verdict) {
    case LIT_OK:
    case LIT_VIOLATED: add_judged(test, number, &judgement, out); break;
    case LIT_UNKNOWN: strbuf_add(out, reason ? reason : "a limit was met"); break;
    case LIT_UNDEFINED:
        strbuf_add(out, "nothing is promised, since the behaviour is undefined");
        break;
    case LIT_ERROR: report_reason(LIT_ERROR, reason, false, out); break;
    }
}

/* ---- Of a test ---- */

/* The first condition with the verdict of the test; the number of conditions if there is none. */
static uint32_t find_first(const struct report_test *test)
{
    const struct lit_program *program = test->program;
    uint32_t i = 0;
    while (i < program->condition_count &&
           outcome_judge(test->outcome, program, &program->conditions[i]).verdict != test->verdict)
        i++;
    return i;
}

/* " (condition 1, line 5)" */
static void add_place(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    const struct span told = span_told(condition->span), *span = &told;
    if (condition->property)
        strbuf_printf(out, " (property %s", condition->text);
    else
        strbuf_printf(out, " (condition %u", number + 1);
    if (span->source && span->line)
        strbuf_printf(out, ", line %u", span->line);
    if (span->source && span->line && span->source != test->program->source) {
        strbuf_add(out, " of ");
        utf8_add_name(out, span->source->name);
    }
    strbuf_add_char(out, ')');
}

/* Says why no state decides the condition, where a work-item waits in vain. */
static void add_waits(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    if (report_vacuous(test, number) != REPORT_VACUOUS_WAITS)
        return;
    strbuf_add(out, "; ");
    report_waits_words(test, number, out);
}

static void add_first(const struct report_test *test, struct strbuf *out)
{
    uint32_t first = find_first(test);
    if (first < test->program->condition_count) {
        report_answer_condition(test, first, out);
        add_place(test, first, out);
        add_waits(test, first, out);
    } else if (outcome_any_doubt(test->outcome)) {
        strbuf_add(out, outcome_any_doubt(test->outcome));
    } else {
        strbuf_add(out, "a condition is not met");
    }
}

/* The first idle condition, with `waits` if possible one for which a work-item waits in vain; the
 * number of conditions if there is none. */
static uint32_t find_idle(const struct report_test *test, bool waits)
{
    uint32_t i = 0, count = test->program->condition_count;
    while (i < count && (waits ? report_vacuous(test, i) != REPORT_VACUOUS_WAITS
                               : report_vacuous(test, i) == REPORT_VACUOUS_NOT))
        i++;
    return i < count || !waits ? i : find_idle(test, false);
}

uint32_t report_answer_idle(const struct report_test *test)
{
    uint32_t none = test->program->condition_count, first = find_first(test);
    if (test->idempotence)
        return none;
    if (test->verdict == LIT_OK)
        return find_idle(test, true);
    return first < none && report_vacuous(test, first) == REPORT_VACUOUS_WAITS ? first : none;
}

/* A condition that holds in whatever order stores come. */
static void add_idle(const struct report_test *test, uint32_t number, struct strbuf *out)
{
    strbuf_add(out, "Holds, but ");
    if (report_vacuous(test, number) == REPORT_VACUOUS_WAITS) {
        report_waits_words(test, number, out);
        return;
    }
    if (report_vacuous_count(test) == test->program->condition_count)
        strbuf_add(out, "nothing is asked: ");
    else
        strbuf_printf(out, "condition %u asks nothing: ", number + 1);
    report_vacuous_because(test, number, out);
    add_place(test, number, out);
}

/* Has the test non-volatile memory, but no condition about what a crash leaves there? */
static bool is_of_ends_alone(const struct report_test *test)
{
    const struct lit_program *program = test->program;
    return outcome_states_of(test->outcome, LIT_CRASHED)->width > 0 &&
           ALL(i, program->condition_count,
               program->conditions[i].when == LIT_FINAL && !program->conditions[i].property);
}

/* The value of a store of a constant. */
static int64_t stored(const struct lit_program *program, const struct lit_instr *store)
{
    return lit_value_wrap(program->locations[store->addr.first].type, store->value->value);
}

static const struct lit_instr *find_store(const struct lit_program *program, uint32_t but,
                                          bool last)
{
    const struct lit_instr *found = NULL;
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count)
            if (instr->op == LIT_STORE && instr->addr.first != but && instr->addr.count == 1 &&
                program->locations[instr->addr.first].nvm && instr->value->op == LIT_OP_CONST &&
                stored(program, instr) != program->locations[instr->addr.first].init &&
                (last || !found))
                found = instr;
    return found;
}

static void add_equal(const struct lit_program *program, uint32_t location, int64_t value,
                      struct strbuf *out)
{
    strbuf_printf(out, "%s = ", program->locations[location].name);
    lit_value_print(program->locations[location].type, value, out);
}

/* A condition to write: that what is stored last is there, and what is stored first is not. */
static void add_example(const struct lit_program *program, struct strbuf *out)
{
    const struct lit_instr *last = find_store(program, LIT_NONE, true);
    const struct lit_instr *first = last ? find_store(program, last->addr.first, false) : NULL;
    if (!last)
        return;
    strbuf_add(out, first ? "; write one, such as crash ~exists ("
                          : "; write one, such as crash exists (");
    add_equal(program, last->addr.first, stored(program, last), out);
    if (first) {
        strbuf_add(out, " /\\ ");
        add_equal(program, first->addr.first, program->locations[first->addr.first].init, out);
    }
    strbuf_add_char(out, ')');
}

static void add_held(const struct report_test *test, struct strbuf *out)
{
    uint32_t count = test->program->condition_count, idle = report_answer_idle(test);
    if (count == 0) {
        strbuf_add(out, "Nothing is asked: the test has no condition");
        add_example(test->program, out);
    } else if (idle < count)
        add_idle(test, idle, out);
    else if (count > 1)
        strbuf_printf(
            out, count > 2 ? "Holds: all %u conditions are met" : "Holds: both conditions are met",
            count);
    else
        strbuf_add(out, "Holds: ");
    if (count == 1 && idle == count)
        add_first(test, out);
    if (count && idle == count && is_of_ends_alone(test))
        strbuf_add(out, "; what a crash leaves is not asked");
}

static void add_undefined(const struct report_test *test, struct strbuf *out)
{
    size_t count = test->outcome->undefined.count;
    strbuf_add(out, "Undefined: ");
    if (count)
        report_undefined(test, &test->outcome->undefined.items[0], out);
    else
        strbuf_add(out, "the behaviour is undefined");
    if (count > 1)
        strbuf_printf(out, ", and %zu more", count - 1);
}

/* The verdict of a property that the command line asks in place of conditions. */
static void add_property(const struct report_test *test, struct strbuf *out)
{
    const struct idempotence *answer = test->idempotence;
    strbuf_add(out, answer->verdict == LIT_OK         ? "Holds: recovery is idempotent"
                    : answer->verdict == LIT_VIOLATED ? "Violated: recovery is not idempotent"
                    : answer->verdict == LIT_ERROR    ? "Error"
                                                      : "Not known");
    if (answer->reason) {
        strbuf_add(out, ": ");
        report_reason(answer->verdict, answer->reason, false, out);
    }
}

const char *report_answer_word(enum lit_verdict verdict, bool begins)
{
    static const char *const words[][2] = {{"holds", "Holds"},
                                           {"not known", "Not known"},
                                           {"violated", "Violated"},
                                           {"undefined", "Undefined"},
                                           {"error", "Error"}};
    return words[verdict][begins];
}

void report_answer_headline(const struct report_test *test, struct strbuf *out)
{
    if (test->idempotence && test->verdict != LIT_UNDEFINED) {
        add_property(test, out);
        return;
    }
    switch (test->verdict) {
    case LIT_OK: add_held(test, out); break;
    case LIT_UNDEFINED: add_undefined(test, out); break;
    case LIT_VIOLATED:
    case LIT_UNKNOWN:
    case LIT_ERROR:
        strbuf_printf(out, "%s: ", report_answer_word(test->verdict, true));
        add_first(test, out);
    }
}

/* ---- What to do next ---- */

bool report_answer_spares_recovery(const struct report_test *test)
{
    const struct lit_program *program = test->program;
    bool crashes = program->recovery_restartable || !test->asked || test->asked->recovery_crash;
    return test->verdict == LIT_OK && !crashes && !test->machine && !test->idempotence &&
           ANY(i, program->condition_count, program->conditions[i].when == LIT_RECOVERED);
}

bool report_answer_asks_possible(const struct report_test *test)
{
    const struct lit_program *program = test->program;
    return test->verdict == LIT_OK && !test->idempotence && !program->expect_count &&
           program->condition_count && report_answer_idle(test) == program->condition_count &&
           ALL(i, program->condition_count,
               program->conditions[i].quantifier == LIT_EXISTS &&
                   program->conditions[i].when != LIT_FINAL && !program->conditions[i].refines);
}

void report_answer_command(const struct report_test *test, bool names, struct strbuf *out)
{
    const char *options = !test->asked    ? ""
                          : test->machine ? test->asked->trace
                                          : test->asked->explain;
    bool named = test->asked && test->asked->machine;
    strbuf_add(out, test->machine ? "crashlit trace" : "crashlit explain");
    if (!test->machine && names) {
        strbuf_add(out, " -m ");
        report_shell_word(out, test->model->visibility);
        strbuf_add(out, " -p ");
        report_shell_word(out, test->model->persistency);
    } else if (test->machine && !named) {
        strbuf_add(out, " --machine ");
        report_shell_word(out, test->machine);
    }
    strbuf_add(out, options);
    strbuf_add_char(out, ' ');
    report_shell_word(out, test->program->source->name);
}

bool report_answer_next(const struct report_test *test, bool names, struct strbuf *out)
{
    bool repeats = !test->asked || (test->machine ? test->asked->trace : test->asked->explain);
    if (!repeats || !test->program->condition_count || test->idempotence ||
        test->verdict == LIT_UNKNOWN)
        return false;
    strbuf_printf(out, "%s: ",
                  test->machine                   ? "More"
                  : test->verdict == LIT_OK       ? "What keeps it so"
                  : test->verdict == LIT_VIOLATED ? "Why, and what would help"
                                                  : "More");
    report_answer_command(test, names, out);
    return true;
}
