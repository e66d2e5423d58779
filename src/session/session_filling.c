#include "session/session_filling.h"

bool session_filling_read(struct session_test *test, const struct session_settings *settings,
                          const struct sketch *sketch, const struct sketch_filling *filling,
                          uint32_t file)
{
    const struct source *source = sketch->files[file];
    struct session_settings own = *settings;
    session_test_begin(test, source->path);
    own.instead_count = sketch->file_count - sketch->given_count;
    const struct source **instead =
        ARENA_ARRAY(&test->arena, const struct source *, own.instead_count);
    for (uint32_t i = 0; i < own.instead_count; i++)
        instead[i] = sketch_filled(&test->arena, sketch, filling, sketch->given_count + i);
    own.instead = instead;
    const struct source *filled = sketch_filled(&test->arena, sketch, filling, file);
    session_test_take_source(test, &own, source->name,
                             filled->length <= SOURCE_MAX_BYTES ? filled : NULL,
                             "larger than 4 MiB");
    return test->program != NULL;
}
