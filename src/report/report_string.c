#include "report/report_string.h"

#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* The picture of a control character: U+2400 + c, and U+2421 for DEL; others have none. */
static void add_picture(struct strbuf *out, int c)
{
    if (c > 127) {
        strbuf_add(out, UTF8_REPLACEMENT);
        return;
    }
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

static bool escape_text(struct strbuf *out, const char *at, size_t length)
{
    if (is_noncharacter(at, length))
        strbuf_add(out, UTF8_REPLACEMENT);
    else if (xml_entity(*at))
        strbuf_add(out, xml_entity(*at));
    else if (utf8_control(at, length) >= 0 && *at != '\n' && *at != '\t')
        add_picture(out, utf8_control(at, length));
    else
        return false;
    return true;
}

static bool escape_attribute(struct strbuf *out, const char *at, size_t length)
{
    if (*at != '\n' && *at != '\t')
        return escape_text(out, at, length);
    strbuf_printf(out, "&#%d;", *at);
    return true;
}

void report_xml_text(struct strbuf *out, const char *text)
{
    report_xml_bytes(out, text, strlen(text));
}

void report_xml_between(struct strbuf *out, const char *before, const char *text, const char *after)
{
    strbuf_add(out, before);
    report_xml_text(out, text);
    strbuf_add(out, after);
}

void report_xml_bytes(struct strbuf *out, const char *bytes, size_t length)
{
    utf8_add_escaped(out, bytes, length, UTF8_REPLACEMENT, escape_text);
}

void report_xml_attribute(struct strbuf *out, const char *text)
{
    utf8_add_escaped(out, text, strlen(text), UTF8_REPLACEMENT, escape_attribute);
}

static bool escape_yaml(struct strbuf *out, const char *at, size_t length)
{
    if (*at == '"' || *at == '\\')
        strbuf_printf(out, "\\%c", *at);
    else if (*at == '\n')
        strbuf_add(out, "\\n");
    else if (utf8_control(at, length) >= 0)
        strbuf_printf(out, utf8_control(at, length) < 0x100 ? "\\x%02x" : "\\u%04x",
                      (unsigned)utf8_control(at, length));
    else
        return false;
    return true;
}

void report_yaml_string(struct strbuf *out, const char *text)
{
    strbuf_add_char(out, '"');
    utf8_add_escaped(out, text, strlen(text), UTF8_REPLACEMENT, escape_yaml);
    strbuf_add_char(out, '"');
}

/* Signs that reports have themselves are signs of LaTeX, too. */
static const char *tex_sign(unsigned long number)
{
    switch (number) {
    case 0x2212: return "\\(-\\)";
    case 0x25CF: return "\\(\\bullet\\)";
    case 0x2713: return "\\(\\surd\\)";
    case 0x2717: return "\\(\\times\\)";
    default: return NULL;
    }
}

/* Characters of two bytes up to U+017F are in the fonts of LaTeX. */
static void add_wide(struct strbuf *out, const char *at, size_t length)
{
    const unsigned char *s = (const unsigned char *)at;
    unsigned long number = s[0] & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++)
        number = number << 6 | (s[i] & 0x3Fu);
    if (number >= 0xA0 && number < 0x180)
        strbuf_add_bytes(out, at, length);
    else if (tex_sign(number))
        strbuf_add(out, tex_sign(number));
    else
        strbuf_printf(out, "[U+%04lX]", number);
}

/* Signs that LaTeX takes for itself, that only typewriter letters have there, or that make one sign
 * with their neighbour. */
static void add_tex_sign(struct strbuf *out, char c)
{
    if (strchr("\\{}^~<>|\"", c))
        strbuf_printf(out, "{\\ttfamily\\char%d}", c);
    else if (c == '\'' || c == '`')
        strbuf_add(out, c == '`' ? "\\textasciigrave{}" : "\\textquotesingle{}");
    else if (c == '-')
        strbuf_add(out, "-{}");
    else
        strbuf_printf(out, strchr("$&#_%", c) ? "\\%c" : "%c", c);
}

void report_tex_bytes(struct strbuf *out, const char *bytes, size_t length)
{
    const char *end = bytes + length;
    for (const char *at = bytes; at < end; at += utf8_length(at) ? utf8_length(at) : 1) {
        if (utf8_length(at) > 1)
            add_wide(out, at, utf8_length(at));
        else if (utf8_length(at) == 0)
            strbuf_add_char(out, '?');
        else if (utf8_control(at, 1) >= 0)
            strbuf_add_char(out, ' ');
        else
            add_tex_sign(out, *at);
    }
}

void report_tex_text(struct strbuf *out, const char *text)
{
    report_tex_bytes(out, text, strlen(text));
}

/* An asterisk or a bracket behind a line end would belong to that. */
void report_tex_code(struct strbuf *out, const char *bytes, size_t length)
{
    for (const char *at = bytes, *end = bytes + length; at < end;) {
        const char *next = at;
        while (next < end && *next != ' ' && *next != '\n')
            next++;
        report_tex_bytes(out, at, (size_t)(next - at));
        if (next < end)
            strbuf_add(out, *next == ' ' ? "\\ " : "\\mbox{}\\\\{}\n");
        at = next + 1;
    }
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

void report_shell_word(struct strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        strbuf_add(out, word);
        return;
    }
    strbuf_add_char(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            strbuf_add(out, "'\\''");
        else
            strbuf_add_char(out, *word);
    strbuf_add_char(out, '\'');
}
