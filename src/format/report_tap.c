/* TAP version 13: a line for each entry, with a YAML block where it did not pass. The plan
 * comes last, as the number of tests is not known before. A run that was interrupted has none, but
 * bails out. */
#include "base/utf8.h"
#include "format/report_format.h"
#include "report/report_string.h"

#include <string.h>

/* A description ends with its line, and '#' would begin a directive. */
static bool escape(struct strbuf *out, const char *at, size_t length)
{
    if (*at == '#' || *at == '\\')
        strbuf_printf(out, "\\%c", *at);
    else if (utf8_control(at, length) >= 0)
        strbuf_add_char(out, ' ');
    else
        return false;
    return true;
}

static void add_description(struct strbuf *out, const char *text)
{
    utf8_add_escaped(out, text, strlen(text), UTF8_REPLACEMENT, escape);
}

static void add_field(struct strbuf *out, const char *name, const char *value)
{
    strbuf_printf(out, "  %s: ", name);
    report_yaml_string(out, value);
    strbuf_add_char(out, '\n');
}

/* Numbered, as readers that know little of YAML take "- word: ..." for a map even in quotes. */
static void add_list(struct strbuf *out, const char *name, const char *lines)
{
    SCOPED(strbuf) line = {0};
    unsigned number = 0;
    strbuf_printf(out, "  %s:\n", name);
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        if (!length)
            continue;
        strbuf_clear(&line);
        strbuf_printf(&line, "(%u) ", ++number);
        strbuf_add_bytes(&line, lines, length);
        strbuf_add(out, "    - ");
        report_yaml_string(out, strbuf_text(&line));
        strbuf_add_char(out, '\n');
    }
}

static void add_diagnostics(struct strbuf *out, const struct report_piece *piece,
                            const struct report_case *entry)
{
    strbuf_add(out, "  ---\n");
    add_field(out, "message", entry->message);
    add_field(out, "severity", entry->result == REPORT_FAILED ? "fail" : "error");
    add_field(out, "type", entry->type);
    add_field(out, "file", entry->span.source ? entry->span.source->name : piece->file);
    if (entry->span.source && span_told(entry->span).line)
        strbuf_printf(out, "  line: %u\n  column: %u\n", entry->span.line, entry->span.column);
    if (*entry->details)
        add_list(out, "findings", entry->details);
    if (entry->explanation)
        add_list(out, "explanation", entry->explanation);
    strbuf_add(out, "  ...\n");
}

/* Where there is no YAML block. */
static void add_comments(struct strbuf *out, const char *lines)
{
    SCOPED(strbuf) line = {0};
    for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
        length = strcspn(lines, "\n");
        strbuf_clear(&line);
        strbuf_add_bytes(&line, lines, length);
        strbuf_add(out, "# ");
        add_description(out, strbuf_text(&line));
        strbuf_add_char(out, '\n');
    }
}

static void tap_case(struct report_piece *piece, const struct report_case *entry)
{
    struct strbuf *out = &piece->out.text;
    bool good = entry->result == REPORT_PASSED || entry->result == REPORT_SKIPPED;
    strbuf_add(out, good ? "ok " : "not ok ");
    report_stream_mark(&piece->out);
    strbuf_add(out, " - ");
    add_description(out, piece->file);
    strbuf_add(out, ": ");
    add_description(out, entry->name);
    if (entry->result == REPORT_SKIPPED) {
        strbuf_add(out, " # SKIP ");
        add_description(out, entry->message);
    }
    strbuf_add_char(out, '\n');
    if (!good)
        add_diagnostics(out, piece, entry);
    else if (entry->remarks)
        add_comments(out, entry->remarks);
}

static void tap_mark(struct report_sink *sink)
{
    strbuf_printf(&sink->out, "%zu", sink->marks + 1);
}

static void tap_open(struct report_sink *sink)
{
    strbuf_printf(&sink->out, "TAP version 13\n# crashlit %s\n", sink->run.version);
}

static void tap_close(struct report_sink *sink, int status)
{
    (void)status;
    if (sink->interrupted)
        strbuf_add(&sink->out, "Bail out! " REPORT_INTERRUPTED "\n");
    else
        strbuf_printf(&sink->out, "1..%zu%s\n", sink->marks, sink->marks ? "" : " # SKIP no tests");
}

const struct report_format report_format_tap = {
    .name = "tap", .open = tap_open, .case_ = tap_case, .mark = tap_mark, .close = tap_close};
