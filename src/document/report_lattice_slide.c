/* A lattice on a slide: what it is of, its picture, and the tests whose numbers stand at edges, at
 * the right of the picture or below it, whichever leaves the picture more. Names and numbers are no
 * smaller than the words beside; where a page has no room for that, the page is larger, and all of
 * it is shown smaller. */
#include "document/report_lattice.h"
#include "picture/report_layout.h"
#include "picture/report_paint.h"
#include "report/report_wrap.h"

enum {
    WIDTH = 1280,
    MARGIN = 24,
    LINE = 25,
    TITLE_FONT = 22,
    FONT = 18,
    INNER_FONT = 13, /* of the picture, before it is scaled */
    LEAST_SCALE = (100 * FONT + INNER_FONT - 1) / INNER_FONT,
    MOST_SCALE = 240 /* in hundredths */
};

struct slide {
    const struct report_lattice *report;
    struct report_size page, body; /* 16 to 9; the picture, not scaled */
    int top;                       /* below the title */
    struct report_box words;       /* of the tests */
    int x, y, hundredths;          /* of the picture */
};

/* A text's lines from `y` on; returns the level below. */
static int add_text(const struct report_box *area, int y, int font, const char *text,
                    struct strbuf *out)
{
    bool title = font == TITLE_FONT;
    const struct report_wrap wrap = {
        .x = area->x,
        .y = y + font,
        .width = area->width,
        .tenths = (font * 61 + 9) / 10,
        .attributes =
            title ? "class=\"title ink\" font-size=\"22\" font-weight=\"bold\" fill=\"" REPORT_INK
                    "\""
                  : "class=\"title ink\" font-size=\"18\" fill=\"" REPORT_INK "\"",
        .line = LINE + (title ? 4 : 0)};
    return y + (int)report_wrap_add(&wrap, text, out) * wrap.line;
}

static int add_title(const struct slide *s, struct strbuf *out)
{
    const struct report_box area = {MARGIN, 0, s->page.width - 2 * MARGIN, 0};
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "Which models contain which%s%s", *s->report->over ? ", over " : "",
                  s->report->over);
    return add_text(&area, MARGIN / 2, TITLE_FONT, strbuf_text(&text), out);
}

static bool stands_at_an_edge(const struct report_lattice *report, uint32_t test)
{
    return ANY(e, report->order.edge_count, report_lattice_edge_test(report, e) == test);
}

/* What edges, their numbers and dashes mean; returns the level below. */
static int add_words(const struct slide *s, struct strbuf *out)
{
    const struct report_lattice *report = s->report;
    const struct report_box *area = &s->words;
    SCOPED(strbuf) text = {0};
    int y = area->y;
    if (report->order.edge_count)
        y = add_text(
            area, y, FONT,
            "Edges lead from a model down to one that it contains. At each a test, and what "
            "the upper has more:",
            out);
    for (uint32_t t = 0; t < report->test_count; t++) {
        if (!stands_at_an_edge(report, t))
            continue;
        strbuf_clear(&text);
        report_lattice_test_line(report, t, &text);
        y = add_text(area, y, FONT, strbuf_text(&text), out);
    }
    if (stands_at_an_edge(report, UINT32_MAX))
        y = add_text(area, y, FONT, "dashed: whether the upper has more is not known", out);
    if (!report->survey->ended)
        y = add_text(area, y, FONT, "the search did not come to its end", out);
    return y;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Places words and picture; how large the picture is, in hundredths, 0 where words have no room. */
static int place(struct slide *s, bool at_side)
{
    const struct report_size *page = &s->page;
    int side = at_side ? page->width * 2 / 5 : 0;
    struct report_box area = {MARGIN, s->top, page->width - 2 * MARGIN - side, 0};
    s->words = (struct report_box){at_side ? page->width - side : MARGIN, 0,
                                   (at_side ? side : page->width - MARGIN) - MARGIN, 0};
    int height = add_words(s, NULL), room = page->height - s->top - MARGIN;
    s->words.y = at_side ? s->top : page->height - MARGIN / 2 - height;
    area.height = room - (at_side ? 0 : height);
    s->hundredths = 0;
    if (height > room || area.height <= 0)
        return 0;
    s->hundredths = least(
        MOST_SCALE, least(100 * area.width / s->body.width, 100 * area.height / s->body.height));
    s->x = area.x + (area.width - s->body.width * s->hundredths / 100) / 2;
    s->y = area.y + (area.height - s->body.height * s->hundredths / 100) / 2;
    return s->hundredths;
}

static void choose_page(struct slide *s)
{
    for (int sixteenths = WIDTH / 16;; sixteenths += sixteenths / 16) {
        s->page = (struct report_size){16 * sixteenths, 9 * sixteenths};
        s->top = add_title(s, NULL);
        int below = place(s, false);
        if (place(s, true) < below)
            (void)place(s, false);
        if (s->hundredths >= LEAST_SCALE)
            return;
    }
}

struct report_size report_lattice_slide(const struct report_lattice *report, struct strbuf *out)
{
    SCOPED(strbuf) order = {0}, body = {0};
    struct slide s = {.report = report, .body = report_lattice_draw(report, INNER_FONT, &order)};
    choose_page(&s);
    (void)add_title(&s, &body);
    strbuf_printf(&body, "<g class=\"order\" transform=\"translate(%d %d) scale(%d.%02d)\">\n", s.x,
                  s.y, s.hundredths / 100, s.hundredths % 100);
    strbuf_add_bytes(&body, strbuf_text(&order), order.length);
    strbuf_add(&body, "</g>\n");
    (void)add_words(&s, &body);
    return report_picture_sheet("picture lattice", REPORT_SLIDE, s.page, &body, out);
}
