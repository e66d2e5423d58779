/* gen_bound: bounds of enumerations as words: "events=4,barriers=2,scopes=wi:wg".
 *
 *   events barriers threads locations    numbers, at most so many
 *   scopes levels                        wi sg wg kr dev all
 *   orders                               na rlx acq rel acq_rel sc
 *   deps                                 none ctrl data addr
 *   memory                               nvm volatile
 *   families                             of the vocabulary; without the word all
 *   hosts                                yes no
 *
 * Several words are joined by ':'. What is not named stays as it is.
 */
#ifndef CRASHLIT_GEN_BOUND_H
#define CRASHLIT_GEN_BOUND_H

#include "base/diag.h"
#include "generate/gen_enumerate.h"

/* Reads what the option of that name has. False after telling what is wrong. */
bool gen_bound_read(const char *text, const char *option, struct gen_bound *bound,
                    struct diag *diag) __attribute__((warn_unused_result));
/* All of it, as it can be read again. */
void gen_bound_text(const struct gen_bound *bound, struct strbuf *out);

#endif
