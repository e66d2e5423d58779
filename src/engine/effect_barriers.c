/* Do a model's answers change when persist barriers are taken out of an execution?
 *
 * Kinds (cat_kinds.h) tell which values hold barriers at all. Of values that do, it is followed how
 * they matter to all other events: what is written pointwise (`|`, `&`, `\`, `~`, `*`) leaves other
 * events as they are; a sequence, a closure, a domain and a range may lead through a barrier. That
 * changes nothing where program order leads past it as well, as in `(po | rf)+`. The properties
 * below say that; p is a barrier, x and y are other than p. Whatever is not known to change nothing
 * counts as a change. The walk over the model is that of bounds (cat_bounds.h). */
#include "engine/effect.h"

#include "base/each.h"
#include "cat/cat_bounds.h"
#include "cat/cat_kinds.h"
#include "exec/exec_basis.h"

enum {
    INTO = 1,       /* x r p only if x po p, or x r z po p for some z */
    OUT_OF = 2,     /* p r y only if p po y, or p po z r y for some z */
    PAST_END = 4,   /* x r y where x r p po y */
    PAST_BEGIN = 8, /* x r y where x po p r y */
    ALL_WAYS = 15,
    LOOPS = 16, /* p r p is possible */
    WHOLE = 32, /* it contains the identity */
    LEAKS = 64  /* which other events are in it depends on barriers */
};

struct leaks {
    const uint8_t *persists; /* per node */
    struct cat_domain domain;
    struct cat_bounds flags; /* a word of them each, its ways the other way round: what a recursion
                                holds is nothing at first, and has all ways */
};

static bool is_base(const struct leaks *l, cat_node_id id, enum exec_base base)
{
    const struct cat_node *node = &l->flags.model->nodes[id];
    return node->op == CAT_BASE && node->base == base;
}

/* Of a recursion it is not known whether it contains the identity. */
static uint8_t flags_of(const struct leaks *l, cat_node_id id)
{
    if (id == CAT_NONE)
        return 0;
    const enum cat_op op = l->flags.model->nodes[id].op;
    const uint8_t flags = (uint8_t)(*l->flags.values[CAT_LOWER][id] ^ ALL_WAYS);
    return op == CAT_VAR || op == CAT_FIX ? flags & (uint8_t)~WHOLE : flags;
}

/* Is there nothing that a step into a barrier and one out of it add? */
static bool is_passed(uint8_t first, uint8_t second)
{
    bool by_end = (first & PAST_END) && (second & OUT_OF) && (second & WHOLE);
    bool by_begin = (second & PAST_BEGIN) && (first & INTO) && (first & WHOLE);
    return by_end || by_begin;
}

/* The same of steps of one relation, of which there may be several. */
static bool is_passed_again(uint8_t steps)
{
    return (steps & (PAST_END | OUT_OF)) == (PAST_END | OUT_OF) ||
           (steps & (PAST_BEGIN | INTO)) == (PAST_BEGIN | INTO);
}

static bool may_lead_through(uint8_t first, uint8_t second)
{
    return (first & CAT_PERSISTS_TO) && (second & CAT_PERSISTS_FROM);
}

static uint8_t sequence(const struct leaks *l, const struct cat_node *node)
{
    const uint8_t a = flags_of(l, node->a), b = flags_of(l, node->b);
    uint8_t flags = LOOPS | (a & b & WHOLE);
    if (may_lead_through(l->persists[node->a], l->persists[node->b]) && !is_passed(a, b))
        flags |= LEAKS;
    if (l->flags.model->nodes[node->a].op == CAT_TOID)
        flags |= b & INTO;
    if (l->flags.model->nodes[node->b].op == CAT_TOID)
        flags |= a & OUT_OF;
    if (b & WHOLE)
        flags |= a & b & (INTO | PAST_END);
    else if (!(b & LOOPS))
        flags |= b & PAST_END;
    if (a & WHOLE)
        flags |= a & b & (OUT_OF | PAST_BEGIN);
    else if (!(a & LOOPS))
        flags |= a & PAST_BEGIN;
    return flags;
}

static uint8_t closure(const struct leaks *l, const struct cat_node *node)
{
    const uint8_t a = flags_of(l, node->a), persists = l->persists[node->a];
    bool leaks = may_lead_through(persists, persists) && !is_passed_again(a);
    return (a & (ALL_WAYS | WHOLE)) | LOOPS | (node->op == CAT_STAR ? WHOLE : 0) |
           (leaks ? LEAKS : 0);
}

/* What of a program order is left has the ways that it has itself. */
static uint8_t part_of_order(const struct leaks *l, cat_node_id id)
{
    return is_base(l, id, EXEC_REL_PO) ? INTO | OUT_OF : 0;
}

static uint8_t flags_by_operator(const struct leaks *l, cat_node_id id)
{
    const struct cat_node *node = &l->flags.model->nodes[id];
    const uint8_t a = flags_of(l, node->a), b = flags_of(l, node->b);
    switch (node->op) {
    case CAT_BASE:
        return is_base(l, id, EXEC_REL_PO)   ? ALL_WAYS
               : is_base(l, id, EXEC_REL_ID) ? ALL_WAYS | LOOPS | WHOLE
                                             : LOOPS;
    case CAT_EMPTY: return ALL_WAYS;
    case CAT_TAGGED:
    case CAT_CHOICE: return LOOPS;
    case CAT_UNION: return (a & b & ALL_WAYS) | ((a | b) & (LOOPS | WHOLE));
    case CAT_INTER:
        return (a & b & (PAST_END | PAST_BEGIN | LOOPS | WHOLE)) | part_of_order(l, node->a) |
               part_of_order(l, node->b);
    case CAT_DIFF: return (a & LOOPS) | part_of_order(l, node->a);
    case CAT_COMP:
    case CAT_PRODUCT:
    case CAT_INVERSE: return LOOPS;
    case CAT_SEQ: return sequence(l, node);
    case CAT_OPT: return (a & ALL_WAYS) | LOOPS | WHOLE;
    case CAT_PLUS:
    case CAT_STAR: return closure(l, node);
    case CAT_TOID: return ALL_WAYS | LOOPS;
    case CAT_DOMAIN: return l->persists[node->a] & CAT_PERSISTS_TO ? LEAKS : 0;
    case CAT_RANGE: return l->persists[node->a] & CAT_PERSISTS_FROM ? LEAKS : 0;
    default: return LEAKS | LOOPS;
    }
}

/* Of ends that are no barriers everything is so. */
static void write_flags(struct cat_bounds *bounds, cat_node_id id)
{
    const struct leaks *l = bounds->context;
    const struct cat_node *node = &bounds->model->nodes[id];
    const uint8_t persists = l->persists[id];
    uint8_t flags =
        flags_by_operator(l, id) | ((flags_of(l, node->a) | flags_of(l, node->b)) & LEAKS);
    if (!(persists & (CAT_PERSISTS_FROM | CAT_PERSISTS_SELF)))
        flags |= OUT_OF | PAST_BEGIN;
    if (!(persists & (CAT_PERSISTS_TO | CAT_PERSISTS_SELF)))
        flags |= INTO | PAST_END;
    *bounds->values[CAT_LOWER][id] =
        (persists & CAT_PERSISTS_SELF ? flags : flags & (LEAKS | WHOLE | ALL_WAYS)) ^ ALL_WAYS;
}

static bool write_leaf(struct cat_bounds *bounds, cat_node_id id)
{
    write_flags(bounds, id);
    return true;
}

static void find_flags(struct leaks *l, struct arena *arena, const struct cat_model *model)
{
    l->persists = cat_kinds_persists(arena, model);
    l->domain.dim = rel_dim_make(1);
    cat_bounds_new(arena, &l->flags, model, &l->domain, NULL, model->node_count);
    l->flags.leaf = write_leaf;
    l->flags.operate = write_flags;
    l->flags.context = l;
    BASE_CHECK(cat_bounds_find(&l->flags, model->node_count));
}

/* ---- What is asked ---- */

static bool has_cycles_alone(const struct leaks *l, cat_node_id id)
{
    return (flags_of(l, id) & LOOPS) || (may_lead_through(l->persists[id], l->persists[id]) &&
                                         !is_passed_again(flags_of(l, id)));
}

static bool check_tells(const struct leaks *l, const struct cat_check *check)
{
    if (flags_of(l, check->node) & LEAKS)
        return true;
    switch (check->test) {
    case CAT_ACYCLIC: return has_cycles_alone(l, check->node);
    case CAT_IRREFLEXIVE: return flags_of(l, check->node) & LOOPS;
    case CAT_IS_EMPTY: break;
    }
    return l->persists[check->node] != 0;
}

static bool choice_tells(const struct leaks *l, const struct cat_choice *choice)
{
    bool of_order = choice->kind == CAT_LINEARISATIONS;
    return (of_order && ((flags_of(l, choice->set) | flags_of(l, choice->relation)) & LEAKS)) ||
           (of_order && l->persists[choice->set]) ||
           ANY(i, choice->alternative_count, flags_of(l, choice->alternatives[i]) & LEAKS);
}

/* Of most names writes alone count. Of `waits` barriers do: there work-items meet. */
static bool name_tells(const struct leaks *l, enum cat_reserved name)
{
    const cat_node_id id = l->flags.model->reserved[name];
    return (flags_of(l, id) & LEAKS) ||
           (name == CAT_DURABLE_BEFORE && (l->persists[id] & CAT_PERSISTS_TO)) ||
           (name == CAT_DURABLE_AFTER && (l->persists[id] & CAT_PERSISTS_FROM)) ||
           (name == CAT_EXECUTES_BEFORE && has_cycles_alone(l, id)) ||
           (name == CAT_WAITS && l->persists[id]);
}

bool effects_lack_barriers(const struct effects *effects)
{
    if (effects->bases[EXEC_SET_PBARRIER] || effects->bases[EXEC_REL_SYNCPB])
        return false;
    SCOPED(arena) arena = {0};
    const struct cat_model *model = effects->model;
    struct leaks leaks = {.persists = NULL};
    find_flags(&leaks, &arena, model);
    return !ANY(i, model->check_count, check_tells(&leaks, &model->checks[i])) &&
           !ANY(i, model->choice_count, choice_tells(&leaks, &model->choices[i])) &&
           !ANY(i, CAT_RESERVED_COUNT, name_tells(&leaks, (enum cat_reserved)i));
}
