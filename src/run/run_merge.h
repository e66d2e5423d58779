/* run_merge: merges the parts of a run, and compares two runs.
 *
 * merge: the records of several files, each once, in the order of the tests. A manifest names tests
 * as `check` takes them. A test without a record is missing, and one that the manifest does not
 * name is a stranger; both are faults. Of several records of one test and model pair the most
 * informative is kept: a verdict before `unknown` and `error`, a listing of states before an answer
 * without one. Two that decide the test, or one of its conditions, differently contradict each
 * other. Without a manifest the tests are sorted by file name.
 *
 * Records of a search (run_search.h) are merged by their units, without a manifest.
 *
 * diff: the changes from one run to the next, a line each. */
#ifndef CRASHLIT_RUN_MERGE_H
#define CRASHLIT_RUN_MERGE_H

#include "base/strbuf.h"
#include "run/run_diff_tell.h"
#include "run/run_output.h"
#include "run/run_plan.h"

/* The plan's inputs are the files, and its formats what is written: the records as they are, or a
 * report of them (run_retell.h). `manifest`: FILE, DIR or @LIST, of which the choice of the inputs is taken; NULL: none. The status is what
 * `check` would have said of the whole; RUN_EXIT_INPUT when something is missing, strange or
 * unreadable; RUN_EXIT_DISAGREE when records contradict each other. */
enum run_status run_merge(const struct run_plan *plan, const char *manifest, struct run_output *out,
                          struct strbuf *err);

/* Compares the records of two files, and writes what became of each test and model pair. Little of a
 * run is kept in memory: what is told is read again, but from a pipe.
 *
 * RUN_EXIT_DIFFERS when something became worse: an expected verdict is no longer the expected one,
 * a decided one is `unknown` or `error`, or a test is gone that is none of `may_go`. RUN_EXIT_INPUT
 * when the new run could not read a test or load a model pair. */
enum run_status run_diff(const char *old, const char *new, const struct run_patterns *may_go,
                         enum run_diff_format format, struct strbuf *out, struct strbuf *err);

#endif
