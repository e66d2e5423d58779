/* `crashlit list --format tex`: tests as papers print them. */
#include "cli/cli_commands.h"
#include "document/report_listing.h"
#include "litmus/lit_parse.h"
#include "picture/report_tex.h"

/* Diagnostics point into the arena. */
static void add_test(struct arena *arena, const struct ask_options *options, const char *path,
                     struct strbuf *out, struct diag *diag)
{
    const struct arena_mark mark = arena_mark(arena);
    const size_t told = diag->entries.count;
    struct intern *names = intern_new();
    const struct lit_surroundings surroundings = {.reach = &options->settings.reach,
                                                  .folder = reach_folder(arena, path),
                                                  .models_named = true};
    const char *why = NULL;
    const struct source *source = source_load(arena, path, &why);
    const struct ast_test *tree;
    const struct lit_program *program =
        source ? lit_parse_tree(arena, names, source, &surroundings, diag, &tree) : NULL;
    if (program)
        report_listing_tex(program, tree, out);
    else if (!source)
        diag_error(diag, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", path, why);
    intern_free(names);
    if (diag->entries.count == told)
        arena_rewind(arena, mark);
}

void cli_list_tests(struct arena *arena, const struct run_inputs *inputs,
                    const struct ask_options *options, struct strbuf *out, struct diag *diag)
{
    report_tex_begin(REPORT_TEX_LISTINGS, out);
    for (size_t i = 0; i < inputs->count; i++)
        add_test(arena, options, inputs->paths[i], out, diag);
    report_tex_end(out);
}
