/* What tests of generated programs share. */
#ifndef CRASHLIT_TEST_GEN_FIXTURE_H
#define CRASHLIT_TEST_GEN_FIXTURE_H

#include "unit.h"

#include "generate/gen_chosen.h"
#include "generate/gen_enumerate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The built-in vocabularies; they last as long as the process. */
static inline struct gen_vocabularies *gen_all_vocabularies(void)
{
    static struct arena arena;
    static struct session_settings settings;
    static struct gen_vocabularies all = {.arena = &arena, .settings = &settings};
    return &all;
}
static inline const struct gen_vocabulary *gen_vocabulary_named(const char *name)
{
    return gen_vocabulary_find(gen_all_vocabularies(), name);
}

/* Files of a test's own, in a folder of their own: a definition file and models. */
struct gen_own {
    char folder[32];
    struct arena arena;
    struct session_settings settings;
    struct diag diag;
};

static inline const char *gen_own_file(struct gen_own *own, const char *name, const char *text)
{
    const char *path = arena_printf(&own->arena, "%s/%s", own->folder, name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    CU_ASSERT_EQUAL(fclose(file), 0);
    return path;
}

/* The vocabulary of a definition file; NULL: there is none. To be ended by gen_own_end. */
static inline const struct gen_vocabulary *gen_own_begin(struct gen_own *own,
                                                         const char *definitions)
{
    struct gen_vocabularies all = {.arena = &own->arena, .settings = &own->settings};
    const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES];
    *own = (struct gen_own){.folder = "/tmp/crashlit-unit-XXXXXX",
                            .settings = {.unroll = 2, .engine = "enum", .states = true}};
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(own->folder));
    own->settings.uses[own->settings.uses_count++] = gen_own_file(own, "own.def", definitions);
    return gen_vocabularies_of(&all, NULL, NULL, 0, false, chosen, &own->diag) ? chosen[0] : NULL;
}

static inline void gen_own_end(struct gen_own *own)
{
    static const char *const names[] = {"own.def", "own.vocabulary", "a.cat", "b.cat"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(arena_printf(&own->arena, "%s/%s", own->folder, names[i]));
    CU_ASSERT_EQUAL(rmdir(own->folder), 0);
    diag_fini(&own->diag);
    arena_fini(&own->arena);
}

/* A definition file of some instructions, and their names. */
struct gen_drawn {
    struct strbuf text;
    uint32_t count;
    uint32_t kinds[4];
};
enum {
    GEN_DRAWN_FENCE,
    GEN_DRAWN_FLUSH,
    GEN_DRAWN_STORE,
    GEN_DRAWN_LOAD,
    GEN_DRAWN_SCOPED,
    GEN_DRAWN_KINDS
};

/* Each is called i0, i1, .. and has a tag of that name. */
static inline void gen_draw_definitions(struct gen_drawn *drawn, uint32_t count, uint64_t *seed)
{
    static const char *const texts[] = {"i%u() { __fence{i%u}; }\n", "i%u(X) { __cm{i%u}(X); }\n",
                                        "i%u(X, V) { __store{i%u}(X, V); }\n",
                                        "i%u(X) __load{i%u}(X)\n", "i%u(S) { __fence{i%u, S}; }\n"};
    drawn->count = count;
    strbuf_clear(&drawn->text);
    for (uint32_t i = 0; i < count; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        drawn->kinds[i] = (uint32_t)(*seed >> 33) % GEN_DRAWN_KINDS;
        strbuf_printf(&drawn->text, texts[drawn->kinds[i]], i, i);
    }
}

/* Puts work-items `a` and `b` apart below `scope`: they share its instance and no narrower one.
 * LIT_SCOPE_ALL: they are on two devices. For three and more, set instances one by one. */
static inline void gen_place_apart(struct gen_program *program, uint32_t a, uint32_t b,
                                   enum lit_scope scope)
{
    BASE_ASSERT(scope >= LIT_SCOPE_SG && scope <= LIT_SCOPE_ALL);
    BASE_ASSERT(a < program->thread_count && b < program->thread_count);
    memcpy(program->place[b], program->place[a], sizeof program->place[b]);
    for (uint32_t level = 0; level < GEN_LEVELS && level + LIT_SCOPE_SG < scope; level++)
        program->place[b][level] = (uint8_t)(a > b ? a : b);
}

/* Enumerates all units. */
static inline uint64_t gen_enumerate_all(const struct gen_bound *bound, gen_visit *visited,
                                         void *context)
{
    uint64_t units = gen_units(bound), count = 0;
    for (uint64_t unit = 0; unit < units; unit++)
        count += gen_enumerate(bound, unit, visited, context);
    return count;
}

#endif
