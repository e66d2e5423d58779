/* The answer about one model pair as a document: the headline, a line for each condition, the
 * states, remarks; then how a state comes about and what to ask next. Pairs for which the first
 * part is the same share one answer; its second part is that of the first of these pairs. */
#include "answer/report_gallery.h"
#include "base/utf8.h"
#include "document/report_answer.h"
#include "document/report_finding.h"
#include "document/report_text.h"
#include "document/report_product.h"
#include "document/report_wide.h"

#include <string.h>

/* Limits the states that are listed, unless all are asked for: usually, and if a state is wider
 * than a line. */
enum { MOST_ROWS = 16, MOST_WIDE_ROWS = 4, LINE_WIDTH = 76 };

struct pair {
    const char *visibility, *persistency, *machine, *by; /* the definition file that names it */
    uint32_t expected_at; /* the line that says what is expected; 0: none does */
};

struct report_answered {
    enum lit_verdict verdict, expected;
    bool odd, failed;
    const char *headline, *body, *rest; /* without a line end; lines; lines */
    VEC(struct pair) pairs;
};

/* Adds a blank line, and returns the number of its node. */
static size_t begin_part(struct report_tree *tree)
{
    report_tree_only(tree, REPORT_IN_TEXT, REPORT_LINE, "%s", "");
    return tree->nodes.count;
}

/* Hides the blank line if nothing was added behind it. */
static void end_part(struct report_tree *tree, size_t begun)
{
    if (tree->nodes.count == begun)
        tree->nodes.items[begun - 1].where = 0;
}

/* ---- Conditions ---- */

static void add_condition(const struct report_test *test, uint32_t number, struct report_tree *tree)
{
    const struct lit_condition *condition = &test->program->conditions[number];
    const struct outcome_judgement judgement =
        outcome_judge(test->outcome, test->program, condition);
    SCOPED(strbuf) words = {0};
    report_answer_condition(test, number, &words);
    report_tree_begin(tree, REPORT_ITEM, NULL)->wraps = true;
    strbuf_printf(&tree->text, "%u %s", number + 1, report_answer_word(judgement.verdict, false));
    if (condition->span.source == test->program->source && span_told(condition->span).line)
        strbuf_printf(&tree->text, " (line %u)", condition->span.line);
    strbuf_printf(&tree->text, ": %s", strbuf_text(&words));
    report_tree_end(tree);
}

/* A single condition is told by the headline. */
static void add_conditions(const struct report_test *test, struct report_tree *tree)
{
    const struct lit_program *program = test->program;
    bool asks = ANY(i, program->condition_count, lit_asks_fault(&program->conditions[i]));
    if (program->condition_count < 2 || test->idempotence ||
        (test->verdict == LIT_UNDEFINED && !asks))
        return;
    (void)begin_part(tree);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        add_condition(test, i, tree);
    report_tree_end(tree);
}

/* The source tests that conditions compare with. */
static void add_sources(const struct report_test *test, struct report_tree *tree)
{
    SCOPED(strbuf) source = {0};
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        report_text_source(test, &test->program->conditions[i], &source);
    if (source.length)
        report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", strbuf_text(&source));
}

static void add_all_undefined(const struct report_test *test, struct report_tree *tree)
{
    const struct outcome *outcome = test->outcome;
    SCOPED(strbuf) words = {0};
    if (test->verdict != LIT_UNDEFINED)
        return;
    (void)begin_part(tree);
    for (size_t i = 1; i < outcome->undefined.count; i++) {
        report_undefined(test, &outcome->undefined.items[i], &words);
        report_tree_wrapped(tree, REPORT_LINE, "Undefined, too: %s.", strbuf_text(&words));
        strbuf_clear(&words);
    }
    report_tree_line(tree, "So nothing is promised: any state may be the result, until that is "
                           "mended.");
}

/* ---- States ---- */

/* Appends "breaks condition 1, satisfies condition 2" and returns the mark of the state: `!`, `+`,
 * or a blank if it does neither. */
static char add_meaning(const struct report_test *test, enum lit_when when, const int64_t *row,
                        struct strbuf *out)
{
    const struct lit_program *program = test->program;
    char mark = ' ';
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        bool shows = condition->quantifier == LIT_EXISTS;
        if (condition->when != when || !outcome_decides(test->outcome, program, condition, row))
            continue;
        strbuf_printf(out, "%s%s condition %u", mark == ' ' ? "" : ", ",
                      shows ? "satisfies" : "breaks", i + 1);
        mark = shows && mark != '!' ? '+' : '!';
    }
    return mark;
}

static void add_row(const struct report_test *test, enum lit_when when, const int64_t *row,
                    struct report_tree *tree)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    const struct lit_program program = report_program(test, when);
    SCOPED(strbuf) meaning = {0};
    char mark = add_meaning(test, when, row, &meaning);
    report_tree_begin(tree, REPORT_ROW, mark == '!' ? "breaks" : mark == '+' ? "shows" : NULL);
    report_tree_begin(tree, REPORT_CELL, NULL);
    strbuf_printf(&tree->text, "  %c ", mark);
    report_row_parts(&program, states->items, states->width, row, NULL, ", ", &tree->text);
    report_tree_end(tree);
    report_tree_add(tree, REPORT_CELL, NULL, meaning.length ? " %s" : "%s", strbuf_text(&meaning));
    report_tree_end(tree);
}

static size_t room_for_rows(const struct report_test *test, enum lit_when when)
{
    SCOPED(strbuf) row = {0};
    report_state(test, when, 0, &row);
    return row.length > LINE_WIDTH ? MOST_WIDE_ROWS : MOST_ROWS;
}

/* States that decide a condition get room first, then others; they are listed in the order of the
 * outcome. */
static size_t add_rows(const struct report_test *test, enum lit_when when, bool whole,
                       struct report_tree *tree)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    size_t deciding = 0, added = 0;
    for (size_t i = 0; i < states->count; i++)
        deciding += report_state_decides(test, when, outcome_row(states, i));
    size_t room = whole ? SIZE_MAX : room_for_rows(test, when);
    size_t others = deciding < room ? room - deciding : 0;
    report_tree_begin(tree, REPORT_TABLE, "states");
    for (size_t i = 0; i < states->count && added < room; i++) {
        const int64_t *row = outcome_row(states, i);
        bool decides = report_state_decides(test, when, row);
        if (!decides && others == 0)
            continue;
        others -= !decides;
        add_row(test, when, row, tree);
        added++;
    }
    report_tree_end(tree);
    return states->count - added;
}

static void add_product(const struct report_test *test, enum lit_when when,
                        struct report_tree *tree)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    const struct lit_program program = report_program(test, when);
    SCOPED(strbuf) lines = {0};
    report_text_product(&program, states, &lines);
    report_tree_begin(tree, REPORT_VERBATIM, NULL);
    for (const char *line = strbuf_text(&lines); *line;) {
        size_t length = strcspn(line, "\n");
        strbuf_printf(&tree->text, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    report_tree_end(tree);
}

static void add_states(const struct report_test *test, enum lit_when when, bool whole,
                       struct report_tree *tree)
{
    static const char *const headings[] = {"A run can end in", "A crash can leave",
                                           "Recovery can leave"};
    static const char *const later[] = {"a run can end in", "a crash can leave",
                                        "recovery can leave"};
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    bool as_if = test->verdict == LIT_UNDEFINED;
    SCOPED(strbuf) count = {0};
    if (states->width == 0 || outcome_is_empty(states))
        return;
    outcome_state_count_text(states, &count);
    report_tree_line(tree, "%s%s %s%s state%s:", as_if ? "As if it were defined, " : "",
                     (as_if ? later : headings)[when],
                     outcome_any_doubt(test->outcome) ? "at least " : "", strbuf_text(&count),
                     strcmp(strbuf_text(&count), "1") == 0 ? "" : "s");
    size_t left = 0;
    if (states->product)
        add_product(test, when, tree);
    else
        left = add_rows(test, when, whole, tree);
    if (left)
        report_tree_line(tree, "    and %zu more; --states lists all", left);
}

static void add_livelocks(const struct report_test *test, struct report_tree *tree)
{
    const struct outcome_states *livelocks = &test->outcome->livelocks;
    SCOPED(strbuf) row = {0};
    for (size_t i = 0; i < livelocks->count && i < MOST_WIDE_ROWS; i++) {
        report_row_parts(test->program, livelocks->items, livelocks->width,
                         outcome_row(livelocks, i), NULL, ", ", &row);
        report_tree_wrapped(tree, REPORT_LINE, "Recovery never completes from %s.",
                            strbuf_text(&row));
        strbuf_clear(&row);
    }
    if (livelocks->count > MOST_WIDE_ROWS)
        report_tree_line(tree, "Nor from %zu more.", livelocks->count - MOST_WIDE_ROWS);
}

static bool is_asked(const struct report_test *test, enum lit_when when)
{
    const struct lit_program *program = test->program;
    if (test->idempotence)
        return when == LIT_RECOVERED;
    return program->condition_count == 0 ||
           ANY(i, program->condition_count, program->conditions[i].when == when);
}

/* A list takes no less than what there was too little for. */
static bool has_run_out(const struct outcome *outcome)
{
    return outcome->doubts[OUTCOME_DOUBT_TIMEOUT] || outcome->doubts[OUTCOME_DOUBT_MEMORY] ||
           outcome->recovery_doubts[OUTCOME_DOUBT_TIMEOUT] ||
           outcome->recovery_doubts[OUTCOME_DOUBT_MEMORY];
}

static void add_all_states(const struct report_test *test, bool whole, struct report_tree *tree)
{
    size_t part = test->verdict == LIT_UNDEFINED ? 0 : begin_part(tree);
    if (test->decided && !has_run_out(test->outcome))
        report_tree_line(tree, "The states were not listed; --states lists them.");
    static const enum lit_when order[] = {LIT_CRASHED, LIT_RECOVERED, LIT_FINAL};
    bool recovers = is_asked(test, LIT_RECOVERED) && test->program->recovery_count;
    for (size_t i = 0; i < sizeof order / sizeof *order && !test->decided; i++)
        if (is_asked(test, order[i]) || (recovers && order[i] == LIT_CRASHED))
            add_states(test, order[i], whole, tree);
    if (part)
        end_part(tree, part);
}

/* ---- Asides ---- */

struct aside {
    struct report_tree *tree;
    uint32_t told; /* the condition whose remark is in the headline */
};

static void add_aside(void *context, const struct report_finding *finding)
{
    const struct aside *aside = context;
    struct report_tree *tree = aside->tree;
    if (finding->kind == REPORT_VACUOUS && finding->condition == aside->told)
        return;
    if (!report_is_aside(finding->kind) || finding->kind == REPORT_UNKNOWN ||
        finding->kind == REPORT_MEANING)
        return;
    report_tree_begin(tree, REPORT_LINE, NULL)->wraps = true;
    strbuf_printf(&tree->text, "%s: %s",
                  report_is_warning(finding->kind) ? "Warning"
                  : finding->kind == REPORT_WIDTH  ? "Doubt"
                                                   : "Remark",
                  finding->message);
    if (report_wide_name(finding->kind))
        strbuf_printf(&tree->text, " [W-%s]", report_wide_name(finding->kind));
    else if (span_told(finding->span).line)
        strbuf_printf(&tree->text, " (line %u)", finding->span.line);
    strbuf_add(&tree->text, report_wide_name(finding->kind) ? "" : ".");
    report_tree_end(tree);
}

/* All in one line. */
static void add_lacking(const struct report_test *test, struct report_tree *tree)
{
    SCOPED(strbuf) names = {0};
    SCOPED(strbuf) models = {0};
    report_all_lacking(test, &names);
    report_lacking_models(test, &models);
    if (names.length)
        report_tree_wrapped(tree, REPORT_LINE, "Without meaning in these models: %s%s%s.",
                            strbuf_text(&names), models.length ? "; " : "", strbuf_text(&models));
}

/* A failed check has a sentence of its own, and so has a recovery that does not complete. */
static bool is_told_of(const struct outcome *outcome, const char *flag)
{
    return (outcome->livelocks.count && strcmp(flag, "livelock") == 0) ||
           ANY(i, outcome->undefined.count, strcmp(outcome->undefined.items[i].name, flag) == 0);
}

static void add_asides(const struct report_test *test, struct report_tree *tree)
{
    const struct outcome *outcome = test->outcome;
    const char *doubt = outcome_any_doubt(outcome);
    size_t part = begin_part(tree);
    if (doubt && test->verdict != LIT_UNKNOWN)
        report_tree_wrapped(tree, REPORT_LINE, "Not all was looked at: %s.", doubt);
    for (size_t i = 0; i < outcome->flags.count; i++)
        if (!report_warning_of(test, i) && !is_told_of(outcome, outcome->flags.items[i]))
            report_tree_line(tree, "The model raises the flag %s.", outcome->flags.items[i]);
    add_lacking(test, tree);
    report_each_finding(test, add_aside, &(struct aside){tree, report_answer_idle(test)});
    if (report_wide_ways(test->wide) > 1)
        report_tree_wrapped(tree, REPORT_LINE,
                            "This is one of %u ways to need less: place --narrow shows all.",
                            report_wide_ways(test->wide));
    end_part(tree, part);
}

/* ---- One pair ---- */

static const char *written(struct arena *arena, struct report_tree *tree)
{
    struct report_paper paper = {.sheet = REPORT_SCREEN};
    report_tree_text(tree, &paper);
    report_tree_fini(tree);
    return strbuf_take(&paper.out, arena);
}

static const char *body_of(struct report_answers *answers, const struct report_test *test)
{
    struct report_tree tree = {.where = 0};
    add_conditions(test, &tree);
    add_sources(test, &tree);
    add_asides(test, &tree);
    add_all_undefined(test, &tree);
    add_all_states(test, answers->whole, &tree);
    add_livelocks(test, &tree);
    if (test->remarks && *test->remarks) {
        (void)begin_part(&tree);
        report_tree_add(&tree, REPORT_VERBATIM, NULL, "%s", test->remarks);
    }
    return written(&answers->arena, &tree);
}

/* Must the command line name the models to ask the same again? */
static bool must_name(const struct report_test *test)
{
    return test->program->expect_count > 0 ||
           (test->asked && (test->asked->model || test->asked->persistency));
}

static const char *rest_of(struct report_answers *answers, const struct report_test *test)
{
    struct report_tree tree = {.where = 0};
    SCOPED(strbuf) next = {0};
    size_t part = begin_part(&tree);
    if (!test->explanation)
        report_answer_how(test, &tree);
    end_part(&tree, part);
    if (test->explanation) {
        (void)begin_part(&tree);
        report_tree_add(&tree, REPORT_VERBATIM, NULL, "%s", test->explanation);
    } else if (report_answer_next(test, must_name(test), &next)) {
        (void)begin_part(&tree);
        report_tree_line(&tree, "%s", strbuf_text(&next));
        if (report_answer_spares_recovery(test))
            report_tree_line(&tree, "No crash came into recovery; --recovery-crash asks that, too");
        if (answers->alone && report_answer_asks_possible(test))
            report_tree_line(
                &tree, "'exists' asks whether it is possible; '~exists' asks that it never is");
    }
    return written(&answers->arena, &tree);
}

static const char *copy_of(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

static struct report_answered *find(struct report_answers *answers,
                                    const struct report_answered *wanted)
{
    for (size_t i = 0; i < answers->items.count; i++) {
        struct report_answered *other = answers->items.items[i];
        if (other->verdict == wanted->verdict && other->expected == wanted->expected &&
            strcmp(other->headline, wanted->headline) == 0 &&
            strcmp(other->body, wanted->body) == 0)
            return other;
    }
    struct report_answered *kept = ARENA_NEW(&answers->arena, struct report_answered);
    *kept = *wanted;
    VEC_PUSH(&answers->items, kept);
    return kept;
}

static void count(struct report_answers *answers, const struct report_answered *answered)
{
    answers->pairs++;
    answers->otherwise += answered->odd;
    answers->verdicts[answered->verdict]++;
}

void report_answers_add(struct report_answers *answers, const struct report_test *test)
{
    struct strbuf headline = {0};
    struct arena *arena = &answers->arena;
    report_answer_headline(test, &headline);
    struct report_answered answered = {.verdict = test->verdict,
                                       .expected = test->expected,
                                       .odd = test->verdict != test->expected,
                                       .headline = strbuf_take(&headline, arena),
                                       .body = body_of(answers, test)};
    struct report_answered *kept = find(answers, &answered);
    if (!kept->rest)
        kept->rest = rest_of(answers, test);
    VEC_PUSH(&kept->pairs,
             (struct pair){arena_strdup(arena, test->model->visibility),
                           arena_strdup(arena, test->model->persistency),
                           copy_of(arena, test->machine),
                           test->models ? arena_strdup(arena, lit_models_file(test->models)) : NULL,
                           test->expectation ? test->expectation->span.line : 0});
    answers->test = copy_of(arena, test->program->name);
    count(answers, kept);
}

void report_answers_fail(struct report_answers *answers, const struct report_failure *failure)
{
    struct arena *arena = &answers->arena;
    struct report_answered answered = {
        .verdict = failure->verdict,
        .expected = failure->expected,
        .odd = true,
        .failed = true,
        .headline =
            arena_printf(arena, "%s: %s", failure->verdict == LIT_UNKNOWN ? "Not known" : "Error",
                         failure->reason),
        .body = "",
        .rest = ""};
    struct report_answered *kept = find(answers, &answered);
    VEC_PUSH(&kept->pairs, (struct pair){arena_strdup(arena, failure->visibility),
                                         arena_strdup(arena, failure->persistency), NULL, NULL, 0});
    answers->test = copy_of(arena, failure->program->name);
    count(answers, kept);
}

/* ---- All of them ---- */

/* "hrf-direct + strict, epoch; sc + strict" */
static void add_pairs(const struct report_answered *answered, struct strbuf *out)
{
    const char *before = NULL;
    for (size_t i = 0; i < answered->pairs.count; i++) {
        const struct pair *pair = &answered->pairs.items[i];
        bool same = before && strcmp(before, pair->visibility) == 0;
        strbuf_add(out, i == 0 ? "" : same ? ", " : "; ");
        if (same)
            utf8_add_name(out, pair->persistency);
        else
            report_pair(pair->visibility, pair->persistency, out);
        before = pair->visibility;
    }
}

/* "line 7 says ok", "lines 7, 9 say ok" */
static void add_expectation(const struct report_answered *answered, struct strbuf *out)
{
    size_t told = 0;
    bool several = answered->pairs.count > 1;
    for (size_t i = 0; i < answered->pairs.count; i++)
        if (answered->pairs.items[i].expected_at)
            strbuf_printf(out, "%s %u",
                          told++    ? ","
                          : several ? "lines"
                                    : "line",
                          answered->pairs.items[i].expected_at);
    if (told)
        strbuf_printf(out, " say%s %s of ", several ? "" : "s",
                      lit_verdict_text(answered->expected));
}

/* Says which model pairs have the answer, and whether it was expected. */
static void add_whose(const struct report_answers *answers, const struct report_answered *answered,
                      struct report_tree *tree)
{
    const struct pair *first = &answered->pairs.items[0];
    bool odd = answered->odd && first->expected_at;
    SCOPED(strbuf) pairs = {0}, expected = {0};
    add_pairs(answered, &pairs);
    add_expectation(answered, &expected);
    report_tree_begin(tree, REPORT_LINE, NULL)->wraps = true;
    struct strbuf *out = &tree->text;
    if (odd && answers->pairs > 1)
        strbuf_printf(out, "Not as expected: %s%s.", strbuf_text(&expected), strbuf_text(&pairs));
    else if (answers->pairs > 1)
        strbuf_printf(out, "Under %s%s.", strbuf_text(&pairs),
                      first->expected_at ? ", as expected" : "");
    else
        strbuf_printf(out, "Test %s, models %s", answers->test, strbuf_text(&pairs));
    if (answers->pairs == 1 && first->by)
        strbuf_printf(out, ", named by %s", first->by);
    if (answers->pairs == 1 && first->machine)
        strbuf_printf(out, ", machine %s", first->machine);
    if (answers->pairs == 1 && first->expected_at && !odd)
        strbuf_printf(out, ", as line %u expects", first->expected_at);
    strbuf_add(out, answers->pairs == 1 ? "." : "");
    report_tree_end(tree);
    if (answers->pairs == 1 && odd)
        report_tree_line(tree, "Not as expected: line %u says %s.", first->expected_at,
                         lit_verdict_text(answered->expected));
}

/* "Test kv, 4 pairs of models, 1 not as expected: 2 ok, 2 violated." */
static void add_overview(const struct report_answers *answers, struct report_tree *tree)
{
    const char *between = ": ";
    report_tree_begin(tree, REPORT_LINE, NULL)->wraps = true;
    strbuf_printf(&tree->text, "Test %s, %zu pairs of models, ", answers->test, answers->pairs);
    if (answers->otherwise)
        strbuf_printf(&tree->text, "%zu not as expected", answers->otherwise);
    else
        strbuf_add(&tree->text, "all as expected");
    for (int i = 0; i <= LIT_ERROR; i++) {
        if (!answers->verdicts[i])
            continue;
        strbuf_printf(&tree->text, "%s%zu %s", between, answers->verdicts[i],
                      lit_verdict_text((enum lit_verdict)i));
        between = ", ";
    }
    strbuf_add(&tree->text, ".");
    report_tree_end(tree);
    (void)begin_part(tree);
}

/* An expected answer is told without advice, unless it is the only one. */
static void add_answered(const struct report_answers *answers,
                         const struct report_answered *answered, struct strbuf *out)
{
    struct report_paper paper = {.out = *out, .sheet = REPORT_SCREEN};
    SCOPED(report_tree) tree = {.where = 0};
    const char last = *answered->headline ? answered->headline[strlen(answered->headline) - 1] : 0;
    report_tree_wrapped(&tree, REPORT_LINE, "%s%s", answered->headline,
                        last == '?' || last == '.' ? "" : ".");
    add_whose(answers, answered, &tree);
    report_tree_text(&tree, &paper);
    *out = paper.out;
    strbuf_add(out, answered->body);
    if (answers->items.count == 1 || answered->odd)
        strbuf_add(out, answered->rest);
}

/* If the only pair could not be loaded, the messages about its models have said why. */
static bool is_told(const struct report_answers *answers)
{
    return answers->pairs == 1 && answers->items.items[0]->failed &&
           answers->items.items[0]->verdict == LIT_ERROR;
}

void report_answers_end(struct report_answers *answers, struct strbuf *out)
{
    if (answers->pairs > 1) {
        struct report_paper paper = {.out = *out, .sheet = REPORT_SCREEN};
        SCOPED(report_tree) tree = {.where = 0};
        add_overview(answers, &tree);
        report_tree_text(&tree, &paper);
        *out = paper.out;
    }
    for (size_t i = 0, told = 0; i < 2 * answers->items.count; i++) {
        const struct report_answered *item = answers->items.items[i % answers->items.count];
        if (item->odd != (i < answers->items.count) || is_told(answers))
            continue;
        strbuf_add(out, told++ ? "\n" : "");
        add_answered(answers, item, out);
    }
    for (size_t i = 0; i < answers->items.count; i++)
        VEC_FREE(&answers->items.items[i]->pairs);
    VEC_FREE(&answers->items);
    arena_fini(&answers->arena);
}
