/* The program: generate, solve, ask the tool, compare, count.
 *
 *   oracle --binary BUILD/crashlit [--count N] [--seed S] [--workdir DIR]
 *          [--pairs sc+epoch,hrf-direct+strict,...] [--mutate NAME] [--expect-disagreement]
 *   oracle --self-test [--mutate NAME --expect-disagreement] | --list-mutations | --print I [--seed S]
 *
 * Exit status: 0 agreement everywhere and the sample was worth something (with
 * --expect-disagreement: some disagreement), 1 otherwise, 2 wrong usage. Tests on which
 * the two disagree are shrunk and left in the work folder. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oracle.h"

enum { BATCH = 100, MAX_SHOWN = 5, PATH_ROOM = 1024, SMALL_SAMPLE = 50 };

struct options {
    struct ora_tool tool;
    int count, mutation, print;
    uint64_t seed;
    bool self_test, list, expect_disagreement;
    struct ora_pair pair[ORA_VIS_COUNT * ORA_PERS_COUNT];
    int n_pairs;
};

struct statistics {
    int programs, comparisons, disagreements, too_large, shown;
    int undefined, stuck, no_final, many_crashes, readings_differ, waiting_matters,
        levels_matter, has_crash_point;
    double crash_states;
    size_t executions;
};

struct batch {
    int n;
    struct ora_program program[BATCH];
    int number[BATCH];
    struct ora_truth truth[BATCH];
    struct ora_reply reply[BATCH];
};

/* ---- Options ----------------------------------------------------------------------- */

static const char *const mutation_names[] = {
    "none",
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

static bool parse_pairs(char *list, struct options *o)
{
    for (char *name = strtok(list, ","); name; name = strtok(NULL, ","))
        if (o->n_pairs == ORA_VIS_COUNT * ORA_PERS_COUNT ||
            !find_pair(name, &o->pair[o->n_pairs++]))
            return false;
    return o->n_pairs > 0;
}

static void all_pairs(struct options *o)
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

static const struct option long_options[] = {
    {"binary", required_argument, NULL, 'b'},  {"count", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},    {"workdir", required_argument, NULL, 'w'},
    {"pairs", required_argument, NULL, 'p'},   {"mutate", required_argument, NULL, 'm'},
    {"print", required_argument, NULL, 'P'},   {"expect-disagreement", no_argument, NULL, 'x'},
    {"self-test", no_argument, NULL, 't'},     {"list-mutations", no_argument, NULL, 'l'},
    {NULL, 0, NULL, 0},
};

static bool take_option(int letter, struct options *o)
{
    uint64_t number = 0;
    switch (letter) {
    case 'b': o->tool.binary = optarg; return true;
    case 'w': o->tool.workdir = optarg; return true;
    case 's': return parse_number(optarg, UINT64_MAX, &o->seed);
    case 'p': return parse_pairs(optarg, o);
    case 'm': return find_mutation(optarg, &o->mutation);
    case 'x': return o->expect_disagreement = true;
    case 't': return o->self_test = true;
    case 'l': return o->list = true;
    case 'n':
        if (!parse_number(optarg, 1000000, &number))
            return false;
        o->count = (int)number;
        return true;
    case 'P':
        if (!parse_number(optarg, 1000000, &number))
            return false;
        o->print = (int)number;
        return true;
    default: return false;
    }
}

static bool parse_options(int argc, char **argv, struct options *o)
{
    *o = (struct options){.count = 200, .seed = 1, .print = -1};
    for (int letter; (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1;)
        if (!take_option(letter, o))
            return false;
    if (!o->n_pairs)
        all_pairs(o);
    return optind == argc && (o->tool.binary || o->self_test || o->list || o->print >= 0);
}

/* ---- One batch ------------------------------------------------------------------------ */

static uint64_t seed_of(const struct options *o, int number)
{
    return o->seed * 0xd1342543de82ef95u + (uint64_t)number * 0x2545f4914f6cdd1du;
}

static bool write_test(const char *folder, const struct batch *b, int i)
{
    char path[PATH_ROOM], name[ORA_NAME], title[ORA_NAME];
    snprintf(path, sizeof path, "%s/t%d.litmus", folder, i);
    snprintf(name, sizeof name, "t%d", i);
    snprintf(title, sizeof title, "random program %d", b->number[i]);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    ora_write_litmus(out, &b->program[i], name, title);
    return fclose(out) == 0;
}

/* Fills the batch with the next programs that are small enough. */
static void generate_batch(const struct options *o, int *next, struct statistics *st,
                           struct batch *b)
{
    for (b->n = 0; b->n < BATCH && *next < o->count; ++*next) {
        ora_generate(&b->program[b->n], seed_of(o, *next));
        ora_truth_init(&b->truth[b->n]);
        b->number[b->n] = *next;
        if (ora_solve(&b->program[b->n], o->mutation, &b->truth[b->n])) {
            b->n++;
        } else {
            ora_truth_fini(&b->truth[b->n]);
            st->too_large++;
        }
    }
}

static void count_features(const struct ora_program *p, struct ora_truth *t, struct statistics *st)
{
    const struct ora_answer *direct = t->at[ORA_VIS_DIRECT];
    bool undefined = false, no_final = false, many = false, crash = false;
    for (int v = 0; v < ORA_VIS_COUNT; v++)
        for (int m = 0; m < ORA_PERS_COUNT; m++) {
            undefined = undefined || t->at[v][m].undefined;
            no_final = no_final || t->at[v][m].finals.count == 0;
            many = many || t->at[v][m].crashes.count > 1;
        }
    for (int i = 0; i < p->n_threads; i++)
        for (int k = 0; k < p->thread[i].n_code; k++)
            crash = crash || p->thread[i].code[k].op == ORA_CRASH;
    st->undefined += undefined;
    st->no_final += no_final;
    st->many_crashes += many;
    st->has_crash_point += crash;
    st->stuck += t->stuck;
    st->levels_matter += direct[ORA_PERS_STRICT].undefined !=
                         t->at[ORA_VIS_INDIRECT][ORA_PERS_STRICT].undefined;
    st->waiting_matters += !ora_set_equal(&direct[ORA_PERS_EPOCH].crashes,
                                          &direct[ORA_PERS_BUFFERED_EPOCH].crashes);
    st->readings_differ += !ora_set_equal(&direct[ORA_PERS_BUFFERED_EPOCH].crashes,
                                          &direct[ORA_PERS_BUFFERED_EPOCH_INDIVIDUAL].crashes);
    st->crash_states += (double)direct[ORA_PERS_EPOCH].crashes.count;
    st->executions += t->executions;
}

/* Shrinks a copy of the program and leaves it in the work folder. */
static void show(const struct options *o, struct ora_pair pair, const struct batch *b, int i,
                 struct statistics *st)
{
    char path[PATH_ROOM], title[120];
    struct ora_program p = b->program[i];
    snprintf(title, sizeof title, "program %d of seed %llu under %s + %s", b->number[i],
             (unsigned long long)o->seed, ora_visibility_name(pair.visibility),
             ora_persistency_name(pair.persistency));
    printf("oracle: disagreement about %s\n", title);
    ora_print_difference(stdout, &p, &b->reply[i], &b->truth[i].at[pair.visibility][pair.persistency]);
    if (st->shown++ >= MAX_SHOWN || o->expect_disagreement)
        return;
    ora_shrink(&o->tool, pair, o->mutation, &p);
    ora_write_litmus(stdout, &p, "shrunk", title);
    ora_disagrees(&o->tool, pair, o->mutation, &p, stdout);
    snprintf(path, sizeof path, "%s/shrunk-%d.litmus", o->tool.workdir, b->number[i]);
    FILE *out = fopen(path, "w");
    if (!out)
        return;
    ora_write_litmus(out, &p, "shrunk", title);
    fclose(out);
    printf("oracle: saved as %s\n", path);
}

static void compare_pair(const struct options *o, struct ora_pair pair, const char *folder,
                         struct batch *b, struct statistics *st)
{
    for (int i = 0; i < b->n; i++)
        ora_reply_init(&b->reply[i]);
    if (!ora_tool_ask(&o->tool, folder, pair, b->program, b->n, b->reply))
        st->disagreements++;
    for (int i = 0; i < b->n; i++) {
        st->comparisons++;
        if (!ora_reply_agrees(&b->reply[i], &b->truth[i].at[pair.visibility][pair.persistency])) {
            st->disagreements++;
            show(o, pair, b, i, st);
        }
        ora_reply_fini(&b->reply[i]);
    }
}

static void remove_batch(const char *folder, const struct batch *b)
{
    for (int i = 0; i < b->n; i++) {
        char path[PATH_ROOM];
        snprintf(path, sizeof path, "%s/t%d.litmus", folder, i);
        unlink(path);
    }
    rmdir(folder);
}

static bool run_batch(const struct options *o, struct batch *b, struct statistics *st)
{
    char folder[PATH_ROOM / 2];
    snprintf(folder, sizeof folder, "%s/batch", o->tool.workdir);
    bool ok = mkdir(folder, 0777) == 0 || errno == EEXIST;
    for (int i = 0; i < b->n; i++)
        ok = ok && write_test(folder, b, i);
    if (!ok)
        fprintf(stderr, "oracle: cannot write tests into %s\n", folder);
    for (int i = 0; i < b->n; i++) {
        st->programs++;
        count_features(&b->program[i], &b->truth[i], st);
    }
    for (int k = 0; ok && b->n && k < o->n_pairs; k++)
        if (!o->expect_disagreement || !st->disagreements)
            compare_pair(o, o->pair[k], folder, b, st);
    for (int i = 0; i < b->n; i++)
        ora_truth_fini(&b->truth[i]);
    remove_batch(folder, b);
    return ok;
}

/* ---- All of them ------------------------------------------------------------------------ */

static void print_statistics(const struct statistics *st)
{
    double n = st->programs ? st->programs : 1;
    printf("oracle: %d undefined under some pair, %d with a stuck run, %d without a final state, "
           "%d with crash points\n",
           st->undefined, st->stuck, st->no_final, st->has_crash_point);
    printf("oracle: %d with more than one crash state, %.2f crash states on average "
           "(hrf-direct + epoch), %.1f executions\n",
           st->many_crashes, st->crash_states / n, (double)st->executions / n);
    printf("oracle: differences seen: epoch and buffered-epoch %d, collective and individual %d, "
           "races of hrf-direct and hrf-indirect %d; %d too large\n",
           st->waiting_matters, st->readings_differ, st->levels_matter, st->too_large);
    printf("oracle: %d programs, %d comparisons, %d disagreements\n", st->programs,
           st->comparisons, st->disagreements);
}

/* A sample that shows nothing is no evidence. */
static bool worth_something(const struct statistics *st)
{
    if (!st->programs || !st->comparisons || !st->many_crashes)
        return false;
    return st->programs < SMALL_SAMPLE ||
           (st->undefined > 0 && st->undefined < st->programs && st->stuck > 0 &&
            st->many_crashes > st->programs / 4 && st->waiting_matters > 0 &&
            st->readings_differ > 0 && st->too_large < st->programs / 4);
}

static int run_all(const struct options *o)
{
    struct statistics st = {0};
    struct batch *b = calloc(1, sizeof *b);
    bool ok = b != NULL;
    for (int next = 0; ok && next < o->count;) {
        generate_batch(o, &next, &st, b);
        ok = run_batch(o, b, &st);
        if (o->expect_disagreement && st.disagreements)
            break;
    }
    free(b);
    print_statistics(&st);
    if (o->expect_disagreement)
        return ok && st.disagreements ? 0 : 1;
    if (ok && !worth_something(&st))
        printf("oracle: the sample shows too little\n");
    return ok && !st.disagreements && worth_something(&st) ? 0 : 1;
}

static int print_program(const struct options *o)
{
    struct ora_program p;
    ora_generate(&p, seed_of(o, o->print));
    ora_write_litmus(stdout, &p, "t0", "random program");
    return 0;
}

static int list_mutations(void)
{
    for (int m = 1; m < ORA_MUT_END; m++)
        puts(mutation_names[m]);
    return 0;
}

int main(int argc, char **argv)
{
    struct options o;
    char folder[] = "/tmp/oracle-XXXXXX";
    if (!parse_options(argc, argv, &o)) {
        fprintf(stderr, "usage: oracle --binary CRASHLIT [--count N] [--seed S] [--workdir DIR] "
                        "[--pairs V+P,...] [--mutate NAME] [--expect-disagreement]\n"
                        "       oracle --self-test | --list-mutations | --print I [--seed S]\n");
        return 2;
    }
    if (o.list)
        return list_mutations();
    if (o.print >= 0)
        return print_program(&o);
    if (o.self_test)
        return (ora_selftest(stdout, o.mutation) > 0) != o.expect_disagreement;
    if (ora_selftest(stdout, ORA_MUT_NONE))
        return 1;
    bool own = !o.tool.workdir;
    if (own && !(o.tool.workdir = mkdtemp(folder))) {
        perror("oracle: work folder");
        return 1;
    }
    if (!own && mkdir(o.tool.workdir, 0777) != 0 && errno != EEXIST) {
        perror(o.tool.workdir);
        return 1;
    }
    return run_all(&o);
}
