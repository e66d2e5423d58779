/* A tree as Markdown: a paragraph a head, which is bold, and a line; lists and tables. */
#include "document/report_tree.h"

#include <string.h>

struct markdown {
    struct report_writer writer;
    int indent;       /* of items */
    uint32_t columns; /* of the row so far */
    bool is_first_row, verbatim, code, is_cell;
    bool begins; /* a line, where a sign may say what the line is */
};

/* A list's number ends at its dot. */
static size_t number_length(const char *bytes, size_t length)
{
    size_t digits = 0;
    while (digits < length && bytes[digits] >= '0' && bytes[digits] <= '9')
        digits++;
    return digits && digits < length && (bytes[digits] == '.' || bytes[digits] == ')') ? digits : 0;
}

/* A character that is invisible keeps a server from taking names for people, and numbers for links. */
static void add_char(struct strbuf *out, char c)
{
    if (strchr("\\`*_[]|~#$", c))
        strbuf_add_char(out, '\\');
    if (c == '<' || c == '&')
        strbuf_add(out, c == '<' ? "&lt;" : "&amp;");
    else
        strbuf_add_char(out, c);
    if (c == '@' || c == '#')
        strbuf_add(out, "&#8203;");
}

/* What would be markup, or end a cell, is escaped; a control character is a blank. */
static void add_plain(struct markdown *m, const char *bytes, size_t length)
{
    struct strbuf *out = m->writer.out;
    size_t at = m->begins ? number_length(bytes, length) : 0;
    strbuf_add_bytes(out, bytes, at);
    if (at || (m->begins && *bytes && strchr("-+>=", *bytes)))
        strbuf_add_char(out, '\\');
    for (; at < length; at++)
        add_char(out, (unsigned char)bytes[at] < ' ' ? ' ' : bytes[at]);
}

static void add_text(struct report_writer *writer, const char *bytes, size_t length)
{
    struct markdown *m = (struct markdown *)writer;
    for (; m->begins && length && *bytes == ' '; length--)
        bytes++;
    if (m->verbatim)
        strbuf_add_bytes(writer->out, bytes, length);
    else if (m->code)
        for (size_t i = 0; i < length; i++)
            strbuf_printf(writer->out, "%s%c", m->is_cell && bytes[i] == '|' ? "\\" : "",
                          (unsigned char)bytes[i] < ' ' ? ' ' : bytes[i]);
    else if (length)
        add_plain(m, bytes, length);
    m->begins &= length == 0;
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

/* A row of so many marks that the text has none of its length. */
static void add_fence(struct strbuf *out, const char *text, size_t least)
{
    for (; *text; text += *text != '\0') {
        const size_t run = strspn(text, "`");
        least = run >= least ? run + 1 : least;
        text += run;
    }
    for (size_t i = 0; i < least; i++)
        strbuf_add_char(out, '`');
}

/* Within the marks nothing else is markup, nobody is meant, and no blank goes. */
static void add_code(struct markdown *m, const struct report_node *node)
{
    SCOPED(strbuf) code = {0};
    struct strbuf *out = m->writer.out;
    m->code = true;
    m->begins = false;
    m->writer.out = &code;
    report_tree_visit(&m->writer, node);
    m->writer.out = out;
    m->code = false;
    const char *text = strbuf_text(&code);
    const bool apart = *text == '`' || (code.length && text[code.length - 1] == '`');
    if (!code.length)
        return;
    add_fence(out, text, 1);
    strbuf_printf(out, apart ? " %s " : "%s", text);
    add_fence(out, text, 1);
}

static void add_verbatim(struct markdown *m, const struct report_node *node)
{
    SCOPED(strbuf) lines = {0};
    struct strbuf *out = m->writer.out;
    m->verbatim = true;
    m->begins = false;
    m->writer.out = &lines;
    report_tree_visit(&m->writer, node);
    m->writer.out = out;
    m->verbatim = false;
    strbuf_add_char(out, '\n');
    add_fence(out, strbuf_text(&lines), 3);
    strbuf_printf(out, "\n%s", strbuf_text(&lines));
    add_fence(out, strbuf_text(&lines), 3);
    strbuf_add(out, "\n\n");
}

/* What stands in an item begins a line of its own. */
static void add_item(struct markdown *m, const struct report_node *node)
{
    struct strbuf *out = m->writer.out;
    bool inner = out->length && out->text[out->length - 1] != '\n';
    strbuf_printf(out, "%s%*s* ", inner ? "\n" : "", m->indent, "");
    m->indent += 2;
    m->begins = true;
    add_between(m, node, "", "");
    m->indent -= 2;
    strbuf_add(out, out->text[out->length - 1] != '\n' ? "\n" : "");
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct markdown *m = (struct markdown *)writer;
    m->is_first_row |= node->kind == REPORT_TABLE;
    m->columns += node->kind == REPORT_CELL;
    m->is_cell = node->kind == REPORT_CELL || (m->is_cell && node->kind >= REPORT_STRONG);
    m->begins |= node->kind == REPORT_LINE;
    if (m->code)
        report_tree_visit(writer, node);
    else if (node->kind == REPORT_CODE)
        add_code(m, node);
    else if (node->kind == REPORT_HEAD || node->kind == REPORT_LINE)
        add_between(m, node, node->kind == REPORT_HEAD ? "**" : "",
                    node->kind == REPORT_HEAD ? "**\n\n" : "\n\n");
    else if (node->kind == REPORT_STRONG)
        add_between(m, node, "**", "**");
    else if (node->kind == REPORT_ITEM)
        add_item(m, node);
    else if (node->kind == REPORT_VERBATIM)
        add_verbatim(m, node);
    else if (node->kind == REPORT_ROW)
        add_row(m, node);
    else if (node->kind == REPORT_CELL)
        add_between(m, node, node->marked ? " **" : " ", node->marked ? "** |" : " |");
    else
        add_between(m, node, "",
                    node->kind == REPORT_TABLE || (node->kind == REPORT_LIST && !m->indent) ? "\n"
                                                                                            : "");
}

void report_tree_markdown(const struct report_tree *tree, struct report_paper *paper)
{
    struct markdown m = {.writer = {tree, &paper->out, REPORT_IN_MARKDOWN, add_text, add_node}};
    report_tree_visit(&m.writer, NULL);
}
