/* Puts barriers, conditions and crash points into a random program; or takes a known program
 * and varies it, which reaches corners that free generation hardly ever meets. */
#include <string.h>

#include "oracle_gen.h"

enum { TWINS_PERCENT = 40 };

/* ---- Barriers, conditions, crash points ---------------------------------------------- */

static int anywhere(struct ora_gen *g, int t)
{
    return ora_below(g, g->p->thread[t].n_code + 1);
}

/* Between two instructions mostly; behind the barriers that are there when in step. */
static int barrier_place(struct ora_gen *g, int t)
{
    const struct ora_thread *th = &g->p->thread[t];
    int first = 0, last = th->n_code;
    for (int k = 0; k < th->n_code && g->in_step; k++)
        if (th->code[k].op == ORA_BARRIER || th->code[k].op == ORA_PBARRIER)
            first = k + 1;
    if (ora_chance(g, 75) && first + 1 < last)
        return first + (first == 0) + ora_below(g, last - first - (first == 0));
    return first + ora_below(g, last - first + 1);
}

static struct ora_ins draw_barrier(struct ora_gen *g)
{
    static const int scopes[ORA_SCOPE_COUNT] = {38, 5, 32, 15, 5, 5};
    struct ora_ins i = {.op = ORA_PBARRIER, .spelling = ora_below(g, 100)};
    i.scope = ora_weighted(g, scopes, ORA_SCOPE_COUNT);
    if (ora_chance(g, 28)) {
        i.op = ORA_BARRIER;
        i.scope = ora_chance(g, 70) ? ORA_WG : ORA_KR;
    }
    return i;
}

/* One barrier in one thread, or in the threads of its scope: in all of them mostly. */
static void add_barrier(struct ora_gen *g)
{
    struct ora_ins i = draw_barrier(g);
    int anchor = ora_below(g, g->p->n_threads);
    bool all = ora_chance(g, 85);
    for (int t = 0; t < g->p->n_threads; t++)
        if (ora_same_instance(g->p, anchor, t, i.scope) &&
            (all || t == anchor || ora_chance(g, 40)))
            ora_insert(g, t, barrier_place(g, t), &i);
}

static void add_if(struct ora_gen *g)
{
    int t = ora_below(g, g->p->n_threads);
    struct ora_thread *th = &g->p->thread[t];
    for (int at = 0; at + 1 < th->n_code; at++) {
        const struct ora_ins *load = &th->code[at];
        if (!ora_op_loads_register(load->op))
            continue;
        int left = th->n_code - at - 1;
        struct ora_ins i = {.op = ORA_IF,
                            .reg = load->reg,
                            .value = ora_chance(g, 75),
                            .negated = ora_chance(g, 25)};
        i.body = left > 1 && ora_chance(g, 50) ? 2 : 1;
        ora_insert(g, t, at + 1, &i);
        return;
    }
}

/* Does an `if` begin or end inside code[at .. at + body - 1]? */
static bool cuts_an_if(const struct ora_thread *t, int at, int body)
{
    for (int k = 0; k < t->n_code; k++) {
        int end = k + t->code[k].body;
        bool head = k >= at && k < at + body, tail = end >= at && end < at + body;
        if (t->code[k].op == ORA_IF && (head || tail || (k < at && end >= at)))
            return !(head && tail);
    }
    return false;
}

/* Repeats one to three instructions, when the test stays small enough. */
static void add_loop(struct ora_gen *g)
{
    int t = ora_below(g, g->p->n_threads), events = 0, nvm = 0;
    struct ora_thread *th = &g->p->thread[t];
    int at = th->n_code ? ora_below(g, th->n_code) : 0, body = 1 + ora_below(g, 3);
    if (at + body > th->n_code)
        body = th->n_code - at;
    for (int k = at; k < at + body; k++) {
        events += ora_events_of(&th->code[k]);
        nvm += ora_op_writes(th->code[k].op) && g->p->nvm[th->code[k].loc];
    }
    struct ora_ins i = {.op = ORA_REPEAT, .value = 2, .body = body};
    if (body == 0 || g->events + events > g->max_events || g->nvm_writes + nvm > MAX_NVM_WRITES ||
        cuts_an_if(th, at, body) || !ora_insert(g, t, at, &i))
        return;
    g->events += events;
    g->nvm_writes += nvm;
}

static void add_crash(struct ora_gen *g)
{
    struct ora_ins i = {.op = ORA_CRASH, .spelling = ora_below(g, 100)};
    int t = ora_below(g, g->p->n_threads);
    ora_insert(g, t, anywhere(g, t), &i);
}

static void generate_freely(struct ora_gen *g)
{
    static const int barriers[] = {15, 30, 35, 20};
    struct ora_program *p = g->p;
    ora_place_threads(g);
    g->home = ora_chance(g, 90) ? ora_common_scope(g) : ORA_WG;
    ora_place_locations(g);
    g->disciplined = ora_chance(g, 70);
    g->in_step = ora_chance(g, 85);
    g->one_scope = ora_chance(g, 65);
    if (p->n_threads > 1 && p->n_threads < 4 && ora_chance(g, 20)) {
        ora_fill_locked(g);
        return;
    }
    if (p->n_threads == 3 && p->n_locs > 2 && ora_chance(g, 30))
        ora_fill_relay(g);
    else
        ora_fill_threads(g);
    for (int n = ora_weighted(g, barriers, 4); n > 0; n--)
        add_barrier(g);
    if (ora_chance(g, 20))
        add_if(g);
    if (ora_chance(g, 12))
        add_loop(g);
    if (ora_chance(g, 25))
        for (int n = 1 + ora_below(g, 2); n > 0; n--)
            add_crash(g);
}

/* ---- Variants of the known programs ---------------------------------------------------- */

/* Takes over what the program is made of, so that additions fit to it. */
static void survey(struct ora_gen *g)
{
    const struct ora_program *p = g->p;
    g->home = ora_common_scope(g);
    g->in_step = g->one_scope = true;
    for (int t = 0; t < p->n_threads; t++)
        for (int k = 0; k < p->thread[t].n_code; k++) {
            const struct ora_ins *i = &p->thread[t].code[k];
            g->events += ora_events_of(i);
            g->nvm_writes += ora_op_writes(i->op) && p->nvm[i->loc];
            if (ora_op_is_access(i->op) && i->order != ORA_NA)
                g->atomic[i->loc] = true;
            if (ora_op_writes(i->op))
                g->last_value[i->loc]++;
        }
}

static void change_scope(struct ora_gen *g, struct ora_ins *i)
{
    if (i->op == ORA_BARRIER)
        i->scope = ora_chance(g, 50) ? ORA_WG : ORA_KR;
    else if (i->op == ORA_PBARRIER || i->order != ORA_NA)
        i->scope = ora_below(g, ORA_SCOPE_COUNT);
}

static void move_thread(struct ora_gen *g, struct ora_thread *t)
{
    if (ora_chance(g, 60))
        t->wg = !t->wg;
    else
        t->kr = !t->kr;
}

static void drop(struct ora_gen *g, struct ora_thread *t, int at)
{
    const struct ora_ins *i = &t->code[at];
    if (t->n_code < 2)
        return;
    g->events -= ora_events_of(i);
    g->nvm_writes -= ora_op_writes(i->op) && g->p->nvm[i->loc];
    ora_remove_instruction(t, at);
}

static void vary(struct ora_gen *g)
{
    int t = ora_below(g, g->p->n_threads);
    struct ora_thread *th = &g->p->thread[t];
    int at = th->n_code ? ora_below(g, th->n_code) : 0;
    switch (ora_below(g, 8)) {
    case 0: drop(g, th, at); break;
    case 1: move_thread(g, th); break;
    case 2:
    case 3: change_scope(g, &th->code[at]); break;
    case 4: add_barrier(g); break;
    case 5: add_crash(g); break;
    default: ora_add_random(g, t);
    }
}

static void generate_variant(struct ora_gen *g)
{
    ora_known_program(ora_below(g, ora_known_count()), g->p);
    survey(g);
    for (int n = ora_below(g, 4); n > 0; n--)
        vary(g);
}

static int events_of_thread(const struct ora_thread *t)
{
    int events = 0;
    for (int k = 0; k < t->n_code; k++)
        events += ora_events_of(&t->code[k]);
    return events;
}

/* One thread becomes a twin of another, of whose registers nobody sees anything: the tool
 * looks at one of two executions that differ by an exchange of the two. */
static void make_twins(struct ora_gen *g)
{
    struct ora_program *p = g->p;
    int first = ora_below(g, p->n_threads), second = ora_below(g, p->n_threads);
    int more = events_of_thread(&p->thread[first]) - events_of_thread(&p->thread[second]);
    if (first == second || g->events + more > g->max_events)
        return;
    p->thread[second] = p->thread[first];
    p->hidden = 1 << first | 1 << second;
}

/* ---- Tags ------------------------------------------------------------------------------ */

static bool may_have_tag(int op)
{
    return op == ORA_LOAD || op == ORA_STORE || op == ORA_EXCHANGE || op == ORA_FETCH_ADD ||
           op == ORA_FENCE;
}

/* Behind a write, maintenance of its location, of another now and then, and a fence. */
static void add_flush(struct ora_gen *g)
{
    int t = ora_below(g, g->p->n_threads);
    const struct ora_thread *th = &g->p->thread[t];
    for (int at = 0; at < th->n_code; at++) {
        const struct ora_ins *i = &th->code[at];
        struct ora_ins flush = {.op = ORA_CM, .tag = 1 + ora_chance(g, 20) * 2};
        struct ora_ins fence = {.op = ORA_FENCE, .tag = ora_chance(g, 80)};
        if (!ora_op_writes(i->op) || !g->p->nvm[i->loc] || ora_chance(g, 40))
            continue;
        flush.loc = ora_chance(g, 80) ? i->loc : ora_below(g, g->p->n_locs);
        if (ora_chance(g, 80) && !ora_insert(g, t, ++at, &flush))
            return;
        if (ora_chance(g, 80))
            ora_insert(g, t, at + 1, &fence);
        return;
    }
}

/* By draws of its own, so that programs of a seed are what they are without. */
static void add_tags(struct ora_gen *g, uint64_t seed)
{
    struct ora_gen own = *g;
    own.rng = ~seed;
    if (!ora_chance(&own, 30))
        return;
    for (int t = 0; t < g->p->n_threads; t++)
        for (int k = 0; k < g->p->thread[t].n_code; k++)
            if (may_have_tag(g->p->thread[t].code[k].op) && ora_chance(&own, 35))
                g->p->thread[t].code[k].tag = 1 + ora_below(&own, 2);
    if (ora_chance(&own, 50))
        add_flush(&own);
    g->events = own.events;
}

static void add_tag(struct ora_gen *g, int *tag)
{
    *tag = ora_chance(g, 50) ? 1 + ora_below(g, ORA_TAGS) : 0;
}

/* A location joins the line of one before it that is of the same memory. */
static void add_line(struct ora_gen *g, int l)
{
    int first = ora_below(g, l);
    if (g->p->nvm[first] == g->p->nvm[l] && ora_chance(g, 40))
        g->p->line_with[l] = g->p->line_with[first] ? g->p->line_with[first] : first + 1;
}

void ora_tag(struct ora_program *p, uint64_t seed, int events)
{
    struct ora_gen g = {.rng = seed, .p = p, .max_events = events};
    bool loops = false;
    survey(&g);
    for (int l = 0; l < p->n_locs; l++) {
        add_tag(&g, &p->tag[l]);
        if (l > 0)
            add_line(&g, l);
    }
    for (int t = 0; t < p->n_threads; t++) {
        add_tag(&g, &p->thread[t].tag);
        for (int k = 0; k < p->thread[t].n_code; k++) {
            struct ora_ins *i = &p->thread[t].code[k];
            loops = loops || i->op == ORA_REPEAT;
            if (may_have_tag(i->op) && ora_chance(&g, 70))
                i->tag = 1 + ora_below(&g, ORA_TAGS);
        }
    }
    for (int n = loops ? 0 : ora_below(&g, 3); n > 0; n--) /* a loop would do it twice */
        add_flush(&g);
}

/* ---- Transactions ---------------------------------------------------------------------- */

bool ora_has_marks(const struct ora_program *p)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int k = 0; k < p->thread[t].n_code; k++)
            if (p->thread[t].code[k].op == ORA_MARK)
                return true;
    return false;
}

/* Is the instruction one that waits? In a transaction that keeps its writes it would wait for
 * itself. */
static bool may_spin(const struct ora_thread *t, int at, int from, int to)
{
    const struct ora_ins *i = &t->code[at];
    if (i->op != ORA_AWAIT)
        return i->op == ORA_LOCK;
    for (int k = from; k < to; k++)
        if (ora_op_writes(t->code[k].op) && t->code[k].loc == i->loc)
            return true;
    return false;
}

/* May code[from .. to - 1] be a transaction? It has no marks inside and around, and cuts no block
 * but, with `astray`, the `if` that it begins in: on the other way there is an end alone. */
static bool may_enclose(const struct ora_thread *t, int from, int to, bool astray)
{
    bool open = false;
    for (int k = 0; k < t->n_code; k++) {
        const struct ora_ins *i = &t->code[k];
        int last = k + i->body;
        if (k < from) {
            open = i->op == ORA_MARK ? i->value == ORA_BEGIN : open;
            if (last >= from && last < to && !(i->op == ORA_IF && astray))
                return false;
        } else if (k < to && (i->op == ORA_MARK || last >= to || may_spin(t, k, from, to)))
            return false;
    }
    return !open && to > from;
}

static bool mark(struct ora_gen *g, int t, int at, int which)
{
    struct ora_ins i = {.op = ORA_MARK, .value = which};
    return ora_insert(g, t, at, &i);
}

/* In front of the instruction that is there. */
static bool test(struct ora_gen *g, int t, int at, struct ora_ins test)
{
    test.body = 1;
    return ora_insert(g, t, at, &test);
}

/* A register says which mark it comes to; one time in ten there is none on the other way. */
static bool end_by_register(struct ora_gen *g, int t, int at, int reg)
{
    struct ora_ins on = {.op = ORA_IF, .reg = reg, .value = ora_chance(g, 40)}, other = on;
    other.negated = true;
    int first = ora_chance(g, 50) ? ORA_ABORT : ORA_END;
    bool fits =
        ora_chance(g, 10) || (mark(g, t, at, ORA_ABORT + ORA_END - first) && test(g, t, at, other));
    return fits && mark(g, t, at, first) && test(g, t, at, on);
}

/* The same once more, behind an abort. */
static bool retry(struct ora_gen *g, int t, int from, int to)
{
    const struct ora_thread *th = &g->p->thread[t];
    for (int k = from; k < to; k++)
        if (ora_op_loads_register(th->code[k].op) || ora_op_has_body(th->code[k].op))
            return true;
    bool fits = mark(g, t, to, ORA_END);
    for (int k = to - 1; k >= from && fits; k--) {
        struct ora_ins again = th->code[k];
        fits = ora_insert(g, t, to, &again);
    }
    return fits && mark(g, t, to, ORA_BEGIN);
}

static bool enclose(struct ora_gen *g, int t, int from, int to)
{
    const struct ora_thread *th = &g->p->thread[t];
    int at = ora_below(g, to), reg = -1;
    if (ora_op_loads_register(th->code[at].op))
        reg = th->code[at].reg;
    bool aborts = ora_chance(g, 45), fits = true;
    if (reg >= 0 && ora_chance(g, 50))
        fits = end_by_register(g, t, to, reg);
    else if (aborts && ora_chance(g, 30))
        fits = retry(g, t, from, to) && mark(g, t, to, ORA_ABORT);
    else
        fits = mark(g, t, to, aborts ? ORA_ABORT : ORA_END);
    return fits && mark(g, t, from, ORA_BEGIN);
}

static void add_transaction(struct ora_gen *g, int t)
{
    struct ora_program before = *g->p;
    const struct ora_gen drawn = *g;
    int n = g->p->thread[t].n_code;
    int from = n ? ora_below(g, n) : 0, to = from + 1 + ora_below(g, 3);
    if (to > n)
        to = n;
    if (!may_enclose(&before.thread[t], from, to, ora_chance(g, 15)) || enclose(g, t, from, to))
        return;
    *g->p = before; /* there was no room */
    g->events = drawn.events;
    g->nvm_writes = drawn.nvm_writes;
}

void ora_add_transactions(struct ora_program *p, uint64_t seed, int events)
{
    struct ora_gen g = {.rng = seed, .p = p, .max_events = events};
    survey(&g);
    for (int n = 1 + ora_below(&g, 3); n > 0; n--)
        add_transaction(&g, ora_below(&g, p->n_threads));
    for (int t = 0; t < p->n_threads; t++) /* twins stay so */
        for (int u = t + 1; u < p->n_threads; u++)
            if ((p->hidden >> t & 1) && (p->hidden >> u & 1) &&
                g.events + events_of_thread(&p->thread[t]) - events_of_thread(&p->thread[u]) <=
                    events)
                p->thread[u] = p->thread[t];
}

void ora_generate(struct ora_program *p, uint64_t seed, int events)
{
    struct ora_gen g = {.rng = seed, .p = p, .max_events = events};
    memset(p, 0, sizeof *p);
    if (ora_chance(&g, 65))
        generate_freely(&g);
    else
        generate_variant(&g);
    add_tags(&g, seed);
    if (p->n_threads > 1 && ora_chance(&g, TWINS_PERCENT))
        make_twins(&g);
    ora_draw_conditions(&g);
}
