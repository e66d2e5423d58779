#include "cli/cli_generate.h"

#include "base/build.h"
#include "base/json.h"
#include "base/pack.h"
#include "cat/cat_model.h"
#include "cli/cli_suite.h"
#include "document/report_json.h"
#include "generate/gen_blind.h"
#include "generate/gen_bound.h"
#include "generate/gen_chosen.h"
#include "generate/gen_minimal.h"
#include "run/run_record.h"
#include "run/run_search.h"
#include "run/run_single.h"
#include "session/session_engines.h"
#include "session/session_run.h"
#include "session/session_test.h"

#include <inttypes.h>
#include <jansson.h>
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

enum { MOST_NAME = 64 /* letters of --name */, DIGITS = 6 /* of a test's number, at least */ };

/* The whole of it; each worker has a copy, with what it loads itself. */
struct generating {
    const struct ask_options *options;
    const char *visibility, *persistency; /* NULL: programs are listed */
    const char *stem;                     /* of the tests' names */
    struct arena arena;
    struct diag diag;

    /* Of a worker. */
    bool began, sound; /* sound: all that is named can be had, and there is a bound */
    struct gen_bound bound;
    struct session_settings settings;
    struct session_models *models;
    const struct session_model *model;
    struct gen_asker asker;
    struct gen_memory *memory;
    struct gen_minimal *minimal;
    struct strbuf *record;
    struct counts counts; /* of the unit; in the caller of all */

    /* Of the caller. */
    struct run_output *standard;
    struct run_search search;
    struct cli_suite suite;
    bool suite_opened, lost; /* lost: it lacks tests, and none is added */
    uint64_t tests;
    const char *words;    /* of the question, as the command has them */
    const char *left_out; /* of programs, and why; "": nothing */
    const char *blind;    /* why no program has what the model looks at; "": some may */
    int status;
};

/* ---- The question ---- */

/* The model's name in those of tests, which are words and names of files. */
static const char *base_name(struct arena *arena, const char *model)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *name = source_file_name(model);
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

static bool read_name(struct generating *g)
{
    const char *name = g->options->name;
    if (!name)
        return true;
    g->stem = name;
    if (*name && strlen(name) <= MOST_NAME && strcmp(base_name(&g->arena, name), name) == 0)
        return true;
    diag_error(&g->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--name: found '%s', expected 1 to %d letters, digits, '_' and '-'", name,
               (int)MOST_NAME);
    return false;
}

static bool read_question(struct generating *g)
{
    return (!g->options->comprehensive || read_pair(g)) && read_name(g);
}

static enum gen_dialect dialect_of(const struct generating *g)
{
    return g->options->dialect ? gen_dialect_find(g->options->dialect)
           : g->visibility     ? gen_dialect_of(g->visibility)
                               : GEN_OPENCL;
}

/* " --vocabulary spb --dialect OPENCL --bound events=4,..", as the command has it. */
static void add_question(const struct generating *g, struct strbuf *out)
{
    if (g->visibility)
        strbuf_printf(out, " --comprehensive %s+%s", g->visibility, g->persistency);
    strbuf_printf(out, " --vocabulary %s --dialect %s --bound ", g->bound.vocabulary->name,
                  gen_dialect_words[g->bound.dialect]);
    gen_bound_text(&g->bound, out);
}

/* ---- In a worker ---- */

/* The one that is named, or that of the model; NULL with a diagnostic. */
static const struct gen_vocabulary *choose_vocabulary(struct generating *g)
{
    struct gen_vocabularies all = {.arena = &g->arena, .settings = &g->settings};
    const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES];
    const char *named = g->options->vocabulary;
    if (named) {
        g->settings.uses_count = 0; /* programs have what it names */
        return gen_vocabulary_read(&all, named, &g->diag);
    }
    return gen_vocabularies_of(&all, g->models, &g->model, g->model != NULL, false, chosen,
                               &g->diag)
               ? chosen[0]
               : NULL;
}

static bool choose_bound(struct generating *g)
{
    if (g->model && !g->model->model)
        return false;
    const struct gen_vocabulary *vocabulary = choose_vocabulary(g);
    if (!vocabulary)
        return false;
    gen_bound_init(&g->bound, vocabulary, dialect_of(g));
    if (!g->stem)
        g->stem = vocabulary->name;
    return !g->options->bound || gen_bound_read(g->options->bound, "--bound", &g->bound, &g->diag);
}

static void begin_worker(struct generating *g)
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
    g->sound = choose_bound(g);
    g->asker = (struct gen_asker){.settings = &g->settings,
                                  .model = g->model,
                                  .vocabulary = g->bound.vocabulary,
                                  .dialect = g->bound.dialect,
                                  .engine = "enum"};
}

/* Of a worker it is the end of the process. */
static void end_worker(struct generating *g)
{
    session_models_free(g->models);
    gen_memory_free(g->memory);
    base_free(g->minimal);
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
    SCOPED(strbuf) text = {0};
    gen_line(test->vocabulary, test->program, &text);
    emit_object(g->record, NULL);
    emit_number(g->record, "number", number);
    emit_string(g->record, "line", strbuf_text(&text));
    strbuf_clear(&text);
    gen_print(test, &text);
    emit_string(g->record, "body", text.text + strcspn(text.text, "\n"));
    emit_end(g->record, '}');
}

/* The verdict of the conditions by an engine. */
static enum lit_verdict verdict_by(struct generating *g, const char *engine,
                                   const struct lit_program *program)
{
    static const struct session_parts nobody = {.context = NULL};
    SCOPED(outcome) outcome;
    g->settings.engine = engine;
    const struct session_case question =
        session_case_begin(&g->settings, g->model, program, nobody);
    session_run_as(&question, session_engine_find(engine), program, true, &outcome);
    return outcome_verdict(&outcome, program);
}

/* The test as it is written is asked of two engines; it expects what both say. */
static bool is_confirmed(struct generating *g, const struct gen_test *test)
{
    static const char *const engines[] = {"enum", "smt"};
    SCOPED(strbuf) text = {0};
    SCOPED(session_test) read;
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

static void add_faults(struct generating *g, struct strbuf *err)
{
    if (g->model && !g->model->model)
        strbuf_add(err, g->model->faults);
    diag_render(&g->diag, err);
}

/* What is not decided or confirmed is asked again when the run is taken up. */
static enum run_search_end work_on_unit(void *context, uint64_t unit, struct session_parts parts,
                                        struct strbuf *record, struct strbuf *err)
{
    struct generating *g = context;
    (void)parts;
    begin_worker(g);
    if (!g->sound) {
        add_faults(g, err);
        return RUN_SEARCH_FAULT;
    }
    g->counts = (struct counts){.programs = 0};
    g->record = record;
    emit_array(record, "tests");
    gen_enumerate(&g->bound, unit, g->visibility ? visit_minimal : visit_listed, g);
    emit_end(record, ']');
#define X(name, text) emit_number(record, #name, g->counts.name);
    COUNTS(X)
#undef X
    emit_array(record, "open");
    if (g->counts.undecided + g->counts.unconfirmed)
        emit_number(record, NULL, g->counts.undecided + g->counts.unconfirmed);
    emit_end(record, ']');
    return RUN_SEARCH_DONE;
}

/* A file counts by what is in it. Packed: the question, what the caller has to know of it, and why
 * no program has what the model looks at, or nothing. */
static enum run_status ask_question(const void *context, struct session_parts parts,
                                    struct strbuf *out, struct strbuf *err)
{
    struct generating own = *(const struct generating *)context;
    SCOPED(strbuf) question = {0}, words = {0}, left_out = {0};
    const char *blind = NULL;
    (void)parts;
    own.arena = (struct arena){0};
    own.diag = (struct diag){0};
    begin_worker(&own);
    if (own.sound)
        add_question(&own, &words);
    add_faults(&own, err);
    strbuf_printf(&question, "generate " CRASHLIT_VERSION " %s%s", base_build, strbuf_text(&words));
    if (own.sound && own.visibility) {
        strbuf_printf(&question, " %016" PRIx64, own.model->model->digest);
        blind = gen_blind_of(&own.arena, &own.settings, own.models, own.model, &own.bound);
    }
    if (own.sound) {
        const struct gen_vocabulary *vocabulary = own.bound.vocabulary;
        gen_bound_left_out(&own.bound, &left_out);
        if (vocabulary->digest)
            strbuf_printf(&question, " %016" PRIx64, vocabulary->digest);
        pack_text(out, strbuf_text(&question));
        pack_text(out, strbuf_text(&words));
        pack_text(out, own.stem);
        pack_number(out, gen_units(&own.bound));
        pack_text(out, strbuf_text(&left_out));
        pack_text(out, blind ? blind : "");
    }
    end_worker(&own);
    diag_fini(&own.diag);
    arena_fini(&own.arena);
    return own.sound ? RUN_EXIT_OK : RUN_EXIT_INPUT;
}

/* ---- In the caller ---- */

static void raise_status(struct generating *g, int status)
{
    g->status = status > g->status ? status : g->status;
}

/* Of a unit's record; without its first line of dialect and name. */
struct made {
    uint64_t number;
    const char *line, *body;
};

static bool read_test(const json_t *json, struct made *test)
{
    test->line = json_string_value(json_object_get(json, "line"));
    test->body = json_string_value(json_object_get(json, "body"));
    return run_record_number(json, "number", &test->number) && test->line && test->body;
}

static void put_test(struct generating *g, uint64_t unit, const struct made *test)
{
    SCOPED(strbuf) text = {0}, name = {0}, note = {0};
    strbuf_printf(&name, "%s-%0*llu", g->stem, (int)DIGITS, (unsigned long long)++g->tests);
    strbuf_printf(&text, "%s %s%s", gen_dialect_words[dialect_of(g)], name.text, test->body);
    strbuf_printf(&note, "%" PRIu64 ".%" PRIu64 " %s", unit, test->number, test->line);
    if (g->suite_opened)
        g->lost |=
            !g->lost && !cli_suite_add(&g->suite, name.text, note.text, text.text, text.length);
    else if (!g->search.records)
        run_output_add_text(g->standard, &text);
}

/* If one of its tests is none, it has none. */
static int take_record(void *context, uint64_t unit, struct json_t *record)
{
    struct generating *g = context;
    struct counts counts;
    const json_t *tests = json_object_get(record, "tests"), *json;
    struct made test;
    bool sound = json_is_array(tests);
    size_t i;
#define X(name, text) sound &= run_record_number(record, #name, &counts.name);
    COUNTS(X)
#undef X
    json_array_foreach (tests, i, json)
        sound &= read_test(json, &test);
    if (!sound)
        return -1;
    json_array_foreach (tests, i, json)
        if (read_test(json, &test))
            put_test(g, unit, &test);
#define X(name, text) g->counts.name += counts.name;
    COUNTS(X)
#undef X
    return 1;
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

/* Its list tells how a suite is made. */
static bool open_suite(struct generating *g)
{
    SCOPED(strbuf) text = {0};
    if (!g->options->output)
        return true;
    strbuf_printf(&text, "# crashlit generate%s", g->words);
    if (g->options->name)
        strbuf_printf(&text, " --name %s", g->options->name);
    static const char *const tails[] = {".litmus", NULL};
    const struct cli_suite_numbered tests = {g->stem, DIGITS, tails};
    bool opened = cli_suite_open(&g->suite, g->options->output, strbuf_text(&text), &g->diag) &&
                  cli_suite_are_free(&g->suite, &tests) && cli_suite_begin(&g->suite);
    if (!opened)
        cli_suite_close(&g->suite);
    g->suite_opened = opened;
    return opened;
}

/* A part of the units has no numbers for its tests. */
static bool is_usage_sound(struct generating *g)
{
    bool json = g->options->format == RUN_JSON;
    if (g->options->shards && (!json || g->options->output))
        diag_error(&g->diag, DIAG_CLI_USAGE, NOWHERE,
                   "--shard wants --format json, and no --output: put the parts together with "
                   "crashlit merge, and give the whole to generate --resume");
    return g->diag.errors == 0;
}

static void tell_end(struct generating *g, const char *summary)
{
    SCOPED(strbuf) line = {0};
    run_output_flush(g->standard);
    run_output_say_lines(arena_printf(&g->arena, "%s\n", summary));
    if (!g->search.records || g->search.interrupt)
        return;
    strbuf_add(&line, "{\"schema\":1,");
    run_search_add_end(&g->search, run_search_is_ended(&g->search), &line);
    emit_number(&line, "tests", g->tests);
#define X(name, text) emit_number(&line, #name, g->counts.name);
    COUNTS(X)
#undef X
    report_json_end(&line);
    run_output_add_text(g->standard, &line);
}

/* A part of the units may have none. */
static bool is_of_nothing(const struct generating *g)
{
    return run_search_is_ended(&g->search) && !g->options->shards && !g->counts.programs;
}

static void generate(struct generating *g, const char *question, uint64_t units)
{
    const struct ask_options *options = g->options;
    SCOPED(strbuf) summary = {0};
    g->search = (struct run_search){.question = question,
                                    .units = units,
                                    .shard = options->shard,
                                    .shards = options->shards,
                                    .jobs = options->jobs,
                                    .memory_mib = options->settings.memory_mib,
                                    .solver = g->visibility != NULL,
                                    .resume = options->resume,
                                    .records = options->format == RUN_JSON ? g->standard : NULL,
                                    .work = work_on_unit,
                                    .take = take_record,
                                    .context = g};
    run_search(&g->search, &g->diag);
    raise_status(g, (int)g->search.status);
    if (g->search.interrupt)
        g->status = 128 + g->search.interrupt;
    if (g->counts.disputed)
        raise_status(g, (int)RUN_EXIT_DISAGREE);
    if (g->counts.undecided || g->counts.unconfirmed)
        raise_status(g, (int)RUN_EXIT_UNKNOWN);
    add_summary(g, &summary);
    if (*g->left_out)
        strbuf_printf(&summary, "; left out: %s", g->left_out);
    if (*g->blind) {
        raise_status(g, (int)RUN_EXIT_UNKNOWN);
        strbuf_printf(&summary, "; there may be others: %s", g->blind);
    }
    bool nothing = is_of_nothing(g);
    if (nothing) {
        raise_status(g, (int)RUN_EXIT_UNKNOWN);
        strbuf_add(&summary, ": there is no program up to the bound, so nothing was looked at");
    }
    if (g->suite_opened && !nothing && !g->lost && run_search_is_ended(&g->search) &&
        g->diag.errors == 0)
        cli_suite_end(&g->suite, strbuf_text(&summary));
    if (g->diag.errors == 0)
        tell_end(g, strbuf_text(&summary));
}

/* With what the first worker has found. */
static void go_on(struct generating *g, const struct strbuf *answer)
{
    struct unpack from = unpack_start(answer->text, answer->length);
    const char *question = unpack_copy(&from, &g->arena);
    g->words = unpack_copy(&from, &g->arena);
    g->stem = unpack_copy(&from, &g->arena);
    uint64_t units = unpack_number(&from);
    g->left_out = unpack_copy(&from, &g->arena);
    g->blind = unpack_copy(&from, &g->arena);
    if (!open_suite(g))
        return;
    generate(g, question, units);
    if (g->suite_opened)
        cli_suite_close(&g->suite);
}

int cli_generate_run(const struct ask_options *options, struct run_output *standard)
{
    struct generating g = {.options = options, .standard = standard};
    SCOPED(strbuf) answer = {0}, err = {0};
    if (is_usage_sound(&g) && read_question(&g))
        g.status = run_single_run(&options->settings, ask_question, &g, &answer, &err);
    run_output_say(strbuf_text(&err));
    if (answer.length && g.status == 0)
        go_on(&g, &answer);
    run_output_tell(&g.diag);
    if (g.diag.errors)
        raise_status(&g, (int)RUN_EXIT_INPUT);
    diag_fini(&g.diag);
    arena_fini(&g.arena);
    return g.status;
}
