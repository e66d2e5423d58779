#include "engine/engine.h"

#include "cat/cat_plan.h"
#include "engine/lone.h"
#include "exec/exec_basis.h"

#include <string.h>

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

/* It is a matter of kinds: the model is asked about a lone event. */
static bool is_in(struct arena *scratch, const struct engine_request *request,
                  enum cat_reserved name, const struct ev *event)
{
    struct arena_mark mark = arena_mark(scratch);
    struct exec_skeleton alone = {
        .program = request->program, .dim = rel_dim_make(1), .events = event};
    struct cat_eval *eval = cat_eval_new(scratch, request->plan, alone.dim);
    exec_skeleton_fill_sets(&alone, eval);
    cat_eval_static(eval);
    bool in = cat_eval_value(eval, request->model->reserved[name])[0] & 1;
    arena_rewind(scratch, mark);
    return in;
}

static bool lets_wait(struct arena *scratch, const struct engine_request *request,
                      enum ev_kind kind, enum lit_scope scope)
{
    struct ev barrier = {.kind = kind,
                         .has_scope = true,
                         .scope = scope,
                         .thread = 0,
                         .location = LIT_NONE,
                         .meeting = {.kind = kind, .scope = scope}};
    return is_in(scratch, request, CAT_WAITS, &barrier);
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

/* ---- Writes inside of transactions ---- */

bool engine_keeps_writes(const struct lit_program *program, const struct cat_model *model)
{
    bool says = model->nodes[model->reserved[CAT_WITHHELD]].op != CAT_EMPTY ||
                model->nodes[model->reserved[CAT_UNDONE]].op != CAT_EMPTY;
    return says && lit_program_tag(program, "tx_begin");
}

static enum exec_effect effect_of(struct arena *scratch, const struct engine_request *request,
                                  uint32_t thread, const struct lit_instr *instr, uint32_t location)
{
    bool atomic = instr->order != LIT_ORDER_NA;
    struct ev write = {.kind = EV_WRITE,
                       .thread = thread,
                       .location = location,
                       .atomic = atomic,
                       .has_order = true,
                       .has_scope = atomic,
                       .rmw = instr->op != LIT_STORE,
                       .order = instr->order,
                       .scope = instr->scope,
                       .spaces = instr->spaces,
                       .instr = instr};
    if (is_in(scratch, request, CAT_WITHHELD, &write))
        return EXEC_AT_ITS_END;
    if (!is_in(scratch, request, CAT_UNDONE, &write))
        return EXEC_AT_ONCE;
    return is_in(scratch, request, CAT_MAY_STAY, &write) ? EXEC_UNLESS_DROPPED
                                                         : EXEC_UNLESS_ABORTED;
}

/* Of the locations that an instruction may write, one of each memory is asked about. */
static void find_effects(struct arena *scratch, const struct engine_request *request,
                         uint32_t thread, uint8_t (*effects)[2])
{
    const struct lit_program *program = request->program;
    for (uint32_t i = 0; i < program->threads[thread].code_count; i++) {
        const struct lit_instr *instr = &program->threads[thread].code[i];
        bool asked[2] = {false, false};
        if (!lit_instruction_writes(instr->op))
            continue;
        for (uint32_t k = 0; k < (instr->addr.index ? instr->addr.count : 1); k++) {
            uint32_t location = lit_address_element(&instr->addr, k);
            bool nvm = program->locations[location].nvm;
            if (!asked[nvm])
                effects[i][nvm] = (uint8_t)effect_of(scratch, request, thread, instr, location);
            asked[nvm] = true;
        }
    }
}

struct exec_effects engine_find_effects(struct arena *arena, struct arena *scratch,
                                        const struct engine_request *request)
{
    const struct lit_program *program = request->program;
    struct exec_effects found = {{NULL}};
    if (!engine_keeps_writes(program, request->model))
        return found;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        uint32_t count = program->threads[t].code_count;
        uint8_t(*effects)[2] = arena_alloc(arena, count * sizeof *effects + 1);
        memset(effects, 0, count * sizeof *effects);
        find_effects(scratch, request, t, effects);
        found.of[t] = (const uint8_t(*)[2])effects;
    }
    return found;
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
