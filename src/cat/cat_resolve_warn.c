/* Warnings about a model's definitions: near misses of the contract's names, names that the other
 * file redefines, names without effect; and what the kinds of events tell. */
#include "cat/cat_resolve.h"

#include "cat/cat_kinds.h"
#include "cat/cat_text.h"

#include <string.h>

static const char *const reserved_names[] = {CAT_RESERVED(TABLE_SECOND)};

static const struct cat_scope *find_reserved(struct cat_resolver *resolver,
                                             const struct cat_scope *scope, int which)
{
    return cat_scope_find(resolver, scope, intern_text(resolver->names, reserved_names[which]));
}

/* ---- The two files ---- */

void cat_resolve_begin_visibility(struct cat_resolver *resolver, const struct source *source)
{
    resolver->visibility = source;
    resolver->library = resolver->scope;
}

void cat_resolve_begin_persistency(struct cat_resolver *resolver)
{
    resolver->persists = true;
    resolver->visibility_checks = resolver->checks.count;
    resolver->visibility_chooses = resolver->graph.choices.count > 0;
    for (int i = 0; i < CAT_RESERVED_COUNT; i++) {
        const struct cat_scope *found = find_reserved(resolver, resolver->scope, i);
        if (found == find_reserved(resolver, resolver->library, i))
            continue;
        resolver->taken_away[i] = found;
        resolver->visibility_persists = true;
    }
}

void cat_resolve_note_use(struct cat_resolver *resolver, const struct cat_scope *found)
{
    *found->used = true;
    resolver->added_counts |= resolver->added == found && !resolver->persists;
    for (int i = 0; i < CAT_RESERVED_COUNT; i++)
        if (resolver->taken_away[i] == found)
            resolver->taken_away[i] = NULL;
}

/* Whether it has a say that is lost where `now` stands in its place. */
static bool loses(const struct cat_scope *old, const struct cat_scope *now)
{
    return old && old != now && old->value.kind == CAT_VALUE_NODE &&
           (now->value.kind != CAT_VALUE_NODE || now->value.node != old->value.node);
}

static void warn_of_names_taken_away(struct cat_resolver *resolver)
{
    for (int i = 0; i < CAT_RESERVED_COUNT; i++) {
        const struct cat_scope *old = resolver->taken_away[i];
        const struct cat_scope *now = find_reserved(resolver, resolver->scope, i);
        const char *name = reserved_names[i];
        if (loses(old, now))
            diag_warning(resolver->diag, DIAG_CAT_RESERVED, old->span,
                         "'%s' as the visibility model has it has no effect: the persistency model "
                         "defines it anew, at %s:%u:%u; define it in one of the two, or build the "
                         "later one on this, as in 'let %s = %s | ...'",
                         name, now->span.source->name, now->span.line, now->span.column, name,
                         name);
    }
}

/* ---- Names that are almost reserved ---- */

/* The name in the form of reserved ones: small letters, words joined by '-'. */
static void normalise(const char *name, char *out, size_t size)
{
    size_t length = 0;
    for (; name[length] && length + 1 < size; length++) {
        char c = name[length];
        out[length] = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    out[length] = '\0';
}

/* The reserved name that a name is almost, NULL when it is one or is far from all. */
static const char *near_reserved(const char *name)
{
    static const char *const all[] = {CAT_RESERVED(TABLE_SECOND) CAT_ADDED};
    enum { COUNT = sizeof all / sizeof *all };
    char normal[64];
    normalise(name, normal, sizeof normal);
    if (cat_resolve_is_reserved(name) || strcmp(name, CAT_ADDED) == 0)
        return NULL;
    for (int i = 0; i < COUNT; i++)
        if (strcmp(all[i], normal) == 0)
            return all[i];
    return diag_nearest(normal, all, COUNT);
}

/* Whether it is named by a declared tag: its set, which has a say where the tag stands. */
static bool is_of_tag(const struct cat_resolver *resolver, const char *name)
{
    char own[64], tag[64];
    normalise(name, own, sizeof own);
    for (size_t i = 0; i < resolver->declarations.count; i++) {
        normalise(resolver->declarations.items[i].tag, tag, sizeof tag);
        if (strcmp(own, tag) == 0)
            return true;
    }
    return false;
}

/* A definition whose name is almost a reserved one does nothing, and says nothing. The
 * environment has the newest definition first. */
static void warn_of_near_names(struct cat_resolver *resolver)
{
    VEC(const struct cat_scope *) found = {0};
    for (const struct cat_scope *at = resolver->scope; at; at = at->next)
        if (at->span.source && near_reserved(at->name) && !is_of_tag(resolver, at->name))
            VEC_PUSH(&found, at);
    while (found.count) {
        const struct cat_scope *at = VEC_POP(&found);
        diag_warning(resolver->diag, DIAG_CAT_RESERVED, at->span,
                     "'%s' is no name of the persistency contract and changes nothing by itself; "
                     "is '%s' meant?",
                     at->name, near_reserved(at->name));
    }
    VEC_FREE(&found);
}

/* ---- Names that nothing uses ---- */

void cat_resolve_note_own(struct cat_resolver *resolver, const struct cat_instr *instr)
{
    if (instr->kind != CAT_INSTR_LET && instr->kind != CAT_INSTR_LET_REC)
        return;
    for (const struct cat_binding *at = instr->bindings.first; at; at = at->next)
        for (const struct cat_name *name = at->pattern->names.first; name; name = name->next)
            if (name->text)
                VEC_PUSH(&resolver->own, cat_scope_find(resolver, resolver->scope, name->text));
}

/* The tool reads it by its name, or it takes the place of what the tool may read. */
static bool is_read_by_name(struct cat_resolver *resolver, const char *name)
{
    return cat_resolve_is_reserved(name) || strcmp(name, CAT_ADDED) == 0 || near_reserved(name) ||
           cat_scope_find(resolver, resolver->library, name);
}

/* What a visibility model defines may be for persistency models; what is included, for others. A
 * name may be used where a variant, or nobody, turns a branch or a procedure on, so it may stand
 * nowhere else in the text. */
static void warn_of_unused(struct cat_resolver *resolver)
{
    for (size_t i = 0; i < resolver->own.count; i++) {
        const struct cat_scope *at = resolver->own.items[i];
        if (!at || *at->used || is_read_by_name(resolver, at->name) ||
            cat_text_count(at->span.source, at->name) > 1)
            continue;
        const bool shows = at->value.kind == CAT_VALUE_NODE || at->value.kind == CAT_VALUE_EMPTY;
        diag_warning(resolver->diag, DIAG_CAT_UNUSED, at->span,
                     shows ? "nothing uses '%s', so it changes nothing; remove it, or say what it "
                             "is for, as by 'show %s'"
                           : "nothing uses '%s', so it changes nothing; remove it",
                     at->name, at->name);
    }
}

void cat_resolve_warn_of_names(struct cat_resolver *resolver)
{
    warn_of_unused(resolver);
    warn_of_near_names(resolver);
    warn_of_names_taken_away(resolver);
    cat_resolve_warn_of_added(resolver);
}

/* ---- Kinds ---- */

void cat_resolve_warn_of_kinds(struct cat_resolver *resolver, const struct cat_model *model)
{
    struct cat_kinds_places places = {.visibility = {resolver->visibility, 1, 1, 1, 1},
                                      .visibility_checks = resolver->visibility_checks,
                                      .visibility_chooses = resolver->visibility_chooses};
    for (int i = 0; i < CAT_RESERVED_COUNT; i++) {
        const struct cat_scope *found = find_reserved(resolver, resolver->scope, i);
        if (found)
            places.defined[i] = found->span;
    }
    cat_kinds_warn(model, &places, resolver->diag);
}
