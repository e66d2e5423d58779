#include "litmus/lit_exercise.h"

#include "base/strbuf.h"

#include <string.h>

struct comparison {
    const struct lit_program *answer, *exercise;
    struct diag *diag;
};

static struct span head_of(const struct comparison *c)
{
    return (struct span){c->answer->source, c->answer->line, 1, c->answer->line, 2};
}

/* ---- Which test it is ---- */

static bool declares(const struct ast_test *test, const struct ast_init *wanted)
{
    const struct ast_init *init = test->inits.first;
    while (init && (init->thread != AST_NO_THREAD || init->name.text != wanted->name.text))
        init = init->next;
    return init != NULL;
}

bool lit_exercise_recognize(const struct ast_test *answer, const struct ast_test *exercise,
                            const struct source *source, struct diag *diag)
{
    const struct ast_init *init = exercise->inits.first;
    while (init && (init->thread != AST_NO_THREAD || declares(answer, init)))
        init = init->next;
    if (!init || strcmp(answer->name, exercise->name) == 0)
        return true;
    diag_error(diag, DIAG_CLI_EXERCISE, answer->header,
               "'%s' is another test than the exercise '%s' (%s): it has no '%s'; an answer is "
               "the file that the exercise begins with, and changes what its work-items do",
               answer->name, exercise->name, source->name, init->name.text);
    return false;
}

/* ---- Tags: masks over different lists of names ---- */

static bool has_all_tags(const struct lit_program *program, uint64_t tags,
                         const struct lit_program *other, uint64_t others)
{
    return !ANY(t, program->tag_count,
                (tags >> t & 1) && !(lit_program_tag(other, program->tags[t]) & others));
}

static bool same_tags(const struct comparison *c, uint64_t answer, uint64_t exercise)
{
    return has_all_tags(c->answer, answer, c->exercise, exercise) &&
           has_all_tags(c->exercise, exercise, c->answer, answer);
}

/* ---- Locations ---- */

static const struct lit_location *find_location(const struct lit_program *program, const char *name)
{
    return FIND(l, program->locations, program->location_count,
                strcmp(program->locations[l].name, name) == 0);
}

static bool same_location(const struct comparison *c, const struct lit_location *here,
                          const struct lit_location *there)
{
    return here->type == there->type && here->nvm == there->nvm && here->atomic == there->atomic &&
           here->init == there->init && here->spaces == there->spaces &&
           same_tags(c, here->tags, there->tags) &&
           strcmp(c->answer->locations[here->line].name,
                  c->exercise->locations[there->line].name) == 0;
}

static void compare_location(const struct comparison *c, const struct lit_location *there)
{
    const struct lit_location *here = find_location(c->answer, there->name);
    if (here && same_location(c, here, there))
        return;
    SCOPED(strbuf) value = {0};
    lit_value_print(there->type, there->init, &value);
    diag_error(c->diag, DIAG_CLI_EXERCISE, here && here->span.line ? here->span : head_of(c),
               "'%s' is %s here and in the exercise '%s%s%s %s = %s'; leave it as it is there, "
               "tags and line included",
               there->name, here ? "another one" : "missing", there->nvm ? "nvm " : "",
               there->atomic ? "atomic_" : "", lit_declare_type_name(there->type), there->name,
               strbuf_text(&value));
}

/* ---- Work-items ---- */

static const struct lit_register *find_register(const struct lit_thread *thread, const char *name)
{
    return FIND(r, thread->registers, thread->register_count,
                thread->registers[r].name && strcmp(thread->registers[r].name, name) == 0);
}

static int64_t first_value(const struct lit_thread *thread, const char *name)
{
    const struct lit_register *found = find_register(thread, name);
    return found ? found->init : 0;
}

static void compare_registers(const struct comparison *c, const struct lit_thread *here,
                              const struct lit_thread *there)
{
    for (uint32_t r = 0; r < here->register_count; r++) {
        const char *name = here->registers[r].name;
        if (name && here->registers[r].init != first_value(there, name))
            diag_error(c->diag, DIAG_CLI_EXERCISE, here->span,
                       "the register '%s' of %s has another first value than in the exercise; "
                       "give it none in the initial state",
                       name, here->name);
    }
}

static uint32_t crash_statements(const struct lit_thread *thread)
{
    return COUNT_IF(i, thread->code_count, thread->code[i].op == LIT_CRASH);
}

static void compare_thread(const struct comparison *c, const struct lit_thread *here,
                           const struct lit_thread *there)
{
    if (here->number != there->number || here->sg != there->sg || here->wg != there->wg ||
        here->kr != there->kr || here->dev != there->dev || !same_tags(c, here->tags, there->tags))
        diag_error(c->diag, DIAG_CLI_EXERCISE, here->span,
                   "%s is not where the exercise has %s: in sub-group %u, work-group %u, kernel "
                   "%u, device %u; leave its header as it is there",
                   here->name, there->name, there->sg, there->wg, there->kr, there->dev);
    if (crash_statements(here) != crash_statements(there))
        diag_error(c->diag, DIAG_CLI_EXERCISE, here->span,
                   "%s has %u crash statement%s and %u in the exercise: where power fails is not "
                   "for the answer to say",
                   here->name, crash_statements(here), crash_statements(here) == 1 ? "" : "s",
                   crash_statements(there));
    compare_registers(c, here, there);
}

static void compare_threads(const struct comparison *c, const char *what,
                            const struct lit_thread *here, uint32_t count,
                            const struct lit_thread *there, uint32_t wanted)
{
    if (count != wanted)
        diag_error(
            c->diag, DIAG_CLI_EXERCISE, head_of(c),
            "found %u work-item%s %s, and in the exercise there are %u; change what they do, "
            "not how many they are",
            count, count == 1 ? "" : "s", what, wanted);
    for (uint32_t t = 0; t < count && count == wanted; t++)
        compare_thread(c, &here[t], &there[t]);
}

void lit_exercise_compare(const struct lit_program *answer, const struct lit_program *exercise,
                          struct diag *diag)
{
    const struct comparison c = {answer, exercise, diag};
    for (uint32_t l = 0; l < exercise->location_count; l++)
        if (!exercise->locations[l].hidden)
            compare_location(&c, &exercise->locations[l]);
    compare_threads(&c, "in the program", answer->threads, answer->thread_count, exercise->threads,
                    exercise->thread_count);
    compare_threads(&c, "in recovery", answer->recovery, answer->recovery_count, exercise->recovery,
                    exercise->recovery_count);
    if (answer->recovery_count != exercise->recovery_count)
        return;
    if (answer->recovery_restartable != exercise->recovery_restartable ||
        answer->relaunch != exercise->relaunch)
        diag_error(diag, DIAG_CLI_EXERCISE, head_of(&c),
                   "the exercise has a recovery of another kind; leave the words behind 'recovery' "
                   "as they are there");
}
