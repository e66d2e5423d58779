/* explanation: why a condition's state can or cannot be reached, as plain data.
 *
 * A reachable state is explained by one execution, step by step; an unreachable one by
 * the rules and program lines that forbid it together. Whoever finds the explanation fills
 * it; reports show it.
 *
 * Ownership: an explanation owns its texts and lists; explanation_fini releases them. File
 * names belong to the sources of the test and the model.
 */
#ifndef CRASHLIT_EXPLANATION_H
#define CRASHLIT_EXPLANATION_H

#include "base/table.h"
#include "engine/engine.h"
#include "engine/placement.h"
#include "sketch/changes.h"

enum explanation_answer { EXPLANATION_REACHABLE, EXPLANATION_UNREACHABLE, EXPLANATION_UNKNOWN };

/* Steps: X(identifier, name).
 *   EXECUTES   an event executes
 *   DURABLE    a write that executed becomes durable
 *   CYCLE      the next `count` events execute before one another: none of them is first
 *   CRASH      power fails; what comes after it in the program does not happen */
#define EXPLANATION_STEPS(X) \
    X(EXECUTES, "executes")  \
    X(DURABLE, "durable")    \
    X(CYCLE, "cycle")        \
    X(CRASH, "crash")

enum explanation_step_kind {
#define X(identifier, name) EXPLANATION_##identifier,
    EXPLANATION_STEPS(X)
#undef X
};

struct explanation_step {
    enum explanation_step_kind kind;
    bool together;              /* in the same moment as the step before */
    struct outcome_event event; /* not of CYCLE; of CRASH only at a crash statement */
    bool is_read, has_value;    /* the value read or written */
    bool lost;                  /* a write to non-volatile memory that never becomes durable */
    bool unchanged;  /* a write to non-volatile memory of what is there: the only write among the
                        steps to its location, of the initial value */
    bool lands_last; /* of DURABLE: memory holds it in the end, though another version of its
                        location is among later steps */
    enum lit_type type;
    int64_t value;
    struct outcome_event source; /* of reads */
    uint32_t count;              /* of CYCLE */
};

/* What forbids a state: X(identifier, name, what the reason says of its events). Reasons are shown
 * in this order. */
#define EXPLANATION_REASONS(X)                                      \
    X(CHECK, "check")                     /* of the model */        \
    X(FILTER, "filter")                   /* of the test */         \
    X(CRASH_POINT, "crash-point")         /* where the crash is */  \
    X(WAITS, "waits")                     /* barriers of a scope */ \
    X(EXECUTES_BEFORE, "executes-before") /* pairs */               \
    X(DURABLE_BEFORE, "durable-before")   /* pairs */               \
    X(DURABLE_AFTER, "durable-after")     /* pairs */               \
    X(CAN_PERSIST, "can-persist")         /* a write */             \
    X(PERSIST_ATOMIC, "persist-atomic")   /* pairs */               \
    X(PERSIST_BEFORE, "persist-before")   /* pairs */               \
    X(LANDS_BEFORE, "lands-before")       /* pairs, on one place */ \
    X(COHERENCE, "coherence")             /* pairs, on one place */ \
    X(EXECUTION_BARRIER, "barrier")       /* a line of the test */  \
    X(PERSIST_BARRIER, "persist-barrier") /* a line of the test */  \
    X(FENCE, "fence")                     /* a line of the test */  \
    X(MAINTENANCE, "maintenance")         /* a line of the test */  \
    X(ORDERED_ACCESS, "ordered-access")   /* a line of the test */

enum explanation_reason_kind {
#define X(identifier, name) EXPLANATION_BY_##identifier,
    EXPLANATION_REASONS(X)
#undef X
};

/* A step from one event to another, by a base relation. */
struct explanation_link {
    const char *relation;
    struct outcome_event event; /* to which it leads */
};

struct explanation_pair {
    struct outcome_event from, to;
    const char *chosen; /* of a rule: the chosen orders that the pair depends on; NULL */
    const struct explanation_link *chain; /* of a rule: the way from `from` to `to` in the near
                                             miss */
    uint32_t chain_count;                 /* 0: it is not known, or no event lies between */
};

/* The need of one reason, while everything else in the test and the model stays as it is. */
enum explanation_need {
    EXPLANATION_UNTRIED,   /* the time ran out */
    EXPLANATION_NECESSARY, /* without it the state is reachable */
    EXPLANATION_SPARE      /* without it others still keep the state out of reach */
};

struct explanation_reason {
    enum explanation_reason_kind kind;
    enum explanation_need need;
    uint32_t group;   /* the number of the first reason that differs only in work-items */
    const char *name; /* the check's or rule's; for a line, its access */
    const char *file; /* where it is written, NULL when nowhere */
    uint32_t line;
    struct explanation_pair *pairs; /* of rules, and of checks as far as they are known */
    uint32_t pair_count;
};

/* Lines that order something. */
struct explanation_lines {
    struct outcome_event *events;
    uint32_t count;
};

/* An order that the model chose (`with`) puts `earlier` before `later`; nothing else that is forced
 * does. */
struct explanation_chosen {
    const char *order; /* its name in the model */
    struct outcome_event earlier, later;
};

/* Why what stands between two writes does not order them, as far as the model tells.
 *  UNTOLD     it does not
 *  NARROW     its scope is too narrow: one of `scope` would
 *  OF_OTHERS  it orders what its own work-item wrote, such as `own`, and the lost write is another's
 *  VISIBLE    a persist barrier of `scope` in its place would order the two */
enum explanation_why_not {
    EXPLANATION_UNTOLD,
    EXPLANATION_NARROW,
    EXPLANATION_OF_OTHERS,
    EXPLANATION_VISIBLE
};

/* A missing order: of two writes to non-volatile memory the earlier one is lost, the later one
 * durable. */
enum { EXPLANATION_OTHERS = 3 };
struct explanation_gap {
    struct outcome_event earlier, later;
    const struct lit_instr *instrs[2]; /* of the two */
    uint32_t threads[2];
    uint32_t location; /* of the earlier write */
    bool next;         /* nothing durable stands between the two */
    bool has_between;
    struct outcome_event between; /* what does not order them: the widest persist barrier between
                                     them, else fence or flush, else execution barrier */
    struct outcome_event others[EXPLANATION_OTHERS]; /* more of these that stand there, the first of
                                                        them: barriers, fences and flushes */
    uint32_t other_count;
    enum explanation_why_not why_not;
    enum lit_scope scope;
    const char *wider; /* what has it and may stand in its place: a definition of the test's files,
                          or as it is written itself; NULL: there is none */
    const char *word;  /* the word for the scope in the place of its own; NULL: it has none */
    bool only_visible; /* of VISIBLE: it orders nothing that becomes durable, as a fence without a
                          tag that changes nothing of that here */
    bool is_part;      /* its statement does more than it: nothing may stand in its place */
    struct outcome_event own;
    bool has_beside, beside_behind;
    struct outcome_event beside; /* where nothing stands between them, the nearest persist barrier
                                    or fence before both, else behind both in the program */
    uint32_t numbers[3];         /* of earlier, later and between, in the witness at hand */
};

/* A store of the execution at hand, executed before the crash or not. */
struct explanation_store {
    const struct lit_instr *instr;
    uint32_t location;
};

struct explanation {
    struct arena arena;
    const struct lit_condition *about; /* the condition that the gaps are to answer for, set before
                                          the search; NULL: none */
    enum explanation_answer answer;
    const char *doubt; /* of UNKNOWN */
    VEC(struct explanation_step) steps;
    VEC(struct explanation_reason) reasons;
    VEC(struct explanation_chosen) chosen; /* of the steps, where the contract depends on it */
    VEC(struct explanation_gap) gaps; /* of a crash state, as far as the execution shows them */
    /* Of a crash state of which nothing is lost that the condition names: the writes that are the
     * first to such a location and have not executed. */
    VEC(struct outcome_event) unstored;
    VEC(struct explanation_store) stores; /* likewise of a crash state: all there are */
    /* Sets of lines. Each keeps the state out of reach without the other lines, and then none of
     * its lines can be spared. The first is the set of the reasons. Empty if that is the only
     * one. */
    VEC(struct explanation_lines) line_sets;
    bool all_line_sets; /* the list is complete */
    bool minimal;       /* with the other reasons alone, no reason can be spared */
    bool has_reversed;  /* of a crash state: it has what the first of these stores wrote, and */
    struct outcome_event reversed[2]; /* nothing of the second, which stands behind it */
    int64_t *row;                     /* of REACHABLE: the state; its columns are `items` */
    struct lit_atom *items;
    uint32_t width;
};

/* A crash on the way to a recovered state: in the program, or in a run of recovery, which is a
 * program of its own. */
struct explanation_crash {
    const struct lit_program *program;
    const struct explanation *explanation;
};

/* Ways to mend a test, each searched where the first has nothing: what may be wider or stronger,
 * and one statement at each point; several statements at one point; two stores in each other's
 * place. */
enum explanation_way {
    EXPLANATION_ADDED,
    EXPLANATION_SEVERAL,
    EXPLANATION_SWAPPED,
    EXPLANATION_WAY_COUNT
};
/* Was such a way searched? No, or there is none of its kind; to its end, and it has nothing; it has
 * something; a limit was met. */
enum explanation_searched {
    EXPLANATION_UNSEARCHED,
    EXPLANATION_NOTHING,
    EXPLANATION_SOMETHING,
    EXPLANATION_LIMITED
};

/* What was searched for some conditions. */
struct explanation_search {
    enum explanation_searched ways[EXPLANATION_WAY_COUNT];
    const struct placement *placement; /* of the way that has something, else of the first: the
                                          conditions that clash */
    const char *limits[EXPLANATION_WAY_COUNT]; /* of those that are LIMITED */
    bool is_fewest; /* no filling has fewer changes than the one with the fewest */
};

/* Do all other conditions hold with what makes one hold? */
enum explanation_others { EXPLANATION_NOT_ALL, EXPLANATION_ALL, EXPLANATION_PERHAPS_ALL };

/* A repair of the test: a minimal filling of what may be wider, stronger or added, checked by every
 * engine that applies. */
struct explanation_advice {
    const struct explanation_search *whole;  /* for all conditions */
    const struct explanation_search *alone;  /* for this one, where that gives nothing; else NULL */
    uint32_t filling;                        /* the number of the filling given, */
    const struct placement_filling *checked; /* and what engines made of it: asked about all
                                                conditions where it is for ALL */
    enum explanation_others others;          /* with one that is for this condition alone */
    bool is_listed;                          /* `place --repair` lists it beside the others */
    bool refuses_additions;        /* for this condition nothing that is added will do, nor will
                                      several statements at one point */
    const struct changes *changes; /* of this filling; NULL: none was found, or none was
                                      confirmed */
};

enum explanation_support_answer { EXPLANATION_SUFFICES, EXPLANATION_MORE, EXPLANATION_NOT_KNOWN };

/* The persist barriers, fences and memory orders of the program that keep a state out of reach:
 * choices of a sketch of what may be narrower, weaker or gone. */
struct explanation_support {
    const struct sketch *sketch;
    /* Choices that are needed: without one of them, all else as it stands, the state is reached, or
     * behaviour is undefined. Each has the greatest value that is not enough. */
    const struct placement_step *needed;
    uint32_t needed_count;
    bool all_tried;                           /* no others are needed */
    enum explanation_support_answer suffices; /* the needed choices, without all others */
    const struct placement *sets; /* MORE: the first minimal fillings that keep the state out of
                                     reach */
};

void explanation_init(struct explanation *explanation);
void explanation_fini(struct explanation *explanation);
/* As a check judges the condition, by the answer that is told in place of the states: what else is
 * known of them counts too. Undefined behaviour does not: that is what it would be, were the test
 * defined. */
struct outcome_judgement explanation_judge(const struct explanation *explanation,
                                           const struct outcome *outcome,
                                           const struct lit_condition *condition);
void explanation_clear_gaps(struct explanation *explanation);
/* Keeps the gaps of a crash of `program` that a change to these lines closes; false: no gap is, and
 * all are kept. */
bool explanation_keep_closed_gaps(struct explanation *explanation,
                                  const struct lit_program *program, const struct changes *changes);
/* Marks the steps of a crash of `program` that leave memory unchanged: that one is lost shows in no
 * state. */
void explanation_mark_unchanged(struct explanation *explanation, const struct lit_program *program);
/* Keeps the gaps between a lost write and the next durable one, or the next event that shows it;
 * of passes of a loop the first. */
void explanation_keep_next_gaps(struct explanation *explanation);

/* The event as reports name it; the text is copied. */
struct outcome_event explanation_event(struct explanation *explanation,
                                       const struct lit_program *program, const struct ev *event);
/* Node sets of explanation_show: `before`, closed, is what has to come before what whatever the
 * model chooses; `wanted` are the nodes shown; `tells` are the events that show registers of the
 * state. */
struct explanation_nodes {
    struct rel_dim dim;
    const rel_word *before, *wanted, *tells;
};
/* Finds the gaps of an execution: pairs of a lost write with later durable writes, and with later
 * events that show a register of the state. A condition on crash states tells of the locations that
 * it names: the gaps are of lost writes to these, and else the `unstored` are found. For one on
 * recovered states those gaps come first. */
void explanation_find_gaps(struct explanation *explanation, const struct engine_witness *witness,
                           const struct explanation_nodes *nodes);
/* What the source of compiled code calls the fence with that scope; NULL: it is none of these. */
const char *explanation_source_fence(const struct lit_instr *instr, enum lit_scope scope);
/* Finds why what stands between them does not order the writes of gaps, in the execution that they
 * were found in. */
void explanation_find_why_not(struct explanation *explanation, const struct engine_request *request,
                              const struct engine_witness *witness);
/* What has to come before what in an execution, closed, whatever becomes durable: nodes are events,
 * then their durability. */
const rel_word *explanation_order_of(struct arena *arena, const struct engine_request *request,
                                     const struct engine_witness *witness);
/* Finds two stores of one work-item whose order in the text lets a crash leave a state that the
 * proposition is about, by the steps to the state. */
void explanation_find_reversed(struct explanation *explanation, const struct lit_program *program,
                               const struct lit_prop *prop);
/* Fills the steps and the state from a witness. Events come in an order that executes-before
 * allows; each write becomes durable as early as possible. Of a cut that leaves more than the state
 * needs the rest is left out. */
void explanation_show(struct explanation *explanation, const struct engine_request *request,
                      const struct engine_witness *witness);

#endif
