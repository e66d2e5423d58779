/* Sites of a table. A cell's word has its order and its scope between dots. */
#include "sketch/sites_run.h"

#include <string.h>

/* The part of the word that is such an order, or such a scope. */
static struct site_word find_part(size_t begin, const char *word, const char *text,
                                  const struct lit_spelling *spelling)
{
    size_t length = text ? strlen(text) : 0;
    for (const char *dot = strchr(word, '.'); dot && text; dot = strchr(dot + 1, '.'))
        if (strncmp(dot + 1, text, length) == 0 && (dot[1 + length] == '.' || !dot[1 + length])) {
            size_t at = begin + (size_t)(dot + 1 - word);
            return (struct site_word){true, at, at + length, spelling, ""};
        }
    return (struct site_word){.open = false};
}

static const struct lit_spelling *spelling_of(const struct sites_run *run, const char *word)
{
    const struct lit_spelling *at = run->test->dialect->writing->spellings;
    while (strncmp(word, at->prefix, strlen(at->prefix)) != 0)
        at++;
    return at;
}

static void add_part(struct sites_run *run, struct site site, enum site_form form,
                     struct site_word word)
{
    site.form = form;
    *(form == SITE_ORDER ? &site.order : &site.scope) = word;
    site.begin = word.begin;
    site.end = word.end;
    if (word.open)
        VEC_PUSH(&run->sites, site);
}

static void add_cell(struct sites_run *run, const struct ast_cell *cell,
                     const struct lit_instr *instr)
{
    const char *word = cell->word.text;
    const struct lit_spelling *spelling = spelling_of(run, word);
    struct site site = {.instr = instr,
                        .thread = run->thread,
                        .span = cell->word.span,
                        .begin = lit_edit_begin(&run->edits, cell->word.span),
                        .end = lit_edit_end(&run->edits, cell->word.span),
                        .gone = "",
                        .padded = true};
    struct site_word order = find_part(site.begin, word, spelling->orders[instr->order], spelling);
    struct site_word scope = find_part(site.begin, word, spelling->scopes[instr->scope], spelling);
    if (lit_instruction_accesses(instr->op)) {
        site.padded = false;
        site.gone = NULL;
        add_part(run, site, SITE_ORDER, order);
        if (order.open)
            add_part(run, site, SITE_SCOPE, scope);
        return;
    }
    site.form = instr->op == LIT_FENCE ? SITE_FENCE : SITE_BARRIER;
    site.order = order;
    site.scope = scope;
    VEC_PUSH(&run->sites, site);
}

/* What a definition file says of the cell's word, when that is nothing but fences and flushes. */
static void add_definition(struct sites_run *run, const struct ast_cell *cell)
{
    const struct lit_instr *instr = sites_only_fences(run, &cell->span);
    if (!instr)
        return;
    VEC_PUSH(&run->sites, (struct site){.form = SITE_CALL,
                                        .instr = instr,
                                        .thread = run->thread,
                                        .span = cell->span,
                                        .begin = lit_edit_begin(&run->edits, cell->word.span),
                                        .end = lit_edit_end(&run->edits, cell->span),
                                        .gone = "",
                                        .padded = true});
}

/* ---- Slots: a row of their own ---- */

static const char *cells_before(struct sites_run *run, uint32_t column, const char *behind)
{
    struct strbuf out = {0};
    for (uint32_t i = 0; i < column; i++)
        strbuf_add(&out, " |");
    strbuf_add(&out, behind);
    return strbuf_take(&out, run->arena);
}

/* A row in front of this byte, when one may begin there. */
static void add_slot(struct sites_run *run, const struct ast_cell *cell, const char *before,
                     uint32_t column, uint32_t columns)
{
    const char *text = run->edits.source->text, *last = before;
    size_t at = (size_t)(before - text);
    while (last > text && strchr(" \t\n", last[-1]))
        last--;
    if (last > text && last[-1] == ';')
        VEC_PUSH(&run->sites,
                 (struct site){.form = SITE_SLOT,
                               .thread = run->thread,
                               .span = cell->span,
                               .begin = at,
                               .end = at,
                               .gone = "",
                               .before = cells_before(run, column, " "),
                               .behind = cells_before(run, columns - 1 - column, " ; ")});
}

/* The first byte of its line. */
static const char *line_of(const struct sites_run *run, const struct ast_cell *cell)
{
    return run->edits.source->text + lit_edit_offset(&run->edits, cell->span.line, 1);
}

/* Its instruction, which is written there and not in a definition. */
static const struct lit_instr *instr_of(const struct sites_run *run, const struct ast_cell *cell)
{
    static const enum lit_instr_op ops[] = {LIT_LOAD, LIT_STORE, LIT_RMW,
                                            LIT_CAS,  LIT_FENCE, LIT_PBARRIER};
    const struct lit_instr *instr = NULL;
    for (size_t i = 0; i < sizeof ops / sizeof *ops && !instr; i++)
        instr = sites_instr(run, &cell->span, ops[i]);
    return instr;
}

/* Behind its row, in front of what the next line has. */
static void add_last_slot(struct sites_run *run, const struct ast_cell *last, uint32_t column,
                          uint32_t columns)
{
    const char *text = run->edits.source->text;
    const char *end = strchr(text + lit_edit_end(&run->edits, last->span), ';');
    if (end && end[1 + strspn(end + 1, " \t")] == '\n')
        add_slot(run, last, strchr(end, '\n') + 1, column, columns);
}

void sites_table(struct sites_run *run, const struct ast_thread *thread)
{
    const struct ast_threads *all = run->in_recovery ? &run->test->recovery : &run->test->threads;
    uint32_t column = 0;
    for (const struct ast_thread *at = all->first; at != thread; at = at->next)
        column++;
    const struct ast_cell *last = NULL;
    bool repairs = run->wish->aim == SITES_REPAIR;
    for (const struct ast_cell *cell = thread->cells.first; cell; cell = cell->next) {
        if (!cell->word.text)
            continue;
        const struct lit_instr *instr = instr_of(run, cell);
        if (repairs && sites_matters(run, &cell->span))
            add_slot(run, cell, line_of(run, cell), column, all->count);
        if (instr)
            add_cell(run, cell, instr);
        else
            add_definition(run, cell);
        last = cell;
    }
    if (repairs && last)
        add_last_slot(run, last, column, all->count);
}
