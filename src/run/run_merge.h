/* run_merge: the parts of a run put together, and two runs compared.
 *
 * merge: the records of several files, each once, in the order of the tests. With a manifest,
 * which names tests as `check` takes them, a test without a record is missing and one that the
 * manifest does not name is a stranger; both are faults. Of several records of one test and model
 * pair the one that says most stands: a verdict goes before `unknown` and `error`, a listing of
 * states before an answer without one. Two of which one decides the test, or one of its
 * conditions, otherwise than the other contradict each other. Without a manifest the tests are
 * sorted by their files' names.
 *
 * Records of a search (run_search.h) are put together by their units; there is no manifest of
 * these.
 *
 * diff: what changed from one run to the next, a line each.
 */
#ifndef CRASHLIT_RUN_MERGE_H
#define CRASHLIT_RUN_MERGE_H

#include "base/strbuf.h"
#include "run/run_plan.h"

/* `manifest`: FILE, DIR or @LIST; NULL: none. `reach`: of tests that have to be read. The status
 * says what `check` would have said of the whole; RUN_EXIT_INPUT when something is missing, strange
 * or unreadable, RUN_EXIT_DISAGREE when records contradict each other. */
enum run_status run_merge(const struct run_arguments *files, const char *manifest,
                          const struct reach *reach, struct strbuf *out, struct strbuf *err);

/* RUN_EXIT_DIFFERS when something became worse: a verdict that was the expected one is not any
 * more, one that was decided is `unknown` or `error`, or a test is not there any more.
 * RUN_EXIT_INPUT when the new run could not read a test or load a model pair. */
enum run_status run_diff(const char *old, const char *new, struct strbuf *out, struct strbuf *err);

#endif
