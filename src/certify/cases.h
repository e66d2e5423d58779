/* cases: a certificate read back as data: which cases there are, and what ends each of them.
 * docs/inside/certificates.md has the format. Of what is told (certificate_tell) a lost check has its events.
 *
 * Whether a certificate is right only its checker says. Here what is said of paths, events and ways
 * has to be there; else the text is none.
 *
 * Ownership: all of it is in the arena. */
#ifndef CRASHLIT_CASES_H
#define CRASHLIT_CASES_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

/* An event of a path, or the initial write of a location. */
struct cases_event {
    const char *kind;     /* "R", "W", "CM" and so on; NULL: the initial write */
    const char *location; /* of an initial write, as the certificate names it */
    uint32_t thread, line;
    uint32_t nth, of; /* of events of its kind at its line in the path, from 1 */
};

/* What a work-item does, up to how its path ends: "end", "await", "barrier", "bound", "fault". */
struct cases_path {
    const char *name; /* "0.1" */
    uint32_t thread;
    const struct cases_event *events;
    uint32_t count;
    const char *ending;
};

/* X(identifier, the word of JSON) */
#define CASES_KINDS(X)             \
    X(SOURCE, "source")            \
    X(ORDER, "order")              \
    X(NEVER, "never")              \
    X(LOST, "lost-check")          \
    X(VALUES, "impossible-values") \
    X(CIRCLE, "no-order")          \
    X(NOTHING_NEW, "nothing-new")
enum cases_kind {
#define X(name, word) CASES_##name,
    CASES_KINDS(X)
#undef X
};
const char *cases_word(enum cases_kind kind);

struct cases_way;

/* A choice with its ways, or what ends a case. */
struct cases_node {
    enum cases_kind kind;
    char order;            /* 'o' coherence, 'f' SC fences, 'w' a choice of the model */
    uint32_t number;       /* of that choice; of the lost check, from 1, 0: some check */
    struct cases_event of; /* the read of SOURCE and of NEVER; the first event of ORDER */
    struct cases_event to; /* the second */
    const struct cases_way *ways;
    uint32_t count;
    const struct cases_event
        *shown; /* of a lost check that is told: its cycle, or a pair that is not to be */
    uint32_t shown_count;
};

struct cases_way {
    struct cases_event source; /* of SOURCE */
    char way;                  /* of ORDER: '<', '>' or '|' */
    struct cases_node then;
};

/* What is said of a choice of paths. */
struct cases_tree {
    const struct cases_path *const *paths; /* of NEVER, of some work-items alone */
    uint32_t count;
    struct cases_node node;
};

/* What is said of the program, or of its recovery on memories that a crash has left. */
struct cases_section {
    bool recovery;
    VEC(const char *) memories; /* each the values of all locations, as in the certificate */
    uint32_t executions;
    VEC(struct cases_tree) trees;
};

struct cases {
    VEC(struct cases_section) sections;
    uint64_t ends; /* leaves of all trees */
};

void cases_fini(struct cases *cases);
/* False: this is no certificate. `cases` is to be freed in any case. */
bool cases_read(struct arena *arena, const char *certificate, struct cases *cases)
    __attribute__((warn_unused_result));

#endif
