/* crashlit's command line: reads options and runs the command. */
#include "cli/cli_batch.h"
#include "cli/cli_compare.h"
#include "cli/cli_machines.h"
#include "cli/cli_merge.h"
#include "cli/cli_models.h"
#include "cli/cli_peers.h"

#include <stdio.h>
#include <string.h>

static void print_diag(const struct diag *diag)
{
    struct strbuf text = {0};
    diag_render(diag, &text);
    fputs(strbuf_text(&text), stderr);
    strbuf_fini(&text);
}

typedef enum cli_status cli_command_function(const struct cli_options *options, struct strbuf *out,
                                             struct strbuf *err);

static enum cli_status run_whole(const struct cli_options *options, cli_command_function *command)
{
    struct strbuf out = {0}, err = {0};
    enum cli_status status = command(options, &out, &err);
    fputs(strbuf_text(&out), stdout);
    fputs(strbuf_text(&err), stderr);
    strbuf_fini(&out);
    strbuf_fini(&err);
    return status;
}

typedef void cli_list_function(const struct cli_options *options, struct strbuf *out,
                               struct diag *diag);

static enum cli_status run_list(const struct cli_options *options, cli_list_function *list)
{
    struct strbuf text = {0};
    struct diag diag;
    diag_init(&diag);
    list(options, &text, &diag);
    fputs(strbuf_text(&text), stdout);
    print_diag(&diag);
    enum cli_status status = diag.errors ? CLI_EXIT_INPUT : CLI_EXIT_OK;
    diag_fini(&diag);
    strbuf_fini(&text);
    return status;
}

static int run(const struct cli_options *options)
{
    struct strbuf text = {0};
    switch (options->command) {
    case CLI_CHECK:
    case CLI_CROSSCHECK:
    case CLI_TRACE:
    case CLI_EXPLAIN: return cli_batch_run(options, CRASHLIT_VERSION);
    case CLI_PEERS: return (int)run_whole(options, cli_peers);
    case CLI_COMPARE: return (int)run_whole(options, cli_compare);
    case CLI_MERGE: return (int)run_whole(options, cli_merge);
    case CLI_DIFF: return (int)run_whole(options, cli_diff);
    case CLI_MODELS: return (int)run_list(options, cli_models_list);
    case CLI_MACHINES: return (int)run_list(options, cli_machines_list);
    case CLI_HELP: cli_print_help(&text); break;
    case CLI_VERSION: strbuf_add(&text, "crashlit " CRASHLIT_VERSION "\n"); break;
    }
    fputs(strbuf_text(&text), stdout);
    strbuf_fini(&text);
    return (int)CLI_EXIT_OK;
}

/* As a POSIX shell reads it back: in single quotes unless every character is plain. */
static void add_word(struct strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (*word && word[strspn(word, plain)] == '\0') {
        strbuf_add(out, word);
        return;
    }
    strbuf_add_char(out, '\'');
    for (; *word; word++)
        if (*word == '\'')
            strbuf_add(out, "'\\''");
        else
            strbuf_add_char(out, *word);
    strbuf_add_char(out, '\'');
}

/* Before the options are read, which moves the words about. */
static void join_words(int argc, char **argv, struct strbuf *out)
{
    strbuf_add(out, "crashlit");
    for (int i = 1; i < argc; i++) {
        strbuf_add_char(out, ' ');
        add_word(out, argv[i]);
    }
}

int main(int argc, char **argv)
{
    struct cli_options options;
    struct diag diag;
    struct strbuf command_line = {0};
    struct arena arena; /* of the machine that the options name */
    diag_init(&diag);
    arena_init(&arena);
    join_words(argc, argv, &command_line);
    bool readable =
        cli_options_read(argc, argv, &options, &diag) && cli_machine_load(&arena, &options, &diag);
    options.command_line = strbuf_text(&command_line);
    print_diag(&diag);
    diag_fini(&diag);
    int status = readable ? run(&options) : (int)CLI_EXIT_INPUT;
    strbuf_fini(&command_line);
    arena_fini(&arena);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("crashlit: cannot write to standard output\n", stderr);
        return CLI_EXIT_INTERNAL;
    }
    return status;
}
