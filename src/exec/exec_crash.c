/* Node x of 0..n-1 is "event x executed", node n+x "write x durable". requires[x] is
 * the set of nodes that any cut containing x contains: the four rules as edges, then
 * transitively closed. Locations are decided one after the other; `closure` is what
 * the choices so far require and `excluded` what they rule out. A location that does not
 * matter takes the last write in the closure, which requires nothing more and rules
 * nothing out that the closure has. */
#include "exec/exec_crash.h"

#include "base/bits.h"

struct cutter {
    const struct exec_skeleton *skeleton;
    const struct exec_contract *contract;
    struct rel_dim dim;  /* of the events */
    struct rel_dim dim2; /* of the nodes */
    rel_word *requires;
    rel_word *excludes; /* per event: for an NVM write, the durable nodes of later ones */
    const bool *matters;
    const uint32_t *locations; /* those that matter come first */
    uint32_t location_count, choice_count;
    uint32_t *last;
    rel_word *closures, *exclusions; /* one set per depth of the choice */
    rel_word *executed, *durable;
    struct exec_cut cut;
    exec_cut_callback *callback;
    void *context;
    uint64_t handed_out;
    bool stopped;
};

static rel_word *row2(const struct cutter *c, rel_word *matrix, uint32_t index)
{
    return matrix + (size_t)index * c->dim2.words;
}

static bool is_nvm_write(const struct cutter *c, uint32_t e)
{
    const struct ev *event = &c->skeleton->events[e];
    return event->kind == EV_WRITE && c->skeleton->program->locations[event->location].nvm;
}

/* "x requires y", node numbers. */
static void require(struct cutter *c, uint32_t x, uint32_t y)
{
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
    if (rel_has(c->dim, k->persist_before, a, b) || rel_has(c->dim, k->co, a, b))
        require(c, n + b, n + a);
    if (rel_has(c->dim, k->persist_atomic, a, b)) {
        require(c, n + b, n + a);
        require(c, n + a, n + b);
    }
    if (rel_has(c->dim, k->co, a, b))
        bits_set(row2(c, c->excludes, a), n + b);
}

static void build_requirements(struct cutter *c, struct arena *scratch)
{
    uint32_t n = c->dim.n;
    c->requires = ARENA_ARRAY(scratch, rel_word, rel_words(c->dim2));
    c->excludes = ARENA_ARRAY(scratch, rel_word, (size_t)n * c->dim2.words);
    for (uint32_t a = 0; a < n; a++) {
        if (is_nvm_write(c, a))
            require(c, n + a, a);
        for (uint32_t b = 0; b < n; b++)
            add_rules(c, a, b);
    }
    rel_star(c->dim2, c->requires, c->requires);
}

static bool has_durable(const struct cutter *c, uint32_t location)
{
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
}

static void hand_out(struct cutter *c, const rel_word *closure)
{
    set_clear(c->dim, c->executed);
    set_clear(c->dim, c->durable);
    for (uint32_t e = 0; e < c->dim.n; e++) {
        if (bits_get(closure, e))
            bits_set(c->executed, e);
        if (bits_get(closure, c->dim.n + e))
            bits_set(c->durable, e);
    }
    c->handed_out++;
    c->stopped = !c->callback(c->context, &c->cut);
}

static bool disjoint(const struct cutter *c, const rel_word *a, const rel_word *b)
{
    for (uint32_t w = 0; w < c->dim2.words; w++)
        if (a[w] & b[w])
            return false;
    return true;
}

/* The write of a location in the closure that none in it is coherence-after. */
static uint32_t last_in(const struct cutter *c, const rel_word *closure, uint32_t location)
{
    const rel_word *writes = exec_writes_of(c->skeleton, location);
    for (uint32_t w = 0; w < c->dim.n; w++)
        if (bits_get(writes, w) && bits_get(closure, c->dim.n + w) &&
            disjoint(c, closure, row2(c, c->excludes, w)))
            return w;
    BASE_UNREACHABLE("a durable write, the initial one at least");
}

/* Chooses the last durable write of the location at `depth`, and of those after it. */
static void choose(struct cutter *c, uint32_t depth)
{
    rel_word *closure = row2(c, c->closures, depth), *excluded = row2(c, c->exclusions, depth);
    if (depth == c->choice_count) {
        for (uint32_t i = depth; i < c->location_count; i++)
            c->last[c->locations[i]] = last_in(c, closure, c->locations[i]);
        hand_out(c, closure);
        return;
    }
    uint32_t location = c->locations[depth];
    const rel_word *writes = exec_writes_of(c->skeleton, location);
    rel_word *next = row2(c, c->closures, depth + 1), *ruled = row2(c, c->exclusions, depth + 1);
    for (uint32_t w = 0; w < c->dim.n && !c->stopped; w++) {
        if (!bits_get(writes, w))
            continue;
        set_union(c->dim2, next, closure, row2(c, c->requires, c->dim.n + w));
        set_union(c->dim2, ruled, excluded, row2(c, c->excludes, w));
        if (!disjoint(c, next, ruled))
            continue;
        c->last[location] = w;
        choose(c, depth + 1);
    }
    c->last[location] = LIT_NONE;
}

/* Initial writes have executed and are durable whenever the crash comes; what cannot persist never
 * is. */
static void start(struct cutter *c)
{
    set_clear(c->dim2, c->closures);
    set_clear(c->dim2, c->exclusions);
    for (uint32_t e = 0; e < c->skeleton->init_count; e++) {
        set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, e));
        if (is_nvm_write(c, e))
            set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, c->dim.n + e));
    }
    for (uint32_t e = c->skeleton->init_count; e < c->dim.n; e++)
        if (is_nvm_write(c, e) && !bits_get(c->contract->can_persist, e))
            bits_set(c->exclusions, c->dim.n + e);
}

static void must_execute(struct cutter *c, uint32_t e)
{
    set_union(c->dim2, c->closures, c->closures, row2(c, c->requires, e));
}

static void run(struct cutter *c)
{
    if (disjoint(c, c->closures, c->exclusions))
        choose(c, 0);
}

/* Rule 4: one thread stands exactly at one of its crash statements. */
static void run_at_points(struct cutter *c)
{
    const struct exec_skeleton *s = c->skeleton;
    for (uint32_t t = 0; t < s->program->thread_count; t++) {
        const struct exec_path *path = s->paths[t];
        for (uint32_t k = 0; k < path->crash_count && !c->stopped; k++) {
            start(c);
            for (uint32_t i = 0; i < path->event_count; i++) {
                if (i < path->crashes[k].before)
                    must_execute(c, s->first[t] + i);
                else
                    bits_set(c->exclusions, s->first[t] + i);
            }
            c->cut.mark = &path->crashes[k];
            c->cut.mark_thread = t;
            run(c);
        }
    }
}

uint64_t exec_crash_states(struct arena *scratch, const struct exec_skeleton *skeleton,
                           const struct exec_contract *contract,
                           const struct exec_crash_question *question, exec_cut_callback *callback,
                           void *context)
{
    struct arena_mark mark = arena_mark(scratch);
    uint32_t n = skeleton->dim.n;
    struct cutter c = {.skeleton = skeleton,
                       .contract = contract,
                       .dim = skeleton->dim,
                       .dim2 = rel_dim_make(2 * n),
                       .matters = question->matters,
                       .callback = callback,
                       .context = context};
    build_requirements(&c, scratch);
    list_locations(&c, scratch);
    size_t depths = (size_t)c.choice_count + 1;
    c.closures = ARENA_ARRAY(scratch, rel_word, depths * c.dim2.words);
    c.exclusions = ARENA_ARRAY(scratch, rel_word, depths * c.dim2.words);
    c.executed = ARENA_ARRAY(scratch, rel_word, c.dim.words);
    c.durable = ARENA_ARRAY(scratch, rel_word, c.dim.words);
    c.cut = (struct exec_cut){c.executed, c.durable, NULL, LIT_NONE, c.last};
    if (question->mode == EXEC_CRASH_POINTS) {
        run_at_points(&c);
    } else {
        start(&c);
        for (uint32_t e = 0; question->mode == EXEC_CRASH_END && e < n; e++)
            must_execute(&c, e);
        run(&c);
    }
    arena_rewind(scratch, mark);
    return c.handed_out;
}
