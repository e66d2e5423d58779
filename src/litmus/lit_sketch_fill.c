/* The text of a filling. */
#include "litmus/lit_sketch.h"

#include <stdlib.h>
#include <string.h>

/* A place of the file at hand. */
struct piece {
    const struct lit_open_place *place;
    const char *text; /* NULL: what stands within */
};

/* What is put in front of a place stands before it, and what is around others before these. */
static int by_place(const void *a, const void *b)
{
    const struct lit_open_place *first = ((const struct piece *)a)->place;
    const struct lit_open_place *second = ((const struct piece *)b)->place;
    if (first->begin != second->begin)
        return first->begin < second->begin ? -1 : 1;
    bool empty = first->begin == first->end;
    if (empty != (second->begin == second->end))
        return empty ? -1 : 1;
    return (first->end < second->end) - (first->end > second->end);
}

struct filler {
    const char *text;
    VEC(struct piece) pieces;
    size_t next; /* of the pieces */
    struct strbuf *out;
};

static void fill(struct filler *filler, size_t begin, size_t end);

/* As many lines as what it takes the place of. */
static void keep_lines(struct filler *filler, const struct piece *piece)
{
    const char *text = piece->text, *from = filler->text + piece->place->begin;
    int lines = 0;
    for (; text && *text; text++)
        lines -= *text == '\n';
    for (; from < filler->text + piece->place->end; from++)
        lines += *from == '\n';
    while (lines-- > 0)
        strbuf_add_char(filler->out, '\n');
}

/* Newlines of the braces that are not kept stand where they stood. */
static void add_newlines(struct filler *filler, size_t begin, size_t end)
{
    for (; begin < end; begin++)
        if (filler->text[begin] == '\n')
            strbuf_add_char(filler->out, '\n');
}

static void fill_piece(struct filler *filler, const struct piece *piece)
{
    const struct lit_open_place *place = piece->place;
    if (piece->text) {
        strbuf_add(filler->out, piece->text);
        keep_lines(filler, piece);
        while (filler->next < filler->pieces.count &&
               filler->pieces.items[filler->next].place->begin < place->end)
            filler->next++;
        return;
    }
    add_newlines(filler, place->begin, place->inner_begin);
    fill(filler, place->inner_begin, place->inner_end);
    add_newlines(filler, place->inner_end, place->end);
}

static void fill(struct filler *filler, size_t begin, size_t end)
{
    while (filler->next < filler->pieces.count &&
           filler->pieces.items[filler->next].place->begin < end) {
        const struct piece *piece = &filler->pieces.items[filler->next++];
        strbuf_add_bytes(filler->out, filler->text + begin, piece->place->begin - begin);
        fill_piece(filler, piece);
        begin = piece->place->end;
    }
    strbuf_add_bytes(filler->out, filler->text + begin, end - begin);
}

void lit_sketch_fill(const struct lit_sketch *sketch, const struct lit_filling *filling,
                     uint32_t file, struct strbuf *out)
{
    struct filler filler = {.text = sketch->files[file]->text, .out = out};
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        for (uint32_t p = 0; p < sketch->choices[c].place_count; p++) {
            const struct lit_open_place *place = &sketch->choices[c].places[p];
            const char *text = lit_open_text(&sketch->choices[c], place, filling->value[c]);
            if (place->file == file)
                VEC_PUSH(&filler.pieces, (struct piece){place, text});
        }
    if (filler.pieces.count)
        qsort(filler.pieces.items, filler.pieces.count, sizeof *filler.pieces.items, by_place);
    fill(&filler, 0, sketch->files[file]->length);
    VEC_FREE(&filler.pieces);
}

const struct source *lit_sketch_filled(struct arena *arena, const struct lit_sketch *sketch,
                                       const struct lit_filling *filling, uint32_t file)
{
    struct strbuf text = {0};
    const struct source *source = sketch->files[file];
    lit_sketch_fill(sketch, filling, file, &text);
    const struct source *filled =
        source_from_text(arena, source->name, strbuf_text(&text), text.length);
    strbuf_fini(&text);
    return ARENA_MAKE(arena, struct source, source->name, source->path, filled->text,
                      filled->length);
}

const char *lit_choice_title(struct arena *arena, const struct lit_sketch *sketch, uint32_t choice)
{
    const struct lit_choice *of = &sketch->choices[choice];
    const char *what = of->kind == LIT_OPEN_PRESENCE ? "?{ }"
                       : of->kind == LIT_OPEN_SLOT   ? "?slot"
                                                     : "?";
    if (!of->name)
        return arena_printf(arena, "%s at line %u", what, of->places[0].span.line);
    return arena_printf(arena, of->kind == LIT_OPEN_SLOT ? "?slot:%s" : "?%s", of->name);
}
