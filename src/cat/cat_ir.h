/* cat_ir: a resolved model, ready for evaluation.
 *
 * One shared DAG: every distinct expression is one node (hash-consed), functions are expanded,
 * names are gone. Nodes stand in an array in which operands come before users, so evaluation is one
 * pass over the array.
 *
 * `let rec` groups: members are CAT_VAR nodes (the approximation so far), each with a body node.
 * Nodes with index in (first variable, CAT_FIX) that depend on a variable are re-evaluated from the
 * empty relation until nothing changes: the least fixpoint where the iteration is monotone.
 * Resolution lets recursion through a negative position pass only if it ends (cat_graph_inflates).
 * A CAT_FIX node stands for a member's final value.
 *
 * `with x from E` is a choice: a CAT_CHOICE node, a relation that the engine picks instead of
 * computing it, once for each choice, in the order of `choices`. An execution is consistent when
 * some picks satisfy all checks. Every choice has its node, even when nothing uses it: without
 * anything to pick there is no execution.
 *
 * The test decides what its instructions, locations and threads are tagged with. A CAT_TAGGED node
 * is the set of events that carry a tag, by what carries it.
 *
 * Nodes and groups that only pictures show come last. Engines look only at the first node_count
 * nodes and rec_group_count groups.
 *
 * Ownership: everything lives in the arena given to cat_model_load. */
#ifndef CRASHLIT_CAT_IR_H
#define CRASHLIT_CAT_IR_H

#include "base/source.h"
#include "base/table.h"

#include <stdbool.h>
#include <stdint.h>

enum cat_sort { CAT_SET, CAT_REL };

/* Operators: X(name, arity, printed form, sort of the operands, sort of the value, name in
 * messages). BOTH: the operator exists at either sort; the node's own sort, which is its operands',
 * says which. */
#define CAT_OPERATORS(X)                            \
    X(BASE, 0, "base", BOTH, BOTH, "")              \
    X(TAGGED, 0, "tagged", BOTH, SET, "")           \
    X(EMPTY, 0, "0", BOTH, BOTH, "")                \
    X(UNION, 2, "|", BOTH, BOTH, "'|'")             \
    X(INTER, 2, "&", BOTH, BOTH, "'&'")             \
    X(DIFF, 2, "\\", BOTH, BOTH, "'\\'")            \
    X(COMP, 1, "~", BOTH, BOTH, "'~'")              \
    X(SEQ, 2, ";", REL, REL, "';'")                 \
    X(PRODUCT, 2, "*", SET, REL, "the product '*'") \
    X(INVERSE, 1, "^-1", REL, REL, "'^-1'")         \
    X(OPT, 1, "?", REL, REL, "'?'")                 \
    X(PLUS, 1, "+", REL, REL, "the closure '+'")    \
    X(STAR, 1, "*", REL, REL, "the closure '*'")    \
    X(TOID, 1, "[]", SET, REL, "'[ ]'")             \
    X(DOMAIN, 1, "domain", REL, SET, "'domain'")    \
    X(RANGE, 1, "range", REL, SET, "'range'")       \
    X(VAR, 0, "var", BOTH, BOTH, "")                \
    X(FIX, 0, "fix", BOTH, BOTH, "")                \
    X(CHOICE, 0, "choice", BOTH, REL, "")

enum cat_op {
#define X(name, ...) CAT_##name,
    CAT_OPERATORS(X)
#undef X
};

typedef uint32_t cat_node_id;
#define CAT_NONE ((cat_node_id)0xffffffffu)

struct cat_node {
    enum cat_op op;
    enum cat_sort sort;
    cat_node_id a, b; /* operands, CAT_NONE when absent */
    uint32_t base;    /* CAT_BASE: index into the basis; CAT_VAR, CAT_FIX: member
                         index; CAT_CHOICE: index into choices; CAT_TAGGED: into tagged */
    uint32_t group;   /* CAT_VAR, CAT_FIX: index into rec_groups */
    bool dynamic;     /* depends on a dynamic base (rf, co) or on a choice */
    const char *name; /* the first name a `let` gave to it, NULL when none */
    struct span span; /* where it was first written */
};

/* One `let rec ... and ...` after expansion. */
struct cat_rec_group {
    uint32_t count;
    const cat_node_id *vars;   /* CAT_VAR node of each member */
    const cat_node_id *bodies; /* right-hand side of each member */
    const cat_node_id *fixes;  /* CAT_FIX node of each member */
    cat_node_id begin, end;    /* nodes in [begin, end) that may need re-evaluation */
    bool inflates;             /* need not be a least solution (cat_graph_inflates) */
};

/* One `with name from ...`. Its operands come before its node, and may depend on choices of smaller
 * index. */
struct cat_choice {
    const char *name;
    enum cat_choice_kind {
        CAT_LINEARISATIONS, /* a strict total order on `set` that contains `relation` on it */
        CAT_ALTERNATIVES    /* one of `alternatives`, at least one */
    } kind;
    cat_node_id set, relation;       /* CAT_LINEARISATIONS; CAT_NONE else */
    const cat_node_id *alternatives; /* CAT_ALTERNATIVES; NULL else */
    uint32_t alternative_count;
    struct span span;
};

/* What carries a tag: X(name, text). The events of a tag are those of an instruction; or the
 * accesses to a location and its cache maintenance, initial writes included; or those of a
 * thread. */
#define CAT_BEARERS(X)            \
    X(INSTRUCTION, "instruction") \
    X(LOCATION, "location")       \
    X(THREAD, "thread")

enum cat_bearer {
#define X(name, text) CAT_BY_##name,
    CAT_BEARERS(X)
#undef X
};

struct cat_tagged {
    const char *tag;
    enum cat_bearer bearer;
};

/* Kinds that `instructions KIND[...]` declares tags for: X(kind, what carries the tag, the base set
 * of its events, what messages call them). */
#define CAT_DECLARED_KINDS(X)                        \
    X(R, INSTRUCTION, "R", "reads")                  \
    X(W, INSTRUCTION, "W", "writes")                 \
    X(RMW, INSTRUCTION, "RMW", "read-modify-writes") \
    X(M, INSTRUCTION, "M", "reads and writes")       \
    X(F, INSTRUCTION, "F", "fences")                 \
    X(CM, INSTRUCTION, "CM", "cache maintenance")    \
    X(TX, INSTRUCTION, "F", "marks of transactions") \
    X(B, INSTRUCTION, "B", "execution barriers")     \
    X(PB, INSTRUCTION, "PB", "persist barriers")     \
    X(LOC, LOCATION, "_", "locations")               \
    X(THREAD, THREAD, "_", "work-items")

enum cat_declared_kind {
#define X(kind, bearer, set, words) CAT_DECLARED_##kind,
    CAT_DECLARED_KINDS(X)
#undef X
        CAT_DECLARED_COUNT
};
extern const char *const cat_declared_kinds[]; /* by name */

/* A tag to which a model gives a meaning. */
struct cat_declaration {
    const char *tag;
    uint32_t kinds; /* mask of 1 << enum cat_declared_kind */
};

/* A base name the environment provides. `dynamic`: changes with the witness. */
struct cat_base {
    const char *name;
    enum cat_sort sort;
    bool dynamic;
};

struct cat_basis {
    const struct cat_base *names;
    uint32_t count;
};

/* What a check asks of a value: X(identifier, word). */
#define CAT_TESTS(X) X(ACYCLIC, "acyclic") X(IRREFLEXIVE, "irreflexive") X(IS_EMPTY, "empty")

enum cat_test {
#define X(name, word) CAT_##name,
    CAT_TESTS(X)
#undef X
};
enum cat_check_kind { CAT_CHECK, CAT_FLAG, CAT_UNDEFINED_UNLESS };

struct cat_check {
    enum cat_check_kind kind;
    enum cat_test test;
    bool negated;     /* ~empty, ~acyclic, ~irreflexive */
    cat_node_id node; /* a relation; CAT_IS_EMPTY also a set */
    const char *name; /* the `as` name; without one, the text of the expression's name or
                         "check-N" counted from 1 in the model */
    struct span span;
    const char *warning; /* of a flag that the model did not write: what it means and how to mend
                            it; NULL for all others */
};
/* Is a failure of the check a cycle? Else it is a pair or an event; a negated check fails by
 * nothing. */
static inline bool cat_check_is_of_cycle(const struct cat_check *check)
{
    return !check->negated && check->test != CAT_IS_EMPTY;
}

/* `show e as name`: pictures draw e under the name, a relation as edges, a set at its events. Of
 * several with one name only the last counts. */
struct cat_shown {
    const char *name;
    cat_node_id node; /* below picture_node_count */
    struct span span;
};

/* Names the persistency contract reads (docs/models/semantics.md, "Crash cuts"). */
#define CAT_RESERVED(X)                            \
    X(PERSIST_BEFORE, "persist-before", CAT_REL)   \
    X(DURABLE_BEFORE, "durable-before", CAT_REL)   \
    X(DURABLE_AFTER, "durable-after", CAT_REL)     \
    X(EXECUTES_BEFORE, "executes-before", CAT_REL) \
    X(PERSIST_ATOMIC, "persist-atomic", CAT_REL)   \
    X(CAN_PERSIST, "can-persist", CAT_SET)         \
    X(LANDS_BEFORE, "lands-before", CAT_REL)       \
    X(WITHHELD, "withheld", CAT_SET)               \
    X(UNDONE, "undone", CAT_SET)                   \
    X(MAY_STAY, "may-stay", CAT_SET)               \
    X(WAITS, "waits", CAT_SET)

enum cat_reserved {
#define X(name, text, sort) CAT_##name,
    CAT_RESERVED(X)
#undef X
        CAT_RESERVED_COUNT
};

struct cat_model {
    const char *visibility, *persistency; /* as the user named them, by utf8_name */
    const char *title[2];                 /* title strings of both, "" when absent */
    const char *called[2]; /* what pictures call both: by the name at the head of the file. A file
                              of the user's without one, or with a built-in's, by its own */
    uint64_t digest;       /* of all files that it was read from */
    bool builtin; /* both files and all that they include are built in, so nothing in it is a
                     user's */
    const struct cat_node *nodes;
    uint32_t node_count;
    const struct cat_rec_group *rec_groups;
    uint32_t rec_group_count;
    const struct cat_choice *choices;
    uint32_t choice_count;
    const struct cat_tagged *tagged;
    uint32_t tagged_count;
    const struct cat_declaration *declarations; /* each tag once, in the order of the text */
    uint32_t declaration_count;
    const struct cat_check *checks; /* those of the visibility model first */
    uint32_t check_count, visibility_check_count;
    bool visibility_persists;                 /* its file defines a name of the contract */
    cat_node_id reserved[CAT_RESERVED_COUNT]; /* never CAT_NONE after a load without errors */
    bool all_can_persist;                     /* can-persist is as the contract has it */
    bool lands_by_coherence;                  /* so is lands-before */
    const struct cat_shown *shown;            /* in the order of the text */
    uint32_t shown_count;
    const char *const *hidden; /* names in `unshow` that are not shown later; they need not exist */
    uint32_t hidden_count;
    uint32_t picture_node_count, picture_group_count; /* with what only `shown` needs */
    const struct cat_basis *basis;
};

/* Checks the resolver's contract on a resolved model. Operands come before users, sorts are as
 * operators want them, and nodes that depend on something dynamic say so; otherwise an evaluation
 * would use relations of another execution. A violation is our bug, and ends the process with
 * status 70. Cost: one pass over the nodes (cat_contract.c). */
void cat_contract_check(const struct cat_model *model);

#endif
