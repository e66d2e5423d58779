/* What is other where a machine's description is changed: each test is asked of the machine, and what
 * it shows is held against what the machine as it is shows, state by state. */
#include "cli/cli_mutate.h"

#include "engine/agree.h"
#include "explore/mach_mutate.h"
#include "generate/gen_blind.h"
#include "generate/gen_observe.h"
#include "pipeline/pipe_parse.h"
#include "pipeline/pipe_plan.h"
#include "session/session_engines.h"
#include "session/session_machines.h"

#include <string.h>

/* ---- The machine ---- */

static bool is_builtin_model(struct arena *arena, const char *name)
{
    return ANY(i, cat_builtin_count,
               strcmp(source_builtin_name(arena, &cat_builtins[i]), name) == 0);
}

static bool is_builtin_machine(struct arena *arena, const char *name)
{
    return ANY(i, mach_builtin_count,
               strcmp(source_builtin_name(arena, &mach_builtins[i]), name) == 0);
}

bool cli_mutate_names_machine(struct cli_mutate *m)
{
    return reach_ends(m->model, MACH_CONFIG_ENDS) ||
           (is_builtin_machine(&m->arena, m->model) && !is_builtin_model(&m->arena, m->model));
}

bool cli_mutate_read_machine(struct cli_mutate *m)
{
    const char *engine = m->settings.engine;
    m->machine = session_machine_read(&m->arena, &m->settings, m->model, &m->diag);
    if (strcmp(engine, "auto") != 0 && !session_engine_is_machine(engine))
        diag_error(&m->diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "'%s' is a machine, which is run itself, so --engine has no place beside it",
                   m->model);
    m->persists = true;
    m->settings.engine = "machine";
    m->settings.on_machine.file = m->machine;
    m->settings.decide = false;
    m->settings.states = true;
    return m->machine && m->diag.errors == 0;
}

const struct mach_file *cli_mutate_machine_of(struct cli_mutate *m,
                                              const struct report_mutant *mutant)
{
    if (!mutant || !m->machine)
        return m->machine;
    struct cli_mutate_changed *changed = &m->changed[mutant - m->mutants.items];
    SCOPED(diag) broken = {0};
    if (!changed->source) {
        changed->source = mutation_source(&changed->arena, mutant->change);
        changed->machine = mach_config_parse(&changed->arena, changed->source, &broken);
    }
    return changed->machine;
}

/* ---- What it shows ---- */

/* The mutant has no line for something in the test, of which the machine says what it does. */
static bool is_not_encoded(const struct outcome *outcome)
{
    return outcome->doubts[OUTCOME_DOUBT_ENCODING];
}

bool cli_mutate_is_silent(const struct cli_mutate_question *question)
{
    return is_not_encoded(&question->states);
}

static const char *text_of(struct cli_mutate *m, const struct cli_mutate_question *question,
                           const struct outcome *const outcomes[2],
                           const struct agree_difference *difference)
{
    const char *kind = agree_aspect_text(difference->aspect);
    const char *who = difference->owner ? "mutant" : "machine";
    if (difference->aspect != AGREE_FINAL && difference->aspect != AGREE_CRASH)
        return arena_printf(&m->arena, "%s of the %s", kind, who);
    const struct outcome_states *states =
        agree_states(outcomes[difference->owner], difference->aspect);
    return arena_printf(
        &m->arena, "%s %s of the %s alone", kind,
        gen_observe_row(&m->arena, question->test->program, states, difference->row), who);
}

enum cli_mutate_shown cli_mutate_hold(struct cli_mutate *m,
                                      const struct cli_mutate_question *question,
                                      const struct outcome *outcome, struct report_mutant *mutant)
{
    const struct outcome *const outcomes[2] = {&question->states, outcome};
    if (question->verdict && is_not_encoded(outcome)) {
        mutant->difference = "the mutant has no line for something in the test";
        return CLI_MUTATE_OTHER;
    }
    if (question->wide)
        return CLI_MUTATE_SAME;
    const struct agreement agreement =
        agree_compare(outcomes[0], outcomes[1], question->test->program, false);
    if (agreement.count) {
        mutant->difference = text_of(m, question, outcomes, &agreement.differences[0]);
        return CLI_MUTATE_OTHER;
    }
    return agreement.reasons[0] || agreement.reasons[1] ? CLI_MUTATE_DOUBT : CLI_MUTATE_SAME;
}

/* ---- What programs have ---- */

static const struct mach_pipe_match *match_in(const struct mach_pipe_ways *ways, uint32_t line)
{
    EACH_IN (const struct mach_pipe_way, way, *ways)
        if (way->span.line == line)
            return &way->match;
    return NULL;
}

/* Of the line of a pipeline; NULL: it has none. */
static const struct mach_pipe_match *match_of(const struct mach_pipe *pipe, uint32_t line)
{
    EACH (const struct mach_pipe_rule, rule, pipe->rules, pipe->rule_count)
        if (rule->span.line == line)
            return &rule->match;
    const struct mach_pipe_match *bypass = match_in(&pipe->bypasses, line);
    return bypass ? bypass : match_in(&pipe->views, line);
}

static bool has_kind(const void *context, const struct gen_bound *bound,
                     const struct lit_program *program)
{
    const enum mach_pipe_kind *kind = context;
    (void)bound;
    return ANY(t, program->thread_count,
               ANY(i, program->threads[t].code_count,
                   pipe_is_of_kind(*kind, program->threads[t].code[i].op)));
}

static bool has_tag(const void *context, const struct gen_bound *bound,
                    const struct lit_program *program)
{
    const char *tag = context, *host = bound->hosts ? bound->vocabulary->host_tag : NULL;
    return (host && strcmp(host, tag) == 0) ||
           ANY(i, program->tag_count, strcmp(program->tags[i], tag) == 0);
}

/* Does it take something with the tag to tell the change? What a line wants to be without it does
 * not, unless it is this that is gone. */
static bool is_wanted(const struct mach_pipe_match *match, const struct mach_pipe_tag *tag,
                      const struct mutation *change)
{
    bool without = (tag->bearer == MACH_PIPE_OF_THREAD && match->not_by) ||
                   (tag->bearer == MACH_PIPE_OF_LOCATION && match->not_at);
    return tag->span.line == change->place.line &&
           (!without ||
            (span_begins_in(tag->span, change->place) && strcmp(change->word, "condition") == 0));
}

const char *cli_mutate_unseen(struct cli_mutate *m, const struct gen_bound *bounds, uint32_t count,
                              const struct report_mutant *mutant)
{
    const struct mach_pipe *pipe = m->machine->config.pipe;
    const struct mutation *change = mutant->change;
    const struct mach_pipe_match *match = pipe ? match_of(pipe, change->place.line) : NULL;
    if (!match)
        return NULL;
    if (!gen_blind_sees(&m->settings, bounds, count, has_kind, &match->kind))
        return arena_printf(&m->arena, "its line is for '%s', which no program up to the bound has",
                            mach_pipe_kinds[match->kind]);
    for (const struct mach_pipe_tag *tag = pipe->tags; tag; tag = tag->next)
        if (is_wanted(match, tag, change) &&
            !gen_blind_sees(&m->settings, bounds, count, has_tag, tag->tag))
            return arena_printf(&m->arena,
                                "its line is for the tag '%s, which no program up to the bound has",
                                tag->tag);
    return NULL;
}
