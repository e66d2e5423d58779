/* place_tells: by the nodes of the model that checks and the crash contract need. */
#include "place/place_tells.h"

#include "engine/naive.h"
#include "exec/exec_basis.h"
#include "place/place_align.h"
#include "place/place_frame.h"
#include "session/session_filling.h"

#include <string.h>

struct telling {
    const struct cat_model *model;
    const struct lit_program *program;
    const struct lit_instr *instr; /* a fence or cache maintenance without a memory order */
};

static bool has_tag(const struct telling *t, const struct cat_node *node)
{
    const struct cat_tagged *tagged = &t->model->tagged[node->base];
    return tagged->bearer == CAT_BY_INSTRUCTION &&
           (t->instr->tags & lit_program_tag(t->program, tagged->tag));
}

static bool is_order(const struct cat_basis *basis, uint32_t base)
{
    static const char *const orders[] = {"RLX", "ACQ", "REL", "ACQ_REL", "SC"};
    return ANY(i, sizeof orders / sizeof *orders, strcmp(basis->names[base].name, orders[i]) == 0);
}

/* Is the instruction's event never in the set, in any execution? */
static bool is_never_in(const struct telling *t, cat_node_id id)
{
    const struct cat_node *node = &t->model->nodes[id];
    switch (node->op) {
    case CAT_BASE: return is_order(t->model->basis, node->base);
    case CAT_TAGGED:
        return t->model->tagged[node->base].bearer == CAT_BY_INSTRUCTION && !has_tag(t, node);
    case CAT_EMPTY: return true;
    case CAT_UNION: return is_never_in(t, node->a) && is_never_in(t, node->b);
    case CAT_INTER: return is_never_in(t, node->a) || is_never_in(t, node->b);
    case CAT_DIFF: return is_never_in(t, node->a);
    default: return false;
    }
}

/* Does the model use the set of all events of this kind, other than by intersections which the
 * instruction's event is never in? */
static bool is_used(const struct telling *t, const bool *needed, cat_node_id kind)
{
    for (cat_node_id id = kind + 1; id < t->model->node_count; id++) {
        const struct cat_node *node = &t->model->nodes[id];
        if (needed[id] && (node->a == kind || node->b == kind) &&
            (node->op != CAT_INTER || !is_never_in(t, id)))
            return true;
    }
    return false;
}

bool place_tells(struct arena *scratch, const struct cat_model *model,
                 const struct lit_program *program, const struct lit_instr *instr)
{
    const struct telling t = {model, program, instr};
    const bool *needed[] = {naive_needed(scratch, model, CAT_CHECK),
                            naive_needed(scratch, model, CAT_UNDEFINED_UNLESS),
                            naive_needed(scratch, model, CAT_FLAG)};
    const char *kind = instr->op == LIT_FENCE ? "F" : "CM";
    if ((instr->op != LIT_FENCE && instr->op != LIT_CM) || instr->order != LIT_ORDER_NA)
        return true;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        for (cat_node_id id = 0; id < model->node_count; id++) {
            const struct cat_node *node = &model->nodes[id];
            bool is_kind =
                node->op == CAT_BASE && strcmp(model->basis->names[node->base].name, kind) == 0;
            bool is_token = node->op == CAT_BASE && node->base == EXEC_REL_TOKEN;
            if (needed[k][id] && (is_token || (node->op == CAT_TAGGED && has_tag(&t, node)) ||
                                  (is_kind && is_used(&t, needed[k], id))))
                return true;
        }
    return false;
}

/* ---- Of a sketch ---- */

/* Does the model speak of what the filling adds to the test? In doubt yes, as when it makes no
 * test. */
static bool tells_of_added(const struct place_question *question,
                           const struct sketch_filling *filling,
                           const struct sketch_filling *before, uint32_t file)
{
    struct session_test whole, part;
    SCOPED(arena) scratch = {0};
    bool added = false, tells = false;
    bool read = session_filling_read(&whole, question->settings, question->sketch, filling, file);
    read = session_filling_read(&part, question->settings, question->sketch, before, file) && read;
    for (int recovery = 0; read && recovery < 2; recovery++) {
        const struct lit_program with = place_part(whole.program, recovery);
        const struct lit_program without = place_part(part.program, recovery);
        const struct lit_instr *const *const *pairs = place_align(&scratch, &with, &without);
        for (uint32_t t = 0; pairs && t < with.thread_count; t++)
            for (uint32_t i = 0; i < with.threads[t].code_count; i++)
                if (!pairs[t][i]) {
                    added = true;
                    tells |= place_tells(&scratch, question->model->model, &with,
                                         &with.threads[t].code[i]);
                }
    }
    session_test_fini(&part);
    session_test_fini(&whole);
    return tells || !added;
}

const char *const *place_told(struct arena *arena, const struct place_question *question,
                              uint32_t *count)
{
    const struct sketch *sketch = question->sketch;
    VEC(const char *) seen = {NULL, 0, 0}, told = {NULL, 0, 0};
    struct sketch_filling before = {{0}};
    for (uint32_t c = 0; c < sketch->choice_count; c++)
        before.value[c] =
            (uint8_t)(sketch->choices[c].original > 0 ? sketch->choices[c].original : 0);
    for (uint32_t c = 0; c < sketch->choice_count; c++) {
        const struct sketch_choice *choice = &sketch->choices[c];
        for (uint32_t v = 1; choice->kind == LIT_OPEN_SLOT && v < choice->value_count; v++) {
            struct sketch_filling filling = before;
            bool is_new = true;
            for (size_t i = 0; i < seen.count; i++)
                is_new = is_new && strcmp(seen.items[i], choice->values[v].label) != 0;
            if (!is_new)
                continue;
            const uint32_t file = choice->places[0].file;
            filling.value[c] = (uint8_t)v;
            VEC_PUSH(&seen, choice->values[v].label);
            if (tells_of_added(question, &filling, &before, file < sketch->given_count ? file : 0))
                VEC_PUSH(&told, choice->values[v].label);
        }
    }
    *count = (uint32_t)told.count;
    const char *const *labels = VEC_KEEP(arena, &told);
    VEC_FREE(&told);
    VEC_FREE(&seen);
    return labels;
}
