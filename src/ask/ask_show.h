/* ask_show: prints the executions that an engine shows (--dump-exec), and keeps them for reports.
 */
#ifndef CRASHLIT_ASK_SHOW_H
#define CRASHLIT_ASK_SHOW_H

#include "ask/ask_options.h"
#include "answer/report_gallery.h"
#include "session/session_explain.h"
#include "session/session_run.h"

/* Where executions go. Either may be NULL. */
struct ask_show {
    struct strbuf *out;             /* as text */
    struct report_gallery *gallery; /* for reports that show them */
};

/* Are executions to be kept, for reports that show them or for records? Tells the gallery, too. */
bool ask_show_wants(const struct ask_options *options, struct report_gallery *gallery);

/* Runs recovery on the cuts that are kept. */
void ask_show_recoveries(const struct session_case *question, struct report_gallery *gallery);
/* The view that shows executions to `show`; valid as long as `show`. */
struct session_view ask_show_view(const struct ask_show *show);

/* For pictures: the executions that reach a condition; in explanations also those that nearly do.
 */
struct ask_reaching {
    const struct lit_condition *condition; /* NULL: executions that are undefined */
    struct report_gallery *gallery;
};

/* The views of a search, and of an explanation; both are valid as long as `reaching`. */
struct session_view ask_show_reaching(const struct ask_reaching *reaching);
struct session_explain_view ask_show_reasons(const struct ask_reaching *reaching);

/* Asks the engine that the options name; with --dump-exec its executions go to `out`. */
void ask_show_run(const struct ask_options *options, const struct session_case *question,
                  struct outcome *outcome, struct strbuf *out);

/* If a state answers the test, runs the engine once more and keeps the execution that reaches it.
 * Keeps none that is too large to be drawn. */
void ask_show_told(const struct session_case *question, const struct engine_entry *engine,
                   const struct outcome *outcome, struct report_gallery *gallery);

/* For a decided condition on recovery, runs the engine once more, and keeps the chain and the crash
 * with which it begins. Does nothing for other conditions. */
void ask_show_chain(const struct session_case *question, const struct engine_entry *engine,
                    const struct outcome *outcome, uint32_t condition,
                    struct report_gallery *gallery);

#endif
