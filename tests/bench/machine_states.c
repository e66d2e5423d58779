/* machine_states: explores tests on a machine and prints what that took.
 *
 *     machine_states [-r] [-j THREADS] [-m MACHINE] [-s STATES] [-t SECONDS] FILE...
 *
 * A line per file: name, states, steps, bytes of states and nodes, bytes of the table, seconds of
 * processor time (with -j: of time), and `whole` or `limit`. Each state's NVRAM image is looked at,
 * as an engine would. */
#include "../corpus/read_test.h"

#include "base/team.h"
#include "explore/mach_config.h"
#include "explore/mach_explore.h"
#include "machine/mach_reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    const struct machine *machine;
    struct mach_test test;
    struct timespec started;
    clockid_t clock;
};

static double seconds_of(const struct run *run)
{
    struct timespec now;
    clock_gettime(run->clock, &now);
    return (double)(now.tv_sec - run->started.tv_sec) +
           1e-9 * (double)(now.tv_nsec - run->started.tv_nsec);
}

/* Of the images the sum, so that they are looked at. */
static uint8_t look(void *context, struct mach_test *test, const uint8_t *state, bool final)
{
    uint64_t *sum = context;
    (void) final;
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (test->program->locations[l].nvm)
            *sum += test->machine->memory(test, state, l);
    return 0;
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    (void)context;
    (void)state;
    (void)number;
    (void) final;
    return true;
}

struct choice {
    const char *machine;
    uint64_t states;
    double seconds;
    bool reduce;
    uint32_t threads;
};

static void explore(const struct lit_program *program, const struct mach_file *file,
                    const char *path, const struct choice *choice)
{
    struct run run = {.machine = file->machine,
                      .clock = choice->threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID};
    uint64_t sums[TEAM_MOST] = {0};
    void *looks[TEAM_MOST];
    struct mach_limits limits = {.states = choice->states,
                                 .clock = clock_limit_in(choice->seconds),
                                 .threads = choice->threads,
                                 .filter = look,
                                 .filters = looks};
    struct arena arena;
    const char *name = strrchr(path, '/');
    for (uint32_t i = 0; i < TEAM_MOST; i++)
        looks[i] = &sums[i];
    arena_init(&arena);
    mach_test_init(&run.test, &arena, run.machine, program, &file->config);
    clock_gettime(run.clock, &run.started);
    if (choice->reduce)
        mach_reduce_init(&run.test, &arena, false);
    struct mach_exploration *e = mach_explore(&run.test, &limits, visit, NULL);
    double took = seconds_of(&run);
    printf("%s %llu %llu %llu %llu %.6f %s\n", name ? name + 1 : path,
           (unsigned long long)mach_totals(e).states, (unsigned long long)mach_totals(e).steps,
           (unsigned long long)mach_totals(e).bytes, (unsigned long long)mach_totals(e).table_bytes,
           took, mach_totals(e).doubt == OUTCOME_DOUBT_COUNT ? "whole" : "limit");
    mach_exploration_free(e);
    arena_fini(&arena);
}

static bool run_file(const char *path, const struct choice *choice)
{
    struct read_test test;
    read_test_init(&test, path);
    const struct mach_file *file = mach_config_load(&test.arena, choice->machine, &test.diag);
    bool good = file && test.program;
    if (good)
        explore(test.program, file, path, choice);
    else
        fprintf(stderr, "machine_states: cannot use %s on %s\n", path, choice->machine);
    read_test_fini(&test);
    return good;
}

int main(int argc, char **argv)
{
    struct choice choice = {"nvw-fifo", 20000000, 60, false, 1};
    bool good = true;
    for (int option; (option = getopt(argc, argv, "j:m:rs:t:")) != -1;)
        switch (option) {
        case 'j': choice.threads = (uint32_t)strtoul(optarg, NULL, 10) % (TEAM_MOST + 1); break;
        case 'm': choice.machine = optarg; break;
        case 'r': choice.reduce = true; break;
        case 's': choice.states = strtoull(optarg, NULL, 10); break;
        case 't': choice.seconds = strtod(optarg, NULL); break;
        default: return 2;
        }
    for (int i = optind; i < argc; i++)
        good &= run_file(argv[i], &choice);
    return good ? 0 : 2;
}
