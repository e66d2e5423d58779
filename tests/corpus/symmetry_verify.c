/* symmetry_verify: the enumerator with and without what spares it executions, side by side, or
 * machines with and without what spares them states.
 *
 *     symmetry_verify [-b FLAW] [-m VISIBILITY -p PERSISTENCY | -M MACHINE] FILE...
 *
 * Each test is listed under the model pair, or else some built-in ones, with each work-item looked
 * at by itself, once with the crash where the test has it and once at the end. To that are held: a
 * listing that looks at interchangeable work-items once; and what is decided, as anybody has it,
 * and with bounds asked always, without and with the symmetry, and by the symbolic engine; and some
 * crash states, and what lies between two of them, are asked for one by one. States (of a listing),
 * undefined behaviour, flags and verdicts must be the same, and every execution that is shown is
 * rechecked. A FLAW is put into the symmetry, to see that this is found, once: it is that of the
 * program with the same first values everywhere (`first`), with all in one work-group (`place`),
 * with each location in a line of its own (`line`), or forgets the constants that units have of
 * their own (`constant`); of a machine, it does not rename what no field is (`names`), or forgets
 * the last field (`field`), or those of compute units (`units`), or who does something in the order
 * of numbers (`order`).
 *
 * The last line has the comparisons that agree, differ, and were not made because a limit was met;
 * the tests that have a symmetry; executions listed without and with it; candidates of what is
 * decided as anybody has it, and with bounds asked always; states asked for that are listed, and
 * that are not. With -M executions are states that are kept, and candidates those of what is
 * decided, without and with the symmetry. Leaves with 1 when two differ. */
#include "read_test.h"

#include "cat/cat_model.h"
#include "engine/agree.h"
#include "engine/recheck.h"
#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"
#include "explore/mach_engine.h"
#include "machine/mach_symmetry.h"
#include "smt/smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of each run, in steps (clock_allowance), so that the same runs are compared everywhere. */
enum { MOST_STEPS = 1 << 27, SOLVER_SECONDS = 20 };

static const char *const pairs[][2] = {
    {"hrf-direct", "epoch"}, {"hrf-indirect", "buffered-epoch-individual"}, {"sc", "lin-lines"}};

struct tally {
    uint64_t agree, differ, open, symmetric, all, few, usual, bounded, present, absent;
};

/* ---- Flaws ---- */

static const char *const flaws[] = {"first", "place", "line",  "constant",
                                    "names", "field", "units", "order"};

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

/* One way to an answer. */
struct way {
    const char *name;
    bool symmetric, decide, least;
    bool solver; /* the symbolic engine, which orders work-items for one condition alone */
};

static const struct way ways[] = {
    {"listed with the symmetry", true, false, false, false},
    {"listed with the symmetry, least thresholds", true, false, true, false},
    {"decided", false, true, false, false},
    {"decided, least thresholds", false, true, true, false},
    {"decided with the symmetry, least thresholds", true, true, true, false},
    {"decided by the solver", true, true, false, true}};

static bool ran_out; /* of steps, in the last run */

static const char *run(struct engine_request *request, const struct way *way,
                       const struct exec_symmetry *symmetry, struct outcome *outcome)
{
    static const struct exec_symmetry none = {.count = 0};
    struct watch watch = {recheck_new(request), NULL};
    struct clock_allowance allowance = {.left = MOST_STEPS};
    request->limits.clock = way->solver ? clock_limit_in(SOLVER_SECONDS)
                                        : (struct clock_limit){.allowance = &allowance};
    request->symmetry = way->symmetric ? symmetry : &none;
    request->decide = way->decide;
    request->thresholds = way->least ? &engine_least_thresholds : NULL;
    request->on_witness = request->program->recovery_count ? NULL : on_witness;
    request->context = &watch;
    outcome_init(outcome, request->program);
    (way->solver ? smt_run : enum_run)(request, outcome);
    ran_out = allowance.left == 0;
    recheck_free(watch.recheck);
    return watch.fault;
}

/* What was not listed may be decided, or turn out to be undefined; without steps left it may be unknown. */
static bool same_verdict(enum lit_verdict listed, const struct outcome *all,
                         enum lit_verdict decided)
{
    return listed == decided || all->doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE] ||
           (listed == LIT_UNKNOWN && all->doubts[OUTCOME_DOUBT_THIN_AIR]) ||
           (decided == LIT_UNKNOWN && ran_out);
}

static bool same_verdicts(const struct lit_program *program, const struct outcome *a,
                          const struct outcome *b)
{
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (!same_verdict(outcome_judge(a, program, &program->conditions[i]).verdict, a,
                          outcome_judge(b, program, &program->conditions[i]).verdict))
            return false;
    return same_verdict(outcome_verdict(a, program), a, outcome_verdict(b, program));
}

/* Where undefined behaviour decides all, recovery is not run, so what it alone raises is not known. */
static bool has_flags(const struct lit_program *program, const struct outcome *a,
                      const struct outcome *b)
{
    return (a->undefined.count && program->recovery_count) ||
           ALL(i, b->flags.count, outcome_has_flag(a, b->flags.items[i]));
}

static bool same_flags(const struct lit_program *program, const struct outcome *a,
                       const struct outcome *b)
{
    return a->doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE] ||
           ((a->doubts[OUTCOME_DOUBT_FLAGS] || has_flags(program, a, b)) &&
            (b->doubts[OUTCOME_DOUBT_FLAGS] || has_flags(program, b, a)));
}

/* Undefined behaviour and all states. */
static bool same_lists(const struct lit_program *program, const struct outcome *a,
                       const struct outcome *b)
{
    return agree_compare(a, b, program, false).count == 0;
}

/* Was something left out for want of room or time? What lies behind the bound of a loop is left out
 * in each way, and so are values that justify themselves where they matter. */
static bool is_open(const struct outcome *a)
{
    static const enum outcome_doubt others[] = {
        OUTCOME_DOUBT_UNROLL, OUTCOME_DOUBT_LENGTH, OUTCOME_DOUBT_THIN_AIR,
        OUTCOME_DOUBT_THIN_AIR_FAILURE, OUTCOME_DOUBT_FLAGS};
    struct outcome own = *a;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        own.doubts[others[i]] = own.recovery_doubts[others[i]] = false;
    return outcome_any_doubt(&own) != NULL;
}

static void count(const struct way *way, const struct outcome *all, const struct outcome *outcome,
                  struct tally *tally)
{
    if (way->solver)
        return;
    if (!way->decide) {
        tally->all += all->stats.consistent;
        tally->few += outcome->stats.consistent;
    } else if (!way->symmetric) {
        *(way->least ? &tally->bounded : &tally->usual) += outcome->stats.candidates;
    }
}

static void compare(struct engine_request *request, const struct outcome *all,
                    const struct way *way, const struct exec_symmetry *symmetry, const char *where,
                    struct tally *tally)
{
    const struct lit_program *program = request->program;
    struct outcome outcome;
    const char *fault = run(request, way, symmetry, &outcome);
    bool agree = !fault && same_verdicts(program, all, &outcome) &&
                 same_flags(program, all, &outcome) &&
                 (way->decide || same_lists(program, all, &outcome));
    if (fault || !is_open(&outcome)) {
        tally->agree += agree;
        tally->differ += !agree;
        count(way, all, &outcome, tally);
        if (!agree)
            printf("%s, %s: %s\n", where, way->name, fault ? fault : "another answer");
    } else {
        tally->open++;
    }
    outcome_fini(&outcome);
}

static void compare_all(struct engine_request *request, const struct exec_symmetry *symmetry,
                        const char *where, struct tally *tally)
{
    static const struct way listed = {"listed", false, false, false, false};
    struct outcome all;
    const char *fault = run(request, &listed, symmetry, &all);
    BASE_CHECK(!fault);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (!symmetry->count && ways[i].symmetric)
            continue;
        if (is_open(&all))
            tally->open++;
        else
            compare(request, &all, &ways[i], symmetry, where, tally);
    }
    outcome_fini(&all);
}

/* ---- Crash states one by one ---- */

/* Locations that are told apart, and how many states are asked for. */
enum { MOST_LOCATIONS = 8, MOST_ASKED = 16 };

static struct lit_program asking(const struct lit_program *program,
                                 const struct lit_condition *conditions, uint32_t count)
{
    struct lit_program copy = *program;
    copy.conditions = conditions;
    copy.condition_count = count;
    return copy;
}

/* About the first few locations that survive. */
static struct lit_condition of_survivors(struct arena *arena, const struct lit_program *program)
{
    struct lit_condition condition = {.when = LIT_CRASHED, .quantifier = LIT_EXISTS, .text = "all"};
    struct lit_atom atoms[MOST_LOCATIONS];
    const int64_t zeros[MOST_LOCATIONS] = {0};
    uint32_t count = 0;
    for (uint32_t l = 0; l < program->location_count && count < MOST_LOCATIONS; l++)
        if (program->locations[l].nvm)
            atoms[count++] = (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = l};
    condition.prop = lit_prop_row(arena, atoms, zeros, count);
    return condition;
}

/* Every other column of one state, the rest of another, and now and then one value that is larger:
 * some are no state, and near to one. */
static const int64_t *mixture(struct arena *arena, const struct outcome_states *states, uint32_t i)
{
    size_t first = i / 2 % states->count, second = (states->count - 1 - i * 7 % states->count);
    int64_t *row = ARENA_ARRAY(arena, int64_t, states->width);
    for (uint32_t c = 0; c < states->width; c++)
        row[c] = outcome_row(states, i % 2 && c % 2 ? second : first)[c];
    if (i % 4 == 3)
        row[i / 4 % states->width]++;
    return row;
}

/* A row is a state when it is listed, and is decided to be one then and no other time. */
static void ask_states(struct engine_request *request, struct arena *arena,
                       const struct outcome_states *states, const char *where, struct tally *tally)
{
    static const struct way way = {"a crash state", false, true, true, false};
    const struct lit_program *program = request->program;
    struct lit_condition conditions[MOST_ASKED];
    bool listed[MOST_ASKED];
    for (uint32_t i = 0; i < MOST_ASKED; i++) {
        const int64_t *row = mixture(arena, states, i);
        conditions[i] =
            (struct lit_condition){.when = LIT_CRASHED,
                                   .prop = lit_prop_row(arena, states->items, row, states->width),
                                   .quantifier = i % 3 ? LIT_EXISTS : LIT_NOT_EXISTS,
                                   .text = "a row"};
        listed[i] = outcome_has_state(states, row);
    }
    const struct lit_program asked = asking(program, conditions, MOST_ASKED);
    struct outcome outcome;
    request->program = &asked;
    const char *fault = run(request, &way, NULL, &outcome);
    bool open = !fault && outcome_any_doubt(&outcome), agree = !fault;
    for (uint32_t i = 0; agree && !open && i < MOST_ASKED; i++)
        agree = (outcome_judge(&outcome, &asked, &conditions[i]).verdict == LIT_OK) ==
                (listed[i] == (conditions[i].quantifier == LIT_EXISTS));
    for (uint32_t i = 0; !open && i < MOST_ASKED; i++)
        *(listed[i] ? &tally->present : &tally->absent) += 1;
    tally->open += open;
    tally->agree += agree && !open;
    tally->differ += !agree;
    if (!agree)
        printf("%s, %s: %s\n", where, way.name, fault ? fault : "another answer");
    request->program = program;
    outcome_fini(&outcome);
}

static void compare_states(struct engine_request *request, struct arena *arena, const char *where,
                           struct tally *tally)
{
    static const struct way way = {"listed", false, false, false, false};
    const struct lit_program *program = request->program;
    const struct lit_condition all = of_survivors(arena, program);
    const struct lit_program listed = asking(program, &all, 1);
    struct outcome outcome;
    if (!all.prop || program->recovery_count)
        return;
    request->program = &listed;
    const char *fault = run(request, &way, NULL, &outcome);
    BASE_CHECK(!fault);
    if (outcome_any_doubt(&outcome))
        tally->open++;
    else if (!outcome.undefined.count && outcome.crash.count)
        ask_states(request, arena, &outcome.crash, where, tally);
    request->program = program;
    outcome_fini(&outcome);
}

static void compare_under(struct read_test *test, const char *const *pair,
                          const struct exec_symmetry *symmetry, const char *path,
                          struct tally *tally)
{
    const struct cat_model *model =
        cat_model_load(&test->arena, exec_basis(), NULL, pair[0], pair[1], &test->diag);
    if (!model) {
        printf("%s + %s cannot be read\n", pair[0], pair[1]);
        tally->differ++;
        return;
    }
    enum exec_crash_mode mode = engine_default_crash_mode(test->program);
    struct engine_request request = {.program = test->program,
                                     .model = model,
                                     .plan = cat_plan_new(&test->arena, model),
                                     .crash_mode = mode,
                                     .limits = {.unroll = 2}};
    const char *where = arena_printf(&test->arena, "%s under %s + %s", path, pair[0], pair[1]);
    compare_all(&request, symmetry, where, tally);
    compare_states(&request, &test->arena, where, tally);
    if (mode != EXEC_CRASH_END) {
        request.crash_mode = EXEC_CRASH_END;
        compare_all(&request, symmetry, arena_printf(&test->arena, "%s, at the end", where), tally);
    }
}

/* ---- Machines ---- */

enum { MOST_KEPT = 2000 };

static const struct machine *sound; /* that a flaw is put into */

static bool forget_field(const struct mach_test *test, struct arena *arena,
                         struct mach_layout *layout)
{
    bool described = sound->describe(test, arena, layout);
    layout->count--;
    return described;
}

/* L1s go without what stands in their FIFOs. */
static bool forget_units(const struct mach_test *test, struct arena *arena,
                         struct mach_layout *layout)
{
    bool described = sound->describe(test, arena, layout);
    uint32_t kept = 0;
    for (uint32_t f = 0; f < layout->count; f++)
        if (layout->fields[f].of != MACH_OF_UNIT)
            layout->fields[kept++] = layout->fields[f];
    layout->count = kept;
    return described;
}

static bool forget_order(const struct mach_test *test, struct arena *arena,
                         struct mach_layout *layout)
{
    bool described = sound->describe(test, arena, layout);
    layout->ordered = NULL;
    return described;
}

static struct machine with_flaw(const struct machine *machine, const char *flaw)
{
    struct machine flawed = *machine;
    sound = machine;
    if (has_flaw(flaw, "names"))
        flawed.rename = NULL;
    if (has_flaw(flaw, "field"))
        flawed.describe = forget_field;
    if (has_flaw(flaw, "units"))
        flawed.describe = forget_units;
    if (has_flaw(flaw, "order"))
        flawed.describe = forget_order;
    return flawed;
}

static struct outcome explore(struct engine_request *request, const struct exec_symmetry *symmetry,
                              bool decide)
{
    struct outcome outcome;
    request->symmetry = symmetry;
    request->decide = decide;
    outcome_init(&outcome, request->program);
    mach_run(request, &outcome);
    return outcome;
}

/* Deciding finds a deciding state of each condition that has one, and only states that are shown.
 */
static bool decided_alike(const struct lit_program *program, const struct outcome *listed,
                          const struct outcome *decided)
{
    bool alike = true;
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        struct outcome_judgement all = outcome_judge(listed, program, condition);
        struct outcome_judgement some = outcome_judge(decided, program, condition);
        bool forall = condition->quantifier == LIT_FORALL;
        alike &= forall ? !all.negative == !some.negative : !all.positive == !some.positive;
    }
    return alike;
}

static void compare_modes(struct engine_request *request, const struct exec_symmetry *symmetry,
                          const char *where, struct tally *tally)
{
    static const struct exec_symmetry none = {.count = 0};
    for (int mode = EXEC_CRASH_ANYWHERE; mode <= EXEC_CRASH_END; mode++) {
        request->crash_mode = (enum exec_crash_mode)mode;
        struct outcome all = explore(request, &none, false);
        struct outcome few = explore(request, symmetry, false);
        struct outcome usual = explore(request, &none, true);
        struct outcome decided = explore(request, symmetry, true);
        bool open = outcome_doubt(&all) || outcome_doubt(&few) || outcome_doubt(&decided);
        bool agree = open || (same_lists(request->program, &all, &few) &&
                              same_flags(request->program, &all, &few) &&
                              decided_alike(request->program, &all, &decided));
        tally->open += open;
        tally->agree += agree && !open;
        tally->differ += !agree;
        tally->all += open ? 0 : all.stats.states;
        tally->few += open ? 0 : few.stats.states;
        tally->usual += open ? 0 : usual.stats.states;
        tally->bounded += open ? 0 : decided.stats.states;
        if (!agree)
            printf("%s, crash mode %d: another answer\n", where, mode);
        outcome_fini(&all);
        outcome_fini(&few);
        outcome_fini(&usual);
        outcome_fini(&decided);
    }
}

static void compare_on(struct read_test *test, const char *name,
                       const struct exec_symmetry *symmetry, const char *flaw, const char *path,
                       struct tally *tally)
{
    const struct mach_file *file = mach_config_load(&test->arena, name, &test->diag);
    const struct cat_model *model =
        cat_model_load(&test->arena, exec_basis(), NULL, "sc", "none", &test->diag);
    BASE_CHECK(file && model);
    struct machine flawed = with_flaw(file->machine, flaw);
    struct mach_file used = *file;
    used.machine = &flawed;
    const struct mach_choice choice = {.file = &used, .max_states = MOST_KEPT};
    struct engine_request request = {.program = test->program, .model = model, .own = &choice};
    compare_modes(&request, symmetry, arena_printf(&test->arena, "%s on %s", path, name), tally);
}

static void compare_on_all(struct read_test *test, const struct exec_symmetry *symmetry,
                           const char *flaw, const char *path, struct tally *tally)
{
    for (size_t i = 0; i < mach_builtin_count; i++)
        compare_on(test, source_builtin_name(&test->arena, &mach_builtins[i]), symmetry, flaw, path,
                   tally);
}

/* ---- Files ---- */

struct choice {
    const char *flaw, *pair[2], *machine;
};

static void compare_test(struct read_test *test, const struct exec_symmetry *symmetry,
                         const char *path, const struct choice *choice, struct tally *tally)
{
    if (choice->machine && strcmp(choice->machine, "all") == 0)
        compare_on_all(test, symmetry, choice->flaw, path, tally);
    else if (choice->machine)
        compare_on(test, choice->machine, symmetry, choice->flaw, path, tally);
    else if (choice->pair[0])
        compare_under(test, choice->pair, symmetry, path, tally);
    else
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            compare_under(test, pairs[i], symmetry, path, tally);
}

static void compare_file(const char *path, const struct choice *choice, struct tally *tally)
{
    struct read_test test;
    read_test_init(&test, path);
    if (!test.program) {
        printf("%s cannot be read\n", path);
        tally->differ++;
    } else {
        struct exec_symmetry symmetry = symmetry_of(&test.arena, test.program, choice->flaw);
        tally->symmetric += symmetry.count > 0;
        if (symmetry.count || !choice->machine)
            compare_test(&test, &symmetry, path, choice, tally);
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

static bool read_choice(int argc, char **argv, struct choice *choice)
{
    for (int option; (option = getopt(argc, argv, "b:m:p:M:")) != -1;)
        switch (option) {
        case 'b': choice->flaw = optarg; break;
        case 'm': choice->pair[0] = optarg; break;
        case 'p': choice->pair[1] = optarg; break;
        case 'M': choice->machine = optarg; break;
        default: return false;
        }
    return (!choice->flaw || is_known(choice->flaw)) && !choice->pair[0] == !choice->pair[1];
}

int main(int argc, char **argv)
{
    struct choice choice = {0};
    struct tally tally = {0};
    if (!read_choice(argc, argv, &choice))
        return 2;
    for (int i = optind; i < argc && !(choice.flaw && tally.differ); i++)
        compare_file(argv[i], &choice, &tally);
    printf("%llu agree, %llu differ, %llu open, %llu symmetric, %llu executions, %llu of them, "
           "%llu candidates, %llu of them, %llu states asked for, %llu that are none\n",
           (unsigned long long)tally.agree, (unsigned long long)tally.differ,
           (unsigned long long)tally.open, (unsigned long long)tally.symmetric,
           (unsigned long long)tally.all, (unsigned long long)tally.few,
           (unsigned long long)tally.usual, (unsigned long long)tally.bounded,
           (unsigned long long)tally.present, (unsigned long long)tally.absent);
    return tally.differ > 0;
}
