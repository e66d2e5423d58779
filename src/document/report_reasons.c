/* Why a state is out of reach: the reasons, each with the lines of the test that it is about. */
#include "base/json.h"
#include "engine/explanation_alike.h"
#include "document/report_explain.h"

#include <string.h>

/* What a rule says of a pair: between, and after. */
static const char *const pair_words[][2] = {
    [EXPLANATION_BY_CHECK] = {" before ", ""},
    [EXPLANATION_BY_EXECUTES_BEFORE] = {" executes before ", ""},
    [EXPLANATION_BY_DURABLE_BEFORE] = {" is durable before ", " executes"},
    [EXPLANATION_BY_DURABLE_AFTER] = {" executes no later than ", " is durable"},
    [EXPLANATION_BY_CAN_PERSIST] = {" cannot become durable", ""},
    [EXPLANATION_BY_PERSIST_ATOMIC] = {" becomes durable together with ", ""},
    [EXPLANATION_BY_PERSIST_BEFORE] = {" is durable before ", " is"},
    [EXPLANATION_BY_LANDS_BEFORE] = {" lands before ", ""},
    [EXPLANATION_BY_COHERENCE] = {" is durable before the coherence-later ", " is"},
};

static void add_pair_words(const struct report_explanation *r,
                           const struct explanation_reason *reason,
                           const struct explanation_pair *pair, struct strbuf *out)
{
    report_explain_event(r, &pair->from, out);
    if (reason->kind == EXPLANATION_BY_CHECK && explanation_same_event(&pair->from, &pair->to))
        return;
    strbuf_add(out, pair_words[reason->kind][0]);
    if (reason->kind == EXPLANATION_BY_CAN_PERSIST)
        return;
    report_explain_event(r, &pair->to, out);
    strbuf_add(out, pair_words[reason->kind][1]);
}

/* A line of a chain ends before the link that would make it longer than this. */
enum { CHAIN_WIDTH = 110 };

/* What lies between the two, on lines of its own. */
static void add_chain(const struct report_explanation *r, const struct explanation_pair *pair,
                      struct strbuf *out)
{
    struct strbuf line = {0};
    strbuf_add(&line, "\n      by ");
    report_explain_event(r, &pair->from, &line);
    for (uint32_t i = 0; i < pair->chain_count; i++) {
        SCOPED(strbuf) link = {0};
        strbuf_printf(&link, " -%s-> ", pair->chain[i].relation);
        report_explain_event(r, &pair->chain[i].event, &link);
        if (strlen(strbuf_text(&line)) + strlen(strbuf_text(&link)) > CHAIN_WIDTH) {
            strbuf_add(out, strbuf_text(&line));
            strbuf_fini(&line);
            strbuf_add(&line, "\n        ");
        }
        strbuf_add(&line, strbuf_text(&link));
    }
    if (pair->chain_count)
        strbuf_add(out, strbuf_text(&line));
    strbuf_fini(&line);
}

static void add_pair(const struct report_explanation *r, const struct explanation_reason *reason,
                     const struct explanation_pair *pair, struct strbuf *out)
{
    add_pair_words(r, reason, pair, out);
    add_chain(r, pair, out);
    if (pair->chosen)
        strbuf_printf(out, " (by the choice of %s)", pair->chosen);
}

/* The pair among these that is this one the other way round, NULL when none is. */
static const struct explanation_pair *find_reverse(const struct explanation_pair *pairs,
                                                   uint32_t count,
                                                   const struct explanation_pair *pair)
{
    return FIND(i, pairs, count,
                &pairs[i] != pair && explanation_same_event(&pairs[i].from, &pair->to) &&
                    explanation_same_event(&pairs[i].to, &pair->from));
}

static bool is_on_cycles(const struct report_explanation *r,
                         const struct explanation_reason *reason)
{
    const struct cat_model *model = r->test.model;
    for (uint32_t c = 0; c < model->check_count; c++)
        if (strcmp(model->checks[c].name, reason->name) == 0)
            return model->checks[c].test != CAT_IS_EMPTY;
    return false;
}

/* ---- Groups ---- */

/* "P2, P4 to P31" */
static void add_threads(const struct lit_program *program, const bool *in, struct strbuf *out)
{
    const char *between = "";
    for (uint32_t t = 0; t < program->thread_count; t++) {
        uint32_t last = t;
        while (in[t] && last + 1 < program->thread_count && in[last + 1])
            last++;
        if (!in[t])
            continue;
        strbuf_printf(out, "%s%s", between, program->threads[t].name);
        if (last > t)
            strbuf_printf(out, "%s%s", last > t + 1 ? " to " : ", ", program->threads[last].name);
        between = ", ";
        t = last;
    }
}

/* The pairs of a group behind its first, and what they are like. */
struct group {
    const struct report_explanation *report;
    enum explanation_likeness likeness;
    const struct explanation_pair *first;
    uint32_t count;
    bool in[LIT_MAX_THREADS];
    struct strbuf pairs;
};

/* What the pair has where the first one has another access. */
static void add_accesses(const struct explanation_pair *first, const struct explanation_pair *pair,
                         struct strbuf *out)
{
    const bool from = !explanation_same_event(&first->from, &pair->from);
    const bool to = !explanation_same_event(&first->to, &pair->to) &&
                    !(from && explanation_same_event(&pair->from, &pair->to));
    strbuf_printf(out, "%s%s%s", from ? pair->from.access : "", from && to ? " and " : "",
                  to ? pair->to.access : "");
}

static void group_add(struct group *group, const struct explanation_pair *pair)
{
    const struct lit_program *program = group->report->test.program;
    group->likeness = explanation_pair_likeness(program, group->first, pair);
    const struct outcome_event *other =
        group->likeness == EXPLANATION_ALIKE_TO ? &pair->to : &pair->from;
    group->in[other->thread] = true;
    strbuf_add(&group->pairs, group->count++ ? "; " : "");
    if (group->likeness == EXPLANATION_ALIKE_OWN)
        add_accesses(group->first, pair, &group->pairs);
    else
        strbuf_printf(&group->pairs, "%s and %s", program->threads[pair->from.thread].name,
                      program->threads[pair->to.thread].name);
}

static void group_end(struct group *group, struct strbuf *out)
{
    if (group->count && group->likeness >= EXPLANATION_ALIKE_PAIR) {
        strbuf_printf(out, "\n      and likewise of %s", strbuf_text(&group->pairs));
    } else if (group->count) {
        const struct outcome_event *first =
            group->likeness == EXPLANATION_ALIKE_TO ? &group->first->to : &group->first->from;
        strbuf_add(out, "\n      and likewise with ");
        add_threads(group->report->test.program, group->in, out);
        strbuf_printf(out, " in place of %s", report_explain_thread(group->report, first));
    }
    strbuf_fini(&group->pairs);
}

/* Pairs of a check. */
struct check_pairs {
    const struct report_explanation *report;
    const struct explanation_reason *reason;
};

static bool has_reverse(const struct explanation_reason *reason, uint32_t pair)
{
    return find_reverse(reason->pairs, reason->pair_count, &reason->pairs[pair]) != NULL;
}

static enum explanation_likeness pairs_like(const void *context, uint32_t a, uint32_t b)
{
    const struct check_pairs *all = context;
    if (has_reverse(all->reason, a) != has_reverse(all->reason, b))
        return EXPLANATION_UNLIKE;
    return explanation_pair_likeness(all->report->test.program, &all->reason->pairs[a],
                                     &all->reason->pairs[b]);
}

/* Two events in both orders are one entry, which says what the check has against them. */
static void add_check_pair(const struct report_explanation *r,
                           const struct explanation_reason *reason, uint32_t at,
                           const uint32_t *group, struct strbuf *out)
{
    struct group alike = {.report = r, .first = &reason->pairs[at]};
    strbuf_add(out, "\n      ");
    add_pair(r, reason, &reason->pairs[at], out);
    if (has_reverse(reason, at))
        strbuf_add(out, is_on_cycles(r, reason) ? ", or the other way round, not both"
                                                : ", or the other way round, neither");
    for (uint32_t i = at + 1; i < reason->pair_count; i++)
        if (group[i] == at && !find_reverse(reason->pairs, i, &reason->pairs[i]))
            group_add(&alike, &reason->pairs[i]);
    group_end(&alike, out);
}

/* A short cycle is told step by step. */
enum { LEAST_PAIRS = 5 };

static void add_check(const struct report_explanation *r, const struct explanation_reason *reason,
                      struct strbuf *out)
{
    const struct check_pairs all = {r, reason};
    uint32_t *group = base_realloc(NULL, (reason->pair_count + 1u) * sizeof *group);
    explanation_find_groups(pairs_like, &all, reason->pair_count, LEAST_PAIRS, group);
    strbuf_printf(out, "the check '%s'", reason->name);
    for (uint32_t i = 0; i < reason->pair_count; i++)
        if (group[i] == i && !find_reverse(reason->pairs, i, &reason->pairs[i]))
            add_check_pair(r, reason, i, group, out);
    base_free(group);
}

static void add_crash_point(const struct explanation_reason *reason, struct strbuf *out)
{
    if (reason->pair_count == 0) {
        strbuf_add(out, "everything has executed when the crash comes");
        return;
    }
    strbuf_add(out, "the crash comes at a crash statement: line");
    for (uint32_t i = 0; i < reason->pair_count; i++)
        strbuf_printf(out, "%s %u", i ? "," : "", reason->pairs[i].from.line);
}

static void add_waits(const struct report_explanation *r, const struct explanation_reason *reason,
                      struct strbuf *out)
{
    strbuf_add(out, "work-items wait for each other at ");
    for (uint32_t i = 0; i < reason->pair_count; i++) {
        strbuf_add(out, i ? ", " : "");
        report_explain_event(r, &reason->pairs[i].from, out);
    }
}

static void add_reason(const struct report_explanation *r, const struct explanation_reason *reason,
                       struct strbuf *out)
{
    switch (reason->kind) {
    case EXPLANATION_BY_CHECK: add_check(r, reason, out); break;
    case EXPLANATION_BY_FILTER: strbuf_add(out, "the test's filter"); break;
    case EXPLANATION_BY_CRASH_POINT: add_crash_point(reason, out); break;
    case EXPLANATION_BY_WAITS: add_waits(r, reason, out); break;
    case EXPLANATION_BY_EXECUTION_BARRIER:
    case EXPLANATION_BY_PERSIST_BARRIER:
    case EXPLANATION_BY_FENCE:
    case EXPLANATION_BY_MAINTENANCE:
    case EXPLANATION_BY_ORDERED_ACCESS:
        strbuf_printf(out, "%s's %s  | ", report_explain_thread(r, &reason->pairs[0].from),
                      reason->name);
        report_explain_source(r, &reason->pairs[0].from, out);
        break;
    default: add_pair(r, reason, &reason->pairs[0], out);
    }
}

/* ---- Text ---- */

void report_explain_reason(const struct report_explanation *r, uint32_t number, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    const struct explanation_reason *reason = &e->reasons.items[number];
    struct group alike = {.report = r, .first = reason->pairs};
    add_reason(r, reason, out);
    for (size_t i = number + 1; i < e->reasons.count; i++)
        if (e->reasons.items[i].group == number)
            group_add(&alike, &e->reasons.items[i].pairs[0]);
    group_end(&alike, out);
}

static void add_text_reason(const struct report_explanation *r, uint32_t number, struct strbuf *out)
{
    const struct explanation_reason *reason = &r->explanation->reasons.items[number];
    strbuf_printf(out, "  %s", report_reason_word(reason->kind));
    if (reason->file)
        strbuf_printf(out, " %s:%u", reason->file, reason->line);
    strbuf_add(out, ": ");
    report_explain_reason(r, number, out);
    strbuf_add_char(out, '\n');
}

static uint32_t count_needs(const struct explanation *e, enum explanation_need need)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->reasons.count; i++)
        count += e->reasons.items[i].need == need && e->reasons.items[i].group == i;
    return count;
}

static void add_of_need(const struct report_explanation *r, enum explanation_need need,
                        struct strbuf *out)
{
    for (uint32_t i = 0; i < r->explanation->reasons.count; i++)
        if (r->explanation->reasons.items[i].need == need &&
            r->explanation->reasons.items[i].group == i)
            add_text_reason(r, i, out);
}

/* Told without any one of the reasons. */
static const char *one_does(const struct report_explanation *r)
{
    return r->condition->quantifier == LIT_FORALL ? "a state breaks it" : "a state satisfies it";
}

/* What becomes of the state without one of them. */
static void add_needs(const struct report_explanation *r, struct strbuf *out)
{
    const struct {
        enum explanation_need need;
        const char *words;
    } parts[] = {
        {EXPLANATION_NECESSARY, one_does(r)},
        {EXPLANATION_SPARE, "still none does, since others take its place"},
        {EXPLANATION_UNTRIED, "nothing was tried, for want of time"},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        uint32_t count = count_needs(r->explanation, parts[i].need);
        if (count)
            strbuf_printf(out, "Without %s %s:\n", count > 1 ? "any one of these" : "this one",
                          parts[i].words);
        add_of_need(r, parts[i].need, out);
    }
}

static void add_line_sets(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    if (e->line_sets.count == 1 && !e->all_line_sets)
        strbuf_add(out, "Other sets of lines would do as well; none was looked for to its end\n");
    if (e->line_sets.count < 2)
        return;
    strbuf_add(out, "Each of these sets of lines is enough without the other lines:\n");
    EACH_IN (const struct explanation_lines, set, e->line_sets) {
        for (uint32_t k = 0; k < set->count; k++) {
            strbuf_add(out, k ? ", " : "  ");
            report_explain_event(r, &set->events[k], out);
        }
        strbuf_add_char(out, '\n');
    }
    if (!e->all_line_sets)
        strbuf_add(out, "  and perhaps others; not all were tried\n");
}

/* What begins the sentence: where the program's own lines are told of first, this is the model's
 * part. */
static void add_head(const struct report_explanation *r, struct strbuf *out)
{
    if (report_support_leads(r)) {
        strbuf_add(out, "In the model");
        return;
    }
    report_explain_none(r, out);
    strbuf_add(out, ",");
}

/* More are summed up first. */
enum { MOST_UNSUMMED = 10 };

/* "10 executes-before of P0, P1" */
static void add_sum_of(const struct report_explanation *r, enum explanation_reason_kind kind,
                       struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    bool in[LIT_MAX_THREADS] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->reasons.count; i++) {
        const struct explanation_reason *reason = &e->reasons.items[i];
        count += reason->kind == kind && reason->group == i;
        for (uint32_t k = 0; k < reason->pair_count && reason->kind == kind; k++) {
            const uint32_t threads[] = {reason->pairs[k].from.thread, reason->pairs[k].to.thread};
            for (int end = 0; end < 2; end++)
                if (threads[end] != LIT_NONE)
                    in[threads[end]] = true;
        }
    }
    strbuf_printf(out, "%u %s", count, report_reason_word(kind));
    if (ANY(t, r->test.program->thread_count, in[t])) {
        strbuf_add(out, " of ");
        add_threads(r->test.program, in, out);
    }
}

static void add_sum(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    const char *between = "In short: ";
    if (COUNT_IF(i, e->reasons.count, e->reasons.items[i].group == i) <= MOST_UNSUMMED)
        return;
    for (uint32_t i = 0; i < e->reasons.count; i++) {
        enum explanation_reason_kind kind = e->reasons.items[i].kind;
        if (ANY(k, i, e->reasons.items[k].kind == kind))
            continue;
        strbuf_add(out, between);
        add_sum_of(r, kind, out);
        between = "; ";
    }
    strbuf_add_char(out, '\n');
}

static void add_minimal(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    add_head(r, out);
    uint32_t necessary = count_needs(e, EXPLANATION_NECESSARY);
    uint32_t count =
        necessary + count_needs(e, EXPLANATION_SPARE) + count_needs(e, EXPLANATION_UNTRIED);
    if (necessary == count && count == 1 && e->reasons.count == 1) {
        strbuf_printf(out, " because of one rule; without it %s:\n",
                      report_support_leads(r) ? one_does(r) : "one does");
        add_of_need(r, EXPLANATION_NECESSARY, out);
    } else if (necessary == count) {
        strbuf_printf(out, " because of these %u together; without any one of them %s:\n", count,
                      report_support_leads(r) ? one_does(r) : "one does");
        add_sum(r, out);
        add_of_need(r, EXPLANATION_NECESSARY, out);
    } else {
        if (count == 1)
            strbuf_add(out, " because of one rule.\n");
        else
            strbuf_printf(out, " because of these %u together.\n", count);
        add_sum(r, out);
        add_needs(r, out);
        if (!r->support || !r->support->sets) /* which are said of the program's own lines */
            add_line_sets(r, out);
    }
}

void report_text_unreachable(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    if (e->reasons.count && e->minimal) {
        add_minimal(r, out);
        return;
    }
    if (e->reasons.count) {
        add_head(r, out);
        strbuf_add(out, " because of these together (not minimised: time ran out):\n");
        add_sum(r, out);
        for (uint32_t i = 0; i < e->reasons.count; i++)
            if (e->reasons.items[i].group == i)
                add_text_reason(r, i, out);
        return;
    }
    report_explain_none(r, out);
    if (e->minimal)
        strbuf_add(out, ", whatever the model: no candidate execution has one\n");
    else
        strbuf_printf(out, "; it was not found why: %s\n",
                      e->doubt ? e->doubt : "the time ran out");
}

/* ---- JSON ---- */

static void add_line(uint32_t line, struct strbuf *out)
{
    if (line)
        emit_number(out, NULL, line);
}

static void add_need(enum explanation_need need, struct strbuf *out)
{
    if (need == EXPLANATION_UNTRIED)
        emit_string(out, "necessary", NULL);
    else
        emit_bool(out, "necessary", need == EXPLANATION_NECESSARY);
}

/* Of all pairs of a reason, which is one rule, the orders are the same. */
static void add_json_chosen(const struct explanation_reason *reason, struct strbuf *out)
{
    for (uint32_t i = 0; i < reason->pair_count; i++)
        if (reason->pairs[i].chosen) {
            emit_string(out, "chosen", reason->pairs[i].chosen);
            return;
        }
}

static void add_json_link(const struct report_explanation *r, const char *relation,
                          const struct outcome_event *event, struct strbuf *out)
{
    emit_object(out, NULL);
    emit_string(out, "relation", relation);
    emit_string(out, "thread", report_explain_thread(r, event));
    emit_number(out, "line", event->line);
    emit_string(out, "access", event->access);
    emit_end(out, '}');
}

/* Of a rule, which has one pair: its events and those between them, each with what leads to it. */
static void add_json_chain(const struct report_explanation *r,
                           const struct explanation_reason *reason, struct strbuf *out)
{
    const struct explanation_pair *pair = reason->pairs;
    if (reason->pair_count != 1 || pair->chain_count == 0)
        return;
    emit_array(out, "chain");
    add_json_link(r, NULL, &pair->from, out);
    for (uint32_t i = 0; i < pair->chain_count; i++)
        add_json_link(r, pair->chain[i].relation, &pair->chain[i].event, out);
    emit_end(out, ']');
}

/* The lines of the test that a reason is about: of a pair both, each pair's in turn. */
static void add_json_reason(const struct report_explanation *r, uint32_t number, struct strbuf *out)
{
    const struct explanation_reason *reason = &r->explanation->reasons.items[number];
    SCOPED(strbuf) words = {0};
    report_explain_reason(r, number, &words);
    emit_object(out, NULL);
    emit_string(out, "kind", report_reason_word(reason->kind));
    emit_string(out, "name", reason->name);
    emit_string(out, "file", reason->file);
    emit_number(out, "line", reason->line);
    emit_array(out, "lines");
    EACH (const struct explanation_pair, pair, reason->pairs, reason->pair_count) {
        add_line(pair->from.line, out);
        if (!explanation_same_event(&pair->from, &pair->to))
            add_line(pair->to.line, out);
    }
    emit_end(out, ']');
    add_need(reason->need, out);
    emit_number(out, "group", reason->group);
    add_json_chosen(reason, out);
    add_json_chain(r, reason, out);
    emit_string(out, "words", strbuf_text(&words));
    emit_end(out, '}');
}

static void add_json_sets(const struct explanation *e, struct strbuf *out)
{
    emit_array(out, "line_sets");
    EACH_IN (const struct explanation_lines, set, e->line_sets) {
        emit_array(out, NULL);
        for (uint32_t k = 0; k < set->count; k++)
            add_line(set->events[k].line, out);
        emit_end(out, ']');
    }
    emit_end(out, ']');
    emit_bool(out, "all_line_sets", e->all_line_sets);
}

void report_json_reasons(const struct report_explanation *r, struct strbuf *out)
{
    const struct explanation *e = r->explanation;
    emit_array(out, "reasons");
    for (uint32_t i = 0; i < e->reasons.count; i++)
        add_json_reason(r, i, out);
    emit_end(out, ']');
    emit_bool(out, "minimal", e->minimal);
    if (e->line_sets.count)
        add_json_sets(e, out);
}
