#include "session/session_filling.h"

#include "base/strbuf.h"

bool session_filling_read(struct session_test *test, const struct session_settings *settings,
                          const struct sketch *sketch, const struct sketch_filling *filling,
                          uint32_t file)
{
    const struct source *source = sketch->files[file];
    struct session_settings own = *settings;
    struct strbuf text = {0};
    session_test_begin(test, source->path);
    own.instead_count = sketch->file_count - sketch->given_count;
    const struct source **instead =
        ARENA_ARRAY(&test->arena, const struct source *, own.instead_count);
    for (uint32_t i = 0; i < own.instead_count; i++)
        instead[i] = sketch_filled(&test->arena, sketch, filling, sketch->given_count + i);
    own.instead = instead;
    sketch_fill(sketch, filling, file, &text);
    session_test_take(test, &own, source->name, strbuf_text(&text), text.length);
    strbuf_fini(&text);
    return test->program != NULL;
}
