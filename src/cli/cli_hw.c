/* `crashlit hw emit` and `hw run`: each test in a worker. The process that began the work writes the
 * files. */
#include "cli/cli_commands.h"
#include "base/build.h"
#include "base/utf8.h"
#include "cli/cli_written.h"
#include "hw/hw_emulate.h"
#include "hw/hw_ptx.h"
#include "run/run_batch.h"
#include "run/run_folder.h"
#include "run/run_limits.h"
#include "session/session_test.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

struct hardware {
    const struct ask_options *options; /* their inputs are the tests */
    bool emits;
    struct run_folder *folder;
    uint64_t done, refused;
};

enum fate { UNREAD, DONE, REFUSED };

/* ---- In a worker ---- */

static void refuse_test(const char *path, enum hw_refusal refusal, struct run_result *result)
{
    SCOPED(strbuf) text = {0};
    utf8_add_name(&text, path);
    strbuf_printf(&text, ": not emitted: %s\n", hw_refusal_text(refusal));
    diag_lines(&result->err, strbuf_text(&text));
}

static struct hw_emulation emulation_of(const struct ask_options *options)
{
    static const char *const flaws[] = {"",
#define X(identifier, word) word,
                                        HW_FLAWS(X)
#undef X
    };
    struct hw_emulation emulation = {.seed = options->seed,
                                     .first = options->launch ? options->launch : 1,
                                     .launches = options->launch ? 1 : options->launches};
    while (options->forget && strcmp(options->forget, flaws[emulation.flaw]) != 0)
        emulation.flaw++;
    emulation.weak = options->weak || emulation.flaw;
    return emulation;
}

/* "emulated", "emulated, weak", "emulated, forgets fences" */
static const char *device_name(struct arena *arena, const struct ask_options *options)
{
    if (options->forget)
        return arena_printf(arena, "emulated, forgets %s", options->forget);
    return options->weak ? "emulated, weak" : "emulated";
}

static enum fate play(const struct ask_options *options, const struct hw_plan *plan,
                      const char *path, const char *text, struct run_result *result)
{
    SCOPED(arena) arena = {0};
    struct hw_result record;
    const struct hw_emulation emulation = emulation_of(options);
    hw_result_begin(&arena, &record, plan, text);
    record.device = device_name(&arena, options);
    record.seed = options->seed;
    const char *why = hw_emulate(&arena, plan, text, &emulation, &record);
    if (why) {
        diag_tell(&result->err, DIAG_CLI_RECORD, NOWHERE, "'%s' has no record: %s", path, why);
        run_result_raise(result, RUN_EXIT_INPUT);
        return UNREAD;
    }
    hw_result_write(&record, &result->out);
    return DONE;
}

static void do_test(const struct hardware *hardware, const struct session_test *test,
                    const char *path, struct run_result *result)
{
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) text = {0};
    struct hw_plan plan;
    enum fate fate = DONE;
    enum hw_refusal refusal = hw_plan_make(&arena, test->program, &plan);
    if (refusal) {
        refuse_test(path, refusal, result);
        pack_number(&result->note, REFUSED);
        return;
    }
    hw_ptx_write(&plan, &text);
    if (!hardware->emits)
        fate = play(hardware->options, &plan, path, strbuf_text(&text), result);
    pack_number(&result->note, fate);
    pack_text(&result->note, strbuf_text(&text));
}

static void one_test(const void *context, const struct run_surroundings *surroundings,
                     const char *path, struct run_result *result)
{
    const struct hardware *hardware = context;
    const struct session_settings settings = cli_as_written(&hardware->options->settings);
    SCOPED(session_test) test;
    (void)session_part_begin(&surroundings->parts);
    session_test_load(&test, &settings, path);
    if (test.program) {
        do_test(hardware, &test, path, result);
    } else {
        diag_render(&test.diag, &result->err);
        run_result_raise(result, RUN_EXIT_INPUT);
    }
}

/* ---- In the process that began the work ---- */

static void take_test(void *context, const char *path, struct run_result *result)
{
    struct hardware *hardware = context;
    struct unpack note = unpack_start(strbuf_text(&result->note), result->note.length);
    enum fate fate = (enum fate)unpack_number(&note);
    SCOPED(diag) diag = {0};
    hardware->refused += fate == REFUSED;
    if (fate != DONE)
        return;
    hardware->done++;
    if (!hardware->emits)
        return;
    size_t length;
    const char *text = unpack_bytes(&note, &length);
    if (!cli_written_file(run_folder_file(hardware->folder, path, ""), text, length, &diag))
        run_result_raise(result, RUN_EXIT_INPUT);
    diag_render(&diag, &result->err);
}

static int end(const struct hardware *hardware, int status)
{
    SCOPED(strbuf) text = {0};
    SCOPED(diag) diag = {0};
    strbuf_printf(&text, "Summary: %" PRIu64 " tests %s, %" PRIu64 " refused\n", hardware->done,
                  hardware->emits ? "emitted" : "played", hardware->refused);
    run_output_say_lines(strbuf_text(&text));
    if (status == RUN_EXIT_OK && !hardware->done) {
        diag_error(&diag, DIAG_CLI_NO_TESTS, NOWHERE, "none of the tests can be emitted");
        status = RUN_EXIT_INPUT;
    }
    run_output_tell(&diag);
    return status;
}

static int each_test(const struct ask_options *options, bool emits, struct run_output *standard)
{
    struct hardware hardware = {.options = options, .emits = emits};
    const struct run_plan plan = {.kind = RUN_OTHER,
                                  .settings = &options->settings,
                                  .inputs = {.items = options->inputs + 1,
                                             .count = options->input_count - 1,
                                             .memory_mib = options->settings.memory_mib,
                                             .choice = ask_options_choice(options)},
                                  .format = RUN_TEXT,
                                  .jobs = options->jobs,
                                  .version = base_version,
                                  .command_line = options->command_line,
                                  .check = one_test,
                                  .context = &hardware,
                                  .take = take_test,
                                  .taker = &hardware};
    if (emits && !(hardware.folder = run_folder_open(options->output, "ptx"))) {
        SCOPED(diag) diag = {0};
        diag_error(&diag, DIAG_FILE_WRITE, NOWHERE, "cannot write into '%s': %s", options->output,
                   strerror(errno));
        run_output_tell(&diag);
        return RUN_EXIT_INPUT;
    }
    int status = run_batch_run(&plan, standard);
    if (emits)
        run_folder_free(hardware.folder);
    return end(&hardware, status);
}

static int judge(const struct ask_options *options, struct run_output *standard)
{
    SCOPED(strbuf) out = {0};
    SCOPED(strbuf) err = {0};
    int status = run_single_run(&options->settings, cli_hw_judge, options, &out, &err);
    run_output_add_lines(standard, &out);
    run_output_say(strbuf_text(&err));
    return status;
}

static int refuse_use(const char *what)
{
    SCOPED(diag) diag = {0};
    diag_error(&diag, DIAG_CLI_USAGE, NOWHERE, "hw: %s", what);
    run_output_tell(&diag);
    return RUN_EXIT_INPUT;
}

int cli_hw_run(const struct ask_options *options, struct run_output *standard)
{
    const char *verb = options->inputs[0];
    bool emits = strcmp(verb, "emit") == 0, judges = strcmp(verb, "judge") == 0;
    if (!emits && !judges && strcmp(verb, "run") != 0)
        return refuse_use("the first word is none of emit, run and judge");
    if (emits != (options->output != NULL))
        return refuse_use("emit wants -o FOLDER/, and nothing else takes it");
    if (judges != (options->judge_count > 0))
        return refuse_use("judge wants a model, -m NAME, and nothing else takes one");
    if (verb[0] != 'r' && (options->weak || options->forget || options->launch))
        return refuse_use("--weak, --forget and --launch are of run");
    return judges ? judge(options, standard) : each_test(options, emits, standard);
}
