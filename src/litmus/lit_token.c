/* Tokens. What __fence and __cm give is a token, and a fence may name one. Whose it is, is known of
 * each run, as it is known of a value what it depends on (exec_step.c): as long as it stays in
 * registers, and each of these has a token or none. So all else is refused: through memory, or from
 * another thread, a token would come as a number that names nothing. */
#include "litmus/lit_lower.h"

#include <string.h>

/* The register whose value, in whatever type, the expression is; else LIT_NONE. */
static uint32_t copied(const struct lit_expr *value)
{
    while (value && value->op == LIT_OP_CAST)
        value = value->a;
    return value && value->op == LIT_OP_REG ? value->reg : LIT_NONE;
}

static bool is_none(const struct lit_expr *value)
{
    return value->op == LIT_OP_CONST && value->value == 0;
}

static bool gives(const struct lit_instr *instr)
{
    return instr->dst != LIT_NONE && (instr->op == LIT_FENCE || instr->op == LIT_CM);
}

static bool copies(const struct lit_instr *instr, const bool *holds)
{
    const uint32_t from = instr->op == LIT_SET ? copied(instr->value) : LIT_NONE;
    return from != LIT_NONE && holds[from];
}

/* The registers that may have a token; NULL: there are none. */
static const bool *find_holders(struct lit_lower *lower, const struct lit_thread *thread)
{
    if (!ANY(i, thread->code_count, gives(&thread->code[i])))
        return NULL;
    bool *holds = ARENA_ARRAY(lower->arena, bool, thread->register_count + 1u);
    for (bool more = true; more;) {
        more = false;
        EACH (const struct lit_instr, instr, thread->code, thread->code_count)
            if ((gives(instr) || copies(instr, holds)) && !holds[instr->dst])
                holds[instr->dst] = more = true;
    }
    return holds;
}

/* Is a register with a token overwritten by something else? */
static bool spoils(const struct lit_instr *instr, const bool *holds)
{
    const bool assigns = (instr->dst != LIT_NONE && holds[instr->dst]) ||
                         (instr->dst_old != LIT_NONE && holds[instr->dst_old]);
    return assigns && !gives(instr) && !copies(instr, holds) &&
           !(instr->op == LIT_SET && is_none(instr->value));
}

static bool has_holder(const struct lit_expr *value, const bool *holds)
{
    return value &&
           ((value->op == LIT_OP_REG && holds[value->reg]) || has_holder(value->a, holds) ||
            has_holder(value->b, holds) || has_holder(value->c, holds));
}

/* Is a token used as a number? */
static bool computes(const struct lit_instr *instr, const bool *holds)
{
    return instr->op != LIT_FENCE && !copies(instr, holds) &&
           (has_holder(instr->value, holds) || has_holder(instr->expected, holds) ||
            has_holder(instr->addr.index, holds) || has_holder(instr->resource, holds) ||
            has_holder(instr->quorum, holds));
}

static const char *fault_of(const struct lit_instr *instr, const bool *holds)
{
    const bool names = instr->op == LIT_FENCE && instr->value;
    const uint32_t token = names ? copied(instr->value) : LIT_NONE;
    if (names && (token == LIT_NONE || !holds || !holds[token]))
        return "this names no token; expected a register of this work-item that has what __cm or "
               "__fence gives, and not by way of memory";
    if (holds && spoils(instr, holds))
        return "a register that has a token gets something else here; it may get tokens, and 0 for "
               "none; take another register";
    if (holds && computes(instr, holds))
        return "a token is no number; it is copied from register to register, and a fence names it";
    return NULL;
}

/* Does the instruction put a token where the initial state has a number? */
static bool meets_number(const struct lit_thread *thread, const struct lit_instr *instr,
                         const bool *holds)
{
    return holds && (gives(instr) || copies(instr, holds)) &&
           thread->registers[instr->dst].init != 0;
}

static bool defines(const struct lit_definition *definition, const char *tag)
{
    return ANY(i, definition->tag_count, strcmp(definition->tags[i], tag) == 0);
}

/* That nothing has the tag by which the fence counts may be meant where a definition file has it. */
static void warn_of_tag(struct lit_lower *lower, const struct lit_thread *thread,
                        const struct lit_instr *fence)
{
    uint32_t tag = 0;
    while (tag < lower->tags.count && !(fence->counted >> tag & 1))
        tag++;
    if (tag == lower->tags.count ||
        ANY(i, thread->code_count, (thread->code[i].tags & fence->counted) != 0) ||
        ANY(i, lower->definitions.count,
            defines(lower->definitions.items[i], lower->tags.items[tag])))
        return;
    diag_warning(lower->diag, DIAG_LIT_TOKEN, fence->span,
                 "nothing in its work-item or in a definition file has the tag '%s', "
                 "by which it counts; it names nothing",
                 lower->tags.items[tag]);
}

void lit_token_check(struct lit_lower *lower, const struct lit_thread *thread)
{
    const bool *holds = find_holders(lower, thread);
    uint64_t counted = 0;
    for (uint32_t i = 0; i < thread->code_count; i++)
        counted |= thread->code[i].counted;
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        const char *fault = fault_of(instr, holds);
        if (!fault && lit_instruction_accesses(instr->op) && (instr->tags & counted))
            fault = "a fence counts by a tag of this access; it counts fences and cache "
                    "maintenance alone";
        if (!fault && meets_number(thread, instr, holds))
            fault = "the initial state gives this register a number, and it gets a token here; "
                    "take another register";
        if (fault && !lower->too_large)
            LIT_FAULT(lower, DIAG_LIT_TOKEN, instr->span, "%s", fault);
        if (instr->counted)
            warn_of_tag(lower, thread, instr);
    }
}
