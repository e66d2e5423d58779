/* Turns a solution into an execution: paths taken, and rf, co and the rest as matrices. So it can
 * be rechecked like any other engine's. */
#include "smt/smt_query.h"

#include "base/bits.h"
#include "engine/witness.h"

struct witness {
    struct smt_query *query;
    struct exec_skeleton *skeleton;
    struct smt_taken taken;
    uint32_t *number; /* per event of the program: its number in the skeleton, LIT_NONE */
};

static bool holds(const struct witness *w, smt_term term)
{
    return term && smt_model_holds(w->query->program.solver, term);
}

static uint32_t taken_path(struct smt_query *q, uint32_t t)
{
    BASE_ASSERT(t < smt_program_test(&q->program)->thread_count);
    const struct smt_thread *thread = &q->program.threads[t];
    for (uint32_t i = 0; i < thread->paths.count; i++)
        if (smt_model_holds(q->program.solver, thread->chosen[i]))
            return i;
    BASE_UNREACHABLE("a path that was taken");
}

/* The program's events on the path that happen. */
static uint32_t take_nodes(struct smt_query *q, const struct smt_thread *thread, uint32_t path,
                           uint32_t *nodes)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < thread->paths.items[path]->event_count; k++)
        if (smt_model_holds(q->program.solver, q->program.events[thread->nodes[path][k]].guard))
            nodes[count++] = thread->nodes[path][k];
    return count;
}

/* The same but for the numbers of reads. */
static bool same_form(const struct exec_value *a, const struct exec_value *b)
{
    if (!a || !b)
        return a == b;
    return a->op == b->op && a->type == b->type && a->value == b->value && a->size == b->size &&
           same_form(a->a, b->a) && same_form(a->b, b->b) && same_form(a->c, b->c);
}

static bool spins_alike(const struct exec_path *run, const struct exec_path *path)
{
    bool alike = run->spin_count == path->spin_count &&
                 run->slot_count - run->event_count == path->slot_count - path->event_count;
    for (uint32_t i = 0; i < run->spin_count && alike; i++)
        alike = same_form(run->spins[i].value, path->spins[i].value);
    for (uint32_t i = run->event_count; i < run->slot_count && alike; i++)
        alike =
            run->events[i].instr == path->events[path->event_count + i - run->event_count].instr;
    return alike;
}

static bool ends_alike(const struct exec_path *run, const struct exec_path *path, uint32_t events)
{
    return run->event_count == events && run->end == path->end &&
           (run->end_instr == path->end_instr || path->too_long) && run->probe == path->probe &&
           run->too_long == path->too_long && spins_alike(run, path) &&
           (path->end != EXEC_AT_BARRIER || (ev_same_meeting(&run->meeting, &path->meeting) &&
                                             run->meeting.quorum == path->meeting.quorum));
}

/* The run of a joined path on which these events happen: the thread is run once more with
 * what its reads return. A joined path is longer than its runs, each of which is cut off where it
 * was. */
static const struct exec_path *take_run(struct smt_query *q, uint32_t t,
                                        const struct exec_path *path, const uint32_t *nodes,
                                        uint32_t count)
{
    const struct lit_program *test = q->request->program;
    int64_t *values = ARENA_ARRAY(&q->arena, int64_t, EXEC_MAX_THREAD_EVENTS + 2);
    bool *known = ARENA_ARRAY(&q->arena, bool, EXEC_MAX_THREAD_EVENTS + 2);
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++) {
        const struct smt_event *event = &q->program.events[nodes[k]];
        known[k] = event->ev.kind == EV_READ;
        if (known[k])
            values[k] = smt_model_value(q->program.solver, test->locations[event->ev.location].type,
                                        event->value);
    }
    struct exec_reads reads = {values, known};
    struct exec_run_options options = q->program.options;
    struct exec_paths runs;
    options.join = false;
    options.follow = &reads;
    options.follow_until = path->too_long ? &count : NULL;
    options.out_of_time = NULL;
    options.path_events = &kept;
    exec_run_thread(&q->arena, test, t, &options, &runs);
    for (uint32_t i = 0; i < runs.count; i++)
        if (ends_alike(runs.items[i], path, count))
            return runs.items[i];
    BASE_UNREACHABLE("a run of the path that was taken");
}

struct smt_taken smt_take(struct smt_query *q)
{
    uint32_t threads = q->request->program->thread_count;
    const struct exec_path **paths = ARENA_ARRAY(&q->arena, const struct exec_path *, threads);
    struct smt_taken taken = {NULL, ARENA_ARRAY(&q->arena, uint32_t, threads),
                              ARENA_ARRAY(&q->arena, uint32_t *, threads)};
    for (uint32_t t = 0; t < threads; t++) {
        const struct smt_thread *thread = &q->program.threads[t];
        uint32_t number = taken.paths[t] = taken_path(q, t);
        paths[t] = thread->paths.items[number];
        taken.nodes[t] = thread->nodes[number];
        if (!paths[t]->joined)
            continue;
        taken.nodes[t] = ARENA_ARRAY(&q->arena, uint32_t, paths[t]->event_count);
        uint32_t count = take_nodes(q, thread, number, taken.nodes[t]);
        paths[t] = take_run(q, t, paths[t], taken.nodes[t], count);
    }
    taken.skeleton = exec_skeleton_new(&q->arena, q->request->program, paths);
    BASE_CHECK(taken.skeleton != NULL);
    return taken;
}

static void number_event(struct witness *w, uint32_t event, uint32_t number)
{
    w->number[event] = number;
    w->skeleton->barriers[number].late = holds(w, w->query->program.late[event]);
}

static void number_events(struct witness *w)
{
    struct smt_program *p = &w->query->program;
    w->number = ARENA_ARRAY(&w->query->arena, uint32_t, p->dim.n);
    for (uint32_t e = 0; e < p->dim.n; e++)
        w->number[e] = LIT_NONE;
    for (uint32_t i = 0; i < w->skeleton->init_count; i++)
        w->number[w->skeleton->events[i].location] = i;
    for (uint32_t t = 0; t < w->skeleton->program->thread_count; t++)
        for (uint32_t k = 0; k < w->skeleton->paths[t]->event_count; k++)
            number_event(w, w->taken.nodes[t][k], w->skeleton->first[t] + k);
}

/* The pairs whose term holds, among the events taken. */
static rel_word *pairs_of(const struct witness *w, const smt_term *terms)
{
    const struct smt_program *p = &w->query->program;
    rel_word *out = ARENA_ARRAY(&w->query->arena, rel_word, rel_words(w->skeleton->dim));
    for (uint32_t a = 0; a < p->dim.n; a++)
        for (uint32_t b = 0; b < p->dim.n; b++)
            if (w->number[a] != LIT_NONE && w->number[b] != LIT_NONE &&
                holds(w, terms[smt_pair(p, a, b)]))
                rel_add(w->skeleton->dim, out, w->number[a], w->number[b]);
    return out;
}

static rel_word *reads_before(const struct witness *w, const rel_word *rf, const rel_word *co)
{
    struct rel_dim dim = w->skeleton->dim;
    rel_word *inverse = ARENA_ARRAY(&w->query->arena, rel_word, rel_words(dim));
    rel_word *out = ARENA_ARRAY(&w->query->arena, rel_word, rel_words(dim));
    rel_inverse(dim, inverse, rf);
    rel_seq(dim, out, inverse, co);
    return out;
}

static int64_t *values_of(const struct witness *w)
{
    struct smt_program *p = &w->query->program;
    int64_t *values = ARENA_ARRAY(&w->query->arena, int64_t, w->skeleton->slot_count);
    for (uint32_t t = 0; t < w->skeleton->program->thread_count; t++) {
        const struct exec_path *path = w->skeleton->paths[t];
        for (uint32_t k = 0; k < path->event_count; k++) {
            const struct smt_event *event = &p->events[w->taken.nodes[t][k]];
            if (event->ev.kind == EV_READ)
                values[w->skeleton->value_base[t] + k] = smt_model_value(
                    p->solver, w->skeleton->program->locations[event->ev.location].type,
                    event->value);
        }
    }
    return values;
}

/* What a solution says of a choice is read off terms, and those of fixpoints mean something
 * only when they were settled before the solver was asked. */
void smt_prepare_witnesses(struct smt_query *q)
{
    const struct cat_model *model = q->request->model;
    uint32_t n = q->program.dim.n;
    bool shows = q->request->on_witness || q->request->on_undefined;
    for (cat_node_id id = 0; shows && id < model->node_count; id++)
        for (uint32_t pair = 0; model->nodes[id].op == CAT_CHOICE && pair < n * n; pair++)
            (void)smt_relation_has(q->relations, id, pair / n, pair % n, SMT_EXACTLY);
}

static const rel_word *const *choices_of(const struct witness *w)
{
    struct smt_program *p = &w->query->program;
    const struct cat_model *model = w->query->request->model;
    const rel_word **out = ARENA_ARRAY(&w->query->arena, const rel_word *, model->choice_count);
    smt_term *terms = ARENA_ARRAY(&w->query->arena, smt_term, (size_t)p->dim.n * p->dim.n);
    for (cat_node_id id = 0; id < model->node_count; id++) {
        if (model->nodes[id].op != CAT_CHOICE)
            continue;
        for (uint32_t a = 0; a < p->dim.n; a++)
            for (uint32_t b = 0; b < p->dim.n; b++)
                terms[smt_pair(p, a, b)] =
                    smt_relation_has(w->query->relations, id, a, b, SMT_EXACTLY);
        out[model->nodes[id].base] = pairs_of(w, terms);
    }
    return out;
}

static rel_word *events_of(const struct witness *w, const smt_term *terms)
{
    rel_word *out = ARENA_ARRAY(&w->query->arena, rel_word, w->skeleton->dim.words);
    for (uint32_t e = 0; e < w->query->program.dim.n; e++)
        if (w->number[e] != LIT_NONE && holds(w, terms[e]))
            bits_set(out, w->number[e]);
    return out;
}

/* The place of the taken path's first crash statement among those of the thread. */
static uint32_t first_mark(const struct witness *w, uint32_t t)
{
    const struct exec_paths *paths = &w->query->program.threads[t].paths;
    uint32_t at = 0;
    for (uint32_t i = 0; i < w->taken.paths[t]; i++)
        at += paths->items[i]->crash_count;
    return at;
}

/* Marks stand outside of all parts, so those of a path and of a run of it are the same. */
static void find_mark(const struct witness *w, const struct smt_crash *crash, struct exec_cut *cut)
{
    for (uint32_t t = 0; crash->marks && t < w->skeleton->program->thread_count; t++) {
        uint32_t at = first_mark(w, t);
        for (uint32_t k = 0; k < w->skeleton->paths[t]->crash_count; k++)
            if (!cut->mark && holds(w, crash->marks[t][at + k])) {
                cut->mark = &w->skeleton->paths[t]->crashes[k];
                cut->mark_thread = t;
            }
    }
}

/* All that the thread may have passed; where nothing depends on it, all but where it stands. */
static const uint32_t *passed_of(const struct witness *w, const struct smt_crash *crash,
                                 const struct exec_cut *cut)
{
    uint32_t threads = w->skeleton->program->thread_count;
    uint32_t *passed = ARENA_ARRAY(&w->query->arena, uint32_t, threads);
    for (uint32_t t = 0; t < threads; t++) {
        const struct exec_path *path = w->skeleton->paths[t];
        bool stands = cut->mark && cut->mark_thread == t;
        while (passed[t] < path->crash_count &&
               !(stands && cut->mark == &path->crashes[passed[t]]) &&
               (!crash->passed[t] || holds(w, crash->passed[t][first_mark(w, t) + passed[t]])))
            passed[t]++;
    }
    return passed;
}

static struct exec_cut cut_of(const struct witness *w, const struct smt_crash *crash)
{
    const struct outcome_states *states = &w->query->outcome->crash;
    uint32_t locations = w->skeleton->program->location_count;
    uint32_t *last = ARENA_ARRAY(&w->query->arena, uint32_t, locations);
    struct exec_cut cut = {.executed = events_of(w, crash->executed),
                           .durable = events_of(w, crash->durable),
                           .mark_thread = LIT_NONE,
                           .last = last};
    for (uint32_t l = 0; l < locations; l++)
        last[l] = LIT_NONE;
    for (uint32_t i = 0; i < states->width; i++)
        for (uint32_t e = 0; e < w->query->program.dim.n; e++)
            if (crash->last[i] && w->number[e] != LIT_NONE && holds(w, crash->last[i][e]))
                last[states->items[i].location] = w->number[e];
    find_mark(w, crash, &cut);
    cut.passed = passed_of(w, crash, &cut);
    return cut;
}

static struct witness take_model(struct smt_query *q)
{
    struct witness w = {.query = q, .taken = smt_take(q)};
    w.skeleton = w.taken.skeleton;
    number_events(&w);
    return w;
}

/* Without a state. */
static struct engine_witness execution_of(const struct witness *w)
{
    struct smt_query *q = w->query;
    rel_word *rf = pairs_of(w, q->program.rf), *co = pairs_of(w, q->program.co);
    return (struct engine_witness){.skeleton = w->skeleton,
                                   .skeleton_number = q->outcome->stats.skeletons,
                                   .execution_number = q->outcome->stats.consistent,
                                   .rf = rf,
                                   .co = co,
                                   .fr = reads_before(w, rf, co),
                                   .choices = choices_of(w),
                                   .sync_fence = pairs_of(w, q->program.sync_fence),
                                   .values = values_of(w)};
}

void smt_show_witness(struct smt_query *q, const struct outcome_states *states,
                      const struct smt_crash *crash)
{
    if (!q->request->on_witness)
        return;
    struct arena_mark mark = arena_mark(&q->arena);
    const struct witness w = take_model(q);
    struct exec_cut cut = {0};
    if (crash)
        cut = cut_of(&w, crash);
    q->outcome->stats.skeletons++;
    q->outcome->stats.consistent++;
    struct engine_witness witness = execution_of(&w);
    witness.cut = crash ? &cut : NULL;
    witness.items = states->items;
    witness.row = q->row;
    witness.width = states->width;
    q->request->on_witness(q->request->context, &witness);
    arena_rewind(&q->arena, mark);
}

/* This execution is not counted, so that statistics are the same whether somebody asks for it or
 * not. */
void smt_show_undefined(struct smt_query *q)
{
    if (!q->request->on_undefined)
        return;
    struct arena_mark mark = arena_mark(&q->arena);
    const struct witness w = take_model(q);
    const struct engine_witness witness = execution_of(&w);
    q->request->on_undefined(q->request->context, &witness);
    arena_rewind(&q->arena, mark);
}

struct naming {
    struct smt_query *query;
    const struct exec_skeleton *skeleton;
    struct outcome_undefined *undefined;
};

static void name_events(void *context, const uint32_t *events, uint32_t count, bool both_ways)
{
    const struct naming *naming = context;
    (void)both_ways;
    naming->undefined->event_count = count > 1 ? 2 : 1;
    for (uint32_t i = 0; i < naming->undefined->event_count; i++)
        naming->undefined->events[i] = outcome_event_of(
            &naming->query->arena, &naming->skeleton->events[events[i]], naming->skeleton->program);
}

void smt_name_cycle(struct smt_query *q, const struct cat_check *check,
                    struct outcome_undefined *undefined)
{
    const struct witness w = take_model(q);
    const struct engine_witness witness = execution_of(&w);
    struct naming naming = {q, w.skeleton, undefined};
    struct cat_eval *eval = engine_witness_eval(&q->arena, q->request->plan, &witness);
    BASE_CHECK(cat_eval_static(eval) && cat_eval_exact(eval));
    witness_each_break(&witness, q->request->model, check, cat_eval_value(eval, check->node),
                       name_events, &naming);
    BASE_CHECK(undefined->event_count > 0);
}
