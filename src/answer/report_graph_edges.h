/* report_graph_edges: the edges of a drawn execution. Private to report_graph. */
#ifndef CRASHLIT_REPORT_GRAPH_EDGES_H
#define CRASHLIT_REPORT_GRAPH_EDGES_H

#include "base/vec.h"
#include "exec/exec_basis.h"
#include "answer/report_graph.h"

struct maker {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    struct rel_dim dim;
    struct arena scratch;
    struct cat_eval *eval;
    struct report_graph *graph;
    struct report_event *events;   /* in the skeleton's numbering */
    uint32_t *number;              /* of each of these in the graph */
    VEC(struct report_edge) edges; /* in the skeleton's numbering */
    VEC(struct report_edge) stuck; /* to where threads are stuck, in the graph's */
    VEC(struct report_pair) pairs; /* in the skeleton's */
    VEC(struct report_break) breaks;
    bool po_hidden;     /* its edges are there, unseen */
    const char *broken; /* the first check that fails, NULL when none does */
};

/* Sets edges, meetings and marks. Needs the events. */
void report_graph_make_edges(struct maker *maker);

/* Of a relation the model reserves its value. */
const rel_word *report_graph_reserved(const struct maker *maker, enum cat_reserved name);
/* A relation's pairs of writes to non-volatile memory, from event `first` on; in scratch. */
rel_word *report_graph_among_nvm(struct maker *maker, const rel_word *relation, uint32_t first);
/* durable-after, as far as it counts; in scratch. */
const rel_word *report_graph_after(struct maker *maker);
/* Adds a pair as data. The name is the model's, or lives as long as scratch. */
void report_graph_add_pair(struct maker *maker, const char *relation, uint32_t from, uint32_t to);
/* Adds a step of a broken check or rule, as data. */
void report_graph_add_break(struct maker *maker, const char *rule, const char *relation,
                            uint32_t from, uint32_t to);
/* Adds an edge of a broken check or rule. */
void report_graph_add_mark(struct maker *maker, uint32_t from, uint32_t to, const char *label,
                           bool both_ways);

/* report_graph_shown.c: the relations that the model names by `show`. */
void report_graph_add_shown(struct maker *maker);
/* Is a relation that pictures have anyway hidden by `unshow`, or another shown under its name?
 * `node` is the relation itself, CAT_NONE when the model does not mention it. */
bool report_graph_hides(const struct maker *maker, const char *name, cat_node_id node);
/* The node of a base relation, CAT_NONE when the model does not mention it. */
cat_node_id report_graph_base(const struct maker *maker, enum exec_base base);

/* report_graph_broken.c: marks the steps that break checks of the model. */
void report_graph_mark_checks(struct maker *maker);

/* report_graph_cut.c: marks the rules that the crash cut breaks; nothing for a cut that the model
 * allows. Needs the edges and the evaluated model. */
void report_graph_mark_cut(struct maker *maker);

/* report_graph_hub.c: joins edges through barriers. Needs all edges and marks. */
void report_graph_lead_through_barriers(struct maker *maker);

/* The text of an event's statement in the program: its first line; "" when it has none. */
const char *report_graph_source(struct arena *arena, const struct lit_instr *instr);

#endif
