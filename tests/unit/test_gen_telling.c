/* What enumeration leaves out is told by less: no two models differ on a program, of all that there
 * are, that has not its like among those that are enumerated.
 *
 * All programs of a size are written down here, with no rule about what tells something, and put
 * into classes by trying every name. Each is asked under several models. Where one has more than
 * another, there has to be an enumerated program on which it has, too, and which takes no more:
 * operations, of these barriers, work-items, locations, and no kinds of operations, orders, scopes
 * and kinds of memory that the first has not. (An access may stand where a barrier stood that tells
 * no more than that it was executed.)
 *
 * Plain accesses and scopes of work-items are in each bound. A program in which somebody waits at a
 * barrier for ever is left aside where the vocabulary has all come to each barrier; where it has
 * not, that is undefined behaviour as any other. GEN_TELLING=long in the environment takes larger
 * sizes. */
#include "unit.h"

#include "test_gen_fixture.h"

#include "base/hash.h"
#include "engine/contrast.h"
#include "generate/gen_enumerate.h"
#include "generate/gen_observe.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MODELS = 6, MOST_NEEDS = 4096 };

/* What a program takes. Numbers first. */
struct need {
    uint32_t size, barriers, threads, locations;
    uint32_t families, orders, scopes, memory; /* masks */
};

struct needs {
    struct need items[MOST_NEEDS];
    uint32_t count;
};

struct seen {
    char *text;
    UT_hash_handle hh;
};

struct question {
    const struct gen_bound *bound;
    const struct session_settings *settings;
    const struct session_model *models[MOST_MODELS];
    uint32_t plain; /* families */
    uint32_t model_count;
    struct needs *raw, *enumerated; /* per ordered pair */
    struct needs *into;
    struct strbuf text;

    struct gen_form forms[GEN_MAX_FORMS];
    uint32_t form_count;
    struct gen_program program;
    struct seen *seen;
    struct strbuf least;
    uint64_t raw_count;
};

/* ---- What a program takes ---- */

static struct need need_of(const struct question *q, const struct gen_program *p)
{
    struct need need = {.threads = p->thread_count,
                        .families = q->plain,
                        .orders = 1u << LIT_ORDER_NA,
                        .scopes = 1u << LIT_SCOPE_WI};
    uint32_t used = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t i = 0; i < p->length[t]; i++) {
            const struct gen_op *op = &p->ops[t][i];
            enum gen_class class = gen_family_of(q->bound->vocabulary, op)->class;
            need.size++;
            need.barriers += class > GEN_RMW;
            need.families |= 1u << op->form.family;
            need.orders |= 1u << op->form.order;
            need.scopes |= 1u << op->form.scope;
            used |= op->location == GEN_NOWHERE ? 0 : 1u << op->location;
        }
    for (uint32_t l = 0; l < GEN_MAX_LOCATIONS; l++)
        if (used >> l & 1) {
            need.locations++;
            need.memory |= p->nvm >> l & 1 ? 1 : 2;
        }
    return need;
}

static bool takes_no_more(const struct need *a, const struct need *b)
{
    return a->size <= b->size && a->barriers <= b->barriers && a->threads <= b->threads &&
           a->locations <= b->locations && !(a->families & ~b->families) &&
           !(a->orders & ~b->orders) && !(a->scopes & ~b->scopes) && !(a->memory & ~b->memory);
}

/* Those that take more than another are not kept. */
static void add_need(struct needs *needs, struct need need)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < needs->count; i++)
        if (takes_no_more(&needs->items[i], &need))
            return;
    for (uint32_t i = 0; i < needs->count; i++)
        if (!takes_no_more(&need, &needs->items[i]))
            needs->items[kept++] = needs->items[i];
    BASE_CHECK(kept < MOST_NEEDS);
    needs->items[kept++] = need;
    needs->count = kept;
}

static bool waits_for_ever(const struct outcome *outcome)
{
    for (size_t i = 0; i < outcome->undefined.count; i++)
        if (outcome->undefined.items[i].kind == OUTCOME_DIVERGENCE)
            return true;
    return false;
}

static bool has_all_come(const struct gen_vocabulary *vocabulary)
{
    for (uint32_t f = 0; f < vocabulary->family_count; f++)
        if (vocabulary->families[f].traits & GEN_MAY_MEET)
            return false;
    return true;
}

static void ask(struct question *q, const struct gen_program *program)
{
    struct outcome outcomes[MOST_MODELS];
    struct session_test test;
    const struct need need = need_of(q, program);
    bool waits = false;
    gen_observe_read(&test, q->settings, q->bound->vocabulary, q->bound->dialect, program,
                     gen_observe_kinds(program), &q->text);
    for (uint32_t m = 0; m < q->model_count; m++) {
        gen_observe(q->settings, q->models[m], test.program, (struct session_parts){0},
                    &outcomes[m]);
        waits |= has_all_come(q->bound->vocabulary) && waits_for_ever(&outcomes[m]);
    }
    for (uint32_t a = 0; a < q->model_count && !waits; a++)
        for (uint32_t b = a + 1; b < q->model_count; b++) {
            const struct contrast contrast = contrast_of(&outcomes[a], &outcomes[b]);
            for (int i = 0; i < 2; i++) {
                CU_ASSERT_NOT_EQUAL(contrast.sides[i].more, CONTRAST_OPEN);
                if (contrast.sides[i].more == CONTRAST_YES)
                    add_need(&q->into[i ? b * MOST_MODELS + a : a * MOST_MODELS + b], need);
            }
        }
    for (uint32_t m = 0; m < q->model_count; m++)
        outcome_fini(&outcomes[m]);
    session_test_fini(&test);
}

/* ---- All programs, of two work-items and two locations at most ---- */

/* Its text when work-items, and locations, change places or not. */
static void write_named(const struct gen_program *p, bool turn_threads, bool turn_locations,
                        struct strbuf *out)
{
    strbuf_clear(out);
    for (uint32_t n = 0; n < p->thread_count; n++) {
        uint32_t t = turn_threads ? p->thread_count - 1 - n : n;
        strbuf_printf(out, "|%d", p->host[t]);
        for (uint32_t i = 0; i < p->length[t]; i++) {
            const struct gen_op *op = &p->ops[t][i];
            strbuf_printf(out, ";%d.%d.%d", op->form.family, op->form.order, op->form.scope);
            if (op->location != GEN_NOWHERE)
                strbuf_printf(out, "@%d%d", op->location ^ turn_locations,
                              p->nvm >> op->location & 1);
        }
    }
    if (p->thread_count == 2)
        strbuf_printf(out, "<%d", gen_common_scope(p, 0, 1));
}

static bool is_new(struct question *q)
{
    struct strbuf text = {0};
    struct seen *seen;
    strbuf_clear(&q->least);
    for (int turn = 0; turn < 4; turn++) {
        write_named(&q->program, turn & 1, turn >> 1, &text);
        if (turn == 0 || strcmp(text.text, q->least.text) < 0) {
            strbuf_clear(&q->least);
            strbuf_add(&q->least, text.text);
        }
    }
    strbuf_fini(&text);
    HASH_FIND_STR(q->seen, q->least.text, seen);
    if (seen)
        return false;
    seen = base_realloc(NULL, sizeof *seen);
    seen->text = base_realloc(NULL, q->least.length + 1);
    memcpy(seen->text, q->least.text, q->least.length + 1);
    HASH_ADD_KEYPTR(hh, q->seen, seen->text, q->least.length, seen);
    return true;
}

/* A test names the locations it has from the first on. */
static bool has_all_locations(const struct gen_program *p)
{
    uint32_t used = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t i = 0; i < p->length[t]; i++)
            used |= p->ops[t][i].location == GEN_NOWHERE ? 0 : 1u << p->ops[t][i].location;
    return used == (1u << p->location_count) - 1;
}

/* Marks that do not match are no program. */
static bool marks_match(const struct question *q)
{
    for (uint32_t t = 0; t < q->program.thread_count; t++) {
        int open = 0;
        for (uint32_t i = 0; i < q->program.length[t]; i++) {
            uint32_t traits = gen_family_of(q->bound->vocabulary, &q->program.ops[t][i])->traits;
            open += traits & GEN_OPENS ? 1 : traits & GEN_CLOSES ? -1 : 0;
            if (open < 0 || open > 1)
                return false;
        }
        if (open)
            return false;
    }
    return true;
}

static void take(struct question *q)
{
    struct gen_program *p = &q->program;
    uint32_t masks = 1u << p->location_count, hosts = q->bound->hosts ? 1u << p->thread_count : 1;
    if (p->thread_count == 2 && (p->length[0] == 0 || p->length[1] == 0))
        return;
    for (uint32_t set = 0; set < hosts; set++)
        for (uint32_t nvm = 0; nvm < masks; nvm++) {
            if ((nvm != masks - 1 && !q->bound->volatiles) || (nvm && !q->bound->nvm))
                continue;
            for (uint32_t t = 0; t < p->thread_count; t++)
                p->host[t] = set >> t & 1;
            p->nvm = (uint8_t)nvm;
            if (!is_new(q))
                continue;
            q->raw_count++;
            ask(q, p);
        }
}

/* The operations of the first work-item, then those of the second. */
static void fill(struct question *q, uint32_t t, uint32_t events, uint32_t barriers)
{
    struct gen_program *p = &q->program;
    if (p->location_count && has_all_locations(p) && marks_match(q))
        take(q);
    for (; t < p->thread_count; t++)
        for (uint32_t f = 0; f < q->form_count; f++) {
            const struct gen_family *family = &q->bound->vocabulary->families[q->forms[f].family];
            bool is_access = family->class <= GEN_RMW, is_point = family->class == GEN_POINT;
            uint8_t count = p->location_count, length = p->length[t];
            if (is_access ? events == 0 : barriers == 0)
                continue;
            for (uint8_t l = 0; l < (is_point ? 1 : q->bound->locations); l++) {
                struct gen_op op = {.form = q->forms[f],
                                    .location = is_point ? (uint8_t)GEN_NOWHERE : l};
                CU_ASSERT_TRUE(gen_add(p, t, op));
                fill(q, t, events - is_access, barriers - !is_access);
                p->length[t] = length;
                p->location_count = count;
            }
        }
}

/* Together in an instance of one scope and of no narrower one. */
static void each_raw(struct question *q)
{
    for (uint32_t threads = 1; threads <= 2; threads++)
        for (int scope = LIT_SCOPE_SG; scope <= (threads == 1 ? LIT_SCOPE_SG : LIT_SCOPE_ALL);
             scope++) {
            gen_program_init(&q->program, threads);
            if (scope > LIT_SCOPE_SG)
                gen_place_apart(&q->program, 0, 1, (enum lit_scope)scope);
            fill(q, 0, q->bound->events, q->bound->barriers);
        }
}

/* ---- Held against each other ---- */

static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    (void)number;
    ask(context, program);
    return true;
}

static bool is_told(const struct needs *enumerated, const struct need *need)
{
    for (uint32_t i = 0; i < enumerated->count; i++)
        if (takes_no_more(&enumerated->items[i], need))
            return true;
    return false;
}

static void tell(const struct question *q, uint32_t a, uint32_t b, const struct need *need)
{
    printf("lost: %s + %s has more than %s + %s: %u operations, %u barriers, %u work-items, "
           "%u locations, families %x, orders %x, scopes %x, memory %x\n",
           q->models[a]->visibility, q->models[a]->persistency, q->models[b]->visibility,
           q->models[b]->persistency, need->size, need->barriers, need->threads, need->locations,
           need->families, need->orders, need->scopes, need->memory);
}

/* Returns how many ordered pairs of models differ. */
static uint32_t hold(const struct question *q)
{
    uint32_t differ = 0;
    for (uint32_t pair = 0; pair < MOST_MODELS * MOST_MODELS; pair++) {
        const struct needs *raw = &q->raw[pair];
        differ += raw->count > 0;
        for (uint32_t i = 0; i < raw->count; i++) {
            bool told = is_told(&q->enumerated[pair], &raw->items[i]);
            CU_ASSERT_TRUE(told);
            if (!told)
                tell(q, pair / MOST_MODELS, pair % MOST_MODELS, &raw->items[i]);
        }
        CU_ASSERT_EQUAL(q->enumerated[pair].count > 0, raw->count > 0);
    }
    return differ;
}

/* Pairs as "sc+strict", separated by blanks. Returns how many ordered pairs of them differ. */
static uint32_t compare_under(const struct gen_bound *bound, const char *pairs,
                              const struct session_settings *asked)
{
    const struct session_settings settings = *asked;
    size_t room = MOST_MODELS * MOST_MODELS * sizeof(struct needs);
    struct session_models *models = session_models_new();
    const struct cat_asker user = session_models_user(&settings);
    struct question q = {.bound = bound, .settings = &settings};
    char copy[256];
    CU_ASSERT_TRUE_FATAL(strlen(pairs) < sizeof copy);
    strcpy(copy, pairs);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        char *plus = strchr(name, '+');
        *plus = '\0';
        q.models[q.model_count++] = session_models_get(models, &user, name, plus + 1);
    }
    q.raw = memset(base_realloc(NULL, room), 0, room);
    q.enumerated = memset(base_realloc(NULL, room), 0, room);
    q.plain = 1u << gen_family_find(bound->vocabulary, "ld") |
              1u << gen_family_find(bound->vocabulary, "st");
    q.form_count = gen_bound_forms(bound, q.forms);
    q.into = q.raw;
    each_raw(&q);
    q.into = q.enumerated;
    uint64_t count = gen_enumerate_all(bound, visit, &q);
    CU_ASSERT_TRUE(count > 0 && count < q.raw_count);
    uint32_t differ = hold(&q);
    struct seen *seen, *next;
    HASH_ITER (hh, q.seen, seen, next) {
        HASH_DEL(q.seen, seen);
        base_free(seen->text);
        base_free(seen);
    }
    base_free(q.raw);
    base_free(q.enumerated);
    strbuf_fini(&q.text);
    strbuf_fini(&q.least);
    session_models_free(models);
    return differ;
}

static uint32_t compare_all(const struct gen_bound *bound, const char *pairs)
{
    static const struct session_settings settings = {.unroll = 2, .engine = "enum", .states = true};
    return compare_under(bound, pairs, &settings);
}

static void compare(const struct gen_bound *bound, const char *pairs, uint32_t differ)
{
    CU_ASSERT_EQUAL(compare_all(bound, pairs), differ);
}

/* At least the last differs from each. */
static void compare_most(const struct gen_bound *bound, const char *pairs)
{
    uint32_t blanks = 0;
    for (const char *at = pairs; *at; at++)
        blanks += *at == ' ';
    CU_ASSERT_TRUE(compare_all(bound, pairs) >= blanks);
}

static bool is_long(void)
{
    const char *wish = getenv("GEN_TELLING");
    return wish && strcmp(wish, "long") == 0;
}

static struct gen_bound bound_of(const char *vocabulary, uint32_t events, uint32_t barriers)
{
    struct gen_bound bound;
    gen_bound_init(&bound, gen_vocabulary_named(vocabulary), GEN_OPENCL);
    bound.events = events;
    bound.barriers = barriers;
    return bound;
}

/* ---- Models ---- */

/* strict < buffered-strict and epoch < buffered-epoch < none, and the two in the middle are
 * incomparable: 9 ordered pairs have the one on top, and 2 more are those in the middle's. Without
 * a barrier epoch is none: 4 are above strict, and 3 above buffered-strict. */
static void spb(void)
{
    static const char models[] = "sc+strict sc+buffered-strict sc+epoch sc+buffered-epoch sc+none";
    struct gen_bound bound = bound_of("spb", 2, 2);
    compare(&bound, models, 11);
    bound = bound_of("spb", 3, is_long());
    bound.volatiles = is_long();
    compare(&bound, models, is_long() ? 11 : 7);
}

/* Only the collective reading waits for everybody to arrive: the individual one has more. */
static void readings(void)
{
    struct gen_bound bound = bound_of("spb", 2, 2);
    compare(&bound, "sc+epoch sc+epoch-individual", 1);
    bound = bound_of("spb-individual", 2, 1u + is_long());
    compare(&bound, "sc+epoch-individual sc+buffered-epoch-individual sc+none", 3);
}

/* Who waits in vain is undefined collectively alone, so epoch and buffered-epoch each have more
 * than the individual epoch and than none: 4 ordered pairs. Both of these have more than both of
 * them: P1 of `P0: st x; p_barrier | P1: p_barrier; st y` waits for x collectively alone: 4 more.
 * Buffered-epoch has more than epoch, none more than the individual one: 10. In volatile memory
 * nobody asks what is durable, which leaves the first 8: who comes together has P1 of `P0: st x;
 * p_barrier | P1: p_barrier; ld x` read P0's store, who does not may have it read 0. */
static void missed(void)
{
    static const char models[] = "sc+epoch sc+buffered-epoch sc+epoch-individual sc+none";
    struct gen_bound bound = bound_of("spb-individual", 2, 2);
    bound.volatiles = is_long();
    compare(&bound, models, 10);
    bound = bound_of("spb-individual", 2, 2);
    bound.nvm = false;
    compare(&bound, models, 8);
}

static void leave_out(struct gen_bound *bound, const char *family)
{
    bound->families &= ~(1u << gen_family_find(bound->vocabulary, family));
}

/* Of each the last has more than all before it, whatever these have of each other. Execution
 * barriers are left to SPB's programs, and where they are a mechanism's. */
static void mechanisms(void)
{
    struct gen_bound bound = bound_of("gpm", 2, 1);
    leave_out(&bound, "bar");
    bound.hosts = is_long();
    compare_most(&bound, "sc+gpm sc+gpm-eadr sc+gpm-ddio sc+gpm-cumulative sc+gpm-window sc+none");
    bound = bound_of("px86", 2, 1);
    leave_out(&bound, "bar");
    bound.volatiles = is_long();
    compare_most(&bound, "sc+px86-eadr sc+px86 sc+px86-sync sc+none");
    bound = bound_of("lin", 2, 1);
    leave_out(&bound, "bar");
    bound.volatiles = is_long();
    compare_most(&bound, "sc+lin-wpq sc+lin-adr sc+lin-warp sc+lin-flight sc+none");
    bound = bound_of("sbrp", 2, 1u + is_long());
    bound.volatiles = false;
    compare_most(&bound, "sc+sbrp sc+sbrp-release sc+sbrp-barrier sc+none");
    bound = bound_of("strand", 2, 1u + is_long());
    compare_most(&bound, "sc+strand sc+strand-stores sc+strand-waits sc+none");
    bound = bound_of("tx", 1u + is_long(), 2);
    compare_most(&bound, "sc+kiln sc+chen-baseline sc+chen-helper sc+kiln-flush-all sc+none");
}

/* Two that store to one location race under both of HRF's, and SC knows of no races. */
static void visibilities(void)
{
    struct gen_bound bound = bound_of("spb", 2, 1);
    bound.orders |= 1u << LIT_ORDER_ACQ | 1u << LIT_ORDER_REL;
    bound.nvm = false;
    compare(&bound, "hrf-direct+none hrf-indirect+none sc+none", 2);
    bound = bound_of("spb", 2u + is_long(), 0);
    bound.orders |= 1u << LIT_ORDER_ACQ | 1u << LIT_ORDER_REL;
    compare_most(&bound, "sc+strict hrf-direct+strict");
}

/* ---- Instructions that nobody has written ---- */

/* What a model may say of an instruction, by its kind: of what its own work-item did, of others, of
 * two of them, of a group's. */
enum { WAYS = 4 };
static const char *const rules[GEN_DRAWN_KINDS][WAYS] = {
    [GEN_DRAWN_FENCE] = {"[NVW]; po; [I%u]", "[NVW]; hb; [I%u]", "[NVW]; po; [I%u]; po; [I%u]",
                         "[NVW]; (hb & swg); [I%u]"},
    [GEN_DRAWN_FLUSH] = {"[NVW]; (po & line); [I%u]", "[NVW]; (hb & line); [I%u]",
                         "[NVW]; po; [I%u]", "[NVW]; po; [I%u]; (po & loc); [I%u]"},
    [GEN_DRAWN_STORE] = {"[NVW]; po; [I%u]", "[NVW]; (hb & loc); [I%u]",
                         "[NVW]; po; [I%u]; co; [W]", "[NVW]; po; [I%u]; rf; [R]"},
    [GEN_DRAWN_LOAD] = {"[NVW]; po; [I%u]", "[NVW]; rf; [I%u]", "[NVW]; (po & loc); [I%u]",
                        "[NVW]; hb; [I%u]"},
    [GEN_DRAWN_SCOPED] = {"[NVW]; (hb & swg); [I%u & WG]", "[NVW]; po; [I%u]",
                          "[NVW]; po; [I%u & WG]; po; [I%u]", "[NVW]; hb; [I%u]"},
};

/* A model of all that is drawn. */
static void write_model(struct gen_own *own, const struct gen_drawn *drawn, const char *name,
                        uint64_t *seed)
{
    static const char *const sets[] = {"F", "CM", "W", "R", "F"};
    struct strbuf text = {0};
    strbuf_add(&text, "m \"of a unit test\"\n");
    for (uint32_t i = 0; i < drawn->count; i++)
        strbuf_printf(&text, "instructions %s['i%u]\n", sets[drawn->kinds[i]], i);
    strbuf_add(&text, "let NVW = W & NVM\nlet durable-before = 0");
    for (uint32_t i = 0; i < drawn->count; i++) {
        strbuf_add(&text, " | ");
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        strbuf_printf(&text, rules[drawn->kinds[i]][(*seed >> 33) % WAYS], i, i);
    }
    strbuf_add(&text, "\n");
    (void)gen_own_file(own, name, text.text);
    strbuf_fini(&text);
}

/* Two models of drawn instructions, and none, which has more than each. */
static void drawn(void)
{
    struct gen_drawn definitions = {.count = 0};
    uint64_t seed = 7;
    uint32_t differ = 0;
    for (uint32_t round = 0; round < (is_long() ? 40u : 8u); round++) {
        struct gen_own own;
        gen_draw_definitions(&definitions, 1 + round % 2, &seed);
        const struct gen_vocabulary *vocabulary =
            gen_own_begin(&own, strbuf_text(&definitions.text));
        CU_ASSERT_PTR_NOT_NULL_FATAL(vocabulary);
        write_model(&own, &definitions, "a.cat", &seed);
        write_model(&own, &definitions, "b.cat", &seed);
        struct gen_bound bound;
        gen_bound_init(&bound, vocabulary, GEN_OPENCL);
        bound.families = ~((1u << GEN_COMMON) - 4); /* ld, st and what is drawn */
        bound.events = 1 + round % 2;               /* or two in a row */
        bound.barriers = 2 - round % 2;
        bound.volatiles = is_long();
        bound.levels = 1u << LIT_SCOPE_WG; /* of swg */
        const char *pairs =
            arena_printf(&own.arena, "sc+%s/a.cat sc+%s/b.cat sc+none", own.folder, own.folder);
        differ += compare_under(&bound, pairs, &own.settings);
        gen_own_end(&own);
    }
    CU_ASSERT_TRUE(differ > 6); /* some need more operations to differ */
    strbuf_fini(&definitions.text);
}

void suite_gen_telling(void)
{
    CU_pSuite suite = CU_add_suite("gen_telling", NULL, NULL);
    UNIT_HEAVY_TEST(suite, spb);
    UNIT_TEST(suite, readings);
    UNIT_TEST(suite, missed);
    UNIT_HEAVY_TEST(suite, mechanisms);
    UNIT_HEAVY_TEST(suite, drawn);
    UNIT_TEST(suite, visibilities);
}
