#include "picture/report_paint.h"

#include <string.h>

/* Colours are those that herd7 draws the same relations in, as far as it has them. */
const struct report_stroke report_strokes[REPORT_STROKE_COUNT] = {
#define KIND(class) class, "shown like-" class
#define SHOWN(class) "shown" class, "shown" class
    [REPORT_EDGE_PO] = {KIND("po"), "#2b3440", "#c3ccd6", "", 14, ""},
    [REPORT_EDGE_MEET] = {KIND("meet"), "#5b6675", "#9aa6b5", "", 50, " penwidth=4"},
    [REPORT_EDGE_SHOWN] = {SHOWN(""), "#17692f", "#56c172", "12 3 2 3", 16,
                           " style=dashed arrowhead=open"},
    [REPORT_EDGE_DURABLE] = {KIND("durable-before"), "#9c3a88", "#e58fd3", "6 4", 16,
                             " style=dashed"},
    [REPORT_EDGE_AFTER] = {KIND("durable-after"), "#7a6000", "#d9bb45", "8 3 2 3 2 3", 16,
                           " style=dashed arrowhead=diamond"},
    [REPORT_EDGE_PERSIST] = {KIND("persist-before"), "#7a3fd1", "#b794ff", "10 3", 26,
                             " penwidth=2.5 arrowhead=vee"},
    [REPORT_EDGE_CO] = {KIND("co"), "#1457d6", "#6ea0ff", "18 4", 16, " arrowhead=empty"},
    [REPORT_EDGE_FR] = {KIND("fr"), "#a34f00", "#ffa94d", "2 3", 20, " style=dotted penwidth=2"},
    [REPORT_EDGE_RF] = {KIND("rf"), "#c01f2b", "#ff7b7b", "", 26, " penwidth=2"},
    [REPORT_EDGE_WAIT] = {KIND("waits-for"), "#b3261e", "#ff8a80", "3 4", 30,
                          " style=dotted penwidth=3"},
    [REPORT_EDGE_MARK] = {KIND("mark"), "#c4006f", "#ff6db6", "9 5", 36,
                          " style=dashed penwidth=3.5"},
    {SHOWN(" depends"), "#4b0082", "#c39bff", "5 2 1 2", 16, " style=dotted arrowhead=odiamond"},
    {SHOWN(" turn0"), "#006b77", "#3fc3d1", "4 2", 16, " style=dashed arrowhead=dot"},
    {SHOWN(" turn1"), "#7a4f01", "#d6a45a", "9 2 2 2 2 2", 16, " style=dashed arrowhead=odot"},
    {SHOWN(" turn2"), "#4f5d00", "#b5c94d", "24 3", 16, " style=dashed arrowhead=box"},
    {SHOWN(" turn3"), "#475569", "#a3b2c8", "6 2 6 7", 16, " style=dashed arrowhead=obox"},
    {SHOWN(" turn4"), "#7b2d6b", "#dd8fce", "3 3 9 3", 16, " style=dotted arrowhead=box"},
    {SHOWN(" turn5"), "#1e3a5f", "#8db6e8", "1 2", 16, " style=dotted arrowhead=obox"},
    {SHOWN(" turn6"), "#9a3412", "#f59f7a", "20 3 4 3", 16, " style=dashed arrowhead=tee"},
};

/* `names` has a blank before and behind each. */
static bool is_among(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

/* That of what is drawn anyway for what is like it, as in herd7; one of their own for
 * synchronisation and for dependencies; REPORT_STROKE_TURNS: other names take turns. */
static int stroke_of(const char *name)
{
    static const struct {
        int like;
        const char *names;
    } known[] = {
        {REPORT_EDGE_SHOWN, " sw gsw lsw synchronizes so-WI so-SG so-WG so-KR so-DV so-ALL "},
        {REPORT_STROKE_DEPENDS, " ppo addr data ctrl dep "},
        {REPORT_EDGE_PO, " po "},
        {REPORT_EDGE_RF, " rf rfe rfi "},
        {REPORT_EDGE_CO, " co coe coi ca mo "},
        {REPORT_EDGE_FR, " fr fre fri rb "},
        {REPORT_EDGE_PERSIST, " persist-before "},
        {REPORT_EDGE_DURABLE, " durable-before "},
        {REPORT_EDGE_AFTER, " durable-after "}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is_among(known[i].names, name))
            return known[i].like;
    return REPORT_STROKE_TURNS;
}

const struct report_stroke *report_edge_stroke(const struct report_graph *graph,
                                               const struct report_edge *edge)
{
    int stroke =
        edge->kind == REPORT_EDGE_SHOWN ? stroke_of(graph->shown[edge->shown]) : (int)edge->kind;
    int turn = 0;
    for (uint32_t i = 0; stroke == REPORT_STROKE_TURNS && i < edge->shown; i++)
        turn += stroke_of(graph->shown[i]) == REPORT_STROKE_TURNS;
    return &report_strokes[stroke + turn % (REPORT_STROKE_COUNT - REPORT_STROKE_TURNS)];
}

const char *report_edge_class(const struct report_graph *graph, const struct report_edge *edge)
{
    const struct report_stroke *stroke = report_edge_stroke(graph, edge);
    return edge->kind == REPORT_EDGE_SHOWN ? stroke->shown : stroke->class;
}

static const char *const dark_rules[] = {
    ".picture .ink, .picture .event text { fill: #e4e8ee; }",
    ".picture .soft, .picture .unexecuted text, .picture .event .soft { fill: #9aa6b5; }",
    ".picture .body { fill: #222a34; stroke: #aab4c0; }",
    ".picture .sheet { fill: #1c222b; stroke: #6b7888; }",
    ".picture .sheet.survives { fill: #173d24; stroke: #56c172; }",
    ".picture.lattice .edge { stroke: #9aa6b5; }",
    ".picture.lattice .label { fill: #e4e8ee; }",
    ".picture .stays { stroke: #9aa6b5; }",
    ".picture .durable .body { fill: #1f5a33; }",
    ".picture .event.durable .soft { fill: #e4e8ee; }",
    ".picture .stuck .body { stroke: #ff6db6; }",
    ".picture .nvm { stroke: #aab4c0; }",
    ".picture .event.lost text { stroke: #222a34; }",
    ".picture .label { stroke: " REPORT_DARK_PAPER "; }",
    ".picture .hatch, .picture .cut path, .picture .stamp rect { stroke: #ff8a80; }",
    ".picture .cut text, .picture .stamp text { fill: #ff8a80; }",
    ".picture .halo { fill: #5a1238; stroke: #ff6db6; } .picture .glow { stroke: #7a1f4f; }",
    ".picture .scope rect { stroke: #46515f; }",
    ".picture .paper { fill: " REPORT_DARK_PAPER "; }",
    ".picture .line { stroke: var(--stroke); }",
    ".picture .tip, .picture .label { fill: var(--stroke); }",
};

/* The last of several classes of a stroke. */
static const char *last_class(int number)
{
    const char *class = report_strokes[number].class, *blank = strrchr(class, ' ');
    return blank ? blank + 1 : class;
}

/* What is shown has the class of all that is shown and, where it is drawn otherwise, one behind
 * that, so rules of these come behind those of kinds. */
void report_paint_style(struct strbuf *out)
{
    strbuf_add(out, "@media screen and (prefers-color-scheme: dark) {\n");
    for (size_t i = 0; i < sizeof dark_rules / sizeof *dark_rules; i++)
        strbuf_printf(out, "%s\n", dark_rules[i]);
    for (int i = 0; i < REPORT_STROKE_COUNT; i++)
        strbuf_printf(out, ".picture .%s { --stroke: %s; }\n", last_class(i),
                      report_strokes[i].dark);
    for (int i = 0; i < REPORT_EDGE_COUNT; i++)
        strbuf_printf(out, ".picture .like-%s { --stroke: %s; }\n", last_class(i),
                      report_strokes[i].dark);
    strbuf_add(out, "}\n");
}

void report_paint_document_style(struct strbuf *out)
{
    strbuf_add(out, "<style>\n");
    report_paint_style(out);
    strbuf_add(out, "@media screen and (prefers-color-scheme: dark) {\n"
                    ".ground { fill: " REPORT_DARK_PAPER "; } .words { fill: #e4e8ee; }\n}\n"
                    "</style>\n");
}
