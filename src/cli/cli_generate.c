#include "cli/cli_generate.h"

#include "base/pack.h"
#include "cat/cat_model.h"
#include "cli/cli_suite.h"
#include "generate/gen_bound.h"
#include "generate/gen_minimal.h"
#include "run/run_pool.h"
#include "run/run_progress.h"
#include "session/session_engines.h"
#include "session/session_run.h"
#include "session/session_test.h"

#include <string.h>

/* What workers count: X(name, what the summary calls it). */
#define COUNTS(X)                     \
    X(programs, "programs")           \
    X(undefined, "undefined")         \
    X(forbidding, "forbid something") \
    X(undecided, "not decided")       \
    X(unconfirmed, "not confirmed")   \
    X(disputed, "disputed")

struct counts {
#define X(name, text) uint64_t name;
    COUNTS(X)
#undef X
};

/* The whole of it; each worker has a copy, with what it loads itself. */
struct generating {
    const struct ask_options *options;
    struct gen_bound bound;
    const char *visibility, *persistency; /* NULL: programs are listed */
    const char *stem;                     /* of the tests' names */
    struct arena arena;
    struct diag diag;

    /* Of a worker. */
    bool began;
    struct session_settings settings;
    struct session_models *models;
    const struct session_model *model;
    struct gen_asker asker;
    struct gen_memory *memory;
    struct gen_minimal *minimal;
    struct strbuf *answer;
    uint64_t unit, found;
    struct counts counts; /* of the task; in the end of all */

    /* Of the caller. */
    struct run_output *standard;
    struct run_progress progress;
    struct cli_suite suite;
    bool suite_opened, lost; /* lost: it lacks tests, and none is added */
    uint64_t tests;
    int status;
};

/* ---- The question ---- */

/* The model's name in those of tests, which are words and names of files. */
static const char *base_name(struct arena *arena, const char *model)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *slash = strrchr(model, '/');
    const char *name = slash ? slash + 1 : model;
    char *base = arena_strndup(arena, name, strcspn(name, "."));
    for (char *at = base; *(at += strspn(at, plain));)
        *at = '-';
    return base;
}

/* A file is elsewhere for whoever checks the test. */
static bool is_file(const struct generating *g)
{
    return cat_model_is_path(g->visibility) || cat_model_is_path(g->persistency);
}

static bool read_pair(struct generating *g)
{
    const char *pair = g->options->comprehensive, *plus = strchr(pair, '+');
    if (!plus || plus == pair || !plus[1]) {
        diag_error(&g->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--comprehensive: found '%s', expected VISIBILITY+PERSISTENCY", pair);
        return false;
    }
    g->visibility = arena_strndup(&g->arena, pair, (size_t)(plus - pair));
    g->persistency = plus + 1;
    g->stem = arena_printf(&g->arena, "%s-%s", base_name(&g->arena, g->visibility),
                           base_name(&g->arena, g->persistency));
    return true;
}

static bool read_question(struct generating *g)
{
    if (g->options->comprehensive && !read_pair(g))
        return false;
    const struct gen_vocabulary *vocabulary =
        g->options->vocabulary ? gen_vocabulary_find(g->options->vocabulary)
                               : gen_vocabulary_of(g->persistency ? g->persistency : "");
    bool ptx = g->options->dialect ? strcmp(g->options->dialect, "PTX") == 0
                                   : g->visibility && gen_dialect_of(g->visibility) == GEN_PTX;
    gen_bound_init(&g->bound, vocabulary, ptx ? GEN_PTX : GEN_OPENCL);
    if (!g->stem)
        g->stem = vocabulary->name;
    return !g->options->bound || gen_bound_read(g->options->bound, "--bound", &g->bound, &g->diag);
}

/* ---- In a worker ---- */

static void begin(struct generating *g)
{
    if (g->began)
        return;
    g->began = true;
    g->settings = g->options->settings;
    g->models = session_models_new();
    g->memory = gen_memory_new();
    g->minimal = base_realloc(NULL, sizeof *g->minimal);
    if (g->visibility) {
        const struct cat_asker user = session_models_user(&g->settings);
        g->model = session_models_get(g->models, &user, g->visibility, g->persistency);
    }
    g->asker = (struct gen_asker){.settings = &g->settings,
                                  .model = g->model,
                                  .vocabulary = g->bound.vocabulary,
                                  .dialect = g->bound.dialect,
                                  .engine = "enum"};
}

static struct gen_test test_of(const struct generating *g, const struct gen_program *program)
{
    return (struct gen_test){.name = "@",
                             .vocabulary = g->bound.vocabulary,
                             .dialect = g->bound.dialect,
                             .program = program};
}

/* Its number in its unit, its line and its text without the name. */
static void send(struct generating *g, const struct gen_test *test, uint64_t number)
{
    struct strbuf text = {0};
    gen_line(test->vocabulary, test->program, &text);
    pack_number(g->answer, number);
    pack_bytes(g->answer, text.text, text.length);
    strbuf_clear(&text);
    gen_print(test, &text);
    size_t head = strcspn(text.text, "\n");
    pack_bytes(g->answer, text.text + head, text.length - head);
    strbuf_fini(&text);
    g->found++;
}

/* The verdict of the conditions by an engine. */
static enum lit_verdict verdict_by(struct generating *g, const char *engine,
                                   const struct lit_program *program)
{
    static const struct session_parts nobody = {.context = NULL};
    struct outcome outcome;
    g->settings.engine = engine;
    const struct session_case question =
        session_case_begin(&g->settings, g->model, program, nobody);
    session_run_as(&question, session_engine_find(engine), program, true, &outcome);
    enum lit_verdict verdict = outcome_verdict(&outcome, program);
    outcome_fini(&outcome);
    return verdict;
}

/* The test as it is written is asked of two engines; it expects what both say. */
static bool is_confirmed(struct generating *g, const struct gen_test *test)
{
    static const char *const engines[] = {"enum", "smt"};
    struct strbuf text = {0};
    struct session_test read;
    bool confirmed = true;
    gen_print(test, &text);
    session_test_read(&read, &g->settings, "generated", text.text, text.length);
    BASE_CHECK(read.program);
    for (size_t i = 0; i < 2; i++) {
        enum lit_verdict verdict = verdict_by(g, engines[i], read.program);
        confirmed &= verdict == LIT_OK;
        g->counts.disputed += verdict != LIT_OK && verdict != LIT_UNKNOWN;
    }
    g->counts.unconfirmed += !confirmed;
    session_test_fini(&read);
    strbuf_fini(&text);
    return confirmed;
}

static bool visit_minimal(void *context, const struct gen_program *program, uint64_t number)
{
    struct generating *g = context;
    const struct gen_minimal *minimal = g->minimal;
    gen_minimal_find(&g->bound, &g->asker, g->memory, program, g->minimal);
    g->counts.programs++;
    g->counts.undefined += minimal->undefined;
    g->counts.forbidding += minimal->forbids;
    g->counts.undecided += minimal->doubt != NULL;
    if (minimal->count == 0)
        return true;
    const struct gen_expectation expectation = {g->visibility, g->persistency, LIT_OK};
    struct gen_test test = test_of(g, program);
    test.when = minimal->when;
    test.quantifier = LIT_NOT_EXISTS;
    test.outcomes = minimal->outcomes;
    test.outcome_count = minimal->count;
    if (is_confirmed(g, &test) && !is_file(g)) {
        test.expectations = &expectation;
        test.expectation_count = 1;
    }
    send(g, &test, number);
    return true;
}

static bool visit_listed(void *context, const struct gen_program *program, uint64_t number)
{
    struct generating *g = context;
    const struct gen_test test = test_of(g, program);
    g->counts.programs++;
    send(g, &test, number);
    return true;
}

static void work(void *context, size_t task, struct strbuf *answer, struct run_worker *worker)
{
    struct generating *g = context;
    struct strbuf tests = {0};
    (void)worker;
    begin(g);
    g->counts = (struct counts){.programs = 0};
    g->answer = &tests;
    g->found = 0;
    bool faulty = g->visibility && !g->model->model;
    pack_text(answer, faulty ? g->model->faults : "");
    if (!faulty)
        gen_enumerate(&g->bound, task, g->visibility ? visit_minimal : visit_listed, g);
#define X(name, text) pack_number(answer, g->counts.name);
    COUNTS(X)
#undef X
    pack_number(answer, g->found);
    pack_bytes(answer, strbuf_text(&tests), tests.length);
    strbuf_fini(&tests);
}

/* ---- In the caller ---- */

static void raise_status(struct generating *g, int status)
{
    g->status = status > g->status ? status : g->status;
}

static void put_test(struct generating *g, size_t unit, struct unpack *from)
{
    struct strbuf line = {0}, text = {0};
    uint64_t number = unpack_number(from);
    unpack_text(from, &line);
    strbuf_printf(&text, "%s %s-%06llu", gen_dialect_words[g->bound.dialect], g->stem,
                  (unsigned long long)++g->tests);
    unpack_text(from, &text);
    if (g->options->output) {
        struct strbuf name = {0}, note = {0};
        strbuf_printf(&name, "%s-%06llu", g->stem, (unsigned long long)g->tests);
        strbuf_printf(&note, "%zu.%llu %s", unit, (unsigned long long)number, strbuf_text(&line));
        g->lost |=
            !g->lost && !cli_suite_add(&g->suite, name.text, note.text, text.text, text.length);
        strbuf_fini(&name);
        strbuf_fini(&note);
    } else {
        run_output_add_text(g->standard, &text);
    }
    strbuf_fini(&line);
    strbuf_fini(&text);
}

static void take(void *context, size_t task, const struct run_pool_answer *answer)
{
    struct generating *g = context;
    run_progress_wipe(&g->progress);
    fputs(answer->errors, stderr);
    if (answer->end != RUN_POOL_ANSWERED) {
        fprintf(stderr, "crashlit: unit %zu: %s\n", task, answer->reason);
        g->lost = true;
        raise_status(g, answer->end == RUN_POOL_DIED ? RUN_EXIT_INTERNAL : RUN_EXIT_UNKNOWN);
        return;
    }
    struct strbuf faults = {0};
    struct unpack from = unpack_start(answer->bytes, answer->length), tests;
    unpack_text(&from, &faults);
    if (faults.length && g->status != (int)RUN_EXIT_INPUT)
        fputs(faults.text, stderr);
    if (faults.length) {
        raise_status(g, (int)RUN_EXIT_INPUT);
        g->lost = true;
    }
#define X(name, text) g->counts.name += unpack_number(&from);
    COUNTS(X)
#undef X
    uint64_t count = unpack_number(&from);
    size_t length;
    const char *bytes = unpack_bytes(&from, &length);
    BASE_CHECK(unpack_whole(&from));
    tests = unpack_start(bytes, length);
    for (uint64_t i = 0; i < count; i++)
        put_test(g, task, &tests);
    strbuf_fini(&faults);
}

static void watch(void *context, size_t done)
{
    struct generating *g = context;
    run_progress_tell(&g->progress, done);
}

static void add_summary(const struct generating *g, struct strbuf *out)
{
    strbuf_printf(out, "%llu tests", (unsigned long long)g->tests);
#define X(name, text)   \
    if (g->counts.name) \
        strbuf_printf(out, ", %llu %s", (unsigned long long)g->counts.name, text);
    COUNTS(X)
#undef X
}

/* Without -o its list tells how it is made. */
static bool open_suite(struct generating *g)
{
    struct strbuf text = {0};
    if (!g->options->output)
        return true;
    strbuf_add(&text, "# crashlit generate");
    if (g->visibility)
        strbuf_printf(&text, " --comprehensive %s+%s", g->visibility, g->persistency);
    strbuf_printf(&text, " --vocabulary %s --dialect %s --bound ", g->bound.vocabulary->name,
                  gen_dialect_words[g->bound.dialect]);
    gen_bound_text(&g->bound, &text);
    bool opened = cli_suite_open(&g->suite, g->options->output, strbuf_text(&text), &g->diag);
    if (!opened)
        cli_suite_close(&g->suite);
    g->suite_opened = opened;
    strbuf_fini(&text);
    return opened;
}

static void generate(struct generating *g)
{
    size_t units = gen_units(&g->bound);
    const struct run_pool pool = {.workers = g->options->jobs,
                                  .memory_mib = g->options->settings.memory_mib,
                                  .solver = g->visibility != NULL,
                                  .work = work,
                                  .take = take,
                                  .watch = watch,
                                  .context = g};
    run_progress_init(&g->progress, units, "units");
    int interrupt = run_pool_run(&pool, units);
    run_progress_wipe(&g->progress);
    if (interrupt)
        g->status = 128 + interrupt;
    if (g->counts.disputed)
        raise_status(g, (int)RUN_EXIT_DISAGREE);
    if (g->counts.undecided || g->counts.unconfirmed)
        raise_status(g, (int)RUN_EXIT_UNKNOWN);
    struct strbuf summary = {0};
    add_summary(g, &summary);
    if (g->suite_opened && !g->lost && !interrupt)
        cli_suite_end(&g->suite, strbuf_text(&summary));
    if (g->suite_opened)
        cli_suite_close(&g->suite);
    run_output_flush(g->standard);
    fprintf(stderr, "%s\n", strbuf_text(&summary));
    strbuf_fini(&summary);
}

int cli_generate_run(const struct ask_options *options, struct run_output *standard)
{
    struct generating g = {.options = options, .standard = standard};
    arena_init(&g.arena);
    diag_init(&g.diag);
    if (read_question(&g) && open_suite(&g))
        generate(&g);
    run_output_tell(&g.diag);
    if (g.diag.errors)
        raise_status(&g, (int)RUN_EXIT_INPUT);
    diag_fini(&g.diag);
    arena_fini(&g.arena);
    return g.status;
}
