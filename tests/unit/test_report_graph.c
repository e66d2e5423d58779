/* What is drawn of an execution: the edges that a model shows, and what breaks its checks. Each
 * expectation is derived from the execution in the comment above it. */
#include "fixture.h"

#include "enumerate/enumerate.h"
#include "picture/report_layout.h"

#include <string.h>

struct look {
    struct engine_request request;
    const struct lit_condition *condition;
    struct report_graph *graph; /* of the first execution that satisfies it */
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct look *look = context;
    const struct outcome_states states = {.items = witness->items, .width = witness->width};
    if (!look->graph && !witness->cut &&
        outcome_satisfies(&states, witness->row, look->request.program, look->condition->prop))
        look->graph = report_graph_new(&look->request, witness, "");
}

static void on_undefined(void *context, const struct engine_witness *witness)
{
    struct look *look = context;
    look->graph = report_graph_new(&look->request, witness, "undefined");
}

/* The graph of the execution that the test's first condition is about, or of its first undefined
 * one, under the model. */
static struct report_graph *draw(struct fixture *fixture, const char *test, const char *model,
                                 bool undefined)
{
    fixture_init(fixture, test, "sc", "none");
    fixture_use_model(fixture, model, "include \"none.cat\"");
    struct look look = {.condition = &fixture->program->conditions[0]};
    look.request = (struct engine_request){.program = fixture->program,
                                           .model = fixture->model,
                                           .plan = fixture->plan,
                                           .crash_mode = EXEC_CRASH_END,
                                           .limits = {.unroll = 2},
                                           .on_witness = undefined ? NULL : on_witness,
                                           .on_undefined = undefined ? on_undefined : NULL,
                                           .context = &look};
    struct outcome outcome;
    outcome_init(&outcome, fixture->program);
    enum_run(&look.request, &outcome);
    outcome_fini(&outcome);
    CU_ASSERT_PTR_NOT_NULL_FATAL(look.graph);
    return look.graph;
}

static void drop(struct fixture *fixture, struct report_graph *graph)
{
    report_graph_free(graph);
    fixture_fini(fixture);
}

static uint32_t count(const struct report_graph *graph, enum report_edge_kind kind, bool marked)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        sum += graph->edges[i].kind == kind && (!marked || graph->edges[i].marked);
    return sum;
}

static uint32_t count_marked_events(const struct report_graph *graph)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < graph->event_count; e++)
        sum += graph->events[e].marked;
    return sum;
}

/* Pairs of a relation as records have it, of which so many begin and end at one event. */
static uint32_t count_pairs(const struct report_graph *graph, const char *relation, uint32_t *loops)
{
    uint32_t sum = 0;
    *loops = 0;
    for (uint32_t i = 0; i < graph->pair_count; i++)
        if (strcmp(graph->pairs[i].relation, relation) == 0) {
            sum++;
            *loops += graph->pairs[i].from == graph->pairs[i].to;
        }
    return sum;
}

/* Is there an edge of a shown relation between events of these labels? */
static bool shows(const struct report_graph *graph, const char *from, const char *name,
                  const char *to)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct report_edge *edge = &graph->edges[i];
        if (edge->kind == REPORT_EDGE_SHOWN && strcmp(edge->label, name) == 0 &&
            strcmp(graph->events[edge->from].label, from) == 0 &&
            strcmp(graph->events[edge->to].label, to) == 0)
            return true;
    }
    return false;
}

/* ---- What a model shows ---- */

static const char mp[] = "OPENCL mp\n{ x = 0; atomic_int F = 0; }\n"
                         "P0@wg 0 (global int* x, global atomic_int* F) {\n"
                         "  *x = 1; F.store(1, mo_rel, dev_scope); }\n"
                         "P1@wg 1 (global int* x, global atomic_int* F) {\n"
                         "  int r = F.load(mo_acq, dev_scope); int s = *x; }\n"
                         "exists (1:r = 1 /\\ 1:s = 1)\n";

/* W x po W F so-DV R F po R x; hb is all six pairs of these four events in a row, three of which do
 * not follow from others. W F to R F is in so-DV as well: one edge with both names, and a pair of
 * either relation. */
static void test_reduced(void)
{
    struct fixture fixture;
    uint32_t loops;
    struct report_graph *graph = draw(&fixture, mp, "include \"hrf-indirect.cat\" show hb", false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 3);
    CU_ASSERT(shows(graph, "W x=1 NA", "hb", "W F=1 REL DV"));
    CU_ASSERT(shows(graph, "W F=1 REL DV", "so-DV, hb", "R F=1 ACQ DV"));
    CU_ASSERT(shows(graph, "R F=1 ACQ DV", "hb", "R x=1 NA"));
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 0);
    CU_ASSERT_EQUAL(count_marked_events(graph), 0);
    CU_ASSERT_EQUAL(count_pairs(graph, "hb", &loops), 3);
    CU_ASSERT_EQUAL(count_pairs(graph, "so-DV", &loops), 1);
    CU_ASSERT_EQUAL(count_pairs(graph, "rf", &loops), 2);
    CU_ASSERT_EQUAL(graph->break_count, 0);
    drop(&fixture, graph);
}

/* Three work-items store, meet and read. hb relates each store to all three arrivals and each
 * arrival to all reads and to the other arrivals: within the meeting nothing is drawn, and of what
 * is before or after all of it the pair in the same column: 3 + 3 edges. */
static void test_meeting(void)
{
    struct fixture fixture;
    struct report_graph *graph = draw(&fixture,
                                      "OPENCL three\n{ x = 0; y = 0; z = 0; }\n"
                                      "P0@wg 0 (global int* x, global int* y) { *x = 1; "
                                      "barrier(CLK_GLOBAL_MEM_FENCE); int r = *y; }\n"
                                      "P1@wg 0 (global int* y, global int* z) { *y = 1; "
                                      "barrier(CLK_GLOBAL_MEM_FENCE); int r = *z; }\n"
                                      "P2@wg 0 (global int* z, global int* x) { *z = 1; "
                                      "barrier(CLK_GLOBAL_MEM_FENCE); int r = *x; }\n"
                                      "exists (0:r = 1 /\\ 1:r = 1 /\\ 2:r = 1)\n",
                                      "include \"hrf-indirect.cat\" show hb", false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 6);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind == REPORT_EDGE_SHOWN)
            CU_ASSERT_EQUAL(graph->events[graph->edges[i].from].column,
                            graph->events[graph->edges[i].to].column);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MEET, false), 2);
    drop(&fixture, graph);
}

/* Reads-from of different work-items alone under the name rf, fr not at all; po keeps the rows. */
static void test_hidden(void)
{
    struct fixture fixture;
    struct arena arena;
    struct report_graph *graph = draw(
        &fixture, mp, "include \"sc.cat\" show (rf & ext \\ IW * _) as rf unshow fr, po", false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_RF, false), 0);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 2);
    CU_ASSERT(shows(graph, "W x=1 NA", "rf", "R x=1 NA"));
    CU_ASSERT(shows(graph, "W F=1 REL DV", "rf", "R F=1 ACQ DV"));
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_FR, false), 0);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_PO, false), 2);
    arena_init(&arena);
    const struct report_layout *layout = report_layout_new(&arena, graph, &report_metrics_screen);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind == REPORT_EDGE_PO) {
            CU_ASSERT(graph->edges[i].unseen);
            CU_ASSERT(layout->rows[graph->edges[i].from] < layout->rows[graph->edges[i].to]);
        }
    arena_fini(&arena);
    drop(&fixture, graph);
}

/* `show rf` is what is drawn anyway: two edges, of the kind that rf has. */
static void test_shown_anyway(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture, mp, "include \"sc.cat\" unshow rf show rf, po, co, fr", false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_RF, false), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 0);
    drop(&fixture, graph);
}

/* A set is a word at its events, and so is a relation of events to themselves. A relation that goes
 * both ways has no arrow: ext is between the two of each work-item, 4 pairs of 2. Of records a is one
 * event with itself, b the accesses of x, and c 8 pairs. */
static void test_set(void)
{
    struct fixture fixture;
    uint32_t loops;
    struct report_graph *graph =
        draw(&fixture, mp,
             "include \"sc.cat\" show W & REL as a, [M & NA] as b, ext & (M \\ IW)*(M \\ IW) as c",
             false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 4);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind == REPORT_EDGE_SHOWN)
            CU_ASSERT(graph->edges[i].both_ways);
    CU_ASSERT(shows(graph, "W x=1 NA [b]", "c", "R F=1 ACQ DV"));
    CU_ASSERT(shows(graph, "W F=1 REL DV [a]", "c", "R x=1 NA [b]"));
    CU_ASSERT(count_pairs(graph, "a", &loops) == 1 && loops == 1);
    CU_ASSERT(count_pairs(graph, "b", &loops) == 2 && loops == 2);
    CU_ASSERT(count_pairs(graph, "c", &loops) == 8 && loops == 0);
    drop(&fixture, graph);
}

/* loc relates each event of a location to all others, both ways: W x and R x, W y and R y. Pairs
 * with initial writes are left out in both directions, as they are not read from alone. */
static void test_both_ways(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture, mp, "include \"sc.cat\" show loc unshow rf, fr, co", false);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 2);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind == REPORT_EDGE_SHOWN)
            CU_ASSERT(graph->edges[i].both_ways);
    CU_ASSERT_EQUAL(graph->init_count, 0); /* nothing has to do with them */
    drop(&fixture, graph);
}

/* One work-item reads, adds, writes: R and W of the addition are joined by name, R and R are not.
 */
static void test_rmw(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture,
             "OPENCL add\n{ atomic_int x = 0; }\nP0@wg 0 (global atomic_int* x) {\n"
             "  int r = x.load(mo_rlx, dev_scope); int s = x.fetch_add(1, mo_rlx, dev_scope); }\n"
             "exists (x = 1)\n",
             "include \"sc.cat\"", false);
    CU_ASSERT_EQUAL_FATAL(count(graph, REPORT_EDGE_PO, false), 2);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        if (graph->edges[i].kind == REPORT_EDGE_PO)
            CU_ASSERT_STRING_EQUAL(graph->edges[i].label,
                                   graph->events[graph->edges[i].to].label[0] == 'W' ? "rmw" : "");
    drop(&fixture, graph);
}

/* N stores of one work-item to as many locations before a barrier, one behind it: N pairs. Up to
 * 8 of them have a label each; of more there is one, in the legend. */
static uint32_t count_keyed(uint32_t stores, uint32_t *leading)
{
    struct fixture fixture;
    struct strbuf text = {0};
    strbuf_printf(
        &text, "OPENCL many\n{ nvm a[%u]; nvm b = 0; }\nP0@wg 0 (global int* a, global int* b) {\n",
        stores);
    for (uint32_t i = 0; i < stores; i++)
        strbuf_printf(&text, "  a[%u] = 1;", i);
    strbuf_add(&text, "  p_barrier_wi; *b = 1; }\nexists (b = 1)\n");
    struct report_graph *graph =
        draw(&fixture, strbuf_text(&text),
             "include \"sc.cat\"\nlet before = ([W & NVM]; po; [PB]; po; [W]) show before", false);
    uint32_t keyed = 0;
    *leading = 0;
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), stores);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        keyed += graph->edges[i].keyed;
        *leading += report_edge_leads(graph, i);
        if (graph->edges[i].keyed)
            CU_ASSERT_STRING_EQUAL(report_edge_text(&graph->edges[i]), "");
    }
    strbuf_fini(&text);
    drop(&fixture, graph);
    return keyed;
}

static void test_legend(void)
{
    uint32_t leading;
    CU_ASSERT_EQUAL(count_keyed(8, &leading), 0);
    CU_ASSERT_EQUAL(leading, 0);
    CU_ASSERT_EQUAL(count_keyed(9, &leading), 9);
    CU_ASSERT_EQUAL(leading, 1);
}

/* ---- What breaks a check ---- */

static const char sb[] = "OPENCL sb\n{ x = 0; y = 0; }\n"
                         "P0@wg 0 (global atomic_int* x, global atomic_int* y) {\n"
                         "  x.store(1, mo_rlx, dev_scope); int r = y.load(mo_rlx, dev_scope); }\n"
                         "P1@wg 1 (global atomic_int* x, global atomic_int* y) {\n"
                         "  y.store(1, mo_rlx, dev_scope); int r = x.load(mo_rlx, dev_scope); }\n"
                         "exists (0:r = 0 /\\ 1:r = 0)\n";

/* Each step of the cycle begins where the one before ends, and the last ends where it began. */
static void expect_steps(const struct report_graph *graph, uint32_t wanted)
{
    CU_ASSERT_EQUAL_FATAL(graph->break_count, wanted);
    for (uint32_t i = 0; i < wanted; i++) {
        const struct report_break *step = &graph->breaks[i];
        CU_ASSERT_STRING_EQUAL(step->rule, "cycle");
        CU_ASSERT(strcmp(step->relation, "po") == 0 || strcmp(step->relation, "fr") == 0);
        CU_ASSERT_EQUAL(step->to, graph->breaks[(i + 1) % wanted].from);
    }
}

/* Its one execution with a cycle: W x po R y fr W y po R x fr W x. */
static void expect_sb_cycle(const char *check)
{
    struct fixture fixture;
    struct strbuf model = {0};
    strbuf_printf(&model, "let com = rf | co | fr let hb = (po | com)+ %s", check);
    struct report_graph *graph = draw(&fixture, sb, strbuf_text(&model), true);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_PO, true), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_FR, true), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_RF, true), 0);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_RF, false), 2); /* both from initial writes */
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 0);
    CU_ASSERT_EQUAL(count_marked_events(graph), 4);
    CU_ASSERT_STRING_EQUAL(graph->note, "undefined: cycle");
    expect_steps(graph, 4);
    strbuf_fini(&model);
    drop(&fixture, graph);
}

/* The cycle is the same however the check is written: as a union, a closure, of one event with
 * itself by compositions, by a choice among pairs, and where the relation itself is shown. */
static void test_cycle(void)
{
    expect_sb_cycle("undefined_unless acyclic po | com as cycle");
    expect_sb_cycle("undefined_unless acyclic hb as cycle");
    expect_sb_cycle("undefined_unless irreflexive hb as cycle");
    expect_sb_cycle(
        "undefined_unless irreflexive [W]; po; fr?; ([W]; po; [R] & ext?); fr as cycle");
    expect_sb_cycle("undefined_unless acyclic (int & (po \\ id)) | ((fr | co) & ext) as cycle");
}

static void expect_note(const char *test, const char *model, const char *note)
{
    struct fixture fixture;
    struct report_graph *graph = draw(&fixture, test, model, true);
    CU_ASSERT_STRING_EQUAL(graph->note, note);
    CU_ASSERT_EQUAL(count_marked_events(graph), 0);
    drop(&fixture, graph);
}

/* What is undefined is named though there is nothing to mark: a barrier that P1 never comes to, a
 * division by zero, and a test that fails for want of fences. */
static void test_named(void)
{
    expect_note("OPENCL left\n{ x = 0; }\nP0@wg 0 { sync_barrier_wg; }\n"
                "P1@wg 0 (global int* x) { *x = 1; }\nexists (x = 1)\n",
                "flag empty [F] as no-fence", "undefined: barrier-divergence");
    expect_note("C divided\n{ x = 0; }\nP0 (int* x) { int r = *x; *x = 1 / r; }\n"
                "exists (x = 1)\n",
                "", "undefined: out-of-bounds-or-division-by-zero");
    expect_note(sb, "undefined_unless ~empty [F] as fenced", "undefined: fenced");
}

/* A step that no edge is drawn for gets one: po is hidden. */
static void test_step_without_edge(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture, sb, "undefined_unless acyclic po | fr as cycle unshow po", true);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_FR, true), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_PO, true), 0);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 2);
    drop(&fixture, graph);
}

/* W x po R y, then to W y by a relation of the model's own, po R x and so back. Where that relation
 * is shown, its edges are the steps; where another one is shown between the same events the two
 * steps, which have no name, get edges of their own. */
static void test_unnamed_step(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture, sb,
             "acyclic rf | co | po show (R * (W \\ IW)) & loc & ext as back\n"
             "undefined_unless irreflexive po; ((R * (W \\ IW)) & loc & ext); po; "
             "((R * (W \\ IW)) & loc & ext) as cycle",
             true);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, false), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, true), 2); /* they have the name of the step */
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 0);
    drop(&fixture, graph);
    graph =
        draw(&fixture, sb,
             "acyclic rf | co | po show (M * M) & ext & loc as both\n"
             "undefined_unless irreflexive po; ((R * (W \\ IW)) & loc & ext); po; ((R * W) & loc & "
             "ext) as cycle",
             true);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_SHOWN, true), 0);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_PO, true), 2);
    drop(&fixture, graph);
}

/* P0 reads the initial x, which comes before both stores of P1; only the nearer is drawn by fr.
 * From R x to the second store the way is fr and co; it is the only pair of `late`, as y's store is
 * not of the location, and back there are rf and po. */
static void test_far(void)
{
    struct fixture fixture;
    struct report_graph *graph =
        draw(&fixture,
             "OPENCL far\n{ x = 0; y = 0; }\n"
             "P0@wg 0 (global atomic_int* x, global atomic_int* y) {\n"
             "  int r = y.load(mo_rlx, dev_scope); int s = x.load(mo_rlx, dev_scope); }\n"
             "P1@wg 1 (global atomic_int* x, global atomic_int* y) {\n"
             "  x.store(1, mo_rlx, dev_scope); x.store(2, mo_rlx, dev_scope);\n"
             "  y.store(1, mo_rlx, dev_scope); }\n"
             "exists (0:r = 1 /\\ 0:s = 0)\n",
             "acyclic po & loc | rf | co | fr\n"
             "let late = fr \\ (fr; co^-1)\n"
             "undefined_unless irreflexive late; po; (rf & ext); po as cycle",
             true);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_FR, true), 1);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_CO, true), 1);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_RF, true), 1);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_PO, true), 2);
    CU_ASSERT_EQUAL(count(graph, REPORT_EDGE_MARK, false), 0);
    CU_ASSERT_EQUAL(count_marked_events(graph), 4); /* the first store is passed by */
    drop(&fixture, graph);
}

void suite_report_graph(void)
{
    CU_pSuite suite = CU_add_suite("report_graph", NULL, NULL);
    UNIT_TEST(suite, test_reduced);
    UNIT_TEST(suite, test_meeting);
    UNIT_TEST(suite, test_hidden);
    UNIT_TEST(suite, test_shown_anyway);
    UNIT_TEST(suite, test_set);
    UNIT_TEST(suite, test_both_ways);
    UNIT_TEST(suite, test_rmw);
    UNIT_TEST(suite, test_legend);
    UNIT_TEST(suite, test_cycle);
    UNIT_TEST(suite, test_named);
    UNIT_TEST(suite, test_step_without_edge);
    UNIT_TEST(suite, test_unnamed_step);
    UNIT_TEST(suite, test_far);
}
