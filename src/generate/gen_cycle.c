/* Directions first: the edge into an access and the edge out of it both say whether it reads or
 * writes. Then runs: locations are numbered along the cycle; where the last edge stays, its run
 * continues at the beginning. Then work-items, places, and values along each run. */
#include "generate/gen_cycle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Words of a link, in their order ---- */

enum { MOST_WORDS = GEN_MAX_INSERTED + 5 };

static uint32_t words_of(const struct gen_link *link, struct gen_word words[MOST_WORDS])
{
    static const struct gen_word nvm = {.kind = GEN_WORD_NVM, .scope = GEN_UNSAID};
    static const struct gen_word alone = {.kind = GEN_WORD_ALONE, .scope = GEN_UNSAID};
    static const struct gen_word together = {.kind = GEN_WORD_TX, .scope = GEN_UNSAID};
    uint32_t count = 0;
    if (link->marked)
        words[count++] = link->mark;
    if (link->nvm)
        words[count++] = nvm;
    if (link->alone)
        words[count++] = alone;
    if (link->together)
        words[count++] = together;
    for (uint32_t i = 0; i < link->inserted_count; i++)
        words[count++] = link->inserted[i];
    words[count++] = link->edge;
    return count;
}

int gen_link_order(const struct gen_link *a, const struct gen_link *b)
{
    struct gen_word left[MOST_WORDS], right[MOST_WORDS];
    uint32_t m = words_of(a, left), n = words_of(b, right);
    int order = gen_word_order(&a->edge, &b->edge);
    for (uint32_t i = 0; i < m && i < n && order == 0; i++)
        order = gen_word_order(&left[i], &right[i]);
    return order ? order : (int)m - (int)n;
}

void gen_cycle_add(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                   const char *between, struct strbuf *out)
{
    const char *before = "";
    for (uint32_t i = 0; i < cycle->count; i++) {
        struct gen_word words[MOST_WORDS];
        uint32_t count = words_of(&cycle->links[i], words);
        for (uint32_t k = 0; k < count; k++, before = between) {
            strbuf_add(out, before);
            gen_word_add(vocabulary, &words[k], out);
        }
    }
}

/* ---- Rotations ---- */

/* How good a beginning an access is: behind a crash, behind an edge that leaves, any. */
static int beginning(const struct gen_cycle *cycle, uint32_t i)
{
    const struct gen_word *into = &cycle->links[gen_cycle_before(cycle, i)].edge;
    return into->kind == GEN_WORD_CRASH ? 0 : gen_word_leaves(into) ? 1 : 2;
}

static int rotation_order(const struct gen_cycle *cycle, uint32_t i, uint32_t j)
{
    int order = beginning(cycle, i) - beginning(cycle, j);
    for (uint32_t k = 0; k < cycle->count && order == 0; k++)
        order = gen_link_order(&cycle->links[(i + k) % cycle->count],
                               &cycle->links[(j + k) % cycle->count]);
    return order;
}

void gen_cycle_turn(struct gen_cycle *cycle)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < cycle->count; i++)
        if (rotation_order(cycle, i, best) < 0)
            best = i;
    struct gen_cycle turned = {.count = cycle->count};
    for (uint32_t k = 0; k < cycle->count; k++)
        turned.links[k] = cycle->links[(best + k) % cycle->count];
    *cycle = turned;
}

/* ---- Closing ---- */

struct closing {
    const struct gen_vocabulary *vocabulary;
    const struct gen_cycle *cycle;
    struct gen_closed *closed;
    struct gen_fault *fault;
};

bool gen_cycle_fail(struct gen_fault *fault, uint32_t at, const char *text)
{
    fault->at = at;
    (void)snprintf(fault->text, sizeof fault->text, "%s", text);
    return false;
}

static bool fail(const struct closing *c, const struct gen_word *word, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The word itself is said first. */
static bool fail(const struct closing *c, const struct gen_word *word, const char *format, ...)
{
    SCOPED(strbuf) text = {0};
    va_list arguments;
    strbuf_add_char(&text, '\'');
    gen_word_add(c->vocabulary, word, &text);
    strbuf_add(&text, "' ");
    va_start(arguments, format);
    strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    return gen_cycle_fail(c->fault, word->at, strbuf_text(&text));
}

static const char *in_words(const char *direction)
{
    return strcmp(direction, "W") == 0          ? "a write"
           : *direction == 'R' && !direction[1] ? "a read"
                                                : "a read or write";
}

static bool find_directions(const struct closing *c)
{
    for (uint32_t i = 0; i < c->cycle->count; i++) {
        const struct gen_word *into = &c->cycle->links[gen_cycle_before(c->cycle, i)].edge;
        const struct gen_word *edge = &c->cycle->links[i].edge;
        const char *target = gen_word_target(into), *source = gen_word_source(edge);
        if (!strstr(source, target)) {
            SCOPED(strbuf) name = {0};
            gen_word_add(c->vocabulary, into, &name);
            fail(c, edge, "begins at %s, and '%s' before it leads to %s, behind which can stand %s",
                 in_words(source), strbuf_text(&name), in_words(target),
                 *target == 'W' ? "Rfe, Wse, Crash, or program order from a write"
                                : "Fre, Crash, Rmw, or program order from a read");
            return false;
        }
        c->closed->accesses[i].reads = *target == 'R';
        c->closed->accesses[i].writes = *target == 'W';
    }
    return true;
}

/* What stands at an access or in an edge has to be able to. */
static bool check_link(const struct closing *c, uint32_t i)
{
    const struct gen_link *link = &c->cycle->links[i];
    const struct gen_access *access = &c->closed->accesses[i];
    bool in_order = !gen_word_leaves(&link->edge) && link->edge.kind != GEN_WORD_RMW;
    if ((link->inserted_count || link->together) && !in_order)
        return fail(c, link->inserted_count ? &link->inserted[0] : &link->edge,
                    "stands where no edge of program order follows: between two accesses of one "
                    "work-item there is room for it");
    if (!link->marked)
        return true;
    if (link->mark.kind == GEN_WORD_FAMILY) {
        enum gen_class class = c->vocabulary->families[link->mark.family].class;
        return (access->reads ? class == GEN_LOAD : class == GEN_STORE) ||
               fail(c, &link->mark, "%s, and stands at %s", class == GEN_LOAD ? "reads" : "writes",
                    access->reads ? "a read" : "a write");
    }
    enum lit_order order = gen_word_memory_order(&link->mark);
    bool updates = link->edge.kind == GEN_WORD_RMW ||
                   c->cycle->links[gen_cycle_before(c->cycle, i)].edge.kind == GEN_WORD_RMW;
    if (updates)
        return order != LIT_ORDER_NA ||
               fail(c, &link->mark, "stands at an instruction with Rmw, which is atomic");
    if (order == LIT_ORDER_ACQ_REL || order == (access->reads ? LIT_ORDER_REL : LIT_ORDER_ACQ))
        return fail(c, &link->mark, "is no memory order of %s",
                    access->reads ? "a read" : "a write");
    return order != LIT_ORDER_NA || link->mark.scope == GEN_UNSAID ||
           fail(c, &link->mark, "has a scope, and a plain access has none");
}

/* ---- Locations ---- */

/* As many runs as edges that do not stay; behind the last of these is the first run again. */
static bool find_locations(const struct closing *c)
{
    const struct gen_cycle *cycle = c->cycle;
    struct gen_access *accesses = c->closed->accesses;
    uint32_t runs = 0, passed = 0;
    for (uint32_t i = 0; i < cycle->count; i++)
        runs += !gen_word_stays(&cycle->links[i].edge);
    c->closed->location_count = runs ? runs : 1;
    for (uint32_t i = 0; i < cycle->count; i++) {
        accesses[i].location = (uint8_t)(runs ? passed % runs : 0);
        passed += !gen_word_stays(&cycle->links[i].edge);
    }
    for (uint32_t i = 0; i < cycle->count; i++)
        if (gen_word_moves(&cycle->links[i].edge) && runs == 1)
            return fail(c, &cycle->links[i].edge,
                        "leads to another location, and no other edge leads back: all that "
                        "follows stays where it is");
    return true;
}

/* ---- Work-items ---- */

static bool find_threads(const struct closing *c)
{
    const struct gen_cycle *cycle = c->cycle;
    struct gen_closed *closed = c->closed;
    const struct gen_word *left = NULL;
    closed->crash = cycle->count;
    closed->thread_count = 0;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct gen_word *edge = &cycle->links[i].edge;
        closed->accesses[i].thread = (uint8_t)closed->thread_count;
        if (!gen_word_leaves(edge))
            continue;
        if (edge->kind == GEN_WORD_CRASH && closed->crash < cycle->count)
            return fail(c, edge,
                        "stands there twice: there is one crash, and each of the two makes "
                        "a shorter cycle");
        if (edge->kind == GEN_WORD_CRASH)
            closed->crash = i;
        left = edge;
        closed->thread_count++;
    }
    if (!left)
        return fail(c, &cycle->links[cycle->count - 1].edge,
                    "comes back to where the cycle begins, and no edge leads to another work-item "
                    "(Rfe, Fre, Wse) or to the crash");
    return closed->thread_count > 1 || left->kind == GEN_WORD_CRASH ||
           fail(c, left, "leads to another work-item, and no other edge leads back");
}

/* What lies furthest apart does so on both ways round. */
static bool find_places(const struct closing *c)
{
    const struct gen_cycle *cycle = c->cycle;
    struct gen_closed *closed = c->closed;
    const struct gen_word *widest = NULL;
    uint32_t thread = 0, most = LIT_SCOPE_WI, times = 0;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct gen_word *edge = &cycle->links[i].edge;
        if (gen_word_leaves(edge) && edge->scope != GEN_UNSAID && edge->scope > most) {
            widest = edge;
            most = edge->scope;
        }
    }
    most = widest ? most : LIT_SCOPE_KR;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct gen_word *edge = &cycle->links[i].edge;
        if (!gen_word_leaves(edge))
            continue;
        uint8_t place = edge->kind == GEN_WORD_CRASH ? GEN_UNSAID
                        : edge->scope == GEN_UNSAID  ? (uint8_t)most
                                                     : edge->scope;
        closed->places[thread++] = place;
        times += place == most;
    }
    return !widest || times > 1 || closed->crash < cycle->count ||
           fail(c, widest,
                "puts two work-items further apart than the other edges on the way back "
                "do; give one of these the same place");
}

/* ---- Values ---- */

static bool is_program_order(const struct gen_word *edge)
{
    return !gen_word_leaves(edge) && !gen_word_communicates(edge);
}

/* Where the run of an access begins; count: nowhere, as communication alone goes all round. */
static uint32_t run_start(const struct gen_cycle *cycle, uint32_t access)
{
    uint32_t last = cycle->count;
    for (uint32_t k = 0, i = access; k < cycle->count; k++, i = gen_cycle_before(cycle, i)) {
        const struct gen_word *into = &cycle->links[gen_cycle_before(cycle, i)].edge;
        if (!gen_word_stays(into))
            return i;
    }
    for (uint32_t i = 0; i < cycle->count; i++)
        if (is_program_order(&cycle->links[i].edge))
            last = gen_cycle_next(cycle, i);
    return last;
}

static void walk_run(const struct gen_cycle *cycle, uint32_t start, struct gen_closed *closed)
{
    uint8_t location = closed->accesses[start].location, value = 0;
    uint32_t i = start;
    do {
        struct gen_access *access = &closed->accesses[i];
        const struct gen_word *edge = &cycle->links[i].edge;
        value = (uint8_t)(value + access->writes);
        access->value = value;
        if (edge->kind == GEN_WORD_WSE || edge->kind == GEN_WORD_WSI ||
            ((edge->kind == GEN_WORD_FRE || edge->kind == GEN_WORD_FRI) && value))
            closed->ordered[location] = true;
        if (!gen_word_stays(edge))
            break;
        i = gen_cycle_next(cycle, i);
    } while (i != start);
    closed->writes[location] = value;
}

static bool find_values(const struct closing *c)
{
    const struct gen_cycle *cycle = c->cycle;
    struct gen_closed *closed = c->closed;
    for (uint32_t i = 0; i < cycle->count; i++) {
        uint32_t start = run_start(cycle, i);
        if (start == cycle->count)
            return fail(c, &cycle->links[i].edge,
                        "and all other edges are communication on one "
                        "location, which has no such cycle in any program");
        if (start == i)
            walk_run(cycle, start, closed);
    }
    if (closed->crash == cycle->count)
        return true;
    const struct gen_access *shown = &closed->accesses[closed->crash];
    const struct gen_access *lost = &closed->accesses[gen_cycle_next(cycle, closed->crash)];
    return shown->reads || shown->location != lost->location ||
           fail(c, &cycle->links[closed->crash].edge,
                "begins and ends at one location: memory holds one version of it, and none that "
                "is durable without those before it can be seen");
}

bool gen_cycle_close(const struct gen_vocabulary *vocabulary, const struct gen_cycle *cycle,
                     struct gen_closed *closed, struct gen_fault *fault)
{
    struct gen_closed made = {.thread_count = 0};
    const struct closing c = {
        .vocabulary = vocabulary, .cycle = cycle, .closed = &made, .fault = fault};
    if (!find_directions(&c))
        return false;
    for (uint32_t i = 0; i < cycle->count; i++)
        if (!check_link(&c, i))
            return false;
    if (!find_locations(&c) || !find_threads(&c) || !find_places(&c) || !find_values(&c))
        return false;
    *closed = made;
    return true;
}
