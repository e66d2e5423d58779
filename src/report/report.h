/* report: what all reports have in common: one checked test, and its parts in words.
 *
 * A report is a view of what an engine found; it decides nothing. Output is
 * deterministic but for the time and memory figures of JSON's stats.
 */
#ifndef CRASHLIT_REPORT_H
#define CRASHLIT_REPORT_H

#include "engine/agree.h"
#include "engine/explanation.h"
#include "engine/idempotence.h"
#include "engine/meaning.h"
#include "engine/waits.h"

/* What the command line asked of every test: names as given, NULL where it left the choice to the
 * tests. Whoever has a record can tell by this which others there have to be. */
struct report_asked {
    const char *model, *persistency, *engine, *machine;
    const char *mapping; /* what made the test out of its file; NULL: it is the file */
    bool property;       /* in place of conditions and expectations */
    bool recovery_crash; /* recovery may crash, declared so or not */
    /* html: " --crash points", the other options that `explain`, or of a machine `trace`, is to
     * have to be asked the same; NULL: it cannot be. */
    const char *explain, *trace;
};

struct report_wide;
struct report_explanation;
struct report_trace;

struct report_test {
    const struct lit_program *program;
    const struct cat_model *model;
    const struct outcome *outcome;
    const char *engine;
    const char *machine;                   /* its name, NULL for other engines */
    const struct containment *containment; /* how it stands to a model's outcome; NULL: unknown */
    enum exec_crash_mode crash_mode;
    enum lit_verdict verdict, expected;
    const struct lit_expect *expectation; /* the line that says what is expected; NULL: none does */
    const struct lit_models *models; /* the pair is that of definition files; NULL: it is not */
    bool decided; /* conditions were decided without listing states: there is one at most */
    uint64_t question_digest; /* json: of the options, and of the machine's file */
    long peak_kib;
    const struct idempotence *idempotence; /* the property to be judged; NULL: conditions are */
    const char *explanation;               /* html, junit, tap: of what is violated; NULL: none */
    const char *remarks;                   /* text: lines to follow the verdict; NULL: none */
    const struct report_gallery *gallery;  /* html, dot, svg: executions kept for it; NULL: none */
    const struct report_gallery *named; /* html: findings name states of these, where they have one;
                                           NULL: the first of their lists */
    const struct report_asked *asked;   /* json: what brought it about; NULL: not known */
    const struct report_wide *wide;     /* what it could do with less of; NULL: nobody asked */
    const bool *bare;   /* per condition: it holds without barriers, fences and flushes as well
                         (session_bare.h); NULL: none, as far as anybody asked */
    struct waits waits; /* loops that a work-item never gets past (session_waits.h) */
    const struct report_explanation *explained; /* html, dot, svg: it is about one condition, and
                                                   why that is answered so; NULL: about them all */
    const struct report_trace *run; /* svg, run-html: a machine's, and all there is but the program;
                                       NULL: it is no run */
};

/* What has no answer from any engine. Of a file that could not be read or finished nobody came to
 * know test and models; of a model pair that could not be loaded they are known. */
struct report_failure {
    const char *path;
    enum lit_verdict verdict, expected; /* the former `error` or `unknown` */
    const char *reason;
    uint32_t line;                        /* of `reason`, without a program; 0: none */
    const struct lit_program *program;    /* NULL: not known */
    const char *visibility, *persistency; /* as named; NULL without a program */
};

/* "hrf-direct + epoch"; names of files are made fit to be shown. */
void report_pair(const char *visibility, const char *persistency, struct strbuf *out);
/* What excludes a near miss: "excluded by acyclic 'sequential-consistency'". */
void report_near_miss(const struct engine_request *request, const struct near_miss *miss,
                      struct strbuf *out);
/* "persist-before": what kind of reason it is. */
const char *report_reason_word(enum explanation_reason_kind kind);

/* One witness, for --dump-exec. */
void report_witness(const struct engine_request *request, const struct engine_witness *witness,
                    struct strbuf *out);

/* "final", "crash" or "recovered". */
const char *report_condition_kind(const struct lit_condition *condition);
const char *report_crash_mode(enum exec_crash_mode mode);
/* Where a test begins. */
struct span report_head(const struct lit_program *program);
/* "key=1; val=0; 1:r=-", without what is no part of the state by itself; and with the end of a
 * line.
 */
void report_row(const struct lit_program *program, const struct lit_atom *items, uint32_t width,
                const int64_t *row, struct strbuf *out);
/* The columns of `parts` (NULL: all), with this between two. */
void report_row_parts(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, const bool *parts, const char *between,
                      struct strbuf *out);
void report_text_row(const struct lit_program *program, const struct lit_atom *items,
                     uint32_t width, const int64_t *row, struct strbuf *out);
/* As boxes of pictures have it: a value of more than six digits in hexadecimal; a row of such. */
void report_short_value(enum lit_type type, int64_t value, struct strbuf *out);
void report_short_row(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, struct strbuf *out);
/* "P0's W x at line 3", "the initial W x" */
void report_event(const struct lit_program *program, const struct outcome_event *event,
                  struct strbuf *out);
/* "0:r1", "key": a column of a state. */
void report_item(const struct lit_program *program, const struct lit_atom *item,
                 struct strbuf *out);
void report_item_value(const struct lit_program *program, const struct lit_atom *item,
                       int64_t value, struct strbuf *out);
/* Is it a column that readers see? */
bool report_is_shown(const struct lit_atom *item);
/* What a row has in a column; "-" for a register without a value. */
void report_column(const struct lit_program *program, const struct lit_atom *items,
                   const int64_t *row, uint32_t column, struct strbuf *out);

#endif
