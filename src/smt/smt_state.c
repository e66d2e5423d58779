/* States of solutions: columns, propositions about them, and blocking one row after another. */
#include "smt/smt_query.h"

/* ---- Propositions ---- */

static smt_term atom_value(struct smt_query *q, const struct lit_atom *atom, enum lit_type type,
                           const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    if (atom->kind == LIT_ATOM_CONST)
        return smt_constant(q->program.solver, type, atom->value);
    for (uint32_t i = 0; i < count; i++)
        if (lit_atom_same(&items[i], atom))
            return smt_cast(q->program.solver, type,
                            lit_atom_type(smt_program_test(&q->program), atom), values[i]);
    BASE_UNREACHABLE("a proposition about what is observed");
}

static smt_term comparison(struct smt_query *q, const struct lit_prop *prop,
                           const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    enum lit_type left = lit_atom_type(smt_program_test(&q->program), &prop->left);
    enum lit_type right = lit_atom_type(smt_program_test(&q->program), &prop->right);
    enum lit_type type = prop->right.kind == LIT_ATOM_CONST  ? left
                         : prop->left.kind == LIT_ATOM_CONST ? right
                                                             : lit_type_common(left, right);
    smt_term a = atom_value(q, &prop->left, type, items, values, count);
    smt_term b = atom_value(q, &prop->right, type, items, values, count);
    return smt_nonzero(q->program.solver, LIT_INT,
                       smt_apply(q->program.solver, prop->compare, type, a, b));
}

smt_term smt_prop(struct smt_query *q, const struct lit_prop *prop, const struct lit_atom *items,
                  const smt_term *values, uint32_t count)
{
    struct smt_solver *s = q->program.solver;
    smt_term a = prop->a ? smt_prop(q, prop->a, items, values, count) : NULL;
    smt_term b = prop->b ? smt_prop(q, prop->b, items, values, count) : NULL;
    switch (prop->op) {
    case LIT_PROP_TRUE: return smt_truth(s, true);
    case LIT_PROP_FALSE: return smt_truth(s, false);
    case LIT_PROP_COMPARE: return comparison(q, prop, items, values, count);
    case LIT_PROP_NOT: return smt_not(s, a);
    case LIT_PROP_AND: return smt_and(s, a, b);
    case LIT_PROP_OR: return smt_or(s, a, b);
    case LIT_PROP_IMPLIES: return smt_implies(s, a, b);
    }
    BASE_UNREACHABLE("a proposition");
}

/* ---- States ---- */

void smt_read_row(struct smt_query *q, const struct outcome_states *states, const smt_term *values)
{
    for (uint32_t i = 0; i < states->width; i++)
        q->row[i] = smt_model_value(q->program.solver,
                                    lit_atom_type(smt_program_test(&q->program), &states->items[i]),
                                    values[i]);
}

void smt_exclude_row(struct smt_query *q, const struct outcome_states *states,
                     const smt_term *values)
{
    struct smt_solver *s = q->program.solver;
    smt_term differs = smt_truth(s, false);
    for (uint32_t i = 0; i < states->width; i++) {
        enum lit_type type = lit_atom_type(smt_program_test(&q->program), &states->items[i]);
        differs = smt_or(s, differs,
                         smt_not(s, smt_equal(s, values[i], smt_constant(s, type, q->row[i]))));
    }
    smt_assert(s, differs);
}

static bool is_complete(const struct exec_path *path)
{
    return path->end == EXEC_COMPLETE && !path->probe;
}

static smt_term final_value(struct smt_query *q, const struct lit_atom *item,
                            const smt_term *present)
{
    struct smt_program *p = &q->program;
    if (item->kind == LIT_ATOM_LOCATION)
        return smt_program_latest(p, item->location, present);
    const struct smt_thread *thread = &p->threads[item->thread];
    enum lit_type type = lit_atom_type(smt_program_test(&q->program), item);
    smt_term value = smt_constant(p->solver, type, 0);
    for (uint32_t i = 0; i < thread->paths.count; i++) {
        const struct exec_value *result = thread->paths.items[i]->registers[item->reg];
        if (thread->paths.items[i]->end == EXEC_COMPLETE)
            value = smt_select(p->solver, thread->chosen[i],
                               smt_cast(p->solver, type, result->type,
                                        smt_program_value(p, item->thread, i, result)),
                               value);
    }
    return value;
}

static void add_item(struct smt_finals *finals, const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_CONST)
        return;
    for (uint32_t i = 0; i < finals->count; i++)
        if (lit_atom_same(&finals->items[i], atom))
            return;
    finals->items[finals->count++] = *atom;
}

static uint32_t count_atoms(const struct lit_prop *prop)
{
    return prop ? 2 + count_atoms(prop->a) + count_atoms(prop->b) : 0;
}

static void add_items(struct smt_finals *finals, const struct lit_prop *prop)
{
    if (!prop)
        return;
    if (prop->op == LIT_PROP_COMPARE) {
        add_item(finals, &prop->left);
        add_item(finals, &prop->right);
    }
    add_items(finals, prop->a);
    add_items(finals, prop->b);
}

struct smt_finals smt_finals_build(struct smt_query *q)
{
    const struct outcome_states *states = &q->outcome->final;
    uint32_t most = states->width + count_atoms(smt_program_test(&q->program)->filter);
    struct smt_finals finals = {ARENA_ARRAY(&q->arena, struct lit_atom, most),
                                ARENA_ARRAY(&q->arena, smt_term, most), 0, NULL};
    smt_term *present = ARENA_ARRAY(&q->arena, smt_term, q->program.dim.n);
    for (uint32_t e = 0; e < q->program.dim.n; e++)
        present[e] = q->program.events[e].guard;
    for (uint32_t i = 0; i < states->width; i++)
        add_item(&finals, &states->items[i]);
    add_items(&finals, smt_program_test(&q->program)->filter);
    for (uint32_t i = 0; i < finals.count; i++)
        finals.values[i] = final_value(q, &finals.items[i], present);
    finals.complete = smt_program_all_on(&q->program, is_complete);
    return finals;
}

smt_term smt_deciding(struct smt_query *q, const struct lit_condition *condition,
                      const struct lit_atom *items, const smt_term *values, uint32_t count)
{
    smt_term holds = smt_prop(q, condition->prop, items, values, count);
    return condition->quantifier == LIT_FORALL ? smt_not(q->program.solver, holds) : holds;
}
