#include "cli/cli_commands.h"

#include "base/utf8.h"
#include "ask/ask_show.h"
#include "session/session_ask.h"
#include "session/session_test.h"

#include <string.h>

struct peers {
    struct ask_options options;
    const struct session_model *model;
    struct reach_within folder;
    struct strbuf *out, *err;
    struct session_parts parts;
    enum run_status status;
    size_t agree, differ, unread;
};

/* The worst verdict of the conditions when undefined behaviour is left aside. Peers take what holds
 * of no state for granted. */
static enum lit_verdict condition_verdict(struct outcome *outcome,
                                          const struct lit_program *program)
{
    size_t undefined = outcome->undefined.count;
    outcome->undefined.count = 0;
    outcome->vacuity_is_meant = true;
    enum lit_verdict verdict = outcome_verdict(outcome, program);
    outcome->undefined.count = undefined;
    return verdict;
}

/* A race that was found counts whatever was not looked at. */
static enum lit_verdict race_verdict(const struct outcome *outcome)
{
    if (outcome->undefined.count || outcome->flags.count)
        return LIT_VIOLATED;
    return outcome_flag_doubt(outcome) ? LIT_UNKNOWN : LIT_OK;
}

static void compare(struct peers *peers, const char *path, bool wanted, struct outcome *outcome,
                    const struct lit_program *program)
{
    enum lit_verdict verdict = peers->options.settings.property == SESSION_RACE
                                   ? race_verdict(outcome)
                                   : condition_verdict(outcome, program);
    if (verdict == (wanted ? LIT_OK : LIT_VIOLATED)) {
        peers->agree++;
        return;
    }
    peers->differ++;
    run_status_raise(&peers->status, verdict == LIT_UNKNOWN ? RUN_EXIT_UNKNOWN : RUN_EXIT_DIFFERS);
    utf8_add_name(peers->out, path);
    strbuf_printf(peers->out, ": expected %d, found %s\n", wanted, lit_verdict_text(verdict));
}

/* The folder may be a stranger's: what is in it and leads out of it is not read. */
static void read_test(struct peers *peers, struct session_test *test, const char *path)
{
    const struct session_settings as_written = cli_as_written(&peers->options.settings);
    const struct source *source = NULL;
    const char *why = NULL;
    session_test_begin(test, path);
    if (reach_load_within(&test->arena, &peers->options.settings.reach, &peers->folder, path,
                          REACH_TESTS, &source, &why) == REACH_REFUSED)
        diag_error(&test->diag, DIAG_FILE_REACH, NOWHERE,
                   "'%s' is no file ending in .litmus in '%s', or below; copy it there, or permit "
                   "its folder with --allow-path FOLDER",
                   path, peers->options.inputs[0]);
    else
        session_test_take_source(test, &as_written, path, source, why);
    diag_render(&test->diag, peers->err);
}

static void try_test(struct peers *peers, const char *path, bool wanted)
{
    SCOPED(session_test) test;
    struct outcome outcome;
    SCOPED(strbuf) full = {0};
    strbuf_printf(&full, "%s/%s", peers->options.inputs[0], path);
    read_test(peers, &test, strbuf_text(&full));
    if (test.program) {
        const struct session_settings *settings = &peers->options.settings;
        const struct session_case question =
            session_case_begin(settings, peers->model, test.program, peers->parts);
        ask_show_run(&peers->options, &question, &outcome, peers->out);
        compare(peers, path, wanted, &outcome, test.program);
        outcome_fini(&outcome);
    } else {
        peers->unread++;
        run_status_raise(&peers->status, RUN_EXIT_INPUT);
    }
}

static void report_line(struct peers *peers, const struct source *source, uint32_t line,
                        size_t length)
{
    struct span span = {source, line, 1, line, (uint32_t)length + 1};
    diag_tell(peers->err, DIAG_CLI_EXPECTED_LINE, span, "expected 'path,0' or 'path,1'");
    run_status_raise(&peers->status, RUN_EXIT_INPUT);
}

static void try_lines(struct peers *peers, struct arena *arena, const struct source *source)
{
    uint32_t line = 0;
    for (const char *at = source->text; *at; at += *at == '\n') {
        size_t length = strcspn(at, "\n"), used = length;
        line++;
        while (used && strchr(" \t", at[used - 1]))
            used--;
        if (used > 2 && at[used - 2] == ',' && (at[used - 1] == '0' || at[used - 1] == '1'))
            try_test(peers, arena_strndup(arena, at, used - 2), at[used - 1] == '1');
        else if (used)
            report_line(peers, source, line, used);
        at += length;
    }
}

static void try_table(struct peers *peers, struct arena *arena)
{
    const char *why;
    const struct source *source = source_load(arena, peers->options.expected, &why);
    if (source && memchr(source->text, '\0', source->length)) {
        why = "found a NUL, expected 'path,0' or 'path,1' a line";
    } else if (source) {
        try_lines(peers, arena, source);
        return;
    }
    diag_tell(peers->err, DIAG_FILE_READ, NOWHERE, "cannot read '%s': %s", peers->options.expected,
              why);
    peers->unread++;
    run_status_raise(&peers->status, RUN_EXIT_INPUT);
}

/* A table of blanks alone compares nothing. */
static void refuse_nothing(struct peers *peers)
{
    if (peers->agree + peers->differ + peers->unread || peers->status != RUN_EXIT_OK)
        return;
    diag_tell(peers->err, DIAG_CLI_NO_TESTS, NOWHERE,
              "'%s' has no answers: expected lines 'path,0' or 'path,1'", peers->options.expected);
    run_status_raise(&peers->status, RUN_EXIT_INPUT);
}

enum run_status cli_peers(const void *context, struct session_parts parts, struct strbuf *out,
                          struct strbuf *err)
{
    const struct ask_options *options = context;
    struct peers peers = {.options = *options, .out = out, .err = err, .parts = parts};
    bool conditions = options->settings.property == SESSION_CONDITION;
    peers.options.settings.decide = peers.options.settings.conditions_alone = conditions;
    struct session_models *models = session_models_new();
    SCOPED(arena) arena = {0};
    reach_within_init(&peers.folder, &arena, options->inputs[0]);
    const struct cat_asker user = session_models_user(&options->settings);
    const struct session_pair pair = session_pair_or(&options->settings, "hrf-direct", "none");
    peers.model = session_models_get(models, &user, pair.visibility, pair.persistency);
    if (peers.model->model) {
        try_table(&peers, &arena);
        refuse_nothing(&peers);
        strbuf_printf(out, "%zu agree, %zu differ, %zu could not be read\n", peers.agree,
                      peers.differ, peers.unread);
    } else {
        strbuf_add(err, peers.model->faults);
        run_status_raise(&peers.status, RUN_EXIT_INPUT);
    }
    reach_within_fini(&peers.folder);
    session_models_free(models);
    return peers.status;
}
