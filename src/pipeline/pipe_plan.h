/* pipe_plan: a pipeline's description applied to one test. Private to the pipeline.
 *
 * A plan says which lines of the description match which instruction, how many instances each stage
 * has, and where things stand in a state. The machine's part of a state has these parts in order.
 * Variables; masks of work-items with an open transaction, and of those that keep others out;
 * progress of work-items in their rules; marks; the number of entries. Then, by runs
 * (pipe_state.h): memory, for locations in NVM the medium, and the run's entries, as many as it has
 * such locations. Last the spill with all other entries. Where entries depend on those of other
 * runs, the spill has all entries, and memory and medium are each in one piece. So a step changes
 * few places, close together, and sections of states (mach_store.h) are shared widely. What a
 * description or a test does not need takes no room.
 *
 * Ownership: in the arena of the exploration. */
#ifndef CRASHLIT_PIPE_PLAN_H
#define CRASHLIT_PIPE_PLAN_H

#include "machine/mach.h"

/* Which of up to 64 lines match, as masks: by instruction, by location, and inside or outside of a
 * transaction. */
struct pipe_lines {
    const uint64_t *code[MACH_MAX_THREADS]; /* by instruction */
    const uint64_t *at; /* by location; the last is of instructions without one */
    uint64_t inside[2];
};

/* Effects of rules that reductions ask for: moves or marks of a stage, and waits for what its
 * instance has (the first bits, one a stage), waits, waits for what is owed to others, changes of a variable, looks at who wrote, at
 * the own scope's writers, at strands, transactions that begin, looks at others' entries. */
enum {
    PIPE_MOVES_IN,
    /* By stage, too: looks at others' entries there, waits for them, and accesses memory only then,
     * when there may be more. */
    PIPE_MISSES_IN = PIPE_MOVES_IN + MACH_PIPE_STAGES,
    PIPE_AWAITS = PIPE_MISSES_IN + MACH_PIPE_STAGES,
    PIPE_AWAITS_OTHERS,
    PIPE_SETS,
    PIPE_LOOKS_OWN,
    PIPE_LOOKS_SCOPE,
    PIPE_LOOKS_STRAND,
    PIPE_BEGINS,
    PIPE_ABORTS,
    PIPE_LOOKS_OTHERS, /* at entries of work-items that it does not wait for first */
    PIPE_NOT_SILENT,
    MACH_PIPE_EFFECTS
};

enum { PIPE_INSIDE = 0x80, PIPE_BEHIND_BYTES = 3 };

/* The place of something in a state, and its size in bytes; 0: it is absent. */
struct pipe_place {
    uint32_t at, bytes;
};

/* Offsets within an entry; 0: absent. */
struct pipe_layout {
    uint32_t writers, owed, before, turn, transaction, bypasses;
    uint32_t mask_bytes;  /* of a mask of work-items */
    uint32_t entry_bytes; /* of a mask of entries */
    uint32_t size;        /* of an entry */
};

/* Entries that stand together, for locations in NVM. */
struct pipe_run {
    uint32_t number, at, count; /* count: room for entries from `at` on */
};

struct pipe_plan {
    const struct mach_pipe *pipe;
    struct pipe_lines rules, bypasses, views;
    uint32_t stages;
    uint32_t durable;            /* the first durable stage; `stages`: only the medium is durable */
    const uint32_t *run_of;      /* per location: its run, whose entries stand together */
    const struct pipe_run *runs; /* by number: runs that may have entries */
    uint32_t run_count;
    const struct pipe_run *const *home_of; /* per location in NVM: its run */
    uint8_t instance_of[MACH_PIPE_STAGES][MACH_MAX_THREADS];
    uint8_t next_instance[MACH_PIPE_STAGES][MACH_MAX_THREADS]
                         [MACH_PIPE_STAGES]; /* stage and instance: where its entries go in a later
                                                stage */
    uint32_t instances[MACH_PIPE_STAGES];
    uint8_t owed_slot[MACH_PIPE_STAGES +
                      1]; /* per stage: its slot in `owed`, if somebody may wait for it; else
                             MACH_PIPE_STAGES */
    uint32_t owed_count;
    struct pipe_place variables, open, held;
    struct pipe_place log; /* of the open transaction, two bytes a location: whether it has stored
                              there, and what */
    struct pipe_place phases; /* a byte a work-item: the operation at which it is stalled. With
                                 `keeps_inside` also PIPE_INSIDE, if its instruction began inside a
                                 transaction, which the rule may have ended since */
    bool keeps_inside;
    /* PIPE_BEHIND_BYTES a work-item, while it is stalled behind an access: its pc, two bytes, and
     * 1 + its location. */
    struct pipe_place behind;
    /* Masks of entries in order. By work-item: those ahead of its next entries; those ahead of its
     * strand's next entries; those of its strand. By stage and instance: those ahead of the next
     * entries there. */
    struct pipe_place own_marks, strand_marks, strands, instance_marks[MACH_PIPE_STAGES];
    bool masks; /* there are masks of entries */
    bool apart; /* stores and moves of a run's entries affect no others: there are no masks, turns
                   or write sets */
    const uint32_t *memory_at, *medium_at; /* per location; the latter of those in NVM */
    uint32_t count_at, spill_at, spill_room;
    bool holds;                              /* some stage holds entries of open transactions */
    bool lines;                              /* some stage keeps the order of a line */
    bool all_enter_first;                    /* no store bypasses the first stage */
    bool may_fill;                           /* stores may outnumber the room for entries */
    const uint64_t *ahead[MACH_MAX_THREADS]; /* by instruction, and last for the end: rules that may
                                                still match */
    uint64_t effects[MACH_PIPE_EFFECTS];     /* of rules, by what they do */
    struct pipe_layout layout;
    const struct mach_footprint *footprints[MACH_MAX_THREADS]; /* by instruction */
};

/* Makes the plan of a test. The machine's part of a state begins at test->machine_bytes; `size` is
 * set to its size. */
const struct pipe_plan *pipe_plan_new(const struct mach_test *test, struct arena *arena,
                                      uint32_t *size);

/* ---- Which lines match (pipe_match.c) ---- */

/* Matches each of `count` lines; their matches are at `matches`, `stride` bytes apart. Cost: lines
 * times instructions. */
struct pipe_lines pipe_find_lines(const struct lit_program *program, const void *matches,
                                  size_t stride, uint32_t count, struct arena *arena);

/* Is the line of the file chosen for an instruction: as the first rule that matches, or as a bypass
 * or a view? */
bool pipe_is_chosen(const struct mach_pipe *pipe, uint32_t line, const struct lit_program *program,
                    uint32_t thread, uint32_t pc, bool inside);

/* The rule of an instruction; NULL: none matches. `location` is location_count when it has none. */
const struct mach_pipe_rule *pipe_rule(const struct pipe_plan *plan, uint32_t thread, uint32_t pc,
                                       uint32_t location, bool inside);
/* A mask of the stages that a store bypasses. */
uint8_t pipe_bypasses(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                      bool inside);
/* The stage that entries must have reached before they are read; 0: any stage will do. */
uint32_t pipe_view(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                   bool inside);

/* Does a line of the description name the tag, of an instruction, a work-item or a location? */
bool pipe_names(const struct mach_pipe *pipe, enum mach_pipe_bearer bearer, const char *tag);
/* May a rule match the instruction, whatever it accesses and whoever is in a transaction? */
bool pipe_has_rule(const struct mach_pipe *pipe, const struct lit_program *program,
                   const struct lit_thread *thread, const struct lit_instr *instr);

#endif
