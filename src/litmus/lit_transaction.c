/* In front of each mark, and at the end of a thread that has some, a CHECK asks of a register,
 * which is set behind each mark, whether a transaction is open:
 *
 *     CHECK !open; FENCE tx_begin; open = 1
 *     CHECK open; FENCE tx_end; open = 0
 *     CHECK !open
 *
 * Once the code stands, what may hold at each CHECK is found along all ways: one that always holds
 * goes, one that never does is reported, and the others are left for each run to decide. Without
 * any of those the register is not needed either. */
#include "litmus/lit_lower.h"

#include <string.h>

/* Whether a transaction is open, as far as the ways to a place tell. */
enum state { CLOSED = 1, OPEN = 2 };

enum mark { NO_MARK, BEGIN, STOP };

static const char *const faults[] = {[NO_MARK] = "ends inside a transaction",
                                     [BEGIN] = "begins a transaction inside another",
                                     [STOP] = "ends a transaction that has not begun"};

static enum mark mark_of_tag(const char *tag)
{
    if (strcmp(tag, "tx_begin") == 0)
        return BEGIN;
    return strcmp(tag, "tx_end") == 0 || strcmp(tag, "tx_abort") == 0 ? STOP : NO_MARK;
}

/* The mark that a fence with these tags is. None if it is `two`. */
static enum mark mark_of(const struct lit_lower *lower, uint64_t tags, bool *two)
{
    enum mark mark = NO_MARK;
    *two = false;
    for (size_t i = 0; i < lower->tags.count; i++) {
        enum mark one = tags >> i & 1 ? mark_of_tag(lower->tags.items[i]) : NO_MARK;
        *two |= one != NO_MARK && mark != NO_MARK;
        mark = one != NO_MARK ? one : mark;
    }
    return *two ? NO_MARK : mark;
}

static void emit_check(struct lit_lower *lower, enum mark before, struct span span)
{
    const struct lit_expr *open = lit_evaluate_reg(lower, lower->open);
    struct lit_instr *check = lit_thread_emit(lower, LIT_CHECK, span);
    check->value = before == STOP ? open
                                  : lit_evaluate_apply(lower, LIT_OP_EQ, open,
                                                       lit_evaluate_const(lower, LIT_INT, 0));
    check->text = faults[before];
}

void lit_transaction_before(struct lit_lower *lower, uint64_t tags, struct span span)
{
    bool two;
    enum mark mark = mark_of(lower, tags, &two);
    if (two)
        LIT_FAULT(lower, DIAG_LIT_TRANSACTION, span,
                  "this fence is two marks of transactions; write a fence for each");
    if (mark == NO_MARK)
        return;
    if (lower->open == LIT_NONE)
        lower->open = lit_thread_temporary(lower, LIT_INT);
    emit_check(lower, mark, span);
}

void lit_transaction_behind(struct lit_lower *lower, uint64_t tags, struct span span)
{
    bool two;
    enum mark mark = mark_of(lower, tags, &two);
    if (mark != NO_MARK)
        lit_evaluate_set(lower, lower->open, lit_evaluate_const(lower, LIT_INT, mark == BEGIN),
                         span);
}

void lit_transaction_close(struct lit_lower *lower, const struct ast_thread *thread)
{
    if (lower->open != LIT_NONE)
        emit_check(lower, NO_MARK, thread->end.line ? thread->end : thread->span);
}

/* ---- What may hold ---- */

static bool is_set(const struct lit_instr *instr, uint32_t open)
{
    return instr->op == LIT_SET && instr->dst == open;
}

/* The state in which a CHECK is passed. */
static uint8_t passing(const struct lit_instr *check)
{
    return check->text == faults[STOP] ? OPEN : CLOSED;
}

static bool step(const struct lit_thread *thread, uint32_t open, uint8_t *states, uint32_t pc)
{
    BASE_ASSERT(pc < thread->code_count);
    const struct lit_instr *instr = &thread->code[pc];
    uint8_t after = states[pc];
    if (after && is_set(instr, open))
        after = instr->value->value ? OPEN : CLOSED;
    else if (instr->op == LIT_CHECK)
        after &= passing(instr);
    bool more = false;
    struct lit_next next = lit_code_next(thread, pc);
    for (uint32_t i = 0; i < next.count; i++) {
        more |= (after & ~states[next.pcs[i]]) != 0;
        states[next.pcs[i]] |= after;
    }
    return more;
}

static const uint8_t *find_states(struct arena *arena, const struct lit_thread *thread,
                                  uint32_t open)
{
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, thread->code_count + 1u);
    states[0] = CLOSED;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t pc = 0; pc < thread->code_count; pc++)
            more |= states[pc] && step(thread, open, states, pc);
    }
    return states;
}

/* The mark, above in the text, that a transaction begins with. */
static const struct lit_instr *begin_above(const struct lit_thread *thread, uint32_t check)
{
    for (uint32_t i = check; i-- > 0;)
        if (thread->code[i].op == LIT_CHECK && thread->code[i].text == faults[BEGIN])
            return &thread->code[i];
    return NULL;
}

static void report(struct lit_lower *lower, const struct lit_thread *thread, uint32_t at)
{
    BASE_ASSERT(at < thread->code_count);
    const struct lit_instr *check = &thread->code[at], *begin = begin_above(thread, at);
    bool stops = check->text == faults[STOP];
    LIT_FAULT(lower, DIAG_LIT_TRANSACTION, check->span, "%s %s; %s", thread->name, check->text,
              stops                          ? "begin it with tx_begin, or leave this mark out"
              : check->text == faults[BEGIN] ? "end the one before with tx_end or tx_abort first"
                                             : "end it with tx_end or tx_abort");
    if (!stops && begin)
        diag_note(lower->diag, begin->span, "it begins here");
}

/* ---- What is kept ---- */

/* A statement that began with a CHECK begins with the mark behind it. */
static void pass_on(struct lit_instr *code, uint32_t check, uint32_t count)
{
    if (check + 1 == count || !code[check].statement)
        return;
    code[check + 1].statement = code[check].statement;
    code[check + 1].within = code[check].within;
}

static void leave_out(struct lit_lower *lower, struct lit_thread *thread, const uint8_t *states,
                      bool some)
{
    uint32_t count = thread->code_count;
    struct lit_instr *code = arena_copy(lower->arena, thread->code, count * sizeof *code);
    bool *gone = ARENA_ARRAY(lower->arena, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        if (code[i].op == LIT_CHECK)
            gone[i] = !(states[i] & ~passing(&code[i]));
        else
            gone[i] = !some && is_set(&code[i], lower->open);
        if (gone[i] && code[i].op == LIT_CHECK)
            pass_on(code, i, count);
    }
    thread->code = code;
    lit_code_leave_out(lower->arena, thread, gone);
}

void lit_transaction_settle(struct lit_lower *lower, struct lit_thread *thread)
{
    if (lower->open == LIT_NONE || lower->too_large)
        return;
    const uint8_t *states = find_states(lower->arena, thread, lower->open);
    bool some = false, complete = lower->diag->errors == lower->start_errors;
    for (uint32_t i = 0; i < thread->code_count; i++) {
        if (thread->code[i].op != LIT_CHECK || !(states[i] & ~passing(&thread->code[i])))
            continue;
        some = true;
        if (complete && !(states[i] & passing(&thread->code[i])))
            report(lower, thread, i);
    }
    leave_out(lower, thread, states, some);
}
