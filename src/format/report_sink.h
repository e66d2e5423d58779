/* report_sink: a whole run's report in one format.
 *
 * A piece is the report of one input file. Any thread may build it, without knowing the other
 * pieces. The sink takes the pieces in the order of the inputs and writes each at once. So memory
 * grows with the largest file, not with the run. The exceptions are data that a format keeps
 * itself, and text that it writes later and keeps in a temporary file (report_format.h).
 *
 *     sink = report_sink_new(format, &run);
 *     for each file: piece = report_piece_new(format, path);
 *                    report_piece_test(piece, ...), ...; report_piece_end(piece, program);
 *                    report_sink_add(sink, piece); report_piece_free(piece);
 *     report_sink_close(sink, status); report_sink_free(sink);
 *
 * A report is a view of the JSON record, plus the source it names. It decides nothing.
 */
#ifndef CRASHLIT_REPORT_SINK_H
#define CRASHLIT_REPORT_SINK_H

#include "base/diag.h"
#include "base/pack.h"
#include "document/report_view.h"

/* Every format but text: X(name). */
#define REPORT_FORMATS(X) \
    X(json) X(junit) X(tap) X(sarif) X(html) X(md) X(dot) X(tex) X(svg) X(cuts)

struct report_format;
struct report_piece;
struct report_sink;

/* The format of that name; NULL when there is none. */
const struct report_format *report_format_find(const char *name);
/* The name of the format; "" for NULL, which stands for formats of other documents, such as
 * Markdown. */
const char *report_format_name(const struct report_format *format);
/* For svg, the format with pictures as slides; any other format itself. */
const struct report_format *report_format_of_slides(const struct report_format *format);
/* For html, the format of many tests, which shows what is not as expected; any other format itself.
 * In a folder it is an index and parts. */
const struct report_format *report_format_of_many(const struct report_format *format);

enum report_trait {
    REPORT_EXECUTIONS = 1,  /* it uses report_test.gallery */
    REPORT_CUTS = 2,        /* and the cuts of executions */
    REPORT_REASONS = 4,     /* and tells in words how they come about */
    REPORT_PICTURES = 8,    /* nothing about the run: a document for each input makes sense */
    REPORT_CHARACTERS = 16, /* columns are characters, not bytes */
    REPORT_PARTS = 32       /* of many tests: in a folder it is of several documents */
};
/* Does it show no more of an answer than its findings, so that a record will do? */
bool report_format_lists(const struct report_format *format);
bool report_format_has(const struct report_format *format, enum report_trait trait);

/* `path` must outlive the piece. */
struct report_piece *report_piece_new(const struct report_format *format, const char *path);
void report_piece_free(struct report_piece *piece);
/* For an ended piece with a document for each picture: the number of its pictures, at most
 * UINT32_MAX, and one picture as a piece of its own, which the caller frees. Any other piece counts
 * as one picture. */
uint32_t report_piece_parts(const struct report_piece *piece);
struct report_piece *report_piece_part(const struct report_piece *piece, uint32_t number);
/* Does such a piece of one picture have words in place of the picture? False for any other piece.
 */
bool report_piece_is_words(const struct report_piece *part);
const struct report_format *report_piece_format(const struct report_piece *piece);
const char *report_piece_path(const struct report_piece *piece);
/* Does an ended piece add nothing to a document? */
bool report_piece_is_empty(const struct report_piece *piece);
void report_piece_test(struct report_piece *piece, const struct report_test *test);
/* The same of an answer that is read from a record; for formats that list findings alone. */
void report_piece_view(struct report_piece *piece, const struct report_view *view);
void report_piece_fault(struct report_piece *piece, const struct report_fault *fault);
void report_piece_accord(struct report_piece *piece, const struct report_accord *accord);
/* Adds each error and warning of `diag`. */
void report_piece_faults(struct report_piece *piece, const struct diag *diag);
/* For a piece of the run instead of a file: the number of files that its faults are about. */
void report_piece_unread(struct report_piece *piece, size_t files);
/* Adds a record that is a line already, for JSON lines. */
void report_piece_line(struct report_piece *piece, const char *line);
/* Ends the piece: call it once, last. `program` is NULL when the file could not be read. */
void report_piece_end(struct report_piece *piece, const struct lit_program *program);
/* The same of what was read from records: the test's name and title, NULL when it could not be
 * read, and the version that answered. */
void report_piece_end_as(struct report_piece *piece, const char *test, const char *title,
                         const char *version);

/* Packs an ended piece for another process. The second function reads it there into a new piece of
 * the same format and path. */
void report_piece_pack(const struct report_piece *piece, struct strbuf *out);
void report_piece_unpack(struct report_piece *piece, struct unpack *from);

struct report_run {
    const char *version;   /* of the program, "0.1" */
    const char *command;   /* line; outlives the sink */
    const char *timestamp; /* of the start, ISO 8601 without a zone, UTC; outlives the sink */
    /* Takes the bytes that are written. It remembers failures itself. */
    void (*write)(void *context, const char *bytes, size_t length);
    /* Ends the document that is being written, and begins the one of that name beside it, for a
     * format with the trait REPORT_PARTS. NULL: there is one document. */
    void (*begin)(void *context, const char *name);
    void *context;
};

struct report_sink *report_sink_new(const struct report_format *format,
                                    const struct report_run *run);
void report_sink_free(struct report_sink *sink);
void report_sink_add(struct report_sink *sink, struct report_piece *piece);
/* Notes that the run was stopped before its end. A document of a whole run says so when it is
 * closed. */
void report_sink_interrupt(struct report_sink *sink);
/* Ends the document. `status` is the exit status. Returns 0, or the errno with which the temporary
 * file could not be written or read. */
int report_sink_close(struct report_sink *sink, int status) __attribute__((warn_unused_result));

#endif
