/* exec_skeleton: the events of one path per thread, and what is fixed about them.
 *
 * Events are numbered: initial writes of the locations in use first, then thread by
 * thread in program order. A witness (rf, co) is chosen over a skeleton; everything
 * that does not depend on it is set here once.
 *
 * Ownership: a skeleton lives in the arena it is built in; paths must outlive it.
 */
#ifndef CRASHLIT_EXEC_SKELETON_H
#define CRASHLIT_EXEC_SKELETON_H

#include "cat/cat_eval.h"
#include "exec/exec_path.h"
#include "rel/relation.h"

/* Half of what relations can hold: a crash cut has two nodes an event. */
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
    struct ev *barriers;       /* the same events, to choose who is late at a quorum */
};

/* Can these paths of threads 0..count-1 stand side by side as far as meetings go:
 * whoever passed a waiting barrier passed it with all members among them? The last
 * one is new, the others were found to agree before. */
bool exec_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                      const struct exec_path *const *paths, uint32_t count);
/* The same for two threads alone, as far as barriers without a quorum go. */
bool exec_two_paths_agree(const struct lit_program *program, const struct exec_run_options *options,
                          const struct exec_path *a, const struct exec_path *b);
/* Does the thread of `other` take part in the meeting that `path` is stuck at, and is not
 * there? */
bool exec_path_is_missing(const struct lit_program *program, const struct exec_path *path,
                          const struct exec_path *other);
/* With paths chosen for threads 0..count-1: may everyone who is stuck at a barrier be
 * rightly so, some work-item of the scope never reaching it? */
bool exec_paths_stuck_rightly(const struct lit_program *program,
                              const struct exec_path *const *paths, uint32_t count);

/* NULL when it would have more than EXEC_MAX_EVENTS events. */
struct exec_skeleton *exec_skeleton_new(struct arena *arena, const struct lit_program *program,
                                        const struct exec_path *const *paths)
    __attribute__((warn_unused_result));

/* Barriers with a quorum: more may come than open it. Which of them do is chosen here, for
 * every such barrier: the others are `late`. The first choice is made by exec_skeleton_new;
 * this makes the next one, until it returns false. */
void exec_skeleton_first_quorum(struct exec_skeleton *skeleton);
bool exec_skeleton_next_quorum(struct exec_skeleton *skeleton);

/* Writes every static base that the model mentions into the evaluation. */
void exec_skeleton_fill(const struct exec_skeleton *skeleton, struct cat_eval *eval);
/* The same for sets alone, which are a matter of each event's tags. */
void exec_skeleton_fill_sets(const struct exec_skeleton *skeleton, struct cat_eval *eval);
/* What the event at an index of the path depends on, as `base` (addr, data or ctrl) has it. */
const struct exec_deps *exec_path_deps(const struct exec_path *path, uint32_t base, uint32_t index);
/* The value of one static base; `out` has room for it. */
void exec_skeleton_base(const struct exec_skeleton *skeleton, uint32_t base, rel_word *out);

/* Who is to blame when a thread is stuck at a barrier that a work-item of its scope
 * never reaches. */
struct exec_divergence {
    uint32_t stuck, missing; /* threads; missing is LIT_NONE when too few take part at all */
};
/* Divergence that is not merely due to a thread that met its unroll bound: every pair of one
 * that waits and one that never comes, a pair each time it is asked. */
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
/* The first thread whose path ended so, LIT_NONE when none did. */
uint32_t exec_skeleton_ended(const struct exec_skeleton *skeleton, enum exec_end end);

/* The events that a tag is on; `out` has room for a set. */
void exec_skeleton_tagged(const struct exec_skeleton *skeleton, const struct cat_tagged *tagged,
                          rel_word *out);

/* One event's or one pair's share of a static base. Between events of different threads a
 * pair depends on the two alone, so `skeleton` needs no more than program and events then. */
bool exec_event_in_base(const struct exec_skeleton *skeleton, uint32_t base, uint32_t event);
bool exec_pair_in_base(const struct exec_skeleton *skeleton, uint32_t base, uint32_t a, uint32_t b);

/* Inclusive scopes: both events carry a scope, and each one's instance has the other's
 * work-item. */
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
