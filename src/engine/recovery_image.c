#include "engine/recovery_image.h"

/* Per location: is it one that an access of recovery can come to? */
static const bool *find_accessed(struct arena *arena, const struct lit_program *program)
{
    bool *accessed = ARENA_ARRAY(arena, bool, program->location_count);
    for (uint32_t t = 0; t < program->thread_count; t++)
        EACH (const struct lit_instr, instr, program->threads[t].code,
              program->threads[t].code_count) {
            bool accesses = lit_instruction_accesses(instr->op);
            for (uint32_t k = 0; accesses && k < instr->addr.count; k++)
                accessed[lit_address_element(&instr->addr, k)] = true;
        }
    return accessed;
}

void recovery_image_init(struct recovery_image *image, struct arena *arena,
                         const struct engine_request *request, const struct outcome *outcome,
                         const struct recovery_options *options)
{
    const struct lit_program *test = request->program;
    *image = (struct recovery_image){
        .request = request,
        .outcome = outcome,
        .options = options,
        .program = lit_recovery_program(test),
        .locations =
            arena_copy(arena, test->locations, test->location_count * sizeof *test->locations),
        .restarts = test->recovery_restartable || request->recovery_crash};
    image->program.locations = image->locations;
    image->program.observed = outcome->recovered.items;
    image->program.observed_count = outcome->recovered.width;
    image->accessed = find_accessed(arena, &image->program);
}

/* Adds to the columns of a set, per non-volatile location, whether it is kept. */
static void add_kept(struct outcome *run, struct outcome_states *states,
                     const struct outcome_states *crash)
{
    uint32_t width = states->width + crash->width;
    struct lit_atom *items = ARENA_ARRAY(&run->arena, struct lit_atom, width);
    bool *is_unsigned = ARENA_ARRAY(&run->arena, bool, width);
    for (uint32_t i = 0; i < states->width; i++) {
        items[i] = states->items[i];
        is_unsigned[i] = states->is_unsigned[i];
    }
    for (uint32_t i = 0; i < crash->width; i++)
        items[states->width + i] =
            (struct lit_atom){.kind = LIT_ATOM_KEPT, .location = crash->items[i].location};
    states->items = items;
    states->is_unsigned = is_unsigned;
    states->width = width;
}

static void set_locations(struct recovery_image *image, const int64_t *start)
{
    const struct outcome_states *crash = &image->outcome->starts;
    for (uint32_t i = 0; i < crash->width; i++)
        image->locations[crash->items[i].location].init = start[i];
}

const struct lit_program *recovery_image_program(struct recovery_image *image, const int64_t *start)
{
    set_locations(image, start);
    return &image->program;
}

struct relay {
    const struct recovery_image *image;
    const struct recovery_watch *watch;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    const struct relay *relay = context;
    const struct engine_request *request = relay->image->request;
    if (relay->watch)
        relay->watch->on_witness(relay->watch->context, witness);
    if (request->on_witness)
        request->on_witness(request->context, witness);
}

void recovery_image_run(struct recovery_image *image, const int64_t *start,
                        const struct recovery_watch *watch, struct recovery_found *found)
{
    const struct engine_request *test = image->request;
    struct relay relay = {image, watch};
    struct engine_request request = *test;
    request.program = &image->program;
    request.symmetry = test->symmetry && test->symmetry->count ? NULL : test->symmetry;
    request.crash_mode = image->restarts ? EXEC_CRASH_ANYWHERE : EXEC_CRASH_END;
    request.no_crash_states = !image->restarts;
    request.decide = false;
    request.on_witness = watch || test->on_witness ? on_witness : NULL;
    request.on_recovery = NULL;
    request.on_undefined = NULL;
    request.context = &relay;
    struct engine_initials initials = {NULL};
    set_locations(image, start);
    *found = (struct recovery_found){.start = start};
    outcome_init(&found->outcome, &image->program);
    if (image->options->tracks_initials) {
        found->looked_at = ARENA_ARRAY(&found->outcome.arena, bool, image->program.location_count);
        initials.looked_at = found->looked_at;
        request.initials = &initials;
        add_kept(&found->outcome, &found->outcome.final, &image->outcome->starts);
        add_kept(&found->outcome, &found->outcome.crash, &image->outcome->starts);
    }
    if (test->on_recovery)
        test->on_recovery(test->context, &request, start);
    image->options->run(&request, &found->outcome);
    if (test->on_recovery)
        test->on_recovery(test->context, NULL, NULL);
}

void recovery_found_fini(struct recovery_found *found)
{
    outcome_fini(&found->outcome);
}

/* Marks the columns that are kept. If the engine does not say, these are the locations that no
 * access of the code can name. */
static void add_kept_columns(const struct recovery_image *image, const struct recovery_found *found,
                             const struct outcome_states *states, const int64_t *from, int64_t *to)
{
    const struct outcome_states *crash = &image->outcome->starts;
    for (uint32_t i = 0; i < crash->width; i++)
        to[i] = found->looked_at ? from[states->width - crash->width + i]
                                 : !image->accessed[crash->items[i].location];
}

/* The run's final states have their columns in another order. */
void recovery_read_final(const struct recovery_image *image, const struct recovery_found *found,
                         size_t index, int64_t *row)
{
    const struct outcome_states *states = &found->outcome.final;
    const struct outcome_states *recovered = &image->outcome->recovered;
    const int64_t *from = outcome_row(states, index);
    for (uint32_t i = 0; i < recovered->width; i++) {
        uint32_t k = 0;
        while (!lit_atom_same(&states->items[k], &recovered->items[i]))
            k++;
        row[i] = from[k];
    }
    add_kept_columns(image, found, states, from, row + recovered->width);
}

void recovery_read_crash(const struct recovery_image *image, const struct recovery_found *found,
                         size_t index, int64_t *row)
{
    const struct outcome_states *states = &found->outcome.crash;
    uint32_t width = image->outcome->starts.width;
    const int64_t *from = outcome_row(states, index);
    outcome_pair(row, from, width, NULL, 0);
    add_kept_columns(image, found, states, from, row + width);
}

const bool *recovery_image_looked_at(const struct recovery_image *image, struct arena *arena,
                                     const struct recovery_found *found)
{
    const struct outcome_states *crash = &image->outcome->starts;
    bool *looked_at = ARENA_ARRAY(arena, bool, crash->width);
    for (uint32_t i = 0; i < crash->width; i++) {
        uint32_t location = crash->items[i].location;
        looked_at[i] = image->options->share_nothing ||
                       (found->looked_at ? found->looked_at[location] : image->accessed[location]);
    }
    return looked_at;
}
