#include "base/json.h"
#include "document/report_finding.h"
#include "document/report_sarif.h"
#include "report/report_string.h"

#include <string.h>
#include <unistd.h>

void report_sarif_text(struct strbuf *out, const char *name, const char *text)
{
    emit_object(out, name);
    emit_string(out, "text", text);
    emit_end(out, '}');
}

void report_sarif_region(struct strbuf *out, const char *name, const struct span *span)
{
    const struct source *source = span->source;
    emit_object(out, name);
    emit_number(out, "startLine", span->line);
    if (span->column)
        emit_number(out, "startColumn", report_character_column(source, span->line, span->column));
    if (span->column && span->end_column > 1 &&
        (span->end_line > span->line ||
         (span->end_line == span->line && span->end_column > span->column))) {
        emit_number(out, "endLine", span->end_line);
        emit_number(out, "endColumn",
                    report_character_column(source, span->end_line, span->end_column));
    }
    emit_end(out, '}');
}

/* Takes a segment of a path, "..", behind those that are there. */
static void leave_folder(struct strbuf *out, bool absolute)
{
    size_t from = out->length;
    while (from > 0 && out->text[from - 1] != '/')
        from--;
    if (out->length && strcmp(out->text + from, "..") != 0) {
        out->length = from > 1 ? from - 1 : absolute ? 1 : 0;
        out->text[out->length] = '\0';
    } else if (!absolute) {
        strbuf_add(out, out->length ? "/.." : "..");
    }
}

/* The path without "." and, as far as there are folders to leave, ".." (3.10.2). */
static void add_normal(const char *path, struct strbuf *out)
{
    const bool absolute = *path == '/';
    strbuf_add(out, absolute ? "/" : "");
    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        if (length == 2 && memcmp(path, "..", 2) == 0) {
            leave_folder(out, absolute);
        } else if (length && !(length == 1 && *path == '.')) {
            strbuf_add(out, out->length && out->text[out->length - 1] != '/' ? "/" : "");
            strbuf_add_bytes(out, path, length);
        }
    }
}

/* What of the path is to be told: compilers name files from the root on, and whoever reads the
 * report has them below a folder of his own. So what is in the working directory is seen from
 * there. */
static const char *seen_from_here(const char *path)
{
    char here[4096];
    size_t length = *path == '/' && getcwd(here, sizeof here) ? strlen(here) : 0;
    bool below = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

void report_sarif_artifact(struct strbuf *out, const char *path)
{
    SCOPED(strbuf) uri = {0}, normal = {0};
    add_normal(path, &normal);
    report_uri(&uri, seen_from_here(strbuf_text(&normal)));
    emit_object(out, "artifactLocation");
    emit_string(out, "uri", strbuf_text(&uri));
    emit_end(out, '}');
}

void report_sarif_place(struct strbuf *out, const char *path, const struct span *span)
{
    emit_object(out, "physicalLocation");
    report_sarif_artifact(out, span->source ? span->source->path : path);
    if (span->source && span_told(*span).line)
        report_sarif_region(out, "region", span);
    emit_end(out, '}');
}

void report_sarif_begin(const char *version, const struct report_sarif_rule *rules, uint32_t count,
                        struct strbuf *out)
{
    strbuf_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                    "schemas/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
                    "\"tool\":{\"driver\":{");
    emit_string(out, "name", "crashlit");
    emit_string(out, "version", version);
    emit_array(out, "rules");
    for (uint32_t i = 0; i < count; i++) {
        emit_name(out, NULL);
        strbuf_add_char(out, '\n');
        emit_object(out, NULL);
        emit_string(out, "id", rules[i].id);
        emit_string(out, "name", rules[i].name);
        report_sarif_text(out, "shortDescription", rules[i].text);
        report_sarif_text(out, "help", rules[i].help);
        emit_object(out, "defaultConfiguration");
        emit_string(out, "level", rules[i].level);
        strbuf_add(out, "}}");
    }
    strbuf_add(out, "]}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[");
}

void report_sarif_result(const struct report_sarif_rule *rules, uint32_t number, const char *kind,
                         const char *level, struct strbuf *out)
{
    strbuf_add_char(out, '\n');
    emit_object(out, NULL);
    emit_string(out, "ruleId", rules[number].id);
    emit_number(out, "ruleIndex", number);
    emit_string(out, "kind", kind);
    emit_string(out, "level", level);
}

/* An input that could not be read is a run that did not succeed (3.20.14), and so is one that was
 * interrupted, of which a notification tells (3.20.21). */
void report_sarif_end(const char *command, int status, bool successful, const char *interrupted,
                      struct strbuf *out)
{
    strbuf_add(out, "],\n\"invocations\":[{");
    emit_bool(out, "executionSuccessful", successful && !interrupted);
    emit_number(out, "exitCode", (uint64_t)status);
    emit_string(out, "commandLine", command);
    if (interrupted) {
        emit_array(out, "toolExecutionNotifications");
        emit_object(out, NULL);
        emit_string(out, "level", "error");
        report_sarif_text(out, "message", interrupted);
        strbuf_add(out, "}]");
    }
    strbuf_add(out, "}]}]}\n");
}
