/* Numbers stand on the curves of their edges, as near to the middle as the others let them. */
#include "document/report_lattice_rows.h"

#include <stdio.h>

static const int places[] = {50, 42, 58, 35, 65, 46, 54, 38, 62}; /* hundredths of a curve */
enum { PLACES = sizeof places / sizeof *places, AROUND = 6 };

const struct report_lattice_row *report_lattice_row_of(const struct report_lattice_plan *plan,
                                                       uint32_t node)
{
    return &plan->rows[plan->nodes[node].rank];
}

uint32_t report_lattice_edge_end(const struct report_lattice_plan *plan, uint32_t link)
{
    uint32_t end = link + 1;
    while (end < plan->link_count && plan->links[end].edge == plan->links[link].edge)
        end++;
    return end;
}

static bool is_free(const struct report_lattice_labels *labels,
                    const struct report_lattice_label *label, int font)
{
    EACH (const struct report_lattice_label, other, labels->items, labels->count) {
        int apart = label->x > other->x ? label->x - other->x : other->x - label->x;
        int below = label->y > other->y ? label->y - other->y : other->y - label->y;
        if (2 * apart < label->width + other->width && below < font + 2)
            return false;
    }
    return true;
}

/* On the curve, at the hundredth of it that the number says. */
static void put(const struct report_lattice_plan *plan, const struct report_lattice_link *link,
                int at, struct report_lattice_label *label)
{
    int x1 = plan->nodes[link->upper].middle, x2 = plan->nodes[link->lower].middle;
    int y1 = report_lattice_row_of(plan, link->upper)->bottom,
        y2 = report_lattice_row_of(plan, link->lower)->top;
    double t = at / 100.0, u = 1 - t, across = t * t * (3 - 2 * t);
    double down = 1.5 * u * u * t + 1.5 * u * t * t + t * t * t;
    label->x = x1 + (int)((x2 - x1) * across);
    label->y = y1 + (int)((y2 - y1) * down) + 4;
}

static void add(const struct report_lattice_plan *plan, uint32_t from, uint32_t end, uint32_t test,
                int font, struct report_lattice_labels *labels)
{
    struct report_lattice_label label = {.test = test};
    label.width = snprintf(NULL, 0, "%u", test) * (font * 61 + 99) / 100 + AROUND;
    put(plan, &plan->links[from], places[0], &label);
    for (uint32_t i = 1; i < (end - from) * PLACES && !is_free(labels, &label, font); i++)
        put(plan, &plan->links[from + i / PLACES], places[i % PLACES], &label);
    labels->items[labels->count++] = label;
}

struct report_lattice_labels report_lattice_labels(struct arena *arena,
                                                   const struct report_lattice *report,
                                                   const struct report_lattice_plan *plan, int font)
{
    struct report_lattice_labels labels = {
        ARENA_ARRAY(arena, struct report_lattice_label, report->order.edge_count + 1), 0};
    for (uint32_t k = 0, end; k < plan->link_count; k = end) {
        uint32_t test = report_lattice_edge_test(report, plan->links[k].edge);
        end = report_lattice_edge_end(plan, k);
        if (test != UINT32_MAX)
            add(plan, k, end, test + 1, font, &labels);
    }
    return labels;
}
