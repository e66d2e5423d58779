/* strbuf: a growing text. A zeroed `struct strbuf` is empty and valid; `text` is
 * NUL-terminated once anything was added (NULL before: use strbuf_text). */
#ifndef CRASHLIT_STRBUF_H
#define CRASHLIT_STRBUF_H

#include "base/scoped.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf {
    char *text;
    size_t length;
    size_t capacity;
};

void strbuf_fini(struct strbuf *buffer);
void strbuf_clear(struct strbuf *buffer);
void strbuf_add(struct strbuf *buffer, const char *text);
void strbuf_add_bytes(struct strbuf *buffer, const char *bytes, size_t length);
void strbuf_add_char(struct strbuf *buffer, char c);
void strbuf_add_number(struct strbuf *buffer, uint64_t number);
void strbuf_printf(struct strbuf *buffer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *buffer, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));
/* The text so far, "" when empty; owned by the buffer, valid until it changes. */
const char *strbuf_text(const struct strbuf *buffer);
struct arena;
/* A copy of it in the arena; the buffer is empty then, and owns nothing. */
char *strbuf_take(struct strbuf *buffer, struct arena *arena);

/* For qsort, of texts byte by byte. */
int text_order(const void *a, const void *b);
bool text_ends(const char *text, const char *with);
/* NULL is like NULL alone. */
bool text_same(const char *a, const char *b);

#endif
