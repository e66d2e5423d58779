/* cat_resolve_graph: builds the shared DAG of cat_ir.h by hash-consing.
 *
 * One node for each distinct expression. Operands of commutative operators are ordered, and a few
 * laws that keep the sort are applied (r|r, r|0, r&0, r\r, 0;r, ~~r, (r+)+ ...).
 *
 * `let rec` groups are opened before their bodies are built and closed after. A group that refers
 * to variables of an enclosing open group becomes part of that one: the nested least fixpoint
 * equals the simultaneous one, all being monotone. The remaining groups never nest. cat_graph_pack
 * lays out each as its variables, the nodes that depend on them, its CAT_FIX nodes.
 *
 * Ownership: the graph owns its nodes until cat_graph_fini; packing copies what is live into the
 * caller's arena. Cost: a node is expected constant time; packing is linear. */
#ifndef CRASHLIT_CAT_RESOLVE_GRAPH_H
#define CRASHLIT_CAT_RESOLVE_GRAPH_H

#include "base/vec.h"
#include "cat/cat_ir.h"

#define CAT_NO_GROUP ((uint32_t)0xffffffffu)

/* The resolver refuses a model with more nodes. */
enum { CAT_MAX_NODES = 20000 };

struct cat_entry; /* hash table entry of a node */

/* A `let rec` while it is built, with the group it became part of, or itself. */
struct cat_group {
    uint32_t parent;
    uint32_t first; /* its first member; members taken over come later */
    bool inflates;  /* cat_graph_inflates */
};

/* A member of a `let rec`. */
struct cat_member {
    uint32_t group;
    cat_node_id var, body, fix;
    const char *name;
};

struct cat_graph {
    const struct cat_basis *basis;
    struct arena arena; /* hash table entries */
    struct cat_entry *table;
    VEC(struct cat_node) nodes;
    VEC(uint32_t) dependence; /* per node: open group it depends on, CAT_NO_GROUP */
    VEC(struct cat_member) members;
    VEC(struct cat_group) groups;
    VEC(struct cat_choice) choices;
    VEC(struct cat_tagged) tagged;
};

void cat_graph_init(struct cat_graph *graph, const struct cat_basis *basis);
void cat_graph_fini(struct cat_graph *graph);

cat_node_id cat_graph_base(struct cat_graph *graph, uint32_t base);
/* Keeps the tag by pointer, and compares it by pointer. */
cat_node_id cat_graph_tagged(struct cat_graph *graph, const char *tag, enum cat_bearer bearer);
/* A node of `op`, or an equal one. The caller checks the operands' sorts. `sort` is the
 * result's. */
cat_node_id cat_graph_node(struct cat_graph *graph, enum cat_op op, enum cat_sort sort,
                           cat_node_id a, cat_node_id b, struct span span);
/* The node of a choice; alternatives are kept by pointer. */
cat_node_id cat_graph_choice(struct cat_graph *graph, struct cat_choice choice);
/* Names the node unless it has a name or is a base. */
void cat_graph_name(struct cat_graph *graph, cat_node_id node, const char *name);

/* Opens a group; members are added one by one, each yielding its variable. */
uint32_t cat_graph_open(struct cat_graph *graph);
cat_node_id cat_graph_member(struct cat_graph *graph, uint32_t group, enum cat_sort sort,
                             const char *name, struct span span);
/* Closes the latest open group of `count` members, given their bodies; writes to `values` the nodes
 * that stand for the members from now on. Returns a node in which a member occurs under a
 * complement or on the right of a difference; CAT_NONE: all is monotone. */
cat_node_id cat_graph_close(struct cat_graph *graph, uint32_t group, uint32_t count,
                            const cat_node_id *bodies, cat_node_id *values);

/* May the closed group be iterated from nothing, though it is not monotone? Each variable in a body
 * must be of a member that adds to itself, which bounds the rounds. There must be no closure over
 * members, and nothing may depend on rf, co or a choice. Marks the group and returns NULL, or says
 * why not. */
const char *cat_graph_inflates(struct cat_graph *graph, uint32_t group);

/* The group that `group` has become part of; CAT_NO_GROUP: itself. */
uint32_t cat_graph_find_group(const struct cat_graph *graph, uint32_t group);
/* The open group whose variables the node depends on, CAT_NO_GROUP when none. */
uint32_t cat_graph_dependence(const struct cat_graph *graph, cat_node_id node);

/* The nodes that engines need, and those that only pictures need. Renumbered in place. */
struct cat_roots {
    cat_node_id **engine;
    size_t engine_count;
    cat_node_id **picture;
    size_t picture_count;
};

/* Copies the nodes that the roots and the choices need into `arena`, nodes for pictures last, and
 * fills the model's nodes, groups, choices and their counts. */
void cat_graph_pack(struct cat_graph *graph, struct arena *arena, struct cat_model *model,
                    const struct cat_roots *roots);

#endif
