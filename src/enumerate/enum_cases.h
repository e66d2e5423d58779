/* enum_cases: the search as a refutation by cases, written as a certificate. Private to the
 * enumerator.
 *
 * Only what the checker sees by itself ends a choice: values along rf, a check that the bounds of
 * the choices made break, or that nothing new can follow. What propagation would decide says which
 * choice comes next, so that most of its ways are leaves. */
#ifndef CRASHLIT_ENUM_CASES_H
#define CRASHLIT_ENUM_CASES_H

#include "certify/certificate.h"
#include "enumerate/enum_search.h"

static inline struct certificate *enum_certificate(const struct enum_search *search)
{
    return search->state->certificate;
}

/* Choices of paths of which a certificate says in a line that no execution has them (enum_never.c). `paths` has
 * one entry a thread. */
struct enum_nevers;
struct enum_nevers *enum_nevers_new(struct arena *arena, const struct enum_state *state,
                                    const struct exec_paths *paths);
/* Are others to be chosen, and has no execution the first `count` paths chosen together? Then it is
 * written. */
bool enum_never(const struct enum_nevers *nevers, const struct exec_path *const *chosen,
                const uint32_t *numbers, uint32_t count);

/* Before anything is chosen: a tree with all there is below it. */
void enum_cases(struct enum_search *search);
/* Does something follow from the choices so far? Else their leaf is written. */
bool enum_case_is_open(struct enum_search *search);
/* Chooses sources for the reads that are left, then all that is open. */
void enum_choose_case(struct enum_search *search);
/* Everything is chosen. */
void enum_complete_case(struct enum_search *search);

/* Of the other choices (enum_order.c, enum_propagate.c): a pair of coherence that is open, of events in a set;
 * the ways to order a pair, each followed by `then`; pairs that coherence must not have, as the model was asked last. */
typedef void enum_go_on(struct enum_search *search, uint32_t order);
bool enum_find_open(const struct enum_search *search, const rel_word *among, uint32_t *a,
                    uint32_t *b);
void enum_choose_pair(struct enum_search *search, uint32_t order, uint32_t a, uint32_t b,
                      enum_go_on *then);
const rel_word *enum_collect_barred(struct enum_search *search);

/* What the other choices write, where there is a certificate. */
void enum_write_pair(const struct enum_search *search, uint32_t order, uint32_t a, uint32_t b,
                     int ways);
void enum_write_way(const struct enum_search *search, char way);
void enum_write_leaf(const struct enum_search *search, const char *leaf);
void enum_write_lack(const struct enum_search *search, const char *reason);

#endif
