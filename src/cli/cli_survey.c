#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "cli/cli_survey.h"

#include "base/build.h"
#include "base/clock.h"
#include "base/pack.h"
#include "cat/cat_model.h"
#include "cli/cli_survey_record.h"
#include "cli/cli_written.h"
#include "generate/gen_between.h"
#include "generate/gen_blind.h"
#include "generate/gen_bound.h"
#include "generate/gen_chosen.h"
#include "mapping/mapping.h"
#include "run/run_pool.h"
#include "run/run_search.h"
#include "run/run_single.h"
#include "session/session_engines.h"
#include "session/session_solver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void init(struct cli_survey *asked, const struct ask_options *options,
                 struct session_parts parts, struct strbuf *err)
{
    *asked = (struct cli_survey){
        .options = options, .settings = options->settings, .parts = parts, .err = err};
    asked->settings.states = true;
    asked->pairs = (struct cli_pairs){.settings = &asked->settings,
                                      .visibility = "sc",
                                      .persistency = "none",
                                      .where = "the command line names",
                                      .may_repeat = options->settings.mapping != NULL,
                                      .arena = &asked->arena,
                                      .models = session_models_new()};
}

static void fini(struct cli_survey *asked)
{
    if (asked->mapper.names)
        gen_mapper_fini(&asked->mapper);
    session_models_free(asked->pairs.models);
    diag_fini(&asked->diag);
    arena_fini(&asked->arena);
}

/* ---- The bound ---- */

/* Those that are named, separated by commas. */
static uint32_t read_vocabularies(struct cli_survey *asked, const struct gen_vocabulary **chosen)
{
    uint32_t count = 0;
    for (const char *at = asked->options->vocabulary;;) {
        size_t length = strcspn(at, ",");
        const struct gen_vocabulary *found = gen_vocabulary_read(
            &asked->vocabularies, arena_strndup(&asked->arena, at, length), &asked->diag);
        if (!found)
            return 0;
        if (count < GEN_MAX_VOCABULARIES && !ANY(i, count, chosen[i] == found))
            chosen[count++] = found;
        if (!at[length])
            return count;
        at += length + 1;
    }
}

/* Those that are named, or those of the models; 0 with a diagnostic. Undefined behaviour of a source
 * promises nothing of what a mapping makes of it. */
static uint32_t choose_vocabularies(struct cli_survey *asked, const struct gen_vocabulary **chosen)
{
    bool mapped = asked->options->settings.mapping != NULL;
    asked->vocabularies =
        (struct gen_vocabularies){.arena = &asked->arena, .settings = &asked->settings};
    if (asked->options->vocabulary) {
        asked->settings.uses_count = 0; /* programs have what it names */
        return read_vocabularies(asked, chosen);
    }
    return gen_vocabularies_of(&asked->vocabularies, asked->pairs.models, asked->pairs.items,
                               mapped ? 1 : asked->pairs.count, !asked->options->defined && !mapped,
                               chosen, &asked->diag);
}

static bool is_one_visibility(const struct cli_survey *asked)
{
    for (uint32_t i = 1; i < asked->pairs.count; i++)
        if (strcmp(asked->pairs.items[i]->visibility, asked->pairs.items[0]->visibility) != 0)
            return false;
    return true;
}

/* PTX where all models are PTX's. */
static enum gen_dialect dialect_of(const struct cli_survey *asked)
{
    enum gen_dialect dialect = gen_dialect_of(asked->pairs.items[0]->visibility);
    for (uint32_t i = 1; i < asked->pairs.count; i++)
        if (gen_dialect_of(asked->pairs.items[i]->visibility) != dialect)
            return GEN_OPENCL;
    return dialect;
}

bool cli_survey_bounds(struct cli_survey *asked)
{
    const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES];
    asked->bound_count = choose_vocabularies(asked, chosen);
    const struct gen_between_models models = {
        .one_visibility = !asked->apart && is_one_visibility(asked),
        .named = asked->options->vocabulary != NULL,
        .orders = gen_blind_orders(&asked->arena, &asked->settings, asked->pairs.models,
                                   asked->pairs.items, asked->pairs.count)};
    for (uint32_t i = 0; i < asked->bound_count; i++) {
        asked->bounds[i] = (struct gen_bound){.vocabulary = chosen[i]};
        gen_between(&asked->bounds[i], dialect_of(asked), &models);
        if (asked->options->settings.mapping)
            asked->bounds[i].dependencies |= 1u << GEN_GUARD;
        if (asked->options->bound &&
            !gen_bound_read(asked->options->bound, "--bound", &asked->bounds[i], &asked->diag))
            return false;
    }
    if (asked->bound_count == 0)
        return false;
    struct strbuf words = {0};
    gen_between_words(asked->bounds, asked->bound_count, &words);
    if (asked->options->shards)
        strbuf_printf(&words, ", part %u of %u", asked->options->shard, asked->options->shards);
    if (asked->options->from)
        strbuf_printf(&words, ", from %s on", asked->options->from);
    asked->totals.bound = strbuf_take(&words, &asked->arena);
    return true;
}

/* Loads what the command names; false with a diagnostic. */
static bool prepare(struct cli_survey *asked, const struct cli_survey_command *command)
{
    asked->context = command->context;
    command->name_models(asked);
    if (asked->diag.errors || asked->status != RUN_EXIT_OK || !cli_survey_bounds(asked))
        return false;
    const char *mapping = asked->options->settings.mapping;
    if (mapping && !gen_mapper_init(&asked->mapper, &asked->settings, mapping, &asked->diag))
        return false;
    asked->survey = (struct gen_survey){.settings = &asked->settings,
                                        .is_mapped = mapping != NULL,
                                        .mapper = &asked->mapper,
                                        .models = asked->pairs.items,
                                        .model_count = asked->pairs.count,
                                        .bounds = asked->bounds,
                                        .bound_count = asked->bound_count,
                                        .defined = asked->options->defined,
                                        .arena = &asked->arena};
    asked->unit_count = gen_survey_units(&asked->survey);
    return true;
}

static enum run_status status_of(struct cli_survey *asked)
{
    diag_render(&asked->diag, asked->err);
    if (asked->diag.errors)
        run_status_raise(&asked->status, RUN_EXIT_INPUT);
    return asked->status;
}

/* ---- The question ---- */

/* In the caller. */
struct searching {
    const struct ask_options *options;
    const struct cli_survey_command *command;
    struct arena arena;
    struct gen_survey survey;
    atomic_uint *sizes; /* of each pair, shared with workers */
    struct timespec started;
    struct run_search search;
    const char *tail;
    struct cli_survey *mine; /* of a worker, once it has loaded its models */
    struct strbuf own_err;
    bool loaded;
};

/* Files count by what is in them. */
static void add_question(struct cli_survey *asked, struct strbuf *out)
{
    SCOPED(strbuf) bound = {0};
    strbuf_printf(out, "survey " CRASHLIT_VERSION " %s\n", base_build);
    for (uint32_t i = 0; i < asked->pairs.count; i++)
        strbuf_printf(out, "%s %016" PRIx64 "\n", asked->pairs.names[i],
                      asked->pairs.items[i]->model->digest);
    gen_between_words(asked->bounds, asked->bound_count, &bound);
    for (uint32_t i = 0; i < asked->bound_count; i++)
        if (asked->bounds[i].vocabulary->digest)
            strbuf_printf(out, "vocabulary %016" PRIx64 "\n", asked->bounds[i].vocabulary->digest);
    if (asked->survey.is_mapped)
        strbuf_printf(out, "map %016" PRIx64 "\n", source_digest(0, asked->mapper.mapping->source));
    strbuf_printf(out, "%s\n%s%s\n", strbuf_text(&bound), asked->settings.engine,
                  asked->options->defined ? " defined" : "");
}

static enum run_status ask_question(const void *context, struct session_parts parts,
                                    struct strbuf *out, struct strbuf *err)
{
    const struct searching *s = context;
    struct cli_survey asked;
    SCOPED(strbuf) question = {0};
    init(&asked, s->options, parts, err);
    if (prepare(&asked, s->command)) {
        add_question(&asked, &question);
        pack_number(out, asked.pairs.count);
        pack_number(out, asked.unit_count);
        pack_text(out, strbuf_text(&question));
    }
    enum run_status status = status_of(&asked);
    fini(&asked);
    return status;
}

/* ---- Units ---- */

static bool is_late(void *context)
{
    const struct searching *s = context;
    double seconds = s->options->total_seconds;
    return seconds > 0 && clock_seconds_since(&s->started) > seconds;
}

/* A worker loads them once. */
static bool load(struct searching *s, struct session_parts parts)
{
    if (!s->mine) {
        s->mine = base_realloc(NULL, sizeof *s->mine);
        init(s->mine, s->options, parts, &s->own_err);
        s->loaded = prepare(s->mine, s->command);
        if (s->loaded)
            gen_survey_sift(&s->mine->survey);
        (void)status_of(s->mine);
    }
    s->mine->parts = parts;
    return s->loaded;
}

static enum run_search_end look_at_unit(void *context, uint64_t unit, struct session_parts parts,
                                        struct strbuf *record, struct strbuf *err)
{
    struct searching *s = context;
    if (!load(s, parts)) {
        strbuf_add(err, strbuf_text(&s->own_err));
        return RUN_SEARCH_FAULT;
    }
    const struct gen_look how = {
        .parts = parts, .sizes = s->sizes, .is_late = is_late, .context = s};
    SCOPED(arena) arena = {0};
    struct gen_part part;
    bool whole = gen_survey_look(&s->mine->survey, unit, &how, &arena, &part);
    cli_survey_record_write(&s->mine->survey, &part, record);
    return whole ? RUN_SEARCH_DONE : RUN_SEARCH_LATE;
}

static int take_record(void *context, uint64_t unit, struct json_t *record)
{
    struct searching *s = context;
    struct gen_part part;
    SCOPED(arena) arena = {0};
    bool sound = cli_survey_record_read(&s->survey, &arena, record, &part) && part.unit == unit;
    bool counts = sound && (!part.size || gen_survey_wants(&s->survey, part.size));
    if (counts) {
        gen_survey_take(&s->survey, &part);
        for (uint32_t i = 0; i < s->survey.model_count * s->survey.model_count; i++)
            atomic_store(&s->sizes[i], s->survey.pairs[i].size);
    }
    return sound ? counts : -1;
}

/* ---- The end ---- */

/* A test of that size, which says what can be read. */
static bool is_sound(struct cli_survey *asked, const struct gen_find *find, uint32_t size)
{
    struct gen_program program;
    struct session_test test;
    if (!gen_survey_program(&asked->survey, find, &program) || gen_size(&program) != size)
        return false;
    const char *text = cli_survey_test(asked, find, "found", 0, 1).litmus;
    if (asked->survey.is_mapped)
        gen_mapped_test(&asked->mapper, &test, "found", text);
    else
        session_test_read(&test, &asked->settings, "found", text, strlen(text));
    bool sound = test.program;
    session_test_fini(&test);
    return sound;
}

/* What an earlier run is said to have found. */
static bool are_finds_sound(struct cli_survey *asked)
{
    bool sound = true;
    EACH (const struct gen_pair, pair, asked->survey.pairs,
          asked->survey.model_count * asked->survey.model_count) {
        for (uint32_t f = 0; f < pair->find_count && sound && asked->options->resume; f++) {
            sound = is_sound(asked, &pair->finds[f], pair->size);
            if (!sound)
                diag_error(&asked->diag, DIAG_CLI_RECORD, NOWHERE,
                           "'%s': found a record of unit %" PRIu64
                           " whose test is none of this search",
                           asked->options->resume, pair->finds[f].unit);
        }
    }
    return sound;
}

/* What no program has of what the models and files name; NULL: nothing is known to be missing. */
static const char *left_out(struct cli_survey *asked)
{
    struct strbuf out = {0};
    for (uint32_t i = 0; i < asked->bound_count; i++)
        gen_bound_left_out(&asked->bounds[i], &out);
    return out.length ? strbuf_take(&out, &asked->arena) : NULL;
}

static enum run_status tell_unit(const void *context, struct session_parts parts,
                                 struct strbuf *out, struct strbuf *err)
{
    const struct searching *s = context;
    struct cli_survey asked;
    init(&asked, s->options, parts, err);
    if (prepare(&asked, s->command)) {
        asked.survey.pairs = s->survey.pairs;
        asked.survey.counts = s->survey.counts;
        asked.survey.ended = s->survey.ended;
        asked.totals.counts = s->survey.counts;
        asked.totals.engine = asked.settings.engine;
        asked.totals.mapping = asked.settings.mapping;
        asked.totals.ended = s->survey.ended;
        asked.totals.next = s->search.missing;
        asked.totals.tail = s->tail;
        asked.totals.left_out = left_out(&asked);
        if (asked.survey.ended)
            gen_blind_find(&asked.survey, asked.pairs.models);
        if (are_finds_sound(&asked))
            s->command->tell(&asked, out);
    }
    enum run_status status = status_of(&asked);
    fini(&asked);
    return status;
}

/* ---- All of it ---- */

static bool begin_search(struct searching *s, struct unpack *from, struct run_output *standard,
                         struct diag *diag)
{
    const struct ask_options *options = s->options;
    s->survey.model_count = (uint32_t)unpack_number(from);
    uint64_t units = unpack_number(from);
    s->survey.arena = &s->arena;
    s->survey.is_mapped = options->settings.mapping != NULL;
    gen_survey_begin(&s->survey);
    s->search = (struct run_search){.question = unpack_copy(from, &s->arena),
                                    .units = units,
                                    .shard = options->shard,
                                    .shards = options->shards,
                                    .jobs = options->jobs,
                                    .memory_mib = options->settings.memory_mib,
                                    .part_seconds = run_part_seconds(&options->settings),
                                    .solver = session_solver_is_asked(options->settings.engine),
                                    .resume = options->resume,
                                    .records = !s->command->whole && options->shape &&
                                                       strcmp(options->shape, "json") == 0
                                                   ? standard
                                                   : NULL,
                                    .work = look_at_unit,
                                    .take = take_record,
                                    .context = s};
    char *end = NULL;
    s->search.from = options->from ? strtoull(options->from, &end, 10) : 0;
    if (!options->from ||
        (options->from[0] >= '0' && options->from[0] <= '9' && !*end && s->search.from < units))
        return true;
    diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--from wants the number that an earlier run of the same question ended with, less "
               "than %" PRIu64 ", found '%s'",
               units, options->from);
    return false;
}

static void share_sizes(struct searching *s, size_t size)
{
    s->sizes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->sizes == MAP_FAILED)
        base_fail(BASE_FAILURE_MEMORY, "out of memory (%zu bytes for workers)", size);
    for (uint32_t i = 0; i < s->survey.model_count * s->survey.model_count; i++)
        atomic_store(&s->sizes[i], UINT32_MAX);
}

/* After an interrupt somebody waits for the end, so no part of this may take long. */
static int tell_of_all(struct searching *s, struct strbuf *out, struct strbuf *err)
{
    static const double soon = 0.5;
    struct session_settings settings = s->options->settings;
    if (s->command->confirms)
        settings.engine = SESSION_ALL_ENGINES;
    if (s->search.interrupt)
        settings.timeout_seconds = soon;
    const int interrupt = run_pool_put_off();
    const int status = run_single_run(&settings, tell_unit, s, out, err);
    run_pool_put_back(interrupt);
    return status;
}

static enum run_status go_through(struct searching *s, struct strbuf *err, struct strbuf *out,
                                  struct diag *diag)
{
    struct strbuf tail = {0};
    size_t size = s->survey.model_count * s->survey.model_count * sizeof *s->sizes;
    share_sizes(s, size);
    s->started = clock_now_monotonic();
    run_search(&s->search, diag);
    munmap(s->sizes, size);
    s->survey.ended = run_search_is_ended(&s->search);
    run_search_add_end(&s->search, s->survey.ended, &tail);
    s->tail = strbuf_take(&tail, &s->arena);
    if (diag->errors || s->search.status == RUN_EXIT_INPUT)
        return s->search.status;
    int status = tell_of_all(s, out, err);
    if (status > 128)
        s->search.interrupt = status - 128;
    run_status_raise(&s->search.status, (enum run_status)(status > 128 ? 0 : status));
    return s->search.status;
}

static int search(const struct ask_options *options, const struct cli_survey_command *command,
                  struct run_output *standard, struct strbuf *out)
{
    struct searching s = {.options = options, .command = command};
    SCOPED(strbuf) packed = {0}, err = {0};
    SCOPED(diag) diag = {0};
    const int interrupt = run_pool_put_off();
    int status = run_single_run(&options->settings, ask_question, &s, &packed, &err);
    run_pool_put_back(interrupt);
    run_output_say(strbuf_text(&err));
    strbuf_clear(&err);
    struct unpack from = unpack_start(strbuf_text(&packed), packed.length);
    if (packed.length && status == RUN_EXIT_OK && begin_search(&s, &from, standard, &diag))
        status = (int)go_through(&s, &err, out, &diag);
    run_output_say(strbuf_text(&err));
    run_output_tell(&diag);
    if (diag.errors && status < (int)RUN_EXIT_INPUT)
        status = (int)RUN_EXIT_INPUT;
    if (s.search.interrupt)
        status = 128 + s.search.interrupt;
    arena_fini(&s.arena);
    return status;
}

int cli_survey_answer(const struct ask_options *options, const struct cli_survey_command *command,
                      struct run_output *standard, struct strbuf *out, struct unpack *from)
{
    struct cli_written written;
    struct diag diag;
    int status = (int)RUN_EXIT_INPUT;
    diag_init(&diag);
    if (cli_written_open(&written, options, &diag))
        status = command->before ? command->before(command->context) : (int)RUN_EXIT_OK;
    if (status == RUN_EXIT_OK)
        status = search(options, command, standard, out);
    *from = unpack_start(strbuf_text(out), out->length);
    if (out->length)
        cli_written_take(&written, from, standard, &diag);
    if (out->length && status > 128)
        run_output_remark(RUN_OUTPUT_INTERRUPTED);
    cli_written_close(&written);
    return cli_written_end(&diag, status);
}

/* ---- What was found, as a test ---- */

static void add_expectation(struct cli_survey *asked, uint32_t pair, const char *verdict,
                            struct strbuf *out)
{
    const struct session_model *model = asked->pairs.items[pair];
    if (cat_model_is_path(model->visibility) || cat_model_is_path(model->persistency))
        strbuf_printf(out, "// %s: %s\n", asked->pairs.names[pair], verdict);
    else
        strbuf_printf(out, "expect %s + %s : %s\n", model->visibility, model->persistency, verdict);
}

static const char *text_of(struct cli_survey *asked, const struct gen_find *find,
                           const struct gen_test *test, uint32_t first, uint32_t second)
{
    struct strbuf out = {0};
    gen_print(test, &out);
    if (find->state)
        strbuf_printf(&out, "%sexists (%s)\n", find->kind == AGREE_FINAL ? "" : "crash ",
                      find->state);
    if (!asked->survey.is_mapped)
        add_expectation(asked, first, find->undefined ? "undefined" : "ok", &out);
    add_expectation(asked, second, find->undefined ? "ok" : "violated", &out);
    return strbuf_take(&out, &asked->arena);
}

struct report_survey_test cli_survey_test(struct cli_survey *asked, const struct gen_find *find,
                                          const char *name, uint32_t first, uint32_t second)
{
    uint64_t number;
    struct gen_program program;
    struct strbuf line = {0};
    const struct gen_bound *bound =
        &asked->bounds[gen_survey_bound(&asked->survey, find->unit, &number)];
    BASE_CHECK(gen_survey_program(&asked->survey, find, &program));
    const struct gen_test test = {.name = name,
                                  .vocabulary = bound->vocabulary,
                                  .dialect = bound->dialect,
                                  .program = &program};
    gen_line(bound->vocabulary, &program, &line);
    return (struct report_survey_test){.line = strbuf_take(&line, &asked->arena),
                                       .litmus = text_of(asked, find, &test, first, second),
                                       .kind = agree_aspect_text(find->kind),
                                       .state = find->state,
                                       .undefined = find->undefined,
                                       .size = gen_size(&program)};
}

const char *cli_survey_target(struct cli_survey *asked, const struct gen_find *find,
                              const char *name, const char *source)
{
    struct strbuf out = {0};
    const char *text = gen_mapped_text(&asked->mapper, &asked->arena, name, source);
    BASE_CHECK(text);
    strbuf_add(&out, text);
    add_expectation(asked, 1, find->undefined ? "undefined" : "ok", &out);
    return strbuf_take(&out, &asked->arena);
}
