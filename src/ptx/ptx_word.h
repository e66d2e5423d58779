/* ptx_word: the words of PTX, and what an instruction says.
 *
 * One table has the opcodes; of the qualifiers behind them, those that tests of PTX have too are the
 * lists of litmus/lit_ptx_words.h, and the rest a table. Compilers write qualifiers in orders
 * of their own, so they are a set. A word that is in neither table, or that its instruction cannot
 * have, is refused with the reason.
 */
#ifndef CRASHLIT_PTX_WORD_H
#define CRASHLIT_PTX_WORD_H

#include "litmus/lit_program.h"

/* What is done with an instruction. */
enum ptx_kind {
    PTX_FOLD,   /* computes a value exactly */
    PTX_OPAQUE, /* computes a value that no model gives */
    PTX_LOAD,   /* of memory, or of a parameter */
    PTX_STORE,
    PTX_ATOM, /* with the old value; PTX_RED without */
    PTX_RED,
    PTX_FENCE,
    PTX_BARRIER,
    PTX_EXCHANGE, /* of registers within a warp */
    PTX_MARKER,   /* a comment of inline assembly that calls a definition */
    PTX_FORGET,   /* what is declared here holds nothing yet */
    PTX_BRANCH,   /* from here on nothing behind it is next */
    PTX_SWITCH,   /* by a table of labels */
    PTX_END,      /* of the thread */
    PTX_TRAP,     /* stops the kernel for a fault that the code has found */
    PTX_NOTHING,  /* has no meaning here */
    PTX_REFUSED
};

/* clang-format off */
/* What computes a value: its name, its word, its operands besides the result, its qualifiers. */
#define PTX_FOLDS(X)                                                                  \
    X(MOV, "mov", 1, 0)                       X(CVT, "cvt", 1, MAY(ROUND))            \
    X(CVTA, "cvta", 1, MAY(CAST) | MAY(SPACE)) X(ADD, "add", 2, MAY(ROUND))           \
    X(SUB, "sub", 2, MAY(ROUND))              X(MUL, "mul", 2, PRODUCT)               \
    X(MAD, "mad", 3, PRODUCT)                 X(DIV, "div", 2, MAY(ROUND))            \
    X(REM, "rem", 2, 0)                       X(ABS, "abs", 1, MAY(ROUND))            \
    X(NEG, "neg", 1, MAY(ROUND))              X(MIN, "min", 2, MAY(ROUND))            \
    X(MAX, "max", 2, MAY(ROUND))              X(AND, "and", 2, 0)                     \
    X(OR, "or", 2, 0)                         X(XOR, "xor", 2, 0)                     \
    X(NOT, "not", 1, 0)                       X(SHL, "shl", 2, 0)                     \
    X(SHR, "shr", 2, 0)                       X(SETP, "setp", 2, COMPARES | MAY(JOIN)) \
    X(SELP, "selp", 3, 0)                     X(SET, "set", 2, COMPARES)              \
    X(SLCT, "slct", 3, MAY(ROUND))            X(CNOT, "cnot", 1, 0)                   \
    X(BFE, "bfe", 3, 0)                       X(BFI, "bfi", 4, 0)                     \
    X(BFIND, "bfind", 1, MAY(MODE))           X(BREV, "brev", 1, 0)                   \
    X(CLZ, "clz", 1, 0)                       X(POPC, "popc", 1, 0)                   \
    X(PRMT, "prmt", 3, 0)                     X(LOP3, "lop3", 4, 0)                   \
    X(SHF, "shf", 3, MAY(MODE))
/* clang-format on */
#define PTX_FOLD_NAME(name, word, operands, may) PTX_##name,
enum ptx_fold { PTX_FOLDS(PTX_FOLD_NAME) };

/* Of what lanes give each other. */
enum ptx_exchange { PTX_SHFL, PTX_VOTE, PTX_MATCH, PTX_REDUX };
enum ptx_lanes {
    PTX_NO_LANES,
    PTX_UP,
    PTX_DOWN,
    PTX_BFLY,
    PTX_IDX,
    PTX_EVERY, /* all */
    PTX_ANYONE,
    PTX_UNI,
    PTX_BALLOT
};

/* What else an instruction says of how it computes: a mask. */
enum ptx_mode { PTX_AMOUNT = 1, PTX_LEFT = 2, PTX_RIGHT = 4, PTX_WRAP = 8, PTX_CLAMP = 16 };

enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_SHARED, PTX_PARAM, PTX_LOCAL, PTX_CONST };
enum ptx_part { PTX_WHOLE, PTX_LOW, PTX_HIGH, PTX_WIDE }; /* of a product */

struct ptx_word {
    const char *text;
    enum ptx_kind kind;
    uint32_t fold;     /* enum ptx_fold; of a fence: is it a membar? ptx_exchange */
    uint32_t operands; /* besides the result, of what computes */
    uint32_t may;      /* the classes of qualifiers that it can have */
    const char *why;   /* it is refused, or what computes an opaque value */
};

/* A type: bits, and what they are. */
struct ptx_type {
    uint32_t bits;               /* 0: none is said; 1: a predicate */
    bool is_signed, floats, raw; /* .b32 is raw */
};

/* An instruction's word, read. */
struct ptx_meaning {
    const struct ptx_word *word;
    struct ptx_type type, from; /* `from`: the second that is said, or the first again */
    enum ptx_space space;
    enum ptx_part part;
    enum lit_operator compare; /* LIT_OP_CONST: none */
    enum lit_operator joins;   /* setp: how it is joined with another predicate; CONST: not */
    bool unordered;            /* setp of floats, and any other that only floats have */
    bool exchanges;            /* atom: cas */
    bool reduces;              /* atom, red: an operation is said */
    enum lit_rmw rmw;
    bool ordered, scoped, is_volatile, weak;
    enum lit_order order;
    enum lit_scope scope;
    bool rounds;  /* otherwise than to nearest, or flushes what is small */
    bool nearest; /* that is said */
    bool mmio;
    bool read_only; /* a load of what no thread of the launch stores to */
    bool aligned;   /* bar.sync: the threads of a warp come to one and the same instruction */
    bool arrives;   /* bar.arrive */
    bool of_warp;   /* bar.warp.sync */
    bool syncs;     /* shfl.sync */
    enum ptx_lanes lanes;
    uint32_t mode;   /* of enum ptx_mode */
    uint32_t vector; /* elements: 1, 2, 4 */
};

/* Reads a word such as `ld.acquire.gpu.u32`. False: it is refused, for the reason `why` (in the
 * arena), which is to follow the quoted word. */
bool ptx_read_word(struct arena *arena, const char *text, struct ptx_meaning *meaning,
                   const char **why) __attribute__((warn_unused_result));
/* How what orders is written, in PTX and in CUDA. */
extern const struct lit_writing ptx_writing;
/* A type by its name without the dot; bits 0: it is none. */
struct ptx_type ptx_type_of(const char *text, size_t length);
/* What holds values of so many bits in the program: unsigned, or as said; a predicate is an int. */
enum lit_type ptx_lit_type(uint32_t bits, bool is_signed);

#endif
