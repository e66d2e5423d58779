/* A tree as the inside of a page: well-formed XML, without scripts. */
#include "document/report_place.h"
#include "report/report_string.h"
#include "document/report_tree.h"

#include <string.h>

enum { MAX_LINES = 5000 };

struct html {
    struct report_writer writer;
    int depth;                  /* of sections, and of what is in them */
    enum report_node_kind kind; /* of what the node stands in */
    bool is_first_row;          /* of a table */
    bool of_sources;            /* a sheet: its sources are written, else all others */
};

static const char *const elements[] = {
#define X(kind, element) element,
    REPORT_NODES(X)
#undef X
};

static void add_text(struct report_writer *writer, const char *bytes, size_t length)
{
    report_xml_bytes(writer->out, bytes, length);
}

static void add_between(const struct html *h, const struct report_node *node, const char *before,
                        const char *after)
{
    struct html inner = *h;
    inner.kind = node->kind;
    inner.is_first_row |= node->kind == REPORT_TABLE;
    inner.depth += node->kind < REPORT_HEAD;
    strbuf_add(h->writer.out, before);
    report_tree_visit(&inner.writer, node);
    strbuf_add(h->writer.out, after);
}

static const char *element_of(const struct html *h, const struct report_node *node)
{
    if (node->kind == REPORT_HEAD)
        return h->kind == REPORT_FOLD                    ? "summary"
               : h->depth == 0                           ? "h1"
               : h->depth > 1 || h->kind == REPORT_GROUP ? "h4"
                                                         : "h2";
    if (node->kind == REPORT_CELL)
        return h->is_first_row || text_same(node->class, "first") ? "th" : "td";
    return node->kind == REPORT_SECTION && h->depth ? "section" : elements[node->kind];
}

static void add_element(const struct html *h, const struct report_node *node)
{
    const char *element = element_of(h, node);
    struct strbuf *out = h->writer.out;
    strbuf_printf(out, "<%s", element);
    if (node->class)
        strbuf_printf(out, " class=\"%s%s\"", node->class, node->marked ? " off" : "");
    if (node->id)
        strbuf_printf(out, node->kind == REPORT_LINK ? " href=\"#%s\"" : " id=\"%s\"", node->id);
    strbuf_add(out, node->open ? " open=\"open\">" : node->marked ? ">*&#160;" : ">");
    add_between(h, node, "", "");
    strbuf_printf(out, node->kind < REPORT_CELL ? "</%s>\n" : "</%s>", element);
}

static void add_row(struct html *h, const struct report_node *node)
{
    bool first = h->is_first_row;
    add_between(h, node, first ? "<thead><tr>" : "<tr>",
                first ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    h->is_first_row = false;
}

/* ---- Sources ---- */

/* Signs tell what colours do. */
static void add_code(struct strbuf *out, const char *sign, const char *element, const char *text,
                     size_t length)
{
    strbuf_printf(out, "<span class=\"sign\">%s</span>", sign);
    if (element)
        strbuf_printf(out, "<%s>", element);
    strbuf_add(out, "<code>");
    report_xml_bytes(out, text, length);
    strbuf_add(out, "</code>");
    if (element)
        strbuf_printf(out, "</%s>", element);
    strbuf_add(out, "</li>\n");
}

static void add_line(const struct report_node *node, uint32_t line, bool gone, struct strbuf *out)
{
    size_t length;
    const char *text = source_line(node->source, line, &length);
    strbuf_add(out, "<li");
    if (node->id)
        strbuf_printf(out, " id=\"%s-L%u\"", node->id, line);
    strbuf_printf(out, " value=\"%u\"%s>", line, gone ? " class=\"gone\"" : "");
    add_code(out, gone ? "\xe2\x88\x92" : "&#160;", gone ? "del" : NULL, text, length);
}

static void add_source(const struct report_node *node, struct strbuf *out)
{
    uint32_t lines = report_place_lines(node->source), next = 0;
    uint32_t count = node->changes ? node->changes->count : 0;
    report_xml_between(out, "<p class=\"path\">", node->source->name,
                       "</p>\n<ol class=\"source\">\n");
    for (uint32_t line = 1; line <= lines + 1 && line <= MAX_LINES; line++) {
        bool gone = false;
        for (; next < count && node->changes->items[next].line == line; next++) {
            const struct change *change = &node->changes->items[next];
            if (change->before && !gone)
                add_line(node, line, true, out);
            gone |= change->before != NULL;
            if (change->after) {
                strbuf_add(out, "<li class=\"added\">");
                add_code(out, "+", "ins", change->after, strlen(change->after));
            }
        }
        if (!gone && line <= lines)
            add_line(node, line, false, out);
    }
    strbuf_add(out, "</ol>\n");
}

static void add_sheet(struct html *h, const struct report_node *node)
{
    h->of_sources = true;
    add_between(h, node, "<div class=\"sheet\"><div class=\"code\">\n",
                "</div><div class=\"answers\">\n");
    h->of_sources = false;
    add_between(h, node, "", "</div></div>\n");
}

static void add_figure(const struct report_node *node, struct strbuf *out)
{
    strbuf_printf(out, node->class ? "<figure class=\"%s\">" : "<figure>", node->class);
    (void)node->figure.draw(node->figure.of, REPORT_SCREEN, out);
    strbuf_add(out, "</figure>\n");
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct html *h = (struct html *)writer;
    if (h->kind == REPORT_SHEET && h->of_sources != (node->kind == REPORT_SOURCE))
        return;
    if (node->kind == REPORT_TABLE)
        add_between(h, node, "<div class=\"scroll\"><table class=\"tests\">",
                    "</tbody></table></div>\n");
    else if (node->kind == REPORT_ROW)
        add_row(h, node);
    else if (node->kind == REPORT_SHEET)
        add_sheet(h, node);
    else if (node->kind == REPORT_SOURCE)
        add_source(node, writer->out);
    else if (node->kind == REPORT_FIGURE)
        add_figure(node, writer->out);
    else
        add_element(h, node);
}

void report_tree_html(const struct report_tree *tree, struct report_paper *paper)
{
    struct html h = {.writer = {tree, &paper->out, REPORT_IN_HTML, add_text, add_node},
                     .kind = REPORT_LINE};
    report_tree_visit(&h.writer, NULL);
}
