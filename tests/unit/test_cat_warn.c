/* Warnings about two files that are well formed each: which models get them, and where. */
#include "test_cat_fixture.h"

/* The warnings of the id that the pair has, and the column of line `line` that they begin at; 0 for
 * none. All else that is warned of is not counted. */
static void expect(const char *visibility, const char *persistency, enum diag_id id, uint32_t line,
                   uint32_t column)
{
    struct cat_fixture fixture;
    uint32_t count = 0;
    cat_fixture_load(&fixture, visibility, persistency);
    CU_ASSERT_PTR_NOT_NULL(fixture.model);
    for (size_t i = 0; i < fixture.diag.entries.count; i++) {
        const struct diag_entry *entry = &fixture.diag.entries.items[i];
        if (entry->id != id)
            continue;
        count++;
        CU_ASSERT_EQUAL(entry->severity, DIAG_WARNING);
        CU_ASSERT_STRING_EQUAL(entry->span.source->name, "v.cat");
        CU_ASSERT_EQUAL(entry->span.line, line);
        CU_ASSERT_EQUAL(entry->span.column, column);
    }
    if (count != (line > 0))
        fprintf(stderr, "%u warnings: %s\n", count, visibility);
    CU_ASSERT_EQUAL(count, line > 0);
    cat_fixture_free(&fixture);
}

static void expect_no_check(const char *visibility, const char *persistency, bool warned)
{
    expect(visibility, persistency, DIAG_CAT_NO_CHECK, warned, warned);
}

/* What raises flags or tells undefined behaviour excludes nothing; no more does a check of what the
 * kinds of events leave empty: no read is a write, from one to the other there is no way back. */
static void test_nothing_forbidden(void)
{
    expect_no_check("", "", true);
    expect_no_check("let hb = (po | rf)+", "", true);
    expect_no_check("flag ~empty rf as reads undefined_unless empty co as writes", "", true);
    expect_no_check("empty [R] & [W]", "", true);
    expect_no_check("acyclic R * W", "", true);
    expect_no_check("irreflexive rf", "", true);
    expect_no_check("include \"cos.cat\"", "", true); /* all candidates have it, but in PTX */
    expect_no_check("", "acyclic po | rf", true);     /* the other file's */
}

static void test_something_forbidden(void)
{
    expect_no_check("acyclic po | rf", "", false);
    expect_no_check("irreflexive rf; po", "", false);
    expect_no_check("empty rmw", "", false);
    expect_no_check("~empty rf", "", false);
    expect_no_check("include \"sc.cat\"", "", false);
    expect_no_check("procedure p(r) = acyclic r end call p(po | rf)", "", false);
    expect_no_check("let rec r = rf | (r; po) when acyclic r", "", false);
    expect_no_check("with S from linearisations(W, po | co)", "",
                    false);                /* none when it is cyclic */
    expect_no_check("empty 0", "", false); /* all is meant */
}

/* Line 2 of the visibility file is `let NAME = ...`: the name is in column 5. */
static void expect_lost(const char *visibility, const char *persistency, bool warned)
{
    expect(visibility, persistency, DIAG_CAT_RESERVED, warned ? 2 : 0, 5);
}

static void test_names_taken_away(void)
{
    const char *one = "acyclic po\nlet persist-before = [W & NVM]; po; [W & NVM]";
    const char *set = "acyclic po\nlet waits = B | PB";
    expect_lost(one, "let persist-before = [W & NVM]; loc; [W & NVM]", true);
    expect_lost(one, "let persist-before = 0", true);
    expect_lost(one, "include \"epoch.cat\"", true);
    expect_lost(set, "let waits = B", true);
    expect_lost(one, "let durable-before = [W & NVM]; po", false);            /* another name */
    expect_lost(one, "let persist-before = [W & NVM]; po; [W & NVM]", false); /* the same */
    expect_lost(one, "let persist-before = persist-before | ([W & NVM]; loc; [W & NVM])", false);
    expect_lost(one, "let old = persist-before let persist-before = old & loc", false);
    expect_lost(set, "let f x = x | waits let waits = f(B)", false);
    expect_lost("acyclic po\nlet persist-before = 0", "include \"epoch.cat\"",
                false); /* says nothing */
    /* Within one file the last counts, as ever. */
    expect_lost("acyclic po\nlet waits = B | PB\nlet waits = B", "", false);
    expect_lost("acyclic po", "let waits = PB let waits = B", false);
}

void suite_cat_warn(void)
{
    CU_pSuite suite = CU_add_suite("cat_warn", NULL, NULL);
    UNIT_TEST(suite, test_nothing_forbidden);
    UNIT_TEST(suite, test_something_forbidden);
    UNIT_TEST(suite, test_names_taken_away);
}
