/* smt_z3_terms: a solver with its Z3 context, and terms as Z3 has them. Private to smt_solver.c and
 * smt_terms.c. */
#ifndef CRASHLIT_SMT_Z3_TERMS_H
#define CRASHLIT_SMT_Z3_TERMS_H

#include "base/guard.h"
#include "base/vec.h"
#include "smt/smt_solver.h"
#include "smt/smt_z3.h"

struct smt_solver {
    Z3_context context;
    struct base_cleanup cleanup;
    uint32_t memory_mib;
    struct clock_call_off *call_off; /* NULL: never called off */
    double cpu_end;                  /* as in base/clock.h; 0: no limit */
    bool lacked_memory;              /* the last check did, as the next */
    bool lacked_thread;              /* no thread could watch over it */
    bool interrupted;                /* called off: nothing is asked any more */
    bool gave_up;                    /* some check has no answer */
    uint32_t depth;                  /* pushes that were not taken back */
    enum smt_theory theory;
    Z3_solver solver;
    VEC(Z3_ast) steps; /* not yet told to Z3: facts, NULL for a push */
    Z3_model model;    /* of the last check; NULL without */
    Z3_ast yes, no;
    Z3_sort boolean, integer, words[2]; /* of 32 and 64 bits */
};

static inline Z3_ast ast(smt_term term)
{
    return (Z3_ast)term;
}

static inline smt_term term(Z3_ast ast)
{
    return (smt_term)ast;
}

#endif
