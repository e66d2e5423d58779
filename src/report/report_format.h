/* report_format: what a format implements, and what the sink keeps for it. For src/report/ only.
 *
 * A format is a table of functions; those it leaves NULL do nothing. `case_` serves formats that
 * report to test runners: when it is there, tests, faults and accords become cases.
 */
#ifndef CRASHLIT_REPORT_FORMAT_H
#define CRASHLIT_REPORT_FORMAT_H

#include "report/report_finding.h"
#include "report/report_picture.h"
#include "report/report_sink.h"

#include <stdio.h>

/* Text in which the sink puts numbers, since a piece does not know what went before. */
struct report_stream {
    struct strbuf text;
    VEC(size_t) marks; /* offsets, rising: the format's `mark` writes there */
};

/* One entry as a test runner sees it. */
struct report_case {
    const char *name; /* "fig4 under hrf-direct + epoch [enum]" */
    enum report_result result;
    const char *type;    /* verdict or diagnostic id */
    const char *message; /* one line */
    const char *details; /* findings, one a line, "" without */
    const char *remarks; /* those that say that nothing was judged, also where it passed; "" without */
    struct span span;
    double seconds;
};

struct report_cell {
    const char *visibility, *persistency, *engine;
    enum lit_verdict verdict, expected;
};

/* A sentence about a source line, with the number of model pairs it holds under. */
struct report_note {
    uint32_t line;
    char *text;
    uint32_t count;
};

/* A test in the table of html. */
struct report_row {
    char *name, *path;
    size_t number; /* of the piece, from 0 */
    size_t faults;
    struct report_cell *cells;
    size_t cell_count;
};

struct report_counts {
    size_t tests, failures, errors, skipped;
    double seconds;
};

struct report_piece {
    const struct report_format *format;
    const char *path; /* that it was opened by */
    const char *file; /* by which it is called: utf8_name */
    struct report_stream out;    /* what the sink writes */
    struct report_stream inside; /* what `end` puts into it */
    struct report_counts counts;
    size_t faults;
    size_t unread;         /* files that they are of */
    struct strbuf remarks; /* junit: of its cases */
    /* html */
    VEC(struct report_cell) cells;
    VEC(struct report_note) notes;
    struct strbuf name;            /* of the test */
    struct arena names;            /* of the cells, when the piece was read */
    const struct source *source;   /* until `end` */
    VEC(struct report_size) sizes; /* svg: of its pictures, one for each mark */
};

struct report_sink {
    const struct report_format *format;
    struct report_run run;
    size_t pieces, points; /* added; numbers given by `mark` */
    struct report_counts counts;
    size_t faults;                       /* that are errors */
    size_t unread;                       /* files that they are of */
    bool interrupted;                    /* before all inputs were added */
    struct report_size size;             /* svg: of what there is so far */
    const struct report_size *next_size; /* svg: of the picture at the next mark */
    /* html, svg */
    FILE *spool;
    struct strbuf kept; /* when there can be no spool */
    int spool_error;    /* errno of its first failure, else 0 */
    /* html */
    VEC(struct report_row) rows;
    struct arena names; /* of the rows' cells */
};

/* What a document says of a run that was. */
#define REPORT_INTERRUPTED "the run was interrupted: tests that were not finished are missing"

struct report_format {
    const char *name;
    bool shows_executions;
    bool of_pictures; /* and of nothing about the run */
    void (*open)(struct report_sink *sink);
    void (*case_)(struct report_piece *piece, const struct report_case *entry);
    void (*test)(struct report_piece *piece, const struct report_test *test);
    void (*fault)(struct report_piece *piece, const struct report_fault *fault);
    void (*accord)(struct report_piece *piece, const struct report_accord *accord);
    void (*end)(struct report_piece *piece, const struct lit_program *program);
    void (*mark)(struct report_sink *sink, struct strbuf *out);
    void (*add)(struct report_sink *sink, struct report_piece *piece);
    void (*close)(struct report_sink *sink, int status);
};

#define X(name) extern const struct report_format report_format_##name;
REPORT_FORMATS(X)
#undef X

void report_sink_write(struct report_sink *sink, const struct strbuf *text);
/* Puts text into the temporary file, and writes all of it out. */
void report_sink_spool(struct report_sink *sink, const struct strbuf *text);
void report_sink_unspool(struct report_sink *sink);
/* Calls `put` for the piece's text, with numbers at its marks. */
void report_sink_flush(struct report_sink *sink, struct report_piece *piece,
                       void (*put)(struct report_sink *sink, const struct strbuf *text));
void report_stream_mark(struct report_stream *stream);
void report_stream_append(struct report_stream *to, const struct report_stream *from);
void report_stream_fini(struct report_stream *stream);

enum report_result report_result_of(const struct report_test *test);
/* "fig4 under hrf-direct + epoch [enum]" */
void report_test_name(const struct report_test *test, struct strbuf *out);

#endif
