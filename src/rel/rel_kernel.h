/* rel_kernel: the two implementations of the products of relation.h.
 *
 * rel_word.c serves up to 64 events, where a row is one word and the whole relation fits a few
 * cache lines; rel_wide.c serves any number. relation.c chooses by the shape. Nobody outside
 * src/rel includes this header.
 *
 * Aliasing and the zero bits past n are as relation.h says. The word functions require n <= 64 and
 * take n rows of one word each. */
#ifndef CRASHLIT_REL_KERNEL_H
#define CRASHLIT_REL_KERNEL_H

#include "rel/relation.h"

/* All events of one word: n low bits. n <= 64. */
static inline rel_word rel_word_mask(uint32_t n)
{
    return n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

/* In place transpose of the square in the low `size` bits of rows[0..size-1].
 * size is a power of two, at most 64. */
void rel_word_transpose(rel_word *rows, uint32_t size);

void rel_word_opt(uint32_t n, rel_word *out, const rel_word *a);
void rel_word_of_set(uint32_t n, rel_word *out, rel_word s);
void rel_word_product(uint32_t n, rel_word *out, rel_word s, rel_word t);
void rel_word_seq(uint32_t n, rel_word *restrict out, const rel_word *a, const rel_word *b);
void rel_word_inverse(uint32_t n, rel_word *restrict out, const rel_word *a);
void rel_word_close(uint32_t n, rel_word *rows); /* transitive closure in place */
rel_word rel_word_range(uint32_t n, const rel_word *a);
rel_word rel_word_domain(uint32_t n, const rel_word *a);
void rel_word_restrict_domain(uint32_t n, rel_word *out, rel_word s, const rel_word *a);
void rel_word_restrict_range(uint32_t n, rel_word *out, const rel_word *a, rel_word s);
bool rel_word_irreflexive(uint32_t n, const rel_word *a);
bool rel_word_acyclic(uint32_t n, const rel_word *a);

void rel_wide_seq(struct rel_dim dim, rel_word *restrict out, const rel_word *a, const rel_word *b);
void rel_wide_inverse(struct rel_dim dim, rel_word *restrict out, const rel_word *a);
void rel_wide_close(struct rel_dim dim, rel_word *rows);
void rel_wide_domain(struct rel_dim dim, rel_word *out_set, const rel_word *a);
void rel_wide_range(struct rel_dim dim, rel_word *out_set, const rel_word *a);
bool rel_wide_irreflexive(struct rel_dim dim, const rel_word *a);
/* alive: scratch of rel_set_words words. */
bool rel_wide_acyclic(struct rel_dim dim, const rel_word *a, rel_word *alive);

#endif
