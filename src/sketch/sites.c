#include "sketch/sites_run.h"

#include <stdlib.h>
#include <string.h>

/* ---- Scopes that are offered ---- */

static void add_levels(struct sites_run *run, const struct ast_threads *threads)
{
    enum lit_scope level;
    for (const struct ast_thread *thread = threads->first; thread; thread = thread->next)
        for (const struct ast_place *place = thread->places.first; place; place = place->next)
            if (run->test->dialect->level(place->level.text, &level))
                run->scopes |= UINT32_C(1) << level;
}

/* Are there two in one instance of the scope that are in none of the narrower one? */
static bool has_meeting(const struct lit_thread *threads, uint32_t count, enum lit_scope scope,
                        enum lit_scope narrower)
{
    return ANY(
        a, count,
        ANY(b, a,
            sites_together(&threads[a], &threads[b], scope) &&
                (narrower == LIT_SCOPE_WI || !sites_together(&threads[a], &threads[b], narrower))));
}

/* Wherever a wider scope brings work-items together, named or not; but that all work-items of a
 * group are of one sub-group unless it says otherwise is no reason to speak of these. */
static void add_meetings(struct sites_run *run)
{
    const struct lit_program *program = run->program;
    const struct lit_spelling *spelling = run->test->dialect->writing->of_fence;
    enum lit_scope narrower = run->scopes >> LIT_SCOPE_SG & 1 ? LIT_SCOPE_SG : LIT_SCOPE_WI;
    for (enum lit_scope scope = LIT_SCOPE_WG; scope < LIT_SCOPE_COUNT; scope++) {
        if (!spelling->scopes[scope])
            continue;
        if (has_meeting(program->threads, program->thread_count, scope, narrower) ||
            has_meeting(program->recovery, program->recovery_count, scope, narrower))
            run->scopes |= UINT32_C(1) << scope;
        narrower = scope;
    }
}

static void find_scopes(struct sites_run *run)
{
    run->scopes = UINT32_C(1) << LIT_SCOPE_WI;
    add_levels(run, &run->test->threads);
    add_levels(run, &run->test->recovery);
    for (size_t i = 0; i < run->sites.count; i++)
        if (run->sites.items[i].scope.open)
            run->scopes |= UINT32_C(1) << run->sites.items[i].instr->scope;
    if (run->wish->aim == SITES_REPAIR)
        add_meetings(run);
}

/* ---- What may be added ---- */

static bool is_offered(const struct sites_run *run, const struct sketch_open_value *kind)
{
    const struct lit_writing *writing = run->test->dialect->writing;
    size_t length = strlen(writing->persist);
    for (enum lit_scope scope = LIT_SCOPE_WI; scope < LIT_SCOPE_COUNT; scope++) {
        const char *word = writing->of_persist->scopes[scope];
        if (word && strncmp(kind->label, writing->persist, length) == 0 &&
            strcmp(kind->label + length, word) == 0)
            return run->scopes >> scope & 1;
    }
    return true;
}

bool sites_knows(const struct sites_wish *wish, const struct lit_offer *offer)
{
    return offer->orders || !wish->knows ||
           ANY(i, offer->tag_count, wish->knows(wish->context, offer->tags[i]));
}

/* What the test's definition files offer, with commas between, and persist barriers. */
static const char *offers_of(const struct sites_run *run)
{
    const struct lit_writing *writing = run->test->dialect->writing;
    struct strbuf names = {0};
    for (uint32_t i = 0; i < run->program->offer_count; i++)
        if (!run->program->offers[i].of_location &&
            sites_knows(run->wish, &run->program->offers[i]))
            strbuf_printf(&names, "%s%s%s", names.length ? "," : "", run->program->offers[i].name,
                          writing->call);
    if (!names.length || run->wish->persists)
        strbuf_printf(&names, "%s%s", names.length ? "," : "",
                      writing->families[LIT_FAMILY_PERSIST]);
    return strbuf_take(&names, run->arena);
}

/* By what is written, and by what it does. */
static void order_kinds(struct sites_run *run)
{
    uint64_t *below = sites_kinds_order(run->arena, run->kinds);
    run->widths = sites_widths(run);
    for (uint32_t k = 0; k < run->single_count; k++)
        below[k] |= run->widths[k];
    run->kinds_below = below;
}

/* False after reporting. */
static bool find_kinds(struct sites_run *run, struct intern *names, struct diag *diag)
{
    const struct lit_writing *writing = run->test->dialect->writing;
    const char *offers = run->wish->kinds ? run->wish->kinds : offers_of(run);
    struct sketch_open_values all = sketch_kinds(run->arena, offers, writing);
    struct sketch_open_value *kinds = ARENA_ARRAY(run->arena, struct sketch_open_value, all.count);
    for (uint32_t i = 0; i < all.count; i++)
        if (run->wish->kinds || is_offered(run, &all.items[i]))
            kinds[run->kinds.count++] = all.items[i];
    run->kinds.items = kinds;
    sites_read_kinds(run, names);
    if (!run->wish->kinds)
        sites_join_kinds(run);
    run->single_count = run->kinds.count;
    if (run->wish->several)
        run->kinds = sites_several(run->arena, run->kinds, run->wish);
    if (run->kinds.count <= LIT_MOST_OPEN_VALUES) {
        order_kinds(run);
        return true;
    }
    diag_error(diag, DIAG_LIT_TOO_LARGE, run->test->header,
               "%u kinds of statements could be added here, and %d are the most; name those in "
               "question with --kinds",
               run->kinds.count - 1, LIT_MOST_OPEN_VALUES - 1);
    return false;
}

/* ---- Sites and choices ---- */

static void find_threads(struct sites_run *run, const struct ast_threads *list,
                         const struct lit_thread *threads)
{
    for (const struct ast_thread *thread = list->first; thread; thread = thread->next) {
        run->thread = &threads[thread->number];
        if (run->test->dialect->is_table)
            sites_table(run, thread);
        else
            sites_code(run, thread);
    }
}

static void find_sites(struct sites_run *run)
{
    find_threads(run, &run->test->threads, run->program->threads);
    run->in_recovery = true;
    find_threads(run, &run->test->recovery, run->program->recovery);
}

static bool is_slot(const struct sites_run *run, uint32_t site)
{
    return run->sites.items[site].form == SITE_SLOT;
}

/* Slots come last: what is beside them is then known. */
static void choose_groups(struct sites_run *run, uint32_t *groups)
{
    uint32_t count = (uint32_t)run->sites.count;
    uint32_t *together = ARENA_ARRAY(run->arena, uint32_t, count);
    run->chosen = ARENA_ARRAY(run->arena, uint32_t, count);
    for (uint32_t i = 0; i < 2 * count; i++) {
        const uint32_t site = i % count;
        uint32_t found = 0;
        for (uint32_t k = site;
             groups[site] == site && is_slot(run, site) == (i >= count) && k < count; k++)
            if (groups[k] == site)
                together[found++] = k;
        if (found)
            sites_choose(run, together, found);
    }
}

static void choose(struct sites_run *run)
{
    uint32_t count = (uint32_t)run->sites.count;
    uint32_t *groups = ARENA_ARRAY(run->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        groups[i] = i;
    if (!run->wish->apart)
        sites_meet(run, groups);
    choose_groups(run, groups);
}

/* A test is narrowed by other calls where definition files say which are weaker. */
static bool adds(const struct sites_run *run)
{
    return run->wish->aim == SITES_REPAIR || run->program->weaker_count;
}

static bool read_file(struct sites_run *run, struct intern *names, const struct source *source,
                      struct sites_launched *launched, struct diag *diag)
{
    const struct lit_surroundings *surroundings = &run->wish->surroundings[run->file];
    run->program = lit_parse_tree(run->arena, names, source, surroundings, diag, &run->test);
    if (!run->program)
        return false;
    if (run->test->dialect->launches) {
        sites_note_launched(launched, run);
        return true;
    }
    run->edits = lit_edits_of(run->arena, source);
    find_sites(run);
    find_scopes(run);
    bool good = !adds(run) || find_kinds(run, names, diag);
    if (good)
        choose(run);
    VEC_FREE(&run->sites);
    return good;
}

static int by_place(const void *a, const void *b)
{
    const struct sketch_open_place *left = ((const struct sketch_choice *)a)->places;
    const struct sketch_open_place *right = ((const struct sketch_choice *)b)->places;
    if (left->file != right->file)
        return left->file < right->file ? -1 : 1;
    if (left->begin != right->begin)
        return left->begin < right->begin ? -1 : 1;
    if (left->end != right->end)
        return left->end < right->end ? -1 : 1;
    if (left->span.line != right->span.line) /* what is behind a store, what before the next */
        return left->span.line < right->span.line ? -1 : 1;
    return left->span.column < right->span.column ? -1 : left->span.column > right->span.column;
}

static bool fits(const sketch_choice_list *choices, const struct source *const *files,
                 struct diag *diag)
{
    if (choices->count <= LIT_MOST_CHOICES)
        return true;
    diag_error(diag, DIAG_LIT_TOO_LARGE, choices->items[LIT_MOST_CHOICES].places[0].span,
               "%zu things could be otherwise here, from '%s' on, and %d are the most; leave open "
               "by hand what is in question",
               choices->count, files[0]->name, LIT_MOST_CHOICES);
    return false;
}

const struct sketch *sites_sketch(struct arena *arena, struct intern *names,
                                  const struct source *const *files, uint32_t count,
                                  const struct sites_wish *wish, struct diag *diag)
{
    sketch_choice_list choices = {0};
    struct sites_launched launched = {0};
    struct sketch *sketch = ARENA_NEW(arena, struct sketch);
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        struct sites_run run = {.arena = arena, .wish = wish, .file = i, .choices = &choices};
        good &= read_file(&run, names, files[i], &launched, diag);
    }
    sketch->files = files;
    sketch->file_count = sketch->given_count = count;
    sites_choose_launched(&launched, arena, sketch, choose_groups);
    if (choices.count)
        qsort(choices.items, choices.count, sizeof *choices.items, by_place);
    good = good && fits(&choices, files, diag);
    sketch->choices = VEC_KEEP(arena, &choices);
    sketch->choice_count = (uint32_t)choices.count;
    VEC_FREE(&choices);
    return good ? sketch : NULL;
}
