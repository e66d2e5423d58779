/* session_mapping: maps a test by a mapping's name (mapping/mapping.h). */
#ifndef CRASHLIT_SESSION_MAPPING_H
#define CRASHLIT_SESSION_MAPPING_H

#include "mapping/mapping.h"
#include "session/session_test.h"

/* As mapping_read; models named by promises must exist, too. */
const struct mapping *session_mapping_read(struct arena *arena, struct intern *names,
                                           const struct reach *reach, const char *folder,
                                           const struct source *source, struct diag *diag)
    __attribute__((warn_unused_result));
/* As mapping_load; models named by promises must exist, too. */
const struct mapping *session_mapping_load(struct arena *arena, struct intern *names,
                                           const struct session_settings *settings,
                                           const char *name, struct diag *diag)
    __attribute__((warn_unused_result));
/* Maps the test at `path` by a built-in mapping or the file of a path that ends in ".map". False
 * after reporting to `diag`. The text lives in `arena`. */
bool session_mapping_text(struct arena *arena, const struct session_settings *settings,
                          const char *path, const char *mapping, struct diag *diag,
                          const char **text, size_t *length) __attribute__((warn_unused_result));
/* Maps the test at `path` and reads the result as a test beside that file. As session_test_load;
 * false when the mapping or the test has a fault, which is in its diagnostics. */
bool session_mapping_test(struct session_test *test, const struct session_settings *settings,
                          const char *path, const char *mapping);

#endif
