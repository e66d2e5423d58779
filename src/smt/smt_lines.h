/* smt_lines: which lines of a test keep a state out of reach: those that order something, its
 * barriers, fences and ordered accesses. Private to the symbolic engine.
 *
 * A line is necessary when the state can be reached without what it orders, and with all else as it
 * stands. Where the necessary lines do not do alone, others take one another's place: there is more
 * than one set of lines that is enough, and none of which a line can be spared. One of them becomes
 * the reasons; the others are looked for as long as they are few.
 *
 *     smt_lines_find(&lines, ...); smt_lines_choose(&lines); smt_lines_drop(&lines, rules);
 *     smt_lines_look_further(&lines); smt_lines_fini(&lines);
 *
 * Ownership: smt_lines_fini releases what the list holds; events belong to the explanation.
 */
#ifndef CRASHLIT_SMT_LINES_H
#define CRASHLIT_SMT_LINES_H

#include "smt/smt_attempt.h"

struct smt_line {
    const struct lit_instr *instr;
    enum explanation_reason_kind kind;
    struct outcome_event event;
    enum explanation_need need;
    bool looked_at; /* the formula says something else without it */
    bool dropped;   /* it is no reason */
};

struct smt_lines {
    const struct smt_attempt_question *question;
    struct explanation *out; /* `minimal` is cleared when the time runs out */
    const bool *needed;      /* per node of the model: the formula is about it */
    VEC(struct smt_line) items;
    VEC(uint32_t) lacking; /* spare lines, as bits, that are known not to be enough */
    uint32_t questions;    /* asked so far */
    struct clock_limit clock;
};

/* The lines of the program that order, in the order in which they are given up. */
void smt_lines_find(struct smt_lines *lines, const struct smt_attempt_question *question,
                    const struct smt_program *program, struct explanation *out);
void smt_lines_fini(struct smt_lines *lines);
/* The state is out of reach. Decides what each line's need is and which are dropped. */
void smt_lines_choose(struct smt_lines *lines);
/* Is some line dropped that the formula takes notice of? */
bool smt_lines_some_dropped(const struct smt_lines *lines);
void smt_lines_drop(const struct smt_lines *lines, struct smt_rules *rules);
/* Adds the sets of lines that are enough to the explanation, when there is more than one. */
void smt_lines_look_further(struct smt_lines *lines);

#endif
