#include "generate/gen_expect.h"

#include "session/session_engines.h"
#include "session/session_run.h"
#include "session/session_test.h"

#include <string.h>

/* "enum says ok", with the reason where it is not known. */
static void add_opinion(struct strbuf *out, const struct engine_entry *engine,
                        enum lit_verdict verdict, const char *doubt)
{
    strbuf_printf(out, "%s%s says %s", out->length ? ", " : "", engine->name,
                  lit_verdict_text(verdict));
    if (verdict == LIT_UNKNOWN && doubt)
        strbuf_printf(out, " (%s)", doubt);
}

static struct gen_answer ask_pair(struct arena *arena, const struct session_settings *settings,
                                  const struct session_model *model, struct session_parts parts,
                                  const struct lit_program *program)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    uint32_t count = session_engines_of(SESSION_ALL_ENGINES, engines), asked = 0;
    SCOPED(strbuf) opinions = {0};
    struct gen_answer answer = {LIT_UNKNOWN, NULL};
    bool agreed = true;
    for (uint32_t i = 0; i < count; i++) {
        struct outcome outcome;
        if (session_engine_is_machine(engines[i]->name))
            continue;
        const struct session_case question = session_case_begin(settings, model, program, parts);
        session_run(&question, engines[i], &outcome, NULL);
        enum lit_verdict verdict = outcome_verdict(&outcome, program);
        add_opinion(&opinions, engines[i], verdict, outcome_doubt(&outcome));
        agreed &= asked == 0 || verdict == answer.verdict;
        answer.verdict = verdict;
        asked++;
        outcome_fini(&outcome);
    }
    if (!agreed || asked < 2 || answer.verdict == LIT_UNKNOWN)
        answer.why = strbuf_take(&opinions, arena);
    return answer;
}

struct gen_answer gen_confirm(struct arena *arena, const struct session_settings *settings,
                              const struct session_model *model, struct session_parts parts,
                              const char *name, const struct strbuf *text)
{
    struct session_settings own = *settings;
    SCOPED(session_test) test;
    struct gen_answer answer;
    own.engine = SESSION_ALL_ENGINES;
    own.decide = true;
    own.property = SESSION_CONDITION;
    session_test_read(&test, &own, name, strbuf_text(text), text->length);
    BASE_CHECK(test.program); /* what is generated can be read */
    answer = ask_pair(arena, &own, model, parts, test.program);
    return answer;
}
