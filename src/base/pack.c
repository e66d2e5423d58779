#include "base/pack.h"

#include "base/arena.h"

#include <string.h>

void pack_number(struct strbuf *out, uint64_t number)
{
    strbuf_add_bytes(out, (const char *)&number, sizeof number);
}

void pack_bytes(struct strbuf *out, const char *bytes, size_t length)
{
    pack_number(out, length);
    strbuf_add_bytes(out, bytes, length);
}

void pack_text(struct strbuf *out, const char *text)
{
    pack_bytes(out, text, strlen(text));
}

struct unpack unpack_start(const char *bytes, size_t length)
{
    return (struct unpack){bytes, bytes + length, false};
}

static const char *take_bytes(struct unpack *from, size_t length)
{
    const char *at = from->at;
    if (from->short_of_bytes || (size_t)(from->end - at) < length) {
        from->short_of_bytes = true;
        return NULL;
    }
    from->at += length;
    return at;
}

uint64_t unpack_number(struct unpack *from)
{
    uint64_t number = 0;
    const char *at = take_bytes(from, sizeof number);
    if (at)
        memcpy(&number, at, sizeof number);
    return number;
}

const char *unpack_bytes(struct unpack *from, size_t *length)
{
    size_t wanted = (size_t)unpack_number(from);
    const char *at = take_bytes(from, wanted);
    *length = at ? wanted : 0;
    return at ? at : "";
}

void unpack_text(struct unpack *from, struct strbuf *out)
{
    size_t length;
    const char *bytes = unpack_bytes(from, &length);
    strbuf_add_bytes(out, bytes, length);
}

const char *unpack_copy(struct unpack *from, struct arena *arena)
{
    size_t length;
    const char *bytes = unpack_bytes(from, &length);
    return arena_strndup(arena, bytes, length);
}

bool unpack_whole(const struct unpack *from)
{
    return !from->short_of_bytes && from->at == from->end;
}
