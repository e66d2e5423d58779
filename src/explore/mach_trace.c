/* The search keeps only numbers of states and kinds of steps. Then the run is performed once more
 * from the start, with everything recorded. */
#include "explore/mach_engine.h"

#include "base/team.h"
#include "litmus/lit_code.h"
#include "explore/mach_explore.h"
#include "machine/mach_instr.h"
#include "explore/mach_observe.h"
#include "machine/mach_view.h"

#include <string.h>

struct search {
    const struct engine_request *request;
    const struct trace_goal *goal;
    struct trace *trace;
    struct mach_test test;
    struct mach_observer observer;
    uint64_t found; /* the state's number */
    /* Of a goal that recovery comes to: */
    struct outcome columns;
    struct outcome_states tried; /* images of memory that recovery was begun on */
    const int64_t *start;        /* the one from which it comes there */
    struct trace led;            /* its run */
    const char *doubt;           /* why there may be one that was not found */
};

/* ---- A step ---- */

/* The instruction's own text; of one that stands on several lines the first. */
static const char *source_text(struct arena *arena, const struct lit_instr *instr)
{
    size_t length, from = instr->span.column ? instr->span.column - 1 : 0;
    const char *line = source_line(instr->span.source, instr->span.line, &length);
    if (instr->span.end_line == instr->span.line && instr->span.end_column - 1 <= length)
        length = instr->span.end_column - 1;
    while (from < length && strchr(" \t", line[from]))
        from++;
    while (length > from && strchr(" \t\r", line[length - 1]))
        length--;
    return arena_strndup(arena, line + from, length - from);
}

struct note {
    struct arena *arena;
    const char *text;
};

static void add_note(struct note *note, const char *text)
{
    note->text = *note->text ? arena_printf(note->arena, "%s; %s", note->text, text) : text;
}

/* "r1 = 1", or "reads 1" when the value is not kept in a register with a name. */
static void note_read(const struct mach_test *test, const uint8_t *state, uint32_t thread,
                      const struct lit_instr *instr, struct note *note)
{
    BASE_ASSERT(thread < test->program->thread_count);
    uint32_t reg = lit_code_into(instr);
    if (!lit_instruction_reads(instr->op) || reg == LIT_NONE)
        return;
    const struct lit_register *r = &test->program->threads[thread].registers[reg];
    struct strbuf text = {0};
    strbuf_printf(&text, r->name ? "%s = " : "reads ", r->name);
    lit_value_print(r->type, mach_register(test, state, thread, reg), &text);
    add_note(note, strbuf_take(&text, note->arena));
}

static bool is_held(enum mach_status status)
{
    return status == MACH_WAITING || mach_is_stalled(status);
}

/* "P0 and P1 go on": who was held up before. */
static void note_released(const struct mach_test *test, const uint8_t *before, const uint8_t *after,
                          struct note *note)
{
    const char *names[MACH_MAX_THREADS];
    uint32_t count = 0;
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        if (is_held(mach_status(test, before, t)) && !is_held(mach_status(test, after, t)))
            names[count++] = test->program->threads[t].name;
    if (count)
        add_note(note, arena_printf(note->arena, "%s %s on", arena_list(note->arena, names, count),
                                    count > 1 ? "go" : "goes"));
}

/* Where a work-item stands, or behind what it is stalled; NULL: it is done. */
static const struct lit_instr *instr_of(const struct mach_test *test, const uint8_t *state,
                                        uint32_t thread)
{
    return mach_status(test, state, thread) == MACH_STALLED_BEHIND
               ? test->machine->behind(test, state, thread)
               : mach_instr(test, state, thread);
}

static void tell_thread(const struct mach_test *test, const uint8_t *before, const uint8_t *after,
                        struct trace_step *step, struct note *note)
{
    const struct lit_instr *instr = instr_of(test, before, step->thread);
    step->line = instr->span.line;
    step->source = source_text(note->arena, instr);
    if (mach_status(test, before, step->thread) != MACH_RUNNING)
        return;
    note_read(test, after, step->thread, instr, note);
    if (mach_status(test, after, step->thread) == MACH_WAITING) {
        step->kind = "arrives";
        if (!mach_all_wait(test, after, step->thread))
            add_note(note, "waits for its scope");
    }
}

/* ---- A state ---- */

static const struct trace_thread *view_threads(struct arena *arena, const struct mach_test *test,
                                               const uint8_t *state)
{
    static const char *const statuses[] = {"running", "waiting", "stalled",
                                           "stalled", "done",    "faulted"};
    const struct lit_program *program = test->program;
    struct trace_thread *threads = ARENA_ARRAY(arena, struct trace_thread, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        uint32_t count = program->threads[t].register_count;
        int64_t *registers = ARENA_ARRAY(arena, int64_t, count);
        const struct lit_instr *instr = instr_of(test, state, t);
        for (uint32_t r = 0; r < count; r++)
            registers[r] = mach_register(test, state, t, r);
        threads[t] = (struct trace_thread){statuses[mach_status(test, state, t)],
                                           instr ? instr->span.line : 0, registers};
    }
    return threads;
}

static void view_state(const struct search *s, struct mach_view *view, const uint8_t *state,
                       struct trace_step *step)
{
    step->parts = mach_view_state(view, state, &step->part_count);
    step->threads = view_threads(view->arena, &s->test, state);
}

/* ---- A crash, and recovery ---- */

/* Shortest runs of recovery from the images of memory that steps leave. */
struct aftermath {
    struct outcome columns;
    VEC(const int64_t *) images; /* in columns of `starts`, one a recovery */
};

/* What the observed state leaves. */
static int64_t *image_of(const struct search *s, const struct outcome_states *starts)
{
    int64_t *image = ARENA_ARRAY(&s->trace->arena, int64_t, starts->width);
    for (uint32_t i = 0; i < starts->width; i++)
        image[i] = mach_look_up(&s->observer, &starts->items[i]);
    return image;
}

/* Which recovery begins with what the observed state leaves; LIT_NONE: there is no room. */
static uint32_t find_recovery(struct search *s, struct aftermath *after)
{
    struct trace *trace = s->trace;
    const struct outcome_states *starts = &after->columns.starts;
    const int64_t *image = image_of(s, starts);
    for (uint32_t k = 0; k < after->images.count; k++)
        if (memcmp(after->images.items[k], image, starts->width * sizeof *image) == 0)
            return k;
    trace->recoveries_missing |= after->images.count == TRACE_MOST_RECOVERIES;
    if (trace->recoveries_missing)
        return LIT_NONE;
    VEC_PUSH(&after->images, image);
    return (uint32_t)after->images.count - 1;
}

static void view_crash(struct search *s, const uint8_t *state, struct aftermath *after,
                       struct trace_step *step)
{
    struct trace *trace = s->trace;
    int64_t *row = ARENA_ARRAY(&trace->arena, int64_t, trace->left_width);
    mach_observe(&s->observer, state);
    s->observer.final = false;
    step->recovery = LIT_NONE;
    if (!mach_may_crash(&s->observer))
        return;
    for (uint32_t i = 0; i < trace->left_width; i++)
        row[i] = mach_look_up(&s->observer, &trace->left[i]);
    step->leaves = row;
    if (s->request->program->recovery_count)
        step->recovery = find_recovery(s, after);
}

/* To a goal, on the same machine: NVM as the crash left it, all else as it is at first. */
static void recover(const struct search *s, const struct outcome_states *starts,
                    const int64_t *image, const struct trace_goal *goal, struct trace *trace)
{
    const struct lit_program *test = s->request->program;
    struct engine_request request = *s->request;
    trace_init(trace);
    struct lit_program *program = ARENA_NEW(&trace->arena, struct lit_program);
    struct lit_location *locations =
        arena_copy(&trace->arena, test->locations, test->location_count * sizeof *test->locations);
    for (uint32_t i = 0; i < starts->width; i++)
        locations[starts->items[i].location].init = image[i];
    *program = lit_recovery_program(test);
    program->locations = locations;
    request.program = program;
    request.crash_mode = EXEC_CRASH_END;
    request.symmetry = NULL;
    mach_trace(&request, goal, trace);
}

/* Does recovery come to the goal from what the observed state leaves? */
static bool leads(struct search *s)
{
    const struct trace_goal goal = {LIT_FINAL, s->goal->prop, s->goal->wanted};
    const struct outcome_states *starts = &s->columns.starts;
    const struct arena_mark mark = arena_mark(&s->trace->arena);
    const int64_t *image = image_of(s, starts);
    bool is_new = outcome_add_state(&s->tried, image);
    if (is_new)
        recover(s, starts, image, &goal, &s->led);
    bool found = is_new && s->led.answer == TRACE_FOUND;
    if (is_new && !found) {
        s->doubt = s->led.answer == TRACE_UNKNOWN ? s->led.doubt : s->doubt;
        trace_fini(&s->led);
    }
    if (found)
        s->start = image;
    else
        arena_rewind(&s->trace->arena, mark);
    return found;
}

static void recover_all(const struct search *s, const struct aftermath *after)
{
    struct trace *trace = s->trace;
    uint32_t count = (uint32_t)after->images.count;
    const struct trace_goal any_end = {.when = LIT_FINAL, .wanted = true};
    trace->recoveries = ARENA_ARRAY(&trace->arena, struct trace, count);
    trace->recovery_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 && s->goal->when == LIT_RECOVERED)
            trace->recoveries[i] = s->led;
        else
            recover(s, &after->columns.starts, after->images.items[i], &any_end,
                    &trace->recoveries[i]);
}

static void aftermath_init(struct aftermath *after, struct search *s)
{
    struct trace *trace = s->trace;
    *after = (struct aftermath){.images = {0}};
    outcome_init(&after->columns, s->test.program);
    trace->left_width = after->columns.crash.width;
    trace->left = arena_copy(&trace->arena, after->columns.crash.items,
                             trace->left_width * sizeof *trace->left);
    if (s->goal->when == LIT_RECOVERED) /* that of the state that was found */
        VEC_PUSH(&after->images, s->start);
}

static void aftermath_fini(struct aftermath *after)
{
    outcome_fini(&after->columns);
    VEC_FREE(&after->images);
}

/* ---- The run ---- */

/* Performs the run once more and writes it down. */
static void replay(struct search *s, const struct mach_step *steps)
{
    uint8_t before[MACH_MAX_STATE], state[MACH_MAX_STATE] = {0};
    struct trace *trace = s->trace;
    struct mach_view view;
    SCOPED(aftermath) after;
    const struct machine *machine = s->test.machine;
    aftermath_init(&after, s);
    mach_view_init(&view, &trace->arena, &s->test);
    machine->start(&s->test, state);
    trace->steps[0] =
        (struct trace_step){.kind = "start", .actor = "", .text = "", .thread = LIT_NONE};
    view_state(s, &view, state, &trace->steps[0]);
    view_crash(s, state, &after, &trace->steps[0]);
    for (uint32_t i = 1; i < trace->count; i++) {
        struct trace_step *step = &trace->steps[i];
        memcpy(before, state, s->test.size);
        machine->tell(&s->test, before, steps[i - 1], &view);
        BASE_CHECK(machine->perform(&s->test, state, steps[i - 1]));
        *step = view.told;
        struct note note = {&trace->arena, step->text};
        if (step->thread != LIT_NONE)
            tell_thread(&s->test, before, state, step, &note);
        note_released(&s->test, before, state, &note);
        step->text = note.text;
        view_state(s, &view, state, step);
        view_crash(s, state, &after, step);
    }
    mach_view_fini(&view);
    recover_all(s, &after);
}

/* ---- All of it ---- */

static void take_row(const struct search *s)
{
    struct outcome outcome; /* for its columns */
    struct trace *trace = s->trace;
    if (s->goal->when == LIT_RECOVERED) {
        trace->items = s->led.items;
        trace->row = s->led.row;
        trace->width = s->led.width;
        return;
    }
    outcome_init(&outcome, s->test.program);
    const struct outcome_states *states =
        s->goal->when == LIT_CRASHED ? &outcome.crash : &outcome.final;
    struct lit_atom *items = ARENA_ARRAY(&trace->arena, struct lit_atom, states->width);
    int64_t *row = ARENA_ARRAY(&trace->arena, int64_t, states->width);
    for (uint32_t i = 0; i < states->width; i++) {
        items[i] = states->items[i];
        row[i] = mach_look_up(&s->observer, &items[i]);
    }
    trace->items = items;
    trace->row = row;
    trace->width = states->width;
    outcome_fini(&outcome);
}

/* Is it one that is looked for, or that recovery may lead on from? In any thread, the context is
 * the search. */
static uint8_t is_goal(void *context, struct mach_test *test, const uint8_t *state, bool final)
{
    const struct search *s = context;
    const struct trace_goal *goal = s->goal;
    uint8_t room[MACH_MAX_STATE];
    struct mach_observer observer = s->observer;
    (void) final;
    observer.test = test;
    observer.room = room;
    if (!mach_observe(&observer, state))
        return MACH_VISIT;
    bool shows = goal->when == LIT_FINAL ? mach_is_final(&observer) : mach_may_crash(&observer);
    bool later = goal->when == LIT_RECOVERED; /* seen when the state is visited */
    return shows && (!goal->prop || later ||
                     outcome_prop_holds(test->program, goal->prop, mach_look_up, &observer) ==
                         goal->wanted)
               ? MACH_VISIT
               : 0;
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct search *s = context;
    if (!is_goal(s, &s->test, state, final))
        return true;
    mach_observe(&s->observer, state);
    if (s->goal->when == LIT_RECOVERED && !leads(s))
        return true;
    s->trace->answer = TRACE_FOUND;
    s->found = number;
    take_row(s);
    return false;
}

static void write_down(struct search *s, const struct mach_exploration *e)
{
    struct trace *trace = s->trace;
    uint32_t length = mach_path(e, s->found, NULL, 0);
    struct mach_step *steps = ARENA_ARRAY(&trace->arena, struct mach_step, length);
    mach_path(e, s->found, steps, length);
    trace->count = length + 1;
    trace->steps = ARENA_ARRAY(&trace->arena, struct trace_step, trace->count);
    replay(s, steps);
}

/* That there is no such state is known only when all were looked at. */
static void give_up(struct search *s, enum outcome_doubt doubt)
{
    struct outcome outcome = {0};
    outcome.doubts[doubt] = true;
    s->trace->answer = TRACE_UNKNOWN;
    s->trace->doubt = outcome_doubt(&outcome);
}

/* Nothing was found: of recovery that may crash, or was cut short, that says not all. */
static void doubt_recovery(struct search *s)
{
    if (s->goal->when != LIT_RECOVERED)
        return;
    if (!s->doubt && s->test.program->recovery_restartable)
        s->doubt = "runs in which recovery crashes as well are not looked at";
    if (s->doubt) {
        s->trace->answer = TRACE_UNKNOWN;
        s->trace->doubt = s->doubt;
    }
}

static void look(struct search *s)
{
    void *searches[TEAM_MOST];
    struct mach_limits limits = {.states = mach_choice_of(s->request).max_states,
                                 .clock = s->request->limits.clock,
                                 .paths = true,
                                 .threads = mach_threads_of(s->request),
                                 .filter = is_goal,
                                 .filters = searches};
    for (uint32_t i = 0; i < limits.threads; i++)
        searches[i] = s;
    s->trace->answer = TRACE_NONE;
    struct mach_exploration *e = mach_explore(&s->test, &limits, visit, s);
    struct mach_totals totals = mach_totals(e);
    s->trace->states = totals.states;
    if (s->trace->answer == TRACE_FOUND)
        write_down(s, e);
    else if (totals.doubt != OUTCOME_DOUBT_COUNT)
        give_up(s, totals.doubt);
    else
        doubt_recovery(s);
    mach_exploration_free(e);
}

static void prepare_recovery(struct search *s)
{
    outcome_init(&s->columns, s->test.program);
    s->tried.width = s->columns.starts.width;
    s->tried.items = s->columns.starts.items;
}

static void forget_recovery(struct search *s)
{
    base_free(s->tried.values);
    base_free(s->tried.slots);
    outcome_fini(&s->columns);
}

void mach_trace(const struct engine_request *request, const struct trace_goal *goal,
                struct trace *trace)
{
    struct search s = {.request = request, .goal = goal, .trace = trace};
    SCOPED(arena) arena = {0};
    const struct mach_file *file = mach_file_for(&arena, request);
    trace->machine = arena_strdup(&trace->arena, file->name);
    mach_test_init(&s.test, &arena, file->machine, request->program, &file->config);
    s.observer = (struct mach_observer){.test = &s.test,
                                        .crash_mode = request->crash_mode,
                                        .room = ARENA_ARRAY(&arena, uint8_t, s.test.size),
                                        .final = goal->when == LIT_FINAL};
    enum outcome_doubt obstacle = mach_obstacle(&s.test, request->model);
    prepare_recovery(&s);
    if (obstacle == OUTCOME_DOUBT_COUNT)
        look(&s);
    else
        give_up(&s, obstacle);
    forget_recovery(&s);
}
