#include "document/report_distinguish.h"

#include "base/json.h"
#include "document/report_json.h"

#include <inttypes.h>

/* ---- In words ---- */

/* With a mapping the first pair has nothing to say. */
static int first_side(const struct report_distinguish *report)
{
    return report->survey->mapping ? 1 : 0;
}

/* "sc + strict", or "what spb-gpm makes of a program, under sc + gpm," */
static const char *more_words(const struct report_distinguish *report, int side, struct strbuf *out)
{
    if (report->survey->mapping)
        strbuf_printf(out, "what %s makes of a program, under %s,", report->survey->mapping,
                      report->names[side]);
    else
        strbuf_add(out, report->names[side]);
    return strbuf_text(out);
}

/* Is no smaller test possible? One may be among those that were not reached, or not decided. */
static bool is_smallest(const struct report_distinguish *report,
                        const struct report_direction *direction)
{
    return report->survey->ended && !direction->open;
}

/* Appends "sc + strict allows nothing that sc + epoch does not", as far as that is known. */
static void add_direction(const struct report_distinguish *report, int side, struct strbuf *out)
{
    const struct report_direction *direction = &report->directions[side];
    SCOPED(strbuf) words = {0}, others = {0};
    const char *more = more_words(report, side, &words), *less = report->names[!side];
    if (report->survey->mapping) {
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
    if (direction->open)
        strbuf_printf(out, "; %" PRIu64 " open, the first as %s (%s)", direction->open,
                      direction->doubt, direction->open_at);
    else if (!direction->count && direction->unknown && report->survey->ended)
        strbuf_printf(out, "; %s", direction->unknown);
    if (!report->survey->ended)
        strbuf_add(out, "; the search did not come to its end");
}

static void add_state(const struct report_distinguish *report, int side,
                      const struct report_difference *difference, struct strbuf *out)
{
    if (difference->test.undefined) {
        strbuf_printf(out, "undefined under %s alone, so that anything may happen",
                      report->names[side]);
        return;
    }
    strbuf_printf(out, "%s %s", difference->test.kind,
                  difference->test.state ? difference->test.state : difference->row);
    if (difference->count > 1)
        strbuf_printf(out, ", and %zu more such states", difference->count - 1);
}

static void add_figures(const struct report_distinguish *report, struct strbuf *out)
{
    report_survey_figures(report->survey, out);
    if (report->survey->counts.undefined)
        strbuf_printf(out, "; %" PRIu64 " undefined under %s", report->survey->counts.undefined,
                      report->survey->mapping ? report->names[0] : "both");
    if (report->survey->counts.alike)
        strbuf_printf(out, "; %" PRIu64 " not asked, as both rule alike",
                      report->survey->counts.alike);
    if (report->survey->counts.refused)
        strbuf_printf(out, "; %" PRIu64 " not mapped, or without non-volatile locations",
                      report->survey->counts.refused);
    if (!report->survey->ended)
        strbuf_printf(out, "; to go on with --from %" PRIu64, report->survey->next);
}

/* ---- The document ---- */

static void add_why(const char *name, const struct report_why *why, struct report_tree *tree)
{
    report_tree_only(tree, REPORT_IN_PAGES, REPORT_HEAD, "%s: %s", name, why->verdict);
    if (*why->without_meaning)
        report_tree_line(tree, "Without meaning to %s: %s", name, why->without_meaning);
    report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", why->text);
    if (why->graph)
        report_tree_graph(tree, why->graph);
}

static void add_difference(const struct report_distinguish *report, int side,
                           const struct report_difference *difference, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_begin(tree, REPORT_LIST, NULL);
    report_tree_add(tree, REPORT_ITEM, NULL, "%s: %s", difference->name, difference->test.line);
    report_tree_begin(tree, REPORT_ITEM, NULL);
    add_state(report, side, difference, &tree->text);
    report_tree_end(tree);
    report_tree_end(tree);
    report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", difference->test.litmus);
    if (difference->target)
        report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", difference->target);
    add_why(report->names[side], &difference->why[0], tree);
    add_why(report->names[!side], &difference->why[1], tree);
    report_tree_end(tree);
}

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_distinguish *report = answer;
    report_tree_add(tree, REPORT_HEAD, NULL, "%s · %s", report->names[0], report->names[1]);
    report_tree_begin(tree, REPORT_LINE, "counts");
    add_figures(report, &tree->text);
    report_tree_end(tree);
}

static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_distinguish *report = answer;
    report_survey_left_out(report->survey, tree);
    for (int side = first_side(report); side < 2; side++) {
        const struct report_direction *direction = &report->directions[side];
        report_tree_begin(tree, REPORT_SECTION, NULL);
        report_tree_begin(tree, REPORT_HEAD, NULL);
        add_direction(report, side, &tree->text);
        report_tree_end(tree);
        for (uint32_t i = 0; i < direction->count; i++)
            add_difference(report, side, &direction->differences[i], tree);
        report_tree_end(tree);
    }
    tree->where = REPORT_IN_TEXT | REPORT_IN_MARKDOWN; /* HTML has it in its head */
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_add(&tree->text, "Summary: ");
    add_figures(report, &tree->text);
    report_tree_end(tree);
}

/* ---- JSON ---- */

static void json_why(const char *name, const struct report_why *why, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "pair", name);
    emit_string(out, "verdict", why->verdict);
    emit_string(out, "without_meaning", why->without_meaning);
    emit_string(out, "text", why->text);
    if (*why->json) {
        emit_name(out, "explanation");
        strbuf_add(out, why->json);
    }
    emit_end(out, '}');
}

static void json_difference(const struct report_distinguish *report, int side,
                            const struct report_difference *difference, struct strbuf *out)
{
    report_json_begin(difference->name, out);
    emit_string(out, "more", report->names[side]);
    emit_string(out, "less", report->names[!side]);
    report_survey_json_test(&difference->test, out);
    if (difference->target)
        emit_string(out, "target", difference->target);
    emit_string(out, "row", difference->row);
    emit_number(out, "count", difference->count);
    emit_array(out, "why");
    json_why(report->names[side], &difference->why[0], out);
    json_why(report->names[!side], &difference->why[1], out);
    emit_end(out, ']');
    report_json_end(out);
}

static void json_direction(const struct report_distinguish *report, int side, struct strbuf *out)
{
    const struct report_direction *direction = &report->directions[side];
    emit_object(out, NULL);
    emit_string(out, "more", report->names[side]);
    emit_string(out, "found", direction->count ? "yes" : direction->unknown ? "unknown" : "no");
    if (direction->count) {
        emit_number(out, "operations", direction->size);
        emit_number(out, "programs", direction->smallest);
    }
    emit_number(out, "open", direction->open);
    if (direction->doubt)
        emit_string(out, "doubt", direction->doubt);
    else if (!direction->count && direction->unknown)
        emit_string(out, "doubt", direction->unknown);
    emit_end(out, '}');
}

static void add_json(const void *answer, struct strbuf *out)
{
    const struct report_distinguish *report = answer;
    for (int side = first_side(report); side < 2; side++)
        for (uint32_t i = 0; i < report->directions[side].count; i++)
            json_difference(report, side, &report->directions[side].differences[i], out);
    report_survey_json_begin(report->survey, out);
    emit_array(out, "directions");
    for (int side = first_side(report); side < 2; side++)
        json_direction(report, side, out);
    emit_end(out, ']');
    report_json_end(out);
}

const struct report_subject report_distinguish = {
    .title = "crashlit distinguish", .head = add_head, .body = add_body, .json = add_json};
