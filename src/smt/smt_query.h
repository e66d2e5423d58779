/* smt_query: what is asked of the formula, and answers turned into outcomes. Private to the
 * symbolic engine. */
#ifndef CRASHLIT_SMT_QUERY_H
#define CRASHLIT_SMT_QUERY_H

#include "smt/smt_relation.h"

/* The crash of an execution: events executed and writes durable before it. */
struct smt_crash {
    smt_term *executed, *durable; /* per event; durable NULL for what cannot be */
    smt_term *values;             /* per column of crash states */
    smt_term **last;              /* per column, per event: taken as the last durable write */
    smt_term **marks;             /* per thread, counted through paths and their marks */
    smt_term **passed;            /* the same: passed, even if no event tells; NULL of a thread:
                                     nothing asks */
};

struct smt_query {
    const struct engine_request *request;
    struct outcome *outcome;
    struct arena arena;
    struct smt_program program;
    struct smt_relations *relations;
    uint32_t path_events;
    int64_t *row;
    void (*on_solution)(void *context); /* NULL, or called when smt_ask answers SMT_SAT */
    void *context;
};

/* What suits a program, with its recovery. */
enum smt_theory smt_theory_of(const struct lit_program *program);
/* How the test's work-items are run: what is said by the request alone. `scratch` is rewound. */
struct exec_run_options smt_run_options(struct arena *scratch,
                                        const struct engine_request *request);
/* Room for a state, in the query's arena. */
int64_t *smt_query_row(struct smt_query *query);
/* Sets up everything but `arena`, which has been initialised. */
void smt_query_init(struct smt_query *query, const struct engine_request *request,
                    struct outcome *outcome, struct smt_solver *solver);
/* The formula: candidate executions that the model's checks let pass. False when the test
 * or the model is not encoded. smt_query_init has set it up. */
bool smt_query_build(struct smt_query *query);

/* Seconds left, 0 when there is no limit; below 0 none are left, and the doubt is noted. */
double smt_time_left(struct smt_query *query);
/* Settles what is pending and asks. SMT_UNKNOWN leaves a doubt. */
enum smt_answer smt_ask(struct smt_query *query);
/* The same under assumptions; as smt_check_assuming. */
enum smt_answer smt_ask_assuming(struct smt_query *query, const smt_term *assumptions,
                                 uint32_t count, bool *core);
/* Why the solver gave up, as a doubt. */
void smt_note_unknown(struct smt_query *query);

/* Does a proposition hold when items have these values? */
smt_term smt_prop(struct smt_query *query, const struct lit_prop *prop,
                  const struct lit_atom *items, const smt_term *values, uint32_t count);

/* What decides a condition: that it holds, or for `forall` that it does not. */
smt_term smt_deciding(struct smt_query *query, const struct lit_condition *condition,
                      const struct lit_atom *items, const smt_term *values, uint32_t count);

/* Everything that conditions, `locations` and the filter mention; the states' columns are
 * the first of them. Values are those of executions that are `complete`. */
struct smt_finals {
    struct lit_atom *items;
    smt_term *values;
    uint32_t count;
    smt_term complete;
};
struct smt_finals smt_finals_build(struct smt_query *query);

/* Builds the crash part under the solver's current scope, for the request's mode. */
struct smt_crash smt_crash_build(struct smt_query *query);

/* After a check that was satisfied: puts the state into `row`. */
void smt_read_row(struct smt_query *query, const struct outcome_states *states,
                  const smt_term *values);
/* Asserts that the state is another than `row`. */
void smt_exclude_row(struct smt_query *query, const struct outcome_states *states,
                     const smt_term *values);
/* Adds the states of solutions, with their executions, ruling out one after the other. */
void smt_list_states(struct smt_query *query, struct outcome_states *states, const smt_term *values,
                     const struct smt_crash *crash);

/* ---- Values that justify themselves (smt_circle.c) ---- */

/* Is there an execution that has some? Where that cannot be told, there is a doubt, and may be one.
 * Some reads are taken each of which returns what is computed from one of them. */
bool smt_may_be_circular(struct smt_query *query);

/* Of a list under way; all zero to begin with. */
struct smt_list {
    uint32_t count;    /* solutions so far */
    uint32_t circular; /* of executions in which values justify themselves */
    bool is_cut;       /* the others of these are left out, and a push is to be taken back */
};

/* Asks for the next solution, where the caller has ruled out the one before. Where values justify
 * themselves a list may have no end: then the rest is one of executions in which none does, and
 * there is a doubt. */
enum smt_answer smt_list_next(struct smt_query *query, struct smt_list *list);
void smt_list_end(struct smt_query *query, struct smt_list *list);

/* Asks for all terms that the next two look at; before the relations are settled. */
void smt_prepare_witnesses(struct smt_query *query);
/* After a check that was satisfied: shows the execution to the request's callback, with its
 * cut unless `crash` is NULL. `row` holds the state. */
void smt_show_witness(struct smt_query *query, const struct outcome_states *states,
                      const struct smt_crash *crash);
/* The same for an execution that has undefined behaviour: without a state. */
void smt_show_undefined(struct smt_query *query);
/* Adds two neighbours on a cycle of the solution, which fails the check: those that the enumerator
 * names of such an execution. Their texts live in `query->arena`. */
void smt_name_cycle(struct smt_query *query, const struct cat_check *check,
                    struct outcome_undefined *undefined);
/* What a solution runs, in `query->arena`. Of a joined path it is one run, a path of its own. */
struct smt_taken {
    struct exec_skeleton *skeleton;
    uint32_t *paths;  /* per thread: which of the program's */
    uint32_t **nodes; /* per thread: the program's events, one for each of the skeleton's path */
};
struct smt_taken smt_take(struct smt_query *query);

/* Is there an execution of which this is true? */
bool smt_may_be(struct smt_query *query, smt_term fact);
/* After a check that was satisfied: adds what its execution has, and shows it when it is the
 * first. */
void smt_report_undefined(struct smt_query *query, const struct outcome_undefined *undefined);
/* Reports undefined behaviour and flags; when deciding, the first. */
void smt_look_for_undefined(struct smt_query *query);
/* Notes the doubts of executions that are cut short by a bound. */
void smt_look_at_bounds(struct smt_query *query);
/* smt_divergence.c: reports every wait at a barrier for somebody who never comes; when
 * deciding, the first. */
void smt_look_at_divergence(struct smt_query *q);

#endif
