/* The page shows lessons by itself, and asks of each what it says: none is built in here. */
#include "session/session_lesson.h"

const struct source_builtin lesson_builtins[] = {{NULL, NULL, 0}};
const size_t lesson_builtin_count = 0;
