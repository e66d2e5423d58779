#include "generate/gen_observe.h"

#include "report/report.h"
#include "session/session_engines.h"
#include "session/session_run.h"

#include <inttypes.h>
#include <string.h>

/* ---- Columns ---- */

static void add_column(struct gen_columns *columns, uint32_t thread, uint32_t index, uint32_t most,
                       bool is_end)
{
    columns->columns[columns->count++] =
        (struct gen_column){(uint8_t)thread, (uint8_t)index, (uint8_t)most, is_end};
}

void gen_columns_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                    enum lit_when when, struct gen_columns *columns)
{
    columns->count = 0;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        for (uint32_t i = 0; i < program->length[t]; i++)
            if (gen_reads(vocabulary, &program->ops[t][i]))
                add_column(columns, t, i,
                           gen_writes_of(vocabulary, program, program->ops[t][i].location), false);
        if (when == LIT_CRASHED && gen_shows_end(vocabulary, program, t))
            add_column(columns, t, GEN_NOWHERE, 1, true);
    }
    for (uint32_t l = 0; l < program->location_count; l++)
        if (when == LIT_FINAL || program->nvm >> l & 1)
            add_column(columns, GEN_NOWHERE, l, gen_writes_of(vocabulary, program, l), false);
}

uint8_t *gen_outcome_place(struct gen_outcome *outcome, const struct gen_column *column)
{
    if (column->thread == GEN_NOWHERE)
        return &outcome->memory[column->index];
    return column->is_end ? &outcome->ends[column->thread]
                          : &outcome->reads[column->thread][column->index];
}

/* ---- The question ---- */

static void mention(const struct gen_test *test, enum lit_when when, struct strbuf *out)
{
    struct gen_columns columns;
    struct gen_outcome all;
    gen_columns_of(test->vocabulary, test->program, when, &columns);
    gen_outcome_init(&all);
    for (uint32_t c = 0; c < columns.count; c++)
        *gen_outcome_place(&all, &columns.columns[c]) = 0;
    strbuf_add(out, when == LIT_CRASHED ? "crash exists (" : "exists (");
    gen_print_outcome(test->vocabulary, test->program, &all, out);
    strbuf_add(out, ")\n");
}

static void print_test(const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                       const struct gen_program *program, uint32_t kinds, struct strbuf *out)
{
    const struct gen_test test = {
        .name = "program", .vocabulary = vocabulary, .dialect = dialect, .program = program};
    gen_print(&test, out);
    if (kinds & GEN_FINAL)
        mention(&test, LIT_FINAL, out);
    if (kinds & GEN_CRASHED)
        mention(&test, LIT_CRASHED, out);
}

void gen_observe_read(struct session_test *test, const struct session_settings *settings,
                      const struct gen_vocabulary *vocabulary, enum gen_dialect dialect,
                      const struct gen_program *program, uint32_t kinds, struct strbuf *text)
{
    strbuf_clear(text);
    print_test(vocabulary, dialect, program, kinds, text);
    session_test_read(test, settings, "program", strbuf_text(text), text->length);
    if (!test->program)
        base_die("internal error: a generated program cannot be read: %s\n%s",
                 diag_first_error(&test->diag)->message, strbuf_text(text));
}

void gen_observe(const struct session_settings *settings, const struct session_model *model,
                 const struct lit_program *program, struct session_parts parts,
                 struct outcome *outcome)
{
    const struct session_case question = session_case_begin(settings, model, program, parts);
    session_run(&question, session_engine_find(settings->engine), outcome, NULL);
}

/* ---- States as texts ---- */

const char *gen_observe_row(struct arena *arena, const struct lit_program *program,
                            const struct outcome_states *states, const int64_t *row)
{
    struct strbuf text = {0};
    for (uint32_t c = 0; c < states->width; c++) {
        if (states->items[c].kind == LIT_ATOM_GIVEN)
            continue;
        strbuf_add(&text, text.length ? "; " : "");
        report_item(program, &states->items[c], &text);
        if (outcome_lacks_value(states->items, row, c))
            strbuf_add(&text, "=-");
        else
            strbuf_printf(&text, "=%" PRId64, row[c]);
    }
    return strbuf_take(&text, arena);
}

/* ---- Telling states apart ---- */

enum { MAX_ATOMS = 64 };

/* What a proposition can say of a state, a column each: its value, or that it has none. */
struct saying {
    const struct outcome_states *others;
    const int64_t *row;
    uint32_t columns[MAX_ATOMS];
    uint32_t count;
};

static bool says_none(const struct saying *saying, uint32_t column)
{
    return outcome_lacks_value(saying->others->items, saying->row, column);
}

static bool is_met_by(const struct saying *saying, const int64_t *other)
{
    for (uint32_t i = 0; i < saying->count; i++) {
        uint32_t c = saying->columns[i];
        bool none = outcome_lacks_value(saying->others->items, other, c);
        if (none != says_none(saying, c) || (!none && other[c] != saying->row[c]))
            return false;
    }
    return true;
}

static bool tells_apart(const struct saying *saying)
{
    return !ANY(i, saying->others->count, is_met_by(saying, outcome_row(saying->others, i)));
}

static void leave_out(struct saying *saying, uint32_t at)
{
    saying->count--;
    memmove(&saying->columns[at], &saying->columns[at + 1],
            (saying->count - at) * sizeof *saying->columns);
}

/* What can be spared: first what says that there is no value, then that it is 0, then the rest. */
static void thin_out(struct saying *saying)
{
    for (int round = 0; round < 3; round++)
        for (uint32_t i = saying->count; i-- > 0;) {
            uint32_t column = saying->columns[i];
            int kind = says_none(saying, column) ? 0 : saying->row[column] == 0 ? 1 : 2;
            struct saying less = *saying;
            if (kind != round)
                continue;
            leave_out(&less, i);
            if (tells_apart(&less))
                *saying = less;
        }
}

static const char *text_of(struct arena *arena, const struct lit_program *program,
                           const struct saying *saying)
{
    struct strbuf text = {0};
    for (uint32_t i = 0; i < saying->count; i++) {
        uint32_t column = saying->columns[i];
        bool none = says_none(saying, column);
        strbuf_add(&text, i ? " /\\ " : "");
        strbuf_add(&text, none ? "~(" : "");
        report_item(program, &saying->others->items[column], &text);
        if (none)
            strbuf_add(&text, " >= 0)");
        else
            strbuf_printf(&text, " = %" PRId64, saying->row[column]);
    }
    return saying->count ? strbuf_take(&text, arena) : "true";
}

static uint32_t weight_of(const struct saying *saying)
{
    uint32_t weight = 4 * saying->count;
    for (uint32_t i = 0; i < saying->count; i++)
        weight += says_none(saying, saying->columns[i]) ? 4 : 0;
    return weight;
}

static struct saying all_of(const struct outcome_states *others, const int64_t *row)
{
    struct saying saying = {.others = others, .row = row};
    for (uint32_t c = 0; c < others->width; c++)
        if (others->items[c].kind != LIT_ATOM_GIVEN)
            saying.columns[saying.count++] = c;
    return saying;
}

const char *gen_observe_tell_apart(struct arena *arena, const struct lit_program *program,
                                   const struct outcome_states *states,
                                   const struct outcome_states *others, const int64_t **row)
{
    struct saying best = {.row = NULL};
    struct outcome_states alike = *others; /* with columns, which an empty set may lack */
    alike.items = states->items;
    alike.width = states->width;
    if (states->product || others->product || states->width > MAX_ATOMS)
        return NULL;
    for (size_t i = 0; i < states->count; i++) {
        struct saying saying = all_of(&alike, outcome_row(states, i));
        if (!tells_apart(&saying))
            continue;
        thin_out(&saying);
        if (!best.row || weight_of(&saying) < weight_of(&best))
            best = saying;
    }
    if (!best.row)
        return NULL;
    *row = best.row;
    return text_of(arena, program, &best);
}
