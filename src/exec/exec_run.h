/* exec_run: one run of a thread under way. Private to exec_run.c, exec_step*.c,
 * exec_evaluate.c, exec_deps.c, exec_region.c, exec_join.c, exec_bound.c and exec_await.c. */
#ifndef CRASHLIT_EXEC_RUN_H
#define CRASHLIT_EXEC_RUN_H

#include "base/vec.h"
#include "exec/exec_path.h"

/* Lists grow at the front and are shared between runs that split. */
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

/* Ways of a branch that have not met yet: what is executed until then depends on `deps`. */
struct run_region {
    uint32_t end;     /* where they meet */
    uint32_t decides; /* the register that depends on it, too, from there on, or LIT_NONE */
    struct exec_deps deps;
};

/* A write inside of a transaction that has not taken effect. */
struct run_logged {
    struct run_event write;
    const struct run_logged *previous;
};

/* Where a run splits over whether the transaction that begins is aborted, the part of the one goes
 * to its abort and nowhere else, the other part anywhere but there. */
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
    uint32_t repeats; /* of a visit: iterations before it that only crash conditions tell of */
    const struct run_region *regions; /* each end and register once; shared, like lists */
    uint32_t region_count;
    struct exec_deps ctrl; /* of all regions */
    enum run_transaction transaction;
    const struct run_logged *log; /* the newest first */
    uint32_t settled;             /* at which step it was said whether the write stays */
    bool stays;
    bool branch_was_open; /* the last branch depended on a read */
    bool probe;
    bool shares;               /* see the path's */
    bool is_off;               /* there is no such run, or it is not the one that is followed */
    const struct run **visits; /* per loop: the run as it last came by its AWAIT, or NULL */
    const struct run_pass **passes; /* per loop: an iteration that later ones are held against
                                       (exec_bound.c); NULL: none has been */
    bool *opened;                   /* per loop: a branch has depended on a read since that pass */
};

/* A place where a run split, and where its parts may join again. */
struct run_fork {
    uint32_t join;                  /* the instruction where they meet */
    size_t open;                    /* runs on the stack below it */
    const struct run_event *events; /* of the run that split, like the rest */
    uint32_t event_count;
    const struct run_constraint *constraints;
    uint32_t constraint_count;
    const struct run_crash *crashes;
    const struct run_assignment *assignments;
    const struct run_logged *log;
    enum run_transaction transaction;
    bool lost; /* some part ended before it got there */
    VEC(struct run *) arrived;
};

struct runner {
    struct arena *arena;
    const struct lit_program *program;
    const struct lit_thread *thread;
    uint32_t thread_index;
    const struct exec_run_options *options;
    bool *waits_at;             /* per instruction: in a loop that may wait */
    bool *waits_in;             /* per loop: it may wait */
    uint32_t *meets;            /* per branch: where its ways meet; NULL: at the thread's end */
    uint32_t *bounds;           /* per loop: iterations that count */
    uint64_t begin, end, abort; /* the tags of marks */
    bool splits; /* some write is undone when its transaction is aborted, which one may be */
    bool drops; /* or stays, so that its reads do not tell a run from all others; none are joined */
    VEC(struct run *) open; /* runs still to be continued */
    VEC(const struct exec_path *) done;
    VEC(struct run_fork) forks; /* innermost last */
    uint32_t fork_number;
    uint32_t most_events; /* of a run */
    bool shows_registers; /* a crash condition names one */
    bool truncated;
    bool late; /* some run did not get to the thread's end within EXEC_CUT_EVENTS */
    bool cut;  /* for its length, or that of a value */
};

/* A value with the reads it depends on. `fault` is nonzero when computing it divides
 * by zero; NULL when it cannot. */
struct run_value {
    const struct exec_value *value;
    struct exec_deps deps;
    const struct exec_value *fault;
};

struct run *run_split(struct runner *runner, const struct run *run);
void run_constrain(struct runner *runner, struct run *run, const struct exec_value *value,
                   bool truth);
/* The part of the run on which the value is not 0; NULL when it always is. */
struct run *run_where(struct runner *runner, const struct run *run, const struct exec_value *value);
/* The path that the run was; NULL when it is not kept. */
struct exec_path *run_end(struct runner *runner, const struct run *run, enum exec_end end,
                          const struct lit_instr *instr);
/* Notes that a register of a crash condition has the value once the thread's events from `first`
 * on, up to the last so far, have executed; of others nothing. */
void run_assign(struct runner *runner, struct run *run, uint32_t reg, uint32_t first);
/* The run is longer, or a value larger, than is looked at. */
void run_end_too_long(struct runner *runner, const struct run *run, const struct lit_instr *instr);
/* A wait never ends: the path stops where `visit` came by, and `spins` keeps it in the iteration
 * that `run` has been through since. */
void run_end_spinning(struct runner *runner, const struct run *visit, const struct run *run,
                      const struct lit_instr *instr, const struct exec_constraint *spins,
                      uint32_t spin_count);

/* ---- Dependencies (exec_deps.c) ---- */

/* One read alone, by its number; what depends on more as well. */
struct exec_deps run_deps_of(struct runner *runner, uint32_t read);
void run_deps_join(struct runner *runner, struct exec_deps *deps, const struct exec_deps *more);
/* As run_value_shift. */
struct exec_deps run_deps_shift(struct runner *runner, const struct exec_deps *deps, uint32_t from,
                                uint32_t shift);
/* What depends on `deps` of the part that is taken, the one whose `when` is not 0. Reads from `own`
 * on are of one part alone. */
struct run_deps_part {
    struct exec_deps deps;
    const struct exec_value *when;
};
struct exec_deps run_deps_choose(struct runner *runner, const struct run_deps_part *parts,
                                 uint32_t count, uint32_t own);
/* Is no value of a case larger than values may be? */
bool run_deps_fit(const struct exec_deps *deps);

/* ---- Control dependencies (exec_region.c) ---- */

/* Finds where branches end. */
void run_find_meets(struct runner *runner);
/* What is executed from here to the region's end depends on its reads. */
void run_region_enter(struct runner *runner, struct run *run, const struct run_region *region);
/* Leaves the regions that end where the run is. */
void run_region_leave(struct runner *runner, struct run *run);
/* The run's regions are these, a list that stays. */
void run_region_set(struct runner *runner, struct run *run, const struct run_region *regions,
                    uint32_t count);
/* The region of the same end and register, or NULL. */
const struct run_region *run_region_like(const struct run *run, const struct run_region *region);

/* ---- Joining (exec_join.c) ---- */

/* The run is about to split, and its parts may join at an instruction. */
void run_fork(struct runner *runner, const struct run *run, uint32_t join);
/* Where the parts of a branch meet. */
uint32_t run_branch_ends(const struct runner *runner, const struct run *run, uint32_t target);
/* Is the run where it may join others? Then it waits for them. */
bool run_arrives(struct runner *runner, struct run *run);
/* Everybody who got to the innermost join is there: those who can go on as one. */
void run_join(struct runner *runner);

/* ---- Bounds of loops (exec_bound.c) ---- */

void run_find_bounds(struct runner *runner);
/* Comes by a LOOP: does the iteration count against the loop's bound? */
bool run_counts(struct runner *runner, struct run *run, const struct lit_instr *loop);

/* ---- Waiting (exec_await.c) ---- */

/* Finds the loops that may wait. */
void run_find_waits(struct runner *runner);
/* Comes by an AWAIT; false when the run waits there, which is one of its ends. */
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
/* Makes sure that computing the value has no fault on this run, with a run of its own for
 * when it has. False when it always has one, or the value grew past its bound. */
bool run_survives(struct runner *runner, struct run *run, const struct run_value *value);
/* "This number is `candidate`", as a value. */
const struct exec_value *run_index_is(struct runner *runner, const struct exec_value *number,
                                      uint32_t candidate);
/* The run on which a number lies outside of what is defined, which ends there. */
void run_split_outside(struct runner *runner, const struct run *run,
                       const struct exec_value *number, uint32_t low, uint32_t high);

/* ---- Transactions (exec_transaction.c) ---- */

/* Finds out what marks do to the thread's runs. */
void run_find_effects(struct runner *runner);
/* Does a write of the instruction at run->pc keep from taking effect for now? */
bool run_keeps_write(const struct runner *runner, const struct run *run, uint32_t location);
/* The newest such write of the location; NULL when there is none. */
const struct run_event *run_logged_write(const struct run *run, uint32_t location);
void run_log_write(struct runner *runner, struct run *run, const struct run_event *write);
/* A later write of the location has taken effect. */
void run_forget_logged(struct runner *runner, struct run *run, uint32_t location);
/* The instruction at run->pc may write: where what an aborted transaction writes is gone or stays,
 * the run is one of the two from here on, and another part is the other. */
void run_settle_write(struct runner *runner, struct run *run);
/* A fence, which may be a mark, is about to execute: what takes effect there becomes events. False
 * when another part of a split goes this way. */
bool run_come_to_mark(struct runner *runner, struct run *run, const struct lit_instr *mark);
/* It has executed: a transaction may have begun. */
void run_pass_mark(struct runner *runner, struct run *run, const struct lit_instr *mark);
/* Is the run over without being one, as another goes the same way? */
bool run_is_vain(const struct run *run);

/* ---- Steps ---- */

/* The instruction at run->pc. */
const struct lit_instr *run_instr(const struct runner *runner, const struct run *run);
/* Adds an event of the thread behind those that are there. */
void run_link_event(struct run *run, struct run_event *event);
/* Adds an event with the instruction's order, scope and spaces. */
struct run_event *run_add_event(struct runner *runner, struct run *run, enum ev_kind kind);
/* Is some other thread in the thread's instance of the scope? */
bool run_has_company(const struct runner *runner, enum lit_scope scope);
/* A barrier; false when the run was replaced by others (exec_step_barrier.c). */
bool run_step_barrier(struct runner *runner, struct run *run, const struct lit_instr *instr);
/* Executes the instruction at run->pc. Returns false when the run went no further
 * (it ended, or was replaced by runs pushed on runner->open). */
bool run_step(struct runner *runner, struct run *run);

#endif
