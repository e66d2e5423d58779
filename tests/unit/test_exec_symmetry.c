/* Who may be exchanged with whom, and what of it a condition leaves. */
#include "fixture.h"

#include "engine/stabilizer.h"
#include "exec/exec_renaming.h"

struct found {
    struct fixture f;
    struct exec_symmetry symmetry;
};

static void find(struct found *found, const char *text)
{
    fixture_init(&found->f, text, "sc", "epoch");
    found->symmetry = exec_symmetry_new(&found->f.arena, found->f.program);
}

static void expect_units(const struct found *found, uint32_t class, uint32_t units, uint32_t width,
                         const uint32_t *threads)
{
    CU_ASSERT_FATAL(class < found->symmetry.count);
    const struct exec_class *c = &found->symmetry.classes[class];
    CU_ASSERT_EQUAL_FATAL(c->unit_count, units);
    CU_ASSERT_EQUAL_FATAL(c->width, width);
    for (uint32_t i = 0; i < units * width; i++)
        CU_ASSERT_EQUAL(c->threads[i], threads[i]);
}

static void expect_none(const char *text)
{
    struct found found;
    find(&found, text);
    CU_ASSERT_EQUAL(found.symmetry.count, 0);
    if (found.symmetry.count)
        fprintf(stderr, "exchanged: %s\n", text);
    fixture_fini(&found.f);
}

#define HEAD(inits) "OPENCL t\n{ " inits " nvm atomic_int c = 0; }\n"
#define ADDER(n, place, value)                                                                     \
    "P" n place " (global int* a" n ", global atomic_int* c) { *a" n " = " value "; p_barrier_wi;" \
    " c.fetch_add(1, mo_acq_rel, dev_scope); }\n"
#define THREE_ADDERS ADDER("0", "", "1") ADDER("1", "", "1") ADDER("2", "", "1")
#define THREE_ZEROS "nvm a0 = 0; nvm a1 = 0; nvm a2 = 0;"

/* Each has a location of its own, which follows it. */
static void test_own_locations(void)
{
    struct found found;
    find(&found, HEAD(THREE_ZEROS) THREE_ADDERS "exists (c = 3)\n");
    CU_ASSERT_EQUAL(found.symmetry.count, 1);
    expect_units(&found, 0, 3, 1, (const uint32_t[]){0, 1, 2});
    const struct exec_class *class = &found.symmetry.classes[0];
    const struct exec_exchange by = {class, 0, 2};
    CU_ASSERT_EQUAL(class->place_count, 1);
    CU_ASSERT_EQUAL(exec_exchange_thread(&by, 0), 2);
    CU_ASSERT_EQUAL(exec_exchange_thread(&by, 1), 1);
    CU_ASSERT_EQUAL(exec_exchange_location(&by, 2), 0);
    CU_ASSERT_EQUAL(exec_exchange_location(&by, 3), 3);
    CU_ASSERT(exec_class_moves(class, 1) && !exec_class_moves(class, 3));
    fixture_fini(&found.f);
}

/* What tells the second from the others: a first value, a type, a memory, a scope that it shares, a
 * line, a tag, the order of an access, a constant that is read. The others stay alike. */
static void test_told_apart(void)
{
    static const char *const apart[] = {
        HEAD("nvm a0 = 0; nvm a1 = 7; nvm a2 = 0;") THREE_ADDERS "exists (c = 3)\n",
        HEAD("nvm a0 = 0; a1 = 0; nvm a2 = 0;") THREE_ADDERS "exists (c = 3)\n",
        HEAD("nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; nvm d = 0; line {a1, d};") THREE_ADDERS
        "exists (c = 3)\n",
        HEAD("nvm a0 = 0; nvm{log} a1 = 0; nvm a2 = 0;") THREE_ADDERS "exists (c = 3)\n",
        HEAD(THREE_ZEROS) ADDER("0", "", "1") ADDER("1", "@wg 1", "1")
            ADDER("2", "", "1") "exists (c = 3)\n",
        HEAD(THREE_ZEROS) ADDER("0", "", "1") ADDER("1", "{fast}", "1")
            ADDER("2", "", "1") "exists (c = 3)\n",
        HEAD(THREE_ZEROS) THREE_ADDERS "P3 (global int* a1) { int r = *a1; }\nexists (c = 3)\n",
        HEAD("nvm a0 = 0; nvm a1 = 0;") "P0 (global int* a0) { *a0 = 1; int r = *a0; }\nP1 (global "
                                        "int* a1) { *a1 = 2; int r = *a1; }\n"
                                        "P2 (global int* a0) { *a0 = 1; int r = *a0; }\nexists (c "
                                        "= 3)\n"};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++) {
        struct found found;
        find(&found, apart[i]);
        CU_ASSERT_EQUAL(found.symmetry.count, 1);
        if (found.symmetry.count == 1)
            expect_units(&found, 0, 2, 1, (const uint32_t[]){0, 2});
        else
            fprintf(stderr, "case %zu\n", i);
        fixture_fini(&found.f);
    }
    /* Who reads two of them in some order would have to read them in the other one. */
    expect_none(HEAD("nvm a0 = 0; nvm a1 = 0;") ADDER("0", "", "1") ADDER(
        "1", "",
        "1") "P2 (global int* a0, global int* a1) { int r = *a0; int s = *a1; }\nexists (c = 2)\n");
}

/* Constants that nobody reads go with their work-item; a value that is another's first value does
 * not, nor one that a third one stores. */
static void test_constants(void)
{
    struct found found;
    find(&found, HEAD("nvm q[2] = {0,0};") "P0 (global int* q) { q[0] = 1; }\nP1 (global int* q) { "
                                           "q[0] = 2; }\nexists (c = 0)\n");
    expect_units(&found, 0, 2, 1, (const uint32_t[]){0, 1});
    const struct exec_exchange by = {&found.symmetry.classes[0], 0, 1};
    CU_ASSERT(exec_exchange_renames(&by, 0) && !exec_exchange_renames(&by, 1));
    CU_ASSERT_EQUAL(exec_exchange_value(&by, 0, 1), 2);
    CU_ASSERT_EQUAL(exec_exchange_value(&by, 0, 2), 1);
    CU_ASSERT_EQUAL(exec_exchange_value(&by, 0, 0), 0);
    CU_ASSERT_EQUAL(exec_exchange_value(&by, 1, 1), 1);
    fixture_fini(&found.f);
    expect_none(HEAD("nvm q = 2;") "P0 (global int* q) { *q = 1; }\nP1 (global int* q) { *q = 2; "
                                   "}\nexists (c = 0)\n");
    expect_none(
        HEAD("nvm q = 0;") "P0 (global int* q) { *q = 1; }\nP1 (global int* q) { *q = 2; }\n"
                           "P2 (global int* q) { int r = 1; *q = 2; }\nexists (c = 0)\n");
}

#define SENDER(n, i)                                                            \
    "P" n " (global int* a" i ", global atomic_int* f" i ") { *a" i " = 1; f" i \
    ".store(1, mo_rel, dev_scope); }\n"
#define RECEIVER(n, i)                                                     \
    "P" n " (global int* a" i ", global atomic_int* f" i ") { int r = f" i \
    ".load(mo_acq, dev_scope); int s = *a" i "; }\n"

/* Work-items that share locations of their own go together, wherever they stand. */
static void test_teams(void)
{
    struct found found;
    find(&found,
         "OPENCL t\n{ nvm a0 = 0; nvm a1 = 0; atomic_int f0 = 0; atomic_int f1 = 0; }\n" SENDER(
             "0", "0") RECEIVER("1", "1") SENDER("2", "1") RECEIVER("3", "0") "exists (a0 = 1)\n");
    CU_ASSERT_EQUAL(found.symmetry.count, 1);
    expect_units(&found, 0, 2, 2, (const uint32_t[]){0, 3, 2, 1});
    fixture_fini(&found.f);
    /* A ring of three has rotations, which are no exchanges. */
    expect_none("OPENCL t\n{ nvm a0 = 0; nvm a1 = 0; nvm a2 = 0; }\n"
                "P0 (global int* a0, global int* a1) { *a0 = 1; int r = *a1; }\n"
                "P1 (global int* a1, global int* a2) { *a1 = 1; int r = *a2; }\n"
                "P2 (global int* a2, global int* a0) { *a2 = 1; int r = *a0; }\nexists (a0 = 1)\n");
}

/* Two work-groups of two: the work-items of each, and the groups as wholes. */
static void test_groups(void)
{
    struct found found;
    find(&found, "OPENCL t\n{ nvm atomic_int c = 0; }\n"
                 "P0@wg 0 (global atomic_int* c) { c.fetch_add(1, mo_rlx, wg_scope); }\n"
                 "P1@wg 1 (global atomic_int* c) { c.fetch_add(1, mo_rlx, wg_scope); }\n"
                 "P2@wg 0 (global atomic_int* c) { c.fetch_add(1, mo_rlx, wg_scope); }\n"
                 "P3@wg 1 (global atomic_int* c) { c.fetch_add(1, mo_rlx, wg_scope); }\n"
                 "exists (c = 4)\n");
    CU_ASSERT_EQUAL(found.symmetry.count, 3);
    expect_units(&found, 0, 2, 1, (const uint32_t[]){0, 2});
    expect_units(&found, 1, 2, 1, (const uint32_t[]){1, 3});
    expect_units(&found, 2, 2, 2, (const uint32_t[]){0, 2, 1, 3});
    for (uint32_t i = 0; i < 3; i++)
        CU_ASSERT(found.symmetry.classes[i].nested);
    fixture_fini(&found.f);
}

/* The units of the adders' class that stay together, in their parts. */
static void expect_parts(const char *condition, uint32_t parts, const uint32_t *counts)
{
    struct found found;
    struct strbuf text = {0};
    strbuf_printf(&text, "%s%s", HEAD(THREE_ZEROS) THREE_ADDERS, condition);
    find(&found, strbuf_text(&text));
    const struct stabilizer_question question = {
        .props = {found.f.program->filter, found.f.program->conditions[0].prop}};
    struct stabilizer left =
        stabilizer_new(&found.f.arena, &found.symmetry, found.f.program, &question);
    CU_ASSERT_EQUAL(left.count, parts);
    for (uint32_t i = 0; i < parts && i < left.count; i++)
        CU_ASSERT_EQUAL(left.parts[i].count, counts[i]);
    if (left.count != parts)
        fprintf(stderr, "%u parts: %s\n", left.count, condition);
    fixture_fini(&found.f);
    strbuf_fini(&text);
}

static void test_conditions(void)
{
    static const uint32_t all[] = {3}, two[] = {2};
    expect_parts("exists (c = 3)\n", 1, all);
    expect_parts("exists (a0 = 1)\n", 1, two);
    expect_parts("exists (a0 = 1 /\\ a1 = 1)\n", 1, two);
    expect_parts("exists (a0 = 1 /\\ a1 = 0)\n", 0, NULL);
    expect_parts("exists (a0 = 1 /\\ a1 = 1 /\\ c = 3 /\\ a2 = 1)\n", 1, all);
    expect_parts("exists ((a2 = 1 \\/ a1 = 1) \\/ (a0 = 1 /\\ c = 1))\n", 1, two);
    expect_parts("exists (a0 = a1)\n", 0, NULL); /* a1 = a0 is written another way */
    expect_parts("exists (not (a0 = 1 /\\ a1 = 1 /\\ a2 = 1))\n", 1, all);
    expect_parts("filter (a1 = 1)\nexists (c = 3)\n", 1, two);
}

/* Of two conditions: does one exchange of the three turn one into the other one? */
static void test_alike(void)
{
    static const struct {
        const char *conditions;
        bool alike;
    } rows[] = {
        {"exists (a0 = 1)\nexists (a1 = 1)\n", true},
        {"exists (a0 = 1)\n~exists (a2 = 1)\n", true}, /* a state decides both in the same way */
        {"exists (a0 = 1 /\\ c = 3)\nexists (c = 3 /\\ a2 = 1)\n", true},
        {"exists (a0 = 1 /\\ a1 = 0)\nexists (a1 = 1 /\\ a0 = 0)\n", true},
        {"exists (a0 = 1 /\\ a1 = 0)\nexists (a1 = 1 /\\ a2 = 0)\n", false}, /* it takes two */
        {"exists (a0 = 1)\nexists (a1 = 2)\n", false},
        {"exists (a0 = 1)\nforall (a1 = 1)\n", false},
        {"exists (a0 = 1)\ncrash exists (a1 = 1)\n", false},
        {"filter (a2 = 1)\nexists (a0 = 1)\nexists (a1 = 1)\n", true},
        {"filter (a0 = 1)\nexists (a0 = 1)\nexists (a1 = 1)\n", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct found found;
        struct strbuf text = {0};
        uint64_t steps = 0;
        strbuf_printf(&text, "%s%s", HEAD(THREE_ZEROS) THREE_ADDERS, rows[i].conditions);
        find(&found, strbuf_text(&text));
        const struct lit_program *program = found.f.program;
        CU_ASSERT_EQUAL(stabilizer_alike(&found.symmetry, program, &program->conditions[0],
                                         &program->conditions[1], &steps),
                        rows[i].alike);
        steps = UINT64_MAX / 2; /* as if much had been looked at */
        CU_ASSERT(!stabilizer_alike(&found.symmetry, program, &program->conditions[0],
                                    &program->conditions[1], &steps));
        fixture_fini(&found.f);
        strbuf_fini(&text);
    }
}

/* A constant is compared as what it becomes. */
static void test_conditions_on_constants(void)
{
    static const char *const conditions[] = {"exists (q = 1 \\/ q = 2)\n", "exists (q = 0)\n",
                                             "exists (q = 1)\n", "exists (q > 1)\n",
                                             "exists (q = c)\n"};
    static const uint32_t parts[] = {1, 1, 0, 0, 0};
    for (size_t i = 0; i < 5; i++) {
        struct found found;
        struct strbuf text = {0};
        strbuf_printf(&text, "%sP0 (global int* q) { *q = 1; }\nP1 (global int* q) { *q = 2; }\n%s",
                      HEAD("nvm q = 0;"), conditions[i]);
        find(&found, strbuf_text(&text));
        const struct stabilizer_question question = {
            .props = {found.f.program->conditions[0].prop}};
        CU_ASSERT_EQUAL(
            stabilizer_new(&found.f.arena, &found.symmetry, found.f.program, &question).count,
            parts[i]);
        fixture_fini(&found.f);
        strbuf_fini(&text);
    }
}

/* Columns: of all work-items, or of one. */
static void test_columns(void)
{
    static const char *const columns[] = {"locations [a0; a1; a2]\n", "locations [a0]\n"};
    for (uint32_t i = 0; i < 2; i++) {
        struct found found;
        struct outcome outcome;
        struct strbuf text = {0};
        strbuf_printf(&text, "%sexists (c = 3)\n%s",
                      "OPENCL t\n{ a0 = 0; a1 = 0; a2 = 0; nvm atomic_int c = 0; }\n" THREE_ADDERS,
                      columns[i]);
        find(&found, strbuf_text(&text));
        outcome_init(&outcome, found.f.program);
        const struct stabilizer_question question = {.states = {&outcome.final, &outcome.crash}};
        struct stabilizer left =
            stabilizer_new(&found.f.arena, &found.symmetry, found.f.program, &question);
        CU_ASSERT_EQUAL_FATAL(left.count, 1);
        CU_ASSERT_EQUAL(left.parts[0].count, 3 - i);
        outcome_fini(&outcome);
        fixture_fini(&found.f);
        strbuf_fini(&text);
    }
}

/* The test of the definition refuses what is no involution, and threads in wrong company. */
static void test_refused(void)
{
    struct found found;
    exec_differing_list differing = {0};
    find(&found, HEAD(THREE_ZEROS) THREE_ADDERS "exists (c = 3)\n");
    uint32_t threads[] = {1, 0, LIT_NONE}, locations[] = {1, 0, LIT_NONE, LIT_NONE};
    const struct exec_instances instances = exec_instances_new(&found.f.arena, found.f.program);
    struct exec_renaming renaming = {found.f.program, &instances, threads, locations};
    CU_ASSERT(exec_is_automorphism(&found.f.arena, &renaming, &differing));
    locations[0] = locations[1] = LIT_NONE; /* a0 and a1 stay where they are */
    CU_ASSERT(!exec_is_automorphism(&found.f.arena, &renaming, &differing));
    locations[0] = 1, locations[1] = 0, threads[0] = threads[1] = LIT_NONE; /* their writers do */
    CU_ASSERT(!exec_is_automorphism(&found.f.arena, &renaming, &differing));
    threads[0] = 1, threads[1] = 2, threads[2] = 0; /* round and round */
    locations[1] = 2, locations[2] = 0;
    CU_ASSERT(!exec_is_automorphism(&found.f.arena, &renaming, &differing));
    VEC_FREE(&differing);
    fixture_fini(&found.f);
}

void suite_exec_symmetry(void)
{
    CU_pSuite suite = CU_add_suite("exec_symmetry", NULL, NULL);
    UNIT_TEST(suite, test_own_locations);
    UNIT_TEST(suite, test_told_apart);
    UNIT_TEST(suite, test_constants);
    UNIT_TEST(suite, test_teams);
    UNIT_TEST(suite, test_groups);
    UNIT_TEST(suite, test_conditions);
    UNIT_TEST(suite, test_alike);
    UNIT_TEST(suite, test_conditions_on_constants);
    UNIT_TEST(suite, test_columns);
    UNIT_TEST(suite, test_refused);
}
