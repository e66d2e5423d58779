/* exec_skeleton: a candidate execution without rf and co: the events of one path per thread, and
 * every relation that rf and co leave alone.
 *
 * Events are numbered: first the initial writes of locations in use, then thread by thread in
 * program order. A witness (rf, co) is chosen over a skeleton.
 *
 * Ownership: a skeleton lives in the arena it is built in; paths must outlive it. */
#ifndef CRASHLIT_EXEC_SKELETON_H
#define CRASHLIT_EXEC_SKELETON_H

#include "cat/cat_eval.h"
#include "exec/exec_path.h"
#include "rel/relation.h"

/* Half of what relations can hold, as a crash cut has two nodes an event. */
enum { EXEC_MAX_EVENTS = REL_MAX_EVENTS / 2 };

struct exec_skeleton {
    const struct lit_program *program;
    const struct exec_path *const *paths; /* one per thread */
    struct rel_dim dim;
    const struct ev *events;
    uint32_t init_count;        /* events 0..init_count-1 are initial writes */
    const uint32_t *first;      /* per thread: number of its first event */
    const uint32_t *value_base; /* per thread: where its reads stand in value arrays */
    uint32_t slot_count;        /* length of value arrays (reads of spinning awaits included) */
    const uint32_t *reads;      /* events that are reads */
    uint32_t read_count;
    const rel_word *writes_of; /* per location: set of events that write it */
    bool probe;                /* some path is a probe */
    struct ev *barriers;       /* the same events, writable, to choose who is late at a quorum */
};

/* Can these paths of threads 0..count-1 occur together as far as meetings go? Whoever passed a
 * waiting barrier must have passed it with all its members among them. The paths before the last
 * one have been found to agree. */
bool exec_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                      const struct exec_path *const *paths, uint32_t count);
/* As exec_paths_agree for two threads, ignoring barriers with a quorum. */
bool exec_two_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                          const struct exec_path *a, const struct exec_path *b);
/* Does the thread of `other` take part in the meeting where `path` is stuck, without being
 * there? */
bool exec_path_is_missing(const struct lit_program *program, const struct exec_path *path,
                          const struct exec_path *other);
/* Paths are chosen for threads 0..count-1: may every thread that is stuck at a barrier be rightly
 * so, since some work-item of the scope never reaches it? */
bool exec_paths_stuck_rightly(const struct lit_program *program,
                              const struct exec_path *const *paths, uint32_t count);

/* NULL when it would have more than EXEC_MAX_EVENTS events. */
struct exec_skeleton *exec_skeleton_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_path *const *paths)
    __attribute__((warn_unused_result));

/* Barriers with a quorum: more threads may come than open it. For each such barrier a choice is
 * made of those that open it; the others are `late`. exec_skeleton_new makes the first choice,
 * exec_skeleton_next_quorum the next one; it returns false after the last. */
void exec_skeleton_first_quorum(struct exec_skeleton *skeleton);
bool exec_skeleton_next_quorum(struct exec_skeleton *skeleton);

/* Writes every static base that the model mentions into the evaluation. */
void exec_skeleton_fill(const struct exec_skeleton *skeleton, struct cat_eval *eval);
/* As exec_skeleton_fill, for sets alone: they depend only on each event's tags. */
void exec_skeleton_fill_sets(const struct exec_skeleton *skeleton, struct cat_eval *eval);
/* The dependencies of the event at an index of the path, for `base` addr, data or ctrl. */
const struct exec_deps *exec_path_deps(const struct exec_path *path, uint32_t base, uint32_t index);
/* The value of one static base; `out` has room for it. */
void exec_skeleton_base(const struct exec_skeleton *skeleton, uint32_t base, rel_word *out);

/* A thread that is stuck at a barrier, and a work-item of its scope that never reaches it. */
struct exec_divergence {
    uint32_t stuck, missing; /* threads; missing is LIT_NONE when too few take part */
};
/* Iterates over divergences that are not due to an unroll bound alone: pairs of a thread that waits
 * and one that never comes. */
struct exec_divergences {
    bool excuses[LIT_MAX_THREADS];
    uint32_t thread, other; /* where the search goes on */
    bool any;               /* was somebody missing for `thread`? */
};
void exec_divergences_init(struct exec_divergences *divergences,
                           const struct exec_skeleton *skeleton);
bool exec_divergences_next(struct exec_divergences *divergences,
                           const struct exec_skeleton *skeleton, struct exec_divergence *found);

bool exec_skeleton_complete(const struct exec_skeleton *skeleton);
/* The first thread whose path ended so; LIT_NONE: none did. */
uint32_t exec_skeleton_ended(const struct exec_skeleton *skeleton, enum exec_end end);
/* Have all ended or do they wait, and does some thread wait in an await? Of a consistent execution it
 * waits there for ever. */
bool exec_skeleton_waits_for_ever(const struct exec_skeleton *skeleton);

/* The events that a tag is on; `out` has room for a set. */
void exec_skeleton_tagged(const struct exec_skeleton *skeleton, const struct cat_tagged *tagged,
                          rel_word *out);

/* Is one event, or one pair, in a static base? A pair of events of different threads depends on
 * these two alone; then `skeleton` needs no more than program and events. */
bool exec_event_in_base(const struct exec_skeleton *skeleton, uint32_t base, uint32_t event);
bool exec_pair_in_base(const struct exec_skeleton *skeleton, uint32_t base, uint32_t a, uint32_t b);

/* Are scopes mutually inclusive: both events carry a scope, and each one's instance contains the
 * other's work-item? */
bool exec_mutually_scoped(const struct exec_skeleton *skeleton, uint32_t a, uint32_t b);
bool exec_events_mutually_scoped(const struct lit_program *program, const struct ev *a,
                                 const struct ev *b);

static inline const rel_word *exec_writes_of(const struct exec_skeleton *skeleton,
                                             uint32_t location)
{
    BASE_ASSERT(location < skeleton->program->location_count);
    return skeleton->writes_of + (size_t)location * skeleton->dim.words;
}

#endif
