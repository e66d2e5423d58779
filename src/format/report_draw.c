/* The formats dot, svg and tex: of each test and model pair, the executions that answer it.
 *
 * dot: a graph for each. svg: one document with all pictures below each other; how far down each
 * is, and how large the whole, the sink knows when it has come to the end, so pictures wait in a
 * temporary file. A test without an execution, what is not known or not judged, and a file that
 * cannot be read, are lines of text. */
#include "base/pack.h"
#include "base/utf8.h"
#include "document/report_finding.h"
#include "format/report_format.h"
#include "answer/report_gallery.h"
#include "document/report_trace.h"
#include "document/report_tree.h"
#include "document/report_explain.h"
#include "picture/report_tex.h"
#include "report/report_wrap.h"

#include <string.h>

enum { LINE_WIDTH = 640, LINE_HEIGHT = 34, BETWEEN = 24 };

/* ---- What is drawn ---- */

struct words {
    struct report_piece *piece;
    const struct report_test *test;
};

static void draw_text(struct report_piece *piece, struct strbuf *text)
{
    piece->format->draw(piece, NULL, strbuf_text(text));
    strbuf_fini(text);
}

/* No execution shows what is not known, or not judged. */
static void draw_finding(void *context, const struct report_finding *finding)
{
    const struct words *words = context;
    struct strbuf text = {0};
    if (!report_is_aside(finding->kind))
        return;
    report_test_name(words->test, &text);
    strbuf_printf(&text, ": %s", finding->message);
    draw_text(words->piece, &text);
}

/* What is to be said where there is no execution, or beside it; "" when nothing is. */
static const char *remark_of(const struct report_gallery *gallery)
{
    if (!gallery || gallery->items.count == 0)
        return gallery && gallery->remark ? gallery->remark : "no execution to be drawn";
    return gallery->remark_stands ? gallery->remark : "";
}

/* Calls back for each graph; with a text where there is none. */
static void draw_test(struct report_piece *piece, const struct report_test *test)
{
    const struct report_gallery *gallery = test->gallery;
    struct words words = {piece, test};
    SCOPED(strbuf) text = {0};
    report_test_name(test, &text);
    strbuf_printf(&text, ": %s, ", lit_verdict_text(test->verdict));
    for (size_t i = 0; gallery && i < gallery->items.count; i++) {
        const struct report_execution *execution = &gallery->items.items[i];
        if (!report_gallery_answers(gallery, i))
            continue;
        if (execution->graph)
            piece->format->draw(piece, execution->graph, NULL);
        else
            strbuf_add(&text, "an execution too large to be drawn");
        for (size_t k = 0; k < execution->recoveries.count; k++)
            piece->format->draw(piece, execution->recoveries.items[k], NULL);
    }
    const char *remark = remark_of(gallery);
    bool large = strbuf_text(&text)[text.length - 1] != ' ';
    strbuf_printf(&text, "%s%s", large && *remark ? "; " : "", remark);
    if (strbuf_text(&text)[text.length - 1] != ' ')
        piece->format->draw(piece, NULL, strbuf_text(&text));
    strbuf_clear(&text);
    if (test->explained) /* which speaks for itself */
        report_advice_words(test->explained, &text);
    else
        report_each_finding(test, draw_finding, &words);
    if (text.length)
        piece->format->draw(piece, NULL, strbuf_text(&text));
}

static void draw_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct strbuf text = {0};
    if (fault->severity != DIAG_ERROR)
        return;
    utf8_add_name(&text, piece->file);
    strbuf_printf(&text, ": %s", fault->message);
    draw_text(piece, &text);
}

/* ---- dot ---- */

static void draw_dot(struct report_piece *piece, const struct report_graph *graph, const char *text)
{
    if (graph)
        report_dot(graph, &piece->out.text);
    else
        report_dot_text(text, &piece->out.text);
}

const struct report_format report_format_dot = {.name = "dot",
                                                .traits = REPORT_EXECUTIONS | REPORT_PICTURES,
                                                .test = draw_test,
                                                .fault = draw_fault,
                                                .draw = draw_dot};

/* ---- svg ---- */

/* A mark stands where the picture begins, and the sink says its level; the parcel has its size. */
static struct strbuf *begin_picture(struct report_piece *piece)
{
    report_stream_mark(&piece->out);
    return &piece->out.text;
}

static void end_picture(struct report_piece *piece, struct report_size size, bool words)
{
    strbuf_add(&piece->out.text, "</g>\n");
    pack_number(&piece->parcel, (uint64_t)size.width);
    pack_number(&piece->parcel, (uint64_t)size.height);
    pack_number(&piece->parcel, words);
}

static const struct report_wrap words_on_screen = {
    .x = 16, .y = 22, .width = LINE_WIDTH - 32, .tenths = 73, .attributes = REPORT_WORDS};

static enum report_sheet sheet_of(const struct report_piece *piece)
{
    return piece->format == &report_format_slide ? REPORT_SLIDE : REPORT_SCREEN;
}

static void draw_svg(struct report_piece *piece, const struct report_graph *graph, const char *text)
{
    const enum report_sheet sheet = sheet_of(piece);
    struct strbuf *out = begin_picture(piece);
    struct report_size size = {LINE_WIDTH, LINE_HEIGHT};
    if (graph)
        size = report_picture(graph, sheet, "", out);
    else if (sheet == REPORT_SLIDE)
        size = report_slide_words(text, out);
    else
        size.height +=
            ((int)report_wrap_lines(&words_on_screen, text, out) - 1) * REPORT_LINE_HEIGHT;
    end_picture(piece, size, !graph);
}

static void draw_run_svg(struct report_piece *piece, const struct report_tree *tree)
{
    struct report_paper paper = {.sheet = sheet_of(piece)};
    report_tree_svg(tree, &paper);
    strbuf_add_bytes(begin_picture(piece), strbuf_text(&paper.out), paper.out.length);
    end_picture(piece, paper.size, false);
    strbuf_fini(&paper.out);
}

/* A machine's run, or why there is none. */
static void draw_run(struct report_piece *piece, const struct report_trace *run)
{
    SCOPED(report_tree) tree = {.where = 0};
    struct strbuf words = {0};
    report_trace.body(run, &tree);
    if (run->trace->answer == TRACE_FOUND && piece->format == &report_format_tex) {
        report_trace_tex(run, &piece->out.text);
    } else if (run->trace->answer == TRACE_FOUND) {
        draw_run_svg(piece, &tree);
    } else {
        report_tree_words(&tree, REPORT_IN_PICTURES, &words);
        draw_text(piece, &words);
    }
}

static void draw_test_or_run(struct report_piece *piece, const struct report_test *test)
{
    if (test->run)
        draw_run(piece, test->run);
    else
        draw_test(piece, test);
}

struct svg_sink {
    struct report_size size; /* of what there is so far */
    struct unpack sizes;     /* of the pictures at the next marks */
};

static void svg_add(struct report_sink *sink, const struct report_piece *piece)
{
    struct svg_sink *own = sink->state;
    own->sizes = unpack_start(strbuf_text(&piece->parcel), piece->parcel.length);
}

static void svg_mark(struct report_sink *sink)
{
    struct svg_sink *own = sink->state;
    int width = (int)unpack_number(&own->sizes), height = (int)unpack_number(&own->sizes);
    (void)unpack_number(&own->sizes);
    own->size.height += own->size.height ? BETWEEN : 0;
    strbuf_printf(&sink->out, "<g transform=\"translate(0 %d)\">\n", own->size.height);
    own->size.height += height;
    if (own->size.width < width)
        own->size.width = width;
}

static void svg_close(struct report_sink *sink, int status)
{
    const struct svg_sink *own = sink->state;
    (void)status;
    report_picture_begin_document(own->size, &sink->out);
    report_sink_unspool(sink);
    strbuf_add(&sink->out, "</svg>\n");
}

/* As slides each picture is on its own in a folder. */
#define FORMAT_SVG(identifier, is_apart)                                                           \
    const struct report_format report_format_##identifier = {.name = "svg",                        \
                                                             .traits = REPORT_EXECUTIONS |         \
                                                                       REPORT_PICTURES,            \
                                                             .apart = is_apart,                    \
                                                             .waits = true,                        \
                                                             .sink_size = sizeof(struct svg_sink), \
                                                             .test = draw_test_or_run,             \
                                                             .fault = draw_fault,                  \
                                                             .draw = draw_svg,                     \
                                                             .mark = svg_mark,                     \
                                                             .add = svg_add,                       \
                                                             .close = svg_close};
FORMAT_SVG(svg, false)
FORMAT_SVG(slide, true)

/* ---- tex ---- */

static void draw_tex(struct report_piece *piece, const struct report_graph *graph, const char *text)
{
    if (graph)
        report_tex(graph, &piece->out.text);
    else
        report_tex_words(text, &piece->out.text);
}

static void tex_open(struct report_sink *sink)
{
    report_tex_begin(REPORT_TEX_PICTURES, &sink->out);
}

static void tex_close(struct report_sink *sink, int status)
{
    (void)status;
    report_tex_end(&sink->out);
}

const struct report_format report_format_tex = {.name = "tex",
                                                .traits = REPORT_EXECUTIONS | REPORT_PICTURES,
                                                .test = draw_test_or_run,
                                                .fault = draw_fault,
                                                .draw = draw_tex,
                                                .open = tex_open,
                                                .close = tex_close};
