/* Missing orders: which write is durable without an earlier one, and what would order the two. */
#include "report/report.h"

#include "report/report_string.h"

static const char *const scope_texts[] = {
#define X(name, tag, text) text,
    LIT_SCOPES(X)
#undef X
};

static const char *const mend_texts[] = {
#define X(identifier, name) name,
    EXPLANATION_MENDS(X)
#undef X
};

static void add_event(const struct lit_program *program, const struct outcome_event *event,
                      struct strbuf *out)
{
    strbuf_printf(out, "%s's %s at line %u", outcome_thread(program, event->thread)->name,
                  event->access, event->line);
}

static const char *const result_texts[] = {
    [EXPLANATION_MEND_HOLDS] = "the condition holds",
    [EXPLANATION_MEND_VIOLATED] = "still violated",
    [EXPLANATION_MEND_VACUOUS] = "the condition holds, but of nothing",
    [EXPLANATION_MEND_UNDEFINED] = "undefined behaviour",
    [EXPLANATION_MEND_UNKNOWN] = "not known",
};

/* New barriers of one scope with one result are told together. */
static bool goes_on(const struct explanation_try *tried, const struct explanation_try *next)
{
    return tried->before_line && next->before_line && tried->scope == next->scope &&
           tried->result == next->result;
}

static void add_where(const struct explanation_try *tried, struct strbuf *out)
{
    const char *scope = scope_texts[tried->scope];
    if (tried->before_line) {
        strbuf_printf(out, "one of scope %s before line %u", scope, tried->before_line);
        return;
    }
    strbuf_printf(out, "scope %s there", scope);
    for (uint32_t i = 0; i < tried->widened_count; i++)
        strbuf_printf(out, "%s %u",
                      i                        ? ","
                      : tried->widened_count > 1 ? " and at lines"
                                                 : " and at line",
                      tried->widened[i]);
}

/* What was tried, and what came of it. Of what was not nothing is known. */
static void add_tries(const struct explanation_gap *gap, struct strbuf *out)
{
    for (size_t i = 0; i < gap->tries.count; i++) {
        const struct explanation_try *tried = &gap->tries.items[i];
        strbuf_add(out, i ? "; " : "\n  tried: ");
        add_where(tried, out);
        for (; i + 1 < gap->tries.count && goes_on(tried, tried + 1); i++, tried++)
            strbuf_printf(out, ", %u", tried[1].before_line);
        strbuf_printf(out, ": %s", result_texts[tried->result]);
    }
}

void report_text_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        strbuf_add(out, "Missing order: in this execution nothing makes ");
        add_event(program, &gap->earlier, out);
        strbuf_add(out, " durable before ");
        add_event(program, &gap->later, out);
        strbuf_add(out, gap->has_barrier ? "\n  between them stands "
                                         : "\n  no persist barrier stands between them");
        if (gap->has_barrier) {
            add_event(program, &gap->barrier, out);
            strbuf_add(out, ", which does not order them");
        }
        add_tries(gap, out);
        strbuf_add_char(out, '\n');
    }
}

static void add_json_event(const struct lit_program *program, const char *field,
                           const struct outcome_event *event, struct strbuf *out)
{
    strbuf_printf(out, "\"%s\":{\"thread\":", field);
    report_json_string(out, outcome_thread(program, event->thread)->name);
    strbuf_printf(out, ",\"line\":%u,\"access\":", event->line);
    report_json_string(out, event->access);
    strbuf_add_char(out, '}');
}

static void add_json_tries(const struct explanation_gap *gap, struct strbuf *out)
{
    strbuf_add(out, ",\"tried\":[");
    for (size_t i = 0; i < gap->tries.count; i++) {
        const struct explanation_try *tried = &gap->tries.items[i];
        strbuf_printf(out, "%s{\"scope\":\"%s\"", i ? "," : "", scope_texts[tried->scope]);
        if (tried->before_line)
            strbuf_printf(out, ",\"before_line\":%u", tried->before_line);
        else
            strbuf_add(out, ",\"widened\":[");
        for (uint32_t k = 0; k < tried->widened_count; k++)
            strbuf_printf(out, "%s%u", k ? "," : "", tried->widened[k]);
        strbuf_printf(out, "%s,\"result\":\"%s\"}", tried->before_line ? "" : "]",
                      mend_texts[tried->result]);
    }
    strbuf_add_char(out, ']');
}

void report_json_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    strbuf_add(out, ",\"missing\":[");
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        strbuf_add(out, i ? ",{" : "{");
        add_json_event(program, "earlier", &gap->earlier, out);
        strbuf_add_char(out, ',');
        add_json_event(program, "later", &gap->later, out);
        if (gap->has_barrier) {
            strbuf_add_char(out, ',');
            add_json_event(program, "barrier", &gap->barrier, out);
        }
        add_json_tries(gap, out);
        strbuf_add_char(out, '}');
    }
    strbuf_add_char(out, ']');
}
