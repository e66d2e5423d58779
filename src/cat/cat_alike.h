/* cat_alike: do models say the same of some executions, as far as their texts tell? Term rewriting
 * to normal forms, with hash-consing.
 *
 * All executions are meant whose events are among some few, of which it is known what is in the
 * base sets, and what base relations hold at most and at least. Each model's expressions are
 * brought to a normal form under these facts, in a table that the models share: what is empty goes,
 * what is contained in another part of a union goes, what the facts decide is its value. Models
 * whose checks and reserved names have the same normal forms allow the same executions, states and
 * crash states. Others may, too; nothing is said of them. So are models with choices and
 * recursion never called alike.
 *
 * An event may be missing from an execution: what is known of pairs counts for those that are
 * there. Of a fact that is not `exact` an event stands for several of one kind.
 *
 * Ownership: a table belongs to its caller, and is used again from question to question. Cost: some
 * operations on matrices of 16 by 16 bits for each node of each model.
 */
#ifndef CRASHLIT_CAT_ALIKE_H
#define CRASHLIT_CAT_ALIKE_H

#include "cat/cat_ir.h"
#include "rel/relation.h"

enum { CAT_ALIKE_EVENTS = 16 };

/* A relation, a bit for each pair; a set is the first row. */
struct cat_few {
    rel_word rows[CAT_ALIKE_EVENTS];
};

struct cat_facts {
    uint32_t count;              /* events, at most CAT_ALIKE_EVENTS */
    bool exact;                  /* events, and not kinds of events */
    const struct cat_few *least; /* per base name */
    const struct cat_few *most;  /* of a set both are one */
    void (*tagged)(void *context, const struct cat_tagged *tagged, struct cat_few *set);
    void *context;
};

struct cat_alike;
struct cat_alike *cat_alike_new(void);
void cat_alike_free(struct cat_alike *alike);

/* Per model the number of the first that it is like, its own when there is none. All models have
 * one basis. */
void cat_alike_find(struct cat_alike *alike, const struct cat_facts *facts,
                    const struct cat_model *const *models, uint32_t count, uint32_t *first);

#endif
