/* Runs a program in every order of steps, one instruction of one work-item at a time.
 *
 * The state is the execution so far (events of each thread, what each read took, the order
 * of writes per location), so two orders of steps that made the same partial execution meet
 * in one state, and a state seen before need not be gone on from: what can follow and
 * what will be recorded depend on the state alone.
 *
 * Fences, cache maintenance, crash points, tests of registers and barriers nobody waits at
 * touch nothing shared. They are taken at once, which loses no execution.
 */
#include <assert.h>
#include <string.h>

#include "oracle.h"

enum { MAX_STATES = 60000, MAX_EXECS = 4000, REF = 32, MAX_WRITES = 18, MAX_TRIES = 2 };

/* A store that the transaction keeps to itself. */
struct logged {
    int at, value; /* the instruction's index */
};

struct walker {
    int pc, n_events;
    int inside, aborts; /* of a transaction; it will be aborted */
    int n_logged;       /* of each location one, in the order of their last stores */
    struct logged log[ORA_MAX_LOCS];
    int crashes[ORA_MAX_THREAD_EVENTS + 1];
    int n_computed;
    struct ora_computed computed[ORA_MAX_REGS * 2];
    int rounds, first, last; /* of the loop it is in: rounds to come, its body */
    int reg[ORA_MAX_REGS];
    int met[2][ORA_SCOPE_COUNT]; /* B and PB executed, by scope */
    struct ora_event ev[ORA_MAX_THREAD_EVENTS];
};

struct state {
    struct walker w[ORA_MAX_THREADS];
    int memory[ORA_MAX_LOCS];
    int n_writes[ORA_MAX_LOCS];
    int writes[ORA_MAX_LOCS][MAX_WRITES]; /* references, oldest first */
    int failing, tries;
    int vain; /* a transaction has come to another mark than it was said to */
};

struct search {
    const struct ora_program *p;
    bool collective;
    int mutation;
    struct ora_set seen; /* of struct state */
    struct ora_runs *out;
};

/* A write is named by thread and place in the thread, the initial one by its location. */
static int ref_of(int thread, int index)
{
    return thread * REF + index;
}

static int ref_initial(int loc)
{
    return -1 - loc;
}

static int last_write(const struct state *s, int loc)
{
    int n = s->n_writes[loc];
    return n ? s->writes[loc][n - 1] : ref_initial(loc);
}

static const struct ora_ins *next(const struct search *q, const struct state *s, int t)
{
    const struct ora_thread *th = &q->p->thread[t];
    return s->w[t].pc < th->n_code ? &th->code[s->w[t].pc] : NULL;
}

static int scope_of(const struct search *q, const struct ora_ins *i)
{
    bool widen = q->mutation == ORA_MUT_WIDE_WI_BARRIERS && i->op == ORA_PBARRIER;
    return widen && i->scope == ORA_WI ? ORA_WG : i->scope;
}

/* Is the instruction a rendezvous? */
static bool waits(const struct search *q, const struct ora_ins *i)
{
    return i->op == ORA_BARRIER || (i->op == ORA_PBARRIER && q->collective);
}

/* Goes on by n instructions, back to the start of a loop that has rounds to come. */
static void advance(struct walker *w, int n)
{
    w->pc += n;
    if (w->rounds && w->pc == w->last + 1) {
        w->rounds--;
        w->pc = w->first;
    }
}

static void enter_loop(struct walker *w, const struct ora_ins *i)
{
    w->rounds = i->value - 1;
    w->first = w->pc + 1;
    w->last = w->pc + i->body;
}

static struct ora_event *emit(struct state *s, int t, int kind, const struct ora_ins *i)
{
    struct walker *w = &s->w[t];
    assert(w->n_events < ORA_MAX_THREAD_EVENTS);
    struct ora_event *e = &w->ev[w->n_events++];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    e->thread = t;
    e->place = w->pc;
    e->order = i->order;
    e->scope = i->scope;
    e->tag = i->tag;
    return e;
}

/* ---- Transactions that keep their writes to themselves ------------------------ */

int ora_kind_of_write(int order, bool nvm)
{
    return 2 * order + nvm;
}

static bool is_kind(const struct search *q, const struct ora_ins *i, uint32_t kinds)
{
    return kinds >> ora_kind_of_write(i->order, q->p->nvm[i->loc]) & 1;
}

/* Does nobody else see the write that the instruction is about to do, if it does not stay? */
static bool keeps(const struct search *q, const struct walker *w, const struct ora_ins *i)
{
    const struct ora_keeping *k = &q->out->keeping;
    return w->inside && (is_kind(q, i, k->withheld) || (w->aborts && is_kind(q, i, k->undone)));
}

/* May it stay all the same? */
static bool may_stay(const struct search *q, const struct walker *w, const struct ora_ins *i)
{
    const struct ora_keeping *k = &q->out->keeping;
    return ora_op_writes(i->op) && keeps(q, w, i) && is_kind(q, i, k->may_stay & ~k->withheld);
}

/* Where the log has the location, else n_logged. */
static int find_logged(const struct search *q, const struct state *s, int t, int loc)
{
    int k = 0;
    while (k < s->w[t].n_logged && q->p->thread[t].code[s->w[t].log[k].at].loc != loc)
        k++;
    return k;
}

static bool is_logged(const struct search *q, const struct state *s, int t, int loc)
{
    return find_logged(q, s, t, loc) < s->w[t].n_logged;
}

static void take_out(struct walker *w, int k)
{
    w->n_logged--;
    memmove(&w->log[k], &w->log[k + 1], (size_t)(w->n_logged - k) * sizeof *w->log);
    memset(&w->log[w->n_logged], 0, sizeof *w->log);
}

/* A later write of the location, kept or not, takes the place of what was. */
static void forget_logged(const struct search *q, struct state *s, int t, int loc)
{
    int k = find_logged(q, s, t, loc);
    if (k < s->w[t].n_logged)
        take_out(&s->w[t], k);
}

static void log_write(const struct search *q, struct state *s, int t, int value)
{
    struct walker *w = &s->w[t];
    forget_logged(q, s, t, q->p->thread[t].code[w->pc].loc);
    w->log[w->n_logged++] = (struct logged){w->pc, value};
}

/* A value that no event brings. */
static void compute(struct walker *w, int reg, int value)
{
    assert(w->n_computed < ORA_MAX_REGS * 2);
    w->reg[reg] = value;
    w->computed[w->n_computed++] =
        (struct ora_computed){reg, value, w->n_events, w->crashes[w->n_events]};
}

/* What the register holds once the last event of the thread so far has executed. */
static void give(struct walker *w, int reg, int value)
{
    struct ora_event *e = &w->ev[w->n_events - 1];
    w->reg[reg] = value;
    e->gives = reg + 1;
    e->given = value;
}

static struct ora_event *emit_read(struct state *s, int t, const struct ora_ins *i)
{
    struct ora_event *e = emit(s, t, ORA_READ, i);
    e->loc = i->loc;
    e->source = last_write(s, i->loc);
    e->value = s->memory[i->loc];
    return e;
}

static struct ora_event *emit_write(struct state *s, int t, const struct ora_ins *i, int value)
{
    struct ora_event *e = emit(s, t, ORA_WRITE, i);
    e->loc = i->loc;
    e->value = value;
    s->memory[i->loc] = value;
    assert(s->n_writes[i->loc] < MAX_WRITES);
    s->writes[i->loc][s->n_writes[i->loc]++] = ref_of(t, s->w[t].n_events - 1);
    return e;
}

static void emit_barrier(const struct search *q, struct state *s, int t)
{
    const struct ora_ins *i = next(q, s, t);
    int kind = i->op == ORA_BARRIER ? ORA_B : ORA_PB;
    struct ora_event *e = emit(s, t, kind, i);
    e->scope = scope_of(q, i);
    e->instance = s->w[t].met[kind == ORA_PB][e->scope]++;
    advance(&s->w[t], 1);
}

/* ---- Marks ---------------------------------------------------------------------- */

/* A begin outside, and an end or abort inside. */
static bool is_in_place(const struct walker *w, const struct ora_ins *mark)
{
    return w->inside == (mark->value != ORA_BEGIN);
}

static void pass_mark(const struct search *q, struct state *s, int t, bool aborts)
{
    const struct ora_ins *mark = next(q, s, t);
    struct walker *w = &s->w[t];
    if (mark->value != ORA_BEGIN && q->out->keeping.undone)
        s->vain |= w->aborts != (mark->value == ORA_ABORT);
    memset(w->log, 0, sizeof w->log);
    w->n_logged = 0;
    emit(s, t, ORA_FENCE_EVENT, mark)->mark = mark->value;
    w->inside = mark->value == ORA_BEGIN;
    w->aborts = w->inside && aborts;
    advance(w, 1);
}

/* The end writes what was kept, one location after the other. */
static void write_out(const struct search *q, struct state *s, int t)
{
    struct walker *w = &s->w[t];
    struct logged first = w->log[0];
    take_out(w, 0);
    emit_write(s, t, &q->p->thread[t].code[first.at], first.value)->place = first.at;
}

/* Touches something shared: a begin, where it has to be said whether it is aborted, or an end that
 * has something to write. */
static bool step_mark(const struct search *q, struct state *s, int t, bool aborts)
{
    const struct ora_ins *mark = next(q, s, t);
    if (!is_in_place(&s->w[t], mark))
        return false;
    if (mark->value == ORA_END && s->w[t].n_logged && !s->w[t].aborts)
        write_out(q, s, t);
    else
        pass_mark(q, s, t, aborts);
    return true;
}

/* Takes one instruction that touches nothing shared; false when the next is no such. */
static bool step_alone(const struct search *q, struct state *s, int t)
{
    const struct ora_ins *i = next(q, s, t);
    if (!i)
        return false;
    struct walker *w = &s->w[t];
    switch (i->op) {
    case ORA_FENCE: emit(s, t, ORA_FENCE_EVENT, i); break;
    case ORA_CM: emit(s, t, ORA_CM_EVENT, i)->loc = i->loc; break;
    case ORA_CRASH: w->crashes[w->n_events]++; break;
    case ORA_IF:
        advance(w, 1 + ((w->reg[i->reg] == i->value) != i->negated ? 0 : i->body));
        return true;
    case ORA_REPEAT: enter_loop(w, i); break;
    case ORA_PBARRIER:
        if (waits(q, i))
            return false;
        emit_barrier(q, s, t);
        return true;
    default: return false;
    }
    advance(w, 1);
    return true;
}

static void settle(const struct search *q, struct state *s)
{
    for (int t = 0; t < q->p->n_threads; t++)
        while (step_alone(q, s, t))
            ;
}

/* One half or the other, of which there is none where the transaction keeps it to itself. */
struct access {
    bool reads, writes;
    int order; /* of the read */
    int value; /* written */
    bool stays;
};

static void do_access(const struct search *q, struct state *s, int t, const struct access *access)
{
    const struct ora_ins *i = next(q, s, t);
    struct ora_ins read = *i;
    bool kept = access->writes && keeps(q, &s->w[t], i) && !access->stays;
    bool reads = access->reads && !is_logged(q, s, t, i->loc);
    read.order = access->order;
    if (reads)
        emit_read(s, t, &read)->half = access->writes && !kept;
    if (kept)
        log_write(q, s, t, access->value);
    if (!access->writes || kept)
        return;
    forget_logged(q, s, t, i->loc);
    emit_write(s, t, i, access->value)->half = reads;
}

static struct access access_of(const struct ora_ins *i, const struct walker *w, int found)
{
    struct access access = {.reads = i->op != ORA_STORE,
                            .writes = ora_op_writes(i->op),
                            .order = i->order,
                            .value = i->value};
    if (i->op == ORA_STORE && i->from_reg)
        access.value = w->reg[i->reg];
    if (i->op == ORA_FETCH_ADD)
        access.value += found;
    if (i->op == ORA_LOCK)
        access.value = 1;
    if (i->op == ORA_CAS &&
        found != i->expected) { /* a read alone, which has an order of its own */
        access.writes = false;
        access.order = i->fail_order;
    }
    return access;
}

/* Executes the memory access thread t is at. False when it is an await whose value fails. */
static bool step_access(const struct search *q, struct state *s, int t, bool stays)
{
    const struct ora_ins *i = next(q, s, t);
    struct walker *w = &s->w[t];
    int logged = find_logged(q, s, t, i->loc), before = w->n_events;
    int found = logged < w->n_logged ? w->log[logged].value : s->memory[i->loc];
    if ((i->op == ORA_AWAIT && !found) || (i->op == ORA_LOCK && found))
        return false;
    struct access access = access_of(i, w, found);
    access.stays = stays;
    do_access(q, s, t, &access);
    int loaded = i->op == ORA_CAS ? access.writes : found;
    if (ora_op_loads_register(i->op) && w->n_events > before)
        give(w, i->reg, loaded);
    else if (ora_op_loads_register(i->op))
        compute(w, i->reg, loaded);
    advance(w, 1);
    return true;
}

/* Thread t waits at a barrier: are all work-items of its scope there, at the same one? */
static bool all_arrived(const struct search *q, const struct state *s, int t)
{
    const struct ora_ins *mine = next(q, s, t);
    for (int u = 0; u < q->p->n_threads; u++) {
        if (!ora_same_instance(q->p, t, u, scope_of(q, mine)))
            continue;
        const struct ora_ins *theirs = next(q, s, u);
        if (!theirs || theirs->op != mine->op || scope_of(q, theirs) != scope_of(q, mine))
            return false;
    }
    return true;
}

static void leave_together(const struct search *q, struct state *s, int t)
{
    int scope = scope_of(q, next(q, s, t));
    for (int u = 0; u < q->p->n_threads; u++)
        if (ora_same_instance(q->p, t, u, scope))
            emit_barrier(q, s, u);
}

/* ---- From a state in which nothing moves to an execution ---------------------- */

static int event_number(const int *first, int ref)
{
    return ref < 0 ? -1 - ref : first[ref / REF] + ref % REF;
}

static void place_initial_writes(const struct search *q, struct ora_exec *x)
{
    for (int l = 0; l < q->p->n_locs; l++) {
        struct ora_event *e = &x->ev[x->n_events++];
        e->kind = ORA_WRITE;
        e->thread = -1;
        e->loc = l;
        e->value = q->p->initial[l];
    }
}

static void place_thread(const struct state *s, int t, struct ora_exec *x)
{
    const struct walker *w = &s->w[t];
    assert(x->n_events + w->n_events <= ORA_MAX_EVENTS);
    memcpy(&x->ev[x->n_events], w->ev, (size_t)w->n_events * sizeof *w->ev);
    x->n_events += w->n_events;
    memcpy(x->reg[t], w->reg, sizeof w->reg);
    x->n_computed[t] = w->n_computed;
    memcpy(x->computed[t], w->computed, sizeof w->computed);
    memcpy(x->crashes[t], w->crashes, sizeof w->crashes);
}

static void number_references(const struct search *q, const struct state *s, const int *first,
                              struct ora_exec *x)
{
    for (int e = 0; e < x->n_events; e++)
        if (x->ev[e].kind == ORA_READ)
            x->ev[e].source = event_number(first, x->ev[e].source);
    for (int l = 0; l < q->p->n_locs; l++)
        for (int k = 0; k < s->n_writes[l]; k++)
            x->co[event_number(first, s->writes[l][k])] = k + 1;
}

static int stop_of(const struct search *q, const struct state *s, int t)
{
    const struct ora_ins *i = next(q, s, t);
    if (!i)
        return s->w[t].inside ? ORA_AT_MARK : ORA_DONE;
    if (i->op == ORA_MARK)
        return ORA_AT_MARK;
    return i->op == ORA_AWAIT || i->op == ORA_LOCK ? ORA_AT_AWAIT : ORA_AT_RENDEZVOUS;
}

/* Is a transaction open that was to be aborted? */
static bool comes_to_nothing(const struct search *q, const struct state *s)
{
    bool open = false;
    for (int t = 0; t < q->p->n_threads; t++)
        open = open || (s->w[t].inside && s->w[t].aborts);
    return open;
}

static void record(struct search *q, const struct state *s)
{
    struct ora_exec x;
    int first[ORA_MAX_THREADS];
    memset(&x, 0, sizeof x);
    place_initial_writes(q, &x);
    for (int t = 0; t < q->p->n_threads; t++) {
        first[t] = x.n_events;
        place_thread(s, t, &x);
        x.stop[t] = stop_of(q, s, t);
    }
    number_references(q, s, first, &x);
    memcpy(x.memory, s->memory, sizeof x.memory);
    x.failing = s->failing;
    ora_set_add(&q->out->execs, &x);
    if (q->out->execs.count > MAX_EXECS)
        q->out->too_many = true;
}

/* ---- The search --------------------------------------------------------------- */

static void walk(struct search *q, const struct state *from);

static bool try_step(struct search *q, const struct state *from, int t)
{
    const struct ora_ins *i = next(q, from, t);
    if (!i)
        return false;
    struct state s = *from;
    if (i->op == ORA_MARK) {
        if (!step_mark(q, &s, t, false))
            return false;
        if (i->value == ORA_BEGIN && q->out->keeping.undone) {
            struct state aborted = *from;
            step_mark(q, &aborted, t, true);
            walk(q, &aborted);
        }
    } else if (!waits(q, i)) {
        if (!step_access(q, &s, t, false))
            return false;
        if (may_stay(q, &from->w[t], i)) {
            struct state stays = *from;
            step_access(q, &stays, t, true);
            walk(q, &stays);
        }
    } else if (all_arrived(q, from, t)) {
        leave_together(q, &s, t);
    } else {
        return false;
    }
    walk(q, &s);
    return true;
}

/* One await of the run may show one failing read. */
static void try_failing_read(struct search *q, const struct state *from, int t)
{
    const struct ora_ins *i = next(q, from, t);
    bool fails = i && i->op == ORA_AWAIT && !from->memory[i->loc];
    if (!fails || from->failing || q->mutation == ORA_MUT_NO_FAILING_READS)
        return;
    struct state s = *from;
    emit_read(&s, t, i);
    s.failing = 1;
    walk(q, &s);
}

/* A try to take a lock that is taken, with all that it does: a read or, of an exchange, a read and
 * a write. What the execution shows counts, so leaving such tries out has to change nothing. */
static void try_failing_lock(struct search *q, const struct state *from, int t)
{
    const struct ora_ins *i = next(q, from, t);
    if (!i || i->op != ORA_LOCK || !from->memory[i->loc] || from->tries == MAX_TRIES ||
        q->mutation == ORA_MUT_NO_FAILING_READS)
        return;
    struct state s = *from;
    struct ora_ins tried = *i;
    if (!i->negated)
        tried.order = i->fail_order;
    emit_read(&s, t, &tried)->half = i->negated;
    if (i->negated)
        emit_write(&s, t, i, 1)->half = true;
    s.tries++;
    walk(q, &s);
}

static void walk(struct search *q, const struct state *from)
{
    struct state s = *from;
    settle(q, &s);
    if (s.vain || q->out->too_many || !ora_set_add(&q->seen, &s))
        return;
    if (q->seen.count > MAX_STATES)
        q->out->too_many = true;
    bool moved = false;
    for (int t = 0; t < q->p->n_threads; t++) {
        moved = try_step(q, &s, t) || moved;
        try_failing_read(q, &s, t);
        try_failing_lock(q, &s, t);
    }
    if (!moved && !comes_to_nothing(q, &s))
        record(q, &s);
}

void ora_explore(const struct ora_program *p, bool collective, int mutation, struct ora_runs *out)
{
    struct search q = {.p = p, .collective = collective, .mutation = mutation, .out = out};
    struct state start;
    memset(&start, 0, sizeof start);
    memcpy(start.memory, p->initial, sizeof start.memory);
    ora_set_init(&q.seen, sizeof start);
    out->too_many = false;
    walk(&q, &start);
    ora_set_fini(&q.seen);
}

bool ora_exec_complete(const struct ora_program *p, const struct ora_exec *x)
{
    for (int t = 0; t < p->n_threads; t++)
        if (x->stop[t] != ORA_DONE)
            return false;
    return true;
}

/* Stopped at a rendezvous when nothing moves any more: somebody will never arrive. */
bool ora_exec_divergent(const struct ora_program *p, const struct ora_exec *x)
{
    for (int t = 0; t < p->n_threads; t++)
        if (x->stop[t] == ORA_AT_RENDEZVOUS)
            return true;
    return false;
}

bool ora_exec_disordered(const struct ora_program *p, const struct ora_exec *x)
{
    for (int t = 0; t < p->n_threads; t++)
        if (x->stop[t] == ORA_AT_MARK)
            return true;
    return false;
}
