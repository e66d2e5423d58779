/* place_rendezvous: of each scope and kind of barrier, pairs of work-items that meet there. */
#include "place/place_rendezvous.h"

#include "engine/engine.h"
#include "place/place_align.h"
#include "place/place_frame.h"
#include "session/session_case.h"

#include <stdlib.h>

struct finding {
    struct place_asker *asker;
    const struct sketch *sketch;
    const struct place_frame *frame;
    struct ev_waits waits;
    enum lit_instr_op op; /* of the barriers at hand */
    enum lit_scope scope;
    VEC(struct place_balance) balances;
    VEC(struct place_term) terms;
    int32_t excess;
};

/* ---- Barriers of a work-item ---- */

static bool is_of_class(const struct finding *f, const struct lit_instr *instr)
{
    return instr && instr->op == f->op && instr->exec_scope == f->scope && !instr->label &&
           place_is_pure(instr);
}

/* Is it executed once, in every run that comes to an end? */
static bool is_on_trunk(const struct lit_thread *thread, uint32_t at)
{
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *jump = &thread->code[i];
        if (jump->op == LIT_AWAIT && jump->begin <= at && at < jump->target)
            return false;
        if (lit_instruction_jumps(jump->op) && (i < at ? jump->target > at : jump->target <= at))
            return false;
    }
    return true;
}

/* Which values of its only choice make the instruction one of the barriers? */
static uint64_t values_of(const struct finding *f, const struct place_slot *slot)
{
    uint64_t values = 0;
    for (uint32_t v = 0; v < f->sketch->choices[slot->choices[0]].value_count; v++) {
        const struct place_variant *variant = &slot->variants[v];
        values |= (uint64_t)(variant->presence == PLACE_PRESENT && is_of_class(f, variant->instr))
                  << v;
    }
    return values;
}

static bool may_be_barrier(const struct finding *f, const struct lit_instr *instr)
{
    return place_is_pure(instr) || is_of_class(f, instr);
}

/* False: how many there are is a matter of the run, or of several choices at once. */
static bool add_terms(struct finding *f, uint32_t number, bool other)
{
    const struct lit_thread *thread = &f->frame->program.threads[number];
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct place_slot *slot = &f->frame->slots[number][i];
        struct place_term term = {.other = other};
        if (!may_be_barrier(f, &thread->code[i]))
            continue;
        if (slot->choice_count > 1)
            return false;
        if (slot->choice_count == 1) {
            term.dimension = slot->choices[0];
            term.counted = values_of(f, slot);
        }
        bool is_there = !slot->choice_count && is_of_class(f, &thread->code[i]);
        if ((is_there || term.counted) && !is_on_trunk(thread, i))
            return false;
        f->excess += is_there ? (other ? -1 : 1) : 0;
        if (term.counted)
            VEC_PUSH(&f->terms, term);
    }
    return true;
}

static int by_dimension(const void *a, const void *b)
{
    const struct place_term *x = a, *y = b;
    return (x->dimension > y->dimension) - (x->dimension < y->dimension);
}

static void balance(struct finding *f, uint32_t a, uint32_t b)
{
    struct place_balance found = {0};
    f->terms.count = 0;
    f->excess = 0;
    if (!add_terms(f, a, false) || !add_terms(f, b, true) || !f->terms.count)
        return;
    qsort(f->terms.items, f->terms.count, sizeof *f->terms.items, by_dimension);
    found.count = (uint32_t)f->terms.count;
    found.terms =
        arena_copy(f->asker->arena, f->terms.items, f->terms.count * sizeof *f->terms.items);
    found.excess = f->excess;
    for (uint32_t k = 0; k < found.count; k++)
        found.others += found.terms[k].other;
    VEC_PUSH(&f->balances, found);
}

/* ---- Who meets whom ---- */

static bool waits(const struct finding *f)
{
    const struct ev_meeting meeting = {.kind = (enum ev_kind)ev_kind_of(f->op), .scope = f->scope};
    return ev_meeting_waits(&f->waits, &meeting);
}

static void balance_class(struct finding *f)
{
    const struct lit_program *program = &f->frame->program;
    for (uint32_t b = 1; waits(f) && b < program->thread_count; b++)
        for (uint32_t a = b; a-- > 0;)
            if (lit_same_instance(&program->threads[a], &program->threads[b], f->scope)) {
                balance(f, a, b);
                break;
            }
}

static bool fits_all(const struct finding *f)
{
    return !ANY(c, f->sketch->choice_count,
                f->frame->fits[c] != place_all_values(f->sketch->choices[c].value_count));
}

static void find_in_frame(struct finding *f)
{
    static const enum lit_instr_op ops[] = {LIT_BARRIER, LIT_PBARRIER};
    if (!fits_all(f))
        return;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (enum lit_scope scope = LIT_SCOPE_SG; scope < LIT_SCOPE_COUNT; scope++) {
            f->op = ops[i];
            f->scope = scope;
            balance_class(f);
        }
}

/* ---- Files ---- */

static void find_waits(struct finding *f, const struct session_case *asked)
{
    const struct engine_request request = session_case_request(asked);
    SCOPED(arena) scratch = {0};
    place_frame_waits(&scratch, f->frame, &request, &f->waits);
}

static void find_in_file(struct finding *f, uint32_t file)
{
    const struct place_question *question = f->asker->question;
    struct sketch_filling smallest = {{0}}, base;
    struct session_test test;
    if (place_read(f->asker, &smallest, file, &test) && test.program->thread_count > 1) {
        const struct session_case asked =
            session_case_begin(&f->asker->settings, question->model, test.program, question->parts);
        struct place_frame *frame =
            place_frame_base(f->asker, &smallest, file, false, &asked.clock, &base)
                ? place_frame_new(f->asker, &base, file, false, &asked.clock)
                : NULL;
        if (frame) {
            VEC_PUSH(&f->asker->frames, frame);
            f->frame = frame;
            find_waits(f, &asked);
            find_in_frame(f);
        }
    }
    session_test_fini(&test);
}

const struct place_balance *place_rendezvous(struct place_asker *asker, uint32_t *count)
{
    struct finding f = {.asker = asker, .sketch = asker->question->sketch};
    for (uint32_t file = 0; file < f.sketch->given_count && f.sketch->choice_count > 0; file++)
        find_in_file(&f, file);
    *count = (uint32_t)f.balances.count;
    const struct place_balance *balances = VEC_KEEP(asker->arena, &f.balances);
    VEC_FREE(&f.balances);
    VEC_FREE(&f.terms);
    return balances;
}
