/* Facts come from reading and running the program. Without its dependencies it has one path in each
 * work-item, with the events of any path of the program with dependencies, which may skip some.
 * Facts about kinds of events hold for each program with the same kinds: instructions with their
 * locations, and whether a host executes them. */
#include "generate/gen_alike.h"

#include "base/bits.h"
#include "base/hash.h"
#include "cat/cat_alike.h"
#include "exec/exec_basis.h"
#include "exec/exec_skeleton.h"
#include "generate/gen_observe.h"

#include <string.h>

enum { MAX_KEY = 1 + GEN_MAX_KEY };

struct answer {
    UT_hash_handle hh;
    const uint32_t *first;
    size_t length;
    uint8_t key[];
};

struct gen_alike {
    const struct session_settings *settings;
    const struct gen_bound *bound;
    const struct cat_model **models;
    uint32_t count;
    struct arena arena, scratch;
    struct answer *answers;
    struct cat_alike *table;
    struct strbuf text;
    struct cat_few least[EXEC_BASE_COUNT], most[EXEC_BASE_COUNT];
    uint32_t *nobody; /* is like another */
};

struct gen_alike *gen_alike_new(const struct session_settings *settings,
                                const struct session_model *const *models, uint32_t count,
                                const struct gen_bound *bound)
{
    struct gen_alike *alike = base_realloc(NULL, sizeof *alike);
    *alike = (struct gen_alike){.settings = settings, .bound = bound, .count = count};
    alike->models = ARENA_ARRAY(&alike->arena, const struct cat_model *, count);
    alike->nobody = ARENA_ARRAY(&alike->arena, uint32_t, count);
    for (uint32_t m = 0; m < count; m++) {
        alike->models[m] = models[m]->model;
        alike->nobody[m] = m;
    }
    alike->table = cat_alike_new(alike->models, count);
    return alike;
}

void gen_alike_free(struct gen_alike *alike)
{
    HASH_CLEAR(hh, alike->answers);
    cat_alike_free(alike->table);
    strbuf_fini(&alike->text);
    arena_fini(&alike->scratch);
    arena_fini(&alike->arena);
    base_free(alike);
}

/* ---- What answers are kept by ---- */

struct key {
    uint8_t bytes[MAX_KEY];
    size_t length;
};

static struct gen_program without_dependencies(const struct gen_program *program)
{
    struct gen_program free = *program;
    for (uint32_t t = 0; t < free.thread_count; t++)
        for (uint32_t i = 0; i < free.length[t]; i++)
            free.ops[t][i].dependency = GEN_FREE, free.ops[t][i].on = 0;
    return free;
}

static struct key key_of_program(const struct gen_program *program)
{
    struct key key = {.bytes = {'p'}};
    key.length = 1 + gen_key(program, key.bytes + 1);
    return key;
}

/* Sorted, each once. */
static struct key key_of_kinds(const struct gen_program *program)
{
    enum { BYTES = 5 };
    struct key key = {.bytes = {'k', program->nvm}, .length = 2};
    for (uint32_t t = 0; t < program->thread_count; t++)
        EACH (const struct gen_op, op, program->ops[t], program->length[t]) {
            const uint8_t kind[BYTES] = {op->form.family, op->form.order, op->form.scope,
                                         op->location, program->host[t]};
            size_t at = 2;
            while (at < key.length && memcmp(key.bytes + at, kind, BYTES) < 0)
                at += BYTES;
            if (at < key.length && memcmp(key.bytes + at, kind, BYTES) == 0)
                continue;
            memmove(key.bytes + at + BYTES, key.bytes + at, key.length - at);
            memcpy(key.bytes + at, kind, BYTES);
            key.length += BYTES;
        }
    return key;
}

static const uint32_t *kept(const struct gen_alike *alike, const struct key *key)
{
    struct answer *answer;
    HASH_FIND(hh, alike->answers, key->bytes, key->length, answer);
    return answer ? answer->first : NULL;
}

static const uint32_t *keep_classes(struct gen_alike *alike, const struct key *key,
                                    const uint32_t *first)
{
    struct answer *answer = arena_alloc(&alike->arena, sizeof *answer + key->length);
    memcpy(answer->key, key->bytes, key->length);
    answer->first = first;
    HASH_ADD_KEYPTR(hh, alike->answers, answer->key, key->length, answer);
    return first;
}

/* ---- Facts ---- */

static bool never(void *clock)
{
    (void)clock;
    return false;
}

/* The one that runs to the end, where all others are its beginnings, that wait at a barrier. */
static const struct exec_path *whole_path(const struct exec_paths *paths)
{
    const struct exec_path *whole = NULL;
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct exec_path *path = paths->items[i];
        if (path->end == EXEC_COMPLETE ? whole != NULL : path->end != EXEC_AT_BARRIER)
            return NULL;
        whole = path->end == EXEC_COMPLETE ? path : whole;
    }
    return paths->truncated ? NULL : whole;
}

/* NULL: a work-item has several paths, or there are more events than are looked at. */
static struct exec_skeleton *skeleton_of(struct gen_alike *alike, const struct lit_program *program)
{
    const struct exec_path *chosen[GEN_MAX_THREADS];
    uint32_t path_events = 0;
    const struct exec_run_options options = {
        .unroll = alike->settings->unroll, .path_events = &path_events, .out_of_time = never};
    for (uint32_t t = 0; t < program->thread_count; t++) {
        struct exec_paths paths;
        exec_run_thread(&alike->scratch, program, t, &options, &paths);
        chosen[t] = whole_path(&paths);
        if (!chosen[t])
            return NULL;
    }
    struct exec_skeleton *skeleton = exec_skeleton_new(&alike->scratch, program, chosen);
    return skeleton && skeleton->dim.n <= CAT_ALIKE_EVENTS ? skeleton : NULL;
}

static bool communicates(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    const struct ev *a = &s->events[i], *b = &s->events[j];
    enum ev_kind first = base == EXEC_REL_FR ? EV_READ : EV_WRITE;
    enum ev_kind second = base == EXEC_REL_RF ? EV_READ : EV_WRITE;
    return a->kind == first && b->kind == second && a->location == b->location;
}

static struct cat_few pairs(const struct exec_skeleton *s, uint32_t base,
                            bool (*has)(const struct exec_skeleton *, uint32_t, uint32_t, uint32_t))
{
    struct cat_few value = {{0}};
    for (uint32_t i = 0; i < s->dim.n; i++)
        for (uint32_t j = 0; j < s->dim.n; j++)
            value.rows[i] |= (rel_word)has(s, base, i, j) << j;
    return value;
}

static bool always(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    (void)s, (void)base, (void)i, (void)j;
    return true;
}

static bool in_order(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    (void)base;
    return exec_pair_in_base(s, EXEC_REL_PO, i, j);
}

static bool is_itself(const struct exec_skeleton *s, uint32_t base, uint32_t i, uint32_t j)
{
    (void)s, (void)base;
    return i == j;
}

static void set_facts(struct gen_alike *alike, const struct exec_skeleton *s, uint32_t base)
{
    struct cat_few set = {{0}};
    for (uint32_t e = 0; e < s->dim.n; e++)
        set.rows[0] |= (rel_word)exec_event_in_base(s, base, e) << e;
    alike->least[base] = alike->most[base] = set;
}

/* Of relations; what execution decides, and what dependencies do, is not known. */
static void relation_facts(struct gen_alike *alike, const struct exec_skeleton *s, uint32_t base,
                           bool exact)
{
    const struct cat_few none = {{0}};
    alike->least[base] = none;
    switch (base) {
    case EXEC_REL_RF:
    case EXEC_REL_CO:
    case EXEC_REL_FR: alike->most[base] = pairs(s, base, communicates); break;
    case EXEC_REL_SYNC_FENCE: alike->most[base] = pairs(s, base, always); break;
    case EXEC_REL_ADDR:
    case EXEC_REL_DATA:
    case EXEC_REL_CTRL:
    case EXEC_REL_TOKEN: alike->most[base] = pairs(s, base, exact ? in_order : always); break;
    case EXEC_REL_LOC:
    case EXEC_REL_VLOC:
        alike->least[base] = alike->most[base] = pairs(s, base, exec_pair_in_base);
        break;
    default:
        alike->most[base] = pairs(s, base,
                                  exact                 ? exec_pair_in_base
                                  : base == EXEC_REL_ID ? is_itself
                                                        : always);
        if (exact)
            alike->least[base] = alike->most[base];
    }
}

static void tagged_events(void *context, const struct cat_tagged *tagged, struct cat_few *set)
{
    const struct exec_skeleton *skeleton = context;
    BASE_CHECK(skeleton->dim.words == 1);
    *set = (struct cat_few){{0}};
    exec_skeleton_tagged(skeleton, tagged, set->rows);
}

/* Then its events depend on the model. */
static bool keeps_writes(const struct gen_alike *alike, const struct lit_program *program)
{
    return ANY(m, alike->count, engine_keeps_writes(program, alike->models[m]));
}

static const uint32_t *find_program(struct gen_alike *alike, const struct gen_program *program,
                                    bool exact)
{
    SCOPED(session_test) test;
    uint32_t *first = alike->nobody;
    gen_observe_read(&test, alike->settings, alike->bound->vocabulary, alike->bound->dialect,
                     program, gen_observe_kinds(program), &alike->text);
    struct arena_mark mark = arena_mark(&alike->scratch);
    struct exec_skeleton *skeleton =
        keeps_writes(alike, test.program) ? NULL : skeleton_of(alike, test.program);
    if (skeleton) {
        const struct cat_facts facts = {.count = skeleton->dim.n,
                                        .exact = exact,
                                        .least = alike->least,
                                        .most = alike->most,
                                        .tagged = tagged_events,
                                        .context = skeleton};
        for (uint32_t base = 0; base < EXEC_REL_ID; base++)
            set_facts(alike, skeleton, base);
        for (uint32_t base = EXEC_REL_ID; base < EXEC_BASE_COUNT; base++)
            relation_facts(alike, skeleton, base, exact);
        first = ARENA_ARRAY(&alike->arena, uint32_t, alike->count);
        cat_alike_find(alike->table, &facts, first);
    }
    arena_rewind(&alike->scratch, mark);
    return first;
}

static bool is_one(const struct gen_alike *alike, const uint32_t *first)
{
    return !ANY(m, alike->count, first[m]);
}

const uint32_t *gen_alike_find(struct gen_alike *alike, const struct gen_program *program)
{
    const struct gen_program free = without_dependencies(program);
    const struct key kinds = key_of_kinds(program), whole = key_of_program(&free);
    const uint32_t *first = kept(alike, &kinds);
    if (!first)
        first = keep_classes(alike, &kinds, find_program(alike, &free, false));
    if (is_one(alike, first))
        return first;
    first = kept(alike, &whole);
    return first ? first : keep_classes(alike, &whole, find_program(alike, &free, true));
}
