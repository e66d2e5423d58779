/* fuzz_uses: any bytes as a definition file, of two tests that call names which seeds define.
 * Reading and expanding must neither crash, hang nor leak, and must either yield a program or
 * report an error. */
#include "fuzz_file.h"

#include "litmus/lit_parse.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char code[] =
    "OPENCL t\n{ nvm x = 0; nvm y = 0; nvm a[2]; atomic_int f = 0; }\n"
    "P0 (global int* x, global int* y, global int* a, global atomic_int* f) {\n"
    "  F(x); F(&a[1]); F(a + *y); G(x, *y + 1); int r = H(y); r = H(H(&x)); S(f, mo_rel, "
    "wg_scope);\n"
    "  if (H(x)) { W; } else W(); while (!H(f)); H(x); F(G(x, 1)); F(x, 1); Z(1);\n"
    "}\nexists (x = 1)\n";

static const char table[] =
    "PTX t\n{ nvm x = 0; nvm y = 0; }\n P0 ;\n F x ;\n G [x], 1 ;\n H r1, y ;\n"
    " G x, r1 ;\n S x, mo_rel, gpu ;\n W ;\n F r9 ;\nexists (0:r1 = 1)\n";

static void read_test(const char *text, const char *path)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct source *source = source_from_text(&arena, "fuzz.litmus", text, strlen(text));
    const struct lit_surroundings surroundings = {.uses = &path, .uses_count = 1};
    const struct lit_program *program = lit_parse_in(&arena, names, source, &surroundings, &diag);
    BASE_CHECK((program == NULL) == (diag.errors > 0));
    diag_render(&diag, &out);
    if (program)
        lit_program_dump(program, &out);
    strbuf_fini(&out);
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file file;
    fuzz_file_open(&file, data, size);
    read_test(code, file.path);
    read_test(table, file.path);
    fuzz_file_close(&file);
    return 0;
}
