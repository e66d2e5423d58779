#include "report/report_lattice.h"

#include "base/json.h"
#include "report/report.h"
#include "report/report_picture.h"
#include "report/report_string.h"

#include <inttypes.h>
#include <string.h>

enum { MARGIN = 20, BOX_GAP = 24, LINE_HEIGHT = 18, RANK_GAP = 46, CHARACTER = 8, PADDING = 10 };

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

static void add_figures(const struct report_lattice *report, struct strbuf *out)
{
    strbuf_printf(out,
                  "%s: %" PRIu64 " programs up to symmetry, %" PRIu64
                  " states compared, engine %s; %u open",
                  report->bound, report->programs, report->states, report->engine, report->open);
    if (!report->ended)
        strbuf_add(out, "; the search did not come to its end");
}

/* ---- Text ---- */

static void add_edges(const struct report_lattice *report, struct strbuf *out)
{
    for (uint32_t e = 0; e < report->edge_count; e++) {
        uint32_t above = first_of(report, report->edges[e].above),
                 below = first_of(report, report->edges[e].below);
        enum contrast_more more = report->more[at(report, above, below)];
        strbuf_printf(out, "  %s contains %s", report->names[above], report->names[below]);
        if (more == CONTRAST_YES)
            strbuf_printf(out, ": test %u\n", report->test_of[at(report, above, below)] + 1);
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
        strbuf_printf(out, "  %u: %s: ", t + 1, report->tests[t].line);
        add_state(&report->tests[t], out);
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
    json_object(out, NULL);
    json_number(out, "schema", 1);
    json_string(out, "over", report->over);
    json_classes(report, out);
    json_string(out, "bound", report->bound);
    json_string(out, "engine", report->engine);
    json_number(out, "programs", report->programs);
    json_number(out, "states", report->states);
    json_number(out, "open", report->open);
    json_bool(out, "ended", report->ended);
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
        uint32_t above = report->edges[e].above, below = report->edges[e].below;
        uint32_t pair = at(report, first_of(report, above), first_of(report, below));
        strbuf_printf(out, "  c%u -> c%u [dir=none", below, above);
        if (report->more[pair] == CONTRAST_YES)
            strbuf_printf(out, ", label=\"%u\"", report->test_of[pair] + 1);
        else
            strbuf_add(out, ", style=dashed");
        strbuf_add(out, "];\n");
    }
    strbuf_add(out, "}\n");
    strbuf_fini(&text);
}

/* ---- SVG: a box for each class, what contains above what is contained ---- */

struct box {
    int x, y, width, height;
};

struct plan {
    struct box *boxes; /* per class */
    int width, height;
};

static struct box size_of(const struct report_lattice *report, uint32_t class)
{
    struct box box = {.height = PADDING};
    for (uint32_t m = 0; m < report->model_count; m++)
        if (report->class_of[m] == class) {
            int width = (int)strlen(report->names[m]) * CHARACTER + 2 * PADDING;
            box.width = width > box.width ? width : box.width;
            box.height += LINE_HEIGHT;
        }
    return box;
}

static uint32_t top_rank(const struct report_lattice *report)
{
    uint32_t top = 0;
    for (uint32_t c = 0; c < report->class_count; c++)
        top = report->rank[c] > top ? report->rank[c] : top;
    return top;
}

/* One row, from the left; it is moved to the middle when the widest is known. */
static int place_row(const struct report_lattice *report, struct plan *plan, uint32_t rank, int y)
{
    int x = MARGIN, height = 0;
    for (uint32_t c = 0; c < report->class_count; c++) {
        struct box *box = &plan->boxes[c];
        if (report->rank[c] != rank)
            continue;
        *box = size_of(report, c);
        box->x = x;
        box->y = y;
        x += box->width + BOX_GAP;
        height = box->height > height ? box->height : height;
    }
    int width = x - BOX_GAP + MARGIN;
    plan->width = width > plan->width ? width : plan->width;
    return y + height + RANK_GAP;
}

static void center_row(const struct report_lattice *report, struct plan *plan, uint32_t rank)
{
    int right = 0;
    for (uint32_t c = 0; c < report->class_count; c++)
        if (report->rank[c] == rank && plan->boxes[c].x + plan->boxes[c].width > right)
            right = plan->boxes[c].x + plan->boxes[c].width;
    for (uint32_t c = 0; c < report->class_count; c++)
        if (report->rank[c] == rank)
            plan->boxes[c].x += (plan->width - right - MARGIN) / 2;
}

static struct plan plan_of(const struct report_lattice *report)
{
    struct plan plan = {.boxes = base_realloc(NULL, (report->class_count + 1) * sizeof(struct box)),
                        .width = 240};
    int y = MARGIN;
    for (uint32_t r = top_rank(report) + 1; r-- > 0;)
        y = place_row(report, &plan, r, y);
    for (uint32_t r = top_rank(report) + 1; r-- > 0;)
        center_row(report, &plan, r);
    plan.height = y - RANK_GAP + MARGIN;
    return plan;
}

static void draw_edge(const struct report_lattice *report, const struct plan *plan, uint32_t e,
                      struct strbuf *out)
{
    uint32_t a = report->edges[e].above, b = report->edges[e].below;
    uint32_t pair = at(report, first_of(report, a), first_of(report, b));
    const struct box *above = &plan->boxes[a], *below = &plan->boxes[b];
    int x1 = above->x + above->width / 2, y1 = above->y + above->height;
    int x2 = below->x + below->width / 2, y2 = below->y;
    bool known = report->more[pair] == CONTRAST_YES;
    strbuf_printf(out,
                  "<path class=\"edge\" d=\"M%d %dC%d %d %d %d %d %d\" stroke=\"#5b6675\" "
                  "fill=\"none\"%s>",
                  x1, y1, x1, y1 + RANK_GAP / 2, x2, y2 - RANK_GAP / 2, x2, y2,
                  known ? "" : " stroke-dasharray=\"4 3\"");
    if (known)
        strbuf_printf(out, "<title>test %u</title>", report->test_of[pair] + 1);
    strbuf_add(out, "</path>\n");
    if (known)
        strbuf_printf(out,
                      "<text x=\"%d\" y=\"%d\" font-size=\"11\" fill=\"#5b6675\" "
                      "text-anchor=\"middle\">%u</text>\n",
                      (x1 + x2) / 2 + 8, (y1 + y2) / 2 + 4, report->test_of[pair] + 1);
}

static void draw_class(const struct report_lattice *report, const struct plan *plan, uint32_t class,
                       struct strbuf *out)
{
    const struct box *box = &plan->boxes[class];
    int y = box->y + PADDING / 2 + 13;
    strbuf_printf(out,
                  "<g class=\"class\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" "
                  "fill=\"#f6f7f9\" stroke=\"#1c2430\"/>",
                  box->x, box->y, box->width, box->height);
    for (uint32_t m = 0; m < report->model_count; m++) {
        if (report->class_of[m] != class)
            continue;
        strbuf_printf(out,
                      "<text x=\"%d\" y=\"%d\" font-size=\"13\" fill=\"#1c2430\" "
                      "text-anchor=\"middle\">",
                      box->x + box->width / 2, y);
        report_xml_between(out, "", report->names[m], "</text>");
        y += LINE_HEIGHT;
    }
    strbuf_add(out, "</g>\n");
}

void report_lattice_svg(const struct report_lattice *report, struct strbuf *out)
{
    struct plan plan = plan_of(report);
    strbuf_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\" font-family=\"DejaVu Sans Mono, Liberation Mono, monospace\">"
        "\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
        plan.width, plan.height, plan.width, plan.height, plan.width, plan.height);
    for (uint32_t e = 0; e < report->edge_count; e++)
        draw_edge(report, &plan, e, out);
    for (uint32_t c = 0; c < report->class_count; c++)
        draw_class(report, &plan, c, out);
    strbuf_add(out, "</svg>\n");
    base_free(plan.boxes);
}

/* ---- HTML ---- */

static const char *const style[] = {
#define LINE(text) text "\n",
#include "report/report_html_style.def"
#undef LINE
};

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
    strbuf_add(out, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                    "<head><meta charset=\"utf-8\"/><title>crashlit lattice</title>\n<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        strbuf_add(out, style[i]);
    report_xml_between(out, "</style></head>\n<body><header class=\"top\"><h1>Models ",
                       *report->over ? "over " : "", "");
    report_xml_between(out, "", report->over, "</h1>\n");
    add_figures(report, &figures);
    report_xml_between(out, "<p class=\"counts\">", strbuf_text(&figures),
                       "</p></header>\n<main>\n");
    strbuf_fini(&figures);
    report_lattice_svg(report, out);
    html_matrix(report, out);
    for (uint32_t t = 0; t < report->test_count; t++)
        html_test(report, t, out);
    strbuf_add(out, "</main></body></html>\n");
}
