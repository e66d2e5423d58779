#include "session/session_answers.h"

#include "session/session_machines.h"

uint32_t session_answers_engines(const struct session_settings *settings, const char *visibility,
                                 const char *persistency, const struct engine_entry **engines)
{
    bool first = settings->beside_first && !session_engine_is_all(settings->engine);
    if (first)
        engines[0] = &session_engines[0];
    uint32_t count = first + session_engines_of(settings->engine, engines + first);
    bool spared = count > 1 && engines[count - 1]->trace &&
                  !session_machine_promises(settings, visibility, persistency);
    return count - spared;
}

void session_answers_init(struct session_answers *answers, const struct session_case *question)
{
    const struct session_model *model = question->model;
    *answers = (struct session_answers){0};
    answers->count = session_answers_engines(question->settings, model->visibility,
                                             model->persistency, answers->engines);
    BASE_ASSERT(answers->count > 0);
    if (answers->engines[answers->count - 1]->trace)
        answers->machine = session_machine_name(&answers->arena, question->settings,
                                                model->visibility, model->persistency);
}

void session_answers_fini(struct session_answers *answers)
{
    for (uint32_t i = 0; i < answers->asked; i++)
        outcome_fini(&answers->outcomes[i]);
    for (uint32_t i = 0; i < answers->aside_count; i++)
        outcome_fini(&answers->aside[i]);
    if (answers->has_usual)
        outcome_fini(&answers->usual);
    arena_fini(&answers->arena);
}

struct session_case session_answers_ask(struct session_answers *answers,
                                        const struct session_case *question,
                                        const struct session_view *view)
{
    const struct session_case own = session_case_again(question);
    uint32_t next = answers->asked++;
    BASE_CHECK(next < answers->count);
    session_run(&own, answers->engines[next], &answers->outcomes[next], view);
    return own;
}

void session_answers_replace(struct session_answers *answers, uint32_t number,
                             const struct outcome *outcome)
{
    BASE_ASSERT(number < answers->asked);
    BASE_CHECK(answers->aside_count < SESSION_MAX_ENGINES);
    answers->aside[answers->aside_count++] = answers->outcomes[number];
    answers->outcomes[number] = *outcome;
}

static enum session_accord accord_of(const struct agreement *agreement)
{
    if (agreement->count)
        return SESSION_DISAGREE;
    return agreement->reasons[0] || agreement->reasons[1] ? SESSION_NOT_COMPARED : SESSION_AGREE;
}

static struct session_standing stand(const struct session_answers *answers,
                                     const struct session_case *question, uint32_t number)
{
    BASE_ASSERT(number > 0 && number < answers->asked);
    static const enum session_accord contained[] = {SESSION_AGREE, SESSION_DISAGREE, SESSION_AGREE,
                                                    SESSION_NOT_COMPARED};
    const struct outcome *first = &answers->outcomes[0], *other = &answers->outcomes[number];
    const struct lit_program *program = question->program;
    bool decided = question->settings->decide;
    struct session_standing standing = {.is_contained = answers->engines[number]->trace != NULL};
    if (standing.is_contained) {
        standing.containment = agree_contain(first, other, program, decided);
        standing.accord = contained[standing.containment.answer];
        return standing;
    }
    standing.agreement = agree_compare(first, other, program, decided);
    standing.accord = accord_of(&standing.agreement);
    return standing;
}

/* Past what is cheap conditions are decided, so that is what a list has to bear out. */
static enum session_accord compare_usual(struct session_answers *answers,
                                         const struct session_case *question)
{
    BASE_ASSERT(!answers->has_usual && answers->asked == answers->count);
    const struct session_case own = session_case_again(question);
    enum session_accord worst = SESSION_AGREE;
    session_run_as(&own, session_engine_choosing, question->program, true, &answers->usual);
    answers->has_usual = true;
    for (uint32_t i = 0; i < answers->count; i++) {
        if (answers->engines[i]->trace)
            continue;
        answers->usual_to[i] =
            agree_compare(&answers->outcomes[i], &answers->usual, question->program, true);
        enum session_accord accord = accord_of(&answers->usual_to[i]);
        worst = accord > worst ? accord : worst;
    }
    return worst;
}

enum session_accord session_answers_compare(struct session_answers *answers,
                                            const struct session_case *question)
{
    BASE_ASSERT(answers->asked == answers->count);
    enum session_accord worst = SESSION_AGREE;
    if (session_engine_is_all(question->settings->engine) && !question->settings->decide)
        worst = compare_usual(answers, question);
    for (uint32_t i = 1; i < answers->count; i++) {
        struct session_standing *standing = &answers->standings[i];
        *standing = stand(answers, question, i);
        if (standing->is_contained)
            answers->containment = &standing->containment;
        if (standing->accord > worst)
            worst = standing->accord;
    }
    return worst;
}
