/* crashlit.h: libcrashlit, the checker behind the command crashlit, as a C library.
 *
 *     struct crashlit *context = crashlit_new();
 *     if (context && crashlit_set(context, "engine", "smt") == CRASHLIT_OK) {
 *         struct crashlit_result *result = crashlit_check(context, "a.litmus", text, length);
 *         ...
 *         crashlit_result_free(result);
 *     }
 *     crashlit_free(context);
 *
 * A context holds options and the models that were loaded. Checking a text gives a result: what
 * `crashlit check --format json` prints for a file of that text, record by record, and the exit
 * status it would leave with. The language of tests is described in crashlit-litmus(5), that of
 * models in crashlit-cat(5), the records in docs/using/reports.md of the distribution.
 *
 * Ownership. What crashlit_new and crashlit_check return belongs to the caller, who ends it with
 * crashlit_free and crashlit_result_free. A result does not need its context any more. Texts that
 * are passed in are copied as far as they are needed; texts that come out are UTF-8 as far as the
 * input is, end with a NUL, and live as long as the object they were asked of, or, of
 * crashlit_error, until the next call with that context.
 *
 * Threads. The library keeps no state outside of contexts and results. Different contexts may be
 * used by different threads at the same time; one context by one thread at a time, not always the
 * same. A result may be read by any number of threads. The library starts a thread only while
 * the engine smt works under the option memory or timeout, and ends it before the call returns. A
 * call needs a stack like that of a program's first thread on Linux (8 MiB). It neither forks nor
 * handles signals.
 *
 * Files. Models and machines that the host names by path (crashlit_set) are read by the library,
 * with the rights of the process; what such a model includes has to be in its folder or below. A
 * test's text names built-in models only, unless the host permits a folder (`allow-path`,
 * `include`): its author is not the host. Links that lead elsewhere count as elsewhere, and pipes
 * and devices are not read. A model pair is read once in the life of a context, unless it was
 * forgotten for its size. Nothing is ever written.
 *
 * Errors. No call prints anything or ends the process. A fault of the input, such as a test that
 * cannot be read, is a result: its status is CRASHLIT_INPUT, and its diagnostics tell. Limits of
 * time, memory of the solver and loops are results too: verdicts `unknown`. Without the option
 * `timeout` a call takes as long as its engine does, which a test's author can make hours. When the
 * library itself fails, as it found its own state wrong (a bug) or the heap exhausted, the call
 * returns CRASHLIT_FAILED or NULL, crashlit_error tells why, and the context can be used on: its
 * options are those it had, its models are loaded again. The memory of the failed call is given
 * back, but for what Z3 keeps (a failure inside Z3 may leave some of its memory behind). Exhausted
 * stacks and heaps that the system only promised (overcommitment) end the process, as everywhere.
 *
 * Pointers must not be NULL unless it says so; freeing NULL does nothing.
 */
#ifndef CRASHLIT_H
#define CRASHLIT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CRASHLIT_API __attribute__((visibility("default")))
#else
#define CRASHLIT_API
#endif

/* The worst that applies, as the exit status of the command. */
enum crashlit_status {
    CRASHLIT_OK = 0,       /* every verdict is the expected one */
    CRASHLIT_DIFFERS = 1,  /* some verdict is not */
    CRASHLIT_INPUT = 2,    /* an option, a test or a model could not be read, or nothing
                              was asked of the test */
    CRASHLIT_UNKNOWN = 3,  /* some verdict is unknown */
    CRASHLIT_DISAGREE = 4, /* engines disagree (engine all) */
    CRASHLIT_FAILED = 70   /* the library failed */
};

struct crashlit;
struct crashlit_result;

/* The version of the library that is linked, such as "0.2". */
CRASHLIT_API const char *crashlit_version(void);

/* A context with the command's default options; NULL when there is no memory. */
CRASHLIT_API struct crashlit *crashlit_new(void);
CRASHLIT_API void crashlit_free(struct crashlit *context);

/* Sets one option by its long name on the command line, without dashes:
 *
 *     model persistency engine machine fault max-states machine-threads crash unroll timeout
 *     memory rounds property uses variant include allow-path thresholds
 *                                                values as on the command line
 *     decide states no-reduction recovery-crash  "on" or "off"
 *
 * A value of NULL brings the default back. A model that is a file is read by the next check.
 * `property` takes `recovers-to P` as one text, `uses` one file, `variant` names with commas
 * between, `include` and `allow-path` one folder. Without `machine-threads` a machine has the
 * caller's thread alone. `memory` limits, in MiB, what the solver has allocated in the whole
 * process (past it a verdict is `unknown`), and what the context holds (past it the call fails).
 * Returns CRASHLIT_OK, CRASHLIT_INPUT when there is no such option or value, or when it does not go
 * with an option that is set, or CRASHLIT_FAILED; then the context keeps its options, and
 * crashlit_error tells. */
CRASHLIT_API enum crashlit_status crashlit_set(struct crashlit *context, const char *option,
                                               const char *value);

/* Why the last call with this context failed; "" when it did not. */
CRASHLIT_API const char *crashlit_error(const struct crashlit *context);

/* Checks one test: `length` bytes at `text`, any bytes, at most 4 MiB, called `name` in
 * diagnostics and records. Without a model or a persistency option under each model pair that the
 * test expects something of. NULL when the library failed. */
CRASHLIT_API struct crashlit_result *crashlit_check(struct crashlit *context, const char *name,
                                                    const char *text, size_t length);
CRASHLIT_API void crashlit_result_free(struct crashlit_result *result);

/* Never CRASHLIT_FAILED. */
CRASHLIT_API enum crashlit_status crashlit_result_status(const struct crashlit_result *result);
/* What the command prints to standard error, "" when nothing; several lines. */
CRASHLIT_API const char *crashlit_result_diagnostics(const struct crashlit_result *result);

/* Records: one for each model pair and engine, in the order of the command. A test that could not
 * be read has one, of verdict `error`, with nothing for test, model pair and engine; a model pair
 * that could not be loaded has one of verdict `error`, with nothing for the engine. */
CRASHLIT_API size_t crashlit_result_count(const struct crashlit_result *result);

/* Of the record `index`, from 0; NULL past the last. */
CRASHLIT_API const char *crashlit_result_test(const struct crashlit_result *result, size_t index);
CRASHLIT_API const char *crashlit_result_model(const struct crashlit_result *result, size_t index);
CRASHLIT_API const char *crashlit_result_persistency(const struct crashlit_result *result,
                                                     size_t index);
CRASHLIT_API const char *crashlit_result_engine(const struct crashlit_result *result, size_t index);
/* `ok`, `violated`, `undefined`, `unknown` or `error`. */
CRASHLIT_API const char *crashlit_result_verdict(const struct crashlit_result *result,
                                                 size_t index);
CRASHLIT_API const char *crashlit_result_expected(const struct crashlit_result *result,
                                                  size_t index);
/* The whole record, one line of JSON without its end. */
CRASHLIT_API const char *crashlit_result_json(const struct crashlit_result *result, size_t index);

#ifdef __cplusplus
}
#endif

#endif
