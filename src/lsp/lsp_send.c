#include "base/json.h"
#include "lsp/lsp_server.h"

/* All messages leave by this. */
static void send(struct lsp_server *server, struct strbuf *content)
{
    SCOPED(strbuf) frame = {0};
    emit_end(content, '}');
    lsp_frame_add(&frame, content);
    run_output_add_text(server->out, &frame);
    run_output_flush(server->out);
    strbuf_fini(content);
}

static struct strbuf begin_message(void)
{
    struct strbuf content = {0};
    emit_object(&content, NULL);
    emit_string(&content, "jsonrpc", "2.0");
    return content;
}

static void add_member(struct strbuf *content, const char *name, const char *json)
{
    emit_name(content, name);
    strbuf_add(content, json);
}

void lsp_send_result(struct lsp_server *server, const char *id, const char *result)
{
    struct strbuf content = begin_message();
    add_member(&content, "id", id);
    add_member(&content, "result", result);
    send(server, &content);
}

void lsp_send_error(struct lsp_server *server, const char *id, int code, const char *message)
{
    struct strbuf content = begin_message();
    add_member(&content, "id", id);
    emit_object(&content, "error");
    emit_name(&content, "code");
    strbuf_printf(&content, "%d", code);
    emit_string(&content, "message", message);
    emit_end(&content, '}');
    send(server, &content);
}

/* `params` is JSON. */
static void notify(struct lsp_server *server, const char *method, const char *params)
{
    struct strbuf content = begin_message();
    emit_string(&content, "method", method);
    add_member(&content, "params", params);
    send(server, &content);
}

void lsp_send_message(struct lsp_server *server, int type, const char *text)
{
    SCOPED(strbuf) params = {0};
    emit_object(&params, NULL);
    emit_number(&params, "type", (uint64_t)type);
    emit_string(&params, "message", text);
    emit_end(&params, '}');
    notify(server, "window/showMessage", strbuf_text(&params));
}

/* The elements of the answer's list. */
static void add_diagnostics(struct strbuf *params, const struct lsp_message *answer)
{
    SCOPED(strbuf) list = {0};
    if (answer)
        lsp_message_add(answer, "diagnostics", &list);
    if (list.length > 2) {
        list.text[list.length - 1] = '\0';
        emit_name(params, NULL);
        strbuf_add(params, list.text + 1);
    }
}

static void send_list(struct lsp_server *server, const char *uri,
                      const struct lsp_document *document)
{
    SCOPED(strbuf) params = {0};
    emit_object(&params, NULL);
    emit_string(&params, "uri", uri);
    if (document && document->versioned)
        emit_number(&params, "version", document->version);
    emit_array(&params, "diagnostics");
    if (document) {
        add_diagnostics(&params, document->looked);
        add_diagnostics(&params, document->checked);
    }
    emit_end(&params, ']');
    emit_end(&params, '}');
    notify(server, "textDocument/publishDiagnostics", strbuf_text(&params));
}

void lsp_send_diagnostics(struct lsp_server *server, const struct lsp_document *document)
{
    send_list(server, document->uri, document);
}

void lsp_send_no_diagnostics(struct lsp_server *server, const char *uri)
{
    send_list(server, uri, NULL);
}
