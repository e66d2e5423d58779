#include "base/mutation.h"

static size_t begin_of(const struct span *span)
{
    return source_offset(span->source, span->line, span->column);
}

static size_t end_of(const struct span *span)
{
    return source_offset(span->source, span->end_line, span->end_column);
}

const char *mutation_text(struct arena *arena, const struct span *place)
{
    size_t begin = begin_of(place);
    return arena_strndup(arena, place->source->text + begin, end_of(place) - begin);
}

static void add_part(const struct source *file, size_t begin, size_t end, struct strbuf *out)
{
    BASE_ASSERT(begin <= end);
    strbuf_add_bytes(out, file->text + begin, end - begin);
}

const struct source *mutation_source(struct arena *arena, const struct mutation *change)
{
    const struct source *file = change->whole.source;
    struct source *source = arena_copy(arena, file, sizeof *file);
    SCOPED(strbuf) text = {0};
    add_part(file, 0, begin_of(&change->whole), &text);
    if (change->kept.source) {
        strbuf_add_char(&text, '(');
        add_part(file, begin_of(&change->kept), end_of(&change->kept), &text);
        strbuf_add_char(&text, ')');
    }
    strbuf_add(&text, change->now);
    add_part(file, end_of(&change->whole), file->length, &text);
    source->text = arena_strndup(arena, strbuf_text(&text), text.length);
    source->length = text.length;
    return source;
}
