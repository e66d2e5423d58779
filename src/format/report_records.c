/* The format json: a line for each test and model pair. */
#include "format/report_format.h"
#include "document/report_json.h"
#include "document/report_view.h"

struct json_piece {
    const char *reason; /* of a file that could not be read: its first error; NULL: it has none */
    struct arena texts; /* for that */
    uint32_t line;
    bool unknown;
    struct strbuf messages; /* all that was said of it */
};

static void json_piece_test(struct report_piece *piece, const struct report_test *test)
{
    report_json(test, &piece->out.text);
}

/* Of a file that could not be read all is told, each model pair by itself. */
static void json_piece_fault(struct report_piece *piece, const struct report_fault *fault)
{
    struct json_piece *own = piece->state;
    if (fault->pair) {
        report_json_failure(fault->pair, &piece->out.text);
        return;
    }
    report_json_message(piece->file, fault, &own->messages);
    if (fault->severity != DIAG_ERROR || own->reason)
        return;
    own->reason = arena_strdup(&own->texts, fault->message);
    own->line = span_line_in(&fault->span, piece->path);
    own->unknown = fault->unknown;
}

static void json_piece_end(struct report_piece *piece, const struct lit_program *program)
{
    const struct json_piece *own = piece->state;
    if (program || !own->reason)
        return;
    report_json_failure(&(struct report_failure){.path = piece->path,
                                                 .verdict = own->unknown ? LIT_UNKNOWN : LIT_ERROR,
                                                 .expected = LIT_OK,
                                                 .reason = own->reason,
                                                 .line = own->line,
                                                 .messages = strbuf_text(&own->messages),
                                                 .unread = piece->is_run ? &piece->unread : NULL},
                        &piece->out.text);
}

static void json_piece_fini(struct report_piece *piece)
{
    struct json_piece *own = piece->state;
    arena_fini(&own->texts);
    strbuf_fini(&own->messages);
}

void report_piece_line(struct report_piece *piece, const char *line)
{
    if (piece->format == &report_format_json)
        strbuf_add(&piece->out.text, line);
}

const struct report_format report_format_json = {.name = "json",
                                                 .piece_size = sizeof(struct json_piece),
                                                 .test = json_piece_test,
                                                 .fault = json_piece_fault,
                                                 .end = json_piece_end,
                                                 .piece_fini = json_piece_fini};
