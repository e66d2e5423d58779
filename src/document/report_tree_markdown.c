/* A tree as Markdown: a paragraph a head, which is bold, and a line; lists and tables. */
#include "document/report_tree.h"

struct markdown {
    struct report_writer writer;
    int indent;       /* of items */
    uint32_t columns; /* of the row so far */
    bool is_first_row, verbatim;
};

/* What would be markup, or end a cell, is escaped; a control character is a blank. */
static void add_text(struct report_writer *writer, const char *bytes, size_t length)
{
    for (const char *at = bytes; at < bytes + length; at++) {
        bool plain = ((struct markdown *)writer)->verbatim;
        for (const char *mark = "\\`*_[]|~#"; *mark && !plain; mark++)
            if (*at == *mark)
                strbuf_add_char(writer->out, '\\');
        if (!plain && ((unsigned char)*at < ' ' || *at == '<' || *at == '&'))
            strbuf_add(writer->out, *at == '<' ? "&lt;" : *at == '&' ? "&amp;" : " ");
        else
            strbuf_add_char(writer->out, *at);
    }
}

static void add_between(struct markdown *m, const struct report_node *node, const char *before,
                        const char *after)
{
    strbuf_add(m->writer.out, before);
    report_tree_visit(&m->writer, node);
    strbuf_add(m->writer.out, after);
}

static void add_row(struct markdown *m, const struct report_node *node)
{
    m->columns = 0;
    add_between(m, node, "|", "\n");
    if (m->is_first_row)
        strbuf_add_char(m->writer.out, '|');
    for (uint32_t i = 0; i < m->columns && m->is_first_row; i++)
        strbuf_add(m->writer.out, i + 1 < m->columns ? "---|" : "---|\n");
    m->is_first_row = false;
}

/* What stands in an item begins a line of its own. */
static void add_item(struct markdown *m, const struct report_node *node)
{
    struct strbuf *out = m->writer.out;
    bool inner = out->length && out->text[out->length - 1] != '\n';
    strbuf_printf(out, "%s%*s* ", inner ? "\n" : "", m->indent, "");
    m->indent += 2;
    add_between(m, node, "", "");
    m->indent -= 2;
    strbuf_add(out, out->text[out->length - 1] != '\n' ? "\n" : "");
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct markdown *m = (struct markdown *)writer;
    m->is_first_row |= node->kind == REPORT_TABLE;
    m->verbatim = node->kind == REPORT_VERBATIM;
    m->columns += node->kind == REPORT_CELL;
    if (node->kind == REPORT_HEAD || node->kind == REPORT_LINE)
        add_between(m, node, node->kind == REPORT_HEAD ? "**" : "",
                    node->kind == REPORT_HEAD ? "**\n\n" : "\n\n");
    else if (node->kind == REPORT_STRONG)
        add_between(m, node, "**", "**");
    else if (node->kind == REPORT_ITEM)
        add_item(m, node);
    else if (node->kind == REPORT_VERBATIM)
        add_between(m, node, "\n```\n", "```\n\n");
    else if (node->kind == REPORT_ROW)
        add_row(m, node);
    else if (node->kind == REPORT_CELL)
        add_between(m, node, node->marked ? " **" : " ", node->marked ? "** |" : " |");
    else
        add_between(m, node, "",
                    node->kind == REPORT_TABLE || (node->kind == REPORT_LIST && !m->indent) ? "\n"
                                                                                            : "");
    m->verbatim = false;
}

void report_tree_markdown(const struct report_tree *tree, struct report_paper *paper)
{
    struct markdown m = {.writer = {tree, &paper->out, REPORT_IN_MARKDOWN, add_text, add_node}};
    report_tree_visit(&m.writer, NULL);
}
