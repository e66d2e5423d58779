/* Each node has an upper bound (kinds it may hold) and a lower one (kinds all of whose events it
 * holds), sets as a mask, relations as a matrix. Lower bounds do not grow through recursion, so
 * upper ones are iterated from nothing until none grows. All is done twice: without and with a
 * kind for a read-modify-write that is one event. */
#include "cat/cat_kinds.h"

#include "base/arena.h"

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

/* A set is in the first row. */
struct bounds {
    uint32_t upper[KINDS], lower[KINDS];
};

struct kinds {
    const struct cat_model *model;
    uint32_t world; /* the kinds there are */
    struct bounds *of;
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
    {"rmw", READS, WRITES, true},
    {"amo", READS, WRITES, true},
    {"po", EVERY & ~INITS, EVERY & ~INITS, false},
    {"data", READS, WRITES, false},
    {"addr", READS, READS | WRITES | MAINTENANCES, false},
    {"ctrl", READS, EVERY & ~INITS, false},
    {"syncbar", BIT(BARRIER), BIT(BARRIER), false},
    {"syncpb", BIT(PERSIST), BIT(PERSIST), false},
    {"sync_fence", BIT(FENCE) | READS | WRITES, BIT(FENCE) | READS | WRITES, false},
};

static void look_up(const struct kinds *k, const struct cat_node *node, struct bounds *out)
{
    const char *name = k->model->basis->names[node->base].name;
    bool is_set = node->sort == CAT_SET;
    for (uint32_t from = 0; from < KINDS; from++)
        out->upper[from] = EVERY;
    for (size_t i = 0; is_set && i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].name, name) == 0) {
            out->upper[0] = sets[i].upper;
            out->lower[0] = sets[i].lower;
        }
    for (size_t i = 0; !is_set && i < sizeof relations / sizeof *relations; i++)
        for (uint32_t from = 0; from < KINDS && strcmp(relations[i].name, name) == 0; from++) {
            uint32_t same = NVMS & BIT(from) ? NVMS : ~NVMS;
            out->upper[from] = relations[i].from & BIT(from) ? relations[i].to : 0;
            if (relations[i].one_location)
                out->upper[from] &= same;
        }
    for (uint32_t from = 0; !is_set && from < KINDS && strcmp(name, "id") == 0; from++)
        out->upper[from] = BIT(from);
}

/* Events that may carry a tag, by what they have it from. */
static const uint32_t carriers[] = {[CAT_BY_INSTRUCTION] = EVERY & ~INITS,
                                    [CAT_BY_LOCATION] = PLACED,
                                    [CAT_BY_THREAD] = EVERY & ~INITS};

static void compose(const struct bounds *a, const struct bounds *b, struct bounds *out)
{
    for (uint32_t from = 0; from < KINDS; from++)
        for (uint32_t middle = 0; middle < KINDS; middle++)
            if (a->upper[from] & BIT(middle))
                out->upper[from] |= b->upper[middle];
}

static void close(const struct bounds *a, bool plus, bool reflexive, struct bounds *out)
{
    memcpy(out->upper, a->upper, sizeof out->upper);
    for (uint32_t middle = 0; plus && middle < KINDS; middle++)
        for (uint32_t from = 0; from < KINDS; from++)
            if (out->upper[from] & BIT(middle))
                out->upper[from] |= out->upper[middle];
    for (uint32_t from = 0; reflexive && from < KINDS; from++)
        out->upper[from] |= BIT(from);
}

static void turn(const struct bounds *a, struct bounds *out)
{
    for (uint32_t from = 0; from < KINDS; from++)
        for (uint32_t to = 0; to < KINDS; to++)
            if (a->upper[from] & BIT(to))
                out->upper[to] |= BIT(from);
}

static void multiply(const struct bounds *a, const struct bounds *b, struct bounds *out)
{
    for (uint32_t from = 0; from < KINDS; from++) {
        out->upper[from] = a->upper[0] & BIT(from) ? b->upper[0] : 0;
        out->lower[from] = a->lower[0] & BIT(from) ? b->lower[0] : 0;
    }
}

static uint32_t ends_of(const struct bounds *a, bool first)
{
    uint32_t ends = 0;
    for (uint32_t from = 0; from < KINDS; from++)
        ends |= !first ? a->upper[from] : a->upper[from] ? BIT(from) : 0;
    return ends;
}

static void combine(enum cat_op op, const struct bounds *a, const struct bounds *b,
                    struct bounds *out)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        uint32_t up = a->upper[i], low = a->lower[i];
        out->upper[i] = op == CAT_UNION   ? up | b->upper[i]
                        : op == CAT_INTER ? up & b->upper[i]
                        : op == CAT_DIFF  ? up & ~b->lower[i]
                                          : ~low;
        out->lower[i] = op == CAT_UNION   ? low | b->lower[i]
                        : op == CAT_INTER ? low & b->lower[i]
                        : op == CAT_DIFF  ? low & ~b->upper[i]
                                          : ~up;
    }
}

static void compute(const struct kinds *k, const struct cat_node *node, struct bounds *out)
{
    const struct bounds *a = node->a == CAT_NONE ? NULL : &k->of[node->a];
    const struct bounds *b = node->b == CAT_NONE ? NULL : &k->of[node->b];
    switch (node->op) {
    case CAT_BASE: look_up(k, node, out); break;
    case CAT_TAGGED: out->upper[0] = carriers[k->model->tagged[node->base].bearer]; break;
    case CAT_EMPTY: break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
    case CAT_COMP: combine(node->op, a, b, out); break;
    case CAT_SEQ: compose(a, b, out); break;
    case CAT_PRODUCT: multiply(a, b, out); break;
    case CAT_INVERSE: turn(a, out); break;
    case CAT_OPT: close(a, false, true, out); break;
    case CAT_PLUS: close(a, true, false, out); break;
    case CAT_STAR: close(a, true, true, out); break;
    case CAT_TOID:
        for (uint32_t i = 0; i < KINDS; i++)
            out->upper[i] = a->upper[0] & BIT(i);
        break;
    case CAT_DOMAIN: out->upper[0] = ends_of(a, true); break;
    case CAT_RANGE: out->upper[0] = ends_of(a, false); break;
    case CAT_VAR:
    case CAT_FIX:
        memcpy(out->upper, k->of[k->model->rec_groups[node->group].bodies[node->base]].upper,
               sizeof out->upper);
        break;
    case CAT_CHOICE:
        for (uint32_t i = 0; i < KINDS; i++)
            out->upper[i] = EVERY;
    }
}

/* Kinds that are not there have no part in anything; of a set the first row counts. */
static void cut(const struct kinds *k, const struct cat_node *node, struct bounds *bounds)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        bool counts = node->sort == CAT_SET ? i == 0 : (k->world & BIT(i)) != 0;
        bounds->upper[i] = counts ? bounds->upper[i] & k->world : 0;
        bounds->lower[i] = counts ? bounds->lower[i] & k->world : 0;
    }
}

static struct kinds find(struct arena *arena, const struct cat_model *model, uint32_t world)
{
    struct kinds k = {model, world, ARENA_ARRAY(arena, struct bounds, model->node_count)};
    for (bool grew = true; grew;) {
        grew = false;
        for (cat_node_id id = 0; id < model->node_count; id++) {
            struct bounds bounds = {{0}, {0}};
            compute(&k, &model->nodes[id], &bounds);
            cut(&k, &model->nodes[id], &bounds);
            grew |= memcmp(&bounds, &k.of[id], sizeof bounds) != 0;
            k.of[id] = bounds;
        }
    }
    return k;
}

static bool is_empty(const struct kinds *k, cat_node_id id)
{
    return ends_of(&k->of[id], false) == 0;
}

/* ---- Names of the contract ---- */

/* Can any event of the kinds `from`, with any of `to`, be in it? Of a set: any of `from`. */
static bool may_have(const struct kinds *k, cat_node_id id, uint32_t from, uint32_t to)
{
    const struct bounds *of = &k->of[id];
    bool is_set = k->model->nodes[id].sort == CAT_SET;
    for (uint32_t i = 0; i < KINDS; i++)
        if (is_set ? of->upper[0] & from : from & BIT(i) && of->upper[i] & to)
            return true;
    return false;
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
    struct bounds cycles = k->of[check->node];
    if (check->negated || check->test == CAT_IS_EMPTY)
        return check->negated || !is_empty(k, check->node);
    if (check->test == CAT_ACYCLIC)
        close(&k->of[check->node], true, false, &cycles);
    for (uint32_t i = 0; i < KINDS; i++)
        if (cycles.upper[i] & BIT(i))
            return true;
    return false;
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
    struct arena arena;
    arena_init(&arena);
    const struct kinds two = find(&arena, model, EVERY & ~UPDATES);
    const struct kinds one = find(&arena, model, EVERY);
    warn_of_idle_names(&two, places->defined, diag);
    warn_of_no_checks(&two, places, diag);
    warn_of_updates(&two, &one, diag);
    arena_fini(&arena);
}
