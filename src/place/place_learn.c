/* place_learn: in the engine's callbacks, while the execution is there. */
#include "place/place_learn.h"

#include "place/place_box.h"

#include <string.h>

struct learning {
    struct place_asker *asker;
    const struct place_lesson *lesson;
    struct arena arena;
    uint64_t *box, *grown[2]; /* what is asked for; of the program's execution, of recovery's */
    bool has[2];
    int64_t *start; /* what recovery begins with */
    uint32_t start_width;
    bool waits_for_start; /* only the execution that leads to that state is looked at */
};

static uint32_t choice_count(const struct learning *l)
{
    return l->asker->question->sketch->choice_count;
}

/* ---- Frames ---- */

/* Is there a frame of this base, which then does not have the filling? */
static bool is_framed(const struct learning *l, const struct sketch_filling *base, bool recovery)
{
    for (size_t i = 0; i < l->asker->frames.count; i++) {
        const struct place_frame *frame = l->asker->frames.items[i];
        if (frame->file == l->lesson->file && frame->recovery == recovery &&
            memcmp(frame->base.value, base->value, choice_count(l)) == 0)
            return true;
    }
    return false;
}

static struct place_frame *find_frame(struct learning *l, const struct lit_program *program,
                                      bool recovery)
{
    struct place_asker *asker = l->asker;
    for (size_t i = asker->frames.count; i-- > 0;) {
        struct place_frame *frame = asker->frames.items[i];
        if (frame->file == l->lesson->file && frame->recovery == recovery &&
            place_frame_has(frame, asker->question->sketch, l->lesson->filling, program))
            return frame;
    }
    const struct clock_limit *clock = &l->lesson->question->clock;
    struct sketch_filling base;
    struct place_frame *frame = NULL;
    if (asker->frames_take_too_long)
        return NULL;
    if (place_frame_base(asker, l->lesson->filling, l->lesson->file, recovery, clock, &base)) {
        if (is_framed(l, &base, recovery))
            return NULL;
        frame = place_frame_new(asker, &base, l->lesson->file, recovery, clock);
    }
    asker->frames_take_too_long = clock_is_late(clock);
    if (!frame)
        return NULL;
    VEC_PUSH(&asker->frames, frame);
    bool has = place_frame_has(frame, asker->question->sketch, l->lesson->filling, program);
    return has ? frame : NULL;
}

static void grow(struct learning *l, const struct engine_request *request,
                 const struct engine_witness *witness, bool recovery)
{
    struct place_frame *frame = find_frame(l, request->program, recovery);
    struct arena_mark mark = arena_mark(&l->arena);
    struct place_carried *carried =
        frame ? place_carry(&l->arena, l->asker, frame, l->lesson->filling, request, witness)
              : NULL;
    const struct place_wanted wanted = {
        .program = request->program,
        .condition = l->waits_for_start ? NULL : l->lesson->condition,
        .items = witness->items,
        .row = l->start,
        .width = l->waits_for_start ? l->start_width : witness->width};
    if (carried && place_box_grow(&l->arena, l->asker, &l->lesson->question->clock, carried,
                                  witness->row ? &wanted : NULL, l->grown[recovery]))
        l->has[recovery] = true;
    arena_rewind(&l->arena, mark);
}

/* ---- What is shown ---- */

static bool decides(const struct learning *l, const struct lit_program *program,
                    const struct engine_witness *witness)
{
    const struct lit_condition *condition = l->lesson->condition;
    const struct outcome_states states = {.items = witness->items, .width = witness->width};
    return outcome_satisfies(&states, witness->row, program, condition->prop) !=
           (condition->quantifier == LIT_FORALL);
}

static void on_witness(void *context, const struct engine_request *request,
                       const struct engine_witness *witness)
{
    struct learning *l = context;
    const struct lit_condition *condition = l->lesson->condition;
    if (l->has[0] || !condition || !witness->row)
        return;
    bool wanted = condition->when == LIT_RECOVERED
                      ? l->waits_for_start
                      : (witness->cut != NULL) == (condition->when == LIT_CRASHED) &&
                            decides(l, request->program, witness);
    if (wanted)
        grow(l, request, witness, false);
}

static void on_undefined(void *context, const struct engine_request *request,
                         const struct engine_witness *witness)
{
    struct learning *l = context;
    if (!l->has[0] && !l->lesson->condition)
        grow(l, request, witness, false);
}

static void on_recovery(void *context, const struct engine_request *request,
                        const struct outcome_states *crash, const int64_t *start)
{
    struct learning *l = context;
    (void)request;
    if (l->has[1])
        return;
    l->start = arena_copy(&l->arena, start, crash->width * sizeof *start);
    l->start_width = crash->width;
}

static void on_recovery_witness(void *context, const struct engine_request *request,
                                const struct engine_witness *witness)
{
    struct learning *l = context;
    const struct lit_condition *condition = l->lesson->condition;
    if (l->has[1] || l->waits_for_start || !condition || condition->when != LIT_RECOVERED ||
        witness->cut || !witness->row || !l->start || !decides(l, request->program, witness))
        return;
    grow(l, request, witness, true);
}

/* ---- All of it ---- */

static void show_all(struct learning *l, const struct session_view *view)
{
    struct outcome outcome;
    session_run(l->lesson->question, l->lesson->engine, &outcome, view);
    outcome_fini(&outcome);
}

static bool is_of_recovery(const struct place_lesson *lesson)
{
    return lesson->condition && lesson->condition->when == LIT_RECOVERED;
}

static void keep(struct learning *l, bool of_recovery)
{
    uint64_t point = 0;
    for (uint32_t c = 0; c < choice_count(l); c++) {
        uint64_t grown = l->grown[0][c] & (of_recovery ? l->grown[1][c] : ~UINT64_C(0));
        point |= grown & ~l->box[c];
        l->box[c] = grown;
    }
    l->asker->grown += point != 0;
}

bool place_learn(struct place_asker *asker, const struct place_lesson *lesson, uint64_t *box)
{
    struct learning l = {.asker = asker, .lesson = lesson, .box = box};
    const struct session_view view = {on_witness, on_recovery, on_recovery_witness, on_undefined,
                                      &l};
    bool of_recovery = is_of_recovery(lesson);
    arena_init(&l.arena);
    for (int i = 0; i < 2; i++)
        l.grown[i] = arena_copy(&l.arena, box, choice_count(&l) * sizeof *box);
    show_all(&l, &view);
    if (of_recovery && l.has[1]) {
        const struct session_sought sought = {true, l.start, l.start_width};
        l.waits_for_start = true;
        session_run_for(lesson->question, lesson->engine, &sought, &view);
    }
    bool learnt = l.has[0] && (l.has[1] || !of_recovery);
    if (learnt)
        keep(&l, of_recovery);
    arena_fini(&l.arena);
    return learnt;
}
