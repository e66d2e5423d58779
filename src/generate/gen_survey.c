/* Programs come from the enumerator one by one; a block of one size is asked by all threads, each
 * taking the next, and what they found is put together in the order of the programs. So blocks are
 * where the search can stop, and where it can go on. */
#include "generate/gen_survey.h"

#include "base/clock.h"
#include "generate/gen_alike.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { BLOCK = 256, PASSING = 1 << 14, MAX_JOBS = 64 };

/* What one program says of one ordered pair. */
struct note {
    uint32_t pair;
    const char *doubt; /* open; else `find` is one, without program and index */
    struct gen_find find;
};

struct slot {
    struct gen_program program;
    const uint32_t *alike; /* gen_alike_find's; NULL: not known */
    uint64_t unit, number;
    struct arena arena;
    VEC(struct note) notes;
    uint64_t states;
    bool undefined; /* nothing is compared */
};

struct search {
    struct gen_survey *survey;
    uint32_t bound;
    uint64_t unit, first;    /* gone through, and the first of its programs that is looked at */
    struct gen_alike *alike; /* NULL: all are asked */
    struct slot *slots;
    uint32_t count, size;            /* of the block */
    uint32_t passed;                 /* programs since the last one that need not be asked */
    uint64_t last_unit, last_number; /* seen */
    atomic_uint next;
    struct timespec started;
    bool stopped, done; /* time ran out; nothing that comes is wanted */
};

uint32_t gen_size(const struct gen_program *program)
{
    uint32_t size = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        size += program->length[t];
    return size;
}

static struct gen_pair *pair_of(const struct gen_survey *survey, uint32_t a, uint32_t b)
{
    return &survey->pairs[a * survey->model_count + b];
}

/* May a program of this size be one of the smallest? */
static bool is_wanted(const struct gen_survey *survey, uint32_t a, uint32_t b, uint32_t size)
{
    return a != b && (survey->all || pair_of(survey, a, b)->size >= size);
}

/* The size behind which nothing is wanted. */
static uint32_t last_size(const struct gen_survey *survey)
{
    uint32_t last = 0;
    for (uint32_t a = 0; a < survey->model_count; a++)
        for (uint32_t b = 0; b < survey->model_count; b++)
            if (a != b && pair_of(survey, a, b)->size > last)
                last = pair_of(survey, a, b)->size;
    return survey->all ? UINT32_MAX : last;
}

/* ---- One program ---- */

/* Of what is undefined under the first alone a state of the second, so that there is something to
 * ask. */
static void show_undefined(struct slot *slot, const struct lit_program *program,
                           const struct outcome *second, struct gen_find *find)
{
    const struct outcome_states *states = &second->final;
    const struct outcome_states none = {.width = states->width};
    find->undefined = true;
    find->kind = AGREE_FINAL;
    if (states->product || !states->count)
        return;
    const int64_t *row = outcome_row(states, 0);
    find->state = gen_observe_tell_apart(&slot->arena, program, states, &none, &row);
    find->row = gen_observe_row(&slot->arena, program, states, row);
}

static void note_more(struct slot *slot, const struct lit_program *program,
                      const struct outcome *first, const struct outcome *second,
                      const struct contrast_side *side, uint32_t pair)
{
    struct note note = {.pair = pair};
    if (side->undefined) {
        show_undefined(slot, program, second, &note.find);
    } else {
        const struct contrast_states *more = &side->states[0];
        const struct outcome_states *states = agree_states(first, more->aspect);
        const int64_t *row = more->row;
        note.find.kind = more->aspect;
        note.find.count = more->count;
        note.find.state = gen_observe_tell_apart(&slot->arena, program, states,
                                                 agree_states(second, more->aspect), &row);
        note.find.row = gen_observe_row(&slot->arena, program, states, row);
    }
    VEC_PUSH(&slot->notes, note);
}

static void hold(const struct search *search, struct slot *slot, const struct lit_program *program,
                 const struct outcome *outcomes, uint32_t a, uint32_t b)
{
    const struct gen_survey *survey = search->survey;
    const uint32_t numbers[2] = {a, b};
    if (!is_wanted(survey, a, b, search->size) && !is_wanted(survey, b, a, search->size))
        return;
    if (slot->alike && slot->alike[a] == slot->alike[b])
        return;
    const struct contrast contrast = contrast_of(&outcomes[a], &outcomes[b]);
    for (int i = 0; i < 2; i++) {
        uint32_t first = numbers[i], second = numbers[!i];
        uint32_t pair = first * survey->model_count + second;
        const struct contrast_side *side = &contrast.sides[i];
        if (side->more == CONTRAST_NO || !is_wanted(survey, first, second, search->size))
            continue;
        if (side->more == CONTRAST_YES) {
            note_more(slot, program, &outcomes[first], &outcomes[second], side, pair);
            continue;
        }
        const struct note open = {.pair = pair, .doubt = arena_strdup(&slot->arena, side->doubt)};
        VEC_PUSH(&slot->notes, open);
    }
}

/* The model that is asked in place of this one. */
static uint32_t stands_for(const struct slot *slot, uint32_t model)
{
    return slot->alike ? slot->alike[model] : model;
}

static void ask_slot(const struct search *search, struct slot *slot, struct session_parts parts,
                     struct outcome *outcomes, struct strbuf *text)
{
    const struct gen_survey *survey = search->survey;
    const struct gen_bound *bound = &survey->bounds[search->bound];
    struct session_test test;
    gen_observe_read(&test, survey->settings, bound->vocabulary, bound->dialect, &slot->program,
                     gen_observe_kinds(&slot->program), text);
    uint32_t undefined = 0;
    for (uint32_t m = 0; m < survey->model_count; m++) {
        if (stands_for(slot, m) == m)
            gen_observe(survey->settings, survey->models[m], test.program, parts, &outcomes[m]);
        else
            outcomes[m] = outcomes[stands_for(slot, m)];
        slot->states +=
            outcome_state_count(&outcomes[m].final) + outcome_state_count(&outcomes[m].crash);
        undefined += outcomes[m].undefined.count > 0;
    }
    slot->undefined = survey->defined ? undefined > 0 : undefined == survey->model_count;
    for (uint32_t a = 0; a < survey->model_count && !slot->undefined; a++)
        for (uint32_t b = a + 1; b < survey->model_count; b++)
            hold(search, slot, test.program, outcomes, a, b);
    for (uint32_t m = 0; m < survey->model_count; m++)
        if (stands_for(slot, m) == m)
            outcome_fini(&outcomes[m]);
    session_test_fini(&test);
}

/* ---- A block ---- */

static void work(struct search *search, struct session_parts parts)
{
    struct strbuf text = {0};
    struct outcome *outcomes = base_realloc(NULL, search->survey->model_count * sizeof *outcomes);
    for (uint32_t i; (i = atomic_fetch_add(&search->next, 1)) < search->count;)
        ask_slot(search, &search->slots[i], parts, outcomes, &text);
    base_free(outcomes);
    strbuf_fini(&text);
}

/* Nobody watches over this one: who does so is told by one thread. */
static void *run_thread(void *context)
{
    work(context, (struct session_parts){0});
    return NULL;
}

static void ask_block(struct search *search)
{
    pthread_t threads[MAX_JOBS];
    uint32_t started = 0,
             wanted = search->survey->jobs < MAX_JOBS ? search->survey->jobs : MAX_JOBS;
    atomic_store(&search->next, 0);
    while (started + 1 < wanted && started + 1 < search->count &&
           pthread_create(&threads[started], NULL, run_thread, search) == 0)
        started++;
    work(search, search->survey->parts);
    while (started)
        pthread_join(threads[--started], NULL);
}

static const char *kept(struct gen_survey *survey, const char *text)
{
    return text ? arena_strdup(survey->arena, text) : NULL;
}

static void take_find(struct search *search, const struct slot *slot, const struct gen_find *find,
                      struct gen_pair *pair)
{
    struct gen_survey *survey = search->survey;
    if (search->size < pair->size) {
        pair->size = search->size;
        pair->find_count = 0;
        pair->smallest = 0;
    }
    if (search->size > pair->size)
        return;
    pair->smallest++;
    if (pair->find_count == GEN_MAX_FINDS)
        return;
    if (!pair->finds)
        pair->finds = ARENA_ARRAY(survey->arena, struct gen_find, GEN_MAX_FINDS);
    struct gen_find *to = &pair->finds[pair->find_count++];
    *to = *find;
    to->vocabulary = search->bound;
    to->program = slot->program;
    to->unit = slot->unit;
    to->number = slot->number;
    to->state = kept(survey, find->state);
    to->row = kept(survey, find->row);
}

static void take_open(struct search *search, const struct slot *slot, const char *doubt,
                      struct gen_pair *pair)
{
    struct strbuf line = {0};
    if (pair->open++)
        return;
    pair->doubt = kept(search->survey, doubt);
    gen_line(search->survey->bounds[search->bound].vocabulary, &slot->program, &line);
    pair->open_at = strbuf_take(&line, search->survey->arena);
}

static void take_slot(struct search *search, struct slot *slot)
{
    struct gen_survey *survey = search->survey;
    survey->programs++;
    survey->states += slot->states;
    survey->undefined += slot->undefined;
    for (size_t i = 0; i < slot->notes.count; i++) {
        const struct note *note = &slot->notes.items[i];
        if (note->doubt)
            take_open(search, slot, note->doubt, &survey->pairs[note->pair]);
        else
            take_find(search, slot, &note->find, &survey->pairs[note->pair]);
    }
    VEC_FREE(&slot->notes);
    arena_fini(&slot->arena);
}

/* Asks what has come together, and says where to go on behind it. */
static void flush(struct search *search)
{
    struct gen_survey *survey = search->survey;
    if (!search->count && !search->passed)
        return;
    if (search->count)
        ask_block(search);
    survey->next_unit = search->last_unit;
    survey->next_number = search->last_number + 1;
    for (uint32_t i = 0; i < search->count; i++)
        take_slot(search, &search->slots[i]);
    search->count = search->passed = 0;
    survey->size = search->size;
    if (survey->progress)
        survey->progress(survey->context, survey);
    if (survey->seconds > 0 && clock_seconds_since(&search->started) > survey->seconds)
        search->stopped = true;
}

/* ---- All programs ---- */

static bool are_all_alike(const struct gen_survey *survey, const uint32_t *alike)
{
    for (uint32_t m = 0; m < survey->model_count; m++)
        if (alike[m])
            return false;
    return true;
}

static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    struct search *search = context;
    uint32_t size = gen_size(program);
    if (number < search->first)
        return true;
    if (search->count == BLOCK || search->passed == PASSING || size != search->size)
        flush(search);
    search->done = size > last_size(search->survey);
    if (search->stopped || search->done)
        return false;
    search->size = size;
    search->last_unit = search->unit;
    search->last_number = number;
    const uint32_t *alike = search->alike ? gen_alike_find(search->alike, program) : NULL;
    if (alike && are_all_alike(search->survey, alike)) {
        search->survey->programs++;
        search->survey->alike++;
        search->passed++;
        return true;
    }
    struct slot *slot = &search->slots[search->count++];
    *slot =
        (struct slot){.program = *program, .alike = alike, .unit = search->unit, .number = number};
    arena_init(&slot->arena);
    return true;
}

/* Units come by size, so where one has nothing that is wanted the next has not either. */
static void go_through(struct search *search)
{
    struct gen_survey *survey = search->survey;
    const struct gen_bound *bound = &survey->bounds[survey->next_bound];
    uint64_t units = gen_units(bound);
    search->bound = survey->next_bound;
    search->done = false;
    search->first = survey->next_number;
    if (!survey->unsifted)
        search->alike = gen_alike_new(survey->settings, survey->models, survey->model_count, bound);
    for (uint64_t unit = survey->next_unit; unit < units; unit++) {
        if (search->stopped || search->done)
            break;
        search->unit = unit;
        if (!survey->shards || unit % survey->shards == survey->shard)
            (void)gen_enumerate(bound, unit, visit, search);
        search->first = 0;
    }
    flush(search);
    if (search->alike)
        gen_alike_free(search->alike);
    search->alike = NULL;
}

static void begin(struct gen_survey *survey)
{
    uint32_t count = survey->model_count * survey->model_count;
    if (survey->pairs)
        return;
    survey->pairs = ARENA_ARRAY(survey->arena, struct gen_pair, count);
    for (uint32_t i = 0; i < count; i++)
        survey->pairs[i].size = UINT32_MAX;
}

void gen_survey(struct gen_survey *survey)
{
    struct search search = {.survey = survey, .started = clock_now_monotonic()};
    begin(survey);
    search.slots = base_realloc(NULL, BLOCK * sizeof *search.slots);
    while (survey->next_bound < survey->bound_count && !search.stopped) {
        go_through(&search);
        if (search.stopped)
            break;
        survey->next_bound++;
        survey->next_unit = survey->next_number = 0;
    }
    survey->ended = !search.stopped;
    base_free(search.slots);
}
