/* fuzz_lsp: any bytes as what an editor sends. An input is a list of messages with a line `--`
 * between two; each gets a header of its own, but one that begins with '!', whose other bytes are
 * sent as they are. They come in pieces, and answers come when it pleases the input. What needs no
 * engine is answered as a worker would, and the rest with what an engine might have said. Nothing
 * may crash or leak, all that is sent is JSON, and each request is answered once. */
#define _GNU_SOURCE /* memmem */
#include "lsp/lsp_server.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- In place of src/lsp/lsp_lane.c: a question is answered at once, in this process ---- */

static const char found[] = "\"summary\":\"violated\",\"text\":\"as "
                            "printed\",\"diagnostics\":[{\"range\":{\"start\":{\"line\":1,"
                            "\"character\":0},\"end\":{\"line\":1,\"character\":2}},\"message\":"
                            "\"m\"}],\"hovers\":[{\"range\":{\"start\":{"
                            "\"line\":0,\"character\":0},\"end\":{\"line\":9,\"character\":0}},"
                            "\"text\":\"**ok**\"}],\"fixes\":[{\"title\":"
                            "\"t\",\"edits\":[]}]";

bool lsp_lane_start(struct lsp_lane *lane, const struct lsp_question *question)
{
    strbuf_clear(&lane->bytes);
    if (question->kind < LSP_CHECK)
        lsp_answer(question, (struct session_parts){0}, &lane->bytes);
    else if (question->length % 3)
        strbuf_add(&lane->bytes, found);
    lane->process = 1;
    lane->line = -1;
    return true;
}

bool lsp_lane_hear(struct lsp_lane *lane, const char **answer, const char **reason)
{
    lane->process = 0;
    *answer = lane->bytes.length ? strbuf_text(&lane->bytes) : NULL;
    *reason = "its process ended without an answer";
    return true;
}

void lsp_lane_stop(struct lsp_lane *lane)
{
    lane->process = 0;
}

void lsp_lane_fini(struct lsp_lane *lane)
{
    strbuf_fini(&lane->bytes);
}

/* ---- What comes in ---- */

static void add_message(struct strbuf *stream, const char *text, size_t length)
{
    if (length && *text == '!') {
        strbuf_add_bytes(stream, text + 1, length - 1);
        return;
    }
    strbuf_printf(stream, "Content-Length: %zu\r\n\r\n", length);
    strbuf_add_bytes(stream, text, length);
}

static void make_stream(const char *text, size_t size, struct strbuf *stream)
{
    static const char between[] = "\n--\n";
    const char *end = text + size;
    for (;;) {
        const char *next = memmem(text, (size_t)(end - text), between, strlen(between));
        add_message(stream, text, (size_t)((next ? next : end) - text));
        if (!next)
            return;
        text = next + strlen(between);
    }
}

/* Whether a message is to be answered (JSON-RPC 2.0, sections 4 and 5). */
static bool is_answered(const char *content, size_t length)
{
    size_t ignored;
    struct strbuf id = {0};
    struct lsp_message *message = lsp_message_read(content, length);
    if (!message || !lsp_message_is_object(message)) {
        lsp_message_free(message);
        return true;
    }
    lsp_message_add(message, "id", &id);
    bool proper = id.length && strchr("\"-0123456789", *strbuf_text(&id));
    bool asks = lsp_message_text(message, "method", &ignored) ||
                !(lsp_message_has(message, "result") || lsp_message_has(message, "error"));
    bool is = id.length && (!proper || asks);
    strbuf_fini(&id);
    lsp_message_free(message);
    return is;
}

/* ---- What goes out ---- */

static size_t count_answers(const char *text, size_t size)
{
    struct lsp_input input = {.taken = 0};
    const char *content, *why;
    size_t length, count = 0;
    lsp_input_add(&input, text, size);
    while (lsp_input_next(&input, &content, &length, &why) == LSP_MESSAGE) {
        struct lsp_message *message = lsp_message_read(content, length);
        BASE_CHECK(message && lsp_message_is_object(message));
        count += lsp_message_has(message, "id");
        lsp_message_free(message);
    }
    BASE_CHECK(input.taken == input.bytes.length);
    lsp_input_fini(&input);
    return count;
}

static void hear(struct lsp_server *server, int queue)
{
    if (server->queues[queue].lane.process)
        lsp_jobs_hear(server, &server->queues[queue]);
    lsp_jobs_begin(server);
}

/* Returns how many of the messages were to be answered. */
static size_t serve(struct lsp_server *server, const struct strbuf *stream, uint8_t pace)
{
    const char *content, *why;
    size_t length, owed = 0;
    enum lsp_news news = LSP_WAIT;
    for (size_t at = 0; at < stream->length && !server->exited && news != LSP_FAULT; at += length) {
        size_t left = stream->length - at, piece = 1 + (size_t)pace * 17;
        size_t taken = left < piece ? left : piece;
        lsp_input_add(&server->input, stream->text + at, taken);
        while (!server->exited &&
               (news = lsp_input_next(&server->input, &content, &length, &why)) == LSP_MESSAGE) {
            owed += is_answered(content, length);
            lsp_take(server, content, length);
            lsp_jobs_begin(server);
            if ((server->documents.revisions + owed + pace) % 3)
                hear(server, (int)(owed % LSP_QUEUES));
        }
        length = taken;
    }
    return owed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = NULL;
    size_t length = 0;
    struct strbuf stream = {0};
    static const struct lsp_services services = {NULL};
    struct run_output out = {.file = open_memstream(&text, &length)};
    struct lsp_server *server = base_realloc(NULL, sizeof *server);
    *server = (struct lsp_server){.services = &services, .out = &out};
    server->options.settings.engine = "auto";
    if (size)
        make_stream((const char *)data + 1, size - 1, &stream);
    size_t owed = size ? serve(server, &stream, *data) : 0;
    if (size && *data % 2)
        for (int i = 0; i < 2 * LSP_MAX_JOBS; i++)
            hear(server, i % LSP_QUEUES);
    lsp_jobs_stop(server);
    fflush(out.file);
    BASE_CHECK(count_answers(text, length) == owed);
    fclose(out.file);
    base_free_foreign(text);
    lsp_documents_fini(&server->documents);
    lsp_input_fini(&server->input);
    base_free(server);
    strbuf_fini(&stream);
    return 0;
}
