/* A lowered program as text: for --dump-ast, and to read what tests assert. */
#include "litmus/lit_parse.h"

#include "litmus/lit_lower.h"

static const char *const operators[] = {LIT_OPERATORS(TABLE_THIRD)};

static const char *const instructions[] = {
#define X(name, event, traits) #name,
    LIT_INSTRUCTIONS(X)
#undef X
};

static const char *const rmws[] = {"exchange", "add", "sub", "and", "or",
                                   "xor",      "min", "max", "inc", "dec"};

static const char *space_text(uint32_t spaces)
{
    return spaces == LIT_LOCAL ? "local" : spaces == LIT_GLOBAL ? "global" : "global|local";
}

static void dump_tags(const struct lit_program *program, uint64_t tags, struct strbuf *out)
{
    const char *before = "{";
    for (uint32_t i = 0; i < program->tag_count; i++)
        if (tags >> i & 1) {
            strbuf_printf(out, "%s%s", before, program->tags[i]);
            before = ",";
        }
    strbuf_add(out, tags ? "}" : "");
}

static void dump_register(const struct lit_thread *thread, uint32_t reg, struct strbuf *out)
{
    if (reg == LIT_NONE)
        strbuf_add(out, "_");
    else if (thread->registers[reg].name)
        strbuf_add(out, thread->registers[reg].name);
    else
        strbuf_printf(out, "%%%u", reg);
}

static void dump_expr(const struct lit_thread *thread, const struct lit_expr *expr,
                      struct strbuf *out)
{
    if (expr->op == LIT_OP_CONST) {
        lit_value_print(expr->type, expr->value, out);
        return;
    }
    if (expr->op == LIT_OP_REG) {
        dump_register(thread, expr->reg, out);
        return;
    }
    if (expr->op == LIT_OP_CAST)
        strbuf_printf(out, "(%s)", lit_declare_type_name(expr->type));
    else if (!expr->b)
        strbuf_add(out, operators[expr->op]);
    strbuf_add(out, "(");
    dump_expr(thread, expr->a, out);
    if (expr->b) {
        strbuf_printf(out, " %s ", expr->c ? "?" : operators[expr->op]);
        dump_expr(thread, expr->b, out);
    }
    if (expr->c) {
        strbuf_add(out, " : ");
        dump_expr(thread, expr->c, out);
    }
    strbuf_add(out, ")");
}

static void dump_address(const struct lit_program *program, const struct lit_thread *thread,
                         const struct lit_address *addr, struct strbuf *out)
{
    strbuf_printf(out, "[%s", program->locations[addr->first].name);
    if (addr->index) {
        strbuf_add(out, " + ");
        if (addr->stride != 1)
            strbuf_printf(out, "%u * ", addr->stride);
        dump_expr(thread, addr->index, out);
    }
    strbuf_add(out, "]");
}

static void dump_marks(enum lit_order order, enum lit_scope scope, struct strbuf *out)
{
    strbuf_printf(out, " %s", lit_order_tags[order]);
    if (order != LIT_ORDER_NA)
        strbuf_printf(out, " %s", lit_scope_tags[scope]);
}

static void dump_access(const struct lit_program *program, const struct lit_thread *thread,
                        const struct lit_instr *instr, struct strbuf *out)
{
    if (instr->op != LIT_STORE) {
        dump_register(thread, instr->dst, out);
        strbuf_add(out, " = ");
    }
    dump_address(program, thread, &instr->addr, out);
    if (instr->op == LIT_STORE)
        strbuf_add(out, " =");
    if (instr->op == LIT_RMW)
        strbuf_printf(out, " %s%s%s", rmws[instr->rmw], instr->computes ? " as " : "",
                      instr->computes ? lit_declare_type_name(instr->computes - 1) : "");
    if (instr->op == LIT_CAS) {
        strbuf_add(out, instr->unless ? " unless " : " expected ");
        dump_expr(thread, instr->expected, out);
        strbuf_printf(out, " %s", instr->rmw == LIT_RMW_EXCHANGE ? "new" : rmws[instr->rmw]);
    }
    if (instr->value) {
        strbuf_add(out, " ");
        dump_expr(thread, instr->value, out);
    }
    dump_marks(instr->order, instr->scope, out);
    if (instr->op == LIT_CAS) {
        strbuf_printf(out, " failing %s old ", lit_order_tags[instr->fail_order]);
        dump_register(thread, instr->dst_old, out);
    }
}

static void dump_barrier_details(const struct lit_thread *thread, const struct lit_instr *instr,
                                 struct strbuf *out)
{
    strbuf_add(out, instr->named ? " named" : "");
    strbuf_add(out, instr->bare ? " bare" : "");
    strbuf_add(out, instr->arrive ? " arrive" : "");
    if (instr->resource) {
        strbuf_add(out, " resource ");
        dump_expr(thread, instr->resource, out);
    }
    if (instr->quorum) {
        strbuf_add(out, " quorum ");
        dump_expr(thread, instr->quorum, out);
    }
}

/* The tags of what is no access, and its label. */
static void dump_ordering(const struct lit_instr *instr, struct strbuf *out)
{
    if (lit_instruction_is(instr->op, LIT_ORDERED))
        strbuf_printf(out, "%s ", lit_order_tags[instr->order]);
    strbuf_add(out, instr->unscoped ? "unscoped" : lit_scope_tags[instr->scope]);
    if (lit_instruction_is(instr->op, LIT_SPACED))
        strbuf_printf(out, " %s", space_text(instr->spaces));
    if (instr->label)
        strbuf_printf(out, " label %s", instr->label);
}

/* Of a fence or cache maintenance: what it gives, and what it names. */
static void dump_tokens(const struct lit_program *program, const struct lit_thread *thread,
                        const struct lit_instr *instr, struct strbuf *out)
{
    for (uint32_t i = 0; i < program->tag_count; i++)
        if (instr->counted >> i & 1)
            strbuf_printf(out, " of %s all but %u", program->tags[i], instr->but);
    if (instr->value) {
        strbuf_add(out, " of ");
        dump_expr(thread, instr->value, out);
    }
    if (instr->dst != LIT_NONE) {
        strbuf_add(out, " gives ");
        dump_register(thread, instr->dst, out);
    }
}

static void dump_operands(const struct lit_program *program, const struct lit_thread *thread,
                          const struct lit_instr *instr, struct strbuf *out)
{
    switch (instr->op) {
    case LIT_SET:
        dump_register(thread, instr->dst, out);
        strbuf_add(out, " = ");
        dump_expr(thread, instr->value, out);
        break;
    case LIT_CHECK:
        dump_expr(thread, instr->value, out);
        strbuf_printf(out, " or \"%s\"", instr->text);
        break;
    case LIT_LOAD:
    case LIT_STORE:
    case LIT_RMW:
    case LIT_CAS: dump_access(program, thread, instr, out); break;
    case LIT_BARRIER:
        strbuf_printf(out, "%s memory ", lit_scope_tags[instr->exec_scope]);
        dump_ordering(instr, out);
        dump_barrier_details(thread, instr, out);
        break;
    case LIT_CM:
        dump_address(program, thread, &instr->addr, out);
        strbuf_add(out, " ");
        dump_ordering(instr, out);
        dump_tokens(program, thread, instr, out);
        break;
    case LIT_PBARRIER:
        dump_ordering(instr, out);
        dump_barrier_details(thread, instr, out);
        break;
    case LIT_FENCE:
        dump_ordering(instr, out);
        dump_tokens(program, thread, instr, out);
        break;
    case LIT_CRASH: strbuf_printf(out, "\"%s\"", instr->text ? instr->text : ""); break;
    case LIT_JUMP: strbuf_printf(out, "%u", instr->target); break;
    case LIT_BRANCH:
        dump_expr(thread, instr->value, out);
        strbuf_printf(out, " else %u", instr->target);
        if (instr->decides != LIT_NONE) {
            strbuf_add(out, " for ");
            dump_register(thread, instr->decides, out);
        }
        break;
    case LIT_LOOP: strbuf_printf(out, "%u", instr->loop); break;
    case LIT_AWAIT:
        strbuf_printf(out, "%u from %u to %u", instr->loop, instr->begin, instr->target);
        break;
    }
}

static void dump_thread(const struct lit_program *program, const struct lit_thread *thread,
                        const char *prefix, struct strbuf *out)
{
    strbuf_printf(out, "%s%s", prefix, thread->name);
    dump_tags(program, thread->tags, out);
    strbuf_printf(out, " sg %u wg %u kr %u dev %u\n", thread->sg, thread->wg, thread->kr,
                  thread->dev);
    for (uint32_t i = 0; i < thread->code_count; i++) {
        strbuf_printf(out, "  %u: %s", i, instructions[thread->code[i].op]);
        dump_tags(program, thread->code[i].tags, out);
        strbuf_add(out, " ");
        dump_operands(program, thread, &thread->code[i], out);
        strbuf_add(out, "\n");
    }
}

static void dump_locations(const struct lit_program *program, struct strbuf *out)
{
    for (uint32_t i = 0; i < program->location_count; i++) {
        const struct lit_location *at = &program->locations[i];
        strbuf_add(out, at->nvm ? "nvm " : "");
        dump_tags(program, at->tags, out);
        strbuf_printf(out, "%s%s%s %s = ",
                      at->spaces == LIT_GLOBAL  ? ""
                      : at->spaces == LIT_LOCAL ? "local "
                                                : "global|local ",
                      at->atomic ? "atomic_" : "", lit_declare_type_name(at->type), at->name);
        lit_value_print(at->type, at->init, out);
        if (at->line != i)
            strbuf_printf(out, " in the line of %s", program->locations[at->line].name);
        strbuf_add(out, "\n");
    }
}

static void dump_conditions(const struct lit_program *program, struct strbuf *out)
{
    static const char *const whens[] = {"final", "crash", "recovered"};
    for (uint32_t i = 0; i < program->observed_count; i++) {
        strbuf_add(out, i ? "; " : "locations ");
        lit_condition_print_atom(program, LIT_FINAL, &program->observed[i], out);
    }
    strbuf_add(out, program->observed_count ? "\n" : "");
    if (program->filter) {
        strbuf_add(out, "filter ");
        lit_condition_print_prop(program, LIT_FINAL, program->filter, out);
        strbuf_add(out, "\n");
    }
    for (uint32_t i = 0; i < program->condition_count; i++)
        strbuf_printf(out, "%s %s\n", whens[program->conditions[i].when],
                      program->conditions[i].text);
    EACH (const struct lit_expect, expect, program->expects, program->expect_count)
        strbuf_printf(out, "expect %s + %s%s%s%s : %s\n", expect->visibility, expect->persistency,
                      expect->engine ? " [" : "", expect->engine ? expect->engine : "",
                      expect->engine ? "]" : "", lit_verdict_text(expect->verdict));
}

void lit_program_dump(const struct lit_program *program, struct strbuf *out)
{
    strbuf_printf(out, "test %s\n", program->name);
    if (program->title[0])
        strbuf_printf(out, "\"%s\"\n", program->title);
    for (uint32_t i = 0; i < program->metadata_count; i++)
        strbuf_printf(out, "%s=%s\n", program->metadata[i].name, program->metadata[i].text);
    if (program->split_rmw || program->partial_coherence || program->jumps)
        strbuf_printf(out, "memory%s%s%s\n", program->split_rmw ? " split-rmw" : "",
                      program->partial_coherence ? " partial-coherence" : "",
                      program->jumps ? " jumps" : "");
    dump_locations(program, out);
    for (uint32_t i = 0; i < program->pragma_count; i++)
        strbuf_printf(out, "line %u: #pragma %s\n", program->pragmas[i].span.line,
                      program->pragmas[i].text);
    for (uint32_t i = 0; i < program->thread_count; i++)
        dump_thread(program, &program->threads[i], "", out);
    if (program->relaunch)
        strbuf_printf(out, "recovery relaunch%s\n",
                      program->recovery_restartable ? " restartable" : "");
    for (uint32_t i = 0; i < program->recovery_count && !program->relaunch; i++)
        dump_thread(program, &program->recovery[i],
                    program->recovery_restartable ? "restartable " : "", out);
    dump_conditions(program, out);
}
