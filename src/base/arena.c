#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ARENA_FIRST_BLOCK = 16384, ARENA_LARGEST_STEP = 1 << 20 };

struct arena_block {
    struct arena_block *previous;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void arena_init(struct arena *arena)
{
    *arena = (struct arena){NULL, NULL, 0, NULL};
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
    arena->next = block->bytes;
    arena->room = block->size;
}

static size_t round_up(size_t size)
{
    const size_t grain = _Alignof(max_align_t);
    if (size > SIZE_MAX / 2)
        base_die("allocation of %zu bytes refused", size);
    return (size + grain - 1) / grain * grain;
}

void *arena_take_slowly(struct arena *arena, size_t size)
{
    size_t rounded = round_up(size);
    if (!arena->head || arena->room < rounded)
        push_block(arena, rounded);
    void *memory = arena->next;
    arena->next += rounded;
    arena->room -= rounded;
    return memory;
}

void *arena_alloc_slowly(struct arena *arena, size_t size)
{
    return memset(arena_take_slowly(arena, size), 0, size);
}

_Noreturn void arena_refuse(size_t count, size_t size)
{
    base_die("allocation of %zu times %zu bytes refused", count, size);
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
    char most[160]; /* what is longer is formatted twice */
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(most, sizeof most, format, arguments);
    BASE_CHECK(length >= 0);
    char *text = arena_alloc_unset(arena, (size_t)length + 1);
    if ((size_t)length < sizeof most)
        memcpy(text, most, (size_t)length + 1);
    else
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
    return (struct arena_mark){arena->head, arena->next};
}

void arena_rewind(struct arena *arena, struct arena_mark mark)
{
    while (arena->head != mark.head)
        pop_block(arena);
    const struct arena_block *head = arena->head;
    arena->next = mark.next;
    arena->room = head ? (size_t)(head->bytes + head->size - mark.next) : 0;
}
