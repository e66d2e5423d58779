/* PTX tests: tables, instructions, labels, loops and awaits. */
#include "test_lit_fixture.h"

/* Asserts the code of the only thread. x, y and z are locations, y in NVM; r7 is 3. */
static void expect_rows(const char *rows, const char *expected)
{
    struct strbuf text = {0};
    strbuf_printf(&text,
                  "PTX t\n{ x = 0; nvm y = 0; z = 0; P0:r7 = 3; }\n P0@cta 0,gpu 0 ;\n%s\n"
                  "exists (true)\n",
                  rows);
    lit_expect_p0(strbuf_text(&text), expected);
    strbuf_fini(&text);
}

/* A text with one error. */
static void refuse(const char *text, enum diag_id id)
{
    lit_expect_refused(text, strlen(text), id, 1);
}

/* ---- Instructions ---- */

static void test_accesses(void)
{
    /* weak is no atomic access; volatile is relaxed at the widest scope. */
    expect_rows("ld.weak r1, x ;\nst.weak x, r1 ;\nst.weak x, -2 ;",
                "0: LOAD r1 = [x] NA\n1: STORE [x] = r1 NA\n2: STORE [x] = -2 NA\n");
    expect_rows("ld.volatile r1, x ;\nst.volatile x, 1 ;",
                "0: LOAD r1 = [x] RLX ALL\n1: STORE [x] = 1 RLX ALL\n");
    expect_rows("ld.relaxed.cta r1, x ;\nld.acquire.gpu r1, y ;\nld.acquire.sys r1, [z] ;",
                "0: LOAD r1 = [x] RLX WG\n1: LOAD r1 = [y] ACQ DV\n2: LOAD r1 = [z] ACQ ALL\n");
    expect_rows("st.relaxed.sys x, 1 ;\nst.release.cta y, 0x10 ;\nst.release.gpu z, r7 ;",
                "0: STORE [x] = 1 RLX ALL\n1: STORE [y] = 16 REL WG\n2: STORE [z] = r7 REL DV\n");
}

static void test_access_fields(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "PTX t\n{ x = 0; y = 0; }\nP0@cta 0,gpu 0 ;\n"
                                 "ld.weak r1, y ;\nst.release.gpu y, r1 ;\nexists (true)");
    const struct lit_thread *thread = &fixture.program->threads[0];
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 2);
    const struct lit_instr *load = &thread->code[0], *store = &thread->code[1];
    CU_ASSERT_EQUAL(load->op, LIT_LOAD);
    CU_ASSERT_EQUAL(load->order, LIT_ORDER_NA);
    CU_ASSERT_EQUAL(load->addr.first, 1); /* y is the second location */
    CU_ASSERT_EQUAL(load->addr.count, 1);
    CU_ASSERT_PTR_NULL(load->addr.index);
    CU_ASSERT_EQUAL(load->span.line, 4);
    CU_ASSERT_STRING_EQUAL(thread->registers[load->dst].name, "r1");
    CU_ASSERT_EQUAL(thread->registers[load->dst].type, LIT_INT);
    CU_ASSERT_EQUAL(thread->registers[load->dst].init, 0);
    CU_ASSERT_EQUAL(store->order, LIT_ORDER_REL);
    CU_ASSERT_EQUAL(store->scope, LIT_SCOPE_DV);
    CU_ASSERT_EQUAL(store->value->reg, load->dst);
    lit_fixture_fini(&fixture);
}

static void test_read_modify_writes(void)
{
    expect_rows("atom.relaxed.cta.add r1, x, 1 ;\natom.acquire.gpu.sub r1, x, r1 ;\n"
                "atom.release.sys.exch r1, x, 2 ;\natom.acq_rel.gpu.and r1, x, 3 ;\n"
                "atom.relaxed.gpu.or r1, x, 4 ;\natom.relaxed.gpu.xor r1, x, 5 ;\n"
                "atom.relaxed.gpu.min r1, x, 6 ;\natom.relaxed.gpu.max r1, x, 7 ;",
                "0: RMW r1 = [x] add 1 RLX WG\n1: RMW r1 = [x] sub r1 ACQ DV\n"
                "2: RMW r1 = [x] exchange 2 REL ALL\n3: RMW r1 = [x] and 3 ACQ_REL DV\n"
                "4: RMW r1 = [x] or 4 RLX DV\n5: RMW r1 = [x] xor 5 RLX DV\n"
                "6: RMW r1 = [x] min 6 RLX DV\n7: RMW r1 = [x] max 7 RLX DV\n");
    /* red gives no value. */
    expect_rows("red.acq_rel.cta.add x, 1 ;\nred.relaxed.sys.sub x, r7 ;",
                "0: RMW _ = [x] add 1 ACQ_REL WG\n1: RMW _ = [x] sub r7 RLX ALL\n");
    /* cas gives the old value; one that fails only reads, so it releases nothing. */
    expect_rows("atom.relaxed.gpu.cas r1, x, 0, r7 ;\natom.acq_rel.gpu.cas r1, x, r7, 2 ;\n"
                "atom.release.gpu.cas r1, x, 0, 1 ;\natom.acquire.gpu.cas r1, x, 0, 1 ;",
                "0: CAS _ = [x] expected 0 new r7 RLX DV failing RLX old r1\n"
                "1: CAS _ = [x] expected r7 new 2 ACQ_REL DV failing ACQ old r1\n"
                "2: CAS _ = [x] expected 0 new 1 REL DV failing RLX old r1\n"
                "3: CAS _ = [x] expected 0 new 1 ACQ DV failing ACQ old r1\n");
}

static void test_fences(void)
{
    expect_rows("fence.sc.cta ;\nfence.sc.sys ;\nfence.acq_rel.gpu ;",
                "0: FENCE SC WG global|local\n1: FENCE SC ALL global|local\n"
                "2: FENCE ACQ_REL DV global|local\n");
    /* membar is fence.sc. */
    expect_rows("membar.cta ;\nmembar.gl ;\nmembar.sys ;",
                "0: FENCE SC WG global|local\n1: FENCE SC DV global|local\n"
                "2: FENCE SC ALL global|local\n");
    expect_rows("pbar.thread ;\npbar.cta ;\npbar.gpu ;\npbar.sys ;",
                "0: PBARRIER WI\n1: PBARRIER WG\n2: PBARRIER DV\n3: PBARRIER ALL\n");
}

static void test_barriers(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture, "PTX t\n{}\nP0@cta 0,gpu 0 ;\n bar.cta.sync 3 ;\n"
                                 "bar.cta.sync 3, r1 ;\nbar.cta.arrive 12, 1, r2 ;\n"
                                 "bar.sync 3 ;\nbarrier.cta.arrive 0 ;\nexists (true)");
    const struct lit_instr *code = fixture.program->threads[0].code;
    CU_ASSERT_EQUAL_FATAL(fixture.program->threads[0].code_count, 5);
    for (int i = 0; i < 5; i++) {
        CU_ASSERT_EQUAL(code[i].op, LIT_BARRIER);
        CU_ASSERT_EQUAL(code[i].exec_scope, LIT_SCOPE_WG);
        CU_ASSERT_EQUAL(code[i].scope, LIT_SCOPE_WG);
        CU_ASSERT_TRUE(code[i].named);
        CU_ASSERT_EQUAL(code[i].arrive, i == 2 || i == 4);
    }
    CU_ASSERT_STRING_EQUAL(code[0].label, "3");
    CU_ASSERT_PTR_EQUAL(code[0].label, code[1].label); /* interned */
    CU_ASSERT_PTR_EQUAL(code[0].label, code[3].label);
    CU_ASSERT_STRING_EQUAL(code[2].label, "12");
    CU_ASSERT_PTR_NULL(code[0].resource);
    CU_ASSERT_PTR_NULL(code[0].quorum);
    CU_ASSERT_EQUAL(code[1].resource->op, LIT_OP_REG);
    CU_ASSERT_PTR_NULL(code[1].quorum);
    CU_ASSERT_EQUAL(code[2].resource->op, LIT_OP_CONST);
    CU_ASSERT_EQUAL(code[2].resource->value, 1);
    CU_ASSERT_EQUAL(code[2].quorum->op, LIT_OP_REG);
    lit_fixture_fini(&fixture);
    expect_rows("bar.cta.arrive 1, 2, 3 ;", "0: BARRIER WG memory WG global|local label 1 named "
                                            "arrive resource 2 quorum 3\n");
}

static void test_arithmetic(void)
{
    expect_rows("add r1, r1, r7 ;\nsub r1, r7, 1 ;\nmul r1, 2, r7 ;\ndiv r1, r7, r1 ;\n"
                "and r1, r1, 1 ;\nor r1, r1, 1 ;\nxor r1, r1, 1 ;",
                "0: SET r1 = (r1 + r7)\n1: SET r1 = (r7 - 1)\n2: SET r1 = (2 * r7)\n"
                "3: SET r1 = (r7 / r1)\n4: SET r1 = (r1 & 1)\n5: SET r1 = (r1 | 1)\n"
                "6: SET r1 = (r1 ^ 1)\n");
    expect_rows("min r1, r7, 2 ;\nmax r1, r7, 2 ;\nmin r1, 5, 2 ;",
                "0: SET r1 = ((r7 < 2) ? r7 : 2)\n1: SET r1 = ((r7 > 2) ? r7 : 2)\n"
                "2: SET r1 = 2\n");
    expect_rows("ld r1, 5 ;\nld r2, r1 ;\nmov r3, r2 ;\nmov r3, -1 ;",
                "0: SET r1 = 5\n1: SET r2 = r1\n2: SET r3 = r2\n3: SET r3 = -1\n");
}

static void test_crash(void)
{
    struct lit_fixture fixture;
    expect_rows("crash ;\ncrash \"here\" ;", "0: CRASH \"\"\n1: CRASH \"here\"\n");
    /* As an instruction and as the word of a condition. */
    lit_fixture_accept(&fixture, "PTX t\n{ nvm x = 0; }\nP0@cta 0,gpu 0 ;\nst.weak x, 1 ;\n"
                                 "crash ;\ncrash exists (x = 1)\ncrash ~exists (x = 0)\n");
    CU_ASSERT_TRUE(fixture.program->has_crash_points);
    CU_ASSERT_EQUAL(fixture.program->threads[0].code_count, 2);
    CU_ASSERT_EQUAL_FATAL(fixture.program->condition_count, 2);
    CU_ASSERT_EQUAL(fixture.program->conditions[0].when, LIT_CRASHED);
    CU_ASSERT_EQUAL(fixture.program->conditions[1].quantifier, LIT_NOT_EXISTS);
    lit_fixture_fini(&fixture);
}

/* ---- Jumps and loops ---- */

static void test_jumps(void)
{
    /* A BRANCH leads on when its value is 0: beq when r1 != 0 is false. A label may stand
     * alone, before an instruction, or at the end. */
    expect_rows("ld.weak r1, x ;\nbeq r1, 0, A ;\nbne r1, 0, A ;\nblt r1, 0, A ;\n"
                "ble r1, 0, B ;\nA: bgt r1, 0, B ;\nbge r1, r7, end ;\nB: ;\ngoto end ;\n"
                "bra end ;\nend: ;",
                "0: LOAD r1 = [x] NA\n1: BRANCH (r1 != 0) else 5\n2: BRANCH (r1 == 0) else 5\n"
                "3: BRANCH (r1 >= 0) else 5\n4: BRANCH (r1 > 0) else 7\n"
                "5: BRANCH (r1 <= 0) else 7\n6: BRANCH (r1 < r7) else 9\n7: JUMP 9\n8: JUMP 9\n");
}

static void test_awaits(void)
{
    /* The last instruction alone goes back. */
    expect_rows("L: ;\nld.weak r1, x ;\nbeq r1, 0, L ;",
                "0: AWAIT 0 from 0 to 3\n1: LOAD r1 = [x] NA\n2: BRANCH (r1 != 0) else 4\n"
                "3: JUMP 6\n4: LOOP 0\n5: JUMP 0\n");
    /* A branch past the jump back. */
    expect_rows("beq r7, 1, out ;\nL: ld.acquire.gpu r1, x ;\nbeq r1, r7, out ;\ngoto L ;\nout: ;\n"
                "st.weak y, r1 ;",
                "0: BRANCH (r7 != 1) else 5\n1: AWAIT 0 from 1 to 5\n2: LOAD r1 = [x] ACQ DV\n"
                "3: BRANCH (r1 != r7) else 5\n4: JUMP 7\n5: STORE [y] = r1 NA\n6: JUMP 9\n"
                "7: LOOP 0\n8: JUMP 1\n");
    /* Arithmetic, and a jump forward to the test. */
    expect_rows("L: ld.weak r1, x ;\nbne r1, 2, test ;\nld.weak r1, y ;\ntest: bne r1, 1, L ;",
                "0: AWAIT 0 from 0 to 5\n1: LOAD r1 = [x] NA\n2: BRANCH (r1 == 2) else 4\n"
                "3: LOAD r1 = [y] NA\n4: BRANCH (r1 == 1) else 6\n5: JUMP 8\n6: LOOP 0\n"
                "7: JUMP 0\n");
    expect_rows("L: ld.weak r1, x ;\nadd r2, r1, r7 ;\nblt r2, 5, L ;",
                "0: AWAIT 0 from 0 to 4\n1: LOAD r1 = [x] NA\n2: SET r2 = (r1 + r7)\n"
                "3: BRANCH (r2 >= 5) else 5\n4: JUMP 7\n5: LOOP 0\n6: JUMP 0\n");
    /* Entered in the middle; left to elsewhere. */
    expect_rows("goto M ;\nL: ld.weak r1, x ;\nM: bne r1, 1, L ;",
                "0: JUMP 3\n1: AWAIT 0 from 1 to 4\n2: LOAD r1 = [x] NA\n"
                "3: BRANCH (r1 == 1) else 5\n4: JUMP 7\n5: LOOP 0\n6: JUMP 1\n");
    expect_rows("L: ld.weak r1, x ;\nbeq r1, 2, far ;\nbne r1, 1, L ;\nst.weak y, 1 ;\nfar: ;",
                "0: AWAIT 0 from 0 to 4\n1: LOAD r1 = [x] NA\n2: BRANCH (r1 != 2) else 8\n"
                "3: BRANCH (r1 == 1) else 6\n4: STORE [y] = 1 NA\n5: JUMP 8\n6: LOOP 0\n"
                "7: JUMP 0\n");
}

static void test_awaits_with_exits(void)
{
    /* Two ways out, or two ways back. */
    expect_rows("L: ld.weak r1, x ;\nld.weak r2, y ;\nbeq r1, 1, out ;\nbne r2, 1, L ;\nout: ;",
                "0: AWAIT 0 from 0 to 5\n1: LOAD r1 = [x] NA\n2: LOAD r2 = [y] NA\n"
                "3: BRANCH (r1 != 1) else 8\n4: BRANCH (r2 == 1) else 6\n5: JUMP 8\n6: LOOP 0\n"
                "7: JUMP 0\n");
    expect_rows("L: ld.weak r1, x ;\nld.weak r2, y ;\nbeq r1, 0, L ;\nbeq r2, 1, out ;\ngoto L ;\n"
                "out: ;",
                "0: AWAIT 0 from 0 to 6\n1: LOAD r1 = [x] NA\n2: LOAD r2 = [y] NA\n"
                "3: BRANCH (r1 != 0) else 7\n4: BRANCH (r2 != 1) else 9\n5: JUMP 7\n6: JUMP 9\n"
                "7: LOOP 0\n8: JUMP 0\n");
    /* A lock that waits before it tries. */
    expect_rows("L: ld.relaxed.gpu r1, x ;\nbne r1, 0, L ;\natom.acquire.gpu.exch r2, x, 1 ;\n"
                "bne r2, 0, L ;\nst.weak y, 1 ;",
                "0: AWAIT 0 from 0 to 5\n1: LOAD r1 = [x] RLX DV\n2: BRANCH (r1 == 0) else 7\n"
                "3: RMW r2 = [x] exchange 1 ACQ DV\n4: BRANCH (r2 == 0) else 7\n"
                "5: STORE [y] = 1 NA\n6: JUMP 9\n7: LOOP 0\n8: JUMP 0\n");
    /* A count that nobody reads. */
    expect_rows("L: ld.weak r1, x ;\nadd r2, r2, 1 ;\nbne r1, 1, L ;",
                "0: AWAIT 0 from 0 to 3\n1: LOAD r1 = [x] NA\n2: BRANCH (r1 == 1) else 4\n"
                "3: JUMP 6\n4: LOOP 0\n5: JUMP 0\n");
}

/* Not awaits: there is a LOOP only. */
static void test_loops(void)
{
    /* A store in it. */
    expect_rows("L: ld.weak r1, x ;\nst.weak y, 1 ;\nbne r1, 1, L ;\nst.weak y, 2 ;",
                "0: LOAD r1 = [x] NA\n1: STORE [y] = 1 NA\n2: BRANCH (r1 == 1) else 5\n"
                "3: STORE [y] = 2 NA\n4: JUMP 7\n5: LOOP 0\n6: JUMP 0\n");
    /* r2 counts, and is stored. */
    expect_rows("L: ld.weak r1, x ;\nadd r2, r2, 1 ;\nbne r1, 1, L ;\nst.weak y, r2 ;",
                "0: LOAD r1 = [x] NA\n1: SET r2 = (r2 + 1)\n2: BRANCH (r1 == 1) else 5\n"
                "3: STORE [y] = r2 NA\n4: JUMP 7\n5: LOOP 0\n6: JUMP 0\n");
    /* r2 is what the iteration before has read. */
    expect_rows("L: mov r2, r1 ;\nld.weak r1, x ;\nbne r1, 1, L ;\nst.weak y, r2 ;",
                "0: SET r2 = r1\n1: LOAD r1 = [x] NA\n2: BRANCH (r1 == 1) else 5\n"
                "3: STORE [y] = r2 NA\n4: JUMP 7\n5: LOOP 0\n6: JUMP 0\n");
    /* Left in the middle, r2 may be that of an earlier iteration. */
    expect_rows("L: ld.weak r1, x ;\nbeq r1, 1, out ;\nld.weak r2, y ;\nbne r2, 1, L ;\nout: ;\n"
                "st.weak z, r2 ;",
                "0: LOAD r1 = [x] NA\n1: BRANCH (r1 != 1) else 4\n2: LOAD r2 = [y] NA\n"
                "3: BRANCH (r2 == 1) else 6\n4: STORE [z] = r2 NA\n5: JUMP 8\n6: LOOP 0\n"
                "7: JUMP 0\n");
    /* Nothing is read from memory. */
    expect_rows("L: sub r1, r7, 1 ;\nbne r1, 1, L ;",
                "0: SET r1 = (r7 - 1)\n1: BRANCH (r1 == 1) else 3\n2: JUMP 5\n3: LOOP 0\n"
                "4: JUMP 0\n");
}

static void test_nested_loops(void)
{
    /* The detour of the outer loop comes first. */
    expect_rows("O: ld.weak r1, x ;\nI: ld.weak r2, y ;\nst.weak z, 1 ;\nbne r2, 1, I ;\n"
                "bne r1, 1, O ;",
                "0: LOAD r1 = [x] NA\n1: LOAD r2 = [y] NA\n2: STORE [z] = 1 NA\n"
                "3: BRANCH (r2 == 1) else 8\n4: BRANCH (r1 == 1) else 6\n5: JUMP 10\n"
                "6: LOOP 0\n7: JUMP 0\n8: LOOP 1\n9: JUMP 1\n");
    /* An await in a loop. */
    expect_rows("O: st.weak z, 1 ;\nI: ld.weak r2, y ;\nbne r2, 1, I ;\nld.weak r1, x ;\n"
                "bne r1, 1, O ;",
                "0: STORE [z] = 1 NA\n1: AWAIT 1 from 1 to 4\n2: LOAD r2 = [y] NA\n"
                "3: BRANCH (r2 == 1) else 9\n4: LOAD r1 = [x] NA\n"
                "5: BRANCH (r1 == 1) else 7\n6: JUMP 11\n7: LOOP 0\n8: JUMP 0\n9: LOOP 1\n"
                "10: JUMP 1\n");
    refuse("PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 ;\nL: ld.weak r1, x ;\ngoto L ;\nexists (true)",
           DIAG_LIT_LOOP);
}

/* ---- Tables ---- */

static void test_table(void)
{
    struct lit_fixture fixture;
    /* Columns, empty cells, comments, a row over two lines, several titles. */
    lit_fixture_accept(&fixture,
                       "PTX t\n\"one\n  title\"\n\"another\"\n{ x = 0; P1:r2 = 4; 0:r1=5 }\n"
                       "P0@cta 0,gpu 0 | P1@cta 1,gpu 2 |P2@gpu 1 ; // heads\n"
                       " st.weak x, 1  |                |         ;\n"
                       "               | ld.weak r1, x  |;(* a (* nested *) one *)\n"
                       " ||;\n st.weak y, r1 |\n st.weak y, r2 | st.weak filter, 3 ;\n"
                       " /* end */\nfinal exists (1:r1 = 1 /\\ P1:r2 == P0:r1)\nfilter (x = 1)\n"
                       "locations [x; 1:r1]\nexpect sc + strict : ok\n");
    lit_expect_text(strbuf_text(&fixture.dump),
                    "test t\n\"one title\"\nmemory split-rmw partial-coherence jumps\nint x = 0\n"
                    "int y = 0\nint filter = 0\nP0 sg 0 wg 0 kr 0 dev 0\n  0: STORE [x] = 1 NA\n"
                    "  1: STORE [y] = r1 NA\nP1 sg 0 wg 1 kr 0 dev 2\n  0: LOAD r1 = [x] NA\n"
                    "  1: STORE [y] = r2 NA\nP2 sg 0 wg 0 kr 0 dev 1\n  0: STORE [filter] = 3 NA\n"
                    "locations x; 1:r1\nfilter x=1\nfinal exists (1:r1=1 /\\ 1:r2=0:r1)\n"
                    "expect sc + strict : ok\n");
    CU_ASSERT_TRUE(fixture.program->split_rmw);
    CU_ASSERT_TRUE(fixture.program->partial_coherence);
    CU_ASSERT_EQUAL(fixture.program->locations[1].span.line, 0); /* y: not in the block */
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture, "OPENCL t\n{ x = 0; }\nP0 { x = 1; }\nexists (true)");
    CU_ASSERT_FALSE(fixture.program->split_rmw);
    CU_ASSERT_FALSE(fixture.program->partial_coherence);
    lit_fixture_fini(&fixture);
}

static void test_recovery(void)
{
    struct lit_fixture fixture;
    lit_fixture_accept(&fixture,
                       "PTX t\n{ nvm x = 0; 0:r1 = 7; }\nP0@cta 0,gpu 0 ;\nst.weak x, 1 ;\n"
                       "recovery restartable\n P0@cta 0,gpu 0 | P1@cta 3,gpu 1 ;\n"
                       " ld.weak r1, x | ;\n pbar.thread | st.weak x, r1 ;\n"
                       "recovered forall (0:r1 = 1 \\/ 0:r1 = 0)\n");
    const struct lit_program *program = fixture.program;
    CU_ASSERT_EQUAL(program->thread_count, 1);
    CU_ASSERT_EQUAL_FATAL(program->recovery_count, 2);
    CU_ASSERT_TRUE(program->recovery_restartable);
    CU_ASSERT_EQUAL(program->recovery[0].code_count, 2);
    CU_ASSERT_EQUAL(program->recovery[0].code[1].op, LIT_PBARRIER);
    CU_ASSERT_EQUAL(program->recovery[1].wg, 3);
    CU_ASSERT_EQUAL(program->recovery[1].dev, 1);
    /* Initial values are those of the first run. */
    CU_ASSERT_EQUAL(program->recovery[0].registers[0].init, 0);
    CU_ASSERT_EQUAL(program->conditions[0].when, LIT_RECOVERED);
    lit_fixture_fini(&fixture);
    lit_fixture_accept(&fixture, "PTX t\n{ nvm x = 0; }\nP0@cta 0,gpu 0 ;\nst.weak x, 1 ;\n"
                                 "recovery\nP0 ;\nst.weak x, 2 ;\nrecovered exists (x = 2)");
    CU_ASSERT_FALSE(fixture.program->recovery_restartable);
    CU_ASSERT_EQUAL(fixture.program->recovery_count, 1);
    lit_fixture_fini(&fixture);
}

static void test_refused(void)
{
    static const struct {
        const char *rows;
        enum diag_id id;
    } cases[] = {
        {"ld.weak r1 ;", DIAG_LIT_ARGUMENT},
        {"ld.weak.gpu r1, x ;", DIAG_LIT_SCOPE},
        {"ld.relaxed r1, x ;", DIAG_LIT_SCOPE},
        {"ld.release.gpu r1, x ;", DIAG_LIT_ORDER},
        {"st.relaxed.gpu.cta x, 1 ;", DIAG_LIT_FUNCTION},
        {"atom.relaxed.gpu r1, x, 1 ;", DIAG_LIT_FUNCTION},
        {"ldx.weak r1, x ;", DIAG_LIT_FUNCTION},
        {".weak r1, x ;", DIAG_LIT_SYNTAX},
        {"add x, r1, 1 ;", DIAG_LIT_REGISTER},
        {"goto L ;", DIAG_LIT_UNBOUND},
        {"L: ; L: ;", DIAG_LIT_DUPLICATE},
        {"bar.cta.sync 1, 1, 0 ;", DIAG_LIT_NUMBER},
        {"bar.cta.sync 1, 1, -1 ;", DIAG_LIT_NUMBER},
        {"bar.sync 1, 32 ;", DIAG_LIT_ARGUMENT},
        {"suld r1, x ;", DIAG_LIT_UNSUPPORTED},
        {"membar.proxy.alias ;", DIAG_LIT_UNSUPPORTED},
        {"st.weak x, 1 | ;", DIAG_LIT_ROW},
        {"st.weak x, 1", DIAG_LIT_SYNTAX},
        {"st.weak x, 3000000000 ;", DIAG_LIT_NUMBER},
        {"st.weak \"x\", 1 ;", DIAG_LIT_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf text = {0};
        strbuf_printf(&text, "PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 ;\n%s\nexists (true)\n",
                      cases[i].rows);
        refuse(strbuf_text(&text), cases[i].id);
        strbuf_fini(&text);
    }
}

/* Many and long: bounded, and said. */
static void test_bounds(void)
{
    struct strbuf text = {0};
    strbuf_add(&text, "PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 4097; i++) /* one more than a thread may have */
        strbuf_add(&text, "ld.weak r1, x ;\n");
    strbuf_add(&text, "exists (true)\n");
    refuse(strbuf_text(&text), DIAG_LIT_TOO_LARGE);
    strbuf_fini(&text);
    text = (struct strbuf){0};
    strbuf_add(&text, "PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 5000; i++)
        strbuf_printf(&text, "L%d: ;\n", i);
    strbuf_add(&text, "exists (true)\n");
    refuse(strbuf_text(&text), DIAG_LIT_TOO_LARGE);
    strbuf_fini(&text);
    text = (struct strbuf){0};
    strbuf_add(&text, "PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 ;\n");
    for (int i = 0; i < 2000; i++) /* each its loop, which only waits; 6000 instructions then */
        strbuf_printf(&text, "L%d: ld.weak r1, x ;\nbne r1, 1, L%d ;\n", i, i);
    strbuf_add(&text, "exists (true)\n");
    refuse(strbuf_text(&text), DIAG_LIT_TOO_LARGE);
    strbuf_fini(&text);
}

void suite_lit_ptx(void)
{
    CU_pSuite suite = CU_add_suite("lit_ptx", NULL, NULL);
    UNIT_TEST(suite, test_accesses);
    UNIT_TEST(suite, test_access_fields);
    UNIT_TEST(suite, test_read_modify_writes);
    UNIT_TEST(suite, test_fences);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_arithmetic);
    UNIT_TEST(suite, test_crash);
    UNIT_TEST(suite, test_jumps);
    UNIT_TEST(suite, test_awaits);
    UNIT_TEST(suite, test_awaits_with_exits);
    UNIT_TEST(suite, test_loops);
    UNIT_TEST(suite, test_nested_loops);
    UNIT_TEST(suite, test_table);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_refused);
    UNIT_TEST(suite, test_bounds);
}
