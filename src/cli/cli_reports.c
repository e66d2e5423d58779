#include "cli/cli_reports.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- Pieces ---- */

void cli_pieces_init(struct cli_pieces *pieces, const struct cli_options *options, const char *path)
{
    pieces->count = options->report_count;
    for (uint32_t i = 0; i < pieces->count; i++)
        pieces->items[i] = report_piece_new(options->reports[i].format, path);
}

void cli_pieces_fini(struct cli_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_free(pieces->items[i]);
}

void cli_pieces_test(struct cli_pieces *pieces, const struct report_test *test)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_test(pieces->items[i], test);
}

void cli_pieces_faults(struct cli_pieces *pieces, const struct diag *diag)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_faults(pieces->items[i], diag);
}

void cli_pieces_unread(struct cli_pieces *pieces, size_t files)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_unread(pieces->items[i], files);
}

void cli_pieces_fault(struct cli_pieces *pieces, const struct report_fault *fault)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_fault(pieces->items[i], fault);
}

void cli_pieces_accord(struct cli_pieces *pieces, const struct report_accord *accord)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_accord(pieces->items[i], accord);
}

void cli_pieces_end(struct cli_pieces *pieces, const struct lit_program *program)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_end(pieces->items[i], program);
}

bool cli_reports_show_executions(const struct cli_options *options)
{
    for (uint32_t i = 0; i < options->report_count; i++)
        if (report_format_shows_executions(options->reports[i].format))
            return true;
    return false;
}

/* ---- Reports ---- */

struct target {
    const char *path;          /* NULL: standard output */
    struct cli_output file;    /* of a path */
    struct cli_output *output; /* that, or the run's standard output */
    struct report_sink *sink;
};

struct cli_reports {
    struct target targets[CLI_MAX_REPORTS];
    uint32_t count;
    char timestamp[32];
};

static void put(void *context, const char *bytes, size_t length)
{
    cli_output_add(context, bytes, length);
}

static const struct span NOWHERE = {NULL, 0, 0, 0, 0};

/* Whether both are one regular file, by whatever names; a device may be written twice. */
static bool same_file(const char *path, const char *other)
{
    struct stat a, b;
    return path && other && stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* What the run reads from the file at `path`, which a report there would destroy; NULL: nothing. */
static const char *use_of(const char *path, const struct cli_options *options)
{
    if (same_file(path, options->resume))
        return "the earlier run that --resume reads";
    for (uint32_t i = 0; i < options->input_count; i++)
        if (same_file(path, options->inputs[i] + (options->inputs[i][0] == '@')))
            return "an input of this run";
    return NULL;
}

/* Looks at all reports before any is opened, since that empties the file. */
static bool spares_inputs(const struct cli_options *options, struct diag *diag)
{
    bool spared = true;
    for (uint32_t i = 0; i < options->report_count; i++) {
        const char *path = options->reports[i].path;
        const char *use = use_of(path, options);
        if (use)
            diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                       "--format names '%s', which is %s; give the report another name", path, use);
        spared &= use == NULL;
    }
    return spared;
}

static bool open_file(struct cli_reports *reports, uint32_t at, struct diag *diag)
{
    struct target *target = &reports->targets[at];
    if (!target->path)
        return true;
    target->file = (struct cli_output){.path = target->path, .file = fopen(target->path, "w")};
    target->output = &target->file;
    if (!target->file.file)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--format names '%s', which cannot be written: %s", target->path,
                   strerror(errno));
    bool alone = true;
    for (uint32_t i = 0; i < at && alone; i++)
        alone = !same_file(target->path, reports->targets[i].path);
    if (!alone)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--format names '%s' twice; give each report a file of its own", target->path);
    return target->file.file && alone;
}

static void close_files(struct cli_reports *reports)
{
    for (uint32_t i = 0; i < reports->count; i++)
        if (reports->targets[i].file.file)
            fclose(reports->targets[i].file.file);
    base_free(reports);
}

struct cli_reports *cli_reports_open(const struct cli_options *options, const char *version,
                                     struct cli_output *standard, struct diag *diag)
{
    struct cli_reports *reports = base_realloc(NULL, sizeof *reports);
    *reports = (struct cli_reports){.count = options->report_count};
    time_t now = time(NULL);
    struct tm utc;
    strftime(reports->timestamp, sizeof reports->timestamp, "%Y-%m-%dT%H:%M:%S",
             gmtime_r(&now, &utc));
    bool spared = spares_inputs(options, diag), open = spared;
    for (uint32_t i = 0; spared && i < reports->count; i++) {
        reports->targets[i].path = options->reports[i].path;
        reports->targets[i].output = standard;
        open &= open_file(reports, i, diag);
    }
    if (!open) {
        close_files(reports);
        return NULL;
    }
    for (uint32_t i = 0; i < reports->count; i++) {
        struct target *target = &reports->targets[i];
        const struct report_run run = {.version = version,
                                       .command = options->command_line,
                                       .timestamp = reports->timestamp,
                                       .write = put,
                                       .context = target->output};
        target->sink = report_sink_new(options->reports[i].format, &run);
    }
    return reports;
}

void cli_reports_add(struct cli_reports *reports, const struct cli_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_sink_add(reports->targets[i].sink, pieces->items[i]);
}

static void end_report(struct target *target, enum cli_status status, struct diag *diag)
{
    int temporary = report_sink_close(target->sink, (int)status);
    report_sink_free(target->sink);
    if (temporary)
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot keep a report in a temporary file: %s",
                   strerror(temporary));
    if (target->path)
        cli_output_end(target->output, diag);
}

void cli_reports_close(struct cli_reports *reports, enum cli_status status, struct diag *diag)
{
    for (uint32_t i = 0; i < reports->count; i++)
        end_report(&reports->targets[i], status, diag);
    close_files(reports);
}
