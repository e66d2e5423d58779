/* gen_minimal: finds the outcomes that make a program a minimal test of a model.
 *
 * An outcome is minimal when the model forbids it, and allows the rest of it when the condition
 * says one thing less, or the program is weaker by one thing (gen_weaken.h). After Lustig, Wright,
 * Papakonstantinou, Giroux: Automated Synthesis of Comprehensive Memory Model Litmus Test Suites
 * (ASPLOS 2017). There executions are minimal; here states are, so that each engine can be asked.
 *
 * Outcomes that no model can show are skipped: an operation whose guard was not met has read or
 * written something, or a read-modify-write has read what it writes itself. */
#ifndef CRASHLIT_GEN_MINIMAL_H
#define CRASHLIT_GEN_MINIMAL_H

#include "generate/gen_states.h"
#include "generate/gen_weaken.h"

enum { GEN_MAX_OUTCOMES = 256 };

struct gen_minimal {
    enum lit_when when;
    uint32_t count; /* 0: the program is no minimal test */
    struct gen_outcome outcomes[GEN_MAX_OUTCOMES];
    bool undefined;    /* the program is, so nothing is forbidden */
    bool forbids;      /* the model forbids some outcome */
    const char *doubt; /* why it is unknown; NULL: it is known */
};

struct gen_memory; /* the answers about programs asked before */
struct gen_memory *gen_memory_new(void);
void gen_memory_free(struct gen_memory *memory);

/* For a program with non-volatile locations crash states are looked at, else final ones. */
void gen_minimal_find(const struct gen_bound *bound, struct gen_asker *asker,
                      struct gen_memory *memory, const struct gen_program *program,
                      struct gen_minimal *minimal);

#endif
