/* Mapping files: a scanner of words, and a function for each construct. What a scheme inserts is
 * looked up in the definition files that the mapping uses, so that a wrong name is found without a
 * test. */
#include "litmus/lit_mapping.h"
#include "litmus/lit_uses.h"
#include "litmus/lit_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 4096, MOST_NESTED = 4 };

struct reading {
    struct arena *arena;
    struct intern *names;
    struct diag *diag;
    const struct source *source;
    size_t at;             /* the next byte that is no blank */
    uint32_t line, column; /* of it */
    const char *word;      /* that stands there, interned; "" at the end */
    struct span span;
    uint32_t items;
    uint32_t nested;
    VEC(const char *) unknown; /* functions that were reported */
    bool failed;               /* a fault was reported */
    bool stopped;              /* and what follows cannot be read */
    struct lit_syntax syntax;  /* for the definition files */
    struct lit_definitions definitions;
    struct lit_scheme *scheme; /* at hand */
    struct lit_rule *rule;
};

#define FAIL(reading, id, ...) \
    ((void)((reading)->failed = true), diag_error((reading)->diag, id, __VA_ARGS__))
#define FAULT(reading, ...) FAIL(reading, DIAG_LIT_MAPPING, __VA_ARGS__)

/* ---- Words ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static void skip(struct reading *reading, size_t bytes)
{
    const char *text = reading->source->text + reading->at;
    (void)source_advance(reading->source, &reading->line, &reading->column, text, bytes);
    reading->at += bytes;
}

/* Blanks and comments. */
static size_t blank_length(const char *text)
{
    if (strchr(" \t\r\n", *text) && *text)
        return 1;
    if (text[0] == '/' && text[1] == '/')
        return strcspn(text, "\n");
    const char *end = text[0] == '/' && text[1] == '*' ? strstr(text + 2, "*/") : NULL;
    return end ? (size_t)(end + 2 - text) : 0;
}

/* A word has '-', '.' and '/' inside it, as names of models have, and begins with "./", "../" or
 * '/' when it is the path of one. */
static size_t word_length(const char *text)
{
    size_t length = strspn(text, "./");
    length = is_letter(text[length]) ? length : 0;
    if (text[0] == '"') {
        const char *end = strpbrk(text + 1, "\"\n");
        return end && *end == '"' ? (size_t)(end + 1 - text) : 1;
    }
    while (is_letter(text[length]) ||
           (length && strchr("-./", text[length]) && text[length] && is_letter(text[length + 1])))
        length++;
    return length ? length : *text != '\0';
}

static void next(struct reading *reading)
{
    const char *text = reading->source->text;
    size_t length;
    while ((length = blank_length(text + reading->at)) > 0)
        skip(reading, length);
    length = word_length(text + reading->at);
    reading->word = intern_bytes(reading->names, text + reading->at, length);
    uint32_t line = reading->line, column = reading->column;
    reading->span = source_advance(reading->source, &line, &column, text + reading->at, length);
    reading->at += length;
    reading->line = line;
    reading->column = column;
}

static bool is(const struct reading *reading, const char *word)
{
    return strcmp(reading->word, word) == 0;
}

static bool is_name(const struct reading *reading)
{
    return is_letter(reading->word[0]) && !(reading->word[0] >= '0' && reading->word[0] <= '9');
}

static const char *shown(const struct reading *reading, const char *word)
{
    unsigned char c = (unsigned char)word[0];
    return c == '\0'           ? "the end of the file"
           : c < 32 || c > 126 ? "a character that has no place here"
                               : arena_printf(reading->arena, "'%.40s'", word);
}

/* `words` is NULL, or a list, with blanks between, of which the nearest is told. */
static bool unexpected_at(struct reading *reading, struct span span, const char *word,
                          const char *expected, const char *const *words, size_t count)
{
    const char *near = words ? diag_nearest(word, words, count) : NULL;
    if (!reading->stopped)
        FAULT(reading, span,
              near ? "found %s, expected %s; did you mean '%s'?" : "found %s, expected %s",
              shown(reading, word), expected, near);
    reading->stopped = true;
    return false;
}

static bool unexpected(struct reading *reading, const char *expected, const char *const *words,
                       size_t count)
{
    return unexpected_at(reading, reading->span, reading->word, expected, words, count);
}

static bool take(struct reading *reading, const char *word)
{
    if (!is(reading, word))
        return unexpected(reading, arena_printf(reading->arena, "'%s'", word), &word, 1);
    next(reading);
    return true;
}

static bool take_name(struct reading *reading, const char *what, const char **name)
{
    if (!is_name(reading))
        return unexpected(reading, what, NULL, 0);
    *name = reading->word;
    next(reading);
    return true;
}

/* ---- What a rule inserts ---- */

static bool is_formal(const struct reading *reading, const char *name)
{
    for (uint32_t i = 0; i < reading->rule->formal_count; i++)
        if (reading->rule->formals[i] == name)
            return true;
    return false;
}

/* Is it a function, or defined by the mapping's files, with so many arguments? */
static void check_call(struct reading *reading, const struct lit_item *item)
{
    const struct lit_definition *definition =
        lit_uses_find(&reading->definitions, reading->definitions.count, item->name);
    if (definition && definition->count != item->arg_count)
        FAULT(reading, item->span, "'%s' takes %u argument%s, found %u", item->name,
              definition->count, definition->count == 1 ? "" : "s", item->arg_count);
    if (definition || lit_word_function(item->name))
        return;
    for (size_t i = 0; i < reading->unknown.count; i++)
        if (reading->unknown.items[i] == item->name)
            return; /* one report is enough */
    VEC_PUSH(&reading->unknown, item->name);
    const char *near = lit_uses_nearest(reading->arena, &reading->definitions, item->name, true);
    const char *advice = near ? NULL : lit_uses_advice(reading->arena, item->name);
    if (near)
        FAULT(reading, item->span, "there is no function '%s' here; did you mean '%s'?", item->name,
              near);
    else
        FAULT(reading, item->span, "there is no function '%s' here; %s", item->name,
              advice ? advice
                     : "expected one of the language, or of a file that stands behind 'uses' at "
                       "the top");
}

static bool read_args(struct reading *reading, struct lit_item *item)
{
    item->parentheses = true;
    next(reading);
    while (!is(reading, ")")) {
        if (item->arg_count == LIT_MAX_MAPPED_FORMALS || !is_letter(reading->word[0]))
            return unexpected(reading, "an argument: a parameter, a word or a number", NULL, 0);
        item->args[item->arg_count++] = reading->word;
        next(reading);
        if (!is(reading, ")") && !take(reading, ","))
            return false;
    }
    next(reading);
    return true;
}

static const struct lit_item *read_items(struct reading *reading);

/* `each stored X { .. }`, `each launched K { .. }` */
static bool read_each(struct reading *reading, struct lit_item *item)
{
    static const char *const sorts[] = {"stored", "launched"};
    if (reading->rule->formal_count)
        return unexpected(reading,
                          "a statement that is not for each of some: one 'each' goes over all of "
                          "them",
                          NULL, 0);
    next(reading);
    item->kind = is(reading, "stored") ? LIT_ITEM_EACH_STORED : LIT_ITEM_EACH_LAUNCHED;
    if (!is(reading, "stored") && !is(reading, "launched"))
        return unexpected(reading, "'stored' or 'launched'", sorts, 2);
    bool launched = item->kind == LIT_ITEM_EACH_LAUNCHED;
    if (launched != (reading->rule->kind == LIT_RULE_LAUNCHES) ||
        (!launched && reading->rule->kind != LIT_RULE_END &&
         reading->rule->kind != LIT_RULE_ITERATIONS)) {
        FAULT(reading, item->span, "'each %s' has no place here; expected in a rule '%s'",
              reading->word, launched ? "every N launches" : "at end' or 'every N iterations");
        reading->stopped = true;
        return false;
    }
    next(reading);
    if (!take_name(reading, "a parameter", &item->name))
        return false;
    struct lit_rule *rule = reading->rule;
    rule->formals[rule->formal_count++] = item->name;
    bool good = take(reading, "{");
    item->items = good ? read_items(reading) : NULL;
    rule->formal_count--;
    return good && take(reading, "}");
}

static bool read_call(struct reading *reading, struct lit_item *item)
{
    static const char *const opening[] = {"first", "each"};
    item->name = reading->word;
    if (is(reading, "join") && reading->rule->kind == LIT_RULE_LAUNCHES) {
        next(reading);
        if (!is_formal(reading, reading->word))
            return unexpected(reading, "the parameter of 'each launched'", NULL, 0);
        item->args[item->arg_count++] = reading->word;
        next(reading);
        return take(reading, ";");
    }
    next(reading);
    if (is(reading, "{"))
        return unexpected_at(reading, item->span, item->name, "a statement, or 'first {'", opening,
                             2);
    if (is(reading, "(") ? !read_args(reading, item) : !is(reading, ";"))
        return unexpected(reading, "'(' or ';'", NULL, 0);
    check_call(reading, item);
    return take(reading, ";");
}

static bool read_item(struct reading *reading, struct lit_item *item)
{
    item->span = reading->span;
    if (++reading->items > MOST_ITEMS || reading->nested > MOST_NESTED) {
        FAIL(reading, DIAG_LIT_TOO_LARGE, reading->span,
             "this mapping inserts more than %d statements, or in more than %d levels", MOST_ITEMS,
             MOST_NESTED);
        reading->stopped = true;
        return false;
    }
    if (is(reading, "each"))
        return read_each(reading, item);
    if (!is(reading, "first"))
        return read_call(reading, item);
    item->kind = LIT_ITEM_FIRST;
    next(reading);
    bool good = take(reading, "{");
    item->items = good ? read_items(reading) : NULL;
    return good && take(reading, "}");
}

static bool begins_rule(const struct reading *reading)
{
    return is(reading, "after") || is(reading, "instead") || is(reading, "at") ||
           is(reading, "every") || is(reading, "promises");
}

static const struct lit_item *read_items(struct reading *reading)
{
    const struct lit_item *first = NULL, **last = &first;
    reading->nested++;
    while (!reading->stopped && !begins_rule(reading) && !is(reading, "}")) {
        if (is(reading, ";")) { /* nothing */
            next(reading);
            continue;
        }
        if (!is_name(reading) || is(reading, "pragma") || is(reading, "everywhere")) {
            unexpected(reading, "a statement, a rule or '}'", NULL, 0);
            break;
        }
        struct lit_item *item = ARENA_NEW(reading->arena, struct lit_item);
        if (!read_item(reading, item))
            break;
        *last = item;
        last = (const struct lit_item **)&item->next;
    }
    reading->nested--;
    return first;
}

/* ---- Rules ---- */

static bool read_formal(struct reading *reading)
{
    struct lit_rule *rule = reading->rule;
    if (rule->formal_count + 1 >= LIT_MAX_MAPPED_FORMALS)
        return unexpected(reading, "fewer parameters", NULL, 0);
    return take_name(reading, "a parameter", &rule->formals[rule->formal_count++]);
}

/* What a source may have: a function, or a name that some definition file has. */
static void check_replaced(struct reading *reading, const char *name, struct span span)
{
    const struct lit_call *known = lit_word_function(name);
    if (known || lit_uses_advice(reading->arena, name) ||
        lit_uses_find(&reading->definitions, reading->definitions.count, name))
        return;
    const char *near = lit_uses_nearest(reading->arena, &reading->definitions, name, true);
    FAULT(reading, span,
          near ? "there is no instruction '%s'; did you mean '%s'?"
               : "there is no instruction '%s' in the language or in a definition file that is "
                 "built in or used here",
          name, near);
}

static bool read_instead(struct reading *reading)
{
    struct lit_rule *rule = reading->rule;
    next(reading);
    if (!take(reading, "of"))
        return false;
    if (is(reading, "store")) {
        rule->kind = LIT_RULE_STORE;
        next(reading);
        return read_formal(reading) && take(reading, ",") && read_formal(reading);
    }
    rule->kind = LIT_RULE_INSTRUCTION;
    struct span span = reading->span;
    if (!take_name(reading, "'store X, V' or an instruction", &rule->name))
        return false;
    check_replaced(reading, rule->name, span);
    if (!is(reading, "("))
        return true;
    const struct lit_call *known = lit_word_function(rule->name);
    next(reading);
    if (known && known->instr == LIT_PBARRIER && !is(reading, ")"))
        return unexpected(reading,
                          "')': a persist barrier is found in all its spellings, and has no "
                          "parameters here",
                          NULL, 0);
    while (!is(reading, ")"))
        if (!read_formal(reading) || (!is(reading, ")") && !take(reading, ",")))
            return false;
    next(reading);
    return true;
}

static bool read_every(struct reading *reading)
{
    static const char *const sorts[] = {"iterations", "launches"};
    struct lit_rule *rule = reading->rule;
    next(reading);
    const char *scope = reading->scheme->scope;
    char *end;
    unsigned long period = strtoul(reading->word, &end, 10);
    rule->scoped = scope == reading->word;
    rule->period = (uint32_t)period;
    if (!rule->scoped && (*end || period < 1 || period > LIT_MAX_PERIOD))
        return unexpected(reading,
                          scope ? arena_printf(reading->arena, "a number from 1, or '%s'", scope)
                                : "a number from 1, or the scope that the pragma names, as in "
                                  "'pragma .. scope N'",
                          &scope, scope != NULL);
    next(reading);
    rule->kind = is(reading, "launches") ? LIT_RULE_LAUNCHES : LIT_RULE_ITERATIONS;
    if (!is(reading, "launches") && !is(reading, "iterations"))
        return unexpected(reading, "'iterations' or 'launches'", sorts, 2);
    next(reading);
    return true;
}

static bool read_head(struct reading *reading)
{
    static const char *const starts[] = {"after", "instead", "at", "every", "promises"};
    struct lit_rule *rule = reading->rule;
    if (is(reading, "instead"))
        return read_instead(reading);
    if (is(reading, "every"))
        return read_every(reading);
    if (is(reading, "after")) {
        rule->kind = LIT_RULE_AFTER_STORE;
        next(reading);
        return take(reading, "store") && read_formal(reading);
    }
    if (!is(reading, "at"))
        return unexpected(reading,
                          "a rule, 'after store', 'instead of', 'at end' or 'every', or 'promises'",
                          starts, 5);
    rule->kind = LIT_RULE_END;
    next(reading);
    return take(reading, "end");
}

static uint32_t count_uses(const struct lit_item *items, const char *name)
{
    uint32_t count = 0;
    for (const struct lit_item *item = items; item; item = item->next) {
        count += count_uses(item->items, name);
        for (uint32_t i = 0; i < item->arg_count; i++)
            count += item->args[i] == name;
    }
    return count;
}

/* A rule that another of the scheme leaves nothing to do, or contradicts. */
static void check_rule(struct reading *reading)
{
    const struct lit_rule *rule = reading->rule;
    uint32_t stores = 1u << LIT_RULE_AFTER_STORE | 1u << LIT_RULE_STORE;
    bool again = rule->kind == LIT_RULE_AFTER_STORE || rule->kind == LIT_RULE_STORE
                     ? (reading->scheme->kinds & stores) != 0
                     : rule->kind == LIT_RULE_END && reading->scheme->kinds >> LIT_RULE_END & 1;
    for (const struct lit_rule *other = reading->scheme->rules; other; other = other->next)
        again |= rule->name && other->name == rule->name;
    if (again)
        FAULT(reading, rule->span, "the scheme has such a rule already; write them as one");
    if (rule->kind == LIT_RULE_STORE && (count_uses(rule->items, rule->formals[1]) != 1 ||
                                         count_uses(rule->items, rule->formals[0]) == 0))
        FAULT(reading, rule->span,
              "what stands instead of a store has its location, and its value once");
    if (!reading->scheme->pragma && rule->kind > LIT_RULE_INSTRUCTION)
        FAULT(reading, rule->span,
              "this rule needs a pragma, which says what it covers; expected it in 'pragma .. { .. "
              "}'");
}

static bool read_rule(struct reading *reading, const struct lit_rule ***last)
{
    struct lit_rule *rule = ARENA_NEW(reading->arena, struct lit_rule);
    reading->rule = rule;
    rule->span = reading->span;
    if (!read_head(reading) || !take(reading, ":"))
        return false;
    rule->items = read_items(reading);
    if (reading->stopped)
        return false;
    check_rule(reading);
    reading->scheme->kinds |= 1u << rule->kind;
    **last = rule;
    *last = &rule->next;
    return true;
}

/* A built-in one by its name, or a file by its path. */
static bool take_model(struct reading *reading, const char *what, const char **name)
{
    if (!is_name(reading) && !strchr("./", reading->word[0]))
        return unexpected(reading, what, NULL, 0);
    *name = reading->word;
    next(reading);
    return true;
}

static bool read_pair(struct reading *reading, const char **visibility, const char **persistency)
{
    return take_model(reading, "a visibility model", visibility) && take(reading, "+") &&
           take_model(reading, "a persistency model", persistency);
}

/* `promises sc + strict under sc + lin-wpq;` */
static bool read_promise(struct reading *reading, struct lit_promise *promise)
{
    promise->span = reading->span;
    next(reading);
    return read_pair(reading, &promise->source_visibility, &promise->source_persistency) &&
           take(reading, "under") &&
           read_pair(reading, &promise->target_visibility, &promise->target_persistency) &&
           take(reading, ";");
}

/* ---- Schemes ---- */

static bool read_pragma(struct reading *reading, struct lit_scheme *scheme)
{
    struct strbuf words = {0};
    uint32_t line = reading->line;
    while (is_name(reading) && !is(reading, "scope") && reading->span.line == line) {
        strbuf_printf(&words, "%s%s", words.length ? " " : "", reading->word);
        next(reading);
    }
    bool good = words.length > 0 || unexpected(reading, "the words of a pragma", NULL, 0);
    scheme->pragma = strbuf_take(&words, reading->arena);
    if (good && is(reading, "scope")) {
        next(reading);
        good = take_name(reading, "a name for the scope", &scheme->scope);
    }
    return good;
}

static bool read_scheme(struct reading *reading, struct lit_scheme *scheme)
{
    static const char *const starts[] = {"pragma", "everywhere", "uses"};
    bool pragma = is(reading, "pragma");
    scheme->span = reading->span;
    reading->scheme = scheme;
    if (!pragma && !is(reading, "everywhere"))
        return unexpected(reading,
                          is(reading, "#")
                              ? "'pragma', 'everywhere' or 'uses', without '#'; a comment begins "
                                "with '//'"
                              : "'pragma', 'everywhere' or 'uses'",
                          starts, 3);
    next(reading);
    if ((pragma && !read_pragma(reading, scheme)) || !take(reading, "{"))
        return false;
    VEC(struct lit_promise) promises = {0};
    const struct lit_rule **last = &scheme->rules;
    bool good = true;
    while (good && !is(reading, "}")) {
        struct lit_promise promise = {0};
        good =
            is(reading, "promises") ? read_promise(reading, &promise) : read_rule(reading, &last);
        if (promise.target_persistency)
            VEC_PUSH(&promises, promise);
    }
    scheme->promises = VEC_KEEP(reading->arena, &promises);
    scheme->promise_count = (uint32_t)promises.count;
    VEC_FREE(&promises);
    return good && take(reading, "}");
}

static void check_scheme(struct reading *reading, const struct lit_mapping *mapping,
                         const struct lit_scheme *scheme)
{
    for (const struct lit_scheme *other = mapping->schemes; other != scheme; other = other->next)
        if (!other->pragma || !scheme->pragma || strcmp(other->pragma, scheme->pragma) == 0) {
            FAULT(reading, scheme->span, "%s; keep one",
                  other->pragma && scheme->pragma
                      ? "this pragma has a scheme already"
                      : "'everywhere' stands alone, and leaves nothing to other schemes");
            return;
        }
}

/* The files named, and all that they define. */
static bool read_uses(struct reading *reading, struct lit_mapping *mapping,
                      const struct reach *reach)
{
    struct ast_test *test = ARENA_NEW(reading->arena, struct ast_test);
    test->dialect = lit_dialect_find("OPENCL", strlen("OPENCL")); /* definitions have none */
    reading->syntax = (struct lit_syntax){.arena = reading->arena,
                                          .names = reading->names,
                                          .diag = reading->diag,
                                          .source = reading->source,
                                          .errors = reading->diag->errors,
                                          .test = test};
    VEC(const char *) files = {0};
    while (is(reading, "uses")) {
        next(reading);
        size_t length = strlen(reading->word);
        bool quoted = length > 2 && reading->word[0] == '"' && reading->word[length - 1] == '"';
        if (!quoted && !unexpected(reading, "a definition file in quotes", NULL, 0))
            break;
        struct ast_name name = {intern_bytes(reading->names, reading->word + 1, length - 2),
                                reading->span};
        CHAIN_ADD(&test->uses,
                  AST_NEW(&reading->syntax, ast_use, .name = name, .span = reading->span));
        VEC_PUSH(&files, name.text);
        next(reading);
    }
    mapping->uses = VEC_KEEP(reading->arena, &files);
    mapping->use_count = (uint32_t)files.count;
    VEC_FREE(&files);
    const char *path = reading->source->path;
    struct lit_surroundings surroundings = {
        .reach = reach,
        .folder = strncmp(path, "builtin:", 8) ? reach_folder(reading->arena, path) : NULL};
    return !reading->failed &&
           lit_uses_read(&reading->syntax, &surroundings, &reading->definitions);
}

static const char *title_of(struct arena *arena, const struct source *source)
{
    const char *text = source->text;
    if (strncmp(text, "//", 2) != 0)
        return "";
    text += 2 + strspn(text + 2, " ");
    size_t length = strcspn(text, "\r\n");
    return arena_strndup(arena, text, length - (length && text[length - 1] == '.'));
}

static bool read_file(struct reading *reading, struct lit_mapping *mapping,
                      const struct reach *reach)
{
    const struct lit_scheme **last = &mapping->schemes;
    next(reading);
    if (!read_uses(reading, mapping, reach))
        return false;
    do {
        struct lit_scheme *scheme = ARENA_NEW(reading->arena, struct lit_scheme);
        *last = scheme;
        last = &scheme->next;
        if (!read_scheme(reading, scheme))
            return false;
        check_scheme(reading, mapping, scheme);
    } while (!is(reading, ""));
    if (reading->at < reading->source->length)
        FAULT(reading, reading->span, "found a NUL byte, which has no place here; remove it");
    return !reading->failed;
}

/* ---- By name ---- */

static const struct source *builtin_source(struct arena *arena, const char *name, struct diag *diag)
{
    VEC(const char *) names = {0};
    for (size_t i = 0; i < map_builtin_count; i++) {
        const struct source_builtin *builtin = &map_builtins[i];
        const char *own = source_builtin_name(arena, builtin);
        VEC_PUSH(&names, own);
        if (strcmp(own, name) != 0)
            continue;
        VEC_FREE(&names);
        return source_from_text(arena, arena_printf(arena, "builtin:%s", builtin->path),
                                builtin->text, builtin->length);
    }
    const char *near = diag_nearest(name, names.items, names.count);
    diag_error(diag, DIAG_LIT_MAPPING, NOWHERE,
               near ? "there is no mapping '%s'; did you mean '%s'?"
                    : "there is no mapping '%s'; crashlit mappings lists those that are built in, "
                      "and a file is named as FILE" LIT_MAPPINGS,
               name, near);
    VEC_FREE(&names);
    return NULL;
}

const struct lit_mapping *lit_mapping_load(struct arena *arena, struct intern *names,
                                           const struct reach *reach, const char *name,
                                           struct diag *diag)
{
    const char *why = strerror(ENOENT);
    bool is_file = strchr(name, '/') || reach_ends(name, LIT_MAPPINGS);
    const struct source *source =
        is_file ? source_load(arena, name, &why) : builtin_source(arena, name, diag);
    if (!source && is_file)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read the mapping '%s': %s", name, why);
    if (!source)
        return NULL;
    struct lit_mapping *mapping = ARENA_NEW(arena, struct lit_mapping);
    struct reading reading = {
        .arena = arena, .names = names, .diag = diag, .source = source, .line = 1, .column = 1};
    mapping->name = name;
    mapping->source = source;
    mapping->title = title_of(arena, source);
    bool good = read_file(&reading, mapping, reach);
    VEC_FREE(&reading.unknown);
    return good ? mapping : NULL;
}
