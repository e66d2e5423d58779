/* Finds missing orders in an execution whose crash lost something. The earlier write executed. The
 * later write is durable, or has shown in a register of the state, and the model lets it be so
 * without the earlier one. */
#include "engine/explanation.h"

#include "base/bits.h"
#include "engine/witness.h"

#include <ctype.h>
#include <string.h>

enum { MOST_GAPS = 32 };

/* Which writes are looked at: all; those to locations that the condition names; those by which it is
 * as it is, so that without them, or with those that are lost, the state would not decide it. */
enum sort { ANY_WRITE, NAMED, DECISIVE };

struct finder {
    struct explanation *explanation;
    const struct engine_witness *witness;
    struct explanation_nodes nodes;
    uint32_t n; /* events */
    enum sort later;
};

static bool is_same(const struct explanation_gap *a, const struct explanation_gap *b)
{
    return a->instrs[0] == b->instrs[0] && a->instrs[1] == b->instrs[1];
}

static const struct ev *event(const struct finder *f, uint32_t e)
{
    BASE_ASSERT(e < f->n);
    return &f->witness->skeleton->events[e];
}

static bool is_nvm_write(const struct finder *f, uint32_t e)
{
    BASE_ASSERT(e < f->n);
    const struct ev *ev = event(f, e);
    return ev->kind == EV_WRITE && !ev->init &&
           f->witness->skeleton->program->locations[ev->location].nvm;
}

static bool executes_before(const struct finder *f, uint32_t a, uint32_t b)
{
    BASE_ASSERT(a < f->n && b < f->n);
    return a != b && rel_has(f->nodes.dim, f->nodes.before, a, b) &&
           !rel_has(f->nodes.dim, f->nodes.before, b, a);
}

static bool is_durable(const struct finder *f, uint32_t e)
{
    BASE_ASSERT(e < f->n);
    return is_nvm_write(f, e) && bits_get(f->nodes.wanted, f->n + e);
}

/* ---- What the condition depends on ---- */

/* The state with another value of a location, or as it is. */
struct otherwise {
    const struct engine_witness *witness;
    uint32_t location;
    int64_t value;
};

static int64_t value_otherwise(const void *context, const struct lit_atom *atom)
{
    const struct otherwise *o = context;
    const struct outcome_states state = {.items = o->witness->items, .width = o->witness->width};
    if (atom->kind == LIT_ATOM_LOCATION && atom->location == o->location)
        return o->value;
    const uint32_t column = outcome_column(&state, atom);
    BASE_CHECK(column != LIT_NONE);
    return o->witness->row[column];
}

/* Is the proposition of another truth with this value? */
static bool turns(const struct finder *f, uint32_t location, int64_t value)
{
    const struct lit_program *program = f->witness->skeleton->program;
    const struct lit_prop *prop = f->explanation->about->prop;
    const struct otherwise is = {f->witness, LIT_NONE, 0}, would = {f->witness, location, value};
    return outcome_prop_holds(program, prop, value_otherwise, &is) !=
           outcome_prop_holds(program, prop, value_otherwise, &would);
}

static bool is_named(const struct finder *f, uint32_t e)
{
    const struct lit_condition *about = f->explanation->about;
    return !about || lit_prop_names(about->prop, event(f, e)->location);
}

static bool is_of_sort(const struct finder *f, uint32_t e, enum sort sort)
{
    const struct engine_witness *w = f->witness;
    const struct ev *ev = event(f, e);
    int64_t value;
    if (sort != DECISIVE)
        return sort == ANY_WRITE || is_named(f, e);
    const uint32_t last = w->cut->last[ev->location];
    if (is_durable(f, e))
        return last == e &&
               turns(f, ev->location, w->skeleton->program->locations[ev->location].init);
    const bool replaced = last != LIT_NONE && rel_has(w->skeleton->dim, w->co, e, last);
    return !replaced && witness_value(w, e, &value) && turns(f, ev->location, value);
}

/* Is there something of this event by which the loss of an earlier write shows? */
static bool is_later(const struct finder *f, uint32_t lost, uint32_t e)
{
    BASE_ASSERT(lost < f->n && e < f->n);
    return bits_get(f->nodes.tells, e) ||
           (is_durable(f, e) && event(f, lost)->location != event(f, e)->location &&
            is_of_sort(f, e, f->later));
}

static bool is_lost(const struct finder *f, uint32_t e)
{
    BASE_ASSERT(e < f->n);
    return is_nvm_write(f, e) && bits_get(f->nodes.wanted, e) &&
           !bits_get(f->nodes.wanted, f->n + e);
}

/* Nothing durable that is looked at stands between a lost write and a durable one behind it. */
static bool is_next(const struct finder *f, uint32_t lost, uint32_t durable)
{
    BASE_ASSERT(lost < f->n && durable < f->n);
    return !ANY(e, f->n,
                is_durable(f, e) && is_of_sort(f, e, f->later) && executes_before(f, lost, e) &&
                    executes_before(f, e, durable));
}

/* How near an event comes to an order of persists; 0: it is not what orders anything. A flush of
 * another location comes less near. */
static uint32_t nearness(const struct ev *ev, uint32_t location)
{
    uint32_t sort = ev->kind == EV_PBARRIER  ? 4
                    : ev->kind == EV_FENCE   ? 3
                    : ev->kind == EV_CM      ? 2 + (ev->location == location)
                    : ev->kind == EV_BARRIER ? 1
                                             : 0;
    return sort ? sort * LIT_SCOPE_COUNT + ev->scope : 0;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The first place behind those that are so. */
static size_t past(const char *text, size_t length, size_t at, bool (*is)(char))
{
    while (at < length && is(text[at]))
        at++;
    return at;
}

/* The first word of the instruction in the test's text, of a persist barrier with its scope; NULL
 * where that does not follow in its line. */
static const char *word_of(const struct finder *f, const struct lit_instr *instr)
{
    const struct span place = instr->span;
    struct arena *arena = &f->explanation->arena;
    size_t length = 0, begin = place.column - 1;
    const char *text = place.source && place.line && place.column
                           ? source_line(place.source, place.line, &length)
                           : "";
    const size_t end = past(text, length, begin, is_of_word);
    const size_t next = past(text, length, end, is_blank);
    const bool calls = instr->op == LIT_PBARRIER && next < length && text[next] == '(';
    const size_t scope = past(text, length, next + calls, is_blank);
    const size_t behind = past(text, length, scope, is_of_word);
    const size_t closes = past(text, length, behind, is_blank);
    if (end <= begin || (instr->op == LIT_PBARRIER && (next == length || text[next] == '/')) ||
        (calls && (behind == scope || closes == length || text[closes] != ')')))
        return NULL;
    return calls ? arena_printf(arena, "%.*s(%.*s)", (int)(end - begin), text + begin,
                                (int)(behind - scope), text + scope)
                 : arena_printf(arena, "%.*s", (int)(end - begin), text + begin);
}

/* Of compiled code as its source writes it. */
static const char *source_name(const struct finder *f, const struct lit_instr *instr)
{
    const char *fence = explanation_source_fence(instr, instr->scope);
    const char *place = instr->origin->text;
    return fence && place ? arena_printf(&f->explanation->arena, "%s (%s)", fence, place) : fence;
}

/* As it is written, or by its definition's name. Flushes have words that say more. */
static const char *name_of(const struct finder *f, const struct ev *ev, const char *otherwise)
{
    const struct lit_instr *instr = ev->instr;
    if (!instr || ev->kind == EV_CM)
        return otherwise;
    const char *word = instr->name     ? instr->name
                       : instr->origin ? source_name(f, instr)
                                       : word_of(f, instr);
    return word ? word : otherwise;
}

static void name_event(const struct finder *f, uint32_t e, struct outcome_event *named)
{
    *named = explanation_event(f->explanation, f->witness->skeleton->program, event(f, e));
    named->access = name_of(f, event(f, e), named->access);
}

static bool is_fence_of(const struct finder *f, uint32_t e, uint32_t thread)
{
    const enum ev_kind kind = event(f, e)->kind;
    return (kind == EV_FENCE || kind == EV_PBARRIER) && event(f, e)->thread == thread;
}

/* In front of both in the earlier one's work-item, else behind both in the later one's. */
static void find_beside(const struct finder *f, uint32_t lost, uint32_t later,
                        struct explanation_gap *gap)
{
    uint32_t before = lost, behind = later + 1;
    while (before > 0 && !is_fence_of(f, before - 1, event(f, lost)->thread))
        before--;
    while (behind < f->n && !is_fence_of(f, behind, event(f, later)->thread))
        behind++;
    gap->beside_behind = before == 0;
    gap->has_beside = before > 0 || behind < f->n;
    if (gap->has_beside)
        name_event(f, before > 0 ? before - 1 : behind, &gap->beside);
}

/* Those of one instruction are one. */
static void find_others(const struct finder *f, uint32_t lost, uint32_t durable,
                        struct explanation_gap *gap)
{
    for (uint32_t e = 0; e < f->n && gap->other_count < EXPLANATION_OTHERS; e++) {
        const struct ev *ev = event(f, e);
        struct outcome_event *other = &gap->others[gap->other_count];
        if (ev->kind == EV_BARRIER || nearness(ev, gap->location) == 0 ||
            ev->instr == event(f, gap->numbers[2])->instr || !executes_before(f, lost, e) ||
            !executes_before(f, e, durable))
            continue;
        name_event(f, e, other);
        gap->other_count += !ANY(i, gap->other_count, gap->others[i].instr == other->instr);
    }
}

static void find_between(const struct finder *f, uint32_t lost, uint32_t durable,
                         struct explanation_gap *gap)
{
    BASE_ASSERT(lost < f->n && durable < f->n);
    uint32_t nearest = 0;
    for (uint32_t e = 0; e < f->n; e++) {
        const struct ev *ev = event(f, e);
        if (nearness(ev, gap->location) <= nearest || !executes_before(f, lost, e) ||
            !executes_before(f, e, durable))
            continue;
        nearest = nearness(ev, gap->location);
        gap->numbers[2] = e;
    }
    gap->has_between = nearest > 0;
    if (gap->has_between)
        name_event(f, gap->numbers[2], &gap->between);
    if (gap->has_between)
        find_others(f, lost, durable, gap);
    else
        find_beside(f, lost, durable, gap);
}

/* Passes of a loop that write one location give the same gap. */
static bool is_known(const struct finder *f, const struct explanation_gap *gap)
{
    const size_t count = f->explanation->gaps.count;
    return count == MOST_GAPS || ANY(i, count,
                                     is_same(&f->explanation->gaps.items[i], gap) &&
                                         f->explanation->gaps.items[i].location == gap->location);
}

static void add_gap(const struct finder *f, uint32_t lost, uint32_t durable)
{
    BASE_ASSERT(lost < f->n && durable < f->n && lost != durable);
    const struct lit_program *program = f->witness->skeleton->program;
    const struct ev *a = event(f, lost), *b = event(f, durable);
    struct explanation_gap gap = {.instrs = {a->instr, b->instr},
                                  .threads = {a->thread, b->thread},
                                  .location = a->location,
                                  .numbers = {lost, durable, 0}};
    if (is_known(f, &gap))
        return;
    gap.next = is_next(f, lost, durable);
    gap.earlier = explanation_event(f->explanation, program, a);
    gap.later = explanation_event(f->explanation, program, b);
    find_between(f, lost, durable, &gap);
    VEC_PUSH(&f->explanation->gaps, gap);
}

void explanation_clear_gaps(struct explanation *explanation)
{
    VEC_CLEAR(&explanation->gaps);
    VEC_CLEAR(&explanation->unstored);
}

static bool is_line_of(const struct lit_thread *thread, uint32_t line)
{
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        uint32_t own = thread->code[i].span.line;
        first = own < first ? own : first;
        last = own > last ? own : last;
    }
    return first <= line && line <= last;
}

/* Does the line stand behind the earlier event in its work-item, or before the later one? In a loop
 * the earlier one may stand behind the later one. What is added stands in front of its line. */
static bool is_within(const struct explanation_gap *gap, const struct lit_program *program,
                      const struct change *change)
{
    uint32_t line = change->line, earlier = gap->earlier.line, later = gap->later.line;
    bool behind = line + (change->before != NULL) > earlier, ahead = line <= later;
    if (gap->threads[0] == gap->threads[1])
        return is_line_of(&program->threads[gap->threads[0]], line) &&
               (earlier <= later ? behind && ahead : behind || ahead);
    return (behind && is_line_of(&program->threads[gap->threads[0]], line)) ||
           (ahead && is_line_of(&program->threads[gap->threads[1]], line));
}

static bool is_closed(const struct explanation_gap *gap, const struct lit_program *program,
                      const struct changes *changes)
{
    return ANY(i, changes->count, is_within(gap, program, &changes->items[i]));
}

/* A lost write once, with the first of what is behind it. */
static bool is_told(const struct explanation *explanation, size_t count,
                    const struct explanation_gap *gap)
{
    return ANY(i, count, explanation->gaps.items[i].instrs[0] == gap->instrs[0]);
}

bool explanation_keep_closed_gaps(struct explanation *explanation,
                                  const struct lit_program *program, const struct changes *changes)
{
    size_t kept = 0;
    for (size_t i = 0; i < explanation->gaps.count; i++) {
        const struct explanation_gap gap = explanation->gaps.items[i];
        if (is_closed(&gap, program, changes) && !is_told(explanation, kept, &gap))
            explanation->gaps.items[kept++] = gap;
    }
    if (kept)
        explanation->gaps.count = kept;
    return kept > 0;
}

static bool is_write_to(const struct explanation_step *step, uint32_t location)
{
    return step->kind == EXPLANATION_EXECUTES && step->event.kind == EV_WRITE &&
           step->event.location == location;
}

void explanation_mark_unchanged(struct explanation *explanation, const struct lit_program *program)
{
    const struct explanation_step *steps = explanation->steps.items;
    const size_t count = explanation->steps.count;
    for (uint32_t l = 0; l < program->location_count; l++)
        for (size_t i = 0; program->locations[l].nvm && i < count; i++)
            if (is_write_to(&steps[i], l)) {
                explanation->steps.items[i].unchanged =
                    steps[i].has_value && steps[i].value == program->locations[l].init &&
                    !ANY(k, count, k > i && is_write_to(&steps[k], l));
                break;
            }
}

static bool names_lost(const struct explanation *explanation, const struct lit_prop *prop)
{
    return ANY(i, explanation->steps.count,
               explanation->steps.items[i].lost &&
                   lit_prop_names(prop, explanation->steps.items[i].event.location));
}

void explanation_keep_next_gaps(struct explanation *explanation)
{
    struct explanation_gap *gaps = explanation->gaps.items;
    size_t kept = 0;
    for (size_t i = 0; i < explanation->gaps.count; i++)
        if (gaps[i].next && !ANY(k, kept, is_same(&gaps[k], &gaps[i])))
            gaps[kept++] = gaps[i];
    explanation->gaps.count = kept;
}

/* ---- Of what the condition names ---- */

static void add_gaps(struct finder *f, enum sort lost, enum sort later)
{
    f->later = later;
    for (uint32_t e = 0; e < f->n; e++) {
        const bool told = is_lost(f, e) && is_of_sort(f, e, lost);
        for (uint32_t behind = 0; told && behind < f->n; behind++)
            if (is_later(f, e, behind) && executes_before(f, e, behind))
                add_gap(f, e, behind);
    }
}

/* Of passes of a loop the first. */
static bool is_first_to(const struct explanation *explanation, const struct ev *write)
{
    return !ANY(i, explanation->unstored.count,
                explanation->unstored.items[i].instr == write->instr) &&
           !ANY(i, explanation->steps.count,
                is_write_to(&explanation->steps.items[i], write->location));
}

static void find_unstored(const struct finder *f)
{
    for (uint32_t e = 0; e < f->n; e++)
        if (is_nvm_write(f, e) && !bits_get(f->nodes.wanted, e) && is_named(f, e) &&
            is_first_to(f->explanation, event(f, e)))
            VEC_PUSH(&f->explanation->unstored,
                     explanation_event(f->explanation, f->witness->skeleton->program, event(f, e)));
}

static void list_stores(const struct finder *f)
{
    VEC_CLEAR(&f->explanation->stores);
    for (uint32_t e = 0; e < f->n; e++)
        if (is_nvm_write(f, e))
            VEC_PUSH(&f->explanation->stores,
                     (struct explanation_store){event(f, e)->instr, event(f, e)->location});
}

/* Of a crash state the two writes that the condition is decided by, if there are such; else what it
 * names that is lost, and what is behind that. */
void explanation_find_gaps(struct explanation *explanation, const struct engine_witness *witness,
                           const struct explanation_nodes *nodes)
{
    struct finder f = {.explanation = explanation,
                       .witness = witness,
                       .nodes = *nodes,
                       .n = witness->skeleton->dim.n};
    const struct lit_condition *about = explanation->about;
    explanation_clear_gaps(explanation);
    if (!about || about->when != LIT_CRASHED || about->refines) {
        add_gaps(&f, NAMED, ANY_WRITE);
        add_gaps(&f, ANY_WRITE, ANY_WRITE);
        return;
    }
    list_stores(&f);
    static const enum sort sorts[][2] = {
        {DECISIVE, DECISIVE}, {NAMED, DECISIVE}, {NAMED, NAMED}, {NAMED, ANY_WRITE}};
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts && !explanation->gaps.count; i++)
        add_gaps(&f, sorts[i][0], sorts[i][1]);
    if (!explanation->gaps.count && !names_lost(explanation, about->prop))
        find_unstored(&f);
}
