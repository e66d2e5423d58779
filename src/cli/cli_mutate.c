/* Reads the model, its files and the tests. What tests say of mutants is in cli_mutate_ask.c, what
 * becomes of survivors in cli_mutate_survey.c. */
#include "cli/cli_mutate.h"

#include "base/build.h"
#include "base/pack.h"
#include "base/utf8.h"
#include "cat/cat_mutate.h"
#include "cli/cli_commands.h"
#include "cli/cli_pairs.h"
#include "cli/cli_written.h"
#include "explore/mach_mutate.h"
#include "run/run_inputs.h"
#include "run/run_pool.h"
#include "session/session_engines.h"
#include "session/session_refine.h"

#include <string.h>

enum { MOST_MUTANTS = 4096 };

/* ---- The model ---- */

/* Which half of a pair it is, and that it can be loaded. */
static bool name_model(struct cli_mutate *m)
{
    const struct session_settings *given = &m->options->settings;
    struct cli_pairs pairs = {.settings = given,
                              .visibility = "sc",
                              .persistency = "none",
                              .where = "the command line names",
                              .arena = &m->arena,
                              .models = m->models};
    if (strchr(m->model, '+')) {
        diag_error(&m->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "found '%s', expected one model; -m or -p say what it goes with", m->model);
        return false;
    }
    if (cli_mutate_names_nothing(m))
        return false;
    cli_pairs_add(&pairs, m->model, &m->diag, m->err, &m->status);
    if (!pairs.count)
        return false;
    m->persists = strcmp(pairs.items[0]->persistency, m->model) == 0;
    if (m->persists ? given->persistency != NULL : given->model != NULL)
        diag_error(&m->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' is a %s model, so %s has no place beside it", m->model,
                   m->persists ? "persistency" : "visibility", m->persists ? "-p" : "-m");
    return m->diag.errors == 0;
}

/* Files of the library, which every model has. */
static bool is_library(const struct source *source)
{
    static const char *const names[] = {"builtin:stdlib.cat", "builtin:contract.cat",
                                        "builtin:cos.cat", "builtin:cross.cat", "builtin:lock.cat"};
    return source->is_builtin &&
           ANY(i, sizeof names / sizeof *names, strcmp(source->name, names[i]) == 0);
}

static bool is_listed(const struct cli_mutate *m, const struct source *source)
{
    return ANY(i, m->files.count, strcmp(m->files.items[i]->name, source->name) == 0);
}

static void add_mutants_of(struct cli_mutate *m, const struct source *source)
{
    const struct mutations found =
        m->machine ? mach_mutate(&m->arena, m->machine)
                   : cat_mutate(&m->arena, &m->settings.variants, source, &m->diag);
    VEC_PUSH(&m->files, source);
    EACH_IN (const struct mutation, mutant, found) {
        const struct report_mutant last = {
            .change = mutant, .number = m->mutants.count + 1, .fate = REPORT_MUTANT_UNKNOWN};
        VEC_PUSH(&m->mutants, last);
    }
}

static bool find_sources(struct cli_mutate *m, struct cat_sources *sources)
{
    const struct cat_asker user = session_models_user(&m->settings);
    if (!m->machine)
        return cat_model_sources(&m->arena, &user, m->persists ? "persistency" : "visibility",
                                 m->model, sources, &m->diag);
    *sources = (struct cat_sources){&m->machine->source, 1};
    return true;
}

static bool add_mutants(struct cli_mutate *m)
{
    struct cat_sources sources;
    if (!find_sources(m, &sources))
        return false;
    for (size_t i = 0; i < sources.count && m->mutants.count <= MOST_MUTANTS; i++)
        if (!is_library(sources.items[i]) && !is_listed(m, sources.items[i]))
            add_mutants_of(m, sources.items[i]);
    if (m->mutants.count > MOST_MUTANTS)
        diag_error(&m->diag, DIAG_CAT_TOO_LARGE, NOWHERE,
                   "'%s' has %zu places that can be changed, and %d are the most", m->model,
                   m->mutants.count, (int)MOST_MUTANTS);
    m->changed_count = m->mutants.count;
    m->changed = ARENA_ARRAY(&m->arena, struct cli_mutate_changed, m->mutants.count + 1);
    return m->diag.errors == 0;
}

/* ---- The tests ---- */

struct asking {
    struct cli_mutate *m;
    const struct session_test *test;
    const char *path, *shown;
    size_t found;
};

static uint32_t pair_number(struct cli_mutate *m, const char *visibility, const char *persistency)
{
    uint32_t i = 0;
    struct strbuf name = {0};
    while (i < m->pairs.count && (strcmp(m->pairs.items[i].visibility, visibility) != 0 ||
                                  strcmp(m->pairs.items[i].persistency, persistency) != 0))
        i++;
    if (i == m->pairs.count) {
        report_pair(visibility, persistency, &name);
        VEC_PUSH(&m->pairs,
                 (struct cli_mutate_pair){visibility, persistency, strbuf_take(&name, &m->arena)});
    }
    return i;
}

/* The user's name of the model stands for the one that the test has, so that its text is found. */
static void add_question(void *context, const struct session_pair *pair)
{
    struct asking *asking = context;
    struct cli_mutate *m = asking->m;
    const char *own = m->persists ? pair->persistency : pair->visibility;
    if (!m->machine && !cat_model_same(own, m->model))
        return;
    const char *visibility = m->persists ? arena_strdup(&m->arena, pair->visibility) : m->model;
    const char *persistency =
        m->persists && !m->machine ? m->model : arena_strdup(&m->arena, pair->persistency);
    struct cat_asker asker = m->machine || cat_model_is_path(m->persists ? visibility : persistency)
                                 ? session_pair_asker(&m->settings, asking->test->folder, pair)
                                 : session_models_user(&m->settings);
    asker.folder = asker.folder ? arena_strdup(&m->arena, asker.folder) : NULL;
    asker.named = m->machine ? NULL : m->model;
    const struct lit_expect *expect = session_ask_expectation(
        asking->test->program, pair->visibility, pair->persistency, m->settings.engine);
    VEC_PUSH(&m->questions,
             (struct cli_mutate_question){.test = asking->test,
                                          .path = asking->path,
                                          .shown = asking->shown,
                                          .visibility = visibility,
                                          .persistency = persistency,
                                          .pair = pair_number(m, visibility, persistency),
                                          .asker = asker,
                                          .is_meant = expect && expect->verdict == LIT_OK});
    asking->found++;
}

static void add_test(struct cli_mutate *m, const char *path)
{
    struct session_test *test = ARENA_NEW(&m->arena, struct session_test);
    const struct session_settings written = cli_as_written(&m->settings);
    struct strbuf shown = {0};
    VEC_PUSH(&m->tests, test);
    utf8_add_name(&shown, session_test_shown(&m->arena, &written, path));
    session_test_load(test, &written, path);
    if (!session_refine(test, &m->settings, m->models, m->parts) && test->model_faults)
        strbuf_add(m->err, test->model_faults);
    if (test->sources_disagree)
        run_status_raise(&m->status, RUN_EXIT_DISAGREE);
    diag_render(&test->diag, m->err);
    struct asking asking = {m, test, arena_strdup(&m->arena, path), strbuf_take(&shown, &m->arena),
                            0};
    if (test->program)
        session_ask_each_pair(&m->settings, test->program, add_question, &asking);
    else
        run_status_raise(&m->status, RUN_EXIT_INPUT);
    m->report.unread += !test->program;
    m->report.silent += test->program && !asking.found;
    m->report.tests += asking.found > 0;
}

static void find_tests(struct cli_mutate *m)
{
    const struct ask_options *options = m->options;
    const struct run_arguments tests = {.items = options->inputs + 1,
                                        .count = options->input_count - 1,
                                        .memory_mib = options->settings.memory_mib,
                                        .choice = ask_options_choice(options)};
    const struct run_inputs inputs =
        run_inputs_find(&m->arena, &tests, &m->settings.reach, &m->diag);
    run_limits_warn(&m->limits, &inputs.named, &m->diag);
    for (size_t i = 0; i < inputs.count; i++)
        add_test(m, inputs.paths[i]);
    if (m->diag.errors == 0 && m->questions.count == 0 && m->status != RUN_EXIT_INPUT)
        diag_error(&m->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "no test asks anything of '%s'; name what it goes with, as in '%s'", m->model,
                   m->persists ? "-m sc" : "-p none");
    if (!m->machine && m->settings.on_machine.max_states)
        diag_error(&m->diag, DIAG_CLI_USAGE, NOWHERE,
                   "--max-states is for a machine to be run, and '%s' is a model: leave it away",
                   m->model);
}

/* ---- The command ---- */

static void begin(struct cli_mutate *m, const struct ask_options *options,
                  struct session_parts parts, struct strbuf *err)
{
    *m = (struct cli_mutate){.options = options,
                             .settings = options->settings,
                             .parts = parts,
                             .err = err,
                             .model = options->inputs[0],
                             .models = session_models_new()};
    m->settings.decide = true;
}

static void end(struct cli_mutate *m)
{
    cli_mutate_unload(m);
    EACH_IN (struct cli_mutate_question, question, m->questions)
        outcome_fini(&question->states);
    for (size_t i = 0; i < m->tests.count; i++)
        session_test_fini(m->tests.items[i]);
    VEC_FREE(&m->files);
    VEC_FREE(&m->mutants);
    VEC_FREE(&m->tests);
    VEC_FREE(&m->questions);
    VEC_FREE(&m->pairs);
    strbuf_fini(&m->done);
    run_limits_fini(&m->limits);
    session_models_free(m->models);
    diag_fini(&m->diag);
    arena_fini(&m->arena);
}

/* What is given beside the model is its other half. */
static void complete_pair(struct cli_mutate *m)
{
    struct session_settings *settings = &m->settings;
    if (m->machine)
        return;
    if (m->persists && settings->model)
        settings->persistency = m->model;
    if (!m->persists && settings->persistency)
        settings->model = m->model;
}

static bool is_broken(const struct report_mutant *mutant)
{
    return (int)mutant->fate == CLI_MUTATE_BROKEN;
}

/* Changes that leave no model are no mutants, and stand behind these. */
static void part_broken(struct cli_mutate *m)
{
    const struct report_mutant *all = m->mutants.items;
    struct report_mutant *parted =
        ARENA_ARRAY(&m->arena, struct report_mutant, m->mutants.count + 1);
    size_t kept = 0;
    for (int broken = 0; broken < 2; broken++)
        for (size_t i = 0; i < m->mutants.count; i++)
            if (is_broken(&all[i]) == broken)
                parted[kept++] = all[i];
    m->report.broken = COUNT_IF(i, m->mutants.count, is_broken(&all[i]));
    m->report.mutants = parted;
    m->report.mutant_count = m->mutants.count - m->report.broken;
}

static void tell(struct cli_mutate *m, struct strbuf *out)
{
    struct report_mutate *report = &m->report;
    part_broken(m);
    const char **names = ARENA_ARRAY(&m->arena, const char *, m->pairs.count + 1);
    for (size_t p = 0; p < m->pairs.count; p++)
        names[p] = m->pairs.items[p].name;
    report->model = m->model;
    report->is_machine = m->machine != NULL;
    report->files = m->files.items;
    report->file_count = m->files.count;
    report->verbose = m->options->verbose;
    report->pairs = names;
    report->pair_count = m->pairs.count;
    report->verdicts = m->questions.count - m->silent;
    report->engine = m->settings.engine;
    report->least = m->options->fail_under;
    report->version = base_version;
    report->command = m->options->command_line;
    int judged = report_mutate_judge(report);
    if (judged <= 0)
        run_status_raise(&m->status, judged ? RUN_EXIT_DIFFERS : RUN_EXIT_UNKNOWN);
    report->status = (int)m->status;
    cli_written_pack(m->options, &report_mutate, report, NULL, out);
}

/* ---- Workers ---- */

/* Of one worker: a share of the mutants, or what all of these came to. */
struct task {
    const struct ask_options *options;
    size_t share;
    const struct strbuf *shares; /* packed */
    size_t share_count;
    bool interrupted; /* some shares are not whole */
};

static size_t count_shares(const struct cli_mutate *m)
{
    return (m->mutants.count + CLI_MUTATE_SHARE - 1) / CLI_MUTATE_SHARE;
}

static bool prepare(struct cli_mutate *m)
{
    const char *limits = m->options->limits;
    if (limits && !run_limits_read(&m->limits, limits, &m->diag))
        return false;
    const bool named = cli_mutate_names_machine(m) ? cli_mutate_read_machine(m) : name_model(m);
    if (!named || !add_mutants(m))
        return false;
    complete_pair(m);
    find_tests(m);
    return m->diag.errors == 0 && m->questions.count && m->status != RUN_EXIT_INPUT &&
           cli_mutate_bound(m);
}

static enum run_status finish(struct cli_mutate *m, struct strbuf *err)
{
    diag_render(&m->diag, err);
    if (m->diag.errors)
        run_status_raise(&m->status, RUN_EXIT_INPUT);
    enum run_status status = m->status;
    end(m);
    return status;
}

static void look_at(struct cli_mutate *m, size_t share)
{
    m->from = share * CLI_MUTATE_SHARE;
    m->to = m->from + CLI_MUTATE_SHARE < m->mutants.count ? m->from + CLI_MUTATE_SHARE
                                                          : m->mutants.count;
    cli_mutate_ask(m);
    cli_mutate_survey(m);
    cli_mutate_unload(m);
    cli_mutate_pack(m, &m->done);
}

/* All by one worker. */
static enum run_status mutate(const void *context, struct session_parts parts, struct strbuf *out,
                              struct strbuf *err)
{
    struct cli_mutate m;
    begin(&m, context, parts, err);
    if (prepare(&m) && cli_mutate_ask_model(&m)) {
        for (size_t share = 0; share < count_shares(&m); share++)
            look_at(&m, share);
        tell(&m, out);
    }
    return finish(&m, err);
}

static enum run_status count(const void *context, struct session_parts parts, struct strbuf *out,
                             struct strbuf *err)
{
    const struct task *task = context;
    struct cli_mutate m;
    begin(&m, task->options, parts, err);
    if (prepare(&m))
        pack_number(out, count_shares(&m));
    return finish(&m, err);
}

static enum run_status look(const void *context, struct session_parts parts, struct strbuf *out,
                            struct strbuf *err)
{
    const struct task *task = context;
    struct cli_mutate m;
    begin(&m, task->options, parts, err);
    if (prepare(&m) && cli_mutate_ask_model(&m)) {
        look_at(&m, task->share);
        strbuf_add_bytes(out, strbuf_text(&m.done), m.done.length);
    }
    return finish(&m, err);
}

static void doubt_rest(struct cli_mutate *m)
{
    m->report.interrupted = "the run was interrupted";
    EACH_IN (struct report_mutant, mutant, m->mutants)
        if (mutant->fate == REPORT_MUTANT_UNKNOWN && !mutant->why)
            mutant->why = m->report.interrupted;
}

static enum run_status gather(const void *context, struct session_parts parts, struct strbuf *out,
                              struct strbuf *err)
{
    const struct task *task = context;
    struct cli_mutate m;
    begin(&m, task->options, parts, err);
    if (prepare(&m)) {
        for (size_t share = 0; share < task->share_count; share++)
            cli_mutate_take(&m, &task->shares[share]);
        if (task->interrupted)
            doubt_rest(&m);
        tell(&m, out);
    }
    return finish(&m, err);
}

/* ---- The process that began it ---- */

/* Messages of a worker that has an answer come again where all are gathered. */
static int look_at_all(const struct ask_options *options, const struct session_settings *limits,
                       struct strbuf *shares, size_t share_count, struct strbuf *err)
{
    SCOPED(arena) arena = {0};
    struct task *tasks = ARENA_ARRAY(&arena, struct task, share_count);
    const void **contexts = ARENA_ARRAY(&arena, const void *, share_count);
    struct strbuf *errs = ARENA_ARRAY(&arena, struct strbuf, share_count);
    for (size_t k = 0; k < share_count; k++) {
        tasks[k] = (struct task){.options = options, .share = k};
        contexts[k] = &tasks[k];
    }
    int status = run_single_all(limits, options->jobs, look, contexts, share_count, shares, errs);
    for (size_t k = 0; k < share_count; k++) {
        if (!shares[k].length)
            strbuf_add(err, strbuf_text(&errs[k]));
        strbuf_fini(&errs[k]);
    }
    return status;
}

/* After an interrupt, if anything is known; somebody waits for the end. */
static void tell_so_far(const struct session_settings *limits, const struct task *whole,
                        struct strbuf *out, struct strbuf *err)
{
    static const double soon = 0.5;
    struct session_settings settings = *limits;
    struct task task = *whole;
    task.interrupted = true;
    settings.timeout_seconds = soon;
    if (!ANY(k, task.share_count, task.shares[k].length > 0))
        return;
    const int interrupt = run_pool_put_off();
    (void)run_single_run(&settings, gather, &task, out, err);
    run_pool_put_back(interrupt);
}

static int run_shares(const struct ask_options *options, const struct session_settings *limits,
                      size_t share_count, struct strbuf *out, struct strbuf *err)
{
    SCOPED(arena) arena = {0};
    struct strbuf *shares = ARENA_ARRAY(&arena, struct strbuf, share_count);
    const struct task all = {.options = options, .shares = shares, .share_count = share_count};
    int status = look_at_all(options, limits, shares, share_count, err);
    if (status > 128)
        tell_so_far(limits, &all, out, err);
    else if (ALL(k, share_count, shares[k].length > 0))
        status = run_single_run(limits, gather, &all, out, err);
    for (size_t k = 0; k < share_count; k++)
        strbuf_fini(&shares[k]);
    return status;
}

static int run_alone(const struct ask_options *options, const struct session_settings *limits,
                     struct strbuf *out, struct strbuf *err)
{
    SCOPED(strbuf) answer = {0};
    const struct task so_far = {.options = options, .shares = &answer, .share_count = 1};
    const int status = run_single_run(limits, mutate, options, &answer, err);
    if (status > 128)
        tell_so_far(limits, &so_far, out, err);
    else
        strbuf_add_bytes(out, strbuf_text(&answer), answer.length);
    return status;
}

static int run(const struct ask_options *options, const struct session_settings *limits,
               struct strbuf *out, struct strbuf *err)
{
    const struct task task = {.options = options};
    SCOPED(strbuf) packed = {0}, told = {0};
    if (options->jobs == 1)
        return run_alone(options, limits, out, err);
    int status = run_single_run(limits, count, &task, &packed, &told);
    struct unpack from = unpack_start(strbuf_text(&packed), packed.length);
    size_t shares = unpack_number(&from);
    if (packed.length)
        return run_shares(options, limits, shares, out, err);
    strbuf_add(err, strbuf_text(&told));
    return status;
}

int cli_mutate_run(const struct ask_options *options, struct run_output *standard)
{
    struct session_settings limits = options->settings;
    SCOPED(run_limits) of_tests = {0};
    SCOPED(diag) diag = {0};
    const bool read = !options->limits || run_limits_read(&of_tests, options->limits, &diag);
    run_output_tell(&diag);
    run_limits_widen(&of_tests, &limits);
    limits.engine = SESSION_ALL_ENGINES; /* each test that is found is confirmed by all */
    return read ? cli_written_run(options, &limits, run, standard) : (int)RUN_EXIT_INPUT;
}
