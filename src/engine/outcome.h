/* outcome: what an engine found out about one test under one model pair.
 *
 * Engines record states, undefined behaviour and reasons for doubt; the verdicts of
 * conditions follow from them here, the same way for every engine.
 *
 * Ownership: an outcome owns everything in it; outcome_fini releases it.
 */
#ifndef CRASHLIT_OUTCOME_H
#define CRASHLIT_OUTCOME_H

#include "base/vec.h"
#include "litmus/lit_program.h"

/* A set of states: rows of `width` values, without duplicates. Final states that fail
 * the test's `filter` are not to be added. */
struct outcome_states {
    const struct lit_atom *items; /* what each column is: a register or a location */
    uint32_t width;
    int64_t *values; /* count * width */
    size_t count;
    size_t capacity;
    const bool *is_unsigned; /* per column: 64-bit values that sort as unsigned */
    bool full;               /* OUTCOME_MAX_BYTES of values are kept, a further state was not */
    uint32_t *slots;         /* open-addressing table of row number + 1 */
    size_t slot_count;
};

/* What the values of one set of states may take. */
enum { OUTCOME_MAX_BYTES = 32 << 20 };

/* Undefined behaviour: X(identifier, kind). A failed check is reported by its name. */
#define OUTCOME_UNDEFINED(X)            \
    X(CHECK, "check")                   \
    X(DIVERGENCE, "barrier-divergence") \
    X(FAULT, "out-of-bounds-or-division-by-zero")

enum outcome_undefined_kind {
#define X(identifier, text) OUTCOME_##identifier,
    OUTCOME_UNDEFINED(X)
#undef X
};

struct outcome_event {
    uint32_t thread; /* LIT_NONE for an initial write */
    uint32_t line;
    const char *access; /* "W key" */
};

struct outcome_undefined {
    enum outcome_undefined_kind kind;
    const char *name; /* the check's name, or the kind's text */
    struct outcome_event events[2];
    uint32_t event_count;
};

/* Why an answer may be incomplete: X(identifier, text). */
#define OUTCOME_DOUBTS(X)                                                    \
    X(UNROLL, "a loop met its unroll bound (raise it with --unroll)")        \
    X(LENGTH, "a run is longer, or a value in it larger, than is looked at") \
    X(STATES, "there are more states than are kept")                         \
    X(TIMEOUT, "the time limit ran out")                                     \
    X(MEMORY, "the solver's memory limit was met (raise it with --memory)")  \
    X(PATHS, "the threads have more control-flow paths than are looked at")  \
    X(EVENTS, "an execution has more events than are looked at")             \
    X(THIN_AIR, "a read may justify itself: not all such values were tried") \
    X(ENCODING, "the test or the model has something that is not encoded")    \
    X(THIN_AIR_FLAG, "an execution whose values justify themselves may raise a flag")

enum outcome_doubt {
#define X(identifier, text) OUTCOME_DOUBT_##identifier,
    OUTCOME_DOUBTS(X)
#undef X
        OUTCOME_DOUBT_COUNT
};

/* Statistics: X(name). events: of the largest execution. candidates: partial and
 * complete witnesses evaluated. consistent: complete witnesses that passed. cuts:
 * crash cuts looked at. skeletons: combinations of control-flow paths. */
#define OUTCOME_STATS(X) X(events) X(skeletons) X(candidates) X(consistent) X(cuts)

struct outcome_stats {
#define X(name) uint64_t name;
    OUTCOME_STATS(X)
#undef X
    double seconds;
};

struct outcome {
    struct arena arena; /* texts and items */
    struct outcome_states final, crash;
    VEC(struct outcome_undefined) undefined;
    VEC(const char *) flags;
    bool doubts[OUTCOME_DOUBT_COUNT];
    const char *not_encoded; /* with the doubt ENCODING: what it is; NULL when not known */
    struct outcome_stats stats;
};

/* The verdict of one condition, with the states that satisfy it and those that do not. */
struct outcome_judgement {
    enum lit_verdict verdict;
    uint64_t positive, negative;
    const char *reason; /* for LIT_UNKNOWN, else NULL */
};

void outcome_init(struct outcome *outcome, const struct lit_program *program);
void outcome_fini(struct outcome *outcome);

/* Adds a row unless it is there or the set is full; returns whether it was added. */
bool outcome_add_state(struct outcome_states *states, const int64_t *row);
bool outcome_has_state(const struct outcome_states *states, const int64_t *row);
/* Sorts the rows (numerically, column by column). Adding after sorting is an error. */
void outcome_sort(struct outcome *outcome);
const int64_t *outcome_row(const struct outcome_states *states, size_t index);

/* Adds a flag unless it is there; the name is copied. */
void outcome_add_flag(struct outcome *outcome, const char *name);
/* Adds undefined behaviour unless the same was recorded; returns whether it was added. Texts
 * are copied. */
bool outcome_add_undefined(struct outcome *outcome, const struct outcome_undefined *undefined);
bool outcome_same_undefined(const struct outcome_undefined *a, const struct outcome_undefined *b);
const char *outcome_undefined_text(enum outcome_undefined_kind kind);

/* The first doubt's text, NULL when the outcome is complete. */
const char *outcome_doubt(const struct outcome *outcome);
/* The same for flags and undefined behaviour, which no untried value changes. */
const char *outcome_flag_doubt(const struct outcome *outcome);

/* Does a proposition hold where `lookup` tells the value of registers and locations? */
typedef int64_t outcome_lookup(const void *context, const struct lit_atom *atom);
bool outcome_prop_holds(const struct lit_program *program, const struct lit_prop *prop,
                        outcome_lookup *lookup, const void *context);
/* The same for a row of `states`. */
bool outcome_satisfies(const struct outcome_states *states, const int64_t *row,
                       const struct lit_program *program, const struct lit_prop *prop);
struct outcome_judgement outcome_judge(const struct outcome *outcome,
                                       const struct lit_program *program,
                                       const struct lit_condition *condition);
/* The worst verdict over all conditions; without any: ok, undefined or unknown. */
enum lit_verdict outcome_verdict(const struct outcome *outcome, const struct lit_program *program);

#endif
