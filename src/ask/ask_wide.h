/* ask_wide: does a test that is ok have barriers, fences or orders that are wider than needed?
 * `check --warn-wide` asks it.
 *
 * The question is that of `place --narrow`, under one model pair, within the time of a question. It
 * is not asked of a test with another verdict, nor of one that no condition judges.
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

/* Asks the question. `folder` is that of the test (reach_folder); NULL: none. The program and its
 * sources must outlive the answer. End it with ask_wide_fini. */
void ask_wide_ask(struct ask_wide *wide, const struct session_case *question, const char *folder,
                  const struct session_answers *answers);
void ask_wide_fini(struct ask_wide *wide);
/* Does an engine dispute the answer? That is a fault of this program. */
bool ask_wide_is_disputed(const struct ask_wide *wide);

/* Does some file have a condition? */
bool ask_wide_is_judged(const struct place_question *question);
/* The answer of `place` for one filling. It is PLACE_OPEN, too, when the files have no condition
 * and nothing is undefined. */
struct place_tried ask_wide_try(struct arena *arena, const struct place_question *question,
                                const struct sketch_filling *filling);

#endif
