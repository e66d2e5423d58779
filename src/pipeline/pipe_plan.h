/* pipe_plan: what a description of a pipeline says of one test. Private to the pipeline.
 *
 * Which lines of the description match which instruction, how many instances each stage has, and
 * where things stand in a state. The machine's part of a state: variables; masks of work-items with
 * an open transaction, and of those that keep others out; how far work-items are in their rules;
 * marks; the number of entries; then by runs (pipe_state.h) what is in memory and, of
 * locations in NVM, in the medium, and the run's entries, as many as it has such locations. The
 * others come last, in the spill: where entries have to do with those of other runs all
 * of them, and memory and medium are each in one piece. So a step changes few places that are near
 * one another, and sections of states (mach_store.h) are shared widely. What a description or a
 * test has no need of takes no room.
 *
 * Ownership: in the arena of the exploration.
 */
#ifndef CRASHLIT_PIPE_PLAN_H
#define CRASHLIT_PIPE_PLAN_H

#include "machine/mach.h"

/* Which of up to 64 lines match: one is of an instruction, a location, and in or outside of a
 * transaction. */
struct pipe_lines {
    const uint64_t *code[MACH_MAX_THREADS]; /* by instruction */
    const uint64_t *at; /* by location; the last is of instructions without one */
    uint64_t inside[2];
};

/* What rules do that reductions ask for: moves or marks of a stage (the first bits of so many),
 * waits, waits for what is owed to others, changes of a variable, looks at who wrote, at the own
 * scope's writers, at strands, transactions that begin, looks at others' entries. */
enum {
    PIPE_MOVES_IN,
    PIPE_AWAITS = PIPE_MOVES_IN + MACH_PIPE_STAGES,
    PIPE_AWAITS_OTHERS,
    PIPE_SETS,
    PIPE_LOOKS_OWN,
    PIPE_LOOKS_SCOPE,
    PIPE_LOOKS_STRAND,
    PIPE_BEGINS,
    PIPE_ABORTS,
    PIPE_LOOKS_OTHERS, /* at what others, whom it does not wait for before, have in a stage */
    PIPE_NOT_SILENT,
    MACH_PIPE_EFFECTS
};

enum { PIPE_INSIDE = 0x80 };

/* Where something stands in a state, and of how many bytes it is; 0 when it is not there. */
struct pipe_place {
    uint32_t at, bytes;
};

/* Offsets within an entry; 0: it has none. */
struct pipe_layout {
    uint32_t writers, owed, before, turn, transaction, bypasses;
    uint32_t mask_bytes;  /* of a mask of work-items */
    uint32_t entry_bytes; /* of a mask of entries */
    uint32_t size;        /* of an entry */
};

/* Entries that stand together, of those in NVM. */
struct pipe_run {
    uint32_t number, at, count; /* count: room for entries from `at` on */
};

struct pipe_plan {
    const struct mach_pipe *pipe;
    struct pipe_lines rules, bypasses, views;
    uint32_t stages;
    uint32_t durable;            /* the first durable stage; `stages`: the medium alone */
    const uint32_t *run_of;      /* per location: entries of one run stand together */
    const struct pipe_run *runs; /* by number, those that may have entries */
    uint32_t run_count;
    const struct pipe_run *const *home_of; /* per location in NVM: its run */
    uint8_t instance_of[MACH_PIPE_STAGES][MACH_MAX_THREADS];
    uint8_t next_instance[MACH_PIPE_STAGES][MACH_MAX_THREADS]
                         [MACH_PIPE_STAGES]; /* stage, instance: where its
                                                entries go in a later stage */
    uint32_t instances[MACH_PIPE_STAGES];
    uint8_t owed_slot[MACH_PIPE_STAGES +
                      1]; /* of a stage that somebody may wait for; else MACH_PIPE_STAGES */
    uint32_t owed_count;
    struct pipe_place variables, open, held;
    struct pipe_place log; /* of the transaction that is open, two bytes a location: whether it has
                              stored there, and what */
    struct pipe_place phases; /* a byte a work-item: the operation it is stalled at, and with
                                 `keeps_inside` PIPE_INSIDE if its instruction began inside of a
                                 transaction, which the rule may have ended since */
    bool keeps_inside;
    /* Masks of entries, one after the other: by work-item those that its next ones are behind,
     * those that the next ones of its strand are behind, those of its strand; by stage and instance
     * those that the next ones there are behind. */
    struct pipe_place own_marks, strand_marks, strands, instance_marks[MACH_PIPE_STAGES];
    bool masks; /* there are masks of entries */
    bool apart; /* stores and moves of a run's entries have to do with no others: there are no
                   masks, no turns, and no write sets */
    const uint32_t *memory_at, *medium_at; /* per location; the latter of those in NVM */
    uint32_t count_at, spill_at, spill_room;
    bool holds;                              /* some stage holds what is of a transaction */
    bool lines;                              /* some stage keeps the order of a line */
    bool all_enter_first;                    /* no store passes the first stage by */
    bool may_fill;                           /* there may be more stores than room for entries */
    const uint64_t *ahead[MACH_MAX_THREADS]; /* by instruction and, last, of the end: rules that may
                                               still match */
    uint64_t effects[MACH_PIPE_EFFECTS];     /* of rules, by what they do */
    struct pipe_layout layout;
    const struct mach_footprint *footprints[MACH_MAX_THREADS]; /* by instruction */
};

/* The plan of a test, whose machine's part of a state begins at test->machine_bytes; `size` is that
 * of the part. */
const struct pipe_plan *pipe_plan_new(const struct mach_test *test, struct arena *arena,
                                      uint32_t *size);

/* ---- Which lines match (pipe_match.c) ---- */

/* `matches`: of each of `count` lines, `stride` bytes apart. Cost: lines times instructions. */
struct pipe_lines pipe_find_lines(const struct lit_program *program, const void *matches,
                                  size_t stride, uint32_t count, struct arena *arena);

/* The rule of an instruction; NULL when none matches. `location`: location_count when it has none.
 */
const struct mach_pipe_rule *pipe_rule(const struct pipe_plan *plan, uint32_t thread, uint32_t pc,
                                       uint32_t location, bool inside);
/* A bit for each stage that what it writes does not enter. */
uint8_t pipe_bypasses(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                      bool inside);
/* The stage before which no entry may be that it reads; 0: any may. */
uint32_t pipe_view(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                   bool inside);

/* Does a line of the description name the tag, of an instruction, a work-item or a location? */
bool pipe_names_tag(const struct mach_pipe *pipe, const char *tag);
bool pipe_names_thread(const struct mach_pipe *pipe, const char *tag);
bool pipe_names_location(const struct mach_pipe *pipe, const char *tag);
/* Could a rule match the instruction, wherever it accesses and whoever is in a transaction? */
bool pipe_has_rule(const struct mach_pipe *pipe, const struct lit_program *program,
                   const struct lit_thread *thread, const struct lit_instr *instr);

#endif
