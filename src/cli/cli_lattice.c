#include "cli/cli_commands.h"

#include "ask/ask_options.h"
#include "base/utf8.h"
#include "cli/cli_survey.h"
#include "cli/cli_written.h"
#include "generate/gen_lattice.h"
#include "document/report_lattice.h"

#include <string.h>

struct ordering {
    struct cli_survey *asked;
    struct report_lattice report;
    const struct gen_find **found; /* per test */
    uint32_t *test_of;
};

static bool is_same(const struct gen_find *a, const struct gen_find *b)
{
    return a->unit == b->unit && a->number == b->number && a->undefined == b->undefined &&
           a->kind == b->kind && strcmp(a->state ? a->state : "", b->state ? b->state : "") == 0;
}

/* Tests are numbered as pairs come to them; one that does for several is one. */
static uint32_t number_of_test(struct ordering *o, const struct gen_find *find)
{
    uint32_t t = 0;
    while (t < o->report.test_count && !is_same(o->found[t], find))
        t++;
    if (t == o->report.test_count)
        o->found[o->report.test_count++] = find;
    return t;
}

static void take_tests(struct ordering *o, uint32_t first, uint32_t second)
{
    struct cli_survey *asked = o->asked;
    uint32_t count = asked->survey.model_count, pair = first * count + second;
    const struct gen_pair *found = &asked->survey.pairs[pair];
    if (first == second || !found->find_count)
        return;
    o->test_of[pair] = number_of_test(o, &found->finds[0]);
}

static void take_pairs(struct ordering *o)
{
    struct cli_survey *asked = o->asked;
    uint32_t count = asked->survey.model_count, pairs = count * count;
    enum contrast_more *more = ARENA_ARRAY(&asked->arena, enum contrast_more, pairs);
    const char **doubts = ARENA_ARRAY(&asked->arena, const char *, pairs);
    o->found = ARENA_ARRAY(&asked->arena, const struct gen_find *, pairs + 1);
    o->test_of = ARENA_ARRAY(&asked->arena, uint32_t, pairs + 1);
    for (uint32_t i = 0; i < pairs; i++) {
        more[i] = gen_lattice_more(&asked->survey, i / count, i % count);
        doubts[i] = gen_survey_doubt(&asked->survey, i / count, i % count);
        take_tests(o, i / count, i % count);
    }
    o->report.more = more;
    o->report.doubts = doubts;
    o->report.test_of = o->test_of;
}

/* A test says of one pair what each of the two answers; it may do for others. */
static void write_tests(struct ordering *o)
{
    struct cli_survey *asked = o->asked;
    uint32_t count = asked->survey.model_count;
    struct report_survey_test *tests =
        ARENA_ARRAY(&asked->arena, struct report_survey_test, o->report.test_count + 1);
    for (uint32_t i = count * count; i-- > 0;) {
        const struct gen_pair *pair = &asked->survey.pairs[i];
        if (i / count == i % count || !pair->find_count)
            continue;
        uint32_t t = o->test_of[i];
        const struct gen_find *find = &pair->finds[0];
        tests[t] = cli_survey_test(asked, find, arena_printf(&asked->arena, "test-%u", t + 1),
                                   i / count, i % count);
        tests[t].state = find->state ? find->state : find->row;
    }
    o->report.tests = tests;
}

/* Where all pairs have one visibility model, names are those of persistency models. */
static void name_models(struct ordering *o)
{
    struct cli_survey *asked = o->asked;
    const struct cli_pairs *pairs = &asked->pairs;
    const char **names = ARENA_ARRAY(&asked->arena, const char *, pairs->count);
    const char **titles = ARENA_ARRAY(&asked->arena, const char *, pairs->count);
    bool one = true;
    for (uint32_t i = 1; i < pairs->count; i++)
        one &= strcmp(pairs->items[i]->visibility, pairs->items[0]->visibility) == 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        titles[i] = one ? pairs->items[i]->model->called[1] : pairs->titles[i];
        names[i] = one ? utf8_name(&asked->arena, pairs->items[i]->persistency) : pairs->names[i];
    }
    cli_pairs_tell_apart(names, titles, pairs->count);
    o->report.titles = titles;
    o->report.names = names;
    o->report.over = one ? pairs->items[0]->visibility : "";
    o->report.over_title = one ? pairs->items[0]->model->called[0] : "";
}

static void answer(struct ordering *o, struct strbuf *out)
{
    struct cli_survey *asked = o->asked;
    o->report = (struct report_lattice){.model_count = asked->survey.model_count,
                                        .order = gen_lattice_of(&asked->arena, &asked->survey),
                                        .survey = &asked->totals};
    name_models(o);
    take_pairs(o);
    write_tests(o);
    cli_written_pack(asked->options, &report_lattice, &o->report, NULL, out);
    if (o->report.order.open || !asked->survey.ended)
        run_status_raise(&asked->status, RUN_EXIT_UNKNOWN);
}

/* All persistency models, in the order of their names. */
static void add_builtin(struct cli_survey *asked)
{
    const char *names[ASK_MAX_WORDS];
    size_t count = ask_persistency_words(&asked->arena, names);
    for (size_t i = 0; i < count; i++)
        cli_pairs_add(&asked->pairs, names[i], &asked->diag, asked->err, &asked->status);
}

static void name_pairs(struct cli_survey *asked)
{
    const struct ask_options *options = asked->options;
    for (uint32_t i = 0; i < options->input_count; i++)
        cli_pairs_add(&asked->pairs, options->inputs[i], &asked->diag, asked->err, &asked->status);
    if (!options->input_count)
        add_builtin(asked);
    if (options->input_count == 1)
        diag_error(
            &asked->diag, DIAG_CLI_USAGE, NOWHERE,
            "lattice wants two models or more, or none for all that are built in, found '%s' alone",
            options->inputs[0]);
}

static void tell_order(struct cli_survey *asked, struct strbuf *out)
{
    struct ordering o = {.asked = asked};
    answer(&o, out);
}

int cli_lattice_run(const struct ask_options *options, struct run_output *standard)
{
    const struct cli_survey_command command = {.name_models = name_pairs, .tell = tell_order};
    struct unpack from;
    SCOPED(strbuf) out = {0};
    return cli_survey_answer(options, &command, standard, &out, &from);
}
