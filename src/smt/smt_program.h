/* smt_program: a program as terms: all events that may happen, and the variables that choose among
 * them. Private to the symbolic engine.
 *
 * A relation's term for a pair assumes that both events are executed. Whoever goes through a third
 * event adds its guard.
 *
 * Ownership: everything lives in the arena of the request; terms live in its solver. */
#ifndef CRASHLIT_SMT_PROGRAM_H
#define CRASHLIT_SMT_PROGRAM_H

#include "engine/engine.h"
#include "smt/smt_solver.h"

struct smt_event {
    struct ev ev;
    uint32_t parent;                /* the event before it in its thread, LIT_NONE */
    const struct exec_guard *under; /* the part of a joined path that has it; NULL: all have it */
    const struct exec_path *path;   /* a path that goes through it, and the index there */
    uint32_t index;
    smt_term guard;
    smt_term value; /* of accesses */
};

static inline bool smt_writes_to(const struct smt_event *event, uint32_t location)
{
    return event->ev.kind == EV_WRITE && event->ev.location == location;
}

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
    struct smt_rules *rules; /* what may be taken back (smt_rules.h), or NULL */
    bool unchecked;          /* the model's checks are not asserted */
    struct smt_thread *threads;
    struct smt_event *events;
    const smt_term *initial; /* per location: its initial value. NULL, or NULL for a location: as
                                the test says */
    uint32_t init_count;
    struct rel_dim dim;
    rel_word *compatible;           /* pairs of events that one execution may have */
    rel_word *always;               /* set: executed in every execution */
    smt_term *rf, *co, *sync_fence; /* per pair; NULL: never */
    uint32_t *half;                 /* per read: its write, if nothing may come between; LIT_NONE */
    smt_term *late;                 /* per event: it came to an open barrier; NULL: it has no
                                       quorum */
    struct exec_symmetry symmetry;  /* of the test; empty when unused */
    smt_term **latest;              /* per location: what the reads of waiting threads return */
};

/* For `a` before `b` in one thread. smt_program_share: may one execution have both?
 * smt_program_needs: does every execution with `b` have `a`? */
bool smt_program_share(const struct smt_program *program, uint32_t a, uint32_t b);
bool smt_program_needs(const struct smt_program *program, uint32_t a, uint32_t b);

/* Builds all terms and asserts what a candidate execution is. False when a limit is passed (a doubt
 * says which). */
bool smt_program_build(struct smt_program *program);

/* Has the time limit passed? Then a half-built formula may be left: nothing is asked of it any
 * more. */
static inline bool smt_out_of_time(const struct smt_program *program)
{
    const struct exec_run_options *options = &program->options;
    return options->out_of_time && options->out_of_time(options->clock);
}

/* The test or recovery program that the terms are of. */
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
/* Event b depends on the read a in the run taken of a joined path, where it does so only in some of
 * the path's runs. `base` is addr, data or ctrl. */
smt_term smt_program_depends(struct smt_program *program, uint32_t base, uint32_t a, uint32_t b);
/* The value of a location's coherence-latest write among those for which `present` (a term per
 * event) is true. */
smt_term smt_program_latest(struct smt_program *program, uint32_t location,
                            const smt_term *present);
/* The pair holds, and both events are executed. */
smt_term smt_program_present(struct smt_program *program, uint32_t a, uint32_t b, smt_term pair);
/* All threads, or some thread, are on paths for which `wanted` holds. */
typedef bool smt_path_filter(const struct exec_path *path);
smt_term smt_program_all_on(struct smt_program *program, smt_path_filter *wanted);
smt_term smt_program_some_on(struct smt_program *program, smt_path_filter *wanted);
bool smt_path_is_probe(const struct exec_path *path);
bool smt_path_ends_at_bound(const struct exec_path *path);

/* ---- Who opens barriers with a quorum (smt_quorum.c) ---- */

/* Asserts the rules of barriers with a quorum and fills `late`. Call after guards are known. */
void smt_quorum_build(struct smt_program *program);

/* ---- rf, coherence, the order of SC fences (smt_order.c) ---- */

/* Is coherence small enough to be written down? Call after events are known. */
bool smt_order_fits(struct smt_program *program);
/* Fills `rf`, `co` and `sync_fence`, and asserts their rules. Call after values are known. */
void smt_order_build(struct smt_program *program);
/* Symmetry reduction (smt_symmetry.c): excludes some executions, not all, that exchanges of
 * interchangeable work-items make of others and that no condition can tell apart. Coherence must be
 * as smt_order_build left it. */
void smt_order_units(struct smt_program *program);
/* The same under the solver's current scope, for executions that this one condition cannot tell
 * apart. */
void smt_order_units_for(struct smt_program *program, const struct lit_condition *condition);
/* A read comes before a write, in fr. */
smt_term smt_order_from_read(struct smt_program *program, uint32_t read, uint32_t write);

#endif
