/* ptx_module: a PTX file as nvcc and clang write it, read into functions and variables.
 *
 * What an instruction means is asked when a launched kernel comes to it (ptx_word.h), so that what
 * is not read counts only there. Here the text is cut into instructions with their operands; each
 * has its place in the PTX and, by `.loc`, in the source it was compiled from.
 *
 * Ownership: all lives in the arena; names are interned. The source must outlive it.
 * Errors: the first one is reported at its place, and the file is not used.
 */
#ifndef CRASHLIT_PTX_MODULE_H
#define CRASHLIT_PTX_MODULE_H

#include "base/diag.h"
#include "base/intern.h"
#include "ptx/ptx_word.h"

enum {
    PTX_MAX_INSTRUCTIONS = 8192, /* of a kernel */
    PTX_MAX_REGISTERS = 4096,    /* of a kernel */
    PTX_MAX_OPERANDS = 5,
    PTX_MAX_VECTOR = 4,
    PTX_MAX_VARIABLES = 2048 /* of a file, and of a test */
};

enum ptx_operand_kind { PTX_REGISTER, PTX_NUMBER, PTX_NAME, PTX_FLOAT, PTX_VECTOR };

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;     /* `!%p1` */
    bool in_brackets; /* an address, with `offset` */
    const char *name; /* NAME: a label, a variable, a parameter, `%tid.x`; REGISTER */
    uint32_t reg;
    int64_t number;               /* NUMBER; of an address what is added */
    struct ptx_operand *elements; /* VECTOR */
    uint32_t count;
};

/* A place in the source of the kernel. */
struct ptx_place {
    uint32_t file, line, column; /* file 0: none is known */
};

struct ptx_instr {
    const char *text; /* of the word, as written */
    struct span span;
    struct ptx_place place;
    uint32_t guard; /* the predicate's register, or LIT_NONE */
    bool unless;    /* it is executed where that is false */
    struct ptx_operand *operands;
    uint32_t count;
    uint32_t target; /* PTX_BRANCH: of its label, once the kernel is read */
    struct ptx_meaning meaning;
    const char *why; /* it is not read; NULL: it is */
};

struct ptx_param {
    const char *name;
    struct ptx_type type;
    uint64_t size; /* in bytes; of a structure by value more than its type */
};

struct ptx_register {
    const char *name;
    struct ptx_type type;
};

/* A variable of the module or of a kernel. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    uint64_t size;    /* 0: the launch says it */
    bool initialised; /* to something that is not 0 */
    struct span span;
};

struct ptx_label {
    const char *name;
    uint32_t at;
};

struct ptx_kernel {
    const char *name;
    struct span span;
    const struct ptx_module *module;
    uint32_t exact[3], most[3]; /* .reqntid, .maxntid; all 0: not said */
    VEC(struct ptx_param) params;
    VEC(struct ptx_register) registers;
    VEC(struct ptx_instr) code;
    VEC(struct ptx_label) labels;
    uint64_t *live; /* a row of bits for each instruction: registers that are used from there on */
    uint32_t row;   /* words of a row */
};

struct ptx_module {
    const struct source *source;
    const char *files[64]; /* by the numbers of `.loc`; NULL: not said */
    VEC(struct ptx_kernel *) kernels;
    VEC(struct ptx_variable)
    variables; /* those of kernels, too, as their names are of the module */
};

/* NULL after reporting. The vectors are given back by ptx_module_free. */
struct ptx_module *ptx_module_read(struct arena *arena, struct intern *names, struct diag *diag,
                                   const struct source *source);
void ptx_module_free(struct ptx_module *module);

/* The kernel that a launch names: by the name in the file, or by the C++ name in it. More than one:
 * NULL with `several` set. */
struct ptx_kernel *ptx_kernel_named(const struct ptx_module *module, const char *name,
                                    bool *several);
/* "undo.cu:17", or NULL where no place is known; in the arena. */
const char *ptx_place_text(struct arena *arena, const struct ptx_module *module,
                           struct ptx_place place);

#endif
