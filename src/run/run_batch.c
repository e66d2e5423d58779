#define _XOPEN_SOURCE 700 /* for realpath */
#include "run/run_batch.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "run/run_inputs.h"
#include "run/run_known.h"
#include "run/run_limits.h"
#include "run/run_pool.h"
#include "run/run_progress.h"
#include "run/run_single.h"
#include "session/session_solver.h"
#include "session/session_test.h"
#include "document/report_json.h"
#include "document/report_view.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* In the place of a file's name. */
static const char RUN_NAME[] = "crashlit";

struct batch {
    const struct run_plan *plan;
    struct run_surroundings surroundings;
    struct run_inputs inputs;
    const char *const *names; /* per input: what reports call it */
    struct run_reports *reports;
    struct run_output *out;
    struct run_progress progress;
    struct timespec flushed;
    enum run_status status;
    bool differs;
    uint64_t counts[RUN_COUNTS];
    struct arena arena;
    VEC(const char *) shown; /* faults of models */
    const char *unkept;      /* why an answer could not be kept; NULL: all could */
    struct strbuf held;      /* lines that come behind those of what somebody should look at */
};

/* ---- Results ---- */

static bool is_shown(const struct batch *batch, const char *fault)
{
    return ANY(i, batch->shown.count, strcmp(batch->shown.items[i], fault) == 0);
}

static void show_faults(struct batch *batch, const struct run_result *result)
{
    for (size_t i = 0; i < result->faults.count; i++) {
        const char *fault = result->faults.items[i];
        if (is_shown(batch, fault))
            continue;
        run_output_say(fault);
        VEC_PUSH(&batch->shown, arena_strdup(&batch->arena, fault));
    }
}

static void account(struct batch *batch, const struct run_result *result)
{
    run_status_raise(&batch->status, result->status);
    batch->differs |= result->differs;
    for (int i = 0; i < RUN_COUNTS; i++)
        batch->counts[i] += result->counts[i];
    batch->counts[RUN_UNREAD] += result->status == RUN_EXIT_INPUT;
}

/* A write a test is much of what a small one costs, and a tenth of a second is soon for who reads
 * along; a terminal, and whoever is told something beside the output, waits for nothing. */
static void flush_soon(struct batch *batch, bool now)
{
    if (!now && !batch->progress.shared && clock_seconds_since(&batch->flushed) < 0.1)
        return;
    run_output_flush(batch->out);
    batch->flushed = clock_now_monotonic();
}

/* What nothing fails for is not told. */
static bool is_passed_over(const struct batch *batch, const struct run_result *result)
{
    return batch->plan->quiet && !result->odd && result->status == RUN_EXIT_OK;
}

/* Of several tests the unexpected is first: other lines wait for the end. */
static bool may_wait(const struct batch *batch, const struct run_result *result)
{
    const struct run_plan *plan = batch->plan;
    return plan->brief && plan->sentences && !result->odd;
}

static void print(struct batch *batch, const struct strbuf *text)
{
    if (batch->plan->format == RUN_JSON)
        run_output_add_text(batch->out, text);
    else
        run_output_add_lines(batch->out, text);
}

static void finish(struct batch *batch, struct run_result *result)
{
    if (result->err.length || result->faults.count ||
        (batch->progress.shared && result->out.length))
        run_progress_wipe(&batch->progress);
    run_reports_add(batch->reports, &result->pieces);
    if (is_passed_over(batch, result))
        strbuf_clear(&result->out);
    if (batch->plan->format != RUN_JSON && may_wait(batch, result))
        strbuf_add_bytes(&batch->held, strbuf_text(&result->out), result->out.length);
    else
        print(batch, &result->out);
    flush_soon(batch, result->err.length || result->faults.count);
    show_faults(batch, result);
    run_output_say(strbuf_text(&result->err));
    account(batch, result);
    run_result_fini(result);
}

/* The file's name is made of what this process knows, not of what a worker says. */
static void keep(struct batch *batch, const char *path, const struct run_result *result)
{
    const struct run_cache *cache = &batch->plan->cache;
    SCOPED(arena) arena = {0};
    const char *name = utf8_name(&arena, path), *why = NULL;
    if (result->kept.length)
        why = run_cache_write(cache, name, &result->kept);
    else if (result->counts[RUN_RECALLED])
        run_cache_touch(cache, name);
    if (why && !batch->unkept)
        batch->unkept = arena_strdup(&batch->arena, why);
}

/* Who reads verdicts is told that some were not found now. */
static void tell_kept(const struct batch *batch)
{
    const struct run_plan *plan = batch->plan;
    const uint64_t *counts = batch->counts;
    const uint64_t all = counts[RUN_AS_EXPECTED] + counts[RUN_OTHERWISE] + counts[RUN_KNOWN];
    if (!plan->cache.folder)
        return;
    if (batch->unkept)
        run_output_remark("cannot write to '%s', so not all answers are kept: %s",
                          plan->cache.folder, batch->unkept);
    if (!plan->quiet)
        run_output_remark("%" PRIu64 " of %" PRIu64 " answers are from '%s'", counts[RUN_RECALLED],
                          all, plan->cache.folder);
}

/* ---- Workers ---- */

static void work_on_test(void *context, size_t number, struct strbuf *answer,
                         struct run_worker *worker)
{
    struct batch *batch = context;
    SCOPED(run_result) result;
    batch->surroundings.parts = run_worker_parts(worker);
    batch->surroundings.checker = worker->checker;
    const char *path = batch->inputs.paths[number];
    run_result_init(&result, batch->plan, batch->names[number]);
    batch->plan->check(batch->plan->context, &batch->surroundings, path, &result);
    run_result_pack(&result, answer);
}

static void take_answer(void *context, size_t number, const struct run_pool_answer *answer)
{
    struct batch *batch = context;
    const char *path = batch->names[number];
    struct run_result result;
    run_result_init(&result, batch->plan, path);
    strbuf_add(&result.err, answer->errors);
    if (answer->end == RUN_POOL_ANSWERED)
        BASE_CHECK(run_result_unpack(&result, answer->bytes, answer->length));
    if (batch->plan->cache.folder)
        keep(batch, path, &result);
    if (answer->end == RUN_POOL_ANSWERED && batch->plan->take)
        batch->plan->take(batch->plan->taker, batch->inputs.paths[number], &result);
    if (answer->end != RUN_POOL_ANSWERED)
        run_result_give_up(&result, batch->plan, path,
                           answer->end == RUN_POOL_DIED ? LIT_ERROR : LIT_UNKNOWN, answer->reason);
    finish(batch, &result);
}

/* Of an answer that takes long, what is there of it. */
static void hear(void *context, size_t number, const char *bytes, size_t length)
{
    struct batch *batch = context;
    SCOPED(strbuf) text = {0};
    (void)number;
    strbuf_add_bytes(&text, bytes, length);
    if (batch->progress.shared)
        run_progress_wipe(&batch->progress);
    print(batch, &text);
    flush_soon(batch, true);
}

static void watch(void *context, size_t done)
{
    struct batch *batch = context;
    flush_soon(batch, false);
    run_progress_tell(&batch->progress, done);
}

static bool is_beside(const char *path, const char *other)
{
    const char *slash = strrchr(path, '/'), *other_slash = strrchr(other, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    return (slash == NULL) == (other_slash == NULL) &&
           (!slash ||
            (length == (size_t)(other_slash - other) && memcmp(path, other, length) == 0));
}

/* What it leads to, and what is beside that. */
static void allow_link(struct run_sandbox *sandbox, const char *path)
{
    char *real = realpath(path, NULL);
    if (real)
        run_sandbox_allow_file(sandbox, real);
    base_free_foreign(real);
}

/* What workers may read: the tests and models of the command line, what is beside them, and where
 * the user permits. */
static void allow_reading(const struct batch *batch, struct run_sandbox *sandbox)
{
    const char *const *paths = batch->inputs.paths;
    run_sandbox_init(sandbox);
    for (size_t i = 0; i < batch->inputs.count; i++)
        if (i == 0 || !is_beside(paths[i - 1], paths[i]))
            run_sandbox_allow_file(sandbox, paths[i]);
    for (size_t i = 0; i < batch->inputs.link_count; i++)
        allow_link(sandbox, batch->inputs.links[i]);
    const struct session_settings *settings = batch->plan->settings;
    const char *const named[] = {SESSION_SETTINGS_FILES(settings)};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i])
            run_sandbox_allow_file(sandbox, named[i]);
    for (uint32_t i = 0; i < batch->plan->settings->uses_count; i++)
        run_sandbox_allow_file(sandbox, batch->plan->settings->uses[i]);
    if (batch->plan->cache.folder)
        run_sandbox_allow_folder(sandbox, batch->plan->cache.folder);
    const struct reach *reach = &batch->plan->settings->reach;
    for (uint32_t i = 0; i < reach->searched_count; i++)
        run_sandbox_allow_folder(sandbox, reach->searched[i]);
    for (uint32_t i = 0; i < reach->permitted_count; i++)
        run_sandbox_allow_folder(sandbox, reach->permitted[i]);
}

/* The signal that interrupted it, else 0. */
static int check_inputs(struct batch *batch)
{
    SCOPED(run_sandbox) sandbox;
    allow_reading(batch, &sandbox);
    const struct run_plan *plan = batch->plan;
    size_t count = batch->inputs.count;
    struct session_settings widest = *plan->settings;
    run_limits_widen(batch->surroundings.limits, &widest);
    const struct run_pool pool = {
        .workers = plan->jobs < count ? plan->jobs : (uint32_t)count,
        .part_seconds = run_part_seconds(&widest),
        .part_cpu_seconds = run_part_cpu_seconds(&widest),
        .memory_mib = plan->settings->memory_mib,
        .sandbox = &sandbox,
        .checker = plan->settings->certified ? run_checker_find(&batch->arena) : NULL,
        .solver = plan->settings->narrowest || session_solver_is_asked(plan->settings->engine),
        .work = work_on_test,
        .take = take_answer,
        .hear = hear,
        .watch = count > 1 ? watch : NULL,
        .context = batch};
    run_progress_init(&batch->progress, count, "tests");
    int interrupt = run_pool_run(&pool, count);
    run_progress_wipe(&batch->progress);
    return interrupt;
}

/* ---- The run ---- */

/* Tells a test runner that sharding was honoured. */
static void touch_shard_status_file(const struct run_plan *plan, struct diag *diag)
{
    const char *path = getenv("TEST_SHARD_STATUS_FILE");
    if (!plan->inputs.shards || !path)
        return;
    FILE *file = fopen(path, "a");
    if (!file || fclose(file) != 0)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "TEST_SHARD_STATUS_FILE names '%s', which cannot be written: %s", path,
                   strerror(errno));
}

static void add_machines(const uint64_t *counts, struct strbuf *out)
{
    const uint64_t *answers = counts + RUN_CONTAINMENTS;
    strbuf_printf(out,
                  "Machines: %" PRIu64 " contained, %" PRIu64 " outside, %" PRIu64
                  " undefined, %" PRIu64 " partly; of %" PRIu64 " crash states %" PRIu64
                  " never shown\n",
                  answers[CONTAIN_HELD], answers[CONTAIN_OUTSIDE], answers[CONTAIN_UNDEFINED],
                  answers[CONTAIN_PARTLY], counts[RUN_ALLOWED], counts[RUN_NEVER_SHOWN]);
}

/* What is counted where somebody asked for it. */
static void print_summary(const struct batch *batch)
{
    const struct run_plan *plan = batch->plan;
    const uint64_t *counts = batch->counts, *accords = counts + RUN_ACCORDS;
    bool crosscheck = plan->kind == RUN_CROSSCHECKS;
    SCOPED(strbuf) out = {0};
    if (!crosscheck && (plan->format != RUN_TEXT || plan->kind != RUN_ANSWERS))
        return;
    if (plan->quiet && batch->status == RUN_EXIT_OK)
        return;
    if (plan->sentences && !plan->several && !plan->resume)
        return;
    if (crosscheck)
        add_machines(counts, &out);
    if (crosscheck)
        strbuf_printf(&out,
                      "Summary: %" PRIu64 " agree, %" PRIu64 " disagree, %" PRIu64
                      " not compared, %" PRIu64 " files with errors",
                      accords[SESSION_AGREE], accords[SESSION_DISAGREE],
                      accords[SESSION_NOT_COMPARED], counts[RUN_UNREAD]);
    if (crosscheck)
        run_counts_rest(&plan->policy, counts, &out);
    else
        run_counts_summary(&plan->policy, counts, &out);
    if (batch->inputs.left_out)
        strbuf_printf(&out, ", %zu tests left out", batch->inputs.left_out);
    strbuf_add_char(&out, '\n');
    run_output_add_lines(batch->out, &out);
}

/* Standard output has the record that a file of JSON lines has. */
static void print_inputs_record(const struct batch *batch, const struct diag *diag, size_t unread)
{
    const struct run_plan *plan = batch->plan;
    SCOPED(strbuf) line = {0}, said = {0};
    if (plan->format != RUN_JSON || plan->kind != RUN_ANSWERS)
        return;
    report_json_messages(RUN_NAME, diag, &said);
    report_json_failure(&(struct report_failure){.path = RUN_NAME,
                                                 .messages = strbuf_text(&said),
                                                 .unread = &unread,
                                                 .verdict = LIT_ERROR,
                                                 .expected = LIT_OK,
                                                 .reason = diag_first_error(diag)->message},
                        &line);
    run_output_add_text(batch->out, &line);
}

/* What is wrong with the run as a whole belongs to no test. */
static void report_run(struct batch *batch, const struct diag *diag, size_t unread)
{
    struct run_pieces pieces = {.count = 0};
    batch->counts[RUN_UNREAD] += unread;
    if (diag->errors == 0)
        return;
    run_status_raise(&batch->status, RUN_EXIT_INPUT);
    run_pieces_init(&pieces, batch->plan, RUN_NAME);
    run_pieces_faults(&pieces, diag);
    run_pieces_unread(&pieces, unread);
    run_pieces_end(&pieces, NULL);
    run_reports_add(batch->reports, &pieces);
    run_pieces_fini(&pieces);
    print_inputs_record(batch, diag, unread);
}

/* Tests there are, but none was asked anything. */
static void refuse_silence(struct batch *batch)
{
    const uint64_t *counts = batch->counts;
    uint64_t answers =
        counts[RUN_AS_EXPECTED] + counts[RUN_OTHERWISE] + counts[RUN_KNOWN] + counts[RUN_UNREAD];
    SCOPED(diag) diag = {0};
    for (int accord = SESSION_AGREE; accord <= SESSION_DISAGREE; accord++)
        answers += counts[RUN_ACCORDS + accord];
    if (answers || counts[RUN_NOT_ASKED] == 0)
        return;
    diag_error(&diag, DIAG_CLI_NO_TESTS, NOWHERE, RUN_NOTHING_ASKED);
    run_output_tell(&diag);
    report_run(batch, &diag, 0);
}

static void end_batch(struct batch *batch)
{
    VEC_FREE(&batch->shown);
    arena_fini(&batch->arena);
    session_models_free(batch->surroundings.models);
}

/* What an earlier run answered; a run that begins has no such file yet. False when it could not be
 * read, and then counts for nothing. */
static bool read_earlier(struct run_records *earlier, const struct run_plan *plan,
                         struct diag *diag)
{
    struct stat status;
    if (!plan->resume || (stat(plan->resume, &status) != 0 && errno == ENOENT))
        return true;
    earlier->given.memory_mib = plan->settings->memory_mib;
    bool whole = run_records_read(earlier, plan->resume, diag);
    if (!whole)
        earlier->items.count = 0;
    return whole;
}

/* Reports that list findings have what an earlier run answered; others would lack it without a word. */
static void tell_of_lacking(const struct batch *batch)
{
    const struct run_plan *plan = batch->plan;
    for (uint32_t i = 0; i < plan->report_count; i++) {
        const struct report_format *format = plan->reports[i].format;
        if (batch->surroundings.earlier->items.count && !report_format_lists(format) &&
            strcmp(report_format_name(format), "json") != 0)
            run_output_remark("%s has what is asked now alone: what --resume reads has no "
                              "executions; leave --resume away for all",
                              report_format_name(format));
    }
}

/* Returns the status to leave with. The one that the reports mention is that of the tests, or that
 * of an interrupt. */
static int close_reports(const struct batch *batch, int interrupt)
{
    int status = interrupt
                     ? 128 + interrupt
                     : (int)run_policy_status(&batch->plan->policy, batch->status, batch->differs);
    SCOPED(strbuf) faults = {0};
    if (interrupt)
        run_reports_interrupt(batch->reports);
    if (!run_reports_close(batch->reports, status, &faults) && status < RUN_EXIT_INPUT)
        status = RUN_EXIT_INPUT;
    run_output_say(strbuf_text(&faults));
    return status;
}

/* What reports call the inputs. */
static const char *const *names_of(struct batch *batch)
{
    const char **names = ARENA_ARRAY(&batch->arena, const char *, batch->inputs.count + 1);
    for (size_t i = 0; i < batch->inputs.count; i++)
        names[i] = session_test_shown(&batch->arena, batch->plan->settings, batch->inputs.paths[i]);
    return names;
}

static int check_all(const struct run_plan *plan, const struct run_frozen *frozen,
                     struct run_reports *reports, struct run_output *out)
{
    SCOPED(diag) diag = {0};
    SCOPED(run_records) earlier;
    SCOPED(run_records) known;
    run_records_init(&earlier);
    run_records_init(&known);
    touch_shard_status_file(plan, &diag);
    SCOPED(run_limits) limits = {0};
    bool readable = !plan->limits || run_limits_read(&limits, plan->limits, &diag);
    bool resumed = read_earlier(&earlier, plan, &diag) && readable;
    resumed &= run_known_read(&known, plan, &diag);
    struct batch batch = {.plan = plan,
                          .surroundings = {.models = session_models_new(),
                                           .earlier = &earlier,
                                           .known = &known,
                                           .limits = &limits,
                                           .frozen = plan->frozen ? frozen : NULL,
                                           .cache = plan->cache.folder ? &plan->cache : NULL},
                          .reports = reports,
                          .out = out};
    batch.inputs = run_inputs_find(&batch.arena, &plan->inputs, &plan->settings->reach, &diag);
    run_limits_warn(&limits, &batch.inputs.named, &diag);
    struct run_report written[RUN_MAX_REPORTS];
    struct run_plan many;
    run_reports_of_many(plan, batch.inputs.count, written, &many);
    run_reports_plan(reports, &many);
    batch.plan = plan = &many;
    batch.names = names_of(&batch);
    run_reports_note(reports, batch.inputs.paths, batch.inputs.count);
    run_reports_note(reports, batch.inputs.lists, batch.inputs.list_count);
    if (!readable) /* without its limits a run may not end */
        batch.inputs.count = 0;
    run_output_tell(&diag);
    report_run(&batch, &diag, batch.inputs.unread + !resumed);
    tell_of_lacking(&batch);
    int interrupt = check_inputs(&batch);
    if (!interrupt)
        refuse_silence(&batch);
    run_output_add_lines(batch.out, &batch.held);
    strbuf_fini(&batch.held);
    print_summary(&batch);
    tell_kept(&batch);
    int status = close_reports(&batch, interrupt);
    if (interrupt)
        run_output_remark(RUN_OUTPUT_INTERRUPTED);
    end_batch(&batch);
    return status;
}

/* An interrupt may not cut a report off: it waits until the workers run, who are told of it, and
 * from their end until the reports are closed. */
int run_batch_run(const struct run_plan *plan, struct run_output *out)
{
    SCOPED(diag) diag = {0};
    sigset_t usual;
    run_pool_hold_signals(&usual);
    struct run_frozen frozen = {.texts = NULL};
    const bool held =
        !plan->frozen || run_frozen_read(&frozen, plan->frozen, plan->settings->memory_mib, &diag);
    struct run_reports *reports = held ? run_reports_open(plan, out, &diag) : NULL;
    run_output_tell(&diag);
    int status = reports ? check_all(plan, &frozen, reports, out) : (int)RUN_EXIT_INPUT;
    run_frozen_fini(&frozen);
    if (status < 128) /* else the pool holds it to the end */
        sigprocmask(SIG_SETMASK, &usual, NULL);
    return status;
}
