/* The language server where there are no processes that could answer it: there is none. */
#include "lsp/lsp.h"

#include <stdio.h>

int lsp_serve(const struct ask_options *options, const struct lsp_services *services,
              struct run_output *out)
{
    (void)options;
    (void)services;
    (void)out;
    fputs("crashlit: lsp: there are no processes here\n", stderr);
    return (int)RUN_EXIT_INPUT;
}
