/* What pictures show. A value is that of the place where `show` stands; a later `show` or `unshow`
 * of the same name replaces it. */
#include "cat/cat_resolve.h"

/* ---- The lists ---- */

static void forget_shown(struct cat_resolver *resolver, const char *name)
{
    size_t kept = 0;
    resolver->hops += resolver->shown.count;
    for (size_t i = 0; i < resolver->shown.count; i++)
        if (resolver->shown.items[i].name != name)
            resolver->shown.items[kept++] = resolver->shown.items[i];
    resolver->shown.count = kept;
}

static void forget_hidden(struct cat_resolver *resolver, const char *name)
{
    size_t kept = 0;
    resolver->hops += resolver->hidden.count;
    for (size_t i = 0; i < resolver->hidden.count; i++)
        if (resolver->hidden.items[i] != name)
            resolver->hidden.items[kept++] = resolver->hidden.items[i];
    resolver->hidden.count = kept;
}

/* ---- show, unshow ---- */

static bool names_itself(const struct cat_expr *expr, const char *name)
{
    return expr->kind == CAT_EXPR_NAME && expr->name == name;
}

/* A model may name what only its relatives define: it loads all the same. */
static void warn_unknown(struct cat_resolver *resolver, const struct cat_expr *expr)
{
    const char *nearest = cat_scope_nearest(resolver->scope, expr->name);
    const char *mend = nearest ? arena_printf(resolver->scratch, "; did you mean '%s'?", nearest)
                               : "; define it before, or leave it out";
    diag_warning(resolver->diag, DIAG_CAT_UNBOUND, expr->span,
                 "unknown name '%s', so no picture shows it%s", expr->name, mend);
    diag_meant_by(resolver->diag, expr->span, expr->name, nearest);
}

static void show(struct cat_resolver *resolver, const char *name, const struct cat_expr *expr)
{
    cat_node_id node;
    if (names_itself(expr, name)) {
        if (!cat_scope_find(resolver, resolver->scope, name)) {
            warn_unknown(resolver, expr);
            return;
        }
        /* Pictures have it with the value that the contract reads in the end. */
        if (cat_resolve_is_reserved(name)) {
            forget_hidden(resolver, name);
            return;
        }
    }
    struct cat_value value = cat_resolve_expr(resolver, resolver->scope, expr);
    enum cat_sort sort = value.kind == CAT_VALUE_NODE ? value.sort : CAT_REL;
    if (!cat_resolve_want(resolver, value, sort, expr, "'show'", &node))
        return;
    forget_hidden(resolver, name);
    forget_shown(resolver, name);
    if (resolver->shown.count == CAT_MAX_SHOWN)
        cat_resolve_error(resolver, DIAG_CAT_TOO_LARGE, expr->span,
                          "this is name %d that pictures show, and %d are the most; leave some out",
                          CAT_MAX_SHOWN + 1, CAT_MAX_SHOWN);
    else
        VEC_PUSH(&resolver->shown, (struct cat_shown){name, node, expr->span});
}

void cat_resolve_show(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        if (at->pattern->names.first->text && cat_resolve_within(resolver, instr->span))
            show(resolver, at->pattern->names.first->text, at->expr);
}

void cat_resolve_unshow(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    for (const struct cat_name *at = instr->names.first; at; at = at->next) {
        if (!cat_resolve_within(resolver, instr->span))
            return;
        forget_shown(resolver, at->text);
        forget_hidden(resolver, at->text);
        VEC_PUSH(&resolver->hidden, at->text);
    }
}

/* ---- Into the model ---- */

void cat_resolve_keep_shown(const struct cat_resolver *resolver, struct arena *arena,
                            struct cat_model *model, struct cat_shown **shown)
{
    model->shown_count = (uint32_t)resolver->shown.count;
    model->hidden_count = (uint32_t)resolver->hidden.count;
    *shown = ARENA_ARRAY(arena, struct cat_shown, model->shown_count);
    const char **hidden = ARENA_ARRAY(arena, const char *, model->hidden_count);
    for (uint32_t i = 0; i < model->shown_count; i++) {
        (*shown)[i] = resolver->shown.items[i];
        (*shown)[i].name = arena_strdup(arena, (*shown)[i].name);
    }
    for (uint32_t i = 0; i < model->hidden_count; i++)
        hidden[i] = arena_strdup(arena, resolver->hidden.items[i]);
    model->shown = *shown;
    model->hidden = hidden;
}
