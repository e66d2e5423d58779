/* A thread claims a slot with the hash and BUSY, writes the record, and then writes its number into
 * the slot. Whoever meets a claimed slot of the same hash waits for that. */
#include "machine/mach_records.h"

#include "base/arena.h"

enum { FIRST_SLOTS = 32, FIRST_RECORDS = 16, DOUBLED = 1 << 16 };
#define MOST_SLOTS (UINT64_C(1) << 32) /* there are fewer records */
#define BUSY UINT32_MAX

typedef atomic_uint_least64_t slot;

void mach_records_init(struct mach_records *r, uint32_t width, uint32_t extra, uint32_t adders)
{
    BASE_CHECK(width % 4 == 0);
    r->items = NULL;
    r->width = width;
    r->extra = extra;
    r->adders = adders;
    r->capacity = 0;
    atomic_init(&r->count, 0);
    r->slots = NULL;
    r->slot_count = 0;
}

void mach_records_free(struct mach_records *r)
{
    base_free(r->items);
    base_free(r->slots);
}

/* ---- Room ---- */

static inline size_t first_slot(const struct mach_records *r, uint64_t hash)
{
    return (size_t)((hash >> 32) * r->slot_count >> 32);
}

/* Slots that may be in use when nobody can make room; some are always free, which end a search. */
static size_t most_full(size_t slots)
{
    return slots - slots / 8;
}

/* Nobody else is there. */
static inline uint64_t get_slot(const slot *s)
{
    return atomic_load_explicit(s, memory_order_relaxed);
}

static inline size_t next_slot(const struct mach_records *r, size_t at)
{
    return ++at == r->slot_count ? 0 : at;
}

static void grow_slots(struct mach_records *r, size_t slot_count)
{
    slot *old = r->slots;
    size_t old_count = r->slot_count;
    r->slots = base_realloc(NULL, slot_count * sizeof *r->slots);
    r->slot_count = slot_count;
    memset((void *)r->slots, 0, slot_count * sizeof *r->slots);
    for (size_t i = 0; i < old_count; i++) {
        uint64_t full = get_slot(&old[i]);
        size_t at = first_slot(r, full);
        while (full && get_slot(&r->slots[at]))
            at = next_slot(r, at);
        if (full)
            atomic_store_explicit(&r->slots[at], full, memory_order_relaxed);
    }
    base_free(old);
}

/* Doubled while it is small; then by a quarter, as memory that is asked for counts. */
static uint64_t grown(uint64_t count)
{
    return count + (count < DOUBLED ? count : count / 4);
}

static void grow_items(struct mach_records *r, uint64_t wanted)
{
    uint64_t capacity = r->capacity ? r->capacity : FIRST_RECORDS;
    while (capacity < wanted)
        capacity = grown(capacity);
    BASE_CHECK(wanted < BUSY);
    r->capacity = capacity < BUSY ? (uint32_t)capacity : BUSY - 1;
    r->items = base_realloc(r->items, (size_t)r->capacity * (r->width + r->extra));
}

void mach_records_make_room(struct mach_records *r, uint32_t more)
{
    uint64_t count = (uint64_t)mach_records_count(r) + more;
    uint64_t slots = r->slot_count ? r->slot_count : FIRST_SLOTS;
    while ((4 * count > 3 * slots || count + r->adders > most_full(slots)) && slots < MOST_SLOTS)
        slots = grown(slots) < MOST_SLOTS ? grown(slots) : MOST_SLOTS;
    if (count + r->adders > r->capacity)
        grow_items(r, count + r->adders);
    if (slots > r->slot_count)
        grow_slots(r, (size_t)slots);
}

/* ---- Use ---- */

/* Others who saw room as well may add one each. */
static bool has_room(const struct mach_records *r)
{
    uint64_t count = mach_records_count(r);
    return count + r->adders <= r->capacity && count + r->adders <= most_full(r->slot_count);
}

static uint32_t push(struct mach_records *r, const void *item)
{
    uint32_t number = atomic_fetch_add_explicit(&r->count, 1, memory_order_relaxed);
    memcpy(mach_record(r, number), item, r->width + r->extra);
    return number;
}

/* What a slot of the same hash says, once it does. */
static uint64_t await_slot(slot *s, uint64_t seen)
{
    while ((uint32_t)seen == BUSY)
        seen = atomic_load_explicit(s, memory_order_acquire);
    return seen;
}

bool mach_records_put(struct mach_records *r, const void *item, uint64_t hash, uint32_t *number,
                      bool *added)
{
    uint64_t half = hash >> 32 << 32;
    size_t at = first_slot(r, hash);
    *added = false;
    for (;; at = next_slot(r, at)) {
        uint64_t seen = atomic_load_explicit(&r->slots[at], memory_order_acquire);
        if (!seen) {
            if (!has_room(r))
                return false;
            if (atomic_compare_exchange_strong_explicit(&r->slots[at], &seen, half | BUSY,
                                                        memory_order_acquire,
                                                        memory_order_acquire)) {
                *added = true;
                *number = push(r, item);
                atomic_store_explicit(&r->slots[at], half | (*number + 1), memory_order_release);
                return true;
            }
        }
        if (seen >> 32 << 32 != half)
            continue;
        *number = (uint32_t)await_slot(&r->slots[at], seen) - 1;
        if (mach_same_record(mach_record(r, *number), item, r->width))
            return true;
    }
}

void mach_records_hint_slot(const struct mach_records *r, uint64_t hash)
{
    if (r->slot_count)
        __builtin_prefetch((const void *)&r->slots[first_slot(r, hash)]);
}

void mach_records_hint(const struct mach_records *r, uint64_t hash)
{
    uint64_t seen = r->slot_count ? get_slot(&r->slots[first_slot(r, hash)]) : 0;
    if (seen && seen >> 32 == hash >> 32 && (uint32_t)seen != BUSY)
        __builtin_prefetch(mach_record(r, (uint32_t)seen - 1));
}
