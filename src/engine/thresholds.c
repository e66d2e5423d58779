#include "engine/thresholds.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const struct engine_thresholds engine_usual_thresholds = {
#define X(name, usual, least) .name = usual,
    ENGINE_THRESHOLDS(X)
#undef X
};

const struct engine_thresholds engine_least_thresholds = {
#define X(name, usual, least) .name = least,
    ENGINE_THRESHOLDS(X)
#undef X
};

const struct engine_threshold engine_threshold_rows[ENGINE_THRESHOLD_COUNT] = {
#define X(name, usual, least) {#name, offsetof(struct engine_thresholds, name), least},
    ENGINE_THRESHOLDS(X)
#undef X
};

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && strncmp(word, text, length) == 0;
}

/* "listed=3" */
static bool read_one(struct engine_thresholds *thresholds, const char *text, size_t length)
{
    size_t name = strcspn(text, "=,");
    char *end;
    errno = 0;
    unsigned long long value = name < length ? strtoull(text + name + 1, &end, 10) : 0;
    if (name >= length || strchr("+- ", text[name + 1]) || errno || end != text + length ||
        value > UINT32_MAX)
        return false;
    for (int i = 0; i < ENGINE_THRESHOLD_COUNT; i++) {
        const struct engine_threshold *row = &engine_threshold_rows[i];
        if (!is_word(row->name, text, name) || value < row->least)
            continue;
        *(uint32_t *)((char *)thresholds + row->field) = (uint32_t)value;
        return true;
    }
    return false;
}

const char *engine_thresholds_read(struct engine_thresholds *thresholds, const char *text)
{
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (is_word("least", text, length))
            *thresholds = engine_least_thresholds;
        else if (!read_one(thresholds, text, length))
            return text;
        text += length;
        if (!*text)
            return NULL;
    }
}
