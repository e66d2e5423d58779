/* place: the minimal fillings of a sketch under which every condition is ok, nothing is undefined
 * and every work-item can end.
 *
 * What is answered comes from full checks of ordinary tests, each a filled text read by the
 * ordinary reader. A refused filling's execution is generalised to other fillings only as far as
 * bounds of the model show that it is one of theirs (place_box.h). One thing is concluded without
 * an execution: work-items that come to unequal numbers of barriers do not all end
 * (place_rendezvous.h).
 *
 * Each filling of the answer was checked by every engine that applies, and each step below it was
 * checked and refused by an execution of its own, unless a limit came before. A step below that is accepted after all would be
 * our bug, and ends the process with status 70.
 */
#ifndef CRASHLIT_PLACE_H
#define CRASHLIT_PLACE_H

#include "engine/placement.h"
#include "session/session_case.h"

struct place_question {
    const struct sketch *sketch; /* whose files have the paths that they were opened by */
    const struct session_settings *settings; /* engine and `decide` are not looked at; the time is
                                                that of each filling */
    const struct session_model *model;       /* of all files */
    struct session_parts parts;
    const struct lit_program *const *settled; /* per file given, whatever filling: whose conditions
                                                 that name a source have its states
                                                 (session_refine.h); NULL: no test has any */
    double seconds;                           /* for all of it; 0: no limit */
    double cpu_end;                           /* likewise, as in base/clock.h */
    const char *out_of_time; /* the reason that is given when they ran out; NULL: the usual one */
    uint64_t most_tried;     /* fillings of the search; 0: no limit */
    uint32_t enough;         /* minimal fillings, the first ones; 0: all of them */
    uint64_t
        conditions; /* the conditions that have to hold, a bit each, counted through all files; those past the last bit always have to; 0: all */
    bool forbidden; /* an `exists` among these demands that its state stays out of reach */
    bool no_clashes; /* if no filling does, the conflicting conditions are not looked for */
    bool one_by_one; /* no box is larger than its filling: for comparison */
    /* Called with each box that was learnt, `choice_count` masks; or NULL. */
    void (*on_box)(void *context, const uint8_t *filling, const uint64_t *box);
    void *context;
};

/* Everything in `placement` lives in `arena` or in the sketch. If no filling can be read, all are
 * UNREADABLE, and the clash has the reason of the first one. */
void place_answer(struct arena *arena, const struct place_question *question,
                  struct placement *placement);

#endif
