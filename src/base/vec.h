/* vec: growable arrays of any element type, on the heap.
 *
 *     VEC(int) numbers = {0};
 *     VEC_PUSH(&numbers, 3);
 *     for (size_t i = 0; i < numbers.count; i++) use(numbers.items[i]);
 *     VEC_FREE(&numbers);
 *
 * Ownership: the vector owns `items`; pointers into it die at the next push.
 * A zeroed vector is empty and valid. Out of memory ends the process (arena.h).
 */
#ifndef CRASHLIT_VEC_H
#define CRASHLIT_VEC_H

#include "base/arena.h"

#define VEC(type)        \
    struct {             \
        type *items;     \
        size_t count;    \
        size_t capacity; \
    }

/* Makes room for one more element without adding it. */
#define VEC_RESERVE(vec)                                                       \
    ((vec)->count < (vec)->capacity                                            \
         ? (void)0                                                             \
         : (void)((vec)->capacity = (vec)->capacity ? (vec)->capacity * 2 : 8, \
                  (vec)->items =                                               \
                      base_realloc((vec)->items, (vec)->capacity * sizeof *(vec)->items)))
#define VEC_PUSH(vec, ...) (VEC_RESERVE(vec), (void)((vec)->items[(vec)->count++] = __VA_ARGS__))
#define VEC_POP(vec) ((vec)->items[--(vec)->count])
#define VEC_LAST(vec) ((vec)->items[(vec)->count - 1])
#define VEC_CLEAR(vec) ((void)((vec)->count = 0))
/* A copy of all elements in an arena. */
#define VEC_KEEP(arena, vec) arena_copy((arena), (vec)->items, (vec)->count * sizeof *(vec)->items)
#define VEC_FREE(vec) \
    (base_free((vec)->items), (vec)->items = NULL, (void)((vec)->count = (vec)->capacity = 0))

#endif
