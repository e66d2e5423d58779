#include "machine/mach_words.h"

#include <ctype.h>
#include <string.h>

enum { MOST_NAME = 64 };

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static struct span span_of(const struct mach_words *w, size_t begin, size_t end)
{
    return (struct span){w->source, w->line, (uint32_t)begin + 1, w->line, (uint32_t)end + 1};
}

/* The word at *at, past which it moves. False when there is none that a statement could have. */
static bool next_word(struct mach_words *w, const char *text, size_t length, size_t *at,
                      struct mach_word *word)
{
    size_t begin = *at, end = begin;
    word->quoted = text[begin] == '\'';
    size_t from = begin + word->quoted;
    for (end = from; end < length && is_of_name(text[end]);)
        end++;
    word->name = end > from;
    if (!word->name && !word->quoted && strchr("=|:;", text[begin]) && text[begin])
        end = begin + 1;
    *at = end;
    word->span = span_of(w, begin, end > begin ? end : begin + 1);
    if (end == from && word->quoted) {
        diag_error(w->diag, DIAG_MACH_SYNTAX, word->span,
                   "found a quote, expected the name of a tag behind it");
        return false;
    }
    if (end == from) {
        const char *found = isprint((unsigned char)text[begin])
                                ? arena_printf(w->arena, "`%c`", text[begin])
                                : "a character that no statement has";
        diag_error(w->diag, DIAG_MACH_SYNTAX, word->span,
                   "found %s, expected a name of letters, digits, `_` and `-`, or one of `=`, `|`, "
                   "`:`, `;`",
                   found);
        return false;
    }
    if (end - from > MOST_NAME) {
        diag_error(w->diag, DIAG_MACH_SYNTAX, word->span,
                   "found a name of %zu characters, expected %d at most", end - from, MOST_NAME);
        return false;
    }
    word->text = arena_strndup(w->arena, text + from, end - from);
    return true;
}

bool words_cut(struct mach_words *w, const char *text, size_t length)
{
    uint32_t count = 0;
    size_t at = 0, last = 0;
    w->at = 0;
    for (;;) {
        while (at < length && isspace((unsigned char)text[at]))
            at++;
        if (at == length)
            break;
        if (count == MACH_MOST_WORDS) {
            diag_error(w->diag, DIAG_MACH_SYNTAX, span_of(w, at, length),
                       "found a statement of more than %d words, expected its end",
                       MACH_MOST_WORDS);
            return false;
        }
        if (!next_word(w, text, length, &at, &w->list[count++]))
            return false;
        last = at;
    }
    w->list[count] = (struct mach_word){.span = span_of(w, last, last + 1)};
    return true;
}

const struct mach_word *words_here(const struct mach_words *w)
{
    return &w->list[w->at];
}

bool words_are_at(const struct mach_words *w, const char *text)
{
    return words_here(w)->text && !words_here(w)->quoted && strcmp(words_here(w)->text, text) == 0;
}

bool words_are_at_end(const struct mach_words *w)
{
    return !words_here(w)->text;
}

bool words_refuse(struct mach_words *w, enum diag_id id, const char *expected)
{
    if (words_are_at_end(w))
        diag_error(w->diag, id, words_here(w)->span, "found the end of the line, expected %s",
                   expected);
    else
        diag_error(w->diag, id, words_here(w)->span, "found `%s`, expected %s", words_here(w)->text,
                   expected);
    return false;
}

bool words_take(struct mach_words *w, const char *text)
{
    if (!words_are_at(w, text))
        return words_refuse(w, DIAG_MACH_SYNTAX, arena_printf(w->arena, "`%s`", text));
    w->at++;
    return true;
}

bool words_take_end(struct mach_words *w)
{
    return words_are_at_end(w) || words_refuse(w, DIAG_MACH_SYNTAX, "the end of the line");
}

uint32_t words_find(const struct mach_words *w, const char *const *list, size_t count)
{
    uint32_t i = 0;
    while (i < count && !words_are_at(w, list[i]))
        i++;
    return i;
}

/* "`a`, `b` or `c`", behind what they are. */
static const char *one_of(struct mach_words *w, const char *what, const char *const *list,
                          size_t count)
{
    const char *all = "";
    for (size_t i = 0; i < count; i++)
        all = arena_printf(w->arena, "%s%s`%s`", all,
                           i == 0           ? ""
                           : i + 1 == count ? " or "
                                            : ", ",
                           list[i]);
    return count ? arena_printf(w->arena, "%s: %s", what, all) : what;
}

/* As the one that is nearly there, or all of them. */
static bool refuse_near(struct mach_words *w, const char *what, const char *const *list,
                        size_t count)
{
    const char *near = words_are_at_end(w) ? NULL : diag_nearest(words_here(w)->text, list, count);
    if (!near)
        return words_refuse(w, DIAG_MACH_UNKNOWN, one_of(w, what, list, count));
    (void)words_refuse(w, DIAG_MACH_UNKNOWN, arena_printf(w->arena, "%s such as `%s`", what, near));
    diag_meant_by(w->diag, words_here(w)->span, words_here(w)->text, near);
    return false;
}

bool words_take_of(struct mach_words *w, const char *what, const char *const *list, size_t count,
                   uint32_t *found)
{
    uint32_t i = words_find(w, list, count);
    if (i == count)
        return refuse_near(w, what, list, count);
    *found = i;
    w->at++;
    return true;
}

bool words_take_name(struct mach_words *w, const char *what, const char **name)
{
    if (!words_here(w)->name)
        return words_refuse(w, DIAG_MACH_SYNTAX, what);
    *name = words_here(w)->text;
    w->at++;
    return true;
}
