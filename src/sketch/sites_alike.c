/* What statements that may be added do: they are put where one may stand, in a row, and read with
 * the test. So two spellings of one thing are known, and which fence is wider than another one. */
#include "sketch/sites_run.h"

#include <string.h>

/* The code of a statement. */
struct sites_code {
    const struct lit_program *program; /* NULL: not known */
    const struct lit_instr *const *instrs;
    uint32_t count;
};

struct reading {
    struct sites_run *run;
    const struct site *slot;
    const char *const *texts;
    uint32_t count;
    const struct lit_program *program; /* that has them */
    struct lit_edits edits;
};

/* ---- Code ---- */

#define OPENING "{ "

static bool is_call(const struct site *site)
{
    return site->form == SITE_CALL;
}

/* The test with all of the statements in the place of the slot, or within braces with the call. */
static bool read_all(struct reading *r, struct intern *names)
{
    const struct source *of = r->run->edits.source;
    const struct ast_test *tree;
    struct strbuf text = {0};
    SCOPED(diag) diag = {0};
    const size_t begin = r->slot->begin, end = r->slot->end;
    strbuf_add_bytes(&text, of->text, begin);
    strbuf_add(&text, is_call(r->slot) ? OPENING : "");
    for (uint32_t i = 0; i < r->count; i++)
        strbuf_printf(&text, "%s ", r->texts[i]);
    strbuf_add_bytes(&text, of->text + begin, end - begin);
    strbuf_printf(&text, "%s%s", is_call(r->slot) ? "}" : "", of->text + end);
    struct source *source = ARENA_MAKE(r->run->arena, struct source, .name = of->name,
                                       .path = of->path, .length = text.length);
    source->text = strbuf_take(&text, r->run->arena);
    r->program = lit_parse_tree(r->run->arena, names, source,
                                &r->run->wish->surroundings[r->run->file], &diag, &tree);
    if (r->program)
        r->edits = lit_edits_of(r->run->arena, source);
    return r->program;
}

static struct sites_code code_within(const struct reading *r, size_t begin, size_t end)
{
    const struct lit_thread *own = r->slot->thread;
    const bool recovers = own >= r->run->program->recovery &&
                          own < r->run->program->recovery + r->run->program->recovery_count;
    const struct lit_thread *thread =
        &(recovers ? r->program->recovery : r->program->threads)[own->number];
    const struct lit_instr **instrs =
        ARENA_ARRAY(r->run->arena, const struct lit_instr *, thread->code_count + 1);
    struct sites_code code = {r->program, instrs, 0};
    EACH (const struct lit_instr, instr, thread->code, thread->code_count) {
        if (instr->span.source != r->edits.source)
            continue;
        size_t at = lit_edit_begin(&r->edits, instr->span);
        if (begin <= at && at < end)
            instrs[code.count++] = instr;
    }
    return code;
}

/* Of a statement of the test. */
static struct sites_code code_of_site(const struct sites_run *run, const struct site *site)
{
    const struct lit_instr **instrs =
        ARENA_ARRAY(run->arena, const struct lit_instr *, site->thread->code_count + 1);
    struct sites_code code = {run->program, instrs, 0};
    for (uint32_t i = 0; i < site->thread->code_count; i++)
        if (span_begins_in(site->thread->code[i].span, site->span))
            instrs[code.count++] = &site->thread->code[i];
    return code;
}

/* ---- Comparison ---- */

static bool has_tags(const struct lit_program *a, uint64_t tags, const struct lit_program *b,
                     uint64_t others)
{
    return ALL(i, a->tag_count, !(tags >> i & 1) || (lit_program_tag(b, a->tags[i]) & others));
}

/* But for order, scope and tags. */
static bool is_alike(const struct sites_code *a, const struct sites_code *b, uint32_t i)
{
    const struct lit_instr *x = a->instrs[i], *y = b->instrs[i];
    return x->op == y->op && x->unscoped == y->unscoped && x->exec_scope == y->exec_scope &&
           x->spaces == y->spaces && x->arrive == y->arrive && !x->label == !y->label &&
           !x->counted == !y->counted && x->but == y->but && x->addr.first == y->addr.first;
}

static bool has_same_tags(const struct sites_code *a, const struct sites_code *b, uint32_t i)
{
    const uint64_t x = a->instrs[i]->tags, y = b->instrs[i]->tags;
    return has_tags(a->program, x, b->program, y) && has_tags(b->program, y, a->program, x);
}

static bool is_within(const struct lit_program *a, uint32_t i, const struct lit_program *b,
                      uint32_t k)
{
    return strcmp(a->tags[i], b->tags[k]) == 0 ||
           lit_is_weaker(a->weaker, a->weaker_count, a->tags[i], b->tags[k]);
}

/* Each tag of the one is one of the other's, or weaker than one; and the other way round. */
static bool has_weaker_tags(const struct sites_code *a, const struct sites_code *b, uint32_t i)
{
    const struct lit_program *p = a->program, *q = b->program;
    const uint64_t x = a->instrs[i]->tags, y = b->instrs[i]->tags;
    return ALL(t, p->tag_count,
               !(x >> t & 1) || ANY(u, q->tag_count, (y >> u & 1) && is_within(p, t, q, u))) &&
           ALL(u, q->tag_count,
               !(y >> u & 1) || ANY(t, p->tag_count, (x >> t & 1) && is_within(p, t, q, u)));
}

static bool is_known(const struct sites_code *a, const struct sites_code *b)
{
    return a->program && b->program && a->count && a->count == b->count;
}

static bool is_same(const struct sites_code *a, const struct sites_code *b)
{
    return is_known(a, b) && ALL(i, a->count,
                                 is_alike(a, b, i) && has_same_tags(a, b, i) &&
                                     a->instrs[i]->order == b->instrs[i]->order &&
                                     a->instrs[i]->scope == b->instrs[i]->scope);
}

/* Fences and cache maintenance, each at most as wide and as strong as the other's. */
static bool is_narrower(const struct sites_code *a, const struct sites_code *b)
{
    return is_known(a, b) && !is_same(a, b) &&
           ALL(i, a->count,
               (a->instrs[i]->op == LIT_FENCE || a->instrs[i]->op == LIT_CM) && is_alike(a, b, i) &&
                   has_weaker_tags(a, b, i) &&
                   lit_order_within(a->instrs[i]->order, b->instrs[i]->order) &&
                   a->instrs[i]->scope <= b->instrs[i]->scope);
}

/* ---- Kinds ---- */

static const struct site *find_site(const struct sites_run *run, enum site_form form, bool located)
{
    return FIND(i, run->sites.items, run->sites.count,
                run->sites.items[i].form == form && !run->sites.items[i].location == !located);
}

/* Where statements are read. Calls alone have nothing to do with each other but by their tags. */
static const struct site *find_slot(const struct sites_run *run, bool located)
{
    const struct site *slot = find_site(run, SITE_SLOT, located);
    if (slot || run->wish->aim == SITES_REPAIR)
        return slot;
    const struct site *call = find_site(run, SITE_CALL, true);
    return call || located ? call : find_site(run, SITE_CALL, false);
}

/* Statements of kinds, then flushes of the location of some store. */
static const char *const *texts_of(struct sites_run *run, uint32_t *count)
{
    const struct site *store = find_slot(run, true);
    const char **texts =
        ARENA_ARRAY(run->arena, const char *, run->kinds.count + run->program->offer_count);
    *count = 0;
    for (uint32_t k = 1; k < run->kinds.count; k++)
        texts[(*count)++] = run->kinds.items[k].text;
    for (uint32_t i = 0; store && i < run->program->offer_count; i++)
        if (run->program->offers[i].of_location)
            texts[(*count)++] =
                arena_printf(run->arena, "%s(%s);", run->program->offers[i].name, store->location);
    return texts;
}

void sites_read_kinds(struct sites_run *run, struct intern *names)
{
    struct reading r = {.run = run, .slot = find_slot(run, false)};
    run->codes = ARENA_ARRAY(run->arena, struct sites_code,
                             1 + run->kinds.count + run->program->offer_count);
    run->flush_codes = run->codes + run->kinds.count;
    if (run->test->dialect->is_table || !run->program->offer_count || !r.slot)
        return;
    r.texts = texts_of(run, &r.count);
    if (!read_all(&r, names))
        return;
    size_t at = r.slot->begin + (is_call(r.slot) ? strlen(OPENING) : 0);
    for (uint32_t i = 0; i < r.count; i++) {
        run->codes[1 + i] = code_within(&r, at, at + strlen(r.texts[i]));
        at += strlen(r.texts[i]) + 1;
    }
}

bool sites_may_become(const struct sites_run *run, const struct site *site, uint32_t kind)
{
    const struct sites_code own = code_of_site(run, site), *other = &run->codes[kind];
    return run->wish->aim == SITES_REPAIR ? is_narrower(&own, other) : is_narrower(other, &own);
}

/* Of statements with this code: per kind, those that it is wider or stronger than. */
static uint64_t *widths_of(const struct sites_run *run, const struct sites_code *codes,
                           uint32_t count)
{
    uint64_t *below = ARENA_ARRAY(run->arena, uint64_t, count);
    for (uint32_t v = 1; v < count; v++)
        for (uint32_t w = 1; w < count; w++)
            below[v] |= (uint64_t)is_narrower(&codes[w], &codes[v]) << w;
    return below;
}

const uint64_t *sites_widths(struct sites_run *run)
{
    return widths_of(run, run->codes, run->single_count);
}

/* ---- One spelling of each ---- */

/* Does the test call it already? */
static bool is_called(const struct lit_thread *threads, uint32_t count, const char *label)
{
    const size_t length = strcspn(label, "(");
    return ANY(t, count,
               ANY(i, threads[t].code_count,
                   threads[t].code[i].name && strlen(threads[t].code[i].name) == length &&
                       strncmp(threads[t].code[i].name, label, length) == 0));
}

/* What the test calls already before what its definition files have, and that before all else. */
static int rank_of(const struct sites_run *run, const struct sketch_open_value *kind)
{
    const struct lit_program *program = run->program;
    if (is_called(program->threads, program->thread_count, kind->label) ||
        is_called(program->recovery, program->recovery_count, kind->label))
        return 2;
    return strchr(kind->label, '(') != NULL;
}

/* Puts one of two spellings in place of the other; the other one becomes its twin. */
static void join(const struct sites_run *run, struct sketch_open_value *kept,
                 const struct sketch_open_value *other)
{
    struct sketch_open_value *twin = ARENA_NEW(run->arena, struct sketch_open_value);
    const bool swaps = rank_of(run, other) > rank_of(run, kept);
    *twin = swaps ? *kept : *other;
    if (swaps)
        *kept = *other;
    twin->twin = kept->twin;
    kept->twin = twin;
}

/* The code of those that are left moves with them. */
static struct sketch_open_values join_all(const struct sites_run *run,
                                          struct sketch_open_values kinds, struct sites_code *codes)
{
    struct sketch_open_value *items =
        arena_copy(run->arena, kinds.items, kinds.count * sizeof *items);
    uint32_t kept = 1;
    for (uint32_t k = 1; k < kinds.count; k++) {
        uint32_t same = 1;
        while (same < kept && !is_same(&codes[same], &codes[k]))
            same++;
        if (same < kept) {
            join(run, &items[same], &items[k]);
            continue;
        }
        codes[kept] = codes[k];
        items[kept++] = items[k];
    }
    return (struct sketch_open_values){items, kept};
}

void sites_join_kinds(struct sites_run *run)
{
    run->kinds = join_all(run, run->kinds, run->codes);
}

struct sketch_open_values sites_join_flushes(const struct sites_run *run,
                                             struct sketch_open_values kinds,
                                             const uint32_t *offers, const uint64_t **below)
{
    struct sites_code *codes = ARENA_ARRAY(run->arena, struct sites_code, kinds.count);
    for (uint32_t k = 1; k < kinds.count; k++) {
        uint32_t number = 0;
        for (uint32_t i = 0; i < offers[k - 1]; i++)
            number += run->program->offers[i].of_location;
        codes[k] = run->flush_codes[number];
    }
    kinds = join_all(run, kinds, codes);
    uint64_t *widths = widths_of(run, codes, kinds.count);
    for (uint32_t k = 1; k < kinds.count; k++)
        widths[k] |= 1;
    *below = widths;
    return kinds;
}
