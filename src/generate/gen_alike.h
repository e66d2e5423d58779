/* gen_alike: which models answer a program alike, by what their rules say of it, so that none of
 * them need be asked. (That two are not found alike says nothing.)
 *
 * Facts about a program are those of its instructions: in which sets their events are; who may read
 * from whom, as locations are the same; and then, of the program without its dependencies, which
 * events are in which order, scope instance and meeting. cat_alike.h has what follows from that.
 * Answers are kept: most programs share the first facts with many others, and the second with those
 * that differ by dependencies alone.
 */
#ifndef CRASHLIT_GEN_ALIKE_H
#define CRASHLIT_GEN_ALIKE_H

#include "generate/gen_enumerate.h"
#include "session/session_models.h"
#include "session/session_settings.h"

struct gen_alike;
/* The bound says in which vocabulary and dialect programs are; all of these must outlive it. */
struct gen_alike *gen_alike_new(const struct session_settings *settings,
                                const struct session_model *const *models, uint32_t count,
                                const struct gen_bound *bound);
void gen_alike_free(struct gen_alike *alike);

/* Per model the number of the first that is like it on the program: 0 of all, when nothing tells
 * any apart. Valid as long as `alike`. */
const uint32_t *gen_alike_find(struct gen_alike *alike, const struct gen_program *program);

#endif
