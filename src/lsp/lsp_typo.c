/* What a message says that was perhaps meant ("unknown name 'pob'; did you mean 'po'?", "found
 * `unitz`, expected a key such as `units`"), as an edit. Messages end alike wherever they come
 * from, and the word in question is one that they quote and that stands where they point to. Where
 * that is not certain there is no edit. */
#include "base/json.h"
#include "base/strbuf.h"
#include "lsp/lsp_look.h"

#include <ctype.h>
#include <string.h>

struct piece {
    const char *text;
    size_t length;
};

/* The next text in quotes of one kind, from *at; behind it then. Without one its `text` is NULL. */
static struct piece next_quoted(const char **at, const char *end)
{
    for (const char *open = *at; open < end; open++) {
        const char *close =
            strchr("'`\"", *open) ? memchr(open + 1, *open, (size_t)(end - open - 1)) : NULL;
        if (!close)
            continue;
        *at = close + 1;
        return (struct piece){open + 1, (size_t)(close - open - 1)};
    }
    *at = end;
    return (struct piece){NULL, 0};
}

static bool same(struct piece a, struct piece b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_near(struct arena *arena, struct piece word, struct piece meant)
{
    const char *name = arena_strndup(arena, meant.text, meant.length);
    return diag_nearest(arena_strndup(arena, word.text, word.length), &name, 1) != NULL;
}

static bool is_part(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where the word stands in the text, if it does so once, as a word; NULL otherwise. */
static const char *find_once(struct piece text, struct piece word)
{
    const char *found = NULL;
    for (size_t i = 0; word.length && i + word.length <= text.length; i++) {
        const char *at = text.text + i;
        if (memcmp(at, word.text, word.length) != 0 || (i > 0 && is_part(at[-1]) && is_part(*at)) ||
            (i + word.length < text.length && is_part(at[word.length]) &&
             is_part(at[word.length - 1])))
            continue;
        if (found)
            return NULL;
        found = at;
    }
    return found;
}

/* What a message asks about: the words before, what was meant, and for which. */
struct asked {
    struct piece before, meant, wrong; /* `wrong` has no text where the message does not say it */
    bool example; /* it may be any of several, and is what was meant if it is near */
};

/* Of `0:r1`, as registers are called in conditions, the register's own name. */
static struct piece without_thread(struct piece name)
{
    const char *colon = memchr(name.text, ':', name.length);
    size_t head = colon && isdigit((unsigned char)*name.text) ? (size_t)(colon - name.text) + 1 : 0;
    return (struct piece){name.text + head, name.length - head};
}

static bool read_message(const char *message, struct asked *asked)
{
    static const char phrase[] = "did you mean ", such[] = "such as ", for_which[] = " for ";
    const char *found = strstr(message, phrase), *end = message + strlen(message);
    const char *example = found ? NULL : strstr(message, such);
    const char *at = found ? found + strlen(phrase) : example ? example + strlen(such) : end;
    asked->example = !found;
    asked->before = (struct piece){message, (size_t)(at - message)};
    asked->wrong = (struct piece){NULL, 0};
    if (*at == '[' && memchr(at, ']', (size_t)(end - at))) {
        asked->meant =
            (struct piece){at, (size_t)((char *)memchr(at, ']', (size_t)(end - at)) - at) + 1};
        return true;
    }
    if (!*at || !strchr("'`\"", *at))
        return false;
    asked->meant = next_quoted(&at, end);
    if (asked->meant.text && strncmp(at, for_which, strlen(for_which)) == 0)
        asked->wrong = next_quoted(&at, end);
    if (asked->meant.text)
        asked->meant = without_thread(asked->meant);
    return asked->meant.text && asked->meant.length;
}

/* What is to be replaced, in `text`, which the message points to, or else in its `line`. */
static struct piece find_wrong(struct arena *arena, const struct asked *asked, struct piece text,
                               struct piece line)
{
    const struct piece none = {NULL, 0}, inner = {asked->meant.text + 1, asked->meant.length - 2};
    const char *at = asked->before.text, *end = at + asked->before.length;
    if (*asked->meant.text == '[')
        return (struct piece){find_once(text, inner), inner.length};
    if (asked->wrong.text)
        return (struct piece){find_once(line, asked->wrong), asked->wrong.length};
    for (struct piece word = next_quoted(&at, end); word.text; word = next_quoted(&at, end)) {
        bool near = is_near(arena, word, asked->meant);
        if (same(word, text) && word.length > 1 && (near || !asked->example))
            return text;
        const char *found = near ? find_once(text, word) : NULL;
        if (found)
            return (struct piece){found, word.length};
    }
    return none;
}

static void add(struct piece wrong, struct piece meant, const struct span *span, size_t diagnostic,
                struct strbuf *fixes)
{
    struct strbuf title = {0}, text = {0};
    strbuf_printf(&title, "Change '%.*s' to '%.*s'", (int)wrong.length, wrong.text,
                  (int)meant.length, meant.text);
    strbuf_add_bytes(&text, meant.text, meant.length);
    json_object(fixes, NULL);
    json_string(fixes, "title", strbuf_text(&title));
    json_number(fixes, "diagnostic", diagnostic);
    json_array(fixes, "edits");
    json_object(fixes, NULL);
    lsp_span_add(fixes, "range", span);
    json_string(fixes, "newText", strbuf_text(&text));
    json_end(fixes, '}');
    json_end(fixes, ']');
    json_end(fixes, '}');
    strbuf_fini(&title);
    strbuf_fini(&text);
}

void lsp_typo_add(const struct lsp_question *question, const struct span *span, const char *message,
                  size_t diagnostic, struct strbuf *fixes)
{
    struct asked asked;
    struct arena arena;
    struct piece line, text;
    if (!lsp_is_own(question, span->source) || !span->line || !read_message(message, &asked))
        return;
    arena_init(&arena);
    line.text = source_line(span->source, span->line, &line.length);
    size_t from = span->column - 1u;
    size_t to = span->end_line > span->line ? line.length : span->end_column - 1u;
    if (from < to && to <= line.length) {
        text = (struct piece){line.text + from, to - from};
        const struct piece wrong = find_wrong(&arena, &asked, text, line);
        if (wrong.text) {
            uint32_t column = (uint32_t)(wrong.text - line.text) + 1;
            const struct span place = {span->source, span->line, column, span->line,
                                       column + (uint32_t)wrong.length};
            add(wrong, asked.meant, &place, diagnostic, fixes);
        }
    }
    arena_fini(&arena);
}
