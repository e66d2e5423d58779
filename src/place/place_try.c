/* place_try: each file's text is read and asked about; the first that is refused answers for all.
 */
#include "place/place_try.h"

#include "place/place_learn.h"
#include "session/session_answers.h"
#include "session/session_filling.h"
#include "session/session_refine.h"

#include <string.h>

enum { LAST_BIT = 63 };

void place_asker_init(struct place_asker *asker, struct arena *arena,
                      const struct place_question *question)
{
    *asker = (struct place_asker){.arena = arena,
                                  .question = question,
                                  .settings = *question->settings,
                                  .clock = clock_limit_in(question->seconds),
                                  .wanted = ~UINT64_C(0)};
    asker->clock.cpu_end = question->cpu_end;
    asker->settings.engine = session_engine_choosing->name;
    asker->settings.decide = true;
    asker->settings.states = asker->settings.beside_first = false;
}

void place_asker_fini(struct place_asker *asker)
{
    for (size_t i = 0; i < asker->frames.count; i++)
        place_frame_free(asker->frames.items[i]);
    VEC_FREE(&asker->frames);
    VEC_FREE(&asker->tried);
}

void place_want(struct place_asker *asker, uint64_t conditions)
{
    if (asker->wanted != conditions)
        VEC_CLEAR(&asker->tried);
    asker->frames_take_too_long = false;
    asker->wanted = conditions;
}

bool place_read(const struct place_asker *asker, const struct sketch_filling *filling,
                uint32_t file, struct session_test *test)
{
    return session_filling_read(test, &asker->settings, asker->question->sketch, filling, file);
}

/* ---- The words of a refusal ---- */

static const char *event_words(struct arena *arena, const struct lit_program *program,
                               const struct outcome_event *event)
{
    if (event->thread == LIT_NONE)
        return arena_printf(arena, "%s (initially)", event->access);
    return arena_printf(arena, "%s (%s, line %u)", event->access,
                        outcome_thread(program, event->thread)->name, event->line);
}

/* "barrier-divergence: P0 waits in PB WG at line 5 and P1 never arrives". */
static const char *divergence_words(struct arena *arena, const struct lit_program *program,
                                    const struct outcome_undefined *undefined)
{
    const struct outcome_event *stuck = &undefined->events[0], *missing = &undefined->events[1];
    const char *absent = "too few take part to open it";
    if (undefined->event_count > 1)
        absent =
            arena_printf(arena, "%s never arrives", outcome_thread(program, missing->thread)->name);
    return arena_printf(arena, "%s: %s waits in %s at line %u and %s", undefined->name,
                        outcome_thread(program, stuck->thread)->name, stuck->access, stuck->line,
                        absent);
}

static const char *undefined_words(struct arena *arena, const struct lit_program *program,
                                   const struct outcome_undefined *undefined)
{
    if (undefined->kind == OUTCOME_DIVERGENCE)
        return divergence_words(arena, program, undefined);
    const char *events = "";
    for (uint32_t i = 0; i < undefined->event_count; i++)
        events = arena_printf(arena, "%s%s%s", events, i ? " and " : ": ",
                              event_words(arena, program, &undefined->events[i]));
    return arena_printf(arena, "%s%s", undefined->name, events);
}

/* ---- One file ---- */

/* A file of a filling, as it is asked about. */
struct asked {
    struct place_asker *asker;
    struct place_tried *tried;
    uint32_t file, first;              /* number of its first condition, through all files */
    const struct lit_program *program; /* with the conditions that are wanted */
    const uint32_t *numbers;           /* their numbers in the file */
    uint64_t *box;                     /* NULL: nothing is to be learnt */
};

static bool is_wanted(const struct place_asker *asker, uint32_t number)
{
    return number >= LAST_BIT || (asker->wanted >> number & 1);
}

/* Turns an `exists` into the demand that its state is out of reach. */
static void forbid(struct lit_condition *condition)
{
    if (condition->quantifier == LIT_EXISTS)
        condition->quantifier = LIT_NOT_EXISTS;
}

/* ---- Conditions ---- */

static bool has_same_locations(const struct lit_program *a, const struct lit_program *b)
{
    uint32_t same = 0;
    while (same < a->location_count && same < b->location_count &&
           strcmp(a->locations[same].name, b->locations[same].name) == 0)
        same++;
    return same == a->location_count && same == b->location_count;
}

/* The time of a filling, within what is left of that of the whole. */
static double seconds_within(const struct clock_limit *clock, double own)
{
    static const double none = 1e-9; /* 0 would be no limit */
    double left = clock_seconds_left(clock);
    if (left < 0)
        return none;
    return left > 0 && (own == 0 || left < own) ? left : own;
}

/* What strict persistency leaves is this filling's own. */
static const struct lit_program *settle_robust(struct arena *arena,
                                               const struct place_question *question,
                                               const struct clock_limit *clock,
                                               const struct lit_program *program,
                                               const struct lit_program *settled)
{
    struct session_settings settings = *question->settings;
    settings.engine = session_engine_choosing->name;
    settings.decide = false;
    settings.timeout_seconds = seconds_within(clock, settings.timeout_seconds);
    const struct session_case asked =
        session_case_begin(&settings, question->model, program, question->parts);
    return session_robust_again(arena, &asked, settled);
}

const struct lit_program *place_settled(struct arena *arena, const struct place_question *question,
                                        const struct clock_limit *clock, uint32_t file,
                                        const struct lit_program *program)
{
    const struct lit_program *settled = question->settled ? question->settled[file] : NULL;
    if (settled && lit_asks_property(program, LIT_PROPERTY_ROBUST))
        program = settle_robust(arena, question, clock, program, settled);
    if (!settled || !has_same_locations(program, settled))
        return program;
    struct lit_program *whole = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions =
        ARENA_ARRAY(arena, struct lit_condition, program->condition_count);
    for (uint32_t c = 0; c < program->condition_count; c++) {
        conditions[c] = program->conditions[c];
        if (conditions[c].refines && !conditions[c].property) {
            conditions[c].refines = settled->conditions[c].refines;
            conditions[c].prop = settled->conditions[c].prop;
        }
    }
    whole->conditions = conditions;
    return whole;
}

/* The program with the conditions that are wanted. */
static void choose_conditions(struct asked *a, const struct lit_program *program)
{
    struct arena *arena = a->asker->arena;
    struct lit_program *chosen = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions =
        ARENA_ARRAY(arena, struct lit_condition, program->condition_count);
    uint32_t *numbers = ARENA_ARRAY(arena, uint32_t, program->condition_count);
    chosen->condition_count = 0;
    for (uint32_t c = 0; c < program->condition_count; c++)
        if (is_wanted(a->asker, a->first + c)) {
            numbers[chosen->condition_count] = c;
            conditions[chosen->condition_count] = program->conditions[c];
            if (a->asker->question->forbidden)
                forbid(&conditions[chosen->condition_count]);
            chosen->condition_count++;
        }
    chosen->conditions = conditions;
    a->numbers = numbers;
    a->program = chosen;
}

static void answer(const struct asked *a, enum place_answer answer, enum placement_reason_kind kind,
                   const char *words)
{
    a->tried->answer = answer;
    a->tried->reason = (struct placement_reason){
        .kind = kind, .file = a->file, .condition = LIT_NONE, .words = words};
}

static void name_condition(const struct asked *a, uint32_t index)
{
    a->tried->reason.condition = a->numbers[index];
    a->tried->reason.condition_text =
        arena_strdup(a->asker->arena, a->program->conditions[index].text);
}

/* Within what is left of the time of the whole. */
static struct session_case begin(const struct asked *a, const struct session_settings *settings,
                                 const struct lit_program *program)
{
    const struct place_question *question = a->asker->question;
    struct session_case asked =
        session_case_begin(settings, question->model, program, question->parts);
    asked.clock = clock_limit_within(&asked.clock, &a->asker->clock);
    return asked;
}

static void run(const struct asked *a, const struct lit_program *program, struct outcome *outcome)
{
    const struct session_case asked = begin(a, &a->asker->settings, program);
    session_run(&asked, session_engine_choosing, outcome, NULL);
    a->asker->executions += outcome->stats.candidates;
}

static bool may_wait(const struct lit_program *program)
{
    for (uint32_t t = 0; t < program->thread_count + program->recovery_count; t++) {
        const struct lit_thread *thread = t < program->thread_count
                                              ? &program->threads[t]
                                              : &program->recovery[t - program->thread_count];
        for (uint32_t i = 0; i < thread->code_count; i++)
            if (thread->code[i].op == LIT_AWAIT)
                return true;
    }
    return false;
}

/* A lesson takes longer than the question did. Where so many in a row taught nothing, one in so many is taken. */
enum { MOST_IN_VAIN = 4, ONE_IN = 16 };

static bool is_worth_a_lesson(struct place_asker *asker)
{
    return asker->in_vain < MOST_IN_VAIN || asker->count % ONE_IN == 0;
}

/* Asks for the counterexample once more, to learn from it; first without arguments about how evenly
 * locations are shared, as fillings differ in that. */
static void learn(const struct asked *a, const struct outcome *outcome, uint32_t condition)
{
    bool learnt = !a->box || !is_worth_a_lesson(a->asker);
    const bool taught = !learnt;
    for (int brief = may_wait(a->program); !learnt && brief >= 0; brief--) {
        struct session_settings settings = a->asker->settings;
        settings.brief = brief;
        const struct session_case asked = begin(a, &settings, a->program);
        const struct place_lesson lesson = {
            .filling = &a->tried->filling,
            .file = a->file,
            .question = &asked,
            .engine = session_engine_of(session_engine_choosing, outcome),
            .condition = condition == LIT_NONE ? NULL : &a->program->conditions[condition]};
        learnt = place_learn(a->asker, &lesson, a->box);
    }
    if (taught)
        a->asker->in_vain = learnt ? 0 : a->asker->in_vain + 1;
}

/* A property is violated by a fault of its kind. */
static void answer_fault(const struct asked *a, const struct outcome *outcome, uint32_t index)
{
    size_t at = 0;
    const struct outcome_undefined *fault =
        outcome_next_fault(outcome, a->program->conditions[index].property, &at);
    answer(a, PLACE_REFUSED, PLACEMENT_VIOLATED,
           fault ? undefined_words(a->asker->arena, a->program, fault) : "");
    name_condition(a, index);
}

/* A condition that is violated. Of `robust` nothing is learnt: what is held against its states is
 * the filling's own. */
static void answer_violated(const struct asked *a, const struct outcome *outcome, uint32_t index)
{
    struct arena *arena = a->asker->arena;
    const struct lit_condition *condition = &a->program->conditions[index];
    if (lit_asks_fault(condition)) {
        answer_fault(a, outcome, index);
        return;
    }
    const struct outcome_states *states = outcome_states_of(outcome, condition->when);
    int64_t *row = ARENA_ARRAY(arena, int64_t, states->width);
    bool shown = condition->quantifier != LIT_EXISTS &&
                 outcome_find_deciding(outcome, a->program, condition, row);
    if (!shown)
        answer(a, PLACE_REFUSED, PLACEMENT_UNREACHED, "no execution comes to such a state");
    else {
        answer(a, PLACE_REFUSED, PLACEMENT_VIOLATED,
               placement_state(arena, a->program, states, row, condition->when == LIT_RECOVERED));
        if (!condition->property)
            learn(a, outcome, index);
    }
    name_condition(a, index);
}

static void judge_condition(const struct asked *a, const struct outcome *outcome, uint32_t index)
{
    const struct outcome_judgement judgement =
        outcome_judge(outcome, a->program, &a->program->conditions[index]);
    const char *why = judgement.reason ? arena_strdup(a->asker->arena, judgement.reason) : "";
    if (judgement.verdict == LIT_VIOLATED)
        answer_violated(a, outcome, index);
    else if (judgement.verdict == LIT_ERROR)
        answer(a, PLACE_REFUSED, PLACEMENT_LIVELOCK, why);
    else if (judgement.verdict == LIT_UNKNOWN && judgement.vacuous)
        answer(a, PLACE_REFUSED, PLACEMENT_VACUOUS, why);
    else if (judgement.verdict == LIT_UNKNOWN && a->tried->answer == PLACE_ACCEPTED)
        answer(a, PLACE_OPEN, PLACEMENT_UNKNOWN, why);
    else
        return;
    name_condition(a, index);
}

static void judge(const struct asked *a, const struct outcome *outcome)
{
    struct arena *arena = a->asker->arena;
    if (outcome->undefined.count) {
        answer(a, PLACE_REFUSED, PLACEMENT_UNDEFINED,
               undefined_words(arena, a->program, &outcome->undefined.items[0]));
        a->tried->reason.race = outcome_is_race(&outcome->undefined.items[0]);
        learn(a, outcome, LIT_NONE);
        return;
    }
    for (uint32_t c = 0; c < a->program->condition_count && a->tried->answer != PLACE_REFUSED; c++)
        judge_condition(a, outcome, c);
    if (a->tried->answer == PLACE_ACCEPTED && a->program->condition_count == 0 &&
        outcome_verdict(outcome, a->program) != LIT_OK)
        answer(a, PLACE_OPEN, PLACEMENT_UNKNOWN, "not decided");
    if (a->tried->answer == PLACE_ACCEPTED && outcome_flag_doubt(outcome))
        answer(a, PLACE_OPEN, PLACEMENT_UNKNOWN, outcome_flag_doubt(outcome));
}

/* Is there an execution in which every work-item ends? */
static void ask_for_an_end(const struct asked *a)
{
    static const struct lit_prop any = {.op = LIT_PROP_TRUE};
    const struct lit_condition ends = {
        .when = LIT_FINAL, .quantifier = LIT_EXISTS, .prop = &any, .text = "exists (true)"};
    struct lit_program program = *a->program;
    struct outcome outcome;
    program.conditions = &ends;
    program.condition_count = 1;
    program.filter = NULL;
    run(a, &program, &outcome);
    enum lit_verdict verdict = outcome_judge(&outcome, &program, &ends).verdict;
    if (verdict == LIT_VIOLATED)
        answer(a, PLACE_REFUSED, PLACEMENT_STUCK, "no execution runs to its end");
    else if (verdict != LIT_OK)
        answer(a, PLACE_OPEN, PLACEMENT_UNKNOWN, "whether an execution runs to its end");
    outcome_fini(&outcome);
}

static void ask_file(struct asked *a, const struct session_test *test)
{
    struct outcome outcome;
    choose_conditions(a, place_settled(a->asker->arena, a->asker->question, &a->asker->clock,
                                       a->file, test->program));
    run(a, a->program, &outcome);
    judge(a, &outcome);
    bool ended = outcome.ended;
    outcome_fini(&outcome);
    if (a->tried->answer == PLACE_ACCEPTED && !ended)
        ask_for_an_end(a);
    a->first += test->program->condition_count;
}

/* ---- All files ---- */

static const struct place_tried *find_tried(const struct place_asker *asker,
                                            const struct sketch_filling *filling)
{
    uint32_t count = asker->question->sketch->choice_count;
    return FIND(i, asker->tried.items, asker->tried.count,
                memcmp(asker->tried.items[i].filling.value, filling->value, count) == 0);
}

static bool is_over(const struct place_asker *asker)
{
    uint64_t most = asker->question->most_tried;
    return clock_is_late(&asker->clock) || (most && asker->count >= most);
}

const char *place_limit_words(const struct place_asker *asker)
{
    if (!clock_is_late(&asker->clock))
        return "more combinations were left than may be tried";
    return asker->question->out_of_time ? asker->question->out_of_time : "the time limit ran out";
}

static struct place_tried stopped(const struct place_asker *asker,
                                  const struct sketch_filling *filling)
{
    return (struct place_tried){
        *filling,
        PLACE_STOP,
        {.kind = PLACEMENT_UNKNOWN, .condition = LIT_NONE, .words = place_limit_words(asker)}};
}

/* A test may be none with a statement less. What is changed in a kernel is code in any case: that it
 * is not read says nothing about it. */
static void answer_unreadable(const struct asked *a, const char *message)
{
    const struct sketch *sketch = a->asker->question->sketch;
    const char *words = arena_strdup(a->asker->arena, message);
    if (sketch->file_count > sketch->given_count)
        answer(a, PLACE_OPEN, PLACEMENT_UNKNOWN, words);
    else
        answer(a, PLACE_REFUSED, PLACEMENT_UNREADABLE, words);
}

struct place_tried place_try(struct place_asker *asker, const struct sketch_filling *filling,
                             uint64_t *box)
{
    const struct place_tried *before = find_tried(asker, filling);
    struct place_tried tried = {.filling = *filling, .answer = PLACE_ACCEPTED};
    struct asked a = {.asker = asker, .tried = &tried, .box = box};
    if (before)
        return *before;
    if (is_over(asker))
        return stopped(asker, filling);
    asker->count++;
    for (; a.file < asker->question->sketch->given_count && tried.answer != PLACE_REFUSED;
         a.file++) {
        struct session_test test;
        if (place_read(asker, filling, a.file, &test))
            ask_file(&a, &test);
        else
            answer_unreadable(&a, diag_first_error(&test.diag)->message);
        session_test_fini(&test);
    }
    if (tried.answer == PLACE_OPEN && clock_is_late(&asker->clock))
        return stopped(asker, filling); /* by the time of the whole, not by its own */
    VEC_PUSH(&asker->tried, tried);
    return tried;
}

/* ---- All engines ---- */

struct confirming {
    struct arena *arena;
    struct placement_filling *filling;
    const char *names[SESSION_MAX_ENGINES];
    uint32_t count;
};

static void hear(struct confirming *c, const struct lit_program *program,
                 const struct engine_entry *engine, const struct outcome *outcome)
{
    const char *name = engine->name;
    const char *doubt = outcome_any_doubt(outcome);
    switch (outcome_verdict(outcome, program)) {
    case LIT_OK: break;
    case LIT_UNKNOWN:
        c->filling->unconfirmed =
            arena_printf(c->arena, "%s: %s", name, doubt ? doubt : "not decided");
        return;
    case LIT_VIOLATED:
    case LIT_UNDEFINED:
    case LIT_ERROR:
        if (!engine
                 ->trace) /* a machine that shows less than its model may lack what is asked for */
            c->filling->disputed_by = name;
        return;
    }
    for (uint32_t i = 0; i < c->count; i++)
        if (c->names[i] == name)
            return;
    c->names[c->count++] = name;
}

/* Each engine has the time of a filling. */
static void confirm_file(struct place_asker *asker, struct confirming *c,
                         const struct lit_program *program)
{
    const struct place_question *question = asker->question;
    struct session_settings settings = asker->settings;
    settings.engine = SESSION_ALL_ENGINES;
    const struct session_case asked =
        session_case_begin(&settings, question->model, program, question->parts);
    struct session_answers answers;
    session_answers_init(&answers, &asked);
    while (answers.asked < answers.count) {
        uint32_t number = answers.asked;
        settings.timeout_seconds = seconds_within(&asker->clock, asker->settings.timeout_seconds);
        (void)session_answers_ask(&answers, &asked, NULL);
        hear(c, program, answers.engines[number], &answers.outcomes[number]);
    }
    if (session_answers_compare(&answers, &asked) == SESSION_DISAGREE && !c->filling->disputed_by)
        c->filling->disputed_by = answers.engines[answers.count - 1]->name;
    session_answers_fini(&answers);
}

void place_confirm(struct place_asker *asker, struct placement_filling *filling)
{
    struct confirming c = {.arena = asker->arena, .filling = filling};
    struct asked a = {.asker = asker};
    const bool late = clock_is_late(&asker->clock);
    if (late)
        filling->unconfirmed = place_limit_words(asker);
    for (; !late && a.file < asker->question->sketch->given_count; a.file++) {
        struct session_test test;
        BASE_CHECK(place_read(asker, &filling->filling, a.file, &test));
        choose_conditions(
            &a, place_settled(asker->arena, asker->question, &asker->clock, a.file, test.program));
        confirm_file(asker, &c, a.program);
        a.first += test.program->condition_count;
        session_test_fini(&test);
    }
    filling->confirmed_by = arena_list(asker->arena, c.names, c.count);
}
