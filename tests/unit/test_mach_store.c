/* The set of states, held against a plain array of them on random states of many sizes. */
#include "unit.h"

#include "machine/mach.h"
#include "machine/mach_store.h"

#include <string.h>

enum { STATES = 600 };

struct naive {
    uint8_t states[STATES][MACH_MAX_STATE];
    uint32_t count;
};

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
    return *seed >> 16;
}

static bool add(struct mach_store *store, const uint8_t *state)
{
    struct mach_key key;
    mach_store_prepare(store, state, &key);
    uint64_t before = mach_store_count(store);
    return mach_store_put(store, &key) == before;
}

static bool naive_add(struct naive *n, const uint8_t *state, uint32_t size)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (memcmp(n->states[i], state, size) == 0)
            return false;
    memcpy(n->states[n->count++], state, size);
    return true;
}

/* States are neighbours of one that is there, as an exploration's are; few values, so many
 * are there already. */
static void check_size(struct naive *n, uint32_t size)
{
    struct mach_store *store = mach_store_new(size);
    uint8_t state[MACH_MAX_STATE] = {0}, copy[MACH_MAX_STATE];
    uint32_t seed = size, wrong = 0;
    n->count = 0;
    for (int i = 0; i < 2000 && n->count < STATES; i++) {
        if (n->count > 0)
            mach_store_get(store, next(&seed) % n->count, state);
        for (uint32_t changes = next(&seed) % 3; changes > 0; changes--)
            state[next(&seed) % size] = (uint8_t)(next(&seed) % 3);
        wrong += naive_add(n, state, size) != add(store, state);
        wrong += mach_store_count(store) != n->count;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        mach_store_get(store, i, copy);
        wrong += memcmp(copy, n->states[i], size) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(n->count > 1);
    mach_store_free(store);
}

static void test_set(void)
{
    static const uint32_t sizes[] = {1,   7,   8,   31,  32,  33,   63,   64,
                                     100, 255, 256, 257, 300, 1000, 4095, MACH_MAX_STATE};
    struct naive *n = malloc(sizeof *n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(n);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_size(n, sizes[i]);
    free(n);
}

/* 100 bytes are four sections of 32: 16 bytes a state, and 32 for each content: that of zeros, and
 * the first section's others. */
static void test_bytes(void)
{
    struct mach_store *store = mach_store_new(100);
    uint8_t state[100] = {0};
    for (uint8_t i = 0; i < 10; i++) {
        state[0] = i;
        CU_ASSERT_TRUE(add(store, state));
    }
    /* The last section, of 4 bytes, is kept whole. */
    CU_ASSERT_EQUAL(mach_store_bytes(store), 10 * 16 + 10 * 32);
    /* 256 slots of 8 bytes in each of the two tables. */
    CU_ASSERT_EQUAL(mach_store_table_bytes(store), 2 * 256 * 8);
    mach_store_free(store);
}

/* Keys prepared together, two of them the same: one is added. */
static void test_batch(void)
{
    struct mach_store *store = mach_store_new(40);
    struct mach_key keys[3];
    uint8_t state[40] = {0};
    mach_store_prepare(store, state, &keys[0]);
    state[39] = 1;
    mach_store_prepare(store, state, &keys[1]);
    mach_store_prepare(store, state, &keys[2]);
    CU_ASSERT_EQUAL(mach_store_put(store, &keys[0]), 0);
    CU_ASSERT_EQUAL(mach_store_put(store, &keys[1]), 1);
    CU_ASSERT_EQUAL(mach_store_put(store, &keys[2]), 1);
    mach_store_get(store, 1, state);
    CU_ASSERT_EQUAL(state[39], 1);
    mach_store_free(store);
}

void suite_mach_store(void)
{
    CU_pSuite suite = CU_add_suite("mach_store", NULL, NULL);
    UNIT_TEST(suite, test_set);
    UNIT_TEST(suite, test_bytes);
    UNIT_TEST(suite, test_batch);
}
