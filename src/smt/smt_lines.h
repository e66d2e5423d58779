/* smt_lines: the lines of a test that keep a state out of reach: barriers, fences and ordered
 * accesses. Private to the symbolic engine.
 *
 * A line is necessary when the state can be reached without what the line orders, all else as it
 * stands. Often the necessary lines alone are not enough. Then there are several sets of lines that
 * are enough and from which no line can be spared. One set becomes the reasons; further sets are
 * looked for as long as they are few.
 *
 *   smt_lines_find(&lines, ...); smt_lines_choose(&lines); smt_lines_drop(&lines, rules);
 *   smt_lines_look_further(&lines); smt_lines_fini(&lines);
 *
 * Ownership: smt_lines_fini releases what the list holds; events belong to the explanation. */
#ifndef CRASHLIT_SMT_LINES_H
#define CRASHLIT_SMT_LINES_H

#include "smt/smt_attempt.h"

struct smt_line {
    const struct lit_instr *instr;
    enum explanation_reason_kind kind;
    struct outcome_event event;
    enum explanation_need need;
    bool looked_at; /* the formula differs without it */
    bool dropped;   /* it is no reason */
};

struct smt_lines {
    const struct smt_attempt_question *question;
    struct explanation *out; /* `minimal` is cleared when the time runs out */
    const bool *needed;      /* per node of the model: the formula uses it */
    VEC(struct smt_line) items;
    VEC(uint32_t) lacking; /* sets of spare lines, as bits, known not to be enough */
    uint32_t questions;    /* asked so far */
    struct clock_limit clock;
};

/* Lists the program's ordering lines, in the order in which they are given up. */
void smt_lines_find(struct smt_lines *lines, const struct smt_attempt_question *question,
                    const struct smt_program *program, struct explanation *out);
void smt_lines_fini(struct smt_lines *lines);
/* For a state that is out of reach: decides each line's need, and which lines are dropped. */
void smt_lines_choose(struct smt_lines *lines);
/* Was some line dropped that the formula depends on? */
bool smt_lines_some_dropped(const struct smt_lines *lines);
void smt_lines_drop(const struct smt_lines *lines, struct smt_rules *rules);
/* Adds the sets of lines that are enough to the explanation, if there are several. */
void smt_lines_look_further(struct smt_lines *lines);

#endif
