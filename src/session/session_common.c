#include "session/session_common.h"

#include "base/strbuf.h"

#include <string.h>

/* States show it, those of crashes too. */
static bool is_shown(const struct lit_location *location)
{
    return location->nvm && !location->hidden;
}

/* The number of the shown location of this name, LIT_NONE when there is none. */
static uint32_t find_location(const struct lit_program *program, const char *name)
{
    for (uint32_t l = 0; l < program->location_count; l++)
        if (is_shown(&program->locations[l]) && strcmp(program->locations[l].name, name) == 0)
            return l;
    return LIT_NONE;
}

/* What is to say "x, y and z", or "none". */
static const char *names_of(struct arena *arena, const struct lit_program *program)
{
    enum { MOST = 8 };
    const char *names[MOST + 1];
    uint32_t count = 0;
    for (uint32_t l = 0; l < program->location_count && count <= MOST; l++)
        if (is_shown(&program->locations[l])) {
            names[count] = count < MOST ? program->locations[l].name : "others";
            count++;
        }
    return count ? arena_list(arena, names, count) : "none";
}

static bool fits(const struct lit_location *target, const struct lit_location *source,
                 struct span span, struct diag *diag)
{
    struct strbuf values[2] = {{0}, {0}};
    if (target->type != source->type) {
        diag_error(diag, DIAG_CLI_REFINES, span,
                   "'%s' is of type %s here and of type %s in the source; give it one type in both",
                   target->name, lit_declare_type_name(target->type),
                   lit_declare_type_name(source->type));
        return false;
    }
    if (target->init == source->init)
        return true;
    lit_value_print(target->type, target->init, &values[0]);
    lit_value_print(source->type, source->init, &values[1]);
    diag_error(diag, DIAG_CLI_REFINES, span,
               "'%s' is %s at first here and %s in the source; let both begin in one state",
               target->name, strbuf_text(&values[0]), strbuf_text(&values[1]));
    strbuf_fini(&values[0]);
    strbuf_fini(&values[1]);
    return false;
}

/* Appends the names of what only the first has. */
static void add_alone(struct arena *arena, const struct lit_program *program,
                      const struct lit_program *other, struct session_common *common)
{
    const char **alone =
        ARENA_ARRAY(arena, const char *, common->alone_count + program->location_count);
    if (common->alone_count)
        memcpy(alone, common->alone, common->alone_count * sizeof *alone);
    for (uint32_t l = 0; l < program->location_count; l++)
        if (is_shown(&program->locations[l]) &&
            find_location(other, program->locations[l].name) == LIT_NONE)
            alone[common->alone_count++] = program->locations[l].name;
    common->alone = alone;
}

bool session_common_find(struct arena *arena, const struct lit_program *target,
                         const struct lit_program *source, struct span span,
                         struct session_common *common, struct diag *diag)
{
    uint32_t *here = ARENA_ARRAY(arena, uint32_t, target->location_count);
    uint32_t *there = ARENA_ARRAY(arena, uint32_t, target->location_count);
    bool fit = true;
    *common = (struct session_common){.target = here, .source = there};
    for (uint32_t l = 0; l < target->location_count; l++) {
        const struct lit_location *location = &target->locations[l];
        uint32_t other = is_shown(location) ? find_location(source, location->name) : LIT_NONE;
        if (other == LIT_NONE)
            continue;
        fit &= fits(location, &source->locations[other], span, diag);
        here[common->count] = l;
        there[common->count++] = other;
    }
    add_alone(arena, target, source, common);
    add_alone(arena, source, target, common);
    if (common->count)
        return fit;
    diag_error(
        diag, DIAG_CLI_REFINES, span,
        "no non-volatile location of this test is one of the source by its name, so there is "
        "nothing to compare; here there are %s, in the source %s",
        names_of(arena, target), names_of(arena, source));
    return false;
}
