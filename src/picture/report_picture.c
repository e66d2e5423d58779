/* An execution on a screen: as wide as it needs, titles above it, a legend below. */
#include "picture/report_picture_parts.h"

#include "report/report_string.h"
#include "report/report_wrap.h"

enum {
    MARGIN = 16,
    TITLE_WIDTH = 640, /* titles make a picture this wide at most, and go on below */
    LEGEND_WIDTH = 480,
    ROOM = 3, /* lines of titles that a layout has room for */
    TITLES = 4,
    FONT = 12,
    NAME_FONT = 14
};

static const char stamp[] = "FORBIDDEN";

/* ---- Titles ---- */

static void add_stamp(int font, struct strbuf *out)
{
    strbuf_printf(out,
                  "<g class=\"stamp\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                  "rx=\"3\" fill=\"none\" stroke=\"" REPORT_CUT "\" stroke-width=\"2\"/>"
                  "<text x=\"%d\" y=\"%d\" font-size=\"%d\" font-weight=\"bold\" "
                  "fill=\"" REPORT_CUT "\">%s</text></g>\n",
                  MARGIN, MARGIN + FONT - font, report_text_width(stamp, font) + 10, font + 6,
                  MARGIN + 5, MARGIN + FONT, font, stamp);
}

/* How far the name stands to the right of it. */
static int stamp_width(const struct report_graph *graph, int font)
{
    return graph->forbidden ? report_text_width(stamp, font) + 20 : 0;
}

static void title_texts(const struct report_graph *graph, const char *texts[TITLES])
{
    texts[0] = graph->name;
    texts[1] = graph->state;
    texts[2] = graph->condition;
    texts[3] = graph->note;
}

uint32_t report_picture_titles(const struct report_graph *graph, const struct report_titles *titles,
                               struct strbuf *out)
{
    const char *texts[TITLES];
    uint32_t lines = 0;
    title_texts(graph, texts);
    for (int i = 0; i < TITLES; i++) {
        char attributes[128];
        int font = i ? titles->font : titles->name_font;
        int aside = i ? 0 : stamp_width(graph, font);
        snprintf(attributes, sizeof attributes, "fill=\"%s\" class=\"title %s\" font-size=\"%d\"%s",
                 i ? REPORT_SOFT : REPORT_INK, i ? "soft" : "ink", font,
                 i ? "" : " font-weight=\"bold\"");
        const struct report_wrap wrap = {.x = MARGIN + aside,
                                         .y = MARGIN + FONT + (int)lines * titles->line,
                                         .width = titles->width - 2 * MARGIN - aside,
                                         .tenths = (font * 61 + 9) / 10,
                                         .attributes = attributes,
                                         .line = titles->line};
        if (aside && out)
            add_stamp(font, out);
        lines += report_wrap_add(&wrap, texts[i], out);
    }
    return lines;
}

/* ---- The frame ---- */

static int width_of(const struct drawing *d)
{
    const char *texts[TITLES];
    int width = d->graph->crash ? LEGEND_WIDTH : 0;
    title_texts(d->graph, texts);
    for (int i = 0; i < TITLES; i++) {
        int font = i ? FONT : NAME_FONT;
        int title = report_text_width(texts[i], font) + 2 * MARGIN + 1 +
                    (i ? 0 : stamp_width(d->graph, font));
        title = title < TITLE_WIDTH ? title : TITLE_WIDTH;
        width = width > title ? width : title;
    }
    return width > d->layout->width ? width : d->layout->width;
}

static void add_paper(struct report_size page, struct strbuf *out)
{
    strbuf_printf(out,
                  "<rect class=\"paper\" width=\"%d\" height=\"%d\" fill=\"" REPORT_PAPER "\"/>\n",
                  page.width, page.height);
}

void report_picture_open(const struct drawing *d, struct report_size size, struct report_size page,
                         const char *attributes)
{
    strbuf_printf(d->out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\"\n class=\"picture\" width=\"%d\" "
                  "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"" REPORT_FONT
                  "\" role=\"img\" aria-label=\"",
                  size.width, size.height, page.width, page.height);
    report_xml_attribute(d->out, d->graph->name);
    strbuf_printf(d->out, "\"%s>\n", attributes);
    add_paper(page, d->out);
}

static struct report_size slide_of(struct report_size drawing)
{
    int ninths = (drawing.height + 8) / 9, sixteenths = (drawing.width + 15) / 16;
    int parts = ninths > sixteenths ? ninths : sixteenths;
    return (struct report_size){16 * parts, 9 * parts};
}

struct report_size report_picture_sheet(const char *class, enum report_sheet sheet,
                                        struct report_size drawing, const struct strbuf *body,
                                        struct strbuf *svg)
{
    bool slide = sheet == REPORT_SLIDE;
    const struct report_size page = slide ? slide_of(drawing) : drawing;
    const struct report_size size = slide ? (struct report_size){1280, 720} : page;
    strbuf_printf(svg,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%s\" width=\"%d\" "
                  "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"" REPORT_FONT
                  "\" role=\"img\">\n",
                  class, size.width, size.height, page.width, page.height);
    add_paper(page, svg);
    strbuf_add_bytes(svg, strbuf_text(body), body->length);
    strbuf_add(svg, "</svg>\n");
    return size;
}

static struct report_size draw_on_screen(const struct report_graph *graph, const char *attributes,
                                         struct strbuf *svg)
{
    SCOPED(arena) arena = {0};
    const struct report_metrics *metrics = &report_metrics_screen;
    struct drawing d = {&arena, graph, metrics, report_layout_new(&arena, graph, metrics), svg};
    const struct report_titles titles = {width_of(&d), REPORT_LINE_HEIGHT, NAME_FONT, FONT};
    uint32_t lines = report_picture_titles(graph, &titles, NULL);
    int overhang = lines > ROOM ? (int)(lines - ROOM) * REPORT_LINE_HEIGHT : 0;
    const struct report_box legend = {MARGIN, d.layout->height, titles.width - 2 * MARGIN, 0};
    struct report_size size = {titles.width, overhang + d.layout->height + 6 +
                                                 report_picture_legend(&d, legend, false)};
    report_picture_open(&d, size, size, attributes);
    (void)report_picture_titles(graph, &titles, svg);
    if (overhang)
        strbuf_printf(svg, "<g class=\"lowered\" transform=\"translate(0 %d)\">\n", overhang);
    report_picture_execution(&d);
    (void)report_picture_legend(&d, legend, true);
    strbuf_add(svg, overhang ? "</g>\n</svg>\n" : "</svg>\n");
    return size;
}

void report_picture_begin_document(struct report_size size, struct strbuf *out)
{
    strbuf_printf(out,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\">\n",
                  size.width, size.height, size.width, size.height);
    report_paint_document_style(out);
    strbuf_add(out, "<rect class=\"ground\" width=\"100%\" height=\"100%\" "
                    "fill=\"" REPORT_PAPER "\"/>\n");
}

struct report_size report_picture(const struct report_graph *graph, enum report_sheet sheet,
                                  const char *attributes, struct strbuf *svg)
{
    return (sheet == REPORT_SLIDE ? report_slide : draw_on_screen)(graph, attributes, svg);
}
