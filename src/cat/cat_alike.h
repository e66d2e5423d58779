/* cat_alike: tells whether models allow the same among some executions, by term rewriting to normal
 * forms with hash-consing.
 *
 * The executions are all those over a few events. It is known what the base sets contain, and what
 * base relations contain at most and at least. Under these facts each model's expressions are
 * brought to a normal form, in one table for all models. Empty parts go, parts of a union that
 * others contain go, and an expression that the facts decide becomes its value. Models whose checks
 * and reserved names have the same normal forms allow the same executions, states and crash states.
 * Other models may do so, too; nothing is said of them. An order that is chosen is that of another
 * model where both are chosen from the same. Models with recursion, with a choice among
 * alternatives, or with two choices are never called alike.
 *
 * An execution may lack an event: facts about pairs hold for events that are there. If a fact is
 * not `exact`, an event stands for several of one kind.
 *
 * Ownership: a table belongs to its caller and serves one question after the other; models must
 * outlive it. Cost: some operations on matrices of 16 by 16 bits for each node of the models'
 * merged graph (cat_merged.h). */
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
    bool exact;                  /* events, not kinds of events */
    const struct cat_few *least; /* per base name */
    const struct cat_few *most;  /* for sets the same as `least` */
    void (*tagged)(void *context, const struct cat_tagged *tagged, struct cat_few *set);
    void *context;
};

struct cat_alike;
struct cat_alike *cat_alike_new(const struct cat_model *const *models, uint32_t count);
void cat_alike_free(struct cat_alike *alike);

/* Writes per model the number of the first model that it is like; its own if there is none. All
 * models have one basis. */
void cat_alike_find(struct cat_alike *alike, const struct cat_facts *facts, uint32_t *first);

#endif
