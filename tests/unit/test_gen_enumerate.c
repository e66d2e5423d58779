/* Enumerated programs, held against all programs there are, in all their names: each class once. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "base/hash.h"
#include "generate/gen_enumerate.h"

#include <string.h>

/* ---- A set of texts ---- */

struct member {
    char *text;
    UT_hash_handle hh;
};

static bool add_member(struct member **set, const char *text)
{
    struct member *member;
    HASH_FIND_STR(*set, text, member);
    if (member)
        return false;
    member = base_realloc(NULL, sizeof *member);
    size_t size = strlen(text) + 1;
    member->text = base_realloc(NULL, size);
    memcpy(member->text, text, size);
    HASH_ADD_KEYPTR(hh, *set, member->text, size - 1, member);
    return true;
}

static void free_set(struct member **set)
{
    struct member *member, *next;
    HASH_ITER (hh, *set, member, next) {
        HASH_DEL(*set, member);
        base_free(member->text);
        base_free(member);
    }
}

/* ---- The least text of a program, by trying all names ---- */

enum { MOST = 3 };
static const uint8_t orders[6][MOST] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const uint32_t order_count[] = {1, 1, 2, 6};

/* With 2 the first two of these orders are of 0, 1. */
static const uint8_t *order_of(uint32_t count, uint32_t number)
{
    return orders[count == 2 ? 2 * number : number];
}

static void write_named(const struct gen_program *p, const uint8_t *threads,
                        const uint8_t *locations, struct strbuf *out)
{
    for (uint32_t n = 0; n < p->thread_count; n++) {
        uint32_t t = threads[n];
        strbuf_printf(out, "P%d:", p->host[t]);
        for (uint32_t i = 0; i < p->length[t]; i++) {
            const struct gen_op *op = &p->ops[t][i];
            strbuf_printf(out, "%d.%d.%d.%d.%d", op->form.family, op->form.order, op->form.scope,
                          op->dependency, op->on);
            if (op->location != GEN_NOWHERE)
                strbuf_printf(out, "@%d%d", locations[op->location], p->nvm >> op->location & 1);
            strbuf_add(out, ";");
        }
        /* Who is together with whom, by the definition: the same instance of this level and of all
         * wider ones. */
        for (uint32_t m = 0; m < n; m++) {
            int scope = LIT_SCOPE_ALL;
            while (scope > LIT_SCOPE_SG && p->place[t][scope - 1 - LIT_SCOPE_SG] ==
                                               p->place[threads[m]][scope - 1 - LIT_SCOPE_SG])
                scope--;
            strbuf_printf(out, "<%d", scope);
        }
    }
}

static void write_least(const struct gen_program *p, struct strbuf *least)
{
    static const uint8_t turned[6][MOST] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1},
                                            {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};
    struct strbuf text = {0};
    strbuf_clear(least);
    for (uint32_t a = 0; a < order_count[p->thread_count]; a++)
        for (uint32_t b = 0; b < 6; b++) {
            strbuf_clear(&text);
            write_named(p, order_of(p->thread_count, a), turned[b], &text);
            if (least->length == 0 || strcmp(text.text, least->text) < 0) {
                strbuf_clear(least);
                strbuf_add(least, text.text);
            }
        }
    strbuf_fini(&text);
}

/* ---- All programs ---- */

struct brute {
    const struct gen_bound *bound;
    struct gen_form forms[GEN_MAX_FORMS];
    uint32_t form_count;
    struct gen_program program;
    struct member *classes;
    uint64_t count;
    struct strbuf least;
};

/* Memory accesses, and all operations. */
static uint32_t count_events(const struct gen_vocabulary *v, const struct gen_program *program,
                             uint32_t *size)
{
    uint32_t count = 0;
    *size = 0;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t i = 0; i < program->length[t]; i++, ++*size) {
            enum gen_class class = gen_family_of(v, &program->ops[t][i])->class;
            count += class == GEN_LOAD || class == GEN_STORE || class == GEN_RMW;
        }
    return count;
}

static void take(struct brute *b)
{
    const struct gen_bound *bound = b->bound;
    uint32_t size, events = count_events(bound->vocabulary, &b->program, &size);
    uint32_t barriers = size - events;
    uint32_t all = (1u << b->program.location_count) - 1;
    if (events > bound->events || barriers > bound->barriers)
        return;
    for (uint8_t nvm = 0; nvm <= all; nvm++) {
        b->program.nvm = nvm;
        if ((nvm != all && !bound->volatiles) || (nvm && !bound->nvm) ||
            !gen_is_telling(bound, &b->program))
            continue;
        write_least(&b->program, &b->least);
        b->count += add_member(&b->classes, b->least.text);
    }
}

/* Any number of an instance for each work-item and level, and host or not. */
static void place(struct brute *b, uint32_t thread, uint32_t level)
{
    if (thread == b->program.thread_count) {
        take(b);
        return;
    }
    bool last = level == GEN_LEVELS;
    uint8_t most = last ? b->bound->hosts && b->bound->vocabulary->host_tag : (uint8_t)thread;
    for (uint8_t number = 0; number <= most; number++) {
        if (last)
            b->program.host[thread] = number;
        else
            b->program.place[thread][level] = number;
        place(b, thread + last, last ? 0 : level + 1);
    }
}

static bool is_well_made(const struct brute *b, uint32_t t, const struct gen_op *op)
{
    const struct gen_vocabulary *v = b->bound->vocabulary;
    const struct gen_family *family = &v->families[op->form.family];
    bool is_access = family->class <= GEN_RMW;
    if (op->dependency == GEN_FREE)
        return op->on == 0;
    return b->bound->dependencies >> op->dependency & 1 && is_access &&
           gen_reads(v, &b->program.ops[t][op->on]) &&
           (op->dependency != GEN_DATA || family->class != GEN_LOAD);
}

static void fill(struct brute *b, const uint8_t *lengths, uint32_t t)
{
    struct gen_program *p = &b->program;
    if (t == p->thread_count) {
        place(b, 0, 0);
        return;
    }
    if (p->length[t] == lengths[t]) {
        fill(b, lengths, t + 1);
        return;
    }
    uint8_t length = p->length[t], locations = p->location_count;
    for (uint32_t f = 0; f < b->form_count; f++)
        for (uint8_t d = 0; d < GEN_DEPENDENCY_COUNT; d++)
            for (uint8_t on = 0; on < (length ? length : 1); on++)
                for (uint8_t l = 0; l < b->bound->locations; l++) {
                    struct gen_op op = {b->forms[f], l, d, on};
                    if (b->bound->vocabulary->families[op.form.family].class == GEN_POINT)
                        op.location = GEN_NOWHERE;
                    if ((op.location == GEN_NOWHERE && l) || (d && on >= length) ||
                        !is_well_made(b, t, &op))
                        continue;
                    (void)gen_add(p, t, op);
                    fill(b, lengths, t);
                    p->length[t] = length;
                    p->location_count = locations;
                }
}

static void each_length(struct brute *b, uint8_t *lengths, uint32_t t, uint32_t left)
{
    if (left == 0) {
        gen_program_init(&b->program, t);
        fill(b, lengths, 0);
    } else if (t < b->bound->threads) {
        for (uint32_t length = 1; length <= left; length++) {
            lengths[t] = (uint8_t)length;
            each_length(b, lengths, t + 1, left - length);
        }
    }
}

/* ---- Against the enumeration ---- */

struct seen {
    struct member *classes;
    const struct gen_bound *bound;
    uint32_t size;
    uint64_t units;
    struct strbuf least;
};

static bool see(void *context, const struct gen_program *program, uint64_t number)
{
    struct seen *seen = context;
    uint32_t size;
    (void)count_events(seen->bound->vocabulary, program, &size);
    CU_ASSERT_TRUE(size >= seen->size);
    seen->size = size;
    seen->units += number == 0;
    write_least(program, &seen->least);
    CU_ASSERT_TRUE(add_member(&seen->classes, seen->least.text)); /* once */
    return true;
}

static void compare(const struct gen_bound *bound, uint64_t by_hand)
{
    struct brute brute = {.bound = bound};
    struct seen seen = {.bound = bound};
    uint8_t lengths[GEN_MAX_THREADS];
    brute.form_count = gen_bound_forms(bound, brute.forms);
    for (uint32_t size = 1; size <= bound->events + bound->barriers; size++)
        each_length(&brute, lengths, 0, size);
    uint64_t count = gen_enumerate_all(bound, see, &seen);
    CU_ASSERT_EQUAL(count, brute.count);
    CU_ASSERT_TRUE(count > 0);
    if (by_hand)
        CU_ASSERT_EQUAL(count, by_hand);
    struct member *member, *next, *found;
    HASH_ITER (hh, seen.classes, member, next) {
        HASH_FIND_STR(brute.classes, member->text, found);
        CU_ASSERT_PTR_NOT_NULL(found);
    }
    free_set(&seen.classes);
    free_set(&brute.classes);
    strbuf_fini(&seen.least);
    strbuf_fini(&brute.least);
}

static struct gen_bound bound_of(const char *vocabulary, uint32_t events, uint32_t barriers)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named(vocabulary), GEN_OPENCL);
    bound.events = events;
    bound.barriers = barriers;
    return bound;
}

/* One work-item: st x* alone. Two accesses of one location: ld st, st ld, st st, volatile or not;
 * of two: st x* st y*. Two work-items share their location: ld | st, st | st, volatile or not. That
 * is 1 + 6 + 1 + 4. */
static void by_hand(void)
{
    struct gen_bound bound = bound_of("spb", 2, 0);
    compare(&bound, 12);
    bound.threads = 1;
    compare(&bound, 8);
    bound.volatiles = false;
    compare(&bound, 5);
}

/* One volatile location, two accesses. Without a barrier: ld st, st ld, st st of one work-item; ld
 * | st, st | st of two. With one that two of a group meet at, each has an access before or behind
 * it: four of a ld and a st, as who stores before it hands over to who loads behind it; three of
 * two st. That is 5 + 7. (Who only meets shows nothing here, as the end is seen in crash states.)
 */
static void handed_over_at_a_barrier(void)
{
    struct gen_bound bound = bound_of("spb", 2, 2);
    bound.nvm = false;
    bound.locations = 1;
    bound.families = 1u << gen_family_find(bound.vocabulary, "st") |
                     1u << gen_family_find(bound.vocabulary, "ld") |
                     1u << gen_family_find(bound.vocabulary, "bar");
    compare(&bound, 12);
}

static void barriers(void)
{
    struct gen_bound bound = bound_of("spb", 2, 2);
    compare(&bound, 0);
    bound.scopes |= 1u << LIT_SCOPE_KR | 1u << LIT_SCOPE_DV;
    bound.volatiles = false;
    compare(&bound, 0);
    bound = bound_of("spb-individual", 2, 1);
    compare(&bound, 0);
}

static void three_work_items(void)
{
    struct gen_bound bound = bound_of("spb", 3, 0);
    bound.threads = 3;
    bound.locations = 3;
    compare(&bound, 0);
    bound = bound_of("spb", 3, 1);
    bound.threads = 3;
    bound.scopes = 1u << LIT_SCOPE_WI | 1u << LIT_SCOPE_SG | 1u << LIT_SCOPE_DV;
    bound.orders |= 1u << LIT_ORDER_RLX;
    bound.families = 1u << gen_family_find(bound.vocabulary, "lda") |
                     1u << gen_family_find(bound.vocabulary, "st");
    compare(&bound, 0);
}

static void orders_and_dependencies(void)
{
    struct gen_bound bound = bound_of("spb", 3, 0);
    bound.dependencies = (1u << GEN_DEPENDENCY_COUNT) - 1;
    compare(&bound, 0);
    bound = bound_of("spb", 2, 1);
    bound.orders = ~0u;
    compare(&bound, 0);
}

static void mechanisms(void)
{
    static const char *const names[] = {"sbrp", "strand", "gpm", "lin", "px86"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gen_bound bound = bound_of(names[i], 2, 1);
        bound.hosts = true;
        compare(&bound, 0);
    }
    struct gen_bound bound = bound_of("tx", 2, 2);
    compare(&bound, 0);
}

/* ---- Units ---- */

static bool see_two(void *context, const struct gen_program *program, uint64_t number)
{
    (void)context, (void)program;
    return number < 1;
}

static void units(void)
{
    const struct gen_bound bound = bound_of("spb", 3, 1);
    struct seen seen = {.bound = &bound};
    uint64_t count = gen_enumerate_all(&bound, see, &seen), sum = 0, unit = 0;
    CU_ASSERT_TRUE(seen.units > 20);
    /* Whoever begins in the middle sees what is left, and who stops sees no more. */
    struct seen rest = {.bound = &bound};
    for (; unit < gen_units(&bound); unit++)
        if (unit % 3)
            sum += gen_enumerate(&bound, unit, see, &rest);
    for (unit = 0; unit < gen_units(&bound); unit += 3) {
        rest.size = 0;
        sum += gen_enumerate(&bound, unit, see, &rest);
    }
    CU_ASSERT_EQUAL(sum, count);
    CU_ASSERT_EQUAL(HASH_COUNT(rest.classes), HASH_COUNT(seen.classes));
    CU_ASSERT_EQUAL(gen_enumerate(&bound, gen_units(&bound), see, &rest), 0);
    for (unit = 0; unit < gen_units(&bound); unit++)
        CU_ASSERT_TRUE(gen_enumerate(&bound, unit, see_two, NULL) <= 2);
    free_set(&seen.classes);
    free_set(&rest.classes);
    strbuf_fini(&seen.least);
    strbuf_fini(&rest.least);
}

/* Vocabularies of definition files that nobody has written, at two operations and at three. What is
 * left out of these programs and which are one follows from what the definitions expand to. */
static void drawn_vocabularies(void)
{
    struct gen_drawn drawn = {.count = 0};
    uint64_t seed = 43;
    for (uint32_t round = 0; round < 12; round++) {
        struct gen_own own;
        gen_draw_definitions(&drawn, 1 + round % 3, &seed);
        const struct gen_vocabulary *vocabulary = gen_own_begin(&own, strbuf_text(&drawn.text));
        CU_ASSERT_PTR_NOT_NULL_FATAL(vocabulary);
        CU_ASSERT_EQUAL(vocabulary->family_count, GEN_COMMON + drawn.count);
        struct gen_bound bound;
        gen_bound_init(&bound, vocabulary, GEN_OPENCL);
        bound.families = ~((1u << GEN_COMMON) - 4); /* ld, st and what is drawn */
        bound.events = 2;
        bound.barriers = round % 3 == 2 ? 0 : 1;
        compare(&bound, 0);
        gen_own_end(&own);
    }
    strbuf_fini(&drawn.text);
}

void suite_gen_enumerate(void)
{
    CU_pSuite suite = CU_add_suite("gen_enumerate", NULL, NULL);
    UNIT_TEST(suite, by_hand);
    UNIT_TEST(suite, handed_over_at_a_barrier);
    UNIT_TEST(suite, barriers);
    UNIT_TEST(suite, three_work_items);
    UNIT_TEST(suite, orders_and_dependencies);
    UNIT_TEST(suite, mechanisms);
    UNIT_TEST(suite, units);
    UNIT_HEAVY_TEST(suite, drawn_vocabularies);
}
