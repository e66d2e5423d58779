/* Self-justifying values: under models that allow cycles of po and rf, what a read returns may
 * depend on the read itself: r = x; y = r beside s = y; x = s. No value is forced, and every value
 * that solves the equations makes an execution. An affine equation with few solutions is solved;
 * for others the constants of the test are tried.
 *
 * One unknown read is guessed at a time, and with it every read of the same write. Values that
 * follow are learned along rf until every read is known. A guess is right when the write comes to
 * the guessed value. Before a guess, the read's value is followed once around its cycle as k*v + c.
 * Then k*v + c = v is solved modulo the width of the type. */
#include "enumerate/enum_search.h"

/* k*v + c modulo 2^64 of the value guessed; `valid` false when it is not of that form. */
struct affine {
    bool valid;
    uint64_t k, c;
};

struct thin_air {
    struct enum_search *search;
    uint32_t guessed;   /* the read */
    enum lit_type type; /* of its location: all of the cycle must have it */
    uint32_t depth, steps;
};

/* A value that takes a read many times is followed as often: both ends are bounded. */
enum { CYCLE_LIMIT = 64, STEP_LIMIT = 1 << 16 };

static struct affine affine_of_read(struct thin_air *t, uint32_t read);

static struct affine affine_of(struct thin_air *t, uint32_t thread, const struct exec_value *value)
{
    struct affine none = {false, 0, 0};
    struct exec_reads reads = enum_reads_of(t->search, thread);
    int64_t known;
    if (exec_value_get(value, &reads, &known))
        return (struct affine){true, 0, (uint64_t)known};
    if (value->type != t->type || ++t->steps > STEP_LIMIT)
        return none;
    if (value->op == LIT_OP_REG)
        return affine_of_read(t, t->search->skeleton->first[thread] + value->read);
    if (value->op != LIT_OP_ADD && value->op != LIT_OP_SUB && value->op != LIT_OP_MUL)
        return none;
    struct affine a = affine_of(t, thread, value->a), b = affine_of(t, thread, value->b);
    if (!a.valid || !b.valid)
        return none;
    if (value->op == LIT_OP_ADD)
        return (struct affine){true, a.k + b.k, a.c + b.c};
    if (value->op == LIT_OP_SUB)
        return (struct affine){true, a.k - b.k, a.c - b.c};
    if (a.k && b.k)
        return none;
    return (struct affine){true, a.k * b.c + b.k * a.c, a.c * b.c};
}

static struct affine affine_of_source(struct thin_air *t, uint32_t read)
{
    uint32_t write = t->search->source[read];
    const struct ev *event = &t->search->skeleton->events[write];
    struct affine result = {false, 0, 0};
    if (++t->depth <= CYCLE_LIMIT)
        result = affine_of(t, event->init ? 0 : event->thread, event->value);
    t->depth--;
    return result;
}

static struct affine affine_of_read(struct thin_air *t, uint32_t read)
{
    const uint32_t *source = t->search->source;
    return source[read] == source[t->guessed] ? (struct affine){true, 1, 0}
                                              : affine_of_source(t, read);
}

/* All solutions of an equation: `first`, and from there on in equal steps. */
struct solutions {
    bool known; /* they are few, or there are none */
    uint32_t count;
    uint64_t first, step;
};

enum { SOLUTION_BITS = 4, MOST_SOLUTIONS = 1 << SOLUTION_BITS };

/* The number whose product with an odd one is 1 modulo 2^64: each step doubles the bits that are
 * right, of which there are three to begin with. */
static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int bits = 3; bits < 64; bits *= 2)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* slope * v = rest modulo 2^width. With slope = odd * 2^t there is no solution unless 2^t divides
 * the rest; else v is known but for its t highest bits. */
static struct solutions solve(uint64_t slope, uint64_t rest, uint32_t width)
{
    uint64_t mask = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
    slope &= mask;
    rest &= mask;
    uint32_t t = slope ? (uint32_t)__builtin_ctzll(slope) : width;
    uint64_t below = t < 64 ? (UINT64_C(1) << t) - 1 : UINT64_MAX;
    if (rest & below)
        return (struct solutions){.known = true};
    if (t > SOLUTION_BITS)
        return (struct solutions){.known = false};
    uint64_t step = width - t < 64 ? UINT64_C(1) << (width - t) : 0;
    uint64_t first = ((rest >> t) * inverse_of(slope >> t)) & (step - 1);
    return (struct solutions){true, 1u << t, first, step};
}

/* The values of the read for which its source writes the same value. */
static struct solutions solutions_of(struct enum_search *s, uint32_t read)
{
    BASE_ASSERT(read < s->dim.n);
    const struct ev *event = &s->skeleton->events[read];
    enum lit_type type = s->skeleton->program->locations[event->location].type;
    struct thin_air t = {.search = s, .guessed = read, .type = type};
    struct affine around = affine_of_source(&t, read);
    if (!around.valid)
        return (struct solutions){.known = false};
    return solve(around.k - 1, -around.c, lit_type_bits(type));
}

static uint32_t first_unknown(const struct enum_search *s)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        if (!s->known[enum_value_number(s, s->skeleton->reads[i])])
            return s->skeleton->reads[i];
    return LIT_NONE;
}

/* All that read the same write. */
static void assume(struct enum_search *s, uint32_t source, enum lit_type type, int64_t value)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++) {
        uint32_t read = s->skeleton->reads[i], number = enum_value_number(s, read);
        if (s->source[read] != source || s->known[number])
            continue;
        s->values[number] = lit_value_wrap(type, value);
        s->known[number] = true;
        VEC_PUSH(&s->learned, number);
    }
}

/* Whether it could be told if the value is a solution. */
static bool guess(struct enum_search *s, uint32_t read, int64_t value)
{
    BASE_ASSERT(read < s->dim.n);
    size_t before = s->learned.count;
    int64_t comes_to;
    bool told = true;
    assume(s, s->source[read],
           s->skeleton->program->locations[s->skeleton->events[read].location].type, value);
    enum_learn_values(s);
    if (enum_constraints_hold(s)) {
        told = enum_write_value(s, s->source[read], &comes_to);
        if (told && comes_to == s->values[enum_value_number(s, read)]) {
            if (first_unknown(s) == LIT_NONE)
                enum_leaf(s);
            else
                enum_thin_air(s);
        }
    }
    enum_forget_values(s, before);
    return told;
}

/* Would an execution report a new flag, or undefined behaviour by a check? All solutions of one
 * witness, found or not, have the same relations, so the answer is the same for all of them. */
static bool would_be_reported(const struct enum_search *s, enum cat_check_kind kind)
{
    const struct cat_model *model = s->state->request->model;
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        if (check->kind == kind && cat_eval_holds(s->eval, check) == (kind == CAT_FLAG) &&
            !outcome_has_flag(s->state->outcome, check->name))
            return true;
    }
    return false;
}

/* How the work-items end may be undefined as well, or hide what is. */
static bool may_be_undefined(const struct enum_search *s)
{
    return would_be_reported(s, CAT_UNDEFINED_UNLESS) ||
           exec_skeleton_ended(s->skeleton, EXEC_AT_FAULT) != LIT_NONE ||
           exec_skeleton_ended(s->skeleton, EXEC_AT_BARRIER) != LIT_NONE ||
           exec_skeleton_ended(s->skeleton, EXEC_AT_BOUND) != LIT_NONE;
}

/* Not all solutions were tried. */
static void doubt(const struct enum_search *s)
{
    struct outcome *outcome = s->state->outcome;
    outcome->doubts[OUTCOME_DOUBT_THIN_AIR] = true;
    outcome->doubts[OUTCOME_DOUBT_FLAGS] |= would_be_reported(s, CAT_FLAG);
    outcome->doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE] |= may_be_undefined(s);
    outcome->recovery_doubts[OUTCOME_DOUBT_THIN_AIR_FAILURE] |=
        s->state->request->program->recovery_count > 0;
}

void enum_thin_air(struct enum_search *s)
{
    uint32_t read = first_unknown(s);
    const struct solutions all = solutions_of(s, read);
    bool told = all.known;
    for (uint32_t i = 0; i < all.count && !enum_out_of_time(s->state); i++)
        told &= guess(s, read, (int64_t)(all.first + i * all.step));
    if (told)
        return;
    for (uint32_t i = 0; i < s->state->constant_count && !enum_out_of_time(s->state); i++)
        (void)guess(s, read, s->state->constants[i]);
    doubt(s);
}
