/* JUnit XML, as CI servers read it: the attributes and elements that the schemas of Ant's
 * reports and of Jenkins' xUnit plugin have in common. One testsuite is one input file. */
#include "format/report_format.h"
#include "report/report_string.h"

#include <stdlib.h>
#include <string.h>

static void add_attribute(struct strbuf *out, const char *name, const char *value)
{
    strbuf_printf(out, " %s=\"", name);
    report_xml_attribute(out, value);
    strbuf_add_char(out, '"');
}

/* "litmus/spb/fig4.litmus" is the class litmus.spb.fig4: servers group by what is before the last
 * dot. Leading dots and slashes would be empty groups. */
static void add_class(struct strbuf *out, const char *path)
{
    SCOPED(strbuf) name = {0};
    size_t length = strlen(path);
    if (length > 7 && strcmp(path + length - 7, ".litmus") == 0)
        length -= 7;
    for (size_t i = strspn(path, "./"); i < length; i++)
        strbuf_add_char(&name, path[i] == '/' ? '.' : path[i] == '.' ? '_' : path[i]);
    add_attribute(out, "classname", name.length ? strbuf_text(&name) : "input");
}

struct junit_piece {
    size_t tests, results[REPORT_ERRED + 1];
    double seconds;
    struct strbuf cases, remarks;
};

/* A record has no more digits of it: of a run and of its records the sum is the same. */
static double as_told(double seconds)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.6f", seconds);
    return strtod(digits, NULL);
}

static void junit_case(struct report_piece *piece, const struct report_case *entry)
{
    struct junit_piece *own = piece->state;
    static const char *const elements[] = {NULL, "skipped", "failure", "error"};
    struct strbuf *out = &own->cases;
    const char *element = elements[entry->result];
    own->tests++;
    own->results[entry->result]++;
    own->seconds += as_told(entry->seconds);
    strbuf_add(out, "    <testcase");
    add_attribute(out, "name", entry->name);
    add_class(out, piece->file);
    strbuf_printf(out, " time=\"%.6f\"%s\n", entry->seconds, element ? ">" : "/>");
    if (!element) {
        if (entry->remarks && *entry->remarks)
            strbuf_printf(&own->remarks, "%s:\n%s", entry->name, entry->remarks);
        return;
    }
    strbuf_printf(out, "      <%s", element);
    add_attribute(out, "message", entry->message);
    if (entry->result != REPORT_SKIPPED)
        add_attribute(out, "type", entry->type);
    strbuf_add_char(out, '>');
    report_xml_text(out, entry->details);
    if (entry->explanation && entry->result != REPORT_SKIPPED)
        report_xml_text(out, entry->explanation);
    strbuf_printf(out, "</%s>\n    </testcase>\n", element);
}

static void add_property(struct strbuf *out, const char *name, const char *value)
{
    strbuf_printf(out, "      <property name=\"%s\"", name);
    add_attribute(out, "value", value);
    strbuf_add(out, "/>\n");
}

static void junit_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct junit_piece *own = piece->state;
    struct strbuf *out = &piece->out.text;
    (void)program;
    strbuf_add(out, "  <testsuite");
    add_attribute(out, "name", piece->file);
    strbuf_printf(out,
                  " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\""
                  " hostname=\"localhost\" package=\"crashlit\"",
                  own->tests, own->results[REPORT_FAILED], own->results[REPORT_ERRED],
                  own->results[REPORT_SKIPPED], own->seconds);
    report_stream_mark(&piece->out);
    strbuf_add(out, ">\n    <properties>\n");
    add_property(out, "crashlit", piece->version);
    add_property(out, "file", piece->file);
    if (piece->test) {
        add_property(out, "test", piece->test);
        add_property(out, "title", piece->title);
    }
    strbuf_add(out, "    </properties>\n");
    strbuf_add(out, strbuf_text(&own->cases));
    report_xml_between(out, "    <system-out>", strbuf_text(&own->remarks),
                       "</system-out>\n    <system-err></system-err>\n  </testsuite>\n");
}

static void junit_piece_fini(struct report_piece *piece)
{
    struct junit_piece *own = piece->state;
    strbuf_fini(&own->cases);
    strbuf_fini(&own->remarks);
}

static void junit_mark(struct report_sink *sink)
{
    strbuf_printf(&sink->out, " id=\"%zu\" timestamp=\"%s\"", sink->pieces, sink->run.timestamp);
}

static void junit_open(struct report_sink *sink)
{
    strbuf_add(&sink->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
}

/* A suite of the run itself: servers look at nothing but cases. */
static void add_interruption(struct report_sink *sink)
{
    struct report_piece *piece = report_piece_new(sink->format, "crashlit");
    const struct report_case entry = {.name = "run",
                                      .result = REPORT_ERRED,
                                      .type = "interrupt",
                                      .message = REPORT_INTERRUPTED,
                                      .details = ""};
    junit_case(piece, &entry);
    report_piece_end(piece, NULL);
    report_sink_add(sink, piece);
    report_piece_free(piece);
}

static void junit_close(struct report_sink *sink, int status)
{
    (void)status;
    if (sink->interrupted)
        add_interruption(sink);
    strbuf_add(&sink->out, "</testsuites>\n");
}

const struct report_format report_format_junit = {.name = "junit",
                                                  .piece_size = sizeof(struct junit_piece),
                                                  .case_ = junit_case,
                                                  .end = junit_end,
                                                  .piece_fini = junit_piece_fini,
                                                  .open = junit_open,
                                                  .mark = junit_mark,
                                                  .close = junit_close};
