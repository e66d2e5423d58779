/* crashlit's command line: reads options and runs the command. */
#include "base/build.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/cli_commands.h"
#include "cli/cli_generate.h"
#include "cli/cli_place.h"
#include "cli/cli_stream.h"
#include "lsp/lsp.h"
#include "report/report_string.h"
#include "run/run_merge.h"
#include "run/run_pool.h"
#include "run/run_sandbox.h"
#include "run/run_single.h"
#include "session/session_machines.h"
#include "session/session_solver.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static void print_whole(struct strbuf *out, struct strbuf *err, struct run_output *standard)
{
    run_output_add_lines(standard, out);
    run_output_say(strbuf_text(err));
    strbuf_fini(out);
    strbuf_fini(err);
}

static enum run_diff_format diff_format(const char *word)
{
    static const char *const words[] = {"text", "json", "md", "junit"};
    int format = RUN_DIFF_TEXT;
    for (int i = RUN_DIFF_TEXT; word && i <= RUN_DIFF_JUNIT; i++)
        format = strcmp(word, words[i]) == 0 ? i : format;
    return (enum run_diff_format)format;
}

/* Of records alone. No worker reads them: this process has the guards of one, and no use for what
 * they keep from it, unless it writes files. */
static int run_records(const struct ask_options *options, struct run_output *standard)
{
    const struct run_patterns may_go = {options->may_go.items, options->may_go.count};
    const struct run_plan plan = {.settings = &options->settings,
                                  .inputs = {.items = options->inputs,
                                             .count = options->input_count,
                                             .choice = ask_options_choice(options)},
                                  .format = options->format,
                                  .brief = true,
                                  .sentences = options->sentences,
                                  .reports = options->reports,
                                  .report_count = options->report_count,
                                  .policy = options->policy,
                                  .in_order = options->command == ASK_REPORT,
                                  .command_line = options->command_line};
    const bool writes = ANY(i, options->report_count, options->reports[i].path != NULL);
    struct strbuf out = {0}, err = {0};
    sigset_t usual;
    if (writes)
        run_pool_hold_signals(&usual); /* an interrupt cuts no report off */
    else
        (void)run_sandbox_enter(NULL);
    enum run_status status = options->command == ASK_DIFF
                                 ? run_diff(options->inputs[0], options->inputs[1], &may_go,
                                            diff_format(options->shape), &out, &err)
                                 : run_merge(&plan, options->manifest, standard, &err);
    if (options->command == ASK_DIFF && options->format != RUN_TEXT) {
        run_output_add_text(standard, &out);
        strbuf_clear(&out);
    }
    print_whole(&out, &err, standard);
    if (writes)
        sigprocmask(SIG_SETMASK, &usual, NULL);
    return (int)status;
}

static int run_single(const struct ask_options *options, run_single_command *command,
                      struct run_output *standard)
{
    struct strbuf out = {0}, err = {0};
    int status = run_single_run(&options->settings, command, options, &out, &err);
    print_whole(&out, &err, standard);
    return status;
}

/* What is wrong may lie in what the arena holds. Files of the user's are among what is listed, and
 * the text has no verdicts to paint. */
static enum run_status run_list(const struct ask_options *options, cli_list *list,
                                struct run_output *standard)
{
    SCOPED(strbuf) text = {0}, shown = {0};
    SCOPED(arena) arena = {0};
    SCOPED(diag) diag = {0};
    (void)run_sandbox_enter(NULL);
    list(&arena, options, &text, &diag);
    utf8_add_lines(&shown, strbuf_text(&text), text.length);
    run_output_add_text(standard, &shown);
    run_output_tell(&diag);
    return diag.errors ? RUN_EXIT_INPUT : RUN_EXIT_OK;
}

/* It reads nothing that could be a stranger's, and has to find out what workers are under. */
static enum run_status print_version(const struct ask_options *options, struct run_output *standard)
{
    SCOPED(strbuf) text = {0};
    if (options->format == RUN_JSON) {
        cli_list_record("crashlit", "", &text);
        emit_string(&text, "version", base_version);
        emit_string(&text, "commit", *base_commit ? base_commit : NULL);
        emit_string(&text, "build", base_build);
        strbuf_add(&text, "}\n");
    } else {
        strbuf_printf(&text, "crashlit %s\n", base_version);
    }
    if (options->verbose && options->format != RUN_JSON) {
        strbuf_printf(&text, "commit: %s\nsources: %s\n",
                      *base_commit ? base_commit : "not known, as it was built without git",
                      base_build);
        session_solver_describe(&text);
        run_sandbox_describe(&text);
    }
    run_output_add_text(standard, &text);
    return RUN_EXIT_OK;
}

static int serve(const struct ask_options *options, struct run_output *standard)
{
    static const struct lsp_services services = {.explain = cli_explain_pair};
    return lsp_serve(options, &services, standard);
}

static int run_command(const struct ask_options *options, struct run_output *out)
{
    switch (options->command) {
    case ASK_CHECK:
    case ASK_CROSSCHECK:
    case ASK_REFINES:
    case ASK_TRACE:
    case ASK_EXPLAIN: return cli_plan_run(options, out);
    case ASK_BLESS: return cli_bless_run(options, out);
    case ASK_PLACE: return cli_place_run(options, out);
    case ASK_GENERATE:
        return cli_shape_is_asked(options) ? cli_shape_run(options, out)
                                           : cli_generate_run(options, out);
    case ASK_PEERS: return run_single(options, cli_peers, out);
    case ASK_COMPARE: return cli_compare_run(options, out);
    case ASK_DISTINGUISH: return cli_distinguish_run(options, out);
    case ASK_MUTATE: return cli_mutate_run(options, out);
    case ASK_REVIEW: return cli_review_run(options, out);
    case ASK_LATTICE: return cli_lattice_run(options, out);
    case ASK_HW: return cli_hw_run(options, out);
    case ASK_LESSON: return cli_lesson_run(options, out);
    case ASK_REPORT:
    case ASK_MERGE:
    case ASK_DIFF: return run_records(options, out);
    case ASK_LIST: return (int)run_list(options, cli_list_files, out);
    case ASK_MAP: return (int)run_list(options, cli_map, out);
    case ASK_MAPPINGS: return (int)run_list(options, cli_list_mappings, out);
    case ASK_MODELS: return (int)run_list(options, cli_list_models, out);
    case ASK_CITE: return (int)run_list(options, cli_cite, out);
    case ASK_MACHINES: return (int)run_list(options, cli_list_machines, out);
    case ASK_LSP: return serve(options, out);
    case ASK_HELP: return (int)run_list(options, cli_help, out);
    case ASK_VERSION: return (int)print_version(options, out);
    case ASK_COMMAND_COUNT: break;
    }
    return (int)RUN_EXIT_INTERNAL;
}

static bool takes_stream(enum ask_command command)
{
    return command == ASK_CHECK || command == ASK_CROSSCHECK || command == ASK_EXPLAIN ||
           command == ASK_COMPARE;
}

static int run_with_output(struct ask_options *options, struct run_output *out)
{
    struct cli_stream stream;
    SCOPED(diag) diag = {0};
    if (!takes_stream(options->command))
        return run_command(options, out);
    bool open = cli_stream_open(&stream, options, &diag);
    run_output_tell(&diag);
    int status = open ? run_command(options, out) : (int)RUN_EXIT_INPUT;
    cli_stream_close(&stream);
    return status;
}

/* Before the options are read, which moves the words about. */
static void join_words(int argc, char **argv, struct strbuf *out)
{
    strbuf_add(out, "crashlit");
    for (int i = 1; i < argc; i++) {
        strbuf_add_char(out, ' ');
        report_shell_word(out, argv[i]);
    }
}

/* Nothing that was to be printed may be missing with status 0. */
static int end_output(struct run_output *out, int status)
{
    SCOPED(diag) diag = {0};
    run_output_end(out, &diag);
    run_output_tell(&diag);
    if (diag.errors && status < (int)RUN_EXIT_INPUT)
        status = (int)RUN_EXIT_INPUT;
    return status;
}

/* A file that is opened later must not get the number of a standard stream that is closed, as what
 * is meant for that would be in it. Nothing can be written to what stands there instead. */
static void hold_streams(void)
{
    int file;
    do
        file = open("/dev/null", O_RDONLY);
    while (file >= 0 && file <= STDERR_FILENO);
    if (file >= 0)
        close(file);
}

/* A write past the limit on the size of files then fails as one to a full disk does, and is told.
 */
static void outlive_file_limit(void)
{
    (void)signal(SIGXFSZ, SIG_IGN);
}

/* In less this process ends at its first deep call, without a word. */
static bool stack_is_enough(void)
{
    enum { LEAST_KIB = 256 };
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= (rlim_t)LEAST_KIB * 1024)
        return true;
    fprintf(stderr,
            "crashlit: the stack is limited to %lu KiB, expected %d at least: ulimit -s %d\n",
            (unsigned long)(limit.rlim_cur / 1024), LEAST_KIB, LEAST_KIB);
    return false;
}

/* A solver gives its memory back test by test. What the system takes of that has to be had again
 * for the next one, page by page, which costs as much as the solving: so the process keeps it. */
static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest there is; setting either fixes both */
#endif
}

/* As COLUMNS says, or the terminal. */
static uint32_t terminal_columns(void)
{
    enum { USUAL = 80, MOST = 10000 };
    const char *given = getenv("COLUMNS");
    long columns = given ? strtol(given, NULL, 10) : 0;
    struct winsize size;
    if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    return columns <= 0 ? USUAL : columns > MOST ? MOST : (uint32_t)columns;
}

/* Nothing was asked, which is wrong usage, and how to ask. */
static int say_how_to_ask(struct run_output *out)
{
    SCOPED(strbuf) text = {0};
    SCOPED(arena) arena = {0};
    cli_help_brief(&arena, &text);
    run_output_add_text(out, &text);
    return end_output(out, (int)RUN_EXIT_INPUT);
}

/* trace chooses one for each test. */
static bool load_machine(struct arena *arena, struct ask_options *options, struct diag *diag)
{
    return (options->command == ASK_TRACE && !options->settings.machine) ||
           session_machine_load(arena, &options->settings, diag);
}

int main(int argc, char **argv)
{
    hold_streams();
    outlive_file_limit();
    if (!stack_is_enough())
        return (int)RUN_EXIT_INPUT;
    keep_freed_memory();
    struct ask_options options = {.color = NULL};
    SCOPED(diag) diag = {0};
    SCOPED(strbuf) command_line = {0};
    struct arena arena; /* of the machine that the options name */
    struct run_output out = {.file = stdout};
    if (argc < 2)
        return say_how_to_ask(&out);
    arena_init(&arena);
    join_words(argc, argv, &command_line);
    bool readable =
        ask_options_read(argc, argv, &options, &diag) && load_machine(&arena, &options, &diag);
    options.command_line = strbuf_text(&command_line);
    run_paint_ask(options.color);
    if (options.messages && strcmp(options.messages, "json") == 0)
        diag_render_json();
    options.columns = terminal_columns();
    out.painted = options.format == RUN_TEXT && run_paint_is_wanted(STDOUT_FILENO);
    run_output_tell(&diag);
    int status = readable ? run_with_output(&options, &out) : (int)RUN_EXIT_INPUT;
    arena_fini(&arena);
    return end_output(&out, status);
}
