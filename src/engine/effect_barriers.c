/* Do a model's answers change when persist barriers are taken out of an execution?
 *
 * Kinds (cat_kinds.h) tell which values hold barriers at all. Of values that do, it is followed how
 * they matter to all other events: what is written pointwise (`|`, `&`, `\`, `~`, `*`) leaves other
 * events as they are; a sequence, a closure, a domain and a range may lead through a barrier. That
 * changes nothing where program order leads past it as well, as in `(po | rf)+`. The properties
 * below say that; p is a barrier, x and y are other than p. Whatever is not known to change nothing
 * counts as a change. */
#include "engine/effect.h"

#include "base/each.h"
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
    const struct cat_model *model;
    const uint8_t *persists;
    uint8_t *flags; /* per node */
};

static bool is_base(const struct cat_model *model, cat_node_id id, enum exec_base base)
{
    return model->nodes[id].op == CAT_BASE && model->nodes[id].base == base;
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
    const uint8_t a = l->flags[node->a], b = l->flags[node->b];
    uint8_t flags = LOOPS | (a & b & WHOLE);
    if (may_lead_through(l->persists[node->a], l->persists[node->b]) && !is_passed(a, b))
        flags |= LEAKS;
    if (l->model->nodes[node->a].op == CAT_TOID)
        flags |= b & INTO;
    if (l->model->nodes[node->b].op == CAT_TOID)
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
    const uint8_t a = l->flags[node->a], persists = l->persists[node->a];
    bool leaks = may_lead_through(persists, persists) && !is_passed_again(a);
    return (a & (ALL_WAYS | WHOLE)) | LOOPS | (node->op == CAT_STAR ? WHOLE : 0) |
           (leaks ? LEAKS : 0);
}

/* What of a program order is left has the ways that it has itself. */
static uint8_t part_of_order(const struct leaks *l, cat_node_id id)
{
    return is_base(l->model, id, EXEC_REL_PO) ? INTO | OUT_OF : 0;
}

static uint8_t flags_by_operator(const struct leaks *l, cat_node_id id)
{
    const struct cat_node *node = &l->model->nodes[id];
    const uint8_t a = node->a == CAT_NONE ? 0 : l->flags[node->a];
    const uint8_t b = node->b == CAT_NONE ? 0 : l->flags[node->b];
    switch (node->op) {
    case CAT_BASE:
        return is_base(l->model, id, EXEC_REL_PO)   ? ALL_WAYS
               : is_base(l->model, id, EXEC_REL_ID) ? ALL_WAYS | LOOPS | WHOLE
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
    case CAT_VAR:
    case CAT_FIX:
        return l->flags[l->model->rec_groups[node->group].bodies[node->base]] & (ALL_WAYS | LOOPS);
    default: return LEAKS | LOOPS;
    }
}

/* Of ends that are no barriers everything is so. */
static uint8_t flags_of(const struct leaks *l, cat_node_id id)
{
    const struct cat_node *node = &l->model->nodes[id];
    const uint8_t persists = l->persists[id];
    const cat_node_id body = node->op == CAT_VAR || node->op == CAT_FIX
                                 ? l->model->rec_groups[node->group].bodies[node->base]
                                 : CAT_NONE;
    const cat_node_id operands[] = {node->a, node->b, body};
    uint8_t flags = flags_by_operator(l, id);
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
        flags |= operands[i] == CAT_NONE ? 0 : l->flags[operands[i]] & LEAKS;
    if (!(persists & (CAT_PERSISTS_FROM | CAT_PERSISTS_SELF)))
        flags |= OUT_OF | PAST_BEGIN;
    if (!(persists & (CAT_PERSISTS_TO | CAT_PERSISTS_SELF)))
        flags |= INTO | PAST_END;
    return persists & CAT_PERSISTS_SELF ? flags : flags & (LEAKS | WHOLE | ALL_WAYS);
}

/* What a recursion holds is nothing at first, so it begins with all ways and without leaks. */
static void find_flags(struct leaks *l)
{
    for (cat_node_id id = 0; id < l->model->node_count; id++)
        l->flags[id] = ALL_WAYS;
    for (bool changed = true; changed;) {
        changed = false;
        for (cat_node_id id = 0; id < l->model->node_count; id++) {
            uint8_t before = l->flags[id], now = flags_of(l, id);
            now = (now & before & ALL_WAYS) | ((now | before) & (LOOPS | LEAKS)) | (now & WHOLE);
            l->flags[id] = now;
            changed |= now != before;
        }
    }
}

/* ---- What is asked ---- */

static bool has_cycles_alone(const struct leaks *l, cat_node_id id)
{
    return (l->flags[id] & LOOPS) ||
           (may_lead_through(l->persists[id], l->persists[id]) && !is_passed_again(l->flags[id]));
}

static bool check_tells(const struct leaks *l, const struct cat_check *check)
{
    if (l->flags[check->node] & LEAKS)
        return true;
    switch (check->test) {
    case CAT_ACYCLIC: return has_cycles_alone(l, check->node);
    case CAT_IRREFLEXIVE: return l->flags[check->node] & LOOPS;
    case CAT_IS_EMPTY: break;
    }
    return l->persists[check->node] != 0;
}

static bool choice_tells(const struct leaks *l, const struct cat_choice *choice)
{
    bool of_order = choice->kind == CAT_LINEARISATIONS;
    return (of_order && ((l->flags[choice->set] | l->flags[choice->relation]) & LEAKS)) ||
           (of_order && l->persists[choice->set]) ||
           ANY(i, choice->alternative_count, l->flags[choice->alternatives[i]] & LEAKS);
}

/* Of most names writes alone count. Of `waits` barriers do: there work-items meet. */
static bool name_tells(const struct leaks *l, enum cat_reserved name)
{
    const cat_node_id id = l->model->reserved[name];
    return (l->flags[id] & LEAKS) ||
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
    struct leaks leaks = {.model = model,
                          .persists = cat_kinds_persists(&arena, model),
                          .flags = ARENA_ARRAY(&arena, uint8_t, model->node_count + 1)};
    find_flags(&leaks);
    return !ANY(i, model->check_count, check_tells(&leaks, &model->checks[i])) &&
           !ANY(i, model->choice_count, choice_tells(&leaks, &model->choices[i])) &&
           !ANY(i, CAT_RESERVED_COUNT, name_tells(&leaks, (enum cat_reserved)i));
}
