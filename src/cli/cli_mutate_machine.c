/* What is other where a machine's description is changed: each test is asked of the machine, and what
 * it shows is held against what the machine as it is shows, state by state. */
#include "cli/cli_mutate.h"

#include "cat/cat_model.h"
#include "engine/contrast.h"
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

bool cli_mutate_names_nothing(struct cli_mutate *m)
{
    const char *names[2 * ASK_MAX_WORDS];
    if (cat_model_is_path(m->model) || is_builtin_model(&m->arena, m->model))
        return false;
    size_t count = ask_model_words(&m->arena, names);
    count += ask_machine_words(&m->arena, names + count);
    const char *near = diag_meant(m->model, names, count);
    diag_error(&m->diag, DIAG_CAT_MODEL, NOWHERE,
               near ? "no built-in model or machine '%s'; did you mean '%s'?"
                    : "no built-in model or machine '%s'; crashlit models and crashlit machines "
                      "list them, and the path of a file ends in .cat or .machine",
               m->model, near);
    return true;
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

static bool is_whole(const struct outcome *outcome)
{
    return !outcome_doubt(outcome) && !outcome_recovery_doubt(outcome);
}

/* Two machines meet a bound in other places: states are only missing where all were looked at. */
static enum cli_mutate_shown hold_partly(struct cli_mutate *m,
                                         const struct cli_mutate_question *question,
                                         const struct outcome *const outcomes[2],
                                         struct report_mutant *mutant)
{
    const struct contrast contrast = contrast_of(outcomes[0], outcomes[1]);
    enum cli_mutate_shown shown = outcomes[0]->undefined.count && outcomes[1]->undefined.count
                                      ? CLI_MUTATE_DOUBT
                                      : CLI_MUTATE_SAME;
    for (int owner = 1; owner >= 0 && shown != CLI_MUTATE_OTHER; owner--) {
        const struct contrast_side *side = &contrast.sides[owner];
        if (side->more == CONTRAST_OPEN)
            shown = CLI_MUTATE_DOUBT;
        if (side->more != CONTRAST_YES)
            continue;
        const struct agree_difference difference = {
            .aspect = side->undefined ? AGREE_UNDEFINED : side->states[0].aspect,
            .owner = owner,
            .row = side->states[0].row};
        mutant->difference = text_of(m, question, outcomes, &difference);
        shown = CLI_MUTATE_OTHER;
    }
    return shown;
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
    if (!is_whole(outcomes[0]) || !is_whole(outcomes[1]))
        return hold_partly(m, question, outcomes, mutant);
    const struct agreement agreement =
        agree_compare(outcomes[0], outcomes[1], question->test->program, false);
    if (agreement.count) {
        mutant->difference = text_of(m, question, outcomes, &agreement.differences[0]);
        return CLI_MUTATE_OTHER;
    }
    return agreement.reasons[0] || agreement.reasons[1] ? CLI_MUTATE_DOUBT : CLI_MUTATE_SAME;
}

/* ---- What programs have ---- */

static bool is_in(const struct mach_pipe_ways *ways, uint32_t line)
{
    return ANY(i, ways->count, ways->items[i].span.line == line);
}

/* Is the line, of a pipeline, for some instructions? */
static bool is_for_some(const struct mach_pipe *pipe, uint32_t line)
{
    return ANY(i, pipe->rule_count, pipe->rules[i].span.line == line) ||
           is_in(&pipe->bypasses, line) || is_in(&pipe->views, line);
}

struct looking {
    const struct mach_pipe *machine, *mutant;
    uint32_t line;
    bool otherwise; /* one of the two chooses the line, and the other does not */
};

static bool tells(const struct looking *l, const struct lit_program *program, uint32_t thread,
                  uint32_t pc, bool inside)
{
    const bool before = pipe_is_chosen(l->machine, l->line, program, thread, pc, inside),
               after = pipe_is_chosen(l->mutant, l->line, program, thread, pc, inside);
    return l->otherwise ? before != after : before || after;
}

static bool comes_to_line(const void *context, const struct lit_program *program, bool marked)
{
    return ANY(t, program->thread_count,
               ANY(pc, program->threads[t].code_count,
                   tells(context, program, t, pc, false) ||
                       (marked && tells(context, program, t, pc, true))));
}

struct seeing {
    const struct session_settings *settings;
    const struct gen_bound *bounds;
    uint32_t count;
};

static bool is_seen(const struct seeing *seeing, const struct looking *looking)
{
    return gen_blind_sees(seeing->settings, seeing->bounds, seeing->count, comes_to_line, looking);
}

static bool has_op(const struct mach_pipe_rule *rule, enum mach_pipe_operation op, uint8_t variable)
{
    return ANY(k, rule->count,
               rule->ops[k].op == op && (op != MACH_PIPE_SET || rule->ops[k].variable == variable));
}

/* Does some instruction do that? `variable`: of SET. */
static bool is_done(const struct seeing *seeing, const struct mach_pipe *pipe,
                    enum mach_pipe_operation op, uint8_t variable)
{
    bool done = false;
    for (uint32_t r = 0; r < pipe->rule_count && !done; r++) {
        const struct looking looking = {pipe, pipe, pipe->rules[r].span.line, false};
        done = has_op(&pipe->rules[r], op, variable) && is_seen(seeing, &looking);
    }
    return done;
}

/* Of a stage that is there while a variable has a value: it has that first, or some instruction sets
 * it. */
static bool may_be_there(const struct seeing *seeing, const struct mach_pipe *pipe,
                         const struct mach_pipe_stage *stage)
{
    return stage->variable == MACH_PIPE_VARIABLES ||
           pipe->initial[stage->variable] == stage->value ||
           is_done(seeing, pipe, MACH_PIPE_SET, stage->variable);
}

static const char *unseen_stage(const struct seeing *seeing, const struct mach_pipe *pipe,
                                uint32_t line)
{
    return ANY(s, pipe->stage_count,
               pipe->stages[s].span.line == line && !may_be_there(seeing, pipe, &pipe->stages[s]))
               ? "no program up to the bound has an instruction that makes it a stage"
               : NULL;
}

static bool is_of_transactions(const struct mutation *change)
{
    return strcmp(change->rule, "isolate") == 0 || strcmp(change->rule, "redo") == 0;
}

const char *cli_mutate_unseen(struct cli_mutate *m, const struct gen_bound *bounds, uint32_t count,
                              const struct report_mutant *mutant)
{
    const struct seeing seeing = {&m->settings, bounds, count};
    const struct mutation *change = mutant->change;
    const struct mach_pipe *pipe = m->machine->config.pipe;
    const struct looking looking = {pipe, cli_mutate_machine_of(m, mutant)->config.pipe,
                                    change->place.line, strcmp(change->word, "condition") == 0};
    if (!pipe)
        return NULL;
    if (is_for_some(pipe, looking.line))
        return is_seen(&seeing, &looking)
                   ? NULL
                   : "no program up to the bound has an instruction that its line changes";
    if (is_of_transactions(change))
        return is_done(&seeing, pipe, MACH_PIPE_BEGIN, 0)
                   ? NULL
                   : "no program up to the bound has a transaction";
    return unseen_stage(&seeing, pipe, looking.line);
}
