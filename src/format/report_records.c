/* The format json: a line for each test and model pair. */
#include "format/report_format.h"
#include "document/report_json.h"

struct json_piece {
    struct strbuf failure; /* of a file that could not be read: its first error */
};

static void json_piece_test(struct report_piece *piece, const struct report_test *test)
{
    report_json(test, &piece->out.text);
}

/* Of a file that could not be read the first error is told, each model pair by itself. */
static void json_piece_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct json_piece *own = piece->state;
    const struct report_failure whole = {.path = piece->path,
                                         .verdict = fault->unknown ? LIT_UNKNOWN : LIT_ERROR,
                                         .expected = LIT_OK,
                                         .reason = fault->message,
                                         .line = span_line_in(&fault->span, piece->path)};
    if (fault->pair)
        report_json_failure(fault->pair, &piece->out.text);
    else if (fault->severity == DIAG_ERROR && own->failure.length == 0)
        report_json_failure(&whole, &own->failure);
}

static void json_piece_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct json_piece *own = piece->state;
    if (!program)
        strbuf_add(&piece->out.text, strbuf_text(&own->failure));
}

static void json_piece_fini(struct report_piece *piece)
{
    struct json_piece *own = piece->state;
    strbuf_fini(&own->failure);
}

const struct report_format report_format_json = {.name = "json",
                                                 .piece_size = sizeof(struct json_piece),
                                                 .test = json_piece_test,
                                                 .fault = json_piece_fault,
                                                 .end = json_piece_end,
                                                 .piece_fini = json_piece_fini};
