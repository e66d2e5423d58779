/* place_align: thread by thread. The instructions that are not pure are paired in their order; of
 * the pure ones between two of these as many as are alike from the front and from the back, the
 * rest from the front. Then what refers to places in the code is held against that. */
#include "place/place_align.h"

#include "base/strbuf.h"
#include "litmus/lit_code.h"

/* Is its location the same whatever registers hold? */
static bool is_flush(const struct lit_instr *instr)
{
    return instr->op == LIT_CM && !instr->addr.index;
}

bool place_is_pure(const struct lit_instr *instr)
{
    return instr->op == LIT_FENCE || is_flush(instr) ||
           (lit_instruction_meets(instr->op) && !instr->resource && !instr->quorum &&
            !instr->named && !instr->arrive);
}

/* ---- What is alike ---- */

static bool same_address(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->addr.first == b->addr.first && a->addr.count == b->addr.count &&
           a->addr.stride == b->addr.stride && lit_code_same(a->addr.index, b->addr.index);
}

/* Are they equal, apart from places in the code and from what only orders? */
static bool same_work(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->op == b->op && a->rmw == b->rmw && a->computes == b->computes &&
           a->unless == b->unless && a->dst == b->dst && a->dst_old == b->dst_old &&
           a->decides == b->decides && same_address(a, b) && lit_code_same(a->value, b->value) &&
           lit_code_same(a->expected, b->expected) && a->loop == b->loop &&
           lit_code_same_list(a->kept, a->kept_count, b->kept, b->kept_count) &&
           lit_code_same_list(a->shown, a->shown_count, b->shown, b->shown_count) &&
           text_same(a->text, b->text) && !a->unsequenced == !b->unsequenced &&
           a->named == b->named && a->arrive == b->arrive && a->bare == b->bare &&
           lit_code_same(a->resource, b->resource) && lit_code_same(a->quorum, b->quorum);
}

static bool has_tag(const struct lit_program *program, uint64_t mask, const char *name)
{
    return (mask & lit_program_tag(program, name)) != 0;
}

static bool same_tags(const struct lit_program *of_a, uint64_t a, const struct lit_program *of_b,
                      uint64_t b)
{
    for (uint32_t i = 0; i < of_a->tag_count; i++)
        if ((a >> i & 1) && !has_tag(of_b, b, of_a->tags[i]))
            return false;
    return !ANY(i, of_b->tag_count, (b >> i & 1) && !has_tag(of_a, a, of_b->tags[i]));
}

bool place_orders_alike(const struct lit_program *of_a, const struct lit_instr *a,
                        const struct lit_program *of_b, const struct lit_instr *b)
{
    return a->op == b->op && a->order == b->order && a->fail_order == b->fail_order &&
           a->scope == b->scope && a->exec_scope == b->exec_scope && a->spaces == b->spaces &&
           a->nonatomic == b->nonatomic && a->unscoped == b->unscoped &&
           text_same(a->label, b->label) && same_tags(of_a, a->tags, of_b, b->tags);
}

/* ---- Programs but for their code ---- */

static bool same_registers(const struct lit_thread *a, const struct lit_thread *b)
{
    return a->register_count == b->register_count && a->loop_count == b->loop_count &&
           ALL(i, a->register_count,
               a->registers[i].type == b->registers[i].type &&
                   a->registers[i].init == b->registers[i].init &&
                   a->registers[i].at_crash == b->registers[i].at_crash &&
                   a->registers[i].given == b->registers[i].given &&
                   text_same(a->registers[i].name, b->registers[i].name));
}

static bool same_place(const struct lit_program *of_a, const struct lit_thread *a,
                       const struct lit_program *of_b, const struct lit_thread *b)
{
    return a->number == b->number && a->sg == b->sg && a->wg == b->wg && a->kr == b->kr &&
           a->dev == b->dev && same_tags(of_a, a->tags, of_b, b->tags);
}

static bool same_locations(const struct lit_program *a, const struct lit_program *b)
{
    bool same = a->location_count == b->location_count;
    for (uint32_t i = 0; same && i < a->location_count; i++) {
        const struct lit_location *l = &a->locations[i], *m = &b->locations[i];
        same = l->type == m->type && l->spaces == m->spaces && l->nvm == m->nvm &&
               l->hidden == m->hidden && l->exchanged == m->exchanged && l->atomic == m->atomic &&
               l->line == m->line && text_same(l->name, m->name) &&
               same_tags(a, l->tags, b, m->tags);
    }
    return same;
}

static bool same_conditions(const struct lit_program *a, const struct lit_program *b)
{
    return a->condition_count == b->condition_count &&
           ALL(i, a->condition_count, text_same(a->conditions[i].text, b->conditions[i].text));
}

bool place_starts_alike(const struct lit_program *a, const struct lit_program *b)
{
    return a->location_count == b->location_count && same_conditions(a, b) &&
           ALL(i, a->location_count, a->locations[i].init == b->locations[i].init);
}

static bool same_surroundings(const struct lit_program *a, const struct lit_program *b)
{
    return a->thread_count == b->thread_count && a->split_rmw == b->split_rmw &&
           a->partial_coherence == b->partial_coherence && a->jumps == b->jumps &&
           a->has_crash_points == b->has_crash_points && !a->filter == !b->filter &&
           same_locations(a, b);
}

/* ---- One thread ---- */

enum { MOST_FITNESSES = 1 << 16, FITS_NOT = -(1 << 24) };

struct alignment {
    struct arena *arena;
    const struct lit_program *programs[2];
    const struct lit_thread *whole, *part;
    const struct lit_instr **pairs; /* per instruction of `whole` */
};

static uint32_t end_of_run(const struct lit_thread *thread, uint32_t at)
{
    while (at < thread->code_count && place_is_pure(&thread->code[at]))
        at++;
    return at;
}

/* How well an instruction fits another's place: lines are those of the sketch in all fillings.
 * Below 0: it does not. */
static int fitness(const struct alignment *a, const struct lit_instr *x, const struct lit_instr *y)
{
    if (is_flush(x) != is_flush(y) || (is_flush(x) && !same_address(x, y)))
        return -1;
    if (x->span.line != y->span.line)
        return 0;
    return place_orders_alike(a->programs[0], x, a->programs[1], y) ? 3 : x->op == y->op ? 2 : 1;
}

static bool has_flush(const struct lit_thread *thread, uint32_t at, uint32_t end)
{
    while (at < end && !is_flush(&thread->code[at]))
        at++;
    return at < end;
}

/* Is the first of what is left a pair of what fits best? Of a flush not if a later one does: what
 * is added stands in front of what is there. */
static bool fits_here(const struct alignment *a, const int *best, uint32_t width, uint32_t i,
                      uint32_t j)
{
    int fit = fitness(a, &a->whole->code[i], &a->part->code[j]);
    bool later = is_flush(&a->whole->code[i]) && best[0] == best[width];
    return fit >= 0 && best[0] == fit + best[width + 1] && !later;
}

/* With flushes among them not every one fits everywhere: the pairs that fit best altogether. `best`
 * has, per instruction of both sides, how well the rest fits. */
static bool pair_mixed(struct alignment *a, uint32_t i, uint32_t i_end, uint32_t j, uint32_t j_end)
{
    uint32_t rows = i_end - i, columns = j_end - j, width = columns + 1;
    if ((uint64_t)(rows + 1) * width > MOST_FITNESSES)
        return false;
    int *best = ARENA_ARRAY(a->arena, int, (size_t)(rows + 1) * width);
    for (uint32_t y = 0; y < columns; y++)
        best[rows * width + y] = FITS_NOT;
    for (uint32_t x = rows; x-- > 0;)
        for (uint32_t y = columns; y-- > 0;) {
            int fit = fitness(a, &a->whole->code[i + x], &a->part->code[j + y]);
            int with = fit < 0 ? FITS_NOT : fit + best[(x + 1) * width + y + 1];
            int without = best[(x + 1) * width + y];
            best[x * width + y] = with >= without ? with : without;
        }
    if (best[0] < 0)
        return false;
    for (uint32_t x = 0, y = 0; y < columns; x++)
        if (fits_here(a, &best[x * width + y], width, i + x, j + y))
            a->pairs[i + x] = &a->part->code[j + y++];
    return true;
}

/* Pure instructions from i to i_end, of which those from j to j_end are there: each the first of
 * those that fit it best, so that room is left for the rest. */
static bool pair_run(struct alignment *a, uint32_t i, uint32_t i_end, uint32_t j, uint32_t j_end)
{
    if (i_end - i < j_end - j)
        return false;
    if (has_flush(a->whole, i, i_end) || has_flush(a->part, j, j_end))
        return pair_mixed(a, i, i_end, j, j_end);
    for (; j < j_end; j++) {
        uint32_t best = i;
        for (uint32_t k = i; k + (j_end - j) <= i_end; k++)
            if (fitness(a, &a->whole->code[k], &a->part->code[j]) >
                fitness(a, &a->whole->code[best], &a->part->code[j]))
                best = k;
        a->pairs[best] = &a->part->code[j];
        i = best + 1;
    }
    return true;
}

static bool pair_all(struct alignment *a)
{
    for (uint32_t i = 0, j = 0;; i++, j++) {
        uint32_t i_end = end_of_run(a->whole, i), j_end = end_of_run(a->part, j);
        if (!pair_run(a, i, i_end, j, j_end))
            return false;
        i = i_end, j = j_end;
        if (i == a->whole->code_count || j == a->part->code_count)
            return i == a->whole->code_count && j == a->part->code_count;
        if (!same_work(&a->whole->code[i], &a->part->code[j]))
            return false;
        a->pairs[i] = &a->part->code[j];
    }
}

/* Is a place in the one code that place in the other: are as many common instructions before it? */
static bool same_target(const struct alignment *a, uint32_t whole, uint32_t part)
{
    uint32_t before = 0;
    if (whole == LIT_NONE || part == LIT_NONE || whole > a->whole->code_count)
        return whole == part;
    for (uint32_t i = 0; i < whole; i++)
        before += a->pairs[i] != NULL;
    return before == part;
}

static bool same_ranges(const struct alignment *a, const struct lit_range *x,
                        const struct lit_range *y)
{
    for (; x && y; x = x->next, y = y->next)
        if (!same_target(a, x->begin, y->begin) || !same_target(a, x->end, y->end))
            return false;
    return x == y;
}

static bool same_flow(const struct alignment *a)
{
    for (uint32_t i = 0; i < a->whole->code_count; i++) {
        const struct lit_instr *x = &a->whole->code[i], *y = a->pairs[i];
        bool jumps = lit_instruction_jumps(x->op) || x->op == LIT_AWAIT;
        if (jumps && !same_target(a, x->target, y->target))
            return false;
        if (x->op == LIT_AWAIT && !same_target(a, x->begin, y->begin))
            return false;
        if (y && !same_ranges(a, x->unsequenced, y->unsequenced))
            return false;
    }
    return true;
}

/* ---- Loops that may wait ---- */

/* An iteration that has a fence, or a barrier at which it meets others, does more than wait. */
static bool waits_alike(const struct alignment *a)
{
    for (uint32_t at = 0; at < a->whole->code_count; at++) {
        const struct lit_instr *await = &a->whole->code[at];
        for (uint32_t i = await->begin;
             await->op == LIT_AWAIT && i < await->target && i < a->whole->code_count; i++) {
            const struct lit_instr *x = &a->whole->code[i], *y = a->pairs[i];
            if (!y ||
                (place_is_pure(x) && !place_orders_alike(a->programs[0], x, a->programs[1], y)))
                return false;
        }
    }
    return true;
}

const struct lit_instr *const *const *
place_align(struct arena *arena, const struct lit_program *whole, const struct lit_program *part)
{
    if (!same_surroundings(whole, part))
        return NULL;
    const struct lit_instr *const **pairs =
        ARENA_ARRAY(arena, const struct lit_instr *const *, whole->thread_count);
    struct alignment *threads = ARENA_ARRAY(arena, struct alignment, whole->thread_count);
    for (uint32_t t = 0; t < whole->thread_count; t++) {
        struct alignment *a = &threads[t];
        *a = (struct alignment){arena, {whole, part}, &whole->threads[t], &part->threads[t], NULL};
        a->pairs = ARENA_ARRAY(arena, const struct lit_instr *, a->whole->code_count);
        pairs[t] = a->pairs;
        if (!same_place(whole, a->whole, part, a->part) || !same_registers(a->whole, a->part) ||
            !pair_all(a) || !same_flow(a) || !waits_alike(a))
            return NULL;
    }
    return pairs;
}
