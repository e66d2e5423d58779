/* Two stores of a work-item that change places: of a row of statements that are stores, with their
 * flushes, and fences and persist barriers between these, which stay. A store is independent of
 * those that it passes when they write elsewhere; in such a row nothing is read. */
#include "sketch/sites_run.h"

#include <string.h>

enum { MOST_PARTS = 3, MOST_UNITS = 10 };

/* A store and the flushes of what it wrote behind it. */
struct unit {
    const struct ast_stmt *parts[MOST_PARTS];
    uint32_t part_count;
    const struct lit_address *address;
};

struct row {
    struct sites_run *run;
    struct unit units[MOST_UNITS];
    uint32_t count;
    bool open; /* the last statement is of the last unit */
};

enum sort { STORE, FLUSH, FENCE, OTHER };

/* ---- Statements ---- */

static enum sort sort_of_instr(const struct sites_run *run, const struct lit_instr *instr)
{
    if (instr->tags & lit_program_marks(run->program))
        return OTHER;
    return instr->op == LIT_STORE                                ? STORE
           : instr->op == LIT_CM                                 ? FLUSH
           : instr->op == LIT_FENCE || instr->op == LIT_PBARRIER ? FENCE
                                                                 : OTHER;
}

static enum sort sort_of(const struct sites_run *run, const struct ast_stmt *stmt,
                         const struct lit_address **address)
{
    enum sort sort = FENCE;
    uint32_t stores = 0;
    EACH (const struct lit_instr, instr, run->thread->code, run->thread->code_count) {
        if (!span_begins_in(instr->span, stmt->extent))
            continue;
        enum sort own = sort_of_instr(run, instr);
        stores += own == STORE;
        sort = own == OTHER || sort == OTHER || stores > 1 || (stores && own != STORE) ? OTHER
               : own < sort                                                            ? own
                                                                                       : sort;
        if (own < FENCE)
            *address = &instr->addr;
    }
    const bool plain = stmt->kind == AST_S_EXPR && stmt->extent.line == stmt->extent.end_line;
    return plain || sort == FENCE ? sort : OTHER;
}

static bool may_meet(const struct lit_address *a, const struct lit_address *b)
{
    return ANY(i, a->count, lit_address_has(b, lit_address_element(a, (uint32_t)i)));
}

/* ---- The choice ---- */

static bool may_swap(const struct row *row, uint32_t a, uint32_t b)
{
    for (uint32_t k = a; k <= b; k++)
        if ((k != a && may_meet(row->units[a].address, row->units[k].address)) ||
            (k != b && may_meet(row->units[b].address, row->units[k].address)))
            return false;
    return row->units[a].part_count == row->units[b].part_count;
}

static const char *text_of(const struct row *row, uint32_t unit, uint32_t part)
{
    return lit_edit_text(&row->run->edits, row->units[unit].parts[part]->extent);
}

static const char *label_of(const struct row *row, uint32_t a, uint32_t b)
{
    const char *one = text_of(row, a, 0), *other = text_of(row, b, 0);
    return arena_printf(row->run->arena, "%.*s and %.*s change places", (int)strcspn(one, ";"), one,
                        (int)strcspn(other, ";"), other);
}

/* Each part of each store, as a place; by value it has what takes its place, or NULL. */
static void add_places(const struct row *row, struct sketch_choice *choice)
{
    struct sketch_open_place *places =
        ARENA_ARRAY(row->run->arena, struct sketch_open_place, MOST_UNITS * MOST_PARTS);
    for (uint32_t u = 0; u < row->count; u++)
        for (uint32_t p = 0; p < row->units[u].part_count; p++) {
            const struct span extent = row->units[u].parts[p]->extent;
            const size_t begin = lit_edit_begin(&row->run->edits, extent);
            const size_t end = lit_edit_end(&row->run->edits, extent);
            places[choice->place_count++] = (struct sketch_open_place){
                .file = row->run->file,
                .begin = begin,
                .end = end,
                .inner_begin = begin,
                .inner_end = end,
                .texts = ARENA_ARRAY(row->run->arena, const char *, LIT_MOST_OPEN_VALUES),
                .span = extent};
        }
    choice->places = places;
}

static void set_texts(const struct row *row, const struct sketch_choice *choice, uint32_t value,
                      uint32_t a, uint32_t b)
{
    for (uint32_t u = 0, at = 0; u < row->count; at += row->units[u++].part_count)
        for (uint32_t p = 0; (u == a || u == b) && p < row->units[u].part_count; p++)
            ((const char **)choice->places[at + p].texts)[value] = text_of(row, u == a ? b : a, p);
}

static void end_row(struct row *row)
{
    struct arena *arena = row->run->arena;
    struct sketch_open_value *values =
        ARENA_ARRAY(arena, struct sketch_open_value, LIT_MOST_OPEN_VALUES);
    uint64_t *below = ARENA_ARRAY(arena, uint64_t, LIT_MOST_OPEN_VALUES);
    struct sketch_choice choice = {
        .kind = LIT_OPEN_SWAP, .values = values, .below = below, .value_count = 1};
    values[0].label = "stores in their order";
    add_places(row, &choice);
    for (uint32_t a = 0; a < row->count; a++)
        for (uint32_t b = a + 1; b < row->count; b++)
            if (may_swap(row, a, b)) {
                values[choice.value_count].label = label_of(row, a, b);
                below[choice.value_count] = 1;
                set_texts(row, &choice, choice.value_count++, a, b);
            }
    if (choice.value_count > 1)
        VEC_PUSH(row->run->choices, choice);
    row->count = 0;
    row->open = false;
}

/* ---- Rows ---- */

static void add_flush(struct row *row, const struct ast_stmt *stmt,
                      const struct lit_address *address)
{
    struct unit *unit = row->open ? &row->units[row->count - 1] : NULL;
    if (unit && unit->part_count < MOST_PARTS && may_meet(unit->address, address))
        unit->parts[unit->part_count++] = stmt;
    else
        end_row(row);
}

static void add(struct row *row, const struct ast_stmt *stmt)
{
    const struct lit_address *address = NULL;
    switch (sort_of(row->run, stmt, &address)) {
    case STORE:
        if (row->count == MOST_UNITS)
            end_row(row);
        row->units[row->count++] = (struct unit){{stmt}, 1, address};
        row->open = true;
        break;
    case FLUSH: add_flush(row, stmt, address); break;
    case FENCE: row->open = false; break;
    case OTHER: end_row(row); break;
    }
}

void sites_swaps(struct sites_run *run, const struct ast_stmts *list)
{
    struct row row = {.run = run};
    for (const struct ast_stmt *stmt = list->first; stmt; stmt = stmt->next)
        add(&row, stmt);
    end_row(&row);
}

bool sites_has_swaps(const struct sketch *sketch)
{
    return ANY(c, sketch->choice_count, sketch->choices[c].kind == LIT_OPEN_SWAP);
}
