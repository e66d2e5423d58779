#include "heap.h"

#include <stdlib.h>

/* As the linker calls what stands behind a wrapped name. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static _Thread_local struct {
    unsigned long failing, calls, failures;
    bool for_good;
    long live;
} heap;

void heap_fail(unsigned long number, bool for_good)
{
    heap.failing = number;
    heap.for_good = for_good;
    heap.calls = heap.failures = 0;
}

unsigned long heap_calls(void)
{
    return heap.calls;
}

unsigned long heap_failures(void)
{
    return heap.failures;
}

long heap_live(void)
{
    return heap.live;
}

static bool fails(void)
{
    heap.calls++;
    bool now =
        heap.failing && (heap.for_good ? heap.calls >= heap.failing : heap.calls == heap.failing);
    heap.failures += now;
    return now;
}

static void *count(void *memory)
{
    heap.live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t count_of, size_t size)
{
    return fails() ? NULL : count(__real_calloc(count_of, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __real_realloc(memory, size);
    return memory ? moved : count(moved);
}

void __wrap_free(void *memory)
{
    heap.live -= memory != NULL;
    __real_free(memory);
}
