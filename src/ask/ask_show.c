#include "ask/ask_show.h"

#include "report/report.h"
#include "run/run_reports.h"
#include "session/session_engines.h"

#include <string.h>

static enum report_telling telling(const struct ask_options *options)
{
    const char *words[ASK_MAX_WORDS], *word = options->executions;
    size_t count = ask_execution_words(NULL, words), at = 0;
    while (word && at < count && strcmp(words[at], word) != 0)
        at++;
    return word ? (enum report_telling)at : REPORT_UNTOLD;
}

bool ask_show_wants(const struct ask_options *options, struct report_gallery *gallery)
{
    gallery->telling = telling(options);
    gallery->wants_cuts = run_reports_have(options->reports, options->report_count, REPORT_CUTS);
    gallery->wants_reasons =
        gallery->telling || (options->sentences && !options->brief) ||
        run_reports_have(options->reports, options->report_count, REPORT_REASONS);
    return gallery->telling ||
           run_reports_have(options->reports, options->report_count, REPORT_EXECUTIONS);
}

static void print_witness(void *context, const struct engine_request *request,
                          const struct engine_witness *witness)
{
    const struct ask_show *show = context;
    if (show->out)
        report_witness(request, witness, show->out);
}

static void on_witness(void *context, const struct engine_request *request,
                       const struct engine_witness *witness)
{
    const struct ask_show *show = context;
    print_witness(context, request, witness);
    if (show->gallery)
        report_gallery_add(show->gallery, request, witness);
}

static void on_recovery(void *context, const struct engine_request *request,
                        const struct outcome_states *crash, const int64_t *start)
{
    const struct ask_show *show = context;
    if (!show->out)
        return;
    strbuf_add(show->out, "Recovery from ");
    report_text_row(request->program, crash->items, crash->width, start, show->out);
}

static void on_undefined(void *context, const struct engine_request *request,
                         const struct engine_witness *witness)
{
    const struct ask_show *show = context;
    if (show->gallery)
        report_gallery_add_undefined(show->gallery, request, witness);
}

struct session_view ask_show_view(const struct ask_show *show)
{
    return (struct session_view){on_witness, on_recovery, print_witness, on_undefined,
                                 (void *)show};
}

void ask_show_run(const struct ask_options *options, const struct session_case *question,
                  struct outcome *outcome, struct strbuf *out)
{
    const struct ask_show show = {options->dump_exec ? out : NULL, NULL};
    const struct session_view view = ask_show_view(&show);
    session_run(question, session_engine_find(options->settings.engine), outcome,
                options->dump_exec ? &view : NULL);
}

/* ---- What comes to a condition ---- */

static void on_reaching(void *context, const struct engine_request *request,
                        const struct engine_witness *witness)
{
    const struct ask_reaching *reaching = context;
    report_gallery_add_reaching(reaching->gallery, request, witness, reaching->condition);
}

static void on_near_miss(void *context, const struct engine_request *request,
                         const struct near_miss *miss)
{
    const struct ask_reaching *reaching = context;
    report_gallery_add_near_miss(reaching->gallery, request, miss, reaching->condition);
}

static void on_undefined_alone(void *context, const struct engine_request *request,
                               const struct engine_witness *witness)
{
    const struct ask_reaching *reaching = context;
    report_gallery_add_undefined(reaching->gallery, request, witness);
}

struct session_view ask_show_reaching(const struct ask_reaching *reaching)
{
    return (struct session_view){.on_witness = reaching->condition ? on_reaching : NULL,
                                 .on_undefined = reaching->condition ? NULL : on_undefined_alone,
                                 .context = (void *)reaching};
}

struct session_explain_view ask_show_reasons(const struct ask_reaching *reaching)
{
    return (struct session_explain_view){on_reaching, on_near_miss, (void *)reaching};
}

/* Is there a state that answers the test, by a condition that is answered as the test is? */
static bool has_told(const struct lit_program *program, const struct outcome *outcome)
{
    const enum lit_verdict verdict = outcome_verdict(outcome, program);
    if (verdict != LIT_OK && verdict != LIT_VIOLATED)
        return false;
    EACH (const struct lit_condition, condition, program->conditions, program->condition_count) {
        const struct outcome_judgement judgement = outcome_judge(outcome, program, condition);
        bool exists = condition->quantifier == LIT_EXISTS;
        if (condition->when != LIT_RECOVERED && judgement.verdict == verdict &&
            exists == (verdict == LIT_OK) && !judgement.vacuous)
            return true;
    }
    return false;
}

void ask_show_told(const struct session_case *question, const struct engine_entry *engine,
                   const struct outcome *outcome, struct report_gallery *gallery)
{
    const struct ask_show show = {NULL, gallery};
    const struct session_view view = ask_show_view(&show);
    gallery->undrawn = gallery->wants_reasons = true;
    if (!engine->trace && outcome->stats.events <= REPORT_MAX_DRAWN_EVENTS &&
        has_told(question->program, outcome))
        session_show(question, session_engine_of(engine, outcome), outcome, &view);
}

/* ---- Recovery ---- */

void ask_show_recoveries(const struct session_case *question, struct report_gallery *gallery)
{
    for (size_t i = 0; i < gallery->items.count; i++)
        if (gallery->items.items[i].cuts && gallery->items.items[i].cuts->recovery_count == 0)
            session_recover_cuts(question, gallery->items.items[i].cuts);
}

/* ---- Chains of recovery ---- */

struct chain {
    struct report_test test;
    uint32_t condition;
    struct report_gallery *gallery;
};

static void on_crash(void *context, const struct engine_request *request,
                     const struct engine_witness *witness)
{
    const struct chain *chain = context;
    report_gallery_add_chain(chain->gallery, request, witness, &chain->test, chain->condition);
}

void ask_show_chain(const struct session_case *question, const struct engine_entry *engine,
                    const struct outcome *outcome, uint32_t condition,
                    struct report_gallery *gallery)
{
    const struct outcome_chain *found = outcome->chains ? &outcome->chains[condition] : NULL;
    struct chain chain = {
        .test = {.program = question->program, .model = question->model->model, .outcome = outcome},
        .condition = condition,
        .gallery = gallery};
    const struct session_view view = {.on_witness = on_crash, .context = &chain};
    if (!found || !found->recovered || !found->link_count)
        return;
    const struct session_sought first = {true, found->links[0].start, outcome->starts.width};
    session_run_for(question, session_engine_of(engine, outcome), &first, &view);
}
