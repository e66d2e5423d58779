/* place_carry: each thread's path in the base is the one whose events are the witness's and pure
 * ones, and whose constraints hold of the same values. */
#include "place/place_carry.h"

#include "base/strbuf.h"
#include "place/place_align.h"
#include "base/bits.h"

#include <string.h>

struct carrying {
    struct arena *arena;
    struct place_carried *carried;
    const struct sketch *sketch;
    const struct sketch_filling *filling;
    const struct engine_witness *witness;
    uint32_t **places; /* per thread and instruction of the filling: that of the base */
    const struct exec_path **paths;
    uint32_t **from;      /* per thread and event of its path: index in the witness's path */
    bool may_keep_others; /* a write, or a mark of a transaction, is open */
};

/* ---- Events of instructions ---- */

/* The order of an event, as in exec_step: each half of a read-modify-write has its part of the
 * order. */
static enum lit_order order_of(const struct lit_program *program, const struct ev *event,
                               const struct lit_instr *instr)
{
    enum lit_order order = instr->order,
                   half = event->kind == EV_READ ? LIT_ORDER_ACQ : LIT_ORDER_REL;
    if (instr->op == LIT_CAS && !event->rmw)
        order = instr->fail_order;
    if ((instr->op != LIT_RMW && instr->op != LIT_CAS) || !program->split_rmw)
        return order;
    bool carries = order == half || order == LIT_ORDER_ACQ_REL || order == LIT_ORDER_SC;
    return carries ? half : LIT_ORDER_RLX;
}

struct ev place_event_by(const struct lit_program *program, const struct ev *event,
                         const struct lit_instr *instr)
{
    BASE_ASSERT(ev_kind_accesses(event->kind) || ev_kind_of(instr->op) != EV_NONE);
    struct ev made = *event;
    made.instr = instr;
    made.scope = instr->scope;
    made.spaces = instr->spaces;
    made.order = instr->order;
    if (ev_kind_accesses(event->kind)) {
        made.order = order_of(program, event, instr);
        made.atomic = made.has_scope = made.order != LIT_ORDER_NA;
        return made;
    }
    made.kind = (enum ev_kind)ev_kind_of(instr->op);
    made.has_order = !lit_instruction_meets(instr->op) && instr->order != LIT_ORDER_NA;
    made.has_scope = lit_instruction_meets(instr->op) || !instr->unscoped;
    made.meeting.kind = made.kind;
    made.meeting.scope = instr->exec_scope;
    made.meeting.label = instr->label;
    return made;
}

/* Labels are of the names of their own tests. */
static bool same_event(const struct ev *a, const struct ev *b)
{
    return a->kind == b->kind && a->atomic == b->atomic && a->has_order == b->has_order &&
           a->has_scope == b->has_scope && a->order == b->order && a->scope == b->scope &&
           a->spaces == b->spaces &&
           (!ev_kind_meets(a->kind) || (a->meeting.scope == b->meeting.scope &&
                                        text_same(a->meeting.label, b->meeting.label)));
}

/* ---- Paths of the base ---- */

static bool out_of_time(void *clock)
{
    return clock_is_late(clock);
}

static bool run_threads(struct place_frame *frame, const struct engine_request *request,
                        const struct ev_waits *waits)
{
    struct clock_limit clock = request->limits.clock;
    uint32_t path_events = 0;
    struct exec_run_options options = {.unroll = request->limits.unroll,
                                       .probes = true,
                                       .waits = *waits,
                                       .crashes_tell = !request->model->lands_by_coherence,
                                       .path_events = &path_events,
                                       .out_of_time = out_of_time,
                                       .clock = &clock};
    clock.allowance = NULL;
    if (frame->paths)
        return true;
    struct engine_request asked = *request;
    asked.program = &frame->program;
    options.effects = engine_find_effects(&frame->arena, &frame->arena, &asked);
    struct exec_paths *paths =
        ARENA_ARRAY(&frame->arena, struct exec_paths, frame->program.thread_count);
    for (uint32_t t = 0; t < frame->program.thread_count; t++) {
        exec_run_thread(&frame->arena, &frame->program, t, &options, &paths[t]);
        if (paths[t].truncated)
            return false;
    }
    frame->paths = paths;
    return true;
}

/* ---- Which path ---- */

/* Finds the base's instruction for each instruction of the filling's program. */
static bool find_places(struct carrying *c)
{
    const struct lit_program *whole = &c->carried->frame->program;
    const struct lit_program *part = c->carried->request->program;
    const struct lit_instr *const *const *pairs = place_align(c->arena, whole, part);
    if (!pairs)
        return false;
    c->places = ARENA_ARRAY(c->arena, uint32_t *, part->thread_count);
    for (uint32_t t = 0; t < part->thread_count; t++) {
        c->places[t] = ARENA_ARRAY(c->arena, uint32_t, part->threads[t].code_count + 1);
        for (uint32_t i = 0; i < whole->threads[t].code_count; i++)
            if (pairs[t][i])
                c->places[t][pairs[t][i] - part->threads[t].code] = i;
    }
    return true;
}

static uint32_t index_of(const struct lit_program *program, uint32_t thread,
                         const struct lit_instr *instr)
{
    BASE_ASSERT(instr >= program->threads[thread].code &&
                instr <= program->threads[thread].code + program->threads[thread].code_count);
    return (uint32_t)(instr - program->threads[thread].code);
}

/* The place in the base of a filling's instruction; LIT_NONE without one. */
static uint32_t place_of(const struct carrying *c, uint32_t thread, const struct lit_instr *instr)
{
    const struct lit_program *part = c->carried->request->program;
    return instr ? c->places[thread][index_of(part, thread, instr)] : LIT_NONE;
}

static bool ends_alike(const struct carrying *c, const struct exec_path *path,
                       const struct exec_path *other)
{
    const struct lit_program *whole = &c->carried->frame->program;
    uint32_t t = path->thread;
    uint32_t at = path->end_instr ? index_of(whole, t, path->end_instr) : LIT_NONE;
    return path->end == other->end && path->meeting.quorum == 0 && path->probe == other->probe &&
           !other->joined && at == place_of(c, t, other->end_instr) &&
           path->slot_count - path->event_count == other->slot_count - other->event_count &&
           path->crash_count == other->crash_count;
}

/* Pairs the path's events with the witness's, into `from`; the others must be pure. */
static bool pair_events(const struct carrying *c, const struct exec_path *path,
                        const struct exec_path *other, uint32_t *from)
{
    const struct lit_program *whole = &c->carried->frame->program;
    uint32_t next = 0;
    for (uint32_t i = 0; i < path->event_count; i++) {
        const struct ev *event = &path->events[i], *of = &other->events[next];
        uint32_t at = index_of(whole, path->thread, event->instr);
        BASE_ASSERT(at < whole->threads[path->thread].code_count);
        bool same = next < other->event_count && at == place_of(c, path->thread, of->instr) &&
                    event->location == of->location && event->rmw == of->rmw && !of->late &&
                    (event->kind == of->kind || place_is_pure(event->instr));
        from[i] = same ? next++ : LIT_NONE;
        if (!same && !place_is_pure(event->instr))
            return false;
    }
    return next == other->event_count;
}

/* The witness's values, at the places that reads have in the path. */
static struct exec_reads values_of(const struct carrying *c, const struct exec_path *path,
                                   const struct exec_path *other, const uint32_t *from)
{
    const int64_t *values = c->witness->values + c->witness->skeleton->value_base[path->thread];
    int64_t *own = ARENA_ARRAY(c->arena, int64_t, path->slot_count);
    bool *known = ARENA_ARRAY(c->arena, bool, path->slot_count);
    for (uint32_t i = 0; i < path->slot_count; i++) {
        uint32_t index =
            i < path->event_count ? from[i] : i - path->event_count + other->event_count;
        BASE_ASSERT(index == LIT_NONE || index < other->slot_count);
        own[i] = index == LIT_NONE ? 0 : values[index];
        known[i] = true;
    }
    return (struct exec_reads){own, known};
}

static bool all_hold(const struct exec_constraint *constraints, uint32_t count,
                     const struct exec_reads *reads)
{
    for (uint32_t i = 0; i < count; i++) {
        int64_t value;
        if (!exec_value_get(constraints[i].value, reads, &value) ||
            (value != 0) != constraints[i].truth)
            return false;
    }
    return true;
}

static bool writes_same(const struct exec_path *path, const struct exec_path *other,
                        const uint32_t *from, const struct exec_reads *own,
                        const struct exec_reads *others)
{
    for (uint32_t i = 0; i < path->event_count; i++) {
        int64_t a, b;
        if (path->events[i].kind == EV_WRITE &&
            (!exec_value_get(path->events[i].value, own, &a) ||
             !exec_value_get(other->events[from[i]].value, others, &b) || a != b))
            return false;
    }
    return true;
}

static bool is_path(const struct carrying *c, const struct exec_path *path, uint32_t *from)
{
    const struct exec_path *other = c->witness->skeleton->paths[path->thread];
    if (!ends_alike(c, path, other) || !pair_events(c, path, other, from))
        return false;
    const struct exec_reads own = values_of(c, path, other, from);
    const struct exec_reads others = {
        c->witness->values + c->witness->skeleton->value_base[path->thread], NULL};
    bool *known = ARENA_ARRAY(c->arena, bool, other->slot_count);
    for (uint32_t i = 0; i < other->slot_count; i++)
        known[i] = true;
    return all_hold(path->constraints, path->constraint_count, &own) &&
           all_hold(path->spins, path->spin_count, &own) &&
           writes_same(path, other, from, &own, &(struct exec_reads){others.values, known});
}

static bool choose_paths(struct carrying *c)
{
    const struct place_frame *frame = c->carried->frame;
    uint32_t threads = frame->program.thread_count;
    c->paths = ARENA_ARRAY(c->arena, const struct exec_path *, threads);
    c->from = ARENA_ARRAY(c->arena, uint32_t *, threads);
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t i = 0; i < frame->paths[t].count && !c->paths[t]; i++) {
            const struct exec_path *path = frame->paths[t].items[i];
            c->from[t] = ARENA_ARRAY(c->arena, uint32_t, path->event_count);
            if (is_path(c, path, c->from[t]))
                c->paths[t] = path;
        }
        if (!c->paths[t])
            return false;
    }
    return true;
}

/* ---- What was chosen over the events ---- */

static rel_word *carry_relation(const struct carrying *c, const rel_word *relation)
{
    const struct place_carried *p = c->carried;
    struct rel_dim dim = p->skeleton->dim, old = c->witness->skeleton->dim;
    rel_word *carried = ARENA_ARRAY(c->arena, rel_word, rel_words(dim));
    for (uint32_t i = 0; relation && i < dim.n; i++)
        for (uint32_t j = 0; p->from[i] != LIT_NONE && j < dim.n; j++)
            if (p->from[j] != LIT_NONE && rel_has(old, relation, p->from[i], p->from[j]))
                rel_add(dim, carried, i, j);
    return carried;
}

static rel_word *carry_set(const struct carrying *c, const rel_word *set)
{
    const struct place_carried *p = c->carried;
    rel_word *carried = ARENA_ARRAY(c->arena, rel_word, p->skeleton->dim.words);
    for (uint32_t i = 0; i < p->skeleton->dim.n; i++)
        if (p->from[i] != LIT_NONE && bits_get(set, p->from[i]))
            bits_set(carried, i);
    return carried;
}

static void carry_cut(const struct carrying *c, const struct exec_cut *cut)
{
    struct place_carried *p = c->carried;
    uint32_t *last = ARENA_ARRAY(c->arena, uint32_t, p->program.location_count);
    p->has_cut = true;
    p->executed = carry_set(c, cut->executed);
    p->durable = carry_set(c, cut->durable);
    p->passed = arena_copy(c->arena, cut->passed, p->program.thread_count * sizeof *cut->passed);
    p->mark_thread = cut->mark ? cut->mark_thread : LIT_NONE;
    for (uint32_t l = 0; l < p->program.location_count; l++)
        last[l] = LIT_NONE;
    for (uint32_t i = 0; i < p->skeleton->dim.n; i++)
        if (p->own[i].kind == EV_WRITE && cut->last[p->own[i].location] == p->from[i])
            last[p->own[i].location] = i;
    p->last = last;
}

/* Initial writes are the same, as the same locations are accessed. */
static bool number_events(struct carrying *c)
{
    struct place_carried *p = c->carried;
    const struct exec_skeleton *old = c->witness->skeleton;
    uint32_t n = p->skeleton->dim.n;
    uint32_t *from = ARENA_ARRAY(c->arena, uint32_t, n);
    p->slots = ARENA_ARRAY(c->arena, const struct place_slot *, n);
    for (uint32_t i = 0; i < p->skeleton->init_count; i++) {
        from[i] = i;
        if (i >= old->init_count || old->events[i].location != p->own[i].location)
            return false;
    }
    for (uint32_t i = p->skeleton->init_count; i < n; i++) {
        uint32_t t = p->own[i].thread, at = index_of(&p->frame->program, t, p->own[i].instr);
        uint32_t index = c->from[t][i - p->skeleton->first[t]];
        from[i] = index == LIT_NONE ? LIT_NONE : old->first[t] + index;
        p->slots[i] = &p->frame->slots[t][at];
        if (p->own[i].late || p->own[i].meeting.quorum)
            return false;
    }
    p->from = from;
    return p->skeleton->init_count == old->init_count;
}

/* Is each event of the witness what the frame says of it under the filling? */
static bool events_are_known(const struct carrying *c)
{
    const struct place_carried *p = c->carried;
    uint64_t *box = ARENA_ARRAY(c->arena, uint64_t, c->sketch->choice_count);
    for (uint32_t k = 0; k < c->sketch->choice_count; k++)
        box[k] = UINT64_C(1) << c->filling->value[k];
    for (uint32_t i = p->skeleton->init_count; i < p->skeleton->dim.n; i++) {
        const struct lit_instr *instr = p->own[i].instr;
        if (p->slots[i]->choice_count) {
            struct place_variant variant = {PLACE_NOT_READ, NULL};
            if (!place_each_variant(c->sketch, p->slots[i], box, place_keep_variant, &variant) ||
                (variant.presence == PLACE_PRESENT) != (p->from[i] != LIT_NONE))
                return false;
            instr = variant.instr;
        }
        if (p->from[i] == LIT_NONE)
            continue;
        const struct ev made = place_event_by(&p->program, &p->own[i], instr);
        if (!same_event(&made, &c->witness->skeleton->events[p->from[i]]))
            return false;
    }
    return true;
}

/* Sets the value of each write. */
static void carry_values(const struct carrying *c)
{
    struct place_carried *p = c->carried;
    const struct exec_skeleton *old = c->witness->skeleton;
    int64_t *values = ARENA_ARRAY(c->arena, int64_t, p->skeleton->dim.n);
    bool *known = ARENA_ARRAY(c->arena, bool, old->slot_count);
    for (uint32_t i = 0; i < old->slot_count; i++)
        known[i] = true;
    for (uint32_t e = 0; e < p->skeleton->dim.n; e++) {
        if (p->own[e].kind != EV_WRITE)
            continue;
        const struct ev *event = &old->events[p->from[e]];
        uint32_t base = event->init ? 0 : old->value_base[event->thread];
        const struct exec_reads reads = {c->witness->values + base, known};
        BASE_CHECK(exec_value_get(event->value, &reads, &values[e]));
    }
    p->values = values;
}

static void carry_choices(const struct carrying *c)
{
    struct place_carried *p = c->carried;
    uint32_t count = p->request->model->choice_count;
    p->rf = carry_relation(c, c->witness->rf);
    p->co = carry_relation(c, c->witness->co);
    p->fr = carry_relation(c, c->witness->fr);
    p->sync_fence = carry_relation(c, c->witness->sync_fence);
    p->choices = ARENA_ARRAY(c->arena, rel_word *, count);
    for (uint32_t i = 0; i < count; i++)
        p->choices[i] = carry_relation(c, c->witness->choices[i]);
    carry_values(c);
    if (c->witness->cut)
        carry_cut(c, c->witness->cut);
}

/* The frame's program, as the request's begins. */
static struct lit_program program_of(struct arena *arena, const struct place_frame *frame,
                                     const struct lit_program *part)
{
    struct lit_program program = frame->program;
    struct lit_location *locations =
        arena_copy(arena, program.locations, program.location_count * sizeof *locations);
    for (uint32_t l = 0; l < program.location_count; l++)
        locations[l].init = part->locations[l].init;
    program.locations = locations;
    return program;
}

static void note_effect(void *context, const struct place_variant *variant)
{
    struct carrying *c = context;
    uint64_t marks = lit_program_marks(&c->carried->frame->program);
    c->may_keep_others |=
        variant->presence == PLACE_PRESENT &&
        (lit_instruction_writes(variant->instr->op) || variant->instr->tags & marks);
}

/* Could another filling keep other writes from taking effect? */
static bool may_keep_others(struct carrying *c)
{
    const struct place_frame *frame = c->carried->frame;
    for (uint32_t t = 0; t < frame->program.thread_count; t++)
        for (uint32_t i = 0; i < frame->program.threads[t].code_count; i++)
            if (frame->slots[t][i].choice_count &&
                !place_each_variant(c->sketch, &frame->slots[t][i], frame->fits, note_effect, c))
                return true;
    return c->may_keep_others;
}

struct place_carried *place_carry(struct arena *arena, const struct place_asker *asker,
                                  struct place_frame *frame, const struct sketch_filling *filling,
                                  const struct engine_request *request,
                                  const struct engine_witness *witness)
{
    struct place_carried *carried =
        ARENA_MAKE(arena, struct place_carried, .frame = frame, .request = request);
    struct carrying c = {.arena = arena,
                         .carried = carried,
                         .sketch = asker->question->sketch,
                         .filling = filling,
                         .witness = witness};
    place_frame_waits(arena, frame, request, &carried->waits);
    if (engine_keeps_writes(request->program, request->model) && may_keep_others(&c))
        return NULL;
    if (!run_threads(frame, request, &carried->waits) || !find_places(&c) || !choose_paths(&c))
        return NULL;
    carried->program = program_of(arena, frame, request->program);
    carried->skeleton = exec_skeleton_new(arena, &carried->program, c.paths);
    if (!carried->skeleton)
        return NULL;
    carried->events = carried->skeleton->barriers;
    carried->own =
        arena_copy(arena, carried->events, carried->skeleton->dim.n * sizeof *carried->own);
    if (!number_events(&c) || !events_are_known(&c))
        return NULL;
    carry_choices(&c);
    return carried;
}
