/* session_launch: the test of a launch that the command line describes.
 *
 * `k<<<2, 33>>>(nvm u32 data[64], 7)` says the kernel, grid and block, and its arguments. An argument
 * that begins with a type declares an object and stands for its address; any other is one of a
 * launch. Several launches follow one another, as in one stream. What is asked is whether the code
 * has a fault (`property ..`), or what the settings name instead. */
#ifndef CRASHLIT_SESSION_LAUNCH_H
#define CRASHLIT_SESSION_LAUNCH_H

#include "base/diag.h"
#include "session/session_settings.h"

/* Is this the name of a PTX file? */
bool session_launch_is_code(const char *path);

/* Its name within its folder. */
const char *session_launch_file(const char *path);

/* The text of the test that launches the kernels of the PTX file, which its test is to stand beside;
 * in the arena. NULL after reporting a launch that is none. */
const char *session_launch_text(struct arena *arena, const struct session_settings *settings,
                                const char *path, struct diag *diag);

#endif
