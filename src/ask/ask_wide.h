/* ask_wide: of a test that is ok, whether less would do: what `check --warn-wide` asks.
 *
 * It is the question of `place --narrow`, under one model pair, within the time of a question. It
 * is not asked of a test whose verdict is another one, or that is judged by no condition.
 */
#ifndef CRASHLIT_ASK_WIDE_H
#define CRASHLIT_ASK_WIDE_H

#include "place/place_try.h"
#include "document/report_wide.h"
#include "session/session_answers.h"

struct ask_wide {
    struct report_wide told;
    struct report_place place;
    struct placement placement;
    const struct source *source; /* the one file of the question */
    struct arena arena;
    struct intern *names;
    struct diag diag;
};

/* `folder` is that of the test (reach_folder), NULL: none. The program and its sources have to
 * outlive the answer. To be ended by ask_wide_fini. */
void ask_wide_ask(struct ask_wide *wide, const struct session_case *question, const char *folder,
                  const struct session_answers *answers);
void ask_wide_fini(struct ask_wide *wide);
/* Has an engine found wrong what was found? That is a fault of this program. */
bool ask_wide_is_disputed(const struct ask_wide *wide);

/* Has some file a condition? */
bool ask_wide_is_judged(const struct place_question *question);
/* Whether a filling does, as `place` has it; PLACE_OPEN also where nothing is asked and nothing
 * undefined. */
struct place_tried ask_wide_try(struct arena *arena, const struct place_question *question,
                                const struct sketch_filling *filling);

#endif
