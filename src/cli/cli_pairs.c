#include "cli/cli_pairs.h"

#include "report/report.h"

#include <string.h>

bool cli_pairs_is_builtin(struct arena *arena, const char *folder, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s.cat", folder, name);
    for (size_t i = 0; i < cat_builtin_count; i++)
        if (strcmp(cat_builtins[i].path, path) == 0)
            return true;
    return false;
}

/* Loaded models are shared, so one pair is one model. */
static bool is_there(const struct cli_pairs *pairs, const struct session_model *pair)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        if (pairs->items[i] == pair)
            return true;
    return false;
}

/* One name is a persistency model when a built-in of that kind is called so, else it is a
 * visibility model. */
static struct session_pair named_by(const struct cli_pairs *pairs, const char *text)
{
    const char *plus = strchr(text, '+');
    struct session_pair named =
        session_pair_or(pairs->settings, pairs->visibility, pairs->persistency);
    if (plus) {
        named.visibility = arena_strndup(pairs->arena, text, (size_t)(plus - text));
        named.persistency = plus + 1;
    } else if (cli_pairs_is_builtin(pairs->arena, "persistency", text)) {
        named.persistency = text;
    } else {
        named.visibility = text;
    }
    return named;
}

void cli_pairs_add(struct cli_pairs *pairs, const char *text, struct diag *diag, struct strbuf *err,
                   enum run_status *status)
{
    const struct session_pair named = named_by(pairs, text);
    struct strbuf name = {0};
    const struct cat_asker user = session_models_user(pairs->settings);
    const struct session_model *pair =
        session_models_get(pairs->models, &user, named.visibility, named.persistency);
    if (pairs->count == CLI_MAX_PAIRS) {
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "%s more than %d model pairs: compare them in parts", pairs->where,
                   (int)CLI_MAX_PAIRS);
        return;
    }
    if (!pair->model) {
        strbuf_add(err, pair->faults);
        run_status_raise(status, RUN_EXIT_INPUT);
        return;
    }
    report_pair(named.visibility, named.persistency, &name);
    if (is_there(pairs, pair))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "%s %s twice; two columns would say the same", pairs->where, strbuf_text(&name));
    pairs->names[pairs->count] = strbuf_take(&name, pairs->arena);
    pairs->items[pairs->count++] = pair;
}
