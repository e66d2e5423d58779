/* arena: memory by phase.
 *
 * An arena hands out memory that is released all at once, or back to a mark.
 * Three kinds live in the program: one per session (sources, models), one per
 * test (program, skeletons), one for scratch work (mark, work, rewind).
 *
 * Ownership: everything allocated belongs to the arena; nothing is freed alone.
 * Errors: an exhausted heap ends the process with status 70, or the call that was made
 * under a guard (`base_die`, base/guard.h), so allocation never returns NULL.
 * Cost: allocation is a bump of a pointer; rewinding keeps one spare block, the largest.
 */
#ifndef CRASHLIT_ARENA_H
#define CRASHLIT_ARENA_H

#include "base/each.h"
#include "base/scoped.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena_block;

struct arena {
    struct arena_block *head;  /* newest block, NULL when nothing was allocated */
    unsigned char *next;       /* its first byte that is not used */
    size_t room;               /* bytes from there to its end */
    struct arena_block *spare; /* the largest block given back by rewinding, for the next need */
};

/* A position to rewind to. Valid until the arena is rewound before it. */
struct arena_mark {
    struct arena_block *head;
    unsigned char *next;
};

/* A zeroed arena is empty and valid; this is for memory that is not. */
void arena_init(struct arena *arena);
void arena_fini(struct arena *arena);

/* The next functions call these. arena_take needs room for `size` and more in the newest block. The
 * other two make a block when there is too little room; the first leaves the memory unset, the
 * second zeroes it. */
static inline void *arena_take(struct arena *arena, size_t size)
{
    const size_t grain = _Alignof(max_align_t);
    unsigned char *memory = arena->next;
    size_t rounded = (size + grain - 1) / grain * grain; /* at most the room, also a multiple */
    arena->next += rounded;
    arena->room -= rounded;
    return memory;
}
void *arena_take_slowly(struct arena *arena, size_t size);
void *arena_alloc_slowly(struct arena *arena, size_t size);

/* Zeroed memory of `size` bytes, aligned for any type. `size` may be 0. */
static inline void *arena_alloc(struct arena *arena, size_t size)
{
    return size < arena->room ? memset(arena_take(arena, size), 0, size)
                              : arena_alloc_slowly(arena, size);
}
/* The same without zeroing. It suits much memory that may not all be used: a page costs nothing
 * before it is touched. */
static inline void *arena_alloc_unset(struct arena *arena, size_t size)
{
    return size < arena->room ? arena_take(arena, size) : arena_take_slowly(arena, size);
}
/* Dies: `count` elements of `size` bytes are more than memory can have. */
_Noreturn void arena_refuse(size_t count, size_t size);
/* As arena_alloc for `count` elements; dies on overflow of the product. */
static inline void *arena_alloc_array(struct arena *arena, size_t count, size_t size)
{
    /* The product of two numbers of half a word fits; only larger numbers need the division. */
    if ((count | size) >> (sizeof count * 4) && size && count > SIZE_MAX / 2 / size)
        arena_refuse(count, size);
    return arena_alloc(arena, count * size);
}
/* A copy of `size` bytes. `bytes` is not read when `size` is 0. */
static inline void *arena_copy(struct arena *arena, const void *bytes, size_t size)
{
    void *copy = arena_alloc_unset(arena, size);
    return size ? memcpy(copy, bytes, size) : copy;
}
/* A NUL-terminated copy of `length` bytes of `text`. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
/* printf into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* "a, b and c". */
const char *arena_list(struct arena *arena, const char *const *names, size_t count);

struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) \
    ((type *)arena_alloc_array((arena), (size_t)(count), sizeof(type)))
/* Makes a structure with these fields in the arena. */
#define ARENA_MAKE(arena, type, ...)                            \
    __extension__({                                             \
        type *made_ = arena_alloc_unset((arena), sizeof(type)); \
        *made_ = (type){__VA_ARGS__};                           \
        made_;                                                  \
    })

/* What failed. Callers decide by this, never by the text of the message. */
enum base_failure { BASE_FAILURE_NONE, BASE_FAILURE_OTHER, BASE_FAILURE_MEMORY };

/* Ends the guarded call (base/guard.h). Without a guard it ends the process, with a message on
 * standard error and status 70, or for exhausted memory the one of base_set_memory_status
 * (base/guard.h). */
_Noreturn void base_fail(enum base_failure failure, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
#define base_die(...) base_fail(BASE_FAILURE_OTHER, __VA_ARGS__)
/* realloc that calls base_die instead of returning NULL. */
void *base_realloc(void *memory, size_t size);
/* Frees memory of base_realloc. Nothing else may free that. Does nothing with NULL. */
void base_free(void *memory);
/* Frees memory that another library allocated by malloc: getline, jansson. */
void base_free_foreign(void *memory);

/* An always-on check for our own bugs where a wrong verdict would follow. */
#define BASE_CHECK(condition) \
    ((condition)              \
         ? (void)0            \
         : base_die("internal error: %s:%d: %s does not hold", __FILE__, __LINE__, #condition))

/* A check for our own bugs in builds that look for them: MODE debug, asan, tsan, coverage and fuzz
 * define CRASHLIT_ASSERT. It says what holds where indices, bounds and cuts are handed over; other
 * builds compile the condition and leave it out, so it has no effect that anything relies on. */
#ifdef CRASHLIT_ASSERT
#define BASE_ASSERT(condition) BASE_CHECK(condition)
#else
#define BASE_ASSERT(condition) ((void)sizeof(!(condition)))
#endif

/* A place that no input can reach, `what` saying what was expected there. */
#define BASE_UNREACHABLE(what) \
    base_die("internal error: %s:%d: expected %s", __FILE__, __LINE__, (what))

#endif
