#include "base/json.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

static bool escape(struct strbuf *out, const char *character, size_t length)
{
    if (*character == '"' || *character == '\\')
        strbuf_printf(out, "\\%c", *character);
    else if (utf8_control(character, length) >= 0)
        strbuf_printf(out, "\\u%04x", (unsigned)utf8_control(character, length));
    else
        return false;
    return true;
}

static void add_text(struct strbuf *out, const char *text)
{
    strbuf_add_char(out, '"');
    utf8_add_escaped(out, text, strlen(text), "\\ufffd", escape);
    strbuf_add_char(out, '"');
}

/* What is open ends with a bracket, a colon or a line end; a value with one of these. */
static bool ends_value(const struct strbuf *out)
{
    char last = out->length ? out->text[out->length - 1] : '\n';
    return last == '"' || last == '}' || last == ']' || isalnum((unsigned char)last);
}

void emit_name(struct strbuf *out, const char *name)
{
    if (ends_value(out))
        strbuf_add_char(out, ',');
    if (!name)
        return;
    add_text(out, name);
    strbuf_add_char(out, ':');
}

void emit_object(struct strbuf *out, const char *name)
{
    emit_name(out, name);
    strbuf_add_char(out, '{');
}

void emit_array(struct strbuf *out, const char *name)
{
    emit_name(out, name);
    strbuf_add_char(out, '[');
}

void emit_end(struct strbuf *out, char bracket)
{
    strbuf_add_char(out, bracket);
}

void emit_string(struct strbuf *out, const char *name, const char *text)
{
    emit_name(out, name);
    if (text)
        add_text(out, text);
    else
        strbuf_add(out, "null");
}

void emit_number(struct strbuf *out, const char *name, uint64_t number)
{
    emit_name(out, name);
    strbuf_add_number(out, number);
}

void emit_bool(struct strbuf *out, const char *name, bool value)
{
    emit_name(out, name);
    strbuf_add(out, value ? "true" : "false");
}
