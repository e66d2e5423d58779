/* report_place: the minimal fillings of a sketch, as text, JSON and SARIF.
 *
 * What a filling says of a choice is in words of what stands there now, where something does:
 * "p_barrier_wi suffices for p_barrier_wg".
 */
#ifndef CRASHLIT_REPORT_PLACE_H
#define CRASHLIT_REPORT_PLACE_H

#include "engine/placement.h"
#include "litmus/lit_changes.h"

struct report_place {
    const char *const *titles; /* of the tests */
    const char *visibility, *persistency;
    const struct placement *placement;
    const struct placement_reason *as_it_is; /* why there is nothing to narrow; else NULL */
    const uint32_t *shown;                   /* fillings that are told of, in this order */
    uint32_t shown_count;
    const uint64_t *weights;           /* of each filling; NULL: they are not weighed */
    const struct lit_changes *changes; /* of each filling for each file, the files of a filling in a
                                          row; of those that are told of alone */
    const char *const *const *written; /* of each of these for each file the path that it is
                                          written to; NULL: of none */
};

void report_place_text(const struct report_place *report, struct strbuf *out);
/* One object, on a line. */
void report_place_json(const struct report_place *report, struct strbuf *out);
/* "fig4 and fig5", the tests that are one question. */
void report_place_title(const struct report_place *report, struct strbuf *out);
/* "line 6", "lines 7 and 13", "?s": where a choice is. */
void report_place_choice(const struct report_place *report, const struct lit_choice *choice,
                         struct strbuf *out);
/* "line 6: p_barrier_wi suffices for p_barrier_wg; line 9: .." of what is to be otherwise. */
void report_place_sentence(const struct report_place *report, uint32_t filling, struct strbuf *out);

/* What a filling makes of a file, for `patch -p0`: by the path that the file was opened by, with
 * the lines around. Nothing where nothing is otherwise. */
void report_place_diff(const struct source *source, const struct lit_changes *changes,
                       struct strbuf *out);
/* Is the value that nothing stands there? */
bool report_place_is_left_out(const struct lit_choice *choice, uint32_t value);
/* What a filling says of choices, with what becomes of it below, on lines of their own; nothing of
 * what is not there and is not added. */
void report_place_choices(const struct report_place *report,
                          const struct placement_filling *filling, struct strbuf *out);
/* "~exists (x=1) is violated: x=1", to the end of the line. */
void report_place_reason(const struct report_place *report, const struct placement_reason *reason,
                         struct strbuf *out);
void report_place_conflict(const struct report_place *report, struct strbuf *out);
/* The fields of a reason; the array `changes` of a filling, for each file. */
void report_place_json_reason(const struct report_place *report,
                              const struct placement_reason *reason, struct strbuf *out);
void report_place_json_changes(const struct report_place *report, const struct lit_changes *changes,
                               struct strbuf *out);

/* A SARIF document with the answers of all model pairs between the two (report_place_sarif.c). */
void report_place_sarif_begin(const char *version, struct strbuf *out);
void report_place_sarif(const struct report_place *report, struct strbuf *out);
/* The member `fixes` of a result: each shown filling as a whole. */
void report_place_sarif_fixes(const struct report_place *report, struct strbuf *out);
void report_place_sarif_end(const char *command, int status, struct strbuf *out);

#endif
