/* The difference that a filling makes to a file, as `diff -u` has it: hunks with three lines around
 * what is otherwise, which `patch` applies. */
#include "document/report_place.h"

#include <string.h>

enum { AROUND = 3 };

struct diff {
    const struct source *source;
    const struct changes *changes;
    uint32_t lines; /* of the source */
    struct strbuf *out;
};

/* ---- Names ---- */

/* Appends a plain name as it is, followed by a tab if it has a blank; any other name between
 * quotes, with the escapes of C. */
static void add_name(const char *path, struct strbuf *out)
{
    bool quoted = false;
    for (const char *c = path; *c; c++)
        quoted |= (unsigned char)*c < ' ' || (unsigned char)*c > '~' || *c == '"' || *c == '\\';
    if (!quoted) {
        strbuf_printf(out, "%s%s\n", path, strchr(path, ' ') ? "\t" : "");
        return;
    }
    strbuf_add_char(out, '"');
    for (const char *c = path; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            strbuf_printf(out, "\\%03o", (unsigned)(unsigned char)*c);
        else
            strbuf_printf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    strbuf_add(out, "\"\n");
}

/* ---- Lines ---- */

uint32_t report_place_lines(const struct source *source)
{
    return (uint32_t)COUNT_IF(i, source->length,
                              source->text[i] == '\n' || i + 1 == source->length);
}

static bool ends_without_line_end(const char *text, size_t length)
{
    return length && text[length - 1] != '\n';
}

/* A line as it stands in the file, in place of line `line` of the source or before it. */
static void add_line(const struct diff *d, char sign, uint32_t line, const char *text,
                     size_t length, bool ends)
{
    strbuf_add_char(d->out, sign);
    if (line == 1 && d->source->is_marked)
        strbuf_add(d->out, SOURCE_MARK);
    strbuf_add_bytes(d->out, text, length);
    strbuf_add(d->out, ends && d->source->has_cr_lf ? "\r\n" : "\n");
    if (!ends)
        strbuf_add(d->out, "\\ No newline at end of file\n");
}

static void add_old(const struct diff *d, char sign, uint32_t line)
{
    size_t length;
    const char *text = source_line(d->source, line, &length);
    bool ends = line != d->lines || !ends_without_line_end(d->source->text, d->source->length);
    add_line(d, sign, line, text, length, ends);
}

/* ---- Hunks ---- */

/* The line of the source behind the change. */
static uint32_t behind(const struct change *change)
{
    return change->line + (change->before != NULL);
}

/* Adds the changes of neighbouring lines from `at` on: their old lines, then their new ones.
 * Returns the number of the change behind them. */
static uint32_t add_run(const struct diff *d, uint32_t at)
{
    const struct change *items = d->changes->items;
    uint32_t end = at + 1;
    while (end < d->changes->count && items[end].line == behind(&items[end - 1]))
        end++;
    for (uint32_t i = at; i < end; i++)
        if (items[i].before)
            add_old(d, '-', items[i].line);
    bool is_last = behind(&items[end - 1]) > d->lines &&
                   ends_without_line_end(d->changes->text, d->changes->length);
    for (uint32_t i = at; i < end; i++)
        if (items[i].after)
            add_line(d, '+', items[i].line, items[i].after,
                     items[i].length ? items[i].length : strlen(items[i].after),
                     i + 1 < end || !is_last);
    return end;
}

/* A hunk goes on while the lines around two changes meet. */
static uint32_t end_of_hunk(const struct diff *d, uint32_t at)
{
    const struct change *items = d->changes->items;
    do
        at++;
    while (at < d->changes->count && items[at].line <= behind(&items[at - 1]) + 2 * AROUND);
    return at;
}

/* Lines of the source and of what becomes of it. */
struct extent {
    uint32_t first, behind; /* of the source */
    uint32_t added, gone;
};

static struct extent extent_of(const struct diff *d, uint32_t at, uint32_t end)
{
    const struct change *items = d->changes->items;
    struct extent extent = {.first = items[at].line > AROUND ? items[at].line - AROUND : 1,
                            .behind = behind(&items[end - 1]) + AROUND};
    if (extent.behind > d->lines + 1)
        extent.behind = d->lines + 1;
    for (uint32_t i = at; i < end; i++) {
        extent.added += items[i].after != NULL;
        extent.gone += items[i].before != NULL;
    }
    return extent;
}

/* An empty range is named by the line before it. */
static void add_range(struct strbuf *out, char sign, uint32_t first, uint32_t count)
{
    strbuf_printf(out, "%c%u,%u ", sign, count ? first : first - 1, count);
}

void report_place_diff(const struct source *source, const struct changes *changes,
                       struct strbuf *out)
{
    const struct diff d = {source, changes, report_place_lines(source), out};
    uint32_t added = 0, gone = 0; /* in the hunks before */
    if (!changes->count)
        return;
    strbuf_add(out, "--- ");
    add_name(source->path, out);
    strbuf_add(out, "+++ ");
    add_name(source->path, out);
    for (uint32_t at = 0, end; at < changes->count; at = end) {
        end = end_of_hunk(&d, at);
        const struct extent e = extent_of(&d, at, end);
        uint32_t lines = e.behind - e.first;
        strbuf_add(out, "@@ ");
        add_range(out, '-', e.first, lines);
        add_range(out, '+', e.first + added - gone, lines + e.added - e.gone);
        strbuf_add(out, "@@\n");
        for (uint32_t line = e.first, next = at; line < e.behind || next < end;)
            if (next < end && changes->items[next].line == line) {
                next = add_run(&d, next);
                line = behind(&changes->items[next - 1]);
            } else
                add_old(&d, ' ', line++);
        added += e.added;
        gone += e.gone;
    }
}
