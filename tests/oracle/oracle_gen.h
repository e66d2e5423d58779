/* oracle_gen: the state of program generation, shared by oracle_gen.c and oracle_vary.c. */
#ifndef CRASHLIT_TESTS_ORACLE_GEN_H
#define CRASHLIT_TESTS_ORACLE_GEN_H

#include "oracle.h"

enum { MAX_NVM_WRITES = 6 };

struct ora_gen {
    uint64_t rng;
    struct ora_program *p;
    int max_events, events, nvm_writes;
    int home;         /* the scope most synchronisation uses */
    bool disciplined; /* plain data has an owner; others wait before they read it */
    bool one_scope;   /* all synchronisation at home */
    bool in_step;     /* barriers stand in one order in all threads */
    bool waited[ORA_MAX_THREADS];
    bool atomic[ORA_MAX_LOCS];   /* mostly accessed by atomics */
    bool mixed[ORA_MAX_THREADS]; /* this thread does it the other way round */
    int last_value[ORA_MAX_LOCS];
};

int ora_below(struct ora_gen *g, int n);
bool ora_chance(struct ora_gen *g, int percent);
/* An index drawn by weight. */
int ora_weighted(struct ora_gen *g, const int *weights, int n);

void ora_place_threads(struct ora_gen *g);
void ora_place_locations(struct ora_gen *g);
/* The narrowest scope that holds all threads. */
int ora_common_scope(struct ora_gen *g);

int ora_events_of(const struct ora_ins *i);
/* Puts the instruction before position `at` when it fits; an `if` around the place grows. */
bool ora_insert(struct ora_gen *g, int t, int at, const struct ora_ins *ins);
void ora_add_random(struct ora_gen *g, int t);
void ora_fill_threads(struct ora_gen *g);
/* Three threads, two signals of perhaps different scopes: what tells hrf-direct from
 * hrf-indirect. */
void ora_fill_relay(struct ora_gen *g);
/* Threads take turns at a lock, which is the last location. */
void ora_fill_locked(struct ora_gen *g);

/* oracle_condition.c: about what the program has, so drawn last. */
void ora_draw_conditions(struct ora_gen *g);

#endif
