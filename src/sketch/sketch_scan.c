/* Over the tokens goes a stack of open brackets, each of which knows the words so far between its
 * commas: so the place of a hole among the arguments of a call tells what it can be. */
#include "sketch/sketch_tokens.h"

#include <string.h>

enum { MOST_WORDS = 256 }; /* of limits, which are held against each other */

/* ---- The text of a hole: ?name:of in {words} ---- */

static size_t name_length(const char *text)
{
    return strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
}

/* A statement of its own (`?slot`) tells its kind. */
static void read_text(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    const char *text = lit_scan_text(scan, at), *list = strchr(text, '{');
    size_t length = name_length(text + 1);
    const char *name = arena_strndup(scan->holes->arena, text + 1, length);
    hole->name = length ? name : NULL;
    if (list)
        hole->list =
            sketch_split(scan->holes->arena, list + 1, strrchr(text, '}'), &hole->list_count);
    if (hole->list_count > MOST_WORDS) {
        SCAN_FAULT(scan, at, "found %u words in the limits of a hole, and %d are the most",
                   hole->list_count, MOST_WORDS);
        hole->list_count = MOST_WORDS;
    }
    for (uint32_t i = 0; i < hole->list_count; i++)
        if (!hole->list[i][0])
            SCAN_FAULT(scan, at,
                       "found no word in the limits of a hole; expected as in ?s in {wi, wg}");
    bool slot = strcmp(name, "slot") == 0;
    const char *second = text[1 + length] == ':' ? text + 2 + length : NULL;
    hole->kind = slot ? LIT_OPEN_SLOT : LIT_OPEN_SCOPE;
    hole->is_word = !slot;
    if (slot)
        hole->name = second ? arena_strndup(scan->holes->arena, second, name_length(second)) : NULL;
    else if (second)
        SCAN_FAULT(scan, at,
                   "found ':' in a hole; only a slot has a name behind it, as in ?slot:a");
}

/* ---- Statements ---- */

/* Can a statement begin there? *only: alone, as that of an `if`. */
static bool begins_statement(const struct lit_scan *scan, uint32_t at, bool *only)
{
    char before = at ? lit_scan_mark(scan, at - 1) : '\0';
    if (lit_scan_token(scan, at)->table)
        return scan->cell == at;
    if (!scan->open.count || VEC_LAST(&scan->open).tags ||
        lit_scan_mark(scan, VEC_LAST(&scan->open).token) != '{')
        return false;
    *only = before == ')' || before == ':' || lit_scan_is(scan, at - 1, "else") ||
            lit_scan_is(scan, at - 1, "do");
    const char *text = scan->source->text + lit_scan_token(scan, at - 1)->begin;
    return *only || before == ';' || before == '{' || before == '}' || *text == '#' ||
           strncmp(text, "?slot", 5) == 0;
}

/* What is put there has its `;`, so one behind a slot goes. */
static bool read_statement(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    bool slot = hole->kind == LIT_OPEN_SLOT;
    if (!begins_statement(scan, at, &hole->only)) {
        SCAN_FAULT(scan, at,
                   "found '%s', which stands for a statement, in another one; expected it where a "
                   "statement begins",
                   slot ? "?slot" : "?{");
        return false;
    }
    if (!slot || hole->table)
        return true;
    if (lit_scan_mark(scan, at + 1) == ';')
        hole->place.end = lit_scan_token(scan, at + 1)->end;
    return true;
}

/* ---- Holes ---- */

static bool read_place(struct lit_scan *scan, uint32_t at, struct lit_hole *hole)
{
    if (lit_scan_token(scan, at)->code)
        return hole->is_word ? lit_scan_word(scan, at, hole) : read_statement(scan, at, hole);
    SCAN_FAULT(scan, at,
               "found a hole, and nothing can be left open here; holes stand in the text of "
               "work-items, of recovery and of definitions");
    return false;
}

static void add_hole(struct lit_scan *scan, uint32_t at)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    struct lit_hole hole = {.kind = LIT_OPEN_SCOPE, .table = token->table};
    hole.writing = token->table ? scan->dialect->writing : &lit_writing_code;
    read_text(scan, at, &hole);
    hole.place = (struct sketch_open_place){.file = scan->file,
                                            .begin = token->begin,
                                            .end = token->end,
                                            .span = lit_scan_span(scan, at)};
    if (lit_scan_mark(scan, at + 1) == '{' && lit_scan_adjoins(scan, at + 1) && !hole.list) {
        hole.kind = LIT_OPEN_PRESENCE;
        hole.is_word = false;
    }
    if (read_place(scan, at, &hole))
        VEC_PUSH(&scan->holes->items, hole);
}

static void open_bracket(struct lit_scan *scan, uint32_t at)
{
    struct lit_bracket bracket = {.token = at, .first = at + 1, .hole = LIT_NONE};
    const struct lit_token *before = lit_scan_token(scan, at - 1);
    bracket.tags = lit_scan_adjoins(scan, at) && lit_scan_mark(scan, at) == '{' && before->code &&
                   strncmp(scan->source->text + before->begin, "__", 2) == 0;
    if (at > 0 && before->hole && lit_scan_adjoins(scan, at) && scan->holes->items.count &&
        VEC_LAST(&scan->holes->items).place.begin == before->begin)
        bracket.hole = (uint32_t)scan->holes->items.count - 1;
    if (bracket.hole != LIT_NONE && lit_scan_token(scan, at)->table)
        scan->cell = at + 1;
    if (bracket.hole != LIT_NONE && scan->open.count > AST_MAX_DEPTH)
        SCAN_FAULT(scan, at - 1, "more than %d levels are nested here; split the block",
                   AST_MAX_DEPTH);
    VEC_PUSH(&scan->open, bracket);
}

static void report_unclosed(struct lit_scan *scan, uint32_t brace)
{
    SCAN_FAULT(scan, brace - 1, "found '?{' without its '}'; close it behind its statements");
}

/* A brace is missing in the end: that of the `?{` whose brace stands to the left of it. */
static void report_suspect(struct lit_scan *scan)
{
    if (scan->suspect)
        report_unclosed(scan, scan->suspect);
    scan->suspect = 0;
}

static void suspect(struct lit_scan *scan, uint32_t brace, uint32_t at)
{
    const struct lit_token *hole = lit_scan_token(scan, brace - 1),
                           *last = lit_scan_token(scan, at);
    if (!scan->suspect && last->line > hole->line && last->column < hole->column)
        scan->suspect = brace;
}

static void close_bracket(struct lit_scan *scan, uint32_t at)
{
    if (!scan->open.count)
        return;
    struct lit_bracket bracket = VEC_POP(&scan->open);
    if (bracket.hole != LIT_NONE && lit_scan_mark(scan, at) != '}')
        report_unclosed(scan, bracket.token);
    else if (lit_scan_token(scan, at)->closes)
        report_suspect(scan);
    if (bracket.hole == LIT_NONE)
        return;
    struct sketch_open_place *place = &scan->holes->items.items[bracket.hole].place;
    bool only = scan->holes->items.items[bracket.hole].only;
    const struct lit_token *first = lit_scan_token(scan, bracket.token),
                           *last = lit_scan_token(scan, at);
    place->end = last->end;
    place->inner_begin = only ? first->begin : first->end;
    place->inner_end = only ? last->end : last->begin;
    suspect(scan, bracket.token, at);
}

static void close_all(struct lit_scan *scan)
{
    while (scan->open.count) {
        struct lit_bracket bracket = VEC_POP(&scan->open);
        if (bracket.hole != LIT_NONE)
            report_unclosed(scan, bracket.token);
        else
            report_suspect(scan);
    }
}

static void read_token(struct lit_scan *scan, uint32_t at)
{
    const struct lit_token *token = lit_scan_token(scan, at);
    char c = lit_scan_mark(scan, at);
    if (token->table && (c == '|' || c == ';'))
        close_all(scan);
    if (token->hole)
        add_hole(scan, at);
    else if (c == '(' || c == '[' || c == '{')
        open_bracket(scan, at);
    else if (c == ')' || c == ']' || c == '}' || token->closes)
        close_bracket(scan, at);
    else if (c == ',' && scan->open.count)
        lit_scan_argument(scan, at);
    if (c == '|' || c == ';' || c == ':')
        scan->cell = at + 1;
}

static void read_tokens(struct lit_scan *scan)
{
    for (uint32_t i = 0; i < scan->tokens.count; i++)
        read_token(scan, i);
    close_all(scan);
}

/* ---- A text ---- */

void sketch_scan(struct lit_holes *holes, const struct source *source, uint32_t file,
                 const struct lit_definitions *definitions, bool blind)
{
    struct lit_scan scan = {
        .holes = holes, .source = source, .file = file, .definitions = definitions, .blind = blind};
    struct lit_lexing lexing;
    lit_scan_begin(&lexing, &scan);
    if (scan.tokens.count > SCAN_MOST_TOKENS)
        SCAN_FAULT(&scan, SCAN_MOST_TOKENS,
                   "more than %d words stand before this one; a sketch is smaller",
                   SCAN_MOST_TOKENS);
    else
        read_tokens(&scan);
    lit_scan_end(&lexing, &scan);
}
