#include "session/session_certify.h"

#include "certify/certificate.h"
#include "engine/agree.h"
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
    if (ANY(i, question->program->condition_count, question->program->conditions[i].property))
        return "properties";
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

/* Of what was decided the verdict is all there is, and what is undefined was not looked at further. */
static bool lists_agree(const struct outcome *answered, const struct outcome *listed,
                        const struct lit_program *program)
{
    return answered->decided || answered->undefined.count || listed->undefined.count ||
           agree_compare(answered, listed, program, false).count == 0;
}

/* What is certified is what was answered. */
static const char *differs(const struct outcome *answered, const struct outcome *listed,
                           const struct lit_program *program)
{
    if (outcome_verdict(answered, program) != outcome_verdict(listed, program))
        return is_unknown(listed, program) ? "listing it all is not known to end"
                                           : "listing it all comes to another verdict";
    return lists_agree(answered, listed, program) ? NULL
                                                  : "listing it all comes to other states or flags";
}

static void write(struct certificate *c, const struct session_case *question, const char *options,
                  const struct outcome *answered, struct outcome *listed)
{
    const struct lit_program *program = question->program;
    struct engine_request request = session_case_request(question);
    request.certificate = c;
    request.plan = question->model->cases;
    certificate_begin(c, program->source->path, question->model->visibility,
                      question->model->persistency, options);
    enum_certify(&request, listed);
    listed->vacuity_is_meant = answered->vacuity_is_meant;
    const char *lacks = differs(answered, listed, program);
    if (lacks)
        certificate_lack(c, lacks);
}

static struct report_certificate certify(struct arena *arena, const struct session_case *question,
                                         const struct outcome *answered, struct outcome *listed,
                                         bool told_as_cases)
{
    const char *lacks = is_unknown(answered, question->program) ? "there is no verdict"
                        : question->lost                        ? session_loss_doubt(question->lost)
                                                                : outside(question);
    outcome_init(listed, question->program);
    if (lacks)
        return (struct report_certificate){.lacks = lacks};
    struct certificate *c = certificate_new();
    if (told_as_cases)
        certificate_tell(c);
    write(c, question, options_of(arena, question->settings), answered, listed);
    const char *text = certificate_end(c);
    lacks = certificate_lacks(c);
    struct report_certificate told = {.subject = arena_strdup(arena, certificate_subject(c)),
                                      .leaves = certificate_leaves(c),
                                      .text = text ? arena_strdup(arena, text) : NULL,
                                      .lacks = lacks ? arena_strdup(arena, lacks) : NULL};
    certificate_free(c);
    return told;
}

struct report_certificate session_certify(struct arena *arena, const struct session_case *question,
                                          const struct outcome *answered, struct outcome *listed)
{
    return certify(arena, question, answered, listed, false);
}

struct report_certificate session_tell_cases(struct arena *arena,
                                             const struct session_case *question,
                                             const struct outcome *answered, struct outcome *listed)
{
    return certify(arena, question, answered, listed, true);
}
