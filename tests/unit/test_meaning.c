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

static void expect(const char *declarations, const char *names)
{
    struct lit_fixture f;
    struct strbuf text = {0}, found = {0};
    lit_fixture_accept(&f, test);
    strbuf_printf(&text, "\"m\"\n%s\nacyclic po", declarations);
    const struct cat_model *model =
        cat_model_load_sources(&f.arena, exec_basis(),
                               source_from_text(&f.arena, "v.cat", strbuf_text(&text), text.length),
                               source_from_text(&f.arena, "p.cat", "", 0), &f.diag);
    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    struct meaning_lacking lacking = meaning_lacking(&f.arena, f.program, model);
    for (uint32_t i = 0; i < lacking.count; i++)
        strbuf_printf(&found, "%s%s", i ? " " : "", lacking.names[i]);
    lit_expect_text(strbuf_text(&found), names);
    strbuf_fini(&found);
    strbuf_fini(&text);
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

void suite_meaning(void)
{
    CU_pSuite suite = CU_add_suite("meaning", NULL, NULL);
    UNIT_TEST(suite, test_names);
    UNIT_TEST(suite, test_kinds);
}
