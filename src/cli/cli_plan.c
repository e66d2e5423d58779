#include "base/build.h"
#include "cli/cli_commands.h"

#include "ask/ask_recall.h"
#include "run/run_limits.h"

#include <errno.h>
#include <string.h>

static void check_one(const void *context, const struct run_surroundings *run, const char *path,
                      struct run_result *result)
{
    const struct ask_options *options = context;
    struct ask_options own = *options;
    run_limits_apply(run->limits, path, &own.settings);
    const struct ask_surroundings surroundings = {
        .options = &own,
        .run = *run,
        .of_test = options->command == ASK_TRACE ? cli_trace_test : NULL,
        .of_pair = options->command == ASK_EXPLAIN ? cli_explain_pair : NULL,
        .of_violated =
            options->command == ASK_REFINES || options->explain ? cli_explain_conditions : NULL};
    ask_check_file(&surroundings, path, result);
}

static enum run_kind kind_of(enum ask_command command)
{
    if (ask_command_judges(command))
        return RUN_ANSWERS;
    return command == ASK_CROSSCHECK ? RUN_CROSSCHECKS : RUN_OTHER;
}

/* The folder is there from now on. */
static bool begin_cache(const struct ask_options *options, struct run_cache *cache,
                        struct strbuf *words)
{
    const char *why = options->cache ? ask_recall_refusal(options) : NULL;
    SCOPED(diag) diag = {0};
    if (why)
        run_output_remark("nothing is taken from '%s', or kept there: %s", options->cache, why);
    if (!options->cache || why)
        return true;
    ask_recall_options(options, words);
    *cache = (struct run_cache){options->cache, strbuf_text(words)};
    if (run_cache_begin(cache))
        return true;
    diag_error(&diag, DIAG_FILE_WRITE, NOWHERE, "'%s' cannot be a folder of answers: %s",
               options->cache, strerror(errno));
    run_output_tell(&diag);
    return false;
}

int cli_plan_run(const struct ask_options *options, struct run_output *out)
{
    const struct session_settings *settings = &options->settings;
    const uint32_t sources = settings->source && !settings->mapping; /* they stand in front */
    const struct run_arguments inputs = {
        options->inputs + sources, options->input_count - sources, options->shard,
        options->shards,           settings->memory_mib,           ask_options_choice(options)};
    SCOPED(strbuf) words = {0};
    struct run_cache cache = {NULL, NULL};
    if (!begin_cache(options, &cache, &words))
        return RUN_EXIT_INPUT;
    const struct run_plan plan = {.kind = kind_of(options->command),
                                  .settings = &options->settings,
                                  .inputs = inputs,
                                  .format = options->format,
                                  .brief = options->brief,
                                  .sentences = options->sentences,
                                  .several = options->several,
                                  .quiet = options->quiet && options->format == RUN_TEXT,
                                  .policy = options->policy,
                                  .limits = options->limits,
                                  .reports = options->reports,
                                  .report_count = options->report_count,
                                  .jobs = options->jobs,
                                  .resume = options->resume,
                                  .frozen = options->frozen,
                                  .cache = cache,
                                  .version = base_version,
                                  .command_line = options->command_line,
                                  .check = check_one,
                                  .context = options};
    return run_batch_run(&plan, out);
}
