/* cat_mentions: which base names and tags a model's answers hang on: those in what its checks and
 * the names of the contract are made of. A tag that is declared alone is none, nor is what only
 * pictures show.
 */
#ifndef CRASHLIT_CAT_MENTIONS_H
#define CRASHLIT_CAT_MENTIONS_H

#include "base/arena.h"
#include "cat/cat_ir.h"

struct cat_mentions {
    bool *bases;  /* per name of the basis */
    bool *tagged; /* per model->tagged */
};

/* In the arena. Cost: one pass over the nodes. */
struct cat_mentions cat_mentions_of(struct arena *arena, const struct cat_model *model);

#endif
