/* Tests side by side as a picture: a bar for each pair, parted by classes. */
#include "document/report_compare.h"
#include "picture/report_layout.h"
#include "picture/report_paint.h"
#include "report/report_string.h"
#include "report/report_wrap.h"

/* Patterns of lines: right and up, right and down, level, plumb; or dots. */
enum { UP = 1, DOWN = 2, LEVEL = 4, PLUMB = 8, DOTS = 16, STEP = 9 };

static const struct {
    const char *colour;
    int lines;
} paints[CONTRAST_CLASS_COUNT] = {
    [CONTRAST_SAME] = {"#a9d8b8", 0},
    [CONTRAST_FIRST] = {"#8ec1f5", UP},
    [CONTRAST_SECOND] = {"#f3c580", DOWN},
    [CONTRAST_BOTH] = {"#e3a9d7", UP | DOWN},
    [CONTRAST_UNDEFINED_FIRST] = {"#9fc0e0", PLUMB},
    [CONTRAST_UNDEFINED_SECOND] = {"#e0bf8c", LEVEL},
    [CONTRAST_UNDEFINED] = {"#c6b4d3", LEVEL | PLUMB},
    [CONTRAST_UNKNOWN] = {"#c3cad4", DOTS},
};

/* How large things are; those of slides are of a page that is 1280 pixels wide. A slide that needs
 * more height has letters that are smaller as a whole. */
struct measures {
    int margin, bold, font, line, bar, gap, key, columns, width;
};

static const struct measures measures[] = {[REPORT_SCREEN] = {16, 12, 12, 18, 26, 16, 14, 4, 640},
                                           [REPORT_SLIDE] = {32, 22, 18, 26, 48, 26, 24, 4, 1216}};

struct bars {
    const struct report_compare *report;
    const struct measures *m;
    int width; /* of lines of text */
    struct strbuf *out;
};

static int tenths(int font)
{
    return (font * 61 + 9) / 10;
}

static int text_width(const char *text, int font)
{
    return ((int)report_wrap_characters(text) * tenths(font) + 9) / 10;
}

/* ---- Patterns ---- */

/* A line along x + y = k (`up`) or x - y = k within the box, relative to it. */
static void add_slant(struct strbuf *out, const struct report_box *box, int k, bool up)
{
    int from = up ? k - box->height : k, to = up ? k : k + box->height;
    int x0 = from > 0 ? from : 0, x1 = to < box->width ? to : box->width;
    if (x0 < x1)
        strbuf_printf(out, "M%d %dL%d %d", box->x + x0, box->y + (up ? k - x0 : x0 - k),
                      box->x + x1, box->y + (up ? k - x1 : x1 - k));
}

static void add_lines(struct strbuf *out, const struct report_box *box, int lines)
{
    for (int k = STEP; k < box->width + box->height && lines & UP; k += STEP)
        add_slant(out, box, k, true);
    for (int k = STEP - box->height; k < box->width && lines & DOWN; k += STEP)
        add_slant(out, box, k, false);
    for (int x = STEP; x < box->width && lines & PLUMB; x += STEP)
        strbuf_printf(out, "M%d %dv%d", box->x + x, box->y, box->height);
    for (int y = STEP / 2; y < box->height && lines & (LEVEL | DOTS); y += STEP)
        strbuf_printf(out, "M%d %dh%d", box->x + (lines & DOTS ? STEP / 2 : 0), box->y + y,
                      box->width - (lines & DOTS ? STEP / 2 : 0));
}

/* The same on light and on dark paper, with the words on it. */
static void add_patch(struct strbuf *out, const struct report_box *box, int class)
{
    const char *word = contrast_class_word((enum contrast_class) class);
    int lines = paints[class].lines;
    strbuf_printf(
        out,
        "<rect class=\"patch %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\" "
        "stroke=\"" REPORT_INK "\"/>",
        word, box->x, box->y, box->width, box->height, paints[class].colour);
    if (!lines)
        return;
    strbuf_add(out, "<path class=\"pattern\" d=\"");
    add_lines(out, box, lines);
    strbuf_printf(out, "\" stroke=\"" REPORT_INK "\" stroke-opacity=\"0.6\" fill=\"none\"%s/>",
                  lines & DOTS
                      ? " stroke-width=\"3\" stroke-linecap=\"round\" stroke-dasharray=\"0 9\""
                      : "");
}

/* ---- Bars ---- */

static void add_text_at(const struct bars *b, int x, int y, int font, const char *attributes,
                        const char *text)
{
    strbuf_printf(b->out, "<text x=\"%d\" y=\"%d\" font-size=\"%d\" fill=\"" REPORT_INK "\" %s>", x,
                  y, font, attributes);
    report_xml_text(b->out, text);
    strbuf_add(b->out, "</text>\n");
}

/* The class and how many tests, or how many alone, as far as the patch has room. */
static void add_number(const struct bars *b, const struct report_box *box, int class, size_t count)
{
    SCOPED(strbuf) text = {0};
    strbuf_printf(&text, "%s %zu", contrast_class_word((enum contrast_class) class), count);
    if (text_width(strbuf_text(&text), b->m->font) + 10 > box->width) {
        strbuf_clear(&text);
        strbuf_printf(&text, "%zu", count);
    }
    if (text_width(strbuf_text(&text), b->m->font) + 6 <= box->width)
        add_text_at(
            b, box->x + box->width / 2, box->y + box->height / 2 + b->m->font / 3, b->m->font,
            "class=\"number\" font-weight=\"bold\" text-anchor=\"middle\" stroke=\"" REPORT_PAPER
            "\" stroke-width=\"4\" paint-order=\"stroke\"",
            strbuf_text(&text));
}

static void add_parts(const struct bars *b, uint32_t column, int y)
{
    const struct contrast_totals *totals = &b->report->totals[column];
    size_t before = 0;
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++) {
        size_t count = totals->classes[i];
        if (!count)
            continue;
        int left = (int)(before * (size_t)b->m->width / totals->tests);
        before += count;
        int right = (int)(before * (size_t)b->m->width / totals->tests);
        const struct report_box box = {b->m->margin + left, y, right > left ? right - left : 1,
                                       b->m->bar};
        strbuf_printf(b->out, "<g class=\"part\"><title>%s: %zu</title>",
                      contrast_class_word((enum contrast_class)i), count);
        add_patch(b->out, &box, i);
        add_number(b, &box, i, count);
        strbuf_add(b->out, "</g>\n");
    }
}

/* On as many lines as it takes; returns the level below them. */
static int add_wrapped(const struct bars *b, int y, bool bold, const char *text)
{
    char attributes[128];
    const int font = bold ? b->m->bold : b->m->font;
    snprintf(attributes, sizeof attributes,
             "class=\"ink%s\" font-size=\"%d\"%s fill=\"" REPORT_INK "\"", bold ? "" : " counts",
             font, bold ? " font-weight=\"bold\"" : "");
    const struct report_wrap wrap = {.x = b->m->margin,
                                     .y = y + font,
                                     .width = b->width,
                                     .tenths = tenths(font),
                                     .attributes = attributes,
                                     .line = b->m->line};
    return y + (int)report_wrap_add(&wrap, text, b->out) * b->m->line;
}

/* Returns the level below. */
static int add_bar(const struct bars *b, uint32_t column, int y)
{
    SCOPED(strbuf) text = {0};
    report_compare_direction(b->report, column, &text);
    y = add_wrapped(b, y, true, strbuf_text(&text));
    strbuf_clear(&text);
    report_compare_counts(b->report, column, &text);
    y = add_wrapped(b, y, false, strbuf_text(&text));
    add_parts(b, column, y + 4);
    return y + 4 + b->m->bar + b->m->gap;
}

static int add_keys(const struct bars *b, int top)
{
    const int step = b->width / b->m->columns, row = b->m->key + 8;
    strbuf_add(b->out, "<g class=\"legend\">\n");
    for (int i = 0; i < CONTRAST_CLASS_COUNT; i++) {
        int column = i % b->m->columns, y = top + i / b->m->columns * row;
        const struct report_box box = {b->m->margin + column * step, y, b->m->key + 12, b->m->key};
        strbuf_add(b->out, "<g class=\"key\">");
        add_patch(b->out, &box, i);
        add_text_at(b, box.x + box.width + 8, y + b->m->key / 2 + b->m->font / 3, b->m->font,
                    "class=\"ink\"", contrast_class_word((enum contrast_class)i));
        strbuf_add(b->out, "</g>\n");
    }
    strbuf_add(b->out, "</g>\n");
    return top + (CONTRAST_CLASS_COUNT + b->m->columns - 1) / b->m->columns * row;
}

struct report_size report_compare_picture(const void *of, enum report_sheet sheet,
                                          struct strbuf *out)
{
    const struct report_compare *report = of;
    struct report_compare titled = *report;
    SCOPED(strbuf) body = {0};
    const struct measures *m = &measures[sheet];
    const struct bars b = {&titled, m, m->width, &body};
    titled.names = report->titles ? report->titles : report->names;
    int y = m->margin;
    for (uint32_t i = 1; i < report->pair_count && report->directed; i++)
        y = add_bar(&b, i, y);
    if (!report->directed)
        y = add_wrapped(&b, y, false, "verdicts alone were asked for");
    y = add_keys(&b, y);
    const struct report_size size = {m->width + 2 * m->margin, y + m->margin / 2};
    return report_picture_sheet("picture compare", sheet, size, &body, out);
}
