/* A write's closure is computed when it is first asked for. Few are asked for, and closing all at
 * once costs the cube of the number of events. */
#include "exec/exec_cutter.h"

#include "base/bits.h"

struct exec_lasts {
    struct cutter cutter;
    rel_word *closed;  /* the nodes whose row of `requires` is */
    rel_word *reached; /* room for one set of nodes */
    uint32_t depth;    /* how many are taken */
    uint32_t most;     /* may be */
    bool possible;     /* some cut is */
};

/* Adds to a set what its members require. */
static void close(struct exec_lasts *lasts, rel_word *set)
{
    struct cutter *c = &lasts->cutter;
    set_clear(c->dim2, lasts->reached);
    for (bool more = true; more;) {
        more = false;
        BITS_EACH (e, k, c->dim2.words, set[k] & ~lasts->reached[k]) {
            bits_set(lasts->reached, e);
            BASE_ASSERT(e < c->dim2.n);
            set_union(c->dim2, set, set, row2(c, c->requires, e));
            more = true;
        }
    }
}

static const rel_word *all_required(struct exec_lasts *lasts, uint32_t node)
{
    BASE_ASSERT(node < lasts->cutter.dim2.n);
    rel_word *row = row2(&lasts->cutter, lasts->cutter.requires, node);
    if (!bits_get(lasts->closed, node)) {
        bits_set(row, node);
        close(lasts, row);
        bits_set(lasts->closed, node);
    }
    return row;
}

static bool is_nvm_write(const struct exec_skeleton *skeleton, uint32_t e)
{
    BASE_ASSERT(e < skeleton->dim.n);
    const struct ev *event = &skeleton->events[e];
    return event->kind == EV_WRITE && skeleton->program->locations[event->location].nvm;
}

/* Initial writes have executed and are durable, with `mode` END all has executed, and what cannot
 * persist is not durable. */
static void start(struct exec_lasts *lasts, enum exec_crash_mode mode)
{
    struct cutter *c = &lasts->cutter;
    for (uint32_t e = 0; e < c->dim.n; e++) {
        bool init = e < c->skeleton->init_count, nvm = is_nvm_write(c->skeleton, e);
        if (init || mode == EXEC_CRASH_END)
            bits_set(c->closures, e);
        if (nvm && init)
            bits_set(c->closures, c->dim.n + e);
        if (nvm && !init && !bits_get(c->contract->can_persist, e))
            bits_set(c->exclusions, c->dim.n + e);
    }
    close(lasts, c->closures);
    lasts->possible = disjoint(c, c->closures, c->exclusions);
}

struct exec_lasts *exec_lasts_new(struct arena *arena, const struct exec_skeleton *skeleton,
                                  const struct exec_contract *contract, enum exec_crash_mode mode,
                                  uint32_t most)
{
    BASE_ASSERT(skeleton->dim.n <= EXEC_MAX_EVENTS);
    BASE_ASSERT(most <= skeleton->program->location_count);
    struct exec_lasts *lasts = ARENA_NEW(arena, struct exec_lasts);
    struct cutter *c = &lasts->cutter;
    *c = (struct cutter){.skeleton = skeleton,
                         .contract = contract,
                         .dim = skeleton->dim,
                         .dim2 = rel_dim_make(2 * skeleton->dim.n)};
    exec_cut_rules(c, arena);
    lasts->closed = ARENA_ARRAY(arena, rel_word, c->dim2.words);
    lasts->reached = ARENA_ARRAY(arena, rel_word, c->dim2.words);
    c->closures = ARENA_ARRAY(arena, rel_word, (size_t)(most + 1) * c->dim2.words);
    c->exclusions = ARENA_ARRAY(arena, rel_word, (size_t)(most + 1) * c->dim2.words);
    lasts->most = most;
    start(lasts, mode);
    return lasts;
}

bool exec_lasts_take(struct exec_lasts *lasts, uint32_t write)
{
    BASE_ASSERT(write < lasts->cutter.dim.n);
    BASE_ASSERT(is_nvm_write(lasts->cutter.skeleton, write));
    BASE_ASSERT(lasts->depth < lasts->most);
    struct cutter *c = &lasts->cutter;
    const rel_word *requires = all_required(lasts, c->dim.n + write);
    uint32_t depth = lasts->depth;
    rel_word *next = row2(c, c->closures, depth + 1), *ruled = row2(c, c->exclusions, depth + 1);
    set_union(c->dim2, next, row2(c, c->closures, depth), requires);
    set_union(c->dim2, ruled, row2(c, c->exclusions, depth), row2(c, c->excludes, write));
    if (!lasts->possible || !disjoint(c, next, ruled))
        return false;
    lasts->depth++;
    return true;
}

void exec_lasts_drop(struct exec_lasts *lasts)
{
    BASE_ASSERT(lasts->depth > 0);
    lasts->depth--;
}
