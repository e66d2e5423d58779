/* Both become lines, "crash x=1; y=2;", each with its values sorted; then the lines are sorted. */
#include "ask/ask_certify_states.h"

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) text_list;

static void sort(text_list *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, text_order);
}

/* A line with its words sorted; behind the kind stands a tab. */
static const char *in_order(struct arena *arena, const char *line, size_t length)
{
    char *copy = arena_strndup(arena, line, length), *save = NULL;
    struct strbuf text = {0};
    text_list words = {0};
    for (char *word = strtok_r(copy, " \t", &save); word; word = strtok_r(NULL, " \t", &save))
        VEC_PUSH(&words, word);
    if (words.count > 1)
        qsort(words.items + 1, words.count - 1, sizeof *words.items, text_order);
    for (size_t i = 0; i < words.count; i++)
        strbuf_printf(&text, "%s%s", i ? " " : "", words.items[i]);
    VEC_FREE(&words);
    return strbuf_take(&text, arena);
}

/* The lines behind the first, which begin with a blank. */
static void list_said(struct arena *arena, const char *answer, text_list *list)
{
    const char *line = strchr(answer, '\n');
    while (line && line[1]) {
        size_t length = strcspn(++line, "\n");
        VEC_PUSH(list, in_order(arena, line, length));
        line = strchr(line, '\n');
    }
    sort(list);
}

static void list_states(struct arena *arena, const struct lit_program *program, const char *kind,
                        const struct outcome_states *states, text_list *list)
{
    for (size_t i = 0; i < states->count; i++) {
        SCOPED(strbuf) row = {0};
        strbuf_printf(&row, "%s ", kind);
        report_row(program, states->items, states->width, outcome_row(states, i), &row);
        if (states->width)
            strbuf_add_char(&row, ';');
        VEC_PUSH(list, in_order(arena, strbuf_text(&row), row.length));
    }
}

/* Other flags are crashlit's own, or are verdicts there. */
static bool is_of_model(const struct cat_model *model, const char *flag)
{
    return ANY(c, model->check_count,
               model->checks[c].kind == CAT_FLAG && strcmp(model->checks[c].name, flag) == 0);
}

static void list_found(struct arena *arena, const struct session_case *question,
                       const struct outcome *outcome, text_list *list)
{
    const struct lit_program *program = question->program;
    list_states(arena, program, "final", &outcome->final, list);
    list_states(arena, program, "crash", &outcome->crash, list);
    if (program->recovery_count) {
        const struct lit_program recovery = lit_recovery_program(program);
        list_states(arena, &recovery, "recovered", &outcome->recovered, list);
    }
    for (size_t i = 0; i < outcome->flags.count; i++)
        if (is_of_model(question->model->model, outcome->flags.items[i]))
            VEC_PUSH(list, arena_printf(arena, "flag %s", outcome->flags.items[i]));
    sort(list);
}

static bool is_list(const struct outcome *outcome)
{
    return !outcome->undefined.count && !outcome_any_doubt(outcome) && !outcome->final.product &&
           !outcome->crash.product && !outcome->recovered.product;
}

const char *ask_certify_compare(struct arena *arena, const struct session_case *question,
                                const struct outcome *outcome, const char *answer)
{
    text_list said = {0}, found = {0};
    size_t i = 0;
    if (!is_list(outcome))
        return NULL;
    list_said(arena, answer, &said);
    list_found(arena, question, outcome, &found);
    while (i < said.count && i < found.count && strcmp(said.items[i], found.items[i]) == 0)
        i++;
    bool more = i < said.count && (i == found.count || strcmp(said.items[i], found.items[i]) < 0);
    const char *odd = more ? said.items[i] : i < found.count ? found.items[i] : NULL;
    VEC_FREE(&said);
    VEC_FREE(&found);
    return odd ? arena_printf(
                     arena, more ? "the checker finds %s as well" : "the checker does not find %s",
                     odd)
               : NULL;
}
