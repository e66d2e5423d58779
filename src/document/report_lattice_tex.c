/* The picture of a lattice for LaTeX, as its SVG is laid out. */
#include "document/report_lattice.h"
#include "document/report_lattice_rows.h"
#include "picture/report_tex.h"

struct drawing {
    const struct report_lattice *report;
    const struct report_lattice_plan *plan;
    struct strbuf *out;
};

static void add_edge(const struct drawing *d, uint32_t from, uint32_t end)
{
    const struct report_lattice_link *links = d->plan->links;
    const struct report_lattice_node *nodes = d->plan->nodes, *top = &nodes[links[from].upper];
    const struct report_lattice_row *row = report_lattice_row_of(d->plan, links[from].upper);
    bool known = report_lattice_edge_test(d->report, links[from].edge) != UINT32_MAX;
    strbuf_printf(d->out, "\\path[crashlit %s] (%d,%d) -- (%d,%d)", known ? "order" : "open order",
                  top->middle, row->top + top->height, top->middle, row->bottom);
    for (uint32_t i = from; i < end; i++) {
        const struct report_lattice_node *lower = &nodes[links[i].lower];
        int x1 = nodes[links[i].upper].middle, x2 = lower->middle;
        int y1 = report_lattice_row_of(d->plan, links[i].upper)->bottom;
        row = report_lattice_row_of(d->plan, links[i].lower);
        strbuf_printf(d->out, " .. controls (%d,%d) and (%d,%d) .. (%d,%d)", x1,
                      (y1 + row->top) / 2, x2, (y1 + row->top) / 2, x2, row->top);
        if (lower->class == UINT32_MAX)
            strbuf_printf(d->out, " -- (%d,%d)", x2, row->bottom);
    }
    strbuf_add(d->out, ";\n");
}

static void add_edges(const struct drawing *d)
{
    enum { FONT = 11 };
    SCOPED(arena) arena = {0};
    const struct report_lattice_labels labels =
        report_lattice_labels(&arena, d->report, d->plan, FONT);
    for (uint32_t k = 0, end; k < d->plan->link_count; k = end) {
        end = report_lattice_edge_end(d->plan, k);
        add_edge(d, k, end);
    }
    EACH (const struct report_lattice_label, label, labels.items, labels.count)
        report_tex_node("label", (struct report_point){label->x, label->y},
                        arena_printf(&arena, "%u", label->test), d->out);
}

static void add_class(const struct drawing *d, uint32_t class)
{
    const struct report_lattice_node *node = &d->plan->nodes[class];
    const int top = report_lattice_row_of(d->plan, class)->top;
    int y = top + REPORT_LATTICE_PADDING / 2 + 13;
    report_tex_box(
        "class",
        &(struct report_box){node->middle - node->width / 2, top, node->width, node->height}, 0,
        d->out);
    for (uint32_t m = 0; m < d->report->model_count; m++) {
        if (d->report->order.class_of[m] != class)
            continue;
        report_tex_node("text", (struct report_point){node->middle, y}, d->report->names[m],
                        d->out);
        y += REPORT_LATTICE_LINE;
    }
}

void report_lattice_tex(const void *of, struct strbuf *out)
{
    const struct report_lattice titled = report_lattice_titled(of), *report = &titled;
    SCOPED(arena) arena = {0};
    const struct report_lattice_plan plan = report_lattice_rows(&arena, report);
    const struct drawing d = {report, &plan, out};
    if (!report_tex_begin_picture((struct report_size){plan.width, plan.height}, 75, out))
        return;
    add_edges(&d);
    for (uint32_t c = 0; c < report->order.class_count; c++)
        add_class(&d, c);
    report_tex_end_picture("", out);
}
