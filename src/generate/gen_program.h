/* gen_program: a small program as data: accesses and barriers, work-items, and their places in the
 * hierarchy. Nothing in it says how it is written down (gen_print.h).
 *
 * Programs are plain values, copied by assignment. Work-items, locations and scope instances have
 * no names: two programs that differ by renaming these are one, and gen_canonical finds its
 * representative. Derived data is not kept: values of writes (gen_value), registers. */
#ifndef CRASHLIT_GEN_PROGRAM_H
#define CRASHLIT_GEN_PROGRAM_H

#include "base/strbuf.h"
#include "generate/gen_vocabulary.h"

enum {
    GEN_MAX_THREADS = 8,
    GEN_MAX_OPS = 16, /* of a work-item */
    GEN_MAX_LOCATIONS = 8,
    GEN_NOWHERE = 0xff /* the location of an operation without one */
};

/* How an operation depends on an earlier load or read-modify-write: X(identifier, text). GUARD: it
 * is executed only if that read returned another value than the initial one; UNLESS: only if it
 * returned that. DATA, ADDRESS: its value, or location, is computed from the value read, and is the
 * same for every value. */
#define GEN_DEPENDENCIES(X) \
    X(FREE, "") X(GUARD, "ctrl") X(DATA, "data") X(ADDRESS, "addr") X(UNLESS, "ctrl")

enum gen_dependency {
#define X(identifier, text) GEN_##identifier,
    GEN_DEPENDENCIES(X)
#undef X
        GEN_DEPENDENCY_COUNT
};
extern const char *const gen_dependency_texts[];

struct gen_op {
    struct gen_form form;
    uint8_t location;   /* or GEN_NOWHERE */
    uint8_t dependency; /* enum gen_dependency */
    uint8_t on;         /* the number of the read in its work-item; 0 of GEN_FREE */
};

/* The levels of the hierarchy at which work-items are told apart, from the narrowest. */
enum { GEN_LEVELS = LIT_SCOPE_ALL - LIT_SCOPE_SG };

struct gen_program {
    uint8_t thread_count, location_count;
    uint8_t length[GEN_MAX_THREADS];
    uint8_t host[GEN_MAX_THREADS]; /* 1: it carries the vocabulary's tag of hosts */
    /* Per work-item and level from LIT_SCOPE_SG to LIT_SCOPE_DV: in which instance it is. Instances
     * nest: who is together at a level is together at each wider one. */
    uint8_t place[GEN_MAX_THREADS][GEN_LEVELS];
    uint8_t nvm; /* bit l: location l is non-volatile */
    struct gen_op ops[GEN_MAX_THREADS][GEN_MAX_OPS];
};

/* All work-items in one instance of each level, without operations. */
void gen_program_init(struct gen_program *program, uint32_t threads);
/* Do they share an instance of the level? Levels count from LIT_SCOPE_SG on. */
bool gen_are_together(const struct gen_program *program, uint32_t a, uint32_t b, uint32_t level);
/* The narrowest scope with an instance that has both. */
enum lit_scope gen_common_scope(const struct gen_program *program, uint32_t a, uint32_t b);
/* Appends an operation; false when there is no more room. */
bool gen_add(struct gen_program *program, uint32_t thread, struct gen_op op);
/* Removes an operation. Operations that depended on it become free. Locations keep their
 * numbers. */
void gen_remove(struct gen_program *program, uint32_t thread, uint32_t index);
/* Removes a work-item; the others stay in place. */
void gen_remove_thread(struct gen_program *program, uint32_t thread);

static inline const struct gen_family *gen_family_of(const struct gen_vocabulary *vocabulary,
                                                     const struct gen_op *op)
{
    return &vocabulary->families[op->form.family];
}
/* Is it executed only if a read returned the right value? */
static inline bool gen_is_guarded(const struct gen_op *op)
{
    return op->dependency == GEN_GUARD || op->dependency == GEN_UNLESS;
}
/* Is it a load, a store or a read-modify-write? */
static inline bool gen_accesses(const struct gen_vocabulary *vocabulary, const struct gen_op *op)
{
    return gen_family_of(vocabulary, op)->class <= GEN_RMW;
}
bool gen_reads(const struct gen_vocabulary *vocabulary, const struct gen_op *op);
bool gen_writes(const struct gen_vocabulary *vocabulary, const struct gen_op *op);

/* The value of a write: the writes to a location count from 1, in the order of work-items and of
 * their operations. The initial value is 0. */
uint32_t gen_value(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                   uint32_t thread, uint32_t index);
/* The number of writes of a location. */
uint32_t gen_writes_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                       uint32_t location);
/* Is the work-item's last operation no access? Then only its end tells that it was executed, and a
 * register shows the end. */
bool gen_shows_end(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                   uint32_t thread);

/* The representative of a program's class under renaming of work-items, locations and scope
 * instances; unused locations are removed. `threads`, if not NULL, has room for GEN_MAX_THREADS and
 * is filled with the given program's number of each work-item; `locations` likewise. */
void gen_canonical(const struct gen_program *program, struct gen_program *canonical,
                   uint8_t *threads, uint8_t *locations);
/* Is it its own representative? */
bool gen_is_canonical(const struct gen_program *program);

/* A text of bytes that two programs share exactly when they are equal; two canonical ones exactly
 * when they are the same up to renaming. Returns its length. */
enum { GEN_MAX_KEY = 4 + GEN_MAX_THREADS * (2 + GEN_LEVELS + GEN_MAX_OPS * sizeof(struct gen_op)) };
size_t gen_key(const struct gen_program *program, uint8_t key[GEN_MAX_KEY]);

/* One line for people and manifests: "x* y | P0 wg0: st x; p_barrier.wi; st y | P1 wg1: ..". */
void gen_line(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
              struct strbuf *out);
extern const char *const gen_location_names[GEN_MAX_LOCATIONS];

/* The scopes of all operations, a bit each. */
uint32_t gen_scopes(const struct gen_program *program);
/* How often a thread has an operation of that form. */
uint32_t gen_times(const struct gen_program *program, uint32_t thread, struct gen_form form);

#endif
