/* A program is asked about as a test in memory, whose condition names every observable. */
#include "generate/gen_states.h"

#include "session/session_engines.h"
#include "session/session_run.h"
#include "session/session_test.h"

#include <stdlib.h>
#include <string.h>

/* ---- Columns ---- */

static bool add_column(struct gen_columns *columns, uint32_t thread, uint32_t index, uint32_t most,
                       bool is_end)
{
    if (columns->count == GEN_MAX_COLUMNS || most > GEN_MAX_VALUE)
        return false;
    columns->columns[columns->count++] =
        (struct gen_column){(uint8_t)thread, (uint8_t)index, (uint8_t)most, is_end};
    return true;
}

bool gen_columns_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                    enum lit_when when, struct gen_columns *columns)
{
    bool fits = true;
    columns->count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        for (uint32_t i = 0; i < program->length[t]; i++)
            if (gen_reads(vocabulary, &program->ops[t][i]))
                fits &= add_column(columns, t, i,
                                   gen_writes_of(vocabulary, program, program->ops[t][i].location),
                                   false);
        if (when == LIT_CRASHED && gen_shows_end(vocabulary, program, t))
            fits &= add_column(columns, t, GEN_NOWHERE, 1, true);
    }
    for (uint32_t l = 0; l < program->location_count; l++)
        if (when == LIT_FINAL || program->nvm >> l & 1)
            fits &=
                add_column(columns, GEN_NOWHERE, l, gen_writes_of(vocabulary, program, l), false);
    return fits;
}

uint8_t *gen_outcome_place(struct gen_outcome *outcome, const struct gen_column *column)
{
    if (column->thread == GEN_NOWHERE)
        return &outcome->memory[column->index];
    return column->is_end ? &outcome->ends[column->thread]
                          : &outcome->reads[column->thread][column->index];
}

/* ---- The question ---- */

/* An outcome that names all columns, so that states have them. */
static void print_question(struct gen_asker *asker, const struct gen_program *program,
                           enum lit_when when, const struct gen_columns *columns)
{
    struct gen_outcome outcome;
    gen_outcome_init(&outcome);
    for (uint32_t c = 0; c < columns->count; c++)
        *gen_outcome_place(&outcome, &columns->columns[c]) = 0;
    const struct gen_test test = {.name = "asked",
                                  .vocabulary = asker->vocabulary,
                                  .dialect = asker->dialect,
                                  .program = program,
                                  .when = when,
                                  .quantifier = LIT_EXISTS,
                                  .outcomes = &outcome,
                                  .outcome_count = 1};
    strbuf_clear(&asker->text);
    gen_print(&test, &asker->text);
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
    uint32_t items[GEN_MAX_COLUMNS];
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

static void run(struct gen_asker *asker, const struct session_test *test,
                const struct session_settings *settings, struct outcome *outcome)
{
    static const struct session_parts nobody = {.context = NULL};
    const struct session_case question =
        session_case_begin(settings, asker->model, test->program, nobody);
    session_run(&question, session_engine_find(asker->engine), outcome, NULL);
    asker->asked++;
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
    if (!gen_columns_of(asker->vocabulary, program, when, &columns)) {
        states->doubt = "there is more to be seen than is looked at";
        return;
    }
    settings.engine = asker->engine;
    settings.states = true;
    settings.decide = false;
    print_question(asker, program, when, &columns);
    session_test_read(&test, &settings, "asked", asker->text.text, asker->text.length);
    BASE_CHECK(test.program);
    run(asker, &test, &settings, &outcome);
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
    for (uint32_t i = 0; i < states->count; i++)
        if ((states->states[i] & mask) == wanted)
            return true;
    return false;
}
