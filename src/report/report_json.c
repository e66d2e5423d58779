#include "base/utf8.h"
#include "report/report_format.h"
#include "report/report_string.h"

static void add_field(struct strbuf *out, const char *name, const char *text)
{
    strbuf_printf(out, ",\"%s\":", name);
    report_json_string(out, text);
}

void report_json_row(const struct lit_program *program, const struct lit_atom *items,
                     uint32_t width, const int64_t *row, struct strbuf *out)
{
    struct strbuf item = {0};
    strbuf_add_char(out, '{');
    for (uint32_t k = 0; k < width; k++) {
        strbuf_clear(&item);
        report_item(program, &items[k], &item);
        strbuf_add(out, k ? "," : "");
        report_json_string(out, strbuf_text(&item));
        strbuf_add_char(out, ':');
        report_item_value(program, &items[k], row[k], out);
    }
    strbuf_add_char(out, '}');
    strbuf_fini(&item);
}

/* Of a file, which need not be UTF-8. */
static void add_name(struct strbuf *out, const char *field, const char *name)
{
    struct arena arena;
    arena_init(&arena);
    add_field(out, field, utf8_name(&arena, name));
    arena_fini(&arena);
}

static void add_states(const struct report_test *test, const char *name,
                       const struct outcome_states *states, struct strbuf *out)
{
    strbuf_printf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < states->count; i++) {
        strbuf_add(out, i ? "," : "");
        report_json_row(test->program, states->items, states->width, outcome_row(states, i), out);
    }
    strbuf_add_char(out, ']');
}

const char *report_condition_kind(const struct lit_condition *condition)
{
    static const char *const kinds[] = {"final", "crash", "recovered"};
    return kinds[condition->when];
}

static void add_conditions(const struct report_test *test, struct strbuf *out)
{
    strbuf_add(out, ",\"conditions\":[");
    for (uint32_t i = 0; i < test->program->condition_count; i++) {
        const struct lit_condition *condition = &test->program->conditions[i];
        struct outcome_judgement judgement = outcome_judge(test->outcome, test->program, condition);
        strbuf_printf(out, "%s{\"kind\":\"%s\"", i ? "," : "", report_condition_kind(condition));
        add_field(out, "text", condition->text);
        add_field(out, "verdict", lit_verdict_text(judgement.verdict));
        if (!test->decided)
            strbuf_printf(out, ",\"positive\":%llu,\"negative\":%llu",
                          (unsigned long long)judgement.positive,
                          (unsigned long long)judgement.negative);
        if (judgement.reason)
            add_field(out, "reason", judgement.reason);
        report_json_chain(test, i, out);
        strbuf_add_char(out, '}');
    }
    strbuf_add_char(out, ']');
}

void report_json_event(const struct report_test *test, const struct outcome_event *event,
                       struct strbuf *out)
{
    if (event->thread == LIT_NONE)
        strbuf_add(out, "{\"thread\":null");
    else
        strbuf_printf(out, "{\"thread\":%u", outcome_thread(test->program, event->thread)->number);
    if (outcome_in_recovery(test->program, event))
        strbuf_add(out, ",\"recovery\":true");
    strbuf_printf(out, ",\"line\":%u", event->line);
    add_field(out, "access", event->access);
    strbuf_add_char(out, '}');
}

void report_json_undefined(const struct report_test *test, struct strbuf *out)
{
    strbuf_add(out, ",\"undefined\":[");
    for (size_t i = 0; i < test->outcome->undefined.count; i++) {
        const struct outcome_undefined *undefined = &test->outcome->undefined.items[i];
        strbuf_printf(out, "%s{\"kind\":", i ? "," : "");
        report_json_string(out, undefined->name);
        strbuf_add(out, ",\"events\":[");
        for (uint32_t k = 0; k < undefined->event_count; k++) {
            strbuf_add(out, k ? "," : "");
            report_json_event(test, &undefined->events[k], out);
        }
        strbuf_add(out, "]}");
    }
    strbuf_add_char(out, ']');
}

static void add_flags(const struct report_test *test, struct strbuf *out)
{
    strbuf_add(out, ",\"flags\":[");
    for (size_t i = 0; i < test->outcome->flags.count; i++) {
        strbuf_add(out, i ? "," : "");
        report_json_string(out, test->outcome->flags.items[i]);
    }
    strbuf_add_char(out, ']');
}

static void add_stats(const struct report_test *test, struct strbuf *out)
{
    const struct outcome_stats *stats = &test->outcome->stats;
    strbuf_add(out, ",\"stats\":{");
#define X(name) strbuf_printf(out, "\"" #name "\":%llu,", (unsigned long long)stats->name);
    OUTCOME_STATS(X)
#undef X
    if (test->program->recovery_count) {
        const struct outcome_recovery_stats *recovery = &test->outcome->recovery_stats;
#define X(name) \
    strbuf_printf(out, "\"recovery_" #name "\":%llu,", (unsigned long long)recovery->name);
        OUTCOME_RECOVERY_STATS(X)
#undef X
    }
    strbuf_printf(out, "\"seconds\":%.6f,\"peak_kib\":%ld}", stats->seconds, test->peak_kib);
}

static void add_machine(const struct report_test *test, struct strbuf *out)
{
    const struct containment *c = test->containment;
    if (test->machine)
        add_field(out, "machine", test->machine);
    if (c)
        add_field(out, "containment", agree_contain_text(c->answer));
    if (c && c->is_counted)
        strbuf_printf(out, ",\"never_shown\":{\"crash_states\":%zu,\"final_states\":%zu}",
                      c->never_crash, c->never_final);
}

static void add_asked(const struct report_asked *asked, struct strbuf *out)
{
    strbuf_add(out, ",\"asked\":{\"engine\":");
    report_json_string(out, asked->engine);
    if (asked->model)
        add_name(out, "model", asked->model);
    if (asked->persistency)
        add_name(out, "persistency", asked->persistency);
    if (asked->machine)
        add_name(out, "machine", asked->machine);
    strbuf_add(out, asked->property ? ",\"property\":true}" : "}");
}

void report_json(const struct report_test *test, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    strbuf_add(out, "{\"schema\":1,\"test\":");
    report_json_string(out, program->name);
    add_field(out, "file", program->source->name);
    strbuf_printf(out, ",\"line\":%u", program->line);
    add_field(out, "model", test->model->visibility);
    add_field(out, "persistency", test->model->persistency);
    add_field(out, "engine", test->engine);
    add_machine(test, out);
    add_field(out, "crash", report_crash_mode(test->crash_mode));
    add_field(out, "verdict", lit_verdict_text(test->verdict));
    add_field(out, "expected", lit_verdict_text(test->expected));
    add_conditions(test, out);
    report_json_idempotence(test, out);
    if (test->decided) {
        strbuf_add(out, ",\"decided\":true");
    } else {
        add_states(test, "final_states", &test->outcome->final, out);
        add_states(test, "crash_states", &test->outcome->crash, out);
    }
    report_json_recovery(test, out);
    report_json_undefined(test, out);
    add_flags(test, out);
    if (outcome_any_doubt(test->outcome))
        add_field(out, "doubt", outcome_any_doubt(test->outcome));
    if (report_nothing_judged(test))
        add_field(out, "remark", report_nothing_judged(test));
    if (test->asked)
        add_asked(test->asked, out);
    add_stats(test, out);
    strbuf_add(out, "}\n");
}

void report_json_failure(const struct report_failure *failure, struct strbuf *out)
{
    const struct lit_program *program = failure->program;
    strbuf_add(out, "{\"schema\":1,\"test\":");
    report_json_string(out, program ? program->name : "");
    add_name(out, "file", failure->path);
    strbuf_printf(out, ",\"line\":%u", program ? program->line : 0);
    add_name(out, "model", program ? failure->visibility : "");
    add_name(out, "persistency", program ? failure->persistency : "");
    add_field(out, "engine", "");
    add_field(out, "verdict", lit_verdict_text(failure->verdict));
    add_field(out, "expected", lit_verdict_text(failure->expected));
    strbuf_add(out, ",\"conditions\":[]");
    add_field(out, "reason", failure->reason);
    strbuf_add(out, "}\n");
}

/* ---- The format ---- */

struct json_piece {
    struct strbuf failure; /* of a file that could not be read: its first error */
};

static void json_test(struct report_piece *piece, const struct report_test *test)
{
    report_json(test, &piece->out.text);
}

/* Of a file that could not be read the first error is told, each model pair by itself. */
static void json_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct json_piece *own = piece->state;
    const struct report_failure whole = {.path = piece->path,
                                         .verdict = fault->unknown ? LIT_UNKNOWN : LIT_ERROR,
                                         .expected = LIT_OK,
                                         .reason = fault->message};
    if (fault->pair)
        report_json_failure(fault->pair, &piece->out.text);
    else if (fault->severity == DIAG_ERROR && own->failure.length == 0)
        report_json_failure(&whole, &own->failure);
}

static void json_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct json_piece *own = piece->state;
    if (!program)
        strbuf_add(&piece->out.text, strbuf_text(&own->failure));
}

static void json_piece_fini(struct report_piece *piece)
{
    struct json_piece *own = piece->state;
    strbuf_fini(&own->failure);
}

const struct report_format report_format_json = {.name = "json",
                                                 .piece_size = sizeof(struct json_piece),
                                                 .test = json_test,
                                                 .fault = json_fault,
                                                 .end = json_end,
                                                 .piece_fini = json_piece_fini};
