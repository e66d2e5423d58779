#include "cli/cli_ask.h"

#include "cli/cli_engines.h"
#include "cli/cli_machines.h"

#include <string.h>

static bool is_for_engine(const struct lit_expect *expect, const char *engine)
{
    return !expect->engine || strcmp(engine, CLI_ALL_ENGINES) == 0 ||
           strcmp(expect->engine, engine) == 0;
}

static bool names_pair(const struct lit_expect *expect, const char *visibility,
                       const char *persistency)
{
    return strcmp(expect->visibility, visibility) == 0 &&
           strcmp(expect->persistency, persistency) == 0;
}

const struct lit_expect *cli_ask_expectation(const struct lit_program *program,
                                             const char *visibility, const char *persistency,
                                             const char *engine)
{
    const struct lit_expect *best = NULL;
    for (uint32_t i = 0; i < program->expect_count; i++) {
        const struct lit_expect *expect = &program->expects[i];
        if (is_for_engine(expect, engine) && names_pair(expect, visibility, persistency) &&
            (!best || (expect->engine && !best->engine)))
            best = expect;
    }
    return best;
}

enum lit_verdict cli_ask_expected(const struct lit_expect *expect)
{
    return expect ? expect->verdict : LIT_OK;
}

static bool asks_machine(const struct cli_options *options)
{
    return strcmp(options->settings.engine, CLI_MACHINE_ENGINE) == 0;
}

/* Is this an expectation whose pair the engine is asked about? */
static bool asks_engine(const struct cli_options *options, const struct lit_expect *expect)
{
    return is_for_engine(expect, options->settings.engine) &&
           (!asks_machine(options) || cli_machine_is_bound(options, expect));
}

static uint32_t each_expected_pair(const struct cli_options *options,
                                   const struct lit_program *program, cli_ask_visit *visit,
                                   void *context)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < program->expect_count; i++) {
        const struct lit_expect *expect = &program->expects[i];
        bool fresh = asks_engine(options, expect);
        for (uint32_t k = 0; k < i && fresh; k++)
            fresh = !asks_engine(options, &program->expects[k]) ||
                    !names_pair(&program->expects[k], expect->visibility, expect->persistency);
        if (fresh) {
            visit(context, expect->visibility, expect->persistency, &expect->span);
            pairs++;
        }
    }
    return pairs;
}

uint32_t cli_ask_each_pair(const struct cli_options *options, const struct lit_program *program,
                           cli_ask_visit *visit, void *context)
{
    const char *visibility = "hrf-direct", *persistency = "epoch";
    if (!options->settings.model && !options->settings.persistency) {
        uint32_t pairs = each_expected_pair(options, program, visit, context);
        if (pairs || (asks_machine(options) && program->expect_count > 0))
            return pairs;
    }
    if (asks_machine(options))
        cli_machine_pair(options, &visibility, &persistency);
    visit(context, options->settings.model ? options->settings.model : visibility,
          options->settings.persistency ? options->settings.persistency : persistency, NULL);
    return 1;
}
