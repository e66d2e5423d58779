#include "cli/cli_shape.h"

#include "run/run_folder.h"
#include "run/run_output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 200 }; /* that is a file's name as it is */

struct made {
    const char *name, *text;
    size_t length;
};

static struct made next_made(struct arena *arena, struct unpack *from)
{
    size_t length;
    const char *name = unpack_bytes(from, &length);
    struct made made = {.name = arena_strndup(arena, name, length)};
    made.text = unpack_bytes(from, &made.length);
    return made;
}

/* ---- The folder ---- */

static bool write_file(const char *path, const char *text, size_t length, struct diag *diag)
{
    struct run_output output = {.path = NULL};
    const char *why;
    if (!run_output_open(&output, path, &why)) {
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write '%s': %s", path, why);
        return false;
    }
    run_output_add(&output, text, length);
    run_output_end(&output, diag);
    return diag->errors == 0;
}

/* A name that is too long for a file ends with a digest of the whole. */
static const char *file_name(struct arena *arena, const char *name)
{
    if (strlen(name) <= LONGEST_NAME)
        return arena_printf(arena, "%s.litmus", name);
    const struct source *source = source_from_text(arena, name, name, strlen(name));
    return arena_printf(arena, "%.*s-%016llx.litmus", LONGEST_NAME - 17, name,
                        (unsigned long long)source_digest(0, source));
}

static void write_folder(const struct ask_options *options, struct unpack *from, uint64_t count,
                         struct diag *diag)
{
    struct arena arena;
    struct strbuf manifest = {0};
    bool is_folder = run_folder_is_meant(options->output);
    arena_init(&arena);
    const char *folder = arena_printf(&arena, "%s%s", options->output, is_folder ? "" : "/");
    bool fine = run_folder_make(folder);
    if (!fine)
        diag_error(diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", folder,
                   strerror(errno));
    strbuf_printf(&manifest, "# %s\n", options->command_line);
    for (uint64_t i = 0; i < count && !from->short_of_bytes; i++) {
        struct arena_mark mark = arena_mark(&arena);
        const struct made made = next_made(&arena, from);
        const char *name = file_name(&arena, made.name);
        strbuf_printf(&manifest, "%s\n", name);
        fine = fine &&
               write_file(arena_printf(&arena, "%s%s", folder, name), made.text, made.length, diag);
        arena_rewind(&arena, mark);
    }
    if (fine)
        (void)write_file(arena_printf(&arena, "%smanifest", folder), strbuf_text(&manifest),
                         manifest.length, diag);
    strbuf_fini(&manifest);
    arena_fini(&arena);
}

void cli_shape_write(const struct ask_options *options, struct unpack *from,
                     struct run_output *standard, struct diag *diag)
{
    struct strbuf summary = {0};
    struct arena arena;
    uint64_t count = unpack_number(from);
    arena_init(&arena);
    if (options->output && count)
        write_folder(options, from, count, diag);
    for (uint64_t i = 0; !options->output && i < count && !from->short_of_bytes; i++) {
        struct arena_mark mark = arena_mark(&arena);
        const struct made made = next_made(&arena, from);
        run_output_add(standard, made.text, made.length);
        arena_rewind(&arena, mark);
    }
    unpack_text(from, &summary);
    if (count)
        fputs(strbuf_text(&summary), stderr);
    else
        run_output_add_text(standard, &summary);
    strbuf_fini(&summary);
    arena_fini(&arena);
}
