/* Blocks in an order in which a jump backwards is a loop, and each loop stands together: Bourdoncle's
 * weak topological order. */
#include "ptx/ptx_order.h"

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

void ptx_order(struct arena *arena, struct ptx_residue *residue)
{
    uint32_t count = (uint32_t)residue->blocks.count;
    struct ordering o = {.out = ARENA_ARRAY(arena, struct ptx_block *, count), .left = count};
    if (count)
        (void)visit(&o, residue->blocks.items[0]);
    BASE_CHECK(o.left == 0); /* each is reached */
    for (uint32_t i = 0; i < count; i++)
        residue->blocks.items[i] = o.out[i];
}
