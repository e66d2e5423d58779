/* Depth-first search: first a source for each read, then the pairs of writes to one location that
 * coherence has not ordered yet. Every choice updates lower and upper bounds of rf, co and fr; a
 * trail restores changed words on return. Values follow rf as soon as the write's own value is
 * known. A broken path constraint ends a choice as a failed check does. */
#include "enumerate/enum_search.h"

#include "base/bits.h"
#include "enumerate/enum_cases.h"
#include "enumerate/enum_fixed.h"
#include "enumerate/enum_goal.h"
#include "exec/exec_basis.h"

#include <string.h>

struct exec_reads enum_reads_of(const struct enum_search *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->skeleton->program->thread_count);
    uint32_t base = s->skeleton->value_base[thread];
    return (struct exec_reads){s->values + base, s->known + base};
}

bool enum_write_value(const struct enum_search *s, uint32_t event, int64_t *value)
{
    BASE_ASSERT(event < s->dim.n && s->skeleton->events[event].kind == EV_WRITE);
    const struct ev *write = &s->skeleton->events[event];
    if (write->init)
        return *value = write->value->value, true;
    struct exec_reads reads = enum_reads_of(s, write->thread);
    return exec_value_get(write->value, &reads, value);
}

uint32_t enum_value_number(const struct enum_search *s, uint32_t read)
{
    BASE_ASSERT(read < s->dim.n && s->skeleton->events[read].kind == EV_READ);
    uint32_t thread = s->skeleton->events[read].thread;
    BASE_ASSERT(read >= s->skeleton->first[thread]);
    BASE_ASSERT(read - s->skeleton->first[thread] < s->skeleton->paths[thread]->slot_count);
    return s->skeleton->value_base[thread] + read - s->skeleton->first[thread];
}

void enum_learn_values(struct enum_search *s)
{
    for (bool learned = true; learned;) {
        learned = false;
        for (uint32_t i = 0; i < s->skeleton->read_count; i++) {
            uint32_t read = s->skeleton->reads[i], number = enum_value_number(s, read);
            if (s->known[number] || s->source[read] == LIT_NONE ||
                !enum_write_value(s, s->source[read], &s->values[number]))
                continue;
            BASE_ASSERT(number < s->skeleton->slot_count);
            s->known[number] = true;
            if (s->state->looked_at && s->skeleton->events[s->source[read]].init)
                s->state->looked_at[s->skeleton->events[read].location] = true;
            VEC_PUSH(&s->learned, number);
            learned = true;
        }
    }
}

bool enum_path_holds(const struct enum_search *s, uint32_t thread)
{
    BASE_ASSERT(thread < s->skeleton->program->thread_count);
    const struct exec_path *path = s->skeleton->paths[thread];
    struct exec_reads reads = enum_reads_of(s, thread);
    for (uint32_t i = 0; i < path->constraint_count; i++) {
        int64_t value;
        if (exec_value_get(path->constraints[i].value, &reads, &value) &&
            (value != 0) != path->constraints[i].truth)
            return false;
    }
    return true;
}

bool enum_constraints_hold(const struct enum_search *s)
{
    return ALL(t, s->skeleton->program->thread_count, enum_path_holds(s, t));
}

static void tell_changes(struct enum_search *s)
{
    static const struct {
        enum enum_chosen chosen;
        uint32_t base;
    } bases[] = {{ENUM_RF, EXEC_REL_RF},
                 {ENUM_CO, EXEC_REL_CO},
                 {ENUM_FR, EXEC_REL_FR},
                 {ENUM_FENCES, EXEC_REL_SYNC_FENCE}};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (s->changed & bases[i].chosen)
            cat_eval_changed(s->eval, bases[i].base);
    if (s->changed & ENUM_CHOICES)
        cat_eval_changed_choices(s->eval);
    s->changed = 0;
}

bool enum_values_fit(struct enum_search *s)
{
    s->state->outcome->stats.candidates++;
    if (enum_is_tried_enough(s))
        s->is_broken = s->state->stopped = true;
    return !enum_out_of_time(s->state) && enum_constraints_hold(s) && enum_goal_open(s);
}

bool enum_model_allows(struct enum_search *s)
{
    tell_changes(s);
    return cat_eval_still_viable(s->eval) && enum_flag_open(s);
}

bool enum_viable(struct enum_search *s)
{
    return enum_values_fit(s) && enum_model_allows(s);
}

bool enum_may_be_latest(const struct enum_search *s, const rel_word *writes, uint32_t write)
{
    BASE_ASSERT(write < s->dim.n && bits_get(writes, write));
    const rel_word *later = rel_row(s->dim, enum_co(s)->bound[ENUM_LOWER], write);
    return !ANY(k, s->dim.words, later[k] & writes[k]);
}

/* The next write from event `from` on that may be the location's last one; LIT_NONE: there is none.
 */
static uint32_t next_latest(const struct enum_search *s, uint32_t location, uint32_t from)
{
    BASE_ASSERT(location < s->skeleton->program->location_count && from <= s->dim.n);
    const rel_word *writes = exec_writes_of(s->skeleton, location);
    for (uint32_t w = from; w < s->dim.n; w++)
        if (bits_get(writes, w) && enum_may_be_latest(s, writes, w))
            return w;
    return LIT_NONE;
}

/* What is chosen for a location says where to go on when those after it are through. */
bool enum_each_latest(struct enum_search *s, const bool *wanted, enum_latest_callback *callback)
{
    uint32_t count = s->skeleton->program->location_count;
    for (uint32_t location = 0, from = 0;;) {
        bool writes = location < count && wanted[location] &&
                      !set_empty(s->dim, exec_writes_of(s->skeleton, location));
        if (location < count && wanted[location])
            s->latest[location] = writes ? next_latest(s, location, from) : LIT_NONE;
        if (location == count) {
            if (enum_out_of_time(s->state) || !callback(s))
                return false;
        } else if (!writes || s->latest[location] != LIT_NONE) {
            location++;
            from = 0;
            continue;
        }
        do {
            if (location-- == 0)
                return true;
        } while (!wanted[location] || s->latest[location] == LIT_NONE);
        from = s->latest[location] + 1;
    }
}

static bool all_known(const struct enum_search *s)
{
    return !ANY(i, s->skeleton->read_count, !s->known[enum_value_number(s, s->skeleton->reads[i])]);
}

/* Do executions show more than a final state? */
static bool shows_more(const struct enum_state *state)
{
    return state->flag_plan ||
           (!state->looks_for_run && !(state->goal && state->goal->when == LIT_FINAL));
}

void enum_complete(struct enum_search *s)
{
    BASE_ASSERT(s->decided.count == s->skeleton->read_count);
    if (s->state->certificate) {
        enum_complete_case(s);
        return;
    }
    bool known = all_known(s);
    if (!cat_eval_consistent(s->eval) ||
        ((!known || shows_more(s->state)) && !cat_eval_rest(s->eval)))
        return;
    if (known)
        (void)enum_leaf(s);
    else
        enum_thin_air(s);
}

/* May the read take this source beside units on the same paths that only read? */
bool enum_source_ascends(const struct enum_search *s, uint32_t read, uint32_t write)
{
    BASE_ASSERT(read < s->dim.n && write < s->dim.n);
    uint32_t after = s->tied_after[read], before = s->tied_before[read];
    return (after == LIT_NONE || s->source[after] == LIT_NONE || s->source[after] <= write) &&
           (before == LIT_NONE || s->source[before] == LIT_NONE || write <= s->source[before]);
}

static void choose_next(struct enum_search *s, uint32_t depth)
{
    BASE_ASSERT(depth <= s->skeleton->read_count);
    if (depth == s->rmw_count) {
        BASE_ASSERT(s->rmw_count <= s->skeleton->read_count);
        enum_order_modified(s);
    } else
        enum_choose_reads(s, depth);
}

void enum_choose_reads(struct enum_search *s, uint32_t depth)
{
    BASE_ASSERT(depth <= s->skeleton->read_count);
    if (depth == s->skeleton->read_count) {
        enum_choose_orders(s, 0);
        return;
    }
    uint32_t read = s->reads[depth];
    if (s->source[read] != LIT_NONE) {
        choose_next(s, depth + 1);
        return;
    }
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    struct enum_place here = enum_here(s);
    for (uint32_t w = 0; w < s->dim.n && !s->state->stopped; w++) {
        if (!bits_get(writes, w) || !rel_has(s->dim, s->rf[ENUM_UPPER], w, read) ||
            !enum_source_ascends(s, read, w))
            continue;
        enum_read_from(s, read, w);
        BASE_ASSERT(s->source[read] == w);
        enum_learn_values(s);
        if (enum_settled(s))
            choose_next(s, depth + 1);
        enum_go_back(s, here);
    }
}

rel_word *enum_bound_storage(struct enum_search *s, uint32_t base, enum enum_bound side)
{
    BASE_ASSERT(base < EXEC_BASE_COUNT && exec_basis()->names[base].dynamic);
    rel_word *matrix = cat_eval_base(s->eval, base, side == ENUM_UPPER);
    return matrix ? matrix : ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
}

static void rely(struct enum_search *s, uint32_t thread, const struct exec_value *value)
{
    if (!value)
        return;
    if (value->op == LIT_OP_REG) {
        BASE_ASSERT(value->read < s->skeleton->paths[thread]->slot_count);
        s->relied_on[s->skeleton->value_base[thread] + value->read] = true;
    }
    rely(s, thread, value->a);
    rely(s, thread, value->b);
    rely(s, thread, value->c);
}

static void find_relied_on(struct enum_search *s)
{
    s->relied_on = ARENA_ARRAY(&s->state->scratch, bool, s->skeleton->slot_count);
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++) {
        const struct exec_path *path = s->skeleton->paths[t];
        for (uint32_t i = 0; i < path->constraint_count; i++)
            rely(s, t, path->constraints[i].value);
    }
}

/* The values that paths fix, and of each write the one that follows from them. */
struct fixed {
    int64_t *reads, *writes;
    bool *read_is, *write_is;
};

static struct fixed find_fixed(const struct enum_search *s)
{
    struct arena *arena = &s->state->scratch;
    const struct exec_skeleton *skeleton = s->skeleton;
    struct fixed fixed = {
        ARENA_ARRAY(arena, int64_t, skeleton->slot_count), ARENA_ARRAY(arena, int64_t, s->dim.n),
        ARENA_ARRAY(arena, bool, skeleton->slot_count), ARENA_ARRAY(arena, bool, s->dim.n)};
    for (uint32_t t = 0; t < skeleton->program->thread_count; t++)
        enum_fixed_reads(skeleton->paths[t], fixed.reads + skeleton->value_base[t],
                         fixed.read_is + skeleton->value_base[t]);
    for (uint32_t e = 0; e < s->dim.n; e++) {
        const struct ev *event = &skeleton->events[e];
        uint32_t base = event->init ? 0 : skeleton->value_base[event->thread];
        const struct exec_reads reads = {fixed.reads + base, fixed.read_is + base};
        if (event->kind == EV_WRITE)
            fixed.write_is[e] = exec_value_get(event->value, &reads, &fixed.writes[e]);
    }
    return fixed;
}

/* May the write have the value that the read's path wants? */
static bool may_fit(const struct enum_search *s, const struct fixed *fixed, uint32_t write,
                    uint32_t read)
{
    BASE_ASSERT(s->skeleton->events[write].location == s->skeleton->events[read].location);
    const struct ev *event = &s->skeleton->events[write];
    uint32_t number = enum_value_number(s, read);
    if (!fixed->read_is[number] || !fixed->write_is[write])
        return true;
    if (s->state->looked_at && event->init)
        s->state->looked_at[event->location] = true;
    return fixed->reads[number] == fixed->writes[write];
}

/* The checker knows of each write but the other half. */
static bool may_read(const struct enum_search *s, const struct fixed *fixed, uint32_t write,
                     uint32_t read)
{
    const struct ev *event = &s->skeleton->events[read];
    bool half = event->rmw && write == read + 1;
    return s->state->certificate ? !half : may_fit(s, fixed, write, read);
}

static void set_first_rf(struct enum_search *s)
{
    const struct fixed fixed = find_fixed(s);
    const struct exec_skeleton *skeleton = s->skeleton;
    for (uint32_t i = 0; i < skeleton->read_count; i++) {
        uint32_t read = skeleton->reads[i];
        const rel_word *writes = exec_writes_of(skeleton, skeleton->events[read].location);
        for (uint32_t w = 0; w < s->dim.n; w++)
            if (bits_get(writes, w) && may_read(s, &fixed, w, read))
                rel_add(s->dim, s->rf[ENUM_UPPER], w, read);
    }
}

/* Locks are taken by read-modify-writes: what these read, and the order of what they write, is
 * chosen first, as it leaves all others less to choose from; then what other atomic reads read.
 * Each in event order. */
static void order_reads(struct enum_search *s)
{
    const struct exec_skeleton *skeleton = s->skeleton;
    uint32_t count = 0;
    s->reads = ARENA_ARRAY(&s->state->scratch, uint32_t, skeleton->read_count);
    s->modified = ARENA_ARRAY(&s->state->scratch, rel_word, s->dim.words);
    for (int rank = 0; rank < 3; rank++)
        for (uint32_t i = 0; i < skeleton->read_count; i++) {
            const struct ev *event = &skeleton->events[skeleton->reads[i]];
            if (rank != (event->rmw ? 0 : event->atomic ? 1 : 2))
                continue;
            s->reads[count++] = skeleton->reads[i];
            BASE_ASSERT(count <= skeleton->read_count);
            s->rmw_count += event->rmw;
            for (uint32_t k = 0; event->rmw && k < s->dim.words; k++)
                s->modified[k] |= exec_writes_of(skeleton, event->location)[k];
        }
}

static void allocate(struct enum_search *s)
{
    struct arena *arena = &s->state->scratch;
    for (enum enum_bound side = ENUM_LOWER; side <= ENUM_UPPER; side++) {
        s->rf[side] = enum_bound_storage(s, EXEC_REL_RF, side);
        s->fr[side] = enum_bound_storage(s, EXEC_REL_FR, side);
    }
    order_reads(s);
    find_relied_on(s);
    for (int i = 0; i < 2; i++) {
        s->room[i] = ARENA_ARRAY(arena, rel_word, rel_words(s->dim));
        s->behind[i] = ARENA_ARRAY(arena, rel_word, s->dim.words);
    }
    s->set = ARENA_ARRAY(arena, rel_word, s->dim.words);
    s->source = ARENA_ARRAY(arena, uint32_t, s->dim.n);
    for (uint32_t e = 0; e < s->dim.n; e++)
        s->source[e] = LIT_NONE;
    s->values = ARENA_ARRAY(arena, int64_t, s->skeleton->slot_count);
    s->known = ARENA_ARRAY(arena, bool, s->skeleton->slot_count);
    s->latest = ARENA_ARRAY(arena, uint32_t, s->skeleton->program->location_count);
    const struct outcome *outcome = s->state->outcome;
    uint32_t width =
        outcome->final.width > outcome->crash.width ? outcome->final.width : outcome->crash.width;
    s->row = ARENA_ARRAY(arena, int64_t, width + 1);
}

/* If any execution will do, a likely one is tried at once. If a particular one is looked for in a
 * large skeleton, a likely one is tried once bounds show that it may be in this skeleton. */
static void search(struct enum_search *s)
{
    const struct enum_state *state = s->state;
    if (state->certificate) {
        enum_cases(s);
        return;
    }
    bool any = state->looks_for_any || state->looks_for_run;
    bool some = s->complete && enum_is_large(s) && state->request->decide && !state->flag_plan;
    if (any)
        enum_try_interleaving(s);
    if (state->stopped || !enum_may_open(s) || !enum_settled(s))
        return;
    if (!any && some)
        enum_try_interleaving(s);
    if (!state->stopped)
        enum_choose_reads(s, 0);
}

static bool has_late(const struct exec_skeleton *skeleton)
{
    return ANY(e, skeleton->dim.n, skeleton->events[e].late);
}

/* The static values of the skeleton, kept from one search to the next. Skeletons of the same paths
 * differ only in which threads are late. */
static struct cat_fixed *keep_fixed(struct enum_fixed_kept *kept, const struct cat_plan *plan,
                                    const struct exec_skeleton *skeleton)
{
    size_t bytes = skeleton->program->thread_count * sizeof *kept->paths;
    if (kept->fixed && memcmp(kept->paths, skeleton->paths, bytes) == 0)
        return kept->fixed;
    arena_rewind(&kept->arena, (struct arena_mark){0});
    kept->paths = arena_copy(&kept->arena, skeleton->paths, bytes);
    return kept->fixed = cat_fixed_new(&kept->arena, plan, skeleton->dim);
}

static struct cat_eval *begin_eval(struct enum_search *s, const struct cat_plan *plan)
{
    struct arena *scratch = &s->state->scratch;
    struct cat_fixed *fixed = has_late(s->skeleton)
                                  ? cat_fixed_new(scratch, plan, s->dim)
                                  : keep_fixed(&s->state->kept, plan, s->skeleton);
    struct cat_eval *eval = cat_eval_new_on(scratch, plan, fixed);
    cat_eval_heed(eval, &s->state->request->limits.clock);
    if (!cat_fixed_known(fixed))
        exec_skeleton_fill(s->skeleton, eval);
    return eval;
}

/* False: it is to begin anew. */
static bool try_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton)
{
    struct enum_search s = {.state = state, .skeleton = skeleton, .dim = skeleton->dim};
    s.complete = !skeleton->probe && exec_skeleton_complete(skeleton);
    const struct cat_plan *plan = state->certificate ? NULL : enum_outlook_plan(&s);
    s.has_outlook = plan && cat_eval_fits(plan, skeleton->dim);
    if (!s.has_outlook)
        plan = state->flag_plan ? state->flag_plan : state->request->plan;
    if (!cat_eval_fits(plan, skeleton->dim)) {
        state->outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
        return true;
    }
    s.eval = begin_eval(&s, plan);
    BASE_ASSERT(!state->stopped);
    allocate(&s);
    enum_begin_propagation(&s);
    set_first_rf(&s);
    struct certificate *certificate = state->certificate;
    if (certificate)
        certificate_tree(certificate, skeleton);
    if (!enum_orders_new(&s))
        state->outcome->doubts[OUTCOME_DOUBT_EVENTS] = true;
    else if (cat_eval_static(s.eval))
        search(&s);
    else if (certificate)
        certificate_lost(certificate, 0);
    if (certificate)
        certificate_end_tree(certificate);
    if (s.is_broken)
        state->stopped = false;
    else if (!state->stopped)
        (void)enum_out_of_time(state); /* an evaluation that was given up is a doubt */
    VEC_FREE(&s.changes);
    VEC_FREE(&s.learned);
    VEC_FREE(&s.decided);
    return !s.is_broken;
}

void enum_search_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton)
{
    struct arena_mark mark = arena_mark(&state->scratch);
    while (!try_skeleton(state, skeleton))
        arena_rewind(&state->scratch, mark);
}
