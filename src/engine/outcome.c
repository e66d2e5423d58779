#include "engine/outcome.h"

#include "base/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef VEC(struct lit_atom) atom_list;

/* From how many on a column is looked up in a table. */
enum { MANY_COLUMNS = 6 };

static void mention(void *context, const struct lit_atom *atom)
{
    atom_list *list = context;
    if (atom->kind == LIT_ATOM_CONST)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (lit_atom_same(&list->items[i], atom))
            return;
    VEC_PUSH(list, *atom);
}

/* Registers thread by thread, then locations, each as declared. */
static int order_atoms(const void *left, const void *right)
{
    const struct lit_atom *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind == LIT_ATOM_REGISTER ? -1 : 1;
    uint32_t x = a->kind == LIT_ATOM_LOCATION ? a->location : a->thread;
    uint32_t y = b->kind == LIT_ATOM_LOCATION ? b->location : b->thread;
    if (x == y) {
        x = a->reg;
        y = b->reg;
    }
    return (x > y) - (x < y);
}

/* Registers of crash conditions, each behind whether it has a value. */
static int order_given(const void *left, const void *right)
{
    const struct lit_atom *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->reg != b->reg)
        return a->reg < b->reg ? -1 : 1;
    return (a->kind == LIT_ATOM_REGISTER) - (b->kind == LIT_ATOM_REGISTER);
}

static bool is_unsigned(const struct lit_program *program, const struct lit_atom *atom)
{
    return lit_atom_type(program, atom) == LIT_ULONG;
}

/* The same with locations before registers. */
static int order_recovered(const void *left, const void *right)
{
    const struct lit_atom *a = left, *b = right;
    return a->kind == b->kind ? order_atoms(a, b) : -order_atoms(a, b);
}

/* Crash conditions add registers alone: all crash states have the locations that they name. */
static void mention_register(void *context, const struct lit_atom *atom)
{
    if (atom->kind != LIT_ATOM_LOCATION)
        mention(context, atom);
}

static const uint32_t *find_columns(struct outcome *outcome, const struct lit_program *program,
                                    const struct outcome_states *states)
{
    uint32_t *columns = ARENA_ARRAY(&outcome->arena, uint32_t, program->location_count);
    memset(columns, 0xff, program->location_count * sizeof *columns);
    for (uint32_t i = 0; i < states->width; i++)
        if (states->items[i].kind == LIT_ATOM_LOCATION)
            columns[states->items[i].location] = i;
    return columns;
}

uint32_t outcome_column(const struct outcome_states *states, const struct lit_atom *atom)
{
    if (atom->kind == LIT_ATOM_LOCATION && states->columns) {
        BASE_ASSERT(states->columns[atom->location] == LIT_NONE ||
                    states->columns[atom->location] < states->width);
        return states->columns[atom->location];
    }
    for (uint32_t i = 0; i < states->width && atom->kind != LIT_ATOM_CONST; i++)
        if (lit_atom_same(&states->items[i], atom))
            return i;
    return LIT_NONE;
}

/* The first `fixed` of the list stay where they are. */
static void keep_items(struct outcome *outcome, const struct lit_program *program,
                       struct outcome_states *states, atom_list *list, size_t fixed,
                       int order(const void *, const void *))
{
    BASE_ASSERT(fixed <= list->count);
    bool *sorts_unsigned = ARENA_ARRAY(&outcome->arena, bool, list->count);
    struct lit_atom *items = VEC_KEEP(&outcome->arena, list);
    qsort(items + fixed, list->count - fixed, sizeof *items, order);
    for (size_t i = 0; i < list->count; i++)
        sorts_unsigned[i] = is_unsigned(program, &items[i]);
    states->is_unsigned = sorts_unsigned;
    states->items = items;
    states->width = (uint32_t)list->count;
    if (states->width >= MANY_COLUMNS)
        states->columns = find_columns(outcome, program, states);
    VEC_FREE(list);
}

static void mention_locations(atom_list *list, const struct lit_program *program, bool nvm_only)
{
    for (uint32_t l = 0; l < program->location_count; l++)
        if (!program->locations[l].hidden && (program->locations[l].nvm || !nvm_only))
            VEC_PUSH(list, (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = l});
}

/* Columns of pairs: those of the one set, then those of the other. */
static void keep_pairs(struct outcome *outcome, struct outcome_states *pairs,
                       const struct outcome_states *a, const struct outcome_states *b)
{
    pairs->width = a->width + b->width;
    struct lit_atom *items = ARENA_ARRAY(&outcome->arena, struct lit_atom, pairs->width);
    bool *sorts_unsigned = ARENA_ARRAY(&outcome->arena, bool, pairs->width);
    for (uint32_t i = 0; i < pairs->width; i++) {
        const struct outcome_states *from = i < a->width ? a : b;
        uint32_t column = i < a->width ? i : i - a->width;
        items[i] = from->items[column];
        sorts_unsigned[i] = from->is_unsigned[column];
    }
    pairs->items = items;
    pairs->is_unsigned = sorts_unsigned;
}

/* Non-volatile locations as crash states have them, then the rest. */
static const uint32_t *order_after_crash(struct outcome *outcome)
{
    uint32_t *order = ARENA_ARRAY(&outcome->arena, uint32_t, outcome->recovered.width);
    uint32_t place = 0, locations = outcome->starts.width;
    for (uint32_t i = 0; i < outcome->crash.width; i++)
        if (outcome->crash.order[i] < locations) {
            BASE_ASSERT(place < outcome->recovered.width);
            order[place++] = outcome->crash.order[i];
        }
    for (uint32_t i = locations; i < outcome->recovered.width; i++)
        order[place++] = i;
    return order;
}

static void init_recovery(struct outcome *outcome, const struct lit_program *program)
{
    const struct lit_program recovery = lit_recovery_program(program);
    atom_list seen = {0};
    mention_locations(&seen, program, true);
    size_t durable = seen.count;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED)
            lit_prop_each_atom(program->conditions[i].prop, mention, &seen);
    keep_items(outcome, &recovery, &outcome->recovered, &seen, durable, order_recovered);
    outcome->recovered.order = order_after_crash(outcome);
    keep_pairs(outcome, &outcome->recoveries, &outcome->starts, &outcome->recovered);
    keep_pairs(outcome, &outcome->restarts, &outcome->starts, &outcome->starts);
    outcome->livelocks = outcome->starts;
    outcome->recovery_doubts[OUTCOME_DOUBT_NO_RECOVERY] = true;
}

void outcome_init(struct outcome *outcome, const struct lit_program *program)
{
    *outcome = (struct outcome){0};
    atom_list seen = {0}, durable = {0};
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_FINAL)
            lit_prop_each_atom(program->conditions[i].prop, mention, &seen);
    for (uint32_t i = 0; i < program->observed_count; i++)
        mention(&seen, &program->observed[i]);
    if (seen.count == 0)
        mention_locations(&seen, program, false);
    mention_locations(&durable, program, true);
    size_t locations = durable.count;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_CRASHED)
            lit_prop_each_atom(program->conditions[i].prop, mention_register, &durable);
    keep_items(outcome, program, &outcome->final, &seen, 0, order_atoms);
    keep_items(outcome, program, &outcome->crash, &durable, locations, order_given);
    outcome->crash.order = outcome_order(&outcome->arena, program, &outcome->crash);
    outcome->condition_count = program->condition_count;
    outcome->all_values = ARENA_ARRAY(&outcome->arena, bool, program->condition_count);
    outcome->starts = outcome->crash;
    outcome->starts.width = (uint32_t)locations;
    if (program->recovery_count)
        init_recovery(outcome, program);
}

void outcome_free_states(struct outcome_states *states)
{
    base_free(states->values);
    base_free(states->slots);
    mdd_free(states->product);
}

void outcome_fini(struct outcome *outcome)
{
#define X(name) outcome_free_states(&outcome->name);
    OUTCOME_SETS(X)
#undef X
    outcome_free_undefined(outcome);
    VEC_FREE(&outcome->flags);
    arena_fini(&outcome->arena);
}

bool outcome_is_race(const struct outcome_undefined *undefined)
{
    return undefined->kind == OUTCOME_CHECK && strcmp(undefined->name, OUTCOME_RACE) == 0;
}

bool outcome_lacks_value(const struct lit_atom *items, const int64_t *row, uint32_t column)
{
    return items[column].kind == LIT_ATOM_REGISTER && column > 0 &&
           items[column - 1].kind == LIT_ATOM_GIVEN && !row[column - 1];
}

const int64_t *outcome_row(const struct outcome_states *states, size_t index)
{
    assert(index < states->count);
    return states->values + index * states->width;
}

static size_t row_bytes(const struct outcome_states *states)
{
    return states->width * sizeof(int64_t);
}

static size_t slot_of(const struct outcome_states *states, const int64_t *row)
{
    BASE_ASSERT(states->slot_count && (states->slot_count & (states->slot_count - 1)) == 0);
    BASE_ASSERT(states->count < states->slot_count);
    size_t at = (size_t)XXH3_64bits(row, row_bytes(states)) & (states->slot_count - 1);
    while (states->slots[at] &&
           memcmp(outcome_row(states, states->slots[at] - 1), row, row_bytes(states)) != 0)
        at = (at + 1) & (states->slot_count - 1);
    return at;
}

static void fill_slots(struct outcome_states *states)
{
    BASE_ASSERT(2 * states->count <= states->slot_count);
    memset(states->slots, 0, states->slot_count * sizeof *states->slots);
    for (size_t i = 0; i < states->count; i++)
        states->slots[slot_of(states, outcome_row(states, i))] = (uint32_t)(i + 1);
}

static void grow_slots(struct outcome_states *states)
{
    states->slot_count = states->slot_count ? states->slot_count * 2 : 64;
    base_free(states->slots);
    states->slots = base_realloc(NULL, states->slot_count * sizeof *states->slots);
    fill_slots(states);
}

void outcome_forget_rows(struct outcome_states *states)
{
    states->count = 0;
    if (states->slots)
        fill_slots(states);
}

bool outcome_add_state(struct outcome_states *states, const int64_t *row)
{
    static const int64_t nothing[1] = {0};
    if (states->width == 0)
        row = nothing;
    if (states->product && mdd_has(states->product, states->root, row))
        return false;
    if (2 * (states->count + 1) > states->slot_count)
        grow_slots(states);
    size_t at = slot_of(states, row);
    if (states->slots[at])
        return false;
    if (states->most_listed && states->count == states->most_listed) {
        outcome_factor(states);
        at = slot_of(states, row);
    }
    if ((states->count + 1) * row_bytes(states) > OUTCOME_MAX_BYTES) {
        states->full = true;
        return false;
    }
    if (states->count == states->capacity) {
        states->capacity = states->capacity ? states->capacity * 2 : 16;
        states->values = base_realloc(states->values, states->capacity * row_bytes(states));
    }
    BASE_ASSERT(states->count < states->capacity && !states->slots[at]);
    memcpy(states->values + states->count * states->width, row, row_bytes(states));
    states->slots[at] = (uint32_t)++states->count;
    states->sorted = false;
    return true;
}

bool outcome_has_state(const struct outcome_states *states, const int64_t *row)
{
    return (states->product && mdd_has(states->product, states->root, row)) ||
           outcome_find_state(states, row) < states->count;
}

void outcome_note_full(struct outcome *outcome, const struct outcome_states *states)
{
    outcome->doubts[states->product ? OUTCOME_DOUBT_FORM : OUTCOME_DOUBT_STATES] = true;
}

size_t outcome_find_state(const struct outcome_states *states, const int64_t *row)
{
    static const int64_t nothing[1] = {0};
    if (states->count == 0)
        return states->count;
    uint32_t slot = states->slots[slot_of(states, states->width ? row : nothing)];
    return slot ? slot - 1 : states->count;
}

int outcome_compare(const struct outcome_states *states, const int64_t *a, const int64_t *b,
                    uint32_t width)
{
    for (uint32_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return (states->is_unsigned[i] ? (uint64_t)a[i] < (uint64_t)b[i] : a[i] < b[i]) ? -1
                                                                                            : 1;
    return 0;
}

static int compare_rows(const struct outcome_states *states, size_t a, size_t b)
{
    return outcome_compare(states, outcome_row(states, a), outcome_row(states, b), states->width);
}

/* Merge sort of rows: qsort has no room for the width. */
static void merge_rows(const struct outcome_states *states, size_t *order, size_t *spare,
                       size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2;
    merge_rows(states, order, spare, half);
    merge_rows(states, order + half, spare, count - half);
    memcpy(spare, order, count * sizeof *order);
    size_t i = 0, j = half;
    for (size_t k = 0; k < count; k++) {
        BASE_ASSERT(i <= half && j <= count);
        order[k] = j >= count || (i < half && compare_rows(states, spare[i], spare[j]) <= 0)
                       ? spare[i++]
                       : spare[j++];
    }
}

void outcome_sort_states(struct outcome_states *states)
{
    if (states->product)
        outcome_factor(states);
    states->sorted = true;
    if (states->count < 2 || states->width == 0)
        return;
    size_t *order = base_realloc(NULL, 2 * states->count * sizeof *order);
    for (size_t i = 0; i < states->count; i++)
        order[i] = i;
    merge_rows(states, order, order + states->count, states->count);
    int64_t *sorted = base_realloc(NULL, states->count * row_bytes(states));
    for (size_t i = 0; i < states->count; i++)
        memcpy(sorted + i * states->width, outcome_row(states, order[i]), row_bytes(states));
    base_free(states->values);
    base_free(order);
    states->values = sorted;
    states->capacity = states->count;
    fill_slots(states);
}

static int order_events(const struct outcome_event *a, const struct outcome_event *b)
{
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->access, b->access);
}

static int order_undefined(const void *x, const void *y)
{
    const struct outcome_undefined *a = x, *b = y;
    int order = a->kind != b->kind ? (a->kind < b->kind ? -1 : 1) : strcmp(a->name, b->name);
    for (uint32_t i = 0; order == 0 && i < a->event_count && i < b->event_count; i++)
        order = order_events(&a->events[i], &b->events[i]);
    return order ? order : (int)a->event_count - (int)b->event_count;
}

void outcome_sort(struct outcome *outcome)
{
#define X(name) outcome_sort_states(&outcome->name);
    OUTCOME_SETS(X)
#undef X
    if (outcome->flags.count > 1)
        qsort(outcome->flags.items, outcome->flags.count, sizeof *outcome->flags.items, text_order);
    if (outcome->asked.count > 1)
        qsort(outcome->asked.items, outcome->asked.count, sizeof *outcome->asked.items,
              order_undefined);
    if (outcome->undefined.count > 1)
        qsort(outcome->undefined.items, outcome->undefined.count, sizeof *outcome->undefined.items,
              order_undefined);
}

bool outcome_has_flag(const struct outcome *outcome, const char *name)
{
    return ANY(i, outcome->flags.count, strcmp(outcome->flags.items[i], name) == 0);
}

void outcome_add_flag(struct outcome *outcome, const char *name)
{
    if (outcome_has_flag(outcome, name))
        return;
    VEC_PUSH(&outcome->flags, arena_strdup(&outcome->arena, name));
}

void outcome_take_doubts(struct outcome *outcome, const struct outcome *recovery)
{
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++)
        outcome->recovery_doubts[doubt] |= recovery->doubts[doubt];
    if (recovery->not_encoded)
        outcome->not_encoded = arena_strdup(&outcome->arena, recovery->not_encoded);
    if (recovery->branching && !outcome->branching)
        outcome->branching = arena_strdup(&outcome->arena, recovery->branching);
    if (recovery->looping && !outcome->looping)
        outcome->looping = arena_strdup(&outcome->arena, recovery->looping);
}

void outcome_doubt_paths(struct outcome *outcome, const struct lit_program *program,
                         uint32_t thread)
{
    const struct lit_thread *branches = &program->threads[thread];
    outcome->doubts[OUTCOME_DOUBT_PATHS] = true;
    if (outcome->branching)
        return;
    const uint32_t line = span_told(branches->span).line;
    const char *where = line ? arena_printf(&outcome->arena, ", at line %u,", line) : "";
    outcome->branching =
        arena_printf(&outcome->arena, "%s%s has " OUTCOME_TOO_MANY_PATHS, branches->name, where);
}

/* Where the code first jumps back before that place; the count: nowhere. */
static uint32_t find_back(const struct lit_thread *thread, uint32_t at)
{
    const struct lit_instr *code = thread->code;
    uint32_t end = at;
    while (end < thread->code_count &&
           !(lit_instruction_jumps(code[end].op) && code[end].target <= at))
        end++;
    return end;
}

/* Of compiled code: of the loop's first event, as a branch has no place. */
static const struct lit_origin *origin_of(const struct lit_thread *thread,
                                          const struct lit_instr *loop)
{
    const struct lit_instr *code = thread->code;
    const uint32_t at = (uint32_t)(loop - code), end = find_back(thread, at);
    for (uint32_t pc = end < thread->code_count ? code[end].target : at; pc < end; pc++)
        if (code[pc].origin)
            return code[pc].origin;
    return NULL;
}

/* "at line 5", and of compiled code "at line 5 (spin.cu:3)", "at spin.cu:3", or "at spin.ptx:9". */
static const char *place_of(struct arena *arena, const struct lit_thread *thread,
                            const struct lit_instr *loop)
{
    const struct lit_origin *origin = origin_of(thread, loop);
    const uint32_t line = span_told(loop->span).line;
    const char *source = origin ? origin->text : NULL;
    if (origin && !source)
        source = arena_printf(arena, "%s:%u", source_file_name(origin->code.source->name),
                              origin->code.line);
    if (!line)
        return source ? arena_printf(arena, "at %s", source) : "of the kernel";
    return source ? arena_printf(arena, "at line %u (%s)", line, source)
                  : arena_printf(arena, "at line %u", line);
}

/* In a loop that retries a compare-exchange, a plain read of the location, which some models let return
 * an old value each time; NULL: there is none. The loop ends where the code first jumps back before it. */
static const struct lit_instr *find_plain_retry(const struct lit_thread *thread,
                                                const struct lit_instr *loop)
{
    const struct lit_instr *code = thread->code;
    const uint32_t end = find_back(thread, (uint32_t)(loop - code));
    for (uint32_t pc = end < thread->code_count ? code[end].target : end; pc < end; pc++)
        if (code[pc].op == LIT_LOAD && code[pc].order == LIT_ORDER_NA &&
            ANY(i, loop->tried_count, lit_address_has(&code[pc].addr, loop->tried[i])))
            return &code[pc];
    return NULL;
}

void outcome_doubt_unroll(struct outcome *outcome, const struct lit_program *program,
                          uint32_t thread, const struct lit_instr *loop)
{
    SCOPED(strbuf) name = {0};
    const char *hint = "";
    const struct lit_instr *read = find_plain_retry(&program->threads[thread], loop);
    outcome->doubts[OUTCOME_DOUBT_UNROLL] = true;
    if (outcome->looping)
        return;
    if (read) {
        lit_address_name(program, &read->addr, &name);
        hint = arena_printf(&outcome->arena,
                            "; its plain read of %s may find an old value each time: read it by an "
                            "atomic function, such as atomicAdd(%s%s, 0)",
                            strbuf_text(&name), strpbrk(strbuf_text(&name), "[.") ? "&" : "",
                            strbuf_text(&name));
    }
    outcome->looping =
        arena_printf(&outcome->arena, "the loop %s met its unroll bound (raise it with --unroll)%s",
                     place_of(&outcome->arena, &program->threads[thread], loop), hint);
}

/* What the outcome itself says of the doubt; NULL: nothing. */
static const char *own_words(const struct outcome *outcome, int doubt)
{
    return doubt == OUTCOME_DOUBT_ENCODING      ? outcome->not_encoded
           : doubt == OUTCOME_DOUBT_PATHS       ? outcome->branching
           : doubt == OUTCOME_DOUBT_UNROLL      ? outcome->looping
           : doubt == OUTCOME_DOUBT_CERTIFICATE ? outcome->uncertified
                                                : NULL;
}

/* Doubts that are none about what is asked. */
enum {
    NOT_STATES = 1u << OUTCOME_DOUBT_FLAGS,
    NOT_FLAGS = 1u << OUTCOME_DOUBT_THIN_AIR,
    NOT_FAILURE = NOT_STATES | NOT_FLAGS
};

static const char *first_doubt(const struct outcome *outcome, const bool *doubts, uint32_t but)
{
    static const char *const texts[] = {OUTCOME_DOUBTS(TABLE_SECOND)};
    for (int doubt = 0; doubt < OUTCOME_DOUBT_COUNT; doubt++) {
        if (!doubts[doubt] || but >> doubt & 1)
            continue;
        const char *words = own_words(outcome, doubt);
        if (outcome->reasons)
            return outcome->reasons;
        return words ? words : texts[doubt];
    }
    return NULL;
}

/* Of the program, then of recovery. */
static const char *first_of_both(const struct outcome *outcome, uint32_t but)
{
    const char *doubt = first_doubt(outcome, outcome->doubts, but);
    return doubt ? doubt : first_doubt(outcome, outcome->recovery_doubts, but);
}

const char *outcome_doubt(const struct outcome *outcome)
{
    return first_doubt(outcome, outcome->doubts, NOT_STATES);
}

const char *outcome_recovery_doubt(const struct outcome *outcome)
{
    return first_of_both(outcome, NOT_STATES);
}

const char *outcome_flag_doubt(const struct outcome *outcome)
{
    return first_of_both(outcome, NOT_FLAGS);
}

const char *outcome_failure_doubt(const struct outcome *outcome)
{
    return first_of_both(outcome, NOT_FAILURE);
}

/* The number of the condition in the program. LIT_NONE: it is a condition of another program, or
 * none. */
static uint32_t number_of(const struct outcome *outcome, const struct lit_program *program,
                          const struct lit_condition *condition)
{
    for (uint32_t i = 0; i < program->condition_count && i < outcome->condition_count; i++)
        if (&program->conditions[i] == condition)
            return i;
    return LIT_NONE;
}

const char *outcome_doubt_of(const struct outcome *outcome, const struct lit_program *program,
                             const struct lit_condition *condition)
{
    uint32_t number = number_of(outcome, program, condition);
    bool all_values = number != LIT_NONE && outcome->all_values[number];
    uint32_t but = all_values ? NOT_FAILURE : NOT_STATES;
    return condition->when == LIT_RECOVERED ? first_of_both(outcome, but)
                                            : first_doubt(outcome, outcome->doubts, but);
}

const char *outcome_any_doubt(const struct outcome *outcome)
{
    const char *doubt = outcome_failure_doubt(outcome);
    doubt = doubt ? doubt : outcome_recovery_doubt(outcome);
    return doubt ? doubt : outcome_flag_doubt(outcome);
}
