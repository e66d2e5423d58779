/* report_product: states in product form (mdd/mdd_cover.h), for text and JSON.
 *
 * Text has a line for each box, as `{x0..x19} each 0 or 1; c=0: 1,048,576 states`, and a line
 * `times` between factors; JSON an object with the count, the factors and their boxes.
 */
#ifndef CRASHLIT_REPORT_PRODUCT_H
#define CRASHLIT_REPORT_PRODUCT_H

#include "report/report.h"

/* `states` has a diagram, which is not empty; `program` is the one that its items are of. */
void report_text_product(const struct lit_program *program, const struct outcome_states *states,
                         struct strbuf *out);
void report_json_product(const char *name, const struct lit_program *program,
                         const struct outcome_states *states, struct strbuf *out);
/* A number of any size; of 19 digits or more as a text. */
void report_json_digits(const char *name, const char *digits, struct strbuf *out);

#endif
