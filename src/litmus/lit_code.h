/* lit_code: flat code of a thread: what follows what, which registers are still to be read, and
 * code with some instructions left out.
 */
#ifndef CRASHLIT_LIT_CODE_H
#define CRASHLIT_LIT_CODE_H

#include "base/arena.h"
#include "litmus/lit_program.h"

/* What may be executed after an instruction: one or two. */
struct lit_next {
    uint32_t pcs[2], count;
};

struct lit_next lit_code_next(const struct lit_thread *thread, uint32_t pc);

/* Where the ways of a branch to `target`, further on, meet: an if-else ends where the jump at the
 * end of its first part leads. */
uint32_t lit_code_ways_meet(const struct lit_instr *code, uint32_t target);
/* Has the thread an execution barrier of this label? */
bool lit_code_has_barrier(const struct lit_thread *thread, const char *label);
/* Are they one expression, register for register? NULL is one with NULL alone. */
bool lit_code_same(const struct lit_expr *a, const struct lit_expr *b);
/* The same for numbers, of registers or places. */
bool lit_code_same_list(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count);
/* Is there a division in it? */
bool lit_code_divides(const struct lit_expr *expr);
/* The register that receives what is read or computed, or LIT_NONE. */
uint32_t lit_code_into(const struct lit_instr *instr);
/* Does the instruction assign the register? */
bool lit_code_assigns(const struct lit_instr *instr, uint32_t reg);
/* Marks the registers that it, or an expression, uses. */
void lit_code_mark_used(const struct lit_instr *instr, bool *registers);
void lit_code_mark_read(const struct lit_expr *expr, bool *registers);

/* Registers that may still be read, a row of register_count for each instruction and one for the
 * end, which is given. Cost: instructions times registers, once for each loop within loops. */
void lit_code_find_live(const struct lit_thread *thread, bool *live, struct arena *scratch);

/* For each instruction of code in braces where the ways from it meet: the first that all of them
 * come to when no loop goes round once more, or the end. */
void lit_code_find_meets(const struct lit_thread *thread, uint32_t *meets);

/* Takes the instructions out that are `gone`. Jumps to one lead to what follows it. */
void lit_code_leave_out(struct arena *arena, struct lit_thread *thread, const bool *gone);

#endif
