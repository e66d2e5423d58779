/* Programs as data. The representative of a class is the one with the least key. A key has the
 * lengths of the work-items first, the longest before, then their operations, with locations
 * numbered by first use, so that of all renamings only the orders of work-items of like length are
 * tried. */
#include "generate/gen_program.h"

#include "base/arena.h"

#include <string.h>

#define TEXT(identifier, text) text,
const char *const gen_dependency_texts[] = {GEN_DEPENDENCIES(TEXT)};
#undef TEXT
const char *const gen_location_names[GEN_MAX_LOCATIONS] = {"x", "y", "z", "a", "b", "c", "d", "e"};

void gen_program_init(struct gen_program *program, uint32_t threads)
{
    BASE_CHECK(threads <= GEN_MAX_THREADS);
    BASE_ASSERT(threads > 0);
    *program = (struct gen_program){.thread_count = (uint8_t)threads};
}

/* ---- The hierarchy ---- */

/* Instances nest: who has different ones at a wider level has at a narrower one, whatever their
 * numbers. */
bool gen_are_together(const struct gen_program *program, uint32_t a, uint32_t b, uint32_t level)
{
    BASE_ASSERT(level <= GEN_LEVELS);
    BASE_ASSERT(a < program->thread_count && b < program->thread_count);
    for (; level < GEN_LEVELS; level++)
        if (program->place[a][level] != program->place[b][level])
            return false;
    return true;
}

enum lit_scope gen_common_scope(const struct gen_program *program, uint32_t a, uint32_t b)
{
    for (uint32_t level = 0; level < GEN_LEVELS; level++)
        if (gen_are_together(program, a, b, level))
            return (enum lit_scope)(LIT_SCOPE_SG + level);
    return LIT_SCOPE_ALL;
}

/* ---- Operations ---- */

bool gen_add(struct gen_program *program, uint32_t thread, struct gen_op op)
{
    BASE_ASSERT(program->length[thread] <= GEN_MAX_OPS);
    BASE_ASSERT(op.location == GEN_NOWHERE || op.location < GEN_MAX_LOCATIONS);
    BASE_ASSERT(thread < program->thread_count);
    if (program->length[thread] == GEN_MAX_OPS)
        return false;
    program->ops[thread][program->length[thread]++] = op;
    if (op.location != GEN_NOWHERE && op.location >= program->location_count)
        program->location_count = (uint8_t)(op.location + 1);
    return true;
}

void gen_remove(struct gen_program *program, uint32_t thread, uint32_t index)
{
    BASE_ASSERT(index < program->length[thread]);
    BASE_ASSERT(thread < program->thread_count);
    struct gen_op *ops = program->ops[thread];
    uint32_t length = --program->length[thread];
    memmove(ops + index, ops + index + 1, (length - index) * sizeof *ops);
    ops[length] = (struct gen_op){.on = 0};
    for (uint32_t i = index; i < length; i++)
        if (ops[i].dependency != GEN_FREE && ops[i].on == index)
            ops[i].dependency = GEN_FREE, ops[i].on = 0;
        else if (ops[i].dependency != GEN_FREE && ops[i].on > index)
            ops[i].on--;
}

void gen_remove_thread(struct gen_program *program, uint32_t thread)
{
    BASE_ASSERT(thread < program->thread_count);
    uint32_t count = --program->thread_count;
    for (uint32_t t = thread; t < count; t++) {
        program->length[t] = program->length[t + 1];
        program->host[t] = program->host[t + 1];
        memcpy(program->place[t], program->place[t + 1], sizeof program->place[t]);
        memcpy(program->ops[t], program->ops[t + 1], sizeof program->ops[t]);
    }
    program->length[count] = program->host[count] = 0;
    memset(program->place[count], 0, sizeof program->place[count]);
    memset(program->ops[count], 0, sizeof program->ops[count]);
}

bool gen_reads(const struct gen_vocabulary *vocabulary, const struct gen_op *op)
{
    enum gen_class class = gen_family_of(vocabulary, op)->class;
    return class == GEN_LOAD || class == GEN_RMW;
}

bool gen_writes(const struct gen_vocabulary *vocabulary, const struct gen_op *op)
{
    enum gen_class class = gen_family_of(vocabulary, op)->class;
    return class == GEN_STORE || class == GEN_RMW;
}

static uint32_t count_writes(const struct gen_vocabulary *vocabulary,
                             const struct gen_program *program, uint32_t location, uint32_t thread,
                             uint32_t index)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->thread_count && t <= thread; t++)
        for (uint32_t i = 0; i < program->length[t] && (t < thread || i < index); i++)
            count += program->ops[t][i].location == location &&
                     gen_writes(vocabulary, &program->ops[t][i]);
    return count;
}

uint32_t gen_value(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                   uint32_t thread, uint32_t index)
{
    BASE_ASSERT(index < program->length[thread]);
    BASE_ASSERT(thread < program->thread_count);
    const struct gen_op *op = &program->ops[thread][index];
    if (gen_family_of(vocabulary, op)->traits & GEN_STORES_ONE)
        return 1;
    return 1 + count_writes(vocabulary, program, op->location, thread, index);
}

uint32_t gen_writes_of(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                       uint32_t location)
{
    return count_writes(vocabulary, program, location, program->thread_count, 0);
}

bool gen_shows_end(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                   uint32_t thread)
{
    BASE_ASSERT(thread < program->thread_count);
    uint32_t length = program->length[thread];
    return length && !gen_accesses(vocabulary, &program->ops[thread][length - 1]);
}

/* ---- Classes ---- */

/* The program with its work-items in this order; everything else follows from it. */
static void rename_by(const struct gen_program *program, const uint8_t *threads,
                      struct gen_program *renamed, uint8_t *locations)
{
    uint8_t numbers[GEN_MAX_LOCATIONS];
    memset(numbers, GEN_NOWHERE, sizeof numbers);
    memset(renamed, 0, sizeof *renamed);
    renamed->thread_count = program->thread_count;
    for (uint32_t t = 0; t < program->thread_count; t++) {
        BASE_ASSERT(threads[t] < program->thread_count);
        uint32_t from = threads[t];
        renamed->length[t] = program->length[from];
        renamed->host[t] = program->host[from];
        for (uint32_t level = 0; level < GEN_LEVELS; level++)
            while (!gen_are_together(program, from, threads[renamed->place[t][level]], level))
                renamed->place[t][level]++;
        for (uint32_t i = 0; i < program->length[from]; i++) {
            struct gen_op op = program->ops[from][i];
            if (op.location != GEN_NOWHERE && numbers[op.location] == GEN_NOWHERE) {
                renamed->nvm |=
                    (uint8_t)((program->nvm >> op.location & 1) << renamed->location_count);
                numbers[op.location] = renamed->location_count++;
            }
            if (op.location != GEN_NOWHERE)
                op.location = numbers[op.location];
            renamed->ops[t][i] = op;
        }
    }
    if (locations)
        memcpy(locations, numbers, sizeof numbers);
}

size_t gen_key(const struct gen_program *program, uint8_t key[GEN_MAX_KEY])
{
    size_t at = 0;
    key[at++] = program->thread_count;
    for (uint32_t t = 0; t < program->thread_count; t++)
        key[at++] = (uint8_t)(GEN_MAX_OPS - program->length[t]);
    for (uint32_t t = 0; t < program->thread_count; t++)
        EACH (const struct gen_op, op, program->ops[t], program->length[t]) {
            key[at++] = op->form.family;
            key[at++] = op->form.order;
            key[at++] = op->form.scope;
            key[at++] = op->location;
            key[at++] = op->dependency;
            key[at++] = op->on;
        }
    for (uint32_t t = 0; t < program->thread_count; t++) {
        key[at++] = program->host[t];
        memcpy(key + at, program->place[t], GEN_LEVELS);
        at += GEN_LEVELS;
    }
    key[at++] = program->location_count;
    key[at++] = program->nvm;
    BASE_ASSERT(at <= GEN_MAX_KEY);
    return at;
}

/* The next order of numbers, as in a dictionary; false behind the last. */
static bool next_order(uint8_t *threads, uint32_t count)
{
    BASE_ASSERT(count <= GEN_MAX_THREADS);
    uint32_t i = count, j = count;
    while (i > 1 && threads[i - 2] >= threads[i - 1])
        i--;
    if (i <= 1)
        return false;
    while (threads[j - 1] <= threads[i - 2])
        j--;
    uint8_t held = threads[i - 2];
    threads[i - 2] = threads[j - 1], threads[j - 1] = held;
    for (uint32_t a = i - 1, b = count - 1; a < b; a++, b--)
        held = threads[a], threads[a] = threads[b], threads[b] = held;
    return true;
}

static bool longest_first(const struct gen_program *program, const uint8_t *threads)
{
    for (uint32_t t = 1; t < program->thread_count; t++)
        if (program->length[threads[t - 1]] < program->length[threads[t]])
            return false;
    return true;
}

/* Of one program's renamings, all of which have keys of one length. */
static bool is_less(const struct gen_program *a, const struct gen_program *b)
{
    uint8_t key_a[GEN_MAX_KEY], key_b[GEN_MAX_KEY];
    size_t length = gen_key(a, key_a);
    gen_key(b, key_b);
    return memcmp(key_a, key_b, length) < 0;
}

void gen_canonical(const struct gen_program *program, struct gen_program *canonical,
                   uint8_t *threads, uint8_t *locations)
{
    uint8_t order[GEN_MAX_THREADS], numbers[GEN_MAX_LOCATIONS];
    bool any = false;
    for (uint8_t t = 0; t < GEN_MAX_THREADS; t++)
        order[t] = t;
    do {
        struct gen_program renamed;
        if (!longest_first(program, order))
            continue;
        rename_by(program, order, &renamed, numbers);
        if (any && !is_less(&renamed, canonical))
            continue;
        any = true;
        *canonical = renamed;
        if (threads)
            memcpy(threads, order, sizeof order);
        if (locations)
            memcpy(locations, numbers, sizeof numbers);
    } while (next_order(order, program->thread_count));
}

bool gen_is_canonical(const struct gen_program *program)
{
    struct gen_program canonical;
    uint8_t a[GEN_MAX_KEY], b[GEN_MAX_KEY];
    gen_canonical(program, &canonical, NULL, NULL);
    size_t length = gen_key(program, a);
    return gen_key(&canonical, b) == length && memcmp(a, b, length) == 0;
}

/* ---- In a line ---- */

static void add_op(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
                   uint32_t thread, uint32_t index, struct strbuf *out)
{
    BASE_ASSERT(index < program->length[thread]);
    BASE_ASSERT(thread < program->thread_count);
    const struct gen_op *op = &program->ops[thread][index];
    const struct gen_family *family = gen_family_of(vocabulary, op);
    if (op->dependency != GEN_FREE)
        strbuf_printf(out, "%s:%u ", gen_dependency_texts[op->dependency], op->on);
    strbuf_add(out, family->name);
    if (op->form.order != LIT_ORDER_NA)
        strbuf_printf(out, ".%s", gen_order_text((enum lit_order)op->form.order));
    if (family->scopes != 1u << LIT_SCOPE_WI)
        strbuf_printf(out, ".%s", gen_scope_text((enum lit_scope)op->form.scope));
    if (op->location != GEN_NOWHERE)
        strbuf_printf(out, " %s", gen_location_names[op->location]);
}

void gen_line(const struct gen_vocabulary *vocabulary, const struct gen_program *program,
              struct strbuf *out)
{
    for (uint32_t l = 0; l < program->location_count; l++)
        strbuf_printf(out, "%s%s%s", l ? " " : "", gen_location_names[l],
                      program->nvm >> l & 1 ? "*" : "");
    for (uint32_t t = 0; t < program->thread_count; t++) {
        strbuf_printf(out, " | P%u%s", t, program->host[t] ? "{host}" : "");
        for (uint32_t level = 0; level < GEN_LEVELS; level++)
            if (program->place[t][level])
                strbuf_printf(out, " %s%u", gen_scope_text((enum lit_scope)(LIT_SCOPE_SG + level)),
                              program->place[t][level]);
        strbuf_add_char(out, ':');
        for (uint32_t i = 0; i < program->length[t]; i++) {
            strbuf_add(out, i ? "; " : " ");
            add_op(vocabulary, program, t, i, out);
        }
    }
}

uint32_t gen_scopes(const struct gen_program *program)
{
    uint32_t scopes = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->length[t]; i++)
            scopes |= 1u << program->ops[t][i].form.scope;
    return scopes;
}

uint32_t gen_times(const struct gen_program *program, uint32_t thread, struct gen_form form)
{
    BASE_ASSERT(thread < program->thread_count);
    return COUNT_IF(i, program->length[thread], gen_form_is(program->ops[thread][i].form, form));
}
