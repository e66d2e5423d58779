#include "session/session_certify.h"

#include "certify/certificate.h"
#include "enumerate/enumerate.h"

#include <string.h>

/* What the format has no form for; NULL: nothing. */
static const char *outside(const struct session_case *question)
{
    const struct session_settings *settings = question->settings;
    if (settings->property != SESSION_CONDITION)
        return "a property in place of conditions";
    if (settings->recovery_crash || (settings->rounds && settings->rounds != ENGINE_ROUNDS))
        return "other crashes of recovery than the test's";
    return settings->variants.count ? "variants of models" : NULL;
}

/* What is asked otherwise than by the test, as in the format. */
static const char *options_of(struct arena *arena, const struct session_settings *settings)
{
    static const char *const crashes[] = {[SESSION_CRASH_ANYWHERE] = "crash=anywhere",
                                          [SESSION_CRASH_POINTS] = "crash=points",
                                          [SESSION_CRASH_END] = "crash=end"};
    const char *crash = crashes[settings->crash];
    if (settings->unroll == 2)
        return crash ? crash : "";
    return arena_printf(arena, "unroll=%u%s%s", settings->unroll, crash ? " " : "",
                        crash ? crash : "");
}

static bool is_unknown(const struct outcome *outcome, const struct lit_program *program)
{
    return outcome_verdict(outcome, program) == LIT_UNKNOWN;
}

/* Are both the same list, as far as both are lists? */
static bool agree(const struct outcome_states *a, const struct outcome_states *b)
{
    return a->product || b->product ||
           (a->count == b->count && ALL(i, a->count, outcome_has_state(b, outcome_row(a, i))));
}

static bool flags_agree(const struct outcome *a, const struct outcome *b)
{
    return a->flags.count == b->flags.count &&
           ALL(i, a->flags.count, outcome_has_flag(b, a->flags.items[i]));
}

static bool lists_agree(const struct outcome *answered, const struct outcome *listed)
{
    return answered->decided || answered->undefined.count || listed->undefined.count ||
           outcome_any_doubt(answered) || outcome_any_doubt(listed) ||
           (agree(&answered->final, &listed->final) && agree(&answered->crash, &listed->crash) &&
            agree(&answered->recovered, &listed->recovered) && flags_agree(answered, listed));
}

/* What is certified is what was answered. */
static const char *differs(const struct outcome *answered, const struct outcome *listed,
                           const struct lit_program *program)
{
    if (outcome_verdict(answered, program) != outcome_verdict(listed, program))
        return is_unknown(listed, program) ? "listing it all is not known to end"
                                           : "listing it all comes to another verdict";
    return lists_agree(answered, listed) ? NULL : "listing it all comes to other states or flags";
}

static void write(struct certificate *c, const struct session_case *question, const char *options,
                  const struct outcome *answered)
{
    const struct lit_program *program = question->program;
    struct engine_request request = session_case_request(question);
    struct outcome listed;
    request.certificate = c;
    outcome_init(&listed, program);
    certificate_begin(c, program->source->path, question->model->visibility,
                      question->model->persistency, options);
    enum_certify(&request, &listed);
    listed.vacuity_is_meant = answered->vacuity_is_meant;
    const char *lacks = differs(answered, &listed, program);
    if (lacks)
        certificate_lack(c, lacks);
    outcome_fini(&listed);
}

struct report_certificate session_certify(struct arena *arena, const struct session_case *question,
                                          const struct outcome *answered)
{
    const char *lacks = is_unknown(answered, question->program) ? "there is no verdict"
                        : question->lost                        ? session_loss_doubt(question->lost)
                                                                : outside(question);
    if (lacks)
        return (struct report_certificate){.lacks = lacks};
    struct certificate *c = certificate_new();
    write(c, question, options_of(arena, question->settings), answered);
    const char *text = certificate_end(c);
    struct report_certificate told = {.subject = arena_strdup(arena, certificate_subject(c)),
                                      .leaves = certificate_leaves(c),
                                      .text = text ? arena_strdup(arena, text) : NULL,
                                      .lacks = certificate_lacks(c)};
    certificate_free(c);
    return told;
}
