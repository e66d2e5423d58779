/* Words that people bring from other languages, and what a test has in their place. */
#include "litmus/lit_words.h"

#include <ctype.h>
#include <string.h>

struct foreign {
    const char *name;
    const char *meant; /* what it is called here, or NULL */
    const char *advice;
};

/* Words of C that tests do not have. */
static const struct foreign words[] = {
    {"elif", NULL, "write 'else if'"},
    {"elseif", NULL, "write 'else if'"},
    {"goto", NULL, "write 'if', 'while', 'break' or 'continue'"},
    {"float", NULL, "values are integers; write int, uint, long or ulong"},
    {"double", NULL, "values are integers; write int, uint, long or ulong"},
    {"__int128", NULL, "integers have at most 64 bits; write int or long"},
    {"struct", NULL, "write a register for each member"},
    {"union", NULL, "write a location or a register for each member"},
    {"enum", NULL, "define constants before or in the initial block"},
    {"typedef", NULL, "write the type itself"},
    {"auto", NULL, "write the type: int, uint, long or ulong"},
    {"static", NULL, "declare a location in the initial block"},
    {"__shared__", NULL,
     "memory of a block is declared in the initial block, as in 'local int s = 0;', and stands "
     "among "
     "the parameters as 'local int* s'"},
    {"__device__", NULL,
     "leave it out: a location is global, as in 'int g = 0;', or 'nvm int g = 0;' where it "
     "survives a crash"},
    {"__managed__", NULL, "leave it out: a location is global, as in 'int g = 0;'"},
    {"__constant__", NULL, "leave it out: a location is global, as in 'int g = 0;'"},
    {"atomic_ref", NULL,
     "write the access on the location, as in x->store(1, memory_order_release, "
     "thread_scope_block)"},
    {"void", NULL, "every value has a type; write int, uint, long or ulong"},
};

#define JOINED "a work-item of the host waits for kernel 1 by 'join 1;', behind 'launch 1;'"
#define LAUNCHED                                                                                \
    "a work-item of the host starts kernel 1, the work-items with 'kr 1' in their headers, by " \
    "'launch 1;'"
#define DECLARED "declare a location in the initial block, as in 'nvm int a[4];'"
#define NUMBERED "each of P0, P1 .. is one work-item, whose place its header says: write the number"
#define FENCE(order)                                                         \
    "write atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order \
    ", memory_scope_work_group)"

static const struct foreign functions[] = {
    {"mem_fence", NULL, FENCE("acq_rel")},
    {"read_mem_fence", NULL, FENCE("acquire")},
    {"write_mem_fence", NULL, FENCE("release")},
    {"atomic_add", "atomic_fetch_add", "OpenCL 1 calls it so"},
    {"atomic_sub", "atomic_fetch_sub", "OpenCL 1 calls it so"},
    {"atomic_and", "atomic_fetch_and", "OpenCL 1 calls it so"},
    {"atomic_or", "atomic_fetch_or", "OpenCL 1 calls it so"},
    {"atomic_xor", "atomic_fetch_xor", "OpenCL 1 calls it so"},
    {"atomic_min", "atomic_fetch_min", "OpenCL 1 calls it so"},
    {"atomic_max", "atomic_fetch_max", "OpenCL 1 calls it so"},
    {"atomic_xchg", "atomic_exchange", "OpenCL 1 calls it so"},
    {"atom_add", "atomic_fetch_add", "OpenCL 1 calls it so"},
    {"atomic_inc", NULL, "write atomic_fetch_add(x, 1)"},
    {"atom_inc", NULL, "write atomic_fetch_add(x, 1)"},
    {"atomic_dec", NULL, "write atomic_fetch_sub(x, 1)"},
    {"atomicInc", NULL, "write atomicAdd(x, 1), if it is not to wrap around at a bound"},
    {"atomic_cmpxchg", NULL,
     "write __cmpxchg{mo_rlx, dev_scope}(x, old, new), which gives the old value"},
    {"get_global_id", NULL, NUMBERED},
    {"get_local_id", NULL, NUMBERED},
    {"get_group_id", NULL, NUMBERED},
    {"get_global_size", NULL, NUMBERED},
    {"get_local_size", NULL, NUMBERED},
    {"threadIdx", NULL, NUMBERED},
    {"blockIdx", NULL, NUMBERED},
    {"blockDim", NULL, NUMBERED},
    {"gridDim", NULL, NUMBERED},
    {"hipThreadIdx_x", NULL, NUMBERED},
    {"hipBlockIdx_x", NULL, NUMBERED},
    {"hipBlockDim_x", NULL, NUMBERED},
    {"cudaDeviceSynchronize", NULL, JOINED},
    {"cudaStreamSynchronize", NULL, JOINED},
    {"hipDeviceSynchronize", NULL, JOINED},
    {"hipStreamSynchronize", NULL, JOINED},
    {"clFinish", NULL, JOINED},
    {"clEnqueueNDRangeKernel", NULL, LAUNCHED},
    {"cudaLaunchKernel", NULL, LAUNCHED},
    {"hipLaunchKernelGGL", NULL, LAUNCHED},
    {"cudaMalloc", NULL, DECLARED},
    {"cudaMallocManaged", NULL, DECLARED},
    {"cudaMemcpy", NULL, "write a store for each element"},
    {"cudaFree", NULL, "locations stay; leave it out"},
    {"persist", "p_barrier_wi", "a persist barrier is about all writes before it"},
    {"persist_barrier", "p_barrier_wg", "its scope is part of the name"},
    {"sync_barrier", "sync_barrier_wg", "its scope is part of the name"},
    {"sync", "sync_barrier_wg", "of the grid it is sync_barrier_kr"},
    {"printf", NULL, "nothing is printed; 'locations [0:r; x]' shows values beside each state"},
    {"assert", NULL, "write a condition below the program, as in 'final forall (0:r = 1)'"},
    {"malloc", NULL, DECLARED},
    {"free", NULL, "locations stay; leave it out"},
    {"memcpy", NULL, "write a store for each element"},
    {"memset", NULL, "write a store for each element"},
};

static const struct foreign *find(const struct foreign *rows, size_t count, const char *name,
                                  size_t length)
{
    return FIND(i, rows, count,
                strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0);
}

/* `struct node* nd` */
static bool is_pointer(const char *behind)
{
    static const char blanks[] = " \t";
    behind += strspn(behind, blanks);
    while (isalnum((unsigned char)*behind) || *behind == '_')
        behind++;
    return behind[strspn(behind, blanks)] == '*';
}

const char *lit_word_foreign(const char *text, size_t length)
{
    if (length == 6 && memcmp(text, "struct", 6) == 0 && is_pointer(text + length))
        return LIT_NO_POINTERS;
    const struct foreign *row = find(words, sizeof words / sizeof *words, text, length);
    return row ? row->advice : NULL;
}

/* `p_barrier_group` is p_barrier_wg. */
static const char *barrier_meant(struct arena *arena, const char *name)
{
    static const char *const families[] = {"p_barrier_", "sync_barrier_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t length = strlen(families[i]);
        if (strncmp(name, families[i], length) != 0)
            continue;
        const char *scope = lit_word_scope_meant(name + length);
        const char *meant =
            scope ? arena_printf(arena, "%s%.*s", families[i], (int)strcspn(scope, "_"), scope)
                  : NULL;
        if (meant && !lit_word_function(meant))
            meant = i == 0                             ? "p_barrier_dev"
                    : strcmp(meant, "sync_barrier_sg") ? "sync_barrier_kr"
                                                       : "sub_group_barrier";
        return meant;
    }
    return NULL;
}

const char *lit_word_foreign_function(struct arena *arena, const char *name, const char **meant)
{
    const struct foreign *row =
        find(functions, sizeof functions / sizeof *functions, name, strlen(name));
    *meant = row ? row->meant : barrier_meant(arena, name);
    if (!row)
        return *meant ? arena_printf(arena, "did you mean '%s'?", *meant) : NULL;
    return *meant ? arena_printf(arena, "%s; write %s", row->advice, *meant) : row->advice;
}
