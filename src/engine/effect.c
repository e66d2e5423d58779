#include "engine/effect.h"

#include "base/each.h"
#include "cat/cat_mentions.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"

#include <string.h>

/* ---- What is asked for ---- */

static void mark(bool *parts, cat_node_id node)
{
    if (node != CAT_NONE)
        parts[node] = true;
}

/* Of which sets a relation or a check is made. */
static const bool *parts_of(struct arena *arena, const struct cat_model *model, const bool *asked)
{
    bool *parts = ARENA_ARRAY(arena, bool, model->node_count);
    for (cat_node_id id = 0; id < model->node_count; id++)
        if (asked[id] && model->nodes[id].sort == CAT_REL) {
            mark(parts, model->nodes[id].a);
            mark(parts, model->nodes[id].b);
        }
    for (uint32_t i = 0; i < model->check_count; i++)
        mark(parts, model->checks[i].node);
    for (uint32_t i = 0; i < model->choice_count; i++)
        mark(parts, model->choices[i].set);
    return parts;
}

static void list_sets(struct arena *arena, struct effects *effects)
{
    const struct cat_model *model = effects->model;
    cat_node_id *sets = ARENA_ARRAY(arena, cat_node_id, model->node_count);
    for (cat_node_id id = 0; id < model->node_count; id++)
        if (effects->asked[id] && model->nodes[id].sort == CAT_SET)
            sets[effects->set_count++] = id;
    effects->sets = sets;
}

struct effects effects_new(struct arena *arena, const struct lit_program *program,
                           const struct cat_model *model)
{
    const struct cat_mentions mentions = cat_mentions_of(arena, model);
    struct effects effects = {.program = program,
                              .model = model,
                              .asked = mentions.nodes,
                              .bases = mentions.bases,
                              .parts = parts_of(arena, model, mentions.nodes),
                              .values = ARENA_ARRAY(arena, uint8_t, model->node_count)};
    list_sets(arena, &effects);
    return effects;
}

/* ---- Two events that differ in one thing ---- */

/* Which of four cases may be: the first event is in a set or not, and the second is. */
enum {
    NEITHER = 1,
    SECOND = 2,
    FIRST = 4,
    BOTH = 8,
    SAME = NEITHER | BOTH,
    APART = FIRST | SECOND
};

static uint8_t known(bool first, bool second)
{
    return (uint8_t)(1 << (2 * first + second));
}

static bool combined(enum cat_op op, bool x, bool y)
{
    return op == CAT_UNION ? x || y : op == CAT_INTER ? x && y : op == CAT_DIFF ? x && !y : !x;
}

static uint8_t combine(enum cat_op op, uint8_t x, uint8_t y)
{
    uint8_t out = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            if (x >> i & 1 && y >> k & 1)
                out |= known(combined(op, i >> 1, k >> 1), combined(op, i & 1, k & 1));
    return out;
}

static uint8_t value_of(const struct effects *effects, const struct exec_skeleton *pair,
                        const struct cat_node *node)
{
    const uint8_t *values = effects->values;
    switch (node->op) {
    case CAT_BASE:
        return node->base == EXEC_SET_NVM ? SAME
                                          : known(exec_event_in_base(pair, node->base, 0),
                                                  exec_event_in_base(pair, node->base, 1));
    case CAT_EMPTY: return NEITHER;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF: return combine(node->op, values[node->a], values[node->b]);
    case CAT_COMP: return combine(node->op, values[node->a], NEITHER);
    default: return SAME; /* of a tag or a relation, which are the same for both */
    }
}

/* Is one of them in a set that a relation is made of, or a check is about, and the other not? */
static bool differ(const struct effects *effects, const struct ev *first, const struct ev *second)
{
    const struct ev events[] = {*first, *second};
    const struct exec_skeleton pair = {.program = effects->program, .events = events};
    for (uint32_t i = 0; i < effects->set_count; i++) {
        cat_node_id id = effects->sets[i];
        effects->values[id] = value_of(effects, &pair, &effects->model->nodes[id]);
        if (effects->parts[id] && effects->values[id] & APART)
            return true;
    }
    return false;
}

/* ---- Events of an instruction ---- */

/* The events that an instruction like this one makes, were it of this sort and order. */
struct made {
    struct ev events[2];
    uint32_t count;
};

static void make(struct made *made, enum ev_kind kind, const struct lit_instr *instr,
                 enum lit_instr_op op, enum lit_order order)
{
    bool access = ev_kind_accesses(kind);
    made->events[made->count++] =
        (struct ev){.kind = kind,
                    .atomic = access,
                    .rmw = lit_instruction_reads(op) && lit_instruction_writes(op),
                    .has_order = true,
                    .has_scope = access || !instr->unscoped,
                    .order = order,
                    .scope = instr->scope,
                    .spaces = instr->spaces,
                    .location = LIT_NONE,
                    .instr = instr};
}

/* A half of a read-modify-write has its share of the order where the dialect says so. */
static enum lit_order share(const struct effects *effects, enum lit_instr_op op,
                            enum lit_order order, enum lit_order half)
{
    bool carries = order == half || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
    if (!effects->program->split_rmw || (op != LIT_RMW && op != LIT_CAS))
        return order;
    return carries ? half : LIT_ORDER_RLX;
}

static struct made made_by(const struct effects *effects, const struct lit_instr *instr,
                           enum lit_instr_op op, enum lit_order order)
{
    struct made made = {.count = 0};
    if (op == LIT_FENCE)
        make(&made, EV_FENCE, instr, op, order);
    if (lit_instruction_reads(op))
        make(&made, EV_READ, instr, op, share(effects, op, order, LIT_ORDER_ACQ));
    if (lit_instruction_writes(op))
        make(&made, EV_WRITE, instr, op, share(effects, op, order, LIT_ORDER_REL));
    return made;
}

/* ---- Orders and scopes ---- */

/* More than none, and more than relaxed? */
static bool order_tells(const struct effects *effects, const struct lit_instr *instr,
                        enum lit_instr_op op, enum lit_order order)
{
    struct made with = made_by(effects, instr, op, order);
    bool than_none = false, than_relaxed = false;
    for (uint32_t i = 0; i < with.count; i++) {
        struct ev none = with.events[i], relaxed = with.events[i];
        none.has_order = ev_kind_accesses(none.kind); /* every access has one, if only NA */
        none.order = LIT_ORDER_NA;
        relaxed.order = LIT_ORDER_RLX;
        than_none = than_none || differ(effects, &with.events[i], &none);
        than_relaxed = than_relaxed || differ(effects, &with.events[i], &relaxed);
    }
    return than_none && than_relaxed;
}

bool effects_has_order(const struct effects *effects, const struct lit_instr *instr,
                       enum lit_instr_op sort)
{
    return order_tells(effects, instr, sort, instr->order);
}

static bool is_of_orders(enum lit_instr_op op)
{
    return lit_instruction_reads(op) || lit_instruction_writes(op) || op == LIT_FENCE;
}

bool effects_lack_order(const struct effects *effects, const struct lit_instr *instr)
{
    static const enum lit_instr_op sorts[] = {LIT_LOAD, LIT_STORE, LIT_RMW, LIT_FENCE};
    enum lit_instr_op op = instr->op;
    if (!is_of_orders(op) || instr->order <= LIT_ORDER_RLX ||
        order_tells(effects, instr, op, instr->order))
        return false;
    enum lit_order most = instr->order == LIT_ORDER_SC ? LIT_ORDER_SC : LIT_ORDER_ACQ_REL;
    for (enum lit_order other = LIT_ORDER_ACQ; other <= most; other++)
        if (order_tells(effects, instr, op, other))
            return true;
    for (size_t i = 0; (op == LIT_LOAD || op == LIT_STORE) && i < sizeof sorts / sizeof *sorts; i++)
        if (order_tells(effects, instr, sorts[i], instr->order))
            return true;
    return false;
}

static bool scope_tells(const struct effects *effects, const struct lit_instr *instr,
                        enum lit_scope scope)
{
    struct made with = made_by(effects, instr, instr->op, instr->order);
    bool tells = false;
    for (uint32_t i = 0; i < with.count; i++) {
        struct ev none = with.events[i];
        none.has_scope = false;
        with.events[i].scope = scope;
        tells = tells || (with.events[i].has_scope && differ(effects, &with.events[i], &none));
    }
    return tells;
}

bool effects_lack_scope(const struct effects *effects, const struct lit_instr *instr)
{
    if (!is_of_orders(instr->op) || instr->order == LIT_ORDER_NA ||
        scope_tells(effects, instr, instr->scope) || effects->bases[EXEC_REL_SR])
        return false;
    for (enum lit_scope narrower = LIT_SCOPE_WI; narrower < instr->scope; narrower++)
        if (scope_tells(effects, instr, narrower))
            return true;
    return false;
}

bool effects_lack_rmw(const struct effects *effects)
{
    return !effects->bases[EXEC_REL_RMW_PAIR] && !effects->bases[EXEC_REL_AMO] &&
           !effects->bases[EXEC_SET_RMW];
}
