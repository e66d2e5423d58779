/* What the persistency file adds to happens-before. The visibility file comes earlier but builds on
 * it. So the definitions of the persistency file are run ahead of both, in the environment of the
 * standard library. Unknown names are not reported there, since most definitions need the
 * visibility model; only the definition of the name itself has to be known. Then everything is
 * forgotten but its value. */
#include "cat/cat_resolve.h"

static const char *const name = CAT_ADDED;

static bool defines(const struct cat_instr *instr, const char *wanted)
{
    bool defines = false;
    if (instr->kind != CAT_INSTR_LET && instr->kind != CAT_INSTR_LET_REC)
        return false;
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        for (const struct cat_name *bound = at->pattern->names.first; bound; bound = bound->next)
            defines |= bound->text == wanted;
    return defines;
}

static bool may_be_needed(const struct cat_instr *instr)
{
    return instr->kind == CAT_INSTR_LET || instr->kind == CAT_INSTR_LET_REC ||
           instr->kind == CAT_INSTR_ENUM || instr->kind == CAT_INSTR_INSTRUCTIONS;
}

/* What is wrong with it is told when it is run in its place. */
static void run_quietly(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    struct diag quiet, *outer = resolver->diag;
    bool failed = resolver->failed;
    diag_init(&quiet);
    resolver->diag = &quiet;
    cat_resolve_instr(resolver, instr);
    resolver->diag = outer;
    resolver->failed = failed;
    diag_fini(&quiet);
}

static bool is_relation(struct cat_value value)
{
    return value.kind == CAT_VALUE_EMPTY || (value.kind == CAT_VALUE_NODE && value.sort == CAT_REL);
}

/* What the last definition has bound; broken after an error. */
static struct cat_value check(struct cat_resolver *resolver, const struct cat_scope *found)
{
    if (is_relation(found->value))
        return found->value;
    if (found->value.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_RESERVED, found->span,
                          "'%s' is added to happens-before and must be a relation, and it is %s "
                          "here",
                          name, cat_value_text(resolver, found->value));
    else if (!resolver->failed)
        cat_resolve_error(resolver, DIAG_CAT_RESERVED, found->span,
                          "this needs something of the visibility model: " CAT_ADDED_FROM);
    return CAT_BROKEN;
}

static struct cat_value run_instrs(struct cat_resolver *resolver,
                                   const struct cat_instr *const *instrs, size_t last,
                                   const char *wanted, struct span *span)
{
    bool failed = resolver->failed;
    for (size_t i = 0; i < last; i++)
        if (may_be_needed(instrs[i]))
            run_quietly(resolver, instrs[i]);
    resolver->failed = false;
    resolver->ahead = true;
    cat_resolve_instr(resolver, instrs[last]);
    resolver->ahead = false;
    const struct cat_scope *found = cat_scope_find(resolver, resolver->scope, wanted);
    struct cat_value value = check(resolver, found);
    resolver->failed |= failed;
    *span = found->span;
    return value;
}

void cat_resolve_begin_contract(struct cat_resolver *resolver)
{
    resolver->stdlib = resolver->scope;
}

void cat_resolve_ahead(struct cat_resolver *resolver, const struct cat_instr *const *instrs,
                       size_t count)
{
    const char *wanted = intern_text(resolver->names, name);
    size_t end = count;
    while (end > 0 && !defines(instrs[end - 1], wanted))
        end--;
    if (end == 0)
        return;
    const struct cat_scope *outer = resolver->scope;
    size_t checks = resolver->checks.count, tags = resolver->tags.count;
    size_t declarations = resolver->declarations.count;
    resolver->scope = resolver->stdlib;
    struct span span;
    struct cat_value value = run_instrs(resolver, instrs, end - 1, wanted, &span);
    resolver->checks.count = checks;
    resolver->tags.count = tags;
    resolver->declarations.count = declarations;
    resolver->scope = cat_scope_bind(resolver, outer, wanted, value, span);
    resolver->added = resolver->scope;
    resolver->added_by = instrs[end - 1];
}

/* Names of the visibility model might make another relation of it in its own place. */
void cat_resolve_keep_added(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    if (resolver->added_by == instr)
        resolver->scope = cat_scope_bind(resolver, resolver->scope, resolver->added->name,
                                         resolver->added->value, resolver->added->span);
}

void cat_resolve_warn_of_added(struct cat_resolver *resolver)
{
    if (resolver->added && resolver->added->value.kind == CAT_VALUE_NODE &&
        resolver->graph.nodes.items[resolver->added->value.node].op != CAT_EMPTY &&
        !resolver->added_counts)
        diag_warning(resolver->diag, DIAG_CAT_RESERVED, resolver->added->span,
                     "'%s' has no effect: the visibility model does not count it; make it part of "
                     "its happens-before, as in 'let hb = (po | rf | %s)+'",
                     name, name);
}
