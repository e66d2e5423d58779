#include "report/report_wrap.h"

#include "base/arena.h"
#include "base/utf8.h"
#include "report/report_string.h"

#include <string.h>

enum { INDENT = 2 }; /* characters */

/* A byte that begins no character is shown as one. */
size_t report_wrap_step(const char *text)
{
    size_t length = utf8_length(text);
    return length ? length : 1;
}

size_t report_wrap_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text += report_wrap_step(text))
        count++;
    return count;
}

size_t report_wrap_fit(const char *text, size_t room)
{
    size_t at = 0, space = 0;
    for (size_t count = 0; text[at] && count < room; count++) {
        if (text[at] == ' ')
            space = at;
        at += report_wrap_step(text + at);
    }
    return text[at] && text[at] != ' ' && space ? space : at;
}

uint32_t report_wrap_add(const struct report_wrap *wrap, const char *text, struct strbuf *out)
{
    size_t room = (size_t)(wrap->width * 10 / wrap->tenths);
    int x = wrap->x, line = wrap->line ? wrap->line : REPORT_LINE_HEIGHT;
    uint32_t lines = 0;
    BASE_CHECK(room > INDENT);
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        size_t length = report_wrap_fit(text, room);
        if (out) {
            strbuf_printf(out, "<text x=\"%d\" y=\"%d\" %s>", x, wrap->y + (int)lines * line,
                          wrap->attributes);
            report_xml_bytes(out, text, length);
            strbuf_add(out, "</text>\n");
        }
        if (lines++ == 0) {
            x += INDENT * wrap->tenths / 10;
            room -= INDENT;
        }
        text += length;
    }
    return lines;
}

uint32_t report_wrap_lines(const struct report_wrap *wrap, const char *text, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    uint32_t lines = 0;
    while (*text) {
        struct report_wrap line = *wrap;
        size_t length = strcspn(text, "\n");
        int inset = (int)strspn(text, " ") * wrap->tenths / 10;
        inset = inset < wrap->width / 2 ? inset : wrap->width / 2;
        line.x += inset;
        line.width -= inset;
        line.y += (int)lines * (wrap->line ? wrap->line : REPORT_LINE_HEIGHT);
        strbuf_clear(&words);
        strbuf_add_bytes(&words, text, length);
        lines += report_wrap_add(&line, strbuf_text(&words), out);
        text += length + (text[length] == '\n');
    }
    return lines;
}
