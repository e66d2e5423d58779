/* place_verify: what place answers, held against trying every filling.
 *
 *     place_verify [-v] [-t] [-s] [-n | -r [-q] [-w] [-k KINDS]] [-l MOST] [-b FLAW]
 *                  [-m VISIBILITY] [-p PERSISTENCY] FILE...
 *
 * Each file is a sketch; with -n it is a test that is narrowed, with -r one that is repaired, by
 * what the KINDS say, with -q by several statements at a point, and with -w by two stores that change
 * places. Those with more than MOST fillings are passed over. All its fillings are checked one by one, each as a test of its own, and
 * the minimal ones of those that are ok are found by comparing all pairs. place must have the same
 * fillings and no others, each with its steps below, and each box that it learnt must hold fillings
 * that are refused and no others. With -s all files are one question. -t gives times instead: of
 * the search with boxes and, for each file with few fillings, of the search without, and of trying
 * every filling.
 *
 * A FLAW is put into the boxes that are looked at, to see that this is found: `wide` makes each one
 * value larger, and `whole` all of them whole.
 *
 * The last line has the files that agree, differ and are open, as a filling is unknown, fillings,
 * those that place asked about, boxes and what they hold, steps below what it found, and files that
 * were passed over. Leaves with 1 when some file differs. */
#include "sketch/sites.h"
#include "place/place.h"
#include "session/session_engines.h"
#include "session/session_filling.h"
#include "session/session_refine.h"
#include "session/session_run.h"
#include "session/session_solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT = 60 };
enum flaw { NO_FLAW, WIDE, WHOLE };

struct totals {
    uint64_t agree, differ, skipped, passed_over, fillings, tried, boxes, held, steps;
};

struct question {
    struct arena arena;
    const struct sketch *sketch;
    const struct session_settings *settings;
    const struct session_model *model;
    struct session_models *models;
    uint32_t count; /* fillings */
    bool *accepted; /* per filling */
    bool *unknown;
    enum flaw flaw;
    bool verbose;
    struct totals *totals;
    uint32_t wrong;
};

/* ---- All fillings ---- */

static void filling_of(const struct question *q, uint32_t number, struct sketch_filling *filling)
{
    for (uint32_t c = q->sketch->choice_count; c-- > 0;) {
        filling->value[c] = (uint8_t)(number % q->sketch->choices[c].value_count);
        number /= q->sketch->choices[c].value_count;
    }
}

static uint32_t number_of(const struct question *q, const struct sketch_filling *filling)
{
    uint32_t number = 0;
    for (uint32_t c = 0; c < q->sketch->choice_count; c++)
        number = number * q->sketch->choices[c].value_count + filling->value[c];
    return number;
}

static void print_filling(const struct question *q, const struct sketch_filling *filling)
{
    for (uint32_t c = 0; c < q->sketch->choice_count; c++)
        printf("%s%s", c ? ", " : "", q->sketch->choices[c].values[filling->value[c]].label);
}

static void tell(const struct question *q, const char *what, uint32_t number)
{
    struct sketch_filling filling;
    filling_of(q, number, &filling);
    printf("  %s: ", what);
    print_filling(q, &filling);
    printf("\n");
}

static enum lit_verdict ask(const struct question *q, const struct lit_program *program,
                            bool *ended)
{
    const struct session_case asked =
        session_case_begin(q->settings, q->model, program, (struct session_parts){0});
    struct outcome outcome;
    session_run(&asked, session_engine_choosing, &outcome, NULL);
    enum lit_verdict verdict = outcome_verdict(&outcome, program);
    for (uint32_t c = 0; c < program->condition_count; c++) /* which is definite */
        if (outcome_judge(&outcome, program, &program->conditions[c]).vacuous)
            verdict = LIT_VIOLATED;
    if (verdict == LIT_OK && outcome_any_doubt(&outcome)) /* undefined behaviour may be beyond it */
        verdict = LIT_UNKNOWN;
    *ended = outcome.ended;
    outcome_fini(&outcome);
    return verdict;
}

static enum lit_verdict check_ends(const struct question *q, const struct lit_program *program)
{
    static const struct lit_prop any = {.op = LIT_PROP_TRUE};
    const struct lit_condition ends = {
        .when = LIT_FINAL, .quantifier = LIT_EXISTS, .prop = &any, .text = "exists (true)"};
    struct lit_program copy = *program;
    bool ended;
    copy.conditions = &ends;
    copy.condition_count = 1;
    copy.filter = NULL;
    return ask(q, &copy, &ended);
}

static enum lit_verdict check_file(struct question *q, const struct sketch_filling *filling,
                                   uint32_t file)
{
    struct session_test test;
    enum lit_verdict verdict = LIT_ERROR;
    if (session_filling_read(&test, q->settings, q->sketch, filling, file) &&
        session_refine(&test, q->settings, q->models, (struct session_parts){0})) {
        bool ended;
        verdict = ask(q, test.program, &ended);
        if (verdict == LIT_OK && !ended)
            verdict = check_ends(q, test.program);
    } else { /* which place would refuse alike */
        tell(q, "cannot be read", number_of(q, filling));
        q->wrong++;
    }
    session_test_fini(&test);
    return verdict;
}

static void try_all(struct question *q)
{
    q->accepted = ARENA_ARRAY(&q->arena, bool, q->count);
    q->unknown = ARENA_ARRAY(&q->arena, bool, q->count);
    for (uint32_t i = 0; i < q->count; i++) {
        struct sketch_filling filling;
        enum lit_verdict worst = LIT_OK;
        filling_of(q, i, &filling);
        for (uint32_t file = 0; file < q->sketch->given_count; file++) {
            enum lit_verdict verdict = check_file(q, &filling, file);
            if (verdict > worst)
                worst = verdict;
        }
        q->accepted[i] = worst == LIT_OK;
        q->unknown[i] = worst == LIT_UNKNOWN;
    }
}

static bool is_below(const struct question *q, uint32_t a, uint32_t b)
{
    struct sketch_filling x, y;
    filling_of(q, a, &x);
    filling_of(q, b, &y);
    for (uint32_t c = 0; c < q->sketch->choice_count; c++)
        if (x.value[c] != y.value[c] &&
            !(q->sketch->choices[c].below[y.value[c]] >> x.value[c] & 1))
            return false;
    return true;
}

static bool is_minimal(const struct question *q, uint32_t number)
{
    for (uint32_t i = 0; i < q->count; i++)
        if (q->accepted[i] && i != number && is_below(q, i, number))
            return false;
    return q->accepted[number];
}

/* Values below a value and below no other one that is below it. */
static uint64_t next_below(const uint64_t *below, uint32_t value)
{
    uint64_t next = below[value];
    for (uint32_t v = 0; v < LIT_MOST_OPEN_VALUES && below[value] >> v; v++)
        if (below[value] >> v & 1)
            next &= ~below[v];
    return next;
}

/* ---- What place says ---- */

static bool is_in(const struct question *q, const uint64_t *box, uint32_t number)
{
    struct sketch_filling filling;
    filling_of(q, number, &filling);
    for (uint32_t c = 0; c < q->sketch->choice_count; c++)
        if (!(box[c] >> filling.value[c] & 1))
            return false;
    return true;
}

static void spoil(const struct question *q, uint64_t *box)
{
    for (uint32_t c = 0; c < q->sketch->choice_count; c++) {
        uint32_t count = q->sketch->choices[c].value_count;
        uint64_t all = count == 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
        if (q->flaw == WHOLE)
            box[c] = all;
        else if (box[c] != all) {
            box[c] |= ~box[c] & (box[c] + 1) & all;
            return;
        }
    }
}

static void on_box(void *context, const uint8_t *point, const uint64_t *learnt)
{
    struct question *q = context;
    uint64_t box[LIT_MOST_CHOICES];
    memcpy(box, learnt, q->sketch->choice_count * sizeof *box);
    (void)point;
    if (q->flaw)
        spoil(q, box);
    q->totals->boxes++;
    for (uint32_t i = 0; i < q->count; i++) {
        struct sketch_filling filling;
        if (!is_in(q, box, i))
            continue;
        q->totals->held++;
        if (!q->accepted[i])
            continue;
        filling_of(q, i, &filling);
        printf("  a box holds a filling that is ok: ");
        print_filling(q, &filling);
        printf("\n");
        q->wrong++;
        return;
    }
}

static bool is_listed(const struct question *q, const struct placement *placement, uint32_t number)
{
    for (uint32_t i = 0; i < placement->count; i++)
        if (number_of(q, &placement->fillings[i].filling) == number)
            return true;
    return false;
}

static void print_answer(const struct question *q, const struct placement *placement)
{
    for (uint32_t i = 0; i < placement->count; i++) {
        const struct placement_filling *filling = &placement->fillings[i];
        printf("  minimal: ");
        print_filling(q, &filling->filling);
        printf(" [%s%s%s]\n", filling->confirmed_by, filling->unconfirmed ? "; " : "",
               filling->unconfirmed ? filling->unconfirmed : "");
        for (uint32_t k = 0; k < filling->step_count; k++)
            printf(
                "    with %s in place of %s: %s: %s\n",
                q->sketch->choices[filling->steps[k].choice].values[filling->steps[k].value].label,
                q->sketch->choices[filling->steps[k].choice]
                    .values[filling->filling.value[filling->steps[k].choice]]
                    .label,
                placement_reason_word(filling->steps[k].reason.kind),
                filling->steps[k].reason.words);
    }
    for (uint32_t i = 0; i < placement->clash_count; i++)
        printf("  clash: %s: %s: %s\n",
               placement->clashes[i].reason.condition_text
                   ? placement->clashes[i].reason.condition_text
                   : "",
               placement_reason_word(placement->clashes[i].reason.kind),
               placement->clashes[i].reason.words);
}

/* Each value next below one of a filling's has a step, and is refused. */
static void compare_steps(struct question *q, const struct placement_filling *found)
{
    for (uint32_t k = 0; k < found->step_count; k++) {
        struct sketch_filling below = found->filling;
        below.value[found->steps[k].choice] = found->steps[k].value;
        uint32_t number = number_of(q, &below), own = number_of(q, &found->filling);
        if (number == own || !is_below(q, number, own) || q->accepted[number]) {
            tell(q, "a step that is no refused one below", number);
            q->wrong++;
        }
    }
    uint32_t steps = 0;
    for (uint32_t c = 0; c < q->sketch->choice_count; c++)
        steps += (uint32_t)__builtin_popcountll(
            next_below(q->sketch->choices[c].below, found->filling.value[c]));
    q->totals->steps += steps;
    if (steps != found->step_count) {
        printf("  %u steps, and %u are below\n", found->step_count, steps);
        q->wrong++;
    }
}

static void compare(struct question *q, const struct placement *placement)
{
    if (!placement->complete || placement->open_count) {
        printf("  not all is known, and each filling is\n");
        q->wrong++;
    }
    for (uint32_t i = 0; i < placement->count; i++)
        compare_steps(q, &placement->fillings[i]);
    for (uint32_t i = 0; i < q->count; i++) {
        bool minimal = is_minimal(q, i), listed = is_listed(q, placement, i);
        if (minimal && !listed)
            tell(q, "minimal, and not found", i);
        if (listed && !minimal)
            tell(q, "found, and not minimal", i);
        q->wrong += minimal != listed;
    }
    for (uint32_t i = 0; i < placement->count; i++)
        if (placement->fillings[i].disputed_by) {
            printf("  disputed by %s\n", placement->fillings[i].disputed_by);
            q->wrong++;
        }
    if (!placement->count && !placement->open_count && !placement->clash_count &&
        !placement->limit) {
        printf("  no filling, and no conflict told\n");
        q->wrong++;
    }
}

static double size_of(const struct sketch *sketch)
{
    double size = 1;
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        size *= sketch->choices[c].value_count;
    return size;
}

static void verify(struct question *q, const char *name)
{
    struct placement placement;
    struct session_test test; /* whose sources have the same states whatever the filling */
    struct sketch_filling first;
    filling_of(q, 0, &first);
    if (session_filling_read(&test, q->settings, q->sketch, &first, 0))
        if (!session_refine(&test, q->settings, q->models, (struct session_parts){0}))
            q->wrong++;
    const struct lit_program **settled =
        ARENA_ARRAY(&q->arena, const struct lit_program *, q->sketch->given_count);
    settled[0] = test.program;
    const struct place_question question = {.sketch = q->sketch,
                                            .settings = q->settings,
                                            .model = q->model,
                                            .settled = settled,
                                            .on_box = on_box,
                                            .context = q};
    struct totals *totals = q->totals;
    q->count = (uint32_t)size_of(q->sketch);
    try_all(q);
    place_answer(&q->arena, &question, &placement);
    for (uint32_t i = 0; i < q->count; i++)
        if (q->unknown[i]) {
            *(q->wrong ? &totals->differ : &totals->skipped) += 1; /* boxes are held to it anyway */
            session_test_fini(&test);
            return;
        }
    compare(q, &placement);
    totals->fillings += q->count;
    totals->tried += placement.tried;
    totals->agree += q->wrong == 0;
    totals->differ += q->wrong > 0;
    if (q->wrong || q->verbose)
        printf("%s: %s, %u fillings, %u minimal, %llu tried, %llu executions\n", name,
               q->wrong ? "differs" : "agrees", q->count, placement.count,
               (unsigned long long)placement.tried, (unsigned long long)placement.executions);
    if (q->verbose)
        print_answer(q, &placement);
    session_test_fini(&test);
}

/* ---- Times ---- */

static void measure(struct question *q, uint32_t most, const char *name)
{
    struct placement placement, plain = {0};
    struct place_question question = {
        .sketch = q->sketch, .settings = q->settings, .model = q->model, .seconds = 600};
    place_answer(&q->arena, &question, &placement);
    question.one_by_one = true;
    bool few = placement.total <= most;
    const struct timespec start = clock_now_monotonic();
    if (few) {
        q->count = (uint32_t)placement.total;
        try_all(q);
    }
    double seconds = clock_seconds_since(&start);
    if (few)
        place_answer(&q->arena, &question, &plain);
    printf("%s: %.0f fillings, %u minimal%s, %llu tried, %.3f s; confirmed %.3f s", name,
           placement.total, placement.count, placement.complete ? "" : " (not all)",
           (unsigned long long)placement.tried, placement.search_seconds, placement.seconds);
    if (few)
        printf("; without boxes %llu tried, %.2f s; all of them %.2f s",
               (unsigned long long)plain.tried, plain.search_seconds, seconds);
    printf("\n");
    if (q->verbose)
        print_answer(q, &placement);
}

/* ---- Files ---- */

struct options {
    struct session_settings settings;
    struct session_models *models;
    enum flaw flaw;
    bool verbose, times, together, sites, several, swaps;
    const char *kinds; /* what may be added, of a test that is repaired */
    enum sites_aim aim;
    uint32_t most;
    const char *visibility, *persistency;
};

static const struct sketch *sketch_of(const struct options *o, struct arena *arena,
                                      struct intern *names, const struct source *const *files,
                                      const struct lit_surroundings *surroundings, uint32_t count,
                                      struct diag *diag)
{
    const struct sketch_wish holes = {surroundings, NULL};
    const struct sites_wish sites = {.aim = o->aim,
                                     .surroundings = surroundings,
                                     .several = o->several,
                                     .swaps = o->swaps,
                                     .kinds = o->kinds};
    return o->sites ? sites_sketch(arena, names, files, count, &sites, diag)
                    : sketch_read(arena, files, count, &holes, diag);
}

static void answer(const struct options *o, struct totals *totals, char **paths, uint32_t count)
{
    struct question q = {.settings = &o->settings,
                         .models = o->models,
                         .flaw = o->flaw,
                         .verbose = o->verbose,
                         .totals = totals};
    struct diag diag;
    struct cat_asker asker = session_models_user(&o->settings);
    arena_init(&q.arena);
    diag_init(&diag);
    const struct source **files = ARENA_ARRAY(&q.arena, const struct source *, count);
    struct lit_surroundings *surroundings = ARENA_ARRAY(&q.arena, struct lit_surroundings, count);
    const char *why = NULL;
    bool loaded = true;
    for (uint32_t i = 0; i < count; i++) {
        files[i] = source_load(&q.arena, paths[i], &why);
        surroundings[i].reach = &o->settings.reach;
        surroundings[i].folder = reach_folder(&q.arena, paths[i]);
        loaded = loaded && files[i];
    }
    struct intern *names = intern_new();
    if (loaded)
        q.sketch = sketch_of(o, &q.arena, names, files, surroundings, count, &diag);
    q.model = session_models_get(o->models, &asker, o->visibility, o->persistency);
    if (!q.sketch || !q.model->model) {
        struct strbuf text = {0};
        diag_render(&diag, &text);
        printf("%s: cannot be read\n%s", paths[0], strbuf_text(&text));
        strbuf_fini(&text);
        totals->differ++;
    } else if (o->times)
        measure(&q, o->most, paths[0]);
    else if (q.sketch->choice_count && size_of(q.sketch) <= o->most)
        verify(&q, paths[0]);
    else
        totals->passed_over++;
    diag_fini(&diag);
    intern_free(names);
    arena_fini(&q.arena);
}

static enum flaw flaw_named(const char *name)
{
    if (strcmp(name, "wide") == 0)
        return WIDE;
    if (strcmp(name, "whole") == 0)
        return WHOLE;
    fprintf(stderr, "place_verify: no flaw is called %s\n", name);
    exit(64);
}

static bool read_options(struct options *o, int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "vtsnrqwk:l:b:m:p:")) != -1;)
        switch (option) {
        case 'v': o->verbose = true; break;
        case 't': o->times = true; break;
        case 's': o->together = true; break;
        case 'n': o->sites = true, o->aim = SITES_NARROW; break;
        case 'r': o->sites = true, o->aim = SITES_REPAIR; break;
        case 'q': o->several = true; break;
        case 'w': o->swaps = true; break;
        case 'k': o->kinds = optarg; break;
        case 'l': o->most = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'b': o->flaw = flaw_named(optarg); break;
        case 'm': o->visibility = optarg; break;
        case 'p': o->persistency = optarg; break;
        default: return false;
        }
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct options o = {
        .settings = {.engine = "auto", .unroll = 2, .timeout_seconds = TIMEOUT, .decide = true},
        .models = session_models_new(),
        .most = 20000,
        .visibility = "hrf-direct",
        .persistency = "epoch"};
    struct totals t = {0};
    if (!read_options(&o, argc, argv)) {
        fprintf(stderr, "usage: place_verify [-v] [-t] [-s] [-n | -r [-q] [-k KINDS]] [-l MOST] "
                        "[-b FLAW] [-m VISIBILITY] [-p PERSISTENCY] FILE...\n");
        return 64;
    }
    (void)session_solver_load();
    if (o.together)
        answer(&o, &t, argv + optind, (uint32_t)(argc - optind));
    else
        for (int i = optind; i < argc; i++)
            answer(&o, &t, argv + i, 1);
    session_models_free(o.models);
    if (!o.times)
        printf("%llu agree, %llu differ, %llu open, %llu fillings, %llu tried, %llu boxes, %llu "
               "held, %llu steps, %llu passed over\n",
               (unsigned long long)t.agree, (unsigned long long)t.differ,
               (unsigned long long)t.skipped, (unsigned long long)t.fillings,
               (unsigned long long)t.tried, (unsigned long long)t.boxes, (unsigned long long)t.held,
               (unsigned long long)t.steps, (unsigned long long)t.passed_over);
    return t.differ > 0;
}
