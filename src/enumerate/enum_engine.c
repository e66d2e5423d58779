/* All combinations of the threads' paths, thread by thread, dropping a combination as
 * soon as two threads disagree on a barrier they should have met at. At most one
 * await of an execution is given a failing iteration: a race has two events, two
 * reads never race, and further reads only add synchronisation, so one suffices. */
#include "enumerate/enum_search.h"
#include "enumerate/enumerate.h"

static bool wants_probes(const struct cat_model *model)
{
    for (uint32_t c = 0; c < model->check_count; c++)
        if (model->checks[c].kind == CAT_UNDEFINED_UNLESS)
            return true;
    return false;
}

/* Which persist barriers wait is a matter of tags: ask the model about a lone
 * barrier of each scope. */
static void find_waiting_barriers(struct enum_state *state)
{
    const struct engine_request *request = state->request;
    for (int scope = 0; scope < LIT_SCOPE_COUNT; scope++) {
        struct arena_mark mark = arena_mark(&state->scratch);
        struct ev barrier = {.kind = EV_PBARRIER,
                             .has_scope = true,
                             .scope = (enum lit_scope)scope,
                             .thread = 0,
                             .location = LIT_NONE,
                             .meeting = {.kind = EV_PBARRIER, .scope = (enum lit_scope)scope}};
        struct exec_skeleton alone = {.program = request->program,
                                      .dim = rel_dim_make(1),
                                      .events = &barrier};
        struct cat_eval *eval = cat_eval_new(&state->scratch, request->plan, alone.dim);
        exec_skeleton_fill_sets(&alone, eval);
        cat_eval_static(eval);
        const rel_word *waits = cat_eval_value(eval, request->model->reserved[CAT_WAITS]);
        state->options.pbarrier_waits[scope] = (waits[0] & 1) != 0;
        arena_rewind(&state->scratch, mark);
    }
}

static void search_combination(struct enum_state *state, const struct exec_path *const *chosen)
{
    struct outcome *outcome = state->outcome;
    if (!exec_paths_stuck_rightly(state->request->program, chosen))
        return;
    struct arena_mark mark = arena_mark(&state->scratch);
    const struct exec_skeleton *skeleton =
        exec_skeleton_new(&state->scratch, state->request->program, chosen);
    if (!skeleton) {
        outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
    } else {
        outcome->stats.skeletons++;
        if (skeleton->dim.n > outcome->stats.events)
            outcome->stats.events = skeleton->dim.n;
        enum_search_skeleton(state, skeleton);
    }
    arena_rewind(&state->scratch, mark);
}

static void combine(struct enum_state *state, const struct exec_paths *paths,
                    const struct exec_path **chosen, uint32_t thread, bool probed)
{
    const struct lit_program *program = state->request->program;
    if (thread == program->thread_count) {
        search_combination(state, chosen);
        return;
    }
    for (uint32_t i = 0; i < paths[thread].count && !state->stopped; i++) {
        chosen[thread] = paths[thread].items[i];
        if (chosen[thread]->probe && probed)
            continue;
        if (exec_paths_agree(program, &state->options, chosen, thread + 1))
            combine(state, paths, chosen, thread + 1, probed || chosen[thread]->probe);
    }
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

void enum_run(const struct engine_request *request, struct outcome *outcome)
{
    const struct lit_program *program = request->program;
    struct enum_state state = {.request = request, .outcome = outcome};
    clock_gettime(CLOCK_MONOTONIC, &state.started);
    arena_init(&state.paths);
    arena_init(&state.scratch);
    state.options.unroll = request->limits.unroll;
    state.options.probes = wants_probes(request->model);
    find_waiting_barriers(&state);
    struct exec_paths *paths = ARENA_ARRAY(&state.paths, struct exec_paths, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        exec_run_thread(&state.paths, program, t, &state.options, &paths[t]);
        outcome->doubts[OUTCOME_DOUBT_PATHS] |= paths[t].truncated;
    }
    const struct exec_path **chosen =
        ARENA_ARRAY(&state.paths, const struct exec_path *, program->thread_count);
    combine(&state, paths, chosen, 0, false);
    outcome_sort(outcome);
    outcome->stats.seconds = seconds_since(&state.started);
    arena_fini(&state.scratch);
    arena_fini(&state.paths);
}
