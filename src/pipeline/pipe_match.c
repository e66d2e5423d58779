/* Which lines of a description match an instruction: computed once for each test, then looked
 * up. */
#include "pipeline/pipe_plan.h"

#include <string.h>

/* ---- What a line says ---- */

static bool is_of_kind(enum mach_pipe_kind kind, enum lit_instr_op op)
{
    switch (kind) {
    case MACH_PIPE_KIND_ANY: return true;
    case MACH_PIPE_KIND_LOAD: return op == LIT_LOAD;
    case MACH_PIPE_KIND_STORE: return op == LIT_STORE;
    case MACH_PIPE_KIND_RMW: return op == LIT_RMW || op == LIT_CAS;
    case MACH_PIPE_KIND_FENCE: return op == LIT_FENCE;
    case MACH_PIPE_KIND_CM: return op == LIT_CM;
    case MACH_PIPE_KIND_BARRIER: return op == LIT_BARRIER;
    case MACH_PIPE_KIND_PBARRIER: return op == LIT_PBARRIER;
    }
    BASE_UNREACHABLE("a kind of instruction");
}

static bool has_scope(const struct lit_instr *instr, int scope)
{
    if (instr->op == LIT_BARRIER)
        return (int)instr->exec_scope == scope;
    bool scoped = instr->op == LIT_PBARRIER ||
                  (lit_instruction_is(instr->op, LIT_SCOPED) && !instr->unscoped &&
                   (!lit_instruction_accesses(instr->op) || instr->order != LIT_ORDER_NA));
    return scoped && (int)instr->scope == scope;
}

static bool matches_instr(const struct mach_pipe_match *match, const struct lit_program *program,
                          const struct lit_thread *thread, const struct lit_instr *instr)
{
    if (!is_of_kind(match->kind, instr->op) ||
        (match->tag && !(instr->tags & lit_program_tag(program, match->tag))) ||
        (match->by && ((thread->tags & lit_program_tag(program, match->by)) != 0) == match->not_by))
        return false;
    if (match->order >= 0 &&
        (!lit_instruction_is(instr->op, LIT_ORDERED) || (int)instr->order != match->order))
        return false;
    return match->scope < 0 || has_scope(instr, match->scope);
}

static bool matches_location(const struct mach_pipe_match *match, const struct lit_program *program,
                             uint32_t location)
{
    if (!match->at)
        return true;
    return location < program->location_count &&
           ((program->locations[location].tags & lit_program_tag(program, match->at)) != 0) !=
               match->not_at;
}

struct pipe_lines pipe_find_lines(const struct lit_program *program, const void *matches,
                                  size_t stride, uint32_t count, struct arena *arena)
{
    struct pipe_lines lines = {.inside = {0}};
    uint64_t *at = ARENA_ARRAY(arena, uint64_t, program->location_count + 1);
    for (uint32_t t = 0; t < program->thread_count; t++)
        lines.code[t] = ARENA_ARRAY(arena, uint64_t, program->threads[t].code_count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const struct mach_pipe_match *match = (const void *)((const char *)matches + i * stride);
        uint64_t bit = UINT64_C(1) << i;
        for (uint32_t t = 0; t < program->thread_count; t++) {
            const struct lit_thread *thread = &program->threads[t];
            uint64_t *code = (uint64_t *)(uintptr_t)lines.code[t];
            for (uint32_t pc = 0; pc < thread->code_count; pc++)
                code[pc] |= matches_instr(match, program, thread, &thread->code[pc]) ? bit : 0;
        }
        for (uint32_t l = 0; l <= program->location_count; l++)
            at[l] |= matches_location(match, program, l) ? bit : 0;
        for (int8_t inside = 0; inside <= 1; inside++)
            lines.inside[inside] |= match->inside < 0 || match->inside == inside ? bit : 0;
    }
    lines.at = at;
    return lines;
}

/* ---- What lines say of an instruction ---- */

static uint64_t matching(const struct pipe_lines *lines, uint32_t thread, uint32_t pc,
                         uint32_t location, bool inside)
{
    return lines->code[thread][pc] & lines->at[location] & lines->inside[inside];
}

const struct mach_pipe_rule *pipe_rule(const struct pipe_plan *plan, uint32_t thread, uint32_t pc,
                                       uint32_t location, bool inside)
{
    uint64_t mask = matching(&plan->rules, thread, pc, location, inside);
    return mask ? &plan->pipe->rules[__builtin_ctzll(mask)] : NULL;
}

uint8_t pipe_bypasses(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                      bool inside)
{
    uint8_t stages = 0;
    for (uint64_t mask = matching(&plan->bypasses, thread, pc, location, inside); mask;
         mask &= mask - 1)
        stages |= (uint8_t)(1u << plan->pipe->bypasses.items[__builtin_ctzll(mask)].stage);
    return stages;
}

uint32_t pipe_view(const struct pipe_plan *plan, uint32_t thread, uint32_t pc, uint32_t location,
                   bool inside)
{
    uint32_t stage = 0;
    for (uint64_t mask = matching(&plan->views, thread, pc, location, inside); mask;
         mask &= mask - 1) {
        uint32_t found = plan->pipe->views.items[__builtin_ctzll(mask)].stage;
        stage = found > stage ? found : stage;
    }
    return stage;
}

/* ---- One line ---- */

static bool matches(const struct mach_pipe_match *match, const struct lit_program *program,
                    uint32_t thread, uint32_t pc, bool inside)
{
    const struct lit_thread *of = &program->threads[thread];
    const struct lit_instr *instr = &of->code[pc];
    const bool placed = lit_instruction_accesses(instr->op) || instr->op == LIT_CM;
    return matches_instr(match, program, of, instr) &&
           matches_location(match, program, placed ? instr->addr.first : program->location_count) &&
           (match->inside < 0 || match->inside == inside);
}

bool pipe_is_chosen(const struct mach_pipe *pipe, uint32_t line, const struct lit_program *program,
                    uint32_t thread, uint32_t pc, bool inside)
{
    EACH (const struct mach_pipe_rule, rule, pipe->rules, pipe->rule_count)
        if (matches(&rule->match, program, thread, pc, inside)) {
            if (rule->span.line == line)
                return true;
            break;
        }
    const struct mach_pipe_ways *const ways[] = {&pipe->bypasses, &pipe->views};
    return ANY(w, 2,
               ANY(i, ways[w]->count,
                   ways[w]->items[i].span.line == line &&
                       matches(&ways[w]->items[i].match, program, thread, pc, inside)));
}

/* ---- Names ---- */

bool pipe_names(const struct mach_pipe *pipe, enum mach_pipe_bearer bearer, const char *tag)
{
    const struct mach_pipe_tag *named = pipe->tags;
    while (named && (named->bearer != bearer || strcmp(named->tag, tag) != 0))
        named = named->next;
    return named;
}

bool pipe_has_rule(const struct mach_pipe *pipe, const struct lit_program *program,
                   const struct lit_thread *thread, const struct lit_instr *instr)
{
    return ANY(i, pipe->rule_count, matches_instr(&pipe->rules[i].match, program, thread, instr));
}
