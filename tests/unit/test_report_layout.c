/* Pictures of executions: what is drawn, in which rows, and that nothing lies on anything else, for
 * executions of all tests of the corpus. Run from the top of the tree. */
#include "fixture.h"

#include "enumerate/enumerate.h"
#include "picture/report_layout.h"
#include "picture/report_layout_route.h"
#include "picture/report_picture.h"
#include "smt/smt_explain.h"
#include "engine/near_miss.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

enum { POINTS = 40, SHOWN = 4 };

struct look {
    struct engine_request *request;
    void (*at)(const struct report_graph *graph, const struct report_layout *layout);
    uint32_t seen;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct look *look = context;
    struct arena arena;
    if (look->seen++ >= SHOWN)
        return;
    struct report_graph *graph = report_graph_new(look->request, witness, "");
    if (!graph)
        return;
    arena_init(&arena);
    look->at(graph, report_layout_new(&arena, graph, &report_metrics_screen));
    arena_fini(&arena);
    report_graph_free(graph);
}

static bool apart(const struct report_box *a, const struct report_box *b)
{
    return a->x + a->width < b->x || b->x + b->width < a->x || a->y + a->height < b->y ||
           b->y + b->height < a->y;
}

static bool within(const struct report_box *box, struct report_point p)
{
    return p.x > box->x && p.x < box->x + box->width && p.y > box->y && p.y < box->y + box->height;
}

/* Edges touch no box but their own, and stay on the paper. */
static void expect_clear(const struct report_graph *graph, const struct report_layout *layout,
                         uint32_t edge)
{
    for (int k = 0; k <= POINTS; k++) {
        struct report_point p = report_route_point(&layout->routes[edge], k, POINTS);
        CU_ASSERT(p.x >= 0 && p.x <= layout->width && p.y >= 0 && p.y <= layout->height);
        for (uint32_t e = 0; e < graph->event_count; e++)
            CU_ASSERT(!within(&layout->events[e], p));
    }
}

/* Its label stands on the paper, on no box. */
static void expect_label(const struct report_graph *graph, const struct report_layout *layout,
                         uint32_t edge)
{
    const char *label = report_edge_text(&graph->edges[edge]);
    int width = report_text_width(label, report_metrics_screen.label_font);
    struct report_point at = layout->routes[edge].label;
    struct report_box box = {at.x - width / 2, at.y - 9, width, 11};
    if (!*label)
        return;
    CU_ASSERT(box.x >= 0 && box.x + box.width <= layout->width);
    for (uint32_t e = 0; e < graph->event_count; e++)
        CU_ASSERT(apart(&layout->events[e], &box));
}

/* Labels that stand on an edge which is not theirs. */
static uint32_t count_crossed(const struct report_graph *graph, const struct report_layout *layout)
{
    uint32_t crossed = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const char *label = report_edge_text(&graph->edges[i]);
        int font = report_metrics_screen.label_font;
        struct report_point at = layout->routes[i].label;
        const struct report_box box =
            report_label_box(label, font, (struct report_point){at.x, at.y - font * 4 / 11});
        bool free = true;
        for (uint32_t k = 0; *label && k < graph->edge_count; k++)
            free &= k == i || !report_route_meets(&layout->routes[k], &box);
        crossed += !free;
    }
    return crossed;
}

/* A cut that the model allows breaks none of its rules. */
static void expect_whole(const struct report_graph *graph)
{
    static const char *const rules[] = {"persist-before", "durable-before", "executes-before",
                                        "persist-atomic", "coherence"};
    for (uint32_t i = 0; graph->crash && i < graph->edge_count; i++)
        for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
            CU_ASSERT(graph->edges[i].kind != REPORT_EDGE_MARK ||
                      strcmp(graph->edges[i].label, rules[k]) != 0);
}

static void expect_apart(const struct report_graph *graph, const struct report_layout *layout)
{
    for (uint32_t a = 0; a < graph->event_count; a++)
        for (uint32_t b = a + 1; b < graph->event_count; b++)
            CU_ASSERT(apart(&layout->events[a], &layout->events[b]));
    for (uint32_t i = 0; i < graph->edge_count; i++)
        expect_clear(graph, layout, i);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        expect_label(graph, layout, i);
    for (uint32_t e = 0; graph->crash && e < graph->event_count; e++)
        CU_ASSERT(graph->events[e].fate == REPORT_AHEAD
                      ? layout->events[e].y > layout->cut
                      : layout->events[e].y + layout->events[e].height < layout->cut);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct report_edge *edge = &graph->edges[i];
        uint32_t from = layout->rows[edge->from], to = layout->rows[edge->to];
        if (edge->kind == REPORT_EDGE_PO)
            CU_ASSERT(from < to);
        if (edge->kind == REPORT_EDGE_MEET)
            CU_ASSERT(from == to);
    }
}

/* Of labels on all pictures of a walk. */
static struct {
    uint32_t pictures, labels, crossed, on_labels, on_boxes;
} placed;

static struct report_box label_of(const struct report_graph *graph,
                                  const struct report_layout *layout, uint32_t edge)
{
    int font = report_metrics_screen.label_font;
    struct report_point at = layout->routes[edge].label;
    return report_label_box(report_edge_text(&graph->edges[edge]), font,
                            (struct report_point){at.x, at.y - font * 4 / 11});
}

static void count_label(const struct report_graph *graph, const struct report_layout *layout,
                        uint32_t edge)
{
    const struct report_box box = label_of(graph, layout, edge);
    bool crossed = false, on_label = false, on_box = false;
    for (uint32_t k = 0; k < graph->edge_count; k++) {
        const struct report_box other = label_of(graph, layout, k);
        crossed |=
            k != edge && !graph->edges[k].unseen && report_route_meets(&layout->routes[k], &box);
        on_label |= k != edge && *report_edge_text(&graph->edges[k]) && !apart(&box, &other);
    }
    for (uint32_t e = 0; e < graph->event_count; e++)
        on_box |= !apart(&box, &layout->events[e]);
    placed.labels++;
    placed.crossed += crossed;
    placed.on_labels += on_label;
    placed.on_boxes += on_box;
}

static void count_labels(const struct report_graph *graph, const struct report_layout *layout)
{
    placed.pictures++;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (*report_edge_text(&graph->edges[i]))
            count_label(graph, layout, i);
}

static void expect_whole_and_apart(const struct report_graph *graph,
                                   const struct report_layout *layout)
{
    expect_whole(graph);
    expect_apart(graph, layout);
    count_labels(graph, layout);
}

/* Returns how many executions were looked at. */
static uint32_t look_at(struct fixture *fixture, const struct lit_program *program,
                        void (*at)(const struct report_graph *, const struct report_layout *))
{
    struct outcome outcome;
    struct engine_request request = {.program = program,
                                     .model = fixture->model,
                                     .plan = fixture->plan,
                                     .crash_mode = engine_default_crash_mode(program),
                                     .limits = {.unroll = 1, .clock = clock_limit_in(5)},
                                     .decide = true,
                                     .conditions_alone = true,
                                     .on_witness = on_witness};
    struct look look = {&request, at, 0};
    request.context = &look;
    outcome_init(&outcome, program);
    enum_run_alone(&request, &outcome);
    outcome_fini(&outcome);
    return look.seen;
}

static bool is_test(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".litmus") == 0;
}

static const struct lit_program *read_test(struct fixture *fixture, const char *path)
{
    const char *why;
    const struct source *source = source_load(&fixture->arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    const struct lit_surroundings surroundings = {.folder = reach_folder(&fixture->arena, path)};
    const struct lit_program *program =
        lit_parse_in(&fixture->arena, fixture->names, source, &surroundings, &fixture->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program);
    return program;
}

static const struct lit_program *test_of_litmus(struct fixture *fixture, const char *name)
{
    return read_test(fixture, arena_printf(&fixture->arena, "litmus/%s.litmus", name));
}

static uint32_t look_at_file(struct fixture *fixture, const char *path)
{
    (void)look_at(fixture, read_test(fixture, path), expect_whole_and_apart);
    return 1;
}

static uint32_t look_at_folder(struct fixture *fixture, const char *folder, int depth)
{
    uint32_t count = 0;
    DIR *directory = depth < 3 ? opendir(folder) : NULL;
    for (struct dirent *at; directory && (at = readdir(directory));) {
        const char *path = arena_printf(&fixture->arena, "%s/%s", folder, at->d_name);
        struct stat status;
        if (at->d_name[0] == '.' || stat(path, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode))
            count += look_at_folder(fixture, path, depth + 1);
        else if (is_test(path))
            count += look_at_file(fixture, path);
    }
    if (directory)
        closedir(directory);
    return count;
}

static const char small[] = "OPENCL small\n{ nvm x = 0; }\n"
                            "P0@wg 0 (global int* x) { *x = 1; }\ncrash exists (x = 1)\n";

/* No label stands on a box or on another label, and one in fifty at most on an edge that is not its
 * own: what is between all ways of a dense picture. */
static void test_corpus(void)
{
    struct fixture fixture;
    fixture_init(&fixture, small, "hrf-direct", "epoch");
    memset(&placed, 0, sizeof placed);
    CU_ASSERT(look_at_folder(&fixture, "litmus", 0) > 300);
    CU_ASSERT(placed.pictures > 700 && placed.labels > 3000);
    CU_ASSERT_EQUAL(placed.on_boxes, 0);
    CU_ASSERT_EQUAL(placed.on_labels, 0);
    CU_ASSERT(50 * placed.crossed < placed.labels);
    fixture_fini(&fixture);
}

/* Many more edges, of all ways there are, and longer labels. */
static void test_corpus_shown(void)
{
    const char *text = "include \"hrf-indirect.cat\"\n"
                       "show hb, com, po, loc & ext as one-location, W & NVM as persistent\n"
                       "unshow fr";
    struct fixture fixture;
    fixture_init(&fixture, small, "hrf-direct", "epoch");
    fixture_use_model(&fixture, text, "include \"epoch.cat\"");
    CU_ASSERT(look_at_folder(&fixture, "litmus", 0) > 300);
    fixture_fini(&fixture);
}

/* ---- Near misses ---- */

static void on_near_miss(void *context, const struct near_miss *miss)
{
    on_witness(context, miss->witness);
}

static void explain_all(struct fixture *fixture, const struct lit_program *program,
                        struct look *look)
{
    struct engine_request request = {.program = program,
                                     .model = fixture->model,
                                     .plan = fixture->plan,
                                     .crash_mode = engine_default_crash_mode(program),
                                     .limits = {.unroll = 1},
                                     .on_near_miss = on_near_miss,
                                     .context = look};
    look->request = &request;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        struct explanation explanation;
        explanation_init(&explanation);
        smt_explain(&request, &program->conditions[i], &explanation);
        explanation_fini(&explanation);
    }
    look->request = NULL;
}

/* Executions that no model allows, with cycles and cuts that are not closed. Each of these tests
 * has a condition whose state SC and epoch persistency keep out of reach. */
static void test_near_misses(void)
{
    static const char *const names[] = {
        "c11/sb-rlx",        "c11/iriw-ra",         "c11/2+2w-sc",           "c11/lb-rlx",
        "spb/kv-insert",     "spb/fig4-collective", "spb/persist-2+2w",      "spb/def3",
        "spb/btree-alg2-kr", "spb/hash-table",      "spb/persist-through-fr"};
    struct fixture fixture;
    fixture_init(&fixture, small, "sc", "epoch");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct look look = {.at = expect_apart};
        const struct lit_program *program = test_of_litmus(&fixture, names[i]);
        explain_all(&fixture, program, &look);
        CU_ASSERT(look.seen > 0);
    }
    fixture_fini(&fixture);
}

/* ---- Labels ---- */

static void expect_free_labels(const struct report_graph *graph, const struct report_layout *layout)
{
    CU_ASSERT_EQUAL(count_crossed(graph, layout), 0);
}

/* The tests that README.md and docs/using/explain.md draw: each label leaves the edges alone that
 * are not its own. */
static void test_free_labels(void)
{
    static const char *const names[] = {
        "spb/kv-insert-bare", "spb/fig4",          "spb/kv-insert", "spb/btree-alg1-wi",
        "spb/btree-alg1-wg",  "spb/btree-alg1-kr", "c11/sb-rlx",    "spb/fig4-collective"};
    struct fixture fixture;
    fixture_init(&fixture, small, "hrf-direct", "epoch");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct look look = {.at = expect_free_labels};
        const struct lit_program *program = test_of_litmus(&fixture, names[i]);
        uint32_t seen = look_at(&fixture, program, expect_free_labels);
        explain_all(&fixture, program, &look);
        CU_ASSERT(seen + look.seen > 0);
    }
    fixture_fini(&fixture);
}

/* A line through the box's corner, with no end in it, meets it; one beside it does not. */
static void test_route_meets(void)
{
    struct report_route route = {.points = {{0, 0}, {0, 0}, {100, 100}, {100, 100}}, .count = 4};
    CU_ASSERT(report_route_meets(&route, &(struct report_box){40, 30, 5, 12}));
    CU_ASSERT(!report_route_meets(&route, &(struct report_box){40, 20, 5, 12}));
    CU_ASSERT(!report_route_meets(&route, &(struct report_box){120, 100, 5, 12}));
}

static uint32_t count_edges(const struct report_graph *graph, enum report_edge_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        count += graph->edges[i].kind == kind;
    return count;
}

/* Three stores to x of one thread: co has them in program order, 3 pairs among them, 2 of which do
 * not follow from others; a read of the first before the others is from-read before the second
 * alone. Four events of one thread are joined by 3 edges; the initial write of a non-volatile x is
 * drawn. All of them are in rows 1 to 4 below it. */
static void expect_reduced(const struct report_graph *graph, const struct report_layout *layout)
{
    CU_ASSERT_EQUAL_FATAL(graph->event_count, 5);
    CU_ASSERT_EQUAL(graph->init_count, 1);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_PO), 3);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_CO), 2);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_FR), 1);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_RF), 1);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 0);
    for (uint32_t e = 0; e < 5; e++)
        CU_ASSERT_EQUAL(layout->rows[e], e);
    CU_ASSERT_STRING_EQUAL(graph->events[0].label, "W x=0");
    CU_ASSERT_STRING_EQUAL(graph->events[1].label, "W x=1 NA");
    CU_ASSERT_STRING_EQUAL(graph->events[2].label, "R x=1 NA");
    CU_ASSERT_STRING_EQUAL(graph->state, "final state x=3");
}

static void test_reduced(void)
{
    struct fixture fixture;
    fixture_init(&fixture,
                 "OPENCL one\n{ nvm x = 0; }\n"
                 "P0@wg 0 (global int* x) { *x = 1; int r = *x; *x = 2; *x = 3; }\n"
                 "exists (x = 3)\n",
                 "sc", "none");
    CU_ASSERT(look_at(&fixture, fixture.program, expect_reduced) > 0);
    fixture_fini(&fixture);
}

/* ---- Barriers as hubs ---- */

static uint32_t count_hubs(const struct report_graph *graph, enum report_edge_kind kind, bool to)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        count += graph->edges[i].kind == kind &&
                 (to ? graph->edges[i].hub_to : graph->edges[i].hub_from);
    return count;
}

static void look_at_text(const char *text, const char *persistency,
                         void (*at)(const struct report_graph *, const struct report_layout *))
{
    struct fixture fixture;
    fixture_init(&fixture, text, "hrf-direct", persistency);
    CU_ASSERT(look_at(&fixture, fixture.program, at) > 0);
    fixture_fini(&fixture);
}

/* Under epoch each of the six writes before the kernel's barrier is durable before each of its six
 * members: 36 pairs, 6 edges to hubs. Each is durable before each of the six writes behind the
 * barrier: 36 pairs, 6 edges to the hub and 6 from it. */
static void expect_hubs(const struct report_graph *graph, const struct report_layout *layout)
{
    (void)layout;
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_DURABLE), 6);
    CU_ASSERT_EQUAL(count_hubs(graph, REPORT_EDGE_DURABLE, true), 6);
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_PERSIST), 12);
    CU_ASSERT_EQUAL(count_hubs(graph, REPORT_EDGE_PERSIST, true), 6);
    CU_ASSERT_EQUAL(count_hubs(graph, REPORT_EDGE_PERSIST, false), 6);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].hub_to || graph->edges[i].hub_from)
            CU_ASSERT_EQUAL(graph->events[graph->edges[i].from].column,
                            graph->events[graph->edges[i].to].column);
}

static void test_hubs(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "OPENCL six\n{ nvm a0; nvm a1; nvm a2; nvm a3; nvm a4; nvm a5;\n"
                      "nvm b0; nvm b1; nvm b2; nvm b3; nvm b4; nvm b5; }\n");
    for (int i = 0; i < 6; i++)
        strbuf_printf(&text,
                      "P%d@wg %d (global int* a%d, global int* b%d) "
                      "{ *a%d = 1; p_barrier_kr; *b%d = 1; }\n",
                      i, i, i, i, i, i);
    strbuf_add(&text, "exists (a0 = 1)\n");
    look_at_text(strbuf_text(&text), "epoch", expect_hubs);
    strbuf_fini(&text);
}

/* Where one work-item executes the barrier for its work-group nobody meets: each write before it
 * has an edge to the barrier of its own column, and no end is a hub. */
static void expect_no_hubs(const struct report_graph *graph, const struct report_layout *layout)
{
    (void)layout;
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MEET), 0);
    CU_ASSERT(count_edges(graph, REPORT_EDGE_DURABLE) > 0);
    CU_ASSERT_EQUAL(count_hubs(graph, REPORT_EDGE_DURABLE, true), 0);
    CU_ASSERT_EQUAL(count_hubs(graph, REPORT_EDGE_PERSIST, true), 0);
}

static void test_hub_needs_all(void)
{
    look_at_text("OPENCL two\n{ nvm a; nvm b; nvm c; nvm d; }\n"
                 "P0@wg 0 (global int* a, global int* b) { *a = 1; p_barrier_wi; *b = 1; }\n"
                 "P1@wg 0 (global int* c, global int* d) { *c = 1; p_barrier_wi; *d = 1; }\n"
                 "exists (a = 1)\n",
                 "epoch", expect_no_hubs);
}

/* ---- Who waits ---- */

static void expect_waits(const struct report_graph *graph, const struct report_layout *layout)
{
    (void)layout;
    CU_ASSERT_EQUAL_FATAL(count_edges(graph, REPORT_EDGE_WAIT), 2);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        if (graph->edges[i].kind != REPORT_EDGE_WAIT)
            continue;
        CU_ASSERT_STRING_EQUAL(graph->events[graph->edges[i].from].label, "waits in PB WG, line 4");
        CU_ASSERT_STRING_EQUAL(graph->events[graph->edges[i].to].label, "ends without it");
    }
}

/* P0 comes to the work-group's barrier alone: P1 and P2, of its group, end. */
static void test_waits(void)
{
    struct fixture fixture;
    fixture_init(&fixture,
                 "OPENCL late\n{ nvm x; }\nP0@wg 0 (global int* x) {\n*x = 1; p_barrier_wg; }\n"
                 "P1@wg 0 (global int* x) { int r = *x; }\nP2@wg 0 { }\nexists (x = 1)\n",
                 "sc", "epoch");
    struct outcome outcome;
    struct look look = {.at = expect_waits};
    struct engine_request request = {.program = fixture.program,
                                     .model = fixture.model,
                                     .plan = fixture.plan,
                                     .crash_mode = EXEC_CRASH_END,
                                     .limits = {.unroll = 1},
                                     .on_undefined = on_witness,
                                     .context = &look};
    look.request = &request;
    outcome_init(&outcome, fixture.program);
    enum_run_alone(&request, &outcome);
    CU_ASSERT(look.seen > 0);
    outcome_fini(&outcome);
    fixture_fini(&fixture);
}

/* ---- Boxes ---- */

/* 1000000 is 0xf4240; 999999 has six digits; 2^64 - 1 of an unsigned location has sixteen f. */
static void expect_wide(const struct report_graph *graph, const struct report_layout *layout)
{
    (void)layout;
    CU_ASSERT_STRING_EQUAL(graph->state, "final state a=0xf4240; b=999999; c=-0xf4240; "
                                         "d=0xffffffffffffffff");
    CU_ASSERT_STRING_EQUAL(graph->events[graph->init_count].label, "W a=0xf4240 NA");
    CU_ASSERT_STRING_EQUAL(graph->events[graph->init_count].source, "*a = 1000000");
    CU_ASSERT_STRING_EQUAL(graph->events[graph->init_count + 2].label, "W c=-0xf4240 NA");
}

static void test_wide_values(void)
{
    look_at_text("OPENCL wide\n{ a; b; c; ulong d; }\n"
                 "P0 { *a = 1000000; *b = 999999; *c = -1000000; *d = -1; }\n"
                 "exists (a = 1000000 /\\ b >= 0 /\\ c <= 0 /\\ d >= 0)\n",
                 "none", expect_wide);
}

/* y is written by P1 alone, x by P0 first: x above P0 and y above P1. */
static void expect_above(const struct report_graph *graph, const struct report_layout *layout)
{
    CU_ASSERT_EQUAL_FATAL(graph->init_count, 2);
    for (uint32_t e = 0; e < 2; e++) {
        uint32_t wanted = graph->events[e].label[2] == 'x' ? 0 : 1;
        for (uint32_t k = graph->init_count; k < graph->event_count; k++)
            if (graph->events[k].column == wanted)
                CU_ASSERT_EQUAL(layout->events[e].x, layout->events[k].x);
    }
}

static void test_first_writer(void)
{
    look_at_text("OPENCL two\n{ nvm y; nvm x; }\nP0@wg 0 (global int* x) { *x = 1; }\n"
                 "P1@wg 1 (global int* y) { *y = 1; }\nexists (x = 1)\n",
                 "none", expect_above);
}

/* Members of a barrier stand in one row: P0 has two stores before it, so it is in row 2 of
 * both; the read behind it is in row 3. */
static void expect_level(const struct report_graph *graph, const struct report_layout *layout)
{
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MEET), 1);
    for (uint32_t e = graph->init_count; e < graph->event_count; e++) {
        if (strncmp(graph->events[e].label, "B ", 2) == 0)
            CU_ASSERT_EQUAL(layout->rows[e] - layout->rows[graph->init_count], 2);
        if (strncmp(graph->events[e].label, "R ", 2) == 0)
            CU_ASSERT_EQUAL(layout->rows[e] - layout->rows[graph->init_count], 3);
    }
}

static void test_level(void)
{
    struct fixture fixture;
    fixture_init(&fixture,
                 "OPENCL level\n{ x = 0; y = 0; }\n"
                 "P0@wg 0 (global int* x, global int* y) { *x = 1; *y = 1; "
                 "barrier(CLK_GLOBAL_MEM_FENCE); }\n"
                 "P1@wg 0 (global int* x) { barrier(CLK_GLOBAL_MEM_FENCE); int r = *x; }\n"
                 "exists (1:r = 1)\n",
                 "sc", "none");
    CU_ASSERT(look_at(&fixture, fixture.program, expect_level) > 0);
    fixture_fini(&fixture);
}

void suite_report_layout(void)
{
    CU_pSuite suite = CU_add_suite("report_layout", NULL, NULL);
    UNIT_TEST(suite, test_corpus);
    UNIT_HEAVY_TEST(suite, test_corpus_shown);
    UNIT_TEST(suite, test_near_misses);
    UNIT_TEST(suite, test_free_labels);
    UNIT_TEST(suite, test_route_meets);
    UNIT_TEST(suite, test_hubs);
    UNIT_TEST(suite, test_hub_needs_all);
    UNIT_TEST(suite, test_waits);
    UNIT_TEST(suite, test_wide_values);
    UNIT_TEST(suite, test_first_writer);
    UNIT_TEST(suite, test_reduced);
    UNIT_TEST(suite, test_level);
}
