/* `crashlit map` and `crashlit mappings`. */
#include "cli/cli_commands.h"
#include "mapping/mapping.h"
#include "session/session_mapping.h"

#include <string.h>

void cli_map(struct arena *arena, const struct ask_options *options, struct strbuf *out,
             struct diag *diag)
{
    const char *text;
    size_t length;
    if (session_mapping_text(arena, &options->settings, options->inputs[1], options->inputs[0],
                             diag, &text, &length))
        strbuf_add_bytes(out, text, length);
}

/* ---- The built-in ones ---- */

static void list_scheme(const struct lit_scheme *scheme, struct strbuf *out)
{
    strbuf_printf(out, "  %s%s%s%s\n", scheme->pragma ? "#pragma " : "everywhere",
                  scheme->pragma ? scheme->pragma : "", scheme->scope ? " scope=" : "",
                  scheme->scope ? scheme->scope : "");
    EACH (const struct lit_promise, promise, scheme->promises, scheme->promise_count)
        strbuf_printf(out, "      promises %s + %s under %s + %s\n", promise->source_visibility,
                      promise->source_persistency, promise->target_visibility,
                      promise->target_persistency);
}

static void list_mapping(const struct mapping *mapping, bool verbose, struct strbuf *out)
{
    strbuf_printf(out, "%-12s %s\n", mapping->name, mapping->title);
    if (!verbose)
        return;
    for (const struct lit_scheme *scheme = mapping->schemes; scheme; scheme = scheme->next)
        list_scheme(scheme, out);
    strbuf_add_char(out, '\n');
    strbuf_add_bytes(out, mapping->source->text, mapping->source->length);
    strbuf_add_char(out, '\n');
}

static void list_named(struct arena *arena, const struct ask_options *options, const char *name,
                       struct intern *names, struct strbuf *out, struct diag *diag)
{
    const struct mapping *mapping =
        session_mapping_load(arena, names, &options->settings, name, diag);
    if (mapping)
        list_mapping(mapping, options->verbose, out);
}

void cli_list_mappings(struct arena *arena, const struct ask_options *options, struct strbuf *out,
                       struct diag *diag)
{
    const char *built_in[ASK_MAX_WORDS];
    struct intern *names = intern_new();
    size_t count = ask_mapping_words(arena, built_in);
    for (uint32_t i = 0; i < options->input_count; i++)
        list_named(arena, options, options->inputs[i], names, out, diag);
    for (size_t i = 0; i < count && !options->input_count; i++)
        list_named(arena, options, built_in[i], names, out, diag);
    intern_free(names);
}
