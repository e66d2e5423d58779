/* engine: what every engine is asked and how it answers.
 *
 * An engine takes a program, a loaded model and limits, fills an outcome, and shows
 * a witness for every state it reports. It never prints and never exits.
 */
#ifndef CRASHLIT_ENGINE_H
#define CRASHLIT_ENGINE_H

#include "base/clock.h"
#include "cat/cat_eval.h"
#include "engine/outcome.h"
#include "engine/thresholds.h"
#include "exec/exec_crash.h"
#include "exec/exec_symmetry.h"

/* The crash mode a test is checked under when none is asked for. */
enum exec_crash_mode engine_default_crash_mode(const struct lit_program *program);

struct engine_limits {
    uint32_t unroll;
    struct clock_limit clock; /* of the question, with all that is asked on its way */
    uint32_t memory_mib; /* of the solver, and of a machine's states unless it is said how many; 0:
                            none. What an enumeration takes is bounded anyway */
    bool brief;          /* no execution that rests on how evenly a location is shared which an
                            await updates (exec_path.h); no machine heeds it */
    uint32_t threads;    /* that an engine may use, its caller's among them; 0: that one */
};

/* A witness of a state: a consistent execution, and for crash states a cut. Valid
 * during the callback only. */
struct engine_witness {
    const struct exec_skeleton *skeleton;
    uint64_t skeleton_number; /* differ when skeleton or execution differ, among the witnesses
                                 of one run's states */
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

/* The plan's model with what the witness says of the relations that a skeleton leaves open, to be
 * evaluated. */
struct cat_eval *engine_witness_eval(struct arena *arena, const struct cat_plan *plan,
                                     const struct engine_witness *witness);

typedef void engine_witness_callback(void *context, const struct engine_witness *witness);

struct engine_request;

/* A run of the recovery program begins, on this state (columns of the outcome's `crash`);
 * witnesses until the next call are of `recovery`. NULL and NULL: it is over, and witnesses are
 * of the request's own program again. Runs do not nest. */
typedef void engine_recovery_callback(void *context, const struct engine_request *recovery,
                                      const int64_t *start);

/* Why a state is out of reach, shown (engine/near_miss.h). */
struct near_miss;
typedef void engine_near_miss_callback(void *context, const struct near_miss *miss);

enum { ENGINE_ROUNDS = 8 };

/* What an engine keeps of a program from one question to the next, for who asks several of it, with
 * one model pair after the other. It belongs to who asks, and is used by one thread at a time. */
struct engine_kept {
    const struct lit_program *program; /* questions about any other have no part in it */
    void *what;                        /* the engine's own; NULL: nothing */
    void (*drop)(void *what);
};
void engine_kept_fini(struct engine_kept *kept);

/* What a run made of the values that locations have to begin with. Two programs that differ in
 * nothing but the first values of locations that were not looked at have the same executions. */
struct engine_initials {
    bool *looked_at; /* per location: its first value was used in something that was tried; who
                        merely shows it as a state's has not looked at it */
};

struct engine_request {
    const struct lit_program *program;
    const struct cat_model *model;
    const struct cat_plan *plan;
    const struct recheck_nodes
        *recheck_nodes; /* of the model, for recheck.h; NULL: it makes them */
    enum exec_crash_mode crash_mode;
    struct engine_limits limits;
    const void *own; /* what was said to this engine alone, of the type that its header names; NULL:
                        nothing was */
    bool decide;     /* look for one state that decides each condition instead of listing all */
    bool conditions_alone; /* with `decide`: undefined behaviour is not looked for */
    bool recovery_crash;   /* recovery may crash and restart, declared so or not */
    bool no_crash_states;  /* nobody asks for them */
    const struct engine_thresholds *thresholds; /* NULL: the usual ones */
    const struct exec_symmetry *symmetry; /* of the program, to be used; NULL: the engine finds it.
                                             Without a class none is used */
    struct engine_kept *kept;         /* NULL: nothing is kept, and every state is shown; else of
                                         what was kept no state is shown again */
    struct engine_initials *initials; /* to be filled; NULL: nobody asks */
    uint32_t rounds; /* how often recovery is started at most, one after the other; 0: the
                        default, ENGINE_ROUNDS */
    engine_witness_callback *on_witness; /* may be NULL; called once per new state */
    engine_recovery_callback
        *on_recovery; /* may be NULL; for who wants to know whose a witness is */
    engine_witness_callback *on_undefined; /* may be NULL; called once, for the first execution that
                                              is seen to have undefined behaviour, when that is
                                              recorded already; not for runs of recovery, and never
                                              by a machine, whose runs have no rf and co. The
                                              witness has no state: cut, items and row are NULL. */
    engine_near_miss_callback *on_near_miss; /* may be NULL; of explanations alone: called at most
                                                once, for a state that cannot be reached */
    void *context;
};

static inline const struct engine_thresholds *
engine_thresholds_of(const struct engine_request *request)
{
    return request->thresholds ? request->thresholds : &engine_usual_thresholds;
}

/* Which barriers of the program and its recovery are rendezvous under the model, of those that
 * leave it to the model's `waits`; `waits` starts as all false. `scratch` is rewound. */
void engine_find_waiting(struct arena *scratch, const struct engine_request *request,
                         struct ev_waits *waits);

/* When writes inside of the program's transactions take effect under the model. Lives in the arena;
 * `scratch` is rewound. */
struct exec_effects engine_find_effects(struct arena *arena, struct arena *scratch,
                                        const struct engine_request *request);
/* Is there one that does not at once? */
bool engine_keeps_writes(const struct lit_program *program, const struct cat_model *model);

/* Whether recovery may raise a flag of the model that is not raised yet. */
bool engine_recovery_may_flag(const struct engine_request *request, const struct outcome *outcome);

/* One row of the table of engines, which only session/ holds: what an engine can do is what it has
 * a function for. NULL: it cannot. */
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
    engine_explain_function *explain; /* why a condition's state is, or is not, reached */
    engine_trace_function *trace;     /* of one that explores machines, not models */
    bool chooses;                     /* has others run, and runs nothing itself */
};

#endif
