/* report_sink: a whole run's report in one format.
 *
 * What there is to say of one input file is a piece. Any thread may build it, without knowing of
 * the others. The sink takes the pieces in the order of the inputs and writes them out at once,
 * so memory grows with one file and not with the run, but for what a format keeps in a structure of
 * its own, and what it has to write later, in a temporary file (report_format.h).
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
#include "report/report.h"

/* Every format but text: X(name). */
#define REPORT_FORMATS(X) X(json) X(junit) X(tap) X(sarif) X(html) X(dot) X(svg) X(cuts)

struct report_format;
struct report_piece;
struct report_sink;

/* NULL when there is none of that name. */
const struct report_format *report_format_find(const char *name);
/* Whether report_test.gallery is looked at. */
bool report_format_shows_executions(const struct report_format *format);
/* "" of NULL: a format of other documents, such as Markdown. */
const char *report_format_name(const struct report_format *format);
/* The same format with pictures as slides, where it is svg; of others the format itself. */
const struct report_format *report_format_of_slides(const struct report_format *format);
/* Whether cuts of executions are looked at. */
bool report_format_shows_cuts(const struct report_format *format);
/* Whether how executions come about is told, in words. */
bool report_format_tells_reasons(const struct report_format *format);
/* Whether a document of each input makes sense: of pictures. */
bool report_format_is_of_pictures(const struct report_format *format);

/* How an entry counts for a test runner. A verdict that is expected passes; `unknown` that is
 * expected is skipped, else an error; any other verdict that is not expected is a failure. */
enum report_result { REPORT_PASSED, REPORT_SKIPPED, REPORT_FAILED, REPORT_ERRED };

/* What could not be read or loaded. */
struct report_fault {
    enum diag_severity severity;
    const char *id;                    /* "E-lit-syntax" */
    const char *message;               /* one line */
    const char *details;               /* more lines, or NULL */
    struct span span;                  /* source NULL: no place */
    bool unknown;                      /* a limit was met, rather than anything being wrong */
    const struct report_failure *pair; /* a model pair that could not be loaded; NULL: none */
    struct diag_fix fix;
};

/* What the comparison of engines came to, for one test under one model pair. */
struct report_accord {
    const struct lit_program *program;
    const struct cat_model *model;
    enum report_result result; /* PASSED: agree; SKIPPED: not compared; FAILED: disagree */
    const char *details;
};

/* `path` must outlive the piece. */
struct report_piece *report_piece_new(const struct report_format *format, const char *path);
void report_piece_free(struct report_piece *piece);
/* Of an ended piece that wants a document for each picture: how many it has, at most UINT32_MAX,
 * and one of them as a piece of its own, to be freed. Of any other piece there is one, all of it.
 */
uint32_t report_piece_parts(const struct report_piece *piece);
struct report_piece *report_piece_part(const struct report_piece *piece, uint32_t number);
/* Is such a piece of one picture words in place of it? Of any other piece it is not. */
bool report_piece_is_words(const struct report_piece *part);
const char *report_piece_path(const struct report_piece *piece);
/* Once ended: is there nothing that it adds to a document? */
bool report_piece_is_empty(const struct report_piece *piece);
void report_piece_test(struct report_piece *piece, const struct report_test *test);
void report_piece_fault(struct report_piece *piece, const struct report_fault *fault);
void report_piece_accord(struct report_piece *piece, const struct report_accord *accord);
/* Each error and warning of `diag`. */
void report_piece_faults(struct report_piece *piece, const struct diag *diag);
/* For a piece that is of no file but of the run: its faults are of so many files. */
void report_piece_unread(struct report_piece *piece, size_t files);
/* Once, last. `program` is NULL when the file could not be read. */
void report_piece_end(struct report_piece *piece, const struct lit_program *program);

/* An ended piece, for a reader in another process; and read into a new one of the same format and
 * path. */
void report_piece_pack(const struct report_piece *piece, struct strbuf *out);
void report_piece_unpack(struct report_piece *piece, struct unpack *from);

struct report_run {
    const char *version;   /* of the program, "0.1" */
    const char *command;   /* line; outlives the sink */
    const char *timestamp; /* of the start, ISO 8601 without a zone, UTC; outlives the sink */
    /* Takes what is written; failures are the writer's to remember. */
    void (*write)(void *context, const char *bytes, size_t length);
    void *context;
};

struct report_sink *report_sink_new(const struct report_format *format,
                                    const struct report_run *run);
void report_sink_free(struct report_sink *sink);
void report_sink_add(struct report_sink *sink, struct report_piece *piece);
/* The run was stopped before its end: a document of a whole run will say so when it is closed. */
void report_sink_interrupt(struct report_sink *sink);
/* Ends the document. `status` is the exit status. Returns 0, or the errno with which the temporary
 * file could not be written or read. */
int report_sink_close(struct report_sink *sink, int status) __attribute__((warn_unused_result));

#endif
