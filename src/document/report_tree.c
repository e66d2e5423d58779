#include "document/report_tree.h"

#include "picture/report_tex.h"

void report_tree_fini(struct report_tree *tree)
{
    strbuf_fini(&tree->text);
    VEC_FREE(&tree->nodes);
    VEC_FREE(&tree->open);
    arena_fini(&tree->arena);
}

/* A NUL stands before and behind the text of each node, so that no character goes on over them. */
struct report_node *report_tree_begin(struct report_tree *tree, enum report_node_kind kind,
                                      const char *class)
{
    strbuf_add_char(&tree->text, '\0');
    VEC_PUSH(&tree->open, (uint32_t)tree->nodes.count);
    VEC_PUSH(&tree->nodes,
             (struct report_node){.kind = kind,
                                  .where = tree->where ? tree->where : REPORT_EVERYWHERE,
                                  .class = class,
                                  .from = tree->text.length});
    return &VEC_LAST(&tree->nodes);
}

void report_tree_end(struct report_tree *tree)
{
    struct report_node *node = &tree->nodes.items[VEC_POP(&tree->open)];
    node->end = (uint32_t)tree->nodes.count;
    node->to = tree->text.length;
    strbuf_add_char(&tree->text, '\0');
}

void report_tree_drop(struct report_tree *tree)
{
    tree->nodes.count = VEC_POP(&tree->open);
    tree->text.length = tree->nodes.items[tree->nodes.count].from - 1;
}

/* Of the node that has begun last, which ends. */
#define ADD_TEXT(tree, format)                            \
    do {                                                  \
        va_list arguments;                                \
        va_start(arguments, format);                      \
        strbuf_vprintf(&(tree)->text, format, arguments); \
        va_end(arguments);                                \
        report_tree_end(tree);                            \
    } while (0)

void report_tree_add(struct report_tree *tree, enum report_node_kind kind, const char *class,
                     const char *format, ...)
{
    report_tree_begin(tree, kind, class);
    ADD_TEXT(tree, format);
}

void report_tree_wrapped(struct report_tree *tree, enum report_node_kind kind, const char *format,
                         ...)
{
    report_tree_begin(tree, kind, NULL)->wraps = true;
    ADD_TEXT(tree, format);
}

void report_tree_only(struct report_tree *tree, unsigned where, enum report_node_kind kind,
                      const char *format, ...)
{
    report_tree_begin(tree, kind, NULL)->where = where;
    ADD_TEXT(tree, format);
}

void report_tree_link(struct report_tree *tree, const char *to, const char *format, ...)
{
    report_tree_begin(tree, REPORT_LINK, NULL)->id = to;
    ADD_TEXT(tree, format);
}

void report_tree_source(struct report_tree *tree, const char *id, const struct source *source,
                        const struct changes *changes)
{
    struct report_node *node = report_tree_begin(tree, REPORT_SOURCE, "source");
    node->id = id;
    node->source = source;
    node->changes = changes;
    report_tree_end(tree);
}

void report_tree_figure(struct report_tree *tree, const char *class, struct report_figure figure)
{
    report_tree_begin(tree, REPORT_FIGURE, class)->figure = figure;
    report_tree_end(tree);
}

static struct report_size draw_graph(const void *of, enum report_sheet sheet, struct strbuf *svg)
{
    return report_picture(of, sheet, "", svg);
}

static void dot_graph(const void *of, struct strbuf *dot)
{
    report_dot(of, dot);
}

static void tex_graph(const void *of, struct strbuf *tex)
{
    report_tex(of, tex);
}

void report_tree_graph(struct report_tree *tree, const struct report_graph *graph)
{
    report_tree_figure(tree, NULL, (struct report_figure){draw_graph, dot_graph, tex_graph, graph});
}

void report_tree_visit(struct report_writer *writer, const struct report_node *node)
{
    const struct report_tree *tree = writer->tree;
    uint32_t end = node ? node->end : (uint32_t)tree->nodes.count;
    size_t at = node ? node->from : 0, to = node ? node->to : tree->text.length;
    for (uint32_t i = node ? (uint32_t)(node - tree->nodes.items) + 1 : 0; i < end;
         i = tree->nodes.items[i].end) {
        const struct report_node *inner = &tree->nodes.items[i];
        if (at + 1 < inner->from)
            writer->text(writer, tree->text.text + at, inner->from - 1 - at);
        if (inner->where & writer->where)
            writer->node(writer, inner);
        at = inner->to + 1;
    }
    if (at < to)
        writer->text(writer, tree->text.text + at, to - at);
}
