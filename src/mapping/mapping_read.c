/* Mapping files: a function for each construct. */
#include "mapping/mapping_read.h"
#include "litmus/lit_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Rules ---- */

static bool read_formal(struct lit_reading *reading)
{
    struct lit_rule *rule = reading->rule;
    if (rule->formal_count + 1 >= LIT_MAX_MAPPED_FORMALS)
        return lit_reading_unexpected(reading, "fewer parameters", NULL, 0);
    return lit_reading_take_name(reading, "a parameter", &rule->formals[rule->formal_count++]);
}

/* What a source may have: a function, or a name that some definition file has. */
static void check_replaced(struct lit_reading *reading, const char *name, struct span span)
{
    const struct lit_call *known = lit_word_function(name);
    const char *file_to_use;
    if (known || lit_uses_advice(reading->arena, name, &file_to_use) ||
        lit_uses_find(&reading->definitions, reading->definitions.count, name))
        return;
    const char *near = lit_uses_nearest(reading->arena, &reading->definitions, name, true);
    READING_FAULT(
        reading, span,
        near ? "there is no instruction '%s'; did you mean '%s'?"
             : "there is no instruction '%s' in the language or in a definition file that is "
               "built in or used here",
        name, near);
    diag_meant_by(reading->diag, span, name, near);
}

static bool read_instead(struct lit_reading *reading)
{
    struct lit_rule *rule = reading->rule;
    lit_reading_next(reading);
    if (!lit_reading_take(reading, MAPPING_WORD(of)))
        return false;
    if (lit_reading_is(reading, MAPPING_WORD(store))) {
        rule->kind = LIT_RULE_STORE;
        lit_reading_next(reading);
        return read_formal(reading) && lit_reading_take(reading, ",") && read_formal(reading);
    }
    rule->kind = LIT_RULE_INSTRUCTION;
    struct span span = reading->span;
    if (!lit_reading_take_name(reading, "'store X, V' or an instruction", &rule->name))
        return false;
    check_replaced(reading, rule->name, span);
    if (!lit_reading_is(reading, "("))
        return true;
    const struct lit_call *known = lit_word_function(rule->name);
    lit_reading_next(reading);
    if (known && known->instr == LIT_PBARRIER && !lit_reading_is(reading, ")"))
        return lit_reading_unexpected(
            reading,
            "')': a persist barrier is found in all its spellings, and has no "
            "parameters here",
            NULL, 0);
    while (!lit_reading_is(reading, ")"))
        if (!read_formal(reading) ||
            (!lit_reading_is(reading, ")") && !lit_reading_take(reading, ",")))
            return false;
    lit_reading_next(reading);
    return true;
}

static bool read_every(struct lit_reading *reading)
{
    static const char *const sorts[] = {MAPPING_WORD(iterations), MAPPING_WORD(launches)};
    struct lit_rule *rule = reading->rule;
    lit_reading_next(reading);
    const char *scope = reading->scheme->scope;
    char *end;
    unsigned long period = strtoul(reading->word, &end, 10);
    rule->scoped = scope == reading->word;
    rule->period = (uint32_t)period;
    if (!rule->scoped && (*end || period < 1 || period > LIT_MAX_PERIOD))
        return lit_reading_unexpected(
            reading,
            scope ? arena_printf(reading->arena, "a number from 1, or '%s'", scope)
                  : "a number from 1, or the scope that the pragma names, as in "
                    "'pragma .. scope N'",
            &scope, scope != NULL);
    lit_reading_next(reading);
    rule->kind =
        lit_reading_is(reading, MAPPING_WORD(launches)) ? LIT_RULE_LAUNCHES : LIT_RULE_ITERATIONS;
    if (!lit_reading_is(reading, MAPPING_WORD(launches)) &&
        !lit_reading_is(reading, MAPPING_WORD(iterations)))
        return lit_reading_unexpected(reading, "'iterations' or 'launches'", sorts, 2);
    lit_reading_next(reading);
    return true;
}

static bool read_head(struct lit_reading *reading)
{
    static const char *const starts[] = {MAPPING_WORD(after),    MAPPING_WORD(instead),
                                         MAPPING_WORD(at),       MAPPING_WORD(every),
                                         MAPPING_WORD(promises), MAPPING_WORD(keep)};
    struct lit_rule *rule = reading->rule;
    if (lit_reading_is(reading, MAPPING_WORD(instead)))
        return read_instead(reading);
    if (lit_reading_is(reading, MAPPING_WORD(every)))
        return read_every(reading);
    if (lit_reading_is(reading, MAPPING_WORD(after))) {
        rule->kind = LIT_RULE_AFTER_STORE;
        lit_reading_next(reading);
        return lit_reading_take(reading, MAPPING_WORD(store)) && read_formal(reading);
    }
    if (!lit_reading_is(reading, MAPPING_WORD(at)))
        return lit_reading_unexpected(
            reading,
            "a rule, 'after store', 'instead of', 'at end' or 'every', or 'promises' or 'keep'",
            starts, 6);
    rule->kind = LIT_RULE_END;
    lit_reading_next(reading);
    return lit_reading_take(reading, MAPPING_WORD(end));
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
static void check_rule(struct lit_reading *reading)
{
    const struct lit_rule *rule = reading->rule;
    uint32_t stores = 1u << LIT_RULE_AFTER_STORE | 1u << LIT_RULE_STORE;
    bool again = rule->kind == LIT_RULE_AFTER_STORE || rule->kind == LIT_RULE_STORE
                     ? (reading->scheme->kinds & stores) != 0
                     : rule->kind == LIT_RULE_END && reading->scheme->kinds >> LIT_RULE_END & 1;
    for (const struct lit_rule *other = reading->scheme->rules; other; other = other->next)
        again |= rule->name && other->name == rule->name;
    if (again)
        READING_FAULT(reading, rule->span, "the scheme has such a rule already; write them as one");
    if (rule->kind == LIT_RULE_STORE && (count_uses(rule->items, rule->formals[1]) != 1 ||
                                         count_uses(rule->items, rule->formals[0]) == 0))
        READING_FAULT(reading, rule->span,
                      "what stands instead of a store has its location, and its value once");
    if (!reading->scheme->pragma && rule->kind > LIT_RULE_INSTRUCTION)
        READING_FAULT(
            reading, rule->span,
            "this rule needs a pragma, which says what it covers; expected it in 'pragma .. { .. "
            "}'");
}

static bool read_rule(struct lit_reading *reading, const struct lit_rule ***last)
{
    struct lit_rule *rule = ARENA_NEW(reading->arena, struct lit_rule);
    reading->rule = rule;
    rule->span = reading->span;
    if (!read_head(reading) || !lit_reading_take(reading, ":"))
        return false;
    rule->items = lit_reading_items(reading);
    if (reading->stopped)
        return false;
    check_rule(reading);
    reading->scheme->kinds |= 1u << rule->kind;
    **last = rule;
    *last = &rule->next;
    return true;
}

/* `keep dmb_st, isb;`: a rule for each. */
static bool read_kept(struct lit_reading *reading, const struct lit_rule ***last)
{
    do {
        struct lit_rule *rule = ARENA_NEW(reading->arena, struct lit_rule);
        lit_reading_next(reading);
        reading->rule = rule;
        rule->kind = LIT_RULE_KEEP;
        rule->span = reading->span;
        if (!lit_reading_take_name(reading, "the name of an instruction", &rule->name))
            return false;
        check_replaced(reading, rule->name, rule->span);
        check_rule(reading);
        **last = rule;
        *last = &rule->next;
    } while (lit_reading_is(reading, ","));
    return lit_reading_take(reading, ";");
}

/* A built-in one by its name, or a file by its path. */
static bool take_model(struct lit_reading *reading, const char *what, const char **name)
{
    if (!lit_reading_is_name(reading) && !strchr("./", reading->word[0]))
        return lit_reading_unexpected(reading, what, NULL, 0);
    *name = reading->word;
    lit_reading_next(reading);
    return true;
}

static bool read_pair(struct lit_reading *reading, const char **visibility,
                      const char **persistency)
{
    return take_model(reading, "a visibility model", visibility) &&
           lit_reading_take(reading, "+") &&
           take_model(reading, "a persistency model", persistency);
}

/* `promises sc + strict under sc + lin-wpq;` */
static bool read_promise(struct lit_reading *reading, struct lit_promise *promise)
{
    promise->span = reading->span;
    lit_reading_next(reading);
    return read_pair(reading, &promise->source_visibility, &promise->source_persistency) &&
           lit_reading_take(reading, MAPPING_WORD(under)) &&
           read_pair(reading, &promise->target_visibility, &promise->target_persistency) &&
           lit_reading_take(reading, ";");
}

/* ---- Schemes ---- */

static bool read_pragma(struct lit_reading *reading, struct lit_scheme *scheme)
{
    struct strbuf words = {0};
    uint32_t line = reading->line;
    while (lit_reading_is_name(reading) && !lit_reading_is(reading, MAPPING_WORD(scope)) &&
           reading->span.line == line) {
        strbuf_printf(&words, "%s%s", words.length ? " " : "", reading->word);
        lit_reading_next(reading);
    }
    bool good =
        words.length > 0 || lit_reading_unexpected(reading, "the words of a pragma", NULL, 0);
    scheme->pragma = strbuf_take(&words, reading->arena);
    if (good && lit_reading_is(reading, MAPPING_WORD(scope))) {
        lit_reading_next(reading);
        good = lit_reading_take_name(reading, "a name for the scope", &scheme->scope);
    }
    return good;
}

static bool read_scheme(struct lit_reading *reading, struct lit_scheme *scheme)
{
    static const char *const starts[] = {MAPPING_WORD(pragma), MAPPING_WORD(everywhere),
                                         MAPPING_WORD(uses)};
    bool pragma = lit_reading_is(reading, MAPPING_WORD(pragma));
    scheme->span = reading->span;
    reading->scheme = scheme;
    if (!pragma && !lit_reading_is(reading, MAPPING_WORD(everywhere)))
        return lit_reading_unexpected(
            reading,
            lit_reading_is(reading, "#")
                ? "'pragma', 'everywhere' or 'uses', without '#'; a comment begins "
                  "with '//'"
                : "'pragma', 'everywhere' or 'uses'",
            starts, 3);
    lit_reading_next(reading);
    if ((pragma && !read_pragma(reading, scheme)) || !lit_reading_take(reading, "{"))
        return false;
    VEC(struct lit_promise) promises = {0};
    const struct lit_rule **last = &scheme->rules;
    bool good = true;
    while (good && !lit_reading_is(reading, "}")) {
        struct lit_promise promise = {0};
        good = lit_reading_is(reading, MAPPING_WORD(promises)) ? read_promise(reading, &promise)
               : lit_reading_is(reading, MAPPING_WORD(keep))   ? read_kept(reading, &last)
                                                               : read_rule(reading, &last);
        if (promise.target_persistency)
            VEC_PUSH(&promises, promise);
    }
    scheme->promises = VEC_KEEP(reading->arena, &promises);
    scheme->promise_count = (uint32_t)promises.count;
    VEC_FREE(&promises);
    return good && lit_reading_take(reading, "}");
}

static void check_scheme(struct lit_reading *reading, const struct mapping *mapping,
                         const struct lit_scheme *scheme)
{
    for (const struct lit_scheme *other = mapping->schemes; other != scheme; other = other->next)
        if (!other->pragma || !scheme->pragma || strcmp(other->pragma, scheme->pragma) == 0) {
            READING_FAULT(reading, scheme->span, "%s; keep one",
                          other->pragma && scheme->pragma
                              ? "this pragma has a scheme already"
                              : "'everywhere' stands alone, and leaves nothing to other schemes");
            return;
        }
}

/* The files named, and all that they define. */
static bool read_uses(struct lit_reading *reading, struct mapping *mapping,
                      const struct lit_surroundings *surroundings)
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
    while (lit_reading_is(reading, MAPPING_WORD(uses))) {
        lit_reading_next(reading);
        size_t length = strlen(reading->word);
        bool quoted = length > 2 && reading->word[0] == '"' && reading->word[length - 1] == '"';
        if (!quoted && !lit_reading_unexpected(reading, "a definition file in quotes", NULL, 0))
            break;
        struct ast_name name = {intern_bytes(reading->names, reading->word + 1, length - 2),
                                reading->span};
        CHAIN_ADD(&test->uses,
                  AST_NEW(&reading->syntax, ast_use, .name = name, .span = reading->span));
        VEC_PUSH(&files, name.text);
        lit_reading_next(reading);
    }
    mapping->uses = VEC_KEEP(reading->arena, &files);
    mapping->use_count = (uint32_t)files.count;
    VEC_FREE(&files);
    return !reading->failed && lit_uses_read(&reading->syntax, surroundings, &reading->definitions);
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

static bool read_file(struct lit_reading *reading, struct mapping *mapping,
                      const struct lit_surroundings *surroundings)
{
    const struct lit_scheme **last = &mapping->schemes;
    lit_reading_next(reading);
    if (!read_uses(reading, mapping, surroundings))
        return false;
    do {
        struct lit_scheme *scheme = ARENA_NEW(reading->arena, struct lit_scheme);
        *last = scheme;
        last = &scheme->next;
        if (!read_scheme(reading, scheme))
            return false;
        check_scheme(reading, mapping, scheme);
    } while (!lit_reading_is(reading, ""));
    if (reading->at < reading->source->length)
        READING_FAULT(reading, reading->span,
                      "found a NUL byte, which has no place here; remove it");
    return !reading->failed;
}

static const struct mapping *read_as(const char *name, struct lit_reading *reading,
                                     const struct lit_surroundings *surroundings)
{
    struct mapping *mapping = ARENA_NEW(reading->arena, struct mapping);
    mapping->name = name;
    mapping->source = reading->source;
    mapping->title = title_of(reading->arena, reading->source);
    reading->line = reading->column = 1;
    bool good = read_file(reading, mapping, surroundings);
    VEC_FREE(&reading->unknown);
    return good ? mapping : NULL;
}

const struct mapping *mapping_read(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *folder,
                                   const struct source *source, struct diag *diag)
{
    struct lit_reading reading = {.arena = arena, .names = names, .diag = diag, .source = source};
    const struct lit_surroundings surroundings = {.reach = reach, .folder = folder};
    return read_as(source->name, &reading, &surroundings);
}

/* ---- By name ---- */

static const struct source *builtin_source(struct arena *arena, const char *name, struct diag *diag)
{
    VEC(const char *) names = {0};
    EACH (const struct source_builtin, builtin, map_builtins, map_builtin_count) {
        const char *own = source_builtin_name(arena, builtin);
        VEC_PUSH(&names, own);
        if (strcmp(own, name) != 0)
            continue;
        VEC_FREE(&names);
        return source_from_builtin(arena, builtin);
    }
    const char *near = diag_nearest(name, names.items, names.count);
    diag_error(diag, DIAG_LIT_MAPPING, NOWHERE,
               near ? "there is no mapping '%s'; did you mean '%s'?"
                    : "there is no mapping '%s'; crashlit mappings lists those that are built in, "
                      "and a file is named as FILE" MAPPINGS,
               name, near);
    VEC_FREE(&names);
    return NULL;
}

bool mapping_is_file(const char *name)
{
    return reach_is_path(name, MAPPINGS);
}

const struct mapping *mapping_load(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *name, struct diag *diag)
{
    const char *why = strerror(ENOENT);
    bool is_file = mapping_is_file(name);
    const struct source *source =
        is_file ? source_load(arena, name, &why) : builtin_source(arena, name, diag);
    if (!source && is_file)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read the mapping '%s': %s", name, why);
    if (!source)
        return NULL;
    struct lit_reading reading = {.arena = arena, .names = names, .diag = diag, .source = source};
    const struct lit_surroundings surroundings = {
        .reach = reach, .folder = is_file ? reach_folder(arena, name) : NULL};
    return read_as(name, &reading, &surroundings);
}
