#include "cli/cli_explain_recovery.h"

#include "engine/recheck.h"
#include "litmus/lit_code.h"
#include "smt/smt_explain.h"

#include <string.h>

#define ENGINE "enum"

/* ---- What would mend it ---- */

static struct outcome ask(const struct cli_case *question, const struct lit_program *program,
                          bool decide)
{
    struct cli_options options = *question->options;
    struct cli_case asked = *question;
    struct strbuf unused = {0};
    struct outcome outcome;
    options.settings.engine = ENGINE;
    options.settings.decide = decide;
    options.dump_exec = false;
    asked.options = &options;
    asked.program = program;
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
    struct explanation *explanation;
    struct explanation_gap *gap;
};

/* The code that the gap is in. */
static struct lit_program code_of(const struct mending *m)
{
    return m->in_recovery ? lit_recovery_program(m->question->program) : *m->question->program;
}

static enum explanation_mend mend_of(const struct outcome_judgement *judgement)
{
    if (judgement->vacuous)
        return EXPLANATION_MEND_VACUOUS;
    switch (judgement->verdict) {
    case LIT_OK: return EXPLANATION_MEND_HOLDS;
    case LIT_VIOLATED: return EXPLANATION_MEND_VIOLATED;
    case LIT_UNDEFINED: return EXPLANATION_MEND_UNDEFINED;
    default: return EXPLANATION_MEND_UNKNOWN;
    }
}

/* What becomes of the condition with this code. */
static enum explanation_mend result_with(const struct mending *m, const struct lit_program *mended)
{
    struct lit_program program = with_condition(m->question->program, m->index);
    if (m->in_recovery)
        program.recovery = mended->threads;
    else
        program.threads = mended->threads;
    struct outcome outcome = ask(m->question, &program, true);
    struct outcome_judgement judgement = outcome_judge(&outcome, &program, &program.conditions[0]);
    outcome_fini(&outcome);
    return mend_of(&judgement);
}

/* With a new barrier before the instruction. Whether the condition holds. */
static bool try_place(const struct mending *m, uint32_t thread, uint32_t at)
{
    struct arena arena;
    arena_init(&arena);
    const struct lit_program code = code_of(m);
    struct explanation_try tried = {
        .scope = LIT_SCOPE_WI, .before_line = code.threads[thread].code[at].span.line};
    tried.result = result_with(m, explanation_mended(&arena, &code, thread, at, tried.scope));
    arena_fini(&arena);
    VEC_PUSH(&m->gap->tries, tried);
    return tried.result == EXPLANATION_MEND_HOLDS;
}

/* Lines of barriers that have another scope than they had, but for the gap's own. */
static void find_widened(const struct mending *m, const struct lit_program *code,
                         const struct lit_program *mended, struct explanation_try *tried)
{
    uint32_t *lines = NULL;
    for (uint32_t t = 0; t < code->thread_count; t++)
        for (uint32_t i = 0; i < code->threads[t].code_count; i++) {
            const struct lit_instr *was = &code->threads[t].code[i];
            if (was->scope == mended->threads[t].code[i].scope || was == m->gap->barrier_instr)
                continue;
            if (!lines)
                lines = ARENA_ARRAY(&m->explanation->arena, uint32_t, code->thread_count);
            lines[tried->widened_count++] = was->span.line;
        }
    tried->widened = lines;
}

/* With the gap's barrier, and what takes its place, as wide as this. Whether the condition holds. */
static bool try_scope(const struct mending *m, enum lit_scope scope)
{
    struct arena arena;
    arena_init(&arena);
    const struct lit_program code = code_of(m);
    const struct lit_program *mended = explanation_widened(&arena, &code, m->gap, scope);
    struct explanation_try tried = {.scope = scope, .result = result_with(m, mended)};
    find_widened(m, &code, mended, &tried);
    arena_fini(&arena);
    VEC_PUSH(&m->gap->tries, tried);
    return tried.result == EXPLANATION_MEND_HOLDS;
}

/* In one work-item; where the writes are of two, and no barrier is between. */
enum { MOST_PLACES = 16, MOST_PLACES_OF_TWO = 4 };

static bool is_in_await(const struct lit_thread *thread, uint32_t at)
{
    for (uint32_t i = 0; i < thread->code_count; i++)
        if (thread->code[i].op == LIT_AWAIT && thread->code[i].begin <= at &&
            at < thread->code[i].target)
            return true;
    return false;
}

/* Does a statement begin here that accesses memory? Within one there is no line for a barrier. With
 * one among what it reads a wait would not only wait; where it stores it has waited. */
static bool is_place(const struct lit_thread *thread, uint32_t at)
{
    bool accesses = lit_code_waits_from(thread, at);
    if (thread->code[at].within)
        return false;
    for (uint32_t i = at; i == at || (i < thread->code_count && thread->code[i].within); i++)
        accesses |= thread->code[i].op == LIT_STORE ||
                    (lit_instruction_accesses(thread->code[i].op) && !is_in_await(thread, i));
    return accesses;
}

/* Places for a new barrier: before each statement with an access, from the later write back to the earlier one; in a
 * loop, where the earlier one may stand behind it, back to the start. */
static void try_places(const struct mending *m)
{
    const struct explanation_gap *gap = m->gap;
    const struct lit_program program = code_of(m);
    const struct lit_thread *thread = &program.threads[gap->threads[1]];
    const struct lit_instr *code = thread->code;
    uint32_t first = (uint32_t)(gap->instrs[0] - code), last = (uint32_t)(gap->instrs[1] - code);
    uint32_t end = first < last ? first + 1 : 0;
    for (uint32_t at = last + 1; at-- > end && gap->tries.count < MOST_PLACES;)
        if (is_place(thread, at) && try_place(m, gap->threads[1], at))
            return;
}

/* Where another work-item has the later write: before the accesses behind the earlier one, such as
 * the release that tells of it. */
static void try_places_behind(const struct mending *m)
{
    const struct explanation_gap *gap = m->gap;
    const struct lit_program program = code_of(m);
    const struct lit_thread *thread = &program.threads[gap->threads[0]];
    uint32_t first = (uint32_t)(gap->instrs[0] - thread->code), tried = 0;
    for (uint32_t at = first + 1; at < thread->code_count; at++)
        if (is_place(thread, at) &&
            (++tried > MOST_PLACES_OF_TWO || try_place(m, gap->threads[0], at)))
            return;
}

/* Whether the condition holds with one of them. */
static bool try_scopes(const struct mending *m)
{
    if (m->gap->has_barrier)
        for (enum lit_scope s = m->gap->barrier_scope + 1; s <= m->gap->scope; s++)
            if (try_scope(m, s))
                return true;
    return false;
}

static void mend_all(const struct cli_case *question, uint32_t index, bool in_recovery,
                     struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct mending m = {question, index, in_recovery, explanation,
                                  &explanation->gaps.items[i]};
        if (m.gap->threads[0] == m.gap->threads[1])
            try_places(&m);
        else if (!try_scopes(&m))
            try_places_behind(&m);
    }
}

/* Is there a gap among the first that the same barrier closes for the same write? */
static bool is_repeated(const struct explanation *explanation, size_t count,
                        const struct explanation_gap *gap)
{
    const struct explanation_gap *gaps = explanation->gaps.items;
    for (size_t i = 0; i < count; i++)
        if (gaps[i].instrs[0] == gap->instrs[0] &&
            VEC_LAST(&gaps[i].tries).before_line == VEC_LAST(&gap->tries).before_line)
            return true;
    return false;
}

static bool is_mended(const struct explanation *explanation)
{
    for (size_t i = 0; i < explanation->gaps.count; i++)
        if (explanation_is_mended(&explanation->gaps.items[i]))
            return true;
    return false;
}

/* Those that mend the condition; without any the next durable write behind each lost one. */
static void choose_gaps(struct explanation *explanation)
{
    size_t kept = 0;
    bool holds = is_mended(explanation);
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        struct explanation_gap gap = explanation->gaps.items[i];
        if (holds ? explanation_is_mended(&gap) && !is_repeated(explanation, kept, &gap)
                  : gap.next)
            explanation->gaps.items[kept++] = gap;
        else
            VEC_FREE(&gap.tries);
    }
    explanation->gaps.count = kept;
}

void cli_explain_mend(const struct cli_case *question, uint32_t index,
                      struct explanation *explanation)
{
    if (question->program->conditions[index].quantifier == LIT_EXISTS)
        explanation_clear_gaps(explanation); /* it is as it should be */
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

/* If a barrier at one crash makes the condition hold, others are no matter of order. */
static void choose_crashes(struct cli_recovery_explained *x)
{
    bool some = false;
    for (uint32_t i = 0; i < x->count; i++)
        some = some || is_mended(&x->parts[i]);
    for (uint32_t i = 0; some && i < x->count; i++)
        if (!is_mended(&x->parts[i]))
            explanation_clear_gaps(&x->parts[i]);
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
            explanation_clear_gaps(&x->parts[i]);
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
