/* mach_store: a set of states. Private to the machines.
 *
 * Several threads may work on it at once, each with a base of its own: all may prepare keys, and
 * read states, at the same time; or all may put keys, each those of shards of its own. Which states
 * and which handles there are depends on what was put and in which order within each shard, so not
 * on threads, if `prepare` finds the same sections.
 *
 * Cost: of a state 4 bytes for each section, or group of sections where there are more than 8, and
 * 4 for its note; the different contents of sections, and of groups; and hash tables
 * (mach_records.h). A state is added in time of the sections in which it differs from the base, and
 * a comparison of all.
 */
#ifndef CRASHLIT_MACH_STORE_H
#define CRASHLIT_MACH_STORE_H

#include "machine/mach.h"

struct mach_store;

/* `size`: bytes of a state; `noted`: states have notes. Ends the process when memory runs out
 * (vec.h). */
struct mach_store *mach_store_new(uint32_t size, bool noted);
void mach_store_free(struct mach_store *store);

/* Parts of a state's key; contents of a section; sections, which are in groups of as many as a key
 * has parts. */
enum {
    MACH_KEY_PARTS = 8,
    MACH_SECTION_BYTES = 32, /* at least */
    MACH_MOST_SECTIONS = MACH_KEY_PARTS * MACH_KEY_PARTS,
    MACH_STORE_SHARDS = 16
};

/* What a state is kept by. */
struct mach_key {
    uint32_t parts[MACH_KEY_PARTS];
    uint64_t hash;
};

/* The state that somebody got last, whole sections of it, and the numbers of these. */
struct mach_base {
    uint8_t state[2 * MACH_MAX_STATE];
    uint32_t sections[MACH_MOST_SECTIONS];
    struct mach_key key;
};

/* That of zeros, which every base has to be first. */
void mach_store_begin(struct mach_store *store, struct mach_base *base);

/* The key of a state, which may be there or not. False when there is no room for it. */
bool mach_store_prepare(struct mach_store *store, const struct mach_base *base,
                        const uint8_t *state, struct mach_key *key);
/* Room for what is new in this many sections; for as many states in a shard. Alone. */
void mach_store_make_room(struct mach_store *store, uint32_t sections);
void mach_store_make_room_in(struct mach_store *store, uint32_t shard, uint32_t states);

static inline uint32_t mach_key_shard(const struct mach_key *key)
{
    return (uint32_t)key->hash % MACH_STORE_SHARDS;
}

/* Say that a key will be put soon, the first a while before the second; no effect but on time. */
void mach_store_hint_slot(const struct mach_store *store, const struct mach_key *key);
void mach_store_hint(const struct mach_store *store, const struct mach_key *key);
/* The handle of a key's state, which is added, with the note that states have, unless it is there;
 * whether it was added is returned. Its shard has room. */
bool mach_store_put(struct mach_store *store, const struct mach_key *key, uint32_t note,
                    uint32_t *handle);
/* A state's shard, its number in there, in the order in which they came, and its note, which may be
 * changed, where states have notes. */
uint32_t mach_store_shard(uint32_t handle);
uint32_t mach_store_place(uint32_t handle);
uint32_t *mach_store_note(const struct mach_store *store, uint32_t handle);

/* Makes a state the base; those prepared next are best its neighbours: a section that is the same
 * needs no look-up. */
void mach_store_get(const struct mach_store *store, uint32_t handle, struct mach_base *base);

uint64_t mach_store_count(const struct mach_store *store);
/* Bytes in use for all states, and of the hash tables. */
uint64_t mach_store_bytes(const struct mach_store *store);
uint64_t mach_store_table_bytes(const struct mach_store *store);

#endif
