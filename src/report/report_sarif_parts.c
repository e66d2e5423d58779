#include "base/json.h"
#include "report/report_finding.h"
#include "report/report_sarif.h"
#include "report/report_string.h"

void report_sarif_text(struct strbuf *out, const char *name, const char *text)
{
    json_object(out, name);
    json_string(out, "text", text);
    json_end(out, '}');
}

void report_sarif_region(struct strbuf *out, const char *name, const struct span *span)
{
    const struct source *source = span->source;
    json_object(out, name);
    json_number(out, "startLine", span->line);
    if (span->column)
        json_number(out, "startColumn", report_character_column(source, span->line, span->column));
    if (span->column && span->end_column > 1 &&
        (span->end_line > span->line ||
         (span->end_line == span->line && span->end_column > span->column))) {
        json_number(out, "endLine", span->end_line);
        json_number(out, "endColumn",
                    report_character_column(source, span->end_line, span->end_column));
    }
    json_end(out, '}');
}

void report_sarif_artifact(struct strbuf *out, const char *path)
{
    struct strbuf uri = {0};
    report_uri(&uri, path);
    json_object(out, "artifactLocation");
    json_string(out, "uri", strbuf_text(&uri));
    json_end(out, '}');
    strbuf_fini(&uri);
}

void report_sarif_place(struct strbuf *out, const char *path, const struct span *span)
{
    json_object(out, "physicalLocation");
    report_sarif_artifact(out, span->source ? span->source->path : path);
    if (span->source && span->line)
        report_sarif_region(out, "region", span);
    json_end(out, '}');
}

void report_sarif_begin(const char *version, const struct report_sarif_rule *rules, uint32_t count,
                        struct strbuf *out)
{
    strbuf_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                    "schemas/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
                    "\"tool\":{\"driver\":{");
    json_string(out, "name", "crashlit");
    json_string(out, "version", version);
    json_array(out, "rules");
    for (uint32_t i = 0; i < count; i++) {
        json_name(out, NULL);
        strbuf_add_char(out, '\n');
        json_object(out, NULL);
        json_string(out, "id", rules[i].id);
        json_string(out, "name", rules[i].name);
        report_sarif_text(out, "shortDescription", rules[i].text);
        report_sarif_text(out, "help", rules[i].help);
        json_object(out, "defaultConfiguration");
        json_string(out, "level", rules[i].level);
        strbuf_add(out, "}}");
    }
    strbuf_add(out, "]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[");
}

void report_sarif_result(const struct report_sarif_rule *rules, uint32_t number, const char *kind,
                         const char *level, struct strbuf *out)
{
    strbuf_add_char(out, '\n');
    json_object(out, NULL);
    json_string(out, "ruleId", rules[number].id);
    json_number(out, "ruleIndex", number);
    json_string(out, "kind", kind);
    json_string(out, "level", level);
}

/* An input that could not be read is a run that did not succeed (3.20.14), and so is one that was
 * interrupted, of which a notification tells (3.20.21). */
void report_sarif_end(const char *command, int status, bool successful, const char *interrupted,
                      struct strbuf *out)
{
    strbuf_add(out, "],\n\"invocations\":[{");
    json_bool(out, "executionSuccessful", successful && !interrupted);
    json_number(out, "exitCode", (uint64_t)status);
    json_string(out, "commandLine", command);
    if (interrupted) {
        json_array(out, "toolExecutionNotifications");
        json_object(out, NULL);
        json_string(out, "level", "error");
        report_sarif_text(out, "message", interrupted);
        strbuf_add(out, "}]");
    }
    strbuf_add(out, "}]}]}\n");
}
