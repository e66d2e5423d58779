#include "litmus/lit_program.h"

#include <string.h>

const char *const lit_scope_tags[] = {LIT_SCOPES(TABLE_SECOND)};

const char *const lit_order_tags[] = {LIT_ORDERS(TABLE_SECOND)};

const enum lit_operator lit_rmw_operators[] = {
    [LIT_RMW_ADD] = LIT_OP_ADD,  [LIT_RMW_SUB] = LIT_OP_SUB,    [LIT_RMW_AND] = LIT_OP_BITAND,
    [LIT_RMW_OR] = LIT_OP_BITOR, [LIT_RMW_XOR] = LIT_OP_BITXOR, [LIT_RMW_MIN] = LIT_OP_LT,
    [LIT_RMW_MAX] = LIT_OP_GT,
};

int64_t lit_rmw_apply(enum lit_rmw rmw, enum lit_type type, int64_t old, int64_t operand)
{
    int64_t result = 0, less = lit_value_wrap(type, (int64_t)((uint64_t)old - 1));
    enum lit_operator op =
        rmw == LIT_RMW_INC || rmw == LIT_RMW_DEC ? LIT_OP_LT : lit_rmw_operators[rmw];
    if (rmw == LIT_RMW_EXCHANGE)
        return operand;
    BASE_CHECK(lit_value_apply(op, type, rmw == LIT_RMW_DEC ? less : old, operand, 0, &result));
    switch (rmw) {
    case LIT_RMW_MIN:
    case LIT_RMW_MAX: return result ? old : operand;
    case LIT_RMW_INC: return result ? lit_value_wrap(type, (int64_t)((uint64_t)old + 1)) : 0;
    case LIT_RMW_DEC: return result ? less : operand;
    default: return lit_value_wrap(type, result);
    }
}

const char *lit_models_file(const struct lit_models *models)
{
    const char *slash = strrchr(models->span.source->name, '/');
    return slash ? slash + 1 : models->span.source->name;
}

void lit_address_name(const struct lit_program *program, const struct lit_address *addr,
                      struct strbuf *out)
{
    const char *name = program->locations[addr->first].name;
    const char *last = program->locations[lit_address_element(addr, addr->count - 1)].name;
    for (size_t own, other; *name; name += own, last += other) {
        own = 1 + strcspn(name + 1, "[");
        other = 1 + strcspn(last + 1, "[");
        const bool same = own == other && memcmp(name, last, own) == 0;
        const size_t rest = same ? 0 : strcspn(name, "]");
        if (!same)
            strbuf_add(out, "[..");
        strbuf_add_bytes(out, name + rest, own - rest);
    }
}

uint64_t lit_program_tag(const struct lit_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->tag_count; i++)
        if (strcmp(program->tags[i], name) == 0)
            return UINT64_C(1) << i;
    return 0;
}

uint64_t lit_program_marks(const struct lit_program *program)
{
    return lit_program_tag(program, "tx_begin") | lit_program_tag(program, "tx_end") |
           lit_program_tag(program, "tx_abort");
}

struct lit_program lit_recovery_program(const struct lit_program *program)
{
    struct lit_program recovery = *program;
    recovery.threads = program->recovery;
    recovery.thread_count = program->recovery_count;
    recovery.recovery = NULL;
    recovery.recovery_count = 0;
    recovery.recovery_restartable = recovery.relaunch = false;
    recovery.conditions = NULL;
    recovery.condition_count = 0;
    recovery.filter = NULL;
    recovery.observed = NULL;
    recovery.observed_count = 0;
    recovery.expects = NULL;
    recovery.expect_count = 0;
    recovery.has_crash_points = false;
    return recovery;
}

void lit_prop_each_atom(const struct lit_prop *prop, lit_atom_visit *visit, void *context)
{
    if (!prop)
        return;
    if (prop->op == LIT_PROP_COMPARE) {
        visit(context, &prop->left);
        visit(context, &prop->right);
    }
    lit_prop_each_atom(prop->a, visit, context);
    lit_prop_each_atom(prop->b, visit, context);
}

struct mention {
    uint32_t location;
    bool found;
};

static void on_atom(void *context, const struct lit_atom *atom)
{
    struct mention *mention = context;
    mention->found |= atom->kind == LIT_ATOM_LOCATION && atom->location == mention->location;
}

bool lit_prop_names(const struct lit_prop *prop, uint32_t location)
{
    struct mention mention = {location, false};
    lit_prop_each_atom(prop, on_atom, &mention);
    return mention.found;
}

enum lit_type lit_atom_type(const struct lit_program *program, const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_CONST)
        return LIT_LONG;
    if (atom->kind == LIT_ATOM_GIVEN)
        return LIT_INT;
    return atom->kind == LIT_ATOM_LOCATION
               ? program->locations[atom->location].type
               : program->threads[atom->thread].registers[atom->reg].type;
}

bool lit_prop_compares(const struct lit_program *program, const struct lit_prop *prop, int64_t left,
                       int64_t right)
{
    enum lit_type a = lit_atom_type(program, &prop->left), b = lit_atom_type(program, &prop->right);
    enum lit_type type = prop->right.kind == LIT_ATOM_CONST  ? a
                         : prop->left.kind == LIT_ATOM_CONST ? b
                                                             : lit_type_common(a, b);
    int64_t result = 0;
    return lit_value_apply(prop->compare, type, lit_value_wrap(type, left),
                           lit_value_wrap(type, right), 0, &result) &&
           result != 0;
}

static int negated(int may)
{
    return (may & LIT_MAY_HOLD ? LIT_MAY_FAIL : 0) | (may & LIT_MAY_FAIL ? LIT_MAY_HOLD : 0);
}

static int joined(int a, int b)
{
    return (a & b & LIT_MAY_HOLD) | ((a | b) & LIT_MAY_FAIL);
}

int lit_prop_may(const struct lit_prop *prop, lit_compare *compare, const void *context)
{
    const int a = prop->a ? lit_prop_may(prop->a, compare, context) : 0;
    const int b = prop->b ? lit_prop_may(prop->b, compare, context) : 0;
    switch (prop->op) {
    case LIT_PROP_TRUE: return LIT_MAY_HOLD;
    case LIT_PROP_FALSE: return LIT_MAY_FAIL;
    case LIT_PROP_COMPARE: return compare(context, prop);
    case LIT_PROP_NOT: return negated(a);
    case LIT_PROP_AND: return joined(a, b);
    case LIT_PROP_OR: return negated(joined(negated(a), negated(b)));
    case LIT_PROP_IMPLIES: return negated(joined(a, negated(b)));
    }
    BASE_UNREACHABLE("a proposition");
}

const struct lit_prop *lit_prop_equal(struct arena *arena, const struct lit_atom *atom,
                                      int64_t value)
{
    return ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_COMPARE, .compare = LIT_OP_EQ,
                      .left = *atom, .right = {.kind = LIT_ATOM_CONST, .value = value});
}

const struct lit_prop *lit_prop_join(struct arena *arena, enum lit_prop_op op,
                                     const struct lit_prop *const *parts, size_t count)
{
    if (count < 2)
        return count ? parts[0] : NULL;
    return ARENA_MAKE(arena, struct lit_prop, .op = op,
                      .a = lit_prop_join(arena, op, parts, count / 2),
                      .b = lit_prop_join(arena, op, parts + count / 2, count - count / 2));
}

const struct lit_prop *lit_prop_row(struct arena *arena, const struct lit_atom *atoms,
                                    const int64_t *values, size_t count)
{
    if (count < 2)
        return count ? lit_prop_equal(arena, atoms, *values) : NULL;
    size_t half = count / 2;
    return ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_AND,
                      .a = lit_prop_row(arena, atoms, values, half),
                      .b = lit_prop_row(arena, atoms + half, values + half, count - half));
}
