#include "ask/ask_options.h"

#include "cat/cat_model.h"
#include "generate/gen_vocabularies.h"
#include "mapping/mapping.h"
#include "litmus/lit_uses.h"
#include "explore/mach_config.h"
#include "machine/mach_fault.h"
#include "format/report_sink.h"
#include "session/session_engines.h"
#include "session/session_lesson.h"

#include <string.h>

static size_t add_name(const char **names, size_t count, const char *name)
{
    BASE_CHECK(count < ASK_MAX_WORDS);
    names[count] = name;
    return count + 1;
}

/* The names of those built-in files that are of the folder. */
static size_t files(struct arena *arena, const char *folder, const struct source_builtin *builtins,
                    size_t builtin_count, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < builtin_count; i++)
        if (source_builtin_is_in(&builtins[i], folder))
            count = add_name(names, count, source_builtin_name(arena, &builtins[i]));
    return count;
}

/* ---- Models and machines ---- */

static size_t models(struct arena *arena, const char *folder, const char **names)
{
    return files(arena, folder, cat_builtins, cat_builtin_count, names);
}

size_t ask_visibility_words(struct arena *arena, const char **names)
{
    return models(arena, "visibility", names);
}

size_t ask_persistency_words(struct arena *arena, const char **names)
{
    return models(arena, "persistency", names);
}

size_t ask_model_words(struct arena *arena, const char **names)
{
    size_t count = models(arena, "visibility", names);
    return count + models(arena, "persistency", names + count);
}

size_t ask_machine_words(struct arena *arena, const char **names)
{
    return files(arena, "machines", mach_builtins, mach_builtin_count, names);
}

size_t ask_definition_words(struct arena *arena, const char **names)
{
    return files(arena, "definitions", lit_builtins, lit_builtin_count, names);
}

size_t ask_vocabulary_words(struct arena *arena, const char **names)
{
    return gen_vocabulary_names(arena, names);
}

size_t ask_dialect_words(struct arena *arena, const char **names)
{
    (void)arena;
    memcpy(names, gen_dialect_words, sizeof gen_dialect_words);
    return GEN_DIALECT_COUNT;
}

size_t ask_mapping_words(struct arena *arena, const char **names)
{
    return files(arena, "mappings", map_builtins, map_builtin_count, names);
}

size_t ask_lesson_words(struct arena *arena, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < lesson_builtin_count; i++)
        count = add_name(names, count, session_lesson_name(arena, &lesson_builtins[i]));
    return count;
}

size_t ask_fault_words(struct arena *arena, const char **names)
{
    size_t count = 0;
    (void)arena;
    for (int i = 0; i < MACH_FAULT_COUNT; i++)
        count = add_name(names, count, mach_faults[i].name);
    return count;
}

size_t ask_threshold_words(struct arena *arena, const char **names)
{
    size_t count = add_name(names, 0, "least");
    for (int i = 0; i < ENGINE_THRESHOLD_COUNT; i++)
        count = add_name(names, count, arena_printf(arena, "%s=", engine_threshold_rows[i].name));
    return count;
}

/* ---- Engines ---- */

/* `others`: those that are held against the first. */
static size_t engines(bool others, bool all, bool machine, const char **names)
{
    size_t count = others ? 0 : add_name(names, 0, session_engine_choosing->name);
    for (const struct engine_entry *engine = session_engines + others; engine->name; engine++)
        if (engine->run ? machine || !engine->trace : !engine->chooses && all)
            count = add_name(names, count, engine->name);
    return count;
}

#define ENGINES(function, others, all, machine)              \
    size_t function(struct arena *arena, const char **names) \
    {                                                        \
        (void)arena;                                         \
        return engines(others, all, machine, names);         \
    }
ENGINES(ask_engine_words, false, true, true)
ENGINES(ask_other_engine_words, true, true, true)
ENGINES(ask_single_engine_words, false, false, true)
ENGINES(ask_model_engine_words, false, false, false)

/* ---- Closed lists ---- */

#define WORDS(function, ...)                                 \
    size_t function(struct arena *arena, const char **names) \
    {                                                        \
        static const char *const words[] = {__VA_ARGS__};    \
        (void)arena;                                         \
        memcpy(names, words, sizeof words);                  \
        return sizeof words / sizeof *words;                 \
    }
#define AND_FORMAT(name) , #name
WORDS(ask_color_words, "auto", "always", "never")
WORDS(ask_message_words, "text", "json")
WORDS(ask_unknown_words, "ok", "fail")
WORDS(ask_volatile_words, "sys", "weak")
WORDS(ask_crash_words, "anywhere", "points", "end")
WORDS(ask_recovery_words, "idempotent-recovery", "recovers-to", "race", "divergence", "bounds",
      "assert", "ends", "robust")
WORDS(ask_recovered_words, "recovers-to", "race", "divergence", "bounds", "assert", "ends",
      "robust")
WORDS(ask_peer_words, "condition", "race")
WORDS(ask_format_words, "text", "herd" REPORT_FORMATS(AND_FORMAT))
WORDS(ask_explain_words, "text", "json", "sarif", "html", "dot", "tex", "svg", "cuts")
WORDS(ask_layout_words, "screen", "slide")
WORDS(ask_execution_words, "none", "data", "pictures") /* as enum report_telling */
WORDS(ask_trace_words, "text", "json", "html", "svg", "tex")
WORDS(ask_place_words, "text", "json", "sarif", "html", "svg", "dot", "tex")
WORDS(ask_list_words, "text", "json")
WORDS(ask_model_list_words, "text", "json", "tex")
WORDS(ask_cite_words, "text", "bibtex")
WORDS(ask_listing_words, "text", "tex")
WORDS(ask_diff_words, "text", "json", "md", "junit")
WORDS(ask_report_words, "text", "herd", "json", "junit", "tap", "sarif", "html", "md")
WORDS(ask_search_words, "text", "json", "html", "md", "svg", "dot", "tex")
WORDS(ask_review_words, "text", "json", "html", "md")
WORDS(ask_mutate_words, "text", "json", "sarif", "html", "md")
WORDS(ask_compare_words, "text", "json", "html", "svg", "md", "tex")
WORDS(ask_target_words, "ptx")
WORDS(ask_device_words, "emulated")
WORDS(ask_flaw_words, "fences", "scopes", "coherence") /* as HW_FLAWS */
