/* Locations: those of the initial block, then those only parameters name. What a
 * declaration leaves open (type, address space) a later parameter may still say. */
#include "litmus/lit_ptx.h"

#include <inttypes.h>
#include <string.h>

const char *lit_declare_type_name(enum lit_type type)
{
    static const char *const names[] = {"int", "uint", "long", "ulong"};
    return names[type];
}

const char *lit_declare_range(enum lit_type type)
{
    static const char *const ranges[] = {"-2147483648 to 2147483647", "0 to 4294967295",
                                         "-9223372036854775808 to 9223372036854775807",
                                         "0 to 18446744073709551615"};
    return ranges[type];
}

bool lit_declare_fits(enum lit_type type, const struct ast_number *number)
{
    if (number->large)
        return type == LIT_ULONG;
    bool is_unsigned = type == LIT_UINT || type == LIT_ULONG;
    if (is_unsigned && number->value < 0)
        return false;
    return lit_value_wrap(type, number->value) == number->value;
}

static struct lit_symbol *find(const struct lit_lower *lower, const char *name)
{
    for (size_t i = 0; i < lower->symbols.count; i++)
        if (lower->symbols.items[i].name == name)
            return &lower->symbols.items[i];
    return NULL;
}

const struct lit_symbol *lit_declare_find(const struct lit_lower *lower, const char *name)
{
    return find(lower, name);
}

struct lit_symbol *lit_declare_add(struct lit_lower *lower, const struct ast_name *name)
{
    VEC_PUSH(&lower->symbols, (struct lit_symbol){.name = name->text,
                                                  .span = name->span,
                                                  .type = LIT_INT,
                                                  .space = LIT_GLOBAL,
                                                  .count = 1});
    return &VEC_LAST(&lower->symbols);
}

/* Takes over what the words of a declaration say; reports what contradicts. */
static void refine(struct lit_lower *lower, struct lit_symbol *symbol,
                   const struct ast_specs *specs)
{
    enum lit_type type = ast_specs_type(specs);
    enum lit_space space = specs->bits & AST_LOCAL ? LIT_LOCAL : LIT_GLOBAL;
    bool says_space = (specs->bits & (AST_LOCAL | AST_GLOBAL)) != 0;
    if (ast_specs_has_type(specs) && symbol->typed && type != symbol->type)
        LIT_FAULT(lower, DIAG_LIT_TYPE, specs->span,
                  "'%s' is %s here and %s in an earlier declaration; make them agree", symbol->name,
                  lit_declare_type_name(type), lit_declare_type_name(symbol->type));
    if ((says_space && symbol->spaced && space != symbol->space) ||
        (specs->bits & AST_LOCAL && specs->bits & AST_GLOBAL))
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' is both local and global; make the declarations agree", symbol->name);
    if (ast_specs_has_type(specs) && !symbol->typed) {
        symbol->typed = true;
        symbol->type = type;
    }
    if (says_space && !symbol->spaced) {
        symbol->spaced = true;
        symbol->space = space;
    }
    symbol->atomic |= (specs->bits & AST_ATOMIC) != 0;
    symbol->nvm |= (specs->bits & AST_NVM) != 0;
    if (symbol->nvm && symbol->space == LIT_LOCAL)
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' cannot be both nvm and local; non-volatile memory is global", symbol->name);
}

/* ---- The initial block ---- */

static void check_size(struct lit_lower *lower, const struct ast_init *init,
                       struct lit_symbol *symbol)
{
    const struct ast_number *size = &init->size;
    if (size->large || size->value < 1 || size->value > LIT_MAX_LOCATIONS) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, size->span, "array '%s' must have 1 to %d elements",
                  symbol->name, LIT_MAX_LOCATIONS);
        return;
    }
    symbol->count = (uint32_t)size->value;
}

static void declare_init(struct lit_lower *lower, const struct ast_init *init)
{
    const struct lit_symbol *other = find(lower, init->name.text);
    if (other) {
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, init->span,
                  "location '%s' is declared twice; keep one declaration", init->name.text);
        diag_note(lower->diag, other->span, "'%s' is declared here", init->name.text);
        return;
    }
    struct lit_symbol *symbol = lit_declare_add(lower, &init->name);
    symbol->init = init;
    symbol->array = init->array;
    if (init->array)
        check_size(lower, init, symbol);
    if (init->list && !init->array)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span,
                  "'%s' is no array, but has a list of values; write '%s[%u]', or one value",
                  symbol->name, symbol->name, init->values.count);
    else if (init->list && init->values.count > symbol->count)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span, "'%s' has %u elements, but %u values",
                  symbol->name, symbol->count, init->values.count);
    refine(lower, symbol, &init->specs);
}

static void check_register(struct lit_lower *lower, const struct ast_init *init)
{
    if (init->array || init->list)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span, "'%s' is a register and holds one value",
                  init->name.text);
    if (init->specs.bits & (AST_NVM | AST_LOCAL | AST_GLOBAL))
        LIT_FAULT(lower, DIAG_LIT_SPACE, init->specs.span,
                  "'%s' is a register; nvm, local and global belong to locations", init->name.text);
}

/* ---- Parameters ---- */

static void declare_param(struct lit_lower *lower, const struct ast_param *param)
{
    if (!param->pointer) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, param->name.span,
                  "parameter '%s' is no pointer; parameters name locations: write '*' before "
                  "it, as in 'global int* %s'",
                  param->name.text, param->name.text);
        return;
    }
    struct lit_symbol *symbol = find(lower, param->name.text);
    if (!symbol)
        symbol = lit_declare_add(lower, &param->name);
    refine(lower, symbol, &param->specs);
}

static void declare_params(struct lit_lower *lower, const struct ast_threads *threads)
{
    for (const struct ast_thread *thread = threads->first; thread; thread = thread->next)
        for (const struct ast_param *param = thread->params.first; param; param = param->next) {
            for (const struct ast_param *other = thread->params.first; other != param;
                 other = other->next)
                if (other->name.text == param->name.text) {
                    LIT_FAULT(lower, DIAG_LIT_DUPLICATE, param->name.span,
                              "parameter '%s' is named twice", param->name.text);
                    break;
                }
            if (lower->symbols.count > LIT_MAX_LOCATIONS ||
                lit_lower_errors(lower) >= DIAG_MAX_KEPT)
                return;
            declare_param(lower, param);
        }
}

static bool same_group(const struct lit_thread *a, const struct lit_thread *b)
{
    return a->wg == b->wg && a->kr == b->kr && a->dev == b->dev;
}

/* One warning for each location. */
static void check_local(struct lit_lower *lower, const struct ast_param *param,
                        const struct lit_thread *thread)
{
    struct lit_symbol *symbol = find(lower, param->name.text);
    if (!symbol || symbol->space != LIT_LOCAL)
        return;
    if (!symbol->user)
        symbol->user = thread;
    if (symbol->shared || same_group(symbol->user, thread))
        return;
    symbol->shared = true;
    diag_warning(lower->diag, DIAG_LIT_SPACE, param->name.span,
                 "'%s' is local memory, of which %s and %s have one each, being of different "
                 "work-groups; it is taken as one location",
                 symbol->name, symbol->user->name, thread->name);
}

void lit_declare_check_local(struct lit_lower *lower)
{
    const struct ast_thread *thread = lower->test->threads.first;
    for (; thread; thread = thread->next)
        for (const struct ast_param *param = thread->params.first; param; param = param->next)
            check_local(lower, param, &lower->program->threads[thread->number]);
}

/* ---- Layout ---- */

/* A list gives its elements in order and 0 to the rest; one value fills an array. */
static int64_t initial_value(struct lit_lower *lower, const struct lit_symbol *symbol,
                             const struct ast_value **next)
{
    const struct ast_value *value = *next;
    if (!value)
        return 0;
    if (symbol->init->list)
        *next = value->next;
    if (!lit_declare_fits(symbol->type, &value->number)) {
        LIT_FAULT(lower, DIAG_LIT_NUMBER, value->number.span,
                  "this value is out of range for %s; expected %s",
                  lit_declare_type_name(symbol->type), lit_declare_range(symbol->type));
        if (!symbol->init->list)
            *next = NULL;
    }
    return value->number.value;
}

static void lay_out(struct lit_lower *lower, struct lit_symbol *symbol,
                    struct lit_location *locations)
{
    const struct ast_value *next = symbol->init ? symbol->init->values.first : NULL;
    for (uint32_t i = 0; i < symbol->count; i++) {
        struct lit_location *at = &locations[symbol->first + i];
        at->name =
            symbol->array ? arena_printf(lower->arena, "%s[%u]", symbol->name, i) : symbol->name;
        at->type = symbol->type;
        at->space = symbol->space;
        at->nvm = symbol->nvm;
        at->atomic = symbol->atomic;
        at->init = initial_value(lower, symbol, &next);
        at->span = symbol->init ? symbol->span : (struct span){0};
    }
}

void lit_declare_locations(struct lit_lower *lower)
{
    const struct ast_test *test = lower->test;
    for (const struct ast_init *init = test->inits.first; init; init = init->next)
        if (init->thread != AST_NO_THREAD)
            check_register(lower, init);
        else if (lower->symbols.count <= LIT_MAX_LOCATIONS)
            declare_init(lower, init);
    if (test->dialect == AST_PTX)
        lit_ptx_declare(lower);
    declare_params(lower, &test->threads);
    declare_params(lower, &test->recovery);
    uint32_t count = 0;
    for (size_t i = 0; i < lower->symbols.count; i++) {
        struct lit_symbol *symbol = &lower->symbols.items[i];
        if (count + symbol->count > LIT_MAX_LOCATIONS) {
            LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, symbol->span,
                      "this test has more than %d locations, counting elements of arrays",
                      LIT_MAX_LOCATIONS);
            lower->symbols.count = i;
            break;
        }
        symbol->first = count;
        count += symbol->count;
    }
    struct lit_location *locations = ARENA_ARRAY(lower->arena, struct lit_location, count);
    for (size_t i = 0; i < lower->symbols.count; i++)
        lay_out(lower, &lower->symbols.items[i], locations);
    lower->program->locations = locations;
    lower->program->location_count = count;
}
