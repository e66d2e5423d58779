/* Collapse compression (Holzmann: State Compression in SPIN, 1997): a state is cut into sections,
 * a different content of a section is kept once, and a state is the numbers of its sections.
 * Exact: no two states are taken for one another. */
#include "machine/mach_store.h"

#include "machine/mach.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MOST_SECTIONS = MACH_MOST_SECTIONS, LEAST_SECTION = MACH_LEAST_SECTION, FIRST_SLOTS = 256 };
#define MOST_SLOTS (UINT64_C(1) << 32) /* there are fewer records */
enum { MOST_SECTION = MACH_MAX_STATE / MOST_SECTIONS };

/* Records of one length, each once, by number. */
struct records {
    uint8_t *items;
    uint32_t width, count, capacity;
    /* Open addressing: the hash's upper half, number + 1. A slot's place goes by that half, too, so
     * that growing goes through old and new slots in one order, and looks at no record. */
    uint64_t *slots;
    size_t slot_count; /* a power of two, at most MOST_SLOTS */
};

struct mach_store {
    struct records sections, states;
    uint32_t size, section_count;
    /* The state got last, whole sections of it, and their numbers. */
    uint8_t base[MACH_MAX_STATE];
    uint32_t base_numbers[MOST_SECTIONS];
    uint64_t base_hash;
};

/* ---- Records ---- */

/* Of short lengths that are multiples of 4, for which a call of memcmp takes longer. */
static inline bool same(const void *a, const void *b, uint32_t width)
{
    const uint8_t *p = a, *q = b;
    uint64_t x, y;
    uint32_t v, w;
    if (width == LEAST_SECTION)
        return memcmp(a, b, LEAST_SECTION) == 0; /* of a known length it is none */
    for (; width >= sizeof x; width -= (uint32_t)sizeof x, p += sizeof x, q += sizeof x) {
        memcpy(&x, p, sizeof x);
        memcpy(&y, q, sizeof y);
        if (x != y)
            return false;
    }
    if (width == 0)
        return true;
    memcpy(&v, p, sizeof v);
    memcpy(&w, q, sizeof w);
    return v == w;
}

static inline uint64_t hash_section(const void *section, uint32_t width)
{
    return width == LEAST_SECTION ? XXH3_64bits(section, LEAST_SECTION)
                                  : XXH3_64bits(section, width);
}

/* What a section's number adds to the hash of a state, of which the sum is taken bit by bit: so of
 * a neighbour only what differs is hashed (Zobrist, 1970). */
static inline uint64_t part_of_hash(uint32_t section, uint32_t number)
{
    uint64_t x = ((uint64_t)(section + 1) << 32 | number) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
    return x ^ x >> 32;
}

static uint64_t hash_numbers(const uint32_t *numbers, uint32_t count)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++)
        hash ^= part_of_hash(i, numbers[i]);
    return hash;
}

static uint8_t *record(const struct records *r, uint32_t number)
{
    return r->items + (size_t)number * r->width;
}

static inline size_t first_slot(const struct records *r, uint64_t hash)
{
    return (size_t)((hash >> 32) * r->slot_count >> 32);
}

/* The hash's half in the slot tells records apart nearly always, without a look at them. */
static size_t slot_of(const struct records *r, const void *item, uint64_t hash)
{
    size_t mask = r->slot_count - 1, at = first_slot(r, hash);
    for (; r->slots[at]; at = (at + 1) & mask)
        if (r->slots[at] >> 32 == hash >> 32 &&
            same(record(r, (uint32_t)r->slots[at] - 1), item, r->width))
            break;
    return at;
}

static void grow_slots(struct records *r)
{
    uint64_t *old = r->slots;
    size_t old_count = r->slot_count;
    r->slot_count = old_count ? old_count * 2 : FIRST_SLOTS;
    r->slots = base_realloc(NULL, r->slot_count * sizeof *r->slots);
    memset(r->slots, 0, r->slot_count * sizeof *r->slots);
    for (size_t i = 0; i < old_count; i++) {
        size_t at = first_slot(r, old[i]);
        while (old[i] && r->slots[at])
            at = (at + 1) & (r->slot_count - 1);
        r->slots[at] |= old[i];
    }
    base_free(old);
}

static void push(struct records *r, const void *item)
{
    BASE_CHECK(r->count < UINT32_MAX - 1);
    if (r->count == r->capacity) {
        r->capacity = r->capacity ? 2 * r->capacity : FIRST_SLOTS;
        r->items = base_realloc(r->items, (size_t)r->capacity * r->width);
    }
    memcpy(record(r, r->count++), item, r->width);
}

static uint32_t number_of(struct records *r, const void *item, uint64_t hash)
{
    if (4 * ((size_t)r->count + 1) > 3 * r->slot_count && r->slot_count < MOST_SLOTS)
        grow_slots(r);
    size_t slot = slot_of(r, item, hash);
    if (!r->slots[slot]) {
        push(r, item);
        r->slots[slot] = (hash >> 32) << 32 | r->count;
    }
    return (uint32_t)r->slots[slot] - 1;
}

static void records_free(struct records *r)
{
    base_free(r->items);
    base_free(r->slots);
}

static uint64_t record_bytes(const struct records *r)
{
    return (uint64_t)r->count * r->width;
}

/* ---- The set ---- */

static uint32_t number_of_section(struct mach_store *s, const uint8_t *section)
{
    return number_of(&s->sections, section, hash_section(section, s->sections.width));
}

struct mach_store *mach_store_new(uint32_t size)
{
    struct mach_store *s = base_realloc(NULL, sizeof *s);
    uint32_t width = (size + MOST_SECTIONS - 1) / MOST_SECTIONS;
    *s = (struct mach_store){.size = size};
    width = width < LEAST_SECTION ? LEAST_SECTION : (width + 7) / 8 * 8;
    BASE_CHECK(width <= MOST_SECTION);
    s->section_count = (size + width - 1) / width;
    s->sections.width = width;
    s->states.width = s->section_count * (uint32_t)sizeof s->base_numbers[0];
    for (uint32_t i = 0; i < s->section_count; i++)
        s->base_numbers[i] = number_of_section(s, s->base + i * width);
    s->base_hash = hash_numbers(s->base_numbers, s->section_count);
    return s;
}

void mach_store_free(struct mach_store *s)
{
    records_free(&s->sections);
    records_free(&s->states);
    base_free(s);
}

/* Of sections that differ from the base's all slots are asked for before any is looked at. */
void mach_store_prepare(struct mach_store *s, const uint8_t *state, struct mach_key *key)
{
    uint32_t width = s->sections.width, last = s->section_count - 1, rest = s->size - last * width;
    uint32_t differ[MOST_SECTIONS], count = 0;
    uint64_t hashes[MOST_SECTIONS];
    const uint8_t *sections[MOST_SECTIONS];
    uint8_t padded[MOST_SECTION];
    memcpy(padded, state + last * width, rest);
    memset(padded + rest, 0, width - rest);
    for (uint32_t i = 0; i <= last; i++) {
        const uint8_t *section = i < last ? state + i * width : padded;
        key->numbers[i] = s->base_numbers[i];
        if (same(section, s->base + i * width, width))
            continue;
        sections[count] = section;
        hashes[count] = hash_section(section, width);
        __builtin_prefetch(&s->sections.slots[first_slot(&s->sections, hashes[count])]);
        differ[count++] = i;
    }
    key->hash = s->base_hash;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *number = &key->numbers[differ[i]];
        key->hash ^= part_of_hash(differ[i], *number);
        *number = number_of(&s->sections, sections[i], hashes[i]);
        key->hash ^= part_of_hash(differ[i], *number);
    }
    if (s->states.slot_count)
        __builtin_prefetch(&s->states.slots[first_slot(&s->states, key->hash)]);
}

void mach_store_hint(const struct mach_store *s, const struct mach_key *key)
{
    const struct records *r = &s->states;
    uint64_t slot = r->slot_count ? r->slots[first_slot(r, key->hash)] : 0;
    if (slot >> 32 == key->hash >> 32 && slot)
        __builtin_prefetch(record(r, (uint32_t)slot - 1));
}

uint32_t mach_store_put(struct mach_store *s, const struct mach_key *key)
{
    return number_of(&s->states, key->numbers, key->hash);
}

void mach_store_get(struct mach_store *s, uint32_t number, uint8_t *state)
{
    uint32_t width = s->sections.width;
    memcpy(s->base_numbers, record(&s->states, number), s->states.width);
    for (uint32_t i = 0; i < s->section_count; i++)
        memcpy(s->base + i * width, record(&s->sections, s->base_numbers[i]), width);
    s->base_hash = hash_numbers(s->base_numbers, s->section_count);
    memcpy(state, s->base, s->size);
}

uint64_t mach_store_count(const struct mach_store *s)
{
    return s->states.count;
}

uint64_t mach_store_bytes(const struct mach_store *s)
{
    return record_bytes(&s->states) + record_bytes(&s->sections);
}

uint64_t mach_store_table_bytes(const struct mach_store *s)
{
    return (s->states.slot_count + s->sections.slot_count) * sizeof(uint64_t);
}
