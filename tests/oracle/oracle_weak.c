/* Models weaker than SC: no interleaving yields their executions, so here all candidates are
 * tried, every rf and every co over every control-flow path. The models are cat files
 * written by this program and, each, a test in C of what the file says
 * (oracle_weak_models.c). That a model is data, not wired into the tool, is checked along.
 *
 * No rendezvous and no loops here. Where rf makes a value come out of itself, the models that
 * forbid such executions alone are compared. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oracle_weak.h"

enum { WEAK_BATCH = 60, MOST_CANDIDATES = 20000, PATH_ROOM = 1024, MOST_SHOWN = 5 };

/* ---- Candidates ---------------------------------------------------------------------------- */

/* The events of one choice of paths, and what the choice asks of registers. */
struct skeleton {
    const struct ora_program *p;
    struct ora_exec x;
    int load_of[ORA_MAX_THREADS][ORA_MAX_REGS]; /* event, or -1 */
    int n_tests;
    struct {
        int thread, reg, value;
        bool equal;
    } test[ORA_MAX_THREADS * ORA_MAX_CODE];
};

struct answers {
    struct ora_answer at[ORA_WEAK_VISIBILITIES][ORA_WEAK_PERSISTENCIES];
    size_t candidates, most;
    bool thin_air; /* some candidate has values out of themselves: what those are is not said */
    int mistake;   /* 1: the file of one model, the test of the next */
};

static void place(struct skeleton *s, int kind, int t, int at)
{
    const struct ora_ins *i = &s->p->thread[t].code[at];
    assert(s->x.n_events < ORA_MAX_EVENTS);
    struct ora_event *e = &s->x.ev[s->x.n_events++];
    *e = (struct ora_event){.kind = kind,
                            .thread = t,
                            .loc = i->loc,
                            .value = i->value,
                            .order = i->order,
                            .scope = i->scope,
                            .tag = i->tag,
                            .place = at};
}

static void place_instruction(struct skeleton *s, int t, int at)
{
    const struct ora_ins *i = &s->p->thread[t].code[at];
    if (ora_op_loads_register(i->op)) {
        s->load_of[t][i->reg] = s->x.n_events;
        place(s, ORA_READ, t, at);
    }
    if (ora_op_writes(i->op))
        place(s, ORA_WRITE, t, at);
    if (i->op == ORA_FENCE)
        place(s, ORA_FENCE_EVENT, t, at);
    if (i->op == ORA_CM)
        place(s, ORA_CM_EVENT, t, at);
    if (i->op == ORA_PBARRIER)
        place(s, ORA_PB, t, at);
}

static void place_path(struct skeleton *s, int t, bool taken)
{
    int first = s->x.n_events;
    for (int at = 0; at < s->p->thread[t].n_code; at++) {
        const struct ora_ins *i = &s->p->thread[t].code[at];
        if (i->op == ORA_CRASH)
            s->x.crashes[t][s->x.n_events - first]++;
        if (i->op == ORA_IF) {
            s->test[s->n_tests].thread = t;
            s->test[s->n_tests].reg = i->reg;
            s->test[s->n_tests].value = i->value;
            s->test[s->n_tests++].equal = taken != i->negated;
            at += taken ? 0 : i->body;
        } else {
            place_instruction(s, t, at);
        }
    }
}

static void build_skeleton(const struct ora_program *p, unsigned paths, struct skeleton *s)
{
    memset(s, 0, sizeof *s);
    s->p = p;
    for (int t = 0; t < ORA_MAX_THREADS; t++)
        for (int r = 0; r < ORA_MAX_REGS; r++)
            s->load_of[t][r] = -1;
    for (int l = 0; l < p->n_locs; l++)
        s->x.ev[s->x.n_events++] =
            (struct ora_event){.kind = ORA_WRITE, .thread = -1, .loc = l, .value = p->initial[l]};
    for (int t = 0; t < p->n_threads; t++)
        place_path(s, t, paths >> t & 1);
}

/* The event a write's value comes from, -1 when it is a constant. */
static int operand_of(const struct skeleton *s, int write)
{
    const struct ora_event *e = &s->x.ev[write];
    if (e->thread < 0)
        return -1;
    const struct ora_ins *i = &s->p->thread[e->thread].code[e->place];
    if (i->op == ORA_FETCH_ADD)
        return write - 1;
    return i->from_reg ? s->load_of[e->thread][i->reg] : -1;
}

static int written_value(const struct skeleton *s, int write)
{
    const struct ora_event *e = &s->x.ev[write];
    int operand = operand_of(s, write);
    if (e->thread < 0)
        return s->p->initial[e->loc];
    const struct ora_ins *i = &s->p->thread[e->thread].code[e->place];
    if (i->op == ORA_FETCH_ADD)
        return s->x.ev[operand].value + i->value;
    if (i->from_reg)
        return operand < 0 ? 0 : s->x.ev[operand].value; /* a register never loaded on this path */
    return i->value;
}

/* Values along rf and operands, from what is known to what follows. False when a value comes
 * out of itself. */
static bool propagate_values(struct skeleton *s)
{
    uint32_t known = 0, before;
    do {
        before = known;
        for (int e = 0; e < s->x.n_events; e++) {
            struct ora_event *ev = &s->x.ev[e];
            int from = ev->kind == ORA_READ    ? ev->source
                       : ev->kind == ORA_WRITE ? operand_of(s, e)
                                               : -1;
            if ((known >> e & 1) || (from >= 0 && !(known >> from & 1)))
                continue;
            if (ev->kind == ORA_READ)
                ev->value = s->x.ev[from].value;
            else if (ev->kind == ORA_WRITE)
                ev->value = written_value(s, e);
            known |= 1u << e;
        }
    } while (known != before);
    return known == (1u << s->x.n_events) - 1;
}

/* False when a branch was to go the other way. */
static bool settle_branches(struct skeleton *s)
{
    for (int t = 0; t < s->p->n_threads; t++)
        for (int r = 0; r < s->p->thread[t].n_regs; r++) {
            int e = s->load_of[t][r];
            s->x.reg[t][r] = e < 0 ? 0 : s->x.ev[e].value;
        }
    for (int k = 0; k < s->n_tests; k++)
        if ((s->x.reg[s->test[k].thread][s->test[k].reg] == s->test[k].value) != s->test[k].equal)
            return false;
    return true;
}

static bool settle_values(struct skeleton *s, struct answers *a)
{
    if (!propagate_values(s)) {
        a->thin_air = true;
        return false;
    }
    return settle_branches(s);
}

static void settle_memory(struct skeleton *s)
{
    int latest[ORA_MAX_LOCS] = {0};
    for (int e = 0; e < s->x.n_events; e++) {
        const struct ora_event *w = &s->x.ev[e];
        if (w->kind == ORA_WRITE && s->x.co[e] >= latest[w->loc]) {
            latest[w->loc] = s->x.co[e];
            s->x.memory[w->loc] = w->value;
        }
    }
}

static bool says(const struct answers *a, int v, const struct ora_graph *g)
{
    return ora_weak_visibilities[(v + a->mistake) % ORA_WEAK_VISIBILITIES].consistent(g);
}

static void judge_candidate(struct skeleton *s, struct answers *a)
{
    struct ora_graph g;
    struct ora_contract c[ORA_WEAK_PERSISTENCIES];
    struct ora_final f;
    settle_memory(s);
    ora_final_of(s->p, &s->x, &f);
    ora_graph_relate(&g, s->p, &s->x, ORA_MUT_NONE);
    for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++) {
        memset(&c[m], 0, sizeof c[m]);
        c[m].executes_before = g.po;
        ora_rel_join(&c[m].executes_before, &g.rf);
        ora_weak_persistencies[m].contract(&g, &c[m]);
        struct ora_rel atomicity = ora_rel_between(g.nvm_writes, &g.co, g.nvm_writes);
        ora_rel_join(&c[m].persist_before, &atomicity);
    }
    for (int v = 0; v < ORA_WEAK_VISIBILITIES; v++)
        for (int m = 0; m < ORA_WEAK_PERSISTENCIES && says(a, v, &g); m++) {
            ora_set_add(&a->at[v][m].finals, &f);
            ora_crash_cuts(&g, &c[m], &a->at[v][m].crashes);
        }
}

/* Puts the not yet placed write of the location next in its order, each in turn. */
static void choose_co(struct skeleton *s, int loc, int rank, struct answers *a)
{
    bool placed_all = true;
    if (loc == s->p->n_locs) {
        if (++a->candidates <= a->most)
            judge_candidate(s, a);
        return;
    }
    for (int w = s->p->n_locs; w < s->x.n_events; w++) {
        const struct ora_event *e = &s->x.ev[w];
        if (e->kind != ORA_WRITE || e->loc != loc || s->x.co[w])
            continue;
        placed_all = false;
        s->x.co[w] = rank;
        choose_co(s, loc, rank + 1, a);
        s->x.co[w] = 0;
    }
    if (placed_all)
        choose_co(s, loc + 1, 1, a);
}

static void choose_rf(struct skeleton *s, int from, struct answers *a)
{
    while (from < s->x.n_events && s->x.ev[from].kind != ORA_READ)
        from++;
    if (from == s->x.n_events) {
        if (settle_values(s, a))
            choose_co(s, 0, 1, a);
        return;
    }
    for (int w = 0; w < s->x.n_events && a->candidates <= a->most; w++)
        if (s->x.ev[w].kind == ORA_WRITE && s->x.ev[w].loc == s->x.ev[from].loc) {
            s->x.ev[from].source = w;
            choose_rf(s, from + 1, a);
        }
}

static bool has_if(const struct ora_thread *t)
{
    for (int k = 0; k < t->n_code; k++)
        if (t->code[k].op == ORA_IF)
            return true;
    return false;
}

/* False when there are too many candidates. Threads without an `if` have one path. */
static bool solve_weakly(const struct ora_program *p, struct answers *a)
{
    struct skeleton s;
    a->candidates = 0;
    a->thin_air = false;
    a->most = MOST_CANDIDATES;
    for (unsigned paths = 0; paths < 1u << p->n_threads; paths++) {
        bool meaningful = true;
        for (int t = 0; t < p->n_threads; t++)
            meaningful = meaningful && (has_if(&p->thread[t]) || !(paths >> t & 1));
        if (!meaningful)
            continue;
        build_skeleton(p, paths, &s);
        choose_rf(&s, 0, a);
    }
    return a->candidates <= a->most;
}

/* ---- Programs and the campaign -------------------------------------------------------------- */

/* One of the models means fences by ta: no question is answered where a read-modify-write has it.
 */
static void simplify_thread(struct ora_thread *t)
{
    for (int k = 0; k < t->n_code; k++) {
        struct ora_ins *i = &t->code[k];
        if (i->op == ORA_CAS)
            i->op = ORA_EXCHANGE;
        if (i->tag == 1 && ora_op_loads_register(i->op) && ora_op_writes(i->op))
            i->tag = 2;
        if (i->op == ORA_AWAIT || i->op == ORA_LOCK || i->op == ORA_BARRIER ||
            i->op == ORA_REPEAT) {
            ora_remove_instruction(t, k);
            k = -1; /* others may have gone with it */
        }
    }
}

static void simplify(struct ora_program *p)
{
    memset(&p->final, 0, sizeof p->final);
    memset(&p->crash, 0, sizeof p->crash);
    for (int t = 0; t < p->n_threads; t++)
        simplify_thread(&p->thread[t]);
}

struct weak_batch {
    int n;
    struct ora_program program[WEAK_BATCH];
    struct answers truth[WEAK_BATCH];
    struct ora_reply reply[WEAK_BATCH];
};

static void answers_init(struct answers *a)
{
    for (int v = 0; v < ORA_WEAK_VISIBILITIES; v++)
        for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++)
            ora_answer_init(&a->at[v][m]);
}

static void answers_fini(struct answers *a)
{
    for (int v = 0; v < ORA_WEAK_VISIBILITIES; v++)
        for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++)
            ora_answer_fini(&a->at[v][m]);
}

static void fill(const struct ora_options *o, int *next, struct weak_batch *b)
{
    for (b->n = 0; b->n < WEAK_BATCH && *next < o->count; ++*next) {
        ora_program_at(o, *next, &b->program[b->n]);
        simplify(&b->program[b->n]);
        answers_init(&b->truth[b->n]);
        b->truth[b->n].mistake = o->expect_disagreement;
        if (solve_weakly(&b->program[b->n], &b->truth[b->n]))
            b->n++;
        else
            answers_fini(&b->truth[b->n]);
    }
}

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s.cat", folder, name);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    fprintf(out, "\"%s\"\n%s", name, text);
    return fclose(out) == 0;
}

static void remove_file(const char *folder, const char *name)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s.cat", folder, name);
    unlink(path);
}

static void remove_models(const char *folder)
{
    for (int v = 0; v < ORA_WEAK_VISIBILITIES; v++)
        remove_file(folder, ora_weak_visibilities[v].name);
    for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++)
        remove_file(folder, ora_weak_persistencies[m].name);
}

static bool write_models(const char *folder)
{
    bool ok = true;
    for (int v = 0; v < ORA_WEAK_VISIBILITIES; v++)
        ok = ok && write_file(folder, ora_weak_visibilities[v].name, ora_weak_visibilities[v].cat);
    for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++)
        ok =
            ok && write_file(folder, ora_weak_persistencies[m].name, ora_weak_persistencies[m].cat);
    return ok;
}

/* What the campaign has seen so far. */
struct weak_count {
    int programs, comparisons, disagreements, shown, models_differ;
};

static void compare_models(const struct ora_options *o, int v, int m, const char *folder,
                           struct weak_batch *b, struct weak_count *n)
{
    char visibility[PATH_ROOM], persistency[PATH_ROOM];
    snprintf(visibility, sizeof visibility, "%s/%s.cat", o->tool.workdir,
             ora_weak_visibilities[v].name);
    snprintf(persistency, sizeof persistency, "%s/%s.cat", o->tool.workdir,
             ora_weak_persistencies[m].name);
    for (int i = 0; i < b->n; i++)
        ora_reply_init(&b->reply[i]);
    struct ora_models models = {visibility, persistency};
    n->disagreements += !ora_tool_ask(&o->tool, folder, models, b->program, b->n, b->reply);
    for (int i = 0; i < b->n; i++) {
        const struct ora_answer *truth = &b->truth[i].at[v][m];
        bool skip = b->truth[i].thin_air && !ora_weak_visibilities[v].no_thin_air;
        bool agrees = skip || ora_reply_agrees(&b->reply[i], truth);
        n->comparisons += !skip;
        n->disagreements += !agrees;
        if (!agrees && !o->expect_disagreement && n->shown++ < MOST_SHOWN) {
            printf("oracle: disagreement under %s + %s about\n", visibility, persistency);
            ora_write_litmus(stdout, &b->program[i], "t0", "weak model");
            ora_print_difference(stdout, &b->program[i], &b->reply[i], truth);
        }
        ora_reply_fini(&b->reply[i]);
    }
}

static bool compare_batch(const struct ora_options *o, struct weak_batch *b, struct weak_count *n)
{
    char folder[PATH_ROOM / 2];
    snprintf(folder, sizeof folder, "%s/batch", o->tool.workdir);
    if (!ora_write_folder(folder, b->program, b->n))
        return false;
    for (int v = 0; v < ORA_WEAK_VISIBILITIES && b->n; v++)
        for (int m = 0; m < ORA_WEAK_PERSISTENCIES; m++)
            compare_models(o, v, m, folder, b, n);
    ora_remove_folder(folder, b->n);
    return true;
}

/* Done with the batch: counts it and lets it go. */
static void retire(struct weak_batch *b, struct weak_count *n)
{
    n->programs += b->n;
    for (int i = 0; i < b->n; i++) {
        const struct answers *a = &b->truth[i];
        n->models_differ +=
            a->at[0][0].finals.count > a->at[ORA_WEAK_VISIBILITIES - 1][0].finals.count;
        answers_fini(&b->truth[i]);
    }
}

int ora_weak_campaign(const struct ora_options *o)
{
    struct weak_count n = {0};
    struct weak_batch *b = calloc(1, sizeof *b);
    bool ok = b && write_models(o->tool.workdir);
    for (int next = 0; ok && next < o->count;) {
        fill(o, &next, b);
        ok = compare_batch(o, b, &n);
        retire(b, &n);
    }
    free(b);
    if (!n.shown)
        remove_models(o->tool.workdir);
    printf("oracle: %d programs under %d weak models, %d comparisons, %d disagreements; "
           "the models differ on %d programs\n",
           n.programs, ORA_WEAK_VISIBILITIES * ORA_WEAK_PERSISTENCIES, n.comparisons,
           n.disagreements, n.models_differ);
    if (o->expect_disagreement)
        return ok && n.disagreements ? 0 : 1;
    return ok && !n.disagreements && n.programs && n.models_differ ? 0 : 1;
}
