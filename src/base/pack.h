/* pack: numbers and bytes in a row, for a reader in another process of the same program.
 *
 * Writing appends to a strbuf. Reading checks lengths: once something is missing, all that is read
 * is 0 or empty, and unpack_whole is false.
 */
#ifndef CRASHLIT_PACK_H
#define CRASHLIT_PACK_H

#include "base/strbuf.h"

#include <stdbool.h>
#include <stdint.h>

void pack_number(struct strbuf *out, uint64_t number);
void pack_bytes(struct strbuf *out, const char *bytes, size_t length);
void pack_text(struct strbuf *out, const char *text);

struct unpack {
    const char *at, *end;
    bool short_of_bytes;
};

struct unpack unpack_start(const char *bytes, size_t length);
uint64_t unpack_number(struct unpack *from);
/* Into the row; valid as long as it is. */
const char *unpack_bytes(struct unpack *from, size_t *length);
/* The same, appended. */
void unpack_text(struct unpack *from, struct strbuf *out);
/* The same, as a text in the arena. */
const char *unpack_copy(struct unpack *from, struct arena *arena);
/* Everything was there, and everything was read. */
bool unpack_whole(const struct unpack *from);

#endif
