/* Two choices exclude each other when one requires a write that lands after the other. A
 * combination requires just what its choices require, so pairs are enough. */
#include "exec/exec_cutter.h"

#include "base/bits.h"

/* No later assignment of the register may have happened. Where one of its events executes after all
 * others of it, that one must not have executed. */
static void rule_out(struct cutter *c, const struct exec_assignment *assignment, uint32_t thread,
                     rel_word *excluded)
{
    BASE_ASSERT(thread < c->skeleton->program->thread_count);
    BASE_ASSERT(assignment->end <= c->skeleton->paths[thread]->event_count);
    uint32_t first = c->skeleton->first[thread];
    for (uint32_t i = assignment->first; i < assignment->end; i++) {
        const rel_word *before = row2(c, c->requires, first + i);
        bool last = true;
        for (uint32_t k = assignment->first; k < assignment->end; k++)
            last = last && bits_get(before, first + k);
        if (last) {
            bits_set(excluded, first + i);
            return;
        }
    }
    c->mixed = true;
}

static void rule_out_later(struct cutter *c, rel_word *excluded)
{
    for (uint32_t i = 0; i < c->register_count; i++) {
        const struct lit_atom *reg = &c->registers[i];
        const struct exec_path *path = c->skeleton->paths[reg->thread];
        uint32_t from = c->assigned[i] == LIT_NONE ? 0 : c->assigned[i] + 1;
        BASE_ASSERT(from <= path->assignment_count);
        for (uint32_t k = from; k < path->assignment_count; k++)
            if (path->assignments[k].reg == reg->reg &&
                path->assignments[k].behind <= c->passed[reg->thread])
                rule_out(c, &path->assignments[k], reg->thread, excluded);
    }
}

/* The writes of each location that go with what is chosen already. */
static void list_choices(struct cutter *c, const rel_word *closure, const rel_word *excluded,
                         uint32_t *first, uint32_t *writes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->choice_count; i++) {
        const rel_word *all = exec_writes_of(c->skeleton, c->locations[i]);
        first[i] = count;
        BITS_EACH (w, k, c->dim.words, all[k]) {
            const rel_word *requires = row2(c, c->requires, c->dim.n + w);
            const rel_word *excludes = row2(c, c->excludes, w);
            if (disjoint(c, requires, excluded) && disjoint(c, requires, excludes) &&
                disjoint(c, closure, excludes)) {
                BASE_ASSERT(c->skeleton->events[w].location == c->locations[i]);
                BASE_ASSERT(count < c->dim.n);
                writes[count++] = w;
            }
        }
    }
    first[c->choice_count] = count;
}

static void add_row_bits(rel_word *row, const rel_word *other, uint32_t words)
{
    for (uint32_t k = 0; k < words; k++)
        row[k] |= other[k];
}

/* Choice v rules later writes of its location out; choice w requires one of them. */
static void list_exclusions(struct cutter *c, const uint32_t *writes, uint32_t count,
                            rel_word *excludes, uint32_t words)
{
    BASE_ASSERT(words == BITS_WORDS(count));
    BASE_ASSERT(count <= c->dim.n);
    const uint32_t n = c->dim.n; /* what is durable stands behind what is executed */
    rel_word *before = ARENA_ARRAY(c->scratch, rel_word, (size_t)n * words);
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t k = n / 64; k < c->dim2.words; k++)
            BITS_EACH_IN_WORD (bit, row2(c, c->excludes, writes[v])[k])
                if (k * 64 + bit >= n)
                    bits_set(before + (size_t)(k * 64 + bit - n) * words, v);
    for (uint32_t w = 0; w < count; w++)
        for (uint32_t k = n / 64; k < c->dim2.words; k++)
            BITS_EACH_IN_WORD (bit, row2(c, c->requires, n + writes[w])[k])
                if (k * 64 + bit >= n)
                    add_row_bits(excludes + (size_t)w * words,
                                 before + (size_t)(k * 64 + bit - n) * words, words);
    for (uint32_t w = 0; w < count; w++)
        BITS_EACH (e, k, words, excludes[(size_t)w * words + k])
            bits_set(excludes + (size_t)(e)*words, w);
}

void exec_hand_choices(struct cutter *c)
{
    BASE_ASSERT(c->on_choices);
    BASE_ASSERT(!c->matters);
    struct arena_mark mark = arena_mark(c->scratch);
    uint32_t depth = c->stopper_count + c->register_count;
    rel_word *excluded = ARENA_ARRAY(c->scratch, rel_word, c->dim2.words);
    set_union(c->dim2, excluded, row2(c, c->exclusions, depth), row2(c, c->exclusions, depth));
    rule_out_later(c, excluded);
    uint32_t *first = ARENA_ARRAY(c->scratch, uint32_t, c->choice_count + 1);
    uint32_t *writes = ARENA_ARRAY(c->scratch, uint32_t, c->dim.n);
    if (disjoint(c, row2(c, c->closures, depth), excluded)) {
        list_choices(c, row2(c, c->closures, depth), excluded, first, writes);
        uint32_t count = first[c->choice_count], words = BITS_WORDS(count);
        rel_word *excludes = ARENA_ARRAY(c->scratch, rel_word, (size_t)count * words);
        BASE_ASSERT(count == first[c->choice_count]);
        list_exclusions(c, writes, count, excludes, words);
        const struct exec_choices choices = {c->locations, c->choice_count, first,      writes,
                                             excludes,     words,           c->assigned};
        c->stopped = c->mixed || !c->on_choices(c->context, &choices);
    }
    arena_rewind(c->scratch, mark);
}
