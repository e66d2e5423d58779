/* `instructions KIND[...]`: the set of a tag holds the events of the declared kinds that carry it.
 */
#include "test_cat_fixture.h"

static void test_kinds(void)
{
    /* By definition: F & what carries the tag; several kinds are joined. */
    cat_assert_shape_after("instructions F['ab]", "AB", "(& 'ab.i F)");
    cat_assert_shape_after("instructions F['ab]", "Ab", "(& 'ab.i F)");
    cat_assert_shape_after("instructions F['ab]", "tag2events('ab)", "(& 'ab.i F)");
    cat_assert_shape_after("instructions TX['ab]", "AB", "(& 'ab.i F)");
    cat_assert_shape_after("instructions W['ab] instructions F['ab]", "AB",
                           "(| (& 'ab.i F) (& 'ab.i W))");
    cat_assert_shape_after("instructions LOC['ab]", "AB", "'ab.l");
    cat_assert_shape_after("instructions THREAD['ab]", "AB", "'ab.t");
    cat_assert_shape_after("instructions F['ab-cd || 'x_y]", "AB-CD | X_Y",
                           "(| (& 'ab-cd.i F) (& 'x_y.i F))");
}

static void test_forms(void)
{
    cat_assert_shape_after("enum k = 'ab || 'cd instructions F[k]", "AB | CD",
                           "(| (& 'ab.i F) (& 'cd.i F))");
    cat_assert_shape_after("enum k = 'ab || 'cd instructions F[k \\ {'cd}]", "AB", "(& 'ab.i F)");
    cat_assert_shape_after("instructions F[{'ab, 'cd}, {}]", "CD", "(refused)");
    cat_assert_shape_after("enum k = 'ab || 'cd instructions F[{'ab}, {'cd}]", "CD", "(& 'cd.i F)");
    /* The same again is no other declaration, and an enumeration may come later. */
    cat_assert_shape_after("instructions F['ab] instructions F['ab]", "AB", "(& 'ab.i F)");
    cat_assert_loads("enum k = 'ab || 'cd enum k = 'ab || 'cd");
    cat_assert_loads("instructions F['ab || 'cd] enum k = 'ab || 'cd let x = ~{'ab}");
    cat_assert_error("enum k = 'ab || 'cd\nenum j = 'ab || 'ab", DIAG_CAT_DUPLICATE, 2, 17);
    /* As in the kernel's bell file a tag may be in two enumerations; kinds that tests lack have no
     * events. */
    cat_assert_shape_after("enum k = 'ab || 'cd enum j = 'ef || 'ab instructions F[j]", "AB | EF",
                           "(| (& 'ab.i F) (& 'ef.i F))");
    cat_assert_shape_after("instructions SRCU['ab-c]", "Ab-c", "0");
    cat_assert_shape_after("instructions SRCU['ab] instructions F['ab]", "AB", "(& 'ab.i F)");
    cat_assert_error("instructions F[R]", DIAG_CAT_SORT, 1, 16);
    cat_assert_error("instructions F[{'ab}]", DIAG_CAT_UNBOUND, 1, 17);
    /* Which barriers wait is asked of a barrier without a test. */
    cat_assert_error("instructions PB['ab]\nlet waits = PB & AB", DIAG_CAT_RESERVED, 2, 5);
}

static void count_warnings(const char *text, uint32_t count)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, text, "");
    uint32_t found = 0;
    for (size_t i = 0; i < fixture.diag.entries.count; i++)
        found += fixture.diag.entries.items[i].id == DIAG_CAT_TAG;
    if (found != count)
        fprintf(stderr, "%s: %u warnings of tags, expected %u\n", text, found, count);
    CU_ASSERT_EQUAL(found, count);
    CU_ASSERT_EQUAL(fixture.diag.errors, 0);
    cat_fixture_free(&fixture);
}

/* A name that stands for something else goes on standing for it. */
static void test_names(void)
{
    cat_assert_shape_after("instructions F['acq]", "ACQ", "ACQ");
    cat_assert_shape_after("instructions F['acq]", "Acq", "(& 'acq.i F)");
    cat_assert_shape_after("let AB = R instructions F['ab]", "AB", "R");
    cat_assert_shape_after("instructions F['ab] let AB = R", "AB", "R");
    count_warnings("instructions F['acq]", 1);
    count_warnings("let AB = R instructions F['ab]", 1);
    count_warnings("instructions F['ab] instructions W['ab] instructions F['ab]", 0);
    count_warnings("instructions FENCE['ab]", 1);
    count_warnings("instructions SRCU['ab]", 0); /* herd's */
}

static void test_declarations(void)
{
    struct cat_fixture fixture;
    cat_fixture_load(&fixture, "instructions F['ab]", "instructions LOC['cd] instructions W['ab]");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fixture.model);
    const struct cat_declaration *declarations = fixture.model->declarations;
    CU_ASSERT_EQUAL_FATAL(fixture.model->declaration_count, 2);
    CU_ASSERT_STRING_EQUAL(declarations[0].tag, "ab");
    CU_ASSERT_EQUAL(declarations[0].kinds, 1u << CAT_DECLARED_F | 1u << CAT_DECLARED_W);
    CU_ASSERT_STRING_EQUAL(declarations[1].tag, "cd");
    CU_ASSERT_EQUAL(declarations[1].kinds, 1u << CAT_DECLARED_LOC);
    cat_fixture_free(&fixture);
}

void suite_cat_tag(void)
{
    CU_pSuite suite = CU_add_suite("cat_tag", NULL, NULL);
    UNIT_TEST(suite, test_kinds);
    UNIT_TEST(suite, test_forms);
    UNIT_TEST(suite, test_names);
    UNIT_TEST(suite, test_declarations);
}
