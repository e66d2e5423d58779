#include "report/report_place.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct sketch *sketch_of(const struct report_place *report)
{
    return report->placement->sketch;
}

/* ---- Choices in words ---- */

static bool is_behind(const struct sketch_open_place *place, const struct sketch_open_place *other)
{
    return place->file != other->file ? place->file > other->file
                                      : place->span.line > other->span.line;
}

/* The first place of a choice on a line behind that of another place; of all, when there is none.
 */
static const struct sketch_open_place *next_place(const struct sketch_choice *choice,
                                                  const struct sketch_open_place *after)
{
    const struct sketch_open_place *next = NULL;
    for (uint32_t i = 0; i < choice->place_count; i++) {
        const struct sketch_open_place *place = &choice->places[i];
        if ((!after || is_behind(place, after)) && (!next || is_behind(next, place)))
            next = place;
    }
    return next;
}

/* Has another choice of its kind a place on that line? Then columns tell them apart. */
static bool is_shared(const struct sketch *sketch, const struct sketch_choice *choice,
                      const struct sketch_open_place *place)
{
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        for (uint32_t i = 0; i < sketch->choices[c].place_count; i++) {
            const struct sketch_open_place *other = &sketch->choices[c].places[i];
            if (&sketch->choices[c] != choice && sketch->choices[c].kind == choice->kind &&
                other->file == place->file && other->span.line == place->span.line)
                return true;
        }
    return false;
}

/* "line 6", "lines 6 and 12", with the file where there are several; of one that is named its name.
 */
void report_place_choice(const struct report_place *report, const struct sketch_choice *choice,
                         struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    if (choice->name) {
        strbuf_printf(out, "?%s", choice->name);
        return;
    }
    const struct sketch_open_place *place = next_place(choice, NULL), *next;
    const char *before = "";
    if (sketch->file_count == 1)
        strbuf_add(out, next_place(choice, place) ? "lines " : "line ");
    for (; place; place = next) {
        next = next_place(choice, place);
        strbuf_add(out, before);
        if (sketch->file_count > 1)
            strbuf_printf(out, "%s:", sketch->files[place->file]->name);
        strbuf_printf(out, "%u", place->span.line);
        if (is_shared(sketch, choice, place))
            strbuf_printf(out, ":%u", place->span.column);
        before = next && next_place(choice, next) ? ", " : " and ";
    }
}

bool report_place_is_left_out(const struct sketch_choice *choice, uint32_t value)
{
    return value == LIT_LEFT_OUT &&
           (choice->kind == LIT_OPEN_PRESENCE || choice->kind == LIT_OPEN_SLOT);
}

/* What the filling says of the choice. */
void report_place_said(const struct sketch_choice *choice, uint8_t value, struct strbuf *out)
{
    uint32_t present = (uint32_t)choice->original;
    const char *is = choice->values[value].label, *was;
    if (choice->original < 0) {
        strbuf_add(out, is);
        return;
    }
    was = choice->values[present].label;
    if (value == present)
        strbuf_printf(out, "%s is needed", is);
    else if (report_place_is_left_out(choice, value))
        strbuf_printf(out, "%s can be left out", was);
    else if (choice->values[value].part_count)
        strbuf_printf(out, "%s statements are added: %s",
                      choice->values[value].part_count == 2 ? "two" : "three", is);
    else if (report_place_is_left_out(choice, present))
        strbuf_printf(out, "%s is added", is);
    else if (choice->below[present] >> value & 1)
        strbuf_printf(out, "%s suffices for %s", is, was);
    else
        strbuf_printf(out, "%s in place of %s", is, was);
}

void report_place_why(const struct report_place *report, const struct placement_reason *reason,
                      struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    if (sketch->given_count > 1 && reason->file < sketch->file_count)
        strbuf_printf(out, "%s: ", sketch->files[reason->file]->name);
    if (reason->condition_text)
        strbuf_printf(out, "%s is ", reason->condition_text);
    strbuf_add(out, placement_reason_word(reason->kind));
    if (*reason->words)
        strbuf_printf(out, ": %s", reason->words);
}

void report_place_reason(const struct report_place *report, const struct placement_reason *reason,
                         struct strbuf *out)
{
    report_place_why(report, reason, out);
    strbuf_add_char(out, '\n');
}

void report_place_title(const struct report_place *report, struct strbuf *out)
{
    uint32_t count = sketch_of(report)->given_count;
    for (uint32_t f = 0; f < count; f++)
        strbuf_printf(out, "%s%s", f == 0 ? "" : f + 1 < count ? ", " : " and ", report->titles[f]);
}

void report_place_sentence(const struct report_place *report, uint32_t filling, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    const uint8_t *values = report->placement->fillings[filling].filling.value;
    for (uint32_t i = 0, said = 0; i < sketch->choice_count; i++) {
        if (values[i] == sketch->choices[i].original)
            continue;
        strbuf_add(out, said++ ? "; " : "");
        report_place_choice(report, &sketch->choices[i], out);
        strbuf_add(out, ": ");
        report_place_said(&sketch->choices[i], values[i], out);
    }
}

/* ---- Text ---- */

static void add_steps(const struct report_place *report, const struct placement_filling *filling,
                      uint32_t number, struct strbuf *out)
{
    const struct sketch_choice *choice = &sketch_of(report)->choices[number];
    for (uint32_t i = 0; i < filling->step_count; i++) {
        const struct placement_step *step = &filling->steps[i];
        if (step->choice != number)
            continue;
        if (report_place_is_left_out(choice, step->value))
            strbuf_add(out, "    without it: ");
        else
            strbuf_printf(out, "    with %s: ", choice->values[step->value].label);
        report_place_reason(report, &step->reason, out);
    }
}

void report_place_choices(const struct report_place *report,
                          const struct placement_filling *filling, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    for (uint32_t i = 0; i < sketch->choice_count; i++) {
        const struct sketch_choice *choice = &sketch->choices[i];
        uint8_t value = filling->filling.value[i];
        if (choice->original == 0 && value == 0)
            continue;
        strbuf_add(out, "  ");
        report_place_choice(report, choice, out);
        strbuf_add(out, ": ");
        report_place_said(choice, value, out);
        strbuf_add_char(out, '\n');
        add_steps(report, filling, i, out);
    }
}

const struct changes *report_place_changes(const struct report_place *report, uint32_t filling)
{
    return &report->changes[(size_t)filling * sketch_of(report)->file_count];
}

static bool changes_nothing(const struct report_place *report, uint32_t filling)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < sketch_of(report)->file_count; f++)
        count += report_place_changes(report, filling)[f].count;
    return count == 0;
}

/* "  goes to narrowed/wide.litmus" */
static void add_written(const struct report_place *report, uint32_t number, struct strbuf *out)
{
    const char *const *paths = report->written ? report->written[number] : NULL;
    for (uint32_t f = 0; paths && f < sketch_of(report)->file_count; f++)
        strbuf_printf(out, "%s%s", f ? ", " : "  goes to ", paths[f]);
    if (paths)
        strbuf_add_char(out, '\n');
}

static void add_filling(const struct report_place *report, uint32_t at, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    uint32_t number = report->shown[at];
    const struct placement_filling *filling = &report->placement->fillings[number];
    strbuf_printf(out, "Filling %u", number + 1);
    if (report->weights)
        strbuf_printf(out, ", weight %" PRIu64, report->weights[number]);
    bool alone = report->placement->count == 1 && report->placement->complete;
    strbuf_add(out, !changes_nothing(report, number) ? "\n"
                    : alone                          ? ": as it is, so nothing is to be changed\n"
                                                     : ": as it is\n");
    report_place_choices(report, filling, out);
    for (uint32_t f = 0; f < sketch->file_count; f++)
        report_place_diff(sketch->files[f], &report_place_changes(report, number)[f], out);
    if (filling->confirmed_by)
        strbuf_printf(out, "  confirmed by %s\n", filling->confirmed_by);
    if (filling->unconfirmed)
        strbuf_printf(out, "  not confirmed: %s\n", filling->unconfirmed);
    if (filling->disputed_by)
        strbuf_printf(out, "  disputed by %s\n", filling->disputed_by);
    add_written(report, number, out);
}

/* "?s wi, line 6 left out"; of an ordinary test what is otherwise there, or "as it is". */
void report_place_values(const struct report_place *report, const char *with,
                         const struct sketch_filling *filling, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    uint32_t said = 0;
    for (uint32_t i = 0; i < sketch->choice_count; i++) {
        if (filling->value[i] == sketch->choices[i].original)
            continue;
        strbuf_add(out, said++ ? ", " : with);
        report_place_choice(report, &sketch->choices[i], out);
        strbuf_printf(out, " %s", sketch->choices[i].values[filling->value[i]].label);
    }
    if (!said)
        strbuf_add(out, "as it is");
}

void report_place_conflict(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    if (placement->clash_count > 1)
        strbuf_add(out, "These cannot be met together:\n");
    for (uint32_t i = 0; i < placement->clash_count; i++) {
        const struct placement_clash *clash = &placement->clashes[i];
        strbuf_add(out, "  ");
        report_place_reason(report, &clash->reason, out);
        strbuf_add(out, "    for example ");
        report_place_values(report, "with ", &clash->broken_by, out);
        strbuf_add(out, clash->can_be_met ? "\n    met alone, for example "
                                          : "\n    no filling meets it\n");
        if (!clash->can_be_met)
            continue;
        report_place_values(report, "by ", &clash->met_by, out);
        strbuf_add_char(out, '\n');
    }
}

static void add_open(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    for (uint32_t i = 0; i < placement->open_count; i++) {
        strbuf_add(out, "Not known: ");
        report_place_values(report, "", &placement->open[i], out);
        strbuf_add(out, ": ");
        report_place_reason(report, &placement->open_reasons[i], out);
    }
}

void report_place_nor(const struct report_place *report, struct strbuf *out)
{
    if (report->several == REPORT_PLACE_NEITHER)
        strbuf_add(out, ", nor with several statements at one point");
    if (report->several == REPORT_PLACE_OPEN)
        strbuf_printf(out, " with one statement at each point; with several it is not known%s%s",
                      report->several_limit ? ": " : "",
                      report->several_limit ? report->several_limit : "");
}

void report_place_summary(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    if (report->several == REPORT_PLACE_SEVERAL)
        strbuf_add(out, "With one statement at each point none will do; with several:\n");
    if (placement->count && placement->complete)
        strbuf_printf(out, "Minimal fillings: %u, all there are", placement->count);
    else if (placement->count)
        strbuf_printf(out, "Minimal fillings: %u so far", placement->count);
    else
        strbuf_add(out, placement->complete ? "No filling will do"
                        : placement->stands
                            ? "No smaller filling found so far, and as it is the test will do"
                            : "No filling found so far");
    report_place_nor(report, out);
    if (placement->open_count)
        strbuf_printf(out, ", but for %u that %s not known", placement->open_count,
                      placement->open_count == 1 ? "is" : "are");
    if (placement->limit)
        strbuf_printf(out, "; %s", placement->limit);
    strbuf_printf(out, "\n%" PRIu64 " of ", placement->tried);
    if (isfinite(placement->total))
        strbuf_printf(out, "%.0f", placement->total);
    else
        strbuf_printf(out, "more than 10^%d", DBL_MAX_10_EXP);
    strbuf_printf(out, " fillings checked, %" PRIu64 " executions looked at\n",
                  placement->executions);
}

void report_place_present(const struct report_place *report, struct strbuf *out)
{
    strbuf_add(out, report->as_it_is->kind == PLACEMENT_UNKNOWN
                        ? "Nothing is changed, as it is not known to do as it is: "
                        : "Nothing is narrowed, as it does not do as it is: ");
    report_place_why(report, report->as_it_is, out);
}

void report_place_text(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    strbuf_add(out, sketch_of(report)->given_count > 1 ? "Tests " : "Test ");
    report_place_title(report, out);
    strbuf_printf(out, ", models %s + %s\n", report->visibility, report->persistency);
    if (report->as_it_is) {
        report_place_present(report, out);
        strbuf_add(out, report->as_it_is->kind == PLACEMENT_UNKNOWN
                            ? "\n\n"
                            : "\n  --repair asks what would mend it\n\n");
        return;
    }
    if (!sketch_of(report)->choice_count)
        strbuf_add(out, "No barrier, fence or atomic access could be otherwise\n");
    for (uint32_t i = 0; i < report->shown_count; i++)
        add_filling(report, i, out);
    if (report->shown_count < placement->count)
        strbuf_printf(out, "%u more%s\n", placement->count - report->shown_count,
                      report->weights ? ", which weigh more" : ": --all shows them");
    report_place_conflict(report, out);
    add_open(report, out);
    report_place_summary(report, out);
    strbuf_add_char(out, '\n');
}
