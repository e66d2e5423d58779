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
    PTX_MAX_LABELS = 256,     /* of a table */
    PTX_MAX_VARIABLES = 2048, /* of a file, and of a test */
    PTX_MAX_DATA = 65536      /* values of a variable */
};

/* PTX_OWN: a variable of the function's own, as `reg` numbers them. */
enum ptx_operand_kind { PTX_REGISTER, PTX_NUMBER, PTX_NAME, PTX_FLOAT, PTX_VECTOR, PTX_OWN };

struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;     /* `!%p1` */
    bool in_brackets; /* an address, with `offset` */
    bool paired;      /* VECTOR: `%r1|%p1` */
    const char *name; /* NAME: a label, a variable, a parameter, `%tid.x`; REGISTER */
    uint32_t reg;
    int64_t number;               /* NUMBER; of an address what is added */
    struct ptx_operand *elements; /* VECTOR */
    uint32_t count;
};

/* A place in the source of the kernel. */
struct ptx_place {
    uint32_t file, line, column; /* file 0: none is known */
    const char *function;        /* of inlined code the label of its name, or NULL; */
    const struct ptx_place *at;  /* where that was inlined; NULL: it is not */
    const struct ptx_place
        *near; /* in another file, not said to be inlined: the kernel's before it */
};

/* What is declared in braces, as the function numbers it. */
struct ptx_declared {
    uint32_t registers, registers_end, owned, owned_end;
};

struct ptx_instr {
    const char *text;                    /* of the word, as written */
    const struct ptx_declared *declares; /* of braces that begin here; NULL: it is no such place */
    struct span span;                    /* of the word, */
    struct span whole;                   /* and from what guards it on */
    struct ptx_place place;
    const struct lit_origin *origin; /* by ptx_place_all */
    const char *marks;           /* a marker's: what it says in quotes, or ""; NULL: it is none */
    const struct ptx_call *call; /* NULL: it is none */
    uint32_t guard;              /* the predicate's register, or LIT_NONE */
    bool unless;                 /* it is executed where that is false */
    struct ptx_operand *operands;
    uint32_t count;
    uint32_t target;   /* PTX_BRANCH: of its label, once the kernel is read */
    uint32_t *targets; /* of brx, as many as target_count */
    uint32_t target_count;
    struct ptx_meaning meaning;
    uint32_t barrier; /* the how many-th of the kernel's barriers it is; copies are one */
    const char *why;  /* it is not read; NULL: it is */
};

/* `call (results), name, (args)`. */
struct ptx_call {
    const char *name; /* NULL: it is called by a pointer */
    VEC(struct ptx_operand) results, args;
};

/* A parameter or a result. */
struct ptx_param {
    const char *name;
    struct ptx_type type;
    uint64_t size; /* in bytes */
    bool by_value; /* a structure */
};

/* A variable of a function's own: its parameters, its results, then what stands in its braces. */
struct ptx_own {
    const char *name;
    bool local; /* of .local, else of .param */
    uint64_t size;
};

/* A variable of .local, or a parameter of a function, once it has a place. */
struct ptx_local {
    uint64_t address, size;
    bool param, unnamed; /* `unnamed`: nothing but its name leads to it */
};

/* A list of labels that brx jumps to. */
struct ptx_table {
    const char *name;
    VEC(const char *) labels;
};

struct ptx_register {
    const char *name;
    struct ptx_type type;
};

/* A number, or what is added to the address of a variable. */
struct ptx_datum {
    const char *name; /* NULL: it is a number */
    uint64_t number;
};

/* A variable of the module or of a kernel. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    uint64_t size;              /* 0: the launch says it */
    VEC(struct ptx_datum) data; /* of its first elements; the others are 0 */
    uint32_t unit;              /* the bytes of each */
    const char *why;            /* these are not read; NULL: they are */
    struct span span;
};

struct ptx_label {
    const char *name;
    uint32_t at;
};

/* A kernel, or a function. */
struct ptx_kernel {
    const char *name;
    struct span span;
    struct ptx_place place; /* the first one in it */
    const struct ptx_module *module;
    uint32_t exact[3], most[3]; /* .reqntid, .maxntid; all 0: not said */
    bool declared;              /* a function without a body */
    VEC(struct ptx_param) params, results;
    VEC(struct ptx_own) owned;
    VEC(struct ptx_register) registers;
    VEC(struct ptx_instr) code;
    VEC(struct ptx_label) labels;
    VEC(struct ptx_table) tables;
    VEC(struct ptx_local) locals; /* of all copies of functions, once they are inlined */
    VEC(struct ptx_call *) calls; /* for giving them back */
    uint64_t *live; /* a row of bits for each instruction: registers that are used from there on */
    uint32_t row;   /* words of a row */
};

/* A text of the debugger's. */
struct ptx_string {
    const char *name, *text;
};

struct ptx_module {
    const struct source *source;
    const char *files[64]; /* by the numbers of `.loc`; NULL: not said */
    VEC(struct ptx_kernel *) kernels, functions;
    VEC(struct ptx_string) strings;
    VEC(struct ptx_variable)
    variables; /* those of kernels, too, as their names are of the module */
};

/* NULL after reporting. The vectors are given back by ptx_module_free. */
struct ptx_module *ptx_module_read(struct arena *arena, struct intern *names, struct diag *diag,
                                   const struct source *source);
void ptx_module_free(struct ptx_module *module);

#endif
