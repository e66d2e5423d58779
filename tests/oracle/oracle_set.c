/* Sets of equal-sized items, told apart by their bytes. */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static void *grab(void *old, size_t bytes)
{
    void *p = realloc(old, bytes);
    if (!p) {
        fprintf(stderr, "oracle: out of memory\n");
        exit(70);
    }
    return p;
}

void ora_set_init(struct ora_set *s, size_t item_size)
{
    memset(s, 0, sizeof *s);
    s->item_size = item_size;
    s->slot_count = 64;
    s->slots = grab(NULL, s->slot_count * sizeof *s->slots);
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
}

void ora_set_fini(struct ora_set *s)
{
    free(s->items);
    free(s->slots);
    memset(s, 0, sizeof *s);
}

void ora_set_clear(struct ora_set *s)
{
    s->count = 0;
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
}

const void *ora_set_at(const struct ora_set *s, size_t index)
{
    return s->items + index * s->item_size;
}

/* FNV-1a, 64 bits. */
static uint64_t hash(const unsigned char *bytes, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

/* The slot that holds the item, or the empty one where it belongs. */
static size_t find(const struct ora_set *s, const void *item)
{
    size_t slot = (size_t)hash(item, s->item_size) & (s->slot_count - 1);
    while (s->slots[slot] && memcmp(ora_set_at(s, s->slots[slot] - 1), item, s->item_size) != 0)
        slot = (slot + 1) & (s->slot_count - 1);
    return slot;
}

static void rehash(struct ora_set *s)
{
    s->slot_count *= 2;
    s->slots = grab(s->slots, s->slot_count * sizeof *s->slots);
    memset(s->slots, 0, s->slot_count * sizeof *s->slots);
    for (size_t i = 0; i < s->count; i++)
        s->slots[find(s, ora_set_at(s, i))] = i + 1;
}

bool ora_set_add(struct ora_set *s, const void *item)
{
    size_t slot = find(s, item);
    if (s->slots[slot])
        return false;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 16;
        s->items = grab(s->items, s->capacity * s->item_size);
    }
    memcpy(s->items + s->count * s->item_size, item, s->item_size);
    s->slots[slot] = ++s->count;
    if (s->count * 2 > s->slot_count)
        rehash(s);
    return true;
}

bool ora_set_has(const struct ora_set *s, const void *item)
{
    return s->slots[find(s, item)] != 0;
}

bool ora_set_equal(const struct ora_set *a, const struct ora_set *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!ora_set_has(b, ora_set_at(a, i)))
            return false;
    return true;
}
