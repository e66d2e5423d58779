/* exhaustive_verify: every program up to a bound, asked of all engines, or under two model pairs.
 *
 *     exhaustive_verify [-s SHARD/SHARDS] [-V VOCABULARY] [-d OPENCL|PTX] [-b BOUND] [-v MOST]
 *                       [-e ENGINE] [-x] [-M MACHINE] [-F FAULT] [-f] [-t SECONDS]
 *                       PAIR [PAIR]
 *     exhaustive_verify -l [-V VOCABULARY] [-b BOUND]
 *
 * A PAIR is VISIBILITY+PERSISTENCY; its programs are those that `crashlit generate` lists under the
 * bound, and each is asked with all that it can show. Under one pair all engines, or ENGINE, are
 * held to the enumerator: final states, crash states, undefined behaviour and flags of the solver
 * have to be the same; those of the machine that promises the pair (-M names another, -F a fault of
 * it) have to be the model's, and with -x the model's those of the machine. Under two pairs one
 * engine is asked twice: whether a program is undefined or flagged, and its states, have to be the
 * same. -f puts a flaw into what is compared: the last state of each list is missing from the
 * second.
 *
 * -l prints each program's line instead. Shards are from 0; each has one program in so many. The
 * first MOST (3) programs on which answers differ, which are the smallest, are shown. The last line
 * has the programs; those on which all agree, on which some differ, and on which that is not known;
 * how many were undefined; how many states there were; and on how many programs, undefined ones
 * aside, the machine shows less than the model, of which the first is shown. Leaves with 1 when
 * some differ. */
#include "ask/ask_check.h"
#include "engine/agree.h"
#include "generate/gen_bound.h"
#include "generate/gen_chosen.h"
#include "generate/gen_observe.h"
#include "session/session_answers.h"
#include "session/session_machines.h"
#include "session/session_solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct totals {
    uint64_t programs, agree, differ, open, undefined, states, less;
};

struct work {
    struct arena arena;
    struct diag diag;
    struct session_settings settings;
    struct session_models *models;
    const struct session_model *asked[2]; /* the second NULL: engines are compared */
    const char *names[2];                 /* as they were given */
    const char *vocabulary, *dialect, *bound_words, *machine, *fault;
    struct gen_bound bound;
    uint32_t shard, shards, most;
    bool exact, flawed, lists;

    uint64_t unit, next; /* the number of the next program of all */
    struct strbuf text, detail;
    struct totals totals;
};

/* ---- One program under one pair, by all engines ---- */

static void lose_last_state(struct outcome_states *states)
{
    struct outcome_states all = *states;
    if (states->product || !states->count)
        return;
    *states = (struct outcome_states){
        .items = all.items, .width = all.width, .is_unsigned = all.is_unsigned};
    for (size_t i = 0; i + 1 < all.count; i++)
        (void)outcome_add_state(states, outcome_row(&all, i));
    outcome_free_states(&all);
}

static void lose_last(struct outcome *outcome)
{
    lose_last_state(&outcome->final);
    lose_last_state(&outcome->crash);
}

static void note_less(struct work *w, const struct session_answers *answers)
{
    const struct containment *held = answers->containment;
    if (!held || !held->is_counted || held->never_crash + held->never_final == 0)
        return;
    if (w->exact || w->totals.less == 0)
        strbuf_printf(&w->detail, "  machine %s never shows %zu crash states, %zu final states\n",
                      answers->machine, held->never_crash, held->never_final);
    w->totals.less++;
}

static enum session_accord compare_engines(struct work *w, const struct lit_program *program)
{
    const struct session_case question =
        session_case_begin(&w->settings, w->asked[0], program, (struct session_parts){0});
    struct session_answers answers;
    session_answers_init(&answers, &question);
    while (answers.asked < answers.count)
        (void)session_answers_ask(&answers, &question, NULL);
    if (w->flawed && answers.count > 1)
        lose_last(&answers.outcomes[answers.count - 1]);
    enum session_accord accord = session_answers_compare(&answers, &question);
    if (accord != SESSION_AGREE)
        ask_cross_tell(&question, &answers, &w->detail);
    uint64_t less = w->totals.less;
    note_less(w, &answers);
    if (w->exact && w->totals.less > less)
        accord = SESSION_DISAGREE;
    w->totals.undefined += answers.outcomes[0].undefined.count > 0;
    w->totals.states += outcome_state_count(&answers.outcomes[0].final) +
                        outcome_state_count(&answers.outcomes[0].crash);
    session_answers_fini(&answers);
    return accord;
}

/* ---- One program under two pairs ---- */

static void tell_row(struct work *w, const struct lit_program *program, int owner,
                     const struct outcome_states *states, const struct agree_difference *difference)
{
    struct arena arena;
    arena_init(&arena);
    strbuf_printf(&w->detail, "  %s of %s only: %s (one of %zu)\n",
                  agree_aspect_text(difference->aspect), w->names[owner],
                  gen_observe_row(&arena, program, states, difference->row), difference->count);
    arena_fini(&arena);
}

/* Of what either has whatever the other lacks. */
static bool states_differ(struct work *w, const struct lit_program *program,
                          const struct outcome outcomes[2], enum agree_aspect aspect)
{
    bool differ = false;
    for (int owner = 0; owner < 2; owner++) {
        struct outcome_states has = *agree_states(&outcomes[owner], aspect),
                              lacks = *agree_states(&outcomes[!owner], aspect);
        struct agree_difference difference = {.aspect = aspect, .owner = owner};
        if (!has.count)
            continue;
        lacks.items = has.items;
        lacks.width = has.width;
        BASE_CHECK(agree_find_missing(&has, &lacks, &difference));
        if (difference.count)
            tell_row(w, program, owner, &has, &difference);
        differ |= difference.count > 0;
    }
    return differ;
}

static bool is_told_apart(struct work *w, const char *what, const bool has[2])
{
    if (has[0] != has[1])
        strbuf_printf(&w->detail, "  %s under %s alone\n", what, w->names[has[0] ? 0 : 1]);
    return has[0] != has[1];
}

static enum session_accord compare_pairs(struct work *w, const struct lit_program *program)
{
    struct outcome outcomes[2];
    bool undefined[2], flagged[2], open = false, differ = false;
    for (int i = 0; i < 2; i++) {
        gen_observe(&w->settings, w->asked[i], program, (struct session_parts){0}, &outcomes[i]);
        const char *doubt = outcome_any_doubt(&outcomes[i]);
        if (doubt)
            strbuf_printf(&w->detail, "  not known under %s: %s\n", w->names[i], doubt);
        open |= doubt != NULL;
        undefined[i] = outcomes[i].undefined.count > 0;
        flagged[i] = outcomes[i].flags.count > 0;
        w->totals.states +=
            outcome_state_count(&outcomes[i].final) + outcome_state_count(&outcomes[i].crash);
    }
    w->totals.undefined += undefined[0] && undefined[1];
    if (w->flawed)
        lose_last(&outcomes[1]);
    if (!open) {
        differ = is_told_apart(w, "undefined", undefined);
        differ |= is_told_apart(w, "flagged", flagged);
    }
    if (!open && !undefined[0] && !undefined[1]) {
        differ |= states_differ(w, program, outcomes, AGREE_FINAL);
        differ |= states_differ(w, program, outcomes, AGREE_CRASH);
    }
    for (int i = 0; i < 2; i++)
        outcome_fini(&outcomes[i]);
    return open ? SESSION_NOT_COMPARED : differ ? SESSION_DISAGREE : SESSION_AGREE;
}

/* ---- All programs ---- */

static void show(struct work *w, const struct gen_program *program, uint64_t number,
                 const char *title)
{
    struct strbuf line = {0};
    gen_line(w->bound.vocabulary, program, &line);
    printf("%s: %" PRIu64 ".%" PRIu64 " %s\n%s", title, w->unit, number, strbuf_text(&line),
           strbuf_text(&w->detail));
    strbuf_fini(&line);
}

static void ask(struct work *w, const struct gen_program *program, uint64_t number)
{
    struct session_test test;
    uint64_t less = w->totals.less;
    gen_observe_read(&test, &w->settings, w->bound.vocabulary, w->bound.dialect, program,
                     gen_observe_kinds(program), &w->text);
    strbuf_clear(&w->detail);
    enum session_accord accord =
        w->asked[1] ? compare_pairs(w, test.program) : compare_engines(w, test.program);
    session_test_fini(&test);
    w->totals.agree += accord == SESSION_AGREE;
    if (accord == SESSION_NOT_COMPARED && w->totals.open++ < w->most)
        show(w, program, number, "open");
    if (accord == SESSION_DISAGREE && w->totals.differ++ < w->most) {
        show(w, program, number, "differs");
        printf("%s", strbuf_text(&w->text));
    } else if (accord == SESSION_AGREE && less == 0 && w->totals.less) {
        show(w, program, number, "less");
    }
}

static bool visit(void *context, const struct gen_program *program, uint64_t number)
{
    struct work *w = context;
    if (w->next++ % w->shards != w->shard)
        return true;
    w->totals.programs++;
    if (!w->lists) {
        ask(w, program, number);
        return true;
    }
    strbuf_clear(&w->text);
    gen_line(w->bound.vocabulary, program, &w->text);
    puts(strbuf_text(&w->text));
    return true;
}

static void go_through(struct work *w)
{
    uint64_t units = gen_units(&w->bound);
    for (w->unit = 0; w->unit < units; w->unit++)
        (void)gen_enumerate(&w->bound, w->unit, visit, w);
}

/* ---- The question ---- */

static const struct session_model *load(struct work *w, const char *pair)
{
    const struct cat_asker user = session_models_user(&w->settings);
    const char *plus = strrchr(pair, '+');
    if (!plus)
        return NULL;
    const struct session_model *model = session_models_get(
        w->models, &user, arena_strndup(&w->arena, pair, (size_t)(plus - pair)), plus + 1);
    if (!model->model)
        fprintf(stderr, "exhaustive_verify: %s: %s\n%s", pair, model->reason, model->faults);
    return model->model ? model : NULL;
}

static bool set_bound(struct work *w)
{
    const struct gen_vocabulary *chosen[GEN_MAX_VOCABULARIES], *vocabulary;
    struct gen_vocabularies all = {.arena = &w->arena, .settings = &w->settings};
    vocabulary = w->vocabulary ? gen_vocabulary_find(&all, w->vocabulary)
                 : gen_vocabularies_of(&all, w->models, w->asked, w->asked[0] != NULL, false,
                                       chosen, &w->diag)
                     ? chosen[0]
                     : NULL;
    bool ptx = w->dialect ? strcmp(w->dialect, "PTX") == 0
                          : w->asked[0] && gen_dialect_of(w->asked[0]->visibility) == GEN_PTX;
    if (!vocabulary)
        return false;
    gen_bound_init(&w->bound, vocabulary, ptx ? GEN_PTX : GEN_OPENCL);
    return !w->bound_words || gen_bound_read(w->bound_words, "-b", &w->bound, &w->diag);
}

static bool set_machine(struct work *w)
{
    w->settings.machine = w->machine;
    w->settings.fault = w->fault;
    return (!w->machine && !w->fault) || session_machine_load(&w->arena, &w->settings, &w->diag);
}

static bool read_options(struct work *w, int argc, char **argv)
{
    for (int option; (option = getopt(argc, argv, "s:V:d:b:v:e:xM:F:ft:l")) != -1;)
        switch (option) {
        case 's':
            if (sscanf(optarg, "%" SCNu32 "/%" SCNu32, &w->shard, &w->shards) != 2)
                return false;
            break;
        case 'V': w->vocabulary = optarg; break;
        case 'd': w->dialect = optarg; break;
        case 'b': w->bound_words = optarg; break;
        case 'v': w->most = (uint32_t)strtoul(optarg, NULL, 10); break;
        case 'e': w->settings.engine = optarg; break;
        case 'x': w->exact = true; break;
        case 'M': w->machine = optarg; break;
        case 'F': w->fault = optarg; break;
        case 'f': w->flawed = true; break;
        case 't': w->settings.timeout_seconds = strtod(optarg, NULL); break;
        case 'l': w->lists = true; break;
        default: return false;
        }
    int pairs = argc - optind;
    if (!session_engine_find(w->settings.engine))
        return false;
    if (w->shard >= w->shards || (w->lists ? pairs != 0 : pairs < 1 || pairs > 2))
        return false;
    for (int i = 0; i < pairs; i++) {
        w->names[i] = argv[optind + i];
        if (!(w->asked[i] = load(w, w->names[i])))
            return false;
    }
    if (w->asked[1])
        w->settings.engine = "enum";
    return set_bound(w) && set_machine(w);
}

static int answer(struct work *w)
{
    const struct totals *t = &w->totals;
    go_through(w);
    if (!w->lists)
        printf("%" PRIu64 " programs, %" PRIu64 " agree, %" PRIu64 " differ, %" PRIu64
               " open, %" PRIu64 " undefined, %" PRIu64 " states, %" PRIu64 " less\n",
               t->programs, t->agree, t->differ, t->open, t->undefined, t->states, t->less);
    return t->differ > 0;
}

int main(int argc, char **argv)
{
    struct work w = {.settings = {.engine = SESSION_ALL_ENGINES,
                                  .unroll = 2,
                                  .timeout_seconds = 60,
                                  .states = true,
                                  .beside_first = true},
                     .models = session_models_new(),
                     .shards = 1,
                     .most = 3};
    int status = 64;
    arena_init(&w.arena);
    diag_init(&w.diag);
    (void)session_solver_load();
    if (read_options(&w, argc, argv)) {
        status = answer(&w);
    } else {
        struct strbuf faults = {0};
        diag_render(&w.diag, &faults);
        fprintf(stderr,
                "%susage: exhaustive_verify [-s SHARD/SHARDS] [-V VOCABULARY] [-d DIALECT] "
                "[-b BOUND] [-v MOST] [-e ENGINE] [-x] [-M MACHINE] [-F FAULT] [-f] [-t SECONDS] "
                "PAIR [PAIR] | -l\n",
                strbuf_text(&faults));
        strbuf_fini(&faults);
    }
    strbuf_fini(&w.text);
    strbuf_fini(&w.detail);
    session_models_free(w.models);
    diag_fini(&w.diag);
    arena_fini(&w.arena);
    return status;
}
