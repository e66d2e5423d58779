/* chains_verify: are the chains of crashes and recoveries that engines give true?
 *
 *     chains_verify [-b FLAW] [-m VISIBILITY] [-p PERSISTENCY] FILE...
 *
 * Each test is run by every engine, listed and decided. A chain of a condition must begin at a
 * crash state of the test; each of its runs is looked up in what the enumerator, whose witnesses
 * are judged by the letter of docs/models/semantics.md, lists for recovery started on just that
 * state: a crash state of it is the next start, a final state the recovered one, which decides the
 * condition. What a run shows, if anything, must add up to the same: a read has the value of its
 * source, and what is left is the value of a write that is not lost, or what was there.
 *
 * A FLAW is put into the chains to see that it is found: `start`, `end`, `read`, `lost`, `short`.
 * The last line has the chains that are true, those that are not, and the answers without the
 * chain that they should have. Leaves with 1 when there are any of these. */
#include "read_test.h"

#include "cat/cat_model.h"
#include "engine/recheck.h"
#include "enumerate/enumerate.h"
#include "exec/exec_basis.h"
#include "explore/mach_engine.h"
#include "smt/smt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TIMEOUT = 30 };

static const struct engine_entry engines[] = {{.name = "enum", .run = enum_run},
                                              {.name = "smt", .run = smt_run},
                                              {.name = "machine", .run = mach_run}};

struct tally {
    unsigned true_ones, false_ones, missing, steps;
};

/* One test under one model pair. */
struct subject {
    const char *path, *flaw;
    struct engine_request request; /* of the test */
    struct outcome listed;         /* of the test without its recovery, by the enumerator */
    struct tally *tally;
};

/* ---- The reference ---- */

struct judge {
    struct recheck *recheck;
    bool faulty;
};

static void on_witness(void *context, const struct engine_witness *witness)
{
    struct judge *judge = context;
    judge->faulty |= recheck_witness(judge->recheck, witness) != NULL;
}

/* False when some witness does not stand. */
static bool list(const struct engine_request *request, struct outcome *outcome)
{
    struct engine_request own = *request;
    struct judge judge = {.recheck = recheck_new(&own)};
    own.on_witness = on_witness;
    own.context = &judge;
    outcome_init(outcome, own.program);
    enum_run_alone(&own, outcome);
    recheck_free(judge.recheck);
    return !judge.faulty;
}

/* Do columns of a row have the values that another row has for them? */
static bool agrees(const struct outcome_states *states, const int64_t *row,
                   const struct outcome_states *wanted, const int64_t *values)
{
    for (uint32_t i = 0; i < wanted->width; i++)
        for (uint32_t k = 0; k < states->width; k++)
            if (lit_atom_same(&states->items[k], &wanted->items[i]) && row[k] != values[i])
                return false;
    return true;
}

static bool has(const struct outcome_states *states, const struct outcome_states *wanted,
                const int64_t *values)
{
    for (size_t i = 0; i < states->count; i++)
        if (agrees(states, outcome_row(states, i), wanted, values))
            return true;
    return false;
}

/* Does recovery, started on this state, lead to that one? */
static bool leads(const struct subject *s, const struct outcome *outcome,
                  const struct outcome_link *link, const int64_t *next)
{
    struct lit_program program = lit_recovery_program(s->request.program);
    struct engine_request request = s->request;
    struct lit_location *locations = calloc(program.location_count + 1, sizeof *locations);
    struct outcome found;
    memcpy(locations, program.locations, program.location_count * sizeof *locations);
    for (uint32_t i = 0; i < outcome->starts.width; i++)
        locations[outcome->starts.items[i].location].init = link->start[i];
    program.locations = locations;
    program.observed = outcome->recovered.items;
    program.observed_count = outcome->recovered.width;
    request.program = &program;
    request.crash_mode = EXEC_CRASH_ANYWHERE;
    request.decide = false;
    bool right = list(&request, &found);
    right = right && (link->completes ? has(&found.final, &outcome->recovered, next)
                                      : has(&found.crash, &outcome->starts, next));
    outcome_fini(&found);
    free(locations);
    return right;
}

/* ---- What a run shows ---- */

/* "R x" and "W x" are of one location. */
static bool same_location(const struct outcome_event *a, const struct outcome_event *b)
{
    return strcmp(a->access + 2, b->access + 2) == 0;
}

static bool same_event(const struct outcome_event *a, const struct outcome_event *b)
{
    return a->thread == b->thread && a->line == b->line && strcmp(a->access, b->access) == 0;
}

/* What the location holds when recovery starts. */
static int64_t first_value(const struct subject *s, const struct outcome *outcome,
                           const int64_t *start, const char *name)
{
    const struct lit_program *program = s->request.program;
    for (uint32_t i = 0; i < outcome->starts.width; i++)
        if (strcmp(program->locations[outcome->starts.items[i].location].name, name) == 0)
            return start[i];
    for (uint32_t l = 0; l < program->location_count; l++)
        if (strcmp(program->locations[l].name, name) == 0)
            return program->locations[l].init;
    return INT64_MIN;
}

static bool read_is_right(const struct subject *s, const struct outcome *outcome,
                          const struct outcome_link *link, const struct outcome_step *read)
{
    if (!same_location(&read->source, &read->event))
        return false;
    if (read->source.thread == LIT_NONE)
        return read->value == first_value(s, outcome, link->start, read->event.access + 2);
    for (uint32_t i = 0; i < link->step_count; i++)
        if (same_event(&link->steps[i].event, &read->source) && link->steps[i].value == read->value)
            return true;
    return false;
}

/* The location holds a value that a write left, or without any what was there. */
static bool left_is_right(const struct outcome_link *link, const char *name, int64_t was,
                          int64_t left)
{
    bool written = false;
    for (uint32_t i = 0; i < link->step_count; i++) {
        const struct outcome_step *step = &link->steps[i];
        if (step->is_read || step->lost || !step->has_value ||
            strcmp(step->event.access + 2, name) != 0)
            continue;
        written = true;
        if (step->value == left)
            return true;
    }
    return !written && left == was;
}

static bool adds_up(const struct subject *s, const struct outcome *outcome,
                    const struct outcome_link *link, const int64_t *next)
{
    const struct outcome_states *to = link->completes ? &outcome->recovered : &outcome->starts;
    for (uint32_t i = 0; i < link->step_count; i++) {
        const struct outcome_step *step = &link->steps[i];
        if ((step->is_read && !read_is_right(s, outcome, link, step)) ||
            (step->lost && link->completes))
            return false;
    }
    for (uint32_t i = 0; i < to->width && link->step_count; i++) {
        if (to->items[i].kind != LIT_ATOM_LOCATION)
            continue;
        const char *name = s->request.program->locations[to->items[i].location].name;
        if (!left_is_right(link, name, first_value(s, outcome, link->start, name), next[i]))
            return false;
    }
    return true;
}

/* ---- Chains ---- */

static const char *find_fault(const struct subject *s, const struct outcome *outcome,
                              const struct lit_condition *condition,
                              const struct outcome_chain *chain)
{
    if (chain->link_count == 0 || !outcome_crash_leaves(&s->listed, chain->links[0].start))
        return "does not begin at a crash state";
    for (uint32_t i = 0; i < chain->link_count; i++) {
        const struct outcome_link *link = &chain->links[i];
        bool last = i + 1 == chain->link_count;
        const int64_t *next = last ? chain->recovered : link[1].start;
        if (link->completes != last)
            return "has a run that ends where none may, or the last does not";
        if (!leads(s, outcome, link, next))
            return "has a run that does not lead to what comes after it";
        if (!adds_up(s, outcome, link, next))
            return "shows steps that do not add up";
        s->tally->steps += link->step_count;
    }
    return outcome_decides(outcome, s->request.program, condition, chain->recovered)
               ? NULL
               : "ends where the condition is not decided";
}

/* The copy of a chain with a flaw in it; false when it has no place for that. */
static bool spoil(const char *flaw, const struct outcome *outcome, struct outcome_chain *chain,
                  struct outcome_link *links, struct outcome_step *steps, int64_t *row)
{
    uint32_t last = chain->link_count - 1;
    memcpy(links, chain->links, chain->link_count * sizeof *links);
    memcpy(steps, links[last].steps, links[last].step_count * sizeof *steps);
    chain->links = links;
    if (strcmp(flaw, "start") == 0) { /* a value that nobody writes */
        memcpy(row, links[0].start, outcome->starts.width * sizeof *row);
        row[0] += 1000;
        links[0].start = row;
        return true;
    }
    if (strcmp(flaw, "end") == 0) {
        memcpy(row, chain->recovered, outcome->recovered.width * sizeof *row);
        row[0] += 1000;
        chain->recovered = row;
        return true;
    }
    if (strcmp(flaw, "short") == 0) { /* the first run is left out */
        links[0].completes = true;
        chain->link_count = 1;
        return last > 0;
    }
    links[last].steps = steps;
    for (uint32_t i = 0; i < links[last].step_count; i++) {
        bool read = strcmp(flaw, "read") == 0;
        if (!steps[i].has_value || steps[i].is_read != read)
            continue;
        steps[i].value += read;
        steps[i].lost |= !read;
        return true;
    }
    return false;
}

static void check_chain(const struct subject *s, const char *engine, const struct outcome *outcome,
                        uint32_t number)
{
    const struct lit_condition *condition = &s->request.program->conditions[number];
    struct outcome_chain chain = outcome->chains[number];
    uint32_t links = chain.link_count, count = chain.links[links - 1].step_count;
    struct outcome_link *copies = calloc(links, sizeof *copies);
    struct outcome_step *steps = calloc(count + 1, sizeof *steps);
    int64_t *row = calloc(outcome->starts.width + outcome->recovered.width + 1, sizeof *row);
    if (!s->flaw || spoil(s->flaw, outcome, &chain, copies, steps, row)) {
        const char *fault = find_fault(s, outcome, condition, &chain);
        s->tally->true_ones += !fault;
        s->tally->false_ones += fault != NULL;
        if (fault)
            printf("%s, condition %u: the chain of %s %s\n", s->path, number + 1, engine, fault);
    }
    free(copies);
    free(steps);
    free(row);
}

static bool is_decided(const struct subject *s, const struct outcome *outcome, uint32_t number)
{
    for (size_t i = 0; i < outcome->recovered.count; i++)
        if (outcome_decides(outcome, s->request.program, &s->request.program->conditions[number],
                            outcome_row(&outcome->recovered, i)))
            return true;
    return false;
}

static void check_engine(struct subject *s, const struct engine_entry *engine, bool decide)
{
    struct outcome outcome;
    struct engine_request request = s->request;
    request.decide = decide;
    outcome_init(&outcome, request.program);
    engine->run(&request, &outcome);
    for (uint32_t i = 0; i < request.program->condition_count; i++) {
        if (request.program->conditions[i].when != LIT_RECOVERED)
            continue;
        if (outcome.chains && outcome.chains[i].recovered) {
            check_chain(s, engine->name, &outcome, i);
        } else if (is_decided(s, &outcome, i)) {
            s->tally->missing++;
            printf("%s, condition %u: %s%s gives no chain\n", s->path, i + 1, engine->name,
                   decide ? ", deciding," : "");
        }
    }
    outcome_fini(&outcome);
}

static bool machine_promises(const struct cat_model *model)
{
    return strcmp(model->visibility, "hrf-direct") == 0 && strcmp(model->persistency, "epoch") == 0;
}

static void check_program(struct subject *s)
{
    size_t count = sizeof engines / sizeof engines[0] - !machine_promises(s->request.model);
    if (!list(&s->request, &s->listed))
        s->tally->false_ones++;
    for (size_t i = 0; i < count; i++)
        for (int decide = 0; decide <= 1; decide++)
            check_engine(s, &engines[i], decide);
    outcome_fini(&s->listed);
}

static void check_file(const char *path, const char *flaw, const char *const *models,
                       struct tally *tally)
{
    struct read_test test;
    read_test_init(&test, path);
    const struct cat_model *model =
        cat_model_load(&test.arena, exec_basis(), NULL, models[0], models[1], &test.diag);
    if (test.program && model) {
        struct subject s = {.path = path,
                            .flaw = flaw,
                            .request = {.program = test.program,
                                        .model = model,
                                        .plan = cat_plan_new(&test.arena, model),
                                        .crash_mode = engine_default_crash_mode(test.program),
                                        .limits = {.unroll = 2, .clock = clock_limit_in(TIMEOUT)}},
                            .tally = tally};
        check_program(&s);
    } else {
        printf("%s cannot be read\n", path);
        tally->false_ones++;
    }
    read_test_fini(&test);
}

int main(int argc, char **argv)
{
    const char *models[] = {"hrf-direct", "epoch"}, *flaw = NULL;
    struct tally tally = {0};
    for (int option; (option = getopt(argc, argv, "b:m:p:")) != -1;)
        if (option == 'b')
            flaw = optarg;
        else
            models[option == 'p'] = optarg;
    for (int i = optind; i < argc; i++)
        check_file(argv[i], flaw, models, &tally);
    printf("%u true, %u false, %u missing, %u steps\n", tally.true_ones, tally.false_ones,
           tally.missing, tally.steps);
    return tally.false_ones + tally.missing > 0;
}
