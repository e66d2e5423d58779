/* Recovery of what cuts leave: one run for each image of memory, with all of its ends, event by
 * event. */
#include "engine/cuts.h"
#include "engine/recovery_image.h"

#include <string.h>

enum { MOST_RUNS = 8 };

struct watching {
    struct cuts *cuts;
    const struct recovery_image *image;
    VEC(struct cuts_run) runs;
    bool more;
};

/* A run to an end, in columns of `recovered`. */
static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watching *w = context;
    const struct outcome_states *recovered = &w->cuts->columns.recovered;
    if (witness->cut || w->runs.count == MOST_RUNS) {
        w->more |= !witness->cut;
        return;
    }
    int64_t *row = ARENA_ARRAY(&w->cuts->arena, int64_t, recovered->width);
    for (uint32_t i = 0; i < recovered->width; i++)
        for (uint32_t k = 0; k < witness->width; k++)
            if (lit_atom_same(&witness->items[k], &recovered->items[i]))
                row[i] = witness->row[k];
    for (size_t i = 0; i < w->runs.count; i++)
        if (memcmp(w->runs.items[i].row, row, recovered->width * sizeof *row) == 0)
            return;
    struct cuts_run run = {.row = row};
    recovery_fill_link(&w->cuts->arena, w->cuts->program, witness, &run.link);
    VEC_PUSH(&w->runs, run);
}

static const char *doubt_of(const struct watching *w, const struct recovery_found *found)
{
    const char *doubt = outcome_doubt(&found->outcome);
    if (found->outcome.undefined.count)
        return "recovery has undefined behaviour";
    if (doubt)
        return arena_strdup(&w->cuts->arena, doubt);
    if (w->more)
        return "there are more ends than are listed";
    return w->runs.count ? NULL : "recovery never completes";
}

static void run_from(struct cuts *cuts, struct recovery_image *image,
                     struct cuts_recovery *recovery)
{
    struct watching w = {cuts, image, {0}, false};
    const struct recovery_watch watch = {on_witness, &w};
    SCOPED(recovery_found) found;
    recovery_image_run(image, recovery->start, &watch, &found);
    recovery->doubt = doubt_of(&w, &found);
    recovery->run_count = (uint32_t)w.runs.count;
    recovery->runs = VEC_KEEP(&cuts->arena, &w.runs);
    VEC_FREE(&w.runs);
}

/* The recovery that begins with a row's first columns; LIT_NONE: there is no room for it. */
static uint32_t recovery_of(struct cuts *cuts, struct cuts_recovery *all, const int64_t *row)
{
    uint32_t width = cuts->columns.starts.width;
    for (uint32_t i = 0; i < cuts->recovery_count; i++)
        if (memcmp(all[i].start, row, width * sizeof *row) == 0)
            return i;
    cuts->recoveries_missing |= cuts->recovery_count == CUTS_MOST_RECOVERIES;
    if (cuts->recoveries_missing)
        return LIT_NONE;
    all[cuts->recovery_count].start = row;
    return cuts->recovery_count++;
}

void cuts_recover(struct cuts *cuts, const struct engine_request *request,
                  const struct recovery_options *options)
{
    struct cuts_recovery *all =
        ARENA_ARRAY(&cuts->arena, struct cuts_recovery, CUTS_MOST_RECOVERIES);
    struct recovery_image image;
    SCOPED(arena) arena = {0};
    if (!cuts->program->recovery_count)
        return;
    for (size_t i = 0; i < cuts->cuts.count; i++)
        cuts->cuts.items[i].recovery = recovery_of(cuts, all, cuts->cuts.items[i].row);
    recovery_image_init(&image, &arena, request, &cuts->columns, options);
    for (uint32_t i = 0; i < cuts->recovery_count; i++)
        run_from(cuts, &image, &all[i]);
    cuts->recoveries = all;
}
