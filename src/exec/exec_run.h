/* exec_run: one run of a thread in progress. Private to exec_run.c, exec_step*.c, exec_evaluate.c,
 * exec_deps.c, exec_region.c, exec_join.c, exec_bound.c and exec_await.c. */
#ifndef CRASHLIT_EXEC_RUN_H
#define CRASHLIT_EXEC_RUN_H

#include "base/vec.h"
#include "exec/exec_path.h"

/* Lists grow at the front; runs that split share them. */
struct run_event {
    struct ev event;
    struct exec_deps addr, data, ctrl;
    const struct exec_guard *guard;
    const struct run_event *previous;
};

struct run_constraint {
    struct exec_constraint constraint;
    const struct run_constraint *previous;
};

struct run_crash {
    struct exec_crash_mark mark;
    const struct run_crash *previous;
};

struct run_assignment {
    struct exec_assignment assignment;
    const struct run_assignment *previous;
};

/* A round of a wait that is kept for what a crash shows of it (exec_await.c). */
struct run_round {
    uint64_t shown; /* which of the AWAIT's `shown` it has assigned */
    bool hides;     /* an earlier one, as it assigned all that this had */
    const struct run_round *previous;
};

/* The ways of a branch before they meet: whatever is executed until then depends on `deps`. */
struct run_region {
    uint32_t end;     /* where they meet */
    uint32_t decides; /* a register that depends on `deps` from there on, or LIT_NONE */
    struct exec_deps deps;
};

/* A write inside of a transaction that has not taken effect. */
struct run_logged {
    struct run_event write;
    const struct run_logged *previous;
};

/* A run may split over whether the transaction that begins is aborted. RUN_TO_ABORT must reach its
 * abort; RUN_UNLESS_ABORTED must not. */
enum run_transaction { RUN_OUTSIDE, RUN_INSIDE, RUN_UNLESS_ABORTED, RUN_TO_ABORT };

struct run {
    uint32_t pc, steps;
    const struct exec_value **registers;
    struct exec_deps *register_deps;
    uint32_t *iterations; /* per loop */
    const struct run_event *events;
    uint32_t event_count;
    const struct run_constraint *constraints;
    uint32_t constraint_count;
    const struct run_crash *crashes;
    uint32_t crash_count;
    const struct run_assignment *assignments;
    uint32_t assignment_count;
    const struct run_round *rounds;   /* of a visit: kept before it, the newest first */
    const struct run_region *regions; /* each end and register once; shared, like lists */
    uint32_t region_count;
    struct exec_deps ctrl; /* of all regions */
    enum run_transaction transaction;
    const struct run_logged *log; /* the newest first */
    uint32_t settled;             /* the step at which it was decided whether the write stays */
    bool stays;
    bool branch_was_open;          /* the last branch depended on a read */
    const struct lit_instr *bound; /* where it met a loop's bound, see run_meet_bound; or NULL */
    bool probe;
    bool shares;                    /* see the path's */
    bool is_off;                    /* no such run exists, or it is not the one followed */
    const struct run **visits;      /* per loop: the run when it last passed its AWAIT, or NULL */
    const struct run_pass **passes; /* per loop: the iteration that later ones are compared with
                                       (exec_bound.c), or NULL */
    bool *opened;                   /* per loop: a branch depended on a read since that pass */
};

/* A place where a run split, and where its parts may join. */
struct run_fork {
    uint32_t join;                  /* the instruction where they meet */
    size_t open;                    /* how many runs are on the stack below it */
    const struct run_event *events; /* of the run that split, as the next fields */
    uint32_t event_count;
    const struct run_constraint *constraints;
    uint32_t constraint_count;
    const struct run_crash *crashes;
    const struct run_assignment *assignments;
    const struct run_logged *log;
    enum run_transaction transaction;
    bool lost; /* some part ended before the join */
    VEC(struct run *) arrived;
};

struct runner {
    struct arena *arena;
    const struct lit_program *program;
    const struct lit_thread *thread;
    uint32_t thread_index;
    const struct exec_run_options *options;
    bool *waits_at;             /* per instruction: on a way round of a wait */
    bool *waits_in;             /* per loop: it may wait */
    uint32_t *meets;            /* per branch: where its ways meet; NULL: at the thread's end */
    uint32_t *bounds;           /* per loop: the most iterations that count (run_counts) */
    uint64_t begin, end, abort; /* the tags of marks */
    bool splits; /* some write is undone when its transaction is aborted, and one may be */
    bool drops;  /* such a write may also stay; then its reads do not identify a run, and none are
                   joined */
    VEC(struct run *) open; /* runs still to be continued */
    VEC(const struct exec_path *) done;
    VEC(struct run_fork) forks; /* innermost last */
    uint32_t fork_number;
    uint32_t most_events; /* the most of one run */
    bool shows_registers; /* a crash condition names one */
    uint64_t counted;     /* the tags that fences count by */
    bool truncated;
    bool late; /* some run did not reach the thread's end within EXEC_CUT_EVENTS */
    bool cut;  /* some run was cut, for its length or for that of a value */
};

/* A value with the reads it depends on. `fault` is nonzero when computing the value divides by
 * zero; NULL: it cannot. */
struct run_value {
    const struct exec_value *value;
    struct exec_deps deps;
    const struct exec_value *fault;
};

/* The run ends for the bound of this loop: at once, or, when a crash condition names a register,
 * before its next event, as what it computes until then is there with its last one. Does it go on?
 * Not if it meets a bound once more. */
bool run_meet_bound(struct runner *runner, struct run *run, const struct lit_instr *instr);
struct run *run_split(struct runner *runner, const struct run *run);
void run_constrain(struct runner *runner, struct run *run, const struct exec_value *value,
                   bool truth);
/* The part of the run on which the value is not 0; NULL when it always is. */
struct run *run_where(struct runner *runner, const struct run *run, const struct exec_value *value);
/* Makes a path of the run; NULL when it is not kept. */
struct exec_path *run_end(struct runner *runner, const struct run *run, enum exec_end end,
                          const struct lit_instr *instr);
/* Notes an assignment: the register has the value once the thread's events from `first` up to the
 * last so far have executed. Only for registers of crash conditions. */
void run_assign(struct runner *runner, struct run *run, uint32_t reg, uint32_t first);
/* Ends a run that is longer, or has a larger value, than is looked at. */
void run_end_too_long(struct runner *runner, const struct run *run, const struct lit_instr *instr);
/* Ends a run whose wait never ends. The path stops where `visit` was; `spins` keeps it in the
 * iteration that `run` has made since. */
void run_end_spinning(struct runner *runner, const struct run *visit, const struct run *run,
                      const struct lit_instr *instr, const struct exec_constraint *spins,
                      uint32_t spin_count);

/* ---- Dependencies (exec_deps.c) ---- */

/* run_deps_of: the set of one read. run_deps_join: adds `more`. */
struct exec_deps run_deps_of(struct runner *runner, uint32_t read);
void run_deps_join(struct runner *runner, struct exec_deps *deps, const struct exec_deps *more);
/* As run_value_shift, for dependencies. */
struct exec_deps run_deps_shift(struct runner *runner, const struct exec_deps *deps, uint32_t from,
                                uint32_t shift);
/* Is it one of those whose tokens a fence counts, by their tag? Runs that have such events since they
 * parted are not joined where somebody asks, so their number is known. */
static inline bool run_tells_token(uint64_t counted, const struct ev *event)
{
    return (event->kind == EV_FENCE || event->kind == EV_CM) && (ev_tags(event) & counted);
}
/* A part of a fork with its dependencies; it is taken when `when` is not 0. run_deps_choose: the
 * dependencies on whichever part is taken. Reads from `own` on belong to one part each. */
struct run_deps_part {
    struct exec_deps deps;
    const struct exec_value *when;
};
struct exec_deps run_deps_choose(struct runner *runner, const struct run_deps_part *parts,
                                 uint32_t count, uint32_t own);
/* Is every case's value within the size limit? */
bool run_deps_fit(const struct exec_deps *deps);

/* ---- Control dependencies (exec_region.c) ---- */

/* Finds where branches end. */
void run_find_meets(struct runner *runner);
/* Enters a region: what is executed up to its end depends on its reads. */
void run_region_enter(struct runner *runner, struct run *run, const struct run_region *region);
/* Leaves the regions that end where the run is. */
void run_region_leave(struct runner *runner, struct run *run);
/* Sets the run's regions to a list, which must live on. */
void run_region_set(struct runner *runner, struct run *run, const struct run_region *regions,
                    uint32_t count);
/* The region of the same end and register, or NULL. */
const struct run_region *run_region_like(const struct run *run, const struct run_region *region);

/* ---- Joining (exec_join.c) ---- */

/* Notes that the run is about to split, and that its parts may join at an instruction. */
void run_fork(struct runner *runner, const struct run *run, uint32_t join);
/* Where the parts of a branch meet. */
uint32_t run_branch_ends(const struct runner *runner, const struct run *run, uint32_t target);
/* Is the run where it may join others? If so it waits for them. */
bool run_arrives(struct runner *runner, struct run *run);
/* Joins the parts that have arrived at the innermost join, as far as they can go on as one. */
void run_join(struct runner *runner);

/* ---- Bounds of loops (exec_bound.c) ---- */

void run_find_bounds(struct runner *runner);
/* At a LOOP: does the iteration count against the loop's bound? */
bool run_counts(struct runner *runner, struct run *run, const struct lit_instr *loop);

/* ---- Waiting (exec_await.c) ---- */

/* Finds the loops that may wait. */
void run_find_waits(struct runner *runner);
/* At an AWAIT: false when the run waits there, which is one of its ends. */
bool run_come_by(struct runner *runner, struct run *run, const struct lit_instr *instr);

/* ---- Expressions (exec_evaluate.c) ---- */

/* An operator of logic over ints. */
const struct exec_value *run_logic(struct runner *runner, enum lit_operator op,
                                   const struct exec_value *a, const struct exec_value *b);
/* The value with `shift` added to the numbers of the reads from `from` on. */
const struct exec_value *run_value_shift(struct runner *runner, const struct exec_value *value,
                                         uint32_t from, uint32_t shift);
struct run_value run_evaluate(struct runner *runner, const struct run *run,
                              const struct lit_expr *expr);
/* Makes sure that computing the value has no fault on this run; a faulting case becomes a run of
 * its own. False when the value always has a fault, or passed its size limit. */
bool run_survives(struct runner *runner, struct run *run, const struct run_value *value);
/* "This number is `candidate`", as a value. */
const struct exec_value *run_index_is(struct runner *runner, const struct exec_value *number,
                                      uint32_t candidate);
/* Adds the run on which a number is undefined, which ends there. */
void run_split_outside(struct runner *runner, const struct run *run,
                       const struct exec_value *number, uint32_t low, uint32_t high);

/* ---- Transactions (exec_transaction.c) ---- */

/* Finds what transaction marks do to the thread's runs. */
void run_find_effects(struct runner *runner);
/* Does a write of the instruction at run->pc not take effect for now? */
bool run_keeps_write(const struct runner *runner, const struct run *run, uint32_t location);
/* The newest such write to the location; NULL: none. */
const struct run_event *run_logged_write(const struct run *run, uint32_t location);
void run_log_write(struct runner *runner, struct run *run, const struct run_event *write);
/* Forgets the logged writes of a location after a later write has taken effect. */
void run_forget_logged(struct runner *runner, struct run *run, uint32_t location);
/* Call before the instruction at run->pc writes. Where writes of an aborted transaction may be gone
 * or stay, the run splits: it is one case, another run is the other. */
void run_settle_write(struct runner *runner, struct run *run);
/* Call before a fence, which may be a mark, executes: what takes effect there becomes events. False
 * when the run split and another part goes on. */
bool run_come_to_mark(struct runner *runner, struct run *run, const struct lit_instr *mark);
/* Call after it has executed: a transaction may have begun. */
void run_pass_mark(struct runner *runner, struct run *run, const struct lit_instr *mark);
/* Has the run to be dropped, since another run covers it? */
bool run_is_vain(const struct run *run);

/* ---- Steps ---- */

/* The instruction at run->pc. */
const struct lit_instr *run_instr(const struct runner *runner, const struct run *run);
/* Appends an event to the run's events. */
void run_link_event(struct run *run, struct run_event *event);
/* Adds an event with the instruction's order, scope and spaces. */
struct run_event *run_add_event(struct runner *runner, struct run *run, enum ev_kind kind);
/* Is another thread in the thread's instance of the scope? */
bool run_has_company(const struct runner *runner, enum lit_scope scope);
/* Executes a barrier; false when others replaced the run (exec_step_barrier.c). */
bool run_step_barrier(struct runner *runner, struct run *run, const struct lit_instr *instr);
/* Executes the instruction at run->pc. False when the run goes no further: it ended, or was
 * replaced by runs pushed on runner->open. */
bool run_step(struct runner *runner, struct run *run);

#endif
