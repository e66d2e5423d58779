/* report_tree: a document as a tree: sections, sentences, lists, tables, sources with marks,
 * figures and links. What a command answers is built once, and a writer for each format writes it.
 *
 * A node is text in which other nodes stand, as in XML. All text is in one buffer, `text`, to which
 * a builder appends what stands in the node that it began last:
 *
 *     report_tree_begin(&tree, REPORT_ITEM, NULL);
 *     strbuf_printf(&tree.text, "line %u: ", line);
 *     report_tree_add(&tree, REPORT_CODE, NULL, "%s", statement);
 *     report_tree_end(&tree);
 *
 * A node is in the formats that `where` of the tree says when it begins, as far as what it stands
 * in is. Nothing is escaped here. Sources and figures are borrowed until the tree has been written.
 */
#ifndef CRASHLIT_REPORT_TREE_H
#define CRASHLIT_REPORT_TREE_H

#include "base/vec.h"
#include "picture/report_picture.h"
#include "sketch/changes.h"

/* X(kind, the element of HTML); the last are parts of a line. */
#define REPORT_NODES(X)                                                                      \
    X(SECTION, "article") /* with a head of its own */                                       \
    X(FOLD, "details")    /* the same, which can be closed */                                \
    X(GROUP, "div")                                                                          \
    X(SHEET, "div") /* what is said of sources, which stand beside it where there is room */ \
    X(HEAD, "h2")                                                                            \
    X(LINE, "p")                                                                             \
    X(LIST, "ul")                                                                            \
    X(ITEM, "li")      /* a line, and perhaps lists below it */                              \
    X(VERBATIM, "pre") /* in no picture */                                                   \
    X(SOURCE, "ol")                                                                          \
    X(FIGURE, "figure")                                                                      \
    X(TABLE, "table")                                                                        \
    X(ROW, "tr")                                                                             \
    X(CELL, "td")                                                                            \
    X(STRONG, "strong")                                                                      \
    X(CODE, "code")                                                                          \
    X(SMALL, "small")                                                                        \
    X(SPAN, "span")                                                                          \
    X(LINK, "a")

enum report_node_kind {
#define X(kind, element) REPORT_##kind,
    REPORT_NODES(X)
#undef X
};

enum report_where {
    REPORT_IN_TEXT = 1,
    REPORT_IN_HTML = 2,
    REPORT_IN_MARKDOWN = 4,
    REPORT_IN_PAGES = REPORT_IN_HTML | REPORT_IN_MARKDOWN,
    REPORT_IN_PICTURES = 8, /* SVG, graphs for Graphviz */
    REPORT_EVERYWHERE = 15
};

/* What is drawn; `dot` and `tex` may be NULL. */
struct report_figure {
    struct report_size (*draw)(const void *of, enum report_sheet sheet, struct strbuf *svg);
    void (*dot)(const void *of, struct strbuf *dot);
    void (*tex)(const void *of, struct strbuf *tex);
    const void *of;
};

struct report_node {
    enum report_node_kind kind;
    unsigned where;
    const char *class; /* of HTML; NULL: none */
    const char *id;    /* of a link, what it leads to; of a source, what ids of lines begin with */
    uint32_t end;      /* the number behind its last descendant */
    size_t from, to;   /* its text and that of its descendants */
    bool open;         /* a fold */
    bool wraps;        /* a line or item: in text it has 80 columns */
    bool marked;       /* a cell that differs */
    size_t least;      /* a table: characters that columns but the first have in text */
    const struct source *source;
    const struct changes *changes; /* of the source; NULL: none */
    struct report_figure figure;
};

struct report_tree {
    struct strbuf text;
    VEC(struct report_node) nodes;
    VEC(uint32_t) open;
    unsigned where;     /* of nodes that begin; 0: everywhere */
    struct arena arena; /* for classes and ids */
};

void report_tree_fini(struct report_tree *tree);
/* The node is valid until the next one begins; the class as long as the tree. */
struct report_node *report_tree_begin(struct report_tree *tree, enum report_node_kind kind,
                                      const char *class);
void report_tree_end(struct report_tree *tree);
/* Removes the open node with all that stands in it, instead of ending it. */
void report_tree_drop(struct report_tree *tree);
/* Adds a node that has only text. */
void report_tree_add(struct report_tree *tree, enum report_node_kind kind, const char *class,
                     const char *format, ...) __attribute__((format(printf, 4, 5)));
#define report_tree_line(tree, ...) report_tree_add(tree, REPORT_LINE, NULL, __VA_ARGS__)
/* The same, for a line or item that is wrapped. */
void report_tree_wrapped(struct report_tree *tree, enum report_node_kind kind, const char *format,
                         ...) __attribute__((format(printf, 3, 4)));
/* The same, in these formats alone. */
void report_tree_only(struct report_tree *tree, unsigned where, enum report_node_kind kind,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
void report_tree_link(struct report_tree *tree, const char *to, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Add nodes without text. */
void report_tree_source(struct report_tree *tree, const char *id, const struct source *source,
                        const struct changes *changes);
void report_tree_figure(struct report_tree *tree, const char *class, struct report_figure figure);
void report_tree_graph(struct report_tree *tree, const struct report_graph *graph);

/* What a document is written on. */
struct report_paper {
    struct strbuf out;
    enum report_sheet sheet; /* of pictures */
    struct report_size size; /* of pictures so far */
};

/* Writers, one a format. Each appends to the paper. */
enum { REPORT_COMMENT_MOST = 65536 }; /* bytes of Markdown: the characters of a comment on GitHub */
void report_tree_text(const struct report_tree *tree, struct report_paper *paper);
void report_tree_markdown(const struct report_tree *tree, struct report_paper *paper);
void report_tree_html(const struct report_tree *tree, struct report_paper *paper);
void report_tree_svg(const struct report_tree *tree, struct report_paper *paper);
void report_tree_dot(const struct report_tree *tree, struct report_paper *paper);
void report_tree_tex(const struct report_tree *tree, struct report_paper *paper);

/* Appends the text of the nodes that are in these formats. */
void report_tree_words(const struct report_tree *tree, unsigned where, struct strbuf *out);

/* ---- For these ---- */

/* Its functions are called for the contents of a node in their order: pieces of text, and nodes. */
struct report_writer {
    const struct report_tree *tree;
    struct strbuf *out;
    unsigned where; /* nodes of other formats are passed over */
    void (*text)(struct report_writer *writer, const char *bytes, size_t length);
    void (*node)(struct report_writer *writer, const struct report_node *node);
};
/* NULL: the whole tree. */
void report_tree_visit(struct report_writer *writer, const struct report_node *node);

#endif
