/* cuts: all crash cuts along one order of an execution's events. A crash between any two events
 * leaves some writes durable and others lost; memory and recovery's result follow.
 *
 * The order respects executes-before. If the witness has a cut, the events executed in it come
 * first, so this cut is among those shown. At each place crash cuts are listed whose executed
 * events are exactly those before it: the smallest one for each choice of last durable writes. Each
 * is rechecked (recheck.h) before it is kept.
 *
 * Ownership: `cuts_new` makes one that owns all it points to but the program; `cuts_free` releases
 * it. */
#ifndef CRASHLIT_CUTS_H
#define CRASHLIT_CUTS_H

#include "base/vec.h"
#include "engine/recovery.h"

enum { CUTS_MOST_EVENTS = 64, CUTS_MOST_A_PLACE = 64, CUTS_MOST = 1024, CUTS_MOST_RECOVERIES = 64 };

struct cuts_cut {
    uint32_t place;         /* how many events have executed */
    const bool *durable;    /* per event */
    const int64_t *row;     /* the crash state */
    uint32_t recovery;      /* LIT_NONE: not known */
    const uint32_t *turned; /* per event: the nearest cut here with that write's fate turned; it has
                               only more durable, or only less. LIT_NONE: the fate is fixed, or it
                               is no executed write to NVM */
};

struct cuts_place {
    uint32_t first, count; /* of the cuts; none: no crash comes exactly here */
    uint32_t start;        /* the cut most like the witness's */
    bool more;             /* not all are listed */
};

/* A run of recovery from a crash state to an end. */
struct cuts_run {
    const int64_t *row; /* columns of `recovered` */
    struct outcome_link link;
};

struct cuts_recovery {
    const int64_t *start; /* columns of `starts` */
    const struct cuts_run *runs;
    uint32_t run_count;
    const char *doubt; /* why there may be others; NULL: these are all */
};

struct cuts {
    struct arena arena;
    const struct lit_program *program;
    struct outcome columns;            /* columns alone */
    const struct outcome_step *events; /* in this order, without initial writes */
    const bool *persists;              /* per event: a write to non-volatile memory */
    uint32_t count;
    struct cuts_place *places; /* count + 1: before each event, and after the last */
    VEC(struct cuts_cut) cuts;
    uint32_t shown; /* the witness's own cut; LIT_NONE: it has none, or it is not listed */
    const struct cuts_recovery *recoveries;
    uint32_t recovery_count;
    bool recoveries_missing; /* there are more than CUTS_MOST_RECOVERIES */
};

/* NULL when the execution has more than CUTS_MOST_EVENTS events. The model forbids a near miss's
 * own cut, so that cut is left out. `broken` says what it breaks. NULL too if that is more than
 * rules of the cut, as then the execution does not exist. */
struct cuts *cuts_new(const struct engine_request *request, const struct engine_witness *witness,
                      const struct near_miss *broken);
void cuts_free(struct cuts *cuts);

/* Runs recovery on what each cut leaves. `request` is the test's, with the callbacks that these
 * runs are to have. */
void cuts_recover(struct cuts *cuts, const struct engine_request *request,
                  const struct recovery_options *options);

#endif
