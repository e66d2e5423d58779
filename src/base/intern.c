/* A table of names that are looked for from the place that their hash says on; at most half of it
 * is full. */
#include "base/intern.h"

#include "base/arena.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { INTERN_FIRST = 64 };

struct intern_entry {
    const char *text; /* NULL: free */
    size_t length;
    uint64_t hash;
};

struct intern {
    struct arena arena;
    struct intern_entry *entries;
    size_t count, capacity; /* a power of two */
};

struct intern *intern_new(void)
{
    struct intern *table = base_realloc(NULL, sizeof *table);
    *table = (struct intern){.capacity = INTERN_FIRST};
    arena_init(&table->arena);
    table->entries = ARENA_ARRAY(&table->arena, struct intern_entry, table->capacity);
    return table;
}

void intern_free(struct intern *table)
{
    if (!table)
        return;
    arena_fini(&table->arena);
    base_free(table);
}

/* Where the name is, or is to be. */
static struct intern_entry *find_slot(const struct intern *table, uint64_t hash, const char *bytes,
                                      size_t length)
{
    struct intern_entry *entry;
    for (uint64_t at = hash;; at++) {
        entry = &table->entries[at & (table->capacity - 1)];
        if (!entry->text || (entry->hash == hash && entry->length == length &&
                             memcmp(entry->text, bytes, length) == 0))
            return entry;
    }
}

static void grow(struct intern *table)
{
    const struct intern_entry *old = table->entries;
    size_t count = table->capacity;
    table->capacity *= 2;
    table->entries = ARENA_ARRAY(&table->arena, struct intern_entry, table->capacity);
    for (size_t i = 0; i < count; i++)
        if (old[i].text)
            *find_slot(table, old[i].hash, old[i].text, old[i].length) = old[i];
}

const char *intern_bytes(struct intern *table, const char *bytes, size_t length)
{
    uint64_t hash = XXH3_64bits(bytes, length);
    struct intern_entry *entry = find_slot(table, hash, bytes, length);
    if (entry->text)
        return entry->text;
    if (2 * ++table->count > table->capacity) {
        grow(table);
        entry = find_slot(table, hash, bytes, length);
    }
    *entry = (struct intern_entry){arena_strndup(&table->arena, bytes, length), length, hash};
    return entry->text;
}

const char *intern_text(struct intern *table, const char *text)
{
    return intern_bytes(table, text, strlen(text));
}
