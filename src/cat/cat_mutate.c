/* A walk through the syntax tree. What is replaced is put into brackets, so that the text around it
 * means the same. */
#include "cat/cat_mutate.h"

#include "base/vec.h"
#include "cat/cat_parse.h"
#include "cat/cat_text.h"

#include <string.h>

/* Mutation operators: X(identifier, word, what it does). */
#define CAT_MUTATIONS(X)                                                             \
    X(OPERAND, "operand", "an operand of '|', '&', ';' or '\\' is taken away")       \
    X(CLOSURE, "closure", "r+ becomes r, r* becomes r? or r+, r? and r^-1 become r") \
    X(PRODUCT, "product", "a side of a product becomes _")                           \
    X(EMPTY, "empty", "what a name stands for becomes 0")                            \
    X(CHECK, "check", "a check or a call is taken away")                             \
    X(ACYCLIC, "acyclic", "acyclic becomes irreflexive")

enum cat_mutation {
#define X(identifier, ...) CAT_MUTATE_##identifier,
    CAT_MUTATIONS(X)
#undef X
};

struct walk {
    struct arena *arena;
    const char *rule;
    VEC(struct mutation) found;
};

/* ---- Texts ---- */

/* The text of a place in one line, without comments. */
static const char *shown(struct walk *walk, const struct span *span)
{
    struct strbuf out = {0};
    bool gap = false;
    for (const char *at = mutation_text(walk->arena, span), *behind; *at; at = behind) {
        behind = cat_text_behind_comment(at);
        const bool comment = behind != at, blank = strchr(" \t\r\n", *at) != NULL;
        if (!comment)
            behind = cat_text_behind_word(at);
        if (!comment && !blank) {
            if (gap && out.length)
                strbuf_add_char(&out, ' ');
            strbuf_add_bytes(&out, at, (size_t)(behind - at));
        }
        gap = comment || blank;
    }
    return strbuf_take(&out, walk->arena);
}

/* ---- Changes ---- */

/* All of a place becomes a text. */
static void replace(struct walk *walk, enum cat_mutation kind, struct span place, const char *now,
                    const char *what)
{
    static const char *const words[] = {CAT_MUTATIONS(TABLE_SECOND)};
    const struct mutation mutant = {.word = words[kind],
                                    .rule = walk->rule,
                                    .place = place,
                                    .whole = place,
                                    .now = now,
                                    .what = what};
    VEC_PUSH(&walk->found, mutant);
}

/* An expression becomes an operand of it. */
static void keep(struct walk *walk, enum cat_mutation kind, const struct cat_expr *expr,
                 const struct cat_expr *kept, const char *behind, const char *what)
{
    replace(walk, kind, expr->span, behind, what);
    VEC_LAST(&walk->found).kept = kept->span;
}

static const char *sign_of(enum cat_op op)
{
    static const char *const signs[] = {CAT_OPERATORS(TABLE_THIRD)};
    return signs[op];
}

static bool is_chain(const struct cat_expr *expr, enum cat_op op)
{
    return expr->kind == CAT_EXPR_BINARY && expr->op == op;
}

/* One operand is gone, the other is left; a chain of one operator loses its operands one by one. */
static void drop_operand(struct walk *walk, const struct cat_expr *expr, bool second)
{
    const struct cat_expr *gone = second ? expr->b : expr->a, *left = second ? expr->a : expr->b;
    const char *text = shown(walk, &gone->span), *sign = sign_of(expr->op);
    if (gone->kind == CAT_EXPR_BINARY)
        text = arena_printf(walk->arena, "(%s)", text);
    if (is_chain(gone, expr->op))
        return;
    keep(walk, CAT_MUTATE_OPERAND, expr, left, "",
         second ? arena_printf(walk->arena, "without '%s %s'", sign, text)
                : arena_printf(walk->arena, "without '%s %s'", text, sign));
    VEC_LAST(&walk->found).place = gone->span;
}

static void widen_side(struct walk *walk, const struct cat_expr *side)
{
    if (side->kind != CAT_EXPR_UNIVERSE)
        replace(walk, CAT_MUTATE_PRODUCT, side->span, "_",
                arena_printf(walk->arena, "'%s' becomes '_'", shown(walk, &side->span)));
}

static void change_binary(struct walk *walk, const struct cat_expr *expr)
{
    switch (expr->op) {
    case CAT_UNION:
    case CAT_INTER:
    case CAT_SEQ: drop_operand(walk, expr, false); __attribute__((fallthrough));
    case CAT_DIFF: drop_operand(walk, expr, true); break;
    case CAT_PRODUCT:
        widen_side(walk, expr->a);
        widen_side(walk, expr->b);
        break;
    default: break;
    }
}

static void change_closure(struct walk *walk, const struct cat_expr *expr, const char *sign)
{
    const char *was = shown(walk, &expr->span), *operand = shown(walk, &expr->a->span);
    bool bare = expr->a->depth == 1 || !*sign;
    keep(walk, CAT_MUTATE_CLOSURE, expr, expr->a, sign,
         arena_printf(walk->arena, bare ? "'%s' becomes '%s%s'" : "'%s' becomes '(%s)%s'", was,
                      operand, sign));
}

static void change_unary(struct walk *walk, const struct cat_expr *expr)
{
    switch (expr->op) {
    case CAT_STAR:
        change_closure(walk, expr, "?");
        change_closure(walk, expr, "+");
        break;
    case CAT_PLUS:
    case CAT_OPT:
    case CAT_INVERSE: change_closure(walk, expr, ""); break;
    default: break;
    }
}

/* ---- Expressions ---- */

static void walk_expr(struct walk *walk, const struct cat_expr *expr);

static void walk_bindings(struct walk *walk, const struct cat_bindings *bindings)
{
    for (const struct cat_binding *at = bindings->first; at; at = at->next)
        walk_expr(walk, at->expr);
}

static void walk_exprs(struct walk *walk, const struct cat_exprs *exprs)
{
    for (const struct cat_expr *at = exprs->first; at; at = at->next)
        walk_expr(walk, at);
}

/* `if` and `match` of what is not known when the text is read have all their branches in use. */
static void walk_branches(struct walk *walk, const struct cat_expr *expr)
{
    bool known = expr->condition && expr->condition->kind == CAT_CONDITION_KNOWN;
    if (!known || expr->condition->holds)
        walk_expr(walk, expr->a);
    if (!known || !expr->condition->holds)
        walk_expr(walk, expr->b);
}

static void walk_clauses(struct walk *walk, const struct cat_clauses *clauses)
{
    for (const struct cat_clause *at = clauses->first; at; at = at->next)
        walk_expr(walk, at->expr);
}

static void walk_expr(struct walk *walk, const struct cat_expr *expr)
{
    if (!expr)
        return;
    if (expr->kind == CAT_EXPR_BINARY)
        change_binary(walk, expr);
    if (expr->kind == CAT_EXPR_UNARY)
        change_unary(walk, expr);
    walk_bindings(walk, &expr->bindings);
    walk_branches(walk, expr);
    walk_exprs(walk, &expr->items);
    walk_clauses(walk, &expr->clauses);
}

/* ---- Definitions and checks ---- */

static void empty(struct walk *walk, const struct cat_expr *expr)
{
    if (expr->kind != CAT_EXPR_EMPTY && expr->kind != CAT_EXPR_TUPLE)
        replace(walk, CAT_MUTATE_EMPTY, expr->span, "0",
                arena_printf(walk->arena, "'%s' becomes 0", shown(walk, &expr->span)));
}

static const char *name_of(struct walk *walk, const struct cat_pattern *pattern)
{
    const char *name = pattern->names.count ? pattern->names.first->text : NULL;
    return arena_strdup(walk->arena, name ? name : "_");
}

static void walk_definitions(struct walk *walk, const struct cat_instr *instr)
{
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next) {
        const struct cat_expr *expr = at->expr;
        walk->rule = name_of(walk, at->pattern);
        while (expr->kind == CAT_EXPR_FUN)
            expr = expr->a;
        empty(walk, expr);
        walk_expr(walk, expr);
    }
}

static void remove_rule(struct walk *walk, const struct cat_instr *instr)
{
    replace(walk, CAT_MUTATE_CHECK, instr->span, "",
            arena_printf(walk->arena, "without '%s'", shown(walk, &instr->span)));
}

/* The word that is in no comment; NULL: there is none. */
static const char *find_word(const char *text, const char *word)
{
    while (*text && strncmp(text, word, strlen(word)) != 0) {
        const char *behind = cat_text_behind_comment(text);
        text = behind != text ? behind : text + 1;
    }
    return *text ? text : NULL;
}

/* The word stands behind `flag` or the like. */
static void break_cycles_alone(struct walk *walk, const struct cat_instr *instr)
{
    static const char word[] = "acyclic";
    const char *text = mutation_text(walk->arena, &instr->span), *at = find_word(text, word);
    if (!at || instr->negated || instr->test != CAT_ACYCLIC)
        return;
    replace(
        walk, CAT_MUTATE_ACYCLIC, instr->span,
        arena_printf(walk->arena, "%.*sirreflexive%s", (int)(at - text), text, at + strlen(word)),
        "'acyclic' becomes 'irreflexive'");
}

static void walk_check(struct walk *walk, const struct cat_instr *instr)
{
    walk->rule = instr->name ? arena_strdup(walk->arena, instr->name) : "check";
    remove_rule(walk, instr);
    break_cycles_alone(walk, instr);
    walk_expr(walk, instr->expr);
}

static void walk_call(struct walk *walk, const struct cat_instr *instr)
{
    walk->rule = arena_strdup(walk->arena, instr->name ? instr->name : instr->callee);
    remove_rule(walk, instr);
    walk_expr(walk, instr->expr);
}

static void walk_instrs(struct walk *walk, const struct cat_instrs *instrs);

static void walk_cases(struct walk *walk, const struct cat_clauses *clauses)
{
    for (const struct cat_clause *at = clauses->first; at; at = at->next)
        walk_instrs(walk, &at->body);
}

static void walk_instr(struct walk *walk, const struct cat_instr *instr)
{
    switch (instr->kind) {
    case CAT_INSTR_LET:
    case CAT_INSTR_LET_REC: walk_definitions(walk, instr); break;
    case CAT_INSTR_CHECK: walk_check(walk, instr); break;
    case CAT_INSTR_CALL: walk_call(walk, instr); break;
    case CAT_INSTR_PROCEDURE:
    case CAT_INSTR_FORALL: walk_instrs(walk, &instr->body); break;
    case CAT_INSTR_MATCH: walk_cases(walk, &instr->clauses); break;
    case CAT_INSTR_IF:
        walk_instrs(walk, instr->condition->holds ? &instr->body : &instr->otherwise);
        break;
    case CAT_INSTR_INCLUDE:
    case CAT_INSTR_ENUM:
    case CAT_INSTR_WITH:
    case CAT_INSTR_DEBUG:
    case CAT_INSTR_INSTRUCTIONS:
    case CAT_INSTR_BELL:
    case CAT_INSTR_SHOW:
    case CAT_INSTR_UNSHOW: break;
    }
}

static void walk_instrs(struct walk *walk, const struct cat_instrs *instrs)
{
    for (const struct cat_instr *at = instrs->first; at; at = at->next)
        walk_instr(walk, at);
}

struct mutations cat_mutate(struct arena *arena, const struct cat_variants *variants,
                            const struct source *source, struct diag *diag)
{
    struct walk walk = {.arena = arena};
    SCOPED(arena) scratch = {0};
    struct intern *names = intern_new();
    const struct cat_file *file = cat_parse_file(&scratch, names, variants, source, diag);
    if (!file->failed)
        walk_instrs(&walk, &file->instrs);
    struct mutations mutants = {VEC_KEEP(arena, &walk.found), walk.found.count};
    VEC_FREE(&walk.found);
    intern_free(names);
    return mutants;
}

const char *cat_mutate_shown(struct arena *arena, const struct span *place)
{
    struct walk walk = {.arena = arena};
    return shown(&walk, place);
}
