/* fuzz_machine: any bytes as a machine file. Reading must neither crash, hang nor leak, and must
 * either yield a machine or report an error. A machine is drawn and runs a small test, with the
 * reduction and without: where no limit is met the states are the same. */
#include "engine/outcome.h"
#include "litmus/lit_parse.h"
#include "explore/mach_config.h"
#include "explore/mach_engine.h"
#include "pipeline/pipe_draw.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STATES = 4000 };

/* Tags of several mechanisms, each of which is another instruction of a description. */
static const char test[] =
    "OPENCL t\n{ nvm x = 0; nvm{host} y = 0; line {x, y}; }\n"
    "P0{cpu} (global int* x, global int* y) {\n"
    "  __fence{tx_begin}; *x = 1; __fence{sfence}; *y = 1; __cm{clwb}(x); __fence{tx_end};\n"
    "}\n"
    "P1 (global int* x, global int* y) {\n"
    "  int r = *y; __fence{gpm_persist, mo_sc, all_scope}; *x = r + 2; p_barrier_wi;\n"
    "}\n"
    "crash exists (x = 1)\n";

static void run(const struct lit_program *program, const struct mach_file *file, bool no_reduction,
                struct outcome *outcome)
{
    const struct mach_choice choice = {
        .file = file, .max_states = MOST_STATES, .no_reduction = no_reduction};
    const struct engine_request request = {.program = program,
                                           .crash_mode = engine_default_crash_mode(program),
                                           .limits.unroll = 1,
                                           .own = &choice};
    outcome_init(outcome, program);
    mach_run(&request, outcome);
}

static bool same_states(const struct outcome_states *a, const struct outcome_states *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++)
        same = outcome_has_state(b, outcome_row(a, i));
    return same;
}

static void run_machine(struct arena *arena, struct intern *names, const struct mach_file *file)
{
    struct diag diag;
    struct outcome reduced, whole;
    diag_init(&diag);
    const struct source *source = source_from_text(arena, "fuzz.litmus", test, strlen(test));
    const struct lit_program *program = lit_parse(arena, names, source, &diag);
    BASE_CHECK(program);
    run(program, file, false, &reduced);
    run(program, file, true, &whole);
    if (!outcome_any_doubt(&reduced) && !outcome_any_doubt(&whole))
        BASE_CHECK(same_states(&reduced.crash, &whole.crash) &&
                   same_states(&reduced.final, &whole.final));
    outcome_fini(&reduced);
    outcome_fini(&whole);
    diag_fini(&diag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct source *source =
        source_from_text(&arena, "fuzz.machine", (const char *)data, size);
    const struct mach_file *file = mach_config_parse(&arena, source, &diag);
    BASE_CHECK((file == NULL) == (diag.errors > 0));
    diag_render(&diag, &out);
    if (file && file->config.pipe)
        mach_pipe_draw(file->config.pipe, &out);
    if (file)
        run_machine(&arena, names, file);
    strbuf_fini(&out);
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
    return 0;
}
