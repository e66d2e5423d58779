/* ask_check: checks one test under the model pairs that it asks for. `check` and `crosscheck` use
 * it, and so do commands that do something else with each pair, or with the test. */
#ifndef CRASHLIT_ASK_CHECK_H
#define CRASHLIT_ASK_CHECK_H

#include "ask/ask_options.h"
#include "run/run_batch.h"
#include "session/session_answers.h"

/* Takes a record: of an engine's answer, or of a failure of the test or of a model pair. The other
 * is NULL. Both are valid during the call. */
typedef void ask_record_taker(void *context, const struct report_test *answer,
                              const struct report_failure *failure);

struct ask_surroundings;
/* Functions that are called in place of checking, or after it with some conditions, which a truth
 * value each marks. All append to the result. */
typedef void ask_of_pair(const struct ask_options *options, const struct session_case *question,
                         struct run_result *result);
typedef void ask_of_conditions(const struct ask_options *options,
                               const struct session_case *question, const bool *conditions,
                               struct run_result *result);
typedef void ask_of_test(const struct ask_surroundings *surroundings,
                         const struct lit_program *program, struct run_result *result);

/* The surroundings in which a test is checked. */
struct ask_surroundings {
    const struct ask_options *options;
    struct run_surroundings run;
    ask_of_test *of_test;           /* replaces all that is done with the model pairs; or NULL */
    ask_of_pair *of_pair;           /* replaces the check of each pair; or NULL */
    ask_of_conditions *of_violated; /* called after the check with the violated conditions; with all
                                       if none is violated though one was expected to be; or NULL */
    ask_record_taker *take;         /* gets the records in place of JSON lines; or NULL */
    void *context;
};

/* Checks the test and adds to `result`, which the caller has initialised. It never fails as a
 * whole: faults are in `err` and the status of the result. */
void ask_check_file(const struct ask_surroundings *surroundings, const char *path,
                    struct run_result *result);
/* The same for a test in memory: `length` bytes, called `name`. */
void ask_check_text(const struct ask_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct run_result *result);
/* The same for a text that replaces the contents of the file at `path`. */
void ask_check_edited(const struct ask_surroundings *surroundings, const char *path,
                      const char *text, size_t length, struct run_result *result);

/* ---- How engines stand to one another, in words and as a status (ask_cross.c) ---- */

/* Writes an indented line for each difference to the first engine. A state is followed by an
 * execution, or by a machine's shortest run. Further lines give each reason why something was not
 * compared, and what a machine shows. Nothing else is written of engines that agree. */
void ask_cross_tell(const struct session_case *question, const struct session_answers *answers,
                    struct strbuf *out);
/* The exit status for a comparison. It is 3 for crosscheck when something was not compared. */
enum run_status ask_cross_status(enum ask_command command, enum session_accord accord);

#endif
