#include "document/report_compare.h"

#include "base/json.h"
#include "document/report_json.h"

#include <string.h>

/* An answer that met a limit, or was decided without a listing, has no number to compare. */
static bool differs(const struct report_compare_row *row, uint32_t column)
{
    const struct report_compare_cell *cell = &row->cells[column], *first = &row->cells[0];
    return cell->verdict != first->verdict ||
           (cell->whole && first->whole && strcmp(cell->states, first->states) != 0);
}

/* ---- In words ---- */

static void add_direction_words(const struct report_compare *report, uint32_t column,
                                struct strbuf *out)
{
    const char *a = report->names[0], *b = report->names[column];
    switch (contrast_direction_of(&report->totals[column])) {
    case CONTRAST_DIRECTION_NOTHING:
        strbuf_printf(out, "%s and %s: nothing to compare", a, b);
        break;
    case CONTRAST_DIRECTION_EQUAL: strbuf_printf(out, "%s and %s are equal", a, b); break;
    case CONTRAST_DIRECTION_CONTAINS: strbuf_printf(out, "%s contains %s", a, b); break;
    case CONTRAST_DIRECTION_CONTAINED: strbuf_printf(out, "%s contains %s", b, a); break;
    case CONTRAST_DIRECTION_INCOMPARABLE:
        strbuf_printf(out, "neither of %s and %s contains the other", a, b);
        break;
    case CONTRAST_DIRECTION_NOT_KNOWN:
        strbuf_printf(out, "which of %s and %s contains the other is not known", a, b);
        break;
    }
}

void report_compare_direction(const struct report_compare *report, uint32_t column,
                              struct strbuf *out)
{
    const struct contrast_totals *totals = &report->totals[column];
    add_direction_words(report, column, out);
    for (int side = 0; side < 2; side++) {
        const char *name = report->names[side ? column : 0];
        if (totals->more[side] && !totals->defined[side])
            strbuf_printf(out, ", %s having more by undefined behaviour alone", name);
        else if (totals->more[side] &&
                 contrast_direction_of(totals) == CONTRAST_DIRECTION_NOT_KNOWN)
            strbuf_printf(out, ", %s having more", name);
    }
}

void report_compare_counts(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    const struct contrast_totals *totals = &report->totals[column];
    const size_t *classes = totals->classes;
    const char *a = report->names[0], *b = report->names[column];
    strbuf_printf(out, "%zu tests: %zu same, %zu %s only, %zu %s only, %zu both, %zu unknown",
                  totals->tests, classes[CONTRAST_SAME], classes[CONTRAST_FIRST], a,
                  classes[CONTRAST_SECOND], b, classes[CONTRAST_BOTH], classes[CONTRAST_UNKNOWN]);
    if (classes[CONTRAST_UNDEFINED_FIRST])
        strbuf_printf(out, ", %zu undefined under %s alone", classes[CONTRAST_UNDEFINED_FIRST], a);
    if (classes[CONTRAST_UNDEFINED_SECOND])
        strbuf_printf(out, ", %zu undefined under %s alone", classes[CONTRAST_UNDEFINED_SECOND], b);
    if (classes[CONTRAST_UNDEFINED])
        strbuf_printf(out, ", %zu undefined under both", classes[CONTRAST_UNDEFINED]);
}

void report_compare_states(const struct report_compare_held *held, int side, struct strbuf *out)
{
    const struct contrast_side *more = &held->contrast.sides[side];
    if (more->more == CONTRAST_YES && more->undefined)
        strbuf_add(out, "undefined, so that anything may happen");
    for (uint32_t i = 0; i < more->count; i++) {
        const struct report_compare_states *states = &held->states[side][i];
        strbuf_add(out, i ? "; " : "");
        if (states->count == 1)
            strbuf_printf(out, "1 %s more, %s", agree_aspect_text(states->aspect), states->text);
        else
            strbuf_printf(out, "%zu %ss more, such as %s", states->count,
                          agree_aspect_text(states->aspect), states->text);
    }
    if (more->more == CONTRAST_OPEN)
        strbuf_printf(out, "whether it has more is not known: %s", more->doubt);
}

/* ---- The document ---- */

static void add_row(const struct report_compare *report, const struct report_compare_row *row,
                    struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_ROW, NULL);
    report_tree_add(tree, REPORT_CELL, "first", "%s", row->name);
    for (uint32_t i = 0; i < report->pair_count; i++) {
        bool other = differs(row, i);
        report_tree_begin(
            tree, REPORT_CELL,
            arena_printf(&tree->arena, "v-%s", lit_verdict_text(row->cells[i].verdict)))
            ->marked = other;
        report_tree_only(tree, REPORT_IN_TEXT, REPORT_SPAN, other ? "*" : " ");
        strbuf_add(&tree->text, row->cells[i].text);
        report_tree_end(tree);
    }
    if (report->lacking)
        report_tree_add(tree, REPORT_CELL, NULL, "%s", row->without_meaning);
    report_tree_end(tree);
}

/* Columns of text are as wide as the longest cell: "*undefined 12345". */
static void add_verdicts(const struct report_compare *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_TABLE, NULL)->least = 16;
    report_tree_begin(tree, REPORT_ROW, NULL);
    report_tree_add(tree, REPORT_CELL, "first", "test");
    for (uint32_t i = 0; i < report->pair_count; i++)
        report_tree_add(tree, REPORT_CELL, NULL, "%s", report->names[i]);
    if (report->lacking)
        report_tree_add(tree, REPORT_CELL, NULL, "without meaning");
    report_tree_end(tree);
    for (size_t k = 0; k < report->row_count; k++)
        add_row(report, &report->rows[k], tree);
    report_tree_end(tree);
}

static void add_more(const struct report_compare *report, size_t row, uint32_t column, int side,
                     struct report_tree *tree)
{
    const struct report_compare_held *held = &report->rows[row].held[column];
    SCOPED(strbuf) more = {0};
    if (held->held)
        report_compare_states(held, side, &more);
    if (more.length) {
        report_tree_begin(tree, REPORT_ITEM, NULL);
        strbuf_add(&tree->text, report->rows[row].name);
        report_tree_only(tree, REPORT_IN_PAGES, REPORT_SMALL, " (%s)",
                         contrast_class_word(contrast_class_of(&held->contrast)));
        strbuf_printf(&tree->text, ", %s: ", report->names[side ? column : 0]);
        report_tree_add(tree, REPORT_CODE, NULL, "%s", strbuf_text(&more));
        report_tree_end(tree);
    }
}

static void add_direction(const struct report_compare *report, uint32_t column,
                          struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_begin(tree, REPORT_LINE, NULL);
    report_tree_begin(tree, REPORT_STRONG, NULL);
    report_compare_direction(report, column, &tree->text);
    report_tree_end(tree);
    strbuf_add(&tree->text, "; ");
    report_compare_counts(report, column, &tree->text);
    report_tree_end(tree);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t k = 0; k < report->row_count; k++)
        for (int side = 0; side < 2; side++)
            add_more(report, k, column, side, tree);
    report_tree_end(tree);
    report_tree_end(tree);
}

/* How many tests have another verdict or number of states under some pair than under the first? */
static size_t count_differing(const struct report_compare *report)
{
    size_t count = 0;
    for (size_t k = 0; k < report->row_count; k++) {
        bool differ = false;
        for (uint32_t i = 1; i < report->pair_count; i++)
            differ |= differs(&report->rows[k], i);
        count += differ;
    }
    return count;
}

static void add_summary(const struct report_compare *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "Summary: %zu tests, %zu differ", report->row_count - report->unread,
                  count_differing(report));
    if (report->unread)
        strbuf_printf(&tree->text, ", %zu could not be read", report->unread);
    if (report->bare)
        strbuf_printf(&tree->text, ", %zu without conditions", report->bare);
    report_tree_end(tree);
}

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_compare *report = answer;
    report_tree_begin(tree, REPORT_HEAD, NULL);
    for (uint32_t i = 0; i < report->pair_count; i++)
        strbuf_printf(&tree->text, "%s%s", i ? " · " : "", report->names[i]);
    report_tree_end(tree);
    report_tree_add(tree, REPORT_LINE, "counts", "%zu tests, engine %s", report->row_count,
                    report->engine);
}

/* In a page, as in a comment on a change, which way the pairs differ comes first, then the verdicts
 * of all; in text, which may be long, it is found at its end. */
static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_compare *report = answer;
    tree->where = REPORT_IN_PICTURES | (report->directed ? REPORT_IN_PAGES : 0);
    report_tree_figure(tree, "wide",
                       (struct report_figure){.draw = report_compare_picture, .of = report});
    tree->where = REPORT_IN_TEXT;
    add_verdicts(report, tree);
    tree->where = REPORT_IN_TEXT | REPORT_IN_PAGES;
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++)
        add_direction(report, i, tree);
    tree->where = REPORT_IN_PAGES;
    add_verdicts(report, tree);
    tree->where = REPORT_IN_TEXT | REPORT_IN_PAGES;
    add_summary(report, tree);
}

/* ---- JSON ---- */

void report_compare_json_side(const struct report_compare_held *held, int side, const char *pair,
                              struct strbuf *out)
{
    static const char *const words[] = {"no", "yes", "unknown"};
    const struct contrast_side *more = &held->contrast.sides[side];
    emit_object(out, NULL);
    emit_string(out, "pair", pair);
    emit_string(out, "more", words[more->more]);
    emit_bool(out, "undefined", more->undefined);
    if (more->doubt)
        emit_string(out, "doubt", more->doubt);
    emit_array(out, "states");
    EACH (const struct report_compare_states, states, held->states[side], more->count) {
        emit_object(out, NULL);
        emit_string(out, "kind", agree_aspect_text(states->aspect));
        emit_number(out, "count", states->count);
        emit_name(out, "smallest");
        strbuf_add(out, states->json);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_end(out, '}');
}

static void json_cell(const char *name, const struct report_compare_cell *cell, struct strbuf *out)
{
    emit_object(out, name);
    emit_string(out, "verdict", lit_verdict_text(cell->verdict));
    if (*cell->states) {
        emit_string(out, "crash_states", cell->states);
        emit_bool(out, "complete", cell->whole);
    }
    emit_end(out, '}');
}

static void json_row(const struct report_compare *report, const struct report_compare_row *row,
                     uint32_t column, struct strbuf *out)
{
    const struct report_compare_held *held = &row->held[column];
    report_json_begin(row->name, out);
    emit_string(out, "file", row->path);
    emit_string(out, "engine", report->engine);
    emit_string(out, "first", report->names[0]);
    emit_string(out, "second", report->names[column]);
    emit_array(out, "answers");
    json_cell(NULL, &row->cells[0], out);
    json_cell(NULL, &row->cells[column], out);
    emit_end(out, ']');
    emit_bool(out, "differs", differs(row, column));
    if (held->held) {
        emit_string(out, "class", contrast_class_word(contrast_class_of(&held->contrast)));
        emit_array(out, "sides");
        report_compare_json_side(held, 0, report->names[0], out);
        report_compare_json_side(held, 1, report->names[column], out);
        emit_end(out, ']');
    }
    emit_string(out, "without_meaning", row->without_meaning);
    report_json_end(out);
}

static void json_totals(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    const struct contrast_totals *totals = &report->totals[column];
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "first", report->names[0]);
    emit_string(out, "second", report->names[column]);
    emit_string(out, "direction", contrast_direction_word(contrast_direction_of(totals)));
    emit_number(out, "tests", totals->tests);
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++)
        emit_number(out, contrast_class_word((enum contrast_class)i), totals->classes[i]);
    emit_number(out, "unread", report->unread);
    report_json_end(out);
}

static void add_json(const void *answer, struct strbuf *out)
{
    const struct report_compare *report = answer;
    for (size_t k = 0; k < report->row_count; k++)
        for (uint32_t i = 1; i < report->pair_count; i++)
            json_row(report, &report->rows[k], i, out);
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++)
        json_totals(report, i, out);
}

const struct report_subject report_compare = {
    .title = "crashlit compare", .head = add_head, .body = add_body, .json = add_json};
