#include "cli/cli_place_tell.h"

#include "base/build.h"
#include "cli/cli_place_draw.h"
#include "format/report_sink.h"

enum { SHOWN = 8 };

/* ---- Fillings that are shown ---- */

static uint64_t *weigh(struct cli_place_asking *a, const struct placement *placement)
{
    uint64_t *weights = ARENA_ARRAY(&a->arena, uint64_t, placement->count);
    for (uint32_t i = 0; i < placement->count; i++)
        weights[i] =
            place_weigh(&a->weights, &a->arena, placement->sketch, &placement->fillings[i].filling);
    return weights;
}

static void choose(struct cli_place_asking *a, struct report_place *report)
{
    const struct placement *placement = report->placement;
    uint32_t *shown = ARENA_ARRAY(&a->arena, uint32_t, placement->count);
    uint32_t most = a->options->all || a->options->cheapest ? placement->count : SHOWN;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; report->weights && i < placement->count; i++)
        if (report->weights[i] < least)
            least = report->weights[i];
    for (uint32_t i = 0; i < placement->count && report->shown_count < most; i++)
        if (!a->options->cheapest || report->weights[i] == least)
            shown[report->shown_count++] = i;
    report->shown = shown;
}

static void find_changes(struct cli_place_asking *a, struct report_place *report)
{
    const struct placement *placement = report->placement;
    uint32_t files = a->sketch->file_count;
    struct changes *changes =
        ARENA_ARRAY(&a->arena, struct changes, (size_t)placement->count * files);
    const char *const **written = ARENA_ARRAY(&a->arena, const char *const *, placement->count);
    for (uint32_t i = 0; i < report->shown_count; i++) {
        uint32_t number = report->shown[i];
        struct changes *own = &changes[(size_t)number * files];
        for (uint32_t f = 0; f < files; f++)
            own[f] =
                changes_of(&a->arena, placement->sketch, &placement->fillings[number].filling, f);
        if (a->options->output)
            written[number] = cli_place_keep(&a->written, own);
    }
    report->changes = changes;
    report->written = written;
}

void cli_place_choose_shown(struct cli_place_asking *a, struct report_place *report)
{
    if (a->options->cheapest)
        report->weights = weigh(a, report->placement);
    choose(a, report);
    find_changes(a, report);
}

/* ---- Documents ---- */

static void begin_document(struct cli_place_asking *a, const char *shape)
{
    report_document_begin(&a->documents[a->document_count++], shape,
                          ask_options_want_slides(a->options) ? REPORT_SLIDE : REPORT_SCREEN);
}

void cli_place_begin_documents(struct cli_place_asking *a)
{
    const struct ask_options *options = a->options;
    begin_document(a, options->shape ? options->shape : "text");
    for (uint32_t i = 0; i < options->report_count; i++)
        if (options->reports[i].path)
            begin_document(a, report_format_name(options->reports[i].format));
}

void cli_place_end_documents(struct cli_place_asking *a, struct strbuf *out)
{
    const struct report_place_run run = {base_version, a->options->command_line, a->told,
                                         (int)a->status};
    for (uint32_t i = 0; i < a->document_count; i++) {
        struct strbuf text = {0};
        if (!a->told)
            report_document_add(&a->documents[i], &report_place, NULL);
        report_document_end(&a->documents[i], &report_place, &run, &text);
        pack_bytes(out, strbuf_text(&text), text.length);
        strbuf_fini(&text);
    }
}

void cli_place_tell(struct cli_place_asking *a, const struct place_question *question,
                    struct clock_limit clock, struct report_place *report)
{
    struct cli_place_drawing drawing = {.arena = &a->arena, .question = question, .clock = clock};
    bool drawn = false;
    report->number = ++a->told;
    for (uint32_t i = 0; i < a->document_count; i++) {
        bool draws = report_document_has_figures(&a->documents[i]);
        if (draws && !drawn)
            cli_place_draw(&drawing, report);
        drawn |= draws;
        report_document_add(&a->documents[i], &report_place, report);
    }
    cli_place_draw_end(&drawing);
}
