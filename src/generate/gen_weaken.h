/* gen_weaken: lists what is weaker than a program by one thing.
 *
 * One thing is: an operation removed; a scope narrower, an order weaker, a family that does less; a
 * read-modify-write that only reads, or only writes; a dependency removed; a location volatile. A
 * meeting is one thing: all who take part in a barrier leave it, or narrow it, together. So are the
 * two marks of a transaction. */
#ifndef CRASHLIT_GEN_WEAKEN_H
#define CRASHLIT_GEN_WEAKEN_H

#include "generate/gen_enumerate.h"
#include "generate/gen_print.h"

struct gen_weaker {
    struct gen_program program; /* a representative; it has no work-items when nothing is left */
    const char *what;           /* "gone", "narrower or weaker", .. */
    uint32_t thread, index; /* of the operation in the program before; for a location its number in
                               `index`, and GEN_NOWHERE */
    /* The former numbers of its operations, work-items and locations. */
    uint8_t op_was[GEN_MAX_THREADS][GEN_MAX_OPS], thread_was[GEN_MAX_THREADS],
        location_was[GEN_MAX_LOCATIONS];
};

typedef bool gen_weaken_visit(void *context, const struct gen_weaker *weaker);
/* Calls back until the callback returns false; returns whether it never did. `bound` has the orders
 * and scopes allowed. */
bool gen_weaken(const struct gen_bound *bound, const struct gen_program *program,
                gen_weaken_visit *visit, void *context);

/* Restricts an outcome to a weaker program: to what is still there. Values are those of the same
 * writes; nothing is said of removed writes. */
void gen_weaken_outcome(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                        const struct gen_outcome *outcome, const struct gen_weaker *weaker,
                        struct gen_outcome *weakened);

#endif
