/* cat_mentions: which base names, tags and choices a model's answers hang on: those in what its
 * checks and the names of the contract are made of. A tag that is declared alone is none, nor is
 * what only pictures show.
 */
#ifndef CRASHLIT_CAT_MENTIONS_H
#define CRASHLIT_CAT_MENTIONS_H

#include "base/arena.h"
#include "cat/cat_ir.h"

struct cat_mentions {
    bool *nodes;  /* per node of the model */
    bool *bases;  /* per name of the basis */
    bool *tagged; /* per model->tagged */
};

/* In the arena. Cost: one pass over the nodes. */
struct cat_mentions cat_mentions_of(struct arena *arena, const struct cat_model *model);

/* Per choice of the model: are these expressions made of it, or of one that is? In the arena. */
const bool *cat_mentions_choices(struct arena *arena, const struct cat_model *model,
                                 const cat_node_id *nodes, uint32_t count);

#endif
