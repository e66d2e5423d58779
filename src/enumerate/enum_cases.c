/* Each choice is a node of the certificate, and each way that ends is a leaf. The next read is the
 * one with the fewest sources that neither its value nor the model excludes: unit propagation, as
 * cases. */
#include "enumerate/enum_cases.h"

#include "base/bits.h"
#include "enumerate/enum_goal.h"
#include "enumerate/enum_images.h"
#include "exec/exec_basis.h"

#include <string.h>

static struct certificate_order order_of(const struct enum_search *s, uint32_t number)
{
    const struct enum_order *order = &s->orders[number];
    return order->choice != LIT_NONE ? (struct certificate_order){'w', order->choice}
                                     : (struct certificate_order){number ? 'f' : 'o', 0};
}

void enum_write_pair(const struct enum_search *s, uint32_t number, uint32_t a, uint32_t b, int ways)
{
    if (enum_certificate(s))
        certificate_pair(enum_certificate(s), order_of(s, number), a, b, (uint32_t)ways);
}

void enum_write_way(const struct enum_search *s, char way)
{
    if (enum_certificate(s))
        certificate_way(enum_certificate(s), way);
}

void enum_write_leaf(const struct enum_search *s, const char *leaf)
{
    if (enum_certificate(s))
        certificate_leaf(enum_certificate(s), leaf);
}

void enum_write_lack(const struct enum_search *s, const char *reason)
{
    if (enum_certificate(s))
        certificate_lack(enum_certificate(s), reason);
}

/* ---- Lost checks ---- */

/* A cycle of what the check tests; without one a pair that is not to be. The events' places in `shown`. */
static uint32_t find_shown(const struct enum_search *s, const struct cat_check *check,
                           uint32_t *shown)
{
    const rel_word *value = cat_eval_value(s->eval, check->node);
    if (cat_check_is_of_cycle(check))
        return rel_find_cycle(s->dim, value, shown);
    for (uint32_t a = 0; a < s->dim.n; a++)
        BITS_EACH (b, k, s->dim.words, rel_row(s->dim, value, a)[k]) {
            shown[0] = a;
            shown[1] = b;
            return 2;
        }
    return 0;
}

/* The check that the model was asked for last, and did not allow. */
static void write_lost(struct enum_search *s)
{
    struct certificate *c = enum_certificate(s);
    const struct cat_model *model = s->state->request->model;
    const uint32_t number = cat_eval_lost(s->eval);
    certificate_lost(c, number);
    if (!certificate_is_told(c) || number == 0)
        return;
    BASE_ASSERT(number <= model->check_count);
    const struct cat_check *check = &model->checks[number - 1];
    if (check->negated || model->nodes[check->node].sort != CAT_REL)
        return;
    struct arena_mark mark = arena_mark(&s->state->scratch);
    uint32_t *shown = ARENA_ARRAY(&s->state->scratch, uint32_t, s->dim.n + 2);
    const uint32_t count = find_shown(s, check, shown);
    for (uint32_t i = 0; i < count; i++)
        certificate_shown_by(c, shown[i]);
    arena_rewind(&s->state->scratch, mark);
}

/* A way that the model excludes, by all its checks together. Which of them it breaks is known if the way
 * is chosen to be told. */
static void write_excluded(struct enum_search *s, bool chosen)
{
    if (chosen && !enum_model_allows(s))
        write_lost(s);
    else
        certificate_lost(enum_certificate(s), 0);
}

/* ---- What ends a choice ---- */

static bool is_known_crash(void *context, const struct exec_cut *cut)
{
    struct enum_search *s = context;
    enum_read_crash(s, cut);
    s->adds = !outcome_has_state(&s->state->outcome->crash, s->row);
    return !s->adds && !enum_out_of_time(s->state);
}

static bool is_known_final(struct enum_search *s)
{
    s->adds = enum_read_final(s) && !outcome_has_state(&s->state->outcome->final, s->row);
    return !s->adds;
}

static bool has_values_of(const struct enum_search *s, uint32_t thread)
{
    return !ANY(
        i, s->skeleton->read_count,
        (thread == LIT_NONE || s->skeleton->events[s->skeleton->reads[i]].thread == thread) &&
            !s->known[enum_value_number(s, s->skeleton->reads[i])]);
}

static bool has_values(const struct enum_search *s)
{
    return s->decided.count == s->skeleton->read_count && has_values_of(s, LIT_NONE);
}

/* Is the value of a register that states show not known yet? */
static bool hides_registers(const struct enum_search *s, const struct outcome_states *states)
{
    return ANY(i, states->width,
               lit_atom_is_of_register(&states->items[i]) &&
                   !has_values_of(s, states->items[i].thread));
}

/* Is known what states show, whatever the reads that are open return? */
static bool shows_known(const struct enum_search *s)
{
    const struct outcome *outcome = s->state->outcome;
    const struct lit_program *program = s->skeleton->program;
    int64_t value;
    if (program->filter)
        return has_values(s);
    if (hides_registers(s, &outcome->final) || hides_registers(s, &outcome->crash))
        return false;
    return !ANY(w, s->dim.n,
                s->skeleton->events[w].kind == EV_WRITE &&
                    (program->locations[s->skeleton->events[w].location].nvm ||
                     s->state->observed[s->skeleton->events[w].location]) &&
                    !enum_write_value(s, w, &value));
}

static bool may_diverge(const struct enum_search *s)
{
    struct exec_divergences divergences;
    struct exec_divergence found;
    exec_divergences_init(&divergences, s->skeleton);
    return exec_divergences_next(&divergences, s->skeleton, &found);
}

/* May one of the paths make something of its own of an execution? */
static bool has_odd_end(const struct enum_search *s)
{
    return exec_skeleton_ended(s->skeleton, EXEC_AT_FAULT) != LIT_NONE || may_diverge(s) ||
           ANY(t, s->skeleton->program->thread_count,
               enum_leaves_doubt(s->state, s->skeleton->paths[t]));
}

/* Is all that what follows from the choices so far may show known already? */
static bool adds_nothing(struct enum_search *s)
{
    const struct cat_model *model = s->state->request->model;
    const rel_word *bounds[CAT_RESERVED_COUNT];
    if (s->is_odd || !model->lands_by_coherence || !shows_known(s))
        return false;
    for (uint32_t c = 0; c < model->check_count; c++)
        s->raised[c] =
            s->skeleton->probe || (model->checks[c].kind == CAT_FLAG &&
                                   outcome_has_flag(s->state->outcome, model->checks[c].name));
    if (!cat_eval_adds_nothing(s->eval, s->raised, bounds))
        return false;
    s->adds = false;
    if (s->skeleton->probe)
        return true;
    if (s->complete)
        s->adds =
            !s->state->outcome->ended || !enum_each_latest(s, s->state->observed, is_known_final);
    if (!s->adds && enum_reaches_crash(s))
        (void)enum_each_crash_state(s, bounds, is_known_crash);
    return !s->adds && !s->state->stopped;
}

bool enum_case_is_open(struct enum_search *s)
{
    struct certificate *c = enum_certificate(s);
    if (certificate_lacks(c))
        s->state->stopped = true;
    else if (!enum_values_fit(s))
        certificate_leaf(c, "v");
    else if (!enum_model_allows(s))
        write_lost(s);
    else if (adds_nothing(s))
        certificate_leaf(c, "k");
    else
        return true;
    return false;
}

/* ---- Sources ---- */

/* Of a read that is open: '!' or 'v' where the model or its value excludes the write; else 0. What
 * the model says does not depend on which values the checker knows. */
static char excluded(struct enum_search *s, uint32_t read, uint32_t write)
{
    const rel_word *rf = cat_implied_out(s->implied, EXEC_REL_RF);
    const rel_word *fr = cat_implied_out(s->implied, EXEC_REL_FR);
    const rel_word *later = rel_row(s->dim, enum_co(s)->bound[ENUM_LOWER], write);
    if ((rf && rel_has(s->dim, rf, write, read)) ||
        (fr && ANY(k, s->dim.words, later[k] & rel_row(s->dim, fr, read)[k])))
        return '!';
    return enum_value_fits(s, read, write) ? 0 : 'v';
}

/* How many sources a read has left; of more than `most` it is enough that they are more. */
static uint32_t count_open(struct enum_search *s, uint32_t read, uint32_t most)
{
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    uint32_t count = 0;
    BITS_EACH (write, k, s->dim.words, writes[k])
        if (count <= most)
            count += rel_has(s->dim, s->rf[ENUM_UPPER], write, read) && !excluded(s, read, write);
    return count;
}

static bool names_thread(const struct outcome_states *states, uint32_t thread)
{
    return ANY(i, states->width,
               lit_atom_is_of_register(&states->items[i]) && states->items[i].thread == thread);
}

/* Is it of a work-item whose registers are shown? What comes to these ends a choice early. */
static bool is_shown(const struct enum_search *s, uint32_t read)
{
    const struct outcome *outcome = s->state->outcome;
    uint32_t thread = s->skeleton->events[read].thread;
    return names_thread(&outcome->final, thread) || names_thread(&outcome->crash, thread);
}

/* The read with the fewest sources left, of those that are open; `rmw`: of read-modify-writes alone.
 * Of several one that is shown. */
static uint32_t find_read(struct enum_search *s, bool rmw, uint32_t *fewest)
{
    uint32_t chosen = LIT_NONE, last = rmw ? s->rmw_count : s->skeleton->read_count;
    *fewest = UINT32_MAX;
    for (uint32_t i = 0; i < last; i++) {
        uint32_t read = s->reads[i];
        if (s->source[read] != LIT_NONE)
            continue;
        uint32_t open = count_open(s, read, *fewest);
        if (open < *fewest || (open == *fewest && !is_shown(s, chosen) && is_shown(s, read))) {
            *fewest = open;
            chosen = read;
        }
        if (open <= 1)
            break;
    }
    return chosen;
}

static void choose_behind(struct enum_search *s);

static void choose_source(struct enum_search *s, uint32_t read, uint32_t write, char why, bool left)
{
    struct certificate *c = enum_certificate(s);
    struct enum_place here = enum_here(s);
    certificate_source(c, write);
    if (why == 'v') {
        certificate_leaf(c, "v");
    } else if (why) {
        if (certificate_is_told(c))
            enum_read_from(s, read, write);
        write_excluded(s, certificate_is_told(c));
    } else {
        enum_read_from(s, read, write);
        enum_learn_values(s);
        if (left)
            choose_behind(s);
        else if (enum_case_is_open(s))
            enum_choose_case(s);
    }
    enum_go_back(s, here);
}

/* `left`: at most one is not excluded. */
static void choose_sources(struct enum_search *s, uint32_t read, bool left)
{
    const rel_word *writes = exec_writes_of(s->skeleton, s->skeleton->events[read].location);
    char *why = base_realloc(NULL, s->dim.n);
    uint32_t count = 0;
    for (uint32_t w = 0; w < s->dim.n; w++)
        if (bits_get(writes, w) && rel_has(s->dim, s->rf[ENUM_UPPER], w, read)) {
            why[w] = excluded(s, read, w);
            count++;
        }
    certificate_read(enum_certificate(s), read, count);
    for (uint32_t w = 0; w < s->dim.n && !s->state->stopped; w++)
        if (bits_get(writes, w) && rel_has(s->dim, s->rf[ENUM_UPPER], w, read))
            choose_source(s, read, w, why[w], left);
    base_free(why);
}

/* ---- Coherence ---- */

/* Of a pair that is open: the one way that the model leaves, '<', '>' or '|'; '-': none; 0: several. */
static char way_left(const struct enum_search *s, const rel_word *barred, uint32_t a, uint32_t b)
{
    const struct enum_order *co = enum_co(s);
    const rel_word *in = cat_implied_in(s->implied, EXEC_REL_CO);
    bool first = in && rel_has(s->dim, in, a, b), second = in && rel_has(s->dim, in, b, a);
    bool before =
        !second && rel_has(s->dim, co->bound[ENUM_UPPER], a, b) && !rel_has(s->dim, barred, a, b);
    bool behind =
        !first && rel_has(s->dim, co->bound[ENUM_UPPER], b, a) && !rel_has(s->dim, barred, b, a);
    bool beside = co->partial && !first && !second;
    return before + behind + beside > 1 ? 0 : before ? '<' : behind ? '>' : beside ? '|' : '-';
}

/* A pair of coherence that is open, and whose way is known. */
static char find_called_for(struct enum_search *s, uint32_t *first, uint32_t *second)
{
    const struct enum_order *co = enum_co(s);
    const rel_word *barred = enum_collect_barred(s);
    for (uint32_t a = 0; a < s->dim.n; a++)
        BITS_EACH (b, k, s->dim.words, rel_row(s->dim, co->pairs, a)[k]) {
            bool open = a < b && !rel_has(s->dim, co->bound[ENUM_LOWER], a, b) &&
                        !rel_has(s->dim, co->bound[ENUM_LOWER], b, a) &&
                        (rel_has(s->dim, co->bound[ENUM_UPPER], a, b) ||
                         rel_has(s->dim, co->bound[ENUM_UPPER], b, a));
            char way = open ? way_left(s, barred, a, b) : 0;
            *first = a;
            *second = b;
            if (way)
                return way;
        }
    return 0;
}

/* False: that is no order. */
static bool take_way(struct enum_search *s, uint32_t a, uint32_t b, char way)
{
    if (way != '|')
        return enum_order_pair(s, enum_co(s), way == '<' ? a : b, way == '<' ? b : a);
    enum_leave_pair(s, enum_co(s), a, b);
    return true;
}

static void choose_called_for(struct enum_search *s, uint32_t a, uint32_t b, char way)
{
    struct certificate *c = enum_certificate(s);
    struct enum_place here = enum_here(s);
    const char *ways = enum_co(s)->partial ? "<>|" : "<>";
    enum_write_pair(s, 0, a, b, (int)strlen(ways));
    for (; *ways; ways++)
        if (*ways != way) {
            certificate_way(c, *ways);
            write_excluded(s, certificate_is_told(c) && take_way(s, a, b, *ways));
            enum_go_back(s, here);
        }
    if (way == '-')
        return;
    certificate_way(c, way);
    if (!take_way(s, a, b, way))
        certificate_leaf(c, "c");
    else
        choose_behind(s);
    enum_go_back(s, here);
}

/* ---- What is next ---- */

static void go_on(struct enum_search *s, uint32_t order)
{
    (void)order;
    enum_choose_case(s);
}

/* Of a read or a pair one way is left, or none: that is next. False: each has several. */
static bool choose_left(struct enum_search *s, uint32_t *read)
{
    uint32_t a, b, open;
    *read = find_read(s, false, &open);
    if (*read != LIT_NONE && open <= 1) {
        choose_sources(s, *read, true);
        return true;
    }
    char way = find_called_for(s, &a, &b);
    if (way)
        choose_called_for(s, a, b, way);
    return way;
}

/* Behind a choice that had one way left: what the model has implied before it holds still. It is
 * asked again when there is no such choice any more. */
static void choose_behind(struct enum_search *s)
{
    uint32_t read;
    if (!enum_values_fit(s))
        certificate_leaf(enum_certificate(s), "v");
    else if (!choose_left(s, &read) && enum_case_is_open(s))
        enum_choose_case(s);
}

void enum_choose_case(struct enum_search *s)
{
    uint32_t a, b, open, read;
    if (!s->implied)
        s->implied = cat_implied_new(&s->state->scratch, s->eval);
    cat_implied_find(s->implied);
    if (choose_left(s, &read))
        return;
    uint32_t locked = find_read(s, true, &open);
    if (locked != LIT_NONE)
        choose_sources(s, locked, false);
    else if (enum_find_open(s, s->modified, &a, &b))
        enum_choose_pair(s, 0, a, b, go_on);
    else if (read != LIT_NONE)
        choose_sources(s, read, false);
    else
        enum_choose_orders(s, 0);
}

/* ---- Executions ---- */

/* Only neighbours: the rest follows. */
static bool is_between(const struct enum_search *s, const rel_word *lower, uint32_t a, uint32_t b)
{
    return ANY(x, s->dim.n, rel_has(s->dim, lower, a, x) && rel_has(s->dim, lower, x, b));
}

static void write_order(struct enum_search *s, uint32_t number)
{
    struct certificate *c = enum_certificate(s);
    const struct enum_order *order = &s->orders[number];
    const struct certificate_order tag = order_of(s, number);
    const rel_word *lower = order->bound[ENUM_LOWER];
    for (uint32_t a = 0; a < s->dim.n; a++)
        for (uint32_t b = 0; b < s->dim.n; b++) {
            if (a == b || !rel_has(s->dim, order->pairs, a, b))
                continue;
            if (rel_has(s->dim, lower, a, b) && !is_between(s, lower, a, b))
                certificate_execution_pair(c, tag, a, '<', b);
            else if (order->partial && a < b && !rel_has(s->dim, lower, a, b) &&
                     !rel_has(s->dim, lower, b, a))
                certificate_execution_pair(c, tag, a, '|', b);
        }
}

static void write_execution(struct enum_search *s)
{
    struct certificate *c = enum_certificate(s);
    certificate_execution(c);
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        certificate_execution_source(c, s->skeleton->reads[i], s->source[s->skeleton->reads[i]]);
    for (uint32_t i = 0; i < s->order_count; i++)
        write_order(s, i);
    certificate_end_execution(c);
}

/* Of all that an execution may add to. */
static size_t size_of(const struct outcome *outcome)
{
    return outcome->final.count + outcome->crash.count + outcome->flags.count +
           outcome->undefined.count + outcome->ended;
}

void enum_complete_case(struct enum_search *s)
{
    struct certificate *c = enum_certificate(s);
    const struct outcome *outcome = s->state->outcome;
    size_t before = size_of(outcome), final = outcome->final.count, crash = outcome->crash.count;
    if (!cat_eval_consistent(s->eval)) {
        write_lost(s);
        return;
    }
    if (!cat_eval_rest(s->eval))
        return;
    if (!has_values(s)) {
        certificate_lack(c, "values that justify themselves");
        return;
    }
    certificate_leaf(c, enum_leaf(s) ? "k" : "v");
    if (size_of(outcome) != before) {
        write_execution(s);
        if (s->state->images)
            enum_images_add_execution(s->state->images, final, crash);
    }
    if (outcome->undefined.count) {
        certificate_undefined(c);
        enum_meet_goal(s->state);
    }
}

/* ---- The whole ---- */

void enum_cases(struct enum_search *s)
{
    s->raised = ARENA_ARRAY(&s->state->scratch, bool, s->state->request->model->check_count);
    s->is_odd = has_odd_end(s);
    if (enum_case_is_open(s))
        enum_choose_case(s);
}
