/* The two conditions of a random program: what they say, how they are written, whether
 * they hold of a set of states. */
#include <string.h>

#include "oracle_gen.h"

static const char *const quantifiers[] = {"exists", "~exists", "forall"};

/* ---- Drawing ----------------------------------------------------------------------- */

/* Registers and locations that a final state has, locations alone when there are no
 * registers in the test. */
static int draw_final_item(struct ora_gen *g)
{
    int t = ora_below(g, g->p->n_threads);
    int regs = ora_shown_regs(g->p, t);
    if (regs && ora_chance(g, 65))
        return t * ORA_MAX_REGS + ora_below(g, regs);
    return ORA_MAX_THREADS * ORA_MAX_REGS + ora_below(g, g->p->n_locs);
}

static int draw_nvm_item(struct ora_gen *g)
{
    int l = ora_below(g, g->p->n_locs);
    return g->p->nvm[l] ? l : 0;
}

/* Most crash conditions are about memory alone. */
static int draw_crash_item(struct ora_gen *g, bool registers)
{
    int t = ora_below(g, g->p->n_threads);
    int regs = ora_shown_regs(g->p, t);
    if (registers && regs && ora_chance(g, 60))
        return ora_image_item(t, ora_below(g, regs));
    return draw_nvm_item(g);
}

int ora_image_item(int thread, int reg)
{
    return ORA_MAX_LOCS + thread * ORA_MAX_REGS + reg;
}

bool ora_crash_names(const struct ora_program *p, int thread, int reg)
{
    for (int k = 0; k < p->crash.n_atoms; k++)
        if (p->crash.atom[k].item == ora_image_item(thread, reg))
            return true;
    return false;
}

static void draw_condition(struct ora_gen *g, bool of_crash, struct ora_condition *c)
{
    c->quantifier = ora_below(g, 3);
    c->n_atoms = of_crash && !g->p->nvm[draw_nvm_item(g)] ? 0 : 1 + ora_below(g, ORA_MAX_ATOMS);
    c->any = ora_chance(g, 40);
    bool registers = of_crash && ora_chance(g, 60);
    for (int k = 0; k < c->n_atoms; k++) {
        c->atom[k].item = of_crash ? draw_crash_item(g, registers) : draw_final_item(g);
        c->atom[k].value = ora_below(g, 3);
        c->atom[k].differs = ora_chance(g, 25);
    }
}

void ora_draw_conditions(struct ora_gen *g)
{
    draw_condition(g, false, &g->p->final);
    draw_condition(g, true, &g->p->crash);
}

/* ---- Writing ------------------------------------------------------------------------- */

static void write_item(FILE *out, int item, bool of_crash)
{
    int first_register = of_crash ? ORA_MAX_LOCS : 0;
    int first_location = of_crash ? 0 : ORA_MAX_THREADS * ORA_MAX_REGS;
    int reg = item - first_register, loc = item - first_location;
    if (of_crash ? loc < ORA_MAX_LOCS : loc >= 0)
        fputs(ora_loc_name(loc), out);
    else
        fprintf(out, "%d:r%d", reg / ORA_MAX_REGS, reg % ORA_MAX_REGS);
}

static void write_condition(FILE *out, const struct ora_condition *c, bool of_crash)
{
    fprintf(out, "%s%s (", of_crash ? "crash " : "", quantifiers[c->quantifier]);
    if (!c->n_atoms)
        fputs("true", out);
    for (int k = 0; k < c->n_atoms; k++) {
        if (k)
            fputs(c->any ? " \\/ " : " /\\ ", out);
        write_item(out, c->atom[k].item, of_crash);
        fprintf(out, " %s %d", c->atom[k].differs ? "!=" : "=", c->atom[k].value);
    }
    fputs(")\n", out);
}

void ora_write_conditions(FILE *out, const struct ora_program *p)
{
    write_condition(out, &p->final, false);
    write_condition(out, &p->crash, true);
}

/* ---- Judging --------------------------------------------------------------------------- */

static bool satisfied(const struct ora_condition *c, const int *values)
{
    int held = 0;
    for (int k = 0; k < c->n_atoms; k++)
        held += values[c->atom[k].item] != ORA_NOTHING &&
                (values[c->atom[k].item] == c->atom[k].value) != c->atom[k].differs;
    return c->any && c->n_atoms ? held > 0 : held == c->n_atoms;
}

void ora_count_states(const struct ora_condition *c, const struct ora_set *states, size_t *positive,
                      size_t *negative)
{
    *positive = *negative = 0;
    for (size_t i = 0; i < states->count; i++)
        ++*(satisfied(c, ora_set_at(states, i)) ? positive : negative);
}

/* Of nothing nothing is said, unless that there is something. */
const char *ora_condition_verdict(const struct ora_condition *c, const struct ora_set *states)
{
    size_t positive, negative;
    ora_count_states(c, states, &positive, &negative);
    if (c->quantifier == ORA_EXISTS)
        return positive > 0 ? "ok" : "violated";
    if (states->count == 0)
        return "unknown";
    return (c->quantifier == ORA_FORALL ? negative : positive) > 0 ? "violated" : "ok";
}
