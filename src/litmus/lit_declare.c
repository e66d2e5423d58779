/* Locations: those of the initial block, then those only parameters name. What a
 * declaration leaves open (type, address space) a later parameter may still say. */
#include "litmus/lit_lower.h"

#include <inttypes.h>

const char *lit_declare_type_name(enum lit_type type)
{
    static const char *const names[] = {LIT_TYPES(TABLE_SECOND)};
    return names[type];
}

const char *lit_declare_range(enum lit_type type)
{
    static const char *const ranges[] = {LIT_TYPES(TABLE_FIFTH)};
    return ranges[type];
}

bool lit_declare_fits(enum lit_type type, const struct ast_number *number)
{
    if (number->large)
        return type == LIT_ULONG;
    if (!lit_type_is_signed(type) && number->value < 0)
        return false;
    return lit_value_wrap(type, number->value) == number->value;
}

/* `unsigned x = -1` (C11 6.3.1.3): a negative number that the signed type of the width holds. */
bool lit_declare_convert(struct lit_lower *lower, enum lit_type type, struct ast_number *number,
                         struct span span)
{
    bool fills = !lit_type_is_signed(type) && type != LIT_BOOL && !number->large &&
                 number->value < 0 && lit_value_wrap(type - 1, number->value) == number->value;
    if (fills)
        number->value = lit_value_wrap(type, number->value);
    bool fits = fills || lit_declare_fits(type, number);
    if (!fits)
        LIT_FAULT(lower, DIAG_LIT_NUMBER, span, "this value is out of range for %s; expected %s",
                  lit_declare_type_name(type), lit_declare_range(type));
    return fits;
}

static struct lit_symbol *find_symbol(const struct lit_lower *lower, const char *name)
{
    return FIND(i, lower->symbols.items, lower->symbols.count,
                lower->symbols.items[i].name == name);
}

const struct lit_symbol *lit_declare_find(const struct lit_lower *lower, const char *name)
{
    return find_symbol(lower, name);
}

struct lit_symbol *lit_declare_add(struct lit_lower *lower, const struct ast_name *name)
{
    VEC_PUSH(&lower->symbols, (struct lit_symbol){.name = name->text,
                                                  .span = name->span,
                                                  .type = LIT_INT,
                                                  .spaces = LIT_GLOBAL,
                                                  .count = 1,
                                                  .size = 1});
    return &VEC_LAST(&lower->symbols);
}

bool lit_declare_operators(const struct lit_lower *lower, const struct ast_specs *specs)
{
    return lower->test->dialect->operators &&
           (specs->bits & (AST_ATOMIC | AST_OPAQUE)) == AST_ATOMIC;
}

enum lit_type lit_declare_type_of(const struct lit_symbol *symbol, uint32_t member)
{
    return symbol->structure && !symbol->structure->row ? symbol->structure->fields[member].type
                                                        : symbol->type;
}

/* What a declaration calls a structure. */
static const struct lit_structure *named_structure(const struct lit_symbol *symbol)
{
    return symbol->structure && !symbol->structure->row ? symbol->structure : NULL;
}

static const char *type_text(struct lit_lower *lower, const struct lit_structure *structure,
                             enum lit_type type)
{
    return structure ? arena_printf(lower->arena, "struct %s", structure->name)
                     : lit_declare_type_name(type);
}

/* Takes over the type that a declaration says, if it says one. */
static void refine_type(struct lit_lower *lower, struct lit_symbol *symbol,
                        const struct ast_specs *specs)
{
    enum lit_type type = ast_specs_type(specs);
    const struct lit_structure *structure = NULL;
    if (specs->structure.text)
        structure = lit_define_structure(lower, &specs->structure);
    if (specs->structure.text ? !structure : !ast_specs_has_type(specs))
        return;
    if (structure && (ast_specs_has_type(specs) || specs->bits & AST_ATOMIC))
        LIT_FAULT(lower, DIAG_LIT_TYPE, specs->span,
                  "'%s' is a struct, whose members have types of their own; remove the other",
                  symbol->name);
    else if (symbol->typed &&
             (structure != named_structure(symbol) || (!structure && type != symbol->type)))
        LIT_FAULT(lower, DIAG_LIT_TYPE, specs->span,
                  "'%s' is %s here and %s in an earlier declaration; make them agree", symbol->name,
                  type_text(lower, structure, type),
                  type_text(lower, named_structure(symbol), symbol->type));
    if (symbol->typed)
        return;
    symbol->typed = true;
    symbol->type = type;
    if (!structure && symbol->structure)
        return; /* rows */
    symbol->structure = structure;
    symbol->size = structure ? structure->count : 1;
}

static uint32_t spaces_of(const struct ast_specs *specs)
{
    return (specs->bits & AST_GLOBAL ? LIT_GLOBAL : 0u) |
           (specs->bits & AST_LOCAL ? LIT_LOCAL : 0u);
}

static void refine_space(struct lit_lower *lower, struct lit_symbol *symbol,
                         const struct ast_specs *specs)
{
    uint32_t spaces = spaces_of(specs);
    if (spaces == (LIT_GLOBAL | LIT_LOCAL))
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' is both local and global; keep one of the two", symbol->name);
    else if (spaces && symbol->spaced && spaces != symbol->spaces && !symbol->mixed) {
        symbol->mixed = true;
        diag_warning(lower->diag, DIAG_LIT_SPACE, specs->span,
                     "'%s' is %s here and %s in an earlier declaration; each access has the space "
                     "that its own work-item declares",
                     symbol->name, spaces == LIT_LOCAL ? "local" : "global",
                     spaces == LIT_LOCAL ? "global" : "local");
    }
    if (spaces)
        symbol->spaces = symbol->spaced ? symbol->spaces | spaces : spaces;
    symbol->spaced |= spaces != 0;
}

/* Takes over what the words of a declaration say; reports what contradicts. */
static void refine(struct lit_lower *lower, struct lit_symbol *symbol,
                   const struct ast_specs *specs)
{
    refine_type(lower, symbol, specs);
    refine_space(lower, symbol, specs);
    symbol->atomic |= (specs->bits & AST_ATOMIC) != 0;
    symbol->nvm |= (specs->bits & AST_NVM) != 0;
    symbol->tags |= lit_primitive_tags(lower, &specs->tags);
    lit_mistake_volatile(lower, symbol, specs);
    if (symbol->nvm && symbol->spaces & LIT_LOCAL)
        LIT_FAULT(lower, DIAG_LIT_SPACE, specs->span,
                  "'%s' cannot be both nvm and local; non-volatile memory is global", symbol->name);
}

/* ---- The initial block ---- */

static void check_size(struct lit_lower *lower, const struct ast_init *init,
                       struct lit_symbol *symbol)
{
    struct ast_number size;
    symbol->unsized = true;
    if (!lit_define_number(lower, init->size, &size) ||
        diag_has_error_in(lower->diag, init->size->span))
        return;
    if (size.large || size.value < 1 || size.value > LIT_MAX_LOCATIONS) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, init->size->span,
                  "array '%s' must have 1 to %d elements", symbol->name, LIT_MAX_LOCATIONS);
        return;
    }
    symbol->unsized = false;
    symbol->count = (uint32_t)size.value;
}

/* The rows of an array of two dimensions. */
static void declare_rows(struct lit_lower *lower, const struct ast_init *init,
                         struct lit_symbol *symbol)
{
    struct ast_number columns;
    if (!lit_define_number(lower, init->columns, &columns) || symbol->unsized)
        return;
    if (symbol->structure || columns.large || columns.value < 1 ||
        columns.value > LIT_MAX_LOCATIONS / (int64_t)symbol->count) {
        LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, init->columns->span,
                  symbol->structure ? "'%s' is an array of structs and has one dimension"
                                    : "array '%s' must have 1 to %d elements",
                  symbol->name, LIT_MAX_LOCATIONS);
        return;
    }
    struct lit_structure *row = ARENA_NEW(lower->arena, struct lit_structure);
    row->row = true;
    row->count = symbol->size = (uint32_t)columns.value;
    row->fields = ARENA_ARRAY(lower->arena, struct lit_field, row->count);
    for (uint32_t i = 0; i < row->count; i++)
        row->fields[i] = (struct lit_field){.name = arena_printf(lower->arena, "[%u]", i),
                                            .elements = row->count,
                                            .operators = symbol->operators};
    symbol->structure = row;
}

static const struct ast_value *first_list(const struct ast_values *values)
{
    const struct ast_value *at = values->first;
    while (at && !at->list)
        at = at->next;
    return at;
}

/* Lists in a list are the elements of an array of structures, or its rows. */
static void check_lists(struct lit_lower *lower, const struct lit_symbol *symbol)
{
    const struct ast_values *values = &symbol->init->values;
    bool lists = values->first->list;
    for (const struct ast_value *value = values->first; value; value = value->next)
        if (value->list != lists || (value->list && (!symbol->structure || !symbol->array))) {
            LIT_FAULT(lower, DIAG_LIT_TYPE, value->span,
                      symbol->structure && symbol->array
                          ? "the values of '%s' are lists or numbers, not both; write each "
                            "element in braces, or none"
                          : "'%s' is no array of structs or rows; expected a number here",
                      symbol->name);
            return;
        } else if (first_list(&value->values)) {
            LIT_FAULT(lower, DIAG_LIT_TYPE, first_list(&value->values)->span,
                      "found a list, expected a number");
        } else if (value->values.count > symbol->size) {
            LIT_FAULT(lower, DIAG_LIT_TYPE, value->span,
                      symbol->structure->row ? "a row of '%s' has %u elements, but %u values"
                                             : "struct '%s' has %u members, but %u values",
                      symbol->structure->row ? symbol->name : symbol->structure->name, symbol->size,
                      value->values.count);
        }
}

/* Of a structure: a list in it, which stands for a member that is an array, becomes as many values
 * as that has elements. False after reporting. */
static bool flatten(struct lit_lower *lower, const struct lit_structure *structure,
                    struct ast_values *values)
{
    static const struct ast_value zero;
    struct ast_values flat = {0};
    for (const struct ast_value *at = values->first; at; at = at->next) {
        const struct lit_field *field =
            flat.count < structure->count ? &structure->fields[flat.count] : NULL;
        bool begins = field && (flat.count == 0 || field[-1].base != field->base);
        const struct ast_value *within = at->list ? at->values.first : at;
        if (at->list &&
            (!begins || at->values.count > field->elements || first_list(&at->values))) {
            LIT_FAULT(
                lower, DIAG_LIT_TYPE, at->span,
                "expected a number, or of a member that is an array a list of at most as many "
                "as it has elements");
            return false;
        }
        for (uint32_t i = at->list ? field->elements : 1; i > 0; i--) {
            struct ast_value *value =
                arena_copy(lower->arena, within ? within : &zero, sizeof *within);
            within = within ? within->next : NULL;
            value->next = NULL;
            CHAIN_ADD(&flat, value);
        }
    }
    *values = flat;
    return true;
}

/* The symbol's values, as numbers, or as lists of them. False after reporting. */
static bool flatten_values(struct lit_lower *lower, struct lit_symbol *symbol)
{
    struct ast_init *init = arena_copy(lower->arena, symbol->init, sizeof *init);
    symbol->init = init;
    if (!symbol->structure || symbol->structure->row)
        return true;
    if (!symbol->array)
        return flatten(lower, symbol->structure, &init->values);
    struct ast_values elements = {0};
    for (const struct ast_value *at = init->values.first; at; at = at->next) {
        struct ast_value *element = arena_copy(lower->arena, at, sizeof *at);
        if (element->list && !flatten(lower, symbol->structure, &element->values))
            return false;
        element->next = NULL;
        CHAIN_ADD(&elements, element);
    }
    init->values = elements;
    return true;
}

static void check_values(struct lit_lower *lower, struct lit_symbol *symbol)
{
    if (!flatten_values(lower, symbol))
        return;
    const struct ast_init *init = symbol->init;
    uint32_t most = symbol->count * (init->values.first->list ? 1 : symbol->size);
    if (!init->array && !symbol->structure)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span,
                  "'%s' is no array, but has a list of values; write '%s[%u]', or one value",
                  symbol->name, symbol->name, init->values.count);
    else if (init->values.count > most && !symbol->unsized)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span, "'%s' has %u %s, but %u values", symbol->name,
                  most, most == symbol->count ? "elements" : "members", init->values.count);
    check_lists(lower, symbol);
}

static bool names_constant(struct lit_lower *lower, const struct ast_name *name)
{
    const struct lit_constant *constant = lit_define_find(lower, name->text);
    if (!constant)
        return false;
    LIT_FAULT(lower, DIAG_LIT_DUPLICATE, name->span,
              "'%s' is a constant and cannot be a location too; rename one", name->text);
    diag_note(lower->diag, constant->span, "'%s' is defined here", name->text);
    return true;
}

static void declare_init(struct lit_lower *lower, const struct ast_init *init)
{
    const struct lit_symbol *other = find_symbol(lower, init->name.text);
    if (other) {
        LIT_FAULT(lower, DIAG_LIT_DUPLICATE, init->span,
                  "location '%s' is declared twice; keep one declaration", init->name.text);
        diag_note(lower->diag, other->span, "'%s' is declared here", init->name.text);
        return;
    }
    if (names_constant(lower, &init->name))
        return;
    struct lit_symbol *symbol = lit_declare_add(lower, &init->name);
    symbol->init = init;
    symbol->array = init->array;
    if (init->array)
        check_size(lower, init, symbol);
    refine(lower, symbol, &init->specs);
    symbol->always_atomic = symbol->atomic;
    symbol->operators = lit_declare_operators(lower, &init->specs);
    if (init->columns)
        declare_rows(lower, init, symbol);
    if (init->list)
        check_values(lower, symbol);
}

static void check_register(struct lit_lower *lower, const struct ast_init *init)
{
    if (init->array || init->list || init->specs.structure.text)
        LIT_FAULT(lower, DIAG_LIT_TYPE, init->span, "'%s' is a register and holds one value",
                  init->name.text);
    if (init->specs.tags.count)
        LIT_FAULT(lower, DIAG_LIT_SPACE, init->specs.span,
                  "'%s' is a register; tags belong to locations, instructions and threads",
                  init->name.text);
    if (init->specs.bits & (AST_NVM | AST_LOCAL | AST_GLOBAL))
        LIT_FAULT(lower, DIAG_LIT_SPACE, init->specs.span,
                  "'%s' is a register; nvm, local and global belong to locations", init->name.text);
}

/* ---- Parameters ---- */

/* A type that the initial block writes, and not as atomic. */
static bool is_plain_first(const struct lit_symbol *symbol)
{
    return symbol->init && !symbol->always_atomic &&
           symbol->init->specs.bits & (AST_INT | AST_LONG | AST_UNSIGNED | AST_SIGNED);
}

/* Is it atomic in one work-item, and not in another or in the initial block? */
static void check_kind(struct lit_lower *lower, struct lit_symbol *symbol,
                       const struct ast_param *param)
{
    bool atomic = (param->specs.bits & AST_ATOMIC) != 0;
    if (named_structure(symbol))
        return;
    if (symbol->always_atomic && !atomic && !symbol->mixed) {
        symbol->mixed = true;
        diag_warning(lower->diag, DIAG_LIT_TYPE, param->specs.span,
                     "'%s' is not atomic here and atomic in the initial block, which decides: %s; "
                     "write 'atomic_%s* %s'",
                     symbol->name,
                     symbol->operators
                         ? "its accesses are atomic"
                         : "atomic functions are meant for it, while operators access it plainly",
                     lit_declare_type_name(symbol->type), symbol->name);
    }
    if (atomic && is_plain_first(symbol) && !symbol->mixed) {
        symbol->mixed = true;
        diag_warning(lower->diag, DIAG_LIT_TYPE, param->specs.span,
                     "'%s' is atomic here and not atomic in the initial block; each access has the "
                     "kind that its own work-item declares; write 'atomic_%s %s' there",
                     symbol->name, lit_declare_type_name(symbol->type), symbol->name);
    }
    if (symbol->always_atomic)
        return;
    if (symbol->kinds & (atomic ? LIT_KIND_PLAIN : LIT_KIND_ATOMIC) && !symbol->mixed) {
        symbol->mixed = true;
        diag_warning(lower->diag, DIAG_LIT_TYPE, param->specs.span,
                     "'%s' is %satomic here and %satomic in another work-item; each access has the "
                     "kind that its own work-item declares",
                     symbol->name, atomic ? "" : "not ", atomic ? "not " : "");
    }
    symbol->kinds |= atomic ? LIT_KIND_ATOMIC : LIT_KIND_PLAIN;
}

static void declare_param(struct lit_lower *lower, const struct ast_param *param)
{
    if (!param->pointer) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, param->name.span,
                  "parameter '%s' is no pointer; parameters name locations: write '*' before "
                  "it, as in 'global int* %s'",
                  param->name.text, param->name.text);
        return;
    }
    struct lit_symbol *symbol = find_symbol(lower, param->name.text);
    if (!symbol && names_constant(lower, &param->name))
        return;
    if (!symbol) {
        lit_mistake_new(lower, param);
        symbol = lit_declare_add(lower, &param->name);
    }
    refine(lower, symbol, &param->specs);
    check_kind(lower, symbol, param);
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
    struct lit_symbol *symbol = find_symbol(lower, param->name.text);
    if (!symbol || symbol->spaces != LIT_LOCAL)
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

/* The values still to be given out. */
struct supply {
    const struct ast_value *next;
    bool fills; /* one value, for all that is left */
};

static int64_t initial_value(struct lit_lower *lower, const struct ast_value *value,
                             enum lit_type type, bool *faulty)
{
    struct ast_number number;
    *faulty = !lit_define_number(lower, value, &number);
    if (*faulty)
        return 0;
    *faulty = !lit_declare_convert(lower, type, &number, number.span);
    return number.value;
}

/* A list gives its elements in order and 0 to the rest; one value fills an array. */
static int64_t take_value(struct lit_lower *lower, struct supply *supply, enum lit_type type)
{
    const struct ast_value *value = supply->next;
    bool faulty = false;
    if (!value || value->list)
        return 0;
    int64_t result = initial_value(lower, value, type, &faulty);
    if (!supply->fills || faulty)
        supply->next = value->next;
    return result;
}

static void lay_out_element(struct lit_lower *lower, const struct lit_symbol *symbol,
                            struct supply *supply, const char *name, struct lit_location *at)
{
    for (uint32_t i = 0; i < symbol->size; i++, at++) {
        const struct lit_field *field = symbol->structure ? &symbol->structure->fields[i] : NULL;
        bool row = field && symbol->structure->row;
        at->name =
            field ? arena_printf(lower->arena, row ? "%s%s" : "%s.%s", name, field->name) : name;
        at->type = lit_declare_type_of(symbol, i);
        at->spaces = symbol->spaces;
        at->nvm = symbol->nvm;
        at->tags = symbol->tags;
        at->hidden = symbol->hidden;
        at->exchanged = symbol->exchanged;
        at->atomic = field && !row ? field->atomic : symbol->atomic;
        at->init = take_value(lower, supply, at->type);
        at->span = symbol->init ? symbol->span : (struct span){0};
    }
}

static void lay_out(struct lit_lower *lower, struct lit_symbol *symbol,
                    struct lit_location *locations)
{
    const struct ast_init *init = symbol->init;
    struct supply all = {init ? init->values.first : NULL, init && !init->list};
    for (uint32_t i = 0; i < symbol->count; i++) {
        const char *name =
            symbol->array ? arena_printf(lower->arena, "%s[%u]", symbol->name, i) : symbol->name;
        struct lit_location *at = &locations[symbol->first + i * symbol->size];
        if (all.next && all.next->list) {
            struct supply one = {all.next->values.first, false};
            lay_out_element(lower, symbol, &one, name, at);
            all.next = all.next->next;
        } else {
            lay_out_element(lower, symbol, &all, name, at);
        }
    }
}

/* Gives accesses to a location the space and kind that their thread's parameter says. */
static void view(const struct lit_symbol *symbol, const struct ast_param *param,
                 struct lit_instr *code, uint32_t count)
{
    uint32_t spaces = spaces_of(&param->specs), last = symbol->first + symbol->count * symbol->size;
    bool nonatomic = !named_structure(symbol) && !symbol->always_atomic && symbol->atomic &&
                     !(param->specs.bits & AST_ATOMIC);
    if (!nonatomic && (!spaces || spaces == symbol->spaces))
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (!code[i].addr.count || code[i].addr.first < symbol->first || code[i].addr.first >= last)
            continue;
        code[i].nonatomic |= nonatomic;
        code[i].spaces = spaces ? spaces : code[i].spaces;
    }
}

void lit_declare_views(const struct lit_lower *lower, const struct ast_thread *thread,
                       struct lit_instr *code, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (code[i].addr.count) {
            const struct lit_location *at = &lower->program->locations[code[i].addr.first];
            code[i].spaces = at->spaces;
            code[i].nonatomic = !at->atomic;
        }
    for (const struct ast_param *param = thread->params.first; param; param = param->next) {
        const struct lit_symbol *symbol = lit_declare_find(lower, param->name.text);
        if (symbol)
            view(symbol, param, code, count);
    }
}

static void declare_launches(struct lit_lower *lower)
{
    lit_launch_declare(lower);
    lower->in_recovery = true;
    lit_launch_declare(lower);
    lower->in_recovery = false;
}

void lit_declare_locations(struct lit_lower *lower)
{
    const struct ast_test *test = lower->test;
    for (const struct ast_init *init = test->inits.first; init; init = init->next)
        if (init->thread != AST_NO_THREAD)
            check_register(lower, init);
        else if (lower->symbols.count <= LIT_MAX_LOCATIONS)
            declare_init(lower, init);
    if (test->dialect->declare)
        test->dialect->declare(lower);
    declare_params(lower, &test->threads);
    for (size_t i = 0; i < lower->symbols.count; i++)
        lower->symbols.items[i].kinds = 0; /* recovery is another program */
    declare_params(lower, &test->recovery);
    declare_launches(lower);
    uint32_t count = 0;
    for (size_t i = 0; i < lower->symbols.count; i++) {
        struct lit_symbol *symbol = &lower->symbols.items[i];
        if (count + symbol->count * symbol->size > LIT_MAX_LOCATIONS) {
            LIT_FAULT(lower, DIAG_LIT_TOO_LARGE, symbol->span,
                      "this test has more than %d locations, counting elements of arrays",
                      LIT_MAX_LOCATIONS);
            lower->symbols.count = i;
            break;
        }
        symbol->first = count;
        count += symbol->count * symbol->size;
    }
    struct lit_location *locations = ARENA_ARRAY(lower->arena, struct lit_location, count);
    for (size_t i = 0; i < lower->symbols.count; i++)
        lay_out(lower, &lower->symbols.items[i], locations);
    lower->program->locations = locations;
    lower->program->location_count = count;
    lit_line_lower_all(lower, locations);
    lit_tagged_lower_all(lower, locations);
}
