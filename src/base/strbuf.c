#include "base/strbuf.h"

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void strbuf_fini(struct strbuf *buffer)
{
    base_free(buffer->text);
    *buffer = (struct strbuf){0};
}

void strbuf_clear(struct strbuf *buffer)
{
    buffer->length = 0;
    if (buffer->text)
        buffer->text[0] = '\0';
}

/* Room for `extra` more bytes and the terminator. */
static void reserve(struct strbuf *buffer, size_t extra)
{
    size_t need = buffer->length + extra + 1;
    if (need <= buffer->capacity)
        return;
    size_t capacity = buffer->capacity ? buffer->capacity * 2 : 64;
    buffer->capacity = capacity < need ? need : capacity;
    buffer->text = base_realloc(buffer->text, buffer->capacity);
}

void strbuf_add_bytes(struct strbuf *buffer, const char *bytes, size_t length)
{
    reserve(buffer, length);
    memcpy(buffer->text + buffer->length, bytes, length);
    buffer->length += length;
    buffer->text[buffer->length] = '\0';
}

void strbuf_add(struct strbuf *buffer, const char *text)
{
    strbuf_add_bytes(buffer, text, strlen(text));
}

void strbuf_add_char(struct strbuf *buffer, char c)
{
    reserve(buffer, 1);
    buffer->text[buffer->length++] = c;
    buffer->text[buffer->length] = '\0';
}

void strbuf_add_number(struct strbuf *buffer, uint64_t number)
{
    char digits[20], *first = digits + sizeof digits;
    do
        *--first = (char)('0' + number % 10);
    while (number /= 10);
    strbuf_add_bytes(buffer, first, (size_t)(digits + sizeof digits - first));
}

/* What is longer is formatted twice. */
enum { MOST_TEXTS = 160 };

void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    reserve(buffer, MOST_TEXTS);
    size_t room = buffer->capacity - buffer->length;
    int length = vsnprintf(buffer->text + buffer->length, room, format, arguments);
    BASE_CHECK(length >= 0);
    if ((size_t)length >= room) {
        reserve(buffer, (size_t)length);
        vsnprintf(buffer->text + buffer->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    buffer->length += (size_t)length;
}

void strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    strbuf_vprintf(buffer, format, arguments);
    va_end(arguments);
}

const char *strbuf_text(const struct strbuf *buffer)
{
    return buffer->text ? buffer->text : "";
}

char *strbuf_take(struct strbuf *buffer, struct arena *arena)
{
    char *text = arena_strndup(arena, strbuf_text(buffer), buffer->length);
    strbuf_fini(buffer);
    return text;
}

int text_order(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool text_ends(const char *text, const char *with)
{
    size_t length = strlen(text), tail = strlen(with);
    return length >= tail && strcmp(text + length - tail, with) == 0;
}

bool text_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}
