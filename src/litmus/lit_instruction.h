/* lit_instruction: the kinds of instruction that programs are of, and what each of them is.
 *
 * One row a kind. What a kind is (does it read? do threads meet at it?) is asked of its row, by
 * the functions below. What a kind means is a switch over all of them without `default`, so that
 * the compiler names each place where a new one has no meaning yet.
 *
 *  SET     dst = value
 *  CHECK   undefined where value == 0, in the words of text
 *  LOAD    dst = [addr]                          order scope
 *  STORE   [addr] = value                        order scope
 *  RMW     dst (or none) = old; [addr] = old <rmw> value    order scope
 *  CAS     dst = 1 if [addr] == expected, then [addr] = value (order), else 0 (fail_order);
 *          dst_old = the value read                          scope
 *          unless: so if [addr] != expected; rmw: what is written is old <rmw> value
 *  FENCE   order scope spaces; order NA: none
 *  CM      cache maintenance of [addr], whatever the model makes of it: order, NA: none; scope
 *  BARRIER execution barrier: exec_scope (who meets), scope (memory scope), spaces, label or
 *          NULL; named: only threads whose code has a barrier of that label take part; arrive:
 *          counts as arrived and waits for nobody; resource, quorum: see struct lit_instr
 *  PBARRIER persist barrier: scope, which is exec_scope, too; label or NULL
 *  CRASH   a point where the crash may happen: text or NULL
 *  JUMP    to target
 *  BRANCH  to target when value == 0
 *  LOOP    marks one more iteration of loop `loop`: stands at the start of each iteration's body,
 *          after the condition held; the engine bounds iterations whose condition was
 *          not known from constants alone; kept, tried: see lit_bound.c
 *  AWAIT   a place that an iteration of loop `loop`, code[begin..target), comes by: who comes
 *          back there having only read, with the registers `kept` as they were, waits
 */
#ifndef CRASHLIT_LIT_INSTRUCTION_H
#define CRASHLIT_LIT_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum lit_trait {
    LIT_READS = 1,    /* memory; which is an event */
    LIT_WRITES = 2,   /* memory, or may; an event, too */
    LIT_PLACED = 4,   /* has a location: addr */
    LIT_ORDERED = 8,  /* has a memory order */
    LIT_SCOPED = 16,  /* has a scope */
    LIT_SPACED = 32,  /* tells address spaces apart */
    LIT_MEETS = 64,   /* threads meet at it: exec_scope, label */
    LIT_WAITS = 128,  /* of those: they wait for each other; else where the model says so */
    LIT_JUMPS = 256,  /* to target */
    LIT_PRIVATE = 512 /* its thread's own affair: nobody else sees it, nor does a crash */
};

/* clang-format off */
/* X(name, event, traits). The event (exec/exec_event.h) is what it makes besides a read and a
 * write, or NONE. */
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

/* lit_instruction_reads(op) and so on. */
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
