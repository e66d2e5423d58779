/* Tags: enumerations, and the declarations of `instructions KIND[...]`.
 *
 * A declared tag makes a set of those events of its kinds that carry it. The set is bound to the
 * tag's name in capitals and to the name with one capital, as in herd, where these names are
 * free. */
#include "cat/cat_resolve.h"

#include <ctype.h>
#include <string.h>

/* X(kind, bearer, set) */
static const struct {
    const char *name;
    enum cat_bearer bearer;
    const char *set;
} kinds[] = {
#define X(kind, bearer, set, words) {#kind, CAT_BY_##bearer, set},
    CAT_DECLARED_KINDS(X)
#undef X
};

const char *const cat_declared_kinds[] = {
#define X(kind, bearer, set, words) #kind,
    CAT_DECLARED_KINDS(X)
#undef X
};

/* ---- Enumerations ---- */

static struct cat_tag *find_tag(struct cat_resolver *resolver, const char *name)
{
    resolver->hops += resolver->tags.count;
    for (size_t i = 0; i < resolver->tags.count; i++)
        if (resolver->tags.items[i]->name == name)
            return resolver->tags.items[i];
    return NULL;
}

static struct cat_value value_of(const struct cat_tag *tag)
{
    return (struct cat_value){.kind = CAT_VALUE_TAG, .tag = tag};
}

/* Is there an enumeration of just these tags? */
static const struct cat_tuple *same_tags(struct cat_resolver *resolver,
                                         const struct cat_names *names)
{
    const struct cat_tag *first = find_tag(resolver, names->first->text);
    if (!first || first->loose || first->all->count != names->count)
        return NULL;
    uint32_t i = 0;
    for (const struct cat_name *at = names->first; at; at = at->next)
        if (first->all->items[i++].tag->name != at->text)
            return NULL;
    return first->all;
}

static struct cat_tuple *new_tuple(struct cat_resolver *resolver, size_t room)
{
    struct cat_tuple *tuple;
    return arena_alloc(resolver->scratch, sizeof *tuple + room * sizeof tuple->items[0]);
}

static void add_tag(struct cat_resolver *resolver, struct cat_tuple *all, const char *name,
                    bool loose)
{
    struct cat_tag *tag = ARENA_MAKE(resolver->scratch, struct cat_tag, name, all, loose);
    all->items[all->count++] = value_of(tag);
    VEC_PUSH(&resolver->tags, tag);
}

/* A tag that stood in no enumeration so far becomes one of this. One of another is in both, and its
 * own stays the other. False: it is in this already. */
static bool take_tag(struct cat_tag *tag, struct cat_tuple *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        if (all->items[i].tag == tag)
            return false;
    if (tag->loose)
        tag->all = all;
    tag->loose = false;
    all->items[all->count++] = value_of(tag);
    return true;
}

void cat_resolve_enum(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    const struct cat_tuple *known = same_tags(resolver, &instr->names);
    struct cat_tuple *all = known ? NULL : new_tuple(resolver, instr->names.count);
    for (const struct cat_name *at = known ? NULL : instr->names.first; at; at = at->next) {
        struct cat_tag *tag = find_tag(resolver, at->text);
        if (!cat_resolve_within(resolver, instr->span))
            return;
        if (!tag)
            add_tag(resolver, all, at->text, false);
        else if (!take_tag(tag, all))
            cat_resolve_error(resolver, DIAG_CAT_DUPLICATE, at->span,
                              "the tag '%s stands twice in this 'enum'; keep one", at->text);
    }
    const struct cat_tuple *tags = known ? known : all;
    struct cat_value value = cat_list_of(resolver, tags->items, tags->count, instr->name_span);
    resolver->scope =
        cat_scope_bind(resolver, resolver->scope, instr->name, value, instr->name_span);
}

/* ---- Sets of events ---- */

static cat_node_id set_of(struct cat_resolver *resolver, enum cat_op op, cat_node_id a,
                          cat_node_id b, struct span span)
{
    return cat_graph_node(&resolver->graph, op, CAT_SET, a, b, span);
}

/* The events of a declaration's kinds that carry its tag. */
static cat_node_id events_of(struct cat_resolver *resolver,
                             const struct cat_declaration *declaration, struct span span)
{
    cat_node_id all = set_of(resolver, CAT_EMPTY, CAT_NONE, CAT_NONE, span);
    for (uint32_t kind = 0; kind < CAT_DECLARED_COUNT; kind++) {
        if (!(declaration->kinds >> kind & 1))
            continue;
        cat_node_id part = cat_graph_tagged(&resolver->graph, declaration->tag, kinds[kind].bearer);
        cat_node_id base = cat_resolve_base(resolver, kinds[kind].set);
        if (kinds[kind].bearer == CAT_BY_INSTRUCTION && base != CAT_NONE)
            part = set_of(resolver, CAT_INTER, base, part, span);
        all = set_of(resolver, CAT_UNION, all, part, span);
    }
    return all;
}

/* In capitals, or the first letter alone. */
static const char *name_of(struct cat_resolver *resolver, const char *tag, bool capitals)
{
    char *name = arena_strdup(resolver->scratch, tag);
    for (char *at = name; *at && (capitals || at == name); at++)
        *at = (char)toupper((unsigned char)*at);
    return intern_text(resolver->names, name);
}

/* Binds a name to the tag's events unless it stands for something else. */
static bool bind(struct cat_resolver *resolver, const char *name, cat_node_id before,
                 cat_node_id events, struct span span)
{
    const struct cat_scope *found = cat_scope_find(resolver, resolver->scope, name);
    bool own = found && before != CAT_NONE && found->value.kind == CAT_VALUE_NODE &&
               found->value.node == before;
    if (found && !own)
        return false;
    resolver->scope =
        cat_scope_bind(resolver, resolver->scope, name, cat_value_node(CAT_SET, events), span);
    return true;
}

static void bind_names(struct cat_resolver *resolver, const struct cat_declaration *declaration,
                       cat_node_id before, cat_node_id events, struct span span)
{
    const char *capitals = name_of(resolver, declaration->tag, true);
    const char *capital = name_of(resolver, declaration->tag, false);
    bool bound = bind(resolver, capitals, before, events, span);
    bool other = capital == capitals ? bound : bind(resolver, capital, before, events, span);
    if (bound)
        cat_graph_name(&resolver->graph, events, capitals);
    else
        diag_warning(resolver->diag, DIAG_CAT_TAG, span,
                     "'%s' stands for something else already, so the events of the tag '%s are %s",
                     capitals, declaration->tag,
                     other ? arena_printf(resolver->scratch, "'%s'", capital)
                           : arena_printf(resolver->scratch, "tag2events('%s)", declaration->tag));
}

/* ---- instructions KIND[...] ---- */

static struct cat_declaration *find_declaration(struct cat_resolver *resolver, const char *tag)
{
    return FIND(i, resolver->declarations.items, resolver->declarations.count,
                resolver->declarations.items[i].tag == tag);
}

/* For CAT_DECLARED_COUNT, no kind, the tag has no events. */
static void declare(struct cat_resolver *resolver, const char *tag, enum cat_declared_kind kind,
                    struct span span)
{
    struct cat_declaration *declaration = find_declaration(resolver, tag);
    cat_node_id before = CAT_NONE;
    if (declaration)
        before = events_of(resolver, declaration, span);
    uint32_t added = kind < CAT_DECLARED_COUNT ? 1u << kind : 0;
    resolver->hops += resolver->declarations.count;
    if (declaration && (declaration->kinds & added) == added)
        return;
    if (!declaration) {
        VEC_PUSH(&resolver->declarations, ((struct cat_declaration){tag, 0}));
        declaration = &VEC_LAST(&resolver->declarations);
    }
    declaration->kinds |= added;
    bind_names(resolver, declaration, before, events_of(resolver, declaration, span), span);
}

/* Tags that are written here and that nobody declares are declared by that. */
static struct cat_value read_item(struct cat_resolver *resolver, const struct cat_expr *item)
{
    if (item->kind == CAT_EXPR_NAME && !cat_scope_find(resolver, resolver->scope, item->name)) {
        cat_resolve_error(resolver, DIAG_CAT_UNBOUND, item->span,
                          "unknown name '%s'; a tag is written with a quote, as in '%s, and a name "
                          "stands for tags by an 'enum' above",
                          item->name, item->name);
        return CAT_BROKEN;
    }
    if (item->kind == CAT_EXPR_TAG && !find_tag(resolver, item->name)) {
        struct cat_tuple *alone = new_tuple(resolver, 1);
        add_tag(resolver, alone, item->name, true);
    }
    return cat_resolve_expr(resolver, resolver->scope, item);
}

static void declare_item(struct cat_resolver *resolver, const struct cat_expr *item,
                         enum cat_declared_kind kind)
{
    struct cat_value value = cat_value_known(resolver, read_item(resolver, item));
    bool is_list = value.kind == CAT_VALUE_LIST;
    uint32_t count = is_list ? value.tuple->count : value.kind == CAT_VALUE_TAG;
    for (uint32_t i = 0; i < count && cat_resolve_within(resolver, item->span); i++) {
        struct cat_value tag = is_list ? value.tuple->items[i] : value;
        if (tag.kind != CAT_VALUE_TAG) {
            value = tag;
            break;
        }
        declare(resolver, tag.tag->name, kind, item->span);
    }
    if (value.kind != CAT_VALUE_TAG && value.kind != CAT_VALUE_LIST &&
        value.kind != CAT_VALUE_EMPTY && value.kind != CAT_VALUE_BROKEN)
        cat_resolve_error(resolver, DIAG_CAT_SORT, item->span,
                          "%s is %s, where 'instructions' expects tags, such as 'a || 'b",
                          cat_resolve_text(resolver, item), cat_value_text(resolver, value));
}

static bool find_kind(const char *name, enum cat_declared_kind *kind)
{
    for (uint32_t i = 0; i < CAT_DECLARED_COUNT; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = (enum cat_declared_kind)i;
            return true;
        }
    return false;
}

/* Kinds of instructions that herd has, and tests have not: there are no events of them. */
static bool is_foreign(const char *name)
{
    static const char *const names[] = {"SRCU", "P", "J", "T", "I", "DC", "IC", "TLBI"};
    return ANY(i, sizeof names / sizeof *names, strcmp(names[i], name) == 0);
}

static void report_kind(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    const char *near = diag_nearest(instr->name, cat_declared_kinds, CAT_DECLARED_COUNT);
    if (!is_foreign(instr->name))
        diag_warning(resolver->diag, DIAG_CAT_TAG, instr->name_span,
                     "'%s' is no kind of instruction, so this declares nothing%s", instr->name,
                     near ? arena_printf(resolver->scratch, "; did you mean '%s'?", near)
                          : "; there are R, W, RMW, M, F, CM, TX, B, PB, LOC and THREAD");
    diag_meant_by(resolver->diag, instr->name_span, instr->name, near);
}

/* Commas part collections, each of an annotation more, as in herd; between single tags they are
 * taken for '||' by mistake. */
static void check_items(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    const struct cat_expr *first = instr->items.first;
    if (!first)
        cat_resolve_error(resolver, DIAG_CAT_TAG, instr->name_span,
                          "found no tag between the brackets of '%s', expected some, such as "
                          "%s['a || 'b]",
                          instr->name, instr->name);
    else if (first->next && first->kind == CAT_EXPR_TAG && !instr->alternatives)
        cat_resolve_error(resolver, DIAG_CAT_TAG, first->next->span,
                          "found ',' before this, expected '||' or ']' behind the tag '%s; tags "
                          "are parted by '||', as in %s['a || 'b], or stand in braces, as in "
                          "%s[{'a, 'b}]",
                          first->name, instr->name, instr->name);
}

void cat_resolve_instructions(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    enum cat_declared_kind kind;
    bool known = find_kind(instr->name, &kind);
    check_items(resolver, instr);
    if (!known)
        report_kind(resolver, instr);
    if (!known)
        kind = CAT_DECLARED_COUNT;
    for (const struct cat_expr *at = instr->items.first; at; at = at->next)
        if (known || is_foreign(instr->name))
            declare_item(resolver, at, kind);
        else
            (void)read_item(resolver, at);
}

struct cat_value cat_resolve_events_of(struct cat_resolver *resolver, const struct cat_tag *tag,
                                       struct span span)
{
    const struct cat_declaration *declaration = find_declaration(resolver, tag->name);
    if (!declaration)
        return CAT_BROKEN;
    return cat_value_node(CAT_SET,
                          resolver->probing ? CAT_NONE : events_of(resolver, declaration, span));
}

void cat_resolve_keep_tags(const struct cat_resolver *resolver, struct arena *arena,
                           struct cat_model *model)
{
    size_t count = resolver->declarations.count;
    struct cat_declaration *declarations = ARENA_ARRAY(arena, struct cat_declaration, count);
    for (size_t i = 0; i < count; i++) {
        declarations[i] = resolver->declarations.items[i];
        declarations[i].tag = arena_strdup(arena, declarations[i].tag);
    }
    model->declarations = declarations;
    model->declaration_count = (uint32_t)count;
    count = resolver->graph.tagged.count;
    struct cat_tagged *tagged = ARENA_ARRAY(arena, struct cat_tagged, count);
    for (size_t i = 0; i < count; i++) {
        tagged[i] = resolver->graph.tagged.items[i];
        tagged[i].tag = arena_strdup(arena, tagged[i].tag);
    }
    model->tagged = tagged;
    model->tagged_count = (uint32_t)count;
}
