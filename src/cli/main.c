/* crashlit's command line: reads options, checks each file (several at a time with
 * --jobs), and prints results in the order of the inputs whatever finished first. */
#include "cli/cli_check.h"
#include "cli/cli_compare.h"
#include "cli/cli_inputs.h"
#include "cli/cli_merge.h"
#include "cli/cli_peers.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CRASHLIT_VERSION "0.1"

struct batch {
    const struct cli_options *options;
    struct cli_models *models;
    struct cli_inputs inputs;
    struct cli_reports *reports;
    struct cli_result *results;
    bool *done;
    size_t next;
    pthread_mutex_t lock;
    pthread_cond_t finished;
};

static void *work(void *context)
{
    struct batch *batch = context;
    pthread_mutex_lock(&batch->lock);
    while (batch->next < batch->inputs.count) {
        size_t mine = batch->next++;
        pthread_mutex_unlock(&batch->lock);
        cli_check_file(batch->options, batch->models, batch->inputs.paths[mine],
                       &batch->results[mine]);
        pthread_mutex_lock(&batch->lock);
        batch->done[mine] = true;
        pthread_cond_signal(&batch->finished);
    }
    pthread_mutex_unlock(&batch->lock);
    return NULL;
}

static void print(const struct batch *batch, struct cli_result *result)
{
    cli_reports_add(batch->reports, &result->pieces);
    fputs(strbuf_text(&result->out), stdout);
    fflush(stdout);
    for (size_t i = 0; i < result->models.count; i++) {
        struct cli_model *model = result->models.items[i];
        if (!model->shown)
            fputs(model->faults, stderr);
        model->shown = true;
    }
    fputs(strbuf_text(&result->err), stderr);
}

struct totals {
    enum cli_status status;
    size_t as_expected, otherwise, unread;
    size_t accords[CLI_DISAGREE + 1];
};

static void account(struct totals *totals, struct cli_result *result)
{
    if (result->status > totals->status)
        totals->status = result->status;
    totals->as_expected += result->as_expected;
    totals->otherwise += result->otherwise;
    for (int accord = CLI_AGREE; accord <= CLI_DISAGREE; accord++)
        totals->accords[accord] += result->accords[accord];
    totals->unread += result->status == CLI_EXIT_INPUT;
}

static void collect(struct batch *batch, struct totals *totals)
{
    for (size_t i = 0; i < batch->inputs.count; i++) {
        pthread_mutex_lock(&batch->lock);
        while (!batch->done[i])
            pthread_cond_wait(&batch->finished, &batch->lock);
        pthread_mutex_unlock(&batch->lock);
        print(batch, &batch->results[i]);
        account(totals, &batch->results[i]);
        cli_result_fini(&batch->results[i]);
    }
}

/* With one job the files are checked right here, one after the other. */
static void run_serially(struct batch *batch, struct totals *totals)
{
    for (size_t i = 0; i < batch->inputs.count; i++) {
        struct cli_result result;
        cli_check_file(batch->options, batch->models, batch->inputs.paths[i], &result);
        print(batch, &result);
        account(totals, &result);
        cli_result_fini(&result);
    }
}

static void run_in_parallel(struct batch *batch, struct totals *totals)
{
    size_t count = batch->options->jobs;
    if (count > batch->inputs.count)
        count = batch->inputs.count;
    pthread_t *workers = base_realloc(NULL, count * sizeof *workers);
    batch->results = base_realloc(NULL, batch->inputs.count * sizeof *batch->results);
    batch->done = base_realloc(NULL, batch->inputs.count * sizeof *batch->done);
    for (size_t i = 0; i < batch->inputs.count; i++)
        batch->done[i] = false;
    pthread_mutex_init(&batch->lock, NULL);
    pthread_cond_init(&batch->finished, NULL);
    for (size_t i = 0; i < count; i++)
        if (pthread_create(&workers[i], NULL, work, batch) != 0)
            base_die("cannot start a thread");
    collect(batch, totals);
    for (size_t i = 0; i < count; i++)
        pthread_join(workers[i], NULL);
    pthread_cond_destroy(&batch->finished);
    pthread_mutex_destroy(&batch->lock);
    free(batch->done);
    free(batch->results);
    free(workers);
}

static void print_diag(const struct diag *diag)
{
    struct strbuf text = {0};
    diag_render(diag, &text);
    fputs(strbuf_text(&text), stderr);
    strbuf_fini(&text);
}

/* Tells a test runner that sharding was honoured. */
static void touch_shard_status_file(const struct cli_options *options, struct diag *diag)
{
    const char *path = getenv("TEST_SHARD_STATUS_FILE");
    if (!options->shards || !path)
        return;
    FILE *file = fopen(path, "a");
    if (!file || fclose(file) != 0)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, (struct span){NULL, 0, 0, 0, 0},
                   "TEST_SHARD_STATUS_FILE names '%s', which cannot be written: %s", path,
                   strerror(errno));
}

static void print_summary(const struct cli_options *options, const struct totals *totals)
{
    const size_t *accords = totals->accords;
    if (options->command == CLI_CROSSCHECK)
        printf("Summary: %zu agree, %zu disagree, %zu not compared, %zu files with errors\n",
               accords[CLI_AGREE], accords[CLI_DISAGREE], accords[CLI_NOT_COMPARED],
               totals->unread);
    else if (options->format == CLI_TEXT && options->command == CLI_CHECK)
        printf("Summary: %zu as expected, %zu otherwise, %zu files with errors\n",
               totals->as_expected, totals->otherwise, totals->unread);
}

/* What is wrong with the inputs as a whole belongs to no test. */
static void report_inputs(const struct batch *batch, const struct diag *diag)
{
    struct cli_pieces pieces = {.count = 0};
    if (diag->errors == 0)
        return;
    cli_pieces_init(&pieces, batch->options, "crashlit");
    cli_pieces_faults(&pieces, diag);
    cli_pieces_end(&pieces, NULL);
    cli_reports_add(batch->reports, &pieces);
    cli_pieces_fini(&pieces);
}

static enum cli_status check_all(const struct cli_options *options, struct cli_reports *reports)
{
    struct arena arena;
    struct diag diag;
    struct totals totals = {.status = CLI_EXIT_OK};
    arena_init(&arena);
    diag_init(&diag);
    touch_shard_status_file(options, &diag);
    struct batch batch = {.options = options,
                          .models = cli_models_new(),
                          .inputs = cli_inputs_find(&arena, options, &diag),
                          .reports = reports};
    print_diag(&diag);
    if (diag.errors)
        totals.status = CLI_EXIT_INPUT;
    report_inputs(&batch, &diag);
    if (options->jobs > 1 && batch.inputs.count > 1)
        run_in_parallel(&batch, &totals);
    else
        run_serially(&batch, &totals);
    print_summary(options, &totals);
    totals.status = cli_reports_close(reports, totals.status);
    cli_models_free(batch.models);
    diag_fini(&diag);
    arena_fini(&arena);
    return totals.status;
}

static enum cli_status check_and_report(const struct cli_options *options)
{
    struct diag diag;
    diag_init(&diag);
    struct cli_reports *reports =
        cli_reports_open(options, CRASHLIT_VERSION, options->command_line, &diag);
    print_diag(&diag);
    diag_fini(&diag);
    return reports ? check_all(options, reports) : CLI_EXIT_INPUT;
}

typedef enum cli_status cli_command_function(const struct cli_options *options,
                                             struct strbuf *out, struct strbuf *err);

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

static enum cli_status run(const struct cli_options *options)
{
    struct strbuf text = {0};
    switch (options->command) {
    case CLI_CHECK:
    case CLI_CROSSCHECK:
    case CLI_EXPLAIN: return check_and_report(options);
    case CLI_PEERS: return run_whole(options, cli_peers);
    case CLI_COMPARE: return run_whole(options, cli_compare);
    case CLI_MERGE: return run_whole(options, cli_merge);
    case CLI_DIFF: return run_whole(options, cli_diff);
    case CLI_MODELS: cli_models_list(&text); break;
    case CLI_MACHINES: strbuf_add(&text, "no machines are built in yet\n"); break;
    case CLI_HELP: cli_print_help(&text); break;
    case CLI_VERSION: strbuf_add(&text, "crashlit " CRASHLIT_VERSION "\n"); break;
    }
    fputs(strbuf_text(&text), stdout);
    strbuf_fini(&text);
    return CLI_EXIT_OK;
}

/* Before the options are read, which moves the words about. */
static void join_words(int argc, char **argv, struct strbuf *out)
{
    strbuf_add(out, "crashlit");
    for (int i = 1; i < argc; i++)
        strbuf_printf(out, " %s", argv[i]);
}

int main(int argc, char **argv)
{
    struct cli_options options;
    struct diag diag;
    struct strbuf command_line = {0};
    diag_init(&diag);
    join_words(argc, argv, &command_line);
    bool readable = cli_options_read(argc, argv, &options, &diag);
    options.command_line = strbuf_text(&command_line);
    print_diag(&diag);
    diag_fini(&diag);
    enum cli_status status = readable ? run(&options) : CLI_EXIT_INPUT;
    strbuf_fini(&command_line);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("crashlit: cannot write to standard output\n", stderr);
        return CLI_EXIT_INTERNAL;
    }
    return (int)status;
}
