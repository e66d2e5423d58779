/* Holds survivors against the model on all programs up to a bound, many at the same time, under one
 * pair: that which `distinguish` asks about, if some test does, else the one that most tests ask
 * about. A program that tells one apart becomes a test, which every engine confirms. */
#include "cli/cli_mutate.h"

#include "base/utf8.h"
#include "cat/cat_mentions.h"
#include "cat/cat_model.h"
#include "cat/cat_same.h"
#include "cli/cli_survey.h"
#include "exec/exec_basis.h"
#include "generate/gen_alike.h"
#include "generate/gen_between.h"
#include "generate/gen_blind.h"
#include "session/session_engines.h"
#include "session/session_run.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* One pair, and the survivors of a share under it. */
struct surveying {
    struct cli_mutate *m;
    size_t pair;
    const struct session_model *models[CLI_MUTATE_SHARE + 1]; /* the first is as it is */
    const struct mach_file
        *machines[CLI_MUTATE_SHARE + 1]; /* likewise, where a machine is changed */
    struct report_mutant *mutants[CLI_MUTATE_SHARE + 1];
    uint32_t count;
    struct cli_survey survey;
    bool empty[EXEC_BASE_COUNT]; /* per base: no program has anything of it */
    uint32_t
        lacks[CLI_MUTATE_SHARE + 1]; /* a base without which none tells; EXEC_BASE_COUNT: none */
};

/* ---- A test ---- */

/* Letters, digits and dashes of the model's name, and the mutant's number. */
static const char *name_of(struct cli_mutate *m, const struct report_mutant *mutant)
{
    const char *file = source_file_name(m->model);
    const bool is_file = cat_model_is_path(m->model) || mach_config_is_path(m->model);
    size_t length = is_file ? strcspn(file, ".") : strlen(file);
    char *stem = arena_strndup(&m->arena, file, length);
    for (char *at = stem; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '-';
    return arena_printf(&m->arena, "%s-mutant-%zu", isalpha((unsigned char)*stem) ? stem : "model",
                        mutant->number);
}

/* By the model; undefined where it alone is. */
static enum lit_verdict own_verdict(const struct gen_find *find, bool allows_more)
{
    return find->undefined && !allows_more ? LIT_UNDEFINED : LIT_OK;
}

static enum lit_verdict other_verdict(const struct gen_find *find, bool allows_more)
{
    return !find->undefined ? LIT_VIOLATED : allows_more ? LIT_UNDEFINED : LIT_OK;
}

static void add_expectation(const struct surveying *s, enum lit_verdict verdict, struct strbuf *out)
{
    const struct cli_mutate_pair *pair = &s->m->pairs.items[s->pair];
    if (s->m->machine) {
        strbuf_add(out, "// ");
        utf8_add_name(out, s->m->machine->name);
        strbuf_printf(out, " under %s: %s\n", pair->name, lit_verdict_text(verdict));
        return;
    }
    bool named = !cat_model_is_path(pair->visibility) && !cat_model_is_path(pair->persistency);
    strbuf_printf(out, named ? "expect %s : %s\n" : "// %s: %s\n", pair->name,
                  lit_verdict_text(verdict));
}

static const char *text_of(struct surveying *s, const struct gen_find *find,
                           const struct gen_test *test, bool allows_more)
{
    struct strbuf out = {0};
    gen_print(test, &out);
    if (find->state)
        strbuf_printf(&out, "%s %sexists (%s)\n", find->kind == AGREE_FINAL ? "final" : "crash",
                      allows_more && !find->undefined ? "~" : "", find->state);
    add_expectation(s, own_verdict(find, allows_more), &out);
    return strbuf_take(&out, &s->m->arena);
}

static struct report_survey_test test_of(struct surveying *s, const struct gen_find *find,
                                         const char *name, bool allows_more)
{
    struct gen_program program;
    struct strbuf line = {0};
    uint64_t number;
    const struct gen_bound *bound =
        &s->survey.bounds[gen_survey_bound(&s->survey.survey, find->unit, &number)];
    BASE_CHECK(gen_survey_program(&s->survey.survey, find, &program));
    const struct gen_test test = {.name = name,
                                  .vocabulary = bound->vocabulary,
                                  .dialect = bound->dialect,
                                  .program = &program};
    gen_line(bound->vocabulary, &program, &line);
    return (struct report_survey_test){.line = strbuf_take(&line, &s->m->arena),
                                       .litmus = text_of(s, find, &test, allows_more),
                                       .kind = agree_aspect_text(find->kind),
                                       .state = find->state,
                                       .undefined = find->undefined,
                                       .size = gen_size(&program)};
}

enum confirmation { CONFIRMED, UNDECIDED, DISPUTED };

/* A machine's states are all kept as they are this time, and all steps are taken. */
static enum confirmation has_verdict(struct surveying *s, uint32_t number,
                                     const struct lit_program *program, enum lit_verdict expected)
{
    bool decided = false, disputed = false, is_machine = s->m->machine != NULL;
    struct session_settings settings = s->m->settings;
    settings.on_machine.file = s->machines[number];
    settings.on_machine.no_reduction = settings.on_machine.every_step = is_machine;
    for (const struct engine_entry *engine = session_engines; engine->name; engine++) {
        SCOPED(outcome) outcome = {0};
        if (!engine->run || engine->chooses || is_machine != (engine->trace != NULL))
            continue;
        const struct session_case question =
            session_case_begin(&settings, s->models[number], program, s->m->parts);
        session_run(&question, engine, &outcome, NULL);
        enum lit_verdict verdict = outcome_verdict(&outcome, program);
        const bool unencoded = number && outcome.doubts[OUTCOME_DOUBT_ENCODING];
        if (unencoded)
            s->mutants[number]->unencoded = true;
        decided |= verdict == expected || unencoded;
        disputed |= verdict != expected && verdict != LIT_UNKNOWN;
    }
    return disputed ? DISPUTED : decided ? CONFIRMED : UNDECIDED;
}

/* By the model and by the mutant. */
static enum confirmation confirm(struct surveying *s, uint32_t number, const struct gen_find *find,
                                 const char *name, const char *text, bool allows_more)
{
    SCOPED(session_test) test;
    session_test_read(&test, &s->survey.settings, name, text, strlen(text));
    if (!test.program)
        base_die("internal error: a generated test cannot be read: %s",
                 diag_first_error(&test.diag)->message);
    enum confirmation own = has_verdict(s, 0, test.program, own_verdict(find, allows_more)),
                      other =
                          has_verdict(s, number, test.program, other_verdict(find, allows_more));
    return own > other ? own : other;
}

/* ---- A survivor ---- */

static void take_find(struct surveying *s, uint32_t number, const struct gen_find *find,
                      bool allows_more)
{
    struct report_mutant *mutant = s->mutants[number];
    mutant->name = name_of(s->m, mutant);
    mutant->pair = s->m->pairs.items[s->pair].name;
    mutant->allows_more = allows_more;
    mutant->smallest = test_of(s, find, mutant->name, allows_more);
    mutant->fate = REPORT_MUTANT_ALIVE;
    enum confirmation confirmed =
        confirm(s, number, find, mutant->name, mutant->smallest.litmus, allows_more);
    if (confirmed == CONFIRMED)
        return;
    if (confirmed == DISPUTED)
        run_status_raise(&s->m->status, RUN_EXIT_DISAGREE);
    mutant->fate = REPORT_MUTANT_UNKNOWN;
    mutant->why = confirmed == DISPUTED ? "an engine disputes the test that was found"
                                        : "no engine decides the test that was found";
}

/* What no program of the vocabularies has a model of the user's may look at. */
static const char *blind_of(struct surveying *s, uint32_t number)
{
    const char *why = NULL;
    if (s->m->machine)
        return number ? cli_mutate_unseen(s->m, s->survey.bounds, s->survey.bound_count,
                                          s->mutants[number])
                      : NULL;
    for (uint32_t b = 0; b < s->survey.bound_count; b++) {
        const char *here = gen_blind_of(&s->m->arena, &s->survey.settings, s->m->models,
                                        s->models[number], &s->survey.bounds[b]);
        if (!here)
            return NULL;
        why = why ? why : here;
    }
    return why;
}

/* ---- What the programs lack ---- */

static bool differs_without(struct surveying *s, uint32_t number, const bool *empty)
{
    return !cat_same_without(&s->m->arena, s->models[0]->model, s->models[number]->model, empty);
}

/* A set that programs lack, and that is enough for the two to differ; else one that is named. */
static uint32_t lacking(struct surveying *s, uint32_t number)
{
    const struct cat_mentions before = cat_mentions_of(&s->m->arena, s->models[0]->model),
                              after = cat_mentions_of(&s->m->arena, s->models[number]->model);
    uint32_t named = EXEC_BASE_COUNT;
    for (uint32_t base = 0; base < EXEC_REL_ID; base++) {
        bool empty[EXEC_BASE_COUNT];
        if (!s->empty[base] || (!before.bases[base] && !after.bases[base]))
            continue;
        memcpy(empty, s->empty, sizeof empty);
        gen_blind_fill(empty, base);
        if (differs_without(s, number, empty))
            return base;
        named = base;
    }
    return named;
}

/* Do the two differ only in what no program has? Then no program was looked at that could tell. */
static const char *absent_of(struct surveying *s, uint32_t number)
{
    if (s->m->machine || differs_without(s, number, s->empty))
        return NULL;
    s->lacks[number] = lacking(s, number);
    return arena_printf(&s->m->arena, "it differs only in what no program up to the bound has: %s",
                        exec_basis()->names[s->lacks[number]].name);
}

/* ---- A survivor ---- */

/* The smaller test, of equal ones that of what the mutant allows. */
static void settle(struct surveying *s, uint32_t number)
{
    const struct gen_survey *survey = &s->survey.survey;
    const struct gen_pair *less = &survey->pairs[number], *more = &survey->pairs[number * s->count];
    const char *doubt = gen_survey_doubt(survey, number, 0);
    struct report_mutant *mutant = s->mutants[number];
    if (!doubt)
        doubt = gen_survey_doubt(survey, 0, number);
    if (more->find_count && (!less->find_count || more->size <= less->size))
        take_find(s, number, &more->finds[0], true);
    else if (less->find_count)
        take_find(s, number, &less->finds[0], false);
    else if (!mutant->why)
        mutant->why = doubt                 ? arena_strdup(&s->m->arena, doubt)
                      : blind_of(s, 0)      ? blind_of(s, 0)
                      : blind_of(s, number) ? blind_of(s, number)
                                            : absent_of(s, number);
}

/* ---- A group ---- */

static bool is_left(const struct report_mutant *mutant)
{
    return mutant->fate == REPORT_MUTANT_UNKNOWN && !mutant->why;
}

/* Those that smaller programs have told apart, of which larger ones say no more. */
static void settle_smaller(struct surveying *s, uint32_t size)
{
    const struct gen_pair *pairs = s->survey.survey.pairs;
    for (uint32_t i = 1; i < s->count; i++)
        if (is_left(s->mutants[i]) && (pairs[i].size < size || pairs[i * s->count].size < size))
            settle(s, i);
}

/* False with a diagnostic. */
static bool choose_programs(struct surveying *s)
{
    struct cli_mutate *m = s->m;
    s->survey = (struct cli_survey){.options = m->options,
                                    .settings = m->settings,
                                    .parts = m->parts,
                                    .err = m->err,
                                    .apart = !m->persists};
    s->survey.settings.decide = false;
    s->survey.settings.states = true;
    s->survey.pairs.items[0] = s->models[0];
    s->survey.pairs.count = 1;
    s->survey.pairs.models = s->m->models;
    bool chosen = cli_survey_bounds(&s->survey);
    if (!chosen)
        run_status_raise(&m->status, RUN_EXIT_INPUT);
    diag_render(&s->survey.diag, m->err);
    return chosen;
}

static void search(struct surveying *s)
{
    struct cli_survey *asked = &s->survey;
    struct gen_survey *survey = &asked->survey;
    const struct gen_look look = {.parts = s->m->parts};
    *survey = (struct gen_survey){.settings = &asked->settings,
                                  .models = s->models,
                                  .machines = s->m->machine ? s->machines : NULL,
                                  .model_count = s->count,
                                  .bounds = asked->bounds,
                                  .bound_count = asked->bound_count,
                                  .from_first = true,
                                  .arena = &s->m->arena};
    uint64_t units = gen_survey_units(survey);
    gen_survey_begin(survey);
    if (!s->m->machine)
        gen_survey_sift(survey);
    for (uint64_t unit = 0; unit < units; unit++) {
        SCOPED(arena) arena = {0};
        struct gen_part part;
        bool whole = gen_survey_look(survey, unit, &look, &arena, &part);
        BASE_CHECK(whole);
        settle_smaller(s, part.size);
        gen_survey_take(survey, &part);
        cli_mutate_say(s->m);
    }
    survey->ended = true;
    for (uint32_t b = 0; b < asked->bound_count; b++)
        if (survey->sifts && survey->sifts[b])
            gen_alike_free(survey->sifts[b]);
}

/* Programs are told of the group that was asked most; one may end when all in it are told apart. */
static void ask_group(struct surveying *s)
{
    struct cli_mutate *m = s->m;
    const uint64_t *programs = &s->survey.survey.counts.programs;
    for (uint32_t i = 1; i < s->count; i++)
        s->lacks[i] = EXEC_BASE_COUNT;
    search(s);
    if (*programs > m->report.programs)
        m->report.programs = *programs;
    m->report.bound = arena_strdup(&m->arena, s->survey.totals.bound);
    gen_blind_empty(&s->survey.settings, s->survey.bounds, s->survey.bound_count, s->empty);
    for (uint32_t i = 1; i < s->count; i++)
        if (is_left(s->mutants[i]))
            settle(s, i);
}

/* ---- Those whose difference no program had ---- */

static void end_group(struct surveying *s)
{
    diag_fini(&s->survey.diag);
    arena_fini(&s->survey.arena);
}

/* There are many more programs of each size, so they are smaller. */
static bool widen(struct surveying *s, uint32_t base)
{
    enum { FEW = 2 };
    bool wider = false;
    struct strbuf words = {0};
    for (uint32_t b = 0; b < s->survey.bound_count; b++) {
        struct gen_bound *bound = &s->survey.bounds[b];
        bound->events = bound->events < FEW ? bound->events : FEW;
        wider |= gen_blind_widen(&s->survey.settings, bound, base);
    }
    gen_between_words(s->survey.bounds, s->survey.bound_count, &words);
    s->survey.totals.bound = strbuf_take(&words, &s->survey.arena);
    return wider;
}

/* Asks programs that have the set as well. A bound that the user gave stays as it is. */
static void ask_wider(const struct surveying *first, uint32_t base)
{
    struct cli_mutate *m = first->m;
    struct surveying s = {.m = m, .pair = first->pair, .count = 1};
    const char *bound = m->report.bound;
    s.models[0] = first->models[0];
    for (uint32_t i = 1; i < first->count; i++)
        if (first->lacks[i] == base) {
            s.mutants[s.count] = first->mutants[i];
            s.models[s.count++] = first->models[i];
        }
    if (s.count > 1 && choose_programs(&s) && widen(&s, base)) {
        for (uint32_t i = 1; i < s.count; i++)
            s.mutants[i]->why = NULL;
        ask_group(&s);
        m->report.bound = arena_printf(&m->arena, "%s; for %s %s", bound,
                                       exec_basis()->names[base].name, m->report.bound);
    }
    end_group(&s);
}

/* ---- All of them ---- */

/* The survivors whose rules differ under this pair. */
static void fill_group(struct surveying *s)
{
    struct cli_mutate *m = s->m;
    const struct cli_mutate_question *question = cli_mutate_question_of(m, s->pair);
    s->models[0] = cli_mutate_load(m, question, NULL);
    s->machines[0] = m->machine;
    s->count = 1;
    EACH (struct report_mutant, mutant, m->mutants.items + m->from, m->to - m->from) {
        if (!is_left(mutant) || cli_mutate_is_same(m, s->pair, mutant))
            continue;
        s->mutants[s->count] = mutant;
        s->machines[s->count] = cli_mutate_machine_of(m, mutant);
        s->models[s->count++] = cli_mutate_load(m, question, mutant);
    }
}

static void ask_survivors(struct cli_mutate *m, size_t pair)
{
    struct surveying s = {.m = m, .pair = pair};
    fill_group(&s);
    if (s.count == 1)
        return;
    if (choose_programs(&s))
        ask_group(&s);
    for (uint32_t base = 0; base < EXEC_REL_ID && !m->options->bound; base++)
        ask_wider(&s, base);
    end_group(&s);
}

static size_t count_questions(const struct cli_mutate *m, size_t pair)
{
    return COUNT_IF(i, m->questions.count, m->questions.items[i].pair == pair);
}

static bool is_usual(const struct cli_mutate *m, const struct cli_mutate_pair *pair)
{
    return m->persists ? strcmp(pair->visibility, "sc") == 0
                       : strcmp(pair->persistency, "none") == 0;
}

static size_t choose_pair(const struct cli_mutate *m)
{
    size_t best = 0;
    for (size_t p = 0; p < m->pairs.count; p++) {
        if (is_usual(m, &m->pairs.items[p]))
            return p;
        if (count_questions(m, p) > count_questions(m, best))
            best = p;
    }
    return best;
}

bool cli_mutate_bound(struct cli_mutate *m)
{
    struct surveying s = {.m = m, .pair = choose_pair(m)};
    s.models[0] = cli_mutate_load(m, cli_mutate_question_of(m, s.pair), NULL);
    bool chosen = !s.models[0]->model || choose_programs(&s);
    if (s.models[0]->model)
        end_group(&s);
    return chosen;
}

void cli_mutate_survey(struct cli_mutate *m)
{
    size_t pair = choose_pair(m);
    const char *name = m->pairs.items[pair].name;
    m->report.under = name;
    ask_survivors(m, pair);
    EACH (struct report_mutant, mutant, m->mutants.items + m->from, m->to - m->from)
        if (is_left(mutant)) {
            mutant->fate = REPORT_MUTANT_EQUAL;
            mutant->why = arena_printf(&m->arena,
                                       cli_mutate_is_same(m, pair, mutant)
                                           ? "its rules are the same under %s"
                                           : "no program tells it apart under %s",
                                       name);
        }
}
