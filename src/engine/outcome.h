/* outcome: what an engine found out about one test under one model pair.
 *
 * Engines record states, undefined behaviour and reasons for doubt; the verdicts of
 * conditions follow from them here, the same way for every engine.
 *
 * Ownership: an outcome owns everything in it; outcome_fini releases it.
 */
#ifndef CRASHLIT_OUTCOME_H
#define CRASHLIT_OUTCOME_H

#include "base/table.h"
#include "base/vec.h"
#include "mdd/mdd.h"
#include "litmus/lit_program.h"

/* A set of states: rows of `width` values, without duplicates. Final states that fail
 * the test's `filter` are not to be added.
 *
 * A set is a list, or, where it may have no more than `most_listed` rows, beyond that a diagram
 * (mdd/mdd.h): then `product` is not NULL, and once the outcome was sorted `count`
 * is 0 and no row is listed. Whoever looks at rows asks for `product` first. */
struct outcome_states {
    const struct lit_atom *items; /* what each column is: a register or a location */
    uint32_t width;
    int64_t *values; /* count * width */
    size_t count;
    size_t capacity;
    const uint32_t *columns; /* per location of the program: its column, LIT_NONE: it has none;
                                NULL: there are few columns, or they are another's */
    const bool *is_unsigned; /* per column: 64-bit values that sort as unsigned */
    bool sorted;             /* rows are in order, until one is added */
    bool full;               /* OUTCOME_MAX_BYTES of values are kept, a further state was not */
    uint32_t *slots;         /* open-addressing table of row number + 1 */
    size_t slot_count;
    uint32_t most_listed;  /* of more rows it becomes a diagram; 0: never. For engines whose callers
                              know */
    const uint32_t *order; /* of its columns in a diagram; NULL: as they stand */
    struct mdd *product;
    mdd_node root;
    uint32_t many_nodes; /* before those no longer needed are dropped; 0: the usual threshold */
    uint32_t tidy_at;    /* when the store has so many nodes */
};

/* What the values of one set of states may take, and nodes of a diagram. */
enum { OUTCOME_MAX_BYTES = 32 << 20, OUTCOME_MAX_NODES = 1 << 20 };

/* Undefined behaviour: X(identifier, kind). A failed check is reported by its name. */
#define OUTCOME_UNDEFINED(X)            \
    X(CHECK, "check")                   \
    X(DIVERGENCE, "barrier-divergence") \
    X(TRANSACTION, "transaction-marks") \
    X(FAULT, "out-of-bounds-or-division-by-zero")

enum outcome_undefined_kind {
#define X(identifier, text) OUTCOME_##identifier,
    OUTCOME_UNDEFINED(X)
#undef X
};

struct outcome_event {
    uint32_t thread; /* LIT_NONE for an initial write; from the program's thread_count on the
                        threads of its recovery (outcome_thread) */
    uint32_t line;
    const char *access; /* "W key" */
    uint32_t column;    /* of the statement, or 0: only explanations tell it */
};

struct outcome_known;

struct outcome_undefined {
    enum outcome_undefined_kind kind;
    const char *name; /* the check's name, or the kind's text */
    struct outcome_event events[2];
    uint32_t event_count;
    bool of_cycle; /* the events are neighbours on a cycle, in an execution: others may be named */
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
    X(NO_RECOVERY, "the recovery program was not run")

enum outcome_doubt {
#define X(identifier, text) OUTCOME_DOUBT_##identifier,
    OUTCOME_DOUBTS(X)
#undef X
        OUTCOME_DOUBT_COUNT
};

/* Statistics: X(name). events: of the largest execution. candidates: partial and
 * complete witnesses evaluated. consistent: complete witnesses that passed, of those that differ by
 * an exchange of interchangeable work-items (exec_symmetry.h) at least one. cuts:
 * crash cuts looked at. skeletons: combinations of control-flow paths. states, steps: of a
 * machine, whose cuts are the states in which the crash may come. */
#define OUTCOME_STATS(X) \
    X(events) X(skeletons) X(candidates) X(consistent) X(cuts) X(states) X(steps)

struct outcome_stats {
#define X(name) uint64_t name;
    OUTCOME_STATS(X)
#undef X
    double seconds;
};

/* Statistics of recovery: X(name). starts: distinct states that recovery was started on.
 * runs: of these, for how many the recovery program had to be run; the others share one of
 * these runs. rounds: how often recovery was started at most, one after the other. */
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
    bool lost;               /* a write to non-volatile memory that the crash came before */
    enum lit_type type;
    int64_t value;
    struct outcome_event source; /* of reads */
};

/* One run of recovery in a chain: the state it starts on, what it does up to its end or
 * up to the crash that interrupts it. */
struct outcome_link {
    const int64_t *start; /* columns of `starts` */
    bool completes;       /* it runs to its end, whatever comes after it */
    const struct outcome_step *steps;
    uint32_t step_count;
};

/* How a recovered state comes about: runs of recovery, the last of which completes; of the others
 * one that does not is interrupted by a crash. The next starts on what is left. */
struct outcome_chain {
    const struct outcome_link *links;
    uint32_t link_count;
    const int64_t *recovered; /* columns of `recovered`; NULL: none decides it */
};

/* States before, in and after recovery. `crash` has every non-volatile location, then the registers
 * that crash conditions mention: before each a column of what GIVEN says; without a value it is 0.
 * Recovery starts on what a state of `crash` has of memory, and on each state that `restarts` leads
 * to from one it starts on.
 *   recovered   what a completed recovery leaves: every non-volatile location, in the order of
 *               `starts`, then the volatile ones and registers that `recovered` conditions
 *               mention; their atoms are of lit_recovery_program
 *   recoveries  pairs: a state that recovery starts on, and a recovered state that a run on it
 *               without a crash leaves (starts.width + recovered.width columns)
 *   restarts    pairs: a state that recovery starts on, and another that a crash within this
 *               run leaves (2 * starts.width columns)
 *   livelocks   states that recovery starts on and never completes from (columns of `starts`)
 * When conditions were only decided, these are the states met on the way. */
#define OUTCOME_SETS(X) X(final) X(crash) X(recovered) X(recoveries) X(restarts) X(livelocks)

struct outcome {
    struct arena arena; /* texts and items */
#define X(name) struct outcome_states name;
    OUTCOME_SETS(X)
#undef X
    struct outcome_states starts; /* columns alone, no rows: what recovery starts on, which are the
                                     first columns of `crash` */
    VEC(struct outcome_undefined) undefined;
    struct outcome_known *known; /* the words of each */
    VEC(const char *) flags;
    bool doubts[OUTCOME_DOUBT_COUNT];
    bool recovery_doubts[OUTCOME_DOUBT_COUNT]; /* of recovery alone; NO_RECOVERY to begin with,
                                                  taken back by whoever runs it */
    bool *all_values; /* per condition of the program: with the doubt THIN_AIR, which is none about
                         it, as no value that justifies itself leads to a state that decides it */
    uint32_t condition_count;
    const char *not_encoded; /* with the doubt ENCODING: what it is; NULL when not known */
    const char *branching;   /* with the doubt PATHS: whose paths they are; NULL when not known */
    const char *reasons;     /* of several engines that gave up: in place of what a doubt says */
    bool decided;            /* conditions were decided: states are those met on the way */
    const char *decided_by;  /* of several engines, who settled all there is; NULL: nobody, or one
                                alone was asked */
    struct outcome_stats stats;
    struct outcome_recovery_stats recovery_stats;
    bool met[LIT_RECOVERED + 1]; /* per kind of state: there is one, kept or not */
    bool ran, ended;             /* there is a consistent execution; one that runs to its end */
    bool
        vacuity_is_meant; /* by whom the test is of: an `expect` line says ok. Not set by engines */
    struct outcome_chain *chains; /* per condition of the program; NULL: none were looked for */
    struct outcome_told *told;    /* per condition of the program */
    uint32_t told_count;          /* 0: none was looked at */
};

/* The verdict of one condition, with the states that satisfy it and those that do not. */
struct outcome_judgement {
    enum lit_verdict verdict;
    uint64_t positive, negative; /* UINT64_MAX: so many or more, see outcome_count_text */
    bool vacuous; /* no state decides it, as there is none, or all refines its source as that is
                     undefined: unknown, or ok where that is meant */
    const char
        *reason; /* for LIT_UNKNOWN and LIT_ERROR, and where there are no states; else NULL */
};

/* The doubt PATHS, of a work-item of the program. */
void outcome_doubt_paths(struct outcome *outcome, const struct lit_program *program,
                         uint32_t thread);

void outcome_init(struct outcome *outcome, const struct lit_program *program);
void outcome_fini(struct outcome *outcome);
/* Of states that are no outcome's. */
void outcome_free_states(struct outcome_states *states);

/* The column of an atom; LIT_NONE: it has none. */
uint32_t outcome_column(const struct outcome_states *states, const struct lit_atom *atom);
/* Is the column of a register that has no value in this row? */
bool outcome_lacks_value(const struct lit_atom *items, const int64_t *row, uint32_t column);

/* Adds a row unless it is there or the set is full; returns whether it was added. */
bool outcome_add_state(struct outcome_states *states, const int64_t *row);
bool outcome_has_state(const struct outcome_states *states, const int64_t *row);
/* The number of a row; `count` when it is not there. */
size_t outcome_find_state(const struct outcome_states *states, const int64_t *row);
/* The set was full: a doubt, of which kind depends on what it is. */
void outcome_note_full(struct outcome *outcome, const struct outcome_states *states);

/* ---- Sets that are no lists (outcome_product.c) ---- */

/* The set's store, which makes a diagram of it if it is none yet; rows that are listed stay so
 * until outcome_factor. */
struct mdd *outcome_product(struct outcome_states *states);
/* Adds a set of that store, unless that is too much: then the set is full. Other sets of the store
 * are not to be used any more. */
void outcome_add_product(struct outcome_states *states, mdd_node set);
/* Puts listed rows into the diagram. */
void outcome_factor(struct outcome_states *states);
/* The rows of the list, gone. */
void outcome_forget_rows(struct outcome_states *states);
/* Whether there is no state. */
bool outcome_is_empty(const struct outcome_states *states);
/* Of a sorted outcome's set; UINT64_MAX: so many or more. */
uint64_t outcome_state_count(const struct outcome_states *states);
/* In decimal digits. */
void outcome_state_count_text(const struct outcome_states *states, struct strbuf *out);
/* The order of columns for a diagram: what the program writes last comes first. */
const uint32_t *outcome_order(struct arena *arena, const struct lit_program *program,
                              const struct outcome_states *states);
/* A set of states with these columns in a store of its width and order. */
mdd_node outcome_set_in(struct mdd *store, const struct outcome_states *states);
/* The states of such a set that satisfy a proposition. */
mdd_node outcome_satisfying(struct mdd *store, mdd_node set, const struct outcome_states *states,
                            const struct lit_program *program, const struct lit_prop *prop);
/* A set of a diagram's, by a proposition, in a store of the caller's; NULL: that has too many
 * nodes, or takes too long. */
struct outcome_split {
    struct mdd *store;
    mdd_node positive, negative;
};
void outcome_split(const struct outcome_states *states, mdd_node set,
                   const struct lit_program *program, const struct lit_prop *prop,
                   const struct clock_limit *clock, struct outcome_split *split);

/* ---- Conditions on sets that are no lists (outcome_tell.c) ---- */

/* What a condition comes to. */
struct outcome_told {
    const struct lit_condition *condition; /* NULL: its states are listed */
    const char *doubt;                     /* why the rest is not known; NULL: it is */
    uint64_t negative, positive;           /* UINT64_MAX: so many or more */
    const char *negative_digits, *positive_digits;
    const int64_t *deciding; /* a state that decides it, as of outcome_find_deciding; NULL: none */
};

/* Looks at all such conditions once, so that who judges them need not. What is added later wants it
 * again. When the clock is late, no more is told than takes few steps. */
void outcome_tell(struct outcome *outcome, const struct lit_program *program,
                  const struct clock_limit *clock);
/* Of a condition of the program that was told of, on states that are no list. */
const struct outcome_told *outcome_told_of(const struct outcome *outcome,
                                           const struct lit_condition *condition);
/* Is there a condition of which nothing could be told? */
bool outcome_is_entangled(const struct outcome *outcome);

/* Sorts the rows (numerically, column by column), flags, and undefined behaviour: by kind and name,
 * then by where it is. What is added later wants it again. */
void outcome_sort(struct outcome *outcome);
/* The rows alone. */
void outcome_sort_states(struct outcome_states *states);
const int64_t *outcome_row(const struct outcome_states *states, size_t index);

/* Adds a flag unless it is there; the name is copied. */
void outcome_add_flag(struct outcome *outcome, const char *name);
/* Adds undefined behaviour unless the same was recorded; returns whether it was added. Texts
 * are copied. */
bool outcome_add_undefined(struct outcome *outcome, const struct outcome_undefined *undefined);
void outcome_free_undefined(struct outcome *outcome);
/* Takes `all_values` of what came of deciding the conditions under the same limits. */
void outcome_take_decided(struct outcome *outcome, const struct outcome *decided);
/* What a run of recovery has is the test's: undefined behaviour, under the numbers of recovery's
 * threads, which come after the test's `threads`, and flags; and doubts. */
void outcome_take_undefined(struct outcome *outcome, const struct outcome *recovery,
                            uint32_t threads);
void outcome_take_doubts(struct outcome *outcome, const struct outcome *recovery);
/* Is it told in the same words? Columns are no part of these. */
bool outcome_same_event(const struct outcome_event *a, const struct outcome_event *b);
bool outcome_same_undefined(const struct outcome_undefined *a, const struct outcome_undefined *b);
const char *outcome_undefined_text(enum outcome_undefined_kind kind);
/* Of a thread that ends in a fault at this instruction. */
struct outcome_undefined outcome_fault(uint32_t thread, const struct lit_instr *instr);

/* Of a thread that does not come to a barrier where another waits: it stops at this instruction,
 * or, with NULL, has come to its end. */
struct outcome_event outcome_missing(const struct lit_program *program, uint32_t thread,
                                     const struct lit_instr *instr);

/* Adds what another engine has found out about the same test, where neither knows all: states,
 * undefined behaviour and flags of both. A doubt stands where both have one. `names` are the
 * engines', for the reasons. Chains stay as they are. */
void outcome_join(struct outcome *outcome, const struct outcome *other, const char *const names[2]);

/* The first doubt's text, NULL when the outcome is complete but for recovery. */
const char *outcome_doubt(const struct outcome *outcome);
/* The same for what is known of recovery: doubts of the program, then of recovery. */
const char *outcome_recovery_doubt(const struct outcome *outcome);
/* The same for what is asked of one condition. */
const char *outcome_doubt_of(const struct outcome *outcome, const struct lit_program *program,
                             const struct lit_condition *condition);
/* The same for a test without conditions, and for flags and undefined behaviour: no untried value
 * changes these but with a doubt THIN_AIR_FAILURE or FLAGS. Those of recovery are among them. */
const char *outcome_failure_doubt(const struct outcome *outcome);
const char *outcome_flag_doubt(const struct outcome *outcome);
/* What a report says of it all: the first of these, of what may undo a verdict before others. */
const char *outcome_any_doubt(const struct outcome *outcome);
bool outcome_has_flag(const struct outcome *outcome, const char *name);

/* The thread that an event names, which is not LIT_NONE; recovery's are called "recovery P0". */
const struct lit_thread *outcome_thread(const struct lit_program *program, uint32_t thread);
static inline bool outcome_in_recovery(const struct lit_program *program,
                                       const struct outcome_event *event)
{
    return event->thread != LIT_NONE && event->thread >= program->thread_count;
}

/* Does a proposition hold where `lookup` tells the value of registers and locations? */
typedef int64_t outcome_lookup(const void *context, const struct lit_atom *atom);
bool outcome_prop_holds(const struct lit_program *program, const struct lit_prop *prop,
                        outcome_lookup *lookup, const void *context);
/* The same for a row of `states`. For `recovered` the program is lit_recovery_program's. */
bool outcome_satisfies(const struct outcome_states *states, const int64_t *row,
                       const struct lit_program *program, const struct lit_prop *prop);
struct outcome_judgement outcome_judge(const struct outcome *outcome,
                                       const struct lit_program *program,
                                       const struct lit_condition *condition);
/* How many states satisfy the condition's proposition, or do not, in decimal digits. */
void outcome_count_text(const struct outcome *outcome, const struct lit_program *program,
                        const struct lit_condition *condition, bool positive, struct strbuf *out);
/* Of the states that decide the condition one, which is the first of a list, or of a diagram one
 * with the fewest values other than zero; false: there is none. */
bool outcome_find_deciding(const struct outcome *outcome, const struct lit_program *program,
                           const struct lit_condition *condition, int64_t *row);
/* Why a condition on such states holds of nothing: "vacuous: ..."; NULL: there are states. Only for
 * an outcome without doubts. Of an `exists` that asks for one in vain the rest is the reason. */
const char *outcome_vacuity(const struct outcome *outcome, enum lit_when when);
/* Is there a condition on such states, none of which is known, not even that there is one? */
bool outcome_wants_any(const struct outcome *outcome, const struct lit_program *program,
                       enum lit_when when);
/* Does this row of the states that the condition is about decide it: satisfy it or, for
 * `forall`, break it? */
bool outcome_decides(const struct outcome *outcome, const struct lit_program *program,
                     const struct lit_condition *condition, const int64_t *row);
/* The states that a condition is about. */
const struct outcome_states *outcome_states_of(const struct outcome *outcome, enum lit_when when);
/* Does the doubt THIN_AIR leave some condition open? */
bool outcome_is_open_to_values(const struct outcome *outcome, const struct lit_program *program);
/* Conditions were decided: if it leaves none open, it is a doubt about nothing that is said. */
void outcome_settle_values(struct outcome *outcome, const struct lit_program *program);
/* The worst verdict over all conditions; without any: ok, undefined or unknown. A livelock of
 * recovery is an error whatever the conditions. */
enum lit_verdict outcome_verdict(const struct outcome *outcome, const struct lit_program *program);

/* ---- Recovery (outcome_recovery.c). The rest of this is for sorted outcomes. ---- */

/* Names the pair of two rows; `row` has room for both. */
void outcome_pair(int64_t *row, const int64_t *a, uint32_t a_width, const int64_t *b,
                  uint32_t b_width);
/* The rows of `pairs` whose first columns are `start`: *first to *last, exclusive. */
void outcome_pairs_of(const struct outcome_states *pairs, const int64_t *start, uint32_t width,
                      size_t *first, size_t *last);
/* Does a crash of the program leave this (columns of `starts`)? */
bool outcome_crash_leaves(const struct outcome *outcome, const int64_t *start);
/* Per recovered state, the numbers of the states of `crash` from which recovery, restarted as
 * often as may be, comes to it; ascending. Lives in `arena`. Costs a walk through `restarts`
 * for each crash state. */
struct outcome_sources {
    uint32_t *crash; /* numbers of crash states */
    uint32_t count;
};
struct outcome_sources *outcome_recovered_from(struct arena *arena, const struct outcome *outcome);
/* Fills `chains`: for each condition on recovered states that one of them decides the shortest
 * chain of pairs that leads to such a state, without the steps of its links. Costs a walk through
 * `restarts` and one through `recoveries` for each condition. */
void outcome_find_chains(struct outcome *outcome, const struct lit_program *program);
/* When restarts lead from this livelock back to it through others: their numbers in
 * `livelocks` in that order, `number` first; the count, 0 when there is no such cycle. `cycle`
 * has room for all of them. */
uint32_t outcome_livelock_cycle(const struct outcome *outcome, size_t number, uint32_t *cycle);

#endif
