/* mach_engine: the engine that explores an executable machine.
 *
 * It knows no model: what it finds is what this hardware does, races or not. It shows no
 * witness, as its runs have no rf and co.
 */
#ifndef CRASHLIT_MACH_ENGINE_H
#define CRASHLIT_MACH_ENGINE_H

#include "engine/engine.h"
#include "machine/mach_config.h"

/* On the built-in nvw-fifo, or on a machine of one's own. */
void mach_run(const struct engine_request *request, struct outcome *outcome);
void mach_run_file(const struct engine_request *request, const struct mach_file *file,
                   struct outcome *outcome);

#endif
