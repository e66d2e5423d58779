/* Orders are tried from above and from below in turn, each row by the medians of its neighbours in
 * the row before; the one with the fewest crossings stands. Then each row in turn moves to the
 * means of its neighbours, with gaps kept: the least squares of that are found by joining what
 * would come too near into blocks that move as one. */
#include "document/report_lattice_rows.h"

#include <string.h>

enum { MARGIN = 20, BOX_GAP = 24, LEAST_GAP = 46, MOST_GAP = 110, CHARACTER = 8, EDGE_WIDTH = 12 };
enum { ORDER_ROUNDS = 24, PLACE_ROUNDS = 60, LEAST_WIDTH = 240 };

struct layers {
    struct arena *arena;
    struct report_lattice_plan *plan;
    uint32_t **members; /* per row: nodes from the left */
    uint32_t *counts;
    uint32_t *place;  /* per node: its number in its row */
    double *position; /* per node */
};

/* ---- Nodes and links ---- */

static struct report_lattice_node box_of(const struct report_lattice *report, uint32_t class)
{
    struct report_lattice_node node = {
        .class = class, .rank = report->order.rank[class], .height = REPORT_LATTICE_PADDING};
    for (uint32_t m = 0; m < report->model_count; m++)
        if (report->order.class_of[m] == class) {
            int width = (int)strlen(report->names[m]) * CHARACTER + 2 * REPORT_LATTICE_PADDING;
            node.width = width > node.width ? width : node.width;
            node.height += REPORT_LATTICE_LINE;
        }
    return node;
}

static uint32_t node_count(const struct report_lattice *report)
{
    uint32_t count = report->order.class_count;
    for (uint32_t e = 0; e < report->order.edge_count; e++)
        count += report->order.rank[report->order.edges[e].above] -
                 report->order.rank[report->order.edges[e].below] - 1;
    return count;
}

/* A link for each row that the edge comes to. */
static void add_edge(struct report_lattice_plan *plan, const struct report_lattice *report,
                     uint32_t e)
{
    uint32_t upper = report->order.edges[e].above, below = report->order.edges[e].below;
    while (plan->nodes[upper].rank > report->order.rank[below]) {
        uint32_t rank = plan->nodes[upper].rank - 1, lower = below;
        if (rank > report->order.rank[below]) {
            lower = plan->node_count++;
            plan->nodes[lower] = (struct report_lattice_node){UINT32_MAX, rank, 0, EDGE_WIDTH, 0};
        }
        plan->links[plan->link_count++] = (struct report_lattice_link){upper, lower, e};
        upper = lower;
    }
}

static struct report_lattice_plan begin(struct arena *arena, const struct report_lattice *report)
{
    uint32_t count = node_count(report);
    struct report_lattice_plan plan = {
        .nodes = ARENA_ARRAY(arena, struct report_lattice_node, count + 1),
        .links =
            ARENA_ARRAY(arena, struct report_lattice_link, count + report->order.edge_count + 1),
        .node_count = report->order.class_count};
    for (uint32_t c = 0; c < report->order.class_count; c++) {
        plan.nodes[c] = box_of(report, c);
        plan.row_count =
            plan.nodes[c].rank >= plan.row_count ? plan.nodes[c].rank + 1 : plan.row_count;
    }
    for (uint32_t e = 0; e < report->order.edge_count; e++)
        add_edge(&plan, report, e);
    plan.rows = ARENA_ARRAY(arena, struct report_lattice_row, plan.row_count + 1);
    return plan;
}

/* ---- The order in rows ---- */

static void number_row(struct layers *l, uint32_t row)
{
    for (uint32_t i = 0; i < l->counts[row]; i++)
        l->place[l->members[row][i]] = i;
}

static struct layers layers_of(struct arena *arena, struct report_lattice_plan *plan)
{
    struct layers l = {.arena = arena,
                       .plan = plan,
                       .members = ARENA_ARRAY(arena, uint32_t *, plan->row_count + 1),
                       .counts = ARENA_ARRAY(arena, uint32_t, plan->row_count + 1),
                       .place = ARENA_ARRAY(arena, uint32_t, plan->node_count + 1),
                       .position = ARENA_ARRAY(arena, double, plan->node_count + 1)};
    for (uint32_t r = 0; r < plan->row_count; r++)
        l.members[r] = ARENA_ARRAY(arena, uint32_t, plan->node_count);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        uint32_t row = plan->nodes[n].rank;
        l.members[row][l.counts[row]++] = n;
    }
    for (uint32_t r = 0; r < plan->row_count; r++)
        number_row(&l, r);
    return l;
}

/* Of the two, that of the row; UINT32_MAX: the link does not join the node to it. */
static uint32_t neighbour(const struct report_lattice_link *link, uint32_t node, bool above)
{
    if (above)
        return link->lower == node ? link->upper : UINT32_MAX;
    return link->upper == node ? link->lower : UINT32_MAX;
}

/* Twice the median of its neighbours' numbers; of a node without any its own. */
static uint32_t median_of(const struct layers *l, uint32_t node, bool above)
{
    const struct report_lattice_plan *plan = l->plan;
    struct arena_mark mark = arena_mark(l->arena);
    uint32_t *numbers = ARENA_ARRAY(l->arena, uint32_t, plan->link_count + 1), count = 0;
    for (uint32_t k = 0; k < plan->link_count; k++) {
        uint32_t other = neighbour(&plan->links[k], node, above);
        if (other == UINT32_MAX)
            continue;
        uint32_t at = count++;
        for (; at > 0 && numbers[at - 1] > l->place[other]; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = l->place[other];
    }
    uint32_t median = count ? numbers[(count - 1) / 2] + numbers[count / 2] : 2 * l->place[node];
    arena_rewind(l->arena, mark);
    return median;
}

static void order_row(struct layers *l, uint32_t row, bool above)
{
    struct arena_mark mark = arena_mark(l->arena);
    uint32_t *members = l->members[row], count = l->counts[row];
    uint32_t *medians = ARENA_ARRAY(l->arena, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        medians[i] = median_of(l, members[i], above);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t node = members[i], median = medians[i], at = i;
        for (; at > 0 && medians[at - 1] > median; at--) {
            members[at] = members[at - 1];
            medians[at] = medians[at - 1];
        }
        members[at] = node;
        medians[at] = median;
    }
    number_row(l, row);
    arena_rewind(l->arena, mark);
}

static uint32_t crossings(const struct layers *l)
{
    const struct report_lattice_plan *plan = l->plan;
    uint32_t count = 0;
    for (uint32_t k = 0; k < plan->link_count; k++)
        for (uint32_t m = 0; m < k; m++) {
            const struct report_lattice_link *a = &plan->links[k], *b = &plan->links[m];
            if (plan->nodes[a->upper].rank != plan->nodes[b->upper].rank)
                continue;
            int64_t above = (int64_t)l->place[a->upper] - l->place[b->upper];
            int64_t below = (int64_t)l->place[a->lower] - l->place[b->lower];
            count += above * below < 0;
        }
    return count;
}

static void order_rows(struct layers *l)
{
    const struct report_lattice_plan *plan = l->plan;
    size_t size = plan->node_count * sizeof *l->place;
    uint32_t *best = arena_copy(l->arena, l->place, size), fewest = crossings(l);
    for (uint32_t round = 0; round < ORDER_ROUNDS && fewest; round++) {
        bool down = round % 2 == 0;
        for (uint32_t i = 1; i < plan->row_count; i++)
            order_row(l, down ? plan->row_count - 1 - i : i, down);
        uint32_t count = crossings(l);
        if (count < fewest) {
            fewest = count;
            memcpy(best, l->place, size);
        }
    }
    memcpy(l->place, best, size);
    for (uint32_t n = 0; n < plan->node_count; n++)
        l->members[plan->nodes[n].rank][best[n]] = n;
}

/* ---- Where they stand ---- */

/* What is joined to it pulls, that of an edge's own places most. */
static double wish_of(const struct layers *l, uint32_t node)
{
    const struct report_lattice_plan *plan = l->plan;
    double sum = 0, weight = 0;
    for (uint32_t k = 0; k < plan->link_count; k++)
        for (int above = 0; above < 2; above++) {
            uint32_t other = neighbour(&plan->links[k], node, above);
            if (other == UINT32_MAX)
                continue;
            bool straight =
                plan->nodes[node].class == UINT32_MAX && plan->nodes[other].class == UINT32_MAX;
            sum += l->position[other] * (straight ? 4 : 1);
            weight += straight ? 4 : 1;
        }
    return weight > 0 ? sum / weight : l->position[node];
}

/* Between the middles of two that stand side by side. */
static double distance(const struct layers *l, uint32_t left, uint32_t right)
{
    const struct report_lattice_node *nodes = l->plan->nodes;
    return (nodes[left].width + nodes[right].width) / 2.0 + BOX_GAP;
}

/* Members that stand as near to each other as they may, where their mean wish is. */
struct block {
    double sum; /* of wishes, each less the distance from the row's first */
    uint32_t count;
};

static void place_row(struct layers *l, uint32_t row)
{
    struct arena_mark mark = arena_mark(l->arena);
    uint32_t *members = l->members[row], count = l->counts[row], block_count = 0;
    struct block *blocks = ARENA_ARRAY(l->arena, struct block, count + 1);
    double *offset = ARENA_ARRAY(l->arena, double, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        offset[i] = i ? offset[i - 1] + distance(l, members[i - 1], members[i]) : 0;
        struct block block = {wish_of(l, members[i]) - offset[i], 1};
        for (; block_count > 0; block_count--) {
            const struct block *last = &blocks[block_count - 1];
            if (last->sum / last->count <= block.sum / block.count)
                break;
            block.sum += last->sum;
            block.count += last->count;
        }
        blocks[block_count++] = block;
    }
    for (uint32_t b = 0, i = 0; b < block_count; b++)
        for (uint32_t k = 0; k < blocks[b].count; k++, i++)
            l->position[members[i]] = blocks[b].sum / blocks[b].count + offset[i];
    arena_rewind(l->arena, mark);
}

static void place_nodes(struct layers *l)
{
    struct report_lattice_plan *plan = l->plan;
    for (uint32_t r = 0; r < plan->row_count; r++)
        for (uint32_t i = 1; i < l->counts[r]; i++)
            l->position[l->members[r][i]] = l->position[l->members[r][i - 1]] +
                                            distance(l, l->members[r][i - 1], l->members[r][i]);
    for (uint32_t round = 0; round < PLACE_ROUNDS; round++)
        for (uint32_t i = 0; i < plan->row_count; i++)
            place_row(l, round % 2 ? i : plan->row_count - 1 - i);
}

static void set_middles(struct layers *l)
{
    struct report_lattice_plan *plan = l->plan;
    double left = 0, right = LEAST_WIDTH - 2 * MARGIN;
    for (uint32_t n = 0; n < plan->node_count; n++) {
        double half = plan->nodes[n].width / 2.0;
        left = n == 0 || l->position[n] - half < left ? l->position[n] - half : left;
        right = n == 0 || l->position[n] + half > right ? l->position[n] + half : right;
    }
    double spare = right - left < LEAST_WIDTH - 2 * MARGIN
                       ? (LEAST_WIDTH - 2 * MARGIN - (right - left)) / 2
                       : 0;
    for (uint32_t n = 0; n < plan->node_count; n++)
        plan->nodes[n].middle = (int)(l->position[n] - left + spare + MARGIN + 0.5);
    plan->width = (int)(right - left + 2 * spare + 2 * MARGIN + 0.5);
}

/* A gap is higher where edges have far to go. */
static int gap_below(const struct report_lattice_plan *plan, uint32_t row)
{
    int gap = LEAST_GAP;
    for (uint32_t k = 0; k < plan->link_count; k++) {
        const struct report_lattice_node *upper = &plan->nodes[plan->links[k].upper];
        int way = upper->middle - plan->nodes[plan->links[k].lower].middle;
        int wanted = LEAST_GAP + (way < 0 ? -way : way) / 10;
        if (upper->rank == row && wanted > gap)
            gap = wanted;
    }
    return gap < MOST_GAP ? gap : MOST_GAP;
}

static void set_rows(struct report_lattice_plan *plan)
{
    int y = MARGIN;
    for (uint32_t r = plan->row_count; r-- > 0;) {
        int height = 0;
        for (uint32_t n = 0; n < plan->node_count; n++)
            if (plan->nodes[n].rank == r && plan->nodes[n].height > height)
                height = plan->nodes[n].height;
        plan->rows[r] = (struct report_lattice_row){y, y + height};
        y += height + (r ? gap_below(plan, r) : MARGIN);
    }
    plan->height = y;
}

struct report_lattice_plan report_lattice_rows(struct arena *arena,
                                               const struct report_lattice *report)
{
    struct report_lattice_plan plan = begin(arena, report);
    struct layers layers = layers_of(arena, &plan);
    order_rows(&layers);
    place_nodes(&layers);
    set_middles(&layers);
    set_rows(&plan);
    return plan;
}
