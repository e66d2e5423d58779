/* Memory and failure: each piece of heap memory has a header, which chains those of a pool. */
#include "base/guard.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local struct base_guard *current;
static int memory_status;

struct base_piece {
    struct base_piece *previous, *next;
    struct base_pool *pool; /* NULL: allocated without a guard */
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

/* ---- Failure ---- */

/* The stack of the failed call is still whole here, so that cleanups may lie on it. */
static _Noreturn void leave(struct base_guard *guard)
{
    while (guard->cleanups) {
        struct base_cleanup *cleanup = guard->cleanups;
        guard->cleanups = cleanup->next;
        cleanup->function(cleanup->context);
    }
    longjmp(guard->place, 1);
}

void base_set_memory_status(int status)
{
    memory_status = status;
}

int base_memory_status(void)
{
    return memory_status;
}

_Noreturn void base_fail(enum base_failure failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (current) {
        struct base_guard *guard = current;
        if (guard->failure == BASE_FAILURE_NONE) {
            guard->failure = failure;
            vsnprintf(guard->message, sizeof guard->message, format, arguments);
        }
        va_end(arguments);
        leave(guard);
    }
    fputs("crashlit: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(failure == BASE_FAILURE_MEMORY && memory_status ? memory_status : 70);
}

bool base_guard_call(struct base_guard *guard, void (*function)(void *context), void *context)
{
    guard->outer = current;
    guard->cleanups = NULL;
    guard->failure = BASE_FAILURE_NONE;
    guard->message[0] = '\0';
    current = guard;
    if (setjmp(guard->place) != 0) {
        current = guard->outer;
        return false;
    }
    function(context);
    current = guard->outer;
    return true;
}

void base_cleanup_add(struct base_cleanup *cleanup, void (*function)(void *), void *context)
{
    if (!current)
        return;
    *cleanup = (struct base_cleanup){function, context, current->cleanups};
    current->cleanups = cleanup;
}

void base_cleanup_remove(struct base_cleanup *cleanup)
{
    if (!current)
        return;
    struct base_cleanup **at = &current->cleanups;
    while (*at && *at != cleanup)
        at = &(*at)->next;
    if (*at)
        *at = cleanup->next;
}

/* ---- Memory ---- */

static void chain(struct base_piece *piece)
{
    struct base_pool *pool = piece->pool;
    if (!pool)
        return;
    piece->previous = NULL;
    piece->next = pool->pieces;
    if (pool->pieces)
        pool->pieces->previous = piece;
    pool->pieces = piece;
    pool->bytes += piece->size;
}

static void unchain(struct base_piece *piece)
{
    struct base_pool *pool = piece->pool;
    if (!pool)
        return;
    if (piece->next)
        piece->next->previous = piece->previous;
    if (piece->previous)
        piece->previous->next = piece->next;
    else
        pool->pieces = piece->next;
    pool->bytes -= piece->size;
}

static struct base_piece *piece_of(void *memory)
{
    return (struct base_piece *)(void *)((unsigned char *)memory -
                                         offsetof(struct base_piece, bytes));
}

static bool is_past_limit(const struct base_pool *pool, size_t held, size_t wanted)
{
    return pool && pool->limit &&
           (wanted > pool->limit || pool->bytes - held > pool->limit - wanted);
}

void *base_realloc(void *memory, size_t size)
{
    struct base_piece *old = memory ? piece_of(memory) : NULL;
    struct base_pool *pool = old ? old->pool : current ? current->pool : NULL;
    if (size > SIZE_MAX / 2 || is_past_limit(pool, old ? old->size : 0, size))
        base_fail(BASE_FAILURE_MEMORY, "out of memory (%zu bytes)", size);
    if (old)
        unchain(old);
    struct base_piece *grown = realloc(old, sizeof *grown + size);
    if (!grown) {
        if (old)
            chain(old);
        base_fail(BASE_FAILURE_MEMORY, "out of memory (%zu bytes)", size);
    }
    grown->pool = pool;
    grown->size = size;
    chain(grown);
    return grown->bytes;
}

void base_free(void *memory)
{
    if (!memory)
        return;
    unchain(piece_of(memory));
    free(piece_of(memory));
}

void base_free_foreign(void *memory)
{
    free(memory);
}

void base_pool_give(struct base_pool *pool, struct base_pool *to)
{
    while (pool->pieces) {
        struct base_piece *piece = pool->pieces;
        unchain(piece);
        piece->pool = to;
        chain(piece);
    }
}

struct base_pool *base_pool_current(void)
{
    return current ? current->pool : NULL;
}

void base_pool_free(struct base_pool *pool)
{
    while (pool->pieces) {
        struct base_piece *dead = pool->pieces;
        unchain(dead);
        free(dead);
    }
}
