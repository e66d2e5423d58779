/* report_format: what a format implements. For src/format/ only.
 *
 * A format is a table of functions; one that is NULL does nothing. `case_` is for formats that
 * report to test runners: with it, tests, faults and accords become cases.
 *
 * A format may keep data of a piece or of a run in a structure of its own behind `state`, which is
 * zeroed at first. piece_size and sink_size are the sizes of these structures; piece_fini and
 * sink_fini release what they own. A piece may be built in another process than the sink, so its
 * state ends with `end`. Data that the sink needs beside the text of a piece goes as bytes
 * (base/pack.h) into the piece's `parcel`.
 */
#ifndef CRASHLIT_REPORT_FORMAT_H
#define CRASHLIT_REPORT_FORMAT_H

#include "document/report_finding.h"
#include "picture/report_picture.h"
#include "format/report_sink.h"

#include <stdio.h>

/* A text into which the sink inserts numbers: a piece does not know how many there were before it.
 */
struct report_stream {
    struct strbuf text;
    VEC(size_t) marks; /* rising offsets at which the format's `mark` adds text */
};

enum { REPORT_PICTURE_NUMBERS = 3 };

/* One entry as a test runner sees it. */
struct report_case {
    const char *name; /* "fig4 under hrf-direct + epoch [enum]" */
    enum report_result result;
    const char *type;        /* verdict or diagnostic id */
    const char *message;     /* one line */
    const char *details;     /* findings, one a line, "" without */
    const char *remarks;     /* that nothing was judged; given even if the entry passed */
    const char *explanation; /* of what is violated, in lines; NULL: none */
    struct span span;
    double seconds;
};

struct report_piece {
    const struct report_format *format;
    const char *path;         /* that it was opened by */
    const char *file;         /* by which it is called: utf8_name */
    struct arena names;       /* for that */
    struct report_stream out; /* what the sink writes */
    struct strbuf parcel;     /* what the format's `add` and `mark` read */
    size_t faults;            /* that are errors */
    size_t unread;            /* files that they are of */
    bool is_run;              /* it is of the run, and of no file */
    const char *test, *title; /* once it is ended; NULL: it could not be read */
    const char *version;      /* of the program that answered */
    void *state;              /* the format's */
};

struct report_sink {
    const struct report_format *format;
    struct report_run run;
    struct strbuf out;    /* to be written when the format's function returns */
    size_t pieces, marks; /* that came before */
    size_t faults;        /* of pieces, as there */
    size_t unread;
    bool interrupted;   /* before all inputs were added */
    FILE *spool;        /* of a format that waits; NULL: there can be none */
    struct strbuf kept; /* in its place */
    int spool_error;    /* errno of its first failure, else 0 */
    bool skips;         /* of a format that waits: `add` has no room for the text of this piece */
    void *state;        /* the format's */
};

/* What a document says of a run that was. */
#define REPORT_INTERRUPTED "the run was interrupted: tests that were not finished are missing"

struct report_format {
    const char *name;
    unsigned traits; /* enum report_trait */
    bool apart;      /* in a folder each picture has a document; it begins at its mark, and the
                        parcel has so many numbers of it: width, height, and 1 of words in
                        place of a picture */
    bool waits;      /* what its document begins with is known last: pieces wait for `close` */
    size_t piece_size, sink_size;
    void (*case_)(struct report_piece *piece, const struct report_case *entry);
    void (*test)(struct report_piece *piece, const struct report_test *test);
    /* Of what is no explanation. A format that has neither this nor `case_` needs more than a view. */
    void (*view)(struct report_piece *piece, const struct report_view *view);
    /* Of a record alone, in a format whose `test` shows more than a view has. */
    void (*record)(struct report_piece *piece, const struct report_view *view);
    void (*fault)(struct report_piece *piece, const struct report_fault *fault);
    void (*accord)(struct report_piece *piece, const struct report_accord *accord);
    void (*end)(struct report_piece *piece, const struct lit_program *program);
    /* report_draw.c calls this for each execution, with its graph or else a line of text. */
    void (*draw)(struct report_piece *piece, const struct report_graph *graph, const char *text);
    void (*piece_fini)(struct report_piece *piece);
    /* These add to the sink's `out`: the text before all pieces, the text of a mark, the text
     * before a piece, and the text behind all pieces. */
    void (*open)(struct report_sink *sink);
    void (*mark)(struct report_sink *sink);
    void (*add)(struct report_sink *sink, const struct report_piece *piece);
    void (*close)(struct report_sink *sink, int status);
    void (*sink_fini)(struct report_sink *sink);
};

/* The formats that no --format names: the page of a command with another page than the report, and
 * what --certify writes. */
#define REPORT_PAGES(X) X(run_html) X(cert)

#define X(name) extern const struct report_format report_format_##name;
REPORT_FORMATS(X)
X(slide)
X(html_many)
REPORT_PAGES(X)
#undef X

/* Zeroed memory for a state; NULL for none. */
void *report_state_new(size_t size);
/* Writes `out` and empties it. For a `close` that makes much text. */
void report_sink_flush(struct report_sink *sink);
/* The same, then writes the pieces that waited. */
void report_sink_unspool(struct report_sink *sink);
/* The same, for a document that others follow: what comes then waits anew. */
void report_sink_unspool_all(struct report_sink *sink);
void report_stream_mark(struct report_stream *stream);
void report_stream_append(struct report_stream *to, const struct report_stream *from);
void report_stream_fini(struct report_stream *stream);

/* "fig4 under hrf-direct + epoch [enum]" */
void report_test_name(const struct report_test *test, struct strbuf *out);

#endif
