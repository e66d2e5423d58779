/* session_answers: the engines' answers about one test under one model pair, and their
 * comparison. */
#ifndef CRASHLIT_SESSION_ANSWERS_H
#define CRASHLIT_SESSION_ANSWERS_H

#include "engine/agree.h"
#include "session/session_engines.h"
#include "session/session_run.h"

/* Lists the engines to ask about a model pair, in the table's order; returns how many. `engines`
 * has room for SESSION_MAX_ENGINES. When all engines are asked, a machine is among them only for a
 * pair that it promises, and comes last. */
uint32_t session_answers_engines(const struct session_settings *settings, const char *visibility,
                                 const char *persistency, const struct engine_entry **engines);

/* The result of a comparison. The worst over all engines is the last that applies. */
enum session_accord { SESSION_AGREE, SESSION_NOT_COMPARED, SESSION_DISAGREE };

/* How an answer compares with the first: an engine's by equality, a machine's by containment. If
 * the test is undefined, a machine has nothing to agree on: that counts as agreement. Pointers are
 * into the outcomes. */
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
    struct outcome outcomes[SESSION_MAX_ENGINES]; /* of the engines asked so far */
    uint32_t count, asked;
    struct arena arena;
    const char *machine; /* its name, in the arena; NULL when none is asked */
    struct session_standing standings[SESSION_MAX_ENGINES]; /* set by the comparison; the first is
                                                               empty */
    struct outcome aside[SESSION_MAX_ENGINES]; /* that others have taken the place of */
    uint32_t aside_count;
    const struct containment *containment; /* of the machine among several engines; NULL: none */
    bool has_usual;
    struct outcome usual; /* where all engines list: what `auto` decides */
    struct agreement usual_to[SESSION_MAX_ENGINES]; /* none for a machine */
};

/* Chooses the engines. */
void session_answers_init(struct session_answers *answers, const struct session_case *question);
void session_answers_fini(struct session_answers *answers);
/* Asks the next engine, with a part and a clock of its own. Returns the question as asked, for
 * follow-up questions. `view` may be NULL. */
struct session_case session_answers_ask(struct session_answers *answers,
                                        const struct session_case *question,
                                        const struct session_view *view);

/* Another outcome takes the place of an answer. What a comparison points into stays until the end. */
void session_answers_replace(struct session_answers *answers, uint32_t number,
                             const struct outcome *outcome);

/* Compares each answer with the first, once all were asked. Where all engines were, also compares
 * each list with what `auto` decides, asked in a part of its own. Returns the worst result. */
enum session_accord session_answers_compare(struct session_answers *answers,
                                            const struct session_case *question);

#endif
