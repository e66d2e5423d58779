/* report_listing: a test as papers print it, for LaTeX: what it begins with, its threads side by side, its conditions.
 *
 * A statement has a line, or the lines that it has in the file; comments are left out. A test of
 * compiled code has its launches in place of threads.
 */
#ifndef CRASHLIT_REPORT_LISTING_H
#define CRASHLIT_REPORT_LISTING_H

#include "litmus/lit_ast.h"
#include "litmus/lit_program.h"

/* The tree is the one that the program was lowered from (lit_parse_tree). */
void report_listing_tex(const struct lit_program *program, const struct ast_test *tree,
                        struct strbuf *out);

#endif
