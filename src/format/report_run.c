/* The format run-html: runs of machines, a page that moves. Without a script each run is its table.
 */
#include "format/report_format.h"
#include "document/report_document.h"
#include "format/report_player.h"
#include "report/report_string.h"
#include "document/report_trace.h"

static void run_test(struct report_piece *piece, const struct report_test *test)
{
    const struct report_trace *run = test->run;
    struct strbuf *out = &piece->out.text, record = {0};
    report_xml_between(out, "<article><header><h2>", run->program->name, "</h2><p class=\"path\">");
    report_xml_text(out, piece->file);
    strbuf_add(out, "</p>");
    if (*run->program->title)
        report_xml_between(out, "<p class=\"title\">", run->program->title, "</p>");
    strbuf_add(out, "</header>\n<div class=\"play\">\n");
    report_document_part("html", &report_trace, run, out);
    report_document_part("json", &report_trace, run, &record);
    report_player_record("run", strbuf_text(&record), out);
    strbuf_add(out, "</div>\n</article>\n");
    strbuf_fini(&record);
}

static void run_fault(struct report_piece *piece, const struct report_fault *fault)
{
    report_xml_between(&piece->out.text, "<div class=\"fault\">", piece->file, ": ");
    report_xml_text(&piece->out.text, fault->message);
    strbuf_add(&piece->out.text, "</div>\n");
}

static void run_open(struct report_sink *sink)
{
    struct strbuf *out = &sink->out;
    report_page_begin("crashlit: machines", out);
    strbuf_add(out, "<h1>Runs of machines</h1>\n<p class=\"path\">crashlit ");
    report_xml_text(out, sink->run.version);
    report_xml_between(out, ", <code>", sink->run.command, "</code></p>\n");
    strbuf_add(out, "<p class=\"small\">Arrow keys move, the space bar plays, P fails the power."
                    "</p>\n</header>\n<main>\n<style>\n");
    report_player_style(out);
    strbuf_add(out, "</style>\n");
}

static void run_close(struct report_sink *sink, int status)
{
    (void)status;
    strbuf_add(&sink->out, "</main>\n");
    report_player_script(&sink->out);
    strbuf_add(&sink->out, "</body></html>\n");
}

const struct report_format report_format_run_html = {
    .name = "run-html", .test = run_test, .fault = run_fault, .open = run_open, .close = run_close};
