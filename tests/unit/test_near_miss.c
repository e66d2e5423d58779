/* Near misses: what a state that is out of reach would break. What each must break is derived by
 * hand; that it breaks this and nothing else is rechecked, and that the recheck can fail is shown
 * by telling it something else. */
#include "test_explain_fixture.h"

#include "base/bits.h"
#include "enumerate/enumerate.h"
#include "answer/report_gallery.h"
#include "picture/report_layout.h"

enum { MOST = 8 };

struct missed {
    struct fixture fixture;
    struct engine_request request;
    struct recheck *recheck;
    struct explanation explanation;
    struct near_miss_rule rules[MOST]; /* what is broken; without the events of pairs, ... */
    uint32_t lines[MOST][2];           /* ... whose lines are here */
    uint32_t count, calls;
    uint32_t barriers; /* persist barriers in the execution */
    char *note;
    struct report_graph *graph;
    void (*spoil)(struct missed *missed, const struct near_miss *miss); /* NULL, or looks closer */
};

static uint32_t line_of(const struct ev *event)
{
    return event && event->instr ? event->instr->span.line : 0;
}

static void keep_rules(struct missed *m, const struct near_miss *miss)
{
    CU_ASSERT_FATAL(miss->count <= MOST);
    m->count = miss->count;
    for (uint32_t i = 0; i < miss->count; i++) {
        m->rules[i] =
            (struct near_miss_rule){miss->rules[i].kind, miss->rules[i].check, NULL, NULL};
        m->lines[i][0] = line_of(miss->rules[i].from);
        m->lines[i][1] = line_of(miss->rules[i].to);
    }
}

static void on_near_miss(void *context, const struct near_miss *miss)
{
    struct missed *m = context;
    struct strbuf note = {0};
    m->calls++;
    CU_ASSERT_PTR_NULL(recheck_near_miss(m->recheck, miss));
    /* It is no consistent execution, and where not the filter alone is to blame the recheck of
     * those must say so. */
    CU_ASSERT(miss->rules[0].kind == EXPLANATION_BY_FILTER ||
              recheck_witness(m->recheck, miss->witness) != NULL);
    keep_rules(m, miss);
    for (uint32_t e = 0; e < miss->witness->skeleton->dim.n; e++)
        m->barriers += miss->witness->skeleton->events[e].kind == EV_PBARRIER;
    report_near_miss(&m->request, miss, &note);
    m->note = arena_strdup(&m->fixture.arena, strbuf_text(&note));
    strbuf_fini(&note);
    m->graph = report_graph_new(&m->request, miss->witness, m->note);
    if (m->spoil)
        m->spoil(m, miss);
}

/* The explanations' own witnesses, of states that can be reached. */
static void on_reached(void *context, const struct engine_witness *witness)
{
    struct missed *m = context;
    CU_ASSERT_PTR_NULL(recheck_witness(m->recheck, witness));
}

static void look(struct missed *m, enum exec_crash_mode mode, double seconds)
{
    m->request = (struct engine_request){.program = m->fixture.program,
                                         .model = m->fixture.model,
                                         .plan = m->fixture.plan,
                                         .crash_mode = mode,
                                         .limits = {.unroll = 2, .clock = clock_limit_in(seconds)},
                                         .on_witness = on_reached,
                                         .on_near_miss = on_near_miss,
                                         .context = m};
    m->recheck = recheck_new(&m->request);
    explanation_init(&m->explanation);
    smt_explain(&m->request, &m->fixture.program->conditions[0], &m->explanation);
}

static void missed_init(struct missed *m, const char *text, const char *visibility,
                        const char *persistency)
{
    *m = (struct missed){.calls = 0};
    fixture_init(&m->fixture, text, visibility, persistency);
    look(m, engine_default_crash_mode(m->fixture.program), 0);
}

static void missed_init_under(struct missed *m, const char *text, const char *visibility,
                              const char *persistency)
{
    *m = (struct missed){.calls = 0};
    fixture_init_under(&m->fixture, text, visibility, persistency);
    look(m, EXEC_CRASH_ANYWHERE, 0);
}

static void missed_fini(struct missed *m)
{
    recheck_free(m->recheck);
    explanation_fini(&m->explanation);
    report_graph_free(m->graph);
    fixture_fini(&m->fixture);
}

static bool breaks_pair(const struct missed *m, enum explanation_reason_kind kind, uint32_t from,
                        uint32_t to)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->rules[i].kind == kind && m->lines[i][0] == from && m->lines[i][1] == to)
            return true;
    return false;
}

static bool breaks_check(const struct missed *m, const char *name)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (m->rules[i].kind == EXPLANATION_BY_CHECK &&
            strcmp(m->request.model->checks[m->rules[i].check].name, name) == 0)
            return true;
    return false;
}

static uint32_t count_edges(const struct report_graph *graph, enum report_edge_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        count += graph->edges[i].kind == kind;
    return count;
}

static uint32_t count_marked(const struct report_graph *graph)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        count += graph->edges[i].marked;
    return count;
}

/* Is there a mark with this label between events of these lines? */
static bool marks(const struct report_graph *graph, const char *label, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct report_edge *edge = &graph->edges[i];
        if (edge->kind == REPORT_EDGE_MARK && strcmp(edge->label, label) == 0 &&
            graph->events[edge->from].line == from && graph->events[edge->to].line == to)
            return graph->events[edge->from].marked && graph->events[edge->to].marked;
    }
    return false;
}

/* ---- Checks ---- */

#define BUFFERING                                                      \
    "C sb\n{ x = 0; y = 0; }\nP0 (int* x, int* y) {\n*x = 1;\n"        \
    "int r = *y;\n}\nP1 (int* x, int* y) {\n*y = 1;\nint r = *x;\n}\n" \
    "exists (0:r = 0 /\\ 1:r = 0)\n" /* lines 4, 5; 8, 9 */

/* Both reads return the initial value, so each is from-read before the other's store: po, fr, po,
 * fr is the cycle that SC forbids, and its one other check is about read-modify-writes. */
static void test_cycle(void)
{
    struct missed m;
    missed_init(&m, BUFFERING, "sc", "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT_EQUAL(m.count, 1);
    CU_ASSERT(breaks_check(&m, "sequential-consistency"));
    CU_ASSERT_STRING_EQUAL(m.note, "excluded by acyclic 'sequential-consistency'");
    CU_ASSERT_PTR_NOT_NULL_FATAL(m.graph);
    CU_ASSERT_EQUAL(m.graph->event_count - m.graph->init_count, 4);
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_PO), 2);
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_FR), 2);
    CU_ASSERT_EQUAL(count_marked(m.graph), 4); /* each of these, and so all events */
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_MARK), 0);
    CU_ASSERT_STRING_EQUAL(m.graph->state, "final state 0:r=0; 1:r=0");
    CU_ASSERT_STRING_EQUAL(m.graph->note, m.note);
    missed_fini(&m);
}

/* Under RC11 each of release and acquire is needed, which no near miss says: the lines are as they
 * are, and `coherence` is what the stale read breaks. */
static void test_orders_stay(void)
{
    struct missed m;
    missed_init(&m, MESSAGE("release", "acquire", STALE), "rc11", "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(m.count == 1 && breaks_check(&m, "coherence"));
    CU_ASSERT_STRING_EQUAL(m.note, "excluded by irreflexive 'coherence'");
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_SHOWN), 1); /* release to acquire */
    missed_fini(&m);
}

/* The same cycle is forbidden twice. One of the two is the reason, as the other would do as well;
 * in an execution with the cycle both are broken. */
static void test_both_forbid(void)
{
    struct missed m;
    missed_init_under(&m, BUFFERING,
                      "\"v\"\nacyclic po | rf | co | fr as one\nirreflexive (po | fr)+ as two\n",
                      "\"none\"\n");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT_EQUAL(m.explanation.reasons.count, 1);
    CU_ASSERT_EQUAL(m.count, 2);
    CU_ASSERT(breaks_check(&m, "one") && breaks_check(&m, "two"));
    CU_ASSERT(strstr(m.note, "excluded by ") == m.note && strstr(m.note, "; also "));
    missed_fini(&m);
}

/* x is written by both, y by P0 alone; nobody looks at x. The check is broken for the state's sake,
 * but not where the state does not need it: the stores to x of P0 stay in program order in co. */
static void test_no_more_than_needed(void)
{
    struct missed m;
    missed_init(
        &m,
        "C near\n{ x = 0; y = 0; z = 0; }\nP0 (int* x, int* y, int* z) {\n*x = 1;\n*x = 2;\n"
        "*z = 1;\n*z = 2;\n*y = 1;\nint r = *z;\n}\nP1 (int* x, int* y) {\nint r = *y;\n"
        "int s = *x;\n}\nexists (1:r = 1 /\\ 1:s = 0)\n",
        "sc", "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(m.count == 1 && breaks_check(&m, "sequential-consistency"));
    for (uint32_t i = 0; i < m.graph->edge_count; i++) {
        const struct report_edge *edge = &m.graph->edges[i];
        if (edge->kind == REPORT_EDGE_CO)
            CU_ASSERT(m.graph->events[edge->from].line < m.graph->events[edge->to].line);
    }
    missed_fini(&m);
}

static uint32_t count_marked_of(const struct report_graph *graph, enum report_edge_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->edge_count; i++)
        count += graph->edges[i].kind == kind && graph->edges[i].marked;
    return count;
}

/* Does this edge join events of these lines? */
static bool joins(const struct report_graph *graph, enum report_edge_kind kind, uint32_t from,
                  uint32_t to)
{
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        const struct report_edge *edge = &graph->edges[i];
        if (edge->kind == kind && graph->events[edge->from].line == from &&
            graph->events[edge->to].line == to)
            return true;
    }
    return false;
}

/* The flag is seen, and behind it the first of two writes. With x = 2 coherence-before x = 1 there
 * would be a cycle that says nothing of the flag. With the writes in program order the read is
 * from-read before the second: 5 -po-> 6 -rf-> 9 -po-> 10 -fr-> 5, on which the flag is. */
static void test_coherent_writes(void)
{
    static const char test[] =
        "OPENCL corr\n{ nvm x = 0; atomic_int f = 0; }\n"
        "P0@wg 0 (global int* x, global atomic_int* f) {\n*x = 1;\n*x = 2;\n"
        "f.store(1, mo_rel, dev_scope);\n}\nP1@wg 1 (global int* x, global atomic_int* f) {\n"
        "int r = f.load(mo_acq, dev_scope);\nint s = *x;\n}\n"
        "exists (1:r = 1 /\\ 1:s = 1)\n"; /* lines 4 to 6; 9, 10 */
    static const char *const models[] = {"sc", "hrf-direct", "rc11", "ptx"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct missed m;
        missed_init(&m, test, models[i], "epoch");
        CU_ASSERT_EQUAL_FATAL(m.calls, 1);
        CU_ASSERT(joins(m.graph, REPORT_EDGE_CO, 4, 5) && !joins(m.graph, REPORT_EDGE_CO, 5, 4));
        CU_ASSERT(joins(m.graph, REPORT_EDGE_FR, 10, 5));
        CU_ASSERT_EQUAL(count_marked_of(m.graph, REPORT_EDGE_PO), 2);
        CU_ASSERT_EQUAL(count_marked_of(m.graph, REPORT_EDGE_RF), 1);
        CU_ASSERT_EQUAL(count_marked_of(m.graph, REPORT_EDGE_FR), 1);
        CU_ASSERT_EQUAL(count_marked(m.graph), 4);
        missed_fini(&m);
    }
}

/* Three work-items meet twice, and one writes x before either meeting. The third, behind both,
 * reads the first write: 6 -po-> 7 -syncbar-> 18 -po-> 19 -fr-> 6 is the cycle, and with the writes
 * in program order there is no other, as nothing else is read. */
static void test_coherent_at_barriers(void)
{
    struct missed m;
    missed_init(&m,
                "OPENCL barriers\n{ nvm x = 0; }\nP0@wg 0 (global int* x) {\n*x = 1;\n"
                "sync_barrier_kr;\n*x = 2;\nsync_barrier_kr;\n}\n"
                "P1@wg 0 {\nsync_barrier_kr;\n\n\nsync_barrier_kr;\n}\n"
                "P2@wg 1 (global int* x) {\n\nsync_barrier_kr;\nsync_barrier_kr;\n"
                "int r = *x;\n}\nfinal forall (2:r = 2)\n",
                "hrf-direct", "epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(joins(m.graph, REPORT_EDGE_CO, 4, 6) && joins(m.graph, REPORT_EDGE_FR, 19, 6));
    CU_ASSERT_EQUAL(count_marked_of(m.graph, REPORT_EDGE_FR), 1);
    CU_ASSERT_EQUAL(count_marked_of(m.graph, REPORT_EDGE_PO), 2);
    for (uint32_t e = m.graph->init_count; e < m.graph->event_count; e++) {
        uint32_t line = m.graph->events[e].line;
        bool on = line == 6 || line == 7 || line == 18 || line == 19;
        CU_ASSERT(m.graph->events[e].marked == on);
    }
    missed_fini(&m);
}

/* A work-item reads 2, then 1, which another one writes in the order 1, 2: now coherence of reads
 * is what is broken, and the writes stay as they are in their program. */
static void test_coherence_broken(void)
{
    struct missed m;
    missed_init(&m,
                "C corr\n{ x = 0; }\nP0 (int* x) {\n*x = 1;\n*x = 2;\n}\n"
                "P1 (int* x) {\nint r = *x;\nint s = *x;\n}\nexists (1:r = 2 /\\ 1:s = 1)\n",
                "sc", "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(joins(m.graph, REPORT_EDGE_CO, 4, 5) && !joins(m.graph, REPORT_EDGE_CO, 5, 4));
    CU_ASSERT(joins(m.graph, REPORT_EDGE_FR, 9, 5));
    CU_ASSERT_EQUAL(count_marked(m.graph), 3); /* 5 -rf-> 8 -po-> 9 -fr-> 5 */
    missed_fini(&m);
}

/* The filter leaves s = 1 alone: what it excludes is any execution with s = 0. */
static void test_filter(void)
{
    struct missed m;
    missed_init(&m, MESSAGE("relaxed", "relaxed", "filter (1:s = 1)\nexists (1:s = 0)"), "sc",
                "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(m.count == 1 && m.rules[0].kind == EXPLANATION_BY_FILTER);
    CU_ASSERT_STRING_EQUAL(m.note, "excluded by filter: the test's filter");
    missed_fini(&m);
}

/* ---- Crash cuts ---- */

/* val is lost and key durable. buffered-epoch orders the two through the barrier, and nothing else
 * speaks of durability. */
static void test_pair(void)
{
    struct missed m;
    missed_init(&m, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(m.count == 1 && breaks_pair(&m, EXPLANATION_BY_PERSIST_BEFORE, 4, 6));
    CU_ASSERT_STRING_EQUAL(m.note, "excluded by persist-before: P0's W val before P0's W key");
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_MARK), 1);
    CU_ASSERT(marks(m.graph, "persist-before", 4, 6));
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_PERSIST), 0); /* the mark stands for it */
    CU_ASSERT(m.graph->crash);
    missed_fini(&m);
}

/* Under epoch the barrier also executes after val is durable, and key, po-behind it, has executed:
 * so has the barrier, and a second pair is broken, whatever the first. */
static void test_second_pair(void)
{
    struct missed m;
    missed_init(&m, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT_EQUAL(m.count, 2);
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_PERSIST_BEFORE, 4, 6));
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_DURABLE_BEFORE, 4, 5));
    CU_ASSERT_STRING_EQUAL(
        m.note, "excluded by persist-before: P0's W val before P0's W key; also durable-before");
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_MARK), 2);
    CU_ASSERT(marks(m.graph, "persist-before", 4, 6));
    CU_ASSERT(marks(m.graph, "durable-before", 4, 5));
    missed_fini(&m);
}

/* One of two barriers is enough of a reason, and the other orders nothing while that is looked for.
 * In the execution both are what they are. */
static void test_lines_stay(void)
{
    struct missed m;
    missed_init(&m, INSERT("p_barrier_wi; p_barrier_wi;", KEY_ALONE), "sc", "buffered-epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT_EQUAL(reasons_for(&(struct shown){m.fixture, m.explanation},
                                EXPLANATION_BY_PERSIST_BARRIER, 5, 0),
                    1);
    CU_ASSERT_EQUAL(m.barriers, 2);
    CU_ASSERT(m.count == 1 && breaks_pair(&m, EXPLANATION_BY_PERSIST_BEFORE, 4, 6));
    missed_fini(&m);
}

#define LINE                                                                                \
    "OPENCL line\n{ nvm x = 0; nvm y = 0; nvm z = 0; }\n"                                   \
    "P0 (global int* x, global int* y, global int* z) {\n*x = 1;\np_barrier_wi;\n*y = 1;\n" \
    "p_barrier_wi;\n*z = 1;\n}\n" /* 4, 6, 8 */

/* x is lost under y and z, which are both behind it: two pairs. That of x and z follows from x
 * before y and y before z, so one is marked. */
static void test_shortest_pair(void)
{
    struct missed m;
    missed_init(&m, LINE "crash ~exists (x = 0 /\\ y = 1 /\\ z = 1)\n", "sc", "buffered-epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT_EQUAL(m.count, 2);
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_PERSIST_BEFORE, 4, 6));
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_PERSIST_BEFORE, 4, 8));
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_MARK), 1);
    CU_ASSERT(marks(m.graph, "persist-before", 4, 6));
    CU_ASSERT(!strstr(m.note, "also")); /* one rule, of two pairs */
    missed_fini(&m);
}

/* At the crash statement everything before it has executed, the barrier too. Elsewhere the state is
 * reached without anything broken that could be seen, so the pair is left out and the crash stays.
 */
static void test_point_stays(void)
{
    struct missed m;
    missed_init(
        &m,
        "OPENCL point\n{ nvm x = 0; nvm y = 0; }\nP0 (global int* x, global int* y) {\n"
        "*x = 1;\np_barrier_wi;\n*y = 1;\np_barrier_wi;\ncrash;\n}\ncrash ~exists (x = 0)\n",
        "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_DURABLE_BEFORE, 4, 5));
    CU_ASSERT(breaks_pair(&m, EXPLANATION_BY_DURABLE_BEFORE, 4, 7));
    for (uint32_t i = 0; i < m.count; i++)
        CU_ASSERT(m.rules[i].kind != EXPLANATION_BY_CRASH_POINT);
    CU_ASSERT(marks(m.graph, "durable-before", 4, 5));
    CU_ASSERT(!marks(m.graph, "durable-before", 4, 7)); /* behind the other barrier */
    missed_fini(&m);
}

/* There is no crash statement on the way at all: that alone forbids every state. */
static void test_no_point(void)
{
    struct missed m;
    missed_init(&m,
                "OPENCL point\n{ nvm x = 0; f = 0; }\nP0 (global int* x, global int* f) {\n"
                "*x = 1;\nif (*f == 1) { crash; }\n}\ncrash ~exists (x = 0)\n",
                "sc", "none");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(m.count == 1 && m.rules[0].kind == EXPLANATION_BY_CRASH_POINT);
    CU_ASSERT_STRING_EQUAL(m.note, "excluded by crash-point: the crash comes at a crash statement");
    missed_fini(&m);
}

/* Two work-items meet at two barriers in opposite orders, which is a deadlock: each barrier would
 * be left before the other. The execution that does so anyhow has its events in as many rows as a
 * work-item has, whatever its meetings say. */
static void test_opposite(void)
{
    struct missed m;
    struct arena arena;
    missed_init(&m,
                "OPENCL opposite\n{ nvm x = 0; }\nP0@wg 0 (global int* x) {\nsync_barrier_wg;\n"
                "sync_barrier_kr;\n*x = 1;\n}\nP1@wg 0 {\nsync_barrier_kr;\nsync_barrier_wg;\n}\n"
                "crash ~exists (x = 1)\n",
                "sc", "epoch");
    CU_ASSERT_EQUAL_FATAL(m.calls, 1);
    CU_ASSERT(breaks_check(&m, "sequential-consistency") && breaks_check(&m, "rendezvous-order"));
    CU_ASSERT_EQUAL(count_edges(m.graph, REPORT_EDGE_MEET), 2);
    arena_init(&arena);
    uint32_t first, *rows = report_layout_rows(&arena, m.graph, &first);
    for (uint32_t e = m.graph->init_count; e < m.graph->event_count; e++)
        CU_ASSERT(rows[e] < first + 3);
    arena_fini(&arena);
    missed_fini(&m);
}

/* ---- None ---- */

static void test_none(void)
{
    struct missed m;
    missed_init(&m, INSERT("", KEY_ALONE), "sc", "epoch"); /* can be reached */
    CU_ASSERT(m.explanation.answer == EXPLANATION_REACHABLE);
    CU_ASSERT_EQUAL(m.calls, 0);
    missed_fini(&m);
    missed_init(&m, MESSAGE("release", "acquire", "exists (1:r = 2)"), "sc", "none");
    CU_ASSERT(m.explanation.answer == EXPLANATION_UNREACHABLE); /* nobody writes 2 */
    CU_ASSERT_EQUAL(m.calls, 0);
    missed_fini(&m);
    m = (struct missed){.calls = 0};
    fixture_init(&m.fixture, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "epoch");
    look(&m, EXEC_CRASH_ANYWHERE, 1e-9); /* no time */
    CU_ASSERT_EQUAL(m.calls, 0);
    missed_fini(&m);
}

/* ---- The recheck can fail ---- */

static bool is_refused(struct missed *m, struct near_miss miss)
{
    return recheck_near_miss(m->recheck, &miss) != NULL;
}

/* Of an execution that breaks 4-6 by persist-before and 4-5 by durable-before: each alone, none,
 * one more, another pair, another kind, another condition, and another cut. */
static void spoil_pairs(struct missed *m, const struct near_miss *miss)
{
    struct near_miss_rule rules[3] = {miss->rules[0], miss->rules[1]};
    const struct engine_witness *w = miss->witness;
    struct lit_condition other = *miss->condition;
    CU_ASSERT_FATAL(miss->count == 2);
    CU_ASSERT(!is_refused(m, (struct near_miss){w, miss->condition, rules, 2}));
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 1}));
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules + 1, 1}));
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 0}));
    rules[2] = (struct near_miss_rule){EXPLANATION_BY_CRASH_POINT, 0, NULL, NULL};
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 3}));
    rules[2] = (struct near_miss_rule){EXPLANATION_BY_CHECK, 0, NULL, NULL};
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 3}));
    rules[2] = rules[0];
    rules[0].to = rules[0].from;
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 2}));
    rules[0] = rules[2];
    rules[0].kind = EXPLANATION_BY_COHERENCE;
    CU_ASSERT(is_refused(m, (struct near_miss){w, miss->condition, rules, 2}));
    other.quantifier = LIT_FORALL; /* the state satisfies the proposition, and breaks it not */
    CU_ASSERT(is_refused(m, (struct near_miss){w, &other, miss->rules, 2}));
}

static void spoil_check(struct missed *m, const struct near_miss *miss)
{
    struct near_miss_rule other = {EXPLANATION_BY_CHECK, !miss->rules[0].check, NULL, NULL};
    struct engine_witness none = *miss->witness;
    rel_word *fr = ARENA_ARRAY(&m->fixture.arena, rel_word, rel_words(none.skeleton->dim));
    CU_ASSERT(is_refused(m, (struct near_miss){miss->witness, miss->condition, &other, 1}));
    none.fr = fr; /* without the cycle, but not rf^-1; co */
    CU_ASSERT(is_refused(m, (struct near_miss){&none, miss->condition, miss->rules, 1}));
}

static void test_recheck(void)
{
    struct missed m = {.spoil = spoil_pairs};
    fixture_init(&m.fixture, INSERT("p_barrier_wi;", KEY_ALONE), "sc", "epoch");
    look(&m, EXEC_CRASH_ANYWHERE, 0);
    CU_ASSERT_EQUAL(m.calls, 1);
    missed_fini(&m);
    m = (struct missed){.spoil = spoil_check};
    fixture_init(&m.fixture, BUFFERING, "sc", "none");
    look(&m, EXEC_CRASH_ANYWHERE, 0);
    CU_ASSERT_EQUAL(m.calls, 1);
    missed_fini(&m);
}

/* ---- Marks of cuts, of which explanations need not break one alone ---- */

/* The first execution of the test, with a cut of these lines. */
struct cutter {
    struct engine_request request;
    const uint32_t *executed, *durable; /* lines, 0 at the end */
    struct report_graph *graph;
};

static bool has_line(const uint32_t *lines, const struct ev *event)
{
    while (*lines && *lines != line_of(event))
        lines++;
    return event->init || *lines != 0;
}

static void on_execution(void *context, const struct engine_witness *witness)
{
    struct cutter *cutter = context;
    struct engine_witness cut_short = *witness;
    const struct exec_skeleton *skeleton = witness->skeleton;
    struct arena arena;
    if (cutter->graph || !witness->cut)
        return;
    arena_init(&arena);
    rel_word *executed = ARENA_ARRAY(&arena, rel_word, skeleton->dim.words);
    rel_word *durable = ARENA_ARRAY(&arena, rel_word, skeleton->dim.words);
    struct exec_cut cut = *witness->cut;
    for (uint32_t e = 0; e < skeleton->dim.n; e++) {
        const struct ev *event = &skeleton->events[e];
        if (has_line(cutter->executed, event))
            bits_set(executed, e);
        if (event->kind == EV_WRITE && has_line(cutter->durable, event))
            bits_set(durable, e);
    }
    cut.executed = executed;
    cut.durable = durable;
    cut_short.cut = &cut;
    cutter->graph = report_graph_new(&cutter->request, &cut_short, "");
    arena_fini(&arena);
}

/* To be freed. */
static struct report_graph *cut_at(const char *text, const char *persistency,
                                   const uint32_t *executed, const uint32_t *durable)
{
    struct fixture fixture;
    struct outcome outcome;
    fixture_init_under(&fixture, text, SC_TEXT, persistency);
    struct cutter cutter = {.request = {.program = fixture.program,
                                        .model = fixture.model,
                                        .plan = fixture.plan,
                                        .limits = {.unroll = 2},
                                        .on_witness = on_execution,
                                        .context = &cutter},
                            .executed = executed,
                            .durable = durable};
    outcome_init(&outcome, fixture.program);
    enum_run_alone(&cutter.request, &outcome);
    outcome_fini(&outcome);
    fixture_fini(&fixture);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cutter.graph);
    return cutter.graph;
}

#define LINES(...)     \
    (const uint32_t[]) \
    {                  \
        __VA_ARGS__, 0 \
    }

/* executes-before is po: of the pairs that are broken those of neighbours. */
static void test_mark_executed(void)
{
    static const char none[] = "\"p\"\n";
    struct report_graph *graph = cut_at(LINE, none, LINES(8), LINES(8));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 1); /* 7 before 8; 4 to 6 before that */
    CU_ASSERT(marks(graph, "executes-before", 7, 8));
    report_graph_free(graph);
    graph = cut_at(LINE, none, LINES(4, 6, 8), LINES(4, 6, 8));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 2);
    CU_ASSERT(marks(graph, "executes-before", 5, 6) && marks(graph, "executes-before", 7, 8));
    report_graph_free(graph);
    graph = cut_at(LINE, none, LINES(4, 5, 6), LINES(4)); /* closed */
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 0);
    report_graph_free(graph);
}

/* Of LINE under a class {x, y, z}: x durable, the others lost. Each lost one is joined with x. */
static void test_mark_atomic(void)
{
    struct report_graph *graph =
        cut_at(LINE, "\"p\"\nlet persist-atomic = [W & NVM]; (po | po^-1 | id); [W & NVM]\n",
               LINES(4, 5, 6, 7, 8), LINES(4));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 2);
    CU_ASSERT(marks(graph, "persist-atomic", 6, 4) && marks(graph, "persist-atomic", 8, 4));
    report_graph_free(graph);
}

/* Its stores are lines 4 to 6. */
#define THRICE "OPENCL thrice\n{ nvm x = 0; }\nP0 (global int* x) {\n*x = 1;\n*x = 2;\n*x = 3;\n}\n"

/* Under SC co is po. The last is durable without the two before it: the next one is marked, behind
 * which the first is. */
static void test_mark_coherence(void)
{
    struct report_graph *graph = cut_at(THRICE, "\"p\"\n", LINES(4, 5, 6), LINES(6));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 1);
    CU_ASSERT(marks(graph, "coherence", 5, 6));
    report_graph_free(graph);
    /* Where persist-before has the pair, it is that. */
    graph = cut_at(THRICE, "\"p\"\nlet persist-before = [W & NVM]; po; [W & NVM]\n", LINES(4, 5, 6),
                   LINES(6));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 1);
    CU_ASSERT(marks(graph, "persist-before", 5, 6));
    report_graph_free(graph);
}

/* persist-before in a circle makes all three one class: none stands between others, so each pair of
 * a lost and a durable one is marked, and not none; and each pair of the class, as the flag says
 * that it was not meant. */
static void test_mark_circle(void)
{
    struct report_graph *graph =
        cut_at(LINE, "\"p\"\nlet persist-before = [W & NVM]; (po | po^-1); [W & NVM]\n",
               LINES(4, 5, 6, 7, 8), LINES(6));
    CU_ASSERT_EQUAL(count_edges(graph, REPORT_EDGE_MARK), 2 + 3);
    CU_ASSERT(marks(graph, "persist-before", 4, 6) && marks(graph, "persist-before", 8, 6));
    CU_ASSERT(marks(graph, "persist-cycle", 4, 6) && marks(graph, "persist-cycle", 4, 8));
    CU_ASSERT(marks(graph, "persist-cycle", 6, 8));
    report_graph_free(graph);
}

void suite_near_miss(void)
{
    CU_pSuite suite = CU_add_suite("near_miss", NULL, NULL);
    UNIT_TEST(suite, test_cycle);
    UNIT_TEST(suite, test_orders_stay);
    UNIT_TEST(suite, test_both_forbid);
    UNIT_TEST(suite, test_no_more_than_needed);
    UNIT_TEST(suite, test_coherent_writes);
    UNIT_TEST(suite, test_coherent_at_barriers);
    UNIT_TEST(suite, test_coherence_broken);
    UNIT_TEST(suite, test_filter);
    UNIT_TEST(suite, test_pair);
    UNIT_TEST(suite, test_second_pair);
    UNIT_TEST(suite, test_lines_stay);
    UNIT_TEST(suite, test_shortest_pair);
    UNIT_TEST(suite, test_point_stays);
    UNIT_TEST(suite, test_no_point);
    UNIT_TEST(suite, test_opposite);
    UNIT_TEST(suite, test_none);
    UNIT_TEST(suite, test_recheck);
    UNIT_TEST(suite, test_mark_executed);
    UNIT_TEST(suite, test_mark_atomic);
    UNIT_TEST(suite, test_mark_coherence);
    UNIT_TEST(suite, test_mark_circle);
}
