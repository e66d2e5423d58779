/* Properties: conditions that ask for a fault, or for states that strict persistency does not leave. */
#include "litmus/lit_lower.h"

#include <string.h>

const char *const lit_property_words[] = {"", LIT_PROPERTIES(TABLE_SECOND)};
const char *const lit_property_meanings[] = {
#define X(identifier, word, meaning) [LIT_PROPERTY_##identifier] = meaning,
    LIT_PROPERTIES(X)
#undef X
};

enum lit_property lit_property_named(const char *word, size_t length)
{
    for (uint32_t i = LIT_NO_PROPERTY + 1; i < LIT_PROPERTY_END; i++)
        if (strncmp(lit_property_words[i], word, length) == 0 && !lit_property_words[i][length])
            return (enum lit_property)i;
    return LIT_NO_PROPERTY;
}

bool lit_asks_property(const struct lit_program *program, enum lit_property property)
{
    return ANY(i, program->condition_count, program->conditions[i].property == property);
}

const struct lit_location *lit_find_opaque(const struct lit_program *program)
{
    return FIND(i, program->locations, program->location_count,
                program->locations[i].nvm && program->locations[i].opaque);
}

/* It holds of all states, which are not what it asks about. */
static struct lit_condition fault_condition(struct arena *arena, enum lit_property property,
                                            struct span span)
{
    return (struct lit_condition){.property = property,
                                  .quantifier = LIT_FORALL,
                                  .prop = ARENA_MAKE(arena, struct lit_prop, .op = LIT_PROP_TRUE),
                                  .text = lit_property_words[property],
                                  .span = span};
}

/* It is told by the states that the test leaves under strict persistency, which are its source's. */
static struct lit_condition robust_condition(struct arena *arena, const struct lit_program *program,
                                             struct span span)
{
    const struct lit_refines refines = {.source = "", .persistency = "strict", .span = span};
    struct lit_condition condition = fault_condition(arena, LIT_PROPERTY_ROBUST, span);
    condition.when = program->recovery_count ? LIT_RECOVERED : LIT_CRASHED;
    condition.refines = arena_copy(arena, &refines, sizeof refines);
    return condition;
}

struct lit_condition lit_property_condition(struct arena *arena, const struct lit_program *program,
                                            enum lit_property property, struct span span)
{
    return property == LIT_PROPERTY_ROBUST ? robust_condition(arena, program, span)
                                           : fault_condition(arena, property, span);
}

struct naming {
    struct lit_atom *atoms;
    uint32_t count;
};

static void count_named(void *context, const struct lit_atom *atom)
{
    uint32_t *count = context;
    *count += atom->kind != LIT_ATOM_CONST;
}

static void note_named(void *context, const struct lit_atom *atom)
{
    struct naming *naming = context;
    if (atom->kind != LIT_ATOM_CONST &&
        !ANY(i, naming->count, lit_atom_same(&naming->atoms[i], atom)))
        naming->atoms[naming->count++] = *atom;
}

/* Without `observe`: what conditions on recovery name. */
void lit_property_observe(struct arena *arena, struct lit_program *program)
{
    struct naming naming = {NULL, 0};
    uint32_t most = 0;
    if (program->robust_in_count)
        return;
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED)
            lit_prop_each_atom(program->conditions[i].prop, count_named, &most);
    naming.atoms = ARENA_ARRAY(arena, struct lit_atom, most);
    for (uint32_t i = 0; i < program->condition_count; i++)
        if (program->conditions[i].when == LIT_RECOVERED)
            lit_prop_each_atom(program->conditions[i].prop, note_named, &naming);
    program->robust_in = naming.atoms;
    program->robust_in_count = naming.count;
}

/* The test's pairs of models are asked; what it expects of its own conditions is not. */
static void drop_verdicts(struct arena *arena, struct lit_program *program)
{
    struct lit_expect *expects = ARENA_ARRAY(arena, struct lit_expect, program->expect_count);
    for (uint32_t i = 0; i < program->expect_count; i++) {
        expects[i] = program->expects[i];
        expects[i].is_pair_only = true;
    }
    program->expects = expects;
}

const struct lit_program *lit_ask_properties(struct arena *arena, const struct lit_program *program,
                                             uint32_t properties)
{
    const struct span head = {program->source, program->line, 1, program->line, 2};
    struct lit_program *asking = arena_copy(arena, program, sizeof *program);
    struct lit_condition *conditions = ARENA_ARRAY(arena, struct lit_condition, LIT_PROPERTY_END);
    lit_property_observe(arena, asking);
    asking->conditions = conditions;
    asking->condition_count = 0;
    drop_verdicts(arena, asking);
    for (uint32_t property = LIT_NO_PROPERTY + 1; property < LIT_PROPERTY_END; property++)
        if (properties >> property & 1)
            conditions[asking->condition_count++] =
                lit_property_condition(arena, program, (enum lit_property)property, head);
    return asking;
}
