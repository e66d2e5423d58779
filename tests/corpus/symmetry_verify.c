/* symmetry_verify: the enumerator with and without the symmetry of programs, side by side.
 *
 *     symmetry_verify [-b FLAW] FILE...
 *
 * Each test is asked under some model pairs, listed and decided, twice: with each work-item looked
 * at by itself, and with interchangeable ones looked at once. States, undefined behaviour, flags
 * and verdicts must be the same, and every execution that is shown is rechecked. A FLAW is put into
 * the symmetry, to see that this is found, once: it is that of the program with the same first
 * values everywhere (`first`), with all in one work-group (`place`), with each location in a line
 * of its own (`line`), or forgets the constants that units have of their own (`constant`).
 *
 * The last line has the comparisons that agree, differ, and were not made because a limit was met,
 * the tests that have a symmetry, and executions looked at without and with it. Leaves with 1 when
 * two differ. */
#include "read_test.h"

#include "cat/cat_model.h"
#include "engine/agree.h"
#include "engine/recheck.h"
#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT = 20 };

static const char *const pairs[][2] = {
    {"hrf-direct", "epoch"}, {"hrf-indirect", "buffered-epoch-individual"}, {"sc", "lin-lines"}};

struct tally {
    uint64_t agree, differ, open, symmetric, all, few;
};

/* ---- Flaws ---- */

static const char *const flaws[] = {"first", "place", "line", "constant"};

static bool has_flaw(const char *flaw, const char *name)
{
    return flaw && strcmp(flaw, name) == 0;
}

static struct lit_program blurred(struct arena *arena, const struct lit_program *program,
                                  const char *flaw)
{
    struct lit_program copy = *program;
    struct lit_location *locations =
        arena_copy(arena, program->locations, program->location_count * sizeof *locations);
    struct lit_thread *threads =
        arena_copy(arena, program->threads, program->thread_count * sizeof *threads);
    for (uint32_t l = 0; l < copy.location_count; l++) {
        locations[l].init = has_flaw(flaw, "first") ? 0 : locations[l].init;
        locations[l].line = has_flaw(flaw, "line") ? l : locations[l].line;
    }
    for (uint32_t t = 0; t < copy.thread_count; t++)
        threads[t].wg = has_flaw(flaw, "place") ? 0 : threads[t].wg;
    copy.locations = locations;
    copy.threads = threads;
    return copy;
}

static struct exec_symmetry symmetry_of(struct arena *arena, const struct lit_program *program,
                                        const char *flaw)
{
    const struct lit_program copy = blurred(arena, program, flaw);
    struct exec_symmetry symmetry = exec_symmetry_new(arena, &copy);
    struct exec_class *classes =
        arena_copy(arena, symmetry.classes, symmetry.count * sizeof *classes);
    for (uint32_t c = 0; c < symmetry.count && has_flaw(flaw, "constant"); c++)
        classes[c].constant_count = 0;
    symmetry.classes = classes;
    return symmetry;
}

/* ---- Comparison ---- */

struct watch {
    struct recheck *recheck;
    const char *fault;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct watch *watch = context;
    const char *fault = recheck_witness(watch->recheck, witness);
    if (fault && !watch->fault)
        watch->fault = fault;
}

static const char *run(struct engine_request *request, const struct exec_symmetry *symmetry,
                       struct outcome *outcome)
{
    struct watch watch = {recheck_new(request), NULL};
    request->limits.clock = clock_limit_in(TIMEOUT);
    request->symmetry = symmetry;
    request->on_witness = request->program->recovery_count ? NULL : on_witness;
    request->context = &watch;
    outcome_init(outcome, request->program);
    enum_run(request, outcome);
    recheck_free(watch.recheck);
    return watch.fault;
}

static bool same_verdicts(const struct lit_program *program, const struct outcome *a,
                          const struct outcome *b)
{
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (outcome_judge(a, program, &program->conditions[i]).verdict !=
            outcome_judge(b, program, &program->conditions[i]).verdict)
            return false;
    return outcome_verdict(a, program) == outcome_verdict(b, program);
}

static bool same_flags(const struct outcome *a, const struct outcome *b)
{
    bool same = a->flags.count == b->flags.count;
    for (size_t i = 0; same && i < a->flags.count; i++)
        same = outcome_has_flag(b, a->flags.items[i]);
    return same;
}

/* Undefined behaviour and all states. */
static bool same_lists(const struct lit_program *program, const struct outcome *a,
                       const struct outcome *b)
{
    return agree_compare(a, b, program, false).count == 0;
}

static bool is_open(const struct outcome *a)
{
    return outcome_any_doubt(a) != NULL;
}

static void compare(struct engine_request *request, const struct exec_symmetry *symmetry,
                    const char *where, struct tally *tally)
{
    static const struct exec_symmetry none = {.count = 0};
    const struct lit_program *program = request->program;
    struct outcome full, less;
    const char *fault = run(request, &none, &full);
    BASE_CHECK(!fault);
    fault = run(request, symmetry, &less);
    bool agree = !fault && same_verdicts(program, &full, &less) && same_flags(&full, &less) &&
                 (request->decide || same_lists(program, &full, &less));
    if (fault || (!is_open(&full) && !is_open(&less))) {
        tally->agree += agree;
        tally->differ += !agree;
        tally->all += full.stats.consistent;
        tally->few += less.stats.consistent;
        if (!agree)
            printf("%s, %s: %s\n", where, request->decide ? "decided" : "listed",
                   fault ? fault : "another answer");
    } else {
        tally->open++;
    }
    outcome_fini(&full);
    outcome_fini(&less);
}

static void compare_under(struct read_test *test, const char *const *pair,
                          const struct exec_symmetry *symmetry, const char *path,
                          struct tally *tally)
{
    const struct cat_model *model =
        cat_model_load(&test->arena, exec_basis(), NULL, pair[0], pair[1], &test->diag);
    if (!model) {
        tally->differ++;
        return;
    }
    struct engine_request request = {.program = test->program,
                                     .model = model,
                                     .plan = cat_plan_new(&test->arena, model),
                                     .crash_mode = engine_default_crash_mode(test->program),
                                     .limits = {.unroll = 2}};
    for (int decide = 0; decide < 2; decide++) {
        request.decide = decide;
        compare(&request, symmetry,
                arena_printf(&test->arena, "%s under %s + %s", path, pair[0], pair[1]), tally);
    }
}

static void compare_file(const char *path, const char *flaw, struct tally *tally)
{
    struct read_test test;
    read_test_init(&test, path);
    if (!test.program) {
        printf("%s cannot be read\n", path);
        tally->differ++;
    } else {
        struct exec_symmetry symmetry = symmetry_of(&test.arena, test.program, flaw);
        tally->symmetric += symmetry.count > 0;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs && symmetry.count; i++)
            compare_under(&test, pairs[i], &symmetry, path, tally);
    }
    read_test_fini(&test);
}

static bool is_known(const char *flaw)
{
    for (size_t i = 0; i < sizeof flaws / sizeof *flaws; i++)
        if (has_flaw(flaw, flaws[i]))
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const char *flaw = NULL;
    struct tally tally = {0};
    for (int option; (option = getopt(argc, argv, "b:")) != -1;)
        flaw = optarg;
    if (flaw && !is_known(flaw))
        return 2;
    for (int i = optind; i < argc && !(flaw && tally.differ); i++)
        compare_file(argv[i], flaw, &tally);
    printf("%llu agree, %llu differ, %llu open, %llu symmetric, %llu executions, %llu of them\n",
           (unsigned long long)tally.agree, (unsigned long long)tally.differ,
           (unsigned long long)tally.open, (unsigned long long)tally.symmetric,
           (unsigned long long)tally.all, (unsigned long long)tally.few);
    return tally.differ > 0;
}
