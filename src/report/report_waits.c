/* Who waits for what in vain: the work-item, the line of its loop, the location, the value that
 * would let it go on, and where that is stored. */
#include "engine/waits_hold.h"
#include "litmus/lit_code.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Where the location is stored to ---- */

/* Why it waits in vain, the plainest first; whether a store comes to be read is not looked at. */
enum cause {
    NOBODY_STORES,
    STORES_DO_NOT_END_IT,
    STORES_ITSELF,
    STORED_BEHIND_WAITS,
    READS_NO_STORE
};

struct stores {
    enum cause cause;
    uint32_t thread, line; /* of the first that counts */
    uint32_t count;        /* instructions that store to it */
    uint32_t ending;       /* those of them whose value may let it go on */
};

/* The loop that the work-item never gets past; NULL: there are none, or several. */
static const struct wait *lone_of(const struct waits *waits, uint32_t thread)
{
    const struct wait *found = NULL;
    for (uint32_t i = 0, count = 0; i < waits->count; i++)
        if (waits->items[i].thread == thread)
            found = count++ ? NULL : &waits->items[i];
    return found;
}

/* Does it stay in its loop even if only that store is come to, and what the read itself stores? */
static bool is_no_end(const struct report_test *test, const struct wait *wait,
                      const struct lit_instr *read, uint32_t thread, uint32_t pc)
{
    const struct lit_program *program = test->program;
    struct waits alone = test->waits;
    SCOPED(arena) arena = {0};
    bool **behind = ARENA_ARRAY(&arena, bool *, program->thread_count);
    for (uint32_t t = 0; t < program->thread_count; t++) {
        behind[t] = ARENA_ARRAY(&arena, bool, program->threads[t].code_count + 1);
        memset(behind[t], true, program->threads[t].code_count);
    }
    behind[thread][pc] = behind[wait->thread][read - program->threads[wait->thread].code] = false;
    alone.behind = (const bool *const *)behind;
    const bool stays = waits_hold(program, &alone, wait, &read->addr);
    return stays;
}

static enum cause cause_of(const struct report_test *test, const struct wait *wait,
                           const struct lit_instr *read, uint32_t thread, uint32_t pc)
{
    return is_no_end(test, wait, read, thread, pc) ? STORES_DO_NOT_END_IT
           : !test->waits.behind[thread][pc]       ? READS_NO_STORE
           : lone_of(&test->waits, thread) == wait ? STORES_ITSELF
                                                   : STORED_BEHIND_WAITS;
}

/* Those of other instructions than the read, where that stores as well. */
static struct stores find_stores(const struct report_test *test, const struct wait *wait,
                                 const struct lit_instr *read)
{
    struct stores found = {NOBODY_STORES, LIT_NONE, 0, 0, 0};
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_thread *thread = &test->program->threads[t];
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            const struct lit_instr *instr = &thread->code[pc];
            if (instr == read || !lit_instruction_writes(instr->op) ||
                !waits_overlap(&instr->addr, &read->addr))
                continue;
            const enum cause cause = cause_of(test, wait, read, t, pc);
            found.count++;
            found.ending += cause != STORES_DO_NOT_END_IT;
            if (cause <= found.cause)
                continue;
            found.cause = cause;
            found.thread = t;
            found.line = instr->span.line;
        }
    }
    return found;
}

/* ---- The wait that is told ---- */

/* Of all reads that hold a work-item up the one that is stored to the least. */
struct told {
    const struct wait *wait;
    const struct lit_instr *read;
    enum lit_type type; /* of the location */
    struct stores stores;
};

/* Is it read in the loop? A launch or a join waits for what the test has no name for. */
static bool is_named_read(const struct report_test *test, const struct wait *wait, uint32_t pc)
{
    const struct lit_instr *instr = &test->program->threads[wait->thread].code[pc];
    return wait->inside[pc] && lit_instruction_reads(instr->op) &&
           !test->program->locations[instr->addr.first].hidden;
}

static bool is_named(const struct report_test *test, const struct wait *wait)
{
    return ANY(pc, test->program->threads[wait->thread].code_count, is_named_read(test, wait, pc));
}

/* Does the loop read nothing else? */
static bool is_all(const struct report_test *test, const struct wait *wait,
                   const struct lit_address *addr)
{
    const struct lit_thread *thread = &test->program->threads[wait->thread];
    return ALL(pc, thread->code_count,
               !wait->inside[pc] || !lit_instruction_reads(thread->code[pc].op) ||
                   (thread->code[pc].addr.first == addr->first &&
                    thread->code[pc].addr.count == addr->count));
}

static void weigh(const struct report_test *test, const struct wait *wait, struct told *told)
{
    const struct lit_thread *thread = &test->program->threads[wait->thread];
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        const struct lit_address *addr = &thread->code[pc].addr;
        if (!is_named_read(test, wait, pc) ||
            (!is_all(test, wait, addr) && !waits_hold(test->program, &test->waits, wait, addr)))
            continue;
        const struct stores stores = find_stores(test, wait, &thread->code[pc]);
        if (!told->read || stores.cause < told->stores.cause)
            *told = (struct told){wait, &thread->code[pc],
                                  test->program->locations[addr->first].type, stores};
    }
}

/* ---- The value ---- */

/* The test that lets the work-item out when its value is 0, of the register that was read. */
static const struct lit_expr *exit_of(const struct told *told, const struct lit_thread *thread)
{
    const bool *inside = told->wait->inside;
    const struct lit_instr *found = NULL;
    uint32_t exits = 0;
    for (uint32_t pc = 0; pc < thread->code_count; pc++) {
        struct lit_next next = lit_code_next(thread, pc);
        if (!inside[pc] || ALL(i, next.count, inside[next.pcs[i]]))
            continue;
        found = next.count == 2 && inside[next.pcs[0]] ? &thread->code[pc] : NULL;
        exits++;
    }
    return exits == 1 && found ? found->value : NULL;
}

/* Is it what was read, and nothing else in the loop? */
static bool is_read(const struct told *told, const struct lit_thread *thread,
                    const struct lit_expr *value)
{
    return value->op == LIT_OP_REG && value->reg == lit_code_into(told->read) &&
           lit_type_keeps(told->type, thread->registers[value->reg].type) &&
           ALL(pc, thread->code_count,
               !told->wait->inside[pc] || &thread->code[pc] == told->read ||
                   !lit_code_assigns(&thread->code[pc], value->reg));
}

/* " to be 1", " to be other than 0"; nothing of what is not as plain as that. */
static void add_value(const struct told *told, const struct lit_thread *thread, struct strbuf *out)
{
    const struct lit_expr *exit = exit_of(told, thread);
    if (!exit)
        return;
    const struct lit_expr *value = exit->a, *other = exit->b;
    if ((exit->op == LIT_OP_EQ || exit->op == LIT_OP_NE) && is_read(told, thread, other)) {
        value = exit->b;
        other = exit->a;
    }
    if ((exit->op == LIT_OP_EQ || exit->op == LIT_OP_NE) && is_read(told, thread, value) &&
        other->op == LIT_OP_CONST) {
        strbuf_add(out, exit->op == LIT_OP_EQ ? " to be other than " : " to be ");
        lit_value_print(other->type, other->value, out);
    } else if (exit->op == LIT_OP_NOT && is_read(told, thread, value)) {
        strbuf_add(out, " to be other than 0");
    } else if (is_read(told, thread, exit)) {
        strbuf_add(out, " to be 0");
    }
}

/* ---- The sentence ---- */

static void add_cause(const struct report_test *test, const struct told *told, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    const struct stores *stores = &told->stores;
    const struct lit_address *addr = &told->read->addr;
    const char *name = stores->thread == LIT_NONE ? "" : program->threads[stores->thread].name;
    const struct wait *lone = name[0] ? lone_of(&test->waits, stores->thread) : NULL;
    const bool no_end = stores->cause == STORES_DO_NOT_END_IT;
    const bool several = (no_end ? stores->count : stores->ending) > 1;
    const char *other = lit_instruction_writes(told->read->op) ? "other " : "";
    if (stores->cause == NOBODY_STORES)
        strbuf_add(out, other[0] ? "nothing else stores to " : "no work-item stores to ");
    else if (stores->cause == READS_NO_STORE)
        strbuf_printf(out, "reads no value that lets it go on; %s store to ",
                      other[0] ? "another" : "a");
    else
        strbuf_printf(out, "%s %sstore to ",
                      !several ? "the only"
                      : no_end ? "no"
                               : "every",
                      other);
    lit_address_name(program, addr, out);
    if (stores->cause == NOBODY_STORES)
        return;
    if (stores->cause == READS_NO_STORE) {
        strbuf_printf(out, " stands in %s at line %u", name, stores->line);
        return;
    }
    if (!no_end && stores->ending < stores->count)
        strbuf_add(out, " that may let it go on");
    strbuf_printf(out, several ? " (such as %s's at line %u)" : " (%s's at line %u)", name,
                  stores->line);
    if (no_end)
        strbuf_add(out, several ? " lets it go on" : " does not let it go on");
    else if (stores->cause == STORES_ITSELF)
        strbuf_add(out, " comes behind that loop");
    else
        strbuf_add(out, several || !lone || !is_named(test, lone)
                            ? " comes behind a wait that never ends either"
                            : " comes behind its own loop, never left either");
    if (stores->cause == STORED_BEHIND_WAITS && lone)
        strbuf_printf(out, " (line %u)", lone->await->span.line);
}

/* Whoever waits in vain besides. */
static void add_others(const struct report_test *test, const struct told *told, struct strbuf *out)
{
    const struct waits *waits = &test->waits;
    bool named = told->stores.cause == STORED_BEHIND_WAITS, said = false;
    EACH (const struct wait, wait, waits->items, waits->count) {
        if (wait == told->wait || (named && wait->thread == told->stores.thread) ||
            !is_named(test, wait))
            continue;
        strbuf_printf(out, said ? ", %s at line %u" : "; %s waits in vain at line %u",
                      test->program->threads[wait->thread].name, wait->await->span.line);
        said = true;
    }
}

/* Is it one to tell of first? */
static bool is_tellable(const struct waits *waits, const struct wait *wait, uint32_t condition)
{
    return wait->keeps[condition] || !ANY(i, waits->count, waits->items[i].keeps[condition]);
}

void report_waits_words(const struct report_test *test, uint32_t condition, struct strbuf *out)
{
    const struct waits *waits = &test->waits;
    struct told told = {0};
    if (!waits->count)
        return;
    for (uint32_t i = 0; i < waits->count; i++)
        if (is_tellable(waits, &waits->items[i], condition))
            weigh(test, &waits->items[i], &told);
    for (uint32_t i = 0; i < waits->count && !told.wait; i++)
        if (is_tellable(waits, &waits->items[i], condition) && is_named(test, &waits->items[i]))
            told.wait = &waits->items[i];
    const struct wait *wait = told.wait ? told.wait : &waits->items[0];
    const struct lit_thread *thread = &test->program->threads[wait->thread];
    strbuf_printf(out, "%s %s at line %u", thread->name,
                  told.wait ? "never gets past its loop" : "waits in vain", wait->await->span.line);
    if (told.read) {
        strbuf_add(out, ": it waits for ");
        lit_address_name(test->program, &told.read->addr, out);
        add_value(&told, thread, out);
        strbuf_add(out, ", and ");
        add_cause(test, &told, out);
    }
    if (told.wait)
        add_others(test, &told, out);
}
