#include "ask/ask_recall.h"

#include "base/build.h"
#include "base/utf8.h"
#include "document/report_json.h"
#include "document/report_wide.h"
#include "format/report_format.h"
#include "run/run_resume.h"
#include "run/run_view.h"
#include "session/session_answers.h"
#include "session/session_digest.h"
#include "session/session_machines.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* ---- Options ---- */

/* Pages take records where they have to, and show executions where they can. */
static bool is_records(const struct report_format *format)
{
    return !report_format_has(format, REPORT_EXECUTIONS) &&
           (report_format_lists(format) || strcmp(report_format_name(format), "json") == 0);
}

const char *ask_recall_refusal(const struct ask_options *options)
{
    const struct session_settings *settings = &options->settings;
    if (settings->certify || settings->certified)
        return "a certificate is of an answer that was found";
    if (session_engine_is_all(settings->engine))
        return "engines that are compared are asked";
    const bool shown = options->executions && strcmp(options->executions, "none") != 0;
    if (options->explain || shown || options->dump_ast || options->dump_ir || options->dump_exec ||
        !ALL(i, options->report_count, is_records(options->reports[i].format)))
        return "what is shown needs executions, which no record has";
    if (options->format == RUN_TEXT && !options->brief)
        return "text of a single test, or of all there is to say, needs executions, which no "
               "record "
               "has";
    return options->given_count == ASK_MAX_GIVEN ? "there are too many options" : NULL;
}

static void add_text(struct strbuf *out, const char *text)
{
    strbuf_printf(out, "%zu %s\n", strlen(text), text);
}

/* All that are not of limits and reports. Where reports show a state, pairs are asked as if alone
 * (may_keep), and SARIF has more places. */
void ask_recall_options(const struct ask_options *options, struct strbuf *out)
{
    EACH (const struct ask_given, given, options->given, options->given_count) {
        add_text(out, given->name);
        add_text(out, given->value ? given->value : "");
        add_text(out, given->more ? given->more : "");
    }
    const bool places = ANY(i, options->report_count,
                            strcmp(report_format_name(options->reports[i].format), "sarif") == 0);
    strbuf_printf(out, "%d %d\n", !options->brief || options->report_count, places);
}

/* ---- Telling a record ---- */

/* Reports that list findings have all that is known, whoever asked. Records of this build have
 * findings. */
static bool tell(struct ask_recall *recall, const struct run_record *record, const json_t *json,
                 bool known, bool first)
{
    return run_view_tell(&recall->account->result->pieces, &recall->account->options->policy,
                         record, json, known, first);
}

bool ask_recall_resumed(struct ask_recall *recall, const struct session_pair *pair,
                        const struct cat_model *model)
{
    const struct run_record *records[SESSION_MAX_ENGINES];
    uint32_t count = run_resume_find(recall->run->earlier, recall->settings, recall->program, pair,
                                     model, records);
    for (uint32_t i = 0; i < count; i++) {
        json_t *json = run_record_json(records[i]);
        (void)!tell(recall, records[i], json,
                    ask_account_record(recall->account, records[i], json, i == 0), i == 0);
        json_decref(json);
    }
    return count > 0;
}

/* ---- The key ---- */

static const struct engine_entry *engine_of(const struct ask_recall *recall,
                                            const struct session_pair *pair)
{
    const struct engine_entry *engines[SESSION_MAX_ENGINES];
    const uint32_t count =
        session_answers_engines(recall->settings, pair->visibility, pair->persistency, engines);
    return count == 1 ? engines[0] : NULL;
}

/* Texts have their lengths, so that no two keys are of one text. */
static struct run_cache_key key_of(const struct ask_recall *recall, const struct session_pair *pair,
                                   const struct cat_model *model, const struct engine_entry *engine,
                                   const char *messages)
{
    SCOPED(strbuf) all = {0};
    SCOPED(arena) arena = {0};
    add_text(&all, base_build);
    add_text(&all, base_version);
    add_text(&all, recall->run->cache->options);
    add_text(&all, recall->name);
    add_text(&all, pair->visibility);
    add_text(&all, pair->persistency);
    add_text(&all, engine->name);
    if (engine->trace)
        add_text(&all, session_machine_name(&arena, recall->settings, pair->visibility,
                                            pair->persistency));
    add_text(&all, messages);
    strbuf_printf(&all, "%" PRIx64 " %" PRIx64 " %" PRIx64, recall->program->digest, model->digest,
                  session_digest_question(recall->settings, engine));
    return run_cache_key_of(&all);
}

/* ---- What is kept ---- */

void ask_recall_fini(struct ask_recall *recall)
{
    run_cache_fini(&recall->file);
}

/* Each fault once in a run, whatever files have it. */
static void read_file(struct ask_recall *recall)
{
    struct run_result *result = recall->account->result;
    SCOPED(arena) arena = {0};
    SCOPED(strbuf) text = {0};
    const char *path = run_cache_path(&arena, recall->run->cache, recall->name);
    const char *why = recall->is_read ? NULL : run_cache_read(&recall->file, path);
    recall->is_read = true;
    if (!why)
        return;
    recall->file.changed = true;
    diag_say(&text, "a file in '%s' counts for nothing, and what it had is asked anew: %s",
             recall->run->cache->folder, why);
    VEC_PUSH(&result->faults, arena_strdup(&result->arena, strbuf_text(&text)));
}

/* Is it a record of this question, as far as a record tells? Its key says so; but the file is one that
 * others may write. */
static bool is_of(const struct ask_recall *recall, const struct session_pair *pair,
                  const struct engine_entry *engine, const struct run_record *record)
{
    const enum lit_verdict expected = session_ask_expected(session_ask_expectation(
        recall->program, pair->visibility, pair->persistency, engine->name));
    return strcmp(record->file, recall->name) == 0 && strcmp(record->engine, engine->name) == 0 &&
           strcmp(record->expected, lit_verdict_text(expected)) == 0 && run_record_decides(record);
}

/* False when it lacks what reports are made of; then nothing was told. */
static bool tell_kept(struct ask_recall *recall, struct arena *arena,
                      const struct run_record *record, const json_t *json)
{
    struct run_result *result = recall->account->result;
    struct report_view view;
    SCOPED(strbuf) line = {0};
    if (!run_view_read(arena, record, json, false, &view))
        return false;
    const bool known = ask_account_record(recall->account, record, json, true);
    view.known = known;
    if (recall->brief)
        report_brief_view(recall->brief, &view);
    run_record_escape(record->line, &line);
    strbuf_add_char(&line, '\n');
    if (recall->account->options->format == RUN_JSON)
        strbuf_add_bytes(&result->out, strbuf_text(&line), line.length);
    run_pieces_line(&result->pieces, strbuf_text(&line));
    (void)!tell(recall, record, json, known, true);
    result->counts[RUN_RECALLED]++;
    return true;
}

static bool recall_line(struct ask_recall *recall, const struct session_pair *pair,
                        const struct engine_entry *engine, const char *line)
{
    SCOPED(arena) arena = {0};
    struct run_record record = {.line = line};
    json_t *json = run_record_read(&arena, line, &record);
    const bool told =
        json && is_of(recall, pair, engine, &record) && tell_kept(recall, &arena, &record, json);
    json_decref(json);
    return told;
}

bool ask_recall_kept(struct ask_recall *recall, const struct session_pair *pair,
                     const struct cat_model *model, struct strbuf *messages)
{
    const struct engine_entry *engine = recall->run->cache ? engine_of(recall, pair) : NULL;
    *recall->key.digits = '\0';
    if (!engine)
        return false;
    read_file(recall);
    recall->key = key_of(recall, pair, model, engine, strbuf_text(messages));
    const char *line = run_cache_find(&recall->file, &recall->key);
    if (!line || !recall_line(recall, pair, engine, line))
        return false;
    run_cache_keep(&recall->file, &recall->key, line, strlen(line));
    strbuf_clear(messages);
    return true;
}

/* Whatever is open may be settled by more time, more memory, or another build of the solver. */
static bool is_whole(const struct report_test *test)
{
    return run_verdict_decides(lit_verdict_text(test->verdict)) &&
           !outcome_any_doubt(test->outcome) && !(test->wide && test->wide->doubt);
}

void ask_recall_keep(struct ask_recall *recall, const struct report_test *test)
{
    SCOPED(strbuf) line = {0};
    if (!*recall->key.digits || !is_whole(test))
        return;
    report_json(test, &line);
    recall->file.changed = true;
    run_cache_keep(&recall->file, &recall->key, strbuf_text(&line), line.length - 1);
}

void ask_recall_end(struct ask_recall *recall)
{
    run_cache_end(&recall->file, &recall->account->result->kept);
}
