/* fuzz_mapping: any bytes as a mapping file, at work on a test with statements and on one with
 * columns. Reading and mapping must neither crash, hang nor leak; either yields a text, which is a
 * test, or reports an error. */
#include "fuzz_file.h"

#include "mapping/mapping.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char code[] =
    "OPENCL t\nuses \"lin.def\"\n{ nvm x = 0; nvm y = 0; nvm a[4]; v = 0; }\n"
    "P0@kr 0 (global int* x, global int* y, global int* a, global int* v) {\n"
    "  #pragma p\n  *x = 1; *y = *v + 2; // two\n  a[*v] = 3;\n  int i = 0;\n  a[i] = 4;\n  i = "
    "1;\n"
    "  if (*v) *x = 5; else { *y = 6; }\n"
    "  for (int k = 0; k < 2; k++) a[k] = 7;\n"
    "  clwb(x); sfence(); p_barrier_wi; clwb(&a[i]);\n  barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "  #pragma p end\n"
    "  #pragma q scope=2\n"
    "  for (int j = 0; j < 4; j += 1) {\n    a[j] = j;\n    if (*v) { *x = j; }\n  }\n"
    "  #pragma r\n  launch 1; launch 2; join 2;\n"
    "}\n"
    "P1@kr 1 (global int* x) { *x = 8; }\n"
    "P2@kr 2 (global int* y) { p_barrier_wg; }\n"
    "crash exists (x = 1)\nexpect sc + none : ok\n";

static const char table[] = "PTX t\nuses \"lin.def\"\n{ nvm x = 0; nvm y = 0; v = 0; }\n"
                            " P0              | P1              ;\n"
                            " pragma \"p\"      | pragma \"q\"      ;\n"
                            " st.weak x, 1    | ld.weak r0, v   ;\n"
                            " st.weak y, 2    | pbar.thread     ;\n"
                            " sfence          | st.release.gpu y, r0 ;\n"
                            " atom.relaxed.gpu.add r1, x, 1 |  clwb y ;\n"
                            " pragma \"p end\"  |                 ;\n"
                            "exists (x = 1)\n";

/* A mapping keeps the names that it was loaded with. */
static void map(const char *text, const char *path)
{
    static const struct reach nothing;
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    struct lit_mapped mapped;
    arena_init(&arena);
    diag_init(&diag);
    struct intern *names = intern_new();
    const struct source *source = source_from_text(&arena, "fuzz.litmus", text, strlen(text));
    const struct lit_surroundings none = {0};
    const struct mapping *mapping = mapping_load(&arena, names, &nothing, path, &diag);
    BASE_CHECK((mapping == NULL) == (diag.errors > 0));
    if (mapping) {
        bool good = mapping_apply(&arena, names, mapping, source, &none, &diag, &mapped);
        BASE_CHECK(good == (diag.errors == 0));
    }
    diag_render(&diag, &out);
    strbuf_fini(&out);
    intern_free(names);
    diag_fini(&diag);
    arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file file;
    fuzz_file_open(&file, data, size);
    map(code, file.path);
    map(table, file.path);
    fuzz_file_close(&file);
    return 0;
}
