/* Bounds over kinds of events (cat_bounds.h), computed twice: without and with a kind for a
 * read-modify-write that is one event. */
#include "cat/cat_kinds.h"

#include "cat/cat_bounds.h"

#include <string.h>

enum kind {
    READ,
    READ_NVM,
    WRITE,
    WRITE_NVM,
    INIT,
    INIT_NVM,
    UPDATE,
    UPDATE_NVM,
    FENCE,
    MAINTENANCE,
    MAINTENANCE_NVM,
    BARRIER,
    PERSIST,
    KINDS
};

#define BIT(kind) (1u << (kind))
#define READS (BIT(READ) | BIT(READ_NVM) | UPDATES)
#define WRITES (BIT(WRITE) | BIT(WRITE_NVM) | UPDATES)
#define INITS (BIT(INIT) | BIT(INIT_NVM))
#define UPDATES (BIT(UPDATE) | BIT(UPDATE_NVM))
#define EVERY (BIT(KINDS) - 1u)
#define NVMS \
    (BIT(READ_NVM) | BIT(WRITE_NVM) | BIT(INIT_NVM) | BIT(UPDATE_NVM) | BIT(MAINTENANCE_NVM))
#define ACCESSES (READS | WRITES | INITS)
#define MAINTENANCES (BIT(MAINTENANCE) | BIT(MAINTENANCE_NVM))
#define PLACED (ACCESSES | MAINTENANCES)

struct kinds {
    const struct cat_model *model;
    rel_word world; /* the kinds there are: a set */
    rel_word world_pairs[KINDS], same[KINDS], spare[KINDS];
    struct cat_domain domain;
    struct cat_bounds of;
};

static const struct {
    const char *name;
    uint32_t upper, lower;
} sets[] = {
    {"_", EVERY, EVERY},
    {"R", READS, READS},
    {"W", WRITES | INITS, WRITES | INITS},
    {"M", ACCESSES, ACCESSES},
    {"IW", INITS, INITS},
    {"NVM", NVMS, NVMS},
    {"F", BIT(FENCE), BIT(FENCE)},
    {"CM", MAINTENANCES, MAINTENANCES},
    {"B", BIT(BARRIER), BIT(BARRIER)},
    {"PB", BIT(PERSIST), BIT(PERSIST)},
    {"ARRIVE", BIT(BARRIER), 0},
    {"RMW", READS | WRITES, UPDATES},
    {"ATOMIC", READS | WRITES, 0},
    {"A", READS | WRITES, 0},
    {"NA", READS | WRITES, 0},
    {"WEAK", READS | WRITES, 0},
};

static const struct {
    const char *name;
    uint32_t from, to;
    bool one_location;
} relations[] = {
    {"rf", WRITES | INITS, READS, true},
    {"co", WRITES | INITS, WRITES, true},
    {"fr", READS, WRITES, true},
    {"loc", PLACED, PLACED, true},
    {"vloc", PLACED, PLACED, true},
    {"line", PLACED, PLACED, true},
    {"same-access", READS | WRITES, READS | WRITES, false},
    {"same-unit", READS | WRITES, READS | WRITES, false},
    {"rmw", READS, WRITES, true},
    {"amo", READS, WRITES, true},
    {"po", EVERY & ~INITS, EVERY & ~INITS, false},
    {"data", READS, WRITES, false},
    {"addr", READS, READS | WRITES | MAINTENANCES, false},
    {"ctrl", READS, EVERY & ~INITS, false},
    {"token", BIT(FENCE) | MAINTENANCES, BIT(FENCE), false},
    {"syncbar", BIT(BARRIER), BIT(BARRIER), false},
    {"syncpb", BIT(PERSIST), BIT(PERSIST), false},
    {"sync_fence", BIT(FENCE) | READS | WRITES, BIT(FENCE) | READS | WRITES, false},
};

static void write_set(const char *name, rel_word *lower, rel_word *upper)
{
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].name, name) == 0) {
            *upper = sets[i].upper;
            *lower = sets[i].lower;
        }
}

static void write_relation(const char *name, rel_word *upper)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        for (uint32_t from = 0; from < KINDS && strcmp(relations[i].name, name) == 0; from++) {
            uint32_t same = NVMS & BIT(from) ? NVMS : ~NVMS;
            upper[from] = relations[i].from & BIT(from) ? relations[i].to : 0;
            if (relations[i].one_location)
                upper[from] &= same;
        }
    for (uint32_t from = 0; from < KINDS && strcmp(name, "id") == 0; from++)
        upper[from] = BIT(from);
}

/* Events that may carry a tag, by what they have it from. */
static const uint32_t carriers[] = {[CAT_BY_INSTRUCTION] = EVERY & ~INITS,
                                    [CAT_BY_LOCATION] = PLACED,
                                    [CAT_BY_THREAD] = EVERY & ~INITS};

/* On an instruction of a kind that it is not declared for a tag is none. */
static uint32_t tagged_kinds(const struct cat_model *model, const struct cat_tagged *tagged)
{
    const struct cat_declaration *all = model->declarations;
    bool persists =
        tagged->bearer != CAT_BY_INSTRUCTION ||
        ANY(i, model->declaration_count,
            strcmp(all[i].tag, tagged->tag) == 0 && all[i].kinds >> CAT_DECLARED_PB & 1);
    return carriers[tagged->bearer] & (persists ? EVERY : ~BIT(PERSIST));
}

/* Of what is not in the tables anything may be in. */
static bool write_leaf(struct cat_bounds *bounds, cat_node_id id)
{
    const struct kinds *k = bounds->context;
    const struct cat_node *node = &k->model->nodes[id];
    rel_word *lower = bounds->values[CAT_LOWER][id], *upper = bounds->values[CAT_UPPER][id];
    const char *name = node->op == CAT_BASE ? k->model->basis->names[node->base].name : "";
    cat_value_fill(k->domain.dim, node->sort, upper);
    if (node->op == CAT_TAGGED)
        *upper = tagged_kinds(k->model, &k->model->tagged[node->base]);
    else if (node->sort == CAT_SET)
        write_set(name, lower, upper);
    else
        write_relation(name, upper);
    for (enum cat_side side = CAT_LOWER; side <= CAT_UPPER; side++)
        cat_operate(k->domain.dim, CAT_INTER, node->sort, bounds->values[side][id],
                    k->domain.within[side][node->sort], bounds->values[side][id]);
    return true;
}

/* Only an event itself is there for sure where it is. */
static void find_kinds(struct kinds *k, struct arena *arena, const struct cat_model *model,
                       rel_word world)
{
    struct rel_dim dim = rel_dim_make(KINDS);
    *k = (struct kinds){.model = model, .world = world};
    rel_product(dim, k->world_pairs, &k->world, &k->world);
    rel_identity(dim, k->same);
    k->domain =
        (struct cat_domain){.dim = dim,
                            .implied = k->same,
                            .within = {{&k->world, k->world_pairs}, {&k->world, k->world_pairs}},
                            .many = true,
                            .spare = k->spare};
    cat_bounds_new(arena, &k->of, model, &k->domain, NULL, model->node_count);
    k->of.leaf = write_leaf;
    k->of.context = k;
    BASE_CHECK(cat_bounds_find(&k->of, model->node_count));
}

static const rel_word *upper_of(const struct kinds *k, cat_node_id id)
{
    return k->of.values[CAT_UPPER][id];
}

static bool is_empty(const struct kinds *k, cat_node_id id)
{
    return cat_passes(k->domain.dim, CAT_IS_EMPTY, k->model->nodes[id].sort, upper_of(k, id), NULL);
}

/* ---- Names of the contract ---- */

/* Can any event of the kinds `from`, with any of `to`, be in it? Of a set: any of `from`. */
static bool may_have(const struct kinds *k, cat_node_id id, uint32_t from, uint32_t to)
{
    const rel_word *upper = upper_of(k, id);
    bool is_set = k->model->nodes[id].sort == CAT_SET;
    return ANY(i, KINDS, is_set ? upper[0] & from : from & BIT(i) && upper[i] & to);
}

static void warn_of_idle_names(const struct kinds *k, const struct span *defined, struct diag *diag)
{
    static const struct {
        enum cat_reserved name;
        const char *text;
        uint32_t from, to;
        const char *needs;
    } names[] = {{CAT_PERSIST_BEFORE, "persist-before", BIT(WRITE_NVM), BIT(WRITE_NVM),
                  "pairs of writes to non-volatile locations, as in [W & NVM]; r; [W & NVM]"},
                 {CAT_DURABLE_BEFORE, "durable-before", BIT(WRITE_NVM), EVERY,
                  "writes to non-volatile locations on the left, as in [W & NVM]; r"},
                 {CAT_PERSIST_ATOMIC, "persist-atomic", BIT(WRITE_NVM), BIT(WRITE_NVM),
                  "pairs of writes to non-volatile locations, as in [W & NVM]; r; [W & NVM]"},
                 {CAT_DURABLE_AFTER, "durable-after", EVERY, BIT(WRITE_NVM),
                  "writes to non-volatile locations on the right, as in r; [W & NVM]"},
                 {CAT_CAN_PERSIST, "can-persist", BIT(WRITE_NVM), 0,
                  "writes to non-volatile locations, as in W & NVM"},
                 {CAT_WITHHELD, "withheld", WRITES, 0, "writes, as in W & NVM"},
                 {CAT_UNDONE, "undone", WRITES, 0, "writes, as in W & NVM"},
                 {CAT_MAY_STAY, "may-stay", WRITES, 0, "writes, as in W & NVM"},
                 {CAT_LANDS_BEFORE, "lands-before", BIT(WRITE_NVM), BIT(WRITE_NVM),
                  "pairs of writes to one non-volatile location, as in co & r"},
                 {CAT_WAITS, "waits", BIT(BARRIER) | BIT(PERSIST), 0, "barriers, as in B | PB"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cat_node_id id = k->model->reserved[names[i].name];
        if (k->model->nodes[id].op != CAT_EMPTY && !may_have(k, id, names[i].from, names[i].to))
            diag_warning(diag, DIAG_CAT_RESERVED, defined[names[i].name],
                         "nothing in '%s' has an effect, whatever the test: only %s count; write 0 "
                         "({} for a set) if none is meant",
                         names[i].text, names[i].needs);
    }
}

/* ---- Checks ---- */

/* Can some execution break it, as far as kinds tell? Of a negated one that is not asked. */
static bool may_fail(const struct kinds *k, const struct cat_check *check)
{
    return check->negated || !cat_bounds_hold(&k->of, check);
}

/* Total coherence excludes nothing that is a candidate but in PTX. `empty 0` says that all is meant
 * to be allowed. */
static bool counts(const struct kinds *k, const struct cat_check *check)
{
    bool said = k->model->nodes[check->node].op == CAT_EMPTY;
    return check->kind == CAT_CHECK && strcmp(check->name, "total-coherence") != 0 &&
           (said || may_fail(k, check));
}

static void warn_of_no_checks(const struct kinds *k, const struct cat_kinds_places *places,
                              struct diag *diag)
{
    for (size_t i = 0; i < places->visibility_checks; i++)
        if (counts(k, &k->model->checks[i]))
            return;
    if (!places->visibility_chooses)
        diag_warning(diag, DIAG_CAT_NO_CHECK, places->visibility,
                     "the visibility model has no check that can fail, so every execution is "
                     "consistent: a read may return any write's value; add what it forbids, such "
                     "as 'acyclic po | rf | co | fr', or 'empty 0' if that is meant");
}

/* ---- Read-modify-writes ---- */

static void warn_of_updates(const struct kinds *two, const struct kinds *one, struct diag *diag)
{
    for (cat_node_id id = 0; id < two->model->node_count; id++) {
        const struct cat_node *node = &two->model->nodes[id];
        if ((node->op == CAT_INTER || node->op == CAT_SEQ) && node->span.source &&
            is_empty(two, id) && !is_empty(one, id) && !is_empty(two, node->a) &&
            !is_empty(two, node->b))
            diag_warning(diag, DIAG_CAT_UPDATE, node->span,
                         "this is empty in every execution: no event is in R and in W, as a "
                         "read-modify-write is two events here, joined by 'rmw', where herd has "
                         "one; write 'rmw', or 'RMW' for both of them");
    }
}

void cat_kinds_warn(const struct cat_model *model, const struct cat_kinds_places *places,
                    struct diag *diag)
{
    SCOPED(arena) arena = {0};
    struct kinds two, one;
    find_kinds(&two, &arena, model, EVERY & ~UPDATES);
    find_kinds(&one, &arena, model, EVERY);
    warn_of_idle_names(&two, places->defined, diag);
    warn_of_no_checks(&two, places, diag);
    warn_of_updates(&two, &one, diag);
}

/* ---- Persist barriers ---- */

static uint8_t persists_of(const struct kinds *k, cat_node_id id)
{
    const rel_word *upper = upper_of(k, id);
    const uint32_t others = EVERY & ~BIT(PERSIST);
    if (k->model->nodes[id].sort == CAT_SET)
        return *upper & BIT(PERSIST) ? CAT_PERSISTS_SELF : 0;
    return (uint8_t)((upper[PERSIST] & others ? CAT_PERSISTS_FROM : 0) |
                     (may_have(k, id, others, BIT(PERSIST)) ? CAT_PERSISTS_TO : 0) |
                     (upper[PERSIST] & BIT(PERSIST) ? CAT_PERSISTS_SELF : 0));
}

const uint8_t *cat_kinds_persists(struct arena *arena, const struct cat_model *model)
{
    uint8_t *persists = ARENA_ARRAY(arena, uint8_t, model->node_count + 1);
    struct kinds kinds;
    find_kinds(&kinds, arena, model, EVERY & ~UPDATES);
    for (cat_node_id id = 0; id < model->node_count; id++)
        persists[id] = persists_of(&kinds, id);
    return persists;
}
