/* The lexer of tests gives the tokens, so comments, strings and titles are what they are anywhere.
 * Over them goes a stack of open brackets, each of which knows the words so far between its commas:
 * so the place of a hole among the arguments of a call tells what it can be. */
#include "litmus/lit_sketch_scan.h"

#include "litmus/lit_syntax.h"

#include <string.h>

enum { MOST_TOKENS = 1 << 19 };

/* A bracket that is open, and what stands before its current comma. */
struct bracket {
    uint32_t token, first; /* its own, and the first behind the last comma */
    uint32_t commas, orders;
    bool scope;
    uint32_t hole; /* of `?{`, or LIT_NONE */
};

struct scan {
    struct lit_holes *holes;
    const struct source *source;
    uint32_t file;
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

static const char *trimmed(struct arena *arena, const char *from, const char *to)
{
    while (from < to && strchr(" \t\r\n\f\v", *from))
        from++;
    while (to > from && strchr(" \t\r\n\f\v", to[-1]))
        to--;
    return arena_strndup(arena, from, (size_t)(to - from));
}

/* Words with commas between that are in no parentheses. */
static void read_list(struct scan *scan, uint32_t at, struct lit_hole *hole, const char *text,
                      const char *end)
{
    VEC(const char *) words = {0};
    int depth = 0;
    for (const char *from = text, *to = text; to <= end; to++) {
        depth += (*to == '(') - (*to == ')');
        if (to < end && (*to != ',' || depth > 0))
            continue;
        VEC_PUSH(&words, trimmed(scan->holes->arena, from, to));
        from = to + 1;
        if (!words.items[words.count - 1][0])
            FAULT(scan, at, "found no word between two commas; expected as in ?s in {wi, wg}");
    }
    hole->list = VEC_KEEP(scan->holes->arena, &words);
    hole->list_count = (uint32_t)words.count;
    VEC_FREE(&words);
}

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
        read_list(scan, at, hole, list + 1, strrchr(text, '}'));
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

#define BIT(order) (1U << LIT_ORDER_##order)
enum {
    READING = BIT(RLX) | BIT(ACQ) | BIT(SC),
    WRITING = BIT(RLX) | BIT(REL) | BIT(SC),
    ANY_ORDER = READING | WRITING | BIT(ACQ_REL)
};

static uint32_t orders_of(const struct lit_call *call, uint32_t number)
{
    return call->instr == LIT_LOAD || (call->instr == LIT_CAS && number > 0) ? READING
           : call->instr == LIT_STORE                                        ? WRITING
                                                                             : ANY_ORDER;
}

/* The words of a call whose name is that token. */
static bool read_argument(struct scan *scan, uint32_t at, const struct bracket *in,
                          struct lit_hole *hole)
{
    uint32_t name = in->token - 1;
    bool method = name > 0 && mark(scan, name - 1) == '.';
    const char *text = text_of(scan, name);
    const struct lit_call *call = method ? lit_word_method(text) : lit_word_function(text);
    if (!call) {
        FAULT(scan, at, "found a hole in '%s', which takes no scope and no memory order", text);
        return false;
    }
    bool placed = lit_instruction_is(call->instr, LIT_PLACED);
    uint32_t values = placed ? lit_word_value_count(call) + !method : 0;
    uint32_t most = !call->ordered ? 0 : call->instr == LIT_CAS ? 2 : 1;
    bool scoped = placed ? call->ordered : call->scoped != LIT_CALL_FIXED;
    bool early = call->ordered && !method && in->orders == 0;
    hole->may_be[LIT_OPEN_ORDER] = in->orders < most && !in->scope;
    hole->may_be[LIT_OPEN_SCOPE] = scoped && !in->scope && !early;
    hole->can[LIT_OPEN_ORDER] = lit_sketch_orders(scan->holes->arena, orders_of(call, in->orders));
    hole->can[LIT_OPEN_SCOPE] = lit_sketch_scopes(scan->holes->arena);
    if (in->commas < values)
        FAULT(scan, at,
              "found a hole in the place of a value of '%s'; a hole stands for a scope, "
              "a memory order or a tag",
              text);
    else if (!scoped && !most)
        FAULT(scan, at, "'%s' takes neither a memory order nor a scope%s", text,
              placed ? "; the form with both ends in _explicit" : "");
    else if (!hole->may_be[LIT_OPEN_ORDER] && !hole->may_be[LIT_OPEN_SCOPE])
        FAULT(scan, at, "'%s' takes no word here; its memory order and its scope stand before",
              text);
    else
        return true;
    return false;
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
    char before = mark(scan, at - 1);
    *only = before == ')' || before == ':' || is(scan, at - 1, "else") || is(scan, at - 1, "do");
    return scan->open.count && (*only || before == ';' || before == '{' || before == '}' ||
                                scan->source->text[token_at(scan, at - 1)->begin] == '#');
}

static bool read_statement(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    if (begins_statement(scan, at, &hole->only))
        return true;
    FAULT(scan, at,
          "found '%s', which stands for statements, within one; expected it behind ';', "
          "a brace or the ')' of an 'if' or a loop",
          hole->kind == LIT_OPEN_SLOT ? "?slot" : "?{");
    return false;
}

/* ---- Holes ---- */

static bool read_place(struct scan *scan, uint32_t at, struct lit_hole *hole)
{
    const struct bracket *in = scan->open.count ? &VEC_LAST(&scan->open) : NULL;
    if (!token_at(scan, at)->code) {
        FAULT(scan, at,
              "found a hole, and nothing can be left open here; holes stand in the text "
              "of work-items, of recovery and of definitions");
        return false;
    }
    if (!hole->is_word)
        return read_statement(scan, at, hole);
    if (in && mark(scan, in->token) == '(' && in->token > 0 &&
        (mark(scan, at - 1) == '(' || mark(scan, at - 1) == ','))
        return read_argument(scan, at, in, hole);
    FAULT(scan, at,
          "found a hole that stands for nothing; expected it in the place of a scope or "
          "a memory order, or ?{ statement; }, or ?slot;");
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

static void read_token(struct scan *scan, uint32_t at)
{
    const struct lit_token *token = token_at(scan, at);
    char c = mark(scan, at);
    if (token->hole)
        add_hole(scan, at);
    else if (c == '(' || c == '[' || c == '{')
        open_bracket(scan, at);
    else if (c == ')' || c == ']' || c == '}' || token->closes)
        close_bracket(scan, at);
    else if (c == ',' && scan->open.count)
        note_argument(scan, at);
}

static void read_tokens(struct scan *scan)
{
    for (uint32_t i = 0; i < scan->tokens.count; i++)
        read_token(scan, i);
    while (scan->open.count) {
        struct bracket bracket = VEC_POP(&scan->open);
        if (bracket.hole != LIT_NONE)
            report_unclosed(scan, &bracket);
    }
}

void lit_sketch_scan(struct lit_holes *holes, const struct source *source, uint32_t file)
{
    struct scan scan = {.holes = holes, .source = source, .file = file};
    struct arena scratch;
    struct diag ignored;
    arena_init(&scratch);
    diag_init(&ignored);
    struct lit_syntax syntax = {.arena = &scratch,
                                .names = intern_new(),
                                .diag = &ignored,
                                .source = source,
                                .test = ARENA_NEW(&scratch, struct ast_test),
                                .line = 1,
                                .column = 1};
    syntax.defines = syntax.initialised = reach_ends(source->path, REACH_DEFINITIONS);
    lit_syntax_tokens(&syntax, keep, &scan);
    if (scan.tokens.count > MOST_TOKENS)
        FAULT(&scan, MOST_TOKENS, "more than %d words stand before this one; a sketch is smaller",
              MOST_TOKENS);
    else
        read_tokens(&scan);
    VEC_FREE(&scan.tokens);
    VEC_FREE(&scan.open);
    intern_free(syntax.names);
    diag_fini(&ignored);
    arena_fini(&scratch);
}
