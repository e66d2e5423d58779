/* outcome: what an engine found out about one test under one model pair.
 *
 * Engines record states, undefined behaviour and doubts: reasons why the answer may be incomplete.
 * The verdicts of conditions follow from these here, the same way for every engine.
 *
 * Ownership: an outcome owns everything in it; outcome_fini releases it. */
#ifndef CRASHLIT_OUTCOME_H
#define CRASHLIT_OUTCOME_H

#include "base/table.h"
#include "base/vec.h"
#include "exec/exec_event.h"
#include "mdd/mdd.h"

/* A set of states: rows of `width` values, without duplicates. Never add final states that fail the
 * test's `filter`.
 *
 * A set is a list. If it may have at most `most_listed` rows, it becomes a multi-valued decision
 * diagram (mdd/mdd.h) beyond that. Then `product` is not NULL, and once the outcome is sorted
 * `count` is 0 and no row is listed. So ask for `product` before looking at rows. */
struct outcome_states {
    const struct lit_atom *items; /* what each column is: a register or a location */
    uint32_t width;
    int64_t *values; /* count * width */
    size_t count;
    size_t capacity;
    const uint32_t *columns; /* per location of the program: its column, LIT_NONE: none; NULL: there
                                are few columns, or they are another set's */
    const bool *is_unsigned; /* per column: 64-bit values that sort as unsigned */
    bool sorted;             /* rows are in order, until one is added */
    bool full;               /* OUTCOME_MAX_BYTES of values are kept, and a further state was not */
    uint32_t *slots;         /* open-addressing table of row number + 1 */
    size_t slot_count;
    uint32_t most_listed;  /* more rows make it a diagram; 0: never. For engines whose callers know
                              diagrams */
    const uint32_t *order; /* of columns in a diagram; NULL: as they stand */
    struct mdd *product;
    mdd_node root;
    uint32_t many_nodes; /* unneeded nodes are dropped past this; 0: the usual threshold */
    uint32_t tidy_at;    /* the store's size at which that happens next */
};

/* The most bytes of values in one set of states, and the most nodes of a diagram. */
enum { OUTCOME_MAX_BYTES = 32 << 20, OUTCOME_MAX_NODES = 1 << 20 };

/* Undefined behaviour: X(identifier, kind). A failed check is reported by its name. ENDLESS is no
 * undefined behaviour: a property asks about it (engine_request.endless). */
#define OUTCOME_UNDEFINED(X)                      \
    X(CHECK, "check")                             \
    X(DIVERGENCE, "barrier-divergence")           \
    X(TRANSACTION, "transaction-marks")           \
    X(UNSET, "unset-memory")                      \
    X(ASSERTION, "failed-assertion")              \
    X(FAULT, "out-of-bounds-or-division-by-zero") \
    X(ENDLESS, "never-ends")

/* The name of a check that is a race of two work-items, and of the variant of models that have it on
 * request. */
#define OUTCOME_RACE "race"

enum outcome_undefined_kind {
#define X(identifier, text) OUTCOME_##identifier,
    OUTCOME_UNDEFINED(X)
#undef X
};

struct outcome_event {
    uint32_t thread; /* LIT_NONE for an initial write; recovery's threads follow the program's
                        thread_count (outcome_thread) */
    uint32_t line;
    const char *access;              /* "W key" */
    uint32_t column;                 /* of the statement, or 0: only explanations set it */
    const struct lit_instr *instr;   /* that makes the event; NULL: it is an initial write, or it is
                                      no event, but what holds a thread up */
    const struct lit_origin *origin; /* of compiled code; else, or not known, NULL */
    enum ev_kind kind;               /* of an event */
    uint32_t location;               /* of an event; LIT_NONE: it has none */
};

struct outcome_known;

struct outcome_undefined {
    enum outcome_undefined_kind kind;
    const char *name; /* the check's name, or the kind's text */
    struct outcome_event events[2];
    uint32_t event_count;
    bool of_cycle; /* the events are neighbours on a cycle of an execution; other pairs could be
                      named as well */
    bool of_index; /* FAULT: an index is outside, and no division by zero may be meant */
};

#define OUTCOME_TOO_MANY_NODES "the product form of the states has more nodes than are kept"
#define OUTCOME_TOO_MANY_PATHS "more control-flow paths than are looked at"
#define OUTCOME_TIME_RAN_OUT "the time limit ran out"

/* Why an answer may be incomplete: X(identifier, text). */
#define OUTCOME_DOUBTS(X)                                                                      \
    X(UNROLL, "a loop met its unroll bound (raise it with --unroll)")                          \
    X(LENGTH, "a run is longer, or a value in it larger, than is looked at")                   \
    X(STATES, "there are more states than are kept (--max-states is for a machine's)")         \
    X(FORM, OUTCOME_TOO_MANY_NODES)                                                            \
    X(TIMEOUT, OUTCOME_TIME_RAN_OUT)                                                           \
    X(MEMORY, "the memory limit was met (raise it with --memory)")                             \
    X(THREAD, "no thread could be started beside the solver (a limit on processes or memory)") \
    X(PATHS, "the work-items have " OUTCOME_TOO_MANY_PATHS)                                    \
    X(EVENTS, "an execution has more events than are looked at")                               \
    X(THIN_AIR, "a read may justify itself: not all such values were tried")                   \
    X(MEANING, "the model means fences by a tag that a read-modify-write has")                 \
    X(ENCODING, "the test or the model has something that is not encoded")                     \
    X(SOLVER, "the solver Z3 could not be loaded (crashlit --version -v says why)")            \
    X(THIN_AIR_FAILURE,                                                                        \
      "an execution whose values justify themselves may be undefined or fail to recover")      \
    X(FLAGS, "not all that may raise a flag was looked at")                                    \
    X(ROUNDS,                                                                                  \
      "crashes in recovery leave new states after the last round (raise it with --rounds)")    \
    X(NO_RECOVERY, "the recovery program was not run")                                         \
    X(CERTIFICATE, "no accepted certificate")

enum outcome_doubt {
#define X(identifier, text) OUTCOME_DOUBT_##identifier,
    OUTCOME_DOUBTS(X)
#undef X
        OUTCOME_DOUBT_COUNT
};

/* Statistics: X(name). events: of the largest execution. candidates: partial and complete witnesses
 * evaluated. consistent: complete witnesses that passed; at least one of those that differ by an
 * exchange of interchangeable work-items (exec_symmetry.h). cuts: crash cuts looked at. skeletons:
 * combinations of control-flow paths. states, steps: of a machine; its cuts are the states in which
 * the crash may come. */
#define OUTCOME_STATS(X) \
    X(events) X(skeletons) X(candidates) X(consistent) X(cuts) X(states) X(steps)

struct outcome_stats {
#define X(name) uint64_t name;
    OUTCOME_STATS(X)
#undef X
    double seconds;
};

/* Statistics of recovery: X(name). starts: distinct states that recovery was started on. runs: how
 * many of them needed a run of the recovery program; the others share one of these. rounds: the
 * most starts of recovery in a row. */
#define OUTCOME_RECOVERY_STATS(X) X(starts) X(runs) X(rounds)

struct outcome_recovery_stats {
#define X(name) uint64_t name;
    OUTCOME_RECOVERY_STATS(X)
#undef X
};

/* One event of a run of recovery, as a chain shows it. */
struct outcome_step {
    struct outcome_event event;
    bool is_read, has_value; /* the value read or written */
    bool lost;               /* the crash came before this write to non-volatile memory was
                                durable */
    enum lit_type type;
    int64_t value;
    struct outcome_event source; /* of reads */
};

/* One run of recovery in a chain: its start, and its steps up to its end or up to the crash that
 * interrupts it. */
struct outcome_link {
    const int64_t *start; /* columns of `starts` */
    bool completes;       /* it runs to its end, whatever comes after */
    const struct outcome_step *steps;
    uint32_t step_count;
};

/* How a recovered state comes about: runs of recovery, of which the last completes. A crash
 * interrupts each earlier run that does not complete. The next run starts on what is left. */
struct outcome_chain {
    const struct outcome_link *links;
    uint32_t link_count;
    const int64_t *recovered; /* columns of `recovered`; NULL: none decides it */
};

/* States before, in and after recovery. `crash` has every non-volatile location, then the registers
 * that crash conditions mention; before each of these stands the column of its GIVEN; a register
 * without a value is 0. Recovery starts on the memory of a state of `crash`, and on each state that
 * `restarts` leads to from a start.
 *   recovered   what a completed recovery leaves: every non-volatile location, in the order of
 *               `starts`, then the volatile ones and registers that `recovered` conditions
 *               mention; their atoms are of lit_recovery_program
 *   recoveries  pairs: a start, and a recovered state that a run on it without a crash leaves
 *               (starts.width + recovered.width columns)
 *   restarts    pairs: a start, and another state that a crash within this run leaves
 *               (2 * starts.width columns)
 *   livelocks   starts from which recovery never completes (columns of `starts`)
 * When conditions were only decided, these are the states met on the way. */
#define OUTCOME_SETS(X) X(final) X(crash) X(recovered) X(recoveries) X(restarts) X(livelocks)

/* A property that is a question of its own. */
struct outcome_asked {
    bool told;         /* it is known whether there is such a fault, but for the doubt */
    const char *doubt; /* why there may be one; NULL: there is none but those that were found */
};

struct outcome {
    struct arena arena; /* texts and items */
#define X(name) struct outcome_states name;
    OUTCOME_SETS(X)
#undef X
    struct outcome_states starts; /* only columns, no rows: those of what recovery starts on, which
                                     are the first of `crash` */
    VEC(struct outcome_undefined) undefined;
    struct outcome_known *known; /* an index of them by their words */
    VEC(const char *) flags;
    VEC(struct outcome_undefined)
    asked; /* what properties ask about and nobody calls undefined: of each that of one execution.
              Not set by engines, nor are the next two */
    struct outcome_asked of_races, of_ends;
    bool doubts[OUTCOME_DOUBT_COUNT];
    bool recovery_doubts[OUTCOME_DOUBT_COUNT]; /* of recovery alone; NO_RECOVERY at first, until it
                                                  is run */
    bool *all_values; /* per condition: with the doubt THIN_AIR, that doubt does not concern it,
                         since no self-justifying value leads to a state that decides it */
    uint32_t condition_count;
    const char *not_encoded; /* with the doubt ENCODING: what is not encoded; NULL: not known */
    const char *branching;   /* with the doubt PATHS: whose paths; NULL: not known */
    const char *looping;     /* with the doubt UNROLL: which loop; NULL: not known */
    const char *uncertified; /* with the doubt CERTIFICATE: the text, with why */
    const char *reasons;     /* of several engines that gave up: replaces a doubt's text */
    bool decided;            /* conditions were decided: states are those met on the way */
    const char *decided_by;  /* the one of several engines that settled everything; NULL: none, or
                                only one was asked */
    struct outcome_stats stats;
    struct outcome_recovery_stats recovery_stats;
    bool met[LIT_RECOVERED + 1]; /* per kind of state: there is one, kept or not */
    bool ran, ended;             /* there is a consistent execution; one that runs to its end */
    bool vacuity_is_meant; /* the test means it: an `expect` line says ok. Not set by engines */
    struct outcome_chain *chains; /* per condition of the program; NULL: none were looked for */
    struct outcome_told *told;    /* per condition of the program */
    uint32_t told_count;          /* 0: outcome_tell found nothing to tell */
};

/* The verdict of one condition, with the numbers of states that satisfy it and that do not. */
struct outcome_judgement {
    enum lit_verdict verdict;
    uint64_t positive, negative; /* UINT64_MAX: that many or more, see outcome_count_text */
    bool vacuous; /* no state decides it: there is none, or the source of a refinement is undefined.
                     Unknown, or ok where the test means it */
    const char *reason; /* for LIT_UNKNOWN and LIT_ERROR, and when there are no states; else NULL */
};

/* Raises the doubt PATHS for a work-item of the program. */
void outcome_doubt_paths(struct outcome *outcome, const struct lit_program *program,
                         uint32_t thread);
/* Raises the doubt UNROLL for a loop of the work-item, the instruction at which a run was cut off. Of
 * several loops the first is named. */
void outcome_doubt_unroll(struct outcome *outcome, const struct lit_program *program,
                          uint32_t thread, const struct lit_instr *loop);

void outcome_init(struct outcome *outcome, const struct lit_program *program);
void outcome_fini(struct outcome *outcome);
/* Frees states that belong to no outcome. */
void outcome_free_states(struct outcome_states *states);

/* The column of an atom; LIT_NONE: it has none. */
uint32_t outcome_column(const struct outcome_states *states, const struct lit_atom *atom);
/* Is this the column of a register that has no value in this row? */
bool outcome_lacks_value(const struct lit_atom *items, const int64_t *row, uint32_t column);

/* Adds a row unless it is there or the set is full; returns whether it was added. */
bool outcome_add_state(struct outcome_states *states, const int64_t *row);
bool outcome_has_state(const struct outcome_states *states, const int64_t *row);
/* The number of a row; `count` when it is not there. */
size_t outcome_find_state(const struct outcome_states *states, const int64_t *row);
/* Raises the doubt for a full set, by its kind. */
void outcome_note_full(struct outcome *outcome, const struct outcome_states *states);

/* ---- Sets as diagrams (outcome_product.c) ---- */

/* The set's store; makes a diagram of the set if it is none yet. Listed rows stay listed until
 * outcome_factor. */
struct mdd *outcome_product(struct outcome_states *states);
/* Adds a set of that store; the set is full if that is too much. Other sets of the store become
 * invalid. */
void outcome_add_product(struct outcome_states *states, mdd_node set);
/* Moves listed rows into the diagram. */
void outcome_factor(struct outcome_states *states);
/* Clears the list of rows. */
void outcome_forget_rows(struct outcome_states *states);
/* Is there no state? */
bool outcome_is_empty(const struct outcome_states *states);
/* The number of states, for a sorted outcome; UINT64_MAX: that many or more. */
uint64_t outcome_state_count(const struct outcome_states *states);
/* The exact number, in decimal digits. */
void outcome_state_count_text(const struct outcome_states *states, struct strbuf *out);
/* An order of columns for a diagram: what the program writes last comes first. */
const uint32_t *outcome_order(struct arena *arena, const struct lit_program *program,
                              const struct outcome_states *states);
/* Converts a set of states with these columns to a store of its width and order. */
mdd_node outcome_set_in(struct mdd *store, const struct outcome_states *states);
/* The states of such a set that satisfy a proposition. */
mdd_node outcome_satisfying(struct mdd *store, mdd_node set, const struct outcome_states *states,
                            const struct lit_program *program, const struct lit_prop *prop);
/* Splits a diagram's set by a proposition, in a store of the caller's. `store` is NULL when it has
 * too many nodes, or takes too long. */
struct outcome_split {
    struct mdd *store;
    mdd_node positive, negative;
};
void outcome_split(const struct outcome_states *states, mdd_node set,
                   const struct lit_program *program, const struct lit_prop *prop,
                   const struct clock_limit *clock, struct outcome_split *split);

/* ---- Conditions on diagrams (outcome_tell.c) ---- */

/* The result of one condition. */
struct outcome_told {
    const struct lit_condition *condition; /* NULL: its states are listed */
    const char *doubt;                     /* why the rest is unknown; NULL: it is known */
    uint64_t negative, positive;           /* UINT64_MAX: that many or more */
    const char *negative_digits, *positive_digits;
    const int64_t *deciding; /* a state that decides it, as outcome_find_deciding gives; NULL:
                                none */
};

/* Evaluates all such conditions once, for later judgements. Call again after adding states. When
 * the time is out, it tells only what takes few steps. */
void outcome_tell(struct outcome *outcome, const struct lit_program *program,
                  const struct clock_limit *clock);
/* The result for a condition of the program on a diagram. */
const struct outcome_told *outcome_told_of(const struct outcome *outcome,
                                           const struct lit_condition *condition);
/* Is there a condition of which nothing could be told? */
bool outcome_is_entangled(const struct outcome *outcome);

/* Sorts the rows (numerically, column by column), the flags, and undefined behaviour by kind, name
 * and place. Call again after adding anything. */
void outcome_sort(struct outcome *outcome);
/* Sorts the rows alone. */
void outcome_sort_states(struct outcome_states *states);
const int64_t *outcome_row(const struct outcome_states *states, size_t index);
/* Negative, 0 or positive: in the order of outcome_sort, by the first `width` columns. */
int outcome_compare(const struct outcome_states *states, const int64_t *a, const int64_t *b,
                    uint32_t width);

/* Adds a flag unless it is there; the name is copied. */
void outcome_add_flag(struct outcome *outcome, const char *name);
/* Takes the faults of a property, RACE or ENDS, from an outcome in which nothing else counts. */
void outcome_take_asked(struct outcome *outcome, enum lit_property property,
                        const struct outcome *found);
/* What is known of a property that is a question of its own; NULL: the property is none. */
const struct outcome_asked *outcome_asked_of(const struct outcome *outcome,
                                             enum lit_property property);
/* The next fault that the property asks about, from number *at on, which goes on behind it; NULL: there
 * is none. */
const struct outcome_undefined *outcome_next_fault(const struct outcome *outcome,
                                                   enum lit_property property, size_t *at);
/* Adds undefined behaviour unless the same is recorded; returns whether it was added. Texts are
 * copied. */
bool outcome_add_undefined(struct outcome *outcome, const struct outcome_undefined *undefined);
/* The same of a pair. `either`: its events stand in the other order as well in that execution. It
 * returns whether it was added, or for the first time not in either order. */
bool outcome_add_pair(struct outcome *outcome, const struct outcome_undefined *undefined,
                      bool either);
void outcome_free_undefined(struct outcome *outcome);
/* Takes `all_values` from an outcome in which the conditions were decided under the same limits. */
void outcome_take_decided(struct outcome *outcome, const struct outcome *decided);
/* Moves a recovery run's undefined behaviour and flags, or its doubts, to the test's outcome.
 * Recovery's threads are numbered after the test's `threads`. */
void outcome_take_undefined(struct outcome *outcome, const struct outcome *recovery,
                            uint32_t threads);
void outcome_take_doubts(struct outcome *outcome, const struct outcome *recovery);
/* Do both have the same words? Columns do not count. */
bool outcome_same_event(const struct outcome_event *a, const struct outcome_event *b);
bool outcome_same_undefined(const struct outcome_undefined *a, const struct outcome_undefined *b);
const char *outcome_undefined_text(enum outcome_undefined_kind kind);
/* The undefined behaviour of a thread that ends in a fault at this instruction. */
struct outcome_undefined outcome_fault(uint32_t thread, const struct lit_instr *instr);
/* The thread waits for ever in the await that stands there. */
struct outcome_undefined outcome_endless(uint32_t thread, const struct lit_instr *instr);

/* An event of the program; `access` lives in the arena. */
struct outcome_event outcome_event_of(struct arena *arena, const struct ev *event,
                                      const struct lit_program *program);
/* The first statement on the event's line that makes an event of the same words, else the first
 * statement there; NULL: the line has none. */
const struct lit_instr *outcome_instr_of(const struct lit_program *program,
                                         const struct outcome_event *event);
/* The event of a thread that never comes to a barrier where another waits: it stops at this
 * instruction, or, with NULL, has come to its end. */
struct outcome_event outcome_missing(const struct lit_program *program, uint32_t thread,
                                     const struct lit_instr *instr);

/* Joins another engine's incomplete outcome of the same test: states, undefined behaviour and flags
 * of both; doubts that both have. `names` are the engines', for the reasons. Chains stay as they
 * are. */
void outcome_join(struct outcome *outcome, const struct outcome *other, const char *const names[2]);

/* The first doubt's text; NULL: the outcome is complete, except perhaps for recovery. */
const char *outcome_doubt(const struct outcome *outcome);
/* As outcome_doubt, for recovery: doubts of the program, then of recovery. */
const char *outcome_recovery_doubt(const struct outcome *outcome);
/* As outcome_doubt, for one condition. */
const char *outcome_doubt_of(const struct outcome *outcome, const struct lit_program *program,
                             const struct lit_condition *condition);
/* As outcome_doubt, for a test without conditions, and for flags and undefined behaviour,
 * recovery's included. An untried value matters here only with the doubt THIN_AIR_FAILURE or
 * FLAGS. */
const char *outcome_failure_doubt(const struct outcome *outcome);
const char *outcome_flag_doubt(const struct outcome *outcome);
/* The doubt that a report shows: the first of these; one that may undo a verdict comes first. */
const char *outcome_any_doubt(const struct outcome *outcome);
bool outcome_has_flag(const struct outcome *outcome, const char *name);

/* The thread of an event with a thread; recovery's are called "recovery P0". */
const struct lit_thread *outcome_thread(const struct lit_program *program, uint32_t thread);
static inline bool outcome_in_recovery(const struct lit_program *program,
                                       const struct outcome_event *event)
{
    return event->thread != LIT_NONE && event->thread >= program->thread_count;
}

/* Does a proposition hold? `lookup` gives the values of registers and locations. */
typedef int64_t outcome_lookup(const void *context, const struct lit_atom *atom);
bool outcome_prop_holds(const struct lit_program *program, const struct lit_prop *prop,
                        outcome_lookup *lookup, const void *context);
/* As outcome_prop_holds, for a row of `states`. For `recovered` the program is
 * lit_recovery_program's. */
bool outcome_satisfies(const struct outcome_states *states, const int64_t *row,
                       const struct lit_program *program, const struct lit_prop *prop);
struct outcome_judgement outcome_judge(const struct outcome *outcome,
                                       const struct lit_program *program,
                                       const struct lit_condition *condition);
/* Is there a state that decides a condition: one that satisfies it or, for `forall`, breaks it? */
enum outcome_found { OUTCOME_FOUND_NONE, OUTCOME_FOUND, OUTCOME_FOUND_UNKNOWN };
/* As outcome_judge, by this answer in place of the states, of which it tells no numbers. Of an
 * answer that is not known it has a reason only where there is another than that. */
struct outcome_judgement outcome_judge_found(const struct outcome *outcome,
                                             const struct lit_condition *condition,
                                             enum outcome_found found);
/* How many states satisfy the condition's proposition, or do not, in decimal digits. */
void outcome_count_text(const struct outcome *outcome, const struct lit_program *program,
                        const struct lit_condition *condition, bool positive, struct strbuf *out);
/* A state that decides the condition: the first of a list, or one of a diagram with the fewest
 * nonzero values. False: there is none. */
bool outcome_find_deciding(const struct outcome *outcome, const struct lit_program *program,
                           const struct lit_condition *condition, int64_t *row);
/* Is it a race, by the name of the check? */
bool outcome_is_race(const struct outcome_undefined *undefined);
/* Why there are no such states; NULL: there are some. Only for an outcome without doubts. A condition
 * holds of nothing then, or an `exists` fails for that reason. */
const char *outcome_vacuity(const struct outcome *outcome, enum lit_when when);
/* Is there a condition on such states while no such state is known, not even that one exists? */
bool outcome_wants_any(const struct outcome *outcome, const struct lit_program *program,
                       enum lit_when when);
/* Does this row decide the condition: satisfy it or, for `forall`, break it? It is of the states
 * that the condition is about. */
bool outcome_decides(const struct outcome *outcome, const struct lit_program *program,
                     const struct lit_condition *condition, const int64_t *row);
/* The states that a condition is about. */
const struct outcome_states *outcome_states_of(const struct outcome *outcome, enum lit_when when);
/* Does the doubt THIN_AIR leave some condition open? */
bool outcome_is_open_to_values(const struct outcome *outcome, const struct lit_program *program);
/* After conditions were decided: takes the doubt THIN_AIR back if it leaves none open. */
void outcome_settle_values(struct outcome *outcome, const struct lit_program *program);
/* The worst verdict over all conditions; without any: ok, undefined or unknown. A livelock of
 * recovery is an error whatever the conditions. */
enum lit_verdict outcome_verdict(const struct outcome *outcome, const struct lit_program *program);

/* ---- Recovery (outcome_recovery.c). The rest of this is for sorted outcomes. ---- */

/* Writes the pair of two rows; `row` has room for both. */
void outcome_pair(int64_t *row, const int64_t *a, uint32_t a_width, const int64_t *b,
                  uint32_t b_width);
/* The rows of `pairs` whose first columns are `start`: *first to *last, exclusive. */
void outcome_pairs_of(const struct outcome_states *pairs, const int64_t *start, uint32_t width,
                      size_t *first, size_t *last);
/* Does a crash of the program leave this state (columns of `starts`)? */
bool outcome_crash_leaves(const struct outcome *outcome, const int64_t *start);
/* Per recovered state: the numbers of the states of `crash` from which recovery, restarted any
 * number of times, reaches it; ascending. Lives in `arena`. Costs a walk through `restarts` for
 * each crash state. */
struct outcome_sources {
    uint32_t *crash; /* numbers of crash states */
    uint32_t count;
};
struct outcome_sources *outcome_recovered_from(struct arena *arena, const struct outcome *outcome);
/* Fills `chains`: for each condition that some recovered state decides, the shortest chain to such
 * a state, without the steps of its links. Costs a walk through `restarts` and one through
 * `recoveries` for each condition. */
void outcome_find_chains(struct outcome *outcome, const struct lit_program *program);
/* A cycle of restarts from this livelock back to it through others: their numbers in `livelocks` in
 * that order, `number` first. Returns their count; 0: there is no such cycle. `cycle` has room for
 * all of them. */
uint32_t outcome_livelock_cycle(const struct outcome *outcome, size_t number, uint32_t *cycle);

#endif
