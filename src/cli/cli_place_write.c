#include "cli/cli_place_write.h"

#include "cli/cli_written.h"
#include "run/run_folder.h"

#include <errno.h>
#include <string.h>

/* ---- Names ---- */

static const char *folder_of(struct arena *arena, const struct ask_options *options)
{
    const char *path = options->output;
    return arena_printf(arena, "%s%s", path, run_folder_is_meant(path) ? "" : "/");
}

/* Of a filling, from 1, where definition files go with their tests. */
static const char *own_folder(struct arena *arena, const struct ask_options *options,
                              uint64_t filling)
{
    const char *folder = folder_of(arena, options);
    return filling == 1 ? folder
                        : arena_printf(arena, "%s%llu/", folder, (unsigned long long)filling);
}

/* ---- In the worker ---- */

/* Does a test name the definition file with a folder before it? It would look for it there. */
static bool is_named_elsewhere(const struct sketch *sketch, struct arena *arena, const char *base)
{
    const char *words = arena_printf(arena, "/%s\"", base);
    return ANY(i, sketch->given_count, strstr(sketch->files[i]->text, words));
}

/* "sub/log.ptx": without a way up, to the root, or an empty part. */
static bool is_below(const char *path)
{
    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        if (length == 0 || (length == 2 && memcmp(path, "..", 2) == 0) ||
            (path[length] == '/' && !path[length + 1]))
            return false;
    }
    return true;
}

/* What the path is as seen from the folder of the tests, if it is below that; NULL: it is not, or
 * they have several folders. */
static const char *below_tests(const struct sketch *sketch, const char *path)
{
    const char *test = sketch->files[0]->path;
    const size_t folder = (size_t)(source_file_name(test) - test);
    for (uint32_t i = 1; i < sketch->given_count; i++) {
        const char *other = sketch->files[i]->path;
        if ((size_t)(source_file_name(other) - other) != folder || memcmp(other, test, folder) != 0)
            return NULL;
    }
    return strncmp(path, test, folder) == 0 && is_below(path + folder) ? path + folder : NULL;
}

/* The name by which a file is written into a folder: as the tests name what is below theirs. */
static const char *name_in_folder(const struct sketch *sketch, struct arena *arena, uint32_t file)
{
    const char *path = sketch->files[file]->path, *base = source_file_name(path);
    if (file < sketch->given_count || !is_named_elsewhere(sketch, arena, base))
        return base;
    const char *below = below_tests(sketch, path);
    return below && strchr(below, '/') ? below : NULL;
}

static const struct source *same_base(const struct sketch *sketch, uint32_t file)
{
    for (uint32_t i = 0; i < file; i++)
        if (strcmp(source_file_name(sketch->files[i]->path),
                   source_file_name(sketch->files[file]->path)) == 0)
            return sketch->files[i];
    return NULL;
}

bool cli_place_may_write(const struct ask_options *options, const struct sketch *sketch,
                         struct diag *diag)
{
    bool together = sketch->file_count > sketch->given_count;
    for (uint32_t i = 0; i < sketch->file_count && options->output && together; i++) {
        const struct source *file = sketch->files[i], *same = same_base(sketch, i);
        if (same)
            diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                       "-o cannot write '%s' and '%s' beside one another: rename one, or leave -o "
                       "away and take what fills them from the answer",
                       same->name, file->name);
        else if (!name_in_folder(sketch, &diag->arena, i))
            diag_error(diag, DIAG_CLI_USAGE, NOWHERE,
                       "-o writes '%s', which is changed, beside the tests, and a test names it "
                       "with a folder before it, and not all have that folder: move it beside them",
                       file->name);
    }
    return diag->errors == 0;
}

const char *const *cli_place_keep(struct cli_place_written *written, const struct changes *changes)
{
    const struct sketch *sketch = written->sketch;
    const char **paths = ARENA_ARRAY(written->arena, const char *, sketch->file_count);
    bool together = sketch->file_count > sketch->given_count;
    uint32_t filling = ++written->fillings;
    if (!together && !written->names)
        written->names = run_folder_new(folder_of(written->arena, written->options), "litmus");
    const char *folder = own_folder(written->arena, written->options, filling);
    for (uint32_t f = 0; f < sketch->file_count; f++) {
        const char *path = sketch->files[f]->path;
        const char *name = together ? name_in_folder(sketch, written->arena, f) : path;
        paths[f] = together
                       ? arena_printf(written->arena, "%s%s", folder, name)
                       : arena_strdup(written->arena, run_folder_file(written->names, path, ""));
        pack_number(&written->files, filling);
        pack_text(&written->files, name);
        pack_bytes(&written->files, changes[f].text, changes[f].length);
        written->count++;
    }
    return paths;
}

void cli_place_pack(struct cli_place_written *written, struct strbuf *out)
{
    const struct sketch *sketch = written->sketch;
    uint32_t files = sketch ? sketch->file_count : 0, given = sketch ? sketch->given_count : 0;
    pack_number(out, files > given);
    pack_number(out, files);
    for (uint32_t f = 0; f < files; f++)
        pack_text(out, sketch->files[f]->path);
    pack_number(out, written->count);
    strbuf_add_bytes(out, strbuf_text(&written->files), written->files.length);
    strbuf_fini(&written->files);
    if (written->names)
        run_folder_free(written->names);
}

/* ---- In this process ---- */

struct file {
    const char *folder, *path, *text; /* folder NULL: it is there */
    size_t length;
};

struct writing {
    struct arena arena;
    const struct ask_options *options;
    bool together;
    VEC(struct file) reports; /* of the options */
    VEC(const char *) read;   /* files that the worker read, besides those of the options */
    struct run_folder *names;
    struct diag *diag;
};

static struct file next_file(struct writing *w, struct unpack *from)
{
    uint64_t filling = unpack_number(from);
    const char *name = unpack_copy(from, &w->arena);
    struct file file = {.folder = folder_of(&w->arena, w->options)};
    if (w->together) {
        BASE_CHECK(*name && is_below(name));
        file.folder = own_folder(&w->arena, w->options, filling);
        file.path = arena_printf(&w->arena, "%s%s", file.folder, name);
    } else
        file.path = arena_strdup(&w->arena, run_folder_file(w->names, name, ""));
    file.text = unpack_bytes(from, &file.length);
    return file;
}

/* No filled file takes the place of what was read. */
static bool is_input(const struct writing *w, const char *path)
{
    const struct session_settings *settings = &w->options->settings;
    const char *const others[] = {settings->model, settings->persistency, settings->machine,
                                  w->options->weights};
    bool is = false;
    for (uint32_t i = 0; i < w->options->input_count; i++)
        is |= source_same_file(path, w->options->inputs[i]);
    for (uint32_t i = 0; i < settings->uses_count; i++)
        is |= source_same_file(path, settings->uses[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        is |= source_same_file(path, others[i]);
    for (size_t i = 0; i < w->read.count; i++)
        is |= source_same_file(path, w->read.items[i]);
    return is;
}

/* The folder, and those below it that lead to the file. */
static bool make_folders(struct writing *w, const struct file *file)
{
    bool made = run_folder_make(file->folder);
    const char *at = file->path + strlen(file->folder);
    for (; made && (at = strchr(at, '/')); at++)
        made = run_folder_make(arena_strndup(&w->arena, file->path, (size_t)(at - file->path)));
    return made;
}

static void write_file(struct writing *w, const struct file *file)
{
    if (!file->folder || make_folders(w, file))
        cli_written_file(file->path, file->text, file->length, w->diag);
    else
        diag_error(w->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", file->folder,
                   strerror(errno));
}

static void write_all(struct writing *w, uint64_t count, struct unpack *from)
{
    VEC(struct file) files = {NULL, 0, 0};
    for (uint64_t i = 0; i < w->reports.count + count && !from->short_of_bytes; i++) {
        const struct file file = i < w->reports.count ? w->reports.items[i] : next_file(w, from);
        VEC_PUSH(&files, file);
        if (is_input(w, file.path))
            diag_error(w->diag, DIAG_FILE_WRITE, NOWHERE,
                       "cannot write '%s': it is an input; nothing is written", file.path);
    }
    if (count && !w->diag->errors && !run_folder_make(folder_of(&w->arena, w->options)))
        diag_error(w->diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s",
                   w->options->output, strerror(errno));
    for (size_t i = 0; i < files.count && !w->diag->errors; i++)
        write_file(w, &files.items[i]);
    VEC_FREE(&files);
}

void cli_place_write(const struct ask_options *options, struct unpack *from, struct diag *diag)
{
    struct writing w = {.options = options, .diag = diag};
    for (uint32_t i = 0; i < options->report_count; i++) {
        struct file report = {.path = options->reports[i].path};
        if (!report.path) /* it was printed */
            continue;
        report.text = unpack_bytes(from, &report.length);
        VEC_PUSH(&w.reports, report);
    }
    w.together = unpack_number(from);
    for (uint64_t files = unpack_number(from); files > 0 && !from->short_of_bytes; files--)
        VEC_PUSH(&w.read, unpack_copy(from, &w.arena));
    uint64_t count = unpack_number(from);
    if (options->output)
        w.names = run_folder_new(folder_of(&w.arena, options), "litmus");
    write_all(&w, count, from);
    if (w.names)
        run_folder_free(w.names);
    VEC_FREE(&w.reports);
    VEC_FREE(&w.read);
    arena_fini(&w.arena);
}
