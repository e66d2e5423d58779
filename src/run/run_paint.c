#include "run/run_paint.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a terminal is told; these colours can be told apart on light and dark ground. */
static const char GOOD[] = "\033[32m", BAD[] = "\033[1;31m", ODD[] = "\033[35m",
                  DOUBT[] = "\033[33m", MARK[] = "\033[1;33m", STRONG[] = "\033[1m",
                  PLACE[] = "\033[36m", GONE[] = "\033[31m", END[] = "\033[0m";

/* ---- Whether ---- */

void run_paint_ask(const char *when)
{
    if (!when || strcmp(when, "auto") == 0)
        return;
    bool always = strcmp(when, "always") == 0;
    setenv(always ? "CLICOLOR_FORCE" : "NO_COLOR", "1", true);
    unsetenv(always ? "NO_COLOR" : "CLICOLOR_FORCE");
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

bool run_paint_is_wanted(int file)
{
    const char *terminal = getenv("TERM");
    if (is_set("NO_COLOR"))
        return false;
    return is_set("CLICOLOR_FORCE") ||
           (isatty(file) == 1 && terminal && *terminal && strcmp(terminal, "dumb") != 0);
}

/* ---- Pieces of a line ---- */

struct line {
    const char *text;
    size_t length;
    struct strbuf *out;
};

static bool begins(const struct line *line, const char *with)
{
    size_t length = strlen(with);
    return line->length >= length && memcmp(line->text, with, length) == 0;
}

/* The next so many bytes, in a colour; NULL: in none. */
static void add_painted(struct line *line, size_t length, const char *colour)
{
    length = length < line->length ? length : line->length;
    strbuf_add(line->out, colour && length ? colour : "");
    strbuf_add_bytes(line->out, line->text, length);
    strbuf_add(line->out, colour && length ? END : "");
    line->text += length;
    line->length -= length;
}

/* Where it stands in the line; the length when it does not. */
static size_t find_words(const struct line *line, const char *what)
{
    const size_t length = strlen(what);
    for (size_t i = 0; i + length <= line->length; i++)
        if (memcmp(line->text + i, what, length) == 0)
            return i;
    return line->length;
}

static size_t find_last(const struct line *line, const char *what)
{
    const size_t length = strlen(what);
    for (size_t i = line->length; i-- > 0;)
        if (i + length <= line->length && memcmp(line->text + i, what, length) == 0)
            return i;
    return line->length;
}

/* ---- Verdicts ---- */

static const struct {
    const char *word, *colour;
} verdicts[] = {{"ok", GOOD},       {"Ok", GOOD},       {"violated", BAD}, {"No", BAD},
                {"undefined", ODD}, {"Undefined", ODD}, {"error", BAD},    {"Error", BAD},
                {"unknown", DOUBT}, {"Unknown", DOUBT}, {"mixed", STRONG}, {"not asked", DOUBT}};

/* Of the word that so many bytes are; NULL: it is none. */
static const char *colour_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strlen(verdicts[i].word) == length && memcmp(verdicts[i].word, text, length) == 0)
            return verdicts[i].colour;
    return NULL;
}

/* "Verdict NAME violated, expected ok"; a name may be anything. */
static void add_verdict(struct line *line)
{
    static const char between[] = ", expected ";
    size_t comma = find_last(line, between), word = comma;
    while (word > 0 && line->text[word - 1] != ' ')
        word--;
    if (comma == line->length)
        return;
    size_t length = comma - word, rest = comma + sizeof between - 1;
    bool expected =
        line->length - rest == length && memcmp(line->text + word, line->text + rest, length) == 0;
    add_painted(line, word, NULL);
    add_painted(line, length, colour_of(line->text, length));
    add_painted(line, line->length, expected ? NULL : BAD);
}

/* "! violated   PATH: why" */
static bool add_brief(struct line *line)
{
    enum { BEFORE = 2, WORD = 10 };
    if (line->length <= BEFORE + WORD || (*line->text != '!' && *line->text != ' ') ||
        line->text[1] != ' ' || line->text[BEFORE + WORD] != ' ')
        return false;
    size_t length = WORD;
    while (length && line->text[BEFORE + length - 1] == ' ')
        length--;
    const char *colour = colour_of(line->text + BEFORE, length);
    if (!colour)
        return false;
    add_painted(line, BEFORE, *line->text == '!' ? BAD : NULL);
    add_painted(line, length, colour);
    return true;
}

/* ---- Differences ---- */

/* "@@ -10,6 +10,7 @@": how many lines of either sort follow; a number that is left away is 1. */
static uint32_t count_of(const struct line *line, char sign)
{
    const char *at = memchr(line->text, sign, line->length);
    const char *end = line->text + line->length;
    while (at && at < end && *at != ',' && *at != ' ')
        at++;
    return at && at < end && *at == ',' ? (uint32_t)strtoul(at + 1, NULL, 10) : 1;
}

static bool add_difference(struct run_paint *paint, struct line *line)
{
    char sign = line->length ? *line->text : ' ';
    if (paint->removed == 0 && paint->added == 0) {
        if (!begins(line, "@@ -"))
            return false;
        paint->removed = count_of(line, '-');
        paint->added = count_of(line, '+');
        add_painted(line, line->length, PLACE);
        return true;
    }
    paint->removed -= sign != '+' && paint->removed;
    paint->added -= sign != '-' && paint->added;
    add_painted(line, line->length, sign == '+' ? GOOD : sign == '-' ? GONE : NULL);
    return true;
}

/* ---- Diagnostics ---- */

/* Blanks and a caret, with what it underlines. */
static bool is_caret(const struct line *line)
{
    size_t i = 0;
    while (i < line->length && line->text[i] == ' ')
        i++;
    if (i < 4 || i == line->length || line->text[i++] != '^')
        return false;
    while (i < line->length && line->text[i] == '~')
        i++;
    return i == line->length;
}

/* "FILE:1:2: error: ..." */
static void add_diagnostic(struct line *line)
{
    static const struct {
        const char *between, *colour;
    } levels[] = {{": error: ", BAD}, {": warning: ", ODD}, {": note: ", PLACE}};
    size_t best = line->length, level = 0;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        size_t at = find_words(line, levels[i].between);
        level = at < best ? i : level;
        best = at < best ? at : best;
    }
    if (best == line->length)
        return;
    add_painted(line, best, STRONG);
    add_painted(line, strlen(levels[level].between) - 1, levels[level].colour);
}

/* ---- Lines ---- */

/* The word or words that a line begins with, and their colour; or all of it. */
static const struct {
    const char *begin, *colour;
    bool whole;
} heads[] = {
    {"Violated:", BAD, false},        {"Holds:", GOOD, false},      {"Holds, but ", DOUBT, false},
    {"Undefined:", ODD, false},       {"Not known:", DOUBT, false}, {"Error:", BAD, false},
    {"Not as expected:", BAD, false}, {"  ! ", MARK, true},         {"  + ", GOOD, true},
    {"Warning:", DOUBT, false},       {"Remark:", DOUBT, false},    {"*>", MARK, true},
    {"Decided by ", MARK, true},      {"State ", MARK, true},       {"Undefined ", ODD, false},
    {"Warning ", DOUBT, false},       {"Flag ", DOUBT, false},      {"Doubt ", DOUBT, false},
    {"Reason ", DOUBT, false},        {"Remark ", DOUBT, false},    {"  -- crash", GONE, true},
    {"--- ", STRONG, true},           {"+++ ", STRONG, true}};

static void add_line(struct run_paint *paint, struct line *line)
{
    const char *verdict = colour_of(line->text, line->length);
    if (add_difference(paint, line) || add_brief(line))
        return;
    if (verdict || is_caret(line)) {
        add_painted(line, line->length, verdict ? verdict : GOOD);
        return;
    }
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (begins(line, heads[i].begin)) {
            add_painted(line, heads[i].whole ? line->length : strlen(heads[i].begin),
                        heads[i].colour);
            return;
        }
    if (begins(line, "Verdict "))
        add_verdict(line);
    else if (begins(line, "Summary: "))
        add_painted(line, line->length,
                    find_words(line, ", 0 otherwise, 0 files") < line->length ||
                            find_words(line, ", 0 disagree, 0 not") < line->length
                        ? GOOD
                        : STRONG);
    else
        add_diagnostic(line);
}

void run_paint_add(struct run_paint *paint, const char *text, size_t length, struct strbuf *out)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        struct line line = {text, (size_t)((stop ? stop : end) - text), out};
        add_line(paint, &line);
        add_painted(&line, line.length, NULL);
        text = stop ? stop + 1 : end;
        if (stop)
            strbuf_add_char(out, '\n');
    }
}
