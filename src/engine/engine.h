/* engine: the interface of all engines.
 *
 * An engine takes a program, a loaded model and limits, fills an outcome, and shows a witness for
 * every state it reports. It never prints and never exits. */
#ifndef CRASHLIT_ENGINE_H
#define CRASHLIT_ENGINE_H

#include "base/clock.h"
#include "cat/cat_eval.h"
#include "engine/outcome.h"
#include "engine/thresholds.h"
#include "exec/exec_crash.h"
#include "exec/exec_symmetry.h"

/* The default crash mode of a test. */
enum exec_crash_mode engine_default_crash_mode(const struct lit_program *program);

struct engine_limits {
    uint32_t unroll;
    struct clock_limit clock; /* for the question and everything asked on its way */
    uint32_t memory_mib; /* of the solver, and of a machine's states unless their number is given;
                            0: no limit. An enumeration is bounded anyway */
    bool brief;          /* leaves out executions that rely on even sharing of a location that an
                            await updates (exec_path.h); machines ignore it */
    uint32_t threads;    /* that an engine may use, its caller's among them; 0: only its caller's */
};

/* A witness of a state: a consistent execution, and for crash states a cut. Valid
 * during the callback only. */
struct engine_witness {
    const struct exec_skeleton *skeleton;
    uint64_t skeleton_number; /* both numbers differ when skeleton, or execution, differ, among the
                                 witnesses of one run's states */
    uint64_t execution_number;
    const rel_word *rf, *co, *fr;
    const rel_word *const *choices; /* the model's, in its order */
    const rel_word *sync_fence;     /* NULL when the model does not mention it */
    const int64_t *values;          /* per read, in the skeleton's value numbering */
    const struct exec_cut *cut;     /* NULL for final states */
    const struct lit_atom *items;   /* the state: its columns and their values */
    const int64_t *row;
    uint32_t width;
};

/* Evaluates the plan's model on a witness: prepared with the relations that the skeleton leaves
 * open. */
struct cat_eval *engine_witness_eval(struct arena *arena, const struct cat_plan *plan,
                                     const struct engine_witness *witness);

typedef void engine_witness_callback(void *context, const struct engine_witness *witness);

struct engine_request;

/* A run of the recovery program begins on this state (columns of the outcome's `crash`). Witnesses
 * until the next call are of `recovery`. NULL and NULL: it is over, and witnesses are of the
 * request's own program again. Runs do not nest. */
typedef void engine_recovery_callback(void *context, const struct engine_request *recovery,
                                      const int64_t *start);

/* Shows why a state is out of reach (engine/near_miss.h). */
struct near_miss;
typedef void engine_near_miss_callback(void *context, const struct near_miss *miss);

enum { ENGINE_ROUNDS = 8 };

/* What an engine keeps of a program between questions, for callers that ask about one model pair
 * after the other. It belongs to the caller; one thread uses it at a time. */
struct engine_kept {
    const struct lit_program *program; /* questions about other programs ignore it */
    void *what;                        /* the engine's own; NULL: nothing */
    void (*drop)(void *what);
};
void engine_kept_fini(struct engine_kept *kept);

/* Which initial values a run depended on. Programs that differ only in initial values of locations
 * that were not looked at have the same executions. */
struct engine_initials {
    bool *looked_at; /* per location: something that was tried used its initial value; showing it in
                        a state does not count */
};

struct engine_request {
    const struct lit_program *program;
    const struct cat_model *model;
    const struct cat_plan *plan;
    const struct recheck_nodes
        *recheck_nodes; /* of the model, for recheck.h; NULL: recheck makes them */
    enum exec_crash_mode crash_mode;
    struct engine_limits limits;
    const void *own; /* a setting for this engine alone, of the type that its header names; NULL:
                        none */
    bool decide;     /* look for one state that decides each condition instead of listing all */
    bool conditions_alone; /* with `decide`: undefined behaviour is not looked for */
    bool endless;          /* without conditions: instead of undefined behaviour, looks for an
                              execution in which all have ended or wait, and some wait for ever in
                              an await (OUTCOME_ENDLESS). A machine finds some of these */
    bool recovery_crash;   /* recovery may crash and restart, declared so or not */
    bool no_crash_states;  /* crash states are not wanted */
    const struct engine_thresholds *thresholds; /* NULL: the usual ones */
    const struct exec_symmetry *symmetry; /* of the program, to be used (none, if it has no class);
                                             NULL: the engine finds it */
    struct engine_kept *kept;             /* NULL: nothing is kept, and every state is shown; else
                                         states that were kept are not shown again */
    struct certificate *certificate;      /* of a listing by the enumerator: written on the way
                                             (enum_certify); NULL: none */
    struct engine_initials *initials;     /* to be filled; NULL: nobody asks */
    uint32_t rounds; /* the most starts of recovery in a row; 0: ENGINE_ROUNDS */
    engine_witness_callback *on_witness;   /* may be NULL; called once per new state */
    engine_recovery_callback *on_recovery; /* may be NULL; tells whose witnesses follow */
    engine_witness_callback *on_undefined; /* may be NULL; called once, for the first execution seen
                                              to have undefined behaviour, after that is recorded.
                                              Not for runs of recovery. Never by a machine, as its
                                              runs have no rf and co. The witness has no state: cut,
                                              items and row are NULL. */
    engine_near_miss_callback *on_near_miss; /* may be NULL; only for explanations: called at most
                                                once, for a state out of reach */
    void *context;
};

static inline const struct engine_thresholds *
engine_thresholds_of(const struct engine_request *request)
{
    return request->thresholds ? request->thresholds : &engine_usual_thresholds;
}

/* Finds the barriers of the program and its recovery that the model's `waits` makes rendezvous, of
 * those that leave it to the model. `waits` must be all false. `scratch` is rewound. */
void engine_find_waiting(struct arena *scratch, const struct engine_request *request,
                         struct ev_waits *waits);

/* Finds when writes inside of the program's transactions take effect under the model. Lives in the
 * arena; `scratch` is rewound. */
struct exec_effects engine_find_effects(struct arena *arena, struct arena *scratch,
                                        const struct engine_request *request);
/* Does some write not take effect at once? */
bool engine_keeps_writes(const struct lit_program *program, const struct cat_model *model);

/* May recovery raise a flag of the model that is not raised yet? */
bool engine_recovery_may_flag(const struct engine_request *request, const struct outcome *outcome);

/* A row of the table of engines, which only session/ holds. NULL: the engine cannot do that. */
typedef void engine_function(const struct engine_request *request, struct outcome *outcome);

struct explanation;
typedef void engine_explain_function(const struct engine_request *request,
                                     const struct lit_condition *condition,
                                     struct explanation *explanation);

struct trace;
struct trace_goal;
typedef void engine_trace_function(const struct engine_request *request,
                                   const struct trace_goal *goal, struct trace *trace);

struct engine_entry {
    const char *name;
    const char *description;
    engine_function *run;
    engine_function *run_alone;       /* the program without its recovery; fills the initials */
    engine_explain_function *explain; /* why a condition's state can, or cannot, be reached */
    engine_trace_function *trace;     /* only of the engine that explores machines */
    bool chooses;                     /* it runs other engines */
};

#endif
