/* ptx_special: the code of a kernel for one thread, by partial evaluation.
 *
 * The thread's indices, the launch's arguments and all that is computed of them are known. What
 * depends on a read stays as code. A state is a place in the kernel with the values of the
 * registers that are live there: a state that returns is a jump backwards. So loops of known bounds
 * are unrolled, and loops that wait stay loops.
 *
 * Ownership: all lives in the arena but the vectors, which ptx_special_free gives back.
 * Errors: the first thing that is not read is reported, at its place in the PTX.
 */
#ifndef CRASHLIT_PTX_SPECIAL_H
#define CRASHLIT_PTX_SPECIAL_H

#include "ptx/ptx_memory.h"

/* Cells of an object that an instruction accesses: one, or one by an index. */
struct ptx_access {
    uint32_t object, location, count, stride;
    const struct lit_expr *index;
    uint64_t offset; /* in bytes, where there is no index */
    bool outside;    /* of all objects */
    bool absolute;   /* `location` is one of the program, not of the object */
    bool chosen;     /* by its address, among cells that may be of several types */
    bool opaque;     /* of a chosen one: a cell that it may be holds an opaque value */
    bool part;       /* of a load: a part of the cell, so many bytes behind its first */
    uint32_t behind;
};

struct ptx_step {
    struct lit_instr instr;
    const struct ptx_access *access; /* NULL: none */
    const struct ptx_instr *marker;  /* that it is of; NULL: `instr` is its code */
    const char *calls;               /* of a marker the definition; NULL: a crash point */
    uint32_t back; /* so many steps before it are of the same instruction, in no order with it */
};

struct ptx_block {
    uint32_t pc;
    bool entered;                  /* the guard of its first instruction holds */
    uint32_t count;                /* of registers when it was made */
    struct ptx_met *met;           /* exchanges within the warp that came before */
    const struct ptx_value *state; /* of the registers that are live there; of scratch memory */
    VEC(struct ptx_step) steps;
    const struct lit_expr *decides; /* next[0] where it is not 0, else next[1]; NULL: next[0] */
    struct ptx_block *next[2];      /* NULL: the end */
    uint32_t number;                /* for putting them in order */
    struct ptx_block *above;        /* on a stack of these */
    uint32_t at;                    /* its first instruction */
};

/* What a thread is of. */
struct ptx_thread {
    const struct ptx_kernel *kernel;
    const struct ast_launch *launch;
    const uint8_t *const *args; /* of the kernel's parameters, as many bytes as each has */
    uint32_t rank;              /* in the grid */
    uint32_t block;             /* in all launches of the test */
};

struct ptx_residue {
    VEC(enum lit_type) registers;
    VEC(struct ptx_block *) blocks; /* in an order in which each loop stands together */
    bool failed;                    /* reported */
};

/* What the residue has lives in `arena`; `scratch` can be rewound once that is lowered. */
struct ptx_residue ptx_special(struct ptx_memory *memory, const struct ptx_thread *thread,
                               struct arena *arena, struct arena *scratch);
void ptx_special_free(struct ptx_residue *residue);

#endif
