/* arena, vec, bits and each of src/base. */
#include "base/arena.h"
#include "base/bits.h"
#include "base/vec.h"
#include "rel/relation.h"
#include "unit.h"

#include <stdbool.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool all_zero(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i])
            return false;
    return true;
}

static void arena_zeroes_and_aligns(void)
{
    struct arena arena;
    arena_init(&arena);
    for (size_t size = 0; size < 300; size += 7) {
        unsigned char *bytes = arena_alloc(&arena, size);
        CU_ASSERT_PTR_NOT_NULL(bytes);
        CU_ASSERT((uintptr_t)bytes % _Alignof(max_align_t) == 0);
        CU_ASSERT(all_zero(bytes, size));
        memset(bytes, 0xFF, size);
    }
    arena_fini(&arena);
}

/* Blocks written full must not overlap: each still holds its own byte at the end. */
static void arena_keeps_allocations_apart(void)
{
    enum { COUNT = 200 };
    struct arena arena;
    unsigned char *blocks[COUNT];
    arena_init(&arena);
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = arena_alloc(&arena, i * 17);
        memset(blocks[i], (int)i, i * 17);
    }
    bool kept = true;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < i * 17; j++)
            kept &= blocks[i][j] == (unsigned char)i;
    CU_ASSERT(kept);
    arena_fini(&arena);
}

static void arena_serves_large(void)
{
    struct arena arena;
    arena_init(&arena);
    size_t size = (size_t)5 << 20; /* above any block the arena makes by itself */
    unsigned char *bytes = arena_alloc(&arena, size);
    CU_ASSERT(all_zero(bytes, size));
    bytes[size - 1] = 1;
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 1));
    arena_fini(&arena);
}

static void arena_rewinds(void)
{
    struct arena arena;
    arena_init(&arena);
    struct arena_mark empty = arena_mark(&arena);
    char *kept = arena_strdup(&arena, "kept");
    struct arena_mark mark = arena_mark(&arena);
    char *first = arena_alloc(&arena, 32);
    memset(first, 'x', 32);
    for (int i = 0; i < 100; i++) /* through several blocks */
        memset(arena_alloc(&arena, 1000), 'y', 1000);
    arena_rewind(&arena, mark);
    CU_ASSERT_STRING_EQUAL(kept, "kept");
    unsigned char *again = arena_alloc(&arena, 32);
    CU_ASSERT_PTR_EQUAL(again, first); /* the same place, zeroed again */
    CU_ASSERT(all_zero(again, 32));
    arena_rewind(&arena, empty);
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 1));
    arena_fini(&arena);
    CU_ASSERT_PTR_NULL(arena.head);
}

/* What is as large as the room that is left ends the block, and what comes then is elsewhere. */
static void arena_fills_its_blocks(void)
{
    struct arena arena;
    arena_init(&arena);
    unsigned char *first = arena_alloc(&arena, 1);
    size_t room = arena.room;
    CU_ASSERT_FATAL(room > 0);
    unsigned char *rest = arena_alloc(&arena, room);
    CU_ASSERT(rest > first && all_zero(rest, room));
    memset(rest, 'x', room);
    CU_ASSERT_EQUAL(arena.room, 0);
    const struct arena_mark full = arena_mark(&arena);
    CU_ASSERT_PTR_NOT_NULL(arena_alloc(&arena, 0));
    unsigned char *next = arena_alloc(&arena, 1);
    CU_ASSERT(next < first || next >= rest + room);
    CU_ASSERT(all_zero(next, 1));
    arena_rewind(&arena, full);
    CU_ASSERT_EQUAL(arena.room, 0);
    CU_ASSERT_EQUAL(rest[room - 1], 'x');
    arena_fini(&arena);
}

static void arena_makes_texts(void)
{
    struct arena arena;
    arena_init(&arena);
    CU_ASSERT_STRING_EQUAL(arena_strndup(&arena, "persist order", 7), "persist");
    CU_ASSERT_STRING_EQUAL(arena_strndup(&arena, "", 0), "");
    CU_ASSERT_STRING_EQUAL(arena_printf(&arena, "%s=%d", "key", -1), "key=-1");
    CU_ASSERT_STRING_EQUAL(arena_printf(&arena, "%s", ""), "");
    char *wide = arena_printf(&arena, "%5000d", 7); /* above one first block */
    CU_ASSERT(strlen(wide) == 5000 && wide[4999] == '7' && wide[0] == ' ');
    arena_fini(&arena);
}

/* What a child that runs `action` writes to standard error, and its exit status. */
static int in_child(void (*action)(void), char *message, size_t size)
{
    int ends[2], status = 0;
    CU_ASSERT_FATAL(pipe(ends) == 0);
    fflush(NULL);
    pid_t child = fork();
    CU_ASSERT_FATAL(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        action();
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(ends[0], message + length, size - 1 - length)) > 0)
        length += (size_t)got;
    message[length] = '\0';
    close(ends[0]);
    CU_ASSERT(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void ask_too_much(void)
{
    struct arena arena;
    arena_init(&arena);
    volatile size_t huge = SIZE_MAX - 8; /* or the compiler refuses it */
    arena_alloc(&arena, huge);
}

/* 2^33 * 2^33 = 2^66 bytes: the product wraps to 4 when unchecked. */
static void ask_wrapping_product(void)
{
    struct arena arena;
    arena_init(&arena);
    arena_alloc_array(&arena, (size_t)1 << 33, ((size_t)1 << 33) + 1);
}

static void die_plainly(void)
{
    base_die("%d events", 3);
}

static void break_a_check(void)
{
    BASE_CHECK(1 + 1 == 3);
}

/* Event 5 of 4. */
static void break_an_assertion(void)
{
    rel_word relation[4] = {0};
    rel_add(rel_dim_make(4), relation, 1, 5);
}

/* Of a build that looks for our own bugs; in others nothing happens, not even the condition. */
static void assertions_end_with_70(void)
{
    char message[300];
    int asked = 0;
    BASE_ASSERT(++asked);
#ifdef CRASHLIT_ASSERT
    CU_ASSERT_EQUAL(asked, 1);
    CU_ASSERT(in_child(break_an_assertion, message, sizeof message) == 70);
    CU_ASSERT(strstr(message, "rel/relation.h") && strstr(message, "to < dim.n does not hold"));
#else
    CU_ASSERT_EQUAL(asked, 0);
    CU_ASSERT(in_child(break_an_assertion, message, sizeof message) == 0);
#endif
}

static void exhaustion_ends_with_70(void)
{
    char message[300];
    CU_ASSERT(in_child(die_plainly, message, sizeof message) == 70);
    CU_ASSERT_STRING_EQUAL(message, "crashlit: 3 events\n");
    CU_ASSERT(in_child(ask_too_much, message, sizeof message) == 70);
    CU_ASSERT(strncmp(message, "crashlit: ", 10) == 0);
    CU_ASSERT(in_child(ask_wrapping_product, message, sizeof message) == 70);
    CU_ASSERT(strncmp(message, "crashlit: ", 10) == 0);
    CU_ASSERT(in_child(break_a_check, message, sizeof message) == 70);
    CU_ASSERT(strstr(message, "internal error: ") && strstr(message, "1 + 1 == 3 does not hold"));
}

static void vec_grows_and_shrinks(void)
{
    VEC(uint32_t) numbers = {0};
    for (uint32_t i = 0; i < 1000; i++)
        VEC_PUSH(&numbers, i * i);
    CU_ASSERT(numbers.count == 1000 && numbers.capacity >= 1000);
    bool right = true;
    for (uint32_t i = 0; i < 1000; i++)
        right &= numbers.items[i] == i * i;
    CU_ASSERT(right);
    CU_ASSERT(VEC_LAST(&numbers) == 999 * 999);
    CU_ASSERT(VEC_POP(&numbers) == 999 * 999);
    CU_ASSERT(numbers.count == 999 && VEC_LAST(&numbers) == 998 * 998);
    VEC_CLEAR(&numbers);
    CU_ASSERT(numbers.count == 0 && numbers.capacity >= 1000);
    VEC_FREE(&numbers);
    CU_ASSERT(numbers.items == NULL && numbers.capacity == 0);
    VEC_FREE(&numbers);
}

static void vec_takes_compound_values(void)
{
    struct pair {
        int from, to;
    };
    VEC(struct pair) pairs = {0};
    VEC_PUSH(&pairs, (struct pair){1, 2});
    VEC_RESERVE(&pairs);
    CU_ASSERT(pairs.count == 1 && pairs.items[0].from == 1 && pairs.items[0].to == 2);
    VEC_FREE(&pairs);
}

static void bits_in_words(void)
{
    uint64_t words[BITS_WORDS(130)] = {0};
    CU_ASSERT(BITS_WORDS(1) == 1 && BITS_WORDS(64) == 1 && BITS_WORDS(65) == 2);
    CU_ASSERT(sizeof words == 3 * sizeof words[0]);
    bits_set(words, 0);
    bits_set(words, 63);
    bits_set(words, 64);
    bits_set(words, 129);
    CU_ASSERT(words[0] == (UINT64_C(1) << 63 | 1) && words[1] == 1 && words[2] == 2);
    CU_ASSERT(bits_get(words, 63) && !bits_get(words, 62) && bits_get(words, 129));
    bits_clear(words, 63);
    CU_ASSERT(words[0] == 1 && !bits_get(words, 63));
    CU_ASSERT(bits_lowest(UINT64_C(1) << 63) == 63 && bits_lowest(12) == 2);
    CU_ASSERT(bits_count(0) == 0 && bits_count(~UINT64_C(0)) == 64);
}

static void bits_walk_a_word(void)
{
    const uint64_t word = UINT64_C(1) << 63 | 1 << 5 | 1;
    unsigned seen[4], count = 0;
    BITS_EACH_IN_WORD (index, word)
        seen[count++] = index;
    CU_ASSERT(count == 3 && seen[0] == 0 && seen[1] == 5 && seen[2] == 63);
    BITS_EACH_IN_WORD (index, UINT64_C(0))
        seen[count++] = index;
    CU_ASSERT(count == 3);
}

/* Bit 70 is bit 6 of word 1: 64 + 6. */
static void bits_walk_a_set(void)
{
    const uint64_t words[] = {1 | UINT64_C(1) << 63, 1 << 6, 0};
    uint32_t seen[4], count = 0, no_words = 0;
    BITS_EACH (index, k, 3, words[k])
        seen[count++] = index;
    CU_ASSERT(count == 3 && seen[0] == 0 && seen[1] == 63 && seen[2] == 70);
    BITS_EACH (index, k, no_words, words[k])
        seen[count++] = index;
    CU_ASSERT(count == 3);
}

/* Of 2, 3, 5 the second is odd, so the third is not looked at: two were. */
static void each_stops_where_one_tells(void)
{
    const uint32_t primes[] = {2, 3, 5};
    uint32_t looks = 0, none = 0;
    CU_ASSERT_TRUE(ANY(i, sizeof primes / sizeof *primes, (looks++, primes[i] % 2 == 1)));
    CU_ASSERT_EQUAL(looks, 2);
    CU_ASSERT_FALSE(ALL(i, 3, primes[i] % 2 == 1));
    CU_ASSERT_TRUE(ALL(i, 3, ANY(k, 3, primes[k] == primes[i])));
    CU_ASSERT_FALSE(ANY(i, 3, primes[i] == 4));
    CU_ASSERT_FALSE(ANY(i, none, primes[i] == 2));
    CU_ASSERT_TRUE(ALL(i, none, primes[i] == 4));
}

/* Something large that is given back and wanted again is not made anew, whatever small comes
 * between: 4 MiB behind 100 bytes need a block of their own each time. */
static void test_large_again(void)
{
    struct arena arena;
    arena_init(&arena);
    struct arena_mark mark = arena_mark(&arena);
    arena_alloc(&arena, 100);
    const void *large = arena_alloc(&arena, 4 << 20);
    arena_alloc(&arena, 2 << 20);
    arena_rewind(&arena, mark);
    arena_alloc(&arena, 100);
    CU_ASSERT_PTR_EQUAL(arena_alloc(&arena, 4 << 20), large);
    arena_fini(&arena);
}

void suite_base_memory(void)
{
    CU_pSuite suite = CU_add_suite("base_memory", NULL, NULL);
    UNIT_TEST(suite, test_large_again);
    UNIT_TEST(suite, arena_zeroes_and_aligns);
    UNIT_TEST(suite, arena_keeps_allocations_apart);
    UNIT_TEST(suite, arena_serves_large);
    UNIT_TEST(suite, arena_rewinds);
    UNIT_TEST(suite, arena_fills_its_blocks);
    UNIT_TEST(suite, arena_makes_texts);
    UNIT_TEST(suite, exhaustion_ends_with_70);
    UNIT_TEST(suite, assertions_end_with_70);
    UNIT_TEST(suite, vec_grows_and_shrinks);
    UNIT_TEST(suite, vec_takes_compound_values);
    UNIT_TEST(suite, bits_in_words);
    UNIT_TEST(suite, bits_walk_a_word);
    UNIT_TEST(suite, bits_walk_a_set);
    UNIT_TEST(suite, each_stops_where_one_tells);
}
