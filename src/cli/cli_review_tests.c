/* What one test says of both models. */
#include "cli/cli_review.h"

#include "ask/ask_show.h"
#include "base/utf8.h"
#include "cli/cli_commands.h"
#include "cli/cli_contrast.h"
#include "report/report.h"
#include "session/session_ask.h"
#include "session/session_engines.h"
#include "session/session_refine.h"

#include <string.h>

/* The models, and what goes with them. */
struct question {
    const char *beside;
    const char *visibility, *persistency; /* what both sides are asked under; NULL: their models */
    struct cat_asker asker;
    const struct lit_expect *expect;
};

struct asking {
    struct cli_review *r;
    struct session_parts parts;
    struct cli_review_test *test;
    struct strbuf *err;
    struct arena arena;
    VEC(struct question) questions;
    enum cli_review_end end;
};

/* ---- Which questions ---- */

static const struct lit_program *program_of(const struct asking *a, int side)
{
    return a->test->sides[a->test->apart ? side : 0].program;
}

/* Of the new model, where a line has one of it. */
static const struct lit_expect *expectation(const struct asking *a, const struct session_pair *pair)
{
    const struct cli_review *r = a->r;
    const struct lit_program *program = program_of(a, 0);
    const struct lit_expect *expect =
        session_ask_expectation(program, r->persists ? pair->visibility : r->names[1],
                                r->persists ? r->names[1] : pair->persistency, r->settings.engine);
    return expect ? expect
                  : session_ask_expectation(program, pair->visibility, pair->persistency,
                                            r->settings.engine);
}

/* Another pair is one to ask under where a source has either model. */
static void add_other(struct asking *a, const struct session_pair *pair)
{
    const struct cli_review *r = a->r;
    SCOPED(strbuf) name = {0};
    report_pair(pair->visibility, pair->persistency, &name);
    struct question question = {
        .beside = arena_strdup(&a->arena, strbuf_text(&name)),
        .visibility = arena_strdup(&a->arena, pair->visibility),
        .persistency = arena_strdup(&a->arena, pair->persistency),
        .asker = session_pair_asker(&r->settings, a->test->sides[0].folder, pair),
        .expect = session_ask_expectation(program_of(a, 0), pair->visibility, pair->persistency,
                                          r->settings.engine)};
    VEC_PUSH(&a->questions, question);
}

/* A pair that names the new model says what is expected, where both are named. */
static void add_own(struct asking *a, const struct session_pair *pair, bool is_new)
{
    struct cli_review *r = a->r;
    const char *beside = r->persists ? pair->visibility : pair->persistency;
    const struct lit_expect *expect = expectation(a, pair);
    struct question *known =
        (struct question *)FIND(i, a->questions.items, a->questions.count,
                                strcmp(a->questions.items[i].beside, beside) == 0);
    if (known && is_new)
        known->expect = expect;
    if (known)
        return;
    struct cat_asker asker = cat_model_is_path(beside)
                                 ? session_pair_asker(&r->settings, a->test->sides[0].folder, pair)
                                 : session_models_user(&r->settings);
    VEC_PUSH(&a->questions, (struct question){.beside = arena_strdup(&a->arena, beside),
                                              .asker = asker,
                                              .expect = expect});
}

static void add_question(void *context, const struct session_pair *pair)
{
    struct asking *a = context;
    const char *own = a->r->persists ? pair->persistency : pair->visibility;
    bool is_new = cat_model_same(own, a->r->names[1]);
    if (is_new || cat_model_same(own, a->r->names[0]))
        add_own(a, pair, is_new);
    else if (a->test->apart)
        add_other(a, pair);
}

/* A source that is named under either model is asked under the one of the side. */
static void load_side(struct asking *a, const char *path, int side)
{
    struct cli_review *r = a->r;
    const struct session_stand_in stand_in = {r->names, r->names[side], r->persists};
    struct session_settings settings = r->settings;
    const struct session_settings written = cli_as_written(&settings);
    struct session_test *test = &a->test->sides[side];
    settings.stand_in = &stand_in;
    session_test_load(test, &written, path);
    if (!session_refine(test, &settings, r->models, a->parts) && test->model_faults)
        strbuf_add(a->err, test->model_faults);
    if (test->sources_disagree)
        a->end = CLI_REVIEW_DISAGREE;
    if (!side || !test->program)
        diag_render(&test->diag, a->err);
}

static bool stands_in(const struct cli_review *r, const struct lit_condition *condition)
{
    return condition->refines && !condition->property &&
           strcmp(condition->refines->found[r->persists], r->names[0]) == 0;
}

static bool begin(struct asking *a, const char *path)
{
    struct cli_review *r = a->r;
    if (!r->models)
        r->models = session_models_new();
    load_side(a, path, 0);
    const struct lit_program *program = a->test->sides[0].program;
    a->test->apart =
        program && ANY(i, program->condition_count, stands_in(r, &program->conditions[i]));
    if (a->test->apart)
        load_side(a, path, 1);
    if (!program_of(a, 0) || !program_of(a, 1)) {
        a->end = CLI_REVIEW_UNREAD;
        return false;
    }
    session_ask_each_pair(&r->settings, program, add_question, a);
    return true;
}

static void end(struct asking *a)
{
    VEC_FREE(&a->questions);
    arena_fini(&a->arena);
}

/* ---- Answers ---- */

/* The models are the user's, what goes with them may be a test's. */
static struct cat_asker asker_of(const struct asking *a, const struct question *question, int side)
{
    struct cat_asker asker = question->asker;
    asker.named = question->visibility ? NULL : a->r->names[side];
    return asker;
}

static const struct session_model *load(struct asking *a, const struct question *question, int side)
{
    const char *own = a->r->names[side];
    const struct cat_asker asker = asker_of(a, question, side);
    if (question->visibility)
        return session_models_get(a->r->models, &asker, question->visibility,
                                  question->persistency);
    return session_models_get(a->r->models, &asker, a->r->persists ? question->beside : own,
                              a->r->persists ? own : question->beside);
}

static enum lit_verdict verdict_of(struct asking *a, const struct session_case *asked,
                                   const struct cat_asker *asker, const struct outcome *outcome)
{
    enum run_status status = RUN_EXIT_OK;
    enum lit_verdict verdict =
        cli_contrast_verdict(a->r->options, asked, a->r->models, asker, outcome, &status);
    if (status == RUN_EXIT_DISAGREE)
        a->end = CLI_REVIEW_DISAGREE;
    return verdict;
}

/* What is expected of one model is meant of both. */
static bool is_meant(const struct question *question)
{
    return question->expect && question->expect->verdict == LIT_OK;
}

static enum lit_verdict ask(struct asking *a, const struct question *question,
                            const struct session_settings *settings, int side,
                            struct outcome *outcome)
{
    const struct session_case asked =
        session_case_begin(settings, load(a, question, side), program_of(a, side), a->parts);
    session_run(&asked, session_engine_find(settings->engine), outcome, NULL);
    outcome->vacuity_is_meant = is_meant(question);
    const struct cat_asker asker = asker_of(a, question, side);
    return verdict_of(a, &asked, &asker, outcome);
}

/* All states; where a limit was met, the verdict alone may still be had. */
static enum lit_verdict ask_side(struct asking *a, const struct question *question, int side,
                                 struct outcome *outcome)
{
    const struct session_model *model = load(a, question, side);
    struct session_settings settings = a->r->settings;
    if (lit_asks_property(program_of(a, side), LIT_PROPERTY_RACE))
        session_models_races(a->r->models, model);
    settings.states = true;
    enum lit_verdict verdict = ask(a, question, &settings, side, outcome);
    if (verdict == LIT_UNKNOWN) {
        SCOPED(outcome) decided;
        settings.states = false;
        settings.decide = true;
        verdict = ask(a, question, &settings, side, &decided);
    }
    return verdict;
}

static size_t size_of(const struct lit_program *program)
{
    size_t size = 0;
    EACH (const struct lit_thread, thread, program->threads, program->thread_count)
        size += thread->code_count;
    return size;
}

static void pack_side(const struct report_compare_held *held, int side, struct strbuf *out)
{
    const struct contrast_side *from = &held->contrast.sides[side];
    pack_number(out, (uint64_t)from->more);
    pack_number(out, from->undefined);
    pack_text(out, from->doubt ? from->doubt : "");
    pack_number(out, from->count);
    for (uint32_t i = 0; i < from->count; i++) {
        pack_number(out, (uint64_t)held->states[side][i].aspect);
        pack_number(out, held->states[side][i].count);
        pack_text(out, held->states[side][i].text);
        pack_text(out, held->states[side][i].json);
    }
}

static void pack_row(struct asking *a, size_t input, const struct question *question,
                     struct strbuf *out)
{
    struct outcome outcomes[2];
    struct report_compare_held held = {.held = false};
    struct strbuf shown = {0};
    enum lit_verdict verdicts[2];
    for (int side = 0; side < 2; side++)
        verdicts[side] = ask_side(a, question, side, &outcomes[side]);
    const char *doubt = outcome_doubt(&outcomes[verdicts[0] == LIT_UNKNOWN ? 0 : 1]);
    bool unknown = verdicts[0] == LIT_UNKNOWN || verdicts[1] == LIT_UNKNOWN;
    cli_contrast_hold(&a->arena, program_of(a, 0), &outcomes[0], &outcomes[1], &held);
    utf8_add_name(&shown,
                  session_test_shown(&a->arena, &a->r->settings, a->r->inputs.paths[input]));
    pack_number(out, input);
    pack_text(out, program_of(a, 0)->name);
    pack_text(out, strbuf_text(&shown));
    pack_text(out, question->beside);
    pack_number(out, size_of(program_of(a, 0)));
    pack_number(out, (uint64_t)verdicts[0]);
    pack_number(out, (uint64_t)verdicts[1]);
    pack_number(out, question->expect != NULL);
    pack_number(out, (uint64_t)session_ask_expected(question->expect));
    pack_text(out, unknown && doubt ? doubt : "");
    for (int side = 0; side < 2; side++) {
        pack_side(&held, side, out);
        outcome_fini(&outcomes[side]);
    }
    strbuf_fini(&shown);
}

/* The other half is the test's, and may be none. */
static bool can_load(struct asking *a, const struct question *question)
{
    for (int side = 0; side < 2; side++) {
        const struct session_model *model = load(a, question, side);
        if (model->model)
            continue;
        strbuf_add(a->err, model->faults);
        a->end = CLI_REVIEW_UNREAD;
        return false;
    }
    return true;
}

void cli_review_ask(struct cli_review *r, size_t input, struct session_parts parts,
                    struct strbuf *out, struct strbuf *err)
{
    struct cli_review_test test = {.apart = false};
    SCOPED(strbuf) rows = {0};
    struct asking a = {.r = r, .parts = parts, .test = &test, .err = err};
    uint64_t count = 0;
    if (begin(&a, r->inputs.paths[input]))
        EACH_IN (const struct question, question, a.questions)
            if (can_load(&a, question)) {
                pack_row(&a, input, question, &rows);
                count++;
            }
    pack_number(out, (uint64_t)a.end);
    pack_number(out, count);
    pack_bytes(out, strbuf_text(&rows), rows.length);
    end(&a);
    cli_review_test_fini(&test);
}

void cli_review_test_fini(struct cli_review_test *test)
{
    for (int side = 0; side < 1 + test->apart; side++)
        session_test_fini(&test->sides[side]);
}

static void take_side(struct arena *arena, struct unpack *from, int side,
                      struct report_compare_held *held)
{
    struct contrast_side *to = &held->contrast.sides[side];
    to->more = (enum contrast_more)unpack_number(from);
    to->undefined = unpack_number(from);
    to->doubt = unpack_copy(from, arena);
    to->doubt = *to->doubt ? to->doubt : NULL;
    to->count = (uint32_t)unpack_number(from);
    BASE_CHECK(to->count <= CONTRAST_KINDS);
    for (uint32_t i = 0; i < to->count; i++) {
        struct report_compare_states *states = &held->states[side][i];
        states->aspect = (enum agree_aspect)unpack_number(from);
        states->count = unpack_number(from);
        states->text = unpack_copy(from, arena);
        states->json = unpack_copy(from, arena);
        to->states[i] = (struct contrast_states){.aspect = states->aspect, .count = states->count};
    }
}

struct report_review_row cli_review_take(struct arena *arena, struct unpack *from)
{
    struct report_review_row row = {.held = {.held = true}};
    row.input = unpack_number(from);
    row.name = unpack_copy(from, arena);
    row.path = unpack_copy(from, arena);
    row.beside = unpack_copy(from, arena);
    row.size = unpack_number(from);
    row.verdicts[0] = (enum lit_verdict)unpack_number(from);
    row.verdicts[1] = (enum lit_verdict)unpack_number(from);
    row.expects = unpack_number(from);
    row.expected = (enum lit_verdict)unpack_number(from);
    row.doubt = unpack_copy(from, arena);
    row.doubt = *row.doubt ? row.doubt : NULL;
    for (int side = 0; side < 2; side++)
        take_side(arena, from, side, &row.held);
    return row;
}

/* ---- Pictures ---- */

/* The execution that decides a condition as only one model has it; the undefined one where a test is so
 * under one alone. NULL: there is none. */
static const struct report_execution *choose(const struct asking *a,
                                             const struct outcome outcomes[2],
                                             const struct cli_review_drawn *drawn,
                                             struct report_review_row *row)
{
    row->shown_by = row->verdicts[1] == LIT_UNDEFINED;
    const struct report_gallery *undefined = &drawn->galleries[row->shown_by];
    if (row->verdicts[row->shown_by] == LIT_UNDEFINED)
        return FIND(i, undefined->items.items, undefined->items.count,
                    undefined->items.items[i].undefined);
    for (uint32_t c = 0; c < program_of(a, 0)->condition_count; c++) {
        const struct lit_condition *condition = &program_of(a, 0)->conditions[c];
        enum lit_verdict verdicts[2];
        for (int side = 0; side < 2; side++)
            verdicts[side] = outcome_judge(&outcomes[side], program_of(a, side),
                                           &program_of(a, side)->conditions[c])
                                 .verdict;
        if (verdicts[0] == verdicts[1])
            continue;
        row->shown_by =
            verdicts[1] == (condition->quantifier == LIT_EXISTS ? LIT_OK : LIT_VIOLATED);
        return report_gallery_deciding(&drawn->galleries[row->shown_by], c);
    }
    return NULL;
}

static void draw(struct asking *a, const struct question *question, struct cli_review_drawn *drawn,
                 struct report_review_row *row)
{
    struct outcome outcomes[2];
    for (int side = 0; side < 2; side++) {
        const struct ask_show show = {NULL, &drawn->galleries[side]};
        const struct session_view view = ask_show_view(&show);
        const struct session_case asked = session_case_begin(
            &a->r->settings, load(a, question, side), program_of(a, side), a->parts);
        session_run(&asked, session_engine_alone, &outcomes[side], &view);
        outcomes[side].vacuity_is_meant = is_meant(question);
    }
    const struct report_execution *shown = choose(a, outcomes, drawn, row);
    row->graph = shown ? shown->graph : NULL;
    outcome_fini(&outcomes[0]);
    outcome_fini(&outcomes[1]);
}

void cli_review_draw(struct cli_review *r, struct session_parts parts,
                     struct cli_review_drawn *drawn, struct report_review_row *row)
{
    SCOPED(strbuf) err = {0};
    struct asking a = {.r = r, .parts = parts, .test = &drawn->test, .err = &err};
    bool read = begin(&a, r->inputs.paths[row->input]);
    const struct question *question = FIND(i, a.questions.items, a.questions.count,
                                           strcmp(a.questions.items[i].beside, row->beside) == 0);
    if (read && question && !question->visibility)
        draw(&a, question, drawn, row);
    end(&a);
}

void cli_review_drawn_fini(struct cli_review_drawn *drawn)
{
    report_gallery_fini(&drawn->galleries[0]);
    report_gallery_fini(&drawn->galleries[1]);
    cli_review_test_fini(&drawn->test);
}
