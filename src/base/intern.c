#include "base/intern.h"

#include "base/arena.h"
#include "base/hash.h"

#include <string.h>

struct intern_entry {
    const char *text;
    size_t length;
    UT_hash_handle hh;
};

struct intern {
    struct arena arena;
    struct intern_entry *entries;
};

struct intern *intern_new(void)
{
    struct intern *table = base_realloc(NULL, sizeof *table);
    arena_init(&table->arena);
    table->entries = NULL;
    return table;
}

void intern_free(struct intern *table)
{
    if (!table)
        return;
    HASH_CLEAR(hh, table->entries);
    arena_fini(&table->arena);
    base_free(table);
}

const char *intern_bytes(struct intern *table, const char *bytes, size_t length)
{
    struct intern_entry *entry;
    HASH_FIND(hh, table->entries, bytes, length, entry);
    if (!entry) {
        entry = ARENA_NEW(&table->arena, struct intern_entry);
        entry->text = arena_strndup(&table->arena, bytes, length);
        entry->length = length;
        HASH_ADD_KEYPTR(hh, table->entries, entry->text, entry->length, entry);
    }
    return entry->text;
}

const char *intern_text(struct intern *table, const char *text)
{
    return intern_bytes(table, text, strlen(text));
}
