/* smt_solver: the part of Z3 that the symbolic engine needs. Only its sources call Z3, smt_solver.c
 * for checks and smt_terms.c for terms; smt_library.h opens it.
 *
 * Terms are immutable and shared; they live as long as their solver. Logic folds constants, so that
 * formulas about known facts stay small.
 *
 * Shapes: booleans; bit-vectors of 32 or 64 bits for values of a lit_type; clocks. Clocks are only
 * compared: they are integers, or words of 32 bits where few are needed. Errors: a fault inside Z3
 * is our bug and ends the process with a message. A solver that gives up answers SMT_UNKNOWN. */
#ifndef CRASHLIT_SMT_SOLVER_H
#define CRASHLIT_SMT_SOLVER_H

#include "base/clock.h"
#include "litmus/lit_value.h"

struct smt_solver;
typedef struct smt_term *smt_term;

enum smt_answer { SMT_UNSAT, SMT_SAT, SMT_UNKNOWN };

/* The theory of clocks. With words everything is bits, and a question about values alone takes a
 * third of the time; formulas with many clocks take ten times as long. */
enum smt_theory { SMT_INTEGERS, SMT_WORDS };

/* Dies where smt_library_load returns false. `memory_mib`: the solver gives up past this; 0: no
 * limit. */
struct smt_solver *smt_solver_new(uint32_t memory_mib, enum smt_theory theory);
void smt_solver_free(struct smt_solver *solver);
/* Checks give up once the clock's `call_off` is called off, or its processor time is used up; NULL:
 * never. */
void smt_solver_heed(struct smt_solver *solver, const struct clock_limit *clock);

smt_term smt_truth(struct smt_solver *solver, bool truth);
smt_term smt_bool(struct smt_solver *solver); /* a fresh variable, as are smt_value and smt_clock */
smt_term smt_value(struct smt_solver *solver, enum lit_type type);
/* A clock with one of `most` moments. Clocks that are compared must have the same `most`. */
smt_term smt_clock(struct smt_solver *solver, uint32_t most);

bool smt_is(struct smt_solver *solver, smt_term term, bool truth);
smt_term smt_not(struct smt_solver *solver, smt_term a);
smt_term smt_and(struct smt_solver *solver, smt_term a, smt_term b);
smt_term smt_or(struct smt_solver *solver, smt_term a, smt_term b);
smt_term smt_implies(struct smt_solver *solver, smt_term a, smt_term b);
/* At least `least`, or at most `most`, of the terms hold. */
smt_term smt_at_least(struct smt_solver *solver, const smt_term *terms, uint32_t count,
                      uint32_t least);
smt_term smt_at_most(struct smt_solver *solver, const smt_term *terms, uint32_t count,
                     uint32_t most);
/* The number of terms that hold, as a LIT_UINT. */
smt_term smt_count(struct smt_solver *solver, const smt_term *terms, uint32_t count);
/* Some term holds; without terms false. */
smt_term smt_any(struct smt_solver *solver, const smt_term *terms, uint32_t count);
smt_term smt_select(struct smt_solver *solver, smt_term condition, smt_term yes, smt_term no);
smt_term smt_equal(struct smt_solver *solver, smt_term a, smt_term b); /* of values of one width */
smt_term smt_earlier(struct smt_solver *solver, smt_term a, smt_term b); /* of clocks */

smt_term smt_constant(struct smt_solver *solver, enum lit_type type, int64_t value);
smt_term smt_cast(struct smt_solver *solver, enum lit_type to, enum lit_type from, smt_term a);
/* The value is not zero. */
smt_term smt_nonzero(struct smt_solver *solver, enum lit_type type, smt_term a);
/* An operator of arithmetic, bits or comparison, on operands of `type`, as lit_value_apply computes
 * it. But division by zero yields 0. Comparisons are LIT_INT. `b` is NULL for unary operators. */
smt_term smt_apply(struct smt_solver *solver, enum lit_operator op, enum lit_type type, smt_term a,
                   smt_term b);

void smt_assert(struct smt_solver *solver, smt_term fact);
void smt_push(struct smt_solver *solver);
void smt_pop(struct smt_solver *solver);
/* May the solver be kept for other questions? Only if it never gave up and Z3 has not taken much
 * memory. Dies if a push was not taken back. */
bool smt_solver_is_fit(const struct smt_solver *solver);
/* Under assumptions: variables or their negations. `seconds`: the limit of this check; 0: none.
 * After SMT_UNSAT `core`, unless NULL, marks assumptions that were enough for that answer. */
enum smt_answer smt_check_assuming(struct smt_solver *solver, const smt_term *assumptions,
                                   uint32_t count, bool *core, double seconds);
/* After SMT_UNKNOWN: did it lack memory, or a thread that watches over limits? */
bool smt_lacked_memory(struct smt_solver *solver);
bool smt_lacked_thread(struct smt_solver *solver);
/* Values in the model of the last check that answered SMT_SAT, until the next smt_pop. */
bool smt_model_holds(struct smt_solver *solver, smt_term term);
int64_t smt_model_value(struct smt_solver *solver, enum lit_type type, smt_term term);

#endif
