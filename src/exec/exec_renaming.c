/* Code is compared instruction by instruction. The callback gets the locations of each access.
 * Everything else must be equal, except constants of stores, which are judged once all locations
 * have their partners. */
#include "exec/exec_renaming.h"

#include "exec/exec_event.h"
#include "litmus/lit_code.h"

static bool same_ranges(const struct lit_range *a, const struct lit_range *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->begin != b->begin || a->end != b->end)
            return false;
    return a == b;
}

static bool is_constant_store(const struct lit_instr *instr)
{
    return instr->op == LIT_STORE && instr->value && instr->value->op == LIT_OP_CONST;
}

static bool same_value(const struct lit_instr *a, const struct lit_instr *b)
{
    return lit_code_same(a->value, b->value) ||
           (is_constant_store(a) && is_constant_store(b) && a->value->type == b->value->type);
}

static bool same_kind(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->op == b->op && a->tags == b->tags && a->counted == b->counted && a->but == b->but &&
           a->order == b->order && a->fail_order == b->fail_order && a->scope == b->scope &&
           a->exec_scope == b->exec_scope && a->rmw == b->rmw && a->computes == b->computes &&
           a->spaces == b->spaces && a->nonatomic == b->nonatomic && a->unscoped == b->unscoped &&
           a->unless == b->unless && a->wide == b->wide && a->named == b->named &&
           a->arrive == b->arrive && a->label == b->label && a->within == b->within &&
           !a->statement == !b->statement && text_same(a->text, b->text);
}

static bool same_operands(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->dst == b->dst && a->dst_old == b->dst_old && a->decides == b->decides &&
           lit_code_same(a->addr.index, b->addr.index) && same_value(a, b) &&
           lit_code_same(a->expected, b->expected) && lit_code_same(a->resource, b->resource) &&
           lit_code_same(a->quorum, b->quorum);
}

static bool same_flow(const struct lit_instr *a, const struct lit_instr *b)
{
    return a->target == b->target && a->loop == b->loop && a->begin == b->begin &&
           same_ranges(a->unsequenced, b->unsequenced) &&
           lit_code_same_list(a->kept, a->kept_count, b->kept, b->kept_count) &&
           lit_code_same_list(a->shown, a->shown_count, b->shown, b->shown_count);
}

/* Does it have an address? */
static bool is_placed(const struct lit_instr *instr)
{
    return lit_instruction_accesses(instr->op) || instr->op == LIT_CM;
}

static bool match_address(const struct lit_address *a, const struct lit_address *b,
                          exec_pair_callback *callback, void *context)
{
    if (a->count != b->count)
        return false;
    return ALL(i, a->count,
               callback(context, lit_address_element(a, i), lit_address_element(b, i)));
}

static bool same_registers(const struct lit_thread *a, const struct lit_thread *b)
{
    if (a->register_count != b->register_count)
        return false;
    for (uint32_t i = 0; i < a->register_count; i++) {
        const struct lit_register *one = &a->registers[i], *other = &b->registers[i];
        if (one->type != other->type || one->init != other->init ||
            one->at_crash != other->at_crash || one->given != other->given)
            return false;
    }
    return true;
}

bool exec_match_code(const struct lit_thread *a, const struct lit_thread *b,
                     exec_pair_callback *callback, void *context)
{
    const bool same = a == b;
    if (!same && (a->tags != b->tags || a->code_count != b->code_count ||
                  a->loop_count != b->loop_count || !same_registers(a, b)))
        return false;
    for (uint32_t i = 0; i < a->code_count; i++) {
        const struct lit_instr *from = &a->code[i], *to = &b->code[i];
        if ((!same && (!same_kind(from, to) || !same_operands(from, to) || !same_flow(from, to))) ||
            (is_placed(from) && !match_address(&from->addr, &to->addr, callback, context)))
            return false;
    }
    return true;
}

static uint64_t mix(uint64_t digest, uint64_t more)
{
    return (digest ^ more) * UINT64_C(0x9e3779b97f4a7c15) + (digest >> 29);
}

uint64_t exec_code_digest(const struct lit_thread *thread)
{
    uint64_t digest = mix(thread->tags, thread->code_count);
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *instr = &thread->code[i];
        digest = mix(digest, instr->op);
        digest = mix(digest, instr->order);
        digest = mix(digest, instr->scope);
        digest = mix(digest, is_placed(instr) ? instr->addr.count : 0);
    }
    return digest;
}

bool exec_locations_alike(const struct lit_location *a, const struct lit_location *b)
{
    return a->type == b->type && a->spaces == b->spaces && a->nvm == b->nvm &&
           a->hidden == b->hidden && a->exchanged == b->exchanged && a->atomic == b->atomic &&
           a->init == b->init && a->tags == b->tags;
}

/* ---- The test ---- */

static uint32_t image(const uint32_t *renamed, uint32_t from)
{
    return renamed[from] == LIT_NONE ? from : renamed[from];
}

static bool is_image(void *context, uint32_t from, uint32_t to)
{
    const struct exec_renaming *r = context;
    return image(r->locations, from) == to;
}

/* Involutions, and locations alike. */
static bool are_exchanges(const struct exec_renaming *r)
{
    const struct lit_program *p = r->program;
    for (uint32_t t = 0; t < p->thread_count; t++)
        if (image(r->threads, image(r->threads, t)) != t)
            return false;
    return !ANY(l, p->location_count,
                image(r->locations, image(r->locations, l)) != l ||
                    !exec_locations_alike(&p->locations[l], &p->locations[image(r->locations, l)]));
}

/* Do locations of one line, or of one unit, stay together? Each is named by its first location. */
static bool keeps_parts(struct arena *scratch, const struct exec_renaming *r, bool units)
{
    const struct lit_location *locations = r->program->locations;
    uint32_t count = r->program->location_count;
    uint32_t *part = ARENA_ARRAY(scratch, uint32_t, count);
    for (uint32_t l = 0; l < count; l++)
        part[l] = LIT_NONE;
    for (uint32_t l = 0; l < count; l++) {
        const struct lit_location *a = &locations[l], *b = &locations[image(r->locations, l)];
        uint32_t from = units ? a->unit : a->line, to = units ? b->unit : b->line;
        if (part[from] == LIT_NONE)
            part[from] = to;
        if (part[from] != to)
            return false;
    }
    return true; /* and none meet that were apart, as the same holds of the way back */
}

/* Units matter where a store is wider than a location. */
static bool has_wide(const struct lit_program *program)
{
    return ANY(t, program->thread_count,
               ANY(i, program->threads[t].code_count, program->threads[t].code[i].wide));
}

static bool keeps_lines(struct arena *scratch, const struct exec_renaming *r)
{
    return keeps_parts(scratch, r, false) &&
           (!has_wide(r->program) || keeps_parts(scratch, r, true));
}

struct exec_instances exec_instances_new(struct arena *arena, const struct lit_program *program)
{
    struct exec_instances instances;
    for (uint32_t s = 0; s < EXEC_SCOPES; s++) {
        uint32_t *first = ARENA_ARRAY(arena, uint32_t, program->thread_count);
        uint32_t *firsts = ARENA_ARRAY(arena, uint32_t, program->thread_count), count = 0;
        for (uint32_t t = 0; t < program->thread_count; t++) {
            uint32_t i = 0;
            while (i < count &&
                   !lit_same_instance(&program->threads[firsts[i]], &program->threads[t],
                                      (enum lit_scope)(EXEC_FIRST_SCOPE + s)))
                i++;
            if (i == count)
                firsts[count++] = t;
            first[t] = firsts[i];
        }
        instances.first[s] = first;
    }
    return instances;
}

/* Do threads of one scope instance stay together? */
static bool keeps_scopes(struct arena *scratch, const struct exec_renaming *r)
{
    uint32_t count = r->program->thread_count;
    uint32_t *became = ARENA_ARRAY(scratch, uint32_t, count);
    for (uint32_t s = 0; s < EXEC_SCOPES; s++) {
        const uint32_t *first = r->instances->first[s];
        for (uint32_t t = 0; t < count; t++)
            became[t] = LIT_NONE;
        for (uint32_t t = 0; t < count; t++) {
            uint32_t to = first[image(r->threads, t)];
            if (became[first[t]] == LIT_NONE)
                became[first[t]] = to;
            if (became[first[t]] != to)
                return false;
        }
    }
    return true; /* and none meet that were apart, as the same holds of the way back */
}

static bool keeps_code(const struct exec_renaming *r, exec_differing_list *differing)
{
    const struct lit_program *p = r->program;
    for (uint32_t t = 0; t < p->thread_count; t++) {
        const struct lit_thread *from = &p->threads[t], *to = &p->threads[image(r->threads, t)];
        if (!exec_match_code(from, to, is_image, (void *)r))
            return false;
        for (uint32_t i = 0; i < from->code_count; i++)
            if (is_constant_store(&from->code[i]) &&
                from->code[i].value->value != to->code[i].value->value)
                VEC_PUSH(differing, ((struct exec_differing){&from->code[i], &to->code[i]}));
    }
    return true;
}

static int64_t stored(const struct lit_location *location, const struct lit_instr *instr)
{
    return lit_value_wrap(location->type, instr->value->value);
}

/* What the value of a location becomes where a list of stores says so: one value has one image. */
static bool value_image(const exec_differing_list *differing, const struct lit_location *locations,
                        uint32_t location, int64_t value, int64_t *result)
{
    bool any = false;
    *result = value;
    for (size_t i = 0; i < differing->count; i++) {
        const struct exec_differing *pair = &differing->items[i];
        if (!lit_address_has(&pair->from->addr, location) ||
            stored(&locations[location], pair->from) != value)
            continue;
        int64_t to = stored(&locations[location], pair->to);
        if (any && to != *result)
            return false;
        any = true;
        *result = to;
    }
    return true;
}

/* Values of a location that some differing store changes: every write of it is a store of a
 * constant, which becomes what the list says, nobody reads it, and its first value stays. */
static bool is_opaque(const struct exec_renaming *r, const exec_differing_list *differing,
                      uint32_t location)
{
    const struct lit_program *p = r->program;
    int64_t to;
    if (!value_image(differing, p->locations, location, p->locations[location].init, &to) ||
        to != p->locations[location].init)
        return false;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t i = 0; i < p->threads[t].code_count; i++) {
            const struct lit_instr *instr = &p->threads[t].code[i];
            if (!lit_instruction_accesses(instr->op) || !lit_address_has(&instr->addr, location))
                continue;
            const struct lit_instr *other = &p->threads[image(r->threads, t)].code[i];
            if (!is_constant_store(instr) ||
                !value_image(differing, p->locations, location,
                             stored(&p->locations[location], instr), &to) ||
                to != stored(&p->locations[location], other))
                return false;
        }
    return true;
}

static bool keeps_values(const struct exec_renaming *r, const exec_differing_list *differing)
{
    for (size_t i = 0; i < differing->count; i++) {
        const struct lit_address *addr = &differing->items[i].from->addr;
        for (uint32_t k = 0; k < addr->count; k++)
            if (!is_opaque(r, differing, lit_address_element(addr, k)))
                return false;
    }
    return true;
}

bool exec_is_automorphism(struct arena *scratch, const struct exec_renaming *renaming,
                          exec_differing_list *differing)
{
    struct arena_mark mark = arena_mark(scratch);
    bool is = are_exchanges(renaming) && keeps_lines(scratch, renaming) &&
              keeps_scopes(scratch, renaming) && keeps_code(renaming, differing) &&
              keeps_values(renaming, differing);
    arena_rewind(scratch, mark);
    return is;
}
