/* A value of a choice is a setting: who has the instruction at all, of what order and scope. Of one
 * that is gone both are the least there are. Settings are ordered point by point; listed they are
 * by the sum of their ranks, which is in line with that. */
#include "sketch/sites_run.h"

#include <string.h>

enum { MOST_VALUES = 64, MOST_APART = 4 };

struct setting {
    uint32_t there; /* bit i: at place i */
    enum lit_order order;
    enum lit_scope scope;
    uint32_t kind; /* SLOT: which one, from 1; 0: none */
};

/* The sites of a choice, and its values. */
struct choosing {
    struct sites_run *run;
    const uint32_t *sites;
    uint32_t count;
    uint32_t all;                    /* bits of all places; past MOST_APART one bit is of all */
    struct sketch_open_values kinds; /* SLOT; 0 is nothing */
    const uint64_t *kinds_below;
    struct setting own;
    struct setting settings[MOST_VALUES];
    uint32_t setting_count;
};

static const struct site *site_of(const struct choosing *c, uint32_t place)
{
    return &c->run->sites.items[c->sites[place]];
}

static bool is_there(const struct choosing *c, const struct setting *setting, uint32_t place)
{
    return setting->there >> (c->count > MOST_APART ? 0 : place) & 1;
}

static bool same(const struct setting *a, const struct setting *b)
{
    return a->there == b->there && a->order == b->order && a->scope == b->scope &&
           a->kind == b->kind;
}

static bool is_gone(const struct setting *setting)
{
    return setting->there == 0;
}

static bool is_below(const struct choosing *c, const struct setting *a, const struct setting *b)
{
    if (same(a, b) || (a->there & ~b->there))
        return false;
    if (is_gone(a))
        return true;
    if (a->kind && b->kind)
        return c->kinds_below[b->kind] >> a->kind & 1;
    if (a->kind || b->kind) /* what a call is, and may become: stronger ones to repair the test */
        return (c->run->wish->aim == SITES_REPAIR) == (b->kind != 0);
    return lit_order_within(a->order, b->order) && a->scope <= b->scope;
}

/* ---- Which there are ---- */

/* Has each place a word for it? */
static bool has_word(const struct choosing *c, enum lit_scope scope)
{
    return ALL(i, c->count,
               !site_of(c, i)->scope.open || site_of(c, i)->scope.spelling->scopes[scope]);
}

static bool may_scope(const struct choosing *c, enum lit_scope scope)
{
    bool narrow = c->run->wish->aim == SITES_NARROW;
    if (narrow ? scope > c->own.scope : scope < c->own.scope)
        return false;
    return has_word(c, scope) && (scope == c->own.scope || c->run->scopes >> scope & 1);
}

static bool may_order(const struct choosing *c, enum lit_order order)
{
    bool narrow = c->run->wish->aim == SITES_NARROW;
    return sites_may_order(c->run, site_of(c, 0), order) &&
           site_of(c, 0)->order.spelling->orders[order] &&
           (narrow ? lit_order_within(order, c->own.order) : lit_order_within(c->own.order, order));
}

static void add_setting(struct choosing *c, struct setting setting)
{
    if (c->setting_count < MOST_VALUES)
        c->settings[c->setting_count++] = setting;
}

/* With these there, each order and scope that may be. */
static void add_products(struct choosing *c, uint32_t there)
{
    const struct site *site = site_of(c, 0);
    for (enum lit_order order = LIT_ORDER_NA; order <= LIT_ORDER_SC; order++) {
        if (site->order.open ? !may_order(c, order) : order != c->own.order)
            continue;
        for (enum lit_scope scope = LIT_SCOPE_WI; scope < LIT_SCOPE_COUNT; scope++)
            if (site->scope.open ? may_scope(c, scope) : scope == c->own.scope)
                add_setting(c, (struct setting){there, order, scope, 0});
    }
}

/* Barriers that meet: of each work-item its own or none, or a scope for all. */
static void add_barriers(struct choosing *c)
{
    bool narrow = c->run->wish->aim == SITES_NARROW;
    enum lit_scope least = LIT_SCOPE_WI;
    while (least < c->own.scope && !has_word(c, least))
        least++;
    for (uint32_t some = 1; narrow && some < c->all && c->count <= MOST_APART; some++)
        add_setting(c, (struct setting){some, c->own.order, least, 0});
    add_products(c, c->all);
}

/* The kind that a call with a location is; 0: none. */
static uint32_t own_kind(const struct choosing *c)
{
    const char *name = site_of(c, 0)->instr->name;
    const size_t length = name ? strlen(name) : 0;
    for (uint32_t k = 1; length && k < c->kinds.count; k++)
        for (const struct sketch_open_value *at = &c->kinds.items[k]; at; at = at->twin)
            if (strncmp(at->label, name, length) == 0 && at->label[length] == '(')
                return k;
    return 0;
}

/* Of compiled kernels no statements are read, so nothing is known of what they do. */
static bool may_become(const struct choosing *c, uint32_t own, uint32_t kind)
{
    if (!c->run->codes)
        return false;
    if (!site_of(c, 0)->location)
        return sites_may_become(c->run, site_of(c, 0), kind);
    const bool repairs = c->run->wish->aim == SITES_REPAIR;
    return own && (c->kinds_below[repairs ? kind : own] >> (repairs ? own : kind) & 1);
}

/* Itself, and what is wider or stronger, to repair the test, or else narrower or weaker. */
static void add_calls(struct choosing *c)
{
    const bool located = site_of(c, 0)->location;
    const uint32_t own = located ? own_kind(c) : 0;
    add_setting(c, c->own);
    for (uint32_t k = 1; k < (located ? c->kinds.count : c->run->single_count); k++)
        if (may_become(c, own, k))
            add_setting(c, (struct setting){c->all, c->own.order, c->own.scope, k});
}

/* May a fence that stands in front or behind become that? Of barriers it would matter: work-items
 * meet once more. Where several statements are added in a row they are whatever stands there. */
static bool is_spare(const struct choosing *c, uint32_t kind)
{
    const struct site *site = site_of(c, 0);
    for (int side = 0; side < 2 && !c->run->wish->several; side++) {
        uint32_t number = site->beside[side] ? c->run->chosen[site->beside[side] - 1] : 0;
        const struct sketch_choice *choice = number ? &c->run->choices->items[number - 1] : NULL;
        if (choice && ANY(v, choice->value_count,
                          strcmp(choice->values[v].label, c->kinds.items[kind].label) == 0))
            return true;
    }
    return false;
}

/* A marker in a kernel. */
static bool is_comment(const struct sketch_open_value *kind)
{
    return strncmp(kind->text, "/*", 2) == 0;
}

static void add_settings(struct choosing *c)
{
    const struct site *site = site_of(c, 0);
    bool narrow = c->run->wish->aim == SITES_NARROW;
    if (site->gone && (narrow || site->form == SITE_SLOT))
        add_setting(c, (struct setting){0, LIT_ORDER_NA, LIT_SCOPE_WI, 0});
    for (uint32_t k = 1; site->form == SITE_SLOT && k < c->kinds.count; k++)
        if (!is_spare(c, k))
            add_setting(c, (struct setting){c->all, LIT_ORDER_NA, LIT_SCOPE_WI, k});
    if (site->form == SITE_BARRIER)
        add_barriers(c);
    else if (site->form == SITE_CALL)
        add_calls(c);
    else if (site->form != SITE_SLOT)
        add_products(c, c->all);
}

/* Each before those that it is below of: one at a time, the first that nothing left is below. */
static void sort(struct choosing *c)
{
    for (uint32_t i = 0; i < c->setting_count; i++)
        for (uint32_t k = i + 1; k < c->setting_count; k++)
            if (is_below(c, &c->settings[k], &c->settings[i])) {
                struct setting least = c->settings[k];
                memmove(&c->settings[i + 1], &c->settings[i], (k - i) * sizeof *c->settings);
                c->settings[i] = least;
                k = i;
            }
}

/* ---- Their texts ---- */

static void put_word(const struct sites_run *run, const struct site_word *word, const char *text,
                     bool needed, size_t *at, struct strbuf *out)
{
    if (!word->open || (word->begin == word->end && !needed))
        return;
    strbuf_add_bytes(out, run->edits.source->text + *at, word->begin - *at);
    strbuf_printf(out, "%s%s", word->begin == word->end ? word->before : "", text);
    *at = word->end;
}

static void put_instruction(const struct choosing *c, const struct site *site,
                            const struct setting *setting, struct strbuf *out)
{
    const char *text = c->run->edits.source->text;
    bool scoped = setting->scope != c->own.scope;
    bool ordered = scoped || setting->order != c->own.order;
    size_t at = site->begin;
    if (site->explicit && ordered) {
        strbuf_printf(out, "%.*s_explicit", (int)(site->explicit - at), text + at);
        at = site->explicit;
    }
    if (site->order.open)
        put_word(c->run, &site->order, site->order.spelling->orders[setting->order], ordered, &at,
                 out);
    if (site->scope.open)
        put_word(c->run, &site->scope, site->scope.spelling->scopes[setting->scope], scoped, &at,
                 out);
    strbuf_add_bytes(out, text + at, site->end - at);
}

static void put_added(const struct site *site, const struct sketch_open_value *kind,
                      struct strbuf *out)
{
    for (uint32_t i = 0; i < kind->part_count; i++)
        put_added(site, kind->parts[i], out);
    if (!kind->part_count && is_comment(kind))
        strbuf_printf(out, "%s ", kind->text);
    else if (!kind->part_count)
        strbuf_printf(out, "%s%s%s", site->before, kind->text, site->behind);
}

/* Of a kernel: as it is, or the word of the new one in place of its own. */
static const struct lit_fence_word *fence_of(const struct choosing *c,
                                             const struct setting *setting)
{
    const struct lit_writing *writing = c->run->test->dialect->writing;
    const struct lit_fence_word *word = FIND(i, writing->fences, writing->fence_count,
                                             writing->fences[i].order == setting->order &&
                                                 writing->fences[i].scope == setting->scope);
    BASE_CHECK(word);
    return word;
}

static void put_fence(const struct choosing *c, const struct site *site,
                      const struct setting *setting, struct strbuf *out)
{
    const char *text = c->run->edits.source->text;
    const bool same = setting->order == c->own.order && setting->scope == c->own.scope;
    strbuf_add_bytes(out, text + site->begin, site->order.begin - site->begin);
    if (same)
        strbuf_add_bytes(out, text + site->order.begin, site->order.end - site->order.begin);
    else
        strbuf_add(out, fence_of(c, setting)->code);
    strbuf_add_bytes(out, text + site->order.end, site->end - site->order.end);
}

static const char *text_of(const struct choosing *c, uint32_t place, const struct setting *setting)
{
    const struct site *site = site_of(c, place);
    struct strbuf out = {0};
    if (!is_there(c, setting, place))
        strbuf_add(&out, site->gone);
    else if (site->origin && site->form == SITE_FENCE)
        put_fence(c, site, setting, &out);
    else if (setting->kind)
        put_added(site, &c->kinds.items[setting->kind], &out);
    else
        put_instruction(c, site, setting, &out);
    while (site->padded && out.length < site->end - site->begin)
        strbuf_add_char(&out, ' ');
    return strbuf_take(&out, c->run->arena);
}

/* Without blanks around it and the end of a statement. */
static const char *trimmed(struct arena *arena, const char *text)
{
    static const char around[] = " \t\r\n;";
    text += strspn(text, around);
    size_t length = strlen(text);
    while (length && strchr(around, text[length - 1]))
        length--;
    return arena_strndup(arena, text, length);
}

/* The function of the source that makes the access, without what says its scope; NULL: it is no
 * call of such a function, as far as is known. */
static const char *atomic_of(const struct choosing *c, const struct site *site)
{
    const struct lit_writing *writing = c->run->test->dialect->writing;
    const char *found = NULL;
    for (uint32_t i = 0; site->origin && i < site->origin->frame_count && !found; i++) {
        const char *function = site->origin->frames[i].function;
        if (function && strncmp(function, writing->atomic, strlen(writing->atomic)) == 0)
            found = function;
    }
    for (uint32_t s = 0; found && s < LIT_SCOPE_COUNT; s++) {
        const char *end = writing->atomic_ends[s];
        if (end && *end && text_ends(found, end))
            return arena_strndup(c->run->arena, found, strlen(found) - strlen(end));
    }
    return found;
}

/* "atomicAdd_block()"; NULL: the source calls it otherwise. */
static const char *call_of(const struct choosing *c, const struct site *site,
                           const struct setting *setting)
{
    const char *end = c->run->test->dialect->writing->atomic_ends[setting->scope];
    const char *name = end && setting->order == LIT_ORDER_RLX ? atomic_of(c, site) : NULL;
    return name ? arena_printf(c->run->arena, "%s%s()", name, end) : NULL;
}

/* What a place has, in words. */
static const char *name_of(const struct choosing *c, uint32_t place, const struct setting *setting)
{
    const struct site *site = site_of(c, place);
    const struct lit_spelling *orders = site->order.spelling, *scopes = site->scope.spelling;
    if (site->origin)
        orders = scopes = c->run->test->dialect->writing->of_source;
    const bool access = site->form == SITE_SCOPE || site->form == SITE_ACCESS;
    const char *call = access && site->origin ? call_of(c, site, setting) : NULL;
    if (call)
        return call;
    switch (site->form) {
    case SITE_ORDER: return orders->orders[setting->order];
    case SITE_SCOPE: return scopes->scopes[setting->scope];
    case SITE_SLOT: return c->kinds.items[setting->kind].label;
    case SITE_ACCESS:
        return arena_printf(c->run->arena, "%s, %s", orders->orders[setting->order],
                            scopes->scopes[setting->scope]);
    case SITE_FENCE:
        if (site->origin)
            return fence_of(c, setting)->source;
        break;
    case SITE_CALL:
        if (site->origin)
            return arena_printf(c->run->arena, "CRASHLIT(\"%s\")",
                                trimmed(c->run->arena, text_of(c, place, setting)));
        break;
    case SITE_BARRIER: break;
    }
    return trimmed(c->run->arena, text_of(c, place, setting));
}

/* Are all of the work-item there? */
static bool is_whole(const struct choosing *c, const struct setting *setting,
                     const struct lit_thread *thread)
{
    return ALL(i, c->count, site_of(c, i)->thread != thread || is_there(c, setting, i));
}

/* "p_barrier_wi in P0 at line 4, P1": a work-item that has it everywhere is named once. */
static const char *label_of(const struct choosing *c, const struct setting *setting)
{
    struct strbuf out = {0};
    const struct lit_thread *last = NULL;
    if (is_gone(setting))
        return "left out";
    for (uint32_t i = 0; i < c->count; i++) {
        const struct lit_thread *thread = site_of(c, i)->thread;
        const bool whole = is_whole(c, setting, thread);
        if (!is_there(c, setting, i) || (whole && thread == last))
            continue;
        if (!last)
            strbuf_add(&out, name_of(c, i, setting));
        if (setting->there != c->all)
            strbuf_printf(&out, "%s%s", last ? ", " : " in ", thread->name);
        if (!whole)
            strbuf_printf(&out, " at line %u", site_of(c, i)->span.line);
        last = thread;
    }
    return strbuf_take(&out, c->run->arena);
}

/* ---- The choice ---- */

/* A slot is what may be nothing. */
static enum sketch_open_kind kind_of(const struct choosing *c)
{
    switch (site_of(c, 0)->form) {
    case SITE_CALL:
        if (!is_gone(&c->settings[0]))
            return LIT_OPEN_SCOPE;
        return c->setting_count > 2 ? LIT_OPEN_SLOT : LIT_OPEN_PRESENCE;
    case SITE_SCOPE: return LIT_OPEN_SCOPE;
    case SITE_ORDER:
    case SITE_ACCESS: return LIT_OPEN_ORDER;
    case SITE_BARRIER: return is_gone(&c->settings[0]) ? LIT_OPEN_SLOT : LIT_OPEN_SCOPE;
    case SITE_FENCE: return is_gone(&c->settings[0]) ? LIT_OPEN_SLOT : LIT_OPEN_ORDER;
    case SITE_SLOT: break;
    }
    return LIT_OPEN_SLOT;
}

static struct sketch_open_place place_of(const struct choosing *c, uint32_t i)
{
    const struct site *site = site_of(c, i);
    struct sketch_open_place place = {.file = c->run->file,
                                      .begin = site->begin,
                                      .end = site->end,
                                      .inner_begin = site->begin,
                                      .inner_end = site->end,
                                      .span = site->span,
                                      .origin = site->origin};
    if (site->origin && site->origin->source.line)
        place.span = site->origin->source;
    if (kind_of(c) == LIT_OPEN_PRESENCE)
        return place;
    const char **texts = ARENA_ARRAY(c->run->arena, const char *, c->setting_count);
    for (uint32_t v = 0; v < c->setting_count; v++)
        texts[v] = text_of(c, i, &c->settings[v]);
    place.texts = texts;
    return place;
}

static struct sketch_open_value value_of(const struct choosing *c, const struct setting *setting)
{
    bool stays = kind_of(c) == LIT_OPEN_PRESENCE && !is_gone(setting);
    struct sketch_open_value value = {.text = stays ? NULL : text_of(c, 0, setting),
                                      .label = label_of(c, setting),
                                      .meaning = kind_of(c) == LIT_OPEN_ORDER
                                                     ? (uint32_t)setting->order
                                                     : (uint32_t)setting->scope};
    if (setting->kind) {
        value.parts = c->kinds.items[setting->kind].parts;
        value.part_count = c->kinds.items[setting->kind].part_count;
        value.twin = c->kinds.items[setting->kind].twin;
    }
    return value;
}

static struct sketch_choice choice_of(const struct choosing *c)
{
    struct arena *arena = c->run->arena;
    struct sketch_open_value *values =
        ARENA_ARRAY(arena, struct sketch_open_value, c->setting_count);
    uint64_t *below = ARENA_ARRAY(arena, uint64_t, c->setting_count);
    struct sketch_open_place *places = ARENA_ARRAY(arena, struct sketch_open_place, c->count);
    struct sketch_choice choice = {.kind = kind_of(c),
                                   .is_barrier = site_of(c, 0)->form == SITE_BARRIER};
    for (uint32_t i = 0; i < c->count; i++)
        places[i] = place_of(c, i);
    for (uint32_t v = 0; v < c->setting_count; v++) {
        values[v] = value_of(c, &c->settings[v]);
        if (same(&c->settings[v], &c->own))
            choice.original = (int32_t)v;
        for (uint32_t w = 0; w < v; w++)
            below[v] |= (uint64_t)is_below(c, &c->settings[w], &c->settings[v]) << w;
    }
    choice.values = values;
    choice.value_count = c->setting_count;
    choice.below = below;
    choice.places = places;
    choice.place_count = c->count;
    return choice;
}

static struct setting own_of(const struct choosing *c)
{
    const struct site *site = site_of(c, 0);
    if (site->form == SITE_SLOT)
        return (struct setting){0, LIT_ORDER_NA, LIT_SCOPE_WI, 0};
    return (struct setting){c->all, sites_order_of(site), site->instr->scope, 0};
}

static void find_kinds(struct choosing *c)
{
    const struct site *site = site_of(c, 0);
    if (site->form != SITE_SLOT && site->form != SITE_CALL)
        return;
    c->kinds = c->run->kinds;
    c->kinds_below = site->form == SITE_CALL ? c->run->widths : c->run->kinds_below;
    if (!site->location)
        return;
    c->kinds = sites_flushes(c->run, site->location, &c->kinds_below);
}

void sites_choose(struct sites_run *run, const uint32_t *sites, uint32_t count)
{
    struct choosing c = {.run = run, .sites = sites, .count = count};
    c.all = count > MOST_APART ? 1 : (UINT32_C(1) << count) - 1;
    c.own = own_of(&c);
    find_kinds(&c);
    add_settings(&c);
    sort(&c);
    if (c.setting_count < 2)
        return;
    VEC_PUSH(run->choices, choice_of(&c));
    if (count == 1)
        run->chosen[sites[0]] = (uint32_t)run->choices->count;
}
