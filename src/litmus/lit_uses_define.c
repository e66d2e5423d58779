#include "litmus/lit_uses_reading.h"
#include "litmus/lit_words.h"

#include <string.h>

/* Those so far. */
static struct lit_definitions definitions_of(const struct lit_uses_reading *reading)
{
    return (struct lit_definitions){.items = reading->definitions.items,
                                    .count = (uint32_t)reading->definitions.count};
}

/* ---- What a body does ---- */

/* A definition that is walked. */
struct walk {
    struct lit_uses_reading *reading;
    struct lit_definition *definition;
    uint32_t depth;
    uint32_t seen; /* bit i: `rooms[i]` of the definition is known */
    bool in_loop;
};

static void walk_expr(struct walk *walk, struct ast_expr *expr, enum lit_formal role);

static uint32_t find_formal(const struct lit_definition *definition, const char *name)
{
    uint32_t i = 0;
    while (i < definition->count && definition->formals[i] != name)
        i++;
    return i;
}

/* What is a place somewhere is one everywhere, as its address gives its value. */
static void note_name(struct walk *walk, const struct ast_name *name, enum lit_formal role)
{
    struct lit_definition *definition = walk->definition;
    uint32_t formal = find_formal(definition, name->text);
    if (formal < definition->count) {
        enum lit_formal *kind = &definition->kinds[formal];
        if (*kind == LIT_FORMAL_VALUE || role == LIT_FORMAL_PLACE)
            *kind = role;
        return;
    }
    if (role == LIT_FORMAL_WORD)
        return;
    const char *near = diag_nearest(name->text, definition->formals, definition->count);
    LIT_USES_FAIL(
        walk->reading, DIAG_LIT_DEFINITION, name->span,
        near ? "'%s' is no parameter of '%s'; did you mean '%s'?"
             : "'%s' is no parameter of '%s'; a definition speaks of its parameters and of numbers "
               "alone",
        name->text, definition->name, near);
    diag_meant_by(walk->reading->test->diag, name->span, name->text, near);
}

static const struct ast_macro *find_macro(const struct ast_macros *macros, const char *name)
{
    const struct ast_macro *at = macros->first;
    while (at && at->name.text != name)
        at = at->next;
    return at;
}

static void report_unknown(struct walk *walk, const struct ast_name *name)
{
    struct lit_uses_reading *reading = walk->reading;
    if (name->text == walk->definition->name) {
        LIT_USES_FAIL(
            reading, DIAG_LIT_DEFINITION, name->span,
            "'%s' is defined by itself here; a definition uses names that are defined above it",
            name->text);
        return;
    }
    if (find_macro(reading->file, name->text)) {
        LIT_USES_FAIL(
            reading, DIAG_LIT_DEFINITION, name->span,
            "'%s' is defined below; a definition uses names that are defined above it: move '%s' "
            "behind it",
            name->text, walk->definition->name);
        return;
    }
    const struct lit_definitions all = definitions_of(reading);
    const char *near = lit_uses_nearest(reading->test->arena, &all, name->text, true);
    if (reading->alone) {
        diag_warning(reading->test->diag, DIAG_LIT_DEFINITION, name->span,
                     near ? "there is no function '%s' in the language or above, but perhaps in a "
                            "file that a test uses before this one; did you mean '%s'?"
                          : "there is no function '%s' in the language or above, but perhaps in a "
                            "file that a test uses before this one",
                     name->text, near);
        diag_meant_by(reading->test->diag, name->span, name->text, near);
        return;
    }
    LIT_USES_FAIL(
        reading, DIAG_LIT_DEFINITION, name->span,
        near ? "there is no function '%s'; did you mean '%s'?"
             : "there is no function '%s'; a definition uses built-in functions and names that "
               "are defined above it",
        name->text, near);
    diag_meant_by(reading->test->diag, name->span, name->text, near);
}

/* Those of primitives are known when code is made of them. */
static bool is_primitive(const char *name)
{
    return name[0] == '_' && name[1] == '_';
}

static bool is_mark(const struct ast_tags *tags)
{
    for (const struct ast_tag *tag = tags->first; tag; tag = tag->next)
        if (strcmp(tag->name.text, "tx_begin") == 0 || strcmp(tag->name.text, "tx_end") == 0 ||
            strcmp(tag->name.text, "tx_abort") == 0)
            return true;
    return false;
}

/* Each once, however often what is called has it. A definition of very many is not looked into. */
static void note_tag(struct walk *walk, const char *tag)
{
    struct lit_definition *definition = walk->definition;
    for (uint32_t i = 0; i < definition->tag_count; i++)
        if (strcmp(definition->tags[i], tag) == 0)
            return;
    if (definition->tag_count == LIT_MAX_TAGS) {
        definition->acts = true;
        return;
    }
    const char **tags =
        ARENA_ARRAY(walk->reading->test->arena, const char *, definition->tag_count + 1);
    for (uint32_t i = 0; i < definition->tag_count; i++)
        tags[i] = definition->tags[i];
    tags[definition->tag_count++] = tag;
    definition->tags = tags;
}

static bool is_ordering(enum lit_instr_op op)
{
    return op == LIT_FENCE || op == LIT_CM || lit_instruction_meets(op);
}

/* What a call of another definition does, this one does. */
static void note_callee(struct walk *walk, const struct lit_definition *callee)
{
    walk->definition->marks |= callee->marks;
    walk->definition->acts |= callee->acts;
    walk->definition->orders |= callee->orders;
    for (uint32_t i = 0; i < callee->tag_count; i++)
        note_tag(walk, callee->tags[i]);
}

/* A word in braces that is an order or a scope is no tag; a scope alone says nothing. */
static void note_primitive(struct walk *walk, const struct ast_expr *expr)
{
    struct lit_definition *definition = walk->definition;
    uint32_t ignored;
    definition->marks |= is_mark(&expr->tags);
    definition->acts |=
        strcmp(expr->name.text, "__fence") != 0 && strcmp(expr->name.text, "__cm") != 0;
    for (const struct ast_tag *tag = expr->tags.first; tag; tag = tag->next) {
        enum lit_word_class word = lit_word_class(tag->name.text, &ignored);
        definition->orders |= word == LIT_WORD_ORDER;
        if (word == LIT_WORD_OTHER)
            note_tag(walk, tag->name.text);
    }
}

static void note_call(struct walk *walk, const struct ast_expr *expr)
{
    const struct lit_call *call = lit_word_function(expr->name.text);
    if (expr->definition)
        note_callee(walk, expr->definition);
    else if (is_primitive(expr->name.text))
        note_primitive(walk, expr);
    else if (call && is_ordering(call->instr))
        walk->definition->orders = true;
    else
        walk->definition->acts = true;
}

static void bind(struct walk *walk, struct ast_expr *expr)
{
    const struct lit_definitions all = definitions_of(walk->reading);
    expr->bound = true;
    expr->definition = lit_uses_find(&all, all.count, expr->name.text);
    note_call(walk, expr);
    if (!expr->definition && !is_primitive(expr->name.text) && !lit_word_function(expr->name.text))
        report_unknown(walk, &expr->name);
}

/* What a function does with its argument of that number. */
static enum lit_formal role_of(const struct ast_expr *call, uint32_t number)
{
    const struct lit_definition *definition = call->definition;
    if (definition)
        return number < definition->count ? definition->kinds[number] : LIT_FORMAL_VALUE;
    if (call->kind == AST_CALL && is_primitive(call->name.text)) {
        bool operates = strstr(call->name.text, "_op") != NULL; /* what it does comes second */
        if (strcmp(call->name.text, "__fence") == 0)
            return number == 0 && call->args.count == 2 ? LIT_FORMAL_WORD : LIT_FORMAL_VALUE;
        return number == 0               ? LIT_FORMAL_PLACE
               : number == 1 && operates ? LIT_FORMAL_WORD
                                         : LIT_FORMAL_VALUE;
    }
    bool method = call->kind == AST_METHOD;
    const struct lit_call *known =
        method ? lit_word_method(call->name.text) : lit_word_function(call->name.text);
    if (!known || !lit_instruction_is(known->instr, LIT_PLACED))
        return LIT_FORMAL_WORD;
    number += method;
    return number == 0                             ? LIT_FORMAL_PLACE
           : number <= lit_word_value_count(known) ? LIT_FORMAL_VALUE
                                                   : LIT_FORMAL_WORD;
}

/* A parameter that is a word stands where there is that room: it is what all such places take. */
static void note_room(struct walk *walk, const char *name, struct lit_word_room room)
{
    uint32_t formal = find_formal(walk->definition, name);
    if (formal == walk->definition->count)
        return;
    struct lit_word_room *all = &walk->definition->rooms[formal];
    if (!(walk->seen >> formal & 1))
        *all = room;
    else
        *all = (struct lit_word_room){all->order && room.order, all->scope && room.scope,
                                      all->tag && room.tag, all->orders & room.orders};
    walk->seen |= 1U << formal;
}

/* The words of a call. */
static void note_rooms(struct walk *walk, const struct ast_expr *expr)
{
    static const struct lit_word_room any = {true, true, true, LIT_ORDERS_ANY};
    bool method = expr->kind == AST_METHOD, scope = false;
    const struct lit_definition *definition = expr->definition;
    const struct lit_call *call =
        method ? lit_word_method(expr->name.text) : lit_word_function(expr->name.text);
    uint32_t orders = 0, number = 0;
    for (const struct ast_tag *tag = expr->tags.first; tag; tag = tag->next)
        note_room(walk, tag->name.text, any);
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next, number++) {
        uint32_t ignored;
        if (arg->kind != AST_NAME || (!definition && !call))
            continue;
        if (definition) {
            if (number < definition->count && definition->kinds[number] == LIT_FORMAL_WORD)
                note_room(walk, arg->name.text, definition->rooms[number]);
            continue;
        }
        struct lit_word_room room = lit_word_room(call, method, orders, scope);
        enum lit_word_class kind = lit_word_class(arg->name.text, &ignored);
        if (number < lit_word_first(call, method))
            continue;
        bool formal = find_formal(walk->definition, arg->name.text) < walk->definition->count;
        note_room(walk, arg->name.text, room);
        orders += kind == LIT_WORD_ORDER || (formal && room.order);
        scope |= kind == LIT_WORD_SCOPE || (formal && !room.order);
    }
}

static void walk_call(struct walk *walk, struct ast_expr *expr)
{
    uint32_t number = 0;
    if (expr->kind == AST_CALL)
        bind(walk, expr);
    note_rooms(walk, expr);
    for (const struct ast_tag *tag = expr->tags.first; tag; tag = tag->next)
        note_name(walk, &tag->name, LIT_FORMAL_WORD);
    for (struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        walk_expr(walk, arg, role_of(expr, number++));
}

static bool enter(struct walk *walk, struct span span)
{
    if (walk->depth++ < LIT_MAX_BODY_DEPTH)
        return true;
    if (walk->depth == LIT_MAX_BODY_DEPTH + 1 && !walk->reading->failed)
        LIT_USES_FAIL(walk->reading, DIAG_LIT_TOO_DEEP, span,
                      "more than %d levels are nested in '%s'; split it into several definitions",
                      LIT_MAX_BODY_DEPTH, walk->definition->name);
    return false;
}

/* Of what a place is made of, all is one but an index. */
static void walk_parts(struct walk *walk, struct ast_expr *expr, enum lit_formal role)
{
    bool place = expr->kind == AST_DEREF || expr->kind == AST_ADDRESS || expr->kind == AST_INDEX ||
                 expr->kind == AST_MEMBER || expr->kind == AST_METHOD || expr->kind == AST_ASSIGN ||
                 expr->kind == AST_STEP;
    if (expr->a)
        walk_expr(walk, expr->a, place ? LIT_FORMAL_PLACE : role);
    if (expr->b)
        walk_expr(walk, expr->b, role == LIT_FORMAL_WORD ? role : LIT_FORMAL_VALUE);
    if (expr->c)
        walk_expr(walk, expr->c, LIT_FORMAL_VALUE);
}

/* What is no call: does it read or write? Not what only says where a location is. */
static bool is_access(enum ast_expr_kind kind, enum lit_formal role)
{
    return kind != AST_NAME && kind != AST_CALL && kind != AST_ADDRESS && kind != AST_NUMBER &&
           (role != LIT_FORMAL_PLACE || kind == AST_ASSIGN || kind == AST_STEP ||
            kind == AST_METHOD);
}

static void walk_expr(struct walk *walk, struct ast_expr *expr, enum lit_formal role)
{
    if (enter(walk, expr->span)) {
        if (expr->kind == AST_NAME)
            note_name(walk, &expr->name, role);
        walk->definition->acts |= is_access(expr->kind, role);
        walk_parts(walk, expr, role);
        if (expr->kind == AST_CALL || expr->kind == AST_METHOD)
            walk_call(walk, expr);
    }
    walk->depth--;
}

static void call_alone(struct walk *walk, struct ast_expr *expr)
{
    const struct lit_uses_reading *reading = walk->reading;
    bind(walk, expr);
    if (!expr->definition || !lit_uses_is_uncalled(expr->definition, expr))
        return;
    LIT_USES_FAIL(walk->reading, DIAG_LIT_ARGUMENT, expr->span, LIT_USES_UNCALLED, expr->name.text,
                  expr->name.text);
    diag_meant_by(reading->test->diag, expr->span, expr->name.text,
                  arena_printf(reading->test->arena, "%s()", expr->name.text));
}

/* A name that stands alone is called. */
static void walk_effects(struct walk *walk, struct ast_expr *expr)
{
    if (expr->kind == AST_NAME &&
        find_formal(walk->definition, expr->name.text) == walk->definition->count)
        call_alone(walk, expr);
    else
        walk_expr(walk, expr, LIT_FORMAL_VALUE);
}

static void walk_stmt(struct walk *walk, struct ast_stmt *stmt);

static void walk_loop(struct walk *walk, struct ast_stmt *stmt)
{
    bool outer = walk->in_loop;
    walk->definition->acts = true;
    walk->in_loop = true;
    walk_stmt(walk, stmt->a);
    walk->in_loop = outer;
    if (stmt->expr)
        walk_expr(walk, stmt->expr, LIT_FORMAL_VALUE);
    if (stmt->step)
        walk_effects(walk, stmt->step);
}

static void refuse_statement(struct walk *walk, const struct ast_stmt *stmt)
{
    LIT_USES_FAIL(
        walk->reading, DIAG_LIT_DEFINITION, stmt->span,
        "this statement has no place in a definition; expected calls, assignments, 'if' and loops");
}

static void walk_kind(struct walk *walk, struct ast_stmt *stmt)
{
    switch (stmt->kind) {
    case AST_S_EMPTY: break;
    case AST_S_EXPR: walk_effects(walk, stmt->expr); break;
    case AST_S_BLOCK:
        for (struct ast_stmt *part = stmt->body.first; part; part = part->next)
            walk_stmt(walk, part);
        break;
    case AST_S_IF:
        walk->definition->acts = true; /* what it does is not always the same */
        walk_expr(walk, stmt->expr, LIT_FORMAL_VALUE);
        walk_stmt(walk, stmt->a);
        if (stmt->b)
            walk_stmt(walk, stmt->b);
        break;
    case AST_S_LOOP: walk_loop(walk, stmt); break;
    case AST_S_BREAK:
    case AST_S_CONTINUE:
        if (!walk->in_loop)
            refuse_statement(walk, stmt);
        break;
    case AST_S_DECL:
    case AST_S_GROUP:
    case AST_S_RETURN:
    case AST_S_CRASH:
    case AST_S_LAUNCH:
    case AST_S_JOIN:
    case AST_S_PRAGMA:
    case AST_S_SWITCH:
    case AST_S_CASE:
    case AST_S_LABEL: refuse_statement(walk, stmt); break;
    }
}

static void walk_stmt(struct walk *walk, struct ast_stmt *stmt)
{
    if (enter(walk, stmt->span))
        walk_kind(walk, stmt);
    walk->depth--;
}

/* ---- The definitions of a file ---- */

static void take_formals(struct lit_uses_reading *reading, const struct ast_macro *macro,
                         struct lit_definition *definition)
{
    for (const struct ast_formal *at = macro->formals.first; at; at = at->next) {
        if (find_formal(definition, at->name.text) < definition->count)
            LIT_USES_FAIL(reading, DIAG_LIT_DUPLICATE, at->name.span,
                          "'%s' has two parameters '%s'; give one another name", definition->name,
                          at->name.text);
        if (definition->count == LIT_MAX_FORMALS) {
            LIT_USES_FAIL(reading, DIAG_LIT_TOO_LARGE, at->name.span,
                          "'%s' has more than %d parameters", definition->name, LIT_MAX_FORMALS);
            break;
        }
        definition->formals[definition->count++] = at->name.text;
    }
}

static bool is_new(struct lit_uses_reading *reading, const struct ast_macro *macro)
{
    for (size_t i = reading->above; i < reading->definitions.count; i++) {
        const struct lit_definition *other = reading->definitions.items[i];
        if (other->name != macro->name.text)
            continue;
        LIT_USES_FAIL(reading, DIAG_LIT_DUPLICATE, macro->name.span,
                      "'%s' is defined twice in this file; keep one", macro->name.text);
        diag_note(reading->test->diag, other->span, "'%s' is defined here", other->name);
        return false;
    }
    return true;
}

static void set_letters(struct lit_definition *definition)
{
    static const char letters[] = {
        [LIT_FORMAL_VALUE] = 'v', [LIT_FORMAL_PLACE] = 'l', [LIT_FORMAL_WORD] = 'w'};
    char *out = definition->letters;
    if (definition->value)
        *out++ = 'd';
    for (uint32_t i = 0; i < definition->count; i++)
        *out++ = letters[definition->kinds[i]];
}

static bool is_empty(const struct ast_stmts *body)
{
    const struct ast_stmt *stmt = body->first;
    while (stmt && stmt->kind == AST_S_EMPTY)
        stmt = stmt->next;
    return !stmt;
}

static void define(struct lit_uses_reading *reading, const struct ast_macro *macro)
{
    if (!is_new(reading, macro))
        return;
    struct lit_definition *definition = ARENA_NEW(reading->test->arena, struct lit_definition);
    struct walk walk = {.reading = reading, .definition = definition};
    definition->name = macro->name.text;
    definition->span = macro->name.span;
    definition->called = macro->called;
    take_formals(reading, macro, definition);
    if (macro->value)
        walk_expr(&walk, macro->value, LIT_FORMAL_VALUE);
    else if (!reading->failed && is_empty(&macro->body))
        diag_warning(reading->test->diag, DIAG_LIT_DEFINITION, macro->name.span,
                     "found an empty body, so '%s' does nothing and no model sees it; expected a "
                     "statement, such as __fence{%s};",
                     macro->name.text, macro->name.text);
    for (struct ast_stmt *stmt = macro->body.first; stmt; stmt = stmt->next)
        walk_stmt(&walk, stmt);
    definition->body = macro->body;
    definition->value = macro->value;
    set_letters(definition);
    VEC_PUSH(&reading->definitions, definition);
}

/* A path is that of a file beside the definition file; a built-in model is the same everywhere. */
static bool same_models(const struct lit_models *a, const struct lit_models *b)
{
    return a->visibility == b->visibility && a->persistency == b->persistency &&
           (text_same(a->folder, b->folder) || !(reach_is_path(a->visibility, REACH_MODELS) ||
                                                 reach_is_path(a->persistency, REACH_MODELS)));
}

static void take_models(struct lit_uses_reading *reading, const struct ast_expects *pairs)
{
    const struct ast_expect *first = pairs->first;
    if (!first)
        return;
    if (first->next) {
        LIT_USES_FAIL(reading, DIAG_LIT_DUPLICATE, first->next->span,
                      "this file names its models in line %u already; keep one", first->span.line);
        return;
    }
    const struct source *source = first->span.source;
    struct arena *arena = reading->test->arena;
    const struct lit_models *models =
        ARENA_MAKE(arena, struct lit_models, .visibility = first->visibility.text,
                   .persistency = first->persistency.text,
                   .folder = source->is_builtin ? NULL : reach_folder(arena, source->path),
                   .span = first->span);
    if (!reading->models)
        reading->models = models;
    else if (!reading->others && !same_models(reading->models, models))
        reading->others = models;
}

void lit_uses_define(struct lit_uses_reading *reading, const struct source *source)
{
    struct lit_syntax *test = reading->test;
    struct lit_syntax syntax = {.arena = test->arena,
                                .names = test->names,
                                .diag = test->diag,
                                .source = source,
                                .errors = test->diag->errors,
                                .test = test->test,
                                .initialised = true,
                                .defines = true};
    lit_syntax_parse(&syntax);
    reading->digest = source_digest(reading->digest, source);
    reading->failed |= syntax.broken || test->diag->errors > syntax.errors;
    take_models(reading, &syntax.models);
    reading->file = &syntax.macros;
    reading->above = reading->definitions.count;
    if (reading->above + syntax.macros.count > LIT_MAX_DEFINITIONS)
        LIT_USES_FAIL(reading, DIAG_LIT_TOO_LARGE, (struct span){.source = source},
                      "the definition files of this test have more than %d definitions",
                      LIT_MAX_DEFINITIONS);
    else
        for (const struct ast_macro *macro = syntax.macros.first; macro; macro = macro->next)
            define(reading, macro);
    lit_uses_order(reading, &syntax.orders);
}
