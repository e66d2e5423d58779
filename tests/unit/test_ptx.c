/* Compiled kernels: what becomes of a few lines of PTX. What is refused is in
 * tests/malformed/ptx. */
#include "ptx/ptx_inline.h"
#include "ptx/ptx_special.h"
#include "ptx/ptx_warp.h"
#include "test_lit_fixture.h"

#define HEAD ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k("
#define BODY                                                                          \
    ")\n{\n.reg .pred %p<4>;\n.reg .b16 %s<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n" \
    ".reg .b64 %d<8>;\n.shared .align 4 .b8 part[8];\n"
#define POINTER HEAD ".param .u64 a" BODY "ld.param.u64 %d1, [a];\n"

/* The test with this code and these objects; `launch` has the extents and arguments. */
static void read_code(struct lit_fixture *fixture, const char *code, const char *objects,
                      const char *launch)
{
    *fixture = (struct lit_fixture){0};
    arena_init(&fixture->arena);
    diag_init(&fixture->diag);
    fixture->names = intern_new();
    const char *text = arena_printf(
        &fixture->arena, "CUDA t\ncode \"k.ptx\"\n{ %s }\nhost { k<<<%s; }\n", objects, launch);
    const struct source *source = source_from_text(&fixture->arena, "t.litmus", text, strlen(text));
    const struct source *ptx = source_from_text(&fixture->arena, "k.ptx", code, strlen(code));
    const struct lit_surroundings around = {.code = ptx};
    fixture->program =
        lit_parse_in(&fixture->arena, fixture->names, source, &around, &fixture->diag);
    diag_render(&fixture->diag, &fixture->messages);
    if (!fixture->program)
        fprintf(stderr, "%s\n", strbuf_text(&fixture->messages));
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture->program);
}

static void expect_code(const char *code, const char *objects, const char *launch,
                        const char *expected)
{
    struct lit_fixture fixture;
    read_code(&fixture, code, objects, launch);
    lit_program_dump(fixture.program, &fixture.dump);
    const char *at = strstr(strbuf_text(&fixture.dump), expected);
    if (!at)
        fprintf(stderr, "expected\n%s\nin\n%s\n", expected, strbuf_text(&fixture.dump));
    CU_ASSERT_PTR_NOT_NULL(at);
    lit_fixture_fini(&fixture);
}

/* What `operation` computes of constants, as the one value that the thread stores. */
static void expect_value(const char *operation, int64_t value)
{
    struct lit_fixture fixture;
    struct arena arena = {0};
    const char *code = arena_printf(&arena, "%s%s\n%s", POINTER, operation,
                                    "st.global.u64 [%d1], %d2;\nret;\n}\n");
    read_code(&fixture, code, "ulong x;", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 1);
    CU_ASSERT_EQUAL_FATAL(thread->code[0].value->op, LIT_OP_CONST);
    if (thread->code[0].value->value != value)
        fprintf(stderr, "%s: %lld\n", operation, (long long)thread->code[0].value->value);
    CU_ASSERT_EQUAL(thread->code[0].value->value, value);
    lit_fixture_fini(&fixture);
    arena_fini(&arena);
}

/* By the manual's descriptions of the instructions. */
static void test_values(void)
{
    expect_value("mov.u64 %d2, 7;", 7);
    expect_value("mov.u32 %r1, -1; cvt.u64.u32 %d2, %r1;", 4294967295);
    expect_value("mov.u32 %r1, -1; cvt.s64.s32 %d2, %r1;", -1);
    expect_value("mov.u32 %r1, 300; cvt.u64.u8 %d2, %r1;", 44);
    expect_value("mov.u32 %r1, 200; cvt.s64.s8 %d2, %r1;", -56);
    expect_value("mov.u32 %r1, -3; mul.wide.s32 %d2, %r1, 4;", -12);
    expect_value("mov.u32 %r1, -1; mul.wide.u32 %d2, %r1, 2;", 8589934590);
    expect_value("mov.u32 %r1, 65536; mul.lo.s32 %r2, %r1, %r1; cvt.u64.u32 %d2, %r2;", 0);
    expect_value("mov.u32 %r1, 65536; mul.hi.u32 %r2, %r1, %r1; cvt.u64.u32 %d2, %r2;", 1);
    expect_value("mov.u32 %r1, 5; mad.lo.s32 %r2, %r1, 3, -20; cvt.s64.s32 %d2, %r2;", -5);
    expect_value("mov.u32 %r1, -7; div.s32 %r2, %r1, 2; cvt.s64.s32 %d2, %r2;", -3);
    expect_value("mov.u32 %r1, -7; rem.s32 %r2, %r1, 2; cvt.s64.s32 %d2, %r2;", -1);
    expect_value("mov.u32 %r1, 1; shl.b32 %r2, %r1, 32; cvt.u64.u32 %d2, %r2;", 0);
    expect_value("mov.u32 %r1, -8; shr.s32 %r2, %r1, 99; cvt.s64.s32 %d2, %r2;", -1);
    expect_value("mov.u32 %r1, -8; shr.u32 %r2, %r1, 28; cvt.u64.u32 %d2, %r2;", 15);
    expect_value("mov.u32 %r1, -8; min.u32 %r2, %r1, 3; cvt.u64.u32 %d2, %r2;", 3);
    expect_value("mov.u32 %r1, -8; min.s32 %r2, %r1, 3; cvt.s64.s32 %d2, %r2;", -8);
    expect_value("mov.u32 %r1, 6; not.b32 %r2, %r1; and.b32 %r2, %r2, 15; cvt.u64.u32 %d2, %r2;",
                 9);
    expect_value("setp.lt.u32 %p1, 1, 2; selp.b64 %d2, 8, 9, %p1;", 8);
    expect_value("setp.lt.u32 %p1, 1, 2; setp.ne.and.s32 %p2, 1, 1, %p1; selp.b64 %d2, 8, 9, %p2;",
                 9);
    expect_value("setp.lo.u32 %p1, 1, 2; not.pred %p2, %p1; selp.b64 %d2, 8, 9, %p2;", 9);
    expect_value("mov.b64 %d3, 3; sub.s64 %d2, %d3, 5;", -2);
}

/* Of bits: 0xF0 has the field 3 at bit 6; 1 at bit 31 is the sign of what stands above. */
static void test_bits(void)
{
    expect_value("bfe.u32 %r2, 240, 6, 4; cvt.u64.u32 %d2, %r2;", 3);
    expect_value("bfe.s32 %r2, 240, 6, 2; cvt.s64.s32 %d2, %r2;", -1);
    expect_value("bfe.s32 %r2, 240, 6, 0; cvt.s64.s32 %d2, %r2;", 0);
    expect_value("bfi.b32 %r2, 5, 0, 4, 2; cvt.u64.u32 %d2, %r2;", 16);
    expect_value("bfind.u32 %r2, 240; cvt.u64.u32 %d2, %r2;", 7);
    expect_value("bfind.s32 %r2, -1; cvt.s64.s32 %d2, %r2;", -1);
    expect_value("bfind.shiftamt.u32 %r2, 240; cvt.u64.u32 %d2, %r2;", 24);
    expect_value("brev.b32 %r2, 1; cvt.u64.u32 %d2, %r2;", 2147483648);
    expect_value("mov.u64 %d3, 1; clz.b64 %r2, %d3; cvt.u64.u32 %d2, %r2;", 63);
    expect_value("popc.b32 %r2, 240; cvt.u64.u32 %d2, %r2;", 4);
    expect_value("prmt.b32 %r2, 128, 7, 0x4088; cvt.u64.u32 %d2, %r2;", 125894655);
    expect_value("lop3.b32 %r2, 12, 10, 6, 0x96; cvt.u64.u32 %d2, %r2;", 0);
    expect_value("shf.l.wrap.b32 %r2, -1, 1, 33; cvt.u64.u32 %d2, %r2;", 3);
    expect_value("shf.r.clamp.b32 %r2, 5, 7, 40; cvt.u64.u32 %d2, %r2;", 7);
    expect_value("cnot.b32 %r2, 0; cvt.u64.u32 %d2, %r2;", 1);
    expect_value("set.lt.u32.s32 %r2, -1, 0; cvt.u64.u32 %d2, %r2;", 4294967295);
    expect_value("slct.b64.s32 %d2, 8, 9, -1;", 9);
    expect_value("mov.u64 %d3, -1; mul.hi.u64 %d2, %d3, %d3;", -2);
    expect_value("mov.u64 %d3, -1; mul.hi.s64 %d2, %d3, %d3;", 0);
}

/* 1.5 + 1.5 is 3; of 2^24 + 1 the nearest even float is 2^24; 0.1 + 0.2 lies above the middle of two
 * floats; -1 has no unsigned order with what is no number. */
static void test_floats(void)
{
    expect_value("add.f32 %f1, 0f3FC00000, 0f3FC00000; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;",
                 0x40400000);
    expect_value("add.f32 %f1, 0f4B800000, 0f3F800000; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;",
                 0x4B800000);
    expect_value("add.rn.f32 %f1, 0f3DCCCCCD, 0f3E4CCCCD; mov.b32 %r1, %f1; cvt.u64.u32 %d2, %r1;",
                 0x3E99999A);
    expect_value("mov.u32 %r1, 3; cvt.rn.f64.s32 %d2, %r1;", 0x4008000000000000);
    expect_value("setp.lt.f32 %p1, 0fBF800000, 0f3F800000; selp.b64 %d2, 8, 9, %p1;", 8);
}

/* What is stored is loaded again, also by a function, and by a jump to the second label. */
static void test_own_memory(void)
{
    expect_value(".local .align 4 .b8 own[8]; mov.u64 %d3, own; st.local.u32 [%d3+4], -7;\n"
                 "ld.s32 %r1, [%d3+4]; cvt.s64.s32 %d2, %r1;",
                 -7);
    expect_value(".local .align 4 .b8 own[8]; mov.u64 %d3, own; st.u8 [%d3], 200;\n"
                 "ld.local.s8 %r1, [%d3]; cvt.s64.s32 %d2, %r1;",
                 -56);
    expect_value("{ .param .b32 p; st.param.b32 [p], -7; ld.param.s32 %d2, [p]; }", -7);
    expect_value(".local .align 8 .b8 own[8]; st.local.u64 [own], 0x1122334455667788;\n"
                 "st.local.u8 [own+3], 7; ld.local.u64 %d2, [own];",
                 0x1122334407667788);
    expect_value(".local .align 8 .b8 own[8]; st.local.v2.u32 [own], {0x55667788, 0x91223344};\n"
                 "ld.local.s16 %r1, [own+6]; cvt.s64.s32 %d2, %r1;",
                 (int16_t)0x9122);
    expect_value("{ .param .b64 p; st.param.b64 [p], 0x700000003; ld.param.u32 %d2, [p+4]; }", 7);
    expect_value("T: .branchtargets A, B; brx.idx 1, T;\nA: mov.u64 %d2, 4; bra C;\n"
                 "B: mov.u64 %d2, 5;\nC:",
                 5);
}

#define FUNCTION                                                                              \
    ".version 8.0\n.target sm_70\n.address_size 64\n"                                         \
    ".func (.param .b32 r) f(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %x<4>;\n.reg .pred " \
    "%q;\nld.param.b32 %x1, [a];\nld.param.b32 %x2, [b];\nsetp.eq.s32 %q, %x1, 1;\n"          \
    "@%q bra E;\nsub.s32 %x1, %x1, %x2;\nst.param.b32 [r], %x1;\nret;\nE: st.param.b32 [r], " \
    "9;\nret;\n}\n"
#define CALL(a, b)                                                                                 \
    "{ .param .b32 p; .param .b32 q; .param .b32 s; st.param.b32 [p], " a "; st.param.b32 [q], " b \
    ";\ncall.uni (s), f, (p, q); ld.param.b32 %r1, [s]; }\nst.global.u32 [%d1], %r1;\n"

/* f(7, 2) is 5 and f(1, 2) is 9: two copies of one body. */
static void test_calls(void)
{
    const char *code =
        FUNCTION ".visible .entry k(.param .u64 a" BODY "ld.param.u64 %d1, [a];\n" CALL("7", "2")
            CALL("1", "2") "ret;\n}\n";
    expect_code(code, "uint x;", "1, 1>>>(x)", "[x] = 5");
    expect_code(code, "uint x;", "1, 1>>>(x)", "[x] = 9");
}

/* Where 1 was returned, as many elements are written as that and one more, without a loop. */
static void test_sure(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "atom.global.add.u32 %r1, [%d1], 1;\nsetp.ne.u32 %p1, %r1, 1;\n@%p1 ret;\n"
                      "mov.u32 %r2, 0;\nL: mul.wide.u32 %d2, %r2, 4; add.s64 %d3, %d1, %d2;\n"
                      "st.global.u32 [%d3+4], %r1;\nadd.u32 %r2, %r2, 1;\n"
                      "setp.le.u32 %p2, %r2, %r1;\n@%p2 bra L;\nret;\n}\n",
              "uint x[3];", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    uint32_t stores = 0;
    for (uint32_t i = 0; i < thread->code_count; i++)
        stores += thread->code[i].op == LIT_STORE;
    CU_ASSERT_EQUAL(stores, 2);
    CU_ASSERT_EQUAL(thread->loop_count, 0);
    /* What depends on the read still does. */
    CU_ASSERT_NOT_EQUAL(thread->code[thread->code_count - 1].value->op, LIT_OP_CONST);
    lit_fixture_fini(&fixture);
}

/* The limit of all threads: the steps before are those of others. */
static void test_steps(void)
{
    for (uint64_t before = (1 << 26) - 2; before < 1 << 26; before++) {
        struct lit_fixture fixture = {0};
        arena_init(&fixture.arena);
        diag_init(&fixture.diag);
        fixture.names = intern_new();
        const char *code = HEAD BODY "bar.sync 0;\nret;\n}\n";
        const struct source *source = source_from_text(&fixture.arena, "k.ptx", code, strlen(code));
        struct ptx_module *module =
            ptx_module_read(&fixture.arena, fixture.names, &fixture.diag, source);
        struct lit_lower lower = {
            .arena = &fixture.arena, .names = fixture.names, .diag = &fixture.diag};
        struct ptx_memory memory = {.lower = &lower, .steps = before};
        const struct ast_launch launch = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
        CU_ASSERT_PTR_NOT_NULL_FATAL(module);
        ptx_inline(&fixture.arena, module->kernels.items[0]);
        const struct ptx_thread thread = {.kernel = module->kernels.items[0], .launch = &launch};
        struct ptx_residue residue = ptx_special(&memory, &thread, &fixture.arena, &fixture.arena);
        CU_ASSERT_EQUAL(residue.failed, before == (1 << 26) - 1);
        diag_render(&fixture.diag, &fixture.messages);
        CU_ASSERT_EQUAL(strstr(strbuf_text(&fixture.messages), "67108864 steps") != NULL,
                        before == (1 << 26) - 1);
        ptx_special_free(&residue);
        ptx_warp_free(&memory);
        ptx_module_free(module);
        lit_fixture_fini(&fixture);
    }
}

/* Block 1, thread 2 of 4: 1 * 4 + 2. */
static void test_indices(void)
{
    expect_code(POINTER "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                        "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.u32 %d2, %r4, 4;\n"
                        "add.s64 %d3, %d1, %d2; st.global.u32 [%d3], 1; ret;\n}\n",
                "uint x[8];", "2, 4>>>(x)", "[x[6]] = 1");
}

/* Three rounds by a constant, and what is stored there. */
static void test_unrolls(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "mov.u32 %r1, 0;\nL1: st.global.u32 [%d1], %r1;\nadd.s64 %d1, %d1, 4;\n"
                      "add.s32 %r1, %r1, 1;\nsetp.ne.s32 %p1, %r1, 3;\n@%p1 bra L1;\nret;\n}\n",
              "uint x[3];", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        CU_ASSERT_EQUAL(thread->code[i].addr.first, i);
        CU_ASSERT_EQUAL(thread->code[i].value->value, i);
    }
    lit_fixture_fini(&fixture);
}

static void test_awaits(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "L1: ld.volatile.global.u32 %r1, [%d1];\nsetp.eq.s32 %p1, %r1, 0;\n"
                      "@%p1 bra L1;\nret;\n}\n",
              "uint x;", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL(thread->loop_count, 1);
    CU_ASSERT_EQUAL(thread->code[0].op, LIT_AWAIT);
    CU_ASSERT_EQUAL(thread->code[1].op, LIT_LOAD);
    CU_ASSERT_EQUAL(thread->code[1].order, LIT_ORDER_RLX);
    CU_ASSERT_EQUAL(thread->code[1].scope, LIT_SCOPE_ALL);
    lit_fixture_fini(&fixture);
}

/* The second element has no order with the first. */
static void test_vectors(void)
{
    struct lit_fixture fixture;
    read_code(&fixture, POINTER "st.global.v2.u32 [%d1], {1, 2};\nret;\n}\n", "uint x[2];",
              "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 2);
    CU_ASSERT_PTR_NULL(thread->code[0].unsequenced);
    CU_ASSERT_PTR_NOT_NULL_FATAL(thread->code[1].unsequenced);
    CU_ASSERT_EQUAL(thread->code[1].unsequenced->begin, 0);
    CU_ASSERT_EQUAL(thread->code[1].unsequenced->end, 1);
    lit_fixture_fini(&fixture);
}

/* The member b of an element that a read chooses: one after each a, which begins 4 bytes in. */
static void test_elements(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "ld.global.u32 %r1, [%d1];\nmul.wide.u32 %d2, %r1, 8;\n"
                      "add.s64 %d3, %d1, %d2;\nst.global.u32 [%d3+4], 1;\nret;\n}\n",
              "struct pair { uint a; uint b; }; struct pair x[3];", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    const struct lit_instr *store = &thread->code[thread->code_count - 1];
    CU_ASSERT_EQUAL(store->op, LIT_STORE);
    CU_ASSERT_EQUAL(store->addr.first, 1);
    CU_ASSERT_EQUAL(store->addr.count, 3);
    CU_ASSERT_EQUAL(store->addr.stride, 2);
    lit_fixture_fini(&fixture);
}

/* %r2 keeps what %r1 was when it is read anew: 1 and then 0 in x come out so. */
static void test_keeps_copies(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "ld.global.u32 %r1, [%d1];\nmov.u32 %r2, %r1;\n"
                      "ld.global.u32 %r1, [%d1+4];\nst.global.u32 [%d1+8], %r2;\n"
                      "st.global.u32 [%d1+12], %r1;\nret;\n}\n",
              "uint x[4];", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    const struct lit_instr *last = &thread->code[thread->code_count - 1];
    CU_ASSERT_EQUAL_FATAL(last[-1].op, LIT_STORE);
    CU_ASSERT_EQUAL_FATAL(last[-1].value->op, LIT_OP_REG);
    CU_ASSERT_EQUAL_FATAL(last->value->op, LIT_OP_REG);
    CU_ASSERT_NOT_EQUAL(last[-1].value->reg, last->value->reg);
    lit_fixture_fini(&fixture);
}

/* A C++ name is found in the one that it becomes. */
static void test_names(void)
{
    expect_code(".version 8.0\n.target sm_70\n.address_size 64\n"
                ".visible .entry _Z1kPj(.param .u64 a" BODY
                "ld.param.u64 %d1, [a];\nst.global.u32 [%d1], 5;\nret;\n}\n",
                "uint x;", "1, 1>>>(x)", "[x] = 5");
}

/* ---- Markers ---- */

static const struct lit_instr *find_op(const struct lit_fixture *fixture, enum lit_instr_op op)
{
    const struct lit_thread *thread = fixture->program->threads;
    return FIND(i, thread->code, thread->code_count, thread->code[i].op == op);
}

#define ASM(text) "// begin inline asm\n" text "\n// end inline asm\n"

/* One that is empty says nothing; a guard of what follows is none of the marker's. */
static void test_markers(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              POINTER "st.global.u32 [%d1], 1;\n" ASM("// crashlit: pbarrier.cta")
                  ASM("// crashlit: crash \"half\"") ASM("// crashlit:")
                      ASM("/* crashlit: pbarrier.gpu */") "ret;\n}\n",
              "nvm uint x;", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 4);
    CU_ASSERT_EQUAL(thread->code[1].op, LIT_PBARRIER);
    CU_ASSERT_EQUAL(thread->code[1].scope, LIT_SCOPE_WG);
    CU_ASSERT_EQUAL(thread->code[2].op, LIT_CRASH);
    CU_ASSERT_STRING_EQUAL(thread->code[2].text, "half");
    CU_ASSERT_EQUAL(thread->code[3].scope, LIT_SCOPE_DV);
    lit_fixture_fini(&fixture);
}

/* In functions that are called, each call has its own: a barrier, a store, and both once
 * more. */
static void test_called_markers(void)
{
    struct lit_fixture fixture;
    read_code(&fixture,
              ".version 8.0\n.target sm_70\n.address_size 64\n"
              ".func f()\n{\n" ASM(
                  "// crashlit: pbarrier.cta") "ret;\n}\n"
                                               ".visible .entry k(.param .u64 a" BODY
                                               "ld.param.u64 %d1, [a];\ncall.uni f, ();\n"
                                               "st.global.u32 [%d1], 1;\ncall.uni f, "
                                               "();\nst.global.u32 [%d1], 2;\nret;\n}\n",
              "nvm uint x;", "1, 1>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    CU_ASSERT_EQUAL_FATAL(thread->code_count, 4);
    CU_ASSERT_EQUAL(thread->code[0].op, LIT_PBARRIER);
    CU_ASSERT_EQUAL(thread->code[1].op, LIT_STORE);
    CU_ASSERT_EQUAL(thread->code[2].op, LIT_PBARRIER);
    CU_ASSERT_EQUAL(thread->code[3].op, LIT_STORE);
    lit_fixture_fini(&fixture);
}

/* ---- Barriers of one warp ---- */

/* The label of the thread's last barrier. */
static void expect_last_barrier(const char *code, const char *label)
{
    struct lit_fixture fixture;
    read_code(&fixture, code, "uint x;", "1, 2>>>(x)");
    const struct lit_thread *thread = fixture.program->threads;
    const struct lit_instr *last = NULL;
    for (uint32_t i = 0; i < thread->code_count; i++)
        if (thread->code[i].op == LIT_BARRIER)
            last = &thread->code[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    CU_ASSERT_STRING_EQUAL(last->label, label);
    lit_fixture_fini(&fixture);
}

/* Told by the barriers before it, not by its line, which a fence in front of it moves; those of two
 * calls are one. */
static void test_barriers(void)
{
    expect_last_barrier(POINTER "bar.sync 0;\nbar.sync 0;\nret;\n}\n", "0 of bar.sync 2");
    expect_last_barrier(POINTER "bar.sync 0;\nmembar.gl;\nbar.sync 0;\nret;\n}\n",
                        "0 of bar.sync 2");
    expect_last_barrier(".version 8.0\n.target sm_70\n.address_size 64\n"
                        ".func f()\n{\nbar.sync 0;\nret;\n}\n.visible .entry k(.param .u64 a" BODY
                        "call.uni f, ();\ncall.uni f, ();\nbar.sync 0;\nret;\n}\n",
                        "0 of bar.sync 2");
}

/* ---- Places ---- */

static void expect_place(const char *locations, const char *text, uint32_t line)
{
    struct lit_fixture fixture;
    struct arena arena = {0};
    const char *code = arena_printf(
        &arena, "%s.loc 1 4 3\n%sst.global.u32 [%%d1], 1;\nret;\n}\n%s", POINTER, locations,
        ".file 1 \"/a/k.cu\"\n.file 2 \"/a/lock.h\"\n.file 3 \"/cuda/atomic.hpp\"\n"
        ".section .debug_str\n{\n$I0:\n.b8 95,90,52,108,111,99,107,80,105,0\n"
        "$I1:\n.b8 95,90,78,49,97,51,97,100,100,69,118\n.b8 0\n}\n");
    read_code(&fixture, code, "uint x;", "1, 1>>>(x)");
    const struct lit_instr *store = find_op(&fixture, LIT_STORE);
    CU_ASSERT_PTR_NOT_NULL_FATAL(store);
    CU_ASSERT_STRING_EQUAL(store->origin->text, text);
    CU_ASSERT_EQUAL(store->origin->source.line, line);
    lit_fixture_fini(&fixture);
    arena_fini(&arena);
}

/* `_Z4lockPi` is lock(int*), `_ZN1a3addEv` a::add(). */
static void test_places(void)
{
    expect_place("", "k.cu:4", 4);
    expect_place(".loc 2 9 1, function_name $I0, inlined_at 1 4 3\n",
                 "lock() at lock.h:9, inlined at k.cu:4", 4);
    expect_place(".loc 2 9 1, function_name $I0, inlined_at 1 4 3\n"
                 ".loc 1 2 1, function_name $I1, inlined_at 2 9 1\n",
                 "add() at k.cu:2, inlined at lock() at lock.h:9, inlined at k.cu:4", 4);
    expect_place(".loc 3 80 1, function_name $I1, inlined_at 1 4 3\n", "k.cu:4", 4);
    expect_place(".loc 3 80 1\n", "atomic.hpp:80, near k.cu:4", 4);
    expect_place(".loc 7 1 1\n", "near k.cu:4", 4);
}

void suite_ptx(void)
{
    CU_pSuite suite = CU_add_suite("ptx", NULL, NULL);
    UNIT_TEST(suite, test_values);
    UNIT_TEST(suite, test_bits);
    UNIT_TEST(suite, test_floats);
    UNIT_TEST(suite, test_own_memory);
    UNIT_TEST(suite, test_calls);
    UNIT_TEST(suite, test_sure);
    UNIT_TEST(suite, test_steps);
    UNIT_TEST(suite, test_indices);
    UNIT_TEST(suite, test_unrolls);
    UNIT_TEST(suite, test_awaits);
    UNIT_TEST(suite, test_vectors);
    UNIT_TEST(suite, test_elements);
    UNIT_TEST(suite, test_keeps_copies);
    UNIT_TEST(suite, test_names);
    UNIT_TEST(suite, test_markers);
    UNIT_TEST(suite, test_called_markers);
    UNIT_TEST(suite, test_barriers);
    UNIT_TEST(suite, test_places);
}
