/* lit_ptx: the instructions of PTX, for the dialect's row. All else of its tests is any table's
 * (lit_table.h).
 */
#ifndef CRASHLIT_LIT_PTX_H
#define CRASHLIT_LIT_PTX_H

#include "litmus/lit_dialect.h"

extern const struct lit_writing lit_ptx_writing;

bool lit_ptx_decode(struct lit_lower *lower, const struct ast_name *name,
                    struct lit_table_word *word);
const struct lit_qualifier *lit_ptx_qualifiers(const char *text, uint32_t at, bool last,
                                               bool *order);
/* The words that instructions begin with, one after the other; NULL behind the last. */
const char *lit_ptx_word_at(size_t number);
bool lit_ptx_jumps(const char *text);
bool lit_ptx_hosts(const char *text, bool *joins);
/* cta, kr or gpu of a thread's header. */
bool lit_ptx_level(const char *text, enum lit_scope *level);

#endif
