/* hw_layout: where the instances of a test are in one launch, as a table of 72 words that the
 * emitted program reads. The program has no number of it.
 *
 * In slot s the block b is number `(A b + C + D s) mod blocks` of the launch: its remainder by the
 * groups is its group, the rest its team. Role r of lane l plays in instance
 * `(s teams + team) lanes + (a l + c) mod lanes`. Location v of instance i is word
 * `((i mul + add) mod instances) stride + offset`. */
#ifndef CRASHLIT_HW_LAYOUT_H
#define CRASHLIT_HW_LAYOUT_H

#include "hw/hw_plan.h"

/* The words of the table, in their order: X(name). Behind them are a and c for each role, and mul,
 * add, stride and offset for each location. */
/* clang-format off */
#define HW_WORDS(X)                                                                           \
    X(SLOTS) X(BLOCKS) X(A) X(C) X(D) X(TEAMS) X(LANES) X(INSTANCES) X(BY_LANES)              \
    X(NOISE_BEFORE) X(NOISE_TURNS) X(NOISE_LINES) X(NOISE_PATTERN) X(MEETING) X(SPIN) X(RESERVED)
/* clang-format on */

enum hw_word {
#define X(name) HW_WORD_##name,
    HW_WORDS(X)
#undef X
        HW_WORD_ROLES,
    HW_WORD_PLACES = HW_WORD_ROLES + 2 * HW_MAX_ITEMS,
    HW_LAYOUT_WORDS = HW_WORD_PLACES + 4 * HW_MAX_LOCATIONS
};

/* A size of launches, powers of 2 but for the noisy blocks. */
struct hw_size {
    uint32_t slots, teams, lanes, noisy;
};

struct hw_layout {
    uint32_t words[HW_LAYOUT_WORDS];
    uint32_t blocks, threads; /* of the launch: noisy ones too; of a block */
    uint32_t memory;          /* words that the locations take */
    uint64_t random;          /* for whatever else is drawn in this launch */
};

enum { HW_NOISE_LINES = 16, HW_NOISE_LINE_WORDS = 32 };

/* Numbers that a seed gives. */
uint64_t hw_layout_draw(uint64_t *random);
/* A function of its arguments alone: seed, digest of the test, number of the launch. */
void hw_layout_make(struct hw_layout *layout, const struct hw_plan *plan,
                    const struct hw_size *size, uint64_t seed, uint64_t launch);

#endif
