#include "report/report_paint.h"

#include <string.h>

const struct report_stroke report_strokes[REPORT_STROKE_COUNT] = {
#define X(identifier, ...) {__VA_ARGS__},
    REPORT_EDGES(X) REPORT_SHOWN_STROKES(X)
#undef X
};

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
    for (int i = 0; i <= REPORT_STROKE_MARK; i++)
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
