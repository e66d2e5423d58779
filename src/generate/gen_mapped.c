#include "generate/gen_mapped.h"

#include "base/intern.h"
#include "session/session_mapping.h"

#include <string.h>

bool gen_mapper_init(struct gen_mapper *mapper, const struct session_settings *settings,
                     const char *name, struct diag *diag)
{
    *mapper = (struct gen_mapper){.names = intern_new(), .settings = settings};
    mapper->mapping = session_mapping_load(&mapper->arena, mapper->names, settings, name, diag);
    for (const struct lit_scheme *scheme = mapper->mapping ? mapper->mapping->schemes : NULL;
         scheme; scheme = scheme->next) {
        if (!scheme->pragma)
            continue;
        diag_error(diag, DIAG_LIT_MAPPING, NOWHERE,
                   "the mapping '%s' is of what stands under '#pragma %s', and generated programs "
                   "have no pragmas; expected one of 'everywhere', such as spb-gpm",
                   name, scheme->pragma);
        return false;
    }
    if (mapper->mapping && mapping_is_file(name))
        mapper->file = arena_strdup(&mapper->arena, name);
    return mapper->mapping != NULL;
}

void gen_mapper_fini(struct gen_mapper *mapper)
{
    intern_free(mapper->names);
    arena_fini(&mapper->arena);
}

const char *gen_mapped_text(struct gen_mapper *mapper, struct arena *arena, const char *name,
                            const char *text)
{
    const struct lit_surroundings surroundings = {
        .reach = &mapper->settings->reach,
        .uses = mapper->settings->uses,
        .uses_count = mapper->settings->uses_count,
        .folder = mapper->file ? reach_folder(arena, mapper->file) : NULL};
    const struct source *source = source_from_text(arena, name, text, strlen(text));
    struct lit_mapped mapped;
    SCOPED(diag) diag = {0};
    bool good =
        mapping_apply(arena, mapper->names, mapper->mapping, source, &surroundings, &diag, &mapped);
    return good ? arena_strndup(arena, mapped.text, mapped.length) : NULL;
}

void gen_mapped_test(const struct gen_mapper *mapper, struct session_test *test, const char *name,
                     const char *text)
{
    if (!mapper->file) {
        session_test_read(test, mapper->settings, name, text, strlen(text));
        return;
    }
    session_test_begin(test, mapper->file);
    session_test_take(test, mapper->settings, name, text, strlen(text));
}

static void add_condition(const struct gen_test *test, const char *kind, struct strbuf *out)
{
    struct gen_outcome all;
    gen_outcome_init(&all);
    for (uint32_t l = 0; l < test->program->location_count; l++)
        if (test->program->nvm >> l & 1)
            all.memory[l] = 0;
    strbuf_printf(out, "%sexists (", kind);
    gen_print_outcome(test->vocabulary, test->program, &all, out);
    strbuf_add(out, ")\n");
}

bool gen_mapped_read(struct gen_mapper *mapper, const struct gen_vocabulary *vocabulary,
                     enum gen_dialect dialect, const struct gen_program *program,
                     struct session_test *source, struct session_test *target)
{
    const struct gen_test test = {
        .name = "program", .vocabulary = vocabulary, .dialect = dialect, .program = program};
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) text = {0};
    gen_print(&test, &text);
    add_condition(&test, "", &text);
    add_condition(&test, "crash ", &text);
    const char *mapped = gen_mapped_text(mapper, &arena, "program", strbuf_text(&text));
    if (mapped) {
        gen_mapped_test(mapper, source, "program", strbuf_text(&text));
        gen_mapped_test(mapper, target, "program", mapped);
        BASE_CHECK(source->program && target->program); /* both have been read before */
    }
    return mapped != NULL;
}
