/* smt_z3: the functions of Z3 that smt_library.h loads. The one file that includes <z3.h>. */
#ifndef CRASHLIT_SMT_Z3_H
#define CRASHLIT_SMT_Z3_H

#include <z3.h>

/* The functions in use: X(name without its prefix). */
#define SMT_Z3_FUNCTIONS(X)     \
    X(ast_vector_dec_ref)       \
    X(ast_vector_get)           \
    X(ast_vector_inc_ref)       \
    X(ast_vector_size)          \
    X(del_config)               \
    X(del_context)              \
    X(get_bool_value)           \
    X(get_error_code)           \
    X(get_error_msg)            \
    X(get_estimated_alloc_size) \
    X(get_full_version)         \
    X(get_numeral_uint64)       \
    X(interrupt)                \
    X(is_numeral_ast)           \
    X(mk_and)                   \
    X(mk_atleast)               \
    X(mk_atmost)                \
    X(mk_bool_sort)             \
    X(mk_bv_sort)               \
    X(mk_bvadd)                 \
    X(mk_bvand)                 \
    X(mk_bvashr)                \
    X(mk_bvlshr)                \
    X(mk_bvmul)                 \
    X(mk_bvneg)                 \
    X(mk_bvnot)                 \
    X(mk_bvor)                  \
    X(mk_bvsdiv)                \
    X(mk_bvshl)                 \
    X(mk_bvslt)                 \
    X(mk_bvsrem)                \
    X(mk_bvsub)                 \
    X(mk_bvudiv)                \
    X(mk_bvult)                 \
    X(mk_bvurem)                \
    X(mk_bvxor)                 \
    X(mk_config)                \
    X(mk_context)               \
    X(mk_eq)                    \
    X(mk_extract)               \
    X(mk_false)                 \
    X(mk_fresh_const)           \
    X(mk_int_sort)              \
    X(mk_ite)                   \
    X(mk_lt)                    \
    X(mk_not)                   \
    X(mk_or)                    \
    X(mk_sign_ext)              \
    X(mk_simple_solver)         \
    X(mk_solver_for_logic)      \
    X(mk_string_symbol)         \
    X(mk_true)                  \
    X(mk_unsigned_int64)        \
    X(mk_zero_ext)              \
    X(model_dec_ref)            \
    X(model_eval)               \
    X(model_inc_ref)            \
    X(set_error_handler)        \
    X(solver_assert)            \
    X(solver_check)             \
    X(solver_check_assumptions) \
    X(solver_dec_ref)           \
    X(solver_get_model)         \
    X(solver_get_unsat_core)    \
    X(solver_inc_ref)           \
    X(solver_pop)               \
    X(solver_push)

struct smt_library {
#define X(name) __typeof__(Z3_##name) *name;
    SMT_Z3_FUNCTIONS(X)
#undef X
};

/* Valid once smt_library_load has returned true. */
extern struct smt_library z3;

#endif
