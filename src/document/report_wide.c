#include "document/report_wide.h"

#include "base/json.h"
#include "base/utf8.h"

const char *report_wide_name(enum report_finding_kind kind)
{
    return kind == REPORT_WIDE        ? "wider-than-needed"
           : kind == REPORT_REDUNDANT ? "redundant"
                                      : NULL;
}

/* The values of the lightest filling; NULL: there is nothing to warn of. */
static const uint8_t *values_of(const struct report_wide *wide)
{
    const struct report_place *place = wide ? wide->place : NULL;
    return place && place->shown_count ? place->placement->fillings[place->shown[0]].filling.value
                                       : NULL;
}

uint32_t report_wide_count(const struct report_wide *wide)
{
    const uint8_t *values = values_of(wide);
    uint32_t count = 0;
    for (uint32_t c = 0; values && c < wide->place->placement->sketch->choice_count; c++)
        count += values[c] != wide->place->placement->sketch->choices[c].original;
    return count;
}

/* "p_barrier_kr at lines 7 and 13 is wider than needed: p_barrier_wg suffices" */
static enum report_finding_kind add_message(const struct report_place *place,
                                            const struct sketch_choice *choice, uint8_t value,
                                            struct strbuf *out)
{
    bool whole = choice->kind == LIT_OPEN_PRESENCE || choice->kind == LIT_OPEN_SLOT;
    const char *was = choice->values[choice->original].label;
    strbuf_printf(out, "%s at ", was);
    report_place_choice(place, choice, out);
    if (whole && value == LIT_LEFT_OUT) {
        strbuf_add(out, " is redundant: it can be left out");
        return REPORT_REDUNDANT;
    }
    strbuf_printf(out, " is %s than needed: %s suffices",
                  choice->kind == LIT_OPEN_ORDER                         ? "stronger"
                  : choice->kind == LIT_OPEN_SCOPE || choice->is_barrier ? "wider"
                                                                         : "wider or stronger",
                  choice->values[value].label);
    return REPORT_WIDE;
}

/* The first place on another line than the first one. */
static struct span other_place(const struct sketch_choice *choice)
{
    for (uint32_t i = 1; i < choice->place_count; i++)
        if (choice->places[i].span.line != choice->places[0].span.line)
            return choice->places[i].span;
    return (struct span){0};
}

void report_wide_each(const struct report_wide *wide, const struct lit_program *program,
                      report_finding_visit *visit, void *context)
{
    const uint8_t *values = values_of(wide);
    SCOPED(strbuf) message = {0};
    for (uint32_t c = 0; values && c < wide->place->placement->sketch->choice_count; c++) {
        const struct sketch_choice *choice = &wide->place->placement->sketch->choices[c];
        if (values[c] == choice->original)
            continue;
        struct report_finding finding = {.span = choice->places[0].span,
                                         .related = other_place(choice),
                                         .related_message = "the same choice",
                                         .place = wide->place};
        finding.kind = add_message(wide->place, choice, values[c], &message);
        finding.message = strbuf_text(&message);
        visit(context, &finding);
        strbuf_clear(&message);
    }
    if (wide && wide->doubt) {
        strbuf_printf(&message, "whether less would do is not known: %s", wide->doubt);
        visit(context, &(struct report_finding){.kind = REPORT_WIDTH,
                                                .message = strbuf_text(&message),
                                                .span = report_head(program)});
    }
}

/* ---- Text ---- */

static void add_line(void *context, const struct report_finding *finding)
{
    struct strbuf *out = context;
    const char *name = report_wide_name(finding->kind);
    if (!name) {
        strbuf_printf(out, "Doubt %s\n", finding->message);
        return;
    }
    strbuf_add(out, "Warning ");
    utf8_add_name(out, finding->span.source->name);
    strbuf_printf(out, ":%u:%u: %s [W-%s]\n", finding->span.line, finding->span.column,
                  finding->message, name);
}

uint32_t report_wide_ways(const struct report_wide *wide)
{
    return report_wide_count(wide) ? placement_minimal_count(wide->place->placement) : 0;
}

void report_text_wide(const struct report_test *test, struct strbuf *out)
{
    report_wide_each(test->wide, test->program, add_line, out);
    if (report_wide_ways(test->wide) > 1)
        strbuf_printf(out, "Remark this is one of %u ways to need less: place --narrow shows all\n",
                      report_wide_ways(test->wide));
}

/* ---- JSON ---- */

static void add_warning(void *context, const struct report_finding *finding)
{
    struct strbuf *out = context;
    const char *name = report_wide_name(finding->kind);
    if (!name)
        return;
    emit_object(out, NULL);
    emit_string(out, "name", name);
    emit_string(out, "file", finding->span.source->name);
    emit_number(out, "line", finding->span.line);
    emit_number(out, "column", finding->span.column);
    emit_string(out, "message", finding->message);
    emit_end(out, '}');
}

void report_json_wide_warnings(const struct report_test *test, struct strbuf *out)
{
    report_wide_each(test->wide, test->program, add_warning, out);
}

/* Adds the minimal fillings that are shown, each as a whole. */
static void add_fillings(const struct report_place *place, struct strbuf *out)
{
    SCOPED(strbuf) words = {0};
    emit_array(out, "fillings");
    for (uint32_t i = 0; i < place->shown_count; i++) {
        strbuf_clear(&words);
        report_place_sentence(place, place->shown[i], &words);
        emit_object(out, NULL);
        emit_string(out, "words", strbuf_text(&words));
        report_place_json_changes(place, report_place_changes(place, place->shown[i]), out);
        emit_end(out, '}');
    }
    emit_end(out, ']');
}

void report_json_wide(const struct report_test *test, struct strbuf *out)
{
    const struct report_wide *wide = test->wide;
    if (!wide)
        return;
    emit_object(out, "narrowest");
    emit_bool(out, "asked", !wide->unasked);
    if (wide->unasked)
        emit_string(out, "reason", wide->unasked);
    else {
        emit_number(out, "minimal",
                    wide->place ? placement_minimal_count(wide->place->placement) : 0);
        emit_bool(out, "complete", !wide->doubt);
        emit_string(out, "limit", wide->doubt);
        if (wide->place)
            add_fillings(wide->place, out);
    }
    emit_end(out, '}');
}
