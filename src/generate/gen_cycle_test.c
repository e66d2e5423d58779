/* Operations are added work-item by work-item along the cycle; then observers, the barriers at ends
 * that others meet, and places. The condition comes from the closed cycle, where a write's value is
 * its place in coherence. The program numbers values differently, so each is translated. */
#include "generate/gen_cycle_test.h"

#include <string.h>

const struct gen_classic gen_classics[] = {
    {"MP", "PodWW Rfe PodRR Fre"},
    {"SB", "PodWR Fre PodWR Fre"},
    {"LB", "PodRW Rfe PodRW Rfe"},
    {"2+2W", "PodWW Wse PodWW Wse"},
    {"R", "PodWW Wse PodWR Fre"},
    {"S", "PodWW Rfe PodRW Wse"},
    {"WRC", "Rfe PodRW Rfe PodRR Fre"},
    {"RWC", "Rfe PodRR Fre PodWR Fre"},
    {"WWC", "Rfe PodRW Rfe PodRW Wse"},
    {"WRW+WR", "Rfe PodRW Wse PodWR Fre"},
    {"WRW+2W", "Rfe PodRW Wse PodWW Wse"},
    {"IRIW", "Rfe PodRR Fre Rfe PodRR Fre"},
    {"ISA2", "PodWW Rfe PodRW Rfe PodRR Fre"},
    {"CoRR", "Rfe PosRR Fre"},
    {"CoRW2", "Rfe PosRW Wse"},
    {NULL, NULL},
};

struct making {
    const struct gen_vocabulary *vocabulary;
    const struct gen_cycle *cycle;
    const struct gen_closed *closed;
    struct gen_cycle_test *made;
    struct gen_fault *fault;
    uint8_t op_of[GEN_MAX_CYCLE];                              /* of an access, in its work-item */
    bool in_transaction[GEN_MAX_CYCLE], joined[GEN_MAX_CYCLE]; /* accesses; edges */
    uint32_t observed_at[GEN_MAX_CYCLE]; /* the observer of a location; 0: none */
    uint8_t scope;                       /* that reaches all */
};

static bool is_update(const struct making *m, uint32_t i) /* the read of one */
{
    return m->cycle->links[i].edge.kind == GEN_WORD_RMW;
}

/* ---- Forms ---- */

static bool is_shared(const struct making *m, uint32_t access)
{
    const struct gen_access *accesses = m->closed->accesses;
    return m->observed_at[accesses[access].location] ||
           ANY(i, m->cycle->count,
               accesses[i].location == accesses[access].location &&
                   accesses[i].thread != accesses[access].thread);
}

/* The family with an order and a scope of its own: those that are asked for, or what is nearest. */
static struct gen_form form_of(const struct making *m, uint32_t family, uint32_t order,
                               uint32_t scope)
{
    const struct gen_family *of = &m->vocabulary->families[family];
    if (scope == GEN_UNSAID)
        scope = m->scope;
    while (!(of->scopes >> scope & 1))
        scope = scope ? scope - 1 : LIT_SCOPE_ALL;
    while (!(of->orders >> order & 1))
        order = order < LIT_ORDER_SC ? order + 1 : LIT_ORDER_NA;
    return (struct gen_form){(uint8_t)family, (uint8_t)order, (uint8_t)scope};
}

static struct gen_form named(const struct making *m, const char *name, uint32_t order,
                             uint32_t scope)
{
    return form_of(m, gen_family_find(m->vocabulary, name), order, scope);
}

/* What is said of both halves of an update, put together. */
static struct gen_form update_form(const struct making *m, uint32_t i)
{
    const struct gen_link *halves[] = {&m->cycle->links[i],
                                       &m->cycle->links[gen_cycle_next(m->cycle, i)]};
    uint32_t order = LIT_ORDER_RLX, scope = GEN_UNSAID;
    for (uint32_t k = 0; k < 2; k++) {
        if (!halves[k]->marked)
            continue;
        uint32_t other = gen_word_memory_order(&halves[k]->mark);
        bool both = (order == LIT_ORDER_ACQ && other == LIT_ORDER_REL) ||
                    (order == LIT_ORDER_REL && other == LIT_ORDER_ACQ);
        order = both ? LIT_ORDER_ACQ_REL : other > order ? other : order;
        if (halves[k]->mark.scope != GEN_UNSAID &&
            (scope == GEN_UNSAID || scope < halves[k]->mark.scope))
            scope = halves[k]->mark.scope;
    }
    return named(m, "rmw", order, scope);
}

static struct gen_form access_form(const struct making *m, uint32_t i)
{
    const struct gen_link *link = &m->cycle->links[i];
    bool reads = m->closed->accesses[i].reads;
    if (is_update(m, i))
        return update_form(m, i);
    if (link->marked && link->mark.kind == GEN_WORD_FAMILY)
        return form_of(m, link->mark.family, LIT_ORDER_NA, link->mark.scope);
    uint32_t order = link->marked      ? gen_word_memory_order(&link->mark)
                     : is_shared(m, i) ? LIT_ORDER_RLX
                                       : LIT_ORDER_NA;
    if (order == LIT_ORDER_NA)
        return named(m, reads ? "ld" : "st", order, LIT_SCOPE_WI);
    return named(m, reads ? "lda" : "sta", order, link->marked ? link->mark.scope : GEN_UNSAID);
}

/* ---- Operations ---- */

static bool add_operation(const struct making *m, uint32_t thread, struct gen_op op)
{
    return gen_add(&m->made->program, thread, op) ||
           gen_cycle_fail(m->fault, 0,
                          "the program of the cycle has more instructions in a work-item than a "
                          "generated one may");
}

static bool add_point(const struct making *m, uint32_t thread, struct gen_form form)
{
    return add_operation(m, thread, (struct gen_op){.form = form, .location = GEN_NOWHERE});
}

/* TX families: the mark that opens, and the first that closes. */
static bool add_mark(const struct making *m, uint32_t thread, uint32_t trait)
{
    for (uint32_t f = 0; f < m->vocabulary->family_count; f++)
        if (m->vocabulary->families[f].traits & trait)
            return add_point(m, thread, form_of(m, f, LIT_ORDER_NA, LIT_SCOPE_WI));
    return gen_cycle_fail(m->fault, 0, "the vocabulary has no transactions");
}

static struct gen_op inserted(const struct making *m, uint32_t i, const struct gen_word *word)
{
    static const uint8_t barrier[] = {LIT_SCOPE_WG, LIT_SCOPE_KR};
    struct gen_op op = {.location = GEN_NOWHERE};
    switch ((enum gen_word_kind)word->kind) {
    case GEN_WORD_PB: op.form = named(m, "p_barrier", LIT_ORDER_NA, word->choice[0]); break;
    case GEN_WORD_SYNC: op.form = named(m, "bar", LIT_ORDER_NA, barrier[word->choice[0]]); break;
    case GEN_WORD_FENCE:
        op.form = named(m, "fence", gen_word_memory_order(word), word->scope);
        break;
    default:
        op.form = form_of(m, word->family, LIT_ORDER_NA, word->scope);
        if (m->vocabulary->families[word->family].class == GEN_LINE)
            op.location = m->closed->accesses[i].location;
    }
    return op;
}

static void add_dependency(const struct making *m, uint32_t i, struct gen_op *op)
{
    uint32_t from = gen_cycle_before(m->cycle, i);
    const struct gen_word *into = &m->cycle->links[from].edge;
    bool initial = m->closed->accesses[from].value == 0;
    switch ((enum gen_word_kind)into->kind) {
    case GEN_WORD_ADDR: op->dependency = GEN_ADDRESS; break;
    case GEN_WORD_DATA: op->dependency = GEN_DATA; break;
    case GEN_WORD_CTRL: op->dependency = initial ? GEN_UNLESS : GEN_GUARD; break;
    default: return;
    }
    op->on = m->op_of[from];
}

/* An access with what opens and closes around it, and what stands behind it. */
static bool add_access(struct making *m, uint32_t i)
{
    const struct gen_link *link = &m->cycle->links[i];
    const struct gen_access *access = &m->closed->accesses[i];
    uint32_t thread = access->thread, before = gen_cycle_before(m->cycle, i);
    struct gen_op op = {.form = access_form(m, i), .location = access->location};
    if (gen_family_of(m->vocabulary, &op)->traits & GEN_STORES_ONE && access->value != 1)
        return gen_cycle_fail(
            m->fault, 0, "an instruction that stores 1 is not the first write of its location");
    if (m->in_transaction[i] && !m->joined[before] && !add_mark(m, thread, GEN_OPENS))
        return false;
    if (is_update(m, before)) {
        m->op_of[i] = m->op_of[before];
    } else {
        add_dependency(m, i, &op);
        m->op_of[i] = m->made->program.length[thread];
        if (!add_operation(m, thread, op))
            return false;
    }
    if (m->in_transaction[i] && !m->joined[i] && !add_mark(m, thread, GEN_CLOSES))
        return false;
    return ALL(k, link->inserted_count,
               add_operation(m, thread, inserted(m, i, &link->inserted[k])));
}

static void find_transactions(struct making *m)
{
    for (uint32_t i = 0; i < m->cycle->count; i++) {
        const struct gen_link *link = &m->cycle->links[i];
        uint32_t next = gen_cycle_next(m->cycle, i);
        m->in_transaction[i] |= link->alone || link->together;
        m->in_transaction[next] |= link->together;
        m->joined[i] = link->together;
    }
    for (uint32_t i = 0; i < m->cycle->count; i++) {
        uint32_t next = gen_cycle_next(m->cycle, i);
        if (!is_update(m, i) || !(m->in_transaction[i] || m->in_transaction[next]))
            continue;
        m->in_transaction[i] = m->in_transaction[next] = m->joined[i] = true;
    }
}

/* ---- Those beside the cycle ---- */

static bool is_crash(const struct making *m)
{
    return m->closed->crash < m->cycle->count;
}

/* Work-items behind those of the cycle, in the order of locations. */
static bool find_observers(struct making *m, uint32_t *threads)
{
    for (uint32_t l = 0; l < m->closed->location_count; l++)
        if (m->closed->ordered[l] && (is_crash(m) || m->closed->writes[l] > 2))
            m->observed_at[l] = (*threads)++;
    return *threads <= GEN_MAX_THREADS ||
           gen_cycle_fail(m->fault, 0,
                          "the cycle takes more work-items than a generated program may have");
}

static bool add_observers(const struct making *m)
{
    for (uint32_t l = 0; l < m->closed->location_count; l++) {
        struct gen_op op = {.form = named(m, "lda", LIT_ORDER_RLX, GEN_UNSAID),
                            .location = (uint8_t)l};
        for (uint32_t k = 0; m->observed_at[l] && k < m->closed->writes[l]; k++)
            if (!add_operation(m, m->observed_at[l], op))
                return false;
    }
    return true;
}

/* Work-item `thread` next to the one before it; its instances below the place are new ones. */
static void place_next(struct gen_program *program, uint32_t thread, uint32_t before,
                       uint32_t place)
{
    BASE_ASSERT(thread < program->thread_count);
    for (uint32_t level = 0; level < GEN_LEVELS; level++) {
        uint8_t *at = &program->place[thread][level];
        *at = place != GEN_UNSAID && level + LIT_SCOPE_SG >= place ? program->place[before][level]
                                                                   : (uint8_t)thread;
    }
}

/* Begins behind what lies furthest apart, so that the last step is no narrower than any other and
 * closes by itself. Observers are in the kernel of the first, in work-groups of their own. */
static void place_all(const struct making *m)
{
    struct gen_program *program = &m->made->program;
    uint32_t count = m->closed->thread_count, widest = 0;
    for (uint32_t t = 1; t < count; t++)
        if (m->closed->places[t] > m->closed->places[widest])
            widest = t;
    uint32_t first = (widest + 1) % count;
    for (uint32_t level = 0; level < GEN_LEVELS; level++)
        program->place[first][level] = (uint8_t)first;
    for (uint32_t k = 1; k < count; k++) {
        uint32_t before = (first + k - 1) % count;
        place_next(program, (before + 1) % count, before, m->closed->places[before]);
    }
    for (uint32_t t = count; t < program->thread_count; t++)
        place_next(program, t, 0, LIT_SCOPE_KR);
}

static bool is_meeting(const struct gen_vocabulary *vocabulary, const struct gen_op *op)
{
    return gen_form_meets(vocabulary, op->form);
}

/* All that are in the barrier's instance come as often as its work-item does, at their ends. */
static bool meet_at(const struct making *m, uint32_t thread, struct gen_form form)
{
    struct gen_program *program = &m->made->program;
    for (uint32_t t = 0; t < program->thread_count; t++)
        while (gen_common_scope(program, t, thread) <= form.scope &&
               gen_times(program, t, form) < gen_times(program, thread, form))
            if (!add_point(m, t, form))
                return false;
    return true;
}

static bool is_alone(const struct making *m, struct gen_form form)
{
    for (uint32_t i = 0; i < m->cycle->count; i++)
        EACH (const struct gen_word, word, m->cycle->links[i].inserted,
              m->cycle->links[i].inserted_count)
            if (word->alone && gen_form_is(inserted(m, i, word).form, form))
                return true;
    return false;
}

static bool meet_all(const struct making *m)
{
    const struct gen_program *program = &m->made->program;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->length[t]; i++) {
            struct gen_op op = program->ops[t][i];
            if (is_meeting(m->vocabulary, &op) && !is_alone(m, op.form) && !meet_at(m, t, op.form))
                return false;
        }
    return true;
}

/* ---- The condition ---- */

/* What the program writes for the version of that number; 0 is the initial one. */
static uint8_t value_of(const struct making *m, uint32_t location, uint32_t version)
{
    for (uint32_t i = 0; i < m->cycle->count; i++) {
        const struct gen_access *access = &m->closed->accesses[i];
        if (access->writes && access->location == location && access->value == version)
            return (uint8_t)gen_value(m->vocabulary, &m->made->program, access->thread,
                                      m->op_of[i]);
    }
    return 0;
}

static void say_crash(const struct making *m)
{
    struct gen_cycle_test *made = m->made;
    const struct gen_access *shown = &m->closed->accesses[m->closed->crash];
    const struct gen_access *lost =
        &m->closed->accesses[gen_cycle_next(m->cycle, m->closed->crash)];
    made->outcome.memory[lost->location] = 0; /* its run begins behind the crash */
    made->program.nvm |= (uint8_t)(1U << lost->location);
    if (!shown->writes)
        return;
    made->outcome.memory[shown->location] = value_of(m, shown->location, shown->value);
    made->program.nvm |= (uint8_t)(1U << shown->location);
}

static void say_condition(const struct making *m)
{
    struct gen_outcome *outcome = &m->made->outcome;
    gen_outcome_init(outcome);
    for (uint32_t i = 0; i < m->cycle->count; i++) {
        const struct gen_access *access = &m->closed->accesses[i];
        if (access->reads)
            outcome->reads[access->thread][m->op_of[i]] =
                value_of(m, access->location, access->value);
        if (m->cycle->links[i].nvm)
            m->made->program.nvm |= (uint8_t)(1U << access->location);
    }
    for (uint32_t l = 0; l < m->closed->location_count; l++)
        if (m->observed_at[l])
            for (uint32_t k = 0; k < m->closed->writes[l]; k++)
                outcome->reads[m->observed_at[l]][k] = value_of(m, l, k + 1);
        else if (m->closed->ordered[l])
            outcome->memory[l] = value_of(m, l, m->closed->writes[l]);
    if (is_crash(m))
        say_crash(m);
}

/* ---- Texts ---- */

/* "P0 W x po P0 W y rf P1 R y ..": what has to be in one order for the cycle to be none. */
static const char *cycle_text(struct arena *arena, const struct making *m)
{
    static const char *const relations[] = {
        [GEN_WORD_RFE] = "rf",     [GEN_WORD_PO] = "po",     [GEN_WORD_ADDR] = "addr",
        [GEN_WORD_DATA] = "data",  [GEN_WORD_CTRL] = "ctrl", [GEN_WORD_RMW] = "rmw",
        [GEN_WORD_WSE] = "co",     [GEN_WORD_FRE] = "fr",    [GEN_WORD_RFI] = "rf",
        [GEN_WORD_WSI] = "co",     [GEN_WORD_FRI] = "fr",    [GEN_WORD_GAP] = "(nothing)",
        [GEN_WORD_CRASH] = "lost:"};
    struct strbuf text = {0};
    for (uint32_t k = 0; k <= m->cycle->count; k++) {
        uint32_t i = k % m->cycle->count;
        const struct gen_access *access = &m->closed->accesses[i];
        const struct gen_link *link = &m->cycle->links[i];
        strbuf_printf(&text, "P%u %c %s", access->thread, access->reads ? 'R' : 'W',
                      gen_location_names[access->location]);
        if (k == m->cycle->count)
            break;
        for (uint32_t j = 0; j < link->inserted_count; j++) {
            strbuf_add_char(&text, ' ');
            gen_word_add(m->vocabulary, &link->inserted[j], &text);
        }
        strbuf_printf(&text, " %s ", relations[link->edge.kind]);
    }
    return strbuf_take(&text, arena);
}

static const char *classic_name(const char *words)
{
    for (const struct gen_classic *classic = gen_classics; classic->name; classic++)
        if (strcmp(classic->words, words) == 0)
            return classic->name;
    return NULL;
}

static void say_texts(struct arena *arena, struct making *m)
{
    struct gen_test *test = &m->made->test;
    struct strbuf words = {0};
    gen_cycle_add(m->vocabulary, m->cycle, " ", &words);
    const char *classic = classic_name(strbuf_text(&words));
    test->title = arena_printf(arena, "%s%s%s", classic ? classic : "", classic ? ": " : "",
                               strbuf_text(&words));
    char *name = strbuf_take(&words, arena);
    for (char *c = name; *c; c++)
        if (*c == ' ')
            *c = '+';
    test->name = name;
    test->comment = cycle_text(arena, m);
}

bool gen_cycle_make(struct arena *arena, const struct gen_vocabulary *vocabulary,
                    enum gen_dialect dialect, const struct gen_cycle *cycle,
                    const struct gen_closed *closed, struct gen_cycle_test *made,
                    struct gen_fault *fault)
{
    struct making m = {.vocabulary = vocabulary,
                       .cycle = cycle,
                       .closed = closed,
                       .made = made,
                       .fault = fault,
                       .scope = LIT_SCOPE_DV};
    uint32_t threads = closed->thread_count;
    for (uint32_t t = 0; t < closed->thread_count; t++)
        if (closed->places[t] == LIT_SCOPE_ALL)
            m.scope = LIT_SCOPE_ALL;
    if (closed->location_count > GEN_MAX_LOCATIONS)
        return gen_cycle_fail(fault, 0,
                              "the cycle takes more locations than a generated program may have");
    if (!find_observers(&m, &threads))
        return false;
    gen_program_init(&made->program, threads);
    made->program.location_count = (uint8_t)closed->location_count;
    place_all(&m);
    find_transactions(&m);
    for (uint32_t i = 0; i < cycle->count; i++)
        if (!add_access(&m, i))
            return false;
    if (!add_observers(&m) || !meet_all(&m))
        return false;
    if (!gen_can_print(vocabulary, dialect, &made->program))
        return gen_cycle_fail(fault, 0,
                              "the dialect has no words for some instruction of the cycle");
    say_condition(&m);
    made->test = (struct gen_test){.vocabulary = vocabulary,
                                   .dialect = dialect,
                                   .program = &made->program,
                                   .when = is_crash(&m) ? LIT_CRASHED : LIT_FINAL,
                                   .quantifier = LIT_NOT_EXISTS,
                                   .outcomes = &made->outcome,
                                   .outcome_count = 1};
    say_texts(arena, &m);
    return true;
}
