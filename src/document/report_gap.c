/* What is said of orders below the steps: which of them the model chose, and which are missing, so
 * that a write is durable without an earlier one. */
#include "base/json.h"
#include "report/report.h"

void report_text_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        strbuf_add(out, "Missing order: in this execution nothing makes ");
        report_event(program, &gap->earlier, out);
        strbuf_add(out, " durable before ");
        report_event(program, &gap->later, out);
        if (!gap->has_barrier)
            strbuf_add(out, "\n  no persist barrier stands between them");
        if (gap->has_barrier) {
            strbuf_add(out, "\n  between them stands ");
            report_event(program, &gap->barrier, out);
            strbuf_add(out, ", which does not order them");
        }
        strbuf_add_char(out, '\n');
    }
}

void report_text_chosen(const struct lit_program *program, const struct explanation *explanation,
                        struct strbuf *out)
{
    for (size_t i = 0; i < explanation->chosen.count; i++) {
        const struct explanation_chosen *chosen = &explanation->chosen.items[i];
        strbuf_printf(out, "Chosen order: %s has ", chosen->order);
        report_event(program, &chosen->earlier, out);
        strbuf_add(out, " before ");
        report_event(program, &chosen->later, out);
        strbuf_add_char(out, '\n');
    }
}

static void add_json_event(const struct lit_program *program, const char *name,
                           const struct outcome_event *event, struct strbuf *out)
{
    emit_object(out, name);
    emit_string(out, "thread", outcome_thread(program, event->thread)->name);
    emit_number(out, "line", event->line);
    emit_string(out, "access", event->access);
    emit_end(out, '}');
}

void report_json_gaps(const struct lit_program *program, const struct explanation *explanation,
                      struct strbuf *out)
{
    emit_array(out, "missing");
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap *gap = &explanation->gaps.items[i];
        emit_object(out, NULL);
        add_json_event(program, "earlier", &gap->earlier, out);
        add_json_event(program, "later", &gap->later, out);
        if (gap->has_barrier)
            add_json_event(program, "barrier", &gap->barrier, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

void report_json_chosen(const struct lit_program *program, const struct explanation *explanation,
                        struct strbuf *out)
{
    if (explanation->chosen.count == 0)
        return;
    emit_array(out, "chosen");
    for (size_t i = 0; i < explanation->chosen.count; i++) {
        const struct explanation_chosen *chosen = &explanation->chosen.items[i];
        emit_object(out, NULL);
        emit_string(out, "order", chosen->order);
        add_json_event(program, "earlier", &chosen->earlier, out);
        add_json_event(program, "later", &chosen->later, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}
