/* report_trace_table: the columns of a run's table, which text and picture share. */
#ifndef CRASHLIT_REPORT_TRACE_TABLE_H
#define CRASHLIT_REPORT_TRACE_TABLE_H

#include "base/vec.h"
#include "document/report_trace.h"

enum { REPORT_TRACE_STEP_COLUMNS = 4 }; /* number, who, line, what; then those of parts */

struct report_trace_column {
    const char *head, *below; /* the part's name over its first column; the place's */
    bool begins_part;
    const char **cells; /* one a step; "." is what was there before */
    size_t width;       /* in characters */
};

struct report_trace_table {
    const struct report_trace *report; /* of a run that was found */
    uint32_t steps;
    struct arena arena;
    VEC(struct report_trace_column) columns;
};

void report_trace_table_init(struct report_trace_table *table, const struct report_trace *report);
void report_trace_table_fini(struct report_trace_table *table);
/* In so many characters, or forty; 0: any number (report_trace_fit.c). */
void report_trace_table_text(const struct report_trace_table *table, size_t columns,
                             struct strbuf *out);

/* ---- Parts of pictures (report_trace_picture.c) ---- */

/* In pixels; WHAT in characters, behind which what happens goes on in the next line. */
enum {
    REPORT_TRACE_EDGE = 16,
    REPORT_TRACE_HEADS = 96,
    REPORT_TRACE_CHARACTER = 9,
    REPORT_TRACE_WHAT = 44
};

/* Where columns and steps are. */
struct report_trace_layout {
    int *x, *width; /* per column */
    int *y;         /* per step, and one more */
    int right;
};
/* In the table's arena. */
struct report_trace_layout report_trace_layout(struct report_trace_table *table);
/* The last column of the part that begins there. */
size_t report_trace_part_end(const struct report_trace_table *table, size_t from);
/* What a crash leaves, or the final state, in a sentence. */
void report_trace_end(const struct report_trace *report, struct strbuf *out);

#endif
