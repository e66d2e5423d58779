/* ask_check: one test under the model pairs it asks for, for `check` and `crosscheck`, and for what
 * else is done with each pair, or with the test. */
#ifndef CRASHLIT_ASK_CHECK_H
#define CRASHLIT_ASK_CHECK_H

#include "ask/ask_options.h"
#include "run/run_batch.h"
#include "session/session_answers.h"

/* What a record is of: an engine's answer, or a failure of the test or of a model pair; the other
 * is NULL. Valid during the call. */
typedef void ask_record_taker(void *context, const struct report_test *answer,
                              const struct report_failure *failure);

struct ask_surroundings;
/* What is done in place of checking, or with some conditions after it, by a truth value each. All
 * append to the result. */
typedef void ask_of_pair(const struct ask_options *options, const struct session_case *question,
                         struct run_result *result);
typedef void ask_of_conditions(const struct ask_options *options,
                               const struct session_case *question, const bool *conditions,
                               struct run_result *result);
typedef void ask_of_test(const struct ask_surroundings *surroundings,
                         const struct lit_program *program, struct run_result *result);

/* In what a test is checked. */
struct ask_surroundings {
    const struct ask_options *options;
    struct run_surroundings run;
    ask_of_test *of_test; /* done with the test alone; or NULL, and with each of its model pairs */
    ask_of_pair *of_pair; /* this is; or NULL, and it is checked */
    ask_of_conditions *of_violated; /* done with those that are violated, once checked, or
                                       with all where none is and something was to be; or NULL */
    ask_record_taker *take;         /* gets the records in place of JSON lines; NULL: nobody */
    void *context;
};

/* Adds to `result`, which the caller has initialised. Never fails as a whole: faults are in its
 * `err` and status. */
void ask_check_file(const struct ask_surroundings *surroundings, const char *path,
                    struct run_result *result);
/* The same for a test in memory, `length` bytes that are called `name`. */
void ask_check_text(const struct ask_surroundings *surroundings, const char *name, const char *text,
                    size_t length, struct run_result *result);
/* The same for a text in place of what the file of `path` has. */
void ask_check_edited(const struct ask_surroundings *surroundings, const char *path,
                      const char *text, size_t length, struct run_result *result);

/* ---- How engines stand to one another, in words and as a status (ask_cross.c) ---- */

/* Writes an indented line for each difference to the first engine, followed by an execution, or a
 * machine's shortest run, when it is a state, one for each reason why something was not compared,
 * and one on what a machine shows; of engines that agree nothing else. */
void ask_cross_tell(const struct session_case *question, const struct session_answers *answers,
                    struct strbuf *out);
/* The status it asks for. Crosscheck has nothing to say of what was not compared: 3. */
enum run_status ask_cross_status(enum ask_command command, enum session_accord accord);

#endif
