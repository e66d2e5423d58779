#include "session/session_waits.h"

#include "session/session_engines.h"
#include "session/session_run.h"

#include <string.h>

/* Limits, in evaluations of the model (clock_allowance). STEPS: does some execution end? That is asked
 * of each test with such loops. MORE_STEPS: which of the loops are never left? That is asked where
 * none ends, and each loop has its share. */
enum { STEPS = 1 << 25, MORE_STEPS = 1 << 27 };

static void ask(const struct session_case *question, const struct lit_program *program,
                uint64_t steps, struct outcome *outcome)
{
    struct clock_allowance allowance = {.left = steps};
    struct session_settings settings = *question->settings;
    struct session_case asked = *question;
    settings.crash = SESSION_CRASH_ANYWHERE;
    asked.settings = &settings;
    asked.clock.allowance = &allowance;
    asked.kept = NULL;
    session_run_as(&asked, session_engine_alone, program, true, outcome);
}

/* Is it known that no execution runs to its end? */
static bool never_ends(struct arena *arena, const struct session_case *question)
{
    const struct lit_prop any = {.op = LIT_PROP_TRUE};
    const struct lit_condition ends = {
        .when = LIT_FINAL, .quantifier = LIT_EXISTS, .prop = &any, .text = ""};
    struct lit_program program = waits_question(arena, question->program, NULL);
    struct outcome outcome;
    program.conditions = &ends;
    program.condition_count = 1;
    ask(question, &program, STEPS, &outcome);

    bool never = outcome.ran && outcome_judge(&outcome, &program, &ends).verdict == LIT_VIOLATED;
    outcome_fini(&outcome);
    return never;
}

/* Is it the only place where anybody may wait, and come to once? As no execution ends, somebody stays
 * there in each. So it is come to, and never left. */
static bool is_only_one(const struct lit_program *program, const struct waits *all)
{
    const struct lit_instr *await = all->items[0].await;
    bool again = false;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            again |= lit_instruction_is(instr->op, LIT_MEETS);
            again |= t == all->items[0].thread && i >= await->target && instr->op == LIT_JUMP &&
                     instr->target <= await->begin;
        }
    return all->count == 1 && !again;
}

/* Is that loop come to, and never left? */
static bool is_never_left(struct arena *arena, const struct session_case *question,
                          const struct waits *all, const struct wait *loop)
{
    const struct lit_program asked = waits_question(arena, question->program, loop);
    struct outcome answer;
    ask(question, &asked, MORE_STEPS / all->count, &answer);
    const bool never = answer.undefined.count == 0 &&
                       outcome_judge(&answer, &asked, &asked.conditions[0]).verdict == LIT_OK &&
                       outcome_judge(&answer, &asked, &asked.conditions[1]).verdict == LIT_VIOLATED;
    outcome_fini(&answer);
    return never;
}

struct waits session_waits(struct arena *arena, const struct session_case *question,
                           const struct outcome *outcome)
{
    const struct lit_program *program = question->program;
    const struct waits all = waits_find(arena, program), none = {NULL, 0, NULL, NULL};
    bool ends = outcome->ended || outcome->met[LIT_FINAL] || !outcome_is_empty(&outcome->final);
    if (!all.count || ends || outcome->undefined.count || question->lost != SESSION_LOSS_NONE ||
        !question->model || !never_ends(arena, question))
        return none;
    bool *never = ARENA_ARRAY(arena, bool, all.count);
    for (uint32_t i = 0; i < all.count; i++)
        never[i] =
            is_only_one(program, &all) || is_never_left(arena, question, &all, &all.items[i]);
    return waits_first(arena, program, &all, never);
}
