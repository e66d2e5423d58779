/* Conditions, filter, observed names and expectations: names become indices. */
#include "litmus/lit_lower.h"

#include <string.h>

/* Whose registers a condition names: the recovery's threads after a recovery. */
static const struct lit_thread *threads_of(const struct lit_program *program, enum lit_when when,
                                           uint32_t *count)
{
    *count = when == LIT_RECOVERED ? program->recovery_count : program->thread_count;
    return when == LIT_RECOVERED ? program->recovery : program->threads;
}

/* ---- Registers ---- */

static bool is_written(const struct lit_thread *thread, uint32_t reg)
{
    return ANY(i, thread->code_count, thread->code[i].dst == reg || thread->code[i].dst_old == reg);
}

static bool is_initialised(const struct lit_lower *lower, int64_t thread, const char *name)
{
    for (const struct ast_init *init = lower->test->inits.first; init; init = init->next)
        if (init->thread == thread && init->name.text == name)
            return true;
    return false;
}

static bool is_param(const struct ast_threads *threads, int64_t number, const char *name)
{
    for (const struct ast_thread *thread = threads->first; thread; thread = thread->next) {
        if (thread->number != number)
            continue;
        for (const struct ast_param *param = thread->params.first; param; param = param->next)
            if (param->name.text == name)
                return true;
    }
    return false;
}

static uint32_t find_register(const struct lit_thread *thread, const char *name)
{
    for (uint32_t i = 0; i < thread->register_count; i++)
        if (thread->registers[i].name == name)
            return i;
    return LIT_NONE;
}

/* The number of a thread that has a register of this name, or -1. */
static int thread_with(const struct lit_thread *threads, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (find_register(&threads[i], name) != LIT_NONE)
            return (int)i;
    return -1;
}

static void report_register(struct lit_lower *lower, const struct lit_thread *threads,
                            uint32_t count, const struct ast_atom *atom)
{
    const struct lit_thread *thread = &threads[atom->thread];
    int owner = thread_with(threads, count, atom->name.text);
    if (owner >= 0) {
        LIT_FAULT(lower, DIAG_LIT_REGISTER, atom->span,
                  "%s has no register '%s'; P%d has one: write '%d:%s'", thread->name,
                  atom->name.text, owner, owner, atom->name.text);
        return;
    }
    const char *near =
        LIT_NEAREST(lower, atom->name.text, thread->registers, thread->register_count, name);
    LIT_FAULT(lower, DIAG_LIT_REGISTER, atom->span,
              near ? "%s has no register '%s'; did you mean '%d:%s'?"
                   : "%s has no register '%s'; expected one that its code declares",
              thread->name, atom->name.text, (int)atom->thread, near);
    diag_meant_by(lower->diag, atom->span, atom->name.text, near);
}

/* A parameter read as a register: it holds an address, a number that no test writes
 * and no other location has. */
static uint32_t add_register(struct lit_lower *lower, struct lit_thread *thread, const char *name)
{
    const struct lit_symbol *symbol = lit_declare_find(lower, name);
    struct lit_register *grown =
        ARENA_ARRAY(lower->arena, struct lit_register, thread->register_count + 1);
    if (thread->register_count)
        memcpy(grown, thread->registers, thread->register_count * sizeof *grown);
    grown[thread->register_count].name = name;
    grown[thread->register_count].type = LIT_LONG;
    grown[thread->register_count].init = ((int64_t)(symbol ? symbol->first : 0) + 1) << 32;
    thread->registers = grown;
    return thread->register_count++;
}

/* Does it name registers of a recovery program that is not the test itself? */
static bool is_of_recovery(const struct lit_lower *lower, enum lit_when when)
{
    return when == LIT_RECOVERED && !lower->test->relaunch;
}

static bool resolve_register(struct lit_lower *lower, enum lit_when when,
                             const struct ast_atom *atom, struct lit_atom *out)
{
    uint32_t count;
    const struct lit_thread *threads = threads_of(lower->program, when, &count);
    const struct ast_threads *trees =
        is_of_recovery(lower, when) ? &lower->test->recovery : &lower->test->threads;
    if (atom->thread >= count) {
        LIT_FAULT(lower, DIAG_LIT_THREAD, atom->span, "there is no thread P%d%s", (int)atom->thread,
                  is_of_recovery(lower, when) ? " in the recovery program" : "");
        return false;
    }
    const struct lit_thread *thread = &threads[atom->thread];
    uint32_t reg = find_register(thread, atom->name.text);
    if (reg == LIT_NONE && is_param(trees, atom->thread, atom->name.text)) {
        diag_warning(
            lower->diag, DIAG_LIT_REGISTER, atom->span,
            "'%s' is a parameter of %s: as a register it holds an address, which equals no "
            "value of a test. Write '%s' for the memory it names",
            atom->name.text, thread->name, atom->name.text);
        reg = add_register(lower, (struct lit_thread *)thread, atom->name.text);
    } else if (reg == LIT_NONE) {
        report_register(lower, threads, count, atom);
        return false;
    } else if (!is_written(thread, reg) && !is_param(trees, atom->thread, atom->name.text) &&
               (is_of_recovery(lower, when) ||
                !is_initialised(lower, atom->thread, atom->name.text))) {
        LIT_FAULT(lower, DIAG_LIT_REGISTER, atom->span,
                  "register '%s' of %s is never written, so it tells nothing; assign it",
                  atom->name.text, thread->name);
        return false;
    }
    *out =
        (struct lit_atom){.kind = LIT_ATOM_REGISTER, .thread = (uint32_t)atom->thread, .reg = reg};
    return true;
}

/* ---- Locations ---- */

/* One that the condition may name, or that another one may. */
static bool report_as_register(struct lit_lower *lower, enum lit_when when,
                               const struct ast_atom *atom)
{
    const struct lit_program *program = lower->program;
    const char *name = atom->name.text;
    int own = thread_with(program->threads, program->thread_count, name);
    int recovers = thread_with(program->recovery, program->recovery_count, name);
    bool recovered = is_of_recovery(lower, when);
    int thread = recovered ? recovers : own;
    if (thread >= 0)
        LIT_FAULT(lower, DIAG_LIT_LOCATION, atom->span,
                  "'%s' is a register of %sP%d and no location; write '%d:%s'", name,
                  recovered ? "the recovery's " : "", thread, thread, name);
    else if (own >= 0 || recovers >= 0)
        LIT_FAULT(lower, DIAG_LIT_LOCATION, atom->span,
                  recovered ? "'%s' is a register of P%d, and gone when recovery begins; name a "
                              "register of the recovery, or an nvm location"
                            : "'%s' is a register of the recovery's P%d; only a 'recovered' "
                              "condition names it",
                  name, recovered ? own : recovers);
    if (thread >= 0)
        diag_meant_by(lower->diag, atom->span, name,
                      arena_printf(lower->arena, "%d:%s", thread, name));
    return own >= 0 || recovers >= 0;
}

static void report_location(struct lit_lower *lower, enum lit_when when,
                            const struct ast_atom *atom)
{
    if (lit_lower_errors(lower) < DIAG_MAX_KEPT && report_as_register(lower, when, atom))
        return;
    const char *near =
        LIT_NEAREST(lower, atom->name.text, lower->symbols.items, lower->symbols.count, name);
    LIT_FAULT(lower, DIAG_LIT_LOCATION, atom->span,
              near ? "there is no location '%s'; did you mean '%s'?"
                   : "there is no location '%s'; declare it in the initial block",
              atom->name.text, near);
    diag_meant_by(lower->diag, atom->span, atom->name.text, near);
}

/* The element an atom names, which may be named by a constant. */
static bool resolve_index(struct lit_lower *lower, const struct lit_symbol *symbol,
                          const struct ast_atom *atom, uint32_t *element)
{
    struct ast_number number = atom->number;
    *element = 0;
    if (atom->kind != AST_ATOM_ELEMENT)
        return true;
    if (atom->index.text && !lit_define_constant(lower, &atom->index, &number))
        return false;
    if (symbol->array && !number.large && number.value >= 0 &&
        number.value < (int64_t)symbol->count) {
        *element = (uint32_t)number.value;
        return true;
    }
    if (!symbol->unsized)
        LIT_FAULT(lower, DIAG_LIT_INDEX, atom->span,
                  symbol->array ? "this element is out of range; '%s' has elements 0 to %u"
                                : "'%s' is no array",
                  symbol->name, symbol->count - 1);
    return false;
}

/* The symbol an atom names. */
static const struct lit_symbol *resolve_symbol(struct lit_lower *lower, enum lit_when when,
                                               const struct ast_atom *atom)
{
    const struct lit_symbol *symbol = lit_declare_find(lower, atom->name.text);
    if (!symbol)
        report_location(lower, when, atom);
    return symbol;
}

/* The element of a row, or of a member, that an atom names. */
static bool resolve_inner(struct lit_lower *lower, const struct ast_atom *atom, uint32_t elements,
                          uint32_t *member)
{
    struct ast_number number = {0};
    if (!atom->inner) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, atom->span, "this is an array of %u elements; say which",
                  elements);
        return false;
    }
    number = atom->inner->number;
    if (atom->inner->index.text && !lit_define_constant(lower, &atom->inner->index, &number))
        return false;
    if (number.large || number.value < 0 || number.value >= (int64_t)elements) {
        LIT_FAULT(lower, DIAG_LIT_INDEX, atom->inner->span,
                  elements ? "this element is out of range; there are elements 0 to %u"
                           : "this is no array",
                  elements - 1);
        return false;
    }
    *member += (uint32_t)number.value;
    return true;
}

/* The member an atom names, as the location's place in its element. */
static bool resolve_member(struct lit_lower *lower, const struct lit_symbol *symbol,
                           const struct ast_atom *atom, uint32_t *member)
{
    *member = 0;
    if (atom->member.text)
        *member = lit_define_member(lower, symbol, &atom->member);
    if (*member == LIT_NONE)
        return false;
    const struct lit_field *field = symbol->structure ? &symbol->structure->fields[*member] : NULL;
    bool row = field && symbol->structure->row;
    if ((row || atom->member.text) && (field->elements || atom->inner))
        return resolve_inner(lower, atom, field->elements, member);
    if (!row && !atom->member.text && atom->inner) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, atom->inner->span, "'%s' has not so many dimensions",
                  symbol->name);
        return false;
    }
    if (atom->member.text)
        return true;
    if (symbol->structure)
        LIT_FAULT(lower, DIAG_LIT_STRUCT, atom->span,
                  "this is all of a struct '%s'; say which member, such as '.%s'",
                  symbol->structure->name, symbol->structure->fields[0].name);
    return !symbol->structure;
}

static bool resolve_location(struct lit_lower *lower, enum lit_when when,
                             const struct ast_atom *atom, struct lit_atom *out)
{
    uint32_t element, member;
    const struct lit_symbol *symbol = resolve_symbol(lower, when, atom);
    if (!symbol || !resolve_index(lower, symbol, atom, &element))
        return false;
    if (symbol->array && atom->kind != AST_ATOM_ELEMENT) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, atom->span,
                  "'%s' is an array of %u elements; say which: '%s[0]'", symbol->name,
                  symbol->count, symbol->name);
        return false;
    }
    if (when == LIT_CRASHED && !symbol->nvm) {
        LIT_FAULT(lower, DIAG_LIT_LOST, atom->span,
                  "'%s' is ordinary memory, lost at a crash, and a crash condition names nvm "
                  "locations and registers; if it is meant to survive a crash, declare it as "
                  "'nvm %s'",
                  symbol->name, symbol->name);
        return false;
    }
    if (!resolve_member(lower, symbol, atom, &member))
        return false;
    *out = (struct lit_atom){.kind = LIT_ATOM_LOCATION,
                             .location = symbol->first + element * symbol->size + member};
    return true;
}

bool lit_condition_places(struct lit_lower *lower, const struct ast_atom *atom,
                          struct lit_places *places)
{
    uint32_t element, member;
    const struct lit_symbol *symbol = resolve_symbol(lower, LIT_FINAL, atom);
    if (!symbol || !resolve_index(lower, symbol, atom, &element))
        return false;
    bool all = symbol->array && atom->kind != AST_ATOM_ELEMENT;
    *places = (struct lit_places){.symbol = symbol,
                                  .first = symbol->first + element * symbol->size,
                                  .count = all ? symbol->count * symbol->size : symbol->size};
    if (!atom->member.text && !atom->inner)
        return true;
    if (!resolve_member(lower, symbol, atom, &member))
        return false;
    places->first += member;
    places->count = 1;
    return true;
}

/* ---- Propositions ---- */

static bool resolve_atom(struct lit_lower *lower, enum lit_when when, const struct ast_atom *atom,
                         struct lit_atom *out)
{
    switch (atom->kind) {
    case AST_ATOM_NUMBER:
        *out = (struct lit_atom){.kind = LIT_ATOM_CONST, .value = atom->number.value};
        return true;
    case AST_ATOM_REGISTER: return resolve_register(lower, when, atom, out);
    default: return resolve_location(lower, when, atom, out);
    }
}

static enum lit_type type_of(const struct lit_program *program, enum lit_when when,
                             const struct lit_atom *atom)
{
    uint32_t count;
    if (atom->kind == LIT_ATOM_LOCATION)
        return program->locations[atom->location].type;
    return threads_of(program, when, &count)[atom->thread].registers[atom->reg].type;
}

/* A constant must be a value the other side can have. */
static bool check_constant(struct lit_lower *lower, enum lit_when when,
                           const struct ast_atom *number, const struct lit_atom *other)
{
    if (other->kind == LIT_ATOM_CONST)
        return true;
    struct ast_number stored = number->number;
    enum lit_type type = type_of(lower->program, when, other);
    if (lit_declare_fits(type, &stored))
        return true;
    if (!lit_declare_convert(lower, type, &stored, number->span))
        return false;
    LIT_FAULT(lower, DIAG_LIT_NUMBER, number->span,
              "this value is out of range for %s; where it is stored it becomes %llu: write that",
              lit_declare_type_name(type), (unsigned long long)stored.value);
    return false;
}

/* The first value of a location. */
static struct ast_atom first_value(struct lit_lower *lower, const struct ast_atom *atom)
{
    struct ast_atom named = *atom, result = *atom;
    struct lit_atom place;
    named.initial = false;
    result.kind = AST_ATOM_NUMBER;
    result.number = (struct ast_number){.span = atom->span};
    if (resolve_location(lower, LIT_FINAL, &named, &place)) {
        const struct lit_location *location = &lower->program->locations[place.location];
        result.number.value = location->init;
        result.number.large = location->type == LIT_ULONG && location->init < 0;
    }
    return result;
}

/* A constant is its number, and so is a first value. */
static struct ast_atom plain(struct lit_lower *lower, const struct ast_atom *atom)
{
    struct ast_atom result = *atom;
    if (atom->initial)
        return first_value(lower, atom);
    bool bare = atom->kind == AST_ATOM_NAME && !atom->member.text;
    if (!bare || !lit_define_find(lower, atom->name.text) ||
        !lit_define_constant(lower, &atom->name, &result.number))
        return result;
    result.kind = AST_ATOM_NUMBER;
    return result;
}

static bool resolve_compare(struct lit_lower *lower, enum lit_when when, const struct ast_prop *ast,
                            struct lit_prop *prop)
{
    prop->compare = ast->compare;
    const struct ast_atom a = plain(lower, &ast->left), b = plain(lower, &ast->right);
    bool left = resolve_atom(lower, when, &a, &prop->left);
    bool right = resolve_atom(lower, when, &b, &prop->right);
    if (!left || !right)
        return false;
    if (prop->right.kind == LIT_ATOM_CONST)
        return check_constant(lower, when, &b, &prop->left);
    if (prop->left.kind == LIT_ATOM_CONST)
        return check_constant(lower, when, &a, &prop->right);
    return true;
}

static const struct lit_prop *resolve(struct lit_lower *lower, enum lit_when when,
                                      const struct ast_prop *ast);

/* How many values a name has, of `all i < N: (P)`; false after reporting. */
static bool resolve_limit(struct lit_lower *lower, const struct ast_prop *ast, uint32_t *count)
{
    enum { MOST_VALUES = 4096 };
    struct ast_number number = ast->limit.number;
    const char *name = ast->variable.text;
    if (ast->limit.kind == AST_ATOM_NAME && !lit_define_constant(lower, &ast->limit.name, &number))
        return false;
    bool taken = lit_define_find(lower, name) || lit_declare_find(lower, name);
    if (taken)
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, ast->variable.span,
                  "'%s' is the name of a location or a constant; a name that counts is another",
                  name);
    if (number.large || number.value < 1 || number.value > MOST_VALUES)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, ast->limit.span,
                  "a name counts up to a number from 1 to %d", MOST_VALUES);
    *count = (uint32_t)number.value;
    return !taken && !number.large && number.value >= 1 && number.value <= MOST_VALUES;
}

/* The name is a constant, of one value after the other. */
static const struct lit_prop *resolve_counted(struct lit_lower *lower, enum lit_when when,
                                              const struct ast_prop *ast)
{
    enum { MOST_COPIES = 65536 };
    uint32_t count, errors = lower->diag->errors;
    const struct lit_prop *nothing = ARENA_MAKE(lower->arena, struct lit_prop, .op = LIT_PROP_TRUE);
    if (!resolve_limit(lower, ast, &count))
        return nothing;
    lower->copies += count;
    if (lower->copies > MOST_COPIES) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, ast->span,
                  "names of conditions count up to more than %d in all", MOST_COPIES);
        return nothing;
    }
    const struct lit_prop **parts = ARENA_ARRAY(lower->arena, const struct lit_prop *, count);
    VEC_PUSH(&lower->constants, (struct lit_constant){.name = ast->variable.text,
                                                      .span = ast->variable.span,
                                                      .type = LIT_INT});
    for (uint32_t i = 0; i < count; i++) {
        lower->constants.items[lower->constants.count - 1].value = i;
        parts[i] = lower->diag->errors == errors ? resolve(lower, when, ast->a) : nothing;
    }
    lower->constants.count--;
    return lit_prop_join(lower->arena, ast->op, parts, count);
}

static const struct lit_prop *resolve(struct lit_lower *lower, enum lit_when when,
                                      const struct ast_prop *ast)
{
    if (ast->variable.text)
        return resolve_counted(lower, when, ast);
    struct lit_prop *prop = ARENA_NEW(lower->arena, struct lit_prop);
    prop->op = ast->op;
    if (ast->op == LIT_PROP_COMPARE && !resolve_compare(lower, when, ast, prop))
        prop->op = LIT_PROP_TRUE;
    if (ast->a)
        prop->a = resolve(lower, when, ast->a);
    if (ast->b)
        prop->b = resolve(lower, when, ast->b);
    return prop;
}

/* ---- Registers at a crash ---- */

/* A comparison with a register that the atom names, which it has to have a value for. */
static const struct lit_prop *when_given(struct lit_lower *lower, const struct lit_prop *prop,
                                         const struct lit_atom *atom)
{
    struct lit_atom given = *atom;
    if (atom->kind != LIT_ATOM_REGISTER)
        return prop;
    const struct lit_thread *thread = &lower->program->threads[atom->thread];
    struct lit_register *reg = (struct lit_register *)&thread->registers[atom->reg];
    reg->at_crash = true;
    reg->given = is_param(&lower->test->threads, atom->thread, reg->name) ||
                 is_initialised(lower, atom->thread, reg->name);
    given.kind = LIT_ATOM_GIVEN;
    const struct lit_prop *const both[] = {prop, lit_prop_equal(lower->arena, &given, 1)};
    return lit_prop_join(lower->arena, LIT_PROP_AND, both, 2);
}

/* The proposition with each comparison false of registers that have no value. */
static const struct lit_prop *heed_given(struct lit_lower *lower, const struct lit_prop *prop)
{
    if (!prop)
        return NULL;
    if (prop->op == LIT_PROP_COMPARE)
        return when_given(lower, when_given(lower, prop, &prop->left), &prop->right);
    struct lit_prop *copy = arena_copy(lower->arena, prop, sizeof *prop);
    copy->a = heed_given(lower, prop->a);
    copy->b = heed_given(lower, prop->b);
    return copy;
}

/* ---- Conditions, filter, observed names ---- */

struct lit_condition lit_refine_condition(struct arena *arena, const struct lit_refines *refines,
                                          enum lit_when when, struct span span)
{
    return (struct lit_condition){.when = when,
                                  .quantifier = LIT_FORALL,
                                  .prop = ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_TRUE),
                                  .text = arena_printf(arena, "refines \"%s\" under %s + %s",
                                                       refines->source, refines->visibility,
                                                       refines->persistency),
                                  .span = span,
                                  .refines = arena_copy(arena, refines, sizeof *refines)};
}

static void ask(struct lit_lower *lower, const struct ast_condition *ast, struct lit_condition *out)
{
    const char *word = ast->property.text;
    enum lit_property property = lit_property_named(word, strlen(word));
    if (property == LIT_NO_PROPERTY) {
        const char *near = diag_nearest(word, lit_property_words + 1, LIT_PROPERTY_END - 1);
        LIT_FAULT(lower, DIAG_LIT_PROPERTY, ast->span,
                  near ? "'%s' is no property; did you mean '%s'?"
                       : "'%s' is no property; properties are race, divergence, bounds, assert, "
                         "ends and robust",
                  word, near);
        diag_meant_by(lower->diag, ast->span, word, near);
        return;
    }
    for (const struct lit_condition *before = lower->program->conditions; before < out; before++)
        if (before->property == property)
            LIT_FAULT(lower, DIAG_LIT_DUPLICATE, ast->span,
                      "this property is asked in line %u already; keep one", before->span.line);
    *out = lit_property_condition(lower->arena, lower->program, property, ast->span);
}

/* The proposition waits for the source's states. */
static void refine(struct lit_lower *lower, const struct ast_condition *ast,
                   struct lit_condition *out)
{
    const struct lit_refines refines = {.source = ast->source.text,
                                        .visibility = ast->visibility.text,
                                        .persistency = ast->persistency.text,
                                        .span = ast->source.span};
    *out = lit_refine_condition(lower->arena, &refines, ast->when, ast->span);
}

static void lower_conditions(struct lit_lower *lower)
{
    const struct ast_test *test = lower->test;
    struct lit_program *program = lower->program;
    struct lit_condition *out =
        ARENA_ARRAY(lower->arena, struct lit_condition, test->conditions.count);
    program->conditions = out;
    program->condition_count = test->conditions.count;
    for (const struct ast_condition *ast = test->conditions.first; ast; ast = ast->next, out++) {
        out->when = ast->when;
        out->quantifier = ast->quantifier;
        out->span = ast->span;
        out->text = "";
        if (ast->when == LIT_RECOVERED && !test->recovery_span.line) {
            LIT_FAULT(lower, DIAG_LIT_RECOVERY, ast->span,
                      "a 'recovered' condition needs a recovery program: recovery %s",
                      test->dialect->recovery);
            continue;
        }
        if (ast->property.text) {
            ask(lower, ast, out);
            continue;
        }
        if (ast->source.text) {
            refine(lower, ast, out);
            continue;
        }
        out->prop = resolve(lower, ast->when, ast->prop);
        if (!lit_lower_errors(lower))
            lit_condition_set_text(lower->arena, program, out);
        if (!lit_lower_errors(lower) && ast->when == LIT_CRASHED)
            out->prop = heed_given(lower, out->prop);
    }
}

/* The locations that a name or an element stands for when none is singled out. */
static bool stands_for_many(const struct lit_symbol *symbol, const struct ast_atom *atom)
{
    bool whole = atom->kind == AST_ATOM_NAME || atom->kind == AST_ATOM_ELEMENT;
    return symbol && whole && !atom->member.text &&
           (symbol->structure || (symbol->array && atom->kind == AST_ATOM_NAME));
}

static void observe_many(struct lit_lower *lower, const struct lit_symbol *symbol,
                         const struct ast_atom *atom, struct lit_atom *out, uint32_t *count)
{
    uint32_t element, most = symbol->size;
    if (!resolve_index(lower, symbol, atom, &element))
        return;
    if (atom->kind == AST_ATOM_NAME)
        most *= symbol->count;
    for (uint32_t i = 0; i < most; i++)
        out[(*count)++] = (struct lit_atom){.kind = LIT_ATOM_LOCATION,
                                            .location = symbol->first + element * symbol->size + i};
}

/* An array stands for all its elements, a structure for all its members. */
static void observe(struct lit_lower *lower, const struct ast_atom *atom, struct lit_atom *out,
                    uint32_t *count)
{
    const struct lit_symbol *symbol = lit_declare_find(lower, atom->name.text);
    if (atom->kind == AST_ATOM_NUMBER) {
        LIT_FAULT(lower, DIAG_LIT_LOCATION, atom->span,
                  "expected a location or a register, such as x or 0:r1");
        return;
    }
    if (stands_for_many(symbol, atom))
        observe_many(lower, symbol, atom, out, count);
    else if (resolve_atom(lower, LIT_FINAL, atom, &out[*count]))
        ++*count;
}

static uint32_t named_at_most(const struct lit_lower *lower, const struct ast_atoms *named)
{
    uint64_t count = 0;
    for (const struct ast_atom *atom = named->first; atom; atom = atom->next) {
        const struct lit_symbol *symbol = lit_declare_find(lower, atom->name.text);
        count += stands_for_many(symbol, atom) ? symbol->count * symbol->size : 1;
    }
    return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

/* NULL after reporting that there are too many. */
static const struct lit_atom *lower_named(struct lit_lower *lower, const struct ast_atoms *named,
                                          const char *word, uint32_t *count)
{
    enum { MOST = 65536 };
    uint32_t most = named_at_most(lower, named);
    *count = 0;
    if (most > MOST) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, named->first->span,
                  "'%s' names more than %d locations and registers", word, MOST);
        return NULL;
    }
    struct lit_atom *out = ARENA_ARRAY(lower->arena, struct lit_atom, most);
    for (const struct ast_atom *atom = named->first; atom; atom = atom->next)
        observe(lower, atom, out, count);
    return out;
}

static bool is_lost(struct lit_lower *lower, const struct lit_atom *atom, struct span span)
{
    const struct lit_location *location = &lower->program->locations[atom->location];
    if (!location->nvm)
        LIT_FAULT(
            lower, DIAG_LIT_LOST, span,
            "'%s' is ordinary memory, lost at a crash, and 'observe' names what is left; if it "
            "is meant to survive a crash, declare it as 'nvm'",
            location->name);
    return !location->nvm;
}

static void lower_robust_in(struct lit_lower *lower)
{
    const struct ast_atoms *named = &lower->test->robust_in;
    uint32_t count;
    const struct lit_atom *atoms = lower_named(lower, named, "observe", &count);
    if (atoms && !ANY(i, count, is_lost(lower, &atoms[i], named->first->span))) {
        lower->program->robust_in = atoms;
        lower->program->robust_in_count = count;
    }
}

/* ---- Expectations ---- */

static const char *const verdicts[] = {"ok", "unknown", "violated", "undefined", "error"};

enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

const char *lit_verdict_text(enum lit_verdict verdict)
{
    return verdicts[verdict];
}

static bool same_pair(const struct lit_expect *a, const struct lit_expect *b)
{
    return a->visibility == b->visibility && a->persistency == b->persistency &&
           a->engine == b->engine;
}

static void lower_expect(struct lit_lower *lower, const struct ast_expect *ast,
                         struct lit_expect *out)
{
    *out = (struct lit_expect){.visibility = ast->visibility.text,
                               .persistency = ast->persistency.text,
                               .engine = ast->engine.text,
                               .span = ast->span,
                               .engine_span = ast->engine.span,
                               .verdict_span = ast->verdict.span};
    size_t verdict = 0;
    while (verdict < VERDICTS && strcmp(verdicts[verdict], ast->verdict.text) != 0)
        verdict++;
    const char *near =
        verdict == VERDICTS ? diag_nearest(ast->verdict.text, verdicts, VERDICTS) : NULL;
    if (verdict == VERDICTS)
        LIT_FAULT(
            lower, DIAG_LIT_EXPECT, ast->verdict.span,
            near ? "'%s' is no verdict; did you mean '%s'?"
                 : "'%s' is no verdict; verdicts are ok, violated, undefined, unknown and error",
            ast->verdict.text, near);
    else
        out->verdict = (enum lit_verdict)verdict;
    diag_meant_by(lower->diag, ast->verdict.span, ast->verdict.text, near);
}

static void lower_expects(struct lit_lower *lower)
{
    enum { MOST_EXPECTATIONS = 1000 };
    const struct ast_expects *list = &lower->test->expects;
    if (list->count > MOST_EXPECTATIONS) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, list->first->span,
                  "this test has more than %d expectations", MOST_EXPECTATIONS);
        return;
    }
    struct lit_expect *out = ARENA_ARRAY(lower->arena, struct lit_expect, list->count);
    lower->program->expects = out;
    for (const struct ast_expect *ast = list->first; ast; ast = ast->next) {
        uint32_t count = lower->program->expect_count++;
        lower_expect(lower, ast, &out[count]);
        for (uint32_t i = 0; i < count; i++)
            if (same_pair(&out[i], &out[count])) {
                LIT_FAULT(lower, DIAG_LIT_DUPLICATE, ast->span,
                          "this pair of models has an expectation in line %u already; keep one",
                          out[i].span.line);
                break;
            }
    }
}

void lit_condition_lower_all(struct lit_lower *lower)
{
    lower_conditions(lower);
    if (lower->test->filter)
        lower->program->filter = resolve(lower, LIT_FINAL, lower->test->filter);
    lower->program->observed =
        lower_named(lower, &lower->test->observed, "locations", &lower->program->observed_count);
    lower_robust_in(lower);
    lit_property_observe(lower->arena, lower->program);
    lower_expects(lower);
}
