/* relation: sets and binary relations over the events 0..n-1 of one skeleton.
 *
 * Pure algebra on bit matrices; knows nothing of memory models. A set is
 * `words` 64-bit words; a relation is n rows of `words` words, row a holding the
 * b with (a, b) in the relation. Bits at or past n are always zero.
 *
 * The caller owns all memory: rel_set_words(dim) words for a set,
 * rel_words(dim) words for a relation. No function allocates.
 * Aliasing: unless a function says otherwise, `out` may be any input of its own kind
 * (a set or a relation); a set and a relation never overlap, nor do two in part.
 * Cost: n * words word operations, times n for products of relations
 * (rel_seq, rel_plus); up to 64 events a row is one word.
 */
#ifndef CRASHLIT_RELATION_H
#define CRASHLIT_RELATION_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t rel_word;

/* The shape shared by all sets and relations of one skeleton. */
struct rel_dim {
    uint32_t n;     /* events */
    uint32_t words; /* words a row: n / 64 rounded up, at least 1 */
};

enum { REL_MAX_EVENTS = 32768 };

/* Dies when n is above REL_MAX_EVENTS: callers refuse such inputs first. */
struct rel_dim rel_dim_make(uint32_t n);
size_t rel_set_words(struct rel_dim dim); /* = dim.words */
size_t rel_words(struct rel_dim dim);     /* = dim.n * dim.words */

/* The bits of a row's last word that stand for events. */
static inline rel_word rel_last_word(struct rel_dim dim)
{
    uint32_t used = dim.n - 64 * (dim.words - 1);
    return used == 64 ? ~UINT64_C(0) : (UINT64_C(1) << used) - 1;
}
/* Are bits past n zero, in each row? For assertions. */
bool rel_tail_is_clear(struct rel_dim dim, const rel_word *a);

/* Sets. */
void set_clear(struct rel_dim dim, rel_word *out);
void set_fill(struct rel_dim dim, rel_word *out); /* all n events */
void set_copy(struct rel_dim dim, rel_word *out, const rel_word *a);
void set_union(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void set_inter(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void set_diff(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void set_comp(struct rel_dim dim, rel_word *out, const rel_word *a);
bool set_empty(struct rel_dim dim, const rel_word *a);
bool set_equal(struct rel_dim dim, const rel_word *a, const rel_word *b);
bool set_subset(struct rel_dim dim, const rel_word *a, const rel_word *b); /* a within b */
uint32_t set_count(struct rel_dim dim, const rel_word *a);

/* Relations. */
void rel_clear(struct rel_dim dim, rel_word *out);
void rel_fill(struct rel_dim dim, rel_word *out); /* all pairs */
void rel_identity(struct rel_dim dim, rel_word *out);
void rel_copy(struct rel_dim dim, rel_word *out, const rel_word *a);
void rel_union(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void rel_inter(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void rel_diff(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *b);
void rel_comp(struct rel_dim dim, rel_word *out, const rel_word *a);
bool rel_empty(struct rel_dim dim, const rel_word *a);
bool rel_equal(struct rel_dim dim, const rel_word *a, const rel_word *b);
bool rel_subset(struct rel_dim dim, const rel_word *a, const rel_word *b);
uint32_t rel_count(struct rel_dim dim, const rel_word *a);

/* a ; b. `out` must be neither a nor b. */
void rel_seq(struct rel_dim dim, rel_word *restrict out, const rel_word *a, const rel_word *b);
/* a^-1. `out` must not be a. */
void rel_inverse(struct rel_dim dim, rel_word *restrict out, const rel_word *a);
/* a+: least transitive relation around a. */
void rel_plus(struct rel_dim dim, rel_word *out, const rel_word *a);
/* a*, a?: with all n identity pairs. */
void rel_star(struct rel_dim dim, rel_word *out, const rel_word *a);
void rel_opt(struct rel_dim dim, rel_word *out, const rel_word *a);
/* [s]: identity on a set. s*t: all pairs from s to t. */
void rel_of_set(struct rel_dim dim, rel_word *out, const rel_word *s);
void rel_product(struct rel_dim dim, rel_word *out, const rel_word *s, const rel_word *t);
/* [s]; a   and   a; [s]. */
void rel_restrict_domain(struct rel_dim dim, rel_word *out, const rel_word *s, const rel_word *a);
void rel_restrict_range(struct rel_dim dim, rel_word *out, const rel_word *a, const rel_word *s);
/* Sets out of a relation. */
void rel_domain(struct rel_dim dim, rel_word *out_set, const rel_word *a);
void rel_range(struct rel_dim dim, rel_word *out_set, const rel_word *a);

bool rel_irreflexive(struct rel_dim dim, const rel_word *a);
/* No cycle; does not need a to be closed. `scratch` has rel_set_words words. */
bool rel_acyclic(struct rel_dim dim, const rel_word *a, rel_word *scratch);
/* A shortest cycle e0 -> e1 -> ... -> e0 into cycle[0..length-1]; returns its
 * length, 0 when acyclic. cycle has room for n entries. For reports, not for speed. */
uint32_t rel_find_cycle(struct rel_dim dim, const rel_word *a, uint32_t *cycle);

static inline const rel_word *rel_row(struct rel_dim dim, const rel_word *a, uint32_t event)
{
    BASE_ASSERT(event < dim.n);
    return a + (size_t)event * dim.words;
}

static inline bool rel_has(struct rel_dim dim, const rel_word *a, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from < dim.n && to < dim.n);
    return a[(size_t)from * dim.words + to / 64] >> (to % 64) & 1;
}

static inline void rel_add(struct rel_dim dim, rel_word *a, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from < dim.n && to < dim.n);
    a[(size_t)from * dim.words + to / 64] |= UINT64_C(1) << (to % 64);
}

static inline void rel_remove(struct rel_dim dim, rel_word *a, uint32_t from, uint32_t to)
{
    BASE_ASSERT(from < dim.n && to < dim.n);
    a[(size_t)from * dim.words + to / 64] &= ~(UINT64_C(1) << (to % 64));
}

#endif
