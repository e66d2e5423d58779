/* lit_instruction: the kinds of instruction of programs, and the traits of each kind.
 *
 * The table has a row for each kind. The functions below ask the row for a trait: does the kind
 * read, do threads meet at it? Code that gives kinds a meaning switches over all of them without
 * `default`, so that the compiler names each place where a new kind has no meaning yet.
 *
 *  SET     dst = value
 *  CHECK   undefined where value == 0, in the words of text: of what was read at the address, or,
 *          with an index alone, of memory of the thread's own; asserts; or of its transactions
 *  LOAD    dst = [addr]                          order scope
 *  STORE   [addr] = value                        order scope
 *  RMW     dst (or none) = old; [addr] = old <rmw> value    order scope
 *  CAS     dst = 1 if [addr] == expected, then [addr] = value (order), else 0 (fail_order);
 *          dst_old = the value read                          scope
 *          unless: it writes if [addr] != expected; rmw: it writes old <rmw> value
 *  FENCE   order scope spaces; order NA: none; dst (or none) = a token; value (or none): the token
 *          that it names; counted, but: see struct lit_instr
 *  CM      cache maintenance of [addr]; the model says what it does: order, NA: none; scope; dst (or
 *          none) = a token
 *  BARRIER execution barrier: exec_scope (who meets), scope (memory scope), spaces, label or
 *          NULL; named: only threads whose code has a barrier of that label take part; arrive:
 *          counts as arrived and waits for nobody; bare, resource, quorum: see struct lit_instr
 *  PBARRIER persist barrier: scope, which is exec_scope, too; label or NULL; named, quorum
 *  CRASH   a point where the crash may happen: text or NULL
 *  JUMP    to target
 *  BRANCH  to target when value == 0
 *  LOOP    marks one more iteration of loop `loop`: stands at the start of each iteration's body,
 *          after the condition held; the engine bounds iterations whose condition was
 *          not known from constants alone; kept, tried: see lit_bound.c
 *  AWAIT   a place inside loop `loop`, which is code[begin..target). A thread waits if it comes
 *          back there, has only read meanwhile, and the registers `kept` have not changed
 */
#ifndef CRASHLIT_LIT_INSTRUCTION_H
#define CRASHLIT_LIT_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum lit_trait {
    LIT_READS = 1,    /* reads memory, which is an event */
    LIT_WRITES = 2,   /* writes memory, or may; also an event */
    LIT_PLACED = 4,   /* has a location: addr */
    LIT_ORDERED = 8,  /* has a memory order */
    LIT_SCOPED = 16,  /* has a scope */
    LIT_SPACED = 32,  /* tells address spaces apart */
    LIT_MEETS = 64,   /* threads meet at it: exec_scope, label */
    LIT_WAITS = 128,  /* who meets there waits for the others; without it the model decides */
    LIT_JUMPS = 256,  /* to target */
    LIT_PRIVATE = 512 /* no other thread and no crash can observe it */
};

/* clang-format off */
/* X(name, event, traits). The event (exec/exec_event.h) is the one that the kind makes besides a
 * read and a write, or NONE. */
#define LIT_INSTRUCTIONS(X)                                                                  \
    X(SET,      NONE,     LIT_PRIVATE)                                                       \
    X(CHECK,    NONE,     LIT_PRIVATE)                                                       \
    X(LOAD,     NONE,     LIT_READS | LIT_PLACED | LIT_ORDERED | LIT_SCOPED)                 \
    X(STORE,    NONE,     LIT_WRITES | LIT_PLACED | LIT_ORDERED | LIT_SCOPED)                \
    X(RMW,      NONE,     LIT_READS | LIT_WRITES | LIT_PLACED | LIT_ORDERED | LIT_SCOPED)    \
    X(CAS,      NONE,     LIT_READS | LIT_WRITES | LIT_PLACED | LIT_ORDERED | LIT_SCOPED)    \
    X(FENCE,    FENCE,    LIT_ORDERED | LIT_SCOPED | LIT_SPACED)                             \
    X(CM,       CM,       LIT_PLACED | LIT_ORDERED | LIT_SCOPED)                             \
    X(BARRIER,  BARRIER,  LIT_MEETS | LIT_WAITS | LIT_SCOPED | LIT_SPACED)                   \
    X(PBARRIER, PBARRIER, LIT_MEETS | LIT_SCOPED)                                            \
    X(CRASH,    NONE,     0)                                                                 \
    X(JUMP,     NONE,     LIT_PRIVATE | LIT_JUMPS)                                           \
    X(BRANCH,   NONE,     LIT_PRIVATE | LIT_JUMPS)                                           \
    X(LOOP,     NONE,     LIT_PRIVATE)                                                       \
    X(AWAIT,    NONE,     LIT_PRIVATE)
/* clang-format on */

enum lit_instr_op {
#define X(name, event, traits) LIT_##name,
    LIT_INSTRUCTIONS(X)
#undef X
};

/* Has the kind any of these traits? */
static inline bool lit_instruction_is(enum lit_instr_op op, uint32_t traits)
{
    static const uint16_t rows[] = {
#define X(name, event, traits) traits,
        LIT_INSTRUCTIONS(X)
#undef X
    };
    return (rows[op] & traits) != 0;
}

/* Defines lit_instruction_reads(op) and one function for each other trait. */
#define X(name, traits)                                             \
    static inline bool lit_instruction_##name(enum lit_instr_op op) \
    {                                                               \
        return lit_instruction_is(op, traits);                      \
    }
X(reads, LIT_READS)
X(writes, LIT_WRITES)
X(accesses, LIT_READS | LIT_WRITES)
X(meets, LIT_MEETS)
X(jumps, LIT_JUMPS)
#undef X

#endif
