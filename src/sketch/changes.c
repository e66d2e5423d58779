#include "sketch/changes.h"

#include "base/vec.h"

#include <string.h>

typedef VEC(struct change) change_list;

/* One file at work; `filled` is at the begin of the line that comes next. */
struct changing {
    struct arena *arena;
    const struct sketch *sketch;
    const struct sketch_filling *filling;
    uint32_t file;
    const struct source *source;
    change_list changes;
    struct strbuf text;
    bool is_gone; /* the line that came last */
};

struct line {
    const char *text;
    size_t length;
};

static struct line next_line(const char **at)
{
    struct line line = {*at, strcspn(*at, "\n")};
    *at += line.length + ((*at)[line.length] == '\n');
    return line;
}

static size_t blanks_of(const struct line *line)
{
    size_t count = strspn(line->text, " \t");
    return count < line->length ? count : line->length;
}

static bool is_blank(const struct line *line)
{
    return blanks_of(line) == line->length;
}

static bool is_same(const struct line *a, const struct line *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/* The line before, but for empty ones. */
static struct line line_before(const struct changing *c, const struct line *line)
{
    const char *begin = c->source->text, *end = line->text;
    struct line before = {begin, 0};
    while (end > begin && is_blank(&before)) {
        const char *start = --end; /* at the line's end */
        while (start > begin && start[-1] != '\n')
            start--;
        before = (struct line){start, (size_t)(end - start)};
        end = start;
    }
    return before;
}

/* What an added line begins with: as what follows, but in front of a brace as what the block has,
 * or two blanks more. */
static const char *indentation(struct changing *c, const struct line *was, size_t at)
{
    const struct line before = line_before(c, was);
    const bool closes = was->length > blanks_of(was) && was->text[blanks_of(was)] == '}';
    if (closes && blanks_of(&before) > at)
        return arena_strndup(c->arena, before.text, blanks_of(&before));
    return arena_printf(c->arena, "%.*s%s", (int)at, was->text, closes ? "  " : "");
}

/* Takes a text out of the line where it was put, and gives it a line of its own. */
static void split_off(struct changing *c, uint32_t number, const struct line *was, size_t at,
                      const char *put, size_t length, struct line *line)
{
    size_t kept = length;
    while (kept && put[kept - 1] == ' ')
        kept--;
    BASE_CHECK(at + length <= line->length && memcmp(line->text + at, put, length) == 0);
    const char *added = arena_printf(c->arena, "%s%.*s", indentation(c, was, at), (int)kept, put);
    strbuf_printf(&c->text, "%s\n", added);
    VEC_PUSH(&c->changes, (struct change){.line = number, .after = added});
    const char *rest = arena_printf(c->arena, "%.*s%.*s", (int)at, line->text,
                                    (int)(line->length - at - length), line->text + at + length);
    *line = (struct line){rest, strlen(rest)};
}

/* Of several statements each one; what stands around them is the same of all. */
static void split_all(struct changing *c, uint32_t number, const struct line *was, size_t at,
                      const char *put, const struct sketch_open_value *value, struct line *line)
{
    size_t count = value->part_count ? value->part_count : 1, around = strlen(put);
    for (uint32_t i = 0; i < value->part_count; i++)
        around -= strlen(value->parts[i]->text);
    for (uint32_t i = 0; i < count; i++) {
        size_t own = value->part_count ? strlen(value->parts[i]->text) : 0;
        size_t length = around / count + own;
        split_off(c, number, was, at, put, length, line);
        put += length;
    }
}

/* Statements that were put in front of all that the line has. */
static void split_line(struct changing *c, uint32_t number, const struct line *was,
                       struct line *line)
{
    size_t start = (size_t)(was->text - c->source->text), first = start + blanks_of(was);
    for (uint32_t i = 0; i < c->sketch->choice_count; i++) {
        const struct sketch_choice *choice = &c->sketch->choices[i];
        EACH (const struct sketch_open_place, place, choice->places, choice->place_count) {
            const char *put = sketch_open_text(choice, place, c->filling->value[i]);
            if (place->file == c->file && place->begin == place->end && place->begin >= start &&
                place->begin <= first && put && *put)
                split_all(c, number, was, place->begin - start, put,
                          &choice->values[c->filling->value[i]], line);
        }
    }
}

/* Without blanks at its end, and those at its begin that the line had: braces of a `?{ }` have left
 * others there. */
static void trim(struct changing *c, const struct line *was, struct line *line)
{
    size_t begin = blanks_of(line), end = line->length;
    while (end > begin && (line->text[end - 1] == ' ' || line->text[end - 1] == '\t'))
        end--;
    const char *text = arena_printf(c->arena, "%.*s%.*s", (int)blanks_of(was), was->text,
                                    (int)(end - begin), line->text + begin);
    *line = (struct line){text, strlen(text)};
}

static void take_line(struct changing *c, uint32_t number, const struct line *was,
                      struct line *line)
{
    split_line(c, number, was, line);
    c->is_gone = false;
    if (is_same(was, line)) {
        strbuf_printf(&c->text, "%.*s\n", (int)line->length, line->text);
        return;
    }
    bool gone = c->is_gone = is_blank(line);
    trim(c, was, line);
    const char *before = arena_strndup(c->arena, was->text, was->length);
    const char *after = gone ? NULL : arena_strndup(c->arena, line->text, line->length);
    if (!gone)
        strbuf_printf(&c->text, "%s\n", after);
    VEC_PUSH(&c->changes, (struct change){.line = number, .before = before, .after = after});
}

struct changes changes_of(struct arena *arena, const struct sketch *sketch,
                          const struct sketch_filling *filling, uint32_t file)
{
    BASE_ASSERT(file < sketch->file_count);
    struct changing c = {.arena = arena,
                         .sketch = sketch,
                         .filling = filling,
                         .file = file,
                         .source = sketch->files[file]};
    const char *was = c.source->text, *is = sketch_filled(arena, sketch, filling, file)->text;
    for (uint32_t number = 1; *was || *is; number++) {
        const struct line old = next_line(&was);
        struct line line = next_line(&is);
        take_line(&c, number, &old, &line);
    }
    if (c.text.length && !c.is_gone && c.source->text[c.source->length - 1] != '\n')
        c.text.text[--c.text.length] = '\0'; /* its last line has no end */
    struct strbuf text = {0};
    source_add_file(c.source, strbuf_text(&c.text), c.text.length, &text);
    struct changes changes = {.count = (uint32_t)c.changes.count, .length = text.length};
    changes.items = VEC_KEEP(arena, &c.changes);
    changes.text = strbuf_take(&text, arena);
    strbuf_fini(&c.text);
    VEC_FREE(&c.changes);
    return changes;
}

struct span change_span(const struct source *source, const struct change *change)
{
    size_t length;
    (void)source_line(source, change->line, &length);
    bool whole = change->before && !change->after, added = !change->before;
    return (struct span){source, change->line, 1, change->line + whole,
                         whole || added ? 1 : (uint32_t)length + 1};
}

void change_add_text(const struct source *source, const struct change *change, struct strbuf *out)
{
    if (!change->after)
        return;
    strbuf_add(out, change->after);
    if (!change->before)
        strbuf_add(out, source->has_cr_lf ? "\r\n" : "\n");
}
