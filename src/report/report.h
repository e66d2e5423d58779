/* report: one checked test, as text or as a JSON line.
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

/* What the command line asked of every test: names as given, NULL where it left the choice to the
 * tests. Whoever has a record can tell by this which others there have to be. */
struct report_asked {
    const char *model, *persistency, *engine, *machine;
    const char *mapping; /* what made the test out of its file; NULL: it is the file */
    bool property;       /* in place of conditions and expectations */
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
    const struct report_explanation *explained; /* html, dot, svg: it is about one condition, and
                                                   why that is answered so; NULL: about them all */
    const struct report_trace *run; /* svg, run-html: a machine's, and all there is but the program;
                                       NULL: it is no run */
};

/* herd's shape, once per condition. */
void report_text(const struct report_test *test, struct strbuf *out);
/* Of a condition that holds the test against a source: its states, and what is compared. Lines, or
 * nothing. */
void report_text_source(const struct report_test *test, const struct lit_condition *condition,
                        struct strbuf *out);
/* One object, one line, JSON Lines. */
void report_json(const struct report_test *test, struct strbuf *out);
/* How it writes a digest (source_digest). */
enum { REPORT_DIGEST_SIZE = 17 };
void report_digest(uint64_t digest, char digits[REPORT_DIGEST_SIZE]);
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
/* The same for such: a record without engine, conditions and states. */
void report_json_failure(const struct report_failure *failure, struct strbuf *out);
/* Tags and instructions of the test that the model gives no meaning to: "clwb, sfence", or nothing.
 * Text: a line of them, or none. JSON: a list. */
void report_without_meaning(const struct report_test *test, struct strbuf *out);
/* The same, each with what else has a meaning by it: "clwb, sfence (has one on fences)"; and one of
 * them. */
void report_all_lacking(const struct report_test *test, struct strbuf *out);
void report_lacking(const struct meaning_lacking *lacking, uint32_t number, struct strbuf *out);
void report_text_without_meaning(const struct report_test *test, struct strbuf *out);
void report_json_without_meaning(const struct report_test *test, struct strbuf *out);
/* Parts of the two: undefined behaviour. */
void report_text_undefined(const struct report_test *test, struct strbuf *out);
/* One of it as a sentence: "race: P0's W x at line 3 and P1's R x at line 5". */
void report_undefined(const struct report_test *test, const struct outcome_undefined *undefined,
                      struct strbuf *out);
/* A flag or warning: "Flag data-race". */
void report_text_flag(const struct report_test *test, size_t flag, struct strbuf *out);
void report_json_undefined(const struct report_test *test, struct strbuf *out);

/* "hrf-direct + epoch"; names of files are made fit to be shown. */
void report_pair(const char *visibility, const char *persistency, struct strbuf *out);
/* What became of recovery (report_recovery.c). Text: the chain that decides a condition, if there
 * is one; the states from which recovery never completes; the answer about idempotence. JSON: the
 * fields after the crash states; a condition's chain; the answer. */
void report_text_chain(const struct report_test *test, uint32_t condition, struct strbuf *out);
void report_text_idempotence(const struct report_test *test, struct strbuf *out);
void report_json_idempotence(const struct report_test *test, struct strbuf *out);
/* How many states satisfy the condition, or not, as a judgement counts them: all digits. */
void report_count(const struct report_test *test, const struct lit_condition *condition,
                  uint64_t count, bool positive, struct strbuf *out);
const char *report_verdict_word(enum lit_verdict verdict); /* of text: "Ok", "No" */
/* Does such a state decide some condition: satisfy an `exists`, break a `~exists` or `forall`? */
bool report_state_decides(const struct report_test *test, enum lit_when when, const int64_t *row);
void report_text_livelocks(const struct report_test *test, struct strbuf *out);
void report_json_recovery(const struct report_test *test, struct strbuf *out);
void report_json_chain(const struct report_test *test, uint32_t condition, struct strbuf *out);
/* Parts that these share with the others: a state as text, and as JSON; an event's words. Items
 * are atoms of `program`. */
void report_json_row(const char *name, const struct lit_program *program,
                     const struct outcome_states *states, const int64_t *row, struct strbuf *out);
void report_json_rows(const char *name, const struct lit_program *program,
                      const struct outcome_states *states, struct strbuf *out);
void report_json_event(const char *name, const struct lit_program *program,
                       const struct outcome_event *event, struct strbuf *out);
/* Its fields alone. */
void report_json_event_fields(const struct lit_program *program, const struct outcome_event *event,
                              struct strbuf *out);
/* A place's line and column, as fields. */
void report_json_place(const struct lit_program *program, const struct span *span,
                       struct strbuf *out);
/* What each record begins with: "{", the schema, the test's name. */
void report_json_begin(const char *test, struct strbuf *out);

/* The field `executions`, of those that the test's gallery has, as data, and, where that is asked
 * for, pictures; nothing where nobody asked for it. `condition`: the place of the condition that all
 * of them are about, LIT_NONE: each says its own. */
void report_json_executions(const struct report_test *test, uint32_t condition, struct strbuf *out);

/* Why a condition of the test has the answer it has. `test` has program, model, outcome
 * (for undefined behaviour) and crash mode. */
struct report_explanation {
    struct report_test test;
    uint32_t number; /* of the condition, from 1 */
    const struct lit_condition *condition;
    const struct explanation *explanation;
    const struct explanation_crash *crashes; /* of a condition on recovery: those that the chain of
                                           the test's outcome goes through; NULL: none */
    uint32_t crash_count;
    const struct explanation_advice *advice;   /* of what should not be; NULL: not asked for */
    const struct explanation_support *support; /* of what is out of reach; NULL likewise */
};
void report_explain_text(const struct report_explanation *report, struct strbuf *out);
/* Its last part, what is said of the program's text, but for differences; or nothing. */
void report_advice_words(const struct report_explanation *report, struct strbuf *out);
/* One object, one line. */
void report_explain_json(const struct report_explanation *report, struct strbuf *out);

/* What excludes a near miss: "excluded by acyclic 'sequential-consistency'". */
void report_near_miss(const struct engine_request *request, const struct near_miss *miss,
                      struct strbuf *out);
/* "persist-before": what kind of reason it is. */
const char *report_reason_word(enum explanation_reason_kind kind);

/* One witness, for --dump-exec. */
void report_witness(const struct engine_request *request, const struct engine_witness *witness,
                    struct strbuf *out);

/* In JSON: "final", "crash" or "recovered". */
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
