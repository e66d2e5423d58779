#include "generate/gen_chosen.h"

#include "cat/cat_mentions.h"
#include "exec/exec_basis.h"
#include "generate/gen_definition.h"
#include "generate/gen_program.h"

#include <string.h>

enum {
    MOST_TOLD = 8,         /* instructions that are left out */
    MOST_DECLARING = 64,   /* models */
    MOST_DEFINITIONS = 128 /* in all files, as each test reads them */
};

/* ---- Of a model ---- */

static bool has_tag(const struct gen_vocabulary *vocabulary, const char *tag)
{
    for (uint32_t f = 0; f < vocabulary->family_count; f++)
        for (const char *const *at = vocabulary->families[f].tags; at && *at; at++)
            if (strcmp(*at, tag) == 0)
                return true;
    return false;
}

static uint32_t count_tags(const struct gen_vocabulary *vocabulary)
{
    uint32_t count = 0;
    for (uint32_t f = 0; f < vocabulary->family_count; f++)
        for (const char *const *at = vocabulary->families[f].tags; at && *at; at++)
            count++;
    return count;
}

static uint32_t count_had(const struct cat_model *model, const struct gen_vocabulary *vocabulary,
                          uint32_t *of)
{
    uint32_t had = 0;
    *of = 0;
    EACH (const struct cat_tagged, tagged, model->tagged, model->tagged_count) {
        if (tagged->bearer != CAT_BY_INSTRUCTION)
            continue;
        ++*of;
        had += has_tag(vocabulary, tagged->tag);
    }
    return had;
}

/* Most of the tags, and of these the fewest others. */
static const struct gen_vocabulary *closest(struct gen_vocabularies *all,
                                            const struct cat_model *model, bool *complete)
{
    const char *names[GEN_MAX_VOCABULARIES];
    size_t count = gen_vocabulary_names(all->arena, names);
    const struct gen_vocabulary *best = NULL;
    uint32_t most = 0, of;
    *complete = true;
    if (!ANY(i, model->tagged_count, model->tagged[i].bearer == CAT_BY_INSTRUCTION))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct gen_vocabulary *vocabulary = gen_vocabulary_find(all, names[i]);
        uint32_t had = count_had(model, vocabulary, &of);
        if (had > most || (had && had == most && count_tags(vocabulary) < count_tags(best))) {
            best = vocabulary;
            most = had;
        }
        *complete = most == of;
    }
    return best;
}

/* Does the expression have the base name in it? */
static bool looks_at(struct arena *scratch, const struct cat_model *model, cat_node_id node,
                     uint32_t base)
{
    bool *marks = ARENA_ARRAY(scratch, bool, model->node_count + 1), found = false;
    marks[node] = true;
    for (cat_node_id id = node + 1; id-- > 0;) {
        const struct cat_node *at = &model->nodes[id];
        if (!marks[id])
            continue;
        found |= at->op == CAT_BASE && at->base == base;
        if (at->a != CAT_NONE)
            marks[at->a] = true;
        if (at->b != CAT_NONE)
            marks[at->b] = true;
    }
    return found;
}

/* Persist barriers for which all of a scope wait, or of one that may be alone. */
static const struct gen_vocabulary *of_barriers(struct gen_vocabularies *all,
                                                const struct cat_model *model)
{
    struct arena_mark mark = arena_mark(all->arena);
    bool barriers = cat_mentions_of(all->arena, model).bases[EXEC_SET_PBARRIER];
    bool waits = looks_at(all->arena, model, model->reserved[CAT_WAITS], EXEC_SET_PBARRIER);
    arena_rewind(all->arena, mark);
    return !barriers ? NULL : gen_vocabulary_find(all, waits ? "spb" : "spb-individual");
}

/* What may be true of an instruction of which nothing is known. */
static uint32_t unknown_traits(const struct gen_family *family)
{
    bool marks = family->traits & (GEN_OPENS | GEN_CLOSES);
    return family->class == GEN_LOAD    ? GEN_ANYWHERE
           : family->class < GEN_LINE   ? 0
           : marks                      ? 0
           : family->class == GEN_POINT ? GEN_SPEAKS | GEN_COUNTS
                                        : GEN_SPEAKS | GEN_COUNTS | GEN_ANYWHERE;
}

/* Nothing is assumed of the instructions under a user's model. */
static const struct gen_vocabulary *without_traits(struct arena *arena,
                                                   const struct gen_vocabulary *from)
{
    struct gen_vocabulary *copy = arena_copy(arena, from, sizeof *copy);
    struct gen_family *families =
        arena_copy(arena, from->families, from->family_count * sizeof *families);
    for (uint32_t f = GEN_COMMON; f < from->family_count; f++)
        if (families[f].tags)
            families[f].traits =
                (families[f].traits & ~(uint32_t)GEN_PERSISTS) | unknown_traits(&families[f]);
    copy->families = families;
    return copy;
}

/* ---- Of instructions of the user's ---- */

/* A derived vocabulary while it is made. */
struct deriving {
    struct gen_vocabularies *all;
    struct gen_vocabulary *into;
    struct gen_family families[GEN_MAX_FAMILIES];
    uint32_t count;
    const char *names[SESSION_MAX_USES]; /* of definition files */
    struct strbuf name, left_out;
    uint32_t left_count;
};

static bool tags_are_same(const struct gen_family *a, const struct gen_family *b)
{
    uint32_t i = 0;
    while (a->tags[i] && b->tags[i] && strcmp(a->tags[i], b->tags[i]) == 0)
        i++;
    return !a->tags[i] && !b->tags[i];
}

/* Is whatever the second can be written for written by the first, too? */
static bool stands_for(const struct gen_family *a, const struct gen_family *b)
{
    return a->tags && a->class == b->class && a->traits == b->traits && !(b->orders & ~a->orders) &&
           !(b->scopes & ~a->scopes) && tags_are_same(a, b) && text_same(a->counts, b->counts);
}

/* The first ones are told, others counted. */
static void leave_out(struct deriving *d, const char *name, const char *why)
{
    if (d->left_count++ < MOST_TOLD)
        strbuf_printf(&d->left_out, "%s'%s' (%s)", d->left_out.length ? ", " : "", name, why);
}

/* One more instruction, unless there is one that stands for it; it takes the place of such a one.
 * A name of the language's families is another one here. */
static void add_family(struct deriving *d, struct gen_family family)
{
    family.traits |= unknown_traits(&family);
    for (uint32_t f = GEN_COMMON; f < d->count; f++) {
        if (stands_for(&d->families[f], &family))
            return;
        if (stands_for(&family, &d->families[f])) {
            d->families[f] = family;
            return;
        }
    }
    if (gen_is_language(family.name, GEN_LANGUAGE) ||
        ANY(f, d->count, strcmp(d->families[f].name, family.name) == 0))
        family.name = arena_printf(d->all->arena, "%s_%u", family.name, d->count);
    if (d->count == GEN_MAX_FAMILIES)
        leave_out(d, family.name, "there are too many");
    else
        d->families[d->count++] = family;
}

static bool names_file(const struct deriving *d, const char *name)
{
    return ANY(i, d->into->use_count, strcmp(d->names[i], name) == 0);
}

/* As tests name a file of the user's; "px86" is the built-in one. */
static const char *file_of(struct arena *arena, const char *path)
{
    const char *name = source_file_name(path);
    return strchr(name, '.') ? name : arena_printf(arena, "%s" REACH_DEFINITIONS, name);
}

static bool add_file(struct deriving *d, const char *path, struct diag *diag)
{
    const char *name = file_of(d->all->arena, path);
    size_t stem = strcspn(name, ".");
    if (!gen_is_plain(name) || !stem) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--uses names '%s', and no test could name that; expected a file of letters, "
                   "digits, '_', '-' and '.'",
                   name);
        return false;
    }
    if (names_file(d, name)) {
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "--uses names two files called '%s', and generated tests could use but one; give "
            "one another name",
            name);
        return false;
    }
    d->names[d->into->use_count++] = name;
    strbuf_printf(&d->name, "%s%.*s", d->name.length ? "-" : "", (int)stem, name);
    return true;
}

/* Names of functions that generated tests call, and of instructions of their columns. */
static bool is_called(const char *name)
{
    static const char *const names[] = {"p_barrier",
                                        "sync_barrier_wg",
                                        "sync_barrier_kr",
                                        "atomic_work_item_fence",
                                        "mov",
                                        "add",
                                        "and",
                                        "beq",
                                        "bne"};
    return ANY(i, sizeof names / sizeof *names, strcmp(names[i], name) == 0);
}

static bool add_files(struct deriving *d, struct diag *diag)
{
    const struct session_settings *settings = d->all->settings;
    return ALL(i, settings->uses_count, add_file(d, settings->uses[i], diag));
}

/* Can programs be made of them? False after reporting. */
static bool are_fit(const struct lit_definitions *all, struct diag *diag)
{
    const struct lit_definition *called = NULL;
    for (uint32_t i = 0; i < all->count && !called; i++)
        called = is_called(all->items[i]->name) ? all->items[i] : NULL;
    if (all->count > MOST_DEFINITIONS)
        diag_error(
            diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
            "--uses names files of %u definitions, and %d are the most that programs are made "
            "of; name a file of fewer",
            all->count, (int)MOST_DEFINITIONS);
    else if (called)
        diag_error(diag, DIAG_CLI_OPTION_VALUE, called->span,
                   "'%s' is what generated programs call; give the definition another name",
                   called->name);
    return all->count <= MOST_DEFINITIONS && !called;
}

static void add_definition(struct deriving *d, struct gen_definitions *definitions,
                           const struct lit_definition *definition)
{
    struct gen_family family;
    const char *why = d->count == GEN_MAX_FAMILIES
                          ? "there are too many"
                          : gen_definition_family(definitions, definition, &family);
    if (!why)
        why = gen_definition_unfit(&definitions->settings, d->all->arena, &family);
    if (why)
        leave_out(d, definition->name, why);
    else
        add_family(d, family);
}

/* Of all files; a later definition hides one of its name. */
static bool add_definitions(struct deriving *d, struct diag *diag)
{
    SCOPED(gen_definitions) definitions = {.names = NULL};
    const struct lit_definitions *all = &definitions.all;
    if (d->all->settings->uses_count == 0)
        return true;
    if (!add_files(d, diag) ||
        !gen_definitions_read(&definitions, d->all->arena, d->all->settings, diag) ||
        !are_fit(all, diag))
        return false;
    d->into->digest = all->digest;
    for (uint32_t i = 0; i < all->count; i++)
        if (lit_uses_find(all, all->count, all->items[i]->name) == all->items[i])
            add_definition(d, &definitions, all->items[i]);
    return true;
}

/* Marks of transactions are of use where there are both. */
static void leave_out_marks(struct deriving *d)
{
    uint32_t marks = 0, kept = 0;
    for (uint32_t f = 0; f < d->count; f++)
        marks |= d->families[f].traits & (GEN_OPENS | GEN_CLOSES);
    for (uint32_t f = 0; f < d->count; f++)
        if (marks == (GEN_OPENS | GEN_CLOSES) || !(d->families[f].traits & marks))
            d->families[kept++] = d->families[f];
        else
            leave_out(d, d->families[f].name, "no mark stands against it");
    d->count = kept;
}

/* An instruction that a model declares, as a primitive, which in a table there is none of. */
static void add_primitive(struct deriving *d, const char *tag, enum cat_declared_kind kind,
                          bool several)
{
    static const struct {
        enum gen_class class;
        const char *text;
        enum lit_order order;
        const char *weaker;
    } rows[CAT_DECLARED_COUNT] = {
        [CAT_DECLARED_R] = {GEN_LOAD, "int %%r = __load{%s}(%%x);", LIT_ORDER_NA, "ld"},
        [CAT_DECLARED_W] = {GEN_STORE, "__store{%s}(%%x, %%v);", LIT_ORDER_NA, "st"},
        [CAT_DECLARED_RMW] = {GEN_RMW, "int %%r = __xchg{%s}(%%x, %%v);", LIT_ORDER_RLX, NULL},
        [CAT_DECLARED_F] = {GEN_POINT, "__fence{%s};", LIT_ORDER_NA, NULL},
        [CAT_DECLARED_TX] = {GEN_POINT, "__fence{%s};", LIT_ORDER_NA, NULL},
        [CAT_DECLARED_CM] = {GEN_LINE, "__cm{%s}(%%x);", LIT_ORDER_NA, NULL},
    };
    struct arena *arena = d->all->arena;
    const char **tags = ARENA_ARRAY(arena, const char *, 2);
    if (!rows[kind].text || !gen_is_plain(tag)) {
        leave_out(d, tag, "no program has such a tag");
        return;
    }
    tags[0] = arena_strdup(arena, tag);
    bool opens = strcmp(tag, "tx_begin") == 0;
    bool mark = opens || strcmp(tag, "tx_end") == 0 || strcmp(tag, "tx_abort") == 0;
    struct strbuf text = {0};
    strbuf_printf(&text, rows[kind].text, tag);
    struct gen_family family = {
        .name = several ? arena_printf(arena, "%s_%s", tag, cat_declared_kinds[kind]) : tags[0],
        .class = rows[kind].class,
        .traits = !mark   ? 0
                  : opens ? GEN_OPENS
                          : GEN_CLOSES,
        .orders = 1u << rows[kind].order,
        .scopes = 1u << (rows[kind].class == GEN_RMW ? LIT_SCOPE_DV : LIT_SCOPE_WI),
        .text = {strbuf_take(&text, arena), NULL},
        .weaker = rows[kind].weaker,
        .tags = tags};
    const char *why = gen_definition_unfit(d->all->settings, arena, &family);
    if (why)
        leave_out(d, family.name, why);
    else
        add_family(d, family);
}

/* What it declares and no definition has. */
static void add_declared(struct deriving *d, const struct cat_model *model)
{
    const uint32_t both = 1u << CAT_DECLARED_R | 1u << CAT_DECLARED_W;
    d->into->families = d->families;
    d->into->family_count = d->count;
    struct gen_vocabulary before = *d->into;
    EACH (const struct cat_declaration, declared, model->declarations, model->declaration_count) {
        uint32_t kinds = declared->kinds;
        if (kinds & 1u << CAT_DECLARED_M)
            kinds = (kinds & ~(1u << CAT_DECLARED_M)) | both;
        if (kinds & 1u << CAT_DECLARED_THREAD && !d->into->host_tag && gen_is_plain(declared->tag))
            d->into->host_tag = arena_strdup(d->all->arena, declared->tag);
        kinds &= ~(1u << CAT_DECLARED_THREAD | 1u << CAT_DECLARED_LOC);
        if (has_tag(&before, declared->tag))
            continue;
        for (int kind = 0; kind < CAT_DECLARED_COUNT; kind++)
            if (kinds >> kind & 1)
                add_primitive(d, declared->tag, (enum cat_declared_kind)kind,
                              (kinds & (kinds - 1)) != 0);
    }
}

/* Levels at which the model tells work-items apart. */
static uint32_t levels_of(struct arena *scratch, const struct cat_model *model)
{
    static const uint32_t relations[] = {EXEC_REL_SSG, EXEC_REL_SWG, EXEC_REL_SKR, EXEC_REL_SDV};
    struct arena_mark mark = arena_mark(scratch);
    const struct cat_mentions mentions = cat_mentions_of(scratch, model);
    uint32_t levels = 0;
    for (uint32_t i = 0; i < GEN_LEVELS; i++)
        levels |= mentions.bases[relations[i]] ? 1u << (LIT_SCOPE_SG + i) : 0;
    arena_rewind(scratch, mark);
    return levels;
}

/* Of the models that are files; `barrier`: with it, NULL: without. NULL after reporting. */
static const struct gen_vocabulary *derive(struct gen_vocabularies *all,
                                           const struct cat_model *const *models, uint32_t count,
                                           const struct gen_family *barrier, struct diag *diag)
{
    struct deriving d = {.all = all, .into = ARENA_NEW(all->arena, struct gen_vocabulary)};
    memcpy(d.families, gen_language, GEN_COMMON * sizeof *d.families);
    d.count = GEN_COMMON;
    bool good = add_definitions(&d, diag);
    for (uint32_t m = 0; m < count && good; m++) {
        add_declared(&d, models[m]);
        d.into->levels |= levels_of(all->arena, models[m]);
    }
    leave_out_marks(&d);
    if (barrier && d.count < GEN_MAX_FAMILIES)
        d.families[d.count++] = *barrier;
    d.into->name = d.name.length ? strbuf_take(&d.name, all->arena) : "declared";
    if (d.left_count > MOST_TOLD)
        strbuf_printf(&d.left_out, " and %u more", d.left_count - MOST_TOLD);
    d.into->left_out = d.left_out.length ? strbuf_take(&d.left_out, all->arena) : NULL;
    d.into->uses = arena_copy(all->arena, d.names, sizeof d.names);
    d.into->families = arena_copy(all->arena, d.families, d.count * sizeof *d.families);
    d.into->family_count = d.count;
    d.into->derived = true;
    strbuf_fini(&d.name);
    strbuf_fini(&d.left_out);
    return good ? d.into : NULL;
}

/* ---- Of models ---- */

struct choosing {
    struct gen_vocabularies *all;
    struct session_models *models;
    bool wider, own;                      /* own: instructions of the user's are asked for */
    const struct gen_vocabulary *defined; /* of the user's definitions; NULL: there are none */
    const struct cat_model *declaring[MOST_DECLARING];
    uint32_t declaring_count;
    const struct gen_family *barrier; /* that one of these looks at */
    const struct gen_vocabulary **chosen;
    uint32_t count;
};

/* A file of the user's stands for the built-in one of its name, in all tests. */
static bool is_replaced(const struct choosing *c, const struct gen_vocabulary *vocabulary)
{
    const struct session_settings *settings = c->all->settings;
    return !vocabulary->derived && vocabulary->use_count &&
           ANY(i, settings->uses_count,
               strcmp(file_of(c->all->arena, settings->uses[i]), vocabulary->uses[0]) == 0);
}

/* Of two of one name that one is taken of which less is assumed. */
static void choose(struct choosing *c, const struct gen_vocabulary *vocabulary)
{
    uint32_t i = 0;
    if (is_replaced(c, vocabulary))
        return;
    if (c->wider && strcmp(vocabulary->name, "spb") == 0)
        vocabulary = gen_vocabulary_find(c->all, "spb-individual");
    while (i < c->count && strcmp(c->chosen[i]->name, vocabulary->name) != 0)
        i++;
    BASE_CHECK(i < GEN_MAX_VOCABULARIES);
    if (i == c->count)
        c->chosen[c->count++] = vocabulary;
    else if (vocabulary != gen_vocabulary_find(c->all, vocabulary->name))
        c->chosen[i] = vocabulary;
}

static bool is_users(const struct session_model *pair)
{
    return cat_model_is_path(pair->visibility) || cat_model_is_path(pair->persistency);
}

/* With what the visibility model declares where that is the user's. */
static const struct cat_model *what_declares(const struct choosing *c,
                                             const struct session_model *pair)
{
    const struct cat_asker user = session_models_user(c->all->settings);
    if (cat_model_is_path(pair->visibility))
        return pair->model;
    return session_models_get(c->models, &user, "sc", pair->persistency)->model;
}

static void choose_of_user(struct choosing *c, const struct cat_model *model)
{
    bool complete = false;
    const struct gen_vocabulary *found = closest(c->all, model, &complete);
    const struct gen_vocabulary *barriers = of_barriers(c->all, model);
    uint32_t declared;
    bool defined = c->defined && count_had(model, c->defined, &declared) == declared && declared;
    if ((!complete || defined) && c->declaring_count < MOST_DECLARING) {
        c->own = true;
        c->declaring[c->declaring_count++] = model;
        if (barriers)
            c->barrier = &barriers->families[GEN_COMMON];
        return;
    }
    if (found)
        choose(c, without_traits(c->all->arena, found));
    if (barriers)
        choose(c, barriers);
}

static void choose_of(struct choosing *c, const struct session_model *pair, bool any_users)
{
    const struct cat_model *model = what_declares(c, pair);
    bool complete;
    if (!model)
        return;
    if (is_users(pair)) {
        choose_of_user(c, model);
        return;
    }
    const struct gen_vocabulary *found = closest(c->all, model, &complete);
    if (!found)
        found = of_barriers(c->all, model);
    if (found || !any_users)
        choose(c, found ? found : gen_vocabulary_find(c->all, "spb"));
}

uint32_t gen_vocabularies_of(struct gen_vocabularies *all, struct session_models *models,
                             const struct session_model *const *pairs, uint32_t count, bool wider,
                             const struct gen_vocabulary **chosen, struct diag *diag)
{
    struct choosing c = {.all = all,
                         .models = models,
                         .wider = wider,
                         .own = all->settings->uses_count > 0,
                         .chosen = chosen};
    if (c.own && !(c.defined = derive(all, NULL, 0, NULL, diag)))
        return 0;
    bool any_users = c.own || ANY(i, count, is_users(pairs[i]));
    for (uint32_t i = 0; i < count; i++)
        choose_of(&c, pairs[i], any_users);
    if (c.own) {
        const struct gen_vocabulary *own =
            derive(all, c.declaring, c.declaring_count, c.barrier, diag);
        if (!own)
            return 0;
        choose(&c, own);
    }
    if (c.count == 0)
        choose(&c, gen_vocabulary_find(all, "spb"));
    return c.count;
}
