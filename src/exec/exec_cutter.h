/* exec_cutter: the backtracking search for crash cuts. Private to the files exec_crash*.c. */
#ifndef CRASHLIT_EXEC_CUTTER_H
#define CRASHLIT_EXEC_CUTTER_H

#include "exec/exec_crash.h"

struct cutter {
    enum exec_crash_mode mode;
    const struct exec_skeleton *skeleton;
    const struct exec_contract *contract;
    struct rel_dim dim;  /* of the events */
    struct rel_dim dim2; /* of the nodes */
    rel_word *requires;
    rel_word *excludes; /* per event: for an NVM write, the durable nodes of later ones */
    const bool *matters;
    const rel_word *just; /* the events that have executed; NULL: any */
    const struct lit_atom *registers;
    uint32_t register_count;
    uint32_t *assigned; /* per register chosen: an assignment of the path, or LIT_NONE */
    uint32_t *passed;   /* per thread: how many of its crash statements it may have passed */
    uint32_t *stoppers; /* the threads for which `passed` matters */
    uint32_t stopper_count;
    const uint32_t *locations; /* those that matter come first */
    uint32_t location_count, choice_count;
    uint32_t *last;
    rel_word *closures, *exclusions; /* one set per depth of the search */
    rel_word *executed, *durable;
    struct exec_cut cut;
    exec_cut_callback *callback;
    bool (*wants)(void *context, uint32_t location, uint32_t write);
    exec_choices_callback *on_choices; /* not NULL: choices are not combined */
    struct arena *scratch;
    void *context;
    uint64_t handed_out;
    bool stopped;
    bool mixed; /* something cannot be expressed by pairs */
};

static inline rel_word *row2(const struct cutter *c, rel_word *matrix, uint32_t index)
{
    return matrix + (size_t)index * c->dim2.words;
}

static inline bool disjoint(const struct cutter *c, const rel_word *a, const rel_word *b)
{
    for (uint32_t w = 0; w < c->dim2.words; w++)
        if (a[w] & b[w])
            return false;
    return true;
}

/* Makes `excludes`, and `requires` by the rules alone, not closed. */
void exec_cut_rules(struct cutter *cutter, struct arena *scratch);

/* Hands the remaining choices to `on_choices`, once registers and crash statement are chosen. */
void exec_hand_choices(struct cutter *cutter);

#endif
