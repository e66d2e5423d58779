/* cli_words: the words that may stand behind options, for messages and completions.
 *
 * Each function fills `names`, which has room for CLI_MAX_WORDS, and returns how many there are.
 * What is no literal is in the arena.
 */
#ifndef CRASHLIT_CLI_WORDS_H
#define CRASHLIT_CLI_WORDS_H

#include "base/arena.h"

#include <stddef.h>

enum { CLI_MAX_WORDS = 64 };

typedef size_t cli_words(struct arena *arena, const char **names);

/* Built in: models of either kind, both, machines, and what machines can be given. */
cli_words cli_visibility_words, cli_persistency_words, cli_model_words, cli_machine_words,
    cli_fault_words;
/* Engines: all, with the word for every one; all but the first, which others are held against; one
 * at a time; one at a time, of those that ask a model. */
cli_words cli_engine_words, cli_other_engine_words, cli_single_engine_words, cli_model_engine_words;
/* Crash modes and properties in the order of their enums (session/session_settings.h), from the
 * first that is named. */
cli_words cli_crash_words, cli_recovery_words, cli_recovered_words, cli_peer_words;
/* Formats: of check, explain and trace. */
cli_words cli_format_words, cli_explain_words, cli_trace_words;

#endif
