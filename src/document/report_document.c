#include "document/report_document.h"

#include "base/build.h"
#include "picture/report_paint.h"
#include "picture/report_tex.h"

#include <string.h>

struct report_shape {
    const char *name;
    void (*write)(const struct report_tree *tree, struct report_paper *paper);
    const char *end;
};

static const struct report_shape shapes[] = {
    {"text", report_tree_text, ""},
    {"json", NULL, ""}, /* data, and no document */
    {"sarif", NULL, ""},
    {"html", report_tree_html, "</main></body></html>\n"},
    {"md", report_tree_markdown, ""},
    {"svg", report_tree_svg, "</svg>\n"},
    {"dot", report_tree_dot, ""},
    {"tex", report_tree_tex, "\\crashlitend\n"},
};

static const struct report_shape *shape_of(const char *name)
{
    size_t i = 0;
    while (strcmp(shapes[i].name, name) != 0)
        BASE_CHECK(++i < sizeof shapes / sizeof *shapes);
    return &shapes[i];
}

void report_document_begin(struct report_document *document, const char *shape,
                           enum report_sheet sheet)
{
    *document = (struct report_document){.shape = shape_of(shape), .paper = {.sheet = sheet}};
}

static bool is_sarif(const struct report_shape *shape)
{
    return strcmp(shape->name, "sarif") == 0;
}

bool report_document_has_figures(const struct report_document *document)
{
    return document->shape->write == report_tree_html ||
           document->shape->write == report_tree_svg || document->shape->write == report_tree_dot ||
           document->shape->write == report_tree_tex;
}

static void write(const struct report_shape *shape, const struct report_subject *subject,
                  const void *answer, struct report_paper *paper)
{
    SCOPED(report_tree) tree = {.where = 0};
    if (!shape->write) {
        (is_sarif(shape) ? subject->sarif : subject->json)(answer, &paper->out);
        return;
    }
    subject->body(answer, &tree);
    shape->write(&tree, paper);
}

void report_document_add(struct report_document *document, const struct report_subject *subject,
                         const void *answer)
{
    write(document->shape, subject, answer, &document->paper);
}

void report_document_part(const char *shape, const struct report_subject *subject,
                          const void *answer, struct strbuf *out)
{
    struct report_paper paper = {.out = *out, .sheet = REPORT_SCREEN};
    write(shape_of(shape), subject, answer, &paper);
    *out = paper.out;
}

static const char *const style[] = {
#define LINE(text) text "\n",
#include "document/report_html_style.def"
#undef LINE
};

void report_page_begin(const char *title, struct strbuf *out)
{
    strbuf_printf(out,
                  "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                  "<head><meta charset=\"utf-8\"/>\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                  "<link rel=\"icon\" href=\"data:,\"/>\n<title>%s</title>\n<style>\n",
                  title);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        strbuf_add(out, style[i]);
    report_paint_style(out);
    strbuf_add(out, "</style></head>\n<body>\n<header class=\"top\">");
}

static void begin_page(const struct report_subject *subject, const void *answer,
                       struct report_paper *page)
{
    SCOPED(report_tree) head = {.where = 0};
    report_page_begin(subject->title, &page->out);
    subject->head(answer, &head);
    report_tree_html(&head, page);
    strbuf_printf(&page->out, "<p class=\"path\">crashlit %s</p>\n", base_version);
    strbuf_add(&page->out, "</header>\n<main>\n");
}

/* A paragraph of its own, also behind a list. */
static void end_markdown(struct strbuf *out)
{
    while (out->length && !(out->length > 1 && memcmp(out->text + out->length - 2, "\n\n", 2) == 0))
        strbuf_add_char(out, '\n');
    strbuf_printf(out, "crashlit %.80s\n", base_version);
}

void report_document_end(struct report_document *document, const struct report_subject *subject,
                         const void *answer, struct strbuf *out)
{
    struct report_paper head = {.sheet = REPORT_SCREEN};
    if (document->shape->write == report_tree_html)
        begin_page(subject, answer, &head);
    else if (document->shape->write == report_tree_svg)
        report_picture_begin_document(document->paper.size, &head.out);
    else if (document->shape->write == report_tree_tex)
        report_tex_begin(REPORT_TEX_WORDS, &head.out);
    else if (is_sarif(document->shape))
        subject->sarif_begin(answer, &head.out);
    strbuf_add_bytes(out, strbuf_text(&head.out), head.out.length);
    strbuf_add_bytes(out, strbuf_text(&document->paper.out), document->paper.out.length);
    strbuf_add(out, document->shape->end);
    if (document->shape->write == report_tree_markdown)
        end_markdown(out);
    if (is_sarif(document->shape))
        subject->sarif_end(answer, out);
    strbuf_fini(&head.out);
    strbuf_fini(&document->paper.out);
}
