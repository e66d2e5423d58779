#include "engine/lone.h"

#include "base/arena.h"
#include "exec/exec_basis.h"

/* ---- The code ---- */

static bool has_division(const struct lit_expr *expr)
{
    return expr && (expr->op == LIT_OP_DIV || expr->op == LIT_OP_MOD || has_division(expr->a) ||
                    has_division(expr->b) || has_division(expr->c));
}

/* Without waits, run-time indices and divisions it has no fault, and so comes to its end. */
static bool code_may_fail(const struct lit_thread *thread)
{
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *instr = &thread->code[i];
        if (instr->op == LIT_AWAIT_BEGIN || instr->addr.index || instr->quorum || instr->resource ||
            has_division(instr->value) || has_division(instr->expected))
            return true;
    }
    return false;
}

/* ---- The model ---- */

/* What is seen of a node without an execution, in all that pairs it can have. */
struct seen {
    bool apart;         /* relates different work-items alone; initial writes are one */
    bool no_initial[2]; /* has no initial write on its left, on its right; of a set, in it */
};

static struct seen seen_of_base(const struct cat_node *node)
{
    bool no_initial = node->sort == CAT_SET &&
                      (node->base == EXEC_SET_READ || node->base == EXEC_SET_FENCE ||
                       node->base == EXEC_SET_BARRIER || node->base == EXEC_SET_PBARRIER);
    return (struct seen){.apart = node->sort == CAT_REL && node->base == EXEC_REL_EXT,
                         .no_initial = {no_initial, no_initial}};
}

static bool is_initial(const struct cat_node *node)
{
    return node->op == CAT_BASE && node->base == EXEC_SET_INIT;
}

static struct seen either(struct seen a, struct seen b)
{
    return (struct seen){a.apart || b.apart,
                         {a.no_initial[0] || b.no_initial[0], a.no_initial[1] || b.no_initial[1]}};
}

static struct seen both(struct seen a, struct seen b)
{
    return (struct seen){a.apart && b.apart,
                         {a.no_initial[0] && b.no_initial[0], a.no_initial[1] && b.no_initial[1]}};
}

static struct seen seen_of(const struct cat_model *model, const struct cat_node *node,
                           const struct seen *of)
{
    const struct cat_node *nodes = model->nodes;
    switch (node->op) {
    case CAT_BASE: return seen_of_base(node);
    case CAT_EMPTY: return (struct seen){true, {true, true}};
    case CAT_UNION: return both(of[node->a], of[node->b]);
    case CAT_INTER: return either(of[node->a], of[node->b]);
    case CAT_DIFF:
        if (node->sort == CAT_SET && is_initial(&nodes[node->b]))
            return (struct seen){false, {true, true}};
        return of[node->a];
    case CAT_COMP:
        return (struct seen){
            .no_initial = {is_initial(&nodes[node->a]), is_initial(&nodes[node->a])}};
    case CAT_PRODUCT:
    case CAT_SEQ:
        return (struct seen){false, {of[node->a].no_initial[0], of[node->b].no_initial[1]}};
    case CAT_TOID:
        return (struct seen){false, {of[node->a].no_initial[0], of[node->a].no_initial[0]}};
    case CAT_INVERSE:
        return (struct seen){of[node->a].apart,
                             {of[node->a].no_initial[1], of[node->a].no_initial[0]}};
    default: return (struct seen){false, {false, false}};
    }
}

/* Is every undefined_unless about a relation between different work-items, none of which is that of
 * the initial writes? Alone there is no such pair. */
static bool model_may_fail(const struct cat_model *model)
{
    struct seen *seen = base_realloc(NULL, (model->node_count + 1) * sizeof *seen);
    bool may_fail = false;
    for (cat_node_id id = 0; id < model->node_count; id++)
        seen[id] = seen_of(model, &model->nodes[id], seen);
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        const struct seen *of = &seen[check->node];
        if (check->kind == CAT_UNDEFINED_UNLESS)
            may_fail |= check->negated || model->nodes[check->node].sort == CAT_SET || !of->apart ||
                        !of->no_initial[0] || !of->no_initial[1];
    }
    base_free(seen);
    return may_fail;
}

bool lone_may_fail(const struct lit_thread *thread, const struct cat_model *model)
{
    return code_may_fail(thread) || model_may_fail(model);
}
