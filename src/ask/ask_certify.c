#include "ask/ask_certify.h"

#include "ask/ask_certify_states.h"
#include "base/utf8.h"
#include "run/run_checker.h"
#include "session/session_certify.h"

#include <string.h>

/* Of what the checker says in a message: it may be anything. */
enum { MOST_SHOWN = 300 };

/* The field after `line` begins, up to a tab or the end; `line` is moved behind it. */
static const char *next_field(struct arena *arena, const char **line)
{
    size_t length = strcspn(*line, "\t");
    const char *field = arena_strndup(arena, *line, length);
    *line += length + ((*line)[length] == '\t');
    return field;
}

/* NULL: it accepts the certificate, and says the same verdict. */
static const char *object_to(struct arena *arena, const char *answer, const char *subject,
                             enum lit_verdict verdict, bool *disputed)
{
    const char *line = arena_strndup(arena, answer, strcspn(answer, "\n"));
    const char *rest = line, *word = next_field(arena, &rest);
    const size_t length = strlen(subject);
    bool certified = strcmp(word, "certified") == 0, refused = strcmp(word, "refused") == 0;
    if (strncmp(rest, subject, length) != 0 || rest[length] != '\t')
        return arena_printf(arena, "the checker's answer is about something else: %s", line);
    rest += length + 1;
    const char *what = next_field(arena, &rest);
    if (certified && strcmp(what, lit_verdict_text(verdict)) == 0)
        return NULL;
    *disputed = certified || refused;
    return certified ? arena_printf(arena, "the checker says %s, %s", what, rest)
                     : arena_printf(arena, "%s: %s", word, what);
}

/* Why the checker does not stand for the verdict; NULL: it does. */
static const char *objection(int checker, struct arena *arena, struct report_certificate *told,
                             const struct session_case *question, const struct outcome *listed)
{
    SCOPED(strbuf) answer = {0};
    SCOPED(strbuf) shown = {0};
    const enum lit_verdict verdict = outcome_verdict(listed, question->program);
    const char *why = NULL;
    if (run_checker_ask(checker, told->text, &answer)) {
        why = object_to(arena, strbuf_text(&answer), told->subject, verdict, &told->disputed);
        const char *odd =
            why ? NULL : ask_certify_compare(arena, question, listed, strbuf_text(&answer));
        told->disputed |= odd != NULL;
        why = why ? why : odd;
    } else
        why = strbuf_text(&answer);
    if (!why)
        return NULL;
    utf8_add_name(&shown, arena_printf(arena, "%.*s", MOST_SHOWN, why));
    return arena_strdup(arena, strbuf_text(&shown));
}

/* Nothing that was found counts. */
static void doubt(struct session_answers *answers, uint32_t number,
                  const struct lit_program *program, const char *why)
{
    struct outcome unknown;
    outcome_init(&unknown, program);
    unknown.doubts[OUTCOME_DOUBT_CERTIFICATE] = true;
    unknown.uncertified = arena_printf(&unknown.arena, "no accepted certificate: %s", why);
    unknown.stats = answers->outcomes[number].stats;
    session_answers_replace(answers, number, &unknown);
}

/* The first engine's certificate is for all that say the same. */
static void doubt_all(struct session_answers *answers, const struct lit_program *program,
                      const char *why)
{
    const enum lit_verdict first = outcome_verdict(&answers->outcomes[0], program);
    for (uint32_t i = answers->asked; i-- > 0;) {
        enum lit_verdict verdict = outcome_verdict(&answers->outcomes[i], program);
        const char *reason = why ? why
                             : answers->engines[i]->trace
                                 ? "a machine's runs are no claim about a model"
                             : verdict != first ? "another engine's answer has it"
                                                : NULL;
        if (reason && verdict != LIT_UNKNOWN)
            doubt(answers, i, program, reason);
    }
}

struct report_certificate ask_certify(int checker, struct arena *arena,
                                      const struct session_case *question,
                                      struct session_answers *answers, struct run_result *result)
{
    static const bool yes = true, no = false;
    SCOPED(outcome) listed;
    struct report_certificate told =
        session_certify(arena, question, &answers->outcomes[0], &listed);
    if (!question->settings->certified)
        return told;
    const char *why = told.lacks ? told.lacks : objection(checker, arena, &told, question, &listed);
    told.accepted = why ? &no : &yes;
    told.lacks = why;
    if (told.disputed)
        run_result_raise(result, RUN_EXIT_DISAGREE);
    result->counts[why ? RUN_UNCERTIFIED : RUN_CERTIFIED]++;
    doubt_all(answers, question->program, why);
    return told;
}
