/* Collapse compression (Holzmann: State Compression in SPIN, 1997), on two levels for long states.
 * A state is cut into sections, and each different content of a section is kept once. A state is
 * the numbers of its sections, or of groups of these; each different group is kept once too. Exact:
 * no two states are confused.
 *
 * Neighbouring sections are dealt to different groups. What changes often stands together, in the
 * state of one cache or work-item; a group of just that would be new in each state. */
#include "machine/mach_store.h"

#include "base/hash.h"
#include "base/team.h"
#include "machine/mach_records.h"

#include <string.h>

enum {
    PARTS = MACH_KEY_PARTS,
    SECTION = MACH_SECTION_BYTES,
    SHARDS = MACH_STORE_SHARDS,
    GROUP = 4,  /* sections, unless that makes more groups than parts */
    LONG = 512, /* a state that has more bytes has groups */
    NOTE = (int)sizeof(uint32_t),
    MOST_SECTION = 2 * MACH_MAX_STATE / MACH_MOST_SECTIONS
};

struct mach_store {
    struct mach_records sections, groups, shards[SHARDS];
    uint32_t size, section_count, group_count; /* 0 groups: sections are a key's parts */
    uint8_t places[MACH_MOST_SECTIONS];        /* of a section among all groups, PARTS for each */
};

/* ---- Hashes ---- */

static inline uint64_t hash_bytes(const void *bytes, uint32_t width)
{
    switch (width) { /* known lengths take less */
    case SECTION: return XXH3_64bits(bytes, SECTION);
    case 2 * SECTION: return XXH3_64bits(bytes, 2 * (size_t)SECTION);
    default: return XXH3_64bits(bytes, width);
    }
}

/* What a part adds to the hash of a state, of which the sum is taken bit by bit: so of a neighbour
 * only what differs is hashed (Zobrist, 1970). */
static inline uint64_t part_of_hash(uint32_t place, uint32_t number)
{
    uint64_t x = ((uint64_t)(place + 1) << 32 | number) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static uint32_t part_count(const struct mach_store *s)
{
    return s->group_count ? s->group_count : s->section_count;
}

static uint64_t hash_parts(const struct mach_store *s, const uint32_t *parts)
{
    BASE_ASSERT(part_count(s) <= PARTS);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < part_count(s); i++)
        hash ^= part_of_hash(i, parts[i]);
    return hash;
}

static void change_part(struct mach_key *key, uint32_t place, uint32_t number)
{
    BASE_ASSERT(place < PARTS);
    key->hash ^= part_of_hash(place, key->parts[place]) ^ part_of_hash(place, number);
    key->parts[place] = number;
}

/* ---- The set ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* As long as the longest. */
static uint32_t group_bytes(const struct mach_store *s)
{
    return s->group_count ? (s->section_count + s->group_count - 1) / s->group_count * 4 : 0;
}

struct mach_store *mach_store_new(uint32_t size, bool noted)
{
    struct mach_store *s = base_realloc(NULL, sizeof *s);
    uint32_t most = size <= LONG ? PARTS : MACH_MOST_SECTIONS, width = SECTION;
    *s = (struct mach_store){.size = size};
    while (width * most < size)
        width *= 2;
    s->section_count = (size + width - 1) / width;
    BASE_CHECK(size <= MACH_MAX_STATE && s->section_count <= MACH_MOST_SECTIONS);
    if (s->section_count > PARTS)
        s->group_count = least((s->section_count + GROUP - 1) / GROUP, PARTS);
    for (uint32_t i = 0; i < s->section_count; i++)
        s->places[i] =
            (uint8_t)(s->group_count ? i % s->group_count * PARTS + i / s->group_count : i);
    mach_records_init(&s->sections, width, 0, TEAM_MOST);
    mach_records_init(&s->groups, group_bytes(s), 0, TEAM_MOST);
    for (uint32_t i = 0; i < SHARDS; i++)
        mach_records_init(&s->shards[i], part_count(s) * 4, noted ? NOTE : 0, 1);
    return s;
}

void mach_store_free(struct mach_store *s)
{
    mach_records_free(&s->sections);
    mach_records_free(&s->groups);
    for (uint32_t i = 0; i < SHARDS; i++)
        mach_records_free(&s->shards[i]);
    base_free(s);
}

/* ---- Keys ---- */

void mach_store_begin(struct mach_store *s, struct mach_base *base)
{
    uint32_t zero;
    bool added, there;
    memset(base, 0, sizeof *base);
    mach_store_make_room(s, 1);
    there = mach_records_put(&s->sections, base->state, hash_bytes(base->state, s->sections.width),
                             &zero, &added);
    for (uint32_t i = 0; i < s->section_count; i++)
        base->sections[s->places[i]] = zero;
    for (uint32_t g = 0; there && g < s->group_count; g++)
        there = mach_records_put(&s->groups, &base->sections[g * PARTS],
                                 hash_bytes(&base->sections[g * PARTS], s->groups.width),
                                 &base->key.parts[g], &added);
    BASE_CHECK(there);
    if (!s->group_count)
        memcpy(base->key.parts, base->sections, s->section_count * sizeof zero);
    base->key.hash = hash_parts(s, base->key.parts);
}

/* Of a state the sections that differ from the base's. */
struct differing {
    const uint8_t *contents[MACH_MOST_SECTIONS];
    uint64_t hashes[MACH_MOST_SECTIONS];
    uint8_t places[MACH_MOST_SECTIONS];
    uint32_t count;
};

static inline void add_differing(const struct mach_store *s, const struct mach_base *base,
                                 const uint8_t *content, uint32_t number, struct differing *d)
{
    uint32_t width = s->sections.width;
    if (mach_same_record(content, base->state + number * width, width))
        return;
    BASE_ASSERT(d->count < MACH_MOST_SECTIONS && number < s->section_count);
    d->contents[d->count] = content;
    d->hashes[d->count] = hash_bytes(content, width);
    mach_records_hint_slot(&s->sections, d->hashes[d->count]);
    d->places[d->count++] = s->places[number];
}

/* Of the groups that have a section which differs the numbers; `changed` has a bit for each. */
static bool put_groups(struct mach_store *s, const uint32_t *sections, uint32_t changed,
                       struct mach_key *key)
{
    BASE_ASSERT(changed >> s->group_count == 0);
    bool added;
    for (uint32_t g = 0; g < s->group_count; g++) {
        const uint32_t *group = &sections[g * PARTS];
        uint32_t number;
        if (!(changed >> g & 1))
            continue;
        if (!mach_records_put(&s->groups, group, hash_bytes(group, s->groups.width), &number,
                              &added))
            return false;
        change_part(key, g, number);
    }
    return true;
}

static bool put_sections(struct mach_store *s, const struct mach_base *base,
                         const struct differing *d, struct mach_key *key)
{
    uint32_t sections[MACH_MOST_SECTIONS], changed = 0;
    bool added;
    if (s->group_count)
        memcpy(sections, base->sections, sizeof sections);
    for (uint32_t i = 0; d->count > 1 && i < d->count; i++)
        mach_records_hint(&s->sections, d->hashes[i]);
    for (uint32_t i = 0; i < d->count; i++) {
        uint32_t number;
        if (!mach_records_put(&s->sections, d->contents[i], d->hashes[i], &number, &added))
            return false;
        if (!s->group_count)
            change_part(key, d->places[i], number);
        BASE_ASSERT(d->places[i] < MACH_MOST_SECTIONS);
        sections[d->places[i]] = number;
        changed |= 1u << d->places[i] / PARTS;
    }
    return !s->group_count || put_groups(s, sections, changed, key);
}

/* Of sections that differ all slots are asked for before any is looked at. */
bool mach_store_prepare(struct mach_store *s, const struct mach_base *base, const uint8_t *state,
                        struct mach_key *key)
{
    uint32_t width = s->sections.width, last = s->section_count - 1, rest = s->size - last * width;
    BASE_ASSERT(rest > 0 && rest <= width && width <= MOST_SECTION);
    uint8_t padded[MOST_SECTION];
    struct differing d;
    d.count = 0;
    for (uint32_t i = 0; i < last; i++)
        add_differing(s, base, state + i * width, i, &d);
    memcpy(padded, state + last * width, rest);
    memset(padded + rest, 0, width - rest);
    add_differing(s, base, padded, last, &d);
    *key = base->key;
    return put_sections(s, base, &d, key);
}

void mach_store_make_room(struct mach_store *s, uint32_t sections)
{
    mach_records_make_room(&s->sections, sections);
    if (s->group_count)
        mach_records_make_room(&s->groups, sections + PARTS);
}

void mach_store_make_room_in(struct mach_store *s, uint32_t shard, uint32_t states)
{
    BASE_ASSERT(shard < SHARDS);
    mach_records_make_room(&s->shards[shard], states);
    BASE_CHECK(mach_records_count(&s->shards[shard]) < UINT32_MAX / SHARDS - states);
}

void mach_store_hint_slot(const struct mach_store *s, const struct mach_key *key)
{
    mach_records_hint_slot(&s->shards[mach_key_shard(key)], key->hash);
}

void mach_store_hint(const struct mach_store *s, const struct mach_key *key)
{
    mach_records_hint(&s->shards[mach_key_shard(key)], key->hash);
}

/* ---- States ---- */

uint32_t mach_store_shard(uint32_t handle)
{
    return handle % SHARDS;
}

uint32_t mach_store_place(uint32_t handle)
{
    return handle / SHARDS;
}

static uint8_t *state_of(const struct mach_store *s, uint32_t handle)
{
    BASE_ASSERT(handle / SHARDS < mach_records_count(&s->shards[handle % SHARDS]));
    return mach_record(&s->shards[handle % SHARDS], handle / SHARDS);
}

bool mach_store_put(struct mach_store *s, const struct mach_key *key, uint32_t note,
                    uint32_t *handle)
{
    uint32_t record[PARTS + 1], count = part_count(s), shard = mach_key_shard(key), place;
    BASE_ASSERT(shard < SHARDS && count <= PARTS);
    bool added;
    memcpy(record, key->parts, sizeof key->parts);
    record[count] = note;
    BASE_CHECK(mach_records_put(&s->shards[shard], record, key->hash, &place, &added));
    *handle = place * SHARDS + shard;
    return added;
}

uint32_t *mach_store_note(const struct mach_store *s, uint32_t handle)
{
    BASE_CHECK(s->shards[0].extra == NOTE);
    return (uint32_t *)(void *)(state_of(s, handle) + part_count(s) * 4);
}

void mach_store_get(const struct mach_store *s, uint32_t handle, struct mach_base *base)
{
    uint32_t width = s->sections.width;
    BASE_ASSERT(mach_store_place(handle) <
                mach_records_count(&s->shards[mach_store_shard(handle)]));
    memcpy(base->key.parts, state_of(s, handle), part_count(s) * sizeof base->key.parts[0]);
    base->key.hash = hash_parts(s, base->key.parts);
    if (!s->group_count)
        memcpy(base->sections, base->key.parts, sizeof base->key.parts);
    for (uint32_t g = 0; g < s->group_count; g++)
        memcpy(&base->sections[g * PARTS], mach_record(&s->groups, base->key.parts[g]),
               s->groups.width);
    for (uint32_t i = 0; i < s->section_count; i++)
        memcpy(base->state + i * width, mach_record(&s->sections, base->sections[s->places[i]]),
               width);
}

static uint64_t bytes_of(const struct mach_records *r)
{
    return (uint64_t)mach_records_count(r) * (r->width + r->extra);
}

uint64_t mach_store_bytes(const struct mach_store *s)
{
    uint64_t bytes = bytes_of(&s->sections) + bytes_of(&s->groups);
    for (uint32_t i = 0; i < SHARDS; i++)
        bytes += bytes_of(&s->shards[i]);
    return bytes;
}

uint64_t mach_store_table_bytes(const struct mach_store *s)
{
    size_t slots = s->sections.slot_count + s->groups.slot_count;
    for (uint32_t i = 0; i < SHARDS; i++)
        slots += s->shards[i].slot_count;
    return slots * sizeof(uint64_t);
}
