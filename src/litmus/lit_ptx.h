/* lit_ptx: from the columns of a PTX table to code. Private to the front end.
 *
 *   lit_ptx_words    instructions: what a word with its qualifiers stands for
 *   lit_ptx_declare  locations: those the initial block names, those instructions name
 *   lit_ptx          threads: operands, labels, instructions
 *   lit_ptx_loop     jumps backwards: awaits and bounded loops
 *
 * A word is an instruction and its qualifiers, `ld.relaxed.gpu`. Every instruction but those of
 * definition files is lowered to exactly one of the program's, before loops are marked. Names: a
 * register exists from its first use on, as does a location; what a name is, its position says.
 */
#ifndef CRASHLIT_LIT_PTX_H
#define CRASHLIT_LIT_PTX_H

#include "litmus/lit_lower.h"

/* An instruction's word, decoded. Operands, one letter each: d a register it writes, v a
 * register or a constant, l a location, t a label, n a number, s a string, w a word; those behind
 * `?` may be left out. */
struct lit_ptx_word {
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

/* ---- lit_ptx_words ---- */

/* False, reported, when there is no such instruction. */
bool lit_ptx_decode(struct lit_lower *lower, const struct ast_name *name,
                    struct lit_ptx_word *word);
/* What may stand behind the dot of that number (from 1) of an instruction that begins with `text`,
 * the end of the table marked by no text; `last`: nothing follows it. Scopes, or orders. NULL:
 * neither. */
struct lit_ptx_qualifier {
    const char *text;
    uint32_t value; /* enum lit_order or lit_scope */
};
const struct lit_ptx_qualifier *lit_ptx_qualifiers(const char *text, uint32_t at, bool last,
                                                   bool *order);
/* What a C-like dialect calls the scope that is cta, gpu or sys here; else the same text. */
const char *lit_ptx_plain_word(const char *text);
/* Is it a jump? Is it a launch, or a join? */
bool lit_ptx_jumps(const char *text);
bool lit_ptx_hosts(const char *text, bool *joins);
/* cta, kr or gpu of a thread's header. */
bool lit_ptx_level(const char *text, enum lit_scope *level);

/* ---- lit_ptx_declare ---- */

/* Checks what the initial block declares and adds the locations it leaves out. */
void lit_ptx_declare(struct lit_lower *lower);

/* ---- lit_ptx ---- */

/* Whether an instruction with these operand letters may have so many operands. */
bool lit_ptx_fits(const char *letters, uint32_t count);
/* The code of one thread. */
void lit_ptx_lower(struct lit_lower *lower, const struct ast_thread *thread);

/* ---- lit_ptx_loop ---- */

/* Marks the loops of the code at hand, whose jumps are aimed. */
void lit_ptx_mark_loops(struct lit_lower *lower);

#endif
