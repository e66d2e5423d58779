/* reduce_verify: machines with and without their reduction, side by side.
 *
 *     reduce_verify [-b FLAW] [-m MACHINE] [-n STATES] FILE...
 *
 * Each test is explored on MACHINE, or on every built-in one and some more, in each crash mode,
 * with every state kept as it is, by all steps and, where steps are known to be independent, by
 * fewer, and with normal forms. States, undefined behaviour and verdicts must be the same
 * (engine/agree.h), and fewer steps must lead to as many states. Where conditions are only decided,
 * they must be decided alike. More than STATES are not explored. A FLAW is put into the reduction,
 * to see that this is found, once: `hasty` has a write become durable as soon as it can, `eager`
 * lets the first running work-item go first, `forgetful` clears all registers, `careless` takes all
 * steps to be independent, and `aloof` leaves out the barriers of work-items that concern nobody
 * else, whoever's writes they order, where conditions are only decided.
 *
 * The last line has the comparisons that agree, differ, and were not made because a limit was met,
 * and the states kept without and with the reduction. Leaves with 1 when two differ. */
#include "read_test.h"

#include "cat/cat_model.h"
#include "engine/agree.h"
#include "exec/exec_basis.h"
#include "explore/mach_engine.h"
#include "machine/mach_instr.h"
#include "machine/mach_reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT = 60 };

/* ---- Flaws ---- */

static const struct machine *sound;   /* the machine that a flaw is put into */
static const struct cat_model *model; /* gives no tag a meaning */
static uint32_t most_states;

static bool image_changes(const struct mach_test *test, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (test->program->locations[l].nvm &&
            sound->memory(test, a, l) != sound->memory(test, b, l))
            return true;
    return false;
}

/* Takes the first step that changes the image. */
static void hasty(struct mach_test *test, uint8_t *state)
{
    struct mach_step steps[MACH_MAX_STEPS];
    uint8_t next[MACH_MAX_STATE];
    sound->reduce(test, state);
    uint32_t count = sound->enabled(test, state, steps);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(next, state, test->size);
        if (sound->perform(test, next, steps[i]) && image_changes(test, state, next)) {
            memcpy(state, next, test->size);
            return;
        }
    }
}

/* Takes the first step, of whatever kind, that leads elsewhere; a few times at most. */
static void eager(struct mach_test *test, uint8_t *state)
{
    struct mach_step steps[MACH_MAX_STEPS];
    uint8_t next[MACH_MAX_STATE];
    sound->reduce(test, state);
    if (sound->enabled(test, state, steps) == 0)
        return;
    memcpy(next, state, test->size);
    if (sound->perform(test, next, steps[0]) && !image_changes(test, state, next))
        memcpy(state, next, test->size);
}

static void forgetful(struct mach_test *test, uint8_t *state)
{
    sound->reduce(test, state);
    for (uint32_t t = 0; t < test->program->thread_count; t++)
        memset(mach_registers(test, state, t), 0, test->program->threads[t].register_count);
}

static bool is_alone(struct mach_test *test, uint8_t *state, uint32_t thread)
{
    const struct lit_instr *instr = mach_instr(test, state, thread);
    return mach_watches_some(test) && mach_status(test, state, thread) == MACH_RUNNING &&
           instr->op == LIT_PBARRIER && instr->exec_scope == LIT_SCOPE_WI &&
           mach_is_private(test, state, thread);
}

static void aloof(struct mach_test *test, uint8_t *state)
{
    bool again = true;
    while (again) {
        again = false;
        sound->reduce(test, state);
        for (uint32_t t = 0; t < test->program->thread_count; t++)
            while (is_alone(test, state, t)) {
                mach_go_on(test, state, t);
                again = true;
            }
    }
}

static void careless(struct mach_test *test, const uint8_t *state, const struct mach_step *steps,
                     uint32_t count, struct mach_footprint *footprints)
{
    sound->footprints(test, state, steps, count, footprints);
    for (uint32_t i = 0; i < count; i++)
        footprints[i].looks = footprints[i].changes = 0;
}

static const struct {
    const char *name;
    void (*reduce)(struct mach_test *test, uint8_t *state);
} flaws[] = {{"hasty", hasty},
             {"eager", eager},
             {"forgetful", forgetful},
             {"careless", NULL},
             {"aloof", aloof}};

/* ---- Comparison ---- */

struct tally {
    uint64_t agree, differ, open, states, kept;
};

static struct outcome run(struct engine_request *request, const struct mach_file *file,
                          bool no_reduction, bool every_step)
{
    struct outcome outcome;
    const struct mach_choice choice = {.file = file,
                                       .no_reduction = no_reduction,
                                       .every_step = every_step,
                                       .max_states = most_states};
    request->own = &choice;
    outcome_init(&outcome, request->program);
    mach_run(request, &outcome);
    return outcome;
}

static void show(const char *where, const struct outcome *full, const struct agreement *found)
{
    for (uint32_t i = 0; i < found->count; i++) {
        const struct agree_difference *d = &found->differences[i];
        printf("%s: %zu %s(s), of %s", where, d->count, agree_aspect_text(d->aspect),
               d->owner ? "the reduction alone" : "the full exploration alone");
        const struct outcome_states *states =
            d->aspect == AGREE_FINAL ? &full->final : &full->crash;
        for (uint32_t c = 0; d->aspect <= AGREE_CRASH && c < states->width; c++)
            printf(" %lld", (long long)d->row[c]);
        printf("\n");
    }
}

/* Holds what `less` shows against `full`; `as_many`: of the same states. */
static void hold(const struct outcome *full, const struct outcome *less, bool as_many,
                 const struct lit_program *program, const char *where, struct tally *tally)
{
    if (outcome_doubt(full) || outcome_doubt(less)) {
        tally->open++;
        return;
    }
    struct agreement found = agree_compare(full, less, program, false);
    show(where, full, &found);
    bool differ = found.count > 0 || (as_many && full->stats.states != less->stats.states);
    if (differ && found.count == 0)
        printf("%s: %llu states by all steps, %llu by fewer\n", where,
               (unsigned long long)full->stats.states, (unsigned long long)less->stats.states);
    tally->agree += !differ;
    tally->differ += differ;
    tally->states += as_many ? 0 : full->stats.states;
    tally->kept += as_many ? 0 : less->stats.states;
}

/* Deciding finds a deciding state of each condition that has one, and only states that are shown.
 */
static void hold_verdicts(const struct outcome *full, const struct outcome *decided,
                          const struct lit_program *program, const char *where, struct tally *tally)
{
    bool differ = false;
    if (outcome_doubt(full) || outcome_doubt(decided)) {
        tally->open++;
        return;
    }
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        struct outcome_judgement all = outcome_judge(full, program, condition);
        struct outcome_judgement some = outcome_judge(decided, program, condition);
        bool forall = condition->quantifier == LIT_FORALL;
        if ((forall ? all.negative : all.positive) ? !(forall ? some.negative : some.positive)
                                                   : (forall ? some.negative : some.positive) > 0) {
            printf("%s: condition %u is not decided alike\n", where, i + 1);
            differ = true;
        }
    }
    tally->agree += !differ;
    tally->differ += differ;
}

static void compare(struct engine_request *request, const struct mach_file *file,
                    const struct mach_file *reduced, const char *where, struct tally *tally)
{
    struct outcome full = run(request, file, true, true);
    struct outcome less = run(request, reduced, false, true);
    hold(&full, &less, false, request->program, where, tally);
    request->decide = true;
    struct outcome decided = run(request, reduced, false, false);
    request->decide = false;
    hold_verdicts(&full, &decided, request->program, where, tally);
    outcome_fini(&decided);
    if (file->machine->footprints) {
        struct outcome fewer = run(request, reduced, true, false);
        hold(&full, &fewer, true, request->program, where, tally);
        outcome_fini(&fewer);
    }
    outcome_fini(&full);
    outcome_fini(&less);
}

static void compare_modes(const struct lit_program *program, const struct mach_file *file,
                          size_t flaw, const char *where, struct tally *tally)
{
    static const char *const modes[] = {"anywhere", "points", "end"};
    struct mach_file reduced = *file;
    struct machine flawed = *file->machine;
    char text[512];
    sound = file->machine;
    if (flaw < sizeof flaws / sizeof flaws[0]) {
        if (flaws[flaw].reduce)
            flawed.reduce = flaws[flaw].reduce;
        else
            flawed.footprints = careless;
        reduced.machine = &flawed;
    }
    for (int mode = EXEC_CRASH_ANYWHERE; sound->reduce && mode <= EXEC_CRASH_END; mode++) {
        struct engine_request request = {.program = program,
                                         .model = model,
                                         .crash_mode = (enum exec_crash_mode)mode,
                                         .limits = {.clock = clock_limit_in(TIMEOUT)}};
        snprintf(text, sizeof text, "%s, crash %s", where, modes[mode]);
        compare(&request, file, &reduced, text, tally);
    }
}

/* Sizes that no built-in machine has: caches without bounds beside lines of two words, or beside
 * FIFOs that fill. */
static const char *const more[] = {"machine = nvw-fifo\nline_words = 2\n",
                                   "machine = nvw-fifo\nl1_fifo = 2\nl2_fifo = 2\n",
                                   "machine = nvw-fifo\nl1_sfifo = 1\n"};

static void compare_more(struct arena *arena, const struct lit_program *program, size_t flaw,
                         const char *path, struct tally *tally)
{
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        struct diag diag;
        diag_init(&diag);
        const struct mach_file *file = mach_config_parse(
            arena, source_from_text(arena, "more", more[i], strlen(more[i])), &diag);
        if (file)
            compare_modes(program, file, flaw, arena_printf(arena, "%s on %s", path, more[i]),
                          tally);
        else
            tally->differ++;
        diag_fini(&diag);
    }
}

static void compare_machine(struct arena *arena, const struct lit_program *program,
                            const char *machine, size_t flaw, const char *path, struct tally *tally)
{
    struct diag diag;
    diag_init(&diag);
    const struct mach_file *file = mach_config_load(arena, machine, &diag);
    if (file)
        compare_modes(program, file, flaw, arena_printf(arena, "%s on %s", path, machine), tally);
    else
        tally->differ++;
    diag_fini(&diag);
}

static void compare_file(const char *path, const char *machine, size_t flaw, struct tally *tally)
{
    struct read_test test;
    read_test_init(&test, path);
    model = cat_model_load(&test.arena, exec_basis(), NULL, "sc", "none", &test.diag);
    if (!test.program || !model) {
        printf("%s cannot be read\n", path);
        tally->differ++;
    } else if (machine) {
        compare_machine(&test.arena, test.program, machine, flaw, path, tally);
    } else {
        for (size_t i = 0; i < mach_builtin_count; i++)
            compare_machine(&test.arena, test.program,
                            source_builtin_name(&test.arena, &mach_builtins[i]), flaw, path, tally);
        compare_more(&test.arena, test.program, flaw, path, tally);
    }
    read_test_fini(&test);
}

int main(int argc, char **argv)
{
    const char *machine = NULL;
    size_t flaw = sizeof flaws / sizeof flaws[0];
    struct tally tally = {0};
    for (int option; (option = getopt(argc, argv, "b:m:n:")) != -1;)
        if (option == 'm')
            machine = optarg;
        else if (option == 'n')
            most_states = (uint32_t)strtoul(optarg, NULL, 10);
        else
            for (flaw = 0; flaw < sizeof flaws / sizeof flaws[0]; flaw++)
                if (strcmp(flaws[flaw].name, optarg) == 0)
                    break;
    bool flawed = flaw < sizeof flaws / sizeof flaws[0];
    for (int i = optind; i < argc && !(flawed && tally.differ); i++)
        compare_file(argv[i], machine, flaw, &tally);
    printf("%llu agree, %llu differ, %llu open, %llu states, %llu kept\n",
           (unsigned long long)tally.agree, (unsigned long long)tally.differ,
           (unsigned long long)tally.open, (unsigned long long)tally.states,
           (unsigned long long)tally.kept);
    return tally.differ > 0;
}
