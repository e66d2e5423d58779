#include "answer/report_gallery.h"

#include "base/json.h"
#include "document/report_explain.h"
#include "document/report_json.h"
#include "picture/report_picture.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Events ---- */

static void add_tags(const struct lit_program *program, uint64_t tags, struct strbuf *out)
{
    if (!tags)
        return;
    emit_array(out, "tags");
    for (uint32_t t = 0; t < program->tag_count; t++)
        if (tags >> t & 1)
            emit_string(out, NULL, program->tags[t]);
    emit_end(out, ']');
}

/* What it is made of. */
static void add_parts(const struct lit_program *program, const struct ev *ev, struct strbuf *out)
{
    static const char *const kinds[] = {EV_KINDS(TABLE_SECOND)};
    emit_string(out, "kind", kinds[ev->kind]);
    if (ev->location != LIT_NONE)
        emit_string(out, "location", program->locations[ev->location].name);
    if (ev->has_order || (ev_kind_accesses(ev->kind) && !ev->init && !ev->atomic))
        emit_string(out, "order", lit_order_tags[ev->has_order ? ev->order : LIT_ORDER_NA]);
    if (ev->has_scope || ev_kind_meets(ev->kind))
        emit_string(out, "scope",
                    lit_scope_tags[ev_kind_meets(ev->kind) ? ev->meeting.scope : ev->scope]);
    if (ev_kind_meets(ev->kind) && ev->meeting.label)
        emit_string(out, "label", ev->meeting.label);
    add_tags(program, ev_tags(ev), out);
}

static void add_event(const struct lit_program *program, const struct report_graph *graph,
                      const struct report_event *event, struct strbuf *out)
{
    emit_object(out, NULL);
    if (event->column == LIT_NONE)
        emit_string(out, "thread", NULL);
    else
        emit_number(out, "thread", graph->columns[event->column]->number);
    report_json_place(program, &event->span, out);
    emit_string(out, "access", event->access);
    if (event->ev)
        add_parts(program, event->ev, out);
    if (event->has_value) {
        emit_name(out, "value");
        lit_value_print(event->type, event->value, out);
    }
    if (event->meeting != LIT_NONE)
        emit_number(out, "meeting", event->meeting);
    emit_string(out, "fate", report_fate_class(event->fate));
    emit_end(out, '}');
}

/* ---- Relations ---- */

static bool is_first_of_its_name(const struct report_graph *graph, uint32_t pair)
{
    return !ANY(i, pair, strcmp(graph->pairs[i].relation, graph->pairs[pair].relation) == 0);
}

static void add_pairs(const struct report_graph *graph, const char *relation, struct strbuf *out)
{
    emit_array(out, relation);
    for (uint32_t i = 0; i < graph->pair_count; i++) {
        if (strcmp(graph->pairs[i].relation, relation) != 0)
            continue;
        emit_array(out, NULL);
        emit_number(out, NULL, graph->pairs[i].from);
        emit_number(out, NULL, graph->pairs[i].to);
        emit_end(out, ']');
    }
    emit_end(out, ']');
}

static void add_relations(const struct report_graph *graph, struct strbuf *out)
{
    emit_object(out, "relations");
    for (uint32_t i = 0; i < graph->pair_count; i++)
        if (is_first_of_its_name(graph, i))
            add_pairs(graph, graph->pairs[i].relation, out);
    emit_end(out, '}');
}

static void add_breaks(const struct report_graph *graph, struct strbuf *out)
{
    emit_array(out, "breaks");
    EACH (const struct report_break, step, graph->breaks, graph->break_count) {
        emit_object(out, NULL);
        emit_string(out, "rule", step->rule);
        emit_number(out, "from", step->from);
        emit_number(out, "to", step->to);
        if (*step->relation)
            emit_string(out, "relation", step->relation);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

/* ---- An execution ---- */

static void add_graph(const struct lit_program *program, const struct report_graph *graph,
                      struct strbuf *out)
{
    if (!graph) {
        emit_string(out, "events", NULL);
        return;
    }
    emit_array(out, "events");
    for (uint32_t e = 0; e < graph->event_count; e++)
        add_event(program, graph, &graph->events[e], out);
    emit_end(out, ']');
    add_relations(graph, out);
    add_breaks(graph, out);
}

static void add_excluded(const struct cat_model *model, const struct near_miss *miss,
                         struct strbuf *out)
{
    if (!miss)
        return;
    emit_array(out, "excluded_by");
    EACH (const struct near_miss_rule, rule, miss->rules, miss->count) {
        emit_object(out, NULL);
        emit_string(out, "kind", report_reason_word(rule->kind));
        if (rule->kind == EXPLANATION_BY_CHECK)
            emit_string(out, "name", model->checks[rule->check].name);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

static void add_how(const struct report_test *test, const struct report_execution *execution,
                    struct strbuf *out)
{
    const struct report_explanation how = {.test = *test, .explanation = execution->how};
    if (execution->how)
        report_json_steps(&how, out);
    else if (execution->columns.width)
        report_json_row("state", test->program, &execution->columns, execution->row, out);
    else
        emit_string(out, "state", NULL);
}

static void add_picture(const struct report_graph *graph, struct strbuf *out)
{
    SCOPED(strbuf) picture = {0};
    report_picture(graph, REPORT_SCREEN, "", &picture);
    emit_string(out, NULL, strbuf_text(&picture));
}

static void add_pictures(const struct report_execution *execution, struct strbuf *out)
{
    emit_array(out, "pictures");
    if (execution->graph)
        add_picture(execution->graph, out);
    for (size_t i = 0; i < execution->recoveries.count; i++)
        add_picture(execution->recoveries.items[i], out);
    emit_end(out, ']');
}

static void add_execution(const struct report_test *test, uint32_t condition,
                          const struct report_execution *execution, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "kind",
                execution->undefined ? "undefined"
                : execution->crash   ? "crash"
                                     : "final");
    if (execution->decides)
        emit_number(out, "condition", condition == LIT_NONE ? execution->condition : condition);
    emit_string(out, "words", execution->note);
    add_how(test, execution, out);
    add_excluded(test->model, execution->miss, out);
    add_graph(test->program, execution->graph, out);
    if (test->gallery->telling == REPORT_TOLD_DRAWN)
        add_pictures(execution, out);
    emit_end(out, '}');
}

void report_json_executions(const struct report_test *test, uint32_t condition, struct strbuf *out)
{
    const struct report_gallery *gallery = test->gallery;
    if (!gallery || gallery->telling == REPORT_UNTOLD)
        return;
    emit_array(out, "executions");
    for (size_t i = 0; i < gallery->items.count; i++)
        if (report_gallery_tells(gallery, i))
            add_execution(test, condition, &gallery->items.items[i], out);
    emit_end(out, ']');
    /* A condition of its own that asks nothing has a remark, which says why there is no picture. */
    bool said = condition != LIT_NONE && report_vacuous(test, condition) != REPORT_VACUOUS_NOT;
    if (gallery->remark && !said && (!gallery->items.count || gallery->remark_stands))
        emit_string(out, "remark", gallery->remark);
}
