/* Who waits for what in vain: the work-item, the line of its loop, the location, the value that
 * would let it go on, and where that is stored. */
#include "litmus/lit_code.h"
#include "report/report_vacuous.h"

#include <string.h>

/* ---- Where the location is stored to ---- */

/* Why it waits in vain, the plainest first. */
enum cause { NOBODY_STORES, STORES_ITSELF, STORED_BEHIND_WAITS, STORES_DO_NOT_END_IT };

struct stores {
    enum cause cause;
    uint32_t thread, line; /* of the first that counts */
    bool several;          /* work-items store to it */
};

static bool overlap(const struct lit_address *a, const struct lit_address *b)
{
    return ANY(i, a->count, lit_address_has(b, lit_address_element(a, i)));
}

/* Is that code behind a loop that its work-item never gets past? */
static bool is_behind(const struct waits *waits, uint32_t thread, uint32_t pc)
{
    return ANY(i, waits->count,
               waits->items[i].thread == thread && waits->items[i].await->target <= pc);
}

static bool is_within(const struct wait *wait, uint32_t thread, uint32_t pc)
{
    return wait->thread == thread && wait->await->begin <= pc && pc < wait->await->target;
}

static enum cause cause_of(const struct waits *waits, const struct wait *wait, uint32_t thread,
                           uint32_t pc)
{
    return !is_behind(waits, thread, pc) ? STORES_DO_NOT_END_IT
           : thread == wait->thread      ? STORES_ITSELF
                                         : STORED_BEHIND_WAITS;
}

static struct stores find_stores(const struct report_test *test, const struct wait *wait,
                                 const struct lit_address *addr)
{
    struct stores found = {NOBODY_STORES, LIT_NONE, 0, false};
    for (uint32_t t = 0; t < test->program->thread_count; t++) {
        const struct lit_thread *thread = &test->program->threads[t];
        for (uint32_t pc = 0; pc < thread->code_count; pc++) {
            const struct lit_instr *instr = &thread->code[pc];
            if (!lit_instruction_writes(instr->op) || !overlap(&instr->addr, addr) ||
                is_within(wait, t, pc))
                continue;
            enum cause cause = cause_of(&test->waits, wait, t, pc);
            bool several = found.several || (found.cause && found.thread != t);
            if (cause > found.cause)
                found = (struct stores){cause, t, instr->span.line, several};
            found.several = several;
        }
    }
    return found;
}

/* ---- The wait that is told ---- */

/* Of all reads of the loop the one that is stored to the least. */
struct told {
    const struct wait *wait;
    const struct lit_instr *read;
    struct stores stores;
};

/* A launch or a join waits for what the test has no name for. */
static bool is_hidden(const struct report_test *test, const struct lit_instr *read)
{
    return test->program->locations[read->addr.first].hidden;
}

static void weigh(const struct report_test *test, const struct wait *wait, struct told *told)
{
    const struct lit_thread *thread = &test->program->threads[wait->thread];
    for (uint32_t pc = wait->await->begin; pc < wait->await->target; pc++) {
        if (!lit_instruction_reads(thread->code[pc].op) || is_hidden(test, &thread->code[pc]))
            continue;
        const struct stores stores = find_stores(test, wait, &thread->code[pc].addr);
        if (!told->wait || stores.cause < told->stores.cause)
            *told = (struct told){wait, &thread->code[pc], stores};
    }
}

/* ---- The value ---- */

/* The test that lets the work-item out when its value is 0, of the register that was read. */
static const struct lit_expr *exit_of(const struct told *told, const struct lit_thread *thread)
{
    const struct lit_instr *await = told->wait->await, *found = NULL;
    uint32_t exits = 0;
    for (uint32_t pc = await->begin; pc < await->target; pc++)
        if (lit_instruction_jumps(thread->code[pc].op) &&
            thread->code[pc].target >= await->target) {
            found = &thread->code[pc];
            exits++;
        }
    return exits == 1 && found->op == LIT_BRANCH ? found->value : NULL;
}

static bool is_read(const struct told *told, const struct lit_expr *value)
{
    return value->op == LIT_OP_REG && value->reg == lit_code_into(told->read) &&
           value->reg != LIT_NONE;
}

/* " to be 1", " to be other than 0"; nothing of what is not as plain as that. */
static void add_value(const struct told *told, const struct lit_thread *thread, struct strbuf *out)
{
    const struct lit_expr *exit = exit_of(told, thread);
    if (!exit)
        return;
    const struct lit_expr *value = exit->a, *other = exit->b;
    if ((exit->op == LIT_OP_EQ || exit->op == LIT_OP_NE) && is_read(told, other)) {
        value = exit->b;
        other = exit->a;
    }
    if ((exit->op == LIT_OP_EQ || exit->op == LIT_OP_NE) && is_read(told, value) &&
        other->op == LIT_OP_CONST) {
        strbuf_add(out, exit->op == LIT_OP_EQ ? " to be other than " : " to be ");
        lit_value_print(other->type, other->value, out);
    } else if (exit->op == LIT_OP_NOT && is_read(told, value)) {
        strbuf_add(out, " to be other than 0");
    } else if (is_read(told, exit)) {
        strbuf_add(out, " to be 0");
    }
}

/* ---- The sentence ---- */

/* "flag", and "slot" of any element of the array. */
static void add_location(const struct lit_program *program, const struct lit_address *addr,
                         struct strbuf *out)
{
    const char *name = program->locations[addr->first].name;
    size_t length = addr->count > 1 ? strcspn(name, "[") : strlen(name);
    strbuf_printf(out, "%.*s", (int)length, name);
}

/* The line of the loop that holds a work-item up. */
static uint32_t line_of(const struct waits *waits, uint32_t thread)
{
    uint32_t i = 0;
    while (waits->items[i].thread != thread)
        i++;
    return waits->items[i].await->span.line;
}

static void add_cause(const struct report_test *test, const struct told *told, struct strbuf *out)
{
    const struct lit_program *program = test->program;
    const struct stores *stores = &told->stores;
    const struct lit_address *addr = &told->read->addr;
    const char *name = stores->thread == LIT_NONE ? "" : program->threads[stores->thread].name;
    bool shared = stores->several || stores->cause == STORES_DO_NOT_END_IT;
    strbuf_add(out, stores->cause == NOBODY_STORES          ? "no work-item stores to "
                    : stores->cause == STORES_DO_NOT_END_IT ? "no store to "
                    : stores->several                       ? "every store to "
                                                            : "the only store to ");
    add_location(program, addr, out);
    if (stores->cause == NOBODY_STORES)
        return;
    strbuf_printf(out, shared ? " (such as %s's at line %u)" : " (%s's at line %u)", name,
                  stores->line);
    if (stores->cause == STORES_DO_NOT_END_IT)
        strbuf_add(out, " ends that");
    else if (stores->cause == STORES_ITSELF)
        strbuf_add(out, " comes behind that loop");
    else
        strbuf_printf(out, " comes behind %s (line %u)",
                      shared ? "a loop that is never left either"
                             : "its own loop, never left either",
                      line_of(&test->waits, stores->thread));
}

static bool is_named(const struct report_test *test, const struct wait *wait)
{
    struct told told = {0};
    weigh(test, wait, &told);
    return told.wait;
}

/* Whoever waits in vain besides. */
static void add_others(const struct report_test *test, const struct told *told, struct strbuf *out)
{
    const struct waits *waits = &test->waits;
    bool named = told->stores.cause == STORED_BEHIND_WAITS, said = false;
    for (uint32_t i = 0; i < waits->count; i++) {
        const struct wait *wait = &waits->items[i];
        if (wait == told->wait || (named && wait->thread == told->stores.thread) ||
            !is_named(test, wait))
            continue;
        strbuf_printf(out, "%s%s at line %u", said ? ", " : "; in vain waits ",
                      test->program->threads[wait->thread].name, wait->await->span.line);
        said = true;
    }
}

void report_waits_words(const struct report_test *test, struct strbuf *out)
{
    struct told told = {0};
    for (uint32_t i = 0; i < test->waits.count; i++)
        weigh(test, &test->waits.items[i], &told);
    if (!told.wait && test->waits.count)
        strbuf_printf(out, "%s waits in vain at line %u",
                      test->program->threads[test->waits.items[0].thread].name,
                      test->waits.items[0].await->span.line);
    if (!told.wait)
        return;
    const struct lit_thread *thread = &test->program->threads[told.wait->thread];
    strbuf_printf(out, "%s never gets past its loop at line %u: it waits for ", thread->name,
                  told.wait->await->span.line);
    add_location(test->program, &told.read->addr, out);
    add_value(&told, thread, out);
    strbuf_add(out, ", and ");
    add_cause(test, &told, out);
    add_others(test, &told, out);
}
