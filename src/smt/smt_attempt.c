#include "smt/smt_attempt.h"

#include <string.h>

void smt_attempt_init(struct smt_attempt *a, const struct smt_attempt_question *question)
{
    struct smt_query *q = &a->query;
    *a = (struct smt_attempt){.condition = question->condition, .request = *question->request};
    a->request.on_witness = question->on_witness;
    a->request.context = question->context;
    arena_init(&q->arena);
    smt_query_init(q, &a->request, question->outcome,
                   smt_solver_new(a->request.limits.memory_mib, SMT_INTEGERS));
    q->program.options.probes = q->program.options.join = false; /* a path is one of the test's */
    q->program.rules = smt_rules_new(&q->program);
}

void smt_attempt_fini(struct smt_attempt *a)
{
    struct smt_query *q = &a->query;
    if (q->relations)
        smt_relations_free(q->relations);
    smt_rules_free(q->program.rules);
    smt_solver_free(q->program.solver);
    arena_fini(&q->arena);
}

/* Asks for the state among complete executions. */
static void ask_final(struct smt_attempt *a)
{
    struct smt_query *q = &a->query;
    const struct lit_prop *filter = a->request.program->filter;
    struct smt_finals finals = smt_finals_build(q);
    a->states = &q->outcome->final;
    a->values = finals.values;
    smt_assert(q->program.solver, finals.complete);
    if (filter)
        smt_rules_assert(&q->program, EXPLANATION_BY_FILTER, 0, LIT_NONE, LIT_NONE,
                         smt_prop(q, filter, finals.items, finals.values, finals.count));
    smt_assert(q->program.solver,
               smt_deciding(q, a->condition, finals.items, finals.values, finals.count));
}

static void ask_crashed(struct smt_attempt *a)
{
    struct smt_query *q = &a->query;
    a->states = &q->outcome->crash;
    a->crash = smt_crash_build(q);
    a->values = a->crash.values;
    smt_assert(q->program.solver,
               smt_deciding(q, a->condition, a->states->items, a->values, a->states->width));
}

bool smt_attempt_build(struct smt_attempt *a)
{
    if (!smt_query_build(&a->query))
        return false;
    if (a->condition->when == LIT_FINAL)
        ask_final(a);
    else
        ask_crashed(a);
    smt_relations_settle(a->query.relations);
    a->count = smt_rules_count(a->query.program.rules);
    return true;
}

enum smt_answer smt_attempt_ask(struct smt_attempt *a, const bool *assumed, bool *core)
{
    double left = smt_time_left(&a->query);
    if (left < 0)
        return SMT_UNKNOWN;
    clock_spend(&a->query.request->limits.clock, 1);
    smt_term *terms = base_realloc(NULL, (a->count + a->wish_count + 1) * sizeof *terms);
    uint32_t *rule = base_realloc(NULL, (a->count + 1) * sizeof *rule), count = 0;
    bool *used = base_realloc(NULL, a->count + a->wish_count + 1);
    for (uint32_t i = 0; i < a->count; i++)
        if (assumed[i])
            rule[count] = i, terms[count++] = smt_rules_get(a->query.program.rules, i)->assumed;
    for (uint32_t i = 0; i < a->wish_count; i++)
        terms[count + i] = a->wishes[i];
    enum smt_answer answer =
        smt_check_assuming(a->query.program.solver, terms, count + a->wish_count, used, left);
    if (answer == SMT_UNSAT && core) {
        memset(core, 0, a->count);
        for (uint32_t k = 0; k < count; k++)
            core[rule[k]] = used[k];
    }
    if (answer == SMT_UNKNOWN)
        smt_note_unknown(&a->query);
    base_free(terms);
    base_free(rule);
    base_free(used);
    return answer;
}

void smt_attempt_show(struct smt_attempt *a)
{
    smt_read_row(&a->query, a->states, a->values);
    smt_show_witness(&a->query, a->states, a->condition->when == LIT_FINAL ? NULL : &a->crash);
}
