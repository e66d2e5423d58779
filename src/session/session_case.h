/* session_case: one test under one model pair, and the time that whatever is asked about it has.
 *
 * A question is done in parts, each with a clock of its own. Whoever watches over the process is
 * told where a part begins, and may say that it is lost: that it met a limit when it was tried
 * before, and is not to be begun.
 */
#ifndef CRASHLIT_SESSION_CASE_H
#define CRASHLIT_SESSION_CASE_H

#include "engine/engine.h"
#include "session/session_models.h"
#include "session/session_settings.h"

/* At which limit a part was lost, or that the model means an instruction of the test by other
 * events than it has (meaning_misplaced): X(identifier). */
#define SESSION_LOSSES(X) X(NONE) X(TIME) X(MEMORY) X(MEANING)

enum session_loss {
#define X(identifier) SESSION_LOSS_##identifier,
    SESSION_LOSSES(X)
#undef X
};

/* Who is told that the next part begins. `begin` NULL: nobody, and nothing is lost; the others may
 * be NULL as well. */
struct session_parts {
    enum session_loss (*begin)(void *context);
    /* A run begins whose engine is to be chosen: is it known to be dear? */
    bool (*begin_choice)(void *context);
    void (*note_dear)(void *context); /* the run that began last is dear */
    void *context;
    uint32_t threads; /* that an engine may use (engine.h); 0: its caller's */
};

enum session_loss session_part_begin(const struct session_parts *parts);
/* A run is dear that no engine settles within what is cheap. Who is told of it, and then has
 * everything done again in another process, knows it the next time. */
bool session_choice_begin(const struct session_parts *parts);
void session_choice_is_dear(const struct session_parts *parts);

struct session_case {
    const struct session_settings *settings;
    const struct session_model *model; /* NULL: a machine alone is asked */
    const struct lit_program *program;
    struct session_parts parts;
    struct clock_limit clock; /* whatever is asked on the way, it is done by then */
    enum session_loss lost;   /* not NONE: nothing is asked any more, no engine is run */
    struct engine_kept *kept; /* of the test, by who asks about several pairs; NULL: nothing */
};

/* A part begins, and with it the clock. */
struct session_case session_case_begin(const struct session_settings *settings,
                                       const struct session_model *model,
                                       const struct lit_program *program,
                                       struct session_parts parts);
/* The same question once more, as another part. */
struct session_case session_case_again(const struct session_case *question);
/* What a loss leaves in doubt: as a doubt of an outcome, and in words, NULL of NONE. */
void session_loss_add(enum session_loss lost, struct outcome *outcome);
const char *session_loss_doubt(enum session_loss lost);

enum exec_crash_mode session_crash_mode(const struct session_settings *settings,
                                        const struct lit_program *program);
/* What every engine is asked, but for callbacks. Whoever asks an engine begins with this, so that
 * no limit is left out. */
struct engine_request session_case_request(const struct session_case *question);

#endif
