/* mach: executable machines, and the interface by which they are explored.
 *
 * A machine is a transition system over states of a fixed number of bytes. It knows a test
 * (struct mach_test: the program, where its parts stand in a state) and says which steps a
 * state enables and what each does. Work-items compute by themselves: between two
 * instructions that touch memory or meet somebody, a work-item runs on at once, as nobody can see
 * when it does.
 *
 * A state's first bytes are the work-items' (pc, status, registers); the rest is the machine's
 * own. Values are numbers in a table of the values met so far, so that a word is one byte.
 *
 * Ownership: all of it lives in the arena of the exploration.
 */
#ifndef CRASHLIT_MACH_H
#define CRASHLIT_MACH_H

#include "base/table.h"
#include "engine/engine.h"
#include "machine/mach_fault.h"
#include "machine/mach_pipe.h"

enum { MACH_MAX_STEPS = 4096, MACH_MAX_STATE = 6528, MACH_MAX_VALUES = 255 };
/* The number of no value: of a register that a crash condition names, before it is assigned. */
enum { MACH_NO_VALUE = MACH_MAX_VALUES };
/* Entries of FIFOs keep a bit for markers. */
enum { MACH_MAX_LINES = 127 };

/* What a work-item is doing. RUNNING at its pc; WAITING at a barrier for the others;
 * STALLED by a persist barrier; DONE; FAULTED before an instruction that has an index outside its
 * array or divides by zero, for ever. */
enum mach_status { MACH_RUNNING, MACH_WAITING, MACH_STALLED, MACH_DONE, MACH_FAULTED };

/* Which lines may leave a cache of their own accord, at any time, as a mask: X(name, word in
 * files). */
#define MACH_EVICTIONS(X) X(NONE, "none") X(CLEAN, "clean") X(DIRTY, "dirty") X(ANY, "any")

enum mach_eviction {
#define X(name, text) MACH_EVICT_##name,
    MACH_EVICTIONS(X)
#undef X
};

enum { MACH_MAX_UNITS = 8, MACH_MAX_PLACES = 16 };

/* The compute units of the work-groups, in the order of their first work-items: `units` in turn
 * and again from the first. With a count of 0 all units in turn. */
struct mach_placement {
    uint32_t count;
    uint8_t units[MACH_MAX_PLACES];
};

/* Sizes and policies, of models/machines/NAME.machine. */
struct mach_config {
    uint32_t units; /* compute units */
    struct mach_placement placement;
    uint32_t line_words;         /* words of a cache line */
    uint32_t l1_lines, l2_lines; /* capacities; 0: as many as there are */
    uint32_t l1_fifo, l2_fifo;   /* entries of the NVW-FIFOs */
    uint32_t l1_sfifo;           /* entries of an L1's S-FIFO */
    enum mach_eviction evict_l1, evict_l2;
    uint64_t faults;              /* a bit each, of enum mach_fault */
    const struct mach_pipe *pipe; /* of pipelines, or NULL */
};

struct mach_values {
    int64_t values[MACH_MAX_VALUES];
    uint32_t count;
};

/* An instruction that a work-item could not execute. */
struct mach_mishap {
    uint32_t thread;
    const struct lit_instr *instr;
};

enum { MACH_MAX_MISHAPS = 32 };

/* Where the caches stand in a state, of the machines that have some (cache.h). */
struct caches {
    uint32_t count;      /* the L2 and the L1s */
    uint32_t at, end;    /* bytes of a state */
    uint32_t line_bytes; /* of each line in each cache ... */
    uint32_t own_bytes;  /* ... of which the last ones are the machine's */
    /* Of nvw-fifo: see nvw_way_room, and nvw_fifo_size. */
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
    uint64_t members[MACH_MAX_THREADS][LIT_SCOPE_COUNT]; /* work-items of its scopes, a bit each */
    uint32_t unit_of[MACH_MAX_THREADS];
    uint32_t used_units;     /* the units from 0 on that have a work-item */
    const uint32_t *line_of; /* per location */
    const uint32_t *word_of; /* per location: which word of its line it is */
    uint32_t line_count;
    const uint32_t *line_begin; /* per line and one more: where its locations stand ... */
    const uint32_t *line_words; /* ... in this list of all locations */
    uint32_t nv_line;           /* the first line in NVRAM: they follow those of DRAM */
    struct caches caches;
    const struct pipe_plan *plan;         /* of a pipeline: what its description says of the test */
    const struct mach_future *future;     /* NULL: states are kept as they are, see mach_reduce.h */
    const struct mach_symmetry *symmetry; /* NULL: each of an orbit is kept, see mach_symmetry.h */
    bool overflow;                        /* more values than there is room for */
    /* Others work on copies of the test: a new value is not added, but said to be wanting. */
    bool shared, wanting;
    bool fault; /* an index or divisor went wrong, in the expression evaluated last */
    struct mach_mishap mishaps[MACH_MAX_MISHAPS]; /* where, the first that were found */
    uint32_t mishap_count;
};

static inline bool mach_has_fault(const struct mach_test *test, enum mach_fault fault)
{
    return test->config.faults >> fault & 1;
}

/* A step: what it is, one of the machine's kinds, and whom it concerns. On every machine kind 0 is
 * that a work-item executes its next instruction. */
enum { MACH_RUN = 0 };
struct mach_step {
    uint8_t kind, unit, thread, line;
};

/* What a step looks at and what it changes, a bit for each thing or for some together, and who
 * takes it. Two steps that a state enables, of different actors, are independent when neither
 * changes what the other looks at or changes: in either order they come to the same state,
 * neither hinders the other, and what else the other's actor can do stays the same. */
enum { MACH_ACTORS = 32, MACH_NOBODY = MACH_ACTORS };
struct mach_footprint {
    uint64_t looks, changes;
    uint32_t actor; /* MACH_NOBODY: takes its steps in dependence on all others */
};

struct mach_view;
struct mach_layout;
struct mach_renaming;

struct machine {
    const char *name, *description;
    /* The model pair that it promises: on a test that is not undefined it shows no state that the
     * pair does not allow. */
    const char *visibility, *persistency;
    uint64_t faults;    /* those it can have, a bit each; others have no effect on it. Of pipelines:
                           mach_pipe_faults */
    bool persists_meet; /* a persist barrier waits for its scope to arrive */
    /* Bytes of the machine's part of a state; may say in the test where things stand in it, and
     * keep in the arena what it needs of the test. */
    uint32_t (*size)(struct mach_test *test, struct arena *arena);
    void (*start)(struct mach_test *test, uint8_t *state);
    uint32_t (*enabled)(struct mach_test *test, const uint8_t *state, struct mach_step *steps);
    /* False when the step has to wait for something; the state is then of no use. */
    bool (*perform)(struct mach_test *test, uint8_t *state, struct mach_step step);
    /* Of the steps that a state enables, or NULL. Those of an actor stand together. */
    void (*footprints)(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                       uint32_t count, struct mach_footprint *footprints);
    /* The value number of a location in memory that survives a crash, or, once everything is
     * done and quiet, in memory at all. */
    uint8_t (*memory)(const struct mach_test *test, const uint8_t *state, uint32_t location);
    /* Of a final state, where that is another than what survives a crash; else NULL. */
    uint8_t (*last)(const struct mach_test *test, const uint8_t *state, uint32_t location);
    /* What a crash finds: the state once work-items have done what is no event of the models, such
     * as reading their own log. The state itself, or another one in `room`. Sets test->wanting
     * where a new value is wanting. NULL: all that a work-item does is an event. */
    const uint8_t *(*computed)(struct mach_test *test, const uint8_t *state, uint8_t *room);
    /* Nothing is under way any more: memory holds what was written last. */
    bool (*quiet)(const struct mach_test *test, const uint8_t *state);
    /* Brings a state to its normal form, when test->future is there (mach_reduce.h); or NULL. */
    void (*reduce)(struct mach_test *test, uint8_t *state);
    /* What states are made of, for mach_symmetry.h; false: work-items of this test have to be told
     * apart. NULL: always. Then: names things anew that no field is, where fields have been. NULL:
     * there are none. */
    bool (*describe)(const struct mach_test *test, struct arena *arena, struct mach_layout *layout);
    void (*rename)(const struct mach_test *test, uint8_t *state, const struct mach_renaming *by);
    /* For traces, see mach_view.h: what a state holds, and what a step does, seen from the state
     * before it. */
    void (*view)(const struct mach_test *test, const uint8_t *state, struct mach_view *view);
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
/* The instruction a work-item stands at; NULL when it is done. */
static inline const struct lit_instr *mach_instr(const struct mach_test *test, const uint8_t *state,
                                                 uint32_t thread)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_thread *its = &test->program->threads[thread];
    uint32_t pc = mach_pc(test, state, thread);
    return pc < its->code_count ? &its->code[pc] : NULL;
}

/* The value of an expression; the location of an access. A work-item that would evaluate a fault
 * is FAULTED before. */
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
/* Records that the work-item could not execute the instruction, unless it is known. */
void mach_add_mishap(struct mach_test *test, uint32_t thread, const struct lit_instr *instr);
/* Past the instruction, and on to the next one that is not its own affair. */
void mach_go_on(struct mach_test *test, uint8_t *state, uint32_t thread);
/* The number of a value, and back. */
uint8_t mach_number(struct mach_test *test, int64_t value);
int64_t mach_value(const struct mach_test *test, uint8_t number);

/* ---- Tests ---- */

/* Computes sizes and places; the machine's size is added. */
void mach_test_init(struct mach_test *test, struct arena *arena, const struct machine *machine,
                    const struct lit_program *program, const struct mach_config *config);
/* The work-items' first bytes. */
void mach_start_threads(struct mach_test *test, uint8_t *state);

#endif
