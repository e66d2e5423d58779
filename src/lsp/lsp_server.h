/* lsp_server: what the parts of the language server share. Private to lsp. */
#ifndef CRASHLIT_LSP_SERVER_H
#define CRASHLIT_LSP_SERVER_H

#include "lsp/lsp.h"
#include "lsp/lsp_document.h"
#include "lsp/lsp_frame.h"
#include "lsp/lsp_lane.h"

enum { LSP_MAX_JOBS = 256 };

/* A question that waits for its lane, or that its lane works on. */
struct lsp_job {
    enum lsp_kind kind;
    uint64_t revision;                 /* of the document when the question was asked */
    char *id;                          /* of the request, as JSON; NULL: it is no request */
    bool command;                      /* the request is workspace/executeCommand */
    struct lsp_position position, end; /* MEND: of the selection */
};

struct lsp_queue {
    struct lsp_lane lane;
    struct lsp_job current; /* while the lane has a process */
    VEC(struct lsp_job) waiting;
};

/* SOON: questions with quick answers. LATE: questions that need an engine. */
enum lsp_queue_name { LSP_SOON, LSP_LATE, LSP_QUEUES };

/* When tests are checked although the user did not ask for it. */
enum lsp_checks { LSP_CHECK_SAVED, LSP_CHECK_CHANGED, LSP_CHECK_NEVER };

struct lsp_server {
    struct ask_options options;
    const struct lsp_services *services;
    struct run_output *out;
    struct lsp_input input;
    struct lsp_documents documents;
    struct lsp_queue queues[LSP_QUEUES];
    enum lsp_checks checks;
    bool initialized, stopping, exited;
};

/* Errors of JSON-RPC and of the protocol. */
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_FAILED = -32803,
    LSP_MODIFIED = -32801,
    LSP_CANCELLED = -32800
};

/* ---- What is sent (lsp_send.c) ---- */

/* `id` and `result` are JSON. */
void lsp_send_result(struct lsp_server *server, const char *id, const char *result);
void lsp_send_error(struct lsp_server *server, const char *id, int code, const char *message);
/* Sends a message of type LSP_ERROR to LSP_INFORMATION (lsp_look.h). */
void lsp_send_message(struct lsp_server *server, int type, const char *text);
/* Publishes the known diagnostics of the document; none if it is closed. */
void lsp_send_diagnostics(struct lsp_server *server, const struct lsp_document *document);
void lsp_send_no_diagnostics(struct lsp_server *server, const char *uri);

/* ---- Questions (lsp_jobs.c) ---- */

/* Adds a job and owns it from now on. */
void lsp_jobs_add(struct lsp_server *server, struct lsp_job job);
/* Takes over a request for quick fixes. It is answered at once from known answers, unless `place`
 * is to be asked, too, and the selection holds no typing mistake. */
void lsp_jobs_fix(struct lsp_server *server, struct lsp_job job, bool place);
/* Begins each waiting question whose lane is free. */
void lsp_jobs_begin(struct lsp_server *server);
/* Handles bytes that have come from that lane. */
void lsp_jobs_hear(struct lsp_server *server, struct lsp_queue *queue);
/* Drops questions about texts that no document has any more. */
void lsp_jobs_drop_stale(struct lsp_server *server);
void lsp_jobs_cancel(struct lsp_server *server, const char *id);
void lsp_jobs_stop(struct lsp_server *server);

/* ---- Messages (lsp_methods.c) ---- */

void lsp_take(struct lsp_server *server, const char *content, size_t length);

#endif
