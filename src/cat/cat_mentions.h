/* cat_mentions: the base names, tags and choices that a model's answers depend on: those in
 * expressions of its checks and of the contract's names. Tags that are only declared do not count,
 * nor does what only pictures show. */
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

/* Per choice of the model: do these expressions depend on it, directly or through another choice?
 * In the arena. */
const bool *cat_mentions_choices(struct arena *arena, const struct cat_model *model,
                                 const cat_node_id *nodes, uint32_t count);

#endif
