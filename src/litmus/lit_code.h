/* lit_code: questions about the flat code of a thread: its control flow graph, live registers, and
 * code with some instructions left out.
 */
#ifndef CRASHLIT_LIT_CODE_H
#define CRASHLIT_LIT_CODE_H

#include "base/arena.h"
#include "litmus/lit_program.h"

/* The one or two instructions that may be executed after an instruction. */
struct lit_next {
    uint32_t pcs[2], count;
};

struct lit_next lit_code_next(const struct lit_thread *thread, uint32_t pc);

/* Where the two ways of a branch to a later `target` meet. An if-else ends where the jump at the
 * end of its first part leads. */
uint32_t lit_code_ways_meet(const struct lit_instr *code, uint32_t target);
/* Has the thread an execution barrier of this label? */
bool lit_code_has_barrier(const struct lit_thread *thread, enum lit_instr_op op, const char *label);
/* Are both the same expression, with the same registers? NULL is the same as NULL alone. */
bool lit_code_same(const struct lit_expr *a, const struct lit_expr *b);
/* Are both lists of numbers (of registers, or of places) the same? */
bool lit_code_same_list(const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count);
/* Does the expression divide? */
bool lit_code_divides(const struct lit_expr *expr);
/* Does it divide by what may be 0? */
bool lit_code_may_fault(const struct lit_expr *expr);
/* Of a comparison with 0 of something unsigned, or that the 0 makes so: is it always true (1) or never (0),
 * whatever that is? -1: neither, or it is another comparison. */
int lit_code_decided(enum lit_operator op, const struct lit_expr *a, const struct lit_expr *b);
/* The register that receives what is read or computed, or LIT_NONE. */
uint32_t lit_code_into(const struct lit_instr *instr);
/* Does the instruction assign the register? */
bool lit_code_assigns(const struct lit_instr *instr, uint32_t reg);
/* Both mark the registers that are used: by an instruction, by an expression. */
void lit_code_mark_used(const struct lit_instr *instr, bool *registers);
void lit_code_mark_read(const struct lit_expr *expr, bool *registers);

/* Finds the live registers: a row of register_count for each instruction, and a last row for the
 * end, which the caller has set. Cost: instructions times registers, for each depth of nested
 * loops. */
void lit_code_find_live(const struct lit_thread *thread, bool *live, struct arena *scratch);

/* For each instruction of code in braces, finds where the ways from it meet. That is the first
 * instruction that all ways come to when no loop goes round once more, or the end: the immediate
 * postdominator. */
void lit_code_find_meets(const struct lit_thread *thread, uint32_t *meets);

/* Takes out the instructions that are `gone`. A jump to one then leads to what followed it. */
void lit_code_leave_out(struct arena *arena, struct lit_thread *thread, const bool *gone);

#endif
