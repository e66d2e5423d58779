/* What `place` says of a test, as edits: what would repair it under the model pairs that find it
 * wrong, or what is wider than needed under those that do not. Each edit is one filling as a whole,
 * which was checked as such. It is minimal, unless it says that less may do. */
#include "ask/ask_wide.h"
#include "base/json.h"
#include "sketch/sites.h"
#include "lsp/lsp_question.h"
#include "place/place_weigh.h"
#include "report/report_string.h"
#include "session/session_ask.h"
#include "session/session_refine.h"

#include <string.h>

enum { MOST_FIXES = 8 };

struct mending {
    const struct lsp_question *question;
    struct session_settings settings;
    struct session_parts parts;
    struct arena arena;
    struct diag diag;
    struct intern *names;
    struct session_models *models;
    struct session_test test;
    const struct source *source;
    const struct sketch *sketches[2]; /* by aim */
    bool tried[2];
    bool repairs; /* in this round; else it narrows */
    struct strbuf *out, text;
    uint32_t fixes, asked;
};

/* ---- Edits ---- */

static void add_edit(const struct mending *m, const struct change *change)
{
    const struct span span = change_span(m->source, change);
    SCOPED(strbuf) text = {0};
    change_add_text(m->source, change, &text);
    emit_object(m->out, NULL);
    lsp_range_add(m->out, "range", lsp_position_of(m->source, span.line, span.column),
                  lsp_position_of(m->source, span.end_line, span.end_column));
    emit_string(m->out, "newText", strbuf_text(&text));
    emit_end(m->out, '}');
}

static void add_fix(struct mending *m, const struct report_place *report, uint32_t filling)
{
    const struct changes *changes = report_place_changes(report, filling);
    SCOPED(strbuf) title = {0};
    strbuf_printf(&title, "%s under %s + %s: ", m->repairs ? "Repair" : "Narrow",
                  report->visibility, report->persistency);
    report_place_sentence(report, filling, &title);
    if (report->placement->fillings[filling].unreduced)
        strbuf_printf(&title, "; %s", report_place_unreduced);
    emit_object(m->out, NULL);
    emit_string(m->out, "title", strbuf_text(&title));
    emit_array(m->out, "edits");
    for (uint32_t i = 0; i < changes->count; i++)
        add_edit(m, &changes->items[i]);
    emit_end(m->out, ']');
    emit_end(m->out, '}');
    m->fixes++;
}

/* Of definition files nothing is changed here. */
static bool is_of_test_alone(const struct report_place *report, uint32_t filling)
{
    const struct changes *changes = report_place_changes(report, filling);
    for (uint32_t f = 1; f < report->placement->sketch->file_count; f++)
        if (changes[f].count)
            return false;
    return changes[0].count > 0;
}

/* ---- The question ---- */

static const struct sketch *sketch_of(struct mending *m)
{
    const struct lit_surroundings surroundings = {.reach = &m->settings.reach,
                                                  .folder = m->test.folder,
                                                  .uses = m->settings.uses,
                                                  .uses_count = m->settings.uses_count};
    const struct sites_wish wish = {.aim = m->repairs ? SITES_REPAIR : SITES_NARROW,
                                    .surroundings = &surroundings};
    if (!m->tried[m->repairs])
        m->sketches[m->repairs] = sites_sketch(&m->arena, m->names, &m->source, 1, &wish, &m->diag);
    m->tried[m->repairs] = true;
    return m->sketches[m->repairs];
}

static void find_fixes(struct mending *m, const struct place_question *asked)
{
    struct placement placement = {.sketch = asked->sketch};
    const char *titles[] = {m->test.program->name};
    uint32_t shown[MOST_FIXES];
    struct place_weights weights;
    struct report_document document;
    place_answer(&m->arena, asked, &placement);
    place_weights_init(&weights);
    place_order(&weights, &m->arena, &placement, m->repairs);
    struct changes *changes =
        ARENA_ARRAY(&m->arena, struct changes, (size_t)placement.count * asked->sketch->file_count);
    struct report_place report = {.titles = titles,
                                  .visibility = asked->model->model->visibility,
                                  .persistency = asked->model->model->persistency,
                                  .placement = &placement,
                                  .shown = shown,
                                  .changes = changes};
    for (uint32_t i = 0; i < placement.count && report.shown_count < MOST_FIXES; i++) {
        for (uint32_t f = 0; f < asked->sketch->file_count; f++)
            changes[(size_t)i * asked->sketch->file_count + f] =
                changes_of(&m->arena, placement.sketch, &placement.fillings[i].filling, f);
        if (!placement.fillings[i].disputed_by)
            shown[report.shown_count++] = i;
    }
    for (uint32_t i = 0; i < report.shown_count && m->fixes < MOST_FIXES; i++)
        if (is_of_test_alone(&report, shown[i]))
            add_fix(m, &report, shown[i]);
    report_document_begin(&document, "text", REPORT_SCREEN);
    report_document_add(&document, &report_place, &report);
    report_document_end(&document, &report_place, NULL, &m->text);
}

/* Under that pair, if what is there does, or does not, as the round has it. */
static void mend_under(struct mending *m, const struct session_model *model)
{
    const struct sketch *sketch = sketch_of(m);
    if (!sketch || !sketch->choice_count)
        return;
    const struct place_question asked = {.sketch = sketch,
                                         .settings = &m->settings,
                                         .model = model,
                                         .parts = m->parts,
                                         .settled = &m->test.program,
                                         .seconds = m->settings.timeout_seconds};
    const struct sketch_filling present = sketch_as_it_is(sketch);
    const struct place_tried tried = ask_wide_try(&m->arena, &asked, &present);
    if (tried.answer != (m->repairs ? PLACE_REFUSED : PLACE_ACCEPTED))
        return;
    m->asked++;
    find_fixes(m, &asked);
}

/* What is expected to be wrong is repaired when that is what is asked for. */
static bool is_wanted(const struct mending *m, const struct session_pair *pair)
{
    const struct lit_expect *expect = session_ask_expectation(
        m->test.program, pair->visibility, pair->persistency, m->settings.engine);
    return !pair->asked_at || m->question->kind == LSP_REPAIR ||
           session_ask_expected(expect) == LIT_OK;
}

static void answer_pair(void *context, const struct session_pair *pair)
{
    struct mending *m = context;
    if (!is_wanted(m, pair))
        return;
    struct cat_asker asker = session_pair_asker(&m->settings, m->test.folder, pair);
    const struct session_model *model =
        session_models_get(m->models, &asker, pair->visibility, pair->persistency);
    strbuf_add(&m->text, model->faults);
    if (model->model)
        mend_under(m, model);
}

static void answer_round(struct mending *m, bool repairs)
{
    m->repairs = repairs;
    session_ask_each_pair(&m->settings, m->test.program, answer_pair, m);
}

static void answer(struct mending *m)
{
    enum lsp_kind kind = m->question->kind;
    if (!m->test.program || !session_refine(&m->test, &m->settings, m->models, m->parts)) {
        diag_render(&m->test.diag, &m->text);
        return;
    }
    if (kind != LSP_NARROW)
        answer_round(m, true);
    if (kind == LSP_NARROW || (kind == LSP_MEND && !m->asked))
        answer_round(m, false);
}

static const char *summary_of(const struct mending *m)
{
    if (!m->test.program)
        return "the test cannot be read";
    if (m->fixes)
        return m->repairs ? "there are repairs" : "less will do";
    if (!m->asked)
        return m->question->kind == LSP_REPAIR ? "nothing is to be repaired"
                                               : "nothing is to be narrowed";
    return m->repairs ? "no repair was found" : "nothing is wider than needed";
}

void lsp_mend(const struct lsp_question *question, struct session_parts parts, struct strbuf *out)
{
    struct mending m = {.question = question,
                        .settings = question->options->settings,
                        .parts = parts,
                        .names = intern_new(),
                        .models = session_models_new(),
                        .out = out};
    lsp_read_test(question, &m.test);
    m.source = m.test.program ? m.test.program->source : NULL;
    emit_array(out, "fixes");
    answer(&m);
    emit_end(out, ']');
    diag_render(&m.diag, &m.text);
    emit_string(out, "summary", summary_of(&m));
    emit_string(out, "text", strbuf_text(&m.text));
    strbuf_fini(&m.text);
    session_test_fini(&m.test);
    session_models_free(m.models);
    intern_free(m.names);
    diag_fini(&m.diag);
    arena_fini(&m.arena);
}
