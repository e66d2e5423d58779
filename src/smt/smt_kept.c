#include "smt/smt_kept.h"

#include "cat/cat_same.h"

#include <string.h>

/* ---- What was found ---- */

static void copy_found(struct outcome *to, const struct outcome *from)
{
    for (size_t i = 0; i < from->final.count; i++)
        outcome_add_state(&to->final, outcome_row(&from->final, i));
    for (size_t i = 0; i < from->undefined.count; i++)
        outcome_add_undefined(to, &from->undefined.items[i]);
    for (size_t i = 0; i < from->flags.count; i++)
        outcome_add_flag(to, from->flags.items[i]);
    memcpy(to->met, from->met, sizeof to->met);
    to->ran = from->ran;
    to->ended = from->ended;
    to->stats = from->stats;
}

/* ---- Whom it suits ---- */

/* Whatever depends on the pair, and is not a matter of checks, is in the program's options, or says
 * whether executions are asked for at all (wants_run of smt_engine.c). */
static bool is_asked_alike(const struct engine_request *a, const struct engine_request *b)
{
    return a->crash_mode == b->crash_mode && a->limits.unroll == b->limits.unroll &&
           a->limits.memory_mib == b->limits.memory_mib && a->limits.brief == b->limits.brief &&
           a->decide == b->decide && a->conditions_alone == b->conditions_alone &&
           a->endless == b->endless && a->symmetry == b->symmetry &&
           a->model->all_can_persist == b->model->all_can_persist &&
           a->model->lands_by_coherence == b->model->lands_by_coherence;
}

static bool are_effects_same(const struct lit_program *program, const struct exec_effects *a,
                             const struct exec_effects *b)
{
    return !ANY(t, program->thread_count,
                !a->of[t] != !b->of[t] ||
                    (a->of[t] && memcmp(a->of[t], b->of[t],
                                        program->threads[t].code_count * sizeof *a->of[t]) != 0));
}

static bool suits(struct smt_base *base, const struct engine_request *request)
{
    const struct exec_run_options *own = &base->query.program.options;
    struct exec_run_options other = smt_run_options(&base->query.arena, request);
    return is_asked_alike(&base->request, request) && own->probes == other.probes &&
           own->join == other.join && own->dependencies == other.dependencies &&
           memcmp(&own->waits, &other.waits, sizeof other.waits) == 0 &&
           are_effects_same(request->program, &own->effects, &other.effects) &&
           cat_same_checks(&base->query.arena, base->request.model, request->model);
}

/* ---- A few of them ---- */

enum { MOST_KEPT = 4 };

static void free_base(struct smt_base *base)
{
    if (base->query.relations)
        smt_relations_free(base->query.relations);
    smt_solver_free(base->query.program.solver);
    if (base->keeps)
        outcome_fini(&base->found);
    arena_fini(&base->query.arena);
    base_free(base);
}

static void free_bases(void *first)
{
    for (struct smt_base *base = first, *next; base; base = next) {
        next = base->next;
        free_base(base);
    }
}

static struct engine_kept *kept_for(const struct engine_request *request)
{
    return request->kept && request->kept->program == request->program ? request->kept : NULL;
}

struct smt_base *smt_base_begin(const struct engine_request *request)
{
    struct engine_kept *kept = kept_for(request);
    struct smt_base *base = kept ? kept->what : NULL, *before = NULL;
    while (base && !suits(base, request)) {
        before = base;
        base = base->next;
    }
    if (base && before)
        before->next = base->next;
    else if (base)
        kept->what = base->next;
    if (base)
        return base;
    base = base_realloc(NULL, sizeof *base);
    *base = (struct smt_base){.request = *request};
    arena_init(&base->query.arena);
    return base;
}

void smt_base_note(struct smt_base *base)
{
    const struct smt_query *q = &base->query;
    const struct cat_model *model = q->request->model;
    if (!kept_for(q->request) || outcome_doubt(q->outcome) || q->program.dim.n > CAT_FEW_EVENTS ||
        !cat_same_checks(&base->query.arena, model, model))
        return;
    base->keeps = true;
    outcome_init(&base->found, q->request->program);
    copy_found(&base->found, q->outcome);
}

void smt_base_share(const struct smt_base *base, const struct engine_request *request,
                    struct outcome *outcome, struct smt_query *q)
{
    struct smt_program *p = &q->program;
    uint32_t locations = request->program->location_count;
    *q = base->query;
    arena_init(&q->arena);
    q->request = p->request = request;
    q->outcome = p->outcome = outcome;
    q->row = smt_query_row(q);
    p->arena = &q->arena;
    p->options.path_events = &q->path_events;
    p->options.clock = q;
    p->latest = arena_copy(&q->arena, p->latest, locations * sizeof *p->latest);
    smt_solver_heed(p->solver, &request->limits.clock);
    copy_found(outcome, &base->found);
}

/* Nothing of the pair at hand is left. */
static void let_go(struct smt_base *base)
{
    struct smt_query *q = &base->query;
    if (q->relations)
        smt_relations_free(q->relations);
    q->relations = NULL;
    q->request = q->program.request = &base->request;
    q->outcome = q->program.outcome = &base->found;
    smt_solver_heed(q->program.solver, NULL);
}

void smt_base_end(struct smt_base *base, const struct engine_request *request)
{
    struct engine_kept *kept = kept_for(request);
    if (!base->keeps || !kept || !smt_solver_is_fit(base->query.program.solver)) {
        free_base(base);
        return;
    }
    let_go(base);
    base->next = kept->what;
    kept->what = base;
    kept->drop = free_bases;
    for (uint32_t i = 1; i < MOST_KEPT && base; i++)
        base = base->next;
    if (base) {
        free_bases(base->next);
        base->next = NULL;
    }
}
