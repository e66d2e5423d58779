/* report_rules_expr: expressions of cat in the signs of papers. Parts of a formula that readers
 * could group otherwise stand in parentheses, whatever binds tighter in cat. */
#ifndef CRASHLIT_REPORT_RULES_EXPR_H
#define CRASHLIT_REPORT_RULES_EXPR_H

#include "base/strbuf.h"
#include "cat/cat_ast.h"

/* False: some of it has no usual sign, such as a function without a name. */
bool report_rules_has_signs(const struct cat_expr *expr);
/* A formula, of an expression that has signs. */
void report_rules_expr(const struct cat_expr *expr, struct strbuf *out);
/* "f(x) = .." */
void report_rules_binding(const struct cat_binding *binding, struct strbuf *out);

#endif
