/* report: the data and words that all reports share: one checked test, and its parts in words.
 *
 * A report is a view of an engine's answer; it decides nothing. Output is deterministic, except the
 * time and memory figures of JSON's stats.
 */
#ifndef CRASHLIT_REPORT_H
#define CRASHLIT_REPORT_H

#include "base/diag.h"
#include "engine/agree.h"
#include "engine/explanation.h"
#include "engine/idempotence.h"
#include "engine/meaning.h"
#include "engine/waits.h"

/* The question that the command line asked of every test: names as given, NULL where the choice is
 * left to the tests. A reader of a record can tell by it which other records there must be. */
struct report_asked {
    const char *model, *persistency, *engine, *machine;
    const char *mapping; /* made the test from its file; NULL: the test is the file */
    bool property;       /* a property is judged in place of conditions and expectations */
    bool recovery_crash; /* recovery may crash, declared so or not */
    /* html: " --crash points", the other options that `explain`, or of a machine `trace`, is to
     * have to be asked the same; NULL: it cannot be. */
    const char *explain, *trace;
};

struct report_wide;
struct report_accord;
struct report_explanation;
struct report_trace;
struct report_cases;

/* Evidence of an answer that another program can check (certify/certificate.h). */
struct report_certificate {
    const char *text;     /* NULL: there is none */
    const char *lacks;    /* why, or why it is not accepted; NULL: neither */
    const char *subject;  /* how the checker says what its answer is about */
    uint64_t leaves;      /* of its trees */
    const bool *accepted; /* by the checker; NULL: it was not asked */
    bool disputed;        /* the checker refuses it, or says something else */
};

/* What a run may fail for though the verdict is the expected one: that the answer is disputed; and by
 * its options conditions that ask nothing, warnings, and that a limit was met before it was known
 * whether there are any. */
enum report_failing {
    REPORT_FAILS_NOT,
    REPORT_FAILS_DISPUTED,
    REPORT_FAILS_VACUOUS,
    REPORT_FAILS_WARNED,
    REPORT_FAILS_OPEN
};

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
    enum report_failing fails;       /* what a run fails for besides the verdict (ask_account.h) */
    bool known;   /* that its verdict is another than the expected one (run_known.h) */
    bool decided; /* conditions were decided without listing states: there is one at most */
    uint64_t question_digest; /* json: of the options, and of the machine's file */
    bool disputed;            /* engines, or the checker, contradict each other about it */
    long peak_kib;
    const struct idempotence *idempotence; /* the property to be judged; NULL: conditions are */
    const char *explanation;               /* html, junit, tap: of what is violated; NULL: none */
    const char *remarks;                   /* text: lines to follow the verdict; NULL: none */
    const struct report_gallery *gallery;  /* html, dot, svg: executions kept for it; NULL: none */
    const struct report_gallery *named; /* html: findings name states of these, where they have one;
                                           NULL: the first of their lists */
    const struct report_asked *asked;   /* json: what brought it about; NULL: not known */
    const struct report_certificate *certificate; /* NULL: nobody asked */
    const struct report_wide *wide; /* what it could do with less of; NULL: nobody asked */
    const bool *bare;   /* per condition: it holds without barriers, fences and flushes as well
                         (session_bare.h); NULL: none, as far as anybody asked */
    struct waits waits; /* loops that a work-item never gets past (session_waits.h) */
    const struct report_explanation *explained; /* html, dot, svg: it is about one condition, and
                                                   why that is answered so; NULL: about them all */
    const struct report_cases *cases;   /* html: why its states are all; nothing else is said */
    const struct report_accord *accord; /* json: how the engines of the pair stand to each other,
                                           of the last one; NULL: nobody compared them */
    const char *messages; /* json: what was said of its file, as objects; NULL: nothing, or a record
                             before it has them */
    const struct report_trace *run; /* svg, run-html: a machine's, and all there is but the program;
                                       NULL: it is no run */
};

/* A question without an answer of any engine. For a file that could not be read, or was not
 * finished, test and models are unknown. For a model pair that could not be loaded they are known.
 */
struct report_failure {
    const char *path;
    enum lit_verdict verdict, expected; /* the former `error` or `unknown` */
    const char *reason;
    uint32_t line;                        /* of `reason`, without a program; 0: none */
    const struct lit_program *program;    /* NULL: not known */
    const char *visibility, *persistency; /* as named; NULL without a program */
    const char *messages; /* all that was said, as objects of JSON (report_json_message) */
    const size_t *unread; /* of a run: of how many files that is; NULL: it is of `path` */
};

/* How an entry counts for a test runner. A verdict that is expected passes; `unknown` that is
 * expected is skipped, else an error; any other verdict that is not expected is a failure. */
enum report_result { REPORT_PASSED, REPORT_SKIPPED, REPORT_FAILED, REPORT_ERRED };

/* A file or model pair that could not be read or loaded. */
struct report_fault {
    enum diag_severity severity;
    const char *id;                    /* "E-lit-syntax" */
    const char *message;               /* one line */
    const char *details;               /* more lines, or NULL */
    struct span span;                  /* source NULL: no place */
    bool unknown;                      /* a limit was met, rather than anything being wrong */
    const struct report_failure *pair; /* a model pair that could not be loaded; NULL: none */
    struct diag_fix fix;
    struct span fix_at; /* where its word stands; source NULL: it is to be looked for */
};

/* The result of comparing engines, for one test under one model pair. */
struct report_accord {
    const char *test, *visibility, *persistency;
    struct span head;          /* of the test */
    enum report_result result; /* PASSED: agree; SKIPPED: not compared; FAILED: disagree */
    const char *details;
};

/* "hrf-direct + epoch"; names of files are made fit to be shown. */
void report_pair(const char *visibility, const char *persistency, struct strbuf *out);
/* What excludes a near miss: "excluded by acyclic 'sequential-consistency'". */
void report_near_miss(const struct engine_request *request, const struct near_miss *miss,
                      struct strbuf *out);
/* A check as the model writes it: "acyclic 'sequential-consistency'". */
void report_check(const struct cat_check *check, struct strbuf *out);
/* The kind of a reason: "persist-before". */
const char *report_reason_word(enum explanation_reason_kind kind);

/* Writes one witness, for --dump-exec. */
void report_witness(const struct engine_request *request, const struct engine_witness *witness,
                    struct strbuf *out);

/* "final", "crash" or "recovered". */
const char *report_condition_kind(const struct lit_condition *condition);
const char *report_crash_mode(enum exec_crash_mode mode);
/* The place at which a test begins. */
struct span report_head(const struct lit_program *program);
/* Writes a state: "key=1; val=0; 1:r=-". Columns that are not part of the state by themselves are
 * left out. The second function adds the end of the line. */
void report_row(const struct lit_program *program, const struct lit_atom *items, uint32_t width,
                const int64_t *row, struct strbuf *out);
/* Writes the columns of `parts` (NULL: all), with the given text between two. */
void report_row_parts(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, const bool *parts, const char *between,
                      struct strbuf *out);
void report_text_row(const struct lit_program *program, const struct lit_atom *items,
                     uint32_t width, const int64_t *row, struct strbuf *out);
/* Values as boxes of pictures show them: hexadecimal when they have more than six digits. The
 * second function writes a row of them. */
void report_short_value(enum lit_type type, int64_t value, struct strbuf *out);
void report_short_row(const struct lit_program *program, const struct lit_atom *items,
                      uint32_t width, const int64_t *row, struct strbuf *out);
/* Where a thread does something: " at line 3", and of launches that have no lines for a reader
 * " in launch 2", or nothing where there is one. */
void report_where(const struct lit_program *program, uint32_t thread, uint32_t line,
                  struct strbuf *out);
/* An event in words: "P0's W x at line 3", "the initial W x". */
void report_event(const struct lit_program *program, const struct outcome_event *event,
                  struct strbuf *out);
/* The name of a column of a state: "0:r1", "key". */
void report_item(const struct lit_program *program, const struct lit_atom *item,
                 struct strbuf *out);
void report_item_value(const struct lit_program *program, const struct lit_atom *item,
                       int64_t value, struct strbuf *out);
/* Is the column shown to readers? */
bool report_is_shown(const struct lit_atom *item);
/* The value of a row in a column; "-" for a register without a value. */
void report_column(const struct lit_program *program, const struct lit_atom *items,
                   const int64_t *row, uint32_t column, struct strbuf *out);

#endif
