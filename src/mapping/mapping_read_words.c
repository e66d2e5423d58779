/* The words of a mapping file. */
#include "mapping/mapping_read.h"

#include <string.h>

bool lit_reading_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}

static void skip(struct lit_reading *reading, size_t bytes)
{
    const char *text = reading->source->text + reading->at;
    (void)source_advance(reading->source, &reading->line, &reading->column, text, bytes);
    reading->at += bytes;
}

/* Blanks and comments. */
static size_t blank_length(const char *text)
{
    if (strchr(" \t\r\n", *text) && *text)
        return 1;
    if (text[0] == '/' && text[1] == '/')
        return strcspn(text, "\n");
    const char *end = text[0] == '/' && text[1] == '*' ? strstr(text + 2, "*/") : NULL;
    return end ? (size_t)(end + 2 - text) : 0;
}

/* A word has '-', '.' and '/' inside it, as names of models have, and begins with "./", "../" or
 * '/' when it is the path of one. */
static size_t word_length(const char *text)
{
    size_t length = strspn(text, "./");
    length = lit_reading_is_letter(text[length]) ? length : 0;
    if (text[0] == '"') {
        const char *end = strpbrk(text + 1, "\"\n");
        return end && *end == '"' ? (size_t)(end + 1 - text) : 1;
    }
    while (lit_reading_is_letter(text[length]) ||
           (length && strchr("-./", text[length]) && text[length] &&
            lit_reading_is_letter(text[length + 1])))
        length++;
    return length ? length : *text != '\0';
}

void lit_reading_next(struct lit_reading *reading)
{
    const char *text = reading->source->text;
    size_t length;
    while ((length = blank_length(text + reading->at)) > 0)
        skip(reading, length);
    length = word_length(text + reading->at);
    reading->word = intern_bytes(reading->names, text + reading->at, length);
    uint32_t line = reading->line, column = reading->column;
    reading->span = source_advance(reading->source, &line, &column, text + reading->at, length);
    reading->at += length;
    reading->line = line;
    reading->column = column;
}

bool lit_reading_is(const struct lit_reading *reading, const char *word)
{
    return strcmp(reading->word, word) == 0;
}

bool lit_reading_is_name(const struct lit_reading *reading)
{
    return lit_reading_is_letter(reading->word[0]) &&
           !(reading->word[0] >= '0' && reading->word[0] <= '9');
}

static const char *shown(const struct lit_reading *reading, const char *word)
{
    unsigned char c = (unsigned char)word[0];
    return c == '\0'           ? "the end of the file"
           : c < 32 || c > 126 ? "a character that has no place here"
                               : arena_printf(reading->arena, "'%.40s'", word);
}

bool lit_reading_unexpected_at(struct lit_reading *reading, struct span span, const char *word,
                               const char *expected, const char *const *words, size_t count)
{
    const char *near = words ? diag_nearest(word, words, count) : NULL;
    if (!reading->stopped)
        READING_FAULT(reading, span,
                      near ? "found %s, expected %s; did you mean '%s'?" : "found %s, expected %s",
                      shown(reading, word), expected, near);
    diag_meant_by(reading->diag, span, word, near);
    reading->stopped = true;
    return false;
}

bool lit_reading_unexpected(struct lit_reading *reading, const char *expected,
                            const char *const *words, size_t count)
{
    return lit_reading_unexpected_at(reading, reading->span, reading->word, expected, words, count);
}

bool lit_reading_take(struct lit_reading *reading, const char *word)
{
    if (!lit_reading_is(reading, word))
        return lit_reading_unexpected(reading, arena_printf(reading->arena, "'%s'", word), &word,
                                      1);
    lit_reading_next(reading);
    return true;
}

bool lit_reading_take_name(struct lit_reading *reading, const char *what, const char **name)
{
    if (!lit_reading_is_name(reading))
        return lit_reading_unexpected(reading, what, NULL, 0);
    *name = reading->word;
    lit_reading_next(reading);
    return true;
}
