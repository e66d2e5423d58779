/* The files of a sketch: those that were given, and the definition files with holes that these use.
 * What a test calls is told by definitions, so those with holes are filled first, somehow. In the
 * end one filling of each test is parsed: what is wrong with it wherever it is filled is told at
 * its place in the sketch. */
#include "sketch/sketch_scan.h"

#include <string.h>

struct reading {
    struct arena *arena;
    struct diag *diag;
    const struct sketch_wish *wish;
    struct intern *names;
    uint32_t given;
    VEC(const struct source *) files;
    VEC(const struct source *) instead; /* definition files, filled somehow */
};

static bool defines(const struct source *source)
{
    return reach_ends(source->path, REACH_DEFINITIONS);
}

static struct lit_surroundings surroundings_of(const struct reading *reading, uint32_t file)
{
    struct lit_surroundings surroundings = {0};
    if (reading->wish->surroundings)
        surroundings = reading->wish->surroundings[file];
    surroundings.instead = reading->instead.items;
    surroundings.instead_count = (uint32_t)reading->instead.count;
    return surroundings;
}

static struct lit_syntax syntax_of(const struct reading *reading, uint32_t file, struct diag *diag)
{
    struct lit_syntax syntax = {.arena = reading->arena,
                                .names = reading->names,
                                .diag = diag,
                                .source = reading->files.items[file],
                                .errors = diag->errors,
                                .test = ARENA_NEW(reading->arena, struct ast_test)};
    sketch_uses(&syntax);
    return syntax;
}

/* ---- Definition files ---- */

static bool is_new(const struct reading *reading, const struct source *source)
{
    return !ANY(i, reading->files.count, strcmp(reading->files.items[i]->path, source->path) == 0);
}

static void find_definitions(struct reading *reading, uint32_t file)
{
    const struct source *sources[LIT_MAX_USES];
    struct lit_surroundings surroundings = surroundings_of(reading, file);
    struct lit_syntax syntax = syntax_of(reading, file, reading->diag);
    uint32_t count = lit_uses_sources(&syntax, &surroundings, sources);
    for (uint32_t i = 0; i < count; i++)
        if (is_new(reading, sources[i]) && sketch_has_hole(sources[i]))
            VEC_PUSH(&reading->files, sources[i]);
}

/* Values that most often can stand beside all others: of scopes and orders the strongest. */
static void choose_some(const struct sketch *sketch, uint8_t there, struct sketch_filling *filling)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        filling->value[c] = choice->kind == LIT_OPEN_PRESENCE ? there
                            : choice->kind == LIT_OPEN_SLOT   ? LIT_LEFT_OUT
                                                              : (uint8_t)(choice->value_count - 1);
    }
}

/* False where their own holes do not tell enough; that is told later, if it is so. */
static bool fill_definitions(struct reading *reading)
{
    static const struct lit_definitions none;
    struct sketch sketch = {.files = reading->files.items,
                            .file_count = (uint32_t)reading->files.count};
    SCOPED(diag) ignored = {0};
    struct lit_holes holes = {.arena = reading->arena, .diag = &ignored};
    for (uint32_t i = 0; i < sketch.file_count; i++)
        if (defines(sketch.files[i]))
            sketch_scan(&holes, sketch.files[i], i, &none, true);
    bool good = ignored.errors == 0 && sketch_choose(&holes, NULL, &sketch);
    struct sketch_filling filling = {{0}};
    if (good)
        choose_some(&sketch, 1, &filling);
    for (uint32_t i = 0; good && i < sketch.file_count; i++)
        if (defines(sketch.files[i]))
            VEC_PUSH(&reading->instead, sketch_filled(reading->arena, &sketch, &filling, i));
    VEC_FREE(&holes.items);
    return good;
}

static void scan_file(struct reading *reading, uint32_t file, bool blind, struct lit_holes *holes)
{
    const struct source *source = reading->files.items[file];
    struct lit_definitions definitions = {0};
    SCOPED(diag) ignored = {0};
    if (!defines(source)) {
        struct lit_surroundings surroundings = surroundings_of(reading, file);
        struct lit_syntax syntax = syntax_of(reading, file, blind ? &ignored : reading->diag);
        blind |= syntax.test->dialect && !lit_uses_read(&syntax, &surroundings, &definitions);
    }
    if (!holes->weaker_count) {
        holes->weaker = definitions.weaker;
        holes->weaker_count = definitions.weaker_count;
    }
    sketch_scan(holes, source, file, &definitions, blind || defines(source));
}

/* ---- A filling that is a test ---- */

/* The place in the sketch that a place in a filling is from. */
static struct span origin_of(const struct sketch *sketch, uint32_t file, struct span span)
{
    BASE_ASSERT(file < sketch->file_count);
    uint32_t choice, line = 1, column = 1;
    size_t begin = source_offset(span.source, span.line, span.column);
    size_t end = source_offset(span.source, span.end_line, span.end_column);
    const struct source *source = sketch->files[file];
    size_t from = source_origin(span.source, begin, &choice);
    size_t to = source_origin(span.source, end > begin ? end - 1 : end, &choice) + 1;
    for (uint32_t p = 0; choice != LIT_NONE && p < sketch->choices[choice].place_count; p++)
        if (sketch->choices[choice].places[p].file == file &&
            sketch->choices[choice].places[p].begin == to - 1)
            to = sketch->choices[choice].places[p].end;
    if (to > source->length)
        to = source->length;
    (void)source_advance(source, &line, &column, source->text, from);
    return source_advance(source, &line, &column, source->text + from, to > from ? to - from : 0);
}

struct trial {
    const struct sketch *sketch;
    const struct source **filled; /* by file */
};

static struct span sketched(const struct trial *trial, struct span span)
{
    for (uint32_t i = 0; span.line && i < trial->sketch->file_count; i++)
        if (span.source == trial->filled[i])
            return origin_of(trial->sketch, i, span);
    return span;
}

static void tell(const struct trial *trial, const struct diag *found, struct diag *diag)
{
    EACH_IN (const struct diag_entry, entry, found->entries) {
        struct span span = sketched(trial, entry->span);
        if (entry->severity == DIAG_ERROR)
            diag_error(diag, entry->id, span, "%s", entry->message);
        else if (entry->severity == DIAG_NOTE)
            diag_note(diag, span, "%s", entry->message);
    }
}

/* Reads all tests under a filling; false when one cannot be read, which is told to `diag`, unless
 * it is NULL. */
static bool try(struct reading *reading, const struct sketch *sketch,
                const struct sketch_filling *filling, struct diag *diag)
{
    SCOPED(diag) found = {0};
    struct trial trial = {sketch,
                          ARENA_ARRAY(reading->arena, const struct source *, sketch->file_count)};
    VEC_CLEAR(&reading->instead);
    for (uint32_t i = 0; i < sketch->file_count; i++) {
        trial.filled[i] = sketch_filled(reading->arena, sketch, filling, i);
        if (defines(trial.filled[i]))
            VEC_PUSH(&reading->instead, trial.filled[i]);
    }
    for (uint32_t i = 0; i < reading->given; i++) {
        struct lit_surroundings surroundings = surroundings_of(reading, i);
        if (!defines(trial.filled[i]))
            (void)!lit_parse_in(reading->arena, reading->names, trial.filled[i], &surroundings,
                                &found);
    }
    bool good = found.errors == 0;
    if (diag)
        tell(&trial, &found, diag);
    return good;
}

/* The statement of that number of the user's own, or no value's. */
static uint32_t own(const struct sketch_choice *choice, uint32_t number)
{
    uint32_t v = 0;
    for (; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++)
        if (sketch_is_own(&choice->values[v]) && number-- == 0)
            return v;
    return LIT_NONE;
}

/* Statements of the user's own may be none: the first of each slot, then the second. */
static void try_own(struct reading *reading, const struct sketch *sketch,
                    const struct sketch_filling *filling)
{
    bool any = true;
    for (uint32_t number = 0; any; number++) {
        struct sketch_filling with = *filling;
        any = false;
        for (uint32_t c = 0; c < sketch->choice_count; c++)
            if (own(&sketch->choices[c], number) != LIT_NONE) {
                with.value[c] = (uint8_t)own(&sketch->choices[c], number);
                any = true;
            }
        if (any)
            (void)try(reading, sketch, &with, reading->diag);
    }
}

static void try_some(struct reading *reading, const struct sketch *sketch)
{
    struct sketch_filling with = {{0}}, without = {{0}};
    choose_some(sketch, 1, &with);
    choose_some(sketch, 0, &without);
    if (try(reading, sketch, &with, NULL))
        try_own(reading, sketch, &with);
    else if (try(reading, sketch, &without, NULL))
        try_own(reading, sketch, &without);
    else
        (void)try(reading, sketch, &with, reading->diag);
}

/* ---- All of it ---- */

static bool read_all(struct reading *reading, struct sketch *sketch)
{
    uint32_t errors = reading->diag->errors;
    struct lit_holes holes = {.arena = reading->arena, .diag = reading->diag};
    for (uint32_t i = 0; i < reading->given; i++)
        if (!defines(reading->files.items[i]))
            find_definitions(reading, i);
    bool blind = !fill_definitions(reading);
    for (uint32_t i = 0; i < reading->files.count; i++)
        scan_file(reading, i, blind, &holes);
    sketch->files = VEC_KEEP(reading->arena, &reading->files);
    sketch->file_count = (uint32_t)reading->files.count;
    sketch->given_count = reading->given;
    bool good = sketch_choose(&holes, reading->wish->kinds, sketch);
    if (good && reading->diag->errors == errors)
        try_some(reading, sketch);
    VEC_FREE(&holes.items);
    return reading->diag->errors == errors;
}

const struct sketch *sketch_read(struct arena *arena, const struct source *const *files,
                                 uint32_t count, const struct sketch_wish *wish, struct diag *diag)
{
    struct reading reading = {
        .arena = arena, .diag = diag, .wish = wish, .names = intern_new(), .given = count};
    struct sketch *sketch = ARENA_NEW(arena, struct sketch);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&reading.files, files[i]);
    bool good = read_all(&reading, sketch);
    intern_free(reading.names);
    VEC_FREE(&reading.files);
    VEC_FREE(&reading.instead);
    return good ? sketch : NULL;
}
