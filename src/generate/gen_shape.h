/* gen_shape: cycles from a text of words: one shape, or all that a list of words makes.
 *
 * Words are separated by blanks, commas or `+`, so that the name of a test is its shape. A word
 * with
 * `*` stands for each that fits, and each choice is a cycle. The name of a classic cycle (MP, SB
 * ..) stands for its words.
 *
 * Of a list, cycles are made of its edges; of each, an instruction of the list may stand in an edge
 * of program order, and a word that says something of an access at its source. Each cycle comes
 * once, whatever rotation it is found as, the smaller ones first, in an order that depends on the
 * list alone.
 *
 * Cost: of a list of n such edges, no more than the number of ways to chain `size` of them.
 */
#ifndef CRASHLIT_GEN_SHAPE_H
#define CRASHLIT_GEN_SHAPE_H

#include "base/diag.h"
#include "generate/gen_cycle.h"

struct gen_shape_question {
    const char *text;
    bool is_list;
    uint32_t size;                           /* most edges of a cycle of a list */
    uint32_t threads;                        /* most work-items; 0: any number */
    const struct gen_vocabulary *vocabulary; /* whose instructions are words */
    const char *option;                      /* as diagnostics call the text */
};

enum { GEN_MOST_LINKS = 4096 /* edges of a list, with what can stand at each */ };

/* Of what was found: cycles, and what does not close. */
struct gen_shape_counts {
    uint64_t cycles, open;
};

/* Returns false to stop. */
typedef bool gen_shape_visit(void *context, const struct gen_cycle *cycle,
                             const struct gen_closed *closed);

/* Calls back for each cycle. False after reporting a fault: a wrong word, or that nothing
 * closes. */
bool gen_shape_each(const struct gen_shape_question *question, gen_shape_visit *visit,
                    void *context, struct gen_shape_counts *counts, struct diag *diag)
    __attribute__((warn_unused_result));

/* The first vocabulary that knows all words of the text; the first of all when none does. */
const struct gen_vocabulary *gen_shape_vocabulary(struct gen_vocabularies *all, const char *text);
/* Reports a fault of a closed cycle that came from the question's text. */
void gen_shape_tell(const struct gen_shape_question *question, const struct gen_fault *fault,
                    struct diag *diag);

#endif
