#include "base/build.h"
#include "base/json.h"
#include "base/utf8.h"
#include "document/report_answer.h"
#include "document/report_product.h"
#include "document/report_view.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"
#include "document/report_json.h"
#include "document/report_text.h"

#include <inttypes.h>
#include <stdio.h>

void report_json_row(const char *name, const struct lit_program *program,
                     const struct outcome_states *states, const int64_t *row, struct strbuf *out)
{
    SCOPED(strbuf) item = {0};
    emit_object(out, name);
    for (uint32_t k = 0; k < states->width; k++) {
        if (!report_is_shown(&states->items[k]))
            continue;
        strbuf_clear(&item);
        report_item(program, &states->items[k], &item);
        emit_name(out, strbuf_text(&item));
        if (outcome_lacks_value(states->items, row, k))
            strbuf_add(out, "null");
        else
            report_item_value(program, &states->items[k], row[k], out);
    }
    emit_end(out, '}');
}

void report_json_rows(const char *name, const struct lit_program *program,
                      const struct outcome_states *states, struct strbuf *out)
{
    if (states->product && !outcome_is_empty(states)) {
        report_json_product(name, program, states, out);
        return;
    }
    emit_array(out, name);
    for (size_t i = 0; i < states->count; i++)
        report_json_row(NULL, program, states, outcome_row(states, i), out);
    emit_end(out, ']');
}

static void add_names(const char *field, const char *const *names, uint32_t count,
                      struct strbuf *out)
{
    emit_array(out, field);
    for (uint32_t i = 0; i < count; i++)
        emit_string(out, NULL, names[i]);
    emit_end(out, ']');
}

/* Of a file, which need not be UTF-8. */
static void add_name(struct strbuf *out, const char *field, const char *name)
{
    SCOPED(arena) arena = {0};
    emit_string(out, field, utf8_name(&arena, name));
}

void report_digest(uint64_t digest, char digits[REPORT_DIGEST_SIZE])
{
    snprintf(digits, REPORT_DIGEST_SIZE, "%016" PRIx64, digest);
}

static void add_digest(const char *name, uint64_t digest, struct strbuf *out)
{
    char digits[REPORT_DIGEST_SIZE];
    report_digest(digest, digits);
    emit_string(out, name, digits);
}

/* What a condition holds the test against. */
static void add_source(const struct report_test *test, const struct lit_refines *refines,
                       struct strbuf *out)
{
    if (!refines || !refines->own)
        return;
    emit_object(out, "refines");
    emit_string(out, "source", refines->source);
    emit_string(out, "model", refines->visibility);
    emit_string(out, "persistency", refines->persistency);
    emit_number(out, "states", refines->states);
    emit_array(out, "locations");
    for (uint32_t i = 0; i < refines->compared_count; i++)
        emit_string(out, NULL, test->program->locations[refines->compared[i]].name);
    emit_end(out, ']');
    add_names("alone", refines->alone, refines->alone_count, out);
    add_names("without_meaning", refines->without_meaning, refines->without_meaning_count, out);
    emit_array(out, "found");
    add_name(out, NULL, refines->found[0]);
    add_name(out, NULL, refines->found[1]);
    emit_end(out, ']');
    add_digest("model_digest", refines->model_digest, out);
    emit_end(out, '}');
}

/* Of states that nobody listed nobody knows how many there are. */
static void add_count(const struct report_test *test, const struct lit_condition *condition,
                      const char *name, uint64_t count, struct strbuf *out)
{
    SCOPED(strbuf) digits = {0};
    if (test->decided) {
        emit_string(out, name, NULL);
        return;
    }
    report_count(test, condition, count, *name == 'p', &digits);
    report_json_digits(name, strbuf_text(&digits), out);
}

/* Numbers of the states that decide it, in their list; without one, a state. */
static void add_deciding(const struct report_test *test, const struct lit_condition *condition,
                         struct strbuf *out)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, condition->when);
    const struct lit_program program = report_program(test, condition->when);
    bool listed = !test->decided && !states->product;
    int64_t *row = base_realloc(NULL, ((size_t)states->width + 1) * sizeof *row);
    if (listed) {
        emit_array(out, "deciding");
        for (size_t i = 0; i < states->count; i++)
            if (outcome_decides(test->outcome, test->program, condition, outcome_row(states, i)))
                emit_number(out, NULL, i);
        emit_end(out, ']');
    } else if (outcome_find_deciding(test->outcome, test->program, condition, row)) {
        report_json_row("deciding_state", &program, states, row, out);
    }
    base_free(row);
}

/* The answer as text has it. */
static void add_words(const struct report_test *test, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    report_answer_headline(test, &words);
    emit_string(out, "words", strbuf_text(&words));
}

/* Of another file than the test's its name as well; null: it stands in none. */
void report_json_place(const struct lit_program *program, const struct span *span,
                       struct strbuf *out)
{
    if (span->source && span->source != program->source)
        add_name(out, "file", span->source->name);
    if (span_told(*span).line) {
        emit_number(out, "line", span->line);
        emit_number(out, "column", span->column);
    } else {
        emit_string(out, "line", NULL);
        emit_string(out, "column", NULL);
    }
}

static void add_compiled(const char *name, const char *function, const struct span *span,
                         struct strbuf *out)
{
    emit_object(out, name);
    if (function)
        emit_string(out, "function", function);
    if (span->source)
        emit_string(out, "file", span->source->name);
    emit_number(out, "line", span->line);
    emit_number(out, "column", span->column);
}

/* Of compiled code: the place in its source, with the functions that were inlined there, and in the
 * code. */
static void add_origin(const struct lit_origin *origin, struct strbuf *out)
{
    if (origin->source.line) {
        add_compiled("source", NULL, &origin->source, out);
        emit_array(out, "inlined");
        for (uint32_t i = 0; i < origin->frame_count; i++) {
            add_compiled(NULL, origin->frames[i].function, &origin->frames[i].at, out);
            emit_end(out, '}');
        }
        emit_end(out, ']');
        emit_end(out, '}');
    }
    add_compiled("code", NULL, &origin->code, out);
    emit_end(out, '}');
}

void report_json_event_fields(const struct lit_program *program, const struct outcome_event *event,
                              struct strbuf *out)
{
    if (event->thread == LIT_NONE)
        emit_string(out, "thread", NULL);
    else
        emit_number(out, "thread", outcome_thread(program, event->thread)->number);
    if (outcome_in_recovery(program, event))
        emit_bool(out, "recovery", true);
    emit_number(out, "line", program->source->option ? 0 : event->line);
    emit_string(out, "access", event->access);
    if (event->column && !program->source->option)
        emit_number(out, "column", event->column);
    if (event->origin)
        add_origin(event->origin, out);
}

void report_json_event(const char *name, const struct lit_program *program,
                       const struct outcome_event *event, struct strbuf *out)
{
    emit_object(out, name);
    report_json_event_fields(program, event, out);
    emit_end(out, '}');
}

static void add_undefined_event(const struct lit_program *program,
                                const struct outcome_event *event, struct strbuf *out)
{
    const struct span span = report_event_span(program, event);
    emit_object(out, NULL);
    report_json_event_fields(program, event, out);
    if (event->line && span_told(span).line && !event->column)
        emit_number(out, "column", span.column);
    emit_end(out, '}');
}

static void add_undefined(const struct report_test *test, const struct outcome_undefined *undefined,
                          struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    emit_object(out, NULL);
    emit_string(out, "kind", undefined->name);
    emit_array(out, "events");
    for (uint32_t k = 0; k < undefined->event_count; k++)
        add_undefined_event(test->program, &undefined->events[k], out);
    emit_end(out, ']');
    report_undefined(test, undefined, &words);
    emit_string(out, "words", strbuf_text(&words));
    emit_end(out, '}');
}

void report_json_undefined(const struct report_test *test, struct strbuf *out)
{
    emit_array(out, "undefined");
    EACH_IN (const struct outcome_undefined, undefined, test->outcome->undefined)
        add_undefined(test, undefined, out);
    emit_end(out, ']');
}

void report_json_faults(const struct report_test *test, const struct lit_condition *condition,
                        struct strbuf *out)
{
    const struct outcome_undefined *fault;
    size_t at = 0;
    if (!lit_asks_fault(condition))
        return;
    emit_array(out, "faults");
    while ((fault = outcome_next_fault(test->outcome, condition->property, &at)))
        add_undefined(test, fault, out);
    emit_end(out, ']');
}

static void add_conditions(const struct report_test *test, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    emit_array(out, "conditions");
    for (uint32_t i = 0; i < test->program->condition_count; i++) {
        const struct lit_condition *condition = &test->program->conditions[i];
        struct outcome_judgement judgement = outcome_judge(test->outcome, test->program, condition);
        emit_object(out, NULL);
        emit_string(out, "kind", report_condition_kind(condition));
        emit_string(out, "text", condition->text);
        emit_string(out, "verdict", lit_verdict_text(judgement.verdict));
        report_answer_condition(test, i, &words);
        emit_string(out, "words", strbuf_text(&words));
        strbuf_clear(&words);
        add_count(test, condition, "positive", judgement.positive, out);
        add_count(test, condition, "negative", judgement.negative, out);
        add_deciding(test, condition, out);
        report_reason_json(judgement.verdict, judgement.reason, judgement.vacuous, out);
        report_vacuous_json(test, i, out);
        add_source(test, condition->refines, out);
        report_json_faults(test, condition, out);
        report_json_chain(test, i, out);
        report_json_place(test->program, &condition->span, out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

static void add_flags(const struct report_test *test, struct strbuf *out)
{
    emit_array(out, "flags");
    for (size_t i = 0; i < test->outcome->flags.count; i++)
        emit_string(out, NULL, test->outcome->flags.items[i]);
    emit_end(out, ']');
}

static void add_warnings(const struct report_test *test, struct strbuf *out)
{
    emit_array(out, "warnings");
    for (size_t i = 0; i < test->outcome->flags.count; i++) {
        const struct cat_check *check = report_warning_of(test, i);
        if (!check)
            continue;
        emit_object(out, NULL);
        emit_string(out, "name", check->name);
        emit_string(out, "file", check->span.source->name);
        emit_number(out, "line", check->span.line);
        emit_number(out, "column", check->span.column);
        emit_string(out, "message", check->warning);
        emit_end(out, '}');
    }
    report_json_wide_warnings(test, out);
    emit_end(out, ']');
}

static void add_elsewhere(const struct meaning_lacking *lacking, struct strbuf *out)
{
    bool some = false;
    for (uint32_t i = 0; i < lacking->count; i++)
        some |= lacking->elsewhere[i] != NULL;
    if (!some)
        return;
    emit_object(out, "meaning_elsewhere");
    for (uint32_t i = 0; i < lacking->count; i++)
        if (lacking->elsewhere[i])
            emit_string(out, lacking->names[i], lacking->elsewhere[i]);
    emit_end(out, '}');
}

void report_json_without_meaning(const struct report_test *test, struct strbuf *out)
{
    SCOPED(arena) arena = {0};
    struct meaning_lacking lacking = meaning_lacking(&arena, test->program, test->model);
    emit_array(out, "without_meaning");
    for (uint32_t i = 0; i < lacking.count; i++)
        emit_string(out, NULL, lacking.names[i]);
    emit_end(out, ']');
    add_elsewhere(&lacking, out);
}

static void add_stats(const struct report_test *test, struct strbuf *out)
{
    const struct outcome_stats *stats = &test->outcome->stats;
    const struct outcome_recovery_stats *recovery = &test->outcome->recovery_stats;
    emit_object(out, "stats");
#define X(name) emit_number(out, #name, stats->name);
    OUTCOME_STATS(X)
#undef X
#define X(name) emit_number(out, "recovery_" #name, recovery->name);
    if (test->program->recovery_count) {
        OUTCOME_RECOVERY_STATS(X)
    }
#undef X
    emit_name(out, "seconds");
    strbuf_printf(out, "%.6f", stats->seconds);
    emit_number(out, "peak_kib", (uint64_t)test->peak_kib);
    emit_end(out, '}');
}

/* Whether the answer has evidence that another program can check. */
static void add_certificate(const struct report_test *test, struct strbuf *out)
{
    const struct report_certificate *c = test->certificate;
    if (!c)
        return;
    emit_object(out, "certificate");
    emit_bool(out, "complete", c->text != NULL);
    if (c->accepted)
        emit_bool(out, "accepted", *c->accepted);
    if (c->lacks)
        emit_string(out, "missing", c->lacks);
    emit_number(out, "leaves", c->leaves);
    emit_number(out, "bytes", c->text ? strlen(c->text) : 0);
    emit_end(out, '}');
}

static void add_machine(const struct report_test *test, struct strbuf *out)
{
    const struct containment *c = test->containment;
    if (test->machine)
        emit_string(out, "machine", test->machine);
    if (c)
        emit_string(out, "containment", agree_contain_text(c->answer));
    if (c && c->is_counted) {
        emit_object(out, "never_shown");
        emit_number(out, "crash_states", c->never_crash);
        emit_number(out, "final_states", c->never_final);
        emit_end(out, '}');
    }
}

static void add_asked(const struct report_test *test, struct strbuf *out)
{
    const struct report_asked *asked = test->asked;
    emit_object(out, "asked");
    emit_string(out, "engine", asked->engine);
    if (asked->model)
        add_name(out, "model", asked->model);
    if (asked->persistency)
        add_name(out, "persistency", asked->persistency);
    if (test->models)
        emit_string(out, "models_by", lit_models_file(test->models));
    if (asked->machine)
        add_name(out, "machine", asked->machine);
    if (asked->mapping)
        add_name(out, "mapping", asked->mapping);
    if (asked->property)
        emit_bool(out, "property", true);
    emit_end(out, '}');
}

void report_json_begin(const char *test, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_number(out, "schema", 1);
    emit_string(out, "test", test);
}

void report_json_end(struct strbuf *out)
{
    emit_string(out, "version", base_version);
    strbuf_add(out, "}\n");
}

void report_json(const struct report_test *test, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    report_json_begin(program->name, out);
    emit_string(out, "file", program->source->name);
    emit_number(out, "line", span_told(report_head(program)).line);
    emit_string(out, "model", test->model->visibility);
    emit_string(out, "persistency", test->model->persistency);
    emit_string(out, "engine", test->engine);
    if (test->outcome->decided_by)
        emit_string(out, "decided_by", test->outcome->decided_by);
    add_machine(test, out);
    emit_string(out, "crash", report_crash_mode(test->crash_mode));
    emit_string(out, "verdict", lit_verdict_text(test->verdict));
    emit_string(out, "expected", lit_verdict_text(test->expected));
    if (test->disputed)
        emit_bool(out, "disputed", true);
    add_words(test, out);
    add_conditions(test, out);
    report_json_idempotence(test, out);
    if (test->decided) {
        emit_bool(out, "decided", true);
    } else {
        report_json_rows("final_states", program, &test->outcome->final, out);
        report_json_rows("crash_states", program, &test->outcome->crash, out);
    }
    report_json_recovery(test, out);
    report_json_undefined(test, out);
    report_json_executions(test, LIT_NONE, out);
    add_flags(test, out);
    add_warnings(test, out);
    report_json_wide(test, out);
    add_certificate(test, out);
    report_json_without_meaning(test, out);
    if (outcome_any_doubt(test->outcome))
        emit_string(out, "doubt", outcome_any_doubt(test->outcome));
    if (report_nothing_judged(test))
        emit_string(out, "remark", report_nothing_judged(test));
    if (test->asked)
        add_asked(test, out);
    add_digest("text_digest", source_digest(0, program->source), out);
    add_digest("test_digest", program->digest, out);
    add_digest("model_digest", test->model->digest, out);
    add_digest("question_digest", test->question_digest, out);
    emit_string(out, "build", base_build);
    add_stats(test, out);
    report_json_view(test, out);
    report_json_end(out);
}

void report_json_failure(const struct report_failure *failure, struct strbuf *out)
{
    const struct lit_program *program = failure->program;
    report_json_begin(program ? program->name : "", out);
    add_name(out, "file", failure->path);
    emit_number(out, "line", program ? span_told(report_head(program)).line : failure->line);
    add_name(out, "model", program ? failure->visibility : "");
    add_name(out, "persistency", program ? failure->persistency : "");
    emit_string(out, "engine", "");
    emit_string(out, "verdict", lit_verdict_text(failure->verdict));
    emit_string(out, "expected", lit_verdict_text(failure->expected));
    emit_array(out, "conditions");
    emit_end(out, ']');
    emit_string(out, "reason", failure->reason);
    if (program && *program->title)
        emit_string(out, "title", program->title);
    report_json_said(failure->messages, out);
    if (failure->unread)
        emit_number(out, "unread", *failure->unread);
    report_json_end(out);
}
