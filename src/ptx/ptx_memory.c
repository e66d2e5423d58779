#include "ptx/ptx_memory.h"

#include "base/bits.h"

#include <inttypes.h>

enum { SHARED_SHIFT = 20, GLOBAL_SHIFT = 40 };

/* Windows are not at equal distances: what is far from an object is hardly ever in another one. */
static uint64_t base_of(uint64_t number, bool shared)
{
    uint64_t apart = number * UINT64_C(0x9E3779B97F4A7C15);
    return shared ? (number << SHARED_SHIFT) + (apart >> 55 << 8)
                  : (number << GLOBAL_SHIFT) + (apart >> 34 << 8);
}

void ptx_memory_add(struct ptx_memory *memory, struct ptx_object object)
{
    object.base = base_of(memory->objects.count + 1, object.shared);
    VEC_PUSH(&memory->objects, object);
}

uint32_t ptx_memory_named(const struct ptx_memory *memory, const char *name)
{
    for (uint32_t i = 0; i < memory->objects.count; i++)
        if (memory->objects.items[i].name == name)
            return i;
    return LIT_NONE;
}

void ptx_memory_name(struct ptx_memory *memory, uint32_t object)
{
    memory->grew |= !memory->objects.items[object].named;
    memory->objects.items[object].named = true;
}

void ptx_memory_lead(struct ptx_memory *memory, uint32_t number, uint64_t offset)
{
    struct ptx_object *object = &memory->objects.items[number];
    if (offset >= object->size) {
        ptx_memory_lead_all(memory, number);
        return;
    }
    if (!object->led)
        object->led = ARENA_ARRAY(memory->lower->arena, uint64_t, object->size / 64 + 1);
    memory->grew |= !bits_get(object->led, (uint32_t)offset);
    bits_set(object->led, (uint32_t)offset);
}

void ptx_memory_lead_all(struct ptx_memory *memory, uint32_t number)
{
    for (uint32_t i = 0; i < memory->objects.count; i++) {
        if (number != LIT_NONE && number != i)
            continue;
        memory->grew |= !memory->objects.items[i].led_all;
        memory->objects.items[i].led_all = true;
    }
}

uint32_t ptx_memory_near(const struct ptx_memory *memory, uint64_t address)
{
    bool shared = address >> GLOBAL_SHIFT == 0;
    uint32_t shift = shared ? SHARED_SHIFT : GLOBAL_SHIFT;
    uint64_t number = (address + (UINT64_C(1) << (shift - 1))) >> shift;
    if (number == 0 || number > memory->objects.count ||
        memory->objects.items[number - 1].shared != shared)
        return LIT_NONE;
    return (uint32_t)number - 1;
}

uint64_t ptx_memory_offset(const struct lit_symbol *symbol, uint32_t location)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i <= location % symbol->size; i++) {
        uint32_t own = lit_define_size(lit_declare_type_of(symbol, i));
        at = (at + own - 1) / own * own + (i < location % symbol->size ? own : 0);
    }
    return (uint64_t)lit_define_element_size(symbol) * (location / symbol->size) + at;
}

bool ptx_memory_part(const struct ptx_memory *memory, uint32_t number, uint64_t offset,
                     uint32_t bytes, uint32_t *location, enum lit_type *type, uint32_t *behind)
{
    const struct ptx_object *object = &memory->objects.items[number];
    if (!object->declared) {
        *behind = object->width ? (uint32_t)(offset % object->width) : 0;
        *location = object->width ? (uint32_t)(offset / object->width) : 0;
        *type = ptx_lit_type(object->width * 8, false);
        return *behind + bytes <= object->width;
    }
    const struct lit_symbol *symbol = &memory->lower->symbols.items[object->symbol];
    uint32_t first = (uint32_t)(offset / lit_define_element_size(symbol)) * symbol->size;
    for (*location = first; *location < first + symbol->size; ++*location) {
        uint64_t at = ptx_memory_offset(symbol, *location);
        *type = lit_declare_type_of(symbol, *location - first);
        *behind = (uint32_t)(offset - at);
        if (at <= offset && offset + bytes <= at + lit_define_size(*type))
            return true;
    }
    return false;
}

bool ptx_memory_cell(struct ptx_memory *memory, uint32_t number, uint64_t offset, uint32_t bytes,
                     uint32_t *location, enum lit_type *type)
{
    struct ptx_object *object = &memory->objects.items[number];
    uint32_t behind;
    if (object->declared)
        return ptx_memory_part(memory, number, offset, bytes, location, type, &behind) &&
               behind == 0 && lit_define_size(*type) == bytes;
    if (!object->width) {
        object->width = bytes;
        object->locations = (uint32_t)(object->size / bytes);
        object->opaque = ARENA_ARRAY(memory->lower->arena, bool, object->locations);
    }
    *location = (uint32_t)(offset / object->width);
    *type = object->shared ? LIT_LONG : ptx_lit_type(object->width * 8, false);
    return object->width == bytes && offset % bytes == 0;
}

bool ptx_memory_claim(struct ptx_memory *memory)
{
    bool any = false;
    uint32_t location;
    enum lit_type type;
    for (uint32_t i = 0; i < memory->objects.count; i++) {
        const struct ptx_object *object = &memory->objects.items[i];
        bool claims = object->wanted && !object->width;
        any |= claims;
        if (claims)
            (void)ptx_memory_cell(memory, i, 0, object->wanted, &location, &type);
    }
    return any;
}

/* The values that the initial block would give. */
static const struct ast_init *unset(struct lit_lower *lower, uint32_t width)
{
    struct ast_value *value =
        ARENA_MAKE(lower->arena, struct ast_value,
                   .number = {.value = width == 8 ? PTX_UNSET_WIDE : PTX_UNSET});
    return ARENA_MAKE(lower->arena, struct ast_init, .thread = AST_NO_THREAD,
                      .values = {value, value, 1});
}

static uint8_t initial_byte(const struct ptx_memory *memory, const struct ptx_variable *variable,
                            uint64_t at)
{
    uint64_t number = at / variable->unit;
    if (number >= variable->data.count)
        return 0;
    const struct ptx_datum *datum = &variable->data.items[number];
    uint32_t object = datum->name ? ptx_memory_named(memory, datum->name) : LIT_NONE;
    uint64_t base = object != LIT_NONE ? memory->objects.items[object].base : 0;
    return (uint8_t)((base + datum->number) >> at % variable->unit * 8);
}

uint64_t ptx_memory_initial(const struct ptx_memory *memory, const struct ptx_object *object,
                            uint64_t offset, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = 0; object->variable && i < bytes; i++)
        value |= (uint64_t)initial_byte(memory, object->variable, offset + i) << 8 * i;
    return value;
}

void ptx_memory_add_initial(const struct ptx_memory *memory, const struct ptx_object *object,
                            struct ast_init *init, uint64_t offset, uint32_t bytes)
{
    uint64_t value = ptx_memory_initial(memory, object, offset, bytes);
    CHAIN_ADD(&init->values, ARENA_MAKE(memory->lower->arena, struct ast_value,
                                        .number = {.value = (int64_t)value}));
}

static const struct ast_init *initial(const struct ptx_memory *memory,
                                      const struct ptx_object *object)
{
    struct ast_init *init =
        ARENA_MAKE(memory->lower->arena, struct ast_init, .thread = AST_NO_THREAD, .list = true);
    for (uint32_t i = 0; i < object->locations; i++)
        ptx_memory_add_initial(memory, object, init, (uint64_t)i * object->width, object->width);
    return init;
}

static void declare(struct ptx_memory *memory, struct ptx_object *object, uint32_t block)
{
    struct lit_lower *lower = memory->lower;
    bool several = object->shared && memory->blocks > 1;
    const char *name =
        several ? arena_printf(lower->arena, "%s@%" PRIu32, object->name, block) : object->name;
    const struct ast_name named = {intern_text(lower->names, name), object->span};
    struct lit_symbol *symbol = lit_declare_add(lower, &named);
    symbol->typed = symbol->spaced = true;
    symbol->type = object->shared ? LIT_LONG : ptx_lit_type(object->width * 8, false);
    symbol->spaces = object->shared ? LIT_LOCAL : LIT_GLOBAL;
    symbol->count = object->locations;
    symbol->array = object->locations > 1;
    if (object->shared)
        symbol->init = unset(lower, object->width);
    else if (object->variable && object->variable->data.count)
        symbol->init = initial(memory, object);
}

void ptx_memory_declare(struct ptx_memory *memory)
{
    for (uint32_t i = 0; i < memory->objects.count; i++) {
        struct ptx_object *object = &memory->objects.items[i];
        if (object->declared || !object->width)
            continue;
        object->symbol = (uint32_t)memory->lower->symbols.count;
        for (uint32_t k = 0; k < (object->shared ? memory->blocks : 1); k++)
            declare(memory, object, k);
    }
}
