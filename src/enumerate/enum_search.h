/* enum_search: the choice of rf and co over one skeleton. Private to the enumerator. */
#ifndef CRASHLIT_ENUM_SEARCH_H
#define CRASHLIT_ENUM_SEARCH_H

#include "cat/cat_imply.h"
#include "engine/engine.h"
#include "engine/stabilizer.h"

/* What a search uses of the program's symmetry (enum_symmetry.c).
 *
 * Of executions that exchanges of the group turn into each other one is enough: the units of a
 * part choose their paths in ascending order (lexicographically, a unit has several threads), and
 * of those on the same paths the first writes to a location that the class leaves in its place
 * follow each other in coherence. Where they write to no such location, but read one, the sources
 * of their first reads of it ascend. States of the others are made from those that are found
 * (enum_orbit.c), where states are listed and not just decided. */
struct enum_group {
    struct stabilizer left;
    const struct enum_seat *seats; /* ordered by thread */
    const uint32_t *first_seat;    /* per thread, and one more */
    uint32_t *floors;              /* per thread that is open: its paths from this one on */
    bool closes;                   /* states of the whole orbit are wanted */
};

/* A thread's place in the group: in this unit of the part, counted within the part. */
struct enum_seat {
    const struct stabilizer_part *part;
    uint32_t unit;
};

/* What is static of the skeleton that was searched last: several searches begin with the same one.
 */
struct enum_fixed_kept {
    struct arena arena;
    const struct exec_path **paths; /* its, per thread */
    struct cat_fixed *fixed;        /* NULL: nothing is kept */
};

/* A state that an execution showed first, while the others of its orbit are still to be made. */
struct enum_found {
    struct outcome_states *states;
    uint32_t row; /* of them, as long as they are a list */
    bool is_crash;
    struct exec_cut cut; /* that leaves it, if it is one of a crash */
};

/* What lasts over all skeletons of one request. */
struct enum_state {
    const struct engine_request *request;
    struct outcome *outcome;
    struct exec_run_options options;
    struct arena paths;   /* the threads' paths */
    uint32_t path_events; /* kept of them */
    struct arena scratch; /* one skeleton; rewound after it */
    struct enum_fixed_kept kept;
    struct exec_symmetry symmetry;      /* of the program; empty when it is not to be used */
    struct enum_group group;            /* what of it the present search uses */
    uint64_t renamed;                   /* executions shown that are images of others */
    VEC(struct enum_found) found;       /* of the execution at hand */
    struct arena of_found;              /* their cuts */
    const struct exec_paths *all_paths; /* per thread */
    const struct lit_condition *goal;   /* what is to be decided; NULL: all states */
    struct recovery *recovery;          /* with a goal about recovery: what runs it */
    bool met;                           /* the goal is; there is nothing more to look for */
    bool may_be_undefined;              /* by a check of the model, or by how a path ends */
    const struct cat_plan *flag_plan;   /* while flags are looked for, else NULL */
    bool *wanted_flags;                 /* per check of the model: a flag that was not raised yet */
    const struct cat_plan *crash_plan, *undefined_plan; /* once made (enum_outlook.c), else NULL */
    bool gave_up;             /* partial witnesses that can show nothing of what is looked for */
    bool wants_divergence;    /* so is that of a barrier divergence */
    bool looks_for_undefined; /* the goal is any undefined behaviour */
    bool looks_for_any;       /* the goal is met by any state, which is not kept */
    bool looks_for_run;       /* the goal is any execution, kept or not */
    bool states_only;         /* an execution shows nothing but its final state */
    const uint32_t *path_numbers; /* per thread: which of its paths is chosen */
    const bool *observed;         /* per location: part of final states */
    bool *looked_at;              /* per location: the request's initials; NULL: none */
    const int64_t *constants;     /* of the test: where self-justifying values are tried */
    uint32_t constant_count;
    bool *shown;  /* per condition: a crash state that decides it, of one that was not listed */
    bool stopped; /* by a limit, or because the goal is met */
};

/* What is chosen, as a mask: which of it changed. */
enum enum_chosen { ENUM_RF = 1, ENUM_CO = 2, ENUM_FR = 4, ENUM_FENCES = 8, ENUM_CHOICES = 16 };

/* A word of a bound before it was changed, to go back to. */
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
    bool complete;             /* all threads run to their ends: it has a final state */
    bool kept;                 /* some final state at the leaf passes the filter */
    rel_word *rf[2], *fr[2];   /* lower and upper bounds */
    struct enum_order *orders; /* decided one after the other; the first is co */
    uint32_t order_count;
    const rel_word **choices;    /* the lower bounds of the model's choices */
    struct cat_implied *implied; /* NULL: nobody has asked yet */
    uint32_t skipped,
        to_skip;      /* times it was not asked, and is not to be, for having been in vain */
    bool has_outlook; /* what it may show can be asked */
    bool is_tried, is_broken; /* it goes without as long as it may be short; it was not */
    uint32_t outlook_skipped, outlook_to_skip;
    rel_word *set;       /* room for one set */
    rel_word *behind[2]; /* for what is behind a read, per bound */
    rel_word *room[2];   /* for one relation each */
    uint32_t *reads;     /* in the order of their choice, of read-modify-writes first */
    uint32_t rmw_count;  /* of those */
    rel_word *modified;  /* the writes to their locations */
    uint32_t *source;    /* per event: the write a read reads, LIT_NONE */
    int64_t *values;     /* per read, skeleton's value numbering */
    bool *known;
    bool *relied_on; /* per read, as `values`: a constraint of its path is about it */
    VEC(struct enum_change) changes;
    uint32_t changed;                   /* of enum_chosen: since the model was asked last */
    VEC(uint32_t) learned;              /* value numbers in the order they became known */
    VEC(uint32_t) decided;              /* reads in the order they came by their sources */
    uint32_t *tied_after, *tied_before; /* per read: whose source is no later, no earlier, LIT_NONE:
                                           nobody's */
    uint32_t *latest;     /* per location: the coherence-latest write, or one of them */
    int64_t *row;         /* room for one state */
    const uint32_t *time; /* per event, while an interleaving is tried: when it was; else NULL */
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

/* Of so many events that an evaluation takes a millisecond and more. */
static inline bool enum_is_large(const struct enum_search *search)
{
    return search->dim.n > enum_thresholds(search->state)->large_events;
}

/* A search of few events each, that may be over before it has come to this many candidates: what it
 * asks takes longer than what it would try. */
static inline bool enum_is_short(const struct enum_state *state,
                                 const struct exec_skeleton *skeleton)
{
    const struct engine_thresholds *thresholds = enum_thresholds(state);
    return skeleton->dim.n < thresholds->short_events &&
           state->outcome->stats.candidates < thresholds->short_candidates;
}

/* ---- Bounds, and the way back ---- */

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
/* Decides that it does not; leaves fr as it is. */
void enum_not_from(struct enum_search *search, uint32_t read, uint32_t write);
/* Orders one event before another, and with them all that stands before and after.
 * False when that orders a pair that must not be. */
bool enum_order_pair(struct enum_search *search, const struct enum_order *order, uint32_t first,
                     uint32_t second);
/* Decides all of `pairs`, which contain the lower bound, and what follows from them being a
 * transitive order; leaves fr as it is. False, with nothing decided, when some of it must not be.
 * `room` is for one relation, and `pairs` is changed. */
bool enum_order_all(struct enum_search *search, const struct enum_order *order, rel_word *pairs,
                    rel_word *room);
/* Decides that a pair stays unordered. */
void enum_leave_pair(struct enum_search *search, const struct enum_order *order, uint32_t a,
                     uint32_t b);

/* ---- The search ---- */

/* Pairs of orders that need not be total, of one skeleton. */
enum { ENUM_MAX_PAIRS = 1 << 14 };

/* Makes room for the orders of this skeleton and sets their first bounds. False when there
 * are more pairs to be decided than the search may go deep. */
bool enum_orders_new(struct enum_search *search);
/* What the reads from this one on read from, then all that is open. */
void enum_choose_reads(struct enum_search *search, uint32_t depth);
/* The coherence order of `modified`, then the other reads. */
void enum_order_modified(struct enum_search *search);
/* Decides all orders, from a complete rf on; calls enum_complete for each way. */
void enum_choose_orders(struct enum_search *search, uint32_t order);
/* Before anything is chosen: tries one execution that is likely to be consistent
 * (enum_interleave.c). */
void enum_try_interleaving(struct enum_search *search);
/* Can the witness as far as it is chosen still become a consistent execution? First what its values
 * say, which takes little time, then what the model does. */
bool enum_viable(struct enum_search *search);
bool enum_values_fit(struct enum_search *search);
bool enum_model_allows(struct enum_search *search);
/* The same, with all decided that follows from what is (enum_propagate.c). */
bool enum_settled(struct enum_search *search);
/* Before the first search of it. */
void enum_begin_propagation(struct enum_search *search);
/* Before anything is chosen: may the skeleton show what is looked for? Asked of large ones. */
bool enum_may_open(struct enum_search *search);
/* May the read take this source beside units on the same paths that only read? */
bool enum_source_ascends(const struct enum_search *search, uint32_t read, uint32_t write);
/* Everything is chosen: keep it when it is consistent. */
void enum_complete(struct enum_search *search);

/* Where a bound stands: in the evaluation when the model reads it, else beside it. */
rel_word *enum_bound_storage(struct enum_search *search, uint32_t base, enum enum_bound side);

/* Looks at the clock; once the limit has passed the search is stopped. Whatever may go on for long
 * asks before each step: next to a step that evaluates anything the question costs nothing. */
bool enum_out_of_time(struct enum_state *state);

/* Tries every witness over the skeleton. */
void enum_search_skeleton(struct enum_state *state, const struct exec_skeleton *skeleton);

/* A complete witness with all values known that passed the model's checks. */
void enum_leaf(struct enum_search *search);

/* ---- What a leaf shows ---- */

/* Nothing more is looked for. */
void enum_meet_goal(struct enum_state *state);
/* A set is full: the rest is in doubt. */
void enum_stop_full(struct enum_state *state, const struct outcome_states *states);
/* The state in `row` is new. */
void enum_show_witness(struct enum_search *search, const struct outcome_states *states,
                       const struct exec_cut *cut);
/* What an atom of a register is by an assignment; NULL: it has no value. */
int64_t enum_assigned_value(const struct enum_search *search, const struct exec_assignment *held,
                            const struct lit_atom *atom);
/* Fills `row` with a crash state; and adds it (an exec_cut_callback, of a search). */
void enum_read_crash(struct enum_search *search, const struct exec_cut *cut);
bool enum_add_crash_state(void *search, const struct exec_cut *cut);
/* All crash states of the execution at once (enum_product.c), where there may be more than are
 * listed; false: they are to be listed. */
bool enum_add_product(struct enum_search *search, const struct exec_contract *contract,
                      const struct exec_crash_question *question);
/* Adds the orbits of all states of sets that are no lists. */
void enum_close_products(struct enum_state *state);

/* Where a read's value stands in `values` and `known`. */
uint32_t enum_value_number(const struct enum_search *search, uint32_t read);
/* Passes values along rf until nothing more becomes known. */
void enum_learn_values(struct enum_search *search);
/* Forgets all but the first `count` values learned. */
void enum_forget_values(struct enum_search *search, size_t count);
/* Does no path rely on a constraint that the known values break? The same of one thread's. */
bool enum_path_holds(const struct enum_search *search, uint32_t thread);
bool enum_constraints_hold(const struct enum_search *search);

/* What the reads of thread t return, as far as known. */
struct exec_reads enum_reads_of(const struct enum_search *search, uint32_t thread);
/* The value of a write event; false when it depends on an unknown read. */
bool enum_write_value(const struct enum_search *search, uint32_t event, int64_t *value);
/* No other write of `writes`, those of its location, is coherence-after this one yet. */
bool enum_may_be_latest(const struct enum_search *search, const rel_word *writes, uint32_t write);
/* Calls back for every way to take a coherence-latest write of each wanted location (there
 * is one way unless coherence is partial), with `latest` filled: LIT_NONE where a
 * location is never accessed. The callback returns false to stop, and so does this, which also
 * does when the time runs out. */
typedef bool enum_latest_callback(struct enum_search *search);
bool enum_each_latest(struct enum_search *search, const bool *wanted,
                      enum_latest_callback *callback);

/* ---- Executions in which values justify themselves (enum_thin_air.c) ---- */

/* A complete consistent witness, some of whose reads have no known value: hands the
 * solutions found to enum_leaf, and raises OUTCOME_DOUBT_THIN_AIR unless it is certain
 * that there are no others. */
void enum_thin_air(struct enum_search *search);

/* ---- Symmetry (enum_symmetry.c) ---- */

/* The symmetry of the program, once its threads have been run. Without any where paths of
 * threads that are exchanged do not correspond, since a limit was met. */
void enum_symmetry_find(struct enum_state *state);
/* What of it the search for the goal may use. */
void enum_group_choose(struct enum_state *state);
/* With paths chosen for threads 0..thread: may they be the first of their orbit? */
bool enum_paths_ascend(const struct enum_state *state, const uint32_t *numbers, uint32_t thread);
/* Paths chosen for threads 0..thread: what the units of the last one leave to those after it. */
void enum_raise_floors(struct enum_state *state, const uint32_t *numbers, uint32_t thread);
/* Units on the same paths: orders their writes, and ties their reads. */
void enum_order_units(struct enum_search *search);
/* Locations whose partners were looked at count as looked at. */
void enum_look_at_orbits(struct enum_state *state);

/* ---- What is said of one is said of all (enum_orbit.c) ---- */

/* The last state of the set was just found: the others of its orbit are to be added. */
void enum_add_orbit(struct enum_search *search, struct outcome_states *states,
                    const struct exec_cut *cut);
/* Adds them, each with an execution that shows it, and tells the goal of each; before the execution
 * at hand changes. What shows states of several orbits is renamed, and rechecked, once. */
void enum_close_orbits(struct enum_search *search);

/* Who is to blame: what a thread does at an instruction. An initial write has no thread
 * (LIT_NONE), a thread that ended has no instruction. */
struct enum_culprit {
    uint32_t thread;
    const struct lit_instr *instr;
    const struct ev *event; /* its text is its name; NULL: `text` is */
    const char *text;
};

/* Records what one or two culprits (or none) do, and what those do that exchanges of the group make
 * of them. `symmetric`: the pair is named in the order of their threads. */
void enum_report(struct enum_state *state, const struct outcome_undefined *what,
                 const struct enum_culprit *culprits, uint32_t count, bool symmetric);
struct engine_witness enum_witness_of(const struct enum_search *search);

#endif
