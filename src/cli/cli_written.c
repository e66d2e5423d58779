#include "cli/cli_written.h"

#include "run/run_reports.h"

#include <string.h>

/* ---- In a worker ---- */

static void pack_document(const struct ask_options *options, const char *shape,
                          const struct report_subject *subject, const void *answer,
                          const struct strbuf *before, struct strbuf *out)
{
    SCOPED(strbuf) text = {0};
    struct report_document document;
    if (before)
        strbuf_add_bytes(&text, strbuf_text(before), before->length);
    report_document_begin(&document, shape,
                          ask_options_want_slides(options) ? REPORT_SLIDE : REPORT_SCREEN);
    report_document_add(&document, subject, answer);
    report_document_end(&document, subject, answer, &text);
    pack_bytes(out, strbuf_text(&text), text.length);
}

void cli_written_pack(const struct ask_options *options, const struct report_subject *subject,
                      const void *answer, const struct strbuf *before, struct strbuf *out)
{
    pack_document(options, options->shape ? options->shape : "text", subject, answer, before, out);
    for (uint32_t i = 0; i < options->report_count; i++)
        if (options->reports[i].path)
            pack_document(options, options->reports[i].name, subject, answer, NULL, out);
}

/* ---- In the process that began it ---- */

bool cli_written_open(struct cli_written *written, const struct ask_options *options,
                      struct diag *diag)
{
    const struct run_plan plan = {
        .settings = &options->settings,
        .inputs = {.items = options->inputs, .count = options->input_count},
        .reports = options->reports,
        .report_count = options->report_count,
        .resume = options->resume};
    *written = (struct cli_written){.options = options};
    if (!run_reports_are_apart(&plan, diag))
        return false;
    for (uint32_t i = 0; i < options->report_count; i++) {
        const char *path = options->reports[i].path, *why;
        if (path && !run_output_open(&written->files[i], path, &why))
            diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                       "--format names '%s', which cannot be written: %s", path, why);
    }
    return diag->errors == 0;
}

void cli_written_take(struct cli_written *written, struct unpack *from, struct run_output *standard,
                      struct diag *diag)
{
    SCOPED(strbuf) text = {0};
    unpack_text(from, &text);
    run_output_add_lines(standard, &text);
    for (uint32_t i = 0; i < written->options->report_count; i++) {
        size_t length;
        if (!written->options->reports[i].path)
            continue;
        const char *bytes = unpack_bytes(from, &length);
        run_output_add(&written->files[i], bytes, length);
        run_output_end(&written->files[i], diag);
        written->files[i] = (struct run_output){.path = NULL};
    }
}

void cli_written_close(struct cli_written *written)
{
    for (uint32_t i = 0; i < written->options->report_count; i++)
        run_output_drop(&written->files[i]);
}

bool cli_written_file(const char *path, const char *text, size_t length, struct diag *diag)
{
    struct run_output file = {.path = NULL};
    const char *why;
    uint32_t errors = diag->errors;
    if (!run_output_open(&file, path, &why)) {
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
        return false;
    }
    run_output_add(&file, text, length);
    run_output_end(&file, diag);
    return diag->errors == errors;
}

int cli_written_end(struct diag *diag, int status)
{
    run_output_tell(diag);
    if (diag->errors && status < (int)RUN_EXIT_INPUT)
        status = (int)RUN_EXIT_INPUT;
    diag_fini(diag);
    return status;
}

int cli_written_run(const struct ask_options *options, const struct session_settings *settings,
                    cli_written_work *work, struct run_output *standard)
{
    struct cli_written written;
    SCOPED(strbuf) out = {0}, err = {0};
    struct diag diag;
    int status = (int)RUN_EXIT_INPUT;
    diag_init(&diag);
    if (cli_written_open(&written, options, &diag))
        status = work(options, settings, &out, &err);
    struct unpack from = unpack_start(strbuf_text(&out), out.length);
    if (out.length)
        cli_written_take(&written, &from, standard, &diag);
    if (out.length && status > 128)
        run_output_remark(RUN_OUTPUT_INTERRUPTED);
    run_output_say(strbuf_text(&err));
    cli_written_close(&written);
    return cli_written_end(&diag, status);
}
