/* SARIF 2.1.0: one run, one result for each finding and input fault. Section numbers are those of
 * the OASIS standard.
 *
 * What an `expect` line expects is not left out: it is a result that the source suppresses
 * (3.27.23), so that a viewer may show it and does not count it. */
#include "report/report_format.h"
#include "report/report_string.h"

#include <string.h>

static const struct {
    const char *id, *name, *text, *help;
} rules[REPORT_FINDING_COUNT] = {
#define RULE(kind, id, name, text, help) [REPORT_##kind] = {id, name, text, help},
#include "report/report_sarif_rules.def"
#undef RULE
};

static void add_field(struct strbuf *out, const char *name, const char *text)
{
    strbuf_printf(out, ",\"%s\":", name);
    report_json_string(out, text);
}

static void add_text(struct strbuf *out, const char *name, const char *text)
{
    strbuf_printf(out, ",\"%s\":{\"text\":", name);
    report_json_string(out, text);
    strbuf_add_char(out, '}');
}

/* 3.30. Columns count characters. An end that is no later than the begin, or at the begin of a
 * line, which may be past the last one, is left out. */
static void add_region(struct strbuf *out, const struct span *span)
{
    strbuf_printf(out, ",\"region\":{\"startLine\":%u", span->line);
    if (span->column)
        strbuf_printf(out, ",\"startColumn\":%u",
                      report_character_column(span->source, span->line, span->column));
    if (span->column && span->end_column > 1 &&
        (span->end_line > span->line ||
         (span->end_line == span->line && span->end_column > span->column)))
        strbuf_printf(out, ",\"endLine\":%u,\"endColumn\":%u", span->end_line,
                      report_character_column(span->source, span->end_line, span->end_column));
    strbuf_add_char(out, '}');
}

/* 3.29, as the member of a location (3.28). */
static void add_place(struct strbuf *out, const char *path, const struct span *span)
{
    strbuf_add(out, "\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"");
    report_uri(out, span->source ? span->source->path : path);
    strbuf_add(out, "\"}");
    if (span->source && span->line)
        add_region(out, span);
    strbuf_add_char(out, '}');
}

struct result {
    enum report_finding_kind rule;
    const char *kind, *level, *message;
    struct span span, related;
    const char *related_message;
};

/* The link text of an embedded link (3.11.6). */
static void add_link(struct strbuf *out, const char *text)
{
    strbuf_add(out, " ([");
    for (; *text; text++) {
        if (*text == '[' || *text == ']' || *text == '\\')
            strbuf_add_char(out, '\\');
        strbuf_add_char(out, *text);
    }
    strbuf_add(out, "](1))");
}

static void add_message(struct strbuf *out, const struct result *result)
{
    struct strbuf message = {0};
    strbuf_add(&message, result->message);
    if (result->related.line)
        add_link(&message, result->related_message);
    add_text(out, "message", strbuf_text(&message));
    strbuf_fini(&message);
}

static void begin_result(struct report_piece *piece, const struct result *result)
{
    struct strbuf *out = &piece->out.text;
    report_stream_mark(&piece->out);
    strbuf_printf(out, "{\"ruleId\":\"%s\",\"ruleIndex\":%u,\"kind\":\"%s\",\"level\":\"%s\"",
                  rules[result->rule].id, result->rule, result->kind, result->level);
    add_message(out, result);
    if (result->span.source || *piece->path) {
        strbuf_add(out, ",\"locations\":[{");
        add_place(out, piece->path, &result->span);
        strbuf_add(out, "}]");
    }
    if (result->related.line) {
        strbuf_add(out, ",\"relatedLocations\":[{\"id\":1,");
        add_place(out, piece->path, &result->related);
        add_text(out, "message", result->related_message);
        strbuf_add(out, "}]");
    }
}

/* One finding under two model pairs is two results. */
static void add_fingerprint(struct strbuf *out, const struct report_test *test,
                            const struct report_finding *finding)
{
    struct strbuf text = {0};
    strbuf_printf(&text, "%s: %s + %s [%s]: %s", test->program->name, test->model->visibility,
                  test->model->persistency, test->engine, finding->message);
    strbuf_add(out, ",\"partialFingerprints\":{\"finding/v1\":");
    report_json_string(out, strbuf_text(&text));
    strbuf_add_char(out, '}');
    strbuf_fini(&text);
}

static void add_suppression(struct strbuf *out, const struct report_test *test)
{
    const struct span *span = &test->expectation->span;
    strbuf_printf(out,
                  ",\"suppressions\":[{\"kind\":\"inSource\",\"justification\":"
                  "\"the test expects the verdict %s\",\"location\":{",
                  lit_verdict_text(test->expected));
    add_place(out, test->program->source->path, span);
    strbuf_add(out, "}}]");
}

static void add_properties(struct strbuf *out, const struct report_test *test)
{
    strbuf_add(out, ",\"properties\":{\"test\":");
    report_json_string(out, test->program->name);
    add_field(out, "model", test->model->visibility);
    add_field(out, "persistency", test->model->persistency);
    add_field(out, "engine", test->engine);
    add_field(out, "verdict", lit_verdict_text(test->verdict));
    add_field(out, "expected", lit_verdict_text(test->expected));
    strbuf_add_char(out, '}');
}

struct finding_context {
    struct report_piece *piece;
    const struct report_test *test;
};

static void add_finding(void *context, const struct report_finding *finding)
{
    const struct finding_context *at = context;
    const struct report_test *test = at->test;
    struct strbuf *out = &at->piece->out.text, message = {0};
    bool open = finding->kind == REPORT_UNKNOWN, remark = finding->kind == REPORT_REMARK;
    strbuf_printf(&message, "%s (under %s + %s)", finding->message, test->model->visibility,
                  test->model->persistency);
    begin_result(at->piece, &(struct result){.rule = finding->kind,
                                             .kind = open     ? "open"
                                                     : remark ? "informational"
                                                              : "fail",
                                             .level = open || remark ? "none" : "error",
                                             .message = strbuf_text(&message),
                                             .span = finding->span,
                                             .related = finding->related,
                                             .related_message = finding->related_message});
    add_fingerprint(out, test, finding);
    if (test->expectation && test->verdict == test->expected)
        add_suppression(out, test);
    add_properties(out, test);
    strbuf_add_char(out, '}');
    strbuf_fini(&message);
}

static void sarif_test(struct report_piece *piece, const struct report_test *test)
{
    struct finding_context context = {piece, test};
    report_each_finding(test, add_finding, &context);
}

static void sarif_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct strbuf message = {0};
    strbuf_printf(&message, "%s [%s]", fault->message, fault->id);
    begin_result(piece,
                 &(struct result){.rule = REPORT_INPUT,
                                  .kind = "fail",
                                  .level = fault->severity == DIAG_ERROR ? "error" : "warning",
                                  .message = strbuf_text(&message),
                                  .span = fault->span});
    strbuf_add_char(&piece->out.text, '}');
    strbuf_fini(&message);
}

static void sarif_accord(struct report_piece *piece, const struct report_accord *accord)
{
    const struct lit_program *program = accord->program;
    struct strbuf message = {0};
    if (accord->result != REPORT_FAILED)
        return;
    strbuf_printf(&message, "engines disagree under %s + %s:\n%s", accord->model->visibility,
                  accord->model->persistency, accord->details);
    begin_result(piece,
                 &(struct result){.rule = REPORT_ENGINES,
                                  .kind = "fail",
                                  .level = "error",
                                  .message = strbuf_text(&message),
                                  .span = {program->source, program->line, 1, program->line, 1}});
    strbuf_add_char(&piece->out.text, '}');
    strbuf_fini(&message);
}

static void sarif_mark(struct report_sink *sink)
{
    strbuf_add(&sink->out, sink->marks ? ",\n" : "\n");
}

static void sarif_open(struct report_sink *sink)
{
    struct strbuf *out = &sink->out;
    strbuf_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                    "schemas/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
                    "\"tool\":{\"driver\":{\"name\":\"crashlit\",\"version\":");
    report_json_string(out, sink->run.version);
    strbuf_add(out, ",\"rules\":[");
    for (uint32_t i = 0; i < REPORT_FINDING_COUNT; i++) {
        strbuf_printf(out, "%s\n{\"id\":\"%s\",\"name\":\"%s\"", i ? "," : "", rules[i].id,
                      rules[i].name);
        add_text(out, "shortDescription", rules[i].text);
        add_text(out, "help", rules[i].help);
        strbuf_printf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}",
                      i == REPORT_UNKNOWN || i == REPORT_REMARK ? "none" : "error");
    }
    strbuf_add(out, "]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[");
}

/* An input that could not be read is a run that did not succeed (3.20.14), and so is one that was
 * interrupted, of which a notification tells (3.20.21). */
static void sarif_close(struct report_sink *sink, int status)
{
    struct strbuf *out = &sink->out;
    strbuf_printf(out, "],\n\"invocations\":[{\"executionSuccessful\":%s,\"exitCode\":%d",
                  sink->faults || sink->interrupted ? "false" : "true", status);
    add_field(out, "commandLine", sink->run.command);
    if (sink->interrupted)
        strbuf_add(out, ",\"toolExecutionNotifications\":[{\"level\":\"error\",\"message\":"
                        "{\"text\":\"" REPORT_INTERRUPTED "\"}}]");
    strbuf_add(out, "}]}]}\n");
}

const struct report_format report_format_sarif = {.name = "sarif",
                                                  .open = sarif_open,
                                                  .test = sarif_test,
                                                  .fault = sarif_fault,
                                                  .accord = sarif_accord,
                                                  .mark = sarif_mark,
                                                  .close = sarif_close};
