/* enum_report: undefined behaviour, on behalf of all who do the same. Private to the
 * enumerator. */
#ifndef CRASHLIT_ENUM_REPORT_H
#define CRASHLIT_ENUM_REPORT_H

#include "enumerate/enum_search.h"

/* Who is to blame: what a thread does at an instruction. An initial write has no thread
 * (LIT_NONE), a thread that ended has no instruction. */
struct enum_culprit {
    uint32_t thread;
    const struct lit_instr *instr;
    const char *text; /* copied */
};

/* Records what one or two culprits (or none) do. Twins (enum_symmetry.h) of them do the
 * same in executions that are not looked at, so it is recorded for those too. */
void enum_report(struct enum_state *state, enum outcome_undefined_kind kind, const char *name,
                 const struct enum_culprit *culprits, uint32_t count);

#endif
