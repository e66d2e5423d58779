#include "cli/cli_pairs.h"

#include "ask/ask_options.h"
#include "report/report.h"

#include <string.h>

static bool is_builtin(struct arena *arena, const char *folder, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s.cat", folder, name);
    return ANY(i, cat_builtin_count, strcmp(cat_builtins[i].path, path) == 0);
}

/* Loaded models are shared, so one pair is one model. */
static bool is_there(const struct cli_pairs *pairs, const struct session_model *pair)
{
    return ANY(i, pairs->count, pairs->items[i] == pair);
}

static const struct cat_model *loaded(const struct cli_pairs *pairs, const char *visibility,
                                      const char *persistency)
{
    const struct cat_asker user = session_models_user(pairs->settings);
    return session_models_get(pairs->models, &user, visibility, persistency)->model;
}

/* A file is what it defines, or what it can be loaded as; a name that no model has is what it
 * resembles. */
static bool is_persistency(const struct cli_pairs *pairs, const char *text,
                           const struct session_pair *fallback)
{
    const char *names[ASK_MAX_WORDS];
    if (cat_model_is_path(text)) {
        const struct cat_model *first = loaded(pairs, text, fallback->persistency);
        return first ? first->visibility_persists
                     : loaded(pairs, fallback->visibility, text) != NULL;
    }
    return is_builtin(pairs->arena, "persistency", text) ||
           (!is_builtin(pairs->arena, "visibility", text) &&
            diag_nearest(text, names, ask_persistency_words(pairs->arena, names)));
}

/* One name is that of a visibility model when it is not of a persistency model. */
static struct session_pair named_by(const struct cli_pairs *pairs, const char *text)
{
    const char *plus = strchr(text, '+');
    struct session_pair named =
        session_pair_or(pairs->settings, pairs->visibility, pairs->persistency);
    if (plus) {
        named.visibility = arena_strndup(pairs->arena, text, (size_t)(plus - text));
        named.persistency = plus + 1;
    } else if (is_persistency(pairs, text, &named)) {
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
    if (!pairs->may_repeat && is_there(pairs, pair))
        diag_error(diag, DIAG_CLI_OPTION_VALUE, NOWHERE,
                   "%s %s twice; two columns would say the same", pairs->where, strbuf_text(&name));
    pairs->names[pairs->count] = strbuf_take(&name, pairs->arena);
    report_pair(pair->model->called[0], pair->model->called[1], &name);
    pairs->titles[pairs->count] = strbuf_take(&name, pairs->arena);
    pairs->items[pairs->count++] = pair;
}

void cli_pairs_tell_apart(const char *const *names, const char **titles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *title = titles[i];
        bool alone = COUNT_IF(k, count, strcmp(titles[k], title) == 0) == 1;
        for (uint32_t k = i; k < count && !alone; k++)
            if (strcmp(titles[k], title) == 0)
                titles[k] = names[k];
    }
}
