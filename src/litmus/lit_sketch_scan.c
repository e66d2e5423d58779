/* The lexer of tests gives the tokens, so comments, strings and titles are what they are anywhere.
 * Over them goes a stack of open brackets, each of which knows the words so far between its commas:
 * so the place of a hole among the arguments of a call tells what it can be. */
#include "litmus/lit_sketch_scan.h"

#include "litmus/lit_ptx.h"
#include "litmus/lit_syntax.h"

#include <string.h>

enum { MOST_TOKENS = 1 << 19 };

/* A bracket that is open, and what stands before its current comma. */
struct bracket {
    uint32_t token, first; /* its own, and the first behind the last comma */
    uint32_t commas, orders;
    bool scope, tags;
    uint32_t hole; /* of `?{`, or LIT_NONE */
};

struct scan {
    struct lit_holes *holes;
    const struct source *source;
    uint32_t file;
    const struct lit_definitions *definitions;
    bool blind;    /* there may be others */
    uint32_t cell; /* of a table: the token that it begins with, behind a label */
    VEC(struct lit_token) tokens;
    VEC(struct bracket) open;
};

/* ---- Tokens ---- */

static void keep(void *context, const struct lit_token *token)
{
    struct scan *scan = context;
    if (scan->tokens.count <= MOST_TOKENS)
        VEC_PUSH(&scan->tokens, *token);
}

static const struct lit_token *token_at(const struct scan *scan, uint32_t at)
{
    static const struct lit_token none;
    return at < scan->tokens.count ? &scan->tokens.items[at] : &none;
}

static bool is(const struct scan *scan, uint32_t at, const char *text)
{
    const struct lit_token *token = token_at(scan, at);
    size_t length = token->end - token->begin;
    return length && strlen(text) == length &&
           memcmp(scan->source->text + token->begin, text, length) == 0;
}

/* The character that it is alone, or 0. */
static char mark(const struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    return token->end - token->begin == 1 ? scan->source->text[token->begin] : '\0';
}

static const char *text_of(const struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    return arena_strndup(scan->holes->arena, scan->source->text + token->begin,
                         token->end - token->begin);
}

/* Does it stand right behind the one before it? */
static bool adjoins(const struct scan *scan, uint32_t at)
{
    return at > 0 && token_at(scan, at - 1)->end == token_at(scan, at)->begin;
}

static struct span span_of(const struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    uint32_t line = token->line, column = token->column;
    return source_advance(scan->source, &line, &column, scan->source->text + token->begin,
                          token->end - token->begin);
}

#define FAULT(scan, at, ...) \
    diag_error((scan)->holes->diag, DIAG_LIT_HOLE, span_of(scan, at), __VA_ARGS__)

/* ---- The text of a hole: ?name:of in {words} ---- */

static size_t name_length(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
}

/* A statement of its own (`?slot`) tells its kind. */
static void read_text(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    const char *text = text_of(scan, at), *list = strchr(text, '{');
    size_t length = name_length(text + 1);
    const char *name = arena_strndup(scan->holes->arena, text + 1, length);
    hole->name = length ? name : NULL;
    if (list)
        hole->list =
            lit_sketch_split(scan->holes->arena, list + 1, strrchr(text, '}'), &hole->list_count);
    for (uint32_t i = 0; i < hole->list_count; i++)
        if (!hole->list[i][0])
            FAULT(scan, at, "found no word in the limits of a hole; expected as in ?s in {wi, wg}");
    bool slot = strcmp(name, "slot") == 0;
    const char *second = text[1 + length] == ':' ? text + 2 + length : NULL;
    hole->kind = slot ? LIT_OPEN_SLOT : LIT_OPEN_SCOPE;
    hole->is_word = !slot;
    if (slot)
        hole->name = second ? arena_strndup(scan->holes->arena, second, name_length(second)) : NULL;
    else if (second)
        FAULT(scan, at, "found ':' in a hole; only a slot has a name behind it, as in ?slot:a");
}

/* ---- Words: what an argument can be ---- */

static bool has_room(struct scan *scan, struct lit_hole *hole, struct lit_word_room room)
{
    hole->may_be[LIT_OPEN_ORDER] = room.order;
    hole->may_be[LIT_OPEN_SCOPE] = room.scope;
    hole->may_be[LIT_OPEN_TAG] = room.tag;
    hole->vague = room.tag;
    hole->can[LIT_OPEN_ORDER] = lit_sketch_orders(scan->holes->arena, room.orders);
    hole->can[LIT_OPEN_SCOPE] = lit_sketch_scopes(scan->holes->arena);
    return room.order || room.scope || room.tag;
}

/* The argument of that number of a definition. */
static bool read_formal(struct scan *scan, uint32_t at, const struct lit_definition *definition,
                        uint32_t number, struct lit_hole *hole)
{
    if (number < definition->count && definition->kinds[number] == LIT_FORMAL_WORD &&
        has_room(scan, hole, definition->rooms[number]))
        return true;
    if (number < definition->count)
        FAULT(scan, at,
              "found a hole in the place of '%s' of '%s'; a hole stands for a scope, a memory "
              "order or a tag",
              definition->formals[number], definition->name);
    else
        FAULT(scan, at, "'%s' takes %u argument%s, and the hole would be one more",
              definition->name, definition->count, definition->count == 1 ? "" : "s");
    return false;
}

static const struct lit_definition *definition_of(const struct scan *scan, const char *name)
{
    const struct lit_definitions *all = scan->definitions;
    for (uint32_t i = all->count; i-- > 0;)
        if (strcmp(all->items[i]->name, name) == 0)
            return all->items[i];
    return NULL;
}

/* Of what is not known here: a definition of another file, or of one that has faults. */
static bool read_unknown(struct scan *scan, uint32_t at, const char *name, struct lit_hole *hole)
{
    static const struct lit_word_room any = {true, true, true, LIT_ORDERS_ANY};
    if (scan->blind)
        return has_room(scan, hole, any);
    FAULT(scan, at, "found a hole in what '%s' takes, and there is no such name here", name);
    return false;
}

static bool read_call(struct scan *scan, uint32_t at, const struct bracket *in, bool method,
                      const struct lit_call *call, struct lit_hole *hole)
{
    const char *text = text_of(scan, in->token - 1);
    struct lit_word_room room = lit_word_room(call, method, in->orders, in->scope);
    bool placed = lit_instruction_is(call->instr, LIT_PLACED);
    if (in->commas < lit_word_first(call, method))
        FAULT(scan, at,
              "found a hole in the place of a value of '%s'; a hole stands for a scope, a memory "
              "order or a tag",
              text);
    else if (!call->ordered && (placed || call->scoped == LIT_CALL_FIXED))
        FAULT(scan, at, "'%s' takes neither a memory order nor a scope%s", text,
              placed ? "; the form with both ends in _explicit" : "");
    else if (!has_room(scan, hole, room))
        FAULT(scan, at, "'%s' takes no word here; its memory order and its scope stand before it",
              text);
    else
        return true;
    return false;
}

/* An argument in parentheses. */
static bool read_argument(struct scan *scan, uint32_t at, const struct bracket *in,
                          struct lit_hole *hole)
{
    uint32_t name = in->token - 1;
    bool method = name > 0 && mark(scan, name - 1) == '.';
    const char *text = text_of(scan, name);
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
static bool read_tag(struct scan *scan, uint32_t at, const struct bracket *in,
                     struct lit_hole *hole)
{
    const char *name = text_of(scan, in->token - 1);
    bool load = strcmp(name, "__load") == 0, store = strcmp(name, "__store") == 0;
    bool plain = load || store || strcmp(name, "__fence") == 0 || strcmp(name, "__cm") == 0;
    struct lit_word_room room = {true, true, true,
                                 load    ? LIT_ORDERS_READ
                                 : store ? LIT_ORDERS_WRITE
                                         : LIT_ORDERS_ANY};
    room.orders |= plain ? LIT_ORDER_BIT(NA) : 0;
    hole->wide_begin = token_at(scan, at)->begin;
    hole->wide_end = token_at(scan, at)->end;
    if (mark(scan, at - 1) == ',')
        hole->wide_begin = token_at(scan, at - 1)->begin;
    else if (mark(scan, at + 1) == ',' && !token_at(scan, at + 2)->hole)
        hole->wide_end = token_at(scan, at + 1)->end;
    return has_room(scan, hole, room);
}

/* ---- Words of tables ---- */

/* A qualifier of an instruction: `fence.?o.?s`. */
static bool read_qualifier(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    uint32_t first = at, number = 0;
    for (; adjoins(scan, first) && (mark(scan, first) == '.' || mark(scan, first - 1) == '.');
         first--)
        number += mark(scan, first) == '.';
    const char *word = text_of(scan, first);
    for (const char *c = word; *c; c++)
        number += *c == '.';
    const char *base = arena_strndup(scan->holes->arena, word, strcspn(word, "."));
    bool last = mark(scan, at + 1) != '.' || !adjoins(scan, at + 1), order;
    const struct lit_ptx_qualifier *list = lit_ptx_qualifiers(base, number, last, &order);
    if (!list) {
        FAULT(scan, at, "'%s' has neither a memory order nor a scope here", base);
        return false;
    }
    struct lit_open_value *values = ARENA_ARRAY(scan->holes->arena, struct lit_open_value, 8);
    uint32_t count = 0;
    for (; list->text; list++)
        values[count++] = (struct lit_open_value){list->text, list->text, list->value};
    lit_sketch_sort(values, count);
    enum lit_open_kind kind = order ? LIT_OPEN_ORDER : LIT_OPEN_SCOPE;
    hole->can[kind] = (struct lit_open_values){values, count};
    return hole->may_be[kind] = true;
}

/* An operand, which only definitions have words among. */
static bool read_operand(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    const char *name = text_of(scan, scan->cell);
    const struct lit_definition *definition = definition_of(scan, name);
    uint32_t number = 0;
    if (!definition)
        return read_unknown(scan, at, name, hole);
    for (uint32_t i = scan->cell; i < at; i++)
        number += mark(scan, i) == ',';
    if (definition->value && number == 0) {
        FAULT(scan, at, "found a hole in the place of the register that '%s' gives its value to",
              name);
        return false;
    }
    return read_formal(scan, at, definition, number - (definition->value != NULL), hole);
}

static enum lit_word_class class_of(const struct scan *scan, uint32_t at)
{
    uint32_t ignored;
    return lit_word_class(text_of(scan, at), &ignored);
}

/* What a hole is, as far as it itself tells: by its limits, or as nothing else can stand there. */
static enum lit_word_class hole_class(const struct lit_holes *holes)
{
    const struct lit_hole *hole = holes->items.count ? &VEC_LAST(&holes->items) : NULL;
    if (!hole || !hole->is_word)
        return LIT_WORD_OTHER;
    if (hole->list_count && hole->may_be[LIT_OPEN_SCOPE] &&
        lit_sketch_kind(hole->list[0]) == LIT_OPEN_SCOPE)
        return LIT_WORD_SCOPE;
    return hole->may_be[LIT_OPEN_ORDER] ? LIT_WORD_ORDER : LIT_WORD_SCOPE;
}

/* A comma: the argument before it may have been a word. */
static void note_argument(struct scan *scan, uint32_t at)
{
    struct bracket *in = &VEC_LAST(&scan->open);
    enum lit_word_class kind = LIT_WORD_OTHER;
    if (in->first + 1 == at)
        kind =
            token_at(scan, in->first)->hole ? hole_class(scan->holes) : class_of(scan, in->first);
    in->orders += kind == LIT_WORD_ORDER;
    in->scope |= kind == LIT_WORD_SCOPE;
    in->commas++;
    in->first = at + 1;
}

/* ---- Statements ---- */

/* Can a statement begin there? *only: alone, as that of an `if`. */
static bool begins_statement(const struct scan *scan, uint32_t at, bool *only)
{
    char before = at ? mark(scan, at - 1) : '\0';
    if (token_at(scan, at)->table)
        return scan->cell == at;
    if (!scan->open.count || VEC_LAST(&scan->open).tags ||
        mark(scan, VEC_LAST(&scan->open).token) != '{')
        return false;
    *only = before == ')' || before == ':' || is(scan, at - 1, "else") || is(scan, at - 1, "do");
    const char *text = scan->source->text + token_at(scan, at - 1)->begin;
    return *only || before == ';' || before == '{' || before == '}' || *text == '#' ||
           strncmp(text, "?slot", 5) == 0;
}

/* What is put there has its `;`, so one behind a slot goes. */
static bool read_statement(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    bool slot = hole->kind == LIT_OPEN_SLOT;
    if (!begins_statement(scan, at, &hole->only)) {
        FAULT(scan, at,
              "found '%s', which stands for a statement, in another one; expected it where a "
              "statement begins",
              slot ? "?slot" : "?{");
        return false;
    }
    if (!slot || hole->table)
        return true;
    if (mark(scan, at + 1) == ';')
        hole->place.end = token_at(scan, at + 1)->end;
    return true;
}

/* ---- Holes ---- */

static bool read_word(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    const struct bracket *in = scan->open.count ? &VEC_LAST(&scan->open) : NULL;
    char before = at ? mark(scan, at - 1) : '\0';
    if (hole->table && before == '.')
        return read_qualifier(scan, at, hole);
    if (hole->table && !in && at > scan->cell && (before == ',' || at == scan->cell + 1))
        return read_operand(scan, at, hole);
    if (in && in->tags && (before == '{' || before == ','))
        return read_tag(scan, at, in, hole);
    if (in && mark(scan, in->token) == '(' && in->token > 0 && (before == '(' || before == ','))
        return read_argument(scan, at, in, hole);
    FAULT(scan, at,
          "found a hole that stands for nothing; expected it in the place of a scope, a memory "
          "order or a tag, or as ?{ statement; } or ?slot;");
    return false;
}

static bool read_place(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    if (token_at(scan, at)->code)
        return hole->is_word ? read_word(scan, at, hole) : read_statement(scan, at, hole);
    FAULT(scan, at,
          "found a hole, and nothing can be left open here; holes stand in the text of "
          "work-items, of recovery and of definitions");
    return false;
}

static void add_hole(struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    struct lit_hole hole = {.kind = LIT_OPEN_SCOPE, .table = token->table};
    read_text(scan, at, &hole);
    hole.place = (struct lit_open_place){
        .file = scan->file, .begin = token->begin, .end = token->end, .span = span_of(scan, at)};
    if (mark(scan, at + 1) == '{' && adjoins(scan, at + 1) && !hole.list) {
        hole.kind = LIT_OPEN_PRESENCE;
        hole.is_word = false;
    }
    if (read_place(scan, at, &hole))
        VEC_PUSH(&scan->holes->items, hole);
}

static void open_bracket(struct scan *scan, uint32_t at)
{
    struct bracket bracket = {.token = at, .first = at + 1, .hole = LIT_NONE};
    const struct lit_token *before = token_at(scan, at - 1);
    bracket.tags = adjoins(scan, at) && mark(scan, at) == '{' && before->code &&
                   strncmp(scan->source->text + before->begin, "__", 2) == 0;
    if (at > 0 && before->hole && adjoins(scan, at) && scan->holes->items.count &&
        VEC_LAST(&scan->holes->items).place.begin == before->begin)
        bracket.hole = (uint32_t)scan->holes->items.count - 1;
    VEC_PUSH(&scan->open, bracket);
}

static void report_unclosed(struct scan *scan, const struct bracket *bracket)
{
    FAULT(scan, bracket->token - 1, "found '?{' without its '}'; close it behind its statements");
}

static void close_bracket(struct scan *scan, uint32_t at)
{
    if (!scan->open.count)
        return;
    struct bracket bracket = VEC_POP(&scan->open);
    if (bracket.hole == LIT_NONE)
        return;
    struct lit_hole *hole = &scan->holes->items.items[bracket.hole];
    const struct lit_token *first = token_at(scan, bracket.token), *last = token_at(scan, at);
    if (mark(scan, at) != '}') {
        report_unclosed(scan, &bracket);
        return;
    }
    hole->place.end = last->end;
    hole->place.inner_begin = hole->only ? first->begin : first->end;
    hole->place.inner_end = hole->only ? last->end : last->begin;
}

static void close_all(struct scan *scan)
{
    while (scan->open.count) {
        struct bracket bracket = VEC_POP(&scan->open);
        if (bracket.hole != LIT_NONE)
            report_unclosed(scan, &bracket);
    }
}

static void read_token(struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    char c = mark(scan, at);
    if (token->table && (c == '|' || c == ';'))
        close_all(scan);
    if (token->hole)
        add_hole(scan, at);
    else if (c == '(' || c == '[' || c == '{')
        open_bracket(scan, at);
    else if (c == ')' || c == ']' || c == '}' || token->closes)
        close_bracket(scan, at);
    else if (c == ',' && scan->open.count)
        note_argument(scan, at);
    if (c == '|' || c == ';' || c == ':')
        scan->cell = at + 1;
}

static void read_tokens(struct scan *scan)
{
    for (uint32_t i = 0; i < scan->tokens.count; i++)
        read_token(scan, i);
    close_all(scan);
}

/* ---- A text ---- */

/* With the lexer's faults left aside, which the parser tells. */
struct lexing {
    struct arena arena;
    struct diag diag;
    struct lit_syntax syntax;
};

static void read_text_of(struct lexing *lexing, struct scan *scan)
{
    arena_init(&lexing->arena);
    diag_init(&lexing->diag);
    lexing->syntax = (struct lit_syntax){.arena = &lexing->arena,
                                         .names = intern_new(),
                                         .diag = &lexing->diag,
                                         .source = scan->source,
                                         .test = ARENA_NEW(&lexing->arena, struct ast_test),
                                         .line = 1,
                                         .column = 1};
    if (reach_ends(scan->source->path, REACH_DEFINITIONS)) {
        lexing->syntax.defines = lexing->syntax.initialised = true;
        lexing->syntax.test->dialect = lit_dialect_find("OPENCL", strlen("OPENCL"));
    }
    lit_syntax_tokens(&lexing->syntax, keep, scan);
}

static void lexing_fini(struct lexing *lexing, struct scan *scan)
{
    VEC_FREE(&scan->tokens);
    VEC_FREE(&scan->open);
    intern_free(lexing->syntax.names);
    diag_fini(&lexing->diag);
    arena_fini(&lexing->arena);
}

void lit_sketch_scan(struct lit_holes *holes, const struct source *source, uint32_t file,
                     const struct lit_definitions *definitions, bool blind)
{
    struct scan scan = {
        .holes = holes, .source = source, .file = file, .definitions = definitions, .blind = blind};
    struct lexing lexing;
    read_text_of(&lexing, &scan);
    if (scan.tokens.count > MOST_TOKENS)
        FAULT(&scan, MOST_TOKENS, "more than %d words stand before this one; a sketch is smaller",
              MOST_TOKENS);
    else
        read_tokens(&scan);
    lexing_fini(&lexing, &scan);
}

/* The words between the header and the initial state. */
void lit_sketch_uses(struct lit_syntax *syntax)
{
    struct scan scan = {.source = syntax->source};
    struct lit_holes none = {.arena = syntax->arena};
    struct lexing lexing;
    scan.holes = &none;
    read_text_of(&lexing, &scan);
    for (uint32_t i = 0; i + 1 < scan.tokens.count && mark(&scan, i) != '{'; i++)
        if (is(&scan, i, "uses") && scan.source->text[token_at(&scan, i + 1)->begin] == '"') {
            const struct lit_token *name = token_at(&scan, i + 1);
            size_t length = name->end - name->begin;
            CHAIN_ADD(
                &syntax->test->uses,
                AST_NEW(syntax, ast_use,
                        .name = {intern_bytes(syntax->names, scan.source->text + name->begin + 1,
                                              length > 1 ? length - 2 : 0),
                                 span_of(&scan, i + 1)},
                        .span = span_of(&scan, i + 1)));
        }
    syntax->test->dialect = lexing.syntax.test->dialect;
    lexing_fini(&lexing, &scan);
}

bool lit_sketch_has_hole(const struct source *source)
{
    struct scan scan = {.source = source};
    struct lexing lexing;
    bool found = false;
    if (!memchr(source->text, '?', source->length))
        return false;
    read_text_of(&lexing, &scan);
    for (size_t i = 0; i < scan.tokens.count; i++)
        found |= scan.tokens.items[i].hole;
    lexing_fini(&lexing, &scan);
    return found;
}
