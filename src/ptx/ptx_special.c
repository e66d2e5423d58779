#include "ptx/ptx_special.h"

#include "ptx/ptx_access.h"
#include "ptx/ptx_compute.h"
#include "ptx/ptx_inline.h"
#include "ptx/ptx_marker.h"
#include "ptx/ptx_warp.h"

/* Steps of all threads, and blocks of one. */
enum { MAX_ALL_STEPS = 1 << 26, MAX_BLOCKS = 4096, MOST_SURE = 32 };

/* ---- States ---- */

static bool same_value(const struct ptx_value *a, const struct ptx_value *b)
{
    return a->kind == b->kind && a->known == b->known && a->opaque == b->opaque &&
           a->clear == b->clear && a->of == b->of && a->loaded == b->loaded && a->most == b->most &&
           a->sure == b->sure && (!a->sure || a->is == b->is) && a->tells == b->tells &&
           (!a->tells || (a->told == b->told && a->told_when == b->told_when)) &&
           (a->kind != PTX_READ ||
            (a->reg == b->reg && a->factor == b->factor && a->extends == b->extends));
}

/* Memory that came after the block was made has no value there. */
static bool same_state(const struct ptx_walk *s, const struct ptx_block *block)
{
    const struct ptx_value *state = block->state;
    if (block->met != s->met)
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (i >= block->count
                ? s->now[i].kind != PTX_UNKNOWN
                : ptx_is_live(s->kernel, block->pc, i) && !same_value(state++, &s->now[i]))
            return false;
    return true;
}

/* The values of now that are live at `pc`. */
static const struct ptx_value *copy_state(const struct ptx_walk *s, uint32_t pc)
{
    uint32_t size = COUNT_IF(i, s->count, ptx_is_live(s->kernel, pc, i));
    struct ptx_value *state = ARENA_ARRAY(s->scratch, struct ptx_value, size), *at = state;
    for (uint32_t i = 0; i < s->count; i++)
        if (ptx_is_live(s->kernel, pc, i))
            *at++ = s->now[i];
    return state;
}

static void take_state(struct ptx_walk *s, const struct ptx_block *block)
{
    const struct ptx_value *at = block->state;
    s->met = block->met;
    for (uint32_t i = 0; i < s->count; i++)
        s->now[i] = i < block->count && ptx_is_live(s->kernel, block->pc, i)
                        ? *at++
                        : (struct ptx_value){0};
}

/* What is no address and no multiple is held in its own register, so that states return. */
static void settle_all(struct ptx_walk *s, uint32_t pc)
{
    uint32_t before = s->pc;
    s->pc = pc;
    for (uint32_t i = 0; i < s->count && !s->failed; i++)
        if (ptx_is_live(s->kernel, pc, i) && s->now[i].kind == PTX_READ && s->now[i].known) {
            if (ptx_is_address(s, &s->now[i]))
                ptx_settle_index(s, i);
            else
                ptx_settle(s, i);
        }
    s->pc = before;
}

/* Who counts on from what is sure, in a loop that ends by something else, would never return. */
static void forget_sure(struct ptx_walk *s, uint32_t pc)
{
    size_t count = COUNT_IF(i, s->residue.blocks.count, s->residue.blocks.items[i]->pc == pc);
    for (uint32_t i = 0; count > MOST_SURE && i < s->count; i++)
        s->now[i].sure = false;
}

/* The block that begins at `pc` with the values of now. */
static struct ptx_block *block_at(struct ptx_walk *s, uint32_t pc, bool entered)
{
    if (pc >= s->kernel->code.count && !ptx_warp_leaves(s))
        return NULL;
    forget_sure(s, pc);
    for (size_t i = 0; i < s->residue.blocks.count; i++) {
        struct ptx_block *block = s->residue.blocks.items[i];
        if (block->pc == pc && block->entered == entered && same_state(s, block))
            return block;
    }
    if (s->residue.blocks.count >= MAX_BLOCKS)
        PTX_FAULT(
            s, DIAG_LIT_TOO_LARGE,
            "a loop here does not come to its end in %d blocks of code, or what it counts depends "
            "on a read%s",
            MAX_BLOCKS, ptx_where(s, s->instr));
    struct ptx_block *block = ARENA_NEW(s->arena, struct ptx_block);
    block->pc = pc;
    block->entered = entered;
    block->count = s->count;
    block->met = s->met;
    block->state = copy_state(s, pc);
    VEC_PUSH(&s->residue.blocks, block);
    return block;
}

/* Where the truth is `holds`, what it tells of a register is sure. */
static void tell(struct ptx_walk *s, const struct ptx_value *truth, bool holds)
{
    if (!truth->tells || truth->told_when != holds)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->now[i].reg + 1 == truth->tells && ptx_is_plain(&s->now[i]) && !s->now[i].opaque) {
            s->now[i].sure = true;
            s->now[i].is = truth->told;
        }
}

/* The block that begins where the guard is `holds`. */
static struct ptx_block *block_where(struct ptx_walk *s, uint32_t guard, bool holds, uint32_t pc,
                                     bool entered)
{
    size_t size = s->count * sizeof *s->now;
    struct ptx_value *before = arena_copy(s->scratch, s->now, size), truth = s->now[guard];
    tell(s, &truth, holds);
    struct ptx_block *block = block_at(s, pc, entered);
    memcpy(s->now, before, size);
    return block;
}

/* Where a guard that depends on a read decides: both ways. */
static void part_ways(struct ptx_walk *s, const struct ptx_instr *instr, uint32_t yes, bool entered)
{
    struct ptx_value guard = s->now[instr->guard];
    if (guard.kind == PTX_UNKNOWN)
        guard = ptx_opaque_value(s);
    if (!ptx_check_known(s, &guard, "a branch"))
        return;
    settle_all(s, s->pc);
    s->block->decides = ptx_expr_of(s, &s->now[instr->guard], 1);
    s->block->next[instr->unless] = block_where(s, instr->guard, !instr->unless, yes, entered);
    s->block->next[!instr->unless] = block_where(s, instr->guard, instr->unless, s->pc + 1, false);
}

/* ---- One block ---- */

static bool is_odd(const struct ptx_walk *s, const struct ptx_operand *operand, bool address)
{
    bool reg = operand->kind == PTX_REGISTER;
    return (operand->in_brackets && !address) || (reg && operand->number && !address) ||
           (operand->negated && (!reg || ptx_bits_of(s, operand->reg) != 1)) ||
           (operand->kind == PTX_VECTOR &&
            ANY(i, operand->count, is_odd(s, &operand->elements[i], false)));
}

/* Registers, or `_`. */
static bool takes(const struct ptx_operand *operand)
{
    return operand->kind == PTX_VECTOR
               ? ALL(i, operand->count, takes(&operand->elements[i]))
               : operand->kind == PTX_REGISTER ||
                     (operand->kind == PTX_NAME && strcmp(operand->name, "_") == 0);
}

/* False after refusing brackets, sums and negations where none is read, and results in what is no
 * register. */
static bool check_operands(struct ptx_walk *s, const struct ptx_instr *instr)
{
    enum ptx_kind kind = instr->meaning.word->kind;
    uint32_t address = kind == PTX_LOAD || kind == PTX_ATOM                         ? 1
                       : kind == PTX_STORE || kind == PTX_RED || kind == PTX_MARKER ? 0
                                                                                    : LIT_NONE;
    bool pairs = kind == PTX_FOLD || kind == PTX_OPAQUE || kind == PTX_EXCHANGE;
    bool gives = pairs || kind == PTX_LOAD || kind == PTX_ATOM;
    bool odd =
        (!pairs && ANY(i, instr->count, instr->operands[i].paired)) ||
        (kind != PTX_NOTHING && ANY(i, instr->count, is_odd(s, &instr->operands[i], i == address)));
    if (odd)
        PTX_REFUSE(s, "an operand has brackets, a sum or a negation that is not read there");
    else if (gives && instr->count && !takes(&instr->operands[0]))
        PTX_REFUSE(s, "its result is no register");
    return !s->failed;
}

/* Registers, and parts of the thread's own memory by address and size. */
static void forget(struct ptx_walk *s, const struct ptx_instr *instr)
{
    uint32_t registers = (uint32_t)s->kernel->registers.count;
    for (uint32_t k = 0; k < instr->count; k++) {
        const struct ptx_operand *what = &instr->operands[k];
        if (what->kind == PTX_REGISTER)
            s->now[what->reg] = (struct ptx_value){0};
        for (uint32_t i = registers; what->kind == PTX_NUMBER && i < s->count; i++)
            if (s->slots[i - registers].address - (uint64_t)what->number < what->count)
                s->now[i] = (struct ptx_value){0};
    }
}

static void step(struct ptx_walk *s, const struct ptx_instr *instr)
{
    if (!check_operands(s, instr))
        return;
    switch (instr->meaning.word->kind) {
    case PTX_FOLD:
    case PTX_OPAQUE: ptx_step_fold(s, instr); break;
    case PTX_LOAD: ptx_step_load(s, instr); break;
    case PTX_STORE: ptx_step_store(s, instr); break;
    case PTX_ATOM:
    case PTX_RED: ptx_step_atomic(s, instr); break;
    case PTX_FENCE: ptx_step_fence(s, instr); break;
    case PTX_BARRIER: ptx_step_barrier(s, instr); break;
    case PTX_EXCHANGE: ptx_step_exchange(s, instr); break;
    case PTX_FORGET: forget(s, instr); break;
    case PTX_MARKER: ptx_step_marker(s, instr); break;
    case PTX_TRAP: ptx_step_trap(s); break;
    case PTX_END: ptx_step_leave(s); break;
    case PTX_BRANCH:
    case PTX_SWITCH:
    case PTX_NOTHING:
    case PTX_REFUSED: break;
    }
}

/* Does the guard depend on a read? Then the block ends here. `passes`: it is known not to hold. */
static bool guarded(struct ptx_walk *s, const struct ptx_instr *instr, bool *passes)
{
    *passes = false;
    if (instr->guard == LIT_NONE || (s->block->entered && s->pc == s->block->pc))
        return false;
    const struct ptx_value *guard = &s->now[instr->guard];
    if (!guard->sure && (guard->kind != PTX_KNOWN || guard->opaque))
        return true;
    *passes = ((guard->sure ? guard->is : guard->known) != 0) == instr->unless;
    return false;
}

/* The rest of the block ends with a jump there. */
static void go(struct ptx_walk *s, uint32_t pc)
{
    settle_all(s, pc);
    s->block->next[0] = block_at(s, pc, false);
}

/* An index past the table is not defined by the manual. */
static void go_by_table(struct ptx_walk *s, const struct ptx_instr *instr)
{
    struct ptx_value index = ptx_value_of(s, &instr->operands[0]);
    if (index.sure)
        index = (struct ptx_value){.kind = PTX_KNOWN, .known = index.is};
    if (index.kind != PTX_KNOWN || index.opaque)
        PTX_REFUSE(s, "its index depends on a read");
    else if (instr->count != 2 || index.known >= instr->target_count)
        PTX_REFUSE(s, "its table has no such label");
    else
        go(s, instr->targets[index.known]);
}

/* True: the block goes on behind the instruction. */
static bool run_one(struct ptx_walk *s, const struct ptx_instr *instr)
{
    bool passes;
    s->instr = instr;
    if (++s->steps > PTX_MAX_STEPS)
        PTX_FAULT(s, DIAG_LIT_TOO_LARGE, "the kernel takes more than %d steps in one thread%s",
                  PTX_MAX_STEPS, ptx_where(s, instr));
    if (++s->memory->steps > MAX_ALL_STEPS)
        PTX_FAULT(s, DIAG_LIT_TOO_LARGE, "the threads of this test take more than %d steps%s",
                  MAX_ALL_STEPS, ptx_where(s, instr));
    if (instr->why) {
        PTX_REFUSE(s, instr->why);
        return false;
    }
    bool jumps = instr->meaning.word->kind == PTX_BRANCH;
    if (jumps && instr->target == LIT_NONE) {
        PTX_FAULT(s, DIAG_PTX_SYNTAX, "'%s' leads to no label of the kernel", instr->text);
        return false;
    }
    if (guarded(s, instr, &passes)) {
        part_ways(s, instr, jumps ? instr->target : s->pc, !jumps);
        return false;
    }
    if (passes)
        return true;
    if (instr->meaning.word->kind == PTX_SWITCH)
        go_by_table(s, instr);
    else if (jumps)
        go(s, instr->target);
    else
        step(s, instr);
    return !jumps &&
           (instr->meaning.word->kind < PTX_BRANCH || instr->meaning.word->kind == PTX_NOTHING);
}

static void run_block(struct ptx_walk *s, struct ptx_block *block)
{
    const struct ptx_kernel *kernel = s->kernel;
    s->block = block;
    take_state(s, block);
    for (s->pc = block->pc; s->pc < kernel->code.count && !s->failed; s->pc++) {
        bool labelled = ANY(i, kernel->labels.count, kernel->labels.items[i].at == s->pc);
        if (s->pc != block->pc && labelled) {
            go(s, s->pc);
            return;
        }
        if (!run_one(s, &kernel->code.items[s->pc]))
            return;
    }
    if (!s->failed)
        ptx_step_leave(s);
}

/* ---- The order of blocks ---- */

/* Bourdoncle's weak topological order: the first stays the first, and a loop stands together behind its
 * head. Cost: blocks times the depth of loops; recursion as deep as there are blocks. */
static const uint32_t DONE = UINT32_MAX;

struct ordering {
    struct ptx_block **out; /* filled from its end */
    uint32_t left;
    uint32_t number;
    struct ptx_block *stack;
};

static uint32_t visit(struct ordering *o, struct ptx_block *block);

static void put(struct ordering *o, struct ptx_block *block)
{
    BASE_CHECK(o->left > 0);
    o->out[--o->left] = block;
}

static void visit_next(struct ordering *o, struct ptx_block *block)
{
    for (int i = 1; i >= 0; i--)
        if (block->next[i] && block->next[i]->number == 0)
            (void)visit(o, block->next[i]);
}

static struct ptx_block *pop(struct ordering *o)
{
    struct ptx_block *block = o->stack;
    o->stack = block->above;
    return block;
}

static uint32_t visit(struct ordering *o, struct ptx_block *block)
{
    uint32_t own = ++o->number, head = own;
    bool loops = false;
    block->number = own;
    block->above = o->stack;
    o->stack = block;
    for (int i = 1; i >= 0; i--) {
        struct ptx_block *next = block->next[i];
        if (!next)
            continue;
        uint32_t reached = next->number ? next->number : visit(o, next);
        if (reached <= head) {
            head = reached;
            loops = true;
        }
    }
    if (head != own)
        return head;
    block->number = DONE;
    struct ptx_block *top = pop(o);
    for (; loops && top != block; top = pop(o))
        top->number = 0;
    if (loops)
        visit_next(o, block);
    put(o, block);
    return head;
}

static void put_in_order(struct arena *arena, struct ptx_residue *residue)
{
    uint32_t count = (uint32_t)residue->blocks.count;
    struct ordering o = {.out = ARENA_ARRAY(arena, struct ptx_block *, count), .left = count};
    if (count)
        (void)visit(&o, residue->blocks.items[0]);
    BASE_CHECK(o.left == 0); /* each is reached */
    for (uint32_t i = 0; i < count; i++)
        residue->blocks.items[i] = o.out[i];
}

/* ---- All of them ---- */

static uint32_t *no_places(struct arena *arena, size_t count)
{
    uint32_t *places = ARENA_ARRAY(arena, uint32_t, count);
    return memset(places, 0xff, count * sizeof *places);
}

/* Of values in the thread's own memory, and of words of parameters that only their names lead to. */
static uint32_t most_slots(const struct ptx_kernel *kernel)
{
    uint64_t words = 0;
    EACH_IN (const struct ptx_local, local, kernel->locals)
        words += local->unnamed ? local->size / 4 + 1 : 0;
    words = words > PTX_MAX_REGISTERS ? PTX_MAX_REGISTERS : words;
    return kernel->locals.count ? PTX_MAX_SLOTS + (uint32_t)words : 0;
}

struct ptx_residue ptx_special(struct ptx_memory *memory, const struct ptx_thread *thread,
                               struct arena *arena, struct arena *scratch)
{
    size_t slots = most_slots(thread->kernel);
    size_t count = thread->kernel->registers.count + slots;
    struct ptx_walk s = {.arena = arena,
                         .scratch = scratch,
                         .memory = memory,
                         .thread = thread,
                         .kernel = thread->kernel,
                         .now = ARENA_ARRAY(scratch, struct ptx_value, count),
                         .count = (uint32_t)(count - slots),
                         .slots = ARENA_ARRAY(scratch, struct ptx_slot, slots),
                         .most_slots = (uint32_t)slots,
                         .own = no_places(scratch, count),
                         .index = {no_places(scratch, count), no_places(scratch, count)},
                         .moves = ARENA_ARRAY(scratch, bool, count),
                         .to = no_places(scratch, count)};
    if (s.kernel->code.count) {
        s.instr = &s.kernel->code.items[0];
        (void)block_at(&s, 0, false);
    }
    for (size_t i = 0; i < s.residue.blocks.count && !s.failed; i++)
        run_block(&s, s.residue.blocks.items[i]);
    if (!s.failed) {
        put_in_order(scratch, &s.residue);
        ptx_warp_note(&s);
    }
    s.residue.failed = s.failed;
    return s.residue;
}

void ptx_special_free(struct ptx_residue *residue)
{
    for (size_t i = 0; i < residue->blocks.count; i++)
        VEC_FREE(&residue->blocks.items[i]->steps);
    VEC_FREE(&residue->blocks);
    VEC_FREE(&residue->registers);
}
