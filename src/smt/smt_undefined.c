/* Undefined behaviour, flags and doubts due to bounds. The solver is asked for an execution that
 * has it, check by check. An execution shows all pairs that a check names in it. */
#include "smt/smt_relation.h"
#include "smt/smt_query.h"

void smt_report_undefined(struct smt_query *q, const struct outcome_undefined *undefined)
{
    bool is_first = q->outcome->undefined.count == 0;
    outcome_add_undefined(q->outcome, undefined);
    if (is_first)
        smt_show_undefined(q);
}

/* Is there an execution of which this is true? Then `then`, or NULL, is called with the solution. */
static bool find_some(struct smt_query *q, smt_term fact,
                      void (*then)(struct smt_query *q, const void *context), const void *context)
{
    struct smt_solver *s = q->program.solver;
    if (smt_is(s, fact, false))
        return false;
    smt_relations_settle(q->relations);
    smt_push(s);
    smt_assert(s, fact);
    bool found = smt_ask(q) == SMT_SAT;
    if (found && then)
        then(q, context);
    smt_pop(s);
    return found;
}

/* What an execution has; of a check about cycles, else NULL, the events of one are added. */
struct behaviour {
    const struct outcome_undefined *undefined;
    const struct cat_check *cyclic;
};

static void report_behaviour(struct smt_query *q, const void *context)
{
    const struct behaviour *behaviour = context;
    struct outcome_undefined shown = *behaviour->undefined;
    if (behaviour->cyclic)
        smt_name_cycle(q, behaviour->cyclic, &shown);
    smt_report_undefined(q, &shown);
}

static bool find_cyclic(struct smt_query *q, smt_term fact,
                        const struct outcome_undefined *undefined, const struct cat_check *cyclic)
{
    const struct behaviour behaviour = {undefined, cyclic};
    return find_some(q, fact, undefined ? report_behaviour : NULL, &behaviour);
}

static bool find_execution(struct smt_query *q, smt_term fact,
                           const struct outcome_undefined *undefined)
{
    return find_cyclic(q, fact, undefined, NULL);
}

/* Is there an execution in which this fact holds? */
static bool may_be(struct smt_query *q, smt_term fact)
{
    return find_some(q, fact, NULL, NULL);
}

/* ---- What a check names ---- */

/* Pairs that are told alike, which are many where a loop repeats statements: are some of them in
 * the check's relation? */
struct finding {
    struct outcome_undefined undefined;
    smt_term holds;
};

typedef VEC(struct finding) finding_list;

static struct outcome_event *describe_events(struct smt_query *q)
{
    struct outcome_event *events = ARENA_ARRAY(&q->arena, struct outcome_event, q->program.dim.n);
    for (uint32_t e = 0; e < q->program.dim.n; e++)
        events[e] =
            outcome_event_of(&q->arena, &q->program.events[e].ev, smt_program_test(&q->program));
    return events;
}

static void add_finding(struct smt_query *q, finding_list *list,
                        const struct outcome_undefined *undefined, smt_term fact)
{
    if (smt_is(q->program.solver, fact, false))
        return;
    for (size_t i = 0; i < list->count; i++)
        if (outcome_same_undefined(&list->items[i].undefined, undefined)) {
            list->items[i].holds = smt_or(q->program.solver, list->items[i].holds, fact);
            return;
        }
    VEC_PUSH(list, (struct finding){*undefined, fact});
}

/* The pair is in the relation, and, told from its mirror image, that one is not. */
static smt_term reported_pair(struct smt_query *q, cat_node_id node, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < q->program.dim.n && b < q->program.dim.n);
    struct smt_solver *s = q->program.solver;
    smt_term both = smt_and(s, q->program.events[a].guard, q->program.events[b].guard);
    smt_term pair = smt_relation_has(q->relations, node, a, b, SMT_AT_MOST);
    if (a > b)
        pair =
            smt_and(s, pair, smt_not(s, smt_relation_has(q->relations, node, b, a, SMT_AT_LEAST)));
    return smt_and(s, both, pair);
}

static void collect_findings(struct smt_query *q, const struct cat_check *check, finding_list *list)
{
    struct rel_dim dim = q->program.dim;
    bool is_set = q->request->model->nodes[check->node].sort == CAT_SET;
    const rel_word *may = smt_relation_may(q->relations, check->node);
    const struct outcome_event *told = describe_events(q);
    for (uint32_t a = 0; a < dim.n; a++) {
        struct outcome_undefined undefined = {
            .kind = OUTCOME_CHECK, .name = check->name, .events = {told[a]}, .event_count = 1};
        if (is_set)
            add_finding(q, list, &undefined,
                        smt_and(q->program.solver, q->program.events[a].guard,
                                smt_set_has(q->relations, check->node, a, SMT_AT_MOST)));
        undefined.event_count = 2;
        for (uint32_t b = 0; !is_set && b < dim.n; b++) {
            undefined.events[1] = told[b];
            if (rel_has(dim, may, a, b))
                add_finding(q, list, &undefined, reported_pair(q, check->node, a, b));
        }
    }
}

static smt_term any_finding(struct smt_query *q, const finding_list *list)
{
    smt_term some = smt_truth(q->program.solver, false);
    for (size_t i = 0; i < list->count; i++)
        some = smt_or(q->program.solver, some, list->items[i].holds);
    return some;
}

/* Reports what the solution has of them; the others are left. */
static void report_findings(struct smt_query *q, finding_list *list)
{
    size_t left = 0;
    for (size_t i = 0; i < list->count; i++)
        if (smt_model_holds(q->program.solver, list->items[i].holds))
            smt_report_undefined(q, &list->items[i].undefined);
        else
            list->items[left++] = list->items[i];
    list->count = left;
}

/* Each question is for an execution that has one more of them. */
static void look_at_pairs(struct smt_query *q, const struct cat_check *check)
{
    finding_list list = {0};
    collect_findings(q, check, &list);
    smt_relations_settle(q->relations);
    smt_push(q->program.solver);
    for (bool found = true; found && list.count && !smt_query_is_undefined(q);) {
        smt_assert(q->program.solver, any_finding(q, &list));
        found = smt_ask(q) == SMT_SAT;
        if (found)
            report_findings(q, &list);
    }
    smt_pop(q->program.solver);
    VEC_FREE(&list);
}

/* ---- The questions ---- */

static void look_at_check(struct smt_query *q, const struct cat_check *check)
{
    if (check->kind == CAT_FLAG) {
        struct smt_solver *s = q->program.solver;
        struct cat_check inverse = *check;
        inverse.negated = !check->negated; /* raised where the test holds */
        smt_term raised = smt_check_fails(q->relations, &inverse);
        if (may_be(q, smt_and(s, raised,
                              smt_not(s, smt_program_some_on(&q->program, smt_path_is_probe)))))
            outcome_add_flag(q->outcome, check->name);
        return;
    }
    bool cyclic = cat_check_is_of_cycle(check);
    const struct outcome_undefined undefined = {
        .kind = OUTCOME_CHECK, .name = check->name, .of_cycle = cyclic};
    bool has_pairs = !check->negated && !cyclic;
    if (find_cyclic(q, smt_check_fails(q->relations, check), has_pairs ? NULL : &undefined,
                    cyclic ? check : NULL) &&
        has_pairs)
        look_at_pairs(q, check);
}

static void look_at_path(struct smt_query *q, uint32_t thread, uint32_t number)
{
    BASE_ASSERT(thread < smt_program_test(&q->program)->thread_count);
    struct smt_program *p = &q->program;
    const struct exec_path *path = p->threads[thread].paths.items[number];
    if (path->end != EXEC_AT_FAULT || path->probe)
        return;
    const struct outcome_undefined undefined = outcome_fault(thread, path->end_instr);
    find_execution(q,
                   smt_and(p->solver, p->threads[thread].chosen[number],
                           smt_not(p->solver, smt_program_some_on(p, smt_path_is_probe))),
                   &undefined);
}

static void look_at_faults(struct smt_query *q)
{
    for (uint32_t t = 0; t < smt_program_test(&q->program)->thread_count; t++)
        for (uint32_t i = 0; i < q->program.threads[t].paths.count; i++)
            look_at_path(q, t, i);
}

/* ---- What waits for ever ---- */

static bool goes_no_further(const struct exec_path *path)
{
    return !path->probe && path->end != EXEC_AT_BOUND && path->end != EXEC_AT_FAULT;
}

/* All have ended or wait, and the thread waits in an await on this path. */
static void look_at_await(struct smt_query *q, uint32_t thread, uint32_t number)
{
    struct smt_program *p = &q->program;
    const struct exec_path *path = p->threads[thread].paths.items[number];
    if (path->end != EXEC_AT_AWAIT || path->probe)
        return;
    const struct outcome_undefined endless = outcome_endless(thread, path->end_instr);
    find_execution(q,
                   smt_and(p->solver, p->threads[thread].chosen[number],
                           smt_program_all_on(p, goes_no_further)),
                   &endless);
}

static void look_at_awaits(struct smt_query *q)
{
    for (uint32_t t = 0; t < smt_program_test(&q->program)->thread_count; t++)
        for (uint32_t i = 0; i < q->program.threads[t].paths.count; i++)
            if (!smt_query_is_undefined(q))
                look_at_await(q, t, i);
}

/* ---- Bounds ---- */

static bool ends_at_loop_bound(const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND && !path->too_long && !path->probe;
}

static bool ends_too_long(const struct exec_path *path)
{
    return path->end == EXEC_AT_BOUND && path->too_long && !path->probe;
}

/* Of the first work-item whose run ends so in the solution. */
static void name_loop(struct smt_query *q, const void *context)
{
    const struct lit_program *test = smt_program_test(&q->program);
    (void)context;
    for (uint32_t t = 0; t < test->thread_count; t++)
        for (uint32_t i = 0; i < q->program.threads[t].paths.count; i++) {
            const struct exec_path *path = q->program.threads[t].paths.items[i];
            if (ends_at_loop_bound(path) &&
                smt_model_holds(q->program.solver, q->program.threads[t].chosen[i])) {
                outcome_doubt_unroll(q->outcome, test, t, path->end_instr);
                return;
            }
        }
    BASE_UNREACHABLE("no run at its bound");
}

void smt_look_at_bounds(struct smt_query *q)
{
    bool *doubts = q->outcome->doubts;
    find_some(q, smt_program_some_on(&q->program, ends_at_loop_bound), name_loop, NULL);
    doubts[OUTCOME_DOUBT_LENGTH] |= may_be(q, smt_program_some_on(&q->program, ends_too_long));
}

/* Executions whose final state the filter takes away show nothing. */
static void leave_out_filtered(struct smt_query *q)
{
    struct smt_solver *s = q->program.solver;
    const struct lit_prop *filter = smt_program_test(&q->program)->filter;
    if (!filter)
        return;
    struct smt_finals finals = smt_finals_build(q);
    smt_relations_settle(q->relations);
    smt_assert(s, smt_or(s, smt_not(s, finals.complete),
                         smt_prop(q, filter, finals.items, finals.values, finals.count)));
}

static void look_for_all(struct smt_query *q)
{
    const struct cat_model *model = q->request->model;
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_FLAG ||
            (model->checks[c].kind == CAT_UNDEFINED_UNLESS && !smt_query_is_undefined(q)))
            look_at_check(q, &model->checks[c]);
    smt_look_at_divergence(q); /* a flag as well */
    if (!smt_query_is_undefined(q))
        look_at_faults(q);
}

void smt_look_for_undefined(struct smt_query *q)
{
    smt_relations_settle(q->relations);
    smt_push(q->program.solver);
    leave_out_filtered(q);
    if (q->request->endless)
        look_at_awaits(q);
    else
        look_for_all(q);
    smt_pop(q->program.solver);
}
