/* gen_alike: finds models that answer a program alike, by their rules, so that they need not be
 * asked. If it does not find two alike, that says nothing.
 *
 * The facts about a program are those of its instructions: the sets of their events, and who may
 * read from whom, as locations are the same. Further facts are of the program without its
 * dependencies: orders, scope instances and meetings of events. cat_alike.h finds what follows.
 * Answers are kept: most programs share the first facts with many others, and the further ones with
 * programs that differ only in dependencies. */
#ifndef CRASHLIT_GEN_ALIKE_H
#define CRASHLIT_GEN_ALIKE_H

#include "generate/gen_enumerate.h"
#include "session/session_models.h"
#include "session/session_settings.h"

struct gen_alike;
/* `bound` has the programs' vocabulary and dialect. All arguments must outlive the result. */
struct gen_alike *gen_alike_new(const struct session_settings *settings,
                                const struct session_model *const *models, uint32_t count,
                                const struct gen_bound *bound);
void gen_alike_free(struct gen_alike *alike);

/* Per model the number of the first that is like it on the program; all 0 when nothing tells any
 * apart. Valid as long as `alike`. */
const uint32_t *gen_alike_find(struct gen_alike *alike, const struct gen_program *program);

#endif
