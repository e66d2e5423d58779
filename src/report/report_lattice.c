#include "report/report_lattice.h"

#include "base/json.h"
#include "report/report.h"
#include "report/report_page.h"
#include "report/report_string.h"

#include <inttypes.h>
#include <string.h>

static uint32_t first_of(const struct report_lattice *report, uint32_t class)
{
    uint32_t m = 0;
    while (report->class_of[m] != class)
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
        if (report->class_of[m] == class) {
            strbuf_printf(out, "%s%s", before, report->names[m]);
            before = " = ";
        }
}

static void add_state(const struct report_lattice_test *test, struct strbuf *out)
{
    if (test->undefined)
        strbuf_add(out, "undefined");
    else
        strbuf_printf(out, "%s %s", test->kind, test->state);
}

void report_lattice_test_line(const struct report_lattice *report, uint32_t number,
                              struct strbuf *out)
{
    strbuf_printf(out, "%u: %s: ", number + 1, report->tests[number].line);
    add_state(&report->tests[number], out);
}

uint32_t report_lattice_edge_test(const struct report_lattice *report, uint32_t edge)
{
    uint32_t pair = at(report, first_of(report, report->edges[edge].above),
                       first_of(report, report->edges[edge].below));
    return report->more[pair] == CONTRAST_YES ? report->test_of[pair] : UINT32_MAX;
}

static void add_figures(const struct report_lattice *report, struct strbuf *out)
{
    strbuf_printf(out,
                  "%s: %" PRIu64 " programs up to symmetry, %" PRIu64
                  " states compared, engine %s; %u open",
                  report->bound, report->programs, report->states, report->engine, report->open);
    if (report->alike)
        strbuf_printf(out, "; %" PRIu64 " not asked, as all rule alike", report->alike);
    if (!report->ended)
        strbuf_add(out, "; the search did not come to its end");
}

/* ---- Text ---- */

static void add_edges(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t e = 0; e < report->edge_count; e++) {
        uint32_t above = first_of(report, report->edges[e].above),
                 below = first_of(report, report->edges[e].below);
        uint32_t test = report_lattice_edge_test(report, e);
        strbuf_printf(out, "  %s contains %s", report->names[above], report->names[below]);
        if (test != UINT32_MAX)
            strbuf_printf(out, ": test %u\n", test + 1);
        else
            strbuf_add(out, ", and whether it has more is not known\n");
    }
}

/* Of two classes each of which has more. */
static void add_apart(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t a = 0; a < report->class_count; a++)
        for (uint32_t b = a + 1; b < report->class_count; b++) {
            uint32_t m = first_of(report, a), k = first_of(report, b);
            if (report->more[at(report, m, k)] == CONTRAST_YES &&
                report->more[at(report, k, m)] == CONTRAST_YES)
                strbuf_printf(out, "  %s and %s: tests %u and %u\n", report->names[m],
                              report->names[k], report->test_of[at(report, m, k)] + 1,
                              report->test_of[at(report, k, m)] + 1);
        }
}

static void add_open(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t a = 0; a < report->model_count; a++)
        for (uint32_t b = 0; b < report->model_count; b++)
            if (a != b && report->more[at(report, a, b)] == CONTRAST_OPEN)
                strbuf_printf(out, "  whether %s has more than %s: %s\n", report->names[a],
                              report->names[b], report->doubts[at(report, a, b)]);
}

void report_lattice_text(const struct report_lattice *report, struct strbuf *out)
{
    strbuf_printf(out, "Classes%s%s\n", *report->over ? " over " : "", report->over);
    for (uint32_t c = 0; c < report->class_count; c++) {
        strbuf_add(out, "  ");
        add_class(report, c, out);
        strbuf_add_char(out, '\n');
    }
    strbuf_add(out, "Order\n");
    add_edges(report, out);
    strbuf_add(out, "Neither contains the other\n");
    add_apart(report, out);
    if (report->open) {
        strbuf_add(out, "Not known\n");
        add_open(report, out);
    }
    strbuf_add(out, "Tests\n");
    for (uint32_t t = 0; t < report->test_count; t++) {
        strbuf_add(out, "  ");
        report_lattice_test_line(report, t, out);
        strbuf_add_char(out, '\n');
    }
    strbuf_add(out, "Summary: ");
    add_figures(report, out);
    strbuf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void json_pair(const struct report_lattice *report, uint32_t a, uint32_t b,
                      struct strbuf *out)
{
    static const char *const words[] = {"no", "yes", "unknown"};
    uint32_t pair = at(report, a, b);
    json_object(out, NULL);
    json_number(out, "schema", 1);
    json_string(out, "first", report->names[a]);
    json_string(out, "second", report->names[b]);
    json_string(out, "more", words[report->more[pair]]);
    if (report->more[pair] == CONTRAST_YES)
        json_number(out, "test", report->test_of[pair] + 1);
    if (report->more[pair] == CONTRAST_OPEN)
        json_string(out, "doubt", report->doubts[pair]);
    strbuf_add(out, "}\n");
}

static void json_tests(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t t = 0; t < report->test_count; t++) {
        const struct report_lattice_test *test = &report->tests[t];
        json_object(out, NULL);
        json_number(out, "schema", 1);
        json_number(out, "test", t + 1);
        json_number(out, "operations", test->size);
        json_string(out, "line", test->line);
        json_string(out, "litmus", test->litmus);
        json_bool(out, "undefined", test->undefined);
        json_string(out, "kind", test->kind);
        json_string(out, "state", test->state);
        strbuf_add(out, "}\n");
    }
}

static void json_classes(const struct report_lattice *report, struct strbuf *out)
{
    json_array(out, "classes");
    for (uint32_t c = 0; c < report->class_count; c++) {
        json_array(out, NULL);
        for (uint32_t m = 0; m < report->model_count; m++)
            if (report->class_of[m] == c)
                json_string(out, NULL, report->names[m]);
        json_end(out, ']');
    }
    json_end(out, ']');
    json_array(out, "edges");
    for (uint32_t e = 0; e < report->edge_count; e++) {
        json_array(out, NULL);
        json_number(out, NULL, report->edges[e].above);
        json_number(out, NULL, report->edges[e].below);
        json_end(out, ']');
    }
    json_end(out, ']');
}

void report_lattice_json(const struct report_lattice *report, struct strbuf *out)
{
    json_tests(report, out);
    for (uint32_t a = 0; a < report->model_count; a++)
        for (uint32_t b = 0; b < report->model_count; b++)
            if (a != b)
                json_pair(report, a, b, out);
    strbuf_printf(out, "{\"schema\":1,%s", report->tail);
    json_string(out, "over", report->over);
    json_classes(report, out);
    json_string(out, "bound", report->bound);
    json_string(out, "engine", report->engine);
    json_number(out, "programs", report->programs);
    json_number(out, "alike", report->alike);
    json_number(out, "states", report->states);
    json_number(out, "open", report->open);
    strbuf_add(out, "}\n");
}

/* ---- DOT ---- */

/* In quotes: a backslash and a quote are escaped. */
static void add_quoted(struct strbuf *out, const char *text)
{
    strbuf_add_char(out, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
    }
    strbuf_add_char(out, '"');
}

void report_lattice_dot(const struct report_lattice *report, struct strbuf *out)
{
    struct strbuf text = {0};
    strbuf_add(out,
               "digraph lattice {\n  rankdir=BT;\n  node [shape=box, fontname=\"monospace\"];\n");
    for (uint32_t c = 0; c < report->class_count; c++) {
        strbuf_clear(&text);
        add_class(report, c, &text);
        strbuf_printf(out, "  c%u [label=", c);
        add_quoted(out, strbuf_text(&text));
        strbuf_add(out, "];\n");
    }
    for (uint32_t e = 0; e < report->edge_count; e++) {
        uint32_t test = report_lattice_edge_test(report, e);
        strbuf_printf(out, "  c%u -> c%u [dir=none", report->edges[e].below,
                      report->edges[e].above);
        if (test != UINT32_MAX)
            strbuf_printf(out, ", label=\"%u\"", test + 1);
        else
            strbuf_add(out, ", style=dashed");
        strbuf_add(out, "];\n");
    }
    strbuf_add(out, "}\n");
    strbuf_fini(&text);
}

/* ---- HTML ---- */

static void html_matrix(const struct report_lattice *report, struct strbuf *out)
{
    strbuf_add(out, "<div class=\"scroll\"><table class=\"tests\"><thead><tr>"
                    "<th class=\"first\">has more than</th>");
    for (uint32_t b = 0; b < report->model_count; b++)
        report_xml_between(out, "<th>", report->names[b], "</th>");
    strbuf_add(out, "</tr></thead>\n<tbody>\n");
    for (uint32_t a = 0; a < report->model_count; a++) {
        report_xml_between(out, "<tr><th class=\"first\">", report->names[a], "</th>");
        for (uint32_t b = 0; b < report->model_count; b++) {
            uint32_t pair = at(report, a, b);
            if (a == b || report->more[pair] == CONTRAST_NO)
                strbuf_add(out, "<td></td>");
            else if (report->more[pair] == CONTRAST_YES)
                strbuf_printf(out, "<td><a href=\"#t%u\">test&#160;%u</a></td>",
                              report->test_of[pair] + 1, report->test_of[pair] + 1);
            else
                report_xml_between(out, "<td class=\"v-unknown\">not known<br/><small>",
                                   report->doubts[pair], "</small></td>");
        }
        strbuf_add(out, "</tr>\n");
    }
    strbuf_add(out, "</tbody></table></div>\n");
}

static void html_test(const struct report_lattice *report, uint32_t number, struct strbuf *out)
{
    const struct report_lattice_test *test = &report->tests[number];
    struct strbuf state = {0};
    add_state(test, &state);
    strbuf_printf(out, "<article id=\"t%u\"><h2>Test %u</h2>\n", number + 1, number + 1);
    report_xml_between(out, "<p><code>", test->line, "</code></p>\n");
    report_xml_between(out, "<p><code>", strbuf_text(&state), "</code></p>\n");
    report_xml_between(out, "<pre>", test->litmus, "</pre></article>\n");
    strbuf_fini(&state);
}

void report_lattice_html(const struct report_lattice *report, struct strbuf *out)
{
    struct strbuf figures = {0};
    report_page_begin("crashlit lattice", out);
    report_xml_between(out, "<h1>Models ", *report->over ? "over " : "", "");
    report_xml_between(out, "", report->over, "</h1>\n");
    add_figures(report, &figures);
    report_xml_between(out, "<p class=\"counts\">", strbuf_text(&figures),
                       "</p></header>\n<main>\n");
    strbuf_fini(&figures);
    strbuf_add(out, "<figure class=\"wide\">");
    (void)report_lattice_picture(report, out);
    strbuf_add(out, "</figure>\n");
    html_matrix(report, out);
    for (uint32_t t = 0; t < report->test_count; t++)
        html_test(report, t, out);
    strbuf_add(out, "</main></body></html>\n");
}
