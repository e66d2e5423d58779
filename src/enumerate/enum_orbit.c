/* The orbit of a state: exchanges of neighbours in each part, repeated until nothing new appears.
 * The first state's execution, renamed event by event by all exchanges on the way, shows the new
 * state. Whoever receives it rechecks it like any other. */
#include "enumerate/enum_goal.h"
#include "enumerate/enum_search.h"

#include "base/bits.h"
#include "engine/recovery.h"

/* ---- A renamed execution ---- */

/* All exchanges on the way, one after the other. */
struct renamed {
    uint32_t *threads, *locations; /* what each becomes */
    uint32_t *events;              /* likewise */
    const struct exec_path **paths;
    struct exec_skeleton *skeleton;
};

static void apply(struct renamed *r, const struct lit_program *program,
                  const struct exec_exchange *by)
{
    for (uint32_t t = 0; t < program->thread_count; t++)
        r->threads[t] = exec_exchange_thread(by, r->threads[t]);
    for (uint32_t l = 0; l < program->location_count; l++)
        r->locations[l] = exec_exchange_location(by, r->locations[l]);
}

static uint32_t event_image(const struct enum_search *s, const struct renamed *r, uint32_t event)
{
    BASE_ASSERT(event < s->dim.n);
    const struct ev *from = &s->skeleton->events[event];
    if (!from->init)
        return r->skeleton->first[r->threads[from->thread]] + event -
               s->skeleton->first[from->thread];
    uint32_t e = 0;
    while (r->skeleton->events[e].location != r->locations[from->location])
        e++;
    return e;
}

static void rename_skeleton(struct enum_search *s, struct renamed *r)
{
    struct arena *arena = &s->state->scratch;
    uint32_t threads = s->skeleton->program->thread_count;
    r->paths = ARENA_ARRAY(arena, const struct exec_path *, threads);
    r->events = ARENA_ARRAY(arena, uint32_t, s->dim.n);
    for (uint32_t t = 0; t < threads; t++)
        r->paths[r->threads[t]] =
            s->state->all_paths[r->threads[t]].items[s->state->path_numbers[t]];
    r->skeleton = exec_skeleton_new(arena, s->skeleton->program, r->paths);
    BASE_CHECK(r->skeleton && r->skeleton->dim.n == s->dim.n);
    for (uint32_t e = 0; e < s->dim.n; e++) {
        r->events[e] = event_image(s, r, e);
        r->skeleton->barriers[r->events[e]].late = s->skeleton->events[e].late;
    }
}

static rel_word *rename_relation(struct enum_search *s, const struct renamed *r,
                                 const rel_word *relation)
{
    rel_word *image = ARENA_ARRAY(&s->state->scratch, rel_word, rel_words(s->dim));
    for (uint32_t a = 0; a < s->dim.n; a++)
        BITS_EACH (e, k, s->dim.words, rel_row(s->dim, relation, a)[k])
            rel_add(s->dim, image, r->events[a], r->events[e]);
    return image;
}

static rel_word *rename_set(struct enum_search *s, const struct renamed *r, const rel_word *set)
{
    rel_word *image = ARENA_ARRAY(&s->state->scratch, rel_word, s->dim.words);
    for (uint32_t e = 0; e < s->dim.n; e++)
        if (bits_get(set, e)) {
            BASE_ASSERT(r->events[e] < s->dim.n);
            bits_set(image, r->events[e]);
        }
    return image;
}

static int64_t *rename_values(struct enum_search *s, const struct renamed *r)
{
    int64_t *values = ARENA_ARRAY(&s->state->scratch, int64_t, s->skeleton->slot_count);
    for (uint32_t t = 0; t < s->skeleton->program->thread_count; t++)
        for (uint32_t i = 0; i < s->skeleton->paths[t]->slot_count; i++) {
            BASE_ASSERT(s->skeleton->paths[t]->slot_count ==
                        r->skeleton->paths[r->threads[t]]->slot_count);
            values[r->skeleton->value_base[r->threads[t]] + i] =
                s->values[s->skeleton->value_base[t] + i];
        }
    return values;
}

static struct exec_cut rename_cut(struct enum_search *s, const struct renamed *r,
                                  const struct exec_cut *cut)
{
    const struct lit_program *program = s->skeleton->program;
    uint32_t *last = ARENA_ARRAY(&s->state->scratch, uint32_t, program->location_count);
    uint32_t *passed = ARENA_ARRAY(&s->state->scratch, uint32_t, program->thread_count);
    struct exec_cut image = {.executed = rename_set(s, r, cut->executed),
                             .durable = rename_set(s, r, cut->durable),
                             .mark_thread = LIT_NONE,
                             .last = last,
                             .passed = passed};
    for (uint32_t l = 0; l < program->location_count; l++) {
        BASE_ASSERT(r->locations[l] < program->location_count);
        BASE_ASSERT((cut->last[l] == LIT_NONE) || s->skeleton->events[cut->last[l]].location == l);
        last[r->locations[l]] = cut->last[l] == LIT_NONE ? LIT_NONE : r->events[cut->last[l]];
    }
    for (uint32_t t = 0; t < program->thread_count; t++) {
        BASE_ASSERT(r->threads[t] < program->thread_count);
        passed[r->threads[t]] = cut->passed[t];
    }
    if (cut->mark) {
        BASE_ASSERT(cut->mark_thread < program->thread_count);
        image.mark_thread = r->threads[cut->mark_thread];
        image.mark = r->paths[image.mark_thread]->crashes +
                     (cut->mark - s->skeleton->paths[cut->mark_thread]->crashes);
    }
    return image;
}

/* Fills in all but the cut and the state. */
static void rename_execution(struct enum_search *s, struct renamed *r,
                             struct engine_witness *witness)
{
    struct arena *arena = &s->state->scratch;
    uint32_t choices = s->state->request->model->choice_count;
    const rel_word **chosen = ARENA_ARRAY(arena, const rel_word *, choices);
    *witness = enum_witness_of(s);
    rename_skeleton(s, r);
    for (uint32_t i = 0; i < choices; i++)
        chosen[i] = rename_relation(s, r, witness->choices[i]);
    witness->skeleton = r->skeleton;
    witness->skeleton_number = UINT64_MAX - s->state->renamed++; /* one that no other has */
    witness->rf = rename_relation(s, r, witness->rf);
    witness->co = rename_relation(s, r, witness->co);
    witness->fr = rename_relation(s, r, witness->fr);
    witness->choices = chosen;
    if (witness->sync_fence)
        witness->sync_fence = rename_relation(s, r, witness->sync_fence);
    witness->values = rename_values(s, r);
}

/* ---- The orbits of an execution's states ---- */

/* An execution that exchanges make of the one at hand, with the states that it was the first to
 * show. */
struct image {
    size_t of;               /* the one that it was made of; LIT_NONE: it is the one at hand */
    struct exec_exchange by; /* by this exchange */
    size_t first, end;       /* of `shown` */
};

/* What a state that was found became: a row of its set. */
struct shown {
    uint32_t found, row;
};

struct orbits {
    struct enum_search *search;
    const struct enum_found *found;
    VEC(struct image) images;
    VEC(struct shown) shown;
    size_t at; /* the image whose exchanges are gone through */
};

/* The exchanges from the execution at hand to an image, in their order. */
static void rename_all(const struct orbits *o, struct renamed *r, size_t image)
{
    BASE_ASSERT(image < o->images.count);
    const struct image *last = &o->images.items[image];
    if (last->of == LIT_NONE)
        return;
    rename_all(o, r, last->of);
    BASE_ASSERT(last->of < image);
    apply(r, o->search->skeleton->program, &last->by);
}

static struct renamed renamed_as(const struct orbits *o, size_t image)
{
    const struct lit_program *program = o->search->skeleton->program;
    struct arena *arena = &o->search->state->scratch;
    struct renamed r = {.threads = ARENA_ARRAY(arena, uint32_t, program->thread_count),
                        .locations = ARENA_ARRAY(arena, uint32_t, program->location_count)};
    for (uint32_t t = 0; t < program->thread_count; t++)
        r.threads[t] = t;
    for (uint32_t l = 0; l < program->location_count; l++)
        r.locations[l] = l;
    rename_all(o, &r, image);
    return r;
}

/* The last image: each state with the same execution. */
static void show_image(const struct orbits *o)
{
    BASE_ASSERT(o->images.count > 1);
    struct enum_search *s = o->search;
    const struct engine_request *request = s->state->request;
    const struct image *image = &VEC_LAST(&o->images);
    struct arena_mark mark = arena_mark(&s->state->scratch);
    struct renamed r = renamed_as(o, o->images.count - 1);
    struct engine_witness witness;
    rename_execution(s, &r, &witness);
    for (size_t i = image->first; i < image->end; i++) {
        const struct enum_found *found = &o->found[o->shown.items[i].found];
        BASE_ASSERT(o->shown.items[i].found < s->state->found.count);
        struct exec_cut cut;
        if (found->states->product)
            continue;
        if (found->is_crash)
            cut = rename_cut(s, &r, &found->cut);
        witness.cut = found->is_crash ? &cut : NULL;
        witness.items = found->states->items;
        witness.row = outcome_row(found->states, o->shown.items[i].row);
        witness.width = found->states->width;
        request->on_witness(request->context, &witness);
    }
    arena_rewind(&s->state->scratch, mark);
}

/* What an exchange makes of a state. */
static void add_image_of(struct orbits *o, struct shown from, const struct exec_exchange *by)
{
    BASE_ASSERT(from.found < o->search->state->found.count);
    struct enum_state *state = o->search->state;
    struct outcome_states *states = o->found[from.found].states;
    int64_t *row = o->search->row;
    if (states->product ||
        states->full) /* what is no list is closed in the end: enum_close_products */
        return;
    stabilizer_row(by, states, outcome_row(states, from.row), row);
    if (outcome_add_state(states, row) && !states->product) {
        VEC_PUSH(&o->shown, ((struct shown){from.found, (uint32_t)states->count - 1}));
        if (state->goal && enum_goal_met(state, states, row))
            enum_meet_goal(state);
    }
    if (states->full)
        enum_stop_full(state, states);
}

/* Whether to go on. */
static bool add_image(void *context, const struct exec_exchange *by)
{
    struct orbits *o = context;
    BASE_ASSERT(o->at < o->images.count);
    const struct image from = o->images.items[o->at];
    struct enum_state *state = o->search->state;
    size_t first = o->shown.count;
    for (size_t i = from.first; i < from.end; i++)
        add_image_of(o, o->shown.items[i], by);
    if (o->shown.count > first) {
        VEC_PUSH(&o->images, ((struct image){o->at, *by, first, o->shown.count}));
        if (state->request->on_witness)
            show_image(o);
    }
    return !enum_out_of_time(state);
}

void enum_close_orbits(struct enum_search *s)
{
    struct enum_state *state = s->state;
    struct orbits orbits = {.search = s, .found = state->found.items};
    for (size_t i = 0; i < state->found.count && !state->stopped; i++)
        VEC_PUSH(&orbits.shown, ((struct shown){(uint32_t)i, state->found.items[i].row}));
    VEC_PUSH(&orbits.images, ((struct image){.of = LIT_NONE, .end = orbits.shown.count}));
    while (orbits.shown.count && orbits.at < orbits.images.count &&
           stabilizer_each(&state->group.left, add_image, &orbits))
        orbits.at++;
    VEC_FREE(&orbits.shown);
    VEC_FREE(&orbits.images);
    VEC_CLEAR(&state->found);
    arena_rewind(&state->of_found, (struct arena_mark){NULL, 0});
}

static struct exec_cut keep_cut(const struct enum_search *s, const struct exec_cut *cut)
{
    const struct lit_program *program = s->skeleton->program;
    struct arena *arena = &s->state->of_found;
    struct exec_cut kept = *cut;
    size_t set = s->dim.words * sizeof *cut->executed;
    kept.executed = arena_copy(arena, cut->executed, set);
    kept.durable = arena_copy(arena, cut->durable, set);
    kept.last = arena_copy(arena, cut->last, program->location_count * sizeof *cut->last);
    kept.passed = arena_copy(arena, cut->passed, program->thread_count * sizeof *cut->passed);
    return kept;
}

void enum_add_orbit(struct enum_search *s, struct outcome_states *states,
                    const struct exec_cut *cut)
{
    struct enum_state *state = s->state;
    struct enum_found found = {.states = states, .row = (uint32_t)states->count - 1};
    if (!state->group.closes || state->group.left.count == 0 || states->product)
        return;
    if (cut) {
        found.is_crash = true;
        found.cut = keep_cut(s, cut);
    }
    VEC_PUSH(&state->found, found);
    if (state->found.count >= enum_thresholds(state)->gathered)
        enum_close_orbits(s);
}

/* ---- Undefined behaviour ---- */

/* Two who are to blame, or fewer. */
struct blame {
    struct enum_culprit culprits[2];
    struct ev events[2]; /* their events, when they have one */
};

struct report {
    struct enum_state *state;
    const struct outcome_undefined *what;
    uint32_t count;
    bool symmetric;
    VEC(struct blame) blames;
};

static struct outcome_event event_of(const struct report *r, const struct enum_culprit *culprit)
{
    const struct lit_program *program = r->state->request->program;
    if (culprit->event)
        return outcome_event_of(&r->state->scratch, culprit->event, program);
    return (struct outcome_event){.thread = culprit->thread,
                                  .line = culprit->instr
                                              ? culprit->instr->span.line
                                              : program->threads[culprit->thread].end.line,
                                  .access = culprit->text,
                                  .origin = culprit->instr ? culprit->instr->origin : NULL};
}

/* Of two to blame alike, the lower event stands first: of initial writes that of the lower
 * location; in one thread an exchange leaves the order. */
static bool stands_first(const struct enum_culprit *a, const struct enum_culprit *b)
{
    if (a->thread == LIT_NONE && b->thread == LIT_NONE)
        return a->event && b->event && a->event->location < b->event->location;
    return a->thread != LIT_NONE && b->thread != LIT_NONE && a->thread < b->thread;
}

/* Records it; whether its images may be new. An image of a pair that stands in either order is such
 * a pair; one of a pair in one order alone may be that pair in the other order. */
static bool record(struct report *r, const struct blame *blame)
{
    struct outcome_undefined undefined = *r->what;
    struct arena_mark mark = arena_mark(&r->state->scratch);
    undefined.event_count = r->count;
    for (uint32_t i = 0; i < r->count; i++)
        undefined.events[i] = event_of(r, &blame->culprits[i]);
    const struct outcome_event a = undefined.events[0], b = undefined.events[1];
    if (r->symmetric && r->count == 2 && stands_first(&blame->culprits[1], &blame->culprits[0])) {
        undefined.events[0] = b;
        undefined.events[1] = a;
    }
    bool added = outcome_add_pair(r->state->outcome, &undefined, r->symmetric);
    arena_rewind(&r->state->scratch, mark);
    return added;
}

static void add_blame(struct report *r, const struct blame *blame)
{
    VEC_PUSH(&r->blames, *blame);
    struct blame *kept = &VEC_LAST(&r->blames);
    for (uint32_t i = 0; i < r->count; i++)
        if (kept->culprits[i].event)
            kept->events[i] = *kept->culprits[i].event;
}

/* What an exchange makes of one who is to blame; its event, if it has one, goes to `event`. */
static void exchange_culprit(const struct report *r, const struct exec_exchange *by,
                             struct enum_culprit *culprit, struct ev *event)
{
    const struct lit_thread *threads = r->state->request->program->threads;
    uint32_t from = culprit->thread;
    if (from != LIT_NONE) {
        culprit->thread = exec_exchange_thread(by, from);
        if (culprit->instr)
            culprit->instr = threads[culprit->thread].code + (culprit->instr - threads[from].code);
    }
    if (!culprit->event)
        return;
    *event = *culprit->event;
    event->thread = culprit->thread;
    event->instr = culprit->instr;
    if (event->location != LIT_NONE)
        event->location = exec_exchange_location(by, event->location);
    culprit->event = event;
}

static void exchange_blame(struct report *r, size_t number, const struct exec_exchange *by)
{
    struct blame image = r->blames.items[number];
    struct ev events[2];
    for (uint32_t i = 0; i < r->count; i++) {
        if (image.culprits[i].event)
            image.culprits[i].event = &r->blames.items[number].events[i];
        exchange_culprit(r, by, &image.culprits[i], &events[i]);
    }
    if (record(r, &image))
        add_blame(r, &image);
}

void enum_report(struct enum_state *state, const struct outcome_undefined *what,
                 const struct enum_culprit *culprits, uint32_t count, bool symmetric)
{
    const struct stabilizer *left = &state->group.left;
    struct report r = {.state = state, .what = what, .count = count, .symmetric = symmetric};
    struct blame first = {{{0}}, {{0}}};
    for (uint32_t i = 0; i < count; i++)
        first.culprits[i] = culprits[i];
    if (!record(&r, &first) || what->of_cycle)
        return; /* what is recorded of the first is recorded of all; of cycles one will do */
    add_blame(&r, &first);
    for (size_t i = 0; i < r.blames.count && !enum_out_of_time(state); i++)
        for (uint32_t p = 0; p < left->count; p++)
            for (uint32_t u = 0; u + 1 < left->parts[p].count; u++) {
                const struct stabilizer_part *part = &left->parts[p];
                const struct exec_exchange by = {part->class, part->units[u], part->units[u + 1]};
                exchange_blame(&r, i, &by);
            }
    VEC_FREE(&r.blames);
}
