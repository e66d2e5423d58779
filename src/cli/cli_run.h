/* cli_run: read one test and run an engine on it under one model pair.
 *
 * What `check` and `peers` have in common. Every witness is rechecked on the way; one
 * that does not stand ends the process with status 70.
 */
#ifndef CRASHLIT_CLI_RUN_H
#define CRASHLIT_CLI_RUN_H

#include "base/intern.h"
#include "session/session_models.h"
#include "cli/cli_options.h"
#include "cli/cli_worker.h"
#include "engine/engine.h"
#include "engine/idempotence.h"
#include "report/report_gallery.h"

/* A test that was read; `program` is NULL when it could not be. Where it expects something of a
 * model that is a file, the program has the path that it is opened by (reach_find). */
struct cli_test {
    struct arena arena;
    struct intern *names;
    const struct lit_program *program;
    const char *folder; /* of its file; NULL for one in memory */
    struct diag diag;   /* what was found on the way */
};

/* Diagnostics are also rendered to `err`. */
void cli_test_init(struct cli_test *test, const char *path, struct strbuf *err);
/* The same with the options' reach, and for the property that they name, which takes the place of
 * the test's conditions and expectations; without one as above. */
void cli_test_init_for(struct cli_test *test, const struct cli_options *options, const char *path,
                       struct strbuf *err);
/* The same for `length` bytes in memory, which are called `name`. */
void cli_test_init_text(struct cli_test *test, const struct cli_options *options, const char *name,
                        const char *text, size_t length, struct strbuf *err);
void cli_test_fini(struct cli_test *test);

enum exec_crash_mode cli_crash_mode(const struct cli_options *options,
                                    const struct lit_program *program);

/* One test under one model pair, which was loaded. */
struct cli_case {
    const struct cli_options *options;
    const struct session_model *model;
    const struct lit_program *program;
    struct cli_worker *worker; /* whose part this is; NULL: nobody's */
    struct clock_limit clock;  /* whatever is asked on the way, it is done by then */
    enum cli_loss lost;        /* not NONE: nothing is asked any more, no engine is run */
};

/* A part of the worker's task begins, and with it the clock. */
struct cli_case cli_case_begin(const struct cli_options *options, const struct session_model *model,
                               const struct lit_program *program, struct cli_worker *worker);
/* The same question once more, as another part. */
struct cli_case cli_case_again(const struct cli_case *question);
/* What is not known because the question was lost; NULL when it is not. */
const char *cli_case_doubt(const struct cli_case *question);
/* What every engine is asked, but for callbacks and how the options want it answered. Whoever asks
 * an engine begins with this, so that no limit is left out. */
struct engine_request cli_case_request(const struct cli_case *question);

/* Where witnesses go. */
struct cli_view {
    struct strbuf *out;             /* as text, when the options ask for it */
    struct report_gallery *gallery; /* for reports that show them, or NULL */
};

/* Asks the engine. Fills `outcome`, which the caller ends with outcome_fini. */
void cli_run_engine(const struct cli_case *question, const struct engine_entry *engine,
                    struct outcome *outcome, const struct cli_view *view);
/* Runs the engine once more for a condition on recovery that is decided, and keeps the crash with
 * which its chain begins, and the chain. Of other conditions nothing. */
void cli_run_keep_chain(const struct cli_case *question, const struct engine_entry *engine,
                        const struct outcome *outcome, uint32_t condition,
                        struct report_gallery *gallery);
/* As cli_run_engine for the one engine that the options name. */
void cli_run(const struct cli_case *question, struct outcome *outcome, struct strbuf *out);

/* Is the recovery of the outcome's test idempotent? A counterexample's steps are those of the
 * enumerator, and live in the outcome. */
struct idempotence cli_run_idempotence(const struct cli_case *question, struct arena *arena,
                                       struct outcome *outcome);

/* Runs the engine once more and prints its execution of one state, which is a crash state
 * or a final state. Nothing when time runs out before it comes by. */
void cli_run_show(const struct cli_case *question, const struct engine_entry *engine, bool crash,
                  const int64_t *row, struct strbuf *out);

#endif
