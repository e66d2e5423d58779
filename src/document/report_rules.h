/* report_rules: the files of models as numbered definitions and axioms, for LaTeX.
 *
 * A file is a section. A definition has a number and a label, `crashlit:FILE:NAME`, to which a
 * paper refers; so has each check, an axiom. Relations and sets are in their usual signs. A comment
 * beside a statement is its footnote, one before it a paragraph. What has no usual sign, such as a
 * procedure, is shown as it is written; what only pictures show is left out.
 *
 * Ownership: nothing is kept. */
#ifndef CRASHLIT_REPORT_RULES_H
#define CRASHLIT_REPORT_RULES_H

#include "base/source.h"
#include "base/strbuf.h"

/* The environments and signs, behind report_tex_begin. A paper's own of these names stand. */
void report_rules_begin(struct strbuf *out);

/* Files of models that can be parsed, in the order in which they are read, each once. One that is
 * included stands where it is included first; what follows there is a section of its own. */
void report_rules_files(const struct source *const *files, size_t count, struct strbuf *out);

/* Of a file the definitions of names that `wanted` says; NULL: all of it. */
typedef bool report_rules_wanted(const void *context, const char *name);
void report_rules_file(const struct source *source, report_rules_wanted *wanted,
                       const void *context, struct strbuf *out);

/* Does a definition of the file, outside of `if` and procedures, bind the name? */
bool report_rules_bind(const struct source *source, const char *name);

#endif
