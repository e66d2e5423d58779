#include "ptx/ptx_access.h"

#include "base/bits.h"
#include "ptx/ptx_compute.h"
#include "ptx/ptx_fold.h"
#include "ptx/ptx_inline.h"
#include "ptx/ptx_own.h"
#include "ptx/ptx_warp.h"

#include <inttypes.h>
#include <string.h>

/* ---- Memory ---- */

static bool check_elements(struct ptx_walk *s, struct ptx_access *access, uint64_t offset,
                           uint64_t step, uint32_t bytes)
{
    uint32_t location;
    enum lit_type type;
    for (uint32_t i = 0; i < access->count; i++)
        if (!ptx_memory_cell(s->memory, access->object, offset + i * step, bytes, &location,
                             &type) ||
            location != access->location + i * access->stride)
            return false;
    return true;
}

/* Where the address is first + i * step for an i: i, of the address less its first. */
static const struct lit_expr *index_expr(struct ptx_walk *s, const struct ptx_value *address,
                                         uint32_t bits, uint64_t first, uint64_t step)
{
    bool narrow_reg = lit_type_bits(s->residue.registers.items[address->reg]) == 32;
    if (bits == 64 && narrow_reg && address->factor == step) {
        const struct lit_expr *reg = ptx_read_register(s, address->reg);
        int64_t more = (int64_t)(address->known - first) / (int64_t)step;
        if (address->extends)
            reg = ptx_cast(s->arena, LIT_INT, reg);
        if (more == 0)
            return reg;
        return ptx_with(s->arena, LIT_OP_ADD, LIT_LONG, ptx_cast(s->arena, LIT_LONG, reg),
                        (uint64_t)more);
    }
    enum lit_type type = ptx_lit_type(bits, false);
    const struct lit_expr *all =
        ptx_with(s->arena, LIT_OP_SUB, type, ptx_expr_of(s, address, bits), first);
    return ptx_with(s->arena, LIT_OP_DIV, type, all, step);
}

/* Of what is open each launch has its own size. */
static uint64_t size_of(const struct ptx_walk *s, const struct ptx_object *object)
{
    const struct ast_number *bytes = &s->thread->launch->bytes;
    return !object->open ? object->size : bytes->bad ? 0 : (uint64_t)bytes->value;
}

static void report_mixed(struct ptx_walk *s, const char *name, uint64_t step, uint32_t bytes)
{
    PTX_FAULT(s, DIAG_PTX_MIXED,
              "'%s' accesses '%s' in steps of %" PRIu64
              " bytes, and not each step is to one element of %u bytes%s",
              s->instr->text, name, step, bytes, ptx_where(s, s->instr));
}

/* The cells of an address that depends on a read. */
static void find_cells(struct ptx_walk *s, struct ptx_access *access,
                       const struct ptx_value *address, uint32_t bits, uint32_t bytes,
                       enum lit_type *type)
{
    const struct ptx_object *object = &s->memory->objects.items[access->object];
    bool down = address->factor >> 63;
    uint64_t step = down ? 0 - address->factor : address->factor;
    int64_t behind = (int64_t)(address->known - object->base);
    uint64_t size = size_of(s, object);
    uint64_t offset =
        behind < 0 ? (step - (uint64_t)-behind % step) % step : (uint64_t)behind % step;
    bool narrow_reg = lit_type_bits(s->residue.registers.items[address->reg]) == 32;
    bool exact = (bits == 64 && narrow_reg && !down && step < UINT32_MAX) || !(step & (step - 1));
    uint32_t next;
    enum lit_type ignored;
    access->outside = offset + bytes > size;
    if (access->outside)
        return;
    if (!exact) {
        PTX_FAULT(s, DIAG_PTX_MIXED,
                  "'%s' accesses '%s' at %" PRIu64 " bytes times a number of 64 bits, "
                  "and of such steps only powers of two are read%s",
                  s->instr->text, object->name, step, ptx_where(s, s->instr));
        return;
    }
    if (!ptx_memory_cell(s->memory, access->object, offset, bytes, &access->location, type)) {
        report_mixed(s, object->name, step, bytes);
        return;
    }
    access->count = (uint32_t)((size - offset - bytes) / step) + 1;
    if (access->count > 1 &&
        ptx_memory_cell(s->memory, access->object, offset + step, bytes, &next, &ignored))
        access->stride = next - access->location;
    if (!check_elements(s, access, offset, step, bytes))
        report_mixed(s, object->name, step, bytes);
    access->index = index_expr(s, address, bits, object->base + offset, step);
}

/* Cells that an address which is read may be that of. */
enum { MOST_CANDIDATES = 64 };
struct candidates {
    uint64_t address[MOST_CANDIDATES];
    uint32_t location[MOST_CANDIDATES], count, first, last;
    bool opaque, parts; /* one holds an opaque value; a part of an element may be meant */
};

/* Where a pointer leads claims nothing: what others access says first how large cells are. What
 * nobody names has no pointer to it. */
static bool is_claimed(struct ptx_object *object, uint32_t bytes, const char **why)
{
    if (object->declared || object->width)
        return true;
    if (!object->named || object->size < bytes)
        return false;
    if (object->wanted && object->wanted != bytes)
        *why = "a variable that only pointers lead to would have elements of two sizes; declare it "
               "in the test's initial block";
    object->wanted = bytes;
    return false;
}

/* Those of the object that have this size; their locations are those behind `begin`. NULL: these
 * are all. */
static const char *add_candidates(const struct ptx_walk *s, uint32_t number, uint32_t begin,
                                  uint32_t bytes, struct candidates *all)
{
    const struct ptx_object *object = &s->memory->objects.items[number];
    uint64_t size = size_of(s, object);
    uint32_t own, location;
    s->memory->steps += size / bytes / 64; /* it takes its time */
    enum lit_type type;
    for (uint64_t offset = 0; offset + bytes <= size; offset += bytes) {
        if (!ptx_memory_cell(s->memory, number, offset, bytes, &own, &type)) {
            all->parts = true;
            continue;
        }
        if (all->count == MOST_CANDIDATES)
            return "memory has more than 64 elements that it may be";
        location = begin + own;
        all->opaque |= object->opaque[own];
        all->first = all->count && all->first < location ? all->first : location;
        all->last = all->last > location ? all->last : location;
        if (all->last - all->first >= MOST_CANDIDATES)
            return "the elements that it may be are more than 64 apart";
        all->address[all->count] = object->base + offset;
        all->location[all->count++] = location;
    }
    return NULL;
}

/* Of what is led to: is the address perhaps that of a part of a cell? */
static bool may_be_part(const struct ptx_walk *s, uint32_t number, const struct ptx_value *address,
                        uint32_t bytes, bool parts)
{
    const struct ptx_object *object = &s->memory->objects.items[number];
    bool exact = address->loaded && address->factor == 1 && !address->extends && !object->led_all &&
                 !s->memory->led_on;
    uint32_t location;
    enum lit_type type;
    if (!parts || (!object->led && !object->led_all))
        return false;
    for (uint64_t i = 0; exact && i < object->size; i++) {
        uint64_t at = i + address->known;
        if (i % 64 == 0 && !object->led[i / 64]) {
            i += 63;
            continue;
        }
        if (bits_get(object->led, (uint32_t)i) && at < object->size && object->size - at >= bytes &&
            at % bytes == 0 && !ptx_memory_cell(s->memory, number, at, bytes, &location, &type))
            return true;
    }
    return !exact;
}

/* Why it cannot be said which cells these are; NULL after finding them. */
static const char *find_candidates(struct ptx_walk *s, const struct ptx_value *address,
                                   uint32_t bytes, struct candidates *all)
{
    bool generic = s->instr->meaning.space != PTX_GLOBAL;
    const char *why = NULL;
    if (generic && s->instr->meaning.space != PTX_GENERIC)
        return "only global memory is looked through for it";
    if (generic && ANY(i, s->kernel->locals.count, !s->kernel->locals.items[i].unnamed))
        return "it may be in memory of the thread's own";
    for (uint32_t i = 0; i < s->memory->objects.count && !why; i++) {
        struct ptx_object *object = &s->memory->objects.items[i];
        if (object->shared && generic)
            return "it may be in shared memory";
        if (object->constant && generic)
            return "it may be in constant memory";
        if (object->shared || object->why || object->constant || !is_claimed(object, bytes, &why))
            continue;
        uint32_t first = object->symbol < s->memory->lower->symbols.count
                             ? s->memory->lower->symbols.items[object->symbol].first
                             : 0;
        all->parts = false;
        why = add_candidates(s, i, first, bytes, all);
        if (!why && may_be_part(s, i, address, bytes, all->parts))
            PTX_FAULT(s, DIAG_PTX_MIXED,
                      "the address of '%s' depends on a read, and may lead into '%s', whose "
                      "elements are not of %u bytes there%s",
                      s->instr->text, object->name, bytes, ptx_where(s, s->instr));
    }
    return why;
}

/* The cell whose address it is, or one that is not there. */
static void choose_candidate(struct ptx_walk *s, struct ptx_access *access,
                             const struct candidates *all, const struct lit_expr *to)
{
    access->index = ptx_constant(s->arena, LIT_LONG, UINT64_MAX);
    for (uint32_t i = 0; i < all->count; i++)
        access->index = ptx_choose(
            s->arena, LIT_LONG, ptx_with(s->arena, LIT_OP_EQ, LIT_ULONG, to, all->address[i]),
            ptx_constant(s->arena, LIT_LONG, all->location[i] - all->first), access->index);
    access->outside = all->count == 0;
    access->chosen = true;
    access->opaque = all->opaque;
    access->location = all->first;
    access->count = all->last - all->first + 1;
}

/* A pointer that is read, or what is computed of one object's address, leads to the cell whose address
 * it is, of any object or of that one, and else out of bounds. */
static void follow(struct ptx_walk *s, struct ptx_access *access, const struct ptx_value *address,
                   uint32_t bits, uint32_t bytes)
{
    const struct ptx_object *object =
        access->object == LIT_NONE ? NULL : &s->memory->objects.items[access->object];
    struct candidates all = {0};
    const char *why = bits != 64 && !(object && object->shared) ? "it has 32 bits"
                      : s->instr->meaning.vector > 1            ? "it is that of a vector"
                      : object ? add_candidates(s, access->object, 0, bytes, &all)
                               : find_candidates(s, address, bytes, &all);
    access->absolute = !object;
    if (why && !object)
        PTX_FAULT(s, DIAG_PTX_POINTER,
                  "the address of '%s' depends on a read, so its object is not known%s: %s",
                  s->instr->text, ptx_where(s, s->instr), why);
    else if (why)
        PTX_FAULT(s, DIAG_PTX_POINTER,
                  "which element of '%s' the address of '%s' is depends on a read%s: %s",
                  object->name, s->instr->text, ptx_where(s, s->instr), why);
    else if (object && all.parts)
        PTX_FAULT(s, DIAG_PTX_MIXED,
                  "'%s' accesses %u bytes of '%s' at a place that depends on a read, and not all "
                  "its elements have this size%s",
                  s->instr->text, bytes, object->name, ptx_where(s, s->instr));
    else
        choose_candidate(s, access, &all,
                         ptx_cast(s->arena, LIT_ULONG, ptx_expr_of(s, address, bits)));
}

/* False after reporting that the instruction is of another space than the object. */
static bool check_space(struct ptx_walk *s, const struct ptx_object *object)
{
    enum ptx_space space = s->instr->meaning.space;
    bool loads = s->instr->meaning.word->kind == PTX_LOAD;
    if (space == PTX_LOCAL || space == PTX_PARAM || (space == PTX_SHARED && !object->shared) ||
        (space == PTX_CONST && !object->constant) ||
        (space == PTX_GLOBAL && (object->shared || object->constant)))
        PTX_FAULT(s, DIAG_PTX_POINTER, "'%s' is of another space than '%s'%s", s->instr->text,
                  object->name, ptx_where(s, s->instr));
    else if (object->constant && !loads)
        PTX_REFUSE(s, "a kernel cannot write constant memory");
    return !s->failed;
}

/* ---- Parts of cells ---- */

/* The number of the cell among those that are told of as long as nobody writes them. */
static uint32_t part_number(struct ptx_walk *s, uint32_t object, uint32_t location)
{
    struct ptx_memory *memory = s->memory;
    uint32_t count = (uint32_t)memory->parts.count;
    for (uint32_t i = 0; i < count; i++)
        if (memory->parts.items[i].object == object && memory->parts.items[i].location == location)
            return i;
    VEC_PUSH(&memory->parts, (struct ptx_piece){object, location});
    memory->grew = true;
    return count;
}

static bool covers(const struct ptx_access *access, const struct ptx_piece *part)
{
    return access->absolute ||
           (!access->outside && access->object == part->object &&
            ANY(i, access->count, access->location + i * access->stride == part->location));
}

static void note_written(struct ptx_walk *s, const struct ptx_access *access)
{
    struct ptx_memory *memory = s->memory;
    for (uint32_t i = 0; i < memory->parts.count; i++) {
        const struct ptx_writer own = {i, s->thread->rank, s->thread->launch};
        if (!covers(access, &memory->parts.items[i]) ||
            ANY(k, memory->writers.count,
                memory->writers.items[k].part == i && memory->writers.items[k].rank == own.rank &&
                    memory->writers.items[k].launch == own.launch))
            continue;
        VEC_PUSH(&memory->writers, own);
        memory->grew = true;
    }
    memory->steps += memory->parts.count + memory->writers.count / 64; /* it takes its time */
}

/* Does a thread of the launch write the cell, another one or, where that counts, this one? */
static bool is_written(struct ptx_walk *s, uint32_t object, uint32_t location, bool own)
{
    const struct ptx_memory *memory = s->memory;
    const uint32_t part = part_number(s, object, location);
    s->memory->steps += memory->parts.count / 64 + memory->writers.count / 64;
    return ANY(i, memory->writers.count,
               memory->writers.items[i].part == part &&
                   memory->writers.items[i].launch == s->thread->launch &&
                   (own || memory->writers.items[i].rank != s->thread->rank));
}

/* What the read-only path returns of a cell that is written meanwhile, the manual does not say. */
static void check_read_only(struct ptx_walk *s, const struct ptx_access *access)
{
    if (access->absolute) {
        PTX_REFUSE(s,
                   "where it leads depends on a pointer that is read, and nobody may store there");
        return;
    }
    for (uint32_t i = 0; i < access->count && !access->outside && !s->failed; i++)
        if (is_written(s, access->object, access->location + i * access->stride, true))
            PTX_FAULT(s, DIAG_PTX_READ_ONLY,
                      "'%s' loads an element of '%s' that a thread of the launch stores to%s; what "
                      "is const and __restrict__ must not change while the kernel runs",
                      s->instr->text, s->memory->objects.items[access->object].name,
                      ptx_where(s, s->instr));
}

/* Is it a load of a part of a cell? By the manual no axiom holds where such a load races with a
 * store: so no other thread of the launch may write the cell. */
static bool takes_part(struct ptx_walk *s, struct ptx_access *access, uint64_t offset,
                       uint32_t bytes, enum lit_type *type)
{
    struct ptx_memory *memory = s->memory;
    if (s->instr->meaning.word->kind != PTX_LOAD || memory->objects.items[access->object].shared ||
        offset % bytes ||
        !ptx_memory_part(memory, access->object, offset, bytes, &access->location, type,
                         &access->behind))
        return false;
    access->part = true;
    if (is_written(s, access->object, access->location, false))
        PTX_FAULT(s, DIAG_PTX_MIXED,
                  "'%s' loads a part of an element of '%s' that another thread of the launch "
                  "stores as a whole%s",
                  s->instr->text, memory->objects.items[access->object].name,
                  ptx_where(s, s->instr));
    return true;
}

/* What the instruction accesses at the address, so many bytes behind it. */
static struct ptx_access *find_access(struct ptx_walk *s, const struct ptx_operand *operand,
                                      uint64_t behind, uint32_t bytes, enum lit_type *type)
{
    struct ptx_access *access = ARENA_NEW(s->arena, struct ptx_access);
    struct ptx_value address = ptx_value_of(s, operand);
    uint32_t bits = operand->kind == PTX_REGISTER ? ptx_bits_of(s, operand->reg) : 64;
    *type = LIT_INT;
    access->count = access->stride = 1;
    if (s->failed || !ptx_check_known(s, &address, "the address"))
        return access;
    const struct lit_expr *depends = NULL;
    if (address.sure) { /* it is known where it leads, and depends on what it is computed of */
        depends = ptx_depending(s, ptx_expr_of(s, &address, bits));
        address = (struct ptx_value){
            .kind = PTX_KNOWN, .known = address.is + (uint64_t)operand->number, .of = address.of};
    }
    address.known = ptx_narrow(address.known + behind, bits);
    access->object = ptx_memory_near(s->memory, address.known);
    if (address.kind == PTX_READ && access->object == LIT_NONE) {
        access->object = address.of == PTX_ANY ? LIT_NONE : address.of - 1;
        if (access->object == LIT_NONE || check_space(s, &s->memory->objects.items[access->object]))
            follow(s, access, &address, bits, bytes);
        return access;
    }
    access->outside = access->object == LIT_NONE ||
                      (address.of && address.of != PTX_ANY && address.of != access->object + 1);
    if (access->outside)
        return access;
    const struct ptx_object *object = &s->memory->objects.items[access->object];
    uint64_t whole = (uint64_t)bytes * s->instr->meaning.vector, first = address.known - behind;
    if (!check_space(s, object))
        return access;
    if (whole > bytes && (first % whole || (address.kind == PTX_READ && address.factor % whole))) {
        PTX_FAULT(s, DIAG_PTX_MIXED, "'%s' accesses '%s' at no multiple of its %u bytes%s",
                  s->instr->text, object->name, (unsigned)whole, ptx_where(s, s->instr));
        return access;
    }
    if (address.kind == PTX_READ) {
        find_cells(s, access, &address, bits, bytes, type);
    } else {
        uint64_t offset = address.known - object->base, size = size_of(s, object);
        access->outside = offset >= size || size - offset < bytes;
        access->offset = offset;
        if (!access->outside &&
            !ptx_memory_cell(s->memory, access->object, offset, bytes, &access->location, type) &&
            !takes_part(s, access, offset, bytes, type))
            PTX_FAULT(s, DIAG_PTX_MIXED,
                      "'%s' accesses %u bytes at '%s' + %" PRIu64
                      ", which are not just one element of it%s",
                      s->instr->text, bytes, object->name, offset, ptx_where(s, s->instr));
        access->index = depends;
    }
    return access;
}

/* NULL: of none, or of any. */
static const struct ptx_object *object_at(const struct ptx_walk *s, const struct ptx_access *access)
{
    bool any = access->outside || access->absolute;
    return any ? NULL : &s->memory->objects.items[access->object];
}

static bool is_opaque(const struct ptx_walk *s, const struct ptx_access *access)
{
    const struct ptx_object *object = object_at(s, access);
    return access->opaque ||
           (object && ANY(i, access->count, object->opaque[access->location + i * access->stride]));
}

static void note_opaque(struct ptx_walk *s, const struct ptx_access *access)
{
    const struct ptx_object *object = object_at(s, access);
    for (uint32_t i = 0; object && i < access->count; i++) {
        bool *at = &object->opaque[access->location + i * access->stride];
        s->memory->grew |= !*at;
        *at = true;
    }
}

static bool is_shared(const struct ptx_walk *s, const struct ptx_access *access)
{
    const struct ptx_object *object = object_at(s, access);
    return object && object->shared;
}

/* Orders and scopes as the manual has them: plain accesses are weak, volatile ones relaxed for all;
 * atomics are relaxed within the device unless they say otherwise. */
static struct ptx_step *emit_access(struct ptx_walk *s, enum lit_instr_op op,
                                    const struct ptx_access *access, uint32_t back)
{
    const struct ptx_meaning *meaning = &s->instr->meaning;
    bool is_volatile = meaning->is_volatile && !s->memory->lower->test->weak_volatile;
    bool atomic = op != LIT_LOAD && op != LIT_STORE;
    struct ptx_step *step = ptx_emit(s, op);
    step->access = access;
    step->back = back;
    step->instr.text = ptx_told_at(s, "access out of bounds");
    step->instr.wide = meaning->vector > 1;
    step->instr.order = meaning->ordered        ? meaning->order
                        : is_volatile || atomic ? LIT_ORDER_RLX
                                                : LIT_ORDER_NA;
    step->instr.scope = meaning->scoped    ? meaning->scope
                        : is_volatile      ? LIT_SCOPE_ALL
                        : atomic           ? LIT_SCOPE_DV
                        : meaning->ordered ? LIT_SCOPE_ALL
                                           : LIT_SCOPE_WI;
    return step;
}

static uint32_t element_count(const struct ptx_operand *operand)
{
    return operand->kind == PTX_VECTOR ? operand->count : 1;
}

static const struct ptx_operand *element(const struct ptx_operand *operand, uint32_t i)
{
    return operand->kind == PTX_VECTOR ? &operand->elements[i] : operand;
}

static bool check_vector(struct ptx_walk *s, const struct ptx_operand *operand)
{
    bool good = element_count(operand) == s->instr->meaning.vector;
    if (!good)
        PTX_REFUSE(s, "its vector is not of the length that it says");
    return good;
}

/* ld.param: of the launch's arguments. */
static void load_param(struct ptx_walk *s, const struct ptx_operand *result,
                       const struct ptx_operand *source)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    uint64_t bytes = type->bits / 8, offset = (uint64_t)source->number;
    bool known = source->kind == PTX_OWN && source->reg < s->kernel->params.count;
    const struct ptx_param *param = known ? &s->kernel->params.items[source->reg] : NULL;
    if (!known || offset > param->size || param->size - offset < bytes * s->instr->meaning.vector ||
        offset % bytes) {
        PTX_REFUSE(s, "it is no part of a parameter");
        return;
    }
    for (uint32_t i = 0; i < element_count(result); i++, offset += bytes) {
        uint64_t value = 0;
        memcpy(&value, s->thread->args[source->reg] + offset, bytes);
        if (element(result, i)->kind == PTX_REGISTER)
            ptx_know(s, element(result, i)->reg, type, value);
    }
}

/* A register that takes the bits of one element as they are, and how they become those of the
 * result. */
static void take_loaded(struct ptx_walk *s, uint32_t temporary, const struct ptx_operand *result,
                        uint32_t behind, bool opaque)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    const struct lit_expr *value = ptx_read_register(s, temporary);
    if (behind)
        value = ptx_with(s->arena, LIT_OP_SHR, LIT_ULONG, ptx_cast(s->arena, LIT_ULONG, value),
                         behind * 8);
    value = ptx_cast(s->arena, ptx_lit_type(type->bits, type->is_signed), value);
    (void)ptx_define(s, result->reg,
                     ptx_cast(s->arena, ptx_lit_type(ptx_bits_of(s, result->reg), false), value));
    s->now[result->reg].loaded = type->bits == 64 && !opaque;
    ptx_note_origin(s, result->reg, opaque ? s->instr : NULL, 0);
}

/* Where the value can lead that memory holds from now on. */
static void note_led(struct ptx_walk *s, const struct ptx_value *value)
{
    struct ptx_memory *memory = s->memory;
    bool unchanged = value->loaded && value->known == 0 && value->factor == 1 && !value->extends;
    uint32_t object = value->of == PTX_ANY ? LIT_NONE : value->of - 1;
    if (value->opaque || (value->kind == PTX_READ && !value->of && unchanged))
        return;
    if (value->of && object != LIT_NONE && value->kind == PTX_KNOWN)
        ptx_memory_lead(memory, object, value->known - memory->objects.items[object].base);
    else if (value->of)
        ptx_memory_lead_all(memory, object);
    else if (value->kind == PTX_READ && s->instr->meaning.type.bits == 64) {
        memory->grew |= !memory->led_on;
        memory->led_on = true;
    }
}

/* What nobody has written is undefined in shared memory. */
static void check_written(struct ptx_walk *s, uint32_t temporary, const struct ptx_access *access)
{
    bool wide = s->instr->meaning.type.bits == 64;
    const struct lit_expr *value = ptx_read_register(s, temporary);
    struct ptx_step *check = ptx_emit(s, LIT_CHECK);
    check->instr.value = ptx_with(s->arena, wide ? LIT_OP_NE : LIT_OP_LT, LIT_LONG, value,
                                  (uint64_t)(wide ? PTX_UNSET_WIDE : PTX_UNSET));
    check->access = access;
    check->instr.text = ptx_told_at(s, "reads shared memory that nobody has written");
}

/* Constant memory that the test does not declare holds what the code says. */
static bool is_known(const struct ptx_walk *s, const struct ptx_access *access)
{
    const struct ptx_object *object = object_at(s, access);
    return object && object->constant && !object->declared && !access->index;
}

static void take_known(struct ptx_walk *s, const struct ptx_access *access, uint32_t reg)
{
    const struct ptx_type *type = &s->instr->meaning.type;
    uint64_t value = ptx_memory_initial(s->memory, &s->memory->objects.items[access->object],
                                        access->offset, type->bits / 8);
    ptx_know(s, reg, type, value);
}

void ptx_step_load(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_operand *result = &instr->operands[0], *source = &instr->operands[1];
    uint32_t temporaries[PTX_MAX_VECTOR], bytes = instr->meaning.type.bits / 8;
    bool opaque[PTX_MAX_VECTOR] = {0};
    const struct ptx_access *accesses[PTX_MAX_VECTOR];
    if (instr->count != 2 || !source->in_brackets) {
        PTX_REFUSE(s, "its operands are not a register and an address");
        return;
    }
    if (!check_vector(s, result))
        return;
    if (ptx_own_is(s, source)) {
        ptx_own_step(s, source, result);
        return;
    }
    if (instr->meaning.space == PTX_PARAM) {
        load_param(s, result, source);
        return;
    }
    for (uint32_t i = 0; i < element_count(result) && !s->failed; i++) {
        enum lit_type type;
        struct ptx_access *access = find_access(s, source, (uint64_t)i * bytes, bytes, &type);
        if (!s->failed && instr->meaning.read_only)
            check_read_only(s, access);
        if (s->failed)
            return;
        accesses[i] = access;
        if (is_known(s, access)) {
            temporaries[i] = LIT_NONE;
            continue;
        }
        opaque[i] = is_opaque(s, access);
        temporaries[i] = ptx_new_register(s, is_shared(s, access) ? LIT_LONG
                                             : access->part       ? type
                                                                  : ptx_lit_type(bytes * 8, false));
        emit_access(s, LIT_LOAD, access, i)->instr.dst = temporaries[i];
    }
    for (uint32_t i = 0; i < element_count(result) && !s->failed; i++) {
        const struct ptx_operand *into = element(result, i);
        if (temporaries[i] == LIT_NONE) {
            if (into->kind == PTX_REGISTER)
                take_known(s, accesses[i], into->reg);
            continue;
        }
        if (is_shared(s, accesses[i]))
            check_written(s, temporaries[i], accesses[i]);
        if (into->kind == PTX_REGISTER)
            take_loaded(s, temporaries[i], into, accesses[i]->part ? accesses[i]->behind : 0,
                        opaque[i]);
    }
}

/* The value of an operand for a location of the type. */
static const struct lit_expr *stored(struct ptx_walk *s, const struct ptx_operand *operand,
                                     enum lit_type type, struct ptx_value *value)
{
    *value = ptx_value_of(s, operand);
    const struct lit_expr *expr = ptx_operand_expr(s, operand, value);
    expr = ptx_cast(s->arena, ptx_lit_type(s->instr->meaning.type.bits, false), expr);
    return ptx_cast(s->arena, type, expr);
}

void ptx_step_store(struct ptx_walk *s, const struct ptx_instr *instr)
{
    uint32_t bytes = instr->meaning.type.bits / 8;
    if (instr->count != 2 || !instr->operands[0].in_brackets) {
        PTX_REFUSE(s, "its operands are not an address and a value");
        return;
    }
    const struct ptx_operand *values = &instr->operands[1];
    if (!check_vector(s, values))
        return;
    if (ptx_own_is(s, &instr->operands[0])) {
        ptx_own_step(s, &instr->operands[0], values);
        return;
    }
    for (uint32_t i = 0; i < element_count(values) && !s->failed; i++) {
        enum lit_type type;
        struct ptx_value value;
        struct ptx_access *access =
            find_access(s, &instr->operands[0], (uint64_t)i * bytes, bytes, &type);
        if (s->failed)
            return;
        struct ptx_step *step = emit_access(s, LIT_STORE, access, i);
        step->instr.value = stored(s, element(values, i), type, &value);
        note_led(s, &value);
        note_written(s, access);
        if (value.opaque && access->absolute)
            (void)ptx_check_known(s, &value, "what is stored where a pointer leads that is read");
        if (value.opaque)
            note_opaque(s, access);
    }
}

/* atom and red: the old value, the location, one operand or two. */
void ptx_step_atomic(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const struct ptx_meaning *meaning = &instr->meaning;
    bool old = meaning->word->kind == PTX_ATOM, swaps = meaning->exchanges;
    const struct ptx_operand *at = instr->operands + old;
    enum lit_type type;
    struct ptx_value value, expected;
    if (instr->count != 2u + old + swaps || !at->in_brackets) {
        PTX_REFUSE(s, "its operands are not those of its operation");
        return;
    }
    if (ptx_own_is(s, at))
        PTX_REFUSE(s, "an atomic operation on the thread's own memory is not read");
    struct ptx_access *access = find_access(s, at, 0, meaning->type.bits / 8, &type);
    if (s->failed)
        return;
    bool extreme = meaning->rmw == LIT_RMW_MIN || meaning->rmw == LIT_RMW_MAX;
    bool counts = meaning->rmw == LIT_RMW_INC || meaning->rmw == LIT_RMW_DEC;
    bool other = (extreme || counts) &&
                 (access->chosen || lit_type_is_signed(type) != meaning->type.is_signed);
    const struct lit_expr *first = stored(s, at + 1, type, &value);
    expected = value;
    const struct lit_expr *second = swaps ? stored(s, at + 2, type, &value) : NULL;
    note_led(s, &value);
    note_written(s, access);
    if (!swaps && meaning->rmw != LIT_RMW_EXCHANGE) /* what was there is moved on */
        note_led(s, &(struct ptx_value){.kind = PTX_READ});
    if (is_opaque(s, access))
        value = ptx_opaque_value(s);
    if (s->failed || !ptx_check_known(s, &value, "an atomic operation") ||
        !ptx_check_known(s, &expected, "an atomic operation"))
        return;
    struct ptx_step *step = emit_access(s, swaps ? LIT_CAS : LIT_RMW, access, 0);
    size_t number = s->block->steps.count - 1;
    step->instr.rmw = swaps ? LIT_RMW_EXCHANGE : meaning->rmw;
    if (!swaps && meaning->rmw != LIT_RMW_EXCHANGE && (other || is_shared(s, access)))
        step->instr.computes = 1 + ptx_lit_type(meaning->type.bits, meaning->type.is_signed);
    step->instr.value = swaps ? second : first;
    step->instr.expected = swaps ? first : NULL;
    step->instr.fail_order = swaps ? lit_access_without_release(step->instr.order) : LIT_ORDER_NA;
    bool gives = old && instr->operands[0].kind == PTX_REGISTER, shared = is_shared(s, access);
    if (!gives && !shared)
        return;
    uint32_t temporary =
        ptx_new_register(s, shared ? LIT_LONG : ptx_lit_type(meaning->type.bits, false));
    s->block->steps.items[number].instr.dst = swaps ? LIT_NONE : temporary;
    s->block->steps.items[number].instr.dst_old = swaps ? temporary : LIT_NONE;
    if (shared)
        check_written(s, temporary, access);
    if (gives)
        take_loaded(s, temporary, &instr->operands[0], 0, false);
}

/* ---- Fences and barriers ---- */

/* Of the manual: membar is fence.sc, and of a fence acq_rel is the default. */
void ptx_step_fence(struct ptx_walk *s, const struct ptx_instr *instr)
{
    struct ptx_step *step = ptx_emit(s, LIT_FENCE);
    bool ordered = instr->meaning.ordered;
    bool membar = instr->meaning.word->fold;
    step->instr.order = ordered ? instr->meaning.order : membar ? LIT_ORDER_SC : LIT_ORDER_ACQ_REL;
    step->instr.scope = instr->meaning.scope;
    step->instr.spaces = LIT_GLOBAL | LIT_LOCAL;
}

/* Of a count only that of the whole block is read: others are of whole warps, which need more
 * threads than are looked at. */
static bool check_count(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const uint32_t *block = s->thread->launch->block;
    uint32_t all = block[0] * block[1] * block[2];
    struct ptx_value count = instr->count == 2
                                 ? ptx_value_of(s, &instr->operands[1])
                                 : (struct ptx_value){.kind = PTX_KNOWN, .known = all};
    bool whole = count.kind == PTX_KNOWN && !count.opaque && count.known == all &&
                 (instr->count < 2 || all % 32 == 0);
    if (!whole || instr->count > 2 || instr->meaning.arrives)
        PTX_REFUSE(s, "barriers of a part of the block are not read");
    return !s->failed;
}

/* By the manual bar.sync, which is aligned, is one instruction for all threads of a warp. Where the
 * block is one warp, each instruction is a barrier of its own: who comes to another one waits. */
void ptx_step_barrier(struct ptx_walk *s, const struct ptx_instr *instr)
{
    const uint32_t *block = s->thread->launch->block;
    if (instr->meaning.of_warp) {
        ptx_step_warp_barrier(s, instr);
        return;
    }
    if (!instr->count || !check_count(s, instr)) {
        PTX_REFUSE(s, "it names no barrier");
        return;
    }
    struct ptx_value number = ptx_value_of(s, &instr->operands[0]);
    if (number.kind != PTX_KNOWN || number.opaque || number.known > 15) {
        PTX_REFUSE(s, "the number of its barrier is not known to be 0 to 15");
        return;
    }
    bool aligned = instr->meaning.aligned || instr->meaning.word->fold;
    const char *text =
        aligned && block[0] * block[1] * block[2] <= 32
            ? arena_printf(s->arena, "%" PRIu64 " of bar.sync %u", number.known, instr->barrier)
            : arena_printf(s->arena, "%" PRIu64, number.known);
    struct ptx_step *step = ptx_emit(s, LIT_BARRIER);
    step->instr.scope = step->instr.exec_scope = LIT_SCOPE_WG;
    step->instr.spaces = LIT_GLOBAL | LIT_LOCAL;
    step->instr.label = intern_text(s->memory->lower->names, text);
}

void ptx_step_trap(struct ptx_walk *s)
{
    struct ptx_step *check = ptx_emit(s, LIT_CHECK);
    check->instr.value = ptx_constant(s->arena, LIT_INT, 0);
    check->instr.asserts = true;
    check->instr.text = ptx_told_at(s, "stops the kernel by trap");
}

struct ptx_access *ptx_access_of(struct ptx_walk *s, const struct ptx_operand *operand,
                                 uint32_t bytes)
{
    enum lit_type type;
    struct ptx_access *access = find_access(s, operand, 0, bytes, &type);
    if (!s->failed) /* the definition may store there */
        note_written(s, access);
    return access;
}
