/* placement: the minimal fillings of a sketch, and why nothing smaller will do.
 *
 * Plain data, filled by src/place and shown by reports. A filling gives each choice of a sketch
 * (sketch/sketch.h) one of its values, by number. It is smaller than another one when it is smaller
 * in some choice and greater in none.
 *
 * Ownership: all of it lives in the arena that it was made in. */
#ifndef CRASHLIT_PLACEMENT_H
#define CRASHLIT_PLACEMENT_H

#include "sketch/sketch.h"
#include "engine/outcome.h"

/* Why a filling is refused, or not known to be accepted: X(identifier, in words).
 *  VIOLATED    a state breaks a condition; an execution of it was rechecked
 *  UNREACHED   a condition asks for a state that no execution comes to
 *  UNDEFINED   an execution has undefined behaviour; it was rechecked
 *  VACUOUS     a condition holds of no state, as there is none of its kind
 *  STUCK       no execution runs to its end
 *  LIVELOCK    recovery never completes from some crash state
 *  UNREADABLE  it is no test: an instruction cannot have such an operand
 *  UNKNOWN     no engine has decided it: nothing is said about it */
#define PLACEMENT_REASONS(X)    \
    X(VIOLATED, "violated")     \
    X(UNREACHED, "unreached")   \
    X(UNDEFINED, "undefined")   \
    X(VACUOUS, "vacuous")       \
    X(STUCK, "stuck")           \
    X(LIVELOCK, "livelock")     \
    X(UNREADABLE, "unreadable") \
    X(UNKNOWN, "unknown")

enum placement_reason_kind {
#define X(identifier, text) PLACEMENT_##identifier,
    PLACEMENT_REASONS(X)
#undef X
};
const char *placement_reason_word(enum placement_reason_kind kind);

struct placement_reason {
    enum placement_reason_kind kind;
    uint32_t file;              /* of the sketch */
    uint32_t condition;         /* of that file's test, from 0; LIT_NONE: it is about none */
    const char *condition_text; /* as it is normalised; NULL: none */
    bool race;                  /* UNDEFINED: by a race */
    const char *words;          /* VIOLATED: the state, "key=1, val=0"; UNDEFINED: what, with lines;
                                   UNKNOWN, UNREADABLE: why. Never NULL */
};

/* What a filling becomes when one choice is one step smaller. */
struct placement_step {
    uint32_t choice;
    uint8_t value; /* the smaller one */
    struct placement_reason reason;
};

struct placement_filling {
    struct sketch_filling filling;
    const struct placement_step *steps; /* each next smaller value of each choice */
    uint32_t step_count;
    const char *confirmed_by; /* engines that found nothing wrong, "enum, smt and machine"; or "" */
    const char *unconfirmed;  /* why another engine could not say, NULL: none */
    const char *disputed_by;  /* an engine that finds it wrong: a fault of this program; NULL */
    bool
        unreduced; /* a smaller one may be accepted as well: the limit came before that was known */
};

/* Conditions that clash when no filling is accepted: all but any one of them can be met
 * together. */
struct placement_clash {
    struct placement_reason reason;  /* what breaks this condition where the others are met */
    struct sketch_filling met_by;    /* a filling that meets this condition alone */
    bool can_be_met;                 /* false: no filling meets it */
    struct sketch_filling broken_by; /* the filling that `reason` is of */
};

struct placement {
    const struct sketch *sketch;
    const struct placement_filling *fillings; /* in lexicographic order of values,
                                                 or as place_order has them */
    uint32_t count;
    const struct sketch_filling *open; /* not known to be accepted or refused */
    const struct placement_reason *open_reasons;
    uint32_t open_count;
    bool fewest; /* no filling has fewer changes than the one with the fewest; or it is not known */
    bool complete;     /* no other filling is minimal, except perhaps open ones */
    const char *limit; /* the limit met, or why there are no clashes; NULL */
    const struct placement_clash *clashes; /* when there is no filling, and that is certain */
    uint32_t clash_count;
    uint64_t never_met;    /* some of the conditions that no filling meets, a bit each */
    bool stands;           /* no filling was found, but the original one is accepted; it need not be
                              minimal */
    double total;          /* number of all fillings; may be infinite */
    uint64_t tried;        /* how many of them the search for the minimal ones asked about; what was
                              asked for a guess (place_few.h) is counted nowhere */
    uint64_t refused;      /* how many of those were refused, each with a box of fillings */
    uint64_t executions;   /* candidates that engines tried */
    double search_seconds; /* until the minimal ones were known */
    double seconds;        /* until they were confirmed, with their steps, by all engines */
};

/* How many fillings are known to be minimal. */
uint32_t placement_minimal_count(const struct placement *placement);
/* An engine that finds one of the fillings wrong; NULL: none does. */
const char *placement_disputed_by(const struct placement *placement);

/* "key=1, val=0": a row of states, in the words of conditions. `recovered`: registers are of the
 * recovery's threads. */
const char *placement_state(struct arena *arena, const struct lit_program *program,
                            const struct outcome_states *states, const int64_t *row,
                            bool recovered);

#endif
