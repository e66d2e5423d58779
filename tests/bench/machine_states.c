/* machine_states: explores tests on a machine and prints what that took.
 *
 *     machine_states [-r] [-m MACHINE] [-s STATES] [-t SECONDS] FILE...
 *
 * A line per file: name, states, steps, bytes of states and nodes, bytes of the table, seconds of
 * processor time, and `whole` or `limit`. Each state's NVRAM image is looked at, as an engine
 * would. */
#include "../corpus/read_test.h"

#include "machine/mach_config.h"
#include "machine/mach_explore.h"
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
    uint64_t sum; /* of the images, so that they are looked at */
};

static double seconds_of(const struct run *run)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)(now.tv_sec - run->started.tv_sec) +
           1e-9 * (double)(now.tv_nsec - run->started.tv_nsec);
}

static bool visit(void *context, const uint8_t *state, uint64_t number, bool final)
{
    struct run *run = context;
    (void)number;
    (void) final;
    for (uint32_t l = 0; l < run->test.program->location_count; l++)
        if (run->test.program->locations[l].nvm)
            run->sum += run->machine->memory(&run->test, state, l);
    return true;
}

static void explore(const struct lit_program *program, const struct mach_file *file,
                    const char *path, uint64_t states, double seconds, bool reduce)
{
    struct run run = {.machine = file->machine};
    struct mach_limits limits = {.states = states, .clock = clock_limit_in(seconds)};
    struct arena arena;
    const char *name = strrchr(path, '/');
    arena_init(&arena);
    mach_test_init(&run.test, &arena, run.machine, program, &file->config);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &run.started);
    if (reduce)
        mach_reduce_init(&run.test, &arena, false);
    struct mach_exploration *e = mach_explore(&run.test, &limits, visit, &run);
    double took = seconds_of(&run);
    printf("%s %llu %llu %llu %llu %.6f %s\n", name ? name + 1 : path,
           (unsigned long long)mach_totals(e).states, (unsigned long long)mach_totals(e).steps,
           (unsigned long long)mach_totals(e).bytes, (unsigned long long)mach_totals(e).table_bytes,
           took, mach_totals(e).doubt == OUTCOME_DOUBT_COUNT ? "whole" : "limit");
    mach_exploration_free(e);
    arena_fini(&arena);
}

static bool run_file(const char *machine, const char *path, uint64_t states, double seconds,
                     bool reduce)
{
    struct read_test test;
    read_test_init(&test, path);
    const struct mach_file *file = mach_config_load(&test.arena, machine, &test.diag);
    bool good = file && test.program;
    if (good)
        explore(test.program, file, path, states, seconds, reduce);
    else
        fprintf(stderr, "machine_states: cannot use %s on %s\n", path, machine);
    read_test_fini(&test);
    return good;
}

int main(int argc, char **argv)
{
    const char *machine = "nvw-fifo";
    uint64_t states = 20000000;
    double seconds = 60;
    bool good = true, reduce = false;
    for (int option; (option = getopt(argc, argv, "m:rs:t:")) != -1;)
        switch (option) {
        case 'm': machine = optarg; break;
        case 'r': reduce = true; break;
        case 's': states = strtoull(optarg, NULL, 10); break;
        case 't': seconds = strtod(optarg, NULL); break;
        default: return 2;
        }
    for (int i = optind; i < argc; i++)
        good &= run_file(machine, argv[i], states, seconds, reduce);
    return good ? 0 : 2;
}
