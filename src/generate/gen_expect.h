/* gen_expect: what a generated test may say that it expects of a model pair: what two engines,
 * which share nothing of the search, both answer to the text that is written.
 */
#ifndef CRASHLIT_GEN_EXPECT_H
#define CRASHLIT_GEN_EXPECT_H

#include "generate/gen_print.h"
#include "session/session_case.h"

struct gen_answer {
    enum lit_verdict verdict;
    const char *why; /* it is not confirmed: what the engines say; in the arena. NULL: it is */
};

/* Each engine has a part of its own, and its time. Machines are not asked: they show some of what
 * models allow. */
struct gen_answer gen_confirm(struct arena *arena, const struct session_settings *settings,
                              const struct session_model *model, struct session_parts parts,
                              const char *name, const struct strbuf *text);

#endif
