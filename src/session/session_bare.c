#include "session/session_bare.h"

#include "litmus/lit_code.h"
#include "session/session_engines.h"
#include "session/session_run.h"

#include <string.h>

/* Evaluations of the model (clock_allowance), for each of the questions here: some milliseconds. */
enum { STEPS = 1 << 22 };

/* Is it what the remark is about? */
static bool is_order(const struct lit_program *program, const struct lit_instr *instr)
{
    return instr->op == LIT_PBARRIER || instr->op == LIT_BARRIER || instr->op == LIT_CM ||
           (instr->op == LIT_FENCE && !(instr->tags & lit_program_marks(program)));
}

static bool holds(const struct session_case *question, const struct lit_program *program)
{
    struct clock_allowance allowance = {.left = STEPS};
    struct session_case asked = *question;
    SCOPED(outcome) outcome;
    asked.clock.allowance = &allowance;
    asked.kept = NULL;
    session_run_as(&asked, session_engine_alone, program, true, &outcome);
    const struct outcome_judgement judgement =
        outcome_judge(&outcome, program, &program->conditions[0]);
    return judgement.verdict == LIT_OK && !judgement.reason;
}

/* ---- Have they a meaning? ---- */

enum { FIRST, SECOND, STORES }; /* the two locations of the probe */

static struct lit_instr store_to(struct arena *arena, uint32_t location)
{
    const struct lit_expr one = {.op = LIT_OP_CONST, .value = 1};
    return (struct lit_instr){.op = LIT_STORE,
                              .nonatomic = true,
                              .spaces = LIT_GLOBAL,
                              .dst = LIT_NONE,
                              .dst_old = LIT_NONE,
                              .decides = LIT_NONE,
                              .loop = LIT_NONE,
                              .addr = {.first = location, .count = 1, .stride = 1},
                              .value = arena_copy(arena, &one, sizeof one)};
}

/* An instruction as it stands, but for what it names of its test: locations and registers. So a
 * fence has no token, without which it orders less. */
static struct lit_instr apart(const struct lit_instr *instr)
{
    struct lit_instr alone = *instr;
    alone.addr = (struct lit_address){.first = FIRST, .count = 1, .stride = 1};
    alone.label = NULL;
    alone.statement = NULL;
    alone.unsequenced = NULL;
    alone.dst = LIT_NONE;
    alone.value = alone.resource = alone.quorum = NULL;
    return alone;
}

/* Whoever meets is of no concern to one work-item: execution barriers are left out. */
static uint32_t add_orders(const struct lit_program *program, struct lit_instr *code, uint32_t most)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->threads[t].code_count && count < most; i++) {
            const struct lit_instr *instr = &program->threads[t].code[i];
            if (is_order(program, instr) && instr->op != LIT_BARRIER)
                code[count++] = apart(instr);
        }
    return count;
}

/* Two stores of one work-item, and what of the test orders stores between them. */
static struct lit_program probe_of(struct arena *arena, const struct lit_program *program)
{
    enum { MOST = 64 };
    static const int64_t late[] = {[FIRST] = 0, [SECOND] = 1};
    struct lit_program probe = *program;
    struct lit_location *locations = ARENA_ARRAY(arena, struct lit_location, STORES);
    struct lit_thread *thread = arena_copy(arena, &program->threads[0], sizeof *thread);
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, MOST + STORES);
    struct lit_condition *condition = ARENA_NEW(arena, struct lit_condition);
    struct lit_atom atoms[STORES];
    for (uint32_t i = 0; i < STORES; i++) {
        locations[i] = (struct lit_location){
            .name = i == FIRST ? "first" : "second", .spaces = LIT_GLOBAL, .nvm = true, .line = i};
        atoms[i] = (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = i};
    }
    code[0] = store_to(arena, FIRST);
    thread->code = code;
    thread->code_count = 1 + add_orders(program, code + 1, MOST);
    code[thread->code_count++] = store_to(arena, SECOND);
    thread->tags = 0;
    thread->loop_count = thread->register_count = 0;
    *condition = (struct lit_condition){.when = LIT_CRASHED,
                                        .quantifier = LIT_NOT_EXISTS,
                                        .prop = lit_prop_row(arena, atoms, late, STORES),
                                        .text = ""};
    probe.locations = locations;
    probe.location_count = STORES;
    probe.threads = thread;
    probe.thread_count = 1;
    probe.conditions = condition;
    probe.condition_count = 1;
    probe.recovery_count = probe.observed_count = probe.expect_count = 0;
    probe.filter = NULL;
    probe.has_crash_points = probe.relaunch = probe.recovery_restartable = false;
    return probe;
}

static bool have_meaning(struct arena *arena, const struct session_case *question)
{
    struct session_settings settings = *question->settings;
    struct session_case asked = *question;
    struct lit_program probe = probe_of(arena, question->program);
    struct lit_thread thread = probe.threads[0];
    struct lit_instr bare[STORES] = {thread.code[0], thread.code[thread.code_count - 1]};
    settings.crash = SESSION_CRASH_ANYWHERE;
    asked.settings = &settings;
    if (thread.code_count == STORES || !holds(&asked, &probe))
        return false;
    thread.code = bare;
    thread.code_count = STORES;
    probe.threads = &thread;
    return !holds(&asked, &probe);
}

/* ---- The test without them ---- */

static const struct lit_thread *without(struct arena *arena, const struct lit_program *program,
                                        const struct lit_thread *threads, uint32_t count)
{
    struct lit_thread *bare = ARENA_ARRAY(arena, struct lit_thread, count + 1);
    for (uint32_t t = 0; t < count; t++) {
        bool *gone = ARENA_ARRAY(arena, bool, threads[t].code_count + 1);
        for (uint32_t i = 0; i < threads[t].code_count; i++)
            gone[i] = is_order(program, &threads[t].code[i]);
        bare[t] = threads[t];
        lit_code_leave_out(arena, &bare[t], gone);
    }
    return bare;
}

/* May it test them? Values alone decide some, and of what should be reached barriers only keep
 * something away. */
static bool may_test(const struct lit_condition *condition)
{
    return condition->when != LIT_FINAL && condition->quantifier != LIT_EXISTS &&
           condition->settled == LIT_UNSETTLED;
}

static bool is_ok(const struct session_case *question, const struct outcome *outcome,
                  const struct lit_condition *condition)
{
    const struct outcome_judgement judgement = outcome_judge(outcome, question->program, condition);
    return judgement.verdict == LIT_OK && !judgement.reason && !condition->refines &&
           !lit_asks_fault(condition);
}

const bool *session_bare(struct arena *arena, const struct session_case *question,
                         const struct outcome *outcome)
{
    const struct lit_program *program = question->program;
    const struct lit_condition *conditions = program->conditions;
    const uint32_t count = program->condition_count;
    struct lit_program bare = *program;
    bool *answers = ARENA_ARRAY(arena, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        answers[i] = may_test(&conditions[i]);
    if (question->lost != SESSION_LOSS_NONE || !ANY(i, count, answers[i]) ||
        !ALL(i, count, !answers[i] || is_ok(question, outcome, &conditions[i])) ||
        !have_meaning(arena, question))
        return NULL;
    bare.threads = without(arena, program, program->threads, program->thread_count);
    bare.recovery = without(arena, program, program->recovery, program->recovery_count);
    bare.condition_count = 1;
    for (uint32_t i = 0; i < count; i++) {
        bare.conditions = &conditions[i];
        if (answers[i] && !holds(question, &bare))
            return NULL;
    }
    return answers;
}
