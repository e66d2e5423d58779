/* The names of the persistency contract by brute force: random persistency models over sc, each a
 * cat file and, name by name, a relation worked out here from what the file says. A model is kept
 * for a batch of programs. Executions are those that interleaving finds, less what a cycle with
 * adds-to-hb takes away. What a definition says may be of the events of a tag (oracle_tags.h). One
 * batch in four is about a model of Kiln (oracle_kiln.c). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle_tags.h"

enum { BATCH = 25, PATH_ROOM = 1024, MOST_SHOWN = 3 };

/* A step, perhaps turned round, or two of them joined. */
enum step { PO, PO_TO_PB, PO_FROM_PB, RF, CO, FR, PO_LOC, PO_LINE, LINE, ID, STEPS };

static const char *const step_words[STEPS] = {"po", "(po; [PB])", "([PB]; po)",  "rf",   "co",
                                              "fr", "(po & loc)", "(po & line)", "line", "id"};

/* Each step from events of a set to events of another. */
struct part {
    int step[2];
    bool turned[2];
    struct ora_tagged from[2], to[2];
    int count; /* 0: the model is silent */
};

/* Writes inside of transactions: X(set). */
#define WRITES(X)            \
    X("{}")                  \
    X("W & NVM")             \
    X("W")                   \
    X("W \\ NVM")            \
    X("(W & NVM) \\ ATOMIC") \
    X("W & NVM & ATOMIC")

#define X(set) set,
static const char *const write_words[] = {WRITES(X)};
#undef X

/* Is a write of the order, to NVRAM or not, in that set? */
static bool has_write(int set, int order, bool nvm)
{
    bool atomic = order != ORA_NA;
    const bool sets[] = {false, nvm, true, !nvm, nvm && !atomic, nvm && atomic};
    return sets[set];
}

enum landing { BY_COHERENCE, AMONG, WITHOUT, INSIDE, OF_SET, LANDINGS };

struct model {
    struct ora_declarations tags;
    struct part persist, before, after, can, lands, adds, atomic;
    bool executes; /* coherence is part of executes-before */
    bool domain;   /* can-persist: what has a step, else what is not reached by one */
    int landing;
    int withheld, undone, may_stay; /* of WRITES */
    int kiln;                       /* one of Kiln's models instead */
};

/* ---- Drawing and writing ---- */

static struct part draw_part(struct ora_gen *g, int percent)
{
    struct part part = {.count = ora_chance(g, percent) ? 1 + ora_chance(g, 40) : 0};
    for (int i = 0; i < part.count; i++) {
        part.step[i] = ora_below(g, STEPS);
        part.turned[i] = ora_chance(g, 25);
        ora_tagged_draw(g, &part.from[i]);
        ora_tagged_draw(g, &part.to[i]);
    }
    return part;
}

/* Of transactions that keep something to themselves, most do so with all that is not lost. */
static int draw_writes(struct ora_gen *g)
{
    static const int weights[] = {45, 35, 5, 5, 5, 5};
    return ora_weighted(g, weights, (int)(sizeof weights / sizeof *weights));
}

static struct model draw_model(uint64_t seed)
{
    struct ora_gen g = {.rng = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u};
    struct model m = {.persist = draw_part(&g, 50), .before = draw_part(&g, 40)};
    m.after = draw_part(&g, 60);
    m.can = draw_part(&g, 50);
    m.lands = draw_part(&g, 100);
    m.adds = draw_part(&g, 25);
    for (int i = 0; i < 2; i++) /* an order is not reflexive */
        m.adds.step[i] = m.adds.step[i] >= LINE ? PO_LINE : m.adds.step[i];
    m.domain = ora_chance(&g, 60);
    m.landing = ora_below(&g, LANDINGS);
    m.atomic = draw_part(&g, 20);
    m.executes = ora_chance(&g, 25);
    ora_declarations_draw(&g, &m.tags);
    m.withheld = draw_writes(&g);
    m.undone = draw_writes(&g);
    m.may_stay = ora_chance(&g, 40) ? draw_writes(&g) : 0;
    return m;
}

/* Three batches of random models, and one of Kiln's. */
static struct model model_at(uint64_t seed, int number)
{
    struct model m = draw_model(seed * 1000003u + (uint64_t)number);
    if (number % 4 == 3)
        m = (struct model){.undone = 1, .kiln = 1 + number / 4 % (ORA_KILN_END - 1)};
    return m;
}

static void print_part(FILE *out, const struct part *part)
{
    for (int i = 0; i < part->count; i++) {
        fputs(i ? " | (" : "(", out);
        ora_tagged_print(out, &part->from[i], "[", "]; ");
        fprintf(out, "%s%s", step_words[part->step[i]], part->turned[i] ? "^-1" : "");
        ora_tagged_print(out, &part->to[i], "; [", "]");
        fputc(')', out);
    }
}

static void print_name(FILE *out, const char *before, const struct part *part, const char *behind)
{
    if (!part->count)
        return;
    fputs(before, out);
    print_part(out, part);
    fputs(behind, out);
}

static void print_model(FILE *out, const struct model *m)
{
    fputs("\"random\"\n", out);
    ora_declarations_print(out, &m->tags);
    fputs("let NVW = W & NVM\n", out);
    print_name(out, "let persist-atomic = [NVW]; (", &m->atomic, "); [NVW]\n");
    if (m->executes)
        fputs("let executes-before = po | rf | syncbar | co\n", out);
    print_name(out, "let adds-to-hb = ", &m->adds, "\n");
    print_name(out, "let persist-before = [NVW]; (", &m->persist, "); [NVW]\n");
    print_name(out, "let durable-before = [NVW]; (", &m->before, ")\n");
    print_name(out, "let durable-after = (", &m->after, "); [NVW]\n");
    print_name(out,
               m->domain ? "let can-persist = NVW & domain(" : "let can-persist = NVW \\ range(",
               &m->can, ")\n");
    if (m->withheld)
        fprintf(out, "let withheld = %s\n", write_words[m->withheld]);
    if (m->undone)
        fprintf(out, "let undone = %s\n", write_words[m->undone]);
    if (m->may_stay)
        fprintf(out, "let may-stay = %s\n", write_words[m->may_stay]);
    switch (m->landing) {
    case AMONG: print_name(out, "let lands-before = co & (", &m->lands, ")\n"); break;
    case WITHOUT: print_name(out, "let lands-before = co \\ (", &m->lands, ")\n"); break;
    case INSIDE: fprintf(out, "let lands-before = po & loc\n"); break;
    case OF_SET: fprintf(out, "let lands-before = [can-persist]; co; [can-persist]\n"); break;
    default: break;
    }
}

static bool write_model(const char *path, const struct model *m)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    print_model(out, m);
    return fclose(out) == 0;
}

/* ---- What the file says of one execution ---- */

/* Accesses and cache maintenance. */
static bool has_place(const struct ora_event *e)
{
    return e->kind <= ORA_WRITE || e->kind == ORA_CM_EVENT;
}

static struct ora_rel one_location(const struct ora_graph *g, struct ora_rel r)
{
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++) {
            const struct ora_event *x = &g->x->ev[a], *y = &g->x->ev[b];
            if (!has_place(x) || !has_place(y) || x->loc != y->loc)
                r.row[a] &= ~(1u << b);
        }
    return r;
}

static int line_of(const struct ora_graph *g, int e)
{
    int loc = g->x->ev[e].loc, first = g->p->line_with[loc];
    return first ? first - 1 : loc;
}

static struct ora_rel one_line(const struct ora_graph *g)
{
    struct ora_rel r = {{0}};
    for (int a = 0; a < g->x->n_events; a++)
        for (int b = 0; b < g->x->n_events; b++)
            if (has_place(&g->x->ev[a]) && has_place(&g->x->ev[b]) &&
                line_of(g, a) == line_of(g, b))
                ora_rel_put(&r, a, b);
    return r;
}

static struct ora_rel step_of(const struct ora_graph *g, int step)
{
    uint32_t pb = ora_graph_kind(g, ORA_PB);
    struct ora_rel r = one_line(g);
    switch ((enum step)step) {
    case PO: return g->po;
    case PO_TO_PB: return ora_rel_between(~0u, &g->po, pb);
    case PO_FROM_PB: return ora_rel_between(pb, &g->po, ~0u);
    case RF: return g->rf;
    case CO: return g->co;
    case FR: return g->fr;
    case PO_LOC: return one_location(g, g->po);
    case PO_LINE:
        for (int e = 0; e < g->x->n_events; e++)
            r.row[e] &= g->po.row[e];
        return r;
    case LINE: return r;
    case ID:
    case STEPS: break;
    }
    memset(&r, 0, sizeof r);
    for (int e = 0; e < g->x->n_events; e++)
        ora_rel_put(&r, e, e);
    return r;
}

static struct ora_rel turned(const struct ora_rel *r)
{
    struct ora_rel out = {{0}};
    for (int a = 0; a < ORA_MAX_EVENTS; a++)
        for (int b = 0; b < ORA_MAX_EVENTS; b++)
            if (ora_rel_has(r, a, b))
                ora_rel_put(&out, b, a);
    return out;
}

/* A location that no other event of the execution is about has no initial write. */
static uint32_t events_in_use(const struct ora_graph *g)
{
    uint32_t set = ~0u << g->p->n_locs;
    for (int e = g->p->n_locs; e < g->x->n_events; e++)
        if (has_place(&g->x->ev[e]))
            set |= 1u << g->x->ev[e].loc;
    return set;
}

static struct ora_rel value_of(const struct ora_graph *g, const struct model *m,
                               const struct part *part)
{
    struct ora_rel out = {{0}};
    uint32_t used = events_in_use(g);
    for (int i = 0; i < part->count; i++) {
        struct ora_rel step = step_of(g, part->step[i]);
        if (part->turned[i])
            step = turned(&step);
        step = ora_rel_between(used & ora_tagged_events(g, &m->tags, &part->from[i]), &step,
                               used & ora_tagged_events(g, &m->tags, &part->to[i]));
        ora_rel_join(&out, &step);
    }
    return out;
}

static uint32_t cannot_persist(const struct ora_graph *g, const struct model *m)
{
    struct ora_rel r = value_of(g, m, &m->can);
    uint32_t first = 0, second = 0;
    for (int a = 0; a < g->x->n_events; a++) {
        first |= r.row[a] ? 1u << a : 0;
        second |= r.row[a];
    }
    return !m->can.count ? 0 : g->nvm_writes & (m->domain ? ~first : second);
}

static struct ora_rel landing_of(const struct ora_graph *g, const struct model *m, uint32_t can)
{
    struct ora_rel r = g->co, part = value_of(g, m, &m->lands);
    for (int a = 0; a < ORA_MAX_EVENTS; a++) {
        if (m->landing == AMONG)
            r.row[a] &= part.row[a];
        if (m->landing == WITHOUT)
            r.row[a] &= ~part.row[a];
    }
    if (m->landing == INSIDE)
        return one_location(g, g->po);
    return m->landing == OF_SET ? ora_rel_between(can, &g->co, can) : r;
}

/* Durable at once is before each other. */
static void join_classes(const struct ora_graph *g, struct ora_rel atomic, struct ora_rel *persist)
{
    struct ora_rel back = turned(&atomic);
    ora_rel_join(&atomic, &back);
    atomic = ora_rel_between(g->nvm_writes, &atomic, g->nvm_writes);
    ora_rel_join(persist, &atomic);
}

static void contract_of(const struct ora_graph *g, const struct model *m, bool mistaken,
                        struct ora_contract *c)
{
    struct ora_rel persist = value_of(g, m, &m->persist), before = value_of(g, m, &m->before);
    struct ora_rel after = value_of(g, m, &m->after);
    if (m->kiln) {
        ora_kiln_contract(g, m->kiln, c);
        return;
    }
    memset(c, 0, sizeof *c);
    c->executes_before = g->po;
    ora_rel_join(&c->executes_before, &g->rf);
    ora_rel_join(&c->executes_before, &g->syncbar);
    c->persist_before = ora_rel_between(g->nvm_writes, &persist, g->nvm_writes);
    c->durable_before = ora_rel_between(g->nvm_writes, &before, ~0u);
    c->durable_after = ora_rel_between(~0u, &after, g->nvm_writes);
    c->cannot_persist = mistaken ? 0 : cannot_persist(g, m);
    join_classes(g, value_of(g, m, &m->atomic), &c->persist_before);
    if (m->executes)
        ora_rel_join(&c->executes_before, &g->co);
    c->lands = true;
    c->lands_before = landing_of(g, m, g->nvm_writes & ~cannot_persist(g, m));
}

/* sc: no cycle of po, com, what comes before a barrier before everybody's passing of it, and this.
 */
static bool consistent(const struct ora_graph *g, const struct model *m)
{
    struct ora_rel order = value_of(g, m, &m->adds);
    struct ora_rel bar = ora_rel_between(~0u, &g->po, ora_graph_kind(g, ORA_B));
    bar = ora_rel_chain(bar, g->syncbar);
    ora_rel_join(&order, &bar);
    ora_rel_join(&order, &g->po);
    ora_rel_join(&order, &g->rf);
    ora_rel_join(&order, &g->co);
    ora_rel_join(&order, &g->fr);
    ora_rel_close(&order);
    for (int e = 0; m->adds.count && e < g->x->n_events; e++)
        if (ora_rel_has(&order, e, e))
            return false;
    return true;
}

static void judge(const struct ora_graph *g, const struct model *m, bool mistaken,
                  struct ora_answer *a)
{
    struct ora_contract c;
    struct ora_final f;
    bool divergent = ora_exec_divergent(g->p, g->x);
    bool disordered = ora_exec_disordered(g->p, g->x);
    if (!consistent(g, m))
        return;
    a->disordered = a->disordered || disordered;
    a->divergent = a->divergent || divergent;
    a->undefined = a->undefined || divergent || disordered;
    if (g->x->failing)
        return;
    if (ora_exec_complete(g->p, g->x)) {
        ora_final_of(g->p, g->x, &f);
        ora_set_add(&a->finals, &f);
    }
    contract_of(g, m, mistaken, &c);
    ora_crash_cuts(g, &c, &a->crashes);
}

static bool has_reads(const struct part *part)
{
    for (int i = 0; i < part->count; i++)
        if (part->step[i] == RF || part->step[i] == FR)
            return true;
    return false;
}

/* Does a read-modify-write have a tag that the model declares for fences and not for what it is? No
 * such question is answered. */
static bool means_fences(const struct ora_ins *ins, const struct model *m)
{
    const uint32_t *declared = m->tags.declared;
    uint32_t own =
        declared[ORA_OF_R] | declared[ORA_OF_W] | declared[ORA_OF_M] | declared[ORA_OF_RMW];
    return ora_op_loads_register(ins->op) && ora_op_writes(ins->op) && ins->tag &&
           (declared[ORA_OF_F] & ~own) >> ins->tag & 1;
}

/* A test-and-set that fails and is left out is a version of its own where others than coherence
 * order versions, and then such a loop has no end. Reads that a wait repeats are left out as well,
 * and what can persist should not depend on them (docs/models/cat.md). Such programs are not looked
 * at. */
static bool suits(const struct ora_program *p, const struct model *m)
{
    if (m->kiln && !ora_has_marks(p))
        return false;
    for (int t = 0; t < p->n_threads; t++)
        for (int i = 0; i < p->thread[t].n_code; i++) {
            const struct ora_ins *ins = &p->thread[t].code[i];
            bool waits = ins->op == ORA_LOCK || ins->op == ORA_AWAIT;
            if (means_fences(ins, m))
                return false;
            if (waits && ((ins->op == ORA_LOCK && ins->negated) || has_reads(&m->can)))
                return false;
        }
    return true;
}

static struct ora_keeping keeping_of(const struct model *m)
{
    struct ora_keeping keeping = {0, 0, 0};
    for (int order = 0; order < ORA_ORDER_COUNT; order++)
        for (int nvm = 0; nvm < 2; nvm++) {
            uint32_t kind = 1u << ora_kind_of_write(order, nvm);
            keeping.withheld |= has_write(m->withheld, order, nvm) ? kind : 0;
            keeping.undone |= has_write(m->undone, order, nvm) ? kind : 0;
            keeping.may_stay |= has_write(m->may_stay, order, nvm) ? kind : 0;
        }
    return keeping;
}

static bool solve(const struct ora_program *p, const struct model *m, bool mistaken,
                  struct ora_answer *a)
{
    struct ora_runs runs = {keeping_of(m), {0}, false};
    ora_set_init(&runs.execs, sizeof(struct ora_exec));
    ora_explore(p, false, ORA_MUT_NONE, &runs);
    for (size_t i = 0; i < runs.execs.count && !runs.too_many; i++) {
        struct ora_graph g;
        ora_graph_build(&g, p, ora_set_at(&runs.execs, i), ORA_MUT_NONE);
        judge(&g, m, mistaken, a);
    }
    ora_set_fini(&runs.execs);
    return !runs.too_many;
}

/* ---- The campaign ---- */

struct batch {
    int n;
    struct ora_program program[BATCH];
    struct ora_answer truth[BATCH];
    struct ora_reply reply[BATCH];
};

struct count {
    int programs, disagreements, shown, models, tags_matter, keeping_matters;
};

/* Would the answer be another under this one? */
static bool tells(const struct ora_program *p, const struct model *other,
                  const struct ora_answer *truth)
{
    struct ora_answer a;
    ora_answer_init(&a);
    solve(p, other, false, &a);
    bool equal = ora_set_equal(&a.finals, &truth->finals) &&
                 ora_set_equal(&a.crashes, &truth->crashes) && a.undefined == truth->undefined;
    ora_answer_fini(&a);
    return !equal;
}

static void note_what_matters(const struct ora_program *p, const struct model *m,
                              const struct ora_answer *truth, struct count *n)
{
    struct model without = *m, open = *m;
    memset(&without.tags, 0, sizeof without.tags);
    open.withheld = open.undone = 0;
    n->tags_matter += tells(p, &without, truth);
    n->keeping_matters += ora_has_marks(p) && (m->withheld || m->undone) && tells(p, &open, truth);
}

static void fill(const struct ora_options *o, const struct model *m, int *next, struct batch *b)
{
    for (b->n = 0; b->n < BATCH && *next < o->count; ++*next) {
        ora_program_at(o, *next, &b->program[b->n]);
        if (!suits(&b->program[b->n], m))
            continue;
        ora_answer_init(&b->truth[b->n]);
        if (solve(&b->program[b->n], m, o->expect_disagreement, &b->truth[b->n]))
            b->n++;
        else
            ora_answer_fini(&b->truth[b->n]);
    }
}

static void compare(const struct ora_options *o, const struct model *m, const char *path,
                    struct batch *b, struct count *n)
{
    char folder[PATH_ROOM / 2];
    struct ora_models models = {"sc", m->kiln ? ora_kiln_name(m->kiln) : path};
    snprintf(folder, sizeof folder, "%s/batch", o->tool.workdir);
    for (int i = 0; i < b->n; i++)
        ora_reply_init(&b->reply[i]);
    bool ok = ora_write_folder(folder, b->program, b->n) && write_model(path, m);
    n->disagreements += !ok || !ora_tool_ask(&o->tool, folder, models, b->program, b->n, b->reply);
    for (int i = 0; i < b->n; i++) {
        bool agrees = ora_reply_agrees(&b->reply[i], &b->truth[i]);
        n->disagreements += !agrees;
        if (!o->expect_disagreement)
            note_what_matters(&b->program[i], m, &b->truth[i], n);
        if (!agrees && !o->expect_disagreement && n->shown++ < MOST_SHOWN) {
            printf("oracle: disagreement under sc and %s\n", models.persistency);
            print_model(stdout, m);
            ora_write_litmus(stdout, &b->program[i], "t0", "random persistency model");
            ora_print_difference(stdout, &b->program[i], &b->reply[i], &b->truth[i]);
        }
        ora_reply_fini(&b->reply[i]);
        ora_answer_fini(&b->truth[i]);
    }
    ora_remove_folder(folder, b->n);
    n->programs += b->n;
    n->models++;
}

int ora_contract_campaign(const struct ora_options *o)
{
    char path[PATH_ROOM];
    struct count n = {0};
    struct batch *b = calloc(1, sizeof *b);
    snprintf(path, sizeof path, "%s/random.cat", o->tool.workdir);
    for (int next = 0; b && next < o->count;) {
        struct model m = model_at(o->seed, n.models);
        fill(o, &m, &next, b);
        compare(o, &m, path, b, &n);
    }
    free(b);
    unlink(path);
    printf("oracle: %d programs under %d persistency models, %d disagreements; "
           "tags matter to %d programs, what transactions keep to themselves to %d\n",
           n.programs, n.models, n.disagreements, n.tags_matter, n.keeping_matters);
    if (o->expect_disagreement)
        return n.disagreements ? 0 : 1;
    return n.programs && n.tags_matter && n.keeping_matters && !n.disagreements ? 0 : 1;
}
