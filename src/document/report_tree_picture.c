/* Pictures of a tree: its figures below each other, on a screen or as slides, with heads, lines and
 * items between them; for Graphviz the graphs, and these as graphs of their own. */
#include "picture/report_paint.h"
#include "document/report_tree.h"
#include "report/report_wrap.h"

enum { BETWEEN = 24, BELOW_WORDS = 8, EDGE = 16, INSET = 24 };

struct pictures {
    struct report_writer writer;
    struct report_paper *paper;
    struct strbuf *words; /* of the line that a node stands in, so far; NULL: in none */
    int inset;
    bool for_graphviz;
};

static void add_bytes(struct report_writer *writer, const char *bytes, size_t length)
{
    struct pictures *p = (struct pictures *)writer;
    if (p->words)
        strbuf_add_bytes(p->words, bytes, length);
}

static void begin(struct pictures *p)
{
    strbuf_printf(p->writer.out, "<g transform=\"translate(0 %d)\">\n", p->paper->size.height);
}

static void end(struct pictures *p, int width, int height)
{
    struct report_size *size = &p->paper->size;
    strbuf_add(p->writer.out, "</g>\n");
    size->height += height;
    size->width = size->width < width ? width : size->width;
}

static void add_words(struct pictures *p, const char *words, bool bold)
{
    const bool slide = p->paper->sheet == REPORT_SLIDE;
    const int width = slide ? 1280 : 640;
    char attributes[128];
    snprintf(attributes, sizeof attributes, "font-size=\"%d\" " REPORT_WORDS_AS "%s",
             slide ? 18 : 12, bold ? " font-weight=\"bold\"" : "");
    const struct report_wrap wrap = {.x = EDGE + p->inset,
                                     .y = slide ? 24 : EDGE,
                                     .width = width - 2 * EDGE - p->inset,
                                     .tenths = slide ? 110 : 73,
                                     .line = slide ? 25 : REPORT_LINE_HEIGHT,
                                     .attributes = attributes};
    begin(p);
    int lines = (int)report_wrap_lines(&wrap, words, p->writer.out);
    end(p, width, lines * wrap.line + BELOW_WORDS);
}

static void add_figure(struct pictures *p, const struct report_figure *figure)
{
    if (p->for_graphviz) {
        if (figure->dot)
            figure->dot(figure->of, p->writer.out);
        return;
    }
    p->paper->size.height += p->paper->size.height ? BETWEEN - BELOW_WORDS : 0;
    begin(p);
    struct report_size size = figure->draw(figure->of, p->paper->sheet, p->writer.out);
    end(p, size.width, size.height);
}

/* The words of an item stand before what is in it. */
static void tell(struct pictures *p, bool bold)
{
    struct strbuf *words = p->words;
    p->words = NULL;
    if (!words || !words->length)
        return;
    if (p->for_graphviz)
        report_dot_text(strbuf_text(words), p->writer.out);
    else
        add_words(p, strbuf_text(words), bold);
}

static void add_line(struct pictures *p, const struct report_node *node)
{
    SCOPED(strbuf) words = {0};
    p->words = &words;
    p->inset += node->kind == REPORT_ITEM ? INSET : 0;
    report_tree_visit(&p->writer, node);
    tell(p, node->kind == REPORT_HEAD);
    p->inset -= node->kind == REPORT_ITEM ? INSET : 0;
}

static void add_node(struct report_writer *writer, const struct report_node *node)
{
    struct pictures *p = (struct pictures *)writer;
    if (node->kind < REPORT_CELL)
        tell(p, false);
    if (node->kind == REPORT_FIGURE)
        add_figure(p, &node->figure);
    else if (node->kind == REPORT_HEAD || node->kind == REPORT_LINE || node->kind == REPORT_ITEM)
        add_line(p, node);
    else if (node->kind != REPORT_TABLE && node->kind != REPORT_VERBATIM)
        report_tree_visit(writer, node);
}

static void add_all(const struct report_tree *tree, struct report_paper *paper, bool for_graphviz)
{
    struct pictures p = {.writer = {tree, &paper->out, REPORT_IN_PICTURES, add_bytes, add_node},
                         .paper = paper,
                         .for_graphviz = for_graphviz};
    report_tree_visit(&p.writer, NULL);
}

void report_tree_svg(const struct report_tree *tree, struct report_paper *paper)
{
    add_all(tree, paper, false);
}

void report_tree_dot(const struct report_tree *tree, struct report_paper *paper)
{
    add_all(tree, paper, true);
}
