/* A tree for LaTeX: tables with the rules of booktabs, executions with TikZ, tests line by line. */
#include "document/report_place.h"
#include "document/report_tree.h"
#include "picture/report_tex.h"
#include "report/report_string.h"

#include <string.h>

struct tex {
    struct report_writer writer;
    uint32_t rows, cells; /* of the table, and of the row, so far */
    bool verbatim;
};

/* A word without blanks may be broken behind such a sign. */
static void add_prose(struct strbuf *out, const char *bytes, size_t length)
{
    const char *from = bytes, *end = bytes + length;
    for (const char *at = bytes; at + 1 < end; at++)
        if (*at && strchr(":,=;/", *at) && at[1] != ' ') {
            report_tex_bytes(out, from, (size_t)(at + 1 - from));
            strbuf_add(out, "\\allowbreak{}");
            from = at + 1;
        }
    report_tex_bytes(out, from, (size_t)(end - from));
}

static void add_text(struct report_writer *writer, const char *bytes, size_t length)
{
    (((struct tex *)writer)->verbatim ? report_tex_code : add_prose)(writer->out, bytes, length);
}

static void add_between(struct tex *t, const struct report_node *node, const char *before,
                        const char *after)
{
    strbuf_add(t->writer.out, before);
    report_tree_visit(&t->writer, node);
    strbuf_add(t->writer.out, after);
}

static void add_lines(struct tex *t, const struct report_node *node)
{
    t->verbatim = true;
    strbuf_add(t->writer.out, "\\begin{flushleft}\\ttfamily\\small\\frenchspacing\n");
    if (node->kind == REPORT_VERBATIM) {
        report_tree_visit(&t->writer, node);
    } else {
        SCOPED(strbuf) diff = {0};
        report_place_diff(node->source, node->changes, &diff);
        report_tex_code(t->writer.out, strbuf_text(&diff), diff.length);
    }
    strbuf_add(t->writer.out, "\\end{flushleft}\n");
    t->verbatim = false;
}

/* ---- Tables ---- */

/* Columns are counted when all rows are written. */
static void add_table(struct tex *t, const struct report_node *node)
{
    SCOPED(strbuf) rows = {0};
    struct tex inner = *t;
    inner.writer.out = &rows;
    inner.rows = inner.cells = 0;
    report_tree_visit(&inner.writer, node);
    strbuf_add(t->writer.out, "\\begin{center}\\crashlitfit{\\begin{tabular}{");
    for (uint32_t i = 0; i < inner.cells; i++)
        strbuf_add_char(t->writer.out, 'l');
    strbuf_printf(t->writer.out, "}\n\\toprule\n%s\\bottomrule\n\\end{tabular}}\\end{center}\n",
                  strbuf_text(&rows));
}

static void add_row(struct tex *t, const struct report_node *node)
{
    uint32_t most = t->cells;
    t->cells = 0;
    add_between(t, node, "", t->rows++ ? "\\\\\n" : "\\\\\n\\midrule\n");
    t->cells = t->cells < most ? most : t->cells;
}

static void add_cell(struct tex *t, const struct report_node *node)
{
    strbuf_add(t->writer.out, t->cells++ ? " & " : "");
    add_between(t, node, node->marked ? "\\textbf{" : "{", "}");
}

/* ---- Nodes ---- */

/* One without an item is none. */
static void add_list(struct tex *t, const struct report_node *node)
{
    SCOPED(strbuf) items = {0};
    struct tex inner = *t;
    inner.writer.out = &items;
    report_tree_visit(&inner.writer, node);
    if (items.length)
        strbuf_printf(t->writer.out, "\n\\begin{itemize}\n%s\\end{itemize}\n", strbuf_text(&items));
}

/* What stands before and behind a node of this kind; "" for none. */
static const char *const around[REPORT_LINK + 1][2] = {
    [REPORT_HEAD] = {"\\subsection*{", "}\n"}, [REPORT_LINE] = {"", "\n\n"},
    [REPORT_ITEM] = {"\\item ", "\n"},         [REPORT_STRONG] = {"\\textbf{", "}"},
    [REPORT_CODE] = {"\\texttt{", "}"},        [REPORT_SMALL] = {"{\\small{}", "}"},
};

static void add_figure(const struct report_figure *figure, struct strbuf *out)
{
    if (!figure->tex)
        return;
    strbuf_add(out, "\\begin{center}\\crashlitfit{");
    figure->tex(figure->of, out);
    strbuf_add(out, "}\\end{center}\n");
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct tex *t = (struct tex *)writer;
    const char *before = around[node->kind][0], *after = around[node->kind][1];
    if (node->kind == REPORT_TABLE)
        add_table(t, node);
    else if (node->kind == REPORT_ROW)
        add_row(t, node);
    else if (node->kind == REPORT_CELL)
        add_cell(t, node);
    else if (node->kind == REPORT_VERBATIM || (node->kind == REPORT_SOURCE && node->changes))
        add_lines(t, node);
    else if (node->kind == REPORT_LIST)
        add_list(t, node);
    else if (node->kind == REPORT_FIGURE)
        add_figure(&node->figure, writer->out);
    else
        add_between(t, node, before ? before : "", after ? after : "");
}

void report_tree_tex(const struct report_tree *tree, struct report_paper *paper)
{
    struct tex t = {.writer = {tree, &paper->out, REPORT_IN_MARKDOWN, add_text, add_node}};
    report_tree_visit(&t.writer, NULL);
}
