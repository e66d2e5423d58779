/* report_graph_edges: the edges of a drawn execution. A part of report_graph, for it alone.
 */
#ifndef CRASHLIT_REPORT_GRAPH_EDGES_H
#define CRASHLIT_REPORT_GRAPH_EDGES_H

#include "base/vec.h"
#include "report/report_graph.h"

struct maker {
    const struct engine_request *request;
    const struct engine_witness *witness;
    const struct exec_skeleton *skeleton;
    struct rel_dim dim;
    struct arena scratch;
    struct cat_eval *eval;
    struct report_graph *graph;
    struct report_event *events; /* in the skeleton's numbering */
    uint32_t *number;            /* of each of these in the graph */
    const struct lit_thread **order;
    VEC(struct report_edge) edges; /* in the skeleton's numbering */
    VEC(struct report_edge) stuck; /* to where threads are stuck, in the graph's */
};

/* Needs the events; sets edges, meetings and what is marked. */
void report_graph_make_edges(struct maker *maker);

#endif
