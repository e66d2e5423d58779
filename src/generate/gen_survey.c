/* The enumerator yields one program after the other, and each is asked under all models. */
#include "generate/gen_survey.h"

#include "generate/gen_alike.h"

#include <string.h>

/* A unit that is looked at. */
struct search {
    const struct gen_survey *survey;
    const struct gen_look *look;
    const struct gen_bound *bound;
    struct arena *arena;
    struct gen_part *part;
    const struct gen_program *program; /* at hand, and its number */
    uint64_t number;
    struct gen_alike *sift;   /* NULL: all are asked */
    const uint32_t *alike;    /* gen_alike_find's of the program; NULL: not known */
    struct outcome *outcomes; /* per model */
    struct strbuf text;
    bool late;
};

uint32_t gen_size(const struct gen_program *program)
{
    uint32_t size = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        size += program->length[t];
    return size;
}

/* ---- What is wanted ---- */

static uint32_t size_found(const struct gen_survey *survey, const struct gen_look *look,
                           uint32_t pair)
{
    return look && look->sizes ? atomic_load(&look->sizes[pair]) : survey->pairs[pair].size;
}

static bool are_compared(const struct gen_survey *survey, uint32_t a, uint32_t b)
{
    return survey->is_mapped    ? a == 1 && b == 0
           : survey->from_first ? a != b && (a == 0 || b == 0)
                                : a != b;
}

/* May a program of this size be one of the smallest that tell the pair? */
static bool is_wanted(const struct gen_survey *survey, const struct gen_look *look, uint32_t a,
                      uint32_t b, uint32_t size)
{
    uint32_t count = survey->model_count;
    return are_compared(survey, a, b) &&
           (survey->all ||
            (size_found(survey, look, a * count + b) >= size &&
             (!survey->from_first || size_found(survey, look, b * count + a) >= size)));
}

static bool is_any_wanted(const struct gen_survey *survey, const struct gen_look *look,
                          uint32_t size)
{
    return ANY(a, survey->model_count,
               ANY(b, survey->model_count, is_wanted(survey, look, a, b, size)));
}

bool gen_survey_wants(const struct gen_survey *survey, uint32_t size)
{
    return is_any_wanted(survey, NULL, size);
}

/* ---- One program ---- */

/* Of what is undefined under the first alone a state of the second, so that there is something to
 * ask. */
static void show_undefined(struct search *search, const struct lit_program *program,
                           const struct outcome *second, struct gen_find *find)
{
    const struct outcome_states *states = &second->final;
    const struct outcome_states none = {.width = states->width};
    find->undefined = true;
    find->kind = AGREE_FINAL;
    if (states->product || !states->count)
        return;
    const int64_t *row = outcome_row(states, 0);
    find->state = gen_observe_tell_apart(search->arena, program, states, &none, &row);
    find->row = gen_observe_row(search->arena, program, states, row);
}

static void note_more(struct search *search, const struct lit_program *program,
                      const struct outcome *first, const struct outcome *second,
                      const struct contrast_side *side, struct gen_pair *pair)
{
    if (pair->smallest++ >= GEN_MAX_FINDS)
        return;
    if (!pair->finds)
        pair->finds = ARENA_ARRAY(search->arena, struct gen_find, GEN_MAX_FINDS);
    struct gen_find *find = &pair->finds[pair->find_count++];
    *find = (struct gen_find){.unit = search->part->unit, .number = search->number};
    if (side->undefined) {
        show_undefined(search, program, second, find);
        return;
    }
    const struct contrast_states *more = &side->states[0];
    const struct outcome_states *states = agree_states(first, more->aspect);
    const int64_t *row = more->row;
    find->kind = more->aspect;
    find->count = more->count;
    find->state = gen_observe_tell_apart(search->arena, program, states,
                                         agree_states(second, more->aspect), &row);
    find->row = gen_observe_row(search->arena, program, states, row);
}

static void note_open(struct search *search, const char *doubt, struct gen_pair *pair)
{
    struct strbuf line = {0};
    if (pair->open++)
        return;
    pair->doubt = arena_strdup(search->arena, doubt);
    gen_line(search->bound->vocabulary, search->program, &line);
    pair->open_at = strbuf_take(&line, search->arena);
}

static void hold(struct search *search, const struct lit_program *program, uint32_t a, uint32_t b)
{
    const struct gen_survey *survey = search->survey;
    const struct outcome *outcomes = search->outcomes;
    const uint32_t numbers[2] = {a, b}, size = search->part->size;
    if (!is_wanted(survey, search->look, a, b, size) &&
        !is_wanted(survey, search->look, b, a, size))
        return;
    if (search->alike && search->alike[a] == search->alike[b])
        return;
    const struct contrast contrast = contrast_of(&outcomes[a], &outcomes[b]);
    for (int i = 0; i < 2; i++) {
        uint32_t first = numbers[i], second = numbers[!i];
        struct gen_pair *pair = &search->part->pairs[first * survey->model_count + second];
        const struct contrast_side *side = &contrast.sides[i];
        if (side->more == CONTRAST_NO || !is_wanted(survey, search->look, first, second, size))
            continue;
        if (side->more == CONTRAST_YES)
            note_more(search, program, &outcomes[first], &outcomes[second], side, pair);
        else
            note_open(search, side->doubt, pair);
    }
}

/* The model that is asked in place of this one. */
static uint32_t stands_for(const struct search *search, uint32_t model)
{
    return search->alike ? search->alike[model] : model;
}

/* Its answer is of use, to hold it or one that it stands for against another. */
static bool is_asked(const struct search *search, uint32_t model)
{
    const struct gen_survey *survey = search->survey;
    return stands_for(search, model) == model &&
           (!survey->from_first || model == 0 ||
            ANY(m, survey->model_count,
                stands_for(search, m) == model &&
                    is_wanted(survey, search->look, 0, m, search->part->size)));
}

static void ask(struct search *search, uint32_t model, const struct lit_program *program)
{
    const struct gen_survey *survey = search->survey;
    struct session_settings settings = *survey->settings;
    if (survey->machines)
        settings.on_machine.file = survey->machines[model];
    gen_observe(&settings, survey->models[model], program, search->look->parts,
                &search->outcomes[model]);
    if (survey->machines && model)
        search->outcomes[model].doubts[OUTCOME_DOUBT_ENCODING] = false;
}

static void observe(struct search *search, uint32_t model, const struct lit_program *program)
{
    struct outcome *outcome = &search->outcomes[model];
    if (!is_asked(search, stands_for(search, model)))
        *outcome = (struct outcome){0};
    else if (stands_for(search, model) == model)
        ask(search, model, program);
    else
        *outcome = search->outcomes[stands_for(search, model)];
    search->part->counts.states +=
        outcome_state_count(&outcome->final) + outcome_state_count(&outcome->crash);
}

/* Where the source is undefined what is made of it may do anything. */
static void ask_mapped(struct search *search)
{
    struct gen_part *part = search->part;
    struct session_test source, target;
    if (!search->program->nvm ||
        !gen_mapped_read(search->survey->mapper, search->bound->vocabulary, search->bound->dialect,
                         search->program, &source, &target)) {
        part->counts.refused++;
        return;
    }
    part->counts.programs++;
    observe(search, 0, source.program);
    observe(search, 1, target.program);
    if (search->outcomes[0].undefined.count)
        part->counts.undefined++;
    else
        hold(search, target.program, 0, 1);
    outcome_fini(&search->outcomes[0]);
    outcome_fini(&search->outcomes[1]);
    session_test_fini(&source);
    session_test_fini(&target);
}

static void ask_programs(struct search *search)
{
    const struct gen_survey *survey = search->survey;
    struct gen_part *part = search->part;
    SCOPED(session_test) test;
    gen_observe_read(&test, survey->settings, search->bound->vocabulary, search->bound->dialect,
                     search->program, gen_observe_kinds(search->program), &search->text);
    uint32_t undefined = 0;
    for (uint32_t m = 0; m < survey->model_count; m++) {
        observe(search, m, test.program);
        undefined += search->outcomes[m].undefined.count > 0;
    }
    bool refused = survey->machines && search->outcomes[0].doubts[OUTCOME_DOUBT_ENCODING],
         is_undefined = survey->defined ? undefined > 0 : undefined == survey->model_count,
         passed_over = refused || is_undefined;
    part->counts.programs += !refused;
    part->counts.refused += refused;
    part->counts.undefined += is_undefined && !refused;
    for (uint32_t a = 0; a < survey->model_count && !passed_over; a++)
        for (uint32_t b = a + 1; b < survey->model_count; b++)
            hold(search, test.program, a, b);
    for (uint32_t m = 0; m < survey->model_count; m++)
        if (stands_for(search, m) == m)
            outcome_fini(&search->outcomes[m]);
}

/* ---- A unit ---- */

static bool are_all_alike(const struct search *search)
{
    return !ANY(m, search->survey->model_count, search->alike[m]);
}

/* All programs of a unit have one size. */
static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    struct search *search = context;
    if (number == 0) {
        search->part->size = gen_size(program);
        if (!is_any_wanted(search->survey, search->look, search->part->size))
            return false;
    }
    search->late = search->look->is_late && search->look->is_late(search->look->context);
    if (search->late)
        return false;
    search->program = program;
    search->number = number;
    search->alike = search->sift ? gen_alike_find(search->sift, program) : NULL;
    if (search->survey->is_mapped) {
        ask_mapped(search);
    } else if (search->alike && are_all_alike(search)) {
        search->part->counts.programs++;
        search->part->counts.alike++;
    } else {
        ask_programs(search);
    }
    return true;
}

void gen_survey_sift(struct gen_survey *survey)
{
    survey->sifts = ARENA_ARRAY(survey->arena, struct gen_alike *, GEN_MAX_VOCABULARIES);
}

/* What is known of programs is kept from unit to unit. */
static struct gen_alike *sift_of(const struct gen_survey *survey, uint32_t bound)
{
    if (!survey->sifts || survey->is_mapped)
        return NULL;
    if (!survey->sifts[bound])
        survey->sifts[bound] = gen_alike_new(survey->settings, survey->models, survey->model_count,
                                             &survey->bounds[bound]);
    return survey->sifts[bound];
}

uint64_t gen_survey_units(struct gen_survey *survey)
{
    uint64_t units = 0;
    for (uint32_t b = 0; b < survey->bound_count; b++)
        units += survey->units[b] = gen_units(&survey->bounds[b]);
    return units;
}

uint32_t gen_survey_bound(const struct gen_survey *survey, uint64_t unit, uint64_t *number)
{
    for (uint32_t b = 0; b < survey->bound_count; b++) {
        *number = unit;
        if (unit < survey->units[b])
            return b;
        unit -= survey->units[b];
    }
    base_die("internal error: a search has no unit of that number");
}

bool gen_survey_look(const struct gen_survey *survey, uint64_t unit, const struct gen_look *look,
                     struct arena *arena, struct gen_part *part)
{
    uint64_t number = 0;
    uint32_t bound = gen_survey_bound(survey, unit, &number);
    *part = (struct gen_part){.unit = unit, .bound = bound};
    part->pairs = ARENA_ARRAY(arena, struct gen_pair, survey->model_count * survey->model_count);
    if (look->is_late && look->is_late(look->context))
        return false;
    struct search search = {.survey = survey,
                            .look = look,
                            .bound = &survey->bounds[bound],
                            .arena = arena,
                            .sift = sift_of(survey, bound),
                            .part = part};
    search.outcomes = base_realloc(NULL, survey->model_count * sizeof *search.outcomes);
    (void)gen_enumerate(search.bound, number, visit, &search);
    base_free(search.outcomes);
    strbuf_fini(&search.text);
    return !search.late;
}

/* ---- The whole ---- */

void gen_survey_begin(struct gen_survey *survey)
{
    uint32_t count = survey->model_count * survey->model_count;
    survey->pairs = ARENA_ARRAY(survey->arena, struct gen_pair, count);
    for (uint32_t i = 0; i < count; i++)
        survey->pairs[i].size = UINT32_MAX;
}

static const char *kept(const struct gen_survey *survey, const char *text)
{
    return text ? arena_strdup(survey->arena, text) : NULL;
}

static void take_finds(const struct gen_survey *survey, const struct gen_pair *from, uint32_t size,
                       struct gen_pair *pair)
{
    if (size > pair->size)
        return;
    if (size < pair->size) {
        pair->size = size;
        pair->find_count = 0;
        pair->smallest = 0;
    }
    pair->smallest += from->smallest;
    if (!pair->finds)
        pair->finds = ARENA_ARRAY(survey->arena, struct gen_find, GEN_MAX_FINDS);
    for (uint32_t i = 0; i < from->find_count && pair->find_count < GEN_MAX_FINDS; i++) {
        struct gen_find *to = &pair->finds[pair->find_count++];
        *to = from->finds[i];
        to->state = kept(survey, to->state);
        to->row = kept(survey, to->row);
    }
}

void gen_survey_take(struct gen_survey *survey, const struct gen_part *part)
{
    if (!part->size || !gen_survey_wants(survey, part->size))
        return;
    survey->counts.programs += part->counts.programs;
    survey->counts.alike += part->counts.alike;
    survey->counts.states += part->counts.states;
    survey->counts.undefined += part->counts.undefined;
    survey->counts.refused += part->counts.refused;
    for (uint32_t i = 0; i < survey->model_count * survey->model_count; i++) {
        const struct gen_pair *from = &part->pairs[i];
        struct gen_pair *pair = &survey->pairs[i];
        if (from->open && (survey->all || part->size <= pair->size)) {
            pair->doubt = pair->open ? pair->doubt : kept(survey, from->doubt);
            pair->open_at = pair->open ? pair->open_at : kept(survey, from->open_at);
            pair->open += from->open;
        }
        if (from->find_count)
            take_finds(survey, from, part->size, pair);
    }
}

static const char *nothing_was_looked_at(const struct gen_survey *survey)
{
    if (!survey->counts.programs)
        return survey->machines && survey->counts.refused
                   ? "the machine encodes no program up to the bound"
               : survey->counts.refused ? "the mapping takes no program up to the bound"
                                        : "there is no program up to the bound";
    if (survey->counts.undefined < survey->counts.programs)
        return NULL;
    return survey->is_mapped ? "each program is undefined before it is mapped"
           : survey->defined ? "each program is undefined under some model"
                             : "each program is undefined under all models";
}

const char *gen_survey_doubt(const struct gen_survey *survey, uint32_t first, uint32_t second)
{
    uint32_t number = first * survey->model_count + second;
    const struct gen_pair *pair = &survey->pairs[number];
    if (pair->open)
        return pair->doubt;
    if (!survey->ended)
        return "the search did not come to its end";
    const char *nothing = nothing_was_looked_at(survey);
    return nothing || !survey->blind ? nothing : survey->blind[number];
}

struct again {
    uint64_t number;
    struct gen_program *program;
};

static bool visit_again(void *context, const struct gen_program *program, uint64_t number)
{
    struct again *again = context;
    *again->program = *program;
    return number < again->number;
}

bool gen_survey_program(const struct gen_survey *survey, const struct gen_find *find,
                        struct gen_program *program)
{
    struct again again = {find->number, program};
    uint64_t number;
    uint32_t bound = gen_survey_bound(survey, find->unit, &number);
    return gen_enumerate(&survey->bounds[bound], number, visit_again, &again) == find->number + 1;
}
