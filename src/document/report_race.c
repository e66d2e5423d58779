/* What to do about a race: which of its accesses are no atomics, and what both have to be. */
#include "document/report_explain.h"

#include "document/report_finding.h"
#include "litmus/lit_code.h"

#include <string.h>

#define MANUAL "docs/using/what-now.md"

static bool is_access(const struct outcome_event *event)
{
    return event->thread != LIT_NONE && event->instr && ev_kind_accesses(event->kind);
}

static bool is_plain(const struct outcome_event *event)
{
    return event->instr->order == LIT_ORDER_NA;
}

/* Of a race one of whose accesses at least is no atomic. */
static bool is_told(const struct outcome_undefined *undefined)
{
    const struct outcome_event *events = undefined->events;
    return outcome_is_race(undefined) && undefined->event_count == 2 && is_access(&events[0]) &&
           is_access(&events[1]) && (is_plain(&events[0]) || is_plain(&events[1]));
}

/* ---- What is waited for ---- */

/* Does a branch of the loop, which goes round until something else is read, hang on this value? */
static bool decides(const struct lit_thread *thread, const struct lit_instr *await, uint32_t value,
                    struct arena *arena)
{
    bool *used = ARENA_ARRAY(arena, bool, thread->register_count + 1);
    for (uint32_t i = await->begin; i < await->target; i++)
        if (thread->code[i].op == LIT_BRANCH)
            lit_code_mark_used(&thread->code[i], used);
    return value != LIT_NONE && used[value];
}

static bool waits(const struct report_explanation *r, const struct outcome_event *event,
                  struct arena *arena)
{
    const struct lit_thread *thread = outcome_thread(r->test.program, event->thread);
    const struct lit_instr *instr = outcome_instr_of(r->test.program, event);
    const uint32_t at = instr ? (uint32_t)(instr - thread->code) : 0;
    return instr && event->kind == EV_READ &&
           ANY(i, thread->code_count,
               thread->code[i].op == LIT_AWAIT && thread->code[i].begin <= at &&
                   at < thread->code[i].target &&
                   decides(thread, &thread->code[i], lit_code_into(instr), arena));
}

/* Of a race the access that waits; NULL: none does. */
static const struct outcome_event *waiting_of(const struct report_explanation *r,
                                              const struct outcome_undefined *race,
                                              struct arena *arena)
{
    return FIND(k, race->events, 2, waits(r, &race->events[k], arena));
}

/* One on a location that is waited for comes first: what is passed by it races as long as it does.
 * So it is with one of an atomic, where the other access was most likely to be one as well. */
static uint32_t urgency(const struct report_explanation *r, const struct outcome_undefined *race,
                        struct arena *arena)
{
    if (!is_told(race))
        return 0;
    if (waiting_of(r, race, arena))
        return 3;
    return is_plain(&race->events[0]) && is_plain(&race->events[1]) ? 1 : 2;
}

/* NULL: there is none to tell of. */
static const struct outcome_undefined *find_race(const struct report_explanation *r,
                                                 struct arena *arena)
{
    const struct outcome_undefined *first = NULL;
    uint32_t most = 0;
    EACH_IN (const struct outcome_undefined, race, r->test.outcome->undefined) {
        const uint32_t urgent = urgency(r, race, arena);
        first = urgent > most ? race : first;
        most = urgent > most ? urgent : most;
    }
    return first;
}

/* ---- Words ---- */

static bool offers(const struct lit_program *program, const char *name)
{
    return ANY(i, program->offer_count, strcmp(program->offers[i].name, name) == 0);
}

static void add_access(const struct report_explanation *r, const struct outcome_event *event,
                       struct report_tree *tree)
{
    report_tree_begin(tree, REPORT_ITEM, NULL);
    report_event(r->test.program, event, &tree->text);
    strbuf_add(&tree->text, is_plain(event) ? " is no atomic  | " : " is an atomic  | ");
    report_explain_source(r, event, &tree->text);
    report_tree_end(tree);
}

static void add_head(const struct report_explanation *r, const struct outcome_undefined *race,
                     struct report_tree *tree)
{
    const char *name = r->test.program->locations[race->events[0].location].name;
    const struct outcome_event *waiting = waiting_of(r, race, &tree->arena);
    report_tree_begin(tree, REPORT_LINE, NULL);
    if (waiting)
        strbuf_printf(&tree->text,
                      "Mend the race on %s first, for which %s waits at line %u:", name,
                      outcome_thread(r->test.program, waiting->thread)->name, waiting->line);
    else
        strbuf_printf(&tree->text, "Of the race on %s:", name);
    report_tree_end(tree);
}

void report_explain_race(const struct report_explanation *r, struct report_tree *tree)
{
    const struct outcome_undefined *race = find_race(r, &tree->arena);
    if (!race)
        return;
    report_tree_line(tree, "In what was tried no plain access became an atomic");
    add_head(r, race, tree);
    report_tree_begin(tree, REPORT_LIST, NULL);
    for (int k = 0; k < 2; k++)
        add_access(r, &race->events[k], tree);
    report_tree_end(tree);
    report_tree_line(
        tree, "Both have to be atomics, with orders and scopes that reach each other%s%s",
        waiting_of(r, race, &tree->arena) ? "" : ", or something has to order them", ": " MANUAL);
    if (offers(r->test.program, "__threadfence"))
        report_tree_line(tree, "In CUDA atomicExch writes and atomicAdd(.., 0) reads, or an access "
                               "of a cuda::atomic: docs/using/cuda.md");
}
