/* Places: what an lvalue or an address names, elements of arrays and members of structures; and what
 * `sizeof` says of them. */
#include "litmus/lit_lower.h"

#include "litmus/lit_words.h"

static bool declares(const struct ast_stmt *stmt, const char *name)
{
    for (; stmt; stmt = stmt->next)
        if ((stmt->kind == AST_S_DECL && stmt->name.text == name) ||
            declares(stmt->body.first, name) || declares(stmt->a, name) || declares(stmt->b, name))
            return true;
    return false;
}

/* Another work-item that declares a register of this name, or NULL. */
static const struct ast_thread *owner_of(const struct lit_lower *lower,
                                         const struct ast_threads *threads, const char *name)
{
    const struct ast_thread *thread = threads->first;
    while (thread && (thread == lower->thread || !declares(thread->body.first, name)))
        thread = thread->next;
    return thread;
}

/* Is it a register of another work-item, or of one before the crash? */
static bool report_elsewhere(struct lit_lower *lower, const struct ast_name *name)
{
    const struct ast_test *test = lower->test;
    const struct ast_threads *beside = lower->in_recovery ? &test->recovery : &test->threads;
    const struct ast_thread *owner = owner_of(lower, beside, name->text);
    if (owner)
        LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span,
                  "'%s' is a register of P%d, which %s cannot see; hand it over in a location, "
                  "which the initial block declares",
                  name->text, (int)owner->number, lower->thread_name);
    else if (lower->in_recovery && (owner = owner_of(lower, &test->threads, name->text)) != NULL)
        LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span,
                  "'%s' is a register of P%d, and a crash loses registers; store it to a location "
                  "that the initial block declares as nvm",
                  name->text, (int)owner->number);
    return owner != NULL;
}

static bool is_structure(const struct lit_lower *lower, const struct ast_name *name)
{
    return ANY(i, lower->structures.count, lower->structures.items[i]->name == name->text);
}

static void report_unknown(struct lit_lower *lower, const struct ast_name *name)
{
    if (lower->quiet)
        return;
    if (is_structure(lower, name)) { /* `node* nd`, a product to the grammar */
        LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span, "'%s' is a struct, and " LIT_NO_POINTERS,
                  name->text);
        return;
    }
    uint32_t ignored;
    if (lit_word_class(name->text, &ignored) != LIT_WORD_OTHER || lit_word_function(name->text)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, name->span, "'%s' is no value; it belongs in a call",
                  name->text);
        return;
    }
    if (lit_lower_errors(lower) < DIAG_MAX_KEPT && report_elsewhere(lower, name))
        return;
    VEC(const char *) names = {0};
    if (lit_lower_errors(lower) < DIAG_MAX_KEPT) {
        for (size_t i = 0; i < lower->locals.count; i++)
            VEC_PUSH(&names, lower->locals.items[i].name);
        for (size_t i = 0; i < lower->symbols.count; i++)
            VEC_PUSH(&names, lower->symbols.items[i].name);
        for (size_t i = 0; i < lower->constants.count; i++)
            VEC_PUSH(&names, lower->constants.items[i].name);
    }
    const char *near = diag_nearest(name->text, names.items, names.count), *meant;
    const char *advice = near ? NULL : lit_word_foreign_function(lower->arena, name->text, &meant);
    VEC_FREE(&names);
    if (advice) {
        LIT_FAULT(lower, DIAG_LIT_UNBOUND, name->span, "there is no '%s' here; %s", name->text,
                  advice);
        return;
    }
    if (!near && lit_lower_errors(lower) < DIAG_MAX_KEPT)
        near = lit_word_nearest_call(name->text, false);
    LIT_FAULT(
        lower, DIAG_LIT_UNBOUND, name->span,
        near ? "'%s' is no register of %s and no location; did you mean '%s'?"
             : "'%s' is no register of %s and no location; declare a register where it begins, "
               "as in 'int %s = 0;', a location in the initial block",
        name->text, lower->thread_name, near ? near : name->text);
    diag_meant_by(lower->diag, name->span, name->text, near);
}

/* An address before it is a place: an element of a symbol, or a member of one. */
struct pointer {
    const struct lit_symbol *symbol;
    const struct lit_expr *index; /* NULL: 0 */
    uint32_t member;              /* LIT_NONE: the whole element */
    const struct lit_expr *inner; /* into a row, or into a member that is an array; NULL: none */
    struct span span;
    uint32_t begin; /* of the code that evaluates it */
};

static bool pointer_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer);

static bool pointer_of_name(struct lit_lower *lower, const struct ast_name *name,
                            struct pointer *pointer)
{
    if (lit_thread_find_local(lower, name->text)) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, name->span,
                  "'%s' is a register of %s and has no address; expected a location", name->text,
                  lower->thread_name);
        return false;
    }
    pointer->symbol = lit_declare_find(lower, name->text);
    if (!pointer->symbol && lit_define_find(lower, name->text))
        LIT_FAULT(lower, DIAG_LIT_CONSTANT, name->span,
                  "'%s' is a constant: it cannot be assigned and has no address", name->text);
    else if (!pointer->symbol)
        report_unknown(lower, name);
    else
        lit_mistake_undeclared(lower, name);
    return pointer->symbol != NULL;
}

/* The index, further by the value of `by`. NULL: 0 */
static const struct lit_expr *add_to(struct lit_lower *lower, const struct pointer *pointer,
                                     const struct lit_expr *index, const struct ast_expr *by)
{
    const struct lit_expr *held = index ? lit_evaluate_hold(lower, index, by) : NULL;
    uint32_t middle = lit_thread_here(lower);
    const struct lit_expr *more = lit_evaluate(lower, by);
    lit_evaluate_unsequenced(lower, pointer->begin, middle);
    return held ? lit_evaluate_apply(lower, LIT_OP_ADD, held, more) : more;
}

/* `a[i][j]`, `n.old[j]`, and within the row `&a[i][j] + k` */
static bool enter(struct lit_lower *lower, struct pointer *pointer, const struct ast_expr *by)
{
    if (pointer->index)
        pointer->index = lit_evaluate_hold(lower, pointer->index, by);
    pointer->inner = add_to(lower, pointer, pointer->inner, by);
    return true;
}

static bool has_elements(const struct pointer *pointer)
{
    const struct lit_structure *structure = pointer->symbol->structure;
    return pointer->inner ||
           (pointer->member != LIT_NONE && structure->fields[pointer->member].elements);
}

/* Moves a pointer by the value of `by`. */
static bool move(struct lit_lower *lower, struct pointer *pointer, const struct ast_expr *by)
{
    if (has_elements(pointer))
        return enter(lower, pointer, by);
    if (pointer->member != LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, by->span,
                  "a member has no elements; the index stands before it, as in '%s[i].%s'",
                  pointer->symbol->name, pointer->symbol->structure->fields[pointer->member].name);
        return false;
    }
    pointer->index = add_to(lower, pointer, pointer->index, by);
    return true;
}

static bool address_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer);

/* `a.m` of a structure, `p->m` of an address. */
static bool address_of_member(struct lit_lower *lower, const struct ast_expr *expr,
                              struct pointer *pointer)
{
    const struct ast_expr *object = expr->a;
    if (!(expr->arrow ? pointer_of : address_of)(lower, object, pointer))
        return false;
    if (pointer->member != LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, expr->name.span, "a member has no members");
        return false;
    }
    if (!expr->arrow && object->kind == AST_NAME && pointer->symbol->array) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, object->span,
                  "'%s' is an array of %u elements; say which: '%s[0].%s'", object->name.text,
                  pointer->symbol->count, object->name.text, expr->name.text);
        return false;
    }
    pointer->member = lit_define_member(lower, pointer->symbol, &expr->name);
    return pointer->member != LIT_NONE;
}

/* `a[i]`, `a[i][j]`, `n.old[j]` */
static bool address_of_element(struct lit_lower *lower, const struct ast_expr *expr,
                               struct pointer *pointer)
{
    const struct ast_expr *a = expr->a;
    if (a->kind == AST_MEMBER)
        return address_of(lower, a, pointer) && move(lower, pointer, expr->b);
    if (a->kind != AST_INDEX)
        return pointer_of(lower, a, pointer) && move(lower, pointer, expr->b);
    if (!address_of(lower, a, pointer))
        return false;
    const struct lit_structure *structure = pointer->symbol->structure;
    if (structure && structure->row && !pointer->inner)
        return enter(lower, pointer, expr->b);
    LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span, "'%s' has not so many dimensions",
              pointer->symbol->name);
    return false;
}

/* The address of what an lvalue names. */
static bool address_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer)
{
    switch (expr->kind) {
    case AST_NAME: return pointer_of_name(lower, &expr->name, pointer);
    case AST_DEREF: return pointer_of(lower, expr->a, pointer);
    case AST_INDEX: return address_of_element(lower, expr, pointer);
    case AST_MEMBER: return address_of_member(lower, expr, pointer);
    default:
        if (expr->kind == AST_BINARY && expr->a->kind == AST_NAME &&
            is_structure(lower, &expr->a->name))
            report_unknown(lower, &expr->a->name);
        else if (!lit_mistake_semicolon(lower, expr))
            LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
                      "this value has no address; expected a location, '*p', 'a[i]' or 'a.m'");
        return false;
    }
}

static bool report_no_address(struct lit_lower *lower, const struct ast_expr *expr)
{
    LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
              expr->tags.count
                  ? "only primitive instructions have tags in braces; a store with a tag is "
                    "written as __store{nt}(x, 1), a load as __load{nt}(x)"
                  : "expected an address: a parameter 'x', '&x', '&a[i]' or 'a + i'");
    return false;
}

/* `p + i + j` */
static bool pointer_of_sum(struct lit_lower *lower, const struct ast_expr *expr,
                           struct pointer *pointer)
{
    uint32_t count;
    const struct ast_expr *const *links = ast_chain(lower->arena, expr, &count);
    for (uint32_t i = 0; i < count; i++)
        if (links[i]->op != LIT_OP_ADD)
            return report_no_address(lower, links[i]);
    if (!pointer_of(lower, links[0]->a, pointer))
        return false;
    for (uint32_t i = 0; i < count && !lower->too_large; i++) {
        if (pointer->index)
            pointer->index = lit_evaluate_cut(lower, pointer->index, i, links[i]->b->span);
        if (pointer->inner)
            pointer->inner = lit_evaluate_cut(lower, pointer->inner, i, links[i]->b->span);
        if (!move(lower, pointer, links[i]->b))
            return false;
    }
    return true;
}

/* A row `a[i]`, or a member `n.old` that is an array: the address of its first element. */
static bool pointer_of_array(struct lit_lower *lower, const struct ast_expr *expr,
                             struct pointer *pointer)
{
    if (!address_of(lower, expr, pointer))
        return false;
    const struct lit_structure *structure = pointer->symbol->structure;
    if (pointer->inner || !((structure && structure->row) || has_elements(pointer)))
        return report_no_address(lower, expr);
    pointer->inner = lit_evaluate_const(lower, LIT_LONG, 0);
    return true;
}

static bool pointer_of(struct lit_lower *lower, const struct ast_expr *expr,
                       struct pointer *pointer)
{
    switch (expr->kind) {
    case AST_NAME: return pointer_of_name(lower, &expr->name, pointer);
    case AST_INDEX:
    case AST_MEMBER: return pointer_of_array(lower, expr, pointer);
    case AST_ADDRESS: return address_of(lower, expr->a, pointer);
    case AST_BINARY:
        if (expr->op == LIT_OP_ADD)
            return pointer_of_sum(lower, expr, pointer);
        break;
    default: break;
    }
    return report_no_address(lower, expr);
}

static void report_index(struct lit_lower *lower, const struct pointer *pointer)
{
    const struct lit_symbol *symbol = pointer->symbol;
    if (symbol->unsized)
        return;
    SCOPED(strbuf) text = {0};
    lit_value_print(pointer->index->type, pointer->index->value, &text);
    if (symbol->array)
        LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                  "element %s of '%s' is out of range; it has elements 0 to %u", strbuf_text(&text),
                  symbol->name, symbol->count - 1);
    else
        LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                  "element %s of '%s' is out of range; it is no array", strbuf_text(&text),
                  symbol->name);
}

/* An element that is chosen when the program runs, of a row or a member. An index that is out of its
 * own range is one out of all. */
static bool place_within(struct lit_lower *lower, const struct pointer *pointer, uint32_t elements,
                         struct lit_place *place)
{
    const struct lit_symbol *symbol = pointer->symbol;
    const struct lit_expr *inner = lit_evaluate_cast(lower, LIT_LONG, pointer->inner),
                          *index = pointer->index;
    const struct lit_expr *good =
        lit_evaluate_apply(lower, LIT_OP_LT, lit_evaluate_cast(lower, LIT_ULONG, pointer->inner),
                           lit_evaluate_const(lower, LIT_ULONG, elements));
    uint32_t count = elements;
    if (index && index->op == LIT_OP_CONST) {
        if ((uint64_t)index->value >= symbol->count) {
            report_index(lower, pointer);
            return false;
        }
        place->addr.first += (uint32_t)index->value * symbol->size;
    } else if (index) {
        const struct lit_expr *in_range =
            lit_evaluate_apply(lower, LIT_OP_LT, lit_evaluate_cast(lower, LIT_ULONG, index),
                               lit_evaluate_const(lower, LIT_ULONG, symbol->count));
        good = lit_evaluate_apply(lower, LIT_OP_AND, good, in_range);
        inner = lit_evaluate_apply(
            lower, LIT_OP_ADD, inner,
            lit_evaluate_apply(lower, LIT_OP_MUL, lit_evaluate_cast(lower, LIT_LONG, index),
                               lit_evaluate_const(lower, LIT_LONG, symbol->size)));
        count += (symbol->count - 1) * symbol->size;
    }
    const struct lit_expr *none = lit_evaluate_const(lower, LIT_LONG, -1);
    place->addr = (struct lit_address){place->addr.first, count, 1,
                                       lit_evaluate_select(lower, good, inner, none)};
    return true;
}

static bool place_of_pointer(struct lit_lower *lower, const struct pointer *pointer,
                             struct lit_place *place)
{
    const struct lit_symbol *symbol = pointer->symbol;
    const struct lit_expr *index = pointer->index;
    uint32_t member = pointer->member == LIT_NONE ? 0 : pointer->member;
    const struct lit_field *field = symbol->structure ? &symbol->structure->fields[member] : NULL;
    uint32_t elements = field ? field->elements : 0;
    bool row = symbol->structure && symbol->structure->row;
    if (elements && (row || pointer->member != LIT_NONE) && !pointer->inner) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, pointer->span,
                  "this is an array of %u elements; say which, as in '%s%s%s[0]'", elements,
                  symbol->name, row ? "[0]" : ".", row ? "" : field->base);
        return false;
    }
    if (pointer->inner && pointer->inner->op == LIT_OP_CONST) {
        if ((uint64_t)pointer->inner->value >= elements) {
            LIT_FAULT(lower, DIAG_LIT_INDEX, pointer->span,
                      "this element is out of range; there are elements 0 to %u", elements - 1);
            return false;
        }
        member += (uint32_t)pointer->inner->value;
    }
    uint32_t first = symbol->first + member;
    if (symbol->structure && !row && pointer->member == LIT_NONE) {
        LIT_FAULT(lower, DIAG_LIT_STRUCT, pointer->span,
                  "this is all of a struct '%s'; say which member, such as '.%s'",
                  symbol->structure->name, symbol->structure->fields[0].name);
        return false;
    }
    *place = (struct lit_place){
        .type = lit_declare_type_of(symbol, member),
        .addr = {first, 1, symbol->size, NULL},
        .operators =
            symbol->structure ? symbol->structure->fields[member].operators : symbol->operators,
        .symbol = symbol,
        .field = symbol->structure && !row ? &symbol->structure->fields[member] : NULL};
    if (pointer->inner && pointer->inner->op != LIT_OP_CONST)
        return place_within(lower, pointer, elements, place);
    if (!index)
        return true;
    if (index->op != LIT_OP_CONST) {
        place->addr = (struct lit_address){first, symbol->count, symbol->size, index};
        return true;
    }
    uint64_t element = (uint64_t)index->value;
    if (element >= symbol->count) {
        report_index(lower, pointer);
        return false;
    }
    place->addr.first += (uint32_t)element * symbol->size;
    return true;
}

bool lit_place_pointed(struct lit_lower *lower, const struct ast_expr *expr,
                       struct lit_place *place)
{
    struct pointer pointer = {
        .member = LIT_NONE, .span = expr->span, .begin = lit_thread_here(lower)};
    return pointer_of(lower, expr, &pointer) && place_of_pointer(lower, &pointer, place);
}

bool lit_place_is_pointer(const struct lit_lower *lower, const struct ast_expr *expr)
{
    while (expr->kind == AST_BINARY && expr->op == LIT_OP_ADD)
        expr = expr->a;
    if (expr->kind == AST_ADDRESS)
        return true;
    return expr->kind == AST_NAME && !lit_thread_find_local(lower, expr->name.text) &&
           lit_declare_find(lower, expr->name.text);
}

bool lit_place_find(struct lit_lower *lower, const struct ast_expr *expr, struct lit_place *place)
{
    const struct lit_local *local =
        expr->kind == AST_NAME ? lit_thread_find_local(lower, expr->name.text) : NULL;
    if (local) {
        *place = (struct lit_place){.is_register = true,
                                    .reg = local->reg,
                                    .type = lower->registers.items[local->reg].type};
        return true;
    }
    struct pointer pointer = {
        .member = LIT_NONE, .span = expr->span, .begin = lit_thread_here(lower)};
    if (!address_of(lower, expr, &pointer))
        return false;
    if (expr->kind == AST_NAME && pointer.symbol->array) {
        LIT_FAULT(lower, DIAG_LIT_TYPE, expr->span,
                  "'%s' is an array of %u elements; say which: '%s[0]'", expr->name.text,
                  pointer.symbol->count, expr->name.text);
        return false;
    }
    return place_of_pointer(lower, &pointer, place);
}

/* ---- sizeof ---- */

static bool is_parameter(const struct lit_lower *lower, const char *name)
{
    const struct ast_param *param = lower->thread->params.first;
    while (param && param->name.text != name)
        param = param->next;
    return param != NULL;
}

/* Of all that a name of the initial block stands for. */
static const struct lit_expr *size_of_symbol(struct lit_lower *lower, const struct ast_name *name,
                                             const struct lit_symbol *symbol)
{
    if (is_parameter(lower, name->text))
        LIT_FAULT(
            lower, DIAG_LIT_TYPE, name->span,
            "'%s' is a parameter, of which C has the size of a pointer; write the type, as in "
            "'sizeof(int)', or 'sizeof(*%s)'",
            name->text, name->text);
    return lit_evaluate_const(lower, LIT_ULONG,
                              (int64_t)lit_define_element_size(symbol) * symbol->count);
}

/* What stands behind `sizeof` is not evaluated (C11 6.5.3.4). */
const struct lit_expr *lit_place_size(struct lit_lower *lower, const struct ast_expr *expr)
{
    const struct ast_expr *of = expr->a;
    const struct lit_expr *known = of ? NULL : lit_define_type_size(lower, expr);
    if (!of)
        return known ? known : lit_evaluate_const(lower, LIT_INT, 0);
    const struct lit_symbol *symbol =
        of->kind == AST_NAME && !lit_thread_find_local(lower, of->name.text)
            ? lit_declare_find(lower, of->name.text)
            : NULL;
    if (symbol)
        return size_of_symbol(lower, &of->name, symbol);
    uint32_t code = lit_thread_here(lower), registers = (uint32_t)lower->registers.count, bytes;
    struct pointer pointer = {
        .member = LIT_NONE, .span = of->span, .begin = lit_thread_here(lower)};
    bool element =
        (of->kind == AST_DEREF || of->kind == AST_INDEX) && address_of(lower, of, &pointer);
    const struct lit_structure *whole = element ? pointer.symbol->structure : NULL;
    if (whole && whole->row && !pointer.inner)
        bytes = pointer.symbol->size * lit_define_size(pointer.symbol->type);
    else if (whole && !whole->row && pointer.member == LIT_NONE)
        bytes = lit_define_structure_size(whole);
    else
        bytes = lit_define_size(lit_evaluate(lower, of)->type);
    lower->code.count = code;
    lower->registers.count = registers;
    return lit_evaluate_const(lower, LIT_ULONG, bytes);
}
