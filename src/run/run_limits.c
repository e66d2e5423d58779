#include "run/run_limits.h"

#include "base/each.h"
#include "base/source.h"

#include <stdlib.h>
#include <string.h>

void run_limits_fini(struct run_limits *limits)
{
    VEC_FREE(&limits->items);
    arena_fini(&limits->arena);
}

/* The next word of the line, which ends behind it; "" at its end. */
static char *take_word(char **line)
{
    char *word = *line + strspn(*line, " \t");
    *line = word + strcspn(word, " \t");
    if (**line)
        *(*line)++ = '\0';
    return word;
}

static bool read_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    return *text && !*end && !text[strspn(text, "0123456789.e+-")] && *seconds > 0 &&
           *seconds < 1e9;
}

/* The pattern is the rest, which may have blanks. */
static bool read_limit(char *line, struct run_limit *limit)
{
    const char *kind = take_word(&line), *seconds = take_word(&line);
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length > 1 && strchr(" \t/", line[length - 1]))
        line[--length] = '\0';
    limit->cpu = strcmp(kind, "timeout-cpu") == 0;
    limit->pattern = line;
    return (limit->cpu || strcmp(kind, "timeout") == 0) && read_seconds(seconds, &limit->seconds) &&
           *line;
}

static void read_line(struct run_limits *limits, const struct source *source, uint32_t number,
                      struct diag *diag)
{
    size_t length;
    const char *text = source_line(source, number, &length);
    char *line = arena_strndup(&limits->arena, text, length);
    struct run_limit limit;
    const bool whole = strlen(line) == length; /* no NUL */
    if (whole && (!line[strspn(line, " \t")] || *line == '#'))
        return;
    if (whole && read_limit(line, &limit))
        VEC_PUSH(&limits->items, limit);
    else
        diag_error(diag, DIAG_CLI_OPTION_VALUE,
                   (struct span){source, number, 1, number, (uint32_t)length + 1},
                   "--limits wants lines as `timeout 5 PATTERN` or `timeout-cpu 5 PATTERN`");
}

bool run_limits_read(struct run_limits *limits, const char *path, struct diag *diag)
{
    enum { MOST = 10000 };
    const char *why;
    const uint32_t before = diag->errors;
    const struct source *source = source_load(&diag->arena, path, &why);
    if (!source) {
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
        return false;
    }
    const size_t ends = COUNT_IF(i, source->length, source->text[i] == '\n');
    if (ends > MOST)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "'%s' has more than %d lines", path,
                   (int)MOST);
    for (uint32_t line = 1; line <= ends + 1 && diag->errors == before; line++)
        read_line(limits, source, line, diag);
    return diag->errors == before;
}

static double *field_of(struct session_settings *settings, const struct run_limit *limit)
{
    return limit->cpu ? &settings->timeout_cpu : &settings->timeout_seconds;
}

void run_limits_apply(const struct run_limits *limits, const char *path,
                      struct session_settings *settings)
{
    EACH_IN (const struct run_limit, limit, limits->items)
        if (run_patterns_take(&(struct run_patterns){&limit->pattern, 1}, path))
            *field_of(settings, limit) = limit->seconds;
}

void run_limits_warn(const struct run_limits *limits, const struct run_named *named,
                     struct diag *diag)
{
    EACH_IN (const struct run_limit, limit, limits->items)
        run_patterns_warn(&(struct run_patterns){&limit->pattern, 1}, "--limits", named, diag);
}

void run_limits_widen(const struct run_limits *limits, struct session_settings *settings)
{
    EACH_IN (const struct run_limit, limit, limits->items) {
        double *seconds = field_of(settings, limit);
        if (*seconds > 0 && limit->seconds > *seconds)
            *seconds = limit->seconds;
    }
}
