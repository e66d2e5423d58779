/* enum_search: the backtracking search for rf and co over one skeleton. Private to the
 * enumerator. */
#ifndef CRASHLIT_ENUM_SEARCH_H
#define CRASHLIT_ENUM_SEARCH_H

#include "cat/cat_imply.h"
#include "certify/certificate.h"
#include "engine/engine.h"
#include "engine/stabilizer.h"

/* Symmetry reduction: what a search uses of the program's symmetry (enum_symmetry.c).
 *
 * Exchanges of the group turn executions into each other; one execution of each orbit is enough.
 * The units of a part choose their paths in ascending order (lexicographically, since a unit has
 * several threads). Units on the same paths order their first writes to a location that the class
 * leaves in its place: these follow each other in coherence. If the units only read such a
 * location, the sources of their first reads ascend. Where states are listed, the states of the
 * other executions are made from those found (enum_orbit.c). */
struct enum_group {
    struct stabilizer left;
    const struct enum_seat *seats; /* ordered by thread */
    const uint32_t *first_seat;    /* per thread, and one more */
    uint32_t *floors;              /* per thread still open: its paths from this number on */
    bool closes;                   /* states of the whole orbit are wanted */
};

/* A thread's place in the group: the part, and the unit as counted within the part. */
struct enum_seat {
    const struct stabilizer_part *part;
    uint32_t unit;
};

/* The static values of the skeleton searched last. Several searches begin with the same
 * skeleton. */
struct enum_fixed_kept {
    struct arena arena;
    const struct exec_path **paths; /* of that skeleton, per thread */
    struct cat_fixed *fixed;        /* NULL: nothing is kept */
};

/* A state that an execution showed first, and whose orbit still has to be added. */
struct enum_found {
    struct outcome_states *states;
    uint32_t row; /* of `states`, while they are a list */
    bool is_crash;
    struct exec_cut cut; /* the cut that leaves a crash state */
};

/* What lasts over all skeletons of one request. */
struct enum_state {
    const struct engine_request *request;
    struct outcome *outcome;
    struct exec_run_options options;
    struct arena paths;   /* the threads' paths */
    uint32_t path_events; /* events kept in these paths */
    struct arena scratch; /* one skeleton; rewound after it */
    struct enum_fixed_kept kept;
    struct exec_symmetry symmetry;      /* of the program; empty when unused */
    struct enum_group group;            /* what the present search uses of it */
    uint64_t renamed;                   /* executions shown that are images of others */
    VEC(struct enum_found) found;       /* of the execution at hand */
    struct arena of_found;              /* the cuts of `found` */
    const struct exec_paths *all_paths; /* per thread */
    const struct lit_condition *goal;   /* what is to be decided; NULL: all states */
    struct recovery *recovery;          /* runs recovery, for a goal about recovery */
    bool met;                           /* the goal is met; nothing is left to look for */
    bool may_be_undefined;              /* by a check of the model, or by a path's end */
    const struct cat_plan *flag_plan;   /* while flags are looked for, else NULL */
    bool *wanted_flags;                 /* per check of the model: a flag that was not raised yet */
    const struct cat_plan *crash_plan, *undefined_plan; /* once made (enum_outlook.c), else NULL */
    bool gave_up;                 /* some partial witness, since it cannot reach the goal */
    bool wants_divergence;        /* a barrier divergence was not reported yet, and is looked for
                                     with the flags */
    bool looks_for_undefined;     /* the goal is any undefined behaviour */
    bool looks_for_any;           /* the goal is met by any state, which is not kept */
    bool looks_for_run;           /* the goal is any execution, kept or not */
    bool states_only;             /* an execution shows nothing but its final state */
    const uint32_t *path_numbers; /* per thread: which of its paths is chosen */
    const bool *observed;         /* per location: part of final states */
    bool *looked_at;              /* per location: the request's initials; NULL: none */
    const int64_t *constants;     /* of the test; tried as self-justifying values */
    uint32_t constant_count;
    bool *shown;  /* per condition: a crash state of a set that was not listed decides it */
    bool stopped; /* by a limit, or because the goal is met */
    /* The search is by cases, and written (enum_cases.h); else NULL. */
    struct certificate *certificate;
    struct enum_images *images; /* beside it, where there is symmetry (enum_images.h); else NULL */
};

/* What is chosen, as a mask of changes. */
enum enum_chosen { ENUM_RF = 1, ENUM_CO = 2, ENUM_FR = 4, ENUM_FENCES = 8, ENUM_CHOICES = 16 };

/* A word of a bound before its change; the trail restores it. */
struct enum_change {
    rel_word *word;
    rel_word old;
    enum enum_chosen of;
};

enum enum_bound { ENUM_LOWER, ENUM_UPPER };

/* A relation that is chosen pair by pair: coherence, the order of SC fences, a `with`. */
struct enum_order {
    rel_word *bound[2];
    rel_word *pairs; /* which pairs are to be decided; symmetric */
    bool partial;    /* a pair may stay unordered */
    bool chain;      /* total among events that are all compared with one another */
    uint32_t choice; /* which of the model's choices, LIT_NONE for the others */
    enum enum_chosen chosen;
};

struct enum_search {
    struct enum_state *state;
    const struct exec_skeleton *skeleton;
    struct cat_eval *eval;
    struct rel_dim dim;
    bool complete;             /* all threads run to their ends, so there is a final state */
    bool kept;                 /* some final state at the leaf passes the filter */
    rel_word *rf[2], *fr[2];   /* lower and upper bounds */
    struct enum_order *orders; /* decided one after the other; the first is co */
    uint32_t order_count;
    const rel_word **choices;    /* the lower bounds of the model's choices */
    struct cat_implied *implied; /* NULL: not asked yet */
    uint32_t skipped,
        to_skip;      /* how often propagation was skipped, and is to be, since it found nothing */
    bool has_outlook; /* enum_outlook_open can judge it */
    bool is_tried, is_broken; /* taken for short, without outlook; turned out long */
    uint32_t outlook_skipped, outlook_to_skip;
    rel_word *set;       /* room for one set */
    rel_word *behind[2]; /* room for what is behind a read, per bound */
    rel_word *room[2];   /* for one relation each */
    uint32_t *reads;     /* in the order of choice: read-modify-writes first */
    uint32_t rmw_count;  /* how many of `reads` are of read-modify-writes */
    rel_word *modified;  /* the writes to the locations of read-modify-writes */
    uint32_t *source;    /* per event: the write a read reads, LIT_NONE */
    int64_t *values;     /* per read, skeleton's value numbering */
    bool *known;
    bool *relied_on; /* per read, as `values`: its path has a constraint on it */
    VEC(struct enum_change) changes;
    uint32_t changed;                   /* mask of enum_chosen: changes since the model was last
                                           asked */
    VEC(uint32_t) learned;              /* value numbers in the order they became known */
    VEC(uint32_t) decided;              /* reads in the order their sources were decided */
    uint32_t *tied_after, *tied_before; /* per read: the read whose source is no later, no earlier;
                                           LIT_NONE: none */
    uint32_t *latest;     /* per location: the coherence-latest write, or one of them */
    int64_t *row;         /* room for one state */
    bool adds;            /* room: does what is looked at add something (enum_cases.c)? */
    bool *raised;         /* room: per check of the model */
    bool is_odd;          /* a path may make something of its own of an execution (enum_cases.c) */
    const uint32_t *time; /* per event, while an interleaving is tried: its time; else NULL */
};

static inline struct enum_order *enum_co(const struct enum_search *search)
{
    BASE_ASSERT(search->order_count > 0);
    return &search->orders[0];
}

static inline const struct engine_thresholds *enum_thresholds(const struct enum_state *state)
{
    return engine_thresholds_of(state->request);
}

/* Does the skeleton have so many events that an evaluation takes a millisecond or more? */
static inline bool enum_is_large(const struct enum_search *search)
{
    return search->dim.n > enum_thresholds(search->state)->large_events;
}

/* May the search be short? Its skeleton has few events, and few candidates have been tried so far.
 * Then pruning costs more than it saves. */
static inline bool enum_is_short(const struct enum_state *state,
                                 const struct exec_skeleton *skeleton)
{
    const struct engine_thresholds *thresholds = enum_thresholds(state);
    return skeleton->dim.n < thresholds->short_events &&
           state->outcome->stats.candidates < thresholds->short_candidates;
}

/* ---- Bounds, and the trail ---- */

struct enum_place {
    size_t changes, learned, decided;
};

struct enum_place enum_here(const struct enum_search *search);
void enum_go_back(struct enum_search *search, struct enum_place to);
void enum_change_word(struct enum_search *search, enum enum_chosen of, rel_word *word,
                      rel_word value);
static inline rel_word *enum_row(const struct enum_search *search, rel_word *matrix, uint32_t event)
{
    BASE_ASSERT(event < search->dim.n);
    return matrix + (size_t)event * search->dim.words;
}

/* Computes both bounds of fr = rf^-1; co for one read. */
void enum_update_fr(struct enum_search *search, uint32_t read);
/* Decides that a read reads from a write. */
void enum_read_from(struct enum_search *search, uint32_t read, uint32_t write);
/* Decides that a read does not read from a write; leaves fr as it is. */
void enum_not_from(struct enum_search *search, uint32_t read, uint32_t write);
/* Orders one event before another, with all events that stand before the one and after the other.
 * False when that orders a pair that must not be ordered. */
bool enum_order_pair(struct enum_search *search, const struct enum_order *order, uint32_t first,
                     uint32_t second);
/* Decides all of `pairs`, which contain the lower bound, and closes them transitively; leaves fr as
 * it is. False, with nothing decided, when a pair must not be ordered so. `room` has space for one
 * relation; `pairs` is changed. */
bool enum_order_all(struct enum_search *search, const struct enum_order *order, rel_word *pairs,
                    rel_word *room);
/* Decides that a pair stays unordered. */
void enum_leave_pair(struct enum_search *search, const struct enum_order *order, uint32_t a,
                     uint32_t b);

/* ---- The search ---- */

/* The most undecided pairs of one skeleton in orders that need not be total. */
enum { ENUM_MAX_PAIRS = 1 << 14 };

/* Makes room for the orders of this skeleton and sets their first bounds. False when more pairs are
 * undecided than the search may go deep. */
bool enum_orders_new(struct enum_search *search);
/* Chooses sources for the reads from `depth` on, then all that is open. */
void enum_choose_reads(struct enum_search *search, uint32_t depth);
/* Chooses the coherence order of `modified`, then the sources of the other reads. */
void enum_order_modified(struct enum_search *search);
/* Decides all orders once rf is complete; calls enum_complete for each choice. */
void enum_choose_orders(struct enum_search *search, uint32_t order);
/* Before anything is chosen: tries one execution that is likely to be consistent
 * (enum_interleave.c). */
void enum_try_interleaving(struct enum_search *search);
/* Can the partial witness still become a consistent execution? enum_values_fit asks its values and
 * is cheap, enum_model_allows asks the model; enum_viable asks both in this order. */
bool enum_viable(struct enum_search *search);
bool enum_values_fit(struct enum_search *search);
bool enum_model_allows(struct enum_search *search);
/* As enum_viable; first decides everything that follows from the choices so far
 * (enum_propagate.c). */
bool enum_settled(struct enum_search *search);
/* Call before the search's first propagation. */
void enum_begin_propagation(struct enum_search *search);
/* Before anything is chosen: may a large skeleton show what is looked for? */
bool enum_may_open(struct enum_search *search);
/* Symmetry: may the read take this source, beside units on the same paths that only read? */
bool enum_source_ascends(const struct enum_search *search, uint32_t read, uint32_t write);
/* May the read's path go on as it does when the read, whose source is open, returns what the write writes? */
bool enum_value_fits(struct enum_search *search, uint32_t read, uint32_t write);
/* Everything is chosen: keeps the witness if it is consistent. */
void enum_complete(struct enum_search *search);

/* The storage of a bound: in the evaluation if the model reads the base, else beside it. */
rel_word *enum_bound_storage(struct enum_search *search, uint32_t base, enum enum_bound side);

/* Looks at the clock, and stops the search once the limit has passed. Every long loop asks before
 * each step; beside an evaluation the question costs nothing. */
bool enum_out_of_time(struct enum_state *state);

/* Tries every witness over the skeleton. */
void enum_search_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton);

/* Records what a complete witness shows, which has all values known and has passed the model's
 * checks. False: somebody who is to wait for ever would go on. */
bool enum_leaf(struct enum_search *search);

/* ---- What a leaf shows ---- */

/* Notes that nothing more is looked for. */
void enum_meet_goal(struct enum_state *state);
/* Notes that a set is full, so that the rest is in doubt. */
void enum_stop_full(struct enum_state *state, const struct outcome_states *states);
/* Shows the execution of a new state, which is in `row`. */
void enum_show_witness(struct enum_search *search, const struct outcome_states *states,
                       const struct exec_cut *cut);
/* The value of a register's atom under an assignment; NULL: it has none. */
int64_t enum_assigned_value(const struct enum_search *search, const struct exec_assignment *held,
                            const struct lit_atom *atom);
/* Fills `row` with the final state of the `latest` writes; false: the test's filter excludes it. */
bool enum_read_final(struct enum_search *search);
/* Do crash states of the execution count? */
bool enum_reaches_crash(const struct enum_search *search);
/* The crash states by these values of the contract's names, until the callback returns false. */
uint64_t enum_each_crash_state(struct enum_search *search, const rel_word *const *bounds,
                               exec_cut_callback *callback);
/* enum_read_crash fills `row` with a crash state; enum_add_crash_state adds it too (an
 * exec_cut_callback; `void *` is a search). */
void enum_read_crash(struct enum_search *search, const struct exec_cut *cut);
bool enum_add_crash_state(void *search, const struct exec_cut *cut);
/* Adds all crash states of the execution as a product (enum_product.c), where there may be more
 * than are listed. False: they have to be listed. */
bool enum_add_product(struct enum_search *search, const struct exec_contract *contract,
                      const struct exec_crash_question *question);
/* Adds the orbits of all states of sets that are not lists. */
void enum_close_products(struct enum_state *state);

/* Where a read's value stands in `values` and `known`. */
uint32_t enum_value_number(const struct enum_search *search, uint32_t read);
/* Passes values along rf until nothing more becomes known. */
void enum_learn_values(struct enum_search *search);
/* Forgets all but the first `count` values learned. */
void enum_forget_values(struct enum_search *search, size_t count);
/* Does every constraint of the thread's path, or of all paths, hold as far as values are known? */
bool enum_path_holds(const struct enum_search *search, uint32_t thread);
bool enum_constraints_hold(const struct enum_search *search);

/* What the reads of a thread return, as far as known. */
struct exec_reads enum_reads_of(const struct enum_search *search, uint32_t thread);
/* The value of a write event; false when it depends on an unknown read. */
bool enum_write_value(const struct enum_search *search, uint32_t event, int64_t *value);
/* Is no other write of `writes`, those of its location, coherence-after this one so far? */
bool enum_may_be_latest(const struct enum_search *search, const rel_word *writes, uint32_t write);
/* Calls back for each choice of a coherence-latest write of every wanted location, with `latest`
 * filled: LIT_NONE where a location is never accessed. There is one choice unless coherence is
 * partial. The callback returns false to stop; the function then returns false too, and so it does
 * when the time is out. */
typedef bool enum_latest_callback(struct enum_search *search);
bool enum_each_latest(struct enum_search *search, const bool *wanted,
                      enum_latest_callback *callback);

/* ---- Self-justifying values (enum_thin_air.c) ---- */

/* Takes a complete consistent witness in which the values of some reads are unknown. Hands each
 * solution found to enum_leaf, and raises OUTCOME_DOUBT_THIN_AIR unless there are certainly no
 * others. */
void enum_thin_air(struct enum_search *search);

/* ---- Symmetry reduction (enum_symmetry.c) ---- */

/* Finds the symmetry of the program once its threads have been run. It is empty when paths of
 * exchanged threads do not correspond, since a limit was met. */
void enum_symmetry_find(struct enum_state *state);
/* Chooses the part of the symmetry that the search for the goal may use. */
void enum_group_choose(struct enum_state *state);
/* Paths are chosen for threads 0..thread: may they be the first of their orbit? */
bool enum_paths_ascend(const struct enum_state *state, const uint32_t *numbers, uint32_t thread);
/* Paths are chosen for threads 0..thread: raises the floors of later units to the paths of the last
 * one. */
void enum_raise_floors(struct enum_state *state, const uint32_t *numbers, uint32_t thread);
/* Orders the writes of units on the same paths, and ties their reads. */
void enum_order_units(struct enum_search *search);
/* Marks locations as looked at when an exchange maps a marked one to them. */
void enum_look_at_orbits(struct enum_state *state);

/* ---- Orbits of states (enum_orbit.c) ---- */

/* Notes that the last state of the set is new; the other states of its orbit have to be added. */
void enum_add_orbit(struct enum_search *search, struct outcome_states *states,
                    const struct exec_cut *cut);
/* Adds the noted orbits, each state with an execution that shows it, and tells the goal of each.
 * Call before the execution at hand changes. An execution that shows states of several orbits is
 * renamed and rechecked once. */
void enum_close_orbits(struct enum_search *search);

/* What a thread does at an instruction. An initial write has no thread (LIT_NONE); a thread that
 * ended has no instruction. */
struct enum_culprit {
    uint32_t thread;
    const struct lit_instr *instr;
    const struct ev *event; /* named by its text; NULL: named by `text` */
    const char *text;
};

/* Records undefined behaviour of at most two culprits, and that of the culprits that exchanges of
 * the group make of them. `symmetric`: the pair is named in the order of their threads. */
void enum_report(struct enum_state *state, const struct outcome_undefined *what,
                 const struct enum_culprit *culprits, uint32_t count, bool symmetric);
struct engine_witness enum_witness_of(const struct enum_search *search);

#endif
