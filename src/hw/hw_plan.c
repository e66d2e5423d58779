/* Values come of the columns that states have (engine/outcome.h), and of what a filter names. The
 * list of a value has what the program's instructions may write there, seen one by one; where one
 * computes, all constants of the program and a few small numbers. It need not be complete: what it
 * lacks is seen as `other`. */
#include "hw/hw_plan.h"

#include "engine/outcome.h"
#include "litmus/lit_code.h"
#include "report/report.h"

#include <inttypes.h>

/* ---- What a value may be ---- */

enum { SMALL = 8 };

static void add_choice(struct hw_value *value, enum lit_type type, int64_t choice)
{
    choice = lit_value_wrap(type, choice);
    if (value->count < HW_MAX_CHOICES && !ANY(i, value->count, value->choices[i] == choice))
        value->choices[value->count++] = choice;
}

static void add_constants(struct hw_value *value, enum lit_type type, const struct lit_expr *expr)
{
    if (!expr)
        return;
    if (expr->op == LIT_OP_CONST)
        add_choice(value, type, expr->value);
    add_constants(value, type, expr->a);
    add_constants(value, type, expr->b);
    add_constants(value, type, expr->c);
}

/* Whatever may be computed. */
static void add_any(const struct lit_program *program, struct hw_value *value, enum lit_type type)
{
    for (int64_t i = 0; i < SMALL; i++)
        add_choice(value, type, i);
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            add_constants(value, type, instr->value);
            add_constants(value, type, instr->expected);
        }
}

static void add_operand(const struct lit_program *program, struct hw_value *value,
                        enum lit_type type, const struct lit_expr *expr)
{
    if (expr && expr->op == LIT_OP_CONST)
        add_choice(value, type, expr->value);
    else
        add_any(program, value, type);
}

static void add_stored(const struct lit_program *program, struct hw_value *value, uint32_t location)
{
    enum lit_type type = program->locations[location].type;
    add_choice(value, type, program->locations[location].init);
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
            if (!lit_instruction_writes(instr->op) || !lit_address_has(&instr->addr, location))
                continue;
            if (instr->op == LIT_RMW && instr->rmw != LIT_RMW_EXCHANGE)
                add_any(program, value, type);
            else
                add_operand(program, value, type, instr->value);
        }
}

static void add_assigned(const struct lit_program *program, struct hw_value *value,
                         const struct lit_instr *instr, enum lit_type type)
{
    bool is_old = instr->op == LIT_CAS && value->atom.reg == instr->dst_old;
    if (instr->op == LIT_SET) {
        add_operand(program, value, type, instr->value);
    } else if (instr->op == LIT_CAS && !is_old) {
        add_choice(value, type, 0);
        add_choice(value, type, 1);
    } else {
        for (uint32_t i = 0; i < instr->addr.count; i++)
            add_stored(program, value, lit_address_element(&instr->addr, i));
    }
}

static void add_held(const struct lit_program *program, struct hw_value *value)
{
    const struct lit_thread *thread = &program->threads[value->atom.thread];
    const struct lit_register *reg = &thread->registers[value->atom.reg];
    add_choice(value, reg->type, reg->init);
    EACH (const struct lit_instr, instr, thread->code, thread->code_count)
        if (lit_code_assigns(instr, value->atom.reg))
            add_assigned(program, value, instr, reg->type);
}

/* What conditions hold it against. */
static void add_named(struct hw_value *value, enum lit_type type, const struct lit_prop *prop)
{
    if (!prop)
        return;
    if (prop->op == LIT_PROP_COMPARE && prop->right.kind == LIT_ATOM_CONST &&
        lit_atom_same(&prop->left, &value->atom))
        add_choice(value, type, prop->right.value);
    add_named(value, type, prop->a);
    add_named(value, type, prop->b);
}

/* ---- Which values ---- */

struct naming {
    struct hw_plan *plan;
    bool too_many;
};

static void name_atom(void *context, const struct lit_atom *atom)
{
    struct naming *naming = context;
    struct hw_plan *plan = naming->plan;
    if (atom->kind != LIT_ATOM_REGISTER && atom->kind != LIT_ATOM_LOCATION)
        return;
    if (ANY(i, plan->value_count, lit_atom_same(&plan->values[i].atom, atom)))
        return;
    if (plan->value_count == HW_MAX_VALUES) {
        naming->too_many = true;
        return;
    }
    struct hw_value *value = &plan->values[plan->value_count++];
    *value = (struct hw_value){.atom = *atom};
    if (atom->kind == LIT_ATOM_LOCATION) {
        add_stored(plan->program, value, atom->location);
    } else {
        value->column = ++plan->roles[atom->thread].shown;
        add_held(plan->program, value);
    }
    for (uint32_t i = 0; i < plan->program->condition_count; i++)
        if (plan->program->conditions[i].when == LIT_FINAL)
            add_named(value, lit_atom_type(plan->program, atom), plan->program->conditions[i].prop);
}

static bool number_outcomes(struct hw_plan *plan)
{
    plan->bins = 1;
    for (uint32_t i = 0; i < plan->value_count; i++) {
        if (plan->bins > HW_MAX_BINS / plan->values[i].count)
            return false;
        plan->bins *= plan->values[i].count;
    }
    return true;
}

/* A row has words of 32 bits. */
static bool is_wide(const struct lit_program *program, const struct hw_value *value)
{
    return lit_type_is_wide(lit_atom_type(program, &value->atom));
}

static enum hw_refusal choose_values(struct hw_plan *plan)
{
    struct naming naming = {.plan = plan};
    struct outcome outcome;
    outcome_init(&outcome, plan->program);
    for (uint32_t i = 0; i < outcome.final.width; i++)
        name_atom(&naming, &outcome.final.items[i]);
    outcome_fini(&outcome);
    lit_prop_each_atom(plan->program->filter, name_atom, &naming);
    if (ANY(i, plan->value_count, is_wide(plan->program, &plan->values[i])))
        return HW_REFUSED_WIDTH;
    return naming.too_many || !number_outcomes(plan) ? HW_REFUSED_BINS : HW_EMITTED;
}

/* ---- Roles ---- */

static void place_role(struct hw_plan *plan, uint32_t number)
{
    const struct lit_thread *threads = plan->program->threads;
    struct hw_role *role = &plan->roles[number];
    role->group = plan->group_count;
    for (uint32_t i = 0; i < number; i++)
        if (lit_same_instance(&threads[i], &threads[number], LIT_SCOPE_WG)) {
            role->group = plan->roles[i].group;
            role->place++;
        }
    plan->group_count += role->group == plan->group_count;
    if (role->place == plan->most_roles)
        plan->most_roles++;
    EACH (const struct lit_instr, instr, threads[number].code, threads[number].code_count)
        role->waits |= (lit_instruction_jumps(instr->op) &&
                        instr->target <= (uint32_t)(instr - threads[number].code)) ||
                       (lit_instruction_accesses(instr->op) && instr->addr.index);
}

/* ---- What is stronger ---- */

const char *hw_plan_scope(enum lit_scope scope)
{
    return scope <= LIT_SCOPE_WG ? "cta" : scope < LIT_SCOPE_ALL ? "gpu" : "sys";
}

static void add_widened(struct strbuf *text, const char *what)
{
    if (!strstr(strbuf_text(text), what))
        strbuf_printf(text, "%s%s", text->length ? ", " : "", what);
}

static void widen(const struct lit_instr *instr, struct strbuf *text)
{
    bool is_weak = lit_instruction_accesses(instr->op) && instr->order == LIT_ORDER_NA;
    if (lit_instruction_is(instr->op, LIT_SCOPED) && !is_weak) {
        if (instr->scope == LIT_SCOPE_WI || instr->scope == LIT_SCOPE_SG)
            add_widened(text, instr->scope == LIT_SCOPE_WI ? "scope wi" : "scope sg");
        if (instr->scope == LIT_SCOPE_KR)
            add_widened(text, "scope kr");
    }
    if (instr->op == LIT_FENCE && (instr->order == LIT_ORDER_ACQ || instr->order == LIT_ORDER_REL))
        add_widened(text, "one-sided fence");
    if (lit_instruction_accesses(instr->op) && instr->order == LIT_ORDER_SC)
        add_widened(text, "seq_cst access");
    if (instr->op == LIT_CAS && instr->fail_order != instr->order)
        add_widened(text, "order of a failure");
    if (instr->op == LIT_BARRIER && instr->bare)
        add_widened(text, "bare barrier");
}

enum hw_refusal hw_plan_make(struct arena *arena, const struct lit_program *program,
                             struct hw_plan *plan)
{
    struct strbuf widened = {0};
    enum hw_refusal refusal = hw_check(program);
    *plan = (struct hw_plan){.program = program, .row = 1};
    if (refusal)
        return refusal;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        place_role(plan, t);
        EACH (const struct lit_instr, instr, program->threads[t].code,
              program->threads[t].code_count)
            widen(instr, &widened);
    }
    plan->widened = strbuf_take(&widened, arena);
    refusal = choose_values(plan);
    if (refusal)
        return refusal;
    for (uint32_t t = 0; t < program->thread_count; t++)
        if (plan->row < plan->roles[t].shown + 1)
            plan->row = plan->roles[t].shown + 1;
    return HW_EMITTED;
}

void hw_plan_outcome(const struct hw_plan *plan, uint32_t bin, int64_t *values)
{
    for (uint32_t i = plan->value_count; i-- > 0; bin /= plan->values[i].count)
        values[i] = plan->values[i].choices[bin % plan->values[i].count];
}

void hw_plan_write(const struct hw_plan *plan, const char *before, struct strbuf *out)
{
    const struct lit_program *program = plan->program;
    strbuf_printf(out, "%stest %s, digest %016" PRIx64 "\n", before, program->name,
                  program->digest);
    for (uint32_t t = 0; t < program->thread_count; t++)
        strbuf_printf(out, "%s%s: role %" PRIu32 " of group %" PRIu32 "\n", before,
                      program->threads[t].name, plan->roles[t].place, plan->roles[t].group);
    for (uint32_t l = 0; l < program->location_count; l++)
        strbuf_printf(out, "%slocation %" PRIu32 ": %s = %" PRId64 "\n", before, l,
                      program->locations[l].name, program->locations[l].init);
    for (uint32_t i = 0; i < plan->value_count; i++) {
        strbuf_printf(out, "%svalue ", before);
        report_item(program, &plan->values[i].atom, out);
        for (uint32_t k = 0; k < plan->values[i].count; k++)
            strbuf_printf(out, "%s%" PRId64, k ? ", " : ": ", plan->values[i].choices[k]);
        strbuf_add_char(out, '\n');
    }
    strbuf_printf(out, "%s%s%s%s", before, *plan->widened ? "wider than the test: " : "",
                  *plan->widened ? plan->widened : "nothing is wider than in the test", "\n");
}
