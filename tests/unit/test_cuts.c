/* What a crash anywhere in an execution leaves: some by hand, and on folders of tests all that is
 * shown against the crash states that the enumerator lists. */
#include "fixture.h"

#include "engine/cuts.h"
#include "enumerate/enumerate.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

struct watch {
    struct engine_request request;
    struct outcome outcome;
    struct cuts *last;           /* of the last crash state found with all events executed */
    uint32_t witnesses, unshown; /* of crash states; whose own cut is not among those listed */
    uint32_t limited;            /* that have more cuts than are listed */
    VEC(int64_t) rows;           /* of all cuts, one after the other */
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *w = context;
    if (!witness->cut)
        return;
    struct cuts *cuts = cuts_new(&w->request, witness, NULL);
    if (!cuts)
        return;
    w->witnesses++;
    w->unshown += cuts->shown == LIT_NONE;
    for (uint32_t k = 0; k <= cuts->count; k++)
        w->limited += cuts->places[k].more;
    for (size_t i = 0; i < cuts->cuts.count; i++)
        for (uint32_t c = 0; c < witness->width; c++)
            VEC_PUSH(&w->rows, cuts->cuts.items[i].row[c]);
    cuts_free(w->last);
    w->last = cuts;
}

static void watch_run(struct watch *w, struct fixture *f)
{
    *w = (struct watch){.request = {.program = f->program,
                                    .model = f->model,
                                    .plan = f->plan,
                                    .crash_mode = engine_default_crash_mode(f->program),
                                    .limits = {.unroll = 2},
                                    .on_witness = on_witness,
                                    .context = w}};
    outcome_init(&w->outcome, f->program);
    enum_run_alone(&w->request, &w->outcome); /* witnesses of recovery are of another program */
}

static void watch_fini(struct watch *w)
{
    cuts_free(w->last);
    VEC_FREE(&w->rows);
    outcome_fini(&w->outcome);
}

/* ---- By hand ---- */

#define TWO(between)                                                                      \
    "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0 (global int* x, global int* y) { *x = " \
    "1; " between "*y = 1; }\ncrash exists (y=1)\n"

static const struct cuts_cut *cut_of(const struct cuts *cuts, uint32_t place, int64_t x, int64_t y)
{
    for (uint32_t i = 0; i < cuts->places[place].count; i++) {
        const struct cuts_cut *cut = &cuts->cuts.items[cuts->places[place].first + i];
        if (cut->row[0] == x && cut->row[1] == y)
            return cut;
    }
    return NULL;
}

/* Nothing orders the two: none, either, or both once both have executed; each switch turns its own
 * write alone. */
static void test_unordered(void)
{
    struct fixture f;
    struct watch w;
    fixture_init(&f, TWO(""), "hrf-direct", "epoch");
    watch_run(&w, &f);
    const struct cuts *cuts = w.last;
    CU_ASSERT_PTR_NOT_NULL_FATAL(cuts);
    CU_ASSERT_EQUAL_FATAL(cuts->count, 2);
    static const uint32_t counts[] = {1, 2, 4};
    for (uint32_t k = 0; k < 3; k++)
        CU_ASSERT_EQUAL(cuts->places[k].count, counts[k]);
    const struct cuts_cut *y = cut_of(cuts, 2, 0, 1), *both = cut_of(cuts, 2, 1, 1);
    CU_ASSERT_FATAL(y && both);
    for (uint32_t e = 0; e < 2; e++) {
        bool is_x = strcmp(cuts->events[e].event.access, "W x") == 0;
        const struct cuts_cut *turned = &cuts->cuts.items[y->turned[e]];
        CU_ASSERT_EQUAL(turned->row[0], is_x);
        CU_ASSERT_EQUAL(turned->row[1], is_x);
        turned = &cuts->cuts.items[both->turned[e]];
        CU_ASSERT_EQUAL(turned->row[0], !is_x);
        CU_ASSERT_EQUAL(turned->row[1], is_x);
    }
    watch_fini(&w);
    fixture_fini(&f);
}

/* Behind the barrier x is durable, whatever happens, so its fate is no choice there: epoch's
 * barriers wait for what is before them. */
static void test_ordered(void)
{
    struct fixture f;
    struct watch w;
    fixture_init(&f, TWO("p_barrier_wi; "), "hrf-direct", "epoch");
    watch_run(&w, &f);
    const struct cuts *cuts = w.last;
    CU_ASSERT_PTR_NOT_NULL_FATAL(cuts);
    CU_ASSERT_EQUAL_FATAL(cuts->count, 3);
    static const uint32_t counts[] = {1, 2, 1, 2};
    for (uint32_t k = 0; k < 4; k++)
        CU_ASSERT_EQUAL(cuts->places[k].count, counts[k]);
    CU_ASSERT_PTR_NULL(cut_of(cuts, 3, 0, 1));
    const struct cuts_cut *both = cut_of(cuts, 3, 1, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(both);
    CU_ASSERT_EQUAL(both->turned[0], LIT_NONE);
    CU_ASSERT_NOT_EQUAL(both->turned[2], LIT_NONE);
    watch_fini(&w);
    fixture_fini(&f);
}

/* Recovery copies x to y, from x = 0 and from x = 1. */
static void test_recovery(void)
{
    struct fixture f;
    struct watch w;
    const struct recovery_options options = {.run = enum_run_alone, .tracks_initials = true};
    fixture_init(&f,
                 "OPENCL t\n{ nvm x = 0; nvm y = 0; }\nP0@wg 0 (global int* x) { *x = 1; }\n"
                 "recovery\nP0@wg 0 (global int* x, global int* y) { *y = *x; }\n"
                 "crash exists (x=1)\n",
                 "sc", "epoch");
    watch_run(&w, &f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w.last);
    struct engine_request request = w.request;
    request.on_witness = NULL;
    cuts_recover(w.last, &request, &options);
    CU_ASSERT_EQUAL_FATAL(w.last->recovery_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct cuts_recovery *recovery = &w.last->recoveries[i];
        CU_ASSERT_PTR_NULL(recovery->doubt);
        CU_ASSERT_EQUAL_FATAL(recovery->run_count, 1);
        CU_ASSERT_EQUAL(recovery->runs[0].row[0], recovery->start[0]);
        CU_ASSERT_EQUAL(recovery->runs[0].row[1], recovery->start[0]);
        CU_ASSERT_EQUAL(recovery->runs[0].link.step_count, 2); /* R x, W y */
    }
    watch_fini(&w);
    fixture_fini(&f);
}

/* ---- Folders ---- */

/* All that is shown is a crash state, and each crash state is shown. */
static void hold(const char *path, const char *text, const char *visibility,
                 const char *persistency, uint32_t *tests)
{
    struct fixture f;
    struct watch w;
    fixture_init(&f, text, visibility, persistency);
    watch_run(&w, &f);
    const struct outcome_states *crash = &w.outcome.crash;
    uint32_t outside = 0;
    if (!crash->product && crash->width) {
        for (size_t i = 0; i + crash->width <= w.rows.count; i += crash->width)
            outside += !fixture_has(crash, &w.rows.items[i]);
        *tests += w.witnesses > 0;
        CU_ASSERT_EQUAL(outside, 0);
        CU_ASSERT(w.unshown == 0 || w.limited > 0);
        if (outside || (w.unshown && !w.limited))
            fprintf(stderr, "%s under %s: %u outside, %u not shown\n", path, persistency, outside,
                    w.unshown);
    }
    watch_fini(&w);
    fixture_fini(&f);
}

static const char *read_text(struct arena *arena, const char *path)
{
    char buffer[16384];
    FILE *file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    size_t length = fread(buffer, 1, sizeof buffer - 1, file);
    fclose(file);
    return arena_strndup(arena, buffer, length);
}

static void sweep(const char *folder, const char *visibility, const char *persistency,
                  uint32_t least)
{
    uint32_t tests = 0;
    struct arena arena;
    DIR *dir = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL_FATAL(dir);
    arena_init(&arena);
    for (const struct dirent *entry; (entry = readdir(dir));) {
        const char *path = arena_printf(&arena, "%s/%s", folder, entry->d_name);
        const char *text = strstr(path, ".litmus") ? read_text(&arena, path) : NULL;
        if (text && !strstr(text, "\nuses ") && !strstr(text, "\nrefines "))
            hold(path, text, visibility, persistency, &tests);
    }
    closedir(dir);
    arena_fini(&arena);
    CU_ASSERT(tests >= least);
}

static void test_folders(void)
{
    sweep("litmus/spb", "hrf-direct", "epoch", 50);
    sweep("litmus/spb", "hrf-direct", "buffered-epoch-individual", 50);
    sweep("litmus/acknowledged", "hrf-direct", "epoch", 3);
    sweep("litmus/strict", "sc", "buffered-strict", 3);
    sweep("litmus/recovery", "sc", "epoch", 40);
}

void suite_cuts(void)
{
    CU_pSuite suite = CU_add_suite("cuts", NULL, NULL);
    UNIT_TEST(suite, test_unordered);
    UNIT_TEST(suite, test_ordered);
    UNIT_TEST(suite, test_recovery);
    UNIT_TEST(suite, test_folders);
}
