#include "base/diag.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static const char *const id_texts[] = {
#define DIAG(name, text, about) text,
#include "base/diag_ids.def"
#undef DIAG
};

void diag_init(struct diag *diag)
{
    *diag = (struct diag){0};
    arena_init(&diag->arena);
}

void diag_fini(struct diag *diag)
{
    VEC_FREE(&diag->entries);
    arena_fini(&diag->arena);
}

const char *diag_id_text(enum diag_id id)
{
    BASE_CHECK(id < DIAG_COUNT);
    return id_texts[id];
}

const char *diag_id_about(enum diag_id id)
{
    static const char *const texts[] = {
#define DIAG(name, text, about) about,
#include "base/diag_ids.def"
#undef DIAG
    };
    return texts[id];
}

/* Shortens the words of a long message, so that names of any length leave its advice in sight. */
static void shorten_words(char *text)
{
    enum { LONGEST = 200 };
    char *out = text;
    for (size_t word = 0; *text; text++) {
        word = *text == ' ' ? 0 : word + 1;
        if (word <= LONGEST)
            *out++ = *text;
        else if (word <= LONGEST + 3)
            *out++ = '.';
    }
    *out = '\0';
}

bool diag_takes_error(const struct diag *diag)
{
    return diag->entries.count < DIAG_MAX_KEPT || diag->errors == 0;
}

static void add_entry(struct diag *diag, struct diag_entry entry, const char *format,
                      va_list arguments)
{
    enum { LONG = 1024 };
    const bool takes =
        entry.severity == DIAG_ERROR ? diag_takes_error(diag) : diag->entries.count < DIAG_MAX_KEPT;
    diag->errors += entry.severity == DIAG_ERROR;
    if (!takes)
        return;
    SCOPED(strbuf) message = {0}, shown = {0};
    strbuf_vprintf(&message, format, arguments);
    if (message.length > LONG)
        shorten_words(message.text);
    utf8_add_name(&shown, strbuf_text(&message));
    entry.message = arena_strdup(&diag->arena, strbuf_text(&shown));
    VEC_PUSH(&diag->entries, entry);
}

#define DEFINE_REPORT(name, level)                                                              \
    void name(struct diag *diag, enum diag_id id, struct span span, const char *format, ...)    \
    {                                                                                           \
        va_list arguments;                                                                      \
        va_start(arguments, format);                                                            \
        add_entry(diag, (struct diag_entry){.severity = level, .id = id, .span = span}, format, \
                  arguments);                                                                   \
        va_end(arguments);                                                                      \
    }

DEFINE_REPORT(diag_error, DIAG_ERROR)
DEFINE_REPORT(diag_warning, DIAG_WARNING)

void diag_tell(struct strbuf *out, enum diag_id id, struct span span, const char *format, ...)
{
    SCOPED(diag) diag = {0};
    va_list arguments;
    va_start(arguments, format);
    add_entry(&diag, (struct diag_entry){.severity = DIAG_ERROR, .id = id, .span = span}, format,
              arguments);
    va_end(arguments);
    diag_render(&diag, out);
}

void diag_note(struct diag *diag, struct span span, const char *format, ...)
{
    if (diag->entries.count == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    add_entry(
        diag,
        (struct diag_entry){.severity = DIAG_NOTE, .id = VEC_LAST(&diag->entries).id, .span = span},
        format, arguments);
    va_end(arguments);
}

/* ---- What was perhaps meant ---- */

static bool is_same_place(const struct span *a, const struct span *b)
{
    return a->source == b->source && a->line == b->line && a->column == b->column;
}

void diag_meant_within(struct diag *diag, struct span span, struct span within, const char *word,
                       const char *meant)
{
    size_t i = diag->entries.count;
    while (i > 0 && diag->entries.items[i - 1].severity == DIAG_NOTE)
        i--;
    struct diag_entry *last = i > 0 ? &diag->entries.items[i - 1] : NULL;
    if (meant && last && !last->fix.meant && is_same_place(&last->span, &span))
        last->fix = (struct diag_fix){within, arena_strdup(&diag->arena, word),
                                      arena_strdup(&diag->arena, meant)};
}

void diag_meant_by(struct diag *diag, struct span span, const char *word, const char *meant)
{
    diag_meant_within(diag, span, span, word, meant);
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is what is at `at`, `length` bytes of a text from `begin` to `end`, no part of a longer word? */
static bool is_word(const char *at, size_t length, const char *begin, const char *end)
{
    return (at == begin || !is_part(at[-1]) || !is_part(*at)) &&
           (at + length == end || !is_part(at[length]) || !is_part(at[length - 1]));
}

bool diag_fix_place(const struct diag_fix *fix, struct span *place)
{
    const struct span *span = &fix->within;
    size_t length, width = fix->meant ? strlen(fix->word) : 0;
    const char *found = NULL;
    if (!width || !span->source || !span_told(*span).line)
        return false;
    const char *line = source_line(span->source, span->line, &length);
    size_t from = span->column - 1u;
    size_t to = span->end_line > span->line ? length : span->end_column - 1u;
    for (size_t i = from; to <= length && i + width <= to; i++) {
        if (memcmp(line + i, fix->word, width) != 0 ||
            !is_word(line + i, width, line + from, line + to))
            continue;
        if (found)
            return false;
        found = line + i;
    }
    if (!found)
        return false;
    uint32_t column = (uint32_t)(found - line) + 1;
    *place = (struct span){span->source, span->line, column, span->line, column + (uint32_t)width};
    return true;
}

/* The source line with control bytes made harmless, and the caret below it. A byte that is no
 * UTF-8 takes the columns of its escape. */
static void render_excerpt(const struct span *span, struct strbuf *out)
{
    enum { WIDEST = 200 };
    size_t length, width;
    const char *line = source_line(span->source, span->line, &length);
    size_t start = span->column ? span->column - 1 : 0;
    size_t end = span->end_line == span->line ? span->end_column - 1 : length;
    size_t before = 0, under = 0; /* columns */
    if (length > WIDEST)
        length = WIDEST;
    strbuf_add(out, "    ");
    for (size_t i = 0, step; i < length; i += step) {
        step = utf8_add_character(out, line + i, &width);
        if (i + step <= start)
            before += width;
        else if (i < end)
            under += width;
    }
    strbuf_add(out, "\n    ");
    for (size_t column = 0; column < before; column++)
        strbuf_add_char(out, ' ');
    strbuf_add_char(out, '^');
    for (size_t column = 1; column < under; column++)
        strbuf_add_char(out, '~');
    strbuf_add_char(out, '\n');
}

static bool as_json;

void diag_render_json(void)
{
    as_json = true;
}

bool diag_is_json(void)
{
    return as_json;
}

const char *diag_severity_text(enum diag_severity severity)
{
    static const char *const levels[] = {"error", "warning", "note"};
    return levels[severity];
}

void diag_lines(struct strbuf *out, const char *text)
{
    if (!as_json) {
        strbuf_add(out, text);
        return;
    }
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        SCOPED(strbuf) line = {0};
        length = strcspn(text, "\n");
        strbuf_add_bytes(&line, text, length);
        diag_json(&(struct diag_entry){.severity = DIAG_NOTE,
                                       .id = DIAG_COUNT,
                                       .message = strbuf_text(&line)},
                  out);
    }
}

void diag_say(struct strbuf *out, const char *format, ...)
{
    SCOPED(strbuf) text = {0};
    va_list arguments;
    va_start(arguments, format);
    strbuf_add(&text, as_json ? "" : "crashlit: ");
    strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    strbuf_add_char(&text, '\n');
    diag_lines(out, strbuf_text(&text));
}

static void render_entry(const struct diag_entry *entry, struct strbuf *out)
{
    const struct span *span = &entry->span;
    if (as_json) {
        diag_json(entry, out);
        return;
    }
    const char *option = span->source ? span->source->option : NULL;
    utf8_add_name(out, option ? option : span->source ? span->source->name : "crashlit");
    if (span->source && span_told(*span).line)
        strbuf_printf(out, ":%u:%u", span->line, span->column);
    const char *const words[] = {": ", diag_severity_text(entry->severity),
                                 ": ", entry->message,
                                 " [", diag_id_text(entry->id),
                                 "]\n"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        strbuf_add(out, words[i]);
    if (span->source && span->line)
        render_excerpt(span, out);
}

static size_t first_of_source(const struct diag *diag, const struct source *source)
{
    size_t i = 0;
    while (diag->entries.items[i].span.source != source)
        i++;
    return i;
}

/* Does the place of `a` come before that of `b`? */
static bool is_ahead(const struct diag *diag, const struct diag_entry *a,
                     const struct diag_entry *b)
{
    bool a_placed = a->span.source && a->span.line, b_placed = b->span.source && b->span.line;
    if (!a_placed || !b_placed)
        return !a_placed && b_placed;
    if (a->span.source != b->span.source)
        return first_of_source(diag, a->span.source) < first_of_source(diag, b->span.source);
    return a->span.line != b->span.line ? a->span.line < b->span.line
                                        : a->span.column < b->span.column;
}

/* Fills `heads` with the indices of errors and warnings in the order to print them;
 * returns how many there are. */
static size_t sort_heads(const struct diag *diag, size_t *heads)
{
    const struct diag_entry *entries = diag->entries.items;
    size_t count = 0;
    for (size_t i = 0; i < diag->entries.count; i++) {
        if (entries[i].severity == DIAG_NOTE)
            continue;
        size_t at = count++;
        for (; at > 0 && is_ahead(diag, &entries[i], &entries[heads[at - 1]]); at--)
            heads[at] = heads[at - 1];
        heads[at] = i;
    }
    return count;
}

void diag_render(const struct diag *diag, struct strbuf *out)
{
    const struct diag_entry *entries = diag->entries.items;
    size_t heads[DIAG_MAX_KEPT + 1], count = sort_heads(diag, heads);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = heads[i];
        kept += entries[at].severity == DIAG_ERROR;
        render_entry(&entries[at++], out);
        while (at < diag->entries.count && entries[at].severity == DIAG_NOTE)
            render_entry(&entries[at++], out);
    }
    if (diag->errors > kept)
        diag_say(out, "%u further error%s not shown", diag->errors - kept,
                 diag->errors - kept == 1 ? "" : "s");
}

const struct diag_entry *diag_first_error(const struct diag *diag)
{
    for (size_t i = 0; i < diag->entries.count; i++)
        if (diag->entries.items[i].severity == DIAG_ERROR)
            return &diag->entries.items[i];
    BASE_UNREACHABLE("no error was reported");
}

bool diag_has_error_in(const struct diag *diag, struct span span)
{
    EACH_IN (const struct diag_entry, entry, diag->entries)
        if (entry->severity == DIAG_ERROR && span_begins_in(entry->span, span))
            return true;
    return false;
}

enum { NEAREST_MAX = 63 };

static bool is_alike(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits of one character, and two neighbours that changed places; case counts for nothing. */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m, size_t most)
{
    size_t rows[3][NEAREST_MAX + 1], fewest = 0, fewest_before = 0;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        fewest_before = fewest;
        fewest = i;
        for (size_t j = 1; j <= m; j++) {
            row[j] =
                least(last[j - 1] + !is_alike(a[i - 1], b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && is_alike(a[i - 1], b[j - 2]) && is_alike(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
            fewest = least(fewest, row[j]);
        }
        if (fewest > most && fewest_before > most)
            return fewest;
    }
    return rows[n % 3][m];
}

/* Of two that are as near the one with as many capitals is meant. */
static size_t capitals_apart(const char *a, const char *b)
{
    size_t of_a = 0, of_b = 0;
    for (; *a; a++)
        of_a += isupper((unsigned char)*a) != 0;
    for (; *b; b++)
        of_b += isupper((unsigned char)*b) != 0;
    return of_a > of_b ? of_a - of_b : of_b - of_a;
}

const char *diag_nearest_of(const char *name, const char *const *first, size_t stride, size_t count)
{
    size_t length = strlen(name), allowed = length / 3 < 2 ? length / 3 : 2;
    const char *best = NULL;
    if (length > NEAREST_MAX)
        return NULL;
    if (allowed == 0)
        allowed = 1;
    for (size_t i = 0; i < count; i++) {
        const char *one = *(const char *const *)(const void *)((const char *)first + i * stride);
        size_t other = one ? strlen(one) : 0;
        size_t longer = other > length ? other - length : length - other;
        if (!one || other > NEAREST_MAX || longer > allowed || strcmp(one, name) == 0)
            continue; /* what one lacks of the other's length has to be edited */
        size_t distance = edit_distance(name, length, one, other, allowed);
        if (distance > allowed || distance >= other ||
            (best && distance == allowed &&
             capitals_apart(name, one) >= capitals_apart(name, best)))
            continue;
        allowed = distance;
        best = one;
    }
    return best;
}

const char *diag_nearest(const char *name, const char *const *names, size_t count)
{
    return diag_nearest_of(name, names, sizeof *names, count);
}

/* The one name that `name` begins, NULL when there are several or it is too short to tell. */
static const char *begun(const char *name, const char *const *names, size_t count)
{
    enum { ENOUGH = 4 };
    size_t length = strlen(name);
    const char *found = NULL;
    for (size_t i = 0; length >= ENOUGH && i < count; i++)
        if (strncmp(names[i], name, length) == 0 && names[i][length]) {
            if (found)
                return NULL;
            found = names[i];
        }
    return found;
}

const char *diag_meant(const char *name, const char *const *names, size_t count)
{
    const char *near = diag_nearest(name, names, count);
    return near ? near : begun(name, names, count);
}
