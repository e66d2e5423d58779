/* cli_place_draw: the executions that refuse, for the documents of `place` that draw them.
 *
 * Each is asked for once more, as a question about the filled test: what is drawn is an execution
 * of the state that is told of, or one with undefined behaviour, and was rechecked.
 */
#ifndef CRASHLIT_CLI_PLACE_DRAW_H
#define CRASHLIT_CLI_PLACE_DRAW_H

#include "place/place.h"
#include "document/report_place.h"
#include "session/session_test.h"

enum { CLI_PLACE_MOST_PICTURES = 64 };

struct cli_place_picture {
    struct session_test test; /* of which the gallery is */
    struct report_gallery gallery;
};

struct cli_place_drawing {
    struct arena *arena;
    const struct place_question *question;
    struct clock_limit clock; /* of the whole question */
    VEC(struct cli_place_picture *) pictures;
};

/* Sets the pictures of the report, which are valid until cli_place_draw_end. */
void cli_place_draw(struct cli_place_drawing *drawing, struct report_place *report);
void cli_place_draw_end(struct cli_place_drawing *drawing);

#endif
