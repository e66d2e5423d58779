/* Words that people bring from other languages, and what a test has in their place. */
#include "litmus/lit_words.h"

#include <string.h>

/* Words of C that tests do not have: X(word, what to write instead). */
#define FOREIGN(X)                                                                             \
    X(goto, "write 'if', 'while', 'break' or 'continue'")                                      \
    X(float, "values are integers; write int, uint, long or ulong")                            \
    X(double, "values are integers; write int, uint, long or ulong")                           \
    X(__int128, "integers have at most 64 bits; write int or long")                            \
    X(struct, "write a register for each member")                                              \
    X(union, "write a location or a register for each member")                                 \
    X(enum, "define constants before or in the initial block")                                 \
    X(typedef, "write the type itself")                                                        \
    X(static, "declare a location in the initial block")                                       \
    X(__shared__, "memory of a block is declared as in 'local int s = 0;'")                    \
    X(__device__, "leave it out: a location is global, as in 'int g = 0;', or 'nvm int g = "   \
                  "0;' where it survives a crash")                                             \
    X(__managed__, "leave it out: a location is global, as in 'int g = 0;'")                   \
    X(__constant__, "leave it out: a location is global, as in 'int g = 0;'")                  \
    X(atomic_ref, "write the access on the location, as in x->store(1, memory_order_release, " \
                  "thread_scope_block)")                                                       \
    X(void, "every value has a type; write int, uint, long or ulong")

const char *lit_word_foreign(const char *text, size_t length)
{
    static const struct {
        const char *word;
        size_t length;
        const char *advice;
    } words[] = {
#define X(word, advice) {#word, sizeof #word - 1, advice},
        FOREIGN(X)
#undef X
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].length == length && memcmp(words[i].word, text, length) == 0)
            return words[i].advice;
    return NULL;
}

/* ---- Functions ---- */

#define NUMBERED "each of P0, P1 .. is one work-item, whose place its header says: write the number"
#define FENCE(order)                                                         \
    "write atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_" order \
    ", memory_scope_work_group)"

/* X(name, what it is called here or NULL, what else to write) */
#define FUNCTIONS(X)                                                                           \
    X(mem_fence, NULL, FENCE("acq_rel"))                                                       \
    X(read_mem_fence, NULL, FENCE("acquire"))                                                  \
    X(write_mem_fence, NULL, FENCE("release"))                                                 \
    X(atomic_add, "atomic_fetch_add", "OpenCL 1 calls it so")                                  \
    X(atomic_sub, "atomic_fetch_sub", "OpenCL 1 calls it so")                                  \
    X(atomic_and, "atomic_fetch_and", "OpenCL 1 calls it so")                                  \
    X(atomic_or, "atomic_fetch_or", "OpenCL 1 calls it so")                                    \
    X(atomic_xor, "atomic_fetch_xor", "OpenCL 1 calls it so")                                  \
    X(atomic_min, "atomic_fetch_min", "OpenCL 1 calls it so")                                  \
    X(atomic_max, "atomic_fetch_max", "OpenCL 1 calls it so")                                  \
    X(atomic_xchg, "atomic_exchange", "OpenCL 1 calls it so")                                  \
    X(atom_add, "atomic_fetch_add", "OpenCL 1 calls it so")                                    \
    X(atomic_inc, NULL, "write atomic_fetch_add(x, 1)")                                        \
    X(atom_inc, NULL, "write atomic_fetch_add(x, 1)")                                          \
    X(atomic_dec, NULL, "write atomic_fetch_sub(x, 1)")                                        \
    X(atomicInc, NULL, "write atomicAdd(x, 1), if it is not to wrap around at a bound")        \
    X(atomic_cmpxchg, NULL,                                                                    \
      "write __cmpxchg{mo_rlx, dev_scope}(x, old, new), which gives the old value")            \
    X(get_global_id, NULL, NUMBERED)                                                           \
    X(get_local_id, NULL, NUMBERED)                                                            \
    X(get_group_id, NULL, NUMBERED)                                                            \
    X(get_global_size, NULL, NUMBERED)                                                         \
    X(get_local_size, NULL, NUMBERED)                                                          \
    X(threadIdx, NULL, NUMBERED)                                                               \
    X(blockIdx, NULL, NUMBERED)                                                                \
    X(blockDim, NULL, NUMBERED)                                                                \
    X(gridDim, NULL, NUMBERED)                                                                 \
    X(persist_barrier, "p_barrier_wg", "its scope is part of the name")                        \
    X(sync_barrier, "sync_barrier_wg", "its scope is part of the name")                        \
    X(sync, "sync_barrier_wg", "of the grid it is sync_barrier_kr")                            \
    X(printf, NULL, "nothing is printed; 'locations [0:r; x]' shows values beside each state") \
    X(assert, NULL, "write a condition below the program, as in 'final forall (0:r = 1)'")     \
    X(malloc, NULL, "declare a location in the initial block, as in 'nvm int a[4];'")          \
    X(free, NULL, "locations stay; leave it out")                                              \
    X(memcpy, NULL, "write a store for each element")                                          \
    X(memset, NULL, "write a store for each element")

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
    static const struct {
        const char *name, *meant, *advice;
    } functions[] = {
#define X(name, meant, advice) {#name, meant, advice},
        FUNCTIONS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            *meant = functions[i].meant;
            return *meant ? arena_printf(arena, "%s; write %s", functions[i].advice, *meant)
                          : functions[i].advice;
        }
    *meant = barrier_meant(arena, name);
    return *meant ? arena_printf(arena, "did you mean '%s'?", *meant) : NULL;
}
