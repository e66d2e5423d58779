/* place_frame: first the base, in which each choice has its last value where the filling's program
 * is a part of that; then each value of each choice alone; then combinations. */
#include "place/place_frame.h"

#include "place/place_align.h"

#include <string.h>

struct framing {
    const struct place_asker *asker;
    const struct sketch *sketch;
    const struct clock_limit *clock;
    struct place_frame *frame;
    bool interplay;                /* a slot was found to be touched by further choices */
    bool **touches;                /* per thread and instruction, per choice */
    struct place_variant ***alone; /* likewise, of what it touches: by its value, all else as in the
                                      base */
    const char **tags;             /* of the frame's program */
    struct arena scratch;
};

void place_frame_waits(struct arena *arena, const struct place_frame *frame,
                       const struct engine_request *request, struct ev_waits *waits)
{
    struct lit_instr *code = ARENA_ARRAY(arena, struct lit_instr, LIT_SCOPE_COUNT);
    struct lit_thread thread = frame->program.threads[0];
    struct lit_program program = frame->program;
    struct engine_request asked = *request;
    *waits = (struct ev_waits){{{false}}};
    for (uint32_t scope = 0; scope < LIT_SCOPE_COUNT; scope++)
        code[scope] = (struct lit_instr){.op = LIT_PBARRIER,
                                         .scope = (enum lit_scope)scope,
                                         .exec_scope = (enum lit_scope)scope};
    thread.code = code;
    thread.code_count = LIT_SCOPE_COUNT;
    program.threads = &thread;
    program.thread_count = 1;
    program.recovery_count = 0;
    asked.program = &program;
    engine_find_waiting(arena, &asked, waits);
}

struct lit_program place_part(const struct lit_program *program, bool recovery)
{
    return recovery ? lit_recovery_program(program) : *program;
}

/* ---- Tags ---- */

/* The bit of a tag in the frame's program; 0: it has too many. */
static uint64_t tag_bit(struct framing *f, const char *name)
{
    struct lit_program *program = &f->frame->program;
    uint64_t bit = lit_program_tag(program, name);
    if (bit || program->tag_count == LIT_MAX_TAGS)
        return bit;
    f->tags[program->tag_count] = arena_strdup(&f->frame->arena, name);
    return UINT64_C(1) << program->tag_count++;
}

static bool translate_tags(struct framing *f, const struct lit_program *of, uint64_t mask,
                           uint64_t *out)
{
    *out = 0;
    for (uint32_t i = 0; i < of->tag_count; i++)
        if (mask >> i & 1) {
            uint64_t bit = tag_bit(f, of->tags[i]);
            *out |= bit;
            if (!bit)
                return false;
        }
    return true;
}

/* ---- Readings ---- */

struct reading {
    struct session_test test;
    struct lit_program program;
    const struct lit_instr *const *const *pairs; /* NULL: it is no part of the base */
};

static void read_part(struct framing *f, const struct sketch_filling *filling,
                      struct reading *reading)
{
    *reading = (struct reading){.pairs = NULL};
    if (!place_read(f->asker, filling, f->frame->file, &reading->test))
        return;
    reading->program = place_part(reading->test.program, f->frame->recovery);
    if (place_starts_alike(&f->frame->program, &reading->program))
        reading->pairs = place_align(&f->scratch, &f->frame->program, &reading->program);
}

static void forget(struct reading *reading)
{
    session_test_fini(&reading->test);
}

/* The base's instruction as it is in a reading. */
static struct place_variant variant_of(struct framing *f, const struct lit_program *of,
                                       const struct lit_instr *base, const struct lit_instr *instr)
{
    struct lit_instr *variant;
    if (!instr)
        return (struct place_variant){PLACE_ABSENT, NULL};
    if (!text_same(base->label, instr->label)) /* labels are told apart by their pointers */
        return (struct place_variant){PLACE_NOT_READ, NULL};
    variant = arena_copy(&f->frame->arena, base, sizeof *base);
    variant->op = instr->op;
    variant->order = instr->order;
    variant->fail_order = instr->fail_order;
    variant->scope = instr->scope;
    variant->exec_scope = instr->exec_scope;
    variant->spaces = instr->spaces;
    variant->nonatomic = instr->nonatomic;
    variant->unscoped = instr->unscoped;
    if (!translate_tags(f, of, instr->tags, &variant->tags))
        return (struct place_variant){PLACE_NOT_READ, NULL};
    return (struct place_variant){PLACE_PRESENT, variant};
}

/* ---- The base ---- */

struct basing {
    const struct place_asker *asker;
    uint32_t file;
    bool recovery;
};

/* Is a filling's program a part of another one's? */
static bool is_part(const struct basing *b, const struct sketch_filling *filling,
                    const struct sketch_filling *larger)
{
    struct session_test part = {.names = NULL}, whole = {.names = NULL};
    SCOPED(arena) scratch = {0};
    bool is = place_read(b->asker, filling, b->file, &part) &&
              place_read(b->asker, larger, b->file, &whole);
    if (is) {
        const struct lit_program one = place_part(part.program, b->recovery);
        const struct lit_program other = place_part(whole.program, b->recovery);
        is = place_align(&scratch, &other, &one) != NULL;
    }
    if (whole.names)
        session_test_fini(&whole);
    session_test_fini(&part);
    return is;
}

/* The greatest values at once, where that will do. */
bool place_frame_base(const struct place_asker *asker, const struct sketch_filling *filling,
                      uint32_t file, bool recovery, const struct clock_limit *clock,
                      struct sketch_filling *base)
{
    const struct sketch *sketch = asker->question->sketch;
    const struct basing basing = {asker, file, recovery};
    struct sketch_filling larger = *filling;
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        larger.value[c] = (uint8_t)(sketch->choices[c].value_count - 1);
    *base = is_part(&basing, filling, &larger) ? larger : *filling;
    for (uint32_t c = 0; c < sketch->choice_count && !clock_is_late(clock); c++) {
        larger = *base;
        larger.value[c] = (uint8_t)(sketch->choices[c].value_count - 1);
        if (larger.value[c] != base->value[c] && is_part(&basing, base, &larger))
            *base = larger;
    }
    return !clock_is_late(clock);
}

static bool read_base(struct framing *f)
{
    struct place_frame *frame = f->frame;
    if (!place_read(f->asker, &frame->base, frame->file, &frame->test))
        return false;
    frame->program = place_part(frame->test.program, frame->recovery);
    f->tags = ARENA_ARRAY(&frame->arena, const char *, LIT_MAX_TAGS);
    for (uint32_t i = 0; i < frame->program.tag_count; i++)
        f->tags[i] = frame->program.tags[i];
    frame->program.tags = f->tags;
    return true;
}

/* ---- Which choices touch what ---- */

static uint32_t code_count(const struct framing *f, uint32_t thread)
{
    return f->frame->program.threads[thread].code_count;
}

static void note_touched(struct framing *f, const struct reading *reading, uint32_t choice)
{
    for (uint32_t t = 0; t < f->frame->program.thread_count; t++)
        for (uint32_t i = 0; i < code_count(f, t); i++) {
            const struct lit_instr *instr = reading->pairs[t][i];
            bool same = instr && place_orders_alike(&f->frame->program,
                                                    &f->frame->program.threads[t].code[i],
                                                    &reading->program, instr);
            if (!same)
                f->touches[t][(size_t)i * f->sketch->choice_count + choice] = true;
        }
}

/* Of what the choice touches, by all its values. */
static void note_alone(struct framing *f, const struct reading *readings, uint32_t choice)
{
    struct place_frame *frame = f->frame;
    for (uint32_t t = 0; t < frame->program.thread_count; t++)
        for (uint32_t i = 0; i < code_count(f, t); i++) {
            size_t at = (size_t)i * f->sketch->choice_count + choice;
            uint32_t count = f->sketch->choices[choice].value_count;
            if (!f->touches[t][at])
                continue;
            f->alone[t][at] = ARENA_ARRAY(&frame->arena, struct place_variant, count);
            for (uint32_t v = 0; v < count; v++)
                if (readings[v].pairs)
                    f->alone[t][at][v] =
                        variant_of(f, &readings[v].program, &frame->program.threads[t].code[i],
                                   readings[v].pairs[t][i]);
        }
}

/* Each value of the choice alone; those that fit, as bits. */
static uint64_t touch(struct framing *f, uint32_t choice)
{
    struct reading readings[LIT_MOST_OPEN_VALUES];
    uint32_t read = 0;
    uint64_t fits = 0;
    for (; read < f->sketch->choices[choice].value_count && !clock_is_late(f->clock); read++) {
        struct sketch_filling filling = f->frame->base;
        filling.value[choice] = (uint8_t)read;
        read_part(f, &filling, &readings[read]);
        if (readings[read].pairs) {
            fits |= UINT64_C(1) << read;
            note_touched(f, &readings[read], choice);
        }
    }
    if (read == f->sketch->choices[choice].value_count)
        note_alone(f, readings, choice);
    while (read > 0)
        forget(&readings[--read]);
    return fits;
}

static void find_touched(struct framing *f)
{
    struct place_frame *frame = f->frame;
    uint64_t *fits = ARENA_ARRAY(&frame->arena, uint64_t, f->sketch->choice_count);
    frame->fits = fits;
    f->touches = ARENA_ARRAY(&f->scratch, bool *, frame->program.thread_count);
    f->alone = ARENA_ARRAY(&f->scratch, struct place_variant **, frame->program.thread_count);
    for (uint32_t t = 0; t < frame->program.thread_count; t++) {
        size_t count = (size_t)code_count(f, t) * f->sketch->choice_count;
        f->touches[t] = ARENA_ARRAY(&f->scratch, bool, count);
        f->alone[t] = ARENA_ARRAY(&f->scratch, struct place_variant *, count);
    }
    for (uint32_t c = 0; c < f->sketch->choice_count; c++)
        fits[c] = touch(f, c);
}

static uint32_t combinations_of(const struct sketch *sketch, const struct place_slot *slot)
{
    uint32_t count = 1;
    for (uint32_t k = 0; k < slot->choice_count && count <= PLACE_MOST_COMBINATIONS; k++)
        count *= sketch->choices[slot->choices[k]].value_count;
    return count;
}

static void make_slots(struct framing *f)
{
    struct place_frame *frame = f->frame;
    uint32_t width = f->sketch->choice_count;
    struct place_slot **slots =
        ARENA_ARRAY(&frame->arena, struct place_slot *, frame->program.thread_count);
    for (uint32_t t = 0; t < frame->program.thread_count; t++) {
        slots[t] = ARENA_ARRAY(&frame->arena, struct place_slot, code_count(f, t));
        for (uint32_t i = 0; i < code_count(f, t); i++) {
            uint32_t *choices = ARENA_ARRAY(&frame->arena, uint32_t, width);
            struct place_slot *slot = &slots[t][i];
            for (uint32_t c = 0; c < width; c++)
                if (f->touches[t][(size_t)i * width + c])
                    choices[slot->choice_count++] = c;
            slot->choices = choices;
            uint32_t count = combinations_of(f->sketch, slot);
            slot->variants = slot->choice_count == 1
                                 ? f->alone[t][(size_t)i * width + choices[0]]
                                 : ARENA_ARRAY(&frame->arena, struct place_variant,
                                               count > PLACE_MOST_COMBINATIONS ? 1 : count);
        }
    }
    frame->slots = slots;
}

/* ---- Variants ---- */

static uint32_t number_of(const struct sketch *sketch, const struct place_slot *slot,
                          const struct sketch_filling *filling)
{
    uint32_t number = 0;
    for (uint32_t k = 0; k < slot->choice_count; k++)
        number = number * sketch->choices[slot->choices[k]].value_count +
                 filling->value[slot->choices[k]];
    return number;
}

/* The other way round. */
static void set_values(const struct sketch *sketch, const struct place_slot *slot, uint32_t number,
                       struct sketch_filling *filling)
{
    for (uint32_t k = slot->choice_count; k-- > 0;) {
        uint32_t values = sketch->choices[slot->choices[k]].value_count;
        filling->value[slot->choices[k]] = (uint8_t)(number % values);
        number /= values;
    }
}

static bool same_choices(const struct place_slot *a, const struct place_slot *b)
{
    return a->choice_count == b->choice_count &&
           memcmp(a->choices, b->choices, a->choice_count * sizeof *a->choices) == 0;
}

/* What slots of the same choices are in this reading. */
static void note_variants(struct framing *f, const struct reading *reading,
                          const struct place_slot *like, const struct sketch_filling *filling)
{
    struct place_frame *frame = f->frame;
    for (uint32_t t = 0; t < frame->program.thread_count; t++)
        for (uint32_t i = 0; i < code_count(f, t); i++) {
            struct place_slot *slot = &frame->slots[t][i];
            if (same_choices(slot, like))
                slot->variants[number_of(f->sketch, slot, filling)] = variant_of(
                    f, &reading->program, &frame->program.threads[t].code[i], reading->pairs[t][i]);
        }
}

static bool is_variant(const struct place_frame *frame, const struct sketch *sketch,
                       uint32_t thread, uint32_t i, const struct sketch_filling *filling,
                       const struct lit_program *program, const struct lit_instr *instr)
{
    const struct place_slot *slot = &frame->slots[thread][i];
    const struct lit_instr *base = &frame->program.threads[thread].code[i];
    if (!slot->choice_count)
        return instr && place_orders_alike(&frame->program, base, program, instr);
    if (combinations_of(sketch, slot) > PLACE_MOST_COMBINATIONS)
        return false;
    const struct place_variant *variant = &slot->variants[number_of(sketch, slot, filling)];
    if (variant->presence != PLACE_PRESENT)
        return variant->presence == PLACE_ABSENT && !instr;
    return instr && place_orders_alike(&frame->program, variant->instr, program, instr);
}

/* Where an instruction is not what its own choices say, those of the combination touch it too:
 * which of two alike on one line is there may depend on what the other one's choice is. */
static void note_interplay(struct framing *f, const struct reading *reading,
                           const struct place_slot *slot, const struct sketch_filling *filling)
{
    uint32_t width = f->sketch->choice_count;
    for (uint32_t t = 0; t < f->frame->program.thread_count; t++)
        for (uint32_t i = 0; i < code_count(f, t); i++)
            for (uint32_t k = 0;
                 k < slot->choice_count && !is_variant(f->frame, f->sketch, t, i, filling,
                                                       &reading->program, reading->pairs[t][i]);
                 k++) {
                bool *touches = &f->touches[t][(size_t)i * width + slot->choices[k]];
                f->interplay |= !*touches;
                *touches = true;
            }
}

typedef void note_reading(struct framing *f, const struct reading *reading,
                          const struct place_slot *slot, const struct sketch_filling *filling);

static void read_combinations(struct framing *f, const struct place_slot *slot, note_reading *note)
{
    struct sketch_filling filling = f->frame->base;
    uint32_t count = combinations_of(f->sketch, slot);
    for (uint32_t number = 0;
         number < count && count <= PLACE_MOST_COMBINATIONS && !clock_is_late(f->clock); number++) {
        struct reading reading;
        set_values(f->sketch, slot, number, &filling);
        read_part(f, &filling, &reading);
        if (reading.pairs)
            note(f, &reading, slot, &filling);
        forget(&reading);
    }
}

static bool was_read(const struct framing *f, const struct place_slot *slot)
{
    const struct place_variant *base = &slot->variants[number_of(f->sketch, slot, &f->frame->base)];
    return base->presence != PLACE_NOT_READ;
}

static void read_variants(struct framing *f)
{
    for (uint32_t t = 0; t < f->frame->program.thread_count; t++)
        EACH (struct place_slot, slot, f->frame->slots[t], code_count(f, t)) {
            bool few = combinations_of(f->sketch, slot) <= PLACE_MOST_COMBINATIONS;
            if (slot->choice_count && few && !was_read(f, slot))
                read_combinations(f, slot, note_variants);
        }
}

static void find_interplay(struct framing *f)
{
    f->interplay = false;
    for (uint32_t t = 0; t < f->frame->program.thread_count; t++)
        for (uint32_t i = 0; i < code_count(f, t); i++)
            if (f->frame->slots[t][i].choice_count > 1)
                read_combinations(f, &f->frame->slots[t][i], note_interplay);
}

struct place_frame *place_frame_new(const struct place_asker *asker,
                                    const struct sketch_filling *base, uint32_t file, bool recovery,
                                    const struct clock_limit *clock)
{
    struct place_frame *frame = base_realloc(NULL, sizeof *frame);
    struct framing f = {
        .asker = asker, .sketch = asker->question->sketch, .clock = clock, .frame = frame};
    *frame = (struct place_frame){.base = *base, .file = file, .recovery = recovery};
    arena_init(&frame->arena);
    arena_init(&f.scratch);
    bool read = read_base(&f);
    if (read) {
        find_touched(&f);
        do {
            if (clock_is_late(clock)) /* and not all that is touched is known */
                break;
            make_slots(&f);
            read_variants(&f);
            find_interplay(&f);
        } while (f.interplay);
    }
    arena_fini(&f.scratch);
    if (read && !clock_is_late(clock))
        return frame;
    place_frame_free(frame);
    return NULL;
}

void place_frame_free(struct place_frame *frame)
{
    if (frame->test.names)
        session_test_fini(&frame->test);
    arena_fini(&frame->arena);
    base_free(frame);
}

/* ---- Held against fillings ---- */

bool place_frame_has(const struct place_frame *frame, const struct sketch *sketch,
                     const struct sketch_filling *filling, const struct lit_program *program)
{
    SCOPED(arena) scratch = {0};
    const struct lit_instr *const *const *pairs = place_align(&scratch, &frame->program, program);
    bool has = pairs != NULL;
    for (uint32_t c = 0; has && c < sketch->choice_count; c++)
        has = frame->fits[c] >> filling->value[c] & 1;
    for (uint32_t t = 0; has && t < frame->program.thread_count; t++)
        for (uint32_t i = 0; has && i < frame->program.threads[t].code_count; i++)
            has = is_variant(frame, sketch, t, i, filling, program, pairs[t][i]);
    return has;
}

bool place_each_variant(const struct sketch *sketch, const struct place_slot *slot,
                        const uint64_t *box, place_visit_variant *visit, void *context)
{
    struct sketch_filling filling;
    uint32_t count = combinations_of(sketch, slot);
    if (count > PLACE_MOST_COMBINATIONS)
        return false;
    for (uint32_t number = 0; number < count; number++) {
        set_values(sketch, slot, number, &filling);
        if (ANY(k, slot->choice_count,
                !(box[slot->choices[k]] >> filling.value[slot->choices[k]] & 1)))
            continue;
        if (slot->variants[number].presence == PLACE_NOT_READ)
            return false;
        visit(context, &slot->variants[number]);
    }
    return true;
}

void place_keep_variant(void *context, const struct place_variant *variant)
{
    *(struct place_variant *)context = *variant;
}
