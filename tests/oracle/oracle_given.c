/* Programs that are given, one a line as `crashlit generate` has them in a manifest:
 *
 *     x* y | P0: st x; p_barrier.wg; sta.rel.wg y | P1 wg1: lda.acq.wg y
 *
 * A work-item whose last operation is no access reads a location of its own kind behind it, which
 * nobody writes, so that its register tells at a crash whether it has come there. The crash
 * condition names as many registers as there is room for. */
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum { LINE = 1024 };

static const struct {
    const char *name;
    int op;
} operations[] = {{"ld", ORA_LOAD},     {"st", ORA_STORE},          {"lda", ORA_LOAD},
                  {"sta", ORA_STORE},   {"rmw", ORA_EXCHANGE},      {"fence", ORA_FENCE},
                  {"bar", ORA_BARRIER}, {"p_barrier", ORA_PBARRIER}};

static int find(const char *word, const char *const *words, int count)
{
    int i = 0;
    while (i < count && strcmp(word, words[i]) != 0)
        i++;
    return i;
}

/* An order or a scope. */
static bool take_attribute(const char *word, struct ora_ins *ins)
{
    static const char *const orders[] = {"na", "rlx", "acq", "rel", "acq_rel", "sc"};
    static const char *const scopes[] = {"wi", "sg", "wg", "kr", "dev", "all"};
    int order = find(word, orders, ORA_ORDER_COUNT), scope = find(word, scopes, ORA_SCOPE_COUNT);
    if (order < ORA_ORDER_COUNT)
        ins->order = order;
    else if (scope < ORA_SCOPE_COUNT)
        ins->scope = scope;
    return order < ORA_ORDER_COUNT || scope < ORA_SCOPE_COUNT;
}

static bool add(struct ora_thread *t, struct ora_ins ins)
{
    bool loads = ora_op_loads_register(ins.op);
    if (t->n_code == ORA_MAX_CODE || (loads && t->n_regs == ORA_MAX_REGS))
        return false;
    if (loads)
        ins.reg = t->n_regs++;
    t->code[t->n_code++] = ins;
    return true;
}

/* "sta.rel.wg y": the writes of a location count from 1. */
static bool take_operation(char *text, struct ora_program *p, int t, int *writes)
{
    struct ora_ins ins = {.op = -1};
    char *rest, *place, *name = strtok_r(text, " ", &place), *loc = strtok_r(NULL, " ", &place);
    char *word = name ? strtok_r(name, ".", &rest) : NULL;
    for (size_t i = 0; word && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, word) == 0)
            ins.op = operations[i].op;
    if (ins.op < 0)
        return false;
    while ((word = strtok_r(NULL, ".", &rest)))
        if (!take_attribute(word, &ins))
            return false;
    for (ins.loc = 0; loc && strcmp(ora_loc_name(ins.loc), loc) != 0; ins.loc++)
        if (ins.loc + 1 >= p->n_locs)
            return false;
    if (ora_op_writes(ins.op))
        ins.value = ++writes[ins.loc];
    return add(&p->thread[t], ins);
}

/* "P1 kr1 wg1": it is in these instances, and of the levels that are not named in the first. */
static bool take_places(char *text, struct ora_thread *t)
{
    char *rest, *word = strtok_r(text, " ", &rest);
    while ((word = strtok_r(NULL, " ", &rest))) {
        size_t letters = strcspn(word, "0123456789");
        int number = atoi(word + letters);
        if (strncmp(word, "sg", letters) == 0)
            t->sg = number;
        else if (strncmp(word, "wg", letters) == 0)
            t->wg = number;
        else if (strncmp(word, "kr", letters) == 0)
            t->kr = number;
        else if (strncmp(word, "dev", letters) == 0)
            t->dev = number;
        else
            return false;
    }
    return true;
}

static void name_registers(struct ora_program *p)
{
    struct ora_condition *c = &p->crash;
    for (int t = 0; t < p->n_threads; t++)
        for (int r = 0; r < p->thread[t].n_regs && c->n_atoms < ORA_MAX_ATOMS; r++)
            c->atom[c->n_atoms++].item = ora_image_item(t, r);
}

static bool show_ends(struct ora_program *p)
{
    bool any = false;
    for (int t = 0; t < p->n_threads; t++) {
        struct ora_thread *thread = &p->thread[t];
        if (ora_op_is_access(thread->code[thread->n_code - 1].op))
            continue;
        any = true;
        if (p->n_locs == ORA_MAX_LOCS ||
            !add(thread, (struct ora_ins){.op = ORA_LOAD, .loc = p->n_locs}))
            return false;
    }
    p->n_locs += any;
    return true;
}

static bool take_line(char *line, struct ora_program *p)
{
    int writes[ORA_MAX_LOCS] = {0};
    char *parts, *words, *part = strtok_r(line, "|\n", &parts);
    memset(p, 0, sizeof *p);
    for (char *l = part ? strtok_r(part, " ", &words) : NULL; l; l = strtok_r(NULL, " ", &words)) {
        if (p->n_locs == ORA_MAX_LOCS)
            return false;
        p->nvm[p->n_locs++] = strchr(l, '*') != NULL;
    }
    while ((part = strtok_r(NULL, "|\n", &parts))) {
        char *code = strchr(part, ':'), *rest;
        if (!code || p->n_threads == ORA_MAX_THREADS)
            return false;
        *code++ = '\0';
        int t = p->n_threads++;
        if (!take_places(part, &p->thread[t]))
            return false;
        for (char *op = strtok_r(code, ";", &rest); op; op = strtok_r(NULL, ";", &rest))
            if (!take_operation(op, p, t, writes))
                return false;
        if (!p->thread[t].n_code)
            return false;
    }
    if (!p->n_threads || !show_ends(p))
        return false;
    name_registers(p);
    return true;
}

bool ora_given_read(FILE *in, struct ora_options *o)
{
    char line[LINE], copy[LINE];
    size_t room = 0;
    for (o->count = 0; fgets(line, sizeof line, in); o->count++) {
        if ((size_t)o->count == room) {
            room = room ? 2 * room : 1024;
            struct ora_program *more = realloc(o->given, room * sizeof *more);
            if (!more)
                return false;
            o->given = more;
        }
        memcpy(copy, line, sizeof copy);
        if (!take_line(copy, &o->given[o->count])) {
            fprintf(stderr, "oracle: not a program that it knows: %s", line);
            return false;
        }
    }
    return o->count > 0;
}
