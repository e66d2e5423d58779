/* session_case: one question: a test under one model pair, with a time limit.
 *
 * A question consists of parts, each with a clock of its own. A watcher of the process hears of
 * each part's beginning. It may answer that the part is lost: the part met a limit in an earlier
 * try, and must not begin. */
#ifndef CRASHLIT_SESSION_CASE_H
#define CRASHLIT_SESSION_CASE_H

#include "engine/engine.h"
#include "session/session_models.h"
#include "session/session_settings.h"

/* Why a part is lost: X(identifier). TIME, MEMORY: it met that limit. MEANING: the model means
 * other events by an instruction than the test has (meaning_misplaced). */
#define SESSION_LOSSES(X) X(NONE) X(TIME) X(MEMORY) X(MEANING)

enum session_loss {
#define X(identifier) SESSION_LOSS_##identifier,
    SESSION_LOSSES(X)
#undef X
};

/* The watcher of parts. `begin` NULL: there is none, and nothing is lost; the other functions may
 * then be NULL. */
struct session_parts {
    enum session_loss (*begin)(void *context);
    /* A run begins whose engine is to be chosen. Is it known to be dear? */
    bool (*begin_choice)(void *context);
    void (*note_dear)(void *context); /* the last run is dear */
    /* Hands a part of the answer on before the rest is there; NULL: it cannot be. The whole may be
     * done again: what has a name that was heard before is passed over. Without a name, "", it is
     * what is known so far: only the last such counts, and only if an interrupt ends the task. */
    void (*say)(void *context, const char *name, const struct strbuf *text);
    void *context;
    uint32_t threads; /* that an engine may use (engine.h); 0: only its caller's */
};

enum session_loss session_part_begin(const struct session_parts *parts);
/* A run is dear if no engine settles it within the allowance for cheap ones. A watcher that is told
 * so may have everything done again in another process, and then knows it. */
bool session_choice_begin(const struct session_parts *parts);
void session_choice_is_dear(const struct session_parts *parts);

struct session_case {
    const struct session_settings *settings;
    const struct session_model *model; /* NULL: only a machine is asked */
    const struct lit_program *program;
    struct session_parts parts;
    struct clock_limit clock; /* the limit for all that is asked on the way */
    enum session_loss lost;   /* not NONE: nothing is asked any more, and no engine runs */
    struct engine_kept *kept; /* of the test, for callers that ask about several pairs; NULL:
                                 nothing is kept */
};

/* Begins a part and its clock. */
struct session_case session_case_begin(const struct session_settings *settings,
                                       const struct session_model *model,
                                       const struct lit_program *program,
                                       struct session_parts parts);
/* Begins the same question again, as another part. */
struct session_case session_case_again(const struct session_case *question);
/* The doubt that a loss leaves: in an outcome, and in words (NULL for NONE). */
void session_loss_add(enum session_loss lost, struct outcome *outcome);
const char *session_loss_doubt(enum session_loss lost);

enum exec_crash_mode session_crash_mode(const struct session_settings *settings,
                                        const struct lit_program *program);
/* The request to any engine, without callbacks. Begin with it whenever an engine is asked, so that
 * no limit is left out. */
struct engine_request session_case_request(const struct session_case *question);

#endif
