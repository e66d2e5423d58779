#include "generate/gen_states.h"

#include "session/session_engines.h"

#include <stdlib.h>
#include <string.h>

static bool can_be_packed(const struct gen_columns *columns)
{
    return columns->count <= GEN_MOST_PACKED &&
           ALL(c, columns->count, columns->columns[c].most <= GEN_MAX_VALUE);
}

static uint32_t location_number(const struct lit_program *program, uint32_t location)
{
    uint32_t l = 0;
    while (strcmp(gen_location_names[l], program->locations[location].name) != 0)
        l++;
    return l;
}

/* Does the item of a state stand for the column? */
static bool is_item_of(const struct gen_asker *asker, const struct gen_program *generated,
                       const struct lit_program *program, const struct lit_atom *item,
                       const struct gen_column *column)
{
    if (item->kind == LIT_ATOM_LOCATION)
        return column->thread == GEN_NOWHERE &&
               location_number(program, item->location) == column->index;
    if (item->kind != LIT_ATOM_REGISTER || item->thread != column->thread)
        return false;
    const char *name = program->threads[item->thread].registers[item->reg].name;
    if (column->is_end)
        return strcmp(name, "ended") == 0;
    return name[0] == 'r' &&
           strtoul(name + 1, NULL, 10) ==
               gen_register(asker->vocabulary, generated, column->thread, column->index);
}

static int order_of_states(const void *a, const void *b)
{
    gen_state left = *(const gen_state *)a, right = *(const gen_state *)b;
    return (left > right) - (left < right);
}

/* `items[c]` is the item of column c. */
static gen_state state_of(const struct outcome_states *from, const struct gen_columns *columns,
                          const uint32_t *items, const int64_t *row)
{
    gen_state state = 0;
    for (uint32_t c = 0; c < columns->count; c++) {
        uint64_t value = outcome_lacks_value(from->items, row, items[c]) ? GEN_NO_VALUE
                                                                         : (uint64_t)row[items[c]];
        BASE_CHECK(value <= GEN_NO_VALUE);
        state |= value << 4 * c;
    }
    return state;
}

static void take_states(const struct gen_asker *asker, const struct gen_program *generated,
                        const struct lit_program *program, const struct gen_columns *columns,
                        const struct outcome_states *from, struct gen_states *states)
{
    uint32_t items[GEN_MOST_PACKED];
    for (uint32_t c = 0; c < columns->count; c++) {
        items[c] = 0;
        while (items[c] < from->width &&
               !is_item_of(asker, generated, program, &from->items[items[c]], &columns->columns[c]))
            items[c]++;
        BASE_CHECK(items[c] < from->width);
    }
    if (from->product || from->count > GEN_MAX_STATES) {
        states->doubt = "there are more states than are looked at";
        return;
    }
    for (size_t i = 0; i < from->count; i++)
        states->states[states->count++] = state_of(from, columns, items, outcome_row(from, i));
    qsort(states->states, states->count, sizeof *states->states, order_of_states);
}

void gen_ask(struct gen_asker *asker, const struct gen_program *program, enum lit_when when,
             struct gen_states *states)
{
    struct session_settings settings = *asker->settings;
    struct gen_columns columns;
    struct session_test test;
    struct outcome outcome;
    states->undefined = false;
    states->doubt = NULL;
    states->count = 0;
    gen_columns_of(asker->vocabulary, program, when, &columns);
    if (!can_be_packed(&columns)) {
        states->doubt = "there is more to be seen than is looked at";
        return;
    }
    settings.engine = asker->engine;
    settings.states = true;
    settings.decide = false;
    gen_observe_read(&test, &settings, asker->vocabulary, asker->dialect, program, 1u << when,
                     &asker->text);
    gen_observe(&settings, asker->model, test.program, (struct session_parts){0}, &outcome);
    asker->asked++;
    states->undefined = outcome.undefined.count > 0;
    if (outcome_any_doubt(&outcome))
        states->doubt = "the engine did not come to an end";
    if (!states->undefined && !states->doubt)
        take_states(asker, program, test.program, &columns,
                    when == LIT_CRASHED ? &outcome.crash : &outcome.final, states);
    outcome_fini(&outcome);
    session_test_fini(&test);
}

void gen_asker_fini(struct gen_asker *asker)
{
    strbuf_fini(&asker->text);
}

bool gen_allows(const struct gen_columns *columns, const struct gen_states *states,
                const struct gen_outcome *outcome)
{
    gen_state mask = 0, wanted = 0;
    if (states->undefined)
        return true;
    for (uint32_t c = 0; c < columns->count; c++) {
        uint8_t value = *gen_outcome_place((struct gen_outcome *)outcome, &columns->columns[c]);
        if (value != GEN_ANY) {
            mask |= (gen_state)15 << 4 * c;
            wanted |= (gen_state)value << 4 * c;
        }
    }
    return ANY(i, states->count, (states->states[i] & mask) == wanted);
}
