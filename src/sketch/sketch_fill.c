/* The text of a filling: one walk over the places of a file, in their order, writes it and knows
 * where each byte of it is from. */
#include "sketch/sketch.h"

#include <stdlib.h>
#include <string.h>

/* A place of the file at hand. */
struct piece {
    const struct sketch_open_place *place;
    const char *text; /* NULL: what stands within */
    uint32_t choice;
};

/* Of places that begin together an empty one is first, then one that holds the others; of equal
 * ones that of the first choice. */
static int by_place(const void *a, const void *b)
{
    const struct sketch_open_place *first = ((const struct piece *)a)->place;
    const struct sketch_open_place *second = ((const struct piece *)b)->place;
    bool first_empty = first->begin == first->end, second_empty = second->begin == second->end;
    if (first->begin != second->begin)
        return first->begin < second->begin ? -1 : 1;
    if (first_empty != second_empty)
        return first_empty ? -1 : 1;
    if (first->end != second->end)
        return first->end < second->end ? 1 : -1;
    uint32_t a_choice = ((const struct piece *)a)->choice;
    uint32_t b_choice = ((const struct piece *)b)->choice;
    return (a_choice > b_choice) - (a_choice < b_choice);
}

struct filler {
    const char *text;
    VEC(struct piece) pieces;
    size_t next; /* of the pieces */
    struct strbuf out;
    VEC(struct source_piece) origins;
};

static void emit(struct filler *filler, const char *bytes, size_t length, size_t from,
                 uint32_t choice)
{
    if (length || !filler->origins.count)
        VEC_PUSH(&filler->origins, (struct source_piece){filler->out.length, from, choice});
    strbuf_add_bytes(&filler->out, bytes, length);
}

/* Line ends of what is not kept, but for as many as were written instead, so that lines keep their
 * numbers. */
static void keep_lines(struct filler *filler, size_t begin, size_t end, const char *instead,
                       uint32_t choice)
{
    int lines = 0;
    for (; *instead; instead++)
        lines -= *instead == '\n';
    for (size_t at = begin; at < end; at++)
        lines += filler->text[at] == '\n';
    while (lines-- > 0)
        emit(filler, "\n", 1, begin, choice);
}

static void fill(struct filler *filler, size_t begin, size_t end);

static void fill_piece(struct filler *filler, const struct piece *piece)
{
    const struct sketch_open_place *place = piece->place;
    if (!piece->text) {
        keep_lines(filler, place->begin, place->inner_begin, "", LIT_NONE);
        fill(filler, place->inner_begin, place->inner_end);
        keep_lines(filler, place->inner_end, place->end, "", LIT_NONE);
        return;
    }
    emit(filler, piece->text, strlen(piece->text), place->begin, piece->choice);
    keep_lines(filler, place->begin, place->end, piece->text, piece->choice);
    while (filler->next < filler->pieces.count &&
           filler->pieces.items[filler->next].place->begin < place->end)
        filler->next++;
}

static void fill(struct filler *filler, size_t begin, size_t end)
{
    while (filler->next < filler->pieces.count &&
           filler->pieces.items[filler->next].place->begin < end) {
        const struct piece *piece = &filler->pieces.items[filler->next++];
        emit(filler, filler->text + begin, piece->place->begin - begin, begin, LIT_NONE);
        fill_piece(filler, piece);
        begin = piece->place->end;
    }
    emit(filler, filler->text + begin, end - begin, begin, LIT_NONE);
}

const struct source *sketch_filled(struct arena *arena, const struct sketch *sketch,
                                   const struct sketch_filling *filling, uint32_t file)
{
    BASE_ASSERT(file < sketch->file_count);
    const struct source *source = sketch->files[file];
    struct filler filler = {.text = source->text};
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        EACH (const struct sketch_open_place, place, sketch->choices[c].places,
              sketch->choices[c].place_count) {
            if (place->file == file)
                VEC_PUSH(
                    &filler.pieces,
                    (struct piece){
                        place, sketch_open_text(&sketch->choices[c], place, filling->value[c]), c});
        }
    if (filler.pieces.count)
        qsort(filler.pieces.items, filler.pieces.count, sizeof *filler.pieces.items, by_place);
    fill(&filler, 0, source->length);
    VEC_FREE(&filler.pieces);
    size_t length = filler.out.length, origins = filler.origins.count;
    const struct source_piece *kept = VEC_KEEP(arena, &filler.origins);
    VEC_FREE(&filler.origins);
    return ARENA_MAKE(arena, struct source, .name = source->name, .path = source->path,
                      .text = strbuf_take(&filler.out, arena), .length = length, .pieces = kept,
                      .piece_count = origins);
}

struct sketch_filling sketch_as_it_is(const struct sketch *sketch)
{
    struct sketch_filling filling = {{0}};
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        filling.value[c] = (uint8_t)sketch->choices[c].original;
    return filling;
}
