/* Top-level definitions and checks, and the model made of them. */
#include "cat/cat_resolve.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct cat_resolver *cat_resolve_new(struct arena *scratch, struct intern *names,
                                     const struct cat_basis *basis, struct diag *diag)
{
    struct cat_resolver *resolver = ARENA_NEW(scratch, struct cat_resolver);
    resolver->scratch = scratch;
    resolver->names = names;
    resolver->basis = basis;
    resolver->diag = diag;
    resolver->universe = intern_text(names, "_");
    cat_graph_init(&resolver->graph, basis);
    resolver->scope = cat_scope_basis(resolver);
    return resolver;
}

void cat_resolve_free(struct cat_resolver *resolver)
{
    VEC_FREE(&resolver->checks);
    VEC_FREE(&resolver->tags);
    VEC_FREE(&resolver->declarations);
    VEC_FREE(&resolver->shown);
    VEC_FREE(&resolver->hidden);
    VEC_FREE(&resolver->own);
    cat_graph_fini(&resolver->graph);
}

/* ---- Reporting ---- */

enum { CALLS_SHOWN = 3 };

static bool same_place(struct span a, struct span b)
{
    return a.source == b.source && a.line == b.line && a.column == b.column;
}

static bool reported(const struct diag *diag, enum diag_id id, struct span span)
{
    EACH_IN (const struct diag_entry, entry, diag->entries)
        if (entry->id == id && entry->severity == DIAG_ERROR && same_place(entry->span, span))
            return true;
    return false;
}

/* From which applications the place was reached, each once. */
static void note_calls(struct cat_resolver *resolver)
{
    struct span last = {0};
    int shown = 0;
    for (const struct cat_call *call = resolver->calls; call && shown < CALLS_SHOWN;
         call = call->caller) {
        if (same_place(call->span, last))
            continue;
        diag_note(resolver->diag, call->span, "when %s is expanded here",
                  call->name ? arena_printf(resolver->scratch, "'%s'", call->name)
                             : "the function");
        last = call->span;
        shown++;
    }
}

bool cat_resolve_news(struct cat_resolver *resolver, enum diag_id id, struct span span)
{
    if (resolver->probing)
        return false;
    resolver->failed = true;
    if (span.source && reported(resolver->diag, id, span))
        return false;
    if (diag_takes_error(resolver->diag))
        return true;
    diag_error(resolver->diag, id, span, "further error");
    return false;
}

void cat_resolve_error(struct cat_resolver *resolver, enum diag_id id, struct span span,
                       const char *format, ...)
{
    char message[1024];
    if (!cat_resolve_news(resolver, id, span))
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diag_error(resolver->diag, id, span, "%s", message);
    note_calls(resolver);
}

/* ---- Checks ---- */

static const char *const test_texts[] = {
    [CAT_ACYCLIC] = "'acyclic'", [CAT_IRREFLEXIVE] = "'irreflexive'", [CAT_IS_EMPTY] = "'empty'"};

static const char *check_name(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    if (instr->name)
        return instr->name;
    if (resolver->check_name)
        return resolver->check_name;
    if (instr->expr->kind == CAT_EXPR_NAME)
        return instr->expr->name;
    return arena_printf(resolver->scratch, "check-%zu", resolver->checks.count + 1);
}

/* The same check once more, as when a file is included twice. */
static bool repeated(const struct cat_resolver *resolver, const struct cat_check *check)
{
    EACH_IN (const struct cat_check, old, resolver->checks)
        if (old->kind == check->kind && old->test == check->test &&
            old->negated == check->negated && old->node == check->node &&
            strcmp(old->name, check->name) == 0)
            return true;
    return false;
}

void cat_resolve_add_check(struct cat_resolver *resolver, struct cat_check check)
{
    if (resolver->checks.count == CAT_MAX_CHECKS)
        cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, check.span,
                          "this is check %d of the model, and %d are the most; join some by '|'",
                          CAT_MAX_CHECKS + 1, CAT_MAX_CHECKS);
    else if (!repeated(resolver, &check))
        VEC_PUSH(&resolver->checks, check);
}

void cat_resolve_check(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct cat_value value = cat_resolve_expr(resolver, resolver->scope, instr->expr);
    enum cat_sort sort =
        instr->test == CAT_IS_EMPTY && value.kind == CAT_VALUE_NODE ? value.sort : CAT_REL;
    cat_node_id node;
    if (!cat_resolve_want(resolver, value, sort, instr->expr, test_texts[instr->test], &node))
        return;
    struct cat_check check = {
        instr->check, instr->test, instr->negated, node, check_name(resolver, instr),
        instr->span,  NULL};
    cat_resolve_add_check(resolver, check);
}

/* ---- Reserved names ---- */

static const struct {
    const char *name;
    enum cat_sort sort;
} reserved_names[] = {
#define X(name, text, sort) {text, sort},
    CAT_RESERVED(X)
#undef X
};

bool cat_resolve_is_reserved(const char *name)
{
    return ANY(i, CAT_RESERVED_COUNT, strcmp(reserved_names[i].name, name) == 0);
}

cat_node_id cat_resolve_base(struct cat_resolver *resolver, const char *name)
{
    for (uint32_t i = 0; i < resolver->basis->count; i++)
        if (strcmp(resolver->basis->names[i].name, name) == 0)
            return cat_graph_base(&resolver->graph, i);
    return CAT_NONE;
}

/* Whether a set is built from base sets by set operators alone. */
static bool of_tags_alone(const struct cat_graph *graph, cat_node_id root)
{
    VEC(cat_node_id) work = {0};
    bool *seen = base_realloc(NULL, graph->nodes.count);
    memset(seen, 0, graph->nodes.count);
    bool alone = true;
    VEC_PUSH(&work, root);
    while (work.count) {
        cat_node_id id = VEC_POP(&work);
        if (id == CAT_NONE || seen[id])
            continue;
        seen[id] = true;
        const struct cat_node *node = &graph->nodes.items[id];
        alone &= node->sort == CAT_SET && node->op != CAT_FIX && node->op != CAT_VAR &&
                 node->op != CAT_TAGGED;
        VEC_PUSH(&work, node->a);
        VEC_PUSH(&work, node->b);
    }
    VEC_FREE(&work);
    base_free(seen);
    return alone;
}

/* It is needed before there is an execution. */
static bool is_of_kinds(enum cat_reserved which)
{
    return which == CAT_WAITS || which == CAT_WITHHELD || which == CAT_UNDONE ||
           which == CAT_MAY_STAY;
}

static cat_node_id resolve_reserved(struct cat_resolver *resolver, enum cat_reserved which)
{
    const char *name = reserved_names[which].name;
    enum cat_sort sort = reserved_names[which].sort;
    const struct cat_scope *found =
        cat_scope_find(resolver, resolver->scope, intern_text(resolver->names, name));
    struct cat_value value = found ? found->value : (struct cat_value){.kind = CAT_VALUE_EMPTY};
    const struct span span = found ? found->span : (struct span){0};
    if (value.kind == CAT_VALUE_EMPTY)
        return cat_graph_node(&resolver->graph, CAT_EMPTY, sort, CAT_NONE, CAT_NONE, span);
    if (value.kind == CAT_VALUE_BROKEN)
        return CAT_NONE;
    if (value.kind != CAT_VALUE_NODE || value.sort != sort)
        cat_resolve_error(resolver, DIAG_CAT_RESERVED, span,
                          "'%s' is a name of the persistency contract and must be %s, and it is "
                          "%s here",
                          name, sort == CAT_SET ? "a set" : "a relation",
                          cat_value_text(resolver, value));
    else if (is_of_kinds(which) && !of_tags_alone(&resolver->graph, value.node))
        cat_resolve_error(resolver, DIAG_CAT_RESERVED, span,
                          "'%s' must not depend on a relation or on tags of a test: which %s is a "
                          "matter of their kind and scope; build it from base sets by '|', '&', "
                          "'\\' and '~'",
                          name, which == CAT_WAITS ? "barriers wait" : "writes are kept back");
    return value.node;
}

/* ---- The model ---- */

static void pack(struct cat_resolver *resolver, struct arena *arena, struct cat_model *model)
{
    VEC(cat_node_id *) roots = {0}, pictures = {0};
    size_t count = resolver->checks.count;
    struct cat_check *checks = ARENA_ARRAY(arena, struct cat_check, count);
    for (size_t i = 0; i < count; i++) {
        checks[i] = resolver->checks.items[i];
        checks[i].name = arena_strdup(arena, checks[i].name);
        VEC_PUSH(&roots, &checks[i].node);
    }
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        VEC_PUSH(&roots, &model->reserved[i]);
    struct cat_shown *shown;
    cat_resolve_keep_shown(resolver, arena, model, &shown);
    for (uint32_t i = 0; i < model->shown_count; i++)
        VEC_PUSH(&pictures, &shown[i].node);
    cat_graph_pack(&resolver->graph, arena, model,
                   &(struct cat_roots){roots.items, roots.count, pictures.items, pictures.count});
    VEC_FREE(&roots);
    VEC_FREE(&pictures);
    cat_resolve_keep_tags(resolver, arena, model);
    model->checks = checks;
    model->check_count = (uint32_t)count;
    model->visibility_check_count = (uint32_t)resolver->visibility_checks;
    model->visibility_persists = resolver->visibility_persists;
    model->basis = resolver->basis;
}

/* Engines keep a set of groups in one word. */
static bool few_groups(struct cat_resolver *resolver, const struct cat_model *model)
{
    if (model->picture_group_count <= CAT_MAX_GROUPS)
        return true;
    cat_node_id var = model->rec_groups[CAT_MAX_GROUPS].vars[0];
    cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, model->nodes[var].span,
                      "this is recursive definition %d of the model, and %d are the most; join "
                      "some by 'and', or apply the function it is in less often",
                      CAT_MAX_GROUPS + 1, CAT_MAX_GROUPS);
    return false;
}

bool cat_resolve_finish(struct cat_resolver *resolver, struct arena *arena, struct cat_model *model)
{
    cat_node_id reserved[CAT_RESERVED_COUNT];
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        reserved[i] = resolve_reserved(resolver, (enum cat_reserved)i);
    if (resolver->failed)
        return false;
    if (!model->builtin) /* which none is warned of */
        cat_resolve_warn_of_names(resolver);
    cat_resolve_own_coherence(resolver);
    cat_resolve_check_landing(resolver, reserved[CAT_LANDS_BEFORE]);
    if (!model->builtin)
        cat_resolve_flag_joined(resolver, reserved);
    memcpy(model->reserved, reserved, sizeof reserved);
    model->all_can_persist = cat_resolve_all_can_persist(resolver, reserved[CAT_CAN_PERSIST]);
    model->lands_by_coherence =
        cat_resolve_lands_by_coherence(resolver, reserved[CAT_LANDS_BEFORE]);
    pack(resolver, arena, model);
    if (!few_groups(resolver, model))
        return false;
    cat_contract_check(model);
    if (!model->builtin)
        cat_resolve_warn_of_kinds(resolver, model);
    return true;
}
