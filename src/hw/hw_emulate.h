/* hw_emulate: a device that reads emitted PTX and plays it, one instruction of a random thread at a
 * time, on one memory. It knows of the test nothing but the text. So what it shows are states of
 * `sc`, and a fault of whoever printed the text shows here.
 *
 * `weak` gives each thread, and each block, a buffer that stores leave in any order, but those to one
 * place in theirs; fences, releases and barriers drain them. `forget` is a chip with a flaw. */
#ifndef CRASHLIT_HW_EMULATE_H
#define CRASHLIT_HW_EMULATE_H

#include "hw/hw_layout.h"
#include "hw/hw_result.h"

/* What a chip forgets, besides being weak: X(identifier, word). */
#define HW_FLAWS(X) X(FENCES, "fences") X(SCOPES, "scopes") X(COHERENCE, "coherence")

enum hw_flaw {
    HW_NO_FLAW,
#define X(identifier, word) HW_FORGETS_##identifier,
    HW_FLAWS(X)
#undef X
};

struct hw_emulation {
    bool weak; /* set by any flaw */
    enum hw_flaw flaw;
    uint64_t seed, first, launches; /* launches first .. first + launches - 1 */
};

/* Plays the launches and fills the result, which has been made for the plan. Returns NULL, or what
 * went wrong, in the arena: a text that is not understood, an access outside of what is there, a
 * thread that does not come to an end, a row that nobody wrote. Nothing counts then. */
const char *hw_emulate(struct arena *arena, const struct hw_plan *plan, const char *text,
                       const struct hw_emulation *emulation, struct hw_result *result);

#endif
