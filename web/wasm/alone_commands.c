/* Commands that a page does not ask: those that search programs, that map them, that read other runs' records or
 * other people's suites, and the language server, which needs processes. Without them the page is a
 * tenth smaller. */
#include "cli/cli_commands.h"
#include "cli/cli_generate.h"
#include "cli/cli_rules.h"
#include "generate/gen_vocabularies.h"
#include "lsp/lsp.h"
#include "mapping/mapping.h"
#include "run/run_frozen.h"
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
REFUSED(cli_mutate_run, "mutate")
REFUSED(cli_review_run, "review")
REFUSED(cli_lesson_run, "lesson")
REFUSED(cli_bless_run, "bless")
REFUSED(cli_hw_run, "hw")

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

enum run_status run_merge(const struct run_plan *plan, const char *manifest, struct run_output *out,
                          struct strbuf *err)
{
    (void)manifest;
    (void)out;
    (void)err;
    return (enum run_status)refuse(plan->in_order ? "report" : "merge");
}

enum run_status run_diff(const char *old, const char *new, const struct run_patterns *may_go,
                         enum run_diff_format format, struct strbuf *out, struct strbuf *err)
{
    (void)old;
    (void)new;
    (void)may_go;
    (void)format;
    (void)out;
    (void)err;
    return (enum run_status)refuse("diff");
}

bool run_frozen_read(struct run_frozen *frozen, const char *path, uint32_t memory_mib,
                     struct diag *diag)
{
    (void)frozen;
    (void)path;
    (void)memory_mib;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "this build, which is for pages, has no --frozen");
    return false;
}

const char *run_frozen_fault(const struct run_frozen *frozen, struct arena *arena,
                             const struct session_settings *settings,
                             const struct lit_program *program, const struct session_pair *pair,
                             const struct cat_model *model)
{
    (void)frozen;
    (void)arena;
    (void)settings;
    (void)program;
    (void)pair;
    (void)model;
    return NULL;
}

void run_frozen_fini(struct run_frozen *frozen)
{
    (void)frozen;
}

void cli_list_tests(struct arena *arena, const struct run_inputs *inputs,
                    const struct ask_options *options, struct strbuf *out, struct diag *diag)
{
    (void)arena;
    (void)inputs;
    (void)options;
    (void)out;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "this build, which is for pages, has no LaTeX");
}

void cli_rules_add(struct cli_rules *rules, const struct cat_sources *sources)
{
    (void)rules;
    (void)sources;
}

void cli_rules_write(struct cli_rules *rules, struct strbuf *out)
{
    (void)rules;
    (void)out;
    (void)refuse("models --format tex");
}

void cli_cite(struct arena *arena, const struct ask_options *options, struct strbuf *out,
              struct diag *diag)
{
    (void)arena;
    (void)options;
    (void)out;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "cite: this build, which is for pages, has no such command");
}

/* Who names a mapping is told so; without one nothing is mapped. */
const struct source_builtin map_builtins[] = {{NULL, NULL, 0}};
const size_t map_builtin_count = 0;

static const struct mapping *refuse_mapping(struct diag *diag)
{
    diag_error(diag, DIAG_LIT_MAPPING, NOWHERE, "this build, which is for pages, has no mappings");
    return NULL;
}

const struct mapping *mapping_load(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *name, struct diag *diag)
{
    (void)arena;
    (void)names;
    (void)reach;
    (void)name;
    return refuse_mapping(diag);
}

const struct mapping *mapping_read(struct arena *arena, struct intern *names,
                                   const struct reach *reach, const char *folder,
                                   const struct source *source, struct diag *diag)
{
    (void)arena;
    (void)names;
    (void)reach;
    (void)folder;
    (void)source;
    return refuse_mapping(diag);
}

bool mapping_apply(struct arena *arena, struct intern *names, const struct mapping *mapping,
                   const struct source *source, const struct lit_surroundings *surroundings,
                   struct diag *diag, struct lit_mapped *mapped)
{
    (void)arena;
    (void)names;
    (void)mapping;
    (void)source;
    (void)surroundings;
    (void)mapped;
    return refuse_mapping(diag);
}

size_t gen_vocabulary_names(struct arena *arena, const char **names)
{
    (void)arena;
    (void)names;
    return 0;
}
