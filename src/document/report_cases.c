#include "document/report_cases.h"

#include "base/json.h"
#include "document/report_explain.h"
#include "document/report_finding.h"
#include "document/report_json.h"
#include "document/report_text.h"

#include <inttypes.h>
#include <string.h>

/* More is not read by anybody: ends that a document shows. JSON has all. */
enum { MOST_ENDS = 2000 };

struct writer {
    const struct report_cases *report;
    const struct cases_section *section;
    struct report_tree *tree; /* of a document */
    struct strbuf *out;       /* of JSON */
    uint32_t ends;            /* shown so far */
};

/* Threads of recovery are numbered behind those of the program. */
static const struct lit_thread *thread_of(const struct writer *w, uint32_t thread)
{
    const struct lit_program *program = w->report->test.program;
    return outcome_thread(program, thread + (w->section->recovery ? program->thread_count : 0));
}

static const struct cat_check *check_of(const struct writer *w, const struct cases_node *node)
{
    const struct cat_model *model = w->report->test.model;
    return node->number && node->number <= model->check_count ? &model->checks[node->number - 1]
                                                              : NULL;
}

/* ---- Words ---- */

/* "P0's W at line 7 (2 of 3)" */
static void add_event(const struct writer *w, const struct cases_event *event)
{
    struct strbuf *out = &w->tree->text;
    if (!event->kind) {
        strbuf_printf(out, "the initial W %s", event->location);
        return;
    }
    strbuf_printf(out, "%s's %s at line %" PRIu32, thread_of(w, event->thread)->name, event->kind,
                  event->line);
    if (event->of > 1)
        strbuf_printf(out, " (%" PRIu32 " of %" PRIu32 ")", event->nth, event->of);
}

/* Of a table a line has statements of all work-items. */
static void add_statement(const struct writer *w, const struct cases_event *event)
{
    const struct lit_program *program = w->report->test.program;
    if (program->is_table || !event->kind)
        return;
    report_tree_only(w->tree, REPORT_IN_TEXT, REPORT_SPAN, "  | ");
    report_tree_only(w->tree, REPORT_IN_PAGES, REPORT_SPAN, " ");
    report_tree_begin(w->tree, REPORT_CODE, NULL);
    report_source_text(program, event->line, 0, &w->tree->text);
    report_tree_end(w->tree);
}

/* "P0 ends (line 5, 6 2 times, 7)": each line once. */
static void add_path(const struct writer *w, const struct cases_path *path)
{
    static const char *const endings[][2] = {{"end", "ends"},
                                             {"await", "waits for ever"},
                                             {"barrier", "stops at a barrier"},
                                             {"bound", "comes to the bound of a loop"},
                                             {"fault", "comes to undefined behaviour"}};
    struct strbuf *out = &w->tree->text;
    strbuf_add(out, thread_of(w, path->thread)->name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(endings[i][0], path->ending) == 0)
            strbuf_printf(out, " %s", endings[i][1]);
    uint32_t lines = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        const struct cases_event *event = &path->events[i];
        if (ANY(k, i, path->events[k].line == event->line))
            continue;
        strbuf_printf(out, "%s%" PRIu32, lines++ ? ", " : " (line ", event->line);
        if (event->of > 1)
            strbuf_printf(out, " %" PRIu32 " times", event->of);
    }
    strbuf_add(out, lines ? ")" : "");
}

/* " (P0's W at line 5, P0's W at line 7, and back)": a cycle, or a pair that is not to be. */
static void add_shown(const struct writer *w, const struct cases_node *node)
{
    struct strbuf *out = &w->tree->text;
    const bool is_cycle = node->shown_count && cat_check_is_of_cycle(check_of(w, node));
    for (uint32_t i = 0; i < node->shown_count; i++) {
        strbuf_add(out, i ? ", then " : " (");
        add_event(w, &node->shown[i]);
    }
    strbuf_add(out, is_cycle ? ", and back)" : node->shown_count ? ")" : "");
}

static void add_end(const struct writer *w, const struct cases_node *node)
{
    static const char *const words[] = {
        [CASES_LOST] = "impossible: it breaks ",
        [CASES_VALUES] = "impossible: with these values a path goes on otherwise",
        [CASES_CIRCLE] = "impossible: the orders chosen have a cycle",
        [CASES_NOTHING_NEW] = "adds no state to those above"};
    struct strbuf *out = &w->tree->text;
    const struct cat_check *check = check_of(w, node);
    strbuf_add(out, words[node->kind]);
    if (node->kind == CASES_LOST && check) {
        report_check(check, out);
        add_shown(w, node);
    } else if (node->kind == CASES_LOST)
        strbuf_add(out, "a check of the model");
}

static const char *order_word(const struct cases_node *node)
{
    return node->order == 'o' ? "coherence" : node->order == 'f' ? "sync_fence" : "linearisation";
}

static void add_way(const struct writer *w, const struct cases_node *node,
                    const struct cases_way *way)
{
    struct strbuf *out = &w->tree->text;
    if (node->kind == CASES_SOURCE)
        add_event(w, &way->source);
    else if (way->way == '|')
        strbuf_add(out, "neither");
    else
        add_event(w, way->way == '<' ? &node->of : &node->to);
}

/* What is chosen; the ways follow. */
static void add_choice(const struct writer *w, const struct cases_node *node)
{
    struct strbuf *out = &w->tree->text;
    add_event(w, &node->of);
    if (node->kind == CASES_SOURCE) {
        strbuf_add(out, " reads from:");
        add_statement(w, &node->of);
    } else {
        strbuf_add(out, " or ");
        add_event(w, &node->to);
        strbuf_printf(out, ", first in %s is:", order_word(node));
    }
}

/* ---- The tree ---- */

/* Few cases are all in view. */
static void begin_fold(const struct writer *w)
{
    enum { FEW = 60 };
    report_tree_begin(w->tree, REPORT_FOLD, "case")->open = w->report->cases->ends <= FEW;
}

static bool is_choice(const struct cases_node *node)
{
    return node->kind == CASES_SOURCE || node->kind == CASES_ORDER;
}

static bool is_same_event(const struct cases_event *a, const struct cases_event *b)
{
    if (!a->kind || !b->kind)
        return !a->kind && !b->kind && strcmp(a->location, b->location) == 0;
    return a->thread == b->thread && a->line == b->line && strcmp(a->kind, b->kind) == 0 &&
           a->nth == b->nth;
}

static bool ends_alike(const struct cases_node *a, const struct cases_node *b)
{
    return a->kind == b->kind && a->number == b->number && a->shown_count == b->shown_count &&
           ALL(i, a->shown_count, is_same_event(&a->shown[i], &b->shown[i]));
}

/* Is it told with a way before it that ends in the same way? */
static bool is_told(const struct cases_node *node, uint32_t way)
{
    return ANY(i, way, ends_alike(&node->ways[i].then, &node->ways[way].then));
}

/* Ways that end alike share a line. */
static void add_ends(struct writer *w, const struct cases_node *node)
{
    report_tree_begin(w->tree, REPORT_LIST, NULL);
    for (uint32_t i = 0; i < node->count; i++) {
        const char *before = "";
        if (is_choice(&node->ways[i].then) || is_told(node, i) || w->ends >= MOST_ENDS)
            continue;
        report_tree_begin(w->tree, REPORT_ITEM, NULL)->wraps = true;
        for (uint32_t k = i; k < node->count; k++)
            if (ends_alike(&node->ways[i].then, &node->ways[k].then)) {
                strbuf_add(&w->tree->text, before);
                add_way(w, node, &node->ways[k]);
                before = ", or ";
                w->ends++;
            }
        strbuf_add(&w->tree->text, ": ");
        add_end(w, &node->ways[i].then);
        report_tree_end(w->tree);
    }
    report_tree_end(w->tree);
}

static void add_node(struct writer *w, const struct cases_node *node)
{
    if (!is_choice(node)) {
        w->ends++;
        report_tree_begin(w->tree, REPORT_LIST, NULL);
        report_tree_begin(w->tree, REPORT_ITEM, NULL);
        add_end(w, node);
        report_tree_end(w->tree);
        report_tree_end(w->tree);
        return;
    }
    add_ends(w, node);
    for (uint32_t i = 0; i < node->count && w->ends < MOST_ENDS; i++) {
        const struct cases_way *way = &node->ways[i];
        if (!is_choice(&way->then))
            continue;
        begin_fold(w);
        report_tree_begin(w->tree, REPORT_HEAD, NULL);
        add_way(w, node, way);
        strbuf_add(&w->tree->text, ": ");
        add_choice(w, &way->then);
        report_tree_end(w->tree);
        add_node(w, &way->then);
        report_tree_end(w->tree);
    }
}

/* Of paths that look alike, a branch or a value in which they differ is not told. */
static bool is_repeated(const struct writer *w, const struct cases_tree *tree)
{
    for (const struct cases_tree *t = w->section->trees.items; t < tree; t++)
        if (t->count == tree->count && ALL(i, t->count, t->paths[i] == tree->paths[i]))
            return true;
    return false;
}

static void add_tree(struct writer *w, const struct cases_tree *tree)
{
    const struct cases_node *node = &tree->node;
    begin_fold(w);
    report_tree_begin(w->tree, REPORT_HEAD, NULL);
    for (uint32_t i = 0; i < tree->count; i++) {
        strbuf_add(&w->tree->text, i ? ", " : "");
        add_path(w, tree->paths[i]);
    }
    strbuf_add(&w->tree->text, is_repeated(w, tree) ? ", by other values" : "");
    if (is_choice(node)) {
        strbuf_add(&w->tree->text, ": ");
        add_choice(w, node);
    }
    report_tree_end(w->tree);
    if (node->kind != CASES_NEVER)
        add_node(w, node);
    else {
        w->ends++;
        report_tree_begin(w->tree, REPORT_LIST, NULL);
        report_tree_begin(w->tree, REPORT_ITEM, NULL);
        strbuf_add(&w->tree->text, "impossible: whatever ");
        add_event(w, &node->of);
        strbuf_add(&w->tree->text, " reads, its path goes otherwise");
        add_statement(w, &node->of);
        report_tree_end(w->tree);
        report_tree_end(w->tree);
    }
    report_tree_end(w->tree);
}

/* ---- Sections ---- */

/* "Recovery from x=1; y=0" */
static void add_section_head(const struct writer *w)
{
    const struct lit_program *program = w->report->test.program;
    const char *value = w->section->memories.items[0], *before = " from ";
    const size_t more = w->section->memories.count - 1;
    struct strbuf *out = &w->tree->text;
    report_tree_begin(w->tree, REPORT_HEAD, NULL);
    strbuf_add(out, w->section->recovery ? "Recovery" : "The program");
    for (uint32_t l = 0; l < program->location_count && w->section->recovery; l++) {
        if (program->locations[l].hidden)
            continue;
        const size_t length = strcspn(value, " ");
        strbuf_printf(out, "%s%s=%.*s", before, program->locations[l].name, (int)length, value);
        value += length + (value[length] == ' ');
        before = "; ";
    }
    if (more)
        strbuf_printf(out, ", and alike from %zu more", more);
    report_tree_end(w->tree);
}

static void add_section(struct writer *w)
{
    const size_t count = w->section->trees.count;
    report_tree_begin(w->tree, REPORT_SECTION, NULL);
    add_section_head(w);
    for (size_t i = 0; i < count && w->ends < MOST_ENDS; i++)
        add_tree(w, &w->section->trees.items[i]);
    report_tree_end(w->tree);
}

/* What is claimed to be all. */
static void add_states(const struct report_cases *report, enum lit_when when, const char *kind,
                       struct report_tree *tree)
{
    enum { MOST = 16 };
    const struct outcome_states *states = outcome_states_of(report->test.outcome, when);
    const uint64_t count = outcome_state_count(states);
    if (outcome_is_empty(states) || !states->width)
        return;
    report_tree_begin(tree, REPORT_ITEM, NULL);
    strbuf_printf(&tree->text, "%s:", kind);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (size_t i = 0; i < count && i < MOST; i++) {
        report_tree_begin(tree, REPORT_ITEM, NULL);
        report_tree_begin(tree, REPORT_CODE, NULL);
        report_state(&report->test, when, i, &tree->text);
        report_tree_end(tree);
        report_tree_end(tree);
    }
    if (count > MOST)
        report_tree_add(tree, REPORT_ITEM, NULL, "and %" PRIu64 " more", count - MOST);
    report_tree_end(tree);
    report_tree_end(tree);
}

/* One execution shows it, and then nothing else counts. */
static void add_undefined(const struct report_cases *report, struct report_tree *tree)
{
    report_tree_line(tree, "The behaviour is undefined, as one execution shows:");
    report_tree_begin(tree, REPORT_LIST, NULL);
    EACH_IN (const struct outcome_undefined, undefined, report->test.outcome->undefined) {
        report_tree_begin(tree, REPORT_ITEM, NULL)->wraps = true;
        report_undefined(&report->test, undefined, &tree->text);
        report_tree_end(tree);
    }
    report_tree_end(tree);
}

static void add_claim(const struct report_cases *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_LIST, NULL);
    add_states(report, LIT_FINAL, "final states", tree);
    add_states(report, LIT_CRASHED, "crash states", tree);
    add_states(report, LIT_RECOVERED, "recovered states", tree);
    report_tree_end(tree);
    report_tree_wrapped(tree, REPORT_LINE,
                        "Why these are all: %" PRIu64 " case%s, each with what ends it. One that "
                        "adds no state was counted with all orders and crash cuts that it leaves "
                        "open, whether or not it can happen.",
                        report->cases->ends, report->cases->ends == 1 ? "" : "s");
}

static void body(const void *answer, struct report_tree *tree)
{
    const struct report_cases *report = answer;
    struct writer w = {.report = report, .tree = tree};
    tree->where = REPORT_IN_TEXT; /* a page has a head of its own */
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "%s under ", report->test.program->name);
    report_pair(report->test.model->visibility, report->test.model->persistency, &tree->text);
    if (report->test.verdict != LIT_UNKNOWN)
        strbuf_printf(&tree->text, ": %s", lit_verdict_text(report->test.verdict));
    report_tree_end(tree);
    tree->where = REPORT_EVERYWHERE;
    if (!report->cases)
        report_tree_wrapped(tree, REPORT_LINE, "Why this is all has no certificate: %s",
                            report->lacks);
    else if (report->test.outcome->undefined.count)
        add_undefined(report, tree);
    else {
        add_claim(report, tree);
        EACH_IN (const struct cases_section, section, report->cases->sections) {
            w.section = section;
            add_section(&w);
        }
    }
    if (report->cases && w.ends < report->cases->ends && w.ends >= MOST_ENDS)
        report_tree_wrapped(tree, REPORT_LINE,
                            "%" PRIu64 " more are left out here; --format json has them all.",
                            report->cases->ends - w.ends);
}

/* ---- JSON ---- */

static void emit_event(const struct writer *w, const char *name, const struct cases_event *event)
{
    emit_object(w->out, name);
    if (!event->kind)
        emit_string(w->out, "initial", event->location);
    else {
        emit_string(w->out, "thread", thread_of(w, event->thread)->name);
        emit_string(w->out, "kind", event->kind);
        emit_number(w->out, "line", event->line);
        if (event->of > 1) {
            emit_number(w->out, "nth", event->nth);
            emit_number(w->out, "of", event->of);
        }
    }
    emit_end(w->out, '}');
}

static void emit_node(const struct writer *w, const char *name, const struct cases_node *node)
{
    const struct cat_check *check = check_of(w, node);
    emit_object(w->out, name);
    emit_string(w->out, is_choice(node) ? "choose" : "ends", cases_word(node->kind));
    if (node->kind == CASES_LOST && check)
        emit_string(w->out, "check", check->name);
    if (node->shown_count) {
        emit_array(w->out, cat_check_is_of_cycle(check) ? "cycle" : "pair");
        for (uint32_t i = 0; i < node->shown_count; i++)
            emit_event(w, NULL, &node->shown[i]);
        emit_end(w->out, ']');
    }
    if (node->kind == CASES_ORDER)
        emit_string(w->out, "order", order_word(node));
    if (is_choice(node) || node->kind == CASES_NEVER)
        emit_event(w, "of", &node->of);
    if (node->kind == CASES_ORDER)
        emit_event(w, "to", &node->to);
    if (is_choice(node)) {
        emit_array(w->out, "ways");
        EACH (const struct cases_way, way, node->ways, node->count) {
            const char text[] = {way->way, '\0'};
            emit_object(w->out, NULL);
            if (node->kind == CASES_SOURCE)
                emit_event(w, "source", &way->source);
            else
                emit_string(w->out, "way", text);
            emit_node(w, "then", &way->then);
            emit_end(w->out, '}');
        }
        emit_end(w->out, ']');
    }
    emit_end(w->out, '}');
}

static void emit_path(const struct writer *w, const struct cases_path *path)
{
    emit_object(w->out, NULL);
    emit_string(w->out, "thread", thread_of(w, path->thread)->name);
    emit_string(w->out, "ending", path->ending);
    emit_array(w->out, "events");
    EACH (const struct cases_event, event, path->events, path->count)
        emit_event(w, NULL, event);
    emit_end(w->out, ']');
    emit_end(w->out, '}');
}

static void emit_section(const struct writer *w)
{
    emit_object(w->out, NULL);
    emit_string(w->out, "of", w->section->recovery ? "recovery" : "program");
    emit_array(w->out, "memories");
    for (size_t i = 0; i < w->section->memories.count; i++)
        emit_string(w->out, NULL, w->section->memories.items[i]);
    emit_end(w->out, ']');
    emit_number(w->out, "executions", w->section->executions);
    emit_array(w->out, "trees");
    EACH (const struct cases_tree, tree, w->section->trees.items, w->section->trees.count) {
        emit_object(w->out, NULL);
        emit_array(w->out, "paths");
        for (uint32_t i = 0; i < tree->count; i++)
            emit_path(w, tree->paths[i]);
        emit_end(w->out, ']');
        emit_node(w, "case", &tree->node);
        emit_end(w->out, '}');
    }
    emit_end(w->out, ']');
    emit_end(w->out, '}');
}

static void emit_states(const struct report_cases *report, const char *name, enum lit_when when,
                        struct strbuf *out)
{
    const struct lit_program program = report_program(&report->test, when);
    report_json_rows(name, &program, outcome_states_of(report->test.outcome, when), out);
}

static void json(const void *answer, struct strbuf *out)
{
    const struct report_cases *report = answer;
    struct writer w = {.report = report, .out = out};
    report_json_begin(report->test.program->name, out);
    emit_string(out, "file", report->test.program->source->name);
    emit_string(out, "model", report->test.model->visibility);
    emit_string(out, "persistency", report->test.model->persistency);
    emit_string(out, "crash", report_crash_mode(report->test.crash_mode));
    emit_string(out, "verdict", lit_verdict_text(report->test.verdict));
    report_json_undefined(&report->test, out);
    if (report->lacks)
        emit_string(out, "lacks", report->lacks);
    emit_states(report, "final_states", LIT_FINAL, out);
    emit_states(report, "crash_states", LIT_CRASHED, out);
    emit_states(report, "recovered_states", LIT_RECOVERED, out);
    emit_number(out, "cases", report->cases ? report->cases->ends : 0);
    emit_array(out, "sections");
    for (size_t i = 0; report->cases && i < report->cases->sections.count; i++) {
        w.section = &report->cases->sections.items[i];
        emit_section(&w);
    }
    emit_end(out, ']');
    report_json_end(out);
}

const struct report_subject report_cases = {
    .title = "crashlit explain --cases", .body = body, .json = json};
