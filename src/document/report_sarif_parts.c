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

void report_sarif_message(const char *text, struct strbuf *out)
{
    SCOPED(strbuf) message = {0};
    size_t length = strlen(text);
    while (length && strchr(" \n", text[length - 1]))
        length--;
    strbuf_add_bytes(&message, text, length);
    strbuf_add(&message, length && text[length - 1] == '.' ? "" : ".");
    report_sarif_text(out, "message", strbuf_text(&message));
}

void report_sarif_fingerprint(const char *text, struct strbuf *out)
{
    emit_object(out, "partialFingerprints");
    emit_string(out, "finding/v1", text);
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

/* What relative paths are below of: where the program was run (3.14.14). */
static const char ROOT[] = "%SRCROOT%", FILE_URI[] = "file:";

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
    if (strncmp(strbuf_text(&uri), FILE_URI, sizeof FILE_URI - 1) != 0)
        emit_string(out, "uriBaseId", ROOT);
    emit_end(out, '}');
}

void report_sarif_place(struct strbuf *out, const char *path, const struct span *span)
{
    emit_object(out, "physicalLocation");
    report_sarif_artifact(out, span->source ? span->source->path : path);
    const struct span first = {span->source, 1, 0, 0, 0};
    report_sarif_region(out, "region", span->source && span_told(*span).line ? span : &first);
    emit_end(out, '}');
}

/* "0.2+0123" as semantic versions are, "0.2.0+0123" (semver.org); nothing of anything else. */
static void add_semantic(const char *version, struct strbuf *out)
{
    static const char digits[] = "0123456789";
    SCOPED(strbuf) semantic = {0};
    const size_t major = strspn(version, digits);
    const size_t minor = version[major] == '.' ? strspn(version + major + 1, digits) : 0;
    const char *rest = version + major + 1 + minor;
    if (!major || !minor || (*rest && *rest != '+') || strpbrk(rest, ", \t"))
        return;
    strbuf_add_bytes(&semantic, version, major + 1 + minor);
    strbuf_printf(&semantic, ".0%s", rest);
    emit_string(out, "semanticVersion", strbuf_text(&semantic));
}

static void add_rule(const struct report_sarif_rule *rule, struct strbuf *out)
{
    SCOPED(strbuf) full = {0};
    strbuf_printf(&full, "%s %s", rule->text, rule->help);
    emit_name(out, NULL);
    strbuf_add_char(out, '\n');
    emit_object(out, NULL);
    emit_string(out, "id", rule->id);
    emit_string(out, "name", rule->name);
    report_sarif_text(out, "shortDescription", rule->text);
    report_sarif_text(out, "fullDescription", strbuf_text(&full));
    report_sarif_text(out, "help", rule->help);
    emit_object(out, "defaultConfiguration");
    emit_string(out, "level", rule->level);
    strbuf_add(out, "}}");
}

void report_sarif_begin(const char *id, const char *version, const struct report_sarif_rule *rules,
                        uint32_t count, struct strbuf *out)
{
    strbuf_add(out, "{\"$schema\":\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/"
                    "schemas/sarif-schema-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\n"
                    "\"tool\":{\"driver\":{");
    emit_string(out, "name", "crashlit");
    emit_string(out, "version", version);
    add_semantic(version, out);
    emit_array(out, "rules");
    for (uint32_t i = 0; i < count; i++)
        add_rule(&rules[i], out);
    strbuf_add(out, "]}},\n\"automationDetails\":{");
    emit_string(out, "id", id);
    strbuf_add(out, "},\n\"originalUriBaseIds\":{");
    emit_object(out, ROOT);
    report_sarif_text(out, "description", "The folder in which crashlit was run.");
    strbuf_add(out, "}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":[");
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

bool report_sarif_is_absolute(const char *text)
{
    return strstr(text, "\"artifactLocation\":{\"uri\":\"file:") != NULL;
}

/* Where absolute paths are counted from (3.20.19): whoever shows results takes it for the top of
 * the repository. */
static void add_working_folder(struct strbuf *out)
{
    char here[4096];
    SCOPED(strbuf) uri = {0};
    if (!getcwd(here, sizeof here))
        return;
    report_uri(&uri, here);
    strbuf_add(&uri, text_ends(here, "/") ? "" : "/");
    emit_object(out, "workingDirectory");
    emit_string(out, "uri", strbuf_text(&uri));
    emit_end(out, '}');
}

static void add_notification(const char *level, const char *text, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "level", level);
    report_sarif_message(text, out);
    emit_end(out, '}');
}

/* An input that could not be read is a run that did not succeed (3.20.14), and so is one that was
 * interrupted, of which a notification tells (3.20.21). */
void report_sarif_end(const struct report_sarif_ending *ending, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    strbuf_add(out, "],\n\"invocations\":[{");
    emit_bool(out, "executionSuccessful", ending->successful && !ending->interrupted);
    emit_number(out, "exitCode", (uint64_t)ending->status);
    emit_string(out, "commandLine", ending->command);
    if (ending->absolute)
        add_working_folder(out);
    if (ending->interrupted || ending->left_out)
        emit_array(out, "toolExecutionNotifications");
    if (ending->interrupted)
        add_notification("error", ending->interrupted, out);
    if (ending->left_out) {
        strbuf_printf(&words, "%zu results are left out: code scanning takes 25000",
                      ending->left_out);
        add_notification("warning", strbuf_text(&words), out);
    }
    if (ending->interrupted || ending->left_out)
        emit_end(out, ']');
    strbuf_add(out, "}]}]}\n");
}
