/* run_cache: answers that are kept from run to run (`--cache FOLDER`), in a file for each test, each
 * behind a key: a digest of all that it depends on.
 *
 * A worker reads the file of its test, and says what shall stand there next. The process that began
 * the run writes it: it knows itself whose file that is, so no worker changes the answers about
 * another test. A file is replaced as a whole, so processes that share a folder see the answers of
 * one of them. A checksum tells what is damaged. It is no signature: who can write the folder
 * decides what the answers are.
 *
 * Ownership: a file owns its texts; run_cache_fini releases them. A zeroed one is empty and valid.
 */
#ifndef CRASHLIT_RUN_CACHE_H
#define CRASHLIT_RUN_CACHE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

/* Of a plan. What `options` says has files of its own. */
struct run_cache {
    const char *folder; /* NULL: nothing is kept */
    const char *options;
};

/* A digest in digits. */
struct run_cache_key {
    char digits[33];
};

struct run_cache_answer {
    const char *key, *line;
};

struct run_cache_file {
    struct arena arena;
    VEC(struct run_cache_answer) answers;
    struct strbuf next; /* what shall be there */
    bool changed;       /* that is not what is there */
};

/* Makes the folder unless it is there, be it one that is only read. False, with errno, when it cannot be. */
bool run_cache_begin(const struct run_cache *cache) __attribute__((warn_unused_result));
struct run_cache_key run_cache_key_of(const struct strbuf *text);
/* The path of a test's file. `name` is what reports call the test. */
const char *run_cache_path(struct arena *arena, const struct run_cache *cache, const char *name);

/* Reads what is there. Returns NULL, or why nothing of it counts: it cannot be read, is damaged, or
 * of another make. That there is no file is no fault. */
const char *run_cache_read(struct run_cache_file *file, const char *path);
void run_cache_fini(struct run_cache_file *file);
/* The record of the key, without its line end; NULL: none. */
const char *run_cache_find(const struct run_cache_file *file, const struct run_cache_key *key);
/* What was found stays, or a new record is kept; a line without its end. */
void run_cache_keep(struct run_cache_file *file, const struct run_cache_key *key, const char *line,
                    size_t length);
/* Appends the text that the file shall have; nothing when it has it, or when it would be too long. */
void run_cache_end(struct run_cache_file *file, struct strbuf *out);

/* In the process that began the run: gives the test's file that text. Returns NULL, or why not. */
const char *run_cache_write(const struct run_cache *cache, const char *name,
                            const struct strbuf *text);
/* Notes that it was of use, by its time. */
void run_cache_touch(const struct run_cache *cache, const char *name);

#endif
