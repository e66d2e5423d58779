#include "picture/report_tex.h"

#include "report/report_string.h"
#include "report/report_wrap.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_PIXELS = 20000, /* 15000 points, of the 16383 that LaTeX knows */
    LINE_LETTERS = 90,
    MOST_INSET = 40,
    MOST_LINES = 100
};

struct tex {
    struct arena *arena;
    const struct report_graph *graph;
    const struct report_layout *layout;
    struct strbuf *out;
};

/* ---- Styles ---- */

static void add_colour(struct strbuf *out, const char *colour)
{
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    strbuf_printf(out, "{rgb,255:red,%lu;green,%lu;blue,%lu}", rgb >> 16, rgb >> 8 & 255,
                  rgb & 255);
}

/* Pixels, as tenths of them, are three quarters of a point. */
static void add_points(struct strbuf *out, unsigned long tenths)
{
    strbuf_printf(out, "%lu.%02lupt", tenths * 75 / 1000, tenths * 75 / 10 % 100);
}

static void add_dash(struct strbuf *out, const char *dash)
{
    bool on = true;
    strbuf_add(out, *dash ? ", dash pattern=" : "");
    for (char *end; *dash; dash = end + (*end == ' '), on = !on) {
        strbuf_add(out, on ? "on " : "off ");
        add_points(out, 10 * strtoul(dash, &end, 10));
        strbuf_add(out, *end ? " " : "");
    }
}

static void add_stroke_style(struct strbuf *out, const char *class,
                             const struct report_stroke *stroke)
{
    strbuf_printf(out, "\\crashlitstyle{%s}{draw=", class);
    add_colour(out, stroke->colour);
    strbuf_add(out, ", text=");
    add_colour(out, stroke->colour);
    strbuf_add(out, ", line width=");
    add_points(out, stroke->tenths);
    add_dash(out, stroke->dash);
    strbuf_add(out, "}\n");
}

#define INK "{rgb,255:red,28;green,36;blue,48}"
#define SOFT "{rgb,255:red,91;green,102;blue,117}"
#define HATCH "{rgb,255:red,225;green,168;blue,165}"
#define CUT "{rgb,255:red,179;green,38;blue,30}"
#define MARKED "{rgb,255:red,196;green,0;blue,111}"
#define BASE "anchor=base, inner sep=0pt"
#define LETTERS(size, line) \
    "font=\\ttfamily\\frenchspacing\\fontsize{" #size "}{" #line "}\\selectfont"

/* Name and style. */
static const char *const styles[][2] = {
    {"event", "draw=" INK ", fill=white, rounded corners=3pt"},
    {"init", "fill=black!8"},
    {"executed", ""},
    {"durable", "fill={rgb,255:red,169;green,220;blue,179}"},
    {"lost",
     "path picture={\\foreach \\i in {-48,-42,...,400} \\draw[draw=" HATCH ", line width=.4pt, "
     "solid] ([xshift=\\i pt]path picture bounding box.south west) -- ++(48pt,48pt);}"},
    {"unexecuted", "draw=black!45, dash pattern=on 3pt off 2.25pt"},
    {"stuck", "draw=" MARKED ", fill=black!8, line width=1.5pt"},
    {"nvm", "draw=" INK ", rounded corners=1.5pt"},
    {"halo", "draw=" MARKED
             ", fill={rgb,255:red,251;green,208;blue,230}, line width=1.5pt, rounded corners=4pt"},
    {"glow", "draw={rgb,255:red,249;green,188;blue,219}, line width=8pt, line cap=round, solid, -"},
    {"text", BASE ", text=" INK ", " LETTERS(9, 11)},
    {"source", BASE ", text=" SOFT ", " LETTERS(7, 9)},
    {"label", "anchor=base, inner sep=.8pt, fill=white, " LETTERS(8, 10)},
    {"scope", "draw=black!25, fill=black!2, rounded corners=4pt"},
    {"scope name", "anchor=base west, inner sep=0pt, text=" SOFT ", " LETTERS(7, 9)},
    {"cut", "draw=" CUT ", line width=1.9pt, dash pattern=on 7.5pt off 3.75pt"},
    {"cut name", "anchor=mid west, inner sep=3pt, text=" CUT ", " LETTERS(9, 11)},
    {"title", "anchor=south west, align=left, inner sep=0pt, text=" INK ", " LETTERS(9, 11)},
    /* Of a machine's run: */
    {"lane", "draw=black!25, fill=black!2, rounded corners=3pt"},
    {"survives", "draw={rgb,255:red,31;green,90;blue,51}, "
                 "fill={rgb,255:red,230;green,244;blue,234}, line width=1.2pt"},
    {"cell", "draw=" INK ", fill=white, rounded corners=2pt"},
    {"changed", "line width=.9pt"},
    {"stays", "draw=black!45, dash pattern=on 1pt off 2pt"},
    {"head", "anchor=base west, inner sep=0pt, text=" INK ", " LETTERS(8, 10)},
    {"what", "anchor=base west, inner sep=0pt, text=" INK ", " LETTERS(7, 9)},
    {"place", "anchor=base west, inner sep=0pt, text=" SOFT ", " LETTERS(7, 9)},
    {"leaves", "anchor=north west, align=left, inner xsep=0pt, inner ysep=5pt, text=" CUT
               ", " LETTERS(8, 10)},
    /* Of a lattice: */
    {"class", "draw=" INK ", fill=black!3, rounded corners=3pt"},
    {"order", "draw=" SOFT ", line width=.75pt"},
    {"open order", "draw=" SOFT ", line width=.75pt, dash pattern=on 3pt off 2.25pt"},
};

/* Packages, and what a document of its own begins with. */
static const char *const classes[][2] = {
    [REPORT_TEX_PICTURES] = {"tikz", "\\documentclass[tikz,border=4pt]{standalone}\n"
                                     "\\def\\crashlittitles{}\n"},
    [REPORT_TEX_WORDS] = {"tikz,booktabs", "\\documentclass{article}\n"
                                           "\\usepackage{tikz,booktabs}\n"
                                           "\\emergencystretch=3em\n"},
    [REPORT_TEX_LISTINGS] = {"graphicx", "\\documentclass{article}\n"
                                         "\\usepackage{graphicx}\n"
                                         "\\def\\crashlittitles{}\n"
                                         "\\def\\crashlitsection{\\section}\n"
                                         "\\emergencystretch=3em\n"}};

/* No wider and no higher than a page. */
static const char fit[] = "\\def\\crashlitfit#1{\\setbox0\\hbox{#1}"
                          "\\ifdim\\wd0>\\linewidth"
                          "\\setbox0\\hbox{\\resizebox{\\linewidth}{!}{\\box0}}\\fi"
                          "\\ifdim\\dimexpr\\ht0+\\dp0>.9\\textheight"
                          "\\resizebox{!}{.9\\textheight}{\\box0}\\else\\box0\\fi}\n";

static void add_styles(struct strbuf *out)
{
    strbuf_add(out, "\\def\\crashlitstyle#1#2{\\pgfkeysifdefined{/tikz/crashlit #1/.@cmd}{}"
                    "{\\tikzset{crashlit #1/.style={#2}}}}\n");
    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++)
        strbuf_printf(out, "\\crashlitstyle{%s}{%s}\n", styles[i][0], styles[i][1]);
    for (int i = 0; i < REPORT_STROKE_COUNT; i++) {
        if (i < REPORT_EDGE_COUNT)
            add_stroke_style(out, report_strokes[i].class, &report_strokes[i]);
        add_stroke_style(out, report_strokes[i].shown, &report_strokes[i]);
    }
}

/* Before \documentclass, and nowhere else, \usepackage is not \RequirePackage. */
void report_tex_begin(enum report_tex_pages pages, struct strbuf *out)
{
    strbuf_printf(out,
                  "%% Compile this by itself, or \\input it where \\usepackage{%s} is in the "
                  "preamble.\n"
                  "\\ifx\\usepackage\\RequirePackage\\let\\crashlitend\\relax\\else\n"
                  "%s\\def\\crashlitend{\\end{document}}\n"
                  "\\begin{document}\\fi\n%s",
                  classes[pages][0], classes[pages][1], fit);
    if (pages != REPORT_TEX_LISTINGS)
        add_styles(out);
}

void report_tex_end(struct strbuf *out)
{
    strbuf_add(out, "\\crashlitend\n");
}

/* ---- Parts ---- */

void report_tex_node(const char *style, struct report_point at, const char *text,
                     struct strbuf *out)
{
    strbuf_printf(out, "\\node[crashlit %s] at (%d,%d) {", style, at.x, at.y);
    report_tex_text(out, text);
    strbuf_add(out, "};\n");
}

void report_tex_box(const char *style, const struct report_box *box, int inset, struct strbuf *out)
{
    strbuf_printf(out, "\\path[crashlit %s] (%d,%d) rectangle (%d,%d);\n", style, box->x + inset,
                  box->y + inset, box->x + box->width - inset, box->y + box->height - inset);
}

static void add_node(const struct tex *t, const char *style, struct report_point at,
                     const char *text)
{
    report_tex_node(style, at, text, t->out);
}

static void add_box(const struct tex *t, const char *style, const struct report_box *box, int inset)
{
    report_tex_box(style, box, inset, t->out);
}

static void add_scopes(const struct tex *t)
{
    EACH (const struct report_scope_box, scope, t->layout->scopes, t->layout->scope_count) {
        add_box(t, "scope", &scope->box, 0);
        add_node(t, "scope name",
                 (struct report_point){scope->box.x + 6,
                                       scope->box.y + report_metrics_screen.scope_font + 2},
                 scope->label);
    }
    for (uint32_t c = 0; c < t->graph->column_count; c++)
        add_node(t, "text", t->layout->heads[c], t->graph->columns[c]->name);
}

static void add_cut(const struct tex *t)
{
    const struct report_layout *layout = t->layout;
    if (!t->graph->crash)
        return;
    strbuf_printf(t->out, "\\path[crashlit cut] (%d,%d) -- (%d,%d);\n", layout->left, layout->cut,
                  layout->right, layout->cut);
    add_node(t, "cut name", (struct report_point){layout->right, layout->cut}, "crash");
}

static void add_event(const struct tex *t, uint32_t e)
{
    const struct report_event *event = &t->graph->events[e];
    const struct report_box *box = &t->layout->events[e];
    const char *source = report_shown_source(t->arena, &report_metrics_screen, event);
    const int middle = box->x + box->width / 2, level = box->y + box->height / 2;
    char style[64];
    snprintf(style, sizeof style, "event, crashlit %s",
             e < t->graph->init_count && event->fate == REPORT_EXECUTED
                 ? "init"
                 : report_fate_class(event->fate));
    add_box(t, style, box, 0);
    if (event->nvm)
        add_box(t, event->fate == REPORT_AHEAD ? "nvm, crashlit unexecuted" : "nvm", box, 3);
    add_node(t, "text", (struct report_point){middle, level + (*source ? -3 : 4)}, event->label);
    if (*source)
        add_node(t, "source", (struct report_point){middle, level + 11}, source);
}

/* ---- Edges ---- */

static void add_path(const struct tex *t, const struct report_route *route)
{
    const struct report_point *p = route->points;
    strbuf_printf(t->out, "(%d,%d)", p[0].x, p[0].y);
    for (uint32_t i = 1; i + 2 < route->count; i += 3)
        strbuf_printf(t->out, " .. controls (%d,%d) and (%d,%d) .. (%d,%d)", p[i].x, p[i].y,
                      p[i + 1].x, p[i + 1].y, p[i + 2].x, p[i + 2].y);
    strbuf_add(t->out, ";\n");
}

static void add_hub(const struct tex *t, const char *class, struct report_point at)
{
    strbuf_printf(t->out, "\\path[crashlit %s, fill, solid] (%d,%d) circle[radius=2pt];\n", class,
                  at.x, at.y);
}

static void add_edge(const struct tex *t, uint32_t i)
{
    const struct report_edge *edge = &t->graph->edges[i];
    const struct report_route *route = &t->layout->routes[i];
    const char *class = report_edge_class(t->graph, edge);
    if (edge->unseen)
        return;
    strbuf_printf(t->out, "\\path[crashlit %s%s] ", class,
                  edge->both_ways || edge->hub_to ? "" : ", -latex");
    add_path(t, route);
    if (edge->hub_from)
        add_hub(t, class, route->points[0]);
    if (edge->hub_to)
        add_hub(t, class, route->points[route->count - 1]);
}

static void add_glow(const struct tex *t, uint32_t i)
{
    if (!t->graph->edges[i].marked)
        return;
    strbuf_add(t->out, "\\path[crashlit glow] ");
    add_path(t, &t->layout->routes[i]);
}

static void add_label(const struct tex *t, const struct report_edge *edge, struct report_point at,
                      const char *text)
{
    char style[96];
    snprintf(style, sizeof style, "%s, draw=none, crashlit label",
             report_edge_class(t->graph, edge));
    if (*text)
        add_node(t, style, at, text);
}

/* Labels that stand at none of their edges, below each other. */
static void add_key(const struct tex *t)
{
    struct report_point at = {t->layout->left, t->layout->height + 6};
    for (uint32_t i = 0; i < t->graph->edge_count; i++) {
        const struct report_edge *edge = &t->graph->edges[i];
        if (!report_edge_leads(t->graph, i))
            continue;
        strbuf_printf(t->out, "\\path[crashlit %s] (%d,%d) -- (%d,%d);\n",
                      report_edge_class(t->graph, edge), at.x, at.y, at.x + 34, at.y);
        add_label(
            t, edge,
            (struct report_point){at.x + 40 + report_text_width(edge->label, 11) / 2, at.y + 4},
            edge->label);
        at.y += 16;
    }
}

/* ---- A picture ---- */

/* A line of the text, in lines of so many characters; false when there were too many. */
static bool add_line(const char *text, size_t characters, uint32_t *lines, struct strbuf *out)
{
    size_t inset = strspn(text, " ");
    for (text += inset; *text && *lines < MOST_LINES; text += strspn(text, " "), inset = 0) {
        size_t length = report_wrap_fit(text, characters);
        strbuf_add(out, (*lines)++ ? "\\\\{}" : "");
        strbuf_add(out, inset ? "\\mbox{}" : "");
        for (size_t i = 0; i < inset && i < MOST_INSET; i++)
            strbuf_add(out, "\\ ");
        report_tex_bytes(out, text, length);
        text += length;
    }
    return !*text;
}

void report_tex_lines(const char *text, size_t characters, struct strbuf *out)
{
    SCOPED(strbuf) line = {0};
    uint32_t lines = 0;
    bool whole = true;
    while (*text && whole) {
        size_t length = strcspn(text, "\n");
        strbuf_clear(&line);
        strbuf_add_bytes(&line, text, length);
        whole = add_line(strbuf_text(&line), characters, &lines, out);
        text += length + (text[length] == '\n');
    }
    strbuf_add(out, whole ? "" : "...");
}

/* Where they are wanted; those that are empty are left out. */
static void add_titles(const char *const *lines, size_t count, bool forbidden, struct strbuf *out)
{
    strbuf_add(out, "\\ifdefined\\crashlittitles\\node[crashlit title] at "
                    "([yshift=4pt]current bounding box.north west) {");
    strbuf_add(out, forbidden ? "FORBIDDEN: " : "");
    for (size_t i = 0; i < count; i++) {
        strbuf_add(out, i && *lines[i] ? "\\\\{}" : "");
        report_tex_lines(lines[i], LINE_LETTERS, out);
    }
    strbuf_add(out, "};\\fi\n");
}

void report_tex_end_picture(const char *title, struct strbuf *out)
{
    if (*title)
        add_titles(&title, 1, false, out);
    strbuf_add(out, "\\end{tikzpicture}\n");
}

void report_tex_words(const char *text, struct strbuf *out)
{
    strbuf_add(out, "\\ifdefined\\crashlittitles\n\\begin{tikzpicture}\\node[crashlit title] {");
    report_tex_lines(text, LINE_LETTERS, out);
    strbuf_add(out, "};\\end{tikzpicture}\n\\else\n"
                    "\\par{\\small\\ttfamily\\frenchspacing\\raggedright\\noindent{}");
    report_tex_lines(text, SIZE_MAX, out);
    strbuf_add(out, "\\par}\n\\fi\n");
}

bool report_tex_begin_picture(struct report_size size, int hundredths, struct strbuf *out)
{
    bool fits = size.width <= MOST_PIXELS && size.height <= MOST_PIXELS;
    if (fits)
        strbuf_printf(out, "\\begin{tikzpicture}[x=.%dpt, y=-.%dpt]\n", hundredths, hundredths);
    else
        report_tex_words("this is too large for a picture of LaTeX", out);
    return fits;
}

void report_tex(const struct report_graph *graph, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct tex t = {&arena, graph, report_layout_new(&arena, graph, &report_metrics_screen), out};
    if (!report_tex_begin_picture((struct report_size){t.layout->width, t.layout->height}, 75, out))
        return;
    add_scopes(&t);
    add_cut(&t);
    for (uint32_t e = 0; e < graph->event_count; e++)
        if (graph->events[e].marked)
            add_box(&t, "halo", &t.layout->events[e], -4);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_glow(&t, i);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_edge(&t, i);
    for (uint32_t e = 0; e < graph->event_count; e++)
        add_event(&t, e);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        add_label(&t, &graph->edges[i], t.layout->routes[i].label,
                  report_edge_text(&graph->edges[i]));
    add_key(&t);
    const char *const lines[] = {graph->name, graph->state, graph->condition, graph->note};
    add_titles(lines, sizeof lines / sizeof *lines, graph->forbidden, out);
    strbuf_add(out, "\\end{tikzpicture}\n");
}
