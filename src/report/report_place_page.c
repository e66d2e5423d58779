/* Pictures alone, and what belongs to whatever document. */
#include "report/report_place_page.h"

#include "report/report_picture.h"
#include "report/report_wrap.h"

#include <string.h>

enum { LINE_WIDTH = 640, BETWEEN = 12, EDGE = 16 };

/* ---- One below the other ---- */

static void begin_part(const struct report_place_page *page, struct strbuf *out)
{
    strbuf_printf(out, "<g transform=\"translate(0 %d)\">\n", page->height + BETWEEN);
}

static void end_part(struct report_place_page *page, struct report_size size)
{
    strbuf_add(&page->body, "</g>\n");
    page->height += BETWEEN + size.height;
    if (page->width < size.width)
        page->width = size.width;
}

static void add_text(struct report_place_page *page, const char *text, bool bold)
{
    const struct report_wrap wrap = {.x = EDGE,
                                     .y = 16,
                                     .width = LINE_WIDTH - 2 * EDGE,
                                     .tenths = 73,
                                     .attributes = bold ? REPORT_WORDS " font-weight=\"bold\""
                                                        : REPORT_WORDS};
    if (page->kind == REPORT_PLACE_DOT) {
        report_dot_text(text, &page->body);
        return;
    }
    begin_part(page, &page->body);
    int lines = (int)report_wrap_add(&wrap, text, &page->body);
    end_part(page, (struct report_size){LINE_WIDTH, lines * REPORT_LINE + 4});
}

static void add_graph(struct report_place_page *page, const struct report_graph *graph)
{
    if (page->kind == REPORT_PLACE_DOT) {
        report_dot(graph, &page->body);
        return;
    }
    begin_part(page, &page->body);
    end_part(page, report_picture(graph, page->sheet, "", &page->body));
}

/* What is refused, and the execution that does so. */
static void add_gallery(struct report_place_page *page, const char *caption,
                        const struct report_gallery *gallery)
{
    size_t count = gallery ? gallery->items.count : 0;
    if (page->kind == REPORT_PLACE_SVG || !count)
        add_text(page, caption, false);
    for (size_t i = 0; i < count; i++) {
        const struct report_execution *execution = &gallery->items.items[i];
        if (execution->graph)
            add_graph(page, execution->graph);
        else
            add_text(page, "an execution too large to be drawn", false);
        for (size_t k = 0; k < execution->recoveries.count; k++)
            add_graph(page, execution->recoveries.items[k]);
    }
}

/* ---- What there is ---- */

static void add_pair(const struct report_place *report, struct strbuf *text)
{
    report_place_title(report, text);
    strbuf_printf(text, " under %s + %s: ", report->visibility, report->persistency);
}

/* "line 7, with p_barrier_wi: .. is violated: .." */
static void add_step(struct report_place_page *page, const struct report_place *report,
                     uint32_t number, uint32_t at)
{
    const struct placement_step *step = &report->placement->fillings[number].steps[at];
    const struct sketch_choice *choice = &report->placement->sketch->choices[step->choice];
    struct strbuf text = {0};
    report_place_choice(report, choice, &text);
    if (report_place_is_left_out(choice, step->value))
        strbuf_add(&text, ", without it: ");
    else
        strbuf_printf(&text, ", with %s: ", choice->values[step->value].label);
    report_place_why(report, &step->reason, &text);
    add_gallery(page, strbuf_text(&text),
                report->step_pictures ? report->step_pictures[number][at] : NULL);
    strbuf_fini(&text);
}

static void add_filling(struct report_place_page *page, const struct report_place *report,
                        uint32_t number)
{
    struct strbuf text = {0}, sentence = {0};
    report_place_sentence(report, number, &sentence);
    add_pair(report, &text);
    strbuf_printf(&text, "filling %u%s%s", number + 1, sentence.length ? ": " : ", as it is",
                  strbuf_text(&sentence));
    add_text(page, strbuf_text(&text), true);
    for (uint32_t i = 0; i < report->placement->fillings[number].step_count; i++)
        add_step(page, report, number, i);
    strbuf_fini(&text);
    strbuf_fini(&sentence);
}

static void add_clashes(struct report_place_page *page, const struct report_place *report)
{
    for (uint32_t i = 0; i < report->placement->clash_count; i++) {
        struct strbuf text = {0};
        const struct placement_clash *clash = &report->placement->clashes[i];
        report_place_values(report, "with ", &clash->broken_by, &text);
        strbuf_add(&text, ": ");
        report_place_why(report, &clash->reason, &text);
        add_gallery(page, strbuf_text(&text),
                    report->clash_pictures ? report->clash_pictures[i] : NULL);
        strbuf_fini(&text);
    }
}

/* Each line of it by itself. */
static void add_summary(struct report_place_page *page, const struct report_place *report)
{
    struct strbuf text = {0}, line = {0};
    report_place_summary(report, &text);
    for (const char *at = strbuf_text(&text); *at;) {
        size_t length = strcspn(at, "\n");
        strbuf_clear(&line);
        strbuf_add_bytes(&line, at, length);
        add_text(page, strbuf_text(&line), false);
        at += length + (at[length] == '\n');
    }
    strbuf_fini(&text);
    strbuf_fini(&line);
}

static void add_pictures(struct report_place_page *page, const struct report_place *report)
{
    struct strbuf text = {0};
    if (report->as_it_is) {
        add_pair(report, &text);
        report_place_present(report, &text);
        add_gallery(page, strbuf_text(&text), report->present_picture);
        strbuf_fini(&text);
        return;
    }
    for (uint32_t i = 0; i < report->shown_count; i++)
        add_filling(page, report, report->shown[i]);
    if (!report->shown_count) {
        add_pair(report, &text);
        strbuf_add(&text, "no filling");
        add_text(page, strbuf_text(&text), true);
        strbuf_fini(&text);
    }
    add_clashes(page, report);
    add_summary(page, report);
    if (report->undrawn)
        add_text(page, report->undrawn, false);
}

void report_place_page_add(struct report_place_page *page, const struct report_place *report)
{
    if (page->kind == REPORT_PLACE_HTML)
        report_place_html_add(page, report);
    else
        add_pictures(page, report);
    page->pairs++;
}

void report_place_page_end(struct report_place_page *page, int status, struct strbuf *out)
{
    if (!page->pairs && page->kind != REPORT_PLACE_HTML)
        add_text(page, "no answer; the messages say why", false);
    int height = page->height + BETWEEN;
    if (page->kind == REPORT_PLACE_HTML)
        report_place_html_begin(page, status, out);
    else if (page->kind == REPORT_PLACE_SVG)
        report_picture_begin_document((struct report_size){page->width, height}, out);
    strbuf_add_bytes(out, strbuf_text(&page->body), page->body.length);
    if (page->kind == REPORT_PLACE_HTML)
        report_place_html_end(out);
    else if (page->kind == REPORT_PLACE_SVG)
        strbuf_add(out, "</svg>\n");
    strbuf_fini(&page->body);
}
