#include "session/session_case.h"

#include "engine/meaning.h"

enum session_loss session_part_begin(const struct session_parts *parts)
{
    return parts->begin ? parts->begin(parts->context) : SESSION_LOSS_NONE;
}

bool session_choice_begin(const struct session_parts *parts)
{
    return parts->begin_choice && parts->begin_choice(parts->context);
}

void session_choice_is_dear(const struct session_parts *parts)
{
    if (parts->note_dear)
        parts->note_dear(parts->context);
}

struct session_case session_case_begin(const struct session_settings *settings,
                                       const struct session_model *model,
                                       const struct lit_program *program,
                                       struct session_parts parts)
{
    enum session_loss lost = session_part_begin(&parts);
    const char *tag;
    if (meaning_misplaced(program, model ? model->model : NULL, &tag))
        lost = SESSION_LOSS_MEANING;
    return (struct session_case){.settings = settings,
                                 .model = model,
                                 .program = program,
                                 .parts = parts,
                                 .clock = session_settings_clock(settings),
                                 .lost = lost};
}

struct session_case session_case_again(const struct session_case *question)
{
    struct session_case again =
        session_case_begin(question->settings, question->model, question->program, question->parts);
    again.kept = question->kept;
    return again;
}

const char *session_loss_doubt(enum session_loss lost)
{
    struct outcome outcome = {0};
    session_loss_add(lost, &outcome);
    return outcome_doubt(&outcome);
}

void session_loss_add(enum session_loss lost, struct outcome *outcome)
{
    outcome->doubts[OUTCOME_DOUBT_MEMORY] |= lost == SESSION_LOSS_MEMORY;
    outcome->doubts[OUTCOME_DOUBT_MEANING] |= lost == SESSION_LOSS_MEANING;
    outcome->doubts[OUTCOME_DOUBT_TIMEOUT] |= lost == SESSION_LOSS_TIME;
}

enum exec_crash_mode session_crash_mode(const struct session_settings *settings,
                                        const struct lit_program *program)
{
    switch (settings->crash) {
    case SESSION_CRASH_ANYWHERE: return EXEC_CRASH_ANYWHERE;
    case SESSION_CRASH_END: return EXEC_CRASH_END;
    case SESSION_CRASH_POINTS: /* where there are none: anywhere */
    case SESSION_CRASH_DEFAULT: break;
    }
    return engine_default_crash_mode(program);
}

static const struct exec_symmetry no_symmetry = {.count = 0};

struct engine_request session_case_request(const struct session_case *question)
{
    const struct session_settings *settings = question->settings;
    return (struct engine_request){
        .program = question->program,
        .model = question->model ? question->model->model : NULL,
        .plan = question->model ? question->model->plan : NULL,
        .recheck_nodes = question->model ? question->model->recheck_nodes : NULL,
        .crash_mode = session_crash_mode(settings, question->program),
        .limits = {settings->unroll, question->clock, settings->memory_mib, settings->brief,
                   question->parts.threads},
        .own = &settings->on_machine,
        .decide = settings->decide,
        .conditions_alone = settings->conditions_alone,
        .endless = settings->endless,
        .recovery_crash = settings->recovery_crash,
        .thresholds = settings->thresholds_given ? &settings->thresholds : NULL,
        .symmetry = settings->no_symmetry ? &no_symmetry : NULL,
        .rounds = settings->rounds};
}
