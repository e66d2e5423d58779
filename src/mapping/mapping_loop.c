/* Loops whose iterations can be numbered: `for (int i = A; i < B; i += C)` with a counter that the
 * body does not change, and with A, B and C that keep their values. */
#include "mapping/mapping_run.h"

#include <string.h>

const struct ast_stmt *mapping_loop_of(const struct ast_stmt *stmt)
{
    if (stmt->kind == AST_S_LOOP)
        return stmt;
    bool heads = stmt->kind == AST_S_BLOCK && stmt->body.count == 2 && stmt->body.first->in_head;
    return heads ? stmt->body.last : NULL;
}

static const struct ast_stmt *leaves_list(const struct ast_stmts *list, bool in_loop)
{
    const struct ast_stmt *found = NULL;
    for (const struct ast_stmt *stmt = list->first; stmt && !found; stmt = stmt->next)
        found = mapping_leaves(stmt, in_loop);
    return found;
}

const struct ast_stmt *mapping_leaves(const struct ast_stmt *stmt, bool in_loop)
{
    bool jumps = stmt->kind == AST_S_BREAK || stmt->kind == AST_S_CONTINUE;
    if (stmt->kind == AST_S_RETURN || (jumps && !in_loop))
        return stmt;
    bool inside = in_loop || stmt->kind == AST_S_LOOP;
    const struct ast_stmt *found = leaves_list(&stmt->body, inside);
    if (!found && stmt->a)
        found = mapping_leaves(stmt->a, inside);
    return found || !stmt->b ? found : mapping_leaves(stmt->b, inside);
}

/* ---- Heads ---- */

struct head {
    const char *counter;
    bool declares;
    const struct ast_expr *from, *by; /* by NULL: 1 */
};

static bool is_name(const struct ast_expr *expr, const char *name)
{
    return expr && expr->kind == AST_NAME && expr->name.text == name;
}

static bool read_first(const struct ast_stmt *first, struct head *head)
{
    const struct ast_expr *expr = first->expr;
    head->declares = first->kind == AST_S_GROUP && first->body.count == 1;
    if (head->declares) {
        head->counter = first->body.first->name.text;
        head->from = first->body.first->expr;
    } else if (first->kind == AST_S_EXPR && expr->kind == AST_ASSIGN && expr->op == LIT_OP_CONST &&
               expr->a->kind == AST_NAME) {
        head->counter = expr->a->name.text;
        head->from = expr->b;
    }
    return head->counter && head->from;
}

/* `i++`, `i += C` */
static bool read_step(const struct ast_expr *step, struct head *head)
{
    if (!step || !is_name(step->a, head->counter) || step->op != LIT_OP_ADD)
        return false;
    head->by = step->kind == AST_ASSIGN ? step->b : NULL;
    return step->kind == AST_STEP || step->kind == AST_ASSIGN;
}

/* `i < B`, `i <= B` */
static bool read_test(const struct ast_expr *test, const struct head *head)
{
    return test && test->kind == AST_BINARY && (test->op == LIT_OP_LT || test->op == LIT_OP_LE) &&
           is_name(test->a, head->counter);
}

/* What it is counted by stays what it is. */
static bool is_kept(const struct mapping_run *run, struct lit_stretch stretch,
                    const struct ast_stmt *loop, const struct head *head)
{
    bool values = mapping_is_kept(run, stretch, head->from, NULL) &&
                  mapping_is_kept(run, stretch, loop->expr->b, NULL) &&
                  (!head->by || mapping_is_kept(run, stretch, head->by, NULL));
    return values && !mapping_assigns(loop->a, loop->a->next, head->counter);
}

static const char *number_of(const struct mapping_run *run, const struct head *head)
{
    const struct lit_edits *edits = &run->edits;
    bool zero = head->from->kind == AST_NUMBER && head->from->value == 0;
    bool one = !head->by || (head->by->kind == AST_NUMBER && head->by->value == 1);
    const char *moved = zero ? head->counter
                             : arena_printf(run->arena, "(%s - (%s))", head->counter,
                                            lit_edit_text(edits, head->from->span));
    return one ? moved
               : arena_printf(run->arena,
                              head->by->kind == AST_NUMBER || head->by->kind == AST_NAME
                                  ? "%s / %s"
                                  : "%s / (%s)",
                              moved, lit_edit_text(edits, head->by->span));
}

/* One that counts down or stands still would be no number of an iteration. */
static bool counts_up(const struct mapping_run *run, const struct head *head)
{
    if (!head->by)
        return true;
    return head->by->kind == AST_NUMBER
               ? head->by->value > 0
               : head->by->kind == AST_NAME && mapping_is_constant(run, head->by->name.text);
}

struct lit_counted mapping_counted(const struct mapping_run *run, struct lit_stretch stretch,
                                   const struct ast_stmt *stmt)
{
    const struct ast_stmt *loop = mapping_loop_of(stmt);
    struct lit_counted none = {0};
    struct head head = {0};
    if (!loop || loop == stmt || loop->test_last || !read_first(stmt->body.first, &head) ||
        !read_test(loop->expr, &head) || !read_step(loop->step, &head) || !counts_up(run, &head) ||
        !is_kept(run, stretch, loop, &head))
        return none;
    struct span span = stmt->extent;
    span.end_line = loop->a->extent.line;
    span.end_column = loop->a->extent.column;
    const char *text = lit_edit_text(&run->edits, span);
    size_t length = strlen(text);
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    return (struct lit_counted){head.counter, arena_strndup(run->arena, text, length),
                                head.by ? lit_edit_text(&run->edits, head.by->span) : "1",
                                number_of(run, &head), head.declares};
}

/* ---- Every N iterations ---- */

enum { MOST_AGAIN = 64 }; /* iterations whose stores are named again */

/* `if (i % 4 == 3) {`, in lines of their own. */
static void render_period(struct mapping_run *run, const struct lit_rule *rule, uint32_t period,
                          const struct lit_counted *counted, struct lit_region *region,
                          mapping_lines *lines)
{
    region->counter = period > 1 ? counted->counter : NULL;
    region->by = counted->by;
    region->iterations = period;
    if (period == 1) {
        mapping_render(run, rule, rule->items, NULL, region, lines);
        return;
    }
    VEC_PUSH(lines, arena_printf(run->arena, "if (%s %% %u == %u) {", counted->number, period,
                                 period - 1));
    size_t first = lines->count;
    mapping_render(run, rule, rule->items, NULL, region, lines);
    for (size_t i = first; i < lines->count; i++)
        lines->items[i] = arena_printf(run->arena, "  %s", lines->items[i]);
    VEC_PUSH(lines, "}");
}

static bool check_loop(struct mapping_run *run, const struct ast_stmt *stmt)
{
    const struct ast_stmt *loop = mapping_loop_of(stmt);
    const struct ast_stmt *leaves = loop ? mapping_leaves(loop->a, false) : NULL;
    if (leaves)
        MAP_FAULT(run, leaves->extent,
                  "this leaves an iteration in the middle, and with it an epoch that is counted in "
                  "iterations; write the rest of the iteration as a branch");
    else if (!loop)
        MAP_FAULT(run, stmt->extent,
                  "found no loop behind a pragma that counts iterations; put the pragma before the "
                  "loop, or use one for a whole work-item");
    return loop && !leaves;
}

static uint32_t period_of(const struct lit_rule *rule, const struct lit_region *region)
{
    return rule->scoped ? region->scope : rule->period;
}

/* Does the scheme count further than one by one? */
static bool needs_number(const struct lit_region *region)
{
    for (const struct lit_rule *rule = region->scheme->rules; rule; rule = rule->next)
        if (rule->kind == LIT_RULE_ITERATIONS && period_of(rule, region) > 1)
            return true;
    return false;
}

/* Puts the lines into a block without statements. */
static void fill_block(struct mapping_run *run, const struct ast_stmt *block,
                       const mapping_lines *lines)
{
    size_t inside = lit_edit_begin(&run->edits, block->extent) + 1; /* behind its brace */
    lit_edit_behind(&run->edits, inside, NULL, lines->items, lines->count);
}

void mapping_iterations(struct mapping_run *run, struct lit_region *region,
                        const struct ast_stmt *stmt)
{
    if (!check_loop(run, stmt))
        return;
    const struct ast_stmt *body = mapping_loop_of(stmt)->a;
    struct lit_stretch stretch = {body, NULL};
    struct lit_counted counted = mapping_counted(run, stretch, stmt);
    if (needs_number(region) && !counted.counter) {
        MAP_FAULT(
            run, stmt->extent,
            "the iterations of this loop cannot be counted; expected 'for (int i = A; i < B; "
            "i += C)', with a counter that the body does not assign and values that it keeps");
        return;
    }
    if (region->stored.count && region->scope > MOST_AGAIN) {
        MAP_FAULT(
            run, region->pragma->extent,
            "locations of so many iterations are not named again; expected a scope of at most "
            "%d, or a mapping with wt or l2wb",
            MOST_AGAIN);
        return;
    }
    mapping_lines lines = {0};
    for (const struct lit_rule *rule = region->scheme->rules; rule; rule = rule->next)
        if (rule->kind == LIT_RULE_ITERATIONS)
            render_period(run, rule, period_of(rule, region), &counted, region, &lines);
    bool block = body->kind == AST_S_BLOCK && !mapping_loop_of(body);
    bool first = false;
    const struct ast_stmt *last = block ? body->body.last : body;
    struct lit_spot spot = {.stmt = last, .braces = !block};
    if (block && last) {
        const char *indent =
            lit_edit_indent(&run->edits, lit_edit_begin(&run->edits, last->extent), &first);
        spot.indent = first ? indent : NULL;
    }
    if (last)
        mapping_insert(run, &spot, &lines);
    else
        fill_block(run, body, &lines);
    VEC_FREE(&lines);
}
