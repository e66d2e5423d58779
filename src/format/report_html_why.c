/* HTML: how what is violated, or is not although it was expected, comes about, in words; and
 * explanations, the answer with what to change, then its execution or near miss. */
#include "document/report_answer.h"
#include "document/report_explain.h"
#include "format/report_html.h"
#include "report/report_string.h"

struct why {
    const struct report_test *test;
    struct strbuf *out;
    size_t count, untold; /* conditions; those of them without an execution */
};

/* What the message says of a state is of the one whose steps follow, but for a chain of recovery,
 * which begins with another. */
static void add_reason(struct why *why, const char *message, uint32_t condition)
{
    const struct report_execution *execution =
        report_gallery_deciding(why->test->gallery, condition);
    if (execution && !execution->how)
        execution = NULL;
    strbuf_add(why->out, why->count++ ? "" : "<ul class=\"why\">");
    report_xml_between(why->out, "<li>", message, "");
    if (execution) {
        report_xml_between(why->out, "<br/><span class=\"small\">how <code>", execution->state,
                           "</code> comes about:</span>");
        const struct report_explanation told = {.test = {.program = why->test->program},
                                                .explanation = execution->how};
        SCOPED(strbuf) steps = {0};
        report_text_steps(&told, &steps);
        report_xml_between(why->out, "<pre class=\"chain words\">", strbuf_text(&steps), "</pre>");
    }
    why->untold += !execution;
    strbuf_add(why->out, "</li>\n");
}

static void add_violated(void *context, const struct report_finding *finding)
{
    if (finding->kind == REPORT_CONDITION)
        add_reason(context, finding->message, finding->condition);
}

/* Another verdict was expected, and no condition is violated: how each comes to hold. */
static void add_surprises(struct why *why)
{
    const struct lit_program *program = why->test->program;
    for (uint32_t i = 0; i < program->condition_count; i++)
        add_reason(why, program->conditions[i].text, i);
}

/* The command line that asks the same of a solver, or of the machine. */
static void add_command(const struct report_test *test, struct strbuf *out)
{
    SCOPED(strbuf) command = {0};
    report_answer_command(test, true, &command);
    report_xml_between(out, "More, and what would help: <code>", strbuf_text(&command), "</code>");
}

void report_html_why(struct strbuf *out, const struct report_test *test)
{
    struct report_test named = *test;
    struct why why = {test, out, 0, 0};
    bool repeats = !test->asked || (test->machine ? test->asked->trace : test->asked->explain);
    named.named = test->gallery;
    report_each_finding(&named, add_violated, &why);
    if (why.count == 0 && test->verdict == LIT_OK && test->expected != LIT_OK)
        add_surprises(&why);
    if (why.count == 0)
        return;
    strbuf_add(out, "</ul><p class=\"small\">");
    if (why.untold)
        strbuf_add(out, test->machine ? "Of what has no steps above the reason is left out here. "
                                      : "Of what has no steps above <code>check --explain</code> "
                                        "adds the reason. ");
    if (repeats)
        add_command(test, out);
    strbuf_add(out, "</p>\n");
}

/* ---- Explanations ---- */

static void add_executions(const struct report_test *test, struct strbuf *out)
{
    const struct report_gallery *gallery = test->gallery;
    strbuf_add(out, "<div class=\"explained\">\n");
    for (size_t i = 0; i < gallery->items.count; i++) {
        report_html_execution(&gallery->items.items[i], true, out);
        report_cuts_html(test, &gallery->items.items[i], out);
    }
    if (gallery->remark && (!gallery->items.count || gallery->remark_stands))
        report_xml_between(out, "<p class=\"doubt\">", gallery->remark, "</p>\n");
    strbuf_add(out, "</div>\n");
}

void report_html_explained(const struct report_explanation *r, struct strbuf *out)
{
    SCOPED(report_tree) tree = {.where = REPORT_EVERYWHERE};
    struct report_paper paper = {.out = *out};
    report_explain_tree(r, &tree);
    report_tree_html(&tree, &paper);
    *out = paper.out;
    add_executions(&r->test, out);
}
