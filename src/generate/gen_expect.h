/* gen_expect: what a generated test may say that it expects of a model pair: the answer that two
 * independent engines both give to the text written. */
#ifndef CRASHLIT_GEN_EXPECT_H
#define CRASHLIT_GEN_EXPECT_H

#include "generate/gen_print.h"
#include "session/session_case.h"

struct gen_answer {
    enum lit_verdict verdict;
    const char *why; /* what the engines say, if it is not confirmed; in the arena. NULL: it is */
};

/* Each engine has a part of its own, with its time. Machines are not asked: they show only some of
 * what models allow. */
struct gen_answer gen_confirm(struct arena *arena, const struct session_settings *settings,
                              const struct session_model *model, struct session_parts parts,
                              const char *name, const struct strbuf *text);

#endif
