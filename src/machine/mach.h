/* mach: executable machines, and the interface by which they are explored.
 *
 * A machine is a transition system over states of a fixed number of bytes. It knows a test (struct
 * mach_test: the program, and where its parts stand in a state). It says which steps a state
 * enables and what each does. Between two instructions that touch memory or meet others, a
 * work-item runs on at once, as nobody can see when it does.
 *
 * A state's first bytes are the work-items' (pc, status, registers); the rest is the machine's own.
 * Values are numbers in a table of the values met so far, so that a word is one byte.
 *
 * Ownership: all of it lives in the arena of the exploration. */
#ifndef CRASHLIT_MACH_H
#define CRASHLIT_MACH_H

#include "base/table.h"
#include "engine/engine.h"
#include "machine/mach_fault.h"
#include "machine/mach_pipe.h"

enum { MACH_MAX_STEPS = 4096, MACH_MAX_STATE = 6528, MACH_MAX_VALUES = 255 };
/* The number that means "no value": of a crash condition's register before its assignment. */
enum { MACH_NO_VALUE = MACH_MAX_VALUES };
/* The most lines; entries of FIFOs need a bit for markers. */
enum { MACH_MAX_LINES = 127 };

/* The status of a work-item. RUNNING at its pc; WAITING at a barrier for others; STALLED at its pc,
 * as by a persist barrier; STALLED BEHIND an access that it has executed, with its pc at what
 * follows; DONE; FAULTED for ever before an instruction with an index outside its array or a
 * division by zero. */
enum mach_status {
    MACH_RUNNING,
    MACH_WAITING,
    MACH_STALLED,
    MACH_STALLED_BEHIND,
    MACH_DONE,
    MACH_FAULTED
};

/* Evictions: which lines may leave a cache by themselves at any time, as a mask: X(name, word in
 * files). */
#define MACH_EVICTIONS(X) X(NONE, "none") X(CLEAN, "clean") X(DIRTY, "dirty") X(ANY, "any")

enum mach_eviction {
#define X(name, text) MACH_EVICT_##name,
    MACH_EVICTIONS(X)
#undef X
};

enum { MACH_MAX_UNITS = 8, MACH_MAX_PLACES = 16 };

/* The compute units of work-groups, in the order of the groups' first work-items: `units` in turn,
 * repeated. With a count of 0 all units in turn. */
struct mach_placement {
    uint32_t count;
    uint8_t units[MACH_MAX_PLACES];
};

/* Sizes and policies from models/machines/NAME.machine. */
struct mach_config {
    uint32_t units; /* compute units */
    struct mach_placement placement;
    uint32_t line_words;         /* words of a cache line */
    uint32_t l1_lines, l2_lines; /* capacities; 0: as many as there are */
    uint32_t l1_fifo, l2_fifo;   /* entries of each NVW-FIFO */
    uint32_t l1_sfifo;           /* entries of an L1's S-FIFO */
    enum mach_eviction evict_l1, evict_l2;
    uint64_t faults;              /* a bit each, of enum mach_fault */
    const struct mach_pipe *pipe; /* of pipelines, or NULL */
};

struct mach_values {
    int64_t values[MACH_MAX_VALUES];
    uint32_t count;
};

/* An instruction that faulted. */
struct mach_mishap {
    uint32_t thread;
    const struct lit_instr *instr;
};

enum { MACH_MAX_MISHAPS = 32 };

/* Where the caches stand in a state, for machines with caches (cache.h). */
struct caches {
    uint32_t count;      /* the L2 and the L1s */
    uint32_t at, end;    /* bytes of a state */
    uint32_t line_bytes; /* of each line in each cache ... */
    uint32_t own_bytes;  /* ... of which the last ones are the machine's */
    /* For nvw-fifo: see nvw_way_room and nvw_fifo_size. */
    uint32_t way_room, l1_fifo_room, l2_fifo_room, sfifo_room;
};

struct machine;

enum { MACH_MAX_THREADS = 64 };

/* A test as a machine sees it. */
struct mach_test {
    const struct machine *machine;
    const struct lit_program *program;
    struct mach_config config;
    struct mach_values *values;
    uint32_t thread_bytes[MACH_MAX_THREADS];             /* where each work-item's bytes begin */
    uint32_t machine_bytes;                              /* where the machine's begin */
    uint32_t size;                                       /* of a state */
    uint64_t members[MACH_MAX_THREADS][LIT_SCOPE_COUNT]; /* the work-items in its instances of
                                                            scopes, a bit each */
    uint32_t unit_of[MACH_MAX_THREADS];
    uint32_t used_units;     /* the units from 0 on that have a work-item */
    const uint32_t *line_of; /* per location */
    const uint32_t *word_of; /* per location: which word of its line it is */
    uint32_t line_count;
    const uint32_t *line_begin; /* per line and one more: where its locations stand ... */
    const uint32_t *line_words; /* ... in this list of all locations */
    uint32_t nv_line;           /* the first line in NVRAM; lines of DRAM come before */
    struct caches caches;
    const struct pipe_plan *plan;         /* of a pipeline: its description applied to the test */
    const struct mach_future *future;     /* NULL: no reduction, see mach_reduce.h */
    const struct mach_symmetry *symmetry; /* NULL: no symmetry reduction, see mach_symmetry.h */
    bool overflow;                        /* more values than room */
    /* `shared`: others work on copies of the test. Then a new value is not added, but sets
     * `wanting`. */
    bool shared, wanting;
    bool fault; /* an index or divisor was wrong in the last expression evaluated */
    struct mach_mishap mishaps[MACH_MAX_MISHAPS]; /* the first that were found */
    uint32_t mishap_count;
};

static inline bool mach_has_fault(const struct mach_test *test, enum mach_fault fault)
{
    return test->config.faults >> fault & 1;
}

/* A step: its kind, one of the machine's, and whom it concerns. On every machine kind 0 is that a
 * work-item executes its next instruction. */
enum { MACH_RUN = 0 };
struct mach_step {
    uint8_t kind, unit, thread, line;
};

/* The footprint of a step: what it reads and what it changes, a bit for each thing or for some
 * together, and its actor. Two enabled steps of different actors are independent when neither
 * changes what the other reads or changes. Then either order leads to the same state, neither
 * disables the other, and the other actor's further steps stay the same. */
enum { MACH_ACTORS = 32, MACH_NOBODY = MACH_ACTORS };
struct mach_footprint {
    uint64_t looks, changes;
    uint32_t actor; /* MACH_NOBODY: its steps depend on all others */
};

struct mach_view;
struct mach_layout;
struct mach_renaming;

struct machine {
    const char *name, *description;
    /* The model pair that it promises: on a test that is not undefined it shows only states that
     * the pair allows. */
    const char *visibility, *persistency;
    uint64_t faults;    /* those it can have, a bit each; others have no effect. Of pipelines:
                           mach_pipe_faults */
    bool persists_meet; /* a persist barrier waits for its scope to arrive */
    /* Returns the bytes of the machine's part of a state; may set places in the test, and keep data
     * in the arena. */
    uint32_t (*size)(struct mach_test *test, struct arena *arena);
    void (*start)(struct mach_test *test, uint8_t *state);
    uint32_t (*enabled)(struct mach_test *test, const uint8_t *state, struct mach_step *steps);
    /* False when the step has to wait; the state is then unusable. */
    bool (*perform)(struct mach_test *test, uint8_t *state, struct mach_step step);
    /* The footprints of the steps that a state enables; or NULL. Steps of an actor stand
     * together. */
    void (*footprints)(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                       uint32_t count, struct mach_footprint *footprints);
    /* The value number of a location in memory that survives a crash; once everything is done and
     * quiet, in any memory. */
    uint8_t (*memory)(const struct mach_test *test, const uint8_t *state, uint32_t location);
    /* As `memory` for a final state, where it differs; else NULL. */
    uint8_t (*last)(const struct mach_test *test, const uint8_t *state, uint32_t location);
    /* The state that a crash finds: after work-items have done what is no event of the models, such
     * as reading their own log. It is the state itself, or another one in `room`. Sets
     * test->wanting when a new value is missing. NULL: everything that a work-item does is an
     * event. */
    const uint8_t *(*computed)(struct mach_test *test, const uint8_t *state, uint8_t *room);
    /* Is nothing under way, so that memory holds what was written last? */
    bool (*quiet)(const struct mach_test *test, const uint8_t *state);
    /* Brings a state to its normal form, if test->future is set (mach_reduce.h); or NULL. */
    void (*reduce)(struct mach_test *test, uint8_t *state);
    /* `describe` lays out states for mach_symmetry.h; false: this test's work-items must be told
     * apart; NULL: always so. `rename` renames what no field describes, after fields have been
     * renamed; NULL: there is nothing else. */
    bool (*describe)(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
    void (*rename)(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by);
    /* For traces, see mach_view.h: what a state holds, and what a step does in the state before
     * it. */
    void (*view)(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
    /* The access behind which a work-item is stalled; NULL: on this machine none ever is. */
    const struct lit_instr *(*behind)(const struct mach_test *test, const uint8_t *state,
                                      uint32_t thread);
    void (*tell)(const struct mach_test *test, const uint8_t *state, struct mach_step step,
                 struct mach_view *view);
};

/* ---- Work-items ---- */

/* A work-item's bytes: pc (two), status, registers. */
enum { MACH_PC = 0, MACH_STATUS = 2, MACH_REGISTERS = 3 };

static inline uint32_t mach_pc(const struct mach_test *test, const uint8_t *state, uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const uint8_t *bytes = state + test->thread_bytes[thread];
    return bytes[MACH_PC] | (uint32_t)bytes[MACH_PC + 1] << 8;
}

static inline enum mach_status mach_status(const struct mach_test *test, const uint8_t *state,
                                           uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    return (enum mach_status)state[test->thread_bytes[thread] + MACH_STATUS];
}

void mach_set_status(const struct mach_test *test, uint8_t *state, uint32_t thread,
                     enum mach_status status);
static inline bool mach_is_stalled(enum mach_status status)
{
    return status == MACH_STALLED || status == MACH_STALLED_BEHIND;
}

/* The instruction at which a work-item stands; NULL: it is done, or stalled behind its last. */
static inline const struct lit_instr *mach_instr(const struct mach_test *test, const uint8_t *state,
                                                 uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_thread *its = &test->program->threads[thread];
    uint32_t pc = mach_pc(test, state, thread);
    return pc < its->code_count ? &its->code[pc] : NULL;
}

/* The value of an expression; the location of an access. A work-item about to evaluate a fault is
 * FAULTED before. */
int64_t mach_evaluate(struct mach_test *test, const uint8_t *state, uint32_t thread,
                      const struct lit_expr *expr);
uint32_t mach_location(struct mach_test *test, const uint8_t *state, uint32_t thread,
                       const struct lit_instr *instr);
int64_t mach_register(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                      uint32_t reg);
bool mach_is_given(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                   uint32_t reg);
void mach_set_register(struct mach_test *test, uint8_t *state, uint32_t thread, uint32_t reg,
                       int64_t value);
/* The value numbers of all registers. */
uint8_t *mach_registers(const struct mach_test *test, uint8_t *state, uint32_t thread);
/* Records that the work-item could not execute the instruction, unless that is recorded. */
void mach_add_mishap(struct mach_test *test, uint32_t thread, const struct lit_instr *instr);
/* Moves past the instruction, to the next one that concerns others. */
void mach_go_on(struct mach_test *test, uint8_t *state, uint32_t thread);
/* Ends the stall of a work-item behind an access. */
void mach_end_stall(struct mach_test *test, uint8_t *state, uint32_t thread);
/* The number of a value, and back. */
uint8_t mach_number(struct mach_test *test, int64_t value);
int64_t mach_value(const struct mach_test *test, uint8_t number);

/* ---- Tests ---- */

/* Computes sizes and places, and adds the machine's size. */
void mach_test_init(struct mach_test *test, struct arena *arena, const struct machine *machine,
                    const struct lit_program *program, const struct mach_config *config);
/* Sets the work-items' bytes to their start. */
void mach_start_threads(struct mach_test *test, uint8_t *state);

#endif
