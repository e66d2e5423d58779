/* Reasons. Ordering lines (barriers, fences, ordered accesses) are dropped, each alone and then
 * together, as long as the state stays out of reach (smt_lines.h). Under the remaining lines the
 * checks and the rules of the crash cut are assumptions. Z3's unsat core is made minimal by leaving
 * out each one that can be spared. For each reason a further question tells whether it is necessary
 * in the test as it stands. A near miss (engine/near_miss.h) is an execution of the whole test with
 * all of its lines. */
#include "smt/smt_explain.h"

#include "cat/cat_mentions.h"
#include "engine/explanation_alike.h"
#include "smt/smt_attempt.h"
#include "smt/smt_bounds.h"
#include "smt/smt_library.h"
#include "smt/smt_lines.h"
#include "smt/smt_rules.h"

#include <string.h>

struct attempt;

struct search {
    const struct engine_request *request;
    const struct lit_condition *condition;
    struct explanation *out;
    struct outcome outcome; /* doubts, and what the columns of states are */
    bool cut_short;         /* a crash that loses less was not looked for to the end */
    struct smt_attempt_question question;
    struct attempt *whole; /* with all lines */
    struct smt_lines lines;
};

/* The formula under some dropped lines. */
struct attempt {
    struct search *search;
    struct smt_attempt formula;
    bool *kept;                  /* per rule: still among the reasons */
    bool *enough;                /* per rule: Z3 used it when it last forbade the state */
    struct smt_bounds *unchosen; /* where no order is chosen, NULL before it is asked */
};

/* ---- The formula ---- */

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct search *search = context;
    const struct engine_request *asked = search->request;
    if (asked->on_witness)
        asked->on_witness(asked->context, witness);
    explanation_show(search->out, asked, witness);
    explanation_find_why_not(search->out, asked, witness);
}

static void attempt_init(struct attempt *a, struct search *search)
{
    *a = (struct attempt){.search = search};
    smt_attempt_init(&a->formula, &search->question);
}

/* False when test or model cannot be encoded. */
static bool attempt_build(struct attempt *a)
{
    struct search *search = a->search;
    struct smt_attempt *formula = &a->formula;
    smt_lines_drop(&search->lines, formula->query.program.rules);
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
static enum smt_answer ask_solver(struct attempt *a, const bool *without)
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

/* ---- Rules that are needed ---- */

/* Leaves all rules of a kind (and, of checks, of a number) out, if that is possible. */
static void try_without_kind(struct attempt *a, enum explanation_reason_kind kind, uint32_t number)
{
    bool *without = ARENA_ARRAY(&a->formula.query.arena, bool, a->formula.count), some = false;
    for (uint32_t i = 0; i < a->formula.count; i++) {
        const struct smt_rule *rule = rule_of(a, i);
        without[i] = rule->kind == kind && rule->number == number;
        some = some || (without[i] && a->kept[i] && a->enough[i]);
    }
    for (uint32_t i = 0; !some && i < a->formula.count; i++)
        a->kept[i] = a->kept[i] && !without[i];
    if (some)
        ask_solver(a, without);
}

static void drop_kinds(struct attempt *a)
{
    const struct cat_model *model = a->formula.request.model;
    for (uint32_t c = 0; c < model->check_count; c++)
        try_without_kind(a, EXPLANATION_BY_CHECK, c);
    try_without_kind(a, EXPLANATION_BY_EXECUTES_BEFORE, CAT_EXECUTES_BEFORE);
    try_without_kind(a, EXPLANATION_BY_PERSIST_ATOMIC, CAT_PERSIST_ATOMIC);
    try_without_kind(a, EXPLANATION_BY_LANDS_BEFORE, CAT_LANDS_BEFORE);
    try_without_kind(a, EXPLANATION_BY_COHERENCE, 0);
    try_without_kind(a, EXPLANATION_BY_DURABLE_BEFORE, CAT_DURABLE_BEFORE);
    try_without_kind(a, EXPLANATION_BY_DURABLE_AFTER, CAT_DURABLE_AFTER);
    try_without_kind(a, EXPLANATION_BY_CAN_PERSIST, CAT_CAN_PERSIST);
}

/* Whole kinds first, for few kinds of reasons; then one by one. What Z3 did not use when it last
 * forbade the state goes without a question: the answer is known. When the time runs out what Z3
 * used has to do. */
static void drop_rules(struct attempt *a)
{
    drop_kinds(a);
    bool *without = ARENA_ARRAY(&a->formula.query.arena, bool, a->formula.count);
    for (uint32_t i = 0; i < a->formula.count; i++) {
        a->kept[i] = a->kept[i] && a->enough[i];
        if (!a->kept[i])
            continue;
        without[i] = true;
        if (ask_solver(a, without) == SMT_UNKNOWN)
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

/* What a rule is about a pair of; CAT_NONE: nothing of the model. */
static cat_node_id relation_of(const struct cat_model *model, const struct smt_rule *rule)
{
    if (rule->a == LIT_NONE || rule->kind == EXPLANATION_BY_COHERENCE)
        return CAT_NONE;
    cat_node_id node = rule->kind == EXPLANATION_BY_CHECK ? model->checks[rule->number].node
                                                          : model->reserved[rule->number];
    return model->nodes[node].sort == CAT_REL ? node : CAT_NONE;
}

/* May the relation have the pair of the rule, in some pass of its statements? */
static bool may_have(const struct smt_program *p, const rel_word *relation,
                     const struct smt_rule *rule)
{
    for (uint32_t x = 0; x < p->dim.n; x++)
        for (uint32_t y = 0; smt_rules_alike(p, x, rule->a) && y < p->dim.n; y++)
            if (smt_rules_alike(p, y, rule->b) && rel_has(p->dim, relation, x, y))
                return true;
    return false;
}

/* The orders that the model chooses and that a relation is made of; NULL: none. */
static const char *orders_of(struct attempt *a, cat_node_id node)
{
    const struct cat_model *model = a->search->request->model;
    struct arena *arena = &a->search->out->arena;
    const bool *made_of = cat_mentions_choices(arena, model, &node, 1);
    const char *names = NULL;
    for (uint32_t i = 0; i < model->choice_count; i++)
        if (made_of[i])
            names = names ? arena_printf(arena, "%s, %s", names, model->choices[i].name)
                          : arena_strdup(arena, model->choices[i].name);
    return names;
}

/* The names of the chosen orders that the pair rests on. NULL: the pair is there, or may be there,
 * without any chosen order. */
static const char *chosen_for(struct attempt *a, const struct smt_rule *rule)
{
    struct smt_program *p = &a->formula.query.program;
    const struct cat_model *model = a->search->request->model;
    cat_node_id node = relation_of(model, rule);
    const char *names = node == CAT_NONE ? NULL : orders_of(a, node);
    if (!names || !may_have(p, smt_relation_may(a->formula.query.relations, node), rule))
        return NULL;
    if (!a->unchosen)
        a->unchosen = smt_bounds_unchosen(p, model->node_count - 1);
    return smt_out_of_time(p) || may_have(p, smt_bounds_upper(a->unchosen, node), rule) ? NULL
                                                                                        : names;
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
    pairs[reason->pair_count++] = (struct explanation_pair){
        .from = event_of(a, rule->a), .to = event_of(a, rule->b), .chosen = chosen_for(a, rule)};
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
            struct outcome_event event = {.thread = t,
                                          .line = instr->span.line,
                                          .access = "crash",
                                          .column = instr->span.column};
            reason->pairs[reason->pair_count++] =
                (struct explanation_pair){.from = event, .to = event};
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
    static const char *const reserved[] = {CAT_RESERVED(TABLE_SECOND)};
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

static bool is_of_reason(const struct smt_rule *rule, const struct smt_rule *reason)
{
    return rule->kind == reason->kind && rule->number == reason->number &&
           (rule->kind == EXPLANATION_BY_CHECK || (rule->a == reason->a && rule->b == reason->b));
}

/* Is the state reached when all lines order and only the reason of this rule is left out? */
static enum explanation_need need_of(struct attempt *whole, const struct smt_rule *reason)
{
    uint32_t rules = whole->formula.count;
    bool *assumed = base_realloc(NULL, rules + 1);
    for (uint32_t i = 0; i < rules; i++)
        assumed[i] = !is_of_reason(rule_of(whole, i), reason);
    enum smt_answer answer = smt_attempt_ask(&whole->formula, assumed, NULL);
    base_free(assumed);
    return answer == SMT_SAT     ? EXPLANATION_NECESSARY
           : answer == SMT_UNSAT ? EXPLANATION_SPARE
                                 : EXPLANATION_UNTRIED;
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
        if (!started) {
            name_rule(search, rule, &reason);
            reason.need = need_of(search->whole, rule);
        }
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
        for (size_t i = 0; i < search->lines.items.count; i++) {
            const struct smt_line *line = &search->lines.items.items[i];
            if (line->dropped || line->kind != kind)
                continue;
            struct explanation_reason reason = {
                .kind = kind, .need = line->need, .name = line->event.access};
            reason.pairs = ARENA_NEW(&search->out->arena, struct explanation_pair);
            reason.pairs[reason.pair_count++] =
                (struct explanation_pair){.from = line->event, .to = line->event};
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
    add_rules(a, EXPLANATION_BY_DURABLE_AFTER, CAT_DURABLE_AFTER);
    add_rules(a, EXPLANATION_BY_CAN_PERSIST, CAT_CAN_PERSIST);
    add_rules(a, EXPLANATION_BY_PERSIST_ATOMIC, CAT_PERSIST_ATOMIC);
    add_rules(a, EXPLANATION_BY_PERSIST_BEFORE, CAT_PERSIST_BEFORE);
    add_rules(a, EXPLANATION_BY_LANDS_BEFORE, CAT_LANDS_BEFORE);
    add_rules(a, EXPLANATION_BY_COHERENCE, 0);
    add_lines(a->search);
}

/* ---- The whole ---- */

static void show_near_miss(struct attempt *a)
{
    uint32_t count = 0;
    if (!a->search->request->on_near_miss || !a->search->out->minimal)
        return;
    struct smt_rule *reasons =
        ARENA_ARRAY(&a->formula.query.arena, struct smt_rule, a->formula.count + 1u);
    for (uint32_t i = 0; i < a->formula.count; i++)
        if (a->kept[i])
            reasons[count++] = *rule_of(a, i);
    smt_show_near_miss(&a->search->question, reasons, count);
}

/* Without rules to blame no candidate execution has the state. But that candidate executions wait
 * at persist barriers is the model's doing as well. */
static void blame_waits(struct search *search)
{
    if (search->out->minimal && search->out->reasons.count == 0)
        search->out->minimal = smt_explain_waits(&search->question, search->out) == SMT_UNSAT;
}

/* Of the rules, under the lines that are left. */
static void explain_by_rules(struct attempt *a)
{
    drop_rules(a);
    give_reasons(a);
    blame_waits(a->search);
    explanation_group_reasons(a->search->out, a->search->request->program);
    show_near_miss(a);
    smt_lines_look_further(&a->search->lines);
}

/* The state is known to be out of reach; without time to say why there are no reasons. */
static void explain_unreachable(struct search *search)
{
    struct attempt less;
    search->out->answer = EXPLANATION_UNREACHABLE;
    smt_lines_choose(&search->lines);
    if (!smt_lines_some_dropped(&search->lines)) {
        explain_by_rules(search->whole);
        return;
    }
    attempt_init(&less, search);
    if (attempt_build(&less) && ask_solver(&less, NULL) == SMT_UNSAT)
        explain_by_rules(&less);
    else
        search->out->minimal = false;
    attempt_fini(&less);
}

static void look(struct search *search)
{
    struct attempt *a = search->whole;
    enum smt_answer answer = attempt_build(a) ? ask_solver(a, NULL) : SMT_UNKNOWN;
    if (answer == SMT_SAT) {
        if (search->condition->when == LIT_CRASHED)
            search->cut_short = !smt_least_find(&a->formula);
        smt_attempt_show(&a->formula);
        search->out->answer = EXPLANATION_REACHABLE;
    } else if (answer == SMT_UNSAT) {
        smt_lines_find(&search->lines, &search->question, &a->formula.query.program, search->out);
        explain_unreachable(search);
    } else if (!outcome_doubt(&search->outcome)) {
        search->outcome.doubts[OUTCOME_DOUBT_ENCODING] = true;
    }
}

void smt_explain(const struct engine_request *request, const struct lit_condition *condition,
                 struct explanation *explanation)
{
    struct attempt whole;
    struct search search = {
        .request = request, .condition = condition, .out = explanation, .whole = &whole};
    if (condition->when == LIT_RECOVERED) {
        explanation->doubt = "conditions on recovery are not explained";
        return;
    }
    outcome_init(&search.outcome, request->program);
    search.question =
        (struct smt_attempt_question){request, condition, &search.outcome, on_witness, &search};
    if (smt_library_load()) {
        attempt_init(&whole, &search);
        look(&search);
        attempt_fini(&whole);
    } else {
        search.outcome.doubts[OUTCOME_DOUBT_SOLVER] = true;
    }
    if ((explanation->answer == EXPLANATION_UNKNOWN || search.cut_short) &&
        outcome_doubt(&search.outcome))
        explanation->doubt = arena_strdup(&explanation->arena, outcome_doubt(&search.outcome));
    smt_lines_fini(&search.lines);
    outcome_fini(&search.outcome);
}
