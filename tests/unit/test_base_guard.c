/* Guarded calls: what fails in them comes back, and nothing of theirs is left. */
#include "base/guard.h"

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "unit.h"

#include <string.h>

struct trial {
    struct strbuf steps;
    struct base_pool inner_pool;
    bool inner_whole;
};

static void says_fine(void *context)
{
    strbuf_add(context, "fine");
}

static void dies(void *context)
{
    struct arena arena;
    arena_init(&arena);
    arena_alloc(&arena, 100000);
    *(char **)context = base_realloc(NULL, 10);
    base_die("%d events", 3);
}

static void breaks_a_check(void *context)
{
    BASE_CHECK(context == NULL);
}

/* Doubles until the limit is met: 1 MiB is past 1 MiB less the pieces before. */
static void grows(void *context)
{
    char *memory = NULL;
    (void)context;
    for (size_t size = 1024;; size *= 2)
        memory = base_realloc(memory, size);
}

static void a_whole_call_keeps_its_memory(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    struct strbuf text = {0};
    CU_ASSERT(base_guard_call(&guard, says_fine, &text));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&text), "fine");
    CU_ASSERT_STRING_EQUAL(guard.message, "");
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_NONE);
    CU_ASSERT(pool.bytes >= 5);
    strbuf_fini(&text); /* outside of the guard, from its pool all the same */
    CU_ASSERT(pool.bytes == 0 && pool.pieces == NULL);
}

static void a_failure_comes_back(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    char *memory = NULL;
    CU_ASSERT(!base_guard_call(&guard, dies, &memory));
    CU_ASSERT_STRING_EQUAL(guard.message, "3 events");
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_OTHER);
    CU_ASSERT(memory != NULL && pool.bytes > 100000);
    base_pool_free(&pool);
    CU_ASSERT(pool.bytes == 0 && pool.pieces == NULL);
    CU_ASSERT(!base_guard_call(&guard, breaks_a_check, &pool));
    CU_ASSERT_PTR_NOT_NULL(strstr(guard.message, "context == NULL does not hold"));
    CU_ASSERT(base_guard_call(&guard, breaks_a_check, NULL));
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_NONE);
}

static void a_limit_is_an_exhausted_heap(void)
{
    struct base_pool pool = {.limit = 1 << 20};
    struct base_guard guard = {.pool = &pool};
    CU_ASSERT(!base_guard_call(&guard, grows, NULL));
    CU_ASSERT_STRING_EQUAL(guard.message, "out of memory (2097152 bytes)");
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_MEMORY);
    CU_ASSERT(pool.bytes == 1 << 20); /* the last that fitted, whole */
    base_pool_free(&pool);
}

static void note(void *context)
{
    strbuf_add(context, "c");
}

static void cleans_up(void *context)
{
    struct trial *trial = context;
    struct base_cleanup first, second, third;
    base_cleanup_add(&first, note, &trial->steps);
    base_cleanup_add(&second, note, &trial->steps);
    base_cleanup_add(&third, note, &trial->steps);
    base_cleanup_remove(&second);
    base_die("done");
}

static void speaks_of_memory(void *context)
{
    (void)context;
    base_die("a test named 'out of memory'");
}

/* A cleanup that fails as well comes second: it is the call that failed. */
static void fails_for_memory(void *context)
{
    (void)context;
    base_fail(BASE_FAILURE_MEMORY, "out of memory (again)");
}

static void fails_twice(void *context)
{
    struct base_cleanup cleanup;
    base_cleanup_add(&cleanup, fails_for_memory, context);
    base_die("first");
}

static void the_kind_is_no_text(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    CU_ASSERT(!base_guard_call(&guard, speaks_of_memory, NULL));
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_OTHER);
    CU_ASSERT(!base_guard_call(&guard, fails_twice, NULL));
    CU_ASSERT_EQUAL(guard.failure, BASE_FAILURE_OTHER);
    CU_ASSERT_STRING_EQUAL(guard.message, "first");
}

/* Two of three are still there: each is run once. */
static void cleanups_are_run(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    struct trial trial = {.steps = {0}};
    CU_ASSERT(!base_guard_call(&guard, cleans_up, &trial));
    CU_ASSERT_STRING_EQUAL(strbuf_text(&trial.steps), "cc");
    base_pool_free(&pool);
}

static void guards_within(void *context)
{
    struct trial *trial = context;
    struct base_guard guard = {.pool = &trial->inner_pool};
    char *memory;
    trial->inner_whole = base_guard_call(&guard, dies, &memory);
    base_pool_free(&trial->inner_pool);
    base_die("the outer one");
}

static void guards_nest(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    struct trial trial = {.inner_whole = true};
    CU_ASSERT(!base_guard_call(&guard, guards_within, &trial));
    CU_ASSERT(!trial.inner_whole);
    CU_ASSERT_STRING_EQUAL(guard.message, "the outer one");
    CU_ASSERT(pool.bytes == 0);
}

static void pieces_move_and_go_in_any_order(void)
{
    struct base_pool pool = {0};
    struct base_guard guard = {.pool = &pool};
    VEC(int) numbers = {0};
    struct strbuf text = {0};
    CU_ASSERT(base_guard_call(&guard, says_fine, &text));
    for (int i = 0; i < 1000; i++)
        VEC_PUSH(&numbers, i); /* without a guard: of no pool */
    size_t before = pool.bytes;
    for (int i = 0; i < 1000; i++)
        strbuf_add(&text, "more"); /* stays in its pool when it moves */
    CU_ASSERT(pool.bytes > before && pool.bytes >= text.length);
    VEC_FREE(&numbers);
    base_pool_free(&pool);
    CU_ASSERT(pool.bytes == 0);
}

void suite_base_guard(void)
{
    CU_pSuite suite = CU_add_suite("base_guard", NULL, NULL);
    UNIT_TEST(suite, a_whole_call_keeps_its_memory);
    UNIT_TEST(suite, a_failure_comes_back);
    UNIT_TEST(suite, a_limit_is_an_exhausted_heap);
    UNIT_TEST(suite, the_kind_is_no_text);
    UNIT_TEST(suite, cleanups_are_run);
    UNIT_TEST(suite, guards_nest);
    UNIT_TEST(suite, pieces_move_and_go_in_any_order);
}
