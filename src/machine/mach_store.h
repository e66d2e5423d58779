/* mach_store: a set of states, numbered as they come. Private to the machines.
 *
 * Cost: 4 bytes a section and state, at most 8 sections; the sections' contents; and hash tables of
 * 8 bytes a slot, at most 3/4 full. A state is added in time of the sections in which it differs
 * from the state got last, and a comparison of all.
 */
#ifndef CRASHLIT_MACH_STORE_H
#define CRASHLIT_MACH_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct mach_store;

/* `size`: bytes of a state. Ends the process when memory runs out (vec.h). */
struct mach_store *mach_store_new(uint32_t size);
void mach_store_free(struct mach_store *store);

/* What a state is kept by. */
enum { MACH_MOST_SECTIONS = 8, MACH_LEAST_SECTION = 32 /* bytes */ };
struct mach_key {
    uint32_t numbers[MACH_MOST_SECTIONS];
    uint64_t hash;
};

/* The key of a state, which may be there or not. With some keys prepared before the first is put,
 * waits for memory overlap. */
void mach_store_prepare(struct mach_store *store, const uint8_t *state, struct mach_key *key);
/* Says that a prepared key will be put soon; has no effect but on time. */
void mach_store_hint(const struct mach_store *store, const struct mach_key *key);
/* The number of a key's state, which is added unless it is there: then the number is the count of
 * before. At most UINT32_MAX - 1. */
uint32_t mach_store_put(struct mach_store *store, const struct mach_key *key);
/* Copies a state out; those added next are best its neighbours: a section
 * that is the same needs no look-up. */
void mach_store_get(struct mach_store *store, uint32_t number, uint8_t *state);

uint64_t mach_store_count(const struct mach_store *store);
/* Bytes in use for all states, and of the hash tables. */
uint64_t mach_store_bytes(const struct mach_store *store);
uint64_t mach_store_table_bytes(const struct mach_store *store);

#endif
