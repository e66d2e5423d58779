#include "document/report_finding.h"

#include "base/table.h"
#include "base/utf8.h"
#include "answer/report_gallery.h"
#include "document/report_wide.h"
#include "report/report_vacuous.h"
#include "document/report_answer.h"
#include "document/report_text.h"

#include <string.h>

/* ---- Places ---- */

struct span report_event_span(const struct lit_program *program, const struct outcome_event *event)
{
    if (event->thread == LIT_NONE) {
        BASE_CHECK(event->location < program->location_count);
        return program->locations[event->location].span;
    }
    const struct lit_instr *instr = outcome_instr_of(program, event);
    return instr ? instr->span : (struct span){program->source, event->line, 1, event->line, 1};
}

struct span report_event_source(const struct outcome_event *event)
{
    const struct lit_origin *origin = event->origin;
    return !origin ? (struct span){0} : origin->source.line ? origin->source : origin->code;
}

uint32_t report_character_column(const struct source *source, uint32_t line, uint32_t column)
{
    size_t length;
    if (!source->length) /* it was not read */
        return column;
    const char *text = source_line(source, line, &length);
    uint32_t characters = 1;
    for (size_t i = 0; i + 1 < column && i < length; characters++) {
        size_t step = utf8_length(text + i);
        i += step ? step : 1;
    }
    return column ? characters : 0;
}

/* ---- Words ---- */

static const char *const finding_words[] = {REPORT_FINDINGS(TABLE_SECOND)};

const char *report_finding_word(enum report_finding_kind kind)
{
    return finding_words[kind];
}

enum report_finding_kind report_finding_of(const char *word)
{
    int kind = 0;
    while (kind < REPORT_FINDING_COUNT && strcmp(finding_words[kind], word) != 0)
        kind++;
    return (enum report_finding_kind)kind;
}

/* ---- States ---- */

struct lit_program report_program(const struct report_test *test, enum lit_when when)
{
    return when == LIT_RECOVERED ? lit_recovery_program(test->program) : *test->program;
}

void report_state(const struct report_test *test, enum lit_when when, size_t number,
                  struct strbuf *out)
{
    const struct outcome_states *states = outcome_states_of(test->outcome, when);
    const struct lit_program program = report_program(test, when);
    report_row(&program, states->items, states->width, outcome_row(states, number), out);
}

/* ---- Findings ---- */

struct finder {
    const struct report_test *test;
    report_finding_visit *visit;
    void *context;
    struct strbuf message;
};

static void tell(struct finder *finder, struct report_finding finding)
{
    finding.message = strbuf_text(&finder->message);
    finder->visit(finder->context, &finding);
    strbuf_clear(&finder->message);
}

static const char *const states_words[] = {"final state", "crash state", "recovered state"};

/* A state that breaks the condition, or that none satisfies it, and why there is none (or NULL). */
static void add_why_violated(struct finder *finder, const struct lit_condition *condition,
                             const char *why)
{
    const struct report_test *test = finder->test;
    const struct outcome_states *states = outcome_states_of(test->outcome, condition->when);
    if (condition->quantifier == LIT_EXISTS) {
        strbuf_printf(&finder->message, ": no %s satisfies it", states_words[condition->when]);
        if (why)
            strbuf_printf(&finder->message, ": %s", why);
        return;
    }
    const uint32_t number = (uint32_t)(condition - test->program->conditions);
    const struct report_execution *named = report_gallery_deciding(test->named, number);
    if (named && condition->when != LIT_RECOVERED) { /* a chain is told from its crash */
        strbuf_printf(&finder->message, " by the %s %s", states_words[condition->when],
                      named->state);
        return;
    }
    const struct lit_program program = report_program(test, condition->when);
    int64_t *row = base_realloc(NULL, ((size_t)states->width + 1) * sizeof *row);
    if (outcome_find_deciding(test->outcome, test->program, condition, row)) {
        strbuf_printf(&finder->message, " by the %s ", states_words[condition->when]);
        report_row(&program, states->items, states->width, row, &finder->message);
    }
    base_free(row);
}

/* The store that is not durable, or not ordered, in the execution that decides the condition; NULL:
 * none is known. */
static const struct outcome_event *lacking(const struct report_test *test, uint32_t condition)
{
    const struct report_execution *deciding = report_gallery_deciding(test->gallery, condition);
    const struct explanation *how = deciding ? deciding->how : NULL;
    if (how && how->gaps.count)
        return &how->gaps.items[0].earlier;
    for (size_t i = 0; how && i < how->steps.count; i++)
        if (how->steps.items[i].lost)
            return &how->steps.items[i].event;
    return NULL;
}

/* The fault that a property asks for; NULL: it asks for none, or there is none. */
static const struct outcome_event *faulty(const struct report_test *test, uint32_t condition)
{
    const struct lit_condition *asked = &test->program->conditions[condition];
    size_t at = 0;
    const struct outcome_undefined *fault =
        lit_asks_fault(asked) ? outcome_next_fault(test->outcome, asked->property, &at) : NULL;
    return fault && fault->event_count ? &fault->events[0] : NULL;
}

void report_finding_locate(const struct report_test *test, struct report_finding *finding)
{
    const struct outcome_event *fault = faulty(test, finding->condition);
    const struct outcome_event *event = fault ? fault : lacking(test, finding->condition);
    if (!event || !test->program->outline_count)
        return;
    finding->source = report_event_source(event);
    finding->launch = report_event_span(test->program, event);
}

static void tell_condition(struct finder *finder, const struct lit_condition *condition)
{
    const struct report_test *test = finder->test;
    struct outcome_judgement judgement = outcome_judge(test->outcome, test->program, condition);
    bool open = judgement.verdict == LIT_UNKNOWN;
    if (judgement.verdict != LIT_VIOLATED && !open && !judgement.vacuous)
        return;
    strbuf_printf(&finder->message, "%s %s is %s", report_condition_kind(condition),
                  condition->text, lit_verdict_text(judgement.verdict));
    if (lit_asks_fault(condition) && judgement.verdict == LIT_VIOLATED) {
        strbuf_add(&finder->message, ": ");
        report_answer_condition(test, (uint32_t)(condition - test->program->conditions),
                                &finder->message);
    } else if (judgement.verdict == LIT_VIOLATED)
        add_why_violated(finder, condition, judgement.reason);
    else if (judgement.reason) {
        strbuf_add(&finder->message, ": ");
        report_reason(judgement.verdict, judgement.reason, judgement.vacuous, &finder->message);
    }
    struct report_finding finding = {.kind = open                ? REPORT_UNKNOWN
                                             : judgement.vacuous ? REPORT_REMARK
                                                                 : REPORT_CONDITION,
                                     .condition = (uint32_t)(condition - test->program->conditions),
                                     .span = condition->span};
    if (finding.kind == REPORT_CONDITION)
        report_finding_locate(test, &finding);
    tell(finder, finding);
}

static void tell_vacuous(struct finder *finder, uint32_t number)
{
    const struct lit_condition *condition = &finder->test->program->conditions[number];
    if (report_vacuous(finder->test, number) == REPORT_VACUOUS_NOT)
        return;
    strbuf_printf(&finder->message, "%s %s is ", report_condition_kind(condition), condition->text);
    report_vacuous_words(finder->test, number, &finder->message);
    tell(finder, (struct report_finding){
                     .kind = REPORT_VACUOUS, .condition = number, .span = condition->span});
}

static enum report_finding_kind kind_of(const struct outcome_undefined *undefined)
{
    switch (undefined->kind) {
    case OUTCOME_CHECK: break;
    case OUTCOME_DIVERGENCE: return REPORT_DIVERGENCE;
    case OUTCOME_TRANSACTION: return REPORT_TRANSACTION;
    case OUTCOME_UNSET: return REPORT_UNSET;
    case OUTCOME_ENDLESS: return REPORT_ENDLESS;
    case OUTCOME_ASSERTION:
    case OUTCOME_FAULT: return REPORT_FAULT;
    }
    return outcome_is_race(undefined) ? REPORT_RACE : REPORT_CHECK;
}

/* "P2's R X" */
static void add_event(const struct lit_program *program, const struct outcome_event *event,
                      struct strbuf *out)
{
    if (event->thread == LIT_NONE)
        strbuf_printf(out, "the initial %s", event->access);
    else
        strbuf_printf(out, "%s's %s", outcome_thread(program, event->thread)->name, event->access);
}

/* The second event, as a link to its place is to be read. */
static void add_related(const struct lit_program *program,
                        const struct outcome_undefined *undefined, struct strbuf *out)
{
    const struct outcome_event *event = &undefined->events[1];
    if (undefined->kind == OUTCOME_DIVERGENCE)
        strbuf_printf(out, "%s stops here", outcome_thread(program, event->thread)->name);
    else
        add_event(program, event, out);
}

static void tell_undefined(struct finder *finder, const struct outcome_undefined *undefined)
{
    const struct lit_program *program = finder->test->program;
    struct report_finding finding = {.kind = kind_of(undefined)};
    SCOPED(strbuf) second = {0};
    report_undefined(finder->test, undefined, &finder->message);
    if (undefined->event_count > 0)
        finding.span = finding.launch = report_event_span(program, &undefined->events[0]);
    if (undefined->event_count > 0)
        finding.source = report_event_source(&undefined->events[0]);
    if (undefined->event_count > 1) {
        finding.related = report_event_span(program, &undefined->events[1]);
        finding.related_source = report_event_source(&undefined->events[1]);
        add_related(program, undefined, &second);
        finding.related_message = strbuf_text(&second);
    }
    tell(finder, finding);
}

/* Where each stands. Of what is undefined in any case tell_undefined tells. */
static void tell_asked(struct finder *finder)
{
    for (size_t i = 0; i < finder->test->outcome->asked.count; i++)
        tell_undefined(finder, &finder->test->outcome->asked.items[i]);
}

/* One for all: the first state, and how many there are. */
static void tell_livelocks(struct finder *finder)
{
    const struct report_test *test = finder->test;
    const struct outcome_states *livelocks = &test->outcome->livelocks;
    const struct lit_program *program = test->program;
    if (livelocks->count == 0)
        return;
    strbuf_add(&finder->message, "livelock: recovery never completes from ");
    report_row(program, livelocks->items, livelocks->width, outcome_row(livelocks, 0),
               &finder->message);
    if (livelocks->count > 1)
        strbuf_printf(&finder->message, ", nor from %zu more", livelocks->count - 1);
    tell(finder, (struct report_finding){.kind = REPORT_LIVELOCK,
                                         .span = program->recovery_count ? program->recovery[0].span
                                                                         : (struct span){0}});
}

const char *report_nothing_judged(const struct report_test *test)
{
    return test->program->condition_count || test->idempotence || test->expectation
               ? NULL
               : "no conditions: nothing is judged but whether the behaviour is defined";
}

const struct cat_check *report_warning_of(const struct report_test *test, size_t flag)
{
    const char *name = test->outcome->flags.items[flag];
    EACH (const struct cat_check, check, test->model->checks, test->model->check_count)
        if (check->warning && strcmp(check->name, name) == 0)
            return check;
    return NULL;
}

void report_warning(const struct cat_check *check, struct strbuf *out)
{
    strbuf_printf(out, "%s: %s:%u:%u: %s", check->name, check->span.source->name, check->span.line,
                  check->span.column, check->warning);
}

/* At the test, and related to the model's place when that is in a file. */
static void tell_warnings(struct finder *finder)
{
    const struct report_test *test = finder->test;
    for (size_t i = 0; i < test->outcome->flags.count; i++) {
        const struct cat_check *check = report_warning_of(test, i);
        if (!check)
            continue;
        strbuf_add(&finder->message, "warning ");
        report_warning(check, &finder->message);
        struct report_finding finding = {.kind = REPORT_WARNING,
                                         .span = report_head(test->program)};
        if (!check->span.source->is_builtin) {
            finding.related = check->span;
            finding.related_message = "the definition";
        }
        tell(finder, finding);
    }
}

static void tell_meaning(struct finder *finder)
{
    const struct lit_program *program = finder->test->program;
    SCOPED(arena) arena = {0};
    struct meaning_lacking lacking = meaning_lacking(&arena, program, finder->test->model);
    for (uint32_t i = 0; i < lacking.count; i++) {
        struct span place = lacking.places[i];
        strbuf_add(&finder->message, "without meaning: ");
        report_lacking(&lacking, i, &finder->message);
        tell(finder, (struct report_finding){.kind = REPORT_MEANING,
                                             .span = place.line ? place : report_head(program)});
    }
}

bool report_is_aside(enum report_finding_kind kind)
{
    return kind == REPORT_UNKNOWN || kind == REPORT_REMARK || kind == REPORT_VACUOUS ||
           kind == REPORT_MEANING || kind == REPORT_WIDTH || report_is_warning(kind);
}

bool report_is_warning(enum report_finding_kind kind)
{
    return kind == REPORT_WARNING || kind == REPORT_WIDE || kind == REPORT_REDUNDANT;
}

const char *report_failing_words(enum report_failing fails)
{
    static const char *const words[] = {"", "disputed", "vacuous", "a warning",
                                        "not known to have no warning"};
    return words[fails];
}

bool report_finding_fails(enum report_finding_kind kind, enum report_failing fails)
{
    return (fails == REPORT_FAILS_VACUOUS && kind == REPORT_VACUOUS) ||
           (fails == REPORT_FAILS_WARNED && report_is_warning(kind)) ||
           (fails == REPORT_FAILS_OPEN && kind == REPORT_WIDTH);
}

static void tell_rest(struct finder *finder)
{
    const struct report_test *test = finder->test;
    const struct lit_program *program = test->program;
    const struct span head = report_head(program);
    if (program->condition_count == 0 && test->verdict == LIT_UNKNOWN &&
        outcome_failure_doubt(test->outcome)) {
        strbuf_printf(&finder->message, "not decided: %s", outcome_failure_doubt(test->outcome));
        tell(finder, (struct report_finding){.kind = REPORT_UNKNOWN, .span = head});
    }
    if (report_nothing_judged(test)) {
        strbuf_add(&finder->message, report_nothing_judged(test));
        tell(finder, (struct report_finding){.kind = REPORT_REMARK, .span = head});
    }
    if (test->expectation && test->verdict != test->expected) {
        strbuf_printf(&finder->message, "verdict %s, expected %s", lit_verdict_text(test->verdict),
                      lit_verdict_text(test->expected));
        tell(finder,
             (struct report_finding){.kind = REPORT_UNEXPECTED, .span = test->expectation->span});
    }
}

void report_each_finding(const struct report_test *test, report_finding_visit *visit, void *context)
{
    struct finder finder = {test, visit, context, {0}};
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        tell_condition(&finder, &test->program->conditions[i]);
    for (uint32_t i = 0; i < test->program->condition_count; i++)
        tell_vacuous(&finder, i);
    for (size_t i = 0; i < test->outcome->undefined.count; i++)
        tell_undefined(&finder, &test->outcome->undefined.items[i]);
    tell_asked(&finder);
    tell_livelocks(&finder);
    tell_warnings(&finder);
    report_wide_each(test->wide, test->program, visit, context);
    tell_meaning(&finder);
    tell_rest(&finder);
    strbuf_fini(&finder.message);
}
