#include "engine/recovery_image.h"

#include "base/bits.h"

/* ---- A witness as a link ---- */

/* What is told, and to whose names. */
struct telling {
    struct arena *arena;
    const struct lit_program *test;
    const struct engine_witness *witness;
};

/* The event as the test's reports name it. */
static struct outcome_event name_event(const struct telling *t, uint32_t e)
{
    const struct ev *event = &t->witness->skeleton->events[e];
    const char *name = ev_name(t->arena, event, t->witness->skeleton->program);
    if (event->init)
        return (struct outcome_event){LIT_NONE, 0, name, 0};
    return (struct outcome_event){t->test->thread_count + event->thread, event->instr->span.line,
                                  name, 0};
}

static void take_read(const struct telling *t, uint32_t e, struct outcome_step *step)
{
    const struct exec_skeleton *s = t->witness->skeleton;
    uint32_t thread = s->events[e].thread;
    step->is_read = step->has_value = true;
    step->value = t->witness->values[s->value_base[thread] + e - s->first[thread]];
    for (uint32_t w = 0; w < s->dim.n; w++)
        if (rel_has(s->dim, t->witness->rf, w, e))
            step->source = name_event(t, w);
}

static void take_write(const struct telling *t, uint32_t e, struct outcome_step *step)
{
    const struct engine_witness *witness = t->witness;
    const struct exec_skeleton *s = witness->skeleton;
    const struct ev *event = &s->events[e];
    const struct exec_path *path = s->paths[event->thread];
    bool *known = ARENA_ARRAY(t->arena, bool, path->event_count);
    for (uint32_t i = 0; i < path->event_count; i++)
        known[i] = true;
    struct exec_reads reads = {witness->values + s->value_base[event->thread], known};
    step->has_value = exec_value_get(event->value, &reads, &step->value);
    step->lost = witness->cut && s->program->locations[event->location].nvm &&
                 !bits_get(witness->cut->durable, e);
}

static void take_step(const struct telling *t, uint32_t e, struct outcome_step *step)
{
    const struct exec_skeleton *s = t->witness->skeleton;
    const struct ev *event = &s->events[e];
    *step = (struct outcome_step){.event = name_event(t, e)};
    if (!ev_kind_accesses(event->kind))
        return;
    step->type = s->program->locations[event->location].type;
    if (event->kind == EV_READ)
        take_read(t, e, step);
    else
        take_write(t, e, step);
}

void recovery_fill_link(struct arena *arena, const struct lit_program *test,
                        const struct engine_witness *witness, struct outcome_link *link)
{
    const struct exec_skeleton *s = witness->skeleton;
    const struct telling telling = {arena, test, witness};
    struct outcome_step *steps = ARENA_ARRAY(arena, struct outcome_step, s->dim.n);
    uint32_t count = 0;
    for (uint32_t e = s->init_count; e < s->dim.n; e++)
        if (!witness->cut || bits_get(witness->cut->executed, e))
            take_step(&telling, e, &steps[count++]);
    link->steps = steps;
    link->step_count = count;
}

/* ---- A chain run once more ---- */

/* Waits for the witness of one state. */
struct wait {
    const struct recovery_image *image;
    struct arena *arena;
    bool crash;            /* it is a crash state */
    const int64_t *wanted; /* columns of `crash`, or of as much of `recovered` */
    uint32_t width;
    struct outcome_link *link;
    bool shown;
};

static bool is_wanted(const struct wait *wait, const struct engine_witness *witness)
{
    const struct outcome_states *states = &wait->image->outcome->recovered;
    if ((witness->cut != NULL) != wait->crash)
        return false;
    return !ANY(i, wait->width,
                ANY(k, witness->width,
                    lit_atom_same(&witness->items[k], &states->items[i]) &&
                        witness->row[k] != wait->wanted[i]));
}

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct wait *wait = context;
    if (wait->shown || !is_wanted(wait, witness))
        return;
    recovery_fill_link(wait->arena, wait->image->request->program, witness, wait->link);
    wait->shown = true;
}

void recovery_show_chain(struct recovery_image *image, struct outcome *outcome,
                         struct outcome_chain *chain)
{
    struct outcome_link *links =
        ARENA_ARRAY(&outcome->arena, struct outcome_link, chain->link_count);
    for (uint32_t i = 0; i < chain->link_count; i++) {
        bool last = i + 1 == chain->link_count;
        struct wait wait = {.image = image,
                            .arena = &outcome->arena,
                            .crash = !chain->links[i].completes,
                            .wanted = last ? chain->recovered : chain->links[i + 1].start,
                            .width = last ? outcome->recovered.width : outcome->starts.width,
                            .link = &links[i]};
        struct recovery_watch watch = {on_witness, &wait};
        struct recovery_found found;
        links[i] = chain->links[i];
        recovery_image_run(image, links[i].start, &watch, &found);
        recovery_found_fini(&found);
    }
    chain->links = links;
}
