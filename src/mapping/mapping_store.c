/* A statement's stores are found twice: in its tree, which says what stands where, and in its code,
 * which says what is stored to and whether it is non-volatile. A statement is refused where the two
 * disagree on a store, or where a rule has to name a store's location again and cannot. */
#include "mapping/mapping_run.h"
#include "litmus/lit_words.h"

#include <string.h>

/* ---- Stores in a tree ---- */

struct store {
    const struct ast_expr *whole, *place;
    bool address;     /* the place is an address, not what is there */
    bool conditional; /* depends on a value in the statement */
    uint32_t count;   /* of stores that were found; the first is told */
};

static void note(struct store *store, const struct ast_expr *whole, const struct ast_expr *place,
                 bool address, bool conditional)
{
    if (store->count++)
        return;
    store->whole = whole;
    store->place = place;
    store->address = address;
    store->conditional = conditional;
}

static bool is_storing_call(const struct ast_expr *expr)
{
    bool method = expr->kind == AST_METHOD;
    const char *name = expr->name.text;
    const struct lit_call *known = method ? lit_word_method(name) : lit_word_function(name);
    if (known)
        return lit_instruction_writes(known->instr) && lit_instruction_is(known->instr, LIT_PLACED);
    return !method && (strcmp(name, "__store") == 0 || strcmp(name, "__xchg") == 0 ||
                       strcmp(name, "__cmpxchg") == 0 || strncmp(name, "__atomic_", 9) == 0);
}

static void find_stores(const struct mapping_run *run, const struct ast_expr *expr,
                        bool conditional, struct store *store)
{
    if (!expr)
        return;
    if ((expr->kind == AST_ASSIGN || expr->kind == AST_STEP) &&
        (expr->a->kind != AST_NAME || mapping_is_location(run, expr->a->name.text)))
        note(store, expr, expr->a, false, conditional);
    if (expr->kind == AST_CALL && expr->args.first && is_storing_call(expr))
        note(store, expr, expr->args.first, true, conditional);
    if (expr->kind == AST_METHOD && is_storing_call(expr))
        note(store, expr, expr->a, false, conditional);
    bool logic = expr->kind == AST_BINARY && (expr->op == LIT_OP_AND || expr->op == LIT_OP_OR);
    find_stores(run, expr->a, conditional, store);
    find_stores(run, expr->b, conditional || logic || expr->kind == AST_SELECT, store);
    find_stores(run, expr->c, conditional || expr->kind == AST_SELECT, store);
    for (const struct ast_expr *arg = expr->args.first; arg; arg = arg->next)
        find_stores(run, arg, conditional, store);
}

/* ---- Places ---- */

/* The index of a place, if it is `a[i]` or a member of that. False: an address of another form. */
static bool index_of(const struct ast_expr *place, const struct ast_expr **index)
{
    switch (place->kind) {
    case AST_NAME: return true;
    case AST_DEREF:
    case AST_ADDRESS:
    case AST_MEMBER: return index_of(place->a, index);
    case AST_INDEX:
        *index = place->b;
        return place->a->kind == AST_NAME && place->b->kind != AST_COMMA;
    default: return false;
    }
}

/* What instructions take for it, with `name` in the place of the index unless that is NULL. */
static const char *place_text(struct mapping_run *run, const struct store *store,
                              const struct ast_expr *index, const char *name)
{
    const struct ast_expr *place = store->place;
    struct span span = place->span;
    bool follows = !store->address && place->kind == AST_DEREF;
    bool bare = store->address || follows || place->kind == AST_NAME;
    if (name) {
        struct span before = {span.source, span.line, span.column, index->span.line,
                              index->span.column};
        struct span behind = {span.source, index->span.end_line, index->span.end_column,
                              span.end_line, span.end_column};
        return arena_printf(run->arena, "%s%s%s%s", bare ? "" : "&",
                            lit_edit_text(&run->edits, before) + follows, name,
                            lit_edit_text(&run->edits, behind));
    }
    const char *text = lit_edit_text(&run->edits, span) + follows;
    size_t length = strlen(text += strspn(text, " "));
    bool wrapped = follows && text[0] == '(' && strcspn(text, ")") == length - 1;
    return wrapped ? arena_strndup(run->arena, text + 1, length - 2)
                   : arena_printf(run->arena, "%s%s", bare ? "" : "&", text);
}

/* ---- Code ---- */

bool mapping_stores(const struct mapping_run *run, const struct lit_instr *instr)
{
    if (!lit_instruction_writes(instr->op) || !lit_instruction_is(instr->op, LIT_PLACED))
        return false;
    const struct lit_location *location = &run->program->locations[instr->addr.first];
    return location->nvm && !location->hidden;
}

/* How many stores to non-volatile memory the code of a span has that nothing was said of; one of
 * them. */
static uint32_t count_stores(const struct mapping_run *run, struct span span,
                             const struct lit_instr **last)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->thread->code_count; i++) {
        const struct lit_instr *instr = &run->thread->code[i];
        if (run->handled[i] || !span_begins_in(instr->span, span) || !mapping_stores(run, instr))
            continue;
        *last = instr;
        count++;
    }
    return count;
}

void mapping_leave(struct mapping_run *run, struct span span)
{
    for (uint32_t i = 0; i < run->thread->code_count; i++)
        run->handled[i] |= span_begins_in(run->thread->code[i].span, span);
}

static bool inserts_for_each(const struct lit_scheme *scheme)
{
    for (const struct lit_rule *rule = scheme->rules; rule; rule = rule->next)
        for (const struct lit_item *item = rule->items; item; item = item->next)
            if (item->kind == LIT_ITEM_EACH_STORED)
                return true;
    return false;
}

static bool is_about_stores(const struct lit_scheme *scheme)
{
    return scheme->kinds >> LIT_RULE_AFTER_STORE & 1 || scheme->kinds >> LIT_RULE_STORE & 1 ||
           inserts_for_each(scheme);
}

/* One that mechanisms may take for an instruction of their own: GPM's persist is an SC fence of
 * system scope, by any name (Pandey, Kamath, Basu, ASPLOS 2022, 3.1). */
static bool is_strongest_fence(const struct lit_instr *instr)
{
    return instr->op == LIT_FENCE && instr->order == LIT_ORDER_SC && instr->scope == LIT_SCOPE_ALL;
}

/* By a rule of its name; fences and persist barriers of the language have several. */
static bool is_kept(const struct lit_scheme *scheme, const struct lit_instr *instr)
{
    for (const struct lit_rule *rule = scheme->rules; rule; rule = rule->next) {
        const struct lit_call *known =
            rule->kind == LIT_RULE_KEEP ? lit_word_function(rule->name) : NULL;
        if (rule->kind == LIT_RULE_KEEP && rule->name == instr->name)
            return true;
        if (known && known->instr == instr->op && !instr->tags &&
            (instr->op == LIT_FENCE || (instr->op == LIT_PBARRIER && known->scope == instr->scope)))
            return true;
    }
    return false;
}

/* A persist barrier that no rule is about, in a scheme that replaces others, or an instruction with
 * tags in one that replaces defined ones; an instruction of a rule's name inside of a definition or
 * an expression. */
static bool is_passed_over(const struct lit_scheme *scheme, const struct lit_instr *instr)
{
    for (const struct lit_rule *rule = scheme->rules; rule; rule = rule->next) {
        if (rule->kind != LIT_RULE_INSTRUCTION)
            continue;
        const struct lit_call *known = lit_word_function(rule->name);
        if (rule->name == instr->name)
            return true;
        if (known && known->instr == LIT_PBARRIER && instr->op == LIT_PBARRIER)
            return true;
        if (!known && (instr->tags || is_strongest_fence(instr)))
            return true;
    }
    return false;
}

void mapping_check(struct mapping_run *run, const struct lit_region *region, struct span span)
{
    const struct lit_scheme *scheme = region->scheme;
    struct span told = {0};
    for (uint32_t i = 0; i < run->thread->code_count; i++) {
        const struct lit_instr *instr = &run->thread->code[i];
        if (run->handled[i] || !span_begins_in(instr->span, span))
            continue;
        bool again = instr->span.line == told.line && instr->span.column == told.column;
        bool stores = is_about_stores(scheme) && mapping_stores(run, instr);
        if (!again && stores)
            MAP_FAULT(run, instr->span,
                      instr->name
                          ? "this stores to non-volatile memory, by the definition of '%s'; "
                            "a mapping sees stores that stand in the test alone"
                          : "this stores to non-volatile memory inside of a condition or a "
                            "head%s; a mapping wants it as a statement of its own",
                      instr->name ? instr->name : "");
        else if (!again && !is_kept(scheme, instr) && is_passed_over(scheme, instr))
            MAP_FAULT(
                run, instr->span,
                "the mapping '%s' has no rule for this, and it would lose its meaning; add "
                "'instead of ..' or 'keep ..', or write it as the statement that a rule is about",
                run->mapping->name);
        else
            instr = NULL;
        told = instr ? instr->span : told;
        run->handled[i] = true;
    }
}

/* ---- Stores ---- */

static bool refuse_store(struct mapping_run *run, struct span span, const char *why)
{
    MAP_FAULT(run, span, "%s", why);
    return false;
}

/* The value of `X = V`, as it stands there. */
static const char *value_text(struct mapping_run *run, const struct store *store,
                              struct span extent)
{
    struct span behind = {extent.source, store->place->span.end_line, store->place->span.end_column,
                          extent.end_line, extent.end_column};
    const char *text = strchr(lit_edit_text(&run->edits, behind), '=');
    size_t length = text ? strlen(text) : 0;
    if (length < 2)
        return NULL;
    text += 1 + strspn(text + 1, " ");
    length = strlen(text);
    while (length && strchr("; \t\n", text[length - 1]))
        length--;
    return arena_strndup(run->arena, text, length);
}

static bool replace_store(struct mapping_run *run, struct lit_region *region,
                          const struct lit_spot *spot, const struct store *store,
                          const struct lit_instr *instr)
{
    const struct ast_stmt *stmt = spot->stmt;
    bool plain = stmt->kind == AST_S_EXPR && store->whole == stmt->expr &&
                 store->whole->kind == AST_ASSIGN && store->whole->op == LIT_OP_CONST &&
                 instr->op == LIT_STORE && instr->order == LIT_ORDER_NA && !instr->tags;
    const char *args[2] = {place_text(run, store, NULL, NULL),
                           plain ? value_text(run, store, stmt->extent) : NULL};
    if (!args[1])
        return refuse_store(
            run, instr->span,
            "the mapping puts another store instead of this one, which would lose what "
            "it is; only plain stores 'X = V' can be replaced");
    const struct lit_rule *rule = mapping_rule(region->scheme, LIT_RULE_STORE);
    const struct ast_expr *values[2] = {store->place, store->whole->b};
    if (!mapping_check_uses(run, rule, values, 2))
        return false;
    mapping_replace(run, rule, args, region, spot);
    return true;
}

/* ---- Named again at the end ---- */

/* The heads of the loops around a statement that are inside of what it is named behind, outermost
 * first; NULL where one cannot be repeated. */
static const char *heads_of(struct mapping_run *run, const struct lit_context *context)
{
    if (!context || context->counted)
        return "";
    const char *outer = heads_of(run, context->outer);
    bool repeatable =
        outer && context->head && context->declares && !mapping_leaves(context->loop, false);
    return repeatable ? arena_printf(run->arena, "%s%s ", outer, context->head) : NULL;
}

static bool is_in_loop(const struct lit_context *context)
{
    for (; context; context = context->outer)
        if (context->loop)
            return true;
    return false;
}

static void add_stored(struct lit_region *region, struct lit_stored place)
{
    EACH_IN (const struct lit_stored, other, region->stored)
        if (!other->flag && strcmp(other->text, place.text) == 0 &&
            strcmp(other->loops, place.loops) == 0)
            return;
    VEC_PUSH(&region->stored, place);
}

static const char *fresh(struct mapping_run *run, struct lit_region *region)
{
    const char *name = mapping_register(run, "stored");
    VEC_PUSH(&region->registers, name);
    return name;
}

/* What a statement needs besides: before it, and in the place of an index. */
struct kept {
    const char *before; /* "stored_1 = i;", or NULL */
    const char *name;   /* of the register, or NULL */
    const char *behind; /* "stored_2 = 1;", or NULL */
};

static bool keep_for_end(struct mapping_run *run, struct lit_region *region,
                         const struct lit_context *context, const struct store *store,
                         struct kept *kept)
{
    const struct ast_expr *index = NULL;
    bool known = index_of(store->place, &index);
    bool loops = is_in_loop(context);
    struct lit_stored place = {.loops = loops ? heads_of(run, context) : ""};
    bool same =
        known && (!index || mapping_is_kept(run, mapping_stretch(run, region), index, context));
    if (!place.loops || (loops && !same))
        return refuse_store(
            run, store->whole->span,
            "what this store in a loop writes cannot be told where the mapping wants it "
            "again; expected no branch around it, loops 'for (int i = A; i < B; i += C)' "
            "that are not left, and an index of numbers and of registers that are not assigned, "
            "or a mapping with l2wb");
    if (!known)
        return refuse_store(
            run, store->whole->span,
            "the location that this stores to cannot be told where the mapping wants it "
            "again; write it as 'x' or 'a[i]'");
    if (!same) {
        kept->name = fresh(run, region);
        kept->before = arena_printf(run->arena, "%s = %s;", kept->name,
                                    lit_edit_text(&run->edits, index->span));
    }
    place.text = place_text(run, store, index, kept->name);
    if (context && !loops) {
        place.flag = fresh(run, region);
        kept->behind = arena_printf(run->arena, "%s = 1;", place.flag);
    }
    add_stored(region, place);
    return true;
}

/* The place directly behind the store. */
static bool keep_for_after(struct mapping_run *run, const struct ast_stmt *stmt,
                           const struct store *store, struct kept *kept, const char **text)
{
    const struct ast_expr *index = NULL;
    struct lit_stretch here = {stmt, stmt->next};
    if (!index_of(store->place, &index))
        return refuse_store(
            run, store->whole->span,
            "the location that this stores to cannot be told behind it; write it as 'x' "
            "or 'a[i]'");
    if (index && !mapping_is_kept(run, here, index, NULL) && !kept->name) {
        kept->name = mapping_register(run, "stored");
        kept->before = arena_printf(run->arena, "int %s = %s;", kept->name,
                                    lit_edit_text(&run->edits, index->span));
    }
    *text = place_text(run, store, index, kept->name);
    return true;
}

static void rewrite(struct mapping_run *run, const struct lit_spot *spot, const struct store *store,
                    const struct kept *kept, mapping_lines *lines)
{
    const struct ast_expr *index = NULL;
    struct span extent = spot->stmt->extent;
    size_t begin = lit_edit_begin(&run->edits, extent);
    bool braces = spot->braces && (lines->count || kept->behind);
    const char *gap = spot->indent ? arena_printf(run->arena, "\n%s", spot->indent) : " ";
    if (braces)
        lit_edit_replace(&run->edits, begin, begin, "{ ");
    if (kept->name) {
        (void)index_of(store->place, &index);
        lit_edit_replace(&run->edits, begin, begin,
                         arena_printf(run->arena, "%s%s", kept->before, gap));
        lit_edit_replace(&run->edits, lit_edit_begin(&run->edits, index->span),
                         lit_edit_end(&run->edits, index->span), kept->name);
    }
    if (kept->behind)
        VEC_PUSH(lines, kept->behind);
    if (braces)
        VEC_PUSH(lines, "}");
    mapping_insert(run, spot, lines);
}

static bool map_store(struct mapping_run *run, struct lit_region *region,
                      const struct lit_context *context, const struct lit_spot *spot,
                      const struct store *store, const struct lit_instr *instr)
{
    const struct lit_rule *after = mapping_rule(region->scheme, LIT_RULE_AFTER_STORE);
    struct kept kept = {0};
    mapping_lines lines = {0};
    const char *text = NULL;
    if (mapping_rule(region->scheme, LIT_RULE_STORE))
        return replace_store(run, region, spot, store, instr);
    bool good =
        (!inserts_for_each(region->scheme) || keep_for_end(run, region, context, store, &kept)) &&
        (!after || keep_for_after(run, spot->stmt, store, &kept, &text));
    if (good && after)
        mapping_render(run, after, after->items, &text, region, &lines);
    if (good)
        rewrite(run, spot, store, &kept, &lines);
    VEC_FREE(&lines);
    return good;
}

static void find_in_statement(const struct mapping_run *run, const struct ast_stmt *stmt,
                              struct store *store)
{
    find_stores(run, stmt->expr, false, store);
    for (const struct ast_stmt *part = stmt->body.first; part; part = part->next)
        find_stores(run, part->expr, false, store);
}

void mapping_statement(struct mapping_run *run, struct lit_region *region,
                       const struct lit_context *context, const struct lit_spot *spot)
{
    const struct lit_instr *instr = NULL;
    struct store store = {0};
    struct span extent = spot->stmt->extent;
    if (mapping_instead(run, region, spot))
        return;
    uint32_t count = count_stores(run, extent, &instr);
    region->stores |= count > 0;
    if (!count || !is_about_stores(region->scheme))
        return;
    find_in_statement(run, spot->stmt, &store);
    if (!store.count)
        return; /* in a definition: reported by the check */
    if (count > 1 || store.count > 1)
        MAP_FAULT(run, store.whole->span,
                  "this statement has several stores, and a mapping tells what stands behind each; "
                  "write each as a statement of its own");
    else if (store.conditional)
        MAP_FAULT(run, store.whole->span,
                  "whether this stores depends on a value in the statement; write it as a branch, "
                  "with 'if'");
    else
        (void)map_store(run, region, context, spot, &store, instr);
    mapping_leave(run, extent);
}
