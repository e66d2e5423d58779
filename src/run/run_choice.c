/* A name of a stranger's file may be made to match slowly, so no star is looked at again once a later
 * one has been met: what is between two stars matches best where it matches first. */
#include "run/run_choice.h"

#include "base/arena.h"
#include "run/run_tags.h"

#include <string.h>

static const char LITMUS[] = ".litmus";

struct piece {
    const char *at, *end;
};

/* The set behind '[', up to its ']'; NULL: nothing closes it, and '[' stands for itself. */
static const char *end_of_set(const struct piece *pattern)
{
    const char *at = pattern->at + 1;
    at += at < pattern->end && (*at == '!' || *at == '^');
    at += at < pattern->end && *at == ']';
    while (at < pattern->end && *at != ']')
        at++;
    return at < pattern->end ? at : NULL;
}

static bool is_in_set(const char *at, const char *end, unsigned char c)
{
    bool found = false, others = *at == '!' || *at == '^';
    for (at += others; at < end; at++) {
        const unsigned char low = (unsigned char)*at;
        const bool range = at + 2 < end && at[1] == '-';
        at += range ? 2 : 0;
        found |= c >= low && c <= (unsigned char)*at;
    }
    return found != others;
}

/* What the pattern has here, but for a star, against a character; the pattern goes on behind it. */
static bool takes(struct piece *pattern, char c)
{
    const char *set = *pattern->at == '[' ? end_of_set(pattern) : NULL;
    const char *at = pattern->at;
    pattern->at = set ? set + 1 : at + 1;
    if (set)
        return is_in_set(at + 1, set, (unsigned char)c);
    if (*at == '\\' && pattern->at < pattern->end)
        at = pattern->at++;
    else if (*at == '?')
        return true;
    return *at == c;
}

/* One name against one name of a pattern. */
static bool is_name_match(struct piece pattern, struct piece name)
{
    struct piece star = {NULL, pattern.end}, from = name;
    while (name.at < name.end) {
        if (pattern.at < pattern.end && *pattern.at == '*') {
            star.at = ++pattern.at;
            from = name;
        } else if (pattern.at < pattern.end && takes(&pattern, *name.at)) {
            name.at++;
        } else if (star.at) {
            pattern.at = star.at;
            name.at = ++from.at;
        } else {
            return false;
        }
    }
    while (pattern.at < pattern.end && *pattern.at == '*')
        pattern.at++;
    return pattern.at == pattern.end;
}

static const char *end_of_name(const struct piece *piece)
{
    const char *slash = memchr(piece->at, '/', (size_t)(piece->end - piece->at));
    return slash ? slash : piece->end;
}

/* Name by name; both have as many. */
static bool is_match(const char *pattern, const char *from, size_t length)
{
    struct piece wanted = {pattern, pattern + strlen(pattern)}, path = {from, from + length};
    for (;;) {
        const struct piece one = {wanted.at, end_of_name(&wanted)},
                           name = {path.at, end_of_name(&path)};
        if (!is_name_match(one, name) || (one.end == wanted.end) != (name.end == path.end))
            return false;
        if (one.end == wanted.end)
            return true;
        wanted.at = one.end + 1;
        path.at = name.end + 1;
    }
}

/* With its end, or without. */
static bool is_file_match(const char *pattern, const char *from, size_t length)
{
    const size_t tail = sizeof LITMUS - 1;
    return is_match(pattern, from, length) ||
           (length > tail && strcmp(from + length - tail, LITMUS) == 0 &&
            is_match(pattern, from, length - tail));
}

static size_t count_slashes(const char *text)
{
    size_t count = 0;
    while ((text = strchr(text, '/'))) {
        count++;
        text++;
    }
    return count;
}

/* Behind so many slashes the next one, or the end. */
static const char *end_of(const char *from, size_t slashes)
{
    const char *end = strchr(from, '/');
    for (; end && slashes > 0; slashes--)
        end = strchr(end + 1, '/');
    return slashes ? NULL : end ? end : from + strlen(from);
}

static bool matches(const char *pattern, const char *path)
{
    const size_t slashes = count_slashes(pattern);
    for (const char *from = path;; from++) {
        const char *end = end_of(from, slashes);
        if (!end)
            return false;
        if (*end ? is_match(pattern, from, (size_t)(end - from))
                 : is_file_match(pattern, from, (size_t)(end - from)))
            return true;
        if (!(from = strchr(from, '/')))
            return false;
    }
}

bool run_patterns_match(const struct run_patterns *patterns, const char *path)
{
    return ANY(i, patterns->count, matches(patterns->items[i], path));
}

/* ---- Tags ---- */

static const char *tag_in(const char *pattern)
{
    return strncmp(pattern, RUN_CHOICE_TAG, sizeof RUN_CHOICE_TAG - 1) == 0
               ? pattern + sizeof RUN_CHOICE_TAG - 1
               : NULL;
}

static bool has_tag(const char *wanted, const char *path)
{
    SCOPED(arena) arena = {0};
    const struct piece pattern = {wanted, wanted + strlen(wanted)};
    const char *at = run_tags_read(&arena, path), *tag;
    bool found = false;
    for (size_t length; !found && (length = run_tags_next(&at, &tag)) > 0;)
        found = is_name_match(pattern, (struct piece){tag, tag + length});
    return found;
}

static bool takes_test(const char *pattern, const char *path)
{
    const char *tag = tag_in(pattern);
    return tag ? has_tag(tag, path) : matches(pattern, path);
}

bool run_patterns_take(const struct run_patterns *patterns, const char *path)
{
    return ANY(i, patterns->count, takes_test(patterns->items[i], path));
}

bool run_choice_takes(const struct run_choice *choice, const char *path)
{
    return (!choice->only.count || run_patterns_take(&choice->only, path)) &&
           !run_patterns_take(&choice->never, path);
}

void run_patterns_warn(const struct run_patterns *patterns, const char *option,
                       const struct run_named *named, struct diag *diag)
{
    for (uint32_t i = 0; i < patterns->count; i++)
        if (!ANY(j, named->count, takes_test(patterns->items[i], named->paths[j])))
            diag_warning(diag, DIAG_CLI_NO_TESTS, NOWHERE,
                         "%s '%s': no test has this pattern, so it changes nothing", option,
                         patterns->items[i]);
}
