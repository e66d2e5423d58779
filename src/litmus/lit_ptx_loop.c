/* A jump backwards ends an iteration of the loop that begins where it leads. Code that
 * only waits becomes
 *
 *     AWAIT_BEGIN; loads; AWAIT_END
 *
 * from the loop's first instruction to its last jump back. Where it has more exits and
 * jumps back than the last ones, a flag tells the end whether to spin again:
 *
 *     AWAIT_BEGIN; code; leave: flag = 0; JUMP end; again: flag = 1; end: AWAIT_END flag
 *
 * Any other loop counts its iterations on a detour of all its jumps back, behind the
 * code. There the detour of an outer loop stands before those of the loops in it, as
 * engines forget the iterations of loops that are marked later.
 */
#include "litmus/lit_ptx.h"

#include <string.h>

/* The code as it was, and where its instructions are now. */
struct weave {
    struct lit_lower *lower;
    const struct lit_instr *old;
    uint32_t count;
    uint32_t *map;    /* old to new place */
    uint32_t *end;    /* of the loop that begins here: behind its last jump back; 0: none */
    uint32_t *detour; /* of that loop; LIT_NONE: needs none, all jumps back are an await's */
    uint32_t *source; /* of a new jump: the old one, to be aimed at last; else LIT_NONE */
    uint32_t sources;
};

static bool jumps(const struct lit_instr *instr)
{
    return instr->op == LIT_JUMP || instr->op == LIT_BRANCH;
}

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
        if (jumps(&weave->old[i]) && weave->old[i].target <= i) {
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
        leaves =
            jumps(&weave->old[i]) && (weave->old[i].target < begin || weave->old[i].target >= end);
    if (!leaves)
        LIT_FAULT(weave->lower, DIAG_LIT_LOOP, weave->old[end - 1].span,
                  "this loop never ends: no jump leads out of it; jump to a label behind it");
}

/* ---- Awaits ---- */

/* Code that may be an await: from where a loop begins to behind a jump back. */
struct region {
    uint32_t begin, end;
};

/* As far as instructions have no effects; a lock that first waits and then tries jumps
 * back from behind that, too. False: there is no jump back. */
static bool find_region(const struct weave *weave, uint32_t begin, struct region *region)
{
    *region = (struct region){begin, begin};
    for (uint32_t i = begin; i < weave->end[begin]; i++) {
        const struct lit_instr *instr = &weave->old[i];
        if (jumps(instr) && instr->target == begin)
            region->end = i + 1;
        else if (!jumps(instr) && instr->op != LIT_SET && instr->op != LIT_LOAD)
            break;
    }
    return region->end > begin;
}

/* Is it entered only at its beginning and left only at its end, without a loop in it?
 * What its registers carry is lit_await's matter. */
static bool may_wait(const struct weave *weave, const struct region *at)
{
    for (uint32_t i = 0; i < weave->count; i++) {
        uint32_t target = weave->old[i].target;
        bool inside = i >= at->begin && i < at->end;
        if (!jumps(&weave->old[i]) || target == at->begin)
            continue;
        if (inside ? target <= i || target > at->end : target > at->begin && target < at->end)
            return false;
    }
    return true;
}

static bool is_target(const struct weave *weave, uint32_t begin, uint32_t end, uint32_t target)
{
    for (uint32_t i = begin; i < end; i++)
        if (jumps(&weave->old[i]) && weave->old[i].target == target)
            return true;
    return false;
}

/* What is not 0 when it spins again, if the end of the loop alone decides that; the code
 * up to *body_end comes before. NULL: it does not. */
static const struct lit_expr *plain_condition(const struct weave *weave, const struct region *at,
                                              uint32_t *body_end)
{
    const struct lit_instr *last = &weave->old[at->end - 1];
    const struct lit_expr *again = NULL;
    uint32_t end = at->end;
    if (last->op == LIT_BRANCH) {
        end--;
        again = lit_evaluate_invert(weave->lower, last->value);
    } else if (end - at->begin >= 2 && last[-1].op == LIT_BRANCH && last[-1].target == at->end &&
               !is_target(weave, at->begin, end, end - 1)) {
        end -= 2;
        again = last[-1].value;
    }
    bool plain = again && !is_target(weave, at->begin, end, at->begin) &&
                 !is_target(weave, at->begin, end, at->end);
    *body_end = plain ? end : at->end;
    return plain ? again : NULL;
}

static void emit_flag(struct lit_lower *lower, uint32_t flag, int64_t value, struct span span)
{
    struct lit_instr *set = lit_thread_emit(lower, LIT_SET, span);
    set->dst = flag;
    set->value = lit_evaluate_const(lower, LIT_INT, value);
}

static void copy(struct weave *weave, uint32_t i)
{
    weave->map[i] = lit_thread_here(weave->lower);
    *lit_thread_emit(weave->lower, weave->old[i].op, weave->old[i].span) = weave->old[i];
}

/* Emits `leave: flag = 0; JUMP end; again: flag = 1; end:`. */
static const struct lit_expr *emit_ends(struct lit_lower *lower, struct span span, uint32_t *again)
{
    uint32_t flag = lit_thread_temporary(lower, LIT_INT);
    emit_flag(lower, flag, 0, span);
    uint32_t jump = lit_thread_here(lower);
    lit_thread_emit(lower, LIT_JUMP, span);
    *again = lit_thread_here(lower);
    emit_flag(lower, flag, 1, span);
    lit_thread_aim(lower, jump, lit_thread_here(lower));
    return lit_evaluate_reg(lower, flag);
}

/* Copies the loop's code, with its jumps aimed; returns what says to spin again. */
static const struct lit_expr *weave_body(struct weave *weave, const struct region *at)
{
    struct lit_lower *lower = weave->lower;
    uint32_t body_end, again_at = LIT_NONE;
    const struct lit_expr *again = plain_condition(weave, at, &body_end);
    for (uint32_t i = at->begin; i < body_end; i++)
        copy(weave, i);
    uint32_t leave = lit_thread_here(lower);
    for (uint32_t i = body_end; i < at->end; i++)
        weave->map[i] = leave;
    if (!again)
        again = emit_ends(lower, weave->old[at->end - 1].span, &again_at);
    for (uint32_t i = at->begin; i < body_end; i++) {
        uint32_t target = weave->old[i].target;
        if (jumps(&weave->old[i]))
            lit_thread_aim(lower, weave->map[i],
                           target == at->begin ? again_at
                           : target == at->end ? leave
                                               : weave->map[target]);
    }
    return again;
}

/* Emits the loop as an await; false, with nothing emitted, when it is none. */
static bool weave_await(struct weave *weave, const struct region *at)
{
    struct lit_lower *lower = weave->lower;
    uint32_t begin = lit_thread_here(lower), registers = (uint32_t)lower->registers.count;
    lit_thread_emit(lower, LIT_AWAIT_BEGIN, weave->old[at->begin].span)->loop = lower->loop_count;
    const struct lit_expr *again = weave_body(weave, at);
    if (lower->too_large || !lit_await_holds(lower, begin + 1, again)) {
        lower->code.count = begin;
        lower->registers.count = registers;
        return false;
    }
    struct lit_instr *end = lit_thread_emit(lower, LIT_AWAIT_END, weave->old[at->end - 1].span);
    end->loop = lower->loop_count++;
    end->value = again;
    weave->map[at->begin] = begin;
    return true;
}

/* ---- All of the code ---- */

static void weave_one(struct weave *weave, uint32_t i)
{
    copy(weave, i);
    if (!jumps(&weave->old[i]))
        return;
    weave->source[weave->sources++] = i;
    if (weave->old[i].target <= i)
        weave->detour[weave->old[i].target] = 0;
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
        lit_thread_emit(lower, LIT_LOOP, span)->loop = lower->loop_count++;
        lit_thread_emit(lower, LIT_JUMP, span)->target = weave->map[i];
    }
    if (past != LIT_NONE)
        lit_thread_aim(lower, past, lit_thread_here(lower));
}

static void aim_rest(struct weave *weave)
{
    weave->map[weave->count] = lit_thread_here(weave->lower);
    for (uint32_t k = 0; k < weave->sources; k++) {
        uint32_t i = weave->source[k], target = weave->old[i].target;
        lit_thread_aim(weave->lower, weave->map[i],
                       target <= i ? weave->detour[target] : weave->map[target]);
    }
}

static void weave_all(struct weave *weave)
{
    struct region region;
    for (uint32_t i = 0; i < weave->count;) {
        if (weave->end[i] && find_region(weave, i, &region) && may_wait(weave, &region) &&
            weave_await(weave, &region))
            i = region.end;
        else
            weave_one(weave, i++);
    }
    weave_detours(weave);
    aim_rest(weave);
}

static void check_exits(const struct weave *weave)
{
    for (uint32_t i = 0; i < weave->count; i++)
        if (weave->end[i])
            check_exit(weave, i);
}

void lit_ptx_mark_loops(struct lit_lower *lower)
{
    size_t count = lit_thread_here(lower);
    struct lit_instr *old = ARENA_ARRAY(lower->arena, struct lit_instr, count);
    uint32_t *numbers = ARENA_ARRAY(lower->arena, uint32_t, 4 * (count + 1));
    if (count)
        memcpy(old, lower->code.items, count * sizeof *old);
    struct weave weave = {.lower = lower,
                          .old = old,
                          .count = (uint32_t)count,
                          .map = numbers,
                          .end = numbers + count + 1,
                          .detour = numbers + 2 * (count + 1),
                          .source = numbers + 3 * (count + 1)};
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
