/* Barriers meet by counting, so two statements of one work-item may meet the same barrier of
 * others: whichever the work-item comes to. Work-items of a test have programs of their own, and so
 * it is told by one of them alone. Of it the ways are followed forwards, with the set of how many
 * barriers may have been passed. Two statements in branches that exclude each other, before which
 * the same number was passed, are found. Of barriers in loops nothing is said, as nobody knows
 * here how often they are passed, nor of those with a label, a number or a quorum, which say who
 * meets whom. */
#include "litmus/lit_lower.h"

struct ways {
    const struct lit_thread *thread;
    const struct lit_instr *like; /* a barrier of the kind and scope that is looked at */
    uint64_t *passed;             /* per place: bit n if n such barriers may be behind */
};

static bool is_alike(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->op == b->op && a->exec_scope == b->exec_scope && !a->label && !a->named &&
           !a->resource && !a->quorum;
}

static bool is_in_loop(const struct lit_thread *thread, uint32_t place)
{
    return ANY(i, thread->code_count,
               lit_instruction_jumps(thread->code[i].op) && thread->code[i].target <= place &&
                   place <= i);
}

/* Forwards from what is there, of the first place up to the last one. */
static void follow(const struct ways *ways, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const struct lit_instr *instr = &ways->thread->code[i];
        uint64_t passed = is_alike(instr, ways->like) ? ways->passed[i] << 1 : ways->passed[i];
        if (instr->op != LIT_JUMP)
            ways->passed[i + 1] |= passed;
        if (lit_instruction_jumps(instr->op) && instr->target > i)
            ways->passed[instr->target] |= passed;
    }
}

static bool leads_to(const struct lit_lower *lower, const struct ways *ways, uint32_t from,
                     uint32_t to)
{
    struct ways single = *ways;
    single.passed = ARENA_ARRAY(lower->arena, uint64_t, ways->thread->code_count + 1);
    single.passed[from] = 1;
    follow(&single, from, to);
    return single.passed[to];
}

static bool has_company(const struct lit_program *program, const struct lit_thread *thread,
                        enum lit_scope scope)
{
    return ANY(t, program->thread_count,
               &program->threads[t] != thread &&
                   lit_same_instance(thread, &program->threads[t], scope));
}

/* A barrier before `place` that meets what the one there meets, in another branch; or NULL. */
static const struct lit_instr *find_other(const struct lit_lower *lower, const struct ways *ways,
                                          uint32_t place)
{
    const struct lit_instr *code = ways->thread->code;
    return FIND(i, code, place,
                is_alike(&code[i], ways->like) && ways->passed[i] & ways->passed[place] &&
                    !leads_to(lower, ways, i, place));
}

static bool tell_first(const struct lit_lower *lower, const struct lit_thread *thread,
                       const struct lit_instr *like)
{
    const struct lit_instr *code = thread->code;
    struct ways ways = {thread, like, ARENA_ARRAY(lower->arena, uint64_t, thread->code_count + 1)};
    if (ANY(i, thread->code_count, is_alike(&code[i], like) && is_in_loop(thread, i)))
        return false;
    ways.passed[0] = 1;
    follow(&ways, 0, thread->code_count);
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *other =
            is_alike(&code[i], like) ? find_other(lower, &ways, i) : NULL;
        if (!other || other->span.source != code[i].span.source)
            continue;
        diag_warning(lower->diag, DIAG_LIT_MEETING, code[i].span,
                     "this barrier and the one on line %u are two statements in different "
                     "branches, and meet the same barrier of others, as barriers are counted here; "
                     "OpenCL C and CUDA leave that undefined: put one barrier where all come by",
                     other->span.line);
        return true;
    }
    return false;
}

void lit_mistake_meetings(const struct lit_lower *lower)
{
    const struct lit_program *program = lower->program;
    for (uint32_t t = 0; t < program->thread_count && !program->is_table; t++) {
        const struct lit_thread *thread = &program->threads[t];
        bool told = false;
        for (uint32_t i = 0; i < thread->code_count && !told; i++) {
            const struct lit_instr *like = &thread->code[i];
            if (lit_instruction_meets(like->op) && is_alike(like, like) &&
                !ANY(k, i, is_alike(&thread->code[k], like)) &&
                has_company(program, thread, like->exec_scope))
                told = tell_first(lower, thread, like);
        }
    }
}
