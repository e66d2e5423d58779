/* The set of states, held against a plain array of them on random states of many sizes; and its
 * table of records, as threads fill it. */
#include "unit.h"

#include "base/team.h"
#include "base/vec.h"
#include "machine/mach_records.h"
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

static void prepare(struct mach_store *store, const struct mach_base *base, const uint8_t *state,
                    struct mach_key *key)
{
    mach_store_make_room(store, MACH_MOST_SECTIONS);
    CU_ASSERT_TRUE(mach_store_prepare(store, base, state, key));
}

static bool put(struct mach_store *store, const struct mach_key *key, uint32_t note,
                uint32_t *handle)
{
    mach_store_make_room_in(store, mach_key_shard(key), 1);
    return mach_store_put(store, key, note, handle);
}

static bool add(struct mach_store *store, const struct mach_base *base, const uint8_t *state,
                uint32_t *handle)
{
    struct mach_key key;
    prepare(store, base, state, &key);
    return put(store, &key, 7, handle);
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
    struct mach_store *store = mach_store_new(size, true);
    static struct mach_base base;
    uint8_t state[MACH_MAX_STATE] = {0};
    uint32_t seed = size, wrong = 0, handle, handles[STATES];
    n->count = 0;
    mach_store_begin(store, &base);
    for (int i = 0; i < 2000 && n->count < STATES; i++) {
        if (n->count > 0) {
            mach_store_get(store, handles[next(&seed) % n->count], &base);
            memcpy(state, base.state, size);
        }
        for (uint32_t changes = next(&seed) % 3; changes > 0; changes--)
            state[next(&seed) % size] = (uint8_t)(next(&seed) % 3);
        bool added = add(store, &base, state, &handle);
        wrong += naive_add(n, state, size) != added;
        if (added)
            handles[n->count - 1] = handle;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        mach_store_get(store, handles[i], &base);
        wrong += memcmp(base.state, n->states[i], size) != 0;
        wrong += *mach_store_note(store, handles[i]) != 7;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(n->count > 1);
    mach_store_free(store);
}

static void test_set(void)
{
    static const uint32_t sizes[] = {1,   7,   8,    31,   32,   33,   63,
                                     64,  100, 255,  256,  257,  300,  511,
                                     512, 513, 1000, 2048, 2049, 4095, MACH_MAX_STATE};
    struct naive *n = malloc(sizeof *n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(n);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check_size(n, sizes[i]);
    free(n);
}

/* Ten states that differ in their first byte; `each`: bytes that a state has of its own, `shared`:
 * other bytes. */
static void check_bytes(uint32_t size, uint64_t each, uint64_t shared)
{
    struct mach_store *store = mach_store_new(size, true);
    static struct mach_base base;
    uint8_t state[MACH_MAX_STATE] = {0};
    uint32_t handle;
    mach_store_begin(store, &base);
    for (uint8_t i = 0; i < 10; i++) {
        state[0] = i;
        CU_ASSERT_TRUE(add(store, &base, state, &handle));
    }
    CU_ASSERT_EQUAL(mach_store_bytes(store), 10 * each + shared);
    mach_store_free(store);
}

static void test_bytes(void)
{
    /* Four sections of 32, the last one kept whole: their numbers and a note, and ten contents:
     * that of zeros, and the first section's others. */
    check_bytes(100, 4 * 4 + 4, 10 * 32);
    check_bytes(256, 8 * 4 + 4, 10 * 32);
    /* Five sections of 64. */
    check_bytes(300, 5 * 4 + 4, 10 * 64);
    /* 17 sections of 32, dealt to five groups, of four at most: the last three have three, and a
     * zero for the fourth number: as that of zeros is number 0 too, all five are the same at first.
     * So there are ten contents, and ten groups of 16 bytes. */
    check_bytes(513, 5 * 4 + 4, 10 * 32 + 10 * 16);
    /* 64 sections of 64: eight groups of eight. */
    check_bytes(4096, 8 * 4 + 4, 10 * 64 + 10 * 32);
}

/* Keys prepared together, two of them the same: one is added. */
static void test_batch(void)
{
    struct mach_store *store = mach_store_new(40, true);
    static struct mach_base base;
    struct mach_key keys[3];
    uint32_t handles[3];
    uint8_t state[40] = {0};
    mach_store_begin(store, &base);
    prepare(store, &base, state, &keys[0]);
    state[39] = 1;
    prepare(store, &base, state, &keys[1]);
    prepare(store, &base, state, &keys[2]);
    CU_ASSERT_TRUE(put(store, &keys[0], 1, &handles[0]));
    CU_ASSERT_TRUE(put(store, &keys[1], 2, &handles[1]));
    CU_ASSERT_FALSE(put(store, &keys[2], 3, &handles[2]));
    CU_ASSERT_EQUAL(handles[1], handles[2]);
    CU_ASSERT_EQUAL(*mach_store_note(store, handles[0]), 1);
    CU_ASSERT_EQUAL(*mach_store_note(store, handles[1]), 2);
    mach_store_get(store, handles[1], &base);
    CU_ASSERT_EQUAL(base.state[39], 1);
    mach_store_free(store);
}

/* What nobody notes takes no room: the numbers of two sections, and ten contents. */
static void test_no_notes(void)
{
    struct mach_store *store = mach_store_new(40, false);
    static struct mach_base base;
    uint8_t state[40] = {0};
    uint32_t handle;
    mach_store_begin(store, &base);
    for (uint8_t i = 0; i < 10; i++) {
        state[39] = i;
        CU_ASSERT_TRUE(add(store, &base, state, &handle));
        CU_ASSERT_FALSE(add(store, &base, state, &handle));
    }
    CU_ASSERT_EQUAL(mach_store_bytes(store), 10 * 2 * 4 + 10 * 32);
    mach_store_free(store);
}

/* ---- Records, by several threads ---- */

enum { RECORDS = 4000, PUTS = 20000, MEMBERS = 4 };

struct crowd {
    struct mach_records records;
    uint32_t numbers[MEMBERS][RECORDS]; /* of each record; UINT32_MAX: not put */
    uint32_t added[MEMBERS], full[MEMBERS];
};

/* Eight bytes, of few hashes, so that slots of one hash are many. */
static void put_many(void *context, uint32_t member)
{
    struct crowd *crowd = context;
    uint32_t seed = member + 1;
    for (uint32_t i = 0; i < PUTS; i++) {
        uint32_t which = (next(&seed) << 8 ^ next(&seed)) % RECORDS, number;
        uint32_t record[2] = {which, ~which};
        bool added;
        if (mach_records_put(&crowd->records, record, (uint64_t)(which / 4) << 40, &number,
                             &added)) {
            crowd->numbers[member][which] = number;
            crowd->added[member] += added;
        } else
            crowd->full[member]++;
    }
}

static void check_crowd(struct crowd *crowd, uint32_t room)
{
    struct team *team = team_new(MEMBERS);
    uint32_t wrong = 0, added = 0, full = 0;
    memset(crowd, 0, sizeof *crowd);
    memset(crowd->numbers, 0xff, sizeof crowd->numbers);
    mach_records_init(&crowd->records, 8, 0, MEMBERS);
    mach_records_make_room(&crowd->records, room);
    team_do(team, put_many, crowd);
    for (uint32_t m = 0; m < MEMBERS; m++) {
        added += crowd->added[m];
        full += crowd->full[m];
        for (uint32_t r = 0; r < RECORDS; r++) {
            uint32_t number = crowd->numbers[m][r], content[2] = {r, ~r};
            if (number != UINT32_MAX)
                wrong += memcmp(mach_record(&crowd->records, number), content, 8) != 0;
            for (uint32_t k = 0; k < m; k++)
                wrong += number != UINT32_MAX && crowd->numbers[k][r] != UINT32_MAX &&
                         crowd->numbers[k][r] != number;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(added, mach_records_count(&crowd->records));
    CU_ASSERT(room >= RECORDS ? full == 0 : full > 0);
    CU_ASSERT(added <= RECORDS && added >= (room < RECORDS ? room : RECORDS / 2));
    team_free(team);
    mach_records_free(&crowd->records);
}

/* Whoever puts a record, it is there once. With less room than records, some find none. */
static void test_crowd(void)
{
    struct crowd *crowd = base_realloc(NULL, sizeof *crowd);
    for (int i = 0; i < 20; i++) {
        check_crowd(crowd, RECORDS);
        check_crowd(crowd, 500);
    }
    base_free(crowd);
}

/* As many as make the table grow by quarters, some times; each is found again. Slots are as full as
 * mach_records.h says. */
static void test_growing(void)
{
    enum { MANY = 400000 };
    struct mach_records records;
    uint32_t wrong = 0, number;
    bool added;
    mach_records_init(&records, 4, 0, 1);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < MANY; i++) {
            mach_records_make_room(&records, 1);
            wrong +=
                !mach_records_put(&records, &i, i * UINT64_C(0x9e3779b97f4a7c15), &number, &added);
            wrong += number != i || added == (round > 0);
            wrong += 4 * (uint64_t)mach_records_count(&records) > 3 * records.slot_count;
            if (i > MANY / 2)
                wrong += 5 * (uint64_t)mach_records_count(&records) + 5 < 3 * records.slot_count;
        }
    CU_ASSERT_EQUAL(wrong, 0);
    mach_records_free(&records);
}

void suite_mach_store(void)
{
    CU_pSuite suite = CU_add_suite("mach_store", NULL, NULL);
    UNIT_TEST(suite, test_set);
    UNIT_TEST(suite, test_bytes);
    UNIT_TEST(suite, test_batch);
    UNIT_TEST(suite, test_no_notes);
    UNIT_TEST(suite, test_growing);
    UNIT_HEAVY_TEST(suite, test_crowd);
}
