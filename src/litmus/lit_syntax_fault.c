/* What the grammar did not expect, in a reader's words. */
#include "litmus/lit_syntax.h"

#include "litmus/lit_dialect.h"
#include "litmus/lit_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const struct parse_phrase phrases[] = {
    {"crash point", "a statement",
     " \"crash point\" if while for do break continue ';' '{' \"a name\" \"an integer\" true false "
     "'-' "
     "'+' '~' '!' '*' '&' ++ -- '(' \"a type\" atomic< _Atomic( struct return "
     "launch join switch case default sizeof sizeof(struct "},
    {"not", "a proposition such as x = 1 or 0:r1 = 2",
     " not all some init( '~' '!' '(' \"a name\" \"an integer\" \"a thread\" '-' '[' true false "},
    {"'!'", "an expression",
     " \"a name\" \"an integer\" true false '-' '+' '~' '!' '*' '&' ++ -- '(' sizeof "
     "sizeof(struct "},
    {"<<", "an operator",
     " '?' || && '|' '^' '&' == != '<' '>' <= >= << >> '+' '-' '*' '/' '%' '=' += ++ -- '.' -> "
     "'(' '[' \"tags in braces\" "},
    {"<>", "a comparison", " '=' == != <> '<' <= '>' >= "},
    {"/\\", "a connective (/\\ \\/ =>)", " \\/ => && || ':' "},
    {"forall", "a thread, a recovery program, a condition, an expectation",
     " \"a thread\" exists ~exists refines filter locations final crash recovered recovery "
     "expect property observe "},
    {"an instruction", "an instruction, a label", " \"an instruction\" "},
    {"atomic<", "a type", " \"a type\" struct _Atomic( "},
    {"'-'", "an integer", " \"an integer\" true false "},
};

enum { PHRASES = sizeof phrases / sizeof *phrases };

/* The first phrase that covers a token, of those whose witness is expected. */
static int phrase_of(const char *token, const char *const *expected, int count)
{
    for (int i = 0; i < PHRASES; i++)
        if (parse_expects(phrases[i].witness, expected, count) && parse_covers(&phrases[i], token))
            return i;
    return -1;
}

/* Threads of a table stand before its rows. */
static const char *phrase_text(const struct parse_phrase *phrase, const char *const *expected,
                               int count)
{
    if (strcmp(phrase->witness, "forall") == 0 && !parse_expects("a thread", expected, count))
        return "a recovery program, a condition, an expectation";
    return phrase->text;
}

static void describe_expected(struct strbuf *out, const char *const *expected, int count)
{
    bool shown[PHRASES] = {false};
    SCOPED(strbuf) list = {0};
    int said = 0;
    for (int i = 0; i < count; i++) {
        int phrase = phrase_of(expected[i], expected, count);
        if (phrase >= 0 && !shown[phrase])
            parse_add_expected(&list, phrase_text(&phrases[phrase], expected, count), false, &said);
        if (phrase >= 0)
            shown[phrase] = true;
    }
    for (int i = 0; i < count && said < 5; i++)
        if (phrase_of(expected[i], expected, count) < 0 && strcmp(expected[i], "error") != 0)
            parse_add_expected(&list, expected[i],
                               expected[i][0] != '\'' && !strchr(expected[i], ' '), &said);
    parse_tell_expected(out, strbuf_text(&list));
}

/* Room for a hint, and what it says was perhaps meant. */
struct hint {
    struct strbuf text;
    char word[16];
    struct diag_fix fix; /* of `word` */
};

/* What the parser stands before. */
struct fault {
    const struct lit_syntax *syntax;
    struct span span;
    const char *found; /* `length` bytes of the source, and what is behind them */
    size_t length;
    bool at_end;
    const char *const *expected;
    int count;
    struct hint *hint;
};

static bool expects(const struct fault *fault, const char *token)
{
    return parse_expects(token, fault->expected, fault->count);
}

static bool found_one_of(const struct fault *fault, const char *words)
{
    for (const char *word = words; *word; word += strspn(word, " ")) {
        size_t size = strcspn(word, " ");
        if (size == fault->length && memcmp(word, fault->found, size) == 0)
            return true;
        word += size;
    }
    return false;
}

static const char *perhaps(const struct fault *fault, const struct span *within, const char *near)
{
    fault->hint->fix = (struct diag_fix){*within, fault->hint->word, near};
    return strbuf_text(&fault->hint->text);
}

static bool found_word(const struct fault *fault)
{
    return isalpha((unsigned char)*fault->found) || *fault->found == '_';
}

/* Text before what was found, on its line. */
static bool is_behind(const struct fault *fault, const char *text)
{
    size_t length = strlen(text), before = fault->span.column - 1u;
    return before >= length && memcmp(fault->found - length, text, length) == 0;
}

/* The word at `text`, `~` before it included. */
static size_t word_length(const char *text)
{
    size_t length = *text == '~';
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

/* One of the keywords that may stand here, which the word there nearly is. */
static const char *hint_of_keyword(const struct fault *fault)
{
    char *word = fault->hint->word;
    size_t length = word_length(fault->found);
    if (length < 3 || length >= sizeof fault->hint->word)
        return NULL;
    memcpy(word, fault->found, length);
    word[length] = '\0';
    const char *keywords[64], *near = NULL;
    size_t count = 0;
    for (int i = 0; i < fault->count && count < 64; i++)
        if (word_length(fault->expected[i]) > 1 &&
            strlen(fault->expected[i]) == word_length(fault->expected[i]))
            keywords[count++] = fault->expected[i];
    if (expects(fault, "a type") &&
        found_one_of(fault, "constant __constant private __private generic"))
        return "memory is 'global' or 'local'; what a work-item has alone is a register";
    if (expects(fault, "a type")) {
        const char *advice = lit_word_foreign(fault->found, length);
        if (advice)
            return advice;
        near = lit_word_nearest_type(word);
    }
    if (!near)
        near = diag_nearest(word, keywords, count);
    if (!near)
        return NULL;
    strbuf_printf(&fault->hint->text, "did you mean '%s'?", near);
    return perhaps(fault, &fault->span, near);
}

/* `not exists`, `!exists`, `never`: the words from what was found up to the parenthesis. */
static const char *hint_of_never(const struct fault *fault)
{
    char *word = fault->hint->word;
    size_t length = *fault->found == '!' ? 1 : word_length(fault->found);
    length += strspn(fault->found + length, " ");
    if (strncmp(fault->found, "never", 5) != 0 && strncmp(fault->found + length, "exists", 6) == 0)
        length += 6;
    while (length && fault->found[length - 1] == ' ')
        length--;
    if (length >= sizeof fault->hint->word)
        return NULL;
    memcpy(word, fault->found, length);
    word[length] = '\0';
    struct span within = fault->span;
    within.end_line = within.line;
    within.end_column = within.column + (uint32_t)length;
    (void)perhaps(fault, &within, "~exists");
    return "write '~exists' for what must not be";
}

/* In conditions. */
static const char *hint_of_condition(const struct fault *fault)
{
    if (expects(fault, "forall") && found_one_of(fault, "refines"))
        return "'refines \"FILE\"' stands behind 'crash', 'recovered' or 'final'";
    if (expects(fault, "exists") && found_one_of(fault, "not ! never"))
        return hint_of_never(fault);
    if (expects(fault, "exists") &&
        (found_one_of(fault, expects(fault, "a thread") ? "~ ! not" : "~ ! not (") ||
         found_word(fault)))
        return expects(fault, "refines")
                   ? "a condition begins with 'exists', '~exists', 'forall' or 'refines \"FILE\"'"
                   : "a condition begins with 'exists', '~exists' or 'forall'";
    if (expects(fault, "<>") && found_one_of(fault, "/\\"))
        return "each side of a connective is a comparison, or true";
    if (expects(fault, "/\\") && found_one_of(fault, "& | and or ,"))
        return "in conditions 'and' is /\\ and 'or' is \\/";
    if (expects(fault, "/\\") && found_one_of(fault, "+ - * / % ^ << >>"))
        return "a condition compares and does not compute: write the value, or give a register the "
               "result and compare that";
    if (expects(fault, "/\\") && found_one_of(fault, ";"))
        return "a condition has no ';' at its end: leave it out";
    if (expects(fault, "not") && found_one_of(fault, "crash final recovered"))
        return "'crash', 'final' and 'recovered' stand first, as in 'crash ~exists (x = 0)'";
    bool alone = fault->count == 1 && !fault->syntax->braces;
    if (alone && expects(fault, "']'") && found_one_of(fault, "= =="))
        return "a condition stands in parentheses, as in 'exists (x = 1)'";
    if (alone && expects(fault, "':'") && found_one_of(fault, "."))
        return "a register of P0 is called as in '0:r = 1'";
    return NULL;
}

/* `global float* x`: what stands before the '*' is taken for the parameter's name. */
static bool is_behind_no_type(const struct fault *fault)
{
    return *fault->found == '*' && expects(fault, "')'") && expects(fault, "','") &&
           !expects(fault, "<<");
}

/* `int* p = &x` of the initial state, `int** p` of a parameter, `int* q` of a register, `p = &x` of
 * a condition. */
static const char *hint_of_pointer(const struct fault *fault)
{
    bool declares = found_one_of(fault, "*") && expects(fault, "a type") &&
                    (expects(fault, "a name") || expects(fault, "')'"));
    if (found_one_of(fault, "&") && expects(fault, "'*'") && expects(fault, "a type"))
        return "there are no references: write 'int* x', and '*x' for what it points to";
    bool compares = found_one_of(fault, "&") && expects(fault, "a thread") && expects(fault, "'-'");
    return declares || compares
               ? "pointers are not stored: locations and registers hold integers; store the "
                 "number of an element, and write a[i] for what p points to"
               : NULL;
}

/* May the word before have been meant as a type? */
static bool is_behind_type(const struct fault *fault)
{
    bool declares = found_word(fault) && (expects(fault, "<<") || expects(fault, "'['"));
    return (declares || is_behind_no_type(fault)) && fault->syntax->before_span.source;
}

/* A struct by its name alone, as in C++. */
static const char *hint_of_structure(const struct fault *fault)
{
    const struct lit_syntax *syntax = fault->syntax;
    const struct ast_structure *s = syntax->test->structures.first;
    const struct span *at = expects(fault, "a type") ? &fault->span : &syntax->before_span;
    if (at == &syntax->before_span && !is_behind_type(fault))
        return NULL;
    size_t length;
    const char *text = source_slice(at, &length);
    while (s && (strlen(s->name.text) != length || memcmp(s->name.text, text, length) != 0))
        s = s->next;
    if (!s)
        return NULL;
    if (syntax->braces && syntax->initialised)
        return "write a register for each member";
    const char *meant = arena_printf(syntax->arena, "struct %s", s->name.text);
    fault->hint->fix = (struct diag_fix){*at, s->name.text, meant};
    strbuf_printf(&fault->hint->text, "write '%s'", meant);
    return strbuf_text(&fault->hint->text);
}

/* The word before, where it may have been meant as a type. */
static const char *hint_of_type(const struct fault *fault)
{
    char *word = fault->hint->word;
    size_t length;
    if (!is_behind_type(fault))
        return NULL;
    const char *before = source_slice(&fault->syntax->before_span, &length);
    const char *advice = lit_word_foreign(before, length), *near = NULL;
    if (advice)
        return advice;
    if (length < sizeof fault->hint->word) {
        memcpy(word, before, length);
        word[length] = '\0';
        near = lit_word_nearest_type(word);
    }
    if (!near)
        return found_word(fault) ? NULL
                                 : "types are int, uint, long, ulong, and atomic_int and its like";
    strbuf_printf(&fault->hint->text, "did you mean '%s' for '%s'?", near, word);
    return perhaps(fault, &fault->syntax->before_span, near);
}

/* Does the statement so far, on this line, end with `asm` or `asm volatile`, and perhaps a '('? */
static bool is_assembly(const struct fault *fault)
{
    const char *line = fault->found - (fault->span.column - 1), *end = fault->found;
    static const char *const before[] = {"(", "volatile", "asm"};
    bool found = false;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t length = strlen(before[i]);
        while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '_'))
            end--;
        found = (size_t)(end - line) >= length && memcmp(end - length, before[i], length) == 0;
        end -= found ? length : 0;
    }
    return found;
}

/* In the text of a work-item. */
static const char *hint_of_statement(const struct fault *fault)
{
    bool behind_expression = expects(fault, "<<") && expects(fault, "';'");
    size_t length;
    if ((*fault->found == '"' || found_one_of(fault, "volatile __volatile__")) &&
        is_assembly(fault))
        return "assembly is not read; for PTX's membar.cta, membar.gl and membar.sys write "
               "__threadfence_block(), __threadfence() and __threadfence_system() of 'cuda.def', "
               "for "
               "x86's clwb, sfence and mfence those of 'px86.def'";
    const struct span *before = &fault->syntax->before_span;
    if (fault->count == 1 && expects(fault, "a name") && found_word(fault) && before->source &&
        *source_slice(before, &length) == ',' && !fault->syntax->initialised)
        return "a declaration of another type begins behind a ';'";
    if (expects(fault, "<<") && found_one_of(fault, "and or"))
        return "in a program 'and' is && and 'or' is ||";
    if (fault->count <= 16 && found_one_of(fault, "]") && is_behind(fault, "[") &&
        !fault->syntax->initialised)
        return "an array says how many elements it has, as in 'int x[2] = {1, 2}'";
    if (behind_expression && (found_word(fault) || strchr("}*", *fault->found)))
        return "a statement ends with ';'";
    if (behind_expression && found_one_of(fault, "{"))
        return "tags stand right behind the name of a primitive instruction, as in "
               "__fence{sfence}";
    if (*fault->found == '"' && (expects(fault, "<<") || expects(fault, "'!'")))
        return "there are no strings, and nothing is printed: 'locations [0:r; x]' shows values "
               "beside each state";
    if (expects(fault, "'['") && expects(fault, "'}'") && found_word(fault))
        return "the word before it is no type; a location is declared as in 'nvm x = 0;'";
    if (fault->count == 1 && expects(fault, "';'") && is_behind(fault, "return "))
        return "a work-item gives no value back: write 'return;', and a register in a condition";
    if (isdigit((unsigned char)*fault->found) && expects(fault, "a name") && fault->count == 1)
        return "values are integers";
    return NULL;
}

/* Functions of C, where work-items stand. */
static const char *hint_of_function(const struct fault *fault)
{
    if (!expects(fault, "a thread") || !expects(fault, "forall"))
        return NULL;
    if (found_one_of(fault, "void") && strncmp(fault->found, "void P", 6) == 0)
        return "a work-item has no type: leave 'void' out, as in 'P0 (global int* x) { .. }'";
    if (found_one_of(fault, "kernel __kernel __global__ __device__ void static extern int"))
        return "a test names its work-items one by one, each with its program: 'P0@wg 0 (global "
               "int* x) { .. }', 'P1@wg 0 ..'";
    size_t length = word_length(fault->found);
    const char *behind = fault->found + length + strspn(fault->found + length, " ");
    if (found_word(fault) && isdigit((unsigned char)fault->found[length - 1]) &&
        (*behind == '(' || *behind == '{' || *behind == '@'))
        return "a work-item is called P and its number, as in 'P0@wg 0 (global int* x) { .. }'";
    return NULL;
}

/* `P0<<<1, 1>>>`, and `uses <cuda.def>` or `uses cuda.def`. */
static const char *hint_of_angle(const struct fault *fault)
{
    if (found_one_of(fault, "<<") && expects(fault, "'@'"))
        return "each work-item has a program of its own and says where it is, as in 'P0@wg 0 { .. "
               "}', 'P1@wg 1 { .. }'";
    size_t angle = *fault->found == '<', length = strcspn(fault->found, " \t\r;>\n"), size;
    const struct span *before = &fault->syntax->before_span;
    const char *word = length > angle && before->source ? source_slice(before, &size) : NULL;
    if (!word || !expects(fault, "a string") || size != 4 || memcmp(word, "uses", 4) != 0 ||
        length > 64)
        return NULL;
    strbuf_printf(&fault->hint->text, "write uses \"%.*s\"", (int)(length - angle),
                  fault->found + angle);
    return strbuf_text(&fault->hint->text);
}

/* Of C++. */
static const char *hint_of_template(const struct fault *fault)
{
    if (found_one_of(fault, ",") && expects(fault, "'>'"))
        return "the scope stands with each access, as in x->store(1, memory_order_release, "
               "thread_scope_block)";
    if (fault->length && fault->found[0] == ':' &&
        (fault->found[1] == ':' || is_behind(fault, ":")))
        return "no namespaces are read but std:: and cuda::; leave it out";
    return NULL;
}

/* Before the braces of the initial state. */
static const char *hint_of_initial(const struct fault *fault)
{
    if (found_one_of(fault, "models") && (expects(fault, "uses") || expects(fault, "forall")))
        return "models are named by -m and -p, by a line such as 'expect sc + strict : ok' behind "
               "the conditions, or in a definition file";
    if (expects(fault, "uses") && expects(fault, "const") && fault->length)
        return "the initial state stands in braces before the work-items: { nvm x = 0; nvm y = 0; "
               "}";
    if (fault->syntax->initialised || !found_one_of(fault, "{") || !expects(fault, "a name") ||
        fault->count != 1)
        return NULL;
    return "a struct has a name: 'struct node { int val; int next; };', and then 'nvm struct node "
           "n;'";
}

/* `wg1`, which lacks the blank before its number. */
static const char *hint_of_level(const struct fault *fault)
{
    size_t length, digits;
    const char *level = source_slice(&fault->syntax->before_span, &length);
    for (digits = length; digits && isdigit((unsigned char)level[digits - 1]);)
        digits--;
    if (digits == length || length >= sizeof fault->hint->word)
        return NULL;
    memcpy(fault->hint->word, level, length);
    strbuf_printf(&fault->hint->text, "%.*s %.*s", (int)digits, level, (int)(length - digits),
                  level + digits);
    const char *meant = arena_strdup(fault->syntax->arena, strbuf_text(&fault->hint->text));
    (void)perhaps(fault, &fault->syntax->before_span, meant);
    strbuf_fini(&fault->hint->text);
    strbuf_printf(&fault->hint->text, "write '%s'", meant);
    return strbuf_text(&fault->hint->text);
}

/* Between the number of a work-item and its program. */
static const char *hint_of_head(const struct fault *fault)
{
    const struct lit_syntax *syntax = fault->syntax;
    const char *line = fault->found - (fault->span.column - 1);
    bool heads = syntax->initialised && syntax->braces == found_one_of(fault, "{") &&
                 !syntax->test->dialect->is_table && fault->span.column > 2;
    line += strspn(line, " \t");
    heads = heads && *line == 'P' && isdigit((unsigned char)line[1]);
    if (!heads)
        return NULL;
    if (found_one_of(fault, "@") && fault->count == 1 && expects(fault, "'{'"))
        return "the place stands before the parameters, as in 'P0@wg 1 (global int* x) { .. }'";
    bool in_place = is_behind(fault, "@") || (expects(fault, "','") && expects(fault, "'{'"));
    bool lacks_number = fault->count == 1 && expects(fault, "an integer");
    const char *level = lacks_number ? hint_of_level(fault) : NULL;
    if (level || in_place || lacks_number)
        return level ? level : "a place is levels and numbers, as in 'P0@wg 1, dev 0 { .. }'";
    if (found_one_of(fault, "|"))
        return "here each work-item has a program of its own, as in 'P0 (int* x) { *x = 1; }'; "
               "columns are of the dialect PTX";
    if (expects(fault, "'@'") && expects(fault, "'{'"))
        return "a work-item has a number, perhaps a place and parameters, and a program, as in "
               "'P0@wg 0 (global int* x) { .. }'";
    return NULL;
}

/* The mistakes people make most, by what stands where it cannot stand. */
static const char *hint_of(const struct fault *fault)
{
    if (expects(fault, "a thread") && fault->count <= 2)
        return "a table begins with its threads, as in P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;";
    if (expects(fault, "'+'") && fault->count == 1)
        return "models are named in pairs, as in hrf-direct + epoch";
    if (fault->syntax->defines && expects(fault, "'('") && fault->count == 2)
        return "a definition file has definitions, as in FLUSH(X) { __cm{clwb}(X); }, and perhaps "
               "a line that names models, as in models ptx + gpm";
    if (fault->syntax->defines && expects(fault, "'<'") && fault->count <= 2)
        return "tags are ordered from the weakest on, as in order dmb_ld < dmb_sy";
    if (expects(fault, "'|'") && expects(fault, "';'") && !expects(fault, "<<") &&
        !expects(fault, "forall"))
        return "cells have '|' between them and a row ends with ';'";
    if (expects(fault, "restartable") && expects(fault, "';'"))
        return "the test as its own recovery is 'recovery relaunch;' or 'recovery relaunch "
               "restartable;'";
    if (fault->length == 0)
        return NULL;
    if (found_one_of(fault, "uses") && !expects(fault, "uses"))
        return "'uses' stands before the initial state";
    if (found_one_of(fault, "regions") && expects(fault, "exists"))
        return "regions of memory are not told apart; leave the line out, or give locations tags "
               "that a model knows, as in 'int{PROP} x = 0;'";
    const char *(*const hints[])(const struct fault *) = {
        hint_of_function, hint_of_angle,     hint_of_head,      hint_of_template,
        hint_of_initial,  hint_of_pointer,   hint_of_structure, hint_of_type,
        hint_of_keyword,  hint_of_statement, hint_of_condition};
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        const char *hint = hints[i](fault);
        if (hint)
            return hint;
    }
    return NULL;
}

/* ---- Braces that are open ---- */

void lit_syntax_open_brace(struct lit_syntax *syntax, struct span span)
{
    if (syntax->braces < LIT_BRACES_KEPT) {
        syntax->brace_open[syntax->braces] = span;
        syntax->brace_indentation[syntax->braces] = source_indentation(&syntax->at);
    }
    if (!syntax->braces)
        syntax->brace_suspect = (struct span){0};
}

void lit_syntax_close_brace(struct lit_syntax *syntax, struct span span)
{
    if (syntax->braces == 0 || syntax->braces > LIT_BRACES_KEPT || syntax->brace_suspect.line)
        return;
    const struct span *open = &syntax->brace_open[syntax->braces - 1];
    if (span.column >= open->column) /* so not left of where that line begins */
        return;
    if (span.column < syntax->brace_indentation[syntax->braces - 1] &&
        source_indentation(&syntax->at) == span.column) {
        syntax->brace_suspect = *open;
        syntax->brace_suspicious = span.line;
    }
}

/* At the brace that lacks its other half, for what comes behind it may be far away. `where` is the
 * line that shows it, and why. */
static void report_open(struct lit_syntax *syntax, const char *where)
{
    uint32_t inner = syntax->braces < LIT_BRACES_KEPT ? syntax->braces : LIT_BRACES_KEPT;
    struct span span =
        syntax->brace_suspect.line ? syntax->brace_suspect : syntax->brace_open[inner - 1];
    syntax->broken = true;
    if (!syntax->brace_missing && syntax->brace_suspect.line)
        diag_error(syntax->diag, DIAG_LIT_SYNTAX, span,
                   "most likely this '{' lacks its '}' (the one at line %u stands further left): "
                   "a '{' is still open at %s",
                   syntax->brace_suspicious, where);
    else if (!syntax->brace_missing)
        diag_error(syntax->diag, DIAG_LIT_SYNTAX, span,
                   "this '{' is still open at %s; close it with '}'", where);
    syntax->brace_missing = true;
}

void lit_syntax_brace(struct lit_syntax *syntax, struct span span, const char *text, size_t length)
{
    char where[80];
    (void)snprintf(where, sizeof where, "line %u, where '%.*s' begins a thread", span.line,
                   (int)length, text);
    report_open(syntax, where);
}

/* ---- Reports ---- */

/* `x @ proxy aliases y` in the initial block of a table. */
static bool is_alias(const struct fault *fault)
{
    const struct lit_syntax *syntax = fault->syntax;
    return syntax->test->dialect->has_aliases && !syntax->initialised && fault->length &&
           *fault->found == '@' && expects(fault, "'='");
}

void lit_syntax_alias(struct lit_syntax *syntax, struct span span)
{
    if (!syntax->test->dialect->has_aliases)
        return;
    size_t length;
    const char *found = source_slice(&span, &length);
    syntax->broken = true;
    diag_error(syntax->diag, DIAG_LIT_UNSUPPORTED, span,
               "found '%.*s': aliases of a location and proxies are not supported; give each "
               "location a name and a number",
               (int)(length < 40 ? length : 40), found);
}

/* A condition, or the end, where braces are open. */
static bool is_behind_open_brace(struct lit_syntax *syntax, const struct fault *fault)
{
    char where[80] = "the end of the file";
    if (!syntax->braces || (fault->length && expects(fault, "forall")))
        return false;
    if (fault->length && !found_one_of(fault, "exists ~exists forall final filter expect recovery"))
        return false;
    if (fault->length)
        (void)snprintf(where, sizeof where, "line %u, where '%.*s' begins a condition",
                       fault->span.line, (int)fault->length, fault->found);
    report_open(syntax, where);
    return true;
}

/* A ';' that ends a statement, or the ')' of a condition. */
static bool expects_end(const struct fault *fault)
{
    return (expects(fault, "';'") && expects(fault, "<<")) ||
           (expects(fault, "')'") && expects(fault, "/\\"));
}

/* Does the token before end its line, where its end is missing? Then that is the place. */
static bool lacks_end(const struct fault *fault, struct span *place)
{
    const struct span *before = &fault->syntax->before_span;
    bool begins = !fault->length || found_word(fault) || strchr("}~", *fault->found);
    if (!begins || !expects_end(fault) || !before->source || before->end_line == fault->span.line)
        return false;
    *place = (struct span){before->source, before->end_line, before->end_column, before->end_line,
                           before->end_column + 1};
    return true;
}

static void report(struct lit_syntax *syntax, struct fault *fault)
{
    SCOPED(strbuf) message = {0};
    struct hint room = {.fix = {.meant = NULL}};
    struct span place = fault->span;
    size_t length = fault->length;
    const char *found = fault->found;
    fault->hint = &room;
    if (is_behind_no_type(fault)) {
        place = syntax->before_span;
        found = source_slice(&place, &length);
    }
    if (length)
        strbuf_printf(&message, "found '%.*s'", (int)(length < 40 ? length : 40), found);
    else
        strbuf_printf(&message, "found the end of the %s", fault->at_end ? "file" : "line");
    if (lacks_end(fault, &place) && length)
        strbuf_printf(&message, " on line %u", fault->span.line);
    strbuf_add(&message, ", ");
    if (is_behind_no_type(fault))
        strbuf_add(&message, "expected a type");
    else
        describe_expected(&message, fault->expected, fault->count);
    const char *hint = hint_of(fault);
    if (hint)
        strbuf_printf(&message, "; %s", hint);
    diag_error(syntax->diag, DIAG_LIT_SYNTAX, place, "%s", strbuf_text(&message));
    diag_meant_within(syntax->diag, place, room.fix.within, room.fix.word, room.fix.meant);
    strbuf_fini(&room.text);
}

/* Tests one behind the other, as generate prints them. */
static bool is_next_test(const struct fault *fault)
{
    size_t length;
    const char *line = source_line(fault->span.source, fault->span.line, &length);
    return fault->length && fault->span.column == 1 && fault->syntax->started &&
           lit_dialect_begins_test(line, line + length);
}

/* Nothing is read any more. */
static void refuse_next_test(struct lit_syntax *syntax, struct span span)
{
    syntax->stopped = syntax->unclosed = true;
    diag_error(syntax->diag, DIAG_LIT_SYNTAX, span,
               "found a second test, expected one in a file; several, one behind the other, are "
               "read from standard input: give '-' for the file, and '< FILE' behind the command");
}

void lit_syntax_unexpected(struct lit_syntax *syntax, struct span span, bool at_end,
                           const char *const *expected, int count)
{
    syntax->broken = true;
    syntax->stopped |= syntax->hasty;
    if (syntax->hasty)
        return;
    if ((at_end && syntax->unclosed) || syntax->diag->errors - syntax->errors >= DIAG_MAX_KEPT) {
        if (!at_end)
            diag_error(syntax->diag, DIAG_LIT_SYNTAX, span, "not shown");
        return;
    }
    struct fault fault = {.syntax = syntax,
                          .span = span,
                          .found = "",
                          .at_end = at_end,
                          .expected = expected,
                          .count = count};
    if (!at_end)
        fault.found = source_slice(&span, &fault.length);
    if (fault.length && lit_syntax_hole(syntax, span, fault.found))
        return;
    if (is_next_test(&fault))
        refuse_next_test(syntax, span);
    else if (is_alias(&fault))
        lit_syntax_alias(syntax, span);
    else if ((at_end || fault.length) && is_behind_open_brace(syntax, &fault))
        return;
    else
        report(syntax, &fault);
}
