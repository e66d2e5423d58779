#include "document/report_lattice.h"

#include "base/json.h"
#include "document/report_json.h"
#include "report/report.h"

#include <inttypes.h>
#include <string.h>

static uint32_t first_of(const struct report_lattice *report, uint32_t class)
{
    uint32_t m = 0;
    while (report->order.class_of[m] != class)
        m++;
    return m;
}

static uint32_t at(const struct report_lattice *report, uint32_t first, uint32_t second)
{
    return first * report->model_count + second;
}

/* "strict = buffered-strict" */
static void add_class(const struct report_lattice *report, uint32_t class, struct strbuf *out)
{
    const char *before = "";
    for (uint32_t m = 0; m < report->model_count; m++)
        if (report->order.class_of[m] == class) {
            strbuf_printf(out, "%s%s", before, report->names[m]);
            before = " = ";
        }
}

static void add_state(const struct report_survey_test *test, struct strbuf *out)
{
    if (test->undefined)
        strbuf_add(out, "undefined");
    else
        strbuf_printf(out, "%s %s", test->kind, test->state);
}

struct report_lattice report_lattice_titled(const struct report_lattice *report)
{
    struct report_lattice titled = *report;
    if (report->titles) {
        titled.names = report->titles;
        titled.over = report->over_title;
    }
    return titled;
}

void report_lattice_test_line(const struct report_lattice *report, uint32_t number,
                              struct strbuf *out)
{
    strbuf_printf(out, "%u: %s: ", number + 1, report->tests[number].line);
    add_state(&report->tests[number], out);
}

uint32_t report_lattice_edge_test(const struct report_lattice *report, uint32_t edge)
{
    uint32_t pair = at(report, first_of(report, report->order.edges[edge].above),
                       first_of(report, report->order.edges[edge].below));
    return report->more[pair] == CONTRAST_YES ? report->test_of[pair] : UINT32_MAX;
}

static void add_figures(const struct report_lattice *report, struct strbuf *out)
{
    report_survey_figures(report->survey, out);
    strbuf_printf(out, "; %u open", report->order.open);
    if (report->survey->counts.alike)
        strbuf_printf(out, "; %" PRIu64 " not asked, as all rule alike",
                      report->survey->counts.alike);
    if (!report->survey->ended)
        strbuf_add(out, "; the search did not come to its end");
}

/* ---- For Graphviz ---- */

static void add_dot(const void *of, struct strbuf *out)
{
    const struct report_lattice titled = report_lattice_titled(of), *report = &titled;
    SCOPED(strbuf) text = {0};
    strbuf_add(out,
               "digraph lattice {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\"];\n");
    for (uint32_t c = 0; c < report->order.class_count; c++) {
        strbuf_clear(&text);
        add_class(report, c, &text);
        strbuf_printf(out, "  c%u [label=", c);
        report_dot_string(out, strbuf_text(&text));
        strbuf_add(out, "];\n");
    }
    for (uint32_t e = 0; e < report->order.edge_count; e++) {
        uint32_t test = report_lattice_edge_test(report, e);
        strbuf_printf(out, "  c%u -> c%u [dir=none", report->order.edges[e].below,
                      report->order.edges[e].above);
        if (test != UINT32_MAX)
            strbuf_printf(out, ", label=\"%u\"", test + 1);
        else
            strbuf_add(out, ", style=dashed");
        strbuf_add(out, "];\n");
    }
    strbuf_add(out, "}\n");
}

/* ---- The document ---- */

static void begin_list(struct report_tree *tree, const char *head, const char *over)
{
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "%s%s%s", head, *over ? " over " : "", over);
    report_tree_begin(tree, REPORT_LIST, NULL);
}

/* A list without items has no head either. */
static void end_list(struct report_tree *tree)
{
    bool empty = VEC_LAST(&tree->nodes).kind == REPORT_LIST;
    report_tree_end(tree);
    (empty ? report_tree_drop : report_tree_end)(tree);
}

static void add_edges(const struct report_lattice *report, struct report_tree *tree)
{
    begin_list(tree, "Order", "");
    for (uint32_t e = 0; e < report->order.edge_count; e++) {
        uint32_t above = first_of(report, report->order.edges[e].above),
                 below = first_of(report, report->order.edges[e].below);
        uint32_t test = report_lattice_edge_test(report, e);
        report_tree_begin(tree, REPORT_ITEM, NULL);
        strbuf_printf(&tree->text, "%s contains %s", report->names[above], report->names[below]);
        if (test != UINT32_MAX)
            strbuf_printf(&tree->text, ": test %u", test + 1);
        else
            strbuf_add(&tree->text, ", and whether it has more is not known");
        report_tree_end(tree);
    }
    end_list(tree);
}

/* Of two classes each of which has more. */
static void add_apart(const struct report_lattice *report, struct report_tree *tree)
{
    begin_list(tree, "Neither contains the other", "");
    for (uint32_t a = 0; a < report->order.class_count; a++)
        for (uint32_t b = a + 1; b < report->order.class_count; b++) {
            uint32_t m = first_of(report, a), k = first_of(report, b);
            if (report->more[at(report, m, k)] == CONTRAST_YES &&
                report->more[at(report, k, m)] == CONTRAST_YES)
                report_tree_add(tree, REPORT_ITEM, NULL, "%s and %s: tests %u and %u",
                                report->names[m], report->names[k],
                                report->test_of[at(report, m, k)] + 1,
                                report->test_of[at(report, k, m)] + 1);
        }
    end_list(tree);
}

static void add_open(const struct report_lattice *report, struct report_tree *tree)
{
    begin_list(tree, "Not known", "");
    for (uint32_t a = 0; a < report->model_count; a++)
        for (uint32_t b = 0; b < report->model_count; b++)
            if (a != b && report->more[at(report, a, b)] == CONTRAST_OPEN)
                report_tree_add(tree, REPORT_ITEM, NULL, "whether %s has more than %s: %s",
                                report->names[a], report->names[b],
                                report->doubts[at(report, a, b)]);
    end_list(tree);
}

static void add_classes(const struct report_lattice *report, struct report_tree *tree)
{
    begin_list(tree, "Classes", report->over);
    for (uint32_t c = 0; c < report->order.class_count; c++) {
        report_tree_begin(tree, REPORT_ITEM, NULL);
        add_class(report, c, &tree->text);
        report_tree_end(tree);
    }
    end_list(tree);
}

/* Which model has more than which, by which test. */
static void add_matrix(const struct report_lattice *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_TABLE, NULL);
    report_tree_begin(tree, REPORT_ROW, NULL);
    report_tree_add(tree, REPORT_CELL, "first", "has more than");
    for (uint32_t b = 0; b < report->model_count; b++)
        report_tree_add(tree, REPORT_CELL, NULL, "%s", report->names[b]);
    report_tree_end(tree);
    for (uint32_t a = 0; a < report->model_count; a++) {
        report_tree_begin(tree, REPORT_ROW, NULL);
        report_tree_add(tree, REPORT_CELL, "first", "%s", report->names[a]);
        for (uint32_t b = 0; b < report->model_count; b++) {
            uint32_t pair = at(report, a, b), test = report->test_of[pair] + 1;
            bool open = report->more[pair] == CONTRAST_OPEN && a != b;
            report_tree_begin(tree, REPORT_CELL, open ? "v-unknown" : NULL);
            if (open)
                strbuf_add(&tree->text, "not known");
            else if (a != b && report->more[pair] == CONTRAST_YES)
                report_tree_link(tree, arena_printf(&tree->arena, "t%u", test), "test %u", test);
            report_tree_end(tree);
        }
        report_tree_end(tree);
    }
    report_tree_end(tree);
}

static void add_tests(const struct report_lattice *report, struct report_tree *tree)
{
    begin_list(tree, "Tests", "");
    for (uint32_t t = 0; t < report->test_count; t++) {
        report_tree_begin(tree, REPORT_ITEM, NULL)->id = arena_printf(&tree->arena, "t%u", t + 1);
        report_lattice_test_line(report, t, &tree->text);
        report_tree_only(tree, REPORT_IN_PAGES, REPORT_VERBATIM, "%s", report->tests[t].litmus);
        report_tree_end(tree);
    }
    end_list(tree);
}

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_lattice *report = answer;
    report_tree_add(tree, REPORT_HEAD, NULL, "Models %s%s", *report->over ? "over " : "",
                    report->over);
    report_tree_begin(tree, REPORT_LINE, "counts");
    add_figures(report, &tree->text);
    report_tree_end(tree);
}

static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_lattice *report = answer;
    tree->where = REPORT_IN_TEXT | REPORT_IN_PAGES;
    report_survey_left_out(report->survey, tree);
    tree->where = REPORT_IN_PAGES | REPORT_IN_PICTURES;
    report_tree_figure(
        tree, "wide",
        (struct report_figure){report_lattice_picture, add_dot, report_lattice_tex, report});
    tree->where = REPORT_IN_PAGES;
    add_matrix(report, tree);
    tree->where = REPORT_IN_TEXT | REPORT_IN_PAGES;
    add_classes(report, tree);
    add_edges(report, tree);
    add_apart(report, tree);
    add_open(report, tree);
    add_tests(report, tree);
    tree->where = REPORT_IN_TEXT | REPORT_IN_MARKDOWN; /* HTML has it in its head */
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_add(&tree->text, "Summary: ");
    add_figures(report, &tree->text);
    report_tree_end(tree);
}

/* ---- JSON ---- */

static void json_pair(const struct report_lattice *report, uint32_t a, uint32_t b,
                      struct strbuf *out)
{
    static const char *const words[] = {"no", "yes", "unknown"};
    uint32_t pair = at(report, a, b);
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "first", report->names[a]);
    emit_string(out, "second", report->names[b]);
    emit_string(out, "more", words[report->more[pair]]);
    if (report->more[pair] == CONTRAST_YES)
        emit_number(out, "test", report->test_of[pair] + 1);
    if (report->more[pair] == CONTRAST_OPEN)
        emit_string(out, "doubt", report->doubts[pair]);
    report_json_end(out);
}

static void json_tests(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t t = 0; t < report->test_count; t++) {
        emit_object(out, NULL);
        emit_number(out, "schema", 1);
        emit_number(out, "test", t + 1);
        report_survey_json_test(&report->tests[t], out);
        report_json_end(out);
    }
}

static void json_classes(const struct report_lattice *report, struct strbuf *out)
{
    emit_array(out, "classes");
    for (uint32_t c = 0; c < report->order.class_count; c++) {
        emit_array(out, NULL);
        for (uint32_t m = 0; m < report->model_count; m++)
            if (report->order.class_of[m] == c)
                emit_string(out, NULL, report->names[m]);
        emit_end(out, ']');
    }
    emit_end(out, ']');
    emit_array(out, "edges");
    for (uint32_t e = 0; e < report->order.edge_count; e++) {
        emit_array(out, NULL);
        emit_number(out, NULL, report->order.edges[e].above);
        emit_number(out, NULL, report->order.edges[e].below);
        emit_end(out, ']');
    }
    emit_end(out, ']');
}

static void add_json(const void *answer, struct strbuf *out)
{
    const struct report_lattice *report = answer;
    json_tests(report, out);
    for (uint32_t a = 0; a < report->model_count; a++)
        for (uint32_t b = 0; b < report->model_count; b++)
            if (a != b)
                json_pair(report, a, b, out);
    report_survey_json_begin(report->survey, out);
    emit_string(out, "over", report->over);
    json_classes(report, out);
    emit_number(out, "open", report->order.open);
    report_json_end(out);
}

const struct report_subject report_lattice = {
    .title = "crashlit lattice", .head = add_head, .body = add_body, .json = add_json};
