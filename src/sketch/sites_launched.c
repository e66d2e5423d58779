/* Kernels that tests launch: their code stands in files of its own, which become files of the
 * sketch. What is otherwise there is so for all threads, launches and tests. A site is an
 * instruction as compiled; those of one line of the source, as by unrolling or in instances of a
 * template, are one choice. In front of the first instruction of a line, of each store, and of what
 * ends a thread, a fence may be added. */
#include "sketch/sites_run.h"

#include <stdlib.h>
#include <string.h>

/* An instruction that some thread comes to; of an end, which leads to no event, its origin alone. */
struct reached {
    const struct lit_origin *origin;
    const struct lit_instr *instr; /* NULL: it ends the thread */
    const struct lit_thread *thread;
};

struct sites_kernels {
    const struct source *source;
    const struct sites_run *run; /* of the first test that launches them */
    VEC(struct reached) reached;
    VEC(const struct lit_origin *) fences;    /* come to or not */
    VEC(const struct lit_program *) programs; /* of all tests that launch them */
};

/* ---- What is reached ---- */

static struct sites_kernels *find_kernels(struct sites_launched *all, const struct sites_run *run,
                                          const struct source *source)
{
    for (size_t i = 0; i < all->count; i++)
        if (source_same_path(all->items[i]->source->path, source->path))
            return all->items[i];
    struct sites_kernels *kernels = ARENA_NEW(run->arena, struct sites_kernels);
    *kernels =
        (struct sites_kernels){.source = source, .run = arena_copy(run->arena, run, sizeof *run)};
    VEC_PUSH(all, kernels);
    return kernels;
}

static struct sites_kernels *kernels_of(struct sites_launched *all, const struct sites_run *run,
                                        const struct source *source)
{
    struct sites_kernels *kernels = find_kernels(all, run, source);
    if (!kernels->programs.count || VEC_LAST(&kernels->programs) != run->program)
        VEC_PUSH(&kernels->programs, run->program);
    return kernels;
}

static int by_code(const void *a, const void *b)
{
    const struct span *x = &((const struct reached *)a)->origin->code;
    const struct span *y = &((const struct reached *)b)->origin->code;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void note(struct sites_launched *all, const struct sites_run *run,
                 const struct reached *reached)
{
    struct sites_kernels *kernels = kernels_of(all, run, reached->origin->code.source);
    if (!ANY(i, kernels->reached.count, by_code(&kernels->reached.items[i], reached) == 0))
        VEC_PUSH(&kernels->reached, *reached);
}

/* What a marker calls, of which the first instruction counts. */
static bool is_marked(const struct lit_instr *instr)
{
    return instr->name || instr->op == LIT_PBARRIER;
}

static bool is_site(const struct sites_run *run, const struct lit_instr *instr)
{
    if (instr->origin && is_marked(instr))
        return run->wish->aim == SITES_NARROW;
    return instr->origin && (instr->op == LIT_FENCE || lit_instruction_accesses(instr->op) ||
                             lit_instruction_meets(instr->op));
}

static void note_threads(struct sites_launched *all, const struct sites_run *run,
                         const struct lit_thread *threads, uint32_t count)
{
    EACH (const struct lit_thread, thread, threads, count)
        EACH (const struct lit_instr, instr, thread->code, thread->code_count)
            if (is_site(run, instr))
                note(all, run, &(struct reached){instr->origin, instr, thread});
}

void sites_note_launched(struct sites_launched *all, const struct sites_run *run)
{
    const struct lit_program *program = run->program;
    note_threads(all, run, program->threads, program->thread_count);
    note_threads(all, run, program->recovery, program->recovery_count);
    for (uint32_t i = 0; i < program->outline_count; i++) {
        const struct lit_origin *origin = program->outline[i];
        if (origin->fences && run->wish->aim == SITES_NARROW)
            VEC_PUSH(&kernels_of(all, run, origin->code.source)->fences, origin);
        if (origin->ends && run->wish->aim == SITES_REPAIR)
            note(all, run, &(struct reached){origin, NULL, program->threads});
    }
}

/* ---- What may be added ---- */

static bool is_wanted(const struct sites_run *run, const char *label)
{
    uint32_t count = 0;
    const char *kinds = run->wish->kinds;
    const char *const *list =
        kinds ? sketch_split(run->arena, kinds, kinds + strlen(kinds), &count) : NULL;
    return !kinds || ANY(i, count, strcmp(list[i], label) == 0);
}

static bool is_weaker(const struct lit_fence_word *a, const struct lit_fence_word *b)
{
    return a != b && lit_order_within(a->order, b->order) && a->scope <= b->scope;
}

/* A marker, on the line where it is put. */
static void add_marker(struct sites_run *run, const char *text, uint64_t narrower,
                       struct sketch_open_value *kinds, uint64_t *below)
{
    const char *label = arena_printf(run->arena, "CRASHLIT(\"%s\")", text);
    if (run->kinds.count == LIT_MOST_OPEN_VALUES || !is_wanted(run, label))
        return;
    below[run->kinds.count] = 1 | narrower;
    kinds[run->kinds.count++] = (struct sketch_open_value){
        .text = arena_printf(run->arena,
                             "/* begin inline asm *//* crashlit: %s *//* end inline asm */", text),
        .label = label};
}

static bool is_offered(const struct lit_program *program, const char *name)
{
    return ANY(i, program->offer_count,
               strcmp(program->offers[i].name, name) == 0 && !program->offers[i].of_location);
}

/* What definition files of all the tests offer, and persist barriers where a model knows them. */
static void add_markers(struct sites_run *run, const struct sites_kernels *kernels,
                        struct sketch_open_value *kinds, uint64_t *below)
{
    static const char *const barriers[] = {"pbarrier.thread", "pbarrier.cta", "pbarrier.gpu"};
    uint64_t narrower = 0;
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++)
        if (run->wish->persists || run->wish->kinds) {
            const uint32_t number = run->kinds.count;
            add_marker(run, barriers[i], narrower, kinds, below);
            narrower |= run->kinds.count > number ? UINT64_C(1) << number : 0;
        }
    EACH (const struct lit_offer, offer, run->program->offers, run->program->offer_count)
        if (!offer->of_location && sites_knows(run->wish, offer) &&
            ALL(i, kernels->programs.count, is_offered(kernels->programs.items[i], offer->name)))
            add_marker(run, offer->name, 0, kinds, below);
}

static void find_kinds(struct sites_run *run, const struct sites_kernels *kernels)
{
    const struct lit_writing *writing = run->test->dialect->writing;
    struct sketch_open_value *kinds =
        ARENA_ARRAY(run->arena, struct sketch_open_value, LIT_MOST_OPEN_VALUES);
    uint64_t *below = ARENA_ARRAY(run->arena, uint64_t, LIT_MOST_OPEN_VALUES);
    const struct lit_fence_word *of[LIT_MOST_OPEN_VALUES];
    kinds[0] = (struct sketch_open_value){.text = "", .label = "nothing"};
    run->kinds.items = kinds;
    run->kinds.count = 1;
    EACH (const struct lit_fence_word, fence, writing->fences, writing->fence_count) {
        if (!is_wanted(run, fence->source))
            continue;
        uint32_t number = run->kinds.count++;
        kinds[number] = (struct sketch_open_value){.text = fence->code, .label = fence->source};
        of[number] = fence;
        below[number] = 1;
        for (uint32_t k = 1; k < number; k++)
            below[number] |= (uint64_t)is_weaker(of[k], fence) << k;
    }
    add_markers(run, kernels, kinds, below);
    run->single_count = run->kinds.count;
    run->kinds_below = below;
}

/* ---- Sites ---- */

static struct site site_of(const struct sites_run *run, const struct reached *reached,
                           enum site_form form)
{
    const struct lit_origin *origin = reached->origin;
    const size_t end = lit_edit_end(&run->edits, origin->code);
    return (struct site){.form = form,
                         .begin = end - strlen(origin->word),
                         .end = end,
                         .span = origin->code,
                         .thread = reached->thread,
                         .instr = reached->instr,
                         .origin = origin};
}

/* How long blanks and comments are that stand there. */
static size_t blanks(const char *text)
{
    const char *at = text, *end;
    for (;;)
        if (*at && strchr(" \t\r\n", *at))
            at++;
        else if (at[0] == '/' && at[1] == '/')
            at += strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*' && (end = strstr(at + 2, "*/")))
            at = end + 2;
        else
            return (size_t)(at - text);
}

/* A fence that is left out leaves its guard, which then is one of what follows: so that goes too. */
static void add_fence(struct sites_run *run, const struct reached *reached)
{
    struct site site = site_of(run, reached, SITE_FENCE);
    const struct lit_spelling *spelling = run->test->dialect->writing->of_fence;
    const char *text = run->edits.source->text;
    site.gone = "";
    site.order = (struct site_word){true, site.begin, site.end, spelling, NULL};
    site.scope = site.order;
    site.begin = lit_edit_begin(&run->edits, reached->origin->code);
    site.end += blanks(text + site.end);
    if (text[site.end] == ';') {
        site.end++;
        VEC_PUSH(&run->sites, site);
    }
}

/* The place of a qualifier in the word, with what stands behind its dot; false: it has none. */
static bool find_word(const struct site *site, const char *const *words, uint32_t count,
                      const struct lit_spelling *spelling, struct site_word *word)
{
    const char *text = site->origin->word;
    for (const char *at = strchr(text, '.'); at; at = strchr(at, '.')) {
        size_t length = strcspn(++at, ".");
        for (uint32_t i = 0; i < count; i++)
            if (words[i] && strlen(words[i]) == length && memcmp(words[i], at, length) == 0) {
                size_t begin = site->begin + (size_t)(at - text);
                *word = (struct site_word){true, begin, begin + length, spelling, "."};
                return true;
            }
    }
    return false;
}

static void add_word(struct sites_run *run, struct site site, enum site_form form,
                     const struct site_word *word)
{
    site.form = form;
    *(form == SITE_ORDER ? &site.order : &site.scope) = *word;
    site.begin = word->begin;
    site.end = word->end;
    VEC_PUSH(&run->sites, site);
}

/* What has no words for them, and is an atomic operation, is relaxed and of the device. */
static void add_access(struct sites_run *run, const struct reached *reached)
{
    const struct lit_spelling *spelling = run->test->dialect->writing->of_fence;
    struct site site = site_of(run, reached, SITE_ACCESS);
    const size_t dot = site.begin + strcspn(site.origin->word, ".");
    struct site_word order = {true, dot, dot, spelling, "."}, scope = order;
    const bool ordered = find_word(&site, spelling->orders, LIT_ORDER_SC + 1, spelling, &order);
    const bool scoped = find_word(&site, spelling->scopes, LIT_SCOPE_COUNT, spelling, &scope);
    const enum lit_instr_op op = reached->instr->op;
    if (ordered)
        add_word(run, site, SITE_ORDER, &order);
    if (scoped)
        add_word(run, site, SITE_SCOPE, &scope);
    if (ordered || scoped || (op != LIT_RMW && op != LIT_CAS))
        return;
    site.order = order;
    site.scope = scope;
    site.begin = site.end = dot;
    VEC_PUSH(&run->sites, site);
}

/* A guard may stand on a line of its own. */
static const char *in_one_line(struct arena *arena, const char *text, size_t length)
{
    char *line = arena_strndup(arena, text, length);
    for (char *at = line; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return line;
}

/* In front of it, under what guards it; a marker in front of that, as nothing guards it. */
static void add_slot(struct sites_run *run, const struct reached *reached)
{
    struct site site = site_of(run, reached, SITE_SLOT);
    const size_t begin = lit_edit_begin(&run->edits, reached->origin->code);
    site.gone = "";
    site.before = in_one_line(run->arena, run->edits.source->text + begin, site.begin - begin);
    site.behind = "; ";
    site.begin = site.end = begin;
    if (!strchr(site.before, '/')) /* a comment, which may not end there */
        VEC_PUSH(&run->sites, site);
}

static bool same_place(const struct span *a, const struct span *b)
{
    return a->line == b->line && a->column == b->column && !a->source == !b->source &&
           (!a->source || strcmp(a->source->path, b->source->path) == 0);
}

/* Is it of one place of the source, inlined in the same way? Compilers tell the line, not the
 * statement. Instances of a template are kernels of their own. */
static bool same_line(const struct lit_origin *a, const struct lit_origin *b)
{
    return a->source.line && same_place(&a->source, &b->source) && strcmp(a->text, b->text) == 0 &&
           a->frame_count == b->frame_count &&
           ALL(i, a->frame_count, same_place(&a->frames[i].at, &b->frames[i].at));
}

/* It says nothing where its text is left out. */
static void add_marked(struct sites_run *run, const struct reached *reached)
{
    struct site site = site_of(run, reached, SITE_CALL);
    site.begin = lit_edit_begin(&run->edits, reached->origin->code);
    site.gone = "";
    VEC_PUSH(&run->sites, site);
}

/* Of two stores of one line a fence may stand between them. */
static bool writes(enum lit_instr_op op)
{
    return op == LIT_STORE || op == LIT_RMW || op == LIT_CAS;
}

static void add_sites(struct sites_run *run, const struct sites_kernels *kernels)
{
    const struct lit_origin *before = NULL;
    EACH_IN (const struct reached, reached, kernels->reached) {
        const struct lit_instr *instr = reached->instr;
        if (instr && is_marked(instr)) {
            add_marked(run, reached);
            continue;
        }
        const bool fence = instr && instr->op == LIT_FENCE;
        const bool begins = !before || before->kernel != reached->origin->kernel ||
                            !same_line(before, reached->origin);
        if (run->wish->aim == SITES_REPAIR && !fence && (begins || (instr && writes(instr->op))))
            add_slot(run, reached);
        if (fence)
            add_fence(run, reached);
        else if (instr && lit_instruction_accesses(instr->op))
            add_access(run, reached);
        before = reached->origin;
    }
}

/* Copies that a compiler made, or which it cannot be told from. */
static bool is_copy(const struct site *a, const struct site *b)
{
    return a->form == b->form && same_line(a->origin, b->origin) &&
           strcmp(a->origin->word, b->origin->word) == 0;
}

static void find_copies(const struct sites_run *run, uint32_t *groups)
{
    for (uint32_t i = 0; i < run->sites.count; i++) {
        groups[i] = i;
        for (uint32_t k = i; k-- > 0;)
            if (is_copy(&run->sites.items[k], &run->sites.items[i]))
                groups[i] = groups[k];
    }
}

/* ---- All of it ---- */

static void choose(const struct sites_kernels *kernels, uint32_t file, site_choose *choose_sites)
{
    struct sites_run run = *kernels->run;
    run.file = file;
    run.sites = (site_list){0};
    run.edits = lit_edits_of(run.arena, kernels->source);
    run.scopes = ~UINT32_C(0);
    if (kernels->reached.count)
        qsort(kernels->reached.items, kernels->reached.count, sizeof *kernels->reached.items,
              by_code);
    find_kinds(&run, kernels);
    add_sites(&run, kernels);
    uint32_t *groups = ARENA_ARRAY(run.arena, uint32_t, run.sites.count);
    find_copies(&run, groups);
    choose_sites(&run, groups);
    VEC_FREE(&run.sites);
}

static bool is_reached(const struct sites_kernels *kernels, const struct lit_origin *origin)
{
    const struct reached fence = {.origin = origin};
    return ANY(i, kernels->reached.count,
               by_code(&kernels->reached.items[i], &fence) == 0 ||
                   (same_line(kernels->reached.items[i].origin, origin) &&
                    strcmp(kernels->reached.items[i].origin->word, origin->word) == 0));
}

/* Each once, though several tests may launch it. */
static void find_unreached(const struct sites_launched *all, struct arena *arena,
                           struct sketch *sketch)
{
    VEC(const struct lit_origin *) unreached = {NULL, 0, 0};
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->items[i]->fences.count; k++) {
            const struct lit_origin *fence = all->items[i]->fences.items[k];
            if (!is_reached(all->items[i], fence) &&
                !ANY(u, unreached.count,
                     unreached.items[u]->code.line == fence->code.line &&
                         strcmp(unreached.items[u]->code.source->path, fence->code.source->path) ==
                             0))
                VEC_PUSH(&unreached, fence);
        }
    sketch->unreached = VEC_KEEP(arena, &unreached);
    sketch->unreached_count = (uint32_t)unreached.count;
    VEC_FREE(&unreached);
}

void sites_choose_launched(struct sites_launched *all, struct arena *arena, struct sketch *sketch,
                           site_choose *choose_sites)
{
    const struct source **files =
        ARENA_ARRAY(arena, const struct source *, sketch->file_count + all->count);
    memcpy(files, sketch->files, sketch->file_count * sizeof *files);
    find_unreached(all, arena, sketch);
    for (size_t i = 0; i < all->count; i++) {
        choose(all->items[i], sketch->file_count, choose_sites);
        files[sketch->file_count++] = all->items[i]->source;
        VEC_FREE(&all->items[i]->reached);
        VEC_FREE(&all->items[i]->fences);
        VEC_FREE(&all->items[i]->programs);
    }
    sketch->files = files;
    VEC_FREE(all);
}
