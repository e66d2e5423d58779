#include "engine/recovery_image.h"

#include "base/bits.h"
#include "engine/witness.h"

/* ---- A witness as a link ---- */

/* The thread as the test's reports name it. */
static void rename_thread(const struct lit_program *test, struct outcome_event *event)
{
    if (event->thread != LIT_NONE)
        event->thread += test->thread_count;
}

void recovery_fill_link(struct arena *arena, const struct lit_program *test,
                        const struct engine_witness *witness, struct outcome_link *link)
{
    const struct exec_skeleton *s = witness->skeleton;
    struct outcome_step *steps = ARENA_ARRAY(arena, struct outcome_step, s->dim.n);
    uint32_t count = 0;
    for (uint32_t e = s->init_count; e < s->dim.n; e++) {
        if (witness->cut && !bits_get(witness->cut->executed, e))
            continue;
        steps[count] = witness_step(arena, witness, e);
        rename_thread(test, &steps[count].event);
        rename_thread(test, &steps[count++].source);
    }
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
        SCOPED(recovery_found) found;
        links[i] = chain->links[i];
        recovery_image_run(image, links[i].start, &watch, &found);
    }
    chain->links = links;
}
