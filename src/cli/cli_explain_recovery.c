#include "cli/cli_explain_recovery.h"

#include "engine/recheck.h"
#include "smt/smt_explain.h"

#include <string.h>

#define ENGINE "enum"

/* ---- What would mend it ---- */

static struct outcome ask(const struct cli_case *question, const struct lit_program *program,
                          bool decide)
{
    struct cli_options options = *question->options;
    const struct cli_case asked = {&options, question->model, program, question->clock};
    struct strbuf unused = {0};
    struct outcome outcome;
    options.engine = ENGINE;
    options.decide = decide;
    options.dump_exec = false;
    cli_run(&asked, &outcome, &unused);
    strbuf_fini(&unused);
    return outcome;
}

/* The program with one of its conditions alone. */
static struct lit_program with_condition(const struct lit_program *program, uint32_t index)
{
    struct lit_program alone = *program;
    alone.conditions = &program->conditions[index];
    alone.condition_count = 1;
    return alone;
}

/* One condition of a test, and the gap of a crash in the test or in its recovery. */
struct mending {
    const struct cli_case *question;
    uint32_t index;
    bool in_recovery;
    struct explanation_gap *gap;
};

/* Does the condition hold with the barrier before the instruction, or with the gap's own one
 * widened (LIT_NONE)? */
static bool holds_with(const struct mending *m, uint32_t at)
{
    struct arena arena;
    arena_init(&arena);
    struct lit_program program = with_condition(m->question->program, m->index);
    const struct lit_program recovery = lit_recovery_program(&program);
    const struct lit_program *whose = m->in_recovery ? &recovery : &program;
    const struct lit_program *mended = at == LIT_NONE
                                           ? explanation_widened(&arena, whose, m->gap)
                                           : explanation_mended(&arena, whose, m->gap, at);
    if (m->in_recovery)
        program.recovery = mended->threads;
    else
        program.threads = mended->threads;
    struct outcome outcome = ask(m->question, &program, true);
    struct outcome_judgement judgement = outcome_judge(&outcome, &program, &program.conditions[0]);
    outcome_fini(&outcome);
    arena_fini(&arena);
    return judgement.verdict == LIT_OK;
}

enum { MOST_PLACES = 16 };

static bool accesses(const struct lit_instr *instr)
{
    return instr->op == LIT_LOAD || instr->op == LIT_STORE || instr->op == LIT_RMW ||
           instr->op == LIT_CAS;
}

/* Awaits do not nest: what is met first tells. */
static bool is_in_await(const struct lit_instr *code, uint32_t at)
{
    while (at-- > 0)
        if (code[at].op == LIT_AWAIT_BEGIN || code[at].op == LIT_AWAIT_END)
            return code[at].op == LIT_AWAIT_BEGIN;
    return false;
}

/* An await is a single access: a loop with a barrier in it would not only wait. */
static bool is_place(const struct lit_instr *code, uint32_t at)
{
    return code[at].op == LIT_AWAIT_BEGIN || (accesses(&code[at]) && !is_in_await(code, at));
}

/* Places for a new barrier: before each access, from the later write back to the earlier one; in a
 * loop, where the earlier one may stand behind it, back to the start. */
static void try_places(const struct mending *m)
{
    struct explanation_gap *gap = m->gap;
    const struct lit_program recovery = lit_recovery_program(m->question->program);
    const struct lit_program *whose = m->in_recovery ? &recovery : m->question->program;
    const struct lit_instr *code = whose->threads[gap->threads[1]].code;
    uint32_t first = (uint32_t)(gap->instrs[0] - code), last = (uint32_t)(gap->instrs[1] - code);
    uint32_t tried = 0, end = first < last ? first + 1 : 0;
    gap->mend = EXPLANATION_MEND_NOT_ENOUGH;
    for (uint32_t at = last + 1; at-- > end && tried < MOST_PLACES;) {
        if (!is_place(code, at))
            continue;
        tried++;
        if (holds_with(m, at)) {
            gap->mend = EXPLANATION_MEND_HOLDS;
            gap->mended_line = code[at].span.line;
            return;
        }
    }
}

static void mend_all(const struct cli_case *question, uint32_t index, bool in_recovery,
                     struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        struct mending m = {question, index, in_recovery, &explanation->gaps.items[i]};
        if (m.gap->threads[0] == m.gap->threads[1])
            try_places(&m);
        else if (m.gap->has_barrier && m.gap->barrier_scope < m.gap->scope)
            m.gap->mend =
                holds_with(&m, LIT_NONE) ? EXPLANATION_MEND_HOLDS : EXPLANATION_MEND_NOT_ENOUGH;
    }
}

/* Is there a gap before this one that the same barrier closes for the same write? */
static bool is_repeated(const struct explanation *explanation, size_t index)
{
    const struct explanation_gap *gaps = explanation->gaps.items;
    for (size_t i = 0; i < index; i++)
        if (gaps[i].mend == EXPLANATION_MEND_HOLDS && gaps[i].instrs[0] == gaps[index].instrs[0] &&
            gaps[i].mended_line == gaps[index].mended_line)
            return true;
    return false;
}

/* Those that mend the condition; without any the next durable write behind each lost one. */
static void choose_gaps(struct explanation *explanation)
{
    size_t kept = 0;
    bool holds = false;
    for (size_t i = 0; i < explanation->gaps.count; i++)
        holds = holds || explanation->gaps.items[i].mend == EXPLANATION_MEND_HOLDS;
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap gap = explanation->gaps.items[i];
        if (holds ? gap.mend == EXPLANATION_MEND_HOLDS && !is_repeated(explanation, i) : gap.next)
            explanation->gaps.items[kept++] = gap;
    }
    explanation->gaps.count = kept;
}

void cli_explain_mend(const struct cli_case *question, uint32_t index,
                      struct explanation *explanation)
{
    if (question->program->conditions[index].quantifier == LIT_EXISTS)
        VEC_CLEAR(&explanation->gaps); /* it is as it should be */
    mend_all(question, index, false, explanation);
    choose_gaps(explanation);
}

/* ---- Crashes on the chain ---- */

static const struct lit_prop *equals(struct arena *arena, const struct lit_atom *item,
                                     int64_t value)
{
    struct lit_prop *prop = ARENA_NEW(arena, struct lit_prop);
    *prop = (struct lit_prop){.op = LIT_PROP_COMPARE,
                              .compare = LIT_OP_EQ,
                              .left = *item,
                              .right = {.kind = LIT_ATOM_CONST, .value = value}};
    return prop;
}

/* `exists` this very crash state. */
static const struct lit_condition *
state_as_condition(struct arena *arena, const struct outcome_states *states, const int64_t *row)
{
    struct lit_condition *condition = ARENA_NEW(arena, struct lit_condition);
    struct lit_prop *all = ARENA_NEW(arena, struct lit_prop);
    all->op = LIT_PROP_TRUE;
    for (uint32_t i = 0; i < states->width; i++) {
        struct lit_prop *both = ARENA_NEW(arena, struct lit_prop);
        *both = (struct lit_prop){
            .op = LIT_PROP_AND, .a = all, .b = equals(arena, &states->items[i], row[i])};
        all = both;
    }
    *condition = (struct lit_condition){
        .when = LIT_CRASHED, .quantifier = LIT_EXISTS, .prop = all, .text = "the crash state"};
    return condition;
}

/* Recovery of a crash state, as a program. */
static const struct lit_program *recovery_of(struct arena *arena, const struct cli_case *question,
                                             const struct outcome_states *states,
                                             const int64_t *start)
{
    struct lit_program *program = ARENA_NEW(arena, struct lit_program);
    *program = lit_recovery_program(question->program);
    struct lit_location *locations =
        ARENA_ARRAY(arena, struct lit_location, program->location_count);
    memcpy(locations, program->locations, program->location_count * sizeof *locations);
    for (uint32_t i = 0; i < states->width; i++)
        locations[states->items[i].location].init = start[i];
    program->locations = locations;
    return program;
}

static void explain_crash(const struct cli_case *question, const struct lit_program *program,
                          enum exec_crash_mode mode, const struct lit_condition *state,
                          struct explanation *explanation)
{
    struct engine_request request = cli_case_request(question);
    request.program = program;
    request.crash_mode = mode;
    request.on_witness = cli_explain_on_witness;
    struct recheck *recheck = recheck_new(&request);
    request.context = recheck;
    smt_explain(&request, state, explanation);
    recheck_free(recheck);
}

/* What follows a crash on the chain, and the condition that its end decides. */
struct sequel {
    const struct lit_program *program;
    const struct lit_condition *condition;
    const struct outcome_link *links;
    uint32_t count;
};

/* Does the next run read the location as the crash left it? */
static bool reads(const struct outcome_link *link, const char *location)
{
    for (uint32_t i = 0; i < link->step_count; i++) {
        const struct outcome_step *step = &link->steps[i];
        if (step->is_read && step->source.thread == LIT_NONE &&
            strcmp(step->source.access + 2, location) == 0)
            return true;
    }
    return false;
}

struct mention {
    uint32_t location;
    bool found;
};

static void on_atom(void *context, const struct lit_atom *atom)
{
    struct mention *mention = context;
    mention->found |= atom->kind == LIT_ATOM_LOCATION && atom->location == mention->location;
}

/* Is what the crash left in the location still there in the end, and in the condition? */
static bool shows(const struct sequel *sequel, uint32_t location)
{
    const char *name = sequel->program->locations[location].name;
    struct mention mention = {location, false};
    lit_prop_each_atom(sequel->condition->prop, on_atom, &mention);
    for (uint32_t i = 0; i < sequel->count; i++)
        for (uint32_t k = 0; k < sequel->links[i].step_count; k++) {
            const struct outcome_step *step = &sequel->links[i].steps[k];
            if (!step->is_read && !step->lost && step->has_value &&
                strcmp(step->event.access + 2, name) == 0)
                return false;
        }
    return mention.found;
}

/* Of the gaps those about what the next run reads, or what the recovered state still shows, if
 * there are any. */
static void keep_needed(const struct sequel *sequel, struct explanation *explanation)
{
    size_t kept = 0;
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap gap = explanation->gaps.items[i];
        if (reads(sequel->links, sequel->program->locations[gap.location].name) ||
            shows(sequel, gap.location)) {
            explanation->gaps.items[i] = explanation->gaps.items[kept];
            explanation->gaps.items[kept++] = gap;
        }
    }
    if (kept)
        explanation->gaps.count = kept;
}

static bool is_mended(const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++)
        if (explanation->gaps.items[i].mend == EXPLANATION_MEND_HOLDS)
            return true;
    return false;
}

/* If a barrier at one crash makes the condition hold, others are no matter of order. */
static void choose_crashes(struct cli_recovery_explained *x)
{
    bool some = false;
    for (uint32_t i = 0; i < x->count; i++)
        some = some || is_mended(&x->parts[i]);
    for (uint32_t i = 0; some && i < x->count; i++)
        if (!is_mended(&x->parts[i]))
            VEC_CLEAR(&x->parts[i].gaps);
}

static void explain_chain(const struct cli_case *question, uint32_t index,
                          const struct outcome_link *links, uint32_t count,
                          struct cli_recovery_explained *x)
{
    const struct outcome_states *crash = &x->outcome.crash;
    x->parts = ARENA_ARRAY(&x->arena, struct explanation, count);
    x->crashes = ARENA_ARRAY(&x->arena, struct report_crash, count);
    for (; x->count < count; x->count++) {
        uint32_t i = x->count;
        const struct lit_program *program =
            i ? recovery_of(&x->arena, question, crash, links[i - 1].start) : question->program;
        enum exec_crash_mode mode =
            i ? EXEC_CRASH_ANYWHERE : cli_crash_mode(question->options, question->program);
        explanation_init(&x->parts[i]);
        explain_crash(question, program, mode, state_as_condition(&x->arena, crash, links[i].start),
                      &x->parts[i]);
        if (question->program->conditions[index].quantifier == LIT_EXISTS)
            VEC_CLEAR(&x->parts[i].gaps);
        const struct sequel sequel = {program, &question->program->conditions[index], &links[i],
                                      count - i};
        keep_needed(&sequel, &x->parts[i]);
        mend_all(question, index, i > 0, &x->parts[i]);
        choose_gaps(&x->parts[i]);
        x->crashes[i] = (struct report_crash){program, &x->parts[i]};
    }
    choose_crashes(x);
}

/* A livelock that the program itself can leave, else any. */
static struct outcome_link livelock_of(const struct outcome *outcome)
{
    size_t chosen = 0;
    for (size_t i = outcome->livelocks.count; i-- > 0;)
        if (outcome_has_state(&outcome->crash, outcome_row(&outcome->livelocks, i)))
            chosen = i;
    return (struct outcome_link){.start = outcome_row(&outcome->livelocks, chosen)};
}

void cli_explain_recovery(const struct cli_case *question, uint32_t index,
                          struct cli_recovery_explained *x)
{
    *x = (struct cli_recovery_explained){.engine = ENGINE};
    arena_init(&x->arena);
    explanation_init(&x->explanation);
    x->outcome = ask(question, question->program, false);
    const struct outcome_chain *chain = &x->outcome.chains[index];
    const char *doubt = outcome_recovery_doubt(&x->outcome);
    x->explanation.answer = EXPLANATION_REACHABLE;
    if (x->outcome.livelocks.count) {
        const struct outcome_link livelock = livelock_of(&x->outcome);
        if (outcome_has_state(&x->outcome.crash, livelock.start))
            explain_chain(question, index, &livelock, 1, x);
    } else if (chain->recovered) {
        explain_chain(question, index, chain->links, chain->link_count, x);
    } else {
        x->explanation.answer = doubt ? EXPLANATION_UNKNOWN : EXPLANATION_UNREACHABLE;
        x->explanation.doubt = doubt;
    }
}

void cli_recovery_explained_fini(struct cli_recovery_explained *x)
{
    for (uint32_t i = 0; i < x->count; i++)
        explanation_fini(&x->parts[i]);
    explanation_fini(&x->explanation);
    outcome_fini(&x->outcome);
    arena_fini(&x->arena);
}
