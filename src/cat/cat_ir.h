/* cat_ir: a model after parsing and resolution, ready to be evaluated.
 *
 * One shared DAG: every distinct expression is one node (hash-consed), functions
 * are expanded, names are gone. Nodes stand in an array in an order in which
 * operands come before users, so evaluation is one pass over the array.
 *
 * `let rec` groups: members are CAT_VAR nodes (the approximation so far) and each
 * has a body node. Nodes with index in (first variable, CAT_FIX) that depend on a
 * variable are re-evaluated until nothing changes, from the empty relation: the
 * least fixpoint where the iteration is monotone. Of recursion through a negative
 * position resolution lets pass what ends (cat_graph_inflates). A CAT_FIX node stands for a
 * member's final value.
 *
 * `with x from E` is a choice: a CAT_CHOICE node, a relation that is not computed from
 * operands but picked by the engine, once for each choice, in the order of `choices`.
 * An execution is consistent when some picks satisfy all checks. Every choice has its
 * node, even when nothing uses it: where there is nothing to pick there is no execution.
 *
 * What instructions, locations and threads of a test are tagged with is a matter of the test: a
 * CAT_TAGGED node is the set of events that a tag is on, by what carries it.
 *
 * What only pictures show comes last, in nodes and in groups, so that engines, which look at the
 * first node_count nodes and rec_group_count groups alone, have no work with it.
 *
 * Ownership: everything lives in the arena given to cat_model_load.
 */
#ifndef CRASHLIT_CAT_IR_H
#define CRASHLIT_CAT_IR_H

#include "base/source.h"
#include "base/table.h"

#include <stdbool.h>
#include <stdint.h>

enum cat_sort { CAT_SET, CAT_REL };

/* Operator table: X(name, arity, printed form, sort of the operands, sort of the value, what
 * messages call it). BOTH: there is one at either sort, and the node's own sort, which is that of
 * the operands, says which. */
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

/* One `with name from ...`. Operands come before the choice's node, and may depend on
 * choices of a smaller index. */
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

/* What carries a tag: X(name, text). The events are those of an instruction; accesses to a
 * location, and its cache maintenance, initial writes included; those of a thread. */
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

/* Kinds that `instructions KIND[...]` declares tags for: X(kind, who carries the tag, the base set
 * that its events are in, what they are called). */
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

/* What a model gives a meaning to. */
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
    const char *warning; /* of a flag that the model did not write: what it means where it is
                            raised, and how to mend it; NULL for all others */
};
/* Is what fails it a cycle? Else it is a pair or an event, or, of a negated check, nothing. */
static inline bool cat_check_is_of_cycle(const struct cat_check *check)
{
    return !check->negated && check->test != CAT_IS_EMPTY;
}

/* `show e as name`: e is drawn in pictures, under the name; a relation as edges, a set at its
 * events. Of several of one name there is the last alone. */
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
    const char *title[2];                 /* model title strings, "" when absent */
    uint64_t digest;                      /* of all files that it was read from */
    bool builtin; /* both files are built in, and so all they include: nothing in it is a user's */
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

/* Does a resolved model keep what stands here? Operands come before users, sorts are as operators
 * want them, and whatever depends on something dynamic says so: else an evaluation would be of
 * relations of another execution. What is not so is our bug, and ends the process with status 70.
 * Cost: one pass over the nodes (cat_contract.c). */
void cat_contract_check(const struct cat_model *model);

#endif
