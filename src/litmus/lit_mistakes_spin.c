/* A plain read may be moved out of a loop: nothing in C or CUDA tells the compiler that another
 * work-item stores there meanwhile. So a loop that waits with plain reads alone may never end, or
 * end as expected, as long as nobody compiles it otherwise. */
#include "litmus/lit_lower.h"

#include <string.h>

static bool is_plain(const struct lit_instr *read)
{
    return read->op == LIT_LOAD && read->order == LIT_ORDER_NA && !read->tags;
}

/* The work-item whose loops are looked at; of each location who writes it. */
struct spinner {
    const struct lit_thread *thread;
    uint32_t number;
    const uint32_t *writers;
};

static bool is_stored_elsewhere(const struct spinner *s, uint32_t location)
{
    return s->writers[location] != LIT_NONE && s->writers[location] != s->number;
}

static bool may_change(const struct spinner *s, const struct lit_address *addr)
{
    return ANY(i, addr->index ? addr->count : 1,
               is_stored_elsewhere(s, lit_address_element(addr, i)));
}

/* Is it read in a loop that waits within that one? Then it is told there. */
static bool is_of_inner(const struct lit_thread *thread, const struct lit_instr *await, uint32_t pc)
{
    return ANY(i, thread->code_count,
               thread->code[i].op == LIT_AWAIT && thread->code[i].begin > await->begin &&
                   thread->code[i].begin <= pc && pc < thread->code[i].target);
}

/* The first read that a store of another work-item may change, where the compiler may keep what all
 * reads of the loop returned. Such a loop has nothing in it that others see, so neither a fence nor
 * a barrier; an atomic is read each time. */
static const struct lit_instr *find_kept(const struct spinner *s, const struct lit_instr *await)
{
    const struct lit_instr *first = NULL;
    for (uint32_t i = await->begin; i < await->target; i++) {
        const struct lit_instr *instr = &s->thread->code[i];
        if (!lit_instruction_reads(instr->op))
            continue;
        if (!is_plain(instr))
            return NULL;
        if (!first && may_change(s, &instr->addr) && !is_of_inner(s->thread, await, i))
            first = instr;
    }
    return first;
}

/* By the test's own name where it has one; "&slot[..]" and "&e->valid" of what is no location of its
 * own in C. */
const char *lit_mistake_read(const struct lit_lower *lower, const char *name)
{
    const struct lit_definitions *used = &lower->definitions;
    bool cuda = ANY(i, used->count, strcmp(used->items[i]->name, "atomicAdd") == 0);
    size_t length = strcspn(name, "[.");
    bool member = name[length] == '.';
    return arena_printf(lower->arena, "%s(%s%.*s%s%s%s)", cuda ? "atomicAdd" : "atomic_load",
                        name[length] ? "&" : "", (int)length, name, member ? "->" : "",
                        name + length + member, cuda ? ", 0" : "");
}

static void tell(const struct lit_lower *lower, const struct lit_program *program,
                 const struct lit_instr *read)
{
    const struct lit_symbol *symbol = lit_mistake_symbol(lower, read->addr.first);
    SCOPED(strbuf) name = {0};
    lit_address_name(program, &read->addr, &name);
    if (symbol && !symbol->is_volatile)
        diag_warning(lower->diag, DIAG_LIT_LOOP, read->span,
                     "this loop waits with a plain read of '%s', which a compiler may make once, "
                     "before the loop, so that it never ends; read it by an atomic function, such "
                     "as %s",
                     strbuf_text(&name), lit_mistake_read(lower, strbuf_text(&name)));
}

void lit_mistake_spins(const struct lit_lower *lower, const struct lit_program *settled)
{
    if (!lower->definitions.count || lower->test->dialect->jumps)
        return;
    const uint32_t *writers =
        lit_mistake_writers(lower->arena, settled, settled->threads, settled->thread_count);
    for (uint32_t t = 0; t < settled->thread_count; t++) {
        const struct spinner s = {&settled->threads[t], t, writers};
        EACH (const struct lit_instr, await, s.thread->code, s.thread->code_count) {
            const struct lit_instr *read = await->op == LIT_AWAIT ? find_kept(&s, await) : NULL;
            if (read)
                tell(lower, settled, read);
        }
    }
}
