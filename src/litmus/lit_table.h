/* lit_table: from the columns of a table to code. Private to the front end.
 *
 *   lit_table          threads: operands, labels, instructions
 *   lit_table_declare  locations: those the initial block names, those instructions name
 *   lit_table_loop     jumps backwards: awaits and bounded loops
 *
 * What the word of an instruction stands for, the dialect's row says (lit_dialect.h, lit_ptx.h).
 *
 * A word is an instruction and its qualifiers, `ld.relaxed.gpu`. Every instruction but those of
 * definition files is lowered to exactly one of the program's, before loops are marked. Names: a
 * register exists from its first use on, as does a location; what a name is, its position says.
 */
#ifndef CRASHLIT_LIT_TABLE_H
#define CRASHLIT_LIT_TABLE_H

#include "litmus/lit_dialect.h"
#include "litmus/lit_lower.h"

/* An instruction's word, decoded. Operands, one letter each: d a register it writes, v a
 * register or a constant, l a location, t a label, n a number, s a string, w a word; those behind
 * `?` may be left out. */
struct lit_table_word {
    const struct lit_definition *definition; /* of the whole word; else NULL, and the rest counts */
    enum lit_instr_op instr;
    const char *operands;
    enum lit_operator op; /* SET: how the value is computed, CONST: it is copied; BRANCH: goes on
                             behind it when that holds */
    bool chooses;         /* SET: the value is the operand for which `first op second` says so */
    enum lit_order order;
    enum lit_scope scope;
    enum lit_rmw rmw;
    bool arrive;
    bool pragma; /* does nothing */
    bool hosts;  /* a launch (STORE) or a join (LOAD) */
};

/* ---- lit_table ---- */

/* By the definition files, then by the dialect. False, reported, when there is no such instruction.
 */
bool lit_table_decode(struct lit_lower *lower, const struct ast_name *name,
                      struct lit_table_word *word);
/* Whether an instruction with these operand letters may have so many operands. */
bool lit_table_fits(const char *letters, uint32_t count);
/* The code of one thread. */
void lit_table_lower(struct lit_lower *lower, const struct ast_thread *thread);

/* ---- lit_table_declare ---- */

/* Checks what the initial block declares and adds the locations it leaves out. */
void lit_table_declare(struct lit_lower *lower);

/* ---- lit_table_loop ---- */

/* Marks the loops of the code at hand, whose jumps are aimed. */
void lit_table_mark_loops(struct lit_lower *lower);

#endif
