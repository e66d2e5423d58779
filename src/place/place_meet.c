/* place_meet: ordinals by counting what surely and what possibly stands before; rendezvous by
 * trying all values of the choices that touch barriers. */
#include "place/place_meet.h"

#include "base/bits.h"
#include "place/place_align.h"

#include <string.h>

enum { MOST_TRIALS = 256 };

/* ---- Which instance ---- */

/* Does `b`, before `a` in its thread, count for the ordinal of `a`? */
static bool counts(const struct ev *a, const struct ev *b)
{
    return a->kind == b->kind && a->meeting.label == b->meeting.label &&
           (a->meeting.label || a->meeting.scope == b->meeting.scope);
}

static void count_before(const struct place_family *family, uint32_t first, uint32_t e,
                         uint32_t option)
{
    struct place_options *options = &family->options[e];
    const struct ev *event = &options->items[option];
    options->fewest[option] = options->most[option] = 0;
    for (uint32_t i = first; i < e; i++) {
        const struct place_options *before = &family->options[i];
        bool all = !before->may_lack, some = false;
        for (uint32_t k = 0; k < before->count; k++) {
            bool is = counts(event, &before->items[k]);
            all = all && is;
            some = some || is;
        }
        options->fewest[option] += all;
        options->most[option] += some;
    }
}

void place_family_count(struct place_family *family)
{
    const struct exec_skeleton *skeleton = family->carried->skeleton;
    for (uint32_t t = 0; t < skeleton->program->thread_count; t++)
        for (uint32_t i = 0; i < skeleton->paths[t]->event_count; i++) {
            uint32_t e = skeleton->first[t] + i;
            for (uint32_t k = 0; k < family->options[e].count; k++)
                if (ev_kind_meets(family->options[e].items[k].kind))
                    count_before(family, skeleton->first[t], e, k);
        }
}

/* Do the two meet, if their ordinals are equal? */
static bool meet(const struct lit_program *program, const struct ev *a, const struct ev *b,
                 enum ev_kind kind)
{
    return a->kind == kind && b->kind == kind && a->meeting.scope == b->meeting.scope &&
           a->meeting.label == b->meeting.label && a->meeting.resource == b->meeting.resource &&
           lit_same_instance(&program->threads[a->thread], &program->threads[b->thread],
                             a->meeting.scope) &&
           !b->meeting.arrive;
}

bool place_may_meet(const struct place_family *family, enum ev_kind kind, uint32_t a, uint32_t b,
                    bool all)
{
    const struct place_options *x = &family->options[a], *y = &family->options[b];
    if (a != b && x->own->thread == y->own->thread) /* each has its own ordinal */
        return false;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t k = 0; k < y->count; k++) {
            if (a == b && i != k)
                continue;
            bool met = meet(&family->carried->program, &x->items[i], &y->items[k], kind);
            bool may =
                met && (a == b || (x->fewest[i] <= y->most[k] && y->fewest[k] <= x->most[i]));
            bool must =
                met && (a == b || (x->fewest[i] == x->most[i] && y->fewest[k] == y->most[k] &&
                                   x->fewest[i] == y->fewest[k]));
            if (all ? !must : may)
                return !all;
        }
    return all;
}

/* ---- Rendezvous ---- */

struct trying {
    struct arena *scratch;
    const struct sketch *sketch;
    const struct place_carried *p;
    uint64_t *box; /* one value for each choice that touches a barrier */
    struct exec_run_options options;
    bool diverges;
};

static bool has_company(const struct place_carried *p, const struct ev *event)
{
    const struct lit_thread *threads = p->program.threads;
    return ANY(t, p->program.thread_count,
               t != event->thread &&
                   lit_same_instance(&threads[t], &threads[event->thread], event->meeting.scope));
}

/* Barriers of other kinds or scopes are no part of any rendezvous, but for those with a label,
 * which count by that. */
static bool may_wait(const struct place_carried *p, const struct ev *event)
{
    return ev_kind_meets(event->kind) &&
           (event->meeting.label ||
            (ev_meeting_waits(&p->waits, &event->meeting) && has_company(p, event)));
}

struct waiting {
    const struct place_carried *p;
    const struct ev *own;
    bool any;
};

static void note_waiting(void *context, const struct place_variant *variant)
{
    struct waiting *waiting = context;
    if (variant->presence != PLACE_PRESENT)
        return;
    const struct ev made = place_event_by(&waiting->p->program, waiting->own, variant->instr);
    waiting->any |= may_wait(waiting->p, &made);
}

/* Does a thread wait for another one in some filling of the box? Notes the choices that touch such
 * barriers, and whether all their variants are `known`. */
static bool depends(const struct place_carried *p, const struct sketch *sketch, const uint64_t *box,
                    bool *choices, bool *known)
{
    bool waits = false;
    for (uint32_t e = p->skeleton->init_count; e < p->skeleton->dim.n; e++) {
        struct waiting waiting = {p, &p->own[e], may_wait(p, &p->own[e])};
        if (!p->slots[e]->choice_count || !place_is_pure(p->own[e].instr)) {
            waits |= waiting.any;
            continue;
        }
        waiting.any = false;
        *known &= place_each_variant(sketch, p->slots[e], box, note_waiting, &waiting);
        waits |= waiting.any;
        for (uint32_t k = 0; waiting.any && k < p->slots[e]->choice_count; k++)
            choices[p->slots[e]->choices[k]] = true;
    }
    return waits;
}

/* The slot of the barrier that a path waits at in vain; NULL: it does not. */
static const struct place_slot *stuck_at(const struct place_carried *p, uint32_t thread)
{
    const struct exec_path *path = p->skeleton->paths[thread];
    return path->end != EXEC_AT_BARRIER
               ? NULL
               : &p->frame->slots[thread][path->end_instr - p->program.threads[thread].code];
}

static bool note_stuck(const struct place_carried *p, bool *choices)
{
    bool any = false;
    for (uint32_t t = 0; t < p->program.thread_count; t++) {
        const struct place_slot *slot = stuck_at(p, t);
        any |= slot != NULL;
        for (uint32_t k = 0; slot && k < slot->choice_count; k++)
            choices[slot->choices[k]] = true;
    }
    return any;
}

static uint32_t ordinal_of(const struct exec_path *path, const struct ev *event)
{
    return COUNT_IF(i, path->event_count, counts(event, &path->events[i]));
}

/* The thread's path with what the box, of one value for each choice that matters, leaves of it. */
static struct exec_path *path_of(const struct trying *t, uint32_t thread)
{
    const struct exec_path *base = t->p->skeleton->paths[thread];
    struct exec_path *path = arena_copy(t->scratch, base, sizeof *path);
    struct ev *events = ARENA_ARRAY(t->scratch, struct ev, base->event_count);
    path->events = events;
    path->event_count = 0;
    for (uint32_t i = 0; i < base->event_count; i++) {
        const struct place_slot *slot = t->p->slots[t->p->skeleton->first[thread] + i];
        struct ev event = base->events[i];
        if (slot->choice_count && place_is_pure(event.instr)) {
            struct place_variant variant = {PLACE_NOT_READ, NULL};
            if (!place_each_variant(t->sketch, slot, t->box, place_keep_variant, &variant))
                return NULL;
            if (variant.presence != PLACE_PRESENT)
                continue;
            event = place_event_by(&t->p->program, &event, variant.instr);
        }
        if (ev_kind_meets(event.kind))
            event.meeting.ordinal = ordinal_of(path, &event);
        events[path->event_count++] = event;
    }
    return path;
}

/* Sets the barrier at which the thread waits in vain; false: it does not wait there then. */
static bool keep_stuck(const struct trying *t, uint32_t thread, struct exec_path *path)
{
    const struct place_slot *slot = stuck_at(t->p, thread);
    struct place_variant variant = {PLACE_PRESENT, path->end_instr};
    if (!slot)
        return true;
    if (slot->choice_count && place_is_pure(path->end_instr) &&
        (!place_each_variant(t->sketch, slot, t->box, place_keep_variant, &variant) ||
         variant.presence != PLACE_PRESENT))
        return false;
    struct ev event = {.kind = path->meeting.kind,
                       .thread = thread,
                       .location = LIT_NONE,
                       .meeting = path->meeting};
    event = place_event_by(&t->p->program, &event, variant.instr);
    event.meeting.ordinal = ordinal_of(path, &event);
    path->meeting = event.meeting;
    return may_wait(t->p, &event) && ev_meeting_waits(&t->p->waits, &event.meeting) &&
           has_company(t->p, &event);
}

static bool somebody_is_missing(const struct lit_program *program,
                                const struct exec_path *const *paths)
{
    bool missing = false;
    for (uint32_t a = 0; a < program->thread_count; a++) {
        if (paths[a]->end == EXEC_AT_BOUND || paths[a]->probe)
            return false;
        for (uint32_t b = 0; b < program->thread_count; b++)
            missing |= a != b && exec_path_is_missing(program, paths[a], paths[b]);
    }
    return missing;
}

static bool all_agree(const struct trying *t)
{
    uint32_t count = t->p->program.thread_count;
    const struct exec_path **paths = ARENA_ARRAY(t->scratch, const struct exec_path *, count);
    for (uint32_t i = 0; i < count; i++) {
        struct exec_path *path = path_of(t, i);
        paths[i] = path;
        if (!path || !keep_stuck(t, i, path) ||
            !exec_paths_agree(&t->p->program, &t->options, paths, i + 1))
            return false;
    }
    return exec_paths_stuck_rightly(&t->p->program, paths, count) &&
           (!t->diverges || somebody_is_missing(&t->p->program, paths));
}

/* All values of the choices that touch barriers, from `choice` on. */
static bool try_all(struct trying *t, const uint64_t *box, const bool *choices, uint32_t choice)
{
    bool agree = true;
    if (choice == t->sketch->choice_count)
        return all_agree(t);
    if (!choices[choice])
        return try_all(t, box, choices, choice + 1);
    for (uint32_t v = 0; agree && v < t->sketch->choices[choice].value_count; v++)
        if (box[choice] >> v & 1) {
            t->box[choice] = UINT64_C(1) << v;
            agree = try_all(t, box, choices, choice + 1);
        }
    t->box[choice] = box[choice];
    return agree;
}

/* ---- Values that make no difference to any rendezvous ---- */

/* The instruction of a variant if threads may wait there; else NULL. */
static const struct lit_instr *meeting_of(const struct place_carried *p, const struct ev *own,
                                          const struct place_variant *variant)
{
    if (variant->presence != PLACE_PRESENT)
        return NULL;
    const struct ev made = place_event_by(&p->program, own, variant->instr);
    return may_wait(p, &made) ? variant->instr : NULL;
}

static bool meet_alike(const struct lit_instr *a, const struct lit_instr *b)
{
    return a == b ||
           (a && b && a->op == b->op && a->exec_scope == b->exec_scope && a->label == b->label);
}

/* Has the slot the same barriers with value `v` of the choice as with `w`? */
static bool same_slot(const struct trying *t, const struct place_slot *slot, const struct ev *own,
                      uint32_t choice, uint32_t v, uint32_t w)
{
    uint32_t count = 1, stride = 0, values = t->sketch->choices[choice].value_count;
    for (uint32_t k = slot->choice_count; k-- > 0;) {
        if (slot->choices[k] == choice)
            stride = count;
        count *= t->sketch->choices[slot->choices[k]].value_count;
    }
    BASE_CHECK(!stride || count <= PLACE_MOST_COMBINATIONS); /* of others no variant is known */
    for (uint32_t number = 0; stride && number < count; number++)
        if (number / stride % values == v &&
            !meet_alike(meeting_of(t->p, own, &slot->variants[number]),
                        meeting_of(t->p, own, &slot->variants[number + w * stride - v * stride])))
            return false;
    return true;
}

static bool same_values(const struct trying *t, uint32_t choice, uint32_t v, uint32_t w)
{
    const struct place_carried *p = t->p;
    for (uint32_t e = p->skeleton->init_count; e < p->skeleton->dim.n; e++)
        if (place_is_pure(p->own[e].instr) && !same_slot(t, p->slots[e], &p->own[e], choice, v, w))
            return false;
    for (uint32_t i = 0; i < p->program.thread_count; i++) {
        const struct exec_path *path = p->skeleton->paths[i];
        const struct place_slot *slot = stuck_at(p, i);
        const struct ev own = {.kind = path->meeting.kind, .thread = i, .meeting = path->meeting};
        if (slot && place_is_pure(path->end_instr) && !same_slot(t, slot, &own, choice, v, w))
            return false;
    }
    return true;
}

/* Keeps one of several values that have the same barriers. */
static uint64_t representatives(const struct trying *t, uint32_t choice, uint64_t values)
{
    uint64_t kept = 0;
    BITS_EACH_IN_WORD (v, values) {
        bool is_new = true;
        for (uint32_t w = 0; w < v; w++)
            is_new = is_new && !((kept >> w & 1) && same_values(t, choice, v, w));
        kept |= (uint64_t)is_new << v;
    }
    return kept;
}

bool place_all_meet(struct arena *scratch, const struct sketch *sketch,
                    const struct place_carried *carried, bool diverges, const uint64_t *box)
{
    struct trying trying = {
        .scratch = scratch, .sketch = sketch, .p = carried, .diverges = diverges};
    bool *choices = ARENA_ARRAY(scratch, bool, sketch->choice_count);
    bool known = true;
    bool stuck = note_stuck(carried, choices);
    if (!depends(carried, sketch, box, choices, &known) && !stuck)
        return known && !diverges;
    if (!known)
        return false;
    double trials = 1;
    uint64_t *few = arena_copy(scratch, box, sketch->choice_count * sizeof *box);
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        few[c] = choices[c] ? representatives(&trying, c, box[c]) : box[c];
        trials *= choices[c] ? bits_count(few[c]) : 1;
    }
    trying.box = arena_copy(scratch, few, sketch->choice_count * sizeof *few);
    trying.options.waits = carried->waits;
    return trials <= MOST_TRIALS && try_all(&trying, few, choices, 0);
}
