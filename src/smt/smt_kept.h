/* smt_kept: formulas that are kept from one model pair of a test to the next. Private to the
 * symbolic engine.
 *
 * Under models with the same checks (cat_same.h) a test has the same consistent executions. So
 * their formula is made once, and so are the answers about them: final states, undefined behaviour,
 * flags. What a crash leaves is asked for each pair, behind a push that is taken back. Nothing is
 * kept while anything is in doubt, and no solver that gave up.
 *
 * Ownership: a base owns its solver, its arena and what was found. smt_base_end gives it to the
 * request's `kept`, as one of a few, or frees it. */
#ifndef CRASHLIT_SMT_KEPT_H
#define CRASHLIT_SMT_KEPT_H

#include "smt/smt_query.h"

struct smt_base {
    struct smt_query query;        /* its request and outcome are those of the present pair */
    struct engine_request request; /* the one it was made for */
    struct outcome found;          /* with `keeps`: as it was before questions about crashes */
    bool keeps;
    struct smt_base *next;
};

/* A kept base that suits the request, or an empty one. */
struct smt_base *smt_base_begin(const struct engine_request *request);
/* Notes that everything about executions as such was asked: the base can be kept from now on, if
 * somebody wants it. */
void smt_base_note(struct smt_base *base);
/* Makes the query of another pair from the base: with an arena and an outcome of its own and with
 * what was found, without relations. */
void smt_base_share(const struct smt_base *base, const struct engine_request *request,
                    struct outcome *outcome, struct smt_query *query);
void smt_base_end(struct smt_base *base, const struct engine_request *request);

#endif
