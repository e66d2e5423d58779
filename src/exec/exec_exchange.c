/* What an exchange of two units does to threads, locations and values. */
#include "exec/exec_symmetry.h"

static uint32_t exchanged(const uint32_t *all, uint32_t width, const struct exec_exchange *by,
                          uint32_t number)
{
    BASE_ASSERT(by->a < by->class->unit_count && by->b < by->class->unit_count);
    BASE_ASSERT(by->a != by->b);
    const uint32_t *a = all + (size_t)by->a * width, *b = all + (size_t)by->b * width;
    for (uint32_t i = 0; i < width; i++)
        if (number == a[i] || number == b[i])
            return number == a[i] ? b[i] : a[i];
    return number;
}

uint32_t exec_exchange_thread(const struct exec_exchange *by, uint32_t thread)
{
    return exchanged(by->class->threads, by->class->width, by, thread);
}

uint32_t exec_exchange_location(const struct exec_exchange *by, uint32_t location)
{
    return exchanged(by->class->locations, by->class->place_count, by, location);
}

bool exec_class_moves(const struct exec_class *class, uint32_t location)
{
    return ANY(i, class->unit_count * class->place_count, class->locations[i] == location);
}

static const struct exec_constant *constants_of(const struct exec_class *class, uint32_t unit)
{
    BASE_ASSERT(unit < class->unit_count);
    return class->constants + (size_t)unit * class->constant_count;
}

bool exec_exchange_renames(const struct exec_exchange *by, uint32_t location)
{
    return ANY(i, by->class->constant_count,
               lit_address_has(&constants_of(by->class, by->a)[i].addr, location) ||
                   lit_address_has(&constants_of(by->class, by->b)[i].addr, location));
}

int64_t exec_exchange_value(const struct exec_exchange *by, uint32_t location, int64_t value)
{
    for (uint32_t i = 0; i < by->class->constant_count; i++) {
        const struct exec_constant *a = &constants_of(by->class, by->a)[i];
        const struct exec_constant *b = &constants_of(by->class, by->b)[i];
        if (a->value == value && lit_address_has(&a->addr, location))
            return b->value;
        if (b->value == value && lit_address_has(&b->addr, location))
            return a->value;
    }
    return value;
}
