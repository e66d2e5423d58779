#include "cli/cli_commands.h"

static void check_one(const void *context, const struct run_surroundings *run, const char *path,
                      struct run_result *result)
{
    const struct ask_options *options = context;
    const struct ask_surroundings surroundings = {
        .options = options,
        .run = *run,
        .of_test = options->command == ASK_TRACE ? cli_trace_test : NULL,
        .of_pair = options->command == ASK_EXPLAIN ? cli_explain_pair : NULL};
    ask_check_file(&surroundings, path, result);
}

int cli_plan_run(const struct ask_options *options, struct run_output *out)
{
    const struct run_plan plan = {
        .kind = options->command == ASK_CHECK        ? RUN_ANSWERS
                : options->command == ASK_CROSSCHECK ? RUN_CROSSCHECKS
                                                     : RUN_OTHER,
        .settings = &options->settings,
        .inputs = {options->inputs, options->input_count, options->shard, options->shards},
        .format = options->format,
        .reports = options->reports,
        .report_count = options->report_count,
        .jobs = options->jobs,
        .resume = options->resume,
        .version = CRASHLIT_VERSION,
        .command_line = options->command_line,
        .check = check_one,
        .context = options};
    return run_batch_run(&plan, out);
}
