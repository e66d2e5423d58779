#include "run/run_reports.h"

#include "run/run_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- Pieces ---- */

void run_pieces_init(struct run_pieces *pieces, const struct run_plan *plan, const char *path)
{
    pieces->count = plan->report_count;
    for (uint32_t i = 0; i < pieces->count; i++)
        pieces->items[i] = report_piece_new(plan->reports[i].format, path);
}

void run_pieces_fini(struct run_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_free(pieces->items[i]);
}

#define X(what, type)                                             \
    void run_pieces_##what(struct run_pieces *pieces, type value) \
    {                                                             \
        for (uint32_t i = 0; i < pieces->count; i++)              \
            report_piece_##what(pieces->items[i], value);         \
    }
RUN_PIECES(X)
#undef X

void run_pieces_end_as(struct run_pieces *pieces, const char *test, const char *title,
                       const char *version)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        report_piece_end_as(pieces->items[i], test, title, version);
}

bool run_reports_have(const struct run_report *reports, uint32_t count, enum report_trait trait)
{
    return ANY(i, count, report_format_has(reports[i].format, trait));
}

/* ---- Reports ---- */

/* More than somebody reads one below the other. */
enum { MANY = 100 };

void run_reports_of_many(const struct run_plan *plan, size_t files, struct run_report *written,
                         struct run_plan *to)
{
    *to = *plan;
    to->reports = written;
    for (uint32_t i = 0; i < plan->report_count; i++) {
        written[i] = plan->reports[i];
        if (files > MANY && plan->kind == RUN_ANSWERS && written[i].format)
            written[i].format = report_format_of_many(written[i].format);
    }
}

struct target {
    const struct report_format *format;
    const char *path;          /* NULL: standard output */
    struct run_output file;    /* of a path */
    struct run_output *output; /* that, or the run's standard output */
    struct report_sink *sink;
    bool certifies;            /* run_report */
    struct run_folder *folder; /* in place of all these: a file for each input */
    struct run_reports *reports;
    bool has_parts; /* beside each other in a folder; `file` is the present one */
    char *part;     /* its path */
};

/* A file, whatever its names. */
struct file_id {
    dev_t device;
    ino_t inode;
};

struct run_reports {
    const struct run_plan *plan;
    struct target targets[RUN_MAX_REPORTS];
    uint32_t count;
    char timestamp[32];
    struct diag diag;           /* what could not be written */
    VEC(struct file_id) inputs; /* that are named, in order; for folders */
};

static void put(void *context, const char *bytes, size_t length)
{
    run_output_add(context, bytes, length);
}

static void put_part(void *context, const char *bytes, size_t length)
{
    struct target *target = context;
    if (target->part)
        run_output_add(&target->file, bytes, length);
}

static void begin_part(void *context, const char *name);

/* The folder of a path, to be freed, and the rest of it. */
static char *folder_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash + 1 - path) : 0;
    char *folder = base_realloc(NULL, length + 2);
    memcpy(folder, length ? path : ".", length ? length : 1);
    folder[length ? length : 1] = '\0';
    *name = path + length;
    return folder;
}

/* Would both be one file, of one name in one folder? A device may be written twice. */
static bool same_place(const char *path, const char *other)
{
    struct stat a, b;
    const char *name, *name_of_other;
    if (!path || !other || (stat(path, &a) == 0 && !S_ISREG(a.st_mode)))
        return false;
    char *folder = folder_of(path, &name), *folder_of_other = folder_of(other, &name_of_other);
    bool same = stat(folder, &a) == 0 && stat(folder_of_other, &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino && strcmp(name, name_of_other) == 0;
    base_free(folder);
    base_free(folder_of_other);
    return same;
}

/* Whether both are one regular file, by whatever names. */
static bool same_file(const char *path, const char *other)
{
    struct stat a, b;
    return path && other && stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static const char RESUMED[] = "the earlier run that --resume reads";
static const char INPUT_OF_RUN[] = "an input of this run";
static const char CALLED_INPUT[] = "the name of a test, model, definition file or machine";

/* What tests and models name, and what is found in a folder, ends so: see base/reach.h. */
static bool is_called_input(const char *path)
{
    return reach_ends(path, ".litmus .machine " REACH_MODELS " " REACH_DEFINITIONS);
}

/* What the run reads from the file at `path`, which a report there would destroy; NULL: nothing. */
static const char *use_of(const char *path, const struct run_plan *plan)
{
    const char *const named[] = {SESSION_SETTINGS_FILES(plan->settings), plan->settings->machine,
                                 plan->policy.known, plan->limits};
    if (same_file(path, plan->resume))
        return RESUMED;
    if (same_file(path, plan->frozen))
        return INPUT_OF_RUN;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (same_file(path, named[i]))
            return INPUT_OF_RUN;
    for (uint32_t i = 0; i < plan->settings->uses_count; i++)
        if (same_file(path, plan->settings->uses[i]))
            return INPUT_OF_RUN;
    for (uint32_t i = 0; i < plan->inputs.count; i++)
        if (same_file(path, plan->inputs.items[i] + (plan->inputs.items[i][0] == '@')))
            return INPUT_OF_RUN;
    return path && is_called_input(path) ? CALLED_INPUT : NULL;
}

/* Looks at all reports before any is opened, since that empties the file. */
static bool spares_inputs(const struct run_plan *plan, struct diag *diag)
{
    bool spared = true;
    for (uint32_t i = 0; i < plan->report_count; i++) {
        const char *path = plan->reports[i].path;
        const char *use = use_of(path, plan);
        if (use)
            diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                       "--%s names '%s', which is %s; give the report another name",
                       plan->reports[i].certifies ? "certify" : "format", path, use);
        spared &= use == NULL;
    }
    return spared;
}

/* Of two paths: whether one would take the other's place. */
static bool is_one_file(const char *path, const char *other)
{
    return same_place(path, other) || same_file(path, other);
}

static void refuse_shared(const char *path, struct diag *diag)
{
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--format names '%s' twice; give each report a file of its own", path);
}

bool run_reports_are_apart(const struct run_plan *plan, struct diag *diag)
{
    bool apart = spares_inputs(plan, diag);
    for (uint32_t i = 0; i < plan->report_count; i++) {
        const char *path = plan->reports[i].path;
        bool shared = false;
        for (uint32_t j = 0; j < i; j++)
            shared |= is_one_file(path, plan->reports[j].path);
        if (shared)
            refuse_shared(path, diag);
        apart &= !shared;
    }
    return apart;
}

static bool open_file(struct target *target, struct diag *diag)
{
    const char *why = NULL;
    bool open = false;
    if (target->has_parts) {
        open = run_folder_make(target->path);
        why = open ? NULL : strerror(errno);
    } else if (target->certifies || run_folder_is_meant(target->path)) {
        target->folder = run_folder_open(target->path, report_format_name(target->format));
        open = target->folder != NULL;
        why = open ? NULL : strerror(errno);
    } else {
        open = run_output_open(&target->file, target->path, &why);
        target->output = &target->file;
    }
    if (!open)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--%s names '%s', which cannot be written: %s",
                   target->certifies ? "certify" : "format", target->path, why);
    return open;
}

/* Two formats may share a folder. */
static bool is_shared(const struct target *target, const struct target *other)
{
    struct stat a, b;
    if ((!target->folder && !target->has_parts) || (!other->folder && !other->has_parts))
        return is_one_file(target->path, other->path);
    return target->format == other->format && stat(target->path, &a) == 0 &&
           stat(other->path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool open_target(struct run_reports *reports, uint32_t at, struct diag *diag)
{
    struct target *target = &reports->targets[at];
    bool open = !target->path || open_file(target, diag), shared = false;
    for (uint32_t i = 0; target->path && i < at && !shared; i++)
        shared = is_shared(target, &reports->targets[i]);
    if (shared)
        refuse_shared(target->path, diag);
    return open && !shared;
}

static int order_ids(const void *a, const void *b)
{
    const struct file_id *left = a, *right = b;
    if (left->device != right->device)
        return left->device < right->device ? -1 : 1;
    return left->inode < right->inode ? -1 : left->inode > right->inode;
}

static void note(struct run_reports *reports, const char *path)
{
    struct stat status;
    if (path && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        VEC_PUSH(&reports->inputs, (struct file_id){status.st_dev, status.st_ino});
}

/* There may be thousands of reports in a folder, and of inputs. */
static void sort_inputs(struct run_reports *reports)
{
    if (reports->inputs.count)
        qsort(reports->inputs.items, reports->inputs.count, sizeof *reports->inputs.items,
              order_ids);
}

static void note_named(struct run_reports *reports)
{
    const struct run_plan *plan = reports->plan;
    const char *const named[] = {SESSION_SETTINGS_FILES(plan->settings), plan->settings->machine};
    for (uint32_t i = 0; i < plan->inputs.count; i++)
        note(reports, plan->inputs.items[i] + (plan->inputs.items[i][0] == '@'));
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        note(reports, named[i]);
    note(reports, plan->frozen);
    sort_inputs(reports);
}

void run_reports_note(struct run_reports *reports, const char *const *paths, size_t count)
{
    for (size_t i = 0; reports->count && i < count; i++)
        note(reports, paths[i]);
    sort_inputs(reports);
}

static bool is_input(const struct run_reports *reports, const char *path)
{
    struct stat status;
    if (reports->inputs.count == 0 || stat(path, &status) != 0)
        return false;
    const struct file_id id = {status.st_dev, status.st_ino};
    return bsearch(&id, reports->inputs.items, reports->inputs.count, sizeof id, order_ids);
}

static void free_reports(struct run_reports *reports)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        run_output_drop(&reports->targets[i].file);
        base_free(reports->targets[i].part);
        if (reports->targets[i].folder)
            run_folder_free(reports->targets[i].folder);
    }
    VEC_FREE(&reports->inputs);
    diag_fini(&reports->diag);
    base_free(reports);
}

static struct report_sink *begin_report(const struct run_reports *reports,
                                        const struct report_format *format,
                                        struct run_output *output)
{
    const struct report_run run = {.version = reports->plan->version,
                                   .command = reports->plan->command_line,
                                   .timestamp = reports->timestamp,
                                   .write = put,
                                   .context = output};
    return report_sink_new(format, &run);
}

static struct report_sink *begin_target(struct run_reports *reports, struct target *target)
{
    if (!target->has_parts)
        return begin_report(reports, target->format, target->output);
    const struct report_run run = {.version = reports->plan->version,
                                   .command = reports->plan->command_line,
                                   .timestamp = reports->timestamp,
                                   .write = put_part,
                                   .begin = begin_part,
                                   .context = target};
    return report_sink_new(target->format, &run);
}

/* The last look, as by now all is known that was read. */
static bool spares_input(struct run_reports *reports, const struct run_output *output)
{
    const char *use = output->temporary && is_input(reports, output->path) ? INPUT_OF_RUN : NULL;
    if (use)
        diag_error(&reports->diag, DIAG_FILE_WRITE, NOWHERE,
                   "cannot write '%s', which is %s; give the report another name", output->path,
                   use);
    return !use;
}

/* Standard output is its owner's to end. */
static void end_report(struct run_reports *reports, struct report_sink *sink,
                       struct run_output *output, int status)
{
    int temporary = report_sink_close(sink, status);
    report_sink_free(sink);
    if (temporary)
        diag_error(&reports->diag, DIAG_FILE_WRITE, NOWHERE,
                   "cannot keep a report in a temporary file: %s", strerror(temporary));
    if (!output) /* its parts are ended */
        return;
    if (output->path && !spares_input(reports, output))
        run_output_drop(output);
    else if (output->path)
        run_output_end(output, &reports->diag);
}

struct run_reports *run_reports_open(const struct run_plan *plan, struct run_output *standard,
                                     struct diag *diag)
{
    struct run_reports *reports = base_realloc(NULL, sizeof *reports);
    *reports = (struct run_reports){.plan = plan, .count = plan->report_count};
    time_t now = time(NULL);
    struct tm utc;
    strftime(reports->timestamp, sizeof reports->timestamp, "%Y-%m-%dT%H:%M:%S",
             gmtime_r(&now, &utc));
    bool spared = spares_inputs(plan, diag), open = spared;
    for (uint32_t i = 0; spared && i < reports->count; i++) {
        reports->targets[i] = (struct target){.format = plan->reports[i].format,
                                              .path = plan->reports[i].path,
                                              .certifies = plan->reports[i].certifies,
                                              .output = standard,
                                              .reports = reports};
        struct target *target = &reports->targets[i];
        target->has_parts = target->path && run_folder_is_meant(target->path) && target->format &&
                            report_format_has(target->format, REPORT_PARTS);
        open &= open_target(reports, i, diag);
    }
    if (!open) {
        free_reports(reports);
        return NULL;
    }
    note_named(reports);
    EACH (struct target, target, reports->targets, reports->count)
        if (!target->folder)
            target->sink = begin_target(reports, target);
    return reports;
}

void run_reports_plan(struct run_reports *reports, const struct run_plan *plan)
{
    reports->plan = plan;
    for (uint32_t i = 0; i < reports->count; i++) {
        struct target *target = &reports->targets[i];
        if (target->format == plan->reports[i].format)
            continue;
        report_sink_free(target->sink); /* which has written nothing so far */
        target->format = plan->reports[i].format;
        target->sink = begin_target(reports, target);
    }
}

/* Would a file in a folder destroy what the run reads, or another report? */
static bool spares_others(struct run_reports *reports, const char *path)
{
    const bool input = is_input(reports, path) || same_file(path, reports->plan->policy.known);
    const char *use = input ? INPUT_OF_RUN : NULL;
    if (same_file(path, reports->plan->resume))
        use = RESUMED;
    for (uint32_t i = 0; i < reports->count && !use; i++)
        if (!reports->targets[i].folder && same_place(path, reports->targets[i].path))
            use = "another report";
    if (use)
        diag_error(&reports->diag, DIAG_FILE_WRITE, NOWHERE,
                   "cannot write '%s', which is %s; give the report another folder", path, use);
    return !use;
}

static void end_part(struct target *target)
{
    if (!target->part)
        return;
    run_output_end(&target->file, &target->reports->diag);
    base_free(target->part);
    target->part = NULL;
}

/* What cannot be opened is told, and lacks. */
static void begin_part(void *context, const char *name)
{
    struct target *target = context;
    struct diag *diag = &target->reports->diag;
    SCOPED(strbuf) path = {0};
    const char *why;
    end_part(target);
    strbuf_printf(&path, "%s%s", target->path, name);
    if (!spares_others(target->reports, strbuf_text(&path)))
        return;
    target->part = memcpy(base_realloc(NULL, path.length + 1), path.text, path.length + 1);
    if (run_output_open(&target->file, target->part, &why))
        return;
    diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", target->part, why);
    base_free(target->part);
    target->part = NULL;
}

static void write_file(struct run_reports *reports, struct target *target,
                       struct report_piece *piece, const char *path)
{
    if (!spares_others(reports, path))
        return;
    struct run_output output;
    const char *why;
    if (!run_output_open(&output, path, &why)) {
        diag_error(&reports->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
        return;
    }
    struct report_sink *sink = begin_report(reports, target->format, &output);
    report_sink_add(sink, piece);
    end_report(reports, sink, &output, RUN_EXIT_OK); /* which no such format mentions */
}

/* What an earlier run answered has its files from then. */
static void write_alone(struct run_reports *reports, struct target *target,
                        struct report_piece *piece)
{
    const char *input = report_piece_path(piece);
    if (report_piece_is_empty(piece))
        (void)run_folder_file(target->folder, input, "");
    for (uint32_t i = 0; !report_piece_is_empty(piece) && i < report_piece_parts(piece); i++) {
        struct report_piece *part = report_piece_part(piece, i);
        const char *kind = report_piece_is_words(part) ? "-words" : "";
        write_file(reports, target, part, run_folder_file(target->folder, input, kind));
        report_piece_free(part);
    }
}

void run_reports_add(struct run_reports *reports, const struct run_pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->count; i++) {
        struct target *target = &reports->targets[i];
        if (target->folder)
            write_alone(reports, target, pieces->items[i]);
        else
            report_sink_add(target->sink, pieces->items[i]);
    }
}

void run_reports_interrupt(struct run_reports *reports)
{
    for (uint32_t i = 0; i < reports->count; i++)
        if (!reports->targets[i].folder)
            report_sink_interrupt(reports->targets[i].sink);
}

bool run_reports_close(struct run_reports *reports, int status, struct strbuf *err)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        struct target *target = &reports->targets[i];
        if (!target->folder)
            end_report(reports, target->sink, target->has_parts ? NULL : target->output, status);
        end_part(target);
    }
    bool whole = reports->diag.errors == 0;
    diag_render(&reports->diag, err);
    free_reports(reports);
    return whole;
}
