/* The page: for each model pair its fillings, each a sheet with the program on one side and the
 * choices on the other. Well-formed XML, without scripts, and it refers to nothing outside of it.
 */
#include "report/report_picture.h"

#include "report/report_page.h"
#include "report/report_place_page.h"
#include "report/report_string.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_LINES = 5000 };

/* Text that a function of report_place.h makes, escaped. */
static void add_words(struct strbuf *out, const char *before, struct strbuf *words,
                      const char *after)
{
    report_xml_between(out, before, strbuf_text(words), after);
    strbuf_fini(words);
}

/* ---- The program ---- */

/* Lines of one program; the ids of two fillings differ. */
struct sheet {
    const struct report_place *report;
    struct strbuf *out;
    uint32_t pair, filling; /* from 1; 0: of none */
};

static void add_id(const struct sheet *s, const char *before, uint32_t file, uint32_t line)
{
    strbuf_printf(s->out, "%sp%u-f%u-s%u-L%u\"", before, s->pair, s->filling, file, line);
}

/* Signs tell what colours do. */
static void add_line(const struct sheet *s, const char *sign, const char *element, const char *text,
                     size_t length)
{
    struct strbuf *out = s->out;
    strbuf_printf(out, "<span class=\"sign\">%s</span>", sign);
    if (element)
        strbuf_printf(out, "<%s>", element);
    strbuf_add(out, "<code>");
    report_xml_bytes(out, text, length);
    strbuf_add(out, "</code>");
    if (element)
        strbuf_printf(out, "</%s>", element);
    strbuf_add(out, "</li>\n");
}

static void add_source_line(const struct sheet *s, uint32_t file, uint32_t line, bool gone)
{
    size_t length;
    const char *text = source_line(s->report->placement->sketch->files[file], line, &length);
    add_id(s, "<li id=\"", file, line);
    strbuf_printf(s->out, " value=\"%u\"%s>", line, gone ? " class=\"gone\"" : "");
    add_line(s, gone ? "\xe2\x88\x92" : "&#160;", gone ? "del" : NULL, text, length);
}

static void add_added(const struct sheet *s, const char *text)
{
    strbuf_add(s->out, "<li class=\"added\">");
    add_line(s, "+", "ins", text, strlen(text));
}

static uint32_t count_lines(const struct source *source)
{
    uint32_t count = 0;
    for (size_t i = 0; i < source->length; i++)
        count += source->text[i] == '\n' || i + 1 == source->length;
    return count < MAX_LINES ? count : MAX_LINES;
}

/* `changes` NULL: as it is. */
static void add_file(const struct sheet *s, uint32_t file, const struct changes *changes)
{
    const struct source *source = s->report->placement->sketch->files[file];
    uint32_t lines = count_lines(source), next = 0, count = changes ? changes->count : 0;
    report_xml_between(s->out, "<p class=\"path\">", source->name, "</p>\n<ol class=\"source\">\n");
    for (uint32_t line = 1; line <= lines + 1; line++) {
        bool gone = false;
        for (; next < count && changes->items[next].line == line; next++) {
            const struct change *change = &changes->items[next];
            if (change->before && !gone)
                add_source_line(s, file, line, true);
            gone |= change->before != NULL;
            if (change->after)
                add_added(s, change->after);
        }
        if (!gone && line <= lines)
            add_source_line(s, file, line, false);
    }
    strbuf_add(s->out, "</ol>\n");
}

static void add_program(const struct sheet *s, const struct changes *changes)
{
    strbuf_add(s->out, "<div class=\"code\">\n");
    for (uint32_t f = 0; f < s->report->placement->sketch->file_count; f++)
        add_file(s, f, changes ? &changes[f] : NULL);
    strbuf_add(s->out, "</div>");
}

/* ---- Executions ---- */

static void add_figure(struct strbuf *out, const struct report_graph *graph)
{
    strbuf_add(out, "<figure>");
    report_picture(graph, REPORT_SCREEN, "", out);
    strbuf_add(out, "</figure>");
}

static void add_gallery(struct strbuf *out, const struct report_gallery *gallery, bool open)
{
    for (size_t i = 0; gallery && i < gallery->items.count; i++) {
        const struct report_execution *execution = &gallery->items.items[i];
        strbuf_printf(out, "<details class=\"execution\"%s><summary>",
                      open ? " open=\"open\"" : "");
        if (execution->undefined)
            strbuf_add(out, "an execution with undefined behaviour");
        else
            report_xml_between(
                out, execution->crash ? "the crash state <code>" : "the final state <code>",
                execution->state, "</code>");
        strbuf_add(out, "</summary>");
        if (execution->graph)
            add_figure(out, execution->graph);
        for (size_t k = 0; k < execution->recoveries.count; k++)
            add_figure(out, execution->recoveries.items[k]);
        report_xml_between(out, "<pre>", execution->text, "</pre></details>\n");
    }
}

static void add_reason(const struct sheet *s, const struct placement_reason *reason)
{
    struct strbuf words = {0};
    report_place_why(s->report, reason, &words);
    add_words(s->out, "", &words, "");
}

/* ---- Choices ---- */

/* "line 7", as a link to it, and all others of the choice. */
static void add_places(const struct sheet *s, const struct sketch_choice *choice)
{
    const struct sketch *sketch = s->report->placement->sketch;
    strbuf_add(s->out, " <small>");
    for (uint32_t i = 0; i < choice->place_count; i++) {
        const struct sketch_open_place *place = &choice->places[i];
        add_id(s, i ? ", <a href=\"#" : "<a href=\"#", place->file, place->span.line);
        strbuf_add(s->out, ">");
        if (sketch->file_count > 1)
            report_xml_between(s->out, "", sketch->files[place->file]->name, ", ");
        strbuf_printf(s->out, "line %u</a>", place->span.line);
    }
    strbuf_add(s->out, "</small>");
}

static void add_steps(const struct sheet *s, uint32_t number, uint32_t choice, bool open)
{
    const struct placement_filling *filling = &s->report->placement->fillings[number];
    const char *before = "<ul class=\"steps\">\n";
    for (uint32_t i = 0; i < filling->step_count; i++) {
        const struct placement_step *step = &filling->steps[i];
        const struct sketch_choice *of = &s->report->placement->sketch->choices[choice];
        if (step->choice != choice)
            continue;
        strbuf_printf(s->out, "%s<li>", before);
        before = "";
        if (report_place_is_left_out(of, step->value))
            strbuf_add(s->out, "without it: ");
        else
            report_xml_between(s->out, "with <code>", of->values[step->value].label, "</code>: ");
        add_reason(s, &step->reason);
        if (s->report->step_pictures)
            add_gallery(s->out, s->report->step_pictures[number][i], open);
        strbuf_add(s->out, "</li>\n");
    }
    strbuf_add(s->out, *before ? "" : "</ul>\n");
}

/* Nothing is said of what is not there and is not added. */
static void add_choices(const struct sheet *s, uint32_t number, bool open)
{
    const struct sketch *sketch = s->report->placement->sketch;
    const uint8_t *values = s->report->placement->fillings[number].filling.value;
    strbuf_add(s->out, "<ul class=\"choices\">\n");
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        struct strbuf words = {0};
        if (choice->original == 0 && values[c] == 0)
            continue;
        report_place_choice(s->report, choice, &words);
        add_words(s->out, "<li><strong>", &words, "</strong>: ");
        report_place_said(choice, values[c], &words);
        add_words(s->out, "", &words, "");
        if (choice->name)
            add_places(s, choice);
        add_steps(s, number, c, open);
        strbuf_add(s->out, "</li>\n");
    }
    strbuf_add(s->out, "</ul>\n");
}

/* ---- Fillings ---- */

static void add_confirmation(const struct sheet *s, const struct placement_filling *filling)
{
    if (filling->confirmed_by)
        report_xml_between(s->out, " <span class=\"expected\">\xe2\x9c\x93 confirmed by ",
                           filling->confirmed_by, "</span>");
    if (filling->unconfirmed)
        report_xml_between(s->out, " <span class=\"doubt\">? not confirmed: ", filling->unconfirmed,
                           "</span>");
    if (filling->disputed_by)
        report_xml_between(s->out, " <span class=\"unexpected\">\xe2\x9c\x97 disputed by ",
                           filling->disputed_by, "</span>");
}

static bool changes_nothing(const struct report_place *report, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < report->placement->sketch->file_count; f++)
        count += report_place_changes(report, number)[f].count;
    return count == 0;
}

static void add_filling(struct sheet *s, uint32_t at)
{
    const struct report_place *report = s->report;
    uint32_t number = report->shown[at];
    s->filling = number + 1;
    strbuf_printf(s->out, "<details class=\"pair\" id=\"p%u-f%u\"%s><summary>", s->pair, s->filling,
                  at == 0 ? " open=\"open\"" : "");
    strbuf_printf(s->out, "<span class=\"models\">Filling %u</span>", number + 1);
    if (report->weights)
        strbuf_printf(s->out, " <span class=\"badge v-unknown\">weight %" PRIu64 "</span>",
                      report->weights[number]);
    if (changes_nothing(report, number))
        strbuf_add(s->out, " <span class=\"badge v-ok\">as it is</span>");
    add_confirmation(s, &report->placement->fillings[number]);
    strbuf_add(s->out, "</summary>\n<div class=\"sheet\">");
    add_program(s, report_place_changes(report, number));
    strbuf_add(s->out, "<div class=\"answers\">\n");
    add_choices(s, number, at == 0);
    strbuf_add(s->out, "</div></div></details>\n");
}

/* ---- Without a filling ---- */

static void add_clash(const struct sheet *s, uint32_t at)
{
    const struct placement_clash *clash = &s->report->placement->clashes[at];
    struct strbuf words = {0};
    strbuf_add(s->out, "<div class=\"fault\"><p>");
    add_reason(s, &clash->reason);
    report_place_values(s->report, "with ", &clash->broken_by, &words);
    add_words(s->out, "</p>\n<p>for example ", &words, "</p>\n");
    if (clash->can_be_met) {
        report_place_values(s->report, "by ", &clash->met_by, &words);
        add_words(s->out, "<p>met alone, for example ", &words, "</p>\n");
    } else
        strbuf_add(s->out, "<p>no filling meets it</p>\n");
    if (s->report->clash_pictures)
        add_gallery(s->out, s->report->clash_pictures[at], true);
    strbuf_add(s->out, "</div>\n");
}

static void add_refusal(const struct sheet *s)
{
    const struct report_place *report = s->report;
    strbuf_add(s->out, "<div class=\"sheet\">");
    add_program(s, NULL);
    strbuf_add(s->out, "<div class=\"answers\">\n");
    if (report->as_it_is) {
        struct strbuf words = {0};
        report_place_present(report, &words);
        add_words(s->out, "<div class=\"fault\"><p>", &words, "</p>\n");
        add_gallery(s->out, report->present_picture, true);
        strbuf_add(s->out, "</div>\n");
    }
    if (report->placement->clash_count > 1)
        strbuf_add(s->out, "<h4>These cannot be met together</h4>\n");
    for (uint32_t i = 0; i < report->placement->clash_count; i++)
        add_clash(s, i);
    strbuf_add(s->out, "</div></div>\n");
}

/* ---- A model pair ---- */

static void add_open(const struct sheet *s)
{
    const struct placement *placement = s->report->placement;
    for (uint32_t i = 0; i < placement->open_count; i++) {
        struct strbuf words = {0};
        report_place_values(s->report, "", &placement->open[i], &words);
        add_words(s->out, "<p class=\"doubt\">Not known: ", &words, ": ");
        add_reason(s, &placement->open_reasons[i]);
        strbuf_add(s->out, "</p>\n");
    }
}

static void add_totals(const struct sheet *s)
{
    const struct report_place *report = s->report;
    struct strbuf words = {0};
    if (report->as_it_is)
        return;
    if (report->shown_count < report->placement->count)
        strbuf_printf(s->out, "<p class=\"small\">%u more%s</p>\n",
                      report->placement->count - report->shown_count,
                      report->weights ? ", which weigh more" : ": --all shows them");
    add_open(s);
    report_place_summary(report, &words);
    add_words(s->out, "<p class=\"totals\">", &words, "</p>\n");
    if (report->undrawn)
        report_xml_between(s->out, "<p class=\"doubt\">", report->undrawn, "</p>\n");
}

void report_place_html_add(struct report_place_page *page, const struct report_place *report)
{
    struct sheet sheet = {report, &page->body, page->pairs + 1, 0};
    struct strbuf title = {0};
    report_place_title(report, &title);
    strbuf_printf(&page->body, "<article id=\"p%u\">", sheet.pair);
    add_words(&page->body, "<header><h2>", &title, "</h2><p class=\"path\">");
    report_xml_between(&page->body, "", report->visibility, " + ");
    report_xml_between(&page->body, "", report->persistency, "</p></header>\n");
    if (!report->placement->sketch->choice_count)
        strbuf_add(&page->body, "<p>No barrier, fence or atomic access could be otherwise</p>\n");
    for (uint32_t i = 0; i < report->shown_count; i++)
        add_filling(&sheet, i);
    sheet.filling = 0;
    if (!report->shown_count)
        add_refusal(&sheet);
    add_totals(&sheet);
    strbuf_add(&page->body, "</article>\n");
}

/* ---- The page ---- */

void report_place_html_begin(const struct report_place_page *page, int status, struct strbuf *out)
{
    report_page_begin("crashlit place", out);
    strbuf_add(out, "<h1>crashlit place</h1>\n"
                    "<p class=\"path\">crashlit ");
    report_xml_between(out, "", page->version, ", <code>");
    report_xml_between(out, "", page->command, "</code></p>\n");
    strbuf_printf(out, "<p class=\"counts\">%u model pair%s; exit status %d</p></header>\n<main>\n",
                  page->pairs, page->pairs == 1 ? "" : "s", status);
    if (!page->pairs)
        strbuf_add(out, "<p class=\"unexpected\">no answer; the messages say why</p>\n");
}

void report_place_html_end(struct strbuf *out)
{
    strbuf_add(out, "</main>\n</body></html>\n");
}
