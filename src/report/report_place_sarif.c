/* What place answers, as SARIF 2.1.0: a result for each model pair under which something is to be
 * changed, whose fixes (3.55) are the minimal fillings, each as a whole, since it was checked as a
 * whole. What does as it is has no result. Section numbers are those of the OASIS standard. */
#include "report/report_place.h"

#include "base/json.h"
#include "report/report_finding.h"
#include "report/report_string.h"

#include <string.h>

/* X(identifier, rule, name, level, text, help) */
#define RULES(X)                                                                                  \
    X(WIDE, "wider-than-needed", "WiderThanNeeded", "warning",                                    \
      "A barrier, fence or atomic access is wider or stronger than it need be.",                  \
      "Each fix is a minimal filling: all conditions hold, and no part of it can be less.")       \
    X(MISSING, "missing-order", "MissingOrder", "error",                                          \
      "Something is missing, too narrow or too weak.",                                            \
      "Each fix is a minimal filling: all conditions hold, and no part of it can be less.")       \
    X(HOLE, "left-open", "LeftOpen", "note", "The test leaves something open.",                   \
      "Each fix is a minimal filling: all conditions hold, and no part of it can be less.")       \
    X(NONE, "no-filling", "NoFilling", "error", "Nothing that is left open makes the test hold.", \
      "The conditions stand against each other, or something else is missing.")

enum rule {
#define X(identifier, ...) identifier,
    RULES(X)
#undef X
        RULE_COUNT
};

static const struct {
    const char *id, *name, *level, *text, *help;
} rules[] = {
#define X(identifier, ...) {__VA_ARGS__},
    RULES(X)
#undef X
};

static void add_text(struct strbuf *out, const char *name, const char *text)
{
    json_object(out, name);
    json_string(out, "text", text);
    json_end(out, '}');
}

static void add_artifact(struct strbuf *out, const struct source *source)
{
    struct strbuf uri = {0};
    report_uri(&uri, source->path);
    json_object(out, "artifactLocation");
    json_string(out, "uri", strbuf_text(&uri));
    json_end(out, '}');
    strbuf_fini(&uri);
}

static void add_location(struct strbuf *out, const struct span *span)
{
    json_array(out, "locations");
    json_object(out, NULL);
    json_object(out, "physicalLocation");
    add_artifact(out, span->source);
    json_object(out, "region");
    json_number(out, "startLine", span->line);
    json_number(out, "startColumn",
                report_character_column(span->source, span->line, span->column));
    strbuf_add(out, "}}}]");
}

/* ---- Fixes ---- */

/* In front of a line nothing is deleted (3.57.3). */
static void add_replacement(struct strbuf *out, const struct source *source,
                            const struct change *change)
{
    const struct span span = change_span(source, change);
    struct strbuf text = {0};
    json_object(out, NULL);
    json_object(out, "deletedRegion");
    json_number(out, "startLine", span.line);
    json_number(out, "startColumn", 1);
    json_number(out, "endLine", span.end_line);
    json_number(out, "endColumn", report_character_column(source, span.end_line, span.end_column));
    json_end(out, '}');
    change_add_text(source, change, &text);
    if (change->after)
        add_text(out, "insertedContent", strbuf_text(&text));
    strbuf_fini(&text);
    json_end(out, '}');
}

static void add_fix(const struct report_place *report, uint32_t number, struct strbuf *out)
{
    const struct sketch *sketch = report->placement->sketch;
    struct strbuf words = {0};
    report_place_sentence(report, number, &words);
    json_object(out, NULL);
    add_text(out, "description", strbuf_text(&words));
    json_array(out, "artifactChanges");
    for (uint32_t f = 0; f < sketch->file_count; f++) {
        const struct changes *changes = &report->changes[(size_t)number * sketch->file_count + f];
        if (!changes->count)
            continue;
        json_object(out, NULL);
        add_artifact(out, sketch->files[f]);
        json_array(out, "replacements");
        for (uint32_t i = 0; i < changes->count; i++)
            add_replacement(out, sketch->files[f], &changes->items[i]);
        strbuf_add(out, "]}");
    }
    strbuf_add(out, "]}");
    strbuf_fini(&words);
}

void report_place_sarif_fixes(const struct report_place *report, struct strbuf *out)
{
    if (!report->shown_count)
        return;
    json_array(out, "fixes");
    for (uint32_t i = 0; i < report->shown_count; i++)
        add_fix(report, report->shown[i], out);
    json_end(out, ']');
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

void report_place_sarif(const struct report_place *report, struct strbuf *out)
{
    enum rule rule = rule_of(report);
    struct strbuf words = {0};
    if (rule != NONE && does_as_it_is(report))
        return;
    const struct span span = place_of(report);
    const bool open = report->as_it_is && report->as_it_is->kind == PLACEMENT_UNKNOWN;
    if (report->as_it_is)
        report_place_present(report, &words);
    else if (rule == NONE) {
        strbuf_add(&words, rules[NONE].text);
        report_place_nor(report, &words);
    } else
        report_place_sentence(report, report->shown[0], &words);
    strbuf_printf(&words, " (under %s + %s)", report->visibility, report->persistency);
    json_name(out, NULL);
    strbuf_add_char(out, '\n');
    json_object(out, NULL);
    json_string(out, "ruleId", rules[rule].id);
    json_number(out, "ruleIndex", (uint64_t)rule);
    json_string(out, "kind", open ? "open" : "fail");
    json_string(out, "level", open ? "none" : rules[rule].level);
    add_text(out, "message", strbuf_text(&words));
    add_location(out, &span);
    report_place_sarif_fixes(report, out);
    json_end(out, '}');
    strbuf_fini(&words);
}

void report_place_sarif_begin(const char *version, struct strbuf *out)
{
    strbuf_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                    "schemas/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
                    "\"tool\":{\"driver\":{");
    json_string(out, "name", "crashlit");
    json_string(out, "version", version);
    json_array(out, "rules");
    for (uint32_t i = 0; i < RULE_COUNT; i++) {
        json_name(out, NULL);
        strbuf_add_char(out, '\n');
        json_object(out, NULL);
        json_string(out, "id", rules[i].id);
        json_string(out, "name", rules[i].name);
        add_text(out, "shortDescription", rules[i].text);
        add_text(out, "help", rules[i].help);
        json_object(out, "defaultConfiguration");
        json_string(out, "level", rules[i].level);
        strbuf_add(out, "}}");
    }
    strbuf_add(out, "]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[");
}

void report_place_sarif_end(const char *command, int status, struct strbuf *out)
{
    strbuf_add(out, "],\n\"invocations\":[{");
    json_bool(out, "executionSuccessful", status != 2 && status != 70);
    json_number(out, "exitCode", (uint64_t)status);
    json_string(out, "commandLine", command);
    strbuf_add(out, "}]}]}\n");
}
