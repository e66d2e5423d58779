/* Tags in random models (see oracle_tags.h). An event is of a tag when what the tag is declared for
 * carries it: its instruction, its location, or its work-item. */
#include <ctype.h>
#include <string.h>

#include "oracle_tags.h"

/* Sets by the set of a tag: X(form, words before its name, words behind). */
#define FORMS(X)                     \
    X(ALL, "", "")                   \
    X(TAGGED, "", "")                \
    X(FUNCTION, "tag2events('", ")") \
    X(WRITES, "W & ", "")            \
    X(FENCES, "F & ", "")            \
    X(MAINTENANCE, "CM & ", "")      \
    X(OTHERS, "M \\ ", "")

#define X(form, before, behind) form,
enum form { FORMS(X) FORM_COUNT };
#undef X

static const char *const form_words[][2] = {
#define X(form, before, behind) {before, behind},
    FORMS(X)
#undef X
};

static const char *const bearer_words[] = {
#define X(kind) #kind,
    ORA_BEARERS(X)
#undef X
};

/* ---- Drawing and writing ---- */

void ora_declarations_draw(struct ora_gen *g, struct ora_declarations *d)
{
    memset(d, 0, sizeof *d);
    for (int tag = 1; tag <= ORA_TAGS; tag++) {
        d->declared[ora_below(g, ORA_BEARER_COUNT)] |= 1u << tag;
        for (int b = 0; b < ORA_BEARER_COUNT; b++)
            d->declared[b] |= ora_chance(g, 25) ? 1u << tag : 0;
    }
    /* A tag that means fences around a read-modify-write, as one for fences alone does, is refused.
     */
    d->declared[ORA_OF_RMW] |=
        d->declared[ORA_OF_F] &
        ~(d->declared[ORA_OF_R] | d->declared[ORA_OF_W] | d->declared[ORA_OF_M]);
}

void ora_declarations_print(FILE *out, const struct ora_declarations *d)
{
    for (int b = 0; b < ORA_BEARER_COUNT; b++) {
        const char *before = "[";
        if (!d->declared[b])
            continue;
        fprintf(out, "instructions %s", bearer_words[b]);
        for (int tag = 1; tag <= ORA_TAGS; tag++)
            if (d->declared[b] >> tag & 1) {
                fprintf(out, "%s'%s", before, ora_tag_name(tag));
                before = " || ";
            }
        fputs("]\n", out);
    }
}

void ora_tagged_draw(struct ora_gen *g, struct ora_tagged *set)
{
    set->form = ora_chance(g, 55) ? ALL : TAGGED + ora_below(g, FORM_COUNT - TAGGED);
    set->tag = 1 + ora_below(g, ORA_TAGS);
}

void ora_tagged_print(FILE *out, const struct ora_tagged *set, const char *before,
                      const char *behind)
{
    if (set->form == ALL)
        return;
    fprintf(out, "%s%s", before, form_words[set->form][0]);
    for (const char *c = ora_tag_name(set->tag); *c; c++)
        fputc(set->form == FUNCTION ? *c : toupper((unsigned char)*c), out);
    fprintf(out, "%s%s", form_words[set->form][1], behind);
}

/* ---- The events ---- */

/* For which bearers the event is of a tag that its instruction has. */
static uint32_t bearers_of(const struct ora_graph *g, int e)
{
    uint32_t half = g->x->ev[e].half ? 1u << ORA_OF_RMW : 0; /* of one that wrote */
    switch ((enum ora_kind)g->x->ev[e].kind) {
    case ORA_READ: return half | 1u << ORA_OF_R | 1u << ORA_OF_M;
    case ORA_WRITE: return half | 1u << ORA_OF_W | 1u << ORA_OF_M;
    case ORA_FENCE_EVENT: return 1u << ORA_OF_F;
    case ORA_CM_EVENT: return 1u << ORA_OF_CM;
    case ORA_B:
    case ORA_PB: break;
    }
    return 0;
}

static bool has_tag(const struct ora_graph *g, const struct ora_declarations *d, int e, int tag)
{
    const struct ora_event *x = &g->x->ev[e];
    uint32_t bearers = x->tag == tag ? bearers_of(g, e) : 0;
    bool placed = x->kind <= ORA_WRITE || x->kind == ORA_CM_EVENT;
    if (placed && g->p->tag[x->loc] == tag)
        bearers |= 1u << ORA_OF_LOC;
    if (x->thread >= 0 && g->p->thread[x->thread].tag == tag)
        bearers |= 1u << ORA_OF_THREAD;
    for (int b = 0; b < ORA_BEARER_COUNT; b++)
        if ((bearers >> b & 1) && (d->declared[b] >> tag & 1))
            return true;
    return false;
}

uint32_t ora_tagged_events(const struct ora_graph *g, const struct ora_declarations *d,
                           const struct ora_tagged *set)
{
    uint32_t tagged = 0;
    for (int e = 0; e < g->x->n_events; e++)
        tagged |= has_tag(g, d, e, set->tag) ? 1u << e : 0;
    switch ((enum form)set->form) {
    case TAGGED:
    case FUNCTION: return tagged;
    case WRITES: return tagged & ora_graph_kind(g, ORA_WRITE);
    case FENCES: return tagged & ora_graph_kind(g, ORA_FENCE_EVENT);
    case MAINTENANCE: return tagged & ora_graph_kind(g, ORA_CM_EVENT);
    case OTHERS: return ~tagged & (ora_graph_kind(g, ORA_READ) | ora_graph_kind(g, ORA_WRITE));
    case ALL:
    case FORM_COUNT: break;
    }
    return ~0u;
}
