/* Finds the forbidden outcomes that say as little as possible, column by column. A set of bits has
 * the states that fit the outcome so far; the outcome is forbidden once the set is empty. */
#include "generate/gen_minimal.h"

#include <string.h>

enum { WORDS = GEN_MAX_STATES / 64 };

typedef uint64_t state_set[WORDS];

struct search {
    const struct gen_vocabulary *vocabulary;
    const struct gen_program *program;
    struct gen_columns columns;
    struct gen_states states;
    uint32_t words;
    /* The states with a value in a column. */
    state_set with[GEN_MOST_PACKED][GEN_MAX_VALUE + 1];
    uint8_t said[GEN_MOST_PACKED]; /* or GEN_ANY */
    struct gen_minimal *minimal;
};

/* ---- Impossible by the program itself ---- */

/* Does the outcome say that the operation was not executed? */
static bool is_skipped(const struct gen_program *p, const struct gen_outcome *outcome, uint32_t t,
                       uint32_t i)
{
    BASE_ASSERT(t < p->thread_count);
    const struct gen_op *op = &p->ops[t][i];
    bool initial = outcome->reads[t][op->on] == 0;
    return op->dependency == GEN_GUARD ? initial : op->dependency == GEN_UNLESS && !initial;
}

static bool names_value(const struct gen_vocabulary *v, const struct gen_program *p,
                        const struct gen_outcome *outcome, uint32_t location, uint32_t value)
{
    BASE_ASSERT(location < p->location_count);
    if (outcome->memory[location] == value)
        return true;
    return ANY(t, p->thread_count,
               ANY(i, p->length[t],
                   p->ops[t][i].location == location && gen_reads(v, &p->ops[t][i]) &&
                       outcome->reads[t][i] == value));
}

static bool is_impossible(const struct search *s, const struct gen_outcome *outcome)
{
    const struct gen_program *p = s->program;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t i = 0; i < p->length[t]; i++) {
            const struct gen_op *op = &p->ops[t][i];
            bool writes = gen_writes(s->vocabulary, op), reads = gen_reads(s->vocabulary, op);
            uint32_t value = writes ? gen_value(s->vocabulary, p, t, i) : 0;
            if (reads && writes && outcome->reads[t][i] == value)
                return true;
            if (!is_skipped(p, outcome, t, i))
                continue;
            /* In the end its register holds 0 nevertheless. */
            if (reads && outcome->reads[t][i] != GEN_ANY &&
                (outcome->reads[t][i] || s->minimal->when == LIT_CRASHED))
                return true;
            if (writes && names_value(s->vocabulary, p, outcome, op->location, value))
                return true;
        }
    return false;
}

/* ---- Forbidden outcomes ---- */

static bool is_empty(const struct search *s, const uint64_t *set)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < s->words; w++)
        any |= set[w];
    return any == 0;
}

static void keep_those(const struct search *s, const uint64_t *set, uint32_t column, uint32_t value,
                       uint64_t *kept)
{
    for (uint32_t w = 0; w < s->words; w++)
        kept[w] = set[w] & s->with[column][value][w];
}

/* Is it allowed once any one thing less is said? The last thing that was said is needed, as the
 * outcome was allowed without it. */
static bool says_little(const struct search *s, uint32_t last)
{
    for (uint32_t out = 0; out < last; out++) {
        state_set left;
        if (s->said[out] == GEN_ANY)
            continue;
        memset(left, 0xff, sizeof left);
        left[s->words - 1] =
            s->states.count % 64 ? (UINT64_C(1) << s->states.count % 64) - 1 : ~UINT64_C(0);
        for (uint32_t c = 0; c <= last; c++)
            if (c != out && s->said[c] != GEN_ANY)
                keep_those(s, left, c, s->said[c], left);
        if (is_empty(s, left))
            return false;
    }
    return true;
}

static void take_outcome(struct search *s, uint32_t last)
{
    struct gen_outcome outcome;
    gen_outcome_init(&outcome);
    for (uint32_t c = 0; c <= last; c++)
        *gen_outcome_place(&outcome, &s->columns.columns[c]) = s->said[c];
    if (is_impossible(s, &outcome))
        return;
    if (s->minimal->count == GEN_MAX_OUTCOMES)
        s->minimal->doubt = "more outcomes are forbidden than are looked at";
    else
        s->minimal->outcomes[s->minimal->count++] = outcome;
}

static void choose(struct search *s, uint32_t column, const uint64_t *set)
{
    if (column == s->columns.count)
        return;
    s->said[column] = GEN_ANY;
    choose(s, column + 1, set);
    for (uint8_t value = s->columns.columns[column].is_end;
         value <= s->columns.columns[column].most; value++) {
        state_set kept;
        keep_those(s, set, column, value, kept);
        s->said[column] = value;
        if (!is_empty(s, kept))
            choose(s, column + 1, kept);
        else if (says_little(s, column))
            take_outcome(s, column);
    }
    s->said[column] = GEN_ANY;
}

static void find_forbidden(struct search *s)
{
    state_set all;
    memset(all, 0, sizeof all);
    memset(s->with, 0, sizeof s->with);
    s->words = (s->states.count + 63) / 64;
    if (s->words == 0)
        return; /* nothing can happen at all */
    for (uint32_t i = 0; i < s->states.count; i++) {
        all[i / 64] |= UINT64_C(1) << i % 64;
        for (uint32_t c = 0; c < s->columns.count; c++) {
            uint32_t value = gen_state_value(s->states.states[i], c);
            if (value != GEN_NO_VALUE)
                s->with[c][value][i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    choose(s, 0, all);
}

/* ---- What was asked before ---- */

enum { SLOTS = 1 << 14, KEPT_STATES = 64 };

struct gen_memory {
    struct slot {
        bool used, undefined;
        uint32_t count;
        enum lit_when when;
        struct gen_program program;
        gen_state states[KEPT_STATES];
    } slots[SLOTS];
};

struct gen_memory *gen_memory_new(void)
{
    struct gen_memory *memory = base_realloc(NULL, sizeof *memory);
    memset(memory, 0, sizeof *memory);
    return memory;
}

void gen_memory_free(struct gen_memory *memory)
{
    base_free(memory);
}

static struct slot *slot_of(struct gen_memory *memory, const struct gen_program *program,
                            enum lit_when when)
{
    uint8_t key[GEN_MAX_KEY];
    size_t length = gen_key(program, key);
    uint64_t hash = 14695981039346656037u + when;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ key[i]) * 1099511628211u;
    return &memory->slots[(hash ^ hash >> 32) % SLOTS];
}

static void ask_program(struct gen_asker *asker, struct gen_memory *memory,
                        const struct gen_program *program, enum lit_when when,
                        struct gen_states *states)
{
    struct slot *slot = slot_of(memory, program, when);
    if (slot->used && slot->when == when && memcmp(&slot->program, program, sizeof *program) == 0) {
        *states = (struct gen_states){.undefined = slot->undefined, .count = slot->count};
        memcpy(states->states, slot->states, slot->count * sizeof *slot->states);
        return;
    }
    gen_ask(asker, program, when, states);
    if (states->doubt || states->count > KEPT_STATES)
        return;
    slot->used = true;
    slot->undefined = states->undefined;
    slot->count = states->count;
    slot->when = when;
    slot->program = *program;
    memcpy(slot->states, states->states, states->count * sizeof *slot->states);
}

/* ---- Weaker programs ---- */

struct weaker_ones {
    struct gen_asker *asker;
    struct gen_memory *memory;
    const struct gen_program *program;
    struct gen_minimal *minimal;
};

/* Of the outcomes those stay that the weaker program may have. */
static bool on_weaker(void *context, const struct gen_weaker *weaker)
{
    struct weaker_ones *w = context;
    struct gen_minimal *minimal = w->minimal;
    struct gen_states states;
    struct gen_columns columns;
    uint32_t kept = 0;
    if (weaker->program.thread_count == 0)
        return true;
    ask_program(w->asker, w->memory, &weaker->program, minimal->when, &states);
    if (states.doubt) {
        minimal->doubt = states.doubt;
        minimal->count = 0;
        return false;
    }
    gen_columns_of(w->asker->vocabulary, &weaker->program, minimal->when, &columns);
    for (uint32_t i = 0; i < minimal->count; i++) {
        struct gen_outcome weakened;
        gen_weaken_outcome(w->asker->vocabulary, w->program, &minimal->outcomes[i], weaker,
                           &weakened);
        if (gen_allows(&columns, &states, &weakened))
            minimal->outcomes[kept++] = minimal->outcomes[i];
    }
    minimal->count = kept;
    return kept > 0;
}

void gen_minimal_find(const struct gen_bound *bound, struct gen_asker *asker,
                      struct gen_memory *memory, const struct gen_program *program,
                      struct gen_minimal *minimal)
{
    struct search s = {.vocabulary = asker->vocabulary, .program = program, .minimal = minimal};
    minimal->when = program->nvm ? LIT_CRASHED : LIT_FINAL;
    minimal->count = 0;
    minimal->forbids = false;
    ask_program(asker, memory, program, minimal->when, &s.states);
    minimal->undefined = s.states.undefined;
    minimal->doubt = s.states.doubt;
    if (minimal->doubt || minimal->undefined)
        return;
    gen_columns_of(asker->vocabulary, program, minimal->when, &s.columns);
    find_forbidden(&s);
    minimal->forbids = minimal->count > 0;
    if (minimal->count) {
        struct weaker_ones w = {asker, memory, program, minimal};
        (void)gen_weaken(bound, program, on_weaker, &w);
    }
}
