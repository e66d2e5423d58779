/* smt_rules: the assumption literals of explanations. Rules are the model's checks, the rules of a
 * crash cut, and the effect of ordering lines of the test. Each stands under a variable of its own,
 * so that it can be assumed or not. Private to the symbolic engine.
 *
 * Without rules (`program->rules` NULL) everything is simply asserted.
 *
 * Ownership: the arena and the solver of the program; smt_rules_free releases the rest. */
#ifndef CRASHLIT_SMT_RULES_H
#define CRASHLIT_SMT_RULES_H

#include "engine/explanation.h"
#include "smt/smt_program.h"

/* What one rule says about a pair of statements; `number` tells checks apart. */
struct smt_rule {
    enum explanation_reason_kind kind;
    uint32_t number;
    uint32_t a, b; /* events of the two statements; LIT_NONE: not about a pair */
    smt_term assumed;
};

struct smt_rules *smt_rules_new(struct smt_program *program);
void smt_rules_free(struct smt_rules *rules);
uint32_t smt_rules_count(const struct smt_rules *rules);
const struct smt_rule *smt_rules_get(const struct smt_rules *rules, uint32_t index);

/* Does `event` make the same access of the same statement as a rule's event, in another pass? */
bool smt_rules_alike(const struct smt_program *program, uint32_t event, uint32_t of_rule);

void smt_rules_assert(struct smt_program *program, enum explanation_reason_kind kind,
                      uint32_t number, uint32_t a, uint32_t b, smt_term fact);

/* From now on the statement orders nothing. A barrier or fence is in no set and meets nobody in
 * `syncbar`, `syncpb` and `sync_fence`, though its threads still wait for each other. An atomic
 * access is relaxed. The statement has no tag. Takes effect in bounds computed later. */
void smt_rules_drop_line(struct smt_rules *rules, const struct lit_instr *instr);
/* Removes the contribution of dropped lines from a base name's value. */
void smt_rules_silence(const struct smt_program *program, uint32_t base, rel_word *value);
/* Removes the events of dropped lines from the set of a tag. */
void smt_rules_untag(const struct smt_program *program, rel_word *value);

#endif
