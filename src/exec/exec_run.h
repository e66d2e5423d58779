/* exec_run: one run of a thread under way. Private to exec_run.c and exec_step.c. */
#ifndef CRASHLIT_EXEC_RUN_H
#define CRASHLIT_EXEC_RUN_H

#include "base/vec.h"
#include "exec/exec_path.h"

/* Lists grow at the front and are shared between runs that split. */
struct run_event {
    struct ev event;
    struct exec_deps addr, data, ctrl;
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
    struct exec_deps ctrl;
    bool branch_was_open; /* the last branch depended on a read */
    bool probe;
    const struct run *spin; /* the run as it entered the await it is in */
};

struct runner {
    struct arena *arena;
    const struct lit_program *program;
    const struct lit_thread *thread;
    uint32_t thread_index;
    const struct exec_run_options *options;
    VEC(struct run *) open;            /* runs still to be continued */
    VEC(const struct exec_path *) done;
    bool truncated;
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
void run_end(struct runner *runner, const struct run *run, enum exec_end end,
             const struct lit_instr *instr, const struct ev_meeting *meeting);
/* The run is longer, or a value larger, than is looked at. */
void run_end_too_long(struct runner *runner, const struct run *run,
                      const struct lit_instr *instr);
/* An await spins for ever: the path stops before the iteration `run` is in. */
void run_end_spinning(struct runner *runner, const struct run *run,
                      const struct lit_instr *instr, const struct exec_value *again);

/* Executes the instruction at run->pc. Returns false when the run went no further
 * (it ended, or was replaced by runs pushed on runner->open). */
bool run_step(struct runner *runner, struct run *run);

#endif
