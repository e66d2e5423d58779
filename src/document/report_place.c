#include "base/json.h"
#include "document/report_place.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const struct sketch *sketch_of(const struct report_place *report)
{
    return report->placement->sketch;
}

/* ---- In words ---- */

static bool is_behind(const struct sketch_open_place *place, const struct sketch_open_place *other)
{
    return place->file != other->file ? place->file > other->file
                                      : place->span.line > other->span.line;
}

/* Places of a choice. */
struct places {
    const struct sketch_choice *choice;
    uint32_t value; /* SWAP: by which they have another text; 0: all of them */
};

/* The first place on a line behind the line of another place; for NULL the first of all. */
static const struct sketch_open_place *next_place(const struct places *of,
                                                  const struct sketch_open_place *after)
{
    const struct sketch_choice *choice = of->choice;
    const struct sketch_open_place *next = NULL;
    EACH (const struct sketch_open_place, place, choice->places, choice->place_count) {
        if (of->value && !sketch_open_text(choice, place, of->value))
            continue;
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
        EACH (const struct sketch_open_place, other, sketch->choices[c].places,
              sketch->choices[c].place_count)
            if (&sketch->choices[c] != choice && sketch->choices[c].kind == choice->kind &&
                other->file == place->file && other->span.line == place->span.line)
                return true;
    return false;
}

/* "log.cu:17, in front of st.global.u32"; what was made of one statement has one text. */
static void add_where(const struct lit_origin *origin, struct strbuf *out)
{
    if (origin->text)
        strbuf_add(out, origin->text);
    else
        strbuf_printf(out, "%s:%u", source_file_name(origin->code.source->name), origin->code.line);
}

/* In one kernel: copies of an instruction, or several of one line. */
static uint32_t count_together(const struct sketch_choice *choice)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < choice->place_count; i++)
        count += strcmp(choice->places[i].origin->kernel, choice->places[0].origin->kernel) == 0;
    return count;
}

static void add_origin(const struct sketch *sketch, const struct sketch_choice *choice,
                       struct strbuf *out)
{
    const struct sketch_open_place *place = &choice->places[0];
    const struct lit_origin *origin = place->origin;
    const uint32_t together = count_together(choice);
    add_where(origin, out);
    if (choice->kind == LIT_OPEN_SLOT && choice->original == LIT_LEFT_OUT)
        strbuf_add(out, ", in front of ");
    else if (together > 1)
        strbuf_add(out, ", ");
    if (together > 1)
        strbuf_printf(out, "all %u %s of it", together, origin->word);
    else if (choice->kind == LIT_OPEN_SLOT && choice->original == LIT_LEFT_OUT)
        strbuf_add(out, origin->word);
    else if (is_shared(sketch, choice, place))
        strbuf_printf(out, ", %s", origin->word);
}

/* "line 6", "lines 6 and 12", with the file if there are several; or the choice's name. A swap has
 * the places that its value changes. */
static void add_choice(const struct report_place *report, const struct sketch_choice *choice,
                       uint32_t value, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    const struct places places = {choice, choice->kind == LIT_OPEN_SWAP ? value : 0};
    if (choice->name) {
        strbuf_printf(out, "?%s", choice->name);
        return;
    }
    const struct sketch_open_place *place = next_place(&places, NULL), *next;
    const char *before = "";
    if (choice->places[0].origin) {
        add_origin(sketch, choice, out);
        return;
    }
    if (sketch->file_count == 1)
        strbuf_add(out, next_place(&places, place) ? "lines " : "line ");
    for (; place; place = next) {
        next = next_place(&places, place);
        strbuf_add(out, before);
        if (sketch->file_count > 1)
            strbuf_printf(out, "%s:", sketch->files[place->file]->name);
        strbuf_printf(out, "%u", place->span.line);
        if (is_shared(sketch, choice, place))
            strbuf_printf(out, ":%u", place->span.column);
        before = next && next_place(&places, next) ? ", " : " and ";
    }
}

void report_place_choice(const struct report_place *report, const struct sketch_choice *choice,
                         struct strbuf *out)
{
    add_choice(report, choice, 0, out);
}

bool report_place_is_left_out(const struct sketch_choice *choice, uint32_t value)
{
    return value == LIT_LEFT_OUT &&
           (choice->kind == LIT_OPEN_PRESENCE || choice->kind == LIT_OPEN_SLOT);
}

/* Appends what the filling makes of the choice. */
static void add_said(const struct sketch_choice *choice, uint8_t value, struct strbuf *out)
{
    uint32_t present = (uint32_t)choice->original;
    const char *is = choice->values[value].label, *was;
    if (choice->original < 0 || choice->kind == LIT_OPEN_SWAP) {
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

void report_place_sentence(const struct report_place *report, uint32_t filling, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    const uint8_t *values = report->placement->fillings[filling].filling.value;
    for (uint32_t i = 0, said = 0; i < sketch->choice_count; i++) {
        if (values[i] == sketch->choices[i].original)
            continue;
        strbuf_add(out, said++ ? "; " : "");
        add_choice(report, &sketch->choices[i], values[i], out);
        strbuf_add(out, ": ");
        add_said(&sketch->choices[i], values[i], out);
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

/* Appends "?s wi, line 6 left out"; for an ordinary test only what differs, or "the program as it
 * is". */
static void add_values(const struct report_place *report, const char *with,
                       const struct sketch_filling *filling, struct strbuf *out)
{
    const struct sketch *sketch = sketch_of(report);
    uint32_t said = 0;
    for (uint32_t i = 0; i < sketch->choice_count; i++) {
        if (filling->value[i] == sketch->choices[i].original)
            continue;
        strbuf_add(out, said++ ? ", " : with);
        add_choice(report, &sketch->choices[i], filling->value[i], out);
        strbuf_printf(out, " %s", sketch->choices[i].values[filling->value[i]].label);
    }
    if (!said)
        strbuf_add(out, "the program as it is");
}

void report_place_nor(const struct report_place *report, struct strbuf *out)
{
    if (report->several == REPORT_PLACE_NEITHER)
        strbuf_add(out, ", nor with several statements at one point");
    if (report->several == REPORT_PLACE_OPEN)
        strbuf_printf(out, " with one statement at each point; with several it is not known%s%s",
                      report->several_limit ? ": " : "",
                      report->several_limit ? report->several_limit : "");
    if (report->swaps == REPORT_PLACE_NEITHER)
        strbuf_add(out, ", nor with two stores in each other's place");
    if (report->swaps == REPORT_PLACE_OPEN)
        strbuf_printf(out, "; with two stores in each other's place it is not known%s%s",
                      report->swaps_limit ? ": " : "",
                      report->swaps_limit ? report->swaps_limit : "");
}

typedef void tried_visit(const char *label, size_t before, struct strbuf *out);

/* Visits each statement that was offered as an addition to an ordinary test once. */
static void each_tried(const struct sketch *sketch, tried_visit *visit, struct strbuf *out)
{
    VEC(const char *) seen = {NULL, 0, 0};
    EACH (const struct sketch_choice, choice, sketch->choices, sketch->choice_count) {
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++) {
            const char *label = choice->values[v].label;
            if (choice->original < 0 || choice->values[v].part_count ||
                ANY(i, seen.count, strcmp(seen.items[i], label) == 0))
                continue;
            for (const struct sketch_open_value *of = &choice->values[v]; of; of = of->twin) {
                visit(of->label, seen.count, out);
                VEC_PUSH(&seen, of->label);
            }
        }
    }
    VEC_FREE(&seen);
}

static void add_tried(const char *label, size_t before, struct strbuf *out)
{
    strbuf_printf(out, "%s%s", before ? ", " : "Tried as additions: ", label);
}

void report_place_tried(const struct sketch *sketch, struct strbuf *out)
{
    const size_t before = out->length;
    each_tried(sketch, add_tried, out);
    if (out->length > before)
        strbuf_add(out, "; no others");
}

static void json_tried(const char *label, size_t before, struct strbuf *out)
{
    (void)before;
    emit_string(out, NULL, label);
}

void report_place_json_tried(const struct sketch *sketch, struct strbuf *out)
{
    if (!sketch->choice_count || sketch->choices[0].original < 0)
        return;
    emit_array(out, "additions");
    each_tried(sketch, json_tried, out);
    emit_end(out, ']');
}

const char report_place_unreduced[] = "less may do: the limit came before that was known";

void report_place_count(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    if (placement->count && placement->complete)
        strbuf_printf(out, "Minimal fillings: %u, all there are", placement->count);
    else if (placement->count)
        strbuf_printf(
            out, "%s: %u so far, and %s",
            placement_minimal_count(placement) < placement->count ? "Fillings that will do"
                                                                  : "Minimal fillings",
            placement->count,
            placement->fewest ? "none has fewer changes" : "there may be others, cheaper ones too");
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
}

static void add_summary(const struct report_place *report, struct strbuf *out)
{
    const struct placement *placement = report->placement;
    if (report->several == REPORT_PLACE_FURTHER)
        strbuf_add(out, "With one statement at each point none will do; with several:\n");
    if (report->swaps == REPORT_PLACE_FURTHER)
        strbuf_add(
            out, "With the stores in their order none will do; with two in each other's place:\n");
    report_place_count(report, out);
    strbuf_add(out, "\n");
    size_t before = out->length;
    if (!placement->count && placement->complete)
        report_place_tried(placement->sketch, out);
    strbuf_printf(out, "%s%" PRIu64 " of ", out->length > before ? "\n" : "", placement->tried);
    if (isfinite(placement->total))
        strbuf_printf(out, "%.0f", placement->total);
    else
        strbuf_printf(out, "more than 10^%d", DBL_MAX_10_EXP);
    strbuf_printf(out, " fillings checked, %" PRIu64 " executions looked at",
                  placement->executions);
}

void report_place_present(const struct report_place *report, struct strbuf *out)
{
    strbuf_add(out,
               report->as_it_is->kind == PLACEMENT_UNKNOWN
                   ? "Nothing is changed, as it is not known whether the test holds as it stands: "
                   : "Nothing is narrowed, as the test does not hold as it stands: ");
    report_place_why(report, report->as_it_is, out);
}

/* ---- Executions ---- */

static void add_execution(const struct report_execution *execution, bool open,
                          struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_FOLD, "execution")->open = open;
    report_tree_begin(tree, REPORT_HEAD, NULL)->where = REPORT_IN_PAGES;
    strbuf_add(&tree->text, execution->undefined ? "an execution with undefined behaviour"
                            : execution->crash   ? "the crash state "
                                                 : "the final state ");
    if (!execution->undefined)
        report_tree_add(tree, REPORT_CODE, NULL, "%s", execution->state);
    report_tree_end(tree);
    if (execution->graph)
        report_tree_graph(tree, execution->graph);
    else
        report_tree_line(tree, "an execution too large to be drawn");
    for (size_t k = 0; k < execution->recoveries.count; k++)
        report_tree_graph(tree, execution->recoveries.items[k]);
    report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", execution->text);
    report_tree_end(tree);
}

static void add_gallery(const struct report_gallery *gallery, bool open, struct report_tree *tree)
{
    const unsigned where = tree->where;
    tree->where = REPORT_IN_PAGES | REPORT_IN_PICTURES;
    for (size_t i = 0; gallery && i < gallery->items.count; i++)
        add_execution(&gallery->items.items[i], open, tree);
    tree->where = where;
}

/* ---- Choices ---- */

/* Adds the places of a named choice: "line 7", each as a link. */
static void add_places(const struct report_place *report, const struct sketch_choice *choice,
                       const char *id, struct report_tree *tree)
{
    const struct sketch *sketch = sketch_of(report);
    report_tree_begin(tree, REPORT_SMALL, NULL)->where = REPORT_IN_PAGES;
    for (uint32_t i = 0; i < choice->place_count; i++) {
        const struct sketch_open_place *place = &choice->places[i];
        const bool several = sketch->file_count > 1;
        strbuf_add(&tree->text, i ? ", " : " ");
        report_tree_link(tree,
                         arena_printf(&tree->arena, "%s%u-L%u", id, place->file, place->span.line),
                         "%s%sline %u", several ? sketch->files[place->file]->name : "",
                         several ? ", " : "", place->span.line);
    }
    report_tree_end(tree);
}

static void add_step(const struct report_place *report, const struct sketch_choice *choice,
                     const struct placement_step *step, struct report_tree *tree)
{
    if (report_place_is_left_out(choice, step->value))
        strbuf_add(&tree->text, "without it: ");
    else {
        strbuf_add(&tree->text, "with ");
        report_tree_add(tree, REPORT_CODE, NULL, "%s", choice->values[step->value].label);
        strbuf_add(&tree->text, ": ");
    }
    report_place_why(report, &step->reason, &tree->text);
}

static void add_steps(const struct report_place *report, uint32_t filling, uint32_t number,
                      struct report_tree *tree)
{
    const struct placement_filling *of = &report->placement->fillings[filling];
    report_tree_begin(tree, REPORT_LIST, "steps");
    for (uint32_t i = 0; i < of->step_count; i++) {
        if (of->steps[i].choice != number)
            continue;
        report_tree_begin(tree, REPORT_ITEM, NULL);
        add_step(report, &sketch_of(report)->choices[number], &of->steps[i], tree);
        if (report->step_pictures)
            add_gallery(report->step_pictures[filling][i], filling == report->shown[0], tree);
        report_tree_end(tree);
    }
    report_tree_end(tree);
}

void report_place_choices(const struct report_place *report, uint32_t filling, const char *id,
                          struct report_tree *tree)
{
    const struct sketch *sketch = sketch_of(report);
    const uint8_t *values = report->placement->fillings[filling].filling.value;
    report_tree_begin(tree, REPORT_LIST, "choices");
    for (uint32_t i = 0; i < sketch->choice_count; i++) {
        const struct sketch_choice *choice = &sketch->choices[i];
        if (choice->original == 0 && values[i] == 0)
            continue;
        report_tree_begin(tree, REPORT_ITEM, NULL);
        report_tree_begin(tree, REPORT_STRONG, NULL);
        add_choice(report, choice, values[i], &tree->text);
        report_tree_end(tree);
        strbuf_add(&tree->text, ": ");
        add_said(choice, values[i], &tree->text);
        if (choice->name && id)
            add_places(report, choice, id, tree);
        add_steps(report, filling, i, tree);
        report_tree_end(tree);
    }
    report_tree_end(tree);
}

/* ---- Fillings ---- */

/* A line of text each; in a page they stand where the filling begins. */
static void add_confirmation(const struct placement_filling *filling, enum report_node_kind kind,
                             struct report_tree *tree)
{
    const bool page = kind == REPORT_SPAN;
    if (*filling->confirmed_by)
        report_tree_add(tree, kind, "expected", "%sconfirmed by %s", page ? " \xe2\x9c\x93 " : "",
                        filling->confirmed_by);
    if (filling->unconfirmed)
        report_tree_add(tree, kind, "doubt", "%snot confirmed: %s", page ? " ? " : "",
                        filling->unconfirmed);
    if (filling->unreduced)
        report_tree_add(tree, kind, "doubt", "%s%s", page ? " ? " : "", report_place_unreduced);
    if (filling->disputed_by)
        report_tree_add(tree, kind, "unexpected", "%sdisputed by %s", page ? " \xe2\x9c\x97 " : "",
                        filling->disputed_by);
}

/* "goes to narrowed/wide.litmus" */
static void add_written(const struct report_place *report, uint32_t number,
                        struct report_tree *tree)
{
    const char *const *paths = report->written ? report->written[number] : NULL;
    if (!paths)
        return;
    report_tree_begin(tree, REPORT_ITEM, NULL);
    for (uint32_t f = 0; f < sketch_of(report)->file_count; f++)
        strbuf_printf(&tree->text, "%s%s", f ? ", " : "goes to ", paths[f]);
    report_tree_end(tree);
}

static void add_filling_head(const struct report_place *report, uint32_t number,
                             struct report_tree *tree)
{
    const unsigned where = tree->where;
    const bool alone = report->placement->count == 1 && report->placement->complete;
    report_tree_begin(tree, REPORT_HEAD, NULL);
    report_tree_add(tree, REPORT_SPAN, "models", "Filling %u", number + 1);
    if (report->weights)
        strbuf_printf(&tree->text, ", weight %" PRIu64, report->weights[number]);
    if (changes_nothing(report, number))
        strbuf_add(&tree->text, alone ? ": as it is, so nothing is to be changed" : ": as it is");
    tree->where = REPORT_IN_PAGES;
    add_confirmation(&report->placement->fillings[number], REPORT_SPAN, tree);
    tree->where = where;
    report_tree_end(tree);
}

/* Adds each file, with what a filling changes of it; NULL: nothing is changed. */
static void add_files(const struct report_place *report, const char *id,
                      const struct changes *changes, struct report_tree *tree)
{
    for (uint32_t f = 0; f < sketch_of(report)->file_count; f++)
        report_tree_source(tree, arena_printf(&tree->arena, "%s%u", id, f),
                           sketch_of(report)->files[f], changes ? &changes[f] : NULL);
}

static void add_filling(const struct report_place *report, uint32_t at, struct report_tree *tree)
{
    uint32_t number = report->shown[at];
    struct report_node *fold = report_tree_begin(tree, REPORT_FOLD, "pair");
    fold->open = at == 0;
    fold->id = arena_printf(&tree->arena, "p%u-f%u", report->number, number + 1);
    const char *id = arena_printf(&tree->arena, "%s-s", fold->id);
    add_filling_head(report, number, tree);
    report_tree_begin(tree, REPORT_SHEET, NULL);
    report_place_choices(report, number, id, tree);
    add_files(report, id, report_place_changes(report, number), tree);
    tree->where = REPORT_IN_TEXT;
    report_tree_begin(tree, REPORT_LIST, NULL);
    add_confirmation(&report->placement->fillings[number], REPORT_ITEM, tree);
    add_written(report, number, tree);
    report_tree_end(tree);
    tree->where = REPORT_EVERYWHERE;
    report_tree_end(tree);
    report_tree_end(tree);
}

/* ---- Without a filling ---- */

static void add_clash(const struct report_place *report, uint32_t at, struct report_tree *tree)
{
    const struct placement_clash *clash = &report->placement->clashes[at];
    report_tree_begin(tree, REPORT_GROUP, "fault");
    report_tree_begin(tree, REPORT_LIST, "choices");
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_place_why(report, &clash->reason, &tree->text);
    report_tree_begin(tree, REPORT_LIST, NULL);
    report_tree_begin(tree, REPORT_ITEM, NULL);
    strbuf_add(&tree->text, "for example ");
    add_values(report, "with ", &clash->broken_by, &tree->text);
    report_tree_end(tree);
    report_tree_begin(tree, REPORT_ITEM, NULL);
    if (clash->can_be_met) {
        strbuf_add(&tree->text, "met alone, for example ");
        add_values(report, "by ", &clash->met_by, &tree->text);
    } else
        strbuf_add(&tree->text, "no such change meets it");
    report_tree_end(tree);
    report_tree_end(tree);
    if (report->clash_pictures)
        add_gallery(report->clash_pictures[at], true, tree);
    report_tree_end(tree);
    report_tree_end(tree);
    report_tree_end(tree);
}

void report_place_conflict(const struct report_place *report, struct report_tree *tree)
{
    if (report->placement->clash_count > 1)
        report_tree_add(tree, REPORT_HEAD, NULL, "These cannot be met together:");
    for (uint32_t i = 0; i < report->placement->clash_count; i++)
        add_clash(report, i, tree);
}

/* Adds why the test does not hold, beside the program as it stands. */
static void add_refusal(const struct report_place *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_SHEET, NULL);
    add_files(report, arena_printf(&tree->arena, "p%u-s", report->number), NULL, tree);
    if (report->as_it_is) {
        report_tree_begin(tree, REPORT_GROUP, "fault");
        report_tree_begin(tree, REPORT_LINE, NULL);
        report_place_present(report, &tree->text);
        report_tree_end(tree);
        add_gallery(report->present_picture, true, tree);
        report_tree_end(tree);
    }
    report_place_conflict(report, tree);
    report_tree_end(tree);
}

/* ---- The whole ---- */

static void add_open(const struct report_place *report, struct report_tree *tree)
{
    const struct placement *placement = report->placement;
    for (uint32_t i = 0; i < placement->open_count; i++) {
        report_tree_begin(tree, REPORT_LINE, "doubt");
        strbuf_add(&tree->text, "Not known: ");
        add_values(report, "", &placement->open[i], &tree->text);
        strbuf_add(&tree->text, ": ");
        report_place_why(report, &placement->open_reasons[i], &tree->text);
        report_tree_end(tree);
    }
}

/* What no thread comes to is neither needed nor too wide here. */
static void add_unreached(const struct sketch *sketch, struct report_tree *tree)
{
    for (uint32_t i = 0; i < sketch->unreached_count; i++) {
        report_tree_begin(tree, REPORT_LINE, "doubt");
        strbuf_add(&tree->text, "Not reached by a thread of this test: ");
        add_where(sketch->unreached[i], &tree->text);
        strbuf_printf(&tree->text, ", %s", sketch->unreached[i]->word);
        report_tree_end(tree);
    }
}

static void add_totals(const struct report_place *report, struct report_tree *tree)
{
    add_open(report, tree);
    add_unreached(sketch_of(report), tree);
    report_tree_begin(tree, REPORT_LINE, "totals");
    add_summary(report, &tree->text);
    report_tree_end(tree);
    tree->where = REPORT_IN_PAGES | REPORT_IN_PICTURES;
    if (report->undrawn)
        report_tree_add(tree, REPORT_LINE, "doubt", "%s", report->undrawn);
    tree->where = REPORT_EVERYWHERE;
}

static void add_answer(const struct report_place *report, struct report_tree *tree)
{
    uint32_t more = report->placement->count - report->shown_count;
    if (!sketch_of(report)->choice_count && !report->as_it_is)
        report_tree_line(tree, "No barrier, fence or atomic access could be otherwise");
    for (uint32_t i = 0; i < report->shown_count; i++)
        add_filling(report, i, tree);
    if (more && !report->as_it_is)
        report_tree_add(tree, REPORT_LINE, "small", "%u more%s", more,
                        report->weights ? ", which weigh more" : ": --all shows them");
    if (!report->shown_count)
        add_refusal(report, tree);
    if (!report->as_it_is)
        add_totals(report, tree);
    else if (report->as_it_is->kind != PLACEMENT_UNKNOWN)
        report_tree_only(tree, REPORT_IN_TEXT, REPORT_ITEM, "--repair asks what would mend it");
}

static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_place *report = answer;
    tree->where = REPORT_EVERYWHERE;
    if (!report) {
        report_tree_only(tree, REPORT_IN_PAGES | REPORT_IN_PICTURES, REPORT_LINE,
                         "no answer; the messages say why");
        return;
    }
    const uint32_t count = sketch_of(report)->given_count;
    report_tree_begin(tree, REPORT_SECTION, NULL)->id =
        arena_printf(&tree->arena, "p%u", report->number);
    report_tree_begin(tree, REPORT_HEAD, NULL);
    for (uint32_t f = 0; f < count; f++)
        strbuf_printf(&tree->text, "%s%s",
                      f           ? f + 1 < count ? ", " : " and "
                      : count > 1 ? "Tests "
                                  : "Test ",
                      report->titles[f]);
    strbuf_printf(&tree->text, ", models %s + %s", report->visibility, report->persistency);
    report_tree_end(tree);
    add_answer(report, tree);
    report_tree_end(tree);
    report_tree_only(tree, REPORT_IN_TEXT, REPORT_LINE, "%s", "");
}

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_place_run *run = answer;
    report_tree_add(tree, REPORT_HEAD, NULL, "crashlit place");
    report_tree_begin(tree, REPORT_LINE, "path");
    report_tree_add(tree, REPORT_CODE, NULL, "%s", run->command);
    report_tree_end(tree);
    report_tree_add(tree, REPORT_LINE, "counts", "%u model pair%s; exit status %d", run->pairs,
                    run->pairs == 1 ? "" : "s", run->status);
}

const struct report_subject report_place = {.title = "crashlit place",
                                            .head = add_head,
                                            .body = add_body,
                                            .json = report_place_json,
                                            .sarif = report_place_sarif,
                                            .sarif_begin = report_place_sarif_begin,
                                            .sarif_end = report_place_sarif_end};
