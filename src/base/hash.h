/* hash: uthash over memory of base/arena.h. Include this, not <uthash.h>. */
#ifndef CRASHLIT_HASH_H
#define CRASHLIT_HASH_H

#include "base/arena.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define uthash_malloc(size) base_realloc(NULL, (size))
#define uthash_free(memory, size) base_free(memory)
#define uthash_fatal(message) base_die("hash table: %s", message)
#define HASH_FUNCTION(key, length, value) ((value) = (unsigned)XXH3_64bits((key), (length)))
#include <uthash.h>

#endif
