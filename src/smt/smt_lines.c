/* Each line is tested alone for being necessary. Lines that the formula does not depend on are not
 * tested: without such a line the formula is the same.
 *
 * If the necessary lines are enough, they are the one set. Else the spare lines are dropped one
 * after the other as long as the state stays out of reach; what is left is a set. For further sets,
 * subsets of the spare lines are tried from the largest down. Subsets that contain a known set are
 * skipped, and so are those within a subset known not to be enough. A subset that is enough becomes
 * a set by dropping lines from it. */
#include "smt/smt_lines.h"

#include "base/bits.h"
#include "engine/naive.h"
#include "exec/exec_basis.h"

#include <string.h>

static bool orders(const struct ev *ev, enum explanation_reason_kind *kind)
{
    switch (ev->kind) {
    case EV_BARRIER: return *kind = EXPLANATION_BY_EXECUTION_BARRIER, true;
    case EV_PBARRIER: return *kind = EXPLANATION_BY_PERSIST_BARRIER, true;
    case EV_FENCE: return *kind = EXPLANATION_BY_FENCE, true;
    case EV_CM: return *kind = EXPLANATION_BY_MAINTENANCE, true;
    case EV_READ:
    case EV_WRITE: break;
    }
    *kind = EXPLANATION_BY_ORDERED_ACCESS;
    return (ev->has_order && ev->order > LIT_ORDER_RLX) || ev_tags(ev);
}

/* Would the model's value be another without what the access orders? smt_rules_silence makes it
 * relaxed, and smt_rules_untag takes its tags. */
static bool tells_of_access(const struct smt_lines *lines, const struct cat_node *node,
                            const struct lit_instr *instr)
{
    const struct engine_request *request = lines->question->request;
    if (node->op == CAT_TAGGED)
        return instr->tags &
               lit_program_tag(request->program, request->model->tagged[node->base].tag);
    return node->op == CAT_BASE && node->base >= EXEC_SET_RLX && node->base <= EXEC_SET_SC;
}

/* Does the formula say anything else without the line? Of barriers, fences and cache maintenance,
 * which every model looks at, that is left to the solver. */
static bool is_looked_at(const struct smt_lines *lines, const struct lit_instr *instr,
                         enum explanation_reason_kind kind)
{
    const struct cat_model *model = lines->question->request->model;
    for (cat_node_id id = 0; id < model->node_count; id++)
        if (lines->needed[id] && tells_of_access(lines, &model->nodes[id], instr))
            return true;
    return kind != EXPLANATION_BY_ORDERED_ACCESS;
}

static void add_line(struct smt_lines *lines, const struct ev *ev,
                     enum explanation_reason_kind kind)
{
    for (size_t i = 0; i < lines->items.count; i++)
        if (lines->items.items[i].instr == ev->instr)
            return;
    const struct lit_program *program = lines->question->request->program;
    VEC_PUSH(&lines->items,
             (struct smt_line){ev->instr, kind, explanation_event(lines->out, program, ev),
                               EXPLANATION_UNTRIED, is_looked_at(lines, ev->instr, kind), false});
}

/* A transaction is given up by its beginning. Without its end alone it would be one that never
 * ends, of which less is left, and reasons would be about that. */
static bool ends_transaction(const struct smt_lines *lines, const struct ev *ev)
{
    const struct lit_program *program = lines->question->request->program;
    return ev_tags(ev) &
           (lit_program_tag(program, "tx_end") | lit_program_tag(program, "tx_abort"));
}

/* Barriers, the clearest reasons, are given up last. */
void smt_lines_find(struct smt_lines *lines, const struct smt_attempt_question *question,
                    const struct smt_program *program, struct explanation *out)
{
    static const enum explanation_reason_kind wanted[] = {
        EXPLANATION_BY_ORDERED_ACCESS, EXPLANATION_BY_MAINTENANCE, EXPLANATION_BY_FENCE,
        EXPLANATION_BY_EXECUTION_BARRIER, EXPLANATION_BY_PERSIST_BARRIER};
    enum explanation_reason_kind kind;
    *lines = (struct smt_lines){.question = question, .out = out};
    lines->needed = naive_needed(program->arena, question->request->model, CAT_CHECK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        for (uint32_t e = program->init_count; e < program->dim.n; e++)
            if (orders(&program->events[e].ev, &kind) && kind == wanted[i] &&
                !ends_transaction(lines, &program->events[e].ev))
                add_line(lines, &program->events[e].ev, kind);
}

void smt_lines_fini(struct smt_lines *lines)
{
    VEC_FREE(&lines->items);
    VEC_FREE(&lines->lacking);
}

bool smt_lines_some_dropped(const struct smt_lines *lines)
{
    return ANY(i, lines->items.count,
               lines->items.items[i].dropped && lines->items.items[i].looked_at);
}

void smt_lines_drop(const struct smt_lines *lines, struct smt_rules *rules)
{
    for (size_t i = 0; i < lines->items.count; i++)
        if (lines->items.items[i].dropped)
            smt_rules_drop_line(rules, lines->items.items[i].instr);
}

static bool is_spare(const struct smt_line *line)
{
    return line->need == EXPLANATION_SPARE;
}

/* More sets are looked for among as many spare lines, with as many questions. */
enum { MOST_SPARE = 12, MOST_QUESTIONS = 40 };

/* The spare lines that are left, as bits; of the first 32. */
static uint32_t mask_of(const struct smt_lines *lines)
{
    uint32_t mask = 0, bit = 0;
    for (size_t i = 0; i < lines->items.count && bit < 32; i++)
        if (is_spare(&lines->items.items[i]))
            mask |= (uint32_t)!lines->items.items[i].dropped << bit++;
    return mask;
}

/* Is the state reached without what dropped lines order, under all rules? */
static enum smt_answer ask_solver(struct smt_lines *lines)
{
    struct smt_attempt a;
    enum smt_answer answer = SMT_UNKNOWN;
    smt_attempt_init(&a, lines->question);
    a.request.limits.clock = lines->clock;
    smt_lines_drop(lines, a.query.program.rules);
    if (smt_attempt_build(&a)) {
        bool *assumed = ARENA_ARRAY(&a.query.arena, bool, a.count + 1u);
        memset(assumed, true, a.count);
        answer = smt_attempt_ask(&a, assumed, NULL);
    }
    smt_attempt_fini(&a);
    lines->questions++;
    if (answer == SMT_SAT)
        VEC_PUSH(&lines->lacking, mask_of(lines));
    return answer;
}

/* ---- One set ---- */

static void find_needs(struct smt_lines *lines)
{
    enum smt_answer answer = SMT_SAT;
    for (size_t i = 0; i < lines->items.count && answer != SMT_UNKNOWN; i++) {
        struct smt_line *line = &lines->items.items[i];
        line->dropped = true;
        answer = line->looked_at ? ask_solver(lines) : SMT_UNSAT;
        line->dropped = false;
        if (answer != SMT_UNKNOWN)
            line->need = answer == SMT_SAT ? EXPLANATION_NECESSARY : EXPLANATION_SPARE;
    }
    if (answer == SMT_UNKNOWN)
        lines->out->minimal = false;
    VEC_CLEAR(&lines->lacking); /* of what was no mask yet */
}

static uint32_t drop_spare(struct smt_lines *lines, bool drop)
{
    uint32_t count = 0;
    for (size_t i = 0; i < lines->items.count; i++)
        if (is_spare(&lines->items.items[i])) {
            lines->items.items[i].dropped = drop;
            count++;
        }
    return count;
}

/* Drops what can be dropped of the spare lines that are left. A line that was needed may be needed
 * no longer when others are gone (models can tell what is absent), so until nothing changes. */
static enum smt_answer shrink(struct smt_lines *lines)
{
    enum smt_answer answer = SMT_SAT;
    for (bool changed = true; changed && answer != SMT_UNKNOWN;) {
        changed = false;
        for (size_t i = 0; i < lines->items.count && answer != SMT_UNKNOWN; i++) {
            struct smt_line *line = &lines->items.items[i];
            if (!is_spare(line) || line->dropped)
                continue;
            line->dropped = true;
            answer = line->looked_at ? ask_solver(lines) : SMT_UNSAT;
            line->dropped = answer == SMT_UNSAT;
            changed = changed || line->dropped;
        }
    }
    return answer;
}

void smt_lines_choose(struct smt_lines *lines)
{
    const struct clock_limit *clock = &lines->question->request->limits.clock;
    lines->clock = clock_limit_part(clock, 0.5); /* the other half is for the rules */
    find_needs(lines);
    if (drop_spare(lines, true) == 0)
        return;
    enum smt_answer answer = smt_lines_some_dropped(lines) ? ask_solver(lines) : SMT_UNSAT;
    if (answer == SMT_UNSAT)
        return;
    drop_spare(lines, false);
    if (answer == SMT_UNKNOWN || shrink(lines) == SMT_UNKNOWN)
        lines->out->minimal = false;
}

/* ---- More sets ---- */

struct sets {
    struct smt_lines *lines;
    uint32_t spare; /* how many */
    VEC(uint32_t) enough;
};

static void keep_mask(struct smt_lines *lines, uint32_t mask)
{
    for (size_t i = 0, bit = 0; i < lines->items.count; i++)
        if (is_spare(&lines->items.items[i]))
            lines->items.items[i].dropped = !(mask >> bit++ & 1);
}

static bool is_known(const struct sets *sets, uint32_t mask)
{
    for (size_t i = 0; i < sets->enough.count; i++)
        if ((sets->enough.items[i] & ~mask) == 0)
            return true;
    return ANY(i, sets->lines->lacking.count, (mask & ~sets->lines->lacking.items[i]) == 0);
}

/* The lines that are kept, as they stand in the test. */
static void add_set(struct smt_lines *lines)
{
    struct explanation_lines set = {
        ARENA_ARRAY(&lines->out->arena, struct outcome_event, lines->items.count + 1u), 0};
    for (size_t i = 0; i < lines->items.count; i++) {
        const struct smt_line *line = &lines->items.items[i];
        uint32_t at = set.count;
        if (line->dropped)
            continue;
        for (; at > 0 && (set.events[at - 1].line > line->event.line ||
                          (set.events[at - 1].line == line->event.line &&
                           set.events[at - 1].column > line->event.column));
             at--)
            set.events[at] = set.events[at - 1];
        set.events[at] = line->event;
        set.count++;
    }
    VEC_PUSH(&lines->out->line_sets, set);
}

/* Asks whether these lines are enough. If they are, a smallest set among them is kept. The caller
 * remembers lines that are not enough. False: time ran out. */
static bool try_mask(struct sets *sets, uint32_t mask)
{
    keep_mask(sets->lines, mask);
    enum smt_answer answer = ask_solver(sets->lines);
    if (answer == SMT_SAT)
        return true;
    if (answer == SMT_UNKNOWN || shrink(sets->lines) == SMT_UNKNOWN)
        return false;
    VEC_PUSH(&sets->enough, mask_of(sets->lines));
    add_set(sets->lines);
    return true;
}

/* Whether all were gone through. */
static bool try_all(struct sets *sets)
{
    for (uint32_t size = sets->spare + 1; size-- > 0;)
        for (uint32_t mask = 0; mask < UINT32_C(1) << sets->spare; mask++) {
            if (bits_count(mask) != size || is_known(sets, mask))
                continue;
            if (sets->lines->questions >= MOST_QUESTIONS || !try_mask(sets, mask))
                return false;
        }
    return true;
}

void smt_lines_look_further(struct smt_lines *lines)
{
    struct sets sets = {.lines = lines};
    for (size_t i = 0; i < lines->items.count; i++)
        sets.spare += is_spare(&lines->items.items[i]);
    uint32_t chosen = mask_of(lines);
    if (!lines->out->minimal || chosen == 0)
        return; /* the necessary ones are the only set */
    add_set(lines);
    VEC_PUSH(&sets.enough, chosen);
    lines->questions = 0;
    lines->clock = lines->question->request->limits.clock;
    lines->out->all_line_sets = sets.spare <= MOST_SPARE && try_all(&sets);
    keep_mask(lines, chosen);
    VEC_FREE(&sets.enough);
}
