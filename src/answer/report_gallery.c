#include "answer/report_gallery.h"

/* The first condition, without an execution yet, that this state decides; 64 when none. */
static uint32_t decides(const struct report_gallery *gallery, const struct engine_request *request,
                        const struct engine_witness *witness)
{
    const struct lit_program *program = request->program;
    const struct outcome_states states = {.items = witness->items, .width = witness->width};
    enum lit_when when = witness->cut ? LIT_CRASHED : LIT_FINAL;
    for (uint32_t i = 0; i < program->condition_count && i < 64; i++) {
        const struct lit_condition *condition = &program->conditions[i];
        if (condition->when == when && !(gallery->decided >> i & 1) &&
            outcome_satisfies(&states, witness->row, program, condition->prop) ==
                (condition->quantifier != LIT_FORALL))
            return i;
    }
    return 64;
}

static void add_note(const struct lit_condition *condition, struct strbuf *out)
{
    strbuf_printf(out, "%s %s", condition->quantifier == LIT_EXISTS ? "satisfies" : "breaks",
                  condition->text);
}

/* As `explain` tells it of a state that is reached, from the execution alone: no solver is asked.
 */
static struct explanation *how(const struct engine_request *request,
                               const struct engine_witness *witness, uint32_t condition)
{
    struct explanation *explanation = base_realloc(NULL, sizeof *explanation);
    explanation_init(explanation);
    explanation->about = &request->program->conditions[condition];
    explanation->answer = EXPLANATION_REACHABLE;
    explanation_show(explanation, request, witness);
    explanation_keep_next_gaps(explanation);
    explanation_find_why_not(explanation, request, witness);
    return explanation;
}

static void keep_state(struct arena *arena, const struct engine_witness *witness,
                       struct report_execution *kept)
{
    struct lit_atom *items = ARENA_ARRAY(arena, struct lit_atom, witness->width);
    int64_t *row = ARENA_ARRAY(arena, int64_t, witness->width);
    for (uint32_t i = 0; i < witness->width; i++) {
        items[i] = witness->items[i];
        row[i] = witness->row[i];
    }
    kept->columns = (struct outcome_states){.items = items, .width = witness->width};
    kept->row = row;
}

static const struct near_miss *keep_miss(struct arena *arena, const struct near_miss *miss)
{
    struct near_miss *kept = ARENA_NEW(arena, struct near_miss);
    struct near_miss_rule *rules = ARENA_ARRAY(arena, struct near_miss_rule, miss->count);
    for (uint32_t i = 0; i < miss->count; i++)
        rules[i] = (struct near_miss_rule){miss->rules[i].kind, miss->rules[i].check, NULL, NULL};
    *kept = (struct near_miss){NULL, miss->condition, rules, miss->count};
    return kept;
}

static void keep(struct report_gallery *gallery, const struct engine_request *request,
                 const struct engine_witness *witness, struct report_execution kept,
                 const char *note, const struct near_miss *broken)
{
    struct strbuf text = {0};
    report_row(request->program, witness->items, witness->width, witness->row, &text);
    kept.state = strbuf_take(&text, &gallery->texts);
    keep_state(&gallery->texts, witness, &kept);
    if (!gallery->undrawn)
        report_witness(request, witness, &text);
    kept.text = strbuf_take(&text, &gallery->texts);
    kept.graph = gallery->undrawn ? NULL : report_graph_new(request, witness, note);
    kept.note = arena_strdup(&gallery->texts, note);
    if (gallery->wants_reasons && kept.decides && !broken)
        kept.how = how(request, witness, kept.condition);
    if (broken)
        kept.miss = keep_miss(&gallery->texts, broken);
    if (gallery->wants_cuts && !kept.undefined)
        kept.cuts = cuts_new(request, witness, broken);
    VEC_PUSH(&gallery->items, kept);
}

void report_gallery_add(struct report_gallery *gallery, const struct engine_request *request,
                        const struct engine_witness *witness)
{
    if (gallery->items.count >= REPORT_MAX_EXECUTIONS)
        return;
    uint32_t condition = decides(gallery, request, witness);
    if (condition < 64)
        gallery->decided |= UINT64_C(1) << condition;
    else if (gallery->decided || gallery->others++ >= REPORT_OTHER_EXECUTIONS)
        return;
    SCOPED(strbuf) note = {0};
    if (condition < 64)
        add_note(&request->program->conditions[condition], &note);
    keep(gallery, request, witness,
         (struct report_execution){
             .crash = witness->cut != NULL, .decides = condition < 64, .condition = condition},
         strbuf_text(&note), NULL);
}

void report_gallery_add_undefined(struct report_gallery *gallery,
                                  const struct engine_request *request,
                                  const struct engine_witness *witness)
{
    if (gallery->has_undefined)
        return;
    gallery->has_undefined = true;
    keep(gallery, request, witness, (struct report_execution){.undefined = true},
         "undefined behaviour", NULL);
}

void report_gallery_add_chain(struct report_gallery *gallery, const struct engine_request *request,
                              const struct engine_witness *witness, const struct report_test *test,
                              uint32_t condition)
{
    const struct outcome_chain *chain = &test->outcome->chains[condition];
    SCOPED(strbuf) note = {0};
    if (gallery->items.count >= REPORT_MAX_EXECUTIONS)
        return;
    strbuf_printf(&note, "from where recovery ");
    add_note(&request->program->conditions[condition], &note);
    keep(gallery, request, witness,
         (struct report_execution){.crash = true, .decides = true, .condition = condition},
         strbuf_text(&note), NULL);
    gallery->decided |= condition < 64 ? UINT64_C(1) << condition : 0;
    strbuf_clear(&note);
    add_note(&request->program->conditions[condition], &note);
    struct report_execution *kept = &VEC_LAST(&gallery->items);
    for (uint32_t i = 0; i < chain->link_count && !gallery->undrawn; i++) {
        struct report_graph *graph = report_graph_of_link(test, chain, i, strbuf_text(&note));
        if (graph)
            VEC_PUSH(&kept->recoveries, graph);
    }
}

/* The model without what tells undefined behaviour and raises flags: that is not what excludes a
 * state, and must not be marked as if it were. */
static struct cat_model with_checks_alone(struct arena *arena, const struct cat_model *model)
{
    struct cat_model bare = *model;
    struct cat_check *checks = ARENA_ARRAY(arena, struct cat_check, model->check_count + 1u);
    bare.check_count = 0;
    for (uint32_t i = 0; i < model->check_count; i++)
        if (model->checks[i].kind == CAT_CHECK)
            checks[bare.check_count++] = model->checks[i];
    bare.checks = checks;
    return bare;
}

static void keep_explaining(struct report_gallery *gallery, const struct engine_request *request,
                            const struct engine_witness *witness, struct strbuf *note,
                            const struct near_miss *broken)
{
    SCOPED(arena) arena = {0};
    struct engine_request drawn = *request;
    SCOPED(strbuf) whole = {0};
    const struct cat_model bare = with_checks_alone(&arena, request->model);
    drawn.model = &bare;
    strbuf_add(&whole, gallery->as_if_defined ? "undefined; as if it were defined: " : "");
    strbuf_add(&whole, strbuf_text(note));
    gallery->decided |= 1; /* a gallery of one condition */
    keep(gallery, &drawn, witness,
         (struct report_execution){.crash = witness->cut != NULL, .decides = true},
         strbuf_text(&whole), broken);
    strbuf_fini(note);
}

void report_gallery_add_reaching(struct report_gallery *gallery,
                                 const struct engine_request *request,
                                 const struct engine_witness *witness,
                                 const struct lit_condition *condition)
{
    struct strbuf note = {0};
    add_note(condition, &note);
    keep_explaining(gallery, request, witness, &note, NULL);
}

void report_gallery_add_near_miss(struct report_gallery *gallery,
                                  const struct engine_request *request,
                                  const struct near_miss *miss,
                                  const struct lit_condition *condition)
{
    struct strbuf note = {0};
    report_near_miss(request, miss, &note);
    keep_explaining(gallery, request, miss->witness, &note, miss);
    struct report_graph *graph = VEC_LAST(&gallery->items).graph;
    if (graph) {
        graph->forbidden = true;
        graph->condition = arena_printf(&graph->arena, "asked: %s", condition->text);
    }
}

const struct report_execution *report_gallery_deciding(const struct report_gallery *gallery,
                                                       uint32_t condition)
{
    for (size_t i = 0; gallery && i < gallery->items.count; i++)
        if (gallery->items.items[i].decides && gallery->items.items[i].condition == condition)
            return &gallery->items.items[i];
    return NULL;
}

void report_gallery_remark(struct report_gallery *gallery, const char *remark)
{
    gallery->remark = arena_strdup(&gallery->texts, remark);
}

bool report_gallery_answers(const struct report_gallery *gallery, size_t number)
{
    const struct report_execution *execution = &gallery->items.items[number];
    if (gallery->has_undefined)
        return execution->undefined;
    return gallery->decided ? execution->decides : number == 0;
}

bool report_gallery_tells(const struct report_gallery *gallery, size_t number)
{
    const struct report_execution *execution = &gallery->items.items[number];
    return execution->decides || execution->undefined ||
           !(gallery->decided || gallery->has_undefined);
}

void report_gallery_fini(struct report_gallery *gallery)
{
    for (size_t i = 0; i < gallery->items.count; i++) {
        if (gallery->items.items[i].how)
            explanation_fini(gallery->items.items[i].how);
        base_free(gallery->items.items[i].how);
        report_graph_free(gallery->items.items[i].graph);
        cuts_free(gallery->items.items[i].cuts);
        for (size_t k = 0; k < gallery->items.items[i].recoveries.count; k++)
            report_graph_free(gallery->items.items[i].recoveries.items[k]);
        VEC_FREE(&gallery->items.items[i].recoveries);
    }
    VEC_FREE(&gallery->items);
    arena_fini(&gallery->texts);
}
