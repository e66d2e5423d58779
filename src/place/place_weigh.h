/* place_weigh: what the fillings of a sketch cost.
 *
 * A filling weighs what its choices weigh: for each statement that may be left out and is there the
 * weight `statement`, or that of its name; for each scope and memory order in the text of a value
 * that word's weight. A file of weights has lines `WORD NUMBER`; `#` begins a comment. Words are
 * `statement`, scopes (`wi` .. `all`) and memory orders (`rlx` .. `sc`) in any of their spellings,
 * and names of instructions (`sfence`, `p_barrier_wg`, `fence`). What a file leaves out is as it is
 * without one: any statement is dearer than any width.
 */
#ifndef CRASHLIT_PLACE_WEIGH_H
#define CRASHLIT_PLACE_WEIGH_H

#include "engine/placement.h"

enum { PLACE_MOST_WEIGHTS = 256, PLACE_MAX_WEIGHT = 1000000 };

struct place_weight {
    const char *word;
    uint32_t weight;
    struct span span; /* of the word in the file */
};

struct place_weights {
    struct place_weight named[PLACE_MOST_WEIGHTS];
    uint32_t named_count;
    uint32_t statement;
    uint32_t scopes[LIT_SCOPE_COUNT];
    uint32_t orders[LIT_ORDER_SC + 1];
    /* Where the file says so; line 0: it does not. */
    uint32_t statement_line, scope_lines[LIT_SCOPE_COUNT], order_lines[LIT_ORDER_SC + 1];
};

void place_weights_init(struct place_weights *weights);
/* Takes what the file says, once each; its text must outlive the weights. False after reporting. */
bool place_weights_read(struct place_weights *weights, struct arena *arena,
                        const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));

/* Warns of names that are neither those of instructions nor in a value of the sketch: they weigh
 * nothing. */
void place_weights_check(const struct place_weights *weights, struct arena *arena,
                         const struct sketch *sketch, struct diag *diag);

/* How many choices a filling of an ordinary test changes. */
uint32_t place_changes(const struct sketch *sketch, const struct sketch_filling *filling);
/* Puts the fillings of fewest changes first, if `by_changes`, and of these the lightest; else the
 * lightest. Of what is alike the first stays first. */
void place_order(const struct place_weights *weights, struct arena *arena,
                 struct placement *placement, bool by_changes);

uint64_t place_weigh(const struct place_weights *weights, struct arena *arena,
                     const struct sketch *sketch, const struct sketch_filling *filling);

#endif
