/* Conditions as text, with the parentheses precedence needs and no others. */
#include "litmus/lit_lower.h"

static const char *const comparisons[] = {
    [LIT_OP_EQ] = "=",  [LIT_OP_NE] = "!=", [LIT_OP_LT] = "<",
    [LIT_OP_LE] = "<=", [LIT_OP_GT] = ">",  [LIT_OP_GE] = ">=",
};

/* How tightly an operator binds; operands that bind less stand in parentheses. */
static int binding(enum lit_prop_op op)
{
    switch (op) {
    case LIT_PROP_IMPLIES: return 1;
    case LIT_PROP_OR: return 2;
    case LIT_PROP_AND: return 3;
    case LIT_PROP_NOT: return 4;
    default: return 5;
    }
}

static const struct lit_register *register_of(const struct lit_program *program, enum lit_when when,
                                              const struct lit_atom *atom)
{
    const struct lit_thread *threads = when == LIT_RECOVERED ? program->recovery : program->threads;
    return &threads[atom->thread].registers[atom->reg];
}

void lit_condition_print_atom(const struct lit_program *program, enum lit_when when,
                              const struct lit_atom *atom, struct strbuf *out)
{
    switch (atom->kind) {
    case LIT_ATOM_CONST: lit_value_print(LIT_LONG, atom->value, out); break;
    case LIT_ATOM_REGISTER:
        strbuf_add_number(out, atom->thread);
        strbuf_add_char(out, ':');
        strbuf_add(out, register_of(program, when, atom)->name);
        break;
    case LIT_ATOM_LOCATION: strbuf_add(out, program->locations[atom->location].name); break;
    case LIT_ATOM_GIVEN:
    case LIT_ATOM_KEPT: BASE_UNREACHABLE("an atom that an author writes");
    }
}

/* A constant above the largest signed one belongs to an unsigned other side. */
static void print_side(const struct lit_program *program, enum lit_when when,
                       const struct lit_atom *atom, const struct lit_atom *other,
                       struct strbuf *out)
{
    enum lit_type type = LIT_LONG;
    if (other->kind == LIT_ATOM_LOCATION)
        type = program->locations[other->location].type;
    else if (other->kind == LIT_ATOM_REGISTER)
        type = register_of(program, when, other)->type;
    if (atom->kind == LIT_ATOM_CONST)
        lit_value_print(type, atom->value, out);
    else
        lit_condition_print_atom(program, when, atom, out);
}

static void print_within(const struct lit_program *program, enum lit_when when,
                         const struct lit_prop *prop, int least, struct strbuf *out)
{
    bool parentheses = binding(prop->op) < least;
    strbuf_add(out, parentheses ? "(" : "");
    lit_condition_print_prop(program, when, prop, out);
    strbuf_add(out, parentheses ? ")" : "");
}

/* `=>` associates to the right; the order of equal connectives else does not matter. */
static void print_join(const struct lit_program *program, enum lit_when when,
                       const struct lit_prop *prop, const char *text, struct strbuf *out)
{
    int own = binding(prop->op);
    print_within(program, when, prop->a, prop->op == LIT_PROP_IMPLIES ? own + 1 : own, out);
    strbuf_add(out, text);
    print_within(program, when, prop->b, own, out);
}

void lit_condition_print_prop(const struct lit_program *program, enum lit_when when,
                              const struct lit_prop *prop, struct strbuf *out)
{
    switch (prop->op) {
    case LIT_PROP_TRUE: strbuf_add(out, "true"); break;
    case LIT_PROP_FALSE: strbuf_add(out, "false"); break;
    case LIT_PROP_COMPARE:
        print_side(program, when, &prop->left, &prop->right, out);
        strbuf_add(out, comparisons[prop->compare]);
        print_side(program, when, &prop->right, &prop->left, out);
        break;
    case LIT_PROP_NOT:
        strbuf_add(out, "~");
        print_within(program, when, prop->a, binding(LIT_PROP_NOT), out);
        break;
    case LIT_PROP_AND: print_join(program, when, prop, " /\\ ", out); break;
    case LIT_PROP_OR: print_join(program, when, prop, " \\/ ", out); break;
    case LIT_PROP_IMPLIES: print_join(program, when, prop, " => ", out); break;
    }
}

const char *lit_quantifier_text(enum lit_quantifier quantifier)
{
    static const char *const quantifiers[] = {"exists", "~exists", "forall"};
    return quantifiers[quantifier];
}

void lit_condition_set_text(struct arena *arena, const struct lit_program *program,
                            struct lit_condition *condition)
{
    struct strbuf text = {0};
    lit_condition_print_prop(program, condition->when, condition->prop, &text);
    condition->proposition = strbuf_take(&text, arena);
    condition->text = arena_printf(arena, "%s (%s)", lit_quantifier_text(condition->quantifier),
                                   condition->proposition);
}
