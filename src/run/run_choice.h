/* run_choice: which tests of those that are named a run takes, by patterns of their paths.
 *
 * A pattern is a shell's. It is held against parts of a path, as many as it has itself: "tx-*"
 * against each folder's name and the file's, "spb/fig?" against two that follow each other. So a
 * folder's name stands for all that is below. The end ".litmus" may be left away. */
#ifndef CRASHLIT_RUN_CHOICE_H
#define CRASHLIT_RUN_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

/* The texts are the caller's. */
struct run_patterns {
    const char *const *items;
    uint32_t count;
};

/* All zero: everything is taken. */
struct run_choice {
    struct run_patterns only;  /* some of these matches, if there are any */
    struct run_patterns never; /* and none of these */
};

bool run_choice_takes(const struct run_choice *choice, const char *path);
bool run_patterns_match(const struct run_patterns *patterns, const char *path);

#endif
