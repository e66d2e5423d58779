/* report_trace: a run of a machine, as a document and as JSON.
 *
 * The table has a row a step and a column for each thing that a part of the machine can hold, with
 * what is as it was before dimmed. docs/models/machines.md has the fields of the JSON object.
 */
#ifndef CRASHLIT_REPORT_TRACE_H
#define CRASHLIT_REPORT_TRACE_H

#include "document/report_document.h"
#include "engine/trace.h"
#include "exec/exec_crash.h"

struct report_trace {
    const struct lit_program *program;
    const struct trace *trace;
    struct trace_choice choice;
    enum exec_crash_mode crash_mode;
    enum lit_when when; /* the kind of state that was looked for */
    uint32_t number;    /* of the condition it was looked for, from 1; 0: a state was named */
    const char *goal;   /* the condition or the state */
    size_t columns;     /* text: that may be shown; 0: any number */
};
/* A document's part: a page has heads of its own around it. JSON is one object, one line. */
extern const struct report_subject report_trace;

/* The table alone, in `columns`. */
void report_trace_table(const struct report_trace *report, struct strbuf *out);
/* The state that was reached, in a line: "x=1; y=0;". */
void report_trace_state(const struct report_trace *report, struct strbuf *out);

/* ---- Parts of these ---- */

/* Of a run that was found, one SVG element; as a slide its letters are as large as they can be. */
struct report_size report_trace_picture(const void *report, enum report_sheet sheet,
                                        struct strbuf *svg);
/* The same for LaTeX (report_trace_tex.c). */
void report_trace_tex(const void *report, struct strbuf *tex);
void report_trace_json(const void *report, struct strbuf *out);

#endif
