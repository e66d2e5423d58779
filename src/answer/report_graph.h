/* report_graph: the graph of a drawn execution, as plain data. It is made of a witness while that
 * is valid.
 *
 * It has events with labels, threads with scopes, and the edges that readers want to see: po, rf,
 * co, fr, the relations of the persistency contract, and the relations that the model names by
 * `show`. Edges that follow from others are left out: `po` joins neighbours; `co`,
 * `persist-before`, `durable-before`, `durable-after` and shown relations are reduced transitively;
 * `co` from an initial write is omitted, since that comes first anyway; `fr` goes only to the next
 * write. report_picture.h and report_dot.h draw the graph. Records have events, pairs and breaks as
 * data (report_execution.c).
 *
 * Ownership: a graph owns everything in it; names of the program stay the program's.
 * Cost: an evaluation of the model and a few passes over all triples of events.
 */
#ifndef CRASHLIT_REPORT_GRAPH_H
#define CRASHLIT_REPORT_GRAPH_H

#include "base/table.h"
#include "engine/engine.h"
#include "exec/exec_event.h"
#include "report/report.h"

/* The most events of a picture. One with more would be unreadable. */
enum { REPORT_MAX_DRAWN_EVENTS = 128 };

/* When more edges have the same label, they no longer show it. */
enum { REPORT_MAX_LABELLED = 8 };

/* Kinds of edges. In pictures later kinds lie above earlier ones. SHOWN: of a relation that the
 * model names by `show`. WAIT: leads to the place where a thread is stuck. MARK: of a broken check
 * or rule. */
enum report_edge_kind {
    REPORT_EDGE_PO,
    REPORT_EDGE_MEET,
    REPORT_EDGE_SHOWN,
    REPORT_EDGE_DURABLE,
    REPORT_EDGE_AFTER,
    REPORT_EDGE_PERSIST,
    REPORT_EDGE_CO,
    REPORT_EDGE_FR,
    REPORT_EDGE_RF,
    REPORT_EDGE_WAIT,
    REPORT_EDGE_MARK,
    REPORT_EDGE_COUNT
};

/* The fate of an event: X(identifier, class). With a final state every event is executed. Durable
 * and lost are writes to non-volatile memory before a crash. Stuck is no event: it marks the place,
 * last in its column, where a thread stays for ever. */
#define REPORT_FATES(X)     \
    X(EXECUTED, "executed") \
    X(DURABLE, "durable") X(LOST, "lost") X(AHEAD, "unexecuted") X(STUCK, "stuck")

enum report_fate {
#define X(identifier, class_) REPORT_##identifier,
    REPORT_FATES(X)
#undef X
};

struct report_event {
    const char *label;  /* "W key=1 NA", "PB WG" */
    const char *source; /* "*key = 1;", as the program has it; "" for an initial write */
    uint32_t column;    /* of its thread; LIT_NONE for an initial write */
    uint32_t line;      /* 0 for an initial write */
    uint32_t meeting;   /* events of one rendezvous share it; LIT_NONE for all others */
    uint32_t writes;    /* the location; LIT_NONE when it writes none */
    enum report_fate fate;
    bool nvm; /* a write to non-volatile memory */
    bool marked;
    const struct ev *ev; /* whose value is no more; NULL: it is none, or one of recovery */
    const char *access;  /* "W key"; of no event what holds the thread up */
    struct span span;    /* of its statement; line 0: there is none */
    bool has_value;      /* read or written */
    enum lit_type type;
    int64_t value;
};

/* A pair of a relation that pictures show, as data: edges without what is for the eye. */
struct report_pair {
    const char *relation; /* "rf", "rmw", "so-WG" */
    uint32_t from, to;
};

/* A step of what breaks a check or a rule of the crash cut; those of one stand together. */
struct report_break {
    const char *rule;     /* "race", "persist-before" */
    const char *relation; /* that the step is of; "" of a pair or event of the rule itself */
    uint32_t from, to;
};

struct report_edge {
    enum report_edge_kind kind;
    uint32_t from, to;
    const char *label; /* "rf", "so-WG", "race"; "" without */
    bool both_ways;    /* has no direction */
    bool marked;       /* a step of a cycle that breaks a check; MARK edges are so without it */
    bool unseen;       /* po that is not to be shown: it keeps the events in their places */
    bool keyed;        /* there are many with its label, which stands once, in the legend of svg */
    bool hub_from, hub_to; /* that end stands for all who meet there */
    uint32_t shown;        /* of a SHOWN edge: its first name in those of the graph */
    uint64_t *shows;       /* the same, all of them as a set; while the graph is made */
};

struct report_graph {
    struct arena arena;
    const char *name;      /* "fig4 under hrf-direct + epoch" */
    const char *state;     /* "final state key=1; val=0"; "" without */
    const char *condition; /* that asks for what a near miss shows; "" of others */
    const char *note;      /* why it is shown: "violates ~exists (...)"; "" without */
    const struct lit_thread *const *columns; /* those of one scope instance are neighbours */
    uint32_t column_count;
    const struct report_event *events; /* initial ones first, then column by column along po */
    uint32_t event_count, init_count;
    const struct report_edge *edges;
    uint32_t edge_count;
    const struct report_pair *pairs; /* relation by relation */
    uint32_t pair_count;
    const char *const *shown; /* names of what the model shows, in its order */
    const struct report_break *breaks;
    uint32_t break_count;
    bool crash;     /* there is a cut */
    bool forbidden; /* the model excludes it: a near miss */
};

/* Makes the graph. NULL when there are more than REPORT_MAX_DRAWN_EVENTS events. `note` is copied.
 */
struct report_graph *report_graph_new(const struct engine_request *request,
                                      const struct engine_witness *witness, const char *note);
/* The graph of a run of recovery in a chain (report_graph_recovery.c). Values that the run reads
 * from the state after the crash stand on top. Only program, model and outcome of `test` are used.
 * NULL when it is too large. */
struct report_graph *report_graph_of_link(const struct report_test *test,
                                          const struct outcome_chain *chain, uint32_t link,
                                          const char *note);
void report_graph_free(struct report_graph *graph);

/* Is this edge the first of those that share a label in the legend? */
bool report_edge_leads(const struct report_graph *graph, uint32_t edge);
/* The label at the edge itself. */
const char *report_edge_text(const struct report_edge *edge);
const char *report_fate_class(enum report_fate fate);

#endif
