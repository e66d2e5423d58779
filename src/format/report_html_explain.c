/* HTML of an explanation: the answer in words, its execution or near miss, then what to change, as
 * words and as a difference, or what of the program's text keeps the state out of reach. */
#include "format/report_cuts.h"
#include "answer/report_gallery.h"
#include "format/report_html.h"
#include "document/report_place.h"
#include "report/report_string.h"

#include <string.h>

/* "hrf-direct + epoch, condition 1: reachable", with the verdict that follows. */
static void add_summary(const struct report_explanation *r, struct strbuf *out)
{
    const char *verdict = lit_verdict_text(r->test.verdict);
    report_xml_between(out, "<summary><span class=\"models\">", r->test.model->visibility, " + ");
    report_xml_text(out, r->test.model->persistency);
    strbuf_printf(out,
                  "</span> <span class=\"small\">condition %u</span> <span class=\"badge v-%s\">%s"
                  "</span></summary>\n",
                  r->number, verdict, verdict);
}

/* Lines of a difference, those that go and those that come marked by signs and colours. */
static void add_difference(const char *text, struct strbuf *out)
{
    strbuf_add(out, "<pre class=\"chain difference\">");
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool head = strncmp(text, "---", 3) == 0 || strncmp(text, "+++", 3) == 0;
        const char *element = head ? NULL : *text == '-' ? "del" : *text == '+' ? "ins" : NULL;
        if (element)
            strbuf_printf(out, "<%s>", element);
        report_xml_bytes(out, text, length);
        if (element)
            strbuf_printf(out, "</%s>", element);
        strbuf_add_char(out, '\n');
        text += length + (text[length] == '\n');
    }
    strbuf_add(out, "</pre>\n");
}

static void add_advice(const struct report_explanation *r, struct strbuf *out)
{
    struct strbuf words = {0}, difference = {0};
    report_text_advice(r, REPORT_IN_PAGES, &words);
    if (words.length)
        report_xml_between(out, "<h4>In the program's text</h4><pre class=\"chain words\">",
                           strbuf_text(&words), "</pre>\n");
    report_text_advice_difference(r, &difference);
    if (difference.length)
        add_difference(strbuf_text(&difference), out);
    strbuf_fini(&words);
    strbuf_fini(&difference);
}

static void add_executions(const struct report_test *test, struct strbuf *out)
{
    const struct report_gallery *gallery = test->gallery;
    strbuf_add(out, "<div class=\"explained\">\n");
    for (size_t i = 0; i < gallery->items.count; i++) {
        report_html_execution(&gallery->items.items[i], true, out);
        report_cuts_html(test, &gallery->items.items[i], out);
    }
    if (gallery->remark && (!gallery->items.count || gallery->remark_stands))
        report_xml_between(out, "<p class=\"doubt\">", gallery->remark, "</p>\n");
    strbuf_add(out, "</div>\n");
}

void report_html_explained(const struct report_explanation *r, struct strbuf *out)
{
    struct report_explanation answer = *r;
    struct strbuf text = {0};
    answer.advice = NULL;
    answer.support = NULL;
    report_explain_text(&answer, &text);
    add_summary(r, out);
    report_xml_between(out, "<pre class=\"chain words\">", strbuf_text(&text), "</pre>\n");
    strbuf_fini(&text);
    add_advice(r, out);
    add_executions(&r->test, out);
}
