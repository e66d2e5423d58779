#define _XOPEN_SOURCE 700 /* for utimensat */
#include "run/run_cache.h"

#include "base/hash.h"
#include "run/run_output.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first line has the digest of all that is behind it. Then each answer is a line with its key
 * and its length, and its record. */
static const char HEAD[] = "crashlit-answers 1 ";

enum { MOST_BYTES = 64 << 20 };
#define DIGITS (sizeof((struct run_cache_key *)NULL)->digits - 1)

static struct run_cache_key digest(const char *bytes, size_t length)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, length);
    struct run_cache_key key;
    snprintf(key.digits, sizeof key.digits, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
             (uint64_t)hash.low64);
    return key;
}

bool run_cache_begin(const struct run_cache *cache)
{
    struct stat status;
    if ((mkdir(cache->folder, 0777) != 0 && errno != EEXIST) || stat(cache->folder, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode);
}

struct run_cache_key run_cache_key_of(const struct strbuf *text)
{
    return digest(strbuf_text(text), text->length);
}

const char *run_cache_path(struct arena *arena, const struct run_cache *cache, const char *name)
{
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%s\n%s", cache->options, name);
    return arena_printf(arena, "%s/%s.answers", cache->folder, run_cache_key_of(&text).digits);
}

/* ---- Reading ---- */

/* NULL with errno. */
static char *read_bytes(struct arena *arena, int file, size_t *length)
{
    struct stat status;
    char *text;
    if (fstat(file, &status) != 0)
        return NULL;
    errno = S_ISREG(status.st_mode) ? EFBIG : EINVAL;
    if (!S_ISREG(status.st_mode) || status.st_size > MOST_BYTES)
        return NULL;
    text = arena_alloc_unset(arena, (size_t)status.st_size + 1);
    *length = 0;
    for (ssize_t now = 1; now != 0 && *length < (size_t)status.st_size;) {
        now = read(file, text + *length, (size_t)status.st_size - *length);
        if (now < 0 && errno != EINTR)
            return NULL;
        *length += now > 0 ? (size_t)now : 0;
    }
    text[*length] = '\0';
    return text;
}

/* Behind the head; NULL: it is none, or the rest is not what it was. */
static char *check_head(char *text, const char *end)
{
    const size_t head = sizeof HEAD - 1;
    char *rest = text + head + DIGITS + 1;
    if ((size_t)(end - text) <= head + DIGITS || memcmp(text, HEAD, head) != 0 || rest[-1] != '\n')
        return NULL;
    return memcmp(digest(rest, (size_t)(end - rest)).digits, text + head, DIGITS) == 0 ? rest
                                                                                       : NULL;
}

/* Behind the answer at `at`; NULL: it is none. */
static char *read_answer(struct run_cache_file *file, char *at, const char *end)
{
    char *key = at, *line;
    if ((size_t)(end - at) <= DIGITS || at[DIGITS] != ' ')
        return NULL;
    at[DIGITS] = '\0';
    const unsigned long length = strtoul(at + DIGITS + 1, &line, 10);
    if (*line != '\n' || length >= (size_t)(end - line) - 1 || line[length + 1] != '\n')
        return NULL;
    line[length + 1] = '\0';
    if (strlen(++line) != length)
        return NULL;
    VEC_PUSH(&file->answers, ((struct run_cache_answer){key, line}));
    return line + length + 1;
}

static bool read_answers(struct run_cache_file *file, char *text, size_t length)
{
    const char *end = text + length;
    for (text = check_head(text, end); text && text < end;)
        text = read_answer(file, text, end);
    return text != NULL;
}

const char *run_cache_read(struct run_cache_file *file, const char *path)
{
    const int number = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    size_t length = 0;
    if (number < 0 && errno == ENOENT)
        return NULL;
    char *text = number < 0 ? NULL : read_bytes(&file->arena, number, &length);
    const int error = errno;
    if (number >= 0)
        close(number);
    if (!text)
        return strerror(error);
    if (read_answers(file, text, length))
        return NULL;
    file->answers.count = 0;
    return "it is damaged, or of another make";
}

void run_cache_fini(struct run_cache_file *file)
{
    VEC_FREE(&file->answers);
    strbuf_fini(&file->next);
    arena_fini(&file->arena);
}

const char *run_cache_find(const struct run_cache_file *file, const struct run_cache_key *key)
{
    EACH_IN (const struct run_cache_answer, answer, file->answers)
        if (strcmp(answer->key, key->digits) == 0)
            return answer->line;
    return NULL;
}

/* ---- Writing ---- */

void run_cache_keep(struct run_cache_file *file, const struct run_cache_key *key, const char *line,
                    size_t length)
{
    file->changed |= run_cache_find(file, key) == NULL;
    strbuf_printf(&file->next, "%s %zu\n", key->digits, length);
    strbuf_add_bytes(&file->next, line, length);
    strbuf_add_char(&file->next, '\n');
}

void run_cache_end(struct run_cache_file *file, struct strbuf *out)
{
    if (!file->changed || file->next.length > MOST_BYTES / 2)
        return;
    strbuf_printf(out, "%s%s\n", HEAD, run_cache_key_of(&file->next).digits);
    strbuf_add_bytes(out, strbuf_text(&file->next), file->next.length);
}

/* Whatever else is there, somebody put there. */
static bool may_replace(const char *path)
{
    struct stat there;
    return lstat(path, &there) == 0 ? S_ISREG(there.st_mode) : errno == ENOENT;
}

const char *run_cache_write(const struct run_cache *cache, const char *name,
                            const struct strbuf *text)
{
    SCOPED(arena) arena = {0};
    SCOPED(diag) diag = {0};
    struct run_output output;
    const char *path = run_cache_path(&arena, cache, name), *why;
    if (!may_replace(path))
        return "what is there is no file";
    if (!run_output_open(&output, path, &why))
        return why;
    run_output_add_text(&output, text);
    run_output_end(&output, &diag);
    return output.error ? strerror(output.error) : NULL;
}

void run_cache_touch(const struct run_cache *cache, const char *name)
{
    SCOPED(arena) arena = {0};
    (void)utimensat(AT_FDCWD, run_cache_path(&arena, cache, name), NULL, AT_SYMLINK_NOFOLLOW);
}
