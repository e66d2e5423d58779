/* Asks tests of the model, then of one mutant after the other. One that has the model's rules under
 * a pair is not asked there. */
#include "cli/cli_mutate.h"

#include "cat/cat_same.h"
#include "session/session_engines.h"
#include "session/session_refine.h"
#include "session/session_run.h"

/* ---- Models ---- */

static struct cli_mutate_changed *changed_of(struct cli_mutate *m,
                                             const struct report_mutant *mutant)
{
    struct cli_mutate_changed *changed = &m->changed[mutant - m->mutants.items];
    if (!changed->models) {
        changed->models = session_models_new();
        changed->source = cat_mutant_source(&changed->arena, mutant->change);
    }
    return changed;
}

const struct session_model *cli_mutate_load(struct cli_mutate *m,
                                            const struct cli_mutate_question *question,
                                            const struct report_mutant *mutant)
{
    struct session_models *models = m->models;
    struct cat_asker asker = question->asker;
    if (mutant) {
        struct cli_mutate_changed *changed = changed_of(m, mutant);
        models = changed->models;
        asker.instead = changed->source;
    }
    return session_models_get(models, &asker, question->visibility, question->persistency);
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
    SCOPED(arena) scratch = {0};
    const struct cli_mutate_question *question = cli_mutate_question_of(m, pair);
    return cat_same(&scratch, cli_mutate_load(m, question, NULL)->model,
                    cli_mutate_load(m, question, mutant)->model);
}

/* ---- Verdicts ---- */

/* By the models that go with it: a property may need others. */
static enum lit_verdict verdict_of(struct cli_mutate *m, const struct session_case *question,
                                   const struct cat_asker *asker, struct session_models *models)
{
    SCOPED(arena) arena = {0};
    SCOPED(outcome) outcome;
    bool disagree = false;
    struct session_case own = *question;
    if (lit_asks_property(question->program, LIT_PROPERTY_ROBUST))
        own.program = session_properties(&arena, question, models, asker, &disagree);
    if (disagree)
        run_status_raise(&m->status, RUN_EXIT_DISAGREE);
    session_run(&own, session_engine_find(m->settings.engine), &outcome, NULL);
    return outcome_verdict(&outcome, own.program);
}

/* Of the model where there is no mutant. */
static enum lit_verdict ask(struct cli_mutate *m, const struct cli_mutate_question *question,
                            const struct report_mutant *mutant)
{
    const struct session_model *loaded = cli_mutate_load(m, question, mutant);
    struct session_models *models = mutant ? changed_of(m, mutant)->models : m->models;
    if (lit_asks_property(question->test->program, LIT_PROPERTY_RACE))
        session_models_races(models, loaded);
    const struct session_case asked =
        session_case_begin(&m->settings, loaded, question->test->program, m->parts);
    return verdict_of(m, &asked, &question->asker, models);
}

static bool ask_model(struct cli_mutate *m, struct cli_mutate_question *question)
{
    const struct session_model *loaded = cli_mutate_load(m, question, NULL);
    if (!loaded->model) {
        strbuf_add(m->err, loaded->faults);
        run_status_raise(&m->status, RUN_EXIT_INPUT);
        return false;
    }
    question->verdict = ask(m, question, NULL);
    return true;
}

static void kill(struct cli_mutate *m, const struct cli_mutate_question *question,
                 enum lit_verdict verdict, struct report_mutant *mutant)
{
    mutant->fate = REPORT_MUTANT_KILLED;
    mutant->pair = m->pairs.items[question->pair].name;
    mutant->test = question->test->program->name;
    mutant->file = question->shown;
    mutant->verdicts[0] = lit_verdict_text(question->verdict);
    mutant->verdicts[1] = lit_verdict_text(verdict);
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
                  enum lit_verdict verdict, struct report_mutant *mutant)
{
    if (verdict == LIT_UNKNOWN || question->verdict == LIT_UNKNOWN)
        doubt(m, question, mutant);
    else if (verdict != question->verdict)
        kill(m, question, verdict, mutant);
}

/* ---- A mutant ---- */

static void ask_tests(struct cli_mutate *m, size_t pair, struct report_mutant *mutant)
{
    EACH_IN (const struct cli_mutate_question, question, m->questions)
        if (question->pair == pair && mutant->fate != REPORT_MUTANT_KILLED)
            judge(m, question, ask(m, question, mutant), mutant);
}

/* Pair by pair, until a test kills it. False: it is no model. */
static bool ask_pairs(struct cli_mutate *m, struct report_mutant *mutant)
{
    bool whole = true;
    mutant->fate = REPORT_MUTANT_UNKNOWN;
    for (size_t p = 0; p < m->pairs.count && whole && mutant->fate != REPORT_MUTANT_KILLED; p++) {
        whole = cli_mutate_load(m, cli_mutate_question_of(m, p), mutant)->model != NULL;
        if (whole && !cli_mutate_is_same(m, p, mutant))
            ask_tests(m, p, mutant);
    }
    return whole;
}

bool cli_mutate_ask(struct cli_mutate *m)
{
    size_t kept = 0;
    bool whole = m->status != RUN_EXIT_INPUT;
    EACH_IN (struct cli_mutate_question, question, m->questions)
        whole &= ask_model(m, question);
    for (size_t i = 0; i < m->mutants.count && whole; i++) {
        struct report_mutant *mutant = &m->mutants.items[kept];
        *mutant = (struct report_mutant){.change = m->mutants.items[i].change};
        kept += ask_pairs(m, mutant);
        cli_mutate_unload(m);
    }
    m->report.broken = m->mutants.count - kept;
    m->mutants.count = kept;
    return whole;
}
