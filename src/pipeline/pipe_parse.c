/* A statement takes its line word by word. The first word that does not fit is reported, and the
 * rest of the line is skipped. A stage or variable is known as soon as its name is read, so that a
 * later fault in its line causes no others. */
#include "pipeline/pipe_parse.h"

#include "machine/mach_words.h"

struct mach_pipe_reader {
    struct arena *arena;
    struct diag *diag;
    struct mach_pipe *pipe;
    struct mach_pipe_places places;
    const char *values[MACH_PIPE_VARIABLES][MACH_PIPE_VALUES];
    const struct mach_pipe_tag **last_tag;
    struct mach_words words; /* of the line */
    uint32_t errors;
};

#define TABLE(name, list) const char *const mach_pipe_##name[] = {list(TABLE_SECOND)}
TABLE(pers, MACH_PIPE_PERS);
TABLE(orders, MACH_PIPE_ORDERS);
TABLE(kinds, MACH_PIPE_KINDS);
TABLE(operations, MACH_PIPE_OPERATIONS);
TABLE(whiches, MACH_PIPE_WHICHES);
const bool mach_pipe_takes_stage[] = {MACH_PIPE_OPERATIONS(TABLE_FOURTH)};
const char *const mach_pipe_memory_orders[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
const char *const mach_pipe_scopes[] = {"wi", "sg", "wg", "kr", "dv", "all"};

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

_Static_assert(COUNT(mach_pipe_memory_orders) == LIT_ORDER_SC + 1, "a word for each memory order");
_Static_assert(COUNT(mach_pipe_scopes) == LIT_SCOPE_COUNT, "a word for each scope");

/* ---- Names that are declared ---- */

static const char *const *stage_names(const struct mach_pipe_reader *r)
{
    const char **names = ARENA_ARRAY(r->arena, const char *, MACH_PIPE_STAGES + 1);
    for (uint32_t s = 0; s < r->pipe->stage_count; s++)
        names[s] = r->pipe->stages[s].name;
    names[r->pipe->stage_count] = MACH_PIPE_WORD(medium);
    return names;
}

static bool take_stage(struct mach_pipe_reader *r, bool or_medium, uint8_t *stage)
{
    uint32_t s = 0;
    if (!words_take_of(&r->words, "a stage that is declared above", stage_names(r),
                       r->pipe->stage_count + or_medium, &s))
        return false;
    *stage = (uint8_t)s;
    return true;
}

static bool take_variable(struct mach_pipe_reader *r, uint8_t *variable, uint8_t *value)
{
    const struct mach_pipe *pipe = r->pipe;
    uint32_t which = 0, what = 0;
    if (!words_take_of(&r->words, "a variable that is declared above", pipe->variables,
                       pipe->variable_count, &which) ||
        !words_take(&r->words, "=") ||
        !words_take_of(&r->words, "a value of the variable", pipe->values[which],
                       pipe->value_counts[which], &what))
        return false;
    *variable = (uint8_t)which;
    *value = (uint8_t)what;
    return true;
}

/* Takes a new name, unlike `count` others. */
static bool take_new(struct mach_pipe_reader *r, const char *what, const char *const *others,
                     size_t count, const char **name)
{
    if (words_here(&r->words)->name && words_find(&r->words, others, count) < count) {
        diag_error(r->diag, DIAG_MACH_SENSE, words_here(&r->words)->span,
                   "`%s` is there already, expected another name for %s",
                   words_here(&r->words)->text, what);
        return false;
    }
    return words_take_name(&r->words, arena_printf(r->arena, "a name for %s", what), name);
}

static bool is_full(struct mach_pipe_reader *r, uint32_t count, uint32_t most, const char *what)
{
    if (count < most)
        return false;
    diag_error(r->diag, DIAG_MACH_SENSE, r->words.list[0].span,
               "found more than %u %s, expected %u at most", most, what, most);
    return true;
}

/* ---- Statements ---- */

static bool take_attribute(struct mach_pipe_reader *r, struct mach_pipe_stage *stage)
{
    static const char *const names[] = {
#define X(field) #field,
        MACH_PIPE_ATTRIBUTES(X)
#undef X
            MACH_PIPE_WORD(when)};
    const struct mach_word *word = words_here(&r->words);
    bool *const fields[] = {
#define X(field) &stage->field,
        MACH_PIPE_ATTRIBUTES(X)
#undef X
    };
    uint32_t which = 0;
    if (!words_take_of(&r->words, "an attribute", names, COUNT(names), &which))
        return false;
    if (which == COUNT(fields))
        return take_variable(r, &stage->variable, &stage->value) && words_take_end(&r->words);
    if (*fields[which]) {
        diag_error(r->diag, DIAG_MACH_SENSE, word->span, "found `%s` for the second time",
                   word->text);
        return false;
    }
    return *fields[which] = true;
}

static bool read_stage(struct mach_pipe_reader *r)
{
    struct mach_pipe *pipe = r->pipe;
    struct mach_pipe_stage *stage = &pipe->stages[pipe->stage_count];
    if (is_full(r, pipe->stage_count, MACH_PIPE_STAGES, "stages") ||
        !take_new(r, "a stage", stage_names(r), pipe->stage_count + 1, &stage->name))
        return false;
    pipe->stage_count++;
    stage->span = r->words.list[1].span;
    stage->durable = r->places.durable.line > 0;
    stage->variable = MACH_PIPE_VARIABLES;
    uint32_t per = 0, order = 0;
    if (!words_take(&r->words, MACH_PIPE_WORD(per)) ||
        !words_take_of(&r->words, "a kind of instances", mach_pipe_pers, COUNT(mach_pipe_pers),
                       &per) ||
        !words_take(&r->words, MACH_PIPE_WORD(order)) ||
        !words_take_of(&r->words, "an order", mach_pipe_orders, COUNT(mach_pipe_orders), &order))
        return false;
    stage->per = (enum mach_pipe_per)per;
    stage->order = (enum mach_pipe_order)order;
    while (!words_are_at_end(&r->words))
        if (!take_attribute(r, stage))
            return false;
    return true;
}

/* A statement that stands once. */
static bool read_once(struct mach_pipe_reader *r, struct span *place)
{
    if (place->line > 0) {
        diag_error(r->diag, DIAG_MACH_SENSE, r->words.list[0].span,
                   "`%s` stands in line %u already: remove one of them", r->words.list[0].text,
                   place->line);
        return false;
    }
    *place = r->words.list[0].span;
    return words_take_end(&r->words);
}

static bool read_durable(struct mach_pipe_reader *r)
{
    return read_once(r, &r->places.durable);
}

static bool read_isolate(struct mach_pipe_reader *r)
{
    r->pipe->isolate = true;
    r->pipe->aborts_alone = !words_are_at_end(&r->words);
    return (!r->pipe->aborts_alone || words_take(&r->words, MACH_PIPE_WORD(aborts))) &&
           read_once(r, &r->places.isolate);
}

static bool read_redo(struct mach_pipe_reader *r)
{
    r->pipe->redo = true;
    return read_once(r, &r->places.redo);
}

static bool read_variable(struct mach_pipe_reader *r)
{
    struct mach_pipe *pipe = r->pipe;
    uint32_t v = pipe->variable_count, *count = &pipe->value_counts[v];
    if (is_full(r, v, MACH_PIPE_VARIABLES, "variables") ||
        !take_new(r, "a variable", pipe->variables, v, &pipe->variables[v]))
        return false;
    r->places.variables[v] = r->words.list[1].span;
    pipe->values[v] = r->values[v];
    pipe->variable_count++;
    if (!words_take(&r->words, "="))
        return false;
    do {
        if (is_full(r, *count, MACH_PIPE_VALUES, "values of a variable") ||
            !take_new(r, "a value", r->values[v], *count, &r->values[v][*count]))
            return false;
        ++*count;
    } while (words_are_at(&r->words, "|") && words_take(&r->words, "|"));
    if (words_are_at_end(&r->words) && *count == 1)
        return words_refuse(&r->words, DIAG_MACH_SYNTAX, "`|` and a second value");
    return words_take_end(&r->words);
}

/* ---- Matches ---- */

/* Takes a tag, and keeps its place. */
static bool take_tag(struct mach_pipe_reader *r, enum mach_pipe_bearer bearer, const char **tag)
{
    struct mach_pipe_tag *found = ARENA_NEW(r->arena, struct mach_pipe_tag);
    found->bearer = bearer;
    found->span = words_here(&r->words)->span;
    if (!words_take_name(&r->words, "the name of a tag", tag))
        return false;
    found->tag = *tag;
    *r->last_tag = found;
    r->last_tag = &found->next;
    return true;
}

static bool take_whom(struct mach_pipe_reader *r, struct mach_pipe_match *match)
{
    bool not_so = words_are_at(&r->words, MACH_PIPE_WORD(not )) &&
                  words_take(&r->words, MACH_PIPE_WORD(not )),
         by = words_are_at(&r->words, MACH_PIPE_WORD(by));
    const char **tag = by ? &match->by : &match->at;
    if (!by && !words_are_at(&r->words, MACH_PIPE_WORD(at)))
        return words_refuse(&r->words, DIAG_MACH_SYNTAX, "`by` or `at` behind `not`");
    if (*tag)
        return words_refuse(&r->words, DIAG_MACH_SYNTAX,
                            by ? "no more than one `by`" : "no more than one `at`");
    r->words.at++;
    *(by ? &match->not_by : &match->not_at) = not_so;
    return take_tag(r, by ? MACH_PIPE_OF_THREAD : MACH_PIPE_OF_LOCATION, tag);
}

/* A word of a list that says something that nothing has said before. */
static bool is_first(const struct mach_pipe_reader *r, const char *const *list, size_t count,
                     bool unsaid, int *found)
{
    uint32_t i = words_find(&r->words, list, count);
    if (i == count || !unsaid)
        return false;
    *found = (int)i;
    return true;
}

static bool refuse_condition(struct mach_pipe_reader *r, const struct mach_pipe_match *match)
{
    if (!match->tag)
        return words_refuse(&r->words, DIAG_MACH_SYNTAX, "a tag, or a kind of instruction");
    if (words_find(&r->words, mach_pipe_operations, COUNT(mach_pipe_operations)) <
        COUNT(mach_pipe_operations))
        return words_refuse(&r->words, DIAG_MACH_SYNTAX, "`:` before the operations");
    const char *near = words_are_at(&r->words, match->tag)
                           ? NULL
                           : diag_nearest(match->tag, mach_pipe_kinds, COUNT(mach_pipe_kinds));
    (void)words_refuse(
        &r->words, DIAG_MACH_SYNTAX,
        near ? arena_printf(r->arena, "no more than one tag, and `%s` is one; did you mean `%s`?",
                            match->tag, near)
             : arena_printf(r->arena, "no more than one tag, `%s`, and each kind of condition once",
                            match->tag));
    const struct span here = words_here(&r->words)->span;
    struct span line = r->words.list[0].span;
    line.end_line = here.end_line;
    line.end_column = here.end_column;
    diag_meant_within(r->words.diag, here, line, match->tag, near);
    return false;
}

static bool take_condition(struct mach_pipe_reader *r, struct mach_pipe_match *match)
{
    static const char *const sides[] = {MACH_PIPE_WORD(outside), MACH_PIPE_WORD(inside)};
    int kind = 0, inside = 0;
    if (words_are_at(&r->words, MACH_PIPE_WORD(not )) ||
        words_are_at(&r->words, MACH_PIPE_WORD(by)) || words_are_at(&r->words, MACH_PIPE_WORD(at)))
        return take_whom(r, match);
    if (is_first(r, mach_pipe_kinds, COUNT(mach_pipe_kinds), match->kind == MACH_PIPE_KIND_ANY,
                 &kind))
        match->kind = (enum mach_pipe_kind)kind;
    else if (is_first(r, sides, COUNT(sides), match->inside < 0, &inside))
        match->inside = (int8_t)inside;
    else if (!is_first(r, mach_pipe_memory_orders, COUNT(mach_pipe_memory_orders), match->order < 0,
                       &match->order) &&
             !is_first(r, mach_pipe_scopes, COUNT(mach_pipe_scopes), match->scope < 0,
                       &match->scope)) {
        if (!words_here(&r->words)->name || match->tag)
            return refuse_condition(r, match);
        return take_tag(r, MACH_PIPE_OF_INSTRUCTION, &match->tag);
    }
    r->words.at++;
    return true;
}

/* Up to a colon or the end. */
static bool take_match(struct mach_pipe_reader *r, struct mach_pipe_match *match)
{
    *match = (struct mach_pipe_match){.order = -1, .scope = -1, .inside = -1};
    if (words_are_at_end(&r->words) || words_are_at(&r->words, ":"))
        return words_refuse(&r->words, DIAG_MACH_SYNTAX,
                            "a condition: a tag, a kind of instruction, `by` or `at`");
    while (!words_are_at_end(&r->words) && !words_are_at(&r->words, ":"))
        if (!take_condition(r, match))
            return false;
    return true;
}

static bool read_way(struct mach_pipe_reader *r, const char *lines, bool or_medium,
                     struct mach_pipe_ways *ways)
{
    struct mach_pipe_way *way = &ways->items[ways->count];
    if (is_full(r, ways->count, MACH_PIPE_LINES, lines) || !take_stage(r, or_medium, &way->stage) ||
        !take_match(r, &way->match) || !words_take_end(&r->words))
        return false;
    if (way->stage == r->pipe->stage_count)
        way->stage = UINT8_MAX; /* further stages may come */
    way->span = r->words.list[0].span;
    ways->count++;
    return true;
}

static bool read_bypass(struct mach_pipe_reader *r)
{
    return read_way(r, "lines `bypass`", false, &r->pipe->bypasses);
}

static bool read_view(struct mach_pipe_reader *r)
{
    return read_way(r, "lines `view`", true, &r->pipe->views);
}

/* ---- Rules ---- */

/* Behind a move or drain: `past STAGE`. */
static bool take_past(struct mach_pipe_reader *r, struct mach_pipe_op *op)
{
    uint8_t past = 0;
    struct span place = words_here(&r->words)->span;
    if (!words_are_at(&r->words, MACH_PIPE_WORD(past)))
        return true;
    if (!words_take(&r->words, MACH_PIPE_WORD(past)) || !take_stage(r, false, &past))
        return false;
    op->further = (uint8_t)(past - op->stage);
    if (past > op->stage)
        return true;
    diag_error(r->diag, DIAG_MACH_SENSE, place,
               "`%s` is not behind `%s`, expected a later stage past which entries have to get",
               r->pipe->stages[past].name, r->pipe->stages[op->stage].name);
    return false;
}

/* Behind an await: a scope, when it is not the work-item's own. */
static bool take_awaited(struct mach_pipe_reader *r, struct mach_pipe_op *op)
{
    uint32_t scope = LIT_SCOPE_WI;
    if (!words_are_at_end(&r->words) && !words_are_at(&r->words, ";") &&
        !words_take_of(&r->words, "a scope, or `;`", mach_pipe_scopes, COUNT(mach_pipe_scopes),
                       &scope))
        return false;
    op->scope = (uint8_t)scope;
    return true;
}

static bool take_operation(struct mach_pipe_reader *r, struct mach_pipe_op *op)
{
    uint32_t what = 0, which = 0;
    if (!words_take_of(&r->words, "an operation", mach_pipe_operations, COUNT(mach_pipe_operations),
                       &what))
        return false;
    op->op = (enum mach_pipe_operation)what;
    if (mach_pipe_takes_stage[op->op]) {
        if (!words_take_of(&r->words, "a choice of entries", mach_pipe_whiches,
                           COUNT(mach_pipe_whiches), &which))
            return false;
        op->which = (enum mach_pipe_which)which;
        return take_stage(r, false, &op->stage) && (op->op == MACH_PIPE_MARK || take_past(r, op));
    }
    if (op->op == MACH_PIPE_AWAIT)
        return take_awaited(r, op);
    return op->op != MACH_PIPE_SET || take_variable(r, &op->variable, &op->value);
}

static bool read_rule(struct mach_pipe_reader *r)
{
    struct mach_pipe *pipe = r->pipe;
    if (is_full(r, pipe->rule_count, MACH_PIPE_LINES, "lines `on`"))
        return false;
    struct mach_pipe_rule *rule = &pipe->rules[pipe->rule_count];
    *rule = (struct mach_pipe_rule){.span = r->words.list[0].span};
    if (!take_match(r, &rule->match) || !words_take(&r->words, ":"))
        return false;
    while (!words_are_at_end(&r->words)) {
        if (rule->count > 0 && !words_take(&r->words, ";"))
            return false;
        struct span place = words_here(&r->words)->span;
        if (is_full(r, rule->count, MACH_PIPE_OPS, "operations in a line") ||
            !take_operation(r, &rule->ops[rule->count]))
            return false;
        r->places.ops[pipe->rule_count][rule->count] = place;
        rule->count++;
    }
    pipe->rule_count++;
    return true;
}

/* ---- Lines ---- */

#define STATEMENTS(X)            \
    X("stage", read_stage)       \
    X("durable", read_durable)   \
    X("variable", read_variable) \
    X("bypass", read_bypass)     \
    X("view", read_view) X("isolate", read_isolate) X("redo", read_redo) X("on", read_rule)

const char *const mach_pipe_statements[] = {STATEMENTS(TABLE_FIRST)};
const uint32_t mach_pipe_statement_count = COUNT(mach_pipe_statements);

static bool (*const readers[])(struct mach_pipe_reader *) = {STATEMENTS(TABLE_SECOND)};

struct mach_pipe_reader *mach_pipe_reader_new(struct arena *arena, const struct source *source,
                                              struct diag *diag)
{
    struct mach_pipe_reader *r = ARENA_NEW(arena, struct mach_pipe_reader);
    r->arena = arena;
    r->diag = diag;
    r->words = (struct mach_words){.arena = arena, .source = source, .diag = diag};
    r->errors = diag->errors;
    r->pipe = ARENA_NEW(arena, struct mach_pipe);
    r->last_tag = &r->pipe->tags;
    r->places.source = source;
    return r;
}

void mach_pipe_read(struct mach_pipe_reader *r, uint32_t statement, const char *text, size_t length,
                    uint32_t number)
{
    BASE_CHECK(statement < COUNT(readers));
    r->words.line = number;
    if (!words_cut(&r->words, text, length))
        return;
    r->words.at++;
    (void)readers[statement](r); /* what is wrong is in `diag` */
}

const struct mach_pipe *mach_pipe_finish(struct mach_pipe_reader *r, uint32_t entries)
{
    r->pipe->entries = entries;
    EACH_IN (struct mach_pipe_way, view, r->pipe->views)
        if (view->stage == UINT8_MAX)
            view->stage = (uint8_t)r->pipe->stage_count;
    if (r->diag->errors == r->errors)
        mach_pipe_check(r->pipe, &r->places, r->diag);
    return r->pipe;
}
