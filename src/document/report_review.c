#include "document/report_review.h"

#include "base/json.h"
#include "document/report_json.h"

#include <string.h>

/* ---- What is said ---- */

static bool is_known(const struct report_review_row *row)
{
    return row->verdicts[0] != LIT_UNKNOWN && row->verdicts[1] != LIT_UNKNOWN;
}

enum report_review_fate report_review_fate(const struct report_review_row *row)
{
    const struct contrast_side *sides = row->held.contrast.sides;
    if (is_known(row) && row->verdicts[0] != row->verdicts[1])
        return REPORT_REVIEW_VERDICT;
    if (sides[0].more == CONTRAST_YES || sides[1].more == CONTRAST_YES)
        return REPORT_REVIEW_STATES;
    bool open = sides[0].more == CONTRAST_OPEN || sides[1].more == CONTRAST_OPEN;
    return open || !is_known(row) ? REPORT_REVIEW_UNKNOWN : REPORT_REVIEW_SAME;
}

static size_t count_of(const struct report_review *review, enum report_review_fate fate)
{
    return COUNT_IF(i, review->row_count, report_review_fate(&review->rows[i]) == fate);
}

static size_t count_kind(const struct report_review *review, enum cat_difference_kind kind)
{
    return COUNT_IF(i, review->differences.count, review->differences.items[i].kind == kind);
}

/* Which programs tell the models apart. */
static enum contrast_more told_apart(const struct report_review *review)
{
    const struct report_direction *directions = review->smallest->directions;
    if (directions[0].count || directions[1].count)
        return CONTRAST_YES;
    return directions[0].unknown || directions[1].unknown ? CONTRAST_OPEN : CONTRAST_NO;
}

enum contrast_more report_review_changed(const struct report_review *review)
{
    if (count_of(review, REPORT_REVIEW_VERDICT) || count_of(review, REPORT_REVIEW_STATES) ||
        told_apart(review) == CONTRAST_YES)
        return CONTRAST_YES;
    bool open = count_of(review, REPORT_REVIEW_UNKNOWN) || review->lost_count ||
                told_apart(review) == CONTRAST_OPEN;
    return open ? CONTRAST_OPEN : CONTRAST_NO;
}

/* ---- Definitions ---- */

/* Rows and definitions beyond these are left out of a comment. */
static unsigned where_of(const struct report_review *review, size_t number)
{
    const unsigned all = REPORT_IN_TEXT | REPORT_IN_HTML;
    return number < review->most ? all | REPORT_IN_MARKDOWN : all;
}

static void add_left_out(const struct report_review *review, size_t count, const char *what,
                         struct report_tree *tree)
{
    if (count > review->most)
        report_tree_only(tree, REPORT_IN_MARKDOWN, REPORT_LINE, "%zu more %s do not fit in here",
                         count - review->most, what);
}

static void add_text(const char *sign, const char *text, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_tree_add(tree, REPORT_CODE, NULL, "%s%s", sign, text);
    report_tree_end(tree);
}

/* "changed new.cat:4 persist-before", and below it what it was and is. */
static void add_difference(const struct cat_difference *difference, struct report_tree *tree)
{
    const struct span *place = &difference->places[difference->places[1].source ? 1 : 0];
    const char *const *texts = difference->texts;
    report_tree_begin(tree, REPORT_ITEM, NULL);
    strbuf_printf(&tree->text, "%s ", cat_difference_word(difference->kind));
    report_tree_add(tree, REPORT_CODE, NULL, "%s:%u", place->source->name, place->line);
    strbuf_add_char(&tree->text, ' ');
    report_tree_add(tree, REPORT_CODE, NULL, "%s", difference->rule);
    report_tree_begin(tree, REPORT_LIST, NULL);
    if (texts[0] && *texts[0] && difference->kind != CAT_DIFFERENCE_MOVED)
        add_text("- ", texts[0], tree);
    if (texts[1] && *texts[1])
        add_text(difference->kind == CAT_DIFFERENCE_MOVED ? "" : "+ ", texts[1], tree);
    report_tree_end(tree);
    report_tree_end(tree);
}

static void add_definitions(const struct report_review *review, struct report_tree *tree)
{
    const struct cat_differences *found = &review->differences;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL,
                    found->count ? "Definitions" : "No definition differs");
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t i = 0; i < found->count; i++) {
        tree->where = where_of(review, i);
        add_difference(&found->items[i], tree);
    }
    tree->where = 0;
    report_tree_end(tree);
    add_left_out(review, found->count, "definitions", tree);
    report_tree_end(tree);
}

/* ---- Tests ---- */

static void add_states(const struct report_review *review, const struct report_review_row *row,
                       struct report_tree *tree)
{
    for (int side = 0; side < 2; side++) {
        SCOPED(strbuf) more = {0};
        report_compare_states(&row->held, side, &more);
        if (!more.length)
            continue;
        strbuf_printf(&tree->text, "; %s: ", review->names[side]);
        report_tree_add(tree, REPORT_CODE, NULL, "%s", strbuf_text(&more));
    }
}

static void add_row(const struct report_review *review, const struct report_review_row *row,
                    struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_tree_begin(tree, REPORT_STRONG, NULL);
    report_tree_add(tree, REPORT_CODE, NULL, "%s", row->path);
    report_tree_end(tree);
    strbuf_add(&tree->text, " under ");
    report_tree_add(tree, REPORT_CODE, NULL, "%s", row->beside);
    strbuf_add(&tree->text, ": ");
    strbuf_add(&tree->text, lit_verdict_text(row->verdicts[0]));
    if (row->verdicts[0] != row->verdicts[1])
        strbuf_printf(&tree->text, ", now %s", lit_verdict_text(row->verdicts[1]));
    if (row->expects && row->verdicts[1] != row->expected)
        strbuf_printf(&tree->text, " (expected %s)", lit_verdict_text(row->expected));
    if (row->doubt)
        strbuf_printf(&tree->text, "; %s", row->doubt);
    add_states(review, row, tree);
    if (row->graph) {
        report_tree_only(tree, REPORT_IN_HTML, REPORT_SMALL,
                         " An execution under %s:", review->names[row->shown_by]);
        tree->where = REPORT_IN_HTML;
        report_tree_graph(tree, row->graph);
    }
    report_tree_end(tree);
}

static void add_rows(const struct report_review *review, enum report_review_fate fate,
                     const char *head, struct report_tree *tree)
{
    size_t count = count_of(review, fate), number = 0;
    if (!count)
        return;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "%s", head);
    report_tree_begin(tree, REPORT_LIST, NULL);
    EACH (const struct report_review_row, row, review->rows, review->row_count) {
        if (report_review_fate(row) != fate)
            continue;
        tree->where = where_of(review, number++);
        add_row(review, row, tree);
    }
    tree->where = 0;
    report_tree_end(tree);
    add_left_out(review, count, "verdicts", tree);
    report_tree_end(tree);
}

static void add_lost(const struct report_review *review, struct report_tree *tree)
{
    if (!review->lost_count)
        return;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "Not answered");
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t i = 0; i < review->lost_count; i++) {
        tree->where = where_of(review, i);
        report_tree_add(tree, REPORT_ITEM, NULL, "%s", review->lost[i]);
    }
    tree->where = 0;
    report_tree_end(tree);
    add_left_out(review, review->lost_count, "tests", tree);
    report_tree_end(tree);
}

/* What is open leaves what the others say. */
static struct contrast_totals known_of(const struct report_review *review)
{
    struct contrast_totals known = review->totals;
    known.open[0] = known.open[1] = 0;
    known.tests -= known.classes[CONTRAST_UNKNOWN];
    return known;
}

static void add_direction(const struct report_review *review, struct report_tree *tree)
{
    const struct contrast_totals totals[] = {{0}, known_of(review)};
    const struct report_compare both = {.names = review->names, .pair_count = 2, .totals = totals};
    bool open = review->totals.open[0] || review->totals.open[1];
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "On tests%s ", open ? ", as far as known," : "");
    report_compare_direction(&both, 1, &tree->text);
    strbuf_printf(&tree->text, "; of %zu verdict%s %s allows more in %zu, %s in %zu; %zu not known",
                  review->totals.tests, review->totals.tests == 1 ? "" : "s", review->names[0],
                  review->totals.more[0], review->names[1], review->totals.more[1],
                  review->totals.classes[CONTRAST_UNKNOWN]);
    report_tree_end(tree);
}

/* ---- The document ---- */

static void add_program_words(const struct report_review *review, struct strbuf *out)
{
    const struct report_direction *directions = review->smallest->directions;
    switch (told_apart(review)) {
    case CONTRAST_YES:
        for (int side = 0; side < 2; side++)
            if (directions[side].count)
                strbuf_printf(out, ", %s alone has a state of a program of %u operation%s",
                              review->names[side], directions[side].size,
                              directions[side].size == 1 ? "" : "s");
        break;
    case CONTRAST_OPEN: strbuf_add(out, ", whether a program tells them apart is not known"); break;
    case CONTRAST_NO: strbuf_add(out, ", no program up to the bound tells them apart"); break;
    }
}

static void add_counts(const struct report_review *review, struct strbuf *out)
{
    static const char *const words[] = {"nothing changed", "changed", "unknown"};
    strbuf_printf(out, "%s: %zu of %zu verdict%s", words[report_review_changed(review)],
                  count_of(review, REPORT_REVIEW_VERDICT), review->row_count,
                  review->row_count == 1 ? "" : "s");
    strbuf_printf(out, ", states of %zu more", count_of(review, REPORT_REVIEW_STATES));
    if (count_of(review, REPORT_REVIEW_UNKNOWN) + review->lost_count)
        strbuf_printf(out, ", %zu not known",
                      count_of(review, REPORT_REVIEW_UNKNOWN) + review->lost_count);
    add_program_words(review, out);
    strbuf_printf(out, "; %zu definition%s; %zu test%s", review->differences.count,
                  review->differences.count == 1 ? " differs" : "s differ", review->tests,
                  review->tests == 1 ? "" : "s");
    if (review->silent)
        strbuf_printf(out, ", %zu ask nothing of the models", review->silent);
    if (review->unread)
        strbuf_printf(out, ", %zu could not be read", review->unread);
}

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_review *review = answer;
    report_tree_add(tree, REPORT_HEAD, NULL, "%s → %s", review->names[0], review->names[1]);
    report_tree_begin(tree, REPORT_LINE, "counts");
    add_counts(review, &tree->text);
    report_tree_end(tree);
}

static void add_summary(const struct report_review *review, unsigned where,
                        struct report_tree *tree)
{
    tree->where = where;
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "Summary: %s → %s: ", review->names[0], review->names[1]);
    add_counts(review, &tree->text);
    report_tree_end(tree);
    tree->where = 0;
}

/* In a comment what it comes to stands first, in text, which may be long, last. */
static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_review *review = answer;
    add_summary(review, REPORT_IN_MARKDOWN, tree);
    add_definitions(review, tree);
    add_direction(review, tree);
    add_rows(review, REPORT_REVIEW_VERDICT, "Verdicts that changed, the smallest test first", tree);
    add_rows(review, REPORT_REVIEW_STATES, "Other states, and the same verdict", tree);
    add_rows(review, REPORT_REVIEW_UNKNOWN, "Not known", tree);
    add_lost(review, tree);
    report_tree_begin(tree, REPORT_GROUP, NULL)->where =
        review->without_smallest ? REPORT_IN_TEXT | REPORT_IN_HTML : REPORT_EVERYWHERE;
    report_distinguish.body(review->smallest, tree);
    tree->where = 0;
    report_tree_end(tree);
    add_summary(review, REPORT_IN_TEXT, tree);
}

static bool fits(const struct report_review *review)
{
    SCOPED(strbuf) out = {0};
    report_document_part("md", &report_review, review, &out);
    return out.length + REPORT_VERSION_MOST <= REPORT_COMMENT_MOST;
}

void report_review_bound(struct report_review *review)
{
    review->most = review->row_count + review->differences.count + review->lost_count;
    while (review->most && !fits(review))
        review->most /= 2;
    review->without_smallest = !fits(review);
}

/* ---- JSON ---- */

static void json_place(const char *name, const struct cat_difference *difference, int side,
                       struct strbuf *out)
{
    const struct span *place = &difference->places[side];
    if (!place->source)
        return;
    emit_object(out, name);
    emit_string(out, "file", place->source->name);
    emit_number(out, "line", place->line);
    emit_string(out, "text", difference->texts[side]);
    emit_end(out, '}');
}

static void json_difference(const struct cat_difference *difference, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "definition", difference->rule);
    emit_string(out, "change", cat_difference_word(difference->kind));
    json_place("old", difference, 0, out);
    json_place("new", difference, 1, out);
    report_json_end(out);
}

static void json_row(const struct report_review *review, const struct report_review_row *row,
                     struct strbuf *out)
{
    static const char *const words[] = {REPORT_REVIEW_FATES(TABLE_SECOND)};
    report_json_begin(row->name, out);
    emit_string(out, "file", row->path);
    emit_string(out, "beside", row->beside);
    emit_number(out, "size", row->size);
    emit_string(out, "changed", words[report_review_fate(row)]);
    emit_string(out, "was", lit_verdict_text(row->verdicts[0]));
    emit_string(out, "verdict", lit_verdict_text(row->verdicts[1]));
    if (row->expects)
        emit_string(out, "expected", lit_verdict_text(row->expected));
    if (row->doubt)
        emit_string(out, "doubt", row->doubt);
    emit_array(out, "sides");
    for (int side = 0; side < 2; side++)
        report_compare_json_side(&row->held, side, review->names[side], out);
    emit_end(out, ']');
    report_json_end(out);
}

static void json_totals(const struct report_review *review, struct strbuf *out)
{
    static const char *const words[] = {"no", "yes", "unknown"};
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "old", review->names[0]);
    emit_string(out, "new", review->names[1]);
    emit_string(out, "kind", review->persists ? "persistency" : "visibility");
    emit_string(out, "review", words[report_review_changed(review)]);
    const struct contrast_totals known = known_of(review);
    emit_string(out, "direction", contrast_direction_word(contrast_direction_of(&known)));
    emit_string(out, "told_apart", words[told_apart(review)]);
    emit_object(out, "definitions");
    for (int kind = 0; kind < CAT_DIFFERENCE_COUNT; kind++)
        emit_number(out, cat_difference_word((enum cat_difference_kind)kind),
                    count_kind(review, (enum cat_difference_kind)kind));
    emit_end(out, '}');
    emit_number(out, "verdicts", review->row_count);
    emit_number(out, "verdicts_changed", count_of(review, REPORT_REVIEW_VERDICT));
    emit_number(out, "states_changed", count_of(review, REPORT_REVIEW_STATES));
    emit_number(out, "unknown", count_of(review, REPORT_REVIEW_UNKNOWN));
    emit_number(out, "tests", review->tests);
    emit_number(out, "silent", review->silent);
    emit_number(out, "unread", review->unread);
    emit_array(out, "lost");
    for (size_t i = 0; i < review->lost_count; i++)
        emit_string(out, NULL, review->lost[i]);
    emit_end(out, ']');
    emit_string(out, "engine", review->engine);
    report_json_end(out);
}

static void add_json(const void *answer, struct strbuf *out)
{
    const struct report_review *review = answer;
    EACH_IN (const struct cat_difference, difference, review->differences)
        json_difference(difference, out);
    EACH (const struct report_review_row, row, review->rows, review->row_count)
        if (report_review_fate(row) != REPORT_REVIEW_SAME)
            json_row(review, row, out);
    report_distinguish.json(review->smallest, out);
    json_totals(review, out);
}

const struct report_subject report_review = {
    .title = "crashlit review", .head = add_head, .body = add_body, .json = add_json};
