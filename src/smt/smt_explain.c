#include "smt/smt_explain.h"

#include "smt/smt_near_miss.h"
#include "smt/smt_waits.h"

#include <string.h>

/* A line of the test that orders. */
struct line {
    const struct lit_instr *instr;
    enum explanation_reason_kind kind;
    struct outcome_event event;
    bool dropped;
};

struct search {
    const struct engine_request *request;
    const struct lit_condition *condition;
    struct explanation *out;
    struct outcome outcome;         /* doubts, and what the columns of states are */
    struct clock_limit lines_clock; /* a part of the time; the rest is for the rules */
    VEC(struct line) lines;
};

/* The formula under some dropped lines. */
struct attempt {
    struct search *search;
    struct smt_attempt formula;
    bool *kept;   /* per rule: still among the reasons */
    bool *enough; /* per rule: Z3 used it when it last forbade the state */
};

/* ---- The formula ---- */

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct search *search = context;
    const struct engine_request *asked = search->request;
    if (asked->on_witness)
        asked->on_witness(asked->context, witness);
    explanation_show(search->out, asked, witness);
}

static struct smt_attempt_question question_of(struct search *search)
{
    return (struct smt_attempt_question){search->request, search->condition, &search->outcome,
                                         on_witness, search};
}

static void attempt_init(struct attempt *a, struct search *search)
{
    const struct smt_attempt_question question = question_of(search);
    *a = (struct attempt){.search = search};
    smt_attempt_init(&a->formula, &question);
}

/* False when test or model cannot be encoded. */
static bool attempt_build(struct attempt *a)
{
    struct search *search = a->search;
    struct smt_attempt *formula = &a->formula;
    for (size_t i = 0; i < search->lines.count; i++)
        if (search->lines.items[i].dropped)
            smt_rules_drop_line(formula->query.program.rules, search->lines.items[i].instr);
    if (!smt_attempt_build(formula))
        return false;
    a->kept = ARENA_ARRAY(&formula->query.arena, bool, formula->count);
    a->enough = ARENA_ARRAY(&formula->query.arena, bool, formula->count);
    memset(a->kept, true, formula->count);
    return true;
}

static void attempt_fini(struct attempt *a)
{
    smt_attempt_fini(&a->formula);
}

static const struct smt_rule *rule_of(const struct attempt *a, uint32_t index)
{
    return smt_rules_get(a->formula.query.program.rules, index);
}

/* Past this many rules, what Z3 did not use is left out at once; else each rule is tried in
 * turn, in an order that leaves direct pairs rather than chains of them. */
enum { MOST_TRIED = 400 };

/* Asks under the rules that are kept, but for those in `without` (NULL: none). When that
 * is enough to forbid the state the others are no longer kept. */
static enum smt_answer ask(struct attempt *a, const bool *without)
{
    uint32_t rules = a->formula.count, asked = 0;
    bool *assumed = base_realloc(NULL, rules + 1), *core = base_realloc(NULL, rules + 1);
    for (uint32_t i = 0; i < rules; i++)
        asked += assumed[i] = a->kept[i] && !(without && without[i]);
    enum smt_answer answer = smt_attempt_ask(&a->formula, assumed, core);
    for (uint32_t i = 0; answer == SMT_UNSAT && i < rules; i++) {
        a->enough[i] = core[i];
        a->kept[i] = asked <= MOST_TRIED ? assumed[i] : core[i];
    }
    base_free(assumed);
    base_free(core);
    return answer;
}

/* ---- Lines that are needed ---- */

static bool orders(const struct ev *ev, enum explanation_reason_kind *kind)
{
    switch (ev->kind) {
    case EV_BARRIER: return *kind = EXPLANATION_BY_EXECUTION_BARRIER, true;
    case EV_PBARRIER: return *kind = EXPLANATION_BY_PERSIST_BARRIER, true;
    case EV_FENCE: return *kind = EXPLANATION_BY_FENCE, true;
    default: break;
    }
    *kind = EXPLANATION_BY_ORDERED_ACCESS;
    return ev->has_order && ev->order > LIT_ORDER_RLX;
}

static void add_line(struct search *search, const struct ev *ev, enum explanation_reason_kind kind)
{
    for (size_t i = 0; i < search->lines.count; i++)
        if (search->lines.items[i].instr == ev->instr)
            return;
    VEC_PUSH(&search->lines,
             (struct line){ev->instr, kind,
                           explanation_event(search->out, search->request->program, ev), false});
}

/* In the order in which they are dropped: barriers, the clearest reasons, come last. */
static void find_lines(struct search *search, const struct smt_program *program)
{
    static const enum explanation_reason_kind wanted[] = {
        EXPLANATION_BY_ORDERED_ACCESS, EXPLANATION_BY_FENCE, EXPLANATION_BY_EXECUTION_BARRIER,
        EXPLANATION_BY_PERSIST_BARRIER};
    enum explanation_reason_kind kind;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (uint32_t e = program->init_count; e < program->dim.n; e++)
            if (orders(&program->events[e].ev, &kind) && kind == wanted[i])
                add_line(search, &program->events[e].ev, kind);
}

/* Is the state out of reach when this line orders nothing either? */
static bool can_drop(struct search *search, struct line *line)
{
    struct attempt a;
    line->dropped = true;
    attempt_init(&a, search);
    a.formula.request.limits.clock = search->lines_clock;
    enum smt_answer answer = attempt_build(&a) ? ask(&a, NULL) : SMT_UNKNOWN;
    attempt_fini(&a);
    line->dropped = answer == SMT_UNSAT;
    if (answer == SMT_UNKNOWN)
        search->out->minimal = false;
    return line->dropped;
}

/* A line that was needed may be needed no longer when others are gone (models can tell
 * what is absent), so until nothing changes. */
static void drop_lines(struct search *search)
{
    for (bool changed = true; changed && search->out->minimal;) {
        changed = false;
        for (size_t i = 0; i < search->lines.count && search->out->minimal; i++)
            if (!search->lines.items[i].dropped && can_drop(search, &search->lines.items[i]))
                changed = true;
    }
}

/* ---- Rules that are needed ---- */

/* Leaves all rules of a kind (and, of checks, of a number) out, if that is possible. */
static void try_without_kind(struct attempt *a, enum explanation_reason_kind kind, uint32_t number)
{
    bool *without = ARENA_ARRAY(&a->formula.query.arena, bool, a->formula.count), some = false;
    for (uint32_t i = 0; i < a->formula.count; i++) {
        const struct smt_rule *rule = rule_of(a, i);
        without[i] = rule->kind == kind && rule->number == number;
        some = some || (without[i] && a->kept[i]);
    }
    if (some)
        ask(a, without);
}

static void drop_kinds(struct attempt *a)
{
    const struct cat_model *model = a->formula.request.model;
    for (uint32_t c = 0; c < model->check_count; c++)
        try_without_kind(a, EXPLANATION_BY_CHECK, c);
    try_without_kind(a, EXPLANATION_BY_EXECUTES_BEFORE, CAT_EXECUTES_BEFORE);
    try_without_kind(a, EXPLANATION_BY_PERSIST_ATOMIC, CAT_PERSIST_ATOMIC);
    try_without_kind(a, EXPLANATION_BY_COHERENCE, 0);
    try_without_kind(a, EXPLANATION_BY_DURABLE_BEFORE, CAT_DURABLE_BEFORE);
}

/* Whole kinds first, for few kinds of reasons; then one by one. When the time runs out what
 * Z3 used has to do. */
static void drop_rules(struct attempt *a)
{
    drop_kinds(a);
    bool *without = ARENA_ARRAY(&a->formula.query.arena, bool, a->formula.count);
    for (uint32_t i = 0; i < a->formula.count; i++) {
        if (!a->kept[i])
            continue;
        without[i] = true;
        if (ask(a, without) == SMT_UNKNOWN)
            a->search->out->minimal = false;
        without[i] = false;
    }
    if (!a->search->out->minimal)
        memcpy(a->kept, a->enough, a->formula.count);
}

/* ---- Reasons ---- */

static struct outcome_event event_of(struct attempt *a, uint32_t event)
{
    return explanation_event(a->search->out, a->formula.request.program,
                             &a->formula.query.program.events[event].ev);
}

static void add_pair(struct attempt *a, struct explanation_reason *reason,
                     const struct smt_rule *rule)
{
    struct explanation_pair *pairs =
        ARENA_ARRAY(&a->search->out->arena, struct explanation_pair, reason->pair_count + 1);
    if (rule->a == LIT_NONE)
        return;
    if (reason->pair_count)
        memcpy(pairs, reason->pairs, reason->pair_count * sizeof *pairs);
    pairs[reason->pair_count++] =
        (struct explanation_pair){event_of(a, rule->a), event_of(a, rule->b)};
    reason->pairs = pairs;
}

/* The crash statements, one of which the crash has to stand at. */
static void add_crash_points(struct search *search, struct explanation_reason *reason)
{
    const struct lit_program *test = search->request->program;
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->thread_count; t++)
        count += test->threads[t].code_count;
    reason->pairs = ARENA_ARRAY(&search->out->arena, struct explanation_pair, count + 1);
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < test->threads[t].code_count; i++) {
            const struct lit_instr *instr = &test->threads[t].code[i];
            if (instr->op != LIT_CRASH)
                continue;
            struct outcome_event event = {t, instr->span.line, "crash", instr->span.column};
            reason->pairs[reason->pair_count++] = (struct explanation_pair){event, event};
        }
}

static void name_place(struct explanation_reason *reason, const struct span *span)
{
    reason->file = span->source ? span->source->name : NULL;
    reason->line = span->line;
}

static void name_rule(struct search *search, const struct smt_rule *rule,
                      struct explanation_reason *reason)
{
    const struct cat_model *model = search->request->model;
    static const char *const reserved[] = {
#define X(identifier, text, sort) text,
        CAT_RESERVED(X)
#undef X
    };
    switch (rule->kind) {
    case EXPLANATION_BY_CHECK:
        reason->name = arena_strdup(&search->out->arena, model->checks[rule->number].name);
        name_place(reason, &model->checks[rule->number].span);
        break;
    case EXPLANATION_BY_FILTER: reason->name = "filter"; break;
    case EXPLANATION_BY_COHERENCE: reason->name = "coherence"; break;
    case EXPLANATION_BY_CRASH_POINT:
        reason->name = search->request->crash_mode == EXEC_CRASH_END ? "end" : "points";
        if (search->request->crash_mode == EXEC_CRASH_POINTS)
            add_crash_points(search, reason);
        break;
    default:
        reason->name = reserved[rule->number];
        name_place(reason, &model->nodes[model->reserved[rule->number]].span);
    }
}

/* A check is one reason, whatever pairs it needs; of the crash rules each pair is one. */
static void add_rules(struct attempt *a, enum explanation_reason_kind kind, uint32_t number)
{
    struct search *search = a->search;
    struct explanation_reason reason = {.kind = kind};
    bool started = false;
    for (uint32_t i = 0; i < a->formula.count; i++) {
        const struct smt_rule *rule = rule_of(a, i);
        if (!a->kept[i] || rule->kind != kind || rule->number != number)
            continue;
        if (!started)
            name_rule(search, rule, &reason);
        started = true;
        add_pair(a, &reason, rule);
        if (kind != EXPLANATION_BY_CHECK) {
            VEC_PUSH(&search->out->reasons, reason);
            reason = (struct explanation_reason){.kind = kind};
            started = false;
        }
    }
    if (started)
        VEC_PUSH(&search->out->reasons, reason);
}

static void add_lines(struct search *search)
{
    for (enum explanation_reason_kind kind = EXPLANATION_BY_EXECUTION_BARRIER;
         kind <= EXPLANATION_BY_ORDERED_ACCESS; kind++)
        for (size_t i = 0; i < search->lines.count; i++) {
            const struct line *line = &search->lines.items[i];
            if (line->dropped || line->kind != kind)
                continue;
            struct explanation_reason reason = {.kind = kind, .name = line->event.access};
            reason.pairs = ARENA_NEW(&search->out->arena, struct explanation_pair);
            reason.pairs[reason.pair_count++] = (struct explanation_pair){line->event, line->event};
            name_place(&reason, &line->instr->span);
            VEC_PUSH(&search->out->reasons, reason);
        }
}

static void give_reasons(struct attempt *a)
{
    for (uint32_t c = 0; c < a->formula.request.model->check_count; c++)
        add_rules(a, EXPLANATION_BY_CHECK, c);
    add_rules(a, EXPLANATION_BY_FILTER, 0);
    add_rules(a, EXPLANATION_BY_CRASH_POINT, 0);
    add_rules(a, EXPLANATION_BY_EXECUTES_BEFORE, CAT_EXECUTES_BEFORE);
    add_rules(a, EXPLANATION_BY_DURABLE_BEFORE, CAT_DURABLE_BEFORE);
    add_rules(a, EXPLANATION_BY_PERSIST_ATOMIC, CAT_PERSIST_ATOMIC);
    add_rules(a, EXPLANATION_BY_PERSIST_BEFORE, CAT_PERSIST_BEFORE);
    add_rules(a, EXPLANATION_BY_COHERENCE, 0);
    add_lines(a->search);
}

/* ---- The whole ---- */

static void show_near_miss(struct attempt *a)
{
    const struct smt_attempt_question question = question_of(a->search);
    uint32_t count = 0;
    if (!a->search->request->on_near_miss || !a->search->out->minimal)
        return;
    struct smt_rule *reasons =
        ARENA_ARRAY(&a->formula.query.arena, struct smt_rule, a->formula.count + 1u);
    for (uint32_t i = 0; i < a->formula.count; i++)
        if (a->kept[i])
            reasons[count++] = *rule_of(a, i);
    smt_show_near_miss(&question, reasons, count);
}

/* Without rules to blame no candidate execution has the state. But that candidate executions wait
 * at persist barriers is the model's doing as well. */
static void blame_waits(struct search *search)
{
    const struct smt_attempt_question question = question_of(search);
    if (search->out->minimal && search->out->reasons.count == 0)
        search->out->minimal = smt_explain_waits(&question, search->out) == SMT_UNSAT;
}

/* The state is known to be out of reach; without time to say why there are no reasons. */
static void explain_unreachable(struct search *search)
{
    struct attempt a;
    search->lines_clock = clock_limit_part(&search->request->limits.clock, 0.5);
    drop_lines(search);
    attempt_init(&a, search);
    if (attempt_build(&a) && ask(&a, NULL) == SMT_UNSAT) {
        drop_rules(&a);
        give_reasons(&a);
        blame_waits(search);
        show_near_miss(&a);
    } else {
        search->out->minimal = false;
    }
    search->out->answer = EXPLANATION_UNREACHABLE;
    attempt_fini(&a);
}

static enum smt_answer look(struct search *search)
{
    struct attempt a;
    attempt_init(&a, search);
    enum smt_answer answer = attempt_build(&a) ? ask(&a, NULL) : SMT_UNKNOWN;
    if (answer == SMT_SAT) {
        smt_attempt_show(&a.formula);
        search->out->answer = EXPLANATION_REACHABLE;
    } else if (answer == SMT_UNSAT) {
        find_lines(search, &a.formula.query.program);
    } else if (!outcome_doubt(&search->outcome)) {
        search->outcome.doubts[OUTCOME_DOUBT_ENCODING] = true;
    }
    attempt_fini(&a);
    return answer;
}

void smt_explain(const struct engine_request *request, const struct lit_condition *condition,
                 struct explanation *explanation)
{
    struct search search = {.request = request, .condition = condition, .out = explanation};
    if (condition->when == LIT_RECOVERED) {
        explanation->doubt = "conditions on recovery are not explained";
        return;
    }
    outcome_init(&search.outcome, request->program);
    if (look(&search) == SMT_UNSAT)
        explain_unreachable(&search);
    if (explanation->answer == EXPLANATION_UNKNOWN && outcome_doubt(&search.outcome))
        explanation->doubt = arena_strdup(&explanation->arena, outcome_doubt(&search.outcome));
    VEC_FREE(&search.lines);
    outcome_fini(&search.outcome);
}
