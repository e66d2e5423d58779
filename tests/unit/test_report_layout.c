/* Pictures of executions: what is drawn, in which rows, and that nothing lies on anything else, for
 * executions of all tests of the corpus. Run from the top of the tree. */
#include "fixture.h"

#include "enumerate/enumerate.h"
#include "report/report_layout.h"
#include "report/report_layout_route.h"
#include "report/report_picture.h"
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

static void expect_whole_and_apart(const struct report_graph *graph,
                                   const struct report_layout *layout)
{
    expect_whole(graph);
    expect_apart(graph, layout);
}

static void look_at(struct fixture *fixture, const struct lit_program *program,
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
}

static bool is_test(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".litmus") == 0;
}

static uint32_t look_at_file(struct fixture *fixture, const char *path)
{
    const char *why;
    const struct source *source = source_load(&fixture->arena, path, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(source);
    const struct lit_surroundings surroundings = {.folder = reach_folder(&fixture->arena, path)};
    const struct lit_program *program =
        lit_parse_in(&fixture->arena, fixture->names, source, &surroundings, &fixture->diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(program);
    look_at(fixture, program, expect_whole_and_apart);
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

static void test_corpus(void)
{
    struct fixture fixture;
    fixture_init(&fixture, small, "hrf-direct", "epoch");
    CU_ASSERT(look_at_folder(&fixture, "litmus", 0) > 300);
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
        const char *why, *path = arena_printf(&fixture.arena, "litmus/%s.litmus", names[i]);
        const struct source *source = source_load(&fixture.arena, path, &why);
        CU_ASSERT_PTR_NOT_NULL_FATAL(source);
        const struct lit_program *program =
            lit_parse(&fixture.arena, fixture.names, source, &fixture.diag);
        CU_ASSERT_PTR_NOT_NULL_FATAL(program);
        explain_all(&fixture, program, &look);
        CU_ASSERT(look.seen > 0);
    }
    fixture_fini(&fixture);
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
    look_at(&fixture, fixture.program, expect_reduced);
    fixture_fini(&fixture);
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
    look_at(&fixture, fixture.program, expect_level);
    fixture_fini(&fixture);
}

void suite_report_layout(void)
{
    CU_pSuite suite = CU_add_suite("report_layout", NULL, NULL);
    UNIT_TEST(suite, test_corpus);
    UNIT_TEST(suite, test_corpus_shown);
    UNIT_TEST(suite, test_near_misses);
    UNIT_TEST(suite, test_reduced);
    UNIT_TEST(suite, test_level);
}
