/* gen_definition: what the definitions of a definition file are to generated programs.
 *
 * A definition is one instruction of a program when its call expands to one: a load, a store, an
 * exchange, maintenance of a line, a fence. A small test calls it and is lowered as any test is, and
 * its code is looked at. So nothing here knows how definitions are written.
 *
 * Ownership: families, and sources that diagnostics point to, live in the arena of the caller. */
#ifndef CRASHLIT_GEN_DEFINITION_H
#define CRASHLIT_GEN_DEFINITION_H

#include "base/diag.h"
#include "base/intern.h"
#include "generate/gen_vocabulary.h"
#include "litmus/lit_uses.h"
#include "session/session_settings.h"

struct gen_definitions {
    struct arena *arena;
    struct intern *names;
    struct session_settings settings; /* of tests that use the files */
    struct lit_definitions all;
};

/* Reads the files that the settings name for tests (`uses`). False after reporting. To be ended by
 * gen_definitions_fini in any case. */
bool gen_definitions_read(struct gen_definitions *definitions, struct arena *arena,
                          const struct session_settings *settings, struct diag *diag)
    __attribute__((warn_unused_result));
void gen_definitions_fini(struct gen_definitions *definitions);

/* Fills the family of a definition, which has the definition's name. Returns NULL, or why it is no
 * instruction of generated programs. Of what it may do to others nothing is known: so it may order
 * them (GEN_SPEAKS), and orders something where all is volatile, too. */
const char *gen_definition_family(struct gen_definitions *definitions,
                                  const struct lit_definition *definition,
                                  struct gen_family *family);
/* Why no test that uses the settings' files can have a family that is derived; NULL: one can. A text
 * that cannot be read in each of the family's forms becomes NULL. */
const char *gen_definition_unfit(const struct session_settings *settings, struct arena *arena,
                                 struct gen_family *family);

#endif
