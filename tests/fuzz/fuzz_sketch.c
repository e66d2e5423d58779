/* fuzz_sketch: any bytes as a sketch, and as a definition file with holes. Reading must neither
 * crash, hang nor leak, and yields a sketch or an error. Of a sketch values are in an order and
 * places do not overlap but for those within others; some fillings are made, which have the lines
 * of the sketch, and parsed: what is a test has no hole left. */
#include "sketch/sketch.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILLINGS = 6, MOST_TRIED_BYTES = 1 << 14 };

static void check_choice(const struct sketch_choice *choice)
{
    BASE_CHECK(choice->value_count >= 1 && choice->value_count <= LIT_MOST_OPEN_VALUES);
    BASE_CHECK(choice->place_count >= 1);
    for (uint32_t v = 0; v < choice->value_count; v++)
        BASE_CHECK(choice->below[v] >> v == 0);
}

/* Each byte is of the place that begins before it and ends behind it last of all: no two cross. */
static void check_places(const struct sketch *sketch, const struct sketch_open_place *place)
{
    BASE_CHECK(place->begin <= place->end && place->end <= sketch->files[place->file]->length);
    for (uint32_t c = 0; c < sketch->choice_count && c < 40; c++)
        for (uint32_t p = 0; p < sketch->choices[c].place_count && p < 40; p++) {
            const struct sketch_open_place *other = &sketch->choices[c].places[p];
            if (other == place || other->file != place->file || other->begin < place->begin)
                continue;
            BASE_CHECK(other->begin >= place->end ||
                       (other->begin >= place->inner_begin && other->end <= place->inner_end));
        }
}

static size_t lines_of(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

static void parse_filled(const struct source *filled)
{
    struct arena arena;
    struct diag diag;
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct lit_program *program = lit_parse(&arena, names, filled, &diag);
    BASE_CHECK((program == NULL) == (diag.errors > 0));
    BASE_CHECK(!program || !sketch_has_hole(filled));
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
}

static void check_filling(struct arena *arena, const struct sketch *sketch,
                          const struct sketch_filling *filling, uint32_t file)
{
    const struct source *source = sketch->files[file];
    const struct source *filled = sketch_filled(arena, sketch, filling, file);
    BASE_CHECK(lines_of(filled->text, filled->length) == lines_of(source->text, source->length));
    for (size_t at = 0; at <= filled->length; at += 1 + filled->length / 8) {
        uint32_t choice;
        size_t from = source_origin(filled, at, &choice);
        BASE_CHECK(from <= source->length);
        BASE_CHECK(choice != LIT_NONE || at == filled->length || filled->text[at] == '\n' ||
                   source->text[from] == filled->text[at]);
    }
    parse_filled(filled);
}

static void check_sketch(struct arena *arena, const struct sketch *sketch, uint64_t seed)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        check_choice(&sketch->choices[c]);
        for (uint32_t p = 0; p < sketch->choices[c].place_count && p < 40; p++)
            check_places(sketch, &sketch->choices[c].places[p]);
    }
    for (int i = 0; i < FILLINGS; i++) {
        struct sketch_filling filling = {{0}};
        for (uint32_t c = 0; c < sketch->choice_count; c++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
            filling.value[c] = (uint8_t)((seed >> 33) % sketch->choices[c].value_count);
        }
        for (uint32_t file = 0; file < sketch->file_count; file++)
            check_filling(arena, sketch, &filling, file);
    }
}

static void read_sketch(const uint8_t *data, size_t size, const char *name)
{
    static const struct sketch_wish nothing;
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    const struct source *source = source_from_text(&arena, name, (const char *)data, size);
    const struct sketch *sketch = sketch_read(&arena, &source, 1, &nothing, &diag);
    BASE_CHECK((sketch == NULL) == (diag.errors > 0));
    diag_render(&diag, &out);
    if (sketch && size <= MOST_TRIED_BYTES)
        check_sketch(&arena, sketch, size);
    strbuf_fini(&out);
    diag_fini(&diag);
    arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_sketch(data, size, "fuzz.litmus");
    read_sketch(data, size, "fuzz.def");
    return 0;
}
