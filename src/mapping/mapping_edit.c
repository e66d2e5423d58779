#include "mapping/mapping_edit.h"

#include <stdlib.h>
#include <string.h>

struct lit_edits lit_edits_of(struct arena *arena, const struct source *source)
{
    struct lit_edits edits = {.arena = arena, .source = source, .line_count = 1};
    for (size_t i = 0; i < source->length; i++)
        edits.line_count += source->text[i] == '\n';
    edits.line_begins = ARENA_ARRAY(arena, size_t, edits.line_count);
    for (size_t i = 0, line = 0; i < source->length; i++)
        if (source->text[i] == '\n')
            edits.line_begins[++line] = i + 1;
    return edits;
}

size_t lit_edit_offset(const struct lit_edits *edits, uint32_t line, uint32_t column)
{
    BASE_CHECK(line >= 1 && line <= edits->line_count);
    return edits->line_begins[line - 1] + column - 1;
}

size_t lit_edit_begin(const struct lit_edits *edits, struct span span)
{
    return lit_edit_offset(edits, span.line, span.column);
}

size_t lit_edit_end(const struct lit_edits *edits, struct span span)
{
    return lit_edit_offset(edits, span.end_line, span.end_column);
}

const char *lit_edit_text(const struct lit_edits *edits, struct span span)
{
    size_t begin = lit_edit_begin(edits, span);
    return arena_strndup(edits->arena, edits->source->text + begin,
                         lit_edit_end(edits, span) - begin);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t line_start(const struct lit_edits *edits, size_t offset)
{
    uint32_t low = 0, high = edits->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->line_begins[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return edits->line_begins[low];
}

static size_t skip_blanks(const struct lit_edits *edits, size_t offset)
{
    while (is_blank(edits->source->text[offset]))
        offset++;
    return offset;
}

const char *lit_edit_indent(const struct lit_edits *edits, size_t offset, bool *first)
{
    size_t start = line_start(edits, offset), end = skip_blanks(edits, start);
    *first = end >= offset;
    return arena_strndup(edits->arena, edits->source->text + start, end - start);
}

void lit_edit_replace(struct lit_edits *edits, size_t begin, size_t end, const char *text)
{
    VEC_PUSH(&edits->items, (struct lit_edit){begin, end, text, (uint32_t)edits->items.count});
}

/* Where the line of `offset` ends, if comments at most stand between; else NULL. */
static const char *comments_to_end(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r");
        if (*at == '\n' || *at == '\0')
            return at;
        if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
            return NULL;
        const char *end = at[1] == '/' ? at + strcspn(at, "\n") : strstr(at + 2, "*/");
        if (!end || (at[1] == '*' && memchr(at, '\n', (size_t)(end - at))))
            return NULL;
        at = at[1] == '/' ? end : end + 2;
    }
}

static const char *joined(struct lit_edits *edits, const char *before, const char *between,
                          const char *const *lines, size_t count, const char *behind)
{
    struct strbuf text = {0};
    strbuf_add(&text, before);
    for (size_t i = 0; i < count; i++)
        strbuf_printf(&text, "%s%s", i ? between : "", lines[i]);
    strbuf_add(&text, behind);
    return strbuf_take(&text, edits->arena);
}

void lit_edit_behind(struct lit_edits *edits, size_t end, const char *indent,
                     const char *const *lines, size_t count)
{
    const char *text = edits->source->text;
    const char *line_end = comments_to_end(text + end);
    if (!count)
        return;
    if (!indent) {
        lit_edit_replace(edits, end, end, joined(edits, " ", " ", lines, count, ""));
        return;
    }
    const char *gap = arena_printf(edits->arena, "\n%s", indent);
    size_t next = line_end ? (size_t)(line_end - text) : end;
    size_t behind = line_end ? next : skip_blanks(edits, end);
    if (line_end && next > end && text[next - 1] == '\r')
        next = behind = next - 1;
    bool closes = text[behind] == '}';
    lit_edit_replace(edits, next, behind,
                     joined(edits, gap, gap, lines, count,
                            line_end ? ""
                            : closes ? " "
                                     : gap));
}

void lit_edit_drop(struct lit_edits *edits, struct span span, const char *text)
{
    const char *all = edits->source->text;
    size_t begin = lit_edit_begin(edits, span), end = lit_edit_end(edits, span);
    size_t start = line_start(edits, begin), rest = end + strspn(all + end, " \t\r");
    while (end > begin && strchr(" \t\r\n", all[end - 1]))
        end--;
    if (!text[0] && skip_blanks(edits, start) == begin &&
        (all[rest] == '\n' || all[rest] == '\0')) {
        begin = start;
        end = rest + (all[rest] == '\n');
    }
    lit_edit_replace(edits, begin, end, text);
}

static int by_place(const void *a, const void *b)
{
    const struct lit_edit *left = a, *right = b;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

void lit_edit_apply(struct lit_edits *edits, struct strbuf *out)
{
    const struct source *source = edits->source;
    size_t at = 0;
    if (edits->items.count)
        qsort(edits->items.items, edits->items.count, sizeof *edits->items.items, by_place);
    EACH_IN (const struct lit_edit, edit, edits->items) {
        if (edit->begin > at)
            strbuf_add_bytes(out, source->text + at, edit->begin - at);
        strbuf_add(out, edit->text);
        at = edit->end > at ? edit->end : at;
    }
    strbuf_add_bytes(out, source->text + at, source->length - at);
    VEC_FREE(&edits->items);
}
