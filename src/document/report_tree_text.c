/* A tree as text: a line a head, line or item, lists set in by two, and so are folds within folds; columns of tables as wide as
 * what is in them; of a source the difference to it; no figures. */
#include "document/report_place.h"
#include "document/report_tree.h"
#include "report/report_wrap.h"

#include <string.h>

struct text {
    struct report_writer writer;
    int indent, folds;
    /* Of a table: */
    VEC(size_t) widths;
    size_t column, least;
    bool measures; /* columns are made as wide as they are to be */
};

static void add_bytes(struct report_writer *writer, const char *bytes, size_t length)
{
    strbuf_add_bytes(writer->out, bytes, length);
}

static bool is_within_a_line(const struct strbuf *out)
{
    return out->length && out->text[out->length - 1] != '\n';
}

/* So many bytes of the text, or fewer: what is in parentheses stays together where that is short. */
static size_t fit(const char *text, size_t room)
{
    size_t length = report_wrap_fit(text, room), at = length;
    while (at > length / 2 && text[at] && text[at] != '(' && text[at] != ')')
        at--;
    return text[length] && at > length / 2 && text[at] == '(' && text[at - 1] == ' ' ? at - 1
                                                                                     : length;
}

/* What stands behind `from`, on lines that are set in further than the first. */
static void wrap(struct text *t, size_t from)
{
    enum { COLUMNS = 80, FURTHER = 2 };
    struct strbuf *out = t->writer.out, line = {0};
    size_t room = COLUMNS - (size_t)t->indent;
    strbuf_add(&line, out->text + from);
    out->length = from;
    for (const char *text = strbuf_text(&line); *text; text += strspn(text, " ")) {
        size_t length = fit(text, room);
        if (out->length > from)
            strbuf_printf(out, "\n%*s", t->indent + FURTHER, "");
        room = COLUMNS - FURTHER - (size_t)t->indent;
        strbuf_add_bytes(out, text, length);
        text += length;
    }
    strbuf_fini(&line);
}

static void add_line(struct text *t, const struct report_node *node)
{
    struct strbuf *out = t->writer.out;
    if (is_within_a_line(out))
        strbuf_add_char(out, '\n');
    strbuf_printf(out, "%*s", t->indent, "");
    size_t before = out->length;
    report_tree_visit(&t->writer, node);
    if (node->wraps && out->length > before)
        wrap(t, before);
    if (out->length == before)
        out->length -= (size_t)t->indent;
    if (out->length <= before || is_within_a_line(out))
        strbuf_add_char(out, '\n');
}

/* ---- Tables ---- */

static void add_cell(struct text *t, const struct report_node *node)
{
    struct strbuf *out = t->writer.out, cell = {0};
    t->writer.out = &cell;
    report_tree_visit(&t->writer, node);
    t->writer.out = out;
    size_t width = report_wrap_characters(strbuf_text(&cell));
    if (t->column == t->widths.count)
        VEC_PUSH(&t->widths, t->column ? t->least : 0);
    size_t *most = &t->widths.items[t->column];
    if (!t->measures)
        strbuf_printf(out, "%s%s%*s", t->column ? "  " : "", strbuf_text(&cell),
                      (int)(*most - width), "");
    else if (*most < width)
        *most = width;
    t->column++;
    strbuf_fini(&cell);
}

static void add_row(struct text *t, const struct report_node *node)
{
    struct strbuf *out = t->writer.out;
    t->column = 0;
    report_tree_visit(&t->writer, node);
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = '\0';
    strbuf_add(out, t->measures ? "" : "\n");
}

static void add_table(struct text *t, const struct report_node *node)
{
    t->least = node->least;
    for (int i = 0; i < 2; i++) {
        t->measures = i == 0;
        report_tree_visit(&t->writer, node);
    }
    VEC_FREE(&t->widths);
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct text *t = (struct text *)writer;
    const bool item = node->kind == REPORT_ITEM, fold = node->kind == REPORT_FOLD;
    const int indent = item || (fold && t->folds) ? 2 : 0;
    t->indent += indent;
    t->folds += fold;
    if (item || node->kind == REPORT_HEAD || node->kind == REPORT_LINE)
        add_line(t, node);
    else if (node->kind == REPORT_TABLE)
        add_table(t, node);
    else if (node->kind == REPORT_ROW)
        add_row(t, node);
    else if (node->kind == REPORT_CELL)
        add_cell(t, node);
    else if (node->kind == REPORT_SOURCE && node->changes)
        report_place_diff(node->source, node->changes, writer->out);
    else
        report_tree_visit(writer, node);
    t->indent -= indent;
    t->folds -= fold;
}

void report_tree_words(const struct report_tree *tree, unsigned where, struct strbuf *out)
{
    struct text t = {.writer = {tree, out, where, add_bytes, add_node}};
    report_tree_visit(&t.writer, NULL);
}

void report_tree_text(const struct report_tree *tree, struct report_paper *paper)
{
    report_tree_words(tree, REPORT_IN_TEXT, &paper->out);
}
