#include "document/report_mutate.h"

#include "base/json.h"
#include "base/utf8.h"
#include "document/report_json.h"

#include <inttypes.h>
#include <string.h>

static const char *const fates[] = {REPORT_MUTANTS(TABLE_SECOND)};

void report_mutate_count(const struct report_mutate *report, size_t counts[REPORT_MUTANT_COUNT])
{
    for (int f = 0; f < REPORT_MUTANT_COUNT; f++)
        counts[f] = 0;
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count)
        counts[mutant->fate]++;
}

/* Killed by what a machine shows, where every verdict is the same. */
static bool is_by_states(const struct report_mutant *mutant)
{
    return mutant->fate == REPORT_MUTANT_KILLED && mutant->difference &&
           strcmp(mutant->verdicts[0], mutant->verdicts[1]) == 0;
}

static size_t count_by_states(const struct report_mutate *report)
{
    return COUNT_IF(i, report->mutant_count, is_by_states(&report->mutants[i]));
}

static size_t counted(const size_t counts[REPORT_MUTANT_COUNT])
{
    return counts[REPORT_MUTANT_KILLED] + counts[REPORT_MUTANT_ALIVE] +
           counts[REPORT_MUTANT_UNKNOWN];
}

int report_mutate_judge(const struct report_mutate *report)
{
    size_t counts[REPORT_MUTANT_COUNT];
    report_mutate_count(report, counts);
    size_t all = counted(counts), killed = counts[REPORT_MUTANT_KILLED];
    size_t wanted = report->least * all;
    if (100 * killed >= wanted && (all || !report->least))
        return 1;
    return 100 * (killed + counts[REPORT_MUTANT_UNKNOWN]) < wanted ? -1 : 0;
}

/* "96.7", rounded down, so that nothing looks whole that is not. */
static void add_score(const size_t counts[REPORT_MUTANT_COUNT], struct strbuf *out)
{
    size_t tenths = 1000 * counts[REPORT_MUTANT_KILLED] / counted(counts);
    strbuf_printf(out, "%zu.%zu", tenths / 10, tenths % 10);
}

/* ---- Lines of the model ---- */

struct line {
    const struct source *file;
    uint32_t number;
    size_t counts[REPORT_MUTANT_COUNT];
    size_t broken;
};

/* The mutants of a line stand together, where their places are in the order of the text; a line
 * that comes again later has been told. */
static bool is_on(const struct report_mutant *mutant, const struct source *file, uint32_t line)
{
    return mutant->change->place.source == file && mutant->change->place.line == line;
}

static struct line line_of(const struct report_mutate *report, const struct source *file,
                           uint32_t number)
{
    struct line line = {.file = file, .number = number};
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count)
        line.counts[mutant->fate] += is_on(mutant, file, number);
    EACH (const struct report_mutant, change, report->mutants + report->mutant_count,
          report->broken)
        line.broken += is_on(change, file, number);
    return line;
}

/* The next line of the file with changes, behind this one; 0: there is none. */
static uint32_t next_line(const struct report_mutate *report, const struct source *file,
                          uint32_t number)
{
    uint32_t next = 0;
    EACH (const struct report_mutant, mutant, report->mutants,
          report->mutant_count + report->broken) {
        const struct span *place = &mutant->change->place;
        if (place->source == file && place->line > number && (!next || place->line < next))
            next = place->line;
    }
    return next;
}

/* X(identifier, mark, word) */
#define COVERAGES(X)   \
    X(ALL, "+", "yes") \
    X(HOLE, "-", "no") \
    X(OPEN, "?", "unknown") X(NONE, "=", "equal") X(REFUSED, "x", "refused")
enum coverage {
#define X(identifier, ...) COVERAGE_##identifier,
    COVERAGES(X)
#undef X
};

static enum coverage coverage_of(const struct line *line)
{
    return line->counts[REPORT_MUTANT_ALIVE]     ? COVERAGE_HOLE
           : line->counts[REPORT_MUTANT_UNKNOWN] ? COVERAGE_OPEN
           : line->counts[REPORT_MUTANT_KILLED]  ? COVERAGE_ALL
           : line->counts[REPORT_MUTANT_EQUAL]   ? COVERAGE_NONE
                                                 : COVERAGE_REFUSED;
}

static bool has_changes(const struct line *line)
{
    return counted(line->counts) + line->counts[REPORT_MUTANT_EQUAL] + line->broken;
}

/* A line without changes has no mark. */
static void add_line(const struct line *line, const char *text, size_t length, struct strbuf *out)
{
    static const char *const marks[] = {COVERAGES(TABLE_SECOND)};
    if (has_changes(line))
        strbuf_printf(out, "%s %2zu of %2zu", marks[coverage_of(line)],
                      line->counts[REPORT_MUTANT_KILLED], counted(line->counts));
    else
        strbuf_add(out, "          ");
    strbuf_printf(out, " %5u  %.*s\n", line->number, (int)length, text);
}

/* In one pass: the lines with mutants, or all. */
static void add_lines_of(const struct report_mutate *report, const struct source *file, bool all,
                         struct strbuf *out)
{
    uint32_t number = 1, next = next_line(report, file, 0);
    for (const char *at = file->text, *end = at + file->length; at < end; number++) {
        const size_t length = strcspn(at, "\n");
        struct line line = {.file = file, .number = number};
        if (number == next) {
            line = line_of(report, file, number);
            next = next_line(report, file, number);
        }
        if (all || has_changes(&line))
            add_line(&line, at, length, out);
        at += length + 1;
    }
}

static void add_lines(const struct report_mutate *report, const struct source *file,
                      struct report_tree *tree)
{
    tree->where = REPORT_IN_TEXT;
    report_tree_begin(tree, REPORT_VERBATIM, NULL);
    add_lines_of(report, file, false, &tree->text);
    report_tree_end(tree);
    tree->where = REPORT_IN_PAGES;
    report_tree_begin(tree, REPORT_VERBATIM, NULL);
    add_lines_of(report, file, true, &tree->text);
    report_tree_end(tree);
    tree->where = 0;
}

static void add_file(const struct report_mutate *report, const struct source *file,
                     struct report_tree *tree)
{
    if (!next_line(report, file, 0))
        return;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_begin(tree, REPORT_HEAD, NULL);
    utf8_add_name(&tree->text, file->name);
    report_tree_end(tree);
    add_lines(report, file, tree);
    report_tree_end(tree);
}

/* ---- Mutants ---- */

void report_mutate_change(const struct mutation *change, struct strbuf *out)
{
    utf8_add_name(out, change->place.source->name);
    strbuf_printf(out, ":%u:%u: %s: %s", change->place.line, change->place.column, change->rule,
                  change->what);
}

void report_mutate_state(const struct report_mutate *report, const struct report_mutant *mutant,
                         struct strbuf *out)
{
    const struct report_survey_test *test = &mutant->smallest;
    const char *who = mutant->allows_more  ? "the mutant"
                      : report->is_machine ? "the machine"
                                           : "the model";
    if (mutant->unencoded)
        strbuf_printf(out, "the mutant has no line for something in it, under %s", mutant->pair);
    else if (test->undefined)
        strbuf_printf(out, "undefined by %s alone, under %s", who, mutant->pair);
    else
        strbuf_printf(out, "%s alone %s %s %s, under %s", who,
                      report->is_machine ? "shows" : "allows", test->kind,
                      test->state ? test->state : "", mutant->pair);
}

static void add_alive(const struct report_mutate *report, const struct report_mutant *mutant,
                      struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_begin(tree, REPORT_HEAD, NULL);
    strbuf_add(&tree->text, "Alive: ");
    report_mutate_change(mutant->change, &tree->text);
    report_tree_end(tree);
    report_tree_begin(tree, REPORT_LIST, NULL);
    report_tree_add(tree, REPORT_ITEM, NULL, "%s: %s", mutant->name, mutant->smallest.line);
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_mutate_state(report, mutant, &tree->text);
    report_tree_end(tree);
    report_tree_end(tree);
    report_tree_add(tree, REPORT_VERBATIM, NULL, "%s", mutant->smallest.litmus);
    report_tree_end(tree);
}

/* In pages always. */
static void add_killed(const struct report_mutate *report, struct report_tree *tree)
{
    tree->where = report->verbose ? REPORT_IN_TEXT | REPORT_IN_PAGES : REPORT_IN_PAGES;
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "Killed");
    report_tree_begin(tree, REPORT_LIST, NULL);
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count) {
        if (mutant->fate != REPORT_MUTANT_KILLED)
            continue;
        report_tree_begin(tree, REPORT_ITEM, NULL);
        report_mutate_change(mutant->change, &tree->text);
        strbuf_printf(&tree->text, "; by %s: ", mutant->test);
        if (is_by_states(mutant))
            strbuf_add(&tree->text, mutant->difference);
        else
            strbuf_printf(&tree->text, "%s becomes %s", mutant->verdicts[0], mutant->verdicts[1]);
        strbuf_printf(&tree->text, ", under %s", mutant->pair);
        report_tree_end(tree);
    }
    report_tree_end(tree);
    report_tree_end(tree);
    tree->where = 0;
}

static void add_others(const struct report_mutate *report, enum report_mutant_fate fate,
                       const char *head, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_SECTION, NULL);
    report_tree_add(tree, REPORT_HEAD, NULL, "%s", head);
    report_tree_begin(tree, REPORT_LIST, NULL);
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count) {
        if (mutant->fate != fate)
            continue;
        report_tree_begin(tree, REPORT_ITEM, NULL);
        report_mutate_change(mutant->change, &tree->text);
        strbuf_printf(&tree->text, "; %s", mutant->why);
        report_tree_end(tree);
    }
    report_tree_end(tree);
    report_tree_end(tree);
}

/* ---- Totals ---- */

static void add_tests(const struct report_mutate *report, struct strbuf *out)
{
    strbuf_printf(out, "%zu test%s, %zu verdict%s under ", report->tests,
                  report->tests == 1 ? "" : "s", report->verdicts,
                  report->verdicts == 1 ? "" : "s");
    for (size_t p = 0; p < report->pair_count; p++)
        strbuf_printf(out, "%s%s", p ? ", " : "", report->pairs[p]);
    if (report->silent)
        strbuf_printf(out, "; %zu more ask%s nothing of %s", report->silent,
                      report->silent == 1 ? "s" : "", report->model);
    if (report->unencoded)
        strbuf_printf(out, "; %zu more %s not encoded", report->unencoded,
                      report->unencoded == 1 ? "is" : "are");
    if (report->broken)
        strbuf_printf(out, "; %zu change%s no %s", report->broken,
                      report->broken == 1 ? " leaves" : "s leave",
                      report->is_machine ? "machine" : "model");
    if (report->programs)
        strbuf_printf(out, "; survivors on %" PRIu64 " program%s under %s, %s, engine %s",
                      report->programs, report->programs == 1 ? "" : "s", report->under,
                      report->bound, report->engine);
}

static void add_counts(const struct report_mutate *report, struct strbuf *out)
{
    size_t counts[REPORT_MUTANT_COUNT];
    report_mutate_count(report, counts);
    const size_t by_states = count_by_states(report);
    strbuf_printf(out, "%zu mutant%s: %zu killed", report->mutant_count,
                  report->mutant_count == 1 ? "" : "s", counts[REPORT_MUTANT_KILLED]);
    if (by_states)
        strbuf_printf(out, " (%zu by no verdict)", by_states);
    strbuf_printf(out, ", %zu alive, %zu equal up to the bound, %zu unknown",
                  counts[REPORT_MUTANT_ALIVE], counts[REPORT_MUTANT_EQUAL],
                  counts[REPORT_MUTANT_UNKNOWN]);
    strbuf_add(out, "; score ");
    if (counted(counts))
        add_score(counts, out);
    else
        strbuf_add(out, "not known, as nothing counts");
    strbuf_add(out, counted(counts) ? " %" : "");
}

/* ---- The document ---- */

static void add_head(const void *answer, struct report_tree *tree)
{
    const struct report_mutate *report = answer;
    report_tree_add(tree, REPORT_HEAD, NULL, "Mutants of %s", report->model);
    report_tree_begin(tree, REPORT_LINE, "counts");
    add_counts(report, &tree->text);
    report_tree_end(tree);
}

static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_mutate *report = answer;
    size_t counts[REPORT_MUTANT_COUNT];
    report_mutate_count(report, counts);
    for (size_t f = 0; f < report->file_count; f++)
        add_file(report, report->files[f], tree);
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count)
        if (mutant->fate == REPORT_MUTANT_ALIVE)
            add_alive(report, mutant, tree);
    if (counts[REPORT_MUTANT_KILLED])
        add_killed(report, tree);
    if (counts[REPORT_MUTANT_UNKNOWN])
        add_others(report, REPORT_MUTANT_UNKNOWN, "Unknown", tree);
    if (counts[REPORT_MUTANT_EQUAL])
        add_others(report, REPORT_MUTANT_EQUAL, "Equal up to the bound", tree);
    report_tree_begin(tree, REPORT_LINE, NULL);
    add_tests(report, &tree->text);
    report_tree_end(tree);
    tree->where = REPORT_IN_TEXT | REPORT_IN_MARKDOWN; /* HTML has it in its head */
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_add(&tree->text, "Summary: ");
    add_counts(report, &tree->text);
    report_tree_end(tree);
}

/* ---- JSON ---- */

static void json_begin(struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
}

static void json_place(const struct source *file, uint32_t line, struct strbuf *out)
{
    SCOPED(strbuf) name = {0};
    utf8_add_name(&name, file->name);
    emit_string(out, "file", strbuf_text(&name));
    emit_number(out, "line", line);
}

static void json_killed(const struct report_mutant *mutant, struct strbuf *out)
{
    emit_object(out, "killed_by");
    emit_string(out, "test", mutant->test);
    emit_string(out, "file", mutant->file);
    emit_string(out, "model", mutant->verdicts[0]);
    emit_string(out, "mutant", mutant->verdicts[1]);
    if (mutant->difference)
        emit_string(out, "difference", mutant->difference);
    emit_end(out, '}');
}

static void json_alive(const struct report_mutant *mutant, struct strbuf *out)
{
    emit_object(out, "told_by");
    emit_string(out, "test", mutant->name);
    emit_string(out, "allowed_by", mutant->allows_more ? "mutant" : "model");
    report_survey_json_test(&mutant->smallest, out);
    emit_end(out, '}');
}

static void json_mutant(const struct report_mutant *mutant, struct strbuf *out)
{
    const struct mutation *change = mutant->change;
    json_begin(out);
    emit_number(out, "mutant", mutant->number);
    json_place(change->place.source, change->place.line, out);
    emit_number(out, "column", change->place.column);
    emit_string(out, "rule", change->rule);
    emit_string(out, "operator", change->word);
    emit_string(out, "change", change->what);
    emit_string(out, "fate", fates[mutant->fate]);
    if (mutant->pair)
        emit_string(out, "pair", mutant->pair);
    if (mutant->fate == REPORT_MUTANT_KILLED)
        json_killed(mutant, out);
    else if (mutant->fate == REPORT_MUTANT_ALIVE)
        json_alive(mutant, out);
    else
        emit_string(out, "why", mutant->why);
    report_json_end(out);
}

static void json_counts(const size_t counts[REPORT_MUTANT_COUNT], struct strbuf *out)
{
    for (int f = 0; f < REPORT_MUTANT_COUNT; f++)
        emit_number(out, fates[f], counts[f]);
}

static void json_line(const struct line *line, struct strbuf *out)
{
    static const char *const words[] = {COVERAGES(TABLE_THIRD)};
    json_begin(out);
    json_place(line->file, line->number, out);
    emit_string(out, "covered", words[coverage_of(line)]);
    json_counts(line->counts, out);
    report_json_end(out);
}

static void json_totals(const struct report_mutate *report, struct strbuf *out)
{
    static const char *const words[] = {"no", "unknown", "yes"};
    size_t counts[REPORT_MUTANT_COUNT];
    report_mutate_count(report, counts);
    json_begin(out);
    emit_string(out, "model", report->model);
    emit_number(out, "mutants", report->mutant_count);
    json_counts(counts, out);
    if (counted(counts)) {
        emit_name(out, "score");
        add_score(counts, out);
    }
    emit_number(out, "fail_under", report->least);
    emit_string(out, "reached", words[report_mutate_judge(report) + 1]);
    emit_number(out, "broken", report->broken);
    emit_number(out, "tests", report->tests);
    emit_number(out, "verdicts", report->verdicts);
    emit_number(out, "silent", report->silent);
    if (report->is_machine) {
        emit_number(out, "unencoded", report->unencoded);
        emit_number(out, "killed_by_states", count_by_states(report));
    }
    emit_array(out, "pairs");
    for (size_t p = 0; p < report->pair_count; p++)
        emit_string(out, NULL, report->pairs[p]);
    emit_end(out, ']');
    emit_string(out, "engine", report->engine);
    emit_number(out, "programs", report->programs);
    if (report->bound) {
        emit_string(out, "under", report->under);
        emit_string(out, "bound", report->bound);
    }
    report_json_end(out);
}

static void add_json(const void *answer, struct strbuf *out)
{
    const struct report_mutate *report = answer;
    EACH (const struct report_mutant, mutant, report->mutants, report->mutant_count)
        json_mutant(mutant, out);
    for (size_t f = 0; f < report->file_count; f++)
        for (uint32_t number = next_line(report, report->files[f], 0); number;
             number = next_line(report, report->files[f], number)) {
            const struct line line = line_of(report, report->files[f], number);
            json_line(&line, out);
        }
    json_totals(report, out);
}

const struct report_subject report_mutate = {.title = "crashlit mutate",
                                             .head = add_head,
                                             .body = add_body,
                                             .json = add_json,
                                             .sarif = report_mutate_sarif,
                                             .sarif_begin = report_mutate_sarif_begin,
                                             .sarif_end = report_mutate_sarif_end};
