/* Combines the threads' paths, thread by thread. Two threads that disagree about a barrier where
 * they should have met end a combination at once. At most one await of an execution gets a failing
 * iteration. One is enough: a race has two events, two reads never race, and further reads only add
 * synchronisation. */
#include "enumerate/enum_cases.h"
#include "enumerate/enum_feasible.h"
#include "enumerate/enum_fixed.h"
#include "enumerate/enum_goal.h"
#include "enumerate/enum_images.h"
#include "enumerate/enum_search.h"
#include "enumerate/enumerate.h"

#include "base/clock.h"
#include "engine/recovery.h"

#include <string.h>

/* What is spent of an allowance, in steps of the evaluator (cat_eval), which counts its own: for
 * a look at the clock, a skeleton, and what is made ready once for a program. */
enum { STEPS_A_LOOK = 64, STEPS_A_SKELETON = 4000, STEPS_A_RUN = 20000 };

/* Of many events most pairs are written by the word. */
static uint64_t skeleton_cost(uint64_t events)
{
    enum { STEPS_A_PAIR = 16, FEW_EVENTS = 256 };
    uint64_t each = events < FEW_EVENTS ? events : FEW_EVENTS + (events - FEW_EVENTS) / 8;
    return STEPS_A_SKELETON + STEPS_A_PAIR * events * each;
}

static void spend(struct enum_state *state, uint64_t steps)
{
    clock_spend(&state->request->limits.clock, steps);
}

bool enum_out_of_time(struct enum_state *state)
{
    spend(state, STEPS_A_LOOK);
    if (clock_is_late(&state->request->limits.clock))
        state->outcome->doubts[OUTCOME_DOUBT_TIMEOUT] = state->stopped = true;
    return state->stopped;
}

static bool out_of_time(void *clock)
{
    return enum_out_of_time(clock);
}

static bool has_check(const struct cat_model *model, enum cat_check_kind kind)
{
    return ANY(c, model->check_count, model->checks[c].kind == kind);
}

static void search_combination(struct enum_state *state, const struct exec_path *const *chosen)
{
    struct outcome *outcome = state->outcome;
    struct arena_mark mark = arena_mark(&state->scratch);
    struct exec_skeleton *skeleton =
        exec_skeleton_new(&state->scratch, state->request->program, chosen);
    if (!skeleton) {
        outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
        arena_rewind(&state->scratch, mark);
        return;
    }
    spend(state, skeleton_cost(skeleton->dim.n));
    if (skeleton->dim.n > outcome->stats.events)
        outcome->stats.events = skeleton->dim.n;
    struct arena_mark built = arena_mark(&state->scratch);
    do {
        outcome->stats.skeletons++;
        enum_search_skeleton(state, skeleton);
        arena_rewind(&state->scratch, built);
        if (!exec_skeleton_next_quorum(skeleton))
            break;
        if (state->certificate)
            certificate_lack(state->certificate, "a barrier that some are late for");
    } while (!state->stopped);
    arena_rewind(&state->scratch, mark);
}

/* The choice of paths under way. */
struct combination {
    struct enum_state *state;
    const struct exec_paths *paths;
    struct enum_feasible *feasible;
    struct enum_nevers *nevers;      /* in its place, with a certificate */
    const struct exec_path **chosen; /* per thread */
    uint32_t *numbers;               /* per thread: which of its paths */
    bool doubtful; /* when the search began, some path would have left a new doubt */
};

static bool is_doubtful(const struct combination *c)
{
    return ANY(t, c->state->request->program->thread_count,
               ANY(i, c->paths[t].count, enum_leaves_doubt(c->state, c->paths[t].items[i])));
}

/* Can a combination with this path serve the goal (enum_paths_serve)? */
static bool is_wanted(const struct combination *c, const struct exec_path *path)
{
    const struct lit_condition *goal = c->state->goal;
    if (path->probe && (goal || c->state->looks_for_run || c->state->flag_plan))
        return false;
    if (!goal || goal->when != LIT_FINAL || path->end == EXEC_COMPLETE)
        return true;
    return path->end == EXEC_AT_BOUND ? enum_leaves_doubt(c->state, path) : c->doubtful;
}

static bool is_feasible(const struct combination *c, uint32_t thread)
{
    enum_raise_floors(c->state, c->numbers, thread);
    if (c->state->certificate)
        return !enum_never(c->nevers, c->chosen, c->numbers, thread + 1);
    return enum_feasible_so_far(c->feasible, c->numbers, c->state->group.floors, thread + 1);
}

/* An image of what is written is written from it. */
static void search_or_copy(struct enum_state *state, const struct exec_path *const *chosen)
{
    if (state->images && enum_images_write(state->images, chosen))
        return;
    search_combination(state, chosen);
    if (state->images && !state->stopped)
        enum_images_keep(state->images);
}

static void combine(struct combination *c, uint32_t thread, bool probed)
{
    const struct lit_program *program = c->state->request->program;
    if (thread == program->thread_count) {
        if (enum_paths_serve(c->state, c->chosen))
            search_or_copy(c->state, c->chosen);
        return;
    }
    for (uint32_t i = 0; i < c->paths[thread].count && !enum_out_of_time(c->state); i++) {
        const struct exec_path *path = c->paths[thread].items[i];
        c->chosen[thread] = path;
        c->numbers[thread] = i;
        if (!(path->probe && probed) &&
            (c->state->images || enum_paths_ascend(c->state, c->numbers, thread)) &&
            is_wanted(c, path) &&
            exec_paths_agree(program, &c->state->options, c->chosen, thread + 1) &&
            exec_paths_stuck_rightly(program, c->chosen, thread + 1) && is_feasible(c, thread))
            combine(c, thread + 1, probed || path->probe);
    }
}

typedef VEC(int64_t) constant_list;

static void add_constant(constant_list *list, int64_t value)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return;
    VEC_PUSH(list, value);
}

static void add_atom_constant(void *context, const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_CONST)
        add_constant(context, atom->value);
}

static void add_expr_constants(constant_list *list, const struct lit_expr *expr)
{
    if (!expr)
        return;
    if (expr->op == LIT_OP_CONST)
        add_constant(list, expr->value);
    add_expr_constants(list, expr->a);
    add_expr_constants(list, expr->b);
    add_expr_constants(list, expr->c);
}

/* Every constant of the test's conditions and code, and 0 and 1. */
static void list_constants(struct enum_state *state)
{
    const struct lit_program *program = state->request->program;
    constant_list list = {0};
    add_constant(&list, 0);
    add_constant(&list, 1);
    for (uint32_t i = 0; i < program->condition_count; i++)
        lit_prop_each_atom(program->conditions[i].prop, add_atom_constant, &list);
    lit_prop_each_atom(program->filter, add_atom_constant, &list);
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            add_expr_constants(&list, program->threads[t].code[i].value);
            add_expr_constants(&list, program->threads[t].code[i].expected);
        }
    state->constants = VEC_KEEP(&state->paths, &list);
    state->constant_count = (uint32_t)list.count;
    VEC_FREE(&list);
}

static void observe(void *context, const struct lit_atom *atom)
{
    bool *observed = context;
    if (atom->kind == LIT_ATOM_LOCATION)
        observed[atom->location] = true;
}

/* The locations whose last value matters to a final state, or to whether it counts. */
static void list_observed(struct enum_state *state)
{
    const struct lit_program *program = state->request->program;
    const struct outcome_states *states = &state->outcome->final;
    bool *observed = ARENA_ARRAY(&state->paths, bool, program->location_count);
    for (uint32_t i = 0; i < states->width; i++)
        if (states->items[i].kind == LIT_ATOM_LOCATION)
            observed[states->items[i].location] = true;
    lit_prop_each_atom(program->filter, observe, observed);
    state->observed = observed;
}

/* Has a state been found, for another goal, that decides this one too? */
static bool is_met_already(const struct enum_state *state)
{
    const struct outcome *outcome = state->outcome;
    const struct outcome_states *states =
        state->goal && state->goal->when == LIT_FINAL ? &outcome->final : &outcome->crash;
    for (size_t i = 0; state->goal && i < states->count; i++)
        if (enum_goal_met(state, states, outcome_row(states, i)))
            return true;
    return false;
}

/* A new search over all combinations, unless a limit was met. */
static void search_for(struct enum_state *state, struct combination *combination,
                       const struct lit_condition *goal)
{
    if (state->stopped && !state->met)
        return;
    state->goal = goal;
    state->stopped = state->met = false;
    combination->doubtful = is_doubtful(combination);
    enum_group_choose(state);
    if (!is_met_already(state))
        combine(combination, 0, false);
}

/* ---- Is there any state at all? ---- */

static const struct lit_prop always = {.op = LIT_PROP_TRUE};
static const struct lit_condition any_state[] = {
    {.when = LIT_FINAL, .quantifier = LIT_EXISTS, .prop = &always},
    {.when = LIT_CRASHED, .quantifier = LIT_EXISTS, .prop = &always}};

/* Searches for a condition give up what does not decide it, so they need not have come by any
 * state; nor, when final ones are wanted, by any execution that has none. */
static void look_for_any(struct enum_state *state, struct combination *combination)
{
    state->looks_for_any = true;
    for (int when = LIT_FINAL; when <= LIT_CRASHED; when++)
        if (outcome_wants_any(state->outcome, state->request->program, any_state[when].when))
            search_for(state, combination, &any_state[when]);
    state->looks_for_any = false;
    state->looks_for_run = true;
    if (outcome_wants_any(state->outcome, state->request->program, LIT_FINAL))
        search_for(state, combination, NULL);
    state->looks_for_run = false;
}

/* ---- Flags ---- */

static bool lacks_crash_points(const struct enum_state *state)
{
    return state->request->crash_mode == EXEC_CRASH_POINTS && state->outcome->stats.cuts == 0 &&
           state->outcome->undefined.count == 0;
}

/* Which flags no execution that was looked at has raised. */
static bool want_flags(struct enum_state *state)
{
    const struct cat_model *model = state->request->model;
    const char *divergence = outcome_undefined_text(OUTCOME_DIVERGENCE);
    bool any = state->wants_divergence =
        state->outcome->undefined.count && !outcome_has_flag(state->outcome, divergence);
    state->wanted_flags = ARENA_ARRAY(&state->paths, bool, model->check_count);
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        state->wanted_flags[c] =
            check->kind == CAT_FLAG && !outcome_has_flag(state->outcome, check->name);
        any |= state->wanted_flags[c];
    }
    return any;
}

/* Flags are part of the answer, so what may raise a new one is looked at in the end. What cannot be
 * looked at leaves a doubt about flags and none about conditions. */
static void look_for_flags(struct enum_state *state, struct combination *combination)
{
    bool *doubts = state->outcome->doubts, before[OUTCOME_DOUBT_COUNT], more = false;
    memcpy(before, doubts, sizeof before);
    if (!want_flags(state))
        return;
    state->flag_plan = cat_plan_new_for(&state->paths, state->request->model, CAT_FOR_FLAGS);
    search_for(state, combination, NULL);
    state->flag_plan = NULL;
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        more |= doubts[doubt] && !before[doubt] && doubt != OUTCOME_DOUBT_THIN_AIR;
    memcpy(doubts, before, sizeof before);
    doubts[OUTCOME_DOUBT_FLAGS] |= more;
}

/* A state shows that some crash point is reached; none was come by for the conditions. */
static void look_for_crash_point(struct enum_state *state, struct combination *combination)
{
    state->looks_for_any = true;
    search_for(state, combination, &any_state[LIT_CRASHED]);
    state->looks_for_any = false;
}

/* What asks for crash states to be recovered. */
static const struct lit_condition recover_all = {.when = LIT_RECOVERED};

/* A search that says whether it came by values that justify themselves and were not tried. Such a
 * doubt is one about what it looked for alone (enum_goal.h). */
static bool leaves_values(struct enum_state *state, struct combination *combination,
                          const struct lit_condition *goal)
{
    bool *doubt = &state->outcome->doubts[OUTCOME_DOUBT_THIN_AIR], before = *doubt;
    *doubt = false;
    search_for(state, combination, goal);
    bool leaves = *doubt;
    *doubt |= before;
    return leaves;
}

static void decide_condition(struct enum_state *state, struct combination *combination, uint32_t i)
{
    bool leaves = leaves_values(state, combination, &state->request->program->conditions[i]);
    state->outcome->all_values[i] = !leaves && !state->stopped;
}

static void decide_recovered(struct enum_state *state, struct combination *combination)
{
    struct outcome *outcome = state->outcome;
    const struct lit_program *program = state->request->program;
    bool leaves = leaves_values(state, combination, &recover_all);
    bool stopped = state->stopped;
    recovery_finish(state->recovery);
    leaves |= outcome->recovery_doubts[OUTCOME_DOUBT_THIN_AIR];
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED)
            outcome->all_values[i] = !leaves && !stopped;
}

/* A condition without any known state: a value that was not tried may lead to one. */
static void look_for_any_value(struct enum_state *state, struct combination *combination)
{
    struct outcome *outcome = state->outcome;
    const struct lit_program *program = state->request->program;
    bool *doubt = &outcome->doubts[OUTCOME_DOUBT_THIN_AIR], before = *doubt;
    *doubt = false;
    look_for_any(state, combination);
    for (uint32_t i = 0; *doubt && i < program->condition_count; i++)
        if (outcome_wants_any(outcome, program, program->conditions[i].when))
            outcome->all_values[i] = false;
    *doubt |= before;
}

/* Undefined behaviour first, as it leaves nothing else to be decided, and so for recovery, which
 * may be undefined, too; then one search for each condition. A test without any is judged by
 * undefined behaviour and doubts alone. */
static void decide(struct enum_state *state, struct combination *combination)
{
    const struct lit_program *program = state->request->program;
    bool looks = (state->may_be_undefined || program->condition_count == 0) &&
                 !state->request->conditions_alone;
    state->looks_for_undefined = true;
    if (looks)
        search_for(state, combination, NULL);
    bool saw_all = looks && !state->stopped && !state->gave_up;
    state->looks_for_undefined = false;
    if (state->recovery && !state->outcome->undefined.count)
        decide_recovered(state, combination);
    for (uint32_t i = 0; i < program->condition_count && !state->outcome->undefined.count; i++)
        if (program->conditions[i].when != LIT_RECOVERED)
            decide_condition(state, combination, i);
    if (!state->outcome->undefined.count)
        look_for_any_value(state, combination);
    if (!saw_all && !state->request->conditions_alone)
        look_for_flags(state, combination);
    if (lacks_crash_points(state))
        look_for_crash_point(state, combination);
}

/* Something else than running to the end, whatever else the model asks for. */
static bool has_odd_end(const struct exec_paths *paths)
{
    return ANY(i, paths->count,
               paths->items[i]->end == EXEC_AT_BARRIER || paths->items[i]->end == EXEC_AT_FAULT);
}

static void find_paths(struct enum_state *state, struct exec_paths *paths)
{
    const struct lit_program *program = state->request->program;
    state->path_events = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        exec_run_thread(&state->paths, program, t, &state->options, &paths[t]);
}

/* The shortest of the thread's paths, of those that run to its end if there are any and they alone
 * count. */
static uint32_t shortest(const struct exec_paths *paths, bool complete)
{
    uint32_t shortest = UINT32_MAX;
    for (uint32_t i = 0; i < paths->count; i++)
        if ((!complete || paths->items[i]->end == EXEC_COMPLETE) &&
            paths->items[i]->event_count < shortest)
            shortest = paths->items[i]->event_count;
    return shortest;
}

/* The fewest events that a combination has; `complete`: of threads that run to their ends. */
static uint64_t fewest_events(const struct enum_state *state, const struct exec_paths *paths,
                              bool complete)
{
    uint64_t least = 0;
    for (uint32_t t = 0; t < state->request->program->thread_count; t++) {
        uint32_t events = shortest(&paths[t], complete);
        if (events == UINT32_MAX)
            events = shortest(&paths[t], false);
        least += paths[t].count ? events : 0;
    }
    return least;
}

static bool is_hopeless(const struct enum_state *state, uint64_t events)
{
    return events > EXEC_MAX_EVENTS ||
           !cat_eval_fits(state->request->plan, rel_dim_make((uint32_t)events));
}

/* What the smallest skeleton takes of an allowance: to be made ready, and an evaluation for each
 * thread that chooses. To decide may take one alone. */
static uint64_t least_cost(const struct enum_state *state, uint64_t events)
{
    const struct engine_request *request = state->request;
    uint64_t turns = request->decide ? 1 : request->program->thread_count;
    return skeleton_cost(events) +
           turns * cat_eval_cost(request->plan, rel_dim_make((uint32_t)events));
}

/* The allowance may be as much as several whole executions take, however large they are. */
static void grant(const struct enum_state *state, uint64_t events)
{
    struct clock_allowance *allowance = state->request->limits.clock.allowance;
    if (!allowance || !allowance->least_times || events > EXEC_MAX_EVENTS)
        return;
    uint64_t more = allowance->least_times * least_cost(state, events);
    allowance->left = more > allowance->left ? more : allowance->left;
    allowance->least_times = 0;
}

/* Where an allowance is too little for that nothing is begun. */
static void stop_if_dear(struct enum_state *state, uint64_t events)
{
    const struct clock_allowance *allowance = state->request->limits.clock.allowance;
    if (allowance && events <= EXEC_MAX_EVENTS && least_cost(state, events) > allowance->left) {
        spend(state, allowance->left);
        (void)enum_out_of_time(state);
    }
}

static void run_threads(struct enum_state *state)
{
    const struct lit_program *program = state->request->program;
    struct arena *arena = &state->paths;
    struct exec_paths *paths = ARENA_ARRAY(arena, struct exec_paths, program->thread_count);
    find_paths(state, paths);
    if (is_hopeless(state, fewest_events(state, paths, false))) {
        state->options.most_events = EXEC_CUT_EVENTS;
        find_paths(state, paths);
    }
    grant(state, program->location_count + fewest_events(state, paths, true));
    stop_if_dear(state, fewest_events(state, paths, false));
    if (state->stopped)
        return;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        if (paths[t].truncated)
            outcome_doubt_paths(state->outcome, program, t);
        state->may_be_undefined |= has_odd_end(&paths[t]);
    }
    struct combination combination = {
        .state = state,
        .paths = paths,
        .nevers = state->certificate ? enum_nevers_new(arena, state, paths) : NULL,
        .feasible = state->certificate ? NULL
                                       : enum_feasible_new(arena, program, paths, &state->options,
                                                           state->request->model, state->looked_at),
        .chosen = ARENA_ARRAY(arena, const struct exec_path *, program->thread_count),
        .numbers = ARENA_ARRAY(arena, uint32_t, program->thread_count)};
    state->path_numbers = combination.numbers;
    state->all_paths = paths;
    enum_symmetry_find(state);
    if (state->request->decide) {
        decide(state, &combination);
    } else {
        enum_group_choose(state);
        state->images = enum_images_new(state);
        combine(&combination, 0, false);
        enum_images_fini(state->images);
    }
    enum_look_at_orbits(state);
}

/* Without recovery, unless `recovery` is given, which is fed when conditions are decided. */
static void run_program(const struct engine_request *request, struct outcome *outcome,
                        struct recovery *recovery)
{
    struct enum_state state = {.request = request,
                               .outcome = outcome,
                               .recovery = recovery,
                               .certificate = request->certificate};
    struct timespec started = clock_now_monotonic();
    state.looked_at = request->initials ? request->initials->looked_at : NULL;
    spend(&state, STEPS_A_RUN);
    arena_init(&state.paths);
    arena_init(&state.scratch);
    arena_init(&state.kept.arena);
    arena_init(&state.of_found);
    state.options.unroll = request->limits.unroll;
    state.options.brief = request->limits.brief;
    outcome->doubts[OUTCOME_DOUBT_UNROLL] |= request->limits.brief;
    state.may_be_undefined = has_check(request->model, CAT_UNDEFINED_UNLESS);
    state.states_only = !state.may_be_undefined && !has_check(request->model, CAT_FLAG) &&
                        outcome->crash.width == 0 && !request->program->has_crash_points;
    state.options.probes = state.may_be_undefined && !request->endless;
    state.options.any_value = state.certificate != NULL;
    state.options.crashes_tell = !request->model->lands_by_coherence;
    state.options.path_events = &state.path_events;
    state.options.out_of_time = out_of_time;
    state.options.clock = &state;
    engine_find_waiting(&state.scratch, request, &state.options.waits);
    state.options.effects = engine_find_effects(&state.paths, &state.scratch, request);
    list_constants(&state);
    list_observed(&state);
    state.shown = ARENA_ARRAY(&state.paths, bool, request->program->condition_count);
    if (state.certificate && !certificate_section(state.certificate, request->program))
        state.certificate = NULL;
    run_threads(&state);
    if (state.certificate)
        certificate_end_section(state.certificate);
    enum_close_products(&state);
    if (lacks_crash_points(&state))
        outcome_add_flag(outcome, "no-crash-point-reached");
    outcome_sort(outcome);
    outcome->stats.seconds = clock_seconds_since(&started);
    arena_fini(&state.kept.arena);
    arena_fini(&state.of_found);
    VEC_FREE(&state.found);
    arena_fini(&state.scratch);
    arena_fini(&state.paths);
}

void enum_run_alone(const struct engine_request *request, struct outcome *outcome)
{
    run_program(request, outcome, NULL);
}

/* What recovery is started on is a list as long as there is room for one. */
static void say_most_listed(const struct engine_request *request, struct outcome *outcome)
{
    const struct engine_thresholds *thresholds = engine_thresholds_of(request);
    if (!request->program->recovery_count) {
        outcome->crash.most_listed = outcome->final.most_listed = thresholds->listed;
    } else if (recovery_takes_products(request)) {
        size_t bytes = (outcome->crash.width + outcome->recovered.width + 1) * sizeof(int64_t);
        size_t room = OUTCOME_MAX_BYTES / bytes;
        outcome->crash.most_listed = outcome->recovered.most_listed =
            room < thresholds->recovered ? (uint32_t)room : thresholds->recovered;
    }
}

/* What is asked of one condition comes by fewer of the values that are not tried than a list does,
 * and by the fewest where all is asked that may give a partial witness up. */
static void decide_open(const struct engine_request *request, struct outcome *outcome)
{
    struct engine_request asked = *request;
    struct outcome decided;
    asked.decide = asked.conditions_alone = true;
    asked.thresholds = &engine_least_thresholds;
    asked.on_witness = NULL;
    asked.on_recovery = NULL;
    asked.on_undefined = NULL;
    outcome_init(&decided, request->program);
    enum_run(&asked, &decided);
    outcome_take_decided(outcome, &decided);
    outcome_fini(&decided);
}

void enum_run(const struct engine_request *request, struct outcome *outcome)
{
    struct recovery_options options = {.run = enum_run_alone, .tracks_initials = true};
    struct timespec started = clock_now_monotonic();
    outcome->crash.many_nodes = outcome->final.many_nodes = outcome->recovered.many_nodes =
        engine_thresholds_of(request)->nodes;
    if (request->decide && request->program->recovery_count) {
        struct recovery *recovery = recovery_new(request, outcome, &options);
        run_program(request, outcome, recovery);
        recovery_free(recovery);
    } else {
        say_most_listed(request, outcome);
        enum_run_alone(request, outcome);
        recovery_run(request, outcome, &options);
    }
    outcome_tell(outcome, request->program, &request->limits.clock);
    bool least = request->decide && request->thresholds == &engine_least_thresholds;
    if (!least && outcome_is_open_to_values(outcome, request->program))
        decide_open(request, outcome);
    if (request->decide)
        outcome_settle_values(outcome, request->program);
    outcome->stats.seconds = clock_seconds_since(&started);
}

/* What the checker sees by itself, or what no list depends on. */
static bool is_certified(int doubt)
{
    return doubt == OUTCOME_DOUBT_UNROLL || doubt == OUTCOME_DOUBT_ROUNDS ||
           doubt == OUTCOME_DOUBT_NO_RECOVERY;
}

/* The program's section is the first. */
static void share_section(const struct engine_request *request, const struct lit_program *program,
                          uint32_t run)
{
    certificate_also(request->certificate, 1 + run, program);
}

void enum_certify(const struct engine_request *request, struct outcome *outcome)
{
    const struct recovery_options options = {
        .run = enum_run_alone, .tracks_initials = true, .on_share = share_section};
    struct engine_request asked = *request;
    asked.decide = asked.limits.brief = false;
    enum_run_alone(&asked, outcome);
    if (!outcome->undefined.count && !certificate_lacks(request->certificate))
        recovery_run(&asked, outcome, &options);
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        if ((outcome->doubts[doubt] || outcome->recovery_doubts[doubt]) && !is_certified(doubt))
            certificate_lack(request->certificate, outcome_any_doubt(outcome));
}
