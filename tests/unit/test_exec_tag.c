/* Cache maintenance, tags and cache lines on skeletons of one work-item; members by definition. */
#include "fixture.h"

#include "base/bits.h"
#include "exec/exec_basis.h"
#include "exec/exec_path.h"
#include "exec/exec_skeleton.h"

static uint32_t path_events;
static const struct exec_run_options plain = {.unroll = 2, .path_events = &path_events};

/* The only skeleton of P0. */
static const struct exec_skeleton *skeleton_of(struct fixture *f, const char *text)
{
    struct exec_paths paths;
    path_events = 0;
    fixture_init(f, text, "sc", "epoch");
    exec_run_thread(&f->arena, f->program, 0, &plain, &paths);
    CU_ASSERT_EQUAL_FATAL(paths.count, 1);
    const struct exec_path **path = ARENA_MAKE(&f->arena, const struct exec_path *, paths.items[0]);
    const struct exec_skeleton *s = exec_skeleton_new(&f->arena, f->program, path);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

/* A digit for each event. */
static const char *digits(struct fixture *f, const struct exec_skeleton *s, const rel_word *set)
{
    char *text = arena_alloc(&f->arena, s->dim.n + 1u);
    for (uint32_t e = 0; e < s->dim.n; e++)
        text[e] = bits_get(set, e) ? '1' : '0';
    text[s->dim.n] = '\0';
    return text;
}

static void assert_base(struct fixture *f, const struct exec_skeleton *s, uint32_t base,
                        const char *members)
{
    rel_word *set = ARENA_ARRAY(&f->arena, rel_word, rel_set_words(s->dim));
    exec_skeleton_base(s, base, set);
    CU_ASSERT_STRING_EQUAL(digits(f, s, set), members);
}

static void assert_tagged(struct fixture *f, const struct exec_skeleton *s, const char *tag,
                          enum cat_bearer bearer, const char *members)
{
    const struct cat_tagged tagged = {tag, bearer};
    rel_word *set = ARENA_ARRAY(&f->arena, rel_word, rel_set_words(s->dim));
    exec_skeleton_tagged(s, &tagged, set);
    CU_ASSERT_STRING_EQUAL(digits(f, s, set), members);
}

/* Events: IW x, IW y, IW v; W x, CM x, CM v, F, R y. */
static const char text[] = "OPENCL t\n{ nvm{a} x = 0; nvm{b} y = 0; v = 0; line {x, y}; }\n"
                           "P0{p} { x = 1; __cm{a}(x); __cm{mo_rel, wg}(v); __fence{a};\n"
                           " int r = __load{b}(y); }\nexists (true)\n";

static void test_sets(void)
{
    struct fixture f;
    const struct exec_skeleton *s = skeleton_of(&f, text);
    assert_base(&f, s, EXEC_SET_CM, "00001100");
    assert_base(&f, s, EXEC_SET_FENCE, "00000010");
    assert_base(&f, s, EXEC_SET_MEMORY, "11110001");
    assert_base(&f, s, EXEC_SET_NVM, "11011001");
    /* Neither order nor scope but what is named. */
    assert_base(&f, s, EXEC_SET_NA, "00010001");
    assert_base(&f, s, EXEC_SET_REL, "00000100");
    assert_base(&f, s, EXEC_SET_WG, "00000100");
    assert_base(&f, s, EXEC_SET_DV, "00000000");
    fixture_fini(&f);
}

static void test_tagged(void)
{
    struct fixture f;
    const struct exec_skeleton *s = skeleton_of(&f, text);
    assert_tagged(&f, s, "a", CAT_BY_INSTRUCTION, "00001010");
    assert_tagged(&f, s, "a", CAT_BY_LOCATION, "10011000"); /* initial write and maintenance too */
    assert_tagged(&f, s, "b", CAT_BY_INSTRUCTION, "00000001");
    assert_tagged(&f, s, "b", CAT_BY_LOCATION, "01000001");
    assert_tagged(&f, s, "p", CAT_BY_THREAD, "00011111"); /* no initial writes */
    assert_tagged(&f, s, "p", CAT_BY_LOCATION, "00000000");
    assert_tagged(&f, s, "nowhere", CAT_BY_THREAD, "00000000");
    fixture_fini(&f);
}

static void test_relations(void)
{
    struct fixture f;
    const struct exec_skeleton *s = skeleton_of(&f, text);
    enum { INIT_X, INIT_Y, INIT_V, WRITE_X, CM_X, CM_V, FENCE, READ_Y };
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LOC, WRITE_X, CM_X));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LOC, CM_X, INIT_X));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LOC, CM_X, CM_X));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_LOC, CM_X, READ_Y));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LINE, CM_X, READ_Y));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LINE, INIT_Y, WRITE_X));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_LINE, CM_V, INIT_V)); /* a line of its own */
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_LINE, CM_V, CM_X));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_LINE, FENCE, FENCE));
    CU_ASSERT(!exec_pair_in_base(s, EXEC_REL_LOC, FENCE, FENCE));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_PO, WRITE_X, CM_X));
    CU_ASSERT(exec_pair_in_base(s, EXEC_REL_PO, CM_X, FENCE));
    fixture_fini(&f);
}

/* What is read decides which line is written back: a path for each element, and `addr`. */
static void test_element(void)
{
    struct fixture f;
    struct exec_paths paths;
    path_events = 0;
    fixture_init(&f, "OPENCL t\n{ nvm a[2]; p = 0; }\nP0 { __cm{c}(a[p]); }\nexists (true)\n", "sc",
                 "epoch");
    exec_run_thread(&f.arena, f.program, 0, &plain, &paths);
    bool seen[2] = {false, false};
    for (uint32_t i = 0; i < paths.count; i++) {
        if (paths.items[i]->end != EXEC_COMPLETE)
            continue;
        CU_ASSERT_EQUAL_FATAL(paths.items[i]->event_count, 2);
        CU_ASSERT_EQUAL(paths.items[i]->events[1].kind, EV_CM);
        CU_ASSERT(bits_get(paths.items[i]->addr[1].words, 0));
        seen[paths.items[i]->events[1].location] = true;
    }
    CU_ASSERT(seen[0] && seen[1]);
    fixture_fini(&f);
}

void suite_exec_tag(void)
{
    CU_pSuite suite = CU_add_suite("exec_tag", NULL, NULL);
    UNIT_TEST(suite, test_sets);
    UNIT_TEST(suite, test_tagged);
    UNIT_TEST(suite, test_relations);
    UNIT_TEST(suite, test_element);
}
