/* Dependencies of runs: sets of reads. A joined run depends on a read in all of its runs, or by
 * cases. Cases arise where parts join, and go along with their set. */
#include "exec/exec_run.h"

#include "base/bits.h"

#include <stdlib.h>

/* ---- Sets ------------------------------------------------------------------------------- */

bool exec_deps_same(const struct exec_deps *a, const struct exec_deps *b)
{
    bool same = a->count == b->count && a->case_count == b->case_count;
    for (uint32_t i = 0; same && a->words != b->words && i < a->count; i++)
        same = a->words[i] == b->words[i];
    for (uint32_t i = 0; same && a->cases != b->cases && i < a->case_count; i++)
        same = a->cases[i].read == b->cases[i].read &&
               exec_value_same(a->cases[i].when, b->cases[i].when);
    return same;
}

static int compare_read(const void *read, const void *item)
{
    uint32_t a = *(const uint32_t *)read, b = ((const struct exec_dep_case *)item)->read;
    return (a > b) - (a < b);
}

const struct exec_value *exec_deps_when(const struct exec_deps *deps, uint32_t event)
{
    BASE_ASSERT(!deps->count || deps->words[deps->count - 1]);
    const struct exec_dep_case *found =
        deps->case_count
            ? bsearch(&event, deps->cases, deps->case_count, sizeof *deps->cases, compare_read)
            : NULL;
    return found ? found->when : NULL;
}

struct exec_deps run_deps_of(struct runner *r, uint32_t read)
{
    BASE_ASSERT(read < EXEC_MAX_THREAD_EVENTS * 2);
    uint64_t *words = ARENA_ARRAY(r->arena, uint64_t, read / 64 + 1);
    bits_set(words, read);
    return (struct exec_deps){.words = words, .count = read / 64 + 1};
}

bool run_deps_fit(const struct exec_deps *deps)
{
    return !ANY(i, deps->case_count, deps->cases[i].when->size > EXEC_MAX_VALUE_SIZE);
}

struct exec_deps run_deps_shift(struct runner *r, const struct exec_deps *deps, uint32_t from,
                                uint32_t shift)
{
    if (shift == 0 || (deps->count <= from / 64 && deps->case_count == 0))
        return *deps;
    struct exec_deps out = {.count = deps->count + shift / 64 + 1, .case_count = deps->case_count};
    uint64_t *words = ARENA_ARRAY(r->arena, uint64_t, out.count);
    struct exec_dep_case *cases = ARENA_ARRAY(r->arena, struct exec_dep_case, out.case_count);
    BITS_EACH (e, w, deps->count, deps->words[w])
        bits_set(words, e + (e >= from ? shift : 0));
    for (uint32_t i = 0; i < out.case_count; i++) {
        const struct exec_dep_case *own = &deps->cases[i];
        cases[i] = (struct exec_dep_case){own->read + (own->read >= from ? shift : 0),
                                          run_value_shift(r, own->when, from, shift)};
    }
    while (words[out.count - 1] == 0)
        out.count--;
    BASE_ASSERT(out.count > 0);
    out.words = words;
    out.cases = cases;
    return out;
}

/* ---- Several sets ----------------------------------------------------------------------- */

/* What depends on `a` is sure to depend on `b`. */
static bool deps_within(const struct exec_deps *a, const struct exec_deps *b)
{
    bool within = a->count <= b->count && (b->case_count == 0 || a->cases == b->cases);
    for (uint32_t i = 0; within && a->words != b->words && i < a->count; i++)
        within = !(a->words[i] & ~b->words[i]);
    return within;
}

/* The read's case where any of the sets will do. */
static const struct exec_value *case_of_any(struct runner *r, const struct run_deps_part *parts,
                                            uint32_t count, uint32_t read)
{
    const struct exec_value *some = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!exec_deps_has(&parts[i].deps, read))
            continue;
        const struct exec_value *one = exec_deps_when(&parts[i].deps, read);
        if (!one)
            return NULL;
        some = !some || exec_value_same(some, one) ? one : run_logic(r, LIT_OP_OR, some, one);
    }
    return some;
}

static bool is_alike(const struct run_deps_part *parts, uint32_t count, uint32_t read)
{
    const struct exec_value *first = exec_deps_when(&parts[0].deps, read);
    return !ANY(i, count,
                !exec_deps_has(&parts[i].deps, read) ||
                    !exec_value_same(first, exec_deps_when(&parts[i].deps, read)));
}

/* The read's case where it has to be the set of the part that is taken. */
static const struct exec_value *case_of_taken(struct runner *r, const struct run_deps_part *parts,
                                              uint32_t count, uint32_t read)
{
    BASE_ASSERT(count > 0);
    const struct exec_value *some = NULL;
    if (is_alike(parts, count, read))
        return exec_deps_when(&parts[0].deps, read);
    for (uint32_t i = 0; i < count; i++) {
        if (!exec_deps_has(&parts[i].deps, read))
            continue;
        const struct exec_value *one = exec_deps_when(&parts[i].deps, read);
        one = one ? run_logic(r, LIT_OP_AND, parts[i].when, one) : parts[i].when;
        some = some ? run_logic(r, LIT_OP_OR, some, one) : one;
    }
    return some;
}

/* Reads before `own` as the part has them that is taken, others as any has them. */
static struct exec_deps gather(struct runner *r, const struct run_deps_part *parts, uint32_t count,
                               uint32_t own)
{
    struct exec_deps out = {0};
    for (uint32_t i = 0; i < count; i++)
        out.count = parts[i].deps.count > out.count ? parts[i].deps.count : out.count;
    uint64_t *words = ARENA_ARRAY(r->arena, uint64_t, out.count);
    bool has_cases = own > 0;
    for (uint32_t i = 0; i < count; i++) {
        has_cases |= parts[i].deps.case_count > 0;
        for (uint32_t w = 0; w < parts[i].deps.count; w++)
            words[w] |= parts[i].deps.words[w];
    }
    out.words = words;
    if (!has_cases)
        return out;
    struct exec_dep_case *cases =
        ARENA_ARRAY(r->arena, struct exec_dep_case, (size_t)out.count * 64);
    BITS_EACH (read, w, out.count, words[w]) {
        const struct exec_value *when =
            read < own ? case_of_taken(r, parts, count, read) : case_of_any(r, parts, count, read);
        if (when) {
            BASE_ASSERT(out.case_count < out.count * 64);
            cases[out.case_count++] = (struct exec_dep_case){read, when};
        }
    }
    out.cases = cases;
    return out;
}

void run_deps_join(struct runner *r, struct exec_deps *deps, const struct exec_deps *more)
{
    if (deps_within(more, deps))
        return;
    const struct run_deps_part both[] = {{*deps, NULL}, {*more, NULL}};
    *deps = deps_within(deps, more) ? *more : gather(r, both, 2, 0);
}

struct exec_deps run_deps_choose(struct runner *r, const struct run_deps_part *parts,
                                 uint32_t count, uint32_t own)
{
    BASE_ASSERT(count > 0);
    bool same = true;
    for (uint32_t i = 1; i < count && same; i++)
        same = exec_deps_same(&parts[0].deps, &parts[i].deps);
    return same ? parts[0].deps : gather(r, parts, count, own);
}
