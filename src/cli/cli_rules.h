/* cli_rules: models as numbered definitions, for LaTeX: a section for each file, in the order in
 * which they build on each other, then what every model begins with, as far as these say it. */
#ifndef CRASHLIT_CLI_RULES_H
#define CRASHLIT_CLI_RULES_H

#include "base/vec.h"
#include "cat/cat_model.h"

struct cli_rules {
    bool all;                       /* of what every model begins with, too */
    bool persists;                  /* a file defines a name of the contract */
    VEC(const struct source *) own; /* each once */
    const struct source *common[2]; /* NULL: there is no model */
};

/* Adds the files of a model (cat_model_sources). */
void cli_rules_add(struct cli_rules *rules, const struct cat_sources *sources);
/* Writes and ends them. */
void cli_rules_write(struct cli_rules *rules, struct strbuf *out);

#endif
