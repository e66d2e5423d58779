/* Columns of a table: each has its instructions in the order of its rows. What is inserted into a
 * column is a cell of a new row, behind the row that it is about; insertions at one place in
 * several columns share rows. Columns jump by labels, so insertions at an end are only for columns
 * that do not jump. */
#include "mapping/mapping_run.h"
#include "litmus/lit_dialect.h"
#include "litmus/lit_words.h"

#include <stdlib.h>
#include <string.h>

struct new_cell {
    size_t row; /* the byte behind the `;` of the row that it comes behind */
    uint32_t column, number;
    const char *text;
};

struct table {
    struct mapping_run *run;
    uint32_t columns, column; /* how many; the one at hand */
    VEC(struct new_cell) cells;
    VEC(struct span) blanked; /* pragmas and instructions that are gone */
};

/* ---- Rows ---- */

/* Behind the `;` that ends the row of what ends at `at`. */
static size_t row_end(const struct table *table, size_t at)
{
    const char *text = table->run->edits.source->text;
    while (text[at] && text[at] != ';') {
        const char *end = text[at] == '"'                    ? strchr(text + at + 1, '"')
                          : strncmp(text + at, "//", 2) == 0 ? strchr(text + at, '\n')
                          : strncmp(text + at, "/*", 2) == 0 ? strstr(text + at + 2, "*/")
                                                             : NULL;
        at = end ? (size_t)(end - text) + 1 : at + 1;
    }
    return at + (text[at] == ';');
}

static size_t row_start(const struct table *table, size_t end)
{
    const char *text = table->run->edits.source->text;
    while (end > 0 && text[end - 1] != '\n')
        end--;
    return end;
}

/* The width of a cell of the row, or 0 where the row is no line of so many cells. */
static size_t width_of(const struct table *table, size_t end, uint32_t column)
{
    const char *text = table->run->edits.source->text;
    size_t at = row_start(table, end);
    for (uint32_t i = 0; i < column; i++) {
        at += strcspn(text + at, "|;") + 1;
        if (at >= end)
            return 0;
    }
    return strcspn(text + at, "|;");
}

static void add_cell(struct table *table, size_t row, const char *text)
{
    VEC_PUSH(&table->cells,
             (struct new_cell){row, table->column, (uint32_t)table->cells.count, text});
}

static int by_row(const void *a, const void *b)
{
    const struct new_cell *left = a, *right = b;
    if (left->row != right->row)
        return left->row < right->row ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

/* The k-th of a column among those of one row, or NULL. */
static const char *cell_text(const struct new_cell *cells, size_t count, uint32_t column,
                             uint32_t number)
{
    for (size_t i = 0; i < count; i++)
        if (cells[i].column == column && number-- == 0)
            return cells[i].text;
    return NULL;
}

static void add_table_row(struct table *table, const struct new_cell *cells, size_t count,
                          uint32_t number, struct strbuf *out)
{
    strbuf_add(out, "\n");
    for (uint32_t column = 0; column < table->columns; column++) {
        const char *text = cell_text(cells, count, column, number);
        size_t width = width_of(table, cells->row, column);
        strbuf_printf(out, "%s %s", column ? "|" : "", text ? text : "");
        for (size_t used = 1 + (text ? strlen(text) : 0); used < width; used++)
            strbuf_add_char(out, ' ');
        if (text && strlen(text) + 1 >= width)
            strbuf_add_char(out, ' ');
    }
    strbuf_add_char(out, ';');
}

static void insert_rows(struct table *table)
{
    size_t count = table->cells.count;
    const struct new_cell *cells = table->cells.items;
    if (count)
        qsort(table->cells.items, count, sizeof *cells, by_row);
    for (size_t first = 0, next; first < count; first = next) {
        struct strbuf text = {0};
        uint32_t most = 0;
        for (next = first; next < count && cells[next].row == cells[first].row; next++) {
            uint32_t same = 0;
            for (size_t i = first; i <= next; i++)
                same += cells[i].column == cells[next].column;
            most = same > most ? same : most;
        }
        for (uint32_t number = 0; number < most; number++)
            add_table_row(table, cells + first, next - first, number, &text);
        const char *all = table->run->edits.source->text;
        size_t at = cells[first].row, line = at + strcspn(all + at, "\n");
        bool comment = strspn(all + at, " \t\r") == line - at ||
                       strncmp(all + at + strspn(all + at, " \t"), "//", 2) == 0;
        lit_edit_replace(&table->run->edits, comment ? line : at, comment ? line : at,
                         strbuf_take(&text, table->run->arena));
    }
}

/* Rows of nothing but what is gone go with it. */
static bool is_gone(const struct table *table, size_t at)
{
    return ANY(i, table->blanked.count,
               at >= lit_edit_begin(&table->run->edits, table->blanked.items[i]) &&
                   at < lit_edit_end(&table->run->edits, table->blanked.items[i]));
}

static void blank_cells(struct table *table)
{
    struct lit_edits *edits = &table->run->edits;
    const char *text = edits->source->text;
    size_t dropped = 0;
    for (size_t i = 0; i < table->blanked.count; i++) {
        size_t begin = lit_edit_begin(edits, table->blanked.items[i]);
        size_t end = lit_edit_end(edits, table->blanked.items[i]);
        size_t start = row_start(table, begin), at = start;
        while (text[at] && text[at] != '\n' && (strchr(" \t\r|;", text[at]) || is_gone(table, at)))
            at++;
        bool whole = text[at] == '\n' || text[at] == '\0';
        bool before = dropped > begin;
        SCOPED(strbuf) blanks = {0};
        for (size_t k = begin; k < end && !whole; k++)
            strbuf_add_char(&blanks, ' ');
        if (!before)
            lit_edit_replace(edits, whole ? start : begin, whole ? at + (text[at] == '\n') : end,
                             strbuf_take(&blanks, table->run->arena));
        dropped = whole && at > dropped ? at : dropped;
    }
}

/* ---- Cells ---- */

static const struct lit_instr *instr_of(const struct table *table, const struct ast_cell *cell)
{
    const struct lit_thread *thread = table->run->thread;
    return FIND(i, thread->code, thread->code_count,
                thread->code[i].span.line == cell->span.line &&
                    thread->code[i].span.column == cell->span.column && !table->run->handled[i]);
}

/* Of an instruction without its label. */
static struct span operation_span(const struct ast_cell *cell)
{
    struct span span = cell->span;
    span.line = cell->word.span.line;
    span.column = cell->word.span.column;
    return span;
}

static size_t row_of(const struct table *table, const struct ast_cell *cell)
{
    return row_end(table, lit_edit_end(&table->run->edits, cell->span));
}

static void put(struct table *table, const struct lit_rule *rule, const char *const *args,
                struct lit_region *region, size_t row, const struct ast_cell *instead)
{
    mapping_lines lines = {0};
    struct lit_edits *edits = &table->run->edits;
    mapping_render(table->run, rule, rule->items, args, region, &lines);
    if (instead && lines.count) {
        struct span span = operation_span(instead);
        int width = (int)(lit_edit_end(edits, span) - lit_edit_begin(edits, span));
        lit_edit_replace(edits, lit_edit_begin(edits, span), lit_edit_end(edits, span),
                         arena_printf(table->run->arena, "%-*s", width, lines.items[0]));
    } else if (instead) {
        VEC_PUSH(&table->blanked, operation_span(instead));
    }
    for (size_t i = instead ? 1 : 0; i < lines.count; i++)
        add_cell(table, row, lines.items[i]);
    VEC_FREE(&lines);
}

static const struct lit_rule *rule_for(const struct lit_scheme *scheme, const struct ast_cell *cell,
                                       const struct lit_instr *instr)
{
    for (const struct lit_rule *rule = scheme->rules; rule; rule = rule->next) {
        if (rule->kind == LIT_RULE_KEEP)
            continue;
        const struct lit_call *known = rule->name ? lit_word_function(rule->name) : NULL;
        if (known && known->instr == LIT_PBARRIER && instr && instr->op == LIT_PBARRIER
                ? known->scope == instr->scope
                : rule->name && rule->name == cell->word.text &&
                      cell->operands.count == rule->formal_count)
            return rule;
    }
    return NULL;
}

static bool replace_cell(struct table *table, struct lit_region *region,
                         const struct ast_cell *cell, const struct lit_instr *instr)
{
    const struct lit_rule *rule = rule_for(region->scheme, cell, instr);
    const char *args[LIT_MAX_MAPPED_FORMALS] = {NULL};
    uint32_t count = 0;
    if (!rule)
        return false;
    for (const struct ast_operand *at = cell->operands.first; at && count < rule->formal_count;
         at = at->next)
        args[count++] = lit_edit_text(&table->run->edits, at->span);
    put(table, rule, args, region, row_of(table, cell), cell);
    mapping_leave(table->run, cell->span);
    return true;
}

static void keep_place(struct lit_region *region, const char *name)
{
    for (size_t i = 0; i < region->stored.count; i++)
        if (strcmp(region->stored.items[i].text, name) == 0)
            return;
    VEC_PUSH(&region->stored, (struct lit_stored){name, "", NULL});
}

/* `st`, `red`, `atom`, which name the location first, or behind the register. */
static void map_store(struct table *table, struct lit_region *region, const struct ast_cell *cell)
{
    struct mapping_run *run = table->run;
    const struct lit_scheme *scheme = region->scheme;
    const struct ast_operand *place = cell->operands.first;
    if (strncmp(cell->word.text, "atom", 4) == 0)
        place = place->next;
    const struct lit_rule *after = mapping_rule(scheme, LIT_RULE_AFTER_STORE);
    const struct lit_rule *instead = mapping_rule(scheme, LIT_RULE_STORE);
    const char *args[2] = {place->name.text, NULL};
    keep_place(region, place->name.text);
    if (after)
        put(table, after, args, region, row_of(table, cell), NULL);
    if (instead && strcmp(cell->word.text, "st.weak") == 0) {
        args[1] = lit_edit_text(&run->edits, place->next->span);
        put(table, instead, args, region, row_of(table, cell), cell);
    } else if (instead) {
        MAP_FAULT(run, cell->span,
                  "the mapping puts another store instead of this one, which would lose what it "
                  "is; only 'st.weak' can be replaced");
    }
    mapping_leave(run, cell->span);
}

static void map_cell(struct table *table, struct lit_region *region, const struct ast_cell *cell)
{
    struct mapping_run *run = table->run;
    const struct lit_instr *instr = instr_of(table, cell);
    bool ends = region->scheme->kinds >> LIT_RULE_END & 1;
    if (run->test->dialect->is_jump(cell->word.text) && ends)
        MAP_FAULT(run, cell->span,
                  "a column that jumps has no place for what the mapping '%s' puts at the end",
                  run->mapping->name);
    if (replace_cell(table, region, cell, instr))
        return;
    if (instr && !instr->name && mapping_stores(run, instr))
        map_store(table, region, cell);
    mapping_check(run, region, cell->span);
}

const char *mapping_cell_word(const struct mapping_run *run, const char *name)
{
    const struct lit_writing *writing = run->test->dialect->writing;
    const struct lit_call *known = lit_word_function(name);
    const char *scope =
        known && known->instr == LIT_PBARRIER ? writing->of_persist->scopes[known->scope] : NULL;
    return scope ? arena_printf(run->arena, "%s%s", writing->persist, scope) : name;
}

/* ---- Columns ---- */

static void close_region(struct table *table, struct lit_region *region,
                         const struct ast_cell *last)
{
    const struct lit_rule *rule = mapping_rule(region->scheme, LIT_RULE_END);
    if (rule && last)
        put(table, rule, NULL, region, row_of(table, last), NULL);
    VEC_FREE(&region->stored);
}

/* False: it is none of the mapping's. */
static bool map_pragma(struct table *table, const struct ast_cell *cell, struct lit_region *region)
{
    struct mapping_run *run = table->run;
    uint32_t scope, counting = 1u << LIT_RULE_ITERATIONS | 1u << LIT_RULE_LAUNCHES;
    bool ends;
    const struct lit_scheme *scheme =
        mapping_scheme(run, cell->operands.first->name.text, cell->span, &scope, &ends);
    if (!scheme && !ends)
        return false;
    *region = (struct lit_region){.scheme = scheme, .scope = scope};
    run->mapped |= scheme != NULL;
    VEC_PUSH(&table->blanked, cell->span);
    if (scheme && scheme->kinds & counting)
        MAP_FAULT(run, cell->span,
                  "a table has no loops and epochs that could be counted; write the test in a "
                  "dialect with statements");
    return true;
}

static void map_column(struct table *table, const struct ast_thread *ast)
{
    struct lit_region region = {.scheme = table->run->mapping->schemes};
    const struct ast_cell *last = NULL;
    if (region.scheme->pragma)
        region.scheme = NULL;
    for (const struct ast_cell *cell = ast->cells.first; cell; cell = cell->next) {
        if (!cell->word.text)
            continue;
        bool pragma = strcmp(cell->word.text, "pragma") == 0 && cell->operands.count == 1;
        struct lit_region next;
        if (pragma && map_pragma(table, cell, &next)) {
            if (region.scheme)
                close_region(table, &region, last);
            region = next;
            last = NULL;
        } else if (region.scheme && !pragma) {
            map_cell(table, &region, cell);
            last = cell;
        }
    }
    if (region.scheme)
        close_region(table, &region, last);
}

static void map_table(struct table *table, const struct ast_threads *list,
                      const struct lit_thread *threads, uint32_t count)
{
    struct mapping_run *run = table->run;
    table->columns = list->count;
    table->column = 0;
    for (const struct ast_thread *ast = list->first; ast; ast = ast->next) {
        mapping_begin(run, ast, threads, count);
        map_column(table, ast);
        table->column++;
    }
    mapping_check_firsts(run, list, count);
    insert_rows(table);
    VEC_CLEAR(&table->cells);
}

void mapping_table(struct mapping_run *run)
{
    struct table table = {.run = run};
    map_table(&table, &run->test->threads, run->program->threads, run->program->thread_count);
    map_table(&table, &run->test->recovery, run->program->recovery, run->program->recovery_count);
    blank_cells(&table);
    VEC_FREE(&table.cells);
    VEC_FREE(&table.blanked);
}
