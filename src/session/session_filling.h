/* session_filling: a test of a sketch, filled, and read as any other.
 */
#ifndef CRASHLIT_SESSION_FILLING_H
#define CRASHLIT_SESSION_FILLING_H

#include "sketch/sketch.h"
#include "session/session_test.h"

/* Reads a file of the sketch's given ones under a filling, and its definition files under the same
 * filling, with the reach of the settings. False when that makes no test, and the diagnostics say
 * why. To be ended by session_test_fini in any case. */
bool session_filling_read(struct session_test *test, const struct session_settings *settings,
                          const struct sketch *sketch, const struct sketch_filling *filling,
                          uint32_t file) __attribute__((warn_unused_result));

#endif
