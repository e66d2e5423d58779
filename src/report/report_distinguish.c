#include "report/report_distinguish.h"

#include "base/json.h"
#include "report/report.h"
#include "report/report_page.h"
#include "report/report_picture.h"
#include "report/report_string.h"

#include <inttypes.h>

enum { GAP = 24 };

/* ---- In words ---- */

/* With a mapping the first pair has nothing to say. */
static int first_side(const struct report_distinguish *report)
{
    return report->mapping ? 1 : 0;
}

/* "sc + strict", or "what spb-gpm makes of a program, under sc + gpm," */
static const char *more_words(const struct report_distinguish *report, int side, struct strbuf *out)
{
    if (report->mapping)
        strbuf_printf(out, "what %s makes of a program, under %s,", report->mapping,
                      report->names[side]);
    else
        strbuf_add(out, report->names[side]);
    return strbuf_text(out);
}

/* What was not looked at, or not decided, may tell the pairs apart by fewer operations. */
static bool is_smallest(const struct report_distinguish *report,
                        const struct report_direction *direction)
{
    return report->ended && !direction->open;
}

/* "sc + strict allows nothing that sc + epoch does not", as far as that is known. */
static void add_direction(const struct report_distinguish *report, int side, struct strbuf *out)
{
    const struct report_direction *direction = &report->directions[side];
    struct strbuf words = {0}, others = {0};
    const char *more = more_words(report, side, &words), *less = report->names[!side];
    if (report->mapping) {
        strbuf_printf(&others, "the program, under %s,", less);
        less = strbuf_text(&others);
    }
    if (direction->count)
        strbuf_printf(out, "%s allows what %s does not: %" PRIu64 " program%s of %u operation%s%s",
                      more, less, direction->smallest, direction->smallest == 1 ? "" : "s",
                      direction->size, direction->size == 1 ? "" : "s",
                      is_smallest(report, direction) ? ", and none of fewer" : "");
    else if (direction->unknown)
        strbuf_printf(out, "Whether %s allows what %s does not is not known: no test was found",
                      more, less);
    else
        strbuf_printf(out, "%s allows nothing that %s does not, up to the bound", more, less);
    strbuf_fini(&words);
    strbuf_fini(&others);
    if (direction->open)
        strbuf_printf(out, "; %" PRIu64 " open, the first as %s (%s)", direction->open,
                      direction->doubt, direction->open_at);
    else if (!direction->count && direction->unknown && report->ended)
        strbuf_printf(out, "; %s", direction->unknown);
    if (!report->ended)
        strbuf_add(out, "; the search did not come to its end");
}

static void add_state(const struct report_distinguish *report, int side,
                      const struct report_difference *difference, struct strbuf *out)
{
    if (difference->undefined) {
        strbuf_printf(out, "undefined under %s alone, so that anything may happen",
                      report->names[side]);
        return;
    }
    strbuf_printf(out, "%s %s", difference->kind,
                  difference->state ? difference->state : difference->row);
    if (difference->count > 1)
        strbuf_printf(out, ", and %zu more such states", difference->count - 1);
}

static void add_figures(const struct report_distinguish *report, struct strbuf *out)
{
    strbuf_printf(out,
                  "%s: %" PRIu64 " programs up to symmetry, %" PRIu64 " states compared, engine %s",
                  report->bound, report->programs, report->states, report->engine);
    if (report->undefined)
        strbuf_printf(out, "; %" PRIu64 " undefined under %s", report->undefined,
                      report->mapping ? report->names[0] : "both");
    if (report->alike)
        strbuf_printf(out, "; %" PRIu64 " not asked, as both rule alike", report->alike);
    if (report->refused)
        strbuf_printf(out, "; %" PRIu64 " not mapped, or without non-volatile locations",
                      report->refused);
    if (!report->ended)
        strbuf_printf(out, "; to go on with --from %" PRIu64, report->next);
}

/* ---- Text ---- */

static void text_why(const char *name, const struct report_why *why, struct strbuf *out)
{
    if (*why->without_meaning)
        strbuf_printf(out, "Without meaning to %s: %s\n", name, why->without_meaning);
    strbuf_add(out, why->text);
}

void report_distinguish_text(const struct report_distinguish *report, struct strbuf *out)
{
    for (int side = first_side(report); side < 2; side++) {
        const struct report_direction *direction = &report->directions[side];
        add_direction(report, side, out);
        strbuf_add_char(out, '\n');
        for (uint32_t i = 0; i < direction->count; i++) {
            const struct report_difference *difference = &direction->differences[i];
            strbuf_printf(out, "  %s: %s\n  ", difference->name, difference->line);
            add_state(report, side, difference, out);
            strbuf_add_char(out, '\n');
            strbuf_add(out, difference->litmus);
            strbuf_add(out, difference->target ? difference->target : "");
            text_why(report->names[side], &difference->why[0], out);
            text_why(report->names[!side], &difference->why[1], out);
        }
    }
    strbuf_add(out, "Summary: ");
    add_figures(report, out);
    strbuf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void json_why(const char *name, const struct report_why *why, struct strbuf *out)
{
    json_object(out, NULL);
    json_string(out, "pair", name);
    json_string(out, "verdict", why->verdict);
    json_string(out, "without_meaning", why->without_meaning);
    json_string(out, "text", why->text);
    if (*why->json) {
        json_name(out, "explanation");
        strbuf_add(out, why->json);
    }
    json_end(out, '}');
}

static void json_difference(const struct report_distinguish *report, int side,
                            const struct report_difference *difference, struct strbuf *out)
{
    report_json_begin(difference->name, out);
    json_string(out, "more", report->names[side]);
    json_string(out, "less", report->names[!side]);
    json_number(out, "operations", report->directions[side].size);
    json_string(out, "line", difference->line);
    json_string(out, "litmus", difference->litmus);
    if (difference->target)
        json_string(out, "target", difference->target);
    json_bool(out, "undefined", difference->undefined);
    json_string(out, "kind", difference->kind);
    json_string(out, "state", difference->state);
    json_string(out, "row", difference->row);
    json_number(out, "count", difference->count);
    json_array(out, "why");
    json_why(report->names[side], &difference->why[0], out);
    json_why(report->names[!side], &difference->why[1], out);
    json_end(out, ']');
    strbuf_add(out, "}\n");
}

static void json_direction(const struct report_distinguish *report, int side, struct strbuf *out)
{
    const struct report_direction *direction = &report->directions[side];
    json_object(out, NULL);
    json_string(out, "more", report->names[side]);
    json_string(out, "found", direction->count ? "yes" : direction->unknown ? "unknown" : "no");
    if (direction->count) {
        json_number(out, "operations", direction->size);
        json_number(out, "programs", direction->smallest);
    }
    json_number(out, "open", direction->open);
    if (direction->doubt)
        json_string(out, "doubt", direction->doubt);
    else if (!direction->count && direction->unknown)
        json_string(out, "doubt", direction->unknown);
    json_end(out, '}');
}

void report_distinguish_json(const struct report_distinguish *report, struct strbuf *out)
{
    for (int side = first_side(report); side < 2; side++)
        for (uint32_t i = 0; i < report->directions[side].count; i++)
            json_difference(report, side, &report->directions[side].differences[i], out);
    strbuf_printf(out, "{\"schema\":1,%s", report->tail);
    json_array(out, "directions");
    for (int side = first_side(report); side < 2; side++)
        json_direction(report, side, out);
    json_end(out, ']');
    json_string(out, "bound", report->bound);
    json_string(out, "engine", report->engine);
    json_number(out, "programs", report->programs);
    json_number(out, "alike", report->alike);
    json_number(out, "states", report->states);
    json_number(out, "undefined", report->undefined);
    if (report->mapping) {
        json_string(out, "mapping", report->mapping);
        json_number(out, "refused", report->refused);
    }
    if (!report->ended)
        json_number(out, "next", report->next);
    strbuf_add(out, "}\n");
}

/* ---- Pictures ---- */

/* Below what is there; returns where it ends. */
static int add_picture(const struct report_graph *graph, enum report_sheet sheet, int y, int *width,
                       struct strbuf *out)
{
    struct strbuf place = {0};
    if (!graph)
        return y;
    strbuf_printf(&place, " x=\"0\" y=\"%d\"", y);
    struct report_size size = report_picture(graph, sheet, strbuf_text(&place), out);
    strbuf_fini(&place);
    *width = size.width > *width ? size.width : *width;
    return y + size.height + GAP;
}

void report_distinguish_svg(const struct report_distinguish *report, struct strbuf *out)
{
    struct strbuf inner = {0};
    int y = 0, width = 320;
    for (int side = first_side(report); side < 2; side++)
        for (uint32_t i = 0; i < report->directions[side].count; i++)
            for (int k = 0; k < 2; k++)
                y = add_picture(report->directions[side].differences[i].why[k].graph, report->sheet,
                                y, &width, &inner);
    if (!y) {
        strbuf_add(&inner,
                   "<text x=\"16\" y=\"24\" class=\"words\">no execution to be drawn</text>\n");
        y = 40;
    }
    report_picture_begin_document((struct report_size){width, y}, out);
    strbuf_add_bytes(out, strbuf_text(&inner), inner.length);
    strbuf_add(out, "</svg>\n");
    strbuf_fini(&inner);
}

/* ---- HTML ---- */

static void html_words(void add(const struct report_distinguish *, int, struct strbuf *),
                       const struct report_distinguish *report, int side, struct strbuf *out)
{
    struct strbuf text = {0};
    add(report, side, &text);
    report_xml_text(out, strbuf_text(&text));
    strbuf_fini(&text);
}

static void html_why(const char *name, const struct report_why *why, struct strbuf *out)
{
    report_xml_between(out, "<h4>", name, ": ");
    report_xml_between(out, "", why->verdict, "</h4>\n");
    if (*why->without_meaning)
        report_xml_between(out, "<p>Without meaning: <code>", why->without_meaning,
                           "</code></p>\n");
    report_xml_between(out, "<pre>", why->text, "</pre>\n");
    if (!why->graph)
        return;
    strbuf_add(out, "<figure>");
    (void)report_picture(why->graph, REPORT_SCREEN, "", out);
    strbuf_add(out, "</figure>\n");
}

static void html_difference(const struct report_distinguish *report, int side,
                            const struct report_difference *difference, struct strbuf *out)
{
    struct strbuf state = {0};
    add_state(report, side, difference, &state);
    report_xml_between(out, "<article><h2>", difference->name, "</h2>\n");
    report_xml_between(out, "<p><code>", difference->line, "</code></p>\n");
    report_xml_between(out, "<p><code>", strbuf_text(&state), "</code></p>\n");
    report_xml_between(out, "<pre>", difference->litmus, "</pre>\n");
    if (difference->target)
        report_xml_between(out, "<pre>", difference->target, "</pre>\n");
    html_why(report->names[side], &difference->why[0], out);
    html_why(report->names[!side], &difference->why[1], out);
    strbuf_add(out, "</article>\n");
    strbuf_fini(&state);
}

void report_distinguish_html(const struct report_distinguish *report, struct strbuf *out)
{
    struct strbuf figures = {0};
    report_page_begin("crashlit distinguish", out);
    strbuf_add(out, "<h1>");
    report_xml_between(out, "", report->names[0], " · ");
    report_xml_between(out, "", report->names[1], "</h1>\n");
    add_figures(report, &figures);
    report_xml_between(out, "<p class=\"counts\">", strbuf_text(&figures),
                       "</p></header>\n<main>\n");
    strbuf_fini(&figures);
    for (int side = first_side(report); side < 2; side++) {
        strbuf_add(out, "<h2>");
        html_words(add_direction, report, side, out);
        strbuf_add(out, "</h2>\n");
        for (uint32_t i = 0; i < report->directions[side].count; i++)
            html_difference(report, side, &report->directions[side].differences[i], out);
    }
    strbuf_add(out, "</main></body></html>\n");
}
