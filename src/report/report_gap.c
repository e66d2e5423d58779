/* Missing orders: which write is durable without an earlier one, and what would order the two. */
#include "base/json.h"
#include "report/report.h"
#include "report/report_finding.h"

#include <string.h>

static const char *const scope_texts[] = {LIT_SCOPES(TABLE_THIRD)};

static const char *const mend_texts[] = {EXPLANATION_MENDS(TABLE_SECOND)};

static const char *const result_texts[] = {
    [EXPLANATION_MEND_HOLDS] = "the condition holds",
    [EXPLANATION_MEND_VIOLATED] = "still violated",
    [EXPLANATION_MEND_VACUOUS] = "the condition holds, but of nothing",
    [EXPLANATION_MEND_UNDEFINED] = "undefined behaviour",
    [EXPLANATION_MEND_UNKNOWN] = "not known",
};

/* Does the line begin with another statement, or with a head such as `else`? */
static bool is_further_on(const struct lit_program *program, const struct explanation_try *tried)
{
    size_t length;
    const char *text = source_line(program->source, tried->before_line, &length);
    return strspn(text, " \t") + 1 < tried->before_column && !program->is_table;
}

/* New barriers of one scope with one result are told together, when lines alone tell them apart. */
static bool goes_on(const struct lit_program *program, const struct explanation_try *tried,
                    const struct explanation_try *next)
{
    return tried->before_line && next->before_line && tried->scope == next->scope &&
           tried->fence == next->fence && text_same(tried->put, next->put) &&
           tried->result == next->result && !program->is_table && !is_further_on(program, tried) &&
           !is_further_on(program, next);
}

/* A line of a table has a statement of each thread. */
static void add_place(const struct lit_program *program, const struct explanation_try *tried,
                      struct strbuf *out)
{
    strbuf_printf(out, " before line %u", tried->before_line);
    if (program->is_table)
        strbuf_printf(out, " of %s", program->threads[tried->thread].name);
    if (is_further_on(program, tried))
        strbuf_printf(
            out, ", column %u",
            report_character_column(program->source, tried->before_line, tried->before_column));
}

/* By the name that the test writes, or by its tags. */
static void add_fence(const struct lit_program *program, const struct lit_instr *fence,
                      struct strbuf *out)
{
    strbuf_add(out, fence->name ? fence->name : "__fence{");
    for (uint32_t i = 0, n = 0; i < program->tag_count && !fence->name; i++)
        if (fence->tags >> i & 1)
            strbuf_printf(out, "%s%s", n++ ? ", " : "", program->tags[i]);
    strbuf_add(out, fence->name ? "" : "}");
}

/* Is it something else than a persist barrier? */
static bool has_words(const struct explanation_try *tried)
{
    return tried->fence || tried->put;
}

static void add_words(const struct lit_program *program, const struct explanation_try *tried,
                      struct strbuf *out)
{
    if (tried->put)
        strbuf_add(out, tried->put);
    else
        add_fence(program, tried->fence, out);
}

static void add_where(const struct lit_program *program, const struct explanation_try *tried,
                      struct strbuf *out)
{
    const char *scope = scope_texts[tried->scope];
    if (tried->before_line) {
        if (has_words(tried))
            add_words(program, tried, out);
        else
            strbuf_printf(out, "one of scope %s", scope);
        add_place(program, tried, out);
        return;
    }
    strbuf_printf(out, "scope %s there", scope);
    for (uint32_t i = 0; i < tried->widened_count; i++)
        strbuf_printf(out, "%s %u",
                      i                          ? ","
                      : tried->widened_count > 1 ? " and at lines"
                                                 : " and at line",
                      tried->widened[i]);
}

/* What was tried, and what came of it. Of what was not nothing is known. */
static void add_tries(const struct lit_program *program, const struct explanation_gap *gap,
                      struct strbuf *out)
{
    for (size_t i = 0; i < gap->tries.count; i++) {
        const struct explanation_try *tried = &gap->tries.items[i];
        strbuf_add(out, i ? "; " : "\n  tried: ");
        add_where(program, tried, out);
        for (; i + 1 < gap->tries.count && goes_on(program, tried, tried + 1); i++, tried++)
            strbuf_printf(out, ", %u", tried[1].before_line);
        strbuf_printf(out, ": %s", result_texts[tried->result]);
    }
}

/* Was a fence of the test tried, in whose words a persist barrier is none? */
static bool has_fence(const struct explanation_gap *gap)
{
    return gap->tries.count && has_words(&gap->tries.items[0]);
}

void report_text_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        strbuf_add(out, "Missing order: in this execution nothing makes ");
        report_event(program, &gap->earlier, out);
        strbuf_add(out, " durable before ");
        report_event(program, &gap->later, out);
        if (!gap->has_barrier && !has_fence(gap))
            strbuf_add(out, "\n  no persist barrier stands between them");
        if (gap->has_barrier) {
            strbuf_add(out, "\n  between them stands ");
            report_event(program, &gap->barrier, out);
            strbuf_add(out, ", which does not order them");
        }
        add_tries(program, gap, out);
        strbuf_add_char(out, '\n');
    }
}

static void add_json_event(const struct lit_program *program, const char *name,
                           const struct outcome_event *event, struct strbuf *out)
{
    json_object(out, name);
    json_string(out, "thread", outcome_thread(program, event->thread)->name);
    json_number(out, "line", event->line);
    json_string(out, "access", event->access);
    json_end(out, '}');
}

static void add_json_try(const struct lit_program *program, const struct explanation_try *tried,
                         struct strbuf *out)
{
    json_object(out, NULL);
    if (has_words(tried)) {
        struct strbuf name = {0};
        add_words(program, tried, &name);
        json_string(out, "instruction", strbuf_text(&name));
        strbuf_fini(&name);
    } else {
        json_string(out, "scope", scope_texts[tried->scope]);
    }
    if (tried->before_line) {
        json_string(out, "thread", program->threads[tried->thread].name);
        json_number(out, "before_line", tried->before_line);
        json_number(
            out, "before_column",
            report_character_column(program->source, tried->before_line, tried->before_column));
    } else {
        json_array(out, "widened");
        for (uint32_t k = 0; k < tried->widened_count; k++)
            json_number(out, NULL, tried->widened[k]);
        json_end(out, ']');
    }
    json_string(out, "result", mend_texts[tried->result]);
    json_end(out, '}');
}

void report_json_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    json_array(out, "missing");
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        json_object(out, NULL);
        add_json_event(program, "earlier", &gap->earlier, out);
        add_json_event(program, "later", &gap->later, out);
        if (gap->has_barrier)
            add_json_event(program, "barrier", &gap->barrier, out);
        json_array(out, "tried");
        for (size_t k = 0; k < gap->tries.count; k++)
            add_json_try(program, &gap->tries.items[k], out);
        json_end(out, ']');
        json_end(out, '}');
    }
    json_end(out, ']');
}
