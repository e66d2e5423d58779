/* cli_model_file: what a file that is named as a model is. */
#ifndef CRASHLIT_CLI_MODEL_FILE_H
#define CRASHLIT_CLI_MODEL_FILE_H

#include "cat/cat_model.h"

/* "persistency" when it defines a name of the contract, or can be loaded as nothing else; else
 * "visibility". Of a file with errors, what it has fewer of them as. */
const char *cli_model_file_kind(const struct cat_asker *asker, const char *path);
/* Reports what is wrong with it, and what is warned of. */
void cli_model_file_check(const struct cat_asker *asker, const char *path, struct arena *arena,
                          struct diag *diag);
/* What stands at its head, "" if nothing does. */
const char *cli_model_file_title(struct arena *arena, const struct source *source);

#endif
