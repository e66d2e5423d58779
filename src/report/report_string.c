#include "report/report_string.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The picture of a control character: U+2400 + c, and U+2421 for DEL. */
static void add_picture(struct strbuf *out, unsigned char c)
{
    const char bytes[] = {(char)0xE2, (char)0x90, (char)(c == 127 ? 0xA1 : 0x80 + c)};
    strbuf_add_bytes(out, bytes, sizeof bytes);
}

static const char *xml_entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\r': return "&#13;";
    default: return NULL;
    }
}

/* U+FFFE and U+FFFF are UTF-8 and no XML. */
static bool is_noncharacter(const char *text, size_t length)
{
    return length == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xBE;
}

static void add_xml(struct strbuf *out, const char *text, size_t length, bool attribute)
{
    for (const char *end = text + length; text < end;) {
        size_t step = utf8_length(text);
        if (step == 0 || is_noncharacter(text, step))
            strbuf_add(out, REPLACEMENT);
        else if (xml_entity(*text))
            strbuf_add(out, xml_entity(*text));
        else if (attribute && (*text == '\n' || *text == '\t'))
            strbuf_printf(out, "&#%d;", *text);
        else if (step == 1 && *text != '\n' && *text != '\t' && (*text < 32 || *text == 127))
            add_picture(out, (unsigned char)*text);
        else
            strbuf_add_bytes(out, text, step);
        text += step ? step : 1;
    }
}

void report_xml_text(struct strbuf *out, const char *text)
{
    add_xml(out, text, strlen(text), false);
}

void report_xml_bytes(struct strbuf *out, const char *bytes, size_t length)
{
    add_xml(out, bytes, length, false);
}

void report_xml_attribute(struct strbuf *out, const char *text)
{
    add_xml(out, text, strlen(text), true);
}

void report_yaml_string(struct strbuf *out, const char *text)
{
    strbuf_add_char(out, '"');
    while (*text) {
        size_t length = utf8_length(text);
        unsigned char c = (unsigned char)*text;
        if (length == 0)
            strbuf_add(out, REPLACEMENT);
        else if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_add(out, "\\n");
        else if (c < 32 || c == 127)
            strbuf_printf(out, "\\x%02x", c);
        else
            strbuf_add_bytes(out, text, length);
        text += length ? length : 1;
    }
    strbuf_add_char(out, '"');
}

static bool is_unreserved(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("-._~/", c) != NULL);
}

void report_uri(struct strbuf *out, const char *path)
{
    if (path[0] == '/')
        strbuf_add(out, "file://");
    for (; *path; path++)
        if (is_unreserved(*path))
            strbuf_add_char(out, *path);
        else
            strbuf_printf(out, "%%%02X", (unsigned)(unsigned char)*path);
}
