/* What a model gives a meaning to: a tag of an instruction that it declares for a kind that the
 * instruction is of, of a location as LOC, of a work-item as THREAD. */
#include "test_lit_fixture.h"

#include "cat/cat_model.h"
#include "engine/meaning.h"
#include "exec/exec_basis.h"

/* Tags on everything that can have one. */
static const char test[] =
    "OPENCL t\nuses \"lin.def\"\n{ nvm{board, a} x = 0; nvm{a} y = 0; }\n"
    "P0{cpu} { __fence{f}; __cm{c}(x); __load{l}(x); __store{s}(x, 1); __xchg{t}(x, 2);\n"
    " __cmpxchg{t}(x, 1, 2); __fence{f, g}; clwb(x); membar(); }\n"
    "recovery P0{cpu, again} { __fence{h}; }\nexists (true)\n";

/* Names with blanks between; with `elsewhere`, each that has a meaning on something else with what
 * that is in parentheses. */
static void expect_with(const char *test_text, const char *declarations, bool elsewhere,
                        const char *names)
{
    struct lit_fixture f;
    struct strbuf text = {0}, found = {0};
    lit_fixture_accept(&f, test_text);
    strbuf_printf(&text, "\"m\"\n%s\nacyclic po", declarations);
    const struct cat_model *model =
        cat_model_load_sources(&f.arena, exec_basis(), NULL,
                               source_from_text(&f.arena, "v.cat", strbuf_text(&text), text.length),
                               source_from_text(&f.arena, "p.cat", "", 0), &f.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    struct meaning_lacking lacking = meaning_lacking(&f.arena, f.program, model);
    for (uint32_t i = 0; i < lacking.count; i++) {
        strbuf_printf(&found, "%s%s", i ? " " : "", lacking.names[i]);
        if (elsewhere && lacking.elsewhere[i])
            strbuf_printf(&found, "(%s)", lacking.elsewhere[i]);
    }
    lit_expect_text(strbuf_text(&found), names);
    strbuf_fini(&found);
    strbuf_fini(&text);
    lit_fixture_fini(&f);
}

static void expect_of(const char *test_text, const char *declarations, const char *names)
{
    expect_with(test_text, declarations, false, names);
}

static void expect(const char *declarations, const char *names)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%s empty rmw & co", declarations);
    expect_of(test, strbuf_text(&text), names);
    strbuf_fini(&text);
}

/* s is on a store, f on a fence, board on a location, cpu on a work-item; l is on a load, for which
 * it is declared; clwb is of cache maintenance, membar of a fence with the tag sfence. The model
 * knows a seq_cst fence, and no other by its order: a seq_cst load is no more than a relaxed one.
 */
static void test_elsewhere(void)
{
    expect_with(
        test,
        "instructions F['s || 'c] instructions R['l || 's] instructions CM['f || 'sfence] "
        "instructions THREAD['board] instructions LOC['cpu] empty rmw & co",
        true,
        "board(work-items) a cpu(locations) f(cache maintenance) c(fences) s(reads, fences) t "
        "g clwb membar(cache maintenance) again h");
    expect_with(
        "C t\n{ f = 0; }\nP0 (atomic_int* f) {\n int r = atomic_load(f);\n}\nexists (true)\n",
        "empty [F & SC]; po as fences", true, "memory_order_seq_cst of a load(fences)");
    expect_with(
        "C t\n{ f = 0; }\nP0 (atomic_int* f) {\n int r = atomic_load(f);\n}\nexists (true)\n",
        "empty [(F | W) & SC]; po as both", true,
        "memory_order_seq_cst of a load(fences, stores, read-modify-writes)");
}

/* Of built-in models sbrp declares pacq for reads, px86 and tso nt for writes, and Lin st_wt for writes: a store with pacq and a fence with
 * nt have a meaning nowhere, whatever stands beside st_wt. */
static void test_models(void)
{
    struct lit_fixture f;
    lit_fixture_accept(&f, "OPENCL t\n{ x = 0; }\nP0 (global int* x) {\n __store{pacq}(x, 1);\n"
                           " __fence{nt};\n __store{zz, st_wt}(x, 2);\n}\nexists (true)\n");
    const struct meaning_lacking lacking = meaning_lacking(&f.arena, f.program, NULL);
    static const char *const wanted[][2] = {
        {"pacq", NULL}, {"nt", NULL}, {"zz", NULL}, {"st_wt", "lin-adr"}};
    for (uint32_t i = 0; i < lacking.count; i++)
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
            if (strcmp(lacking.names[i], wanted[k][0]) == 0)
                lit_expect_text(lacking.models[i] ? lacking.models[i] : "",
                                wanted[k][1] ? wanted[k][1] : "");
    CU_ASSERT_EQUAL(lacking.count, 4);
    lit_fixture_fini(&f);
}

/* Locations, then work-items with their instructions; each name once; a defined instruction by its
 * name. */
static void test_names(void)
{
    expect("", "board a cpu f c l s t g clwb membar again h");
    expect("instructions F['f || 'g || 'h] instructions CM['c]",
           "board a cpu l s t clwb membar again");
    expect("instructions CM['clwb] instructions F['sfence]", "board a cpu f c l s t g again h");
}

/* A declaration for another kind does not count. */
static void test_kinds(void)
{
    expect("instructions LOC['board || 'a] instructions THREAD['cpu || 'again]",
           "f c l s t g clwb membar h");
    expect("instructions LOC['cpu || 'f] instructions THREAD['board]",
           "board a cpu f c l s t g clwb membar again h");
    expect("instructions R['l || 's || 't] instructions TX['f]",
           "board a cpu c s g clwb membar again h");
    expect("instructions W['l || 's || 't]", "board a cpu f c l g clwb membar again h");
    expect("instructions M['l || 's || 't || 'c || 'f]", "board a cpu f c g clwb membar again h");
    expect("instructions RMW['l || 's || 't]", "board a cpu f c l s g clwb membar again h");
}

/* A load, a store, a read-modify-write and a fence of one order and scope each. */
#define LOAD(order, scope) " int r = f.load(mo_" order ", " scope "_scope);\n"
#define STORE(order, scope) " f.store(1, mo_" order ", " scope "_scope);\n"
#define ADD(order, scope) " f.fetch_add(1, mo_" order ", " scope "_scope);\n"
#define FENCE(order)                                                         \
    " atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order ", " \
    "memory_scope_device);\n"
#define TEST(code) \
    "OPENCL t\n{ atomic_int f = 0; }\nP0 (global atomic_int* f) {\n" code "}\nexists (true)\n"

static const char strong[] = TEST(LOAD("sc", "dev") STORE("sc", "dev") ADD("sc", "dev"));

/* A model that knows acquire and release takes a seq_cst access for less; one that tells no orders
 * apart, or only what is stronger, gives that much to all. A definition that no check is made of
 * says nothing. */
static void test_orders(void)
{
    const char *lacks = "memory_order_seq_cst of a load memory_order_seq_cst of a store "
                        "memory_order_seq_cst of a read-modify-write";
    const char *atomic = "empty rmw & (fr; co)";
    const char *weak[] = {"acyclic [R & ACQ]; po | [W & REL]; po\nempty rmw & (fr; co)",
                          "let a = R & ~(NA | RLX | REL | SC) let b = W & (_ \\ (SC | RLX)) \\ NA\n"
                          "acyclic [a]; po | po; [b]\nempty rmw & (fr; co)",
                          "let all = R & SC | W & SC let stands = [all]; po\n"
                          "acyclic [R & ACQ]; po | po; [W & REL]\nempty rmw & (fr; co)"};
    expect_of(strong, weak[0], lacks);
    expect_of(strong, weak[1], lacks);
    expect_of(strong, weak[2], lacks);
    expect_of(strong, atomic, "");
    expect_of(strong, "acyclic [R & (ACQ | SC)]; po | po; [W & (REL | SC)]\nempty rmw & (fr; co)",
              "");
    expect_of(strong, "let t = SC acyclic po & (t * t)\nempty rmw & (fr; co)", "");
    expect_of(TEST(LOAD("acq", "dev") STORE("rel", "dev") ADD("acq_rel", "dev")),
              "acyclic [SC]; po\nempty rmw & (fr; co)", "");
    expect_of(TEST(LOAD("rlx", "dev") STORE("rlx", "dev") ADD("rlx", "dev")), weak[0], "");
}

/* Of fences, and of accesses where fences alone are known by this order. */
static void test_order_of_sorts(void)
{
    const char *atomic = "empty rmw & (fr; co)\nacyclic po; [F & SC]; po";
    expect_of(strong, atomic, "memory_order_seq_cst of a load memory_order_seq_cst of a store");
    expect_of(TEST(FENCE("acquire") FENCE("release") FENCE("acq_rel") FENCE("seq_cst")), atomic,
              "");
    expect_of(TEST(FENCE("acquire") FENCE("release") FENCE("acq_rel") FENCE("seq_cst")),
              "acyclic po; [F & (ACQ_REL | SC)]; po",
              "memory_order_acquire of a fence memory_order_release of a fence");
    expect_of(TEST(ADD("acq", "dev") ADD("rel", "dev") ADD("acq_rel", "dev")),
              "acyclic [R & ACQ]; po | po; [W & REL]\nempty rmw & (fr; co)",
              "memory_order_acq_rel of a read-modify-write");
}

/* A scope is as wide as the model takes it, unless a narrower one means more. */
static void test_scopes(void)
{
    const char *code =
        TEST(STORE("rel", "wi") STORE("rel", "wg") STORE("rel", "kr") STORE("rel", "dev"));
    expect_of(code, "acyclic ([WG]; swg; [WG] | [DV]; sdv; [DV]) & rf",
              "memory_scope_kernel of a store");
    expect_of(code, "acyclic rf & sr", "");
    expect_of(code, "acyclic rf", "");
    expect_of(code, "acyclic ([DV]; sdv; [DV]) & rf", "");
    expect_of(code, "acyclic [WI]; rf",
              "memory_scope_work_group of a store memory_scope_kernel of a store "
              "memory_scope_device of a store");
}

/* A barrier is in PB, joined by syncpb, and among all events that do not access memory. po alone, with
 * all events or with fences, is about none. */
static void test_barriers(void)
{
    static const char barriers[] =
        "OPENCL t\n{ x = 0; }\n"
        "P0 { *x = 1; p_barrier_wi; p_barrier_wg; *x = 2; }\nexists (true)\n";
    expect_of(barriers, "", "persist barriers");
    expect_of(barriers, "empty [W]; po; [F]; po; [W] & id", "persist barriers");
    expect_of(barriers, "empty (_ * F) & id", "persist barriers");
    expect_of(barriers, "empty po; [PB]; po & id", "");
    expect_of(barriers, "empty syncpb & co", "");
    expect_of(barriers, "empty po; [_ \\ (R | W)]; po & id", "");
    expect_of(barriers, "empty po; [~(R | W)]; po & id", "");
    /* Taken out, a barrier leaves less between two writes, or none behind the first event. */
    expect_of(barriers, "empty [W]; po; [range(po) \\ (R | W | F)]; po; [W] & id", "");
    expect_of(barriers, "empty [W]; (po \\ (po; [R | W | F])); po; [W] & id", "");
    expect_of(barriers, "empty [W]; (po \\ (_ * M)); po; [W] & id", "");
    expect_of(barriers, "empty [W]; (po & ~(M * M)); po; [W] & id", "");
    expect_of(barriers, "empty [W]; (po \\ (M * M)); po; [W] & id", "");
    expect_of(barriers, "empty [W]; po; [WI]; po; [W] & id", "");
    expect_of(barriers, "empty [W]; po; po; [W]", "");
    expect_of(barriers, "empty [W \\ range(po)] & id", "");
    expect_of(barriers, "acyclic rf | po \\ loc", "");
    expect_of(barriers, "empty [W]; (po; rf; po)+; [W] & id", "");
    expect_of(barriers, "let rec r = po | r; r; rf\nempty [W]; r; [W] & id", "");
    /* What leads through a barrier is led past it by program order alone. */
    expect_of(barriers, "acyclic po | rf | co", "persist barriers");
    expect_of(barriers, "empty [W]; (po | rf)+; [W] & id", "persist barriers");
    expect_of(barriers, "empty [W]; po?; rf; po?; [W] & id", "persist barriers");
    expect_of(barriers, "empty [W]; (po?; rf; po?)+; [W] & id", "persist barriers");
    expect_of(barriers, "empty [W]; (po; rf | po)+; [W] & id", "persist barriers");
    expect_of(barriers, "empty [W]; (po & ~(M * M)); [W]", "persist barriers");
    /* What waits is a set of barriers; of the sets of writes barriers are no part that counts. */
    expect_of(barriers, "let waits = _ \\ (M | F)", "");
    expect_of(barriers, "let waits = WG", "");
    expect_of(barriers, "let waits = B | ~(M | F | B | CM)", "");
    expect_of(barriers, "let waits = B", "persist barriers");
    expect_of(barriers, "let waits = WG & B", "persist barriers");
    expect_of(barriers, "let withheld = WG let undone = _ let may-stay = WG let can-persist = WG",
              "persist barriers");
}

/* Nothing keeps the halves together. */
static void test_updates(void)
{
    expect_of(TEST(ADD("rlx", "dev")), "acyclic rf | co", "read-modify-write");
    expect_of(TEST(ADD("rlx", "dev")), "let lost = rmw & (fr; co) acyclic rf | co",
              "read-modify-write");
    expect_of(TEST(ADD("rlx", "dev")), "acyclic po; [RMW]", "");
    expect_of(TEST(LOAD("rlx", "dev")), "acyclic rf | co", "");
}

void suite_meaning(void)
{
    CU_pSuite suite = CU_add_suite("meaning", NULL, NULL);
    UNIT_TEST(suite, test_models);
    UNIT_TEST(suite, test_names);
    UNIT_TEST(suite, test_elsewhere);
    UNIT_TEST(suite, test_kinds);
    UNIT_TEST(suite, test_orders);
    UNIT_TEST(suite, test_order_of_sorts);
    UNIT_TEST(suite, test_scopes);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_updates);
}
