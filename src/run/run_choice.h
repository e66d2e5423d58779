/* run_choice: which tests of those that are named a run takes, by patterns of their paths and tags.
 *
 * A pattern is a shell's. It is held against parts of a path, as many as it has itself: "tx-*"
 * against each folder's name and the file's, "spb/fig?" against two that follow each other. So a
 * folder's name stands for all that is below. The end ".litmus" may be left away.
 * "tag:slow" is held against the tags of the test (run_tags.h), whose first bytes are read for it. */
#ifndef CRASHLIT_RUN_CHOICE_H
#define CRASHLIT_RUN_CHOICE_H

#include "base/diag.h"

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

#define RUN_CHOICE_TAG "tag:"

/* Tests that are named, before any is left out. */
struct run_named {
    const char *const *paths;
    size_t count;
};

bool run_choice_takes(const struct run_choice *choice, const char *path);
/* Does one have the test? */
bool run_patterns_take(const struct run_patterns *patterns, const char *path);
/* The same by the path alone: nothing is read, and no tag matches. */
bool run_patterns_match(const struct run_patterns *patterns, const char *path);
/* Warns of the patterns of this option that none of the tests has: they are perhaps misspelt. */
void run_patterns_warn(const struct run_patterns *patterns, const char *option,
                       const struct run_named *named, struct diag *diag);

#endif
