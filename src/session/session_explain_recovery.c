/* An engine that lists finds the chain. Each crash on it is a question of its own: can this very
 * crash state be reached by the program, or by the run of recovery in which it comes? */
#include "engine/recheck.h"
#include "session/session_engines.h"
#include "session/session_explain.h"

/* `exists` this very crash state. */
static const struct lit_condition *
state_as_condition(struct arena *arena, const struct outcome_states *states, const int64_t *row)
{
    struct lit_condition *condition = ARENA_NEW(arena, struct lit_condition);
    static const struct lit_prop any = {.op = LIT_PROP_TRUE};
    const struct lit_prop *all = lit_prop_row(arena, states->items, row, states->width);
    *condition = (struct lit_condition){.when = LIT_CRASHED,
                                        .quantifier = LIT_EXISTS,
                                        .prop = all ? all : &any,
                                        .text = "the crash state"};
    return condition;
}

/* Recovery of a crash state, as a program. */
static const struct lit_program *recovery_of(struct arena *arena,
                                             const struct session_case *question,
                                             const struct outcome_states *states,
                                             const int64_t *start)
{
    struct lit_program *program = ARENA_NEW(arena, struct lit_program);
    *program = lit_recovery_program(question->program);
    struct lit_location *locations =
        arena_copy(arena, program->locations, program->location_count * sizeof *locations);
    for (uint32_t i = 0; i < states->width; i++)
        locations[states->items[i].location].init = start[i];
    program->locations = locations;
    return program;
}

static void explain_crash(const struct session_case *question, const struct lit_program *program,
                          enum exec_crash_mode mode, const struct lit_condition *state,
                          struct explanation *explanation)
{
    struct engine_request request = session_case_request(question);
    request.program = program;
    request.crash_mode = mode;
    request.on_witness = session_explain_recheck;
    struct recheck *recheck = recheck_new(&request);
    request.context = recheck;
    session_engine_explaining->explain(&request, state, explanation);
    recheck_free(recheck);
}

/* The part of the time for how crash states come about, by each of two engines; advice has the rest. */
#define CRASHES 0.25

/* Once more by the engine that lists, which has found the state. */
struct listed {
    struct explanation *explanation;
    bool done;
};

static void on_listed(void *context, const struct engine_request *request,
                      const struct engine_witness *witness)
{
    struct listed *listed = context;
    if (listed->done)
        return;
    explanation_show(listed->explanation, request, witness);
    explanation_find_why_not(listed->explanation, request, witness);
    listed->explanation->answer = EXPLANATION_REACHABLE;
    listed->done = true;
}

static void explain_as_listed(const struct session_explained *x, const int64_t *start,
                              struct explanation *explanation)
{
    struct listed listed = {explanation, false};
    const struct session_view view = {.on_witness = on_listed, .context = &listed};
    const struct session_sought sought = {true, start, x->outcome->starts.width};
    struct session_case asked = x->question;
    asked.clock = clock_limit_part(&asked.clock, CRASHES);
    session_run_for(&asked, x->engine, &sought, &view);
}

/* What follows a crash on the chain, and the condition that its end decides. */
struct sequel {
    const struct lit_program *program;
    const struct lit_condition *condition;
    const struct outcome_link *links;
    uint32_t count;
};

/* Does the next run read the location as the crash left it? */
static bool reads(const struct outcome_link *link, uint32_t location)
{
    EACH (const struct outcome_step, step, link->steps, link->step_count)
        if (step->is_read && step->source.thread == LIT_NONE && step->source.location == location)
            return true;
    return false;
}

/* Is what the crash left in the location still there in the end, and in the condition? */
static bool shows(const struct sequel *sequel, uint32_t location)
{
    for (uint32_t i = 0; i < sequel->count; i++)
        EACH (const struct outcome_step, step, sequel->links[i].steps, sequel->links[i].step_count)
            if (!step->is_read && !step->lost && step->has_value &&
                step->event.location == location)
                return false;
    return lit_prop_names(sequel->condition->prop, location);
}

/* Of the gaps those about what the next run reads, or what the recovered state still shows, if
 * there are any. */
static void keep_needed(const struct sequel *sequel, struct explanation *explanation)
{
    size_t kept = 0;
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap gap = explanation->gaps.items[i];
        if (reads(sequel->links, gap.location) || shows(sequel, gap.location)) {
            explanation->gaps.items[i] = explanation->gaps.items[kept];
            explanation->gaps.items[kept++] = gap;
        }
    }
    if (kept)
        explanation->gaps.count = kept;
}

static void explain_chain(struct session_explained *x, const struct outcome_link *links,
                          uint32_t count)
{
    struct session_case part = x->question;
    const struct session_case *question = &part;
    const struct outcome_states *crash = &x->outcome->starts;
    part.clock = clock_limit_part(&part.clock, CRASHES);
    x->parts = ARENA_ARRAY(&x->arena, struct explanation, count);
    x->crashes = ARENA_ARRAY(&x->arena, struct explanation_crash, count);
    for (; x->crash_count < count; x->crash_count++) {
        uint32_t i = x->crash_count;
        const struct lit_program *program =
            i ? recovery_of(&x->arena, question, crash, links[i - 1].start) : question->program;
        enum exec_crash_mode mode =
            i ? EXEC_CRASH_ANYWHERE : session_crash_mode(question->settings, question->program);
        explanation_init(&x->parts[i]);
        x->parts[i].about = x->condition;
        explain_crash(question, program, mode, state_as_condition(&x->arena, crash, links[i].start),
                      &x->parts[i]);
        if (i == 0 && x->parts[i].answer == EXPLANATION_UNKNOWN)
            explain_as_listed(x, links[i].start, &x->parts[i]);
        if (x->condition->quantifier == LIT_EXISTS)
            explanation_clear_gaps(&x->parts[i]);
        else if (i == 0)
            explanation_mark_unchanged(&x->parts[i], program);
        const struct sequel sequel = {program, x->condition, &links[i], count - i};
        keep_needed(&sequel, &x->parts[i]);
        x->crashes[i] = (struct explanation_crash){program, &x->parts[i]};
    }
}

/* A livelock that the program itself can leave, else any. */
static struct outcome_link livelock_of(const struct outcome *outcome)
{
    size_t chosen = 0;
    for (size_t i = outcome->livelocks.count; i-- > 0;)
        if (outcome_crash_leaves(outcome, outcome_row(&outcome->livelocks, i)))
            chosen = i;
    return (struct outcome_link){.start = outcome_row(&outcome->livelocks, chosen)};
}

/* Lists, within half of the time that is left; where that did not do, what was decided. */
static void list(struct session_explained *x, uint32_t index, const struct outcome *decided)
{
    struct session_case asked = x->question;
    asked.clock = clock_limit_part(&asked.clock, 0.5);
    session_run_as(&asked, x->engine, asked.program, false, &x->own);
    const bool found = x->own.livelocks.count || (x->own.chains && x->own.chains[index].recovered);
    x->outcome = !found && outcome_recovery_doubt(&x->own) ? decided : &x->own;
}

void session_explain_recovery(struct session_explained *x, uint32_t index,
                              const struct outcome *decided)
{
    x->engine = session_engine_alone;
    explanation_init(&x->explanation);
    list(x, index, decided);
    const struct outcome_chain *chain = x->outcome->chains ? &x->outcome->chains[index] : NULL;
    const char *doubt = outcome_recovery_doubt(x->outcome);
    x->explanation.answer = EXPLANATION_REACHABLE;
    if (x->outcome->livelocks.count) {
        const struct outcome_link livelock = livelock_of(x->outcome);
        if (outcome_crash_leaves(x->outcome, livelock.start))
            explain_chain(x, &livelock, 1);
    } else if (chain && chain->recovered) {
        explain_chain(x, chain->links, chain->link_count);
    } else {
        x->explanation.answer = doubt ? EXPLANATION_UNKNOWN : EXPLANATION_UNREACHABLE;
        x->explanation.doubt = doubt;
    }
}
