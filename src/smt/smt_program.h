/* smt_program: a program's events, all that may happen, and what chooses among them. Private to
 * the symbolic engine.
 *
 * A relation's term for a pair speaks of executions in which both events are executed;
 * whoever goes through a third event adds its guard.
 *
 * Ownership: everything lives in the arena of the request; terms in its solver.
 */
#ifndef CRASHLIT_SMT_PROGRAM_H
#define CRASHLIT_SMT_PROGRAM_H

#include "engine/engine.h"
#include "smt/smt_solver.h"

struct smt_event {
    struct ev ev;
    uint32_t parent;                /* the event before it in its thread, LIT_NONE */
    const struct exec_guard *under; /* the part of a joined path that has it, NULL: all do */
    const struct exec_path *path;   /* one that goes through it, and where */
    uint32_t index;
    smt_term guard;
    smt_term value; /* of accesses */
};

/* One thread's paths. */
struct smt_thread {
    struct exec_paths paths;
    smt_term *chosen; /* per path */
    uint32_t **nodes; /* per path: its events, in program order */
};

struct smt_rules;

struct smt_program {
    const struct engine_request *request;
    struct outcome *outcome;
    struct smt_solver *solver;
    struct arena *arena;
    struct exec_run_options options;
    struct smt_rules *rules; /* NULL, or what may be taken back (smt_rules.h) */
    bool unchecked;          /* the model's checks are not asserted */
    struct smt_thread *threads;
    struct smt_event *events;
    const smt_term *initial; /* per location: its initial value; NULL, or NULL for one: as the
                                test says */
    uint32_t init_count;
    struct rel_dim dim;
    rel_word *compatible;           /* pairs that one execution may have both of */
    rel_word *always;               /* set: executed in every execution */
    smt_term *rf, *co, *sync_fence; /* per pair; NULL: never */
    uint32_t *half;                 /* per read: its write, if nothing comes between; LIT_NONE */
    smt_term *late;                 /* per event: came to an open barrier; NULL: it has no quorum */
    struct exec_symmetry symmetry;  /* of the test, where it is used; else empty */
    smt_term **latest;              /* per location: what the reads of waiting threads return */
};

/* May one execution have both, which stand in one thread, `a` before `b`? Surely has it `a`
 * when it has `b`? */
bool smt_program_share(const struct smt_program *program, uint32_t a, uint32_t b);
bool smt_program_needs(const struct smt_program *program, uint32_t a, uint32_t b);

/* Builds it all and asserts what makes a candidate execution. False when there is more
 * than is looked at (a doubt says what). */
bool smt_program_build(struct smt_program *program);

/* The time limit has passed: what is being built may be left unfinished, as nothing is asked of
 * it any more. */
static inline bool smt_out_of_time(const struct smt_program *program)
{
    const struct exec_run_options *options = &program->options;
    return options->out_of_time && options->out_of_time(options->clock);
}

/* The test, or the recovery program, that it is of. */
static inline const struct lit_program *smt_program_test(const struct smt_program *program)
{
    return program->request->program;
}

static inline uint32_t smt_pair(const struct smt_program *program, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < program->dim.n && b < program->dim.n);
    return a * program->dim.n + b;
}

/* The value of an expression on one path. */
smt_term smt_program_value(struct smt_program *program, uint32_t thread, uint32_t path,
                           const struct exec_value *value);
/* That event b depends on the read a in the run of a joined path that is taken, where it does so in
 * some of its runs alone; `base` is addr, data or ctrl. */
smt_term smt_program_depends(struct smt_program *program, uint32_t base, uint32_t a, uint32_t b);
/* The value of a coherence-latest write of a location, of those that `present` (a term per
 * event) is true of. */
smt_term smt_program_latest(struct smt_program *program, uint32_t location,
                            const smt_term *present);
/* A pair between events that are executed. */
smt_term smt_program_present(struct smt_program *program, uint32_t a, uint32_t b, smt_term pair);
/* All threads on paths for which `wanted` holds. */
typedef bool smt_path_filter(const struct exec_path *path);
smt_term smt_program_all_on(struct smt_program *program, smt_path_filter *wanted);
smt_term smt_program_some_on(struct smt_program *program, smt_path_filter *wanted);
bool smt_path_is_probe(const struct exec_path *path);
bool smt_path_ends_at_bound(const struct exec_path *path);

/* ---- Who opens barriers with a quorum (smt_quorum.c) ---- */

/* Asserts what barriers with a quorum need and fills `late`. After guards are known. */
void smt_quorum_build(struct smt_program *program);

/* ---- Where reads read from, coherence, the order of SC fences (smt_order.c) ---- */

/* Coherence is not more than is written down. After events are known. */
bool smt_order_fits(struct smt_program *program);
/* Fills `rf`, `co` and `sync_fence`, and asserts what they need. After values are known. */
void smt_order_build(struct smt_program *program);
/* Of executions that differ by an exchange of interchangeable work-items, which no condition can
 * tell apart, leaves some out, not all (smt_symmetry.c). Coherence is as smt_order_build first has
 * it. */
void smt_order_units(struct smt_program *program);
/* Under the solver's current scope the same for what this condition alone cannot tell apart. */
void smt_order_units_for(struct smt_program *program, const struct lit_condition *condition);
/* That a read comes before a write. */
smt_term smt_order_from_read(struct smt_program *program, uint32_t read, uint32_t write);

#endif
