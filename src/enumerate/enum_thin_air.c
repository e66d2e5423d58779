/* Under models that allow cycles of po and rf, what a read returns may depend on the read itself:
 * r = x; y = r  beside  s = y; x = s. No value is forced, and every value that solves the equations
 * makes an execution. The solutions are tried at the constants of the test; that none exists is
 * found when the equation is affine.
 *
 * One unknown read is guessed at a time; the values that follow are learned along rf,
 * until every read is known. The guess stands when the write it reads from comes to
 * the guessed value. Before guessing, the read's value is followed once around its
 * cycle as k*v + c: if k*v + c = v has no solution modulo the width of the type, the
 * execution does not exist. */
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
    return read == t->guessed ? (struct affine){true, 1, 0} : affine_of_source(t, read);
}

/* (k - 1) * v = -c modulo 2^width: solvable when c is a multiple of the greatest power
 * of two that divides k - 1 and the modulus. */
static bool certainly_unsolvable(struct enum_search *s, uint32_t read)
{
    const struct ev *event = &s->skeleton->events[read];
    enum lit_type type = s->skeleton->program->locations[event->location].type;
    struct thin_air t = {.search = s, .guessed = read, .type = type};
    struct affine around = affine_of_source(&t, read);
    if (!around.valid)
        return false;
    uint64_t mask = type == LIT_INT || type == LIT_UINT ? UINT32_MAX : UINT64_MAX;
    uint64_t slope = (around.k - 1) & mask, rest = around.c & mask;
    uint64_t step = slope & (~slope + 1); /* lowest bit of the slope, 0 when it is 0 */
    return step ? (rest & (step - 1)) != 0 : rest != 0;
}

static uint32_t first_unknown(const struct enum_search *s)
{
    for (uint32_t i = 0; i < s->skeleton->read_count; i++)
        if (!s->known[enum_value_number(s, s->skeleton->reads[i])])
            return s->skeleton->reads[i];
    return LIT_NONE;
}

static void guess(struct enum_search *s, uint32_t read, int64_t value)
{
    uint32_t number = enum_value_number(s, read);
    size_t before = s->learned.count;
    int64_t comes_to;
    s->values[number] = lit_value_wrap(
        s->skeleton->program->locations[s->skeleton->events[read].location].type, value);
    s->known[number] = true;
    VEC_PUSH(&s->learned, number);
    enum_learn_values(s);
    if (enum_constraints_hold(s)) {
        bool closed = enum_write_value(s, s->source[read], &comes_to);
        if (closed && comes_to == s->values[number]) {
            if (first_unknown(s) == LIT_NONE)
                enum_leaf(s);
            else
                enum_thin_air(s);
        }
    }
    enum_forget_values(s, before);
}

/* Flags and undefined behaviour are a matter of relations: they are the same for all
 * solutions of one witness, found or not. */
static bool would_be_reported(const struct enum_search *s)
{
    const struct cat_model *model = s->state->request->model;
    for (uint32_t c = 0; c < model->check_count; c++) {
        const struct cat_check *check = &model->checks[c];
        if (check->kind != CAT_CHECK && cat_eval_holds(s->eval, check) == (check->kind == CAT_FLAG))
            return true;
    }
    return false;
}

void enum_thin_air(struct enum_search *s)
{
    uint32_t read = first_unknown(s);
    if (certainly_unsolvable(s, read))
        return;
    bool *doubts = s->state->outcome->doubts;
    doubts[OUTCOME_DOUBT_THIN_AIR] = true;
    if (would_be_reported(s))
        doubts[OUTCOME_DOUBT_THIN_AIR_FLAG] = true;
    for (uint32_t i = 0; i < s->state->constant_count && !enum_out_of_time(s->state); i++)
        guess(s, read, s->state->constants[i]);
}
