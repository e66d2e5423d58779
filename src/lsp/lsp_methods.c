/* Messages by their method. A request is answered in any case, a notification never; one that is
 * not known is an error of a request, and of a notification nothing (LSP 3.17, "$ Notifications and
 * Requests"). What is JSON and no object, as a batch is, which the protocol does not have, is one
 * invalid request (JSON-RPC 2.0, sections 5.1 and 7). */
#include "base/json.h"
#include "lsp/lsp_look.h"
#include "lsp/lsp_server.h"

#include <string.h>

/* One message; `id` is JSON, NULL of a notification. */
struct incoming {
    const struct lsp_message *message;
    const char *id;
};

typedef void method(struct lsp_server *server, const struct incoming *in);

/* ---- Life ---- */

static const char capabilities[] =
    "{\"capabilities\":{\"positionEncoding\":\"utf-16\","
    "\"textDocumentSync\":{\"openClose\":true,\"change\":1,\"save\":{\"includeText\":false}},"
    "\"hoverProvider\":true,\"definitionProvider\":true,"
    "\"completionProvider\":{\"triggerCharacters\":[]},"
    "\"codeLensProvider\":{\"resolveProvider\":false},"
    "\"codeActionProvider\":{\"codeActionKinds\":[\"quickfix\"]},"
    "\"executeCommandProvider\":{\"commands\":[\"crashlit.check\",\"crashlit.explain\","
    "\"crashlit.narrow\",\"crashlit.repair\"]}},"
    "\"serverInfo\":{\"name\":\"crashlit\",\"version\":\"" CRASHLIT_VERSION "\"}}";

static void initialize(struct lsp_server *server, const struct incoming *in)
{
    size_t length;
    const char *checks =
        lsp_message_text(in->message, "params/initializationOptions/check", &length);
    if (server->initialized) {
        lsp_send_error(server, in->id, LSP_INVALID_REQUEST, "initialize comes once");
        return;
    }
    if (checks && strcmp(checks, "change") == 0)
        server->checks = LSP_CHECK_CHANGED;
    if (checks && strcmp(checks, "never") == 0)
        server->checks = LSP_CHECK_NEVER;
    server->initialized = true;
    lsp_send_result(server, in->id, capabilities);
}

static void shutdown(struct lsp_server *server, const struct incoming *in)
{
    lsp_jobs_stop(server);
    server->stopping = true;
    lsp_send_result(server, in->id, "null");
}

static void leave(struct lsp_server *server, const struct incoming *in)
{
    (void)in;
    server->exited = true;
}

static void ignore(struct lsp_server *server, const struct incoming *in)
{
    (void)server;
    (void)in;
}

static void cancel(struct lsp_server *server, const struct incoming *in)
{
    SCOPED(strbuf) id = {0};
    lsp_message_add(in->message, "params/id", &id);
    lsp_jobs_cancel(server, strbuf_text(&id));
}

/* ---- Texts ---- */

/* NULL: the message names no text; a URI has no NUL in it. */
static const char *uri_at(const struct incoming *in, const char *place)
{
    size_t length;
    const char *uri = lsp_message_text(in->message, place, &length);
    return uri && strlen(uri) == length ? uri : NULL;
}

static void note_version(const struct incoming *in, struct lsp_document *document)
{
    document->versioned =
        lsp_message_number(in->message, "params/textDocument/version", &document->version);
}

static void ask_question(struct lsp_server *server, enum lsp_kind kind,
                         const struct lsp_document *document)
{
    lsp_jobs_add(server, (struct lsp_job){.kind = kind, .revision = document->revision});
}

static void look(struct lsp_server *server, const struct lsp_document *document, bool check)
{
    lsp_jobs_drop_stale(server);
    ask_question(server, LSP_LOOK, document);
    if (check && document->language == LSP_LITMUS)
        ask_question(server, LSP_CHECK, document);
}

static void did_open(struct lsp_server *server, const struct incoming *in)
{
    size_t length, word_length;
    const char *why = NULL, *uri = uri_at(in, "params/textDocument/uri");
    const char *word =
        lsp_message_text(in->message, "params/textDocument/languageId", &word_length);
    const char *text = lsp_message_text(in->message, "params/textDocument/text", &length);
    if (!uri || !text)
        return;
    struct lsp_document *document =
        lsp_document_open(&server->documents, uri, word, text, length, &why);
    lsp_jobs_drop_stale(server);
    if (!document) {
        lsp_send_message(server, LSP_ERROR, why);
        return;
    }
    note_version(in, document);
    look(server, document, server->checks != LSP_CHECK_NEVER);
}

/* The last of several changes is the whole text (TextDocumentSyncKind.Full). */
static void did_change(struct lsp_server *server, const struct incoming *in)
{
    char place[64];
    size_t length, count = lsp_message_count(in->message, "params/contentChanges");
    const char *uri = uri_at(in, "params/textDocument/uri");
    struct lsp_document *document = uri ? lsp_document_find(&server->documents, uri) : NULL;
    if (!document || !count)
        return;
    snprintf(place, sizeof place, "params/contentChanges/%zu/range", count - 1);
    bool part = lsp_message_has(in->message, place);
    snprintf(place, sizeof place, "params/contentChanges/%zu/text", count - 1);
    const char *text = lsp_message_text(in->message, place, &length);
    if (part || !text) {
        lsp_send_message(server, LSP_ERROR, "a change has to be the whole text");
        return;
    }
    note_version(in, document);
    if (!lsp_document_change(&server->documents, document, text, length))
        lsp_send_message(server, LSP_ERROR, "the texts that are open are too large");
    look(server, document, server->checks == LSP_CHECK_CHANGED);
}

static void did_save(struct lsp_server *server, const struct incoming *in)
{
    const char *uri = uri_at(in, "params/textDocument/uri");
    struct lsp_document *document = uri ? lsp_document_find(&server->documents, uri) : NULL;
    if (document)
        look(server, document, server->checks == LSP_CHECK_SAVED);
}

static void did_close(struct lsp_server *server, const struct incoming *in)
{
    const char *uri = uri_at(in, "params/textDocument/uri");
    if (!uri || !lsp_document_find(&server->documents, uri))
        return;
    lsp_send_no_diagnostics(server, uri);
    lsp_document_close(&server->documents, uri);
    lsp_jobs_drop_stale(server);
}

/* ---- Questions ---- */

static struct lsp_document *document_at(struct lsp_server *server, const struct incoming *in,
                                        const char *place)
{
    const char *uri = uri_at(in, place);
    struct lsp_document *document = uri ? lsp_document_find(&server->documents, uri) : NULL;
    if (!document)
        lsp_send_error(server, in->id, LSP_INVALID_PARAMS, "no text of that URI is open");
    return document;
}

static char *copy(const char *text)
{
    return strcpy(base_realloc(NULL, strlen(text) + 1), text);
}

static struct lsp_position position_at(const struct incoming *in, const char *line,
                                       const char *character)
{
    struct lsp_position position = {0, 0};
    (void)lsp_message_number(in->message, line, &position.line);
    (void)lsp_message_number(in->message, character, &position.character);
    return position;
}

static void ask_at(struct lsp_server *server, const struct incoming *in, enum lsp_kind kind)
{
    const struct lsp_document *document = document_at(server, in, "params/textDocument/uri");
    if (document)
        lsp_jobs_add(server,
                     (struct lsp_job){.kind = kind,
                                      .revision = document->revision,
                                      .id = copy(in->id),
                                      .position = position_at(in, "params/position/line",
                                                              "params/position/character")});
}

static void hover(struct lsp_server *server, const struct incoming *in)
{
    ask_at(server, in, LSP_HOVER);
}

static void define(struct lsp_server *server, const struct incoming *in)
{
    ask_at(server, in, LSP_DEFINE);
}

static void complete(struct lsp_server *server, const struct incoming *in)
{
    ask_at(server, in, LSP_COMPLETE);
}

static void lens(struct lsp_server *server, const struct incoming *in)
{
    ask_at(server, in, LSP_LENS);
}

static bool wants_quick_fixes(const struct incoming *in)
{
    size_t count = lsp_message_count(in->message, "params/context/only");
    bool wanted = !lsp_message_has(in->message, "params/context/only");
    for (size_t i = 0; i < count && !wanted; i++) {
        char place[64];
        size_t length;
        snprintf(place, sizeof place, "params/context/only/%zu", i);
        const char *kind = lsp_message_text(in->message, place, &length);
        wanted = kind && (!*kind || strcmp(kind, "quickfix") == 0);
    }
    return wanted;
}

/* An editor that asks by itself, wherever the cursor stands, gets what is known. */
static void code_action(struct lsp_server *server, const struct incoming *in)
{
    enum { AUTOMATIC = 2 };
    uint32_t trigger = 0;
    const struct lsp_document *document = document_at(server, in, "params/textDocument/uri");
    if (!document)
        return;
    if (!wants_quick_fixes(in)) {
        lsp_send_result(server, in->id, "[]");
        return;
    }
    (void)lsp_message_number(in->message, "params/context/triggerKind", &trigger);
    const struct lsp_job job = {
        .kind = LSP_MEND,
        .revision = document->revision,
        .id = copy(in->id),
        .position = position_at(in, "params/range/start/line", "params/range/start/character"),
        .end = position_at(in, "params/range/end/line", "params/range/end/character")};
    lsp_jobs_fix(server, job, document->language == LSP_LITMUS && trigger != AUTOMATIC);
}

static void execute(struct lsp_server *server, const struct incoming *in)
{
    static const struct {
        const char *name;
        enum lsp_kind kind;
    } commands[] = {{"crashlit.check", LSP_CHECK},
                    {"crashlit.explain", LSP_EXPLAIN},
                    {"crashlit.narrow", LSP_NARROW},
                    {"crashlit.repair", LSP_REPAIR}};
    size_t length, i = 0, count = sizeof commands / sizeof *commands;
    const char *name = lsp_message_text(in->message, "params/command", &length);
    while (i < count && (!name || strcmp(commands[i].name, name) != 0))
        i++;
    if (i == count) {
        lsp_send_error(server, in->id, LSP_INVALID_PARAMS, "there is no such command");
        return;
    }
    const struct lsp_document *document = document_at(server, in, "params/arguments/0");
    if (document && document->language != LSP_LITMUS)
        lsp_send_error(server, in->id, LSP_INVALID_PARAMS, "that is asked of tests alone");
    else if (document)
        lsp_jobs_add(server, (struct lsp_job){.kind = commands[i].kind,
                                              .revision = document->revision,
                                              .id = copy(in->id),
                                              .command = true});
}

/* ---- All of them ---- */

/* X(method, function, whether it is a request) */
#define METHODS(X)                                  \
    X("initialize", initialize, true)               \
    X("initialized", ignore, false)                 \
    X("shutdown", shutdown, true)                   \
    X("exit", leave, false)                         \
    X("$/cancelRequest", cancel, false)             \
    X("textDocument/didOpen", did_open, false)      \
    X("textDocument/didChange", did_change, false)  \
    X("textDocument/didSave", did_save, false)      \
    X("textDocument/didClose", did_close, false)    \
    X("textDocument/hover", hover, true)            \
    X("textDocument/definition", define, true)      \
    X("textDocument/completion", complete, true)    \
    X("textDocument/codeLens", lens, true)          \
    X("textDocument/codeAction", code_action, true) \
    X("workspace/executeCommand", execute, true)

struct row {
    const char *name;
    method *function;
    bool request;
};

static const struct row *find_method(const char *name)
{
    static const struct row rows[] = {
#define X(name, function, request) {name, function, request},
        METHODS(X)
#undef X
    };
    return name ? FIND(i, rows, sizeof rows / sizeof *rows, strcmp(rows[i].name, name) == 0) : NULL;
}

/* What is wrong with a request at this moment, as a code; 0: nothing. */
static int fault_of(const struct lsp_server *server, const struct row *row)
{
    if (server->stopping)
        return LSP_INVALID_REQUEST;
    if (!server->initialized && !(row && row->function == initialize))
        return LSP_NOT_INITIALIZED;
    return row && row->request ? 0 : LSP_METHOD_NOT_FOUND;
}

static void dispatch(struct lsp_server *server, const char *name, const struct incoming *in)
{
    const struct row *row = find_method(name);
    if (!in->id) {
        if (row && !row->request &&
            ((server->initialized && !server->stopping) || row->function == leave))
            row->function(server, in);
        return;
    }
    int code = fault_of(server, row);
    if (code == 0)
        row->function(server, in);
    else
        lsp_send_error(server, in->id, code,
                       code == LSP_INVALID_REQUEST   ? "the server was shut down"
                       : code == LSP_NOT_INITIALIZED ? "the server is not initialized"
                                                     : "no such request is known");
}

/* Is it a number or a string, as an id is? */
static bool is_id(const char *json)
{
    return *json == '"' || *json == '-' || (*json >= '0' && *json <= '9');
}

void lsp_take(struct lsp_server *server, const char *content, size_t length)
{
    SCOPED(strbuf) id = {0};
    size_t name_length;
    struct lsp_message *message = lsp_message_read(content, length);
    if (!message || !lsp_message_is_object(message)) {
        lsp_send_error(server, "null", message ? LSP_INVALID_REQUEST : LSP_PARSE_ERROR,
                       message ? "found no object; messages come one by one" : "found no JSON");
        lsp_message_free(message);
        return;
    }
    const char *name = lsp_message_text(message, "method", &name_length);
    lsp_message_add(message, "id", &id);
    const struct incoming in = {message, id.length ? strbuf_text(&id) : NULL};
    if (in.id && !is_id(in.id))
        lsp_send_error(server, "null", LSP_INVALID_REQUEST, "an id is a number or a string");
    else if (name)
        dispatch(server, name, &in);
    else if (in.id && !lsp_message_has(message, "result") && !lsp_message_has(message, "error"))
        lsp_send_error(server, in.id, LSP_INVALID_REQUEST, "found no method");
    lsp_message_free(message);
}
