/* session_answers: what the engines say about one test under one model pair, and how these answers
 * stand to one another.
 */
#ifndef CRASHLIT_SESSION_ANSWERS_H
#define CRASHLIT_SESSION_ANSWERS_H

#include "engine/agree.h"
#include "session/session_engines.h"
#include "session/session_run.h"

/* The engines that are asked about a model pair, in the table's order; returns how many.
 * `engines` has room for SESSION_MAX_ENGINES. When all are asked a machine is among them only for a
 * pair that it promises, and comes last. */
uint32_t session_answers_engines(const struct session_settings *settings, const char *visibility,
                                 const char *persistency, const struct engine_entry **engines);

/* What a comparison came to; the worst over all engines is the last that applies. */
enum session_accord { SESSION_AGREE, SESSION_NOT_COMPARED, SESSION_DISAGREE };

/* How one answer stands to the first: that of an engine by comparison, that of a machine by
 * containment. That a test is undefined leaves a machine with nothing to agree on: it counts as
 * agreement. Pointers are into the outcomes. */
struct session_standing {
    enum session_accord accord;
    bool is_contained; /* `containment` holds, else `agreement` */
    union {
        struct agreement agreement;
        struct containment containment;
    };
};

struct session_answers {
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    struct outcome outcomes[SESSION_MAX_ENGINES]; /* of those that were asked */
    uint32_t count, asked;
    struct arena arena;
    const char *machine; /* its name, in the arena; NULL when none is asked */
    struct session_standing standings[SESSION_MAX_ENGINES]; /* once compared; the first is empty */
    const struct containment *containment; /* of the machine among several; NULL: there is none */
    bool has_usual;
    struct outcome usual; /* where all engines list: what is decided with no engine named */
    struct agreement usual_to[SESSION_MAX_ENGINES]; /* of a machine nothing */
};

/* Chooses the engines. */
void session_answers_init(struct session_answers *answers, const struct session_case *question);
void session_answers_fini(struct session_answers *answers);
/* Asks the next one, with a part and a clock of its own: the question as it is asked is returned,
 * for what is asked on. `view` may be NULL. */
struct session_case session_answers_ask(struct session_answers *answers,
                                        const struct session_case *question,
                                        const struct session_view *view);

/* Holds each against the first, when all were asked; and against each engine's list what `auto`
 * decides, which is asked in a part of its own, where all engines were. Returns the worst. */
enum session_accord session_answers_compare(struct session_answers *answers,
                                            const struct session_case *question);

#endif
