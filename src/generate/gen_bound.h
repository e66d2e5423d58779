/* gen_bound: reads and writes bounds of enumerations as words: "events=4,barriers=2,scopes=wi:wg".
 *
 *   events barriers threads locations  numbers, at most so many
 *   scopes levels                      wi sg wg kr dev all
 *   orders                             na rlx acq rel acq_rel sc
 *   deps                               none ctrl data addr
 *   memory                             nvm volatile
 *   families                           of the vocabulary; without the word all
 *   hosts                              yes no
 *
 * ':' joins several words. What is not named stays as it is. */
#ifndef CRASHLIT_GEN_BOUND_H
#define CRASHLIT_GEN_BOUND_H

#include "base/diag.h"
#include "generate/gen_enumerate.h"

/* Reads the bound from the text of an option. False after reporting what is wrong. */
bool gen_bound_read(const char *text, const char *option, struct gen_bound *bound,
                    struct diag *diag) __attribute__((warn_unused_result));
/* Writes the whole bound, so that it can be read again. */
void gen_bound_text(const struct gen_bound *bound, struct strbuf *out);

/* Appends what programs of a derived vocabulary lack, and why: instructions that are none of
 * generated programs, or not in the dialect. */
void gen_bound_left_out(const struct gen_bound *bound, struct strbuf *out);

#endif
