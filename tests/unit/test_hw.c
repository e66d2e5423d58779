/* Faults that are planted into emitted PTX, one at a time: each is found on the emulated device, as an
 * error, as a row that nobody wrote, or as other outcomes than those derived by hand. */
#include "fixture.h"
#include "hw/hw_emulate.h"
#include "hw/hw_ptx.h"

#include <stdio.h>
#include <string.h>

/* The outcomes of one memory, as texts "a b ..", in any order. */
struct played {
    const char *test, *outcomes[4];
};

/* Store buffering in one work-group: some store is first, so not both loads are 0. */
static const struct played buffering = {
    "PTX t\n{ x = 0; y = 0; }\n"
    "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\nst.weak x, 1 | st.weak y, 1 ;\n"
    "ld.weak r0, y | ld.weak r1, x ;\nfinal exists (0:r0 = 0 /\\ 1:r1 = 0)\n",
    {"0 1 ", "1 0 ", "1 1 "}};
/* Messages between two: a new flag comes after a new value. */
static const struct played messages = {
    "PTX t\n{ x = 0; f = 0; }\n"
    "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\nst.weak x, 1 | ld.weak r0, f ;\n"
    "st.weak f, 1 | ld.weak r1, x ;\nfinal exists (1:r0 = 1 /\\ 1:r1 = 0)\n",
    {"0 0 ", "0 1 ", "1 1 "}};
/* The barrier has the store before the load. */
static const struct played barrier = {
    "PTX t\n{ x = 0; }\nP0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n"
    "st.weak x, 1 | bar.cta.sync 0 ;\nbar.cta.sync 0 | ld.weak r0, x ;\nfinal exists (1:r0 = 0)\n",
    {"1 "}};
/* Who has waited for the flag reads the value. */
static const struct played waiting = {
    "PTX t\n{ x = 0; f = 0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    "st.weak x, 1 | L: ;\nst.release.gpu f, 1 | ld.acquire.gpu r0, f ;\n"
    "| beq r0, 0, L ;\n| ld.weak r1, x ;\nfinal exists (1:r1 = 0)\n",
    {"1 "}};
/* Two additions of 2 and 3: one of them reads 0, the other the first one's number. */
static const struct played adding = {
    "PTX t\n{ n = 0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    "atom.relaxed.gpu.add r0, n, 2 | atom.relaxed.gpu.add r1, n, 3 ;\n"
    "final exists (n = 5 /\\ 0:r0 = 0 /\\ 1:r1 = 2)\n",
    {"0 2 5 ", "3 0 5 "}};

/* Two stores each, crosswise: x = 1 and y = 1 in the end would be a circle of all four. */
static const struct played storing = {
    "PTX t\n{ x = 0; y = 0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
    "st.weak x, 1 | st.weak y, 1 ;\nst.weak y, 2 | st.weak x, 2 ;\nfinal exists (x = 1 /\\ y = "
    "1)\n",
    {"1 2 ", "2 1 ", "2 2 "}};

/* Takes the first `from` behind the place by `to`; the end of a run that has none is fatal. */
static char *planted(struct arena *arena, const char *text, const char *behind, const char *from,
                     const char *to)
{
    const char *start = strstr(text, behind), *at = start ? strstr(start, from) : NULL;
    if (!at)
        printf("no '%s' behind '%s'\n", from, behind);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static bool is_wanted(const struct played *played, const struct hw_result *result,
                      const struct hw_seen *seen)
{
    struct strbuf text = {0};
    for (uint32_t i = 0; i < result->width; i++)
        strbuf_printf(&text, "%d ", (int)seen->values[i]);
    bool is =
        ANY(i, 4u, played->outcomes[i] && strcmp(played->outcomes[i], strbuf_text(&text)) == 0);
    strbuf_fini(&text);
    return is;
}

static bool is_right(const struct played *played, const struct hw_result *result)
{
    size_t wanted = COUNT_IF(i, 4u, played->outcomes[i] != NULL);
    return result->seen_count == wanted && !result->other && !result->unfinished &&
           ALL(i, result->seen_count, is_wanted(played, result, &result->seen[i]));
}

struct told {
    bool failed, right,
        inside; /* no result; the outcomes of one memory; some of them, and no others */
    uint64_t unfinished;
};

/* Plays the test, with the fault if there is one. */
static struct told play(const struct played *played, const char *behind, const char *from,
                        const char *to)
{
    struct hw_result result;
    struct told told = {.failed = false};
    const struct hw_emulation emulation = {.seed = 1, .first = 1, .launches = 64};
    struct fixture fixture;
    struct hw_plan plan;
    struct strbuf text = {0};
    fixture_init(&fixture, played->test, "sc", "none");
    CU_ASSERT_EQUAL_FATAL(hw_plan_make(&fixture.arena, fixture.program, &plan), HW_EMITTED);
    hw_ptx_write(&plan, &text);
    const char *ptx = strbuf_text(&text);
    if (from)
        ptx = planted(&fixture.arena, ptx, behind, from, to);
    hw_result_begin(&fixture.arena, &result, &plan, ptx);
    const char *why = hw_emulate(&fixture.arena, &plan, ptx, &emulation, &result);
    if (why && !from)
        printf("%s\n", why);
    told.failed = why != NULL;
    told.right = !why && is_right(played, &result);
    told.inside = !why && !result.other &&
                  ALL(i, result.seen_count, is_wanted(played, &result, &result.seen[i]));
    told.unfinished = result.unfinished;
    strbuf_fini(&text);
    fixture_fini(&fixture);
    return told;
}

static void test_without(void)
{
    static const struct played *const all[] = {&buffering, &messages, &barrier,
                                               &waiting,   &adding,   &storing};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CU_ASSERT(play(all[i], NULL, NULL, NULL).right);
}

static void test_planted(void)
{
    static const char run[] = "entry run", collect[] = "entry collect";
    static const struct {
        const struct played *played;
        const char *behind, *from, *to;
    } faults[] = {
        /* Of layouts: who is where. */
        {&buffering, run, "rem.u32 %lane, %lane, %lanes", "mov.u32 %lane, %lane"},
        {&buffering, run, "add.u32 %meeting, %meeting, %team", "mov.u32 %meeting, %meeting"},
        {&buffering, run, "mul.lo.u32 %meeting, %meeting, %slot", "mov.u32 %meeting, 0"},
        {&buffering, run, "add.u32 %instance, %instance, %lane", "mov.u32 %instance, %instance"},
        {&buffering, run, "mul.lo.u32 %instance, %meeting, %lanes", "mov.u32 %instance, %meeting"},
        {&buffering, run, "rem.u32 %role, %thread, 2", "div.u32 %role, %thread, 2"},
        {&buffering, run, "div.u32 %lane, %thread, 2", "rem.u32 %lane, %thread, 2"},
        {&messages, run, "div.u32 %team, %a, 2", "rem.u32 %team, %a, 2"},
        {&messages, run, "rem.u32 %group, %a, 2", "div.u32 %group, %a, 2"},
        {&messages, run, "rem.u32 %a, %a, %blocks", "mov.u32 %a, %a"},
        {&messages, run, "setp.lt.u32 %truth, %slot, %slots", "setp.le.u32 %truth, %slot, %slots"},
        {&messages, run, "add.u32 %slot, %slot, 1", "add.u32 %slot, %slot, 2"},
        {&adding, run, "setp.ge.u32 %truth, %block, %blocks",
         "setp.gt.u32 %truth, %block, %blocks"},
        {&messages, run, "@%truth bra ROLE_1_0", "@%truth bra ROLE_0_0"},
        {&messages, "ROLE_0_0:", "bra NEXT", "mov.u32 %a, %a"},
        /* Of places. */
        {&messages, run, "rem.u32 %a, %a, %instances", "mov.u32 %a, %a"},
        {&messages, run, "ld.global.u32 %b, [%table+188]", "mov.u32 %b, 0"},
        {&messages, run, "mul.lo.u32 %a, %a, 4", "mov.u32 %a, %a"},
        {&storing, collect, "ld.global.u32 %b, [%table+188]", "mov.u32 %b, 0"},
        /* Of the test. */
        {&messages, "ROLE_0_0:", "[%at], %word", "[%at], %a"},
        {&messages, "ROLE_0_0:", "mov.b64 %at, %x1", "mov.b64 %at, %x0"},
        {&buffering, "ROLE_1_0:", "mov.b64 %at, %x0", "mov.b64 %at, %x1"},
        {&messages, "ROLE_1_0:", "mov.b64 %v1, %got0", "mov.b64 %v0, %got0"},
        {&barrier, "ROLE_1_0:", "barrier.sync 1, %count", "mov.u32 %a, 0"},
        {&barrier, "ROLE_1_0:", "barrier.sync 1, %count", "barrier.sync 2, %count"},
        {&barrier, run, "mul.lo.u32 %count, %lanes, 2", "mul.lo.u32 %count, %lanes, 1"},
        {&waiting, "AT_1_0:", "bra AT_1_0", "mov.u32 %a, 0"},
        {&adding, "ROLE_0_0:", "global.add.u32", "global.exch.b32"},
        {&adding, "ROLE_1_0:", "cvt.s64.s32 %got0, %old", "cvt.s64.s32 %got0, %word"},
        /* Of rows and counts. */
        {&messages, "ROLE_1_0:", "add.s64 %mine, %row, 12", "add.s64 %mine, %row, 0"},
        {&messages, "ROLE_1_0:", "[%mine+4], %word", "[%mine+8], %word"},
        {&messages, "ROLE_1_0:", "st.global.u32 [%mine], 1", "mov.u32 %a, 0"},
        {&messages, "ROLE_1_0:", "st.global.u32 [%mine], 1", "st.global.u32 [%mine], 2"},
        {&messages, collect, "setp.ne.u32 %truth, %a, 1", "setp.eq.u32 %truth, %a, 1"},
        {&messages, "[%row+20]", "mul.lo.u32 %left, %left, 2", "mul.lo.u32 %left, %left, 0"},
        {&messages, collect, "setp.eq.u32 %truth, %word, 1", "setp.eq.u32 %truth, %word, 0"},
        {&messages, collect, "setp.ge.u32 %truth, %instance", "setp.gt.u32 %truth, %instance"},
        {&adding, collect, "[%x0]", "[%row]"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        bool right = play(faults[i].played, faults[i].behind, faults[i].from, faults[i].to).right;
        if (right)
            printf("not found: '%s' in place of '%s'\n", faults[i].to, faults[i].from);
        CU_ASSERT(!right);
    }
}

/* A wait that gives up ends the role: its instance is unfinished, and shows nothing. */
static void test_gives_up(void)
{
    const struct told told =
        play(&waiting, "entry run", "ld.global.u32 %left, [%table+56]", "mov.u32 %left, 1");
    CU_ASSERT(told.unfinished > 0);
    CU_ASSERT(told.inside);
}

/* What is no text of ours is an error. */
static void test_no_text(void)
{
    CU_ASSERT(play(&messages, "//", ".visible .entry collect", ".visible .entry other").failed);
    CU_ASSERT(play(&messages, "ROLE_0_0:", "st.weak", "store.weak").failed);
    CU_ASSERT(play(&messages, "ROLE_0_0:", "bra NEXT", "bra NOWHERE").failed);
    CU_ASSERT(play(&messages, "entry run", "[table]", "[tables]").failed);
}

void suite_hw(void)
{
    CU_pSuite suite = CU_add_suite("hw", NULL, NULL);
    UNIT_TEST(suite, test_without);
    UNIT_TEST(suite, test_planted);
    UNIT_TEST(suite, test_gives_up);
    UNIT_TEST(suite, test_no_text);
}
