/* smt_stage: the recovery program as a formula. Private to the symbolic engine.
 *
 * A stage has one execution of recovery. What non-volatile memory holds at its start is terms:
 * those of the test's crash image, so that crash and recovery are one question, or free
 * ones, so that it is a matter of what is assumed of them. What holds of an execution
 * from one start holds of it from every other that agrees on what the execution
 * reads of the start (smt_stage_reads_start).
 *
 * Ownership: smt_stage_fini releases everything but a solver that was given. Request and
 * outcome of the test must outlive the stage.
 */
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
    struct lit_location *locations; /* of it: their first values change with each start shown */
    struct outcome outcome;         /* of recovery, in terms of its own program */
    struct smt_query query;
    bool owns_solver;
    bool restarts; /* recovery may crash */
    smt_term *start;
    struct smt_crash crash; /* with `restarts`; its values are what the crash leaves */
    struct smt_finals finals;
    smt_term *recovered;
    int64_t *start_row, *left_row, *recovered_row; /* of the last solution that was read */
    struct outcome_link *link; /* NULL, or what the next execution shown is to fill */
};

/* `image`: per column of crash states what recovery starts on, of the given query's solver;
 * NULL for free terms in a solver of its own. `checked`: executions are those that the model's
 * checks let pass. False when recovery is not encoded: a doubt of recovery says why; smt_stage_fini
 * is due all the same. */
bool smt_stage_init(struct smt_stage *stage, const struct smt_query *test, const smt_term *image,
                    bool checked);
void smt_stage_fini(struct smt_stage *stage);

/* Columns of crash states equal to a row, where `mask` (NULL: everywhere) says so. */
smt_term smt_stage_equals(struct smt_stage *stage, const smt_term *values, const int64_t *row,
                          const bool *mask);
/* The execution is complete and leaves a state that decides the condition. */
smt_term smt_stage_decides(struct smt_stage *stage, const struct lit_condition *condition);
/* The execution is complete and leaves this recovered state. */
smt_term smt_stage_recovers(struct smt_stage *stage, const int64_t *row);
/* No crash: every recovery that is to be interrupted is a plain one. */
smt_term smt_stage_interrupted(struct smt_stage *stage);

/* After a solution: fills `start_row` and, as far as there are terms for them, the others. */
void smt_stage_read(struct smt_stage *stage);
/* After a solution: the columns of the start that the execution reads. For what an
 * interrupted one leaves, `left` (NULL: nothing is asked) says which columns matter; those that
 * still hold what they held count as read. */
void smt_stage_reads_start(struct smt_stage *stage, const bool *left, bool *reads);

/* After a solution of a stage on the test's crash image: reads it, and adds the crash state to the
 * test's outcome, with the test's execution. */
void smt_stage_add_crash(struct smt_stage *stage, struct smt_query *test,
                         const struct smt_crash *crash);
/* After a solution that was read: what is new in it goes into the test's outcome and the
 * execution to its callback. */
void smt_stage_add_recovered(struct smt_stage *stage);
void smt_stage_add_restart(struct smt_stage *stage);

/* Fills the links' steps of a chain whose states were found, one question for each, and shows the
 * executions. A link has none when the time or the solver's memory is up. */
void smt_stage_show_chain(struct smt_stage *stage, struct outcome_chain *chain);

/* Moves undefined behaviour, flags and doubts that were found to the test's outcome. */
void smt_stage_take_undefined(struct smt_stage *stage);
void smt_stage_take_doubts(struct smt_stage *stage);

#endif
