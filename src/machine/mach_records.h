/* mach_records: a concurrent hash table of records of one length, each kept once and numbered.
 * Private to the store of states.
 *
 * Several threads may look up and add records at once, without locks. Only a thread that has the
 * table to itself may make room, as that moves the records.
 *
 * Cost: a record's bytes, and a slot of 8 bytes. Slots are at most 3/4 full, and with many records
 * at least 3/5. */
#ifndef CRASHLIT_MACH_RECORDS_H
#define CRASHLIT_MACH_RECORDS_H

#include "base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct mach_records {
    uint8_t *items;
    uint32_t width, extra; /* bytes of a record, and bytes behind it that do not identify it */
    uint32_t adders;       /* the most threads that add at once */
    uint32_t capacity;
    atomic_uint_least32_t count;
    /* Open addressing: the hash's upper half, number + 1. The upper half also decides a slot's
     * place, so growing goes through old and new slots in one order and reads no record. */
    atomic_uint_least64_t *slots;
    size_t slot_count; /* 2^32 at most */
};

/* Lengths are multiples of 4. */
void mach_records_init(struct mach_records *records, uint32_t width, uint32_t extra,
                       uint32_t adders);
void mach_records_free(struct mach_records *records);

/* The number of a record; adds it unless it is there, and `added` tells which. False: there was no
 * room. */
bool mach_records_put(struct mach_records *records, const void *item, uint64_t hash,
                      uint32_t *number, bool *added);
/* Makes room for `more` records of any threads. Alone. */
void mach_records_make_room(struct mach_records *records, uint32_t more);

/* Prefetch for a hash that will be asked for soon: first its slot, then, once that is there, the
 * record. Affects only time. */
void mach_records_hint_slot(const struct mach_records *records, uint64_t hash);
void mach_records_hint(const struct mach_records *records, uint64_t hash);

static inline uint8_t *mach_record(const struct mach_records *records, uint32_t number)
{
    BASE_ASSERT(number < records->capacity);
    return records->items + (size_t)number * (records->width + records->extra);
}

static inline uint32_t mach_records_count(const struct mach_records *records)
{
    return atomic_load_explicit(&records->count, memory_order_relaxed);
}

/* Are two records the same? For short lengths that are multiples of 4, for which a call of memcmp
 * takes longer. */
static inline bool mach_same_record(const void *a, const void *b, uint32_t width)
{
    BASE_ASSERT(width % 4 == 0);
    const uint8_t *p = a, *q = b;
    uint64_t x, y;
    uint32_t v, w;
    if (width == 32)
        return memcmp(a, b, 32) == 0; /* no call, as the length is known */
    if (width == 64)
        return memcmp(a, b, 64) == 0;
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

#endif
