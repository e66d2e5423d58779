#include "explore/mach_lack.h"

#include "engine/meaning.h"
#include "exec/exec_basis.h"
#include "machine/mach_instr.h"
#include "litmus/lit_code.h"
#include "pipeline/pipe_plan.h"

static bool is_partial(const struct mach_test *test, uint32_t thread, const struct lit_instr *instr)
{
    const struct lit_program *program = test->program;
    if (!lit_instruction_meets(instr->op))
        return false;
    if (instr->arrive || instr->resource || instr->quorum)
        return true;
    return instr->named &&
           ANY(u, program->thread_count,
               mach_is_member(test, thread, u, instr->exec_scope) &&
                   !lit_code_has_barrier(&program->threads[u], instr->op, instr->label));
}

static bool asks_for(const struct cat_model *model, uint32_t base)
{
    return ANY(i, model->node_count,
               model->nodes[i].op == CAT_BASE && model->nodes[i].base == base);
}

/* A machine moves each location by itself. */
static bool is_kept_whole(const struct mach_test *test, const struct cat_model *model,
                          const struct lit_instr *instr)
{
    return instr->wide && instr->op == LIT_STORE &&
           test->program->locations[instr->addr.first].nvm &&
           (asks_for(model, EXEC_REL_SAME_ACCESS) || asks_for(model, EXEC_REL_SAME_UNIT));
}

/* Those of the tags that no line of a pipeline names. */
static uint64_t unnamed(const struct mach_test *test, uint64_t tags, enum mach_pipe_bearer bearer)
{
    const struct lit_program *program = test->program;
    for (uint32_t i = 0; test->config.pipe && i < program->tag_count; i++)
        if (tags >> i & 1 && pipe_names(test->config.pipe, bearer, program->tags[i]))
            tags &= ~(UINT64_C(1) << i);
    return tags;
}

static bool has_rule(const struct mach_test *test, uint32_t thread, const struct lit_instr *instr)
{
    BASE_ASSERT(thread < test->program->thread_count);
    const struct lit_program *program = test->program;
    return test->config.pipe &&
           pipe_has_rule(test->config.pipe, program, &program->threads[thread], instr);
}

static const char *first_of(const struct lit_program *program, uint64_t tags)
{
    uint32_t i = 0;
    while (i < program->tag_count && !(tags >> i & 1))
        i++;
    return i < program->tag_count ? program->tags[i] : NULL;
}

/* Without a place; `what` is NULL when the machine has all of it. */
static struct mach_lack lacking(const struct mach_test *test, const struct cat_model *model,
                                uint32_t thread, const struct lit_instr *instr)
{
    struct lit_instr left = *instr;
    if (instr->op == LIT_CM && !has_rule(test, thread, instr))
        return (struct mach_lack){.what = "cache maintenance",
                                  .tag = first_of(test->program, instr->tags)};
    if (is_partial(test, thread, instr))
        return (struct mach_lack){.what = "a barrier that only a part of its scope may meet at"};
    if (is_kept_whole(test, model, instr))
        return (struct mach_lack){.what = "a store of several values that the model keeps whole"};
    if ((instr->counted || (instr->op == LIT_FENCE && instr->value)) &&
        !has_rule(test, thread, instr) && asks_for(model, EXEC_REL_TOKEN))
        return (struct mach_lack){.what = "a fence that names tokens"};
    if (instr->bare)
        return (struct mach_lack){.what = "an exchange of registers within a warp"};
    left.tags = unnamed(test, instr->tags, MACH_PIPE_OF_INSTRUCTION);
    const char *tag = first_of(test->program, meaning_of_instr(test->program, model, &left));
    return (struct mach_lack){
        .what = tag ? "an instruction whose tag the model gives a meaning to" : NULL, .tag = tag};
}

struct mach_lack mach_lacking(const struct mach_test *test, const struct cat_model *model)
{
    const struct lit_program *program = test->program;
    if (program->thread_count > MACH_MAX_THREADS)
        return (struct mach_lack){.what = "more work-items than it takes"};
    for (uint32_t t = 0; t < program->thread_count; t++) {
        struct lit_thread thread = program->threads[t];
        for (uint32_t i = 0; i < thread.code_count; i++) {
            struct mach_lack lack = lacking(test, model, t, &thread.code[i]);
            lack.whose = thread.name;
            lack.line = thread.code[i].span.line;
            if (lack.what)
                return lack;
        }
        thread.tags = unnamed(test, thread.tags, MACH_PIPE_OF_THREAD);
        const char *tag = first_of(program, meaning_of_thread(program, model, &thread));
        if (tag)
            return (struct mach_lack){"a tag of a work-item that the model gives a meaning to",
                                      thread.name, thread.span.line, tag};
    }
    for (uint32_t i = 0; i < program->location_count; i++) {
        struct lit_location location = program->locations[i];
        location.tags = unnamed(test, location.tags, MACH_PIPE_OF_LOCATION);
        const char *tag = first_of(program, meaning_of_location(program, model, &location));
        if (tag)
            return (struct mach_lack){"a tag of a location that the model gives a meaning to",
                                      location.name, location.span.line, tag};
    }
    return (struct mach_lack){0};
}

const char *mach_not_encoded(struct arena *arena, const struct mach_test *test,
                             const struct cat_model *model)
{
    const struct mach_lack lack = mach_lacking(test, model);
    if (lack.what && !lack.whose)
        return arena_printf(arena, "the machine takes up to %d work-items; --engine enum has more",
                            MACH_MAX_THREADS);
    const char *tag = lack.tag ? arena_printf(arena, " ('%s')", lack.tag) : "";
    return lack.what ? arena_printf(arena,
                                    "%s%s, of %s at line %u, is not encoded by the machine; "
                                    "--engine enum has it",
                                    lack.what, tag, lack.whose, lack.line)
                     : NULL;
}
