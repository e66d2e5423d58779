/* session_put: a test with statements of its own put before one of its statements, read anew.
 *
 * What is put there is text in the words of the test: calls of definitions that it uses. So
 * whatever a definition file says, of any mechanism, can be tried without a word about it in C.
 */
#ifndef CRASHLIT_SESSION_PUT_H
#define CRASHLIT_SESSION_PUT_H

#include "session/session_case.h"
#include "session/session_test.h"

/* Reads the question's test with `text` before the statement that begins at a span, with the reach
 * of the question's settings. False when statements cannot be put there (a table; the statement is
 * the body of an `if` or a loop without braces, or of a definition), or do not make a test. To be
 * given back by session_test_fini in any case. */
bool session_put_read(struct session_test *test, const struct session_case *question,
                      const struct span *before, const char *text)
    __attribute__((warn_unused_result));

/* Has the model a meaning for each instruction that was put before the statement, `length` bytes of
 * text, and is none of them a mark of a transaction, which comes in pairs? */
bool session_put_is_known(const struct session_test *test, const struct session_case *question,
                          const struct span *before, size_t length);

#endif
