/* Node x of 0..n-1 is "event x executed", node n+x "write x durable". requires[x] is the set of
 * nodes that any cut containing x contains: the four rules as edges, transitively closed. Locations
 * are decided one after the other. `closure` is what the choices so far require, `excluded` what
 * they rule out. A location that does not matter takes the last write in the closure: it requires
 * nothing more, and rules out nothing in the closure. Registers that matter come first: for each an
 * assignment of its thread's path is chosen, or none. */
#include "exec/exec_cutter.h"

#include "base/bits.h"

static bool is_nvm_write(const struct cutter *c, uint32_t e)
{
    BASE_ASSERT(e < c->dim.n);
    const struct ev *event = &c->skeleton->events[e];
    BASE_ASSERT(event->kind != EV_WRITE || event->location < c->skeleton->program->location_count);
    return event->kind == EV_WRITE && c->skeleton->program->locations[event->location].nvm;
}

/* Does version a of a location come before version b? Initial ones come before all others. */
static bool lands_before(const struct cutter *c, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < c->dim.n && b < c->dim.n);
    const struct ev *events = c->skeleton->events;
    return a != b && events[a].location == events[b].location &&
           (rel_has(c->dim, c->contract->lands_before, a, b) || events[a].init);
}

/* "x requires y", node numbers. */
static void require(struct cutter *c, uint32_t x, uint32_t y)
{
    BASE_ASSERT(x < c->dim2.n && y < c->dim2.n);
    rel_add(c->dim2, c->requires, x, y);
}

/* Rules 1 to 3 for one pair of events: a stands before b. */
static void add_rules(struct cutter *c, uint32_t a, uint32_t b)
{
    uint32_t n = c->dim.n;
    bool a_persists = is_nvm_write(c, a), b_persists = is_nvm_write(c, b);
    const struct exec_contract *k = c->contract;
    if (rel_has(c->dim, k->executes_before, a, b))
        require(c, b, a);
    if (a_persists && rel_has(c->dim, k->durable_before, a, b))
        require(c, b, n + a);
    if (b_persists && !c->skeleton->events[b].init && rel_has(c->dim, k->durable_after, a, b))
        require(c, n + b, a);
    if (!a_persists || !b_persists)
        return;
    bool lands = lands_before(c, a, b);
    if (lands || rel_has(c->dim, k->persist_before, a, b))
        require(c, n + b, n + a);
    if (rel_has(c->dim, k->persist_atomic, a, b)) {
        require(c, n + b, n + a);
        require(c, n + a, n + b);
    }
    if (lands)
        bits_set(row2(c, c->excludes, a), n + b);
}

/* The events that some rule may be about when event a stands before them: word w of them. */
static rel_word ruled(const struct cutter *c, uint32_t a, uint32_t w)
{
    BASE_ASSERT(a < c->dim.n && w < c->dim.words);
    const struct exec_contract *k = c->contract;
    const struct ev *event = &c->skeleton->events[a];
    size_t at = (size_t)a * c->dim.words + w;
    rel_word later = event->init ? exec_writes_of(c->skeleton, event->location)[w] : 0;
    return later | k->executes_before[at] | k->durable_before[at] | k->durable_after[at] |
           k->persist_before[at] | k->persist_atomic[at] | k->lands_before[at];
}

void exec_cut_rules(struct cutter *c, struct arena *scratch)
{
    BASE_ASSERT(c->dim2.n == 2 * c->dim.n);
    BASE_ASSERT(c->dim.n == c->skeleton->dim.n);
    uint32_t n = c->dim.n;
    c->requires = ARENA_ARRAY(scratch, rel_word, rel_words(c->dim2));
    c->excludes = ARENA_ARRAY(scratch, rel_word, (size_t)n * c->dim2.words);
    for (uint32_t a = 0; a < n; a++) {
        if (is_nvm_write(c, a))
            require(c, n + a, a);
        BITS_EACH (e, w, c->dim.words, ruled(c, a, w))
            add_rules(c, a, e);
    }
}

static bool has_durable(const struct cutter *c, uint32_t location)
{
    BASE_ASSERT(location < c->skeleton->program->location_count);
    return c->skeleton->program->locations[location].nvm &&
           !set_empty(c->dim, exec_writes_of(c->skeleton, location));
}

static void list_locations(struct cutter *c, struct arena *scratch)
{
    const struct lit_program *program = c->skeleton->program;
    uint32_t *locations = ARENA_ARRAY(scratch, uint32_t, program->location_count);
    c->last = ARENA_ARRAY(scratch, uint32_t, program->location_count);
    for (uint32_t l = 0; l < program->location_count; l++) {
        c->last[l] = LIT_NONE;
        if (has_durable(c, l) && (!c->matters || c->matters[l]))
            locations[c->choice_count++] = l;
    }
    c->location_count = c->choice_count;
    for (uint32_t l = 0; c->matters && l < program->location_count; l++)
        if (has_durable(c, l) && !c->matters[l])
            locations[c->location_count++] = l;
    c->locations = locations;
    BASE_ASSERT(c->choice_count <= c->location_count);
    BASE_ASSERT(c->location_count <= program->location_count);
}

/* ---- Registers ---- */

/* Are the events there that the value wants, and the crash statements before it passed? */
static bool is_assigned(const struct exec_skeleton *skeleton, const rel_word *executed,
                        const uint32_t *passed, const struct exec_assignment *assignment,
                        uint32_t thread)
{
    BASE_ASSERT(thread < skeleton->program->thread_count);
    BASE_ASSERT(assignment->first <= assignment->end);
    BASE_ASSERT(assignment->end <= skeleton->paths[thread]->event_count);
    BASE_ASSERT(passed[thread] <= skeleton->paths[thread]->crash_count);
    for (uint32_t i = assignment->first; i < assignment->end; i++)
        if (!bits_get(executed, skeleton->first[thread] + i))
            return false;
    return assignment->behind <= passed[thread];
}

/* The assignment that the register has its value of. */
static uint32_t last_assigned(const struct exec_skeleton *skeleton, const rel_word *executed,
                              const uint32_t *passed, const struct lit_atom *atom)
{
    BASE_ASSERT(lit_atom_is_of_register(atom) && atom->thread < skeleton->program->thread_count);
    const struct exec_path *path = skeleton->paths[atom->thread];
    for (uint32_t i = path->assignment_count; i-- > 0;)
        if (path->assignments[i].reg == atom->reg &&
            is_assigned(skeleton, executed, passed, &path->assignments[i], atom->thread))
            return i;
    return LIT_NONE;
}

const struct exec_assignment *exec_assigned_at_crash(const struct exec_skeleton *skeleton,
                                                     const struct exec_cut *cut,
                                                     const struct lit_atom *atom)
{
    uint32_t i = last_assigned(skeleton, cut->executed, cut->passed, atom);
    return i == LIT_NONE ? NULL : &skeleton->paths[atom->thread]->assignments[i];
}

/* Do the first `count` registers hold what was chosen? What is executed grows on the way, so a
 * choice that something later has replaced is lost. */
static bool registers_stand(const struct cutter *c, const rel_word *closure, uint32_t count)
{
    BASE_ASSERT(count <= c->register_count);
    return !ANY(i, count,
                last_assigned(c->skeleton, closure, c->passed, &c->registers[i]) != c->assigned[i]);
}

/* ---- Choices ---- */

static void hand_out(struct cutter *c, const rel_word *closure)
{
    set_clear(c->dim, c->executed);
    set_clear(c->dim, c->durable);
    for (uint32_t e = 0; e < c->dim.n; e++) {
        if (bits_get(closure, e))
            bits_set(c->executed, e);
        if (bits_get(closure, c->dim.n + e)) {
            BASE_ASSERT(is_nvm_write(c, e));
            bits_set(c->durable, e);
        }
    }
    c->handed_out++;
    c->stopped = !c->callback(c->context, &c->cut);
}

/* A write of a location in the closure that none in it lands after; LIT_NONE: they land in a
 * circle. */
static uint32_t last_in(const struct cutter *c, const rel_word *closure, uint32_t location)
{
    BASE_ASSERT(location < c->skeleton->program->location_count);
    const rel_word *writes = exec_writes_of(c->skeleton, location);
    for (uint32_t w = 0; w < c->dim.n; w++)
        if (bits_get(writes, w) && bits_get(closure, c->dim.n + w) &&
            disjoint(c, closure, row2(c, c->excludes, w)))
            return w;
    return LIT_NONE;
}

/* All that matters is chosen. Hands nothing out where some location has no last version. */
static void end_choice(struct cutter *c, const rel_word *closure)
{
    for (uint32_t i = c->choice_count; i < c->location_count; i++) {
        c->last[c->locations[i]] = last_in(c, closure, c->locations[i]);
        if (c->last[c->locations[i]] == LIT_NONE)
            return;
    }
    hand_out(c, closure);
}

/* Chooses the last durable write of the location at `place`, from this event on; false: no further
 * one goes with those of the locations before it. */
static bool choose_write(struct cutter *c, uint32_t place, uint32_t from)
{
    BASE_ASSERT(place < c->choice_count && from <= c->dim.n);
    uint32_t depth = c->stopper_count + c->register_count + place, location = c->locations[place];
    rel_word *closure = row2(c, c->closures, depth), *excluded = row2(c, c->exclusions, depth);
    const rel_word *writes = exec_writes_of(c->skeleton, location);
    rel_word *next = row2(c, c->closures, depth + 1), *ruled = row2(c, c->exclusions, depth + 1);
    for (uint32_t w = from; w < c->dim.n && !c->stopped; w++) {
        if (!bits_get(writes, w) || (c->wants && !c->wants(c->context, location, w)))
            continue;
        set_union(c->dim2, next, closure, row2(c, c->requires, c->dim.n + w));
        set_union(c->dim2, ruled, excluded, row2(c, c->excludes, w));
        if (!disjoint(c, next, ruled) || !registers_stand(c, next, c->register_count))
            continue;
        BASE_ASSERT(is_nvm_write(c, w) && c->skeleton->events[w].location == location);
        c->last[location] = w;
        return true;
    }
    c->last[location] = LIT_NONE;
    return false;
}

/* What is chosen says where to go on when the places after it are through; so it is with registers
 * and with crash statements. */
static void choose_writes(struct cutter *c)
{
    for (uint32_t place = 0, from = 0;;) {
        if (place == c->choice_count) {
            end_choice(c, row2(c, c->closures, c->stopper_count + c->register_count + place));
        } else if (choose_write(c, place, from)) {
            place++;
            from = 0;
            continue;
        }
        if (place-- == 0)
            return;
        from = c->last[c->locations[place]] + 1;
    }
}

/* The register at `place` holds the value of this assignment, or has none. Whether it may. */
static bool choose_assignment(struct cutter *c, uint32_t place, uint32_t number)
{
    BASE_ASSERT(place < c->register_count);
    BASE_ASSERT(number == LIT_NONE ||
                number < c->skeleton->paths[c->registers[place].thread]->assignment_count);
    const struct exec_skeleton *s = c->skeleton;
    uint32_t thread = c->registers[place].thread, depth = c->stopper_count + place;
    rel_word *closure = row2(c, c->closures, depth), *excluded = row2(c, c->exclusions, depth);
    rel_word *next = row2(c, c->closures, depth + 1), *ruled = row2(c, c->exclusions, depth + 1);
    set_union(c->dim2, next, closure, closure);
    set_union(c->dim2, ruled, excluded, excluded);
    if (number != LIT_NONE) {
        const struct exec_assignment *chosen = &s->paths[thread]->assignments[number];
        for (uint32_t i = chosen->first; i < chosen->end; i++)
            set_union(c->dim2, next, next, row2(c, c->requires, s->first[thread] + i));
    }
    c->assigned[place] = number;
    return disjoint(c, next, ruled) && registers_stand(c, next, place + 1);
}

/* The same from this assignment on. */
static bool choose_register(struct cutter *c, uint32_t place, uint32_t from)
{
    BASE_ASSERT(place < c->register_count);
    const struct lit_atom *reg = &c->registers[place];
    const struct exec_path *path = c->skeleton->paths[reg->thread];
    for (uint32_t i = from; i < path->assignment_count && !c->stopped; i++)
        if (path->assignments[i].reg == reg->reg && choose_assignment(c, place, i))
            return true;
    return false;
}

static void choose_registers(struct cutter *c)
{
    bool begins = true;
    for (uint32_t place = 0, from = 0;;) {
        if (place == c->register_count) {
            if (c->on_choices)
                exec_hand_choices(c);
            else
                choose_writes(c);
        } else if ((begins && choose_assignment(c, place, LIT_NONE)) ||
                   choose_register(c, place, from)) {
            place++;
            from = 0;
            begins = true;
            continue;
        }
        if (place-- == 0)
            return;
        begins = false;
        from = c->assigned[place] == LIT_NONE ? 0 : c->assigned[place] + 1;
    }
}

/* ---- Crash statements that are passed ---- */

/* Does a register that is asked for depend on whether the thread has passed a crash statement, at
 * which it does not stand anyway? */
static bool may_stop(const struct cutter *c, uint32_t thread)
{
    BASE_ASSERT(thread < c->skeleton->program->thread_count);
    const struct exec_path *path = c->skeleton->paths[thread];
    for (uint32_t i = 0; i < c->register_count && thread != c->cut.mark_thread; i++)
        for (uint32_t k = 0; c->registers[i].thread == thread && k < path->assignment_count; k++)
            if (path->assignments[k].reg == c->registers[i].reg && path->assignments[k].behind)
                return true;
    return false;
}

static void find_stoppers(struct cutter *c)
{
    c->stopper_count = 0;
    for (uint32_t t = 0; t < c->skeleton->program->thread_count; t++) {
        c->passed[t] = c->skeleton->paths[t]->crash_count;
        if (c->mode != EXEC_CRASH_END && may_stop(c, t))
            c->stoppers[c->stopper_count++] = t;
        BASE_ASSERT(c->stopper_count <= c->skeleton->program->thread_count);
    }
}

/* How many statements the stopper at `depth` has passed, from this number on. What stands behind a
 * statement that is not passed has not executed. */
static bool choose_stop(struct cutter *c, uint32_t depth, uint32_t from)
{
    BASE_ASSERT(depth < c->stopper_count);
    const struct exec_skeleton *s = c->skeleton;
    uint32_t t = c->stoppers[depth];
    const struct exec_path *path = s->paths[t];
    rel_word *closure = row2(c, c->closures, depth), *excluded = row2(c, c->exclusions, depth);
    rel_word *next = row2(c, c->closures, depth + 1), *ruled = row2(c, c->exclusions, depth + 1);
    for (uint32_t passed = from; passed <= path->crash_count && !c->stopped; passed++) {
        set_union(c->dim2, next, closure, closure);
        set_union(c->dim2, ruled, excluded, excluded);
        for (uint32_t i = 0; passed < path->crash_count && i < path->event_count; i++)
            if (i >= path->crashes[passed].before)
                bits_set(ruled, s->first[t] + i);
        c->passed[t] = passed;
        if (disjoint(c, next, ruled))
            return true;
    }
    return false;
}

static void choose_passed(struct cutter *c)
{
    for (uint32_t depth = 0, from = 0;;) {
        if (depth == c->stopper_count) {
            choose_registers(c);
        } else if (choose_stop(c, depth, from)) {
            depth++;
            from = 0;
            continue;
        }
        if (depth-- == 0)
            return;
        from = c->passed[c->stoppers[depth]] + 1;
    }
}

static void must_execute(struct cutter *c, uint32_t e)
{
    BASE_ASSERT(e < c->dim.n);
    set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, e));
}

static void hide_events(struct cutter *c)
{
    const struct exec_skeleton *s = c->skeleton;
    for (uint32_t t = 0; t < s->program->thread_count; t++)
        for (uint32_t i = 0; i < s->paths[t]->hidden_count; i++)
            bits_set(c->exclusions, s->first[t] + s->paths[t]->event_count - 1 - i);
}

/* Initial writes have executed and are durable whenever the crash comes; what cannot persist never
 * is. */
static void start(struct cutter *c)
{
    set_clear(c->dim2, c->closures);
    set_clear(c->dim2, c->exclusions);
    hide_events(c);
    for (uint32_t e = 0; e < c->skeleton->init_count; e++) {
        set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, e));
        if (is_nvm_write(c, e))
            set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, c->dim.n + e));
    }
    for (uint32_t e = c->skeleton->init_count; e < c->dim.n; e++)
        if (is_nvm_write(c, e) && !bits_get(c->contract->can_persist, e))
            bits_set(c->exclusions, c->dim.n + e);
    for (uint32_t e = c->skeleton->init_count; c->just && e < c->dim.n; e++)
        if (bits_get(c->just, e))
            must_execute(c, e);
        else
            bits_set(c->exclusions, e);
}

static void find_cuts(struct cutter *c)
{
    if (disjoint(c, c->closures, c->exclusions))
        choose_passed(c);
}

/* Rule 4: one thread stands exactly at one of its crash statements. */
static void run_at_points(struct cutter *c)
{
    const struct exec_skeleton *s = c->skeleton;
    for (uint32_t t = 0; t < s->program->thread_count; t++) {
        const struct exec_path *path = s->paths[t];
        for (uint32_t k = 0; k < path->crash_count && !c->stopped; k++) {
            BASE_ASSERT(path->crashes[k].before <= path->event_count);
            start(c);
            for (uint32_t i = 0; i < path->event_count; i++) {
                if (i < path->crashes[k].before)
                    must_execute(c, s->first[t] + i);
                else
                    bits_set(c->exclusions, s->first[t] + i);
            }
            c->cut.mark = &path->crashes[k];
            c->cut.mark_thread = t;
            find_stoppers(c);
            c->passed[t] = k;
            find_cuts(c);
        }
    }
}

static void init(struct cutter *c, struct arena *scratch, const struct exec_skeleton *skeleton,
                 const struct exec_contract *contract, const struct exec_crash_question *question)
{
    BASE_ASSERT(question->mode <= EXEC_CRASH_END);
    BASE_ASSERT(skeleton->dim.n <= EXEC_MAX_EVENTS);
    c->scratch = scratch;
    c->mode = question->mode;
    c->skeleton = skeleton;
    c->contract = contract;
    c->dim = skeleton->dim;
    c->dim2 = rel_dim_make(2 * skeleton->dim.n);
    c->matters = question->matters;
    c->just = question->executed;
    c->registers = question->registers;
    c->register_count = question->register_count;
    c->wants = question->wants;
    exec_cut_rules(c, scratch);
    rel_star(c->dim2, c->requires, c->requires);
    list_locations(c, scratch);
    uint32_t threads = skeleton->program->thread_count;
    size_t depths = (size_t)threads + c->register_count + c->choice_count + 1;
    c->assigned = ARENA_ARRAY(scratch, uint32_t, c->register_count);
    c->passed = ARENA_ARRAY(scratch, uint32_t, threads);
    c->stoppers = ARENA_ARRAY(scratch, uint32_t, threads);
    c->closures = ARENA_ARRAY(scratch, rel_word, depths * c->dim2.words);
    c->exclusions = ARENA_ARRAY(scratch, rel_word, depths * c->dim2.words);
    c->executed = ARENA_ARRAY(scratch, rel_word, c->dim.words);
    c->durable = ARENA_ARRAY(scratch, rel_word, c->dim.words);
    c->cut = (struct exec_cut){.executed = c->executed,
                               .durable = c->durable,
                               .mark_thread = LIT_NONE,
                               .last = c->last,
                               .passed = c->passed};
    find_stoppers(c);
}

static void run_where_asked(struct cutter *c)
{
    if (c->mode == EXEC_CRASH_POINTS) {
        run_at_points(c);
        return;
    }
    start(c);
    for (uint32_t e = 0; c->mode == EXEC_CRASH_END && e < c->dim.n; e++)
        must_execute(c, e);
    find_cuts(c);
}

uint64_t exec_crash_states(struct arena *scratch, const struct exec_skeleton *skeleton,
                           const struct exec_contract *contract,
                           const struct exec_crash_question *question, exec_cut_callback *callback,
                           void *context)
{
    BASE_ASSERT(callback);
    BASE_ASSERT(question->register_count == 0 || question->registers);
    struct arena_mark mark = arena_mark(scratch);
    struct cutter c = {.callback = callback, .context = context};
    init(&c, scratch, skeleton, contract, question);
    run_where_asked(&c);
    arena_rewind(scratch, mark);
    return c.handed_out;
}

bool exec_crash_choices(struct arena *scratch, const struct exec_skeleton *skeleton,
                        const struct exec_contract *contract,
                        const struct exec_crash_question *question, exec_choices_callback *callback,
                        void *context)
{
    BASE_ASSERT(callback);
    struct arena_mark mark = arena_mark(scratch);
    struct cutter c = {.on_choices = callback, .context = context};
    struct exec_crash_question all = *question;
    all.matters = NULL;
    all.wants = NULL;
    init(&c, scratch, skeleton, contract, &all);
    run_where_asked(&c);
    arena_rewind(scratch, mark);
    return !c.mixed;
}

const rel_word *exec_crash_needs(struct arena *arena, const struct exec_skeleton *skeleton,
                                 const struct exec_contract *contract)
{
    struct cutter c = {.skeleton = skeleton,
                       .contract = contract,
                       .dim = skeleton->dim,
                       .dim2 = rel_dim_make(2 * skeleton->dim.n)};
    rel_word *needs = ARENA_ARRAY(arena, rel_word, rel_words(c.dim));
    struct arena_mark mark = arena_mark(arena);
    exec_cut_rules(&c, arena);
    rel_star(c.dim2, c.requires, c.requires);
    BASE_ASSERT(bits_get(c.requires, 0) || !c.dim.n);
    for (uint32_t a = 0; a < c.dim.n; a++)
        for (uint32_t b = 0; b < c.dim.n; b++)
            if (bits_get(row2(&c, c.requires, a), b))
                rel_add(c.dim, needs, a, b);
    arena_rewind(arena, mark);
    return needs;
}
