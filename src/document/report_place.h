/* report_place: the minimal fillings of a sketch, as a document, JSON and SARIF.
 *
 * What a filling says of a choice is in words of what stands there now, where something does:
 * "p_barrier_wi suffices for p_barrier_wg".
 */
#ifndef CRASHLIT_REPORT_PLACE_H
#define CRASHLIT_REPORT_PLACE_H

#include "engine/placement.h"
#include "sketch/changes.h"
#include "document/report_document.h"
#include "answer/report_gallery.h"

/* What was asked further about a test that no single statement at each point repairs: about several
 * at a point, or about two stores in each other's place. */
enum report_place_further {
    REPORT_PLACE_ONE,     /* it was not asked */
    REPORT_PLACE_FURTHER, /* the answer is that of this question */
    REPORT_PLACE_NEITHER, /* no filling does here either; the answer is that of the first question */
    REPORT_PLACE_OPEN     /* it is not known whether one does; likewise */
};

struct report_place {
    uint32_t number;           /* of the model pair, from 1 */
    const char *const *titles; /* of the tests */
    const char *visibility, *persistency;
    const struct placement *placement;
    enum report_place_further several, swaps;
    const char *several_limit, *swaps_limit; /* OPEN: which limit was met; NULL: some filling is not
                                                decided */
    const struct placement_reason *as_it_is; /* why there is nothing to narrow; else NULL */
    const uint32_t *shown;                   /* the fillings that are shown, in this order */
    uint32_t shown_count;
    const uint64_t *weights; /* of each filling; NULL: they are not weighed */
    const struct changes *
        changes; /* per filling and file, the files of a filling in a row; only those of shown fillings are set */
    const char *const *const *
        written; /* per shown filling and file the path that it is written to; NULL: none is written */
    /* For documents with pictures, the executions: per shown filling and step the one that refuses
     * the step; per clash; and the one of a test that does not hold as it stands. NULL: there is
     * none. */
    const struct report_gallery *const *const *step_pictures;
    const struct report_gallery *const *clash_pictures;
    const struct report_gallery *present_picture;
    const char *undrawn; /* why some pictures were left out; NULL: none was */
};

/* The whole run, for the head of a page. */
struct report_place_run {
    const char *version, *command;
    uint32_t pairs; /* of models, that were answered */
    int status;
};

/* The answer under a model pair, or NULL where there is none, as a document; its head is of a
 * report_place_run. A page has the program of each filling with the differences marked in it, and
 * at each choice the executions that refuse its next smaller values. */
extern const struct report_subject report_place;

/* ---- Parts of it ---- */

/* Appends one object on a line; nothing for NULL. */
void report_place_json(const void *report, struct strbuf *out);
/* Appends why a filling is refused: "~exists (x=1) is violated: x=1". */
void report_place_why(const struct report_place *report, const struct placement_reason *reason,
                      struct strbuf *out);
/* The sentence about a test that does not hold as it stands. */
void report_place_present(const struct report_place *report, struct strbuf *out);
/* Appends what else was tried in vain, behind "no filling will do": ", nor with several statements
 * at one point". */
void report_place_nor(const struct report_place *report, struct strbuf *out);
/* Appends which instructions a repair tried as additions, so that nobody takes "nothing" for more
 * than it says; nothing for other sketches. */
void report_place_tried(const struct sketch *sketch, struct strbuf *out);
/* The same as the array `additions`. */
void report_place_json_tried(const struct sketch *sketch, struct strbuf *out);
/* Appends how many fillings there are, or that there is none, and what is open: "No filling found so
 * far; the time limit ran out". */
void report_place_count(const struct report_place *report, struct strbuf *out);
/* "less may do: .."; of a filling that is not known to be minimal. */
extern const char report_place_unreduced[];
/* The changes of a shown filling, per file. */
const struct changes *report_place_changes(const struct report_place *report, uint32_t filling);
/* "line 6", "lines 7 and 13", "?s": where a choice is. */
void report_place_choice(const struct report_place *report, const struct sketch_choice *choice,
                         struct strbuf *out);
/* Appends what a filling changes: "line 6: p_barrier_wi suffices for p_barrier_wg; line 9: ..". */
void report_place_sentence(const struct report_place *report, uint32_t filling, struct strbuf *out);

/* What a filling makes of a file, for `patch -p0`: by the path that the file was opened by, with
 * the lines around. Nothing where nothing is otherwise. */
void report_place_diff(const struct source *source, const struct changes *changes,
                       struct strbuf *out);
uint32_t report_place_lines(const struct source *source);
/* Does the value of the choice leave its place empty? */
bool report_place_is_left_out(const struct sketch_choice *choice, uint32_t value);
/* What a filling says of choices, with what becomes of it below; nothing of what is not there and
 * is not added. `id`: what ids of sources begin with; NULL: there are none. */
void report_place_choices(const struct report_place *report, uint32_t filling, const char *id,
                          struct report_tree *tree);
void report_place_conflict(const struct report_place *report, struct report_tree *tree);
/* Append the fields of a reason, and the array `changes` of a filling, for each file. */
void report_place_json_reason(const struct report_place *report,
                              const struct placement_reason *reason, struct strbuf *out);
void report_place_json_changes(const struct report_place *report, const struct changes *changes,
                               struct strbuf *out);

/* Of the subject (report_place_sarif.c). */
void report_place_sarif_begin(const void *run, struct strbuf *out);
void report_place_sarif(const void *report, struct strbuf *out);
void report_place_sarif_end(const void *run, struct strbuf *out);
/* The member `fixes` of a result: each shown filling as a whole; and one of it, with the changes of
 * each file. */
void report_place_sarif_fixes(const struct report_place *report, struct strbuf *out);
void report_place_sarif_fix(const struct report_place *report, uint32_t number,
                            const struct changes *changes, struct strbuf *out);

#endif
