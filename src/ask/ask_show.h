/* ask_show: executions that an engine shows, printed (--dump-exec) and kept for reports. */
#ifndef CRASHLIT_ASK_SHOW_H
#define CRASHLIT_ASK_SHOW_H

#include "ask/ask_options.h"
#include "answer/report_gallery.h"
#include "session/session_explain.h"
#include "session/session_run.h"

/* Where they go; either may be NULL. */
struct ask_show {
    struct strbuf *out;             /* as text */
    struct report_gallery *gallery; /* for reports that show them */
};

/* Whether executions are to be kept, for reports that show them or for records; says so to the
 * gallery. */
bool ask_show_wants(const struct ask_options *options, struct report_gallery *gallery);

/* What recovery makes of the cuts that are kept. */
void ask_show_recoveries(const struct session_case *question, struct report_gallery *gallery);
/* The view of it, as long as `show` is there. */
struct session_view ask_show_view(const struct ask_show *show);

/* For pictures: what comes to a condition, and in explanations what nearly does. */
struct ask_reaching {
    const struct lit_condition *condition; /* NULL: what is undefined instead */
    struct report_gallery *gallery;
};

/* Of a search, and of an explanation; as long as `reaching` is there. */
struct session_view ask_show_reaching(const struct ask_reaching *reaching);
struct session_explain_view ask_show_reasons(const struct ask_reaching *reaching);

/* Asks the engine that the options name; with --dump-exec its executions go to `out`. */
void ask_show_run(const struct ask_options *options, const struct session_case *question,
                  struct outcome *outcome, struct strbuf *out);

/* Runs the engine once more where a state answers the test, and keeps how that comes about;
 * of executions that would be too large to be drawn nothing. */
void ask_show_told(const struct session_case *question, const struct engine_entry *engine,
                   const struct outcome *outcome, struct report_gallery *gallery);

/* Runs the engine once more for a condition on recovery that is decided, and keeps the crash with
 * which its chain begins, and the chain. Of other conditions nothing. */
void ask_show_chain(const struct session_case *question, const struct engine_entry *engine,
                    const struct outcome *outcome, uint32_t condition,
                    struct report_gallery *gallery);

#endif
