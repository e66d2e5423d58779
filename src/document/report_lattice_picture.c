/* A box for each class, what contains above what is contained; the number of a test at each edge.
 */
#include "document/report_lattice.h"

#include "document/report_lattice_rows.h"
#include "picture/report_paint.h"
#include "report/report_string.h"

struct picture {
    const struct report_lattice *report;
    struct report_lattice_plan plan;
    struct report_lattice_label {
        int x, y, width;
    } * labels;
    uint32_t label_count;
    int label_font;
    struct strbuf *out;
};

static int top_of(const struct picture *p, uint32_t node)
{
    return p->plan.rows[p->plan.nodes[node].rank].top;
}

static int bottom_of(const struct picture *p, uint32_t node)
{
    return p->plan.rows[p->plan.nodes[node].rank].bottom;
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

static bool is_free(const struct picture *p, const struct report_lattice_label *label)
{
    int line = p->label_font + 2;
    EACH (const struct report_lattice_label, other, p->labels, p->label_count) {
        int apart = label->x > other->x ? label->x - other->x : other->x - label->x;
        int below = label->y > other->y ? label->y - other->y : other->y - label->y;
        if (2 * apart < label->width + other->width && below < line)
            return false;
    }
    return true;
}

/* On the curve, at the hundredth of it that the number says. */
static struct report_lattice_label label_at(const struct picture *p,
                                            const struct report_lattice_link *link, int at)
{
    int x1 = p->plan.nodes[link->upper].middle, x2 = p->plan.nodes[link->lower].middle;
    int y1 = bottom_of(p, link->upper), y2 = top_of(p, link->lower);
    double t = at / 100.0, u = 1 - t, across = t * t * (3 - 2 * t);
    double down = 1.5 * u * u * t + 1.5 * u * t * t + t * t * t;
    return (struct report_lattice_label){.x = x1 + (int)((x2 - x1) * across),
                                         .y = y1 + (int)((y2 - y1) * down) + 4};
}

static void draw_label(struct picture *p, const struct report_lattice_link *links, uint32_t count,
                       uint32_t test)
{
    static const int places[] = {50, 42, 58, 35, 65, 46, 54, 38, 62};
    enum { PLACES = sizeof places / sizeof *places, AROUND = 6 };
    char text[16];
    int width = snprintf(text, sizeof text, "%u", test) * (p->label_font * 61 + 99) / 100 + AROUND;
    struct report_lattice_label label = label_at(p, links, places[0]);
    label.width = width;
    for (uint32_t i = 1; i < count * PLACES && !is_free(p, &label); i++) {
        label = label_at(p, &links[i / PLACES], places[i % PLACES]);
        label.width = width;
    }
    p->labels[p->label_count++] = label;
    strbuf_printf(p->out,
                  "<text class=\"label\" x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"" REPORT_INK
                  "\" "
                  "text-anchor=\"middle\" stroke=\"" REPORT_PAPER "\" stroke-width=\"4\" "
                  "paint-order=\"stroke\">%s</text>\n",
                  label.x, label.y, p->label_font, text);
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
static void draw_edges(struct picture *p)
{
    const struct report_lattice_plan *plan = &p->plan;
    for (int labels = 0; labels < 2; labels++)
        for (uint32_t k = 0, end; k < plan->link_count; k = end) {
            uint32_t test = report_lattice_edge_test(p->report, plan->links[k].edge);
            for (end = k + 1; end < plan->link_count; end++)
                if (plan->links[end].edge != plan->links[k].edge)
                    break;
            if (!labels)
                draw_edge(p, &plan->links[k], end - k);
            else if (test != UINT32_MAX)
                draw_label(p, &plan->links[k], end - k, test + 1);
        }
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
    p.labels = ARENA_ARRAY(&arena, struct report_lattice_label, report->order.edge_count + 1);
    draw_edges(&p);
    for (uint32_t c = 0; c < report->order.class_count; c++)
        draw_class(&p, c);
    return (struct report_size){p.plan.width, p.plan.height};
}

struct report_size report_lattice_picture(const void *report, enum report_sheet sheet,
                                          struct strbuf *out)
{
    enum { LABEL_FONT = 11 };
    SCOPED(strbuf) body = {0};
    if (sheet == REPORT_SLIDE)
        return report_lattice_slide(report, out);
    const struct report_size size = report_lattice_draw(report, LABEL_FONT, &body);
    return report_picture_sheet("picture lattice", sheet, size, &body, out);
}
