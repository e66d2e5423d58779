#include "smt/smt_rules.h"

#include "base/bits.h"
#include "base/hash.h"
#include "exec/exec_basis.h"

struct rule_key {
    uint32_t kind, number, a, b;
};

struct keyed_rule {
    struct rule_key key;
    struct smt_rule rule;
    UT_hash_handle hh;
};

struct smt_rules {
    struct smt_program *program;
    struct keyed_rule *keyed;
    VEC(struct keyed_rule *) list;
    VEC(const struct lit_instr *) dropped;
};

struct smt_rules *smt_rules_new(struct smt_program *program)
{
    struct smt_rules *rules = ARENA_NEW(program->arena, struct smt_rules);
    rules->program = program;
    return rules;
}

void smt_rules_free(struct smt_rules *rules)
{
    HASH_CLEAR(hh, rules->keyed);
    VEC_FREE(&rules->list);
    VEC_FREE(&rules->dropped);
}

uint32_t smt_rules_count(const struct smt_rules *rules)
{
    return (uint32_t)rules->list.count;
}

const struct smt_rule *smt_rules_get(const struct smt_rules *rules, uint32_t index)
{
    BASE_ASSERT(index < rules->list.count);
    return &rules->list.items[index]->rule;
}

bool smt_rules_alike(const struct smt_program *p, uint32_t event, uint32_t of_rule)
{
    BASE_ASSERT(of_rule == LIT_NONE || of_rule < p->dim.n);
    BASE_ASSERT(event < p->dim.n);
    const struct ev *a = &p->events[event].ev, *b = &p->events[of_rule].ev;
    return event == of_rule ||
           (!a->init && !b->init && a->instr == b->instr && a->kind == b->kind &&
            a->location == b->location && a->thread == b->thread);
}

/* The first event of the same access of the same statement: loops and branches repeat it. */
static uint32_t first_like(const struct smt_program *p, uint32_t event)
{
    if (event == LIT_NONE)
        return event;
    for (uint32_t e = 0; e < event; e++)
        if (smt_rules_alike(p, e, event))
            return e;
    return event;
}

void smt_rules_assert(struct smt_program *p, enum explanation_reason_kind kind, uint32_t number,
                      uint32_t a, uint32_t b, smt_term fact)
{
    struct smt_rules *rules = p->rules;
    if (!rules || smt_is(p->solver, fact, true)) {
        smt_assert(p->solver, fact);
        return;
    }
    struct rule_key key = {kind, number, first_like(p, a), first_like(p, b)};
    struct keyed_rule *rule;
    HASH_FIND(hh, rules->keyed, &key, sizeof key, rule);
    if (!rule) {
        rule = ARENA_NEW(p->arena, struct keyed_rule);
        rule->key = key;
        rule->rule = (struct smt_rule){kind, number, key.a, key.b, smt_bool(p->solver)};
        HASH_ADD(hh, rules->keyed, key, sizeof rule->key, rule);
        VEC_PUSH(&rules->list, rule);
    }
    smt_assert(p->solver, smt_implies(p->solver, rule->rule.assumed, fact));
}

/* ---- Lines that order nothing ---- */

void smt_rules_drop_line(struct smt_rules *rules, const struct lit_instr *instr)
{
    VEC_PUSH(&rules->dropped, instr);
}

static bool is_dropped(const struct smt_rules *rules, const struct ev *ev)
{
    for (size_t i = 0; ev->instr && i < rules->dropped.count; i++)
        if (rules->dropped.items[i] == ev->instr)
            return true;
    return false;
}

static bool is_order(uint32_t base)
{
    return base == EXEC_SET_ACQ || base == EXEC_SET_REL || base == EXEC_SET_ACQ_REL ||
           base == EXEC_SET_SC;
}

static void silence_in_set(const struct ev *ev, uint32_t e, uint32_t base, rel_word *value)
{
    bool access = ev_kind_accesses(ev->kind);
    if (access ? is_order(base) : base != EXEC_SET_ALL_EVENTS)
        bits_clear(value, e);
    if (access && base == EXEC_SET_RLX)
        bits_set(value, e);
}

static void silence_in_relation(struct rel_dim dim, uint32_t e, rel_word *value)
{
    for (uint32_t k = 0; k < dim.n; k++) {
        rel_remove(dim, value, e, k);
        rel_remove(dim, value, k, e);
    }
}

void smt_rules_silence(const struct smt_program *p, uint32_t base, rel_word *value)
{
    if (!p->rules || p->rules->dropped.count == 0)
        return;
    bool is_meeting =
        base == EXEC_REL_SYNCBAR || base == EXEC_REL_SYNCPB || base == EXEC_REL_SYNC_FENCE;
    for (uint32_t e = 0; e < p->dim.n; e++) {
        const struct ev *ev = &p->events[e].ev;
        if (!is_dropped(p->rules, ev))
            continue;
        if (exec_basis()->names[base].sort == CAT_SET)
            silence_in_set(ev, e, base, value);
        else if (is_meeting)
            silence_in_relation(p->dim, e, value);
    }
}

void smt_rules_untag(const struct smt_program *p, rel_word *value)
{
    for (uint32_t e = 0; p->rules && e < p->dim.n; e++)
        if (is_dropped(p->rules, &p->events[e].ev))
            bits_clear(value, e);
}
