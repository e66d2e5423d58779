/* Makes a disagreement small: drop a thread, an instruction, an `if` around its body, as
 * long as the tool and the reference still disagree about what is left. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "oracle.h"

static bool write_alone(const struct ora_tool *tool, const struct ora_program *p, char *path,
                        size_t room)
{
    int length = snprintf(path, room, "%s/shrinking.litmus", tool->workdir);
    FILE *out = length > 0 && (size_t)length < room ? fopen(path, "w") : NULL;
    if (!out)
        return false;
    ora_write_litmus(out, p, "t0", "one program");
    return fclose(out) == 0;
}

bool ora_disagrees(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                   const struct ora_program *p, FILE *out)
{
    struct ora_truth truth;
    struct ora_reply reply;
    char path[1024];
    ora_truth_init(&truth);
    ora_reply_init(&reply);
    bool solved = ora_solve(p, mutation, &truth) && write_alone(tool, p, path, sizeof path);
    bool agrees = true;
    if (solved) {
        const struct ora_answer *answer = &truth.at[pair.visibility][pair.persistency];
        agrees = ora_tool_ask(tool, path, ora_pair_models(pair), p, 1, &reply) &&
                 ora_reply_agrees(&reply, answer);
        if (!agrees && out)
            ora_print_difference(out, p, &reply, answer);
        unlink(path);
    }
    ora_reply_fini(&reply);
    ora_truth_fini(&truth);
    return !agrees;
}

/* ---- Smaller programs ---------------------------------------------------------------- */

static void cut_out(struct ora_thread *t, int at)
{
    assert(at >= 0 && at < t->n_code);
    for (int j = 0; j < at; j++)
        if (ora_op_has_body(t->code[j].op) && at <= j + t->code[j].body)
            t->code[j].body--;
    memmove(&t->code[at], &t->code[at + 1], (size_t)(t->n_code - at - 1) * sizeof *t->code);
    t->n_code--;
}

static bool defines(const struct ora_ins *i, int reg)
{
    return ora_op_loads_register(i->op) && i->reg == reg;
}

static bool is_defined(const struct ora_thread *t, int reg)
{
    for (int k = 0; k < t->n_code; k++)
        if (defines(&t->code[k], reg))
            return true;
    return false;
}

/* Register `reg` is gone: its uses go too, and higher ones move down. */
static void forget_register(struct ora_thread *t, int reg)
{
    for (int k = 0; k < t->n_code; k++) {
        struct ora_ins *i = &t->code[k];
        if (i->op == ORA_IF && i->reg == reg) {
            cut_out(t, k--);
            continue;
        }
        if (i->from_reg && i->reg == reg) {
            i->from_reg = 0;
            i->value = 1;
        }
        if (i->reg > reg)
            i->reg--;
    }
    t->n_regs--;
}

static void tidy(struct ora_thread *t)
{
    for (int reg = t->n_regs - 1; reg >= 0; reg--)
        if (!is_defined(t, reg))
            forget_register(t, reg);
    for (int k = t->n_code - 1; k >= 0; k--)
        if (ora_op_has_body(t->code[k].op) && t->code[k].body == 0)
            cut_out(t, k);
}

void ora_remove_instruction(struct ora_thread *t, int at)
{
    cut_out(t, at);
    tidy(t);
}

static void remove_thread(struct ora_program *p, int t)
{
    memmove(&p->thread[t], &p->thread[t + 1], (size_t)(p->n_threads - t - 1) * sizeof *p->thread);
    p->n_threads--;
    memset(&p->thread[p->n_threads], 0, sizeof *p->thread);
}

/* Keeps the candidate when it still disagrees. */
static bool keep(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                 struct ora_program *p, const struct ora_program *candidate)
{
    if (!ora_disagrees(tool, pair, mutation, candidate, NULL))
        return false;
    *p = *candidate;
    return true;
}

/* Conditions name registers and threads that may be about to go. */
static struct ora_program without_conditions(const struct ora_program *p)
{
    struct ora_program q = *p;
    memset(&q.final, 0, sizeof q.final);
    memset(&q.crash, 0, sizeof q.crash);
    return q;
}

static bool drop_some_thread(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                             struct ora_program *p)
{
    for (int t = 0; t < p->n_threads && p->n_threads > 1; t++) {
        struct ora_program smaller = without_conditions(p);
        remove_thread(&smaller, t);
        if (keep(tool, pair, mutation, p, &smaller))
            return true;
    }
    return false;
}

static bool drop_some_instruction(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                                  struct ora_program *p)
{
    for (int t = 0; t < p->n_threads; t++)
        for (int k = 0; k < p->thread[t].n_code; k++) {
            struct ora_program smaller = without_conditions(p);
            ora_remove_instruction(&smaller.thread[t], k);
            if (keep(tool, pair, mutation, p, &smaller))
                return true;
        }
    return false;
}

void ora_shrink(const struct ora_tool *tool, struct ora_pair pair, int mutation,
                struct ora_program *p)
{
    while (drop_some_thread(tool, pair, mutation, p) ||
           drop_some_instruction(tool, pair, mutation, p))
        ;
}
