#include "enumerate/enum_fixed.h"

#include "exec/exec_basis.h"

/* ---- Values ---- */

/* Without conversions that tell all values apart. */
static const struct exec_value *unconverted(const struct exec_value *value)
{
    while (value->op == LIT_OP_CAST && lit_type_keeps(value->a->type, value->type))
        value = value->a;
    return value;
}

/* A read compared with a constant in a type that tells all its values apart. */
static const struct exec_value *compared_read(const struct exec_value *value,
                                              const struct exec_value **constant)
{
    if (value->op != LIT_OP_EQ)
        return NULL;
    const struct exec_value *a = unconverted(value->a), *b = unconverted(value->b);
    const struct exec_value *read = a->op == LIT_OP_REG ? a : b;
    *constant = read == a ? value->b : value->a;
    bool told_apart = read->op == LIT_OP_REG && lit_type_keeps(read->type, value->operands);
    return told_apart && (*constant)->op == LIT_OP_CONST ? read : NULL;
}

bool enum_fixes(const struct exec_constraint *constraint, uint32_t *read, int64_t *value)
{
    const struct exec_value *constant, *compared = compared_read(constraint->value, &constant);
    if (!constraint->truth || !compared)
        return false;
    *read = compared->read;
    *value = lit_value_wrap(compared->type, constant->value);
    return true;
}

void enum_fixed_reads(const struct exec_path *path, int64_t *values, bool *known)
{
    for (uint32_t i = 0; i < path->constraint_count; i++) {
        uint32_t read;
        int64_t value;
        if (!enum_fixes(&path->constraints[i], &read, &value) || read >= path->event_count)
            continue;
        values[read] = value;
        known[read] = true;
    }
}

bool enum_sum_wants(const struct exec_value *value, int64_t wanted, uint32_t *read,
                    int64_t *returned)
{
    if (value->op != LIT_OP_ADD || value->a->op != LIT_OP_REG || value->b->op != LIT_OP_CONST ||
        value->a->type != value->type || value->operands != value->type)
        return false;
    *read = value->a->read;
    *returned =
        lit_value_wrap(value->type, (int64_t)((uint64_t)wanted - (uint64_t)value->b->value));
    return true;
}

/* ---- Read-modify-writes ---- */

static const struct cat_node *node_of(const struct cat_model *model, cat_node_id id)
{
    return &model->nodes[id];
}

static bool is_base(const struct cat_model *model, cat_node_id id, uint32_t base)
{
    return node_of(model, id)->op == CAT_BASE && node_of(model, id)->base == base;
}

/* The base, or what of it relates two threads. */
static bool is_between_threads(const struct cat_model *model, cat_node_id id, uint32_t base)
{
    const struct cat_node *node = node_of(model, id);
    return is_base(model, id, base) ||
           (node->op == CAT_INTER &&
            ((is_base(model, node->a, base) && is_base(model, node->b, EXEC_REL_EXT)) ||
             (is_base(model, node->b, base) && is_base(model, node->a, EXEC_REL_EXT))));
}

static bool is_of_halves(const struct cat_model *model, cat_node_id id)
{
    return is_base(model, id, EXEC_REL_RMW_PAIR) || is_base(model, id, EXEC_REL_AMO);
}

static bool is_interruption(const struct cat_model *model, cat_node_id id)
{
    const struct cat_node *node = node_of(model, id);
    return node->op == CAT_SEQ && is_between_threads(model, node->a, EXEC_REL_FR) &&
           is_between_threads(model, node->b, EXEC_REL_CO);
}

/* empty rmw & (fr; co) */
static bool is_atomicity(const struct cat_model *model, const struct cat_check *check)
{
    const struct cat_node *node = node_of(model, check->node);
    return check->test == CAT_IS_EMPTY && node->op == CAT_INTER &&
           ((is_of_halves(model, node->a) && is_interruption(model, node->b)) ||
            (is_of_halves(model, node->b) && is_interruption(model, node->a)));
}

static bool has_part(const struct cat_model *model, cat_node_id id, uint32_t base)
{
    const struct cat_node *node = node_of(model, id);
    return is_base(model, id, base) || (node->op == CAT_UNION && (has_part(model, node->a, base) ||
                                                                  has_part(model, node->b, base)));
}

/* acyclic po | rf | co, and more */
static bool is_coherence(const struct cat_model *model, const struct cat_check *check)
{
    return check->test == CAT_ACYCLIC && has_part(model, check->node, EXEC_REL_PO) &&
           has_part(model, check->node, EXEC_REL_RF) && has_part(model, check->node, EXEC_REL_CO);
}

bool enum_rmws_part(const struct cat_model *model, const struct lit_program *program)
{
    bool atomic = false, coherent = false;
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        if (check->kind != CAT_CHECK || check->negated)
            continue;
        atomic |= is_atomicity(model, check);
        coherent |= is_coherence(model, check);
    }
    return atomic && coherent && !program->partial_coherence;
}
