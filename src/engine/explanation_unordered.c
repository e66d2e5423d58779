/* Why what stands between two writes does not order them. The model is asked of the same execution
 * with that one event otherwise: of a wider scope, as a persist barrier, or as nothing that orders.
 * What orders the two then is the reason. Where the model chooses orders (`with`) nothing is said:
 * another event could have been chosen otherwise. */
#include "engine/explanation.h"

#include "engine/meaning.h"
#include "litmus/lit_dialect.h"
#include "litmus/lit_ptx.h"

#include <string.h>

/* More is not asked: each question closes a relation of all events. */
enum { MOST_EVENTS = 128, MOST_ASKED = 8 };

struct asking {
    struct explanation *explanation;
    const struct engine_request *request;
    const struct engine_witness *witness;
    uint32_t n; /* events; node n + e is that e is durable */
    struct rel_dim dim;
    struct arena arena;
};

/* ---- One event otherwise ---- */

/* What has to come before what, whatever the crash leaves: the event of that number is another one.
 */
static const rel_word *order_with(struct asking *a, uint32_t number, const struct ev *other)
{
    const struct exec_skeleton *own = a->witness->skeleton;
    struct exec_skeleton changed = *own;
    struct ev *events = arena_copy(&a->arena, own->events, a->n * sizeof *events);
    rel_word *sync = ARENA_ARRAY(&a->arena, rel_word, rel_words(own->dim));
    struct engine_witness witness = *a->witness;
    events[number] = *other;
    changed.events = events;
    witness.skeleton = &changed;
    if (a->witness->sync_fence)
        rel_copy(own->dim, sync, a->witness->sync_fence);
    witness.sync_fence = sync;
    for (uint32_t e = 0; e < a->n && !ev_has_sc_fence(other); e++) {
        rel_remove(own->dim, sync, e, number);
        rel_remove(own->dim, sync, number, e);
    }
    return explanation_order_of(&a->arena, a->request, &witness);
}

static bool has(const struct asking *a, const rel_word *order, uint32_t earlier, uint32_t later)
{
    const bool persists = a->witness->skeleton->events[later].kind == EV_WRITE;
    return rel_has(a->dim, order, a->n + earlier, persists ? a->n + later : later);
}

/* ---- Reasons ---- */

static const struct ev *between_of(const struct asking *a, const struct explanation_gap *gap)
{
    return &a->witness->skeleton->events[gap->numbers[2]];
}

static bool orders_with(struct asking *a, const struct explanation_gap *gap, const struct ev *other)
{
    return has(a, order_with(a, gap->numbers[2], other), gap->numbers[0], gap->numbers[1]);
}

/* The definition that is such a fence of another scope; NULL: the test's files have none. */
static const struct lit_offer *offer_of(const struct asking *a, const struct ev *fence)
{
    const struct lit_program *program = a->request->program;
    for (uint32_t i = 0; i < program->offer_count; i++) {
        const struct lit_offer *offer = &program->offers[i];
        if (offer->fences && offer->order == fence->order && offer->scope == fence->scope)
            return offer;
    }
    return NULL;
}

/* Has its statement other instructions, as that of a definition may? */
static bool is_part(const struct asking *a, const struct ev *fence)
{
    const struct lit_thread *thread = &a->request->program->threads[fence->thread];
    const struct span *span = &fence->instr->span;
    return ANY(i, thread->code_count,
               &thread->code[i] != fence->instr && thread->code[i].span.line == span->line &&
                   thread->code[i].span.column == span->column);
}

/* Is its definition this fence and nothing else, so that another such one may replace it? */
static bool is_offer(const struct asking *a, const struct lit_instr *fence)
{
    const struct lit_program *program = a->request->program;
    return fence->name &&
           ANY(i, program->offer_count,
               program->offers[i].fences && strcmp(program->offers[i].name, fence->name) == 0);
}

/* ---- As it is written ---- */

/* What stands in the test from the instruction to the end of its statement. */
static const char *text_of(struct asking *a, const struct lit_instr *instr)
{
    const struct span *span = &instr->span;
    size_t length = 0;
    const char *line = span->source && span->line && span->column
                           ? source_line(span->source, span->line, &length)
                           : "";
    const size_t begin = length ? span->column - 1 : 0;
    char *text = arena_strndup(&a->explanation->arena, line + begin, length - begin);
    text[strcspn(text, ";|")] = '\0';
    return text;
}

/* The word with what it has behind the last place of its own scope replaced; NULL: it has it not. */
static const char *with_scope(struct asking *a, const char *word, const char *own,
                              const char *wider)
{
    const size_t length = strcspn(word, " \t("), tail = own ? strlen(own) : 0;
    if (!own || !wider || length < tail || strncmp(word + length - tail, own, tail) != 0)
        return NULL;
    return arena_printf(&a->explanation->arena, "%.*s%s", (int)(length - tail), word, wider);
}

const char *explanation_source_fence(const struct lit_instr *instr, enum lit_scope scope)
{
    const struct lit_writing *writing = ptx_dialect.writing;
    const struct lit_fence_word *word = NULL;
    if (instr->origin && instr->op == LIT_FENCE && !instr->name)
        word = FIND(i, writing->fences, writing->fence_count,
                    writing->fences[i].order == instr->order && writing->fences[i].scope == scope);
    return word ? word->source : NULL;
}

static void find_written(struct asking *a, const struct lit_instr *instr,
                         struct explanation_gap *gap)
{
    gap->wider = explanation_source_fence(instr, gap->scope);
    if (instr->origin)
        return;
    const struct lit_spelling *const calls[] = {&lit_spelling_long, &lit_spelling_short};
    const char *text = text_of(a, instr);
    const struct lit_spelling *spelling = &lit_spelling_suffix;
    if (a->request->program->is_table)
        for (spelling = lit_ptx_writing.spellings;
             strncmp(text, spelling->prefix, strlen(spelling->prefix)) != 0;)
            spelling++;
    gap->wider = with_scope(a, text, spelling->scopes[instr->scope], spelling->scopes[gap->scope]);
    gap->word = gap->wider ? spelling->scopes[gap->scope] : NULL;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && !gap->word; i++)
        if (strstr(text, calls[i]->scopes[instr->scope]))
            gap->word = calls[i]->scopes[gap->scope];
}

/* A definition becomes another one, if the test's files have one that would do. */
static bool is_too_narrow(struct asking *a, struct explanation_gap *gap)
{
    struct ev other = *between_of(a, gap);
    const bool defined = !gap->is_part && is_offer(a, other.instr);
    bool found = false;
    while (other.has_scope && other.scope + 1 < LIT_SCOPE_COUNT && !gap->wider) {
        other.scope++;
        const struct lit_offer *offer = defined ? offer_of(a, &other) : NULL;
        if ((found && !offer) || !orders_with(a, gap, &other))
            continue;
        gap->scope = other.scope;
        gap->wider = offer ? arena_printf(&a->explanation->arena, "%s()", offer->name) : NULL;
        found = true;
    }
    if (found && !gap->wider && !other.instr->name)
        find_written(a, other.instr, gap);
    return found;
}

/* The same with something that orders nothing. */
static const rel_word *order_without(struct asking *a, const struct explanation_gap *gap)
{
    struct ev nothing = *between_of(a, gap);
    struct lit_instr *bare = arena_copy(&a->arena, nothing.instr, sizeof *bare);
    bare->tags = 0;
    nothing.instr = bare;
    nothing.kind = EV_FENCE;
    nothing.order = LIT_ORDER_NA;
    nothing.has_order = nothing.has_scope = false;
    return order_with(a, gap->numbers[2], &nothing);
}

/* Is it a fence without a tag, with which everything that becomes durable does so after the same as
 * without it, and before the same? */
static bool is_only_visible(struct asking *a, const struct explanation_gap *gap)
{
    const struct ev *between = between_of(a, gap);
    const rel_word *is = order_with(a, gap->numbers[2], between);
    const rel_word *without = order_without(a, gap);
    for (uint32_t x = 0; x < a->dim.n; x++)
        for (uint32_t y = 0; y < a->dim.n; y++)
            if ((x >= a->n || y >= a->n) &&
                rel_has(a->dim, is, x, y) != rel_has(a->dim, without, x, y))
                return false;
    return !between->instr->tags;
}

/* The last write of the fence's own work-item that it orders before the later one, which nothing
 * else does. */
static bool is_of_others(struct asking *a, struct explanation_gap *gap)
{
    const struct exec_skeleton *skeleton = a->witness->skeleton;
    const struct ev *between = between_of(a, gap);
    if (between->thread == gap->threads[0])
        return false;
    const rel_word *is = order_with(a, gap->numbers[2], between);
    const rel_word *without = order_without(a, gap);
    for (uint32_t e = gap->numbers[2]; e-- > skeleton->first[between->thread];) {
        const struct ev *own = &skeleton->events[e];
        if (own->kind != EV_WRITE || !skeleton->program->locations[own->location].nvm ||
            !has(a, is, e, gap->numbers[1]) || has(a, without, e, gap->numbers[1]))
            continue;
        gap->own = explanation_event(a->explanation, skeleton->program, own);
        return true;
    }
    return false;
}

static bool is_no_persist_barrier(struct asking *a, struct explanation_gap *gap)
{
    struct ev other = *between_of(a, gap);
    struct lit_instr *barrier = arena_copy(&a->arena, other.instr, sizeof *barrier);
    if (other.kind != EV_FENCE || !meaning_of_persist_barriers(a->request->model))
        return false;
    barrier->op = LIT_PBARRIER;
    barrier->tags = 0;
    other.instr = barrier;
    other.kind = EV_PBARRIER;
    other.order = LIT_ORDER_NA;
    other.has_order = false;
    other.has_scope = true;
    other.meeting = (struct ev_meeting){.kind = EV_PBARRIER, .resource = LIT_NONE};
    for (other.scope = LIT_SCOPE_WI; other.scope < LIT_SCOPE_COUNT; other.scope++)
        if (orders_with(a, gap, &other)) {
            gap->scope = other.scope;
            gap->only_visible = is_only_visible(a, gap);
            return true;
        }
    return false;
}

static void find(struct asking *a, struct explanation_gap *gap)
{
    const struct ev *between = between_of(a, gap);
    const bool fence = between->kind == EV_FENCE || between->kind == EV_PBARRIER;
    gap->is_part = is_part(a, between);
    if (fence && !orders_with(a, gap, between))
        gap->why_not = is_too_narrow(a, gap)           ? EXPLANATION_NARROW
                       : is_of_others(a, gap)          ? EXPLANATION_OF_OTHERS
                       : is_no_persist_barrier(a, gap) ? EXPLANATION_VISIBLE
                                                       : EXPLANATION_UNTOLD;
}

void explanation_find_why_not(struct explanation *explanation, const struct engine_request *request,
                              const struct engine_witness *witness)
{
    struct asking a = {.explanation = explanation,
                       .request = request,
                       .witness = witness,
                       .n = witness->skeleton->dim.n,
                       .dim = rel_dim_make(2 * witness->skeleton->dim.n)};
    const bool asks = a.n <= MOST_EVENTS && !request->model->choice_count;
    arena_init(&a.arena);
    for (size_t i = 0; asks && i < explanation->gaps.count && i < MOST_ASKED; i++) {
        struct arena_mark mark = arena_mark(&a.arena);
        if (explanation->gaps.items[i].has_between)
            find(&a, &explanation->gaps.items[i]);
        arena_rewind(&a.arena, mark);
    }
    arena_fini(&a.arena);
}
