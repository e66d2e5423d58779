/* Undefined behaviour, each once, as told apart by its words. */
#include "engine/outcome.h"

#include "base/hash.h"
#include "base/strbuf.h"
#include "litmus/lit_code.h"

#include <string.h>

bool outcome_same_event(const struct outcome_event *a, const struct outcome_event *b)
{
    return a->thread == b->thread && a->line == b->line && strcmp(a->access, b->access) == 0;
}

bool outcome_same_undefined(const struct outcome_undefined *a, const struct outcome_undefined *b)
{
    if (a->kind != b->kind || a->event_count != b->event_count || strcmp(a->name, b->name) != 0)
        return false;
    return ALL(i, a->event_count, outcome_same_event(&a->events[i], &b->events[i]));
}

struct outcome_known {
    UT_hash_handle hh;
    bool either; /* each time so far */
    bool of_index;
    char words[];
};

/* As outcome_same_undefined holds two against each other. */
static const char *words_of(const struct outcome_undefined *undefined, struct strbuf *words)
{
    strbuf_printf(words, "%d %s", undefined->kind, undefined->name);
    EACH (const struct outcome_event, event, undefined->events, undefined->event_count)
        strbuf_printf(words, "\n%u %u %s", event->thread, event->line, event->access);
    return strbuf_text(words);
}

static struct outcome_known *note(struct outcome *outcome, const char *words, size_t length)
{
    struct outcome_known *known = arena_alloc(&outcome->arena, sizeof *known + length);
    known->of_index = false;
    memcpy(known->words, words, length);
    HASH_ADD_KEYPTR(hh, outcome->known, known->words, length, known);
    return known;
}

static struct outcome_undefined copy(struct outcome *outcome,
                                     const struct outcome_undefined *undefined)
{
    struct outcome_undefined copied = *undefined;
    copied.name = arena_strdup(&outcome->arena, undefined->name);
    for (uint32_t i = 0; i < copied.event_count; i++)
        copied.events[i].access = arena_strdup(&outcome->arena, undefined->events[i].access);
    return copied;
}

/* Two statements of a line may be told in the same words: then an index is outside in one of them. */
static void note_index(struct outcome *outcome, struct outcome_known *known,
                       const struct outcome_undefined *undefined)
{
    for (size_t i = 0; i < outcome->undefined.count && !known->of_index && undefined->of_index; i++)
        if (outcome_same_undefined(&outcome->undefined.items[i], undefined))
            known->of_index = outcome->undefined.items[i].of_index = true;
}

bool outcome_add_pair(struct outcome *outcome, const struct outcome_undefined *undefined,
                      bool either)
{
    SCOPED(strbuf) words = {0};
    const char *text = words_of(undefined, &words);
    struct outcome_known *known;
    HASH_FIND(hh, outcome->known, text, words.length, known);
    bool told = known && (either || !known->either);
    if (!known) {
        known = note(outcome, text, words.length);
        VEC_PUSH(&outcome->undefined, copy(outcome, undefined));
    }
    note_index(outcome, known, undefined);
    if (!told)
        known->either = either;
    return !told;
}

bool outcome_add_undefined(struct outcome *outcome, const struct outcome_undefined *undefined)
{
    return outcome_add_pair(outcome, undefined, false);
}

static bool is_asked(const struct outcome_undefined *fault, enum lit_property property)
{
    switch (property) {
    case LIT_PROPERTY_RACE: return outcome_is_race(fault);
    case LIT_PROPERTY_DIVERGENCE: return fault->kind == OUTCOME_DIVERGENCE;
    case LIT_PROPERTY_BOUNDS: return fault->kind == OUTCOME_FAULT && fault->of_index;
    case LIT_PROPERTY_ASSERT: return fault->kind == OUTCOME_ASSERTION;
    case LIT_PROPERTY_ENDS: return fault->kind == OUTCOME_ENDLESS;
    case LIT_NO_PROPERTY:
    case LIT_PROPERTY_ROBUST:
    case LIT_PROPERTY_END: break;
    }
    return false;
}

static struct outcome_asked *asked_of(struct outcome *outcome, enum lit_property property)
{
    return property == LIT_PROPERTY_RACE   ? &outcome->of_races
           : property == LIT_PROPERTY_ENDS ? &outcome->of_ends
                                           : NULL;
}

const struct outcome_asked *outcome_asked_of(const struct outcome *outcome,
                                             enum lit_property property)
{
    return asked_of((struct outcome *)outcome, property);
}

void outcome_take_asked(struct outcome *outcome, enum lit_property property,
                        const struct outcome *found)
{
    const char *doubt = outcome_failure_doubt(found);
    struct outcome_asked *asked = asked_of(outcome, property);
    asked->told = true;
    asked->doubt = doubt ? arena_strdup(&outcome->arena, doubt) : NULL;
    EACH_IN (const struct outcome_undefined, undefined, found->undefined)
        if (is_asked(undefined, property))
            VEC_PUSH(&outcome->asked, copy(outcome, undefined));
}

const struct outcome_undefined *outcome_next_fault(const struct outcome *outcome,
                                                   enum lit_property property, size_t *at)
{
    size_t undefined = outcome->undefined.count;
    while (*at < undefined + outcome->asked.count) {
        size_t i = (*at)++;
        const struct outcome_undefined *fault =
            i < undefined ? &outcome->undefined.items[i] : &outcome->asked.items[i - undefined];
        if (is_asked(fault, property))
            return fault;
    }
    return NULL;
}

void outcome_free_undefined(struct outcome *outcome)
{
    HASH_CLEAR(hh, outcome->known);
    VEC_FREE(&outcome->undefined);
    VEC_FREE(&outcome->asked);
}

void outcome_take_undefined(struct outcome *outcome, const struct outcome *recovery,
                            uint32_t threads)
{
    for (size_t i = 0; i < recovery->undefined.count; i++) {
        struct outcome_undefined undefined = recovery->undefined.items[i];
        for (uint32_t k = 0; k < undefined.event_count; k++)
            if (undefined.events[k].thread != LIT_NONE)
                undefined.events[k].thread += threads;
        outcome_add_undefined(outcome, &undefined);
    }
    for (size_t i = 0; i < recovery->flags.count; i++)
        outcome_add_flag(outcome, recovery->flags.items[i]);
}

const char *outcome_undefined_text(enum outcome_undefined_kind kind)
{
    static const char *const texts[] = {OUTCOME_UNDEFINED(TABLE_SECOND)};
    return texts[kind];
}

struct outcome_undefined outcome_fault(uint32_t thread, const struct lit_instr *instr)
{
    bool checks = instr->op == LIT_CHECK;
    bool divides = lit_code_may_fault(instr->value) || lit_code_may_fault(instr->expected) ||
                   lit_code_may_fault(instr->addr.index);
    enum outcome_undefined_kind kind = !checks             ? OUTCOME_FAULT
                                       : instr->asserts    ? OUTCOME_ASSERTION
                                       : instr->addr.count ? OUTCOME_UNSET
                                       : instr->addr.index ? OUTCOME_FAULT
                                                           : OUTCOME_TRANSACTION;
    return (struct outcome_undefined){
        .kind = kind,
        .of_index = instr->addr.index && !divides,
        .name = outcome_undefined_text(kind),
        .event_count = 1,
        .events = {{.thread = thread,
                    .line = instr->span.line,
                    .access = instr->text ? instr->text : "undefined operation",
                    .origin = instr->origin}}};
}

struct outcome_undefined outcome_endless(uint32_t thread, const struct lit_instr *instr)
{
    return (struct outcome_undefined){.kind = OUTCOME_ENDLESS,
                                      .name = outcome_undefined_text(OUTCOME_ENDLESS),
                                      .event_count = 1,
                                      .events = {{.thread = thread,
                                                  .line = instr->span.line,
                                                  .access = "waits for ever",
                                                  .origin = instr->origin}}};
}

struct outcome_event outcome_event_of(struct arena *arena, const struct ev *event,
                                      const struct lit_program *program)
{
    return (struct outcome_event){.thread = event->thread,
                                  .line = event->instr ? event->instr->span.line : 0,
                                  .access = ev_name(arena, event, program),
                                  .instr = event->instr,
                                  .origin = event->instr ? event->instr->origin : NULL,
                                  .kind = event->kind,
                                  .location = event->location};
}

/* Does the instruction make an event that reports write in the same words? An event without an
 * instruction matches each instruction that accesses no location. */
static bool makes(const struct lit_instr *instr, const struct outcome_event *event)
{
    const struct lit_instr *own = event->instr;
    bool there = !lit_instruction_is(instr->op, LIT_PLACED);
    for (uint32_t i = 0; own && !there && i < instr->addr.count; i++)
        there = lit_address_element(&instr->addr, i) == event->location;
    if (!own)
        return there;
    return there && ev_may_make(instr->op, event->kind) &&
           (ev_kind_accesses(event->kind) ||
            (instr->name == own->name && instr->tags == own->tags &&
             instr->exec_scope == own->exec_scope));
}

const struct lit_instr *outcome_instr_of(const struct lit_program *program,
                                         const struct outcome_event *event)
{
    const struct lit_thread *thread = outcome_thread(program, event->thread);
    const struct lit_instr *first = NULL;
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        if (event->line == 0 || instr->span.line != event->line)
            continue;
        if (makes(instr, event))
            return instr;
        first = first ? first : instr;
    }
    return first;
}

struct outcome_event outcome_missing(const struct lit_program *program, uint32_t thread,
                                     const struct lit_instr *instr)
{
    return (struct outcome_event){.thread = thread,
                                  .line = instr ? instr->span.line
                                                : outcome_thread(program, thread)->end.line,
                                  .access = instr ? "never arrives" : "ends without it",
                                  .origin = instr ? instr->origin : NULL};
}
