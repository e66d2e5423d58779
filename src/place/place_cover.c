/* place_cover: see the header. A box covers a prefix when it holds its values and, in all
 * dimensions behind it, everything: then no point begins so. */
#include "place/place_cover.h"

#include <string.h>

void place_cover_init(struct place_cover *cover, uint32_t dimensions, const uint32_t *counts)
{
    *cover = (struct place_cover){.dimensions = dimensions, .counts = counts};
    size_t words = (size_t)(dimensions + 1) * dimensions;
    cover->stack = base_realloc(NULL, words * sizeof *cover->stack);
}

void place_cover_fini(struct place_cover *cover)
{
    VEC_FREE(&cover->masks);
    base_free(cover->stack);
}

static size_t box_count(const struct place_cover *cover)
{
    BASE_ASSERT(cover->masks.count % cover->dimensions == 0);
    return cover->masks.count / cover->dimensions;
}

static uint64_t *box_at(const struct place_cover *cover, size_t number)
{
    BASE_ASSERT(number < box_count(cover));
    return cover->masks.items + number * cover->dimensions;
}

static bool is_within(const struct place_cover *cover, const uint64_t *inner, const uint64_t *outer)
{
    return !ANY(d, cover->dimensions, inner[d] & ~outer[d]);
}

void place_cover_add(struct place_cover *cover, const uint64_t *box)
{
    uint32_t dimensions = cover->dimensions;
    size_t kept = 0, count = box_count(cover);
    for (size_t i = 0; i < count; i++)
        if (is_within(cover, box, box_at(cover, i)))
            return;
    for (size_t i = 0; i < count; i++)
        if (!is_within(cover, box_at(cover, i), box))
            memmove(box_at(cover, kept++), box_at(cover, i), dimensions * sizeof *box);
    cover->masks.count = kept * dimensions;
    for (uint32_t d = 0; d < dimensions; d++)
        VEC_PUSH(&cover->masks, box[d]);
}

static bool covers(const struct place_cover *cover, const uint64_t *box, const uint8_t *point,
                   uint32_t depth)
{
    BASE_ASSERT(depth <= cover->dimensions);
    for (uint32_t d = cover->dimensions; d-- > depth;)
        if (box[d] != place_all_values(cover->counts[d]))
            return false;
    return !ANY(d, depth, !(box[d] >> point[d] & 1));
}

/* A box that covers the prefix, into `out`; false: there is none. */
static bool find_box(struct place_cover *cover, const uint8_t *point, uint32_t depth, uint64_t *out)
{
    cover->tried++;
    for (size_t i = box_count(cover); i-- > 0;)
        if (covers(cover, box_at(cover, i), point, depth)) {
            memcpy(out, box_at(cover, i), cover->dimensions * sizeof *out);
            return true;
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
        if (covers(cover, part, point, depth)) {
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
