#include "hw/hw_judge.h"

#include "engine/outcome.h"
#include "report/report.h"
#include "session/session_engines.h"
#include "session/session_run.h"

#include <inttypes.h>

/* ---- Sums ---- */

static bool has_same_names(const struct hw_result *a, const struct hw_result *b)
{
    return a->width == b->width &&
           ALL(i, a->width, ANY(k, b->width, strcmp(a->names[i], b->names[k]) == 0));
}

static bool add(uint64_t *to, uint64_t number)
{
    return !__builtin_add_overflow(*to, number, to);
}

/* In the order of the sum's names. */
static const int64_t *in_order(struct arena *arena, const struct hw_result *sum,
                               const struct hw_result *other, const int64_t *values)
{
    int64_t *ordered = ARENA_ARRAY(arena, int64_t, sum->width);
    for (uint32_t i = 0; i < sum->width; i++)
        for (uint32_t k = 0; k < other->width; k++)
            if (strcmp(sum->names[i], other->names[k]) == 0)
                ordered[i] = values[k];
    return ordered;
}

bool hw_judge_sum(struct arena *arena, struct hw_result *sum, const struct hw_result *other)
{
    struct hw_seen *seen = ARENA_ARRAY(arena, struct hw_seen, sum->seen_count + other->seen_count);
    size_t size = sum->width * sizeof(int64_t);
    if (!sum->seen_count || !other->seen_count) {
        if (!sum->seen_count) { /* all gave up, or was other: it has no names */
            sum->names = other->names;
            sum->width = other->width;
            sum->seen = other->seen;
            sum->seen_count = other->seen_count;
        }
    } else if (has_same_names(sum, other)) {
        memcpy(seen, sum->seen, sum->seen_count * sizeof *seen);
        sum->seen = seen;
        for (size_t i = 0; i < other->seen_count; i++) {
            struct hw_seen one = other->seen[i];
            one.values = in_order(arena, sum, other, one.values);
            struct hw_seen *same =
                FIND(k, seen, sum->seen_count, memcmp(seen[k].values, one.values, size) == 0);
            if (!same)
                seen[sum->seen_count++] = one;
            else if (!add(&same->count, one.count) || !add(&same->launches, one.launches))
                return false;
        }
    } else {
        return false;
    }
    return add(&sum->launches, other->launches) && add(&sum->instances, other->instances) &&
           add(&sum->unfinished, other->unfinished) && add(&sum->other, other->other);
}

/* ---- One test under one model ---- */

struct naming {
    const struct lit_program *program;
    const struct hw_result *result;
};

/* The outcome's place of an atom; LIT_NONE: it has none of that name. */
static uint32_t place_of(const struct naming *naming, const struct lit_atom *atom)
{
    SCOPED(strbuf) name = {0};
    report_item(naming->program, atom, &name);
    for (uint32_t i = 0; i < naming->result->width; i++)
        if (strcmp(naming->result->names[i], strbuf_text(&name)) == 0)
            return i;
    return LIT_NONE;
}

struct looking {
    const struct naming *naming;
    const int64_t *values;
};

static int64_t look_up(const void *context, const struct lit_atom *atom)
{
    const struct looking *looking = context;
    return looking->values[place_of(looking->naming, atom)];
}

static bool passes_filter(const struct naming *naming, const int64_t *values)
{
    const struct looking looking = {naming, values};
    return !naming->program->filter ||
           outcome_prop_holds(naming->program, naming->program->filter, look_up, &looking);
}

struct missing {
    const struct naming *naming;
    bool any;
};

static void note_missing(void *context, const struct lit_atom *atom)
{
    struct missing *missing = context;
    bool is_named = atom->kind == LIT_ATOM_REGISTER || atom->kind == LIT_ATOM_LOCATION;
    missing->any |= is_named && place_of(missing->naming, atom) == LIT_NONE;
}

/* Has the result all that states and filter name? */
static bool names_all(const struct naming *naming, const struct outcome_states *states)
{
    struct missing missing = {.naming = naming};
    for (uint32_t i = 0; i < states->width; i++)
        note_missing(&missing, &states->items[i]);
    lit_prop_each_atom(naming->program->filter, note_missing, &missing);
    return !missing.any;
}

/* Could the places have these values? */
static bool are_values(const struct naming *naming, const struct outcome_states *states,
                       const int64_t *values)
{
    for (uint32_t c = 0; c < states->width; c++) {
        const int64_t value = values[place_of(naming, &states->items[c])];
        const enum lit_type type = lit_atom_type(naming->program, &states->items[c]);
        if (value != lit_value_wrap(type, value))
            return false;
    }
    return true;
}

/* The state that it shows, as a row of the model's; in the form that states have. */
static void fill_row(const struct naming *naming, const struct outcome_states *states,
                     const int64_t *values, int64_t *row)
{
    for (uint32_t c = 0; c < states->width; c++)
        row[c] = lit_value_wrap(lit_atom_type(naming->program, &states->items[c]),
                                values[place_of(naming, &states->items[c])]);
}

static void hold(struct arena *arena, const struct naming *naming,
                 const struct outcome_states *states, struct hw_judged *judged)
{
    const struct hw_result *result = naming->result;
    int64_t *row = ARENA_ARRAY(arena, int64_t, states->width);
    bool *covered = ARENA_ARRAY(arena, bool, states->count);
    judged->allowed = states->count;
    judged->worst = ARENA_ARRAY(arena, const struct hw_seen *, result->seen_count);
    for (size_t i = 0; i < result->seen_count; i++) {
        if (!passes_filter(naming, result->seen[i].values)) {
            judged->filtered++;
            continue;
        }
        fill_row(naming, states, result->seen[i].values, row);
        size_t found = outcome_find_state(states, row);
        if (found == states->count) {
            judged->worst[judged->forbidden++] = &result->seen[i];
        } else {
            judged->covered += !covered[found];
            covered[found] = true;
        }
    }
}

/* Why it says nothing that no forbidden outcome was told; NULL: it says something. */
static const char *says_nothing(struct arena *arena, const struct hw_result *result,
                                const struct hw_judged *judged)
{
    if (result->other)
        return arena_printf(arena,
                            "%" PRIu64 " instances had a value that the result does not tell",
                            result->other);
    if (!result->seen_count)
        return "no instance was finished";
    return judged->filtered == result->seen_count ? "no outcome passes the test's filter" : NULL;
}

const char *hw_judge(struct arena *arena, const struct session_case *question,
                     const struct hw_result *result, struct hw_judged *judged)
{
    const struct naming naming = {question->program, result};
    struct outcome outcome;
    const char *why = NULL;
    *judged = (struct hw_judged){.doubt = NULL};
    session_run(question, session_engine_find(question->settings->engine), &outcome, NULL);
    const char *doubt = outcome_any_doubt(&outcome);
    judged->undefined = outcome.undefined.count > 0;
    if (outcome.final.product)
        judged->doubt = "there are too many states to be listed";
    else if (doubt)
        judged->doubt = arena_strdup(arena, doubt);
    if (result->seen_count && !names_all(&naming, &outcome.final))
        why = "its outcomes do not name what the test's conditions do";
    else if (ANY(i, result->seen_count,
                 !are_values(&naming, &outcome.final, result->seen[i].values)))
        why = "it tells a value that a register or a location cannot have";
    else if (!outcome.final.product)
        hold(arena, &naming, &outcome.final, judged);
    if (judged->doubt || judged->undefined)
        judged->forbidden = 0;
    else if (!why && !judged->forbidden)
        judged->doubt = says_nothing(arena, result, judged);
    outcome_fini(&outcome);
    return why;
}
