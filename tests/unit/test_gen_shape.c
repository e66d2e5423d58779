/* Shapes: conditions, programs and faults of cycles, each derived by hand beside it. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "generate/gen_cycle_test.h"
#include "generate/gen_shape.h"

#include <stdio.h>
#include <string.h>

struct found {
    const struct gen_vocabulary *vocabulary;
    enum gen_dialect dialect;
    struct arena arena;
    struct strbuf names, condition, line, text; /* of all; of the last */
};

static bool keep(void *context, const struct gen_cycle *cycle, const struct gen_closed *closed)
{
    struct found *f = context;
    struct gen_cycle_test made;
    struct gen_fault fault;
    bool fine = gen_cycle_make(&f->arena, f->vocabulary, f->dialect, cycle, closed, &made, &fault);
    CU_ASSERT_TRUE(fine);
    if (!fine)
        return true;
    strbuf_printf(&f->names, "%s%s", f->names.length ? " " : "", made.test.name);
    strbuf_clear(&f->condition);
    strbuf_clear(&f->line);
    strbuf_clear(&f->text);
    gen_print_outcome(f->vocabulary, &made.program, &made.outcome, &f->condition);
    gen_line(f->vocabulary, &made.program, &f->line);
    gen_print(&made.test, &f->text);
    return true;
}

static void find(struct found *f, const char *text, uint32_t size, struct diag *diag, bool expected)
{
    struct gen_shape_counts counts;
    *f = (struct found){.vocabulary = gen_shape_vocabulary(gen_all_vocabularies(), text)};
    const struct gen_shape_question question = {.text = text,
                                                .is_list = size > 0,
                                                .size = size,
                                                .vocabulary = f->vocabulary,
                                                .option = "--shape"};
    arena_init(&f->arena);
    CU_ASSERT_EQUAL(gen_shape_each(&question, keep, f, &counts, diag), expected);
}

static void found_fini(struct found *f)
{
    strbuf_fini(&f->names);
    strbuf_fini(&f->condition);
    strbuf_fini(&f->line);
    strbuf_fini(&f->text);
    arena_fini(&f->arena);
}

static void expect_texts(const char *shape, const char *condition, const char *part)
{
    struct found f;
    struct diag diag;
    diag_init(&diag);
    find(&f, shape, 0, &diag, true);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&f.condition), condition);
    bool has = strstr(strbuf_text(&f.text), part) != NULL;
    CU_ASSERT_TRUE(has);
    if (!has)
        fprintf(stderr, "%s has no '%s':\n%s", shape, part, strbuf_text(&f.text));
    found_fini(&f);
    diag_fini(&diag);
}

static void classics(void)
{
    /* Registers count from 0 in each work-item; writes of a location from 1, by work-items. */
    expect_texts("MP", "1:r0 = 1 /\\ 1:r1 = 0", "\"MP: ");
    expect_texts("SB", "0:r0 = 0 /\\ 1:r0 = 0", "\"SB: ");
    expect_texts("LB", "0:r0 = 1 /\\ 1:r0 = 1", "\"LB: ");
    /* y = 1 of P0, then y = 2 of P1; x = 2 of P1, then x = 1 of P0. */
    expect_texts("2+2W", "x = 1 /\\ y = 2", "\"2+2W: ");
    expect_texts("R", "1:r0 = 0 /\\ y = 2", "\"R: ");
    expect_texts("S", "1:r0 = 1 /\\ x = 1", "\"S: ");
    expect_texts("WRC", "1:r0 = 1 /\\ 2:r0 = 1 /\\ 2:r1 = 0", "\"WRC: ");
    expect_texts("RWC", "1:r0 = 1 /\\ 1:r1 = 0 /\\ 2:r0 = 0", "\"RWC: ");
    /* x = 2 of P2 is before x = 1 of P0, which P1 has read. */
    expect_texts("WWC", "1:r0 = 1 /\\ 2:r0 = 1 /\\ x = 1", "\"WWC: ");
    /* P1 has read x = 1; its y = 1 is before y = 2 of P2, whose x is the initial one. */
    expect_texts("WRW+WR", "1:r0 = 1 /\\ 2:r0 = 0 /\\ y = 2", "\"WRW+WR: ");
    expect_texts("WRW+2W", "1:r0 = 1 /\\ x = 1 /\\ y = 2", "\"WRW+2W: ");
    expect_texts("IRIW", "1:r0 = 1 /\\ 1:r1 = 0 /\\ 3:r0 = 1 /\\ 3:r1 = 0", "\"IRIW: ");
    expect_texts("ISA2", "1:r0 = 1 /\\ 2:r0 = 1 /\\ 2:r1 = 0", "\"ISA2: ");
    expect_texts("CoRR", "1:r0 = 1 /\\ 1:r1 = 0", "\"CoRR: ");
    /* P1 reads x = 1 of P0, and its own x = 2 is before that. */
    expect_texts("CoRW2", "1:r0 = 1 /\\ x = 1", "\"CoRW2: ");
}

static void crashes(void)
{
    expect_texts("PBwi PodWW Crash", "x = 0 /\\ y = 1", "p_barrier(wi_scope);\n  *y = 1;");
    /* A read has executed, and what it read is not durable. */
    expect_texts("Rfe Crash", "1:r0 = 1 /\\ x = 0", "{ nvm atomic_int x = 0; }");
    expect_texts("PodWW Rfe PodRW Crash", "1:r0 = 1 /\\ x = 0 /\\ z = 1",
                 "{ nvm x = 0; atomic_int y = 0; nvm z = 0; }");
    expect_texts("PodWW Nvm Rfe PodRW Crash", "1:r0 = 1 /\\ x = 0 /\\ z = 1",
                 "nvm atomic_int y = 0;");
    /* At a crash memory does not tell in which order y = 1 and y = 2 were: P2 has seen it. */
    expect_texts("PodWW Wse PodWW Crash", "2:r0 = 1 /\\ 2:r1 = 2 /\\ x = 0 /\\ z = 1", "P2@wg 2");
    /* Memory shows y = 2, the later write of two. */
    expect_texts("PodWW PosWW Crash", "x = 0 /\\ y = 2", "*y = 1;\n  *y = 2;");
}

/* The final value is of one write of three: P2 tells all. In coherence x = 2, 3, 1. */
static void observers(void)
{
    expect_texts("PosWW Wse Wse", "2:r0 = 2 /\\ 2:r1 = 3 /\\ 2:r2 = 1", "P2@wg 2");
}

static void places(void)
{
    expect_texts("PodWW Rfe.wg PodRR Fre", "1:r0 = 1 /\\ 1:r1 = 0", "P1@sg 1 (");
    expect_texts("PodWW Rfe.all PodRR Fre", "1:r0 = 1 /\\ 1:r1 = 0", "P1@dev 1 (");
    expect_texts("PodWW Rfe.dev PodRR Fre", "1:r0 = 1 /\\ 1:r1 = 0", "P1@kr 1 (");
    /* P0 and P1 in one work-group, P2 on another device: both ways from P2 are as wide. */
    expect_texts("Rfe.wg PodRW Rfe.all PodRR Fre", "1:r0 = 1 /\\ 2:r0 = 1 /\\ 2:r1 = 0",
                 "P2@sg 0, dev 1 (");
    /* Between devices accesses reach all. */
    expect_texts("PodWW Rfe.all PodRR Fre", "1:r0 = 1 /\\ 1:r1 = 0",
                 "x.store(1, mo_rlx, all_scope)");
    expect_texts("PodWW Rel.wg Rfe PodRR Fre", "1:r0 = 1 /\\ 1:r1 = 0",
                 "y.store(1, mo_rel, wg_scope)");
}

/* All of the work-group come to its barrier; in another one P0 does not. */
static void meetings(void)
{
    const char *condition = "1:r0 = 1 /\\ x = 0 /\\ z = 1";
    expect_texts("PodWW Rfe.wg PBwg PodRW Crash", condition, "dev_scope);\n  p_barrier(wg_scope);");
    expect_texts("PodWW Rfe.wg PBwg.alone PodRW Crash", condition,
                 "y.store(1, mo_rlx, dev_scope);\n}");
    expect_texts("PodWW Rfe PBwg PodRW Crash", condition, "y.store(1, mo_rlx, dev_scope);\n}");
}

static void mechanisms(void)
{
    expect_texts("oFence PodWW Crash", "x = 0 /\\ y = 1", "*x = 1;\n  oFence();\n  *y = 1;");
    expect_texts("st_wt sfence PodWW Crash", "x = 0 /\\ y = 1",
                 "st_wt(x, 1);\n  sfence();\n  *y = 1;");
    expect_texts("clwb sfence PodWW Crash", "x = 0 /\\ y = 1",
                 "*x = 1;\n  clwb(x);\n  sfence();\n  *y = 1;");
    expect_texts("PodWW pRel.wg Rfe.wg pAcq.wg PodRW Crash", "1:r0 = 1 /\\ x = 0 /\\ z = 1",
                 "prel(y, 1, wg_scope);");
    expect_texts("Tx PodWW Crash", "x = 0 /\\ y = 1", "TX_START;\n  *x = 1;\n  *y = 1;\n  TX_END;");
    expect_texts("Tx1 PodWW Tx1 Crash", "x = 0 /\\ y = 1",
                 "TX_START;\n  *x = 1;\n  TX_END;\n  TX_START;\n  *y = 1;\n  TX_END;");
    expect_texts("PodWW Rfe Acq Rmw Rel PodWW Crash", "1:r0 = 1 /\\ x = 0 /\\ z = 1",
                 "int r0 = y.exchange(2, mo_acq_rel, dev_scope);");
}

static void dependencies(void)
{
    expect_texts("DpDatadW Rfe DpCtrldW Rfe", "0:r0 = 1 /\\ 1:r0 = 1", "if (r0) { x.store(");
    expect_texts("DpDatadW Rfe DpCtrldW Rfe", "0:r0 = 1 /\\ 1:r0 = 1", "1 + (r0 & 0)");
    expect_texts("PodWW Rfe DpAddrdR Fre", "1:r0 = 1 /\\ 1:r1 = 0", "[r0 & 0]");
    /* In the cycle P1 reads the z that nobody writes. */
    expect_texts("PodWW Rfe PodRR DpCtrldR Fre", "1:r0 = 1 /\\ 1:r1 = 0 /\\ 1:r2 = 0",
                 "if (!r1) { int r2 = x.load(mo_rlx, dev_scope); }");
}

/* ---- Which cycles ---- */

static void expect_names(const char *text, uint32_t size, const char *names)
{
    struct found f;
    struct diag diag;
    diag_init(&diag);
    find(&f, text, size, &diag, true);
    CU_ASSERT_STRING_EQUAL(strbuf_text(&f.names), names);
    found_fini(&f);
    diag_fini(&diag);
}

static void rotations(void)
{
    expect_names("Rfe PodRR Fre PodWW", 0, "PodWW+Rfe+PodRR+Fre");
    expect_names("PodWW+Rfe+PodRR+Fre", 0, "PodWW+Rfe+PodRR+Fre");
    expect_names("Crash PBwi PodWW", 0, "PBwi+PodWW+Crash");
    expect_names("PodWW Crash PBwi", 0, "PBwi+PodWW+Crash");
    /* Both loads are of a read and a write: of 4 choices one closes, and of its rotations one
     * counts. */
    expect_names("Pod*W Rfe Pod*W Rfe", 0, "PodRW+Rfe+PodRW+Rfe");
    expect_names("PB* PodWW Crash", 0,
                 "PBwi+PodWW+Crash PBsg+PodWW+Crash PBwg+PodWW+Crash PBkr+PodWW+Crash "
                 "PBdev+PodWW+Crash PBall+PodWW+Crash");
    /* Of two edges there is one location; of three one ends where the next cannot begin. */
    expect_names("PodWR Fre", 4, "PodWR+Fre+PodWR+Fre");
    /* A crash ends a cycle once; a barrier stands in program order or not. */
    expect_names("PodWW PBwi Crash", 2, "PodWW+Crash PBwi+PodWW+Crash");
}

static void expect_fault(const char *text, uint32_t column, const char *message)
{
    struct found f;
    struct diag diag;
    diag_init(&diag);
    find(&f, text, 0, &diag, false);
    CU_ASSERT_EQUAL(diag.errors, 1);
    if (diag.errors) {
        CU_ASSERT_EQUAL(diag.entries.items[0].span.column, column);
        CU_ASSERT_STRING_EQUAL(diag.entries.items[0].message, message);
    }
    found_fini(&f);
    diag_fini(&diag);
}

static void faults(void)
{
    expect_fault("PodWW Fre", 7,
                 "'Fre' begins at a read, and 'PodWW' before it leads to a write, behind which can "
                 "stand Rfe, Wse, Crash, or program order from a write");
    expect_fault("PodWW Rfe", 1,
                 "'PodWW' begins at a write, and 'Rfe' before it leads to a read, behind which can "
                 "stand Fre, Crash, Rmw, or program order from a read");
    expect_fault("PodWR Fre", 1,
                 "'PodWR' leads to another location, and no other edge leads back: all that "
                 "follows stays where it is");
    expect_fault("PosWR Fre", 7, "'Fre' leads to another work-item, and no other edge leads back");
    expect_fault("Rfe Fre", 1,
                 "'Rfe' and all other edges are communication on one location, which has no such "
                 "cycle in any program");
    expect_fault("PosWW Crash", 7,
                 "'Crash' begins and ends at one location: memory holds one version of it, and "
                 "none that is durable without those before it can be seen");
    expect_fault("PodWW Crash PodWW Crash", 19,
                 "'Crash' stands there twice: there is one crash, and each of the two makes a "
                 "shorter cycle");
    expect_fault("PodWW Rfe.all PodRR Fre.wg", 7,
                 "'Rfe.all' puts two work-items further apart than the other edges on the way back "
                 "do; give one of these the same place");
    expect_fault("PodWW Acq Rfe PodRR Fre", 7, "'Acq' is no memory order of a write");
    expect_fault("PBwi Rfe PodRW Crash", 1,
                 "'PBwi' stands where no edge of program order follows: between two accesses of "
                 "one work-item there is room for it");
    expect_fault("Nvm", 1, "found no edge, expected some, such as PodWW or Rfe");
    expect_fault("Rlx Rel PodWW Crash", 5,
                 "found a second word that says this of one access or edge, expected an edge "
                 "between the two");
    expect_fault("PodWW Rfee PodRR Fre", 7,
                 "found 'Rfee', expected a word of shapes; did you mean 'Rfe'?");
    expect_fault("", 1, "found no word, expected a shape, such as 'PodWW Rfe PodRR Fre'");
}

void suite_gen_shape(void)
{
    CU_pSuite suite = CU_add_suite("gen_shape", NULL, NULL);
    UNIT_TEST(suite, classics);
    UNIT_TEST(suite, crashes);
    UNIT_TEST(suite, observers);
    UNIT_TEST(suite, places);
    UNIT_TEST(suite, meetings);
    UNIT_TEST(suite, mechanisms);
    UNIT_TEST(suite, dependencies);
    UNIT_TEST(suite, rotations);
    UNIT_TEST(suite, faults);
}
