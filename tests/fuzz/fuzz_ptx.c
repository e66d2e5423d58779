/* fuzz_ptx: any bytes as compiled code. Its first kernel is launched with as many arguments as it
 * takes. Reading, specialising and lowering must neither crash, hang nor leak, and must either
 * yield a program or report an error. */
#include "litmus/lit_parse.h"
#include "ptx/ptx_module.h"

#include <ctype.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_name(const char *text)
{
    for (const char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_')
            return false;
    return isalpha((unsigned char)text[0]) || text[0] == '_';
}

/* NULL: there is no kernel that a test can name. */
static char *test_of(struct arena *arena, struct intern *names, const struct source *code)
{
    struct diag diag;
    char *text = NULL;
    diag_init(&diag);
    struct ptx_module *module = ptx_module_read(arena, names, &diag, code);
    BASE_CHECK((module != NULL) == (diag.errors == 0));
    if (module && module->kernels.count && is_name(module->kernels.items[0]->name)) {
        static const char *const args[] = {"x", "p", "s", "3"};
        size_t count = module->kernels.items[0]->params.count;
        text = arena_printf(arena,
                            "CUDA t\ncode \"k.ptx\"\nstruct pair { uint a; ulong b; uint c; };\n"
                            "{ nvm uint x[4]; struct pair p[2]; char s[8]; }\n"
                            "host { %s<<<1, 2, 16>>>(",
                            module->kernels.items[0]->name);
        for (size_t i = 0; i < count && i < 64; i++)
            text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", args[i % 4]);
        text = arena_printf(arena, "%s); }\ncrash exists (x[0] = 1)\n", text);
    }
    if (module)
        ptx_module_free(module);
    diag_fini(&diag);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct diag diag;
    struct intern *names = intern_new();
    arena_init(&arena);
    diag_init(&diag);
    const struct source *code = source_from_text(&arena, "k.ptx", (const char *)data, size);
    const struct lit_surroundings around = {.code = code};
    char *text = code ? test_of(&arena, names, code) : NULL;
    if (text) {
        const struct source *test = source_from_text(&arena, "t.litmus", text, strlen(text));
        const struct lit_program *program = lit_parse_in(&arena, names, test, &around, &diag);
        BASE_CHECK((program != NULL) == (diag.errors == 0));
    }
    diag_fini(&diag);
    intern_free(names);
    arena_fini(&arena);
    return 0;
}
