#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_FIRST_BLOCK = 4096, ARENA_LARGEST_STEP = 1 << 20 };

struct arena_block {
    struct arena_block *previous;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
    *arena = (struct arena){NULL, 0, NULL};
}

static void pop_block(struct arena *arena)
{
    struct arena_block *dead = arena->head;
    arena->head = dead->previous;
    if (arena->spare && arena->spare->size > dead->size) {
        base_free(dead);
        return;
    }
    base_free(arena->spare);
    arena->spare = dead;
}

void arena_fini(struct arena *arena)
{
    while (arena->head)
        pop_block(arena);
    base_free(arena->spare);
    arena_init(arena);
}

static struct arena_block *new_block(struct arena *arena, size_t need)
{
    size_t size = arena->head ? arena->head->size * 2 : ARENA_FIRST_BLOCK;
    if (size > ARENA_LARGEST_STEP)
        size = ARENA_LARGEST_STEP;
    if (size < need)
        size = need;
    struct arena_block *block = base_realloc(NULL, sizeof *block + size);
    block->size = size;
    return block;
}

/* One that was made for something large waits for what is as large. */
static bool is_spare_for(const struct arena *arena, size_t need)
{
    const struct arena_block *spare = arena->spare;
    return spare && spare->size >= need &&
           (spare->size <= ARENA_LARGEST_STEP || need > spare->size / 2);
}

static void push_block(struct arena *arena, size_t need)
{
    struct arena_block *block = arena->spare;
    if (is_spare_for(arena, need)) {
        arena->spare = NULL;
    } else {
        if (need > ARENA_LARGEST_STEP) {
            base_free(arena->spare);
            arena->spare = NULL;
        }
        block = new_block(arena, need);
    }
    block->previous = arena->head;
    arena->head = block;
    arena->used = 0;
}

static size_t round_up(size_t size)
{
    const size_t grain = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        base_die("allocation of %zu bytes refused", size);
    return (size + grain - 1) / grain * grain;
}

static void *take(struct arena *arena, size_t rounded)
{
    if (!arena->head || arena->head->size - arena->used < rounded)
        push_block(arena, rounded);
    void *memory = arena->head->bytes + arena->used;
    arena->used += rounded;
    return memory;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t rounded = round_up(size);
    return memset(take(arena, rounded), 0, rounded);
}

void *arena_alloc_unset(struct arena *arena, size_t size)
{
    return take(arena, round_up(size));
}

void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
    /* The product of two numbers of half a word fits; the division is for what is larger. */
    if ((count | size) >> (sizeof count * 4) && size && count > SIZE_MAX / 2 / size)
        base_die("allocation of %zu times %zu bytes refused", count, size);
    return arena_alloc(arena, count * size);
}

void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
    void *copy = arena_alloc_unset(arena, size);
    return size ? memcpy(copy, bytes, size) : copy;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc_unset(arena, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    BASE_CHECK(length >= 0);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

const char *arena_list(struct arena *arena, const char *const *names, size_t count)
{
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = arena_printf(arena, "%s%s%s", text,
                            i == 0           ? ""
                            : i + 1 == count ? " and "
                                             : ", ",
                            names[i]);
    return text;
}

struct arena_mark arena_mark(const struct arena *arena)
{
    return (struct arena_mark){arena->head, arena->used};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->head != mark.head)
        pop_block(arena);
    arena->used = mark.used;
}
