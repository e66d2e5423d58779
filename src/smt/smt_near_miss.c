/* Finds a minimal set of rules to leave out, so that the state is reached under all others.
 *
 * The reasons forbid the state under some lines of the test. Under all of its lines other rules may
 * forbid it as well. So each reason is left out alone, the clearest first. If none will do, the
 * first is left out, and then the clearest rule of each further unsat core, until the state is
 * reached. At the end each rule that can be put back is.
 *
 * Of a check one pair is left out at a time, so that its other pairs still forbid what the state
 * does not need.
 *
 * A cycle of two writes in the wrong co order also breaks a check that forbids cycles. It has
 * nothing to do with the state, but would let it pass. So coherence along program order is kept as
 * long as the state can be reached with it. */

#include "engine/near_miss.h"
#include "smt/smt_attempt.h"

#include <string.h>

struct search {
    const struct smt_attempt_question *question;
    struct smt_attempt formula;
    bool *assumed;    /* per rule */
    bool *is_reason;  /* per rule: the text names it */
    uint32_t *broken; /* rules that are not, in the order in which they were left out */
    uint32_t count;
};

static const struct smt_rule *rule_of(const struct search *s, uint32_t index)
{
    return smt_rules_get(s->formula.query.program.rules, index);
}

enum { RANKS = 11 };

/* The clearer a rule is to look at, when it is broken, the smaller the number. */
static uint32_t rank(enum explanation_reason_kind kind)
{
    static const enum explanation_reason_kind ranks[RANKS] = {
        EXPLANATION_BY_CHECK,         EXPLANATION_BY_PERSIST_BEFORE, EXPLANATION_BY_DURABLE_BEFORE,
        EXPLANATION_BY_DURABLE_AFTER, EXPLANATION_BY_CAN_PERSIST,    EXPLANATION_BY_LANDS_BEFORE,
        EXPLANATION_BY_COHERENCE,     EXPLANATION_BY_PERSIST_ATOMIC, EXPLANATION_BY_EXECUTES_BEFORE,
        EXPLANATION_BY_FILTER,        EXPLANATION_BY_CRASH_POINT};
    uint32_t at = 0;
    while (ranks[at] != kind)
        at++;
    return at;
}

static bool is_same_check(const struct smt_rule *a, const struct smt_rule *b)
{
    return a->kind == EXPLANATION_BY_CHECK && b->kind == EXPLANATION_BY_CHECK &&
           a->number == b->number;
}

/* ---- Leaving out ---- */

static void leave_out(struct search *s, uint32_t rule)
{
    s->assumed[rule] = false;
    s->broken[s->count++] = rule;
}

static void put_back(struct search *s, uint32_t at)
{
    s->assumed[s->broken[at]] = true;
    for (s->count--; at < s->count; at++)
        s->broken[at] = s->broken[at + 1];
}

static enum smt_answer ask_solver(struct search *s, bool *core)
{
    return smt_attempt_ask(&s->formula, s->assumed, core);
}

/* The reason as a rule of this formula; LIT_NONE when all lines together make it none. */
static uint32_t find_rule(const struct search *s, const struct smt_rule *reason)
{
    for (uint32_t i = 0; i < s->formula.count; i++) {
        const struct smt_rule *rule = rule_of(s, i);
        if (rule->kind == reason->kind && rule->number == reason->number && rule->a == reason->a &&
            rule->b == reason->b)
            return i;
    }
    return LIT_NONE;
}

/* Reasons as rules, the clearest first. Returns how many. */
static uint32_t sort_reasons(const struct search *s, const struct smt_rule *reasons, uint32_t count,
                             uint32_t *sorted)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rule = find_rule(s, &reasons[i]), at = found;
        if (rule == LIT_NONE)
            continue;
        for (; at > 0 && rank(rule_of(s, sorted[at - 1])->kind) > rank(reasons[i].kind); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = rule;
        found++;
    }
    return found;
}

/* If only the place of the crash is excused, nothing is broken that a picture could show. So that
 * comes last. */
static bool is_last_resort(const struct search *s, uint32_t rule)
{
    return rule_of(s, rule)->kind == EXPLANATION_BY_CRASH_POINT;
}

/* The same of a rule that is broken beside others: what is broken already in a check stays one
 * check; then the reasons, which the text names, come before all else. */
static uint32_t rank_beside(const struct search *s, uint32_t index)
{
    const struct smt_rule *rule = rule_of(s, index);
    if (is_same_check(rule, rule_of(s, s->broken[0])))
        return 0;
    bool another = rule->kind == EXPLANATION_BY_CHECK;
    uint32_t here = rank(another ? EXPLANATION_BY_FILTER : rule->kind);
    return 1 + here + (s->is_reason[index] && !is_last_resort(s, index) ? 0 : RANKS);
}

static uint32_t choose(const struct search *s, const bool *core)
{
    uint32_t best = LIT_NONE;
    for (uint32_t i = 0; i < s->formula.count; i++)
        if (core[i] && (best == LIT_NONE || rank_beside(s, i) < rank_beside(s, best)))
            best = i;
    return best;
}

/* One of the reasons alone. */
static enum smt_answer try_each(struct search *s, const uint32_t *reasons, uint32_t count)
{
    enum smt_answer answer = SMT_UNSAT;
    for (uint32_t i = 0; i < count && answer == SMT_UNSAT; i++) {
        if (i > 0 && is_last_resort(s, reasons[i]))
            continue;
        leave_out(s, reasons[i]);
        answer = ask_solver(s, NULL);
        if (answer == SMT_UNSAT)
            put_back(s, 0);
    }
    return answer;
}

/* Leaves out more until the state is reached; SMT_UNSAT when no rule is to blame any more. */
static enum smt_answer grow(struct search *s)
{
    bool *core = ARENA_ARRAY(&s->formula.query.arena, bool, s->formula.count);
    enum smt_answer answer = ask_solver(s, core);
    while (answer == SMT_UNSAT) {
        uint32_t rule = choose(s, core);
        if (rule == LIT_NONE)
            break;
        leave_out(s, rule);
        answer = ask_solver(s, core);
    }
    return answer;
}

/* The one that was left out first is tried last. Ends with a solution at hand. */
static enum smt_answer shrink(struct search *s)
{
    for (uint32_t at = s->count; s->count > 1 && at-- > 0;) {
        uint32_t rule = s->broken[at];
        s->assumed[rule] = true;
        enum smt_answer answer = ask_solver(s, NULL);
        s->assumed[rule] = answer == SMT_SAT;
        if (answer == SMT_UNKNOWN)
            return answer;
        if (answer == SMT_SAT)
            put_back(s, at);
    }
    return ask_solver(s, NULL);
}

/* ---- Showing ---- */

static bool is_told(const struct search *s, uint32_t at)
{
    return ANY(i, at, is_same_check(rule_of(s, s->broken[i]), rule_of(s, s->broken[at])));
}

static const struct ev *event_of(const struct search *s, const struct smt_rule *rule,
                                 uint32_t event)
{
    bool pair = rule->kind != EXPLANATION_BY_CHECK && event != LIT_NONE;
    return pair ? &s->formula.query.program.events[event].ev : NULL;
}

static uint32_t check_of(const struct smt_rule *rule)
{
    return rule->kind == EXPLANATION_BY_CHECK ? rule->number : 0;
}

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct search *s = context;
    const struct engine_request *asked = s->question->request;
    struct near_miss_rule *rules =
        ARENA_ARRAY(&s->formula.query.arena, struct near_miss_rule, s->count);
    struct near_miss miss = {witness, s->question->condition, rules, 0};
    for (uint32_t i = 0; i < s->count; i++) {
        const struct smt_rule *rule = rule_of(s, s->broken[i]);
        if (!is_told(s, i))
            rules[miss.count++] = (struct near_miss_rule){
                rule->kind, check_of(rule), event_of(s, rule, rule->a), event_of(s, rule, rule->b)};
    }
    asked->on_near_miss(asked->context, &miss);
}

/* Would the wishes alone keep the state out of reach, with every rule left out? */
static enum smt_answer ask_wishes(struct search *s)
{
    memset(s->assumed, false, s->formula.count);
    return s->formula.wish_count ? ask_solver(s, NULL) : SMT_SAT;
}

/* A minimal set under the wishes, if there is one. Ends with a solution at hand. */
static enum smt_answer look(struct search *s, const uint32_t *reasons, uint32_t count)
{
    enum smt_answer answer = ask_wishes(s);
    memset(s->assumed, true, s->formula.count);
    s->count = 0;
    if (answer != SMT_SAT)
        return answer;
    answer = try_each(s, reasons, count);
    if (answer == SMT_UNSAT) {
        leave_out(s, reasons[0]);
        answer = grow(s);
    }
    return answer == SMT_SAT ? shrink(s) : answer;
}

/* The execution is to be as usual as can be: wishes are given up one after the other, the last
 * first. */
static void give_wishes_up(struct search *s, const struct smt_rule *reasons, uint32_t count)
{
    struct arena *arena = &s->formula.query.arena;
    uint32_t *sorted = ARENA_ARRAY(arena, uint32_t, count + 1u);
    s->assumed = ARENA_ARRAY(arena, bool, s->formula.count + 1u);
    s->broken = ARENA_ARRAY(arena, uint32_t, s->formula.count + 1u);
    s->is_reason = ARENA_ARRAY(arena, bool, s->formula.count + 1u);
    count = sort_reasons(s, reasons, count, sorted);
    if (count == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        s->is_reason[sorted[i]] = true;
    enum smt_answer answer = look(s, sorted, count);
    while (answer == SMT_UNSAT && s->formula.wish_count) {
        s->formula.wish_count--;
        answer = look(s, sorted, count);
    }
    if (answer == SMT_SAT)
        smt_attempt_show(&s->formula);
}

void smt_show_near_miss(const struct smt_attempt_question *question, const struct smt_rule *reasons,
                        uint32_t count)
{
    struct search s = {.question = question};
    struct smt_attempt_question own = *question;
    own.on_witness = on_witness;
    own.context = &s;
    smt_attempt_init(&s.formula, &own);
    if (smt_attempt_build(&s.formula)) {
        struct smt_program *program = &s.formula.query.program;
        const smt_term wishes[] = {smt_coherent(program, true), smt_coherent(program, false)};
        s.formula.wishes = wishes;
        s.formula.wish_count = sizeof wishes / sizeof *wishes;
        give_wishes_up(&s, reasons, count);
    }
    smt_attempt_fini(&s.formula);
}
