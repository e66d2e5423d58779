/* The rules of the crash cut from their definitions (semantics.md). A rule of pairs has a relation.
 * For an event it gives a set of events that must not stand behind that event in the relation; any
 * event in both breaks it. */
#include "engine/recheck_parts.h"

#include "base/bits.h"

static const rel_word *reserved(const struct recheck *r, enum cat_reserved name)
{
    BASE_ASSERT(r->naive.values[r->request->model->reserved[name]]);
    return r->naive.values[r->request->model->reserved[name]];
}

static bool is_nvm_write(const struct recheck *r, uint32_t e)
{
    BASE_ASSERT(e < r->n);
    return recheck_event(r, e)->kind == EV_WRITE &&
           r->skeleton->program->locations[recheck_event(r, e)->location].nvm;
}

/* Does version a of a location come before version b? Initial ones come before all others. */
static bool lands_before(const struct recheck *r, uint32_t a, uint32_t b)
{
    bool first = recheck_event(r, a)->init && !recheck_event(r, b)->init;
    return a != b && recheck_same_place(r, a, b) && is_nvm_write(r, a) && is_nvm_write(r, b) &&
           (first || recheck_pair(r, reserved(r, CAT_LANDS_BEFORE), a, b));
}

void recheck_new_fates(struct recheck *r)
{
    uint32_t words = r->skeleton->dim.words;
    rel_word *sets = ARENA_ARRAY(&r->of_skeleton, rel_word, (size_t)5 * words);
    r->fates = (struct recheck_fates){.nvm = sets,
                                      .executed = sets + words,
                                      .durable = sets + (size_t)2 * words,
                                      .written = sets + (size_t)3 * words,
                                      .lost = sets + (size_t)4 * words};
    for (uint32_t e = 0; e < r->n; e++)
        if (is_nvm_write(r, e))
            bits_set(r->fates.nvm, e);
}

static void look_at_cut(const struct recheck *r)
{
    const struct recheck_fates *f = &r->fates;
    const struct exec_cut *cut = r->witness->cut;
    for (uint32_t k = 0; k < r->skeleton->dim.words; k++) {
        f->executed[k] = cut->executed[k];
        f->written[k] = f->durable[k] = cut->durable[k] & f->nvm[k];
        f->lost[k] = f->nvm[k] & ~cut->durable[k];
    }
    for (uint32_t e = 0; e < r->n; e++)
        if (recheck_event(r, e)->init)
            bits_clear(f->written, e);
}

/* ---- Rules of one event ---- */

/* Nothing is durable that cannot be, and initial writes are there. */
static const char *check_events(const struct recheck *r)
{
    const struct recheck_fates *f = &r->fates;
    for (uint32_t e = 0; e < r->n; e++) {
        bool executed = bits_get(f->executed, e), durable = bits_get(r->witness->cut->durable, e);
        const struct ev *event = recheck_event(r, e);
        if (durable && !(executed && bits_get(f->nvm, e)))
            return "P is not within E, or holds what cannot be durable";
        if (event->init && (!executed || bits_get(f->lost, e)))
            return "an initial write is missing from the cut";
        if (bits_get(f->written, e) && !bits_get(reserved(r, CAT_CAN_PERSIST), e) &&
            !recheck_excuses(r, EXPLANATION_BY_CAN_PERSIST, 0, event, event))
            return "a write is durable that cannot persist";
    }
    return NULL;
}

/* ---- Rules of pairs ---- */

struct pair_rule {
    enum explanation_reason_kind kind;
    enum cat_reserved relation;
    const char *fault;
};

/* What must not stand behind the event in the rule's relation; NULL: anything may. */
static const rel_word *forbidden(const struct recheck *r, enum explanation_reason_kind kind,
                                 uint32_t e)
{
    BASE_ASSERT(e < r->n);
    const struct recheck_fates *f = &r->fates;
    bool executed = bits_get(f->executed, e), lost = bits_get(f->lost, e);
    bool by_coherence = r->request->model->lands_by_coherence;
    switch (kind) {
    case EXPLANATION_BY_EXECUTES_BEFORE: return executed ? NULL : f->executed;
    case EXPLANATION_BY_PERSIST_BEFORE: return lost ? f->durable : NULL;
    case EXPLANATION_BY_COHERENCE: return lost && by_coherence ? f->durable : NULL;
    case EXPLANATION_BY_LANDS_BEFORE: return lost && !by_coherence ? f->durable : NULL;
    case EXPLANATION_BY_PERSIST_ATOMIC:
        return lost ? f->durable : bits_get(f->durable, e) ? f->lost : NULL;
    case EXPLANATION_BY_DURABLE_BEFORE: return lost ? f->executed : NULL;
    case EXPLANATION_BY_DURABLE_AFTER: return executed ? NULL : f->written;
    default: BASE_UNREACHABLE("a rule about a pair");
    }
}

static bool breaks(const struct recheck *r, const struct pair_rule *rule, uint32_t a, uint32_t b)
{
    BASE_ASSERT(rule->relation < CAT_RESERVED_COUNT);
    return (rule->relation != CAT_LANDS_BEFORE || lands_before(r, a, b)) &&
           !recheck_excuses(r, rule->kind, 0, recheck_event(r, a), recheck_event(r, b));
}

static const char *check_pairs_of(const struct recheck *r, const struct pair_rule *rule, uint32_t a)
{
    BASE_ASSERT(a < r->n);
    const rel_word *bad = forbidden(r, rule->kind, a);
    const rel_word *row = recheck_row(r, reserved(r, rule->relation), a);
    for (uint32_t k = 0; bad && k < r->skeleton->dim.words; k++)
        BITS_EACH_IN_WORD (bit, row[k] & bad[k])
            if (breaks(r, rule, a, k * 64 + bit))
                return rule->fault;
    return NULL;
}

/* Rules 1 to 3. */
static const char *check_pairs(const struct recheck *r)
{
    static const struct pair_rule rules[] = {
        {EXPLANATION_BY_EXECUTES_BEFORE, CAT_EXECUTES_BEFORE,
         "E is not closed backwards under executes-before"},
        {EXPLANATION_BY_PERSIST_BEFORE, CAT_PERSIST_BEFORE,
         "P is not closed backwards under persist-before"},
        {EXPLANATION_BY_COHERENCE, CAT_LANDS_BEFORE, "P is not closed backwards under coherence"},
        {EXPLANATION_BY_LANDS_BEFORE, CAT_LANDS_BEFORE,
         "P is not closed backwards under lands-before"},
        {EXPLANATION_BY_PERSIST_ATOMIC, CAT_PERSIST_ATOMIC, "P splits a persist-atomic class"},
        {EXPLANATION_BY_DURABLE_AFTER, CAT_DURABLE_AFTER,
         "a write is durable before an event that it waits for executed"},
        {EXPLANATION_BY_DURABLE_BEFORE, CAT_DURABLE_BEFORE,
         "an event executed before a write it needs was durable"}};
    const char *fault = NULL;
    for (uint32_t e = 0; e < r->n && !fault; e++)
        for (size_t i = 0; i < sizeof rules / sizeof *rules && !fault; i++)
            fault = check_pairs_of(r, &rules[i], e);
    return fault;
}

/* ---- Where the crash is, and what it leaves ---- */

static bool ends_early(const struct recheck *r)
{
    for (uint32_t e = 0; e < r->n; e++)
        if (!bits_get(r->witness->cut->executed, e))
            return true;
    return ANY(t, r->skeleton->program->thread_count,
               r->witness->cut->passed[t] < r->skeleton->paths[t]->crash_count);
}

static bool stands_at_mark(const struct recheck *r)
{
    const struct exec_cut *cut = r->witness->cut;
    uint32_t t = cut->mark_thread;
    for (uint32_t i = 0; cut->mark && i < r->skeleton->paths[t]->event_count; i++)
        if (bits_get(cut->executed, r->skeleton->first[t] + i) != (i < cut->mark->before))
            return false;
    return cut->mark != NULL;
}

/* Rule 4. */
static const char *check_cut_place(const struct recheck *r)
{
    const char *fault = NULL;
    if (r->request->crash_mode == EXEC_CRASH_END && ends_early(r))
        fault = "the crash came before the end";
    if (r->request->crash_mode == EXEC_CRASH_POINTS && !stands_at_mark(r))
        fault = "no thread stands at a crash statement";
    return fault && !recheck_excuses(r, EXPLANATION_BY_CRASH_POINT, 0, NULL, NULL) ? fault : NULL;
}

/* A thread that has not passed a crash statement has executed nothing behind it. A thread that
 * stands at a crash statement has not passed it. */
static const char *check_passed(const struct recheck *r)
{
    const struct exec_cut *cut = r->witness->cut;
    for (uint32_t t = 0; t < r->skeleton->program->thread_count; t++) {
        const struct exec_path *path = r->skeleton->paths[t];
        if (cut->mark && cut->mark_thread == t && cut->mark != &path->crashes[cut->passed[t]])
            return "a thread has not passed the crash statements before the one that it is at";
        for (uint32_t i = 0; cut->passed[t] < path->crash_count && i < path->event_count; i++)
            if (i >= path->crashes[cut->passed[t]].before &&
                bits_get(cut->executed, r->skeleton->first[t] + i))
                return "an event executed behind a crash statement that was not passed";
    }
    return NULL;
}

/* The state shows, per location that is not hidden, a write in P that none in P lands after. */
static const char *check_cut_state(const struct recheck *r)
{
    const struct exec_cut *cut = r->witness->cut;
    for (uint32_t a = 0; a < r->n; a++) {
        uint32_t location = recheck_event(r, a)->location;
        if (!is_nvm_write(r, a) || !bits_get(cut->durable, a) ||
            r->skeleton->program->locations[location].hidden)
            continue;
        uint32_t last = cut->last[location];
        if (last == LIT_NONE || !bits_get(cut->durable, last) || lands_before(r, last, a))
            return "a location's value is not that of its last durable write";
    }
    return NULL;
}

const char *recheck_cut(const struct recheck *r)
{
    look_at_cut(r);
    return recheck_first_fault(r, (recheck_function *[]){check_events, check_pairs, check_cut_place,
                                                         check_passed, check_cut_state, NULL});
}
