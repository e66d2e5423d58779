#include "run/run_retell.h"

#include "base/utf8.h"
#include "run/run_view.h"

#include <jansson.h>
#include <string.h>

/* Records that are refused; messages of a file of which each is told once. */
enum { MOST_TOLD = 20, MOST_COMPARED = 1000 };
static const char RUN_NAME[] = "crashlit"; /* as reports call it */

bool run_retell_begin(struct run_retell *retell, const struct run_plan *plan,
                      struct run_output *out, struct diag *diag)
{
    *retell = (struct run_retell){.plan = plan, .out = out, .diag = diag};
    retell->reports = run_reports_open(plan, out, diag);
    return retell->reports != NULL;
}

/* ---- Text ---- */

/* As the run has it: what somebody should look at first, in herd's shape all in order. */
static void print(struct run_retell *retell, const struct strbuf *text, bool odd)
{
    if (retell->plan->format != RUN_TEXT)
        return;
    if (retell->plan->sentences && !odd)
        strbuf_add_bytes(&retell->held, strbuf_text(text), text->length);
    else
        run_output_add_lines(retell->out, text);
}

static void end_pair(struct run_retell *retell)
{
    if (!retell->view.test)
        return;
    retell->view.remarks = strbuf_text(&retell->remarks);
    report_brief_view(&retell->brief, &retell->view);
    retell->view.test = NULL;
    strbuf_clear(&retell->remarks);
}

/* ---- Files ---- */

static void begin_file(struct run_retell *retell, const struct run_record *record)
{
    retell->file = arena_strdup(&retell->arena, record->file);
    retell->test = *record->test ? arena_strdup(&retell->arena, record->test) : NULL;
    retell->title = "";
    retell->is_open = true;
    run_result_init(&retell->result, retell->plan, utf8_bytes_of(&retell->arena, record->file));
}

static void end_file(struct run_retell *retell)
{
    SCOPED(strbuf) text = {0};
    if (!retell->is_open)
        return;
    end_pair(retell);
    run_pieces_end_as(&retell->result.pieces, retell->test, retell->title, retell->version);
    run_reports_add(retell->reports, &retell->result.pieces);
    report_brief_end(&retell->brief, utf8_bytes_of(&retell->arena, retell->file), &text);
    print(retell, &text, retell->brief.otherwise > 0);
    report_brief_fini(&retell->brief);
    run_status_raise(&retell->status, retell->result.status);
    retell->differs |= retell->result.differs;
    for (int i = 0; i < RUN_COUNTS; i++)
        retell->counts[i] += retell->result.counts[i];
    retell->counts[RUN_UNREAD] += retell->result.status == RUN_EXIT_INPUT;
    run_result_fini(&retell->result);
    arena_fini(&retell->arena);
    retell->arena = (struct arena){0};
    retell->brief = (struct report_brief){0};
    retell->visibility = retell->persistency = NULL;
    retell->is_open = false;
    VEC_CLEAR(&retell->said);
}

/* ---- Records ---- */

static bool is_said(struct run_retell *retell, const json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    BASE_CHECK(text);
    bool said = retell->said.count < MOST_COMPARED &&
                ANY(i, retell->said.count, strcmp(retell->said.items[i], text) == 0);
    if (!said)
        VEC_PUSH(&retell->said, arena_strdup(&retell->arena, text));
    base_free_foreign(text);
    return said;
}

/* Of a file that was asked about twice, once. */
static void forget_said(struct run_retell *retell, const json_t *json)
{
    json_t *messages = json_object_get(json, "messages");
    for (size_t i = 0; i < json_array_size(messages);)
        if (is_said(retell, json_array_get(messages, i)))
            json_array_remove(messages, i);
        else
            i++;
}

/* Whatever is wrong with the record otherwise. */
static void account(struct run_retell *retell, const struct run_record *record, const json_t *json,
                    bool known, bool first)
{
    struct run_result *result = &retell->result;
    const struct run_answer answer = run_view_answer(record, json, known, first);
    const json_t *accepted = json_object_get(json_object_get(json, "certificate"), "accepted");
    struct report_accord accord;
    run_result_account(result, &retell->plan->policy, &answer);
    if (answer.is_disputed)
        diag_warning(
            retell->diag, DIAG_CLI_RECORD, NOWHERE,
            "'%s', line %u: engines, or the checker of certificates, contradicted each other "
            "about %s under %s + %s",
            record->source, record->number, record->file, record->model, record->persistency);
    if (accepted)
        result->counts[json_is_true(accepted) ? RUN_CERTIFIED : RUN_UNCERTIFIED]++;
    if (run_view_accord(json, &accord) && accord.result == REPORT_FAILED)
        run_result_raise(result, RUN_EXIT_DISAGREE);
}

static void remark(struct run_retell *retell, const struct report_view *view, bool first,
                   const json_t *json)
{
    struct report_accord accord;
    if (!first && view->verdict != view->expected)
        report_verdict_remark(view->engine, view->verdict, view->expected, &retell->remarks);
    if (run_view_accord(json, &accord) && accord.result != REPORT_PASSED)
        report_accord_remark(accord.result, accord.details, &retell->remarks);
}

static bool is_of_last_pair(const struct run_retell *retell, const struct run_record *record)
{
    return retell->visibility && strcmp(retell->visibility, record->model) == 0 &&
           strcmp(retell->persistency, record->persistency) == 0;
}

/* What the view points to is to outlive the record. */
static bool take_answer(struct run_retell *retell, const struct run_record *record,
                        const json_t *json, bool known)
{
    struct run_record kept = *record;
    struct report_view view;
    const bool first = !retell->view.test;
#define X(name) kept.name = arena_strdup(&retell->arena, record->name);
    RUN_RECORD_KEY(X)
    RUN_RECORD_TEXTS(X)
#undef X
    if (!run_view_read(&retell->arena, &kept, json, false, &view) ||
        !run_view_tell(&retell->result.pieces, &retell->plan->policy, record, json, known, first))
        return false;
    view.known = known;
    if (first)
        retell->view = view;
    retell->title = view.title;
    remark(retell, &view, first, json);
    return true;
}

static bool is_unknown(const struct run_record *record)
{
    return strcmp(record->verdict, lit_verdict_text(LIT_UNKNOWN)) == 0;
}

/* Its worker did not finish: its line has nothing of what was expected. */
static bool is_given_up(const json_t *json)
{
    const json_t *first = json_array_get(json_object_get(json, "messages"), 0);
    return strcmp(run_record_text(first, "id"), "worker") == 0;
}

/* Of one without an answer. Who merges runs knows that there is none, whatever became of a worker. */
static void account_failure(struct run_retell *retell, const struct run_record *record,
                            const json_t *json)
{
    struct run_result *result = &retell->result;
    const bool given_up = is_given_up(json);
    uint64_t unread;
    if (run_record_number(json, "unread", &unread)) {
        retell->counts[RUN_UNREAD] += unread;
        run_status_raise(&retell->status, RUN_EXIT_INPUT);
        return;
    }
    result->counts[RUN_OTHERWISE] += is_unknown(record) || given_up;
    if (is_unknown(record))
        run_result_raise_unknown(result, &retell->plan->policy);
    else
        run_result_raise(result,
                         given_up && retell->plan->in_order ? RUN_EXIT_INTERNAL : RUN_EXIT_INPUT);
}

static bool take_failure(struct run_retell *retell, const struct run_record *record,
                         const json_t *json)
{
    const char *title = json_string_value(json_object_get(json, "title"));
    const struct report_failure failure = {.verdict = is_unknown(record) ? LIT_UNKNOWN : LIT_ERROR,
                                           .expected = run_view_verdict(record->expected),
                                           .reason = run_record_text(json, "reason"),
                                           .visibility = record->model,
                                           .persistency = record->persistency};
    uint64_t unread;
    if (!json_object_get(json, "messages"))
        return false;
    if (run_record_number(json, "unread", &unread)) {
        run_pieces_unread(&retell->result.pieces, (size_t)unread);
    } else if (is_given_up(json)) {
        SCOPED(strbuf) text = {0};
        run_result_line(record->verdict, record->file, failure.reason, &text);
        print(retell, &text, true);
    } else {
        if (title)
            retell->title = arena_strdup(&retell->arena, title);
        report_brief_failure(&retell->brief, &failure);
    }
    return true;
}

static void add_line(struct run_retell *retell, const struct run_record *record)
{
    SCOPED(strbuf) line = {0};
    run_record_escape(record->line, &line);
    strbuf_add_char(&line, '\n');
    if (retell->plan->format == RUN_JSON)
        run_output_add_text(retell->out, &line);
    run_pieces_line(&retell->result.pieces, strbuf_text(&line));
}

/* JSON lines go on as they are, whatever they have. */
static bool needs_findings(const struct run_plan *plan)
{
    return plan->format != RUN_JSON ||
           ANY(i, plan->report_count, report_format_lists(plan->reports[i].format));
}

void run_retell_record(struct run_retell *retell, const struct run_record *record, bool known)
{
    json_t *json = run_record_json(record);
    if (retell->is_open && strcmp(retell->file, record->file) != 0)
        end_file(retell);
    if (!retell->is_open)
        begin_file(retell, record);
    retell->version = arena_strdup(&retell->arena, run_record_text(json, "version"));
    add_line(retell, record);
    forget_said(retell, json);
    const bool first = !is_of_last_pair(retell, record), fails = run_record_is_failure(record);
    if (first)
        end_pair(retell);
    retell->visibility = fails ? NULL : arena_strdup(&retell->arena, record->model);
    retell->persistency = arena_strdup(&retell->arena, record->persistency);
    if (fails)
        account_failure(retell, record, json);
    else
        account(retell, record, json, known, first);
    bool whole =
        !needs_findings(retell->plan) ||
        (run_view_say(&retell->result.pieces, record, json) &&
         (fails ? take_failure(retell, record, json) : take_answer(retell, record, json, known)));
    if (!whole && ++retell->refused <= MOST_TOLD)
        diag_error(retell->diag, DIAG_CLI_RECORD, NOWHERE,
                   "'%s', line %u: found a record without all that reports are made of, expected "
                   "one of this version; check %s again",
                   record->source, record->number, record->file);
    json_decref(json);
}

/* ---- The end ---- */

static void add_faults(struct run_retell *retell)
{
    struct run_pieces pieces = {.count = 0};
    if (retell->refused > MOST_TOLD)
        diag_error(retell->diag, DIAG_CLI_RECORD, NOWHERE, "found %zu further such records",
                   retell->refused - MOST_TOLD);
    if (retell->diag->errors == 0)
        return;
    run_pieces_init(&pieces, retell->plan, RUN_NAME);
    run_pieces_faults(&pieces, retell->diag);
    run_pieces_unread(&pieces, 0);
    run_pieces_end(&pieces, NULL);
    run_reports_add(retell->reports, &pieces);
    run_pieces_fini(&pieces);
}

enum run_status run_retell_end(struct run_retell *retell, enum run_status status,
                               struct strbuf *err)
{
    SCOPED(strbuf) summary = {0};
    end_file(retell);
    add_faults(retell);
    run_status_raise(&status, retell->status);
    if (retell->diag->errors)
        run_status_raise(&status, RUN_EXIT_INPUT);
    status = run_policy_status(&retell->plan->policy, status, retell->differs);
    run_output_add_lines(retell->out, &retell->held);
    run_counts_summary(&retell->plan->policy, retell->counts, &summary);
    strbuf_add_char(&summary, '\n');
    if (retell->plan->format == RUN_TEXT)
        run_output_add_lines(retell->out, &summary);
    if (!run_reports_close(retell->reports, (int)status, err))
        run_status_raise(&status, RUN_EXIT_INPUT);
    strbuf_fini(&retell->held);
    strbuf_fini(&retell->remarks);
    VEC_FREE(&retell->said);
    return status;
}
