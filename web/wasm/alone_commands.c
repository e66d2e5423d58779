/* Commands that a page does not ask: those that search programs, that read other runs' records or
 * other people's suites, and the language server, which needs processes. Without them the page is a
 * tenth smaller. */
#include "cli/cli_commands.h"
#include "cli/cli_generate.h"
#include "lsp/lsp.h"
#include "run/run_merge.h"

#include <stdio.h>

static int refuse(const char *command)
{
    fprintf(stderr, "crashlit: %s: this build, which is for pages, has no such command\n", command);
    return (int)RUN_EXIT_INPUT;
}

int lsp_serve(const struct ask_options *options, const struct lsp_services *services,
              struct run_output *out)
{
    (void)options;
    (void)services;
    (void)out;
    return refuse("lsp");
}

#define REFUSED(function, command)                                          \
    int function(const struct ask_options *options, struct run_output *out) \
    {                                                                       \
        (void)options;                                                      \
        (void)out;                                                          \
        return refuse(command);                                             \
    }
REFUSED(cli_generate_run, "generate")
REFUSED(cli_shape_run, "generate")
REFUSED(cli_distinguish_run, "distinguish")
REFUSED(cli_lattice_run, "lattice")
REFUSED(cli_lesson_run, "lesson")

bool cli_shape_is_asked(const struct ask_options *options)
{
    (void)options;
    return false;
}

enum run_status cli_peers(const void *context, struct session_parts parts, struct strbuf *out,
                          struct strbuf *err)
{
    (void)context;
    (void)parts;
    (void)out;
    (void)err;
    return (enum run_status)refuse("peers");
}

enum run_status run_merge(const struct run_arguments *files, const char *manifest,
                          const struct reach *reach, struct strbuf *out, struct strbuf *err)
{
    (void)files;
    (void)manifest;
    (void)reach;
    (void)out;
    (void)err;
    return (enum run_status)refuse("merge");
}

enum run_status run_diff(const char *old, const char *new, struct strbuf *out, struct strbuf *err)
{
    (void)old;
    (void)new;
    (void)out;
    (void)err;
    return (enum run_status)refuse("diff");
}
