#include "pipeline/pipe_parse.h"

#include <string.h>

struct check {
    const struct mach_pipe *pipe;
    const struct mach_pipe_places *places;
    struct diag *diag;
};

#define WRONG(check, ...) diag_error((check)->diag, DIAG_MACH_SENSE, __VA_ARGS__)

/* ---- What rules do ---- */

#define BIT(operation) (1u << (operation))

/* Does an operation of a set stand in any rule? Its place is left in `place`, when that is there.
 */
static bool does(const struct check *c, uint32_t operations, struct span *place)
{
    for (uint32_t r = 0; r < c->pipe->rule_count; r++)
        for (uint32_t i = 0; i < c->pipe->rules[r].count; i++)
            if (operations >> c->pipe->rules[r].ops[i].op & 1) {
                if (place)
                    *place = c->places->ops[r][i];
                return true;
            }
    return false;
}

/* An operation that has no effect without one of others. */
struct need {
    uint32_t what, of;
    const char *text;
};

static const struct need needs[] = {
    {BIT(MACH_PIPE_COMMIT) | BIT(MACH_PIPE_ENQUEUE) | BIT(MACH_PIPE_ABORT) | BIT(MACH_PIPE_RELEASE),
     BIT(MACH_PIPE_BEGIN), "found an end of transactions, expected a `begin` in some rule"},
    {BIT(MACH_PIPE_BEGIN), BIT(MACH_PIPE_COMMIT) | BIT(MACH_PIPE_ENQUEUE),
     "found transactions that never end, expected a `commit` or `enqueue` in some rule"},
    {BIT(MACH_PIPE_MOVE) | BIT(MACH_PIPE_DRAIN) | BIT(MACH_PIPE_THROUGH),
     BIT(MACH_PIPE_AWAIT) | BIT(MACH_PIPE_MEET),
     "found entries that nobody waits for, expected an `await` in some rule"},
    {BIT(MACH_PIPE_AWAIT), BIT(MACH_PIPE_MOVE) | BIT(MACH_PIPE_DRAIN) | BIT(MACH_PIPE_THROUGH),
     "found an `await` with nothing to wait for, expected a `move`, `drain` or `through` in some "
     "rule"}};

static void check_needs(const struct check *c)
{
    struct span place;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (does(c, needs[i].what, &place) && !does(c, needs[i].of, NULL))
            WRONG(c, place, "%s", needs[i].text);
    bool begins = does(c, BIT(MACH_PIPE_BEGIN), NULL);
    bool releases = does(c, BIT(MACH_PIPE_RELEASE), &place);
    if (c->pipe->isolate && (!begins || !releases))
        WRONG(c, c->places->isolate, "found `isolate`, expected rules with `begin` and `release`");
    if (c->pipe->aborts_alone && !does(c, BIT(MACH_PIPE_ABORT), NULL))
        WRONG(c, c->places->isolate, "found `isolate aborts`, expected a rule with `abort`");
    if (c->pipe->redo && !c->pipe->isolate)
        WRONG(c, c->places->redo, "found `redo`, expected `isolate`: there is one log");
    if (releases && !c->pipe->isolate)
        WRONG(c, place, "found `release`, expected `isolate`: nobody waits for a transaction");
}

/* ---- Stages ---- */

static bool is_marked(const struct check *c, uint32_t stage)
{
    for (uint32_t r = 0; r < c->pipe->rule_count; r++)
        EACH (const struct mach_pipe_op, op, c->pipe->rules[r].ops, c->pipe->rules[r].count) {
            if (op->op == MACH_PIPE_MARK && op->stage == stage)
                return true;
        }
    return false;
}

static void check_stage(const struct check *c, uint32_t number)
{
    const struct mach_pipe_stage *stage = &c->pipe->stages[number];
    bool begins = does(c, BIT(MACH_PIPE_BEGIN), NULL);
    if (number > 0 && stage->per < stage[-1].per)
        WRONG(c, stage->span,
              "`%s` has more instances than `%s` before it, expected as many or "
              "fewer: thread, unit, device, system",
              stage->name, stage[-1].name);
    if (stage->apart && stage->durable)
        WRONG(c, stage->span,
              "`%s` is durable and `apart`: expected versions in their order "
              "where a crash finds them",
              stage->name);
    if (stage->hold && !begins)
        WRONG(c, stage->span, "`%s` holds transactions, expected a `begin` in some rule",
              stage->name);
    if (stage->group && !does(c, BIT(MACH_PIPE_ENQUEUE) | BIT(MACH_PIPE_COMMIT), NULL))
        WRONG(c, stage->span, "`%s` takes write sets, expected an `enqueue` in some rule",
              stage->name);
    if (stage->joint && !begins)
        WRONG(c, stage->span, "`%s` commits a line whole, expected a `begin` in some rule",
              stage->name);
    if (stage->joint && stage->group)
        WRONG(c, stage->span,
              "`%s` is `group` and `joint`: expected one of them, as a write set is no line",
              stage->name);
    if (stage->group && stage->merge)
        WRONG(c, stage->span,
              "`%s` is `group` and `merge`: expected one of them, as a write set "
              "leaves whole",
              stage->name);
    if (stage->order == MACH_PIPE_ORDER_MARKS && !is_marked(c, number))
        WRONG(c, stage->span, "`%s` keeps the order of marks, expected a `mark .. %s` in some rule",
              stage->name, stage->name);
}

/* ---- Matches ---- */

static bool covers_tag(const char *tag, bool not_so, const char *other, bool other_not)
{
    return !tag || (other && not_so == other_not && strcmp(tag, other) == 0);
}

/* Does `a` match whatever `b` does? */
static bool covers(const struct mach_pipe_match *a, const struct mach_pipe_match *b)
{
    return (a->kind == MACH_PIPE_KIND_ANY || a->kind == b->kind) &&
           covers_tag(a->tag, false, b->tag, false) && (a->order < 0 || a->order == b->order) &&
           (a->scope < 0 || a->scope == b->scope) &&
           covers_tag(a->by, a->not_by, b->by, b->not_by) &&
           covers_tag(a->at, a->not_at, b->at, b->not_at) &&
           (a->inside < 0 || a->inside == b->inside);
}

static void check_ways(const struct check *c, const struct mach_pipe_ways *ways, bool is_view)
{
    const enum mach_pipe_kind own = is_view ? MACH_PIPE_KIND_LOAD : MACH_PIPE_KIND_STORE;
    const char *name = is_view ? "view" : "bypass";
    for (uint32_t i = 0; i < ways->count; i++) {
        const struct mach_pipe_way *way = &ways->items[i];
        enum mach_pipe_kind kind = way->match.kind;
        if (kind != MACH_PIPE_KIND_ANY && kind != own && kind != MACH_PIPE_KIND_RMW)
            WRONG(c, way->span, "found a `%s` for what %s nothing, expected `%s`, `rmw` or no kind",
                  name, is_view ? "reads" : "writes", mach_pipe_kinds[own]);
        if (is_view && way->stage == 0)
            WRONG(c, way->span,
                  "found a `view` of the first stage, expected a later one: nothing is before it");
        EACH (const struct mach_pipe_way, other, ways->items, i) {
            bool has_it = is_view ? other->stage >= way->stage : other->stage == way->stage;
            if (has_it && covers(&other->match, &way->match))
                WRONG(c, way->span, "line %u has this `%s` already: remove one of them",
                      other->span.line, name);
        }
    }
}

/* ---- Rules ---- */

static bool is_of_line(enum mach_pipe_which which)
{
    return which == MACH_PIPE_WHICH_LINE || which == MACH_PIPE_WHICH_HERE;
}

static bool has_location(enum mach_pipe_kind kind)
{
    return kind != MACH_PIPE_KIND_FENCE && kind != MACH_PIPE_KIND_BARRIER &&
           kind != MACH_PIPE_KIND_PBARRIER;
}

static bool may_write(enum mach_pipe_kind kind)
{
    return pipe_may_access(kind) && kind != MACH_PIPE_KIND_LOAD;
}

static void check_operation(const struct check *c, uint32_t rule, uint32_t number)
{
    const struct mach_pipe_op *op = &c->pipe->rules[rule].ops[number];
    enum mach_pipe_kind kind = c->pipe->rules[rule].match.kind;
    struct span place = c->places->ops[rule][number];
    bool selects =
        op->op == MACH_PIPE_MOVE || op->op == MACH_PIPE_DRAIN || op->op == MACH_PIPE_MARK;
    if (selects && is_of_line(op->which) && !has_location(kind))
        WRONG(c, place,
              "found the line of an instruction that has no location, expected `own`, "
              "`all` or the like instead of `%s`",
              mach_pipe_whiches[op->which]);
    if (op->op == MACH_PIPE_MARK && op->which == MACH_PIPE_WHICH_HERE)
        WRONG(c, place, "found a mark for `here`, expected `x`, `own`, `strand`, `unit` or `all`");
    if (op->op == MACH_PIPE_MARK && c->pipe->stages[op->stage].order != MACH_PIPE_ORDER_MARKS)
        WRONG(c, place, "`%s` takes no notice of marks, expected a stage with `order marks`",
              c->pipe->stages[op->stage].name);
    if (op->op == MACH_PIPE_THROUGH && !may_write(kind))
        WRONG(c, place, "found `through` for what writes nothing, expected `store` or `rmw`");
    if (op->op == MACH_PIPE_ACCESS && !pipe_may_access(kind))
        WRONG(c, place,
              "found `access` for what accesses nothing, expected `load`, `store` or `rmw`");
    if (op->op == MACH_PIPE_ACCESS && number + 1 == c->pipe->rules[rule].count)
        WRONG(c, place,
              "found `access` at the end, where it is anyway: expected what is done behind it");
    if (op->op == MACH_PIPE_MEET && kind != MACH_PIPE_KIND_PBARRIER)
        WRONG(c, place,
              "found `meet` for what may be no persist barrier, expected the kind "
              "`p_barrier`");
    if (selects && op->which == MACH_PIPE_WHICH_STRAND && !does(c, BIT(MACH_PIPE_STRAND), NULL))
        WRONG(c, place,
              "found `strand`, expected the operation `strand` in some rule to begin one");
}

/* The instruction is done when those have met who are to, and they wait for one another. */
static void check_meetings(const struct check *c, uint32_t rule)
{
    const struct mach_pipe_rule *r = &c->pipe->rules[rule];
    for (uint32_t i = 0, meetings = 0; i < r->count; i++) {
        if (r->ops[i].op == MACH_PIPE_MEET && meetings++ == 1)
            WRONG(c, c->places->ops[rule][i],
                  "found a second `meet`, expected one: all have arrived");
        if (r->ops[i].op == MACH_PIPE_AWAIT && r->ops[i].scope != LIT_SCOPE_WI && meetings > 0)
            WRONG(c, c->places->ops[rule][i],
                  "found a scope behind `meet`, expected `await` alone: all who met wait for all");
    }
}

/* An instruction accesses memory once, and `through` is of what it stores then. */
static void check_access(const struct check *c, uint32_t rule)
{
    const struct mach_pipe_rule *r = &c->pipe->rules[rule];
    bool behind = false;
    for (uint32_t i = 0; i < r->count; i++) {
        if (behind && r->ops[i].op == MACH_PIPE_ACCESS)
            WRONG(c, c->places->ops[rule][i],
                  "found a second `access`, expected one: each instruction has one");
        if (behind && r->ops[i].op == MACH_PIPE_THROUGH)
            WRONG(c, c->places->ops[rule][i],
                  "found `through` behind `access`, expected it before: it is of what is stored "
                  "then");
        behind |= r->ops[i].op == MACH_PIPE_ACCESS;
    }
}

static void check_rules(const struct check *c)
{
    const struct mach_pipe_rule *rules = c->pipe->rules;
    for (uint32_t r = 0; r < c->pipe->rule_count; r++) {
        for (uint32_t k = 0; k < r; k++)
            if (covers(&rules[k].match, &rules[r].match)) {
                WRONG(c, rules[r].span,
                      "no instruction comes to this line: line %u matches all of "
                      "its; expected it before that line, or not at all",
                      rules[k].span.line);
                break;
            }
        for (uint32_t i = 0; i < rules[r].count; i++)
            check_operation(c, r, i);
        check_meetings(c, r);
        check_access(c, r);
    }
}

/* ---- Variables ---- */

static bool changes(const struct check *c, uint32_t variable)
{
    for (uint32_t r = 0; r < c->pipe->rule_count; r++)
        EACH (const struct mach_pipe_op, op, c->pipe->rules[r].ops, c->pipe->rules[r].count) {
            if (op->op == MACH_PIPE_SET && op->variable == variable &&
                op->value != c->pipe->initial[variable])
                return true;
        }
    return false;
}

static void check_variables(const struct check *c)
{
    for (uint32_t v = 0; v < c->pipe->variable_count; v++) {
        const char *name = c->pipe->variables[v];
        bool asked = false;
        for (uint32_t s = 0; s < c->pipe->stage_count; s++)
            asked |= c->pipe->stages[s].variable == v;
        if (!changes(c, v))
            WRONG(
                c, c->places->variables[v],
                "`%s` always has its first value, expected a `set %s = ..` to another in some rule",
                name, name);
        if (!asked)
            WRONG(c, c->places->variables[v], "no stage asks for `%s`, expected a `when %s = ..`",
                  name, name);
    }
}

void mach_pipe_check(const struct mach_pipe *pipe, const struct mach_pipe_places *places,
                     struct diag *diag)
{
    const struct check c = {pipe, places, diag};
    if (places->durable.line == 0)
        WRONG(&c, (struct span){.source = places->source},
              "found no `durable`, expected it behind the stages that a crash empties");
    for (uint32_t s = 0; s < pipe->stage_count; s++)
        check_stage(&c, s);
    check_needs(&c);
    check_ways(&c, &pipe->bypasses, false);
    check_ways(&c, &pipe->views, true);
    check_rules(&c);
    check_variables(&c);
}
