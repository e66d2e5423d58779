#include "lsp/lsp_server.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Where the options say nothing (ask_options.def): an editor's questions end. */
enum { USUAL_SECONDS = 20 };

static void take_messages(struct lsp_server *server, const char **fault)
{
    const char *content;
    size_t length;
    enum lsp_news news = LSP_MESSAGE;
    while (!server->exited &&
           (news = lsp_input_next(&server->input, &content, &length, fault)) == LSP_MESSAGE)
        lsp_take(server, content, length);
    if (news != LSP_FAULT)
        *fault = NULL;
    else
        server->exited = true;
}

/* False at the end of input. */
static bool read_input(struct lsp_server *server)
{
    char piece[65536];
    ssize_t length = read(STDIN_FILENO, piece, sizeof piece);
    if (length > 0)
        lsp_input_add(&server->input, piece, (size_t)length);
    return length > 0 || (length < 0 && errno == EINTR);
}

static void listen(struct lsp_server *server, const char **fault)
{
    struct pollfd files[1 + LSP_QUEUES] = {{STDIN_FILENO, POLLIN, 0}};
    for (int q = 0; q < LSP_QUEUES; q++) {
        const struct lsp_lane *lane = &server->queues[q].lane;
        files[1 + q] = (struct pollfd){lane->process ? lane->line : -1, POLLIN, 0};
    }
    if (poll(files, 1 + LSP_QUEUES, -1) < 0)
        return;
    for (int q = 0; q < LSP_QUEUES; q++)
        if (files[1 + q].revents)
            lsp_jobs_hear(server, &server->queues[q]);
    if (!files[0].revents)
        return;
    if (read_input(server))
        take_messages(server, fault);
    else
        server->exited = true;
}

int lsp_serve(const struct ask_options *options, const struct lsp_services *services,
              struct run_output *out)
{
    const char *fault = NULL;
    struct lsp_server *server = base_realloc(NULL, sizeof *server);
    *server = (struct lsp_server){.options = *options, .services = services, .out = out};
    struct session_settings *settings = &server->options.settings;
    if (!(settings->timeout_seconds > 0))
        settings->timeout_seconds = USUAL_SECONDS;
    while (!server->exited && !out->error) {
        lsp_jobs_begin(server);
        listen(server, &fault);
    }
    if (fault)
        fprintf(stderr, "crashlit: lsp: %s\n", fault);
    bool stopped = server->stopping;
    server->stopping = true;
    lsp_jobs_stop(server);
    lsp_documents_fini(&server->documents);
    lsp_input_fini(&server->input);
    base_free(server);
    return fault ? (int)RUN_EXIT_INPUT : stopped ? (int)RUN_EXIT_OK : (int)RUN_EXIT_DIFFERS;
}
