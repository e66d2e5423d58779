/* smt_query: questions to the formula, and outcomes made of the answers. Private to the symbolic
 * engine. */
#ifndef CRASHLIT_SMT_QUERY_H
#define CRASHLIT_SMT_QUERY_H

#include "smt/smt_relation.h"

/* A crash cut as terms: events executed and writes durable before the crash. */
struct smt_crash {
    smt_term *executed, *durable; /* per event; durable is NULL where it cannot be */
    smt_term *values;             /* per column of crash states */
    smt_term **last;              /* per column, per event: it is taken as the last durable write */
    smt_term **marks;             /* per thread, over all paths and their marks */
    smt_term **passed;            /* like `marks`: the mark was passed, even if no event tells; NULL
                                     for a thread: nothing asks */
};

struct smt_query {
    const struct engine_request *request;
    struct outcome *outcome;
    struct arena arena;
    struct smt_program program;
    struct smt_relations *relations;
    uint32_t path_events;
    int64_t *row;
    void (*on_solution)(void *context); /* called when smt_ask answers SMT_SAT, unless NULL */
    void *context;
};

/* When deciding, one is enough. */
static inline bool smt_query_is_undefined(const struct smt_query *query)
{
    return query->request->decide && query->outcome->undefined.count;
}

/* The theory that suits a program with its recovery. */
enum smt_theory smt_theory_of(const struct lit_program *program);
/* How the test's work-items are run, as the request alone decides. `scratch` is rewound. */
struct exec_run_options smt_run_options(struct arena *scratch,
                                        const struct engine_request *request);
/* Allocates a state in the query's arena. */
int64_t *smt_query_row(struct smt_query *query);
/* Sets up everything but `arena`, which has been initialised. */
void smt_query_init(struct smt_query *query, const struct engine_request *request,
                    struct outcome *outcome, struct smt_solver *solver);
/* Builds the formula: candidate executions that pass the model's checks. False when the test or the
 * model is not encoded. smt_query_init has set up the query. */
bool smt_query_build(struct smt_query *query);

/* Seconds left; 0: no limit; below 0: none are left, and the doubt is noted. */
double smt_time_left(struct smt_query *query);
/* Settles pending closures and asks the solver. SMT_UNKNOWN leaves a doubt. */
enum smt_answer smt_ask(struct smt_query *query);
/* As smt_ask, under assumptions; see smt_check_assuming. */
enum smt_answer smt_ask_assuming(struct smt_query *query, const smt_term *assumptions,
                                 uint32_t count, bool *core);
/* Notes as a doubt why the solver gave up. */
void smt_note_unknown(struct smt_query *query);

/* Does a proposition hold when items have these values? */
smt_term smt_prop(struct smt_query *query, const struct lit_prop *prop,
                  const struct lit_atom *items, const smt_term *values, uint32_t count);

/* What decides a condition: it holds, or for `forall` it does not. */
smt_term smt_deciding(struct smt_query *query, const struct lit_condition *condition,
                      const struct lit_atom *items, const smt_term *values, uint32_t count);

/* All atoms that conditions, `locations` and the filter mention; the states' columns come first.
 * Values are those of executions that are `complete`. */
struct smt_finals {
    struct lit_atom *items;
    smt_term *values;
    uint32_t count;
    smt_term complete;
};
struct smt_finals smt_finals_build(struct smt_query *query);

/* Builds the crash part under the solver's current scope, for the request's mode. */
struct smt_crash smt_crash_build(struct smt_query *query);

/* After SMT_SAT: puts the state into `row`. */
void smt_read_row(struct smt_query *query, const struct outcome_states *states,
                  const smt_term *values);
/* Adds a blocking clause: the state differs from `row`. */
void smt_exclude_row(struct smt_query *query, const struct outcome_states *states,
                     const smt_term *values);
/* Lists all solutions, projected to states: adds each state with its execution and blocks it. */
void smt_list_states(struct smt_query *query, struct outcome_states *states, const smt_term *values,
                     const struct smt_crash *crash);

/* ---- Self-justifying values (smt_circle.c) ---- */

/* May there be an execution with self-justifying values, in which each of some reads returns what
 * is computed from one of them? True with a doubt where that cannot be told. */
bool smt_may_be_circular(struct smt_query *query);

/* A list in progress; zeroed at the start. */
struct smt_list {
    uint32_t count;    /* solutions so far */
    uint32_t circular; /* how many of them have self-justifying values */
    bool is_cut;       /* executions with such values are excluded now, behind a push */
};

/* Asks for the next solution; the caller has blocked the one before. With self-justifying values a
 * list may have no end. Past a limit only executions without them are listed, and a doubt is
 * raised. */
enum smt_answer smt_list_next(struct smt_query *query, struct smt_list *list);
void smt_list_end(struct smt_query *query, struct smt_list *list);

/* Prepares all terms that the next two functions read. Call before the relations are settled. */
void smt_prepare_witnesses(struct smt_query *query);
/* After SMT_SAT: shows the execution to the request's callback, with its cut unless `crash` is
 * NULL. `row` holds the state. */
void smt_show_witness(struct smt_query *query, const struct outcome_states *states,
                      const struct smt_crash *crash);
/* As smt_show_witness, without a state, for an execution with undefined behaviour. */
void smt_show_undefined(struct smt_query *query);
/* Adds two neighbours on a cycle of the solution that fails the check. They are those that the
 * enumerator names for such an execution. Their texts live in `query->arena`. */
void smt_name_cycle(struct smt_query *query, const struct cat_check *check,
                    struct outcome_undefined *undefined);
/* The run of a solution, in `query->arena`. For a joined path it is one of its runs, as a path of
 * its own. */
struct smt_taken {
    struct exec_skeleton *skeleton;
    uint32_t *paths;  /* per thread: the number of the program's path */
    uint32_t **nodes; /* per thread: the program's event for each event of the skeleton's path */
};
struct smt_taken smt_take(struct smt_query *query);

/* After SMT_SAT: adds the undefined behaviour of the execution, and shows the execution if it is
 * the first. */
void smt_report_undefined(struct smt_query *query, const struct outcome_undefined *undefined);
/* Reports undefined behaviour and flags; only the first when deciding. */
void smt_look_for_undefined(struct smt_query *query);
/* Notes the doubts of executions that a bound cuts short. */
void smt_look_at_bounds(struct smt_query *query);
/* smt_divergence.c: reports every wait at a barrier for a thread that never comes; only the first
 * when deciding. */
void smt_look_at_divergence(struct smt_query *q);

#endif
