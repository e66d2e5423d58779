#include "document/report_listing.h"

#include "base/mutation.h"
#include "base/vec.h"
#include "report/report_string.h"
#include "report/report_wrap.h"

#include <string.h>

enum { MOST_COLUMNS = 4 /* side by side; more stand below */, MOST_CHARACTERS = 90 };

struct column {
    const char *head;
    VEC(const char *) lines;
};

struct listing {
    struct arena arena;
    const struct lit_program *program;
    const struct ast_test *tree;
    VEC(struct column) columns;
    uint32_t span; /* columns that a line over all of them has */
    struct strbuf *out;
};

/* ---- Texts ---- */

/* Behind the string or the comment that begins here, or the next byte. */
static const char *behind(const char *at)
{
    const char *end;
    if (*at == '"') {
        at += 1 + strcspn(at + 1, "\"\n");
        return *at == '"' ? at + 1 : at;
    }
    if (strncmp(at, "//", 2) == 0)
        return at + strcspn(at, "\n");
    if (strncmp(at, "/*", 2) != 0)
        return at + 1;
    end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Without comments. */
static const char *bare(struct listing *l, const char *text)
{
    struct strbuf out = {0};
    for (const char *at = text, *next; *at; at = next) {
        next = behind(at);
        if (*at == '"' || next == at + 1)
            strbuf_add_bytes(&out, at, (size_t)(next - at));
    }
    return strbuf_take(&out, &l->arena);
}

/* Its lines but for empty ones, set in less by so many blanks. */
static void add_lines(struct listing *l, const char *text, size_t indentation,
                      struct column *column)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        size_t blanks = strspn(text, " \t"), less = blanks < indentation ? blanks : indentation;
        size_t end = length;
        while (end > blanks && strchr(" \t", text[end - 1]))
            end--;
        if (end > blanks)
            VEC_PUSH(&column->lines, arena_strndup(&l->arena, text + less, end - less));
    }
}

/* ---- Threads ---- */

static const char *head_of(struct listing *l, const struct ast_thread *thread)
{
    struct strbuf head = {0};
    const char *before = " at ";
    strbuf_add(&head, mutation_text(&l->arena, &thread->span));
    for (const struct ast_place *at = thread->places.first; at; at = at->next) {
        strbuf_printf(&head, "%s%s %lld", before, at->level.text, (long long)at->number.value);
        before = ", ";
    }
    before = " {";
    for (const struct ast_tag *tag = thread->tags.first; tag; tag = tag->next) {
        strbuf_printf(&head, "%s%s%s", before, tag->name.text, tag->next ? "" : "}");
        before = ", ";
    }
    return strbuf_take(&head, &l->arena);
}

static void add_statement(struct listing *l, const struct ast_stmt *stmt, struct column *column)
{
    const char *text = bare(l, mutation_text(&l->arena, &stmt->extent));
    size_t length = strlen(text);
    while (length && strchr(" \t\n", text[length - 1]))
        length--;
    bool ends = length == 0 || strchr(";}:", text[length - 1]) || stmt->kind == AST_S_PRAGMA;
    add_lines(l, arena_printf(&l->arena, "%.*s%s", (int)length, text, ends ? "" : ";"),
              stmt->extent.column - 1, column);
}

static void add_thread(struct listing *l, const struct ast_thread *thread)
{
    struct column column = {.head = head_of(l, thread)};
    for (const struct ast_stmt *at = thread->body.first; at; at = at->next)
        add_statement(l, at, &column);
    for (const struct ast_cell *at = thread->cells.first; at; at = at->next)
        add_lines(l, mutation_text(&l->arena, &at->span), 0, &column);
    VEC_PUSH(&l->columns, column);
}

/* A launch has many threads. */
static void add_launches(struct listing *l, const struct ast_threads *threads, const char *head)
{
    struct column column = {.head = head};
    const struct ast_launch *before = NULL;
    for (const struct ast_thread *at = threads->first; at; before = at->launch, at = at->next)
        if (at->launch != before)
            add_lines(l,
                      arena_printf(&l->arena, "%s;", mutation_text(&l->arena, &at->launch->span)),
                      0, &column);
    VEC_PUSH(&l->columns, column);
}

static void add_threads(struct listing *l, const struct ast_threads *threads, const char *launches)
{
    if (threads->first && threads->first->launch)
        add_launches(l, threads, launches);
    for (const struct ast_thread *at = threads->first; at; at = at->next)
        if (!at->launch)
            add_thread(l, at);
}

/* ---- Rows ---- */

/* Over all columns, in lines that are no longer than a page is wide. */
static void add_row(struct listing *l, const char *before, const char *text, const char *behind_it)
{
    for (size_t length; *text; text += length, text += strspn(text, " ")) {
        length = report_wrap_fit(text, MOST_CHARACTERS);
        strbuf_printf(l->out, "\\multicolumn{%u}{l}{%s", l->span, before);
        report_tex_code(l->out, text, length);
        strbuf_printf(l->out, "%s}\\\\\n", behind_it);
    }
}

static void add_code_rows(struct listing *l, const struct column *column)
{
    for (size_t i = 0; i < column->lines.count; i++)
        add_row(l, "\\texttt{", column->lines.items[i], "}");
}

static void add_cells(struct listing *l, size_t from, size_t row)
{
    for (size_t i = from; i < from + l->span; i++) {
        const struct column *column = i < l->columns.count ? &l->columns.items[i] : NULL;
        strbuf_add(l->out, i > from ? " & " : "");
        if (!column || row > column->lines.count)
            continue;
        const char *text = row ? column->lines.items[row - 1] : column->head;
        strbuf_add(l->out, row ? "\\texttt{" : "{");
        report_tex_code(l->out, text, strlen(text));
        strbuf_add(l->out, "}");
    }
    strbuf_add(l->out, "\\\\\n");
}

/* So many threads as stand side by side; heads first. */
static void add_group(struct listing *l, size_t from)
{
    size_t rows = 0;
    for (size_t i = from; i < from + l->span && i < l->columns.count; i++)
        if (l->columns.items[i].lines.count > rows)
            rows = l->columns.items[i].lines.count;
    strbuf_add(l->out, "\\hline\n");
    for (size_t row = 0; row <= rows; row++)
        add_cells(l, from, row);
}

/* ---- Before and behind the threads ---- */

static bool ends_with(const char *text, size_t length, const char *word)
{
    size_t letters = strlen(word);
    return length >= letters && memcmp(text + length - letters, word, letters) == 0;
}

/* `host {`, which a launch stands in. */
static size_t without_host(const char *text, size_t length)
{
    static const char *const words[] = {"{", "host"};
    for (size_t i = 0; i < 2; i++) {
        while (length && strchr(" \t\n", text[length - 1]))
            length--;
        length -= ends_with(text, length, words[i]) ? strlen(words[i]) : 0;
    }
    return length;
}

/* Definitions and the initial state, up to the first thread. */
static void add_start(struct listing *l)
{
    const struct ast_thread *first = l->tree->threads.first;
    const struct source *source = l->program->source;
    struct span place = l->tree->start, end = first->launch ? first->launch->span : first->span;
    size_t from = source_offset(source, place.line, place.column);
    size_t to = source_offset(source, end.line, end.column);
    struct column column = {.head = ""};
    for (const struct ast_use *at = l->tree->uses.first; at; at = at->next)
        VEC_PUSH(&column.lines, arena_printf(&l->arena, "uses \"%s\"", at->name.text));
    for (const struct ast_code *at = l->tree->codes.first; at; at = at->next)
        VEC_PUSH(&column.lines, arena_printf(&l->arena, "code \"%s\"", at->name.text));
    if (from < to) {
        const char *text = bare(l, arena_strndup(&l->arena, source->text + from, to - from));
        size_t length = strlen(text);
        add_lines(
            l, arena_strndup(&l->arena, text, first->launch ? without_host(text, length) : length),
            0, &column);
    }
    add_code_rows(l, &column);
    VEC_FREE(&column.lines);
}

/* Its signs in symbols. */
static void add_symbols(struct strbuf *out, const char *text)
{
    static const char *const signs[][2] = {{"~exists ", "\\(\\neg\\exists\\)\\,"},
                                           {"exists ", "\\(\\exists\\)\\,"},
                                           {"forall ", "\\(\\forall\\)\\,"},
                                           {"/\\", "\\(\\wedge\\)"},
                                           {"\\/", "\\(\\vee\\)"},
                                           {"~", "\\(\\neg\\)"}};
    enum { WORDS = 3, SIGNS = sizeof signs / sizeof *signs };
    for (const char *at = text; *at;) {
        size_t i = at == text ? 0 : WORDS;
        while (i < SIGNS && strncmp(at, signs[i][0], strlen(signs[i][0])) != 0)
            i++;
        if (i < SIGNS) {
            strbuf_add(out, signs[i][1]);
            at += strlen(signs[i][0]);
        } else {
            size_t length = 1 + strcspn(at + 1, "/\\~");
            report_tex_code(out, at, length);
            at += length;
        }
    }
}

static void add_condition(struct listing *l, const struct lit_condition *condition)
{
    static const char *const kinds[] = {"final", "crash", "recovered"};
    strbuf_printf(l->out, "\\multicolumn{%u}{l}{", l->span);
    if (!condition->property && !condition->refines)
        strbuf_printf(l->out, "%s: ", kinds[condition->when]);
    strbuf_add(l->out, "\\texttt{");
    add_symbols(l->out, condition->text);
    strbuf_add(l->out, "}}\\\\\n");
}

static void add_end(struct listing *l)
{
    if (l->tree->relaunch)
        add_row(l, "", "recovery: the test itself", "");
    if (l->tree->filter)
        add_row(l, "filter: \\texttt{", mutation_text(&l->arena, &l->tree->filter->span), "}");
    EACH (const struct lit_condition, condition, l->program->conditions,
          l->program->condition_count)
        add_condition(l, condition);
}

/* ---- The listing ---- */

static void add_title(struct listing *l)
{
    add_row(l, "\\textbf{", l->program->name, "}");
    if (!*l->program->title)
        return;
    strbuf_add(l->out, "\\ifdefined\\crashlittitles\n");
    add_row(l, "", l->program->title, "");
    strbuf_add(l->out, "\\fi\n");
}

void report_listing_tex(const struct lit_program *program, const struct ast_test *tree,
                        struct strbuf *out)
{
    struct listing l = {.program = program, .tree = tree, .out = out};
    add_threads(&l, &tree->threads, "host");
    add_threads(&l, &tree->recovery, "recovery, host");
    l.span = l.columns.count < MOST_COLUMNS ? (uint32_t)l.columns.count : MOST_COLUMNS;
    strbuf_add(out, "\\begin{center}\\crashlitfit{\\small\\def\\arraystretch{1.1}"
                    "\\begin{tabular}{l");
    for (uint32_t i = 1; i < l.span; i++)
        strbuf_add(out, "|l");
    strbuf_add(out, "}\n");
    add_title(&l);
    add_start(&l);
    for (size_t i = 0; i < l.columns.count; i += l.span)
        add_group(&l, i);
    strbuf_add(out, "\\hline\n");
    add_end(&l);
    strbuf_add(out, "\\end{tabular}}\\end{center}\n");
    EACH_IN (struct column, column, l.columns)
        VEC_FREE(&column->lines);
    VEC_FREE(&l.columns);
    arena_fini(&l.arena);
}
