/* cat_alike: models over two writes and a read, of which nothing but that is known. */
#include "test_cat_fixture.h"

#include "cat/cat_alike.h"

enum { EVENTS = 3, WRITES = 3, READS = 4, ALL = 7 };

static struct cat_few least[64], most[64];

static rel_word events_of(const char *set)
{
    return strcmp(set, "W") == 0   ? WRITES
           : strcmp(set, "R") == 0 ? READS
           : strcmp(set, "_") == 0 ? ALL
                                   : 0;
}

/* Sets and id as they are; another relation may have any pair. */
static void make_facts(void)
{
    BASE_CHECK(test_cat_basis.count <= sizeof least / sizeof *least);
    for (uint32_t i = 0; i < test_cat_basis.count; i++) {
        least[i] = most[i] = (struct cat_few){{0}};
        if (test_cat_names[i].sort == CAT_SET)
            least[i].rows[0] = most[i].rows[0] = events_of(test_cat_names[i].name);
        for (uint32_t e = 0; e < EVENTS && test_cat_names[i].sort == CAT_REL; e++)
            most[i].rows[e] = ALL;
        if (strcmp(test_cat_names[i].name, "id") == 0)
            for (uint32_t e = 0; e < EVENTS; e++)
                least[i].rows[e] = most[i].rows[e] = (rel_word)1 << e;
    }
}

/* Of three models the first two, then the third beside either. */
static void expect_alike(bool expected, const char *a, const char *b)
{
    const char *const texts[] = {"let persist-before = co", a, b};
    struct cat_fixture fixtures[3];
    const struct cat_model *models[3];
    const struct cat_facts facts = {.count = EVENTS, .exact = true, .least = least, .most = most};
    uint32_t first[3];
    make_facts();
    for (int i = 0; i < 3; i++) {
        cat_fixture_load(&fixtures[i], "", texts[i]);
        models[i] = fixtures[i].model;
        CU_ASSERT_PTR_NOT_NULL_FATAL(models[i]);
    }
    struct cat_alike *alike = cat_alike_new(models, 3);
    cat_alike_find(alike, &facts, first);
    CU_ASSERT_EQUAL(first[0], 0);
    CU_ASSERT_EQUAL(first[1], 1);
    CU_ASSERT_EQUAL(first[2], expected ? 1 : 2);
    cat_alike_free(alike);
    for (int i = 0; i < 3; i++)
        cat_fixture_free(&fixtures[i]);
}

#define ALIKE(a, b) expect_alike(true, a, b)
#define APART(a, b) expect_alike(false, a, b)
#define ORDER(name, set, relation) "with " name " from linearisations(" set ", " relation ") "

/* What is within a part of a union goes. Of one read there is no pair of two. */
static void test_rules(void)
{
    ALIKE("let persist-before = po | po & rf", "let persist-before = po");
    APART("let persist-before = po", "let persist-before = rf");
    APART("let persist-before = po", "let durable-before = po");
    ALIKE("let persist-before = po & (R * R) \\ id", "let persist-before = 0");
    APART("acyclic po as x", "irreflexive po as x");
    APART("acyclic po as x", "let persist-before = 0");
    ALIKE("acyclic po as x", "acyclic po as another");
}

/* What is picked from the same is the same. From no event there is one order, from some there may be
 * none: po may go round. */
static void test_orders(void)
{
    ALIKE(ORDER("o", "W", "po") "let persist-before = o",
          "let p = po " ORDER("q", "W", "p") "let persist-before = q");
    APART(ORDER("o", "W", "po") "let persist-before = o",
          ORDER("o", "W", "rf") "let persist-before = o");
    APART(ORDER("o", "W", "po") "let persist-before = o",
          ORDER("o", "R", "po") "let persist-before = o");
    APART(ORDER("o", "W", "po") "let persist-before = o",
          ORDER("o", "W", "po") "let persist-before = po");
    ALIKE(ORDER("o", "F", "po") "let persist-before = rf | o", "let persist-before = rf");
    APART(ORDER("o", "W", "po") "let persist-before = rf", "let persist-before = rf");
    /* On one event there is no pair. Whether po+ has it beside itself is asked of both. */
    ALIKE(ORDER("o", "R", "po") "let persist-before = rf | o",
          ORDER("o", "R", "po") "let persist-before = rf");
}

/* Two picks are two, and what each is from may come to the same: nothing is said of them. Of one read
 * po & rf has nothing, so both orders are any, and "= b" need not contain po. */
static void test_two_orders(void)
{
#define TWO ORDER("a", "W", "po") ORDER("b", "W", "po")
#define ONE_FREE ORDER("a", "W", "0") ORDER("b", "W", "po & rf") "acyclic a | po as x "
    APART(ONE_FREE "let persist-before = b", ONE_FREE "let persist-before = a");
    APART(TWO "let persist-before = a & b", TWO "let persist-before = b & a");
    APART(TWO "let persist-before = a & b", TWO "let persist-before = a");
    APART(TWO "let persist-before = a & b", ORDER("a", "W", "po") "let persist-before = a");
}

/* Nothing is said of these. */
static void test_alone(void)
{
    APART("with o from {po, rf} let persist-before = o",
          "with o from {po, rf} let persist-before = o");
    APART("let rec a = rf | a; a let persist-before = a",
          "let rec a = rf | a; a let persist-before = a");
    APART("with o from {po, rf} let persist-before = rf", "let persist-before = rf");
}

void suite_cat_alike(void)
{
    CU_pSuite suite = CU_add_suite("cat_alike", NULL, NULL);
    UNIT_TEST(suite, test_rules);
    UNIT_TEST(suite, test_orders);
    UNIT_TEST(suite, test_two_orders);
    UNIT_TEST(suite, test_alone);
}
