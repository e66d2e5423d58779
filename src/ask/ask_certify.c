#include "ask/ask_certify.h"

#include "run/run_checker.h"
#include "session/session_certify.h"

#include <string.h>

/* The next of the fields that tabs part. */
static const char *next_field(struct arena *arena, const char **line)
{
    size_t length = strcspn(*line, "\t");
    const char *field = arena_strndup(arena, *line, length);
    *line += length + ((*line)[length] == '\t');
    return field;
}

/* Why the checker does not stand for the verdict; NULL: it does. */
static const char *objection(int checker, struct arena *arena, const char *text,
                             enum lit_verdict verdict, struct run_result *result)
{
    struct strbuf answer = {0};
    if (!run_checker_ask(checker, text, &answer))
        strbuf_add(&answer, "the checker is gone");
    const char *line = arena_strdup(arena, strbuf_text(&answer)), *rest = line;
    strbuf_fini(&answer);
    const char *word = next_field(arena, &rest);
    if (!*rest)
        return word;
    (void)next_field(arena, &rest);
    (void)next_field(arena, &rest);
    const char *what = next_field(arena, &rest);
    bool certified = strcmp(word, "certified") == 0;
    if (certified && strcmp(what, lit_verdict_text(verdict)) == 0)
        return NULL;
    if (certified || strcmp(word, "refused") == 0)
        run_result_raise(result, RUN_EXIT_DISAGREE);
    return arena_printf(arena, "%s: %s", word, what);
}

/* Nothing that was found counts. */
static void doubt(struct outcome *outcome, const struct lit_program *program, const char *why)
{
    struct outcome unknown;
    outcome_init(&unknown, program);
    unknown.doubts[OUTCOME_DOUBT_CERTIFICATE] = true;
    unknown.uncertified = arena_printf(&unknown.arena, "no accepted certificate: %s", why);
    unknown.stats = outcome->stats;
    outcome_fini(outcome);
    *outcome = unknown;
}

struct report_certificate ask_certify(int checker, struct arena *arena,
                                      const struct session_case *question,
                                      struct session_answers *answers, struct run_result *result)
{
    static const bool yes = true, no = false;
    const struct lit_program *program = question->program;
    struct outcome *outcome = &answers->outcomes[0];
    struct report_certificate told = {.lacks = "a machine's runs are no claim about a model"};
    if (!answers->engines[0]->trace)
        told = session_certify(arena, question, outcome);
    if (!question->settings->certified)
        return told;
    const char *why = told.lacks;
    if (!why)
        why = objection(checker, arena, told.text, outcome_verdict(outcome, program), result);
    told.accepted = why ? &no : &yes;
    told.lacks = why;
    *(why ? &result->uncertified : &result->certified) += 1;
    if (why && outcome_verdict(outcome, program) != LIT_UNKNOWN)
        doubt(outcome, program, why);
    return told;
}
