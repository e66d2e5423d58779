/* What a word that is left open can be: by the call that it is an argument of, the braces or the
 * instruction of a table that it stands in. */
#include "sketch/sketch_tokens.h"

#include "litmus/lit_dialect.h"

#include <string.h>

/* ---- Arguments ---- */

static bool has_room(struct lit_scan *scan, struct lit_hole *hole, struct lit_word_room room)
{
    hole->may_be[LIT_OPEN_ORDER] = room.order;
    hole->may_be[LIT_OPEN_SCOPE] = room.scope;
    hole->may_be[LIT_OPEN_TAG] = room.tag;
    hole->vague = room.tag;
    hole->can[LIT_OPEN_ORDER] = sketch_orders(scan->holes->arena, room.orders);
    hole->can[LIT_OPEN_SCOPE] = sketch_scopes(scan->holes->arena);
    return room.order || room.scope || room.tag;
}

/* The argument of that number of a definition. */
static bool read_formal(struct lit_scan *scan, uint32_t at, const struct lit_definition *definition,
                        uint32_t number, struct lit_hole *hole)
{
    if (number < definition->count && definition->kinds[number] == LIT_FORMAL_WORD &&
        has_room(scan, hole, definition->rooms[number]))
        return true;
    if (number < definition->count)
        SCAN_FAULT(scan, at,
                   "found a hole in the place of '%s' of '%s'; a hole stands for a scope, a memory "
                   "order or a tag",
                   definition->formals[number], definition->name);
    else
        SCAN_FAULT(scan, at, "'%s' takes %u argument%s, and the hole would be one more",
                   definition->name, definition->count, definition->count == 1 ? "" : "s");
    return false;
}

static const struct lit_definition *definition_of(const struct lit_scan *scan, const char *name)
{
    const struct lit_definitions *all = scan->definitions;
    for (uint32_t i = all->count; i-- > 0;)
        if (strcmp(all->items[i]->name, name) == 0)
            return all->items[i];
    return NULL;
}

/* Of what is not known here: a definition of another file, or of one that has faults. */
static bool read_unknown(struct lit_scan *scan, uint32_t at, const char *name,
                         struct lit_hole *hole)
{
    static const struct lit_word_room any = {true, true, true, LIT_ORDERS_ANY};
    if (scan->blind)
        return has_room(scan, hole, any);
    SCAN_FAULT(scan, at, "found a hole in what '%s' takes, and there is no such name here", name);
    return false;
}

static bool read_call(struct lit_scan *scan, uint32_t at, const struct lit_bracket *in, bool method,
                      const struct lit_call *call, struct lit_hole *hole)
{
    const char *text = lit_scan_text(scan, in->token - 1);
    struct lit_word_room room = lit_word_room(call, method, in->orders, in->scope);
    bool placed = lit_instruction_is(call->instr, LIT_PLACED);
    if (in->commas < lit_word_first(call, method))
        SCAN_FAULT(
            scan, at,
            "found a hole in the place of a value of '%s'; a hole stands for a scope, a memory "
            "order or a tag",
            text);
    else if (!call->ordered && (placed || call->scoped == LIT_CALL_FIXED))
        SCAN_FAULT(scan, at, "'%s' takes neither a memory order nor a scope%s", text,
                   placed ? "; the form with both ends in _explicit" : "");
    else if (!has_room(scan, hole, room))
        SCAN_FAULT(scan, at,
                   "'%s' takes no word here; its memory order and its scope stand before it", text);
    else
        return true;
    return false;
}

/* An argument in parentheses. */
static bool read_argument(struct lit_scan *scan, uint32_t at, const struct lit_bracket *in,
                          struct lit_hole *hole)
{
    uint32_t name = in->token - 1;
    bool method = name > 0 && lit_scan_mark(scan, name - 1) == '.';
    const char *text = lit_scan_text(scan, name);
    const struct lit_definition *definition = method ? NULL : definition_of(scan, text);
    const struct lit_call *call = method ? lit_word_method(text) : lit_word_function(text);
    if (definition)
        return read_formal(scan, at, definition, in->commas, hole);
    if (call)
        return read_call(scan, at, in, method, call, hole);
    return read_unknown(scan, at, text, hole);
}

/* A word in the braces of a primitive. Without an order it may have none, and the comma goes too.
 */
static bool read_tag(struct lit_scan *scan, uint32_t at, const struct lit_bracket *in,
                     struct lit_hole *hole)
{
    const char *name = lit_scan_text(scan, in->token - 1);
    bool load = strcmp(name, "__load") == 0, store = strcmp(name, "__store") == 0;
    bool plain = load || store || strcmp(name, "__fence") == 0 || strcmp(name, "__cm") == 0;
    struct lit_word_room room = {true, true, true,
                                 load    ? LIT_ORDERS_READ
                                 : store ? LIT_ORDERS_WRITE
                                         : LIT_ORDERS_ANY};
    room.orders |= plain ? LIT_ORDER_BIT(NA) : 0;
    hole->wide_begin = lit_scan_token(scan, at)->begin;
    hole->wide_end = lit_scan_token(scan, at)->end;
    if (lit_scan_mark(scan, at - 1) == ',')
        hole->wide_begin = lit_scan_token(scan, at - 1)->begin;
    else if (lit_scan_mark(scan, at + 1) == ',' && !lit_scan_token(scan, at + 2)->hole)
        hole->wide_end = lit_scan_token(scan, at + 1)->end;
    return has_room(scan, hole, room);
}

/* ---- Words of tables ---- */

/* A qualifier of an instruction: `fence.?o.?s`. */
static bool read_qualifier(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    uint32_t first = at, number = 0;
    for (; lit_scan_adjoins(scan, first) &&
           (lit_scan_mark(scan, first) == '.' || lit_scan_mark(scan, first - 1) == '.');
         first--)
        number += lit_scan_mark(scan, first) == '.';
    const char *word = lit_scan_text(scan, first);
    for (const char *c = word; *c; c++)
        number += *c == '.';
    const char *base = arena_strndup(scan->holes->arena, word, strcspn(word, "."));
    bool last = lit_scan_mark(scan, at + 1) != '.' || !lit_scan_adjoins(scan, at + 1), order;
    const struct lit_qualifier *list = scan->dialect->qualifiers(base, number, last, &order);
    if (!list) {
        SCAN_FAULT(scan, at, "'%s' has neither a memory order nor a scope here", base);
        return false;
    }
    struct sketch_open_value *values = ARENA_ARRAY(scan->holes->arena, struct sketch_open_value, 8);
    uint32_t count = 0;
    for (; list->text; list++)
        values[count++] = (struct sketch_open_value){
            .text = list->text, .label = list->text, .meaning = list->value};
    sketch_sort(values, count);
    enum sketch_open_kind kind = order ? LIT_OPEN_ORDER : LIT_OPEN_SCOPE;
    hole->can[kind] = (struct sketch_open_values){values, count};
    return hole->may_be[kind] = true;
}

/* An operand, which only definitions have words among. */
static bool read_operand(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    const char *name = lit_scan_text(scan, scan->cell);
    const struct lit_definition *definition = definition_of(scan, name);
    uint32_t number = 0;
    if (!definition)
        return read_unknown(scan, at, name, hole);
    for (uint32_t i = scan->cell; i < at; i++)
        number += lit_scan_mark(scan, i) == ',';
    if (definition->value && number == 0) {
        SCAN_FAULT(scan, at,
                   "found a hole in the place of the register that '%s' gives its value to", name);
        return false;
    }
    return read_formal(scan, at, definition, number - (definition->value != NULL), hole);
}

/* ---- Any of them ---- */

bool lit_scan_word(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    const struct lit_bracket *in = scan->open.count ? &VEC_LAST(&scan->open) : NULL;
    char before = at ? lit_scan_mark(scan, at - 1) : '\0';
    if (hole->table && before == '.')
        return read_qualifier(scan, at, hole);
    if (hole->table && (!in || in->hole != LIT_NONE) && at > scan->cell &&
        (before == ',' || at == scan->cell + 1))
        return read_operand(scan, at, hole);
    if (in && in->tags && (before == '{' || before == ','))
        return read_tag(scan, at, in, hole);
    if (in && lit_scan_mark(scan, in->token) == '(' && in->token > 0 &&
        (before == '(' || before == ','))
        return read_argument(scan, at, in, hole);
    SCAN_FAULT(
        scan, at,
        "found a hole that stands for nothing; expected it in the place of a scope, a memory "
        "order or a tag, or as ?{ statement; } or ?slot;");
    return false;
}

/* ---- Words so far ---- */

static enum lit_word_class class_of(const struct lit_scan *scan, uint32_t at)
{
    uint32_t ignored;
    return lit_word_class(lit_scan_text(scan, at), &ignored);
}

/* What a hole is, as far as it itself tells: by its limits, or as nothing else can stand there. */
static enum lit_word_class hole_class(const struct lit_holes *holes)
{
    const struct lit_hole *hole = holes->items.count ? &VEC_LAST(&holes->items) : NULL;
    if (!hole || !hole->is_word)
        return LIT_WORD_OTHER;
    if (hole->list_count && hole->may_be[LIT_OPEN_SCOPE] &&
        sketch_kind(hole->list[0]) == LIT_OPEN_SCOPE)
        return LIT_WORD_SCOPE;
    return hole->may_be[LIT_OPEN_ORDER] ? LIT_WORD_ORDER : LIT_WORD_SCOPE;
}

/* A parameter of a definition stands for the first kind of word that there is room for. */
static enum lit_word_class formal_class(const struct lit_scan *scan, const struct lit_bracket *in)
{
    bool method = in->token > 1 && lit_scan_mark(scan, in->token - 2) == '.';
    const char *name = lit_scan_text(scan, in->token - 1);
    const struct lit_call *call = method ? lit_word_method(name) : lit_word_function(name);
    if (!call || in->commas < lit_word_first(call, method))
        return LIT_WORD_OTHER;
    return lit_word_room(call, method, in->orders, in->scope).order ? LIT_WORD_ORDER
                                                                    : LIT_WORD_SCOPE;
}

void lit_scan_argument(struct lit_scan *scan, uint32_t at)
{
    struct lit_bracket *in = &VEC_LAST(&scan->open);
    enum lit_word_class kind = LIT_WORD_OTHER;
    if (in->first + 1 == at && lit_scan_token(scan, in->first)->hole)
        kind = hole_class(scan->holes);
    else if (in->first + 1 == at)
        kind = class_of(scan, in->first);
    if (kind == LIT_WORD_OTHER && in->first + 1 == at && in->token > 0 &&
        reach_ends(scan->source->path, REACH_DEFINITIONS))
        kind = formal_class(scan, in);
    in->orders += kind == LIT_WORD_ORDER;
    in->scope |= kind == LIT_WORD_SCOPE;
    in->commas++;
    in->first = at + 1;
}
