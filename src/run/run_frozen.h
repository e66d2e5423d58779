/* run_frozen: what records of an earlier run were answered by, for `--frozen`: the build, the texts
 * of each model pair, also of the sources that tests refine, the text of each machine with the
 * options that its answers depend on.
 *
 * A run is frozen to it: another build answers nothing, and a pair or machine with another text, or
 * with none there, gives no answer. Digests (session_digest.h) tell texts apart.
 *
 * Ownership: it owns its texts. */
#ifndef CRASHLIT_RUN_FROZEN_H
#define CRASHLIT_RUN_FROZEN_H

#include "base/arena.h"
#include "base/diag.h"
#include "session/session_ask.h"

struct run_frozen {
    struct arena arena;
    struct run_frozen_text *texts;
};

void run_frozen_fini(struct run_frozen *frozen);

/* Reads the records of a file. False after a fault: it cannot be read whole, it has no answer, one of
 * another build, or a pair or machine with two texts. `memory_mib` limits what is read; 0: it does not. */
bool run_frozen_read(struct run_frozen *frozen, const char *path, uint32_t memory_mib,
                     struct diag *diag) __attribute__((warn_unused_result));

/* Why an answer about the program under the model pair would not be frozen, in the arena; NULL: it is.
 * Besides the model the machines that are asked are looked at, and what sources are asked under. */
const char *run_frozen_fault(const struct run_frozen *frozen, struct arena *arena,
                             const struct session_settings *settings,
                             const struct lit_program *program, const struct session_pair *pair,
                             const struct cat_model *model);

#endif
