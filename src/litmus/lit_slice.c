/* Leaves out of loops what nobody reads: counters such as those of a back-off, branches about
 * them, and loops that do nothing but count. That such a loop ends C lets everyone assume (C11
 * 6.8.5, paragraph 6). What uses a value read from memory stays, for models see what depends on a
 * read, and so does what divides, as it may fault.
 *
 * All is taken to be of no use at first; what is of use makes more so, until nothing changes. */
#include "litmus/lit_lower.h"

/* Longer code is left as it is. */
enum { LONGEST = 1024 };

struct slice {
    const struct lit_thread *thread;
    const struct lit_instr *code;
    bool *used;    /* registers that something of use reads */
    bool *read;    /* registers that depend on memory */
    bool *in_loop; /* per instruction, like the rest */
    bool *idle;    /* within a loop that only counts */
    bool *needed;
};

static bool depends_on_read(const struct slice *s, const struct lit_expr *expr)
{
    return expr && ((expr->op == LIT_OP_REG && s->read[expr->reg]) || depends_on_read(s, expr->a) ||
                    depends_on_read(s, expr->b) || depends_on_read(s, expr->c));
}

/* A branch that decides by itself: on a value that others see it depend on, or that may fault. */
static bool tells(const struct slice *s, const struct lit_instr *instr)
{
    return instr->op == LIT_BRANCH &&
           (lit_code_divides(instr->value) || depends_on_read(s, instr->value));
}

/* ---- Loops that only count ---- */

static bool only_counts(const struct slice *s, const struct lit_instr *loop)
{
    for (uint32_t i = loop->begin; i < loop->target; i++) {
        const struct lit_instr *instr = &s->code[i];
        bool marks = instr->op == LIT_LOOP || instr->op == LIT_AWAIT;
        if (lit_instruction_jumps(instr->op)
                ? tells(s, instr) || instr->target < loop->begin || instr->target > loop->target
                : !marks && (instr->op != LIT_SET || s->needed[i]))
            return false;
    }
    return true;
}

static void find_idle(struct slice *s)
{
    for (uint32_t i = 0; i < s->thread->code_count; i++)
        s->idle[i] = false;
    for (uint32_t a = 0; a < s->thread->code_count; a++)
        if (s->code[a].op == LIT_AWAIT && only_counts(s, &s->code[a]))
            for (uint32_t i = s->code[a].begin; i < s->code[a].target; i++)
                s->idle[i] = true;
}

/* ---- Branches ---- */

/* A branch is of no use when nothing between it and where its ways meet is. */
static bool decides_nothing(const struct slice *s, uint32_t branch)
{
    const struct lit_instr *instr = &s->code[branch];
    if (tells(s, instr) || instr->target <= branch)
        return false;
    uint32_t end = lit_code_ways_meet(s->code, instr->target);
    for (uint32_t i = branch + 1; i < end; i++) {
        const struct lit_instr *inner = &s->code[i];
        bool stays = lit_instruction_jumps(inner->op) && inner->target > i && inner->target <= end;
        if (!s->idle[i] && (inner->op == LIT_JUMP     ? !stays
                            : inner->op == LIT_BRANCH ? s->needed[i] || !stays
                                                      : inner->op != LIT_SET || s->needed[i]))
            return false;
    }
    return true;
}

/* A jump within a branch of no use goes with it. */
static bool is_of_such_branch(const struct slice *s, uint32_t jump)
{
    return ANY(i, jump,
               s->code[i].op == LIT_BRANCH && s->in_loop[i] && !s->needed[i] &&
                   s->code[i].target > i && jump < lit_code_ways_meet(s->code, s->code[i].target));
}

/* ---- The whole ---- */

static bool is_needed(const struct slice *s, uint32_t i)
{
    const struct lit_instr *instr = &s->code[i];
    if (!s->in_loop[i])
        return true;
    switch (instr->op) {
    case LIT_SET: return s->used[instr->dst] || lit_code_divides(instr->value);
    case LIT_BRANCH: return !s->idle[i] && !decides_nothing(s, i);
    case LIT_JUMP: return !s->idle[i] && !is_of_such_branch(s, i);
    case LIT_LOOP:
    case LIT_AWAIT: return !s->idle[i];
    case LIT_CHECK:
    case LIT_LOAD:
    case LIT_STORE:
    case LIT_RMW:
    case LIT_CAS:
    case LIT_FENCE:
    case LIT_CM:
    case LIT_BARRIER:
    case LIT_PBARRIER:
    case LIT_CRASH: return true;
    }
    BASE_UNREACHABLE("an instruction");
}

static bool find_more(struct slice *s)
{
    bool more = false;
    find_idle(s);
    for (uint32_t i = 0; i < s->thread->code_count; i++)
        if (!s->needed[i] && is_needed(s, i)) {
            s->needed[i] = more = true;
            lit_code_mark_used(&s->code[i], s->used);
        }
    return more;
}

static void mark_loops(struct slice *s)
{
    for (uint32_t a = 0; a < s->thread->code_count; a++)
        for (uint32_t i = s->code[a].begin; s->code[a].op == LIT_AWAIT && i < s->code[a].target;
             i++)
            s->in_loop[i] = true;
}

static void mark_read(struct slice *s)
{
    for (bool more = true; more;) {
        more = false;
        EACH (const struct lit_instr, instr, s->code, s->thread->code_count) {
            if (instr->op == LIT_SET ? !depends_on_read(s, instr->value)
                                     : !lit_instruction_accesses(instr->op))
                continue;
            const uint32_t assigned[] = {instr->dst, instr->dst_old};
            for (int k = 0; k < 2; k++)
                if (assigned[k] != LIT_NONE && !s->read[assigned[k]])
                    s->read[assigned[k]] = more = true;
        }
    }
}

void lit_slice_loops(struct arena *arena, struct lit_thread *thread, const bool *observed)
{
    uint32_t count = thread->code_count;
    struct slice s = {.thread = thread, .code = thread->code};
    if (count > LONGEST)
        return;
    s.used = ARENA_ARRAY(arena, bool, thread->register_count);
    s.read = ARENA_ARRAY(arena, bool, thread->register_count);
    s.in_loop = ARENA_ARRAY(arena, bool, count);
    s.idle = ARENA_ARRAY(arena, bool, count);
    s.needed = ARENA_ARRAY(arena, bool, count);
    for (uint32_t r = 0; r < thread->register_count; r++)
        s.used[r] = observed[r];
    mark_loops(&s);
    mark_read(&s);
    while (find_more(&s))
        ;
    bool *gone = ARENA_ARRAY(arena, bool, count);
    for (uint32_t i = 0; i < count; i++)
        gone[i] = !s.needed[i];
    lit_code_leave_out(arena, thread, gone);
}
