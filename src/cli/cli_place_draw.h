/* cli_place_draw: pictures of the executions for which fillings were refused, for documents of
 * `place`.
 *
 * The filled test is asked about once more for each picture. The picture shows an execution of the
 * state that the document names, or one with undefined behaviour. It was rechecked.
 */
#ifndef CRASHLIT_CLI_PLACE_DRAW_H
#define CRASHLIT_CLI_PLACE_DRAW_H

#include "place/place.h"
#include "document/report_place.h"
#include "session/session_test.h"

enum { CLI_PLACE_MOST_PICTURES = 64 };

struct cli_place_picture {
    struct session_test test; /* the filled test of the gallery */
    struct report_gallery gallery;
};

struct cli_place_drawing {
    struct arena *arena;
    const struct place_question *question;
    struct clock_limit clock; /* for the whole question */
    VEC(struct cli_place_picture *) pictures;
};

/* Sets the pictures of the report. They are valid until cli_place_draw_end. */
void cli_place_draw(struct cli_place_drawing *drawing, struct report_place *report);
void cli_place_draw_end(struct cli_place_drawing *drawing);

#endif
