/* place_cover: see the header. A box covers a prefix when it holds its values and, in all
 * dimensions behind it, everything: then no point begins so. */
#include "place/place_cover.h"

#include <string.h>

void place_cover_init(struct place_cover *cover, uint32_t dimensions, const uint32_t *counts)
{
    *cover = (struct place_cover){.dimensions = dimensions, .counts = counts};
    size_t words = (size_t)(dimensions + 1) * dimensions;
    cover->stack = base_realloc(NULL, words * sizeof *cover->stack);
    cover->boxes = base_realloc(NULL, (dimensions + 1) * sizeof *cover->boxes);
    for (uint32_t d = 0; d <= dimensions; d++)
        cover->boxes[d] = (place_boxes){0};
}

void place_cover_fini(struct place_cover *cover)
{
    for (uint32_t d = 0; d <= cover->dimensions; d++)
        VEC_FREE(&cover->boxes[d]);
    base_free(cover->boxes);
    base_free(cover->stack);
}

static bool is_within(const struct place_cover *cover, const uint64_t *inner, const uint64_t *outer)
{
    return !ANY(d, cover->dimensions, inner[d] & ~outer[d]);
}

/* How many dimensions decide whether a point is in the box. */
static uint32_t decisive(const struct place_cover *cover, const uint64_t *box)
{
    uint32_t d = cover->dimensions;
    while (d > 0 && box[d - 1] == place_all_values(cover->counts[d - 1]))
        d--;
    return d;
}

static bool is_held(const struct place_cover *cover, const uint64_t *box, uint32_t most)
{
    for (uint32_t d = 0; d <= most; d++)
        for (size_t i = 0; i < cover->boxes[d].count; i += cover->dimensions)
            if (is_within(cover, box, &cover->boxes[d].items[i]))
                return true;
    return false;
}

static void forget_within(struct place_cover *cover, place_boxes *boxes, const uint64_t *box)
{
    size_t kept = 0, width = cover->dimensions;
    for (size_t i = 0; i < boxes->count; i += width)
        if (!is_within(cover, &boxes->items[i], box)) {
            memmove(&boxes->items[kept], &boxes->items[i], width * sizeof *box);
            kept += width;
        }
    boxes->count = kept;
}

void place_cover_add(struct place_cover *cover, const uint64_t *box)
{
    uint32_t number = decisive(cover, box);
    if (is_held(cover, box, number))
        return;
    for (uint32_t d = number; d <= cover->dimensions; d++)
        forget_within(cover, &cover->boxes[d], box);
    for (uint32_t d = 0; d < cover->dimensions; d++)
        VEC_PUSH(&cover->boxes[number], box[d]);
}

static bool has_prefix(const uint64_t *box, const uint8_t *point, uint32_t depth)
{
    return ALL(d, depth, box[d] >> point[d] & 1);
}

/* A box that covers the prefix, but no shorter one, into `out`; false: there is none. */
static bool find_box(struct place_cover *cover, const uint8_t *point, uint32_t depth, uint64_t *out)
{
    const place_boxes *boxes = &cover->boxes[depth];
    cover->tried++;
    for (size_t i = boxes->count; i > 0; i -= cover->dimensions) {
        const uint64_t *box = &boxes->items[i - cover->dimensions];
        if (has_prefix(box, point, depth)) {
            memcpy(out, box, cover->dimensions * sizeof *out);
            return true;
        }
    }
    return false;
}

/* Asked once in a while. */
static bool is_late(struct place_cover *cover)
{
    if (cover->clock && cover->tried % 256 == 0)
        cover->is_late = clock_is_late(cover->clock);
    return cover->is_late;
}

/* True: `point` is the first one that begins with its values below `depth` and that no box holds.
 * Else a box that covers this prefix is in the stack's place for the depth. */
static bool search(struct place_cover *cover, uint8_t *point, uint32_t depth)
{
    BASE_ASSERT(depth <= cover->dimensions);
    uint64_t *all = cover->stack + (size_t)depth * cover->dimensions;
    if (is_late(cover) || find_box(cover, point, depth, all))
        return false;
    if (depth == cover->dimensions)
        return true;
    const uint64_t *part = all + cover->dimensions;
    uint64_t open = place_all_values(cover->counts[depth]);
    for (uint32_t d = 0; d < cover->dimensions; d++)
        all[d] = place_all_values(cover->counts[d]);
    for (uint32_t v = 0; v < cover->counts[depth]; v++) {
        if (!(open >> v & 1))
            continue;
        BASE_ASSERT(v < 64);
        point[depth] = (uint8_t)v;
        if (search(cover, point, depth + 1))
            return true;
        if (cover->is_late)
            return false;
        open &= ~part[depth];
        if (decisive(cover, part) <= depth && has_prefix(part, point, depth)) {
            memcpy(all, part, cover->dimensions * sizeof *all);
            return false;
        }
        for (uint32_t d = 0; d < cover->dimensions; d++)
            all[d] &= d == depth ? all[d] : part[d];
    }
    place_cover_add(cover, all);
    return false;
}

bool place_cover_next(struct place_cover *cover, uint8_t *point)
{
    return search(cover, point, 0);
}
