/* Recovery by brute force: every crash state of a random program is the initial memory of another
 * random program, its recovery, which the reference runs in every order like any other; crash
 * states of that are recovered in turn. The tool's recovered states, what leads to what, and
 * livelocks are held against this. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "oracle.h"

enum { BATCH = 50, PATH_ROOM = 1024, ROUNDS = 8, MOST_STARTS = 60, SMALL_SAMPLE = 50 };

/* A program and its recovery, over the same locations, which may be the program itself;
 * `recovered QUANTIFIER (x = value)`. */
struct subject {
    struct ora_program program, recovery;
    bool restartable, relaunch;
    int quantifier, loc, value;
};

/* From an image to an image. */
struct step {
    struct ora_image from, to;
};

/* Of one subject under one pair of models. */
struct account {
    bool undefined, said, known;                  /* known: no round is missing */
    struct ora_set crashes, recovered, livelocks; /* struct ora_image, of memory alone */
    struct ora_image *listed; /* crash states as they are listed, registers left out */
    size_t n_listed;
    struct ora_set restarts;       /* struct step, to another image */
    struct ora_set leads;          /* struct step: from a crash state to a recovered one */
    char verdict[16], decided[16]; /* of the condition */
};

/* The recovery of each image that was met, under all pairs of models. */
struct solved {
    struct ora_set images;
    struct ora_truth *truth;
};

struct totals {
    int programs, too_large, comparisons, disagreements, undefined, livelocks, restarts, rounds,
        violated, relaunched;
};

static void account_init(struct account *a)
{
    memset(a, 0, sizeof *a);
    ora_set_init(&a->crashes, sizeof(struct ora_image));
    ora_set_init(&a->recovered, sizeof(struct ora_image));
    ora_set_init(&a->livelocks, sizeof(struct ora_image));
    ora_set_init(&a->restarts, sizeof(struct step));
    ora_set_init(&a->leads, sizeof(struct step));
}

static void account_fini(struct account *a)
{
    ora_set_fini(&a->crashes);
    ora_set_fini(&a->recovered);
    ora_set_fini(&a->livelocks);
    ora_set_fini(&a->restarts);
    ora_set_fini(&a->leads);
    free(a->listed);
}

/* ---- The reference ---------------------------------------------------------------------- */

static struct ora_program started_on(const struct subject *s, const struct ora_image *image)
{
    struct ora_program p = s->recovery;
    for (int l = 0; l < p.n_locs; l++)
        p.initial[l] = p.nvm[l] ? image->value[l] : s->program.initial[l];
    return p;
}

/* NULL when the recovery is too large to be worked out, or there are too many images. */
static const struct ora_truth *solve_from(const struct subject *s, struct solved *solved,
                                          const struct ora_image *image)
{
    for (size_t i = 0; i < solved->images.count; i++)
        if (memcmp(ora_set_at(&solved->images, i), image, sizeof *image) == 0)
            return &solved->truth[i];
    if (solved->images.count == MOST_STARTS)
        return NULL;
    struct ora_program p = started_on(s, image);
    struct ora_truth *truth = &solved->truth[solved->images.count];
    ora_set_add(&solved->images, image);
    ora_truth_init(truth);
    return ora_solve(&p, ORA_MUT_NONE, truth) ? truth : NULL;
}

static struct ora_image nvm_of(const struct subject *s, const struct ora_final *final)
{
    struct ora_image image;
    memset(&image, 0, sizeof image);
    for (int l = 0; l < s->program.n_locs; l++)
        if (s->program.nvm[l])
            image.value[l] = final->value[ORA_MAX_THREADS * ORA_MAX_REGS + l];
    return image;
}

static void add_step(struct ora_set *steps, const struct ora_image *from,
                     const struct ora_image *to)
{
    struct step step = {*from, *to};
    ora_set_add(steps, &step);
}

/* One start: what it completes with, and what its crashes leave is met next. */
static bool recover(const struct subject *s, struct ora_pair pair, struct solved *solved,
                    const struct ora_image *start, struct account *a, struct ora_set *met,
                    struct ora_set *direct)
{
    const struct ora_truth *truth = solve_from(s, solved, start);
    if (!truth)
        return false;
    const struct ora_answer *answer = &truth->at[pair.visibility][pair.persistency];
    a->undefined = a->undefined || answer->undefined;
    if (!answer->undefined && answer->finals.count == 0)
        ora_set_add(&a->livelocks, start);
    for (size_t i = 0; i < answer->finals.count; i++) {
        struct ora_image left = nvm_of(s, ora_set_at(&answer->finals, i));
        ora_set_add(&a->recovered, &left);
        add_step(direct, start, &left);
    }
    for (size_t i = 0; i < answer->crashes.count && s->restartable; i++) {
        const struct ora_image *left = ora_set_at(&answer->crashes, i);
        if (memcmp(left, start, sizeof *left) == 0)
            continue;
        add_step(&a->restarts, start, left);
        ora_set_add(met, left);
    }
    return true;
}

/* From each crash state through all that crashes in recovery leave, to recovered states. */
static void find_leads(struct account *a, const struct ora_set *direct)
{
    struct ora_set met;
    ora_set_init(&met, sizeof(struct ora_image));
    for (size_t c = 0; c < a->crashes.count; c++) {
        const struct ora_image *crash = ora_set_at(&a->crashes, c);
        ora_set_clear(&met);
        ora_set_add(&met, crash);
        for (size_t i = 0; i < met.count; i++) {
            struct ora_image at = *(const struct ora_image *)ora_set_at(&met, i);
            for (size_t k = 0; k < a->restarts.count; k++) {
                const struct step *step = ora_set_at(&a->restarts, k);
                if (memcmp(&step->from, &at, sizeof at) == 0)
                    ora_set_add(&met, &step->to);
            }
            for (size_t k = 0; k < direct->count; k++) {
                const struct step *step = ora_set_at(direct, k);
                if (memcmp(&step->from, &at, sizeof at) == 0)
                    add_step(&a->leads, crash, &step->to);
            }
        }
    }
    ora_set_fini(&met);
}

static void judge(const struct subject *s, struct account *a)
{
    size_t satisfying = 0;
    for (size_t i = 0; i < a->recovered.count; i++)
        satisfying +=
            ((const struct ora_image *)ora_set_at(&a->recovered, i))->value[s->loc] == s->value;
    bool witness = s->quantifier == ORA_FORALL ? satisfying < a->recovered.count : satisfying > 0;
    const char *verdict = witness == (s->quantifier == ORA_EXISTS) ? "ok" : "violated";
    bool nothing = a->recovered.count == 0 && s->quantifier != ORA_EXISTS;
    if (!witness && (!a->known || nothing))
        verdict = "unknown";
    if (a->livelocks.count)
        verdict = "error";
    if (a->undefined)
        verdict = "undefined";
    snprintf(a->verdict, sizeof a->verdict, "%s", verdict);
}

/* Round after round. False when it is too large. */
static bool work_out(const struct subject *s, struct ora_pair pair, const struct ora_truth *truth,
                     struct solved *solved, struct account *a, struct totals *totals)
{
    const struct ora_answer *answer = &truth->at[pair.visibility][pair.persistency];
    struct ora_set met, direct;
    bool fits = true;
    size_t done = 0;
    ora_set_init(&met, sizeof(struct ora_image));
    ora_set_init(&direct, sizeof(struct step));
    a->undefined = answer->undefined;
    for (size_t i = 0; i < answer->crashes.count; i++) {
        struct ora_image image = *(const struct ora_image *)ora_set_at(&answer->crashes, i);
        memset(image.reg, 0, sizeof image.reg);
        ora_set_add(&a->crashes, &image);
        ora_set_add(&met, &image);
    }
    for (int round = 1; round <= ROUNDS && done < met.count && fits; round++) {
        totals->rounds += round == 2;
        for (size_t end = met.count; done < end && fits; done++) {
            struct ora_image start = *(const struct ora_image *)ora_set_at(&met, done);
            fits = recover(s, pair, solved, &start, a, &met, &direct);
        }
    }
    a->known = done == met.count;
    find_leads(a, &direct);
    judge(s, a);
    ora_set_fini(&met);
    ora_set_fini(&direct);
    return fits;
}

/* ---- Random subjects ---------------------------------------------------------------------- */

/* A failed exchange is a read where every access of its location is atomic; else its loop goes on
 * to a bound, a doubt of the tool's that the reference has not. */
static bool is_accessed_plainly(const struct ora_program *p, int loc)
{
    bool plainly = false;
    for (int t = 0; t < p->n_threads; t++)
        for (int k = 0; k < p->thread[t].n_code; k++) {
            const struct ora_ins *i = &p->thread[t].code[k];
            plainly |= ora_op_is_placed(i->op) && i->loc == loc && i->order == ORA_NA;
        }
    return plainly;
}

static void lock_by_compare_exchange(struct ora_program *p)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int k = 0; k < p->thread[t].n_code; k++) {
            struct ora_ins *i = &p->thread[t].code[k];
            if (i->op == ORA_LOCK && is_accessed_plainly(p, i->loc))
                i->negated = 0;
        }
}

/* The locations become those of the program, two perhaps one, and crashes are anywhere. */
static void adopt(struct subject *s)
{
    struct ora_program *q = &s->recovery;
    if (q->n_threads > 2)
        q->n_threads = 2;
    q->hidden = 0;
    q->n_locs = s->program.n_locs;
    q->crash_mode = ORA_CRASH_ANYWHERE;
    memcpy(q->nvm, s->program.nvm, sizeof q->nvm);
    for (int t = 0; t < q->n_threads; t++)
        for (int k = 0; k < q->thread[t].n_code; k++) {
            struct ora_ins *i = &q->thread[t].code[k];
            if (ora_op_is_placed(i->op))
                i->loc %= q->n_locs;
            if (i->op == ORA_CRASH)
                *i = (struct ora_ins){.op = ORA_PBARRIER, .scope = ORA_WI};
        }
    lock_by_compare_exchange(q);
}

static void draw_subject(const struct ora_options *o, int number, struct subject *s)
{
    uint64_t seed = o->seed * 0x9e3779b97f4a7c15u + (uint64_t)number * 0xbf58476d1ce4e5b9u;
    ora_generate(&s->program, seed, 7);
    s->relaunch = seed >> 57 & 1;
    if (s->relaunch) {
        s->recovery = s->program;
        s->recovery.crash_mode = ORA_CRASH_ANYWHERE;
    } else {
        ora_generate(&s->recovery, ~seed, 6);
        adopt(s);
    }
    memset(&s->recovery.crash, 0, sizeof s->recovery.crash);
    s->restartable = seed >> 40 & 1;
    s->quantifier = (int)((seed >> 41) % 3);
    s->value = (int)((seed >> 45) % 3);
    s->loc = (int)((seed >> 49) % (unsigned)s->program.n_locs);
    for (int l = 0; l < s->program.n_locs && !s->program.nvm[s->loc]; l++)
        s->loc = l;
}

/* Only what is non-volatile can be asked about after recovery. */
static bool is_usable(const struct subject *s)
{
    return s->program.nvm[s->loc];
}

static void write_subject(FILE *out, const struct subject *s, int number)
{
    static const char *const words[] = {"exists", "~exists", "forall"};
    char name[ORA_NAME];
    snprintf(name, sizeof name, "t%d", number);
    ora_write_litmus(out, &s->program, name, "a random program and its recovery");
    fprintf(out, "recovery%s%s%s\n", s->relaunch ? " relaunch" : "",
            s->restartable ? " restartable" : "", s->relaunch ? ";" : "");
    if (!s->relaunch)
        ora_write_threads(out, &s->recovery);
    fprintf(out, "recovered %s (%s = %d)\n", words[s->quantifier], ora_loc_name(s->loc), s->value);
}

/* ---- The tool ------------------------------------------------------------------------------ */

static bool read_image(const struct subject *s, const json_t *state, struct ora_image *image)
{
    memset(image, 0, sizeof *image);
    for (int l = 0; l < s->program.n_locs; l++) {
        const json_t *value = json_object_get(state, ora_loc_name(l));
        if (!s->program.nvm[l] != !value)
            return false;
        image->value[l] = value ? (int)json_integer_value(value) : 0;
    }
    return json_is_object(state);
}

static bool read_images(const struct subject *s, const json_t *list, struct ora_set *images)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct ora_image image;
        if (!read_image(s, json_array_get(list, i), &image) || !ora_set_add(images, &image))
            return false;
    }
    return json_is_array(list);
}

/* States that differ in registers alone leave the same memory. */
static bool read_crashes(const struct subject *s, const json_t *list, struct account *a)
{
    a->n_listed = json_array_size(list);
    a->listed = calloc(a->n_listed + 1, sizeof *a->listed);
    for (size_t i = 0; i < a->n_listed; i++) {
        if (!a->listed || !read_image(s, json_array_get(list, i), &a->listed[i]))
            return false;
        ora_set_add(&a->crashes, &a->listed[i]);
    }
    return json_is_array(list);
}

static bool read_restarts(const struct subject *s, const json_t *list, struct ora_set *steps)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *pair = json_array_get(list, i);
        struct ora_image from, to;
        if (!read_image(s, json_object_get(pair, "from"), &from) ||
            !read_image(s, json_object_get(pair, "to"), &to))
            return false;
        add_step(steps, &from, &to);
    }
    return json_is_array(list);
}

/* Places of crash states, for each recovered state. */
static bool read_leads(const json_t *list, struct account *a)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *places = json_array_get(list, i);
        for (size_t k = 0; k < json_array_size(places); k++) {
            size_t place = (size_t)json_integer_value(json_array_get(places, k));
            if (place >= a->n_listed)
                return false;
            add_step(&a->leads, &a->listed[place], ora_set_at(&a->recovered, i));
        }
    }
    return json_array_size(list) == a->recovered.count;
}

/* The condition on recovery is the third, after those of the program. */
static void read_verdict(const json_t *line, char *verdict, size_t room)
{
    const json_t *condition = json_array_get(json_object_get(line, "conditions"), 2);
    const char *said = json_string_value(json_object_get(condition, "verdict"));
    snprintf(verdict, room, "%s", said ? said : "nothing");
}

static void read_line(const struct subject *s, const json_t *line, struct account *a)
{
    const char *verdict = json_string_value(json_object_get(line, "verdict"));
    a->undefined = verdict && strcmp(verdict, "undefined") == 0;
    read_verdict(line, a->verdict, sizeof a->verdict);
    a->said = verdict && read_crashes(s, json_object_get(line, "crash_states"), a) &&
              read_images(s, json_object_get(line, "recovered_states"), &a->recovered) &&
              read_images(s, json_object_get(line, "livelocks"), &a->livelocks) &&
              read_restarts(s, json_object_get(line, "restarts"), &a->restarts) &&
              read_leads(json_object_get(line, "recovered_from"), a);
}

/* Reads the lines of a batch, listed or decided. */
static bool ask(const struct ora_options *o, struct ora_pair pair, const char *path, bool decide,
                const struct subject *subjects, int n, struct account *said)
{
    char command[4096], *text = NULL;
    size_t room = 0;
    struct ora_models models = ora_pair_models(pair);
    snprintf(command, sizeof command,
             "'%s' --engine enum --format json%s -m '%s' -p '%s' '%s' 2>'%s/stderr'",
             o->tool.binary, decide ? " --decide" : "", models.visibility, models.persistency, path,
             o->tool.workdir);
    FILE *in = popen(command, "r");
    while (in && getline(&text, &room, in) > 0) {
        json_t *line = json_loads(text, 0, NULL);
        const char *name = json_string_value(json_object_get(line, "test"));
        int i = name ? atoi(name + 1) : -1;
        if (i >= 0 && i < n && decide)
            read_verdict(line, said[i].decided, sizeof said[i].decided);
        else if (i >= 0 && i < n)
            read_line(&subjects[i], line, &said[i]);
        json_decref(line);
    }
    free(text);
    int status = in ? pclose(in) : -1;
    return WIFEXITED(status) && WEXITSTATUS(status) <= 3 && WEXITSTATUS(status) != 2;
}

/* ---- Comparing ------------------------------------------------------------------------------ */

static const char *difference(const struct account *tool, const struct account *truth)
{
    if (!tool->said)
        return "the tool said nothing usable";
    if (tool->undefined != truth->undefined)
        return "undefined or not";
    if (!ora_set_equal(&tool->crashes, &truth->crashes))
        return "crash states";
    if (!ora_set_equal(&tool->recovered, &truth->recovered))
        return "recovered states";
    if (!ora_set_equal(&tool->livelocks, &truth->livelocks))
        return "livelocks";
    if (!ora_set_equal(&tool->restarts, &truth->restarts))
        return "restarts";
    if (!ora_set_equal(&tool->leads, &truth->leads))
        return "which crash states lead to a recovered one";
    if (strcmp(tool->verdict, truth->verdict) != 0)
        return "the condition's verdict";
    if (strcmp(tool->decided, truth->verdict) != 0)
        return "the condition's verdict when it is decided";
    return NULL;
}

static void tell(const struct subject *s, struct ora_pair pair, const struct account *tool,
                 const struct account *truth, const char *what)
{
    printf("oracle: recovery under %s + %s differs in: %s; the tool says %s, decided %s, the "
           "reference %s\n",
           ora_visibility_name(pair.visibility), ora_persistency_name(pair.persistency), what,
           tool->verdict, tool->decided, truth->verdict);
    printf("oracle: recovered states %zu and %zu, livelocks %zu and %zu, restarts %zu and %zu\n",
           tool->recovered.count, truth->recovered.count, tool->livelocks.count,
           truth->livelocks.count, tool->restarts.count, truth->restarts.count);
    write_subject(stdout, s, 0);
}

static void count_features(const struct subject *s, const struct account *truth,
                           struct totals *totals)
{
    totals->comparisons++;
    totals->relaunched += s->relaunch;
    totals->undefined += truth->undefined;
    totals->livelocks += truth->livelocks.count > 0;
    totals->restarts += truth->restarts.count > 0;
    totals->violated += strcmp(truth->verdict, "violated") == 0;
}

/* ---- Batches ----------------------------------------------------------------------------------
 */

struct batch {
    int n;
    struct subject subject[BATCH];
    struct ora_truth truth[BATCH];
    struct solved solved[BATCH];
    struct account said[BATCH];
};

static bool write_batch(const struct ora_options *o, const struct batch *b, char *path)
{
    snprintf(path, PATH_ROOM, "%s/recovery.list", o->tool.workdir);
    FILE *list = fopen(path, "w");
    bool ok = list != NULL;
    for (int i = 0; ok && i < b->n; i++) {
        char file[PATH_ROOM];
        snprintf(file, sizeof file, "%s/t%d.litmus", o->tool.workdir, i);
        FILE *out = fopen(file, "w");
        ok = out != NULL;
        if (!out)
            break;
        write_subject(out, &b->subject[i], i);
        fprintf(list, "t%d.litmus\n", i);
        ok = fclose(out) == 0;
    }
    return list && fclose(list) == 0 && ok;
}

static void remove_batch(const struct ora_options *o, const char *path, int n)
{
    for (int i = 0; i < n; i++) {
        char file[PATH_ROOM];
        snprintf(file, sizeof file, "%s/t%d.litmus", o->tool.workdir, i);
        remove(file);
    }
    remove(path);
}

static void compare_pair(const struct ora_options *o, struct ora_pair pair, const char *path,
                         struct batch *b, struct totals *totals)
{
    char list[PATH_ROOM + 1];
    snprintf(list, sizeof list, "@%s", path);
    for (int i = 0; i < b->n; i++)
        account_init(&b->said[i]);
    bool ran = ask(o, pair, list, false, b->subject, b->n, b->said) &&
               ask(o, pair, list, true, b->subject, b->n, b->said);
    totals->disagreements += !ran;
    for (int i = 0; i < b->n; i++) {
        struct account truth;
        account_init(&truth);
        if (work_out(&b->subject[i], pair, &b->truth[i], &b->solved[i], &truth, totals)) {
            const char *what = difference(&b->said[i], &truth);
            count_features(&b->subject[i], &truth, totals);
            totals->disagreements += what != NULL;
            if (what && totals->disagreements <= 3)
                tell(&b->subject[i], pair, &b->said[i], &truth, what);
        }
        account_fini(&truth);
        account_fini(&b->said[i]);
    }
}

static bool admit(const struct ora_options *o, int number, struct batch *b, struct totals *totals)
{
    struct subject *s = &b->subject[b->n];
    draw_subject(o, number, s);
    if (!is_usable(s))
        return false;
    ora_truth_init(&b->truth[b->n]);
    if (!ora_solve(&s->program, ORA_MUT_NONE, &b->truth[b->n])) {
        ora_truth_fini(&b->truth[b->n]);
        totals->too_large++;
        return false;
    }
    ora_set_init(&b->solved[b->n].images, sizeof(struct ora_image));
    b->solved[b->n].truth = calloc(MOST_STARTS, sizeof *b->solved[b->n].truth);
    return b->solved[b->n].truth != NULL;
}

static void forget(struct batch *b)
{
    for (int i = 0; i < b->n; i++) {
        for (size_t k = 0; k < b->solved[i].images.count; k++)
            ora_truth_fini(&b->solved[i].truth[k]);
        ora_set_fini(&b->solved[i].images);
        free(b->solved[i].truth);
        ora_truth_fini(&b->truth[i]);
    }
    b->n = 0;
}

static void run_batch(const struct ora_options *o, struct batch *b, struct totals *totals)
{
    char path[PATH_ROOM];
    bool ok = write_batch(o, b, path);
    totals->disagreements += !ok;
    for (int k = 0; ok && k < o->n_pairs; k++)
        compare_pair(o, o->pair[k], path, b, totals);
    totals->programs += b->n;
    remove_batch(o, path, b->n);
    forget(b);
}

void ora_recovery_print(const struct ora_options *o, int number)
{
    struct subject s;
    do
        draw_subject(o, number++, &s);
    while (!is_usable(&s));
    write_subject(stdout, &s, 0);
}

/* A sample that shows nothing is no evidence. */
static bool worth_something(const struct totals *t)
{
    return t->comparisons > 0 &&
           (t->programs < SMALL_SAMPLE ||
            (t->undefined > 0 && t->undefined < t->comparisons && t->livelocks > 0 &&
             t->restarts > 0 && t->rounds > 0 && t->violated > 0 && t->relaunched > 0));
}

int ora_recovery_campaign(const struct ora_options *o)
{
    struct totals totals = {0};
    struct batch *b = calloc(1, sizeof *b);
    for (int next = 0; b && next < o->count;) {
        for (; b->n < BATCH && next < o->count; next++)
            b->n += admit(o, next, b, &totals);
        run_batch(o, b, &totals);
    }
    free(b);
    printf(
        "oracle: %d programs with recovery, %d comparisons: %d relaunched, %d undefined, %d with a "
        "livelock, %d with restarts, %d with a second round, %d violated; %d too large; "
        "%d disagreements\n",
        totals.programs, totals.comparisons, totals.relaunched, totals.undefined, totals.livelocks,
        totals.restarts, totals.rounds, totals.violated, totals.too_large, totals.disagreements);
    if (!worth_something(&totals))
        printf("oracle: the sample shows too little\n");
    return totals.disagreements || !worth_something(&totals) ? 1 : 0;
}
