#include "cli/cli_commands.h"

#include "base/vec.h"
#include "document/report_trace.h"
#include "session/session_machines.h"
#include "session/session_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tracer {
    const struct ask_options *options;
    struct session_settings settings; /* of these, with a machine */
    struct trace_choice choice;
    const struct lit_program *program;
    struct session_parts parts;
    struct session_models *models;
    struct run_result *result;
    VEC(const struct lit_prop *) state; /* what was asked for, part by part */
    struct arena arena;
    struct diag diag;
};

/* ---- States ----------------------------------------------------------------------------- */

static bool find_register(const struct lit_program *program, const char *name,
                          struct lit_atom *atom)
{
    char *end;
    unsigned long number = strtoul(name, &end, 10);
    if (end == name || *end != ':')
        return false;
    for (uint32_t t = 0; t < program->thread_count; t++)
        for (uint32_t r = 0; r < program->threads[t].register_count; r++) {
            const char *own = program->threads[t].registers[r].name;
            if (program->threads[t].number == number && own && strcmp(own, end + 1) == 0) {
                *atom = (struct lit_atom){.kind = LIT_ATOM_REGISTER, .thread = t, .reg = r};
                return true;
            }
        }
    return false;
}

static bool find_location(const struct lit_program *program, const char *name,
                          struct lit_atom *atom)
{
    for (uint32_t l = 0; l < program->location_count; l++)
        if (strcmp(program->locations[l].name, name) == 0) {
            *atom = (struct lit_atom){.kind = LIT_ATOM_LOCATION, .location = l};
            return true;
        }
    return false;
}

static void refuse_name(struct tracer *t, const char *name)
{
    const char *near = DIAG_NEAREST(name, t->program->locations, t->program->location_count, name);
    diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
               "--state: '%s' has no location or register '%s'%s%s%s", t->program->source->name,
               name, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* One `NAME=VALUE`; with a register or a volatile location it is about final states. */
static void read_equal(struct tracer *t, char *text, struct trace_goal *goal)
{
    char *equals = strchr(text, '='), *end;
    struct lit_atom atom;
    errno = 0;
    int64_t value = equals ? strtoll(equals + 1, &end, 0) : 0;
    if (!equals || end == equals + 1 || *end || errno) {
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "--state wants NAME=VALUE, separated by commas, found '%s'", text);
        return;
    }
    *equals = '\0';
    if (!find_location(t->program, text, &atom) && !find_register(t->program, text, &atom)) {
        refuse_name(t, text);
        return;
    }
    if (atom.kind == LIT_ATOM_REGISTER || !t->program->locations[atom.location].nvm)
        goal->when = LIT_FINAL;
    VEC_PUSH(&t->state, lit_prop_equal(&t->arena, &atom, value));
}

/* Where one more was expected; what `text` begins with was found. */
static void refuse_gap(struct tracer *t, const char *text)
{
    const char *state = t->options->state;
    struct span span = source_span_in(&t->arena, "--state", state, (size_t)(text - state));
    if (*text)
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, span, "found '%c', expected NAME=VALUE", *text);
    else
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, span,
                   "found the end, expected NAME=VALUE behind ','");
}

/* Parted by blanks, a comma or a semicolon; one that ends the whole is a semicolon, as states are
 * printed. */
static void read_state(struct tracer *t, struct trace_goal *goal)
{
    const char *at = t->options->state;
    bool owed = true; /* one more, by what came before */
    char separator = '\0';
    *goal = (struct trace_goal){.when = LIT_CRASHED, .wanted = true};
    for (at += strspn(at, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, ", ;");
        if (length) {
            read_equal(t, arena_strndup(&t->arena, at, length), goal);
            owed = false;
            at += length;
        } else if (owed) {
            refuse_gap(t, at);
            return;
        } else {
            owed = true;
            separator = *at++;
        }
    }
    if (owed && separator == ',')
        refuse_gap(t, at);
    goal->prop = lit_prop_join(&t->arena, LIT_PROP_AND, t->state.items, t->state.count);
    if (!goal->prop && t->diag.errors == 0)
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, NOWHERE, "--state names nothing");
}

/* ---- Traces ----------------------------------------------------------------------------- */

static void show(struct tracer *t, const struct trace_goal *goal, uint32_t number, const char *text)
{
    static const enum run_status statuses[] = {RUN_EXIT_OK, RUN_EXIT_DIFFERS, RUN_EXIT_UNKNOWN};
    const struct session_case question =
        session_case_begin(&t->settings, NULL, t->program, t->parts);
    SCOPED(trace) trace;
    trace_init(&trace);
    session_trace(&question, goal, &trace);
    if (trace.answer == TRACE_NONE) {
        session_trace_elsewhere(&question, goal, &trace);
        session_trace_promise(&question, t->models, &t->choice, goal, &trace);
    }
    const struct report_trace report = {
        t->program, &trace, t->choice, session_crash_mode(question.settings, t->program),
        goal->when, number, text,      t->options->verbose ? 0 : t->options->columns};
    if (t->options->format != RUN_DOCUMENT)
        report_document_part(t->options->format == RUN_JSON ? "json" : "text", &report_trace,
                             &report, &t->result->out);
    run_pieces_test(&t->result->pieces,
                    &(struct report_test){.program = t->program, .run = &report});
    run_result_raise(t->result, statuses[trace.answer]);
}

static void trace_conditions(struct tracer *t)
{
    const struct ask_options *options = t->options;
    uint32_t count = t->program->condition_count, shown = 0;
    for (uint32_t i = 0; i < count && options->condition <= count; i++) {
        const struct lit_condition *condition = &t->program->conditions[i];
        if (options->condition != 0 && options->condition != i + 1)
            continue;
        const struct trace_goal goal = {condition->when, condition->prop,
                                        condition->quantifier != LIT_FORALL};
        show(t, &goal, i + 1, condition->text);
        shown++;
    }
    if (count == 0)
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' has no condition that a run could lead to: name a state with --state",
                   t->program->source->name);
    else if (shown == 0)
        diag_error(&t->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' has no such condition: name one of its %u with --condition, or a state "
                   "with --state",
                   t->program->source->name, count);
}

void cli_trace_test(const struct ask_surroundings *surroundings, const struct lit_program *program,
                    struct run_result *result)
{
    const struct ask_options *options = surroundings->options;
    struct tracer t = {.options = options,
                       .settings = options->settings,
                       .program = program,
                       .parts = surroundings->run.parts,
                       .models = surroundings->run.models,
                       .result = result};
    struct trace_goal goal;
    const bool chosen = session_machine_choose(&t.arena, &t.settings, program, &t.choice, &t.diag);
    if (chosen && options->state)
        read_state(&t, &goal);
    if (options->state && t.diag.errors == 0)
        show(&t, &goal, 0, options->state);
    else if (chosen && !options->state)
        trace_conditions(&t);
    if (t.diag.errors)
        run_result_raise(result, RUN_EXIT_INPUT);
    diag_render(&t.diag, &result->err);
    diag_fini(&t.diag);
    VEC_FREE(&t.state);
    arena_fini(&t.arena);
}
