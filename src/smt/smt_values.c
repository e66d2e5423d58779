/* Sets only grow, and become `any` past a size, so the fixpoint is reached. */
#include "smt/smt_values.h"

struct finder {
    struct arena *arena;
    struct smt_value_set *sets;
    bool changed;
};

static void add_value(struct smt_value_set *set, int64_t value)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->values[i] == value)
            return;
    set->any |= set->count == SMT_MAX_VALUES;
    if (!set->any)
        set->values[set->count++] = value;
}

static void add_all(struct smt_value_set *set, enum lit_type type, const struct smt_value_set *more)
{
    set->any |= more->any;
    for (uint32_t i = 0; i < more->count; i++)
        add_value(set, lit_value_wrap(type, more->values[i]));
}

static struct smt_value_set *set_of(struct finder *f, const struct exec_path *path,
                                    const struct exec_value *value);

/* Every combination of operands. */
static void apply(struct smt_value_set *set, const struct exec_value *value,
                  const struct smt_value_set *a, const struct smt_value_set *b)
{
    if (a->any || b->any) {
        set->any = true;
        return;
    }
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < b->count && !set->any; k++) {
            int64_t result = 0;
            if (!lit_value_apply(value->op, value->operands, a->values[i], b->values[k], 0,
                                 &result))
                result = 0; /* a division by zero, as exec_value.h has it */
            add_value(set, lit_value_wrap(value->type, result));
        }
}

static bool is_truth(enum lit_operator op)
{
    return (op >= LIT_OP_LT && op <= LIT_OP_OR) || op == LIT_OP_NOT;
}

static void compute(struct finder *f, struct smt_value_set *set, const struct exec_path *path,
                    const struct exec_value *value)
{
    static const struct smt_value_set nothing = {.count = 1};
    if (is_truth(value->op)) {
        add_value(set, 0);
        add_value(set, 1);
        return;
    }
    switch (value->op) {
    case LIT_OP_CONST: add_value(set, value->value); return;
    case LIT_OP_REG:
        add_all(set, value->type, &f->sets[path->events[value->read].location]);
        return;
    case LIT_OP_CAST: add_all(set, value->type, set_of(f, path, value->a)); return;
    case LIT_OP_SELECT:
        add_all(set, value->type, set_of(f, path, value->b));
        add_all(set, value->type, set_of(f, path, value->c));
        return;
    default:
        apply(set, value, set_of(f, path, value->a),
              value->b ? set_of(f, path, value->b) : &nothing);
    }
}

static struct smt_value_set *set_of(struct finder *f, const struct exec_path *path,
                                    const struct exec_value *value)
{
    struct smt_value_set *set = ARENA_NEW(f->arena, struct smt_value_set);
    compute(f, set, path, value);
    return set;
}

static void look_at(struct finder *f, const struct smt_program *p)
{
    for (uint32_t e = 0; e < p->dim.n; e++) {
        const struct smt_event *event = &p->events[e];
        if (event->ev.kind != EV_WRITE)
            continue;
        struct smt_value_set *set = &f->sets[event->ev.location];
        enum lit_type type = p->request->program->locations[event->ev.location].type;
        uint32_t count = set->count;
        bool any = set->any;
        struct arena_mark mark = arena_mark(f->arena);
        add_all(set, type, set_of(f, event->path, event->ev.value));
        arena_rewind(f->arena, mark);
        f->changed |= set->count != count || set->any != any;
    }
}

struct smt_value_set *smt_values_find(struct arena *arena, const struct smt_program *test,
                                      const struct smt_program *recovery)
{
    uint32_t locations = test->request->program->location_count;
    struct finder f = {arena, ARENA_ARRAY(arena, struct smt_value_set, locations), true};
    while (f.changed) {
        f.changed = false;
        look_at(&f, test);
        look_at(&f, recovery);
    }
    return f.sets;
}
