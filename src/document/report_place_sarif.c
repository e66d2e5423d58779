/* What place answers, as SARIF 2.1.0: a result for each model pair under which something is to be
 * changed, whose fixes (3.55) are the fillings, each as a whole, since it was checked as a whole. What
 * does as it is has no result. What is not known is of kind `open`. Section numbers are those of the OASIS standard. */
#include "document/report_place.h"

#include "base/json.h"
#include "document/report_finding.h"
#include "document/report_sarif.h"

#include <string.h>

enum rule { WIDE, MISSING, HOLE, NONE, RULE_COUNT };

static const char help[] = "Each fix is a filling: all conditions hold. Unless it says that less "
                           "may do, no part of it can "
                           "be less.";
static const struct report_sarif_rule rules[RULE_COUNT] = {
    [WIDE] = {"wider-than-needed", "WiderThanNeeded",
              "A barrier, fence or atomic access is wider or stronger than it need be.", help,
              "warning"},
    [MISSING] = {"missing-order", "MissingOrder", "Something is missing, too narrow or too weak.",
                 help, "error"},
    [HOLE] = {"left-open", "LeftOpen", "The test leaves something open.", help, "note"},
    [NONE] = {"no-filling", "NoFilling", "Nothing that is left open makes the test hold.",
              "The conditions stand against each other, or something else is missing.", "error"},
};

/* ---- Fixes ---- */

/* In front of a line nothing is deleted (3.57.3). */
static void add_replacement(struct strbuf *out, const struct source *source,
                            const struct change *change)
{
    const struct span span = change_span(source, change);
    SCOPED(strbuf) text = {0};
    emit_object(out, NULL);
    emit_object(out, "deletedRegion");
    emit_number(out, "startLine", span.line);
    emit_number(out, "startColumn", 1);
    emit_number(out, "endLine", span.end_line);
    emit_number(out, "endColumn", report_character_column(source, span.end_line, span.end_column));
    emit_end(out, '}');
    change_add_text(source, change, &text);
    if (change->after)
        report_sarif_text(out, "insertedContent", strbuf_text(&text));
    emit_end(out, '}');
}

void report_place_sarif_fix(const struct report_place *report, uint32_t number,
                            const struct changes *changes, struct strbuf *out)
{
    const struct sketch *sketch = report->placement->sketch;
    SCOPED(strbuf) words = {0};
    report_place_sentence(report, number, &words);
    if (report->placement->fillings[number].unreduced)
        strbuf_printf(&words, "; %s", report_place_unreduced);
    emit_object(out, NULL);
    report_sarif_text(out, "description", strbuf_text(&words));
    emit_array(out, "artifactChanges");
    for (uint32_t f = 0; f < sketch->file_count; f++) {
        if (!changes[f].count)
            continue;
        emit_object(out, NULL);
        report_sarif_artifact(out, sketch->files[f]->path);
        emit_array(out, "replacements");
        for (uint32_t i = 0; i < changes[f].count; i++)
            add_replacement(out, sketch->files[f], &changes[f].items[i]);
        strbuf_add(out, "]}");
    }
    strbuf_add(out, "]}");
}

void report_place_sarif_fixes(const struct report_place *report, struct strbuf *out)
{
    if (!report->shown_count)
        return;
    emit_array(out, "fixes");
    for (uint32_t i = 0; i < report->shown_count; i++)
        report_place_sarif_fix(report, report->shown[i],
                               report_place_changes(report, report->shown[i]), out);
    emit_end(out, ']');
}

/* ---- Results ---- */

/* Does some shown filling leave everything as it is? */
static bool does_as_it_is(const struct report_place *report)
{
    const struct placement *placement = report->placement;
    for (uint32_t i = 0; i < report->shown_count; i++) {
        bool same = true;
        for (uint32_t c = 0; c < placement->sketch->choice_count; c++)
            same &= placement->fillings[report->shown[i]].filling.value[c] ==
                    placement->sketch->choices[c].original;
        if (same)
            return true;
    }
    return false;
}

static enum rule rule_of(const struct report_place *report)
{
    const struct placement *placement = report->placement;
    if (report->as_it_is || !placement->count)
        return NONE;
    for (uint32_t c = 0; c < placement->sketch->choice_count; c++) {
        const struct sketch_choice *choice = &placement->sketch->choices[c];
        uint8_t value = placement->fillings[report->shown[0]].filling.value[c];
        if (choice->original < 0)
            return HOLE;
        if (value != choice->original && !(choice->below[choice->original] >> value & 1))
            return MISSING;
    }
    return WIDE;
}

/* Of the first choice that is to be otherwise. */
static struct span place_of(const struct report_place *report)
{
    const struct sketch *sketch = report->placement->sketch;
    for (uint32_t c = 0; report->shown_count && c < sketch->choice_count; c++)
        if (report->placement->fillings[report->shown[0]].filling.value[c] !=
            sketch->choices[c].original)
            return sketch->choices[c].places[0].span;
    return sketch->choice_count ? sketch->choices[0].places[0].span
                                : (struct span){sketch->files[0], 1, 1, 1, 1};
}

/* Did the search for a filling end before it had found one, or none? */
static bool is_cut(const struct report_place *report)
{
    const struct placement *placement = report->placement;
    return !placement->count && (!placement->complete || placement->open_count);
}

/* Is it not known whether there is something to be done? */
static bool is_open(const struct report_place *report)
{
    if (report->as_it_is)
        return report->as_it_is->kind == PLACEMENT_UNKNOWN;
    return is_cut(report) || (!report->placement->count && (report->several == REPORT_PLACE_OPEN ||
                                                            report->swaps == REPORT_PLACE_OPEN));
}

void report_place_sarif(const void *answer, struct strbuf *out)
{
    const struct report_place *report = answer;
    enum rule rule = report ? rule_of(report) : NONE;
    SCOPED(strbuf) words = {0};
    if (!report || (rule != NONE && does_as_it_is(report)))
        return;
    const struct span span = place_of(report);
    const bool open = is_open(report);
    if (report->as_it_is)
        report_place_present(report, &words);
    else if (rule == NONE && is_cut(report))
        report_place_count(report, &words);
    else if (rule == NONE) {
        strbuf_add(&words, rules[NONE].text);
        report_place_nor(report, &words);
    } else
        report_place_sentence(report, report->shown[0], &words);
    strbuf_printf(&words, " (under %s + %s)", report->visibility, report->persistency);
    emit_name(out, NULL);
    report_sarif_result(rules, rule, open ? "open" : "fail", open ? "none" : rules[rule].level,
                        out);
    report_sarif_message(strbuf_text(&words), out);
    emit_array(out, "locations");
    emit_object(out, NULL);
    report_sarif_place(out, span.source->path, &span);
    strbuf_add(out, "}]");
    report_sarif_fingerprint(strbuf_text(&words), out);
    report_place_sarif_fixes(report, out);
    emit_end(out, '}');
}

void report_place_sarif_begin(const void *answer, struct strbuf *out)
{
    const struct report_place_run *run = answer;
    report_sarif_begin("crashlit/place/", run->version, rules, RULE_COUNT, out);
}

void report_place_sarif_end(const void *answer, struct strbuf *out)
{
    const struct report_place_run *run = answer;
    report_sarif_end(
        &(struct report_sarif_ending){.command = run->command,
                                      .status = run->status,
                                      .successful = run->status != 2 && run->status != 70,
                                      .absolute = report_sarif_is_absolute(strbuf_text(out))},
        out);
}
