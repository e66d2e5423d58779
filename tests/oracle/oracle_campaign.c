/* A campaign: batches of random programs, the tool asked once a batch and pair of models. */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { BATCH = 100, SENSITIVE_BATCH = 4, MAX_SHOWN = 5, PATH_ROOM = 1024, SMALL_SAMPLE = 50 };

struct statistics {
    int programs, comparisons, disagreements, too_large, shown;
    int undefined, stuck, no_final, many_crashes, readings_differ, waiting_matters, levels_matter,
        has_crash_point, twins, decided;
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

/* ---- One batch ------------------------------------------------------------------------ */

void ora_program_at(const struct ora_options *o, int number, struct ora_program *p)
{
    uint64_t seed = o->seed * 0xd1342543de82ef95u + (uint64_t)number * 0x2545f4914f6cdd1du;
    if (o->given) {
        *p = o->given[number];
        return;
    }
    bool marks = o->contract && seed % 100 < 35;
    ora_generate(p, seed, o->events - 4 * marks);
    if (marks)
        ora_add_transactions(p, seed ^ ~0u, o->events + 1);
    if (o->contract)
        ora_tag(p, ~seed, o->events + 2);
    p->crash_mode = o->crash_mode;
}

/* Does the mistake change any answer about the program? */
static bool sensitive(const struct ora_program *p, const struct ora_truth *mistaken)
{
    struct ora_truth truth;
    ora_truth_init(&truth);
    bool changed = ora_solve(p, ORA_MUT_NONE, &truth) && !ora_truth_equal(&truth, mistaken);
    ora_truth_fini(&truth);
    return changed;
}

/* Takes the program in when it is small enough and tells something. */
static bool admit(const struct ora_options *o, int number, struct statistics *st,
                  struct ora_program *p, struct ora_truth *truth)
{
    ora_program_at(o, number, p);
    ora_truth_init(truth);
    bool solved = ora_solve(p, o->mutation, truth);
    st->too_large += !solved;
    if (solved && (!o->expect_disagreement || sensitive(p, truth)))
        return true;
    ora_truth_fini(truth);
    return false;
}

/* Fills the batch with the next programs. */
static void generate_batch(const struct ora_options *o, int *next, struct statistics *st,
                           struct batch *b)
{
    int room = o->expect_disagreement ? SENSITIVE_BATCH : BATCH;
    for (b->n = 0; b->n < room && *next < o->count; ++*next) {
        b->number[b->n] = *next;
        if (admit(o, *next, st, &b->program[b->n], &b->truth[b->n]))
            b->n++;
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
    st->twins += p->hidden != 0;
    st->undefined += undefined;
    st->no_final += no_final;
    st->many_crashes += many;
    st->has_crash_point += crash;
    st->stuck += t->stuck;
    st->levels_matter +=
        direct[ORA_PERS_STRICT].undefined != t->at[ORA_VIS_INDIRECT][ORA_PERS_STRICT].undefined;
    st->waiting_matters +=
        !ora_set_equal(&direct[ORA_PERS_EPOCH].crashes, &direct[ORA_PERS_BUFFERED_EPOCH].crashes);
    st->readings_differ += !ora_set_equal(&direct[ORA_PERS_BUFFERED_EPOCH].crashes,
                                          &direct[ORA_PERS_BUFFERED_EPOCH_INDIVIDUAL].crashes);
    st->crash_states += (double)direct[ORA_PERS_EPOCH].crashes.count;
    st->executions += t->executions;
}

/* Shrinks a copy of the program and leaves it in the work folder. */
static void show(const struct ora_options *o, struct ora_pair pair, const struct batch *b, int i,
                 struct statistics *st)
{
    char path[PATH_ROOM], title[120];
    struct ora_program p = b->program[i];
    snprintf(title, sizeof title, "program %d of seed %llu under %s + %s", b->number[i],
             (unsigned long long)o->seed, ora_visibility_name(pair.visibility),
             ora_persistency_name(pair.persistency));
    printf("oracle: disagreement about %s\n", title);
    ora_print_difference(stdout, &p, &b->reply[i],
                         &b->truth[i].at[pair.visibility][pair.persistency]);
    if (st->shown++ >= MAX_SHOWN)
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

static void compare_pair(const struct ora_options *o, struct ora_pair pair, const char *folder,
                         struct batch *b, struct statistics *st)
{
    for (int i = 0; i < b->n; i++)
        ora_reply_init(&b->reply[i]);
    if (!ora_tool_ask(&o->tool, folder, ora_pair_models(pair), b->program, b->n, b->reply))
        st->disagreements++;
    for (int i = 0; i < b->n; i++) {
        st->comparisons++;
        if (!ora_reply_agrees(&b->reply[i], &b->truth[i].at[pair.visibility][pair.persistency])) {
            st->disagreements++;
            if (!o->expect_disagreement)
                show(o, pair, b, i, st);
        }
        ora_reply_fini(&b->reply[i]);
    }
}

/* The verdicts alone, as `--decide` finds them by searches of another kind. */
static void compare_verdicts(const struct ora_options *o, struct ora_pair pair, const char *folder,
                             struct batch *b, struct statistics *st)
{
    struct ora_tool tool = o->tool;
    tool.decide = true;
    for (int i = 0; i < b->n; i++)
        ora_reply_init(&b->reply[i]);
    if (!ora_tool_ask(&tool, folder, ora_pair_models(pair), b->program, b->n, b->reply))
        st->disagreements++;
    for (int i = 0; i < b->n; i++) {
        const struct ora_reply *reply = &b->reply[i];
        st->decided++;
        if (!ora_verdicts_agree(&b->program[i], reply,
                                &b->truth[i].at[pair.visibility][pair.persistency])) {
            st->disagreements++;
            printf("oracle: decided wrongly under %s + %s: %s %s %s\n",
                   ora_visibility_name(pair.visibility), ora_persistency_name(pair.persistency),
                   reply->verdict[0], reply->verdict[1], reply->said ? "" : reply->why);
            if (st->shown++ < MAX_SHOWN)
                ora_write_litmus(stdout, &b->program[i], "decided", "decided wrongly");
        }
        ora_reply_fini(&b->reply[i]);
    }
}

static bool run_batch(const struct ora_options *o, struct batch *b, struct statistics *st)
{
    char folder[PATH_ROOM / 2];
    snprintf(folder, sizeof folder, "%s/batch", o->tool.workdir);
    bool ok = ora_write_folder(folder, b->program, b->n);
    for (int i = 0; i < b->n; i++) {
        st->programs++;
        count_features(&b->program[i], &b->truth[i], st);
    }
    for (int k = 0; ok && b->n && k < o->n_pairs; k++)
        if (!o->expect_disagreement || !st->disagreements)
            compare_pair(o, o->pair[k], folder, b, st);
    for (int k = 0; ok && b->n && k < o->n_pairs && !o->expect_disagreement; k++)
        compare_verdicts(o, o->pair[k], folder, b, st);
    for (int i = 0; i < b->n; i++)
        ora_truth_fini(&b->truth[i]);
    ora_remove_folder(folder, b->n);
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
    printf("oracle: %d programs, %d with twins, %d comparisons, %d of decided ones, "
           "%d disagreements\n",
           st->programs, st->twins, st->comparisons, st->decided, st->disagreements);
}

/* A sample that shows nothing is no evidence. */
static bool worth_something(const struct statistics *st)
{
    if (!st->programs || !st->comparisons || !st->many_crashes)
        return false;
    return st->programs < SMALL_SAMPLE ||
           (st->undefined > 0 && st->undefined < st->programs && st->stuck > 0 &&
            st->many_crashes > st->programs / 10 && st->twins > 0 && st->waiting_matters > 0 &&
            st->readings_differ > 0 && st->too_large < st->programs / 4);
}

int ora_campaign(const struct ora_options *o)
{
    struct statistics st = {0};
    struct batch *b = calloc(1, sizeof *b);
    bool ok = b != NULL;
    for (int next = 0; ok && next < o->count;) {
        generate_batch(o, &next, &st, b);
        ok = run_batch(o, b, &st);
    }
    free(b);
    print_statistics(&st);
    bool worth = o->given ? st.comparisons > 0 && !st.too_large : worth_something(&st);
    if (ok && !worth)
        printf("oracle: the sample shows too little\n");
    return ok && !st.disagreements && worth ? 0 : 1;
}

bool ora_mutation_shows(const struct ora_options *o)
{
    struct statistics st = {0};
    struct batch *b = calloc(1, sizeof *b);
    bool ok = b != NULL;
    for (int next = 0; ok && !st.disagreements && next < o->count;) {
        generate_batch(o, &next, &st, b);
        ok = run_batch(o, b, &st);
    }
    free(b);
    return ok && st.disagreements > 0;
}
