/* engine/recheck.h on executions that an engine found under another model than they are judged by:
 * what transactions keep to themselves. */
#include "fixture.h"

#include "engine/recheck.h"
#include "enumerate/enumerate.h"

#include <stdio.h>

#define SEES "let none-is-wrong = 0"
#define UNDOES "let undone = W & NVM"
#define WITHHOLDS "let withheld = W & NVM"
#define MAY_STAY "let undone = W & NVM let may-stay = W & NVM"

struct judged {
    struct recheck *recheck;
    uint32_t states, faults;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct judged *judged = context;
    judged->states++;
    judged->faults += recheck_witness(judged->recheck, witness) != NULL;
}

static struct engine_request request_of(const struct fixture *f, struct judged *judged)
{
    return (struct engine_request){.program = f->program,
                                   .model = f->model,
                                   .plan = f->plan,
                                   .crash_mode = EXEC_CRASH_END,
                                   .limits = {.unroll = 2},
                                   .on_witness = on_witness,
                                   .context = judged};
}

/* Work-item 0 executes the code; the states that are listed of it under one model are judged by
 * another one. */
static struct judged judge(const char *code, const char *model, const char *judge)
{
    char text[512];
    struct fixture found, own;
    struct judged judged = {.states = 0};
    struct outcome o;
    snprintf(text, sizeof text,
             "OPENCL t\nuses \"tx.def\"\n{ nvm x = 0; nvm y = 0; f = 0; }\n"
             "P0 (global int* x, global int* y, global int* f) { %s }\ncrash exists (x = 0)\n",
             code);
    fixture_init_texts(&found, text, "acyclic po | rf | co | fr as sc\n", model);
    fixture_init_texts(&own, text, "acyclic po | rf | co | fr as sc\n", judge);
    struct engine_request asked = request_of(&found, &judged), as = request_of(&own, &judged);
    judged.recheck = recheck_new(&as);
    outcome_init(&o, found.program);
    enum_run(&asked, &o);
    outcome_fini(&o);
    recheck_free(judged.recheck);
    fixture_fini(&own);
    fixture_fini(&found);
    return judged;
}

/* All states are refused, or none is. */
static void expect(const char *code, const char *model, const char *by, bool refused)
{
    struct judged judged = judge(code, model, by);
    CU_ASSERT(judged.states > 0);
    CU_ASSERT_EQUAL(judged.faults, refused ? judged.states : 0);
}

/* Aborted, the store is no write; ended or open, it is one; it may be said to stay. */
static void test_undone(void)
{
    static const char aborts[] = "TX_START; *x = 1; TX_ABORT;",
                      ends[] = "TX_START; *x = 1; TX_COMMIT;",
                      open[] = "TX_START; *x = 1; while (!*f); TX_ABORT;",
                      outside[] = "TX_START; TX_ABORT; *x = 1; TX_START; TX_ABORT;";
    expect(aborts, SEES, UNDOES, true);
    expect(aborts, UNDOES, UNDOES, false);
    expect(aborts, MAY_STAY, MAY_STAY, false);
    expect(ends, SEES, UNDOES, false);
    expect(open, SEES, UNDOES, false);
    expect(outside, SEES, UNDOES, false);
}

/* In front of the end alone, once for each location, and nowhere else. */
static void test_withheld(void)
{
    static const char early[] = "TX_START; *x = 1; int r = *f; TX_COMMIT;",
                      twice[] = "TX_START; *x = 1; *x = 2; TX_COMMIT;",
                      both[] = "TX_START; *y = 1; *x = 1; TX_COMMIT;",
                      open[] = "TX_START; *x = 1; while (!*f); TX_COMMIT;",
                      aborts[] = "TX_START; *x = 1; TX_ABORT;";
    expect(early, SEES, WITHHOLDS, true);
    expect(early, WITHHOLDS, WITHHOLDS, false);
    expect(twice, SEES, WITHHOLDS, true);
    expect(twice, WITHHOLDS, WITHHOLDS, false);
    expect(both, SEES, WITHHOLDS, false);
    expect(open, SEES, WITHHOLDS, true);
    expect(open, WITHHOLDS, WITHHOLDS, false);
    expect(aborts, SEES, WITHHOLDS, true);
    expect(aborts, UNDOES, WITHHOLDS, false);
}

void suite_recheck(void)
{
    CU_pSuite suite = CU_add_suite("recheck", NULL, NULL);
    UNIT_TEST(suite, test_undone);
    UNIT_TEST(suite, test_withheld);
}
