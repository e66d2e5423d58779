/* ptx_value: what is known of one thread while its kernel is walked through, what its registers
 * hold, and the code that is left of it.
 *
 * A register of the kernel whose value depends on a read is held in a register of the residue. Who
 * is computed of a place that is overwritten moves before that.
 *
 * Ownership: what the residue has lives in `arena`, all else in `scratch`.
 * Errors: the first one sets `failed`, and is reported at the instruction that is walked over,
 * unless it may only come of what is not known yet of other lanes.
 */
#ifndef CRASHLIT_PTX_VALUE_H
#define CRASHLIT_PTX_VALUE_H

#include "ptx/ptx_special.h"

/* Steps of one thread. */
enum { PTX_MAX_STEPS = 1 << 17 };

/* What a register holds: `known`, or of a register `reg` of the residue known + factor * reg, where
 * reg has 32 bits perhaps sign-extended. Factor 1 and known 0: just that register. */
enum ptx_value_kind { PTX_UNKNOWN, PTX_KNOWN, PTX_READ };
#define PTX_ANY UINT32_MAX
struct ptx_value {
    enum ptx_value_kind kind;
    bool extends; /* the sign of `reg` */
    bool opaque;
    uint8_t clear; /* the bytes of an opaque one that are not, a bit for each */
    bool loaded;   /* READ: `reg` holds what was loaded, unchanged */
    bool sure;     /* READ: on this way it can be nothing but `is`; what depends on it still does */
    uint64_t is;
    uint32_t of; /* the object, from 1, that the address is one of; 0: it is none; PTX_ANY */
    uint32_t
        tells;     /* of a truth: the register of the residue, from 1, that is `told` where it is */
    uint64_t told; /* `told_when`; 0: it tells nothing */
    bool told_when;
    uint32_t reg;
    const struct ptx_instr *origin; /* of an opaque one */
    uint64_t known, factor;
    uint64_t most; /* READ: the greatest number that `reg` can hold, unsigned; 0: not known */
};

/* A part of the thread's own memory that is stored and loaded: it is a register behind those of the
 * kernel. */
struct ptx_slot {
    uint64_t address;
    uint32_t bytes;
};
enum { PTX_MAX_SLOTS = 512 };

struct ptx_walk {
    struct arena *arena, *scratch;
    struct ptx_memory *memory;
    const struct ptx_thread *thread;
    const struct ptx_kernel *kernel;
    struct ptx_residue residue;
    uint32_t *own;      /* of each register of the kernel that in which the residue holds it */
    uint32_t *index[2]; /* and in which the index of an address, of 32 and of 64 bits */
    bool *moves;        /* which of them take another place now, */
    uint32_t *to;       /* and which place */
    struct ptx_value *now;
    uint32_t count; /* of registers, with the slots */
    struct ptx_slot *slots;
    uint32_t most_slots;
    struct ptx_block *block;
    const struct ptx_instr *instr;
    struct ptx_met *met, *mets; /* what the thread has exchanged up to here; the first ones */
    uint32_t pc, steps;
    bool within; /* the instruction: its operands are still needed */
    bool failed;
};

#define PTX_FAULT(s, id, ...)                                                        \
    do {                                                                             \
        if (!(s)->failed && !(s)->memory->silent)                                    \
            diag_error((s)->memory->lower->diag, id, (s)->instr->span, __VA_ARGS__); \
        (s)->failed = true;                                                          \
    } while (0)

#define PTX_REFUSE(s, why)                                                         \
    PTX_FAULT(s, DIAG_PTX_INSTRUCTION, "'%s' is not read%s: %s", (s)->instr->text, \
              ptx_where((s), (s)->instr), why)

/* " (undo.cu:17)", or nothing where no place is known. */
const char *ptx_where(const struct ptx_walk *s, const struct ptx_instr *instr);
/* What an access is told to do where it is undefined. */
const char *ptx_told_at(const struct ptx_walk *s, const char *what);

/* ---- Code ---- */

/* A step at the end of the block; valid until the next one. */
struct ptx_step *ptx_emit(struct ptx_walk *s, enum lit_instr_op op);
uint32_t ptx_new_register(struct ptx_walk *s, enum lit_type type);
const struct lit_expr *ptx_read_register(struct ptx_walk *s, uint32_t reg);
/* The value in a new register, which keeps it; a constant as it is. */
const struct lit_expr *ptx_hold(struct ptx_walk *s, const struct lit_expr *value);

/* ---- Values ---- */

uint32_t ptx_bits_of(const struct ptx_walk *s, uint32_t reg);
/* What is no register has the bits that are asked for. */
bool ptx_has_bits(const struct ptx_walk *s, const struct ptx_operand *operand, uint32_t bits);
/* Is it just a register of the residue? */
bool ptx_is_plain(const struct ptx_value *value);
/* A factor of an address keeps its form, so that the object stays known. */
bool ptx_is_address(const struct ptx_walk *s, const struct ptx_value *value);
const struct lit_expr *ptx_expr_of(struct ptx_walk *s, const struct ptx_value *value,
                                   uint32_t bits);
/* The register's own place holds its value from now on. */
void ptx_settle(struct ptx_walk *s, uint32_t reg);
/* What an address has been moved by, in elements, becomes a part of its index: so loops that go on by
 * elements return to the same state. */
void ptx_settle_index(struct ptx_walk *s, uint32_t reg);
/* The register has a new value, as code or, where that is known, without. True: others have moved. */
bool ptx_assign(struct ptx_walk *s, uint32_t reg, const struct lit_expr *value);
/* The same, as code in any case. */
bool ptx_define(struct ptx_walk *s, uint32_t reg, const struct lit_expr *value);
/* What the register holds is opaque by this instruction, or is not (NULL), and it is an address of that
 * object (0: of none). */
void ptx_note_origin(struct ptx_walk *s, uint32_t reg, const struct ptx_instr *origin, uint32_t of);
/* 0, which depends on what the value depends on. */
const struct lit_expr *ptx_depending(struct ptx_walk *s, const struct lit_expr *value);

#endif
