/* A jump backwards ends an iteration of the loop that begins where it leads and ends with the last
 * jump there. Its top gets an AWAIT, and iterations are counted on a detour of all its jumps back,
 * behind the code. There the detour of an outer loop stands before those of the loops in it, as
 * engines forget the iterations of loops that are marked later.
 */
#include "litmus/lit_table.h"

/* The code as it was, and where its instructions are now. */
struct weave {
    struct lit_lower *lower;
    const struct lit_instr *old;
    uint32_t count;
    uint32_t *map;    /* old to new place */
    uint32_t *end;    /* of the loop that begins here: behind its last jump back; 0: none */
    uint32_t *detour; /* of that loop, or LIT_NONE */
    uint32_t *number; /* of that loop */
    uint32_t *source; /* jumps, to be aimed at last */
    uint32_t sources;
};

static bool falls_through(const struct lit_instr *instr)
{
    bool always =
        instr->op == LIT_BRANCH && instr->value->op == LIT_OP_CONST && instr->value->value == 0;
    return instr->op != LIT_JUMP && !always;
}

static bool find_loops(struct weave *weave)
{
    bool found = false;
    for (uint32_t i = 0; i < weave->count; i++)
        if (lit_instruction_jumps(weave->old[i].op) && weave->old[i].target <= i) {
            weave->end[weave->old[i].target] = i + 1;
            found = true;
        }
    return found;
}

static void check_exit(const struct weave *weave, uint32_t begin)
{
    uint32_t end = weave->end[begin];
    bool leaves = falls_through(&weave->old[end - 1]);
    for (uint32_t i = begin; i < end && !leaves; i++)
        leaves = lit_instruction_jumps(weave->old[i].op) &&
                 (weave->old[i].target < begin || weave->old[i].target >= end);
    if (!leaves)
        LIT_FAULT(weave->lower, DIAG_LIT_LOOP, weave->old[end - 1].span,
                  "this loop never ends: no jump leads out of it; jump to a label behind it");
}

/* ---- All of the code ---- */

static void weave_one(struct weave *weave, uint32_t i)
{
    struct lit_lower *lower = weave->lower;
    weave->map[i] = lit_thread_here(lower);
    if (weave->end[i]) {
        weave->number[i] = lower->loop_count++;
        weave->detour[i] = 0;
        struct span span = weave->old[weave->end[i] - 1].span;
        lit_thread_emit(lower, LIT_AWAIT, span)->loop = weave->number[i];
    }
    if (lit_instruction_jumps(weave->old[i].op))
        weave->source[weave->sources++] = i;
    *lit_thread_emit(lower, weave->old[i].op, weave->old[i].span) = weave->old[i];
}

/* The detours, with a jump past them for what comes from above. */
static void weave_detours(struct weave *weave)
{
    struct lit_lower *lower = weave->lower;
    uint32_t past = LIT_NONE;
    for (uint32_t i = 0; i < weave->count; i++) {
        if (weave->detour[i] == LIT_NONE)
            continue;
        struct span span = weave->old[weave->end[i] - 1].span;
        if (past == LIT_NONE) {
            past = lit_thread_here(lower);
            lit_thread_emit(lower, LIT_JUMP, span);
        }
        weave->detour[i] = lit_thread_here(lower);
        lit_thread_emit(lower, LIT_LOOP, span)->loop = weave->number[i];
        lit_thread_emit(lower, LIT_JUMP, span)->target = weave->map[i];
    }
    if (past != LIT_NONE)
        lit_thread_aim(lower, past, lit_thread_here(lower));
}

static void aim_jumps(struct weave *weave)
{
    for (uint32_t k = 0; k < weave->sources; k++) {
        uint32_t i = weave->source[k], target = weave->old[i].target;
        lit_thread_aim(weave->lower, weave->map[i] + (weave->end[i] != 0),
                       target == weave->count ? lit_thread_here(weave->lower)
                       : target <= i          ? weave->detour[target]
                                              : weave->map[target]);
    }
}

/* Where each loop is: in front of all detours. */
static void aim_awaits(struct weave *weave)
{
    for (uint32_t i = 0; i < weave->count; i++)
        if (weave->end[i] && weave->map[i] < weave->lower->code.count) {
            weave->lower->code.items[weave->map[i]].begin = weave->map[i];
            lit_thread_aim(weave->lower, weave->map[i], weave->map[weave->end[i]]);
        }
}

static void weave_all(struct weave *weave)
{
    for (uint32_t i = 0; i < weave->count; i++)
        weave_one(weave, i);
    weave->map[weave->count] = lit_thread_here(weave->lower);
    weave_detours(weave);
    aim_jumps(weave);
    aim_awaits(weave);
}

static void check_exits(const struct weave *weave)
{
    for (uint32_t i = 0; i < weave->count; i++)
        if (weave->end[i])
            check_exit(weave, i);
}

void lit_table_mark_loops(struct lit_lower *lower)
{
    size_t count = lit_thread_here(lower);
    uint32_t *numbers = ARENA_ARRAY(lower->arena, uint32_t, 5 * (count + 1));
    struct weave weave = {.lower = lower,
                          .old = VEC_KEEP(lower->arena, &lower->code),
                          .count = (uint32_t)count,
                          .map = numbers,
                          .end = numbers + count + 1,
                          .detour = numbers + 2 * (count + 1),
                          .number = numbers + 3 * (count + 1),
                          .source = numbers + 4 * (count + 1)};
    for (size_t i = 0; i < count; i++)
        weave.detour[i] = LIT_NONE;
    if (!find_loops(&weave))
        return;
    uint32_t errors = lower->diag->errors;
    check_exits(&weave);
    if (lower->diag->errors != errors)
        return;
    VEC_CLEAR(&lower->code);
    weave_all(&weave);
}
