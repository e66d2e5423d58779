/* What excludes a near miss, as one line: the first of what it breaks in full, of the others the
 * name. */
#include "engine/near_miss.h"
#include "report/report.h"

const char *report_reason_word(enum explanation_reason_kind kind)
{
    static const char *const names[] = {EXPLANATION_REASONS(TABLE_SECOND)};
    return names[kind];
}

void report_check(const struct cat_check *check, struct strbuf *out)
{
    static const char *const tests[] = {CAT_TESTS(TABLE_SECOND)};
    strbuf_printf(out, "%s%s '%s'", check->negated ? "~" : "", tests[check->test], check->name);
}

static void add_event(const struct lit_program *program, const struct ev *event, bool with_line,
                      struct strbuf *out)
{
    if (event->init)
        strbuf_add(out, "the initial ");
    else
        strbuf_printf(out, "%s's ", program->threads[event->thread].name);
    ev_print(event, program, out);
    if (with_line && !event->init)
        strbuf_printf(out, " at line %u", event->instr->span.line);
}

/* Lines only where one thread makes the same access twice, since a title is short. */
static void add_pair(const struct lit_program *program, const struct near_miss_rule *rule,
                     struct strbuf *out)
{
    bool alike = rule->from->init == rule->to->init && rule->from->thread == rule->to->thread &&
                 rule->from->kind == rule->to->kind && rule->from->location == rule->to->location;
    add_event(program, rule->from, alike && rule->from != rule->to, out);
    if (rule->kind == EXPLANATION_BY_CAN_PERSIST)
        return;
    strbuf_add(out, rule->kind == EXPLANATION_BY_PERSIST_ATOMIC ? " together with " : " before ");
    add_event(program, rule->to, alike, out);
}

static void add_first(const struct engine_request *request, const struct near_miss_rule *rule,
                      struct strbuf *out)
{
    if (rule->kind == EXPLANATION_BY_CHECK) {
        report_check(&request->model->checks[rule->check], out);
        return;
    }
    strbuf_printf(out, "%s: ", report_reason_word(rule->kind));
    if (rule->from)
        add_pair(request->program, rule, out);
    else if (rule->kind == EXPLANATION_BY_FILTER)
        strbuf_add(out, "the test's filter");
    else
        strbuf_add(out, request->crash_mode == EXEC_CRASH_END
                            ? "everything has executed when the crash comes"
                            : "the crash comes at a crash statement");
}

static void add_name(const struct engine_request *request, const struct near_miss_rule *rule,
                     struct strbuf *out)
{
    if (rule->kind == EXPLANATION_BY_CHECK)
        report_check(&request->model->checks[rule->check], out);
    else
        strbuf_add(out, report_reason_word(rule->kind));
}

/* Of its kind others may be broken beside the first pair. */
static void add_more(const struct near_miss *miss, struct strbuf *out)
{
    uint32_t more = 0;
    for (uint32_t i = 1; i < miss->count; i++)
        more += miss->rules[i].kind == miss->rules[0].kind && miss->rules[i].from != NULL;
    if (more)
        strbuf_printf(out, " and %u more", more);
}

/* Is the name in the line already? */
static bool is_named(const struct near_miss *miss, uint32_t index)
{
    return ANY(i, index,
               miss->rules[i].kind == miss->rules[index].kind &&
                   miss->rules[i].check == miss->rules[index].check);
}

void report_near_miss(const struct engine_request *request, const struct near_miss *miss,
                      struct strbuf *out)
{
    strbuf_add(out, "excluded by ");
    add_first(request, &miss->rules[0], out);
    add_more(miss, out);
    for (uint32_t i = 1; i < miss->count; i++)
        if (!is_named(miss, i)) {
            strbuf_add(out, "; also ");
            add_name(request, &miss->rules[i], out);
        }
}
