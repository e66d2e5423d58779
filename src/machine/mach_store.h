/* mach_store: a compressed set of states. Private to the machines.
 *
 * Several threads may use it at once, each with its own base. Either all prepare keys and read
 * states, or all put keys, each thread into its own shards. The states and handles depend on what
 * was put in which order within each shard. So they do not depend on threads, if `prepare` finds
 * the same sections.
 *
 * Cost: for a state 4 bytes for each section, or for each group of sections where there are more
 * than 8, and 4 for its note; the different contents of sections, and of groups; and hash tables
 * (mach_records.h). Adding a state costs time for the sections that differ from the base, and one
 * comparison of all. */
#ifndef CRASHLIT_MACH_STORE_H
#define CRASHLIT_MACH_STORE_H

#include "machine/mach.h"

struct mach_store;

/* `size`: bytes of a state; `noted`: states have notes. Ends the process when memory runs out
 * (vec.h). */
struct mach_store *mach_store_new(uint32_t size, bool noted);
void mach_store_free(struct mach_store *store);

/* The parts of a state's key; the size of a section; the most sections. Sections form groups of as
 * many as a key has parts. */
enum {
    MACH_KEY_PARTS = 8,
    MACH_SECTION_BYTES = 32, /* at least */
    MACH_MOST_SECTIONS = MACH_KEY_PARTS * MACH_KEY_PARTS,
    MACH_STORE_SHARDS = 16
};

/* The key of a state. */
struct mach_key {
    uint32_t parts[MACH_KEY_PARTS];
    uint64_t hash;
};

/* The state that a thread last got, in whole sections, and their numbers. */
struct mach_base {
    uint8_t state[2 * MACH_MAX_STATE];
    uint32_t sections[MACH_MOST_SECTIONS];
    struct mach_key key;
};

/* Sets the base to zeros, as every base must begin. */
void mach_store_begin(struct mach_store *store, struct mach_base *base);

/* Computes the key of a state, which need not be in the set. False: there is no room. */
bool mach_store_prepare(struct mach_store *store, const struct mach_base *base,
                        const uint8_t *state, struct mach_key *key);
/* Makes room for this many new sections, or for states in a shard. Alone. */
void mach_store_make_room(struct mach_store *store, uint32_t sections);
void mach_store_make_room_in(struct mach_store *store, uint32_t shard, uint32_t states);

static inline uint32_t mach_key_shard(const struct mach_key *key)
{
    return (uint32_t)key->hash % MACH_STORE_SHARDS;
}

/* Prefetch for a key that will be put soon, the first a while before the second; affects only
 * time. */
void mach_store_hint_slot(const struct mach_store *store, const struct mach_key *key);
void mach_store_hint(const struct mach_store *store, const struct mach_key *key);
/* The handle of a key's state, which is added with its note unless it is there; returns whether it
 * was added. Its shard must have room. */
bool mach_store_put(struct mach_store *store, const struct mach_key *key, uint32_t note,
                    uint32_t *handle);
/* A state's shard; its number there, in the order of arrival; its note, if states have notes, which
 * may be changed. */
uint32_t mach_store_shard(uint32_t handle);
uint32_t mach_store_place(uint32_t handle);
uint32_t *mach_store_note(const struct mach_store *store, uint32_t handle);

/* Makes a state the base. Best for states prepared next are its neighbours: an equal section needs
 * no look-up. */
void mach_store_get(const struct mach_store *store, uint32_t handle, struct mach_base *base);

/* Bytes used by all states, and by the hash tables. */
uint64_t mach_store_bytes(const struct mach_store *store);
uint64_t mach_store_table_bytes(const struct mach_store *store);

#endif
