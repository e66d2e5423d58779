/* The method is that of Lempel and Ziv (1977): the place where the next characters stood last is
 * looked up by their hash. */
#include "report/report_squeeze.h"

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

enum {
    LEAST = 8, /* characters of a match: it takes six */
    BASE = 64,
    MOST = LEAST + BASE * BASE - 1,
    FAR = BASE * BASE * BASE - 1,
    HASH_BITS = 15
};

/* ---- Markup ---- */

/* The code point of a valid sequence. */
static uint32_t point_of(const unsigned char *text, size_t length)
{
    uint32_t point = length == 2 ? text[0] & 0x1F : length == 3 ? text[0] & 0x0F : text[0] & 0x07;
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (text[i] & 0x3F);
    return point;
}

static size_t length_of(unsigned char first)
{
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

void report_squeeze_markup(struct strbuf *markup, const char *text, size_t length)
{
    const unsigned char *at = (const unsigned char *)text, *end = at + length, *plain = at;
    while (at < end) {
        if (*at < 0x80 && *at != '`' && *at != '^' && *at != '~') {
            at++;
            continue;
        }
        size_t size = length_of(*at) <= (size_t)(end - at) ? length_of(*at) : 1;
        strbuf_add_bytes(markup, (const char *)plain, (size_t)(at - plain));
        strbuf_printf(markup, "&#%u;", size == 1 ? *at : point_of(at, size));
        plain = at += size;
    }
    strbuf_add_bytes(markup, (const char *)plain, (size_t)(at - plain));
}

/* ---- Matches ---- */

static uint32_t hash_of(const char *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, sizeof bytes);
    return (uint32_t)(bytes * UINT64_C(0x9E3779B97F4A7C15) >> (64 - HASH_BITS));
}

static size_t shared(const char *a, const char *b, const char *end)
{
    size_t length = 0;
    while (length < MOST && b + length < end && a[length] == b[length])
        length++;
    return length;
}

static void add_number(struct strbuf *out, size_t number, int digits)
{
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int shift = 6 * (digits - 1); shift >= 0; shift -= 6)
        strbuf_add_char(out, all[number >> shift & (BASE - 1)]);
}

static void add_literals(struct strbuf *out, const char *from, const char *to)
{
    for (; from < to; from++)
        strbuf_add_char(out, *from == '<' ? '`' : *from == '&' ? '^' : *from);
}

void report_squeeze(const struct strbuf *markup, struct strbuf *out)
{
    const char *text = strbuf_text(markup), *end = text + markup->length;
    uint32_t *seen = base_realloc(NULL, sizeof *seen << HASH_BITS); /* places, from 1 */
    const char *plain = text;
    memset(seen, 0, sizeof *seen << HASH_BITS);
    for (const char *at = text; at + LEAST <= end;) {
        uint32_t *slot = &seen[hash_of(at)];
        const char *before = *slot ? text + *slot - 1 : NULL;
        *slot = (uint32_t)(at - text) + 1;
        size_t length = before && at - before <= FAR ? shared(before, at, end) : 0;
        if (length < LEAST) {
            at++;
            continue;
        }
        add_literals(out, plain, at);
        strbuf_add_char(out, '~');
        add_number(out, length - LEAST, 2);
        add_number(out, (size_t)(at - before), 3);
        for (const char *skipped = at + 1; skipped < at + length && skipped + LEAST <= end;
             skipped += 2)
            seen[hash_of(skipped)] = (uint32_t)(skipped - text) + 1;
        plain = at += length;
    }
    add_literals(out, plain, end);
    base_free(seen);
}
