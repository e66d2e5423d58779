/* What would help against a state that should not be, and what keeps another one out of reach: both
 * of the program's text, as place answers them. */
#include "base/json.h"
#include "document/report_explain.h"
#include "document/report_json.h"
#include "document/report_place.h"
#include "sketch/sites.h"

#include <string.h>

/* ---- Advice ---- */

/* What is told of: for all conditions, else for this one. */
static const struct explanation_search *told(const struct explanation_advice *advice)
{
    return advice->alone ? advice->alone : advice->whole;
}

static bool is_for_all(const struct explanation_advice *advice)
{
    return !advice->alone || advice->others == EXPLANATION_ALL;
}

static struct report_place place_of(const struct placement *placement,
                                    const struct changes *changes)
{
    return (struct report_place){.placement = placement, .changes = changes};
}

/* A change that was told of before: of which condition. */
static void add_same(const struct report_explanation *r, struct report_tree *tree)
{
    static const char *const others[] = {
        [EXPLANATION_NOT_ALL] = "this one holds as well, though not all others",
        [EXPLANATION_ALL] = "every condition holds",
        [EXPLANATION_PERHAPS_ALL] = "this one holds as well; of all others it is not known"};
    report_tree_only(tree, REPORT_IN_TEXT | REPORT_IN_HTML, REPORT_LINE,
                     "Advice: the same change as for condition %u, with which %s", r->advised_for,
                     others[is_for_all(r->advice) ? EXPLANATION_ALL : r->advice->others]);
}

static void add_filling(const struct report_explanation *r, struct report_tree *tree)
{
    static const char *const others[] = {
        [EXPLANATION_NOT_ALL] = "the condition holds, though not all others",
        [EXPLANATION_ALL] = "every condition holds",
        [EXPLANATION_PERHAPS_ALL] = "the condition holds; of all others it is not known"};
    const struct explanation_advice *advice = r->advice;
    const struct placement *placement = told(advice)->placement;
    const struct placement_filling *checked = advice->checked;
    const struct report_place report = place_of(placement, advice->changes);
    report_tree_line(tree, "Advice: with this %s",
                     others[is_for_all(advice) ? EXPLANATION_ALL : advice->others]);
    report_place_choices(&report, advice->filling, NULL, tree);
    if (!r->advised_for) {
        tree->where = REPORT_IN_TEXT | REPORT_IN_HTML;
        for (uint32_t f = 0; f < placement->sketch->file_count; f++)
            report_tree_source(tree, NULL, placement->sketch->files[f], &advice->changes[f]);
        tree->where = REPORT_EVERYWHERE;
    }
    report_tree_begin(tree, REPORT_LIST, NULL);
    report_tree_add(tree, REPORT_ITEM, NULL, "confirmed by %s", checked->confirmed_by);
    if (checked->unconfirmed)
        report_tree_add(tree, REPORT_ITEM, NULL, "not confirmed: %s", checked->unconfirmed);
    report_tree_add(
        tree, REPORT_ITEM, NULL, "%s%s",
        told(advice)->is_fewest ? "no way has fewer changes; there may be others with as many"
                                : "there may be ways with fewer changes",
        advice->is_listed && is_for_all(advice) ? ": crashlit place --repair lists all" : "");
    report_tree_end(tree);
}

/* One statement at each point was searched to the end, and nothing was found in any way. */
static bool has_nothing(const struct explanation_search *search)
{
    return search->ways[EXPLANATION_ADDED] == EXPLANATION_NOTHING && !search->placement->count;
}

static bool is_limited(const struct explanation_search *search)
{
    return ANY(way, EXPLANATION_WAY_COUNT, search->ways[way] == EXPLANATION_LIMITED);
}

/* An engine that finds wrong what was found, of which none is told; NULL. */
static const char *disputed_by(const struct explanation_advice *advice)
{
    return advice->changes ? NULL : placement_disputed_by(told(advice)->placement);
}

/* Why nothing that is added will do: asked for where that is known. */
static bool is_reversed(const struct report_explanation *r)
{
    return r->explanation->has_reversed && r->advice->refuses_additions;
}

static void add_reversed(const struct report_explanation *r, struct report_tree *tree)
{
    const struct outcome_event *events = r->explanation->reversed;
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_add(&tree->text, "No fence or barrier can help: ");
    report_event(r->test.program, &events[0], &tree->text);
    strbuf_printf(&tree->text, " stands before %s at line %u, and the crash comes between them",
                  events[1].access, events[1].line);
    report_tree_end(tree);
}

/* In the place of that line, or as an addition. */
static bool offers(const struct sketch *sketch, const char *scope, uint32_t line)
{
    EACH (const struct sketch_choice, choice, sketch->choices, sketch->choice_count)
        if ((choice->kind == LIT_OPEN_SLOT ||
             ANY(p, choice->place_count, choice->places[p].span.line == line)) &&
            ANY(v, choice->value_count, strstr(choice->values[v].label, scope)))
            return true;
    return false;
}

/* A scope that a fence would do with, and that none of what may be added or widened to has. Another definition that has it is
 * among these. */
static bool add_untried(const struct lit_program *program, const struct explanation *explanation,
                        const struct sketch *sketch, struct report_tree *tree)
{
    static const char *const scopes[] = {LIT_SCOPES(TABLE_FOURTH)};
    EACH_IN (const struct explanation_gap, gap, explanation->gaps) {
        const char *scope = gap->word ? gap->word : scopes[gap->scope];
        if (gap->why_not != EXPLANATION_NARROW || (gap->wider && !gap->word) ||
            offers(sketch, scope, gap->between.line))
            continue;
        report_tree_begin(tree, REPORT_LINE, NULL);
        strbuf_printf(&tree->text, "Not tried: %s%s for ", scope, gap->word ? "" : "_scope");
        report_event(program, &gap->between, &tree->text);
        report_tree_end(tree);
        return true;
    }
    return false;
}

/* Of a recovered state the orders are missing from the executions before its crashes. */
static void add_first_untried(const struct report_explanation *r, const struct sketch *sketch,
                              struct report_tree *tree)
{
    bool told = add_untried(r->test.program, r->explanation, sketch, tree);
    for (uint32_t i = 0; i < r->crash_count && !told; i++)
        told = add_untried(r->crashes[i].program, r->crashes[i].explanation, sketch, tree);
}

/* What was searched to the end in vain, and what was not. */
static void add_nothing(const struct explanation_search *search, const char *what,
                        struct report_tree *tree)
{
    static const char *const words[] = {[EXPLANATION_SEVERAL] = "several statements at one point",
                                        [EXPLANATION_SWAPPED] = "two stores in each other's place"};
    const struct sketch *sketch = search->placement->sketch;
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "Nothing %s be wider, stronger or added",
                  sketch->choice_count ? "that could" : "could");
    if (sketch->choice_count)
        strbuf_printf(&tree->text, " makes %s hold", what);
    for (uint32_t way = EXPLANATION_SEVERAL; way < EXPLANATION_WAY_COUNT; way++)
        if (search->ways[way] == EXPLANATION_NOTHING)
            strbuf_printf(&tree->text, ", nor %s", words[way]);
    report_tree_end(tree);
    for (uint32_t way = EXPLANATION_SEVERAL; way < EXPLANATION_WAY_COUNT; way++)
        if (search->ways[way] == EXPLANATION_LIMITED)
            report_tree_line(tree, "Not searched to the end: %s; %s", words[way],
                             search->limits[way]);
    struct strbuf tried = {0};
    report_place_tried(sketch, &tried);
    if (tried.length)
        report_tree_line(tree, "%s", strbuf_text(&tried));
    strbuf_fini(&tried);
}

/* Why one that nothing is known of is not advised. */
static const char *why_unknown(const struct explanation_advice *advice, struct arena *arena)
{
    const struct explanation_search *search = told(advice);
    const struct placement *placement = search->placement;
    const struct placement_filling *doubted =
        FIND(i, placement->fillings, placement->count, placement->fillings[i].unconfirmed);
    if (!placement->count)
        return search->limits[EXPLANATION_ADDED];
    if (disputed_by(advice))
        return arena_printf(arena, "%s disputes what place finds", disputed_by(advice));
    return arena_printf(arena, "no engine has confirmed any%s%s", doubted ? ": " : "",
                        doubted ? doubted->unconfirmed : "");
}

static void add_unknown(const struct report_explanation *r, struct report_tree *tree)
{
    report_tree_line(tree, "%s: %s",
                     has_nothing(r->advice->whole)
                         ? "Whether anything makes this condition alone hold is not known"
                         : "No advice was found",
                     why_unknown(r->advice, &tree->arena));
}

static void add_advice(const struct report_explanation *r, struct report_tree *tree)
{
    const struct explanation_advice *advice = r->advice;
    const struct report_place whole = place_of(advice->whole->placement, NULL);
    if (is_reversed(r))
        add_reversed(r, tree);
    if (has_nothing(advice->whole)) {
        add_nothing(advice->whole, "every condition", tree);
        add_first_untried(r, advice->whole->placement->sketch, tree);
        report_place_conflict(&whole, tree);
    }
    if (r->advised_for)
        add_same(r, tree);
    if (advice->changes && r->advised_for)
        tree->where = REPORT_IN_PICTURES;
    if (advice->changes)
        add_filling(r, tree);
    else if (!has_nothing(told(advice)))
        add_unknown(r, tree);
    else if (!has_nothing(advice->whole))
        add_nothing(advice->alone, "this condition", tree);
    tree->where = REPORT_EVERYWHERE;
    if (!advice->changes)
        report_explain_race(r, tree);
}

/* ---- Support ---- */

static void add_needed(const struct report_place *report, const struct placement_step *step,
                       struct report_tree *tree)
{
    const struct sketch_choice *choice = &report->placement->sketch->choices[step->choice];
    struct strbuf *out = &tree->text;
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_place_choice(report, choice, out);
    strbuf_printf(out, ": %s; ", choice->values[choice->original].label);
    if (report_place_is_left_out(choice, step->value))
        strbuf_add(out, "without it ");
    else
        strbuf_printf(out, "with %s ", choice->values[step->value].label);
    if (step->reason.kind == PLACEMENT_VIOLATED)
        strbuf_printf(out, "the state is reached: %s", step->reason.words);
    else
        report_place_why(report, &step->reason, out);
    report_tree_end(tree);
}

static bool is_needed(const struct explanation_support *support, uint32_t choice)
{
    for (uint32_t i = 0; i < support->needed_count; i++)
        if (support->needed[i].choice == choice)
            return true;
    return false;
}

/* "line 6 p_barrier_wg, line 7 mo_rel": what is needed in any case is left unsaid. */
static void add_set(const struct explanation_support *support, const struct report_place *report,
                    const struct sketch_filling *filling, struct report_tree *tree)
{
    const struct sketch *sketch = support->sketch;
    const char *before = "";
    report_tree_begin(tree, REPORT_ITEM, NULL);
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        if (filling->value[c] == 0 || is_needed(support, c))
            continue;
        strbuf_add(&tree->text, before);
        report_place_choice(report, &sketch->choices[c], &tree->text);
        strbuf_printf(&tree->text, " %s", sketch->choices[c].values[filling->value[c]].label);
        before = ", ";
    }
    report_tree_end(tree);
}

static uint32_t count_needed(const struct explanation_support *support,
                             enum placement_reason_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < support->needed_count; i++)
        count += support->needed[i].reason.kind == kind;
    return count;
}

/* Behind lines that are needed for the same, or alone. */
static const char *head_of_sets(const struct report_explanation *r)
{
    const struct placement *sets = r->support->sets;
    const bool one = sets->count == 1 && sets->complete;
    if (count_needed(r->support, PLACEMENT_VIOLATED))
        return one ? "Beside that this is enough"
                   : "There are independent reasons. Beside that each of these is enough";
    if (one)
        return report_support_leads(r) ? ", because of this, which is enough" : "This is enough";
    return report_support_leads(r) ? ", for independent reasons; each of these is enough"
                                   : "There are independent reasons; each of these is enough";
}

static void add_head_of_sets(const struct report_explanation *r, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_LINE, NULL);
    if (report_support_leads(r) && !count_needed(r->support, PLACEMENT_VIOLATED))
        report_explain_none(r, &tree->text);
    strbuf_printf(&tree->text, "%s, without all else:", head_of_sets(r));
    report_tree_end(tree);
}

static void add_sets(const struct report_explanation *r, struct report_tree *tree)
{
    const struct explanation_support *support = r->support;
    const struct report_place report = place_of(support->sets, NULL);
    if (!support->sets->count) {
        report_tree_line(tree, "What keeps it out of reach else was not found within the time");
        return;
    }
    add_head_of_sets(r, tree);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (uint32_t i = 0; i < support->sets->count; i++)
        add_set(support, &report, &support->sets->fillings[i].filling, tree);
    if (!support->sets->complete)
        report_tree_add(tree, REPORT_ITEM, NULL, "and perhaps others; not all were looked for");
    report_tree_end(tree);
}

/* "Holds: no state breaks it, because of these, in the program as it stands:" */
static const char *head_of_needed(const struct report_explanation *r, struct strbuf *out)
{
    if (report_support_leads(r))
        report_explain_none(r, out);
    strbuf_add(out, report_support_leads(r) ? ", because" : "Because");
    strbuf_add(out, " of these, in the program as it stands:");
    return strbuf_text(out);
}

static void add_needed_by(const struct explanation_support *support,
                          const struct report_place *report, enum placement_reason_kind kind,
                          const char *title, struct report_tree *tree)
{
    if (!count_needed(support, kind))
        return;
    report_tree_line(tree, "%s", title);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (uint32_t i = 0; i < support->needed_count; i++)
        if (support->needed[i].reason.kind == kind)
            add_needed(report, &support->needed[i], tree);
    report_tree_end(tree);
}

bool report_support_leads(const struct report_explanation *r)
{
    return r->support && r->condition->when != LIT_RECOVERED &&
           (count_needed(r->support, PLACEMENT_VIOLATED) ||
            (r->support->sets && r->support->sets->count));
}

static void add_support(const struct report_explanation *r, struct report_tree *tree)
{
    const struct explanation_support *support = r->support;
    const struct placement sketch = {.sketch = support->sketch};
    const struct report_place report = place_of(&sketch, NULL);
    bool some = count_needed(support, PLACEMENT_VIOLATED) > 0;
    bool none = !some && support->suffices == EXPLANATION_SUFFICES;
    SCOPED(strbuf) head = {0};
    add_needed_by(support, &report, PLACEMENT_VIOLATED, head_of_needed(r, &head), tree);
    if (none)
        report_tree_line(tree, "No persist barrier, fence or memory order keeps it out of reach");
    if (!some && support->sets)
        add_sets(r, tree);
    add_needed_by(support, &report, PLACEMENT_UNDEFINED,
                  none ? "Needed for something else, lest the program be undefined:"
                       : "Needed as well, lest the program be undefined:",
                  tree);
    if (!support->all_tried)
        report_tree_line(tree,
                         "Not all lines were tried: the time ran out, or the answer is not known");
    if (some && support->sets)
        add_sets(r, tree);
}

void report_explain_advice(const struct report_explanation *r, struct report_tree *tree)
{
    if (!r->advice && !r->support)
        return;
    report_tree_begin(tree, REPORT_GROUP, "advice");
    report_tree_only(tree, REPORT_IN_HTML, REPORT_HEAD, "In the program's text");
    if (r->advice)
        add_advice(r, tree);
    if (r->support)
        add_support(r, tree);
    report_tree_end(tree);
}

void report_advice_words(const struct report_explanation *r, struct strbuf *out)
{
    struct report_tree tree = {.where = REPORT_EVERYWHERE};
    report_explain_advice(r, &tree);
    report_tree_words(&tree, REPORT_IN_PICTURES, out);
    report_tree_fini(&tree);
}

void report_advice_sarif_fixes(const struct report_explanation *r, struct strbuf *out)
{
    if (!r->advice || !r->advice->changes)
        return;
    const struct report_place report = place_of(told(r->advice)->placement, NULL);
    emit_array(out, "fixes");
    report_place_sarif_fix(&report, r->advice->filling, r->advice->changes, out);
    emit_end(out, ']');
}

/* ---- JSON ---- */

static void json_conflict(const struct placement *whole, struct strbuf *out)
{
    const struct report_place report = place_of(whole, NULL);
    emit_array(out, "conflict");
    for (uint32_t i = 0; i < whole->clash_count; i++) {
        emit_object(out, NULL);
        report_place_json_reason(&report, &whole->clashes[i].reason, out);
        emit_bool(out, "met", whole->clashes[i].can_be_met);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

static void json_way(const char *name, enum explanation_searched way, struct strbuf *out)
{
    if (way == EXPLANATION_NOTHING || way == EXPLANATION_LIMITED)
        emit_string(out, name, way == EXPLANATION_NOTHING ? "none" : "unknown");
}

static const char *result_of(const struct explanation_advice *advice)
{
    const struct explanation_search *search = told(advice);
    return advice->changes                              ? "found"
           : has_nothing(search) && !is_limited(search) ? "none"
                                                        : "unknown";
}

static void json_advice(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation_advice *advice = r->advice;
    const struct placement *placement = told(advice)->placement;
    const struct report_place report = place_of(placement, advice->changes);
    emit_object(out, "advice");
    emit_string(out, "result", result_of(advice));
    if (advice->changes) {
        struct strbuf words = {0};
        report_place_sentence(&report, advice->filling, &words);
        emit_string(out, "for", is_for_all(advice) ? "test" : "condition");
        if (advice->others == EXPLANATION_PERHAPS_ALL)
            emit_string(out, "others", "unknown");
        emit_string(out, "words", strbuf_text(&words));
        emit_bool(out, "fewest", told(advice)->is_fewest);
        if (r->advised_for)
            emit_number(out, "same_as", r->advised_for);
        emit_string(out, "confirmed_by", advice->checked->confirmed_by);
        report_place_json_changes(&report, advice->changes, out);
        strbuf_fini(&words);
    }
    if (disputed_by(advice))
        emit_string(out, "disputed_by", disputed_by(advice));
    if (has_nothing(advice->whole))
        report_place_json_tried(advice->whole->placement->sketch, out);
    json_way("several", advice->whole->ways[EXPLANATION_SEVERAL], out);
    json_way("swaps", advice->whole->ways[EXPLANATION_SWAPPED], out);
    if (is_reversed(r)) {
        emit_array(out, "reversed");
        for (int i = 0; i < 2; i++)
            report_json_event(NULL, r->test.program, &r->explanation->reversed[i], out);
        emit_end(out, ']');
    }
    json_conflict(advice->whole->placement, out);
    emit_end(out, '}');
}

static void json_choice(const struct sketch *sketch, uint32_t number, uint32_t value,
                        struct strbuf *out)
{
    const struct sketch_choice *choice = &sketch->choices[number];
    emit_array(out, "places");
    for (uint32_t i = 0; i < choice->place_count; i++) {
        emit_object(out, NULL);
        emit_number(out, "line", choice->places[i].span.line);
        emit_number(out, "column", choice->places[i].span.column);
        emit_end(out, '}');
    }
    emit_end(out, ']');
    emit_string(out, "value", choice->values[value].label);
}

static void json_needed(const struct explanation_support *support, struct strbuf *out)
{
    const struct placement sketch = {.sketch = support->sketch};
    const struct report_place report = place_of(&sketch, NULL);
    emit_array(out, "needed");
    for (uint32_t i = 0; i < support->needed_count; i++) {
        const struct placement_step *step = &support->needed[i];
        const struct sketch_choice *choice = &support->sketch->choices[step->choice];
        emit_object(out, NULL);
        json_choice(support->sketch, step->choice, (uint32_t)choice->original, out);
        emit_string(out, "with", choice->values[step->value].label);
        report_place_json_reason(&report, &step->reason, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

static void json_sets(const struct explanation_support *support, struct strbuf *out)
{
    const struct sketch *sketch = support->sketch;
    emit_array(out, "sets");
    for (uint32_t i = 0; support->sets && i < support->sets->count; i++) {
        const uint8_t *values = support->sets->fillings[i].filling.value;
        emit_array(out, NULL);
        for (uint32_t c = 0; c < sketch->choice_count; c++)
            if (values[c]) {
                emit_object(out, NULL);
                json_choice(sketch, c, values[c], out);
                emit_end(out, '}');
            }
        emit_end(out, ']');
    }
    emit_end(out, ']');
    emit_bool(out, "all_sets", !support->sets || support->sets->complete);
}

static void json_support(const struct explanation_support *support, struct strbuf *out)
{
    emit_object(out, "support");
    json_needed(support, out);
    emit_bool(out, "all_tried", support->all_tried);
    if (support->suffices == EXPLANATION_NOT_KNOWN)
        emit_string(out, "suffices", NULL);
    else
        emit_bool(out, "suffices", support->suffices == EXPLANATION_SUFFICES);
    json_sets(support, out);
    emit_end(out, '}');
}

void report_json_advice(const struct report_explanation *r, struct strbuf *out)
{
    if (r->advice)
        json_advice(r, out);
    if (r->support)
        json_support(r->support, out);
}
