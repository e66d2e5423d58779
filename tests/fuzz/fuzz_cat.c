/* fuzz_cat: any bytes as a visibility model, beside an empty persistency model.
 * Loading must neither crash, hang nor leak, and must either yield a model or
 * report at least one error; a model's dump must come out. */
#include "../unit/test_cat_basis.h"
#include "base/diag.h"
#include "cat/cat_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct diag diag;
    struct strbuf out = {0};
    arena_init(&arena);
    diag_init(&diag);
    const struct source *visibility =
        source_from_text(&arena, "fuzz.cat", (const char *)data, size);
    const struct source *persistency = source_from_text(&arena, "empty.cat", "", 0);
    const struct cat_model *model =
        cat_model_load_sources(&arena, &test_cat_basis, NULL, visibility, persistency, &diag);
    BASE_CHECK((model == NULL) == (diag.errors > 0));
    diag_render(&diag, &out);
    if (model)
        cat_model_dump(model, &out);
    strbuf_fini(&out);
    diag_fini(&diag);
    arena_fini(&arena);
    return 0;
}
