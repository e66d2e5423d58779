/* Asks tests of the model, then of one mutant after the other. One that has the model's rules under
 * a pair is not asked there. */
#include "cli/cli_mutate.h"

#include "cat/cat_same.h"
#include "cli/cli_commands.h"
#include "session/session_engines.h"
#include "session/session_refine.h"
#include "session/session_run.h"

#include <string.h>

/* ---- Models ---- */

static struct cli_mutate_changed *changed_of(struct cli_mutate *m,
                                             const struct report_mutant *mutant)
{
    struct cli_mutate_changed *changed = &m->changed[mutant - m->mutants.items];
    if (!changed->models) {
        changed->models = session_models_new();
        changed->source = mutation_source(&changed->arena, mutant->change);
    }
    return changed;
}

/* Where a machine is changed, models are as they are. */
static const struct report_mutant *of_model(const struct cli_mutate *m,
                                            const struct report_mutant *mutant)
{
    return m->machine ? NULL : mutant;
}

static struct session_settings settings_of(struct cli_mutate *m,
                                           const struct cli_mutate_question *question,
                                           const struct report_mutant *mutant)
{
    struct session_settings settings = m->settings;
    run_limits_apply(&m->limits, question->path, &settings);
    settings.on_machine.file = cli_mutate_machine_of(m, mutant);
    return settings;
}

/* What asks about the pair, with the change in its place. */
static struct cat_asker asker_of(struct cli_mutate *m, const struct cli_mutate_question *question,
                                 const struct report_mutant *mutant)
{
    struct cat_asker asker = question->asker;
    mutant = of_model(m, mutant);
    asker.instead = mutant ? changed_of(m, mutant)->source : NULL;
    return asker;
}

static struct session_models *models_of(struct cli_mutate *m, const struct report_mutant *mutant)
{
    return of_model(m, mutant) ? changed_of(m, mutant)->models : m->models;
}

const struct session_model *cli_mutate_load(struct cli_mutate *m,
                                            const struct cli_mutate_question *question,
                                            const struct report_mutant *mutant)
{
    const struct cat_asker asker = asker_of(m, question, mutant);
    return session_models_get(models_of(m, mutant), &asker, question->visibility,
                              question->persistency);
}

void cli_mutate_unload(struct cli_mutate *m)
{
    EACH (struct cli_mutate_changed, changed, m->changed, m->changed_count) {
        if (changed->models)
            session_models_free(changed->models);
        arena_fini(&changed->arena);
        *changed = (struct cli_mutate_changed){.models = NULL};
    }
}

const struct cli_mutate_question *cli_mutate_question_of(const struct cli_mutate *m, size_t pair)
{
    return FIND(i, m->questions.items, m->questions.count, m->questions.items[i].pair == pair);
}

bool cli_mutate_is_same(struct cli_mutate *m, size_t pair, const struct report_mutant *mutant)
{
    if (m->machine)
        return false;
    SCOPED(arena) scratch = {0};
    const struct cli_mutate_question *question = cli_mutate_question_of(m, pair);
    return cat_same(&scratch, cli_mutate_load(m, question, NULL)->model,
                    cli_mutate_load(m, question, mutant)->model);
}

/* ---- Verdicts ---- */

/* That no state decides is an answer, as where a mutant forbids every execution. */
static const char *word_of(const struct outcome *outcome, const struct lit_program *program)
{
    const enum lit_verdict verdict = outcome_verdict(outcome, program);
    bool decided = true;
    if (verdict != LIT_UNKNOWN)
        return lit_verdict_text(verdict);
    EACH (const struct lit_condition, condition, program->conditions, program->condition_count) {
        const struct outcome_judgement judged = outcome_judge(outcome, program, condition);
        decided &= judged.verdict != LIT_UNKNOWN || judged.vacuous;
    }
    return decided && program->condition_count ? "vacuous" : NULL;
}

/* By the models that go with it: a property may need others. */
static const char *verdict_of(struct cli_mutate *m, const struct session_case *question,
                              const struct cat_asker *asker, struct session_models *models,
                              bool is_meant, struct outcome *outcome)
{
    SCOPED(arena) arena = {0};
    bool disagree = false;
    struct session_case own = *question;
    if (lit_asks_property(question->program, LIT_PROPERTY_ROBUST))
        own.program = session_properties(&arena, question, models, asker, &disagree);
    if (disagree)
        run_status_raise(&m->status, RUN_EXIT_DISAGREE);
    session_run(&own, session_engine_find(m->settings.engine), outcome, NULL);
    outcome->vacuity_is_meant |= is_meant;
    return word_of(outcome, own.program);
}

static const char *ask_of(struct cli_mutate *m, const struct cli_mutate_question *question,
                          const struct report_mutant *mutant, const struct lit_program *program,
                          struct outcome *outcome)
{
    const struct session_settings settings = settings_of(m, question, mutant);
    const struct session_model *loaded = cli_mutate_load(m, question, mutant);
    const struct cat_asker asker = asker_of(m, question, mutant);
    if (lit_asks_property(program, LIT_PROPERTY_RACE))
        session_models_races(models_of(m, mutant), loaded);
    const struct session_case asked = session_case_begin(&settings, loaded, program, m->parts);
    return verdict_of(m, &asked, &asker, models_of(m, mutant), question->is_meant, outcome);
}

static bool refines(const struct lit_program *program)
{
    return ANY(i, program->condition_count, program->conditions[i].refines != NULL);
}

/* The states of a source are those of the mutant. */
static const char *ask_anew(struct cli_mutate *m, const struct cli_mutate_question *question,
                            const struct report_mutant *mutant, struct outcome *outcome)
{
    SCOPED(session_test) test;
    struct session_settings settings = settings_of(m, question, mutant);
    if (!m->machine)
        settings.model_instead = changed_of(m, mutant)->source;
    const struct session_settings written = cli_as_written(&settings);
    session_test_load(&test, &written, question->path);
    return session_refine(&test, &settings, models_of(m, mutant), m->parts)
               ? ask_of(m, question, mutant, test.program, outcome)
               : NULL;
}

/* Of the model where there is no mutant. NULL: a limit was met. */
static const char *ask(struct cli_mutate *m, const struct cli_mutate_question *question,
                       const struct report_mutant *mutant, struct outcome *outcome)
{
    const struct lit_program *program = question->test->program;
    return mutant && refines(program) ? ask_anew(m, question, mutant, outcome)
                                      : ask_of(m, question, mutant, program, outcome);
}

static bool ask_model(struct cli_mutate *m, struct cli_mutate_question *question)
{
    const struct session_model *loaded = cli_mutate_load(m, question, NULL);
    if (!loaded->model) {
        strbuf_add(m->err, loaded->faults);
        run_status_raise(&m->status, RUN_EXIT_INPUT);
        return false;
    }
    const struct lit_program *program = question->test->program;
    question->wide = refines(program) || lit_asks_property(program, LIT_PROPERTY_ROBUST);
    SCOPED(outcome) outcome = {0};
    question->verdict = ask(m, question, NULL, m->machine ? &question->states : &outcome);
    return true;
}

static void kill(struct cli_mutate *m, const struct cli_mutate_question *question,
                 const char *verdict, struct report_mutant *mutant)
{
    const char *unknown = lit_verdict_text(LIT_UNKNOWN);
    mutant->fate = REPORT_MUTANT_KILLED;
    mutant->pair = m->pairs.items[question->pair].name;
    mutant->test = question->test->program->name;
    mutant->file = question->shown;
    mutant->verdicts[0] = question->verdict ? question->verdict : unknown;
    mutant->verdicts[1] = verdict ? verdict : unknown;
}

/* Where a limit was met nothing is known of the test. */
static void doubt(struct cli_mutate *m, const struct cli_mutate_question *question,
                  struct report_mutant *mutant)
{
    if (!mutant->why)
        mutant->why = arena_printf(&m->arena, "the verdict of %s under %s is not known",
                                   question->shown, m->pairs.items[question->pair].name);
}

static void judge(struct cli_mutate *m, const struct cli_mutate_question *question,
                  struct report_mutant *mutant)
{
    SCOPED(outcome) outcome = {0};
    const char *verdict = ask(m, question, mutant, &outcome);
    const enum cli_mutate_shown shown =
        m->machine ? cli_mutate_hold(m, question, &outcome, mutant) : CLI_MUTATE_SAME;
    const bool known = verdict && question->verdict;
    if (shown == CLI_MUTATE_OTHER || (known && strcmp(verdict, question->verdict) != 0))
        kill(m, question, verdict, mutant);
    else if (!known || shown == CLI_MUTATE_DOUBT)
        doubt(m, question, mutant);
}

/* ---- A mutant ---- */

/* With the rules of the model only those tests can tell it apart that look at other pairs. */
static void ask_tests(struct cli_mutate *m, size_t pair, bool same, struct report_mutant *mutant)
{
    EACH_IN (const struct cli_mutate_question, question, m->questions)
        if (question->pair == pair && (!same || question->wide) &&
            mutant->fate != REPORT_MUTANT_KILLED && !cli_mutate_is_silent(question))
            judge(m, question, mutant);
}

/* Pair by pair, until a test kills it. False: it is no model. */
static bool ask_pairs(struct cli_mutate *m, struct report_mutant *mutant)
{
    bool whole = true;
    mutant->fate = REPORT_MUTANT_UNKNOWN;
    for (size_t p = 0; p < m->pairs.count && whole && mutant->fate != REPORT_MUTANT_KILLED; p++) {
        whole = cli_mutate_load(m, cli_mutate_question_of(m, p), mutant)->model != NULL &&
                (!m->machine || cli_mutate_machine_of(m, mutant));
        if (whole)
            ask_tests(m, p, cli_mutate_is_same(m, p, mutant), mutant);
    }
    return whole;
}

/* A test of which the machine encodes nothing under any pair was not asked. */
static void count_silent(struct cli_mutate *m)
{
    const struct cli_mutate_question *questions = m->questions.items;
    for (size_t first = 0, behind; first < m->questions.count; first = behind) {
        size_t silent = 0;
        for (behind = first;
             behind < m->questions.count && questions[behind].test == questions[first].test;
             behind++)
            silent += cli_mutate_is_silent(&questions[behind]);
        m->silent += silent;
        m->report.unencoded += silent == behind - first;
    }
    m->report.tests -= m->report.unencoded;
}

bool cli_mutate_ask_model(struct cli_mutate *m)
{
    bool whole = m->status != RUN_EXIT_INPUT;
    EACH_IN (struct cli_mutate_question, question, m->questions)
        whole &= ask_model(m, question);
    count_silent(m);
    if (m->silent == m->questions.count) {
        diag_error(&m->diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "'%s' encodes no test that asks of it",
                   m->model);
        return false;
    }
    return whole;
}

void cli_mutate_ask(struct cli_mutate *m)
{
    EACH (struct report_mutant, mutant, m->mutants.items + m->from, m->to - m->from) {
        if (!ask_pairs(m, mutant))
            mutant->fate = (enum report_mutant_fate)CLI_MUTATE_BROKEN;
        cli_mutate_unload(m);
        cli_mutate_say(m);
    }
}
