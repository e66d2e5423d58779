/* fuzz_litmus: any bytes as a test. Parsing must neither crash, hang nor leak, and must
 * either yield a program or report at least one error; a program's dump must come out
 * and its code must stay inside its bounds. */
#include "litmus/lit_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_code(const struct lit_program *program, const struct lit_thread *thread)
{
    for (uint32_t i = 0; i < thread->code_count; i++) {
        const struct lit_instr *instr = &thread->code[i];
        BASE_CHECK(instr->target <= thread->code_count);
        BASE_CHECK(instr->dst == LIT_NONE || instr->dst < thread->register_count);
        BASE_CHECK(instr->dst_old == LIT_NONE || instr->dst_old < thread->register_count);
        BASE_CHECK(instr->loop == LIT_NONE || instr->loop < thread->loop_count);
        BASE_CHECK(instr->addr.count == 0 ||
                   instr->addr.first + instr->addr.count <= program->location_count);
    }
}

static void check_program(const struct lit_program *program)
{
    BASE_CHECK(program->thread_count > 0);
    for (uint32_t i = 0; i < program->thread_count; i++)
        check_code(program, &program->threads[i]);
    for (uint32_t i = 0; i < program->recovery_count; i++)
        check_code(program, &program->recovery[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct source *source = source_from_text(&arena, "fuzz.litmus", (const char *)data, size);
    const struct lit_program *program = lit_parse(&arena, names, source, &diag);
    BASE_CHECK((program == NULL) == (diag.errors > 0));
    diag_render(&diag, &out);
    if (program) {
        check_program(program);
        lit_program_dump(program, &out);
    }
    strbuf_fini(&out);
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
    return 0;
}
