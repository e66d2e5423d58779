/* A table: a row a step, a column a place or queue. A part that never changes is left out, and of a
 * part with places those that never change; the last part, the memory that survives, is always
 * whole. A cell that is as in the row above is `.`, one that holds nothing `-`. */
#include "document/report_trace_table.h"

#include "report/report.h"
#include "report/report_wrap.h"

#include <string.h>

/* The column holds this text, too. */
static void widen(struct report_trace_column *column, const char *text)
{
    size_t width = report_wrap_characters(text);
    column->width = column->width < width ? width : column->width;
}

/* ---- Cells ------------------------------------------------------------------------------ */

static const char *place_text(struct report_trace_table *t, const struct trace_cell *cell)
{
    struct strbuf text = {0};
    if (!cell->has_value)
        return "-";
    lit_value_print(cell->type, cell->value, &text);
    strbuf_add(&text, cell->mark);
    return strbuf_take(&text, &t->arena);
}

static const char *queue_text(struct report_trace_table *t, const struct trace_part *part)
{
    struct strbuf text = {0};
    if (part->count == 0)
        return "-";
    for (uint32_t i = 0; i < part->count; i++)
        strbuf_printf(&text, "%s%s", i ? " " : "", part->cells[i].name);
    return strbuf_take(&text, &t->arena);
}

/* The text of one place, or of a whole queue, after a step. */
static const char *cell_text(struct report_trace_table *t, uint32_t step, uint32_t part,
                             uint32_t place)
{
    const struct trace_part *p = &t->report->trace->steps[step].parts[part];
    return p->kind == TRACE_QUEUE ? queue_text(t, p) : place_text(t, &p->cells[place]);
}

/* Adds a column when something changes in it, or anyway; returns whether it did. */
static bool add_column(struct report_trace_table *t, uint32_t part, uint32_t place, bool anyway)
{
    uint32_t steps = t->report->trace->count;
    const struct trace_part *first = &t->report->trace->steps[0].parts[part];
    struct report_trace_column column = {.cells = ARENA_ARRAY(&t->arena, const char *, steps),
                                         .width = 1};
    const char *before = NULL;
    for (uint32_t i = 0; i < steps; i++) {
        const char *text = cell_text(t, i, part, place);
        bool same = before && strcmp(text, before) == 0;
        anyway |= before && !same;
        column.cells[i] = same ? "." : text;
        before = text;
        widen(&column, column.cells[i]);
    }
    column.below = first->kind == TRACE_PLACES ? first->cells[place].name : "";
    widen(&column, column.below);
    if (anyway)
        VEC_PUSH(&t->columns, column);
    return anyway;
}

/* ---- Columns ---------------------------------------------------------------------------- */

/* A queue's name stands on two lines, as it has no places to be named. */
static void name_queue(struct report_trace_table *t, struct report_trace_column *column,
                       const char *name)
{
    const char *space = strchr(name, ' ');
    column->head = space ? arena_strndup(&t->arena, name, (size_t)(space - name)) : name;
    column->below = space ? space + 1 : "";
    widen(column, column->head);
    widen(column, column->below);
}

/* The name stands over all columns of the part: the last takes what it is longer. */
static void name_places(struct report_trace_table *t, size_t from, const char *name)
{
    size_t width = 0, wanted = report_wrap_characters(name);
    for (size_t i = from; i < t->columns.count; i++)
        width += t->columns.items[i].width + (i > from);
    t->columns.items[from].head = name;
    if (width < wanted)
        VEC_LAST(&t->columns).width += wanted - width;
}

static void add_part(struct report_trace_table *t, uint32_t part, bool last)
{
    const struct trace_part *first = &t->report->trace->steps[0].parts[part];
    size_t from = t->columns.count;
    uint32_t places = first->kind == TRACE_QUEUE ? 1 : first->count;
    for (uint32_t place = 0; place < places; place++)
        add_column(t, part, place, last);
    if (t->columns.count == from)
        return;
    t->columns.items[from].begins_part = true;
    if (first->kind == TRACE_QUEUE)
        name_queue(t, &t->columns.items[from], first->name);
    else
        name_places(t, from, first->name);
}

static const char *number_text(struct report_trace_table *t, uint32_t number)
{
    return number ? arena_printf(&t->arena, "%u", number) : "";
}

/* "*x = 1;  (waits for its scope)" */
static const char *what_text(struct report_trace_table *t, const struct trace_step *step)
{
    if (!step->source)
        return step->text;
    bool executes = strcmp(step->kind, "executes") == 0;
    const char *kind = executes ? "" : arena_printf(&t->arena, "%s: ", step->kind);
    return arena_printf(&t->arena, "%s%s%s%s%s", kind, step->source, *step->text ? "  (" : "",
                        step->text, *step->text ? ")" : "");
}

static void add_text_column(struct report_trace_table *t, const char *below)
{
    struct report_trace_column column = {
        .below = below,
        .width = report_wrap_characters(below),
        .cells = ARENA_ARRAY(&t->arena, const char *, t->report->trace->count)};
    VEC_PUSH(&t->columns, column);
}

static void set_text(struct report_trace_table *t, size_t column, uint32_t step, const char *text)
{
    t->columns.items[column].cells[step] = text;
    widen(&t->columns.items[column], text);
}

static void add_steps(struct report_trace_table *t)
{
    static const char *const heads[] = {"#", "who", "line", "what"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        add_text_column(t, heads[i]);
    for (uint32_t i = 0; i < t->report->trace->count; i++) {
        const struct trace_step *step = &t->report->trace->steps[i];
        set_text(t, 0, i, i ? number_text(t, i) : "0");
        set_text(t, 1, i, step->actor);
        set_text(t, 2, i, number_text(t, step->line));
        set_text(t, 3, i, i ? what_text(t, step) : "start");
    }
}

/* ---- The table -------------------------------------------------------------------------- */

void report_trace_table_init(struct report_trace_table *t, const struct report_trace *report)
{
    const struct trace *trace = report->trace;
    *t = (struct report_trace_table){.report = report, .steps = trace->count};
    add_steps(t);
    for (uint32_t part = 0; part < trace->steps[0].part_count; part++)
        add_part(t, part, part + 1 == trace->steps[0].part_count);
}

void report_trace_table_fini(struct report_trace_table *t)
{
    VEC_FREE(&t->columns);
    arena_fini(&t->arena);
}

void report_trace_table(const struct report_trace *report, struct strbuf *out)
{
    SCOPED(report_trace_table) t;
    report_trace_table_init(&t, report);
    report_trace_table_text(&t, report->columns, out);
}

/* A `forall`, and so it is a state that breaks it that was looked for. */
static bool is_to_break(const struct report_trace *report)
{
    return report->number &&
           report->program->conditions[report->number - 1].quantifier == LIT_FORALL;
}

/* ---- The document ----------------------------------------------------------------------- */

static void add_other(const struct report_trace *report, struct report_tree *tree)
{
    const struct trace_other *other = &report->trace->other;
    if (!other->visibility)
        return;
    if (other->answer == TRACE_FOUND)
        report_tree_line(tree, "Shown by %s, which promises %s + %s as well, after %u steps",
                         other->machine, other->visibility, other->persistency, other->steps);
    else if (other->answer == TRACE_NONE)
        report_tree_line(tree, "Nor does any other built-in machine that promises the same%s",
                         is_to_break(report) ? " show one" : "");
    else
        report_tree_line(tree,
                         "Whether another built-in machine that promises the same shows %s is not "
                         "known: a limit was met",
                         is_to_break(report) ? "one" : "it");
}

/* The pair that was asked may be one that the machine does not promise. */
static const char *standing(const struct report_trace *report)
{
    const struct trace_choice *choice = &report->choice;
    const struct trace_model *model = &report->trace->promised;
    bool is_asked = choice->visibility && !trace_choice_fits(choice) &&
                    strcmp(model->visibility, choice->asked_visibility) == 0 &&
                    strcmp(model->persistency, choice->asked_persistency) == 0;
    return is_asked ? "which the test is asked about" : "which it promises";
}

static void add_promised(const struct report_trace *report, struct report_tree *tree)
{
    static const char *const says[][2] = {
        [TRACE_ALLOWED] = {"allows it", "allows one"},
        [TRACE_FORBIDDEN] = {"forbids it, too", "allows none, either"},
        [TRACE_UNDEFINED] = {"says that the test is undefined", "says that the test is undefined"},
        [TRACE_UNDECIDED] = {"may allow it or not: it was not settled soon",
                             "may allow one or not: it was not settled soon"}};
    const struct trace_model *model = &report->trace->promised;
    if (model->answer != TRACE_NOT_ASKED)
        report_tree_line(tree, "%s + %s, %s, %s", model->visibility, model->persistency,
                         standing(report), says[model->answer][is_to_break(report)]);
}

void report_trace_state(const struct report_trace *report, struct strbuf *out)
{
    const struct trace *trace = report->trace;
    const struct lit_program recovery = lit_recovery_program(report->program);
    report_row(report->when == LIT_RECOVERED ? &recovery : report->program, trace->items,
               trace->width, trace->row, out);
}

static void add_table(const struct report_trace *report, struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_VERBATIM, NULL);
    report_trace_table(report, &tree->text);
    report_tree_end(tree);
}

/* Of one that recovery comes to: its run, from the crash at the end of the other. */
static void add_recovery(const struct report_trace *report, struct report_tree *tree)
{
    const struct trace *trace = report->trace, *run = &trace->recoveries[0];
    const struct lit_program recovery = lit_recovery_program(report->program);
    const struct report_trace rest = {
        .program = &recovery, .trace = run, .columns = report->columns};
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "Crash after %u steps:%s", trace->count - 1,
                  trace->left_width ? " " : "");
    report_text_row(report->program, trace->left, trace->left_width,
                    trace->steps[trace->count - 1].leaves, &tree->text);
    report_tree_end(tree);
    add_table(&rest, tree);
}

static void add_found(const struct report_trace *report, struct report_tree *tree)
{
    static const char *const kinds[] = {"Final state", "Crash", "Recovered"};
    const struct trace *trace = report->trace;
    bool recovered = report->when == LIT_RECOVERED;
    add_table(report, tree);
    if (recovered)
        add_recovery(report, tree);
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_printf(&tree->text, "%s after %u steps:%s", kinds[report->when],
                  (recovered ? trace->recoveries[0].count : trace->count) - 1,
                  trace->width ? " " : "");
    report_trace_state(report, &tree->text);
    strbuf_add(&tree->text, trace->width ? ";" : "");
    report_tree_end(tree);
    tree->where = REPORT_IN_PICTURES;
    report_tree_figure(tree, NULL,
                       (struct report_figure){
                           .draw = report_trace_picture, .tex = report_trace_tex, .of = report});
}

/* Which machine, and why, where nobody named it. */
static void add_machine(const struct report_trace *report, struct report_tree *tree)
{
    const char *test = report->program->name, *machine = report->trace->machine;
    const struct trace_choice *choice = &report->choice;
    if (!choice->visibility) {
        report_tree_line(tree, "Trace %s on %s", test, machine);
        return;
    }
    report_tree_line(tree, "Trace %s on %s, which promises %s + %s", test, machine,
                     choice->visibility, choice->persistency);
    if (!trace_choice_fits(choice))
        report_tree_line(tree, "No built-in machine promises %s + %s%s%s; %s",
                         choice->asked_visibility, choice->asked_persistency,
                         choice->by ? ", named by " : "", choice->by ? choice->by : "",
                         strcmp(choice->persistency, choice->asked_persistency) == 0
                             ? "this one has its persistency"
                             : "this one is of other models: name another with --machine");
}

static void add_question(const struct report_trace *report, struct report_tree *tree)
{
    add_machine(report, tree);
    report_tree_begin(tree, REPORT_LINE, NULL);
    strbuf_add(&tree->text, report->number ? "Condition " : "State ");
    if (report->number)
        strbuf_printf(&tree->text, "%u ", report->number);
    report_tree_add(tree, REPORT_CODE, NULL, "%s", report->goal);
    report_tree_end(tree);
}

/* The picture of a run says all of it. */
static void add_body(const void *answer, struct report_tree *tree)
{
    const struct report_trace *report = answer;
    const struct trace *trace = report->trace;
    bool found = trace->answer == TRACE_FOUND;
    tree->where = REPORT_IN_TEXT | REPORT_IN_HTML | (found ? 0 : REPORT_IN_PICTURES);
    add_question(report, tree);
    if (found) {
        add_found(report, tree);
    } else if (trace->answer == TRACE_NONE) {
        report_tree_line(tree, "Never: %s in any of its %llu states",
                         is_to_break(report)
                             ? "no state breaks it: the machine shows none that does"
                             : "the machine does not show it",
                         (unsigned long long)trace->states);
        add_promised(report, tree);
        add_other(report, tree);
    } else {
        report_tree_line(tree, "Unknown: not found in %llu states; %s",
                         (unsigned long long)trace->states, trace->doubt);
    }
    report_tree_only(tree, REPORT_IN_TEXT, REPORT_LINE, "%s", "");
}

const struct report_subject report_trace = {.body = add_body, .json = report_trace_json};
