#include "engine/agree.h"

#include <string.h>

struct comparison {
    const struct outcome *sides[2];
    const struct lit_program *program;
    struct agreement *result;
    bool has_open; /* some condition was not held against the other side's, or there is none */
};

static void add_difference(struct comparison *c, const struct agree_difference *difference)
{
    if (difference->count)
        c->result->differences[c->result->count++] = *difference;
}

/* ---- Completeness ----------------------------------------------------------------------- */

/* The first doubt that is the engine's own, not a bound of the question; NULL: complete. */
static const char *own_doubt(const struct outcome *outcome,
                             const char *text(const struct outcome *))
{
    struct outcome own = {0};
    memcpy(own.doubts, outcome->doubts, sizeof own.doubts);
    memcpy(own.recovery_doubts, outcome->recovery_doubts, sizeof own.recovery_doubts);
    own.doubts[OUTCOME_DOUBT_UNROLL] = own.doubts[OUTCOME_DOUBT_LENGTH] = false;
    own.recovery_doubts[OUTCOME_DOUBT_UNROLL] = own.recovery_doubts[OUTCOME_DOUBT_LENGTH] = false;
    own.recovery_doubts[OUTCOME_DOUBT_ROUNDS] = false;
    return text(&own);
}

/* ---- States ----------------------------------------------------------------------------- */

static uint32_t nonzero_values(const struct outcome_states *states, const int64_t *row)
{
    return COUNT_IF(i, states->width, row[i] != 0);
}

static bool is_smaller(const struct outcome_states *states, const int64_t *a, const int64_t *b)
{
    uint32_t more_a = nonzero_values(states, a), more_b = nonzero_values(states, b);
    if (more_a != more_b)
        return more_a < more_b;
    return outcome_compare(states, a, b, states->width) < 0;
}

static void note_missing(const struct outcome_states *has, const int64_t *row, int owner,
                         struct agree_difference *difference)
{
    if (difference->count && !is_smaller(has, row, difference->row))
        return;
    difference->row = row;
    difference->owner = owner;
}

/* How many states a diagram has that another set lacks, and the smallest of them, NULL: it is not
 * wanted. False: that has too many nodes to be told. */
static bool look_into_product(const struct outcome_states *has, const struct outcome_states *lacks,
                              uint64_t *count, int64_t *row)
{
    struct mdd *store = mdd_like(has->product);
    mdd_node all = mdd_copy(store, has->product, has->root);
    mdd_node missing = mdd_minus(store, all, outcome_set_in(store, lacks));
    bool compared = !mdd_is_full(store);
    *count = compared ? mdd_count(store, missing) : 0;
    if (*count && row)
        mdd_smallest(store, missing, row);
    mdd_free(store);
    return compared;
}

static bool note_missing_rows(const struct outcome_states *has, const struct outcome_states *lacks,
                              int owner, struct agree_difference *difference)
{
    int64_t *row = mdd_room(has->product);
    uint64_t count;
    bool compared = look_into_product(has, lacks, &count, row);
    if (count)
        note_missing(has, row, owner, difference);
    if (__builtin_add_overflow(difference->count, count, &difference->count))
        difference->count = SIZE_MAX;
    return compared;
}

/* Whether it could be told. */
static bool look_for_missing(const struct outcome_states *has, const struct outcome_states *lacks,
                             int owner, struct agree_difference *difference)
{
    if (has->product)
        return note_missing_rows(has, lacks, owner, difference);
    for (size_t i = 0; i < has->count; i++) {
        const int64_t *row = outcome_row(has, i);
        if (outcome_has_state(lacks, row))
            continue;
        note_missing(has, row, owner, difference);
        difference->count++;
    }
    return true;
}

bool agree_find_missing(const struct outcome_states *has, const struct outcome_states *lacks,
                        struct agree_difference *difference)
{
    return look_for_missing(has, lacks, 0, difference);
}

const struct outcome_states *agree_states(const struct outcome *outcome, enum agree_aspect aspect)
{
    switch (aspect) {
    case AGREE_CRASH: return &outcome->crash;
    case AGREE_RECOVERED: return &outcome->recovered;
    case AGREE_RECOVERY: return &outcome->recoveries;
    case AGREE_RESTART: return &outcome->restarts;
    case AGREE_LIVELOCK: return &outcome->livelocks;
    default: return &outcome->final;
    }
}

typedef const char *doubt_text(const struct outcome *outcome);

/* What is known of recovery may be in doubt where what stands before it is not. */
static doubt_text *doubt_of(enum agree_aspect aspect)
{
    return aspect == AGREE_FINAL || aspect == AGREE_CRASH ? outcome_doubt : outcome_recovery_doubt;
}

static void compare_states(struct comparison *c, enum agree_aspect aspect)
{
    struct agree_difference difference = {.aspect = aspect};
    for (int owner = 0; owner < 2; owner++)
        if (!own_doubt(c->sides[!owner], doubt_of(aspect)) &&
            !agree_states(c->sides[!owner], aspect)->full &&
            !look_for_missing(agree_states(c->sides[owner], aspect),
                              agree_states(c->sides[!owner], aspect), owner, &difference))
            c->result->reasons[!owner] = OUTCOME_TOO_MANY_NODES;
    add_difference(c, &difference);
}

/* ---- Undefined behaviour and flags ------------------------------------------------------ */

/* A check about cycles has many pairs of neighbours to name, in many executions: that it fails is
 * all there is to agree on. */
static bool matches(const struct outcome_undefined *a, const struct outcome_undefined *b)
{
    return outcome_same_undefined(a, b) ||
           (a->of_cycle && b->of_cycle && a->kind == b->kind && strcmp(a->name, b->name) == 0);
}

static bool has_undefined(const struct outcome *outcome, const struct outcome_undefined *wanted)
{
    return ANY(i, outcome->undefined.count, matches(&outcome->undefined.items[i], wanted));
}

static void compare_undefined(struct comparison *c)
{
    struct agree_difference difference = {.aspect = AGREE_UNDEFINED};
    for (int owner = 0; owner < 2; owner++) {
        const struct outcome *has = c->sides[owner], *lacks = c->sides[!owner];
        for (size_t i = 0; i < has->undefined.count && !own_doubt(lacks, outcome_flag_doubt); i++)
            if (!has_undefined(lacks, &has->undefined.items[i]) && difference.count++ == 0) {
                difference.undefined = &has->undefined.items[i];
                difference.owner = owner;
            }
    }
    add_difference(c, &difference);
}

static void compare_flags(struct comparison *c)
{
    struct agree_difference difference = {.aspect = AGREE_FLAG};
    for (int owner = 0; owner < 2; owner++) {
        const struct outcome *has = c->sides[owner], *lacks = c->sides[!owner];
        for (size_t i = 0; i < has->flags.count && !own_doubt(lacks, outcome_flag_doubt); i++)
            if (!outcome_has_flag(lacks, has->flags.items[i]) && difference.count++ == 0) {
                difference.flag = has->flags.items[i];
                difference.owner = owner;
            }
    }
    add_difference(c, &difference);
}

/* ---- Verdicts --------------------------------------------------------------------------- */

/* That there are no states is no doubt. */
static bool is_open(const struct outcome_judgement *judgement)
{
    return judgement->verdict == LIT_UNKNOWN && !judgement->vacuous;
}

static bool is_same(const struct outcome_judgement *judgements)
{
    return judgements[0].vacuous == judgements[1].vacuous &&
           (judgements[0].vacuous || judgements[0].verdict == judgements[1].verdict);
}

/* A witness decides a condition for an engine with doubts, which may yet have missed
 * that the test is undefined, or recovery a livelock. */
static bool is_excused(const struct comparison *c, const struct outcome_judgement *judgements)
{
    if (is_open(&judgements[0]) || is_open(&judgements[1]))
        return true;
    for (int side = 0; side < 2; side++) {
        enum lit_verdict other = judgements[!side].verdict;
        if ((other == LIT_UNDEFINED || other == LIT_ERROR) &&
            own_doubt(c->sides[side], outcome_flag_doubt))
            return true;
    }
    return false;
}

/* Who only decides looks for no other fault once something is undefined. */
static bool is_found_by_list(const struct comparison *c, const struct lit_condition *condition,
                             const struct outcome_judgement *judgements)
{
    for (int side = 0; side < 2; side++)
        if (c->sides[side]->decided && lit_asks_fault(condition) &&
            judgements[side].verdict == LIT_UNDEFINED && judgements[!side].verdict == LIT_VIOLATED)
            return true;
    return false;
}

static void compare_verdicts(struct comparison *c)
{
    struct agree_difference difference = {.aspect = AGREE_VERDICT};
    for (uint32_t i = 0; i < c->program->condition_count; i++) {
        struct outcome_judgement judgements[2];
        for (int side = 0; side < 2; side++)
            judgements[side] =
                outcome_judge(c->sides[side], c->program, &c->program->conditions[i]);
        const bool same = is_same(judgements),
                   excused = is_excused(c, judgements) ||
                             is_found_by_list(c, &c->program->conditions[i], judgements);
        c->has_open |= same ? is_open(&judgements[0]) : excused;
        if (same || excused || difference.count++)
            continue;
        difference.condition = i;
        for (int side = 0; side < 2; side++)
            difference.verdicts[side] = judgements[side].verdict;
    }
    add_difference(c, &difference);
}

/* A bound that only one engine met leaves nothing to compare its `unknown` with. */
static const char *reason(const struct outcome *outcome, const struct outcome *other)
{
    const char *own = own_doubt(outcome, outcome_recovery_doubt);
    return own || outcome_recovery_doubt(other) ? own : outcome_recovery_doubt(outcome);
}

/* What recovery makes of crash states that are no list is kept, but not state by state. */
static bool is_kept(const struct outcome *outcome, enum agree_aspect aspect)
{
    return (aspect != AGREE_RECOVERY && aspect != AGREE_LIVELOCK) || !outcome->crash.product;
}

struct agreement agree_compare(const struct outcome *a, const struct outcome *b,
                               const struct lit_program *program, bool decided)
{
    struct agreement result = {.reasons = {reason(a, b), reason(b, a)}};
    struct comparison c = {{a, b}, program, &result, program->condition_count == 0};
    if (!decided) {
        for (int aspect = AGREE_FINAL; aspect <= AGREE_LIVELOCK; aspect++)
            if (is_kept(a, (enum agree_aspect)aspect) && is_kept(b, (enum agree_aspect)aspect))
                compare_states(&c, (enum agree_aspect)aspect);
        compare_undefined(&c);
        compare_flags(&c);
    }
    compare_verdicts(&c);
    if (decided && !c.has_open)
        result.reasons[0] = result.reasons[1] = NULL;
    return result;
}

const char *agree_aspect_text(enum agree_aspect aspect)
{
    static const char *const texts[] = {AGREE_ASPECTS(TABLE_SECOND)};
    return texts[aspect];
}

/* ---- Containment ------------------------------------------------------------------------ */

/* SIZE_MAX: that is not known. A row that was noted before stays. */
static size_t count_missing(const struct outcome_states *has, const struct outcome_states *lacks)
{
    struct agree_difference difference = {.count = 0};
    uint64_t count;
    if (has->product)
        return look_into_product(has, lacks, &count, NULL) ? count : SIZE_MAX;
    return look_for_missing(has, lacks, 0, &difference) ? difference.count : SIZE_MAX;
}

static void add_outside(struct containment *result, const struct agree_difference *difference)
{
    if (difference->count)
        result->differences[result->count++] = *difference;
}

/* Whether it could be told. */
static bool contain_states(struct containment *result, const struct outcome *model,
                           const struct outcome *machine, enum agree_aspect aspect)
{
    struct agree_difference difference = {.aspect = aspect};
    bool told = look_for_missing(agree_states(machine, aspect), agree_states(model, aspect), 1,
                                 &difference);
    add_outside(result, &difference);
    return told;
}

/* Did a state decide the condition, so that no other can change the verdict? */
static bool is_witnessed(enum lit_verdict verdict, const struct lit_condition *condition)
{
    return verdict == (condition->quantifier == LIT_EXISTS ? LIT_OK : LIT_VIOLATED);
}

static void contain_verdicts(struct containment *result, const struct outcome *model,
                             const struct outcome *machine, const struct lit_program *program)
{
    struct agree_difference difference = {.aspect = AGREE_VERDICT};
    for (uint32_t i = 0; i < program->condition_count; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        enum lit_verdict verdicts[2] = {outcome_judge(model, program, condition).verdict,
                                        outcome_judge(machine, program, condition).verdict};
        if (is_witnessed(verdicts[1], condition) && verdicts[0] != verdicts[1] &&
            difference.count++ == 0) {
            difference.condition = i;
            memcpy(difference.verdicts, verdicts, sizeof verdicts);
        }
    }
    add_outside(result, &difference);
}

struct containment agree_contain(const struct outcome *model, const struct outcome *machine,
                                 const struct lit_program *program, bool decided)
{
    struct containment result = {.answer = CONTAIN_HELD};
    const char *doubt = outcome_recovery_doubt(model), *lacks = outcome_recovery_doubt(machine);
    if (model->undefined.count) {
        result.answer = CONTAIN_UNDEFINED;
        return result;
    }
    if (decided) {
        contain_verdicts(&result, model, machine, program);
    } else {
        for (int aspect = AGREE_FINAL; aspect <= AGREE_RESTART; aspect++)
            if (is_kept(model, (enum agree_aspect)aspect) &&
                !contain_states(&result, model, machine, (enum agree_aspect)aspect))
                lacks = OUTCOME_TOO_MANY_NODES;
    }
    if (result.count && doubt)
        result = (struct containment){.answer = CONTAIN_PARTLY, .reason = doubt};
    else if (result.count)
        result.answer = CONTAIN_OUTSIDE;
    else if (lacks)
        result = (struct containment){.answer = CONTAIN_PARTLY, .reason = lacks};
    result.is_counted = !decided && !doubt && !lacks;
    if (result.is_counted) {
        result.never_crash = count_missing(&model->crash, &machine->crash);
        result.never_final = count_missing(&model->final, &machine->final);
        result.is_counted = result.never_crash < SIZE_MAX && result.never_final < SIZE_MAX;
    }
    return result;
}

const char *agree_contain_text(enum contain_answer answer)
{
    static const char *const texts[] = {"contained", "outside", "undefined", "partly"};
    return texts[answer];
}
