/* A box for each class, what contains above what is contained; the number of a test at each edge.
 */
#include "document/report_lattice.h"

#include "document/report_lattice_rows.h"
#include "picture/report_paint.h"
#include "report/report_string.h"

struct picture {
    const struct report_lattice *report;
    struct report_lattice_plan plan;
    int label_font;
    struct strbuf *out;
};

static int top_of(const struct picture *p, uint32_t node)
{
    return report_lattice_row_of(&p->plan, node)->top;
}

static int bottom_of(const struct picture *p, uint32_t node)
{
    return report_lattice_row_of(&p->plan, node)->bottom;
}

/* ---- Edges ---- */

/* From the lower side of its upper end's row: a curve to the row below, and down through that where
 * the edge goes on. */
static void draw_link(const struct picture *p, const struct report_lattice_link *link)
{
    const struct report_lattice_node *lower = &p->plan.nodes[link->lower];
    int x1 = p->plan.nodes[link->upper].middle, x2 = lower->middle;
    int y1 = bottom_of(p, link->upper), y2 = top_of(p, link->lower), half = (y1 + y2) / 2;
    strbuf_printf(p->out, "C%d %d %d %d %d %d", x1, half, x2, half, x2, y2);
    if (lower->class == UINT32_MAX)
        strbuf_printf(p->out, "V%d", bottom_of(p, link->lower));
}

static void draw_label(const struct picture *p, const struct report_lattice_label *label)
{
    strbuf_printf(p->out,
                  "<text class=\"label\" x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"" REPORT_INK
                  "\" "
                  "text-anchor=\"middle\" stroke=\"" REPORT_PAPER "\" stroke-width=\"4\" "
                  "paint-order=\"stroke\">%u</text>\n",
                  label->x, label->y, p->label_font, label->test);
}

static void draw_edge(struct picture *p, const struct report_lattice_link *links, uint32_t count)
{
    uint32_t test = report_lattice_edge_test(p->report, links->edge), upper = links->upper;
    bool known = test != UINT32_MAX;
    int box_bottom = top_of(p, upper) + p->plan.nodes[upper].height;
    strbuf_printf(p->out, "<path class=\"edge\" d=\"M%d %d", p->plan.nodes[upper].middle,
                  box_bottom);
    if (box_bottom != bottom_of(p, upper))
        strbuf_printf(p->out, "V%d", bottom_of(p, upper));
    for (uint32_t i = 0; i < count; i++)
        draw_link(p, &links[i]);
    strbuf_printf(p->out, "\" stroke=\"" REPORT_SOFT "\" fill=\"none\"%s>",
                  known ? "" : " stroke-dasharray=\"4 3\"");
    if (known)
        strbuf_printf(p->out, "<title>test %u</title>", test + 1);
    strbuf_add(p->out, "</path>\n");
}

/* All edges before all labels, so that none runs over one. */
static void draw_edges(struct picture *p, struct arena *arena)
{
    const struct report_lattice_plan *plan = &p->plan;
    const struct report_lattice_labels labels =
        report_lattice_labels(arena, p->report, plan, p->label_font);
    for (uint32_t k = 0, end; k < plan->link_count; k = end) {
        end = report_lattice_edge_end(plan, k);
        draw_edge(p, &plan->links[k], end - k);
    }
    EACH (const struct report_lattice_label, label, labels.items, labels.count)
        draw_label(p, label);
}

/* ---- Boxes ---- */

static void draw_class(const struct picture *p, uint32_t class)
{
    const struct report_lattice_node *node = &p->plan.nodes[class];
    int top = top_of(p, class), y = top + REPORT_LATTICE_PADDING / 2 + 13;
    strbuf_printf(p->out,
                  "<g class=\"class\"><rect class=\"sheet\" x=\"%d\" y=\"%d\" width=\"%d\" "
                  "height=\"%d\" rx=\"4\" "
                  "fill=\"#f6f7f9\" stroke=\"" REPORT_INK "\"/>",
                  node->middle - node->width / 2, top, node->width, node->height);
    for (uint32_t m = 0; m < p->report->model_count; m++) {
        if (p->report->order.class_of[m] != class)
            continue;
        strbuf_printf(p->out,
                      "<text class=\"ink\" x=\"%d\" y=\"%d\" font-size=\"13\" "
                      "fill=\"" REPORT_INK "\" text-anchor=\"middle\">",
                      node->middle, y);
        report_xml_between(p->out, "", p->report->names[m], "</text>");
        y += REPORT_LATTICE_LINE;
    }
    strbuf_add(p->out, "</g>\n");
}

struct report_size report_lattice_draw(const struct report_lattice *report, int label_font,
                                       struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct picture p = {.report = report,
                        .plan = report_lattice_rows(&arena, report),
                        .label_font = label_font,
                        .out = out};
    draw_edges(&p, &arena);
    for (uint32_t c = 0; c < report->order.class_count; c++)
        draw_class(&p, c);
    return (struct report_size){p.plan.width, p.plan.height};
}

struct report_size report_lattice_picture(const void *report, enum report_sheet sheet,
                                          struct strbuf *out)
{
    enum { LABEL_FONT = 11 };
    const struct report_lattice titled = report_lattice_titled(report);
    SCOPED(strbuf) body = {0};
    if (sheet == REPORT_SLIDE)
        return report_lattice_slide(&titled, out);
    const struct report_size size = report_lattice_draw(&titled, LABEL_FONT, &body);
    return report_picture_sheet("picture lattice", sheet, size, &body, out);
}
