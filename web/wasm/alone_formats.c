/* Reports that a page does not ask for: Markdown, LaTeX, and the page of more than 100 tests. Who asks
 * all the same is told. */
#include "document/report_lattice.h"
#include "document/report_trace.h"
#include "document/report_tree.h"
#include "format/report_format.h"
#include "format/report_html.h"
#include "picture/report_tex.h"

static void refuse(struct strbuf *out, const char *what)
{
    strbuf_printf(out, "this build, which is for pages, has no %s\n", what);
}

void report_html_many_add(struct report_sink *sink, const struct report_piece *piece)
{
    (void)sink;
    (void)piece;
}

void report_html_many_close(struct report_sink *sink, int status)
{
    (void)status;
    refuse(&sink->out, "page of more than 100 tests");
}

void report_html_many_fini(struct report_sink *sink)
{
    (void)sink;
}

static void refuse_markdown(struct report_sink *sink, int status)
{
    (void)status;
    refuse(&sink->out, "Markdown");
}

const struct report_format report_format_md = {.name = "md", .close = refuse_markdown};

void report_tex_begin(enum report_tex_pages pages, struct strbuf *out)
{
    (void)pages;
    refuse(out, "LaTeX");
}

void report_tex_end(struct strbuf *out)
{
    (void)out;
}

void report_tex(const struct report_graph *graph, struct strbuf *out)
{
    (void)graph;
    (void)out;
}

void report_tex_words(const char *text, struct strbuf *out)
{
    (void)text;
    (void)out;
}

void report_trace_tex(const void *report, struct strbuf *out)
{
    (void)report;
    (void)out;
}

void report_lattice_tex(const void *report, struct strbuf *out)
{
    (void)report;
    (void)out;
}

void report_tree_tex(const struct report_tree *tree, struct report_paper *paper)
{
    (void)tree;
    (void)paper;
}
