/* What bounds a loop. Each LOOP is told, for the engines,
 *
 *   kept   the registers that decide whether the loop goes on: what its exits read, what that is
 *          computed from, and what decides whether that is assigned. While constants change one of
 *          them the loop comes to its end by itself
 *   tried  the locations that it tries again and again to change from what it has last seen there
 *          to something else: those of a compare-exchange that expects what was read from them
 *
 * Both are hints about how far to look. What lies beyond is a doubt as long as an execution comes
 * there. */
#include "litmus/lit_lower.h"

#include <string.h>

/* In longer code, each register that the loop assigns counts as one that decides. */
enum { LONGEST = 1024 };

/* The code of a loop is code[begin..end). */
struct extent {
    const struct lit_thread *thread;
    uint32_t begin, end;
    bool *scratch; /* registers */
};

/* ---- Registers that decide ---- */

static bool leads_out(const struct extent *x, const struct lit_instr *instr)
{
    return lit_instruction_jumps(instr->op) &&
           (instr->target < x->begin || instr->target >= x->end);
}

/* The end of the code whose execution depends on the branch: where its ways meet, or the end of the
 * loop if a jump leads out of that code. */
static uint32_t decided_until(const struct extent *x, uint32_t branch)
{
    const struct lit_instr *code = x->thread->code;
    uint32_t target = code[branch].target;
    if (target <= branch || target >= x->end)
        return x->end;
    uint32_t meet = lit_code_ways_meet(code, target);
    for (uint32_t pc = branch + 1; pc < meet && pc < x->end; pc++)
        if (code[pc].op == LIT_JUMP && (code[pc].target > meet || code[pc].target <= branch))
            return x->end;
    return meet < x->end ? meet : x->end;
}

static bool assigns_any(const struct lit_instr *instr, const bool *registers)
{
    return (instr->dst != LIT_NONE && registers[instr->dst]) ||
           (instr->dst_old != LIT_NONE && registers[instr->dst_old]);
}

static bool decides(const struct extent *x, uint32_t pc, const bool *deciding)
{
    const struct lit_instr *code = x->thread->code;
    if (code[pc].op == LIT_SET)
        return deciding[code[pc].dst];
    if (code[pc].op != LIT_BRANCH)
        return false;
    bool some = leads_out(x, &code[pc]);
    for (uint32_t i = pc + 1, end = decided_until(x, pc); i < end && !some; i++)
        some = leads_out(x, &code[i]) || assigns_any(&code[i], deciding);
    return some;
}

/* Marks the registers that the value uses; false if all of them were marked. */
static bool mark(const struct extent *x, const struct lit_expr *value, bool *deciding)
{
    uint32_t count = x->thread->register_count;
    bool more = false;
    memset(x->scratch, 0, count);
    lit_code_mark_read(value, x->scratch);
    for (uint32_t reg = 0; reg < count; reg++) {
        more |= x->scratch[reg] && !deciding[reg];
        deciding[reg] |= x->scratch[reg];
    }
    return more;
}

static void find_deciding(const struct extent *x, bool *deciding)
{
    const struct lit_instr *code = x->thread->code;
    bool all = x->thread->code_count > LONGEST;
    for (uint32_t reg = 0; reg < x->thread->register_count; reg++)
        deciding[reg] = all;
    for (bool more = !all; more;) {
        more = false;
        for (uint32_t pc = x->begin; pc < x->end; pc++)
            if (decides(x, pc, deciding))
                more |= mark(x, code[pc].value, deciding);
    }
}

/* Keeps those that the loop assigns; others stay as they are. */
static void keep_deciding(struct arena *arena, const struct extent *x, const bool *deciding,
                          struct lit_instr *loop)
{
    uint32_t *kept = ARENA_ARRAY(arena, uint32_t, x->thread->register_count);
    for (uint32_t reg = 0; reg < x->thread->register_count; reg++) {
        bool assigned = false;
        for (uint32_t pc = x->begin; pc < x->end && deciding[reg] && !assigned; pc++)
            assigned = lit_code_assigns(&x->thread->code[pc], reg);
        if (assigned)
            kept[loop->kept_count++] = reg;
    }
    loop->kept = kept;
}

/* ---- Locations that are tried ---- */

static bool same_address(const struct lit_address *a, const struct lit_address *b)
{
    return a->first == b->first && a->count == b->count && a->stride == b->stride &&
           lit_code_same(a->index, b->index);
}

/* Is what the instruction assigns to the register what it has read at the address, or a copy of
 * a register `seen` of which that is so? */
static bool assigns_seen(const struct extent *x, const struct lit_instr *instr, uint32_t reg,
                         const struct lit_address *address, const bool *seen)
{
    if (instr->op != LIT_SET)
        return lit_code_into(instr) == reg && same_address(&instr->addr, address);
    bool some = false, all = true;
    memset(x->scratch, 0, x->thread->register_count);
    lit_code_mark_read(instr->value, x->scratch);
    for (uint32_t i = 0; i < x->thread->register_count; i++) {
        some |= x->scratch[i];
        all &= !x->scratch[i] || seen[i];
    }
    return some && all;
}

/* Leaves of `seen` the registers that in the loop are assigned what was read at the address, and
 * nothing else. */
static void find_seen(const struct extent *x, const struct lit_address *address, bool *seen)
{
    for (uint32_t reg = 0; reg < x->thread->register_count; reg++)
        seen[reg] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t reg = 0; reg < x->thread->register_count; reg++) {
            bool assigned = false, only = true;
            for (uint32_t pc = x->begin; pc < x->end && seen[reg]; pc++) {
                const struct lit_instr *instr = &x->thread->code[pc];
                if (!lit_code_assigns(instr, reg))
                    continue;
                assigned = true;
                only = only && assigns_seen(x, instr, reg, address, seen);
            }
            if (seen[reg] && !(assigned && only)) {
                seen[reg] = false;
                more = true;
            }
        }
    }
}

/* Does the compare-exchange expect what was read of its location in the loop, whenever it is tried
 * once more? */
static bool is_retried(const struct extent *x, const struct lit_instr *cas, bool *seen)
{
    bool some = false;
    if (cas->op != LIT_CAS || cas->unless)
        return false;
    find_seen(x, &cas->addr, seen);
    memset(x->scratch, 0, x->thread->register_count);
    lit_code_mark_read(cas->expected, x->scratch);
    for (uint32_t reg = 0; reg < x->thread->register_count; reg++) {
        if (x->scratch[reg] && !seen[reg])
            return false;
        some |= x->scratch[reg];
    }
    return some;
}

typedef VEC(uint32_t) location_list;

static void add_location(location_list *list, uint32_t location)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i] == location)
            return;
    VEC_PUSH(list, location);
}

static void find_tried(struct arena *arena, const struct extent *x, bool *seen,
                       struct lit_instr *loop)
{
    location_list list = {0};
    for (uint32_t pc = x->begin; pc < x->end; pc++) {
        const struct lit_instr *instr = &x->thread->code[pc];
        if (!is_retried(x, instr, seen))
            continue;
        for (uint32_t i = 0; i < (instr->addr.index ? instr->addr.count : 1); i++)
            add_location(&list, lit_address_element(&instr->addr, i));
    }
    loop->tried = VEC_KEEP(arena, &list);
    loop->tried_count = (uint32_t)list.count;
    VEC_FREE(&list);
}

/* ---- The whole ---- */

/* Each loop has an AWAIT that says where it is, as long as none was taken out. */
static const struct lit_instr *await_of(const struct lit_thread *thread, uint32_t loop)
{
    return FIND(pc, thread->code, thread->code_count,
                thread->code[pc].op == LIT_AWAIT && thread->code[pc].loop == loop);
}

void lit_bound_find(struct arena *arena, struct lit_thread *thread)
{
    struct lit_instr *code = arena_copy(arena, thread->code, thread->code_count * sizeof *code);
    bool *registers = ARENA_ARRAY(arena, bool, thread->register_count);
    struct extent x = {.thread = thread,
                       .scratch = ARENA_ARRAY(arena, bool, thread->register_count)};
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        const struct lit_instr *await =
            code[pc].op == LIT_LOOP ? await_of(thread, code[pc].loop) : NULL;
        if (!await)
            continue;
        x.begin = await->begin;
        x.end = await->target;
        find_deciding(&x, registers);
        keep_deciding(arena, &x, registers, &code[pc]);
        find_tried(arena, &x, registers, &code[pc]);
    }
    thread->code = code;
}
