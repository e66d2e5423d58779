#include "report/report_compare.h"

#include "base/json.h"
#include "report/report.h"

#include <string.h>

/* What was cut off at a limit, or decided without a listing, has no number of states to compare. */
bool report_compare_differs(const struct report_compare_row *row, uint32_t column)
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

void report_compare_more(const struct report_compare_held *held, int side, struct strbuf *out)
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

/* ---- Text ---- */

static size_t widest(const struct report_compare *report)
{
    size_t width = strlen("test");
    for (size_t i = 0; i < report->row_count; i++)
        if (strlen(report->rows[i].name) > width)
            width = strlen(report->rows[i].name);
    return width;
}

/* Columns are as wide as the pair's name, and as the longest cell: "*undefined 12345"; the last one
 * where there is more behind it. */
static int column_width(const struct report_compare *report, uint32_t column, bool more)
{
    size_t width = strlen(report->names[column]);
    if (column + 1 == report->pair_count && !more)
        return 0;
    return width > 16 ? (int)width : 16;
}

/* Whether any cell differs from the first. */
static bool print_row(const struct report_compare *report, const struct report_compare_row *row,
                      int name_width, struct strbuf *out)
{
    bool any = false;
    strbuf_printf(out, "%-*s", name_width, row->name);
    for (uint32_t i = 0; i < report->pair_count; i++) {
        bool other = report_compare_differs(row, i);
        int width = column_width(report, i, *row->without_meaning);
        strbuf_printf(out, "  %c%-*s", other ? '*' : ' ', width ? width - 1 : 0,
                      row->cells[i].text);
        any |= other;
    }
    if (*row->without_meaning)
        strbuf_printf(out, "  %s", row->without_meaning);
    strbuf_add_char(out, '\n');
    return any;
}

static void print_more(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    struct strbuf more = {0};
    for (size_t k = 0; k < report->row_count; k++)
        for (int side = 0; side < 2; side++) {
            const struct report_compare_held *held = &report->rows[k].held[column];
            strbuf_clear(&more);
            if (held->held)
                report_compare_more(held, side, &more);
            if (more.length)
                strbuf_printf(out, "  %s, %s: %s\n", report->rows[k].name,
                              report->names[side ? column : 0], strbuf_text(&more));
        }
    strbuf_fini(&more);
}

static void print_direction(const struct report_compare *report, uint32_t column,
                            struct strbuf *out)
{
    report_compare_direction(report, column, out);
    strbuf_add(out, "; ");
    report_compare_counts(report, column, out);
    strbuf_add_char(out, '\n');
    print_more(report, column, out);
}

void report_compare_text(const struct report_compare *report, struct strbuf *out)
{
    int name_width = (int)widest(report);
    size_t differ = 0;
    strbuf_printf(out, "%-*s", name_width, "test");
    for (uint32_t i = 0; i < report->pair_count; i++)
        strbuf_printf(out, "  %-*s", column_width(report, i, report->lacking), report->names[i]);
    strbuf_printf(out, "%s\n", report->lacking ? "  without meaning" : "");
    for (size_t k = 0; k < report->row_count; k++)
        differ += print_row(report, &report->rows[k], name_width, out);
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++)
        print_direction(report, i, out);
    strbuf_printf(out, "Summary: %zu tests, %zu differ", report->row_count - report->unread,
                  differ);
    if (report->unread)
        strbuf_printf(out, ", %zu could not be read", report->unread);
    if (report->bare)
        strbuf_printf(out, ", %zu without conditions", report->bare);
    strbuf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void json_side(const struct report_compare_held *held, int side, const char *pair,
                      struct strbuf *out)
{
    static const char *const words[] = {"no", "yes", "unknown"};
    const struct contrast_side *more = &held->contrast.sides[side];
    json_object(out, NULL);
    json_string(out, "pair", pair);
    json_string(out, "more", words[more->more]);
    json_bool(out, "undefined", more->undefined);
    if (more->doubt)
        json_string(out, "doubt", more->doubt);
    json_array(out, "states");
    for (uint32_t i = 0; i < more->count; i++) {
        const struct report_compare_states *states = &held->states[side][i];
        json_object(out, NULL);
        json_string(out, "kind", agree_aspect_text(states->aspect));
        json_number(out, "count", states->count);
        json_name(out, "smallest");
        strbuf_add(out, states->json);
        json_end(out, '}');
    }
    json_end(out, ']');
    json_end(out, '}');
}

static void json_cell(const char *name, const struct report_compare_cell *cell, struct strbuf *out)
{
    json_object(out, name);
    json_string(out, "verdict", lit_verdict_text(cell->verdict));
    if (*cell->states) {
        json_string(out, "crash_states", cell->states);
        json_bool(out, "complete", cell->whole);
    }
    json_end(out, '}');
}

static void json_row(const struct report_compare *report, const struct report_compare_row *row,
                     uint32_t column, struct strbuf *out)
{
    const struct report_compare_held *held = &row->held[column];
    report_json_begin(row->name, out);
    json_string(out, "file", row->path);
    json_string(out, "engine", report->engine);
    json_string(out, "first", report->names[0]);
    json_string(out, "second", report->names[column]);
    json_array(out, "answers");
    json_cell(NULL, &row->cells[0], out);
    json_cell(NULL, &row->cells[column], out);
    json_end(out, ']');
    json_bool(out, "differs", report_compare_differs(row, column));
    if (held->held) {
        json_string(out, "class", contrast_class_word(contrast_class_of(&held->contrast)));
        json_array(out, "sides");
        json_side(held, 0, report->names[0], out);
        json_side(held, 1, report->names[column], out);
        json_end(out, ']');
    }
    json_string(out, "without_meaning", row->without_meaning);
    strbuf_add(out, "}\n");
}

static void json_totals(const struct report_compare *report, uint32_t column, struct strbuf *out)
{
    const struct contrast_totals *totals = &report->totals[column];
    json_object(out, NULL);
    json_number(out, "schema", 1);
    json_string(out, "first", report->names[0]);
    json_string(out, "second", report->names[column]);
    json_string(out, "direction", contrast_direction_word(contrast_direction_of(totals)));
    json_number(out, "tests", totals->tests);
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++)
        json_number(out, contrast_class_word((enum contrast_class)i), totals->classes[i]);
    json_number(out, "unread", report->unread);
    strbuf_add(out, "}\n");
}

void report_compare_json(const struct report_compare *report, struct strbuf *out)
{
    for (size_t k = 0; k < report->row_count; k++)
        for (uint32_t i = 1; i < report->pair_count; i++)
            json_row(report, &report->rows[k], i, out);
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++)
        json_totals(report, i, out);
}
