#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = s[0] < 0x80                   ? 1
                    : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                    : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
                    : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                  : 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90);
    bool outside = (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F);
    return length > 2 && (overlong || outside) ? 0 : length;
}

static int direction(int number)
{
    bool is_one = (number >= 0x202A && number <= 0x202E) || (number >= 0x2066 && number <= 0x2069);
    return is_one ? number : -1;
}

int utf8_control(const char *character, size_t length)
{
    const unsigned char *s = (const unsigned char *)character;
    if (length == 1)
        return s[0] < 32 || s[0] == 127 ? s[0] : -1;
    if (length == 3 && s[0] == 0xE2)
        return direction((s[0] & 0x0F) << 12 | (s[1] & 0x3F) << 6 | (s[2] & 0x3F));
    return length == 2 && s[0] == 0xC2 && s[1] < 0xA0 ? s[1] : -1;
}

static bool is_control(const char *text, size_t length)
{
    return utf8_control(text, length) >= 0;
}

static void add_escape(struct strbuf *out, char byte)
{
    static const char letters[] = "\a\b\t\n\v\f\r", names[] = "abtnvfr";
    const char *letter = byte ? strchr(letters, byte) : NULL;
    if (letter)
        strbuf_printf(out, "\\%c", names[letter - letters]);
    else
        strbuf_printf(out, "\\x%02x", (unsigned)(unsigned char)byte);
}

/* `stays` are control characters that do. */
static size_t add_one(struct strbuf *out, const char *text, const char *stays)
{
    size_t step = utf8_length(text);
    if (step && (!is_control(text, step) || (*text && strchr(stays, *text))))
        strbuf_add_bytes(out, text, step);
    else
        for (size_t i = 0; i < (step ? step : 1); i++)
            add_escape(out, text[i]);
    return step ? step : 1;
}

/* Adds what goes in as it is, and tells how much that is. */
static inline size_t add_while(struct strbuf *out, const char *text, const char *end, bool is(char))
{
    const char *at = text;
    while (at < end && is(*at))
        at++;
    if (at > text)
        strbuf_add_bytes(out, text, (size_t)(at - text));
    return (size_t)(at - text);
}

/* What a terminal shows as itself: of ASCII what is no control character. */
static inline bool is_shown(char c)
{
    return c >= ' ' && c <= '~';
}

static void add_escaped(struct strbuf *out, const char *text, size_t length, const char *stays)
{
    for (const char *end = text + length; (text += add_while(out, text, end, is_shown)) < end;)
        text += add_one(out, text, stays);
}

size_t utf8_add_character(struct strbuf *out, const char *text, size_t *columns)
{
    *columns = 1;
    if (is_shown(*text)) {
        strbuf_add_char(out, *text);
        return 1;
    }
    size_t before = out->length, step = utf8_length(text);
    if (step == 1 && is_control(text, step)) {
        strbuf_add_char(out, ' ');
        return step;
    }
    size_t length = add_one(out, text, "");
    if (!step || is_control(text, step))
        *columns = out->length - before;
    return length;
}

static bool is_escape(const char *at)
{
    return at[0] == '\\' && at[1] == 'x' && isxdigit((unsigned char)at[2]) &&
           isxdigit((unsigned char)at[3]);
}

/* Where the part of a name ends that stands for itself: at a byte that is no UTF-8, at a backslash
 * that would be read as one, or at the end. */
static size_t plain_length(const char *name)
{
    const char *at = name;
    for (size_t step; *at; at += step) {
        step = (unsigned char)*at < 0x80 ? 1 : utf8_length(at);
        if (!step || is_escape(at))
            break;
    }
    return (size_t)(at - name);
}

const char *utf8_name(struct arena *arena, const char *name)
{
    size_t plain = plain_length(name);
    if (!name[plain])
        return name;
    char *shown = arena_alloc(arena, 4 * strlen(name) + 1), *to = shown;
    for (; *name; plain = plain_length(name)) {
        memcpy(to, name, plain);
        to += plain, name += plain;
        if (*name)
            to += snprintf(to, 5, "\\x%02x", (unsigned)(unsigned char)*name++);
    }
    return shown;
}

const char *utf8_bytes_of(struct arena *arena, const char *shown)
{
    char *name = arena_strdup(arena, shown), *to = name;
    for (const char *at = shown; *at; at += is_escape(at) ? 4 : 1)
        *to++ = is_escape(at) ? (char)strtol((const char[]){at[2], at[3], 0}, NULL, 16) : *at;
    *to = '\0';
    return name;
}

void utf8_add_name(struct strbuf *out, const char *name)
{
    add_escaped(out, name, strlen(name), "");
}

void utf8_add_lines(struct strbuf *out, const char *text, size_t length)
{
    for (const char *end = text + length; (text += add_while(out, text, end, is_shown)) < end;) {
        bool cr_lf = *text == '\r' && text + 1 < end && text[1] == '\n';
        text += add_one(out, text, cr_lf ? "\r" : "\n\t");
    }
}

void utf8_add_escaped(struct strbuf *out, const char *text, size_t length, const char *bad,
                      utf8_escape *escape)
{
    for (const char *end = text + length;
         (text += add_while(out, text, end, utf8_is_plain)) < end;) {
        size_t step = utf8_length(text);
        if (step == 0)
            strbuf_add(out, bad);
        else if (!escape(out, text, step))
            strbuf_add_bytes(out, text, step);
        text += step ? step : 1;
    }
}
