/* The program: generate, solve, ask the tool, compare, count.
 *
 *   oracle --binary BUILD/crashlit [--count N] [--seed S] [--workdir DIR] [--events N]
 *          [--pairs sc+epoch,hrf-direct+strict,...] [--crash anywhere|points|end]
 *   oracle --binary BUILD/crashlit --mutate NAME|all --expect-disagreement [...]
 *   oracle --binary BUILD/crashlit --weak [--count N ...] [--expect-disagreement]
 *   oracle --binary BUILD/crashlit --contract [--count N ...] [--expect-disagreement]
 *   oracle --binary BUILD/crashlit --given [--pairs ...] < LINES
 *   oracle --self-test [--mutate NAME --expect-disagreement]
 *   oracle --list-mutations | [--recovery] --print I [--until J] [--seed S]
 *
 * With --mutate the reference itself makes a mistake; asked with --expect-disagreement, the
 * check shows that it would have noticed. The tool is then asked only about programs
 * whose answers the mistake changes.
 *
 * With --contract, random persistency models over sc (oracle_contract.c).
 * With --given, programs from lines on standard input (oracle_given.c), all of them.
 * With --weak, models without SC from files of its own over all candidates (oracle_weak.c).
 *
 * Exit status: 0 agreement everywhere and the sample was worth something (with
 * --expect-disagreement: each mistake made a disagreement), 1 otherwise, 2 wrong usage.
 * Tests on which the two disagree are shrunk and left in the work folder. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oracle.h"

enum { MOST_EVENTS = 16 };

static const char *const mutation_names[] = {"none",
#define X(tag, name) name,
                                             ORA_MUTATIONS(X)
#undef X
};

static bool find_mutation(const char *name, int *mutation)
{
    for (int m = 1; m < ORA_MUT_END; m++)
        if (strcmp(mutation_names[m], name) == 0) {
            *mutation = m;
            return true;
        }
    return false;
}

static bool find_pair(const char *text, struct ora_pair *pair)
{
    char name[80];
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++) {
            snprintf(name, sizeof name, "%s+%s", ora_visibility_name(v), ora_persistency_name(m));
            if (strcmp(name, text) == 0) {
                *pair = (struct ora_pair){v, m};
                return true;
            }
        }
    return false;
}

static bool parse_pairs(char *list, struct ora_options *o)
{
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
        if (o->n_pairs == ORA_VIS_COUNT * ORA_PERS_COUNT ||
            !find_pair(name, &o->pair[o->n_pairs++]))
            return false;
    return o->n_pairs > 0;
}

static void all_pairs(struct ora_options *o)
{
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++)
            o->pair[o->n_pairs++] = (struct ora_pair){v, m};
}

static bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || end == text || *end || v > most || *text == '-')
        return false;
    *value = v;
    return true;
}

static bool parse_int(const char *text, int most, int *value)
{
    uint64_t number;
    if (!parse_number(text, (uint64_t)most, &number))
        return false;
    *value = (int)number;
    return true;
}

static const struct option long_options[] = {
    {"binary", required_argument, NULL, 'b'}, {"count", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},   {"workdir", required_argument, NULL, 'w'},
    {"pairs", required_argument, NULL, 'p'},  {"mutate", required_argument, NULL, 'm'},
    {"print", required_argument, NULL, 'P'},  {"expect-disagreement", no_argument, NULL, 'x'},
    {"self-test", no_argument, NULL, 't'},    {"list-mutations", no_argument, NULL, 'l'},
    {"weak", no_argument, NULL, 'k'},         {"recovery", no_argument, NULL, 'r'},
    {"contract", no_argument, NULL, 'C'},     {"given", no_argument, NULL, 'g'},
    {"until", required_argument, NULL, 'u'},  {"events", required_argument, NULL, 'e'},
    {"crash", required_argument, NULL, 'c'},  {NULL, 0, NULL, 0},
};

static bool take_option(int letter, struct ora_options *o)
{
    switch (letter) {
    case 'b': o->tool.binary = optarg; return true;
    case 'w': o->tool.workdir = optarg; return true;
    case 's': return parse_number(optarg, UINT64_MAX, &o->seed);
    case 'p': return parse_pairs(optarg, o);
    case 'm':
        o->every_mutation = strcmp(optarg, "all") == 0;
        return o->every_mutation || find_mutation(optarg, &o->mutation);
    case 'c': return ora_crash_mode_find(optarg, &o->crash_mode);
    case 'x': return o->expect_disagreement = true;
    case 't': return o->self_test = true;
    case 'k': return o->weak = true;
    case 'C': return o->contract = true;
    case 'r': return o->recovery = true;
    case 'g': return o->reads_given = true;
    case 'l': return o->list = true;
    case 'n': return parse_int(optarg, 1000000, &o->count);
    case 'u': return parse_int(optarg, 1000000, &o->until);
    case 'P': return parse_int(optarg, 1000000, &o->print);
    case 'e': return parse_int(optarg, MOST_EVENTS, &o->events);
    default: return false;
    }
}

static bool parse_options(int argc, char **argv, struct ora_options *o)
{
    *o = (struct ora_options){.count = 200, .seed = 1, .print = -1, .events = 12};
    for (int letter; (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!take_option(letter, o))
            return false;
    if (!o->n_pairs)
        all_pairs(o);
    return optind == argc && (o->tool.binary || o->self_test || o->list || o->print >= 0);
}

/* One program, or those from it on, up to `until` without that one. */
static int print_programs(const struct ora_options *o)
{
    struct ora_program p;
    int number = o->print;
    do {
        if (o->recovery) {
            ora_recovery_print(o, number);
            continue;
        }
        ora_program_at(o, number, &p);
        ora_write_litmus(stdout, &p, "t0", "random program");
    } while (++number < o->until);
    return 0;
}

static int list_mutations(void)
{
    for (int m = 1; m < ORA_MUT_END; m++)
        puts(mutation_names[m]);
    return 0;
}

/* Every mistake must show. */
static int try_mutations(struct ora_options *o)
{
    int missed = 0;
    int first = o->every_mutation ? 1 : o->mutation;
    int last = o->every_mutation ? ORA_MUT_END - 1 : o->mutation;
    for (o->mutation = first; o->mutation <= last; o->mutation++) {
        bool shows = ora_mutation_shows(o);
        printf("oracle: mistake %s: %s\n", mutation_names[o->mutation],
               shows ? "found" : "NOT FOUND");
        missed += !shows;
    }
    return missed ? 1 : 0;
}

static int self_test(const struct ora_options *o)
{
    bool failed = ora_selftest(stdout, o->mutation) > 0;
    return failed == o->expect_disagreement ? 0 : 1;
}

static bool make_workdir(struct ora_options *o, char *template)
{
    if (!o->tool.workdir)
        return (o->tool.workdir = mkdtemp(template)) != NULL;
    return mkdir(o->tool.workdir, 0777) == 0 || errno == EEXIST;
}

static int run(struct ora_options *o)
{
    char template[] = "/tmp/oracle-XXXXXX", notes[1024];
    if (ora_selftest(stdout, ORA_MUT_NONE))
        return 1;
    if (o->reads_given && !ora_given_read(stdin, o))
        return 2;
    if (!make_workdir(o, template)) {
        perror("oracle: work folder");
        return 1;
    }
    int status = o->weak                  ? ora_weak_campaign(o)
                 : o->contract            ? ora_contract_campaign(o)
                 : o->recovery            ? ora_recovery_campaign(o)
                 : o->expect_disagreement ? try_mutations(o)
                                          : ora_campaign(o);
    snprintf(notes, sizeof notes, "%s/stderr", o->tool.workdir);
    if (status == 0)
        unlink(notes);
    if (o->tool.workdir == template)
        rmdir(template); /* stays when something was left in it */
    return status;
}

int main(int argc, char **argv)
{
    struct ora_options o;
    if (!parse_options(argc, argv, &o)) {
        fprintf(stderr,
                "usage: oracle --binary CRASHLIT [--count N] [--seed S] [--workdir DIR] "
                "[--events N] [--pairs V+P,...] [--crash MODE]\n"
                "       oracle --binary CRASHLIT --mutate NAME|all "
                "--expect-disagreement [...]\n"
                "       oracle --binary CRASHLIT --weak [--expect-disagreement] [...]\n"
                "       oracle --binary CRASHLIT --contract [--expect-disagreement] [...]\n"
                "       oracle --binary CRASHLIT --recovery [...]\n"
                "       oracle --binary CRASHLIT --given [--pairs V+P,...] <LINES\n"
                "       oracle --self-test [--mutate NAME --expect-disagreement]\n"
                "       oracle --list-mutations | [--recovery] --print I [--until J] [--seed S]\n");
        return 2;
    }
    if (o.list)
        return list_mutations();
    if (o.print >= 0)
        return print_programs(&o);
    int status = o.self_test ? self_test(&o) : run(&o);
    free(o.given);
    return status;
}
