/* report_gallery: keeps some executions of one test under one model pair for reports. Witnesses are
 * valid only during the engine's callback, so their texts and graphs are made there.
 *
 * The gallery keeps the first execution that decides each condition, one that shows undefined
 * behaviour, and a few more. So memory is bounded by the number of conditions.
 *
 * Ownership: a gallery owns its texts and graphs; report_gallery_fini releases them. A zeroed
 * gallery is empty and valid.
 */
#ifndef CRASHLIT_REPORT_GALLERY_H
#define CRASHLIT_REPORT_GALLERY_H

#include "engine/cuts.h"
#include "engine/near_miss.h"
#include "report/report.h"
#include "answer/report_graph.h"

enum {
    REPORT_MAX_EXECUTIONS = 12, /* of one test under one model pair and engine */
    REPORT_OTHER_EXECUTIONS = 1 /* of these, such as decide no condition */
};

/* What records have of executions: nothing, data, or data and pictures. */
enum report_telling { REPORT_UNTOLD, REPORT_TOLD, REPORT_TOLD_DRAWN };

struct report_execution {
    const char *state;             /* "key=1; val=0" */
    struct outcome_states columns; /* of it: items and width alone */
    const int64_t *row;            /* the state; without columns there is none */
    bool crash;                    /* a crash state, else a final one */
    bool decides;                  /* a condition */
    uint32_t condition;            /* the number of that, from 0 */
    struct explanation *how;      /* it comes about, step by step, and which order is missing; NULL:
                                     nobody asked */
    const struct near_miss *miss; /* what excludes it; NULL: nothing does. No more than kinds and
                                     checks of its rules are valid */
    const char *text;             /* as report_witness writes it */
    bool undefined;               /* it is here for its undefined behaviour */
    struct report_graph *graph;   /* NULL: too large to be drawn */
    VEC(struct report_graph *) recoveries; /* runs of recovery that follow, in a chain */
    const char *note;                      /* "satisfies exists (x=1)", or nothing */
    struct cuts *cuts; /* what a crash anywhere in it leaves; NULL: nobody asked, or it is too
                          large, undefined or no execution of the model */
};

struct report_gallery {
    VEC(struct report_execution) items; /* in the order they were found */
    struct arena texts;
    uint64_t decided; /* conditions that have one, of the first 64 */
    uint32_t others;
    bool has_undefined;
    bool wants_cuts;    /* executions are kept with their cuts */
    bool undrawn;       /* nobody looks at pictures and texts of executions */
    bool wants_reasons; /* those that decide a condition are kept with how they come about */
    enum report_telling telling;
    bool as_if_defined; /* it explains a test that has undefined behaviour as if it had none */
    const char *remark; /* what is said where there is no execution; NULL: that there is none */
    bool remark_stands; /* it is said beside one, too */
};

void report_gallery_add(struct report_gallery *gallery, const struct engine_request *request,
                        const struct engine_witness *witness);
/* Keeps an execution with undefined behaviour, which may have reached no state. */
void report_gallery_add_undefined(struct report_gallery *gallery,
                                  const struct engine_request *request,
                                  const struct engine_witness *witness);
/* Keeps the crash with which the chain of a condition on recovery begins, then the runs of recovery
 * in that chain. Only program, model and outcome of `test` are used. */
void report_gallery_add_chain(struct report_gallery *gallery, const struct engine_request *request,
                              const struct engine_witness *witness, const struct report_test *test,
                              uint32_t condition);
/* Keeps the execution that explains why a condition's state can be reached. */
void report_gallery_add_reaching(struct report_gallery *gallery,
                                 const struct engine_request *request,
                                 const struct engine_witness *witness,
                                 const struct lit_condition *condition);
/* Keeps a near miss, which explains why the state cannot be reached, with the rules that exclude
 * it. */
void report_gallery_add_near_miss(struct report_gallery *gallery,
                                  const struct engine_request *request,
                                  const struct near_miss *miss,
                                  const struct lit_condition *condition);
/* The execution that decides the condition of that number. NULL: none of those kept does, or there
 * is no gallery. */
const struct report_execution *report_gallery_deciding(const struct report_gallery *gallery,
                                                       uint32_t condition);
/* Sets a copy of the text as the remark. */
void report_gallery_remark(struct report_gallery *gallery, const char *remark);
/* Does this execution answer the test? The undefined one does; if there is none, those that decide
 * a condition; if there is none of these, the first one. */
bool report_gallery_answers(const struct report_gallery *gallery, size_t number);
/* Do pages and records show this execution? They show all that decide a condition or are undefined;
 * if there are none, all. */
bool report_gallery_tells(const struct report_gallery *gallery, size_t number);
void report_gallery_fini(struct report_gallery *gallery);

#endif
