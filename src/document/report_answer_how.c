/* How a state comes about, in three lines: what executes, what is durable and what is lost, which
 * order is missing. A recovered state has a line for each crash and each recovery. */
#include "answer/report_gallery.h"
#include "document/report_answer.h"
#include "document/report_explain.h"

#include <string.h>

enum {
    MOST_NAMED = 3
}; /* limits the events of a sentence, the reads of an execution and the steps of a chain */

/* ---- What executes ---- */

/* Steps of one thread, one after the other. */
struct stretch {
    uint32_t thread;
    VEC(uint32_t) lines; /* rising */
};
typedef VEC(struct stretch) stretches;

static void add_line(struct stretch *stretch, uint32_t line)
{
    size_t at = stretch->lines.count;
    while (at > 0 && stretch->lines.items[at - 1] > line)
        at--;
    if (at > 0 && stretch->lines.items[at - 1] == line)
        return;
    VEC_PUSH(&stretch->lines, line);
    for (size_t i = stretch->lines.count - 1; i > at; i--)
        stretch->lines.items[i] = stretch->lines.items[i - 1];
    stretch->lines.items[at] = line;
}

/* With `whole` each thread has one stretch, and the order of threads is not told. */
static struct stretch *find_stretch(stretches *all, uint32_t thread, bool whole)
{
    for (size_t i = whole || !all->count ? 0 : all->count - 1; i < all->count; i++)
        if (all->items[i].thread == thread)
            return &all->items[i];
    VEC_PUSH(all, (struct stretch){.thread = thread});
    return &VEC_LAST(all);
}

static void collect(const struct explanation *how, bool whole, stretches *all)
{
    EACH_IN (const struct explanation_step, step, how->steps)
        if (step->kind == EXPLANATION_EXECUTES && step->event.thread != LIT_NONE)
            add_line(find_stretch(all, step->event.thread, whole), step->event.line);
}

static void release(stretches *all)
{
    for (size_t i = 0; i < all->count; i++)
        VEC_FREE(&all->items[i].lines);
    VEC_FREE(all);
}

/* "lines 3, 4 and 7 to 9" */
static void add_lines(const struct stretch *stretch, struct strbuf *out)
{
    const size_t count = stretch->lines.count;
    strbuf_add(out, count > 1 ? "lines " : "line ");
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        while (last + 1 < count && stretch->lines.items[last + 1] == stretch->lines.items[last] + 1)
            last++;
        last = last > i + 1 ? last : i;
        strbuf_add(out, i == 0 ? "" : last + 1 == count ? " and " : ", ");
        strbuf_printf(out, "%u", stretch->lines.items[i]);
        if (last > i)
            strbuf_printf(out, " to %u", stretch->lines.items[last]);
        i = last;
    }
}

static void add_power(const struct explanation *how, bool first, struct strbuf *out)
{
    EACH_IN (const struct explanation_step, step, how->steps) {
        if (step->kind != EXPLANATION_CRASH)
            continue;
        strbuf_add(out, first ? "power fails before anything executes" : ", then power fails");
        if (step->event.line)
            strbuf_printf(out, " at line %u", step->event.line);
    }
}

/* Do the steps come in the order that they are told in? */
static bool is_ordered(const struct explanation *how)
{
    return !ANY(i, how->steps.count, how->steps.items[i].kind == EXPLANATION_CYCLE);
}

static void add_executed(const struct lit_program *program, const struct explanation *how,
                         struct report_tree *tree)
{
    enum { MOST_STRETCHES = 6, MOST_THREADS = 8 };
    const bool ordered = is_ordered(how);
    stretches all = {0};
    collect(how, false, &all);
    bool whole = !ordered || all.count > MOST_STRETCHES;
    if (whole) {
        release(&all);
        all = (stretches){0};
        collect(how, true, &all);
    }
    report_tree_begin(tree, REPORT_ITEM, NULL)->wraps = true;
    for (size_t i = 0; i < all.count && i < MOST_THREADS; i++) {
        struct outcome_event event = {.thread = all.items[i].thread};
        strbuf_printf(&tree->text, "%s%s %s",
                      i == 0  ? ""
                      : whole ? ", "
                              : ", then ",
                      outcome_thread(program, event.thread)->name, i == 0 ? "executes " : "");
        add_lines(&all.items[i], &tree->text);
    }
    if (all.count > MOST_THREADS)
        strbuf_printf(&tree->text, ", and %zu more work-items theirs", all.count - MOST_THREADS);
    strbuf_add(&tree->text, ordered ? "" : ", in no one order (executes-before has a cycle)");
    add_power(how, all.count == 0, &tree->text);
    strbuf_add_char(&tree->text, '.');
    report_tree_end(tree);
    release(&all);
}

/* ---- What is durable, what was read ---- */

static bool is_lost(const struct explanation_step *step)
{
    return step->lost;
}

static bool is_durable(const struct explanation_step *step)
{
    return step->kind == EXPLANATION_DURABLE;
}

/* Appends "P0's W head at line 8", with the value ("W head = 2") if several writes of this
 * statement are named, as in a loop. */
static void add_write(const struct lit_program *program, const struct explanation *how,
                      const struct explanation_step *step,
                      bool is(const struct explanation_step *step), struct strbuf *out)
{
    struct outcome_event event = step->event;
    SCOPED(strbuf) access = {0};
    bool again = ANY(i, how->steps.count,
                     &how->steps.items[i] != step && is(&how->steps.items[i]) &&
                         how->steps.items[i].event.thread == event.thread &&
                         how->steps.items[i].event.line == event.line &&
                         how->steps.items[i].event.location == event.location);
    strbuf_add(&access, event.access);
    if (again && step->has_value) {
        strbuf_add(&access, " = ");
        lit_value_print(step->type, step->value, &access);
    }
    event.access = strbuf_text(&access);
    report_event(program, &event, out);
}

/* "A, B and 3 more are durable" */
static size_t add_fate(const struct lit_program *program, const struct explanation *how,
                       bool is(const struct explanation_step *step), const char *fate,
                       struct strbuf *out)
{
    size_t count = 0, told = 0;
    for (size_t i = 0; i < how->steps.count; i++)
        count += is(&how->steps.items[i]);
    size_t named = count > MOST_NAMED ? MOST_NAMED - 1 : count;
    for (size_t i = 0; i < how->steps.count && told < named; i++) {
        if (!is(&how->steps.items[i]))
            continue;
        strbuf_add(out, told == 0 ? "" : told + 1 == count ? " and " : ", ");
        add_write(program, how, &how->steps.items[i], is, out);
        told++;
    }
    if (count > named)
        strbuf_printf(out, " and %zu more", count - named);
    if (count)
        strbuf_printf(out, " %s %s", count > 1 ? "are" : "is", fate);
    return count;
}

static void add_fates(const struct lit_program *program, const struct explanation *how,
                      struct report_tree *tree)
{
    SCOPED(strbuf) durable = {0}, lost = {0};
    size_t kept = add_fate(program, how, is_durable, "durable", &durable);
    size_t gone = add_fate(program, how, is_lost, "lost", &lost);
    if (kept || gone)
        report_tree_wrapped(tree, REPORT_ITEM, "%s%s%s.", strbuf_text(&durable),
                            kept && gone ? ", " : "", strbuf_text(&lost));
}

static void add_reads(const struct lit_program *program, const struct explanation *how,
                      struct report_tree *tree)
{
    size_t count = 0;
    SCOPED(strbuf) words = {0};
    EACH_IN (const struct explanation_step, step, how->steps) {
        if (!step->is_read || !step->has_value || count++ >= MOST_NAMED)
            continue;
        strbuf_add(&words, count > 1 ? "; " : "");
        report_event(program, &step->event, &words);
        strbuf_add(&words, " reads ");
        lit_value_print(step->type, step->value, &words);
        strbuf_add(&words, " from ");
        report_event(program, &step->source, &words);
    }
    if (count > MOST_NAMED)
        strbuf_printf(&words, "; and %zu more read%s", count - MOST_NAMED,
                      count - MOST_NAMED > 1 ? "s" : "");
    if (count)
        report_tree_wrapped(tree, REPORT_ITEM, "%s.", strbuf_text(&words));
}

/* ---- Which order is missing ---- */

static void add_gap(const struct lit_program *program, const struct explanation_gap *gap,
                    struct report_tree *tree)
{
    SCOPED(strbuf) words = {0};
    strbuf_add(&words, "Nothing makes ");
    report_event(program, &gap->earlier, &words);
    strbuf_add(&words, " durable before ");
    report_event(program, &gap->later, &words);
    strbuf_add(&words, ": ");
    if (gap->has_between)
        report_event(program, &gap->between, &words);
    strbuf_add(&words, gap->has_between ? " does not order them" : REPORT_NOTHING_BETWEEN);
    if (gap->has_between)
        report_explain_why_not(program, gap, ": ", &words);
    strbuf_add_char(&words, '.');
    report_tree_wrapped(tree, REPORT_ITEM, "%s", strbuf_text(&words));
}

static void add_unstored(const struct lit_program *program, const struct explanation *how,
                         struct report_tree *tree)
{
    SCOPED(strbuf) words = {0};
    for (size_t i = 0; i < how->unstored.count; i++) {
        strbuf_add(&words, i ? "; " : "");
        report_explain_unstored(program, &how->unstored.items[i], &words);
    }
    report_tree_wrapped(tree, REPORT_ITEM, "%s.", strbuf_text(&words));
}

static void add_execution(const struct lit_program *program, const struct explanation *how,
                          bool crash, struct report_tree *tree)
{
    add_executed(program, how, tree);
    if (crash)
        add_fates(program, how, tree);
    else
        add_reads(program, how, tree);
    if (crash && how->gaps.count)
        add_gap(program, &how->gaps.items[0], tree);
    else if (crash && how->unstored.count)
        add_unstored(program, how, tree);
    else if (crash)
        add_reads(program, how, tree);
}

/* ---- Recovery ---- */

static void add_chain(const struct report_test *test, const struct outcome_chain *chain,
                      struct report_tree *tree)
{
    const struct outcome_states *starts = &test->outcome->starts;
    const struct outcome_states *recovered = &test->outcome->recovered;
    const struct lit_program recovery = lit_recovery_program(test->program);
    SCOPED(strbuf) words = {0};
    for (uint32_t i = 0; i < chain->link_count && i < MOST_NAMED; i++) {
        strbuf_add(&words, i == 0                          ? "A crash leaves "
                           : chain->links[i - 1].completes ? "Recovery leaves "
                                                           : "A crash in recovery leaves ");
        report_row_parts(test->program, starts->items, starts->width, chain->links[i].start, NULL,
                         ", ", &words);
        report_tree_wrapped(tree, REPORT_ITEM, "%s.", strbuf_text(&words));
        strbuf_clear(&words);
    }
    if (chain->link_count > MOST_NAMED)
        report_tree_add(tree, REPORT_ITEM, NULL, "And so on, %u times more.",
                        chain->link_count - MOST_NAMED);
    strbuf_add(&words,
               chain->link_count > 1 ? "Recovery from there leaves " : "Recovery then leaves ");
    report_row_parts(&recovery, recovered->items, recovered->width, chain->recovered, NULL, ", ",
                     &words);
    report_tree_wrapped(tree, REPORT_ITEM, "%s.", strbuf_text(&words));
}

/* ---- Of a test ---- */

/* The condition whose state is explained: the first one that has the verdict of the test and a
 * state that an execution or a chain shows. The number of conditions if there is none. */
static uint32_t told_of(const struct report_test *test, const struct outcome_chain **chain)
{
    const struct lit_program *program = test->program;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct report_execution *shown = report_gallery_deciding(test->gallery, i);
        const struct outcome_chain *own = test->outcome->chains ? &test->outcome->chains[i] : NULL;
        *chain = own && own->recovered && own->link_count ? own : NULL;
        if (outcome_judge(test->outcome, program, &program->conditions[i]).verdict ==
                test->verdict &&
            (*chain || (shown && shown->how && shown->row)))
            return i;
    }
    return program->condition_count;
}

static void add_state(const struct report_test *test, uint32_t number,
                      const struct outcome_chain *chain, struct report_tree *tree)
{
    const struct report_execution *shown = report_gallery_deciding(test->gallery, number);
    struct report_deciding state;
    SCOPED(strbuf) row = {0};
    SCOPED(arena) arena = {0};
    if (report_answer_state(test, number, &arena, &state))
        report_answer_row(test, number, &state, &row);
    report_tree_wrapped(tree, REPORT_LINE, "How %s comes about:", strbuf_text(&row));
    report_tree_begin(tree, REPORT_LIST, NULL);
    if (chain)
        add_chain(test, chain, tree);
    else
        add_execution(test->program, shown->how, shown->crash, tree);
    report_tree_end(tree);
}

static void add_property(const struct report_test *test, struct report_tree *tree)
{
    report_tree_line(tree, "How that comes about:");
    report_tree_begin(tree, REPORT_LIST, NULL);
    add_chain(test, &test->idempotence->chain, tree);
    report_tree_end(tree);
}

void report_answer_how(const struct report_test *test, struct report_tree *tree)
{
    const struct outcome_chain *chain = NULL;
    uint32_t number = told_of(test, &chain);
    if (test->idempotence && test->idempotence->chain.recovered)
        add_property(test, tree);
    else if (!test->idempotence && test->verdict != LIT_UNDEFINED &&
             number < test->program->condition_count)
        add_state(test, number, chain, tree);
}
