#include "report/report_trace_fit.h"

#include "base/vec.h"

#include <stdbool.h>
#include <string.h>

enum { FEWEST_OF_STATEMENTS = 16 };
static const char CUT[] = "..", BETWEEN[] = " | ", KNOT[] = "-+-";

/* Characters, from the first to behind the last. */
struct span_of {
    size_t from, to;
};

struct table {
    VEC(const char *) lines;
    VEC(struct span_of) parts; /* the first is that of steps */
    size_t columns;
};

static const char *skip(const char *text, const char *end, size_t characters)
{
    while (text < end && characters--)
        do
            text++;
        while (text < end && ((unsigned char)*text & 0xC0) == 0x80);
    return text;
}

static const char *end_of(const char *line)
{
    return line + strcspn(line, "\n");
}

static size_t width_of(const char *line)
{
    size_t width = 0;
    for (const char *end = end_of(line); line < end; line = skip(line, end, 1))
        width++;
    return width;
}

static size_t find(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    return at && at < end_of(line) ? (size_t)(at - line) : 0;
}

/* The names of places are in the second line, the rule in the third, where all is one byte wide. */
static void find_parts(struct table *t)
{
    const char *rule = t->lines.items[2];
    size_t from = 0, to = 0;
    for (; rule[to] && rule[to] != '\n'; to++)
        if (strncmp(rule + to, KNOT, sizeof KNOT - 1) == 0) {
            VEC_PUSH(&t->parts, (struct span_of){from, to});
            from = to + sizeof KNOT - 1;
        }
    VEC_PUSH(&t->parts, (struct span_of){from, to});
}

static size_t size_of(struct span_of part)
{
    return part.to - part.from;
}

/* ---- One table of them ---- */

static void end_line(struct strbuf *out)
{
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
    strbuf_add_char(out, '\n');
}

/* What the line has there, cut and filled up to the width. */
static void add_piece(const char *line, struct span_of part, size_t width, struct strbuf *out)
{
    const char *end = end_of(line), *from = skip(line, end, part.from);
    const char *to = skip(from, end, size_of(part));
    size_t used = 0;
    while (to > from && to[-1] == ' ')
        to--;
    for (const char *at = from; at < to; at = skip(at, to, 1))
        used++;
    bool cut = used > width, rule = from < to && to[-1] == '-' && to[-2] == '-';
    if (cut)
        to = skip(from, to, rule ? width : width - (sizeof CUT - 1));
    strbuf_add_bytes(out, from, (size_t)(to - from));
    strbuf_add(out, cut && !rule ? CUT : "");
    for (used = cut ? width : used; used < width; used++)
        strbuf_add_char(out, ' ');
}

/* Is it as the row above in these parts? */
static bool is_same(const char *line, struct span_of all)
{
    const char *end = end_of(line);
    const char *from = skip(line, end, all.from), *to = skip(from, end, size_of(all));
    return from < to && strspn(from, ". |") >= (size_t)(to - from);
}

/* What stands before the parts from `first` on, in so many characters; then these. */
static void add_rows(const struct table *t, struct span_of before, size_t width, size_t first,
                     size_t behind, struct strbuf *out)
{
    for (size_t i = 0; i < t->lines.count; i++) {
        const struct span_of *parts = t->parts.items;
        if (before.to < parts[0].to && i > 2 &&
            is_same(t->lines.items[i], (struct span_of){parts[first].from, parts[behind - 1].to}))
            continue; /* the first table has it */
        add_piece(t->lines.items[i], before, width, out);
        for (size_t k = first; k < behind; k++) {
            size_t room = t->columns - width - (sizeof BETWEEN - 1),
                   own = size_of(t->parts.items[k]);
            strbuf_add(out, i == 2 ? KNOT : BETWEEN);
            add_piece(t->lines.items[i], t->parts.items[k], own < room ? own : room, out);
        }
        end_line(out);
    }
}

/* Behind the last part that has room beside `width` characters, from `first` on. */
static size_t fill(const struct table *t, size_t width, size_t first)
{
    size_t last = first;
    while (last < t->parts.count &&
           width + sizeof BETWEEN - 1 + size_of(t->parts.items[last]) <= t->columns) {
        width += sizeof BETWEEN - 1 + size_of(t->parts.items[last]);
        last++;
    }
    return last;
}

/* ---- All of them ---- */

static void fold(const struct table *t, size_t least, struct strbuf *out)
{
    struct span_of steps = t->parts.items[0], lead = {0, find(t->lines.items[1], " line")};
    size_t width = size_of(steps) < t->columns ? size_of(steps) : t->columns, rest = 0;
    size_t next = fill(t, width, 1);
    /* One part beside the steps at least, if these can be shortened so far. */
    if (next == 1 && least + sizeof BETWEEN - 1 + size_of(t->parts.items[1]) <= t->columns) {
        width = t->columns - (sizeof BETWEEN - 1) - size_of(t->parts.items[1]);
        next = 2;
    }
    add_rows(t, steps, width, 1, next, out);
    for (size_t first = next; first < t->parts.count; first = rest) {
        rest = fill(t, size_of(lead), first);
        rest += rest == first;
        strbuf_add_char(out, '\n');
        add_rows(t, lead, size_of(lead), first, rest, out);
    }
}

void report_trace_fit(const char *text, size_t columns, struct strbuf *out)
{
    struct table t = {.columns =
                          columns < REPORT_TRACE_NARROWEST ? REPORT_TRACE_NARROWEST : columns};
    size_t widest = 0;
    for (const char *line = text; *line; line = end_of(line) + (*end_of(line) == '\n')) {
        VEC_PUSH(&t.lines, line);
        widest = width_of(line) > widest ? width_of(line) : widest;
    }
    if (columns == 0 || widest <= t.columns || t.lines.count < 3) {
        strbuf_add(out, text);
    } else {
        find_parts(&t);
        size_t least = find(t.lines.items[1], "what") + FEWEST_OF_STATEMENTS;
        size_t steps = size_of(t.parts.items[0]), whole = width_of(t.lines.items[2]);
        if (t.parts.count > 1 && whole - steps + least <= t.columns)
            add_rows(&t, t.parts.items[0], t.columns - (whole - steps), 1, t.parts.count, out);
        else
            fold(&t, least, out);
    }
    VEC_FREE(&t.lines);
    VEC_FREE(&t.parts);
}
