/* smt_stage: the recovery program as a formula. Private to the symbolic engine.
 *
 * A stage has one execution of recovery. Terms are what non-volatile memory holds at its start.
 * They are the test's crash image, so that crash and recovery are one question, or free terms that
 * assumptions restrict. What holds of an execution from one start holds of it from every start that
 * agrees on what the execution reads of it (smt_stage_reads_start).
 *
 * Ownership: smt_stage_fini releases everything but a solver that was given. Request and outcome of
 * the test must outlive the stage. */
#ifndef CRASHLIT_SMT_STAGE_H
#define CRASHLIT_SMT_STAGE_H

#include "smt/smt_query.h"

/* Rows have the columns of the test's outcome: `start` and `left` those of `crash`,
 * `recovered` its own. */
struct smt_stage {
    const struct engine_request *test;
    struct outcome *test_outcome;
    struct engine_request request; /* of recovery as a program of its own */
    struct lit_program program;
    struct lit_location *locations; /* of `program`: their first values change with each start
                                       shown */
    struct outcome outcome;         /* of recovery, in terms of its own program */
    struct smt_query query;
    bool owns_solver;
    bool restarts; /* recovery may crash */
    smt_term *start;
    struct smt_crash crash; /* with `restarts`: a crash in recovery; its values are what it
                               leaves */
    struct smt_finals finals;
    smt_term *recovered;
    int64_t *start_row, *left_row, *recovered_row; /* of the last solution read */
    struct outcome_link *link; /* the next execution shown fills it, unless NULL */
};

/* `image`: per column of crash states the term that recovery starts on, in the given query's
 * solver; NULL: free terms in a solver of its own. `checked`: only executions that pass the model's
 * checks. False when recovery is not encoded: a doubt of recovery says why. smt_stage_fini is due
 * all the same. */
bool smt_stage_init(struct smt_stage *stage, const struct smt_query *test, const smt_term *image,
                    bool checked);
void smt_stage_fini(struct smt_stage *stage);

/* The columns of crash states equal the row, where `mask` says so (NULL: everywhere). */
smt_term smt_stage_equals(struct smt_stage *stage, const smt_term *values, const int64_t *row,
                          const bool *mask);
/* The execution is complete and leaves a state that decides the condition. */
smt_term smt_stage_decides(struct smt_stage *stage, const struct lit_condition *condition);
/* The execution is complete and leaves this recovered state. */
smt_term smt_stage_recovers(struct smt_stage *stage, const int64_t *row);
/* There was no crash, so the recovery to be interrupted is a plain one. */
smt_term smt_stage_interrupted(struct smt_stage *stage);

/* After a solution: fills `start_row`, and the other rows as far as they have terms. */
void smt_stage_read(struct smt_stage *stage);
/* After a solution: marks the columns of the start that the execution reads. For the state that an
 * interrupted one leaves, `left` marks the columns that matter (NULL: none); those of them that
 * still hold their old value count as read. */
void smt_stage_reads_start(struct smt_stage *stage, const bool *left, bool *reads);

/* After a solution of a stage on the test's crash image: reads it, and adds the crash state and the
 * test's execution to the test's outcome. */
void smt_stage_add_crash(struct smt_stage *stage, struct smt_query *test,
                         const struct smt_crash *crash);
/* After a solution that was read: adds what is new to the test's outcome, and shows the execution
 * to its callback. */
void smt_stage_add_recovered(struct smt_stage *stage);
void smt_stage_add_restart(struct smt_stage *stage);

/* Fills the steps of a chain's links, with one question each, and shows their executions. The
 * chain's states have been found. A link has no steps when the time or the solver's memory is
 * up. */
void smt_stage_show_chain(struct smt_stage *stage, struct outcome_chain *chain);

/* Moves undefined behaviour and flags, or doubts, to the test's outcome. */
void smt_stage_take_undefined(struct smt_stage *stage);
void smt_stage_take_doubts(struct smt_stage *stage);

#endif
