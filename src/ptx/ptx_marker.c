#include "ptx/ptx_marker.h"

#include "ptx/ptx_access.h"
#include "ptx/ptx_compute.h"

/* Built in: persist barriers, with what they are in other dialects, and the crash. */
static const char *const names[] = {"pbarrier.thread", "pbarrier.warp", "pbarrier.cta",
                                    "pbarrier.grid",   "pbarrier.gpu",  "crash"};
static const char *const barriers[] = {"p_barrier_wi", "p_barrier_sg", "p_barrier_wg",
                                       "p_barrier_kr", "p_barrier_dev"};

/* NULL: it is none. */
static const char *persist_barrier(const char *text)
{
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (strcmp(names[i], text) == 0)
            return barriers[i];
    return NULL;
}

/* A word of no definition. */
static void refuse_unknown(struct ptx_walk *s, const struct ptx_instr *instr)
{
    struct lit_lower *lower = s->memory->lower;
    const char *near = lit_uses_nearest(s->arena, &lower->definitions, instr->text, false);
    if (!near)
        near = diag_meant(instr->text, names, sizeof names / sizeof *names);
    const char *file = NULL;
    const char *advice = near ? NULL : lit_uses_advice(s->arena, instr->text, &file);
    PTX_FAULT(s, DIAG_PTX_INSTRUCTION, "no definition file of this test has '%.60s'%s%s%s%s",
              instr->text, ptx_where(s, instr), near || advice ? "; " : "",
              near     ? "did you mean "
              : advice ? advice
                       : "",
              near ? arena_printf(s->arena, "'%s'?", near) : "");
}

/* The size of the cell at the address: an access has one of its own, a marker has not. */
static uint32_t bytes_at(struct ptx_walk *s, const struct ptx_operand *operand)
{
    const struct ptx_value address = ptx_value_of(s, operand);
    const uint32_t number = ptx_memory_near(s->memory, address.known);
    const struct ptx_object *object = number == LIT_NONE ? NULL : &s->memory->objects.items[number];
    uint32_t location;
    enum lit_type type;
    if (!object || !object->declared)
        return object && object->width ? object->width : 4;
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
        uint64_t offset = address.known - object->base;
        if (address.kind == PTX_READ && address.factor)
            offset %= address.factor;
        if (offset < object->size &&
            ptx_memory_cell(s->memory, number, offset, bytes, &location, &type))
            return bytes;
    }
    return 4;
}

/* False after reporting that the definition is not called with what it takes. */
static bool check_call(struct ptx_walk *s, const struct ptx_instr *instr,
                       const struct lit_definition *definition)
{
    const bool placed = definition->count == 1 && definition->kinds[0] == LIT_FORMAL_PLACE;
    const bool good = *instr->marks == '\0' && !definition->value &&
                      (instr->count ? placed : definition->count == 0);
    if (!good)
        PTX_FAULT(s, DIAG_PTX_INSTRUCTION, "'%.60s' takes %s%s", instr->text,
                  definition->value || definition->count > 1 || (definition->count == 1 && !placed)
                      ? "what no marker can give it"
                  : placed ? "an address, as by CRASHLIT_AT"
                           : "no address",
                  ptx_where(s, instr));
    return good;
}

void ptx_step_marker(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct lit_lower *lower = s->memory->lower;
    const struct lit_definition *definition =
        lit_uses_find(&lower->definitions, lower->definitions.count, instr->text);
    const bool crashes = strcmp(instr->text, "crash") == 0;
    const char *barrier = persist_barrier(instr->text);
    struct ptx_access *access = NULL;
    if (definition ? !check_call(s, instr, definition) : !crashes && !barrier) {
        if (!definition)
            refuse_unknown(s, instr);
        return;
    }
    if (!definition && (instr->count || (barrier && *instr->marks)))
        PTX_FAULT(s, DIAG_PTX_INSTRUCTION, "'%s' takes no address%s", instr->text,
                  ptx_where(s, instr));
    else if (instr->count)
        access = ptx_access_of(s, &instr->operands[0], bytes_at(s, &instr->operands[0]));
    if (s->failed)
        return;
    struct ptx_step *step = ptx_emit(s, LIT_FENCE);
    step->access = access;
    step->marker = instr;
    step->calls = crashes && !definition ? NULL : definition ? instr->text : barrier;
}

/* ---- Its code ---- */

/* What is called with a location is called with this one, and then has the one that is meant. */
static const char place[] = "(place)";

void ptx_marker_declare(struct lit_lower *lower, struct span span)
{
    const struct ast_name name = {intern_text(lower->names, place), span};
    struct lit_symbol *symbol = lit_declare_add(lower, &name);
    symbol->hidden = symbol->nvm = true;
}

void ptx_marker_emit(struct lit_lower *lower, const struct ptx_step *step,
                     const struct lit_address *addr, struct span span)
{
    struct ast_expr call = {
        .kind = AST_CALL,
        .span = span,
        .name = {step->calls ? intern_text(lower->names, step->calls) : NULL, span}};
    const uint32_t first = lit_thread_here(lower);
    struct ast_expr argument = {
        .kind = AST_NAME, .span = span, .name = {intern_text(lower->names, place), span}};
    if (addr)
        CHAIN_ADD(&call.args, &argument);
    if (step->calls)
        (void)lit_access_call(lower, &call, false);
    else
        lit_thread_crash(lower, span, *step->marker->marks ? step->marker->marks : NULL);
    for (uint32_t i = first; i < lit_thread_here(lower); i++) {
        struct lit_instr *instr = &lower->code.items[i];
        instr->origin = step->marker->origin;
        instr->within = i > first;
        if (addr && lit_instruction_is(instr->op, LIT_PLACED))
            instr->addr = *addr;
    }
}
