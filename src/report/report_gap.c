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

/* What a barrier does there. One that stands between the two would have to be wider. */
static void add_remedy(const struct explanation_gap *gap, struct strbuf *out)
{
    const char *scope = scope_texts[gap->scope];
    bool widened = gap->threads[0] != gap->threads[1];
    if (gap->mend == EXPLANATION_MEND_UNTRIED)
        strbuf_printf(out, "to order both work-items one needs the scope %s, or a wider one\n",
                      scope);
    else if (gap->mend == EXPLANATION_MEND_NOT_ENOUGH)
        strbuf_printf(out, "with %s %s the condition is still not known to hold\n",
                      widened ? "the scope" : "one of scope", scope);
    else if (widened)
        strbuf_printf(out, "with the scope %s the condition holds\n", scope);
    else
        strbuf_printf(out, "with one of scope %s before line %u the condition holds\n", scope,
                      gap->mended_line);
}

void report_text_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        strbuf_add(out, "Missing order: nothing makes ");
        add_event(program, &gap->earlier, out);
        strbuf_add(out, " durable before ");
        add_event(program, &gap->later, out);
        strbuf_add(out, gap->has_barrier ? "\n  between them stands "
                                         : "\n  no persist barrier stands between them; ");
        if (gap->has_barrier) {
            add_event(program, &gap->barrier, out);
            strbuf_add(out, ", which does not order them; ");
        }
        add_remedy(gap, out);
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
        strbuf_printf(out, ",\"scope\":\"%s\",\"with_barrier\":\"%s\"", scope_texts[gap->scope],
                      mend_texts[gap->mend]);
        if (gap->mended_line)
            strbuf_printf(out, ",\"before_line\":%u", gap->mended_line);
        strbuf_add_char(out, '}');
    }
    strbuf_add_char(out, ']');
}
