#include "engine/meaning.h"

#include "base/each.h"
#include "base/vec.h"
#include "cat/cat_mentions.h"
#include "cat/cat_model.h"
#include "engine/effect.h"
#include "exec/exec_basis.h"
#include "exec/exec_event.h"

#include <string.h>

#define KIND(name) (1u << CAT_DECLARED_##name)

/* The kinds that instructions of this sort are of. */
static uint32_t kinds_of(enum lit_instr_op op)
{
    bool reads = lit_instruction_reads(op), writes = lit_instruction_writes(op);
    uint32_t event = ev_kind_of(op);
    return (reads ? KIND(R) | KIND(M) : 0) | (writes ? KIND(W) | KIND(M) : 0) |
           (reads && writes ? KIND(RMW) : 0) | (event == EV_FENCE ? KIND(F) | KIND(TX) : 0) |
           (event == EV_CM ? KIND(CM) : 0) | (event == EV_BARRIER ? KIND(B) : 0) |
           (event == EV_PBARRIER ? KIND(PB) : 0);
}

/* Those of the tags that the model declares for one of the kinds. */
static uint64_t known(const struct lit_program *program, const struct cat_model *model,
                      uint64_t tags, uint32_t kinds)
{
    uint64_t mask = 0;
    for (uint32_t i = 0; model && tags && i < model->declaration_count; i++)
        if (model->declarations[i].kinds & kinds)
            mask |= lit_program_tag(program, model->declarations[i].tag);
    return mask & tags;
}

uint64_t meaning_of_instr(const struct lit_program *program, const struct cat_model *model,
                          const struct lit_instr *instr)
{
    return known(program, model, instr->tags, kinds_of(instr->op));
}

uint64_t meaning_of_location(const struct lit_program *program, const struct cat_model *model,
                             const struct lit_location *location)
{
    return known(program, model, location->tags, KIND(LOC));
}

uint64_t meaning_of_thread(const struct lit_program *program, const struct cat_model *model,
                           const struct lit_thread *thread)
{
    return known(program, model, thread->tags, KIND(THREAD));
}

bool meaning_lacks_host(const struct lit_program *program, const struct cat_model *model,
                        const struct lit_thread *thread)
{
    static const char cpu[] = "cpu";
    return thread->hosts && !(thread->tags & lit_program_tag(program, cpu)) &&
           ANY(i, model->declaration_count,
               model->declarations[i].kinds & KIND(THREAD) &&
                   strcmp(model->declarations[i].tag, cpu) == 0);
}

/* The units of the store that begins there, whose index, if any, is this: of all parts, as they stand
 * in the order of their addresses. 0: a part is not non-volatile, or lies outside with this index. */
static uint32_t units_at(const struct lit_program *program, const struct lit_thread *thread,
                         uint32_t first, uint32_t index)
{
    uint32_t units = 0, last = LIT_NONE;
    for (uint32_t i = first; i < thread->code_count; i++) {
        const struct lit_instr *part = &thread->code[i];
        if (part->op != LIT_STORE || !part->wide || (i > first && !part->unsequenced))
            break;
        if (index >= part->addr.count)
            return 0;
        const struct lit_location *at =
            &program->locations[lit_address_element(&part->addr, index)];
        if (!at->nvm)
            return 0;
        units += at->unit != last;
        last = at->unit;
    }
    return units;
}

/* The most for any index. */
static uint32_t units_of(const struct lit_program *program, const struct lit_thread *thread,
                         uint32_t first)
{
    uint32_t most = 0;
    for (uint32_t index = 0; index < thread->code[first].addr.count; index++) {
        const uint32_t units = units_at(program, thread, first, index);
        most = units > most ? units : most;
    }
    return most;
}

static const struct lit_instr *torn_of(const struct lit_program *program,
                                       const struct lit_thread *threads, uint32_t count,
                                       uint32_t *units)
{
    for (uint32_t t = 0; t < count; t++)
        EACH (const struct lit_instr, instr, threads[t].code, threads[t].code_count)
            if (instr->op == LIT_STORE && instr->wide && !instr->unsequenced &&
                (*units = units_of(program, &threads[t], (uint32_t)(instr - threads[t].code))) > 1)
                return instr;
    return NULL;
}

const struct lit_instr *meaning_torn(const struct lit_program *program,
                                     const struct cat_model *model, uint32_t *units)
{
    const bool knows =
        ANY(i, model->node_count,
            model->nodes[i].op == CAT_BASE && model->nodes[i].base == EXEC_REL_SAME_UNIT);
    const struct lit_instr *torn =
        knows ? torn_of(program, program->threads, program->thread_count, units) : NULL;
    return knows && !torn ? torn_of(program, program->recovery, program->recovery_count, units)
                          : torn;
}

bool meaning_of_persist_barriers(const struct cat_model *model)
{
    SCOPED(arena) scratch = {0};
    const struct cat_mentions mentions = cat_mentions_of(&scratch, model);
    return ANY(i, model->basis->count,
               mentions.bases[i] && strcmp(model->basis->names[i].name, "PB") == 0);
}

/* ---- Which models know a tag ---- */

/* Does the line have 'TAG? */
static bool has_tag(const char *line, size_t length, const char *tag)
{
    const size_t size = strlen(tag);
    for (const char *at = line, *end = line + length;
         (at = memchr(at, '\'', (size_t)(end - at))) != NULL;) {
        at++;
        if ((size_t)(end - at) > size && memcmp(at, tag, size) == 0 && strchr(" |]", at[size]))
            return true;
    }
    return false;
}

/* Tags of an instruction, a location or a work-item, and the kinds that it is of. */
struct bearer {
    const struct lit_program *program;
    uint64_t tags;
    uint32_t kinds;
};

/* `F['sfence]` declares a tag of fences alone. */
static bool declares_for(const char *declaration, size_t length, const struct bearer *bearer)
{
    static const char *const names[] = {
#define X(kind, carrier, set, words) #kind,
        CAT_DECLARED_KINDS(X)
#undef X
    };
    const size_t size = strcspn(declaration, "[ \n");
    for (uint32_t kind = 0; kind < CAT_DECLARED_COUNT; kind++)
        if (bearer->kinds >> kind & 1 && strlen(names[kind]) == size &&
            memcmp(names[kind], declaration, size) == 0)
            return ANY(i, bearer->program->tag_count,
                       bearer->tags >> i & 1 &&
                           has_tag(declaration, length, bearer->program->tags[i]));
    return false;
}

/* A line of a built-in model, or of one that it includes, declares one of them. */
static bool declares(const char *path, size_t path_length, const struct bearer *bearer)
{
    static const char declaration[] = "instructions ", inclusion[] = "include \"";
    const size_t skipped = sizeof declaration - 1;
    const struct source_builtin *model =
        FIND(i, cat_builtins, cat_builtin_count,
             strlen(cat_builtins[i].path) == path_length &&
                 memcmp(cat_builtins[i].path, path, path_length) == 0);
    for (const char *line = model ? model->text : ""; *line;) {
        const size_t length = strcspn(line, "\n");
        const char *included = line + sizeof inclusion - 1;
        if (strncmp(line, declaration, skipped) == 0 &&
            declares_for(line + skipped, length - skipped, bearer))
            return true;
        if (strncmp(line, inclusion, sizeof inclusion - 1) == 0 &&
            declares(included, strcspn(included, "\""), bearer))
            return true;
        line += length + (line[length] == '\n');
    }
    return false;
}

/* Are they of one family? Its models are called by its name, and what is behind a '-'. */
static bool is_kin(const char *a, const char *b)
{
    const size_t family = strcspn(a, "-");
    return strcspn(b, "-") == family && memcmp(a, b, family) == 0;
}

/* Of each family the shortest name. */
static const char *models_of(struct arena *arena, const struct bearer *bearer)
{
    const char *list = NULL, *kept = NULL;
    for (size_t i = 0; i <= cat_builtin_count; i++) {
        const struct source_builtin *model = i < cat_builtin_count ? &cat_builtins[i] : NULL;
        const char *name = model ? source_builtin_name(arena, model) : "";
        if (model && (!source_builtin_is_in(model, "persistency") ||
                      !declares(model->path, strlen(model->path), bearer)))
            continue;
        if (kept && !is_kin(kept, name)) {
            list = list ? arena_printf(arena, "%s, %s", list, kept) : kept;
            kept = NULL;
        }
        kept = kept && strlen(kept) <= strlen(name) ? kept : name;
    }
    return list;
}

/* ---- What has none ---- */

struct finder {
    struct arena *arena;
    const struct lit_program *program;
    const struct cat_model *model;
    struct effects effects;
    VEC(const struct lit_instr *) seen; /* one of each sort, order and scope */
    VEC(const char *) names;
    VEC(struct span) places;
    VEC(const char *) elsewhere;
    VEC(const char *) models;
};

/* `bearer`: NULL of what has no tags. */
static void add_name(struct finder *finder, const char *name, struct span place,
                     const char *elsewhere, const struct bearer *bearer)
{
    for (size_t i = 0; i < finder->names.count; i++)
        if (strcmp(finder->names.items[i], name) == 0)
            return;
    VEC_PUSH(&finder->names, name);
    VEC_PUSH(&finder->places, place);
    VEC_PUSH(&finder->elsewhere, elsewhere);
    VEC_PUSH(&finder->models, bearer ? models_of(finder->arena, bearer) : NULL);
}

/* An operation without a value has this tag whether it is written or not (lit_primitive.c). */
static uint64_t implied(const struct lit_program *program)
{
    return lit_program_tag(program, "noreturn");
}

static const char *listed(struct finder *finder, const char *list, const char *word)
{
    return list ? arena_printf(finder->arena, "%s, %s", list, word) : word;
}

/* What the model declares these tags for. */
static const char *declared_for(struct finder *finder, uint64_t tags)
{
    static const char *const words[] = {
#define X(kind, bearer, set, words) words,
        CAT_DECLARED_KINDS(X)
#undef X
    };
    const char *list = NULL;
    for (uint32_t kind = 0; kind < CAT_DECLARED_COUNT; kind++)
        if (known(finder->program, finder->model, tags, 1U << kind))
            list = listed(finder, list, words[kind]);
    return list;
}

static void add_unknown(struct finder *finder, uint64_t tags, uint32_t kinds, struct span place)
{
    uint64_t unknown =
        tags & ~known(finder->program, finder->model, tags, kinds) & ~implied(finder->program);
    for (uint32_t i = 0; i < finder->program->tag_count; i++) {
        const struct bearer bearer = {finder->program, UINT64_C(1) << i, kinds};
        if (unknown >> i & 1)
            add_name(finder, finder->program->tags[i], place,
                     declared_for(finder, UINT64_C(1) << i), &bearer);
    }
}

/* An instruction that is written by a defined name goes by it, unless one of its tags is known. */
static void add_instr(struct finder *finder, const struct lit_instr *instr)
{
    uint32_t kinds = kinds_of(instr->op);
    const struct bearer bearer = {finder->program, instr->tags & ~implied(finder->program), kinds};
    if (bearer.tags && instr->name && !known(finder->program, finder->model, instr->tags, kinds))
        add_name(finder, instr->name, instr->span, declared_for(finder, instr->tags), &bearer);
    else
        add_unknown(finder, instr->tags, kinds, instr->span);
}

static bool is_seen(const struct finder *finder, const struct lit_instr *instr)
{
    for (size_t i = 0; i < finder->seen.count; i++) {
        const struct lit_instr *other = finder->seen.items[i];
        if (other->op == instr->op && other->order == instr->order &&
            other->scope == instr->scope && other->spaces == instr->spaces &&
            other->nonatomic == instr->nonatomic && other->unscoped == instr->unscoped)
            return true;
    }
    return false;
}

#define X(name, tag, text) "memory_order_" text,
static const char *const orders[] = {LIT_ORDERS(X)};
#undef X
#define X(name, tag, text, brief) "memory_scope_" text,
static const char *const scopes[] = {LIT_SCOPES(X)};
#undef X

static const char *sort_of(enum lit_instr_op op)
{
    return op == LIT_FENCE   ? "fence"
           : op == LIT_LOAD  ? "load"
           : op == LIT_STORE ? "store"
                             : "read-modify-write";
}

/* Other sorts of instruction on which the order has a meaning. */
static const char *orders_of_others(struct finder *finder, const struct lit_instr *instr)
{
    static const struct {
        enum lit_instr_op op;
        const char *words;
    } sorts[] = {{LIT_FENCE, "fences"},
                 {LIT_LOAD, "loads"},
                 {LIT_STORE, "stores"},
                 {LIT_RMW, "read-modify-writes"}};
    const char *list = NULL;
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (strcmp(sort_of(instr->op), sort_of(sorts[i].op)) != 0 &&
            effects_has_order(&finder->effects, instr, sorts[i].op))
            list = listed(finder, list, sorts[i].words);
    return list;
}

static const struct effects *effects_of(struct finder *finder)
{
    if (!finder->effects.model)
        finder->effects = effects_new(finder->arena, finder->program, finder->model);
    return &finder->effects;
}

/* What every dialect writes: orders, scopes, read-modify-writes, persist barriers. */
static void add_words(struct finder *finder, const struct lit_instr *instr)
{
    const char *sort = sort_of(instr->op);
    bool updates = lit_instruction_reads(instr->op) && lit_instruction_writes(instr->op);
    bool persists = instr->op == LIT_PBARRIER;
    if (instr->span.line == 0 || (instr->order == LIT_ORDER_NA && !updates && !persists) ||
        is_seen(finder, instr))
        return;
    const struct effects *effects = effects_of(finder);
    VEC_PUSH(&finder->seen, instr);
    if (persists && effects_lack_barriers(effects))
        add_name(finder, "persist barriers", instr->span, NULL, NULL);
    if (updates && effects_lack_rmw(effects))
        add_name(finder, sort, instr->span, NULL, NULL);
    if (effects_lack_order(effects, instr))
        add_name(finder, arena_printf(finder->arena, "%s of a %s", orders[instr->order], sort),
                 instr->span, orders_of_others(finder, instr), NULL);
    if (effects_lack_scope(effects, instr))
        add_name(finder, arena_printf(finder->arena, "%s of a %s", scopes[instr->scope], sort),
                 instr->span, NULL, NULL);
}

static void add_threads(struct finder *finder, const struct lit_thread *threads, uint32_t count)
{
    for (uint32_t t = 0; t < count; t++) {
        add_unknown(finder, threads[t].tags, KIND(THREAD), threads[t].span);
        for (uint32_t i = 0; i < threads[t].code_count; i++) {
            add_instr(finder, &threads[t].code[i]);
            if (finder->model)
                add_words(finder, &threads[t].code[i]);
        }
    }
}

static const struct lit_instr *find_misplaced(const struct lit_program *program,
                                              const struct cat_model *model,
                                              const struct lit_thread *threads, uint32_t count,
                                              const char **tag)
{
    for (uint32_t t = 0; t < count; t++)
        EACH (const struct lit_instr, instr, threads[t].code, threads[t].code_count) {
            if (!(kinds_of(instr->op) & KIND(RMW)))
                continue;
            uint64_t lacking = known(program, model, instr->tags, KIND(F)) &
                               ~known(program, model, instr->tags, kinds_of(instr->op));
            for (uint32_t k = 0; k < program->tag_count; k++)
                if (lacking >> k & 1) {
                    *tag = program->tags[k];
                    return instr;
                }
        }
    return NULL;
}

const struct lit_instr *meaning_misplaced(const struct lit_program *program,
                                          const struct cat_model *model, const char **tag)
{
    const struct lit_instr *found =
        find_misplaced(program, model, program->threads, program->thread_count, tag);
    return found ? found
                 : find_misplaced(program, model, program->recovery, program->recovery_count, tag);
}

struct meaning_lacking meaning_lacking(struct arena *arena, const struct lit_program *program,
                                       const struct cat_model *model)
{
    struct finder finder = {.arena = arena, .program = program, .model = model};
    for (uint32_t i = 0; program->tag_count && i < program->location_count; i++)
        add_unknown(&finder, program->locations[i].tags, KIND(LOC), program->locations[i].span);
    add_threads(&finder, program->threads, program->thread_count);
    add_threads(&finder, program->recovery, program->recovery_count);
    for (uint32_t i = 0; i < program->pragma_count; i++)
        add_name(&finder, arena_printf(arena, "#pragma %s", program->pragmas[i].text),
                 program->pragmas[i].span, NULL, NULL);
    struct meaning_lacking lacking = {
        VEC_KEEP(arena, &finder.names), VEC_KEEP(arena, &finder.places),
        VEC_KEEP(arena, &finder.elsewhere), VEC_KEEP(arena, &finder.models),
        (uint32_t)finder.names.count};
    VEC_FREE(&finder.seen);
    VEC_FREE(&finder.names);
    VEC_FREE(&finder.places);
    VEC_FREE(&finder.elsewhere);
    VEC_FREE(&finder.models);
    return lacking;
}
