#include "engine/engine.h"

#include "cat/cat_plan.h"
#include "engine/lone.h"
#include "exec/exec_basis.h"

enum exec_crash_mode engine_default_crash_mode(const struct lit_program *program)
{
    return program->has_crash_points ? EXEC_CRASH_POINTS : EXEC_CRASH_ANYWHERE;
}

void engine_kept_fini(struct engine_kept *kept)
{
    if (kept->what)
        kept->drop(kept->what);
    kept->what = NULL;
}

/* It is a matter of tags: the model is asked about a lone barrier. */
static bool lets_wait(struct arena *scratch, const struct engine_request *request,
                      enum ev_kind kind, enum lit_scope scope)
{
    struct arena_mark mark = arena_mark(scratch);
    struct ev barrier = {.kind = kind,
                         .has_scope = true,
                         .scope = scope,
                         .thread = 0,
                         .location = LIT_NONE,
                         .meeting = {.kind = kind, .scope = scope}};
    struct exec_skeleton alone = {
        .program = request->program, .dim = rel_dim_make(1), .events = &barrier};
    struct cat_eval *eval = cat_eval_new(scratch, request->plan, alone.dim);
    exec_skeleton_fill_sets(&alone, eval);
    cat_eval_static(eval);
    bool waits = cat_eval_value(eval, request->model->reserved[CAT_WAITS])[0] & 1;
    arena_rewind(scratch, mark);
    return waits;
}

/* Each kind and scope of barrier among the threads' instructions is asked about once. */
static void find_waiting(struct arena *scratch, const struct engine_request *request,
                         const struct lit_thread *threads, uint32_t count, struct ev_waits *waits)
{
    bool asked[EV_KIND_COUNT][LIT_SCOPE_COUNT] = {{false}};
    for (uint32_t t = 0; t < count; t++)
        for (uint32_t i = 0; i < threads[t].code_count; i++) {
            enum lit_scope scope = threads[t].code[i].exec_scope;
            uint32_t kind = ev_kind_of(threads[t].code[i].op);
            if (!ev_kind_may_wait(kind) || asked[kind][scope])
                continue;
            asked[kind][scope] = true;
            waits->of[kind][scope] = lets_wait(scratch, request, (enum ev_kind)kind, scope);
        }
}

void engine_find_waiting(struct arena *scratch, const struct engine_request *request,
                         struct ev_waits *waits)
{
    const struct lit_program *program = request->program;
    find_waiting(scratch, request, program->threads, program->thread_count, waits);
    find_waiting(scratch, request, program->recovery, program->recovery_count, waits);
}

bool engine_recovery_may_flag(const struct engine_request *request, const struct outcome *outcome)
{
    const struct cat_model *model = request->model;
    const struct lit_program *program = request->program;
    bool open = false;
    for (uint32_t c = 0; c < model->check_count; c++)
        open |=
            model->checks[c].kind == CAT_FLAG && !outcome_has_flag(outcome, model->checks[c].name);
    return open && (program->recovery_count != 1 || lone_may_flag(program->recovery, model));
}

struct cat_eval *engine_witness_eval(struct arena *arena, const struct cat_plan *plan,
                                     const struct engine_witness *witness)
{
    const struct rel_dim dim = witness->skeleton->dim;
    const struct {
        enum exec_base base;
        const rel_word *value;
    } open[] = {{EXEC_REL_RF, witness->rf},
                {EXEC_REL_CO, witness->co},
                {EXEC_REL_FR, witness->fr},
                {EXEC_REL_SYNC_FENCE, witness->sync_fence}};
    struct cat_eval *eval = cat_eval_new(arena, plan, dim);
    exec_skeleton_fill(witness->skeleton, eval);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        rel_word *at = cat_eval_base(eval, open[i].base, false);
        if (at && open[i].value)
            rel_copy(dim, at, open[i].value);
    }
    for (uint32_t i = 0; i < plan->model->choice_count; i++) {
        rel_word *at = cat_eval_choice(eval, i, false);
        if (at)
            rel_copy(dim, at, witness->choices[i]);
    }
    return eval;
}
