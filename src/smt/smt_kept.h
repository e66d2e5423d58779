/* smt_kept: what the symbolic engine keeps of a test from one model pair to the next. Private to
 * the symbolic engine.
 *
 * Under models with the same checks (cat_same.h) a test has the same consistent executions, so the
 * formula of these is made once, and what was found out about them is found once: final states,
 * undefined behaviour, flags. What a crash leaves is asked for each pair behind a push, which is
 * taken back. Nothing is kept of which anything is in doubt, nor a solver that gave up.
 *
 * Ownership: a base owns its solver, its arena and what was found; smt_base_end gives it to the
 * request's `kept`, as one of a few, or frees it.
 */
#ifndef CRASHLIT_SMT_KEPT_H
#define CRASHLIT_SMT_KEPT_H

#include "smt/smt_query.h"

struct smt_base {
    struct smt_query query;        /* its request and outcome are those of the pair at hand */
    struct engine_request request; /* that it was made for */
    struct outcome found;          /* with `keeps`: before crashes were asked about */
    bool keeps;
    struct smt_base *next;
};

/* One that was kept and suits the request, or an empty one. */
struct smt_base *smt_base_begin(const struct engine_request *request);
/* All was asked about executions as such: from now on it can be kept, if somebody wants it. */
void smt_base_note(struct smt_base *base);
/* The query of another pair: the base's, in an arena and with an outcome of its own, with what was
 * found, and without relations. */
void smt_base_share(const struct smt_base *base, const struct engine_request *request,
                    struct outcome *outcome, struct smt_query *query);
void smt_base_end(struct smt_base *base, const struct engine_request *request);

#endif
