/* Verdicts of conditions, from the states an engine found. */
#include "engine/outcome.h"

#include <inttypes.h>
#include <string.h>

static int64_t value_of(const struct lit_atom *atom, outcome_lookup *lookup, const void *context)
{
    return atom->kind == LIT_ATOM_CONST ? atom->value : lookup(context, atom);
}

bool outcome_prop_holds(const struct lit_program *program, const struct lit_prop *prop,
                        outcome_lookup *lookup, const void *context)
{
    switch (prop->op) {
    case LIT_PROP_TRUE: return true;
    case LIT_PROP_FALSE: return false;
    case LIT_PROP_COMPARE:
        return lit_prop_compares(program, prop, value_of(&prop->left, lookup, context),
                                 value_of(&prop->right, lookup, context));
    case LIT_PROP_NOT: return !outcome_prop_holds(program, prop->a, lookup, context);
    case LIT_PROP_AND:
        return outcome_prop_holds(program, prop->a, lookup, context) &&
               outcome_prop_holds(program, prop->b, lookup, context);
    case LIT_PROP_OR:
        return outcome_prop_holds(program, prop->a, lookup, context) ||
               outcome_prop_holds(program, prop->b, lookup, context);
    case LIT_PROP_IMPLIES:
        return !outcome_prop_holds(program, prop->a, lookup, context) ||
               outcome_prop_holds(program, prop->b, lookup, context);
    }
    return false;
}

struct row_view {
    const struct outcome_states *states;
    const int64_t *row;
};

/* A crash state lists non-volatile locations only; the front end keeps conditions
 * on others out. */
static int64_t row_lookup(const void *context, const struct lit_atom *atom)
{
    const struct row_view *view = context;
    uint32_t column = outcome_column(view->states, atom);
    BASE_CHECK(column != LIT_NONE);
    return view->row[column];
}

bool outcome_satisfies(const struct outcome_states *states, const int64_t *row,
                       const struct lit_program *program, const struct lit_prop *prop)
{
    struct row_view view = {states, row};
    return outcome_prop_holds(program, prop, row_lookup, &view);
}

/* A witness decides whatever was left out; without one a doubt stands. */
static enum outcome_found found_of(const struct outcome_judgement *counts,
                                   enum lit_quantifier quantifier, const char *doubt)
{
    bool witness = quantifier == LIT_FORALL ? counts->negative > 0 : counts->positive > 0;
    return witness ? OUTCOME_FOUND : doubt ? OUTCOME_FOUND_UNKNOWN : OUTCOME_FOUND_NONE;
}

const struct outcome_states *outcome_states_of(const struct outcome *outcome, enum lit_when when)
{
    switch (when) {
    case LIT_FINAL: return &outcome->final;
    case LIT_CRASHED: return &outcome->crash;
    case LIT_RECOVERED: return &outcome->recovered;
    }
    BASE_UNREACHABLE("a time of conditions");
}

/* Registers of `recovered` conditions are recovery's. */
static struct lit_program program_of(const struct lit_program *program, enum lit_when when)
{
    return when == LIT_RECOVERED ? lit_recovery_program(program) : *program;
}

bool outcome_decides(const struct outcome *outcome, const struct lit_program *program,
                     const struct lit_condition *condition, const int64_t *row)
{
    const struct lit_program judged = program_of(program, condition->when);
    return outcome_satisfies(outcome_states_of(outcome, condition->when), row, &judged,
                             condition->prop) != (condition->quantifier == LIT_FORALL);
}

/* Returns why that is not known; NULL: it is. */
static const char *count_states(struct outcome_judgement *counts, const struct outcome *outcome,
                                const struct lit_program *program,
                                const struct lit_condition *condition)
{
    const struct outcome_states *states = outcome_states_of(outcome, condition->when);
    const struct lit_program judged = program_of(program, condition->when);
    if (states->product) {
        const struct outcome_told *told = outcome_told_of(outcome, condition);
        counts->positive = told->positive;
        counts->negative = told->negative;
        return told->doubt;
    }
    for (size_t i = 0; i < states->count; i++) {
        if (outcome_satisfies(states, outcome_row(states, i), &judged, condition->prop))
            counts->positive++;
        else
            counts->negative++;
    }
    return NULL;
}

void outcome_count_text(const struct outcome *outcome, const struct lit_program *program,
                        const struct lit_condition *condition, bool positive, struct strbuf *out)
{
    struct outcome_judgement counts = {0};
    const struct outcome_told *told = outcome_states_of(outcome, condition->when)->product
                                          ? outcome_told_of(outcome, condition)
                                          : NULL;
    if (told && !told->doubt) {
        strbuf_add(out, positive ? told->positive_digits : told->negative_digits);
        return;
    }
    (void)count_states(&counts, outcome, program, condition);
    strbuf_printf(out, "%" PRIu64, positive ? counts.positive : counts.negative);
}

bool outcome_find_deciding(const struct outcome *outcome, const struct lit_program *program,
                           const struct lit_condition *condition, int64_t *row)
{
    const struct outcome_states *states = outcome_states_of(outcome, condition->when);
    const int64_t *found = states->product ? outcome_told_of(outcome, condition)->deciding : NULL;
    for (size_t i = 0; i < states->count && !states->product && !found; i++)
        if (outcome_decides(outcome, program, condition, outcome_row(states, i)))
            found = outcome_row(states, i);
    if (found)
        outcome_pair(row, found, states->width, NULL, 0);
    return found;
}

const char *outcome_vacuity(const struct outcome *outcome, enum lit_when when)
{
    if (!outcome_is_empty(outcome_states_of(outcome, when)) || outcome->met[when])
        return NULL;
    if (!outcome->ran)
        return "no execution is consistent with the model";
    switch (when) {
    case LIT_FINAL:
        return outcome->ended ? "the filter leaves no final state"
                              : "no execution runs to its end, so there is no final state";
    case LIT_CRASHED:
        return "no execution comes to where the crash may be, so there is no crash state";
    case LIT_RECOVERED: break;
    }
    const char *before = outcome_vacuity(outcome, LIT_CRASHED);
    return before ? before : "recovery never runs to its end";
}

static bool lacks_states(const struct outcome *outcome, enum lit_when when)
{
    return !outcome->met[when] && outcome_is_empty(outcome_states_of(outcome, when));
}

bool outcome_wants_any(const struct outcome *outcome, const struct lit_program *program,
                       enum lit_when when)
{
    return ANY(i, program->condition_count, program->conditions[i].when == when) &&
           lacks_states(outcome, when);
}

/* A condition that is judged without any state says nothing, unless the author states that this is
 * meant. A condition that asks for some state is violated for the same reason. */
static void heed_vacuity(const struct outcome *outcome, const struct lit_condition *condition,
                         enum outcome_found found, struct outcome_judgement *judgement)
{
    bool decided = judgement->verdict == LIT_OK || judgement->verdict == LIT_VIOLATED;
    if (found != OUTCOME_FOUND_NONE || !decided || !lacks_states(outcome, condition->when))
        return;
    judgement->reason = outcome_vacuity(outcome, condition->when);
    judgement->vacuous = judgement->verdict == LIT_OK;
    if (judgement->vacuous && !outcome->vacuity_is_meant)
        judgement->verdict = LIT_UNKNOWN;
}

/* What is known of the source that the condition holds the states against. A state that no listed
 * one agrees with may be one that was left out; of an undefined source it is one in any case. */
static void heed_source(const struct outcome *outcome, const struct lit_refines *source,
                        struct outcome_judgement *judgement)
{
    if (!source || judgement->verdict == LIT_UNDEFINED || judgement->verdict == LIT_ERROR)
        return;
    if (!source->own) {
        judgement->vacuous = false;
        judgement->verdict = LIT_UNKNOWN;
        judgement->reason = source->doubt ? source->doubt : "the source's states were not listed";
    } else if (source->undefined) {
        judgement->vacuous = true;
        judgement->verdict = outcome->vacuity_is_meant ? LIT_OK : LIT_UNKNOWN;
        judgement->reason = source->undefined;
    } else if (source->livelock) {
        judgement->vacuous = false;
        judgement->verdict = LIT_ERROR;
        judgement->reason = "from some crash state the source's recovery never completes";
    } else if (judgement->verdict == LIT_VIOLATED && source->doubt) {
        judgement->verdict = LIT_UNKNOWN;
        judgement->reason = source->doubt;
    }
}

struct outcome_judgement outcome_judge_found(const struct outcome *outcome,
                                             const struct lit_condition *condition,
                                             enum outcome_found found)
{
    const bool by_some = condition->quantifier == LIT_EXISTS;
    struct outcome_judgement judgement = {.verdict = found == OUTCOME_FOUND_UNKNOWN ? LIT_UNKNOWN
                                                     : (found == OUTCOME_FOUND) == by_some
                                                         ? LIT_OK
                                                         : LIT_VIOLATED};
    if (condition->when == LIT_RECOVERED && outcome->livelocks.count)
        judgement.verdict = LIT_ERROR;
    if (outcome->undefined.count)
        judgement.verdict = LIT_UNDEFINED;
    if (judgement.verdict == LIT_ERROR)
        judgement.reason = "from some crash state recovery never completes";
    heed_vacuity(outcome, condition, found, &judgement);
    heed_source(outcome, condition->refines, &judgement);
    return judgement;
}

/* Of a property a fault decides. Without one nothing is known of it where something else is undefined,
 * where the model has no word on it, where there is a doubt, and where a filter leaves no state. */
static struct outcome_judgement judge_property(const struct outcome *outcome,
                                               const struct lit_program *program,
                                               enum lit_property property)
{
    size_t at = 0;
    struct outcome_judgement judgement = {.verdict = LIT_UNKNOWN};
    const struct outcome_asked *asked = outcome_asked_of(outcome, property);
    const char *doubt = outcome_flag_doubt(outcome);
    if (asked && !doubt)
        doubt = asked->doubt;
    if (outcome_next_fault(outcome, property, &at))
        judgement.verdict = LIT_VIOLATED;
    else if (outcome->undefined.count)
        judgement.verdict = LIT_UNDEFINED;
    else if (asked && !asked->told)
        judgement.reason = property == LIT_PROPERTY_RACE
                               ? "neither the model nor the engine says what a race is"
                               : "a machine's runs do not show that nobody waits for ever";
    else if (doubt)
        judgement.reason = doubt;
    else if ((!outcome->ran || program->filter) && lacks_states(outcome, LIT_FINAL)) {
        judgement.reason = outcome_vacuity(outcome, LIT_FINAL);
        judgement.vacuous = true;
    } else
        judgement.verdict = LIT_OK;
    return judgement;
}

struct outcome_judgement outcome_judge(const struct outcome *outcome,
                                       const struct lit_program *program,
                                       const struct lit_condition *condition)
{
    if (lit_asks_fault(condition))
        return judge_property(outcome, program, condition->property);
    struct outcome_judgement counts = {.verdict = LIT_OK};
    const char *doubt = outcome_doubt_of(outcome, program, condition);
    const char *untold = count_states(&counts, outcome, program, condition);
    doubt = untold ? untold : doubt;
    struct outcome_judgement judgement =
        outcome_judge_found(outcome, condition, found_of(&counts, condition->quantifier, doubt));
    judgement.positive = counts.positive;
    judgement.negative = counts.negative;
    if (judgement.verdict == LIT_UNKNOWN && !judgement.reason)
        judgement.reason = doubt;
    return judgement;
}

bool outcome_is_open_to_values(const struct outcome *outcome, const struct lit_program *program)
{
    bool open = false;
    if (!outcome->doubts[OUTCOME_DOUBT_THIN_AIR] &&
        !outcome->recovery_doubts[OUTCOME_DOUBT_THIN_AIR])
        return false;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct outcome_judgement judgement =
            outcome_judge(outcome, program, &program->conditions[i]);
        open |= judgement.verdict == LIT_UNKNOWN && !judgement.vacuous;
    }
    return open;
}

void outcome_settle_values(struct outcome *outcome, const struct lit_program *program)
{
    if (!outcome_is_open_to_values(outcome, program))
        outcome->doubts[OUTCOME_DOUBT_THIN_AIR] = outcome->recovery_doubts[OUTCOME_DOUBT_THIN_AIR] =
            false;
}

/* Is nothing asked but which faults there are? */
static bool asks_faults_alone(const struct lit_program *program)
{
    return program->condition_count &&
           ALL(i, program->condition_count, lit_asks_fault(&program->conditions[i]));
}

static size_t count_faults(const struct outcome *outcome, enum lit_property property)
{
    size_t count = 0;
    for (size_t at = 0;
         outcome_next_fault(outcome, property, &at) && at <= outcome->undefined.count;)
        count++;
    return count;
}

/* Is all that is undefined the fault of some property that is asked? No fault is of two. */
static bool is_all_asked(const struct outcome *outcome, const struct lit_program *program)
{
    size_t count = 0;
    for (uint32_t property = LIT_NO_PROPERTY + 1; property < LIT_PROPERTY_END; property++)
        if (lit_asks_property(program, (enum lit_property)property))
            count += count_faults(outcome, (enum lit_property)property);
    return count == outcome->undefined.count;
}

enum lit_verdict outcome_verdict(const struct outcome *outcome, const struct lit_program *program)
{
    enum lit_verdict worst = LIT_OK;
    const bool told = is_all_asked(outcome, program);
    if (outcome->undefined.count && !asks_faults_alone(program))
        return LIT_UNDEFINED;
    if (outcome->livelocks.count)
        return LIT_ERROR;
    if (program->condition_count == 0 && outcome_failure_doubt(outcome))
        worst = LIT_UNKNOWN;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        struct outcome_judgement judgement =
            outcome_judge(outcome, program, &program->conditions[i]);
        if (judgement.verdict > worst && !(told && judgement.verdict == LIT_UNDEFINED))
            worst = judgement.verdict;
    }
    return worst;
}
