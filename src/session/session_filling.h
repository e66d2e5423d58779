/* session_filling: reads a test of a sketch, filled, like any other test. */
#ifndef CRASHLIT_SESSION_FILLING_H
#define CRASHLIT_SESSION_FILLING_H

#include "sketch/sketch.h"
#include "session/session_test.h"

/* Reads one of the sketch's files under a filling, and its definition files under the same filling,
 * with the reach of the settings. False when that is no test; the diagnostics say why. Always end
 * it with session_test_fini. */
bool session_filling_read(struct session_test *test, const struct session_settings *settings,
                          const struct sketch *sketch, const struct sketch_filling *filling,
                          uint32_t file) __attribute__((warn_unused_result));

#endif
