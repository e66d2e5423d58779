/* Line by line: blocks between fences, each taken by its kind, and the text around them. */
#include "session/session_lesson.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct reading {
    struct arena *arena;
    struct session_lesson *lesson;
    struct strbuf prose, shown, conditions;
    bool folded; /* between <details> and </details> */
};

/* ---- Text ---- */

/* "[words](target)": its bytes, and those of the words; else 0. */
static size_t link_length(const char *at, size_t *words)
{
    *words = *at == '[' ? strcspn(at + 1, "]") : 0;
    if (*words == 0 || strncmp(at + 1 + *words, "](", 2) != 0)
        return 0;
    size_t head = *words + 3, target = strcspn(at + head, ") \n");
    return target && at[head + target] == ')' ? head + target + 1 : 0;
}

/* A link may go over the end of a line; what is between backquotes is none. */
static void end_prose(struct reading *r)
{
    size_t words, length;
    for (const char *at = strbuf_text(&r->prose); *at; at += length) {
        const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
        length = end ? (size_t)(end - at) + 1 : link_length(at, &words);
        if (length && !end)
            strbuf_add_bytes(&r->shown, at + 1, words);
        else
            strbuf_add_bytes(&r->shown, at, length = length ? length : 1);
    }
    strbuf_fini(&r->prose);
}

/* ---- Blocks ---- */

/* Calls for each line, without its end. */
typedef void take_line(struct reading *r, const char *line);

static void each_line(struct reading *r, const char *text, take_line *take)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        take(r, arena_strndup(r->arena, text, length));
    }
}

/* "condition   // what it asks for": the last such mark is the one. */
static void add_demand(struct reading *r, const char *line)
{
    const char *mark = NULL;
    for (const char *at = strstr(line, "// "); at; at = strstr(at + 1, "// "))
        if (at > line && isspace((unsigned char)at[-1]) && at[3] && !isspace((unsigned char)at[3]))
            mark = at;
    BASE_CHECK(mark != NULL);
    while (isspace((unsigned char)mark[-1]))
        mark--;
    const char *condition = arena_strndup(r->arena, line, (size_t)(mark - line));
    if (strcmp(condition, "narrow") == 0)
        r->lesson->narrow = true;
    else
        strbuf_printf(&r->conditions, "%s\n", condition);
}

static void add_pair(struct reading *r, const char *line)
{
#define NAME "%63[A-Za-z0-9_.-]"
    struct session_lesson *lesson = r->lesson;
    char visibility[64], persistency[64], verdict[64];
    if (sscanf(line, "expect " NAME " + " NAME " : " NAME, visibility, persistency, verdict) != 3)
        return;
    BASE_CHECK(lesson->pair_count < SESSION_LESSON_MOST);
    lesson->pairs[lesson->pair_count++] = (struct session_lesson_pair){
        arena_strdup(r->arena, visibility), arena_strdup(r->arena, persistency)};
#undef NAME
}

static void add_start(struct reading *r, const char *text)
{
    BASE_CHECK(!r->lesson->start);
    r->lesson->start = text;
    each_line(r, text, add_pair);
    if (r->lesson->pair_count == 0)
        r->lesson->pairs[r->lesson->pair_count++] =
            (struct session_lesson_pair){"hrf-direct", "epoch"};
}

/* `words` stand behind the fence: the kind, and of a test or a model its name. */
static void take_block(struct reading *r, const char *words, const char *text)
{
    size_t length = strcspn(words, " ");
    const char *name = words + length + (words[length] == ' ');
    name = arena_strndup(r->arena, name, strcspn(name, " "));
    if (strcmp(words, "conditions") == 0)
        each_line(r, text, add_demand);
    if (r->folded)
        return;
    strbuf_printf(&r->shown, "```\n%s```\n", text);
    if (length == 6 && strncmp(words, "litmus", length) == 0 && strncmp(name, "start", 5) == 0)
        add_start(r, text);
    if (length == 3 && strncmp(words, "cat", length) == 0) {
        BASE_CHECK(*name && r->lesson->file_count < SESSION_LESSON_MOST);
        r->lesson->files[r->lesson->file_count++] = (struct session_lesson_file){name, text};
    }
}

/* The block that begins at `at`, with its fences; returns what is behind it. */
static const char *read_block(struct reading *r, const char *at)
{
    const char *words = at + 3;
    const char *text = words + strcspn(words, "\n");
    const char *end = strstr(text, "\n```\n");
    BASE_CHECK(*text && end);
    words = arena_strndup(r->arena, words, (size_t)(text - words));
    end_prose(r);
    take_block(r, words, end > text ? arena_strndup(r->arena, text + 1, (size_t)(end - text)) : "");
    return end + strlen("\n```\n");
}

/* ---- A lesson ---- */

static void read_line(struct reading *r, const char *line)
{
    if (strcmp(line, "<details>") == 0)
        r->folded = true;
    else if (strcmp(line, "</details>") == 0)
        r->folded = false;
    else if (!r->folded)
        strbuf_printf(&r->prose, "%s\n", line);
}

static void read_lines(struct reading *r, const char *at)
{
    while (*at) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, "```", 3) == 0) {
            at = read_block(r, at);
            continue;
        }
        read_line(r, arena_strndup(r->arena, at, length));
        at += length + (at[length] == '\n');
    }
    end_prose(r);
}

/* "# 4. One-sided" */
static void read_title(struct reading *r, const char *text)
{
    int length = 0;
    BASE_CHECK(sscanf(text, "# %u. %n", &r->lesson->number, &length) == 1 && length);
    r->lesson->title = arena_strndup(r->arena, text + length, strcspn(text + length, "\n"));
}

static const char *text_of(struct arena *arena, struct strbuf *text)
{
    const char *kept = arena_strndup(arena, strbuf_text(text), text->length);
    strbuf_fini(text);
    return kept;
}

const char *session_lesson_name(struct arena *arena, const struct source_builtin *builtin)
{
    const char *name = source_builtin_name(arena, builtin);
    return name + strspn(name, "0123456789") + 1;
}

const struct session_lesson *session_lesson_read(struct arena *arena,
                                                 const struct source_builtin *builtin)
{
    struct session_lesson *lesson = ARENA_NEW(arena, struct session_lesson);
    struct reading r = {.arena = arena, .lesson = lesson};
    *lesson = (struct session_lesson){.name = session_lesson_name(arena, builtin)};
    read_title(&r, builtin->text);
    read_lines(&r, builtin->text);
    BASE_CHECK(lesson->start && r.conditions.length);
    lesson->shown = text_of(arena, &r.shown);
    lesson->exercise = arena_printf(arena, "%s%s", lesson->start, text_of(arena, &r.conditions));
    return lesson;
}

const struct session_lesson *session_lesson_find(struct arena *arena, const char *word)
{
    for (size_t i = 0; i < lesson_builtin_count; i++) {
        const struct session_lesson *lesson = session_lesson_read(arena, &lesson_builtins[i]);
        if (strcmp(arena_printf(arena, "%u", lesson->number), word) == 0 ||
            strcmp(lesson->name, word) == 0)
            return lesson;
    }
    return NULL;
}

const char *session_lesson_word(const char *path)
{
    static const char mark[] = "lesson:";
    return strncmp(path, mark, sizeof mark - 1) == 0 ? path + sizeof mark - 1 : NULL;
}
