/* cat_model: load a visibility file and a persistency file into one model.
 *
 * The files are evaluated in one environment, in this order: the standard library
 * (models/stdlib.cat), the contract's defaults (models/contract.cat), the
 * visibility file, the persistency file. Later definitions shadow earlier ones.
 * A NAME without '/' and without the ending ".cat" is a built-in (models/visibility
 * or models/persistency); anything else is a path. `include "f.cat"` looks beside
 * the including file, then in the folders that the user adds, then among the built-ins by
 * file name; "stdlib.cat", "cos.cat", "cross.cat" and "lock.cat" are always the built-in
 * ones ("./cos.cat" is not). What a model includes, and what a test names, has to be within
 * reach (base/reach.h).
 *
 * Errors: all faults found are reported to `diag`, with positions; the result is
 * then NULL. Never exits, never prints.
 */
#ifndef CRASHLIT_CAT_MODEL_H
#define CRASHLIT_CAT_MODEL_H

#include "base/diag.h"
#include "base/reach.h"
#include "cat/cat_ir.h"
#include "cat/cat_variants.h"

/* Built-in model files, generated from models/ at build time. */
extern const struct source_builtin cat_builtins[];
extern const size_t cat_builtin_count;

/* Who names the two models, which decides what may be opened. All zero but for `reach`: a test in
 * memory. */
struct cat_asker {
    const struct reach *reach;
    bool is_user;       /* the user's files may be anywhere */
    const char *folder; /* of the test that names them, else NULL; models are then paths of
                           reach_find */
    const char *named; /* of a test's pair the file that the user names, and that may be anywhere as
                          well; NULL: none */
    const struct source *instead; /* replaces the text of the file with its path, or wherever it is
                                     read the one with its name, built in or not; NULL: none */
    const struct cat_variants *variants; /* NULL: all are off */
};

/* Loads a model. `asker` NULL: the user, with no variants. Warns of a variant that is on but that
 * neither file asks about. */
const struct cat_model *cat_model_load(struct arena *arena, const struct cat_basis *basis,
                                       const struct cat_asker *asker, const char *visibility,
                                       const char *persistency, struct diag *diag)
    __attribute__((warn_unused_result));

/* As cat_model_load, for texts in memory; their names appear in messages. Includes are looked up
 * among the built-ins alone. */
const struct cat_model *cat_model_load_sources(struct arena *arena, const struct cat_basis *basis,
                                               const struct cat_variants *variants,
                                               const struct source *visibility,
                                               const struct source *persistency, struct diag *diag)
    __attribute__((warn_unused_result));

/* Does the name mean a file, not a built-in? */
bool cat_model_is_path(const char *name);
/* Do both names mean one file, by paths that can be opened as they are, or one built-in of a kind? */
bool cat_model_same(const char *a, const char *b);
/* Can `name` be a model of that kind? A path always can, as its file is read when the model is
 * loaded; an unknown name is reported. */
bool cat_model_accepts(const char *kind, const char *name, struct diag *diag)
    __attribute__((warn_unused_result));

/* The files of one model, each as often as it is read and in that order: the standard library, the
 * contract's defaults, the model with its includes in place. `kind` is "visibility" or
 * "persistency"; `name` and `asker` as in cat_model_load. */
struct cat_sources {
    const struct source *const *items; /* all of this in the arena */
    size_t count;
};
bool cat_model_sources(struct arena *arena, const struct cat_asker *asker, const char *kind,
                       const char *name, struct cat_sources *sources, struct diag *diag)
    __attribute__((warn_unused_result));

/* The IR as text, a node a line, for --dump-ir. */
void cat_model_dump(const struct cat_model *model, struct strbuf *out);

#endif
