/* A queue has one question in its lane and others that wait, in the order in which they were asked.
 * What is known of a text already is answered when it is its turn, without a process. */
#include "base/json.h"
#include "lsp/lsp_look.h"
#include "lsp/lsp_server.h"

#include <stdio.h>
#include <string.h>

static bool is_long(enum lsp_kind kind)
{
    static const bool rows[] = {
#define X(name, is_long) is_long,
        LSP_QUESTIONS(X)
#undef X
    };
    return rows[kind];
}

static void drop(struct lsp_job *job)
{
    base_free(job->id);
    job->id = NULL;
}

static void refuse_job(struct lsp_server *server, struct lsp_job *job, int code, const char *why)
{
    if (job->id)
        lsp_send_error(server, job->id, code, why);
    drop(job);
}

static const char modified[] = "the text was changed";

/* ---- Answers ---- */

static void reply(struct lsp_server *server, struct lsp_job *job, const char *result)
{
    if (job->id)
        lsp_send_result(server, job->id, result);
    drop(job);
}

static bool is_ahead(const struct lsp_position *a, const struct lsp_position *b)
{
    return a->line < b->line || (a->line == b->line && a->character < b->character);
}

/* The range of what stands at a place of an answer. */
static void range_at(const struct lsp_message *answer, const char *at, struct lsp_position *start,
                     struct lsp_position *end)
{
    const struct {
        const char *name;
        uint32_t *number;
    } ends[] = {{"start/line", &start->line},
                {"start/character", &start->character},
                {"end/line", &end->line},
                {"end/character", &end->character}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char place[96];
        snprintf(place, sizeof place, "%s/range/%s", at, ends[i].name);
        *ends[i].number = 0;
        (void)lsp_message_number(answer, place, ends[i].number);
    }
}

/* What a check found at that position; false: nothing. */
static bool add_checked(const struct lsp_message *checked, struct lsp_position position,
                        struct strbuf *out)
{
    size_t count = lsp_message_count(checked, "hovers");
    for (size_t i = 0; i < count; i++) {
        char at[32], place[64];
        struct lsp_position start, end;
        SCOPED(strbuf) range = {0};
        size_t length;
        snprintf(at, sizeof at, "hovers/%zu", i);
        range_at(checked, at, &start, &end);
        if (is_ahead(&position, &start) || !is_ahead(&position, &end))
            continue;
        snprintf(place, sizeof place, "%s/range", at);
        lsp_message_add(checked, place, &range);
        snprintf(place, sizeof place, "%s/text", at);
        const char *text = lsp_message_text(checked, place, &length);
        emit_object(out, NULL);
        emit_object(out, "contents");
        emit_string(out, "kind", "markdown");
        emit_string(out, "value", text ? text : "");
        emit_end(out, '}');
        emit_name(out, "range");
        strbuf_add(out, strbuf_text(&range));
        emit_end(out, '}');
        return true;
    }
    return false;
}

static void reply_checked(struct lsp_server *server, struct lsp_job *job,
                          const struct lsp_message *checked)
{
    SCOPED(strbuf) result = {0};
    if (!add_checked(checked, job->position, &result))
        strbuf_add(&result, "null");
    reply(server, job, strbuf_text(&result));
}

static void add_member(const struct lsp_message *answer, const char *place, const char *name,
                       struct strbuf *out)
{
    SCOPED(strbuf) json = {0};
    lsp_message_add(answer, place, &json);
    if (json.length) {
        emit_name(out, name);
        strbuf_add(out, strbuf_text(&json));
    }
}

/* The N-th fix of an answer; of one that mends a diagnostic its number, else -1. */
static void add_fix(const struct lsp_document *document, const struct lsp_message *answer, size_t n,
                    bool preferred, int diagnostic, struct strbuf *list)
{
    char place[64];
    emit_object(list, NULL);
    snprintf(place, sizeof place, "fixes/%zu/title", n);
    add_member(answer, place, "title", list);
    emit_string(list, "kind", "quickfix");
    if (diagnostic >= 0) {
        emit_array(list, "diagnostics");
        snprintf(place, sizeof place, "diagnostics/%d", diagnostic);
        add_member(answer, place, NULL, list);
        emit_end(list, ']');
    }
    emit_bool(list, "isPreferred", preferred);
    emit_object(list, "edit");
    emit_object(list, "changes");
    snprintf(place, sizeof place, "fixes/%zu/edits", n);
    add_member(answer, place, document->uri, list);
    strbuf_add(list, "}}}");
}

/* Those of mistakes that the selection touches; returns how many. */
static size_t add_typos(const struct lsp_job *job, const struct lsp_document *document,
                        struct strbuf *list)
{
    size_t count = lsp_message_count(document->looked, "fixes"), found = 0;
    for (size_t i = 0; i < count; i++) {
        char place[64];
        uint32_t diagnostic = 0;
        struct lsp_position start, end;
        snprintf(place, sizeof place, "fixes/%zu/diagnostic", i);
        (void)lsp_message_number(document->looked, place, &diagnostic);
        snprintf(place, sizeof place, "diagnostics/%u", diagnostic);
        range_at(document->looked, place, &start, &end);
        if (is_ahead(&end, &job->position) || is_ahead(&job->end, &start))
            continue;
        add_fix(document, document->looked, i, true, (int)diagnostic, list);
        found++;
    }
    return found;
}

/* Quick fixes; of those that `place` has found the lightest is preferred. */
static void reply_fixes(struct lsp_server *server, struct lsp_job *job,
                        const struct lsp_document *document)
{
    SCOPED(strbuf) list = {0};
    size_t count = lsp_message_count(document->mended, "fixes");
    emit_array(&list, NULL);
    bool typos = add_typos(job, document, &list) > 0;
    for (size_t i = 0; i < count; i++)
        add_fix(document, document->mended, i, i == 0 && !typos, -1, &list);
    emit_end(&list, ']');
    reply(server, job, strbuf_text(&list));
}

/* What was done, for who reads it; and a line of it for who does not. */
static void reply_command(struct lsp_server *server, struct lsp_job *job,
                          const struct lsp_message *answer)
{
    static const char *const names[] = {
#define X(name, is_long) [LSP_##name] = #name,
        LSP_QUESTIONS(X)
#undef X
    };
    SCOPED(strbuf) result = {0}, line = {0};
    size_t length;
    const char *summary = lsp_message_text(answer, "summary", &length);
    for (const char *c = names[job->kind]; *c; c++)
        strbuf_add_char(&line, (char)(*c - 'A' + 'a'));
    strbuf_printf(&line, ": %s", summary ? summary : "");
    emit_object(&result, NULL);
    add_member(answer, "summary", "summary", &result);
    add_member(answer, "text", "text", &result);
    emit_end(&result, '}');
    lsp_send_message(server, LSP_INFORMATION, strbuf_text(&line));
    reply(server, job, strbuf_text(&result));
}

static void keep_answer(struct lsp_message **place, struct lsp_message *answer)
{
    lsp_message_free(*place);
    *place = answer;
}

/* On a condition the verdict is the answer, once there is one. */
static void answer_hover(struct lsp_server *server, struct lsp_job *job,
                         const struct lsp_document *document, const struct lsp_message *answer)
{
    SCOPED(strbuf) result = {0};
    if (lsp_message_has(answer, "check") && document->checked) {
        reply_checked(server, job, document->checked);
        return;
    }
    if (lsp_message_has(answer, "check")) {
        lsp_jobs_add(server, (struct lsp_job){.kind = LSP_CHECK, .revision = job->revision});
        VEC_PUSH(&server->queues[LSP_LATE].waiting, *job);
        *job = (struct lsp_job){.kind = LSP_HOVER};
        return;
    }
    lsp_message_add(answer, "result", &result);
    reply(server, job, strbuf_text(&result));
}

static void answer_job(struct lsp_server *server, struct lsp_job *job,
                       struct lsp_document *document, struct lsp_message *answer)
{
    SCOPED(strbuf) result = {0};
    switch (job->kind) {
    case LSP_LOOK:
        keep_answer(&document->looked, answer);
        lsp_send_diagnostics(server, document);
        drop(job);
        return;
    case LSP_CHECK:
        keep_answer(&document->checked, answer);
        lsp_send_diagnostics(server, document);
        if (job->command)
            reply_command(server, job, answer);
        drop(job);
        return;
    case LSP_MEND:
    case LSP_NARROW:
    case LSP_REPAIR:
        if (job->command)
            reply_command(server, job, answer);
        if (!job->id && !lsp_message_count(answer, "fixes"))
            break; /* what is there from before may be more */
        keep_answer(&document->mended, answer);
        if (job->id)
            reply_fixes(server, job, document);
        return;
    case LSP_EXPLAIN: reply_command(server, job, answer); break;
    case LSP_HOVER: answer_hover(server, job, document, answer); break;
    case LSP_LENS:
    case LSP_COMPLETE:
    case LSP_DEFINE:
        lsp_message_add(answer, "result", &result);
        reply(server, job, strbuf_text(&result));
        break;
    }
    lsp_message_free(answer);
}

/* ---- Beginning ---- */

/* Without a process, where it is known already. */
static bool answer_known(struct lsp_server *server, struct lsp_job *job,
                         struct lsp_document *document, bool late)
{
    if (job->kind == LSP_CHECK && document->checked) {
        if (job->command)
            reply_command(server, job, document->checked);
        drop(job);
    } else if (job->kind == LSP_HOVER && late && document->checked) {
        reply_checked(server, job, document->checked);
    } else if (job->kind == LSP_HOVER && late) { /* the check gave no answer */
        reply(server, job, "null");
    } else if (job->kind == LSP_MEND && document->mended) {
        reply_fixes(server, job, document);
    } else {
        return false;
    }
    return true;
}

static void start(struct lsp_server *server, struct lsp_queue *queue, struct lsp_job *job,
                  const struct lsp_document *document)
{
    size_t length;
    const struct lsp_question question = {
        .kind = job->kind,
        .language = document->language,
        .options = &server->options,
        .services = server->services,
        .uri = document->uri,
        .path = document->path,
        .text = strbuf_text(&document->text),
        .length = document->text.length,
        .position = job->position,
        .verdict =
            document->checked ? lsp_message_text(document->checked, "summary", &length) : NULL};
    if (lsp_lane_start(&queue->lane, &question))
        queue->current = *job;
    else
        refuse_job(server, job, LSP_FAILED, "there is no process for it");
}

static void begin_job(struct lsp_server *server, struct lsp_queue *queue)
{
    while (!queue->lane.process && queue->waiting.count) {
        struct lsp_job job = queue->waiting.items[0];
        memmove(queue->waiting.items, queue->waiting.items + 1,
                --queue->waiting.count * sizeof job);
        struct lsp_document *document = lsp_document_of(&server->documents, job.revision);
        if (!document)
            refuse_job(server, &job, LSP_MODIFIED, modified);
        else if (!answer_known(server, &job, document, queue == &server->queues[LSP_LATE]))
            start(server, queue, &job, document);
    }
}

void lsp_jobs_begin(struct lsp_server *server)
{
    for (int q = 0; q < LSP_QUEUES; q++)
        begin_job(server, &server->queues[q]);
}

void lsp_jobs_add(struct lsp_server *server, struct lsp_job job)
{
    struct lsp_queue *queue = &server->queues[is_long(job.kind) ? LSP_LATE : LSP_SOON];
    if (queue->waiting.count >= LSP_MAX_JOBS)
        refuse_job(server, &job, LSP_FAILED, "too many requests wait");
    else
        VEC_PUSH(&queue->waiting, job);
}

void lsp_jobs_fix(struct lsp_server *server, struct lsp_job job, bool place)
{
    const struct lsp_document *document = lsp_document_of(&server->documents, job.revision);
    SCOPED(strbuf) typos = {0};
    bool known = !place || document->mended || add_typos(&job, document, &typos) > 0;
    if (known)
        reply_fixes(server, &job, document);
    else
        lsp_jobs_add(server, job);
}

/* ---- Ends ---- */

static struct lsp_message *read_answer(const char *bytes)
{
    SCOPED(strbuf) object = {0};
    strbuf_add_char(&object, '{');
    strbuf_add(&object, bytes);
    strbuf_add_char(&object, '}');
    return lsp_message_read(object.text, object.length);
}

static void tell_failure(struct lsp_server *server, struct lsp_job *job, const char *reason)
{
    if (job->kind == LSP_CHECK || job->kind == LSP_LOOK) {
        SCOPED(strbuf) text = {0};
        strbuf_printf(&text, "crashlit: %s", reason);
        lsp_send_message(server, LSP_WARNING, strbuf_text(&text));
    }
    refuse_job(server, job, LSP_FAILED, reason);
}

void lsp_jobs_hear(struct lsp_server *server, struct lsp_queue *queue)
{
    const char *bytes, *reason;
    if (!lsp_lane_hear(&queue->lane, &bytes, &reason))
        return;
    struct lsp_job job = queue->current;
    queue->current = (struct lsp_job){.kind = LSP_LOOK};
    struct lsp_document *document = lsp_document_of(&server->documents, job.revision);
    struct lsp_message *answer = bytes && document ? read_answer(bytes) : NULL;
    if (!document)
        refuse_job(server, &job, LSP_MODIFIED, modified);
    else if (!answer)
        tell_failure(server, &job, bytes ? "its answer was no JSON" : reason);
    else
        answer_job(server, &job, document, answer);
}

static void stop_current(struct lsp_server *server, struct lsp_queue *queue, int code,
                         const char *why)
{
    lsp_lane_stop(&queue->lane);
    refuse_job(server, &queue->current, code, why);
}

void lsp_jobs_drop_stale(struct lsp_server *server)
{
    EACH (struct lsp_queue, queue, server->queues, LSP_QUEUES)
        if (queue->lane.process && !lsp_document_of(&server->documents, queue->current.revision))
            stop_current(server, queue, LSP_MODIFIED, modified);
}

void lsp_jobs_cancel(struct lsp_server *server, const char *id)
{
    EACH (struct lsp_queue, queue, server->queues, LSP_QUEUES) {
        if (queue->lane.process && text_same(queue->current.id, id))
            stop_current(server, queue, LSP_CANCELLED, "cancelled");
        for (size_t i = 0; i < queue->waiting.count; i++)
            if (text_same(queue->waiting.items[i].id, id)) {
                refuse_job(server, &queue->waiting.items[i], LSP_CANCELLED, "cancelled");
                memmove(queue->waiting.items + i, queue->waiting.items + i + 1,
                        (--queue->waiting.count - i) * sizeof queue->waiting.items[i]);
                break;
            }
    }
}

void lsp_jobs_stop(struct lsp_server *server)
{
    EACH (struct lsp_queue, queue, server->queues, LSP_QUEUES) {
        if (queue->lane.process)
            stop_current(server, queue, LSP_CANCELLED, "the server stops");
        for (size_t i = 0; i < queue->waiting.count; i++)
            refuse_job(server, &queue->waiting.items[i], LSP_CANCELLED, "the server stops");
        VEC_FREE(&queue->waiting);
        lsp_lane_fini(&queue->lane);
    }
}
